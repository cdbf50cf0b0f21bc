// ironbird/robot.h: everything public of src/robot.
#ifndef IRONBIRD_ROBOT_H
#define IRONBIRD_ROBOT_H

#include "robot/kind.h"
#include "robot/roomba.h"

#endif
