#include "report/scenario_list.h"

#include <string.h>

void ib_scenario_list_signals(const ib_Scenario *scenario, FILE *file)
{
    const ib_SignalTable *table = &scenario->model->signals;
    int wide = 0;
    for (int i = 0; i < table->count; i++) {
        int length = (int)strlen(table->items[i].name);
        if (length > wide) wide = length;
    }
    for (int i = 0; i < table->count; i++)
        fprintf(file, "%-*s  %-8s %s\n", wide, table->items[i].name, table->items[i].unit,
                table->items[i].sentence);
}

ib_Status ib_scenario_list_mjcf(const ib_Scenario *scenario, FILE *file, ib_Error *error)
{
    ib_Arena arena = {0};
    int count = 0;
    ib_Status status = IB_OK;
    const ib_Model *model = scenario->model;
    for (int i = 0; i < model->robot_count && status == IB_OK; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (!robot->kind->mjcf || robot->member > 0) continue; // which the first one's has
        const char *text = ib_model_mjcf(model, i, &arena);
        if (robot->name[0] && robot->member < 0) fprintf(file, "<!-- %s -->\n", robot->name);
        if (text) fprintf(file, "%s", text);
        if (!text) status = ib_error_set(error, IB_FAILED, "out of memory");
        count++;
    }
    if (count == 0)
        status =
            ib_error_set(error, IB_BAD_INPUT,
                         "MuJoCo moves no robot of it: expected one of kind mjcf or quadruped");
    ib_arena_reset(&arena);
    return status;
}
