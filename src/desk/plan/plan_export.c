#include "desk/plan/plan_export.h"

#include "base/extreme.h"
#include "design/export/export_arm.h"
#include "design/export/export_arm_table.h"
#include "desk/export_folder.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

enum { NAME_TEXT = 256, FILES = IB_ARM_TABLE_PARTS + IB_EXPORT_ARM_PARTS };

// The path of file number `index` of the export, tables first.
static ib_Status path_of(const char *folder, const char *tables, const char *follower, int index,
                         char path[PATH_MAX], ib_Error *error)
{
    int part = index - IB_ARM_TABLE_PARTS;
    if (part < 0)
        return ib_arm_table_path(folder, tables, (ib_ArmTablePart)index, path, PATH_MAX, error);
    return ib_export_arm_path(folder, follower, (ib_ExportArmPart)part, path, PATH_MAX, error);
}

// Checks, before writing, that all existing files were written by this program.
static ib_Status check_folder(const ib_PlanFile *plan, const char *follower, const char *folder,
                              bool force, ib_Error *error)
{
    struct stat there;
    char path[PATH_MAX];
    ib_Status status = ib__export_make_folder(folder, error);
    for (int i = 0; status == IB_OK && i < FILES; i++) {
        status = path_of(folder, plan->name, follower, i, path, error);
        bool foreign = status == IB_OK && !force && stat(path, &there) == 0;
        if (foreign && !ib__export_is_ours(path, "// ")) return ib__export_refuse(path, error);
    }
    return status;
}

// Exports the follower of `kind: arm_path` with its default settings, and the plan's voltage if
// that is more.
static ib_Status export_follower(const ib_PlanFile *plan, const ib_ExportArmOptions *options,
                                 const char *folder, ib_Error *error)
{
    ib_ArmFollowConfig config = ib_arm_follow_default();
    const double *volts = plan->plan.limits.volts;
    ib_Arena arena = {0};
    ib_ArmFollower follower;
    for (int i = 0; i < 2; i++)
        if (isfinite(volts[i])) config.volts = ib_max(config.volts, volts[i]);
    ib_Status status = ib_arm_follow_init(&config, &plan->plan, &arena, &follower, error);
    if (status == IB_OK) status = ib_export_arm(&follower, options, folder, error);
    ib_arena_reset(&arena);
    return status;
}

ib_Status ib_plan_export(const ib_PlanFile *plan, const char *folder, bool force, ib_Error *error)
{
    const char *names[IB_ARM_TRACKS];
    char name[NAME_TEXT];
    ib_ExportArmOptions follower = {name, names};
    ib_ArmTableOptions tables = {plan->name, names, IB_ARM_TABLE_PERIOD};
    snprintf(name, sizeof name, "%s_follow", plan->name);
    ib_Status status = check_folder(plan, name, folder, force, error);
    for (int i = 0; i < plan->way_count; i++) names[i] = plan->ways[i].name;
    if (status == IB_OK) status = export_follower(plan, &follower, folder, error);
    if (status == IB_OK) status = ib_export_arm_table(&plan->plan, &tables, folder, error);
    return status;
}
