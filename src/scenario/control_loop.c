// scenario/control_loop.c: one loop of a robot: a controller that reads sensors.
//   control: {lift: {design: ../designs/lift.yaml}, wrist: {kind: pid, kp: 8 V/rad}}
//   control: {kind: drive, design: ../designs/drive.yaml, sensors: [left, right, gyro],
//             half_track: 12 in}
//   control: {plugin: ./drive.so}
#include "base/quote.h"
#include "scenario/control.h"
#include "scenario/design_file.h"
#include "scenario/design_json.h"
#include "scenario/schemas.h"
#include "sim/control.h"

#include <stdio.h>
#include <string.h>

// A mistake in a loop: "gears.1: text" is shown at that key, or at the innermost map that is there;
// what is missing, and what belongs to no key, at the loop.
static void refuse(const ib__LoopReader *loop, const char *text)
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
        ib__wrong_value(loop->reader, node, "%s", text + length + 2);
    else if (text[0] == '\'')
        ib__wrong_gap(loop->reader, loop->map, "%s", text);
    else
        ib__wrong_value(loop->reader, loop->map, "%s", text);
}

// ------------------------------------------------------------------------------------------ design

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length > tail && !strcmp(text + length - tail, ending);
}

// A design file is worked out here and now; what it leaves is a loop.
static bool design_now(ib__Reader *reader, const ib_Node *node, const char *path, ib_Loop *loop)
{
    ib_ScenarioOptions options = {.data = reader->data};
    ib_DesignFile *file = ib_design_file_read(path, &options, reader->diagnostics);
    bool good = file && file->loop;
    if (good) *loop = *file->loop;
    if (file && !good)
        ib__wrong_value(reader, node, "'%s' designs no feedback: expected `lqr:` or `poles:` in it",
                        ib_quote(node->text).text);
    ib_design_file_destroy(file);
    return good;
}

static const ib_Loop *read_design(ib__Reader *reader, const ib_Node *map)
{
    const ib_Node *node = ib_node_get(map, "design");
    if (!node) {
        ib__wrong_gap(reader, map,
                      "'design' is missing: expected a design file, or the JSON of one");
        return NULL;
    }
    ib_Error error;
    const char *text = ib__read_text(reader, node, "the name of a design file");
    const char *path = text ? ib__resolve(reader, node) : NULL;
    ib_Loop *loop = ib_arena_alloc(reader->arena, sizeof *loop);
    if (!text || !path || !loop) return NULL;
    bool yaml = ends_in(path, ".yaml") || ends_in(path, ".yml");
    if (yaml && !design_now(reader, node, path, loop)) return NULL;
    if (!yaml && ib_design_json_read(path, loop, &error) != IB_OK) {
        ib__wrong_value(reader, node, "%s", error.text);
        return NULL;
    }
    if (!(loop->period >= 1e-6 && loop->period <= 1000)) {
        ib__wrong_value(reader, node, "its period is %g s: expected 1 us to 1000 s", loop->period);
        return NULL;
    }
    return ib__add_file(reader, path) ? loop : NULL;
}

// -------------------------------------------------------------------------------------------- kind

// Its kind by `kind:`, or by what it names; NULL where that is wrong.
static const ib_ControllerKind *read_kind(ib__Reader *reader, const ib_Node *map)
{
    const ib_Node *node = ib_node_get(map, "kind");
    const char *names[IB__MAX_WORDS + 1] = {NULL};
    for (int i = 0; ib_controller_kinds[i] && i < IB__MAX_WORDS; i++)
        names[i] = ib_controller_kinds[i]->name;
    const char *text = node ? ib__read_word(reader, node, names) : "feedback";
    return text ? ib_controller_kind_find(text) : NULL;
}

// A loop without a part that sets a part's input acts on that part.
static void find_part(const ib__LoopReader *loop, const ib_Words *inputs, ib_ControlSite *site)
{
    const ib_RobotPorts *ports = &loop->robot->ports;
    for (int i = 0; !site->part && inputs->count > 0 && i < ports->part_count; i++)
        for (int k = 0; k < ports->parts[i].input_count; k++)
            if (strcmp(ports->parts[i].inputs[k].name, inputs->items[0]) == 0)
                site->part = &ports->parts[i];
}

// The keys of a kind without a design have the units of the one value that it measures and sets.
static bool find_params(const ib__LoopReader *loop, const ib_ControllerKind *kind,
                        const ib_WiringConfig *wiring, const ib_ControlSite *site,
                        ib_Schema *params)
{
    ib_ControlPin reads = {.unit = "1"}, sets = {.unit = "1"};
    ib_Error error;
    bool scalar = !kind->designed && !kind->follows;
    ib_Status status = IB_OK;
    if (scalar)
        status = ib_site_reading(site, &wiring->sensors, 0, 1, NULL, "value that it holds", &reads,
                                 &error);
    if (scalar && status == IB_OK)
        status = ib_site_setting(site, &wiring->inputs, 0, 1, NULL, "output", &sets, &error);
    if (status != IB_OK) {
        refuse(loop, error.text);
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
        if (node && param) ib__read_param(loop->reader, node, param, wiring);
    }
}

// Of a robot that is unknown, the keys alone can be judged.
static void check_keys(const ib__LoopReader *loop, const ib_ControllerKind *kind)
{
    const char *words[IB__MAX_WORDS + 1] = {"kind", "design"};
    int count = 2;
    for (int i = 0; i < kind->params.count && count < IB__MAX_WORDS; i++)
        words[count++] = kind->params.params[i].key;
    for (const ib_Node *child = loop->map->first; child; child = child->next)
        if (child->type != IB_NODE_MAP) {
            const char *const *word = words;
            while (*word && strcmp(*word, child->key) != 0) word++;
            if (!*word) ib__refuse_key(loop->reader, child, words, "");
        }
}

static const ib_Controller *read_controller(const ib__LoopReader *loop)
{
    static const char *const others[] = {"kind", "design", NULL};
    ib__Reader *reader = loop->reader;
    const ib__Robot *robot = loop->robot;
    const ib_ControllerKind *kind = read_kind(reader, loop->map);
    if (!kind) return NULL; // of a kind that is wrong nothing else can be judged
    const ib_Loop *design = kind->designed ? read_design(reader, loop->map) : NULL;
    if (!robot->config.kind) {
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
        ib_control_site(loop->name, &robot->ports, robot->sensors, robot->sensor_count,
                        reader->arena, &site, &error) != IB_OK)
        return NULL;
    int before = ib_diagnostics_seen(reader->diagnostics);
    read_wiring(loop, kind, &wiring);
    find_part(loop, &wiring.inputs, &site);
    site.design = design;
    if (!find_params(loop, kind, &wiring, &site, &params)) return NULL;
    // What the wiring says has been judged already.
    if (ib_diagnostics_seen(reader->diagnostics) > before) return NULL;
    ib__read_schema(reader, loop->map, &params, others, config);
    bool clean = ib_diagnostics_seen(reader->diagnostics) == before;
    if (!clean || (kind->designed && !design)) return NULL;
    if (ib_controller_init(kind, config, &site, reader->arena, controller, &error) == IB_OK)
        return controller;
    refuse(loop, error.text);
    return NULL;
}

// ----------------------------------------------------------------------------------------- plug-in

// Names of a plug-in on a named loop: what the robot does not know may be the desk's name for
// something of the part; goals are the loop's own.
static bool rename_ports(const ib__LoopReader *loop, const ib_ControlSite *site,
                         ib_ControlPorts *ports)
{
    ib_Arena *arena = loop->reader->arena;
    const char **reads = ib_arena_array(arena, (size_t)ports->measurement_count, sizeof *reads);
    const char **sets = ib_arena_array(arena, (size_t)ports->output_count, sizeof *sets);
    ib_ControlCommand *commands =
        ib_arena_array(arena, (size_t)ports->command_count, sizeof *commands);
    if (!reads || !sets || !commands) return false;
    for (int i = 0; i < ports->measurement_count; i++) {
        const char *name = ports->measurements[i];
        const char *plain = strncmp(name, "sensor.", 7) == 0 ? name + 7 : name;
        const ib_ControlPin *pin = site->part ? ib_part_state(site->part, plain) : NULL;
        ib_ControlPin sensor;
        ib_Error error;
        bool known = ib_site_sensor(site, "", plain, &sensor, &error) == IB_OK;
        reads[i] = pin && !known ? pin->name : name;
    }
    for (int i = 0; i < ports->output_count; i++) {
        const char *name = ports->outputs[i];
        const ib_ControlPin *pin = site->part ? ib_part_input(site->part, name) : NULL;
        sets[i] = pin && !ib_site_command(site, name) ? pin->name : name;
    }
    bool first = true;
    for (int i = 0; i < ports->command_count; i++) {
        commands[i] = ports->commands[i];
        if (strncmp(commands[i].name, "goal", 4) != 0) continue;
        commands[i].also[1] = ib_site_name(site, arena, commands[i].name);
        commands[i].name = ib_site_name(site, arena, first ? "goal" : commands[i].name);
        if (!commands[i].name || !commands[i].also[1]) return false;
        first = false;
    }
    ports->measurements = reads;
    ports->outputs = sets;
    ports->commands = commands;
    return true;
}

static const ib_Controller *name_plugin(const ib__LoopReader *loop, const ib_Controller *opened)
{
    ib_ControlSite site;
    ib_Error error;
    ib_Controller *named = ib_arena_alloc(loop->reader->arena, sizeof *named);
    if (!loop->name[0] || !loop->robot->config.kind || !named) return opened;
    *named = *opened;
    named->name = loop->name;
    bool good =
        ib_control_site(loop->name, &loop->robot->ports, loop->robot->sensors,
                        loop->robot->sensor_count, loop->reader->arena, &site, &error) == IB_OK;
    return good && rename_ports(loop, &site, &named->ports) ? named : NULL;
}

static const ib_Controller *read_plugin(const ib__LoopReader *loop, const ib_Node *node)
{
    static const char *const keys[] = {"plugin", "period", NULL};
    ib__Reader *reader = loop->reader;
    const ib_Controller *controller = NULL;
    ib_Error error;
    double period = 0;
    ib__check_keys(reader, loop->map, keys);
    const ib_Node *own = ib_node_get(loop->map, "period");
    const char *text = ib__read_text(reader, node, "the name of a shared object");
    const char *path = text ? ib__resolve(reader, node) : NULL;
    if (own && !ib__read_number(reader, own, "s", false, &period)) return NULL;
    if (own && !(period >= 1e-6 && period <= 10)) {
        ib__wrong_value(reader, own, "out of range: expected a period, 1 us to 10 s");
        return NULL;
    }
    if (!path) return NULL;
    if (!reader->plugins) {
        ib__wrong_value(reader, node,
                        "a plug-in is foreign code that runs in this process: expected the option "
                        "--allow-plugins, if you trust it");
        return NULL;
    }
    if (reader->plugins->open(reader->plugins->self, path, period, reader->arena, &controller,
                              &error) == IB_OK)
        return ib__add_file(reader, path) ? name_plugin(loop, controller) : NULL;
    ib__wrong_value(reader, node, "%s", error.text);
    return NULL;
}

// ------------------------------------------------------------------------------------------- whole

const ib_Controller *ib__read_loop(const ib__LoopReader *loop)
{
    ib_Error error;
    ib__Robot *robot = loop->robot;
    const ib_Node *plugin = ib_node_get(loop->map, "plugin");
    const ib_Controller *controller = plugin ? read_plugin(loop, plugin) : read_controller(loop);
    if (!controller || !robot->config.kind) return NULL;
    if (ib_control_extend(controller, loop->reader->arena, &robot->ports, &error) == IB_OK)
        return controller;
    ib__wrong_value(loop->reader, loop->map, "%s", error.text);
    return NULL;
}
