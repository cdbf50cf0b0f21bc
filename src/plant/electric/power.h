// plant/electric/power.h: a robot's electric supply, with all bridges and other loads on one bus.
// It has a battery, a main breaker, a breaker for each bridge, the controller's brownout and its
// background load. The derivation is in docs/plant/power.md.
//
// A part of any robot. It brings its parameters (IB_POWER_ROWS), its signals (ib_power_signals) and
// functions over the robot's flat state; the robot places the part's states there, passes the
// bridges of its motors, and gets their voltages and currents back.
//
// Symbols: E open-circuit voltage, Rb battery resistance, V bus voltage, I current that leaves the
// battery. The books: the power of the chemistry, E I, is that of the resistance, Rb I^2, and V I,
// the sum of the background's V I_b and the power of bridges and other loads.
#ifndef IB_PLANT_ELECTRIC_POWER_H
#define IB_PLANT_ELECTRIC_POWER_H

#include "base/schema.h"
#include "base/signal.h"
#include "plant/air/compressor.h"
#include "plant/electric/battery.h"
#include "plant/electric/breaker.h"
#include "plant/electric/brownout.h"
#include "plant/electric/bus.h"

#define IB_COMMAND_SCALE 12.0 ///< a command of 12 V is full duty [V]                [RoboSim 9b]

typedef struct ib_PowerConfig {
    int battery_given; ///< always 1
    ib_BatteryConfig battery;
    double charge;             ///< of the battery at the start, 0 .. 1
    double background_current; ///< of the controller, radio and lights [A], >= 0
    int breaker_on;            ///< 0: off
    ib_BreakerConfig breaker;
    int branch_on; ///< 0: off
    ib_BreakerConfig branch;
    int brownout_on; ///< 0: off
    ib_BrownoutConfig brownout;
} ib_PowerConfig;

// The states of a breaker and of the brownout.
enum { IB_BREAKER_HEAT, IB_BREAKER_CLOSED, IB_BREAKER_STATES };
enum { IB_BROWNOUT_STAGE, IB_BROWNOUT_TIMER, IB_BROWNOUT_STATES };

// Places of the states of every supply in the robot's.
typedef struct ib_PowerBooks {
    int used;       ///< charge that has left the battery [A s]
    int battery;    ///< energies so far [J]: given by the battery's chemistry,
    int resistance; ///< lost in its resistance,
    int background; ///< used by controller and radio
} ib_PowerBooks;

typedef struct ib_PowerModel {
    ib_BatteryModel battery;
    ib_BreakerModel breaker, branch;
    ib_BrownoutModel brownout;
    double background;   ///< [A]
    double start_charge; ///< 0 .. 1
    ib_PowerBooks books;
    // Places of optional states and guards in the robot's, -1: not there.
    int charge_state;   ///< of the battery, 0 .. 1, if it is not just start - used/capacity
    int breaker_state;  ///< heat, closed
    int brownout_state; ///< stage, timer
    int breaker_guard, brownout_guard;
    int branch_count; ///< the breakers of the bridges, one for each in their order; 0: none
    int branch_state[IB_BRIDGES_MAX], branch_guard[IB_BRIDGES_MAX];
} ib_PowerModel;

// Another load than a motor: its current as a line of the bus voltage, piece by piece.
typedef struct ib_OtherLoad {
    ib_Load (*at)(const void *self, double volts); ///< the piece that holds at `volts`
    const void *self;
} ib_OtherLoad;

// The bus at one instant.
typedef struct ib_PowerNow {
    double E;     ///< open-circuit voltage [V], 0: the main breaker is open
    double other; ///< current of the other load [A]
    ib_Bus bus;   ///< its current is all that leaves the battery
} ib_PowerNow;

ib_Status ib_power_check(const ib_PowerConfig *config, ib_Error *error);

// Everything but where the states lie: no books, no optional states, no branches.
void ib_power_init(const ib_PowerConfig *config, ib_PowerModel *power);

// Full as configured, every breaker cold and closed; states set to 0 by the robot stay.
void ib_power_reset(const ib_PowerModel *power, double *x);

// ----------------------------------------------------------------------------- loads under control

// The main breaker lets current pass.
IB_FORMULA bool ib_power_fed(const ib_PowerModel *p, const double *x)
{
    return p->breaker_state < 0 || x[p->breaker_state + IB_BREAKER_CLOSED] > 0.5;
}

// The controller's outputs are not switched off by a brownout.
IB_FORMULA bool ib_power_enabled(const ib_PowerModel *p, const double *x)
{
    return p->brownout_state < 0 || ib_brownout_enabled((int)x[p->brownout_state]);
}

// True if motors, compressor and solenoids follow their commands.
IB_FORMULA bool ib_power_on(const ib_PowerModel *p, const double *x)
{
    return ib_power_fed(p, x) && ib_power_enabled(p, x);
}

// The breaker of this bridge lets current pass.
IB_FORMULA bool ib_power_reaches(const ib_PowerModel *p, const double *x, int bridge)
{
    return p->branch_count == 0 || x[p->branch_state[bridge] + IB_BREAKER_CLOSED] > 0.5;
}

// A command as a duty, where a command of 1 V is a duty of `share` [1/V].
IB_FORMULA double ib_power_share(double command, double share)
{
    double duty = command * share;
    return duty > 1 ? 1 : duty < -1 ? -1 : duty;
}

// A command on the 12 V scale as a duty.
IB_FORMULA double ib_power_duty(double command)
{
    return ib_power_share(command, 1 / IB_COMMAND_SCALE);
}

// ----------------------------------------------------------------------------------------- the bus

// Charge left, 1: full. `used` is the state of that name.
IB_FORMULA double ib_power_charge(const ib_PowerModel *p, const double *x, double used)
{
    if (p->charge_state >= 0) return x[p->charge_state];
    return p->start_charge - used * p->battery.per_capacity;
}

// Solves the bus for these bridges and the background, and another load (NULL: none).
void ib_power_solve(const ib_PowerModel *power, const double *x, const ib_Bridge *bridge, int count,
                    const ib_OtherLoad *load, ib_PowerNow *now);

// ------------------------------------------------------------------------------------------- rates

IB_FORMULA void ib_power_book(const ib_PowerModel *p, const ib_PowerBooks *at, double E, double V,
                              double I, double *dx)
{
    dx[at->used] = I;
    dx[at->battery] = E * I;
    dx[at->resistance] = p->battery.resistance * I * I;
    dx[at->background] = V * p->background;
}

// Main breaker, brownout and a battery with rate effect; I is the battery's current.
IB_FORMULA void ib_power_rate_modes(const ib_PowerModel *p, const double *x, double I, double *dx)
{
    if (p->charge_state >= 0) dx[p->charge_state] = ib_battery_charge_rate(&p->battery, I);
    if (p->breaker_state >= 0) {
        const double *b = x + p->breaker_state;
        dx[p->breaker_state + IB_BREAKER_HEAT] =
            ib_breaker_rate(&p->breaker, I, b[IB_BREAKER_HEAT], b[IB_BREAKER_CLOSED] > 0.5);
        dx[p->breaker_state + IB_BREAKER_CLOSED] = 0;
    }
    if (p->brownout_state >= 0) {
        dx[p->brownout_state + IB_BROWNOUT_STAGE] = 0;
        dx[p->brownout_state + IB_BROWNOUT_TIMER] = 1;
    }
}

// The breakers of the bridges; `drawn`: bus current of one motor of each [A].
void ib_power_rate_branches(const ib_PowerModel *power, const double *x, const double *drawn,
                            double *dx);

// ------------------------------------------------------------------------------------------- modes

// Margins of all breakers, positive as long as they stay as they are.
void ib_power_breaker_margins(const ib_PowerModel *power, const double *x, double *guards);

// Positive as long as the brownout's stage stays at this bus voltage.
double ib_power_brownout_margin(const ib_PowerModel *power, const double *x, double volts);

// Bring modes in line with the state; true when something changed.
bool ib_power_settle_breakers(const ib_PowerModel *power, double *x);
bool ib_power_settle_brownout(const ib_PowerModel *power, double volts, double *x);

// ----------------------------------------------------------------------------------------- signals

enum {
    IB_POWER_SIGNAL_VOLTAGE,
    IB_POWER_SIGNAL_CURRENT,
    IB_POWER_SIGNAL_USED,
    IB_POWER_SIGNAL_CHARGE,
    IB_POWER_SIGNAL_COLLAPSED,
    IB_POWER_SIGNAL_HEAT,
    IB_POWER_SIGNAL_CLOSED,
    IB_POWER_SIGNAL_STAGE,
    IB_POWER_SIGNAL_BACKGROUND,
    IB_POWER_SIGNALS,
};

#define IB_NAME_BATTERY_VOLTAGE "battery.voltage"
#define IB_NAME_BATTERY_CURRENT "battery.current"
#define IB_NAME_BATTERY_USED    "battery.used"
#define IB_NAME_BATTERY_CHARGE  "battery.charge"

extern const ib_SignalDef ib_power_signals[IB_POWER_SIGNALS];

// The breaker of one bridge, behind `branch.<name>`.
#define IB_PREFIX_BRANCH "branch"
extern const ib_SignalDef ib_branch_signals[IB_BREAKER_STATES];

void ib_power_output(const ib_PowerModel *power, const double *x, const ib_PowerNow *now,
                     double *signals);

// -------------------------------------------------------------------------------------- parameters

// The key of this config that keeps `key` from doing anything, or NULL: as in ib_Schema.
const char *ib_power_idle(const ib_PowerConfig *config, const char *key);

extern const ib_PresetDef ib_power_batteries, ib_power_breakers, ib_power_brownouts;
extern const ib_TableDef ib_power_trip, ib_power_curve;

#define IB__POWER(key, unit, fallback, min, max, config, field, sentence)                          \
    IB_PARAM_ROW(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, config, field, false,       \
                 sentence)
#define IB__POWER_LIVE(key, unit, fallback, min, max, config, field, sentence)                     \
    IB_PARAM_ROW(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, config, field, true,        \
                 sentence)

// The rows of a breaker behind `key`, for a field of the config.
#define IB__BREAKER_ROWS(key, config, field, on, which, rating_, trip_, cooling_, reset_)          \
    IB_PARAM_ROW(key, IB_PARAM_PRESET, "1", "off", 0, 0, &ib_power_breakers, config, on, false,    \
                 which),                                                                           \
        IB__POWER(key ".rating", "A", rating_, 1e-3, 1e6, config, field.rating,                    \
                  "current that the breaker carries for ever at 25 degC"),                         \
        IB_PARAM_ROW(key ".trip", IB_PARAM_TABLE, "1", trip_, 0, 0, &ib_power_trip, config,        \
                     field.trip, false, "current -> time in which the breaker trips from cold"),   \
        IB__POWER(key ".cooling", "s", cooling_, 1e-3, 1e6, config, field.cooling,                 \
                  "time constant in which the breaker cools"),                                     \
        IB__POWER(key ".reset", "1", reset_, 0, 0.99, config, field.reset,                         \
                  "heat at which the breaker closes by itself (it trips at 1); 0: it stays open"), \
        IB__POWER(key ".ambient", "K", "25 degC", 200, 400, config, field.ambient,                 \
                  "temperature around the breaker")

// All rows of the supply, for a config struct with an ib_PowerConfig in `power`.
#define IB_POWER_ROWS(config, power)                                                               \
    IB_PARAM_ROW("battery", IB_PARAM_PRESET, "1", NULL, 0, 0, &ib_power_batteries, config,         \
                 power.battery_given, false, "a battery of data/batteries.yaml, or a map"),        \
        IB__POWER_LIVE("battery.open_circuit", "V", "12 V", 0.1, 1e3, config,                      \
                       power.battery.open_circuit, "voltage of the full battery without load"),    \
        IB__POWER_LIVE("battery.resistance", "ohm", "12 mohm", 0, 1e3, config,                     \
                       power.battery.resistance,                                                   \
                       "internal resistance of the battery, with leads and connectors"),           \
        IB__POWER("battery.capacity", "A*s", "17 A*h", 1, 1e9, config, power.battery.capacity,     \
                  "capacity of the battery at the 20 h rate"),                                     \
        IB_PARAM_ROW("battery.constant_voltage", IB_PARAM_FLAG, "1", "true", 0, 1, NULL, config,   \
                     power.battery.constant_voltage, false,                                        \
                     "true: the voltage without load does not fall with the charge"),              \
        IB__POWER("battery.empty", "V", "8 V", 0.01, 1e3, config, power.battery.empty,             \
                  "voltage of the empty battery without load"),                                    \
        IB__POWER(                                                                                 \
            "battery.rate_exponent", "1", "1", 1, 2, config, power.battery.rate_exponent,          \
            "Peukert's exponent: above the 20 h rate a battery gives less; 1: no such effect"),    \
        IB_PARAM_ROW(                                                                              \
            "battery.curve", IB_PARAM_TABLE, "1", "", 0, 0, &ib_power_curve, config,               \
            power.battery.curve, false,                                                            \
            "voltage curve: charge 0 to 1 -> 0 to 1 of the way from `empty` to `open_circuit`"),   \
        IB__POWER("battery.start", "1", "1", 0, 1, config, power.charge,                           \
                  "charge of the battery at the start, 0 to 1"),                                   \
        IB__POWER_LIVE("background_current", "A", "0.5 A", 0, 1e3, config,                         \
                       power.background_current,                                                   \
                       "current that controller, radio and lights draw"),                          \
        IB__BREAKER_ROWS("breaker", config, power.breaker, power.breaker_on,                       \
                         "the main breaker: off, a preset or a map", "120 A",                      \
                         "120 A 1800 s, 240 A 100 s, 480 A 18 s", "200 s", "0"),                   \
        IB__BREAKER_ROWS("branch_breaker", config, power.branch, power.branch_on,                  \
                         "the breaker of each motor: off, a preset or a map", "40 A",              \
                         "40 A 1000 s, 80 A 10 s, 160 A 1 s", "20 s", "0.3"),                      \
        IB_PARAM_ROW("brownout", IB_PARAM_PRESET, "1", "off", 0, 0, &ib_power_brownouts, config,   \
                     power.brownout_on, false,                                                     \
                     "what the controller does as the voltage sags: off, a preset or a map"),      \
        IB__POWER("brownout.droop", "V", "6.8 V", 0.01, 1e3, config, power.brownout.droop,         \
                  "voltage below which the servo rail sags"),                                      \
        IB__POWER("brownout.off", "V", "6.3 V", 0.01, 1e3, config, power.brownout.off,             \
                  "voltage below which outputs go off"),                                           \
        IB__POWER("brownout.on", "V", "7.5 V", 0.01, 1e3, config, power.brownout.on,               \
                  "voltage above which outputs come back"),                                        \
        IB__POWER("brownout.blackout", "V", "4.5 V", 0.01, 1e3, config, power.brownout.blackout,   \
                  "voltage below which the controller goes down"),                                 \
        IB__POWER("brownout.reboot", "V", "4.65 V", 0.01, 1e3, config, power.brownout.reboot,      \
                  "voltage above which the controller starts again"),                              \
        IB__POWER("brownout.delay", "s", "1 ms", 1e-6, 10, config, power.brownout.delay,           \
                  "how long the voltage must stay below `off` until outputs go off"),              \
        IB__POWER("brownout.hold", "s", "20 ms", 1e-4, 1e3, config, power.brownout.hold,           \
                  "least time for which outputs stay off"),                                        \
        IB__POWER("brownout.boot", "s", "20 s", 0, 1e4, config, power.brownout.boot,               \
                  "time from power to a running robot program")

#endif
