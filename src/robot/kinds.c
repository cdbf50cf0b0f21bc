#include "robot/kind.h"
#include "robot/roomba.h"

#include <string.h>

const ib_RobotKind *const ib_robot_kinds[] = {
    &ib_roomba_kind,
    NULL,
};

const ib_RobotKind *ib_robot_kind_find(const char *name)
{
    for (int i = 0; ib_robot_kinds[i]; i++)
        if (strcmp(ib_robot_kinds[i]->name, name) == 0) return ib_robot_kinds[i];
    return NULL;
}

#define ENVIRONMENT(name, unit, sentence)                                                          \
    {                                                                                              \
        name, unit, sentence, IB_INPUT_ENVIRONMENT, false, 0, -1e9, 1e9, ""                        \
    }

const ib_InputDef ib_environment_inputs[IB_ENVIRONMENT_COUNT] = {
    ENVIRONMENT("push.x", "N", "sum of the forces that push the robot, field x"),
    ENVIRONMENT("push.y", "N", "sum of the forces that push the robot, field y"),
    ENVIRONMENT("push.cross", "N*m", "torque of the pushes at heading 0"),
    ENVIRONMENT("push.dot", "N*m", "torque of the pushes at heading -90 degrees"),
    ENVIRONMENT("slope.x", "m/s^2", "gravity along a tilted floor, field x"),
    ENVIRONMENT("slope.y", "m/s^2", "gravity along a tilted floor, field y"),
};
