// robot/tank/tank_ports.c: the tank's signals and inputs.
// Which ones there are depends on what it has.
#include "base/extreme.h"
#include "robot/books.h"
#include "robot/tank/tank_inside.h"

#include "robot/pneumatics.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- signals

// Of one side.
enum {
    D_COMMAND,
    D_VOLTAGE,
    D_CURRENT,
    D_SUPPLY,
    D_TORQUE,
    D_SPEED,
    D_WHEEL,
    D_SLIP,
    D_FORCE,
    S_SIDE_COUNT,
};

// What every tank shows.
enum {
    S_DRIVE = IB_PLANAR_SIGNALS, ///< left, then right: S_SIDE_COUNT each
    S_FRONT = S_DRIVE + 2 * S_SIDE_COUNT,
    S_REAR,
    S_POWER, ///< ib_power_signals
    S_E_BATTERY = S_POWER + IB_POWER_SIGNALS,
    S_E_KINETIC,
    S_E_WHEELS,
    S_E_ROTORS,
    S_E_MAGNETIC,
    S_E_COPPER,
    S_E_CONVERSION,
    S_E_LOSS,
    S_E_GEAR,
    S_E_TYRE,
    S_E_COLLISION,
    S_E_RESISTANCE,
    S_E_BACKGROUND,
    S_E_COMPRESSOR,
    S_E_PUSH,
    S_E_PAYLOAD,
    S_E_ERROR,
    S_FIXED,
};

#define ROW(at, row) [S_DRIVE + (at)*S_SIDE_COUNT + (row)]

#define SIDE(at, side)                                                                             \
    ROW(at,                                                                                        \
        D_COMMAND) = {IB_NAME_DRIVE(side, "command"), "V",                                         \
                      "voltage command of the motors of this side, 12 V scale", 0},                \
        ROW(at, D_VOLTAGE) = {IB_NAME_DRIVE(side, "voltage"), "V",                                 \
                              "voltage at the terminals of a motor", 0,                            \
                              IB_MEANS(.role = IB_ROLE_MOTOR_VOLTAGE, .part = side)},              \
        ROW(at, D_CURRENT) = {IB_NAME_DRIVE(side, "current"), "A",                                 \
                              "current in the winding of a motor", 1e4, IB_MEANS(.headline = 3)},  \
        ROW(at, D_SUPPLY) =                                                                        \
            {IB_NAME_DRIVE(side, "supply"), "A",                                                   \
             "current drawn from the bus by the motors of this side; negative: fed back", 0,       \
             IB_MEANS(.role = IB_ROLE_LOAD)},                                                      \
        ROW(at, D_TORQUE) = {IB_NAME_DRIVE(side, "torque"), "N*m",                                 \
                             "torque of a motor at its shaft", 0},                                 \
        ROW(at, D_SPEED) = {IB_NAME_DRIVE(side, "speed"), "rad/s",                                 \
                            "speed of a motor at its shaft", 0, IB_MEANS(.shown = "rpm")},         \
        ROW(at, D_WHEEL) = {IB_NAME_WHEEL(side, "speed"), "rad/s",                                 \
                            "angular speed of the wheels of this side", 1e5,                       \
                            IB_MEANS(.role = IB_ROLE_MOTOR_MOTION, .part = side, .shown = "rpm")}, \
        ROW(at, D_SLIP) = {IB_NAME_WHEEL(side, "slip"), "m/s",                                     \
                           "mean slip speed of this side's contact patches over the floor", 0,     \
                           IB_MEANS(.role = IB_ROLE_MOTOR_SLIP, .part = side)},                    \
        ROW(at, D_FORCE) = {IB_NAME_WHEEL(side, "force"), "N",                                     \
                            "force of the floor on the wheels of this side, forward", 0}

static const ib_SignalDef fixed[S_FIXED] = {
    IB_PLANAR_SIGNAL_ROWS,
    SIDE(0, "left"),
    SIDE(1, "right"),
    [S_FRONT] = {IB_NAME_WHEEL("front", "side"), "N",
                 "force of the floor on the front wheels, to the left", 0},
    [S_REAR] = {IB_NAME_WHEEL("rear", "side"), "N",
                "force of the floor on the rear wheels, to the left", 0},
    [S_E_BATTERY] = IB_BOOK_BATTERY,
    [S_E_KINETIC] = {IB_NAME_ENERGY("kinetic"), "J", "kinetic energy of the body and its payload",
                     0, IB_MEANS(.role = IB_ROLE_STORED)},
    [S_E_WHEELS] = IB_BOOK_WHEELS,
    [S_E_ROTORS] = IB_BOOK_ROTORS,
    [S_E_MAGNETIC] = {IB_NAME_ENERGY("magnetic"), "J", "energy held by the windings' inductance", 0,
                      IB_MEANS(.role = IB_ROLE_STORED)},
    [S_E_COPPER] = IB_BOOK_COPPER,
    [S_E_CONVERSION] = IB_BOOK_CONVERSION,
    [S_E_LOSS] = IB_BOOK_LOSS,
    [S_E_GEAR] = IB_BOOK_GEAR,
    [S_E_TYRE] = IB_BOOK_TYRE,
    [S_E_COLLISION] = IB_BOOK_COLLISION,
    [S_E_RESISTANCE] = IB_BOOK_RESISTANCE,
    [S_E_BACKGROUND] = IB_BOOK_BACKGROUND,
    [S_E_COMPRESSOR] = {IB_NAME_ENERGY("compressor"), "J", "energy used by the compressor so far",
                        0, IB_MEANS(.role = IB_ROLE_LOST)},
    [S_E_PUSH] = IB_BOOK_PUSH,
    [S_E_PAYLOAD] = {IB_NAME_ENERGY("payload"), "J",
                     "work of the arm that moves the payload, so far", 0,
                     IB_MEANS(.role = IB_ROLE_GIVEN)},
    [S_E_ERROR] = {IB_NAME_ENERGY("error"), "J",
                   "error of the energy book: battery + push + payload - all the others", 0,
                   IB_MEANS(.role = IB_ROLE_BALANCE)},
};

const ib_SignalRows ib__tank_signals = {fixed, S_FIXED};

static const ib_Mode gear_mode = {
    .kind = IB_MODE_STATE,
    .meanings = {{"first gear", IB_MODE_INFO}, {"second gear", IB_MODE_INFO}}};
static const ib_SignalDef gear_signals[] = {
    {"drive.gear", "1", "0: first gear, 1: second gear", 0, IB_MEANS(.mode = &gear_mode)},
};
static const ib_SignalDef payload_signals[] = {
    {"payload.mass", "kg", "mass of the load", 0},
    {"payload.x", "m", "place of the load, forward of the robot's middle", 100},
    {"payload.y", "m", "place of the load, to the left of the robot's middle", 100},
    {"inertia", "kg*m^2", "moment of inertia of robot and load about their common centre of mass",
     0},
    {"momentum.angular", "kg*m^2/s",
     "angular momentum about the common centre of mass, wheels not included", 0},
};

enum { BRANCH = 2 * IB_BREAKER_STATES, PAYLOAD = 5 };

// Where optional signals begin; the same for a model every time.
typedef struct Layout {
    int branch, gear, payload, air, compressor, cylinders;
    int thermal[2], heat; ///< of each side; the book of both
    int count;
} Layout;

static bool has_branches(const ib_TankModel *t)
{
    return t->power.branch_count > 0;
}

static Layout lay_out(const ib_TankModel *t)
{
    Layout l = {.count = S_FIXED};
    l.branch = l.count;
    if (has_branches(t)) l.count += BRANCH;
    l.gear = l.count;
    if (t->gear_state >= 0) l.count += 1;
    l.payload = l.count;
    if (t->payload_state >= 0) l.count += PAYLOAD;
    l.air = l.count;
    if (t->air_state >= 0) l.count += IB_AIR_SIGNALS;
    l.compressor = l.count;
    if (t->air_state >= 0) l.count += IB_COMPRESSOR_SIGNALS;
    l.cylinders = l.count;
    if (t->air_state >= 0) l.count += t->air.cylinder_count * IB_CYLINDER_SIGNALS;
    for (int i = 0; i < 2; i++) {
        l.thermal[i] = l.count;
        l.count += ib_thermal_signal_count(&t->thermal);
    }
    l.heat = l.count;
    if (ib_thermal_on(&t->thermal)) l.count += IB_HEAT_SIGNALS;
    return l;
}

// ------------------------------------------------------------------------------------------ output

// What the floor does along the heading to wheels that are geared to it: they have no inertia, so
// it is all that the motors and rolling resistance put on the rim.
//   F = torque/r - c_rr load tanh(rim/v_s);   published: F = N T/(D R), half of the real one (10.1)
static double geared_force(const ib_TankModel *t, const ib_TankNow *now, int side, double load)
{
    if (t->published)
        return t->drive.motors * now->torque[side] * t->drive.reduction[0] / (2 * t->drive.radius);
    double force = now->drive[side].torque * t->drive.per_radius;
    return t->rolls ? force + ib_wheel_rolling_force(&t->wheel, now->rim[side], load) : force;
}

// What the floor does across the heading, as two forces, at the front and at the rear wheels:
//   front + rear = F_y,   a (front - rear) = M - W (right - left)
// Wheels that are geared to the floor have no patches: both halves are equal.
static void output_across(const ib_TankModel *t, const double *x, const double *input, double c,
                          double s, const ib_WheelForces *p, double *y)
{
    bool slips = t->wheel_state >= 0;
    double a = t->wheel.config.contact_half_length;
    double side = slips ? p->fy : ib__tank_side(t, x, input, c, s, p->left, p->right);
    double twist = slips && a > 0 ? (p->torque - (p->right - p->left) * t->half_track) / a : 0;
    y[S_FRONT] = 0.5 * (side + twist);
    y[S_REAR] = 0.5 * (side - twist);
}

static ib_WheelForces output_sides(const ib_TankModel *t, const double *x, const double *input,
                                   const ib_TankNow *now, const ib_Cargo *cargo, double *y)
{
    ib_WheelForces p = {0};
    ib_TankMass all = ib__tank_mass(t, x, false);
    ib_Weight weight = ib__tank_weight(t, &all, cargo, input[IB_GRAVITY]);
    double bristles[IB_BRISTLE_STATES], load = 0.5 * weight.force;
    if (t->wheel_state >= 0) {
        p = ib__tank_floor(t, x, now, t->wheels, &weight, bristles);
    } else {
        p.slip_left = p.slip_right = fabs(x[IB_TANK_N]);
        p.left = geared_force(t, now, 0, load);
        p.right = geared_force(t, now, 1, load);
    }
    for (int i = 0; i < 2; i++) {
        double *side = y + S_DRIVE + i * S_SIDE_COUNT;
        side[D_COMMAND] = now->command[i];
        side[D_VOLTAGE] = now->power.bus.bridge[i].volts;
        side[D_CURRENT] = now->power.bus.bridge[i].current;
        side[D_SUPPLY] = t->drive.motors * now->power.bus.bridge[i].drawn;
        side[D_TORQUE] = now->torque[i];
        side[D_SPEED] = now->speed[i];
        side[D_WHEEL] = now->rim[i] * t->drive.per_radius;
        side[D_SLIP] = i ? p.slip_right : p.slip_left;
        side[D_FORCE] = i ? p.right : p.left;
    }
    return p;
}

static void output_energy(const ib_TankModel *t, const double *x, double *y)
{
    ib_TankKinetic k = ib__tank_kinetic(t, x);
    y[S_E_BATTERY] = x[IB_TANK_E_BATTERY];
    y[S_E_KINETIC] = k.body;
    y[S_E_WHEELS] = k.wheels;
    y[S_E_ROTORS] = k.rotors;
    y[S_E_MAGNETIC] = 0;
    if (t->current_state >= 0) {
        double left = x[t->current_state], right = x[t->current_state + 1];
        y[S_E_MAGNETIC] = 0.5 * t->drive.motors * t->inductance * (left * left + right * right);
    }
    y[S_E_COPPER] = x[IB_TANK_E_COPPER];
    y[S_E_CONVERSION] = x[IB_TANK_E_CONVERSION];
    y[S_E_LOSS] = x[IB_TANK_E_LOSS];
    y[S_E_GEAR] = x[IB_TANK_E_GEAR];
    y[S_E_TYRE] = x[IB_TANK_E_TYRE];
    y[S_E_COLLISION] = x[IB_TANK_E_COLLISION];
    y[S_E_RESISTANCE] = x[IB_TANK_E_RESISTANCE];
    y[S_E_BACKGROUND] = x[IB_TANK_E_BACKGROUND];
    y[S_E_COMPRESSOR] = t->air_state < 0 ? 0 : x[t->air_state];
    y[S_E_PUSH] = x[IB_TANK_E_PUSH];
    y[S_E_PAYLOAD] = t->payload_state < 0 ? 0 : x[t->payload_state + IB__LOAD_WORK];
}

static void output_optional(const ib_TankModel *t, const double *x, const ib_TankNow *now,
                            double *y)
{
    Layout l = lay_out(t);
    if (has_branches(t)) memcpy(y + l.branch, x + t->power.branch_state[0], BRANCH * sizeof *y);
    if (t->gear_state >= 0) y[l.gear] = x[t->gear_state];
    if (t->payload_state >= 0) {
        ib_Payload p = ib__tank_payload(t, x);
        ib_Twist v = {x[IB_TANK_U], x[IB_TANK_N], x[IB_TANK_W]};
        ib_PayloadBooks b = ib_payload_books(&t->base, &p, &v);
        double *own = y + l.payload;
        own[0] = p.mass;
        own[1] = p.x;
        own[2] = p.y;
        own[3] = b.inertia;
        own[4] = b.about_com;
    }
    if (t->air_state >= 0)
        ib_air_output(&t->air, x + t->air_state + 1, now->air, y + l.air, y + l.compressor,
                      y + l.cylinders);
    if (!ib_thermal_on(&t->thermal)) return;
    for (int i = 0; i < 2; i++) ib_thermal_output(&t->thermal, x, i, y + l.thermal[i]);
    ib_heat_output(&t->thermal, x, x[IB_TANK_E_COPPER], y + l.heat);
}

static void output_all(const ib_TankModel *t, const double *x, const double *input,
                       const ib_TankNow *now, const ib_Cargo *cargo, double *y)
{
    double c, s;
    ib_sincos(x[IB_TANK_TH], &s, &c);
    ib_planar_output(&t->planar, x, c, s, y);
    ib_WheelForces p = output_sides(t, x, input, now, cargo, y);
    output_across(t, x, input, c, s, &p, y);
    ib_power_output(&t->power, x, &now->power, y + S_POWER);
    output_energy(t, x, y);
    output_optional(t, x, now, y);
}

void ib__tank_output(const void *model, const double *x, const double *input, double *y)
{
    const ib_TankModel *t = model;
    ib_AirInput air = {0};
    ib_TankNow now = {.air = &air};
    if (t->published)
        ib__tank_published_now(t, x, input, &now);
    else {
        ib__tank_speeds(t, x, false, &now);
        if (t->level < IB__PLAIN || !ib__tank_electrics(t, x, input, IB__PLAIN, &now))
            ib__tank_electrics(t, x, input, IB__ANY, &now);
    }
    output_all(t, x, input, &now, NULL, y);
}

void ib__tank_output_shared(const void *model, const double *x, const double *input,
                            const ib_Shared *shared, double *y)
{
    const ib_TankModel *t = model;
    ib_AirInput air = {0};
    ib_TankNow now = {.air = &air};
    ib__tank_speeds(t, x, false, &now);
    ib__tank_bus_shared(t, x, input, shared->power, &shared->draw, &now);
    ib__tank_torques(t, input, IB__ANY, &now);
    output_all(t, x, input, &now, shared->cargo, y);
}

// ------------------------------------------------------------------------------------------ tables

static int add_thermal(const ib_ThermalModel *thermal, ib_SignalTable *table)
{
    int each = ib_thermal_signal_count(thermal);
    int good = ib_signals_add_part(table, "drive.left", "left", ib_thermal_signals, each);
    good |= ib_signals_add_part(table, "drive.right", "right", ib_thermal_signals, each);
    return good | ib_signals_add(table, "", ib_heat_signals, IB_HEAT_SIGNALS);
}

static const ib_SignalDef *make_signals(const ib_TankModel *t, const ib_AirConfig *air,
                                        ib_Arena *arena, int *count)
{
    ib_SignalTable table = {.arena = arena};
    int good = ib_signals_add(&table, "", fixed, S_POWER);
    good |= ib_signals_add(&table, "", ib_power_signals, IB_POWER_SIGNALS);
    good |= ib_signals_add(&table, "", fixed + S_E_BATTERY, S_FIXED - S_E_BATTERY);
    for (int i = 0; has_branches(t) && i < 2; i++)
        good |=
            ib_signals_add_part(&table, i ? IB_PREFIX_BRANCH ".right" : IB_PREFIX_BRANCH ".left",
                                i ? "right" : "left", ib_branch_signals, IB_BREAKER_STATES);
    if (t->gear_state >= 0) good |= ib_signals_add(&table, "", gear_signals, 1);
    if (t->payload_state >= 0) good |= ib_signals_add(&table, "", payload_signals, PAYLOAD);
    if (t->air_state >= 0) {
        good |= ib_signals_add(&table, IB_PREFIX_AIR, ib_air_signals, IB_AIR_SIGNALS);
        good |= ib_signals_add(&table, IB_PREFIX_COMPRESSOR, ib_compressor_signals,
                               IB_COMPRESSOR_SIGNALS);
        for (int i = 0; i < t->air.cylinder_count; i++) {
            const char *prefix =
                ib_arena_format(arena, IB_PREFIX_CYLINDER ".%s", air->cylinders[i].name);
            good |= prefix ? ib_signals_add_part(&table, prefix, air->cylinders[i].name,
                                                 ib_cylinder_signals, IB_CYLINDER_SIGNALS)
                           : -1;
        }
    }
    if (ib_thermal_on(&t->thermal)) good |= add_thermal(&t->thermal, &table);
    *count = table.count;
    return good < 0 ? NULL : table.items;
}

// The signal that shows each state; modes and sums inside the air have none or their own.
static const int *make_shown(const ib_TankModel *t, ib_Arena *arena)
{
    static const int front[IB_TANK_FIXED] = {
        [IB_TANK_TH] = IB_PLANAR_SIGNAL_HEADING,
        [IB_TANK_U] = IB_PLANAR_SIGNAL_FORWARD,
        [IB_TANK_N] = IB_PLANAR_SIGNAL_LEFT,
        [IB_TANK_W] = IB_PLANAR_SIGNAL_W,
        [IB_TANK_USED] = S_POWER + IB_POWER_SIGNAL_USED,
        [IB_TANK_X] = IB_PLANAR_SIGNAL_X,
        [IB_TANK_Y] = IB_PLANAR_SIGNAL_Y,
        [IB_TANK_E_BATTERY] = S_E_BATTERY,
        [IB_TANK_E_RESISTANCE] = S_E_RESISTANCE,
        [IB_TANK_E_BACKGROUND] = S_E_BACKGROUND,
        [IB_TANK_E_COPPER] = S_E_COPPER,
        [IB_TANK_E_CONVERSION] = S_E_CONVERSION,
        [IB_TANK_E_LOSS] = S_E_LOSS,
        [IB_TANK_E_GEAR] = S_E_GEAR,
        [IB_TANK_E_TYRE] = S_E_TYRE,
        [IB_TANK_E_COLLISION] = S_E_COLLISION,
        [IB_TANK_E_PUSH] = S_E_PUSH,
    };
    int *shown = ib_arena_array(arena, (size_t)t->state_count, sizeof *shown);
    if (!shown) return NULL;
    for (int i = 0; i < t->state_count; i++) shown[i] = i < IB_TANK_FIXED ? front[i] : -1;
    for (int i = 0; i < 2; i++) {
        int side = S_DRIVE + i * S_SIDE_COUNT;
        if (t->wheel_state >= 0) shown[t->wheel_state + i] = side + D_WHEEL;
        if (t->current_state >= 0) shown[t->current_state + i] = side + D_CURRENT;
    }
    const ib_PowerModel *power = &t->power;
    if (power->charge_state >= 0) shown[power->charge_state] = S_POWER + IB_POWER_SIGNAL_CHARGE;
    if (power->breaker_state >= 0) shown[power->breaker_state] = S_POWER + IB_POWER_SIGNAL_HEAT;
    if (t->air_state >= 0) {
        shown[t->air_state] = S_E_COMPRESSOR;
        shown[t->air_state + 1 + IB_AIR_MOLES] = lay_out(t).air + IB_AIR_SIGNAL_MOLES;
    }
    if (ib_thermal_on(&t->thermal)) {
        Layout l = lay_out(t);
        for (int i = 0; i < 2; i++) ib_thermal_shown(&t->thermal, i, l.thermal[i], shown);
        ib_heat_shown(&t->thermal, l.heat, shown);
    }
    return shown;
}

static const ib_StateDef *make_states(const ib_TankModel *t, const ib_SignalDef *signals,
                                      ib_Arena *arena)
{
    const int *shown = make_shown(t, arena);
    ib_StateDef *states = ib_arena_array(arena, (size_t)t->state_count, sizeof *states);
    if (!signals || !shown || !states) return NULL;
    memcpy(states, ib__tank_roles, sizeof ib__tank_roles);
    for (int i = 0; i < t->state_count; i++)
        if (shown[i] >= 0) states[i].signal = signals[shown[i]].name;
    return states;
}

static const char *const gear_words[] = {"first", "second", NULL};

static void make_drive_inputs(const ib_TankConfig *config, ib_InputDef *in)
{
    double volts = IB_COMMAND_SCALE;
    in[IB_TANK_LEFT] = (ib_InputDef){.name = "left",
                                     .unit = "V",
                                     .sentence = "voltage command of the left motors, 12 V scale",
                                     .role = IB_INPUT_COMMAND,
                                     .required = true,
                                     .low = -volts,
                                     .high = volts,
                                     .limit = "the 12 V scale",
                                     .axis = IB_DRIVES_LEFT_SIDE,
                                     .set = 1};
    in[IB_TANK_RIGHT] = in[IB_TANK_LEFT];
    in[IB_TANK_RIGHT].name = "right";
    in[IB_TANK_RIGHT].sentence = "voltage command of the right motors, 12 V scale";
    in[IB_TANK_RIGHT].axis = IB_DRIVES_RIGHT_SIDE;
    in[IB_TANK_THROTTLE] = (ib_InputDef){.name = "throttle",
                                         .unit = "1",
                                         .sentence = "command to drive forward, -1 to 1",
                                         .role = IB_INPUT_COMMAND,
                                         .required = true,
                                         .low = -1,
                                         .high = 1,
                                         .limit = "-1 to 1",
                                         .axis = IB_DRIVES_FORWARD,
                                         .set = 2};
    in[IB_TANK_TURN] = in[IB_TANK_THROTTLE];
    in[IB_TANK_TURN].name = "turn";
    in[IB_TANK_TURN].sentence = "command to turn to the left, -1 to 1";
    in[IB_TANK_TURN].axis = IB_DRIVES_TURN_LEFT;
    in[IB_TANK_TURN].required = false;
    in[IB_TANK_PAYLOAD_MASS] =
        (ib_InputDef){.name = "payload.mass",
                      .unit = "kg",
                      .sentence = "mass of the load that is held",
                      .role = IB_INPUT_COMMAND,
                      .neutral = config->payload_mass,
                      .low = 0,
                      .high = ib_max(config->payload_mass, config->payload_most),
                      .limit = "payload.most",
                      .held = true};
    in[IB_TANK_PAYLOAD_X] = (ib_InputDef){.name = "payload.x",
                                          .unit = "m",
                                          .sentence = "where the arm takes the load, forward",
                                          .role = IB_INPUT_COMMAND,
                                          .neutral = config->payload_x,
                                          .low = -10,
                                          .high = 10,
                                          .limit = "10 m"};
    in[IB_TANK_PAYLOAD_Y] = in[IB_TANK_PAYLOAD_X];
    in[IB_TANK_PAYLOAD_Y].name = "payload.y";
    in[IB_TANK_PAYLOAD_Y].sentence = "where the arm takes the load, to the left";
    in[IB_TANK_PAYLOAD_Y].neutral = config->payload_y;
    in[IB_TANK_GAIN_LEFT] = ib_gain_input(IB_NAME_DRIVE("left", "torque"));
    in[IB_TANK_GAIN_RIGHT] = ib_gain_input(IB_NAME_DRIVE("right", "torque"));
}

static const ib_InputDef *make_inputs(const ib_TankConfig *config, const ib_TankModel *t,
                                      ib_Arena *arena, int *count)
{
    int cylinders = t->air_state < 0 ? 0 : t->air.cylinder_count;
    *count = IB_TANK_SOLENOIDS + cylinders;
    ib_InputDef *in = ib_arena_array(arena, (size_t)*count, sizeof *in);
    if (!in) return NULL;
    memcpy(in, ib_environment_inputs, sizeof ib_environment_inputs);
    make_drive_inputs(config, in);
    // What it does not have cannot be commanded.
    for (int i = IB_TANK_PAYLOAD_MASS; t->payload_state < 0 && i <= IB_TANK_PAYLOAD_Y; i++)
        in[i].role = IB_INPUT_ENVIRONMENT;
    in[IB_TANK_GEAR] = ib_word_input("gear", "gear of the drive, first or second", gear_words);
    in[IB_TANK_COMPRESSOR] = ib_word_input(
        "compressor", "what runs the compressor: its pressure switch (auto), or a hand (on, off)",
        ib_compressor_words);
    if (t->gear_state < 0 || t->shifter >= 0) in[IB_TANK_GEAR].role = IB_INPUT_ENVIRONMENT;
    if (t->air_state < 0) in[IB_TANK_COMPRESSOR].role = IB_INPUT_ENVIRONMENT;
    for (int i = 0; i < cylinders; i++) {
        const char *name =
            ib_arena_format(arena, "solenoid.%s", config->outfit.air.cylinders[i].name);
        if (!name) return NULL;
        in[IB_TANK_SOLENOIDS + i] =
            ib_word_input(name, "on: this cylinder extends", ib_switch_words);
    }
    return in;
}

// All that the floor does to it: along the heading at the wheels of each side, across it at front
// and rear.
static const ib_ForceDef *make_forces(const ib_TankModel *t, ib_Arena *arena, int *count)
{
    double w = t->half_track, a = t->wheel.config.contact_half_length;
    const ib_ForceDef all[] = {
        {"F_l", IB_NAME_WHEEL("left", "force"), 0, w, 1, 0},
        {"F_r", IB_NAME_WHEEL("right", "force"), 0, -w, 1, 0},
        {"F_front", IB_NAME_WHEEL("front", "side"), a, 0, 0, 1},
        {"F_rear", IB_NAME_WHEEL("rear", "side"), -a, 0, 0, 1},
    };
    ib_ForceDef *forces = ib_arena_alloc(arena, sizeof all);
    if (forces) memcpy(forces, all, sizeof all);
    *count = sizeof all / sizeof all[0];
    return forces;
}

// Its four patches, with the weight in the middle.
static const ib_FootDef *make_feet(const ib_TankModel *t, ib_Arena *arena)
{
    double w = t->half_track, a = t->wheel.config.contact_half_length;
    const ib_FootDef all[IB_WHEEL_PATCHES] = {
        {a, w, 0.25}, {-a, w, 0.25}, {a, -w, 0.25}, {-a, -w, 0.25}};
    ib_FootDef *feet = ib_arena_alloc(arena, sizeof all);
    if (feet) memcpy(feet, all, sizeof all);
    return feet;
}

// For odometry. A shaft before a gear that changes tells no way.
static const ib_ControlRims *make_rims(const ib_TankModel *t, ib_Arena *arena)
{
    double r = t->drive.radius, shaft = r / t->drive.reduction[0];
    const ib_RimSignal signals[] = {{IB_NAME_WHEEL("left", "speed"), 0, r},
                                    {IB_NAME_WHEEL("right", "speed"), 1, r},
                                    {IB_NAME_DRIVE("left", "speed"), 0, shaft},
                                    {IB_NAME_DRIVE("right", "speed"), 1, shaft}};
    int count = t->drive.reduction[0] == t->drive.reduction[1] ? 4 : 2;
    return ib_rims_of_sides(t->half_track, signals, count, arena);
}

ib_Status ib__tank_ports(const void *config_, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                         ib_Error *error)
{
    const ib_TankConfig *config = config_;
    ib_TankModel *t = model;
    ib_tank_init(config, t);
    *ports = (ib_RobotPorts){
        .state_count = t->state_count,
        .sum_from = IB_TANK_X,
        .sum_to = IB_TANK_FIXED,
        .guard_count = t->guard_count,
        .planar = &t->planar,
        .length = config->length,
        .width = config->width > 0 ? config->width : 2 * config->half_track,
        .restitution = config->bumper.restitution,
        .yield_speed =
            t->published ? INFINITY : config->bumper.yield_speed, // RoboSim 12 knows none
        .friction = config->bumper.friction,
        .upright = t->published,
        .resolution = ib__tank_resolution(t),
        .foot_count = IB_WHEEL_PATCHES,
        .feet = make_feet(t, arena),
    };
    ports->inputs = make_inputs(config, t, arena, &ports->input_count);
    ports->signals = make_signals(t, &config->outfit.air, arena, &ports->signal_count);
    ports->states = make_states(t, ports->signals, arena);
    ports->geometry = ib__tank_look(config, t, arena);
    ports->forces = make_forces(t, arena, &ports->force_count);
    ports->rims = make_rims(t, arena);
    if (!ports->inputs || !ports->signals || !ports->states || !ports->geometry || !ports->forces ||
        !ports->rims || !ports->feet)
        return ib_error_set(error, IB_FAILED, "out of memory for the robot's tables");
    return IB_OK;
}
