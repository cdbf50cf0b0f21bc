// robot/mechanisms_named.c: the mechanisms of a robot as loops see them.
// The desk has names for the states and inputs of a plant, and the robot has its own for the same.
#include "robot/mechanisms.h"

#include <math.h>

// The stops of a joint whose position is this state; NULL: another state, or no stops.
static const double *travel_of(const ib_Actuator *a, int state)
{
    const ib_Joint *joint = a->mechanism.ports.joint;
    for (int j = 0; j < a->joint_count; j++)
        if (joint[j].stops && !joint[j].unplaced && joint[j].position == state)
            return a->config.joint[j].travel;
    return NULL;
}

// Currents of its motors, from bridge and supply, and the modes of its joints.
static bool make_views(const ib_Actuator *a, const ib_RobotPorts *ports, ib_Arena *arena,
                       ib_ControlPart *part)
{
    ib_ControlPin *currents = ib_arena_array(arena, (size_t)a->drive_count, sizeof *currents);
    const char **modes = ib_arena_array(arena, (size_t)a->joint_count, sizeof *modes);
    if (!currents || !modes) return false;
    part->currents = currents;
    part->modes = modes;
    for (int i = 0; i < a->motors.count; i++)
        currents[part->current_count++] =
            (ib_ControlPin){.name = ports->signals[a->drive_signal[i] + IB_ACTUATOR_CURRENT].name,
                            .unit = "A",
                            .high = a->config.shaft[i].current_limit};
    for (int j = 0; j < a->joint_count; j++)
        if (a->mode[j] >= 0) modes[part->mode_count++] = ports->states[a->mode[j]].signal;
    if (a->motors.count == 0) return true;
    part->supply = ports->signals[a->whole_signal + IB_ACTUATOR_SUPPLY].name;
    part->bus = "battery.voltage";
    return true;
}

bool ib_mechanism_name(const ib_Actuator *a, const ib_RobotPorts *ports, ib_Arena *arena,
                       ib_ControlPart *part)
{
    const ib_MechanismPorts *plant = &a->mechanism.ports;
    ib_ControlPin *states = ib_arena_array(arena, (size_t)plant->states, sizeof *states);
    ib_ControlPin *inputs = ib_arena_array(arena, (size_t)plant->inputs, sizeof *inputs);
    if (!states || !inputs) return false;
    *part = (ib_ControlPart){.name = a->name, .states = states, .inputs = inputs};
    part->frame = ib_arena_format(arena, "%s.mount", a->name);
    if (!part->frame) return false;
    for (int i = 0; i < plant->states; i++) {
        const char *signal = ports->states[a->state + i].signal;
        const double *travel = travel_of(a, i);
        if (signal && i == plant->measured[0]) part->measured = part->state_count;
        if (signal)
            states[part->state_count++] = (ib_ControlPin){.name = signal,
                                                          .unit = plant->state[i].unit,
                                                          .low = travel ? travel[0] : -INFINITY,
                                                          .high = travel ? travel[1] : INFINITY,
                                                          .local = plant->state[i].name};
    }
    // The valve of a cylinder is a switch, and nothing for a loop of numbers.
    for (int i = 0; a->motors.count > 0 && i < plant->inputs; i++) {
        const ib_InputDef *input = &ports->inputs[a->command + i];
        inputs[part->input_count++] = (ib_ControlPin){.name = input->name,
                                                      .unit = input->unit,
                                                      .low = input->low,
                                                      .high = input->high,
                                                      .local = plant->input[i].name};
    }
    return make_views(a, ports, arena, part);
}

bool ib_mechanisms_name(const ib_Mechanisms *m, ib_Arena *arena, ib_RobotPorts *ports)
{
    ib_ControlPart *parts = ib_arena_array(arena, (size_t)m->count, sizeof *parts);
    bool good = parts != NULL;
    for (int i = 0; good && i < m->count; i++)
        good = ib_mechanism_name(&m->items[i].actuator, ports, arena, &parts[i]);
    ports->part_count = m->count;
    ports->parts = parts;
    return good;
}
