// scenario/control_loop.c: one loop of a robot: a controller that reads sensors.
//   control: {lift: {design: ../designs/lift.yaml}, wrist: {kind: pid, kp: 8 V/rad}}
//   control: {kind: drive, design: ../designs/drive.yaml, sensors: [left, right, gyro],
//             half_track: 12 in}
#include "robot/planar.h"
#include "scenario/control.h"
#include "scenario/schemas.h"
#include "sim/loop/control.h"

#include <stdio.h>
#include <string.h>

void ib__refuse_loop(const ib__LoopReader *loop, const char *text)
{
    char path[128];
    size_t length = strcspn(text, ": ");
    snprintf(path, sizeof path, "%.*s", (int)length, text);
    bool keyed = text[length] == ':' && length < sizeof path;
    const ib_Node *node = keyed ? ib_node_find(loop->map, path) : NULL;
    for (char *dot; keyed && !node && (dot = strrchr(path, '.'));) {
        *dot = '\0';
        node = ib_node_find(loop->map, path);
    }
    if (node)
        ib_wrong_value(loop->reader, node, "%s", text + length + 2);
    else if (text[0] == '\'')
        ib_wrong_gap(loop->reader, loop->map, "%s", text);
    else
        ib_wrong_value(loop->reader, loop->map, "%s", text);
}

// ------------------------------------------------------------------------------------------ design

// A design file is designed here, by the desk; the result is a loop.
static const ib_Loop *read_design(const ib__LoopReader *from)
{
    ib_Reader *reader = from->reader;
    const ib_Node *map = from->map;
    const ib_DesignLoader *loader = from->scenario->designs;
    const ib_Node *node = ib_node_get(map, "design");
    if (!node) {
        ib_wrong_gap(reader, map,
                     ib_node_get(map, "kind")
                         ? "'design' is missing: expected a design file, or the JSON of one"
                         : "'kind' is missing: expected a kind of controller, or 'design', "
                           "'plugin' or 'path'");
        return NULL;
    }
    ib_Error error = {0};
    const char *text = ib_read_text(reader, node, "the name of a design file");
    const char *path = text ? ib_resolve(reader, node) : NULL;
    ib_Loop *loop = ib_arena_alloc(reader->arena, sizeof *loop);
    if (!text || !path || !loop) return NULL;
    if (!loader) {
        ib_wrong_value(reader, node, "design files are not known here");
        return NULL;
    }
    if (!loader->read(loader->self, reader, path, node->text, loop, &error)) {
        if (error.text[0]) ib_wrong_value(reader, node, "%s", error.text);
        return NULL;
    }
    if (!(loop->period >= 1e-6 && loop->period <= 1000)) {
        ib_wrong_value(reader, node, "its period is %g s: expected 1 us to 1000 s", loop->period);
        return NULL;
    }
    return loop;
}

// -------------------------------------------------------------------------------------------- plan

// The plan of an arm is likewise made by the desk.
static const ib_ArmPlan *read_plan(const ib__LoopReader *from, bool ways)
{
    ib_Reader *reader = from->reader;
    const ib_DesignLoader *loader = from->scenario->designs;
    const ib_Node *node = ib_node_get(from->map, "plan");
    ib_Error error = {0};
    if (!node) {
        ib_wrong_gap(reader, from->map, "'plan' is missing: expected a plan file of an arm");
        return NULL;
    }
    const char *text = ib_read_text(reader, node, "the name of a plan file");
    const char *path = text ? ib_resolve(reader, node) : NULL;
    if (!path) return NULL;
    if (!loader || !loader->plan) {
        ib_wrong_value(reader, node, "plan files are not known here");
        return NULL;
    }
    const ib_ArmPlan *plan = loader->plan(loader->self, reader, path, ways, &error);
    if (!plan && error.text[0]) ib_wrong_value(reader, node, "%s", error.text);
    return plan;
}

// -------------------------------------------------------------------------------------------- kind

// Returns its kind by `kind:`, or by the file that it names; NULL if that is wrong.
static const ib_ControllerKind *read_kind(ib_Reader *reader, const ib_Node *map)
{
    const ib_Node *node = ib_node_get(map, "kind");
    const char *names[IB_MAX_WORDS + 1] = {NULL};
    for (int i = 0; ib_controller_kinds[i] && i < IB_MAX_WORDS; i++)
        names[i] = ib_controller_kinds[i]->name;
    const char *usual = ib_node_get(map, "path") ? "path"
                        : ib__is_routine(map)    ? "routine"
                                                 : "feedback";
    const char *text = node ? ib_read_word(reader, node, names) : usual;
    return text ? ib_controller_kind_find(text) : NULL;
}

void ib__find_part(const ib__LoopReader *loop, const ib_Words *inputs, ib_ControlSite *site)
{
    const ib_RobotPorts *ports = &loop->robot->made.ports;
    for (int i = 0; !site->part && inputs->count > 0 && i < ports->part_count; i++)
        for (int k = 0; k < ports->parts[i].input_count; k++)
            if (strcmp(ports->parts[i].inputs[k].name, inputs->items[0]) == 0)
                site->part = &ports->parts[i];
}

// True if it has keys in the units of its measurements and outputs.
static bool has_their_units(const ib_ControllerKind *kind)
{
    for (int i = 0; i < kind->params.count; i++)
        if (strpbrk(kind->params.params[i].unit, "YU")) return true;
    return false;
}

// Keys in the units of measurement and output are those of one value. Not `wired`: a mistake in the
// measurement or output has been reported.
static bool find_params(const ib__LoopReader *loop, const ib_ControllerKind *kind,
                        const ib_WiringConfig *wiring, bool wired, const ib_ControlSite *site,
                        ib_Schema *params)
{
    ib_ControlPin reads = {.unit = "1"}, sets = {.unit = "1"};
    ib_Error error;
    bool scalar = has_their_units(kind);
    ib_Status status = IB_OK;
    if (scalar)
        status = ib_site_setting(site, &wiring->inputs, 0, 1, NULL, "output", &sets, &error);
    if (scalar && status == IB_OK)
        status = ib_site_reading(site, &wiring->sensors, 0, 1, NULL, "value that it holds", &reads,
                                 &error);
    if (status != IB_OK) {
        if (wired) ib__refuse_loop(loop, error.text);
        return false;
    }
    return ib_controller_params(kind, reads.unit, sets.unit, loop->reader->arena, params);
}

static void read_wiring(const ib__LoopReader *loop, const ib_ControllerKind *kind,
                        ib_WiringConfig *wiring)
{
    static const char *const keys[] = {"sensors", "inputs"};
    for (int i = 0; i < 2; i++) {
        const ib_Param *param = ib_schema_find(&kind->params, keys[i]);
        const ib_Node *node = ib_node_get(loop->map, keys[i]);
        if (node && param) ib_read_param(loop->reader, node, param, wiring);
    }
}

// For a robot of unknown kind the keys alone are checked.
static void check_keys(const ib__LoopReader *loop, const ib_ControllerKind *kind)
{
    const char *words[IB_MAX_WORDS + 1] = {"kind", kind->planned ? "plan" : "design",
                                           kind->follows ? "path" : "routine",
                                           kind->follows ? "mode" : "steps", "end"};
    int count = kind->follows ? 5 : kind->routines ? 4 : 2;
    words[count] = NULL;
    for (int i = 0; i < kind->params.count && count < IB_MAX_WORDS; i++)
        words[count++] = kind->params.params[i].key;
    for (const ib_Node *child = loop->map->first; child; child = child->next)
        if (child->type != IB_NODE_MAP) {
            const char *const *word = words;
            while (*word && strcmp(*word, child->key) != 0) word++;
            if (!*word) ib_refuse_key(loop->reader, child, words, "");
        }
}

bool ib__find_base(const ib__ScenarioReader *scenario, const ib__Robot *robot, const char *what,
                   ib_ControlSite *site)
{
    ib_Reader *reader = scenario->reader;
    const ib_RobotKind *kind = robot->made.kind;
    const ib_RobotPorts *ports = &robot->made.ports;
    double *state = ib_arena_array(reader->arena, (size_t)ports->state_count, sizeof *state);
    ib_Locomotion *base = ib_arena_alloc(reader->arena, sizeof *base);
    ib_Error error = {0};
    if (!state || !base) return false;
    kind->reset(robot->config.config, robot->made.model, state);
    if (ports->planar) {
        site->start.x = state[ports->planar->x];
        site->start.y = state[ports->planar->y];
        site->start.course = state[ports->planar->heading];
    }
    if (ports->base) {
        *base = *ports->base;
        site->base = base;
        site->start = ports->legs->at;
        return true;
    }
    if (!kind->locomotion && ports->legs)
        ib_error_set(
            &error, IB_BAD_INPUT,
            "a %s cannot %s by itself: expected a loop of kind walk beside this one, which "
            "makes its legs a base",
            kind->name, what);
    else if (!kind->locomotion)
        ib_error_set(&error, IB_BAD_INPUT, "a %s cannot %s", kind->name, what);
    else if (!kind->locomotion(robot->made.model, state, scenario->gravity, base, &error))
        site->base = base;
    if (site->base) ib_locomotion_find_top(base, &error);
    if (error.text[0]) site->unmoved = ib_arena_text(reader->arena, error.text);
    return true;
}

// The path from where the base stands.
static bool find_course(const ib__LoopReader *loop, ib_ControlSite *site)
{
    ib_Error error;
    if (!ib__find_base(loop->scenario, loop->robot, "follow a path", site)) return false;
    site->path = loop->path;
    if (!site->base) return true;
    if (ib_path_join(loop->path, site->start, &error) == IB_OK) return true;
    if (!loop->robot->placed) return false;
    ib_wrong_value(loop->reader, ib_node_get(loop->map, "path"), "%s", error.text);
    return false;
}

static bool find_routine(const ib__LoopReader *loop, ib_ControlSite *site,
                         const ib_Node *const **nodes)
{
    const ib_Node *node = ib__routine_steps(loop->map);
    if (!node) {
        ib_wrong_gap(loop->reader, loop->map, "'routine' is missing: expected a list of steps");
        return false;
    }
    if (!ib__find_base(loop->scenario, loop->robot, "be moved by a routine", site)) return false;
    site->obstacles =
        ib__find_obstacles(loop->scenario->field, &loop->robot->made.ports, loop->reader->arena);
    site->routine = ib__read_routine(loop, node, site, nodes);
    return site->routine != NULL;
}

// A sampled kind has no law: `period: continuous` is refused, with the kinds that have one.
static bool is_sampled_well(const ib__LoopReader *loop, const ib_ControllerKind *kind)
{
    const ib_Node *node = ib_node_get(loop->map, "period");
    bool continuous = node && node->type == IB_NODE_SCALAR && !strcmp(node->text, "continuous");
    if (kind->law || !continuous || !ib_schema_find(&kind->params, "period")) return true;
    char names[256] = "";
    size_t used = 0;
    for (int i = 0; ib_controller_kinds[i] && used < sizeof names; i++)
        if (ib_controller_kinds[i]->law)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     ib_controller_kinds[i]->name);
    ib_wrong_value(loop->reader, node,
                   "kind %s is sampled: expected a time such as 5 ms; continuous is for kinds %s",
                   kind->name, names);
    return false;
}

// A path where its kind follows one, and only there.
static bool has_its_path(const ib__LoopReader *loop, const ib_ControllerKind *kind)
{
    if (kind->follows == (loop->path != NULL)) return true;
    if (kind->follows)
        ib_wrong_gap(loop->reader, loop->map,
                     "'path' is missing: expected a list such as [line 2 m, circle 1 m left]");
    else
        ib_wrong_key(loop->reader, ib_node_get(loop->map, "path"), "has no meaning with 'kind: %s'",
                     kind->name);
    return false;
}

const ib_Controller *ib__read_controller(const ib__LoopReader *loop)
{
    static const char *const designed[] = {"kind", "design", NULL}, *const plain[] = {"kind", NULL};
    static const char *const planned[] = {"kind", "plan", NULL};
    static const char *const course[] = {"kind", "path", "mode", "end", NULL};
    static const char *const routine[] = {"kind", "routine", "steps", NULL};
    ib_Reader *reader = loop->reader;
    const ib__Robot *robot = loop->robot;
    const ib_ControllerKind *kind = read_kind(reader, loop->map);
    if (!kind) return NULL; // of a kind that is wrong nothing else can be judged
    const ib_Loop *design = kind->designed ? read_design(loop) : NULL;
    const ib_ArmPlan *plan = kind->planned ? read_plan(loop, !kind->wayless) : NULL;
    // A routine sets inputs and sees signals of other loops.
    if (!robot->config.kind || (kind->routines && robot->lost)) {
        check_keys(loop, kind);
        return NULL;
    }
    ib_ControlSite site;
    ib_WiringConfig wiring = {0};
    ib_Schema params;
    ib_Error error;
    void *config = ib_arena_alloc(reader->arena, kind->config_size);
    ib_Controller *controller = ib_arena_alloc(reader->arena, sizeof *controller);
    if (!config || !controller ||
        ib_control_site(loop->name, &robot->made.ports, robot->sensors, robot->sensor_count,
                        reader->arena, &site, &error) != IB_OK)
        return NULL;
    if (!is_sampled_well(loop, kind)) return NULL;
    int before = ib_diagnostics_seen(reader->diagnostics);
    read_wiring(loop, kind, &wiring);
    bool wired = ib_diagnostics_seen(reader->diagnostics) == before;
    ib__find_part(loop, &wiring.inputs, &site);
    site.design = design;
    site.plan = plan;
    site.robot = robot->config.name;
    if (!has_its_path(loop, kind)) return NULL;
    if (kind->follows && !find_course(loop, &site)) return NULL;
    const ib_Node *const *nodes = NULL;
    if (kind->routines && !find_routine(loop, &site, &nodes)) return NULL;
    if (!find_params(loop, kind, &wiring, wired, &site, &params)) return NULL;
    // The wiring has been checked already.
    if (ib_diagnostics_seen(reader->diagnostics) > before) return NULL;
    ib_read_schema(reader, loop->map, &params,
                   kind->follows    ? course
                   : kind->routines ? routine
                   : kind->designed ? designed
                   : kind->planned  ? planned
                                    : plain,
                   config);
    bool clean = ib_diagnostics_seen(reader->diagnostics) == before;
    if (!clean || (kind->designed && !design) || (kind->planned && !plan)) return NULL;
    // A robot with mistakes passes stand-ins; legs need to know their start.
    bool sound = robot->sound && (robot->placed || !robot->made.ports.legs);
    if (ib_controller_init(kind, config, &site, reader->arena, controller, &error) != IB_OK) {
        if (sound) ib__refuse_loop(loop, error.text);
        return NULL;
    }
    if (kind->routines) ib__check_reach(loop, site.routine, nodes, &controller->ports);
    if (controller->continuous && sound && robot->placed &&
        ib_control_try(controller, controller, &robot->made, robot->config.config,
                       loop->scenario->gravity, &error) != IB_OK)
        ib__refuse_loop(loop, error.text);
    return ib_diagnostics_seen(reader->diagnostics) == before ? controller : NULL;
}
