// robot/cylinder_rig/cylinder_rig_kind.c: what may be written about the rig in a file, what it
// shows, and its entry among the kinds.
#include "robot/cylinder_rig/cylinder_rig.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef ib_CylinderRigConfig Config;

#define PARAM(key, type, unit, fallback, min, max, detail, field, live, sentence)                  \
    IB_PARAM_ROW(key, type, unit, fallback, min, max, detail, Config, field, live, sentence)
#define NUMBER(key, unit, fallback, min, max, field, sentence)                                     \
    IB_NUMBER_ROW(key, unit, fallback, min, max, field, sentence)
#define LIVE(key, unit, fallback, min, max, field, sentence)                                       \
    PARAM(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, field, true, sentence)
#define CHOICE(key, fallback, words, field, sentence)                                              \
    PARAM(key, IB_PARAM_CHOICE, "1", fallback, 0, 0, words, field, false, sentence)
#define LIMIT(key, unit, word, min, max, field, sentence)                                          \
    PARAM(key, IB_PARAM_LIMIT, unit, word, min, max, word, field, false, sentence)

// -------------------------------------------------------------------------------------- parameters

static const char *const equations[] = {"corrected", "published", NULL};
static const char *const stops[] = {"rigid", "compliant", NULL};

static const ib_Param params[] = {
    LIVE("mass", "kg", "0.2 kg", 1e-3, 1e4, mass, "mass that moves: rod and what is attached"),
    NUMBER("orientation", "rad", "-90 deg", -10, 10, orientation,
           "angle of the rod above the horizontal; -90 deg: it points down"),
    LIMIT("gravity", "m/s^2", "field", 0, 1e3, gravity, "acceleration of gravity; field: its own"),
    PARAM("locked", IB_PARAM_FLAG, "1", "false", 0, 0, NULL, locked, false,
          "the rod is held where it starts"),
    CHOICE("equations", "corrected", equations, equations,
           "published: the energy factor and the critical ratio as the thesis prints them"),
    CHOICE("stops.law", "rigid", stops, stops, "the ends of the stroke: rigid, or springs"),
    NUMBER("stops.restitution", "1", "0", 0, 0.95, restitution,
           "part of its speed with which the piston leaves a rigid stop"),
    NUMBER("stops.stiffness", "N/m", "1e6 N/m", 1, 1e12, stop_stiffness,
           "stiffness of a compliant stop"),
    NUMBER("stops.damping", "s/m", "2 s/m", 0, 1e6, stop_damping,
           "damping of a compliant stop: its force grows by this part for a speed into it"),
    NUMBER("side_load", "N", "0 N", 0, 1e6, side_load,
           "force across the rod, which friction.side_coefficient turns into friction"),
    IB_SUPPLY_ROWS(Config, supply),
    IB_RAM_ROWS(Config, ram),
    IB_FRICTION_ROWS(Config, friction),
};

static const ib_Param start[] = {
    LIMIT("position", "m", "extended", 0, 10, position, "how far the rod is out"),
    NUMBER("velocity", "m/s", "0 m/s", -100, 100, velocity, "speed of the rod, outwards"),
    NUMBER("cap.pressure", "Pa", "96526.64 Pa", 1, 1e8, cap_pressure,
           "pressure on the cap side, absolute"),
    LIMIT("rod.pressure", "Pa", "supply", 1, 1e8, rod_pressure,
          "pressure on the rod side, absolute; supply: its pressure"),
    LIMIT("cap.temperature", "K", "surroundings", 50, 1000, cap_temperature,
          "temperature of the air on the cap side"),
    LIMIT("rod.temperature", "K", "surroundings", 50, 1000, rod_temperature,
          "temperature of the air on the rod side"),
};

// What does nothing beside the others.
static const char *idle(const void *config_, const char *key)
{
    const Config *config = config_;
    bool rigid = config->stops == IB_STOPS_RIGID;
    if (strcmp(key, "stops.restitution") == 0) return rigid ? NULL : "stops.law";
    if (strcmp(key, "stops.stiffness") == 0 || strcmp(key, "stops.damping") == 0)
        return rigid ? "stops.law" : NULL;
    if (strcmp(key, "side_load") == 0)
        return config->friction.side_coefficient > 0 ? NULL : "friction.side_coefficient";
    if (strncmp(key, "friction", 8) == 0) return ib_friction_idle(&config->friction, key);
    if (strncmp(key, "supply.", 7) == 0) return ib_supply_idle(&config->supply, key);
    return ib_ram_idle(&config->ram, key);
}

// ----------------------------------------------------------------------------------------- signals

enum {
    S_POSITION,
    S_VELOCITY,
    S_ACCELERATION,
    S_FORCE,
    S_FRICTION,
    S_STOP,
    S_LOAD,
    S_CAP_PRESSURE,
    S_CAP_TEMPERATURE,
    S_CAP_MASS,
    S_ROD_PRESSURE,
    S_ROD_TEMPERATURE,
    S_ROD_MASS,
    S_VOLTAGE,
    S_SPOOL,
    S_AREA_1,
    S_AREA_2,
    S_FLOW_1,
    S_FLOW_2,
    S_SUPPLY,
    S_USED,
    S_VENTED,
    S_AIR_ERROR,
    S_E_SUPPLY,
    S_E_LOAD,
    S_E_HEAT,
    S_E_START,
    S_E_AIR, ///< from here to S_E_STOP: where it is and went
    S_E_KINETIC,
    S_E_POTENTIAL,
    S_E_EXHAUST,
    S_E_LEAK,
    S_E_FRICTION,
    S_E_STOP,
    S_E_ERROR,
    S_CAP_WORK,
    S_CAP_ERROR,
    S_ROD_WORK,
    S_ROD_ERROR,
    S_COUNT,
};

static const ib_SignalDef signals[S_COUNT] = {
    [S_POSITION] = {IB_NAME_CYLINDER("position"), "m", "how far the rod is out", 1e3,
                    IB_MEANS(.headline = 1, .shown = "mm")},
    [S_VELOCITY] = {IB_NAME_CYLINDER("velocity"), "m/s", "speed of the rod, outwards", 1e4,
                    IB_MEANS(.headline = 2)},
    [S_ACCELERATION] = {IB_NAME_CYLINDER("acceleration"), "m/s^2",
                        "acceleration of the rod, outwards", 0},
    [S_FORCE] = {IB_NAME_CYLINDER("force"), "N", "force of the air on the piston, outwards", 0,
                 IB_MEANS(.headline = 2)},
    [S_FRICTION] = {IB_NAME_CYLINDER("friction"), "N",
                    "friction of the seals; positive: it holds an extending rod back", 0,
                    IB_MEANS(.headline = 3)},
    [S_STOP] = {IB_NAME_CYLINDER("stop"), "N",
                "force of a stop, or of what holds the rod, outwards", 0},
    [S_LOAD] = {IB_NAME_CYLINDER("load"), "N",
                "force of the rod on the mass at its end, outwards: what a force sensor shows", 0},
    [S_CAP_PRESSURE] = {IB_NAME_CAP("pressure"), "Pa",
                        "pressure on the side without the rod, absolute", 0,
                        IB_MEANS(.headline = 1, .shown = "kPa")},
    [S_CAP_TEMPERATURE] = {IB_NAME_CAP("temperature"), "K",
                           "temperature of the air on the cap side", 0, IB_MEANS(.headline = 3)},
    [S_CAP_MASS] = {IB_NAME_CAP("mass"), "kg", "air on the cap side", 1e6},
    [S_ROD_PRESSURE] = {IB_NAME_ROD("pressure"), "Pa", "pressure on the side of the rod, absolute",
                        0, IB_MEANS(.headline = 1, .shown = "kPa")},
    [S_ROD_TEMPERATURE] = {IB_NAME_ROD("temperature"), "K",
                           "temperature of the air on the rod side", 0, IB_MEANS(.headline = 3)},
    [S_ROD_MASS] = {IB_NAME_ROD("mass"), "kg", "air on the rod side", 1e6},
    [S_VOLTAGE] = {"valve.voltage", "V", "voltage of the valve, 0 to 10 V", 0,
                   IB_MEANS(.headline = 2)},
    [S_SPOOL] = {"valve.spool", "V", "place of the spool, in volts from the centre", 0},
    [S_AREA_1] = {"valve.area.1", "m^2", "effective area of port 1: all its ways together", 0},
    [S_AREA_2] = {"valve.area.2", "m^2", "effective area of port 2: all its ways together", 0},
    [S_FLOW_1] = {"valve.flow.1", "kg/s", "air through port 1 into the cylinder", 0,
                  IB_MEANS(.headline = 3)},
    [S_FLOW_2] = {"valve.flow.2", "kg/s", "air through port 2 into the cylinder", 0,
                  IB_MEANS(.headline = 3)},
    [S_SUPPLY] = {"supply.pressure", "Pa", "pressure of the supply at the valve, absolute", 0,
                  IB_MEANS(.headline = 3, .shown = "kPa")},
    [S_USED] = {"air.used", "kg", "air taken from the supply so far", 1e6, IB_MEANS(.headline = 3)},
    [S_VENTED] = {"air.vented", "kg", "air let out so far, leaks included", 1e6},
    [S_AIR_ERROR] = {"air.error", "kg", "error of the book of the air: used - vented - gained", 0},
    [S_E_SUPPLY] = {IB_NAME_ENERGY("supply"), "J", "enthalpy of the air taken from the supply", 0,
                    IB_MEANS(.role = IB_ROLE_SUPPLIED)},
    [S_E_LOAD] = {IB_NAME_ENERGY("load"), "J", "energy given by the force on the rod so far", 0,
                  IB_MEANS(.role = IB_ROLE_GIVEN)},
    [S_E_HEAT] = {IB_NAME_ENERGY("heat"), "J", "heat from the cylinder's walls so far", 0,
                  IB_MEANS(.role = IB_ROLE_GIVEN)},
    [S_E_START] = {IB_NAME_ENERGY("start"), "J", "energy that the run began with", 0,
                   IB_MEANS(.role = IB_ROLE_GIVEN)},
    [S_E_AIR] = {IB_NAME_ENERGY("air"), "J", "internal energy of the air in both chambers", 0,
                 IB_MEANS(.role = IB_ROLE_STORED)},
    [S_E_KINETIC] = {IB_NAME_ENERGY("kinetic"), "J", "kinetic energy of the mass that moves", 0,
                     IB_MEANS(.role = IB_ROLE_STORED)},
    [S_E_POTENTIAL] = {IB_NAME_ENERGY("potential"), "J",
                       "energy of the raised mass, of the rod against the atmosphere and of "
                       "pressed stops",
                       0, IB_MEANS(.role = IB_ROLE_STORED)},
    [S_E_EXHAUST] = {IB_NAME_ENERGY("exhaust"), "J", "enthalpy of the air let out so far", 0,
                     IB_MEANS(.role = IB_ROLE_LOST)},
    [S_E_LEAK] = {IB_NAME_ENERGY("leak"), "J", "enthalpy of the air leaked so far", 0,
                  IB_MEANS(.role = IB_ROLE_LOST)},
    [S_E_FRICTION] = {IB_NAME_ENERGY("friction"), "J", "energy lost to the seals so far", 0,
                      IB_MEANS(.role = IB_ROLE_LOST, .headline = 3)},
    [S_E_STOP] = {IB_NAME_ENERGY("stop"), "J", "energy lost in the stops so far", 0,
                  IB_MEANS(.role = IB_ROLE_LOST)},
    [S_E_ERROR] = {IB_NAME_ENERGY("error"), "J",
                   "error of the energy book: all that came in - all the others", 0,
                   IB_MEANS(.role = IB_ROLE_BALANCE)},
    [S_CAP_WORK] = {IB_NAME_CAP("work"), "J", "work of the cap side's air on the piston so far", 0},
    [S_CAP_ERROR] = {IB_NAME_CAP("error"), "J",
                     "audit of the cap side: energy gained - enthalpy - heat + work", 0},
    [S_ROD_WORK] = {IB_NAME_ROD("work"), "J", "work of the rod side's air on the piston so far", 0},
    [S_ROD_ERROR] = {IB_NAME_ROD("error"), "J",
                     "audit of the rod side: energy gained - enthalpy - heat + work", 0},
};
static const ib_SignalRows rows = {signals, S_COUNT};

static void show_books(const ib_CylinderRigModel *rig, const double *state, const double *input,
                       double *signals_)
{
    const double *sums = state + rig->mode, *air = state + IB_RIG_AIR;
    double g = ib_cylinder_rig_gravity(rig, input);
    double stored = ib_cylinder_rig_stored(rig, state, g), *s = signals_;
    double mass = (air[IB_RAM_CAP_MASS] + air[IB_RAM_ROD_MASS]) * IB_RAM_MASS;
    double v = state[IB_RIG_VELOCITY];
    s[S_USED] = sums[IB_RIG_USED];
    s[S_VENTED] = sums[IB_RIG_VENTED];
    s[S_AIR_ERROR] = s[S_USED] - s[S_VENTED] - (mass - sums[IB_RIG_START_MASS]);
    s[S_E_SUPPLY] = sums[IB_RIG_E_SUPPLY];
    s[S_E_LOAD] = sums[IB_RIG_E_LOAD];
    s[S_E_HEAT] = sums[IB_RIG_CAP_HEAT] + sums[IB_RIG_ROD_HEAT];
    s[S_E_START] = sums[IB_RIG_START];
    s[S_E_AIR] = air[IB_RAM_CAP_ENERGY] + air[IB_RAM_ROD_ENERGY];
    s[S_E_KINETIC] = 0.5 * rig->mass * v * v;
    s[S_E_POTENTIAL] = stored - s[S_E_AIR] - s[S_E_KINETIC];
    s[S_E_EXHAUST] = sums[IB_RIG_E_EXHAUST];
    s[S_E_LEAK] = sums[IB_RIG_E_LEAK];
    s[S_E_FRICTION] = sums[IB_RIG_E_FRICTION];
    s[S_E_STOP] = sums[IB_RIG_E_STOP];
    s[S_CAP_WORK] = sums[IB_RIG_CAP_WORK];
    s[S_CAP_ERROR] = air[IB_RAM_CAP_ENERGY] - sums[IB_RIG_START_CAP] - sums[IB_RIG_CAP_IN] -
                     sums[IB_RIG_CAP_HEAT] + sums[IB_RIG_CAP_WORK];
    s[S_ROD_WORK] = sums[IB_RIG_ROD_WORK];
    s[S_ROD_ERROR] = air[IB_RAM_ROD_ENERGY] - sums[IB_RIG_START_ROD] - sums[IB_RIG_ROD_IN] -
                     sums[IB_RIG_ROD_HEAT] + sums[IB_RIG_ROD_WORK];
}

static void output(const void *model, const double *state, const double *input, double *s)
{
    const ib_CylinderRigModel *rig = model;
    ib_CylinderRigNow now = ib_cylinder_rig_now(rig, state, input);
    const ib_ProportionalModel *valve = &rig->ram.valve;
    bool straight = valve->cap_port == IB_PORT_2;
    const ib_PortOpening *one = straight ? &now.open.rod : &now.open.cap;
    const ib_PortOpening *two = straight ? &now.open.cap : &now.open.rod;
    s[S_POSITION] = state[IB_RIG_POSITION];
    s[S_VELOCITY] = state[IB_RIG_VELOCITY];
    s[S_ACCELERATION] = now.acceleration;
    s[S_FORCE] = now.force;
    s[S_FRICTION] = now.friction;
    s[S_STOP] = now.stop;
    s[S_LOAD] = rig->mass * now.acceleration - now.weight - now.load;
    s[S_CAP_PRESSURE] = now.air.cap.pressure;
    s[S_CAP_TEMPERATURE] = now.air.cap.temperature;
    s[S_CAP_MASS] = state[IB_RIG_AIR + IB_RAM_CAP_MASS] * IB_RAM_MASS;
    s[S_ROD_PRESSURE] = now.air.rod.pressure;
    s[S_ROD_TEMPERATURE] = now.air.rod.temperature;
    s[S_ROD_MASS] = state[IB_RIG_AIR + IB_RAM_ROD_MASS] * IB_RAM_MASS;
    s[S_VOLTAGE] = input[IB_RIG_VALVE];
    s[S_SPOOL] = now.spool;
    s[S_AREA_1] = one->area + one->other_area;
    s[S_AREA_2] = two->area + two->other_area;
    s[S_FLOW_1] = straight ? now.air.rod_port.mass : now.air.cap_port.mass;
    s[S_FLOW_2] = straight ? now.air.cap_port.mass : now.air.rod_port.mass;
    s[S_SUPPLY] = now.supply;
    show_books(rig, state, input, s);
}

// ------------------------------------------------------------------------------------------- ports

static const ib_StateDef *make_states(const ib_CylinderRigModel *rig, ib_Arena *arena)
{
    ib_StateDef *all = ib_arena_array(arena, (size_t)rig->state_count, sizeof *all);
    if (!all) return NULL;
    static const struct {
        int state, signal;
    } shown[] = {
        {IB_RIG_USED, S_USED},         {IB_RIG_VENTED, S_VENTED},
        {IB_RIG_E_SUPPLY, S_E_SUPPLY}, {IB_RIG_E_EXHAUST, S_E_EXHAUST},
        {IB_RIG_E_LEAK, S_E_LEAK},     {IB_RIG_E_FRICTION, S_E_FRICTION},
        {IB_RIG_E_STOP, S_E_STOP},     {IB_RIG_E_LOAD, S_E_LOAD},
        {IB_RIG_CAP_WORK, S_CAP_WORK}, {IB_RIG_ROD_WORK, S_ROD_WORK},
        {IB_RIG_START, S_E_START},
    };
    all[IB_RIG_POSITION].signal = signals[S_POSITION].name;
    all[IB_RIG_VELOCITY].signal = signals[S_VELOCITY].name;
    const char *temperatures[] = {signals[S_CAP_TEMPERATURE].name, signals[S_ROD_TEMPERATURE].name};
    all[IB_RIG_AIR + IB_RAM_CAP_ENERGY].coordinate = signals[S_CAP_PRESSURE].name;
    all[IB_RIG_AIR + IB_RAM_ROD_ENERGY].coordinate = signals[S_ROD_PRESSURE].name;
    all[IB_RIG_AIR + IB_RAM_CAP_MASS].coordinate = temperatures[0];
    all[IB_RIG_AIR + IB_RAM_ROD_MASS].coordinate = temperatures[1];
    if (rig->line) all[rig->line_mass].coordinate = signals[S_SUPPLY].name;
    if (rig->spool >= 0) all[rig->spool].signal = signals[S_SPOOL].name;
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
        all[rig->mode + shown[i].state].signal = signals[shown[i].signal].name;
    return all;
}

// Neutral is the valve's centre: who lets go of it lets the piston rest. A load may be four times
// what the supply can hold.
static const ib_InputDef *make_inputs(const ib_CylinderRigModel *rig, ib_Arena *arena)
{
    ib_InputDef *in = ib_arena_array(arena, IB_RIG_INPUTS, sizeof *in);
    if (!in) return NULL;
    memcpy(in, ib_environment_inputs, sizeof ib_environment_inputs);
    in[IB_RIG_VALVE] = (ib_InputDef){.name = "valve",
                                     .unit = "V",
                                     .sentence = "voltage of the valve; above its centre the rod "
                                                 "goes out",
                                     .role = IB_INPUT_COMMAND,
                                     .required = true,
                                     .neutral = rig->ram.valve.centre,
                                     .low = 0,
                                     .high = 10,
                                     .limit = "the valve's range, 0 to 10 V"};
    in[IB_RIG_LOAD] = (ib_InputDef){.name = "load",
                                    .unit = "N",
                                    .sentence = "force on the rod, outwards",
                                    .role = IB_INPUT_COMMAND,
                                    .low = -4 * rig->supply.pressure * rig->ram.cap.area,
                                    .high = 4 * rig->supply.pressure * rig->ram.cap.area,
                                    .limit = "four times the force of the supply's pressure"};
    in[IB_RIG_GAIN] = ib_gain_input(signals[S_SUPPLY].name);
    return in;
}

static ib_Status check(const void *config, ib_Error *error)
{
    return ib_cylinder_rig_check(config, error);
}

static bool doubt(const void *config, int index, char *text, size_t size)
{
    return ib_cylinder_rig_doubt(config, index, text, size);
}

static ib_Status init(const void *config, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                      ib_Error *error)
{
    ib_CylinderRigModel *rig = model;
    ib_cylinder_rig_init(config, rig);
    *ports = (ib_RobotPorts){
        .state_count = rig->state_count,
        .states = make_states(rig, arena),
        .sum_from = rig->mode + IB_RIG_USED,
        .sum_to = rig->state_count,
        .input_count = IB_RIG_INPUTS,
        .inputs = make_inputs(rig, arena),
        .signal_count = S_COUNT,
        .signals = signals,
        .guard_count = IB_RIG_GUARDS,
        .resolution = ib_cylinder_rig_resolution(rig),
        .resolution_stiff = ib_cylinder_rig_resolution_stiff(rig),
        .geometry = ib__cylinder_rig_look(config, arena),
    };
    if (!ports->states || !ports->inputs || !ports->geometry)
        return ib_error_set(error, IB_FAILED, "out of memory for the rig");
    return IB_OK;
}

static void reset(const void *config, const void *model, double *state)
{
    ib_cylinder_rig_reset(config, model, state);
}

static void rate(const void *model, const double *state, const double *input, double *rates)
{
    ib_cylinder_rig_rate(model, state, input, rates);
}

static void guard(const void *model, const double *state, const double *input, double *guards)
{
    ib_cylinder_rig_guard(model, state, input, guards);
}

static void update(const void *model, int index, bool rising, const double *input, double *state)
{
    (void)index, (void)rising;
    ib_cylinder_rig_settle(model, input, state);
}

static bool settle(const void *model, const double *input, double *state)
{
    return ib_cylinder_rig_settle(model, input, state);
}

static bool jacobian(const void *model, const double *state, const double *input, double *J,
                     int stride)
{
    return ib_cylinder_rig_jacobian(model, state, input, J, stride);
}

// Stiff steps, at a cost that is known beforehand. Friction that is steeper than they can follow in
// half a millisecond, and bristles, stick and slip at instants that only an adaptive solver finds:
// it is left to one from 7000 1/s on. The thesis's rig has 4015 1/s (docs/solver_review.md).
static void solver(const void *config_, ib_SolverConfig *wish)
{
    const Config *config = config_;
    ib_FrictionModel friction;
    ib_friction_init(&config->friction, config->ram.stroke, &friction);
    double slope = ib_friction_slope(&friction, 0, 0.5 * config->ram.stroke, config->side_load);
    bool steep = config->friction.law == IB_FRICTION_LUGRE || slope > 7e3 * config->mass;
    wish->kind = steep ? IB_ROSENBROCK : IB_STIFF;
    if (steep) wish->tolerance = 1e-7;
}

static double longest(const void *model, const double *state)
{
    return ib_cylinder_rig_longest(model, state);
}

static bool sound(const void *model, const double *before, const double *after, const double *error)
{
    return ib_cylinder_rig_sound(model, before, after, error);
}

static const ib_Erratum errata[] = {
    {"4.1.2, 4.1.3", "charging: P_d = P_supply", "charging: P_u = P_supply, P_d = P_chamber",
     "the Port_2 listing; the root is imaginary otherwise"},
    {"4.1.4", "critical ratio 0.528", "0.5282817877 = (2/(k + 1))^(k/(k - 1))",
     "the printed one leaves a step of 1.7e-7 in the flow"},
    {"4.1.10", "factor kR/cp + 1 with cp = 1012", "k", "0.06 J are made in a stroke"},
    {"4.1.10", "T undefined", "that of the air which crosses the port", "the listing; first law"},
    {"4.1, 5.5", "third order", "six states: x, v and mass and energy of two chambers",
     "4.1.7 needs the mass"},
    {"4.1.11", "A_piston", "cross-section of the rod", "all chambers at one atmosphere give 0 N"},
    {"4.2.6", "velocity without a unit", "m/s (friction.velocity_unit)",
     "the step of 1 ms; reference sheet A3"},
    {"4.2.3.1", "fits include the minimum area", "they jump at the centre by a factor of 3.2",
     "reference sheet A1"},
    {"4.3.1", "K0 - A0 e^(t/tau)", "e^(-t/tau)", "growth otherwise"},
    {"B.1.1", "cap starts at 14 psi", "below exhaust and atmosphere", "gone after 0.05 s"},
};

const ib_RobotKind ib_cylinder_rig_kind = {
    .name = "cylinder_rig",
    .sentence = "a pneumatic cylinder on a test rig: supply, proportional valve, friction, a mass",
    .docs = "docs/cylinder_rig.md",
    IB_ROBOT_TABLES(ib_CylinderRigConfig, ib_CylinderRigModel),
    .params.idle = idle,
    .params.presets = "cylinder_rigs",
    .signals = &rows,
    .check = check,
    .doubt = doubt,
    IB_ROBOT_FUNCTIONS,
    .guard = guard,
    .update = update,
    .settle = settle,
    .jacobian = jacobian,
    .solver = solver,
    .longest = longest,
    .sound = sound,
    .errata = errata,
    .errata_count = sizeof errata / sizeof errata[0],
};
