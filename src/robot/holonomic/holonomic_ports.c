// robot/holonomic/holonomic_ports.c: the holonomic base's signals and inputs.
// How many there are depends on its wheels.
#include "base/extreme.h"
#include "robot/books.h"
#include "robot/holonomic/holonomic_inside.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- signals

// What every one shows.
enum {
    S_COMMAND = IB_PLANAR_SIGNALS,
    S_MOTION,
    S_MISSED,
    S_POWER, ///< ib_power_signals
    S_E_BATTERY = S_POWER + IB_POWER_SIGNALS,
    S_E_KINETIC,
    S_E_WHEELS,
    S_E_ROTORS,
    S_E_COPPER,
    S_E_CONVERSION,
    S_E_LOSS,
    S_E_GEAR,
    S_E_TYRE,
    S_E_COLLISION,
    S_E_RESISTANCE,
    S_E_BACKGROUND,
    S_E_PUSH,
    S_E_ERROR,
    S_FIXED, ///< then each motor, then each wheel, then the breakers of the motors
};

static const ib_SignalDef fixed[S_FIXED] = {
    IB_PLANAR_SIGNAL_ROWS,
    [S_COMMAND] = {"command.direction", "rad",
                   "direction that the stick asks for, to the left of the heading; 0: none", 0,
                   IB_MEANS(.shown = "deg")},
    [S_MOTION] = {"motion.direction", "rad",
                  "direction in which the robot moves, to the left of the heading; 0: none", 0,
                  IB_MEANS(.shown = "deg")},
    [S_MISSED] = {"motion.direction_error", "rad",
                  "direction in which it moves, less the one that is asked for; 0: one is none", 0,
                  IB_MEANS(.headline = 3, .shown = "deg")},
    [S_E_BATTERY] = IB_BOOK_BATTERY,
    [S_E_KINETIC] = {IB_NAME_ENERGY("kinetic"), "J", "kinetic energy of the body", 0,
                     IB_MEANS(.role = IB_ROLE_STORED)},
    [S_E_WHEELS] = IB_BOOK_WHEELS,
    [S_E_ROTORS] = IB_BOOK_ROTORS,
    [S_E_COPPER] = IB_BOOK_COPPER,
    [S_E_CONVERSION] = IB_BOOK_CONVERSION,
    [S_E_LOSS] = IB_BOOK_LOSS,
    [S_E_GEAR] = IB_BOOK_GEAR,
    [S_E_TYRE] = IB_BOOK_TYRE,
    [S_E_COLLISION] = IB_BOOK_COLLISION,
    [S_E_RESISTANCE] = IB_BOOK_RESISTANCE,
    [S_E_BACKGROUND] = IB_BOOK_BACKGROUND,
    [S_E_PUSH] = IB_BOOK_PUSH,
    [S_E_ERROR] = {IB_NAME_ENERGY("error"), "J",
                   "error of the energy book: battery + push - all the others", 0,
                   IB_MEANS(.role = IB_ROLE_BALANCE)},
};

const ib_SignalRows ib__holonomic_signals = {fixed, S_FIXED};

// Of the motors of one rim.
enum { M_OUTPUT, M_VOLTAGE, M_CURRENT, M_SUPPLY, M_TORQUE, M_SPEED, M_SIGNALS };

static const ib_SignalDef motor_signals[M_SIGNALS] = {
    [M_OUTPUT] = {"output", "1", "share of the bus voltage that the mixing asks for, -1 to 1", 0},
    [M_VOLTAGE] = {"voltage", "V", "voltage at the terminals of this motor", 0,
                   IB_MEANS(.role = IB_ROLE_MOTOR_VOLTAGE)},
    [M_CURRENT] = {"current", "A", "current in the winding of this motor", 1e4,
                   IB_MEANS(.headline = 3)},
    [M_SUPPLY] = {"supply", "A",
                  "current drawn from the bus by the motors of this rim; negative: fed back", 0,
                  IB_MEANS(.role = IB_ROLE_LOAD)},
    [M_TORQUE] = {"torque", "N*m", "torque of this motor at its shaft", 0},
    [M_SPEED] = {"speed", "rad/s", "speed of this motor at its shaft", 1e6,
                 IB_MEANS(.role = IB_ROLE_MOTOR_MOTION, .shown = "rpm")},
};

// Of one wheel.
enum { W_SPEED, W_SLIP, W_FORCE, W_SIDE, W_LOAD, W_SIGNALS };

static const ib_SignalDef wheel_signals[W_SIGNALS] = {
    [W_SPEED] = {"speed", "rad/s", "angular speed of this wheel", 1e5, IB_MEANS(.shown = "rpm")},
    [W_SLIP] = {"slip", "m/s", "how fast it slips over the floor, but for what its rollers let go",
                0, IB_MEANS(.role = IB_ROLE_MOTOR_SLIP)},
    [W_FORCE] = {"force", "N", "force of the floor on this wheel, where it rolls", 0},
    [W_SIDE] = {"side", "N", "force of the floor on this wheel, to the left of where it rolls", 0},
    [W_LOAD] = {"load", "N", "share of the weight that this wheel carries", 0},
};

// Of the mixing as it was published.
static const ib_SignalDef published_signals[] = {
    {"mixing.undefined", "1",
     "the published mixing has no case for this stick and turn, and a motor's share of the turn is "
     "0; mixing: corrected has all of them",
     0, IB_MEANS(.binary = true, .warns = true)},
};

static int motor_at(int rim)
{
    return S_FIXED + rim * M_SIGNALS;
}

static int wheel_at(const ib_HolonomicModel *h, int wheel)
{
    return motor_at(h->rims) + wheel * W_SIGNALS;
}

static int branch_at(const ib_HolonomicModel *h)
{
    return wheel_at(h, h->layout.wheel_count);
}

static int published_at(const ib_HolonomicModel *h)
{
    return branch_at(h) + (h->power.branch_count > 0 ? h->rims * IB_BREAKER_STATES : 0);
}

static int thermal_at(const ib_HolonomicModel *h, int rim)
{
    return published_at(h) + (h->mixing.config.law == IB_MIXING_PUBLISHED) +
           rim * ib_thermal_signal_count(&h->thermal);
}

static int heat_at(const ib_HolonomicModel *h)
{
    return thermal_at(h, h->rims);
}

static bool is_published(const ib_HolonomicModel *h)
{
    return h->mixing.config.law == IB_MIXING_PUBLISHED;
}

// ------------------------------------------------------------------------------------------ output

// Of a vector, robot frame. Straight back is +180 degrees, on whichever side rounding puts it.
static double direction_of(double x, double y)
{
    if (x < 0 && fabs(y) < 1e-9 * -x) y = 0;
    return ib_atan2(y, x);
}

// What the stick asks for, where it leaves its dead zone; how the robot moves, from 1 um/s
// on, which is more than rounding leaves of nothing; and by how much this misses that, -180
// .. 180 degrees.
static void output_directions(const ib_HolonomicModel *h, const double *x, const ib_Stick *stick,
                              double *y)
{
    const double u = x[IB_HOLONOMIC_U], n = x[IB_HOLONOMIC_N];
    ib_Stick shaped = ib_stick_shaped(stick, h->mixing.config.dead_zone, IB_STICK_LINEAR);
    bool asked = shaped.x != 0 || shaped.y != 0, moves = u * u + n * n > 1e-6 * 1e-6;
    y[S_COMMAND] = asked ? direction_of(stick->y, -stick->x) : 0;
    y[S_MOTION] = moves ? direction_of(u, n) : 0;
    y[S_MISSED] = 0;
    if (asked && moves)
        y[S_MISSED] = direction_of(u * stick->y - n * stick->x, n * stick->y + u * stick->x);
}

static void output_motors(const ib_HolonomicModel *h, const ib__HolonomicNow *now, double *y)
{
    for (int i = 0; i < h->rims; i++) {
        const ib_BridgeResult *bridge = &now->power.bus.bridge[i];
        double *own = y + motor_at(i);
        own[M_OUTPUT] = ib_max(-1, ib_min(1, now->output[i])); // published mixing asks for up to 3
        own[M_VOLTAGE] = bridge->volts;
        own[M_CURRENT] = bridge->current;
        own[M_SUPPLY] = h->drive.motors * bridge->drawn;
        own[M_TORQUE] = now->torque[i];
        own[M_SPEED] = h->drive.reduction[0] * now->speed[i];
    }
}

static void output_wheels(const ib_HolonomicModel *h, const ib__HolonomicNow *now,
                          const ib__HolonomicFloor *floor, double *y)
{
    for (int i = 0; i < h->layout.wheel_count; i++) {
        int rim = h->layout.rim[i];
        double c = h->rim[rim].roll_x, s = h->rim[rim].roll_y;
        double *own = y + wheel_at(h, i);
        own[W_SPEED] = now->speed[rim];
        own[W_SLIP] = floor->slip[i];
        own[W_FORCE] = floor->force_x[i] * c + floor->force_y[i] * s;
        own[W_SIDE] = floor->force_y[i] * c - floor->force_x[i] * s;
        own[W_LOAD] = floor->load[i];
    }
}

static void output_energy(const ib_HolonomicModel *h, const double *x, double *y)
{
    ib__HolonomicKinetic k = ib__holonomic_kinetic(h, x);
    y[S_E_BATTERY] = x[IB_HOLONOMIC_E_BATTERY];
    y[S_E_KINETIC] = k.body;
    y[S_E_WHEELS] = k.wheels;
    y[S_E_ROTORS] = k.rotors;
    y[S_E_COPPER] = x[IB_HOLONOMIC_E_COPPER];
    y[S_E_CONVERSION] = x[IB_HOLONOMIC_E_CONVERSION];
    y[S_E_LOSS] = x[IB_HOLONOMIC_E_LOSS];
    y[S_E_GEAR] = x[IB_HOLONOMIC_E_GEAR];
    y[S_E_TYRE] = x[IB_HOLONOMIC_E_TYRE];
    y[S_E_COLLISION] = x[IB_HOLONOMIC_E_COLLISION];
    y[S_E_RESISTANCE] = x[IB_HOLONOMIC_E_RESISTANCE];
    y[S_E_BACKGROUND] = x[IB_HOLONOMIC_E_BACKGROUND];
    y[S_E_PUSH] = x[IB_HOLONOMIC_E_PUSH];
}

void ib__holonomic_output_shared(const void *model, const double *x, const double *input,
                                 const ib_Shared *shared, double *y)
{
    const ib_HolonomicModel *h = model;
    ib__HolonomicNow now;
    ib__HolonomicFloor floor;
    double c, s;
    ib_Stick stick = ib__holonomic_stick(input);
    ib__holonomic_now(h, x, input, shared, &now);
    ib__holonomic_floor(h, x, input, &now, shared ? shared->cargo : NULL, &floor);
    ib_sincos(x[IB_HOLONOMIC_TH], &s, &c);
    ib_planar_output(&h->planar, x, c, s, y);
    output_directions(h, x, &stick, y);
    ib_power_output(&h->power, x, &now.power, y + S_POWER);
    output_energy(h, x, y);
    output_motors(h, &now, y);
    output_wheels(h, &now, &floor, y);
    if (h->power.branch_count > 0)
        memcpy(y + branch_at(h), x + h->power.branch_state[0],
               (size_t)(h->rims * IB_BREAKER_STATES) * sizeof *y);
    if (is_published(h)) y[published_at(h)] = ib_mixing_undefined(&h->mixing, &stick);
    if (!ib_thermal_on(&h->thermal)) return;
    for (int i = 0; i < h->rims; i++) ib_thermal_output(&h->thermal, x, i, y + thermal_at(h, i));
    ib_heat_output(&h->thermal, x, x[IB_HOLONOMIC_E_COPPER], y + heat_at(h));
}

void ib__holonomic_output(const void *model, const double *x, const double *input, double *y)
{
    ib__holonomic_output_shared(model, x, input, NULL, y);
}

// ------------------------------------------------------------------------------------------ tables

// "1" … for the motors and wheels; NULL without memory.
static const char *number(int index, ib_Arena *arena)
{
    return ib_arena_format(arena, "%d", index + 1);
}

// `count` parts, "prefix.1" and so on. False without memory.
static bool add_parts(ib_SignalTable *table, const char *prefix, int count,
                      const ib_SignalDef *signals, int each)
{
    for (int i = 0; i < count; i++) {
        const char *part = number(i, table->arena);
        const char *name = ib_arena_format(table->arena, "%s.%d", prefix, i + 1);
        if (!part || !name || ib_signals_add_part(table, name, part, signals, each) < 0)
            return false;
    }
    return true;
}

static const ib_SignalDef *make_signals(const ib_HolonomicModel *h, ib_Arena *arena, int *count)
{
    ib_SignalTable table = {.arena = arena};
    bool good = ib_signals_add(&table, "", fixed, S_POWER) >= 0;
    good = good && ib_signals_add(&table, "", ib_power_signals, IB_POWER_SIGNALS) >= 0;
    good = good && ib_signals_add(&table, "", fixed + S_E_BATTERY, S_FIXED - S_E_BATTERY) >= 0;
    good = good && add_parts(&table, "motor", h->rims, motor_signals, M_SIGNALS);
    good = good && add_parts(&table, "wheel", h->layout.wheel_count, wheel_signals, W_SIGNALS);
    if (h->power.branch_count > 0)
        good = good &&
               add_parts(&table, IB_PREFIX_BRANCH, h->rims, ib_branch_signals, IB_BREAKER_STATES);
    if (is_published(h)) good = good && ib_signals_add(&table, "", published_signals, 1) >= 0;
    if (ib_thermal_on(&h->thermal)) {
        int each = ib_thermal_signal_count(&h->thermal);
        good = good && add_parts(&table, "motor", h->rims, ib_thermal_signals, each);
        good = good && ib_signals_add(&table, "", ib_heat_signals, IB_HEAT_SIGNALS) >= 0;
    }
    *count = table.count;
    return good ? table.items : NULL;
}

// False without memory.
static bool show_thermal(const ib_HolonomicModel *h, const ib_SignalDef *signals,
                         ib_StateDef *states, ib_Arena *arena)
{
    int *shown = ib_arena_array(arena, (size_t)h->state_count, sizeof *shown);
    if (!shown) return false;
    for (int i = 0; i < h->rims; i++) ib_thermal_shown(&h->thermal, i, thermal_at(h, i), shown);
    ib_heat_shown(&h->thermal, heat_at(h), shown);
    for (int i = h->thermal.state; i < h->state_count; i++)
        states[i].signal = signals[shown[i]].name;
    return true;
}

static const ib_StateDef *make_states(const ib_HolonomicModel *h, const ib_SignalDef *signals,
                                      ib_Arena *arena)
{
    static const int front[IB_HOLONOMIC_FIXED] = {
        [IB_HOLONOMIC_TH] = IB_PLANAR_SIGNAL_HEADING,
        [IB_HOLONOMIC_U] = IB_PLANAR_SIGNAL_FORWARD,
        [IB_HOLONOMIC_N] = IB_PLANAR_SIGNAL_LEFT,
        [IB_HOLONOMIC_W] = IB_PLANAR_SIGNAL_W,
        [IB_HOLONOMIC_USED] = S_POWER + IB_POWER_SIGNAL_USED,
        [IB_HOLONOMIC_X] = IB_PLANAR_SIGNAL_X,
        [IB_HOLONOMIC_Y] = IB_PLANAR_SIGNAL_Y,
        [IB_HOLONOMIC_E_BATTERY] = S_E_BATTERY,
        [IB_HOLONOMIC_E_RESISTANCE] = S_E_RESISTANCE,
        [IB_HOLONOMIC_E_BACKGROUND] = S_E_BACKGROUND,
        [IB_HOLONOMIC_E_COPPER] = S_E_COPPER,
        [IB_HOLONOMIC_E_CONVERSION] = S_E_CONVERSION,
        [IB_HOLONOMIC_E_LOSS] = S_E_LOSS,
        [IB_HOLONOMIC_E_GEAR] = S_E_GEAR,
        [IB_HOLONOMIC_E_TYRE] = S_E_TYRE,
        [IB_HOLONOMIC_E_COLLISION] = S_E_COLLISION,
        [IB_HOLONOMIC_E_PUSH] = S_E_PUSH,
    };
    ib_StateDef *states = ib_arena_array(arena, (size_t)h->state_count, sizeof *states);
    if (!signals || !states) return NULL;
    memcpy(states, ib__holonomic_roles, sizeof ib__holonomic_roles);
    for (int i = 0; i < IB_HOLONOMIC_FIXED; i++) states[i].signal = signals[front[i]].name;
    for (int i = 0; h->rim_state >= 0 && i < h->rims; i++)
        states[h->rim_state + i].signal = signals[wheel_at(h, h->layout.first[i]) + W_SPEED].name;
    const ib_PowerModel *power = &h->power;
    if (power->charge_state >= 0)
        states[power->charge_state].signal = signals[S_POWER + IB_POWER_SIGNAL_CHARGE].name;
    if (power->breaker_state >= 0)
        states[power->breaker_state].signal = signals[S_POWER + IB_POWER_SIGNAL_HEAT].name;
    if (ib_thermal_on(&h->thermal) && !show_thermal(h, signals, states, arena)) return NULL;
    return states;
}

static const ib_InputDef *make_inputs(const ib_HolonomicModel *h, ib_Arena *arena, int *count)
{
    *count = IB_HOLONOMIC_GAINS + h->rims;
    ib_InputDef *in = ib_arena_array(arena, (size_t)*count, sizeof *in);
    if (!in) return NULL;
    memcpy(in, ib_environment_inputs, sizeof ib_environment_inputs);
    in[IB_HOLONOMIC_STICK_X] = (ib_InputDef){.name = "stick.x",
                                             .unit = "1",
                                             .sentence = "command to move to the right, -1 to 1",
                                             .role = IB_INPUT_COMMAND,
                                             .low = -1,
                                             .high = 1,
                                             .limit = "-1 to 1",
                                             .axis = IB_DRIVES_RIGHT};
    in[IB_HOLONOMIC_STICK_Y] = in[IB_HOLONOMIC_TURN] = in[IB_HOLONOMIC_STICK_X];
    in[IB_HOLONOMIC_STICK_Y].name = "stick.y";
    in[IB_HOLONOMIC_STICK_Y].sentence = "command to move forward, -1 to 1";
    in[IB_HOLONOMIC_STICK_Y].axis = IB_DRIVES_FORWARD;
    in[IB_HOLONOMIC_TURN].name = "turn";
    in[IB_HOLONOMIC_TURN].sentence = "command to turn to the right, -1 to 1";
    in[IB_HOLONOMIC_TURN].axis = IB_DRIVES_TURN_RIGHT;
    in[IB_HOLONOMIC_FRAME] =
        (ib_InputDef){.name = "stick.frame",
                      .unit = "rad",
                      .sentence = "heading by which the stick is turned back: that of the robot "
                                  "in the driver's eyes, for field-oriented driving",
                      .role = IB_INPUT_COMMAND,
                      .low = -1e6,
                      .high = 1e6,
                      .for_loops = true};
    for (int i = 0; i < h->rims; i++) {
        const char *name = ib_arena_format(arena, "motor.%d.torque", i + 1);
        if (!name) return NULL;
        in[IB_HOLONOMIC_GAINS + i] = ib_gain_input(name);
    }
    return in;
}

// All that the floor does to it: of each wheel one force, where it rolls and to the left of that.
static const ib_ForceDef *make_forces(const ib_HolonomicModel *h, ib_Arena *arena, int *count)
{
    *count = h->layout.wheel_count;
    ib_ForceDef *forces = ib_arena_array(arena, (size_t)*count, sizeof *forces);
    for (int i = 0; forces && i < h->layout.wheel_count; i++) {
        const ib_PatchRim *rim = &h->rim[h->layout.rim[i]];
        forces[i] = (ib_ForceDef){.label = ib_arena_format(arena, "F_%d", i + 1),
                                  .signal = ib_arena_format(arena, "wheel.%d.force", i + 1),
                                  .side = ib_arena_format(arena, "wheel.%d.side", i + 1),
                                  .x = h->patch.x[i],
                                  .y = h->patch.y[i],
                                  .along_x = rim->roll_x,
                                  .along_y = rim->roll_y};
        if (!forces[i].label || !forces[i].signal || !forces[i].side) return NULL;
    }
    return forces;
}

// For odometry: the signals of each rim's first wheel, of its motor, and of all wheels.
static const ib_RimSignal *make_rim_signals(const ib_HolonomicModel *h, const ib_SignalDef *signals,
                                            ib_Arena *arena, int *count)
{
    *count = 2 * h->rims + h->layout.wheel_count;
    ib_RimSignal *rims = ib_arena_array(arena, (size_t)*count, sizeof *rims), *next = rims;
    if (!rims || !signals) return NULL;
    for (int i = 0; i < h->rims; i++)
        *next++ = (ib_RimSignal){signals[wheel_at(h, h->layout.first[i]) + W_SPEED].name, i,
                                 h->radius[i]};
    for (int i = 0; i < h->rims; i++)
        *next++ = (ib_RimSignal){signals[motor_at(i) + M_SPEED].name, i,
                                 h->radius[i] / h->drive.reduction[0]};
    for (int i = 0; i < h->layout.wheel_count; i++) {
        int rim = h->layout.rim[i];
        *next++ = (ib_RimSignal){signals[wheel_at(h, i) + W_SPEED].name, rim, h->radius[rim]};
    }
    return rims;
}

static const ib_ControlRims *make_rims(const ib_HolonomicModel *h, const ib_SignalDef *signals,
                                       ib_Arena *arena)
{
    ib_ControlRims *rims = ib_arena_alloc(arena, sizeof *rims);
    ib_WheelRow *rows = ib_arena_array(arena, (size_t)h->rims, sizeof *rows);
    if (!rims || !rows) return NULL;
    *rims = (ib_ControlRims){.count = h->rims, .rows = rows, .hold_count = h->layout.hold_count};
    rims->signals = make_rim_signals(h, signals, arena, &rims->signal_count);
    for (int i = 0; i < h->rims; i++) {
        const double *turn = h->layout.turn[i];
        double r = h->radius[i];
        rows[i] = (ib_WheelRow){r * turn[0], r * turn[1], r * turn[2]};
    }
    for (int i = 0; i < rims->hold_count; i++) {
        const double *hold = h->layout.hold[i];
        rims->holds[i] = (ib_WheelRow){hold[0], hold[1], hold[2]};
    }
    return rims->signals ? rims : NULL;
}

// Its wheels, with what each of them carries at rest.
static const ib_FootDef *make_feet(const ib_HolonomicModel *h, ib_Arena *arena)
{
    ib_FootDef *feet = ib_arena_array(arena, (size_t)h->layout.wheel_count, sizeof *feet);
    for (int i = 0; feet && i < h->layout.wheel_count; i++)
        feet[i] = (ib_FootDef){h->patch.x[i], h->patch.y[i], h->share[i]};
    return feet;
}

ib_Status ib__holonomic_ports(const void *config_, ib_Arena *arena, void *model,
                              ib_RobotPorts *ports, ib_Error *error)
{
    const ib_HolonomicConfig *config = config_;
    ib_HolonomicModel *h = model;
    ib_Status status = ib_holonomic_init(config, h, error);
    if (status != IB_OK) return status;
    *ports = (ib_RobotPorts){
        .state_count = h->state_count,
        .sum_from = IB_HOLONOMIC_X,
        .sum_to = IB_HOLONOMIC_FIXED,
        .guard_count = h->guard_count,
        .planar = &h->planar,
        .length = config->length,
        .width = config->width,
        .restitution = config->bumper.restitution,
        .yield_speed = config->bumper.yield_speed,
        .friction = config->bumper.friction,
        .resolution = ib__holonomic_resolution(h),
        .foot_count = h->layout.wheel_count,
        .feet = make_feet(h, arena),
    };
    ports->inputs = make_inputs(h, arena, &ports->input_count);
    ports->signals = make_signals(h, arena, &ports->signal_count);
    ports->states = make_states(h, ports->signals, arena);
    ports->geometry = ib__holonomic_look(config, h, arena);
    ports->forces = make_forces(h, arena, &ports->force_count);
    ports->rims = make_rims(h, ports->signals, arena);
    if (!ports->rims || !ports->inputs || !ports->signals || !ports->states || !ports->geometry ||
        !ports->forces || !ports->feet)
        return ib_error_set(error, IB_FAILED, "out of memory for the robot's tables");
    return IB_OK;
}
