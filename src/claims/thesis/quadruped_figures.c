// claims/thesis/quadruped_figures.c: Figures 34 to 36, 38, 40 to 45, 47 and 49 of the thesis, as
// recomputed. The measured curves beside them are not published.
#include "base/maths.h"
#include "claims/report.h"
#include "claims/thesis/quadruped.h"

#include <math.h>

enum { POINTS = 201, KNOTS = 2 * (1 + IB__LEG_STEPS) };

static void draw(const char *title, const ib_PlotSeries *series, int count, int height,
                 ib_Text *html)
{
    ib_Plot plot = ib__claims_plot(title, series, count, height);
    plot.max_points = 3000;
    ib__claims_figure(&plot, html);
}

static ib_PlotSeries curve(const ib__RigTrace *trace, int column, const char *label,
                           const char *unit, int colour)
{
    return ib__claims_curve(label, unit, trace->times, trace->column[column], trace->count, colour);
}

// ---------------------------------------------------------------------------------------- linkages

// Stroke, and arm, over the angle.
static void draw_linkages(const ib__LegBench *leg, ib_Text *html)
{
    static const char *const strokes[] = {"alpha", "beta", "gamma"};
    static const char *const lines[] = {"alpha, linear", "beta, linear", "gamma, linear"};
    double th[3][POINTS], x[3][POINTS], arm[3][POINTS], ends[3][2], line[3][2];
    ib_PlotSeries series[6], arms[3];
    for (int j = 0; j < 3; j++) {
        const ib_LinkageModel *k = &leg->model->joints[j].linkage;
        double span = k->range[1] - k->range[0];
        for (int i = 0; i < POINTS; i++) {
            double angle = k->range[0] + span * i / (POINTS - 1);
            ib_LinkageNow now = ib_linkage_at(k, angle);
            th[j][i] = angle * 180 / M_PI;
            x[j][i] = 1e3 * now.x, arm[j][i] = 1e3 * fabs(now.arm);
        }
        ends[j][0] = th[j][0], ends[j][1] = th[j][POINTS - 1];
        line[j][0] = x[j][0], line[j][1] = x[j][POINTS - 1];
        series[j] = ib__claims_curve(strokes[j], "mm", th[j], x[j], POINTS, j + 1);
        series[3 + j] = ib__claims_curve(lines[j], "mm", ends[j], line[j], 2, j + 1);
        arms[j] = ib__claims_curve(strokes[j], "mm", th[j], arm[j], POINTS, j + 1);
    }
    ib_Plot plot = ib__claims_plot(
        "Figures 34 to 36: stroke over angle, and the straight lines of 5.2", series, 6, 320);
    plot.x_label = "angle of the joint", plot.x_unit = "deg";
    ib__claims_figure(&plot, html);
    plot = ib__claims_plot("Arm of the cylinder over the angle: T = F dx/dtheta", arms, 3, 320);
    plot.x_label = "angle of the joint", plot.x_unit = "deg";
    ib__claims_figure(&plot, html);
}

// --------------------------------------------------------------------------------------- responses

// Goals that step, as a curve.
static ib_PlotSeries goal_curve(const double *goals, int steps, double end, double *t, double *y)
{
    for (int i = 0; i <= steps; i++) {
        t[2 * i] = i ? ib__leg_step_first + (i - 1) * ib__leg_step_every : 0;
        t[2 * i + 1] = i == steps ? end : ib__leg_step_first + i * ib__leg_step_every;
        y[2 * i] = y[2 * i + 1] = goals[i];
    }
    return ib__claims_curve("goal", "deg", t, y, 2 * (1 + steps), 4);
}

static void draw_steps(const char *title, const ib__RigTrace *trace, const double *goals,
                       ib_Text *html)
{
    double t[KNOTS], y[KNOTS];
    const ib_PlotSeries series[] = {
        goal_curve(goals, IB__LEG_STEPS, trace->times[trace->count - 1], t, y),
        curve(trace, IB__LEG_ANGLE, "angle", "deg", 1),
        curve(trace, IB__LEG_CAP, "cap side", "psi", 2),
        curve(trace, IB__LEG_ROD, "rod side", "psi", 3),
    };
    draw(title, series, 4, 420, html);
}

static void draw_sine(const char *title, const ib__RigTrace *trace, double mean, double amplitude,
                      ib_Text *html)
{
    double t[POINTS], y[POINTS], end = trace->times[trace->count - 1] - trace->times[0];
    for (int i = 0; i < POINTS; i++) {
        double since = end * i / (POINTS - 1);
        t[i] = trace->times[0] + since;
        y[i] = mean + amplitude * ib_sin(5 * since);
    }
    const ib_PlotSeries series[] = {
        ib__claims_curve("goal", "deg", t, y, POINTS, 4),
        curve(trace, IB__LEG_ANGLE, "angle", "deg", 1),
        curve(trace, IB__LEG_CAP, "cap side", "psi", 2),
        curve(trace, IB__LEG_ROD, "rod side", "psi", 3),
    };
    draw(title, series, 4, 420, html);
}

static void draw_alpha(const ib__QuadrupedDetails *details, ib_Text *html)
{
    double t[4], y[4];
    const ib_PlotSeries series[] = {
        goal_curve(ib__alpha_steps, 1, 4, t, y),
        curve(&details->alpha[0], IB__LEG_ANGLE, "153 V/m", "deg", 1),
        curve(&details->alpha[1], IB__LEG_ANGLE, "75 % of it", "deg", 2),
        curve(&details->alpha[0], IB__LEG_ROD, "rod side, 153 V/m", "psi", 3),
    };
    draw("Figure 43: alpha, a step, the leg stretched out: it does not come to rest", series, 4,
         420, html);
}

static void draw_walk(const char *title, const ib__RigTrace *trace, ib_Text *html)
{
    const ib_PlotSeries series[] = {
        curve(trace, 0, "alpha", "deg", 1),
        curve(trace, 1, "beta", "deg", 2),
        curve(trace, 2, "gamma", "deg", 3),
    };
    draw(title, series, 3, 320, html);
}

void ib__quadruped_claims_figures(const ib_Findings *findings, ib_Text *html)
{
    const ib__QuadrupedDetails *details = findings->details;
    ib__LegBench leg;
    ib_Error error;
    if (ib__leg_bench(ib__leg_text, NULL, 0, &leg, &error) != IB_OK) return;
    draw_linkages(&leg, html);
    ib__leg_bench_end(&leg);
    draw_steps("Figure 38: gamma, steps; 153 V/m", &details->steps[0], ib__gamma_steps, html);
    draw_steps("Figure 38 once more: 60 V/m", &details->slow_steps[0], ib__gamma_steps, html);
    draw_sine("Figure 40: gamma, a sine of 5 rad/s; 153 V/m", &details->sine[0], 56, 26, html);
    draw_steps("Figure 41: beta, steps; 60 V/m", &details->slow_steps[1], ib__beta_steps, html);
    draw_sine("Figure 42: beta, a sine of 5 rad/s; 153 V/m", &details->sine[1], -34, 22, html);
    draw_alpha(details, html);
    draw_walk("Figure 44: walking motion, alpha at full gain", &details->walk[0], html);
    draw_walk("Figure 45: walking motion, alpha at 75 %", &details->walk[1], html);
    draw_steps("Figure 47: gamma, linear valve; 153 V/m", &details->steps[1], ib__gamma_steps,
               html);
    draw_steps("Figure 49: gamma, viscous friction; 153 V/m", &details->steps[2], ib__gamma_steps,
               html);
}
