#include "desk/trial/trial.h"

#include "base/extreme.h"
#include "desk/trial/trial_inside.h"
#include "plant/actuator/actuator.h"
#include "sim/linearise/linearise.h"
#include "sim/loop/control.h"
#include "sim/run.h"

#include <math.h>
#include <string.h>

enum { TICKS_MAX = 1000000 };

// All parts of a trial; in its own arena.
typedef struct Rig {
    const ib_Trial *trial;
    ib_Arena arena;
    int states;     ///< of the plant
    double part;    ///< of a period, in which a linear plant still has the last input
    ib_Time period; ///< whole nanoseconds, as in the simulation
    ib_SimConfig config;
    ib_RobotConfig robot;
    ib_Robot made; ///< the robot with the commands of its loops
    ib__TrialPlantConfig ideal;
    ib_Controller loop, clock;
    const ib_Controller *loops[2];
    ib_SensorConfig sensors[IB_STATES_MAX];
    ib_Disturbance pushes[IB_INPUTS_MAX];
    const char *names[2 * IB_STATES_MAX], *outputs[IB_INPUTS_MAX + 1], *ticks[1];
    const ib_ControlPart *acts_on; ///< NULL: an ideal plant, or a whole robot
    ib_Model *model;
    ib_Sim *sim;
} Rig;

static ib_Status no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory for a trial");
}

static bool is_whole(const Rig *rig)
{
    return rig->trial->robot && !rig->trial->robot->part;
}

// -------------------------------------------------------------------------------------------- loop

// The state of the loop in the simulation: its memory, then all of its last tick.
typedef struct Places {
    int x, y, estimate, r, u, sent, count;
} Places;

static Places lay_out(const ib_Loop *loop)
{
    Places p = {.x = ib_feedback_states(loop)};
    p.y = p.x + loop->states;
    p.estimate = p.y + ib_loop_measured(loop);
    p.r = p.estimate + loop->states;
    p.u = p.r + loop->states;
    p.sent = p.u + loop->inputs;
    p.count = p.sent + loop->inputs;
    return p;
}

static ib_TrialAim aim_at(const ib_Trial *trial, int64_t k)
{
    ib_TrialAim aim = {.gear = trial->gear};
    memcpy(aim.goal, trial->goal, sizeof aim.goal);
    if (trial->plan) trial->plan(trial->plan_self, k, &aim);
    return aim;
}

static void reset(const void *self, double *state)
{
    const Rig *rig = self;
    const ib_Trial *trial = rig->trial;
    const ib_Loop *loop = trial->loop;
    double start[IB_STATES_MAX] = {0}; // input errors, which the plant does not have, are estimated
                                       // as 0
    Places p = lay_out(loop);
    memcpy(start, trial->start, (size_t)rig->states * sizeof *start);
    memset(state, 0, (size_t)p.count * sizeof *state);
    ib_feedback_reset(loop, trial->known_start ? start : NULL, aim_at(trial, 0).gear, state);
}

// With a latency of L periods and a part, u[k - L - 1] acts for that part, then u[k - L]. A sampled
// plant takes the mean.
static ib_ControlStatus step(const void *self, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Rig *rig = self;
    const ib_Loop *loop = rig->trial->loop;
    int n = loop->states, m = loop->inputs;
    int64_t k = tick->time / rig->period;
    ib_TrialAim now = aim_at(rig->trial, k), next = aim_at(rig->trial, k + 1);
    Places p = lay_out(loop);
    const double *y = tick->measurement + rig->states;
    double *u = state + p.u, r_next[IB_STATES_MAX] = {0};
    memcpy(state + p.x, tick->measurement, (size_t)rig->states * sizeof *state);
    memcpy(state + p.y, y, (size_t)ib_loop_measured(loop) * sizeof *state);
    memcpy(state + p.r, now.goal, (size_t)rig->states * sizeof *state);
    memcpy(r_next, next.goal, (size_t)rig->states * sizeof *r_next);
    ib_feedback_correct(loop, y, state);
    memcpy(state + p.estimate, state, (size_t)n * sizeof *state);
    ib_feedback_output(loop, state + p.r, r_next, now.gear, u, state);
    ib_feedback_predict(loop, state + p.r, state);
    bool pushed = is_whole(rig) && ib_time_to_seconds(tick->time) >= rig->trial->push_at;
    for (int i = 0; i < m; i++) {
        output[i] = rig->part > 0 ? rig->part * state[p.sent + i] + (1 - rig->part) * u[i] : u[i];
        state[p.sent + i] = u[i];
        if (pushed) output[i] += rig->trial->push[i];
    }
    if (!rig->trial->robot) output[m] = now.gear;
    return IB_CONTROL_OK;
}

static void clock_reset(const void *self, double *state)
{
    (void)self;
    (void)state;
}

static ib_ControlStatus clock_step(const void *self, const ib_ControlTick *tick, double *state,
                                   double *output)
{
    (void)state;
    output[0] = (double)(tick->time / ((const Rig *)self)->period);
    return IB_CONTROL_OK;
}

static const ib_ControllerKind loop_kind = {.name = "trial", .reset = reset, .step = step};
static const ib_ControllerKind clock_kind = {
    .name = "clock", .reset = clock_reset, .step = clock_step};

// ------------------------------------------------------------------------------------------ wiring

// True if the names agree: "velocity.forward" is "velocity_forward" in the plant.
static bool is_called(const char *name, const char *plain)
{
    for (; *name && (*name == *plain || (*name == '.' && *plain == '_')); name++) plain++;
    return !*name && !*plain;
}

static const char *signal_called(const ib_RobotPorts *ports, const char *plain)
{
    for (int i = 0; i < ports->signal_count; i++)
        if (is_called(ports->signals[i].name, plain)) return ports->signals[i].name;
    return NULL;
}

static const char *input_called(const ib_RobotPorts *ports, const char *plain)
{
    for (int i = 0; i < ports->input_count; i++)
        if (is_called(ports->inputs[i].name, plain)) return ports->inputs[i].name;
    return NULL;
}

// The signal of a state of the plant (or of an output, behind them), by the loop's names.
static const char *signal_of(const Rig *rig, bool output, int index)
{
    const ib_StateSpace *plant = &rig->trial->loop->gear[0].plant;
    const char *name = output ? plant->output[index] : plant->state[index];
    if (is_whole(rig)) return signal_called(&rig->made.ports, name);
    if (!rig->acts_on)
        return output ? ib_arena_format((ib_Arena *)&rig->arena, "y.%d", index) : name;
    const ib_ControlPin *pin = ib_part_state(rig->acts_on, name);
    return pin ? pin->name : NULL;
}

// Makes the loop's measurements, with noise, once a period.
static bool make_sensors(Rig *rig)
{
    const ib_Loop *loop = rig->trial->loop;
    int measured = ib_loop_measured(loop);
    for (int i = 0; i < measured; i++) {
        const char *name = ib_arena_format(&rig->arena, "y%d", i);
        rig->sensors[i] = (ib_SensorConfig){.name = name,
                                            .signal = signal_of(rig, loop->observer, i),
                                            .period = rig->period,
                                            .scale = 1,
                                            .noise = rig->trial->noise[i],
                                            .low = -INFINITY,
                                            .high = INFINITY};
        rig->names[rig->states + i] = ib_arena_format(&rig->arena, "sensor.y%d", i);
        if (!name || !rig->sensors[i].signal || !rig->names[rig->states + i]) return false;
    }
    return true;
}

// Makes the loop with its latency; for a sampled plant its whole periods.
static bool make_loops(Rig *rig)
{
    const ib_Trial *trial = rig->trial;
    const ib_Loop *loop = trial->loop;
    bool sampled = !trial->robot && !trial->mechanisms[0];
    // Rounded to the millionth of a period, so that 10 ms is two of 5 ms.
    double lag =
        rint(1e6 * ib_min(ib_max(trial->latency / loop->period, 0), IB_LATENCY_PERIODS)) / 1e6;
    if (sampled) rig->part = lag - floor(lag);
    lag = sampled ? floor(lag) : lag;
    rig->loop = (ib_Controller){.name = "",
                                .label = "the loop",
                                .kind = &loop_kind,
                                .model = rig,
                                .period = rig->period,
                                .latency = (ib_Time)rint(lag * (double)rig->period),
                                .ports = {.state_count = lay_out(loop).count,
                                          .measurement_count = rig->states + ib_loop_measured(loop),
                                          .measurements = rig->names,
                                          .output_count = loop->inputs + (trial->robot ? 0 : 1),
                                          .outputs = rig->outputs}};
    rig->clock = (ib_Controller){.name = "clock",
                                 .label = "the clock",
                                 .kind = &clock_kind,
                                 .model = rig,
                                 .period = rig->period,
                                 .ports = {.output_count = 1, .outputs = rig->ticks}};
    rig->ticks[0] = "tick";
    for (int i = 0; i < loop->inputs; i++) {
        const char *wanted = loop->gear[0].plant.input[i];
        const ib_ControlPin *pin = rig->acts_on ? ib_part_input(rig->acts_on, wanted) : NULL;
        if (is_whole(rig))
            rig->outputs[i] = input_called(&rig->made.ports, wanted);
        else
            rig->outputs[i] =
                rig->acts_on ? (pin ? pin->name : NULL) : ib_arena_format(&rig->arena, "u.%d", i);
        if (!rig->outputs[i]) return false;
    }
    rig->outputs[loop->inputs] = "gear";
    for (int i = 0; i < rig->states; i++) {
        rig->names[i] = signal_of(rig, false, i);
        if (!rig->names[i]) return false;
    }
    rig->loops[0] = &rig->clock; // a sampled plant advances when all loops have acted
    rig->loops[1] = &rig->loop;
    rig->robot.controllers = trial->robot ? &rig->loops[1] : rig->loops;
    rig->robot.controller_count = trial->robot ? 1 : 2;
    return make_sensors(rig);
}

// Makes the push of a robot: a force on each joint equivalent to the inputs.
static void make_pushes(Rig *rig)
{
    const ib_Trial *trial = rig->trial;
    const ib_Mechanism *mechanism = trial->mechanisms[trial->gear];
    double size[IB_INPUTS_MAX] = {0};
    int count = trial->loop->inputs;
    if (is_whole(rig)) return; // its loop adds the pushes to its commands
    memcpy(size, trial->push, sizeof size);
    if (rig->acts_on) {
        count = mechanism->ports.joints;
        ib_mechanism_force(mechanism, trial->start, trial->push, size);
    }
    for (int i = 0; i < count; i++) {
        const char *joint = rig->acts_on ? mechanism->ports.joint[i].name : NULL;
        const char *part = rig->acts_on ? rig->acts_on->name : rig->outputs[i];
        rig->pushes[i] = (ib_Disturbance){
            .type = IB_DISTURBANCE_PART,
            .at = ib_time_from_seconds(trial->push_at),
            .until = IB_TIME_NEVER,
            .size = size[i],
            .signal = joint ? ib_arena_format(&rig->arena, "%s.%s", part, joint) : part};
    }
    rig->config.disturbances = rig->pushes;
    rig->config.disturbance_count = count;
}

// Finds the part that the loop acts on.
static ib_Status find_part(Rig *rig, ib_Error *error)
{
    const char *name = rig->trial->robot->part;
    const ib_RobotPorts *ports = &rig->made.ports;
    if (!name) return IB_OK;
    for (int i = 0; i < ports->part_count; i++)
        if (strcmp(ports->parts[i].name, name) == 0) rig->acts_on = &ports->parts[i];
    if (rig->acts_on) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "the robot has no mechanism '%s'", name);
}

// Makes the robot and its loops, before they are wired to a model.
static ib_Status make_robot(Rig *rig, ib_Error *error)
{
    const ib_Trial *trial = rig->trial;
    const ib_TrialRobot *robot = trial->robot;
    rig->ideal.trial = trial;
    rig->robot = (ib_RobotConfig){.name = "",
                                  .kind = robot ? robot->kind : &ib__trial_plant,
                                  .config = robot ? robot->config : &rig->ideal,
                                  .sensors = rig->sensors,
                                  .sensor_count = ib_loop_measured(trial->loop)};
    const ib_RobotConfig *own = &rig->robot;
    ib_Status status = ib_robot_init(own->kind, own->config, &rig->arena, &rig->made, error);
    if (status == IB_OK && robot) status = find_part(rig, error);
    if (status != IB_OK) return status;
    if (!make_loops(rig))
        return is_whole(rig)
                   ? ib_error_set(error, IB_BAD_INPUT,
                                  "the robot has not the signals and commands of the plant")
                   : no_memory(error);
    for (int i = 0; status == IB_OK && i < own->controller_count; i++)
        status = ib_control_extend(own->controllers[i], &rig->arena, &rig->made.ports, error);
    return status;
}

// Builds the model of the trial: one robot with one loop, solved accurately or with the robot's
// solver, or stepped for a sampled plant.
static ib_Status build(Rig *rig, double duration, ib_Error *error)
{
    const ib_Trial *trial = rig->trial;
    ib_Status status = make_robot(rig, error);
    if (status != IB_OK) return status;
    bool sampled = !trial->robot && !trial->mechanisms[0];
    rig->config.robots = &rig->robot;
    rig->config.robot_count = 1;
    rig->config.gravity = 9.80665;
    rig->config.solver =
        (ib_SolverConfig){.kind = sampled ? IB_EULER : IB_DOPRI5, .tolerance = 1e-9};
    ib_robot_ask_solver(rig->robot.kind, rig->robot.config, &rig->config.solver);
    rig->config.step = rig->period;
    rig->config.duration = ib_time_from_seconds(duration);
    rig->config.seed = trial->seed;
    make_pushes(rig);
    return ib_model_wire(&rig->config, &rig->made, &rig->arena, &rig->model, error);
}

// --------------------------------------------------------------------------------------------- use

// A probe of every step, which weights values by the length of the step.
typedef struct Watcher {
    const Rig *rig;
    ib_TrialUse use;
    ib_Time last;
    bool limited, stopped; ///< since the last step
    double limited_for, stopped_for;
    int current[IB_MECHANISM_DRIVES], mode[IB_MECHANISM_JOINTS], supply, bus; ///< signals
} Watcher;

static int index_of(const Rig *rig, const char *name)
{
    return name ? ib_signals_find(&rig->model->signals, name) : -1;
}

// Finds the signals once.
static void prepare(Watcher *watcher)
{
    const ib_ControlPart *part = watcher->rig->acts_on;
    for (int i = 0; i < part->current_count; i++)
        watcher->current[i] = index_of(watcher->rig, part->currents[i].name);
    for (int i = 0; i < part->mode_count; i++)
        watcher->mode[i] = index_of(watcher->rig, part->modes[i]);
    watcher->supply = index_of(watcher->rig, part->supply);
    watcher->bus = index_of(watcher->rig, part->bus);
}

// Notes a mode with a warning or worse, at its first occurrence.
static void note_events(const Rig *rig, ib_Time time, const double *signals, ib_TrialUse *use)
{
    const ib_SignalTable *table = &rig->model->signals;
    for (int i = 0; i < table->count && use->event_count < IB_TRIAL_EVENTS; i++) {
        const ib_Mode *mode = table->items[i].means.mode;
        if (!mode) continue;
        ib_ModeMeaning meaning = ib_mode_meaning(mode, ib_mode_value(mode, signals[i]));
        if (meaning.level == IB_MODE_INFO) continue;
        int at = use->event_count;
        char *text = use->events[at].text;
        ib_mode_sentence(meaning, NULL, table->items[i].means.part, text,
                         sizeof use->events[at].text);
        bool told = false;
        for (int k = 0; k < at; k++) told |= strcmp(use->events[k].text, text) == 0;
        if (told) continue;
        use->events[at].t = ib_time_to_seconds(time);
        use->event_count++;
    }
}

// At every step: keeps the largest current and the lowest voltage, and sums up the time with a
// motor at its limit or a joint at a stop.
static ib_Time look(void *self, ib_Time time, const double *signals)
{
    Watcher *watcher = self;
    const Rig *rig = watcher->rig;
    const ib_ControlPart *part = rig->acts_on;
    ib_TrialUse *use = &watcher->use;
    double span = ib_time_to_seconds(time - watcher->last);
    watcher->limited_for += watcher->limited ? span : 0;
    watcher->stopped_for += watcher->stopped ? span : 0;
    watcher->limited = watcher->stopped = false;
    watcher->last = time;
    for (int i = 0; i < part->current_count; i++) {
        double size = fabs(signals[watcher->current[i]]);
        use->current = ib_max(use->current, size);
        use->current_limit = part->currents[i].high;
        watcher->limited |= size >= part->currents[i].high * (1 - 1e-9);
    }
    for (int i = 0; i < part->mode_count; i++) {
        double mode = signals[watcher->mode[i]];
        watcher->stopped |= mode == IB_JOINT_LOW || mode == IB_JOINT_HIGH;
    }
    if (watcher->supply >= 0) use->supply = ib_max(use->supply, signals[watcher->supply]);
    double volts = watcher->bus < 0 ? 0 : signals[watcher->bus];
    if (volts > 0) use->lowest = ib_min(use->lowest, volts); // 0: the main breaker is open
    note_events(rig, time, signals, use);
    return IB_TIME_NEVER;
}

static ib_Status attach(void *self, ib_Sim *sim, ib_Error *error)
{
    ib_Probe probe = {.self = self, .sample = look, .next = IB_TIME_NEVER, .each_step = true};
    prepare(self);
    return ib_sim_probe(sim, probe, error);
}

// --------------------------------------------------------------------------------------------- run

// Takes the loop's last tick from its share of the state.
static void take_tick(const Rig *rig, int64_t k, ib_TrialTick *tick)
{
    const ib_Loop *loop = rig->trial->loop;
    const ib_ControlModel *control = &rig->model->controls[rig->model->control_count - 1];
    const double *state = ib_sim_state(rig->sim) + control->state + rig->loop.ports.output_count;
    Places p = lay_out(loop);
    size_t states = (size_t)loop->states * sizeof *state;
    tick->t = (double)k * loop->period;
    memcpy(tick->x, state + p.x, (size_t)rig->states * sizeof *state);
    memcpy(tick->y, state + p.y, (size_t)ib_loop_measured(loop) * sizeof *state);
    memcpy(tick->estimate, state + p.estimate, states);
    memcpy(tick->next, state, states);
    memcpy(tick->r, state + p.r, states);
    memcpy(tick->u, state + p.u, (size_t)loop->inputs * sizeof *state);
}

// Steps from tick to tick and gives each one to the caller, until the end or until the caller
// gives up.
static ib_Status run(const Rig *rig, int64_t count,
                     void (*give)(void *self, const ib_TrialTick *tick), void *self,
                     ib_Error *error)
{
    const ib_Trial *trial = rig->trial;
    ib_TrialTick tick = {0};
    ib_Error ended;
    for (int64_t k = 0; k <= count; k++) {
        // Tick k is made with the period behind it.
        ib_Status status = ib_sim_advance(rig->sim, (k + 1) * rig->period, &ended);
        if (status != IB_OK) return ib_error_set(error, status, "it runs away: %.900s", ended.text);
        take_tick(rig, k, &tick);
        give(self, &tick);
        if (trial->give_up && trial->give_up(trial->give_up_self))
            return ib_error_set(error, IB_FAILED, "it took too long: given up at %g s", tick.t);
    }
    return IB_OK;
}

static void finish_use(const Rig *rig, const Watcher *watcher, ib_TrialUse *use)
{
    double whole = ib_time_to_seconds(ib_sim_time(rig->sim));
    *use = watcher->use;
    if (!rig->acts_on || !(whole > 0)) return;
    use->limited = watcher->limited_for / whole;
    use->stopped = watcher->stopped_for / whole;
}

// Puts a whole robot at the start of the trial.
static ib_Status place(const Rig *rig, ib_Error *error)
{
    ib_LineariseQuery query = {
        .states = rig->names, .state_count = rig->states, .x0 = rig->trial->start};
    size_t count = (size_t)rig->model->state_count;
    double *state = ib_arena_array((ib_Arena *)&rig->arena, count, sizeof *state);
    if (!state) return no_memory(error);
    memcpy(state, ib_sim_state(rig->sim), count * sizeof *state);
    ib_Status status = ib_linearise_place(rig->model, &query, state, error);
    if (status == IB_OK) ib_sim_restore(rig->sim, 0, 0, state);
    return status;
}

ib_Status ib_trial_run(const ib_Trial *trial, void (*tick)(void *self, const ib_TrialTick *tick),
                       void *self, ib_TrialUse *use, ib_Error *error)
{
    const ib_Loop *loop = trial->loop;
    Rig rig = {.trial = trial,
               .states = ib__trial_states(trial),
               .period = ib_time_from_seconds(loop->period)};
    Watcher watcher = {.rig = &rig, .use = {NAN, INFINITY, NAN, NAN, NAN, NAN, 0, {{0}}}};
    int64_t count = (int64_t)ib_min(floor(trial->duration / loop->period + 0.5), TICKS_MAX);
    double duration = (double)(count + 1) * ib_time_to_seconds(rig.period);
    ib_Status status = build(&rig, duration, error);
    if (status == IB_OK)
        status =
            ib_run_begin(rig.model, rig.acts_on && use ? attach : NULL, &watcher, &rig.sim, error);
    if (status == IB_OK && is_whole(&rig)) status = place(&rig, error);
    if (status == IB_OK) status = run(&rig, count, tick, self, error);
    if (use && rig.sim) finish_use(&rig, &watcher, use);
    ib_sim_destroy(rig.sim);
    ib_arena_reset(&rig.arena);
    return status;
}
