// plant/air/cylinder.c: a cylinder's numbers, checked and prepared.
#include "plant/air/cylinder.h"

#include "plant/air/valve.h"

#include <string.h>

#define PI 3.14159265358979323846

const char *const ib_cylinder_heats[] = {"adiabatic", "isothermal", "walls", NULL};
const char *const ib_cylinder_orifices[] = {"ideal", "iso_6358", NULL};

#define IDEAL_RATIO 0.528281787717 ///< critical ratio of an ideal nozzle, (5/6)^3.5
#define PRINTED_CP  1012.0 ///< [J/(kg K)]                                        [thesis 4.1.10]

static ib_OrificeConfig orifice_config(const ib_CylinderConfig *config)
{
    return (ib_OrificeConfig){.law = config->orifice,
                              .R = config->R,
                              .b = config->b,
                              .m = config->m,
                              .laminar = config->laminar,
                              .published = config->published};
}

static double piston_area(const ib_CylinderConfig *config)
{
    return PI / 4 * config->bore * config->bore - config->slot;
}

ib_Status ib_cylinder_check(const ib_CylinderConfig *config, ib_Error *error)
{
    double shaft = PI / 4 * config->rod * config->rod;
    if (!(config->rod < config->bore))
        return ib_error_set(error, IB_BAD_INPUT,
                            "rod: expected less than the bore (%g m), got %g m", config->bore,
                            config->rod);
    if (!(piston_area(config) > shaft))
        return ib_error_set(error, IB_BAD_INPUT,
                            "slot: expected less than what bore and rod leave (%g m^2), got %g m^2",
                            piston_area(config) + config->slot - shaft, config->slot);
    if (config->cushion_length > 0.5 * config->stroke)
        return ib_error_set(error, IB_BAD_INPUT,
                            "cushion.length: expected at most half the stroke (%g m), got %g m",
                            0.5 * config->stroke, config->cushion_length);
    ib_OrificeConfig orifice = orifice_config(config);
    ib_Error part;
    ib_Status status = ib_orifice_check(&orifice, &part);
    if (status != IB_OK) return ib_error_set(error, status, "orifice.%s", part.text);
    return ib_proportional_check(&config->valve, error);
}

// A port's area wide open, however a data sheet gives it; 0: it does not. docs/plant/orifice.md
static double wide_area(const ib_CylinderConfig *config)
{
    const ib_ProportionalConfig *valve = &config->valve;
    double b = config->orifice == IB_ORIFICE_ISO ? config->b : IDEAL_RATIO;
    ib_ValveConfig size = {valve->C, b, 0, config->m, valve->Cv, valve->Kv, valve->nominal_flow};
    double C = ib_valve_conductance(&size);
    return C > 0 ? ib_orifice_area(C, config->R) : valve->wide;
}

void ib_cylinder_init(const ib_CylinderConfig *config, ib_CylinderModel *cylinder)
{
    double k = IB_AIR_HEAT_RATIO, shaft = PI / 4 * config->rod * config->rod;
    bool cushions = config->cushion_length > 0;
    *cylinder = (ib_CylinderModel){
        .stroke = config->stroke,
        .shaft = shaft,
        .cv = config->R / (k - 1) * IB_CYLINDER_MASS,
        .cp = k * config->R / (k - 1),
        .k1 = k - 1,
        .work = config->published ? k * config->R / PRINTED_CP / (k - 1) : 1,
        .temperature = config->temperature,
        .root_temperature = sqrt(config->temperature),
        .heat = config->heat,
        .coefficient = config->heat == IB_CYLINDER_WALLS ? config->coefficient : 0,
        .exhaust = config->exhaust,
        .atmosphere = config->atmosphere,
        .leak_piston = config->leak_piston,
        .leak_seal = config->leak_seal,
        .cushion_length = config->cushion_length,
        .per_cushion = cushions ? 1 / config->cushion_length : 0,
        .per_cushion_area = 1 / config->cushion_area,
    };
    for (int i = 0; i < IB_SIDES; i++) {
        double area = piston_area(config) - (i == IB_SIDE_ROD ? shaft : 0);
        double bare = i == IB_SIDE_ROD ? PI * config->rod : 0; // of the rod
        cylinder->side[i] = (ib_CylinderSide){.area = area,
                                              .dead = area * config->dead[i],
                                              .length = config->dead[i],
                                              .perimeter = PI * config->bore + bare,
                                              .faces = 2 * area};
    }
    ib_OrificeConfig orifice = orifice_config(config);
    ib_orifice_init(&orifice, &cylinder->orifice);
    ib_ProportionalConfig valve = config->valve;
    valve.wide = wide_area(config);
    ib_proportional_init(&valve, &cylinder->valve);
}

//   U = P V/(k - 1),   m = U/(cv T)
void ib_cylinder_fill(const ib_CylinderModel *c, double x, const double pressure[IB_SIDES],
                      const double temperature[IB_SIDES], double *air)
{
    for (int i = 0; i < IB_SIDES; i++) {
        double volume = ib_cylinder_volume(&c->side[i], ib_cylinder_way(c, i, x));
        air[2 * i + 1] = pressure[i] * volume / c->k1;
        air[2 * i] = air[2 * i + 1] / (c->cv * temperature[i]);
    }
}

double ib_cylinder_cushions(const ib_CylinderModel *c)
{
    double most = 0;
    for (int i = 0; i < IB_SIDES; i++) {
        const ib_CylinderSide *here = &c->side[i], *there = &c->side[!i];
        most =
            ib_max(most, here->area * here->area / here->dead +
                             there->area * there->area / (there->area * c->stroke + there->dead));
    }
    return most;
}

const char *ib_cylinder_idle(const ib_CylinderConfig *config, const char *key)
{
    bool ideal = config->orifice == IB_ORIFICE_IDEAL;
    if (strcmp(key, "heat.coefficient") == 0)
        return config->heat == IB_CYLINDER_WALLS ? NULL : "heat.law";
    if (strcmp(key, "cushion.area") == 0)
        return config->cushion_length > 0 ? NULL : "cushion.length";
    if (strcmp(key, "orifice.b") == 0 || strcmp(key, "orifice.m") == 0)
        return ideal ? "orifice.law" : NULL;
    return ib_proportional_idle(&config->valve, key);
}
