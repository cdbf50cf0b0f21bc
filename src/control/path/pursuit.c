#include "control/path/pursuit.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "control/odometry/odometry.h"

#include <math.h>
#include <string.h>

#define SPACING 0.01 ///< of points, where the path is not too long [m]

enum { MOST_POINTS = 20000 };

// -------------------------------------------------------------------------------------------- path

// Across a curve of curvature k: v^2 |k| = sideways. Before it: v^2 = v1^2 + 2 a s.
static void find_speeds(const ib_PursuitConfig *config, int count, double spacing,
                        const double *curvature, ib_PursuitPoint *points)
{
    for (int i = count - 1; i >= 0; i--) {
        double k = fabs(curvature[i]), v = config->speed;
        if (k * v * v > config->sideways) v = sqrt(config->sideways / k);
        double after = i + 1 < count ? points[i + 1].speed : v;
        points[i].speed = ib_min(v, sqrt(after * after + 2 * config->acceleration * spacing));
    }
}

// Points at equal ways along all elements.
static void lay_points(const ib_PathConfig *path, ib_PathPoint from, int count, double spacing,
                       ib_PursuitPoint *points, double *curvature)
{
    double begins = 0;
    int element = 0;
    for (int i = 0; i < count; i++) {
        double s = i * spacing;
        while (element + 1 < path->count && s > begins + path->elements[element].length) {
            begins += path->elements[element].length;
            from = ib_path_end(path, element++, from);
        }
        double own = ib_min(s - begins, path->elements[element].length);
        ib_PathPoint p = ib_path_place(path, element, from, own);
        points[i] = (ib_PursuitPoint){.x = p.x, .y = p.y};
        curvature[i] = p.curvature;
    }
}

static ib_Status check(const ib_PursuitConfig *config, double length, ib_Error *error)
{
    if (!(config->speed * config->period <= config->lookahead))
        return ib_error_set(error, IB_BAD_INPUT,
                            "lookahead: between two looks it drives %.3g m, past the point that it "
                            "drives to: expected at least that, a lower speed or a shorter period",
                            config->speed * config->period);
    if (!(config->reaction <= IB_PURSUIT_LOOKS * config->period))
        return ib_error_set(error, IB_BAD_INPUT, "reaction: expected at most %d periods of %g s",
                            IB_PURSUIT_LOOKS, config->period);
    if (!(config->finish < length))
        return ib_error_set(error, IB_BAD_INPUT,
                            "finish: the path is only %.3g m long: expected less", length);
    return IB_OK;
}

ib_Status ib_pursuit_init(const ib_PursuitConfig *config, const ib_PathConfig *path,
                          ib_PathPoint start, ib_Arena *arena, ib_PursuitModel *model,
                          ib_Error *error)
{
    double length = ib_path_length(path), lasts = 0;
    ib_Status status = check(config, length, error);
    if (status != IB_OK) return status;
    int pieces = length < SPACING * MOST_POINTS ? (int)(length / SPACING) + 1 : MOST_POINTS;
    int looks = config->predicts ? (int)ceil(config->reaction / config->period - 1e-9) : 1;
    ib_PursuitPoint *points = ib_arena_array(arena, (size_t)pieces + 1, sizeof *points);
    double *curvature = ib_arena_array(arena, (size_t)pieces + 1, sizeof *curvature);
    if (!points || !curvature) return ib_error_set(error, IB_FAILED, "out of memory for a path");
    double spacing = length / pieces;
    lay_points(path, start, pieces + 1, spacing, points, curvature);
    find_speeds(config, pieces + 1, spacing, curvature, points);
    for (int i = 0; i < pieces; i++) lasts += spacing / points[i].speed;
    *model = (ib_PursuitModel){.config = *config,
                               .count = pieces + 1,
                               .spacing = spacing,
                               .length = length,
                               .lasts = lasts,
                               .points = points,
                               .looks = looks > 1 ? looks : 1};
    return IB_OK;
}

int ib_pursuit_states(const ib_PursuitModel *model)
{
    return IB_PURSUIT_ASKED + IB_AXES * model->looks;
}

void ib_pursuit_reset(const ib_PursuitModel *model, double *state)
{
    memset(state, 0, (size_t)ib_pursuit_states(model) * sizeof *state);
    state[IB_PURSUIT_X] = model->points[0].x;
    state[IB_PURSUIT_Y] = model->points[0].y;
    state[IB_PURSUIT_HEADING] = model->config.heading;
}

// The point at s, 0 .. length, on the line between two.
static ib_PursuitPoint point_at(const ib_PursuitModel *model, double s)
{
    int i = (int)(s / model->spacing);
    if (i > model->count - 2) i = model->count - 2;
    const ib_PursuitPoint *a = &model->points[i], *b = a + 1;
    double t = ib_min(s / model->spacing - i, 1);
    return (ib_PursuitPoint){a->x + t * (b->x - a->x), a->y + t * (b->y - a->y),
                             a->speed + t * (b->speed - a->speed)};
}

// The nearest point in s .. s + lookahead, and how far to the left of it (x, y) is.
static double find_nearest(const ib_PursuitModel *model, double s, double x, double y,
                           double *aside)
{
    double h = model->spacing, best = INFINITY, nearest = s, until = s + model->config.lookahead;
    for (int i = (int)(s / h); i < model->count - 1 && i * h <= until; i++) {
        const ib_PursuitPoint *a = &model->points[i], *b = a + 1;
        double dx = b->x - a->x, dy = b->y - a->y, size = dx * dx + dy * dy;
        double t = ((x - a->x) * dx + (y - a->y) * dy) / size;
        t = ib_max(ib_min(t, ib_min(1, until / h - i)), ib_max(0, s / h - i));
        double ex = x - a->x - t * dx, ey = y - a->y - t * dy, d = ex * ex + ey * ey;
        if (!(d < best)) continue;
        best = d;
        nearest = (i + t) * h;
        *aside = dx * ey - dy * ex < 0 ? -sqrt(d) : sqrt(d);
    }
    return ib_min(nearest, model->length);
}

// ---------------------------------------------------------------------------------------- the look

static void advance(const double motion[IB_AXES], double dt, double pose[3])
{
    ib_odometry_advance(motion[0] * dt, motion[1] * dt, motion[2] * dt, pose);
}

// Estimated place of the robot: as seen, advanced by the commands since.
static void take_place(const ib_PursuitModel *model, const double seen[3], double *state)
{
    const ib_PursuitConfig *config = &model->config;
    const double *asked = state + IB_PURSUIT_ASKED;
    double *pose = state + IB_PURSUIT_X;
    if (!(fabs(seen[0]) <= 1e7 && fabs(seen[1]) <= 1e7 && fabs(seen[2]) <= 1e7)) {
        advance(asked, config->period, pose);
        return;
    }
    memcpy(pose, seen, 3 * sizeof *pose);
    if (!config->predicts || !(config->reaction > 0)) return;
    for (int i = model->looks - 1; i >= 0; i--) {
        double dt = ib_min(config->period, config->reaction - i * config->period);
        advance(asked + IB_AXES * i, dt, pose);
    }
}

// -------------------------------------------------------------------------------------- one period

// The change of the command is limited, as a whole.
static void ease(const ib_PursuitModel *model, double vx, double vy, double *velocity)
{
    double dx = vx - velocity[0], dy = vy - velocity[1], size = sqrt(dx * dx + dy * dy);
    double most = model->config.acceleration * model->config.period;
    double share = size > most ? most / size : 1;
    velocity[0] += share * dx;
    velocity[1] += share * dy;
}

// Straight to the point, and back to the heading with the same time constant, L/V.
static void go_any_way(const ib_PursuitModel *model, const ib_PursuitPoint *to, double speed,
                       double *state, ib_AxisMotion *motion)
{
    double s, c, heading = state[IB_PURSUIT_HEADING], *v = state + IB_PURSUIT_VELOCITY;
    double dx = to->x - state[IB_PURSUIT_X], dy = to->y - state[IB_PURSUIT_Y];
    double d = sqrt(dx * dx + dy * dy), reach = ib_max(d, model->config.lookahead);
    ease(model, speed * dx / reach, speed * dy / reach, v);
    ib_sincos(heading, &s, &c);
    motion->velocity[0] = c * v[0] + s * v[1];
    motion->velocity[1] = c * v[1] - s * v[0];
    motion->velocity[2] =
        model->config.speed / model->config.lookahead * (model->config.heading - heading);
}

// The arc through the point that begins along the heading:  w = 2 v left/d^2.        [Coulter 1992]
// For a point behind, the robot turns on the spot. Turns are limited to half of the base's range,
// and the speed with them.
static void go_by_sides(const ib_PursuitModel *model, const ib_PursuitPoint *to, double most,
                        double speed, double *state, ib_AxisMotion *motion)
{
    double s, c, *v = state + IB_PURSUIT_VELOCITY, L = model->config.lookahead;
    double dx = to->x - state[IB_PURSUIT_X], dy = to->y - state[IB_PURSUIT_Y];
    ib_sincos(state[IB_PURSUIT_HEADING], &s, &c);
    double ahead = c * dx + s * dy, left = c * dy - s * dx, d2 = dx * dx + dy * dy;
    double wanted = ahead > 0 ? speed * ib_min(1, sqrt(d2) / L) : 0;
    ease(model, wanted, 0, v);
    double w = ahead > 0 ? 2 * v[0] * left / d2 : (left < 0 ? -2 : 2) * speed / L;
    double share = fabs(w) > most ? most / fabs(w) : 1;
    motion->velocity[0] = share * v[0];
    motion->velocity[2] = share * w;
}

static void remember(const ib_PursuitModel *model, const ib_AxisMotion *motion, double *state)
{
    double *asked = state + IB_PURSUIT_ASKED;
    memmove(asked + IB_AXES, asked, (size_t)(IB_AXES * (model->looks - 1)) * sizeof *asked);
    memcpy(asked, motion->velocity, IB_AXES * sizeof *asked);
}

void ib_pursuit_step(const ib_PursuitModel *model, const ib_Locomotion *base, const double seen[3],
                     double *state, ib_AxisMotion *motion)
{
    const ib_PursuitConfig *config = &model->config;
    *motion = (ib_AxisMotion){0};
    take_place(model, seen, state);
    double s = find_nearest(model, state[IB_PURSUIT_PROGRESS], state[IB_PURSUIT_X],
                            state[IB_PURSUIT_Y], &state[IB_PURSUIT_ASIDE]);
    state[IB_PURSUIT_PROGRESS] = s;
    if (model->length - s <= config->finish) state[IB_PURSUIT_DONE] = 1;
    if (state[IB_PURSUIT_DONE] == 0) {
        ib_PursuitPoint to = point_at(model, ib_min(s + config->lookahead, model->length));
        double speed = point_at(model, s).speed;
        if (ib_is_holonomic(base))
            go_any_way(model, &to, speed, state, motion);
        else
            go_by_sides(model, &to, 0.5 * base->top[2], speed, state, motion);
    }
    remember(model, motion, state);
}
