// plant/valve.c: a valve's numbers, checked and prepared.
#include "plant/valve.h"

#include "plant/gas.h"

ib_ValveConfig ib_valve_default(void)
{
    return (ib_ValveConfig){.C = 1.2e-8, .b = 0.3, .laminar = 0.98};
}

ib_Status ib_valve_check(const ib_ValveConfig *config, ib_Error *error)
{
    if (!(config->C > 0) || !isfinite(config->C))
        return ib_error_set(error, IB_BAD_INPUT, "valve.C: expected more than 0 m^3/(s*Pa), got %g",
                            config->C);
    if (!(config->b >= 0 && config->b <= 0.8))
        return ib_error_set(error, IB_BAD_INPUT, "valve.b: expected 0 to 0.8, got %g", config->b);
    if (!(config->laminar > config->b && config->laminar < 1))
        return ib_error_set(
            error, IB_BAD_INPUT,
            "valve.laminar: expected more than valve.b (%g) and less than 1, got %g", config->b,
            config->laminar);
    return IB_OK;
}

// psi = e (a + c e) meets the square root at e1 = 1 - laminar with value psi1 and slope d:
//   z1 = (laminar - b)/(1 - b),  psi1 = sqrt(1 - z1^2),  d = dpsi/de = z1/((1 - b) psi1)
//   a = 2 psi1/e1 - d,  c = (d e1 - psi1)/e1^2
// a is the steepest slope of all (c < 0 near r = 1), so it sets the fastest time of a chamber.
void ib_valve_init(const ib_ValveConfig *config, double temperature, ib_ValveModel *valve)
{
    double n0 = IB_ANR_PRESSURE / (IB_GAS_CONSTANT * IB_ANR_TEMPERATURE);
    double per_range = 1 / (1 - config->b), z = (config->laminar - config->b) * per_range;
    double e = 1 - config->laminar, psi = sqrt(1 - z * z), d = z * per_range / psi;

    *valve = (ib_ValveModel){
        .conductance = config->C * n0 * sqrt(IB_ANR_TEMPERATURE / temperature),
        .b = config->b,
        .per_range = per_range,
        .laminar = config->laminar,
        .slope = 2 * psi / e - d,
        .curve = (d * e - psi) / (e * e),
    };
}

double ib_valve_series(double C1, double C2)
{
    return 1 / sqrt(1 / (C1 * C1) + 1 / (C2 * C2));
}
