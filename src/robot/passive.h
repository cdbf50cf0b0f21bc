// robot/passive.h: the common part of bodies without a drive: box, disc, ball. Each is a body and
// one part: the action of the floor.
#ifndef IB_ROBOT_PASSIVE_H
#define IB_ROBOT_PASSIVE_H

#include "robot/parts.h"

// The floor's action on the body.
typedef struct ib_FloorForce {
    double fx, fy, torque; ///< on the body, field frame, about the vertical [N, N, N m]
    double power;          ///< lost [W], >= 0
} ib_FloorForce;

// Motion of a body over the floor, field frame.
typedef struct ib_FloorMotion {
    double c, s;      ///< cosine and sine of its heading
    double vx, vy, w; ///< [m/s, m/s, rad/s]
    double weight;    ///< [N]
} ib_FloorMotion;

typedef struct ib_Passive {
    int force; ///< the first of two signals
    int lost;  ///< entry: to the floor
} ib_Passive;

// Signals that each one has itself.
extern const ib_SignalRows ib_passive_signals;

// Body and book; `start`: where the kind's config has its ib_PlanarConfig.
void ib_passive_declare(ib_Build *build, double mass, double inertia, size_t start,
                        ib_Passive *passive);

// Outline [m] and bumper, and a longest step for friction that settles at the rate `fastest` [1/s]
// under 1 m/s^2 of gravity.
void ib_passive_ports(ib_Build *build, double length, double width, const ib_BumperConfig *bumper,
                      double fastest);

ib_FloorMotion ib_passive_motion(const ib_BodyWires *body);
void ib_passive_push(const ib_FloorForce *floor, ib_BodyWires *body);
void ib_passive_output(const ib_Passive *passive, const ib_FloorForce *floor, double *signals);

// Gives it the look of a body of this height [m] that is made of these solids, with arrows for
// velocity and friction and a mark, unless that is NULL.
ib_Status ib_passive_geometry(const ib_SolidDef *solids, int count, double height,
                              const ib_MarkDef *mark, ib_Build *build, ib_Error *error);

#endif
