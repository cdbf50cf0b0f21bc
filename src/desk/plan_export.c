#include "desk/plan_export.h"

#include "design/export/export_arm_table.h"
#include "desk/export_folder.h"

#include <limits.h>
#include <sys/stat.h>

// Before anything is written: is everything that is there already ours?
static ib_Status check_folder(const ib_PlanFile *plan, const char *folder, bool force,
                              ib_Error *error)
{
    struct stat there;
    char path[PATH_MAX];
    ib_Status status = ib__export_make_folder(folder, error);
    for (int i = 0; status == IB_OK && i < IB_ARM_TABLE_PARTS; i++) {
        status =
            ib_arm_table_path(folder, plan->name, (ib_ArmTablePart)i, path, sizeof path, error);
        bool foreign = status == IB_OK && !force && stat(path, &there) == 0;
        if (foreign && !ib__export_is_ours(path, "// ")) return ib__export_refuse(path, error);
    }
    return status;
}

ib_Status ib_plan_export(const ib_PlanFile *plan, const char *folder, bool force, ib_Error *error)
{
    const char *names[IB_ARM_TRACKS];
    ib_ArmTableOptions options = {plan->name, names, IB_ARM_TABLE_PERIOD};
    ib_Status status = check_folder(plan, folder, force, error);
    for (int i = 0; i < plan->way_count; i++) names[i] = plan->ways[i].name;
    if (status == IB_OK) status = ib_export_arm_table(&plan->plan, &options, folder, error);
    return status;
}
