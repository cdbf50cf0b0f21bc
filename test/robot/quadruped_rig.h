// test/robot/quadruped_rig.h: a robot on legs, alone in a run, for claims about it.
#ifndef IB_TEST_QUADRUPED_RIG_H
#define IB_TEST_QUADRUPED_RIG_H

#include "cmocka_all.h"
#include "robot/quadruped/quadruped.h"
#include "sim/run.h"
#include "sim/sim.h"

#include <math.h>

#define DEG (M_PI / 180)

// A robot with its config, alone in a run of a fixed step.
typedef struct Rig {
    ib_QuadrupedConfig config;
    ib_RobotConfig robot;
    ib_Timeline
        inputs[IB_ENVIRONMENT_COUNT + 2 * IB_QUADRUPED_JOINTS]; ///< joints, valves that stick
    double value[IB_QUADRUPED_JOINTS];
    ib_SimConfig sim_config;
    ib_Arena arena;
    ib_Model *model;
    ib_Sim *sim;
    ib_Error error;
} Rig;

// The linkages are presets, which only a reader of files knows: as data/linkages.yaml has them.
static inline void set_linkages(ib_QuadrupedConfig *config)
{
    static const struct {
        double l1, l2, l3, offset, low, high, inches;
        int extension;
    } rows[] = {
        {0.22, 0.1715736836, 0.0511866947, 63.60829562, -47, 90, 3.75, IB_LINKAGE_RAISES},
        {0.1462, 0.1199129335, 0.0408068437, 110.46219763, -67, -1, 1.75, IB_LINKAGE_RAISES},
        {0.165, 0.1565311498, 0.0407079677, 165.97033460, 17, 95, 1.75, IB_LINKAGE_LOWERS},
    };
    for (int i = 0; i < IB_LEG_JOINTS; i++)
        config->joints[i].linkage =
            (ib_LinkageConfig){.given = 1,
                               .form = IB_LINKAGE_OFFSET,
                               .l1 = rows[i].l1,
                               .l2 = rows[i].l2,
                               .l3 = rows[i].l3,
                               .offset = rows[i].offset * DEG,
                               .extension = rows[i].extension,
                               .range = {rows[i].low * DEG, rows[i].high * DEG},
                               .stroke = rows[i].inches * 0.0254};
}

// The defaults of all rows under gravity 9.8 m/s^2, for `seconds` at 1 ms; inputs as held in
// `value`, of those joints that have one.
static inline void rig_default(Rig *rig, double seconds)
{
    static const ib_Time zero[] = {0};
    *rig = (Rig){.robot = {.name = "", .kind = &ib_quadruped_kind}};
    assert_int_equal(ib_schema_default(&ib_quadruped_kind.params, &rig->config, &rig->error),
                     IB_OK);
    assert_int_equal(ib_schema_default(&ib_quadruped_kind.start, &rig->config, &rig->error), IB_OK);
    rig->config.friction = ib_friction_default();
    set_linkages(&rig->config);
    rig->config.gravity = 9.8;
    rig->robot.config = &rig->config;
    rig->robot.inputs = rig->inputs;
    for (int i = 0; i < IB_QUADRUPED_JOINTS; i++)
        rig->inputs[IB_ENVIRONMENT_COUNT + i] = (ib_Timeline){0, zero, &rig->value[i], false};
    rig->sim_config = (ib_SimConfig){.robots = &rig->robot,
                                     .robot_count = 1,
                                     .solver = ib_solver_default(),
                                     .step = IB_SECOND / 1000,
                                     .gravity = 9.80665,
                                     .duration = ib_time_from_seconds(seconds)};
}

static inline const ib_QuadrupedModel *rig_start(Rig *rig)
{
    ib_Robot made;
    ib_Status status = ib_robot_init(&ib_quadruped_kind, &rig->config, &rig->arena, &made, NULL);
    rig->robot.input_count = status == IB_OK ? made.ports.input_count : 0;
    status = ib_model_create(&rig->sim_config, &rig->arena, &rig->model, &rig->error);
    if (status == IB_OK) status = ib_sim_create(rig->model, &rig->sim, &rig->error);
    if (status != IB_OK) print_message("%s\n", rig->error.text);
    assert_int_equal(status, IB_OK);
    return ib_parts_own(rig->model->robots[0].model);
}

static inline void rig_hold(Rig *rig, int joint, double value)
{
    rig->inputs[IB_ENVIRONMENT_COUNT + joint].count = 1;
    rig->value[joint] = value;
}

static inline void rig_run(Rig *rig, double seconds)
{
    ib_Status status = ib_sim_advance(rig->sim, ib_time_from_seconds(seconds), &rig->error);
    if (status != IB_OK) print_message("%s\n", rig->error.text);
    assert_int_equal(status, IB_OK);
}

static inline void rig_end(Rig *rig)
{
    ib_sim_destroy(rig->sim);
    ib_arena_reset(&rig->arena);
}

static inline double look(const Rig *rig, const char *name)
{
    static double signals[512];
    int index = ib_signals_find(&rig->model->signals, name);
    assert_true(index >= 0 && rig->model->signals.count <= 512);
    ib_sim_sample(rig->sim, signals);
    return signals[index];
}

#endif
