// robot/cylinder_rig/cylinder_rig.c: the physics of the rig: forces, stops, sticking, books.
#include "robot/cylinder_rig/cylinder_rig.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

#define SLACK 1e-12 ///< a stop is reached this far behind it [m], and the centre [V]
#define STICK 1e-9  ///< a stop, or a stuck piston, lets go at this force more [N]
#define CREEP 1e-12 ///< a piston that slides sticks at this speed the other way [m/s]

// -------------------------------------------------------------------------------------------- init

ib_Status ib_cylinder_rig_check(const ib_CylinderRigConfig *config, ib_Error *error)
{
    ib_Status status = ib_ram_check(&config->ram, error);
    if (status == IB_OK) status = ib_supply_check(&config->supply, error);
    if (status == IB_OK) status = ib_friction_check(&config->friction, error);
    if (status != IB_OK) return status;
    double x = config->position, stroke = config->ram.stroke;
    if (!isinf(x) && !(x <= stroke))
        return ib_error_set(error, IB_BAD_INPUT,
                            "start.position: expected 0 m to the stroke (%g m), got %g m", stroke,
                            x);
    bool warm = !isinf(config->cap_temperature) || !isinf(config->rod_temperature);
    if (warm && config->ram.heat == IB_RAM_ISOTHERMAL)
        return ib_error_set(error, IB_BAD_INPUT,
                            "start.cap.temperature, start.rod.temperature: have no place where "
                            "heat.law is isothermal: the air keeps the temperature of the walls");
    return IB_OK;
}

// The optional states, one behind the other.
static void lay_out(ib_CylinderRigModel *rig)
{
    int next = IB_RIG_FIRST, spool = ib_proportional_states(&rig->ram.valve);
    rig->spool = spool > 0 ? next : -1;
    next += spool;
    rig->bristle = rig->bristles ? next++ : -1;
    rig->line_mass = rig->line ? next++ : -1;
    rig->mode = next;
    rig->state_count = next + IB_RIG_SUMS;
}

void ib_cylinder_rig_init(const ib_CylinderRigConfig *config, ib_CylinderRigModel *rig)
{
    ib_RamConfig ram = config->ram;
    ram.published = config->equations;
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
    ib_ram_init(&ram, &rig->ram);
    // A compliant stop is pressed flat when half of the dead length is gone: what is behind it is
    // rigid, and does not bounce.
    rig->low = rig->compliant ? -0.5 * rig->ram.cap.length : 0;
    rig->high = ram.stroke + (rig->compliant ? 0.5 * rig->ram.rod.length : 0);
    rig->restitution = rig->compliant ? 0 : config->restitution;
    ib_supply_init(&config->supply, &rig->ram.orifice, ram.R, ram.temperature, ram.atmosphere,
                   &rig->supply);
    ib_friction_init(&config->friction, ram.stroke, &rig->friction);
    rig->sticks = ib_friction_sticks(&rig->friction);
    rig->bristles = ib_friction_bristles(&rig->friction);
    rig->line = rig->supply.line;
    lay_out(rig);
}

void ib_cylinder_rig_reset(const ib_CylinderRigConfig *config, const ib_CylinderRigModel *rig,
                           double *state)
{
    const ib_RamModel *ram = &rig->ram;
    double surroundings = config->ram.temperature, supply = config->supply.pressure;
    double x = isinf(config->position) ? ram->stroke : config->position;
    memset(state, 0, (size_t)rig->state_count * sizeof *state);
    state[IB_RIG_POSITION] = x;
    state[IB_RIG_VELOCITY] = rig->locked ? 0 : config->velocity;
    ib_ram_fill(ram, x, isinf(config->cap_pressure) ? supply : config->cap_pressure,
                isinf(config->rod_pressure) ? supply : config->rod_pressure,
                isinf(config->cap_temperature) ? surroundings : config->cap_temperature,
                isinf(config->rod_temperature) ? surroundings : config->rod_temperature,
                state + IB_RIG_AIR);
    if (rig->line) state[rig->line_mass] = ib_supply_mass(&rig->supply) / IB_RAM_MASS;
    double *sums = state + rig->mode;
    double v = state[IB_RIG_VELOCITY];
    sums[IB_RIG_MODE] = rig->sticks && v == 0 ? IB_RIG_STUCK : v < 0 ? IB_RIG_BACK : IB_RIG_FORTH;
    sums[IB_RIG_SIDE] = 0; // the spool stands where the first command wants it
    sums[IB_RIG_START_CAP] = state[IB_RIG_AIR + IB_RAM_CAP_ENERGY];
    sums[IB_RIG_START_ROD] = state[IB_RIG_AIR + IB_RAM_ROD_ENERGY];
    sums[IB_RIG_START_MASS] =
        (state[IB_RIG_AIR + IB_RAM_CAP_MASS] + state[IB_RIG_AIR + IB_RAM_ROD_MASS]) * IB_RAM_MASS;
    sums[IB_RIG_START_X] = x;
    sums[IB_RIG_START] = ib_cylinder_rig_stored(rig, state, 0);
}

// ----------------------------------------------------------------------------------------- physics

IB_FORMULA int mode_of(const ib_CylinderRigModel *rig, const double *state)
{
    return (int)lround(state[rig->mode + IB_RIG_MODE]);
}

IB_FORMULA bool is_up(const ib_CylinderRigModel *rig, const double *state)
{
    return state[rig->mode + IB_RIG_SIDE] > 0;
}

double ib_cylinder_rig_gravity(const ib_CylinderRigModel *rig, const double *input)
{
    return isinf(rig->gravity) ? input[IB_GRAVITY] : rig->gravity;
}

IB_FORMULA double spool_of(const ib_CylinderRigModel *rig, const double *state, const double *input)
{
    if (rig->spool >= 0) return state[rig->spool];
    return ib_proportional_command(&rig->ram.valve, input[IB_RIG_VALVE]);
}

IB_FORMULA ib_RamSupply supply_of(const ib_CylinderRigModel *rig, const double *state,
                                  const double *input)
{
    double mass = rig->line ? state[rig->line_mass] * IB_RAM_MASS : 0;
    return (ib_RamSupply){ib_supply_pressure(&rig->supply, mass) * input[IB_RIG_GAIN],
                          rig->ram.temperature, rig->ram.root_temperature};
}

// How far the piston is beyond an end; negative: beyond the retracted one.
IB_FORMULA double beyond_of(const ib_CylinderRigModel *rig, double x)
{
    return rig->compliant ? fmin(x, 0) + fmax(x - rig->ram.stroke, 0) : 0;
}

// A compliant stop pushes in proportion to d, the way beyond it, and to its speed [Hunt, Crossley]:
//   F = k d max(0, 1 + a d'),   which neither jumps at the touch nor pulls
IB_FORMULA double stop_force(const ib_CylinderRigModel *rig, double x, double v)
{
    double beyond = beyond_of(rig, x), closing = beyond < 0 ? -v : v;
    return -rig->stiffness * beyond * fmax(1 + rig->damping * closing, 0);
}

// Friction on a piston that moves, and how its bristles go on.
IB_FORMULA double friction_now(const ib_CylinderRigModel *rig, const double *state, int mode,
                               double *bristle_rate)
{
    double x = state[IB_RIG_POSITION], v = state[IB_RIG_VELOCITY];
    if (rig->bristles) {
        ib_FrictionBristle b =
            ib_friction_lugre(&rig->friction, v, state[rig->bristle], x, rig->side_load);
        *bristle_rate = b.rate;
        return b.force;
    }
    if (rig->sticks)
        return ib_friction_sliding(&rig->friction, v, mode < 0 ? -1 : 1, x, rig->side_load);
    return ib_friction_force(&rig->friction, v, x, rig->side_load);
}

// Whether the piston stands: held, at a stop, or stuck.
IB_FORMULA bool stands(const ib_CylinderRigModel *rig, int mode)
{
    return rig->locked || mode == IB_RIG_LOW || mode == IB_RIG_HIGH || mode == IB_RIG_STUCK;
}

// Inside of `rate`, which needs only some of it, nothing of the rest is made.
IB_FORMULA void look(const ib_CylinderRigModel *rig, const double *state, const double *input,
                     int mode, ib_CylinderRigNow *now)
{
    ib_RamSupply supply = supply_of(rig, state, input);
    bool still = stands(rig, mode);
    double x = state[IB_RIG_POSITION], v = still ? 0 : state[IB_RIG_VELOCITY];
    now->spool = spool_of(rig, state, input);
    now->supply = supply.pressure;
    now->open = ib_ram_open(&rig->ram, now->spool, is_up(rig, state), supply.pressure);
    now->air = ib_ram_now(&rig->ram, state + IB_RIG_AIR, x, v, &now->open, &supply);
    now->regulated = now->bristle_rate = 0;
    if (rig->line) {
        double mass = state[rig->line_mass] * IB_RAM_MASS;
        now->regulated = ib_supply_inflow(&rig->supply, ib_supply_pressure(&rig->supply, mass));
    }
    now->force = ib_ram_force(&rig->ram, now->air.cap.pressure, now->air.rod.pressure);
    now->weight = rig->mass * ib_cylinder_rig_gravity(rig, input) * rig->down;
    now->load = input[IB_RIG_LOAD];
    double net = now->force + now->weight + now->load;
    now->friction = now->acceleration = 0;
    if (!still || rig->bristles) now->friction = friction_now(rig, state, mode, &now->bristle_rate);
    if (!still) {
        now->stop = stop_force(rig, x, v);
        now->acceleration = (net - now->friction + now->stop) * rig->per_mass;
    } else if (mode == IB_RIG_STUCK && !rig->locked) {
        now->stop = stop_force(rig, x, 0);
        now->friction = net + now->stop;
    } else {
        now->stop = now->friction - net;
        now->bristle_rate = 0;
    }
}

ib_CylinderRigNow ib_cylinder_rig_now(const ib_CylinderRigModel *rig, const double *state,
                                      const double *input)
{
    ib_CylinderRigNow now;
    look(rig, state, input, mode_of(rig, state), &now);
    return now;
}

// What the sums gain: each is an integral of something in `now`.
IB_FORMULA void rate_sums(const ib_CylinderRigModel *rig, const ib_CylinderRigNow *now, double v,
                          double *sums)
{
    const ib_RamModel *ram = &rig->ram;
    const ib_RamNow *air = &now->air;
    double in = air->cap_port.mass + air->rod_port.mass;
    double enthalpy = air->cap_port.enthalpy + air->rod_port.enthalpy;
    memset(sums, 0, IB_RIG_SUMS * sizeof *sums);
    sums[IB_RIG_USED] = air->supplied.mass;
    sums[IB_RIG_VENTED] = air->supplied.mass - in + air->leaked.mass;
    sums[IB_RIG_E_SUPPLY] = air->supplied.enthalpy;
    sums[IB_RIG_E_EXHAUST] = air->supplied.enthalpy - enthalpy;
    sums[IB_RIG_E_LEAK] = air->leaked.enthalpy;
    sums[IB_RIG_E_FRICTION] = now->friction * v;
    sums[IB_RIG_E_LOAD] = now->load * v;
    sums[IB_RIG_CAP_IN] = air->cap_all.enthalpy;
    sums[IB_RIG_CAP_HEAT] = air->cap_heat;
    sums[IB_RIG_CAP_WORK] = air->cap.pressure * ram->cap.area * v;
    sums[IB_RIG_ROD_IN] = air->rod_all.enthalpy;
    sums[IB_RIG_ROD_HEAT] = air->rod_heat;
    sums[IB_RIG_ROD_WORK] = -air->rod.pressure * ram->rod.area * v;
}

void ib_cylinder_rig_rate(const ib_CylinderRigModel *rig, const double *state, const double *input,
                          double *rate)
{
    ib_CylinderRigNow now;
    int mode = mode_of(rig, state);
    double v = stands(rig, mode) ? 0 : state[IB_RIG_VELOCITY];
    look(rig, state, input, mode, &now);
    rate[IB_RIG_POSITION] = v;
    rate[IB_RIG_VELOCITY] = now.acceleration;
    memcpy(rate + IB_RIG_AIR, now.air.rate, sizeof now.air.rate);
    if (rig->spool >= 0)
        ib_proportional_rate(&rig->ram.valve,
                             ib_proportional_command(&rig->ram.valve, input[IB_RIG_VALVE]),
                             state + rig->spool, rate + rig->spool);
    if (rig->bristles) rate[rig->bristle] = now.bristle_rate;
    if (rig->line)
        rate[rig->line_mass] = (now.regulated - now.air.supplied.mass) * (1 / IB_RAM_MASS);
    rate_sums(rig, &now, v, rate + rig->mode);
    // A stop loses what its spring does not keep, all of it where it would have to pull.
    double spring = rig->stiffness * beyond_of(rig, state[IB_RIG_POSITION]);
    if (spring != 0) rate[rig->mode + IB_RIG_E_STOP] = -(now.stop + spring) * v;
}

// A chamber's share of the Jacobian: rows of its mass, its energy and its books.
typedef struct SideRows {
    int mass;           ///< its state; the energy stands behind it
    int in, heat, work; ///< its books
    double area;        ///< negative for the rod side
} SideRows;

static void fill_side(const ib_CylinderRigModel *rig, const ib_ChamberSlopes *s,
                      const SideRows *rows, double v, bool still, double *J, int stride)
{
    enum { X, V };
    int m = rows->mass, U = m + 1;
    double *sums = J + rig->mode * stride, *mass = J + m * stride, *energy = J + U * stride;
    double *in = sums + rows->in * stride, *heat = sums + rows->heat * stride;
    double *work = sums + rows->work * stride;
    mass[X] = s->m_x, mass[m] = s->m_m, mass[U] = s->m_U;
    energy[X] = s->U_x, energy[V] = still ? 0 : s->U_v, energy[m] = s->U_m, energy[U] = s->U_U;
    in[X] = s->H_x, in[m] = s->H_m, in[U] = s->H_U;
    heat[X] = s->Q_x, heat[m] = s->Q_m, heat[U] = s->Q_U;
    work[X] = s->P_x * rows->area * v, work[U] = s->P_U * rows->area * v;
    work[V] = still ? 0 : s->pressure * rows->area;
    // What comes in comes from the supply, what goes out goes to the exhaust.
    bool given = s->flow > 0;
    double *kilograms = sums + (given ? IB_RIG_USED : IB_RIG_VENTED) * stride;
    double *joules = sums + (given ? IB_RIG_E_SUPPLY : IB_RIG_E_EXHAUST) * stride;
    double sign = given ? 1 : -1, unit = sign * IB_RAM_MASS;
    kilograms[X] += unit * s->m_x, kilograms[m] += unit * s->m_m, kilograms[U] += unit * s->m_U;
    joules[X] += sign * s->H_x, joules[m] += sign * s->H_m, joules[U] += sign * s->H_U;
}

// A pressure beyond supply or exhaust, where air goes back (ib__ram_supplied).
static bool beyond_both(const ib_CylinderRigModel *rig, const ib_ChamberSlopes *s, double supply)
{
    return (s->flow < 0 && s->pressure > supply) || (s->flow > 0 && s->pressure < rig->ram.exhaust);
}

// All rows, books too: a Rosenbrock method has its order where the whole Jacobian is right.
bool ib_cylinder_rig_jacobian(const ib_CylinderRigModel *rig, const double *state,
                              const double *input, double *J, int stride)
{
    const ib_RamModel *ram = &rig->ram;
    bool ends = rig->friction.excess[0] != 0 || rig->friction.excess[1] != 0;
    bool known = ib_ram_has_slopes(ram) && !rig->compliant && !ends;
    if (!known || rig->mode != IB_RIG_FIRST) return false;
    enum { X, V, MC, UC, MR, UR };
    bool still = stands(rig, mode_of(rig, state));
    double x = state[X], v = still ? 0 : state[V], side = rig->side_load;
    ib_RamSupply supply = supply_of(rig, state, input);
    ib_RamOpening open =
        ib_ram_open(ram, spool_of(rig, state, input), is_up(rig, state), supply.pressure);
    ib_ChamberSlopes c =
        ib_chamber_slopes(ram, &ram->cap, open.cap.pressure, open.cap.area, supply.temperature,
                          supply.root, 1, x, v, state[MC], state[UC]);
    ib_ChamberSlopes r =
        ib_chamber_slopes(ram, &ram->rod, open.rod.pressure, open.rod.area, supply.temperature,
                          supply.root, -1, ram->stroke - x, v, state[MR], state[UR]);
    if (beyond_both(rig, &c, supply.pressure) || beyond_both(rig, &r, supply.pressure))
        return false;
    SideRows cap = {MC, IB_RIG_CAP_IN, IB_RIG_CAP_HEAT, IB_RIG_CAP_WORK, ram->cap.area};
    SideRows rod = {MR, IB_RIG_ROD_IN, IB_RIG_ROD_HEAT, IB_RIG_ROD_WORK, -ram->rod.area};
    fill_side(rig, &c, &cap, v, still, J, stride);
    fill_side(rig, &r, &rod, v, still, J, stride);
    if (still) return true;
    double *row = J + V * stride, *sums = J + rig->mode * stride, per = rig->per_mass, rate;
    double slope = ib_friction_slope(&rig->friction, v, x, side);
    J[X * stride + V] = 1;
    row[X] = (c.P_x * ram->cap.area - r.P_x * ram->rod.area) * per;
    row[V] = -slope * per;
    row[UC] = c.P_U * ram->cap.area * per;
    row[UR] = -r.P_U * ram->rod.area * per;
    sums[IB_RIG_E_FRICTION * stride + V] =
        slope * v + friction_now(rig, state, mode_of(rig, state), &rate);
    sums[IB_RIG_E_LOAD * stride + V] = input[IB_RIG_LOAD];
    return true;
}

// ------------------------------------------------------------------------------------------- modes

// All forces on a piston that stands but friction that gives way, towards extension.
// Pressures alone make them: no flow is looked at.
static double net_at_rest(const ib_CylinderRigModel *rig, const double *state, const double *input)
{
    const ib_RamModel *ram = &rig->ram;
    const double *air = state + IB_RIG_AIR;
    double x = state[IB_RIG_POSITION], rate = 0;
    ib_ChamberNow cap = ib_chamber_now(ram, ib_ram_volume(&ram->cap, x), air[IB_RAM_CAP_MASS],
                                       air[IB_RAM_CAP_ENERGY]);
    ib_ChamberNow rod = ib_chamber_now(ram, ib_ram_volume(&ram->rod, ram->stroke - x),
                                       air[IB_RAM_ROD_MASS], air[IB_RAM_ROD_ENERGY]);
    double weight = rig->mass * ib_cylinder_rig_gravity(rig, input) * rig->down;
    double net = ib_ram_force(ram, cap.pressure, rod.pressure) + weight + input[IB_RIG_LOAD] +
                 stop_force(rig, x, 0);
    return rig->bristles ? net - friction_now(rig, state, mode_of(rig, state), &rate) : net;
}

static double breakaway(const ib_CylinderRigModel *rig, const double *state, double direction)
{
    if (!rig->sticks) return 0;
    return ib_friction_breakaway(&rig->friction, direction, state[IB_RIG_POSITION], rig->side_load);
}

// After settling every margin is positive: nothing hides at an exact zero.
void ib_cylinder_rig_guard(const ib_CylinderRigModel *rig, const double *state, const double *input,
                           double *guards)
{
    int mode = mode_of(rig, state);
    double x = state[IB_RIG_POSITION], v = state[IB_RIG_VELOCITY];
    guards[IB_RIG_GUARD_STOP] = guards[IB_RIG_GUARD_STICK] = 1;
    guards[IB_RIG_GUARD_SPOOL] =
        state[rig->mode + IB_RIG_SIDE] == 0
            ? -1
            : ib_proportional_margin(&rig->ram.valve, spool_of(rig, state, input),
                                     is_up(rig, state));
    if (rig->locked) return;
    if (mode == IB_RIG_LOW)
        guards[IB_RIG_GUARD_STOP] =
            STICK + breakaway(rig, state, 1) - net_at_rest(rig, state, input);
    else if (mode == IB_RIG_HIGH)
        guards[IB_RIG_GUARD_STOP] =
            STICK + breakaway(rig, state, -1) + net_at_rest(rig, state, input);
    else
        guards[IB_RIG_GUARD_STOP] = fmin(x - rig->low, rig->high - x) + SLACK;
    if (!rig->sticks) return;
    if (mode == IB_RIG_STUCK) {
        double net = net_at_rest(rig, state, input);
        guards[IB_RIG_GUARD_STICK] = STICK + breakaway(rig, state, net) - fabs(net);
    } else if (mode == IB_RIG_BACK || mode == IB_RIG_FORTH) {
        guards[IB_RIG_GUARD_STICK] = CREEP + mode * v;
    }
}

// A rigid stop takes the speed, or turns it round where it bounces.
static void hit(const ib_CylinderRigModel *rig, double *state)
{
    double v = state[IB_RIG_VELOCITY], back = -rig->restitution * v;
    bool low = state[IB_RIG_POSITION] < 0.5 * rig->ram.stroke;
    bool rests = fabs(back) < 1e-3;
    state[IB_RIG_POSITION] = low ? rig->low : rig->high;
    state[IB_RIG_VELOCITY] = rests ? 0 : back;
    state[rig->mode + IB_RIG_E_STOP] +=
        0.5 * rig->mass * (v * v - state[IB_RIG_VELOCITY] * state[IB_RIG_VELOCITY]);
    state[rig->mode + IB_RIG_MODE] = rests ? (low ? IB_RIG_LOW : IB_RIG_HIGH)
                                     : low ? IB_RIG_FORTH
                                           : IB_RIG_BACK;
}

// A piston that has just come to rest stays where friction holds it, or goes on.
static void stick_or_go(const ib_CylinderRigModel *rig, const double *input, double *state)
{
    double *mode = state + rig->mode + IB_RIG_MODE;
    *mode = IB_RIG_STUCK;
    state[IB_RIG_VELOCITY] = 0;
    double net = net_at_rest(rig, state, input);
    if (fabs(net) > breakaway(rig, state, net)) *mode = net < 0 ? IB_RIG_BACK : IB_RIG_FORTH;
}

// The spool has come to the other side; at the start it is where it will rest.
static void turn_spool(const ib_CylinderRigModel *rig, const double *input, double *state)
{
    double *side = state + rig->mode + IB_RIG_SIDE;
    double command = ib_proportional_command(&rig->ram.valve, input[IB_RIG_VALVE]);
    if (*side == 0 && rig->spool >= 0) state[rig->spool] = command;
    bool up = *side == 0 ? ib_proportional_up(command) : *side < 0;
    *side = up ? 1 : -1;
}

// A piston that was put elsewhere (a linear plant is asked for there) is at no stop any more, and
// one that was given a speed is not stuck.
static bool is_away(const ib_CylinderRigModel *rig, const double *state)
{
    int mode = mode_of(rig, state);
    double x = state[IB_RIG_POSITION];
    return (mode == IB_RIG_LOW && x > rig->low + 1e-9) ||
           (mode == IB_RIG_HIGH && x < rig->high - 1e-9) ||
           (mode == IB_RIG_STUCK && state[IB_RIG_VELOCITY] != 0);
}

bool ib_cylinder_rig_settle(const ib_CylinderRigModel *rig, const double *input, double *state)
{
    double *mode = state + rig->mode + IB_RIG_MODE;
    if (is_away(rig, state)) {
        *mode = state[IB_RIG_VELOCITY] < 0 ? IB_RIG_BACK : IB_RIG_FORTH;
        return true;
    }
    double guards[IB_RIG_GUARDS];
    ib_cylinder_rig_guard(rig, state, input, guards);
    if (!(guards[IB_RIG_GUARD_SPOOL] > 0)) {
        turn_spool(rig, input, state);
        return true;
    }
    if (!(guards[IB_RIG_GUARD_STOP] > 0)) {
        int was = mode_of(rig, state);
        if (was == IB_RIG_LOW || was == IB_RIG_HIGH)
            *mode = was == IB_RIG_LOW ? IB_RIG_FORTH : IB_RIG_BACK;
        else
            hit(rig, state);
        return true;
    }
    if (guards[IB_RIG_GUARD_STICK] > 0) return false;
    if (mode_of(rig, state) == IB_RIG_STUCK) {
        *mode = net_at_rest(rig, state, input) < 0 ? IB_RIG_BACK : IB_RIG_FORTH;
    } else {
        stick_or_go(rig, input, state);
    }
    return true;
}

// ------------------------------------------------------------------------------------------- books

//   U_c + U_r + m v^2/2 - m g sin(downwards) (x - x_start) + P_atm A_shaft x + k beyond^2/2
double ib_cylinder_rig_stored(const ib_CylinderRigModel *rig, const double *state, double gravity)
{
    double rise = -rig->down * (state[IB_RIG_POSITION] - state[rig->mode + IB_RIG_START_X]);
    double x = state[IB_RIG_POSITION], v = state[IB_RIG_VELOCITY];
    double beyond = beyond_of(rig, x);
    const double *air = state + IB_RIG_AIR;
    return air[IB_RAM_CAP_ENERGY] + air[IB_RAM_ROD_ENERGY] + 0.5 * rig->mass * v * v +
           rig->mass * gravity * rise + rig->ram.atmosphere * rig->ram.shaft * x +
           0.5 * rig->stiffness * beyond * beyond;
}

// A step that leaves less than a quarter in a chamber, or more than four times as much, is too long
// to be believed; so is one in which half of the speed and 1 m/s, at a compliant stop 1 cm/s, come
// or go, and one that ends in no number.
bool ib_cylinder_rig_sound(const ib_CylinderRigModel *rig, const double *before,
                           const double *after)
{
    double x = after[IB_RIG_POSITION], v = after[IB_RIG_VELOCITY], v0 = before[IB_RIG_VELOCITY];
    bool sound = isfinite(x) && isfinite(v);
    for (int i = IB_RIG_AIR; i < IB_RIG_AIR + IB_RAM_STATES; i++)
        sound &= after[i] > 0.25 * before[i] && after[i] < 4 * before[i];
    bool pressed = beyond_of(rig, x) != 0 || beyond_of(rig, before[IB_RIG_POSITION]) != 0;
    double jerk = fabs(v - v0) - 0.5 * fmax(fabs(v), fabs(v0));
    return sound && (stands(rig, mode_of(rig, before)) || jerk <= (pressed ? 0.01 : 1));
}

// ------------------------------------------------------------------------------------- time scales

// The fastest of the mass between two cushions of air at the supply's pressure [rad/s].
//   w^2 = k P (A_c^2/V_c + A_r^2/V_r)/m
static double swing(const ib_CylinderRigModel *rig)
{
    const ib_RamSide *cap = &rig->ram.cap, *rod = &rig->ram.rod;
    double s = rig->ram.stroke;
    double low =
        cap->area * cap->area / cap->dead + rod->area * rod->area / (rod->area * s + rod->dead);
    double high =
        rod->area * rod->area / rod->dead + cap->area * cap->area / (cap->area * s + cap->dead);
    return sqrt(IB_AIR_HEAT_RATIO * rig->supply.pressure * fmax(low, high) * rig->per_mass);
}

// The fastest decay of a chamber through its wide open port, leaks and lost flows, where they are
// laminar, and of the line behind it through both ports and its regulator:
//   lambda = k R T (dq/dP)/V,   dq/dP = A C2/sqrt(T) |psi'(1)|
//   line:    R T (dq/dP)/V,     and q of the regulator wide open over its band
static double decay(const ib_CylinderRigModel *rig)
{
    const ib_RamModel *ram = &rig->ram;
    const ib_SupplyModel *supply = &rig->supply;
    double most = 0, kRT = ram->k1 * ram->cp * ram->temperature, root = ram->root_temperature;
    double steep = ib_orifice_flow(&ram->orifice, 1, 1, root, 1 - 1e-6) / 1e-6;
    double wide = ib_orifice_flow(&ram->orifice, 1, fmin(ram->exhaust, supply->pressure), root, 1);
    double lost = ram->valve.lost == IB_LOST_NONE ? 0 : ram->valve.lost_flow / wide;
    double regulator = ib_orifice_flow(&ram->orifice, supply->area, supply->source, root, 1);
    for (int i = 0; i <= 40; i++) {
        double s = 0.25 * i - ram->valve.centre;
        ib_RamOpening o = ib_ram_open(ram, s, ib_proportional_up(s), supply->pressure);
        double cap = o.cap.area + o.cap.other_area, rod = o.rod.area + o.rod.other_area;
        double leaks = ram->leak_piston + ram->leak_seal + lost;
        double here = fmax((cap + leaks) / ram->cap.dead, (rod + leaks) / ram->rod.dead);
        double line = supply->pressure_per_mass * (cap + rod);
        most = fmax(most, steep * (kRT * here + line));
    }
    return most + supply->pressure_per_mass * regulator * supply->per_band;
}

// How fast the walls warm the air of a chamber:  h A_w/(m cv)
static double warming(const ib_RamModel *ram, const ib_RamSide *side, double way, double mass)
{
    double walls = side->perimeter * (way + side->length) + side->faces;
    return ram->coefficient * walls / (mass * ram->cv);
}

// With little air, at the lower of both pressures outside.
static double warming_at_end(const ib_RamModel *ram, const ib_RamSide *side)
{
    double least = fmin(ram->exhaust, ram->atmosphere);
    return warming(ram, side, 0, least * side->dead / (ram->k1 * ram->cv * ram->temperature));
}

double ib_cylinder_rig_resolution(const ib_CylinderRigModel *rig)
{
    const ib_RamModel *ram = &rig->ram;
    double w = swing(rig), frequency = ram->valve.w;
    double warms = fmax(warming_at_end(ram, &ram->cap), warming_at_end(ram, &ram->rod));
    double step = fmin(2.5 / (decay(rig) + warms + w), 0.3 / w);
    step = fmin(step, ib_friction_resolution(&rig->friction, rig->mass, 1, rig->side_load));
    if (rig->spool >= 0) step = fmin(step, 1 / (frequency * fmax(1, ram->valve.zeta)));
    if (rig->compliant) step = fmin(step, 0.3 / sqrt(rig->stiffness * rig->per_mass));
    return step;
}

// A step takes the piston no farther than to a compliant stop, and there a third of a radian on:
//   w^2 = k (1 + a v)/m,   damping k a d/m
static double longest_at_stop(const ib_CylinderRigModel *rig, double x, double v)
{
    double w = sqrt(rig->stiffness * (1 + rig->damping * v) * rig->per_mass);
    double way = fmin(x, rig->ram.stroke - x), deep = fmax(-way, 0);
    double drag = rig->stiffness * rig->damping * deep * rig->per_mass;
    return fmin(fmax(way, 0) / fmax(v, 1e-9) + 0.3 / w, 2.5 / (drag + w));
}

// A chamber that is pressed harder than the supply does swings faster than `resolution` knows, a
// fast piston changes its volume and drags its bristles faster, and little air is warmed faster.
//   w^2 = k (P_c A_c^2/V_c + P_r A_r^2/V_r)/m;   V'/V = A v/V
double ib_cylinder_rig_longest(const ib_CylinderRigModel *rig, const double *state)
{
    const ib_RamModel *ram = &rig->ram;
    const double *air = state + IB_RIG_AIR;
    double x = state[IB_RIG_POSITION], left = ram->stroke - x;
    double v = stands(rig, mode_of(rig, state)) ? 0 : fabs(state[IB_RIG_VELOCITY]);
    double cap = ram->cap.area / ib_ram_volume(&ram->cap, x);
    double rod = ram->rod.area / ib_ram_volume(&ram->rod, left);
    double spring = air[IB_RAM_CAP_ENERGY] * cap * cap + air[IB_RAM_ROD_ENERGY] * rod * rod;
    double w2 = IB_AIR_HEAT_RATIO * ram->k1 * spring * rig->per_mass;
    double fastest = fmax(sqrt(w2), v * fmax(cap, rod)), step = 0.3 / fastest;
    if (rig->compliant) step = fmin(step, longest_at_stop(rig, x, v));
    if (rig->bristles && v > 1)
        step = fmin(step, ib_friction_resolution(&rig->friction, rig->mass, v, rig->side_load));
    if (ram->coefficient > 0) {
        double warms = fmax(warming(ram, &ram->cap, x, air[IB_RAM_CAP_MASS]),
                            warming(ram, &ram->rod, left, air[IB_RAM_ROD_MASS]));
        step = fmin(step, 2.5 / (warms + fastest));
    }
    return step;
}

// How fast the widest port, leaks and lost flows, all choked, drain a chamber and the line:
//   k R T q/(P V),   q = A C2 P/sqrt(T)
static double drain(const ib_CylinderRigModel *rig)
{
    const ib_RamModel *ram = &rig->ram;
    const ib_SupplyModel *supply = &rig->supply;
    double most = 0, kRT = ram->k1 * ram->cp * ram->temperature, root = ram->root_temperature;
    double flux = ib_orifice_flow(&ram->orifice, 1, 1, root, 1e-3);
    double low = fmin(ram->exhaust, supply->pressure);
    double lost = ram->valve.lost == IB_LOST_NONE ? 0 : ram->valve.lost_flow / (flux * low);
    for (int i = 0; i <= 40; i++) {
        double s = 0.25 * i - ram->valve.centre;
        ib_RamOpening o = ib_ram_open(ram, s, ib_proportional_up(s), supply->pressure);
        double cap = o.cap.area + o.cap.other_area, rod = o.rod.area + o.rod.other_area;
        double leaks = ram->leak_piston + ram->leak_seal + lost;
        double here = fmax((cap + leaks) / ram->cap.dead, (rod + leaks) / ram->rod.dead);
        most = fmax(most, flux * (kRT * here + supply->pressure_per_mass * (cap + rod)));
    }
    return most;
}

// An L-stable method has to follow the swing, half a millisecond for the thesis's rig, and must not
// empty a chamber within a step: where its flows are no longer linear, it would go below zero. What
// has corners that no guard tells (a flow of a wide open valve that is choked no longer) or
// amplifies an error (a bounce) takes two thirds of that for the same error: docs/solver_review.md
double ib_cylinder_rig_resolution_stiff(const ib_CylinderRigModel *rig)
{
    const ib_RamModel *ram = &rig->ram;
    bool smooth = rig->friction.law == IB_FRICTION_STRIBECK && rig->restitution == 0 &&
                  ram->orifice.law == IB_ORIFICE_IDEAL &&
                  ram->valve.law == IB_PROPORTIONAL_EQUIVALENT;
    double step = fmin((smooth ? 0.21 : 0.14) / swing(rig), 1 / drain(rig));
    if (rig->spool >= 0) step = fmin(step, 0.5 / ram->valve.w);
    if (rig->compliant) step = fmin(step, 0.4 / sqrt(rig->stiffness * rig->per_mass));
    return step;
}
