#include "check_kinds.h"

#include "cli.h"
#include "desk/design/design_file.h"
#include "desk/design/design_json.h"
#include "desk/numbers.h"
#include "desk/plan/plan_file.h"
#include "file/contents.h"
#include "file/planner.h"
#include "file/yaml.h"
#include "record/log.h"
#include "scenario/schemas.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The file being checked.
typedef struct Look {
    const char *file;
    const ib_ScenarioOptions *options;
    ib_Arena arena; ///< of the diagnostics and of `root`
    ib_Diagnostics diagnostics;
    const char *text;    ///< of a file that is no recording; NULL: unreadable
    const ib_Node *root; ///< of a YAML file; NULL: not YAML, or unreadable
} Look;

// ----------------------------------------------------------------------------------- telling apart

static bool ends_in(const char *file, const char *ending)
{
    const char *dot = strrchr(file, '.');
    return dot && strcmp(dot, ending) == 0;
}

// True if the file has one of these keys.
static bool has_any(const Look *look, const char *const *keys)
{
    for (; *keys; keys++)
        if (ib_node_get(look->root, *keys)) return true;
    return false;
}

static bool is_recording(const Look *look)
{
    return ib_log_format(look->file) != IB_LOG_UNKNOWN;
}

static bool is_yaml(const Look *look)
{
    return ends_in(look->file, ".yaml") || ends_in(look->file, ".yml");
}

// JSON printed by `ironbird design`, whole or not; other JSON has neither key.
static bool is_design_json(const Look *look)
{
    if (!ends_in(look->file, ".json") || !look->text) return false;
    return strstr(look->text, "\"loop\"") || strstr(look->text, "\"design\"");
}

static bool is_design(const Look *look)
{
    return ib_desk_kind(look->root) == IB_DESK_DESIGN;
}

static bool is_scenario(const Look *look)
{
    static const char *const keys[] = {"robot", "robots",  "run",    "inputs", "expect",
                                       "field", "control", "record", "from",   NULL};
    // An unreadable file, and one that is no map but has a YAML name, is best refused by the reader
    // of scenarios.
    if (!look->text) return true;
    bool map = look->root && look->root->type == IB_NODE_MAP;
    return map ? has_any(look, keys) : is_yaml(look);
}

static bool is_planned(const Look *look)
{
    return ends_in(look->file, ".traj") || ends_in(look->file, ".path");
}

// Steps of a routine's file: those under `steps`, or the file itself, a list. NULL: the file is
// no routine.
static const ib_Node *find_steps(const Look *look)
{
    static const char *const others[] = {"plant", "robot", "robots", NULL};
    const ib_Node *root = look->root;
    if (!root || root->type == IB_NODE_SCALAR) return NULL;
    if (root->type == IB_NODE_MAP) return has_any(look, others) ? NULL : ib_node_get(root, "steps");
    return root->first && root->first->type == IB_NODE_MAP ? root : NULL;
}

static bool is_routine(const Look *look)
{
    return find_steps(look) != NULL;
}

static bool is_robot(const Look *look)
{
    static const char *const keys[] = {"kind", "file", "mechanisms", "sensors", NULL};
    return has_any(look, keys);
}

// A field says where it comes from, and so does every entry of the other data files.
static bool is_data(const Look *look)
{
    if (!look->root || look->root->type != IB_NODE_MAP) return false;
    return ib_node_get(look->root, "source") || ib_node_get(look->root->first, "source");
}

static bool is_plan(const Look *look)
{
    return ib_desk_kind(look->root) == IB_DESK_PLAN;
}

// ---------------------------------------------------------------------------------------- checking

// Each prints that a file is right, or adds its mistakes to the diagnostics.

static void check_scenario(Look *look)
{
    ib_ScenarioOptions options = *look->options;
    options.designs = design_loader();
    ib_Scenario *scenario = ib_scenario_read(look->file, &options, &look->diagnostics);
    if (scenario) {
        print_file_warnings(scenario->yaml.warnings, scenario->yaml.warning_count);
        ib_tell(stdout, "%s: ok, a scenario with %d signals and %d expectation%s", look->file,
                scenario->model->signals.count, scenario->expectation_count,
                scenario->expectation_count == 1 ? "" : "s");
        if (scenario->model->external_count > 0)
            ib_tell(stdout, ", in steps of %g ms", 1e3 * ib_time_to_seconds(scenario->model->step));
        ib_tell(stdout, "\n");
    }
    ib_scenario_destroy(scenario);
}

static void check_design(Look *look)
{
    ib_DesignFile *design = ib_design_file_read(look->file, look->options, &look->diagnostics);
    if (design) {
        print_file_warnings(design->yaml.warnings, design->yaml.warning_count);
        ib_tell(stdout, "%s: ok, a design%s with %d gear%s\n", look->file,
                design->loop ? "" : " without feedback", design->gear_count,
                design->gear_count == 1 ? "" : "s");
    }
    ib_design_file_destroy(design);
}

static void check_plan(Look *look)
{
    ib_PlanFile *plan = ib_plan_file_read(look->file, look->options, &look->diagnostics);
    if (plan) {
        print_file_warnings(plan->yaml.warnings, plan->yaml.warning_count);
        ib_tell(stdout, "%s: ok, a plan with %d path%s\n", look->file, plan->way_count,
                plan->way_count == 1 ? "" : "s");
    }
    ib_plan_file_destroy(plan);
}

static void check_robot(Look *look)
{
    ib_ScenarioOptions options = *look->options;
    options.designs = design_loader();
    ib_Scenario *robot = ib_scenario_read_robot(look->file, &options, &look->diagnostics);
    if (robot) {
        print_file_warnings(robot->yaml.warnings, robot->yaml.warning_count);
        ib_tell(stdout, "%s: ok, a robot file of kind %s with %d signals\n", look->file,
                robot->model->robots[0].kind->name, robot->model->signals.count);
    }
    ib_scenario_destroy(robot);
}

// Readers of recordings and of JSON name the file themselves, and often the line and the column,
// which become the place. Without one, the place is the whole file.
static void refuse(Look *look, const char *text)
{
    ib_Place place = {look->file, 1, 1};
    size_t length = strlen(look->file);
    int line, column, used = 0;
    if (strncmp(text, look->file, length) == 0 && text[length] == ':') {
        text += length + 1;
        text += *text == ' ';
    }
    if (sscanf(text, "%7d:%7d: %n", &line, &column, &used) == 2 && used > 0) {
        place = (ib_Place){look->file, line, column};
        text += used;
    }
    ib_diagnostics_add(&look->diagnostics, place, "%s", text);
}

static void check_design_json(Look *look)
{
    ib_Loop *loop = ib_arena_alloc(&look->arena, sizeof *loop);
    ib_Error error = {.text = "out of memory"};
    if (!loop || ib_design_json_read(look->file, loop, &error) != IB_OK)
        refuse(look, error.text);
    else
        ib_tell(stdout, "%s: ok, a design as JSON with %d gear%s\n", look->file, loop->gears,
                loop->gears == 1 ? "" : "s");
}

static void check_recording(Look *look)
{
    ib_Log *log = NULL;
    ib_Error error;
    if (ib_log_read(look->file, &log, &error) != IB_OK)
        refuse(look, error.text);
    else
        ib_tell(stdout, "%s: ok, a recording of %d signal%s and %" PRId64 " message%s%s\n",
                look->file, log->series_count, log->series_count == 1 ? "" : "s", log->event_count,
                log->event_count == 1 ? "" : "s", log->truncated ? ", whose end is cut off" : "");
    ib_log_destroy(log);
}

// Checks for a base that goes any way and is otherwise unknown.
static void check_planned(Look *look)
{
    ib_PlannerOptions options = ib_planner_default();
    ib_Diagnostics found = {.arena = &look->arena};
    ib_PlannedPath path;
    if (ib_planner_read(look->file, NULL, 0, &options, &look->arena, &path, &found))
        ib_tell(stdout, "%s: ok, a planner's path of %.4g m in %.4g s with %d event%s\n",
                look->file, path.length, path.duration, path.event_count,
                path.event_count == 1 ? "" : "s");
    look->diagnostics = found;
}

// Steps can only be checked fully with a robot: in a scenario that names it.
static void check_routine(Look *look)
{
    const ib_Node *steps = find_steps(look);
    if (steps->type != IB_NODE_LIST || !steps->first)
        ib_diagnostics_add(&look->diagnostics, steps->place,
                           "steps: expected a list of steps: 'ironbird list routine' has them");
    for (const ib_Node *step = steps->first; step; step = step->next) {
        bool known = false;
        for (const ib_Node *key = step->first; key; key = key->next)
            for (int i = 0; ib_routine_words[i].name; i++)
                known |= key->key && strcmp(key->key, ib_routine_words[i].name) == 0;
        if (!known)
            ib_diagnostics_add(&look->diagnostics, step->place,
                               "not a step: 'ironbird list routine' has them");
    }
    if (look->diagnostics.count == 0)
        ib_tell(stdout,
                "%s: ok, a routine of %d step%s; a scenario that names it judges the rest\n",
                look->file, steps->count, steps->count == 1 ? "" : "s");
}

// Its values are judged where they are named: they are compiled into the program.
static void check_data(Look *look)
{
    bool field = ib_node_get(look->root, "source") != NULL;
    for (const ib_Node *entry = look->root->first; !field && entry; entry = entry->next)
        if (!ib_node_get(entry, "source") || !ib_node_get(entry, "sure"))
            ib_diagnostics_add(&look->diagnostics, entry->key_place,
                               "an entry of a data file says where its values come from: expected "
                               "source and sure in its map");
    if (look->diagnostics.count) return;
    if (field)
        ib_tell(stdout, "%s: ok, a data file of one field\n", look->file);
    else
        ib_tell(stdout, "%s: ok, a data file of %d entr%s\n", look->file, look->root->count,
                look->root->count == 1 ? "y" : "ies");
}

static const struct {
    const char *name;
    bool (*is)(const Look *look);
    void (*check)(Look *look);
} kinds[] = {
    {"a recording", is_recording, check_recording},
    {"a design as JSON", is_design_json, check_design_json},
    {"a planner's file", is_planned, check_planned},
    {"a routine", is_routine, check_routine},
    {"a design", is_design, check_design},
    {"a plan", is_plan, check_plan},
    {"a scenario", is_scenario, check_scenario},
    {"a robot file", is_robot, check_robot},
    {"a data file", is_data, check_data},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

// The text, and the tree if it may be YAML; its mistakes come again, in full, from the file's
// own reader.
static void read_text(Look *look)
{
    if (is_recording(look)) return;
    ib_Diagnostics unseen = {.arena = &look->arena};
    size_t length = 0;
    look->text = ib_contents_load(look->file, &look->arena, &length, NULL);
    if (!look->text || is_design_json(look)) return;
    look->root = ib_yaml_read(look->file, look->text, length, &look->arena, &unseen);
}

bool check_file(const char *file, const ib_ScenarioOptions *options)
{
    Look *look = calloc(1, sizeof *look);
    if (!look) return false;
    look->file = file;
    look->options = options;
    look->diagnostics.arena = &look->arena;
    read_text(look);
    int kind = 0;
    while (kind < KINDS && !kinds[kind].is(look)) kind++;
    if (kind < KINDS)
        kinds[kind].check(look);
    else
        refuse(look, "none of the files that are known: a scenario has robot and run, a design "
                     "plant and period, a plan arm and path, a robot file kind, a routine steps, a "
                     "data file source in each entry");
    bool right = look->diagnostics.count == 0;
    print_diagnostics(file, &look->diagnostics);
    if (!right && kind < KINDS && look->root)
        ib_tell(stderr, "%s: was read as %s\n", file, kinds[kind].name);
    ib_arena_reset(&look->arena);
    free(look);
    return right;
}
