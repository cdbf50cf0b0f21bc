// desk/design/design_noise.c: `kalman:`, `input_error:`, `feedforward:`, `latency:`, `limits:`.
#include "base/quote.h"
#include "desk/design/design_inside.h"

#include <math.h>
#include <string.h>

static bool read_noise(ib__DesignReader *design, const ib_Node *map, const char *key, int n,
                       const char *because, double *a)
{
    double read[IB_STATES_MAX * IB_STATES_MAX];
    const ib_Node *node = ib_node_get(map, key);
    if (!node) {
        ib_wrong_gap(design->reader, map,
                     "'%s' is missing: expected a symmetric matrix such as [[0.0025, 0], [0, 1]], "
                     "or its diagonal",
                     key);
        return false;
    }
    if (!ib__read_symmetric(design->reader, node, n, because, read)) return false;
    if (n > 0) memcpy(a, read, sizeof(double) * (size_t)(n * n));
    return true;
}

static void read_kalman(ib__DesignReader *design, const ib_Node *map)
{
    static const char *const keys[] = {"process", "measurement", NULL};
    ib_AnalysisConfig *config = &design->gear->config;
    design->blame[IB_ANALYSIS_KALMAN] = map;
    if (!ib_check_map(design->reader, map, "a map with process and measurement")) return;
    ib_check_keys(design->reader, map, keys);
    int n = design->plant ? config->plant.states : -1;
    int p = design->plant ? config->plant.outputs : -1;
    bool process = read_noise(design, map, "process", n, "one for each state", config->process);
    bool measurement =
        read_noise(design, map, "measurement", p, "one for each output", config->measurement);
    config->kalman = process && measurement && design->plant;
}

static void read_input_error(ib__DesignReader *design, const ib_Node *map)
{
    static const char *const keys[] = {"density", NULL};
    ib_Reader *reader = design->reader;
    ib_AnalysisConfig *config = &design->gear->config;
    design->blame[IB_ANALYSIS_INPUT_ERROR] = map;
    if (!ib_check_map(reader, map, "a map such as {density: [1]}")) return;
    ib_check_keys(reader, map, keys);
    const ib_Node *density = ib_node_get(map, "density");
    int m = design->plant ? config->plant.inputs : -1;
    if (!density) {
        ib_wrong_gap(reader, map, "'density' is missing: expected a number for each input, [1]");
        return;
    }
    int count = ib__read_vector(reader, density, m, IB_INPUTS_MAX, "one for each input",
                                config->input_error_density);
    for (int i = 0; i < count; i++)
        if (!(config->input_error_density[i] > 0)) {
            ib_wrong_value(reader, ib_node_at(density, i), "expected more than 0, got '%s'",
                           ib_quote(ib_node_at(density, i)->text).text);
            count = 0;
        }
    config->input_error = count > 0 && design->plant;
    if (!ib_node_get(design->root, "kalman"))
        ib_wrong_key(reader, map, "an input error is estimated by a filter: expected kalman too");
    if (ib_node_get(design->root, "integral"))
        ib_wrong_key(reader, map,
                     "integral and input_error both take away a constant disturbance: expected "
                     "one of them");
}

void ib__read_design_noise(ib__DesignReader *design)
{
    const ib_Node *kalman = ib_node_get(design->root, "kalman");
    const ib_Node *input_error = ib_node_get(design->root, "input_error");
    if (kalman) read_kalman(design, kalman);
    if (input_error) read_input_error(design, input_error);
}

// ---------------------------------------------------------------------------------------- the rest

// {volts: [-12 V, 12 V]}
static void read_limits(ib__DesignReader *design, const ib_Node *map)
{
    ib_Reader *reader = design->reader;
    ib_AnalysisConfig *config = &design->gear->config;
    const char *words[IB_INPUTS_MAX + 1] = {0};
    design->blame[IB_ANALYSIS_LIMITS] = map;
    if (!ib_check_map(reader, map, "a map such as {volts: [-12, 12]}") || !design->plant) return;
    for (int i = 0; i < config->plant.inputs; i++) words[i] = config->plant.input[i];
    ib_check_keys(reader, map, words);
    for (int i = 0; i < config->plant.inputs; i++) {
        const ib_Node *pair = ib_node_get(map, words[i]);
        const char *unit = design->gear->input_unit[i];
        double low, high;
        if (!pair || !ib_check_list(reader, pair, "two values, such as [-12, 12]")) continue;
        if (pair->count != 2) {
            ib_wrong_value(reader, pair, "expected two values, [lowest, highest], got %d",
                           pair->count);
            continue;
        }
        bool first = ib__read_in_unit(reader, pair->first, unit, &low);
        bool second = ib__read_in_unit(reader, pair->last, unit, &high);
        if (first && second && !(low < high))
            ib_wrong_value(reader, pair->last, "expected more than the lowest, '%s', got '%s'",
                           ib_quote(pair->first->text).text, ib_quote(pair->last->text).text);
        else if (first && second)
            config->low[i] = low, config->high[i] = high;
    }
}

// Warns of inputs of unknown size: an integral must distinguish a limit from a rounding
// error (control/feedback/saturation.h).
static void warn_of_unknown_sizes(ib__DesignReader *design)
{
    const ib_AnalysisConfig *config = &design->gear->config;
    for (int i = 0; config->integrals > 0 && i < config->plant.inputs; i++) {
        if (isfinite(config->high[i] - config->low[i]) || config->largest[i] > 0) continue;
        const char *name = config->plant.input[i];
        ib_warn_key(
            design->reader, ib_node_get(design->root, "integral"),
            "the range of '%s' is unknown, so that only a fortieth of the plant's actual input "
            "counts as a rounding: near 0 an actuator with steps stops the integral. "
            "Expected limits: {%s: [lowest, highest]}",
            name, name);
    }
}

void ib__read_design_rest(ib__DesignReader *design)
{
    ib_Reader *reader = design->reader;
    ib_AnalysisConfig *config = &design->gear->config;
    const ib_Node *feedforward = ib_node_get(design->root, "feedforward");
    const ib_Node *latency = ib_node_get(design->root, "latency");
    const ib_Node *limits = ib_node_get(design->root, "limits");
    bool feedback = ib_node_get(design->root, "lqr") || ib_node_get(design->root, "poles");
    design->blame[IB_ANALYSIS_FEEDFORWARD] = feedforward;
    design->blame[IB_ANALYSIS_LATENCY] = latency;
    if (feedforward) config->feedforward = ib__read_flag(reader, feedforward);
    if (config->feedforward && !feedback)
        ib_wrong_key(reader, feedforward,
                     "feed-forward stands beside a feedback: expected lqr or "
                     "poles too");
    if (latency && ib_read_number(reader, latency, "s", false, &config->latency)) {
        double most = 100 * config->period;
        if (!(config->latency >= 0 && config->latency <= most)) {
            ib_wrong_value(reader, latency, "expected 0 s to %.9g s (100 periods), got '%s'", most,
                           ib_quote(latency->text).text);
            config->latency = 0;
        }
    }
    if (latency && !feedback)
        ib_wrong_key(reader, latency, "a latency changes a feedback: expected lqr or poles too");
    if (limits) read_limits(design, limits);
    warn_of_unknown_sizes(design);
}
