// robot/kinds.c: the list of all kinds of robots.
#include "robot/ball.h"
#include "robot/bench.h"
#include "robot/box.h"
#include "robot/cylinder_rig/cylinder_rig.h"
#include "robot/disc.h"
#include "robot/holonomic/holonomic.h"
#include "robot/kind.h"
#include "robot/mjcf/mjcf.h"
#include "robot/motor_bench.h"
#include "robot/quadruped/quadruped.h"
#include "robot/roomba/roomba.h"
#include "robot/swerve.h"
#include "robot/tank/tank.h"

#include <string.h>

// clang-format off
const ib_RobotKind *const ib_robot_kinds[] = {
    &ib_roomba_kind,
    &ib_tank_kind,
    &ib_holonomic_kind,
    &ib_swerve_kind,
    &ib_box_kind,
    &ib_disc_kind,
    &ib_ball_kind,
    &ib_bench_kind,
    &ib_motor_bench_kind,
    &ib_cylinder_rig_kind,
    &ib_quadruped_kind,
    &ib_mjcf_kind,
    NULL,
};
// clang-format on

const ib_RobotKind *ib_robot_kind_find(const char *name)
{
    for (int i = 0; ib_robot_kinds[i]; i++)
        if (strcmp(ib_robot_kinds[i]->name, name) == 0) return ib_robot_kinds[i];
    return NULL;
}
