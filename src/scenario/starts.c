// scenario/starts.c: `field: {starts: {NAME: {x: …}}}` and `start: {place: NAME}`: places of a
// field at which robots start. docs/scenario/scenario.md
#include "base/quote.h"
#include "base/units.h"
#include "robot/equipment.h"
#include "robot/planar.h"
#include "scenario/scenario_inside.h"
#include "scenario/schemas.h"

#include <stdio.h>
#include <string.h>

enum { MAX_STARTS = 32 }; ///< of one field

static const ib_Param start_params[] = {
    IB_PARAM_ROW("x", IB_PARAM_NUMBER, "m", "0 m", -1e6, 1e6, NULL, ib_PlanarConfig, x, false,
                 "position of the robot's middle, field x"),
    IB_PARAM_ROW("y", IB_PARAM_NUMBER, "m", "0 m", -1e6, 1e6, NULL, ib_PlanarConfig, y, false,
                 "position of the robot's middle, field y"),
    IB_PARAM_ROW("heading", IB_PARAM_NUMBER, "rad", "0 rad", -1e4, 1e4, NULL, ib_PlanarConfig,
                 heading, false, "direction of its front, counter-clockwise from field x"),
};
const ib_Schema ib_start_schema = IB_SCHEMA(start_params);

void ib__check_starts(ib_Reader *reader, ib_Node *node)
{
    if (!node) return;
    if (!ib_check_map(reader, node, "a map of places, each by its name")) {
        node->refused = true;
        return;
    }
    if (node->count > MAX_STARTS)
        ib_wrong_value(reader, node, "%d start places: expected at most %d", node->count,
                       MAX_STARTS);
    for (ib_Node *child = node->first; child; child = child->next) {
        ib_PlanarConfig values;
        int before = ib_diagnostics_seen(reader->diagnostics);
        ib_check_name(reader, child, "a start place");
        if (ib_check_map(reader, child, "a map such as {x: 1 m, y: 2 m, heading: 90 deg}"))
            ib_read_schema(reader, child, &ib_start_schema, NULL, &values);
        // Told once, not by each robot that starts there.
        if (ib_diagnostics_seen(reader->diagnostics) != before) child->refused = true;
    }
}

// A copy of a value, under the same key.
static ib_Node *copy(ib_Arena *arena, const ib_Node *node)
{
    ib_Node *made = ib_node_create(arena, node->type, node->text, node->place);
    if (!made) return NULL;
    made->key = node->key;
    made->key_place = node->key_place;
    made->quoted = node->quoted;
    for (const ib_Node *child = node->first; child; child = child->next) {
        ib_Node *inner = copy(arena, child);
        if (!inner) return NULL;
        ib_node_append(made, inner);
    }
    return made;
}

// The place of this name; NULL with the mistake named.
static const ib_Node *find_place(ib_Reader *reader, const ib_Node *starts, const ib_Node *name)
{
    const char *names[MAX_STARTS + 1], *text = ib_read_text(reader, name, "a start place's name");
    int count = 0;
    if (!text) return NULL;
    const ib_Node *place = ib_node_get(starts, text);
    if (place) return place;
    const ib_Node *first = starts && starts->type == IB_NODE_MAP ? starts->first : NULL;
    for (const ib_Node *child = first; child && count < MAX_STARTS; child = child->next)
        names[count++] = child->key;
    names[count] = NULL;
    if (count == 0) {
        ib_wrong_value(reader, name,
                       "the field has no start places: expected x, y and heading instead");
        return NULL;
    }
    ib_wrong_value(reader, name, "the field has no start place '%s'%s; known: %s",
                   ib_quote(text).text, ib_word_hint(';', text, names).text,
                   ib_word_list(names).text);
    return NULL;
}

static bool has_place(const ib_RobotKind *kind)
{
    for (int i = 0; i < kind->start.count; i++)
        if (strcmp(kind->start.params[i].key, start_params[0].key) == 0) return true;
    return false;
}

void ib__expand_start(const ib__ScenarioReader *scenario, const ib_RobotKind *kind, ib_Node *start)
{
    ib_Reader *reader = scenario->reader;
    const ib_Node *name = ib_node_get(start, "place");
    if (!name) return;
    ib_node_remove(start, name);
    if (!has_place(kind)) {
        ib_wrong_key(reader, name, "a %s has no place on the field", kind->name);
        start->refused = true;
        return;
    }
    bool unknown = scenario->starts ? scenario->starts->refused : scenario->field_refused;
    const ib_Node *place = unknown ? NULL : find_place(reader, scenario->starts, name);
    if (!place || place->refused) start->refused = true;
    if (!place || place->refused) return;
    for (const ib_Node *child = place->first; child; child = child->next) {
        ib_Node *made = ib_node_get(start, child->key) ? NULL : copy(reader->arena, child);
        if (made) ib_node_append(start, made);
    }
}

// ------------------------------------------------------------------------------------ of one robot

// The start of one mechanism by `start:`. The default of a joint is the other one's value, so that
// a platform is level and a belt is slack, unless they have nothing in common; or else 0 or the
// nearer stop.
static void start_mechanism(ib_Reader *reader, const ib_Node *map, ib_MechanismSpec *spec)
{
    const ib_Schema *schema = &spec->kind->start;
    size_t first = offsetof(ib_MechanismConfig, act.position);
    bool given[IB_MECHANISM_JOINTS] = {false}, apart = spec->kind->second_gear > 0;
    void *memory = &spec->config;
    double *position = ((ib_MechanismConfig *)memory)->act.position;
    ib_read_schema(reader, map, schema, NULL, &spec->config);
    for (int i = 0; i < schema->count; i++) {
        const ib_Param *param = &schema->params[i];
        size_t joint = (param->offset - first) / sizeof(double);
        if (param->offset < first || joint >= IB_MECHANISM_JOINTS) continue;
        given[joint] = map && ib_node_find(map, param->key);
    }
    for (int j = 0; !spec->kind->build && j < IB_MECHANISM_JOINTS; j++)
        if (!given[j]) ib_mechanism_spec_start(spec, j, given[!j] && !apart ? position[!j] : 0);
}

void ib__read_start(ib_Reader *reader, ib__Robot *robot, const ib_RobotKind *kind, void *config)
{
    const char *names[IB_MECHANISMS_MAX + 2] = {0};
    ib_EquipmentConfig *equipment = kind->carries_equipment ? config : NULL;
    int count = equipment ? equipment->mechanisms.count : 0;
    for (int i = 0; i < count; i++) names[i] = equipment->mechanisms.items[i].name;
    names[count] = "place"; // its keys lie under the others already
    ib_read_schema(reader, robot->start, &kind->start, names, config);
    for (int i = 0; i < count; i++)
        start_mechanism(reader, robot->start ? ib_node_get(robot->start, names[i]) : NULL,
                        &equipment->mechanisms.items[i]);
}

bool ib__is_start_blocked(const ib__ScenarioReader *scenario, const ib__Robot *robot)
{
    static const char *const keys[] = {"x", "y", "heading"};
    const ib_RobotPorts *ports = &robot->made.ports;
    ib_Arena arena = {0};
    ib_Motion at;
    bool drawn = false;
    for (int i = 0; i < 3 && robot->start; i++) {
        const ib_Node *value = ib_node_get(robot->start, keys[i]);
        drawn |= value && ib_node_is_random(value);
    }
    if (!drawn || !scenario->field || !ports->planar) return false;
    double *state = ib_arena_array(&arena, (size_t)ports->state_count, sizeof *state);
    bool badly = false;
    if (state) {
        robot->made.kind->reset(robot->config.config, robot->made.model, state);
        ib_planar_motion(ports->planar, state, NULL, &at);
        badly = !ib_model_has_room(scenario->field, ports, at.x, at.y, at.heading, &arena);
    }
    ib_arena_reset(&arena);
    return badly;
}

// Deep at most as many levels as a file may have.
void ib__check_start(ib_Reader *reader, const ib_Node *node)
{
    for (const ib_Node *child = node->first; child; child = child->next) {
        ib_Quantity quantity;
        ib_Error error;
        if (child->type != IB_NODE_SCALAR) {
            ib__check_start(reader, child);
        } else if (child->text[0] && strchr("+-.0123456789", child->text[0])) {
            ib_Status status = ib_quantity_read(child->text, &quantity, &error);
            if (status)
                ib_wrong_value(reader, child, "%s", error.text);
            else if (ib_dimension_equal(quantity.dimension, (ib_Dimension){0}))
                ib_wrong_value(reader, child,
                               "a unit is missing: expected a value such as '1 m' or '30 deg', "
                               "got '%s'",
                               ib_quote(child->text).text);
        }
    }
}
