#include "robot/motor_bench.h"

#include "base/extreme.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define COMMAND_SCALE 12.0 ///< a command of 12 V is full duty [V]                    [RoboSim 9b]

// ------------------------------------------------------------------------------------ declarations

#define PARAM(key, type, unit, fallback, min, max, detail, field, live, sentence)                  \
    {                                                                                              \
        key, type, unit, fallback, min, max, detail, offsetof(ib_MotorBenchConfig, field), live,   \
            sentence                                                                               \
    }
#define NUMBER(key, unit, fallback, min, max, field, sentence)                                     \
    PARAM(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, field, false, sentence)
#define LIVE(key, unit, fallback, min, max, field, sentence)                                       \
    PARAM(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, field, true, sentence)
#define LIMIT(key, field, sentence)                                                                \
    PARAM(key, IB_PARAM_LIMIT, "A", "off", 1e-3, 1e6, NULL, field, false, sentence)
#define CHOICE(key, fallback, words, field, sentence)                                              \
    PARAM(key, IB_PARAM_CHOICE, "1", fallback, 0, 0, words, field, false, sentence)

static const char *const currents[] = {"quasi_static", "implicit", "explicit", NULL};

static const ib_Param params[] = {
    IB_MOTOR_ROWS("motor", ib_MotorBenchConfig),
    NUMBER("motor.rotor_inertia", "kg*m^2", "0 kg*m^2", 0, 1e3, rotor_inertia,
           "moment of inertia of the motor's own rotor"),
    IB_THERMAL_ROWS("thermal", ib_MotorBenchConfig, thermal),
    LIVE("inertia", "kg*m^2", "0.001 kg*m^2", 0, 1e6, inertia,
         "moment of inertia of the flywheel on the shaft; the rotor's is added"),
    LIVE("bearing.viscous", "N*m*s", "0 N*m*s", 0, 1e3, bearing_viscous,
         "viscous friction of the bench's bearings: torque over speed"),
    LIVE("bearing.coulomb", "N*m", "0 N*m", 0, 1e6, bearing_coulomb,
         "dry friction of the bench's bearings"),
    LIVE("inductance", "H", "59 uH", 1e-9, 10, inductance,
         "inductance of the winding; only where `current` is not quasi_static"),
    CHOICE("current", "quasi_static", currents, current,
           "law of the current: without inductance, with it, or with it in whole steps (RoboSim "
           "4.2e)"),
    CHOICE("loss", "viscous", ib_motor_losses, loss,
           "law of the loss torque inside the motor, whose size is from its free current"),
    LIVE("supply.voltage", "V", "12 V", 1e-3, 1e4, voltage,
         "voltage of the bench supply without load"),
    LIVE("supply.resistance", "ohm", "0 ohm", 0, 1e3, resistance,
         "resistance of the supply and its leads"),
    LIMIT("current_limit", current_limit, "largest current in the winding (stator); off: no limit"),
    LIMIT("supply_limit", supply_limit, "largest current drawn from the supply; off: no limit"),
};

static const ib_Param start[] = {
    NUMBER("angle", "rad", "0 rad", -1e6, 1e6, angle, "angle of the shaft"),
    NUMBER("speed", "rad/s", "0 rad/s", -1e5, 1e5, speed, "speed of the shaft"),
};

enum {
    S_COMMAND,
    S_VOLTAGE,
    S_CURRENT,
    S_TORQUE,
    S_SPEED,
    S_ANGLE,
    S_SUPPLY_VOLTAGE,
    S_SUPPLY_CURRENT,
    S_BRAKE,
    S_P_ELECTRIC,
    S_P_MECHANIC,
    S_P_COPPER,
    S_P_CONVERSION,
    S_P_LOSS,
    S_P_BRAKE,
    S_P_BEARING,
    S_EFFICIENCY,
    S_E_SUPPLY,
    S_E_KINETIC, ///< from here to S_E_BRAKE: where it went
    S_E_MAGNETIC,
    S_E_RESISTANCE,
    S_E_COPPER,
    S_E_CONVERSION,
    S_E_LOSS,
    S_E_BEARING,
    S_E_BRAKE,
    S_E_START,
    S_E_ERROR,
    S_COUNT,
};

static const ib_SignalDef signals[S_COUNT] = {
    [S_COMMAND] = {IB_NAME_MOTOR("command"), "V", "voltage command, 12 V scale", 0,
                   IB_MEANS(.headline = 3)},
    [S_VOLTAGE] = {IB_NAME_MOTOR("voltage"), "V", "voltage at the terminals of the motor", 0,
                   IB_MEANS(.role = IB_ROLE_MOTOR_VOLTAGE, .headline = 2)},
    [S_CURRENT] = {IB_NAME_MOTOR("current"), "A", "current in the winding", 1e5,
                   IB_MEANS(.headline = 1)},
    [S_TORQUE] = {IB_NAME_MOTOR("torque"), "N*m", "torque at the shaft, loss torque taken off", 0,
                  IB_MEANS(.headline = 2)},
    [S_SPEED] = {IB_NAME_MOTOR("speed"), "rad/s", "speed of the shaft", 1e6,
                 IB_MEANS(.role = IB_ROLE_MOTOR_MOTION, .headline = 1, .shown = "rpm")},
    [S_ANGLE] = {IB_NAME_MOTOR("angle"), "rad", "angle of the shaft, continuous", 1e12,
                 IB_MEANS(.shown = "rev")},
    [S_SUPPLY_VOLTAGE] = {"supply.voltage", "V", "voltage of the supply, under load", 0,
                          IB_MEANS(.role = IB_ROLE_SUPPLY_VOLTAGE)},
    [S_SUPPLY_CURRENT] = {"supply.current", "A",
                          "current drawn from the supply; negative: fed back", 0,
                          IB_MEANS(.role = IB_ROLE_SUPPLY_CURRENT, .headline = 3)},
    [S_BRAKE] = {"brake.torque", "N*m", "torque of the brake; its sign is the speed's", 0},
    [S_P_ELECTRIC] = {IB_NAME_POWER("electric"), "W", "electrical power into the motor", 0},
    [S_P_MECHANIC] = {IB_NAME_POWER("mechanic"), "W", "mechanical power out of the motor's shaft",
                      0, IB_MEANS(.headline = 2)},
    [S_P_COPPER] = {IB_NAME_POWER("copper"), "W", "power lost as heat in the winding", 0},
    [S_P_CONVERSION] = {IB_NAME_POWER("conversion"), "W",
                        "power lost between electrical and mechanical power: Ke is not Kt", 0},
    [S_P_LOSS] = {IB_NAME_POWER("loss"), "W", "power lost to the motor's loss torque", 0},
    [S_P_BRAKE] = {IB_NAME_POWER("brake"), "W", "power lost as heat in the brake", 0},
    [S_P_BEARING] = {IB_NAME_POWER("bearing"), "W", "power lost as heat in the bench's bearings",
                     0},
    [S_EFFICIENCY] =
        {IB_NAME_EFFICIENCY, "1",
         "efficiency: power.mechanic over power.electric while both are positive, else 0", 0,
         IB_MEANS(.headline = 3)},
    [S_E_SUPPLY] = {IB_NAME_ENERGY("supply"), "J", "energy given by the supply so far", 1e15,
                    IB_MEANS(.role = IB_ROLE_SUPPLIED, .headline = 3)},
    [S_E_KINETIC] = {IB_NAME_ENERGY("kinetic"), "J", "kinetic energy of rotor and flywheel", 0,
                     IB_MEANS(.role = IB_ROLE_STORED, .headline = 3)},
    [S_E_MAGNETIC] = {IB_NAME_ENERGY("magnetic"), "J", "energy held by the winding's inductance", 0,
                      IB_MEANS(.role = IB_ROLE_STORED)},
    [S_E_RESISTANCE] = {IB_NAME_ENERGY("resistance"), "J",
                        "energy lost in the supply's resistance so far", 0,
                        IB_MEANS(.role = IB_ROLE_LOST)},
    [S_E_COPPER] = {IB_NAME_ENERGY("copper"), "J", "energy lost in the winding so far", 0,
                    IB_MEANS(.role = IB_ROLE_LOST, .headline = 3)},
    [S_E_CONVERSION] = {IB_NAME_ENERGY("conversion"), "J",
                        "energy lost between electrical and mechanical power so far", 0,
                        IB_MEANS(.role = IB_ROLE_LOST)},
    [S_E_LOSS] = {IB_NAME_ENERGY("loss"), "J", "energy lost to the motor's loss torque so far", 0,
                  IB_MEANS(.role = IB_ROLE_LOST)},
    [S_E_BEARING] = {IB_NAME_ENERGY("bearing"), "J", "energy lost in the bench's bearings so far",
                     0, IB_MEANS(.role = IB_ROLE_LOST)},
    [S_E_BRAKE] = {IB_NAME_ENERGY("brake"), "J", "energy lost in the brake so far", 0,
                   IB_MEANS(.role = IB_ROLE_LOST)},
    [S_E_START] = {IB_NAME_ENERGY("start"), "J", "kinetic energy that the run began with", 0,
                   IB_MEANS(.role = IB_ROLE_GIVEN)},
    [S_E_ERROR] = {IB_NAME_ENERGY("error"), "J",
                   "error of the energy book: supply + start - all the others", 0,
                   IB_MEANS(.role = IB_ROLE_BALANCE)},
};
static const ib_SignalRows rows = {signals, S_COUNT};

static const ib_StateDef states[IB_BENCH_STATES] = {
    [IB_BENCH_ANGLE] = {.signal = IB_NAME_MOTOR("angle")},
    [IB_BENCH_SPEED] = {.signal = IB_NAME_MOTOR("speed")},
    [IB_BENCH_E_SUPPLY] = {.signal = IB_NAME_ENERGY("supply")},
    [IB_BENCH_E_RESISTANCE] = {.signal = IB_NAME_ENERGY("resistance")},
    [IB_BENCH_E_COPPER] = {.signal = IB_NAME_ENERGY("copper")},
    [IB_BENCH_E_CONVERSION] = {.signal = IB_NAME_ENERGY("conversion")},
    [IB_BENCH_E_LOSS] = {.signal = IB_NAME_ENERGY("loss")},
    [IB_BENCH_E_BEARING] = {.signal = IB_NAME_ENERGY("bearing")},
    [IB_BENCH_E_BRAKE] = {.signal = IB_NAME_ENERGY("brake")},
    [IB_BENCH_E_START] = {.signal = IB_NAME_ENERGY("start")},
    [IB_BENCH_CURRENT] = {.signal = IB_NAME_MOTOR("current")},
};

// ----------------------------------------------------------------------------------------- physics

void ib_motor_bench_init(const ib_MotorBenchConfig *config, ib_MotorBenchModel *bench)
{
    *bench = (ib_MotorBenchModel){
        .inertia = config->rotor_inertia + config->inertia,
        .viscous = config->bearing_viscous,
        .coulomb = config->bearing_coulomb,
        .inductance = config->inductance,
        .voltage = config->voltage,
        .resistance = config->resistance,
        .current_limit = config->current_limit,
        .supply_limit = config->supply_limit,
        .inductive = config->current != IB_BENCH_QUASI_STATIC,
    };
    bench->per_inertia = 1 / bench->inertia;
    ib_motor_init(&config->motor, config->loss, &bench->motor);
    ib_thermal_init(&config->thermal, &bench->thermal);
    bench->state_count = bench->inductive ? IB_BENCH_STATES : IB_BENCH_FIXED;
    ib_thermal_lay_out(&config->thermal, 1, 1, &bench->thermal, &bench->state_count);
}

// The supply's sag and the motor's voltage at one instant.
static void solve(const ib_MotorBenchModel *b, const ib_MotorModel *motor, double duty, double w,
                  const double *current, ib_Bus *bus)
{
    const ib_Bridge bridge = {.duty = duty,
                              .emf = motor->Ke * w,
                              .count = 1,
                              .R = motor->R,
                              .per_R = 1 / motor->R,
                              .stator = b->current_limit,
                              .supply = b->supply_limit,
                              .given = current != NULL,
                              .current = current ? *current : 0};
    ib_bus_solve(b->voltage, b->resistance, 0, 0, &bridge, 1, bus);
}

// Dry friction jumps at rest; a tanh makes it a steep but smooth line within +-3 rad/s,
// as in plant/motor.h:
//   bearing = c w + C tanh(w / 1 rad/s),   brake = B tanh(w / 1 rad/s)
ib_MotorBenchNow ib_motor_bench_now(const ib_MotorBenchModel *b, const double *x,
                                    const double *input)
{
    double w = x[IB_BENCH_SPEED], dry = 0, B = input[IB_BENCH_BRAKE];
    ib_MotorBenchNow now = {.duty = input[IB_BENCH_COMMAND] * (1 / COMMAND_SCALE)};
    ib_MotorModel motor = ib_thermal_motor_of(&b->thermal, x, 0, &b->motor);
    ib_Bus bus;
    solve(b, &motor, now.duty, w, b->inductive ? x + IB_BENCH_CURRENT : NULL, &bus);
    now.volts = bus.bridge[0].volts;
    now.current = bus.bridge[0].current;
    now.supply_volts = bus.voltage;
    now.drawn = bus.current;
    double whole = ib_motor_torque(&b->motor, now.current, w);
    now.torque = whole * input[IB_BENCH_GAIN];
    if (b->coulomb != 0 || B != 0) dry = ib_tanh(w);
    now.bearing = b->viscous * w + b->coulomb * dry;
    now.brake = B * dry;
    now.copper = motor.R * now.current * now.current;
    now.conversion = ib_motor_conversion(&b->motor, now.current, w);
    now.loss = ib_motor_loss(&b->motor, w) * w + (whole - now.torque) * w;
    return now;
}

//   J w' = T - bearing - brake,   th' = w,   L I' = u - R I - Ke w
// Limits: no load, no brake -> free point; w' = 0 -> the brake's torque is the motor's.
void ib_motor_bench_rate(const ib_MotorBenchModel *b, const double *x, const double *input,
                         double *dx)
{
    double w = x[IB_BENCH_SPEED];
    ib_MotorBenchNow now = ib_motor_bench_now(b, x, input);
    dx[IB_BENCH_ANGLE] = w;
    dx[IB_BENCH_SPEED] = (now.torque - now.bearing - now.brake) * b->per_inertia;
    dx[IB_BENCH_E_SUPPLY] = b->voltage * now.drawn;
    dx[IB_BENCH_E_RESISTANCE] = b->resistance * now.drawn * now.drawn;
    dx[IB_BENCH_E_COPPER] = now.copper;
    dx[IB_BENCH_E_CONVERSION] = now.conversion;
    dx[IB_BENCH_E_LOSS] = now.loss;
    dx[IB_BENCH_E_BEARING] = now.bearing * w;
    dx[IB_BENCH_E_BRAKE] = now.brake * w;
    dx[IB_BENCH_E_START] = 0;
    if (b->inductive) {
        ib_MotorModel motor = ib_thermal_motor_of(&b->thermal, x, 0, &b->motor);
        dx[IB_BENCH_CURRENT] =
            ib_motor_current_rate(&motor, b->inductance, now.volts, x[IB_BENCH_CURRENT], w);
    }
    if (ib_thermal_on(&b->thermal)) ib_thermal_rate(&b->thermal, x, &now.copper, dx);
}

// ------------------------------------------------------------------------------ the kind's entries

static void rate(const void *model, const double *state, const double *input, double *dx)
{
    ib_motor_bench_rate(model, state, input, dx);
}

static double kinetic(const ib_MotorBenchModel *b, double w)
{
    return 0.5 * b->inertia * w * w;
}

static void output_energy(const ib_MotorBenchModel *b, const double *x, double *y)
{
    double I = b->inductive ? x[IB_BENCH_CURRENT] : 0;
    y[S_E_SUPPLY] = x[IB_BENCH_E_SUPPLY];
    y[S_E_RESISTANCE] = x[IB_BENCH_E_RESISTANCE];
    y[S_E_COPPER] = x[IB_BENCH_E_COPPER];
    y[S_E_CONVERSION] = x[IB_BENCH_E_CONVERSION];
    y[S_E_LOSS] = x[IB_BENCH_E_LOSS];
    y[S_E_BEARING] = x[IB_BENCH_E_BEARING];
    y[S_E_BRAKE] = x[IB_BENCH_E_BRAKE];
    y[S_E_START] = x[IB_BENCH_E_START];
    y[S_E_KINETIC] = kinetic(b, x[IB_BENCH_SPEED]);
    y[S_E_MAGNETIC] = 0.5 * b->inductance * I * I;
}

static void output(const void *model, const double *x, const double *input, double *y)
{
    const ib_MotorBenchModel *b = model;
    double w = x[IB_BENCH_SPEED];
    ib_MotorBenchNow now = ib_motor_bench_now(b, x, input);
    y[S_COMMAND] = input[IB_BENCH_COMMAND];
    y[S_VOLTAGE] = now.volts;
    y[S_CURRENT] = now.current;
    y[S_TORQUE] = now.torque;
    y[S_SPEED] = w;
    y[S_ANGLE] = x[IB_BENCH_ANGLE];
    y[S_SUPPLY_VOLTAGE] = now.supply_volts;
    y[S_SUPPLY_CURRENT] = now.drawn;
    y[S_BRAKE] = now.brake;
    y[S_P_ELECTRIC] = now.volts * now.current;
    y[S_P_MECHANIC] = now.torque * w;
    y[S_P_COPPER] = now.copper;
    y[S_P_CONVERSION] = now.conversion;
    y[S_P_LOSS] = now.loss;
    y[S_P_BRAKE] = now.brake * w;
    y[S_P_BEARING] = now.bearing * w;
    bool drives = y[S_P_ELECTRIC] > 0 && y[S_P_MECHANIC] > 0;
    y[S_EFFICIENCY] = drives ? y[S_P_MECHANIC] / y[S_P_ELECTRIC] : 0;
    output_energy(b, x, y);
    if (!ib_thermal_on(&b->thermal)) return;
    ib_thermal_output(&b->thermal, x, 0, y + S_COUNT);
    ib_heat_output(&b->thermal, x, y[S_E_COPPER],
                   y + S_COUNT + ib_thermal_signal_count(&b->thermal));
}

static void reset(const void *config_, const void *model, double *x)
{
    const ib_MotorBenchConfig *config = config_;
    const ib_MotorBenchModel *b = model;
    memset(x, 0, (size_t)b->state_count * sizeof *x);
    x[IB_BENCH_ANGLE] = config->angle;
    x[IB_BENCH_SPEED] = config->speed;
    x[IB_BENCH_E_START] = kinetic(b, config->speed);
    ib_thermal_reset(&b->thermal, x);
}

static ib_Status check(const void *config_, ib_Error *error)
{
    const ib_MotorBenchConfig *config = config_;
    ib_Error part;
    ib_Status status = ib_motor_check(&config->motor, &part);
    if (status != IB_OK) return ib_error_set(error, status, "motor.%.900s", part.text);
    status = ib_thermal_check(&config->thermal, &part);
    if (status != IB_OK) return ib_error_set(error, status, "thermal.%.900s", part.text);
    if (!(config->rotor_inertia + config->inertia > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "inertia: must be above 0 kg*m^2 where motor.rotor_inertia is 0");
    return IB_OK;
}

static const char *idle(const void *config, const char *key)
{
    int current = ((const ib_MotorBenchConfig *)config)->current;
    bool asks = strcmp(key, "inductance") == 0;
    return asks && current == IB_BENCH_QUASI_STATIC ? "current" : NULL;
}

// ------------------------------------------------------------------------------------------- ports

// The longest step with which RK4 follows the winding, tau = L/(R + Rs), and dry friction near
// rest, tau = J (1 rad/s)/(all dry torques). `explicit` takes the run's own step, come what may.
static double resolution(const ib_MotorBenchModel *b, int current, double most_brake)
{
    if (current == IB_BENCH_EXPLICIT) return 0;
    double dry = b->motor.coulomb + b->coulomb + most_brake;
    double shortest = 0.7 * b->inertia / dry;
    if (b->inductive) shortest = ib_min(shortest, b->inductance / (b->motor.R + b->resistance) / 8);
    double power = b->voltage * b->voltage * b->motor.per_R;
    return ib_min(shortest, ib_thermal_resolution(&b->thermal, power));
}

static const ib_InputDef *make_inputs(ib_Arena *arena, double most_brake)
{
    ib_InputDef *in = ib_arena_array(arena, IB_BENCH_INPUTS, sizeof *in);
    if (!in) return NULL;
    memcpy(in, ib_environment_inputs, sizeof ib_environment_inputs);
    in[IB_BENCH_COMMAND] = (ib_InputDef){.name = "command",
                                         .unit = "V",
                                         .sentence = "voltage command, 12 V: all of the supply's",
                                         .role = IB_INPUT_COMMAND,
                                         .required = true,
                                         .low = -COMMAND_SCALE,
                                         .high = COMMAND_SCALE,
                                         .limit = "the 12 V scale"};
    in[IB_BENCH_BRAKE] = (ib_InputDef){.name = "brake",
                                       .unit = "N*m",
                                       .sentence = "torque of the brake, against the rotation",
                                       .role = IB_INPUT_COMMAND,
                                       .low = 0,
                                       .high = most_brake,
                                       .limit = "twice the stall torque of the data sheet"};
    in[IB_BENCH_GAIN] = ib_gain_input(IB_NAME_MOTOR("torque"));
    return in;
}

enum { MOST_THERMAL = 3 }; ///< states: winding, case, heat given

// Its signals and states: with those of the winding's warmth where it has them.
static bool make_tables(const ib_MotorBenchModel *b, ib_Arena *arena, ib_RobotPorts *ports)
{
    const ib_ThermalModel *thermal = &b->thermal;
    ib_SignalTable table = {.arena = arena};
    ib_StateDef *all = ib_arena_array(arena, (size_t)b->state_count, sizeof *all);
    int own = ib_thermal_signal_count(thermal);
    bool good = all && ib_signals_add(&table, "", signals, S_COUNT) >= 0 &&
                ib_signals_add(&table, "motor", ib_thermal_signals, own) >= 0 &&
                ib_signals_add(&table, "", ib_heat_signals, IB_HEAT_SIGNALS) >= 0;
    if (!good) return false;
    memcpy(all, states, (size_t)thermal->state * sizeof *all);
    int shown[IB_BENCH_STATES + MOST_THERMAL];
    ib_thermal_shown(thermal, 0, S_COUNT, shown);
    ib_heat_shown(thermal, S_COUNT + own, shown);
    for (int i = thermal->state; i < b->state_count; i++)
        all[i].signal = table.items[shown[i]].name;
    ports->states = all;
    ports->signals = table.items;
    ports->signal_count = table.count;
    return true;
}

static ib_Status init(const void *config_, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                      ib_Error *error)
{
    const ib_MotorBenchConfig *config = config_;
    ib_MotorBenchModel *b = model;
    double most_brake = 2 * config->motor.stall_torque;
    ib_motor_bench_init(config, b);
    *ports = (ib_RobotPorts){
        .state_count = b->state_count,
        .states = states,
        .input_count = IB_BENCH_INPUTS,
        .inputs = make_inputs(arena, most_brake),
        .signal_count = S_COUNT,
        .signals = signals,
        .resolution = resolution(b, config->current, most_brake),
    };
    ports->geometry = ib__motor_bench_look(config, arena);
    bool warm = ib_thermal_on(&b->thermal);
    if (!ports->inputs || !ports->geometry || (warm && !make_tables(b, arena, ports)))
        return ib_error_set(error, IB_FAILED, "out of memory for the bench");
    return IB_OK;
}

static const ib_Erratum errata[] = {
    {"4.2c, d", "no loss torque", "T = Kt I - b w (loss)",
     "free speed 5421.5 rpm at 0 A instead of 5310 rpm at 2.7 A"},
    {"4.2e", "forward Euler at 50 ms", "4.1c, or the current without lag",
     "amplification -76.5 a step with a real inductance"},
    {"R_m (code)", "0.3 ohm", "0.0914 ohm = 12 V / 131.227 A", "the stall current used for Kt"},
};

const ib_RobotKind ib_motor_bench_kind = {
    .name = "motor_bench",
    .sentence = "one motor on a bench: supply, flywheel, bearings, brake",
    .docs = "docs/motor_bench.md",
    IB_ROBOT_TABLES(ib_MotorBenchConfig, ib_MotorBenchModel),
    .signals = &rows,
    .check = check,
    .params.idle = idle,
    IB_ROBOT_FUNCTIONS,
    .errata = errata,
    .errata_count = sizeof errata / sizeof errata[0],
};
