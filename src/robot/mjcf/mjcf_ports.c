// robot/mjcf/mjcf_ports.c: what goes in and what is to be seen, as the file has it.
#include "robot/mjcf/mjcf.h"
#include "world/mujoco_model.h"

#include <string.h>

// ----------------------------------------------------------------------------------------- signals

static const ib_SignalDef whole[IB_MJCF_OF_ALL] = {
    [IB_MJCF_COM_X] = {"centre.x", "m", "centre of mass of all bodies, field frame", 1e5},
    [IB_MJCF_COM_Y] = {"centre.y", "m", "centre of mass of all bodies, field frame", 1e5},
    [IB_MJCF_COM_Z] = {"centre.z", "m", "height of the centre of mass of all bodies", 1e5},
    [IB_MJCF_GROUND] = {"ground.force", "N", "force of all that stands still on the rest, upwards",
                        0, IB_MEANS(.headline = 3)},
    [IB_MJCF_TOUCHING] = {"ground.contacts", "1", "points at which any two bodies push", 0},
    [IB_MJCF_CONTACT] = {"contact.force", "N", "sum of the sizes of all contact forces", 0},
    [IB_MJCF_KINETIC] = {"energy.kinetic", "J", "energy of motion of all bodies", 1e12},
    [IB_MJCF_POTENTIAL] = {"energy.potential", "J", "energy of height and of springs", 1e12},
};

static const ib_SignalDef of_first[IB_MJCF_OF_FREE] = {
    [IB_MJCF_X] = {"pose.x", "m", "place of the first free body, field frame", 1e5,
                   IB_MEANS(.role = IB_ROLE_POSE_X, .headline = 2)},
    [IB_MJCF_Y] = {"pose.y", "m", "place of the first free body, field frame", 1e5,
                   IB_MEANS(.role = IB_ROLE_POSE_Y, .headline = 2)},
    [IB_MJCF_Z] = {"pose.z", "m", "height of the first free body", 1e5, IB_MEANS(.headline = 1)},
    [IB_MJCF_HEADING] = {"pose.heading", "rad", "heading of the first free body", 1e6,
                         IB_MEANS(.role = IB_ROLE_POSE_HEADING, .shown = "deg")},
    [IB_MJCF_PITCH] = {"pose.pitch", "rad", "its pitch; positive: the front dips", 0,
                       IB_MEANS(.shown = "deg")},
    [IB_MJCF_ROLL] = {"pose.roll", "rad", "its roll; positive: the right side dips", 0,
                      IB_MEANS(.shown = "deg")},
};

static const ib_SignalDef of_motion[IB_MJCF_OF_MOTION] = {
    [IB_MJCF_VX] = {"velocity.x", "m/s", "velocity of the first free body, field frame", 1e4,
                    IB_MEANS(.role = IB_ROLE_VELOCITY_X)},
    [IB_MJCF_VY] = {"velocity.y", "m/s", "velocity of the first free body, field frame", 1e4,
                    IB_MEANS(.role = IB_ROLE_VELOCITY_Y)},
    [IB_MJCF_VZ] = {"velocity.z", "m/s", "velocity of the first free body, upwards", 1e4},
    [IB_MJCF_YAW_RATE] = {"velocity.heading", "rad/s", "rate of its turn about the vertical", 1e5,
                          IB_MEANS(.role = IB_ROLE_YAW_RATE)},
};

static const ib_SignalDef of_free[IB_MJCF_OF_FREE] = {
    [IB_MJCF_X] = {"x", "m", "place of the body, field frame", 1e5},
    [IB_MJCF_Y] = {"y", "m", "place of the body, field frame", 1e5},
    [IB_MJCF_Z] = {"z", "m", "height of the body", 1e5},
    [IB_MJCF_HEADING] = {"heading", "rad", "heading of the body", 0, IB_MEANS(.shown = "deg")},
    [IB_MJCF_PITCH] = {"pitch", "rad", "its pitch; positive: the front dips", 0,
                       IB_MEANS(.shown = "deg")},
    [IB_MJCF_ROLL] = {"roll", "rad", "its roll; positive: the right side dips", 0,
                      IB_MEANS(.shown = "deg")},
};

static const ib_SignalDef of_hinge[] = {
    {"angle", "rad", "angle of the joint", 1e6, IB_MEANS(.shown = "deg", .headline = 2)},
    {"velocity", "rad/s", "rate of the joint", 1e5},
};

static const ib_SignalDef of_slide[] = {
    {"position", "m", "position of the joint", 1e5, IB_MEANS(.headline = 2)},
    {"velocity", "m/s", "velocity of the joint", 1e4},
};

static const ib_SignalDef of_ball[] = {
    {"heading", "rad", "turn of the joint about z", 0, IB_MEANS(.shown = "deg")},
    {"pitch", "rad", "then about the new y", 0, IB_MEANS(.shown = "deg")},
    {"roll", "rad", "then about the new x", 0, IB_MEANS(.shown = "deg")},
};

#define ROWS(table) (int)(sizeof table / sizeof table[0])

static bool add_joint(ib_MjcfModel *model, int index, ib_SignalTable *table)
{
    ib_MjcfJoint *joint = &model->joints[index];
    bool first = index == model->free, body = joint->motion == IB_MUJOCO_FREE;
    const char *prefix =
        ib_arena_format(table->arena, "%s.%s", body ? "body" : "joint", joint->name);
    if (!prefix) return false;
    if (first)
        joint->signal = ib_signals_add(table, "", of_first, IB_MJCF_OF_FREE);
    else if (body)
        joint->signal = ib_signals_add(table, prefix, of_free, IB_MJCF_OF_FREE);
    else if (joint->motion == IB_MUJOCO_BALL)
        joint->signal = ib_signals_add(table, prefix, of_ball, ROWS(of_ball));
    else if (joint->motion == IB_MUJOCO_SLIDE)
        joint->signal = ib_signals_add(table, prefix, of_slide, ROWS(of_slide));
    else
        joint->signal = ib_signals_add(table, prefix, of_hinge, ROWS(of_hinge));
    if (!first) return joint->signal >= 0;
    model->velocity_signal = ib_signals_add(table, "", of_motion, IB_MJCF_OF_MOTION);
    return joint->signal >= 0 && model->velocity_signal >= 0;
}

static const char *force_unit(const ib_MujocoActuator *actuator)
{
    return actuator->turns ? "N*m" : actuator->slides ? "N" : "1";
}

static bool add_signals(ib_MjcfModel *model, ib_SignalTable *table)
{
    bool all = ib_signals_add(table, "", whole, IB_MJCF_OF_ALL) >= 0;
    for (int i = 0; all && i < model->sizes.joints; i++) all = add_joint(model, i, table);
    model->actuator_signal = table->count;
    for (int i = 0; all && i < model->sizes.controls; i++) {
        ib_MujocoActuator actuator = ib_mujoco_actuator(model->world, i);
        ib_SignalDef row = {"force", force_unit(&actuator), "force or torque of the actuator", 0};
        const char *prefix = ib_arena_format(table->arena, "actuator.%s", model->actuators[i]);
        all = prefix && ib_signals_add(table, prefix, &row, 1) >= 0;
    }
    model->signal_count = table->count;
    return all;
}

// ------------------------------------------------------------------------------------------ inputs

static ib_InputDef input_of(const ib_MjcfModel *model, int index, const char *name)
{
    ib_MujocoActuator actuator = ib_mujoco_actuator(model->world, index);
    bool turns = actuator.turns;
    ib_InputDef input = {.name = name,
                         .unit = "1",
                         .sentence = "control of the file's actuator",
                         .role = IB_INPUT_COMMAND,
                         .neutral = model->controls[index],
                         .low = actuator.limited ? actuator.low : -1e9,
                         .high = actuator.limited ? actuator.high : 1e9,
                         .limit = actuator.limited ? "its ctrlrange in the file" : NULL,
                         .for_loops = true};
    if (actuator.drive == IB_MUJOCO_FORCE) {
        input.unit = force_unit(&actuator);
        input.sentence = turns ? "torque of the file's motor" : "force of the file's motor";
    } else if (actuator.drive == IB_MUJOCO_POSITION) {
        input.unit = turns ? "rad" : "m";
        input.sentence = turns ? "angle that the file's servo follows"
                               : "position that the file's servo follows";
        input.kept = true;
    } else if (actuator.drive == IB_MUJOCO_SPEED) {
        input.unit = turns ? "rad/s" : "m/s";
        input.sentence = "velocity that the file's servo follows";
    }
    if (input.neutral < input.low) input.neutral = input.low;
    if (input.neutral > input.high) input.neutral = input.high;
    return input;
}

static const ib_InputDef *make_inputs(const ib_MjcfModel *model, ib_Arena *arena)
{
    size_t count = (size_t)(IB_ENVIRONMENT_COUNT + model->sizes.controls);
    ib_InputDef *inputs = ib_arena_array(arena, count, sizeof *inputs);
    if (!inputs) return NULL;
    memcpy(inputs, ib_environment_inputs, sizeof ib_environment_inputs);
    for (int i = 0; i < model->sizes.controls; i++) {
        const char *name = ib_arena_format(arena, "actuator.%s", model->actuators[i]);
        if (!name) return NULL;
        inputs[IB_ENVIRONMENT_COUNT + i] = input_of(model, i, name);
    }
    return inputs;
}

// ------------------------------------------------------------------------------------------- ports

// States with a signal of the same value, so that one that runs away is called by its name.
static const ib_StateDef *make_states(const ib_MjcfModel *model, const ib_SignalDef *signals,
                                      ib_Arena *arena)
{
    ib_StateDef *states = ib_arena_array(arena, (size_t)model->state_count, sizeof *states);
    for (int i = 0; states && i < model->sizes.joints; i++) {
        const ib_MjcfJoint *joint = &model->joints[i];
        const ib_SignalDef *own = signals + joint->signal;
        if (joint->motion == IB_MUJOCO_BALL) continue;
        if (joint->motion == IB_MUJOCO_FREE) {
            for (int k = 0; k < 3; k++) states[joint->position + k].signal = own[k].name;
            continue;
        }
        states[joint->position].signal = own[0].name;
        states[joint->speed].signal = own[1].name;
    }
    if (states && model->free >= 0)
        states[model->sizes.states].signal =
            signals[model->joints[model->free].signal + IB_MJCF_HEADING].name;
    return states;
}

ib_Status ib_mjcf_ports(ib_MjcfModel *model, ib_Arena *arena, ib_RobotPorts *ports, ib_Error *error)
{
    ib_SignalTable table = {.arena = arena};
    bool all = add_signals(model, &table);
    double step = ib_mujoco_timestep(model->world);
    *ports = (ib_RobotPorts){
        .state_count = model->state_count,
        .states = all ? make_states(model, table.items, arena) : NULL,
        .inputs = make_inputs(model, arena),
        .input_count = IB_ENVIRONMENT_COUNT + model->sizes.controls,
        .signal_count = table.count,
        .signals = table.items,
        .resolution = step + 1e-9, // a grid has whole nanoseconds
        .memory = ib_mujoco_memory_kept(model->world),
        .step = step,
        .doubt = model->assumed,
        .geometry = all ? ib_mjcf_look(model, arena) : NULL,
    };
    if (!all || !ports->states || !ports->inputs || !ports->geometry)
        return ib_error_set(error, IB_FAILED, "out of memory for a model");
    return IB_OK;
}
