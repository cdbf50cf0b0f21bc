// design/export/export_arm_table.h: timed ways of an arm as C99 tables for a microcontroller. The
// plan file is described in docs/design/plan.md.
//
// Three files: <name>.h and <name>.c, a row for each period with a function that reads between
// them; <name>_test.c compares them with the plan at other times. The code needs no heap, no
// library and no header.
#ifndef IB_DESIGN_EXPORT_ARM_TABLE_H
#define IB_DESIGN_EXPORT_ARM_TABLE_H

#include "control/arm/arm_track.h"

typedef enum ib_ArmTablePart {
    IB_ARM_TABLE_HEADER,
    IB_ARM_TABLE_SOURCE,
    IB_ARM_TABLE_TEST,
    IB_ARM_TABLE_PARTS,
} ib_ArmTablePart;

#define IB_ARM_TABLE_PERIOD 0.005 ///< default from row to row [s]

typedef struct ib_ArmTableOptions {
    const char *name;         ///< of files, and in front of all names: a C identifier
    const char *const *names; ///< of the ways, one for each track
    double period;            ///< [s], > 0
} ib_ArmTableOptions;

// "<folder>/<name>_test.c" into `path` of `size` bytes. IB_BAD_INPUT: too long.
ib_Status ib_arm_table_path(const char *folder, const char *name, ib_ArmTablePart part, char *path,
                            size_t size, ib_Error *error);

// Writes all files into `folder`, which exists. IB_FAILED: a file cannot be written.
ib_Status ib_export_arm_table(const ib_ArmPlan *plan, const ib_ArmTableOptions *options,
                              const char *folder, ib_Error *error);

#endif
