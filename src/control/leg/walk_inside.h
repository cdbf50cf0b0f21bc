// control/leg/walk_inside.h: the parts of a period of walking, in their order (control/leg/walk.h).
#ifndef IB_CONTROL_WALK_INSIDE_H
#define IB_CONTROL_WALK_INSIDE_H

#include "control/leg/walk.h"

// A leg as it is now, in the body's frame.
typedef struct ib__WalkLeg {
    double foot[3], velocity[3]; ///< [m], [m/s]
    double jacobian[9];
    double free[3]; ///< torques that hold it in the air [N m]
    double spin[3]; ///< rate of the tibia in the body's frame [rad/s]
} ib__WalkLeg;

typedef struct ib__WalkNow {
    double up[3], centre[3];
    ib__WalkLeg leg[IB_LEG_LEGS];
} ib__WalkNow;

#define IB_WALK_WEAK 0.3 ///< time for which a cylinder may miss its force [s]

static inline double ib__dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// x <- x + (y - x)/(1 + time/period)
static inline void ib__follow(double *x, double y, double time, double period)
{
    *x += (y - *x) * (period / (time + period));
}

// True while it stands and walks as ever; else it has fallen, or rises.
static inline bool ib__upright(const ib_WalkState *s)
{
    return s->fall.mode == IB_FALL_UPRIGHT;
}

static inline const ib_Gait *ib__walk_gait(const ib_Walk *walk, const ib_WalkState *s)
{
    if (!ib__upright(s)) return &walk->gather;
    return &walk->gaits[(int)s->gait][s->back > 0];
}

// The middle place of a foot [m].
static inline const double *ib__walk_middle(const ib_Walk *walk, const ib_WalkState *s, int leg)
{
    return ib__upright(s) ? walk->home[leg] : walk->wide[leg];
}

static inline bool ib__stands(const ib_WalkFoot *foot)
{
    return foot->state == IB_FOOT_STANDS;
}

// The margin of the feet that stand, seen along gravity, but for the foot `without` (-1: of all),
// of the place where the body would be if it went on for a time `ahead` [m].
double ib__walk_margin(const ib__WalkNow *now, const ib_WalkState *s, int without, double ahead);
// sqrt(h/g): a body that falls over its feet as a pendulum must have its feet so far ahead [s].
double ib__walk_ahead(const ib_Walk *walk);
// How far its feet are from their targets.
void ib__walk_judge(const ib__WalkNow *now, ib_WalkState *s);

// ------------------------------------------------------------------------------ falls, walk_fall.c

#define IB_WALK_FLAT 0.5 ///< tilt of a body on its belly, which can rise [rad]

// Sees a fall, and what follows from it; goals are bounded while it rises. True: its feet follow
// their targets by forces; false: `output` is set, and they do not.
bool ib__walk_fall(const ib_Walk *walk, const ib__WalkNow *now, ib_WalkSenses *senses,
                   ib_WalkState *s, double output[IB_LEGS_JOINTS]);
// Whether it has fallen, by its tilt and by how high its shoulders are over its feet.
bool ib__walk_fallen(const ib_Walk *walk, const ib__WalkNow *now, ib_WalkState *s);
double ib__walk_tilt(const ib__WalkNow *now); ///< from upright [rad]
// A mode of a fall begins, in a stage of it; a try to get up has failed.
void ib__fall_enter(ib_WalkState *s, int mode, int stage);
void ib__fall_fail(ib_WalkState *s);
// It stands with its feet where they are; its plan begins anew where it is.
void ib__walk_stand(const ib_Walk *walk, const ib__WalkNow *now, ib_WalkState *s);
void ib__walk_replan(ib_WalkState *s);

// The way up, walk_rise.c: `turn` onto its belly, `rise` from there, as ib__walk_fall.
void ib__walk_rise_init(const ib_ControlLegs *legs, ib_Walk *walk);
void ib__walk_turn(const ib_Walk *walk, const ib__WalkNow *now, const ib_WalkSenses *senses,
                   ib_WalkState *s, double output[IB_LEGS_JOINTS]);
bool ib__walk_rise(const ib_Walk *walk, const ib__WalkNow *now, ib_WalkSenses *senses,
                   ib_WalkState *s, double output[IB_LEGS_JOINTS]);
// True while its feet carry it.
bool ib__walk_on_feet(const ib_WalkState *s);
// True while all feet press from below: their targets are set by that.
bool ib__walk_lifts(const ib_WalkState *s);
// The moment that keeps the heading of a body which rises [N m]; else 0.
double ib__walk_steer(const ib_WalkState *s);

// ------------------------------------------------------------------------------------------ a gait

// The time of a cycle for a speed of the ground, if it follows from the speed [s].
double ib__walk_cycle(const ib_Gait *gait, double speed);
// Starts with a goal, and stops at the end of a cycle that had none.
void ib__walk_phase(const ib_Walk *walk, const ib_WalkSenses *senses, const ib__WalkNow *now,
                    ib_WalkState *s);
// Goals after their ramp, the place where the body should be, and the speeds that bring it there.
void ib__walk_speed(const ib_Walk *walk, const ib_WalkSenses *senses, ib_WalkState *s);
// True while some cylinder is too weak.
bool ib__walk_weak(const ib_WalkState *s);
// The body's shift to the side, and uphill; `moved`: in this period [m].
void ib__walk_shift(const ib_Walk *walk, const ib__WalkNow *now, ib_WalkState *s, double moved[2]);

// A foot's state and target; `height`: of the body.
void ib__walk_foot(const ib_Walk *walk, int i, const ib__WalkNow *now, double height,
                   const double moved[2], ib_WalkState *s);
// The plane through the feet's targets, z = a + b x + c y, returns to that of the goals.
void ib__walk_level(const ib_Walk *walk, const ib_WalkSenses *senses, ib_WalkState *s);
// Angles and rates of a leg's joints for its foot's target; each is kept within its range.
void ib__walk_angles(const ib_Walk *walk, int i, ib_WalkState *s);

#endif
