// control/leg.h: one move over the field: to a point, a turn, or along a planned path.
// It makes velocities of a base from where that takes itself to be. docs/control/routine.md
//
// A base that goes any way drives straight there and turns meanwhile. One with two sides turns
// towards the point (or away from it, and drives back, where that is the shorter turn), drives, and
// turns as asked for. Reference and law:
//
//   v = v_ref + k e + i,   w = w_ref + k e_heading + i
//
// The reference is a trapezoid of speed; i grows only where the reference has ended and something
// is left, so that nothing overshoots. On a line with two sides w = k e_heading + q v e_across.
// Around obstacles a leg goes from point to point of a detour, each found from where it is then; a
// base that goes any way passes them without standing.
// Everything remembered is in the caller's IB_LEG_STATES doubles.
#ifndef IB_CONTROL_LEG_H
#define IB_CONTROL_LEG_H

#include "control/detour.h"
#include "control/locomotion.h"
#include "control/planned.h"

typedef enum ib_LegKind {
    IB_LEG_TO,    ///< a point of the field
    IB_LEG_BY,    ///< a way along the field's axes
    IB_LEG_AHEAD, ///< a way along the robot's own: x forward, y to the left
    IB_LEG_PATH,  ///< a planned path
    IB_LEG_HOLD,  ///< stays where it is for a time
} ib_LegKind;

typedef enum ib_LegHeading {
    IB_LEG_KEEPS,   ///< the heading at the beginning
    IB_LEG_TURNS,   ///< by `heading`
    IB_LEG_FACES,   ///< `heading`, by the shorter turn
    IB_LEG_ANY_WAY, ///< whichever it has then; as IB_LEG_KEEPS for a base that goes any way
    IB_LEG_PLANNED, ///< of IB_LEG_PATH: as the path says at any time; so has a base with two sides
} ib_LegHeading;

typedef struct ib_LegConfig {
    ib_LegKind kind;
    double x, y; ///< [m]; (0, 0) by or ahead: a turn on the spot
    ib_LegHeading end;
    double heading;                    ///< [rad]
    double speed, acceleration;        ///< of the reference [m/s, m/s^2], > 0
    double turn_speed, turn_quickness; ///< [rad/s, rad/s^2], > 0
    double near, near_angle;           ///< what is near enough [m, rad], > 0
    const ib_PlannedPath *path;        ///< of IB_LEG_PATH, field frame,
    bool here;                         ///< or that of the robot where it begins
    double time;                       ///< of IB_LEG_HOLD [s], >= 0
    bool detours;                      ///< not of a path: around what stands in the way,
    const ib_Detour *around;           ///< as this knows it
} ib_LegConfig;

// Where a base takes itself to be.
typedef struct ib_LegPose {
    double x, y, heading;          ///< field frame [m, m, rad]
    double forward, left, turning; ///< velocities, robot frame [m/s, m/s, rad/s]
} ib_LegPose;

enum {
    IB_LEG_PHASE, ///< 0: not begun; 1, 2, 3: turns, drives, turns; 4: it has arrived
    IB_LEG_TIME,  ///< since the phase began [s]
    IB_LEG_FROM,  ///< x, y, heading at which the phase began
    IB_LEG_GOAL = IB_LEG_FROM + 3,     ///< x, y, heading
    IB_LEG_COURSE = IB_LEG_GOAL + 3,   ///< heading on the line [rad], and 1: ahead, -1: back
    IB_LEG_LEARNT = IB_LEG_COURSE + 2, ///< i: along, across (field x, y), turn
    IB_LEG_NEXT =
        IB_LEG_LEARNT + 3,          ///< x, y to which the line goes: the goal, or a point before it
    IB_LEG_SPEED = IB_LEG_NEXT + 2, ///< along the line, where the phase began [m/s]
    IB_LEG_LOST,                    ///< 1: there is no way to the goal
    IB_LEG_STATES,
};

// Begins at a pose; the state is all zero before.
void ib_leg_begin(const ib_LegConfig *config, const ib_Locomotion *base, const ib_LegPose *pose,
                  double *state);

// One period of dt [s] > 0: the velocities that are asked for. True: it has arrived, and stands.
bool ib_leg_step(const ib_LegConfig *config, const ib_Locomotion *base, const ib_LegPose *pose,
                 double dt, double *state, ib_AxisMotion *motion);

// The motion that keeps a base at rest between two legs, once a period of dt [s] > 0: none, or what
// brakes it where commands of 0 would let it roll on.
void ib_leg_stand(const ib_Locomotion *base, const ib_LegPose *pose, double dt,
                  ib_AxisMotion *motion);

// How far it is from where it shall end: a way [m] and an angle [rad].
void ib_leg_left(const ib_LegConfig *config, const ib_LegPose *pose, const double *state,
                 double *way, double *angle);

// How long the reference takes for a leg from this pose [s]: what it promises.
double ib_leg_promise(const ib_LegConfig *config, const ib_Locomotion *base,
                      const ib_LegPose *pose);

// Where the reference was as the last period of dt [s] began: x, y, heading; of a leg that has
// arrived, its goal.
void ib_leg_reference(const ib_LegConfig *config, const ib_Locomotion *base, const ib_LegPose *pose,
                      double dt, const double *state, double reference[3]);

// Where a leg from this pose ends, if all goes well: x, y, heading.
void ib_leg_end(const ib_LegConfig *config, const ib_Locomotion *base, const ib_LegPose *pose,
                double end[3]);

// The path of IB_LEG_PATH at a time, laid where it begins: x, y, heading of the robot then.
ib_PlannedSample ib_leg_path_at(const ib_LegConfig *config, const double from[3], double t);

#endif
