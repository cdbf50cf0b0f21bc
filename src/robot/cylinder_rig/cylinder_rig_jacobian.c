// robot/cylinder_rig/cylinder_rig_jacobian.c: how the rig's rates change with its states.
#include "robot/cylinder_rig/cylinder_rig_inside.h"

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
    bool still = ib__rig_stands(rig, ib__rig_mode(rig, state));
    double x = state[X], v = still ? 0 : state[V], side = rig->side_load;
    ib_RamSupply supply = ib__rig_supply(rig, state, input);
    ib_RamOpening open =
        ib_ram_open(ram, ib__rig_spool(rig, state, input), ib__rig_up(rig, state), supply.pressure);
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
        slope * v + ib__rig_friction_now(rig, state, ib__rig_mode(rig, state), &rate);
    sums[IB_RIG_E_LOAD * stride + V] = input[IB_RIG_LOAD];
    return true;
}
