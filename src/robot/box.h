// robot/box.h: a box on the floor, to be pushed: no drive, floor friction, an energy balance.
// The derivation is in docs/robot/passive.md.
#ifndef IB_ROBOT_BOX_H
#define IB_ROBOT_BOX_H

#include "robot/sliding.h"

typedef struct ib_BoxConfig {
    ib_EquipmentConfig equipment;
    double mass;            ///< [kg], > 0
    double length, width;   ///< [m], > 0
    double mu;              ///< friction with the floor, >= 0
    double slip_speed;      ///< friction is full well above this speed [m/s], > 0
    ib_BumperConfig bumper; ///< its sides
    ib_PlanarConfig planar;
} ib_BoxConfig;

extern const ib_RobotKind ib_box_kind;

void ib_box_init(const ib_BoxConfig *config, ib_SlidingModel *model);

#endif
