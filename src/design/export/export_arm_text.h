// design/export/export_arm_text.h: pieces shared by the writers of an arm's follower. Internal
// to src/design.
#ifndef IB_DESIGN_EXPORT_ARM_TEXT_H
#define IB_DESIGN_EXPORT_ARM_TEXT_H

#include "design/export/export_arm.h"
#include "design/export/export_text.h"

// The export in progress; the `loop` of `out` is NULL.
typedef struct ib_ExportArm {
    const ib_ArmFollower *follower;
    const ib_ExportArmOptions *options;
    ib_Export out;
} ib_ExportArm;

void ib__export_arm_header(const ib_ExportArm *arm);
void ib__export_arm_source(const ib_ExportArm *arm);
void ib__export_arm_test(const ib_ExportArm *arm);

// {a, b, c}
void ib__export_arm_list(const ib_ExportArm *arm, int count, const double *values);

#endif
