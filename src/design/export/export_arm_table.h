// design/export/export_arm_table.h: timed ways of an arm as C99 tables that a board can read. The
// file that they come from is told of in docs/plan.md.
//
// Three files: <name>.h and <name>.c, a row for each period with a function that reads between
// them; <name>_test.c holds them against the plan at other times. What is written needs no heap,
// no library and no header.
#ifndef IB_DESIGN_EXPORT_ARM_TABLE_H
#define IB_DESIGN_EXPORT_ARM_TABLE_H

#include "control/arm/arm_track.h"

typedef enum ib_ArmTablePart {
    IB_ARM_TABLE_HEADER,
    IB_ARM_TABLE_SOURCE,
    IB_ARM_TABLE_TEST,
    IB_ARM_TABLE_PARTS,
} ib_ArmTablePart;

#define IB_ARM_TABLE_PERIOD 0.005 ///< from row to row unless somebody says so [s]

typedef struct ib_ArmTableOptions {
    const char *name;         ///< of files, and in front of all names: a C identifier
    const char *const *names; ///< of the ways, one for each track; words
    double period;            ///< [s], > 0
} ib_ArmTableOptions;

// "<folder>/<name>_test.c" into `path` of `size` bytes. IB_BAD_INPUT: it is too long.
ib_Status ib_arm_table_path(const char *folder, const char *name, ib_ArmTablePart part, char *path,
                            size_t size, ib_Error *error);

// All of them into `folder`, which exists. IB_FAILED: a file cannot be written.
ib_Status ib_export_arm_table(const ib_ArmPlan *plan, const ib_ArmTableOptions *options,
                              const char *folder, ib_Error *error);

#endif
