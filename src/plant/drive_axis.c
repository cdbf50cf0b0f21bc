#include "plant/drive_axis.h"

#include <string.h>

static const struct {
    const char *name;
    const char *command; // that is taken to lie on it; NULL: none is
} axes[IB_DRIVE_AXES] = {
    [IB_DRIVES_LEFT_SIDE] = {"left_side", "left"},
    [IB_DRIVES_RIGHT_SIDE] = {"right_side", "right"},
    [IB_DRIVES_FORWARD] = {"forward", "throttle"},
    [IB_DRIVES_RIGHT] = {"right", NULL},
    [IB_DRIVES_LEFT] = {"left", NULL},
    [IB_DRIVES_TURN_LEFT] = {"turn_left", "turn"},
    [IB_DRIVES_TURN_RIGHT] = {"turn_right", NULL},
};

const char *ib_drive_axis_name(ib_DriveAxis axis)
{
    return axes[axis].name;
}

ib_DriveAxis ib_drive_axis_of(const char *name)
{
    for (int i = 0; i < IB_DRIVE_AXES; i++)
        if (axes[i].command && strcmp(axes[i].command, name) == 0) return (ib_DriveAxis)i;
    return IB_DRIVES_NOTHING;
}
