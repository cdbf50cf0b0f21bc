// design/export/export_arm.h: a follower of an arm as plain C99 for a microcontroller: its filter,
// its tables with gains, its volts and its pace. docs/control/arm_follow.md
//
// Three files: <name>.h and <name>.c need the sine and cosine of <math.h> and nothing else, no
// heap; <name>_test.c replays runs that were recorded here, with noise and an unknown load, and
// holds volts and estimates to 1e-9. Planning in mid-motion stays at the desk: a board follows the
// ways of the plan, from goal to goal.
#ifndef IB_DESIGN_EXPORT_ARM_H
#define IB_DESIGN_EXPORT_ARM_H

#include "control/arm/arm_follow.h"

typedef enum ib_ExportArmPart {
    IB_EXPORT_ARM_HEADER,
    IB_EXPORT_ARM_SOURCE,
    IB_EXPORT_ARM_TEST,
    IB_EXPORT_ARM_PARTS,
} ib_ExportArmPart;

typedef struct ib_ExportArmOptions {
    const char *name;         ///< of files, and in front of all names: a C identifier
    const char *const *names; ///< of the ways, one for each track
} ib_ExportArmOptions;

// "<folder>/<name>_test.c" into `path` of `size` bytes. IB_BAD_INPUT: too long.
ib_Status ib_export_arm_path(const char *folder, const char *name, ib_ExportArmPart part,
                             char *path, size_t size, ib_Error *error);

// Writes all files into `folder`, which exists. IB_BAD_INPUT: the plan has no track, or the name is
// too long; IB_FAILED: a file cannot be written.
ib_Status ib_export_arm(const ib_ArmFollower *follower, const ib_ExportArmOptions *options,
                        const char *folder, ib_Error *error);

#endif
