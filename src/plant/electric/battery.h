// plant/electric/battery.h: a battery as a source behind a resistance, with its charge.
// The derivation is in docs/plant/battery.md.
//
// Symbols: E open-circuit voltage, Rb resistance, I current that leaves it (negative: charging),
// q charge as a fraction of the capacity C at the 20 h rate, I20 = C / 20 h, k rate exponent.
//
//   V = E(q) - Rb I                                                                  [RoboSim 5.1]
//   dq/dt = -I max(1, I/I20)^(k-1) / C                             [RoboSim 5.2, with rate effect]
#ifndef IB_PLANT_ELECTRIC_BATTERY_H
#define IB_PLANT_ELECTRIC_BATTERY_H

#include "base/formula.h"
#include "base/maths.h"
#include "base/status.h"
#include "base/table.h"

#include <stdbool.h>

typedef struct ib_BatteryConfig {
    double open_circuit;   ///< voltage when full, with no load [V], > 0
    double resistance;     ///< inside, with leads and connectors [ohm], >= 0
    double capacity;       ///< at the 20 h rate [A s], > 0
    bool constant_voltage; ///< the open-circuit voltage does not fall with the charge
    double empty;          ///< open-circuit voltage at charge 0 [V], > 0, <= open_circuit
    double rate_exponent;  ///< Peukert's k, 1 (no rate effect) .. 2
    ib_Table curve; ///< charge 0 .. 1 -> 0 .. 1 of the way from `empty` to `open_circuit`, growing;
                    ///< count 0: ib_battery_curve()
} ib_BatteryConfig;

// x^p for one p and 1 <= x < 2^16, in tables (docs/performance.md):
//   x = 2^e c (1 + r),  c the middle of a sixteenth of 1 .. 2,  |r| <= 1/32
//   x^p = 2^(e p) c^p sum_k binomial(p, k) r^k,   the term of r^9 below 3e-16 for 0 <= p <= 1
enum { IB_POWER_PARTS = 16, IB_POWER_TERMS = 9 };
typedef struct ib_Power {
    double p;                        ///< the exponent, 0 .. 1
    double whole[IB_POWER_PARTS];    ///< 2^(e p)
    double part[IB_POWER_PARTS];     ///< c^p
    double inverse[IB_POWER_PARTS];  ///< 1/c
    double binomial[IB_POWER_TERMS]; ///< binomial(p, k)
} ib_Power;

typedef struct ib_BatteryModel {
    double open_circuit, resistance, empty; ///< as configured
    double capacity;                        ///< [A s]
    double per_capacity;                    ///< 1/C [1/(A s)]
    double per_rated;                       ///< 1/I20 [1/A]
    double more;                            ///< k - 1, 0: no rate effect
    ib_Power effect;                        ///< x^(k - 1)
    bool constant_voltage;                  ///< as configured
    ib_Table voltage;                       ///< charge -> open-circuit voltage [V]; its second
                                            ///< column is the slope to the next row [V]
} ib_BatteryModel;

// A lead-acid shape: a gentle slope over most of the charge, a knee, and a steep end. The caller
// may store it as the curve's default.
ib_Table ib_battery_curve(void);

ib_Status ib_battery_check(const ib_BatteryConfig *config, ib_Error *error);
void ib_battery_init(const ib_BatteryConfig *config, ib_BatteryModel *battery);

// Open-circuit voltage at this charge [V]; below 0 it stays at `empty`, above 1 at full.
IB_FORMULA double ib_battery_open_circuit(const ib_BatteryModel *battery, double charge)
{
    if (battery->constant_voltage) return battery->open_circuit;
    const ib_Table *table = &battery->voltage;
    double q = charge > 0 ? charge < 1 ? charge : 1 : 0;
    int row = ib_table_row(table, q);
    return table->y[0][row] + table->y[1][row] * (q - table->x[row]);
}

IB_FORMULA double ib_power(const ib_Power *power, double x)
{
    uint64_t bits = ib__bits(x), e = (bits >> 52) - 1023;
    if (e >= IB_POWER_PARTS) return ib_pow(x, power->p);
    int j = (int)(bits >> 48 & (IB_POWER_PARTS - 1));
    double m = ib__from_bits((bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52);
    double r = m * power->inverse[j] - 1, r2 = r * r, r4 = r2 * r2;
    const double *b = power->binomial;
    double low = (b[0] + b[1] * r) + r2 * (b[2] + b[3] * r);
    double high = (b[4] + b[5] * r) + r2 * (b[6] + b[7] * r);
    return power->whole[e] * power->part[j] * (low + r4 * (high + r4 * b[8]));
}

// dq/dt [1/s]. Above the 20 h rate a lead-acid battery gives less than its capacity:
//   discharging  dq/dt = -I max(1, I/I20)^(k-1) / C,   charging  dq/dt = -I / C
// Limits: I = I20 -> empty after 20 h; k = 1 -> plain counting of charge.
IB_FORMULA double ib_battery_charge_rate(const ib_BatteryModel *battery, double current)
{
    double rate = -current * battery->per_capacity;
    double ratio = current * battery->per_rated;
    if (battery->more > 0 && ratio > 1) rate *= ib_power(&battery->effect, ratio);
    return rate;
}

#endif
