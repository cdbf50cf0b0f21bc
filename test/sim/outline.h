// test/sim/outline.h: outlines and how far they are apart, in plain geometry of its own: what a run
// says of contacts is held against it.
#ifndef IB_TEST_OUTLINE_H
#define IB_TEST_OUTLINE_H

#include <math.h>

enum { OUTLINE_CORNERS = 8 };

// A convex polygon, counter-clockwise, grown outwards by a radius; a disc has one corner.
typedef struct Outline {
    int count;
    double x[OUTLINE_CORNERS], y[OUTLINE_CORNERS], radius; // [m]
} Outline;

static inline Outline outline_disc(double radius)
{
    return (Outline){.count = 1, .radius = radius};
}

static inline Outline outline_box(double length, double width)
{
    double a = length / 2, b = width / 2;
    return (Outline){.count = 4, .x = {-a, a, a, -a}, .y = {-b, -b, b, b}};
}

static inline Outline outline_at(const Outline *own, double x, double y, double heading)
{
    Outline placed = *own;
    double c = ib_cos(heading), s = ib_sin(heading);
    for (int i = 0; i < own->count; i++) {
        placed.x[i] = x + c * own->x[i] - s * own->y[i];
        placed.y[i] = y + s * own->x[i] + c * own->y[i];
    }
    return placed;
}

// The farthest of its points from the origin.
static inline double outline_reach(const Outline *own)
{
    double most = 0;
    for (int i = 0; i < own->count; i++)
        most = fmax(most, sqrt(own->x[i] * own->x[i] + own->y[i] * own->y[i]));
    return most + own->radius;
}

// How far b is outside the line along edge i of a: its nearest corner, along the normal.
static inline double outline_beyond(const Outline *a, int i, const Outline *b)
{
    int k = (i + 1) % a->count;
    double ex = a->x[k] - a->x[i], ey = a->y[k] - a->y[i], length = sqrt(ex * ex + ey * ey);
    double least = INFINITY;
    for (int m = 0; m < b->count; m++)
        least = fmin(least, ey * (b->x[m] - a->x[i]) - ex * (b->y[m] - a->y[i]));
    return least / length;
}

static inline double outline_to_edge(double x, double y, const Outline *a, int i)
{
    int k = (i + 1) % a->count;
    double ex = a->x[k] - a->x[i], ey = a->y[k] - a->y[i], dx = x - a->x[i], dy = y - a->y[i];
    double size = ex * ex + ey * ey, along = size > 0 ? (dx * ex + dy * ey) / size : 0;
    along = fmin(1, fmax(0, along));
    dx -= along * ex;
    dy -= along * ey;
    return sqrt(dx * dx + dy * dy);
}

static inline double outline_from_corners(const Outline *a, const Outline *b)
{
    double least = INFINITY;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++)
            least = fmin(least, outline_to_edge(a->x[i], a->y[i], b, k));
    return least;
}

// The distance of two outlines at their places; inside each other, minus the shortest way out.
static inline double outline_gap(const Outline *a, const Outline *b)
{
    double apart = -INFINITY;
    for (int i = 0; i < a->count && a->count > 1; i++) apart = fmax(apart, outline_beyond(a, i, b));
    for (int i = 0; i < b->count && b->count > 1; i++) apart = fmax(apart, outline_beyond(b, i, a));
    if (apart > 0 || (a->count == 1 && b->count == 1))
        apart = fmin(outline_from_corners(a, b), outline_from_corners(b, a));
    return apart - a->radius - b->radius;
}

// How far an outline is inside a convex room, whose corners go round counter-clockwise; negative:
// it sticks out.
static inline double outline_within(const Outline *a, const double *x, const double *y, int count)
{
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        int k = (i + 1) % count;
        double ex = x[k] - x[i], ey = y[k] - y[i], length = sqrt(ex * ex + ey * ey);
        for (int m = 0; m < a->count; m++)
            least = fmin(least, (ex * (a->y[m] - y[i]) - ey * (a->x[m] - x[i])) / length);
    }
    return least - a->radius;
}

// The smallest distance between two parallels that hold it between them.
static inline double outline_thickness(const Outline *a)
{
    double least = a->count > 1 ? INFINITY : 0;
    for (int i = 0; i < a->count && a->count > 1; i++) {
        int k = (i + 1) % a->count;
        double ex = a->x[k] - a->x[i], ey = a->y[k] - a->y[i], most = 0;
        for (int m = 0; m < a->count; m++)
            most = fmax(most, ex * (a->y[m] - a->y[i]) - ey * (a->x[m] - a->x[i]));
        least = fmin(least, most / sqrt(ex * ex + ey * ey));
    }
    return least + 2 * a->radius;
}

#endif
