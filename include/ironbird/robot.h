// ironbird/robot.h: everything public of src/robot.
#ifndef IRONBIRD_ROBOT_H
#define IRONBIRD_ROBOT_H

#include "robot/ball.h"
#include "robot/bench.h"
#include "robot/box.h"
#include "robot/cylinder_rig/cylinder_rig.h"
#include "robot/disc.h"
#include "robot/equipment.h"
#include "robot/holonomic/holonomic.h"
#include "robot/kind.h"
#include "robot/mjcf/mjcf.h"
#include "robot/motor_bench.h"
#include "robot/parts.h"
#include "robot/passive.h"
#include "robot/payload.h"
#include "robot/planar.h"
#include "robot/quadruped/quadruped.h"
#include "robot/roomba/roomba.h"
#include "robot/sliding.h"
#include "robot/solid.h"
#include "robot/swerve.h"
#include "robot/tank/tank.h"

#endif
