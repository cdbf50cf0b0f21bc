#include "plant/electric/battery.h"

#define HOURS_20 72000.0 ///< [s]

// Resting voltages of a sealed lead-acid battery lie almost on a line over the charge, 12.9 V full
// to 11.7 V at a tenth; the rest below that collapses. The curve is a fraction of the way from 8 V
// to 13 V, so that 50 % is 12.3 V:                                         [docs/plant/battery.md]
ib_Table ib_battery_curve(void)
{
    static const double points[][2] = {
        {0.00, 0.00}, {0.02, 0.40},  {0.05, 0.62},  {0.10, 0.74}, {0.20, 0.79},
        {0.30, 0.82}, {0.40, 0.84},  {0.50, 0.86},  {0.60, 0.88}, {0.70, 0.90},
        {0.80, 0.92}, {0.90, 0.945}, {0.95, 0.965}, {1.00, 1.00},
    };
    ib_Table curve = {.count = (int)(sizeof points / sizeof *points)};
    for (int i = 0; i < curve.count; i++) {
        curve.x[i] = points[i][0];
        curve.y[0][i] = points[i][1];
    }
    return curve;
}

// The curve goes from (0, 0) to (1, 1), both growing: the voltage then falls as the battery
// empties, and the parameters `open_circuit` and `empty` are its ends.
static ib_Status check_curve(const ib_Table *curve, ib_Error *error)
{
    int last = curve->count - 1;
    if (curve->count < 2 || curve->x[0] != 0 || curve->y[0][0] != 0 || curve->x[last] != 1 ||
        curve->y[0][last] != 1)
        return ib_error_set(error, IB_BAD_INPUT, "curve: must go from [0, 0] to [1, 1]");
    for (int i = 0; i < last; i++) {
        if (!(curve->x[i + 1] > curve->x[i] && curve->y[0][i + 1] >= curve->y[0][i]))
            return ib_error_set(
                error, IB_BAD_INPUT, "curve: must grow; row %d ([%g, %g]) does not follow [%g, %g]",
                i + 2, curve->x[i + 1], curve->y[0][i + 1], curve->x[i], curve->y[0][i]);
    }
    return IB_OK;
}

ib_Status ib_battery_check(const ib_BatteryConfig *config, ib_Error *error)
{
    if (config->constant_voltage) return IB_OK;
    if (!(config->empty <= config->open_circuit))
        return ib_error_set(error, IB_BAD_INPUT,
                            "empty: must be above 0 V and at most open_circuit (%g V), got %g V",
                            config->open_circuit, config->empty);
    return config->curve.count > 0 ? check_curve(&config->curve, error) : IB_OK;
}

static void init_power(double p, ib_Power *power)
{
    double term = 1;
    power->p = p;
    for (int i = 0; i < IB_POWER_PARTS; i++) {
        double c = 1 + (i + 0.5) / IB_POWER_PARTS;
        power->whole[i] = ib_pow(2, i * p);
        power->part[i] = ib_pow(c, p);
        power->inverse[i] = 1 / c;
    }
    for (int k = 0; k < IB_POWER_TERMS; k++) {
        power->binomial[k] = term;
        term *= (p - k) / (k + 1);
    }
}

void ib_battery_init(const ib_BatteryConfig *config, ib_BatteryModel *battery)
{
    battery->open_circuit = config->open_circuit;
    battery->resistance = config->resistance;
    battery->empty = config->empty;
    battery->capacity = config->capacity;
    battery->per_capacity = 1 / config->capacity;
    battery->per_rated = HOURS_20 / config->capacity;
    battery->more = config->rate_exponent - 1;
    init_power(battery->more, &battery->effect);
    battery->constant_voltage = config->constant_voltage;

    // Volts are tabulated once, so that the step only interpolates. The ends are exact.
    battery->voltage = config->curve.count > 0 ? config->curve : ib_battery_curve();
    double *volts = battery->voltage.y[0];
    for (int i = 0; i < battery->voltage.count; i++)
        volts[i] = config->empty * (1 - volts[i]) + config->open_circuit * volts[i];
    for (int i = 0; i + 1 < battery->voltage.count; i++)
        battery->voltage.y[1][i] =
            (volts[i + 1] - volts[i]) / (battery->voltage.x[i + 1] - battery->voltage.x[i]);
}
