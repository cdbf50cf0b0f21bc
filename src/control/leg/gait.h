// control/leg/gait.h: the order of steps as a table: who swings when, where the body shifts. Its
// page is docs/control/walk.md.
//
// Times are parts of a cycle. A foot that lands half its stance's way before its middle place is
// there again after half of it; the body stands `shift` beside the middle as it lands:
//   touch-down = middle + 1/2 v (1 - swing) cycle - shift
#ifndef IB_CONTROL_GAIT_H
#define IB_CONTROL_GAIT_H

#include "control/leg/leg.h"

enum { IB_GAIT_SHIFTS = 4 };

typedef struct ib_GaitSwing {
    double start, end; ///< 0 <= start < end <= 1
} ib_GaitSwing;

// The body goes to `side` times the shift's width: 1: to the left.
typedef struct ib_GaitShift {
    double start, end, side;
} ib_GaitShift;

typedef enum ib_GaitName { IB_GAIT_CRAWL, IB_GAIT_TROT, IB_GAITS } ib_GaitName;

// All feet stand as a cycle begins, so that a gait may follow another there.
typedef struct ib_Gait {
    const char *name;
    ib_GaitSwing swing[IB_LEG_LEGS]; ///< fl, fr, rl, rr
    int shifts;
    ib_GaitShift shift[IB_GAIT_SHIFTS];
    bool careful;             ///< a foot lifts only where the others hold the body, at rest
    double quickest, slowest; ///< cycle [s]
    double stride;            ///< way of the ground in a cycle between these two [m]
    double lift;              ///< height of a step [m]
    double ramp;              ///< time in which a foot takes its load, and gives it away [s]
    double most[3];           ///< twist that it goes: [m/s], [m/s], [rad/s]; all of them share
                              ///< it, but for the first one of a careful gait
    double level_time;        ///< in which height and plane of the feet return [s]
    double sink;              ///< speed of a foot that finds no ground, downwards [m/s]
    double damping;           ///< force against an error of the body's velocity [N s/m]
    double acceleration[2];   ///< of the twist: [m/s^2], [rad/s^2]
    double catch_up;          ///< speed for an error of the place, at most [m/s]
    double height[2];         ///< goal of the height in which it goes, parts of that at the start
    double tilt;              ///< goal of pitch and roll, at most [rad]
    double righting[2];       ///< moment for a lean of the body, and for its rate [N m], [N m s]
    double slack;             ///< of moments that two feet cannot make (ib_StanceConfig)
} ib_Gait;

// `duty`: +infinity: its own.
void ib_gait_make(ib_GaitName name, double duty, ib_Gait *gait);

// Crawl: one foot at most is in the air: rl, fl, then rr, fr, before either pair a shift to the
// other side. `duty`: part of a cycle that a foot stands, IB_CRAWL_DUTY .. 1; the shift gets what
// two swings and a gap leave of half a cycle.
#define IB_CRAWL_DUTY 0.81
#define IB_GAIT_DUTY  0.854 ///< unless said otherwise
void ib_gait_crawl(double duty, ib_Gait *gait);

// Trot: fl and rr swing, then fr and rl. `duty`: 0.5 .. 1.
#define IB_TROT_DUTY 0.52 ///< unless said otherwise
void ib_gait_trot(double duty, ib_Gait *gait);

// Lets a leg lift in this phase, for as long as before.
void ib_gait_move(ib_Gait *gait, int leg, double phase);

// The same for the way back: front and rear change their parts.
void ib_gait_turn_round(const ib_Gait *gait, ib_Gait *back);

// The most feet that are in the air at once.
int ib_gait_most_in_air(const ib_Gait *gait);

// Part of its swing that a leg has done, 0 .. 1; below 0: it stands.
double ib_gait_swing(const ib_Gait *gait, int leg, double phase);

// Part of a cycle until a leg swings next; 0 while it does.
double ib_gait_until_swing(const ib_Gait *gait, int leg, double phase);

// Place along a way from 0 to 1 over u = 0 .. 1, with its first and second derivative by u:
//   S = 10 u^3 - 15 u^4 + 6 u^5
void ib_gait_way(double u, double way[3]);

// The body's place beside the middle, in widths, in a cycle that begins with it at `from`; with its
// derivatives by the phase.
void ib_gait_shift(const ib_Gait *gait, double phase, double from, double shift[3]);

#endif
