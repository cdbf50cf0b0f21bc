// robot/cylinder_rig/cylinder_rig.c: the physics of the rig: forces, flows, books.
#include "base/maths.h"
#include "robot/cylinder_rig/cylinder_rig_inside.h"

#include <string.h>

// -------------------------------------------------------------------------------------------- init

ib_Status ib_cylinder_rig_check(const ib_CylinderRigConfig *config, ib_Error *error)
{
    ib_Status status = ib_cylinder_check(&config->cylinder, error);
    if (status == IB_OK) status = ib_supply_check(&config->supply, error);
    if (status == IB_OK) status = ib_friction_check(&config->friction, error);
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
    bool warm = !isinf(config->cap_temperature) || !isinf(config->rod_temperature);
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
    rig->bristle = rig->bristles ? next++ : -1;
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
    double surroundings = config->cylinder.temperature, supply = config->supply.pressure;
    double x = isinf(config->position) ? config->cylinder.stroke : config->position;
    double v = rig->locked ? 0 : config->velocity;
    rig->begin[IB_RIG_POSITION] = x;
    rig->begin[IB_RIG_VELOCITY] = v;
    ib_cylinder_fill(&rig->cylinder, x, isinf(config->cap_pressure) ? supply : config->cap_pressure,
                     isinf(config->rod_pressure) ? supply : config->rod_pressure,
                     isinf(config->cap_temperature) ? surroundings : config->cap_temperature,
                     isinf(config->rod_temperature) ? surroundings : config->rod_temperature,
                     rig->begin + IB_RIG_AIR);
    if (rig->line) rig->begin[rig->line_mass] = ib_supply_mass(&rig->supply) / IB_CYLINDER_MASS;
    bool sticks = rig->sticks && v == 0;
    rig->begin[rig->mode + IB_RIG_MODE] = sticks  ? IB_RIG_STUCK
                                          : v < 0 ? IB_RIG_BACK
                                                  : IB_RIG_FORTH;
}

void ib_cylinder_rig_init(const ib_CylinderRigConfig *config, ib_CylinderRigModel *rig)
{
    ib_CylinderConfig cylinder = config->cylinder;
    cylinder.published = config->equations;
    *rig = (ib_CylinderRigModel){
        .mass = config->mass,
        .per_mass = 1 / config->mass,
        .down = -ib_sin(config->orientation),
        .gravity = config->gravity,
        .locked = config->locked,
        .compliant = config->stops == IB_STOPS_COMPLIANT,
        .stiffness = config->stop_stiffness,
        .damping = config->stop_damping,
        .side_load = config->side_load,
    };
    ib_cylinder_init(&cylinder, &rig->cylinder);
    // A compliant stop is pressed flat when half of the dead length is gone: what is behind it is
    // rigid, and does not bounce.
    rig->low = rig->compliant ? -0.5 * rig->cylinder.cap.length : 0;
    rig->high = cylinder.stroke + (rig->compliant ? 0.5 * rig->cylinder.rod.length : 0);
    rig->restitution = rig->compliant ? 0 : config->restitution;
    ib_supply_init(&config->supply, &rig->cylinder.orifice, cylinder.R, cylinder.temperature,
                   cylinder.atmosphere, &rig->supply);
    ib_friction_init(&config->friction, cylinder.stroke, &rig->friction);
    rig->sticks = ib_friction_sticks(&rig->friction);
    rig->bristles = ib_friction_bristles(&rig->friction);
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
IB_FORMULA void look(const ib_CylinderRigModel *rig, const double *own, const double *input,
                     int mode, ib_CylinderRigNow *now)
{
    ib_CylinderSupply supply = ib__rig_supply(rig, own, input);
    bool still = ib__rig_stands(rig, mode);
    double x = own[IB_RIG_POSITION], v = still ? 0 : own[IB_RIG_VELOCITY];
    now->spool = ib__rig_spool(rig, own, input);
    now->supply = supply.pressure;
    now->open = ib_cylinder_open(&rig->cylinder, now->spool, ib__rig_up(rig, own), supply.pressure);
    now->air = ib_cylinder_now(&rig->cylinder, own + IB_RIG_AIR, x, v, &now->open, &supply);
    now->regulated = now->bristle_rate = 0;
    if (rig->line) {
        double mass = own[rig->line_mass] * IB_CYLINDER_MASS;
        now->regulated = ib_supply_inflow(&rig->supply, ib_supply_pressure(&rig->supply, mass));
    }
    now->force = ib_cylinder_force(&rig->cylinder, now->air.cap.pressure, now->air.rod.pressure);
    now->weight = rig->mass * ib__rig_gravity(rig, input) * rig->down;
    now->load = input[rig->load];
    double net = now->force + now->weight + now->load;
    now->friction = now->acceleration = 0;
    if (!still || rig->bristles)
        now->friction = ib__rig_friction_now(rig, own, mode, &now->bristle_rate);
    if (!still) {
        now->stop = ib__rig_stop_force(rig, x, v);
        now->acceleration = (net - now->friction + now->stop) * rig->per_mass;
    } else if (mode == IB_RIG_STUCK && !rig->locked) {
        now->stop = ib__rig_stop_force(rig, x, 0);
        now->friction = net + now->stop;
    } else {
        now->stop = now->friction - net;
        now->bristle_rate = 0;
    }
}

ib_CylinderRigNow ib_cylinder_rig_now(const ib_CylinderRigModel *rig, const double *x,
                                      const double *input)
{
    const double *own = x + rig->state;
    ib_CylinderRigNow now;
    look(rig, own, input, ib__rig_mode(rig, own), &now);
    return now;
}

// What the sums gain: each is an integral of something in `now`.
IB_FORMULA void rate_sums(const ib_CylinderRigModel *rig, const ib_CylinderRigNow *now, double x,
                          double v, double *dx)
{
    const ib_CylinderModel *cylinder = &rig->cylinder;
    const ib_CylinderNow *air = &now->air;
    const int *at = rig->at;
    double in = air->cap_port.mass + air->rod_port.mass;
    double enthalpy = air->cap_port.enthalpy + air->rod_port.enthalpy;
    double cap = air->cap.pressure * cylinder->cap.area * v,
           rod = -air->rod.pressure * cylinder->rod.area * v;
    // A stop loses what its spring does not keep, all of it where it would have to pull.
    double spring = rig->stiffness * ib__rig_beyond(rig, x);
    dx[at[IB_RIG_USED]] = air->supplied.mass;
    dx[at[IB_RIG_VENTED]] = air->supplied.mass - in + air->leaked.mass;
    dx[at[IB_RIG_E_SUPPLY]] = air->supplied.enthalpy;
    dx[at[IB_RIG_E_LOAD]] = now->load * v;
    dx[at[IB_RIG_E_HEAT]] = air->cap_heat + air->rod_heat;
    dx[at[IB_RIG_E_EXHAUST]] = air->supplied.enthalpy - enthalpy;
    dx[at[IB_RIG_E_LEAK]] = air->leaked.enthalpy;
    dx[at[IB_RIG_E_FRICTION]] = now->friction * v;
    dx[at[IB_RIG_E_STOP]] = spring != 0 ? -(now->stop + spring) * v : 0;
    dx[at[IB_RIG_CAP_WORK]] = cap;
    dx[at[IB_RIG_ROD_WORK]] = rod;
    dx[rig->gained] = air->cap_all.enthalpy + air->cap_heat - cap;
    dx[rig->gained + 1] = air->rod_all.enthalpy + air->rod_heat - rod;
}

void ib_cylinder_rig_rate(const ib_CylinderRigModel *rig, const double *x, const double *input,
                          double *dx)
{
    const double *own = x + rig->state;
    double *rate = dx + rig->state;
    ib_CylinderRigNow now;
    int mode = ib__rig_mode(rig, own);
    double v = ib__rig_stands(rig, mode) ? 0 : own[IB_RIG_VELOCITY];
    look(rig, own, input, mode, &now);
    rate[IB_RIG_POSITION] = v;
    rate[IB_RIG_VELOCITY] = now.acceleration;
    memcpy(rate + IB_RIG_AIR, now.air.rate, sizeof now.air.rate);
    if (rig->spool >= 0)
        ib_proportional_rate(&rig->cylinder.valve,
                             ib_proportional_command(&rig->cylinder.valve, input[rig->valve]),
                             own + rig->spool, rate + rig->spool);
    if (rig->bristles) rate[rig->bristle] = now.bristle_rate;
    if (rig->line)
        rate[rig->line_mass] = (now.regulated - now.air.supplied.mass) * (1 / IB_CYLINDER_MASS);
    rate[rig->mode + IB_RIG_MODE] = rate[rig->mode + IB_RIG_SIDE] = 0;
    rate_sums(rig, &now, own[IB_RIG_POSITION], v, dx);
}

//   U_c + U_r + m v^2/2 - m g sin(downwards) (x - x_start) + P_atm A_shaft x + k beyond^2/2
double ib_cylinder_rig_stored(const ib_CylinderRigModel *rig, const double *own, double gravity)
{
    const double *air = own + IB_RIG_AIR;
    double x = own[IB_RIG_POSITION], v = own[IB_RIG_VELOCITY], beyond = ib__rig_beyond(rig, x);
    double rise = -rig->down * (x - rig->begin[IB_RIG_POSITION]);
    return air[IB_CYLINDER_CAP_ENERGY] + air[IB_CYLINDER_ROD_ENERGY] + 0.5 * rig->mass * v * v +
           rig->mass * gravity * rise + rig->cylinder.atmosphere * rig->cylinder.shaft * x +
           0.5 * rig->stiffness * beyond * beyond;
}
