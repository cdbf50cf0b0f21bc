#include "control/arm/arm_rows.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

static ib_ArmRowVerdict fault(ib_ArmRowFault what, int row, int joint, double got, double expected)
{
    return (ib_ArmRowVerdict){what, row, joint, got, expected};
}

// Checks of one row alone.
static ib_ArmRowVerdict check_row(const ib_ArmRow *row, int at, double tolerance)
{
    for (int i = 0; i < 2; i++) {
        const double number[3] = {row->theta[i], row->omega[i], row->alpha[i]};
        for (int k = 0; k < 3; k++)
            if (!isfinite(number[k])) return fault(IB_ARM_ROW_NUMBER, at, i, number[k], 0);
    }
    double length = sqrt(dot(row->omega, row->omega));
    int larger = fabs(row->omega[1]) > fabs(row->omega[0]);
    if (!(fabs(length - 1) <= tolerance)) return fault(IB_ARM_ROW_LENGTH, at, larger, length, 1);
    double along = dot(row->omega, row->alpha), bend = sqrt(dot(row->alpha, row->alpha));
    larger = fabs(row->alpha[1]) > fabs(row->alpha[0]);
    if (!(fabs(along) <= tolerance * (1 + bend)))
        return fault(IB_ARM_ROW_SLANTED, at, larger, along, 0);
    return fault(IB_ARM_ROWS_FINE, at, 0, 0, 0);
}

// Length of the way between two rows: of a circle that has their chord c and turn x,
//   ds = c x/sin x,   sin x = |th'_1 - th'_0|/2
static double row_distance(const ib_ArmRow *a, const ib_ArmRow *b)
{
    double chord[2], turn[2];
    for (int i = 0; i < 2; i++) {
        chord[i] = b->theta[i] - a->theta[i];
        turn[i] = 0.5 * (b->omega[i] - a->omega[i]);
    }
    double c = sqrt(dot(chord, chord)), sine = ib_min(sqrt(dot(turn, turn)), 1);
    if (sine < 1e-4) return c * (1 + sine * sine / 6);
    return c * ib_atan2(sine, sqrt(1 - sine * sine)) / sine;
}

// Tolerances of a table's numbers, by their digits.
typedef struct Slack {
    double theta, omega; ///< of the last digit [rad], [1]
    double share;        ///< of a step
} Slack;

// The last digit of numbers, as far as all of them agree on one; `most` if they have fewer.
static double last_digit(const ib_ArmRow *rows, int count, size_t offset, double most)
{
    double digit = most;
    for (int k = 0; k < 2 * count && digit > 1e-12; k++) {
        double value = ((const double *)(const void *)((const char *)&rows[k / 2] + offset))[k % 2];
        while (digit > 1e-12 && fabs(value / digit - round(value / digit)) > 1e-4) digit *= 0.1;
    }
    return digit > 1e-12 ? digit : 0;
}

// The length of a step by one joint alone, ds = dth/w; infinite: it does not say.
static double distance_by(const ib_ArmRow *a, const ib_ArmRow *b, int joint)
{
    double mean = 0.5 * (a->omega[joint] + b->omega[joint]);
    return fabs(mean) > 0.05 ? (b->theta[joint] - a->theta[joint]) / mean : INFINITY;
}

// Finds the wrong one of two angles that do not fit: the one that makes the step unlike its
// neighbour, `usual` long; 0: unknown, and the verdict does not change.
static void blame(const ib_ArmRow *a, const ib_ArmRow *b, double usual, ib_ArmRowVerdict *verdict)
{
    double ds[2] = {distance_by(a, b, 0), distance_by(a, b, 1)};
    if (isinf(ds[0]) && isinf(ds[1])) return;
    bool known = usual > 0 && !isinf(ds[0]) && !isinf(ds[1]);
    if (!known && !isinf(ds[0]) && !isinf(ds[1])) return;
    int right = known ? fabs(ds[1] - usual) < fabs(ds[0] - usual) : isinf(ds[0]), i = 1 - right;
    double h = ds[right], plain = a->theta[i] + 0.5 * h * (a->omega[i] + b->omega[i]);
    verdict->joint = i;
    verdict->got = b->theta[i];
    verdict->expected = plain + h * h * (a->alpha[i] - b->alpha[i]) / 12;
}

// Conditions of a row after the one before it, `ds` further:
//   th_1 - th_0 = ds (th'_0 + th'_1)/2 + ds^2 (th"_0 - th"_1)/12 + O(ds^5)
//   th'_1 - th'_0 = ds th" for a th" from one row's to the other's
static ib_ArmRowVerdict check_step(const ib_ArmRow *a, const ib_ArmRow *b, int at, double ds,
                                   Slack slack)
{
    if (!(ds > 0)) return fault(IB_ARM_ROW_STANDS, at, 0, b->theta[0], a->theta[0]);
    double worst = slack.share * ds + 2 * slack.theta + ds * slack.omega;
    ib_ArmRowVerdict verdict = fault(IB_ARM_ROWS_FINE, at, 0, 0, 0);
    for (int i = 0; i < 2; i++) {
        double jump = fabs(b->alpha[i] - a->alpha[i]);
        double plain = a->theta[i] + 0.5 * ds * (a->omega[i] + b->omega[i]);
        double expected = plain + ds * ds * (a->alpha[i] - b->alpha[i]) / 12;
        // A jump of th" may be anywhere in the step.
        double off = fabs(b->theta[i] - expected) - ds * ds * jump / 6;
        if (off <= worst) continue;
        worst = off;
        verdict = fault(IB_ARM_ROW_ANGLE, at, i, b->theta[i], expected);
    }
    if (verdict.fault != IB_ARM_ROWS_FINE) return verdict;
    for (int i = 0; i < 2; i++) {
        double low = a->omega[i] + ds * ib_min(a->alpha[i], b->alpha[i]);
        double high = a->omega[i] + ds * ib_max(a->alpha[i], b->alpha[i]);
        double expected = ib_min(ib_max(b->omega[i], low), high);
        if (!(fabs(b->omega[i] - expected) <= slack.share + slack.omega))
            return fault(IB_ARM_ROW_DIRECTION, at, i, b->omega[i], expected);
    }
    return fault(IB_ARM_ROWS_FINE, at, 0, 0, 0);
}

// Digits that are fewer than that are no excuse.
static const double COARSEST = 1e-4;

ib_ArmRowVerdict ib_arm_path_rows(const ib_ArmRow *rows, int count, double tolerance,
                                  ib_ArmPoint *points)
{
    double s = 0, before = 0;
    if (count < 2) return fault(IB_ARM_ROWS_FEW, 0, 0, count, 2);
    for (int k = 0; k < count; k++) {
        ib_ArmRowVerdict verdict = check_row(&rows[k], k, tolerance);
        if (verdict.fault != IB_ARM_ROWS_FINE) return verdict;
    }
    Slack slack = {last_digit(rows, count, offsetof(ib_ArmRow, theta), COARSEST),
                   last_digit(rows, count, offsetof(ib_ArmRow, omega), COARSEST), tolerance};
    for (int k = 0; k < count; k++) {
        const ib_ArmRow *row = &rows[k];
        if (k > 0) {
            double ds = row_distance(row - 1, row);
            ib_ArmRowVerdict verdict = check_step(row - 1, row, k, ds, slack);
            double usual = k > 1 ? before : k + 1 < count ? row_distance(row, row + 1) : 0;
            if (verdict.fault == IB_ARM_ROW_ANGLE) blame(row - 1, row, usual, &verdict);
            if (verdict.fault != IB_ARM_ROWS_FINE) return verdict;
            s += ds;
            before = ds;
        }
        points[k].s = s;
        for (int i = 0; i < 2; i++) {
            points[k].th[i] = row->theta[i];
            points[k].way[i] = row->omega[i];
            points[k].bend[i] = row->alpha[i];
        }
    }
    return fault(IB_ARM_ROWS_FINE, 0, 0, 0, 0);
}
