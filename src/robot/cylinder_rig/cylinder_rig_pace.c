// robot/cylinder_rig/cylinder_rig_pace.c: the longest step of the rig, by its time scales.
#include "base/extreme.h"
#include "robot/cylinder_rig/cylinder_rig_inside.h"

// The fastest of the mass between two cushions of air at the supply's pressure [rad/s].
//   w^2 = k P (A_c^2/V_c + A_r^2/V_r)/m
static double swing(const ib_CylinderRigModel *rig)
{
    return sqrt(IB_AIR_HEAT_RATIO * rig->supply.pressure * ib_cylinder_cushions(&rig->cylinder) *
                rig->piston.per_mass);
}

// The fastest rates of a chamber, and of the line behind it, by ports, leaks and lost flows, with
// `flux` through an area at a pressure; a lost flow counts as the area that passes `most_flux`:
//   k R T A flux/V of the chamber,   R T A flux/V of the line
static double widest(const ib_CylinderRigModel *rig, double flux, double most_flux)
{
    const ib_CylinderModel *cylinder = &rig->cylinder;
    const ib_ProportionalModel *valve = &cylinder->valve;
    const ib_SupplyModel *supply = &rig->supply;
    double lost = valve->lost == IB_LOST_NONE ? 0 : valve->lost_flow / most_flux;
    double most = 0, kRT = cylinder->k1 * cylinder->cp * cylinder->temperature;
    for (int i = 0; i <= 40; i++) {
        double s = 0.25 * i - valve->centre;
        ib_CylinderOpening o =
            ib_cylinder_open(cylinder, s, ib_proportional_up(s), supply->pressure);
        double leaks = cylinder->leak_piston + cylinder->leak_seal + lost, all = 0, here = 0;
        for (int k = 0; k < IB_SIDES; k++) {
            double port = o.port[k].area + o.port[k].other_area;
            here = ib_max(here, (port + leaks) / cylinder->side[k].dead);
            all += port;
        }
        most = ib_max(most, flux * (kRT * here + supply->pressure_per_mass * all));
    }
    return most;
}

// The fastest decay of a chamber through its wide open port, where the flow is laminar, and of the
// line, through its regulator too, wide open over its band:
//   flux = C2/sqrt(T) |psi'(1)|
static double decay(const ib_CylinderRigModel *rig)
{
    const ib_CylinderModel *cylinder = &rig->cylinder;
    const ib_SupplyModel *supply = &rig->supply;
    double root = cylinder->root_temperature, low = ib_min(cylinder->exhaust, supply->pressure);
    double steep = ib_orifice_flow(&cylinder->orifice, 1, 1, root, 1 - 1e-6) / 1e-6;
    double wide = ib_orifice_flow(&cylinder->orifice, 1, low, root, 1);
    double regulator = ib_orifice_flow(&cylinder->orifice, supply->area, supply->source, root, 1);
    return widest(rig, steep, wide) + supply->pressure_per_mass * regulator * supply->per_band;
}

// Rate at which the walls warm the air of a chamber:  h A_w/(m cv)
static double warming(const ib_CylinderModel *c, int side, double way, double mass)
{
    return c->coefficient * ib_cylinder_walls(&c->side[side], way) / (mass * c->cv);
}

// The case of little air, at the lower of both outside pressures.
static double warming_at_end(const ib_CylinderModel *c)
{
    double least = ib_min(c->exhaust, c->atmosphere), most = 0;
    for (int i = 0; i < IB_SIDES; i++) {
        double mass = least * c->side[i].dead / (c->k1 * c->cv * c->temperature);
        most = ib_max(most, warming(c, i, 0, mass));
    }
    return most;
}

double ib_cylinder_rig_resolution(const ib_CylinderRigModel *rig)
{
    const ib_CylinderModel *cylinder = &rig->cylinder;
    double w = swing(rig), frequency = cylinder->valve.w;
    double warms = warming_at_end(cylinder);
    double step = ib_min(2.5 / (decay(rig) + warms + w), 0.3 / w);
    step = ib_min(step, ib_friction_resolution(&rig->piston.friction, rig->piston.mass, 1,
                                               rig->piston.side_load));
    if (rig->spool >= 0) step = ib_min(step, 1 / (frequency * ib_max(1, cylinder->valve.zeta)));
    if (rig->piston.compliant)
        step = ib_min(step, 0.3 / sqrt(rig->piston.stiffness * rig->piston.per_mass));
    return step;
}

// A step takes the piston no farther than to a compliant stop, and there a third of a radian on.
// The stop's damping adds to that of the friction: rk4 stands the sum of both, not each by itself.
//   w^2 = k (1 + a v)/m,   damping k a d/m + (dF/dv)/m
static double longest_at_stop(const ib_PistonModel *p, double x, double v)
{
    double w = sqrt(p->stiffness * (1 + p->damping * v) * p->per_mass);
    double way = ib_min(x, p->stroke - x), deep = ib_max(-way, 0);
    double drag = p->stiffness * p->damping * deep * p->per_mass;
    if (deep > 0) drag += ib_friction_steepest(&p->friction, p->side_load) * p->per_mass;
    return ib_min(ib_max(way, 0) / ib_max(v, 1e-9) + 0.3 / w, 2.5 / (drag + w));
}

// A chamber that is pressed harder than the supply does swings faster than `resolution` knows, a
// fast piston changes its volume and drags its bristles faster, and little air is warmed faster.
//   w^2 = k (P_c A_c^2/V_c + P_r A_r^2/V_r)/m;   V'/V = A v/V
double ib_cylinder_rig_longest(const void *rig_, const double *x_)
{
    const ib_CylinderRigModel *rig = rig_;
    const ib_CylinderModel *c = &rig->cylinder;
    const ib_PistonModel *piston = &rig->piston;
    const double *own = x_ + rig->state, *air = own + IB_RIG_AIR;
    double x = own[IB_RIG_POSITION], spring = 0, squeezed = 0, warms = 0;
    double v = ib__rig_stands(rig, own) ? 0 : fabs(own[IB_RIG_VELOCITY]);
    for (int i = 0; i < IB_SIDES; i++) {
        double way = ib_cylinder_way(c, i, x);
        double per_way = c->side[i].area / ib_cylinder_volume(&c->side[i], way);
        spring += air[2 * i + 1] * per_way * per_way;
        squeezed = ib_max(squeezed, per_way);
        warms = ib_max(warms, warming(c, i, way, air[2 * i]));
    }
    double w2 = IB_AIR_HEAT_RATIO * c->k1 * spring * piston->per_mass;
    double fastest = ib_max(sqrt(w2), v * squeezed), step = 0.3 / fastest;
    if (piston->compliant) step = ib_min(step, longest_at_stop(piston, x, v));
    if (piston->bristles && v > 1)
        step = ib_min(
            step, ib_friction_resolution(&piston->friction, piston->mass, v, piston->side_load));
    return c->coefficient > 0 ? ib_min(step, 2.5 / (warms + fastest)) : step;
}

// Rate at which the widest port, all choked, drains a chamber and the line:  flux = C2/sqrt(T)
static double drain(const ib_CylinderRigModel *rig)
{
    const ib_CylinderModel *cylinder = &rig->cylinder;
    double flux = ib_orifice_flow(&cylinder->orifice, 1, 1, cylinder->root_temperature, 1e-3);
    double low = ib_min(cylinder->exhaust, rig->supply.pressure);
    return widest(rig, flux, flux * low);
}

// An L-stable method has to follow the swing, half a millisecond for the thesis's rig, and must not
// empty a chamber within a step: with flows no longer linear, it would go below zero. Corners
// without a guard (the flow of a wide open valve that is no longer choked) and amplified errors (a
// bounce) take two thirds of that for the same error: docs/solver/solver_review.md
double ib_cylinder_rig_resolution_stiff(const ib_CylinderRigModel *rig)
{
    const ib_CylinderModel *cylinder = &rig->cylinder;
    bool smooth = rig->piston.friction.law == IB_FRICTION_STRIBECK &&
                  rig->piston.restitution == 0 && cylinder->orifice.law == IB_ORIFICE_IDEAL &&
                  cylinder->valve.law == IB_PROPORTIONAL_EQUIVALENT;
    double step = ib_min((smooth ? 0.21 : 0.14) / swing(rig), 1 / drain(rig));
    if (rig->spool >= 0) step = ib_min(step, 0.5 / cylinder->valve.w);
    if (rig->piston.compliant)
        step = ib_min(step, 0.4 / sqrt(rig->piston.stiffness * rig->piston.per_mass));
    return step;
}

// Could a step lead there? One whose air is not to be believed is too long; so is one in which half
// of the speed and 1 m/s, at a compliant stop 1 cm/s, come or go, and one that ends in no number.
static bool is_believable(const ib_CylinderRigModel *rig, const double *before, const double *after)
{
    double x = after[IB_RIG_POSITION], v = after[IB_RIG_VELOCITY], v0 = before[IB_RIG_VELOCITY];
    bool sound =
        isfinite(x) && isfinite(v) && ib_cylinder_sound(before + IB_RIG_AIR, after + IB_RIG_AIR);
    bool pressed = ib_piston_beyond(&rig->piston, x) != 0 ||
                   ib_piston_beyond(&rig->piston, before[IB_RIG_POSITION]) != 0;
    double jerk = fabs(v - v0) - 0.5 * ib_max(fabs(v), fabs(v0));
    return sound && (ib__rig_stands(rig, before) || jerk <= (pressed ? 0.01 : 1));
}

// Corners without a guard (a port no longer choked, a compliant stop, the steep line of friction)
// show in the error that a stiff step estimates of itself. If it is less than this, of the air and
// of 1 m/s and more, positions are right within some micrometres and pressures within some 1e-4:
// docs/solver/solver_review.md, "What the rig asks for"
#define CLOSE 1e-4

static bool is_close(const double *after, const double *error)
{
    bool close = fabs(error[IB_RIG_VELOCITY]) <= CLOSE * (1 + fabs(after[IB_RIG_VELOCITY]));
    for (int i = IB_RIG_AIR; i < IB_RIG_AIR + IB_CYLINDER_STATES; i++)
        close &= fabs(error[i]) <= CLOSE * after[i];
    return close;
}

bool ib_cylinder_rig_accept_step(const void *rig_, const double *before, const double *after,
                                 const double *error)
{
    const ib_CylinderRigModel *rig = rig_;
    return is_believable(rig, before + rig->state, after + rig->state) &&
           (!error || is_close(after + rig->state, error + rig->state));
}
