// report/design/design_figure_response.c: a trial over time.
#include "base/extreme.h"
#include "report/design/design_figures.h"
#include "report/html.h"
#include "report/plot/plot_script.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PALETTE = 7, SPARE = 4, NAME = 80 };

// One figure of a run. Labels and constant lines need a place of their own.
typedef struct Figure {
    ib_Chart chart;
    const ib_TrialPair *trials;
    const ib_TrialCurves *run;
    bool guessed;                              ///< shows the estimate, too
    char label[IB_CHART_CURVES][NAME];         ///< one for each curve
    char panel[IB_CHART_PANELS][NAME];         ///< one for each panel
    double ends[2], level[IB_CHART_CURVES][2]; ///< of constant lines
} Figure;

static const char *known(const char *unit)
{
    return unit ? unit : "1";
}

// ------------------------------------------------------------------------------------------ curves

static void add_curve(Figure *figure, int panel, ib_PlotStyle style, int colour, const double *y,
                      const char *name, const char *what)
{
    ib_Chart *chart = &figure->chart;
    if (chart->curves == IB_CHART_CURVES || panel >= chart->panels) return;
    char *label = figure->label[chart->curves];
    snprintf(label, NAME, "%s%s%s", name, what[0] ? ", " : "", what);
    ib__chart_curve(chart, (ib_PlotSeries){.label = label,
                                           .x = figure->run->t,
                                           .y = y,
                                           .count = figure->run->count,
                                           .panel = panel,
                                           .style = style,
                                           .colour = colour});
}

// A dashed line at a value, all the time; name "": not in the legend.
static void add_level(Figure *figure, int panel, int colour, double value, const char *name)
{
    ib_Chart *chart = &figure->chart;
    if (!isfinite(value) || chart->curves == IB_CHART_CURVES || panel >= chart->panels) return;
    double *level = figure->level[chart->curves];
    char *label = figure->label[chart->curves];
    snprintf(label, NAME, "%s", name);
    level[0] = level[1] = value;
    ib__chart_curve(chart, (ib_PlotSeries){.label = label,
                                           .x = figure->ends,
                                           .y = level,
                                           .count = 2,
                                           .panel = panel,
                                           .style = IB_PLOT_DASHED,
                                           .colour = colour});
}

// ------------------------------------------------------------------------------------------ panels

// One unit, one panel; without units each has its own as long as there is room. Returns how many.
static int group(int count, const char *const *units, int room, int *panel)
{
    int panels = 0;
    for (int i = 0; i < count; i++) {
        panel[i] = panels;
        for (int k = 0; k < i; k++)
            if (units[i] && units[k] && strcmp(units[i], units[k]) == 0) panel[i] = panel[k];
        if (panel[i] == panels && panels < room)
            panels++;
        else if (panel[i] >= room)
            panel[i] = room - 1;
    }
    return panels;
}

// "x" for one, "length" for several with a unit, else their kind.
static void name_panel(Figure *figure, int count, const char (*names)[IB_STATE_NAME + 1],
                       const char *const *units, const int *panel, int index, const char *kind)
{
    int first = -1, members = 0;
    for (int i = 0; i < count; i++)
        if (panel[i] == index) {
            if (first < 0) first = i;
            members++;
        }
    char *name = figure->panel[figure->chart.panels];
    const char *unit = known(units[first]);
    if (members == 1) {
        snprintf(name, NAME, "%s", names[first]);
    } else {
        ib_PlotSeries series[2] = {{.label = "a", .unit = unit}, {.label = "b", .unit = unit}};
        ib_Plot plot = {.series = series, .series_count = 2};
        ib_Panel both = {.series = {0, 1}, .count = 2, .unit = unit};
        ib__panel_name(&plot, &both, name, NAME);
        if (strcmp(name, "value") == 0) snprintf(name, NAME, "%s", kind);
    }
    ib__chart_panel(&figure->chart, name, strcmp(unit, "1") ? unit : NULL);
}

static void add_states(Figure *figure)
{
    const ib_TrialPair *trials = figure->trials;
    const ib_TrialCurves *run = figure->run;
    const ib_DesignGear *gear = &trials->design->gears[trials->gear];
    const ib_StateSpace *plant = &gear->design.plant;
    int panel[IB_STATES_MAX], panels = group(run->states, gear->state_unit, SPARE, panel);
    bool filtered = figure->guessed && gear->design.kalman;
    for (int i = 0; i < panels; i++)
        name_panel(figure, run->states, plant->state, gear->state_unit, panel, i, "states");
    for (int i = 0; i < run->states; i++) {
        int colour = 1 + i % PALETTE;
        add_curve(figure, panel[i], IB_PLOT_LINE, colour, run->x + i * run->count, plant->state[i],
                  "");
        if (ib_trial_pair_moves(trials, i)) {
            char goal[NAME];
            snprintf(goal, sizeof goal, "goal of %s", plant->state[i]);
            add_level(figure, panel[i], colour, trials->trial.goal[i], goal);
        }
    }
    // Estimates last: over the true values.
    for (int i = 0; filtered && i < run->states; i++)
        add_curve(figure, panel[i], IB_PLOT_DASHED, 0, run->guess + i * run->count, plant->state[i],
                  "estimated");
}

// A limit, unless it is so far away that the loop's output would be a flat line beside it.
static void add_limit(Figure *figure, int panel, int input, double limit, const char *label)
{
    const ib_TrialCurves *run = figure->run;
    double largest = 0;
    for (int k = 0; k < run->count; k++)
        largest = ib_max(largest, fabs(run->u[input * run->count + k]));
    if (largest > 0 && fabs(limit) > 1000 * largest) return;
    add_level(figure, panel, 0, limit, label);
}

static void add_inputs(Figure *figure)
{
    const ib_TrialPair *trials = figure->trials;
    const ib_TrialCurves *run = figure->run;
    const ib_DesignGear *gear = &trials->design->gears[trials->gear];
    const ib_StateSpace *plant = &gear->design.plant;
    const ib_Loop *loop = trials->trial.loop;
    int first = figure->chart.panels, panel[IB_INPUTS_MAX];
    int panels = group(run->inputs, gear->input_unit, SPARE, panel);
    for (int i = 0; i < panels; i++)
        name_panel(figure, run->inputs, plant->input, gear->input_unit, panel, i, "inputs");
    for (int i = 0; i < run->inputs; i++)
        add_curve(figure, first + panel[i], IB_PLOT_STEPS, 1 + i % PALETTE, run->u + i * run->count,
                  plant->input[i], "");
    for (int i = 0; i < run->inputs; i++) {
        bool same = i > 0 && panel[i] == panel[0] && loop->low[i] == loop->low[0] &&
                    loop->high[i] == loop->high[0];
        if (same) continue;
        add_limit(figure, first + panel[i], i, loop->low[i], "limits");
        add_limit(figure, first + panel[i], i, loop->high[i], "");
    }
}

// ----------------------------------------------------------------------------------------- figures

static void draw(Figure *figure, const ib_TrialCurves *run, bool guessed, const char *title,
                 const char *caption, ib_Text *html)
{
    figure->chart = (ib_Chart){.title = title, .x_name = "time", .x_unit = "s"};
    figure->run = run;
    figure->guessed = guessed;
    figure->ends[0] = run->t[0];
    figure->ends[1] = run->t[run->count - 1];
    add_states(figure);
    add_inputs(figure);
    ib__chart_draw(&figure->chart, caption, html);
    if (run->ended) ib__html_element(html, "p class=\"bad\"", run->ended);
}

void ib__design_responses(const ib_TrialPair *trials, ib_Text *html)
{
    const ib_DesignGear *gear = &trials->design->gears[trials->gear];
    const ib_StateSpace *plant = &gear->design.plant;
    const char *unit = gear->input_unit[0] ? gear->input_unit[0] : "";
    char late[48] = "";
    Figure figure = {.trials = trials};
    char caption[700], plant_text[300];
    ib_trial_bench_describe(trials->design, trials->gear, plant_text, sizeof plant_text);
    if (trials->trial.latency > 0)
        snprintf(late, sizeof late, ", with its latency of %.4g ms", 1e3 * trials->trial.latency);
    snprintf(caption, sizeof caption,
             "The loop on %s%s, undisturbed, from its start to its goal (dashed). Below: what it "
             "asks of the inputs, and their limits.%s",
             plant_text, late,
             trials->chosen ? " The file has no try: the first state that is weighed begins one "
                              "tolerance away."
                            : "");
    draw(&figure, &trials->quiet, false, "Response", caption, html);
    snprintf(
        caption, sizeof caption,
        "The same %s, and with an error of %.3g%s%s in %s from %.3g s on, which nobody told "
        "the loop about%s.",
        trials->noisy ? "with noise on what is measured" : "without noise (no filter, no noise)",
        trials->trial.push[0], unit[0] ? " " : "", unit, plant->input[0], trials->trial.push_at,
        gear->design.kalman ? "; dashed grey: what the filter believes" : "");
    draw(&figure, &trials->disturbed, true, "Response with noise and a push", caption, html);
}
