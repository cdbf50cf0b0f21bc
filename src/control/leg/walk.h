// control/leg/walk.h: a period of a robot that walks: from what its legs and its attitude are
// measured to be, to the valve or the angle of each joint. docs/control/walk.md
//
//   gait       phase -> who stands, who swings, where the body shifts         (control/leg/gait.h)
//   targets    of feet in the body's frame: on the ground that passes by, or in the air (swing.h)
//   wrench     b = M (g up + a_shift) + D (v_wanted - v), no moment
//   forces     of the feet that stand                                         (stance.h)
//   torques    T = -J' f - sum m J' g + Kp (q_d - q) + Kd (q_d' - q')
//   valves     from torques and pressures (force_servo.h); a servo is told q_d itself
//
// Frames: the body's, x forward, y left, z up; its attitude is measured. The place of the body is
// the sum of the ways of its standing feet.
#ifndef IB_CONTROL_WALK_H
#define IB_CONTROL_WALK_H

#include "control/leg/force_servo.h"
#include "control/leg/gait.h"
#include "control/leg/stance.h"

enum { IB_WALK_FORWARD, IB_WALK_LEFT, IB_WALK_TURN, IB_WALK_TWIST };

// Why the phase waits: a foot has not landed, a lift would tip the body, a cylinder is too weak, or
// the foot that lifts next still bears load.
typedef enum ib_WalkHold {
    IB_WALK_GOES,
    IB_WALK_LATE,
    IB_WALK_UNSAFE,
    IB_WALK_TOO_WEAK,
    IB_WALK_UNLOADS,
} ib_WalkHold;

typedef enum ib_FootState { IB_FOOT_SWINGS, IB_FOOT_SEARCHES, IB_FOOT_STANDS } ib_FootState;

typedef struct ib_WalkConfig {
    double period;      ///< [s]
    double filter_time; ///< of rates, which are found by differences [s]

    int gait;    ///< ib_GaitName, that it begins with; its numbers, +infinity: its own:
    double duty; ///< part of a cycle that a foot stands
    double phase[IB_LEG_LEGS]; ///< in which each foot lifts
    double cycle;              ///< [s]; +infinity: by the speed,
    double stride;             ///< the way of the ground in one [m]
    double lift;               ///< of a foot [m]
    double ramp;               ///< of a foot's load, before it lifts and after it lands [s]
    double damping;            ///< D [N s/m]
    double width;              ///< of the shift to each side [m]
    double acceleration[2];    ///< of the twist: [m/s^2], [rad/s^2]
    double landing;            ///< force that tells a landing, after half a swing [N]
    double press;              ///< depth below the ground at which a swing aims [m]
    double sink;               ///< speed of the search for ground [m/s]
    double depth;              ///< that it searches at most [m]
    double give;               ///< that a foot stays above its target tells a landing, too [m]

    double heading_gain, place_gain; ///< speeds for errors [1/s]
    double level_time;               ///< in which height and plane of the feet return [s]
    ib_StanceConfig stance;
    double kp[IB_LEG_JOINTS], kd[IB_LEG_JOINTS]; ///< [N m/rad], [N m s/rad]
    double swing_gain;                           ///< part of these in the air
    int rise;                                    ///< 1: it gets up again by itself
    double rise_after;                           ///< rest before it does [s]
    double mass;                                 ///< of the body without its legs [kg]
} ib_WalkConfig;

// What it does about a fall (walk_fall.c).
typedef enum ib_FallMode {
    IB_FALL_UPRIGHT,
    IB_FALL_FALLS, ///< its valves are closed
    IB_FALL_LIES,  ///< it rests, as long as it may not rise
    IB_FALL_TURNS, ///< onto its belly
    IB_FALL_RISES,
    IB_FALL_CANNOT, ///< get up
} ib_FallMode;

typedef struct ib_WalkJoint {
    bool set;   ///< by this loop
    bool valve; ///< a valve; else an angle
    double low, high;
    ib_LinkageModel linkage;
    ib_ForceServo servo;
} ib_WalkJoint;

typedef struct ib_Walk {
    ib_WalkConfig config;
    ib_Gait gaits[IB_GAITS][2]; ///< forward and backward
    ib_Gait gather;             ///< brings feet home that stand wide
    ib_LegModel leg_model;
    ib_Pose shoulders[IB_LEG_LEGS];
    ib_WalkJoint joints[IB_LEGS_JOINTS];
    double home[IB_LEG_LEGS][3]; ///< places of the feet at the start, in the body's frame [m]
    double wide[IB_LEG_LEGS][3]; ///< the same while it rises
    double lift, share; ///< that the weakest foot lifts, and should with friction, on the floor [N]
    double start[IB_LEGS_JOINTS]; ///< angles [rad]
    double height;                ///< of the body above the feet's centres at the start [m]
    double mass;                  ///< with its legs [kg]
    double centre[3];             ///< of the body without legs, times its share of the mass [m]
    double gravity, foot_radius;
    double heading; ///< of the body at the start [rad]
} ib_Walk;

// What it measures in a period.
typedef struct ib_WalkSenses {
    double angle[IB_LEGS_JOINTS];
    double push[IB_LEGS_JOINTS]; ///< of each cylinder [N]; of a joint without one 0
    double weight[IB_LEG_LEGS];  ///< force of the ground on each foot, upwards [N]; NaN: by pushes
    double pitch, roll, heading; ///< [rad]
    double twist[IB_WALK_TWIST]; ///< goals [m/s], [rad/s]
    double gait;                 ///< goal: ib_GaitName
    double height, tilt[2];      ///< goals: above the feet's centres [m]; pitch, roll [rad]
} ib_WalkSenses;

typedef struct ib_WalkFoot {
    double state;       ///< ib_FootState
    double target[3];   ///< in the body's frame [m]
    double velocity[3]; ///< of the target
    double from[3];     ///< where it lifted
    double part;        ///< of its swing that is done, 0 .. 1
    double stumbles;    ///< of this swing
    double slid;        ///< way over the ground, beyond what it seems to slide by noise [m]
    double drag[2];     ///< force of the ground on it along the body, by torques [N]
    double stood;       ///< since it landed [s]
    double load;        ///< share of load that it may bear, 0 .. 1
    double felt;        ///< force of the ground, upwards, by torques or by a sensor [N]
    double wanted;      ///< the same as shared [N]
    double miss;        ///< distance from its target [m]
} ib_WalkFoot;

// A fall, and the way up again.
typedef struct ib_WalkFall {
    double mode;                 ///< ib_FallMode
    double stage;                ///< of a mode that has several
    double since, still;         ///< time in this stage, and at rest in it [s]
    double side;                 ///< roll, from which it turns [rad]
    double leans;                ///< time for which it has leant far [s]
    double from[IB_LEGS_JOINTS]; ///< angles where the stage began [rad]
    double height, phase;        ///< that it shall have while it rises [m]; of the gait before
    double gathers;              ///< cycles in which its feet gather
    double home;                 ///< 1: it is up, and its feet come home before it goes
    double falls, rises, tries;  ///< counts; tries since it stood last
} ib_WalkFall;

// Its state: doubles alone.
typedef struct ib_WalkState {
    double ticks;
    double walks;          ///< 1: it does
    double cycle;          ///< [s]
    double phase;          ///< 0 .. 1
    double rested;         ///< cycles without a goal, while it walks; seconds, while it stands
    double behind;         ///< distance from its plan [m]
    double gait, back;     ///< ib_GaitName; 1: this cycle goes backward
    double since;          ///< time since this gait began [s]
    double held;           ///< ib_WalkHold: the phase waits
    double waits;          ///< time for which it has waited [s]
    double unsafe;         ///< time for which it has waited, since a lift would tip it [s]
    double pace;           ///< 0 .. 1: of the phase, less while the body is behind
    double velocity[2];    ///< of the body over the ground, by its legs, in its frame [m/s]
    double flow;           ///< part of the twist that acts: 0 as it waits
    double twist[3];       ///< goals after their ramp
    double speed[3];       ///< with the feedback of place and heading
    double from, shift[3]; ///< where the cycle's shift began, in widths; now: place, speed [m/s],
                           ///< acceleration [m/s^2]
    double lean[2];        ///< shift that keeps the centre above the feet on a slope [m]
    double heading;        ///< wanted
    double way[2];         ///< by the legs, along and across the body, so far [m]
    double plan[2], place[2]; ///< wanted; by the legs, from the start [m]
    double tilt[3], rate[3];  ///< pitch, roll and heading at the last period, and their rates
    double margin, unreached, stumbles, slips, weak, stuck; ///< counts, but for the margin [m]
    ib_WalkFall fall;
    double short_of[IB_LEGS_JOINTS]; ///< time for which a cylinder has been too weak [s]
    double angle[IB_LEGS_JOINTS], turn[IB_LEGS_JOINTS]; ///< measured, and their rates
    double goal[IB_LEGS_JOINTS], goal_rate[IB_LEGS_JOINTS];
    double torque[IB_LEGS_JOINTS]; ///< wanted [N m]
    ib_WalkFoot foot[IB_LEG_LEGS];
} ib_WalkState;

enum { IB_WALK_STATES = sizeof(ib_WalkState) / sizeof(double) };

// Four legs; `joints` are filled in by the caller.
void ib_walk_init(const ib_WalkConfig *config, const ib_ControlLegs *legs, ib_Walk *walk);
void ib_walk_reset(const ib_Walk *walk, ib_WalkState *state);

// One period; an output for each joint: volts or an angle.
void ib_walk_step(const ib_Walk *walk, const ib_WalkSenses *senses, ib_WalkState *state,
                  double output[IB_LEGS_JOINTS]);

#endif
