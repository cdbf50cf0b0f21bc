// robot/cylinder_rig/cylinder_rig_jacobian.c: how the rig's rates change with its states.
#include "robot/cylinder_rig/cylinder_rig_inside.h"

// The derivatives of one rate by position, mass and energy of a chamber's air.
IB_FORMULA void add_row(double *row, int m, double by, double x, double mass, double energy)
{
    row[IB_RIG_POSITION] += by * x;
    row[m] += by * mass;
    row[m + 1] += by * energy;
}

// A chamber's share: rows of its mass, its energy and its books; `side`: 0 the cap's, 1 the rod's.
// `J`: from the column of the rig's first state on.
static void fill_side(const ib_CylinderRigModel *rig, const ib_ChamberSlopes *s, int side, double v,
                      bool still, double *J, int stride)
{
    const int *at = rig->at, V = IB_RIG_VELOCITY;
    int m = IB_RIG_AIR + (side ? IB_CYLINDER_ROD_MASS : IB_CYLINDER_CAP_MASS);
    double area = side ? -rig->cylinder.rod.area : rig->cylinder.cap.area;
    double *mass = J + (rig->state + m) * stride, *energy = mass + stride;
    double *work = J + at[side ? IB_RIG_ROD_WORK : IB_RIG_CAP_WORK] * stride;
    double *gained = J + (rig->gained + side) * stride;
    double push = area * v, grows = still ? 0 : s->pressure * area;
    add_row(mass, m, 1, s->m_x, s->m_m, s->m_U);
    add_row(energy, m, 1, s->U_x, s->U_m, s->U_U);
    add_row(J + at[IB_RIG_E_HEAT] * stride, m, 1, s->Q_x, s->Q_m, s->Q_U);
    add_row(work, m, push, s->P_x, 0, s->P_U);
    add_row(gained, m, 1, s->H_x + s->Q_x, s->H_m + s->Q_m, s->H_U + s->Q_U);
    add_row(gained, m, -push, s->P_x, 0, s->P_U);
    energy[V] = still ? 0 : s->U_v;
    work[V] = grows;
    gained[V] = -grows;
    // What comes in comes from the supply, what goes out goes to the exhaust.
    bool given = s->flow > 0;
    double sign = given ? 1 : -1;
    double *kilograms = J + at[given ? IB_RIG_USED : IB_RIG_VENTED] * stride;
    double *joules = J + at[given ? IB_RIG_E_SUPPLY : IB_RIG_E_EXHAUST] * stride;
    add_row(kilograms, m, sign * IB_CYLINDER_MASS, s->m_x, s->m_m, s->m_U);
    add_row(joules, m, sign, s->H_x, s->H_m, s->H_U);
}

// A pressure beyond supply or exhaust, where air goes back (ib__cylinder_supplied).
static bool beyond_both(const ib_CylinderRigModel *rig, const ib_ChamberSlopes *s, double supply)
{
    return (s->flow < 0 && s->pressure > supply) ||
           (s->flow > 0 && s->pressure < rig->cylinder.exhaust);
}

// All rows, books too: a Rosenbrock method has its order where the whole Jacobian is right.
bool ib_cylinder_rig_jacobian(const void *rig_, const double *x_, const double *input, double *J,
                              int stride)
{
    const ib_CylinderRigModel *rig = rig_;
    const double *own = x_ + rig->state;
    const ib_CylinderModel *cylinder = &rig->cylinder;
    bool ends = rig->friction.excess[0] != 0 || rig->friction.excess[1] != 0;
    bool known = ib_cylinder_has_slopes(cylinder) && !rig->compliant && !ends;
    if (!known || rig->mode != IB_RIG_FIRST) return false;
    enum { X, V, MC, UC, MR, UR };
    bool still = ib__rig_stands(rig, ib__rig_mode(rig, own));
    double x = own[X], v = still ? 0 : own[V], side = rig->side_load;
    ib_CylinderSupply supply = ib__rig_supply(rig, own, input);
    ib_CylinderOpening open = ib_cylinder_open(cylinder, ib__rig_spool(rig, own, input),
                                               ib__rig_up(rig, own), supply.pressure);
    ib_ChamberSlopes c =
        ib_chamber_slopes(cylinder, &cylinder->cap, open.cap.pressure, open.cap.area,
                          supply.temperature, supply.root, 1, x, v, own[MC], own[UC]);
    ib_ChamberSlopes r = ib_chamber_slopes(cylinder, &cylinder->rod, open.rod.pressure,
                                           open.rod.area, supply.temperature, supply.root, -1,
                                           cylinder->stroke - x, v, own[MR], own[UR]);
    if (beyond_both(rig, &c, supply.pressure) || beyond_both(rig, &r, supply.pressure))
        return false;
    J += rig->state;
    fill_side(rig, &c, 0, v, still, J, stride);
    fill_side(rig, &r, 1, v, still, J, stride);
    if (still) return true;
    double *row = J + (rig->state + V) * stride, per = rig->per_mass, rate;
    double slope = ib_friction_slope(&rig->friction, v, x, side);
    J[(rig->state + X) * stride + V] = 1;
    row[X] = (c.P_x * cylinder->cap.area - r.P_x * cylinder->rod.area) * per;
    row[V] = -slope * per;
    row[UC] = c.P_U * cylinder->cap.area * per;
    row[UR] = -r.P_U * cylinder->rod.area * per;
    J[rig->at[IB_RIG_E_FRICTION] * stride + V] =
        slope * v + ib__rig_friction_now(rig, own, ib__rig_mode(rig, own), &rate);
    J[rig->at[IB_RIG_E_LOAD] * stride + V] = input[rig->load];
    return true;
}
