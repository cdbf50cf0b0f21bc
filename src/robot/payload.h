// robot/payload.h: a load that an arm moves on a body, as a part of a robot.
// The equations are in plant/payload.h, their derivation in docs/plant/payload.md.
#ifndef IB_ROBOT_PAYLOAD_H
#define IB_ROBOT_PAYLOAD_H

#include "robot/parts.h"

// Its signals on a robot, in this order.
enum {
    IB_PAYLOAD_MASS,
    IB_PAYLOAD_X,
    IB_PAYLOAD_Y,
    IB_PAYLOAD_INERTIA,
    IB_PAYLOAD_MOMENTUM,
    IB_PAYLOAD_SIGNALS
};

typedef struct ib_PayloadPart {
    const ib_PartsModel *robot;
    const ib_Body *body; ///< the robot's
    ib_Payload start;
    double response; ///< time constant of the arm [s]
    int input;       ///< the first of three: its mass, and where the arm takes it
    int work;        ///< sum: entry of the book [J]
    int signal;
} ib_PayloadPart;

extern const ib_PartKind ib_payload_part;

// Behind the energy balance, which has `energy.payload`: the body knows its states.
void ib_payload_declare(ib_PayloadPart *payload, ib_PartsModel *robot, ib_Declarations *d);

#endif
