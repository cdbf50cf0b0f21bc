// scenario/robots.c: `robot:` or `robots:`, each with its kind, parameters and start.
#include "base/quote.h"
#include "base/units.h"
#include "robot/equipment.h"
#include "robot/planar.h"
#include "scenario/scenario_inside.h"

#include <stdio.h>
#include <string.h>

enum { REDRAWS = 200 }; ///< of a place that was drawn inside of something

// ---------------------------------------------------------------------------------------- the kind

static void kind_names(const char *names[IB_MAX_WORDS + 1])
{
    int count = 0;
    for (; ib_robot_kinds[count] && count < IB_MAX_WORDS; count++)
        names[count] = ib_robot_kinds[count]->name;
    names[count] = NULL;
}

static const ib_RobotKind *read_kind(const ib__ScenarioReader *scenario, const ib__Robot *robot)
{
    ib_Reader *reader = scenario->reader;
    const ib_Node *node = ib_node_get(robot->node, "kind");
    const char *text = node ? ib_read_text(reader, node, "a kind of robot") : NULL;
    const ib_RobotKind *kind = text ? ib_robot_kind_find(text) : NULL;
    if (kind && kind->rigid && scenario->shares) return kind->rigid;
    if (kind || (node && !text)) return kind;
    // The field's body of the same name, whose keys lie under its own, would say it.
    if (!node && robot->config.name[0] && ib__lacks_bodies(scenario)) return NULL;

    const char *names[IB_MAX_WORDS + 1];
    kind_names(names);
    ib_WordList list = ib_word_list(names);
    if (!node) {
        ib_wrong_gap(reader, robot->node, "'kind' is missing: expected one of %s", list.text);
        return NULL;
    }
    ib_WordHint hint = ib_word_hint(';', text, names);
    ib_wrong_value(reader, node, "there is no kind '%s'%s%s expected one of %s",
                   ib_quote(text).text, hint.text, hint.text[0] ? " Otherwise" : ";", list.text);
    return NULL;
}

// --------------------------------------------------------------------------------------- one robot

// No mistake since `before`, and nothing in `node` refused?
static bool is_clean(const ib_Reader *reader, const ib_Node *node, int before)
{
    return ib_diagnostics_seen(reader->diagnostics) == before && !ib_node_is_refused(node);
}

// Checks beyond ranges; then the robot itself, whose inputs and signals follow from the config.
static bool derive_robot(ib_Reader *reader, ib__Robot *robot, int before)
{
    bool clean = is_clean(reader, robot->node, before) && !ib_node_is_refused(robot->start);
    const ib_RobotKind *kind = robot->config.kind;
    ib_Error error;
    ib_Robot made;
    ib_Status status = ib_robot_init(kind, robot->config.config, reader->arena, &made, &error);
    if (status == IB_OK) robot->made = made;

    // With stand-ins for wrong values, a message here would only confuse.
    if (status != IB_OK && clean) ib__refuse_robot(reader, robot, error.text);
    return status == IB_OK;
}

// True if a named part of it was refused, such as a mechanism, or the file of its model: its inputs
// and signals are then unknown.
static bool lacks_parts(const ib_Node *robot, const ib_Schema *params)
{
    for (int i = 0; i < params->count; i++) {
        ib_ParamType type = params->params[i].type;
        const ib_Node *parts = type == IB_PARAM_NAMED || type == IB_PARAM_FILE
                                   ? ib_node_find(robot, params->params[i].key)
                                   : NULL;
        if (parts && parts->refused) return true;
    }
    return false;
}

// True if the floor of this file tilts at some time.
static bool tilts(const ib_Node *root)
{
    const ib_Node *all = ib_node_get(root, "disturbances");
    for (const ib_Node *one = all ? all->first : NULL; one; one = one->next)
        if (one->type == IB_NODE_MAP && ib_node_get(one, "tilt")) return true;
    return false;
}

// Parameters and start of a robot whose kind is known; its inputs and signals follow from them.
static void read_config(const ib__ScenarioReader *scenario, ib__Robot *robot,
                        const ib_RobotKind *kind, const char *const *others, int before)
{
    ib_Reader *reader = scenario->reader;
    void *config = ib_arena_alloc(reader->arena, kind->config_size);
    if (!config) {
        ib_wrong_key(reader, robot->node, "out of memory");
        return;
    }
    robot->config.config = config;
    if (kind->carries_equipment) ((ib_EquipmentConfig *)config)->tilts = tilts(scenario->root);
    ib_read_schema(reader, robot->node, &kind->params, others, config);
    robot->open = ib__is_base_open(robot->node, &kind->params);
    if (lacks_parts(robot->node, &kind->params)) {
        if (robot->start && ib_check_map(reader, robot->start, "a map"))
            ib__check_start(reader, robot->start);
        return;
    }
    robot->sound = is_clean(reader, robot->node, before);
    int seen = ib_diagnostics_seen(reader->diagnostics);
    ib__expand_start(scenario, kind, robot->start);
    ib__read_start(reader, robot, kind, config);
    robot->config.kind = kind;
    bool made = derive_robot(reader, robot, before);
    robot->placed = is_clean(reader, robot->start, seen);
    for (reader->draw = 1; made && reader->draw < REDRAWS && ib__is_start_blocked(scenario, robot);
         reader->draw++) {
        ib__read_start(reader, robot, kind, config);
        made = derive_robot(reader, robot, before);
    }
    reader->draw = 0;
    if (made && ib_diagnostics_seen(reader->diagnostics) == before) ib__doubt_robot(reader, robot);
    if (!made) robot->config.kind = NULL;
}

// Reads kind, parameters, start, sensors, inputs and control of one robot. With an unknown kind the
// parts that do not depend on it are checked.
static void read_robot(const ib__ScenarioReader *scenario, ib__Robot *robot,
                       const char *const *others)
{
    ib_Reader *reader = scenario->reader;
    int before = ib_diagnostics_seen(reader->diagnostics);
    bool map =
        ib_check_map(reader, robot->node, "a map with kind and parameters, or {file: robot.yaml}");

    // The contents of an unreadable robot file are unknown, not missing.
    if (map && !ib__include(reader, robot->node)) robot->node->refused = true;
    const ib_RobotKind *kind = map ? read_kind(scenario, robot) : NULL;
    if (kind)
        read_config(scenario, robot, kind, others, before);
    else if (robot->start && ib_check_map(reader, robot->start, "a map"))
        ib__check_start(reader, robot->start);

    ib__read_sensors(reader, robot);
    // Loops are read before the inputs: a controller takes some of its own. If the quantity of a
    // sensor, or inputs and signals are unknown, they are those of a robot of unknown kind.
    const ib_RobotKind *known = robot->config.kind;
    bool unsure = robot->blind || (known && ib__is_unsure(robot, ""));
    if (unsure) robot->config.kind = NULL;
    if (unsure && robot->control) robot->lost = true;
    ib__read_control(scenario, robot);
    robot->config.kind = known;
    ib__read_inputs(scenario, robot);
    robot->config.sensors = robot->sensors;
    robot->config.sensor_count = robot->sensor_count;
    robot->config.inputs = robot->timelines;
    robot->config.input_count = robot->timelines ? robot->made.ports.input_count : 0;
    robot->clean = is_clean(reader, robot->node, before) && !ib_node_is_refused(robot->start) &&
                   !ib_node_is_refused(robot->inputs) && !ib_node_is_refused(robot->control);
}

// ------------------------------------------------------------------------------------- all of them

static ib__Robot *make_robots(ib_Reader *reader, int count)
{
    ib__Robot *robots = ib_arena_array(reader->arena, (size_t)count, sizeof *robots);
    if (!robots)
        ib_diagnostics_add(reader->diagnostics, (ib_Place){reader->file, 1, 1}, "out of memory");
    return robots;
}

// The robot without a name, whose parts are keys of the file itself.
static void read_single(const ib__ScenarioReader *scenario, ib_Node *root, ib__Robot *robot)
{
    static const char *const others[] = {"kind", "file", "sensors", NULL};
    robot->node = ib_node_get(root, "robot");
    robot->start = ib_node_get(root, "start");
    robot->inputs = ib_node_get(root, "inputs");
    robot->control = ib_node_get(root, "control");
    robot->config.name = "";
    read_robot(scenario, robot, others);
}

static void read_named(const ib__ScenarioReader *scenario, ib_Node *node, const char *what,
                       ib__Robot *robot)
{
    static const char *const others[] = {"kind",   "file",    "sensors", "start",
                                         "inputs", "control", "carried", NULL};
    ib_check_name(scenario->reader, node, what);
    robot->node = node;
    robot->start = ib_node_get(node, "start");
    robot->inputs = ib_node_get(node, "inputs");
    robot->control = ib_node_get(node, "control");
    robot->config.name = node->key;
    read_robot(scenario, robot, others);
}

static void read_several(const ib__ScenarioReader *scenario, const ib_Node *node, ib__Robot *robots)
{
    for (ib_Node *child = node->first; child; child = child->next)
        read_named(scenario, child, "a robot", &robots[child->index]);
}

// The bodies of the field that are none of `several`, behind all robots.
static void read_bodies(const ib__ScenarioReader *scenario, const ib_Node *several,
                        const ib__Robot *first, ib__Robot *body)
{
    for (ib_Node *child = scenario->bodies->first; child; child = child->next) {
        if (ib_node_get(several, child->key)) continue;
        read_named(scenario, child, "a body", body);
        ib__check_body(scenario->reader, first, body++);
    }
}

// Returns the number of robots under `robots`.
static int count_several(ib_Reader *reader, const ib_Node *node)
{
    if (!ib_check_map(reader, node, "a map of robots, each by its name")) return 0;
    if (node->count > 0 && node->count <= IB__MAX_ROBOTS) return node->count;
    ib_wrong_value(reader, node, "%d robots: expected 1 to %d", node->count, IB__MAX_ROBOTS);
    return 0;
}

// Returns the number of the field's bodies that are added to `robots` robots.
static int count_bodies(const ib__ScenarioReader *scenario, const ib_Node *several, int robots)
{
    int count = scenario->bodies ? ib__lay_bodies(scenario->bodies, several) : 0;
    if (robots + count <= IB__MAX_ROBOTS) return count;
    ib_wrong_value(scenario->reader, scenario->bodies, "%d robots and bodies: expected at most %d",
                   robots + count, IB__MAX_ROBOTS);
    return 0;
}

// `start`, `inputs` and `control` of the file belong to `robot`.
static void refuse_strays(ib_Reader *reader, const ib_Node *root)
{
    static const char *const own[] = {"start", "inputs", "control"};
    for (int i = 0; i < 3; i++) {
        const ib_Node *stray = ib_node_get(root, own[i]);
        if (stray)
            ib_wrong_key(reader, stray, "with 'robots' each robot has its own '%s' in its map",
                         own[i]);
    }
}

static void destroy_cache(void *cache)
{
    ib_tree_cache_destroy(cache);
}

// Parses files that several robots or designs name only once. The trees live as long as the result.
static void keep_trees(ib_Reader *reader)
{
    ib_TreeCache *cache = reader->trees ? NULL : ib_tree_cache_create();
    if (cache && ib_arena_at_end(reader->arena, destroy_cache, cache)) reader->trees = cache;
}

static int count_designs(const ib_Node *control)
{
    int count = 0;
    for (const ib_Node *loop = control ? control->first : NULL; loop; loop = loop->next)
        count += ib_node_get(loop, "design") != NULL;
    return count;
}

// True if this robot shares its world, so that loose bodies stand in it, too. Its kind may be in a
// file, which is then read; one that cannot be read is told of here, and not once more.
static bool is_sharing(ib_Reader *reader, ib_Node *robot)
{
    if (robot->type != IB_NODE_MAP) return false;
    const ib_Node *file = ib_node_get(robot, "file");
    if (file && !ib__include(reader, robot)) {
        ib_node_remove(robot, file);
        robot->refused = true;
    }
    const ib_Node *kind = ib_node_get(robot, "kind");
    bool named = kind && kind->type == IB_NODE_SCALAR && kind->text;
    const ib_RobotKind *known = named ? ib_robot_kind_find(kind->text) : NULL;
    return known && known->shares;
}

int ib__read_robots(ib__ScenarioReader *scenario, ib_Node *root, ib__Robot **robots)
{
    ib_Reader *reader = scenario->reader;
    const ib_Node *one = ib_node_get(root, "robot"), *several = ib_node_get(root, "robots");
    *robots = NULL;
    if (!one && !several) {
        ib_diagnostics_add(reader->diagnostics, (ib_Place){reader->file, 1, 1},
                           "'robot' is missing: expected a map such as {kind: roomba}, or "
                           "{file: robot.yaml}");
        return 0;
    }
    // Both are judged: whichever of them goes, the other one is then right.
    if (one && several)
        ib_wrong_key(reader, several, "both 'robot' and 'robots' are given: expected one of them");
    if (!one) refuse_strays(reader, root);
    int single = one ? 1 : 0, named = several ? count_several(reader, several) : 0;
    int own = single + named, bodies = own ? count_bodies(scenario, several, own) : 0;
    *robots = own ? make_robots(reader, own + bodies) : NULL;
    if (!*robots) return 0;
    if (own + bodies > 1 || count_designs(ib_node_get(root, "control")) > 1) keep_trees(reader);
    if (bodies && single) scenario->shares |= is_sharing(reader, ib_node_get(root, "robot"));
    for (ib_Node *child = named && named + bodies > 1 ? several->first : NULL; child;
         child = child->next)
        scenario->shares |= is_sharing(reader, child);
    if (single) read_single(scenario, root, *robots);
    if (named) read_several(scenario, several, *robots + single);
    if (bodies) read_bodies(scenario, several, *robots, *robots + own);
    return own + bodies;
}
