// desk/design/design_knobs.c: finds the knobs of a design file. desk/design/design_knobs_turn.c
// applies turned ones.
#include "desk/design/design_knobs.h"

#include "base/extreme.h"
#include "base/units.h"
#include "desk/design/design_inside.h"
#include "file/contents.h"
#include "file/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// State shared by the functions that list knobs.
typedef struct Listing {
    ib_DesignKnobs *knobs;
    const ib_Node *root; ///< of the file, the caller's overrides in it
    int gear;            ///< the listed one
    const char *prefix;  ///< of its places: "" or "schedule.low."
} Listing;

// ------------------------------------------------------------------------------------------- parts

// Twelve digits: 1 / sqrt(1 / 0.14^2) is 0.14 again.
static double clean(double value)
{
    char text[32];
    double read;
    snprintf(text, sizeof text, "%.12g", value);
    return ib_number_read(text, &read, NULL) == IB_OK ? read : value;
}

// Adds a copy of the knob, with the gear's path; knobs beyond the limit are left out.
static void add(Listing *listing, const ib_Knob *knob, const char *path)
{
    ib_DesignKnobs *knobs = listing->knobs;
    if (knobs->count == IB_KNOBS_MAX) return;
    ib_Knob *made = &knobs->knobs[knobs->count];
    *made = *knob;
    made->path =
        ib_arena_format(&knobs->arena, "%s%s", knob->gear < 0 ? "" : listing->prefix, path);
    made->low = clean(knob->low);
    made->high = clean(knob->high);
    if (!made->unit || strcmp(made->unit, "1") == 0) made->unit = "";
    if (made->path && made->name) knobs->count++;
}

// The node at this path of the gear's own part, or of the file; NULL: none.
static const ib_Node *find(const Listing *listing, const char *path)
{
    const ib_Node *entry = NULL;
    const char *name = listing->knobs->first->gears[listing->gear].config.name;
    if (listing->prefix[0]) entry = ib_node_get(ib_node_get(listing->root, "schedule"), name);
    const ib_Node *own = ib_node_find(entry, path);
    return own ? own : ib_node_find(listing->root, path);
}

static const ib_DesignGear *gear_of(const Listing *listing)
{
    return &listing->knobs->first->gears[listing->gear];
}

// The name and unit of weight number `i` of Q: a state, or an integral of one.
static const char *weighted_name(Listing *listing, int i, const char **unit)
{
    const ib_DesignGear *gear = gear_of(listing);
    const ib_AnalysisConfig *config = &gear->config;
    int n = config->plant.states, states = config->over ? config->over : n;
    *unit = NULL;
    if (i < states) {
        int state = config->over ? config->over_state[i] : i;
        *unit = gear->state_unit[state];
        return config->plant.state[state];
    }
    for (int k = 0; k < n; k++) {
        if (config->Z[(i - states) * n + k] == 0) continue;
        char made[IB__INTEGRAL_UNIT];
        const char *known = ib__integral_unit(gear->state_unit[k], made);
        if (known) *unit = ib_arena_text(&listing->knobs->arena, known);
        return ib_arena_format(&listing->knobs->arena, "integral_%s", config->plant.state[k]);
    }
    return NULL;
}

static int regulated(const ib_AnalysisConfig *config)
{
    return (config->over ? config->over : config->plant.states) + config->integrals;
}

// ---------------------------------------------------------------------------------------- feedback

static void add_tolerance(Listing *listing, const char *name, const char *unit, double weight)
{
    double value = weight > 0 ? clean(1 / sqrt(weight)) : 0;
    ib_Knob knob = {.group = "Tolerances",
                    .name = name,
                    .unit = unit,
                    .sentence = "an error that counts as one; the smaller, the harder it is held",
                    .form = IB_KNOB_LOG,
                    .gear = listing->gear,
                    .value = value,
                    .low = value / 100,
                    .high = value * 100};
    char *path = ib_arena_format(&listing->knobs->arena, "lqr.tolerance.%s", name ? name : "");
    if (weight > 0 && name && path) add(listing, &knob, path);
}

static void list_tolerances(Listing *listing)
{
    const ib_DesignGear *gear = gear_of(listing);
    const ib_AnalysisConfig *config = &gear->config;
    int n = regulated(config), m = config->plant.inputs;
    for (int i = 0; i < n; i++) {
        const char *unit, *name = weighted_name(listing, i, &unit);
        add_tolerance(listing, name, unit, config->Q[i * n + i]);
    }
    for (int i = 0; i < m; i++)
        add_tolerance(listing, config->plant.input[i], gear->input_unit[i], config->R[i * m + i]);
}

// Diagonal elements of Q or R.
static void list_weights(Listing *listing, const char *path, int n, const double *matrix)
{
    const ib_AnalysisConfig *config = &gear_of(listing)->config;
    for (int i = 0; i < n; i++) {
        double value = matrix[i * n + i];
        const char *unit,
            *name = path[4] == 'Q' ? weighted_name(listing, i, &unit) : config->plant.input[i];
        ib_Knob knob = {.group = path[4] == 'Q' ? "Weights Q" : "Weights R",
                        .name = name,
                        .sentence = "weight: cost of its square",
                        .form = IB_KNOB_LOG,
                        .role = IB_KNOB_WEIGHT,
                        .gear = listing->gear,
                        .index = i,
                        .value = value,
                        .low = value / 1e4,
                        .high = value * 1e4,
                        .rows = n,
                        .columns = n,
                        .matrix = matrix};
        if (value > 0) add(listing, &knob, path);
    }
}

// Two knobs for each pole.
static void list_poles(Listing *listing, const char *path)
{
    const ib_AnalysisConfig *config = &gear_of(listing)->config;
    for (int i = 0; i < config->pole_count; i++) {
        char *name = ib_arena_format(&listing->knobs->arena, "pole %d", i + 1);
        ib_Knob knob = {.group = "Poles",
                        .name = name,
                        .sentence = "pole: share of a motion left after one period",
                        .form = IB_KNOB_RE,
                        .role = IB_KNOB_POLE,
                        .gear = listing->gear,
                        .index = i,
                        .value = config->pole[i].re,
                        .low = -1,
                        .high = 1};
        add(listing, &knob, path);
        knob.form = IB_KNOB_IM;
        knob.value = config->pole[i].im;
        add(listing, &knob, path);
    }
}

static void list_feedback(Listing *listing)
{
    const ib_AnalysisConfig *config = &gear_of(listing)->config;
    if (config->feedback == IB_ANALYSIS_BY_POLES)
        list_poles(listing, find(listing, "lqr.poles") ? "lqr.poles" : "poles");
    else if (config->feedback == IB_ANALYSIS_BY_WEIGHTS && find(listing, "lqr.tolerance"))
        list_tolerances(listing);
    else if (config->feedback == IB_ANALYSIS_BY_WEIGHTS) {
        list_weights(listing, "lqr.Q", regulated(config), config->Q);
        list_weights(listing, "lqr.R", config->plant.inputs, config->R);
    }
}

// ---------------------------------------------------------------------------------- time and noise

static void list_latency(Listing *listing)
{
    const ib_AnalysisConfig *config = &gear_of(listing)->config;
    ib_Knob knob = {.group = "Timing",
                    .name = "latency",
                    .unit = "s",
                    .sentence = "time from measurement to effect; the gains are made for it",
                    .form = IB_KNOB_LINEAR,
                    .gear = listing->gear,
                    .value = config->latency,
                    .high = ib_max(10 * config->period, 2 * config->latency)};
    if (config->feedback != IB_ANALYSIS_NO_FEEDBACK) add(listing, &knob, "latency");
}

// The period of a sampled plant is fixed.
static void list_period(Listing *listing)
{
    const ib_AnalysisConfig *config = &gear_of(listing)->config;
    ib_Knob knob = {.group = "Timing",
                    .name = "period",
                    .unit = "s",
                    .sentence = "time between two samples",
                    .form = IB_KNOB_LOG,
                    .gear = -1,
                    .value = config->period,
                    .low = config->period / 10,
                    .high = config->period * 10};
    if (config->plant.period == 0) add(listing, &knob, "period");
}

static void list_filter(Listing *listing)
{
    const ib_AnalysisConfig *config = &gear_of(listing)->config;
    int n = config->plant.states, m = config->plant.inputs, p = config->plant.outputs;
    ib_Knob knob = {.group = "Filter",
                    .form = IB_KNOB_LOG,
                    .role = IB_KNOB_SCALE,
                    .gear = listing->gear,
                    .value = 1,
                    .low = 1e-4,
                    .high = 1e4};
    knob.name = "process ×";
    knob.sentence = "noise of the model, times the file's: the larger, the less it is trusted";
    knob.rows = knob.columns = n;
    knob.matrix = config->process;
    if (config->kalman) add(listing, &knob, "kalman.process");
    knob.name = "measured ×";
    knob.sentence = "noise of the sensors, times the file's: the larger, the less they are trusted";
    knob.rows = knob.columns = p;
    knob.matrix = config->measurement;
    if (config->kalman) add(listing, &knob, "kalman.measurement");
    knob.name = "input error ×";
    knob.sentence =
        "input error, times the file's: the larger, the faster a push is taken away again";
    knob.rows = 1;
    knob.columns = m;
    knob.matrix = config->input_error_density;
    if (config->input_error) add(listing, &knob, "input_error.density");
}

// ------------------------------------------------------------------------------------------- trial

// The scale of a state: its tolerance, 0 if it has none.
static double tolerance_of(const ib_AnalysisConfig *config, int state)
{
    int n = regulated(config), states = config->over ? config->over : config->plant.states;
    for (int i = 0; config->feedback == IB_ANALYSIS_BY_WEIGHTS && i < states; i++) {
        double weight = config->Q[i * n + i];
        if ((config->over ? config->over_state[i] : i) == state && weight > 0)
            return clean(1 / sqrt(weight));
    }
    return 0;
}

static bool is_regulated(const ib_AnalysisConfig *config, int state)
{
    bool found = config->over == 0;
    for (int i = 0; i < config->over; i++) found |= config->over_state[i] == state;
    return found;
}

// The default state without `try:`, which moves by one tolerance: the first one with a weight (by
// poles: the first one).
static int chosen_state(const ib_AnalysisConfig *config)
{
    for (int i = 0; i < config->plant.states; i++)
        if (tolerance_of(config, i) > 0) return i;
    return config->over ? config->over_state[0] : 0;
}

static void list_goals(Listing *listing)
{
    const ib_DesignGear *gear = gear_of(listing);
    const ib_AnalysisConfig *config = &gear->config;
    const ib_TrialConfig *trial = &listing->knobs->first->trial;
    for (int i = 0; i < config->plant.states; i++) {
        double start = trial->start[i], goal = trial->goal[i], far = tolerance_of(config, i);
        bool chosen = !trial->given && i == chosen_state(config);
        if (chosen) goal = clean(start + (far > 0 ? far : 1));
        double span = ib_max(2 * fabs(goal - start), far > 0 ? 4 * far : 1);
        ib_Knob knob = {.group = "Goal",
                        .name = config->plant.state[i],
                        .unit = gear->state_unit[i],
                        .sentence = "goal of this state, from the start on",
                        .form = IB_KNOB_LINEAR,
                        .gear = -1,
                        .always = chosen,
                        .value = goal,
                        .low = start - span,
                        .high = start + span};
        char *path = ib_arena_format(&listing->knobs->arena, "try.goal.%s", knob.name);
        if (path && (is_regulated(config, i) || goal != start)) add(listing, &knob, path);
    }
}

// The default duration without `try:`: one and a half times the settling time of the slowest pole,
// in two digits.
static double chosen_duration(const ib_DesignGear *gear)
{
    double slowest = 0, read;
    char text[32];
    for (int i = 0; i < gear->design.pole_count; i++) {
        double settling = ib_pole_shape(gear->design.poles[i], gear->config.period).settling;
        if (isfinite(settling)) slowest = ib_max(slowest, settling);
    }
    double duration = ib_min(ib_max(1.5 * slowest, 40 * gear->config.period), 1000);
    snprintf(text, sizeof text, "%.1e", duration);
    return ib_number_read(text, &read, NULL) == IB_OK ? read : duration;
}

static void list_trial(Listing *listing)
{
    const ib_DesignGear *gear = gear_of(listing);
    const ib_TrialConfig *trial = &listing->knobs->first->trial;
    double duration = trial->given ? trial->duration : chosen_duration(gear);
    ib_Knob knob = {.group = "Goal",
                    .name = "duration",
                    .unit = "s",
                    .sentence = "simulated time of the trial",
                    .form = IB_KNOB_LOG,
                    .gear = -1,
                    .always = !trial->given,
                    .value = duration,
                    .low = duration / 10,
                    .high = ib_min(duration * 10, 1000)};
    list_goals(listing);
    add(listing, &knob, "try.duration");
}

static void list_disturbances(Listing *listing)
{
    const ib_DesignGear *gear = gear_of(listing);
    const ib_AnalysisConfig *config = &gear->config;
    int m = config->plant.inputs;
    for (int i = 0; i < m; i++) {
        double range = config->high[i] - config->low[i], cost = config->R[i * m + i];
        double span = isfinite(range) ? range / 4 : cost > 0 ? clean(1 / sqrt(cost)) : 1;
        char *name = ib_arena_format(&listing->knobs->arena, "push %s", config->plant.input[i]);
        ib_Knob knob = {.group = "Disturbance",
                        .name = name,
                        .unit = gear->input_unit[i],
                        .sentence =
                            "push that is added behind the limits, from half of the time on",
                        .form = IB_KNOB_LINEAR,
                        .role = IB_KNOB_PUSH,
                        .gear = -1,
                        .index = i,
                        .low = -span,
                        .high = span};
        char *path = ib_arena_format(&listing->knobs->arena, "push.%s", config->plant.input[i]);
        if (path) add(listing, &knob, path);
    }
    ib_Knob noise = {.group = "Disturbance",
                     .name = "noise ×",
                     .sentence = "noise of the measurements, as a factor on the filter's",
                     .form = IB_KNOB_LINEAR,
                     .role = IB_KNOB_NOISE,
                     .gear = -1,
                     .high = 10};
    if (config->kalman) add(listing, &noise, "noise");
}

// --------------------------------------------------------------------------------------- the entry

// Each gear has knobs of its own; those of the whole design are with the first gear.
static void list_all(ib_DesignKnobs *knobs, const ib_Node *root)
{
    for (int i = 0; i < knobs->first->gear_count; i++) {
        Listing listing = {.knobs = knobs, .root = root, .gear = i, .prefix = ""};
        const char *name = knobs->first->gears[i].config.name;
        if (knobs->first->scheduled)
            listing.prefix = ib_arena_format(&knobs->arena, "schedule.%s.", name);
        if (!listing.prefix) return;
        list_feedback(&listing);
        list_latency(&listing);
        if (i == 0) list_period(&listing);
        list_filter(&listing);
        if (i == 0 && knobs->first->loop) {
            list_trial(&listing);
            list_disturbances(&listing);
        }
    }
}

// Reads the text once as a tree, for the form of its entries, and once as a design.
static bool fill(ib_DesignKnobs *knobs, ib_Diagnostics *diagnostics)
{
    ib_Error error = {0};
    ib_Place top = {knobs->file, 1, 1};
    knobs->text = ib_contents_load(knobs->file, &knobs->arena, &knobs->length, &error);
    knobs->knobs = ib_arena_array(&knobs->arena, IB_KNOBS_MAX, sizeof *knobs->knobs);
    if (!knobs->text || !knobs->knobs) {
        ib_diagnostics_add(diagnostics, top, "%s", error.text[0] ? error.text : "out of memory");
        return false;
    }
    knobs->first = ib_design_file_read_text(knobs->file, knobs->text, knobs->length,
                                            &knobs->options, diagnostics);
    if (!knobs->first) return false;
    ib_Node *root =
        ib_yaml_read(knobs->file, knobs->text, knobs->length, &knobs->arena, diagnostics);
    ib_Reader reader = {.file = knobs->file, .arena = &knobs->arena, .diagnostics = diagnostics};
    if (root)
        ib_apply_overrides(&reader, root, knobs->options.overrides, knobs->options.override_count);
    if (root) list_all(knobs, root);
    return root != NULL;
}

ib_DesignKnobs *ib_design_knobs_create(const char *file, const ib_ScenarioOptions *options,
                                       ib_Diagnostics *diagnostics)
{
    ib_DesignKnobs *knobs = calloc(1, sizeof *knobs);
    if (knobs) {
        knobs->file = ib_arena_text(&knobs->arena, file);
        if (options) knobs->options = *options;
    }
    if (!knobs || !knobs->file)
        ib_diagnostics_add(diagnostics, (ib_Place){file, 1, 1}, "out of memory");
    else if (fill(knobs, diagnostics))
        return knobs;
    ib_design_knobs_destroy(knobs);
    return NULL;
}

void ib_design_knobs_destroy(ib_DesignKnobs *knobs)
{
    if (!knobs) return;
    ib_design_file_destroy(knobs->first);
    ib_arena_reset(&knobs->arena);
    free(knobs);
}

bool ib_design_file_is(const char *file)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    size_t length = 0;
    const char *text = ib_contents_load(file, &arena, &length, NULL);
    const ib_Node *root = text ? ib_yaml_read(file, text, length, &arena, &diagnostics) : NULL;
    bool found = ib_node_get(root, "plant") != NULL;
    ib_arena_reset(&arena);
    return found;
}
