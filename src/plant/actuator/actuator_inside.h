// plant/actuator/actuator_inside.h: declarations shared by the files of an actuator: its joints at
// one instant.
#ifndef IB_PLANT_ACTUATOR_INSIDE_H
#define IB_PLANT_ACTUATOR_INSIDE_H

#include "plant/actuator/actuator.h"

// Its sway on a moving base; all zero if its mass stays in place.
typedef struct ib__Sway {
    ib_MechanismSway own;
    double kappa; ///< k: how the base gives way to it [1/kg]; 0: it does not
} ib__Sway;

// Everything at one instant.
typedef struct ib__ActuatorNow {
    const void *model;         ///< of its kind, with the hand's present load
    ib_MechanismMemory loaded; ///< room for that
    ib__Sway sway;
    double felt;         ///< A: acceleration of its mass with the base, less the slope's
                         ///< share [m/s^2]
    double recoil;       ///< P': how its momentum along the floor grows [N]
    ib_Gravity g;        ///< as it acts on the mechanism
    ib_AirPush piston;   ///< where a cylinder moves it
    double piston_speed; ///< [m/s]
    double drag;         ///< of its seals [N]
    double torque[IB_MECHANISM_DRIVES]; ///< on the shafts [N m]
    double scaled;                      ///< power lost to a disturbance of its cylinder [W]
    double rate[IB_STATES_MAX];         ///< of the plant's states
    double level[IB_MECHANISM_JOINTS];  ///< of dry friction and brake [N], [N m]
    // Accelerations of all joints by a unit force or torque on one [1/kg], [1/(kg m^2)].
    double mobility[IB_MECHANISM_JOINTS][IB_MECHANISM_JOINTS];
    double hold[IB_MECHANISM_JOINTS]; ///< holding force of a joint at rest [N], [N m]
    double climb_rate;                ///< of a robot that its hook lifts [m/s^2]
} ib__ActuatorNow;

// Values for signals at this instant: the model with its load, the torques on the shafts. All other
// fields stay unchanged.
void ib__actuator_glance(const ib_Actuator *actuator, const ib_Wires *wires, ib__ActuatorNow *now);

// All forces at this instant: torques, friction, holding forces of joints at rest.
void ib__actuator_evaluate(const ib_Actuator *actuator, const ib_Wires *wires,
                           ib__ActuatorNow *now);

// actuator_sway.c: constants at this instant; the mobility M of joints on a base that gives way and
// their rates there, `begun` being B.
void ib__actuator_sway(const ib_Actuator *actuator, const void *model, const double *x,
                       const ib_Mount *base, ib__Sway *sway);
void ib__actuator_give_way(const ib__Sway *sway,
                           double M[IB_MECHANISM_JOINTS][IB_MECHANISM_JOINTS]);
void ib__actuator_sway_rates(const ib__Sway *sway, double begun,
                             double M[IB_MECHANISM_JOINTS][IB_MECHANISM_JOINTS],
                             double a[IB_MECHANISM_JOINTS]);
// Its hand takes hold of a mass, or lets some go; `base`: as it will be then.
bool ib__actuator_settle_load(const ib_Actuator *actuator, double mass, const ib_Mount *base,
                              const ib_Wires *wires, double *x);

// Its model with the hand's load: in `loaded`, or unchanged.
static inline const void *ib__actuator_model(const ib_Actuator *a, const double *x,
                                             ib_MechanismMemory *loaded)
{
    if (a->held < 0 || x[a->held] == a->mechanism.ports.load) return &a->mechanism.model;
    a->mechanism.kind->carry(&a->mechanism.model, x[a->held], loaded);
    return loaded;
}

static inline int ib__actuator_mode(const ib_Actuator *a, const double *x, int joint)
{
    return a->mode[joint] < 0 ? IB_JOINT_FREE : (int)x[a->mode[joint]];
}

static inline bool ib__actuator_stands(int mode)
{
    return mode >= IB_JOINT_LOW && mode <= IB_JOINT_HELD;
}

static inline double ib__actuator_gravity(const ib_Actuator *a, double field)
{
    return a->own_gravity ? a->mechanism.ports.gravity : field;
}

// Gravity of its own has the field's direction.
static inline ib_Gravity ib__actuator_pull(const ib_Actuator *a, const ib_Wires *w)
{
    ib_Gravity g = ib_gravity_now(w);
    double own = ib__actuator_gravity(a, g.whole);
    if (!a->own_gravity || (g.x == 0 && g.y == 0))
        return (ib_Gravity){g.x, g.y, a->own_gravity ? own : g.down, own};
    double scale = own / g.whole;
    return (ib_Gravity){scale * g.x, scale * g.y, scale * g.down, own};
}

// Place of the piston.
static inline ib_PistonPlace ib__actuator_piston(const ib_Actuator *a, const double *x)
{
    ib_PistonPlace place;
    a->mechanism.kind->piston(&a->memory, x + a->state, &place);
    return place;
}

// Accelerations of all joints by a force on one. A robot that is free to rise reduces the inertia J
// of the lift by its hook's carriage to J - m^2/M. So does a base that feels its arm.
static inline void ib__actuator_mobility(const ib_Actuator *a, const ib__ActuatorNow *now,
                                         const double *x,
                                         double M[IB_MECHANISM_JOINTS][IB_MECHANISM_JOINTS])
{
    const ib_HookModel *hook = &a->hook;
    a->mechanism.kind->mobility(now->model, x + a->state, M);
    if (a->config.reaction) ib__actuator_give_way(&now->sway, M);
    if (hook->on) M[0][0] = 1 / (1 / M[0][0] - hook->moved * hook->moved / hook->carrier.mass);
}

// Energies [J]; `field`: its gravity, which pulls the robot, where a hook lifts it:
//   M h'^2/2 + m h' v   beside the lift's own J v^2/2;   M g h, and compliant contacts
static inline ib_MechanismEnergy ib__actuator_energy(const ib_Actuator *a, const double *x,
                                                     double field)
{
    ib_MechanismEnergy e;
    ib_MechanismMemory loaded;
    double g = ib__actuator_gravity(a, field);
    a->mechanism.kind->energy(ib__actuator_model(a, x, &loaded), x + a->state, g, &e);
    if (!a->hook.on) return e;
    const double *own = x + a->hooked, mass = a->hook.carrier.mass;
    double climb = own[IB_HOOK_CLIMB], v = x[a->speed[0]];
    ib_HookNow now;
    ib_actuator_hook(a, x, &now);
    e.kinetic += climb * (0.5 * mass * climb + a->hook.moved * v);
    e.potential += mass * field * own[IB_HOOK_HEIGHT] + now.stored;
    return e;
}

// Kinetic and potential energy [J].
static inline double ib__actuator_stored(const ib_Actuator *a, const double *x, double field)
{
    ib_MechanismEnergy e = ib__actuator_energy(a, x, field);
    return e.kinetic + e.potential;
}

#endif
