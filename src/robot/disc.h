// robot/disc.h: a disc on the floor, to be pushed: a puck with floor friction and an energy
// balance. The derivation is in docs/robot/passive.md.
#ifndef IB_ROBOT_DISC_H
#define IB_ROBOT_DISC_H

#include "robot/sliding.h"

typedef struct ib_DiscConfig {
    ib_EquipmentConfig equipment;
    double mass;            ///< [kg], > 0
    double diameter;        ///< [m], > 0
    double mu;              ///< friction with the floor, >= 0
    double slip_speed;      ///< friction is full well above this speed [m/s], > 0
    ib_BumperConfig bumper; ///< its sides
    ib_PlanarConfig planar;
} ib_DiscConfig;

extern const ib_RobotKind ib_disc_kind;

void ib_disc_init(const ib_DiscConfig *config, ib_SlidingModel *model);

#endif
