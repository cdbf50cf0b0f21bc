// robot/cylinder_rig/cylinder_rig_jacobian.c: the derivatives of the rig's rates by its states.
#include "robot/cylinder_rig/cylinder_rig_inside.h"

// The derivatives of one rate by position, mass and energy of a chamber's air.
IB_FORMULA void add_row(double *row, int m, double by, double x, double mass, double energy)
{
    row[IB_RIG_POSITION] += by * x;
    row[m] += by * mass;
    row[m + 1] += by * energy;
}

// A chamber's share: rows of its mass, its energy and its books. `J`: from
// the column of the rig's first state on.
static void fill_side(const ib_CylinderRigModel *rig, const ib_ChamberSlopes *s, int side, double v,
                      bool still, double *J, int stride)
{
    const int *at = rig->at, V = IB_RIG_VELOCITY;
    int m = IB_RIG_AIR + 2 * side;
    double *mass = J + (rig->state + m) * stride, *energy = mass + stride;
    double *work = J + at[ib__rig_work(side)] * stride;
    double *gained = J + (rig->gained + side) * stride;
    double push = s->area * v, grows = still ? 0 : s->pressure * s->area;
    add_row(mass, m, 1, s->m_x, s->m_m, s->m_U);
    add_row(energy, m, 1, s->U_x, s->U_m, s->U_U);
    add_row(J + at[IB_RIG_E_HEAT] * stride, m, 1, s->Q_x, s->Q_m, s->Q_U);
    add_row(work, m, push, s->P_x, 0, s->P_U);
    add_row(gained, m, 1, s->H_x + s->Q_x, s->H_m + s->Q_m, s->H_U + s->Q_U);
    add_row(gained, m, -push, s->P_x, 0, s->P_U);
    energy[V] = still ? 0 : s->U_v;
    work[V] = grows;
    gained[V] = -grows;
    // Inflow comes from the supply, outflow goes to the exhaust.
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
    const ib_FrictionModel *friction = &rig->piston.friction;
    bool ends = friction->excess[0] != 0 || friction->excess[1] != 0;
    bool known = ib_cylinder_has_slopes(cylinder) && !rig->piston.compliant && !ends;
    if (!known || rig->mode != IB_RIG_FIRST) return false;
    enum { X, V, AIR };
    ib_PistonState piston = ib__rig_piston(rig, own);
    bool still = ib_piston_stands(&rig->piston, piston.mode);
    double v = still ? 0 : piston.v;
    ib_CylinderSupply supply = ib__rig_supply(rig, own, input);
    ib_CylinderOpening open = ib_cylinder_open(cylinder, ib__rig_spool(rig, own, input),
                                               ib__rig_up(rig, own), supply.pressure);
    ib_ChamberSlopes s[IB_SIDES];
    for (int i = 0; i < IB_SIDES; i++) {
        s[i] = ib_chamber_slopes(cylinder, i, &open, &supply, piston.x, v, own + AIR);
        if (beyond_both(rig, &s[i], supply.pressure)) return false;
    }
    J += rig->state;
    for (int i = 0; i < IB_SIDES; i++) fill_side(rig, &s[i], i, v, still, J, stride);
    if (still) return true;
    double *row = J + (rig->state + V) * stride, per = rig->piston.per_mass, rate;
    double slope = ib_friction_slope(friction, v, piston.x, rig->piston.side_load);
    J[(rig->state + X) * stride + V] = 1;
    row[X] = (s[0].P_x * s[0].area + s[1].P_x * s[1].area) * per;
    row[V] = -slope * per;
    row[AIR + IB_CYLINDER_CAP_ENERGY] = s[0].P_U * s[0].area * per;
    row[AIR + IB_CYLINDER_ROD_ENERGY] = s[1].P_U * s[1].area * per;
    J[rig->at[IB_RIG_E_FRICTION] * stride + V] =
        slope * v + ib_piston_friction(&rig->piston, &piston, &rate);
    J[rig->at[IB_RIG_E_LOAD] * stride + V] = input[rig->load];
    return true;
}
