// control/kinds.c: the list of all kinds of controllers.
#include "control/controller.h"

#include <string.h>

// A kind has a line in each of the two lists.
extern const ib_ControllerKind ib_feedback_kind;
extern const ib_ControllerKind ib_drive_kind;
extern const ib_ControllerKind ib_pid_kind;
extern const ib_ControllerKind ib_profiled_kind;
extern const ib_ControllerKind ib_pva_kind;
extern const ib_ControllerKind ib_sliding_mode_kind;
extern const ib_ControllerKind ib_impedance_kind;
extern const ib_ControllerKind ib_legs_kind;
extern const ib_ControllerKind ib_walk_kind;
extern const ib_ControllerKind ib_path_kind;
extern const ib_ControllerKind ib_arm_path_kind;
extern const ib_ControllerKind ib_arm_mpc_kind;
extern const ib_ControllerKind ib_field_oriented_kind;
extern const ib_ControllerKind ib_odometry_kind;
extern const ib_ControllerKind ib_heading_kind;
extern const ib_ControllerKind ib_routine_kind;
extern const ib_ControllerKind ib_driver_kind;

// clang-format off
const ib_ControllerKind *const ib_controller_kinds[] = {
    &ib_feedback_kind,
    &ib_drive_kind,
    &ib_pid_kind,
    &ib_profiled_kind,
    &ib_pva_kind,
    &ib_sliding_mode_kind,
    &ib_impedance_kind,
    &ib_legs_kind,
    &ib_walk_kind,
    &ib_path_kind,
    &ib_arm_path_kind,
    &ib_arm_mpc_kind,
    &ib_field_oriented_kind,
    &ib_odometry_kind,
    &ib_heading_kind,
    &ib_routine_kind,
    &ib_driver_kind,
    NULL,
};
// clang-format on

const ib_ControllerKind *ib_controller_kind_find(const char *name)
{
    for (int i = 0; ib_controller_kinds[i]; i++)
        if (strcmp(ib_controller_kinds[i]->name, name) == 0) return ib_controller_kinds[i];
    return NULL;
}
