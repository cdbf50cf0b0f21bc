// plant/air/air.h: the pneumatics of a robot: compressor or source -> tanks -> regulator -> valves
// -> cylinders. Each part has its own header and its own page; the page of the whole
// is docs/plant/reservoir.md.
//
// The air balance: delivered = change of stored + vented, to rounding with any solver, because
// all three are sums of the same flows.
#ifndef IB_PLANT_AIR_AIR_H
#define IB_PLANT_AIR_AIR_H

#include "base/schema.h"
#include "base/signal.h"
#include "plant/air/air_cylinder.h"
#include "plant/air/air_source.h"
#include "plant/air/compressor.h"
#include "plant/air/regulator.h"
#include "plant/air/reservoir.h"

#include <stdbool.h>

enum { IB_MAX_CYLINDERS = 8 };

typedef struct ib_AirConfig {
    int on;                         ///< 0: there is none
    int compressor_given;           ///< always 1
    int tanks;                      ///< 1 .. 100
    double tank_volume;             ///< of one [m^3], > 0
    double tubing_volume;           ///< [m^3], >= 0
    double temperature;             ///< [K], 200 .. 400
    double heat_time;               ///< see ib_ReservoirConfig [s]; 0: isothermal
    double start;                   ///< pressure at t = 0 [Pa], absolute, > 0
    double leak;                    ///< [m^3/s] at the pressure of the tanks, >= 0
    double pressure_switch[2];      ///< closes, opens [Pa], absolute
    double relief;                  ///< opens [Pa], absolute; +infinity: none
    ib_RegulatorConfig regulator;   ///< working pressure
    ib_CompressorConfig compressor; ///< table of the compressor
    ib_AirSourceConfig source;      ///< in its place
    bool published; ///< n' = P F/(R T), P of the tanks, as RoboSim 7.2; else n' = P_atm F/(R T)
    int cylinder_count;
    ib_AirCylinderConfig cylinders[IB_MAX_CYLINDERS];
} ib_AirConfig;

typedef struct ib_AirModel {
    ib_ReservoirModel reservoir;
    ib_CompressorModel compressor;
    ib_AirSourceModel source;
    int source_state;             ///< its first, behind the cylinders
    double begin;                 ///< air in tanks and cylinders at t = 0 [mol]
    double per_RT;                ///< 1/(R T) [mol/J]
    double start;                 ///< [Pa]
    double setting;               ///< of the regulator [Pa]
    double temperature;           ///< of the air around [K]
    double regulator_conductance; ///< [m^3/(s Pa)]; +infinity: ideal
    bool published;
    int cylinder_count;
    ib_AirCylinderModel cylinders[IB_MAX_CYLINDERS];
} ib_AirModel;

// The states; then IB_AIR_CYLINDER_STATES of each cylinder; then those of a source.
enum {
    IB_AIR_MOLES,       ///< in the tanks
    IB_AIR_TEMPERATURE, ///< of the air in the tanks [K]
    IB_AIR_CONTACT,     ///< mode: 1 the pressure switch is closed and calls for air
    IB_AIR_ROW,         ///< mode: the compressor's line in use
    IB_AIR_DELIVERED,   ///< by the compressor since t = 0 [mol]
    IB_AIR_VENTED,      ///< to the open air since t = 0: leak, relief, exhaust [mol]
    IB_AIR_CYLINDERS,   ///< the first state of the first cylinder
    IB_AIR_MAX_STATES =
        IB_AIR_CYLINDERS + IB_MAX_CYLINDERS * IB_AIR_CYLINDER_STATES + IB_AIR_SOURCE_STATES
};

enum { IB_COMPRESSOR_AUTO, IB_COMPRESSOR_ON, IB_COMPRESSOR_OFF };

typedef struct ib_AirInput {
    int compressor;       ///< auto: by the pressure switch; on: at any pressure; off
    bool enabled;         ///< false: outputs are off: the compressor stands, every solenoid is at 0
    double voltage;       ///< of the bus [V]; needed by rate and output only
    double taken, vented; ///< from the tanks and to the open air by others [mol/s]; rate only
    const double *solenoid; ///< of each cylinder, above 0.5: extend; NULL where there is none
} ib_AirInput;

ib_Status ib_air_check(const ib_AirConfig *config, ib_Error *error);
void ib_air_init(const ib_AirConfig *config, ib_AirModel *air);

int ib_air_state_count(const ib_AirModel *air);
void ib_air_reset(const ib_AirModel *air, double *state);

// Longest step for a fixed-step solver [s]; 0: any.
double ib_air_resolution(const ib_AirModel *air);

// True if the compressor turns; of an engine in its place: if there is power for valves, too.
IB_FORMULA bool ib_air_running(const double *state, const ib_AirInput *input)
{
    bool wanted = input->compressor == IB_COMPRESSOR_AUTO ? state[IB_AIR_CONTACT] > 0.5
                                                          : input->compressor == IB_COMPRESSOR_ON;
    return wanted && input->enabled;
}

IB_FORMULA double ib__air_pressure(const ib_AirModel *air, const double *state)
{
    return ib_reservoir_pressure(&air->reservoir, state[IB_AIR_MOLES], state[IB_AIR_TEMPERATURE]);
}

IB_FORMULA int ib__air_row(const double *state)
{
    return (int)(state[IB_AIR_ROW] + 0.5);
}

// Current of the compressor, as a line of the bus voltage around `volts` (0 at rest). To solve the
// bus: take the piece at the open-circuit voltage, solve; as long as V is not within from .. to
// take the piece at V instead: at most 3 rounds.
IB_FORMULA ib_Load ib_air_load(const ib_AirModel *air, const double *state,
                               const ib_AirInput *input, double volts)
{
    if (air->source.on || !ib_air_running(state, input)) return ib_load_none();
    return ib_compressor_load(&air->compressor, ib__air_row(state), ib__air_pressure(air, state),
                              volts);
}

// Supply for cylinders; `on`: solenoids follow their commands.
ib_AirSupply ib_air_supply(const ib_AirModel *air, const double *state, bool on);

// The rates of all states, at the solved bus voltage.
void ib_air_rate(const ib_AirModel *air, const double *state, const ib_AirInput *input,
                 double *rate);

// Margins, positive as long as every mode stays: pressure switch, row of the table,
// then one for each cylinder, and the source's.
enum { IB_AIR_MARGIN_SWITCH, IB_AIR_MARGIN_ROW, IB_AIR_MARGIN_CYLINDERS };
int ib_air_margin_count(const ib_AirModel *air);
void ib_air_margins(const ib_AirModel *air, const double *state, const ib_AirInput *input,
                    double *margins);

// Brings all modes in line with state and input. Afterwards every margin is positive. Returns true
// when something changed.
bool ib_air_settle(const ib_AirModel *air, const ib_AirInput *input, double *state);

// ----------------------------------------------------------------------------------------- signals

enum {
    IB_AIR_SIGNAL_PRESSURE,
    IB_AIR_SIGNAL_MOLES,
    IB_AIR_SIGNAL_TEMPERATURE,
    IB_AIR_SIGNAL_WORKING,
    IB_AIR_SIGNAL_STORED,
    IB_AIR_SIGNAL_DELIVERED,
    IB_AIR_SIGNAL_VENTED,
    IB_AIR_SIGNALS
};
enum {
    IB_COMPRESSOR_SIGNAL_RUNNING,
    IB_COMPRESSOR_SIGNAL_FLOW,
    IB_COMPRESSOR_SIGNAL_CURRENT,
    IB_COMPRESSOR_SIGNALS
};
enum {
    IB_CYLINDER_SIGNAL_POSITION,
    IB_CYLINDER_SIGNAL_VELOCITY,
    IB_CYLINDER_SIGNAL_CAP,
    IB_CYLINDER_SIGNAL_ROD,
    IB_CYLINDER_SIGNAL_FORCE,
    IB_CYLINDER_SIGNALS
};

#define IB_PREFIX_AIR           "air"
#define IB_PREFIX_COMPRESSOR    "compressor"
#define IB_PREFIX_CYLINDER      "cylinder"
#define IB_NAME_AIR_PRESSURE    IB_PREFIX_AIR ".pressure"
#define IB_NAME_AIR_DELIVERED   IB_PREFIX_AIR ".delivered"
#define IB_NAME_AIR_TEMPERATURE IB_PREFIX_AIR ".temperature"
#define IB_NAME_AIR_STORED      IB_PREFIX_AIR ".stored"
extern const ib_SignalDef ib_air_signals[IB_AIR_SIGNALS];               ///< prefix `air`
extern const ib_SignalDef ib_compressor_signals[IB_COMPRESSOR_SIGNALS]; ///< prefix `compressor`
extern const ib_SignalDef ib_cylinder_signals[IB_CYLINDER_SIGNALS];     ///< `cylinder.<name>`

// Fills the signals of the tanks, the compressor and the cylinders (IB_CYLINDER_SIGNALS each, one
// after the other).
void ib_air_output(const ib_AirModel *air, const double *state, const ib_AirInput *input,
                   double *tanks, double *compressor, double *cylinders);

// Fills those of a source (plant/air/air_source.h). Parts that take air take what they have more
// than at the start from its balance.
void ib_air_output_source(const ib_AirModel *air, const double *state, double *signals);

// -------------------------------------------------------------------------------------- parameters

extern const ib_PresetDef ib_air_presets, ib_air_compressors;
extern const ib_NamedDef ib_air_cylinders;

// The key that disables this one, as in ib_Schema.idle; NULL: it counts, or is no key of the air.
const char *ib_air_idle(const ib_AirConfig *config, const char *key);

// All rows of the air, for a config struct with an ib_AirConfig in `air`.
#define IB_AIR_ROWS(config, air)                                                                   \
    IB_ROW("air", IB_PARAM_PRESET, "1", "off", 0, 0, &ib_air_presets, config, air.on,              \
           "the pneumatics: off, a preset or a map"),                                              \
        IB_ROW("air.tanks", IB_PARAM_COUNT, "1", "2", 1, 100, NULL, config, air.tanks,             \
               "number of tanks"),                                                                 \
        IB_NUMBER_OF("air.tank_volume", "m^3", "0.574 L", 1e-6, 10, config, air.tank_volume,       \
                     "volume of one tank"),                                                        \
        IB_NUMBER_OF("air.tubing_volume", "m^3", "0 L", 0, 10, config, air.tubing_volume,          \
                     "volume of the tubing"),                                                      \
        IB_NUMBER_OF("air.temperature", "K", "70 degF", 200, 400, config, air.temperature,         \
                     "temperature of the air around and in the tanks"),                            \
        IB_NUMBER_OF("air.heat_time", "s", "0 s", 0, 1e5, config, air.heat_time,                   \
                     "time constant in which the air takes the tanks' temperature; 0: at once "    \
                     "(isothermal)"),                                                              \
        IB_NUMBER_OF("air.start", "Pa", "0 psig", 1, 1e8, config, air.start,                       \
                     "pressure of the tanks at the start"),                                        \
        IB_NUMBER_OF("air.leak", "m^3/s", "0 L/min", 0, 1, config, air.leak,                       \
                     "flow of the leak, of air at the pressure of the tanks; 0: no leak"),         \
        IB_ROW("air.compressor", IB_PARAM_PRESET, "1", "viair-90c", 0, 0, &ib_air_compressors,     \
               config, air.compressor_given, "a compressor of data/compressors.yaml, or a map"),   \
        IB_COMPRESSOR_ROWS("air.compressor", config, air.compressor),                              \
        IB_AIR_SOURCE_ROWS(config, air.source),                                                    \
        IB_ROW("air.switch", IB_PARAM_PAIR, "Pa", "95 psig, 115 psig", 1, 1e8, NULL, config,       \
               air.pressure_switch,                                                                \
               "pressures of the tanks at which the compressor starts and stops"),                 \
        IB_ROW("air.relief", IB_PARAM_LIMIT, "Pa", "125 psig", 1, 1e8, NULL, config, air.relief,   \
               "pressure at which the relief valve opens; off: there is none"),                    \
        IB_NUMBER_OF("air.regulator", "Pa", "60 psig", 1, 1e8, config, air.regulator.setting,      \
                     "working pressure, behind the regulator"),                                    \
        IB_ROW("air.regulator_conductance", IB_PARAM_LIMIT, "m^3/(s*Pa)", "off", 1e-12, 1, NULL,   \
               config, air.regulator.conductance,                                                  \
               "conductance of the regulator when wide open; off: ideal"),                         \
        IB_ROW("air.cylinders", IB_PARAM_NAMED, "1", NULL, 0, IB_MAX_CYLINDERS, &ib_air_cylinders, \
               config, air.cylinder_count, "cylinders by name, each with its solenoid valve")

#endif
