#include "desk/trial/trial_text.h"

#include "base/extreme.h"
#include "desk/table_text.h"
#include "desk/trial/trial_table.h"

#include <math.h>
#include <string.h>

enum { LABEL = 34, CELL = 16, COLUMNS = 64, ROWS = 11 };

// One gear, after a change and, if any, before it.
typedef struct Pair {
    const ib_TrialPair *before; ///< NULL: no change
    const ib_TrialPair *after;
    const ib_DesignGear *gear; ///< after
    FILE *file;
} Pair;

// The separator between a number and its unit.
static const char *gap(const char *unit)
{
    return unit[0] ? " " : "";
}

// ------------------------------------------------------------------------------------------- table

// Prints one fact before, if known, and after. `own`: the unit of its state or input.
static void print_fact(const Pair *pair, const ib_Fact *fact, const void *before, const void *after,
                       const char *own)
{
    const ib_TextColumn column = {CELL, 4, .unsigned_zero = true};
    fprintf(pair->file, "  %-*s", LABEL, fact->title);
    if (pair->before) ib_fact_text(pair->file, fact, before, own, column);
    ib_fact_text(pair->file, fact, after, own, column);
    fputc('\n', pair->file);
}

static void print_heading(const Pair *pair, const char *text)
{
    if (pair->before)
        fprintf(pair->file, "%-*s %*s %*s\n", LABEL + 2, text, CELL, "before", CELL, "after");
    else
        fprintf(pair->file, "%s\n", text);
}

static void print_state(const Pair *pair, int state)
{
    const ib_DesignGear *gear = pair->gear;
    const char *unit = ib_unit_shown(gear->state_unit[state]);
    const char *of_push = ib_unit_shown(gear->input_unit[0]);
    ib_DesignWay before = {0}, after = ib_design_way(pair->after, state);
    char text[120], push[120];
    if (pair->before) before = ib_design_way(pair->before, state);
    snprintf(text, sizeof text, "%s from %.6g to %.6g%s%s", gear->design.plant.state[state],
             after.start, after.goal, gap(unit), unit);
    print_heading(pair, text);
    snprintf(push, sizeof push, "%.3g%s%.36s more in %.12s moves it by", pair->after->trial.push[0],
             gap(of_push), of_push, gear->design.plant.input[0]);
    for (const ib_Fact *fact = ib_fact_find(ib_way_facts, "rise"); fact->key; fact++) {
        ib_Fact shown = *fact;
        // The table has room for the size of the push, and for a word in place of the effect of a
        // known noise.
        if (strcmp(fact->key, "push") == 0) shown.title = push;
        if (strcmp(fact->key, "noise") == 0 && pair->after->noisy) shown.otherwise = "runs away";
        if (shown.title) print_fact(pair, &shown, &before, &after, unit);
    }
}

static void print_input(const Pair *pair, int input)
{
    const char *unit = ib_unit_shown(pair->gear->input_unit[input]);
    ib_TrialEffort before = {0}, after = ib_trial_pair_effort(pair->after, input);
    if (pair->before) before = ib_trial_pair_effort(pair->before, input);
    print_heading(pair, pair->gear->design.plant.input[input]);
    for (const ib_Fact *fact = ib_effort_facts; fact->key; fact++)
        if (fact->title) print_fact(pair, fact, &before, &after, unit);
}

static void print_notes(const ib_TrialUse *use, const char *lead, FILE *file)
{
    char text[300];
    for (int i = 0; ib_trial_use_note(use, i, text, sizeof text); i++)
        fprintf(file, "%snote: %s\n", lead, text);
}

static void print_use(const Pair *pair)
{
    const ib_TrialUse *after = &pair->after->use, *before = NULL;
    if (pair->before) before = &pair->before->use;
    if (!isnan(after->current)) print_heading(pair, "motors and battery");
    for (const ib_Fact *fact = ib_use_facts; fact->key; fact++) {
        bool known = before && ib_design_use_given(before, fact);
        if (ib_design_use_given(after, fact))
            print_fact(pair, fact, known ? before : NULL, after, "");
    }
    print_notes(after, "", pair->file);
}

// -------------------------------------------------------------------------------------------- plot

// The value of a row at a column of the plot; NAN after the end of the run.
static double value_at(const ib_TrialCurves *run, const double *row, double duration, int column)
{
    double t = duration * column / (COLUMNS - 1), period = run->t[1] - run->t[0];
    int at = (int)floor(t / period + 0.5);
    return at < run->count ? row[at] : NAN;
}

static void widen(double value, double *low, double *high)
{
    *low = ib_min(*low, value);
    *high = ib_max(*high, value);
}

// The nearest of the levels 0 (low) to `top` (high), in the middle if these are equal; -1 for NaN.
// Halves, since a span may be too large for a double.
static int level_of(double value, double low, double high, int top)
{
    double span = 0.5 * high - 0.5 * low;
    double share = span > 0 ? (0.5 * value - 0.5 * low) / span : 0.5;
    return isfinite(value) && share >= 0 && share <= 1 ? (int)floor(share * top + 0.5) : -1;
}

static void mark(char (*canvas)[COLUMNS + 1], int column, int level, char with)
{
    if (level >= 0) canvas[ROWS - 1 - level][column] = with;
}

// One state over time: '.' before, '*' after, '-' the goal.
static void plot_state(const Pair *pair, int state)
{
    const ib_TrialPair *after = pair->after, *before = pair->before;
    const char *unit = ib_unit_shown(pair->gear->state_unit[state]);
    double duration = after->trial.duration, goal = after->trial.goal[state];
    double old[COLUMNS], new[COLUMNS], low = goal, high = goal;
    char canvas[ROWS][COLUMNS + 1];
    for (int i = 0; i < COLUMNS; i++) {
        const ib_TrialCurves *run = &after->quiet;
        new[i] = value_at(run, run->x + state * run->count, duration, i);
        run = before ? &before->quiet : run;
        old[i] = value_at(run, run->x + state * run->count, duration, i);
        widen(new[i], &low, &high);
        widen(old[i], &low, &high);
    }
    for (int k = 0; k < ROWS; k++) {
        memset(canvas[k], ' ', COLUMNS);
        canvas[k][COLUMNS] = '\0';
    }
    for (int i = 0; i < COLUMNS; i++) {
        mark(canvas, i, level_of(goal, low, high, ROWS - 1), '-');
        if (before) mark(canvas, i, level_of(old[i], low, high, ROWS - 1), '.');
        mark(canvas, i, level_of(new[i], low, high, ROWS - 1), '*');
    }
    for (int k = 0; k < ROWS; k++) {
        bool end = k == 0 || k == ROWS - 1;
        char label[64] = "";
        if (end) snprintf(label, sizeof label, "%.4g%s%.36s", k ? low : high, gap(unit), unit);
        for (int i = COLUMNS; i > 0 && canvas[k][i - 1] == ' '; i--) canvas[k][i - 1] = '\0';
        fprintf(pair->file, "  %12s |%s\n", label, canvas[k]);
    }
    fprintf(pair->file, "  %12s 0 s%*.4g s   %s: * %s- goal\n", "", COLUMNS - 4, duration,
            pair->gear->design.plant.state[state], before ? "after, . before, " : "response, ");
}

// One input over time as a line of bars.
static void plot_input(const Pair *pair, const ib_TrialPair *trials, int input, const char *when)
{
    static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const ib_TrialCurves *run = &trials->quiet;
    ib_TrialEffort effort = ib_trial_pair_effort(trials, input);
    const char *unit = ib_unit_shown(pair->gear->input_unit[input]);
    char name[40];
    snprintf(name, sizeof name, "%.12s", pair->gear->design.plant.input[input]);
    fprintf(pair->file, "  %12s  ", name);
    for (int i = 0; i < COLUMNS; i++) {
        double u = value_at(run, run->u + input * run->count, trials->trial.duration, i);
        int level = level_of(u, effort.smallest, effort.largest, 7);
        fputs(level >= 0 ? bars[level] : " ", pair->file);
    }
    fprintf(pair->file, " %.4g to %.4g%s%s%s\n", effort.smallest, effort.largest, gap(unit), unit,
            when);
}

// ------------------------------------------------------------------------------------------- gears

static void print_pair(const Pair *pair)
{
    const ib_TrialCurves *run = &pair->after->quiet;
    for (int i = 0; i < run->states; i++)
        if (ib_trial_pair_moves(pair->after, i)) print_state(pair, i);
    for (int i = 0; i < run->inputs; i++) print_input(pair, i);
    print_use(pair);
    if (pair->before && pair->before->quiet.ended)
        fprintf(pair->file, "before: %s\n", pair->before->quiet.ended);
    if (run->ended) fprintf(pair->file, "%s\n", run->ended);
    for (int i = 0; i < run->states; i++) {
        if (!ib_trial_pair_moves(pair->after, i)) continue;
        fputc('\n', pair->file);
        plot_state(pair, i);
    }
    for (int i = 0; i < run->inputs; i++) {
        if (pair->before) plot_input(pair, pair->before, i, ", before");
        plot_input(pair, pair->after, i, pair->before ? ", after" : "");
    }
}

static ib_Status print_gear(const ib_DesignFile *before, const ib_DesignFile *after, int gear,
                            FILE *file, ib_Error *error)
{
    ib_Arena arena = {0};
    ib_TrialPair old, new;
    Pair pair = {.after = &new, .gear = &after->gears[gear], .file = file};
    ib_Status status = IB_OK;
    if (before && before->loop && gear < before->gear_count) {
        status = ib_trial_pair_run(before, gear, NULL, &arena, &old, error);
        pair.before = &old;
    }
    if (status == IB_OK) status = ib_trial_pair_run(after, gear, pair.before, &arena, &new, error);
    if (status == IB_OK) {
        fprintf(file, "%s%s\n", after->scheduled ? "\ngear " : "", after->gears[gear].design.name);
        print_pair(&pair);
    }
    ib_arena_reset(&arena);
    return status;
}

ib_Status ib_trial_text(const ib_DesignChanges *changes, const ib_DesignFile *before,
                        const ib_DesignFile *after, FILE *file, ib_Error *error)
{
    ib_Status status = IB_OK;
    const ib_DesignGear *gear = &after->gears[0];
    char plant[300];
    fprintf(file, "%s\n", after->yaml.title);
    for (int i = 0; i < changes->count; i++)
        fprintf(file, "  with %s = %s\n", changes->change[i].key, changes->change[i].value);
    ib_trial_bench_describe(after, 0, plant, sizeof plant);
    fprintf(file, "on %s; inputs within their limits", plant);
    if (gear->config.latency > 0) fprintf(file, " and %.4g ms late", 1e3 * gear->config.latency);
    fputc('\n', file);
    for (int i = 0; status == IB_OK && i < after->gear_count; i++)
        status = print_gear(before, after, i, file, error);
    return status;
}

// ---------------------------------------------------------------------------------------- in brief

static void print_way(const ib_TrialPair *trials, int state, FILE *file)
{
    const ib_DesignGear *gear = &trials->design->gears[trials->gear];
    const ib_Fact *settling = ib_fact_find(ib_way_facts, "settling");
    const ib_Fact *overshoot = ib_fact_find(ib_way_facts, "overshoot");
    const ib_Fact *error = ib_fact_find(ib_way_facts, "error");
    const char *unit = ib_unit_shown(gear->state_unit[state]);
    ib_DesignWay way = ib_design_way(trials, state);
    double settled = ib_fact_shown(settling, &way), over = ib_fact_shown(overshoot, &way);
    fprintf(file, "  %-*s %.6g to %.6g %s:", IB_TEXT_LABEL, gear->design.plant.state[state],
            way.start, way.goal, unit);
    if (isfinite(settled))
        fprintf(file, " %s %.4g %s", settling->title, settled, settling->unit);
    else
        fprintf(file, " not settled after %.4g s, %s %.3g%s%s", trials->trial.duration,
                error->title, ib_fact_shown(error, &way), gap(unit), unit);
    if (isfinite(over)) fprintf(file, ", %s %.3g %s", overshoot->title, over, overshoot->unit);
    fputc('\n', file);
}

static void print_run(const ib_TrialPair *trials, FILE *file)
{
    const ib_TrialUse *use = &trials->use;
    for (int i = 0; i < trials->quiet.states; i++)
        if (ib_trial_pair_moves(trials, i)) print_way(trials, i, file);
    // A share of the time is printed only above 0.
    for (const ib_Fact *fact = ib_use_facts; fact->key; fact++) {
        double shown = ib_fact_shown(fact, use);
        if (ib_design_use_given(use, fact) && (shown != 0 || fact->scale == 0))
            fprintf(file, "  %s: %.4g %s\n", fact->title, shown, fact->unit);
    }
    print_notes(use, "  ", file);
    if (trials->quiet.ended) fprintf(file, "  %s\n", trials->quiet.ended);
}

void ib_trial_text_brief(const ib_DesignFile *design, int gear, FILE *file)
{
    ib_Arena arena = {0};
    ib_TrialPair trials;
    ib_Error error;
    char plant[300];
    if (!design->trial.given || !design->loop) return;
    ib_trial_bench_describe(design, gear, plant, sizeof plant);
    fprintf(file, "\ntrial, on %s\n", plant);
    if (ib_trial_pair_quiet(design, gear, &arena, &trials, &error) == IB_OK)
        print_run(&trials, file);
    else
        fprintf(file, "  %s\n", error.text);
    ib_arena_reset(&arena);
}
