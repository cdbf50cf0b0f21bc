// robot/roomba/roomba_profile.h: the fastest smooth speed that the wheels can follow.
// The path under it is blended. Derivation: docs/control/path.md, "inverse"
//
// Everything is a function of the distance s along the path, on an even grid:
//   z = v^2,   v' = (dz/ds)/2
#ifndef IB_ROBOT_ROOMBA_PROFILE_H
#define IB_ROBOT_ROOMBA_PROFILE_H

#include "control/path/blend.h"
#include "robot/roomba/roomba_plan.h"

typedef struct ib__RoombaProfile {
    const ib_RoombaModel *model;
    ib_BlendedPath *blended;
    int n;                    ///< grid points 0 .. n
    int box;                  ///< half width of the smoothing box, points
    double ds;                ///< [m]
    double element;           ///< the shortest of the path [m]
    double settle;            ///< in which slip settles [m]
    double z0;                ///< at the start [m^2/s^2]
    double share;             ///< of max_force in the first draft of z
    bool stop;                ///< z = 0 at the end
    int64_t *effort;          ///< points that may still be worked on
    double *k;                ///< curvature [1/m]
    double *turn;             ///< yaw rate per speed at constant speed: k - db/ds [1/m]
    double *sum, *difference; ///< of the wheel forces per z at constant speed [N s^2/m^2]
    double *budget;           ///< share of F that the profile may use
    double *ease;             ///< share of the acceleration then left that it takes
    bool *steady;             ///< constant speed here: in and around blends
    double *z;                ///< speed squared, the unknown [m^2/s^2]
    double *slip;             ///< b [rad]
    double *left, *right;     ///< [N]
    double *sums, *work;      ///< scratch memory
} ib__RoombaProfile;

// Lays the grid for `task`, with the forces of a constant speed; the model, the blended path, z0,
// share and stop are set.
ib_Status ib__roomba_profile_init(const ib__RoombaTask *task, ib_Arena *arena,
                                  ib__RoombaProfile *profile, ib_Error *error);

// Makes a copy of a profile with a grid ready for one search: `softness` scales the length over
// which accelerations change. Copies share the grid and scratch memory.
ib_Status ib__roomba_profile_soften(double softness, ib_Arena *arena, ib__RoombaProfile *profile,
                                    ib_Error *error);

// Finds z and the wheel forces. Returns the largest share of F that these take;
// above 1 no profile was found.
double ib__roomba_profile_find(ib__RoombaProfile *profile);

#endif
