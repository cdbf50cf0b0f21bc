// world/approach.h: the ways of bodies through a piece of a step.
// Internal to this folder.
#ifndef IB_WORLD_APPROACH_H
#define IB_WORLD_APPROACH_H

enum { IB__WAY_SAMPLES = 5 };

// One coordinate over a piece: c[0] + c[1] u + … + c[4] u^4.
typedef struct ib__Quartic {
    double c[IB__WAY_SAMPLES];
} ib__Quartic;

typedef struct ib__Path {
    ib__Quartic x, y, heading;
    double speed, curve; ///< |velocity|, |acceleration| of the origin at most
    double spin, twist;  ///< |yaw rate|, |yaw acceleration| at most
} ib__Path;

#endif
