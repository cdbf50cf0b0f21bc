// control/routine/move.h: one move over the field: to a point, a turn, or along a planned path. It
// computes velocities of a base from its estimated pose. docs/control/routine.md
//
// A base that goes any way drives straight there and turns meanwhile. One with two sides turns
// towards the point (or away from it, and drives back, if that is the shorter turn), drives, and
// turns to the wanted heading. The reference is a trapezoid of speed. An integral is added to the
// law of control/path/tracking.h; it grows only after the end of the reference, with a remaining
// error, to avoid overshoot. Around obstacles a move goes from point to point of a detour, each
// found from the present place; a base that goes any way passes them without stops. The state is in
// the caller's IB_MOVE_STATES doubles.
#ifndef IB_CONTROL_ROUTINE_MOVE_H
#define IB_CONTROL_ROUTINE_MOVE_H

#include "control/path/detour.h"
#include "control/path/planned.h"
#include "control/path/tracking.h"

#define IB_MOVE_GAIN 4.0 ///< K of the law [1/s]

typedef enum ib_MoveKind {
    IB_MOVE_TO,    ///< a point of the field
    IB_MOVE_BY,    ///< a way along the field's axes
    IB_MOVE_AHEAD, ///< a way along the robot's own: x forward, y to the left
    IB_MOVE_PATH,  ///< a planned path
    IB_MOVE_HOLD,  ///< holds its place for a time
} ib_MoveKind;

typedef enum ib_MoveHeading {
    IB_MOVE_KEEPS,   ///< the heading at the beginning
    IB_MOVE_TURNS,   ///< by `heading`
    IB_MOVE_FACES,   ///< `heading`, by the shorter turn
    IB_MOVE_ANY_WAY, ///< whichever it has then; as IB_MOVE_KEEPS for a base that goes any way
    IB_MOVE_PLANNED, ///< of IB_MOVE_PATH: as the path says at any time; so do two sides
} ib_MoveHeading;

typedef struct ib_MoveConfig {
    ib_MoveKind kind;
    double x, y; ///< [m]; (0, 0) by or ahead: a turn on the spot
    ib_MoveHeading end;
    double heading;                    ///< [rad]
    double speed, acceleration;        ///< of the reference [m/s, m/s^2], > 0
    double turn_speed, turn_quickness; ///< [rad/s, rad/s^2], > 0
    double near, near_angle;           ///< tolerances [m, rad], > 0
    const ib_PlannedPath *path;        ///< of IB_MOVE_PATH, field frame,
    bool here;                         ///< or that of the robot where it begins
    double time;                       ///< of IB_MOVE_HOLD [s], >= 0
    bool detours;                      ///< not of a path: around obstacles,
    const ib_Detour *around;           ///< as this knows it
} ib_MoveConfig;

enum {
    IB_MOVE_PHASE, ///< 0: not begun; 1, 2, 3: turns, drives, turns; 4: it has arrived
    IB_MOVE_TIME,  ///< since the phase began [s]
    IB_MOVE_FROM,  ///< x, y, heading at which the phase began
    IB_MOVE_GOAL = IB_MOVE_FROM + 3,     ///< x, y, heading
    IB_MOVE_COURSE = IB_MOVE_GOAL + 3,   ///< heading on the line [rad], and 1: ahead, -1: back
    IB_MOVE_LEARNT = IB_MOVE_COURSE + 2, ///< i: along, across (field x, y), turn
    IB_MOVE_NEXT =
        IB_MOVE_LEARNT + 3, ///< x, y to which the line goes: the goal, or a point before it
    IB_MOVE_SPEED = IB_MOVE_NEXT + 2, ///< along the line, where the phase began [m/s]
    IB_MOVE_LOST,                     ///< 1: there is no way to the goal
    IB_MOVE_STATES,
};

// Begins at a pose; the state is all zero before.
void ib_move_begin(const ib_MoveConfig *config, const ib_Locomotion *base, const ib_BasePose *pose,
                   double *state);

// One period of dt [s] > 0: the velocities that are asked for. True: it has arrived, and stands.
bool ib_move_step(const ib_MoveConfig *config, const ib_Locomotion *base, const ib_BasePose *pose,
                  double dt, double *state, ib_AxisMotion *motion);

// Remaining distance from its end: a way [m] and an angle [rad].
void ib_move_left(const ib_MoveConfig *config, const ib_BasePose *pose, const double *state,
                  double *way, double *angle);

// Duration of the reference for a move from this pose [s]: its promise.
double ib_move_promise(const ib_MoveConfig *config, const ib_Locomotion *base,
                       const ib_BasePose *pose);

// Place of the reference at the beginning of the last period of dt [s]: x, y, heading; after
// arrival, the goal.
void ib_move_reference(const ib_MoveConfig *config, const ib_Locomotion *base,
                       const ib_BasePose *pose, double dt, const double *state,
                       double reference[3]);

// End of a move from this pose, if it succeeds: x, y, heading.
void ib_move_end(const ib_MoveConfig *config, const ib_Locomotion *base, const ib_BasePose *pose,
                 double end[3]);

// The path of IB_MOVE_PATH at a time, laid where it begins: x, y, heading of the robot then.
ib_PlannedSample ib_move_path_at(const ib_MoveConfig *config, const double from[3], double t);

#endif
