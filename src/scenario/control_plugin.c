// scenario/control_plugin.c: `control: {plugin: ./drive.so}`: a loop of foreign code.
#include "scenario/control.h"
#include "sim/loop/control.h"

#include <string.h>

// Names number `index` of a plug-in's measurements and outputs: by the list in the file, or by its
// own name; for names unknown to the robot, by the desk's name for a signal of the part.
static bool rename_reading(const ib__LoopReader *loop, const ib_ControlSite *site,
                           const ib_Words *given, int index, int count, const char **name)
{
    const char *plain = strncmp(*name, "sensor.", 7) == 0 ? *name + 7 : *name;
    const ib_ControlPin *part = site->part ? ib_part_state(site->part, plain) : NULL;
    ib_ControlPin pin;
    ib_Error error;
    if (given->count > 0) {
        bool good = ib_site_reading(site, given, index, count, plain, "measurement of the plug-in",
                                    &pin, &error) == IB_OK;
        if (good)
            *name = pin.name;
        else
            ib__refuse_loop(loop, error.text);
        return good;
    }
    if (part && ib_site_sensor(site, "", plain, &pin, &error) != IB_OK) *name = part->name;
    return true;
}

static bool rename_setting(const ib__LoopReader *loop, const ib_ControlSite *site,
                           const ib_Words *given, int index, int count, const char **name)
{
    const ib_ControlPin *part = site->part ? ib_part_input(site->part, *name) : NULL;
    ib_ControlPin pin;
    ib_Error error;
    if (given->count > 0) {
        bool good = ib_site_setting(site, given, index, count, *name, "output of the plug-in", &pin,
                                    &error) == IB_OK;
        if (good)
            *name = pin.name;
        else
            ib__refuse_loop(loop, error.text);
        return good;
    }
    if (part && !ib_site_command(site, *name)) *name = part->name;
    return true;
}

// Goals of a named loop are its own.
static bool rename_commands(const ib__LoopReader *loop, const ib_ControlSite *site, int count,
                            ib_ControlCommand *commands)
{
    bool first = true;
    for (int i = 0; loop->name[0] && i < count; i++) {
        ib_ControlCommand *command = &commands[i];
        ib_Arena *arena = loop->reader->arena;
        if (strncmp(command->name, "goal", 4) != 0) continue;
        command->also[1] = ib_site_name(site, arena, command->name);
        command->name = ib_site_name(site, arena, first ? "goal" : command->name);
        if (!command->name || !command->also[1]) return false;
        first = false;
    }
    return true;
}

// A copy with names for this loop; the lists that were opened stay as they are.
static bool rename_ports(const ib__LoopReader *loop, const ib_WiringConfig *wiring,
                         const ib_ControlSite *site, ib_ControlPorts *ports)
{
    ib_Arena *arena = loop->reader->arena;
    int reading = ports->measurement_count, setting = ports->output_count;
    const char **reads = ib_arena_array(arena, (size_t)reading, sizeof *reads);
    const char **sets = ib_arena_array(arena, (size_t)setting, sizeof *sets);
    ib_ControlCommand *commands =
        ib_arena_array(arena, (size_t)ports->command_count, sizeof *commands);
    bool good = reads && sets && commands;
    for (int i = 0; good && i < reading; i++) {
        reads[i] = ports->measurements[i];
        good = rename_reading(loop, site, &wiring->sensors, i, reading, &reads[i]);
    }
    for (int i = 0; good && i < setting; i++) {
        sets[i] = ports->outputs[i];
        good = rename_setting(loop, site, &wiring->inputs, i, setting, &sets[i]);
    }
    if (!good) return false;
    memcpy(commands, ports->commands, (size_t)ports->command_count * sizeof *commands);
    ports->measurements = reads;
    ports->outputs = sets;
    ports->commands = commands;
    return rename_commands(loop, site, ports->command_count, commands);
}

static const ib_Controller *place_plugin(const ib__LoopReader *loop, const ib_WiringConfig *wiring,
                                         const ib_Controller *opened)
{
    ib_ControlSite site;
    ib_Error error;
    ib_Controller *placed = ib_arena_alloc(loop->reader->arena, sizeof *placed);
    const ib__Robot *robot = loop->robot;
    if (!placed || !robot->config.kind) return placed ? opened : NULL;
    *placed = *opened;
    placed->name = loop->name;
    if (ib_control_site(loop->name, &robot->made.ports, robot->sensors, robot->sensor_count,
                        loop->reader->arena, &site, &error) != IB_OK)
        return NULL;
    ib__find_part(loop, &wiring->inputs, &site);
    if (!rename_ports(loop, wiring, &site, &placed->ports)) return NULL;
    if (ib_controller_delay(placed, wiring->latency, &error) == IB_OK &&
        ib_controller_convert(placed, wiring->output_bits, &site, &error) == IB_OK)
        return placed;
    ib__refuse_loop(loop, error.text);
    return NULL;
}

const ib_Controller *ib__read_plugin(const ib__LoopReader *loop, const ib_Node *node)
{
    static const ib_Param rows[] = {
        IB_WIRING_ROWS,
        IB_PARAM_ROW("period", IB_PARAM_NUMBER, "s", "0 s", 0, 10, NULL, ib_WiringConfig, period,
                     false, "time between two samples, where the plug-in has none")};
    static const char *const others[] = {"plugin", NULL};
    static const ib_Schema schema = IB_SCHEMA(rows);
    ib_Reader *reader = loop->reader;
    const ib_Controller *controller = NULL;
    ib_WiringConfig wiring = {0};
    ib_Error error;
    int before = ib_diagnostics_seen(reader->diagnostics);
    ib_read_schema(reader, loop->map, &schema, others, &wiring);
    const ib_Node *own = ib_node_get(loop->map, "period");
    if (own && !(wiring.period >= 1e-6))
        ib_wrong_value(reader, own, "out of range: expected a period, 1 us to 10 s");
    const char *text = ib_read_text(reader, node, "the name of a shared object");
    const char *path = text ? ib_resolve(reader, node) : NULL;
    if (!path || ib_diagnostics_seen(reader->diagnostics) > before) return NULL;
    const ib_PluginInterface *plugins = loop->scenario->plugins;
    const ib__Robot *robot = loop->robot;
    bool known = robot->config.kind && robot->sound && robot->placed;
    if (!plugins) {
        ib_wrong_value(reader, node,
                       "a plug-in is foreign code that runs in this process: expected the option "
                       "--allow-plugins, if you trust it");
        return NULL;
    }
    if (plugins->open(plugins->self, path, wiring.period,
                      known ? ib__find_plugin_world(loop) : NULL, reader->arena, &controller,
                      &error) == IB_OK)
        return ib_add_file(reader, path) ? place_plugin(loop, &wiring, controller) : NULL;
    ib_wrong_value(reader, node, "%s", error.text);
    return NULL;
}
