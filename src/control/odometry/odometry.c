#include "control/odometry/odometry.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "linear/singular.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

//   symbol   meaning                                                            unit
//   A        a row of each rim: its roll for each unit of a motion              1, 1, m/rad
//   m        motion: ahead, to the left, turn to the left                       m, m, rad; or per s
//   s        roll of each rim                                                   m, or m/s
//   phi      the turn by a gyro, if any                                         rad, or rad/s
//   H        a row of each way that wheels hold: H m = 0                        1, 1, m/rad

enum { MOST = IB_ODOMETRY_ROWS, MOTIONS = IB_AXES };

#define FLAT    1e-6 ///< singular values this small beside the largest are none
#define FASTEST 1e3  ///< no rim rolls faster, no robot turns faster [m/s, rad/s]

// ------------------------------------------------------------------------------------------ layout

static double row_of(const ib_WheelRow *row, int motion)
{
    return motion == 0 ? row->forward : motion == 1 ? row->left : row->turn;
}

// Roll of a rim by this motion.
static double rolls(const ib_WheelRow *row, const double m[MOTIONS])
{
    return row->forward * m[0] + row->left * m[1] + row->turn * m[2];
}

// One row and another, in parts.
static ib_WheelRow blend(double a, const ib_WheelRow *one, double b, const ib_WheelRow *two)
{
    return (ib_WheelRow){a * one->forward + b * two->forward, a * one->left + b * two->left,
                         a * one->turn + b * two->turn};
}

static int row_count(const ib_OdometryConfig *config)
{
    return config->angled ? 2 * config->count : config->count;
}

static ib_Status check_time(const char *key, double value, double most, ib_Error *error)
{
    if (value >= 0 && value < most) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "%s: expected 0 s to %g s, got %g s", key, most,
                        value);
}

static ib_Status check(const ib_OdometryConfig *config, ib_Error *error)
{
    int most = config->angled ? MOST / 2 : MOST;
    if (config->count < 1 || config->count > most)
        return ib_error_set(error, IB_BAD_INPUT, "count: expected 1 to %d rims, got %d", most,
                            config->count);
    for (int i = 0; i < row_count(config); i++)
        for (int k = 0; k < MOTIONS; k++)
            if (!(fabs(row_of(&config->rows[i], k)) <= 1e6))
                return ib_error_set(error, IB_BAD_INPUT,
                                    "rows.%d: expected numbers up to 1e6, got %g", i,
                                    row_of(&config->rows[i], k));
    if (!(config->period > 0 && config->period < 10))
        return ib_error_set(error, IB_BAD_INPUT,
                            "period: expected more than 0 s and less than 10 s, got %g s",
                            config->period);
    ib_Status status = check_time("filter", config->filter, 1e3, error);
    if (status == IB_OK) status = check_time("calm", config->calm, 1e3, error);
    return status == IB_OK ? check_time("settle", config->settle, 1e6, error) : status;
}

// Names a motion that moves no rim: along a line, or a turn, about a point, if that is not the
// robot's origin:   (x, y) = (-left, forward)/turn
static ib_Status refuse(const double motion[MOTIONS], ib_Error *error)
{
    static const char text[] = "rows: no rim tells of %s: expected one that rolls then%s";
    static const char gyro[] = ", or a gyro";
    const double size = 0.999; // of a unit vector: along one axis
    double ahead = motion[0], left = motion[1], turn = motion[2];
    char named[80];
    if (fabs(turn) > size) return ib_error_set(error, IB_BAD_INPUT, text, "turning", gyro);
    if (fabs(ahead) > size) return ib_error_set(error, IB_BAD_INPUT, text, "moving forward", "");
    if (fabs(left) > size) return ib_error_set(error, IB_BAD_INPUT, text, "moving sideways", "");
    bool turns = fabs(turn) > FLAT;
    if (turns)
        snprintf(named, sizeof named, "turning about x = %.3g m, y = %.3g m", -left / turn,
                 ahead / turn);
    else
        snprintf(named, sizeof named, "moving in the direction of %.3g deg",
                 57.29577951308232 * ib_atan2(left, ahead));
    return ib_error_set(error, IB_BAD_INPUT, text, named, turns ? gyro : "");
}

// The singular values of A, with the constraints below it, and their motions. A turn is scaled by
// the way of the rim that it moves most, so that columns have equal size.
static void find_singular(const ib_OdometryModel *model, double u[MOTIONS][MOTIONS],
                          double sigma[MOTIONS])
{
    double a[MOTIONS * (MOST + MOTIONS)], motions[MOTIONS * MOTIONS];
    int n = model->unknowns, count = row_count(&model->config), all = count + model->untold;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < all; i++) {
            const ib_WheelRow *row = i < count ? &model->config.rows[i] : &model->held[i - count];
            a[k * all + i] = row_of(row, k) / (k == 2 ? model->reach : 1);
        }
    ib_singular_values(n, all, a, motions, sigma);
    for (int i = 0; i < n; i++) {
        double size = 0;
        for (int k = 0; k < n; k++) u[i][k] = motions[k * n + i] / (k == 2 ? model->reach : 1);
        for (int k = n; k < MOTIONS; k++) u[i][k] = 0;
        for (int k = 0; k < n; k++) size += u[i][k] * u[i][k];
        for (int k = 0; k < n; k++) u[i][k] /= sqrt(size);
    }
}

// Constraints z' H' H m = 0 for all motions z that move no rim: as many rows as such motions,
// compatible with any rims. They therefore never change a motion on which these agree.
static void take_holds(ib_OdometryModel *model)
{
    double z[MOTIONS][MOTIONS], sigma[MOTIONS];
    int n = model->unknowns;
    find_singular(model, z, sigma);
    int untold = 0;
    for (int i = 0; i < n && model->config.hold_count > 0; i++) {
        if (sigma[i] > FLAT * sigma[0]) continue;
        ib_WheelRow sum = {0};
        for (int j = 0; j < model->config.hold_count; j++) {
            const ib_WheelRow *hold = &model->config.holds[j];
            double part = rolls(hold, z[i]);
            sum = blend(1, &sum, part, hold);
        }
        model->held[untold++] = sum;
    }
    model->untold = untold;
}

// A motion that moves no rim, and that nothing holds: one of the three, or else one that belongs to
// a singular value that is 0.
static ib_Status check_rank(const ib_OdometryModel *model, ib_Error *error)
{
    double u[MOTIONS][MOTIONS], sigma[MOTIONS];
    int n = model->unknowns, count = row_count(&model->config);
    for (int k = 0; k < n; k++) {
        double unit[MOTIONS] = {k == 0, k == 1, k == 2}, most = 0;
        double reach = k == 2 ? model->reach : 1;
        for (int i = 0; i < count; i++)
            most = ib_max(most, fabs(row_of(&model->config.rows[i], k)) / reach);
        for (int i = 0; i < model->untold; i++)
            most = ib_max(most, fabs(row_of(&model->held[i], k)) / reach);
        if (most < FLAT) return refuse(unit, error);
    }
    find_singular(model, u, sigma);
    return sigma[n - 1] > FLAT * sigma[0] ? IB_OK : refuse(u[n - 1], error);
}

ib_Status ib_odometry_init(const ib_OdometryConfig *config, ib_OdometryModel *model,
                           ib_Error *error)
{
    ib_Status status = check(config, error);
    if (status != IB_OK) return status;
    double reach = 0;
    for (int i = 0; i < row_count(config); i++) reach = ib_max(reach, fabs(config->rows[i].turn));
    *model = (ib_OdometryModel){.config = *config,
                                .unknowns = config->gyro == IB_ODOMETRY_BY_RIMS ? 3 : 2,
                                .reach = reach > 0 ? reach : 1};
    take_holds(model);
    return check_rank(model, error);
}

void ib_odometry_reset(double x, double y, double heading, double *state)
{
    memset(state, 0, IB_ODOMETRY_STATES * sizeof *state);
    state[IB_ODOMETRY_X] = x;
    state[IB_ODOMETRY_Y] = y;
    state[IB_ODOMETRY_HEADING] = heading;
}

ib_BasePose ib_odometry_pose(const double *state)
{
    return (ib_BasePose){state[IB_ODOMETRY_X],       state[IB_ODOMETRY_Y],
                         state[IB_ODOMETRY_HEADING], state[IB_ODOMETRY_FORWARD],
                         state[IB_ODOMETRY_LEFT],    state[IB_ODOMETRY_YAW_RATE]};
}

static ib_HeadingConfig heading_of(const ib_OdometryConfig *config)
{
    return (ib_HeadingConfig){.period = config->period, .settle = config->settle};
}

bool ib_odometry_settles(const ib_OdometryModel *model, const double *state)
{
    ib_HeadingConfig heading = heading_of(&model->config);
    return model->config.gyro == IB_ODOMETRY_BY_RATE &&
           ib_heading_settles(&heading, state + IB_ODOMETRY_GYRO);
}

// ----------------------------------------------------------------------------------- least squares

// Solves the n x n symmetric N m = b by elimination. False where a pivot is none: the square of the
// sine of a column's angle to those before it.
static bool eliminate(int n, double N[MOTIONS][MOTIONS], double *b)
{
    double size[MOTIONS];
    for (int k = 0; k < n; k++) size[k] = N[k][k];
    for (int k = 0; k < n; k++) {
        if (!(N[k][k] > FLAT * FLAT * size[k])) return false;
        for (int i = k + 1; i < n; i++) {
            double share = N[i][k] / N[k][k];
            for (int j = k; j < n; j++) N[i][j] -= share * N[k][j];
            b[i] -= share * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= N[k][j] * b[j];
        b[k] /= N[k][k];
    }
    return true;
}

// Normal equations of least squares for n unknowns: N m = b.
typedef struct Normal {
    int n;
    double N[MOTIONS][MOTIONS], b[MOTIONS];
} Normal;

static void add_row(const ib_WheelRow *row, double reach, double s, double phi, Normal *normal)
{
    double a[MOTIONS] = {row->forward, row->left, row->turn / reach};
    int n = normal->n;
    double own = n == 2 ? s - row->turn * phi : s;
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) normal->N[k][j] += a[k] * a[j];
        normal->b[k] += a[k] * own;
    }
}

// Rows of all rims at one instant, and of ways that are held.
typedef struct Rows {
    ib_WheelRow rim[MOST], held[MOST];
    int count, held_count;
} Rows;

// The rows, at these angles of their modules: a wheel rolls along its own and never aside.
static Rows rows_at(const ib_OdometryModel *model, const double *angle)
{
    const ib_OdometryConfig *config = &model->config;
    Rows rows = {.count = config->count, .held_count = model->untold};
    memcpy(rows.rim, config->rows, sizeof rows.rim);
    memcpy(rows.held, model->held, sizeof model->held);
    for (int i = 0; config->angled && i < config->count; i++) {
        const ib_WheelRow *ahead = &config->rows[2 * i], *left = ahead + 1;
        double s, c;
        ib_sincos(angle[i], &s, &c);
        rows.rim[i] = blend(c, ahead, s, left);
        rows.held[rows.held_count++] = blend(-s, ahead, c, left);
    }
    return rows;
}

// The motion with the least deviation of the received rims (NULL: all) from their roll:
//   A' A m = A' s;    with a turn that is known, of the other two:   A' A m = A' (s - phi turn)
static bool solve(const ib_OdometryModel *model, const Rows *rows, const bool *heard,
                  const double *s, double phi, double m[MOTIONS])
{
    Normal normal = {.n = model->unknowns};
    for (int i = 0; i < rows->count; i++)
        if (!heard || heard[i]) add_row(&rows->rim[i], model->reach, s[i], phi, &normal);
    for (int i = 0; i < rows->held_count; i++)
        add_row(&rows->held[i], model->reach, 0, phi, &normal);
    if (!eliminate(normal.n, normal.N, normal.b)) return false;
    m[0] = normal.b[0];
    m[1] = normal.b[1];
    m[2] = normal.n == 2 ? phi : normal.b[2] / model->reach;
    return true;
}

// The same with missed rims: without them, or, if too few remain, with the assumed roll of all. The
// roll of the missed ones then follows from the motion.
static void find_motion(const ib_OdometryModel *model, const Rows *rows, const bool *heard,
                        double *s, double phi, double m[MOTIONS])
{
    if (!solve(model, rows, heard, s, phi, m)) {
        solve(model, rows, NULL, s, phi, m);
        return;
    }
    for (int i = 0; i < rows->count; i++)
        if (!heard[i]) s[i] = rolls(&rows->rim[i], m);
}

// The turn by the rims, independent of a gyro: from their speeds less the rest of the motion.
static double turn_by_rims(const Rows *rows, const double *s, const double m[MOTIONS])
{
    double sum = 0, squares = 0;
    for (int i = 0; i < rows->count; i++) {
        const ib_WheelRow *row = &rows->rim[i];
        sum += row->turn * (s[i] - row->forward * m[0] - row->left * m[1]);
        squares += row->turn * row->turn;
    }
    return squares > 0 ? sum / squares : 0;
}

// -------------------------------------------------------------------------------------- one period

// A change within one period that can be believed; a NaN is none.
static bool is_believable(double change, double period)
{
    return fabs(change) <= FASTEST * period;
}

// Notes the first measurements.
static void begin(const ib_OdometryModel *model, const double *rim, double yaw, double rate,
                  double *state)
{
    const ib_OdometryConfig *config = &model->config;
    double *first = state + (config->speeds ? IB_ODOMETRY_SPEED : IB_ODOMETRY_ROLLED);
    for (int i = 0; i < config->count; i++) first[i] = fabs(rim[i]) <= 1e12 ? rim[i] : 0;
    if (config->gyro == IB_ODOMETRY_BY_HEADING) state[IB_ODOMETRY_GYRO] = isfinite(yaw) ? yaw : 0;
    if (config->gyro == IB_ODOMETRY_BY_RATE && config->base) state[IB_ODOMETRY_YAW_RATE] = rate;
}

// The robot's turn by its gyro, if it has one; sets the rate at the end of the period. The
// difference of two noisy headings would be a very noisy rate: as in `smooth`, of a ramp.
static double turn_by_gyro(const ib_OdometryModel *model, double yaw, double sum, double *rate,
                           double *state)
{
    const ib_OdometryConfig *config = &model->config;
    double *gyro = state + IB_ODOMETRY_GYRO, dt = config->period, turn = 0;
    *rate = state[IB_ODOMETRY_YAW_RATE];
    if (config->gyro == IB_ODOMETRY_BY_RATE) {
        ib_HeadingConfig heading = heading_of(config);
        turn = ib_heading_step(&heading, yaw, sum, gyro);
        *rate = gyro[IB_HEADING_RATE];
    } else if (config->gyro == IB_ODOMETRY_BY_HEADING && state[IB_ODOMETRY_COUNT] > 0) {
        turn = *rate * dt;
        if (is_believable(yaw - *gyro, dt)) {
            double theta = config->calm / (config->calm + dt), miss = yaw - *gyro - turn;
            turn += (1 - theta * theta) * miss;
            *rate += (1 - theta) * (1 - theta) * miss / dt;
        }
        *gyro += turn;
    }
    return turn;
}

// Each rim's way in this period and its speed, as measured, or as before.
static void roll(const ib_OdometryModel *model, const double *rim, const double *sum,
                 const double *state, bool *heard, double *way, double *speed)
{
    const ib_OdometryConfig *config = &model->config;
    const double *rolled = state + IB_ODOMETRY_ROLLED, *before = state + IB_ODOMETRY_SPEED;
    double dt = config->period;
    for (int i = 0; i < config->count; i++) {
        heard[i] = config->speeds ? fabs(rim[i]) <= FASTEST : is_believable(rim[i] - rolled[i], dt);
        speed[i] = before[i];
        if (heard[i]) speed[i] = config->speeds ? rim[i] : (rim[i] - rolled[i]) / dt;
        // Between two samples of a speed the trapezoid.
        way[i] = config->speeds ? 0.5 * (before[i] + speed[i]) * dt : speed[i] * dt;
        if (heard[i] && !config->speeds) way[i] = rim[i] - rolled[i];
        if (config->speeds && sum && is_believable(sum[i], dt)) way[i] = sum[i];
    }
}

// Disagreement of the received rims over the period.
static double residual(const Rows *rows, const bool *heard, const double *way, double period,
                       const double m[MOTIONS])
{
    double squares = 0;
    int count = 0;
    for (int i = 0; i < rows->count; i++) {
        double miss = way[i] - rolls(&rows->rim[i], m);
        if (heard[i]) squares += miss * miss, count++;
    }
    return count > 0 ? sqrt(squares / count) / period : 0;
}

// A filter that follows a ramp without lag (alpha-beta, both poles at theta = T/(T + dt)):
//   r += dt r',   miss = speed - r,   r += (1 - theta^2) miss,   r' += (1 - theta)^2 miss/dt
// Limit: T = 0 -> r = speed.
static void smooth(double filter, double dt, double speed, double *r, double *rise)
{
    double theta = filter / (filter + dt);
    *r += dt * *rise;
    double miss = speed - *r;
    *r += (1 - theta * theta) * miss;
    *rise += (1 - theta) * (1 - theta) * miss / dt;
}

// The velocity of the origin, for two sides that slip, at the end of a period in which they rolled
// `way` and the robot turned by phi. One count of an encoder within one period is a large speed,
// and slip is a small difference of speeds: they are filtered. But rims and yaw rate must stay
// consistent, so only the part of the sides' difference beyond the yaw rate is filtered,
//   scrub = (right - left)/2 - W w,   W the effective half track
// The roll of the sides less the slip along, and the slip aside: means of the period. A slip of NAN
// counts as none.
static void slide(const ib_OdometryModel *model, const double *way, double moved[MOTIONS],
                  double *state)
{
    const ib_OdometryConfig *config = &model->config;
    double per = 1 / config->period, follow = config->period / (config->filter + config->period);
    double *velocity = state + IB_ODOMETRY_SLIDE, *scrub = &state[IB_ODOMETRY_SCRUB], behind = 0;
    double turn = config->rows[1].turn * moved[2] * per, left = velocity[1];
    *scrub += follow * (0.5 * per * (way[1] - way[0]) - turn - *scrub);
    double mean = state[IB_ODOMETRY_ROLLING];
    double rim[2] = {mean - (turn + *scrub), mean + (turn + *scrub)};
    config->base->slide(config->base, rim, moved[2] * per, config->period, velocity);
    if (fabs(velocity[0]) <= FASTEST && fabs(velocity[1]) <= FASTEST) {
        behind = mean - velocity[0];
    } else {
        velocity[0] = 0.5 * per * (way[0] + way[1]);
        velocity[1] = 0;
    }
    moved[0] -= 0.5 * (state[IB_ODOMETRY_BEHIND] + behind) * config->period;
    moved[1] = 0.5 * (left + velocity[1]) * config->period;
    state[IB_ODOMETRY_BEHIND] = behind;
    state[IB_ODOMETRY_FORWARD] = mean - behind;
    state[IB_ODOMETRY_LEFT] = velocity[1];
}

// The way, with constant velocity in the robot's frame and the turn phi, is an arc of a circle,
// whose chord lies in the direction of the middle heading:
//   (dx, dy) = sin(phi/2)/(phi/2) R(th + phi/2) (ahead, aside)
// Limits: phi = 0 -> a straight line; aside = 0 -> the arc of ib_path_go.
void ib_odometry_advance(double ahead, double aside, double phi, double pose[3])
{
    double half = 0.5 * phi, s, c;
    double chord = fabs(half) < 1e-8 ? 1 : ib_sin(half) / half;
    ib_sincos(pose[2] + half, &s, &c);
    pose[0] += chord * (ahead * c - aside * s);
    pose[1] += chord * (ahead * s + aside * c);
    pose[2] += phi;
}

// The angles of the modules in the middle of the period and at its end; one that is no number is
// the last one.
static void find_angles(const ib_OdometryModel *model, const double *measured, double *last,
                        double *middle, double *end)
{
    for (int i = 0; model->config.angled && i < model->config.count; i++) {
        end[i] = fabs(measured[i]) <= 1e12 ? measured[i] : last[i];
        middle[i] = 0.5 * (last[i] + end[i]);
        last[i] = end[i];
    }
}

void ib_odometry_step(const ib_OdometryModel *model, const double *rim, double yaw,
                      const double *sum, double *state)
{
    const ib_OdometryConfig *config = &model->config;
    double way[MOST], speed[MOST], middle[MOST], end[MOST], moved[MOTIONS], velocity[MOTIONS], rate;
    bool heard[MOST];
    double turn = turn_by_gyro(model, yaw, sum ? sum[config->count] : NAN, &rate, state);
    find_angles(model, rim + config->count, state + IB_ODOMETRY_ROLLED + config->count, middle,
                end);
    state[IB_ODOMETRY_COUNT] += 1;
    if (state[IB_ODOMETRY_COUNT] == 1 || ib_odometry_settles(model, state)) {
        begin(model, rim, yaw, rate, state);
        return;
    }
    Rows on_way = rows_at(model, middle), now = rows_at(model, end);
    roll(model, rim, sum, state, heard, way, speed);
    find_motion(model, &on_way, heard, way, turn, moved);
    find_motion(model, &now, heard, speed, rate, velocity);
    state[IB_ODOMETRY_RESIDUAL] = residual(&on_way, heard, way, config->period, moved);
    for (int i = 0; i < config->count; i++) {
        state[IB_ODOMETRY_ROLLED + i] += way[i];
        state[IB_ODOMETRY_SPEED + i] = speed[i];
    }
    velocity[2] = turn_by_rims(&now, speed, velocity);
    for (int k = 0; k < MOTIONS; k++)
        smooth(config->filter, config->period, velocity[k], &state[IB_ODOMETRY_ROLLING + k],
               &state[IB_ODOMETRY_RISE + k]);
    memcpy(state + IB_ODOMETRY_FORWARD, state + IB_ODOMETRY_ROLLING, MOTIONS * sizeof *state);
    if (model->unknowns == 2) state[IB_ODOMETRY_YAW_RATE] = rate;
    if (config->base && config->base->slide) slide(model, way, moved, state);
    ib_odometry_advance(moved[0], moved[1], moved[2], state);
}
