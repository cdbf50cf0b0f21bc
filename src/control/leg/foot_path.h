// control/leg/foot_path.h: the walking motion of one foot: up in an arc from the rear to the
// front, and dragged back along the ground, in cycles of any pace. docs/control/leg.md
//
// A cycle is an arc and a drag. Along the way of walking, over u = 0 .. 1 of either,
//
//   p(u) = p0 + m0 u + (p1 - p0 - m0) S(u) + (m1 - m0) Q(u)
//   S = 10 u^3 - 15 u^4 + 6 u^5,   Q = -4 u^3 + 7 u^4 - 3 u^5
//
// goes from p0 to p1 with slopes m0 and m1 and without acceleration at both ends. A drag at an even
// speed has m0 = m1 = p1 - p0: a straight line. An arc begins with the speed of the drag before it
// and ends with that of its own, so that the foot meets the ground without scraping, and the pace
// changes in the air. Its height is 64 h u^3 (1 - u)^3. Place, velocity and acceleration are
// continuous everywhere; it begins and ends at rest in the rear.
#ifndef IB_CONTROL_FOOT_PATH_H
#define IB_CONTROL_FOOT_PATH_H

#include "control/leg/leg.h"

enum { IB_FOOT_PACES = 8 };

// Cycles of one pace.
typedef struct ib_FootPace {
    double period; ///< of a cycle [s], > 0
    int count;     ///< of cycles, 1 .. 1e6
} ib_FootPace;

typedef struct ib_FootPathConfig {
    double centre[3]; ///< of the drag, in the path's frame: a shoulder's or the body's [m]
    double along[3];  ///< the way of walking, from rear to front there; of length 1
    double up[3];     ///< where the arc goes, of length 1, at right angles to `along`
    double length;    ///< of the drag [m], > 0
    double height;    ///< of the arc [m], >= 0
    double duty;      ///< part of a period that the foot is dragged, 0 < duty < 1
    int paces;        ///< 1 .. IB_FOOT_PACES
    ib_FootPace pace[IB_FOOT_PACES];
} ib_FootPathConfig;

typedef struct ib_FootPath {
    ib_FootPathConfig config;
    double start[IB_FOOT_PACES]; ///< of each pace [s]
    int before[IB_FOOT_PACES];   ///< cycles before it
    double duration;             ///< [s]
    int cycles;                  ///< all of them
} ib_FootPath;

typedef struct ib_FootPoint {
    double place[3], velocity[3], acceleration[3]; ///< in the path's frame [m], [m/s], [m/s^2]
    bool ground; ///< dragged, or at rest at the start or at the end
    int cycle;   ///< from 0 on
} ib_FootPoint;

// Slow, medium and fast cycles, three of each, in the frame of a right shoulder of the thesis's
// robot. Lengths and times are ours: the thesis draws its motion and prints none.
ib_FootPathConfig ib_foot_path_default(void);
ib_Status ib_foot_path_check(const ib_FootPathConfig *config, ib_Error *error);
void ib_foot_path_init(const ib_FootPathConfig *config, ib_FootPath *path);

// Place of the foot t [s] after the start. Before it and from the duration on: the rear, at rest.
ib_FootPoint ib_foot_path_at(const ib_FootPath *path, double t);

// Checks that the leg can follow all of it. `shoulder`: its place in the path's frame; NULL: that
// is the shoulder's own. Takes 64 samples of each different arc and drag. The error names the place
// out of reach, and its limit.
ib_Status ib_foot_path_reach(const ib_FootPath *path, const ib_LegModel *leg_model,
                             const ib_Pose *shoulder, ib_Error *error);

#endif
