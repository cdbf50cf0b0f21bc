// sim/linearise/linearise_slopes.c: derivatives of a robot's rates and outputs at a point.
#include "base/extreme.h"
#include "sim/linearise/linearise_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    LEVELS = 8, ///< of steps, each half of the one before
    FINER = 3,  ///< tables of derivatives, each 128 times finer than the one before
};

// z' of a coordinate: g along the rates of all requested states, by central differences over 1e-5
// of the state that goes farthest. The signals of the point itself come last.
static void evaluate_coordinates(const ib__Bench *b, double *rows)
{
    const ib_RobotModel *robot = b->robot;
    double fastest = 1e-5, *z = rows + b->state_count + b->output_count;
    memcpy(b->aside, b->state, (size_t)robot->ports.state_count * sizeof(double));
    for (int i = 0; i < b->state_count; i++) {
        double pace = fabs(rows[i]) / ib_max(1, fabs(b->state[b->states[i]]));
        if (pace > fastest) fastest = pace;
    }
    double span = 1e-5 / fastest, rate[IB_STATES_MAX];
    memcpy(rate, rows, (size_t)b->state_count * sizeof *rate);
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < b->state_count; i++)
            b->aside[b->states[i]] = b->state[b->states[i]] + side * span * rate[i];
        ib_robot_output(robot->kind, robot->model, &robot->ports, NULL, b->aside, b->input,
                        b->signals);
        for (int i = 0; i < b->state_count; i++) {
            if (b->coordinate[i] < 0) continue;
            double half = side * b->signals[b->coordinate[i]] / (2 * span);
            rows[i] = side < 0 ? half : rows[i] + half;
        }
    }
    ib_robot_output(robot->kind, robot->model, &robot->ports, NULL, b->state, b->input, b->signals);
    for (int i = 0; i < b->state_count; i++)
        z[i] = b->coordinate[i] < 0 ? b->state[b->states[i]] : b->signals[b->coordinate[i]];
}

static int row_count(const ib__Bench *b)
{
    return b->state_count + b->output_count + (b->plain ? 0 : b->state_count);
}

// All rows at the point as it stands now.
void ib__bench_evaluate(const ib__Bench *b, double *rows)
{
    const ib_RobotModel *robot = b->robot;
    robot->kind->rate(robot->model, b->state, b->input, b->rate);
    for (int i = 0; i < b->state_count; i++) rows[i] = b->rate[b->states[i]];
    if (b->plain)
        ib_robot_output(robot->kind, robot->model, &robot->ports, NULL, b->state, b->input,
                        b->signals);
    else
        evaluate_coordinates(b, rows);
    for (int i = 0; i < b->output_count; i++) rows[b->state_count + i] = b->signals[b->outputs[i]];
}

// Extrapolates differences D[k] with steps h/2^k to step 0,
// and keeps the best entry: [Ridders 1982]
//   T(k, 0) = D[k],   T(k, j) = (p^j T(k, j-1) - T(k-1, j-1)) / (p^j - 1)
//   error of T(k, j) = the larger distance to T(k, j-1) and T(k-1, j-1), and what rounding leaves
// of D[k], `noise` 2^k: else two entries of short steps that agree by chance would win. p = 4 if D
// has even powers of the step only, p = 2 if it has all: both are tried.
static void extrapolate(const double *D, double noise, double *best, double *least)
{
    *best = D[0];
    *least = INFINITY;
    for (int p = 2; p <= 4; p += 2) {
        double row[LEVELS], above[LEVELS] = {0};
        for (int k = 0; k < LEVELS; k++) {
            double power = 1;
            row[0] = D[k];
            for (int j = 1; j <= k; j++) {
                power *= p;
                row[j] = (power * row[j - 1] - above[j - 1]) / (power - 1);
                double error = ib_max(fabs(row[j] - row[j - 1]), fabs(row[j] - above[j - 1]));
                error += noise * (1 << k);
                if (error < *least) {
                    *least = error;
                    *best = row[j];
                }
            }
            memcpy(above, row, sizeof row);
        }
    }
}

// At a kink bend(h) = (f(+h) - 2 f(0) + f(-h))/h stays as h falls; for a smooth function it falls
// with h. `noise` is its rounding error.
static bool is_kink(double wide, double close, double slope, double noise)
{
    return fabs(close) > 0.25 * fabs(wide) && fabs(close) > 1e-6 * fabs(slope) &&
           fabs(close) > noise;
}

// Moves *at, which is a state or an input of the point, and puts it back; h is the longest step.
static ib__Column differentiate_from(const ib__Bench *b, double *at, double h)
{
    int rows = row_count(b);
    double D[IB__BENCH_ROWS][LEVELS], bend[IB__BENCH_ROWS][LEVELS], middle[IB__BENCH_ROWS],
        plus[IB__BENCH_ROWS], minus[IB__BENCH_ROWS];
    double here = *at, first = h, last = h;
    ib__Column column = {.finite = true};
    ib__bench_evaluate(b, middle);
    for (int k = 0; k < LEVELS; k++, h *= 0.5) {
        // Divided by the step that was made, which is rounded.
        double above = here + h, below = here - h;
        *at = above;
        ib__bench_evaluate(b, plus);
        *at = below;
        ib__bench_evaluate(b, minus);
        for (int i = 0; i < rows; i++) {
            D[i][k] = (plus[i] - minus[i]) / (above - below);
            bend[i][k] = ((plus[i] - middle[i]) - (middle[i] - minus[i])) / h;
            column.finite &= isfinite(D[i][k]) != 0;
        }
        last = h;
    }
    *at = here;
    for (int i = 0; i < rows; i++) {
        double noise = 1e3 * DBL_EPSILON * fabs(middle[i]) / last;
        extrapolate(D[i], DBL_EPSILON * fabs(middle[i]) / first, &column.slope[i],
                    &column.error[i]);
        column.kink |= is_kink(bend[i][0], bend[i][LEVELS - 1], column.slope[i], noise);
    }
    return column;
}

// A row whose error is above a thousandth of its slope is tried with finer steps.
ib__Column ib__bench_differentiate(const ib__Bench *b, double *at)
{
    double h = 0.02 * ib_max(1, fabs(*at));
    ib__Column column = differentiate_from(b, at, h);
    for (int k = 1; k < FINER && column.finite; k++) {
        ib__Column finer = {0};
        bool tried = false, kink = false;
        h /= 1 << (LEVELS - 1);
        for (int i = 0; i < row_count(b); i++) {
            if (!(column.error[i] > 1e-3 * fabs(column.slope[i]))) continue;
            if (!tried) finer = differentiate_from(b, at, h);
            tried = true;
            kink |= finer.kink;
            if (!(finer.error[i] < 0.1 * column.error[i])) continue;
            column.slope[i] = finer.slope[i];
            column.error[i] = finer.error[i];
        }
        if (!tried) break;
        column.kink &= kink; // a bend that is none from near
    }
    return column;
}
