// robot/quadruped/quadruped_ports.c: what goes in and what is to be seen: of the whole, of each
// joint, of each foot.
#include "plant/air.h"
#include "robot/quadruped/quadruped_inside.h"
#include "world/mujoco_model.h"

#include <math.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- signals

static const ib_SignalDef whole[IB_QUAD_OF_ALL] = {
    [IB_QUAD_X] = {"pose.x", "m", "place of the body, field frame", 1e5,
                   IB_MEANS(.role = IB_ROLE_POSE_X, .headline = 1)},
    [IB_QUAD_Y] = {"pose.y", "m", "place of the body, field frame", 1e5,
                   IB_MEANS(.role = IB_ROLE_POSE_Y)},
    [IB_QUAD_Z] = {"pose.z", "m", "height of the body", 1e5, IB_MEANS(.headline = 1)},
    [IB_QUAD_HEADING] = {"pose.heading", "rad", "heading of the body, counter-clockwise", 1e6,
                         IB_MEANS(.role = IB_ROLE_POSE_HEADING, .shown = "deg")},
    [IB_QUAD_PITCH] = {"pose.pitch", "rad", "pitch of the body; positive: the front dips", 0,
                       IB_MEANS(.shown = "deg", .headline = 1)},
    [IB_QUAD_ROLL] = {"pose.roll", "rad", "roll of the body; positive: the right side dips", 0,
                      IB_MEANS(.shown = "deg", .headline = 1)},
    [IB_QUAD_VX] = {"velocity.x", "m/s", "velocity of the body, field frame", 1e4,
                    IB_MEANS(.role = IB_ROLE_VELOCITY_X)},
    [IB_QUAD_VY] = {"velocity.y", "m/s", "velocity of the body, field frame", 1e4,
                    IB_MEANS(.role = IB_ROLE_VELOCITY_Y)},
    [IB_QUAD_VZ] = {"velocity.z", "m/s", "velocity of the body, upwards", 1e4},
    [IB_QUAD_YAW_RATE] = {"velocity.heading", "rad/s", "rate of the body's turn about the vertical",
                          1e5, IB_MEANS(.role = IB_ROLE_YAW_RATE)},
    [IB_QUAD_COM_X] = {"centre.x", "m", "centre of mass of the whole robot, field frame", 1e5},
    [IB_QUAD_COM_Y] = {"centre.y", "m", "centre of mass of the whole robot, field frame", 1e5},
    [IB_QUAD_COM_Z] = {"centre.z", "m", "height of the centre of mass of the whole robot", 1e5},
    [IB_QUAD_GROUND] = {"ground.force", "N", "force of the ground on all of the robot, upwards", 0,
                        IB_MEANS(.headline = 1)},
    [IB_QUAD_CONTACTS] = {"ground.contacts", "1", "points at which the ground pushes", 0},
    [IB_QUAD_KINETIC] = {"energy.kinetic", "J", "energy of motion of all bodies", 1e9},
    [IB_QUAD_POTENTIAL] = {"energy.potential", "J", "energy of height of all bodies, from z = 0 on",
                           1e9},
};

static const ib_SignalDef of_joint[IB_QUAD_OF_JOINT] = {
    [IB_QUAD_ANGLE] = {"angle", "rad", "angle of the joint", 100,
                       IB_MEANS(.shown = "deg", .headline = 2)},
    [IB_QUAD_RATE] = {"velocity", "rad/s", "rate of the joint", 1e5},
    [IB_QUAD_TORQUE] = {"torque", "N*m", "torque of the drive on the joint", 1e6},
    [IB_QUAD_STROKE] = {"position", "m", "how far the cylinder's rod is out", 10,
                        IB_MEANS(.shown = "mm")},
    [IB_QUAD_SPEED] = {"speed", "m/s", "speed of the rod, outwards", 1e4},
    [IB_QUAD_FORCE] = {"force", "N", "force of the air on the piston, outwards", 1e7},
    [IB_QUAD_FRICTION] = {"friction", "N", "friction of the seals, against positive motion", 1e7},
    [IB_QUAD_CAP] = {"cap.pressure", "Pa", "pressure on the cap side, absolute", 1e9,
                     IB_MEANS(.shown = "kPa", .headline = 3)},
    [IB_QUAD_ROD] = {"rod.pressure", "Pa", "pressure on the rod side, absolute", 1e9,
                     IB_MEANS(.shown = "kPa", .headline = 3)},
    [IB_QUAD_VALVE] = {"valve", "V", "voltage of the valve", 0},
    [IB_QUAD_SWING] = {"swing", "rad",
                       "angle of the cylinder about its pivot, from where it is at "
                       "angle 0 of the joint",
                       100, IB_MEANS(.shown = "deg")},
};

static const ib_SignalDef of_leg[IB_QUAD_OF_LEG] = {
    [IB_QUAD_FOOT_X] = {"foot.x", "m", "place of the foot's centre, field frame", 1e5},
    [IB_QUAD_FOOT_Y] = {"foot.y", "m", "place of the foot's centre, field frame", 1e5},
    [IB_QUAD_FOOT_Z] = {"foot.z", "m", "height of the foot's centre", 1e5},
    [IB_QUAD_FORCE_X] = {"foot.force.x", "N", "force of the ground on the leg's tibia", 0},
    [IB_QUAD_FORCE_Y] = {"foot.force.y", "N", "force of the ground on the leg's tibia", 0},
    [IB_QUAD_FORCE_Z] = {"foot.force.z", "N", "force of the ground on the leg's tibia, upwards", 0},
};

static const ib_SignalDef of_air[IB_QUAD_OF_AIR] = {
    [IB_QUAD_SUPPLY] = {"supply.pressure", "Pa", "pressure of the supply at the valves, absolute",
                        1e9, IB_MEANS(.shown = "kPa")},
    [IB_QUAD_USED] = {"air.used", "kg", "air that the valves have taken from the supply so far", 0,
                      IB_MEANS(.headline = 2)},
    [IB_QUAD_VENTED] = {"air.vented", "kg", "air let out so far, leaks included", 0},
    [IB_QUAD_TANK] = {IB_NAME_AIR_PRESSURE, "Pa",
                      "pressure in the tank, absolute; without one, of what feeds the supply", 1e9,
                      IB_MEANS(.shown = "kPa", .headline = 3)},
    [IB_QUAD_DELIVERED] = {"air.compressed", "kg",
                           "air that the compressor has delivered so far, or what stands for it",
                           0},
    [IB_QUAD_AIR_ERROR] = {"air.error", "kg",
                           "error of the book of the air: used - vented - gained", 0},
    [IB_QUAD_COMPRESSOR] = {IB_NAME_ENERGY("compressor"), "J",
                            "energy that it took to compress what was delivered", 0,
                            IB_MEANS(.headline = 2)},
    [IB_QUAD_E_SUPPLY] = {IB_NAME_ENERGY("supply"), "J",
                          "enthalpy of the air taken from the supply", 0,
                          IB_MEANS(.role = IB_ROLE_SUPPLIED)},
    [IB_QUAD_E_HEAT] = {IB_NAME_ENERGY("heat"), "J", "heat from the cylinders' walls so far", 0,
                        IB_MEANS(.role = IB_ROLE_GIVEN)},
    [IB_QUAD_E_START] = {IB_NAME_ENERGY("start"), "J", "energy of the air at the start", 0,
                         IB_MEANS(.role = IB_ROLE_GIVEN)},
    [IB_QUAD_E_AIR] = {IB_NAME_ENERGY("air"), "J", "internal energy of the air in all chambers", 0,
                       IB_MEANS(.role = IB_ROLE_STORED)},
    [IB_QUAD_E_WORK] = {IB_NAME_ENERGY("work"), "J", "work of the air on the pistons so far", 0,
                        IB_MEANS(.role = IB_ROLE_LOST, .headline = 3)},
    [IB_QUAD_E_EXHAUST] = {IB_NAME_ENERGY("exhaust"), "J", "enthalpy of the air let out so far", 0,
                           IB_MEANS(.role = IB_ROLE_LOST)},
    [IB_QUAD_E_LEAK] = {IB_NAME_ENERGY("leak"), "J", "enthalpy of the air leaked so far", 0,
                        IB_MEANS(.role = IB_ROLE_LOST)},
    [IB_QUAD_E_ERROR] = {IB_NAME_ENERGY("error"), "J",
                         "error of the air's book: all that came in - all the others", 0,
                         IB_MEANS(.role = IB_ROLE_BALANCE)},
};

static const ib_SignalDef of_wheel[IB_QUAD_OF_WHEEL] = {
    [IB_QUAD_WHEEL_ANGLE] = {"angle", "rad", "angle of the wheel, forward", 1e6,
                             IB_MEANS(.shown = "deg")},
    [IB_QUAD_WHEEL_RATE] = {"velocity", "rad/s", "rate of the wheel, forward", 1e5},
    [IB_QUAD_WHEEL_FORCE] = {"force", "N", "force of the ground on the wheel, upwards", 0},
};

// A body that is held has nothing to tell, and the joints of several legs would crowd out the rest.
static void choose_headlines(const ib_QuadrupedModel *model, ib_SignalTable *table, int first)
{
    for (int i = 0; i < IB_QUAD_OF_ALL && !model->free; i++)
        table->items[first + i].means.headline = 0;
    for (int i = 0; i < model->joint_count && model->leg_count > 1; i++) {
        ib_SignalDef *own = table->items + model->joints[i].signal;
        int count = model->joints[i].cylinder >= 0 ? IB_QUAD_OF_JOINT : IB_QUAD_PLAIN;
        for (int k = 0; k < count; k++) own[k].means.headline = 0;
    }
}

static bool add_signals(ib_QuadrupedModel *model, ib_SignalTable *table)
{
    ib_Arena *arena = table->arena;
    int first = ib_signals_add(table, "", whole, IB_QUAD_OF_ALL);
    bool all = first >= 0;
    for (int i = 0; i < model->joint_count; i++) {
        ib_LegJointModel *joint = &model->joints[i];
        const char *name = ib_arena_format(arena, "leg.%s.%s", ib__leg_names[joint->leg],
                                           ib_limb_joints[joint->joint]);
        int count = joint->cylinder >= 0 ? IB_QUAD_OF_JOINT : IB_QUAD_PLAIN;
        joint->signal = name ? ib_signals_add(table, name, of_joint, count) : -1;
        all &= joint->signal >= 0;
    }
    for (int i = 0; i < model->leg_count; i++) {
        const char *name = ib_arena_format(arena, "leg.%s", ib__leg_names[model->legs[i]]);
        model->leg_signals[i] = name ? ib_signals_add(table, name, of_leg, IB_QUAD_OF_LEG) : -1;
        all &= model->leg_signals[i] >= 0;
    }
    for (int i = 0; i < model->wheel_count; i++) {
        model->wheel_signals[i] =
            ib_signals_add(table, ib__wheel_names[i], of_wheel, IB_QUAD_OF_WHEEL);
        all &= model->wheel_signals[i] >= 0;
    }
    if (model->bank.count > 0) {
        model->air_signal = ib_signals_add(table, "", of_air, IB_QUAD_OF_AIR);
        all &= model->air_signal >= 0;
    }
    if (all) choose_headlines(model, table, first);
    return all;
}

// ------------------------------------------------------------------------------------------ inputs

static ib_InputDef input_of(const ib_QuadrupedModel *model, const ib_LegJointModel *joint,
                            const ib_QuadrupedConfig *config, const char *name)
{
    const double *range = joint->linkage.range;
    ib_InputDef input = {.name = name, .role = IB_INPUT_COMMAND, .for_loops = true};
    if (joint->cylinder >= 0) {
        input.unit = "V";
        input.sentence = "voltage of the joint's valve; above its centre the rod goes out";
        input.neutral = model->bank.ram[joint->cylinder].valve.centre;
        input.high = 10;
        input.limit = "the valve's range, 0 to 10 V";
    } else if (joint->drive == IB_DRIVE_SERVO) {
        double own = config->angles[joint->leg][joint->joint];
        input.unit = "rad";
        input.sentence = "angle that the joint's servo follows";
        input.neutral = own < 1e100 ? own : config->pose[joint->joint];
        input.low = range[0];
        input.high = range[1];
        input.limit = "the joint's range";
        input.kept = true;
    } else {
        input.unit = "N*m";
        input.sentence = "torque on the joint";
        input.low = -1e4;
        input.high = 1e4;
    }
    return input;
}

static const ib_InputDef *make_inputs(const ib_QuadrupedConfig *config, ib_QuadrupedModel *model,
                                      ib_Arena *arena)
{
    int most = IB_ENVIRONMENT_COUNT + IB_QUADRUPED_JOINTS, count = IB_ENVIRONMENT_COUNT;
    ib_InputDef *inputs = ib_arena_array(arena, (size_t)most, sizeof *inputs);
    if (!inputs) return NULL;
    memcpy(inputs, ib_environment_inputs, sizeof ib_environment_inputs);
    for (int i = 0; i < model->joint_count; i++) {
        ib_LegJointModel *joint = &model->joints[i];
        joint->input = -1;
        if (joint->drive == IB_DRIVE_LIMP) continue;
        const char *name = ib_arena_format(arena, "leg.%s.%s", ib__leg_names[joint->leg],
                                           ib_limb_joints[joint->joint]);
        if (!name) return NULL;
        joint->input = count;
        inputs[count++] = input_of(model, joint, config, name);
    }
    model->input_count = count;
    return inputs;
}

// ------------------------------------------------------------------------------------------- ports

// States with a signal of the same value, so that one that runs away is called by its name.
static const ib_StateDef *make_states(const ib_QuadrupedModel *model, const ib_SignalDef *signals,
                                      ib_Arena *arena)
{
    ib_StateDef *states = ib_arena_array(arena, (size_t)model->state_count, sizeof *states);
    if (!states) return NULL;
    for (int i = 0; model->free && i < 3; i++) {
        states[i].signal = signals[IB_QUAD_X + i].name;
        states[model->sizes.positions + i].signal = signals[IB_QUAD_VX + i].name;
    }
    states[model->heading_state].signal = signals[IB_QUAD_HEADING].name;
    for (int i = 0; i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        states[joint->position].signal = signals[joint->signal + IB_QUAD_ANGLE].name;
        states[joint->speed].signal = signals[joint->signal + IB_QUAD_RATE].name;
    }
    for (int i = 0; i < model->wheel_count; i++) {
        const ib_MujocoJoint *wheel = &model->wheels[i];
        const ib_SignalDef *own = signals + model->wheel_signals[i];
        states[wheel->position].signal = own[IB_QUAD_WHEEL_ANGLE].name;
        states[model->sizes.positions + wheel->velocity].signal = own[IB_QUAD_WHEEL_RATE].name;
    }
    return states;
}

// What a loop may be named after: every joint that is driven. It holds the angle, unless it names
// something else of the joint.
static bool make_part(const ib_LegJointModel *joint, const ib_SignalDef *signals,
                      const ib_InputDef *inputs, ib_Arena *arena, ib_ControlPart *part)
{
    static const int shown[] = {IB_QUAD_ANGLE, IB_QUAD_RATE, IB_QUAD_STROKE,
                                IB_QUAD_SPEED, IB_QUAD_CAP,  IB_QUAD_ROD};
    int count = joint->cylinder >= 0 ? (int)(sizeof shown / sizeof shown[0]) : 2;
    const ib_InputDef *input = &inputs[joint->input];
    ib_ControlPin *states = ib_arena_array(arena, (size_t)count, sizeof *states);
    ib_ControlPin *set = ib_arena_alloc(arena, sizeof *set);
    if (!states || !set) return false;
    for (int i = 0; i < count; i++) {
        const ib_SignalDef *signal = &signals[joint->signal + shown[i]];
        states[i] = (ib_ControlPin){.name = signal->name,
                                    .unit = signal->unit,
                                    .low = -INFINITY,
                                    .high = INFINITY,
                                    .local = of_joint[shown[i]].name};
    }
    states[0].low = joint->linkage.range[0];
    states[0].high = joint->linkage.range[1];
    if (count > 2) {
        states[2].low = 0;
        states[2].high = joint->linkage.stroke;
    }
    *set = (ib_ControlPin){.name = input->name,
                           .unit = input->unit,
                           .low = input->low,
                           .high = input->high,
                           .neutral = input->neutral,
                           .local = joint->cylinder >= 0 ? "valve" : "drive"};
    *part = (ib_ControlPart){.name = input->name,
                             .state_count = count,
                             .states = states,
                             .input_count = 1,
                             .inputs = set};
    return true;
}

static bool make_parts(const ib_QuadrupedModel *model, ib_Arena *arena, ib_RobotPorts *ports)
{
    ib_ControlPart *parts = ib_arena_array(arena, IB_QUADRUPED_JOINTS, sizeof *parts);
    if (!parts) return false;
    ports->parts = parts;
    for (int i = 0; i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        if (joint->input < 0) continue;
        if (!make_part(joint, ports->signals, ports->inputs, arena, &parts[ports->part_count++]))
            return false;
    }
    return true;
}

// The legs for a loop that moves all of them.
static const ib_ControlLegs *make_legs(const ib_QuadrupedConfig *config,
                                       const ib_QuadrupedModel *model, const ib_SignalDef *signals,
                                       const ib_InputDef *inputs, ib_Arena *arena)
{
    ib_ControlLegs *legs = ib_arena_alloc(arena, sizeof *legs);
    if (!legs) return NULL;
    legs->count = model->leg_count;
    legs->limb = model->limb;
    for (int i = 0; i < model->leg_count; i++) {
        legs->names[i] = ib__leg_names[model->legs[i]];
        legs->shoulders[i] = model->shoulders[model->legs[i]];
    }
    for (int i = 0; i < model->joint_count; i++) {
        const ib_LegJointModel *joint = &model->joints[i];
        const ib_SignalDef *own = signals + joint->signal;
        double angle = config->angles[joint->leg][joint->joint];
        ib_LegJoint *told = &legs->joints[i];
        *told = (ib_LegJoint){.angle = own[IB_QUAD_ANGLE].name,
                              .start = isinf(angle) ? config->pose[joint->joint] : angle,
                              .linkage = joint->linkage};
        told->name = ib_arena_format(arena, "%s.%s", ib__leg_names[joint->leg],
                                     ib_limb_joints[joint->joint]);
        if (!told->name) return NULL;
        if (joint->input >= 0) told->command = inputs[joint->input].name;
        if (joint->cylinder < 0) continue;
        told->stroke = own[IB_QUAD_STROKE].name;
        told->pressures[0] = own[IB_QUAD_CAP].name;
        told->pressures[1] = own[IB_QUAD_ROD].name;
    }
    return legs;
}

ib_Status ib_quadruped_ports(const ib_QuadrupedConfig *config, ib_QuadrupedModel *model,
                             ib_Arena *arena, ib_RobotPorts *ports, ib_Error *error)
{
    ib_SignalTable table = {.arena = arena};
    bool whole_table = add_signals(model, &table);
    const ib_InputDef *inputs = make_inputs(config, model, arena);
    model->signal_count = table.count;
    *ports = (ib_RobotPorts){
        .state_count = model->state_count,
        .states = whole_table ? make_states(model, table.items, arena) : NULL,
        .inputs = inputs,
        .input_count = model->input_count,
        .signal_count = table.count,
        .signals = table.items,
        .pushed = model->free,
        .resolution = 0.5 * config->contact_time,
        .memory = ib_mujoco_memory_kept(model->world),
        .geometry = ib_quadruped_look(config, model, arena),
    };
    if (!whole_table || !ports->states || !ports->inputs || !ports->geometry ||
        !make_parts(model, arena, ports) ||
        !(ports->legs = make_legs(config, model, table.items, inputs, arena)))
        return ib_error_set(error, IB_FAILED, "out of memory for the quadruped");
    return IB_OK;
}
