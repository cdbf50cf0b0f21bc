// plant/air/air_cylinder.c: a solenoid's cylinder as a case of every cylinder.
#include "plant/air/air_cylinder.h"

#define PI    3.14159265358979323846
#define CREEP 0.01 ///< speed at which dry friction has 0.7 of its value [m/s]
#define SLACK 1e-9 ///< a stop is reached this far behind it [m]
#define GRIP  1e-6 ///< a stop lets go at this force [N]

ib_Status ib_air_cylinder_check(const ib_AirCylinderConfig *config, ib_Error *error)
{
    ib_Error valve;
    if (!(config->rod < config->bore))
        return ib_error_set(error, IB_BAD_INPUT,
                            "cylinders.%s.rod: expected 0 m or more and less than the bore, got %g",
                            config->name, config->rod);
    if (ib_valve_check(&config->valve, &valve) == IB_OK) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "cylinders.%.*s.%.400s", IB_NAME_LENGTH, config->name,
                        valve.text);
}

// -------------------------------------------------------------------------------------------- init

static void init_air(const ib_AirCylinderConfig *config, double temperature,
                     ib_CylinderModel *cylinder)
{
    double cap = PI / 4 * config->bore * config->bore, shaft = PI / 4 * config->rod * config->rod;
    ib_CylinderConfig air = {
        .bore = config->bore,
        .rod = config->rod,
        .stroke = config->stroke,
        .dead = {config->dead_volume / cap, config->dead_volume / (cap - shaft)},
        .R = IB_AIR_R,
        .temperature = temperature,
        .heat = IB_CYLINDER_ISOTHERMAL,
        .exhaust = IB_ATMOSPHERE,
        .atmosphere = IB_ATMOSPHERE,
        .cushion_area = 1,
        .orifice = IB_ORIFICE_ISO,
        .b = config->valve.b,
        .m = config->valve.m,
        .laminar = config->valve.laminar,
        .valve = {.law = IB_PROPORTIONAL_LINEAR, .cutoffs = {-1, 1}, .hole = 1}, // unused
    };
    ib_cylinder_init(&air, cylinder);
}

void ib_air_cylinder_init(const ib_AirCylinderConfig *config, double temperature, double regulator,
                          ib_AirCylinderModel *cylinder)
{
    double C = ib_valve_conductance(&config->valve);
    ib_PistonConfig piston = {.mass = config->load, .friction = ib_friction_default()};
    piston.friction.law = IB_FRICTION_SMOOTH;
    piston.friction.coulomb_extend = piston.friction.static_force = config->friction;
    piston.friction.viscous = config->viscous;
    piston.friction.saturation_speed = CREEP;
    *cylinder = (ib_AirCylinderModel){
        .force = config->force,
        .supply = ib_orifice_area(ib_valve_series(C, regulator), IB_AIR_R),
        .exhaust = ib_orifice_area(C, IB_AIR_R),
    };
    init_air(config, temperature, &cylinder->air);
    double choked = cylinder->air.orifice.choked, root = cylinder->air.root_temperature;
    cylinder->supply_flow = cylinder->supply * choked / root;
    cylinder->exhaust_flow = cylinder->exhaust * choked / root;
    ib_piston_init(&piston, config->stroke, (double[]){0, 0}, &cylinder->piston);
    cylinder->piston.slack = SLACK;
    cylinder->piston.grip = GRIP;
}

double ib_air_cylinder_conductance(const ib_AirCylinderModel *c, double area)
{
    return area * c->air.orifice.choked /
           (c->air.root_temperature * (IB_AIR_MOLE * IB_CYLINDER_MASS));
}

void ib_air_cylinder_fill(const ib_AirCylinderModel *c, double working, double x,
                          double amount[IB_SIDES])
{
    for (int i = 0; i < IB_SIDES; i++) {
        double P = i == IB_SIDE_CAP ? IB_ATMOSPHERE : working;
        double way = ib_cylinder_way(&c->air, i, x);
        amount[i] = ib_gas_moles(P, c->air.temperature, ib_cylinder_volume(&c->air.side[i], way));
    }
}

// Three time scales, each at its worst (the piston at an end, one chamber at its dead volume):
//   a chamber that equals out through a valve:  lambda = k a R T/V_dead, a = steepest dpsi/de
//   the mass between two cushions of air:       w^2 = (A_c^2 P/V_c + A_r^2 P/V_r)/m
//   drag:                                       mu = (viscous + friction/creep)/m
// RK4 is stable up to 2.785 on the real axis and 2.83 on the imaginary one; 0.3 rad a step keeps
// the swing within 1e-4 of its phase.
double ib_air_cylinder_resolution(const ib_AirCylinderModel *c, double per_mass, double working)
{
    double steepest =
        ib_air_cylinder_conductance(c, ib_max(c->supply, c->exhaust)) * c->air.orifice.iso.slope;
    double lambda = steepest * IB_GAS_CONSTANT * c->air.temperature / c->air.side[0].dead;
    double w = sqrt(working * ib_cylinder_cushions(&c->air) * per_mass);
    double mu = ib_friction_steepest(&c->piston.friction, 0) * per_mass;
    return ib_min(2.5 / (ib_max(lambda, mu) + w), 0.3 / w);
}

// ---------------------------------------------------------------------------------- under its load

static double net_force(const ib_AirCylinderModel *c, const double *state)
{
    const double *amount = state + IB_AIR_CYLINDER_CAP;
    return ib_air_cylinder_push(c, state[IB_AIR_CYLINDER_POSITION], amount).force - c->force;
}

void ib_air_cylinder_reset(const ib_AirCylinderModel *c, double working, double *state)
{
    state[IB_AIR_CYLINDER_POSITION] = state[IB_AIR_CYLINDER_VELOCITY] = 0;
    state[IB_AIR_CYLINDER_MODE] = IB_PISTON_LOW;
    ib_air_cylinder_fill(c, working, 0, state + IB_AIR_CYLINDER_CAP);
}

double ib_air_cylinder_margin(const ib_AirCylinderModel *c, const double *state)
{
    double margins[IB_PISTON_MARGINS];
    ib_PistonState piston = ib__air_cylinder_piston(state);
    double net = ib_piston_stands(&c->piston, piston.mode) ? net_force(c, state) : 0;
    ib_piston_margins(&c->piston, &piston, net, margins);
    return margins[IB_PISTON_MARGIN_STOP];
}

bool ib_air_cylinder_settle(const ib_AirCylinderModel *c, double *state, double *lost)
{
    ib_PistonState piston = ib__air_cylinder_piston(state);
    *lost = 0;
    if (ib_air_cylinder_margin(c, state) > 0) return false;
    ib_piston_settle(&c->piston, net_force(c, state), &piston, lost);
    state[IB_AIR_CYLINDER_POSITION] = piston.x;
    state[IB_AIR_CYLINDER_VELOCITY] = piston.v;
    state[IB_AIR_CYLINDER_MODE] = piston.mode;
    return true;
}
