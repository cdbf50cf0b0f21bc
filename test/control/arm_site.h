// test/control/arm_site.h: a part like an arm's, and a loop of any kind opened on it.
#ifndef IB_TEST_ARM_SITE_H
#define IB_TEST_ARM_SITE_H

#include "control/controller_rig.h"

static const ib_ControlPin arm_states[] = {{.name = "reach.a", .unit = "rad", .local = "a"},
                                           {.name = "reach.ar", .unit = "rad/s", .local = "ar"},
                                           {.name = "reach.b", .unit = "rad", .local = "b"},
                                           {.name = "reach.br", .unit = "rad/s", .local = "br"}};
static const ib_ControlPin arm_inputs[] = {
    {.name = "reach.u", .unit = "V", .low = -12, .high = 12, .local = "u"},
    {.name = "reach.v", .unit = "V", .low = -10, .high = 11, .local = "v"}};
static const ib_ControlPart arm_part = {.name = "reach",
                                        .state_count = 4,
                                        .input_count = 2,
                                        .states = arm_states,
                                        .inputs = arm_inputs};

// With four sensors beside the part; `state` is reset, and has `room` for that many.
static inline ib_Status open_arm(const ib_ControllerKind *kind, const ib_ControlPart *on,
                                 const ib_ArmPlan *plan, const ib_ControlPin sensors[4],
                                 const Setting *settings, ib_Arena *arena,
                                 ib_Controller *controller, double *state, int room,
                                 ib_Error *error)
{
    ib_ControlSite site = {.loop = "reach",
                           .part = on,
                           .plan = plan,
                           .sensor_count = 4,
                           .sensors = sensors,
                           .command_count = 2,
                           .commands = arm_inputs};
    ib_arena_reset(arena);
    void *config = ib_arena_alloc(arena, kind->config_size);
    assert_int_equal(ib_schema_default(&kind->params, config, error), IB_OK);
    put_settings(&kind->params, settings, config);
    ib_Status status = ib_controller_init(kind, config, &site, arena, controller, error);
    if (status != IB_OK) return status;
    assert_true(controller->ports.state_count <= room);
    ib_controller_reset(controller, state);
    return status;
}

#endif
