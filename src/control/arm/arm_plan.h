// control/arm/arm_plan.h: the fastest way along a path: speeds that motors and battery allow.
// The derivation is in docs/control/arm_plan.md. Works in the caller's memory: it runs at the desk
// and on a robot alike.
//
// Symbols: s, v, th', th" as in arm_path.h; K3 = push, K4 = drag of plant/electric/gearmotor.h.
//   V = K3^-1 (M(th) a + C(th, w) - weight(th) + K4 w)          linear in v', quadratic in v
#ifndef IB_CONTROL_ARM_PLAN_H
#define IB_CONTROL_ARM_PLAN_H

#include "control/arm/arm_path.h"
#include "plant/mechanism/mechanism.h"
#include "plant/two_link.h"

// The arm as a planner and a follower know it.
typedef struct ib_ArmPlant {
    ib_TwoLink link;
    ib_GearmotorModel gear[2]; ///< of each joint
    double reduction[2];       ///< G
    double gravity;            ///< g [m/s^2]
} ib_ArmPlant;

// Voltages that give these accelerations [V].
void ib_arm_volts(const ib_ArmPlant *arm, const double th[2], const double w[2], const double a[2],
                  double volts[2]);

// Limits; +infinity: none. One of volts, acceleration and current is finite.
typedef struct ib_ArmLimits {
    double volts[2];        ///< at a joint's motors, either way [V]
    double acceleration[2]; ///< A: (a1/A1)^2 + (a2/A2)^2 <= 1 [rad/s^2]
    double current[2];      ///< in a joint's motors together, either way [A]
    double speed[2];        ///< of a joint, either way [rad/s]
    // Battery: all motors draw from it, |V_i| <= U = E - R sum I_i V_i/U; resistance 0: it does
    // not sag, and `volts` alone counts.
    double battery, resistance; ///< E [V], R [ohm]
} ib_ArmLimits;

// The cause of a failed plan, for messages.
typedef enum ib_ArmFault {
    IB_ARM_FINE,
    IB_ARM_CANNOT_HOLD,  ///< not even at rest: `joint` needs most beyond a limit at `point`
    IB_ARM_CANNOT_MOVE,  ///< there is no speed at which it can go on from `point`
    IB_ARM_CANNOT_BRAKE, ///< it begins too fast to keep within its limits
} ib_ArmFault;

typedef struct ib_ArmVerdict {
    ib_ArmFault fault;
    int point, joint; ///< place of the fault
    double needs;     ///< of the limit, 1: all of it
} ib_ArmVerdict;

// A path with its times, in the caller's memory: `count` of each. In a cell, from a point to the
// next, v' is linear in time; speeds and time of the cell determine it.
typedef struct ib_ArmTiming {
    double *v;    ///< speed at each point [rad/s]
    double *t;    ///< time at the point [s]
    double *work; ///< 4 * count of scratch memory, free again when the plan is made
} ib_ArmTiming;

typedef struct ib_ArmEnds {
    double begin, end; ///< speed v at both ends [rad/s]
} ib_ArmEnds;

// (a) The passes of the source document: curvature, backward, forward, with `parts` sub-steps of
// Euler in s in each cell. Kept for comparison: it goes beyond its limits by a few per cent. In
// `work` (may be NULL) it leaves the speeds after the first pass, `count` of them, then those after
// the second.                                                             [FRC 971, 2018]
ib_ArmVerdict ib_arm_plan_passes(const ib_ArmPlant *arm, const ib_ArmLimits *limits,
                                 const ib_ArmPath *path, int parts, ib_ArmTiming *timing);

// (b) By reachability: backwards the speeds from which the end can still be met, forwards the
// fastest of them. Both ends of every cell are within all limits; within a cell they are kept to
// 4e-5 of each. Cells of 0.02 rad are short enough for that; 2000 points take 1.5 ms.
ib_ArmVerdict ib_arm_plan_reach(const ib_ArmPlant *arm, const ib_ArmLimits *limits,
                                const ib_ArmPath *path, ib_ArmEnds ends, ib_ArmTiming *timing);

// (c) The same from rest to rest with one rate in each cell: for motors nearly stopped by their own
// drag, on a path on which a joint hardly feels v'. There (b) finds a slow plan, or none. It takes
// longer by about a cell at each end and each switch; 800 points take 10 ms.
ib_ArmVerdict ib_arm_plan_even(const ib_ArmPlant *arm, const ib_ArmLimits *limits,
                               const ib_ArmPath *path, ib_ArmTiming *timing);

// Reference of a follower at time t: at rest before 0 and beyond the end. `hint`: index of a cell,
// for a walk through time; may be NULL.
typedef struct ib_ArmSample {
    double th[2], w[2], a[2];
    double volts[2]; ///< that do it
} ib_ArmSample;
ib_ArmSample ib_arm_sample(const ib_ArmPlant *arm, const ib_ArmPath *path,
                           const ib_ArmTiming *timing, double t, int *hint);

#endif
