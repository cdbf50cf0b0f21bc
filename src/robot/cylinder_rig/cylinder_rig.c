// robot/cylinder_rig/cylinder_rig.c: the physics of the rig: forces, flows, books, modes.
#include "base/maths.h"
#include "robot/cylinder_rig/cylinder_rig_inside.h"

#include <string.h>

// -------------------------------------------------------------------------------------------- init

ib_Status ib_cylinder_rig_check(const ib_CylinderRigConfig *config, ib_Error *error)
{
    ib_Status status = ib_cylinder_check(&config->cylinder, error);
    if (status == IB_OK) status = ib_supply_check(&config->supply, error);
    if (status == IB_OK) status = ib_friction_check(&config->piston.friction, error);
    if (status != IB_OK) return status;
    double Pe = config->cylinder.exhaust, Ps = config->supply.pressure;
    if (Pe > Ps && Ps >= config->cylinder.atmosphere)
        return ib_error_set(error, IB_BAD_INPUT,
                            "exhaust, supply.pressure: the exhaust's %g Pa are above the supply's "
                            "%g Pa, so that the one would do the other's work: expected less",
                            Pe, Ps);
    double x = config->position, stroke = config->cylinder.stroke;
    if (!isinf(x) && !(x <= stroke))
        return ib_error_set(error, IB_BAD_INPUT,
                            "start.position: expected 0 m to the stroke (%g m), got %g m", stroke,
                            x);
    bool warm = !isinf(config->temperature[0]) || !isinf(config->temperature[1]);
    if (warm && config->cylinder.heat == IB_CYLINDER_ISOTHERMAL)
        return ib_error_set(error, IB_BAD_INPUT,
                            "start.cap.temperature, start.rod.temperature: have no place where "
                            "heat.law is isothermal: the air keeps the temperature of the walls");
    return IB_OK;
}

// The optional states, one behind the other, then modes and sums; places of one that is alone.
static void lay_out(ib_CylinderRigModel *rig)
{
    int next = IB_RIG_FIRST, spool = ib_proportional_states(&rig->cylinder.valve);
    rig->spool = spool > 0 ? next : -1;
    next += spool;
    rig->bristle = rig->piston.bristles ? next++ : -1;
    rig->line_mass = rig->line ? next++ : -1;
    rig->mode = next;
    rig->own_states = next = next + IB_RIG_MODES;
    for (int i = 0; i < IB_RIG_SIGNALS; i++)
        rig->at[i] = ib__rig_signals[i].means.form == IB_SUM ? next++ : i;
    rig->gained = next;
    rig->state_count = next + 2;
    rig->valve = IB_RIG_VALVE;
    rig->load = IB_RIG_LOAD;
    rig->factor = IB_RIG_GAIN;
}

// Its states at the start; the spool then stands where the first command wants it.
static void begin(const ib_CylinderRigConfig *config, ib_CylinderRigModel *rig)
{
    double x = isinf(config->position) ? config->cylinder.stroke : config->position;
    double v = rig->piston.locked ? 0 : config->velocity;
    double pressure[IB_SIDES], temperature[IB_SIDES];
    for (int i = 0; i < IB_SIDES; i++) {
        double P = config->pressure[i], T = config->temperature[i];
        pressure[i] = isinf(P) ? config->supply.pressure : P;
        temperature[i] = isinf(T) ? config->cylinder.temperature : T;
    }
    rig->begin[IB_RIG_POSITION] = x;
    rig->begin[IB_RIG_VELOCITY] = v;
    ib_cylinder_fill(&rig->cylinder, x, pressure, temperature, rig->begin + IB_RIG_AIR);
    if (rig->line) rig->begin[rig->line_mass] = ib_supply_mass(&rig->supply) / IB_CYLINDER_MASS;
    bool stuck = rig->piston.sticks && v == 0;
    rig->begin[rig->mode + IB_RIG_MODE] = stuck   ? IB_PISTON_STUCK
                                          : v < 0 ? IB_PISTON_BACK
                                                  : IB_PISTON_FORTH;
}

void ib_cylinder_rig_init(const ib_CylinderRigConfig *config, ib_CylinderRigModel *rig)
{
    ib_CylinderConfig cylinder = config->cylinder;
    cylinder.published = config->equations;
    *rig = (ib_CylinderRigModel){.down = -ib_sin(config->orientation),
                                 .ahead = ib_cos(config->orientation),
                                 .gravity = config->gravity};
    ib_cylinder_init(&cylinder, &rig->cylinder);
    ib_piston_init(&config->piston, cylinder.stroke, cylinder.dead, &rig->piston);
    ib_supply_init(&config->supply, &rig->cylinder.orifice, cylinder.R, cylinder.temperature,
                   cylinder.atmosphere, &rig->supply);
    rig->line = rig->supply.line;
    lay_out(rig);
    begin(config, rig);
}

void ib_cylinder_rig_reset(const ib_CylinderRigModel *rig, double *x)
{
    memcpy(x + rig->state, rig->begin, (size_t)rig->own_states * sizeof *x);
    for (int i = 0; i < IB_RIG_SIGNALS; i++)
        if (ib__rig_signals[i].means.form == IB_SUM) x[rig->at[i]] = 0;
    x[rig->gained] = x[rig->gained + 1] = 0;
}

// ----------------------------------------------------------------------------------------- physics

// Inside of `rate`, which needs only some of it, nothing of the rest is made.
IB_FORMULA ib_CylinderRigNow look(const ib_CylinderRigModel *rig, const double *x,
                                  const double *input)
{
    const double *own = x + rig->state;
    const ib_CylinderModel *c = &rig->cylinder;
    ib_CylinderSupply supply = ib__rig_supply(rig, own, input);
    ib_PistonState piston = ib__rig_piston(rig, own);
    ib_CylinderRigNow now;
    now.v = ib_piston_stands(&rig->piston, piston.mode) ? 0 : piston.v;
    now.spool = ib__rig_spool(rig, own, input);
    now.supply = supply.pressure;
    now.open = ib_cylinder_open(c, now.spool, ib__rig_up(rig, own), supply.pressure);
    now.air = ib_cylinder_now(c, own + IB_RIG_AIR, piston.x, now.v, &now.open, &supply);
    now.regulated = 0;
    if (rig->line) {
        double mass = own[rig->line_mass] * IB_CYLINDER_MASS;
        now.regulated = ib_supply_inflow(&rig->supply, ib_supply_pressure(&rig->supply, mass));
    }
    now.force = ib_cylinder_force(c, now.air.chamber[IB_SIDE_CAP].pressure,
                                  now.air.chamber[IB_SIDE_ROD].pressure);
    now.weight = rig->piston.mass * ib__rig_gravity(rig, input) * rig->down;
    now.load = ib__rig_load(rig, x, input);
    now.piston = ib_piston_now(&rig->piston, &piston, now.force + now.weight + now.load);
    return now;
}

ib_CylinderRigNow ib_cylinder_rig_now(const ib_CylinderRigModel *rig, const double *x,
                                      const double *input)
{
    return look(rig, x, input);
}

// Rates of the sums: each is an integral of a quantity in `now`.
IB_FORMULA void rate_sums(const ib_CylinderRigModel *rig, const ib_CylinderRigNow *now, double x,
                          double *dx)
{
    const ib_CylinderNow *air = &now->air;
    const int *at = rig->at;
    double v = now->v;
    double sums[IB_CYLINDER_SUMS];
    ib_cylinder_pass(&rig->cylinder, air, v, sums);
    // A stop loses the energy that its spring does not keep, all of it if it would have to pull.
    double spring = rig->piston.stiffness * ib_piston_beyond(&rig->piston, x);
    dx[at[IB_RIG_USED]] = sums[IB_CYLINDER_USED];
    dx[at[IB_RIG_VENTED]] = sums[IB_CYLINDER_VENTED] + sums[IB_CYLINDER_LEAKED];
    dx[at[IB_RIG_E_SUPPLY]] = sums[IB_CYLINDER_E_SUPPLY];
    dx[at[IB_RIG_E_LOAD]] = now->load * v;
    dx[at[IB_RIG_E_HEAT]] = sums[IB_CYLINDER_HEAT];
    dx[at[IB_RIG_E_EXHAUST]] = sums[IB_CYLINDER_E_EXHAUST];
    dx[at[IB_RIG_E_LEAK]] = sums[IB_CYLINDER_E_LEAK];
    dx[at[IB_RIG_E_FRICTION]] = now->piston.friction * v;
    dx[at[IB_RIG_E_STOP]] = spring != 0 ? -(now->piston.stop + spring) * v : 0;
    for (int i = 0; i < IB_SIDES; i++) {
        double work = air->chamber[i].pressure * rig->cylinder.side[i].area * (i ? -v : v);
        dx[at[ib__rig_work(i)]] = work;
        dx[rig->gained + i] = air->all[i].enthalpy + air->heat[i] - work;
    }
}

void ib_cylinder_rig_rate(const ib_CylinderRigModel *rig, const double *x, const double *input,
                          double *dx)
{
    const double *own = x + rig->state;
    double *rate = dx + rig->state;
    ib_CylinderRigNow now = look(rig, x, input);
    rate[IB_RIG_POSITION] = now.v;
    rate[IB_RIG_VELOCITY] = now.piston.acceleration;
    memcpy(rate + IB_RIG_AIR, now.air.rate, sizeof now.air.rate);
    if (rig->spool >= 0)
        ib_proportional_rate(&rig->cylinder.valve,
                             ib_proportional_command(&rig->cylinder.valve, input[rig->valve]),
                             own + rig->spool, rate + rig->spool);
    if (rig->bristle >= 0) rate[rig->bristle] = now.piston.bristle_rate;
    if (rig->line)
        rate[rig->line_mass] = (now.regulated - now.air.supplied.mass) * (1 / IB_CYLINDER_MASS);
    rate[rig->mode + IB_RIG_MODE] = rate[rig->mode + IB_RIG_SIDE] = 0;
    rate_sums(rig, &now, own[IB_RIG_POSITION], dx);
}

//   U_c + U_r + m v^2/2 - m g sin(downwards) (x - x_start) + P_atm A_shaft x + k beyond^2/2
double ib_cylinder_rig_stored(const ib_CylinderRigModel *rig, const double *own, double gravity)
{
    const double *air = own + IB_RIG_AIR;
    double x = own[IB_RIG_POSITION], v = own[IB_RIG_VELOCITY],
           beyond = ib_piston_beyond(&rig->piston, x);
    double rise = -rig->down * (x - rig->begin[IB_RIG_POSITION]);
    return air[IB_CYLINDER_CAP_ENERGY] + air[IB_CYLINDER_ROD_ENERGY] +
           0.5 * rig->piston.mass * v * v + rig->piston.mass * gravity * rise +
           rig->cylinder.atmosphere * rig->cylinder.shaft * x +
           0.5 * rig->piston.stiffness * beyond * beyond;
}

// ------------------------------------------------------------------------------------------- modes

// Air, weight and load. Pressures alone make them: no flow is evaluated.
static double net_force(const ib_CylinderRigModel *rig, const double *x, const double *input)
{
    const ib_CylinderModel *c = &rig->cylinder;
    const double *own = x + rig->state, *air = own + IB_RIG_AIR;
    double cap = ib_cylinder_chamber(c, IB_SIDE_CAP, own[IB_RIG_POSITION], air).pressure;
    double rod = ib_cylinder_chamber(c, IB_SIDE_ROD, own[IB_RIG_POSITION], air).pressure;
    double weight = rig->piston.mass * ib__rig_gravity(rig, input) * rig->down;
    return ib_cylinder_force(c, cap, rod) + weight + ib__rig_load(rig, x, input);
}

static double spool_margin(const ib_CylinderRigModel *rig, const double *own, const double *input)
{
    if (own[rig->mode + IB_RIG_SIDE] == 0) return -1;
    return ib_proportional_margin(&rig->cylinder.valve, ib__rig_spool(rig, own, input),
                                  ib__rig_up(rig, own));
}

void ib_cylinder_rig_guard(const ib_CylinderRigModel *rig, const double *x, const double *input,
                           double *guards)
{
    const double *own = x + rig->state;
    double *margins = guards + rig->guard;
    ib_PistonState piston = ib__rig_piston(rig, own);
    double net = ib__rig_stands(rig, own) ? net_force(rig, x, input) : 0;
    ib_piston_margins(&rig->piston, &piston, net, margins);
    margins[IB_RIG_GUARD_SPOOL] = spool_margin(rig, own, input);
}

// The spool has reached the other side; at the start its side of rest.
static void turn_spool(const ib_CylinderRigModel *rig, const double *input, double *own)
{
    double *side = own + rig->mode + IB_RIG_SIDE;
    double command = ib_proportional_command(&rig->cylinder.valve, input[rig->valve]);
    if (*side == 0 && rig->spool >= 0) own[rig->spool] = command;
    bool up = *side == 0 ? ib_proportional_up(command) : *side < 0;
    *side = up ? 1 : -1;
}

bool ib_cylinder_rig_settle(const ib_CylinderRigModel *rig, const double *input, double *x)
{
    double *own = x + rig->state;
    if (!(spool_margin(rig, own, input) > 0)) {
        turn_spool(rig, input, own);
        return true;
    }
    ib_PistonState piston = ib__rig_piston(rig, own);
    double lost = 0;
    if (!ib_piston_settle(&rig->piston, net_force(rig, x, input), &piston, &lost)) return false;
    own[IB_RIG_POSITION] = piston.x;
    own[IB_RIG_VELOCITY] = piston.v;
    own[rig->mode + IB_RIG_MODE] = piston.mode;
    x[rig->at[IB_RIG_E_STOP]] += lost;
    return true;
}
