// desk/design/design_check.c: `check:`, `export:` and `try:`, which concern the whole design.
#include "base/extreme.h"
#include "base/quote.h"
#include "base/units.h"
#include "desk/design/design_inside.h"
#include "desk/trial/trial_pair.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const ib_design_limit_names[IB_DESIGN_LIMITS] = {
    "stable",         "controllable",    "observable",        "damping",  "settling",
    "gain_margin",    "phase_margin",    "delay_margin",      "residual", "second_opinion",
    "trial.settling", "trial.overshoot", "trial.peak_current"};
const char *const ib_design_limit_units[IB_DESIGN_LIMITS] = {"1", "1", "1", "1", "s", "1", "rad",
                                                             "s", "1", "1", "s", "1", "A"};

static bool at_most(ib_DesignLimit what)
{
    return what == IB_DESIGN_SETTLING || what >= IB_DESIGN_RESIDUAL;
}

// ----------------------------------------------------------------------------------------- reading

static bool read_limit(ib_Reader *reader, const ib_Node *node, ib_DesignLimit what, double *limit)
{
    if (what <= IB_DESIGN_OBSERVABLE) {
        *limit = ib__read_flag(reader, node);
        return true;
    }
    if (!ib_read_number(reader, node, ib_design_limit_units[what], false, limit)) return false;
    if (*limit >= 0) return true;
    ib_wrong_value(reader, node, "expected at least 0, got '%s'", ib_quote(node->text).text);
    return false;
}

void ib__read_design_checks(ib_Reader *reader, const ib_Node *node, ib_DesignFile *file)
{
    const char *words[IB_DESIGN_LIMITS + 1] = {0}, *inner[IB_DESIGN_LIMITS + 1] = {0};
    int count = 0, within = 0;
    if (!node || !ib_check_map(reader, node, "a map such as {stable: true, damping: 0.5}")) return;
    for (int i = 0; i < IB_DESIGN_LIMITS; i++) {
        const char *name = ib_design_limit_names[i], *dot = strchr(name, '.');
        *(dot ? &inner[within++] : &words[count++]) = dot ? dot + 1 : name;
    }
    words[count] = "trial";
    ib_check_keys(reader, node, words);
    const ib_Node *trial = ib_node_get(node, "trial");
    if (trial && ib_check_map(reader, trial, "a map such as {settling: 0.5 s}"))
        ib_check_keys(reader, trial, inner);
    for (int i = 0; i < IB_DESIGN_LIMITS; i++) {
        const ib_Node *child = ib_node_find(node, ib_design_limit_names[i]);
        ib_DesignCheck *check = &file->checks[file->check_count];
        *check = (ib_DesignCheck){.what = (ib_DesignLimit)i, .found = NAN, .gear = ""};
        if (!child) continue;
        check->place = child->key_place;
        if (read_limit(reader, child, check->what, &check->limit)) file->check_count++;
    }
}

void ib__read_design_export(ib_Reader *reader, const ib_Node *node, ib_DesignFile *file)
{
    static const char *const keys[] = {"name", "type", NULL};
    if (!node || !ib_check_map(reader, node, "a map such as {name: drive, type: float}")) return;
    ib_check_keys(reader, node, keys);
    const ib_Node *name = ib_node_get(node, "name"), *type = ib_node_get(node, "type");
    const char *text = name ? ib_read_text(reader, name, "a name in C") : NULL;
    if (text && ib__is_identifier(text)) file->name = ib_arena_text(reader->arena, text);
    if (text && !ib__is_identifier(text))
        ib_wrong_value(reader, name,
                       "'%s' is no name in C: expected a letter, then letters, digits and '_', at "
                       "most %d in all",
                       ib_quote(text).text, IB_STATE_NAME);
    const char *word = type ? ib_read_text(reader, type, "float or double") : "double";
    if (!word) return;
    file->single = strcmp(word, "float") == 0;
    if (!file->single && strcmp(word, "double") != 0)
        ib_wrong_value(reader, type, "expected float or double, got '%s'", ib_quote(word).text);
}

// {x: 1 m}: some of the states.
static void read_states(ib_Reader *reader, const ib_Node *map, const ib_DesignGear *gear, double *x)
{
    const char *words[IB_STATES_MAX + 1] = {0};
    const ib_StateSpace *plant = &gear->config.plant;
    if (!map || !ib_check_map(reader, map, "a map of states, such as {x: 1}")) return;
    ib__use_names(reader, map, gear);
    if (plant->states == 0) return; // the plant itself was refused
    for (int i = 0; i < plant->states; i++) words[i] = plant->state[i];
    ib_check_keys(reader, map, words);
    for (int i = 0; i < plant->states; i++) {
        const ib_Node *node = ib_node_get(map, words[i]);
        if (node) ib__read_in_unit(reader, node, gear->state_unit[i], &x[i]);
    }
}

// The supply of a mechanism in a trial of its own: the same keys as on a robot.
static void read_supply(ib_Reader *reader, const ib_Node *node, ib_DesignFile *file)
{
    static const ib_Param params[] = {IB_POWER_ROWS(ib_BenchConfig, equipment.power)};
    static const ib_Schema schema = IB_SCHEMA(params);
    static const char *const others[] = {"goal", "start", "duration", "robot", NULL};
    const ib_DesignGear *gear = &file->gears[0];
    bool alone = gear->spec.kind && !gear->home;
    ib_BenchConfig *bench = ib_arena_alloc(reader->arena, sizeof *bench);
    ib_Error error;
    if (!bench) {
        ib_wrong_key(reader, node, "out of memory");
        return;
    }
    if (node && !alone) ib_check_keys(reader, node, others);
    const ib_Node *robot = node ? ib_node_get(node, "robot") : NULL;
    if (robot && gear->mechanical)
        ib_wrong_key(reader, robot,
                     "a mechanism is tried on its own robot or bench: only the loop "
                     "of a robot that was linearised is tried on a robot");
    else if (robot)
        file->trial.home = ib__read_design_home(reader, robot);
    ib_read_schema(reader, alone ? node : NULL, &schema, others, bench);
    const ib_MechanismConfig *mechanism = (const void *)&gear->spec.config;
    ib_BatteryConfig *battery = &bench->equipment.power.battery;
    if (alone && !(node && ib_node_get(node, "battery")))
        battery->open_circuit = ib_max(battery->open_circuit, mechanism->gear.voltage);
    if (ib_power_check(&bench->equipment.power, &error) != IB_OK)
        ib_wrong_key(reader, node, "%s", error.text);
    file->trial.bench = bench;
}

void ib__read_trial(ib_Reader *reader, const ib_Node *node, ib_DesignFile *file)
{
    const double longest = 1000;
    ib_TrialConfig *trial = &file->trial;
    const ib_DesignGear *gear = &file->gears[0];
    trial->duration = 1;
    memcpy(trial->start, gear->config.x0, sizeof trial->start);
    memcpy(trial->goal, gear->config.x0, sizeof trial->goal);
    if (node && !ib_check_map(reader, node, "a map with goal, start and duration")) return;
    read_supply(reader, node, file);
    if (!node) return;
    read_states(reader, ib_node_get(node, "start"), gear, trial->start);
    read_states(reader, ib_node_get(node, "goal"), gear, trial->goal);
    const ib_Node *duration = ib_node_get(node, "duration");
    double value = trial->duration;
    if (duration && !ib_read_number(reader, duration, "s", false, &value)) return;
    if (value > 0 && value <= longest)
        trial->duration = value;
    else
        ib_wrong_value(reader, duration, "expected more than 0 s and at most %g s, got '%s'",
                       longest, ib_quote(duration->text).text);
    trial->given = true;
}

// ----------------------------------------------------------------------------------------- judging

enum { OF_TRIAL = IB_DESIGN_LIMITS - IB_DESIGN_TRIAL_SETTLING };

// The worst value of the trial in one gear, run once for all checks. NAN: it could not be run, no
// state moves, or it has no motors.
static void find_in_trial(const ib_DesignFile *file, int gear, double worst[OF_TRIAL])
{
    ib_Arena arena = {0};
    ib_TrialPair trials;
    ib_Error error;
    bool asked = false;
    for (int i = 0; i < OF_TRIAL; i++) worst[i] = NAN;
    for (int i = 0; i < file->check_count; i++)
        asked |= file->checks[i].what >= IB_DESIGN_TRIAL_SETTLING;
    if (!asked || ib_trial_pair_quiet(file, gear, &arena, &trials, &error) != IB_OK) {
        ib_arena_reset(&arena);
        return;
    }
    worst[IB_DESIGN_TRIAL_CURRENT - IB_DESIGN_TRIAL_SETTLING] = trials.use.current;
    for (int i = 0; i < trials.quiet.states; i++) {
        if (!ib_trial_pair_moves(&trials, i)) continue;
        ib_Response response = ib_trial_pair_response(&trials, i);
        worst[0] = ib_max(worst[0], response.settling);
        worst[1] = ib_max(worst[1], response.overshoot);
    }
    ib_arena_reset(&arena);
}

// The worst value of all poles or inputs of one gear; NAN: none.
static double find(const ib_DesignGear *gear, ib_DesignLimit what)
{
    const ib_Design *design = &gear->design;
    double worst = NAN, period = gear->config.period;
    const ib_Complex *poles;
    int count = ib_design_poles(design, &poles);
    for (int i = 0; i < count; i++) {
        ib_PoleShape shape = ib_pole_shape(poles[i], period);
        if (what == IB_DESIGN_DAMPING) worst = ib_min(worst, shape.damping);
        if (what == IB_DESIGN_SETTLING) worst = ib_max(worst, shape.settling);
    }
    for (int i = 0; design->margined && i < design->plant.inputs; i++) {
        const ib_Margin *margin = &design->margins.input[i];
        if (what == IB_DESIGN_GAIN_MARGIN)
            worst = ib_min(worst, ib_min(margin->gain_up, 1 / margin->gain_down));
        if (what == IB_DESIGN_PHASE_MARGIN) worst = ib_min(worst, margin->phase);
        if (what == IB_DESIGN_DELAY_MARGIN)
            worst = ib_min(worst, ib_min(margin->delay, design->margins.delay));
    }
    if (what == IB_DESIGN_STABLE) worst = design->stable;
    if (what == IB_DESIGN_CONTROLLABLE) worst = design->controllability.input.full;
    if (what == IB_DESIGN_OBSERVABLE) worst = design->controllability.output.full;
    if (what == IB_DESIGN_RESIDUAL && design->weighted) worst = design->riccati.residual;
    if (what == IB_DESIGN_OPINION &&
        ib_analysis_second_opinion(&gear->config, design, &worst, NULL) != IB_OK)
        worst = NAN;
    return worst;
}

// The reason for a missing value.
static const char *find_reason(const ib_Design *design, ib_DesignLimit what)
{
    bool margin = what >= IB_DESIGN_GAIN_MARGIN && what <= IB_DESIGN_DELAY_MARGIN;
    if (what == IB_DESIGN_TRIAL_CURRENT && design->feedback)
        return "the plant has no motors on a battery";
    if (what > IB_DESIGN_OPINION && design->feedback)
        return "no state of the trial has a way to go and comes there";
    if (what >= IB_DESIGN_RESIDUAL && what <= IB_DESIGN_OPINION)
        return "there is no Riccati equation to judge";
    return margin && design->feedback ? design->unmargined.text : "there is no feedback to judge";
}

double ib_design_check_margin(const ib_DesignCheck *check)
{
    if (check->what <= IB_DESIGN_OBSERVABLE) return check->passed ? 0 : -1;
    return at_most(check->what) ? check->limit - check->found : check->found - check->limit;
}

static bool holds(const ib_DesignCheck *check, double found)
{
    if (check->what <= IB_DESIGN_OBSERVABLE) return found == check->limit;
    return at_most(check->what) ? found <= check->limit : found >= check->limit;
}

void ib__judge_design(ib_DesignFile *file)
{
    double tried[IB_GEARS_MAX][OF_TRIAL];
    for (int k = 0; k < file->gear_count; k++) find_in_trial(file, k, tried[k]);
    for (int i = 0; i < file->check_count; i++) {
        ib_DesignCheck *check = &file->checks[i];
        check->passed = true;
        for (int k = 0; k < file->gear_count; k++) {
            const ib_DesignGear *gear = &file->gears[k];
            bool trial = check->what >= IB_DESIGN_TRIAL_SETTLING;
            double found =
                trial ? tried[k][check->what - IB_DESIGN_TRIAL_SETTLING] : find(gear, check->what);
            bool fine = holds(check, found);
            bool worse = isnan(found) ||
                         (at_most(check->what) ? found > check->found : found < check->found);
            if (k == 0 || (check->passed && !fine) || (check->passed == fine && worse)) {
                check->found = found;
                check->gear = gear->design.name;
                check->why = isnan(found) ? find_reason(&gear->design, check->what) : NULL;
            }
            check->passed &= fine;
        }
    }
}

// ------------------------------------------------------------------------------------------- words

void ib_design_check_describe(const ib_DesignCheck *check, char *text, size_t size)
{
    const char *unit = ib_design_limit_units[check->what];
    double scale = 1;
    if (strcmp(unit, "1") == 0) unit = "";
    if (strcmp(unit, "rad") == 0) { // as people say it
        unit = "deg";
        scale = 57.29577951308232;
    }
    if (check->what == IB_DESIGN_TRIAL_OVERSHOOT) {
        unit = "%";
        scale = 100;
    }
    char gear[IB_STATE_NAME + 8] = "";
    if (check->gear[0]) snprintf(gear, sizeof gear, " in %s", check->gear);
    if (isnan(check->found))
        snprintf(text, size, "not known%s: %s", gear, check->why ? check->why : "");
    else if (isinf(check->found))
        snprintf(text, size, "never%s, expected at most %.6g %s", gear, scale * check->limit, unit);
    else if (check->what <= IB_DESIGN_OBSERVABLE)
        snprintf(text, size, "%s%s, expected %s", check->found != 0 ? "yes" : "no", gear,
                 check->limit != 0 ? "yes" : "no");
    else
        snprintf(text, size, "%.6g%s%s%s, expected at %s %.6g%s%s", scale * check->found,
                 unit[0] ? " " : "", unit, gear, at_most(check->what) ? "most" : "least",
                 scale * check->limit, unit[0] ? " " : "", unit);
}
