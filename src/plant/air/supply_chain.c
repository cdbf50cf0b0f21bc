// plant/air/supply_chain.c: compressor, tank, regulator and line over a step.
#include "plant/air/supply_chain.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "plant/air/regulator.h"

#include <string.h>

ib_ChainConfig ib_chain_default(void)
{
    double psi = IB_POUND_PER_SQUARE_INCH;
    return (ib_ChainConfig){
        .supply = {.pressure = 448159.4,
                   .source = IB_ATMOSPHERE + 100 * psi,
                   .area = 2e-6,
                   .band = 5 * psi},
        .reservoir = {.volume = 2e-3,
                      .temperature = 529.67 * 5 / 9,
                      .relief = IB_ATMOSPHERE + 125 * psi,
                      .relief_flow = 0.028316846592 / 60, // 1 cfm
                      .switch_on = IB_ATMOSPHERE + 95 * psi,
                      .switch_off = IB_ATMOSPHERE + 115 * psi},
        .start = IB_ATMOSPHERE + 100 * psi,
        .compressed = {.cutoff = 6},
        .voltage = 12,
        .efficiency = 0.5,
    };
}

ib_Status ib_chain_check(const ib_ChainConfig *config, ib_Error *error)
{
    ib_SupplyConfig supply = config->supply;
    if (config->tank || config->led) supply.source = INFINITY; // which may fall below the setting
    ib_Status status = ib_supply_check(&supply, error);
    if (status == IB_OK && config->tank)
        status = ib_error_under("tank.", ib_reservoir_check(&config->reservoir, error), error);
    if (status != IB_OK || !config->compressor) return status;
    if (!config->tank)
        return ib_error_set(error, IB_BAD_INPUT,
                            "compressor: has nowhere to pump to; give a tank, or leave it out");
    return ib_compressor_check(&config->compressed, error);
}

// Isentropic compression of a kilogram from the atmosphere to P, by a machine of some efficiency:
//   cp T ((P/P_atm)^((k - 1)/k) - 1)/efficiency
static double work_to(const ib_ChainModel *chain, double P)
{
    double k = IB_AIR_HEAT_RATIO, ratio = ib_max(P * chain->per_atmosphere, 1);
    return chain->work * (ib_pow(ratio, (k - 1) / k) - 1);
}

void ib_chain_init(const ib_ChainConfig *config, const ib_OrificeModel *orifice, double R,
                   double temperature, double atmosphere, ib_ChainModel *chain)
{
    double k = IB_AIR_HEAT_RATIO, cp = k * R / (k - 1);
    ib_ReservoirConfig reservoir = config->reservoir;
    reservoir.temperature = temperature;
    *chain = (ib_ChainModel){
        .tank = config->tank,
        .fed = config->tank && config->compressor,
        .led = config->led && config->supply.volume > 0,
        .start = config->start,
        .voltage = config->voltage,
        .mole = IB_GAS_CONSTANT / R,
        .density = atmosphere / (R * temperature),
        .temperature = temperature,
        .per_atmosphere = 1 / atmosphere,
        .work = cp * temperature / config->efficiency,
    };
    ib_supply_init(&config->supply, orifice, R, temperature, atmosphere, &chain->supply);
    if (chain->tank) ib_reservoir_init(&reservoir, &chain->reservoir);
    if (chain->fed) ib_compressor_init(&config->compressed, &chain->compressor);
    chain->source_work =
        work_to(chain, chain->supply.line ? config->supply.source : config->supply.pressure);
}

void ib_chain_reset(const ib_ChainModel *chain, double *state)
{
    memset(state, 0, IB_CHAIN_STATES * sizeof *state);
    state[IB_CHAIN_TEMPERATURE] = chain->temperature;
    if (chain->led) state[IB_CHAIN_TANK] = chain->supply.pressure;
    if (chain->tank)
        state[IB_CHAIN_TANK] =
            ib_gas_moles(chain->start, chain->temperature, chain->reservoir.volume);
    // A line behind a tank that has less than the setting has no more either.
    if (chain->supply.line) {
        double P = ib_regulator_pressure(chain->supply.pressure, ib_chain_source(chain, state));
        state[IB_CHAIN_LINE] = P / chain->supply.pressure_per_mass;
    }
    state[IB_CHAIN_CONTACT] = chain->fed && chain->start < chain->reservoir.switch_on;
}

// --------------------------------------------------------------------------------------- pressures

double ib_chain_source(const ib_ChainModel *chain, const double *state)
{
    if (chain->led) return state[IB_CHAIN_TANK];
    if (!chain->tank) return chain->supply.line ? chain->supply.source : chain->supply.pressure;
    return ib_reservoir_pressure(&chain->reservoir, state[IB_CHAIN_TANK],
                                 state[IB_CHAIN_TEMPERATURE]);
}

double ib_chain_pressure(const ib_ChainModel *chain, const double *state)
{
    if (chain->supply.line) return ib_supply_pressure(&chain->supply, state[IB_CHAIN_LINE]);
    return ib_regulator_pressure(chain->supply.pressure, ib_chain_source(chain, state));
}

bool ib_chain_sags(const ib_ChainModel *chain)
{
    return chain->supply.line || chain->tank;
}

// Pressure in the tank for a kilogram in it [Pa/kg]; 0 where it never changes.
static double tank_slope(const ib_ChainModel *chain, const double *state)
{
    if (!chain->tank) return 0;
    return chain->reservoir.pressure_per_kelvin * state[IB_CHAIN_TEMPERATURE] / chain->mole;
}

// ------------------------------------------------------------------------------------------ a step

// The regulator over a step: its present flow, and the distance of the line's pressure from that of
// no flow.
typedef struct Passage {
    double q;   ///< [kg/s]; negative: it relieves
    double gap; ///< [Pa], of the sign of q
} Passage;

static Passage passage_of(const ib_ChainModel *chain, double source, double P)
{
    Passage p = {ib_supply_inflow_from(&chain->supply, source, P), 0};
    p.gap = (p.q > 0 ? ib_min(chain->supply.pressure, source) : chain->supply.pressure) - P;
    if (!(p.q * p.gap > 0)) p = (Passage){0, 1};
    return p;
}

// The valves take M = take + slope (P - P0), the regulator gives R = h q (1 - (P - P0)/gap), and
// at the end of the step the line is at P0 + dP:
//   dP = c (h q - take)/(1 + n),   n = c (h q/gap + slope),   c = dP/dm
// Valves see half of it, which is exact to second order, if the line hardly follows them (n << 1),
// and all of it if it follows at once.
double ib_chain_seen(const ib_ChainModel *chain, const double *state, double h, double take,
                     double slope)
{
    double P = ib_chain_pressure(chain, state), source = ib_chain_source(chain, state), c, dP, n;
    if (chain->supply.line) {
        Passage p = passage_of(chain, source, P);
        c = chain->supply.pressure_per_mass;
        n = c * (h * p.q / p.gap + slope);
        dP = c * (h * p.q - take) / (1 + n);
    } else {
        c = source < chain->supply.pressure ? tank_slope(chain, state) : 0;
        n = c * slope;
        dP = -c * take / (1 + n);
    }
    double part = (0.5 + n * n) / (1 + n * n);
    return ib_max(P + part * dP, 0.1 * P);
}

// Through the regulator into the line [kg] while the valves take M, as above; c_t: the tank's
// compliance. It gives no more than with the line emptied beforehand, and takes nothing back.
//   R = h q (gap + c M)/(gap + h q (c + c_t))
static double regulated(const ib_ChainModel *chain, const double *state, double h, double taken)
{
    double P = ib_chain_pressure(chain, state), source = ib_chain_source(chain, state);
    double c = chain->supply.pressure_per_mass, c_t = tank_slope(chain, state);
    Passage p = passage_of(chain, source, P);
    if (p.q < 0) return ib_min(h * p.q * (p.gap + c * taken) / (p.gap + h * p.q * c), 0);
    double R = h * p.q * (p.gap + c * taken) / (p.gap + h * p.q * (c + c_t));
    double low = ib_max(P - ib_max(c * taken, 0), 0.01 * P);
    return ib_max(ib_min(R, h * ib_supply_inflow_from(&chain->supply, source, low)), 0);
}

bool ib_chain_bears(const ib_ChainModel *chain, const double *state, double h, double taken)
{
    if (!chain->supply.line) return taken < 0.9 * (state[IB_CHAIN_TANK] * chain->mole);
    return state[IB_CHAIN_LINE] * 0.9 + regulated(chain, state, h, taken) > taken;
}

// The tank: inflow of the compressor, and outflow by leak, relief and `out` [kg].
static void step_tank(const ib_ChainModel *chain, double *state, double h, double out)
{
    const ib_ReservoirModel *tank = &chain->reservoir;
    double n = state[IB_CHAIN_TANK], T = state[IB_CHAIN_TEMPERATURE];
    double P = ib_reservoir_pressure(tank, n, T), in = 0;
    if (chain->fed && ib_reservoir_switch_margin(tank, state[IB_CHAIN_CONTACT] > 0.5, P) <= 0)
        state[IB_CHAIN_CONTACT] = 1 - state[IB_CHAIN_CONTACT];
    if (chain->fed && state[IB_CHAIN_CONTACT] > 0.5) {
        int row = ib_compressor_row(&chain->compressor, P);
        in = h * chain->density * ib_compressor_flow(&chain->compressor, row, P, chain->voltage);
        state[IB_CHAIN_ENERGY] += in * work_to(chain, P);
        state[IB_CHAIN_DELIVERED] += in;
    }
    double free = h * (ib_reservoir_leak(tank, n, P) + ib_reservoir_relief(tank, P));
    double lost = ib_min(free, 0.5 * n), per_mole = 1 / chain->mole;
    double heating = ib_reservoir_heating(tank, n, T, in * per_mole, out * per_mole + lost);
    double walls = (tank->temperature - T) * tank->per_heat_time;
    // Enthalpy flows count for the step as a whole; walls go on by themselves, stably.
    double carried = tank->isothermal ? 0 : heating - walls;
    state[IB_CHAIN_TANK] = n + (in * per_mole - out * per_mole - lost);
    state[IB_CHAIN_TEMPERATURE] = T + (carried + h * walls) / (1 + h * tank->per_heat_time);
    state[IB_CHAIN_LOST] += lost * chain->mole;
}

void ib_chain_step(const ib_ChainModel *chain, const double *state, double h, double taken,
                   double *next)
{
    double through = taken;
    if (next != state) memcpy(next, state, IB_CHAIN_STATES * sizeof *next);
    if (chain->supply.line) {
        through = regulated(chain, next, h, taken);
        next[IB_CHAIN_LINE] += through - taken;
        if (through < 0) {
            next[IB_CHAIN_LOST] -= through;
            through = 0;
        }
    }
    if (chain->tank) {
        step_tank(chain, next, h, through);
    } else {
        next[IB_CHAIN_DELIVERED] += through;
        next[IB_CHAIN_ENERGY] += through * chain->source_work;
    }
}

// -------------------------------------------------------------------------------------- parameters

const ib_PresetDef ib_chain_tanks = {.off = true},
                   ib_chain_compressors = {.file = "compressors", .off = true};

const char *ib_chain_idle(const ib_ChainConfig *config, const char *key)
{
    if (strcmp(key, "supply.efficiency") == 0) return NULL;
    if (strcmp(key, "supply.source") == 0 && config->tank) return "tank";
    if (strcmp(key, "tank.switch") == 0) return config->compressor ? NULL : "compressor";
    return strncmp(key, "supply.", 7) == 0 ? ib_supply_idle(&config->supply, key) : NULL;
}
