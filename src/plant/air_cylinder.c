// plant/air_cylinder.c: a cylinder's numbers, its stops and its time scales.
#include "plant/air_cylinder.h"

#include "base/extreme.h"

#define PI 3.14159265358979323846

ib_AirCylinderConfig ib_air_cylinder_default(void)
{
    return (ib_AirCylinderConfig){
        .bore = 0.01905,
        .rod = 0.00635,
        .stroke = 0.1524,
        .load = 1,
        .dead_volume = 5e-6,
        .valve = ib_valve_default(),
    };
}

// ------------------------------------------------------------------------------------------- check

static ib_Status refuse(const char *name, const char *key, const char *expected, double got,
                        ib_Error *error)
{
    return ib_error_set(error, IB_BAD_INPUT, "cylinders.%s.%s: expected %s, got %g", name, key,
                        expected, got);
}

ib_Status ib_air_cylinder_check(const ib_AirCylinderConfig *config, ib_Error *error)
{
    const char *name = config->name;
    if (!(config->bore > 0)) return refuse(name, "bore", "more than 0 m", config->bore, error);
    if (!(config->rod >= 0 && config->rod < config->bore))
        return refuse(name, "rod", "0 m or more and less than the bore", config->rod, error);
    if (!(config->stroke > 0))
        return refuse(name, "stroke", "more than 0 m", config->stroke, error);
    if (!(config->load > 0)) return refuse(name, "load", "more than 0 kg", config->load, error);
    if (!isfinite(config->force))
        return refuse(name, "force", "a finite force", config->force, error);
    if (!(config->viscous >= 0))
        return refuse(name, "viscous", "0 N*s/m or more", config->viscous, error);
    if (!(config->friction >= 0))
        return refuse(name, "friction", "0 N or more", config->friction, error);
    if (!(config->dead_volume > 0))
        return refuse(name, "dead_volume", "more than 0 m^3", config->dead_volume, error);
    ib_Error valve;
    if (ib_valve_check(&config->valve, &valve) != IB_OK)
        return ib_error_set(error, IB_BAD_INPUT, "cylinders.%.*s.%.400s", IB_NAME_LENGTH, name,
                            valve.text);
    return IB_OK;
}

// -------------------------------------------------------------------------------------------- init

void ib_air_cylinder_init(const ib_AirCylinderConfig *config, double temperature,
                          double regulator_conductance, ib_AirCylinderModel *cylinder)
{
    double cap = PI / 4 * config->bore * config->bore, shaft = PI / 4 * config->rod * config->rod;
    ib_ValveConfig exhaust = ib_valve_by_conductance(&config->valve), supply = exhaust;
    if (isfinite(regulator_conductance))
        supply.C = ib_valve_series(exhaust.C, regulator_conductance);

    *cylinder = (ib_AirCylinderModel){
        .area_cap = cap,
        .area_rod = cap - shaft,
        .area_shaft = shaft,
        .stroke = config->stroke,
        .dead_volume = config->dead_volume,
        .per_load = 1 / config->load,
        .load = config->load,
        .force = config->force,
        .viscous = config->viscous,
        .friction = config->friction,
        .RT = IB_GAS_CONSTANT * temperature,
    };
    double narrow = cylinder->RT / config->dead_volume;
    cylinder->cap_at[0] = cylinder->rod_at[1] = narrow;
    cylinder->cap_at[1] = cylinder->RT / (cap * config->stroke + config->dead_volume);
    cylinder->rod_at[0] =
        cylinder->RT / (cylinder->area_rod * config->stroke + config->dead_volume);
    ib_valve_init(&supply, temperature, &cylinder->supply);
    ib_valve_init(&exhaust, temperature, &cylinder->exhaust);
}

void ib_air_cylinder_reset(const ib_AirCylinderModel *cylinder, double working, double *state)
{
    double rod_volume = cylinder->area_rod * cylinder->stroke + cylinder->dead_volume;
    state[IB_AIR_CYLINDER_POSITION] = 0;
    state[IB_AIR_CYLINDER_VELOCITY] = 0;
    state[IB_AIR_CYLINDER_CAP] = IB_ATMOSPHERE * cylinder->dead_volume / cylinder->RT;
    state[IB_AIR_CYLINDER_ROD] = working * rod_volume / cylinder->RT;
    state[IB_AIR_CYLINDER_MODE] = -1;
}

// Three time scales, each at its worst (the piston at an end, one chamber at its dead volume):
//   a chamber that equals out through a valve:  lambda = k a R T/V_dead, a = steepest dpsi/de
//   the mass between two cushions of air:       w^2 = (A_c^2 P/V_c + A_r^2 P/V_r)/m
//   drag:                                       mu = (viscous + friction/creep)/m
// RK4 is stable up to 2.785 on the real axis and 2.83 on the imaginary one; 0.3 rad a step keeps
// the swing within 1e-4 of its phase.
double ib_air_cylinder_resolution(const ib_AirCylinderModel *cylinder, double working)
{
    double cap = cylinder->area_cap, rod = cylinder->area_rod, dead = cylinder->dead_volume;
    double s = cylinder->stroke;
    double steepest = ib_max(cylinder->supply.conductance, cylinder->exhaust.conductance) *
                      cylinder->exhaust.iso.slope;
    double lambda = steepest * cylinder->RT / dead;
    double retracted = cap * cap / dead + rod * rod / (rod * s + dead);
    double extended = rod * rod / dead + cap * cap / (cap * s + dead);
    double w = sqrt(working * ib_max(retracted, extended) * cylinder->per_load);
    double mu =
        (cylinder->viscous + cylinder->friction / IB_AIR_CYLINDER_CREEP) * cylinder->per_load;
    return ib_min(2.5 / (ib_max(lambda, mu) + w), 0.3 / w);
}

// ------------------------------------------------------------------------------------------- stops

// The force on a piston that stands, towards extension.
static double net_at_rest(const ib_AirCylinderModel *cylinder, const double *state)
{
    double cap = ib_air_cylinder_cap(cylinder, state), rod = ib_air_cylinder_rod(cylinder, state);
    return ib_air_cylinder_force(cylinder, cap, rod) - cylinder->force;
}

// After settling every margin is positive: a stop is reached a little behind it and lets go at a
// little force, so that no event can hide at an exact zero.
double ib_air_cylinder_margin(const ib_AirCylinderModel *cylinder, const double *state)
{
    double mode = state[IB_AIR_CYLINDER_MODE];
    if (fabs(mode) > 0.5) return IB_AIR_CYLINDER_STICK + mode * net_at_rest(cylinder, state);
    double x = state[IB_AIR_CYLINDER_POSITION];
    return ib_min(x, cylinder->stroke - x) + IB_AIR_CYLINDER_SLACK;
}

int ib_air_cylinder_settle(const ib_AirCylinderModel *cylinder, double *state, double *lost)
{
    if (lost) *lost = 0;
    if (ib_air_cylinder_margin(cylinder, state) > 0) return 0;
    if (fabs(state[IB_AIR_CYLINDER_MODE]) > 0.5) {
        state[IB_AIR_CYLINDER_MODE] = 0;
        return 1;
    }
    double v = state[IB_AIR_CYLINDER_VELOCITY];
    if (lost) *lost = 0.5 * cylinder->load * v * v;
    int retracted = state[IB_AIR_CYLINDER_POSITION] < 0.5 * cylinder->stroke;
    state[IB_AIR_CYLINDER_POSITION] = retracted ? 0 : cylinder->stroke;
    state[IB_AIR_CYLINDER_VELOCITY] = 0;
    state[IB_AIR_CYLINDER_MODE] = retracted ? -1 : 1;
    return 1;
}
