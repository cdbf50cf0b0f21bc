// desk/design/design_plant.c: `plant:` by matrices or as a mechanism, and `at:`, its
// operating point.
#include "base/quote.h"
#include "base/units.h"
#include "desk/design/design_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- names

bool ib__is_identifier(const char *text)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char other[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t length = strlen(text);
    return length > 0 && length <= IB_STATE_NAME && strchr(first, text[0]) != NULL &&
           strspn(text, other) == length;
}

// states: [x, v]
static bool read_names(ib_Reader *reader, const ib_Node *node, int count, const char *what,
                       char (*names)[IB_STATE_NAME + 1])
{
    char expected[80];
    bool good = true;
    snprintf(expected, sizeof expected, "a list of %d name%s, one for each %s", count,
             count == 1 ? "" : "s", what);
    if (!ib_check_list(reader, node, expected)) return false;
    if (node->count != count) {
        ib_wrong_value(reader, node, "expected %s, got %d", expected, node->count);
        return false;
    }
    for (const ib_Node *item = node->first; item; item = item->next) {
        const char *text = ib_read_text(reader, item, "a name");
        bool fine = text && ib__is_identifier(text);
        if (text && !fine)
            ib_wrong_value(reader, item,
                           "'%s' cannot name %s %s: expected a letter, then letters, digits and "
                           "'_', at most %d in all",
                           ib_quote(text).text, strchr("aeiou", what[0]) ? "an" : "a", what,
                           IB_STATE_NAME);
        if (fine && ib__find_name(text, item->index, names) >= 0) {
            ib_wrong_value(reader, item, "'%s' is there twice", text);
            fine = false;
        }
        if (fine) snprintf(names[item->index], IB_STATE_NAME + 1, "%s", text);
        good &= fine;
    }
    return good;
}

// Checks that names of states and inputs differ: tolerances use both.
static bool check_names(ib_Reader *reader, const ib_Node *node, ib_StateSpace *plant)
{
    for (int i = 0; i < plant->inputs; i++) {
        if (ib__find_name(plant->input[i], plant->states, plant->state) < 0) continue;
        const ib_Node *list = ib_node_get(node, "inputs");
        const ib_Node *item = ib_node_at(list, i);
        ib_wrong_value(reader, item ? item : node, "'%s' names a state too: expected another name",
                       plant->input[i]);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------- matrices

static const char *const matrix_keys[] = {"A",       "B",    "C",    "D",     "states", "inputs",
                                          "outputs", "time", "kind", "robot", NULL};

// Reads a required matrix; -1 in `shape` is filled.
static bool read_required(ib_Reader *reader, const ib_Node *map, const char *key, ib__Shape *shape,
                          double *a)
{
    const ib_Node *node = ib_node_get(map, key);
    if (node) return ib__read_matrix(reader, node, shape, a);
    ib_wrong_gap(reader, map, "'%s' is missing: expected a matrix such as [[0, 1], [0, -2]]", key);
    return false;
}

static bool read_A(ib_Reader *reader, const ib_Node *map, ib_StateSpace *plant, int *states)
{
    const ib_Node *node = ib_node_get(map, "A");
    ib__Shape shape = {-1, -1, IB_STATES_MAX, IB_STATES_MAX, NULL, "as many as rows"};
    if (node && node->type == IB_NODE_LIST && node->count > 0) shape.columns = node->count;
    bool good = read_required(reader, map, "A", &shape, plant->A);
    if (good) *states = shape.rows;
    return good;
}

// Reads A, B, C and D with the sizes: states from A, inputs from B, outputs from C.
static bool read_system(ib_Reader *reader, const ib_Node *map, ib_StateSpace *plant)
{
    int n = -1, m = -1, p = -1;
    bool good = read_A(reader, map, plant, &n);
    ib__Shape b = {n, -1, IB_STATES_MAX, IB_INPUTS_MAX, "one for each state", NULL};
    if (read_required(reader, map, "B", &b, plant->B))
        m = b.columns;
    else
        good = false;
    const ib_Node *C = ib_node_get(map, "C"), *D = ib_node_get(map, "D");
    ib__Shape c = {-1, n, IB_OUTPUTS_MAX, IB_STATES_MAX, NULL, "one for each state"};
    bool seen = C && ib__read_matrix(reader, C, &c, plant->C);
    if (seen) p = c.rows;
    good &= !C || seen;
    // Without C the states themselves are measured, up to the limit of outputs.
    if (!C && good) {
        p = n < IB_OUTPUTS_MAX ? n : IB_OUTPUTS_MAX;
        for (int i = 0; i < p; i++) plant->C[i * n + i] = 1;
    }
    ib__Shape d = {p,
                   m,
                   IB_OUTPUTS_MAX,
                   IB_INPUTS_MAX,
                   "one for each output, as C has rows",
                   "one for each input, as B has columns"};
    if (D && !ib__read_matrix(reader, D, &d, plant->D)) good = false;
    plant->states = n;
    plant->inputs = m;
    plant->outputs = p;
    return good;
}

// Reads continuous or discrete; false: neither.
static bool read_time(ib_Reader *reader, const ib_Node *node, bool *discrete)
{
    const char *text = node ? ib_read_text(reader, node, "continuous or discrete") : "continuous";
    *discrete = text && strcmp(text, "discrete") == 0;
    if (text && !*discrete && strcmp(text, "continuous") != 0) {
        ib_wrong_value(reader, node, "expected continuous or discrete, got '%s'",
                       ib_quote(text).text);
        text = NULL;
    }
    return text != NULL;
}

static bool read_matrices(ib__DesignReader *design, const ib_Node *map)
{
    ib_Reader *reader = design->reader;
    ib_AnalysisConfig *config = &design->gear->config;
    ib_StateSpace read = ib_state_space_default(1, 1, 1);
    bool discrete = false;
    memset(read.A, 0, sizeof read.A);
    ib_check_keys(reader, map, matrix_keys);
    bool good = read_system(reader, map, &read);
    good &= read_time(reader, ib_node_get(map, "time"), &discrete);
    if (!good) return false;

    ib_StateSpace *plant = &config->plant;
    *plant = ib_state_space_default(read.states, read.inputs, read.outputs);
    memcpy(plant->A, read.A, sizeof read.A);
    memcpy(plant->B, read.B, sizeof read.B);
    memcpy(plant->C, read.C, sizeof read.C);
    memcpy(plant->D, read.D, sizeof read.D);
    plant->period = discrete ? config->period : 0;
    const ib_Node *states = ib_node_get(map, "states"), *inputs = ib_node_get(map, "inputs");
    const ib_Node *outputs = ib_node_get(map, "outputs");
    if (states) good &= read_names(reader, states, plant->states, "state", plant->state);
    if (inputs) good &= read_names(reader, inputs, plant->inputs, "input", plant->input);
    if (outputs) good &= read_names(reader, outputs, plant->outputs, "output", plant->output);
    return good && check_names(reader, map, plant);
}

// --------------------------------------------------------------------------------------- mechanism

static const ib_MechanismKind *read_kind(ib_Reader *reader, const ib_Node *node)
{
    enum { KINDS = 32 };
    const char *names[KINDS + 1] = {0};
    for (int i = 0; ib_mechanism_kinds[i] && i < KINDS; i++) names[i] = ib_mechanism_kinds[i]->name;
    const char *text = ib_read_text(reader, node, "a kind of plant");
    const ib_MechanismKind *kind = text ? ib_mechanism_kind_find(text) : NULL;
    if (!text || kind) return kind;
    ib_WordHint hint = ib_word_hint(';', text, names);
    ib_wrong_value(reader, node,
                   "there is no plant '%s'%s%s expected one of %s, or matrices A, B, C, D",
                   ib_quote(text).text, hint.text, hint.text[0] ? " Otherwise" : ";",
                   ib_word_list(names).text);
    return NULL;
}

// Reports a refusal; one that begins with a key ("mass: …") at that key, if it is in the file.
void ib__refuse_mechanism(ib_Reader *reader, const ib_Node *map, const char *text)
{
    char path[128];
    size_t length = strcspn(text, ": ");
    snprintf(path, sizeof path, "%.*s", (int)length, text);
    const ib_Node *node = text[length] == ':' ? ib_node_find(map, path) : NULL;
    if (node)
        ib_wrong_value(reader, node, "%s", text + length + 1 + (text[length + 1] == ' '));
    else
        ib_wrong_key(reader, map, "%s", text);
}

// at: {height: 1 m}: states and inputs by name. Missing inputs are those that hold it there.
static bool read_point(ib__DesignReader *design, const ib_Mechanism *mechanism,
                       ib_MechanismPoint *point)
{
    ib_Reader *reader = design->reader;
    const ib_Node *map = ib_node_get(design->root, "at");
    const ib_MechanismPorts *ports = &mechanism->ports;
    const char *words[IB_STATES_MAX + IB_INPUTS_MAX + 1] = {0};
    int count = 0;
    bool good = true, driven = false;
    if (!map) return true;
    for (int i = 0; i < ports->states; i++) words[count++] = ports->state[i].name;
    for (int i = 0; i < ports->inputs; i++) words[count++] = ports->input[i].name;
    if (!ib_check_map(reader, map, "a map of states and inputs, such as {height: 1 m}"))
        return false;
    ib_check_keys(reader, map, words);
    for (int i = 0; i < ports->states; i++) {
        const ib_Node *node = ib_node_get(map, ports->state[i].name);
        if (node) good &= ib__read_in_unit(reader, node, ports->state[i].unit, &point->x[i]);
    }
    for (int i = 0; i < ports->inputs; i++) {
        const ib_Node *node = ib_node_get(map, ports->input[i].name);
        driven |= node != NULL;
        if (node) good &= ib__read_in_unit(reader, node, ports->input[i].unit, &point->u[i]);
    }
    ib_Error error;
    if (!good || driven || ib_mechanism_balance(mechanism, point, &error) == IB_OK) return good;
    ib_wrong_key(reader, map, "%s", error.text);
    return false;
}

// Units, limits and the point of linearisation of a mechanism become those of the design.
static void take_ports(ib_DesignGear *gear, const ib_MechanismPoint *point)
{
    const ib_MechanismPorts *ports = &gear->mechanism.ports;
    ib_AnalysisConfig *config = &gear->config;
    for (int i = 0; i < ports->states; i++) {
        gear->state_unit[i] = ports->state[i].unit;
        config->x0[i] = point->x[i];
    }
    for (int i = 0; i < ports->inputs; i++) {
        gear->input_unit[i] = ports->input[i].unit;
        config->u0[i] = point->u[i];
        config->low[i] = ports->low[i];
        config->high[i] = ports->high[i];
    }
    for (int i = 0; i < ports->outputs; i++) gear->output_unit[i] = ports->output[i].unit;
    ib_mechanism_output(&gear->mechanism, point->x, config->y0);
    ib_mechanism_rate(&gear->mechanism, point->x, point->u, config->rate0);
}

// The linear plant about the point of `at:` of a known mechanism.
bool ib__take_mechanism(ib__DesignReader *design, const ib_Node *map, bool clean)
{
    ib_Reader *reader = design->reader;
    ib_DesignGear *gear = design->gear;
    ib_MechanismPoint point = gear->mechanism.ports.rest;
    ib_Error error;
    gear->mechanical = true;
    ib__use_all_names(reader, design->root, gear);
    if (!read_point(design, &gear->mechanism, &point)) return false;
    take_ports(gear, &point);
    ib_Status status =
        ib_mechanism_linearise(&gear->mechanism, &point, &gear->config.plant, &error);
    if (status != IB_OK && clean) ib_wrong_key(reader, map, "%s", error.text);
    return status == IB_OK;
}

// Checks a robot's conditions: its stops, its limits. A cylinder has no voltage to design for.
static bool check_spec(ib_Reader *reader, const ib_Node *map, ib_MechanismSpec *spec)
{
    const void *config = &spec->config;
    const ib_Node *piston = ib_node_get(map, "piston");
    ib_Error error;
    if (piston && ((const ib_MechanismConfig *)config)->act.piston) {
        ib_wrong_key(reader, piston, "the desk designs for motors: expected none");
        return false;
    }
    for (int j = 0; j < IB_MECHANISM_JOINTS; j++) ib_mechanism_spec_start(spec, j, 0);
    if (ib_mechanism_spec_check(spec, &error) == IB_OK) return true;
    ib__refuse_mechanism(reader, map, error.text);
    return false;
}

// A mechanism has the same keys as on a robot; the design uses some, the trial all.
static bool read_mechanism(ib__DesignReader *design, const ib_Node *map)
{
    static const char *const others[] = {"kind", NULL};
    ib_Reader *reader = design->reader;
    ib_DesignGear *gear = design->gear;
    const ib_MechanismKind *kind = read_kind(reader, ib_node_get(map, "kind"));
    ib_MechanismSpec spec = {.kind = kind, .own_gravity = true};
    ib_Error error;
    if (!kind) return false;
    bool stands = kind->start.count > 0;
    int before = ib_diagnostics_seen(reader->diagnostics);
    ib_read_schema(reader, map, &kind->params, others, &spec.config);
    bool clean = ib_diagnostics_seen(reader->diagnostics) == before;
    // States, inputs and outputs are unknown if the keys that decide them were refused.
    if (ib_node_is_refused(map)) return false;
    // With stand-ins for wrong values a further message would only confuse.
    if (ib_mechanism_init(kind, &spec.config, &gear->mechanism, &error) != IB_OK) {
        if (clean) ib__refuse_mechanism(reader, map, error.text);
        return false;
    }
    if (clean && stands && !check_spec(reader, map, &spec)) return false;
    snprintf(spec.name, sizeof spec.name, "%s", kind->name);
    if (stands) gear->spec = spec;
    return ib__take_mechanism(design, map, clean);
}

// -------------------------------------------------------------------------------------------- hold

// hold: tustin, prewarp: 30 rad/s
void ib__read_design_hold(ib__DesignReader *design)
{
    const double pi = 3.141592653589793;
    ib_Reader *reader = design->reader;
    ib_AnalysisConfig *config = &design->gear->config;
    const ib_Node *hold = ib_node_get(design->root, "hold");
    const ib_Node *prewarp = ib_node_get(design->root, "prewarp");
    const char *word = hold ? ib_read_text(reader, hold, "zero_order or tustin") : "zero_order";
    design->blame[IB_ANALYSIS_HOLD] = hold;
    if (!word) return;
    bool tustin = strcmp(word, "tustin") == 0;
    if (!tustin && strcmp(word, "zero_order") != 0) {
        ib_wrong_value(reader, hold, "expected zero_order or tustin, got '%s'",
                       ib_quote(word).text);
        return;
    }
    config->hold = tustin ? IB_HOLD_TUSTIN : IB_HOLD_ZERO_ORDER;
    if (prewarp && !tustin)
        ib_wrong_key(reader, prewarp,
                     "is where Tustin keeps the response exactly: expected hold: tustin too");
    if (!prewarp || !tustin || !ib_read_number(reader, prewarp, "rad/s", false, &config->prewarp) ||
        (config->prewarp > 0 && config->prewarp < pi / config->period))
        return;
    ib_wrong_value(reader, prewarp,
                   "expected more than 0 rad/s and less than %.9g rad/s, half the sampling, got "
                   "'%s'",
                   pi / config->period, ib_quote(prewarp->text).text);
}

// --------------------------------------------------------------------------------------- the entry

void ib__read_design_plant(ib__DesignReader *design)
{
    static const char expected[] =
        "a map with matrices A, B, C, D, or with kind, such as {kind: elevator}, or robot";
    ib_Reader *reader = design->reader;
    const ib_Node *node = ib_node_get(design->root, "plant");
    if (!node) {
        ib_diagnostics_add(reader->diagnostics, (ib_Place){reader->file, 1, 1},
                           "'plant' is missing: expected %s", expected);
        return;
    }
    design->blame[IB_ANALYSIS_PLANT] = node;
    if (!ib_check_map(reader, node, expected)) return;
    for (int i = 0; i < IB_INPUTS_MAX; i++) {
        design->gear->config.low[i] = -INFINITY;
        design->gear->config.high[i] = INFINITY;
    }
    const ib_Node *at = ib_node_get(design->root, "at");
    bool kind = ib_node_get(node, "kind") != NULL;
    bool robot = !kind && ib_node_get(node, "robot");
    design->plant = kind    ? read_mechanism(design, node)
                    : robot ? ib__read_design_robot(design, node)
                            : read_matrices(design, node);
    if (at && !kind && !robot)
        ib_wrong_key(reader, at,
                     "matrices have no operating point: expected 'kind' or 'robot' "
                     "in 'plant', or no 'at'");
}
