// plant/air/air_source.c: the numbers of a source of air, checked and prepared, and what it tells.
#include "plant/air/air_source.h"

#include "base/mode.h"

#include <string.h>

const char *const ib_air_source_laws[] = {"bottle", "engine", NULL};
const ib_PresetDef ib_air_sources = {.file = "air_sources", .off = true};

ib_Status ib_air_source_check(const ib_AirSourceConfig *config, ib_Error *error)
{
    if (config->law != IB_AIR_BOTTLE || config->pressure >= IB_ATMOSPHERE) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "source.pressure: expected one atmosphere (0 psig) or more, got %g Pa",
                        config->pressure);
}

// Air in a volume at some pressure, and the mass of it.
static double air_in(const ib_AirSourceConfig *config, double temperature)
{
    return IB_AIR_MASS * ib_gas_moles(config->pressure, temperature, config->volume);
}

double ib_air_source_mass(const ib_AirSourceConfig *config, double temperature)
{
    if (!config->on) return 0;
    double used = config->law == IB_AIR_BOTTLE
                      ? config->volume * config->shell + air_in(config, temperature)
                      : config->energy / config->energy_density;
    return config->mass + used;
}

void ib_air_source_init(const ib_AirSourceConfig *config, double temperature, double setting,
                        double tank_volume, ib_AirSourceModel *source)
{
    double k = IB_AIR_HEAT_RATIO, cp = k / (k - 1) * 287.0;
    *source = (ib_AirSourceModel){.on = config->on, .bottle = config->law == IB_AIR_BOTTLE};
    if (!source->on) return;
    source->mass = config->mass;
    source->usable = cp * temperature * ib_air_source_rise(setting);
    source->setting = setting;
    source->least = ib_gas_moles(setting, temperature, tank_volume);
    if (source->bottle) {
        source->mass += config->volume * config->shell;
        return;
    }
    source->energy = config->energy;
    source->per_density = 1 / config->energy_density;
    source->flow = ib_gas_moles(IB_ATMOSPHERE, temperature, config->flow);
    source->work = cp * temperature / config->efficiency;
}

void ib_air_source_reset(const ib_AirSourceModel *source, double *state)
{
    memset(state, 0, IB_AIR_SOURCE_STATES * sizeof *state);
    state[IB_AIR_SOURCE_ENERGY] = source->energy;
}

// ----------------------------------------------------------------------------------------- signals

static const ib_Mode spent_mode = {.kind = IB_MODE_LIMIT,
                                   .meanings = {{"the source of air gives again", IB_MODE_INFO},
                                                {"the source of air is spent", IB_MODE_WARNING}}};

const ib_SignalDef ib_air_source_signals[IB_AIR_SOURCE_SIGNALS] = {
    [IB_AIR_SOURCE_SIGNAL_MASS] = {"mass", "kg", "mass of the source with what is left in it", 0},
    [IB_AIR_SOURCE_SIGNAL_LEFT] = {"left", "kg",
                                   "air that it can still give at the working pressure, what its "
                                   "energy can compress included",
                                   0, IB_MEANS(.headline = 2)},
    [IB_AIR_SOURCE_SIGNAL_ENERGY] = {"energy", "J",
                                     "energy left; of a bottle: work that would compress what it "
                                     "can still give to the working pressure",
                                     0},
    [IB_AIR_SOURCE_SIGNAL_FLOW] = {"flow", "kg/s",
                                   "mean flow out of the tanks, of the last 10 s or so", 0},
    [IB_AIR_SOURCE_SIGNAL_TIME] = {"time_left", "s",
                                   "time until it is empty at that flow, at most 1e7 s", 0,
                                   IB_MEANS(.headline = 2)},
    [IB_AIR_SOURCE_SIGNAL_SPENT] = {"spent", "1",
                                    "1: the bottle is below the working pressure, or the engine "
                                    "has no energy left",
                                    0, IB_MEANS(.mode = &spent_mode, .binary = true)},
    [IB_AIR_SOURCE_SIGNAL_ERROR] = {"error", "kg",
                                    "error of the air balance: made - vented - what the robot has "
                                    "more than at the start",
                                    0},
};

void ib_air_source_output(const ib_AirSourceModel *source, const double *state, double moles,
                          double P, double *signals)
{
    double M = IB_AIR_MASS, energy = state[IB_AIR_SOURCE_ENERGY];
    double above = ib_max(moles - source->least, 0) * M, left = above;
    double weight = ib_max(state[IB_AIR_SOURCE_WEIGHT], 1e-12);
    double flow = M * (state[IB_AIR_SOURCE_FLOW] / weight);
    if (!source->bottle) {
        double each = source->work * ib_air_source_rise(P);
        left += each > 0 ? ib_max(energy, 0) / each : 0;
    }
    signals[IB_AIR_SOURCE_SIGNAL_MASS] =
        source->mass + (source->bottle ? M * moles : energy * source->per_density);
    signals[IB_AIR_SOURCE_SIGNAL_LEFT] = left;
    signals[IB_AIR_SOURCE_SIGNAL_ENERGY] = source->bottle ? above * source->usable : energy;
    signals[IB_AIR_SOURCE_SIGNAL_FLOW] = flow;
    signals[IB_AIR_SOURCE_SIGNAL_TIME] = left < IB_AIR_SOURCE_FOREVER * flow ? left / flow
                                         : left > 0                          ? IB_AIR_SOURCE_FOREVER
                                                                             : 0;
    signals[IB_AIR_SOURCE_SIGNAL_SPENT] = state[IB_AIR_SOURCE_SPENT];
}

// -------------------------------------------------------------------------------------- parameters

const char *ib_air_source_idle(const ib_AirSourceConfig *config, const char *key)
{
    static const char *const bottles[] = {"volume", "pressure", "shell"};
    static const char *const engines[] = {"energy", "energy_density", "efficiency", "flow"};
    bool bottle = config->law == IB_AIR_BOTTLE;
    for (size_t i = 0; i < sizeof bottles / sizeof *bottles && !bottle; i++)
        if (strcmp(key, bottles[i]) == 0) return "air.source.law";
    for (size_t i = 0; i < sizeof engines / sizeof *engines && bottle; i++)
        if (strcmp(key, engines[i]) == 0) return "air.source.law";
    return NULL;
}
