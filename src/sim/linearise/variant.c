#include "sim/linearise/variant.h"

#include "robot/rigid/rigid_group.h"

#include <stdlib.h>
#include <string.h>

// -------------------------------------------------------------------------------------- parameters

static int count_live(const ib_Schema *schema)
{
    int count = 0;
    for (int i = 0; i < schema->count; i++)
        count += schema->params[i].live && schema->params[i].type == IB_PARAM_NUMBER;
    return count;
}

const ib_LiveParam *ib_live_params(const ib_Model *model, ib_Arena *arena, int *count)
{
    int total = 0;
    *count = 0;
    for (int i = 0; i < model->robot_count; i++)
        total += count_live(&model->robots[i].kind->params);
    ib_LiveParam *params = total ? ib_arena_array(arena, (size_t)total, sizeof *params) : NULL;
    if (!params) return NULL;
    int used = 0;
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        for (int k = 0; k < robot->kind->params.count; k++) {
            const ib_Param *param = &robot->kind->params.params[k];
            if (!param->live || param->type != IB_PARAM_NUMBER) continue;
            const char *name = robot->name;
            const char *path =
                ib_arena_format(arena, "%s%s.%s", name[0] ? "robots." : "robot", name, param->key);
            if (!path) return NULL;
            params[used++] = (ib_LiveParam){path, i, param};
        }
    }
    *count = used;
    return params;
}

double ib_live_param_value(const ib_Model *model, const ib_LiveParam *param)
{
    const char *config = model->robots[param->robot].config;
    double value;
    memcpy(&value, config + param->param->offset, sizeof value);
    return value;
}

// ---------------------------------------------------------------------------------------- variants

// A copy of the config, down to the structs of the robots. Their tables and timelines remain
// the scenario's.
static ib_Status copy_config(const ib_SimConfig *from, ib_Arena *arena, ib_SimConfig *config,
                             ib_Error *error)
{
    size_t count = (size_t)from->robot_count;
    ib_RobotConfig *robots = ib_arena_array(arena, count, sizeof *robots);
    if (!robots) return ib_error_set(error, IB_FAILED, "out of memory for a changed model");
    *config = *from;
    config->robots = robots;
    memcpy(robots, from->robots, count * sizeof *robots);
    for (size_t i = 0; i < count; i++) {
        robots[i].config = ib_arena_alloc(arena, robots[i].kind->config_size);
        if (!robots[i].config)
            return ib_error_set(error, IB_FAILED, "out of memory for a changed model");
        memcpy(robots[i].config, from->robots[i].config, robots[i].kind->config_size);
    }
    return IB_OK;
}

// Could a run go on with it? Only where every array means the same.
static bool is_alike(const ib_Model *a, const ib_Model *b)
{
    if (a->state_count != b->state_count || a->input_count != b->input_count ||
        a->guard_count != b->guard_count || a->signals.count != b->signals.count)
        return false;
    for (int i = 0; i < a->robot_count; i++) {
        const ib_ExternalIntegrator *integrator = a->robots[i].kind->integrator;
        if (a->robots[i].member != b->robots[i].member) return false;
        if (integrator && !integrator->compatible(a->robots[i].model, b->robots[i].model))
            return false;
    }
    if (!ib_rigid_group_compatible(a->shared, b->shared)) return false;
    for (int i = 0; i < a->signals.count; i++)
        if (strcmp(a->signals.items[i].name, b->signals.items[i].name) != 0) return false;
    for (int i = 0; i < a->input_count; i++)
        if (a->inputs[i].role != b->inputs[i].role) return false;
    return true;
}

static ib_Status derive(const ib_Model *from, const ib_Setting *settings, int count,
                        ib_Variant *variant, ib_Error *error)
{
    ib_Error reason;
    ib_Status status = copy_config(from->config, &variant->arena, &variant->config, error);
    if (status != IB_OK) return status;
    const char *path = count == 1 ? settings[0].param->path : "live parameters";
    for (int i = 0; status == IB_OK && i < count; i++) {
        void *own = variant->config.robots[settings[i].param->robot].config;
        status = ib_schema_set_number(settings[i].param->param, settings[i].value, own, &reason);
        if (status != IB_OK) path = settings[i].param->path;
    }
    if (status == IB_OK)
        status = ib__model_vary(from, &variant->config, &variant->arena, &variant->model, &reason);
    if (status != IB_OK) return ib_error_set(error, status, "%s: %.900s", path, reason.text);
    if (is_alike(from, variant->model)) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "%s: it would change what the robot has, not only how it behaves: set it "
                        "in the scenario, before the run",
                        path);
}

ib_Status ib_variant_create(const ib_Model *from, const ib_Setting *settings, int count,
                            ib_Variant **result, ib_Error *error)
{
    ib_Variant *variant = calloc(1, sizeof *variant);
    if (!variant) return ib_error_set(error, IB_FAILED, "out of memory for a changed model");
    ib_Status status = derive(from, settings, count, variant, error);
    if (status != IB_OK) {
        ib_variant_destroy(variant);
        return status;
    }
    *result = variant;
    return IB_OK;
}

void ib_variant_destroy(ib_Variant *variant)
{
    if (!variant) return;
    ib_arena_reset(&variant->arena);
    free(variant);
}
