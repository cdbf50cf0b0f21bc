// desk/design/design_robot.c: a robot file as a plant, linearised about a point, or one of
// its mechanisms:
//   plant: {robot: ../robots/kitbot.yaml, states: [velocity.forward], inputs: [left, right]}
//   plant: {robot: ../robots/rig.yaml, states: [cylinder.position], inputs: [valve],
//           balance: [valve]}
//   plant: {robot: ../robots/team.yaml, mechanism: lift}
#include "base/quote.h"
#include "desk/design/design_inside.h"
#include "robot/equipment.h"
#include "sim/linearise/linearise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The requested names in the robot's form.
typedef struct Asked {
    const char *states[IB_STATES_MAX], *inputs[IB_INPUTS_MAX], *outputs[IB_OUTPUTS_MAX];
    const char *balance[IB_STATES_MAX + IB_INPUTS_MAX];
    int balance_count;
    ib_LineariseQuery query;
} Asked;

// Reads a list of signals or commands; returns their number, 0: wrong.
static int read_signals(ib_Reader *reader, const ib_Node *map, const char *key, int most,
                        const char **names)
{
    const ib_Node *node = ib_node_get(map, key);
    if (!node) {
        ib_wrong_gap(reader, map, "'%s' is missing: expected a list of names of the robot", key);
        return 0;
    }
    if (!ib_check_list(reader, node, "a list of names of the robot")) return 0;
    if (node->count < 1 || node->count > most) {
        ib_wrong_value(reader, node, "expected 1 to %d names, got %d", most, node->count);
        return 0;
    }
    int count = 0;
    for (const ib_Node *item = node->first; item; item = item->next) {
        names[count] = ib_read_text(reader, item, "a name");
        if (names[count]) count++;
    }
    return count == node->count ? count : 0;
}

// 'it''s' for it's
static const char *quote(ib_Reader *reader, const char *text)
{
    char *quoted = ib_arena_alloc(reader->arena, 2 * strlen(text) + 3), *to = quoted;
    if (!quoted) return "''";
    *to++ = '\'';
    for (; *text; text++) {
        if (*text == '\'') *to++ = '\'';
        *to++ = *text;
    }
    *to++ = '\'';
    return quoted;
}

// Reads the robot, at rest at its start and without a driver. Mistakes of the robot's own files are
// shown there, others at the name in the design.
ib_Scenario *ib__read_design_home(ib_Reader *reader, const ib_Node *name)
{
    ib_Diagnostics *own = ib_arena_alloc(reader->arena, sizeof *own);
    if (!own || !ib_read_text(reader, name, "the name of a robot file")) return NULL;
    own->arena = reader->arena;
    ib_ScenarioOptions options = {.data = reader->data, .trees = reader->trees};
    const char *text = ib_arena_format(
        reader->arena, "robot: {file: %s}\ninputs: {source: viewer}\nrun: {duration: 1000 s}\n",
        quote(reader, name->text));
    if (!text) return NULL;
    ib_Scenario *scenario = ib_scenario_read_text(reader->file, text, strlen(text), &options, own);
    for (int i = 0; i < own->count; i++) {
        const ib_Diagnostic *item = &own->items[i];
        if (strcmp(item->file, reader->file) == 0)
            ib_wrong_value(reader, name, "%s", item->text);
        else
            ib_diagnostics_add(reader->diagnostics,
                               (ib_Place){item->file, item->line, item->column}, "%s", item->text);
    }
    if (scenario) ib_add_files(reader, scenario->yaml.files);
    return scenario;
}

// The unit of a signal of the only robot, or of one of its commands.
static const char *unit_of(ib_Reader *reader, const ib_Model *model, const char *name)
{
    int signal = ib_signals_find(&model->signals, name);
    if (signal >= 0) return ib_arena_text(reader->arena, model->signals.items[signal].unit);
    const ib_RobotPorts *ports = &model->robots[0].ports;
    for (int i = 0; i < ports->input_count; i++)
        if (strcmp(ports->inputs[i].name, name) == 0)
            return ib_arena_text(reader->arena, ports->inputs[i].unit);
    return NULL;
}

// "velocity.forward" becomes "velocity_forward": valid as a C name and as a key without a dot.
static void plain_names(int count, char (*names)[IB_STATE_NAME + 1])
{
    for (int i = 0; i < count; i++)
        for (char *c = names[i]; *c; c++)
            if (*c == '.') *c = '_';
}

// at: {velocity_forward: 1 m/s, left: 3 V}, over what the run has there.
static bool read_point(ib__DesignReader *design, const ib_Linearisation *linear, double *x0,
                       double *u0)
{
    ib_Reader *reader = design->reader;
    const ib_Node *map = ib_node_get(design->root, "at");
    const ib_StateSpace *plant = &linear->plant;
    const char *words[IB_STATES_MAX + IB_INPUTS_MAX + 1] = {0};
    bool good = true;
    memcpy(x0, linear->x0, sizeof linear->x0);
    memcpy(u0, linear->u0, sizeof linear->u0);
    if (!map || !ib_check_map(reader, map, "a map of states and inputs")) return !map;
    int n = plant->states;
    for (int i = 0; i < n; i++) words[i] = plant->state[i];
    for (int i = 0; i < plant->inputs; i++) words[n + i] = plant->input[i];
    ib_check_keys(reader, map, words);
    for (int i = 0; i < n + plant->inputs; i++) {
        const ib_Node *node = ib_node_get(map, words[i]);
        const char *unit = i < n ? design->gear->state_unit[i] : design->gear->input_unit[i - n];
        if (node) good &= ib__read_in_unit(reader, node, unit, i < n ? &x0[i] : &u0[i - n]);
    }
    return good;
}

static void take_units(ib_Reader *reader, const ib_Model *model, const Asked *asked,
                       ib_DesignGear *gear)
{
    const ib_LineariseQuery *query = &asked->query;
    for (int i = 0; i < query->state_count; i++)
        gear->state_unit[i] = unit_of(reader, model, asked->states[i]);
    for (int i = 0; i < query->input_count; i++)
        gear->input_unit[i] = unit_of(reader, model, asked->inputs[i]);
    for (int i = 0; i < query->state_count && !query->outputs && i < IB_OUTPUTS_MAX; i++)
        gear->output_unit[i] = gear->state_unit[i];
    for (int i = 0; i < query->output_count; i++)
        gear->output_unit[i] = unit_of(reader, model, asked->outputs[i]);
}

// Remarks on the validity of the matrices.
static const char *describe(ib_Reader *reader, const ib_Linearisation *linear)
{
    char text[600] = "";
    size_t used = 0;
    for (int i = 0; i < linear->plant.states && used < sizeof text; i++)
        if (fabs(linear->rate0[i]) > 1e-2)
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "not in balance: %s changes by %.4g per second; ",
                                     linear->plant.state[i], linear->rate0[i]);
    int named = linear->held_count < IB_HELD_MAX ? linear->held_count : IB_HELD_MAX;
    for (int i = 0; i < named && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s",
                                 i ? ", " : "held: ", linear->held[i], i + 1 == named ? "; " : "");
    for (int i = 0; i < linear->kink_count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s",
                                 i ? ", "
                                   : "the slopes to the two sides differ, their mean is taken: at ",
                                 linear->kinks[i], i + 1 == linear->kink_count ? "; " : "");
    if (used < 2) return NULL;
    if (used < sizeof text) text[used - 2] = '\0';
    return ib_arena_text(reader->arena, text);
}

// Reports a refusal; one that begins with a state's name at its entry in `at`.
static void refuse_point(ib__DesignReader *design, const ib_Node *map, const Asked *asked,
                         const char *text)
{
    const ib_Node *at = ib_node_get(design->root, "at"), *node = NULL;
    size_t length = strcspn(text, ":");
    for (int i = 0; at && i < asked->query.state_count; i++)
        if (strlen(asked->states[i]) == length && !strncmp(text, asked->states[i], length))
            node = ib_node_get(at, design->gear->config.plant.state[i]);
    if (node)
        ib_wrong_value(design->reader, node, "%s", text + length + 2);
    else
        ib_wrong_key(design->reader, map, "%s", text);
}

// Linearises at the run's own point first, for names, units and values missing in `at`; then at
// that point.
static bool linearise(ib__DesignReader *design, const ib_Node *map, const ib_Model *model,
                      Asked *asked)
{
    ib_Reader *reader = design->reader;
    ib_AnalysisConfig *config = &design->gear->config;
    ib_Linearisation *linear = ib_arena_alloc(reader->arena, sizeof *linear);
    double x0[IB_STATES_MAX], u0[IB_INPUTS_MAX];
    ib_Error error;
    asked->query.point_alone = true;
    ib_Status status = linear ? ib_linearise(model, &asked->query, linear, &error)
                              : ib_error_set(&error, IB_FAILED, "out of memory");
    if (status == IB_OK) {
        ib_StateSpace *plant = &linear->plant;
        plain_names(plant->states, plant->state);
        plain_names(plant->inputs, plant->input);
        plain_names(plant->outputs, plant->output);
        config->plant = *plant;
        take_units(reader, model, asked, design->gear);
        if (!read_point(design, linear, x0, u0)) return false;
        asked->query.point_alone = false;
        asked->query.x0 = x0;
        asked->query.u0 = u0;
        asked->query.balance = asked->balance_count > 0 ? asked->balance : NULL;
        asked->query.balance_count = asked->balance_count;
        status = ib_linearise(model, &asked->query, linear, &error);
    }
    if (status != IB_OK) {
        refuse_point(design, map, asked, error.text);
        return false;
    }
    design->gear->note = describe(reader, linear);
    memcpy(config->plant.A, linear->plant.A, sizeof config->plant.A);
    memcpy(config->plant.B, linear->plant.B, sizeof config->plant.B);
    memcpy(config->plant.C, linear->plant.C, sizeof config->plant.C);
    memcpy(config->plant.D, linear->plant.D, sizeof config->plant.D);
    memcpy(config->x0, linear->x0, sizeof config->x0);
    memcpy(config->u0, linear->u0, sizeof config->u0);
    memcpy(config->y0, linear->y0, sizeof config->y0);
    memcpy(config->rate0, linear->rate0, sizeof config->rate0);
    memcpy(config->low, linear->low, sizeof config->low);
    memcpy(config->high, linear->high, sizeof config->high);
    return true;
}

// --------------------------------------------------------------------------------------- mechanism

// The robot's mechanism of this name; NULL, with a mistake: none.
const ib_MechanismSpec *ib__find_mechanism(ib_Reader *reader, const ib_Node *node,
                                           const ib_RobotConfig *robot)
{
    const char *names[IB_MECHANISMS_MAX + 1] = {0};
    const ib_EquipmentConfig *equipment = robot->kind->carries_equipment ? robot->config : NULL;
    const char *text = ib_read_text(reader, node, "the name of a mechanism");
    for (int i = 0; text && equipment && i < equipment->mechanisms.count; i++) {
        const ib_MechanismSpec *spec = &equipment->mechanisms.items[i];
        names[i] = spec->name;
        if (strcmp(spec->name, text) == 0) return spec;
    }
    if (text)
        ib_wrong_value(reader, node, "the robot has no mechanism '%s'%s", ib_quote(text).text,
                       ib_word_hint(';', text, names).text);
    return NULL;
}

// Reads a robot's mechanism: the design is for it alone; the trial has the whole robot.
static bool read_mechanism(ib__DesignReader *design, const ib_Node *map)
{
    static const char *const keys[] = {"robot", "mechanism", NULL};
    ib_Reader *reader = design->reader;
    ib_DesignGear *gear = design->gear;
    const ib_Node *name = ib_node_get(map, "mechanism");
    ib_Error error;
    ib_check_keys(reader, map, keys);
    gear->home = ib__read_design_home(reader, ib_node_get(map, "robot"));
    const ib_MechanismSpec *spec =
        gear->home ? ib__find_mechanism(reader, name, &gear->home->sim.robots[0]) : NULL;
    if (!spec) return false;
    const void *config = &spec->config;
    if (spec->kind->build || ((const ib_MechanismConfig *)config)->act.piston) {
        ib_wrong_value(reader, name,
                       "a cylinder moves it: expected a mechanism with motors, which have a "
                       "voltage to design for");
        return false;
    }
    gear->spec = *spec;
    if (ib_mechanism_init(spec->kind, &spec->config, &gear->mechanism, &error) == IB_OK)
        return ib__take_mechanism(design, map, true);
    ib_wrong_value(reader, name, "%s", error.text);
    return false;
}

bool ib__read_design_robot(ib__DesignReader *design, const ib_Node *map)
{
    if (ib_node_get(map, "mechanism")) return read_mechanism(design, map);
    static const char *const keys[] = {"robot",   "states", "inputs", "outputs",
                                       "balance", "after",  NULL};
    ib_Reader *reader = design->reader;
    const ib_Node *robot = ib_node_get(map, "robot"), *after = ib_node_get(map, "after");
    Asked asked = {0};
    double time = 0;
    ib_check_keys(reader, map, keys);
    ib_LineariseQuery *query = &asked.query;
    query->states = asked.states;
    query->inputs = asked.inputs;
    query->state_count = read_signals(reader, map, "states", IB_STATES_MAX, asked.states);
    query->input_count = read_signals(reader, map, "inputs", IB_INPUTS_MAX, asked.inputs);
    bool good = query->state_count > 0 && query->input_count > 0;
    if (ib_node_get(map, "outputs")) {
        query->outputs = asked.outputs;
        query->output_count = read_signals(reader, map, "outputs", IB_OUTPUTS_MAX, asked.outputs);
        good &= query->output_count > 0;
    }
    if (ib_node_get(map, "balance")) {
        asked.balance_count = read_signals(reader, map, "balance", IB_STATES_MAX, asked.balance);
        good &= asked.balance_count > 0;
    }
    if (after) good &= ib_read_number(reader, after, "s", false, &time);
    if (!(time >= 0 && time <= 1000)) {
        ib_wrong_value(reader, after, "expected 0 s to 1000 s");
        good = false;
    }
    if (good) query->at = ib_time_from_seconds(time);
    ib_Scenario *scenario = ib__read_design_home(reader, robot);
    if (scenario && good) good = linearise(design, map, scenario->model, &asked);
    good &= scenario != NULL;
    ib_scenario_destroy(scenario);
    return good;
}
