// claims/xdrive/xdrive_driving.c: values for the claims about (1) to (21): driving without a turn.
#include "base/extreme.h"
#include "claims/xdrive/xdrive.h"

#include <math.h>

static const double degree = 0.017453292519943295;

const int ib__xdrive_laws[3] = {IB_MIXING_CORRECTED, IB_MIXING_PUBLISHED, IB_MIXING_STANDARD};

#define POINT(x, y, a, b, c, d)                                                                    \
    {                                                                                              \
        {x, y, 0},                                                                                 \
        {                                                                                          \
            {a, b, c, d}, {a, b, c, d},                                                            \
            {                                                                                      \
                a, b, c, d                                                                         \
            }                                                                                      \
        }                                                                                          \
    }
const ib__XdriveRow ib__xdrive_points[IB__XDRIVE_POINTS] = {
    POINT(0, 0, 0, 0, 0, 0),    POINT(1, 1, 0, -1, 0, 1),   POINT(1, 0, -1, -1, 1, 1),
    POINT(1, -1, -1, 0, 1, 0),  POINT(0, -1, -1, 1, 1, -1), POINT(-1, -1, 0, 1, 0, -1),
    POINT(-1, 0, 1, 1, -1, -1), POINT(-1, 1, 1, 0, -1, 0),  POINT(0, 1, 1, -1, -1, 0),
};

// The table against (10) to (13) and against the laws.
static void table(ib_ClaimValue *found)
{
    ib_XdriveAnswer answer;
    for (int n = 0; n < IB__XDRIVE_POINTS; n++) {
        const ib__XdriveRow *row = &ib__xdrive_points[n];
        for (int form = 0; form < 3; form++) {
            double most = 0;
            ib_xdrive_answer(ib__xdrive_laws[form], &row->stick, &answer);
            for (int i = 0; i < IB_XDRIVE_MOTORS; i++)
                most = ib_max(most, fabs(answer.output[i] - row->outputs[form][i]));
            found[IB__XDRIVE_POINT + n].form[form] = most;
        }
    }
    ib_xdrive_answer(IB_MIXING_CORRECTED, &ib__xdrive_points[8].stick, &answer);
    found[IB__XDRIVE_NINE].form[IB__MENDED] = answer.turn;
    found[IB__XDRIVE_NINE].form[IB__PRINTED] =
        ib_xdrive_motion(ib__xdrive_points[8].outputs[IB__PRINTED]).turn;
}

// ------------------------------------------------------------------------------------------ slopes

// The n-th point inside a half-quadrant: multiples of two irrational numbers, which fill the
// square evenly.
static void point(int n, double *x, double *y)
{
    *x = 2 * fmod(n * 0.7548776662466927, 1) - 1;
    *y = 2 * fmod(n * 0.5698402909980532, 1) - 1;
}

// (14) to (21) against central differences, and a test of these for -1, 0 or 1.
static void slopes(ib_ClaimValue *found)
{
    const double h = 1e-6;
    double worst = 0, odd = 0, x, y;
    bool kinds[3][3] = {{0}};
    for (int n = 1; n <= 20000; n++) {
        point(n, &x, &y);
        if (ib_min(ib_min(fabs(x), fabs(y)), fabs(fabs(x) - fabs(y))) < 3 * h) continue;
        for (int k = 0; k < 2 * IB_XDRIVE_MOTORS; k++) {
            int motor = k / 2, axis = k % 2;
            double dx = axis == IB_XDRIVE_X ? h : 0, dy = h - dx;
            double rise =
                ib_xdrive_drive(motor, x + dx, y + dy) - ib_xdrive_drive(motor, x - dx, y - dy);
            double slope = rise / (2 * h);
            worst = ib_max(worst, fabs(slope - ib_xdrive_slope(motor, axis, x, y)));
            odd += fabs(slope - rint(slope)) > 1e-9 || fabs(slope) > 1.5;
        }
        int right = (int)ib_xdrive_slope(3, IB_XDRIVE_X, x, y);
        kinds[right + 1][(int)ib_xdrive_slope(3, IB_XDRIVE_Y, x, y) + 1] = true;
    }
    found[IB__XDRIVE_SLOPES].form[IB__PRINTED] = worst;
    found[IB__XDRIVE_ODD].form[IB__PRINTED] = odd;
    double count = 0;
    for (int k = 0; k < 9; k++) count += kinds[k / 3][k % 3];
    found[IB__XDRIVE_KINDS].form[IB__PRINTED] = count;
}

// Reference C2's grid: f is raw_i within -m .. m, and has no jump at any border of its cases.
static void identity(ib_ClaimValue *found)
{
    double worst = 0, jump = 0, step = 1e-9;
    for (int n = 0; n < 401 * 401; n++) {
        double x = (n % 401 - 200) / 200.0, y = ((int)(n / 401) - 200) / 200.0;
        double m = ib_max(fabs(x), fabs(y));
        const double raw[] = {y - x, -x - y, x - y, x + y};
        for (int i = 0; i < IB_XDRIVE_MOTORS; i++) {
            double f = ib_xdrive_drive(i, x, y);
            worst = ib_max(worst, fabs(f - ib_min(ib_max(raw[i], -m), m)));
            jump = ib_max(jump, fabs(ib_xdrive_drive(i, x + step, y) - f));
            jump = ib_max(jump, fabs(ib_xdrive_drive(i, x - step, y + step) - f));
        }
    }
    found[IB__XDRIVE_IDENTITY].form[IB__PRINTED] = worst;
    found[IB__XDRIVE_JUMP].form[IB__PRINTED] = jump;
}

// --------------------------------------------------------------------------------------- direction

static double error_at(int law, double direction)
{
    ib_XdriveAnswer answer;
    ib_xdrive_answer(law, &(ib_Stick){cos(direction), sin(direction), 0}, &answer);
    return fabs(answer.error) * degree;
}

// The largest error of all directions, and its place in the first octant: a search on a grid of a
// tenth of a degree, then a ternary search around its best point.
static void direction(ib_ClaimValue *found, int form)
{
    int law = ib__xdrive_laws[form];
    double most = 0, low = 0, best = 0;
    for (int k = 0; k < 3600; k++) most = ib_max(most, error_at(law, k * 0.1 * degree));
    for (int k = 0; k <= 450; k++)
        if (error_at(law, k * 0.1 * degree) > best) {
            best = error_at(law, k * 0.1 * degree);
            low = (k - 1) * 0.1 * degree;
        }
    double high = low + 0.2 * degree;
    for (int k = 0; k < 80; k++) {
        double third = (high - low) / 3;
        bool upper = error_at(law, low + third) < error_at(law, high - third);
        *(upper ? &low : &high) = upper ? low + third : high - third;
    }
    found[IB__XDRIVE_ERROR].form[form] = ib_max(most, error_at(law, low)) / degree;
    if (law != IB_MIXING_STANDARD) found[IB__XDRIVE_WORST].form[form] = low / degree;
}

// In the octant 0 <= y <= x: slope of the motion against t/(2 - t).
static double octant(int law)
{
    double worst = 0;
    ib_XdriveAnswer answer;
    for (int k = 1; k <= 1000; k++) {
        double t = k / 1000.0;
        ib_xdrive_answer(law, &(ib_Stick){1, t, 0}, &answer);
        worst = ib_max(worst, fabs(tan(answer.driven * degree) - t / (2 - t)));
    }
    return worst;
}

static void speeds(ib_ClaimValue *found, int form)
{
    int law = ib__xdrive_laws[form];
    const double half = sqrt(0.5);
    ib_XdriveAnswer answer;
    ib_xdrive_answer(law, &(ib_Stick){half, half, 0}, &answer);
    found[IB__XDRIVE_DIAGONAL].form[form] = answer.speed;
    ib_xdrive_answer(law, &(ib_Stick){0.5, 0.25, 0}, &answer);
    found[IB__XDRIVE_SPEED].form[form] = answer.speed * cos(answer.driven * degree) / 0.5;
    found[IB__XDRIVE_OCTANT].form[form] = octant(law);
}

void ib__xdrive_claims_driving(ib_ClaimValue *found)
{
    table(found);
    slopes(found);
    identity(found);
    for (int form = 0; form < 3; form++) {
        direction(found, form);
        speeds(found, form);
    }
}
