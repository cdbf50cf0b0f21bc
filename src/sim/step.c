// THE step. docs/architecture.md has one heading per call of ib_sim_step, in the same order.
#include "sim/contact.h"
#include "sim/disturbance.h"
#include "sim/inside.h"

#include <math.h>
#include <string.h>

enum { MAX_EVENTS = 10000 };   ///< jumps inside one step; more is a robot that chatters without end
enum { MAX_CROSSINGS = 1000 }; ///< of jumps that no guard announces, in one run

static const double CROSSING = 1e-8; ///< length of the step that crosses one [s]

// ------------------------------------------------------------------------------------------- plant

const double *ib__sim_input_at(const ib_Sim *sim, double t)
{
    if (!sim->ramps) return sim->input;
    for (int i = 0; i < sim->model->input_count; i++)
        sim->ramped_input[i] = sim->input[i] + sim->slope[i] * t;
    return sim->ramped_input;
}

static void rate_of_all(const void *context, double t, const double *state, double *rate)
{
    const ib_Sim *sim = context;
    const ib_Model *model = sim->model;
    const double *input = ib__sim_input_at(sim, sim->piece_from + t);
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        robot->kind->rate(robot->model, state + robot->state, input + robot->input,
                          rate + robot->state);
    }
    if (sim->resting > 0) ib__contact_rate(sim, sim->piece_from + t, state, rate);
}

// The rate of one robot with steady inputs, by far the most frequent case: docs/performance.md
static void rate_of_one(const void *context, double t, const double *state, double *rate)
{
    const ib_Sim *sim = context;
    const ib_RobotModel *robot = sim->model->robots;
    (void)t;
    robot->kind->rate(robot->model, state, sim->input, rate);
}

ib_System ib__sim_system(const ib_Sim *sim)
{
    bool alone = sim->model->robot_count == 1 && !sim->ramps && sim->resting == 0;
    const ib_RobotPorts *ports = &sim->model->robots[0].ports;
    ib_solver_set_sums(sim->solver, alone ? ports->sum_from : 0, alone ? ports->sum_to : 0);
    return (ib_System){
        .count = sim->model->robot_state_count,
        .rate = alone ? rate_of_one : rate_of_all,
        .context = sim,
    };
}

static void guards(const void *context, double t, const double *state, double *g)
{
    const ib_Sim *sim = context;
    const double *input = ib__sim_input_at(sim, sim->piece_from + t);
    for (int i = 0; i < sim->model->robot_count; i++) {
        const ib_RobotModel *robot = &sim->model->robots[i];
        if (robot->ports.guard_count > 0)
            robot->kind->guard(robot->model, state + robot->state, input + robot->input,
                               g + robot->guard);
    }
}

// ------------------------------------------------------------------------------------------ stages

// The latest time this step may reach: the next grid point, switch of an input,
// tick of a sensor or a controller.
static ib_Time next_stop(const ib_Sim *sim)
{
    const ib_SimConfig *config = sim->model->config;
    ib_Time stop = ib_time_min(config->duration, sim->inputs_until);
    ib_Time step = sim->model->step;
    ib_Time grid = sim->adaptive ? sim->time + step : ib_time_next(sim->time, step);
    if (sim->adaptive && sim->live) stop = ib_time_min(stop, ib_time_next(sim->time, IB_LIVE_STEP));
    for (int i = 0; i < sim->model->sensor_count; i++)
        stop = ib_time_min(stop, ib_time_next(sim->time, sim->model->sensors[i].config->period));
    for (int i = 0; i < sim->model->control_count; i++)
        stop = ib_time_min(stop, ib__control_next(&sim->model->controls[i], sim->time));
    return ib_time_min(stop, grid);
}

bool ib__sim_sense(ib_Sim *sim, double *state)
{
    const ib_Model *model = sim->model;
    bool fresh = false;
    for (int i = 0; i < model->sensor_count; i++) {
        const ib_SensorModel *sensor = &model->sensors[i];
        if (sim->time % sensor->config->period != 0) continue;
        if (!fresh) ib__sim_output(sim, state, sim->input, sim->signals);
        fresh = true;
        ib_sensor_update(sensor->config, model->config->seed, sensor->stream,
                         sim->time / sensor->config->period, sim->signals[sensor->truth],
                         state + sensor->state);
    }
    return fresh;
}

ib_Status ib__sim_settle(const ib_Sim *sim, double after, double *state, ib_Error *error)
{
    const double *input = ib__sim_input_at(sim, after);
    for (int i = 0; i < sim->model->robot_count; i++) {
        const ib_RobotModel *robot = &sim->model->robots[i];
        if (!robot->kind->settle) continue;
        int rounds = 0;
        while (robot->kind->settle(robot->model, input + robot->input, state + robot->state))
            if (++rounds == MAX_EVENTS)
                return ib_error_set(error, IB_FAILED,
                                    "the modes of %s%sthe %s do not settle at %.9g s: each change "
                                    "leads to the next",
                                    robot->name, robot->name[0] ? ", " : "", robot->kind->name,
                                    ib_time_to_seconds(sim->time) + after);
    }
    return IB_OK;
}

ib_Status ib__sim_begin(ib_Sim *sim, double *state, ib_Error *error)
{
    ib_disturbances_jump(sim->model, sim->time, state);
    return ib__sim_settle(sim, 0, state, error);
}

// Never a silent reset: a state that is not finite or not plausible ends the run, and is not taken
// over. `after` seconds into the step.
static ib_Status refuse(const ib_Sim *sim, const double *state, int bad, double after,
                        ib_Error *error)
{
    const ib_Model *model = sim->model;
    int signal = model->state_signal[bad];
    const ib_SignalDef *def = signal < 0 ? NULL : &model->signals.items[signal];
    return ib_error_set(
        error, IB_FAILED,
        "%s = %g %s at %.9g s is %s (limit %g); last good value %.9g at %.9g s. The "
        "step may be too long for this robot, or its equations run away",
        def ? def->name : "a state", state[bad], def ? def->unit : "",
        ib_time_to_seconds(sim->time) + after,
        isfinite(state[bad]) ? "beyond what is plausible" : "not finite", model->state_limit[bad],
        sim->state[bad], ib_time_to_seconds(sim->time) + sim->piece_from);
}

// Two states at a time (docs/performance.md), and what a comparison gives: all bits or none.
typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t Truths __attribute__((vector_size(16)));

// Is every state within its limits? NaN is not.
static bool plausible(const double *state, const double *limit, int count)
{
    Truths good = {-1, -1};
    int i = 0;
    for (; i + 2 <= count; i += 2) {
        Two x = *(const Two *)(state + i), most = *(const Two *)(limit + i);
        good &= (x <= most) & (x >= -most);
    }
    return (i == count || fabs(state[i]) <= limit[i]) && good[0] && good[1];
}

static ib_Status check(const ib_Sim *sim, const double *state, double after, ib_Error *error)
{
    const double *limit = sim->model->state_limit;
    int bad = 0, count = sim->model->robot_state_count;
    if (plausible(state, limit, count)) return IB_OK;
    while (bad < count - 1 && fabs(state[bad]) <= limit[bad]) bad++;
    return refuse(sim, state, bad, after, error);
}

// The solver knows that a state ran away; the table knows its name.
static void name_runaway(const ib_Sim *sim, double after, ib_Error *error)
{
    ib_Error named;
    if (check(sim, sim->next, after, &named) != IB_OK) *error = named;
}

// Is no guard anywhere near a change of sign in the stretch just made, which is `length` long? So
// it is where every guard is at both ends four times farther from zero than it has moved: a dip to
// zero and back within one step of a fixed grid would need a guard that lives much faster than the
// steps that resolve the robot. Only then the closer look of ib_solver_locate is spared.
static bool is_clear(ib_Sim *sim, double length)
{
    const double *before = sim->guards;
    double *after = sim->end_guards;
    if (!sim->guards_known) guards(sim, 0, sim->state, sim->guards);
    sim->guards_known = true;
    if (sim->adaptive) return false;
    guards(sim, length, sim->next, after);
    bool clear = true;
    for (int i = 0; i < sim->model->guard_count; i++) {
        double move = 4 * fabs(after[i] - before[i]);
        clear &= fabs(before[i]) > move && fabs(after[i]) > move;
    }
    return clear;
}

// The guards at the end of a stretch without a jump are those at the start of the next, as long as
// no input has changed in between.
static void carry_guards(ib_Sim *sim)
{
    double *before = sim->guards;
    sim->guards_known = !sim->adaptive && !sim->ramps;
    sim->guards = sim->end_guards;
    sim->end_guards = before;
}

// Where two outlines meet within the stretch, it ends there, and what lies behind is not looked at.
static void cut_at_contact(ib_Sim *sim, ib__Piece *piece, ib_Event *jump)
{
    double t = ib__contact_find(sim, piece->from, piece->length);
    piece->hit = t >= 0;
    if (t < 0 || t >= piece->length) return;
    ib_solver_dense(sim->solver, t / piece->length, sim->sample_state);
    memcpy(sim->next, sim->sample_state, (size_t)sim->model->robot_state_count * sizeof *sim->next);
    piece->length = t;
    jump->index = -1;
}

// A step without control of its error. Adaptive solvers take it in two cases: where contacts rest,
// whose forces have corners that no step size gets around, and across a jump of the physics that no
// guard announces (a battery that folds under a current limit),
// when all control has come to nothing.
static ib_Status step_plainly(ib_Sim *sim, double length, ib__Piece *piece, ib_Error *error)
{
    double whole = floor(length * 1e9 + 1e-3);
    piece->length = whole >= 1 && whole * 1e-9 < length ? whole * 1e-9 : length;
    sim->report.steps += 1;
    if (!ib_solver_step(sim->solver, &sim->system, piece->length, sim->state, sim->next))
        return IB_OK;
    return ib_error_set(error, IB_FAILED, "the state is not finite after a step of %g s",
                        piece->length);
}

// One stretch: as far as the solver, the next jump or the step's end allows. `jump` tells which
// guard ended it.
static ib_Status integrate(ib_Sim *sim, double length, ib__Piece *piece, ib_Event *jump,
                           ib_Error *error)
{
    sim->piece_from = piece->from;
    double *wish = &sim->state[sim->model->step_state];
    ib_Status status = IB_OK;
    if (sim->adaptive && sim->resting > 0)
        status = step_plainly(sim, fmin(length, sim->model->plain_step), piece, error);
    else
        status = ib_solver_advance(sim->solver, &sim->system, length, wish, sim->state, sim->next,
                                   &piece->length, &sim->report, error);
    if (status != IB_OK && sim->adaptive && sim->crossings++ < MAX_CROSSINGS) {
        *wish = 0; // chosen anew behind the jump
        status = step_plainly(sim, fmin(length, CROSSING), piece, NULL);
    }
    piece->tried = piece->length;
    jump->index = -1;
    if (status != IB_OK) {
        name_runaway(sim, piece->from + length, error);
        return status;
    }
    if (sim->model->guard_count > 0 && !is_clear(sim, piece->length)) {
        ib_EventSystem events = {sim->model->guard_count, guards, sim, sim->events};
        ib_solver_locate(sim->solver, &sim->system, &events, piece->length, sim->state, jump,
                         sim->sample_state);
        if (jump->index >= 0) {
            piece->length = jump->t;
            memcpy(sim->next, sim->sample_state,
                   (size_t)sim->model->robot_state_count * sizeof *sim->next);
        }
    }
    if (sim->model->world) cut_at_contact(sim, piece, jump);
    piece->start = sim->state;
    piece->end = sim->next;
    return check(sim, sim->next, piece->from + piece->length, error);
}

// The state moves on; sensors and the solver's wish ride along.
static void take_over(ib_Sim *sim)
{
    // Without sensors a fixed-step solver leaves them alone, and both buffers hold them already.
    int front = sim->model->robot_state_count;
    if (sim->adaptive || sim->model->sensor_count + sim->model->control_count > 0 ||
        sim->model->world)
        memcpy(sim->next + front, sim->state + front,
               (size_t)(sim->model->state_count - front) * sizeof *sim->state);
    double *old = sim->state;
    sim->state = sim->next;
    sim->next = old;
}

// What a jump does to the robots whose guards changed sign, several perhaps in the same instant,
// and to those that touch. The state is the one just past it; the guards at the start of the piece
// tell the direction.
static ib_Status contact(ib_Sim *sim, const ib__Piece *piece, const ib_Event *jump, ib_Error *error)
{
    ib_Status status = IB_OK;
    double after = piece->from + piece->length;
    for (int i = 0; jump->index >= 0 && i < sim->model->robot_count; i++) {
        const ib_RobotModel *robot = &sim->model->robots[i];
        const double *input = ib__sim_input_at(sim, after) + robot->input;
        for (int k = 0; robot->kind->update && k < robot->ports.guard_count; k++) {
            int guard = robot->guard + k;
            if (!jump->crossed[guard]) continue;
            bool rising = guard == jump->index ? jump->rising : sim->guards[guard] < 0;
            robot->kind->update(robot->model, k, rising, input, sim->state + robot->state);
        }
    }
    if (piece->hit) status = ib__contact_hit(sim, after, sim->state, error);
    sim->guards_known = false;
    return status != IB_OK ? status : ib__sim_settle(sim, after, sim->state, error);
}

// -------------------------------------------------------------------------------------------- step

ib_Status ib_sim_step(ib_Sim *sim, ib_Error *error)
{
    // Input and actuate; what does not change until a known time need not be read again.
    ib_Status status = IB_OK;
    if (sim->time >= sim->inputs_until || sim->ramps || sim->live) {
        ib__sim_read_inputs(sim);
        status = ib__sim_begin(sim, sim->state, error);
        if (status != IB_OK) return status;
    }
    bool fresh = ib__sim_sense(sim, sim->state);
    if (ib__sim_control(sim, fresh, sim->state)) {
        status = ib__sim_settle(sim, 0, sim->state, error);
        if (status != IB_OK) return status;
    }
    sim->begun = sim->time;

    ib_Time stop = next_stop(sim);
    double length = ib_time_to_seconds(stop - sim->time);
    ib__Piece piece = {.opens = true};
    // An adaptive solver's steps end at hits, and hits that never end would never be counted.
    if (!sim->adaptive || sim->time - sim->hits.since >= sim->model->step || sim->steps == 0)
        sim->hits = (ib__Hits){.since = sim->time};
    for (int events = 0; !piece.closes; events++) {
        ib_Event jump;
        double rest = length - piece.from, most = rest;
        if (sim->resting > 0) most = fmin(rest, ib__contact_stride(sim, piece.from));
        status = integrate(sim, most, &piece, &jump, error);
        if (status != IB_OK) return status;
        // Without a jump the solver's first stretch is the step; after one, or where contacts ask
        // for shorter stretches, the step goes on to where it would have ended,
        // which is a whole nanosecond.
        bool whole = piece.opens && most == rest;
        if (whole) length = piece.tried;
        // A jump on the very end of the step leaves nothing to go on with.
        bool jumps = jump.index >= 0 || piece.hit;
        // An adaptive solver begins anew behind it, at the next whole nanosecond.
        if (jumps && sim->adaptive)
            length = fmin(length, ceil((piece.from + piece.length) * 1e9) * 1e-9);
        bool reached = piece.length >= length - piece.from || piece.from + piece.length >= length;
        piece.closes = reached || (whole && !jumps);
        // Bodies that touch and come closer meet at once: no time passes.
        if (piece.length > 0) {
            if (sim->watch_count > 0 || sim->observer_count > 0) ib__sim_record(sim, &piece);
            take_over(sim);
        }
        if (jumps)
            status = contact(sim, &piece, &jump, error);
        else
            carry_guards(sim);
        if (status != IB_OK) return status;
        piece.from += piece.length;
        piece.opens = piece.opens && piece.length == 0;
        if (events == MAX_EVENTS)
            return ib_error_set(error, IB_FAILED,
                                "more than %d jumps or stretches in the step at %.9g s", MAX_EVENTS,
                                ib_time_to_seconds(sim->time));
    }
    if (sim->resting > 0) ib__contact_release(sim, length);
    sim->time = ib_time_min(stop, sim->time + ib_time_from_seconds(length));
    sim->steps++;
    return IB_OK;
}

// Whole steps of the grid up to `until`, as long as nobody looks, no input changes and nothing
// jumps: the same steps that ib_sim_step would make, without asking at each of them what there is
// to do. Stops before a step in which a guard comes near zero or outlines meet.
static ib_Status stride(ib_Sim *sim, ib_Time until, ib_Error *error)
{
    ib_Time step = sim->model->step;
    double length = ib_time_to_seconds(step);
    until = ib_time_min(until, ib_time_min(sim->inputs_until, sim->model->config->duration));
    if (sim->observer_count > 0) until = ib_time_min(until, sim->observers_next);
    sim->piece_from = 0;
    sim->far_room = 0;
    while (sim->time + step <= until) {
        ib_SolverReport before = sim->report;
        ib_solver_leap(sim->solver, &sim->system, length, sim->state, sim->next, &sim->report);
        bool clear = sim->model->guard_count == 0 || is_clear(sim, length);
        if (clear && sim->model->world && !ib__contact_far(sim, length))
            clear = ib__contact_find(sim, 0, length) < 0;
        if (!clear) {
            sim->report = before; // ib_sim_step makes it again
            return IB_OK;
        }
        ib_Status status = check(sim, sim->next, length, error);
        if (status != IB_OK) return status;
        take_over(sim);
        carry_guards(sim);
        sim->time += step;
        sim->steps++;
    }
    return IB_OK;
}

ib_Status ib_sim_advance(ib_Sim *sim, ib_Time until, ib_Error *error)
{
    const ib_Model *model = sim->model;
    bool quiet = !sim->adaptive && !sim->live && !sim->each_step && sim->watch_count == 0 &&
                 model->sensor_count + model->control_count == 0;
    ib_Status status = IB_OK;
    while (status == IB_OK && sim->time < until && !ib_sim_done(sim)) {
        status = ib_sim_step(sim, error);
        if (status == IB_OK && quiet && !sim->ramps && sim->resting == 0 &&
            sim->time % model->step == 0)
            status = stride(sim, until, error);
    }
    return status;
}
