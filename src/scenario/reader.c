// scenario/reader.c: a scenario file, part by part; the order of this file is that of the keys.
#include "scenario/reader.h"

#include "base/quote.h"
#include "base/units.h"
#include "scenario/text.h"
#include "scenario/yaml.h"

#include <stdlib.h>
#include <string.h>

const char *const ib__top_keys[] = {"format", "title",  "robot",   "robots", "field",
                                    "start",  "inputs", "control", "run",    "disturbances",
                                    "record", "expect", NULL};

// --------------------------------------------------------------------------------------- overrides

static void set_text(ib__Reader *reader, ib_Node *root, const char *path, const char *text,
                     const char *file)
{
    ib_Node *value = ib_node_create(reader->arena, IB_NODE_SCALAR, text, (ib_Place){file, 1, 1});
    if (value) ib_node_set(root, path, value, reader->arena, reader->diagnostics);
}

// Nothing but white space, or a comment?
static bool is_blank(const char *yaml)
{
    yaml += strspn(yaml, IB_SPACES);
    return *yaml == '\0' || *yaml == '#';
}

// Changes the tree as the command line says, in its order.
void ib__apply_overrides(ib__Reader *reader, ib_Node *root, const ib_ScenarioOptions *options)
{
    for (int i = 0; i < options->override_count; i++) {
        const ib_Override *override = &options->overrides[i];
        const char *file = ib_arena_format(reader->arena, "--set %s", override->path);
        if (!file) continue;
        if (is_blank(override->yaml)) {
            ib_diagnostics_add(reader->diagnostics, (ib_Place){file, 1, 1},
                               "%s: empty value: expected YAML after the '=', such as '2.7 kg' or "
                               "[]",
                               ib_quote(override->path).text);
            continue;
        }
        ib_Node *value = ib_yaml_read(file, override->yaml, strlen(override->yaml), reader->arena,
                                      reader->diagnostics);
        if (value) ib_node_set(root, override->path, value, reader->arena, reader->diagnostics);
    }
}

// The same, with --duration last.
static void apply_options(ib__Reader *reader, ib_Node *root, const ib_ScenarioOptions *options)
{
    ib__apply_overrides(reader, root, options);
    if (options->duration) set_text(reader, root, "run.duration", options->duration, "--duration");
}

// ----------------------------------------------------------------------------------- simple parts

static void read_format(ib__Reader *reader, const ib_Node *node)
{
    const char *text = node ? ib__read_text(reader, node, "1") : NULL;
    if (text && strcmp(text, "1") != 0)
        ib__wrong_value(reader, node, "expected 1, the only format so far, got '%s'",
                        ib_quote(text).text);
}

// One line of a text that was written in several.
static const char *one_line(ib__Reader *reader, const char *text)
{
    char *line = ib_arena_text(reader->arena, text);
    if (!line) return text;
    size_t length = strlen(line);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < 0x20) line[i] = ' ';
    while (length && line[length - 1] == ' ') line[--length] = '\0';
    return line;
}

// The title, or the name of the file without its folder.
static const char *read_title(ib__Reader *reader, const ib_Node *node)
{
    const char *slash = strrchr(reader->file, '/');
    const char *title = node ? ib__read_text(reader, node, "a text") : NULL;
    if (title) return one_line(reader, title);
    return slash ? slash + 1 : reader->file;
}

// A sentence, in quotes or not: "always: x >= 1 m" without quotes is a map of one entry.
static const char *sentence(ib__Reader *reader, const ib_Node *node)
{
    static const char example[] = "a sentence such as \"at 2 s: pose.x = 1.305 m +- 1 mm\"";
    bool map = node->type == IB_NODE_MAP && node->count == 1 &&
               node->first->type == IB_NODE_SCALAR && node->first->text[0];
    const char *text =
        map ? ib_arena_format(reader->arena, "%s: %s", node->first->key, node->first->text)
            : ib__read_text(reader, node, example);
    return text ? one_line(reader, text) : NULL;
}

// One sentence. Without a model it is judged as far as it does not name a signal; where it is only
// counted, no hint is looked for.
static bool read_expectation(ib__Reader *reader, const ib_Node *node, const ib_Model *model,
                             ib_Expectation *expectation)
{
    const char *text = sentence(reader, node);
    ib_Error error = {.text = "wrong"}, *hint = ib__is_full(reader) ? NULL : &error;
    if (!text) return false;
    const char *name = text + strcspn(text, ":");
    name += strspn(name, ": ");
    bool known = model && !ib__is_open(reader, name);
    ib_Status status = known
                           ? ib_expect_read(text, &model->signals, reader->arena, expectation, hint)
                           : ib_expect_check_form(text, expectation, hint);
    if (status != IB_OK) {
        ib__wrong_value(reader, node, "%s", error.text);
        return false;
    }
    if (reader->duration && expectation->time > reader->duration) {
        ib__wrong_value(reader, node, "'%s' is after the end of the run, %.9g s",
                        ib_quote_n(text, (int)strcspn(text, ":")).text,
                        ib_time_to_seconds(reader->duration));
        return false;
    }
    return true;
}

void ib__read_expectations(ib__Reader *reader, const ib_Node *node, ib_Scenario *scenario)
{
    if (!node || !ib__is_list(reader, node, "a list of sentences")) return;
    if (node->count > IB__MAX_EXPECTATIONS) {
        ib__wrong_value(reader, node, "%d sentences: expected at most %d", node->count,
                        IB__MAX_EXPECTATIONS);
        return;
    }
    ib_Expectation *all = ib_arena_array(reader->arena, (size_t)node->count, sizeof *all);
    if (!all) {
        ib__wrong_value(reader, node, "out of memory");
        return;
    }
    scenario->expectations = all;
    for (const ib_Node *child = node->first; child; child = child->next) {
        ib_Expectation *next = &all[scenario->expectation_count];
        if (read_expectation(reader, child, scenario->model, next)) scenario->expectation_count++;
    }
}

// --------------------------------------------------------------------------------------- the model

// The robots that can be told: as read, as configs and as made.
typedef struct Known {
    const ib__Robot **read;
    ib_RobotConfig *configs;
    ib_Robot *made;
} Known;

// Fills them in; their number. Disturbances are counted anew: that of a robot left out happens to
// nobody.
static int pick_known(ib__Reader *reader, ib_SimConfig *sim, const Known *known)
{
    int number[IB__MAX_ROBOTS + 1], count = 0;
    for (int i = 0; i < reader->robot_count; i++) {
        number[i] = reader->robots[i].config.kind ? count : reader->robot_count;
        if (!reader->robots[i].config.kind) continue;
        known->configs[count] = reader->robots[i].config;
        known->made[count] = reader->robots[i].made;
        known->read[count++] = &reader->robots[i];
    }
    size_t size = (size_t)sim->disturbance_count;
    if (count == reader->robot_count || size == 0) return count;
    ib_Disturbance *all = ib_arena_array(reader->arena, size, sizeof *all);
    if (!all) return 0;
    memcpy(all, sim->disturbances, size * sizeof *all);
    for (size_t i = 0; i < size; i++)
        if (all[i].robot >= 0) all[i].robot = number[all[i].robot];
    sim->disturbances = all;
    return count;
}

// What a plan refuses is shown at its path. With stand-ins for values that were wrong it would only
// confuse.
static void refuse_plan(ib__Reader *reader, const ib__Robot *robot, const char *text)
{
    const ib_Node *path = ib_node_get(robot->control, "path");
    bool doubled = strncmp(text, "path: ", 6) == 0; // the place says so already
    if (robot->clean && path) ib__wrong_value(reader, path, "%s", text + (doubled ? 6 : 0));
}

// Derives the model, also from stand-ins for what was wrong and without the robots whose kind is
// unknown: patterns and expectations can then be judged in the same pass.
static void derive_model(ib__Reader *reader, ib_Scenario *scenario)
{
    ib_SimConfig *sim = &scenario->sim;
    size_t room = (size_t)reader->robot_count;
    ib_Arena *arena = reader->arena;
    Known known = {.read = ib_arena_array(arena, room, sizeof *known.read),
                   .configs = ib_arena_array(arena, room, sizeof *known.configs),
                   .made = ib_arena_array(arena, room, sizeof *known.made)};
    bool fits = known.read && known.configs && known.made;
    int count = fits ? pick_known(reader, sim, &known) : 0;
    if (count == 0) return;
    sim->robots = known.configs;
    sim->robot_count = count;
    bool clean = ib_diagnostics_seen(reader->diagnostics) == reader->before;
    ib_Error error;
    ib_Status status = ib_model_wire(sim, known.made, arena, &scenario->model, &error);
    if (!scenario->model && clean) ib__wrong_key(reader, known.read[0]->node, "%s", error.text);

    // A model ends at the first path without a plan: the robots behind it are tried on their own.
    ib_SimConfig rest = *sim;
    ib_Model *model = scenario->model;
    rest.disturbance_count = 0;
    for (int first = 0; status != IB_OK && model && model->unplanned >= 0;) {
        refuse_plan(reader, known.read[first + model->unplanned], error.text);
        first += model->unplanned + 1;
        if (first == count) break;
        rest.robots = known.configs + first;
        rest.robot_count = count - first;
        model = NULL;
        status = ib_model_wire(&rest, known.made + first, arena, &model, &error);
    }
}

// A robot must not start inside a wall or another robot.
static void check_overlap(ib__Reader *reader, const ib_Model *model)
{
    ib_Error error;
    bool clean = ib_diagnostics_seen(reader->diagnostics) == reader->before;
    int robot = clean && model ? ib_model_overlap(model, &error) : -1;
    if (robot < 0) return;
    const ib__Robot *known = &reader->robots[robot];
    if (known->start)
        ib__wrong_key(reader, known->start, "%s", error.text);
    else
        ib__wrong_key(reader, known->node, "%s", error.text);
}

static void read_tree(ib__Reader *reader, ib_Node *root, const ib_ScenarioOptions *options,
                      ib_Scenario *scenario)
{
    ib__Robot *robots;
    ib_SimConfig *sim = &scenario->sim;
    const ib_Node *record = ib_node_get(root, "record");
    ib__check_keys(reader, root, ib__top_keys);
    read_format(reader, ib_node_get(root, "format"));
    scenario->title = sim->title = read_title(reader, ib_node_get(root, "title"));

    // The seed comes first: values of the robot may be drawn from it.
    ib__read_run(reader, root, sim);
    if (options->has_seed) sim->seed = options->seed;
    reader->seed = sim->seed;

    ib__read_field(reader, ib_node_get(root, "field"), sim);
    reader->gravity = sim->gravity;
    int count = ib__read_robots(reader, root, &robots);
    reader->robots = robots;
    reader->robot_count = count;
    ib__read_disturbances(reader, ib_node_get(root, "disturbances"), robots, count, sim);
    ib__read_record(reader, record, &scenario->record);
    derive_model(reader, scenario);
    check_overlap(reader, scenario->model);
    if (scenario->model) ib__check_patterns(reader, record, &scenario->model->signals);
    ib__read_expectations(reader, ib_node_get(root, "expect"), scenario);
}

// ---------------------------------------------------------------------------------------- the door

// Reads `text`, or the file itself where it is NULL.
static void read_into(ib__Reader *reader, const char *text, size_t length,
                      const ib_ScenarioOptions *options, ib_Scenario *scenario)
{
    static const ib_ScenarioOptions none = {0};
    ib_Place top = {reader->file, 1, 1};
    if (!options) options = &none;
    reader->data = options->data;
    reader->plugins = options->plugins;
    ib_Error error;
    if (!text) text = ib__text_load(reader->file, reader->arena, &length, &error);
    if (!text) {
        ib_diagnostics_add(reader->diagnostics, top, "%s", error.text);
        return;
    }
    ib_Node *root = ib_yaml_read(reader->file, text, length, reader->arena, reader->diagnostics);
    if (!root) return;
    if (root->type != IB_NODE_MAP && root->refused) return;
    if (root->type != IB_NODE_MAP) {
        char got[IB_QUOTE_LENGTH + 8], first[IB_QUOTE_LENGTH + 8];
        bool begins = root->first && root->first->type == IB_NODE_SCALAR;
        ib_node_describe(root, got, sizeof got);
        if (begins) ib_node_describe(root->first, first, sizeof first);
        ib_diagnostics_add(reader->diagnostics, root->place,
                           "expected a map with keys such as robot and run, got %s%s%s", got,
                           begins ? " that begins with " : "", begins ? first : "");
        return;
    }
    apply_options(reader, root, options);
    read_tree(reader, root, options, scenario);
}

static ib_Scenario *read_scenario(const char *file, const char *text, size_t length,
                                  const ib_ScenarioOptions *options, ib_Diagnostics *diagnostics)
{
    int before = ib_diagnostics_seen(diagnostics);
    ib_Scenario *scenario = calloc(1, sizeof *scenario);
    const char *name = scenario ? ib_arena_text(&scenario->arena, file) : NULL;
    if (!name) {
        ib_diagnostics_add(diagnostics, (ib_Place){file, 1, 1}, "out of memory");
        ib_scenario_destroy(scenario);
        return NULL;
    }
    scenario->file = name;
    ib__Reader reader = {
        .file = name, .arena = &scenario->arena, .diagnostics = diagnostics, .before = before};
    if (ib__add_file(&reader, name)) read_into(&reader, text, length, options, scenario);
    scenario->files = reader.files;

    int found = ib_diagnostics_seen(diagnostics) - before;
    if (!found && !scenario->model)
        ib_diagnostics_add(diagnostics, (ib_Place){file, 1, 1}, "out of memory");
    if (!found && scenario->model) return scenario;
    ib_diagnostics_sort(diagnostics);
    ib_scenario_destroy(scenario);
    return NULL;
}

ib_Scenario *ib_scenario_read(const char *file, const ib_ScenarioOptions *options,
                              ib_Diagnostics *diagnostics)
{
    return read_scenario(file, NULL, 0, options, diagnostics);
}

ib_Scenario *ib_scenario_read_text(const char *file, const char *text, size_t length,
                                   const ib_ScenarioOptions *options, ib_Diagnostics *diagnostics)
{
    return read_scenario(file, text ? text : "", length, options, diagnostics);
}

void ib_scenario_destroy(ib_Scenario *scenario)
{
    if (!scenario) return;
    ib_Arena arena = scenario->arena;
    ib_arena_reset(&arena);
    free(scenario);
}

ib_Status ib_scenario_default(const ib_Schema *schema, void *config, ib_Error *error)
{
    ib_Arena arena = {0};
    ib_Diagnostics *diagnostics = ib_arena_alloc(&arena, sizeof *diagnostics);
    if (!diagnostics) return ib_error_set(error, IB_FAILED, "out of memory");
    diagnostics->arena = &arena;
    ib__Reader reader = {.file = "defaults", .arena = &arena, .diagnostics = diagnostics};
    ib__read_schema(&reader, NULL, schema, NULL, config);
    ib_Status status = IB_OK;
    if (diagnostics->count) {
        char text[IB_ERROR_TEXT];
        ib_diagnostic_format(&diagnostics->items[0], text, sizeof text);
        status = ib_error_set(error, IB_BAD_INPUT, "%s", text);
    }
    ib_arena_reset(&arena);
    return status;
}
