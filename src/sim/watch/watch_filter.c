// sim/watch/watch_filter.c: the pieces of a step that deserve a closer look for
// watches (sim/watch/watch.c).
//
// In most pieces no margin comes near zero and none has a wanted extreme, and close examination
// costs more than the physics. There are therefore three stages, each only if the one before it
// could not rule out an event between the ends of a piece:
//   1. the ends, of which the start is mostly the end of the piece before. With a fixed step the
//      moves of a margin over this piece and over the one before say how it bends;
//   2. points between them, by the dense output, which costs no rates. An adaptive solver's piece
//      always has some of them;
//   3. the same points by steps of the method itself.
// Reports come from the first and the third: the second only decides.
#include "base/extreme.h"
#include "sim/watch/watch.h"

#include <math.h>
#include <string.h>

// Ratios of a margin's distance from zero to its move that exclude zero in between. A sample by the
// dense output is cheap, so that without one the ratio is large: at the ends the beginning of a
// bell-shaped dip is visible. Shorter ones: docs/architecture.md
enum { FAR = 4, FAR_AT_QUARTERS = 64, FAR_AT_ENDS = 1024 };

enum { ERRORS = 16 }; ///< of the dense output; a margin that moves by less is a matter of them

static const double ROUNDED = 1e-12; ///< part of an input by which a ramp may miss itself

bool ib__watch_filter_create(ib_Sim *sim)
{
    struct ib__WatchFilter *filter = &sim->watch_filter;
    const ib_Model *model = sim->model;
    if (filter->state) return true;
    double **parts[] = {&filter->state, &filter->input, &filter->slope, &filter->start,
                        &filter->end};
    int counts[] = {model->state_count, model->input_count, model->input_count,
                    model->signals.count, model->signals.count};
    for (int i = 4; i >= 0; i--) {
        *parts[i] = ib_arena_array(&sim->arena, (size_t)counts[i], sizeof(double));
        if (!*parts[i]) return false;
    }
    return true;
}

void ib__sim_watch_fully(ib_Sim *sim)
{
    sim->watch_filter.fully = true;
}

// --------------------------------------------------------------------------------------- both ends

// True if these are the inputs at the end, except for roundings of a ramp that is read anew.
static bool goes_on(const ib_Sim *sim, const double *input)
{
    const double *seen = sim->watch_filter.input;
    for (int i = 0; i < sim->model->input_count; i++)
        if (!(fabs(input[i] - seen[i]) <= ROUNDED * fabs(input[i]))) return false;
    return true;
}

// Signals are functions of model, state and inputs alone: where these have the same bits, so have
// the signals.
static void compare(ib_Sim *sim, const ib__Piece *piece)
{
    struct ib__WatchFilter *filter = &sim->watch_filter;
    filter->carried = filter->unbroken = filter->ticked = filter->known && piece->follows;
    filter->same_tail = false;
    if (!filter->known || piece->follows) return;
    const double *input = ib__sim_input_at(sim, piece->from);
    int count = sim->model->input_count;
    bool same_state = filter->same_tail = ib__watch_filter_is_of(sim, piece->start);
    filter->ticked = !piece->jumped;
    filter->carried = same_state && ib__watch_filter_same(input, filter->input, count);
    filter->unbroken = same_state && ib__watch_filter_same(sim->slope, filter->slope, count) &&
                       (filter->carried || goes_on(sim, input));
}

static void look_at_start(ib_Sim *sim, const ib__Piece *piece)
{
    struct ib__WatchFilter *filter = &sim->watch_filter;
    compare(sim, piece);
    unsigned parts = ib__sim_parts_at_start(sim, piece);
    if (filter->carried && (parts & ~filter->end_parts) == 0) {
        double *end = filter->end;
        filter->end = filter->start;
        filter->start = end;
    } else {
        ib__sim_evaluate_at(sim, piece->start, piece->from, parts, filter->start);
    }
    filter->start_known = true;
}

static void keep_inputs(ib_Sim *sim, const double *input)
{
    size_t inputs = (size_t)sim->model->input_count * sizeof *input;
    memcpy(sim->watch_filter.input, input, inputs);
    memcpy(sim->watch_filter.slope, sim->slope, inputs);
}

// The whole state at the end of the piece: states that are not integrated do not change within it.
static void look_at_end(ib_Sim *sim, const ib__Piece *piece)
{
    struct ib__WatchFilter *filter = &sim->watch_filter;
    size_t front = (size_t)sim->model->robot_state_count, all = (size_t)sim->model->state_count;
    double t = piece->from + piece->length;
    unsigned parts = filter->end_parts = sim->watched_parts;
    filter->known = true;
    if (piece->strides) { // no comparison before the stride is over
        ib__sim_evaluate_at(sim, piece->end, t, parts, filter->end);
        return;
    }
    memcpy(filter->state, piece->end, front * sizeof(double));
    if (!filter->same_tail)
        memcpy(filter->state + front, piece->start + front, (all - front) * sizeof(double));
    if (sim->riding > 0) ib__riders_follow(sim, filter->state);
    ib__sim_evaluate_at(sim, filter->state, t, parts, filter->end);
    keep_inputs(sim, ib__sim_input_at(sim, t));
}

void ib__watch_filter_keep(ib_Sim *sim)
{
    if (!sim->watch_filter.known) return;
    memcpy(sim->watch_filter.state, sim->state,
           (size_t)sim->model->state_count * sizeof *sim->state);
    keep_inputs(sim, sim->input);
}

// ------------------------------------------------------------------------------- possible extremes

// Both ends of a piece are known, and by how much the margin moved over the piece before (`before`,
// as if that had been as long as this one). Nothing is between the ends
// - on the other side of zero, if it is far from zero for its moves: a dip to there and back
//   would need a margin that lives much faster than the steps that resolve the robot;
// - that is wanted, if it goes on in the same direction. For a line with a kink, of which the
//   second difference is `bend`, the kink stands out from both ends by no more than bend/2. Of
//   roundings (`rounds`) a parabola is the most that one can see in them: bend/8, if it turns here.
static bool is_quiet(const ib_Watch *watch, double a, double b, double before, bool rounds, int far,
                     double from, double to)
{
    double move = b - a, most = ib_max(fabs(move), fabs(before)), bend = move - before;
    if (!(ib_min(fabs(a), fabs(b)) > far * most)) return false;
    if (!watch->wants || bend == 0 || (rounds ? 0.5 : 2) * fabs(bend) < fabs(move)) return true;
    double extreme = (bend < 0 ? ib_max(a, b) : ib_min(a, b)) - bend * (rounds ? 0.125 : 0.5);
    return !watch->wants(watch->self, from, extreme) && !watch->wants(watch->self, to, extreme);
}

// The same where a tick of a loop has moved the margin at its start, so that it is unknown how it
// bends: it stands out from both ends by no more than its largest move of late.
static bool is_quiet_anew(const ib_Watch *watch, double a, double b, double most, double from,
                          double to)
{
    if (!(ib_min(fabs(a), fabs(b)) > FAR_AT_QUARTERS * most)) return false;
    double low = ib_min(a, b) - most, high = ib_max(a, b) + most;
    return !watch->wants ||
           !(watch->wants(watch->self, from, low) || watch->wants(watch->self, to, low) ||
             watch->wants(watch->self, from, high) || watch->wants(watch->self, to, high));
}

// The same for three margins one behind the other, at even times: may the margin change its sign
// between them, or have an extreme that is wanted? `early`: there are points between them which
// nobody has looked at.
static bool is_suspect(const ib_Watch *watch, const double g[3], double from, double to, bool early)
{
    if (g[0] == 0 && g[1] == 0 && g[2] == 0) return false;
    if (g[0] == 0 || ib__watch_differ(g[0], g[1]) || ib__watch_differ(g[1], g[2])) return true;
    double high = ib_max(ib_max(g[0], g[1]), g[2]), low = ib_min(ib_min(g[0], g[1]), g[2]);
    double p = g[1] - g[0], q = g[2] - g[1], bend = q - p;
    // The parabola's vertex lies between them or close to it, half a part before or behind.
    bool turns = bend != 0 && (p - bend) * (q + bend) <= 0;
    double far = (early ? FAR_AT_QUARTERS : FAR) * (high - low);
    if ((turns || early) && !(fabs(g[1]) > far)) return true;
    if (!turns || !watch->wants) return false;
    double extreme = (bend < 0 ? high : low) - bend / 2;
    return watch->wants(watch->self, from, extreme) || watch->wants(watch->self, to, extreme);
}

// -------------------------------------------------------------------------------------- the middle

// The margins of those that may have something there, `t` seconds into the piece, by the dense
// output of its step.
static void glance(ib_Sim *sim, const ib__Piece *piece, int part, int parts)
{
    size_t front = (size_t)sim->model->robot_state_count, all = (size_t)sim->model->state_count;
    double *state = sim->sample_state, t = ib__watch_time(piece, part, parts);
    if (!ib__watch_choose(sim, NULL))
        memcpy(state + front, piece->start + front, (all - front) * sizeof *state);
    ib_solver_dense(sim->solver, t / ib_solver_length(sim->solver), state);
    if (sim->riding > 0) ib__riders_follow(sim, state);
    ib__watch_find_closer(sim, state, piece->from + t);
    for (int k = 0; k < sim->watch_count; k++)
        if (sim->watches[k].closer)
            sim->watch_margins[k * IB__WATCH_WIDTH + part] =
                ib__watch_margin(&sim->watches[k].watch, sim->look_signals);
}

// Finds the watches that are still closer after samples at every `stride`-th part. False: none.
static bool any_suspect(ib_Sim *sim, const ib__Piece *piece, int parts, int stride)
{
    double from = ib_time_to_seconds(sim->time) + piece->from, to = from + piece->length;
    bool any = false;
    for (int k = 0; k < sim->watch_count; k++) {
        struct ib__Watched *watched = &sim->watches[k];
        const double *margins = sim->watch_margins + k * IB__WATCH_WIDTH;
        bool suspect = watched->closer && watched->doubts;
        for (int i = stride; watched->closer && !suspect && i < parts; i += stride) {
            double three[] = {margins[i - stride], margins[i], margins[i + stride]};
            suspect = is_suspect(&watched->watch, three, from, to, stride > 1);
        }
        watched->closer = suspect;
        any |= suspect;
    }
    return any;
}

// The dense output of an adaptive solver's long step shows mostly its own error in a balanced book.
// One step of the method, to the middle, decides: if less than half of the margin's apparent bend
// is true, the dense output is not used, but the ends and the middle; and the ends alone for a
// while, as long as the margin moves by no more than such errors.
static bool confirm(ib_Sim *sim, const ib__Piece *piece)
{
    int parts = ib__watch_parts(sim);
    double t = ib__watch_time(piece, parts / 2, parts);
    double from = ib_time_to_seconds(sim->time) + piece->from;
    ib__watch_find_closer(sim, ib__watch_state(sim, piece, t, NULL), piece->from + t);
    bool any = false;
    for (int k = 0; k < sim->watch_count; k++) {
        struct ib__Watched *watched = &sim->watches[k];
        const double *margins = sim->watch_margins + k * IB__WATCH_WIDTH;
        if (!watched->closer) continue;
        double guess = margins[parts / 2], a = margins[0], b = margins[parts];
        double middle = ib__watch_evaluate(&watched->watch, from + t, sim->look_signals);
        if (!watched->doubts && 2 * fabs(guess - middle) > fabs(guess - 0.5 * (a + b))) {
            watched->doubts = true;
            watched->error = fabs(guess - middle);
        }
        double three[] = {a, middle, b};
        watched->closer = !watched->doubts ||
                          is_suspect(&watched->watch, three, from, from + piece->length, true);
        any |= watched->closer;
    }
    return any;
}

static bool all_doubt(const ib_Sim *sim)
{
    for (int k = 0; k < sim->watch_count; k++)
        if (sim->watches[k].closer && !sim->watches[k].doubts) return false;
    return true;
}

// Samples by the dense output, if there is one, and keeps undecided watches closer. For an adaptive
// solver's piece every other point may suffice.
static bool glance_between(ib_Sim *sim, const ib__Piece *piece)
{
    int parts = ib__watch_parts(sim);
    if (sim->model->external_count > 0) return true;
    if (parts == 2) {
        glance(sim, piece, 1, parts);
        return any_suspect(sim, piece, parts, 1);
    }
    if (!all_doubt(sim)) {
        for (int i = 2; i < parts; i += 2) glance(sim, piece, i, parts);
        if (!any_suspect(sim, piece, parts, 2)) return false;
    }
    if (!all_doubt(sim)) {
        for (int i = 1; i < parts; i += 2) glance(sim, piece, i, parts);
        if (!any_suspect(sim, piece, parts, 1)) return false;
    }
    return confirm(sim, piece);
}

// ------------------------------------------------------------------------------------------- watch

// Finds the active watches of this piece. False: none.
static bool wake(ib_Sim *sim, double from, double to)
{
    bool any = false;
    for (int k = 0; k < sim->watch_count; k++) {
        struct ib__Watched *watched = &sim->watches[k];
        const ib_Watch *watch = &watched->watch;
        watched->asleep = watch->sleeps && watch->sleeps(watch->self, from, to);
        any |= !watched->asleep;
        if (!watched->asleep) continue;
        watched->sign = 0;
        watched->known = watched->closer = false;
    }
    return any;
}

// Both margins of one watch, at these seconds since the start of the run, and whether they rule out
// that there is something between them. The piece is so many `times` as long as the one before.
static void see(const ib_Sim *sim, double from, double to, double times,
                struct ib__Watched *watched, double *margins)
{
    const ib_Watch *watch = &watched->watch;
    const struct ib__WatchFilter *filter = &sim->watch_filter;
    double last = watched->last, a = last;
    if (!filter->carried || !watched->known) {
        a = ib__watch_evaluate(watch, from, filter->start);
        ib__watch_start(watched, from, filter->start, a);
    }
    double b = ib__watch_evaluate(watch, to, filter->end);
    bool alike = b == last && a == last && watched->move == 0 && b != 0; // a switch, a stage
    if (alike && watched->known && filter->unbroken && !sim->adaptive && !filter->fully) {
        watched->closer = false;
        return;
    }
    double before = watched->move * times;
    // The middle of a robot's own step costs as much as the step: where at most a loop has ticked,
    // its ends may do.
    bool ticks = sim->model->external_count > 0 && filter->ticked && !filter->unbroken;
    bool follows = watched->known && (filter->unbroken || ticks), leaps = ticks && a != last;
    watched->doubts = watched->error > 0 && fabs(b - a) <= ERRORS * watched->error;
    if (watched->doubts) watched->error -= watched->error / ERRORS; // it is tried again later
    bool alone = follows && (!sim->adaptive || watched->doubts);    // the ends may do
    int far = ticks || watched->doubts ? FAR_AT_QUARTERS : FAR_AT_ENDS;
    double most = ib_max(ib_max(fabs(b - a), fabs(a - last)), fabs(before));
    bool quiet = leaps ? is_quiet_anew(watch, a, b, most, from, to)
                       : is_quiet(watch, a, b, before, watched->doubts, far, from, to);
    watched->closer = filter->fully || !alone || !quiet;
    watched->known = true;
    watched->last = b;
    watched->move = b - a;
    watched->sign = (b > 0) - (b < 0);
    margins[0] = a;
    margins[ib__watch_parts(sim)] = b;
}

void ib__watch_filter_open(ib_Sim *sim, const ib__Piece *piece)
{
    struct ib__WatchFilter *filter = &sim->watch_filter;
    double from = ib_time_to_seconds(sim->time) + piece->from;
    filter->start_known = false;
    filter->awake = wake(sim, from, from + piece->length);
    if (!filter->awake || filter->fully) ib__watch_filter_break(sim);
    if (filter->awake) look_at_start(sim, piece);
}

void ib__sim_watch(ib_Sim *sim, const ib__Piece *piece)
{
    struct ib__WatchFilter *filter = &sim->watch_filter;
    double from = ib_time_to_seconds(sim->time) + piece->from, to = from + piece->length;
    if (!piece->seen) ib__watch_filter_open(sim, piece);
    if (!filter->awake) return;
    look_at_end(sim, piece);
    double times = piece->length / filter->length;
    bool closer = false;
    for (int k = 0; k < sim->watch_count; k++) {
        struct ib__Watched *watched = &sim->watches[k];
        if (watched->asleep) continue;
        see(sim, from, to, times, watched, sim->watch_margins + k * IB__WATCH_WIDTH);
        closer |= watched->closer;
    }
    filter->length = piece->length;
    if (closer && !filter->fully) closer = glance_between(sim, piece);
    if (closer) ib__watch_closely(sim, piece);
}
