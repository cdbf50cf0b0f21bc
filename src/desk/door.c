#include "desk/door.h"

#include "base/quote.h"
#include "desk/design_file.h"
#include "desk/design_json.h"
#include "desk/plan_file.h"

#include <string.h>

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length > tail && !strcmp(text + length - tail, ending);
}

// A design file is worked out here and now.
static bool design_now(const char *path, const char *name, const ib_DataFile *data, ib_Loop *loop,
                       ib_Diagnostics *diagnostics, ib_Error *error)
{
    ib_ScenarioOptions options = {.data = data};
    ib_DesignFile *file = ib_design_file_read(path, &options, diagnostics);
    bool good = file && file->loop;
    if (good) *loop = *file->loop;
    if (file && !good)
        ib_error_set(error, IB_BAD_INPUT,
                     "'%s' designs no feedback: expected `lqr:` or `poles:` in it",
                     ib_quote(name).text);
    ib_design_file_destroy(file);
    return good;
}

static bool read_loop(const char *path, const char *name, const ib_DataFile *data, ib_Loop *loop,
                      ib_Diagnostics *diagnostics, ib_Error *error)
{
    bool yaml = ends_in(path, ".yaml") || ends_in(path, ".yml");
    if (yaml) return design_now(path, name, data, loop, diagnostics, error);
    return ib_design_json_read(path, loop, error) == IB_OK;
}

// ------------------------------------------------------------------------------------------- plans

static const ib_ArmPlan *read_plan(const char *path, const ib_DataFile *data, ib_Arena *arena,
                                   ib_Diagnostics *diagnostics, ib_Error *error)
{
    ib_ScenarioOptions options = {.data = data};
    ib_PlanFile *file = ib_plan_file_read(path, &options, diagnostics);
    const ib_ArmPlan *plan = file ? ib_plan_copy(&file->plan, arena) : NULL;
    if (file && !plan) ib_error_set(error, IB_FAILED, "out of memory for a plan");
    ib_plan_file_destroy(file);
    return plan;
}

const ib_DesignDoor ib_desk_door = {read_loop, read_plan};
