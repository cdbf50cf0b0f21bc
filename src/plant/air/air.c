// plant/air/air.c: the air parts of a robot, wired together.
#include "plant/air/air.h"

#include "base/extreme.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ config

// True if a bottle takes the place of tanks, relief valve and compressor.
static bool has_bottle(const ib_AirConfig *config)
{
    return config->source.on && config->source.law == IB_AIR_BOTTLE;
}

// The tanks as one volume; the relief valve passes all that is delivered.
static ib_ReservoirConfig reservoir_config(const ib_AirConfig *config, double flow_most)
{
    bool bottled = has_bottle(config);
    double volume = bottled ? config->source.volume : config->tanks * config->tank_volume;
    return (ib_ReservoirConfig){
        .volume = volume + config->tubing_volume,
        .temperature = config->temperature,
        .heat_time = config->heat_time,
        .leak = config->leak,
        .relief = bottled ? INFINITY : config->relief,
        .relief_flow = flow_most,
        .switch_on = config->pressure_switch[0],
        .switch_off = config->pressure_switch[1],
    };
}

ib_Status ib_air_check(const ib_AirConfig *config, ib_Error *error)
{
    ib_Status status = config->source.on ? ib_air_source_check(&config->source, error)
                                         : ib_compressor_check(&config->compressor, error);
    if (status == IB_OK && !(config->regulator.setting >= IB_ATMOSPHERE))
        return ib_error_set(error, IB_BAD_INPUT,
                            "regulator: expected one atmosphere (0 psig) or more, got %g Pa",
                            config->regulator.setting);
    ib_ReservoirConfig tanks = reservoir_config(config, 1);
    if (status == IB_OK) status = ib_reservoir_check(&tanks, error);
    for (int i = 0; status == IB_OK && i < config->cylinder_count; i++)
        status = ib_air_cylinder_check(&config->cylinders[i], error);
    return status;
}

// Air in tanks and cylinders [mol].
static double stored(const ib_AirModel *air, const double *state)
{
    double sum = state[IB_AIR_MOLES];
    for (int i = 0; i < air->cylinder_count; i++) {
        const double *x = state + IB_AIR_CYLINDERS + i * IB_AIR_CYLINDER_STATES;
        sum += x[IB_AIR_CYLINDER_CAP] + x[IB_AIR_CYLINDER_ROD];
    }
    return sum;
}

void ib_air_init(const ib_AirConfig *config, ib_AirModel *air)
{
    *air = (ib_AirModel){
        .per_RT = 1 / (IB_GAS_CONSTANT * config->temperature),
        .start = has_bottle(config) ? config->source.pressure : config->start,
        .setting = config->regulator.setting,
        .temperature = config->temperature,
        .regulator_conductance = config->regulator.conductance,
        .published = config->published,
        .cylinder_count = config->cylinder_count,
    };
    if (!config->source.on) ib_compressor_init(&config->compressor, &air->compressor);
    double most = config->source.on ? config->source.flow : air->compressor.flow_most;
    ib_ReservoirConfig tanks = reservoir_config(config, most);
    ib_reservoir_init(&tanks, &air->reservoir);
    for (int i = 0; i < config->cylinder_count; i++)
        ib_air_cylinder_init(&config->cylinders[i], config->temperature,
                             config->regulator.conductance, &air->cylinders[i]);
    ib_air_source_init(&config->source, config->temperature, config->regulator.setting,
                       air->reservoir.volume, &air->source);
    air->source_state = IB_AIR_CYLINDERS + air->cylinder_count * IB_AIR_CYLINDER_STATES;
    double state[IB_AIR_MAX_STATES];
    ib_air_reset(air, state);
    air->begin = stored(air, state);
}

// ------------------------------------------------------------------------------------------- state

int ib_air_state_count(const ib_AirModel *air)
{
    return air->source_state + (air->source.on ? IB_AIR_SOURCE_STATES : 0);
}

// A tank that starts between the two pressures of the switch counts as filled: the switch is open.
void ib_air_reset(const ib_AirModel *air, double *state)
{
    const ib_ReservoirModel *tanks = &air->reservoir;
    double working = ib_regulator_pressure(air->setting, air->start);
    state[IB_AIR_MOLES] = ib_gas_moles(air->start, tanks->temperature, tanks->volume);
    state[IB_AIR_TEMPERATURE] = tanks->temperature;
    state[IB_AIR_CONTACT] = air->start <= tanks->switch_on;
    state[IB_AIR_ROW] = ib_compressor_row(&air->compressor, air->start);
    state[IB_AIR_DELIVERED] = 0;
    state[IB_AIR_VENTED] = 0;
    for (int i = 0; i < air->cylinder_count; i++)
        ib_air_cylinder_reset(&air->cylinders[i], working,
                              state + IB_AIR_CYLINDERS + i * IB_AIR_CYLINDER_STATES);
    if (air->source.on) ib_air_source_reset(&air->source, state + air->source_state);
}

// The tanks' own time scales are the relief valve's, 2 q1 R T/(band V), that of the heat, and that
// of all valves together when the regulator is wide open and they draw from the tanks directly.
double ib_air_resolution(const ib_AirModel *air)
{
    const ib_ReservoirModel *tanks = &air->reservoir;
    double pressure_per_mole = tanks->pressure_per_kelvin * tanks->temperature;
    double rate = tanks->per_heat_time;
    if (isfinite(tanks->relief))
        rate = ib_max(rate, 2 * tanks->relief_moles / IB_RELIEF_BAND * pressure_per_mole);
    double longest = INFINITY, draw = 0;
    for (int i = 0; i < air->cylinder_count; i++) {
        const ib_AirCylinderModel *cylinder = &air->cylinders[i];
        longest = ib_min(
            longest, ib_air_cylinder_resolution(cylinder, cylinder->piston.per_mass, air->setting));
        draw += ib_air_cylinder_conductance(cylinder, cylinder->supply) *
                cylinder->air.orifice.iso.slope * pressure_per_mole;
    }
    if (draw > 0) longest = 1 / (1 / longest + draw / 2.5);
    if (rate > 0) longest = ib_min(longest, 1 / rate);
    return isfinite(longest) ? longest : 0;
}

// -------------------------------------------------------------------------------------------- rate

// Of an engine in the compressor's place, which needs no power.
static double engine_air(const ib_AirModel *air, const double *state, const ib_AirInput *input)
{
    ib_AirInput own = *input;
    own.enabled = true;
    if (air->source.bottle || !ib_air_running(state, &own)) return 0;
    return ib_air_source_flow(&air->source, state + air->source_state) /
           (IB_ATMOSPHERE * air->per_RT);
}

static inline __attribute__((always_inline)) double
free_air(const ib_AirModel *air, const double *state, const ib_AirInput *input, double pressure)
{
    if (air->source.on) return engine_air(air, state, input);
    if (!ib_air_running(state, input)) return 0;
    return ib_compressor_flow(&air->compressor, ib__air_row(state), pressure, input->voltage);
}

ib_AirSupply ib_air_supply(const ib_AirModel *air, const double *state, bool on)
{
    double P = ib__air_pressure(air, state);
    return (ib_AirSupply){.working = ib_regulator_pressure(air->setting, P),
                          .returns = ib_regulator_returns(air->setting, P),
                          .tanks = P,
                          .on = on};
}

// The compressor's share: the free air was one atmosphere at the intake,
//   n' = P_atm F/(R T)                  published: n' = P F/(R T)                [RoboSim 7.2]
// and the tanks' book:
//   n' = delivered - leak - relief - taken by the cylinders
void ib_air_rate(const ib_AirModel *air, const double *state, const ib_AirInput *input,
                 double *rate)
{
    const ib_ReservoirModel *tanks = &air->reservoir;
    double n = state[IB_AIR_MOLES], T = state[IB_AIR_TEMPERATURE];
    double P = ib_reservoir_pressure(tanks, n, T);
    double intake = air->published ? P : IB_ATMOSPHERE;
    double delivered = intake * free_air(air, state, input, P) * air->per_RT;
    double vented = ib_reservoir_leak(tanks, n, P) + ib_reservoir_relief(tanks, P);
    double out = vented + input->taken; // of the tanks
    vented += input->vented;

    ib_AirSupply supply = ib_air_supply(air, state, input->enabled);
    for (int i = 0; i < air->cylinder_count; i++) {
        int at = IB_AIR_CYLINDERS + i * IB_AIR_CYLINDER_STATES;
        ib_AirDraw draw = ib_air_cylinder_move(&air->cylinders[i], state + at, &supply,
                                               input->solenoid[i] > 0.5, rate + at);
        vented += draw.vented;
        out += draw.taken;
    }
    rate[IB_AIR_MOLES] = delivered - out;
    rate[IB_AIR_TEMPERATURE] = ib_reservoir_heating(tanks, n, T, delivered, out);
    rate[IB_AIR_CONTACT] = 0;
    rate[IB_AIR_ROW] = 0;
    rate[IB_AIR_DELIVERED] = delivered;
    rate[IB_AIR_VENTED] = vented;
    int at = air->source_state;
    if (air->source.on) ib_air_source_rate(&air->source, state + at, delivered, out, P, rate + at);
}

// ------------------------------------------------------------------------------------------- modes

// True if the table of a compressor is in use.
static bool turns(const ib_AirModel *air, const double *state, const ib_AirInput *input)
{
    return !air->source.on && ib_air_running(state, input);
}

int ib_air_margin_count(const ib_AirModel *air)
{
    return IB_AIR_MARGIN_CYLINDERS + air->cylinder_count + air->source.on;
}

void ib_air_margins(const ib_AirModel *air, const double *state, const ib_AirInput *input,
                    double *margins)
{
    double P = ib__air_pressure(air, state);
    margins[IB_AIR_MARGIN_SWITCH] =
        ib_reservoir_switch_margin(&air->reservoir, state[IB_AIR_CONTACT] > 0.5, P);
    // A compressor that stands needs no row.
    margins[IB_AIR_MARGIN_ROW] = turns(air, state, input)
                                     ? ib_compressor_margin(&air->compressor, ib__air_row(state), P)
                                     : 1;
    for (int i = 0; i < air->cylinder_count; i++)
        margins[IB_AIR_MARGIN_CYLINDERS + i] = ib_air_cylinder_margin(
            &air->cylinders[i], state + IB_AIR_CYLINDERS + i * IB_AIR_CYLINDER_STATES);
    if (air->source.on)
        margins[IB_AIR_MARGIN_CYLINDERS + air->cylinder_count] =
            ib_air_source_margin(&air->source, state + air->source_state, state[IB_AIR_MOLES]);
}

bool ib_air_settle(const ib_AirModel *air, const ib_AirInput *input, double *state)
{
    double P = ib__air_pressure(air, state);
    int closed = state[IB_AIR_CONTACT] > 0.5;
    bool changed = false;
    if (ib_reservoir_switch_margin(&air->reservoir, closed, P) <= 0) {
        state[IB_AIR_CONTACT] = !closed;
        changed = true;
    }
    // The row is brought in line when the compressor starts and at each corner of its table.
    if (turns(air, state, input) &&
        ib_compressor_margin(&air->compressor, ib__air_row(state), P) <= 0) {
        state[IB_AIR_ROW] = ib_compressor_row(&air->compressor, P);
        changed = true;
    }
    for (int i = 0; i < air->cylinder_count; i++) {
        double *own = state + IB_AIR_CYLINDERS + i * IB_AIR_CYLINDER_STATES, lost;
        changed |= ib_air_cylinder_settle(&air->cylinders[i], own, &lost);
    }
    double *source = state + air->source_state;
    if (air->source.on && ib_air_source_margin(&air->source, source, P) <= 0) {
        source[IB_AIR_SOURCE_SPENT] = !(source[IB_AIR_SOURCE_SPENT] > 0.5);
        changed = true;
    }
    return changed;
}

// ----------------------------------------------------------------------------------------- signals

static const ib_Mode running_mode = {
    .kind = IB_MODE_STATE,
    .meanings = {{"the compressor stops", IB_MODE_INFO}, {"the compressor starts", IB_MODE_INFO}}};
static const ib_Mode rod_mode = {
    .kind = IB_MODE_STATE,
    .motion = true,
    .meanings = {{"the rod stands", IB_MODE_INFO}, {"the rod moves", IB_MODE_INFO}}};

const ib_SignalDef ib_air_signals[IB_AIR_SIGNALS] = {
    [IB_AIR_SIGNAL_PRESSURE] = {"pressure", "Pa", "pressure of the tanks, absolute", 1e8,
                                IB_MEANS(.headline = 2, .shown = "psig")},
    [IB_AIR_SIGNAL_MOLES] = {"moles", "mol", "air in the tanks", 1e6},
    [IB_AIR_SIGNAL_TEMPERATURE] = {"temperature", "K", "temperature of the air in the tanks", 1e4,
                                   IB_MEANS(.shown = "degC")},
    [IB_AIR_SIGNAL_WORKING] = {"working", "Pa", "pressure behind the regulator, absolute", 1e8,
                               IB_MEANS(.headline = 3, .shown = "psig")},
    [IB_AIR_SIGNAL_STORED] = {"stored", "mol", "air in the tanks and in all cylinders", 1e6},
    [IB_AIR_SIGNAL_DELIVERED] = {"delivered", "mol", "air from the compressor since the start", 0},
    [IB_AIR_SIGNAL_VENTED] = {"vented", "mol",
                              "air lost since the start: exhaust, leak, relief valve", 0},
};

const ib_SignalDef ib_compressor_signals[IB_COMPRESSOR_SIGNALS] = {
    [IB_COMPRESSOR_SIGNAL_RUNNING] = {"running", "1", "1 while the compressor turns", 0,
                                      IB_MEANS(.mode = &running_mode, .binary = true)},
    [IB_COMPRESSOR_SIGNAL_FLOW] = {"flow", "m^3/s", "free air taken in, measured at one atmosphere",
                                   10, IB_MEANS(.shown = "cfm")},
    [IB_COMPRESSOR_SIGNAL_CURRENT] = {"current", "A", "current of the compressor", 1e4,
                                      IB_MEANS(.role = IB_ROLE_LOAD)},
};

const ib_SignalDef ib_cylinder_signals[IB_CYLINDER_SIGNALS] = {
    [IB_CYLINDER_SIGNAL_POSITION] = {"position", "m", "how far the rod is out", 100,
                                     IB_MEANS(.headline = 3)},
    [IB_CYLINDER_SIGNAL_VELOCITY] = {"velocity", "m/s", "speed of the rod, out is positive", 1e4,
                                     IB_MEANS(.mode = &rod_mode)},
    [IB_CYLINDER_SIGNAL_CAP] = {"pressure.cap", "Pa",
                                "pressure in the chamber that extends, absolute", 1e8,
                                IB_MEANS(.shown = "psig")},
    [IB_CYLINDER_SIGNAL_ROD] = {"pressure.rod", "Pa",
                                "pressure in the chamber that retracts, absolute", 1e8,
                                IB_MEANS(.shown = "psig")},
    [IB_CYLINDER_SIGNAL_FORCE] = {"force", "N", "force of the air on the piston, out is positive",
                                  1e7},
};

static void cylinder_output(const ib_AirCylinderModel *cylinder, const double *state,
                            double *signals)
{
    double x = state[IB_AIR_CYLINDER_POSITION];
    ib_AirPush push = ib_air_cylinder_push(cylinder, x, state + IB_AIR_CYLINDER_CAP);
    signals[IB_CYLINDER_SIGNAL_POSITION] = x;
    signals[IB_CYLINDER_SIGNAL_VELOCITY] = state[IB_AIR_CYLINDER_VELOCITY];
    signals[IB_CYLINDER_SIGNAL_CAP] = push.pressure[IB_SIDE_CAP];
    signals[IB_CYLINDER_SIGNAL_ROD] = push.pressure[IB_SIDE_ROD];
    signals[IB_CYLINDER_SIGNAL_FORCE] = push.force;
}

void ib_air_output(const ib_AirModel *air, const double *state, const ib_AirInput *input,
                   double *tanks, double *compressor, double *cylinders)
{
    double P = ib__air_pressure(air, state);
    for (int i = 0; i < air->cylinder_count; i++)
        cylinder_output(&air->cylinders[i], state + IB_AIR_CYLINDERS + i * IB_AIR_CYLINDER_STATES,
                        cylinders + i * IB_CYLINDER_SIGNALS);
    tanks[IB_AIR_SIGNAL_PRESSURE] = P;
    tanks[IB_AIR_SIGNAL_MOLES] = state[IB_AIR_MOLES];
    tanks[IB_AIR_SIGNAL_TEMPERATURE] = state[IB_AIR_TEMPERATURE];
    tanks[IB_AIR_SIGNAL_WORKING] = ib_regulator_pressure(air->setting, P);
    tanks[IB_AIR_SIGNAL_STORED] = stored(air, state);
    tanks[IB_AIR_SIGNAL_DELIVERED] = state[IB_AIR_DELIVERED];
    tanks[IB_AIR_SIGNAL_VENTED] = state[IB_AIR_VENTED];
    double flow = free_air(air, state, input, P);
    compressor[IB_COMPRESSOR_SIGNAL_RUNNING] =
        air->source.on ? flow > 0 : ib_air_running(state, input);
    compressor[IB_COMPRESSOR_SIGNAL_FLOW] = flow;
    compressor[IB_COMPRESSOR_SIGNAL_CURRENT] =
        ib_load_current(ib_air_load(air, state, input, input->voltage), input->voltage);
}

void ib_air_output_source(const ib_AirModel *air, const double *state, double *signals)
{
    double gained = stored(air, state) - air->begin;
    ib_air_source_output(&air->source, state + air->source_state, state[IB_AIR_MOLES],
                         ib__air_pressure(air, state), signals);
    signals[IB_AIR_SOURCE_SIGNAL_ERROR] =
        IB_AIR_MASS * (state[IB_AIR_DELIVERED] - state[IB_AIR_VENTED] - gained);
}

// -------------------------------------------------------------------------------------- parameters

const char *ib_air_idle(const ib_AirConfig *config, const char *key)
{
    static const char *const tanks[] = {"air.tanks", "air.tank_volume", "air.start", "air.switch",
                                        "air.relief"};
    const ib_AirSourceConfig *source = &config->source;
    if (!config->on || strncmp(key, "air.", 4) != 0) return NULL;
    if (strncmp(key, "air.source.", 11) == 0)
        return source->on ? ib_air_source_idle(source, key + 11) : "air.source";
    if (!source->on) return NULL;
    if (strncmp(key, "air.compressor", 14) == 0) return "air.source";
    for (size_t i = 0; i < sizeof tanks / sizeof *tanks && has_bottle(config); i++)
        if (strcmp(key, tanks[i]) == 0) return "air.source.law";
    return NULL;
}

const ib_PresetDef ib_air_presets = {.file = "airs", .off = true},
                   ib_air_compressors = {.file = "compressors"};

#define ROW(config, key, unit, fallback, min, max, detail, field, sentence)                        \
    IB_ROW(key, IB_PARAM_NUMBER, unit, fallback, min, max, detail, config, field, sentence)

static const ib_Param cylinder_params[] = {
    IB_AIR_CYLINDER_SIZE_ROWS(ROW, ib_AirCylinderConfig),
    ROW(ib_AirCylinderConfig, "load", "kg", "1 kg", 1e-3, 1e4, NULL, load,
        "mass that moves with the piston"),
    ROW(ib_AirCylinderConfig, "force", "N", "0 N", -1e6, 1e6, NULL, force,
        "constant force against extension"),
    IB_AIR_CYLINDER_SEAL_ROWS(ROW, ib_AirCylinderConfig),
};

static const char *cylinder_idle(const void *config, const char *key)
{
    const ib_AirCylinderConfig *cylinder = config;
    return ib_valve_idle(&cylinder->valve, key);
}

static const ib_Schema cylinder_schema = {
    .params = cylinder_params,
    .count = sizeof cylinder_params / sizeof cylinder_params[0],
    .idle = cylinder_idle,
};
const ib_NamedDef ib_air_cylinders = {
    .items = &cylinder_schema,
    .offset = offsetof(ib_AirConfig, cylinders) - offsetof(ib_AirConfig, cylinder_count),
    .size = sizeof(ib_AirCylinderConfig),
    .most = IB_MAX_CYLINDERS,
};
