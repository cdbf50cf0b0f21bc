// Fuzz target: any bytes as a plan file. Each is read or refused with located mistakes; what was
// read is finite, goes on in time, and can be written as JSON. Its name lies in a folder that does
// not exist, so that robot files and tables lead nowhere. Searches for paths are left out: one
// takes a second, and reads nothing.
#include "desk/plan/plan_file.h"
#include "desk/plan/plan_json.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static ib_Diagnostics diagnostics;

static void check_way(const ib_PlanFile *plan, const ib_PlanWay *way)
{
    const ib_ArmTiming *timing = &way->best->timing;
    IB_ASSERT(way->path.count >= 2 && way->path.count <= IB_PLAN_POINTS_MOST);
    IB_ASSERT(way->from >= 0 && way->from < plan->plan.goal_count);
    IB_ASSERT(way->to >= 0 && way->to < plan->plan.goal_count);
    for (int i = 0; i < way->path.count; i++) {
        const ib_ArmPoint *point = &way->path.points[i];
        IB_ASSERT(isfinite(point->th[0]) && isfinite(point->th[1]) && isfinite(timing->v[i]));
        IB_ASSERT(i == 0 || (point->s > point[-1].s && timing->t[i] > timing->t[i - 1]));
    }
    IB_ASSERT(isfinite(way->best->figures.time) && way->best->figures.time > 0);
}

static void check_json(const ib_PlanFile *plan)
{
    FILE *file = fopen("/dev/null", "w");
    IB_ASSERT(file);
    ib_plan_json_write(plan, file);
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ib_Override overrides[] = {{"points", "40"}};
    static const char search[] = "optimise";
    ib_ScenarioOptions options = {.overrides = overrides, .override_count = 1};
    if (memmem(data, size, search, sizeof search - 1)) return 0;
    ib_Arena arena = {0};
    diagnostics = (ib_Diagnostics){.arena = &arena};
    ib_PlanFile *plan = ib_plan_file_read_text("no-such-folder/fuzz.yaml", (const char *)data, size,
                                               &options, &diagnostics);
    IB_ASSERT((plan != NULL) == (diagnostics.count == 0));
    for (int i = 0; i < diagnostics.count; i++) {
        const ib_Diagnostic *item = &diagnostics.items[i];
        IB_ASSERT(item->line >= 1 && item->column >= 1 && item->text[0] && item->file[0]);
        IB_ASSERT(!strchr(item->text, '\n'));
    }
    for (int i = 0; plan && i < plan->way_count; i++) check_way(plan, &plan->ways[i]);
    if (plan) check_json(plan);
    ib_plan_file_destroy(plan);
    ib_arena_reset(&arena);
    return 0;
}
