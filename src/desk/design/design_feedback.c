// desk/design/design_feedback.c: `lqr:`, `poles:` and `integral:`: the blocks of the feedback.
#include "base/quote.h"
#include "base/units.h"
#include "desk/design/design_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VARIABLES = IB_STATES_MAX + IB_INTEGRALS_MAX + IB_INPUTS_MAX };

// Names for tolerances: the states that are fed back, then integrals, then inputs.
typedef struct Variables {
    int regulated, inputs;
    char name[VARIABLES][IB_STATE_NAME + 12];
    const char *unit[VARIABLES];
    char integral_unit[IB_INTEGRALS_MAX][IB__INTEGRAL_UNIT];
    const char *words[VARIABLES + 1];
} Variables;

// ------------------------------------------------------------------------------------- single ones

bool ib__read_in_unit(ib_Reader *reader, const ib_Node *node, const char *unit, double *value)
{
    if (unit) return ib_read_number(reader, node, unit, false, value);
    const char *text = ib_read_text(reader, node, "a number");
    if (!text) return false;
    ib_Error error;
    ib_Status status = ib_number_read(text, value, &error);
    if (status != IB_OK && ib_quantity_read(text, &(ib_Quantity){0}, NULL) == IB_OK)
        ib_error_set(&error, IB_BAD_INPUT,
                     "the unit of '%s' is not known: expected a plain number in the plant's own "
                     "unit, got '%s'",
                     node->key ? ib_quote(node->key).text : "this", ib_quote(text).text);
    if (status != IB_OK) ib_wrong_value(reader, node, "%s", error.text);
    return status == IB_OK;
}

bool ib__read_flag(ib_Reader *reader, const ib_Node *node)
{
    const char *text = node ? ib_read_text(reader, node, "true or false") : NULL;
    bool yes = text && strcmp(text, "true") == 0;
    if (text && !yes && strcmp(text, "false") != 0)
        ib_wrong_value(reader, node, "expected true or false, got '%s'", ib_quote(text).text);
    return yes;
}

const char *ib__integral_unit(const char *unit, char made[IB__INTEGRAL_UNIT])
{
    if (!unit) return NULL;
    snprintf(made, IB__INTEGRAL_UNIT, "%s*s", strcmp(unit, "1") == 0 ? "" : unit);
    return made[0] == '*' ? "s" : made;
}

static int regulated(const ib_AnalysisConfig *config)
{
    return (config->over ? config->over : config->plant.states) + config->integrals;
}

// Lists the variables that may have a weight: states that are fed back, integrals, inputs.
static void list_variables(const ib_DesignGear *gear, Variables *all)
{
    const ib_AnalysisConfig *config = &gear->config;
    const ib_StateSpace *plant = &config->plant;
    int count = 0, states = config->over ? config->over : plant->states;
    memset(all, 0, sizeof *all);
    for (int i = 0; i < states; i++) {
        int state = config->over ? config->over_state[i] : i;
        all->unit[count] = gear->state_unit[state];
        snprintf(all->name[count++], sizeof all->name[0], "%s", plant->state[state]);
    }
    for (int i = 0; i < config->integrals; i++)
        for (int k = 0; k < plant->states; k++)
            if (config->Z[i * plant->states + k] != 0) {
                all->unit[count] = ib__integral_unit(gear->state_unit[k], all->integral_unit[i]);
                snprintf(all->name[count++], sizeof all->name[0], "integral_%s", plant->state[k]);
            }
    all->regulated = count;
    all->inputs = plant->inputs;
    for (int i = 0; i < plant->inputs; i++) {
        all->unit[count] = gear->input_unit[i];
        snprintf(all->name[count++], sizeof all->name[0], "%s", plant->input[i]);
    }
    for (int i = 0; i < count; i++) all->words[i] = all->name[i];
}

// ----------------------------------------------------------------------------------------- weights

// One tolerance, more than 0, as a weight 1 / tolerance^2.
static bool read_tolerance(ib_Reader *reader, const ib_Node *node, const char *unit,
                           double *tolerance, double *weight)
{
    if (!ib__read_in_unit(reader, node, unit, tolerance)) return false;
    *weight = 1 / (*tolerance * *tolerance);
    if (*tolerance > 0 && isfinite(*weight) && *weight > 0) return true;
    ib_wrong_value(reader, node,
                   "expected a tolerance of 1e-150 to 1e150, got '%s': its weight is "
                   "1/tolerance^2",
                   ib_quote(node->text).text);
    return false;
}

// Checks the keys of a map of tolerances. If the integrals are unknown, any state may be one.
static void check_names(const ib__DesignReader *design, const ib_Node *map, const Variables *all)
{
    const ib_StateSpace *plant = &design->gear->config.plant;
    const char *words[VARIABLES + IB_STATES_MAX + 1] = {0};
    int count = 0;
    for (; all->words[count]; count++) words[count] = all->words[count];
    for (int i = 0; !design->regulated && i < plant->states; i++) {
        words[count] = ib_arena_format(design->reader->arena, "integral_%s", plant->state[i]);
        if (words[count]) count++;
    }
    ib_check_keys(design->reader, map, words);
}

// {x: 0.14, v: 0.95, volts: 12}: an unnamed state has weight 0; inputs must be named.
static bool read_tolerances(ib__DesignReader *design, const ib_Node *map)
{
    ib_Reader *reader = design->reader;
    ib_AnalysisConfig *config = &design->gear->config;
    Variables all;
    bool good = true;
    if (!ib_check_map(reader, map, "a map such as {x: 0.14, v: 0.95, volts: 12}")) return false;
    if (!design->plant) return false;
    list_variables(design->gear, &all);
    check_names(design, map, &all);
    int n = all.regulated, m = all.inputs;
    for (int i = 0; i < n + m; i++) {
        const ib_Node *node = ib_node_get(map, all.name[i]);
        double tolerance = 0, weight = 0;
        if (node) good &= read_tolerance(reader, node, all.unit[i], &tolerance, &weight);
        if (!node && i >= n) {
            ib_wrong_gap(reader, map,
                         "the tolerance of the input '%s' is missing: expected how much of it "
                         "may be used, such as 12",
                         all.name[i]);
            good = false;
        }
        if (i < n) config->Q[i * n + i] = weight;
        if (i < n) continue;
        config->R[(i - n) * m + i - n] = weight;
        config->largest[i - n] = tolerance;
    }
    return good;
}

// Q, R and cross as matrices.
static bool read_weights(ib__DesignReader *design, const ib_Node *map)
{
    ib_Reader *reader = design->reader;
    ib_AnalysisConfig *config = &design->gear->config;
    const ib_Node *Q = ib_node_get(map, "Q"), *R = ib_node_get(map, "R");
    int n = design->regulated ? regulated(config) : -1,
        m = design->plant ? config->plant.inputs : -1;
    bool good = Q && R;
    const char *gap = "'%s' is missing: expected Q and R as matrices, or tolerance: {…}";
    if (!Q) ib_wrong_gap(reader, map, gap, "Q");
    if (!R) ib_wrong_gap(reader, map, gap, "R");
    const char *because =
        config->integrals ? "one for each state, then each integral" : "one for each state";
    if (Q) good &= ib__read_symmetric(reader, Q, n, because, config->Q);
    double r[IB_STATES_MAX * IB_STATES_MAX];
    bool fine = R && ib__read_symmetric(reader, R, m, "one for each input", r);
    if (fine && m > 0) memcpy(config->R, r, sizeof(double) * (size_t)(m * m));
    return good && fine;
}

// The cross weights N stand in a matrix of regulated states x inputs.
static bool read_cross(ib__DesignReader *design, const ib_Node *node)
{
    ib_AnalysisConfig *config = &design->gear->config;
    ib__Shape shape = {design->regulated ? regulated(config) : -1,
                       design->plant ? config->plant.inputs : -1,
                       IB_STATES_MAX,
                       IB_INPUTS_MAX,
                       "one for each state",
                       "one for each input"};
    return ib__read_matrix(design->reader, node, &shape, config->N);
}

// The wanted poles of the closed loop: one for each state that is fed back, and for each integral.
static bool read_wanted(ib__DesignReader *design, const ib_Node *node)
{
    ib_AnalysisConfig *config = &design->gear->config;
    design->blame[IB_ANALYSIS_POLES] = node;
    config->pole_count = ib__read_poles(design->reader, node, IB_STATES_MAX, config->pole);
    if (config->pole_count == 0 || !design->regulated) return false;
    if (config->pole_count == regulated(config)) return true;
    ib_wrong_value(design->reader, node, "expected %d pole%s, one for each state%s, got %d",
                   regulated(config), regulated(config) == 1 ? "" : "s",
                   config->integrals ? " and integral" : "", config->pole_count);
    return false;
}

// ------------------------------------------------------------------------------------------ blocks

// integral: [x]; false: the named states are unknown.
static bool read_integral(ib__DesignReader *design, const ib_Node *node)
{
    ib_Reader *reader = design->reader;
    ib_AnalysisConfig *config = &design->gear->config;
    ib_StateSpace *plant = &config->plant;
    int numbers[IB_STATES_MAX];
    design->blame[IB_ANALYSIS_INTEGRAL] = node;
    if (!design->plant) return false;
    int count = ib__read_known_names(reader, node, plant->states, plant->state, "state", numbers);
    if (count > IB_INTEGRALS_MAX || plant->states + count > IB_STATES_MAX) {
        int room = IB_STATES_MAX - plant->states;
        ib_wrong_value(reader, node, "expected at most %d integrals, got %d",
                       room < IB_INTEGRALS_MAX ? room : IB_INTEGRALS_MAX, count);
        return false;
    }
    config->integrals = count;
    for (int i = 0; i < count; i++) config->Z[i * plant->states + numbers[i]] = 1;
    return count > 0;
}

static void read_lqr(ib__DesignReader *design, const ib_Node *map)
{
    static const char *const keys[] = {"tolerance", "Q", "R", "cross", "states", "poles", NULL};
    ib_Reader *reader = design->reader;
    ib_AnalysisConfig *config = &design->gear->config;
    ib_StateSpace *plant = &config->plant;
    design->blame[IB_ANALYSIS_LQR] = map;
    if (!ib_check_map(reader, map, "a map with tolerance, with Q and R, or with poles")) return;
    ib_check_keys(reader, map, keys);
    const ib_Node *tolerance = ib_node_get(map, "tolerance"), *states = ib_node_get(map, "states");
    const ib_Node *poles = ib_node_get(map, "poles"), *cross = ib_node_get(map, "cross");
    const ib_Node *Q = ib_node_get(map, "Q"), *R = ib_node_get(map, "R");
    if (states && design->plant)
        config->over = ib__read_known_names(reader, states, plant->states, plant->state, "state",
                                            config->over_state);
    if (states && config->over == 0) design->regulated = false;
    bool weights = Q || R;
    if ((tolerance != NULL) + weights + (poles != NULL) > 1) {
        ib_wrong_key(reader, poles && (tolerance || weights) ? poles : tolerance,
                     "expected one of tolerance, Q with R, and poles, not several");
        return;
    }
    if (poles) {
        if (cross) ib_wrong_key(reader, cross, "poles have no weights");
        if (read_wanted(design, poles)) config->feedback = IB_ANALYSIS_BY_POLES;
        return;
    }
    bool good = tolerance ? read_tolerances(design, tolerance) : read_weights(design, map);
    if (cross) good &= read_cross(design, cross);
    if (good) config->feedback = IB_ANALYSIS_BY_WEIGHTS;
}

void ib__read_design_feedback(ib__DesignReader *design)
{
    const ib_Node *integral = ib_node_get(design->root, "integral");
    const ib_Node *lqr = ib_node_get(design->root, "lqr");
    const ib_Node *poles = ib_node_get(design->root, "poles");
    design->regulated = design->plant && (!integral || read_integral(design, integral));
    if (integral && !lqr && !poles)
        ib_wrong_key(design->reader, integral, "integrals need a feedback: expected lqr or poles");
    if (lqr && poles) {
        ib_wrong_key(design->reader, poles, "expected lqr or poles, not both");
        return;
    }
    if (lqr) read_lqr(design, lqr);
    design->gear->poles_alone = poles != NULL;
    if (poles && read_wanted(design, poles)) design->gear->config.feedback = IB_ANALYSIS_BY_POLES;
}
