// claims/xdrive/xdrive_control.c: values for the claims about (30) to (34) and the routes.
#include "claims/xdrive/xdrive.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>

static const double degree = 0.017453292519943295, pi = 3.14159265358979323846;

// ------------------------------------------------------------------------------------------- loops

// A robot on a line, of mass 1, driven by (30) plus (32):
//   x" = slope - P x - D x'
// x: position beyond its goal [m]; slope: acceleration down it [m/s^2].
typedef struct Line {
    double P, D, slope; ///< [1/s^2], [1/s], [m/s^2]
    double x, v;        ///< [m], [m/s]
} Line;

static const double P = 25;

static double pull_down(void)
{
    return 9.80665 * sin(5 * degree);
}

static double acceleration(const Line *line, double x, double v)
{
    return line->slope - line->P * x - line->D * v;
}

// One step of RK4.
static void line_step(Line *line, double h)
{
    double v1 = line->v, a1 = acceleration(line, line->x, v1);
    double v2 = v1 + h / 2 * a1, a2 = acceleration(line, line->x + h / 2 * v1, v2);
    double v3 = v1 + h / 2 * a2, a3 = acceleration(line, line->x + h / 2 * v2, v3);
    double v4 = v1 + h * a3, a4 = acceleration(line, line->x + h * v3, v4);
    line->x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    line->v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
}

double ib__xdrive_overshoot(double D)
{
    Line line = {.P = P, .D = D, .slope = pull_down(), .v = 1};
    while (line.v > 0) line_step(&line, 1e-4);
    return line.x;
}

// A step of 1 m from rest on even ground: the largest deceleration until it stops first.
static double peak(double D)
{
    double most = 0;
    Line line = {.P = P, .D = D, .x = -1};
    do {
        line_step(&line, 1e-4);
        most = ib_max(most, -acceleration(&line, line.x, line.v));
    } while (line.v > 1e-6);
    return most;
}

// 1 m against friction of 1 N/kg, (30) to (32) together: the error after 10 s. In every step the
// friction reduces the speed, at most to zero.
static double left_over(double I)
{
    const double h = 1e-4, friction = 1, D = 8;
    double x = -1, v = 0, sum = 0;
    for (int n = 0; n < 100000; n++) {
        sum -= h * x;
        v += h * (-P * x + I * sum - D * v);
        v = v > 0 ? ib_max(v - h * friction, 0) : ib_min(v + h * friction, 0);
        x += h * v;
    }
    return fabs(x);
}

static void loops(ib_ClaimValue *found)
{
    double slope = pull_down(), v = 1;
    found[IB__XDRIVE_BRAKE].form[IB__MENDED] = (8 * v - slope) / (2 * v - slope);
    found[IB__XDRIVE_STOP].form[IB__MENDED] = ib__xdrive_overshoot(8) / ib__xdrive_overshoot(2);
    found[IB__XDRIVE_DOWNHILL].form[IB__MENDED] = ib__xdrive_overshoot(8) / ib__xdrive_overshoot(0);
    found[IB__XDRIVE_PEAK].form[IB__MENDED] = peak(8) / peak(2);
    found[IB__XDRIVE_SHORT].form[IB__MENDED] = left_over(0);
    found[IB__XDRIVE_ARRIVES].form[IB__MENDED] = left_over(20);
}

// -------------------------------------------------------------------------------------------- gyro

// A quarter turn in 1 s from rest to rest, x = 90 (1 - cos 2 pi t) deg/s, summed up by (33) every
// 20 ms: at its end, and half way, at 180 deg/s.
static void gyro(ib_ClaimValue *found)
{
    double sum = 0, dt = 0.02;
    for (int i = 1; i <= 50; i++) {
        sum += 90 * (1 - cos(2 * pi * i * dt)) * dt;
        if (i == 25) found[IB__XDRIVE_LEAD].form[IB__PRINTED] = sum - 45;
    }
    found[IB__XDRIVE_SUM].form[IB__PRINTED] = fabs(sum - 90);
    // The largest reading of a gyro, 300 deg/s, for a whole match of 150 s.
    found[IB__XDRIVE_ORDERS].form[IB__PRINTED] = log10(300.0 * 150 / 90);
}

// ------------------------------------------------------------------------------------------- frame

typedef struct FrameRow {
    double x, y, heading; ///< [1], [1], [deg]
    double mended[2], printed[2];
} FrameRow;

// Reference C5's table, ten digits.
static const FrameRow frames[] = {
    {0, 1, 0, {0, 1}, {1, 0}},
    {1, 0, 0, {1, 0}, {0, 1}},
    {0, 1, 90, {1, 0}, {0, 1}},
    {1, 0, 90, {0, -1}, {-1, 0}},
    {0.6, 0.3, 30, {0.6696152423, -0.0401923789}, {-0.0401923789, 0.6696152423}},
    {-0.2, 0.9, -45, {-0.7778174593, 0.4949747468}, {0.4949747468, -0.7778174593}},
};

static double gap(ib_Stick got, const double expected[2])
{
    return ib_max(fabs(got.x - expected[0]), fabs(got.y - expected[1]));
}

static void frame(ib_ClaimValue *found)
{
    const ib_Stick ahead = {0, 1, 0};
    double worst[2] = {0, 0}, length = 0;
    for (int i = 0; i < IB_CLAIM_COUNT(frames); i++) {
        const FrameRow *row = &frames[i];
        ib_Stick stick = {row->x, row->y, 0};
        ib_Stick printed = ib_xdrive_in_frame(&stick, row->heading * degree);
        ib_Stick mended = ib_stick_in_frame(&stick, row->heading * degree);
        worst[IB__MENDED] = ib_max(worst[IB__MENDED], gap(mended, row->mended));
        worst[IB__PRINTED] = ib_max(worst[IB__PRINTED], gap(printed, row->printed));
        length = ib_max(length, fabs(hypot(printed.x, printed.y) - hypot(row->x, row->y)));
    }
    for (int form = IB__MENDED; form <= IB__PRINTED; form++) {
        bool mended = form == IB__MENDED;
        ib_Stick (*turn)(const ib_Stick *, double) =
            mended ? ib_stick_in_frame : ib_xdrive_in_frame;
        found[IB__XDRIVE_FRAME].form[form] = worst[form];
        found[IB__XDRIVE_AHEAD].form[form] = turn(&ahead, 0).y;
        found[IB__XDRIVE_QUARTER].form[form] = turn(&ahead, pi / 2).x;
    }
    // cos(angle of (0, 1) + a), a = a quarter turn, counted to the left and to the right.
    found[IB__XDRIVE_MEANT].form[IB__PRINTED] = cos(pi / 2 + pi / 2);
    found[IB__XDRIVE_CLOCKWISE].form[IB__PRINTED] = cos(pi / 2 - pi / 2);
    found[IB__XDRIVE_LENGTH].form[IB__PRINTED] = length;
}

// ------------------------------------------------------------------------------------------- route

// Route 6.1 behind the landing: slightly to the left, half stick for 0.5 s, then forward for 2 s.
static void route(ib_ClaimValue *found)
{
    ib_XdriveAnswer left, forward;
    for (int form = 0; form < 3; form++) {
        ib_xdrive_answer(ib__xdrive_laws[form], &(ib_Stick){-0.5, 0, 0}, &left);
        ib_xdrive_answer(ib__xdrive_laws[form], &(ib_Stick){0, 1, 0}, &forward);
        found[IB__XDRIVE_ROUTE].form[form] = 0.5 * left.turn + 2 * forward.turn;
        found[IB__XDRIVE_SIDEWAYS].form[form] = fabs(tan(left.driven * degree));
    }
    const double *nine = ib__xdrive_points[8].outputs[IB__PRINTED];
    found[IB__XDRIVE_ROUTE_9].form[IB__PRINTED] = 2 * ib_xdrive_motion(nine).turn;
}

void ib__xdrive_claims_control(ib_ClaimValue *found)
{
    loops(found);
    gyro(found);
    frame(found);
    route(found);
}
