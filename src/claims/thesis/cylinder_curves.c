// claims/thesis/cylinder_curves.c: Figures 25 to 31, 46 and 48 of the thesis: responses. The
// measured curves beside them are not published.
#include "claims/report.h"
#include "claims/thesis/cylinder.h"
#include "claims/thesis/cylinder_run.h"

#include <math.h>

static const char *const responses[] = {IB_NAME_CYLINDER("position"), IB_NAME_CAP("pressure"),
                                        IB_NAME_ROD("pressure"), NULL};

// Millimetres and psi.
static void in_units(ib__RigTrace *trace, double start)
{
    for (int i = 0; i < trace->count; i++) {
        trace->times[i] -= start;
        trace->column[0][i] *= 1e3;
        for (int k = 1; trace->signals[k]; k++) trace->column[k][i] /= IB__PSI;
    }
}

static void draw(const char *title, const ib_PlotSeries *series, int count, const char *x_label,
                 int height, ib_Text *html)
{
    ib_Plot plot = ib__claims_plot(title, series, count, height);
    plot.x_label = x_label;
    ib__claims_figure(&plot, html);
}

// --------------------------------------------------------------------------------------- open loop

// One of several runs drawn together.
typedef struct Case {
    double volts;
    const char *position, *cap; ///< labels
    const char *path, *value;   ///< the changed key; NULL: none
} Case;

// Position and cap pressure over the time since the step.
static void draw_steps(const char *title, const Case *cases, int count, double duration,
                       ib_Text *html)
{
    enum { ROWS = 401, CASES = 3 };
    ib_Arena arena = {0};
    ib_PlotSeries series[2 * CASES];
    ib_Error error;
    IB_ASSERT(count <= CASES);
    for (int k = 0; k < count; k++) {
        ib__RigChanges changes = {0};
        ib__RigTrace trace = {.signals = responses, .from = 5, .count = ROWS};
        char text[80];
        trace.every = duration / (ROWS - 1);
        ib__rig_step(cases[k].volts, text, sizeof text);
        ib__rig_change(&changes, "inputs.valve", text);
        if (cases[k].path) ib__rig_change(&changes, cases[k].path, cases[k].value);
        if (ib__rig_trace(ib__rig_open, &changes, &arena, &trace, &error) != IB_OK) return;
        in_units(&trace, 5);
        series[k] =
            ib__claims_curve(cases[k].position, "mm", trace.times, trace.column[0], ROWS, k + 1);
        series[count + k] =
            ib__claims_curve(cases[k].cap, "psi", trace.times, trace.column[1], ROWS, k + 1);
    }
    draw(title, series, 2 * count, "time since the step", 560, html);
    ib_arena_reset(&arena);
}

static void draw_open(ib_Text *html)
{
    static const Case slow[] = {{0.5, "position, +0.5 V", "cap pressure, +0.5 V", NULL, NULL},
                                {0.75, "position, +0.75 V", "cap pressure, +0.75 V", NULL, NULL},
                                {-0.5, "position, -0.5 V", "cap pressure, -0.5 V", NULL, NULL}};
    static const Case fast[] = {{1.25, "position, +1.25 V", "cap pressure, +1.25 V", NULL, NULL},
                                {3, "position, +3 V", "cap pressure, +3 V", NULL, NULL},
                                {-3, "position, -3 V", "cap pressure, -3 V", NULL, NULL}};
    draw_steps("Figure 25: slower open-loop steps", slow, 3, 5, html);
    draw_steps("Figure 26: faster open-loop steps", fast, 3, 0.8, html);
}

static void draw_variants(ib_Text *html)
{
    static const Case supply[] = {{1.25, "position, 50 psig", "cap pressure, 50 psig", NULL, NULL},
                                  {1.25, "position, 30 psig", "cap pressure, 30 psig",
                                   "robot.supply.pressure", "308195.772 Pa"}};
    static const Case ports[] = {
        {1.25, "position, standard, 6.25 V", "cap pressure, standard, 6.25 V", NULL, NULL},
        {-0.75, "position, switched, 4.25 V", "cap pressure, switched, 4.25 V",
         "robot.valve.swapped", "true"}};
    draw_steps("Figure 29: step of 1.25 V at 50 psig and, with the same areas, at 30 psig", supply,
               2, 1, html);
    draw_steps("Figure 30: ports switched, 1 V beyond the offset either way", ports, 2, 1, html);
}

// ------------------------------------------------------------------------------------- closed loop

static void draw_sine(double w, double periods, const char *title, ib_Text *html)
{
    enum { ROWS = 601 };
    static const char *const signals[] = {IB_NAME_CYLINDER("position"), IB_NAME_CAP("pressure"),
                                          IB_NAME_ROD("pressure"), IB__CYLINDER_GOAL, NULL};
    ib_Arena arena = {0};
    ib__RigTrace trace = {.signals = signals, .count = ROWS};
    ib_Error error;
    if (ib__rig_sine(w, periods, NULL, &arena, &trace, &error) == IB_OK) {
        for (int i = 0; i < ROWS; i++) {
            trace.column[0][i] *= 1e3, trace.column[3][i] *= 1e3;
            trace.column[1][i] /= IB__PSI, trace.column[2][i] /= IB__PSI;
        }
        const ib_PlotSeries series[] = {
            ib__claims_curve("goal", "mm", trace.times, trace.column[3], ROWS, 2),
            ib__claims_curve("position", "mm", trace.times, trace.column[0], ROWS, 1),
            ib__claims_curve("cap pressure", "psi", trace.times, trace.column[1], ROWS, 3),
            ib__claims_curve("rod pressure", "psi", trace.times, trace.column[2], ROWS, 4),
        };
        draw(title, series, 4, "time", 480, html);
    }
    ib_arena_reset(&arena);
}

// The five steps of the full model with their goals, or a simpler model beside it.
static void draw_series(int rig, const char *title, const char *label, ib_Text *html)
{
    enum { ROWS = 1501 };
    static const char *const signals[] = {IB_NAME_CYLINDER("position"), IB_NAME_CAP("pressure"),
                                          IB_NAME_ROD("pressure"), IB__CYLINDER_GOAL, NULL};
    ib_Arena arena = {0};
    ib__RigTrace traces[2];
    ib_Error error;
    bool both = rig != IB__RIG_FULL;
    for (int i = 0; i < 2; i++) {
        ib__RigChanges changes = {0};
        traces[i] = (ib__RigTrace){.signals = signals, .from = 1, .every = 5e-3, .count = ROWS};
        ib__rig_simplify(&changes, i ? rig : IB__RIG_FULL);
        if (ib__rig_trace(ib__rig_series, &changes, &arena, &traces[i], &error) != IB_OK) return;
        in_units(&traces[i], 0);
    }
    const double *t = traces[0].times;
    double *const *full = traces[0].column, *const *other = traces[1].column;
    for (int i = 0; i < ROWS; i++) full[3][i] *= 1e3 * IB__PSI;
    const ib_PlotSeries beside[] = {
        ib__claims_curve("position, full model", "mm", t, full[0], ROWS, 1),
        ib__claims_curve(label, "mm", t, other[0], ROWS, 2),
        ib__claims_curve("cap pressure, full model", "psi", t, full[1], ROWS, 1),
        ib__claims_curve("cap pressure, simpler model", "psi", t, other[1], ROWS, 2),
    };
    const ib_PlotSeries alone[] = {
        ib__claims_curve(label, "mm", t, full[3], ROWS, 2),
        ib__claims_curve("position", "mm", t, full[0], ROWS, 1),
        ib__claims_curve("cap pressure", "psi", t, full[1], ROWS, 3),
        ib__claims_curve("rod pressure", "psi", t, full[2], ROWS, 4),
    };
    draw(title, both ? beside : alone, 4, "time", 520, html);
    ib_arena_reset(&arena);
}

// The cap's pressure in the loop, and behind sensor and filter.
static void draw_sensors(ib_Text *html)
{
    enum { ROWS = 501 };
    static const char *const signals[] = {IB_NAME_CAP("pressure"), "sensor.lagged",
                                          "sensor.smoothed", NULL};
    static const char *const labels[] = {"cap pressure", "behind a lag of 5 ms",
                                         "and behind the filter of A.3"};
    ib_Arena arena = {0};
    ib__RigChanges changes = {0};
    ib__RigTrace trace = {.signals = signals, .from = 1.4, .every = 2e-3, .count = ROWS};
    ib_PlotSeries series[3];
    ib_Error error;
    ib__rig_change(&changes, "robot.sensors", ib__rig_sensors);
    ib__rig_change(&changes, "run.duration", "3 s");
    if (ib__rig_trace(ib__rig_series, &changes, &arena, &trace, &error) == IB_OK) {
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < ROWS; i++) trace.column[k][i] /= IB__PSI;
            series[k] =
                ib__claims_curve(labels[k], "psi", trace.times, trace.column[k], ROWS, k + 1);
        }
        draw("Figure 31: pressure in a closed-loop step, as it is and as it is seen", series, 3,
             "time", 420, html);
    }
    ib_arena_reset(&arena);
}

void ib__cylinder_claims_runs(ib_Text *html)
{
    draw_open(html);
    draw_sine(1, 1.25, "Figure 27: sine of 1 rad/s", html);
    draw_sine(3, 2, "Figure 27: sine of 3 rad/s", html);
    draw_sine(5, 2.5, "Figure 27: sine of 5 rad/s", html);
    draw_series(IB__RIG_FULL, "Figure 28: closed-loop steps", "goal", html);
    draw_variants(html);
    draw_sensors(html);
    draw_series(IB__RIG_LINEAR, "Figure 46: closed-loop steps with the linear valve",
                "position, linear valve", html);
    draw_series(IB__RIG_VISCOUS, "Figure 48: closed-loop steps with viscous friction",
                "position, viscous friction", html);
}
