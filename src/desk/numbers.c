#include "desk/numbers.h"

#include "desk/design/design_json.h"
#include "desk/plan/plan_file.h"
#include "desk/plan/plan_json.h"
#include "desk/trial/trial_pair_json.h"
#include "file/json_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// -------------------------------------------------------------------------------------------- kind

static bool has_any(const ib_Node *root, const char *const *keys)
{
    for (; *keys; keys++)
        if (ib_node_get(root, *keys)) return true;
    return false;
}

// A data file of arms has an `arm`, too, and says where its values come from.
static bool is_data(const ib_Node *root)
{
    return root->type == IB_NODE_MAP &&
           (ib_node_get(root, "source") || ib_node_get(root->first, "source"));
}

ib_DeskKind ib_desk_kind(const ib_Node *root)
{
    static const char *const design[] = {"plant", "period", "lqr", "kalman", "poles", NULL};
    static const char *const plan[] = {"arm", "paths", NULL};
    static const char *const others[] = {"robot", "robots", "run", NULL};
    if (!root) return IB_DESK_NONE;
    if (has_any(root, design)) return IB_DESK_DESIGN;
    bool planned = has_any(root, plan) && !has_any(root, others) && !is_data(root);
    return planned ? IB_DESK_PLAN : IB_DESK_NONE;
}

// ----------------------------------------------------------------------------------------- numbers

typedef struct List {
    ib_Arena *arena;
    ib_DeskNumber *items;
    int count, room;
    bool failed; ///< out of memory
} List;

// Units of the JSON's keys, by the key itself or by its last letters.
static const struct {
    const char *key, *unit;
} units[] = {
    {"phase", "rad"},
    {"delay", "s"},
    {"settling", "s"},
    {"rise", "s"},
    {"period", "s"},
    {"latency", "s"},
    {"duration", "s"},
    {"delay_margin_together", "s"},
    {"current", "A"},
    {"supply", "A"},
    {"lowest_voltage", "V"},
    {"gain_frequency", "rad/s"},
    {"_frequency", "rad/s"},
    {"_s", "s"},
    {"_J", "J"},
    {"_rad", "rad"},
    {"_m", "m"},
};

static const char *unit_of(const char *key)
{
    size_t length = strlen(key);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t tail = strlen(units[i].key);
        bool ending = units[i].key[0] == '_' && length > tail;
        if (!strcmp(key + (ending ? length - tail : 0), units[i].key)) return units[i].unit;
    }
    return "";
}

// What a design or a plan is judged by.
static bool is_headline(const char *name, const char *key)
{
    static const char *const keys[] = {"gain_up", "phase", "settling", "overshoot", NULL};
    if (!strncmp(name, "paths.", 6)) {
        const char *dot = strchr(name + 6, '.');
        return dot && !strcmp(dot, ".time_s");
    }
    for (const char *const *k = keys; *k; k++)
        if (!strcmp(key, *k)) return true;
    return !strcmp(name, "trial.use.current");
}

static void add_number(List *list, const char *name, const char *key, double value)
{
    if (list->count == list->room) {
        int room = list->room ? 2 * list->room : 256;
        ib_DeskNumber *items = ib_arena_array(list->arena, (size_t)room, sizeof *items);
        list->failed |= !items;
        if (!items) return;
        if (list->count) memcpy(items, list->items, (size_t)list->count * sizeof *items);
        list->items = items;
        list->room = room;
    }
    list->items[list->count++] = (ib_DeskNumber){name, unit_of(key), value, is_headline(name, key)};
}

// The name of a list's element among `index` others: what it says of itself, or its number.
static const char *element_name(const ib_Node *element, int index, ib_Arena *arena)
{
    static const char *const keys[] = {"name", "input", "what", "gear", NULL};
    for (const char *const *k = keys; *k && element->type == IB_NODE_MAP; k++) {
        const ib_Node *said = ib_node_get(element, *k);
        if (said && said->type == IB_NODE_SCALAR && said->quoted && said->text[0])
            return said->text;
    }
    // The only gear of a trial has no name, and needs none.
    bool lone = index == 0 && element->type == IB_NODE_MAP && !element->next &&
                ib_node_get(element, "gear");
    return lone ? "" : ib_arena_format(arena, "%d", index);
}

static void flatten(List *list, const ib_Node *node, const char *name, const char *key)
{
    int index = 0;
    if (node->type == IB_NODE_SCALAR) {
        bool flag = ib_json_is_flag(node);
        if (!flag && !ib_json_is_number(node) && !ib_json_is_null(node)) return;
        double value = flag                    ? !strcmp(node->text, "true")
                       : ib_json_is_null(node) ? NAN
                                               : strtod(node->text, NULL);
        add_number(list, name, key, value);
        return;
    }
    for (const ib_Node *child = node->first; child && !list->failed; child = child->next, index++) {
        const char *own =
            node->type == IB_NODE_MAP ? child->key : element_name(child, index, list->arena);
        // `loop` has what is there already, for the machine that runs it.
        if (!name[0] && own && !strcmp(own, "loop")) continue;
        list->failed |= !own;
        if (!own) return;
        const char *full = !name[0] || !own[0] ? ib_arena_text(list->arena, own[0] ? own : name)
                                               : ib_arena_format(list->arena, "%s.%s", name, own);
        list->failed |= !full;
        if (full) flatten(list, child, full, node->type == IB_NODE_MAP ? own : key);
    }
}

// Takes the numbers of a JSON text. False: out of memory.
static bool take_numbers(char *text, ib_Arena *arena, ib_DeskNumbers *made)
{
    ib_Diagnostics unseen = {.arena = arena};
    const ib_Node *root =
        text ? ib_json_tree_read("json", text, strlen(text), arena, &unseen) : NULL;
    List list = {.arena = arena};
    if (root) flatten(&list, root, "", "");
    made->numbers = list.items;
    made->count = list.count;
    return root && !list.failed;
}

// ----------------------------------------------------------------------------------------- reading

// What all files of the desk have, copied into the arena.
static bool take_file(const ib_YamlFile *yaml, ib_Arena *arena, ib_DeskNumbers *made)
{
    ib_Reader names = {.arena = arena};
    bool good = ib_add_files(&names, yaml->files);
    made->title = ib_arena_text(arena, yaml->title);
    made->files = names.files;
    for (int i = 0; i < yaml->warning_count && good; i++) {
        char line[600];
        ib_diagnostic_format(&yaml->warnings[i], line, sizeof line);
        made->warnings =
            ib_arena_format(arena, "%s%s\n", made->warnings ? made->warnings : "", line);
        good = made->warnings != NULL;
    }
    return good && made->title;
}

static void write_trial(ib_Json *json, const void *self)
{
    ib_trial_summary_json(json, "trial", self);
}

static bool take_checks(const ib_DesignFile *design, ib_Arena *arena, ib_DeskNumbers *made)
{
    ib_DeskCheck *checks = ib_arena_array(arena, (size_t)design->check_count + 1, sizeof *checks);
    for (int i = 0; checks && i < design->check_count; i++) {
        const ib_DesignCheck *check = &design->checks[i];
        checks[i] = (ib_DeskCheck){
            ib_arena_format(arena, "check.%s", ib_design_limit_names[check->what]),
            ib_design_limit_units[check->what], ib_design_check_margin(check), check->passed};
        if (!checks[i].text) return false;
        for (int k = 0; k < made->count; k++) { // "check.settling.found" and ".limit"
            ib_DeskNumber *number = &made->numbers[k];
            size_t length = strlen(checks[i].text);
            if (!strncmp(number->name, checks[i].text, length) && number->name[length] == '.')
                number->unit = strcmp(checks[i].unit, "1") ? checks[i].unit : "";
        }
    }
    made->checks = checks;
    made->check_count = design->check_count;
    return checks != NULL;
}

static bool take_design(const ib_DesignFile *design, ib_Arena *arena, ib_DeskNumbers *made)
{
    ib_JsonMemory memory;
    if (!ib_json_memory_open(&memory)) return false;
    bool trial = design->trial.given && design->loop;
    ib_design_json_write_with(design, memory.json.file, trial ? write_trial : NULL, design);
    char *text = ib_json_memory_close(&memory, arena);
    return take_numbers(text, arena, made) && take_checks(design, arena, made) &&
           take_file(&design->yaml, arena, made);
}

static bool take_plan(const ib_PlanFile *plan, ib_Arena *arena, ib_DeskNumbers *made)
{
    ib_JsonMemory memory;
    if (!ib_json_memory_open(&memory)) return false;
    ib_plan_json_write(plan, memory.json.file);
    return take_numbers(ib_json_memory_close(&memory, arena), arena, made) &&
           take_file(&plan->yaml, arena, made);
}

const ib_DeskNumbers *ib_desk_numbers(ib_DeskKind kind, const char *file,
                                      const ib_ScenarioOptions *options, ib_Arena *arena,
                                      ib_Diagnostics *diagnostics)
{
    ib_DeskNumbers *made = ib_arena_alloc(arena, sizeof *made);
    bool good = false, read = false;
    if (kind == IB_DESK_DESIGN) {
        ib_DesignFile *design = ib_design_file_read(file, options, diagnostics);
        read = design != NULL;
        good = made && design && take_design(design, arena, made);
        ib_design_file_destroy(design);
    } else {
        ib_PlanFile *plan = ib_plan_file_read(file, options, diagnostics);
        read = plan != NULL;
        good = made && plan && take_plan(plan, arena, made);
        ib_plan_file_destroy(plan);
    }
    if (read && !good) ib_diagnostics_add(diagnostics, (ib_Place){file, 1, 1}, "out of memory");
    return good ? made : NULL;
}
