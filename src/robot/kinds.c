#include "robot/assembly/assembly.h"
#include "robot/bench.h"
#include "robot/box.h"
#include "robot/kind.h"
#include "robot/motor_bench.h"
#include "robot/roomba/roomba.h"
#include "robot/tank/tank.h"

#include <string.h>

const ib_RobotKind *const ib_robot_kinds[] = {
    &ib_roomba_kind, &ib_tank_kind, &ib_box_kind, &ib_bench_kind, &ib_motor_bench_kind, NULL,
};

const ib_RobotKind *ib_robot_kind_find(const char *name)
{
    for (int i = 0; ib_robot_kinds[i]; i++)
        if (strcmp(ib_robot_kinds[i]->name, name) == 0) return ib_robot_kinds[i];
    return NULL;
}

// One kind alone, whatever stands on it.
static ib_Status init_base(const ib_RobotKind *kind, const void *config, ib_Arena *arena,
                           ib_Robot *robot, ib_Error *error)
{
    ib_RobotPorts *ports = &robot->ports;
    *robot = (ib_Robot){.kind = kind, .model = ib_arena_alloc(arena, kind->model_size)};
    if (!robot->model) return ib_error_set(error, IB_FAILED, "out of memory for the robot");
    ib_Status status = kind->check ? kind->check(config, error) : IB_OK;
    if (status == IB_OK) status = kind->init(config, arena, robot->model, ports, error);
    if (status != IB_OK) return status;
    if (!ports->inputs) {
        ports->inputs = ib_environment_inputs;
        ports->input_count = IB_ENVIRONMENT_COUNT;
    }
    IB_ASSERT(ports->input_count >= IB_ENVIRONMENT_COUNT);
    for (int i = 0; ports->states && i < ports->state_count; i++) {
        IB_ASSERT(!ports->states[i].signal || ib_robot_shown(ports, i) >= 0); // or it is misspelt
        IB_ASSERT(ports->states[i].role == IB_STATE_OWN || ports->planar);
    }
    return IB_OK;
}

ib_Status ib_robot_init(const ib_RobotKind *kind, const void *config, ib_Arena *arena,
                        ib_Robot *robot, ib_Error *error)
{
    const ib_OutfitConfig *outfit = kind->outfits ? config : NULL;
    bool alone = outfit && outfit->mechanisms.count == 0 && kind->rate;
    if (!outfit || (alone && (kind->powered || !outfit->air.on)))
        return init_base(kind, config, arena, robot, error);
    // The base carries the mechanisms' mass.
    void *own = ib_arena_alloc(arena, kind->config_size);
    if (!own) return ib_error_set(error, IB_FAILED, "out of memory for the robot");
    memcpy(own, config, kind->config_size);
    ib_Status status = ib_outfit_carry(own, error);
    if (status == IB_OK) status = init_base(kind, own, arena, robot, error);
    return status == IB_OK ? ib_assembly_init(own, arena, robot, error) : status;
}

int ib_robot_shown(const ib_RobotPorts *ports, int state)
{
    const char *name = ports->states ? ports->states[state].signal : NULL;
    for (int i = 0; name && i < ports->signal_count; i++)
        if (strcmp(ports->signals[i].name, name) == 0) return i;
    return -1;
}

#define ENVIRONMENT(name_, unit_, sentence_)                                                       \
    {                                                                                              \
        .name = name_, .unit = unit_, .sentence = sentence_, .role = IB_INPUT_ENVIRONMENT,         \
        .low = -1e9, .high = 1e9                                                                   \
    }

const ib_InputDef ib_environment_inputs[IB_ENVIRONMENT_COUNT] = {
    ENVIRONMENT("push.x", "N", "sum of the forces that push the robot, field x"),
    ENVIRONMENT("push.y", "N", "sum of the forces that push the robot, field y"),
    ENVIRONMENT("push.cross", "N*m", "torque of the pushes at heading 0"),
    ENVIRONMENT("push.dot", "N*m", "torque of the pushes at heading -90 degrees"),
    ENVIRONMENT("slope.x", "m/s^2", "gravity along a tilted floor, field x"),
    ENVIRONMENT("slope.y", "m/s^2", "gravity along a tilted floor, field y"),
    {.name = "gravity",
     .unit = "m/s^2",
     .sentence = "gravity of the field, which presses the robot to the floor",
     .role = IB_INPUT_ENVIRONMENT,
     .neutral = 9.80665,
     .low = 0,
     .high = 1e3},
};

ib_InputDef ib_gain_input(const char *signal)
{
    return (ib_InputDef){.name = signal,
                         .unit = "1",
                         .sentence = "factor on this signal",
                         .role = IB_INPUT_GAIN,
                         .neutral = 1,
                         .low = -1e3,
                         .high = 1e3};
}
