#include "desk/design/design_loader.h"

#include "base/quote.h"
#include "desk/design/design_file.h"
#include "desk/design/design_json.h"

#include <string.h>

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length > tail && !strcmp(text + length - tail, ending);
}

static bool no_memory(ib_Error *error)
{
    ib_error_set(error, IB_FAILED, "out of memory for a design");
    return false;
}

// Designs a design file at once.
static bool design_now(ib_Reader *reader, const char *path, const char *name, ib_Loop *loop,
                       ib_Error *error)
{
    ib_ScenarioOptions options = {.data = reader->data, .trees = reader->trees};
    ib_DesignFile *file = ib_design_file_read_loop(path, &options, reader->diagnostics);
    bool good = file && file->loop;
    if (good) *loop = *file->loop;
    if (file && !good)
        ib_error_set(error, IB_BAD_INPUT,
                     "'%s' designs no feedback: expected `lqr:` or `poles:` in it",
                     ib_quote(name).text);
    if (good && !ib_add_files(reader, file->yaml.files)) good = no_memory(error);
    ib_design_file_destroy(file);
    return good;
}

static bool read_loop(void *cache, ib_Reader *reader, const char *path, const char *name,
                      ib_Loop *loop, ib_Error *error)
{
    (void)cache; // designs take milliseconds
    if (ends_in(path, ".yaml") || ends_in(path, ".yml"))
        return design_now(reader, path, name, loop, error);
    if (ib_design_json_read(path, loop, error) != IB_OK) return false;
    return ib_add_file(reader, path) || no_memory(error);
}

static const ib_ArmPlan *read_plan(void *cache, ib_Reader *reader, const char *path, bool ways,
                                   ib_Error *error)
{
    return ib_plan_cache_take(cache, reader, path, ways, error);
}

const ib_DesignLoader ib_design_loader = {read_loop, read_plan, NULL};

ib_DesignLoader ib_design_loader_with(ib_PlanCache *cache)
{
    return (ib_DesignLoader){read_loop, read_plan, cache};
}
