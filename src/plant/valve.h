// plant/valve.h: the flow of air through a valve, after ISO 6358. Derivation: docs/plant/valve.md
//
// Two numbers from the data sheet say it all: C, the sonic conductance,
// and b, the critical pressure ratio.
#ifndef IB_PLANT_VALVE_H
#define IB_PLANT_VALVE_H

#include "base/formula.h"
#include "base/status.h"

#include <math.h>

typedef struct ib_ValveConfig {
    double C;       ///< sonic conductance [m^3/(s Pa)] of reference air (ANR), > 0;
                    ///< 1 dm^3/(s bar) = 1e-8
    double b;       ///< critical pressure ratio, 0 .. 0.8
    double laminar; ///< pressure ratio above which the flow fades smoothly to 0, b < laminar < 1
} ib_ValveConfig;

typedef struct ib_ValveModel {
    double conductance;  ///< amount through the choked valve per upstream pressure [mol/(s Pa)]
    double b, per_range; ///< critical ratio; 1/(1 - b)
    double laminar;      ///< where the square root is replaced
    double slope, curve; ///< psi = e (slope + curve e), e = 1 - r, above `laminar`
} ib_ValveModel;

// C = 1.2 dm^3/(s bar), b = 0.3 (a small valve, estimate of reference B8), laminar = 0.98.
ib_ValveConfig ib_valve_default(void);
ib_Status ib_valve_check(const ib_ValveConfig *config, ib_Error *error);

// `temperature` is that of the air upstream [K].
void ib_valve_init(const ib_ValveConfig *config, double temperature, ib_ValveModel *valve);

// Two restrictions in a row: 1/C^2 = 1/C1^2 + 1/C2^2 (the usual rule; exact where both are far from
// choking). Infinity stands for no restriction.
double ib_valve_series(double C1, double C2);

// The part of the choked flow that passes at the pressure ratio r = low/high, 0 <= r <= 1:
//   r <= b:        psi = 1
//   r <= laminar:  psi = sqrt(1 - ((r - b)/(1 - b))^2)                           [ISO 6358-1]
//   above:         psi = e (slope + curve e), e = 1 - r: same value and slope at the joint,
//                  0 at r = 1
// It is once continuously differentiable. The square root alone has an infinite slope at r = 1: no
// solver could hold two equal pressures. Below e = 1e-10, where a chamber at rest is, curve e^2 is
// less than the rounding of the pressures. The function gives high psi(low/high) [Pa]; products
// decide which regime holds (docs/performance.md).
IB_FORMULA double ib__valve_drive(const ib_ValveModel *valve, double high, double low)
{
    double less = high - low;
    if (less < 1e-10 * high) return less * valve->slope;
    if (low > valve->laminar * high) return less * (valve->slope + valve->curve * (less / high));
    if (!(low > valve->b * high)) return high;
    double z = (low / high - valve->b) * valve->per_range;
    return high * sqrt(1 - z * z > 0 ? 1 - z * z : 0);
}

IB_FORMULA double ib_valve_share(const ib_ValveModel *valve, double r)
{
    return ib__valve_drive(valve, 1, r);
}

// q = C P1 n0 sqrt(T0/T1) psi(P2/P1), n0 = P0/(R T0): from `from` to `to` [mol/s], negative when it
// flows back. The flow is odd: exchanging the pressures changes its sign only. Which one is higher
// is no branch: docs/performance.md
IB_FORMULA double ib_valve_flow(const ib_ValveModel *valve, double from, double to)
{
    double q = valve->conductance * ib__valve_drive(valve, fmax(from, to), fmin(from, to));
    return copysign(q, from - to);
}

#endif
