// sim/watch.c: where a margin changes sign within a stretch of a step, located by steps of the
// method itself.
//
// Every stretch is looked at in a few points. Between two of them a change of sign is closed in on;
// where a parabola through three of them says that the margin may have dipped to the other side and
// come back, its vertex is looked at too, so that a short excursion is not overlooked.
#include "sim/inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    LOCATE_STEPS = 100, // bisection alone needs 53
    VERTEX_LOOKS = 3,   // at a suspected dip
};

// One margin over one stretch.
typedef struct Curve {
    ib_Sim *sim;
    const ib__Piece *piece;
    const ib_Watch *watch;
} Curve;

typedef struct Point {
    double t, g; // seconds since the start of the stretch, margin
} Point;

static double margin_of_state(const Curve *curve, double t, const double *state)
{
    ib_Sim *sim = curve->sim;
    ib__sim_output(sim, state, ib__sim_input_at(sim, curve->piece->from + t), sim->look_signals);
    return curve->watch->margin(curve->watch->self, sim->look_signals);
}

static Point look(const Curve *curve, double t)
{
    return (Point){t, margin_of_state(curve, t, ib__sim_state_within(curve->sim, curve->piece, t))};
}

static bool differ(double a, double b)
{
    return (a < 0) != (b < 0);
}

// Closes in on the change between a and b, by the secant's guess and, every other time, by halves;
// tells the watch about the first instant that is on the new side.
static void close_in(const Curve *curve, Point a, Point b)
{
    double resolution = curve->piece->length * DBL_EPSILON;
    for (int i = 0; i < LOCATE_STEPS && b.t - a.t > resolution; i++) {
        double t = a.t + (b.t - a.t) * (i % 2 ? 0.5 : a.g / (a.g - b.g));
        if (!(t > a.t && t < b.t)) t = a.t + (b.t - a.t) / 2;
        if (!(t > a.t && t < b.t)) break;
        Point middle = look(curve, t);
        if (differ(a.g, middle.g))
            b = middle;
        else
            a = middle;
    }
    look(curve, b.t); // leaves the signals of that instant behind
    curve->watch->crossed(curve->watch->self,
                          ib_time_to_seconds(curve->sim->time) + (curve->piece->from + b.t),
                          curve->sim->look_signals, b.g >= 0);
}

// The vertex of the parabola through three points, if it lies between a and c and on the other side
// of zero than they are, or close to it; a negative time otherwise.
static double vertex(Point a, Point b, Point c)
{
    double u = b.t - a.t, v = c.t - b.t;
    double p = (b.g - a.g) / u, q = (c.g - b.g) / v, bend = (q - p) / (u + v);
    // g(t) = b.g + slope (t - b.t) + bend (t - b.t)^2
    double slope = p + bend * u, at = b.t - slope / (2 * bend);
    double low = b.g - slope * slope / (4 * bend), side = b.g < 0 ? -1 : 1;
    double range = fabs(a.g - b.g) + fabs(c.g - b.g);
    bool dips = side * bend > 0 && at > a.t && at < c.t && side * low < 0.25 * range;
    return dips ? at : -1;
}

// Looks where three points on one side suggest a dip to the other; tells of both changes if there
// is one.
static void look_for_dip(const Curve *curve, Point a, Point b, Point c)
{
    for (int i = 0; i < VERTEX_LOOKS; i++) {
        double t = vertex(a, b, c);
        if (t < 0 || t == b.t) return;
        Point lowest = look(curve, t);
        if (differ(lowest.g, b.g)) {
            Point before = t > b.t ? b : a, after = t > b.t ? c : b;
            close_in(curve, before, lowest);
            close_in(curve, lowest, after);
            return;
        }
        // The lower of the two becomes the middle; the parabola gets narrower.
        bool lower = fabs(lowest.g) < fabs(b.g);
        if (t > b.t) {
            c = lower ? c : lowest;
            a = lower ? b : a;
        } else {
            a = lower ? a : lowest;
            c = lower ? b : c;
        }
        if (lower) b = lowest;
    }
}

static void judge(const Curve *curve, const double *margins, int pieces)
{
    double length = curve->piece->length;
    Point points[IB__WATCH_PIECES + 1];
    for (int i = 0; i <= pieces; i++)
        points[i] = (Point){i == pieces ? length : length * i / pieces, margins[i]};
    // What starts at exactly zero counts by the sign that it takes next.
    for (int i = 1; points[0].g == 0 && i <= pieces; i++)
        if (points[i].g != 0) points[0].g = copysign(DBL_MIN, points[i].g);
    for (int i = 1; i <= pieces; i++) {
        if (differ(points[i - 1].g, points[i].g)) close_in(curve, points[i - 1], points[i]);
        bool inside = i < pieces && !differ(points[i - 1].g, points[i].g) &&
                      !differ(points[i].g, points[i + 1].g);
        if (inside) look_for_dip(curve, points[i - 1], points[i], points[i + 1]);
    }
}

void ib__sim_watch(ib_Sim *sim, const ib__Piece *piece)
{
    int pieces = sim->adaptive ? IB__WATCH_PIECES : 2, stride = IB__WATCH_PIECES + 1;
    for (int i = 0; i <= pieces; i++) {
        double t = i == pieces ? piece->length : piece->length * i / pieces;
        const double *state = ib__sim_state_within(sim, piece, t);
        ib__sim_output(sim, state, ib__sim_input_at(sim, piece->from + t), sim->look_signals);
        for (int k = 0; k < sim->watch_count; k++) {
            const ib_Watch *watch = &sim->watches[k].watch;
            double g = watch->margin(watch->self, sim->look_signals);
            sim->watch_margins[k * stride + i] = g;
            // A switch of an input or a jump may change the sign between two stretches.
            if (i == 0 && sim->watches[k].sign != 0 && (g < 0) != (sim->watches[k].sign < 0))
                watch->crossed(watch->self, ib_time_to_seconds(sim->time) + piece->from,
                               sim->look_signals, g >= 0);
        }
    }
    for (int k = 0; k < sim->watch_count; k++) {
        Curve curve = {sim, piece, &sim->watches[k].watch};
        const double *margins = sim->watch_margins + k * stride;
        judge(&curve, margins, pieces);
        sim->watches[k].sign = (margins[pieces] > 0) - (margins[pieces] < 0);
    }
}
