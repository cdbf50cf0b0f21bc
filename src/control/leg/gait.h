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

typedef struct ib_Gait {
    const char *name;
    ib_GaitSwing swing[IB_LEG_LEGS]; ///< fl, fr, rl, rr
    int shifts;
    ib_GaitShift shift[IB_GAIT_SHIFTS];
} ib_Gait;

// Four feet, of which one at most is in the air: rl, fl, then rr, fr, before either pair a shift to
// the other side. `duty`: part of a cycle that a foot stands, IB_CRAWL_DUTY .. 1; the shift gets
// what two swings and a gap leave of half a cycle.
#define IB_CRAWL_DUTY 0.81
#define IB_GAIT_DUTY  0.854 ///< unless said otherwise
void ib_gait_crawl(double duty, ib_Gait *gait);

// The same for the way back: front and rear change their parts.
void ib_gait_turn_round(const ib_Gait *gait, ib_Gait *back);

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
