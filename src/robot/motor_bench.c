// robot/motor_bench.c: the motor bench as a bolted body with one part: a gearmotor without a gear
// (plant/electric/motor_row.h) on a supply of its own, which turns a shaft with bearings and
// a brake.
#include "robot/motor_bench.h"

#include "base/extreme.h"
#include "plant/electric/motor_row_now.h"
#include "robot/body_now.h"
#include "robot/books.h"

#include <math.h>
#include <string.h>

typedef ib_MotorBenchConfig Config;

// ------------------------------------------------------------------------------------ declarations

#define LIMIT(key, field, sentence)                                                                \
    IB_ROW(key, IB_PARAM_LIMIT, "A", "off", 1e-3, 1e6, NULL, Config, field, sentence)

static const char *const currents[] = {"quasi_static", "implicit", "explicit", NULL};

static const ib_Param params[] = {
    IB_MOTOR_ROWS("motor", Config),
    IB_NUMBER_ROW("motor.rotor_inertia", "kg*m^2", "0 kg*m^2", 0, 1e3, rotor_inertia,
                  "moment of inertia of the motor's own rotor"),
    IB_THERMAL_ROWS("thermal", Config, thermal),
    IB_LIVE_ROW("inertia", "kg*m^2", "0.001 kg*m^2", 0, 1e6, inertia,
                "moment of inertia of the flywheel on the shaft; the rotor's is added"),
    IB_LIVE_ROW("bearing.viscous", "N*m*s", "0 N*m*s", 0, 1e3, bearing_viscous,
                "viscous friction of the bench's bearings: torque over speed"),
    IB_LIVE_ROW("bearing.coulomb", "N*m", "0 N*m", 0, 1e6, bearing_coulomb,
                "dry friction of the bench's bearings"),
    IB_LIVE_ROW("inductance", "H", "59 uH", 1e-9, 10, inductance,
                "inductance of the winding; only where `current` is not quasi_static"),
    IB_CHOICE_OF(
        "current", "quasi_static", currents, Config, current,
        "law of the current: without inductance, with it, or with it in whole steps (RoboSim "
        "4.2e)"),
    IB_CHOICE_OF("loss", "viscous", ib_motor_losses, Config, loss,
                 "law of the loss torque inside the motor, whose size is from its free current"),
    IB_LIVE_ROW("supply.voltage", "V", "12 V", 1e-3, 1e4, voltage,
                "voltage of the bench supply without load"),
    IB_LIVE_ROW("supply.resistance", "ohm", "0 ohm", 0, 1e3, resistance,
                "resistance of the supply and its leads"),
    LIMIT("current_limit", current_limit, "largest current in the winding (stator); off: no limit"),
    LIMIT("supply_limit", supply_limit, "largest current drawn from the supply; off: no limit"),
};

static const ib_Param start[] = {
    IB_NUMBER_ROW("angle", "rad", "0 rad", -1e6, 1e6, angle, "angle of the shaft"),
    IB_NUMBER_ROW("speed", "rad/s", "0 rad/s", -1e5, 1e5, speed, "speed of the shaft"),
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
                 IB_MEANS(.form = IB_STATE, .role = IB_ROLE_MOTOR_MOTION, .headline = 1,
                          .shown = "rpm")},
    [S_ANGLE] = {IB_NAME_MOTOR("angle"), "rad", "angle of the shaft, continuous", 1e12,
                 IB_MEANS(.form = IB_SUM, .shown = "rev")},
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
                    IB_MEANS(.form = IB_SUM, .role = IB_ROLE_SUPPLIED, .headline = 3)},
    [S_E_KINETIC] = {IB_NAME_ENERGY("kinetic"), "J", "kinetic energy of rotor and flywheel", 0,
                     IB_MEANS(.role = IB_ROLE_STORED, .headline = 3)},
    [S_E_MAGNETIC] = IB__BOOK_AS("magnetic", "energy held by the winding's inductance", 0,
                                 IB_ROLE_STORED, IB_SHOWN),
    [S_E_RESISTANCE] =
        IB__BOOK("resistance", "energy lost in the supply's resistance so far", 0, IB_ROLE_LOST),
    [S_E_COPPER] = {IB_NAME_ENERGY("copper"), "J", "energy lost in the winding so far", 0,
                    IB_MEANS(.form = IB_SUM, .role = IB_ROLE_LOST, .headline = 3)},
    [S_E_CONVERSION] =
        IB__BOOK("conversion", "energy lost between electrical and mechanical power so far", 0,
                 IB_ROLE_LOST),
    [S_E_LOSS] = IB__BOOK("loss", "energy lost to the motor's loss torque so far", 0, IB_ROLE_LOST),
    [S_E_BEARING] =
        IB__BOOK("bearing", "energy lost in the bench's bearings so far", 0, IB_ROLE_LOST),
    [S_E_BRAKE] = IB__BOOK("brake", "energy lost in the brake so far", 0, IB_ROLE_LOST),
    [S_E_START] = IB__BOOK("start", "kinetic energy that the run began with", 0, IB_ROLE_GIVEN),
    [S_E_ERROR] =
        IB__BOOK_AS("error", "error of the energy balance: supply + start - all the others", 0,
                    IB_ROLE_BALANCE, IB_SHOWN),
};
static const ib_SignalRows rows = {signals, S_COUNT};

// ----------------------------------------------------------------------------------------- physics

typedef struct Bench {
    ib_MotorShaft shaft;
    ib_MotorRow motor;
    double inertia, per_inertia; ///< J [kg m^2], 1/J
    double viscous, coulomb;     ///< c [N m s], C [N m] of the bearings
    double voltage, resistance;  ///< E [V], Rs [ohm] of the supply
    int at[S_COUNT];             ///< of each signal its place: of states among the states
} Bench;

typedef struct Notes {
    ib_MotorRowNotes motor;
    double bearing, brake; ///< torques, their sign is the speed's [N m]
} Notes;

static double kinetic(const Bench *b, double w)
{
    return 0.5 * b->inertia * w * w;
}

// One motor without a gear: the loops over shafts go (motor_spin_up takes a tenth less).
IB_FORMULA const ib_MotorRow *motor_of(const Bench *b)
{
    IB_ASSERT(b->motor.count == 1 && b->motor.bridge == 0 && b->motor.lossless);
    return &b->motor;
}

static void reset(const void *part, const void *config_, const ib_Wires *wires, double *x)
{
    const Bench *b = part;
    const Config *config = config_;
    (void)wires;
    x[b->at[S_ANGLE]] = config->angle;
    x[b->at[S_SPEED]] = config->speed;
    x[b->at[S_E_START]] = kinetic(b, config->speed);
    ib_thermal_reset(&b->motor.thermal, x);
}

// The supply has nothing else to feed: its sag is known here.
IB_FORMULA void offer(const void *part, void *notes, ib_Wires *w)
{
    const Bench *b = part;
    (void)notes;
    w->duty[0] = ib_power_duty(w->input[IB_BENCH_COMMAND]);
    w->speed[0] = w->x[b->at[S_SPEED]];
    ib__motor_row_offer(motor_of(b), w);
    w->power.E = b->voltage;
    if (w->free) {
        ib_BusSums sums = ib_bus_sums(w->bridge, 1);
        double V = ib_bus_voltage(b->voltage, b->resistance, 0, 0, &sums);
        ib_bus_free(V, 0, w->bridge, 1, &w->power.bus);
        if (V >= 0) return;
        ib__motor_row_limit(motor_of(b), 0, w, w->bridge);
    }
    ib_bus_solve(b->voltage, b->resistance, 0, 0, w->bridge, 1, &w->power.bus);
}

// Dry friction jumps at rest; a tanh makes it a steep but smooth line within +-3 rad/s,
// as in plant/electric/motor.h:
//   bearing = c w + C tanh(w / 1 rad/s),   brake = B tanh(w / 1 rad/s)
IB_FORMULA void push(const void *part, void *notes_, ib_Wires *wires)
{
    const Bench *b = part;
    Notes *notes = notes_;
    double w = wires->speed[0], B = wires->input[IB_BENCH_BRAKE], dry = 0;
    ib__motor_row_push(motor_of(b), &notes->motor, wires);
    if (b->coulomb != 0 || B != 0) dry = ib_tanh(w);
    notes->bearing = b->viscous * w + b->coulomb * dry;
    notes->brake = B * dry;
}

//   J w' = T - bearing - brake,   th' = w
// Limits: no load, no brake -> free point; w' = 0 -> the brake's torque is the motor's.
IB_FORMULA void rate(const void *part, const void *notes_, ib_Wires *wires, double *dx)
{
    const Bench *b = part;
    const Notes *notes = notes_;
    double w = wires->speed[0], drawn = wires->power.bus.current;
    dx[b->at[S_ANGLE]] = w;
    dx[b->at[S_SPEED]] = (wires->torque[0] - notes->bearing - notes->brake) * b->per_inertia;
    dx[b->at[S_E_SUPPLY]] = b->voltage * drawn;
    dx[b->at[S_E_RESISTANCE]] = b->resistance * drawn * drawn;
    dx[b->at[S_E_BEARING]] = notes->bearing * w;
    dx[b->at[S_E_BRAKE]] = notes->brake * w;
    ib__motor_row_rate(motor_of(b), &notes->motor, wires, dx);
}

// The same order as robot/parts.c has it, as one function.
static void flat_rate(const void *model, const double *x, const double *input, double *dx,
                      double *guards)
{
    const ib_PartsModel *r = model;
    const Bench *b = r->own;
    Notes notes;
    ib_Wires w;
    (void)guards; // it has none
    w.x = x;
    w.input = input;
    w.feed = &r->feed;
    w.on = true;
    w.free = r->feed.free;
    offer(b, &notes, &w);
    push(b, &notes, &w);
    dx[b->at[S_E_COPPER]] = dx[b->at[S_E_CONVERSION]] = dx[b->at[S_E_LOSS]] = 0;
    dx[b->at[S_E_START]] = 0;
    rate(b, &notes, &w, dx);
}

static void output(const void *part, const void *notes_, const ib_Wires *wires, double *all)
{
    const Bench *b = part;
    const Notes *notes = notes_;
    const ib_Bus *bus = &wires->power.bus;
    const ib_ThermalModel *thermal = &b->motor.thermal;
    const double *x = wires->x;
    double w = wires->speed[0], u = bus->bridge[0].volts, I = bus->bridge[0].current;
    double T = wires->torque[0], R = ib_thermal_motor_of(thermal, x, 0, &b->shaft.motor).R;
    double *y = all + b->at[S_COMMAND]; // all of the table lie side by side
    y[S_COMMAND] = wires->input[IB_BENCH_COMMAND];
    y[S_VOLTAGE] = u;
    y[S_CURRENT] = I;
    y[S_TORQUE] = T;
    y[S_SUPPLY_VOLTAGE] = bus->voltage;
    y[S_SUPPLY_CURRENT] = bus->current;
    y[S_BRAKE] = notes->brake;
    y[S_P_ELECTRIC] = u * I;
    y[S_P_MECHANIC] = T * w;
    y[S_P_COPPER] = R * I * I;
    y[S_P_CONVERSION] = ib_motor_conversion(&b->shaft.motor, I, w);
    y[S_P_LOSS] = notes->motor.loss;
    y[S_P_BRAKE] = notes->brake * w;
    y[S_P_BEARING] = notes->bearing * w;
    bool drives = u * I > 0 && T * w > 0;
    y[S_EFFICIENCY] = drives ? T * w / (u * I) : 0;
    y[S_E_KINETIC] = kinetic(b, w);
    y[S_E_MAGNETIC] = ib_motor_row_magnetic(&b->motor, x);
    ib_motor_row_output_warmth(&b->motor, x, all);
}

static const ib_PartKind bench_part = {
    .name = "bench",
    .notes = sizeof(Notes),
    .reset = reset,
    .offer = offer,
    .push = push,
    .rate = rate,
    .output = output,
};

// ------------------------------------------------------------------------------------------ making

static ib_Status check(const void *config_, ib_Error *error)
{
    const Config *config = config_;
    ib_Status status = ib_error_under("motor.", ib_motor_check(&config->motor, error), error);
    if (status == IB_OK)
        status = ib_error_under("thermal.", ib_thermal_check(&config->thermal, error), error);
    if (status != IB_OK) return status;
    if (!(config->rotor_inertia + config->inertia > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "inertia: must be above 0 kg*m^2 where motor.rotor_inertia is 0");
    return IB_OK;
}

static const char *idle(const void *config, const char *key)
{
    int current = ((const Config *)config)->current;
    bool asks = strcmp(key, "inductance") == 0;
    return asks && current == IB_BENCH_QUASI_STATIC ? "current" : NULL;
}

static void init(const Config *config, Bench *b)
{
    *b = (Bench){
        .shaft = {.motors = 1,
                  .reduction = 1,
                  .stator = config->current_limit,
                  .supply = config->supply_limit},
        .motor = {.count = 1, .shafts = &b->shaft, .lossless = true},
        .inertia = config->rotor_inertia + config->inertia,
        .viscous = config->bearing_viscous,
        .coulomb = config->bearing_coulomb,
        .voltage = config->voltage,
        .resistance = config->resistance,
    };
    b->per_inertia = 1 / b->inertia;
    if (config->current != IB_BENCH_QUASI_STATIC) b->motor.inductance = config->inductance;
    ib_motor_init(&config->motor, config->loss, &b->shaft.motor);
    ib_thermal_init(&config->thermal, &b->motor.thermal);
}

static void declare(const Config *config, Bench *b, ib_Declarations *d)
{
    static const char *const prefix = "motor", *const part = NULL;
    ib_InputDef command =
        ib_number_input("command", "V", "voltage command, 12 V: all of the supply's",
                        -IB_COMMAND_SCALE, IB_COMMAND_SCALE, "the 12 V scale");
    command.required = true;
    ib_declare_input(d, command, NULL);
    ib_declare_input(d,
                     ib_number_input("brake", "N*m", "torque of the brake, against the rotation", 0,
                                     2 * config->motor.stall_torque,
                                     "twice the stall torque of the data sheet"),
                     NULL);
    ib_declare_input(d, ib_gain_input(IB_NAME_MOTOR("torque")), &b->motor.gain);
    ib_declare(d, "", NULL, signals, S_COUNT, b->at);
    ib_motor_row_declare(&b->motor, "energy", d);
    if (b->motor.inductance > 0) ib_declare_shown(d, &b->motor.current, 0, b->at[S_CURRENT]);
    ib_motor_row_declare_warmth(&config->thermal, &b->motor, &prefix, &part, d);
}

// The longest step with which RK4 follows the winding, tau = L/(R + Rs), and dry friction near
// rest, tau = J (1 rad/s)/(all dry torques). `explicit` always takes the run's own step.
static double resolution(const Config *config, const Bench *b)
{
    const ib_MotorModel *motor = &b->shaft.motor;
    if (config->current == IB_BENCH_EXPLICIT) return 0;
    double dry = motor->coulomb + b->coulomb + 2 * config->motor.stall_torque;
    double shortest = 0.7 * b->inertia / dry;
    if (b->motor.inductance > 0)
        shortest = ib_min(shortest, b->motor.inductance / (motor->R + b->resistance) / 8);
    double power = b->voltage * b->voltage * motor->per_R;
    return ib_min(shortest, ib_thermal_resolution(&b->motor.thermal, power));
}

static ib_Status build(const void *config_, ib_Build *build, void *model, ib_Error *error)
{
    const Config *config = config_;
    Bench *b = model;
    init(config, b);
    declare(config, b, build->d);
    ib_build_part(build, &bench_part, b);
    build->robot->feed.free = ib_motor_row_free(&b->motor);
    ib_build_own_rate(build, 1, flat_rate);
    build->ports->resolution = resolution(config, b);
    build->ports->geometry = ib__motor_bench_geometry(config, build->arena);
    return build->ports->geometry ? IB_OK
                                  : ib_error_set(error, IB_FAILED, "out of memory for the bench");
}

const ib_RobotKind ib_motor_bench_kind = {
    .name = "motor_bench",
    .sentence = "one motor on a bench: supply, flywheel, bearings, brake",
    .docs = "docs/robot/motor_bench.md",
    IB_ROBOT_TABLES(Config, Bench),
    .signals = &rows,
    .check = check,
    .params.idle = idle,
    .build = build,
    .errata = ib_motor_bench_errata,
};
