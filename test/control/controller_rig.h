// test/control/controller_rig.h: a loop without a file: one that reads the first state of a part,
// in any unit, and sets its first input.
//   ControllerRig rig;
//   rig_open(&rig, &ib_pid_kind, "rad", "V", 12, settings);
//   double volts = rig_step(&rig, goal, measured);
//   rig_close(&rig);
#ifndef IB_TEST_CONTROLLER_RIG_H
#define IB_TEST_CONTROLLER_RIG_H

#include "control/controller.h"
#include "setting.h"

enum { RIG_STATES = 64, RIG_SIGNALS = 32 };

// What else the robot shows.
static const ib_SignalDef rig_signals[] = {{"part.velocity", "m/s", "", 0},
                                           {"part.acceleration", "m/s^2", "", 0},
                                           {"cap.pressure", "Pa", "", 0},
                                           {"rod.pressure", "Pa", "", 0}};

typedef struct ControllerRig {
    ib_Arena arena;
    ib_ControlPin reads, sets; ///< part.value, "x" at the desk; part, "u" at the desk
    ib_ControlPart part;
    ib_ControlSite site;
    ib_Schema params; ///< of the kind, with these units
    ib_Controller controller;
    ib_Time now;
    double state[RIG_STATES], signals[RIG_SIGNALS];
    ib_Error error;
} ControllerRig;

// Makes the loop; a refusal comes back with its words in rig->error. It sets up to `most` less or
// more than a neutral value.
static inline ib_Status rig_try_about(ControllerRig *rig, const ib_ControllerKind *kind,
                                      const char *reads, const char *sets, double neutral,
                                      double most, const Setting *settings)
{
    *rig = (ControllerRig){0};
    rig->reads = (ib_ControlPin){
        .name = "part.value", .unit = reads, .low = -INFINITY, .high = INFINITY, .local = "x"};
    rig->sets = (ib_ControlPin){.name = "part",
                                .unit = sets,
                                .neutral = neutral,
                                .low = neutral - most,
                                .high = neutral + most,
                                .local = "u"};
    rig->part = (ib_ControlPart){.name = "part",
                                 .state_count = 1,
                                 .input_count = 1,
                                 .states = &rig->reads,
                                 .inputs = &rig->sets};
    rig->site = (ib_ControlSite){
        .loop = "part", .part = &rig->part, .signal_count = 4, .signals = rig_signals};
    void *config = ib_arena_alloc(&rig->arena, kind->config_size);
    assert_non_null(config);
    assert_true(ib_controller_params(kind, reads, sets, &rig->arena, &rig->params));
    if (ib_schema_default(&rig->params, config, &rig->error) != IB_OK)
        fail_msg("%s: %s", kind->name, rig->error.text);
    put_settings(&rig->params, settings, config);
    ib_Status status =
        ib_controller_init(kind, config, &rig->site, &rig->arena, &rig->controller, &rig->error);
    if (status != IB_OK) return status;
    assert_in_range(rig->controller.ports.state_count, 0, RIG_STATES);
    assert_in_range(rig->controller.ports.signal_count, 0, RIG_SIGNALS);
    ib_controller_reset(&rig->controller, rig->state);
    return IB_OK;
}

// The same about 0.
static inline ib_Status rig_try(ControllerRig *rig, const ib_ControllerKind *kind,
                                const char *reads, const char *sets, double most,
                                const Setting *settings)
{
    return rig_try_about(rig, kind, reads, sets, 0, most, settings);
}

static inline void rig_open(ControllerRig *rig, const ib_ControllerKind *kind, const char *reads,
                            const char *sets, double most, const Setting *settings)
{
    if (rig_try(rig, kind, reads, sets, most, settings) != IB_OK)
        fail_msg("%s: %s", kind->name, rig->error.text);
}

static inline void rig_close(ControllerRig *rig)
{
    ib_arena_reset(&rig->arena);
}

// One period: what it sets for this goal, its slope and all measurements. rig->signals are then
// what it shows.
static inline double rig_step_all(ControllerRig *rig, double goal, double slope,
                                  const double *measured)
{
    const ib_Controller *c = &rig->controller;
    double output = NAN;
    ib_ControlTick tick = {
        .time = rig->now, .command = &goal, .measurement = measured, .slope = &slope};
    assert_int_equal(c->kind->step(c->model, &tick, rig->state, &output), IB_CONTROL_OK);
    if (c->kind->show) c->kind->show(c->model, &goal, rig->state, rig->signals);
    rig->now += c->period;
    return output;
}

// The same of a goal that stands, and one measurement.
static inline double rig_step(ControllerRig *rig, double goal, double measured)
{
    return rig_step_all(rig, goal, 0, &measured);
}

// A continuous one at an instant: what it sets, the rates of its states, and what it shows.
static inline double rig_law(ControllerRig *rig, double goal, double slope, const double *measured,
                             double *rate)
{
    const ib_Controller *c = &rig->controller;
    double output = NAN;
    ib_ControlInstant now = {.command = &goal, .slope = &slope, .measurement = measured};
    c->kind->law(c->model, &now, rig->state, &output, rate);
    c->kind->law_show(c->model, &now, rig->state, rig->signals);
    return output;
}

#endif
