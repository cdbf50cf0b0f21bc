// plant/orifice.c: an orifice's numbers, checked and prepared.
#include "plant/orifice.h"

#include "plant/gas.h"

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
    int iso = config->law == IB_ORIFICE_ISO;
    double critical = iso ? config->b : EXACT_RATIO;
    if (config->law != IB_ORIFICE_IDEAL && !iso)
        return ib_error_set(error, IB_BAD_INPUT, "law: expected ideal or iso, got %d", config->law);
    if (!(config->R > 0) || !isfinite(config->R))
        return ib_error_set(error, IB_BAD_INPUT, "R: expected more than 0 J/(kg*K), got %g",
                            config->R);
    if (iso && !(config->b >= 0 && config->b <= 0.8))
        return ib_error_set(error, IB_BAD_INPUT, "b: expected 0 to 0.8, got %g", config->b);
    if (iso && !(config->m >= 0.3 && config->m <= 1))
        return ib_error_set(error, IB_BAD_INPUT, "m: expected 0.3 to 1, got %g", config->m);
    if (!(config->laminar > critical && config->laminar < 1))
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

// With k = 1.4, ((k + 1)/2)^((k + 1)/(k - 1)) = 1.2^6 = 2.985984.
void ib_orifice_init(const ib_OrificeConfig *config, ib_OrificeModel *orifice)
{
    *orifice = (ib_OrificeModel){
        .law = config->law,
        .choked = sqrt(IB_AIR_HEAT_RATIO / (config->R * 2.985984)),
        .critical = config->published ? PUBLISHED_RATIO : EXACT_RATIO,
        .laminar = 1,
    };
    double e = 1 - config->laminar;
    orifice->slope = ib__orifice_ideal(orifice, config->laminar, e) / e;
    orifice->laminar = config->laminar;
    ib_iso_init(config->b, config->m, config->laminar, &orifice->iso);
}
