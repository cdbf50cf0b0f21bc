// test/control/polytope_goals.h: random goals in the plane, of five kinds that are hard in
// different ways. Numbers come from `drawn` on: set it, and the same goals come again.
#ifndef IB_TEST_POLYTOPE_GOALS_H
#define IB_TEST_POLYTOPE_GOALS_H

#include "control/feedback/polytope.h"
#include "spread.h"

enum { SIDES = IB_POLYTOPE_SIDES, AXES = IB_POLYTOPE_AXES };

static uint64_t drawn;

static inline double uniform(double low, double high)
{
    return low + (high - low) * chance_uniform(971, 1, drawn++);
}

static inline double whole(int low, int high)
{
    return floor(uniform(low, high + 1));
}

typedef struct Goal {
    int axes, sides, rows;
    double H[SIDES * AXES], k[SIDES], K[AXES * AXES], w[AXES], dot[AXES];
} Goal;

static inline void fill(double *values, int count, double low, double high)
{
    for (int i = 0; i < count; i++) values[i] = uniform(low, high);
}

static inline void put_side(Goal *g, double x, double y, double right)
{
    g->H[2 * g->sides] = x;
    g->H[2 * g->sides + 1] = y;
    g->k[g->sides++] = right;
}

static inline double dot_product(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// Any half-planes; about every fifteenth region is empty, many are unbounded.
static inline void make_any(Goal *g)
{
    int sides = (int)whole(1, 12);
    while (g->sides < sides) {
        double x = uniform(-1, 1), y = uniform(-1, 1);
        put_side(g, x, y, uniform(-0.3, 2.7));
    }
    fill(g->K, 2, -1, 1);
    g->w[0] = uniform(-3, 3);
}

// Small whole numbers: many sides through one corner, zero rows, parallels, lines along edges.
static inline void make_whole(Goal *g)
{
    int sides = (int)whole(1, 10);
    while (g->sides < sides) {
        double x = whole(-3, 3), y = whole(-3, 3);
        put_side(g, x, y, whole(-2, 8));
    }
    for (int i = 0; i < 2; i++) g->dot[i] = whole(-9, 9);
    do
        for (int i = 0; i < 2; i++) g->K[i] = whole(-3, 3);
    while (g->K[0] == 0 && g->K[1] == 0);
    g->w[0] = whole(-9, 9);
}

// A segment or a point: half-planes back to back, whose rounding makes them overlap or contradict.
// Every third line is parallel to it, every sixth runs along it.
static inline void make_thin(Goal *g)
{
    bool point = whole(0, 1) > 0;
    for (int i = 0; i < 2; i++) {
        double x = uniform(-1, 1), y = uniform(-1, 1), b = uniform(-3, 3), s = uniform(0.1, 1.1);
        put_side(g, s * x, s * y, s * (b + (i == 1 && !point ? uniform(0, 1) : 0)));
        s = uniform(0.1, 1.1);
        put_side(g, -s * x, -s * y, -s * b);
    }
    fill(g->K, 2, -1, 1);
    g->w[0] = uniform(-1, 1);
    if (whole(0, 2) > 0) return;
    double scale = uniform(-1, 1);
    g->K[0] = scale * g->H[0], g->K[1] = scale * g->H[1];
    if (whole(0, 1) > 0) g->w[0] = scale * g->k[0];
}

// The hull of points with a line through one of them, along a side, or parallel to a side.
static inline void make_touching(Goal *g)
{
    double v[2 * 12];
    int points = (int)whole(1, 12), kind = (int)whole(0, 2), i = 2 * (int)whole(0, points - 1);
    fill(v, 2 * points, -3, 3);
    (void)ib_polytope2_hull(points, v, &g->sides, g->H, g->k);
    int side = (int)whole(0, g->sides - 1);
    double scale = uniform(-10, 10);
    for (int j = 0; j < 2; j++) g->K[j] = kind ? scale * g->H[2 * side + j] : uniform(-1, 1);
    g->w[0] = kind == 2 ? uniform(-4, 4) * scale : dot_product(2, g->K, &v[i]);
    if (kind == 1) g->w[0] = scale * g->k[side];
}

// What a drivetrain asks: voltages of two sides that act on both velocities, and a radius.
static inline void make_drive(Goal *g)
{
    double a = uniform(1, 2), b = uniform(-0.3, 0.3), e[2], curve = uniform(-1, 1);
    fill(e, 2, -10, 10);
    put_side(g, a, b, 12 + e[0]);
    put_side(g, -a, -b, 12 - e[0]);
    put_side(g, b, a, 12 + e[1]);
    put_side(g, -b, -a, 12 - e[1]);
    double v = uniform(-10, 10);
    g->K[0] = 1 + curve, g->K[1] = curve - 1, g->w[0] = 0;
    g->dot[0] = v * (1 - curve), g->dot[1] = v * (1 + curve);
}

static inline Goal make(int kind)
{
    static void (*const makers[5])(Goal *) = {make_any, make_whole, make_thin, make_touching,
                                              make_drive};
    Goal g = {.axes = 2, .rows = 1};
    fill(g.dot, 2, -5, 5);
    makers[kind](&g);
    return g;
}

#endif
