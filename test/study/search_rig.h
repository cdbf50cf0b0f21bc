// test/study/search_rig.h: functions with a known least value for tests of a search, and the
// comparison of a search with an even grid.
#ifndef IB_TEST_STUDY_SEARCH_RIG_H
#define IB_TEST_STUDY_SEARCH_RIG_H

#include "cmocka_all.h"

#include "base/extreme.h"
#include "spread.h"
#include "study/search/search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_AXES = 4 };

// The shape of a function of q = u' W u, where u is the turned distance from the middle.
typedef enum Shape {
    BOWL,      // q
    ROUNDED,   // sqrt(0.01 + q)
    FLATTENED, // ln(1 + 10 q)
    POWER,     // q^power
    SKEWED,    // exp(2 u) - 1 - 2 u, weighted
    KINKED,    // |u|, weighted, steeper on one side
    EDGED,     // the largest of them
    SLOPE,     // falls straight to a corner
    TWO,       // two bowls of different depth
    WALL,      // 1/x + x, steep at the low end
    FLAT,      // 0
    SHAPES,
} Shape;

typedef enum Border {
    OPEN,     // everything is allowed
    STRAIGHT, // one side of a plane
    INSIDE,   // a ball
    OUTSIDE,  // all but a ball
} Border;

// The violation, by the depth behind the border.
typedef enum Known {
    DEPTH,        // in proportion
    CURVED_DEPTH, // not in proportion
    DEPTH_ALONE,  // in proportion, but there is no value
    NOTHING,      // infinite, no value: the run broke off
} Known;

typedef struct Task {
    int n;
    Shape shape;
    Border border;
    Known known;
    double low[MOST_AXES], high[MOST_AXES];
    double size, offset;      // of the values
    double middle[MOST_AXES]; // in fractions of the box, as all below
    double second[MOST_AXES]; // bowl of TWO, with its depth
    double depth, width[2];
    double turn[MOST_AXES][MOST_AXES], weight[MOST_AXES], lean, power;
    double normal[MOST_AXES], place; // plane: normal' x <= place
    double ball[MOST_AXES], radius;
    double noise; // of the values, after `size`
    int steps;    // of stairs to 1; 0: none
} Task;

// ------------------------------------------------------------------------------------------ values

static inline double square_distance(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
}

static inline double task_shape(const Task *task, const double *x)
{
    double q = 0, kinks = 0, edge = 0, skewed = 0, slope = 0, wall = 0;
    for (int i = 0; i < task->n; i++) {
        double u = 0, w = task->weight[i];
        for (int j = 0; j < task->n; j++) u += task->turn[i][j] * (x[j] - task->middle[j]);
        double kink = sqrt(w) * fabs(u) * (u > 0 ? task->lean : 1);
        q += w * u * u;
        kinks += kink;
        edge = ib_max(edge, kink);
        skewed += w * (exp(2 * u) - 1 - 2 * u);
        slope += w * x[i] * (task->turn[0][i] > 0 ? 1 : -1);
        wall += 0.02 / (x[i] + 0.02) + w * x[i];
    }
    double first = square_distance(task->n, x, task->middle) / (task->width[0] * task->width[0]);
    double second = square_distance(task->n, x, task->second) / (task->width[1] * task->width[1]);
    switch (task->shape) {
    case BOWL:
        return q;
    case ROUNDED:
        return sqrt(0.01 + q);
    case FLATTENED:
        return log(1 + 10 * q);
    case POWER:
        return pow(q, task->power);
    case SKEWED:
        return skewed;
    case KINKED:
        return kinks;
    case EDGED:
        return edge;
    case SLOPE:
        return slope;
    case TWO:
        return ib_min(ib_min(first, 1) - 1, task->depth * (ib_min(second, 1) - 1)) + 0.01 * first;
    case WALL:
        return wall;
    default:
        return 0;
    }
}

// Depth behind the border; below 0: allowed.
static inline double task_depth(const Task *task, const double *x)
{
    double plane = -task->place,
           ball = sqrt(square_distance(task->n, x, task->ball)) - task->radius;
    for (int i = 0; i < task->n; i++) plane += task->normal[i] * x[i];
    return task->border == OPEN       ? -1
           : task->border == STRAIGHT ? plane
           : task->border == INSIDE   ? ball
                                      : -ball;
}

static inline ib_SearchScore task_score(const Task *task, const double *values)
{
    double x[MOST_AXES];
    uint64_t stream = 0;
    for (int i = 0; i < task->n; i++) {
        x[i] = (values[i] - task->low[i]) / (task->high[i] - task->low[i]);
        stream = 1000003 * stream + (uint64_t)(1e6 * x[i]);
    }
    double value = task_shape(task, x), depth = task_depth(task, x);
    if (task->steps > 0) value = floor(value * task->steps) / task->steps;
    if (task->noise > 0) value += task->noise * (chance_uniform(1, stream, 0) - 0.5);
    ib_SearchScore score = {0, task->offset + task->size * value};
    if (depth <= 0) return score;
    score.violation = task->known == NOTHING        ? INFINITY
                      : task->known == CURVED_DEPTH ? depth * (1 + 2 * depth)
                                                    : depth;
    if (task->known >= DEPTH_ALONE) score.value = NAN;
    return score;
}

// ------------------------------------------------------------------------------------------- tasks

// The draws of one task, by number.
typedef struct Draw {
    uint64_t seed, index;
} Draw;

static inline double draw(Draw *at, double low, double high)
{
    return low + (high - low) * chance_uniform(at->seed, 7, at->index++);
}

static inline int draw_one_of(Draw *at, int count)
{
    return (int)draw(at, 0, count);
}

// A smooth function with its least value somewhere in a turned box, of any size.
static inline Task task_random(int n, Draw *at)
{
    static const Shape smooth[] = {BOWL, ROUNDED, FLATTENED, POWER, SKEWED};
    Task task = {.n = n, .shape = smooth[draw_one_of(at, 5)]};
    double condition = pow(10, draw(at, 0, 2));
    for (int i = 0; i < n; i++) {
        task.low[i] = draw(at, -1, 1);
        task.high[i] = task.low[i] + pow(10, draw(at, -3, 6));
        task.middle[i] = draw(at, 0.05, 0.95);
        task.weight[i] = n == 1 ? 1 : pow(condition, (double)i / (n - 1));
        task.turn[i][i] = 1;
    }
    task.size = pow(10, draw(at, -6, 6));
    task.offset = draw(at, -3, 3) * task.size;
    task.lean = draw(at, 0.5, 2);
    task.power = draw(at, 0.6, 2);
    task.width[0] = task.width[1] = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double angle = draw(at, 0, 6.28), c = cos(angle), s = sin(angle);
            for (int k = 0; k < n; k++) {
                double one = task.turn[i][k], other = task.turn[j][k];
                task.turn[i][k] = c * one - s * other;
                task.turn[j][k] = s * one + c * other;
            }
        }
    return task;
}

// ------------------------------------------------------------------------------------- comparisons

// An even grid with both ends of each axis.
typedef struct Grid {
    double least, most; // of the allowed values
    double allowed;     // share
} Grid;

static inline Grid task_grid(const Task *task, int side)
{
    Grid grid = {INFINITY, -INFINITY, 0};
    int count = 1, allowed = 0;
    for (int i = 0; i < task->n; i++) count *= side;
    for (int k = 0; k < count; k++) {
        double values[MOST_AXES];
        for (int i = 0, rest = k; i < task->n; i++, rest /= side)
            values[i] = task->low[i] + (task->high[i] - task->low[i]) * (rest % side) / (side - 1);
        ib_SearchScore score = task_score(task, values);
        if (score.violation > 0) continue;
        allowed++;
        grid.least = ib_min(grid.least, score.value);
        grid.most = ib_max(grid.most, score.value);
    }
    grid.allowed = (double)allowed / count;
    return grid;
}

typedef struct Outcome {
    ib_SearchScore best;
    int count;
    ib_SearchEnd end;
} Outcome;

// Searches, and holds the promises about the points.
static inline Outcome task_search(const Task *task, int most)
{
    ib_SearchVariable variables[MOST_AXES] = {0};
    ib_SearchScore scores[256];
    int twice = 0;
    for (int i = 0; i < task->n; i++) {
        variables[i].low = task->low[i];
        variables[i].high = task->high[i];
    }
    ib_Search *search = ib_search_create(variables, task->n, most);
    for (int batch; (batch = ib_search_ask(search)) > 0; ib_search_tell(search, scores)) {
        int first = ib_search_count(search) - batch;
        assert_true(batch <= 256);
        for (int i = 0; i < batch; i++) {
            const double *values = ib_search_values(search, first + i);
            for (int k = 0; k < task->n; k++)
                assert_true(values[k] >= task->low[k] && values[k] <= task->high[k]);
            for (int k = 0; k < first + i; k++)
                twice += !memcmp(values, ib_search_values(search, k), (size_t)task->n * 8);
            scores[i] = task_score(task, values);
        }
    }
    assert_int_equal(twice, 0);
    Outcome outcome = {ib_search_score(search, ib_search_best(search)), ib_search_count(search),
                       ib_search_end(search)};
    assert_true(outcome.count <= most);
    ib_search_destroy(search);
    return outcome;
}

// What became of many tasks of a family.
typedef struct Share {
    double met;    // share that came within 0.5 % of the spread above the grid's least
    double points; // mean number
} Share;

// Tasks of which a grid sees little are left out: it would be no comparison.
static inline Share task_share(Task (*make)(Draw *at), int count, int side, int budget)
{
    Share share = {0};
    int tasks = 0;
    for (int k = 0; k < count; k++) {
        Draw at = {.seed = (uint64_t)k};
        Task task = make(&at);
        Grid grid = task_grid(&task, side);
        if (grid.allowed < 0.04) continue;
        Outcome outcome = task_search(&task, budget);
        tasks++;
        share.met += outcome.best.violation == 0 &&
                     outcome.best.value <= grid.least + 0.005 * (grid.most - grid.least);
        share.points += outcome.count;
    }
    assert_true(tasks > 0);
    share.met /= tasks;
    share.points /= tasks;
    if (getenv("SHARES")) printf("%.3f met, %.1f points\n", share.met, share.points);
    return share;
}

#endif
