// plant/actuator/actuator_ports.c: the signals of an actuator, and its book.
#include "plant/actuator/actuator_inside.h"

#include "base/extreme.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- signals

enum { J_POSITION, J_VELOCITY, J_SIGNALS };
enum { D_SIGNALS = IB_ACTUATOR_TORQUE + 1 }; ///< of motors
enum { P_CAP, P_ROD, P_FORCE };              ///< of a cylinder, as many
enum {
    A_KINETIC = IB_ACTUATOR_SUPPLY + 1,
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
#define ENERGY(what, sentence, limit, is)                                                          \
    {                                                                                              \
        "energy." what, "J", sentence, limit, IB_MEANS(.role = IB_ROLE_##is)                       \
    }
static const ib_SignalDef given_by_air =
    ENERGY("air", "energy given by the air so far", 1e15, GIVEN);
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
    [H_LOST] = ENERGY("hook", "energy lost so far where bracket, walls and floor yield", 0, LOST),
};
static const ib_SignalDef load = {"load", "kg", "mass that its hand holds", 0};
static const ib_SignalDef balls = {"balls", "1", "balls that have passed so far", 0};
static const ib_SignalDef whole[A_SIGNALS] = {
    [IB_ACTUATOR_SUPPLY] = {"supply", "A",
                            "current drawn from the bus by all its motors; negative: fed back", 0,
                            IB_MEANS(.role = IB_ROLE_LOAD, .headline = 3)},
    [A_KINETIC] = ENERGY("kinetic", "kinetic energy of what moves, rotors included", 0, STORED),
    [A_POTENTIAL] = ENERGY("potential",
                           "potential energy of weights and springs, 0 at position 0; of an arm, 0 "
                           "where it is level",
                           0, STORED),
    [A_MAGNETIC] = ENERGY("magnetic", "energy held by the windings' inductance", 0, STORED),
    [A_BOOKS + IB_ACTUATOR_ELECTRIC] =
        ENERGY("electric", "energy taken from the bus so far", 1e15, GIVEN),
    [A_BOOKS + IB_ACTUATOR_COPPER] =
        ENERGY("copper", "energy lost in the windings so far", 0, LOST),
    [A_BOOKS + IB_ACTUATOR_CONVERSION] =
        ENERGY("conversion",
               "energy lost between electrical and mechanical power so far: Ke is not Kt", 0, LOST),
    [A_BOOKS + IB_ACTUATOR_LOSS] =
        ENERGY("loss", "energy lost to the motors' loss torque so far", 0, LOST),
    [A_BOOKS + IB_ACTUATOR_GEAR] = ENERGY("gear", "energy lost in the gear so far", 0, LOST),
    [A_BOOKS + IB_ACTUATOR_FRICTION] =
        ENERGY("friction", "energy lost in bearings, guides and the brake so far", 0, LOST),
    [A_BOOKS + IB_ACTUATOR_STOP] = ENERGY("stop", "energy lost at the stops so far", 0, LOST),
    [A_BOOKS + IB_ACTUATOR_GIVEN] =
        ENERGY("given", "energy given to balls and to what pushes on it, so far", 0, LOST),
    [A_START] = ENERGY("start", "energy that it began with", 0, GIVEN),
    [A_ERROR] = ENERGY("error", "error of its energy balance: electric + start - all the others", 0,
                       BALANCE),
};

// ------------------------------------------------------------------------------------ declarations

// "lift", or "lift.left" of several.
static const char *prefix_of(const ib_Actuator *a, const char *part, ib_Declarations *d)
{
    return part ? ib_declare_name(d, a->name, part) : a->name;
}

const char *ib_actuator_drive_name(const ib_Actuator *a, int shaft, ib_Declarations *d)
{
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    if (a->drive_count == 1) return a->name;
    return prefix_of(a, ports->shaft[shaft] ? ports->shaft[shaft] : ports->input[shaft].name, d);
}

static void declare_states(ib_Actuator *a, ib_Declarations *d)
{
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    ib_declare_states(d, ports->states, IB_STATE, &a->state);
    for (int j = 0; j < a->joint_count; j++) {
        const ib_Joint *joint = &ports->joint[j];
        ib_declare_also(d, &a->state, joint->speed, &a->speed[j]);
        // A wheel's angle is no state of the plant, but is shown.
        if (!joint->unplaced)
            ib_declare_also(d, &a->state, joint->position, &a->position[j]);
        else
            ib_declare_states(d, 1, IB_SUM, &a->position[j]);
        ib_declare_states(d, a->stands[j] && joint->stops, IB_STATE, &a->mode[j]);
    }
    const ib_MechanismKind *kind = a->mechanism.kind;
    int currents = a->motors.inductance > 0 ? a->motors.count : 0;
    ib_declare_states(d, currents, IB_STATE, &a->motors.current);
    ib_declare_states(d, a->config.piston ? IB_SIDES : 0, IB_STATE, &a->chambers);
    ib_declare_states(d, kind->jolt != NULL, IB_STATE, &a->jolted);
    ib_declare_states(d, kind->jolt != NULL, IB_STATE, &a->count);
    ib_declare_states(d, kind->carry != NULL, IB_STATE, &a->held);
    ib_declare_states(d, a->hook.on ? IB_HOOK_STATES : 0, IB_STATE, &a->hooked);
    ib_declare_states(d, IB_ACTUATOR_BOOKS, IB_SUM, &a->books);
    ib_declare_also(d, &a->books, IB_ACTUATOR_COPPER, &a->motors.copper);
    ib_declare_also(d, &a->books, IB_ACTUATOR_CONVERSION, &a->motors.conversion);
    ib_declare_also(d, &a->books, IB_ACTUATOR_LOSS, &a->motors.loss);
    ib_declare_also(d, &a->books, IB_ACTUATOR_GEAR, &a->motors.gear);
    ib_thermal_declare(&a->config.thermal, a->motors.count, a->drive[0].motors, &a->motors.thermal,
                       d);
    a->motors.thermal.last = a->drive[a->drive_count - 1].motors / a->drive[0].motors;
}

static void declare_inputs(ib_Actuator *a, ib_Declarations *d)
{
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    const ib_MechanismKind *kind = a->mechanism.kind;
    bool air = a->motors.count == 0;
    for (int i = 0; i < a->drive_count; i++) {
        double most = ports->gear[i].voltage;
        const char *name = a->drive_count > 1 ? prefix_of(a, ports->input[i].name, d) : a->name;
        ib_InputDef command = ib_number_input(
            name, "V", "voltage command of its motors, 12 V scale", -most, most, "its voltage");
        if (most > IB_COMMAND_SCALE)
            command.sentence = "voltage command of its motors, on the scale of its voltage";
        if (air) command = ib_word_input(name, "on: its cylinder extends", ib_switch_words);
        ib_declare_input(d, command, i ? NULL : &a->command);
    }
    for (int i = 0; i < a->drive_count; i++) {
        const char *effort =
            ib_declare_name(d, ib_actuator_drive_name(a, i, d), air ? "force" : "torque");
        ib_declare_input(d, ib_gain_input(effort), i ? NULL : &a->motors.gain);
    }
    for (int j = 0; j < IB_MECHANISM_JOINTS; j++) {
        a->brake[j] = a->config.joint[j].brake > 0 ? a->brake[0] : -1;
        if (a->config.joint[j].brake <= 0 || (j > 0 && !kind->second_gear)) continue;
        const char *part = prefix_of(a, kind->second_gear ? ports->joint[j].name : NULL, d);
        ib_declare_input(d,
                         ib_word_input(ib_declare_name(d, part, "brake"), "on: its brake holds it",
                                       ib_switch_words),
                         &a->brake[j]);
    }
    a->jolt = a->load = -1;
    if (kind->jolt)
        ib_declare_input(
            d,
            ib_word_input(prefix_of(a, kind->jolt_name, d), kind->jolt_sentence, ib_switch_words),
            &a->jolt);
    if (kind->carry) {
        ib_InputDef mass = ib_number_input(prefix_of(a, "load", d), "kg",
                                           "mass that its hand holds", 0, 1e4, "10 t");
        mass.neutral = ports->load;
        mass.held = true;
        ib_declare_input(d, mass, &a->load);
    }
    for (int j = 0; j < a->joint_count; j++) {
        const ib_InputDef push = {.name = prefix_of(a, ports->joint[j].name, d),
                                  .unit = ports->joint[j].turns ? "N*m" : "N",
                                  .sentence = "force or torque that pushes on it from outside",
                                  .role = IB_INPUT_PUSH,
                                  .low = -DBL_MAX,
                                  .high = DBL_MAX};
        ib_declare_input(d, push, j ? NULL : &a->push);
    }
}

void ib_actuator_declare(ib_Actuator *a, ib_Declarations *d)
{
    int modes = 0;
    declare_states(a, d);
    declare_inputs(a, d);
    for (int j = 0; j < a->joint_count; j++) modes += a->mode[j] >= 0;
    ib_declare_guards(d, modes, &a->guard);
    ib_declare_guards(d, a->hook.on ? 2 : 0, &a->hook_guard);
    ib_declare_bridges(d, a->motors.count, &a->motors.bridge);
}

// Adjacent rows that another part fills, or that show states; returns the first.
static int declare_rows(const char *prefix, const char *part, const ib_SignalDef *rows, int count,
                        ib_Declarations *d)
{
    int first = d->signals.count;
    ib_declare(d, prefix, part, rows, count, NULL);
    return first;
}

static int switch_count(const ib_Actuator *a, int joint)
{
    bool closes = isfinite(a->config.joint[joint].limit_switch);
    return closes && a->mechanism.ports.joint[joint].stops ? 2 : 0;
}

// Place and speed of a joint, where it names them; its mode and its switches.
static void declare_joint(ib_Actuator *a, int j, ib_Declarations *d)
{
    const ib_Joint *joint = &a->mechanism.ports.joint[j];
    const char *prefix = prefix_of(a, joint->name, d);
    const ib_SignalDef *rows = !joint->turns ? way : joint->unplaced ? wheel : angle;
    ib_SignalDef own[J_SIGNALS] = {rows[J_POSITION], rows[J_VELOCITY]};
    if (joint->position_name) own[J_POSITION].name = joint->position_name;
    if (joint->position_name) own[J_VELOCITY].name = joint->speed_name;
    int first = declare_rows(joint->position_name ? a->name : prefix, prefix, own, J_SIGNALS, d);
    ib_declare_shown(d, &a->position[j], 0, first + J_POSITION);
    ib_declare_shown(d, &a->speed[j], 0, first + J_VELOCITY);
    if (a->mode[j] >= 0)
        ib_declare_shown(d, &a->mode[j], 0, declare_rows(prefix, prefix, &mode_signal, 1, d));
    a->switch_signal[j] = declare_rows(prefix, prefix, switches, switch_count(a, j), d);
}

static void declare_hook(ib_Actuator *a, ib_Declarations *d)
{
    static const int shown[][2] = {{IB_HOOK_HEIGHT, H_HEIGHT},
                                   {IB_HOOK_CLIMB, H_CLIMB},
                                   {IB_HOOK_ENGAGED, H_ENGAGED},
                                   {IB_HOOK_STRUCK, H_STRUCK},
                                   {IB_HOOK_LOST, H_LOST}};
    a->hook_signal = declare_rows(a->name, a->name, hook_signals, H_SIGNALS, d);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        ib_declare_shown(d, &a->hooked, shown[i][0], a->hook_signal + shown[i][1]);
}

void ib_actuator_declare_signals(ib_Actuator *a, ib_Declarations *d)
{
    ib_MotorRow *motors = &a->motors;
    const ib_SignalRows *shows = a->mechanism.kind->shows;
    bool warms = ib_thermal_on(&motors->thermal);
    for (int j = 0; j < a->joint_count; j++) declare_joint(a, j, d);
    for (int i = 0; i < a->drive_count; i++) {
        const char *prefix = ib_actuator_drive_name(a, i, d);
        int first = declare_rows(prefix, prefix, a->chambers < 0 ? drive : piston, D_SIGNALS, d);
        a->drive_signal[i] = first;
        if (motors->current >= 0)
            ib_declare_shown(d, &motors->current, i, first + IB_ACTUATOR_CURRENT);
        if (warms)
            motors->warmth[i] = ib_thermal_declare_drive(&motors->thermal, i, prefix, prefix, d);
    }
    if (a->count >= 0) ib_declare_shown(d, &a->count, 0, declare_rows(a->name, NULL, &balls, 1, d));
    if (a->held >= 0) ib_declare_shown(d, &a->held, 0, declare_rows(a->name, NULL, &load, 1, d));
    if (shows) a->kind_signal = declare_rows(a->name, a->name, shows->items, shows->count, d);
    ib_SignalDef own[A_SIGNALS];
    memcpy(own, whole, sizeof own);
    if (a->chambers >= 0) own[A_BOOKS + IB_ACTUATOR_ELECTRIC] = given_by_air;
    if (motors->count == 0)
        own[IB_ACTUATOR_SUPPLY].means = (ib_SignalMeaning){.role = IB_ROLE_NONE};
    a->whole_signal = declare_rows(a->name, a->name, own, A_SIGNALS, d);
    for (int i = 0; i < IB_ACTUATOR_BOOKS; i++)
        ib_declare_shown(d, &a->books, i, a->whole_signal + A_BOOKS + i);
    if (warms) ib_thermal_declare_heat(&motors->thermal, a->name, a->name, d);
    if (a->hook.on) declare_hook(a, d);
}

// ---------------------------------------------------------------------------------------- the book

// Its initial energy; `field`: its gravity.
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
    y[H_FLOOR] = now->floor;
    y[H_FORCE] = now->tension;
    y[H_DISTANCE] = now->distance;
    y[H_ALIGNED] = now->distance <= a->config.hook.reach;
    y[H_LEVEL] = now->z;
    y[H_STRIKE] = now->strike;
    y[H_LOST] = own[IB_HOOK_LOST]; // an entry of a book
}

// The robot copies states to signals; the part fills the entries of books.
void ib_actuator_output(const ib_Actuator *a, const ib_Wires *w, double *signals)
{
    const double *x = w->x;
    ib__ActuatorNow now;
    double g = ib_gravity_now(w).whole, *y = signals + a->whole_signal;
    ib__actuator_glance(a, w, &now);
    for (int j = 0; j < a->joint_count; j++)
        for (int end = 0; end < switch_count(a, j); end++)
            signals[a->switch_signal[j] + end] =
                fabs(x[a->position[j]] - a->config.joint[j].travel[end]) <=
                a->config.joint[j].limit_switch;
    y[IB_ACTUATOR_SUPPLY] = 0;
    if (a->chambers >= 0) {
        double *own = signals + a->drive_signal[0];
        own[P_CAP] = now.piston.pressure[IB_SIDE_CAP];
        own[P_ROD] = now.piston.pressure[IB_SIDE_ROD];
        own[P_FORCE] = now.piston.force;
    }
    for (int i = 0; i < a->motors.count; i++) {
        const ib_BridgeResult *r = &w->power.bus.bridge[a->motors.bridge + i];
        double *own = signals + a->drive_signal[i];
        own[IB_ACTUATOR_VOLTAGE] = r->volts;
        own[IB_ACTUATOR_CURRENT] = r->current;
        own[IB_ACTUATOR_TORQUE] = now.torque[i];
        y[IB_ACTUATOR_SUPPLY] += a->drive[i].motors * r->drawn;
    }
    if (a->mechanism.kind->show)
        a->mechanism.kind->show(now.model, x + a->state, signals + a->kind_signal);
    ib_MechanismEnergy energy = ib__actuator_energy(a, x, g);
    y[A_KINETIC] = energy.kinetic;
    y[A_POTENTIAL] = energy.potential;
    y[A_MAGNETIC] = ib_motor_row_magnetic(&a->motors, x);
    for (int i = 0; i < IB_ACTUATOR_BOOKS; i++) y[A_BOOKS + i] = x[a->books + i];
    y[A_START] = begun(a, g);
    ib_motor_row_output_warmth(&a->motors, x, signals);
    if (a->hook.on) output_hook(a, &w->hook, x + a->hooked, signals + a->hook_signal);
}
