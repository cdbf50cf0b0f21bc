// control/feedback/feedback_controller.c: a designed loop on a robot: it holds the states given as
// goals. Its page is docs/control/state_feedback.md.
//   control: {lift: {design: lift.yaml}}
#include "control/controller.h"
#include "control/feedback/state_feedback.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Config {
    ib_WiringConfig wiring;
} Config;

typedef struct Model {
    const ib_Loop *loop;
    bool shifts; ///< the last measurement is the gear
    int goals;   ///< states that can be wanted: all but estimated errors of inputs
    int goal[IB_STATES_MAX];
} Model;

// ------------------------------------------------------------------------------------------- ports

static const char *unit_or_none(const char *unit)
{
    return unit[0] ? unit : "1";
}

// The mechanism's own state that a state of the design is called like, or NULL.
static const ib_ControlPin *part_state(const ib_ControlSite *site, int state)
{
    return site->part ? ib_part_state(site->part, site->design->gear[0].plant.state[state]) : NULL;
}

// A plant given by matrices alone has the units of the mechanism.
static const char *state_unit(const ib_ControlSite *site, int state)
{
    const char *own = site->design->state_unit[state];
    const ib_ControlPin *pin = own[0] ? NULL : part_state(site, state);
    return pin ? pin->unit : unit_or_none(own);
}

// The goal of a state: "goal.x"; of a part's loop "lift.goal.position" or "lift.goal.x", and the
// first also "lift.goal".
static bool name_goal(const ib_ControlSite *site, int state, bool first, ib_Arena *arena,
                      ib_ControlCommand *command)
{
    const ib_Loop *loop = site->design;
    const char *own = loop->gear[0].plant.state[state], *unit = loop->state_unit[state];
    const ib_ControlPin *pin = part_state(site, state);
    const char *tail = pin ? pin->name + strlen(site->part->name) + 1 : own;
    const char *names[] = {ib_site_name(site, arena, "goal"),
                           ib_site_name(site, arena, ib_arena_format(arena, "goal.%s", tail)),
                           ib_site_name(site, arena, ib_arena_format(arena, "goal.%s", own))};
    bool short_name = first && site->loop[0];
    *command =
        (ib_ControlCommand){.name = short_name ? names[0] : names[site->loop[0] ? 1 : 2],
                            .unit = pin ? pin->unit : unit_or_none(unit),
                            .sentence = ib_arena_format(arena, "wanted %s%s", pin ? pin->name : own,
                                                        pin || unit[0] ? "" : ", SI"),
                            .neutral = loop->start[state],
                            .low = -DBL_MAX,
                            .high = DBL_MAX,
                            .required = short_name,
                            .kept = true};
    if (pin) ib_command_limit(pin, command);
    command->also[0] = short_name || !first ? names[site->loop[0] ? 1 : 2] : names[0];
    command->also[1] = names[2];
    return names[0] && names[1] && names[2] && command->sentence;
}

// Estimates, outputs, goals.
static ib_SignalDef *make_signals(const ib_ControlSite *site, const Model *model, ib_Arena *arena,
                                  ib_ControlPorts *ports)
{
    const ib_Loop *loop = site->design;
    const ib_StateSpace *plant = &loop->gear[0].plant;
    int n = plant->states, shown = n + plant->inputs, count = shown + model->goals;
    ib_SignalDef *signals = ib_arena_array(arena, (size_t)count, sizeof *signals);
    if (!signals) return NULL;
    for (int i = 0; i < n; i++)
        signals[i] = (ib_SignalDef){.name = ib_arena_format(arena, "estimate.%s", plant->state[i]),
                                    .unit = state_unit(site, i),
                                    .sentence = "state that is estimated for the next tick, SI"};
    for (int i = 0; i < plant->inputs; i++)
        signals[n + i] = (ib_SignalDef){
            .name = ib_arena_format(arena, "output.%s", plant->input[i]),
            .unit = unit_or_none(loop->input_unit[i]),
            .sentence = "input of the plant that the loop gives, within its limits, SI"};
    for (int i = 0; i < model->goals; i++)
        signals[shown + i] =
            (ib_SignalDef){.name = ib_arena_format(arena, "goal.%s", plant->state[model->goal[i]]),
                           .unit = ports->commands[i].unit,
                           .sentence = ports->commands[i].sentence};
    for (int i = 0; i < count; i++)
        if (!signals[i].name) return NULL;
    ports->signal_count = count;
    ports->signals = signals;
    return signals;
}

// True if the robot shifts, by a command of this name.
static bool has_gear(const ib_ControlSite *site)
{
    return site->design->gears > 1 && ib_site_command(site, "gear");
}

// A sensor must have the design's unit, if both have one.
static ib_Status check_unit(const ib_ControlPin *pin, const char *key, int index,
                            const char *expected, const char *of, ib_Error *error)
{
    if (!expected[0] || strcmp(expected, pin->unit) == 0) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "%s.%d: '%s' is in %s, but %s of the design is in %s",
                        key, index, pin->name, pin->unit, of, expected);
}

// The state of measurement number `index`; -1: a mixture, or no state's name.
static int measured_state(const ib_Loop *loop, int index)
{
    const ib_StateSpace *plant = &loop->gear[0].plant;
    if (!loop->observer) return index;
    for (int i = 0; i < loop->states; i++)
        if (strcmp(plant->state[i], plant->output[index]) == 0) return i;
    return -1;
}

// Takes the unit of the wired signal if neither design nor mechanism has one.
static void take_unit(const ib_ControlPin *pin, const char *own, ib_SignalDef *signal)
{
    if (!own[0] && strcmp(signal->unit, "1") == 0) signal->unit = pin->unit;
}

// An estimate of a robot's signal has the signal's limit of plausibility.
static void take_limit(const ib_ControlSite *site, const ib_ControlPin *pin, ib_SignalDef *estimate)
{
    const char *name = pin->signal ? pin->signal : pin->name;
    for (int i = 0; i < site->signal_count; i++) {
        const ib_SignalDef *own = &site->signals[i];
        if (strcmp(own->name, name) == 0 && strcmp(own->unit, estimate->unit) == 0)
            estimate->limit = own->limit;
    }
}

// Wires measurements and outputs by name; `signals`: units of estimates and inputs.
static ib_Status wire(const Config *config, const ib_ControlSite *site, ib_SignalDef *signals,
                      const char **measurements, const char **outputs, ib_Error *error)
{
    const ib_Loop *loop = site->design;
    const ib_StateSpace *plant = &loop->gear[0].plant;
    const char *what = loop->observer ? "output of the design" : "state of the design";
    int measured = ib_loop_measured(loop);
    ib_ControlPin pin;
    ib_Status status = IB_OK;
    for (int i = 0; status == IB_OK && i < measured; i++) {
        const char *wanted = loop->observer ? plant->output[i] : plant->state[i];
        status =
            ib_site_reading(site, &config->wiring.sensors, i, measured, wanted, what, &pin, error);
        int state = measured_state(loop, i);
        const char *unit = state < 0 ? "" : loop->state_unit[state];
        if (status == IB_OK) status = check_unit(&pin, "sensors", i, unit, wanted, error);
        if (status == IB_OK && state >= 0) take_unit(&pin, unit, &signals[state]);
        if (status == IB_OK && state >= 0) take_limit(site, &pin, &signals[state]);
        measurements[i] = pin.name;
    }
    for (int i = 0; status == IB_OK && i < loop->inputs; i++) {
        status = ib_site_setting(site, &config->wiring.inputs, i, loop->inputs, plant->input[i],
                                 "input of the design", &pin, error);
        if (status == IB_OK)
            status = check_unit(&pin, "inputs", i, loop->input_unit[i], plant->input[i], error);
        if (status == IB_OK) take_unit(&pin, loop->input_unit[i], &signals[loop->states + i]);
        outputs[i] = pin.name;
    }
    if (has_gear(site)) measurements[measured] = "gear";
    return status;
}

static ib_Status init(const void *config, const ib_ControlSite *site, ib_Arena *arena, void *model_,
                      ib_ControlPorts *ports, ib_Error *error)
{
    Model *model = model_;
    const ib_Loop *loop = site->design;
    int measured = ib_loop_measured(loop);
    *model = (Model){.loop = loop, .shifts = has_gear(site)};
    const char **measurements = ib_arena_array(arena, (size_t)measured + 1, sizeof *measurements);
    const char **outputs = ib_arena_array(arena, (size_t)loop->inputs, sizeof *outputs);
    ib_ControlCommand *commands = ib_arena_array(arena, (size_t)loop->states, sizeof *commands);
    bool good = measurements && outputs && commands;
    for (int i = 0; good && i < loop->states; i++) {
        if (!strncmp(loop->gear[0].plant.state[i], "error_", 6)) continue;
        good = name_goal(site, i, model->goals == 0, arena, &commands[model->goals]);
        model->goal[model->goals++] = i;
    }
    ports->commands = commands;
    ib_SignalDef *signals = good ? make_signals(site, model, arena, ports) : NULL;
    if (!signals) return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    ports->state_count = ib_feedback_states(loop);
    ports->command_count = model->goals;
    ports->measurement_count = measured + model->shifts;
    ports->measurements = measurements;
    ports->output_count = loop->inputs;
    ports->outputs = outputs;
    return wire(config, site, signals, measurements, outputs, error);
}

// -------------------------------------------------------------------------------------- one period

static void reset(const void *model, double *state)
{
    ib_feedback_reset(((const Model *)model)->loop, NULL, 0, state);
}

static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    const ib_Loop *loop = model->loop;
    double r[IB_STATES_MAX] = {0};
    for (int i = 0; i < model->goals; i++) r[model->goal[i]] = tick->command[i];
    int gear = model->shifts ? (int)tick->measurement[ib_loop_measured(loop)] : 0;
    if (gear < 0 || gear >= loop->gears) gear = 0;
    ib_feedback_step(loop, tick->measurement, r, NULL, gear, output, state);
    return IB_CONTROL_OK;
}

static void show(const void *model_, const double *command, const double *state, double *signals)
{
    const Model *model = model_;
    const ib_Loop *loop = model->loop;
    int n = loop->states, m = loop->inputs;
    memcpy(signals, state, (size_t)n * sizeof *signals);
    memcpy(signals + n, state + ib_feedback_parts(loop).u, (size_t)m * sizeof *signals);
    memcpy(signals + n + m, command, (size_t)model->goals * sizeof *signals);
}

static const ib_Param params[] = {IB_WIRING_ROWS};

const ib_ControllerKind ib_feedback_kind = {
    .name = "feedback",
    .sentence = "a loop from the design desk, which holds the states given as goals",
    .docs = "docs/control/state_feedback.md",
    IB_CONTROLLER_TABLES(Config, Model),
    .designed = true,
    IB_CONTROLLER_FUNCTIONS,
};
