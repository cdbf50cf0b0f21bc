#include "world/ridge.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>

enum { ARC_STEPS = 6 }; ///< of an outline

#define STRAIGHT 1e-12 ///< a smaller sine of a corner is none
#define CLOSED   1e-9  ///< ends that are closer are one point [m]

// ------------------------------------------------------------------------------------------ checks

// The crest before its corners are rounded: unit vectors along its legs, and how far the arc at
// the beginning of each leg reaches into it.
typedef struct Legs {
    int count;
    bool closed;
    double tx[IB_RIDGE_POINTS], ty[IB_RIDGE_POINTS], length[IB_RIDGE_POINTS];
    double reach[IB_RIDGE_POINTS + 1]; // to point i; the last is the first, if it is closed
} Legs;

// An arc of the radius w that touches two legs with the angle phi between their directions begins
// w tan(phi/2) before the corner, with  tan(phi/2) = |sin phi|/(1 + cos phi).
static double arc_reach(const Legs *legs, int before, int after, double half)
{
    double sine = legs->tx[before] * legs->ty[after] - legs->ty[before] * legs->tx[after];
    double cosine = legs->tx[before] * legs->tx[after] + legs->ty[before] * legs->ty[after];
    if (fabs(sine) < STRAIGHT && cosine > 0) return 0;
    return half * (fabs(sine) / (1 + cosine)); // infinite where it turns back
}

static void find_legs(const ib_RidgeConfig *config, Legs *legs)
{
    int last = config->count - 1;
    double ends_x = config->x[last] - config->x[0], ends_y = config->y[last] - config->y[0];
    *legs = (Legs){.count = last};
    legs->closed = last > 2 && fabs(ends_x) < CLOSED && fabs(ends_y) < CLOSED;
    for (int i = 0; i < last; i++) {
        double dx = config->x[i + 1] - config->x[i], dy = config->y[i + 1] - config->y[i];
        double length = sqrt(dx * dx + dy * dy);
        legs->length[i] = length;
        legs->tx[i] = length > 0 ? dx / length : 1;
        legs->ty[i] = length > 0 ? dy / length : 0;
    }
    for (int i = 1; i < last; i++) legs->reach[i] = arc_reach(legs, i - 1, i, config->width / 2);
    if (legs->closed)
        legs->reach[0] = legs->reach[last] = arc_reach(legs, last - 1, 0, config->width / 2);
}

ib_Status ib_ridge_check(const ib_RidgeConfig *config, ib_Error *error)
{
    Legs legs;
    double slope = M_PI * config->height / config->width;
    if (!(slope <= IB_RIDGE_SLOPE))
        return ib_error_set(error, IB_BAD_INPUT,
                            "its steepest slope is pi height/width = %.3g, more than 45 degrees, "
                            "on which nothing drives: expected a height of at most %.4g m, or an "
                            "element of the field",
                            slope, config->width * (IB_RIDGE_SLOPE / M_PI));
    find_legs(config, &legs);
    for (int i = 0; i < legs.count; i++) {
        if (!(legs.length[i] > CLOSED))
            return ib_error_set(error, IB_BAD_INPUT,
                                "points %d and %d of its line are at the same place", i + 1, i + 2);
        if (legs.reach[i] + legs.reach[i + 1] <= legs.length[i] * (1 + 1e-9)) continue;
        return ib_error_set(error, IB_BAD_INPUT,
                            "its line bends too sharply between points %d and %d: corners are "
                            "rounded with half the width, which takes %.3g m of %.3g m: expected "
                            "points farther apart, a smaller angle or a smaller width",
                            i + 1, i + 2, legs.reach[i] + legs.reach[i + 1], legs.length[i]);
    }
    return IB_OK;
}

// -------------------------------------------------------------------------------------------- init

// The arc at the corner (x, y) between two legs.
static void add_bend(const Legs *legs, int before, int after, double x, double y, double reach,
                     ib_Ridge *ridge)
{
    double t0x = legs->tx[before], t0y = legs->ty[before];
    double t1x = legs->tx[after], t1y = legs->ty[after];
    double side = t0x * t1y - t0y * t1x > 0 ? 1 : -1;
    if (!(reach > 0)) return;
    ridge->bends[ridge->bend_count++] = (ib_RidgeBend){
        .x = x - t0x * reach - side * t0y * ridge->half,
        .y = y - t0y * reach + side * t0x * ridge->half,
        .from_x = side * t0y,
        .from_y = -side * t0x,
        .to_x = side * t1y,
        .to_y = -side * t1x,
        .side = side,
    };
}

static void surround(const ib_RidgeConfig *config, ib_Ridge *ridge)
{
    ridge->low_x = ridge->low_y = INFINITY;
    ridge->high_x = ridge->high_y = -INFINITY;
    for (int i = 0; i < config->count; i++) {
        ridge->low_x = ib_min(ridge->low_x, config->x[i] - ridge->half);
        ridge->high_x = ib_max(ridge->high_x, config->x[i] + ridge->half);
        ridge->low_y = ib_min(ridge->low_y, config->y[i] - ridge->half);
        ridge->high_y = ib_max(ridge->high_y, config->y[i] + ridge->half);
    }
}

void ib_ridge_init(const ib_RidgeConfig *config, ib_Ridge *ridge)
{
    Legs legs;
    find_legs(config, &legs);
    *ridge = (ib_Ridge){.half = config->width / 2, .height = config->height, .closed = legs.closed};
    for (int i = 0; i < legs.count; i++) {
        double from = legs.reach[i], left = legs.length[i] - from - legs.reach[i + 1];
        ridge->bars[ridge->bar_count++] =
            (ib_RidgeBar){config->x[i] + from * legs.tx[i], config->y[i] + from * legs.ty[i],
                          legs.tx[i], legs.ty[i], ib_max(0, left)};
    }
    for (int i = legs.closed ? 0 : 1; i < legs.count; i++)
        add_bend(&legs, i > 0 ? i - 1 : legs.count - 1, i, config->x[i], config->y[i],
                 legs.reach[i], ridge);
    surround(config, ridge);
}

// ------------------------------------------------------------------------------------------ height

// The nearest point of the crest: its distance, and the direction away from it.
typedef struct Nearest {
    double distance, ux, uy;
} Nearest;

static void look_at_bar(const ib_RidgeBar *bar, double x, double y, Nearest *nearest)
{
    double dx = x - bar->x, dy = y - bar->y, along = dx * bar->tx + dy * bar->ty;
    along = along < 0 ? 0 : along > bar->length ? bar->length : along;
    dx -= along * bar->tx;
    dy -= along * bar->ty;
    double distance = sqrt(dx * dx + dy * dy);
    if (!(distance < nearest->distance)) return;
    *nearest = (Nearest){distance, 0, 0};
    if (distance > 0) nearest->ux = dx / distance, nearest->uy = dy / distance;
}

// The arc itself is nearest only to points between its two ends, seen from its centre.
static void look_at_bend(const ib_RidgeBend *bend, double half, double x, double y,
                         Nearest *nearest)
{
    double dx = x - bend->x, dy = y - bend->y;
    bool past = bend->side * (bend->from_x * dy - bend->from_y * dx) >= 0;
    bool before = bend->side * (dx * bend->to_y - dy * bend->to_x) >= 0;
    bool ahead = (bend->from_x + bend->to_x) * dx + (bend->from_y + bend->to_y) * dy > 0;
    if (!past || !before || !ahead) return;
    double radius = sqrt(dx * dx + dy * dy), distance = fabs(radius - half);
    if (!(distance < nearest->distance)) return;
    double away = radius < half ? -1 / radius : 1 / radius;
    *nearest = (Nearest){distance, away * dx, away * dy};
}

double ib_ridge_height(const ib_Ridge *ridge, double x, double y, double slope[2])
{
    Nearest nearest = {.distance = ridge->half};
    slope[0] = slope[1] = 0;
    if (x < ridge->low_x || x > ridge->high_x || y < ridge->low_y || y > ridge->high_y) return 0;
    for (int i = 0; i < ridge->bar_count; i++) look_at_bar(&ridge->bars[i], x, y, &nearest);
    for (int i = 0; i < ridge->bend_count; i++)
        look_at_bend(&ridge->bends[i], ridge->half, x, y, &nearest);
    if (!(nearest.distance < ridge->half)) return 0;
    // z = h (1 + cos(pi d/w))/2,   z' = -h pi/(2 w) sin(pi d/w)
    double s, c, per = M_PI / ridge->half;
    ib_sincos(per * nearest.distance, &s, &c);
    double falls = -0.5 * ridge->height * per * s;
    slope[0] = falls * nearest.ux;
    slope[1] = falls * nearest.uy;
    return 0.5 * ridge->height * (1 + c);
}

double ib_ridge_gap(const ib_Ridge *ridge, double x, double y, double radius)
{
    double dx = ib_max(ridge->low_x - x, x - ridge->high_x);
    double dy = ib_max(ridge->low_y - y, y - ridge->high_y);
    return ib_max(dx, dy) - radius;
}

// ---------------------------------------------------------------------------------------- pictures

int ib_ridge_parts(const ib_Ridge *ridge)
{
    return ridge->bar_count + ridge->bend_count + (ridge->closed ? 0 : 2);
}

// Points of an arc about (x, y) from one direction to another, less than half a turn apart, or to
// the opposite one by way of (side) left or right.
static int add_arc(double x, double y, double radius, double from, double turn, double *px,
                   double *py)
{
    for (int i = 0; i <= ARC_STEPS; i++) {
        double s, c;
        ib_sincos(from + turn * i / ARC_STEPS, &s, &c);
        px[i] = x + radius * c;
        py[i] = y + radius * s;
    }
    return ARC_STEPS + 1;
}

static int outline_bar(const ib_RidgeBar *bar, double reach, double *x, double *y)
{
    for (int i = 0; i < 4; i++) {
        double along = i == 1 || i == 2 ? bar->length : 0, across = i < 2 ? -reach : reach;
        x[i] = bar->x + along * bar->tx - across * bar->ty;
        y[i] = bar->y + along * bar->ty + across * bar->tx;
    }
    return 4;
}

// Between two arcs about its centre.
static int outline_bend(const ib_RidgeBend *bend, double half, double reach, double *x, double *y)
{
    double sine = bend->from_x * bend->to_y - bend->from_y * bend->to_x;
    double cosine = bend->from_x * bend->to_x + bend->from_y * bend->to_y;
    double from = ib_atan2(bend->from_y, bend->from_x), turn = ib_atan2(sine, cosine);
    int count = add_arc(bend->x, bend->y, half + reach, from, turn, x, y);
    count += add_arc(bend->x, bend->y, half - reach, from + turn, -turn, x + count, y + count);
    return count;
}

// Half a disc beyond one end.
static int outline_end(const ib_Ridge *ridge, bool first, double reach, double *x, double *y)
{
    const ib_RidgeBar *bar = &ridge->bars[first ? 0 : ridge->bar_count - 1];
    double course = ib_atan2(bar->ty, bar->tx), along = first ? 0 : bar->length;
    return add_arc(bar->x + along * bar->tx, bar->y + along * bar->ty, reach,
                   course + (first ? M_PI / 2 : -M_PI / 2), M_PI, x, y);
}

int ib_ridge_outline(const ib_Ridge *ridge, int part, double reach, double *x, double *y)
{
    int bend = part - ridge->bar_count, end = bend - ridge->bend_count;
    if (bend < 0) return outline_bar(&ridge->bars[part], reach, x, y);
    if (end < 0) return outline_bend(&ridge->bends[bend], ridge->half, reach, x, y);
    return outline_end(ridge, end == 0, reach, x, y);
}
