// scenario/control.c: `control:`: one loop, several by their names (scenario/control_loop.c), or a
// path that is driven by a plan: `control: {path: [line 2 m, circle 1 m left], mode: inverse}`
#include "scenario/control.h"
#include "scenario/schemas.h"
#include "sim/loop/control.h"

#include <string.h>

static const char *const modes[] = {"schedule", "inverse", "follow", NULL};
static const char *const ends[] = {"stop", "coast", NULL};

static const ib_Param params[] = {
    {"mode", IB_PARAM_CHOICE, "1", "schedule", 0, 2, modes, offsetof(ib_PathConfig, mode), false,
     "how a Roomba drives it: constant forces leg by leg, exact forces along the path, or a loop"},
    {"end", IB_PARAM_CHOICE, "1", "coast", 0, 1, ends, offsetof(ib_PathConfig, end), false,
     "what it does at the end of the path: brake to a stop, or let go"},
    {"blend", IB_PARAM_NUMBER, "m", "5 cm", 0, 100, NULL, offsetof(ib_PathConfig, blend), false,
     "length over which a jump of curvature is spread, in mode inverse"},
};

static const char *idle(const void *path, const char *key)
{
    bool inverse = ((const ib_PathConfig *)path)->mode == IB_PATH_INVERSE;
    return strcmp(key, "blend") == 0 && !inverse ? "mode" : NULL;
}

const ib_Schema ib_control_schema = {
    .params = params, .count = sizeof params / sizeof *params, .idle = idle};

// Refuses the keys of loops. They are among the `others`, so that they are reported once.
static void refuse_loop_keys(ib_Reader *reader, const ib_Node *map,
                             const char *others[IB_MAX_WORDS + 1])
{
    const ib_Schema *loop = &ib_controller_kind_find("path")->params;
    int count = 0;
    others[count++] = "path";
    for (const ib_Node *child = map->first; child && count < IB_MAX_WORDS; child = child->next) {
        bool plans = ib_schema_find(&ib_control_schema, child->key);
        if (plans || !ib_schema_find(loop, child->key)) continue;
        ib_wrong_key(reader, child,
                     "unknown key of a plan, one of a loop: expected 'mode: follow' beside it");
        others[count++] = child->key;
    }
    others[count] = NULL;
}

static void read_plan(ib_Reader *reader, ib__Robot *robot, const ib_Node *node)
{
    const char *others[IB_MAX_WORDS + 1];
    ib_PathConfig *path = ib_arena_alloc(reader->arena, sizeof *path);
    if (!path) {
        ib_wrong_value(reader, node, "out of memory");
        return;
    }
    refuse_loop_keys(reader, node, others);
    ib_read_schema(reader, node, &ib_control_schema, others, path);
    ib__read_path(reader, ib_node_get(node, "path"), path);
    // A stand-in, so that path.deviation is known to the expectations.
    if (path->count == 0) path->elements[path->count++] = (ib_PathElement){1, 0};
    robot->config.path = path;
}

// ------------------------------------------------------------------------------------------- loops

// True if there is a map in it beside the key `key`.
static bool has_map_beside(const ib_Node *node, const char *key)
{
    for (const ib_Node *child = node->first; child; child = child->next)
        if (strcmp(child->key, key) != 0 && child->type == IB_NODE_MAP && !ib_node_is_random(child))
            return true;
    return false;
}

// True if this is the map of one loop, not of several by their names. `routine` may be both: the
// keys of a routine are no maps, other loops are.
static bool is_single(const ib_Node *node)
{
    static const char *const signs[] = {"kind", "design", "plugin", "path"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (ib_node_get(node, signs[i])) return true;
    return ib_node_get(node, "routine") && !has_map_beside(node, "routine");
}

// Nothing, or keys of a path without the path.
static bool is_gap(const ib_Node *node)
{
    for (int i = 0; i < ib_control_schema.count; i++)
        if (ib_node_get(node, ib_control_schema.params[i].key)) return true;
    return node->count == 0;
}

// A base that plans its inputs for a path does so, unless a loop is asked for;
// all others follow it by one.
static bool is_followed(const ib__ScenarioReader *scenario, const ib__Robot *robot,
                        const ib_Node *map)
{
    const ib_Node *mode = ib_node_get(map, "mode"), *kind = ib_node_get(map, "kind");
    bool asked = mode && mode->type == IB_NODE_SCALAR && strcmp(mode->text, "follow") == 0;
    ib_ControlSite site = {0};
    if (kind || asked || !robot->config.kind) return kind || asked;
    ib__find_base(scenario, robot, "follow a path", &site);
    return !site.base || !site.base->plan;
}

// The path of a loop; NULL: mistakes.
static ib_PathConfig *read_followed(ib_Reader *reader, const ib_Node *map)
{
    int before = ib_diagnostics_seen(reader->diagnostics);
    const ib_Node *mode = ib_node_get(map, "mode"), *end = ib_node_get(map, "end");
    ib_PathConfig *path = ib_arena_alloc(reader->arena, sizeof *path);
    if (!path) return NULL;
    static const char *const follow[] = {"follow", NULL}, *const stop[] = {"stop", NULL};
    if (mode) ib_read_word(reader, mode, follow);
    if (end) ib_read_word(reader, end, stop);
    ib__read_path(reader, ib_node_get(map, "path"), path);
    return ib_diagnostics_seen(reader->diagnostics) == before ? path : NULL;
}

// True if it has keys beside those of a path, so that a loop might follow it.
static bool is_mixed(const ib_Node *map)
{
    for (const ib_Node *child = map->first; child; child = child->next)
        if (strcmp(child->key, "path") != 0 && !ib_schema_find(&ib_control_schema, child->key))
            return !ib_node_get(map, "kind");
    return false;
}

// The loop, the robot's ports extended by it; NULL: mistakes.
static const ib_Controller *read_loop(const ib__LoopReader *loop)
{
    ib_Error error;
    ib__Robot *robot = loop->robot;
    const ib_Node *plugin = ib_node_get(loop->map, "plugin");
    const ib_Controller *controller =
        plugin ? ib__read_plugin(loop, plugin) : ib__read_controller(loop);
    if (!controller || !robot->config.kind) return NULL;
    if (ib_control_extend(controller, loop->reader->arena, &robot->made.ports, &error) == IB_OK)
        return controller;
    ib_wrong_value(loop->reader, loop->map, "%s", error.text);
    return NULL;
}

static void add_loop(const ib__ScenarioReader *scenario, ib__Robot *robot, const char *name,
                     ib_Node *map, const ib_Controller **loops)
{
    ib_Reader *reader = scenario->reader;
    ib_PathConfig *path = NULL;
    if (ib__is_routine(map) && !ib__lay_routine(reader, map)) {
        map->refused = robot->lost = true;
        return;
    }
    if (ib_node_get(map, "path") && !robot->config.kind && is_mixed(map)) {
        ib__read_path(reader, ib_node_get(map, "path"), &(ib_PathConfig){0});
        robot->lost = true; // the effect on a robot of unknown kind is unknown, too
        return;
    }
    if (ib_node_get(map, "path") && !is_followed(scenario, robot, map)) {
        read_plan(reader, robot, map);
        return;
    }
    if (ib_node_get(map, "path") && !(path = read_followed(reader, map))) {
        robot->lost = true;
        return;
    }
    ib__LoopReader loop = {scenario, reader, robot, name, map, path};
    const ib_Controller *controller = read_loop(&loop);
    if (controller) {
        loops[robot->config.controller_count++] = controller;
        return;
    }
    map->refused = true; // the effect of the unread part is unknown
    robot->lost = true;
}

// A map of loops that share the beginning of their names: {leg: {fr: {alpha: {kind: pva}}}} has the
// loop leg.fr.alpha.
static bool is_group(const ib_Node *node)
{
    if (node->type != IB_NODE_MAP || node->count == 0) return false;
    if (is_single(node) || ib__is_routine(node) || ib_node_is_random(node)) return false;
    for (const ib_Node *child = node->first; child; child = child->next)
        if (child->type != IB_NODE_MAP) return false;
    return true;
}

static int count_loops(const ib_Node *node)
{
    int count = 0;
    for (const ib_Node *child = node->first; child; child = child->next)
        count += is_group(child) ? count_loops(child) : 1;
    return count;
}

// A dotted key means the same as the nested maps: leg.fr.alpha: {kind: pva} goes under leg, fr.
// Existing keys (--set control.leg.fr.alpha.kp) take precedence.
static bool unfold(ib_Reader *reader, ib_Node *node)
{
    for (ib_Node *child = node->first, *next; child; child = next) {
        next = child->next;
        if (!strchr(child->key, '.') || child->type != IB_NODE_MAP) continue;
        const char *path = child->key;
        ib_node_remove(node, child);
        ib_Node *there = ib_node_find(node, path);
        if (there && there->type == IB_NODE_MAP)
            ib_node_underlay(there, child);
        else if (!ib_node_set(node, path, child, reader->arena, reader->diagnostics))
            return false;
    }
    return true;
}

// Returns a loop of several; NULL: not a loop. A routine may be its list of steps, or the name of
// a file.
static ib_Node *find_loop(ib_Reader *reader, ib_Node *child, bool routine)
{
    if (!ib_check_name(reader, child, "a loop")) return NULL;
    if (strcmp(child->key, "routine") == 0) return ib__wrap_routine(reader, child);
    if (child->type != IB_NODE_MAP && routine) {
        ib_wrong_value(reader, child,
                       "expected a loop, a map: keys of a routine beside other loops stand in it, "
                       "as in routine: {steps: […], %s: …}",
                       child->key);
        return NULL;
    }
    return ib_check_map(reader, child, "a map with kind, design, plugin or path") ? child : NULL;
}

// Routines come last: they may set inputs and see signals of the other loops. So do paths of a
// robot on legs, of which another loop makes a base.
static void read_loops(const ib__ScenarioReader *scenario, ib__Robot *robot, ib_Node *node,
                       const char *prefix, bool last, const ib_Controller **loops)
{
    ib_Reader *reader = scenario->reader;
    bool routine = ib_node_get(node, "routine");
    for (ib_Node *child = node->first, *next; child; child = next) {
        next = child->next;
        const char *name = ib_arena_format(reader->arena, "%s%s", prefix, child->key);
        if (is_group(child)) {
            const char *inner = ib_arena_format(reader->arena, "%s.", name ? name : "");
            if (!last && !ib_check_name(reader, child, "loops")) robot->lost = true;
            if (inner) read_loops(scenario, robot, child, inner, last, loops);
            continue;
        }
        bool drives =
            ib__is_routine(child) || (robot->made.ports.legs && ib_node_get(child, "path"));
        if (drives != last) continue;
        ib_Node *loop = find_loop(reader, child, routine);
        if (loop && name)
            add_loop(scenario, robot, name, loop, loops);
        else
            robot->lost = true;
    }
}

void ib__read_control(const ib__ScenarioReader *scenario, ib__Robot *robot)
{
    ib_Reader *reader = scenario->reader;
    ib_Node *node = robot->control;
    if (!node) return;
    if (!ib_check_map(reader, node, "a map")) {
        robot->lost = true;
        return;
    }
    bool single = is_single(node);
    if (!single && is_gap(node)) {
        ib_read_schema(reader, node, &ib_control_schema, NULL, &(ib_PathConfig){0});
        ib_wrong_gap(reader, node,
                     "'path' is missing: expected a list such as [line 2 m, circle 1 m left], or "
                     "a controller: 'kind', 'design' or 'plugin', or several loops by their names");
        robot->lost = true;
        return;
    }
    if (!single && !unfold(reader, node)) {
        robot->lost = true;
        return;
    }
    int count = single ? 1 : count_loops(node);
    if (count > IB__MAX_LOOPS) {
        ib_wrong_value(reader, node, "%d loops: expected at most %d", count, IB__MAX_LOOPS);
        return;
    }
    const ib_Controller **loops = ib_arena_array(reader->arena, (size_t)count + 1, sizeof *loops);
    if (!loops) {
        ib_wrong_value(reader, node, "out of memory");
        return;
    }
    robot->config.controllers = loops;
    if (single)
        add_loop(scenario, robot, "", node, loops);
    else
        for (int last = 0; last < 2; last++) read_loops(scenario, robot, node, "", last, loops);
}
