// plant/actuator/actuator_ports.c: what an actuator shows, and its book.
#include "plant/actuator/actuator_inside.h"

#include "base/extreme.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- signals

enum { J_POSITION, J_VELOCITY, J_SIGNALS };
enum { D_VOLTAGE, D_CURRENT, D_TORQUE, D_SIGNALS }; ///< of motors
enum { P_CAP, P_ROD, P_FORCE };                     ///< of a cylinder, as many
enum {
    A_SUPPLY,
    A_KINETIC,
    A_POTENTIAL,
    A_MAGNETIC,
    A_BOOKS,
    A_START = A_BOOKS + IB_ACTUATOR_BOOKS,
    A_ERROR,
    A_SIGNALS,
};

static const ib_SignalDef way[J_SIGNALS] = {
    {"position", "m", "position of what it moves", 1e6, IB_MEANS(.headline = 2)},
    {"velocity", "m/s", "speed of what it moves", 1e4, IB_MEANS(.role = IB_ROLE_MOTOR_MOTION)},
};
static const ib_SignalDef angle[J_SIGNALS] = {
    {"position", "rad", "angle of what it turns, continuous", 1e9,
     IB_MEANS(.headline = 2, .shown = "deg")},
    {"velocity", "rad/s", "angular speed of what it turns", 1e6,
     IB_MEANS(.role = IB_ROLE_MOTOR_MOTION, .shown = "deg/s")},
};
static const ib_SignalDef wheel[J_SIGNALS] = {
    {"position", "rad", "angle of what it turns, continuous", 1e9, IB_MEANS(.shown = "rev")},
    {"velocity", "rad/s", "angular speed of what it turns", 1e6,
     IB_MEANS(.role = IB_ROLE_MOTOR_MOTION, .headline = 2, .shown = "rpm")},
};
static const ib_SignalDef drive[D_SIGNALS] = {
    {"voltage", "V", "voltage at the terminals of a motor", 0,
     IB_MEANS(.role = IB_ROLE_MOTOR_VOLTAGE)},
    {"current", "A", "current in the winding of a motor", 1e5},
    {"torque", "N*m", "torque of its motors, behind the gear", 0},
};
static const ib_SignalDef piston[D_SIGNALS] = {
    [P_CAP] = {"pressure.cap", "Pa", "pressure in the chamber that extends, absolute", 0,
               IB_MEANS(.shown = "psig")},
    [P_ROD] = {"pressure.rod", "Pa", "pressure in the chamber that retracts, absolute", 0,
               IB_MEANS(.shown = "psig")},
    [P_FORCE] = {"force", "N", "force of the air on the piston, out is positive", 0},
};
static const ib_SignalDef given_by_air = {"energy.air", "J", "energy given by the air so far", 1e15,
                                          IB_MEANS(.role = IB_ROLE_GIVEN)};
static const ib_Mode joint_mode = {
    .kind = IB_MODE_STATE,
    .meanings = {[IB_JOINT_FREE] = {"moves freely", IB_MODE_INFO},
                 [IB_JOINT_LOW] = {"is at its low stop", IB_MODE_INFO},
                 [IB_JOINT_HIGH] = {"is at its high stop", IB_MODE_INFO},
                 [IB_JOINT_HELD] = {"is held", IB_MODE_INFO},
                 [IB_JOINT_FORWARD] = {"slides forward", IB_MODE_INFO},
                 [IB_JOINT_BACKWARD] = {"slides back", IB_MODE_INFO}}};
static const ib_SignalDef mode_signal = {
    "mode", "1",
    "how it moves: 0 freely, 1 at the low stop, 2 at the high stop, 3 held, 4 and 5 it slides", 0,
    IB_MEANS(.mode = &joint_mode)};
static const ib_SignalDef switches[] = {
    {"limit.low", "1", "its limit switch at the low stop is closed", 0, IB_MEANS(.binary = true)},
    {"limit.high", "1", "its limit switch at the high stop is closed", 0, IB_MEANS(.binary = true)},
};
static const ib_Mode hook_mode = {
    .kind = IB_MODE_STATE,
    .meanings = {{"the hook is free", IB_MODE_INFO}, {"the hook is over its bar", IB_MODE_INFO}}};
static const ib_Mode strike_mode = {
    .kind = IB_MODE_LIMIT,
    .meanings = {{NULL, IB_MODE_INFO}, {"the hook's plates strike a wall", IB_MODE_WARNING}}};
enum {
    H_HEIGHT,
    H_CLIMB,
    H_FLOOR,
    H_ENGAGED,
    H_FORCE,
    H_DISTANCE,
    H_ALIGNED,
    H_LEVEL,
    H_STRIKE,
    H_STRUCK,
    H_LOST,
    H_SIGNALS,
};
static const ib_SignalDef hook_signals[H_SIGNALS] = {
    [H_HEIGHT] = {"height", "m", "height of the robot over where it stands", 1e3,
                  IB_MEANS(.headline = 2)},
    [H_CLIMB] = {"climb", "m/s", "speed at which the robot rises", 1e3},
    [H_FLOOR] = {"floor", "N", "what the floor carries of the robot's weight", 0},
    [H_ENGAGED] = {"hook.engaged", "1", "the hook is over the bracket's bar", 0,
                   IB_MEANS(.binary = true, .mode = &hook_mode)},
    [H_FORCE] = {"hook.force", "N", "force of the bracket on the hook, upwards", 0},
    [H_DISTANCE] = {"hook.distance", "m", "distance of the hook from the bar, along the floor", 0},
    [H_ALIGNED] = {"hook.aligned", "1", "the bar is within the hook's reach, along the floor", 0,
                   IB_MEANS(.binary = true)},
    [H_LEVEL] = {"hook.height", "m", "height of the hook over the floor", 0},
    [H_STRIKE] = {"hook.strike", "N", "force of the bracket's walls on the hook's plates", 0},
    [H_STRUCK] = {"hook.struck", "1", "so many times the hook's plates have struck a wall", 0,
                  IB_MEANS(.mode = &strike_mode)},
    [H_LOST] = {"energy.hook", "J", "energy lost so far where bracket, walls and floor yield", 0,
                IB_MEANS(.role = IB_ROLE_LOST)},
};
static const ib_SignalDef load = {"load", "kg", "mass that its hand holds", 0};
static const ib_SignalDef balls = {"balls", "1", "balls that have passed so far", 0};
static const ib_SignalDef whole[A_SIGNALS] = {
    [A_SUPPLY] = {"supply", "A", "current drawn from the bus by all its motors; negative: fed back",
                  0, IB_MEANS(.role = IB_ROLE_LOAD, .headline = 3)},
    [A_KINETIC] = {"energy.kinetic", "J", "kinetic energy of what moves, rotors included", 0,
                   IB_MEANS(.role = IB_ROLE_STORED)},
    [A_POTENTIAL] =
        {"energy.potential", "J",
         "potential energy of weights and springs, 0 at position 0; of an arm, 0 where it is level",
         0, IB_MEANS(.role = IB_ROLE_STORED)},
    [A_MAGNETIC] = {"energy.magnetic", "J", "energy held by the windings' inductance", 0,
                    IB_MEANS(.role = IB_ROLE_STORED)},
    [A_BOOKS + IB_ACTUATOR_ELECTRIC] = {"energy.electric", "J", "energy taken from the bus so far",
                                        1e15, IB_MEANS(.role = IB_ROLE_GIVEN)},
    [A_BOOKS + IB_ACTUATOR_COPPER] = {"energy.copper", "J", "energy lost in the windings so far", 0,
                                      IB_MEANS(.role = IB_ROLE_LOST)},
    [A_BOOKS + IB_ACTUATOR_CONVERSION] =
        {"energy.conversion", "J",
         "energy lost between electrical and mechanical power so far: Ke is not Kt", 0,
         IB_MEANS(.role = IB_ROLE_LOST)},
    [A_BOOKS + IB_ACTUATOR_LOSS] = {"energy.loss", "J",
                                    "energy lost to the motors' loss torque so far", 0,
                                    IB_MEANS(.role = IB_ROLE_LOST)},
    [A_BOOKS + IB_ACTUATOR_GEAR] = {"energy.gear", "J", "energy lost in the gear so far", 0,
                                    IB_MEANS(.role = IB_ROLE_LOST)},
    [A_BOOKS + IB_ACTUATOR_FRICTION] = {"energy.friction", "J",
                                        "energy lost in bearings, guides and the brake so far", 0,
                                        IB_MEANS(.role = IB_ROLE_LOST)},
    [A_BOOKS + IB_ACTUATOR_STOP] = {"energy.stop", "J", "energy lost at the stops so far", 0,
                                    IB_MEANS(.role = IB_ROLE_LOST)},
    [A_BOOKS + IB_ACTUATOR_GIVEN] = {"energy.given", "J",
                                     "energy given to balls and to what pushes on it, so far", 0,
                                     IB_MEANS(.role = IB_ROLE_LOST)},
    [A_START] = {"energy.start", "J", "energy that it began with", 0,
                 IB_MEANS(.role = IB_ROLE_GIVEN)},
    [A_ERROR] = {"energy.error", "J", "error of its energy book: electric + start - all the others",
                 0, IB_MEANS(.role = IB_ROLE_BALANCE)},
};

// "lift", or "lift.left" of several.
static const char *prefix_of(const ib_Actuator *a, const char *part, ib_Arena *arena)
{
    return part ? ib_arena_format(arena, "%s.%s", a->name, part) : a->name;
}

const char *ib_actuator_joint_name(const ib_Actuator *a, int joint, ib_Arena *arena)
{
    return prefix_of(a, a->mechanism.ports.joint[joint].name, arena);
}

const char *ib_actuator_drive_name(const ib_Actuator *a, int shaft, ib_Arena *arena)
{
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    if (a->drive_count == 1) return a->name;
    return prefix_of(a, ports->shaft[shaft] ? ports->shaft[shaft] : ports->input[shaft].name,
                     arena);
}

const char *ib_actuator_motion_name(const ib_Actuator *a, int joint, bool speed, ib_Arena *arena)
{
    const ib_Joint *j = &a->mechanism.ports.joint[joint];
    const char *own = speed ? j->speed_name : j->position_name;
    if (own) return prefix_of(a, own, arena);
    const char *prefix = ib_actuator_joint_name(a, joint, arena);
    return prefix ? ib_arena_format(arena, "%s.%s", prefix, speed ? "velocity" : "position") : NULL;
}

// Place and speed of a joint, where it names them.
static int add_motion(ib_Actuator *a, int joint, const ib_SignalDef *rows, ib_SignalTable *table)
{
    const ib_Joint *j = &a->mechanism.ports.joint[joint];
    const char *prefix = ib_actuator_joint_name(a, joint, table->arena);
    if (!prefix) return -1;
    if (!j->position_name) return ib_signals_add_part(table, prefix, prefix, rows, J_SIGNALS);
    ib_SignalDef own[J_SIGNALS] = {rows[J_POSITION], rows[J_VELOCITY]};
    own[J_POSITION].name = j->position_name;
    own[J_VELOCITY].name = j->speed_name;
    return ib_signals_add_part(table, a->name, prefix, own, J_SIGNALS);
}

static int switch_count(const ib_Actuator *a, int joint)
{
    return isfinite(a->config.joint[joint].limit_switch) && a->mechanism.ports.joint[joint].stops
               ? 2
               : 0;
}

bool ib_actuator_signals(ib_Actuator *a, ib_SignalTable *table)
{
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    ib_ActuatorSignals *at = &a->signal;
    int good = 0;
    for (int j = 0; j < a->joint_count; j++) {
        const ib_Joint *joint = &ports->joint[j];
        const char *prefix = ib_actuator_joint_name(a, j, table->arena);
        const ib_SignalDef *rows = !joint->turns ? way : joint->unplaced ? wheel : angle;
        if (!prefix) return false;
        at->joint[j] = table->count;
        good |= add_motion(a, j, rows, table);
        if (a->mode[j] >= 0) good |= ib_signals_add_part(table, prefix, prefix, &mode_signal, 1);
        good |= ib_signals_add_part(table, prefix, prefix, switches, switch_count(a, j));
    }
    at->drive = table->count;
    at->each = D_SIGNALS + ib_thermal_signal_count(&a->motors.thermal);
    for (int i = 0; i < a->drive_count; i++) {
        const char *prefix = ib_actuator_drive_name(a, i, table->arena);
        if (!prefix) return false;
        good |=
            ib_signals_add_part(table, prefix, prefix, a->chambers < 0 ? drive : piston, D_SIGNALS);
        good |= ib_signals_add_part(table, prefix, prefix, ib_thermal_signals,
                                    ib_thermal_signal_count(&a->motors.thermal));
    }
    at->balls = table->count;
    if (a->count >= 0) good |= ib_signals_add(table, a->name, &balls, 1);
    at->load = table->count;
    if (a->held >= 0) good |= ib_signals_add(table, a->name, &load, 1);
    const ib_SignalRows *shows = a->mechanism.kind->shows;
    at->kind = table->count;
    if (shows) good |= ib_signals_add_part(table, a->name, a->name, shows->items, shows->count);
    ib_SignalDef own[A_SIGNALS];
    memcpy(own, whole, sizeof own);
    if (a->chambers >= 0) own[A_BOOKS + IB_ACTUATOR_ELECTRIC] = given_by_air;
    if (a->motors.count == 0) own[A_SUPPLY].means = (ib_SignalMeaning){.role = IB_ROLE_NONE};
    at->whole = table->count;
    good |= ib_signals_add_part(table, a->name, a->name, own, A_SIGNALS);
    at->heat = table->count;
    if (ib_thermal_on(&a->motors.thermal))
        good |= ib_signals_add_part(table, a->name, a->name, ib_heat_signals, IB_HEAT_SIGNALS);
    at->hook = table->count;
    if (a->hook.on) good |= ib_signals_add_part(table, a->name, a->name, hook_signals, H_SIGNALS);
    return good >= 0;
}

// ------------------------------------------------------------------------------------------ inputs

bool ib_actuator_inputs(const ib_Actuator *a, ib_Arena *arena, ib_InputDef *in)
{
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    bool good = true;
    for (int i = 0; i < a->drive_count; i++) {
        double most = ib_min(ports->gear[i].voltage, IB_COMMAND_SCALE);
        bool several = a->drive_count > 1;
        const char *name =
            several ? ib_arena_format(arena, "%s.%s", a->name, ports->input[i].name) : a->name;
        const char *effort = a->motors.count == 0 ? "force" : "torque";
        const char *shaft = ib_actuator_drive_name(a, i, arena);
        const char *torque = shaft ? ib_arena_format(arena, "%s.%s", shaft, effort) : NULL;
        in[a->command + i] = (ib_InputDef){.name = name,
                                           .unit = "V",
                                           .sentence = "voltage command of its motors, 12 V scale",
                                           .role = IB_INPUT_COMMAND,
                                           .low = -most,
                                           .high = most,
                                           .limit = "the 12 V scale, or its voltage"};
        if (a->motors.count == 0)
            in[a->command] = ib_word_input(name, "on: its cylinder extends", ib_switch_words);
        in[a->motors.gain + i] = ib_gain_input(torque);
        good &= name && torque;
    }
    for (int j = 0; j < a->joint_count; j++) {
        const ib_Joint *joint = &ports->joint[j];
        const char *name = ib_actuator_joint_name(a, j, arena);
        in[a->push + j] =
            (ib_InputDef){.name = name,
                          .unit = joint->turns ? "N*m" : "N",
                          .sentence = "force or torque that pushes on it from outside",
                          .role = IB_INPUT_PUSH,
                          .low = -DBL_MAX,
                          .high = DBL_MAX};
        good &= name != NULL;
    }
    for (int j = 0; j < a->joint_count; j++) {
        if (a->brake[j] < 0) continue;
        const char *part =
            a->mechanism.kind->second_gear ? ib_actuator_joint_name(a, j, arena) : a->name;
        const char *name = part ? ib_arena_format(arena, "%s.brake", part) : NULL;
        in[a->brake[j]] = ib_word_input(name, "on: its brake holds it", ib_switch_words);
        good &= name != NULL;
    }
    if (a->load >= 0) {
        const char *name = ib_arena_format(arena, "%s.load", a->name);
        in[a->load] = (ib_InputDef){.name = name,
                                    .unit = "kg",
                                    .sentence = "mass that its hand holds",
                                    .role = IB_INPUT_COMMAND,
                                    .neutral = ports->load,
                                    .low = 0,
                                    .high = 1e4,
                                    .limit = "10 t",
                                    .held = true};
        good &= name != NULL;
    }
    if (a->jolt >= 0) {
        const ib_MechanismKind *kind = a->mechanism.kind;
        const char *name = ib_arena_format(arena, "%s.%s", a->name, kind->jolt_name);
        in[a->jolt] = ib_word_input(name, kind->jolt_sentence, ib_switch_words);
        good &= name != NULL;
    }
    return good;
}

// ------------------------------------------------------------------------------------------ output

void ib_actuator_shown(const ib_Actuator *a, int *shown)
{
    const ib_ActuatorSignals l = a->signal;
    for (int j = 0; j < a->joint_count; j++) {
        shown[a->position[j]] = l.joint[j] + J_POSITION;
        shown[a->speed[j]] = l.joint[j] + J_VELOCITY;
        if (a->mode[j] >= 0) shown[a->mode[j]] = l.joint[j] + J_SIGNALS;
    }
    for (int i = 0; a->motors.current >= 0 && i < a->drive_count; i++)
        shown[a->motors.current + i] = l.drive + i * l.each + D_CURRENT;
    for (int i = 0; i < IB_ACTUATOR_BOOKS; i++) shown[a->books + i] = l.whole + A_BOOKS + i;
    if (a->count >= 0) shown[a->count] = l.balls;
    if (a->held >= 0) shown[a->held] = l.load;
    if (a->hook.on) {
        shown[a->hooked + IB_HOOK_HEIGHT] = l.hook + H_HEIGHT;
        shown[a->hooked + IB_HOOK_CLIMB] = l.hook + H_CLIMB;
        shown[a->hooked + IB_HOOK_ENGAGED] = l.hook + H_ENGAGED;
        shown[a->hooked + IB_HOOK_STRUCK] = l.hook + H_STRUCK;
        shown[a->hooked + IB_HOOK_LOST] = l.hook + H_LOST;
    }
    if (!ib_thermal_on(&a->motors.thermal)) return;
    for (int i = 0; i < a->drive_count; i++)
        ib_thermal_shown(&a->motors.thermal, i, l.drive + i * l.each + D_SIGNALS, shown);
    ib_heat_shown(&a->motors.thermal, l.heat, shown);
}

// ---------------------------------------------------------------------------------------- the book

// What it has begun with; `field`: its gravity.
static double begun(const ib_Actuator *a, double field)
{
    double g = ib__actuator_gravity(a, field);
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    double x[IB_STATES_MAX] = {0};
    ib_MechanismEnergy e;
    for (int j = 0; j < a->joint_count; j++) {
        if (!ports->joint[j].unplaced) x[ports->joint[j].position] = a->config.position[j];
        x[ports->joint[j].speed] = a->config.velocity[j];
    }
    a->mechanism.kind->energy(&a->mechanism.model, x, g, &e);
    double lifted = a->hook.on ? a->hook.carrier.mass * field * a->begun[0] + a->begun[1] : 0;
    return e.kinetic + e.potential + lifted;
}

static void output_hook(const ib_Actuator *a, const ib_HookNow *now, const double *own, double *y)
{
    y[H_HEIGHT] = own[IB_HOOK_HEIGHT];
    y[H_CLIMB] = own[IB_HOOK_CLIMB];
    y[H_FLOOR] = now->floor;
    y[H_ENGAGED] = own[IB_HOOK_ENGAGED];
    y[H_FORCE] = now->tension;
    y[H_DISTANCE] = now->distance;
    y[H_ALIGNED] = now->distance <= a->hook.reach;
    y[H_LEVEL] = now->z;
    y[H_STRIKE] = now->strike;
    y[H_STRUCK] = own[IB_HOOK_STRUCK];
    y[H_LOST] = own[IB_HOOK_LOST];
}

void ib_actuator_output(const ib_Actuator *a, const ib_Wires *w, double *signals)
{
    const double *x = w->x;
    const ib_ActuatorSignals l = a->signal;
    ib__ActuatorNow now;
    double *y = signals + l.whole;
    ib__actuator_glance(a, w, &now);
    for (int j = 0; j < a->joint_count; j++) {
        signals[l.joint[j] + J_POSITION] = x[a->position[j]];
        signals[l.joint[j] + J_VELOCITY] = x[a->speed[j]];
        if (a->mode[j] >= 0) signals[l.joint[j] + J_SIGNALS] = x[a->mode[j]];
        for (int end = 0; end < switch_count(a, j); end++)
            signals[l.joint[j] + J_SIGNALS + (a->mode[j] >= 0) + end] =
                fabs(x[a->position[j]] - a->config.joint[j].travel[end]) <=
                a->config.joint[j].limit_switch;
    }
    y[A_SUPPLY] = 0;
    if (a->chambers >= 0) {
        double *own = signals + l.drive;
        own[P_CAP] = now.piston.cap;
        own[P_ROD] = now.piston.rod;
        own[P_FORCE] = now.piston.force;
    }
    for (int i = 0; i < a->motors.count; i++) {
        const ib_BridgeResult *r = &w->power.bus.bridge[a->motors.bridge + i];
        double *own = signals + l.drive + i * l.each;
        own[D_VOLTAGE] = r->volts;
        own[D_CURRENT] = r->current;
        own[D_TORQUE] = now.torque[i];
        y[A_SUPPLY] += a->drive[i].motors * r->drawn;
        if (ib_thermal_on(&a->motors.thermal))
            ib_thermal_output(&a->motors.thermal, x, i, own + D_SIGNALS);
    }
    if (a->count >= 0) signals[l.balls] = x[a->count];
    if (a->held >= 0) signals[l.load] = x[a->held];
    if (a->mechanism.kind->show) a->mechanism.kind->show(now.model, x + a->state, signals + l.kind);
    ib_MechanismEnergy energy = ib__actuator_energy(a, x, w->gravity);
    y[A_KINETIC] = energy.kinetic;
    y[A_POTENTIAL] = energy.potential;
    y[A_MAGNETIC] = ib_motor_row_magnetic(&a->motors, x);
    for (int i = 0; i < IB_ACTUATOR_BOOKS; i++) y[A_BOOKS + i] = x[a->books + i];
    y[A_START] = begun(a, w->gravity);
    if (ib_thermal_on(&a->motors.thermal))
        ib_heat_output(&a->motors.thermal, x, x[a->books + IB_ACTUATOR_COPPER], signals + l.heat);
    if (a->hook.on) output_hook(a, &w->hook, x + a->hooked, signals + l.hook);
}
