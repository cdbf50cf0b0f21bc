// scenario/scenario.c: a scenario file, part by part; the order of this file is that of the keys.
#include "scenario/scenario_inside.h"

#include <string.h>

static const char *const top_keys[] = {"format", "title",  "robot",   "robots", "field",
                                       "start",  "inputs", "control", "run",    "disturbances",
                                       "record", "expect", NULL};

// --------------------------------------------------------------------------------------- overrides

static void set_text(ib_Reader *reader, ib_Node *root, const char *path, const char *text,
                     const char *file)
{
    ib_Node *value = ib_node_create(reader->arena, IB_NODE_SCALAR, text, (ib_Place){file, 1, 1});
    if (value) ib_node_set(root, path, value, reader->arena, reader->diagnostics);
}

// Changes the tree as the command line says, after its --set.
static void apply_options(ib_Reader *reader, ib_Node *root, const ib_ScenarioOptions *options)
{
    if (options->duration) set_text(reader, root, "run.duration", options->duration, "--duration");
    if (options->robot) set_text(reader, root, "robot.file", options->robot, "--robot");
}

// --------------------------------------------------------------------------------------- the model

// The robots that can be told: as read, as configs and as made.
typedef struct Known {
    const ib__Robot **read;
    ib_RobotConfig *configs;
    ib_Robot *made;
} Known;

// Fills them in; their number. Disturbances are counted anew:
// that of a robot left out happens to nobody.
static int pick_known(const ib__ScenarioReader *scenario, ib_SimConfig *sim, const Known *known)
{
    int number[IB__MAX_ROBOTS + 1], count = 0;
    for (int i = 0; i < scenario->robot_count; i++) {
        number[i] = scenario->robots[i].config.kind ? count : scenario->robot_count;
        if (!scenario->robots[i].config.kind) continue;
        known->configs[count] = scenario->robots[i].config;
        known->made[count] = scenario->robots[i].made;
        known->read[count++] = &scenario->robots[i];
    }
    size_t size = (size_t)sim->disturbance_count;
    if (count == scenario->robot_count || size == 0) return count;
    ib_Disturbance *all = ib_arena_array(scenario->reader->arena, size, sizeof *all);
    if (!all) return 0;
    memcpy(all, sim->disturbances, size * sizeof *all);
    for (size_t i = 0; i < size; i++)
        if (all[i].robot >= 0) all[i].robot = number[all[i].robot];
    sim->disturbances = all;
    return count;
}

// A plan's refusals are shown at its path. With stand-ins for wrong values they would only confuse.
static void refuse_plan(ib_Reader *reader, const ib__Robot *robot, const char *text)
{
    const ib_Node *path = ib_node_get(robot->control, "path");
    bool doubled = strncmp(text, "path: ", 6) == 0; // the place says so already
    if (robot->clean && path) ib_wrong_value(reader, path, "%s", text + (doubled ? 6 : 0));
}

// Derives the model, also from stand-ins for wrong values and without robots of unknown kind:
// patterns and expectations can then be checked in the same pass.
static void derive_model(const ib__ScenarioReader *from, ib_Scenario *scenario)
{
    ib_Reader *reader = from->reader;
    ib_SimConfig *sim = &scenario->sim;
    size_t room = (size_t)from->robot_count;
    ib_Arena *arena = reader->arena;
    Known known = {.read = ib_arena_array(arena, room, sizeof *known.read),
                   .configs = ib_arena_array(arena, room, sizeof *known.configs),
                   .made = ib_arena_array(arena, room, sizeof *known.made)};
    bool fits = known.read && known.configs && known.made;
    int count = fits ? pick_known(from, sim, &known) : 0;
    if (count == 0) return;
    sim->robots = known.configs;
    sim->robot_count = count;
    bool clean = ib_diagnostics_seen(reader->diagnostics) == reader->before;
    ib_Error error;
    ib_Status status = ib_model_wire(sim, known.made, arena, &scenario->model, &error);
    if (!scenario->model && clean) ib_wrong_key(reader, known.read[0]->node, "%s", error.text);

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

// A robot whose file has a step of its own, and which is moved in another that nobody has named.
static void warn_of_steps(const ib__ScenarioReader *scenario, const ib_Node *run,
                          const ib_Model *model)
{
    if (!model || ib_node_get(run, "step")) return;
    for (int i = 0; i < scenario->robot_count; i++) {
        const ib__Robot *robot = &scenario->robots[i];
        double own = robot->config.kind ? robot->made.ports.step : 0;
        if (!(own > 0) || model->step == ib_time_from_seconds(own)) continue;
        ib_warn_value(scenario->reader, robot->node,
                      "its file has a timestep of %g ms, but it is moved in steps of %g ms, which "
                      "suit all robots of the run: run.step names another",
                      1e3 * own, 1e3 * ib_time_to_seconds(model->step));
    }
}

// A robot must not start inside a wall or another robot.
static void check_overlap(const ib__ScenarioReader *scenario, const ib_Model *model)
{
    ib_Reader *reader = scenario->reader;
    ib_Error error;
    bool clean = ib_diagnostics_seen(reader->diagnostics) == reader->before;
    int robot = clean && model ? ib_model_overlap(model, &error) : -1;
    if (robot < 0) return;
    const ib__Robot *known = &scenario->robots[robot];
    if (known->start)
        ib_wrong_key(reader, known->start, "%s", error.text);
    else
        ib_wrong_key(reader, known->node, "%s", error.text);
}

static void read_parts(ib_Reader *reader, ib_Node *root, const ib_ScenarioOptions *options,
                       ib_Scenario *scenario)
{
    ib__Robot *robots;
    ib__RunValues run;
    ib_SimConfig *sim = &scenario->sim;
    ib__ScenarioReader all = {
        .reader = reader, .root = root, .designs = options->designs, .plugins = options->plugins};
    const ib_Node *record = ib_node_get(root, "record");
    ib_check_keys(reader, root, top_keys);
    sim->title = scenario->yaml.title;

    // The seed comes first: values of the robot may be drawn from it.
    all.duration = ib__read_run(reader, root, &run, sim);
    if (options->has_seed) sim->seed = options->seed;
    reader->seed = sim->seed;

    int before = ib_diagnostics_seen(reader->diagnostics);
    ib__read_field(reader, ib_node_get(root, "field"), all.duration, sim);
    all.field_refused = ib_diagnostics_seen(reader->diagnostics) != before;
    all.gravity = sim->gravity;
    all.starts = ib_node_find(root, "field.starts");
    all.bodies = ib__find_bodies(reader, root);
    all.field = all.field_refused || sim->ghosts ? NULL : sim->field;
    all.robot_count = ib__read_robots(&all, root, &robots);
    all.robots = robots;
    ib__choose_solver(&all, root, &run, sim);
    ib__read_carried(&all, robots);
    ib__read_disturbances(&all, ib_node_get(root, "disturbances"), sim);
    ib__read_record(reader, record, &scenario->record);
    derive_model(&all, scenario);
    warn_of_steps(&all, ib_node_get(root, "run"), scenario->model);
    check_overlap(&all, scenario->model);
    if (scenario->model) ib__read_releases(&all, &scenario->model->signals);
    if (scenario->model) ib__check_patterns(&all, record, &scenario->model->signals);
    ib__read_expectations(&all, ib_node_get(root, "expect"), scenario);
}

// --------------------------------------------------------------------------------------- the entry

static void read_scenario(ib_Reader *reader, ib_Node *root, const ib_ScenarioOptions *options,
                          void *made)
{
    ib_Scenario *scenario = made;
    apply_options(reader, root, options);
    read_parts(reader, root, options, scenario);
    if (!scenario->model && ib_diagnostics_seen(reader->diagnostics) == reader->before)
        ib_diagnostics_add(reader->diagnostics, (ib_Place){reader->file, 1, 1}, "out of memory");
}

static const ib_YamlFileKind kind = {.size = sizeof(ib_Scenario),
                                     .keys = top_keys,
                                     .expected = "a map with keys such as robot and run",
                                     .read = read_scenario};

ib_Scenario *ib_scenario_read(const char *file, const ib_ScenarioOptions *options,
                              ib_Diagnostics *diagnostics)
{
    return ib_yaml_file_read(&kind, file, NULL, 0, options, diagnostics);
}

ib_Scenario *ib_scenario_read_text(const char *file, const char *text, size_t length,
                                   const ib_ScenarioOptions *options, ib_Diagnostics *diagnostics)
{
    return ib_yaml_file_read(&kind, file, text ? text : "", length, options, diagnostics);
}

ib_Scenario *ib_scenario_read_robot(const char *file, const ib_ScenarioOptions *options,
                                    ib_Diagnostics *diagnostics)
{
    static const char around[] = "robot: {}\ninputs: {source: viewer}\nrun: {duration: 1 s}\n";
    ib_ScenarioOptions alone = *options;
    const char *slash = strrchr(file, '/');
    alone.robot = slash ? slash + 1 : file; // which is looked for in the folder of `file`
    return ib_yaml_file_read(&kind, file, around, sizeof around - 1, &alone, diagnostics);
}

void ib_scenario_destroy(ib_Scenario *scenario)
{
    ib_yaml_file_destroy(&kind, scenario);
}
