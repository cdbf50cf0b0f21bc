// sim/watch/watch.c: changes of a margin's sign within a piece of a step, located by steps of the
// method itself.
//
// A suspect piece (sim/watch/watch_filter.c) is sampled at a few points. Between two of them a
// change of sign is located by bracketing; if a parabola through three of them suggests that the
// margin may have dipped to the other side and come back, its vertex is sampled, too, so that a
// short excursion is not overlooked. A margin that moves by far less than its distance from zero
// (the roundings of a book) is skipped, unless the watch wants its extremes and has seen none.
#include "sim/watch/watch.h"

#include "base/extreme.h"
#include "sim/watch/signal_part.h"

#include <math.h>

enum {
    LOCATE_STEPS = 100, // bisection alone needs 53
    VERTEX_LOOKS = 3,   // at a suspected dip
    FAR = 4,            // ratio of a margin's distance from zero to its move that excludes zero
                        // in between
};

// One margin over one piece.
typedef struct Curve {
    ib_Sim *sim;
    const ib__Piece *piece;
    const struct ib__Watched *watched;
    const ib_Watch *watch; // its
} Curve;

typedef struct Point {
    double t, g; // seconds since the start of the piece, margin
} Point;

// Signals of one robot itself, or its pose alone.
static void find_own(ib_Sim *sim, int robot, bool whole, const double *state, const double *input)
{
    if (whole)
        ib__sim_output_own(sim, robot, state, input, sim->look_signals);
    else
        ib__output_pose(&sim->model->robots[robot], state, sim->look_signals);
}

void ib__watch_find(ib_Sim *sim, const struct ib__Watched *watched, const double *state, double t)
{
    const double *input = ib__sim_continuous_input(sim, state, ib__sim_input_at(sim, t));
    if (watched->robot < 0)
        ib__sim_output(sim, state, input, watched->parts, sim->look_signals);
    else
        find_own(sim, watched->robot, watched->parts & IB_PART_OWN, state, input);
}

void ib__watch_find_closer(ib_Sim *sim, const double *state, double t)
{
    const double *input = ib__sim_continuous_input(sim, state, ib__sim_input_at(sim, t));
    bool all = false;
    unsigned parts = 0;
    for (int k = 0; k < sim->watch_count; k++) {
        if (!sim->watches[k].closer) continue;
        all |= sim->watches[k].robot < 0;
        parts |= sim->watches[k].parts;
    }
    if (all) ib__sim_output(sim, state, input, parts, sim->look_signals);
    if (all) return;
    // Signals of a robot found for one watch serve the others.
    for (int i = 0; i < sim->model->robot_count; i++) sim->looked_at[i] = false;
    for (int k = 0; k < sim->watch_count; k++) {
        const struct ib__Watched *watched = &sim->watches[k];
        if (!watched->closer || sim->looked_at[watched->robot]) continue;
        bool whole = sim->looked_at[watched->robot] = watched->parts & IB_PART_OWN;
        find_own(sim, watched->robot, whole, state, input);
    }
}

bool ib__watch_choose(ib_Sim *sim, const struct ib__Watched *only)
{
    bool some = ib__sim_is_decoupled(sim);
    for (int i = 0; some && i < sim->model->robot_count; i++) sim->looked_at[i] = false;
    for (int k = 0; some && k < sim->watch_count; k++) {
        const struct ib__Watched *watched = &sim->watches[k];
        if (only ? watched != only : !watched->closer) continue;
        some = watched->robot >= 0;
        if (some) sim->looked_at[watched->robot] = true;
    }
    return some;
}

const double *ib__watch_state(ib_Sim *sim, const ib__Piece *piece, double t,
                              const struct ib__Watched *only)
{
    return ib__watch_choose(sim, only) ? ib__sim_some_within(sim, piece, t)
                                       : ib__sim_state_within(sim, piece, t);
}

static Point look(const Curve *curve, double t)
{
    ib_Sim *sim = curve->sim;
    double from = curve->piece->from;
    const double *state = ib__watch_state(sim, curve->piece, t, curve->watched);
    ib__watch_find(sim, curve->watched, state, from + t);
    double seconds = ib_time_to_seconds(sim->time) + (from + t);
    return (Point){t, ib__watch_evaluate(curve->watch, seconds, sim->look_signals)};
}

// Closes in on the change between a and b, by the secant's guess and, every other time, by halves;
// reports the first instant on the new side to the watch.
static void close_in(const Curve *curve, Point a, Point b)
{
    double resolution = curve->piece->length * DBL_EPSILON;
    for (int i = 0; i < LOCATE_STEPS && b.t - a.t > resolution; i++) {
        double t = a.t + (b.t - a.t) * (i % 2 ? 0.5 : a.g / (a.g - b.g));
        if (!(t > a.t + resolution && t < b.t - resolution)) t = a.t + (b.t - a.t) / 2;
        if (!(t > a.t && t < b.t)) break;
        Point middle = look(curve, t);
        if (ib__watch_differ(a.g, middle.g))
            b = middle;
        else
            a = middle;
    }
    look(curve, b.t); // leaves the signals of that instant behind
    curve->watch->crossed(curve->watch->self,
                          ib_time_to_seconds(curve->sim->time) + (curve->piece->from + b.t),
                          curve->sim->look_signals, b.g >= 0);
}

// The vertex of the parabola through three points, if it lies between a and c; at a negative
// time otherwise.
static Point vertex(Point a, Point b, Point c)
{
    double u = b.t - a.t, v = c.t - b.t;
    double p = (b.g - a.g) / u, q = (c.g - b.g) / v, bend = (q - p) / (u + v);
    // g(t) = b.g + slope (t - b.t) + bend (t - b.t)^2
    double slope = p + bend * u, way = -slope / (2 * bend);
    bool inside = b.t + way > a.t && b.t + way < c.t;
    return inside ? (Point){b.t + way, b.g + 0.5 * slope * way} : (Point){-1, b.g};
}

// True if the margin may change its sign close to these points, on one side of zero, or if a sample
// there is wanted anyway.
static bool is_worth(const Curve *curve, Point a, Point b, Point c, Point extreme)
{
    const ib_Watch *watch = curve->watch;
    double move = ib_max(ib_max(a.g, b.g), c.g) - ib_min(ib_min(a.g, b.g), c.g);
    double seconds = ib_time_to_seconds(curve->sim->time) + (curve->piece->from + extreme.t);
    if (!(fabs(b.g) > FAR * move)) return true;
    return watch->wants && watch->wants(watch->self, seconds, extreme.g);
}

// Samples the extreme that three points suggest. If they are on one side of zero and it is on the
// other, reports both changes.
static void look_at_extreme(const Curve *curve, Point a, Point b, Point c)
{
    bool one_side = !ib__watch_differ(a.g, b.g) && !ib__watch_differ(b.g, c.g);
    for (int i = 0; i < VERTEX_LOOKS; i++) {
        Point guess = vertex(a, b, c);
        double t = guess.t;
        if (t < 0 || fabs(t - b.t) <= 1e-3 * (c.t - a.t)) return;
        if (!is_worth(curve, a, b, c, guess)) return;
        Point extreme = look(curve, t);
        if (one_side && ib__watch_differ(extreme.g, b.g)) {
            close_in(curve, t > b.t ? b : a, extreme);
            close_in(curve, extreme, t > b.t ? c : b);
            return;
        }
        // The outer one of the two becomes the middle of a narrower parabola.
        bool valley = b.g < a.g + (c.g - a.g) * ((b.t - a.t) / (c.t - a.t));
        bool outer = valley ? extreme.g < b.g : extreme.g > b.g;
        Point left = t > b.t ? b : extreme, right = t > b.t ? extreme : b;
        bool keep_right = (t > b.t) == outer; // the middle is then the right one of the two
        a = keep_right ? left : a;
        b = keep_right ? right : left;
        c = keep_right ? c : right;
    }
}

static void judge(const Curve *curve, const double *margins, int parts)
{
    Point points[IB__WATCH_WIDTH];
    for (int i = 0; i <= parts; i++)
        points[i] = (Point){ib__watch_time(curve->piece, i, parts), margins[i]};
    // A start at exactly zero counts by its next sign.
    for (int i = 1; points[0].g == 0 && i <= parts; i++)
        if (points[i].g != 0) points[0].g = copysign(DBL_MIN, points[i].g);
    for (int i = 1; i <= parts; i++) {
        if (ib__watch_differ(points[i - 1].g, points[i].g))
            close_in(curve, points[i - 1], points[i]);
        if (i < parts) look_at_extreme(curve, points[i - 1], points[i], points[i + 1]);
    }
}

void ib__watch_closely(ib_Sim *sim, const ib__Piece *piece)
{
    int parts = ib__watch_parts(sim);
    double seconds = ib_time_to_seconds(sim->time) + piece->from;
    for (int i = 1; i < parts; i++) {
        double t = ib__watch_time(piece, i, parts);
        const double *state = ib__watch_state(sim, piece, t, NULL);
        ib__watch_find_closer(sim, state, piece->from + t);
        for (int k = 0; k < sim->watch_count; k++)
            if (sim->watches[k].closer)
                sim->watch_margins[k * IB__WATCH_WIDTH + i] =
                    ib__watch_evaluate(&sim->watches[k].watch, seconds + t, sim->look_signals);
    }
    for (int k = 0; k < sim->watch_count; k++) {
        Curve curve = {sim, piece, &sim->watches[k], &sim->watches[k].watch};
        if (sim->watches[k].closer) judge(&curve, sim->watch_margins + k * IB__WATCH_WIDTH, parts);
    }
}
