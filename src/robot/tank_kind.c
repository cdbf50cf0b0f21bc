// robot/tank_kind.c: what may be written about a tank robot in a file, and its entry among the
// kinds.
#include "robot/tank_inside.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define AT(field) offsetof(ib_TankConfig, field)

#define PARAM(key, type, unit, fallback, min, max, detail, field, live, sentence)                  \
    {                                                                                              \
        key, type, unit, fallback, min, max, detail, AT(field), live, sentence                     \
    }
#define NUMBER(key, unit, fallback, min, max, field, sentence)                                     \
    PARAM(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, field, false, sentence)
#define LIVE(key, unit, fallback, min, max, field, sentence)                                       \
    PARAM(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, field, true, sentence)
#define LIMIT(key, unit, fallback, min, max, field, sentence)                                      \
    PARAM(key, IB_PARAM_LIMIT, unit, fallback, min, max, NULL, field, false, sentence)
#define COUNT(key, fallback, min, max, field, sentence)                                            \
    PARAM(key, IB_PARAM_COUNT, "1", fallback, min, max, NULL, field, false, sentence)
#define CHOICE(key, fallback, words, field, sentence)                                              \
    PARAM(key, IB_PARAM_CHOICE, "1", fallback, 0, 0, words, field, false, sentence)
#define PRESET(key, fallback, def, field, sentence)                                                \
    PARAM(key, IB_PARAM_PRESET, "1", fallback, 0, 0, def, field, false, sentence)
#define TABLE(key, fallback, def, field, sentence)                                                 \
    PARAM(key, IB_PARAM_TABLE, "1", fallback, 0, 0, def, field, false, sentence)

static const char *const currents[] = {"quasi_static", "implicit", "explicit", NULL};
static const char *const losses[] = {"none", "viscous", "coulomb", NULL};
static const char *const neutrals[] = {"brake", "coast", NULL};
static const char *const shifts[] = {"input", "cylinder", NULL};
static const char *const wheels[] = {"rolling", "viscous", "friction_circle", "bristle", NULL};
static const char *const equations[] = {"corrected", "published", NULL};

static const ib_PresetDef motors = {"motors", false}, wheel_sets = {"wheels", false},
                          batteries = {"batteries", false}, breakers = {"breakers", true},
                          brownouts = {"brownouts", true}, airs = {"airs", true},
                          payloads = {"payloads", true}, compressors = {"compressors", false};
static const ib_TableDef trip = {2, {"A", "s", NULL}, 2};
static const ib_TableDef charge_curve = {2, {"1", "1", NULL}, 2};
static const ib_TableDef delivery = {3, {"Pa", "m^3/s", "A"}, 2};

// ------------------------------------------------------------------------------------- a cylinder

#define OF(field) offsetof(ib_CylinderConfig, field)
#define CYLINDER(key, unit, fallback, min, max, field, sentence)                                   \
    {                                                                                              \
        key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, OF(field), false, sentence           \
    }

static const ib_Param cylinder_params[] = {
    CYLINDER("bore", "m", "0.75 in", 1e-3, 1, bore, "diameter of the piston"),
    CYLINDER("rod", "m", "0.25 in", 0, 1, rod, "diameter of the rod"),
    CYLINDER("stroke", "m", "6 in", 1e-3, 10, stroke, "way from stop to stop"),
    CYLINDER("load", "kg", "1 kg", 1e-3, 1e4, load, "mass that moves with the piston"),
    CYLINDER("force", "N", "0 N", -1e6, 1e6, force, "constant force against extension"),
    CYLINDER("viscous", "N*s/m", "0 N*s/m", 0, 1e6, viscous, "drag, in proportion to the speed"),
    CYLINDER("friction", "N", "0 N", 0, 1e6, friction, "dry friction of the seals"),
    CYLINDER("dead_volume", "m^3", "5 mL", 1e-9, 1, dead_volume,
             "of each chamber at its stop, with its tube"),
    CYLINDER("valve.C", "m^3/(s*Pa)", "1.2 dm^3/(s*bar)", 1e-12, 1e-3, valve.C,
             "sonic conductance of the valve (ISO 6358)"),
    CYLINDER("valve.b", "1", "0.3", 0, 0.8, valve.b, "critical pressure ratio of the valve"),
    CYLINDER("valve.laminar", "1", "0.98", 0.5, 0.999999, valve.laminar,
             "pressure ratio above which the flow is laminar"),
};
static const ib_Schema cylinder_schema = {cylinder_params,
                                          sizeof cylinder_params / sizeof cylinder_params[0]};
static const ib_NamedDef cylinders = {&cylinder_schema, AT(air.cylinders),
                                      sizeof(ib_CylinderConfig), IB_MAX_CYLINDERS};

// -------------------------------------------------------------------------------------- parameters

static const ib_Param params[] = {
    LIVE("mass", "kg", "60 kg", 1e-3, 1e4, mass, "mass of the robot, without payload"),
    NUMBER("length", "m", "0.8 m", 1e-3, 100, length, "from bumper to bumper, front to back"),
    NUMBER("width", "m", "0 m", 0, 100, width,
           "from bumper to bumper, left to right; 0: twice the half track"),
    NUMBER("half_track", "m", "0.3 m", 1e-3, 100, half_track,
           "from the middle to the wheels of a side"),
    LIVE("inertia", "kg*m^2", "0 kg*m^2", 0, 1e6, inertia,
         "about the middle; 0: that of a plate 0.9 length by 2 half_track"),

    PRESET("drive.motor", "cim", &motors, motor_given,
           "a motor of data/motors.yaml, or its data sheet as a map"),
    NUMBER("drive.motor.voltage", "V", "12 V", 1e-3, 1e4, motor.voltage,
           "at which the others were measured"),
    NUMBER("drive.motor.stall_torque", "N*m", NULL, 1e-9, 1e6, motor.stall_torque, "at standstill"),
    NUMBER("drive.motor.stall_current", "A", NULL, 1e-6, 1e6, motor.stall_current, "at standstill"),
    NUMBER("drive.motor.free_speed", "rad/s", NULL, 1e-3, 1e6, motor.free_speed, "without load"),
    NUMBER("drive.motor.free_current", "A", NULL, 0, 1e6, motor.free_current, "without load"),
    NUMBER("drive.motor.rotor_inertia", "kg*m^2", "0 kg*m^2", 0, 1e3, motor_inertia,
           "as the table knows it; only drive.rotor_inertia counts"),
    COUNT("drive.motors_per_side", "2", 1, 100, drive.motors_per_side, "motors of each side"),
    LIVE("drive.reduction", "1", "10.71", 1e-3, 1e6, drive.reduction,
         "motor speed over wheel speed"),
    NUMBER("drive.reduction_high", "1", "0", 0, 1e6, drive.reduction_high,
           "of the second gear; 0: there is none"),
    CHOICE("drive.shift_by", "input", shifts, shift_by,
           "the input `gear`, or the cylinder named `shifter` (extended: second gear)"),
    NUMBER("drive.wheel_diameter", "m", "6 in", 1e-3, 100, drive.wheel_diameter,
           "diameter of the wheels"),
    LIVE("drive.efficiency", "1", "1", 1e-3, 1, drive.efficiency, "of the gears"),
    LIVE("drive.inductance", "H", "59 uH", 1e-9, 10, inductance,
         "of one winding; only where `current` is not quasi_static"),
    CHOICE("drive.current", "quasi_static", currents, current,
           "no inductance; with inductance; as RoboSim printed it (4.2e, unstable)"),
    CHOICE("drive.loss", "viscous", losses, loss,
           "loss torque inside a motor, from its free current"),
    NUMBER("drive.period", "s", "50 ms", 1e-6, 10, period,
           "sample time of RoboSim's (4.1c), for equations: published"),
    LIMIT("drive.current_limit", "A", "off", 1e-3, 1e6, current_limit,
          "of a motor's winding (stator)"),
    LIMIT("drive.supply_limit", "A", "off", 1e-3, 1e6, supply_limit,
          "of what a motor draws from the battery"),
    NUMBER("drive.rotor_inertia", "kg*m^2", "0 kg*m^2", 0, 1e3, drive.rotor_inertia,
           "of one motor; acts where wheel speed is a state"),
    CHOICE("drive.neutral", "brake", neutrals, neutral, "what a motor does at command 0"),

    PRESET("wheels", NULL, &wheel_sets, wheels_given, "wheels of data/wheels.yaml, or a map"),
    CHOICE("wheels.model", "friction_circle", wheels, wheels.model,
           "no side slip; published side friction; slip at each patch; the same with bristles"),
    LIVE("wheels.side_friction", "N*s/m", "200 N*s/m", 0, 1e6, wheels.side_friction,
         "viscous: side force over side speed, all wheels together"),
    LIVE("wheels.mu", "1", "1", 0, 10, wheels.mu, "friction of a sliding wheel"),
    LIVE("wheels.mu_static", "1", "0", 0, 10, wheels.mu_static,
         "bristle: friction of a wheel that holds; 0: 1.2 mu"),
    NUMBER("wheels.slip_speed", "m/s", "0.1 m/s", 1e-4, 10, wheels.slip_speed,
           "slip around which friction builds up"),
    NUMBER("wheels.side_scale", "1", "1", 0, 1, wheels.side_scale,
           "friction sideways as part of mu: small for omni wheels"),
    NUMBER("wheels.contact_half_length", "m", "0.3 m", 0, 10, wheels.contact_half_length,
           "from the middle to the front and rear patches"),
    NUMBER("wheels.inertia_per_side", "kg*m^2", "0.003 kg*m^2", 0, 1e3, wheels.inertia_per_side,
           "of the wheels alone; N G^2 rotor_inertia is added"),
    LIVE("wheels.rolling_resistance", "1", "0", 0, 1, wheels.rolling_resistance,
         "drag of a rolling wheel over its load"),
    NUMBER("wheels.com_height", "m", "0 m", 0, 10, wheels.com_height,
           "of the centre of mass; 0: no weight transfer"),
    NUMBER("wheels.bristle_deflection", "m", "0.06 mm", 1e-6, 0.1, wheels.bristle_deflection,
           "bristle: how far a patch yields before it slides"),
    NUMBER("wheels.bristle_relax", "m/s", "0.08 m/s", 1e-4, 10, wheels.bristle_relax,
           "bristle: slip at which half of the force is plain sliding"),

    PRESET("battery", NULL, &batteries, battery_given,
           "a battery of data/batteries.yaml, or a map"),
    LIVE("battery.open_circuit", "V", "12 V", 0.1, 1e3, battery.open_circuit,
         "voltage without load, when full"),
    LIVE("battery.resistance", "ohm", "12 mohm", 0, 1e3, battery.resistance,
         "inside, with leads and connectors"),
    NUMBER("battery.capacity", "A*s", "17 A*h", 1, 1e9, battery.capacity, "at the 20 h rate"),
    PARAM("battery.constant_voltage", IB_PARAM_FLAG, "1", "true", 0, 1, NULL,
          battery.constant_voltage, false,
          "the open-circuit voltage does not fall with the charge"),
    NUMBER("battery.empty", "V", "8 V", 0.01, 1e3, battery.empty,
           "open-circuit voltage when empty"),
    NUMBER("battery.rate_exponent", "1", "1", 1, 2, battery.rate_exponent,
           "Peukert's: above the 20 h rate a battery gives less; 1: no such effect"),
    TABLE("battery.curve", "", &charge_curve, battery.curve,
          "charge 0 to 1 -> 0 to 1 of the way from `empty` to `open_circuit`"),
    NUMBER("battery.start", "1", "1", 0, 1, charge, "charge at the start, 0 to 1"),
    LIVE("background_current", "A", "0.5 A", 0, 1e3, background_current,
         "of controller, radio and lights"),

    PRESET("breaker", "off", &breakers, breaker_on, "the main breaker: off, a preset or a map"),
    NUMBER("breaker.rating", "A", "120 A", 1e-3, 1e6, breaker.rating,
           "carried for ever at 25 degC"),
    TABLE("breaker.trip", "120 A 1800 s, 240 A 100 s, 480 A 18 s", &trip, breaker.trip,
          "current -> time to trip from cold"),
    NUMBER("breaker.cooling", "s", "200 s", 1e-3, 1e6, breaker.cooling, "time constant"),
    NUMBER("breaker.reset", "1", "0", 0, 0.99, breaker.reset,
           "heat at which it closes by itself; 0: it stays open"),
    NUMBER("breaker.ambient", "K", "25 degC", 200, 400, breaker.ambient, "temperature around it"),
    PRESET("branch_breaker", "off", &breakers, branch_on, "of each motor: off, a preset or a map"),
    NUMBER("branch_breaker.rating", "A", "40 A", 1e-3, 1e6, branch.rating,
           "carried for ever at 25 degC"),
    TABLE("branch_breaker.trip", "40 A 1000 s, 80 A 10 s, 160 A 1 s", &trip, branch.trip,
          "current -> time to trip from cold"),
    NUMBER("branch_breaker.cooling", "s", "20 s", 1e-3, 1e6, branch.cooling, "time constant"),
    NUMBER("branch_breaker.reset", "1", "0.3", 0, 0.99, branch.reset,
           "heat at which it closes by itself; 0: it stays open"),
    NUMBER("branch_breaker.ambient", "K", "25 degC", 200, 400, branch.ambient,
           "temperature around it"),

    PRESET("brownout", "off", &brownouts, brownout_on,
           "the controller's stages: off, a preset or a map"),
    NUMBER("brownout.droop", "V", "6.8 V", 0.01, 1e3, brownout.droop, "the servo rail sags below"),
    NUMBER("brownout.off", "V", "6.3 V", 0.01, 1e3, brownout.off, "outputs go off below"),
    NUMBER("brownout.on", "V", "7.5 V", 0.01, 1e3, brownout.on, "outputs come back above"),
    NUMBER("brownout.blackout", "V", "4.5 V", 0.01, 1e3, brownout.blackout,
           "the controller goes down below"),
    NUMBER("brownout.reboot", "V", "4.65 V", 0.01, 1e3, brownout.reboot, "and starts again above"),
    NUMBER("brownout.delay", "s", "1 ms", 1e-6, 10, brownout.delay,
           "outputs go off no sooner than this after the sag began"),
    NUMBER("brownout.hold", "s", "20 ms", 1e-4, 1e3, brownout.hold,
           "outputs stay off at least so long"),
    NUMBER("brownout.boot", "s", "20 s", 0, 1e4, brownout.boot,
           "from power to a running robot program"),

    PRESET("air", "off", &airs, air_on, "the pneumatics: off, a preset or a map"),
    COUNT("air.tanks", "2", 1, 100, air.tanks, "how many"),
    NUMBER("air.tank_volume", "m^3", "0.574 L", 1e-6, 10, air.tank_volume, "of one tank"),
    NUMBER("air.tubing_volume", "m^3", "0 L", 0, 10, air.tubing_volume, "of the tubing"),
    NUMBER("air.temperature", "K", "70 degF", 200, 400, air.temperature,
           "of the air around and in the tanks"),
    NUMBER("air.heat_time", "s", "0 s", 0, 1e5, air.heat_time,
           "in which the tanks' air takes their temperature; 0: at once (isothermal)"),
    NUMBER("air.start", "Pa", "0 psig", 1, 1e8, air.start, "pressure at the start"),
    NUMBER("air.leak", "m^3/s", "0 L/min", 0, 1, air.leak, "of air at the pressure of the tanks"),
    PRESET("air.compressor", "viair-90c", &compressors, compressor_given,
           "a compressor of data/compressors.yaml, or a map"),
    NUMBER("air.compressor.low.voltage", "V", "12 V", 0.1, 1e3, air.compressor.low.voltage,
           "at which the first curve was measured"),
    TABLE("air.compressor.low.points", "", &delivery, air.compressor.low.points,
          "pressure -> free air, current"),
    NUMBER("air.compressor.high.voltage", "V", "13.8 V", 0.1, 1e3, air.compressor.high.voltage,
           "at which the second curve was measured"),
    TABLE("air.compressor.high.points", "", &delivery, air.compressor.high.points,
          "pressure -> free air, current; empty: voltage has no effect"),
    NUMBER("air.compressor.cutoff", "V", "6 V", 0.1, 1e3, air.compressor.cutoff,
           "below this voltage the current falls in proportion"),
    PARAM("air.switch", IB_PARAM_PAIR, "Pa", "95 psig, 115 psig", 1, 1e8, NULL, air.pressure_switch,
          false, "the compressor runs below the first, up to the second"),
    LIMIT("air.relief", "Pa", "125 psig", 1, 1e8, air.relief, "the relief valve opens"),
    NUMBER("air.regulator", "Pa", "60 psig", 1, 1e8, air.regulator.setting, "working pressure"),
    LIMIT("air.regulator_conductance", "m^3/(s*Pa)", "off", 1e-12, 1, air.regulator.conductance,
          "of the regulator when wide open; off: ideal"),
    {"air.cylinders", IB_PARAM_NAMED, "1", NULL, 0, IB_MAX_CYLINDERS, &cylinders,
     AT(air.cylinder_count), false, "cylinders by name, each with its solenoid valve"},

    PRESET("payload", "off", &payloads, payload_on,
           "a load that an arm may hold and move: off, a preset or a map"),
    NUMBER("payload.mass", "kg", "0 kg", 0, 1e4, payload_mass, "a load at the start"),
    NUMBER("payload.most", "kg", "20 kg", 0, 1e4, payload_most,
           "the heaviest load that it will ever hold; the steps are divided for it"),
    NUMBER("payload.x", "m", "0 m", -10, 10, payload_x, "where it is held, forward"),
    NUMBER("payload.y", "m", "0 m", -10, 10, payload_y, "where it is held, to the left"),
    NUMBER("payload.response", "s", "0.2 s", 1e-3, 100, payload_response,
           "time constant of the arm that moves it"),

    LIVE("bumper.restitution", "1", "0.5", 0, 1, restitution,
         "of the bumpers; that of two that meet is multiplied"),
    NUMBER("bumper.friction", "1", "0.5", 0, 10, friction,
           "of the bumpers; two that meet: the square root of the product"),
    CHOICE("equations", "corrected", equations, equations,
           "corrected physics, or RoboSim's formulas as printed"),
};

static const ib_Param start[] = {
    NUMBER("x", "m", "0 m", -1e6, 1e6, x, "position of the middle, field x"),
    NUMBER("y", "m", "0 m", -1e6, 1e6, y, "position of the middle, field y"),
    NUMBER("heading", "rad", "0 rad", -1e4, 1e4, heading,
           "direction of the front, counter-clockwise from field x"),
    NUMBER("velocity.x", "m/s", "0 m/s", -1e3, 1e3, velocity_x, "velocity, field x"),
    NUMBER("velocity.y", "m/s", "0 m/s", -1e3, 1e3, velocity_y, "velocity, field y"),
    NUMBER("velocity.heading", "rad/s", "0 rad/s", -1e3, 1e3, velocity_heading, "yaw rate"),
};

// What only some laws of wheels and windings, or only the corrected equations, ask for.
static bool acts(const void *config_, const char *key)
{
    const ib_TankConfig *config = config_;
    bool printed = config->equations == IB_TANK_PUBLISHED;
    int law = printed ? IB_WHEEL_VISCOUS : config->wheels.model;
    if (strcmp(key, "drive.inductance") == 0) return config->current != IB_CURRENT_QUASI_STATIC;
    if (strcmp(key, "wheels.side_friction") == 0) return law == IB_WHEEL_VISCOUS;
    if (strcmp(key, "wheels.mu") == 0) return law >= IB_WHEEL_FRICTION_CIRCLE;
    if (strcmp(key, "wheels.mu_static") == 0) return law == IB_WHEEL_BRISTLE;
    if (strcmp(key, "wheels.rolling_resistance") == 0) return !printed;
    if (strcmp(key, "drive.efficiency") == 0) return !printed;
    return true;
}

// ------------------------------------------------------------------------------------------ errata

static const ib_Erratum errata[] = {
    {"1.3b, 3.1, 3.3.1", "sums over i = 0 .. n", "i = 1 .. n, or RK4",
     "one interval too many: 0.5775 m instead of 0.5 m in 1 s at 50 ms"},
    {"2", "atan2(X, Y), range [0, 2 pi]", "atan2(y, x), range (-pi, pi]; headings are continuous",
     "its own table"},
    {"4.2c, d", "no loss torque", "T = Kt I - b w (drive.loss)",
     "free speed 5421.5 rpm at 0 A instead of 5310 rpm at 2.7 A"},
    {"4.2e", "forward Euler at 50 ms", "4.1c, or the current without lag",
     "amplification -76.5 a step with a real inductance"},
    {"R_m (code)", "0.3 ohm", "0.0914 ohm = 12 V / 131.227 A", "the stall current used for Kt"},
    {"5.1, 9", "voltage and currents in a loop", "solved at the same instant", "no lag, no loop"},
    {"5.2 text", "17 A for one hour", "17 A h at the 20 h rate", "lead-acid batteries"},
    {"7.2", "P[n-1] F Ts/(r T)", "P_atm F Ts/(r T)",
     "299 W of compression out of 108 W of electricity; 8.9 s instead of 36.9 s to fill"},
    {"9a", "N (I_L + I_R)", "N (d_L I_L + d_R I_R)",
     "a turn in place runs on 0.5 A: 907 J from nothing"},
    {"10.1, 10.2", "/ (D_W R)", "2 G / D_W", "force half of the real one"},
    {"10.3a, b", "atan2(Vy/Vx) - th", "-Vx sin th + Vy cos th", "NaN at rest, loses the quadrant"},
    {"10.3c", "kinetic friction -V K", "viscous [N s/m], or the friction circle (wheels.model)",
     "dimension; 3.2.5 of the same document"},
    {"10.5", "2 pi / (D_W R)", "2 G / D_W", "top speed 1.285 m/s instead of 4.037 m/s"},
    {"12", "bounce along the axes", "impulse at the touching corner, with friction",
     "a corner hit turns the robot"},
};

const ib_RobotKind ib_tank_kind = {
    .name = "tank",
    .sentence = "a tank-drive robot: motors, battery, breakers, air, tyres and body in one model",
    .docs = "docs/tank.md",
    .params = {params, sizeof params / sizeof params[0]},
    .start = {start, sizeof start / sizeof start[0]},
    .config_size = sizeof(ib_TankConfig),
    .model_size = sizeof(ib_TankModel),
    .check = ib__tank_check,
    .acts = acts,
    .init = ib__tank_ports,
    .reset = ib__tank_reset,
    .rate = ib__tank_rate,
    .output = ib__tank_output,
    .respond = ib__tank_respond,
    .inverse_mass = ib__tank_inverse_mass,
    .motion = ib__tank_motion,
    .guard = ib__tank_guard,
    .settle = ib__tank_settle,
    .errata = errata,
    .errata_count = sizeof errata / sizeof errata[0],
};
