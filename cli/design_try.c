#include "design_try.h"

#include "desk/trial_run.h"

#include <math.h>
#include <string.h>

enum { LABEL = 34, CELL = 16, COLUMNS = 64, ROWS = 11 };

// One gear, after a change and (where there is one) before it.
typedef struct Pair {
    const ib_DesignTrials *before; ///< NULL: there was no change
    const ib_DesignTrials *after;
    const ib_DesignGear *gear; ///< after
    FILE *file;
} Pair;

// A unit behind its space: " V"; nothing where there is none.
typedef struct Unit {
    char text[40];
} Unit;

static Unit spaced(const char *unit)
{
    Unit result = {""};
    if (unit && strcmp(unit, "1") != 0) snprintf(result.text, sizeof result.text, " %.36s", unit);
    return result;
}

// ------------------------------------------------------------------------------------------- table

// "0.0123 m", or a word where it is no number.
static void print_cell(FILE *file, double value, const char *unit, const char *otherwise)
{
    char text[48];
    if (isfinite(value))
        snprintf(text, sizeof text, "%.4g%s", value == 0 ? 0 : value, unit);
    else
        snprintf(text, sizeof text, "%s", otherwise);
    fprintf(file, " %*s", CELL, text);
}

static void print_row(const Pair *pair, const char *label, double before, double after,
                      const char *unit, const char *otherwise)
{
    fprintf(pair->file, "  %-*s", LABEL, label);
    if (pair->before) print_cell(pair->file, before, unit, otherwise);
    print_cell(pair->file, after, unit, otherwise);
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
    const ib_DesignTrials *after = pair->after;
    const Unit spaces = spaced(pair->gear->state_unit[state]);
    const char *unit = spaces.text;
    ib_DesignFigures b = {0}, a = ib_design_trials_figures(after, state);
    char text[120];
    if (pair->before) b = ib_design_trials_figures(pair->before, state);
    snprintf(text, sizeof text, "%s from %.6g to %.6g%s", pair->gear->design.plant.state[state],
             after->trial.start[state], after->trial.goal[state], unit);
    print_heading(pair, text);
    print_row(pair, "rise time (10 to 90 %)", b.quiet.rise, a.quiet.rise, " s", "never");
    print_row(pair, "overshoot", 100 * b.quiet.overshoot, 100 * a.quiet.overshoot, " %", "-");
    print_row(pair, "settled (2 %) after", b.quiet.settling, a.quiet.settling, " s", "not yet");
    print_row(pair, "error at the end", b.quiet.error, a.quiet.error, unit, "-");
    print_row(pair, "the noise moves it by (1 sigma)", b.noise, a.noise, unit,
              after->noisy ? "runs away" : "no noise");
    snprintf(text, sizeof text, "%.3g%s more in %.12s moves it by", after->trial.push[0],
             spaced(pair->gear->input_unit[0]).text, pair->gear->design.plant.input[0]);
    print_row(pair, text, b.push, a.push, unit, "-");
    print_row(pair, "and leaves", b.left, a.left, unit, "-");
}

static void print_input(const Pair *pair, int input)
{
    const Unit spaces = spaced(pair->gear->input_unit[input]);
    const char *unit = spaces.text;
    ib_DesignEffort b = {0}, a = ib_design_trials_effort(pair->after, input);
    if (pair->before) b = ib_design_trials_effort(pair->before, input);
    print_heading(pair, pair->gear->design.plant.input[input]);
    print_row(pair, "smallest", b.smallest, a.smallest, unit, "-");
    print_row(pair, "largest", b.largest, a.largest, unit, "-");
    print_row(pair, "at a limit, share of the time", 100 * b.saturated, 100 * a.saturated, " %",
              "-");
}

static void print_use(const Pair *pair)
{
    ib_DesignUseRow after[IB_DESIGN_USE_ROWS], before[IB_DESIGN_USE_ROWS];
    char text[160];
    int count = ib_design_trials_use(&pair->after->use, after), old = 0;
    if (pair->before) old = ib_design_trials_use(&pair->before->use, before);
    if (count > 0) print_heading(pair, "motors and battery");
    for (int i = 0; i < count; i++) {
        double was = NAN;
        for (int k = 0; k < old; k++)
            if (strcmp(before[k].name, after[i].name) == 0) was = before[k].scale * before[k].value;
        snprintf(text, sizeof text, " %s", after[i].shown);
        print_row(pair, after[i].name, was, after[i].scale * after[i].value, text, "-");
    }
    for (int i = 0; ib_design_trials_note(&pair->after->use, i, text, sizeof text); i++)
        fprintf(pair->file, "note: %s\n", text);
}

// -------------------------------------------------------------------------------------------- plot

// The value of a row at a column of the plot; NAN where the run has ended.
static double value_at(const ib_DesignRun *run, const double *row, double duration, int column)
{
    double t = duration * column / (COLUMNS - 1), period = run->t[1] - run->t[0];
    int at = (int)floor(t / period + 0.5);
    return at < run->count ? row[at] : NAN;
}

static void widen(double value, double *low, double *high)
{
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

static void mark(char (*canvas)[COLUMNS + 1], int column, double share, char with)
{
    if (isfinite(share)) canvas[ROWS - 1 - (int)floor(share * (ROWS - 1) + 0.5)][column] = with;
}

// One state over time: '.' before, '*' after, '-' the goal.
static void plot_state(const Pair *pair, int state)
{
    const ib_DesignTrials *after = pair->after, *before = pair->before;
    const Unit spaces = spaced(pair->gear->state_unit[state]);
    const char *unit = spaces.text;
    double duration = after->trial.duration, goal = after->trial.goal[state];
    double old[COLUMNS], new[COLUMNS], low = goal, high = goal;
    char canvas[ROWS][COLUMNS + 1];
    for (int i = 0; i < COLUMNS; i++) {
        const ib_DesignRun *run = &after->quiet;
        new[i] = value_at(run, run->x + state * run->count, duration, i);
        run = before ? &before->quiet : run;
        old[i] = value_at(run, run->x + state * run->count, duration, i);
        widen(new[i], &low, &high);
        widen(old[i], &low, &high);
    }
    double span = high > low ? high - low : 1;
    for (int k = 0; k < ROWS; k++) {
        memset(canvas[k], ' ', COLUMNS);
        canvas[k][COLUMNS] = '\0';
    }
    for (int i = 0; i < COLUMNS; i++) {
        mark(canvas, i, (goal - low) / span, '-');
        if (before) mark(canvas, i, (old[i] - low) / span, '.');
        mark(canvas, i, (new[i] - low) / span, '*');
    }
    for (int k = 0; k < ROWS; k++) {
        bool end = k == 0 || k == ROWS - 1;
        char label[64] = "";
        if (end) snprintf(label, sizeof label, "%.4g%s", k ? low : high, unit);
        for (int i = COLUMNS; i > 0 && canvas[k][i - 1] == ' '; i--) canvas[k][i - 1] = '\0';
        fprintf(pair->file, "  %12s |%s\n", label, canvas[k]);
    }
    fprintf(pair->file, "  %12s 0 s%*.4g s   %s: * %s- goal\n", "", COLUMNS - 4, duration,
            pair->gear->design.plant.state[state], before ? "after, . before, " : "response, ");
}

// One input over time as a line of bars.
static void plot_input(const Pair *pair, const ib_DesignTrials *trials, int input, const char *when)
{
    static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const ib_DesignRun *run = &trials->quiet;
    ib_DesignEffort effort = ib_design_trials_effort(trials, input);
    double span = effort.largest - effort.smallest;
    char name[40];
    snprintf(name, sizeof name, "%.12s", pair->gear->design.plant.input[input]);
    fprintf(pair->file, "  %12s  ", name);
    for (int i = 0; i < COLUMNS; i++) {
        double u = value_at(run, run->u + input * run->count, trials->trial.duration, i);
        double share = span > 0 ? (u - effort.smallest) / span : 0.5;
        fputs(isfinite(u) ? bars[(int)floor(7 * share + 0.5)] : " ", pair->file);
    }
    fprintf(pair->file, " %.4g to %.4g%s%s\n", effort.smallest, effort.largest,
            spaced(pair->gear->input_unit[input]).text, when);
}

// ------------------------------------------------------------------------------------------- gears

static void print_pair(const Pair *pair)
{
    const ib_DesignRun *run = &pair->after->quiet;
    for (int i = 0; i < run->states; i++)
        if (ib_design_trials_moves(pair->after, i)) print_state(pair, i);
    for (int i = 0; i < run->inputs; i++) print_input(pair, i);
    print_use(pair);
    if (pair->before && pair->before->quiet.ended)
        fprintf(pair->file, "before: %s\n", pair->before->quiet.ended);
    if (run->ended) fprintf(pair->file, "%s\n", run->ended);
    for (int i = 0; i < run->states; i++) {
        if (!ib_design_trials_moves(pair->after, i)) continue;
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
    ib_DesignTrials old, new;
    Pair pair = {.after = &new, .gear = &after->gears[gear], .file = file};
    ib_Status status = IB_OK;
    if (before && before->loop && gear < before->gear_count) {
        status = ib_design_trials_run(before, gear, NULL, &arena, &old, error);
        pair.before = &old;
    }
    if (status == IB_OK)
        status = ib_design_trials_run(after, gear, pair.before, &arena, &new, error);
    if (status == IB_OK) {
        fprintf(file, "%s%s\n", after->scheduled ? "\ngear " : "", after->gears[gear].design.name);
        print_pair(&pair);
    }
    ib_arena_reset(&arena);
    return status;
}

ib_Status design_try_print(const ib_DesignTry *attempt, const ib_DesignFile *before,
                           const ib_DesignFile *after, FILE *file, ib_Error *error)
{
    ib_Status status = IB_OK;
    const ib_DesignGear *gear = &after->gears[0];
    char plant[300];
    fprintf(file, "%s\n", after->title);
    for (int i = 0; i < attempt->count; i++)
        fprintf(file, "  with %s = %s\n", attempt->change[i].key, attempt->change[i].value);
    ib_design_bench_describe(after, 0, plant, sizeof plant);
    fprintf(file, "on %s; inputs within their limits", plant);
    if (gear->config.latency > 0) fprintf(file, " and %.4g ms late", 1e3 * gear->config.latency);
    fputc('\n', file);
    for (int i = 0; status == IB_OK && i < after->gear_count; i++)
        status = print_gear(before, after, i, file, error);
    return status;
}
