// plant/air/piston.h: a mass on the rod of a cylinder, between two stops: friction, sticking,
// bounces. The derivation is in docs/plant/cylinder.md#the-piston.
//
//   m v' = N - F(v) + S,    N: air, weight, load; F: the seals; S: a stop, all but F towards
//                           extension [N]
//
// A piston at a rigid stop stands: position and speed stay, as those of one that is stuck or held.
#ifndef IB_PLANT_AIR_PISTON_H
#define IB_PLANT_AIR_PISTON_H

#include "base/extreme.h"
#include "plant/air/friction.h"

enum { IB_STOPS_RIGID, IB_STOPS_COMPLIANT };

typedef struct ib_PistonConfig {
    double mass;                         ///< moving mass: piston, rod and load [kg], > 0
    bool locked;                         ///< the rod is held where it starts
    int stops;                           ///< IB_STOPS_RIGID …
    double restitution;                  ///< of rigid stops, 0 .. 1
    double stop_stiffness, stop_damping; ///< of compliant ones: k [N/m], a [s/m]
    double side_load;                    ///< across the rod [N], >= 0
    ib_FrictionConfig friction;
} ib_PistonConfig;

typedef struct ib_PistonModel {
    double mass, per_mass, stroke;
    double low, high; ///< its rigid stops [m]
    bool locked, compliant, sticks, bristles;
    double restitution, stiffness, damping, side_load;
    double slack; ///< a stop is reached this far behind it [m],
    double grip;  ///< and lets go, as a stuck piston does, at this force more [N]
    ib_FrictionModel friction;
} ib_PistonModel;

// Its mode.
enum {
    IB_PISTON_LOW = -2,  ///< at the retracted stop
    IB_PISTON_BACK = -1, ///< slides towards it: friction that sticks knows a direction
    IB_PISTON_STUCK = 0,
    IB_PISTON_FORTH = 1, ///< slides towards the extended stop; other laws: moves either way
    IB_PISTON_HIGH = 2,
};

typedef struct ib_PistonState {
    double x, v, bristle; ///< [m], [m/s]; deflection of the seals' bristles (LuGre) [m]
    int mode;
} ib_PistonState;

typedef struct ib_PistonNow {
    double friction; ///< against positive motion [N]
    double stop;     ///< of a stop, or of a hold of the rod, outwards [N]
    double acceleration, bristle_rate;
} ib_PistonNow;

// `dead`: length of the chamber behind each end [m].
void ib_piston_init(const ib_PistonConfig *config, double stroke, const double dead[2],
                    ib_PistonModel *piston);

// Margins, positive as long as the mode stays: of the stops (between them [m], at one [N]), of
// sticking (stuck [N], in motion [m/s]). `net`: N, used only of a piston that stands.
enum { IB_PISTON_MARGIN_STOP, IB_PISTON_MARGIN_STICK, IB_PISTON_MARGINS };
void ib_piston_margins(const ib_PistonModel *piston, const ib_PistonState *state, double net,
                       double margins[IB_PISTON_MARGINS]);

// Brings the mode in line; true when something changed. `lost` gets the energy that a stop took.
bool ib_piston_settle(const ib_PistonModel *piston, double net, ib_PistonState *state,
                      double *lost);

// True if it is at rest: held, at a stop, or stuck.
IB_FORMULA bool ib_piston_stands(const ib_PistonModel *p, int mode)
{
    return p->locked || mode == IB_PISTON_LOW || mode == IB_PISTON_HIGH || mode == IB_PISTON_STUCK;
}

// Penetration of a compliant end; negative: of the retracted one.
IB_FORMULA double ib_piston_beyond(const ib_PistonModel *p, double x)
{
    return p->compliant ? ib_min(x, 0) + ib_max(x - p->stroke, 0) : 0;
}

// A compliant stop pushes in proportion to d, the way beyond it, and to its speed [Hunt, Crossley]:
//   S = k d max(0, 1 + a d'),   which neither jumps at the touch nor pulls
IB_FORMULA double ib_piston_stop(const ib_PistonModel *p, double x, double v)
{
    double beyond = ib_piston_beyond(p, x), closing = beyond < 0 ? -v : v;
    return -p->stiffness * beyond * ib_max(1 + p->damping * closing, 0);
}

// Friction while it moves, and how its bristles go on.
IB_FORMULA double ib_piston_friction(const ib_PistonModel *p, const ib_PistonState *s,
                                     double *bristle_rate)
{
    if (p->bristles) {
        ib_FrictionBristle b =
            ib_friction_lugre(&p->friction, s->v, s->bristle, s->x, p->side_load);
        *bristle_rate = b.rate;
        return b.force;
    }
    if (p->sticks)
        return ib_friction_sliding(&p->friction, s->v, s->mode < 0 ? -1 : 1, s->x, p->side_load);
    return ib_friction_force(&p->friction, s->v, s->x, p->side_load);
}

IB_FORMULA ib_PistonNow ib_piston_now(const ib_PistonModel *p, const ib_PistonState *s, double net)
{
    bool stands = ib_piston_stands(p, s->mode);
    ib_PistonNow now = {0, 0, 0, 0};
    if (!stands || p->bristles) now.friction = ib_piston_friction(p, s, &now.bristle_rate);
    if (!stands) {
        now.stop = ib_piston_stop(p, s->x, s->v);
        now.acceleration = (net - now.friction + now.stop) * p->per_mass;
    } else if (s->mode == IB_PISTON_STUCK && !p->locked) {
        now.stop = ib_piston_stop(p, s->x, 0);
        now.friction = net + now.stop;
    } else {
        now.stop = now.friction - net;
        now.bristle_rate = 0;
    }
    return now;
}

#endif
