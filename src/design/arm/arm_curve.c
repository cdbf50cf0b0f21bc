// design/arm/arm_curve.c: weights of a cubic B-spline, and paths of it.
#include "design/arm/arm_curve.h"

#include <math.h>

enum { DEGREE = 3 };

// Knot number k of `controls` control points, in units of a span: 0 0 0 0 1 2 … n n n n.
static double knot(int controls, int k)
{
    int spans = controls - DEGREE, at = k - DEGREE;
    return at < 0 ? 0 : at > spans ? spans : at;
}

// Row by row: N of degree d from those of degree d - 1; derivatives from differences of the row
// before.                                                                  [de Boor, 1972]
//   N_j,d = (u - k_j)/(k_j+d - k_j) N_j,d-1 + (k_j+d+1 - u)/(k_j+d+1 - k_j+1) N_j+1,d-1
//   N'_j,d = d (N_j,d-1/(k_j+d - k_j) - N_j+1,d-1/(k_j+d+1 - k_j+1))
ib_ArmWeights ib_arm_curve_weights(int controls, double u)
{
    int spans = controls - DEGREE;
    double at = u * spans;
    int span = at >= spans ? spans - 1 : at > 0 ? (int)at : 0;
    // row[d][i]: N of degree d of control point span + i
    double row[DEGREE + 1][DEGREE + 2] = {{0, 0, 0, 1}};
    double first[DEGREE + 1][DEGREE + 2] = {{0}}, second[DEGREE + 1] = {0};
    for (int d = 1; d <= DEGREE; d++)
        for (int i = 0; i <= DEGREE; i++) {
            int j = span + i;
            double width = knot(controls, j + d) - knot(controls, j);
            double next = knot(controls, j + d + 1) - knot(controls, j + 1);
            double a = width > 0 ? 1 / width : 0, b = next > 0 ? 1 / next : 0;
            row[d][i] = (at - knot(controls, j)) * a * row[d - 1][i] +
                        (knot(controls, j + d + 1) - at) * b * row[d - 1][i + 1];
            first[d][i] = d * (a * row[d - 1][i] - b * row[d - 1][i + 1]);
            if (d == DEGREE) second[i] = d * (a * first[d - 1][i] - b * first[d - 1][i + 1]);
        }
    ib_ArmWeights weights = {.first = span};
    for (int i = 0; i <= DEGREE; i++) {
        weights.weight[0][i] = row[DEGREE][i];
        weights.weight[1][i] = first[DEGREE][i] * spans;
        weights.weight[2][i] = second[i] * spans * spans;
    }
    return weights;
}

static void sum(const ib_ArmWeights *at, const ib_ArmCurveShape *shape, int order, double q[2])
{
    const double *w = at->weight[order];
    const double(*c)[2] = &shape->c[at->first];
    for (int i = 0; i < 2; i++)
        q[i] = (w[0] * c[0][i] + w[1] * c[1][i]) + (w[2] * c[2][i] + w[3] * c[3][i]);
}

ib_ArmCurvePoint ib_arm_curve_at(const void *context, double u)
{
    const ib_ArmCurveShape *shape = context;
    ib_ArmWeights at = ib_arm_curve_weights(shape->controls, u);
    ib_ArmCurvePoint point;
    sum(&at, shape, 0, point.th);
    sum(&at, shape, 1, point.th_p);
    sum(&at, shape, 2, point.th_pp);
    return point;
}

void ib_arm_curve_table(int controls, int count, ib_ArmCurveTable *table)
{
    IB_ASSERT(controls >= DEGREE + 1 && controls <= IB_ARM_CONTROLS);
    IB_ASSERT(count >= 2 && count <= IB_ARM_CURVE_POINTS);
    table->controls = controls;
    table->count = count;
    for (int k = 0; k < 2 * count - 1; k++)
        table->at[k] = ib_arm_curve_weights(controls, (double)k / (2 * count - 2));
}

// With q of u:  way = q'/|q'|,   bend = (q" - way (way . q"))/|q'|^2
bool ib_arm_curve_points(const ib_ArmCurveTable *table, const ib_ArmCurveShape *shape,
                         ib_ArmPoint *points)
{
    double sixth = 1.0 / (6.0 * (table->count - 1)), before = 0; // Simpson's h/6
    for (int k = 0; k < table->count; k++) {
        const ib_ArmWeights *at = &table->at[2 * k];
        ib_ArmPoint *point = &points[k];
        double p[2], pp[2], half[2];
        sum(at, shape, 0, point->th);
        sum(at, shape, 1, p);
        sum(at, shape, 2, pp);
        double size = sqrt(p[0] * p[0] + p[1] * p[1]);
        if (!(size > 1e-6)) return false;
        point->s = 0;
        if (k > 0) {
            sum(at - 1, shape, 1, half);
            double middle = sqrt(half[0] * half[0] + half[1] * half[1]);
            point->s = point[-1].s + sixth * (before + 4 * middle + size);
        }
        before = size;
        for (int i = 0; i < 2; i++) point->way[i] = p[i] / size;
        double along = point->way[0] * pp[0] + point->way[1] * pp[1];
        for (int i = 0; i < 2; i++)
            point->bend[i] = (pp[i] - point->way[i] * along) / (size * size);
    }
    return true;
}
