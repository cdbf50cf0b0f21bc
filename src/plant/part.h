// plant/part.h: a part of a robot, and the wires between parts.
//
// A robot is a body and a list of parts (robot/parts.h). A part is a row of equals: all wheels, all
// gearmotors of a drive, one mechanism. It declares its quantities (plant/declare.h), and its
// physics are three calls:
//
//   offer   before the bus, along the list: its effects by its state and the inputs alone.
//           Speeds of shafts, emf and resistance of bridges, mass and where it stands.
//   push    given currents and pressures, against the list: torques on shafts, forces on the body.
//   rate    given the accelerations of the body: the rates of its states.
//
// A driven part stands before its drive: wheels before their motors, so that speeds go one way and
// torques the other. A mechanism with reaction then gets the body's motion without it
// (robot/mechanisms.h); a part that only follows the body (`jump`) gets impulses. Guards, settle
// and output see the same wires, solved once an instant. Rows left out of a table mean none.
#ifndef IB_PLANT_PART_H
#define IB_PLANT_PART_H

#include "plant/air/air.h"
#include "plant/declare.h"
#include "plant/electric/power.h"
#include "plant/environment.h"
#include "plant/hook.h"
#include "plant/mass.h"
#include "plant/payload.h"
#include "plant/wheel/weight.h"

#include <math.h>

// The load that an arm moves on the body (robot/payload.h), and its accelerations by the arm.
typedef struct ib_LoadWires {
    ib_Payload p;
    double ddx, ddy;    ///< [m/s^2]
    double slope_power; ///< work of a slope along the arm [W]
} ib_LoadWires;

// The body for its parts; a body bolted to the floor has neither motion nor pushes.
typedef struct ib_BodyWires {
    double c, s;      ///< cosine and sine of its heading
    ib_Twist v;       ///< along its own axes
    ib_Twist a;       ///< rates of v
    ib_Weight weight; ///< with all that it carries
    ib_Cargo cargo;   ///< its load
    // For loads that may be off the middle (ib_Body.uneven):
    ib_Mass whole;      ///< with all that it carries
    double response[9]; ///< change of `a` by a wrench on it, rows
    ib_Wrench force;    ///< sum of forces on it
    double side;        ///< holding force of rolling axles, to the left [N]
    ib_LoadWires load;
    double pushed;  ///< power of external pushes [W]
    double gravity; ///< acceleration that presses it to the floor [m/s^2]
} ib_BodyWires;

// A mass on the body at (x, y) that moves forward and back in it with the momentum P: it pulls the
// body with -P' and, as the body turns, with -2 w P to the left. Its work beside that of `pushed`:
//   -(m r'' + w x m r') . (v + w x r)                                 docs/plant/body.md, "Energy"
static inline void ib_body_recoil(ib_BodyWires *b, double x, double y, double P, double dP)
{
    double side = b->v.w * P;
    b->force.fx -= dP;
    b->force.fy -= 2 * side;
    b->force.torque += y * dP - 2 * x * side;
    b->pushed -= dP * (b->v.u - b->v.w * y) + side * (b->v.n + b->v.w * x);
}

// The body where a part that reacts is mounted, along its forward axis. All zero: it stands.
typedef struct ib_Mount {
    double give;  ///< change of `speed` by an impulse there [1/kg]
    double speed; ///< over the floor [m/s]
    double felt;  ///< acceleration of the part's mass if fixed in the robot [m/s^2]
} ib_Mount;

// Shafts are counted as bridges are: each has one, or none where no motor turns it.
enum { IB_SHAFTS_MAX = IB_BRIDGES_MAX };

enum { IB_JOINTS_MAX = 24 };

// A joint of the body on which parts act: an angle [rad], or a length [m] of a slide or a tendon.
typedef struct ib_JointWire {
    double position, speed;   ///< of a tendon: from `push` on
    double force;             ///< sum of driving torques [N m] or forces [N]
    double damping, friction; ///< added by parts: viscous [N m s/rad], dry [N m]
} ib_JointWire;

// Everything that parts tell each other at one instant.
typedef struct ib_Wires {
    const double *x, *input; ///< the robot's whole state and inputs
    const struct ib_Feed *feed;
    double gravity; ///< into the floor [m/s^2]
    bool on;        ///< outputs follow their commands: there is power and no brownout
    bool free;      ///< no bridge is open or limited, no current is given: ib_bus_free
    ib_BodyWires body;
    ib_Mount mount;                   ///< of the one part that reacts
    ib_HookNow hook;                  ///< of the one by which the robot hangs, where it has one
    struct ib_MujocoWorkspace *world; ///< MuJoCo's results, for `output`; NULL: it moves no body
    ib_JointWire joint[IB_JOINTS_MAX];
    double duty[IB_SHAFTS_MAX];   ///< command of a bridge, -1 .. 1
    double speed[IB_SHAFTS_MAX];  ///< behind the gear [rad/s]
    double turns[IB_SHAFTS_MAX];  ///< of a motor, before it [rad/s]
    double torque[IB_SHAFTS_MAX]; ///< of motors and gear on it [N m]
    ib_Bridge bridge[IB_BRIDGES_MAX];
    ib_PowerNow power; ///< the bus, solved with all bridges
    ib_AirInput asked; ///< of the robot's air
    ib_AirSupply air;  ///< air supply of that
    ib_AirDraw draw;   ///< use of it by the parts
} ib_Wires;

// Gravity in the floor's frame: along it, forward and left of the robot, and into it [m/s^2].
typedef struct ib_Gravity {
    double x, y, down;
    double whole; ///< its size
} ib_Gravity;

static inline ib_Gravity ib_gravity_now(const ib_Wires *w)
{
    double sx = w->input[IB_SLOPE_X], sy = w->input[IB_SLOPE_Y], down = w->gravity;
    const ib_BodyWires *b = &w->body;
    if (sx == 0 && sy == 0) return (ib_Gravity){0, 0, down, down};
    return (ib_Gravity){sx * b->c + sy * b->s, sy * b->c - sx * b->s, down,
                        sqrt(down * down + (sx * sx + sy * sy))};
}

// The weight of a robot at rest on this floor, the centre of pressure where its wheels hold it: as
// high as its mass is, gravity's direction takes it downhill.
static inline ib_Weight ib_weight_resting(const ib_Wires *w)
{
    ib_Gravity g = ib_gravity_now(w);
    ib_Weight weight = w->body.weight;
    if (!(g.down > 0)) return weight;
    weight.x += weight.height * (g.x / g.down);
    weight.y += weight.height * (g.y / g.down);
    return weight;
}

typedef struct ib_PartKind {
    const char *name;
    size_t notes; ///< bytes that one of its calls leaves for the next, at one instant
    // The state at t = 0, all zero but for the body's before. `config`: the kind's, for a part of
    // that kind alone; wires: the body and the inputs.
    void (*reset)(const void *part, const void *config, const ib_Wires *wires, double *x);
    void (*offer)(const void *part, void *notes, ib_Wires *wires);
    void (*push)(const void *part, void *notes, ib_Wires *wires);
    // Rates; adds its use of air to the wires.
    void (*rate)(const void *part, const void *notes, ib_Wires *wires, double *dx);
    void (*guards)(const void *part, const void *notes, const ib_Wires *wires, double *guards);
    // Step of states with a method of their own, on a body with an integrator of its own: from the
    // state and the joints `from` on, with every joint at constant speed to its place in the wires
    // h seconds later. Adds its use of air over that time to the wires.
    void (*follow)(const void *part, const ib_JointWire *from, ib_Wires *wires, double h,
                   double *next);
    // Brings modes in line with state and inputs: true when one has changed.
    bool (*settle)(const void *part, const void *notes, const ib_Wires *wires, double *x);
    // Effect of a jump of the body's velocity, along its own axes, on its states; for external
    // additions to the body's accelerations, the same on their rates. Linear, in every state.
    void (*jump)(const void *part, const double *x, const ib_Twist *body, double *change);
    // Signals that are no states; those of books are added, for several parts may have a share.
    void (*output)(const void *part, const void *notes, const ib_Wires *wires, double *signals);
    // True if a wheel or a foot of it has no load. For parts that carry the body.
    bool (*lifts)(const void *part, const void *notes, const ib_Wires *wires);
    // Energy of parts turning with the body at the start [J].
    double (*kinetic)(const void *part, const ib_Wires *wires);
    // Longest step of euler and rk4 from this state on, and whether one step may lead from one
    // state to another: as ib_RobotKind.longest and .accept_step.
    double (*longest)(const void *part, const double *x);
    bool (*accept_step)(const void *part, const double *before, const double *after,
                        const double *error);
    // df/dx of all its rates, as ib_RobotKind.jacobian, by its own states: `own_states` of them
    // from `first` on, which no other part reads. The other columns are found by differences.
    bool (*jacobian)(const void *part, const double *x, const double *input, double *J, int stride);
    int (*own_states)(const void *part, int *first);
} ib_PartKind;

#endif
