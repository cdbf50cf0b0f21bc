// plant/air/orifice.c: an orifice's numbers, checked and prepared.
#include "plant/air/orifice.h"

#include "plant/air/gas.h"

// (2/(k + 1))^(k/(k - 1)) with k = 1.4
#define EXACT_RATIO     0.5282817877171741
#define PUBLISHED_RATIO 0.528 ///< as the thesis prints it

ib_OrificeConfig ib_orifice_default(void)
{
    return (ib_OrificeConfig){
        .law = IB_ORIFICE_IDEAL, .R = 287, .b = 0.3, .m = 0.5, .laminar = 0.9999};
}

ib_Status ib_orifice_check(const ib_OrificeConfig *config, ib_Error *error)
{
    double critical = config->law == IB_ORIFICE_ISO ? config->b : EXACT_RATIO;
    if (!(config->laminar > critical))
        return ib_error_set(
            error, IB_BAD_INPUT,
            "laminar: expected more than the critical ratio (%g) and less than 1, got %g", critical,
            config->laminar);
    return IB_OK;
}

// psi = e (a + c e) meets the power at e1 = 1 - laminar with value psi1 and slope d:
//   z1 = (laminar - b)/(1 - b),  psi1 = (1 - z1^2)^m,
//   d = dpsi/de = 2 m z1/(1 - b) psi1/(1 - z1^2), for m = 1/2 z1/((1 - b) psi1)
//   a = 2 psi1/e1 - d,  c = (d e1 - psi1)/e1^2
// a is the steepest slope of all (c < 0 near r = 1), so it sets the fastest time of a chamber.
void ib_iso_init(double b, double m, double laminar, ib_IsoModel *iso)
{
    int root = m == 0.5;
    double per_range = 1 / (1 - b), z = (laminar - b) * per_range, rest = 1 - z * z;
    double e = 1 - laminar, psi = root ? sqrt(rest) : ib_quick_power(rest, m);
    double d = root ? z * per_range / psi : 2 * m * z * per_range * psi / rest;

    *iso = (ib_IsoModel){
        .b = b,
        .per_range = per_range,
        .m = m,
        .root = root,
        .laminar = laminar,
        .slope = 2 * psi / e - d,
        .curve = (d * e - psi) / (e * e),
    };
}

// C2: with k = 1.4, ((k + 1)/2)^((k + 1)/(k - 1)) = 1.2^6 = 2.985984.
static double choked_factor(double R)
{
    return sqrt(IB_AIR_HEAT_RATIO / (R * 2.985984));
}

void ib_orifice_init(const ib_OrificeConfig *config, ib_OrificeModel *orifice)
{
    *orifice = (ib_OrificeModel){
        .law = config->law,
        .choked = choked_factor(config->R),
        .critical = config->published ? PUBLISHED_RATIO : EXACT_RATIO,
        .laminar = 1,
    };
    double e = 1 - config->laminar;
    orifice->slope = ib__orifice_ideal(orifice, config->laminar, e) / e;
    orifice->laminar = config->laminar;
    ib_iso_init(config->b, config->m, config->laminar, &orifice->iso);
}

// --------------------------------------------------------------------------------- what sheets say

#define AIR_MOLAR_MASS     0.0289647                        ///< of dry air [kg/mol]
#define NORMAL_TEMPERATURE 273.15                           ///< of DIN 1343 [K]
#define US_GALLON          (231 * 0.0254 * 0.0254 * 0.0254) ///< [m^3]
#define BAR                1e5
#define WATER              1000.0 ///< density [kg/m^3]

double ib_orifice_area(double C, double R)
{
    double density = IB_ANR_PRESSURE / (R * IB_ANR_TEMPERATURE);
    return C * density * sqrt(IB_ANR_TEMPERATURE) / choked_factor(R);
}

// Both are Q sqrt(rho/dP) of water: a gallon per minute in m^3/h, and the root of a bar in psi.
double ib_orifice_Kv_of_Cv(double Cv)
{
    return Cv * US_GALLON * 60 * sqrt(BAR / IB_POUND_PER_SQUARE_INCH);
}

// IEC 60534-2-1, with x = 1 - r, rho1 = P1/(Rs T1) and for air k/1.4 = 1:
//   mdot = Av Y sqrt(x P1 rho1),   Y = 1 - x/(3 xT),   choked at x = xT, where Y = 2/3
//   Av = Kv/3600 sqrt(rho_water/1 bar)
// It chokes at the pressure ratio of the valve of ISO 6358: xT = 1 - b. Equal choked flow, C rho0
// P1 sqrt(T0/T1):
//   C = 2/3 Av sqrt(1 - b) sqrt(Rs T0)/P0
double ib_orifice_C_of_Kv(double Kv, double b)
{
    double Av = Kv / 3600 * sqrt(WATER / BAR), R = IB_GAS_CONSTANT / AIR_MOLAR_MASS;
    return 2.0 / 3 * Av * sqrt(1 - b) * sqrt(R * IB_ANR_TEMPERATURE) / IB_ANR_PRESSURE;
}

// Q = C P1 psi(P2/P1) of reference air, 1.087 times as much as of air of 0 degC.
double ib_orifice_C_of_nominal(double flow, double b, double m)
{
    double up = 6 * BAR + IB_ATMOSPHERE, down = 5 * BAR + IB_ATMOSPHERE;
    double z = (down / up - b) / (1 - b), psi = ib_pow(1 - z * z, m);
    double reference =
        flow * (IB_ATMOSPHERE / IB_ANR_PRESSURE) * (IB_ANR_TEMPERATURE / NORMAL_TEMPERATURE);
    return reference / (up * psi);
}
