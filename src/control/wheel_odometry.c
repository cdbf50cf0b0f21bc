#include "control/wheel_odometry.h"

#include "base/extreme.h"
#include "control/odometry_inside.h"
#include "linear/singular.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

//   symbol   meaning                                                            unit
//   A        a row of each rim: what it rolls for each unit of a motion         1, 1, m/rad
//   m        motion: ahead, to the left, turn to the left                       m, m, rad; or per s
//   s        what each rim has rolled                                           m, or m/s
//   phi      the turn, where a gyro tells it                                    rad, or rad/s
//   H        a row of each way that wheels hold: H m = 0                        1, 1, m/rad

enum { MOST = IB_WHEEL_ODOMETRY_RIMS, MOTIONS = 3 };

#define FLAT 1e-6 ///< singular values this small beside the largest are none

// ------------------------------------------------------------------------------------------ layout

static double row_of(const ib_WheelRow *row, int motion)
{
    return motion == 0 ? row->forward : motion == 1 ? row->left : row->turn;
}

// What a rim rolls with this motion.
static double rolls(const ib_WheelRow *row, const double m[MOTIONS])
{
    return row->forward * m[0] + row->left * m[1] + row->turn * m[2];
}

static ib_Status check(const ib_WheelOdometryConfig *config, ib_Error *error)
{
    if (config->count < 1 || config->count > MOST)
        return ib_error_set(error, IB_BAD_INPUT, "count: expected 1 to %d rims, got %d", MOST,
                            config->count);
    for (int i = 0; i < config->count; i++)
        for (int k = 0; k < MOTIONS; k++)
            if (!(fabs(row_of(&config->rows[i], k)) <= 1e6))
                return ib_error_set(error, IB_BAD_INPUT,
                                    "rows.%d: expected numbers up to 1e6, got %g", i,
                                    row_of(&config->rows[i], k));
    if (config->gyro == IB_ODOMETRY_BY_RATE) {
        ib_HeadingConfig heading = {.period = config->period, .settle = config->settle};
        ib_Status status = ib_heading_check(&heading, error);
        if (status != IB_OK) return status;
    }
    // The rest is as of two sides, whose half track is not used here.
    ib_OdometryConfig rest = {
        .period = config->period, .half_track = 1, .filter = config->filter, .calm = config->calm};
    return ib_odometry_check(&rest, error);
}

// Names a motion that moves no rim: along a line, or a turn, about a point where it is not the
// robot's own turn:   (x, y) = (-left, forward)/turn
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

// The singular values of A, with what is held below it, and the motions that belong to them. A turn
// is counted by the way of the rim that it moves most, so that columns are alike.
static void find_singular(const ib_WheelOdometryModel *model, double u[MOTIONS][MOTIONS],
                          double sigma[MOTIONS])
{
    double a[MOTIONS * (MOST + MOTIONS)], motions[MOTIONS * MOTIONS];
    int n = model->unknowns, count = model->config.count, all = count + model->untold;
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

// Of all motions z that move no rim, z' H' H m = 0: as many rows as there are such motions, which
// can be met whatever the rims say. So they never spoil what those agree on.
static void take_holds(ib_WheelOdometryModel *model)
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
            sum.forward += part * hold->forward;
            sum.left += part * hold->left;
            sum.turn += part * hold->turn;
        }
        model->held[untold++] = sum;
    }
    model->untold = untold;
}

// A motion that moves no rim, and that nothing holds: one of the three, or else one that belongs to
// a singular value that is 0.
static ib_Status check_rank(const ib_WheelOdometryModel *model, ib_Error *error)
{
    double u[MOTIONS][MOTIONS], sigma[MOTIONS];
    int n = model->unknowns, count = model->config.count;
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

ib_Status ib_wheel_odometry_init(const ib_WheelOdometryConfig *config, ib_WheelOdometryModel *model,
                                 ib_Error *error)
{
    ib_Status status = check(config, error);
    if (status != IB_OK) return status;
    double reach = 0;
    for (int i = 0; i < config->count; i++) reach = ib_max(reach, fabs(config->rows[i].turn));
    *model = (ib_WheelOdometryModel){.config = *config,
                                     .unknowns = config->gyro == IB_ODOMETRY_BY_SIDES ? 3 : 2,
                                     .reach = reach > 0 ? reach : 1};
    take_holds(model);
    return check_rank(model, error);
}

void ib_wheel_odometry_reset(double x, double y, double heading, double *state)
{
    memset(state, 0, IB_WHEEL_ODOMETRY_STATES * sizeof *state);
    state[IB_ODOMETRY_X] = x;
    state[IB_ODOMETRY_Y] = y;
    state[IB_ODOMETRY_HEADING] = heading;
}

static ib_HeadingConfig heading_of(const ib_WheelOdometryConfig *config)
{
    return (ib_HeadingConfig){.period = config->period, .settle = config->settle};
}

bool ib_wheel_odometry_settles(const ib_WheelOdometryModel *model, const double *state)
{
    ib_HeadingConfig heading = heading_of(&model->config);
    return model->config.gyro == IB_ODOMETRY_BY_RATE &&
           ib_heading_settles(&heading, state + IB_WHEEL_ODOMETRY_GYRO);
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

// The motion for which the rims that were heard (NULL: all) differ least from what they rolled:
//   A' A m = A' s;    with a turn that is known, of the other two:   A' A m = A' (s - phi turn)
static bool solve(const ib_WheelOdometryModel *model, const bool *heard, const double *s,
                  double phi, double m[MOTIONS])
{
    Normal normal = {.n = model->unknowns};
    for (int i = 0; i < model->config.count; i++)
        if (!heard || heard[i]) add_row(&model->config.rows[i], model->reach, s[i], phi, &normal);
    for (int i = 0; i < model->untold; i++) add_row(&model->held[i], model->reach, 0, phi, &normal);
    if (!eliminate(normal.n, normal.N, normal.b)) return false;
    m[0] = normal.b[0];
    m[1] = normal.b[1];
    m[2] = normal.n == 2 ? phi : normal.b[2] / model->reach;
    return true;
}

// The same where rims are missed: without them, and if these are too few, with what all are taken
// to have rolled. What was missed is then what the motion makes of it.
static void find_motion(const ib_WheelOdometryModel *model, bool *heard, double *s, double phi,
                        double m[MOTIONS])
{
    if (!solve(model, heard, s, phi, m)) {
        solve(model, NULL, s, phi, m);
        return;
    }
    for (int i = 0; i < model->config.count; i++)
        if (!heard[i]) s[i] = rolls(&model->config.rows[i], m);
}

// -------------------------------------------------------------------------------------- one period

// Where the measurements begin.
static void begin(const ib_WheelOdometryModel *model, const double *rim, double yaw, double *state)
{
    const ib_WheelOdometryConfig *config = &model->config;
    double *first = state + (config->speeds ? IB_WHEEL_ODOMETRY_SPEED : IB_WHEEL_ODOMETRY_ROLLED);
    for (int i = 0; i < config->count; i++) first[i] = fabs(rim[i]) <= 1e12 ? rim[i] : 0;
    if (config->gyro == IB_ODOMETRY_BY_HEADING)
        state[IB_WHEEL_ODOMETRY_GYRO] = isfinite(yaw) ? yaw : 0;
}

// How far the robot has turned by its gyro, if it has one; sets the rate at the end of the period.
static double turn_by_gyro(const ib_WheelOdometryModel *model, double yaw, double sum, double *rate,
                           double *state)
{
    const ib_WheelOdometryConfig *config = &model->config;
    double *gyro = state + IB_WHEEL_ODOMETRY_GYRO, turn = 0;
    *rate = state[IB_ODOMETRY_YAW_RATE];
    if (config->gyro == IB_ODOMETRY_BY_RATE) {
        ib_HeadingConfig heading = heading_of(config);
        turn = ib_heading_step(&heading, yaw, sum, gyro);
        *rate = gyro[IB_HEADING_RATE];
    } else if (config->gyro == IB_ODOMETRY_BY_HEADING) {
        turn = ib__odometry_follow(config->calm, config->period, yaw, gyro, rate);
    }
    return turn;
}

// How far each rim has rolled in this period and how fast it is, as measured, or as it was before.
static void roll(const ib_WheelOdometryModel *model, const double *rim, const double *sum,
                 const double *state, bool *heard, double *way, double *speed)
{
    const ib_WheelOdometryConfig *config = &model->config;
    const double *rolled = state + IB_WHEEL_ODOMETRY_ROLLED;
    const double *before = state + IB_WHEEL_ODOMETRY_SPEED;
    double dt = config->period;
    for (int i = 0; i < config->count; i++) {
        heard[i] = config->speeds ? fabs(rim[i]) <= IB__ODOMETRY_FASTEST
                                  : ib__odometry_believable(rim[i] - rolled[i], dt);
        speed[i] = before[i];
        if (heard[i]) speed[i] = config->speeds ? rim[i] : (rim[i] - rolled[i]) / dt;
        // Between two samples of a speed the trapezoid.
        way[i] = config->speeds ? 0.5 * (before[i] + speed[i]) * dt : speed[i] * dt;
        if (heard[i] && !config->speeds) way[i] = rim[i] - rolled[i];
        if (config->speeds && sum && ib__odometry_believable(sum[i], dt)) way[i] = sum[i];
    }
}

// What the rims that were heard do not agree on, over the period.
static double residual(const ib_WheelOdometryModel *model, const bool *heard, const double *way,
                       const double m[MOTIONS])
{
    double squares = 0;
    int count = 0;
    for (int i = 0; i < model->config.count; i++) {
        double miss = way[i] - rolls(&model->config.rows[i], m);
        if (heard[i]) squares += miss * miss, count++;
    }
    return count > 0 ? sqrt(squares / count) / model->config.period : 0;
}

void ib_wheel_odometry_step(const ib_WheelOdometryModel *model, const double *rim, double yaw,
                            const double *sum, double *state)
{
    const ib_WheelOdometryConfig *config = &model->config;
    double way[MOST], speed[MOST], moved[MOTIONS], velocity[MOTIONS], rate;
    bool heard[MOST];
    double turn = turn_by_gyro(model, yaw, sum ? sum[config->count] : NAN, &rate, state);
    state[IB_WHEEL_ODOMETRY_COUNT] += 1;
    if (state[IB_WHEEL_ODOMETRY_COUNT] == 1 || ib_wheel_odometry_settles(model, state)) {
        begin(model, rim, yaw, state);
        return;
    }
    roll(model, rim, sum, state, heard, way, speed);
    find_motion(model, heard, way, turn, moved);
    find_motion(model, heard, speed, rate, velocity);
    state[IB_WHEEL_ODOMETRY_RESIDUAL] = residual(model, heard, way, moved);
    for (int i = 0; i < config->count; i++) {
        state[IB_WHEEL_ODOMETRY_ROLLED + i] += way[i];
        state[IB_WHEEL_ODOMETRY_SPEED + i] = speed[i];
    }
    for (int k = 0; k < model->unknowns; k++)
        ib__odometry_smooth(config->filter, config->period, velocity[k],
                            &state[IB_ODOMETRY_FORWARD + k], &state[IB_WHEEL_ODOMETRY_RISE + k]);
    if (model->unknowns == 2) state[IB_ODOMETRY_YAW_RATE] = rate;
    ib__odometry_advance(moved[0], moved[1], moved[2], state);
}
