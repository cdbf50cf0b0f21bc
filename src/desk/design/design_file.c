// desk/design/design_file.c: reads, designs and checks a design file, gear by gear.
#include "desk/design/design_file.h"

#include "base/quote.h"
#include "desk/design/design_inside.h"

#include <string.h>

// The keys of a design file itself.
static const char *const top_keys[] = {
    "format", "title",    "plant",    "at",     "period",      "hold",        "prewarp",
    "lqr",    "poles",    "integral", "kalman", "input_error", "feedforward", "latency",
    "limits", "polytope", "schedule", "check",  "export",      "try",         NULL};

// ------------------------------------------------------------------------------------ simple parts

// "drive_low" for "designs/drive-low.yaml": the default name of the loop, without one in `export`.
const char *ib__default_name(ib_Reader *reader)
{
    const char *slash = strrchr(reader->file, '/');
    char *name = ib_arena_text(reader->arena, slash ? slash + 1 : reader->file);
    if (!name) return "loop";
    name[strcspn(name, ".")] = '\0';
    if (strlen(name) > IB_STATE_NAME) name[IB_STATE_NAME] = '\0';
    for (char *c = name; *c; c++)
        if (!ib__is_identifier((char[]){'_', *c, 0})) *c = '_';
    return ib__is_identifier(name) ? name : "loop";
}

// 5 ms; a stand-in for a wrong value, so that the rest can be checked.
static double read_period(ib_Reader *reader, const ib_Node *root)
{
    const double stand_in = 0.01, shortest = 1e-6, longest = 1000; // as for loops of a scenario
    const ib_Node *node = ib_node_get(root, "period");
    double period;
    if (!node) {
        ib_diagnostics_add(reader->diagnostics, (ib_Place){reader->file, 1, 1},
                           "'period' is missing: expected a time such as '5 ms'");
        return stand_in;
    }
    if (!ib_read_number(reader, node, "s", false, &period)) return stand_in;
    if (period >= shortest && period <= longest) return period;
    ib_wrong_value(reader, node, "expected 1 us to %g s, got '%s'", longest,
                   ib_quote(node->text).text);
    return stand_in;
}

// ---------------------------------------------------------------------------------------- one gear

// Reports the design's refusals at their blocks, if the file itself has no mistakes. With a
// linearised robot the reason may be a held or averaged quantity.
static void place_refusals(ib__DesignReader *design, const ib_AnalysisRefusals *refusals)
{
    for (int i = 0; i < refusals->count; i++) {
        ib_AnalysisPart part = refusals->part[i];
        const ib_Node *node = design->blame[part];
        if (part == IB_ANALYSIS_PERIOD) node = ib_node_get(design->root, "period");
        if (!node) node = design->blame[IB_ANALYSIS_PLANT];
        const char *note = design->gear->note;
        ib_wrong_key(design->reader, node, "%s%s%s%s", refusals->error[i].text,
                     note ? " (the robot as it was linearised: " : "", note ? note : "",
                     note ? ")" : "");
    }
}

// True if check: {controllable: false} accepts an uncontrollable mode.
static bool is_uncontrollable_known(const ib_Node *root)
{
    const ib_Node *node = ib_node_get(ib_node_get(root, "check"), "controllable");
    return node && node->type == IB_NODE_SCALAR && strcmp(node->text, "false") == 0;
}

// Reads a gear and, without mistakes in it, designs its loop. The name is "" in a file that has
// no schedule.
static void read_and_design_gear(ib_Reader *reader, ib_Node *root, const char *name,
                                 ib_DesignGear *gear)
{
    ib__DesignReader design = {.reader = reader, .root = root, .gear = gear};
    int before = ib_diagnostics_seen(reader->diagnostics);
    ib_check_keys(reader, root, top_keys);
    memcpy(gear->config.name, name, strlen(name) + 1);
    gear->config.period = read_period(reader, root);
    gear->config.accept_uncontrollable = is_uncontrollable_known(root);
    ib__read_design_plant(&design);
    ib__read_design_hold(&design);
    ib__read_design_feedback(&design);
    ib__read_design_noise(&design);
    ib__read_design_rest(&design);
    ib__read_design_polytope(&design);
    if (ib_diagnostics_seen(reader->diagnostics) != before || !design.plant) return;
    ib_AnalysisRefusals *refusals = ib_arena_alloc(reader->arena, sizeof *refusals);
    if (!refusals) {
        ib_wrong_key(reader, root, "out of memory");
        return;
    }
    if (ib_analysis_design(&gear->config, &gear->design, refusals) != IB_OK)
        place_refusals(&design, refusals);
}

// ---------------------------------------------------------------------------------------- schedule

// Recursion is limited by the levels of a file.
static ib_Node *copy_node(ib_Arena *arena, const ib_Node *node)
{
    ib_Node *copy = ib_node_create(arena, node->type, node->text, node->place);
    if (!copy) return NULL;
    copy->key = node->key;
    copy->key_place = node->key_place;
    copy->quoted = node->quoted;
    copy->refused = node->refused;
    for (const ib_Node *child = node->first; child; child = child->next) {
        ib_Node *below = copy_node(arena, child);
        if (!below) return NULL;
        ib_node_append(copy, below);
    }
    return copy;
}

// A block of the file that should be a map and is none is refused once, for all gears: changes of a
// gear in it are left out.
static void leave_out(ib_Node *base, ib_Node *over)
{
    static const char *const blocks[] = {"plant",  "at",          "lqr",   "lqr.tolerance",
                                         "kalman", "input_error", "limits"};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        const ib_Node *block = ib_node_find(base, blocks[i]);
        const ib_Node *change = ib_node_find(over, blocks[i]);
        if (block && change && block->type != IB_NODE_MAP && change->type == IB_NODE_MAP)
            ib_node_remove(change->parent, change);
    }
}

// The file with the entries of one gear laid over it.
static ib_Node *overlay(ib_Reader *reader, const ib_Node *root, const ib_Node *entry)
{
    ib_Node *base = copy_node(reader->arena, root);
    ib_Node *over = base ? copy_node(reader->arena, entry) : NULL;
    if (!over) return NULL;
    ib_node_remove(base, ib_node_get(base, "schedule"));
    leave_out(base, over);
    ib_node_merge(base, over);
    return base;
}

// Refuses keys of the whole file in a gear.
static void refuse_strays(ib_Reader *reader, const ib_Node *entry)
{
    static const char *const whole[] = {"format",   "title", "period", "hold", "prewarp",
                                        "schedule", "check", "export", "try",  "polytope"};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        const ib_Node *stray = ib_node_get(entry, whole[i]);
        if (stray) ib_wrong_key(reader, stray, "is the same for all gears: expected it at the top");
    }
}

static bool has_mistake(const ib_Diagnostics *list, const ib_Diagnostic *mistake)
{
    for (int i = 0; i < list->count; i++) {
        const ib_Diagnostic *item = &list->items[i];
        if (item->line == mistake->line && item->column == mistake->column &&
            strcmp(item->file, mistake->file) == 0 && strcmp(item->text, mistake->text) == 0)
            return true;
    }
    return false;
}

// Shared warnings appear once, since they have the same place.
static void gather_warnings(const ib_Diagnostics *own, ib_Diagnostics *diagnostics)
{
    for (int i = 0; i < own->warning_count; i++) {
        const ib_Diagnostic *item = &own->warnings[i];
        ib_Place place = {item->file, item->line, item->column};
        ib_diagnostics_warn(diagnostics, place, "%s", item->text);
    }
}

// "gear low: " or "gears low, high: ", the gears with this mistake; "" if all of several have it.
// False: an earlier gear has reported it.
static bool name_gears(const ib_Node *schedule, const ib_Diagnostics *own, int gear,
                       const ib_Diagnostic *mistake, char *text, size_t size)
{
    int count = 0;
    size_t used = 0;
    char names[IB_GEARS_MAX * (IB_STATE_NAME + 2) + 1] = "";
    for (const ib_Node *entry = schedule->first; entry; entry = entry->next) {
        if (!has_mistake(&own[entry->index], mistake)) continue;
        if (entry->index < gear) return false;
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", count++ ? ", " : "",
                                     entry->key);
    }
    bool shared = schedule->count > 1 && count == schedule->count;
    snprintf(text, size, "%s%s%s",
             shared      ? ""
             : count > 1 ? "gears "
                         : "gear ",
             shared ? "" : names, shared ? "" : ": ");
    return true;
}

// A mistake shared by all gears is one of the file; another one names its gears. Each is
// reported once.
static void gather_mistakes(const ib_Node *schedule, const ib_Diagnostics *own,
                            ib_Diagnostics *diagnostics)
{
    char gears[IB_GEARS_MAX * (IB_STATE_NAME + 2) + 10];
    for (const ib_Node *entry = schedule->first; entry; entry = entry->next) {
        const ib_Diagnostics *list = &own[entry->index];
        diagnostics->dropped += list->dropped;
        gather_warnings(list, diagnostics);
        for (int i = 0; i < list->count; i++) {
            const ib_Diagnostic *item = &list->items[i];
            ib_Place place = {item->file, item->line, item->column};
            if (name_gears(schedule, own, entry->index, item, gears, sizeof gears))
                ib_diagnostics_add(diagnostics, place, "%s%s", gears, item->text);
        }
    }
}

// One gear, with its mistakes in a list of their own.
static void read_entry(ib_Reader *reader, const ib_Node *root, const ib_Node *entry,
                       ib_Diagnostics *own, ib_DesignGear *gear)
{
    ib_Diagnostics *diagnostics = reader->diagnostics;
    ib_Node *whole = overlay(reader, root, entry);
    own->arena = diagnostics->arena;
    if (!whole) {
        ib_wrong_key(reader, entry, "out of memory");
        return;
    }
    reader->diagnostics = own;
    read_and_design_gear(reader, whole, entry->key, gear);
    reader->diagnostics = diagnostics;
}

// schedule: {low: {plant: {…}}, high: {…}}
static void read_schedule(ib_Reader *reader, const ib_Node *root, const ib_Node *schedule,
                          ib_DesignFile *file)
{
    if (!ib_check_map(reader, schedule, "a map of gears, each with what differs in it")) return;
    if (schedule->count < 1 || schedule->count > IB_GEARS_MAX) {
        ib_wrong_value(reader, schedule, "expected 1 to %d gears, got %d", IB_GEARS_MAX,
                       schedule->count);
        return;
    }
    ib_Diagnostics *own = ib_arena_array(reader->arena, IB_GEARS_MAX, sizeof *own);
    if (!own) {
        ib_wrong_key(reader, schedule, "out of memory");
        return;
    }
    file->scheduled = true;
    file->gear_count = schedule->count;
    for (const ib_Node *entry = schedule->first; entry; entry = entry->next) {
        bool named = ib_check_name(reader, entry, "a gear");
        if (!ib_check_map(reader, entry, "a map with what differs in this gear")) continue;
        refuse_strays(reader, entry);
        int at = entry->index;
        if (named) read_entry(reader, root, entry, &own[at], &file->gears[at]);
    }
    gather_mistakes(schedule, own, reader->diagnostics);
}

// Units of the loop's states and inputs, if known: an error of an input has that input's.
static void name_units(const ib_DesignGear *gear, ib_Loop *loop)
{
    const ib_StateSpace *plant = &gear->design.plant;
    for (int i = 0; i < loop->inputs; i++)
        snprintf(loop->input_unit[i], sizeof loop->input_unit[i], "%s",
                 gear->input_unit[i] ? gear->input_unit[i] : "");
    for (int i = 0; i < loop->states; i++) {
        const char *name = loop->gear[0].plant.state[i];
        const char *unit = i < plant->states ? gear->state_unit[i] : NULL;
        for (int k = 0; i >= plant->states && k < loop->inputs; k++)
            if (strncmp(name, "error_", 6) == 0 && strcmp(name + 6, plant->input[k]) == 0)
                unit = gear->input_unit[k];
        snprintf(loop->state_unit[i], sizeof loop->state_unit[i], "%s", unit ? unit : "");
    }
}

// Makes one loop of the gears; without feedback there is none.
static void make_loop(ib_Reader *reader, const ib_Node *root, ib_DesignFile *file)
{
    const ib_AnalysisConfig *configs[IB_GEARS_MAX];
    const ib_Design *designs[IB_GEARS_MAX];
    bool feedback = false;
    for (int i = 0; i < file->gear_count; i++) {
        configs[i] = &file->gears[i].config;
        designs[i] = &file->gears[i].design;
        feedback |= designs[i]->feedback;
    }
    if (!feedback) return;
    ib_Error error;
    const ib_Node *schedule = ib_node_get(root, "schedule");
    file->loop = ib_arena_alloc(reader->arena, sizeof *file->loop);
    ib_Status status = file->loop ? ib_analysis_loop(file->name, file->gear_count, configs, designs,
                                                     file->loop, &error)
                                  : ib_error_set(&error, IB_FAILED, "out of memory");
    if (status == IB_OK) {
        name_units(&file->gears[0], file->loop);
        return;
    }
    if (schedule)
        ib_wrong_key(reader, schedule, "%s", error.text);
    else
        ib_wrong_key(reader, ib_node_get(root, "plant"), "%s", error.text);
}

// --------------------------------------------------------------------------------------- the entry

// All keys of the file, in order. Without mistakes it then makes the loop, and, unless
// `loop_alone`, its margins and the verdicts of `check:`.
static void read_keys(ib_Reader *reader, ib_Node *root, bool loop_alone, ib_DesignFile *file)
{
    const ib_Node *schedule = ib_node_get(root, "schedule");
    file->name = ib__default_name(reader);
    file->gear_count = 1;
    file->gears = ib_arena_array(reader->arena, IB_GEARS_MAX, sizeof *file->gears);
    if (!file->gears) {
        ib_wrong_key(reader, root, "out of memory");
        return;
    }
    for (int i = 0; i < IB_GEARS_MAX; i++) file->gears[i].config.unmargined = loop_alone;
    if (schedule)
        read_schedule(reader, root, schedule, file);
    else
        read_and_design_gear(reader, root, "", &file->gears[0]);
    ib__read_design_checks(reader, ib_node_get(root, "check"), file);
    ib__read_design_export(reader, ib_node_get(root, "export"), file);
    ib__read_trial(reader, ib_node_get(root, "try"), file);
    if (ib_diagnostics_seen(reader->diagnostics) != reader->before) return;
    make_loop(reader, root, file);
    if (!loop_alone) ib__judge_design(file);
}

static void read_design(ib_Reader *reader, ib_Node *root, const ib_ScenarioOptions *options,
                        void *made)
{
    (void)options;
    read_keys(reader, root, false, made);
}

static void read_loop(ib_Reader *reader, ib_Node *root, const ib_ScenarioOptions *options,
                      void *made)
{
    (void)options;
    read_keys(reader, root, true, made);
}

// Frees the robots read by gears and the trial.
static void release(void *made)
{
    ib_DesignFile *design = made;
    for (int i = 0; design->gears && i < IB_GEARS_MAX; i++)
        ib_scenario_destroy(design->gears[i].home);
    ib_scenario_destroy(design->trial.home);
}

// The kind of file; a change of it reads it again, with the same list.
static const ib_YamlFileKind kind = {.size = sizeof(ib_DesignFile),
                                     .keys = top_keys,
                                     .expected = "a map with keys such as plant and period",
                                     .again = true,
                                     .read = read_design,
                                     .release = release};

ib_DesignFile *ib_design_file_read(const char *file, const ib_ScenarioOptions *options,
                                   ib_Diagnostics *diagnostics)
{
    return ib_yaml_file_read(&kind, file, NULL, 0, options, diagnostics);
}

ib_DesignFile *ib_design_file_read_loop(const char *file, const ib_ScenarioOptions *options,
                                        ib_Diagnostics *diagnostics)
{
    ib_YamlFileKind loop = kind;
    loop.read = read_loop;
    return ib_yaml_file_read(&loop, file, NULL, 0, options, diagnostics);
}

ib_DesignFile *ib_design_file_read_text(const char *file, const char *text, size_t length,
                                        const ib_ScenarioOptions *options,
                                        ib_Diagnostics *diagnostics)
{
    return ib_yaml_file_read(&kind, file, text ? text : "", length, options, diagnostics);
}

void ib_design_file_destroy(ib_DesignFile *design)
{
    ib_yaml_file_destroy(&kind, design);
}
