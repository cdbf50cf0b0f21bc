// plant/air/orifice.h: the flow of air through a restriction, one family of laws for all
// pneumatics. Derivation: docs/plant/orifice.md
//
//   mdot = A C2 P1/sqrt(T1) psi(P2/P1),   C2 = sqrt(k/(R ((k + 1)/2)^((k + 1)/(k - 1))))
//
//   Symbols: mdot mass flow [kg/s], A area [m^2], P1 and P2 absolute pressure upstream and
//            downstream [Pa], T1 temperature upstream [K], k = cp/cv, R gas constant [J/(kg K)];
//            r = P2/P1, e = 1 - r; psi the part of the choked flow that passes, 1 when choked
#ifndef IB_PLANT_AIR_ORIFICE_H
#define IB_PLANT_AIR_ORIFICE_H

#include "base/formula.h"
#include "base/quick.h"
#include "base/status.h"

#include <math.h>

typedef enum ib_OrificeLaw {
    IB_ORIFICE_IDEAL, ///< an ideal nozzle
    IB_ORIFICE_ISO    ///< ISO 6358: fitted to measurements
} ib_OrificeLaw;

typedef struct ib_OrificeConfig {
    int law;        ///< one of ib_OrificeLaw
    double R;       ///< specific gas constant [J/(kg K)], > 0
    double b;       ///< ISO: critical pressure ratio, 0 .. 0.8; ideal: unused
    double m;       ///< ISO: subsonic index, 0.3 .. 1; ideal: unused
    double laminar; ///< pressure ratio above which the flow is laminar, < 1
    int published;  ///< ideal: choked below r = 0.528 as printed; else below (5/6)^3.5 = 0.52828…
} ib_OrificeConfig;

// The share of ISO 6358. plant/air/valve.h has one of its own.
typedef struct ib_IsoModel {
    double b, per_range; ///< critical ratio; 1/(1 - b)
    double m;            ///< subsonic index
    int root;            ///< m is 1/2: the power is a square root
    double laminar;      ///< where the power is replaced
    double slope, curve; ///< psi = e (slope + curve e) above `laminar`
} ib_IsoModel;

typedef struct ib_OrificeModel {
    int law;
    double choked;   ///< C2 [sqrt(K) s/m]
    double critical; ///< ideal: choked up to this r
    double laminar;  ///< ideal: linear above this r, …
    double slope;    ///< … psi = slope e
    ib_IsoModel iso;
} ib_OrificeModel;

// Ideal, R = 287 J/(kg K), laminar = 0.9999; for ISO b = 0.3, m = 0.5.
ib_OrificeConfig ib_orifice_default(void);
ib_Status ib_orifice_check(const ib_OrificeConfig *config, ib_Error *error);
void ib_orifice_init(const ib_OrificeConfig *config, ib_OrificeModel *orifice);

// --------------------------------------------------------------------------------- what sheets say

// The area with the choked flow of a sonic conductance C [m^3/(s Pa)]:
//   A C2 = C rho0 sqrt(T0),   rho0 = P0/(R T0), dry reference air (ANR)
double ib_orifice_area(double C, double R);

// Kv [m^3/h of water at 1 bar] of a Cv [US gallons of water per minute at 1 psi].
double ib_orifice_Kv_of_Cv(double Cv);

// The sonic conductance [m^3/(s Pa)] that chokes at the ratio b, of a Kv [m^3/h].
double ib_orifice_C_of_Kv(double Kv, double b);

// The same of a nominal flow [m^3/s]: air of 0 degC and 101325 Pa (DIN 1343) that passes at 20 degC
// from 6 bar to 5 bar, gauge.
double ib_orifice_C_of_nominal(double flow, double b, double m);

// ---------------------------------------------------------------------------------------- ISO 6358

void ib_iso_init(double b, double m, double laminar, ib_IsoModel *iso);

// (1 - z^2)^m of an index that is not 1/2, out of line: docs/performance.md
IB_MATHS_RARE double ib__iso_power(double rest, double m)
{
    return ib_quick_power(rest, m);
}

// The part of the choked flow that passes at the pressure ratio r = low/high, 0 <= r <= 1:
//   r <= b:        psi = 1
//   r <= laminar:  psi = (1 - ((r - b)/(1 - b))^2)^m                             [ISO 6358-1]
//   above:         psi = e (slope + curve e), e = 1 - r: same value and slope at the joint,
//                  0 at r = 1
// It is once continuously differentiable. The power alone has an infinite slope at r = 1: no solver
// could hold two equal pressures. Below e = 1e-10, the range of a chamber at rest, curve e^2 is
// less than the rounding of the pressures. The function gives high psi(low/high) [Pa]; products
// decide the regime (docs/performance.md).
IB_FORMULA double ib_iso_drive(const ib_IsoModel *iso, double high, double low)
{
    double less = high - low;
    if (less < 1e-10 * high) return less * iso->slope;
    if (low > iso->laminar * high) return less * (iso->slope + iso->curve * (less / high));
    if (!(low > iso->b * high)) return high;
    double z = (low / high - iso->b) * iso->per_range;
    double rest = 1 - z * z > 0 ? 1 - z * z : 0;
    return high * (__builtin_expect(iso->root, 1) ? sqrt(rest) : ib__iso_power(rest, iso->m));
}

// ------------------------------------------------------------------------------------ ideal nozzle

#define IB__ORIFICE_PEAK 3.8639254651196366 ///< C1/C2 = sqrt(5) 1.2^3, C1 = sqrt(2 k/(R (k - 1)))

// Isentropic from rest to the narrowest place, k = 1.4. Powers of s = r^(1/7) only:
//   psi = C1/C2 r^(1/k) sqrt(1 - r^((k - 1)/k)) = sqrt(5) 1.2^3 s^5 sqrt(1 - s^2)
// The flow is choked up to the critical ratio, where psi is 1 and largest. Above `laminar` it is
// linear. All three are computed and one is picked (docs/solver/maths.md); the root is not
// needed below 1/2, where all flow is choked.
IB_FORMULA double ib__orifice_ideal(const ib_OrificeModel *orifice, double r, double e)
{
    double s = ib_quick_seventh_root(r < 0.5 ? 0.5 : r), s2 = s * s;
    double subsonic = IB__ORIFICE_PEAK * (s2 * s2 * s) * sqrt(1 - s2);
    double linear = orifice->slope * e;
    double beyond = r > orifice->laminar ? linear : subsonic;
    return r <= orifice->critical ? 1 : beyond;
}

// dpsi/dr = sqrt(5) 1.2^3 (5 - 6 s^2)/(7 s^2 sqrt(1 - s^2)), by dr/ds = 7 s^6
IB_FORMULA double ib__orifice_ideal_slope(const ib_OrificeModel *orifice, double r)
{
    double s = ib_quick_seventh_root(r < 0.5 ? 0.5 : r), s2 = s * s;
    double subsonic = IB__ORIFICE_PEAK / 7 * (5 - 6 * s2) / (s2 * sqrt(1 - s2));
    double linear = -orifice->slope;
    double beyond = r > orifice->laminar ? linear : subsonic;
    return r <= orifice->critical ? 0 : beyond;
}

// -------------------------------------------------------------------------------------- either law

// psi at 0 <= r <= 1
IB_FORMULA double ib_orifice_share(const ib_OrificeModel *orifice, double r)
{
    if (orifice->law == IB_ORIFICE_ISO) return ib_iso_drive(&orifice->iso, 1, r);
    return ib__orifice_ideal(orifice, r, 1 - r);
}

// mdot [kg/s] from `up` to `down` [Pa], up >= down > 0; root_up = sqrt(T1). The difference of the
// pressures is formed first: where they are nearly equal, 1 - r would be rounding only.
IB_FORMULA double ib_orifice_flow(const ib_OrificeModel *orifice, double area, double up,
                                  double root_up, double down)
{
    if (orifice->law == IB_ORIFICE_ISO)
        return area * orifice->choked / root_up * ib_iso_drive(&orifice->iso, up, down);
    double per = 1 / (up * root_up), e = (up - down) * root_up * per;
    return area * orifice->choked * (up * up * per) * ib__orifice_ideal(orifice, 1 - e, e);
}

#endif
