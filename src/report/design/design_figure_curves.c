// report/design/design_figure_curves.c: curves of a design: over frequency, over a weight, of
// a filter.
#include "base/extreme.h"
#include "report/design/design_figures.h"
#include "report/html.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double two_pi = 6.283185307179586, degrees = 57.29577951308232;

// -------------------------------------------------------------------------------------------- bode

enum { BODE = 400, MARKED = 4 };

// Curves of one input: frequency [Hz], size, phase [deg].
typedef struct Bode {
    double frequency[BODE], size[BODE], phase[BODE];
    double gain_x[2], gain_y[2], phase_x[2], phase_y[2]; ///< the margins, as lines
    char gain_text[80], phase_text[80];
} Bode;

static double phase_at(const Bode *bode, double hertz)
{
    int i = 1;
    while (i < BODE - 1 && bode->frequency[i] < hertz) i++;
    double part = (hertz - bode->frequency[i - 1]) / (bode->frequency[i] - bode->frequency[i - 1]);
    return bode->phase[i - 1] + part * (bode->phase[i] - bode->phase[i - 1]);
}

// Marks the distance from |L| to 1 at the phase -180 deg. `rank`: words of several inputs stand
// above each other.
static void mark_gain(const ib_Margin *margin, const char *input, int rank, Bode *bode,
                      ib_Chart *chart)
{
    if (!isfinite(margin->gain_up) || !(margin->gain_frequency > 0)) return;
    double hertz = margin->gain_frequency / two_pi, *f = bode->frequency;
    double above = pow(bode->size[0] / bode->size[BODE - 1], 0.12);
    bode->gain_x[0] = bode->gain_x[1] = hertz;
    bode->gain_y[0] = 1 / margin->gain_up;
    bode->gain_y[1] = 1;
    snprintf(bode->gain_text, sizeof bode->gain_text, "%s: gain × %.3g", input, margin->gain_up);
    ib__chart_curve(chart, (ib_PlotSeries){.label = "",
                                           .x = bode->gain_x,
                                           .y = bode->gain_y,
                                           .count = 2,
                                           .style = IB_PLOT_DASHED,
                                           .colour = 1 + rank});
    ib__chart_note(chart, (ib_PlotNote){.text = bode->gain_text,
                                        .x = hertz,
                                        .y = pow(above, rank),
                                        .left = log(hertz / f[0]) > 0.7 * log(f[BODE - 1] / f[0])});
}

// Marks the distance from the phase to the nearest turn of -180 deg at |L| = 1.
static void mark_phase(const ib_Margin *margin, const char *input, int rank, Bode *bode,
                       ib_Chart *chart)
{
    if (!isfinite(margin->phase) || !(margin->phase_frequency > 0)) return;
    double hertz = margin->phase_frequency / two_pi, phase = phase_at(bode, hertz);
    double edge = 360 * rint((phase + 180) / 360) - 180;
    bode->phase_x[0] = bode->phase_x[1] = hertz;
    bode->phase_y[0] = phase;
    bode->phase_y[1] = edge;
    snprintf(bode->phase_text, sizeof bode->phase_text, "%s: phase %.3g°", input,
             margin->phase * degrees);
    ib__chart_curve(chart, (ib_PlotSeries){.label = "",
                                           .x = bode->phase_x,
                                           .y = bode->phase_y,
                                           .count = 2,
                                           .panel = 1,
                                           .style = IB_PLOT_DASHED,
                                           .colour = 1 + rank});
    ib__chart_note(chart, (ib_PlotNote){.text = bode->phase_text,
                                        .x = hertz,
                                        .y = edge + (0.6 - 0.3 * rank) * (phase - edge),
                                        .panel = 1,
                                        .left = true});
}

static ib_Status trace(const ib_DesignGear *gear, int input, Bode *bode, ib_Error *error)
{
    const ib_Design *design = &gear->design;
    ib_Complex lively[IB_STATES_MAX + IB_EIGEN_MAX];
    const ib_Complex *poles;
    ib_BodePoint points[BODE];
    int n = design->plant.states, count = ib_design_poles(design, &poles);
    double low, high;
    memcpy(lively, design->plant_poles, sizeof design->plant_poles);
    memcpy(lively + n, poles, (size_t)count * sizeof *lively);
    ib_frequency_range(gear->config.period, lively, n + count, &low, &high);
    high = 0.999 * two_pi / 2 / gear->config.period; // up to half the sampling rate
    low = ib_min(low, 0.01 * high);
    for (int k = 0; k < BODE; k++) points[k].frequency = ib_frequency_spaced(low, high, k, BODE);
    ib_Status status = ib_analysis_bode(&gear->config, design, input, points, BODE, error);
    for (int k = 0; status == IB_OK && k < BODE; k++) {
        bode->frequency[k] = points[k].frequency / two_pi;
        bode->size[k] = points[k].size;
        bode->phase[k] = points[k].phase * degrees;
    }
    return status;
}

static void add_bode(const ib_DesignGear *gear, int input, Bode *bode, ib_Chart *chart)
{
    const char *name = gear->design.plant.input[input];
    ib_PlotSeries curve = {.label = name,
                           .x = bode->frequency,
                           .y = bode->size,
                           .count = BODE,
                           .style = IB_PLOT_LINE,
                           .colour = 1 + input};
    ib__chart_curve(chart, curve);
    curve.label = "";
    curve.y = bode->phase;
    curve.panel = 1;
    ib__chart_curve(chart, curve);
    if (!gear->design.margined || !gear->design.margins.stable) return;
    mark_gain(&gear->design.margins.input[input], name, input, bode, chart);
    mark_phase(&gear->design.margins.input[input], name, input, bode, chart);
}

void ib__design_bode(const ib_DesignGear *gear, ib_Arena *arena, ib_Text *html)
{
    static const char what[] = "Bode plot of the open loop";
    int inputs = gear->design.plant.inputs;
    Bode *bodes = ib_arena_array(arena, (size_t)inputs, sizeof *bodes);
    ib_Error error = {.text = "there is no feedback"};
    ib_Status status = bodes && gear->design.feedback ? IB_OK : IB_BAD_INPUT;
    ib_Chart chart = {.title = what, .x_name = "frequency", .x_unit = "Hz", .log_x = true};
    ib__chart_panel(&chart, "size", NULL);
    ib__chart_panel(&chart, "phase", "deg");
    chart.panel[0].log_y = true;
    chart.panel[1].step = 45;
    for (int i = 0; status == IB_OK && i < inputs && i < MARKED; i++) {
        status = trace(gear, i, &bodes[i], &error);
        if (status == IB_OK) add_bode(gear, i, &bodes[i], &chart);
    }
    if (status != IB_OK) {
        ib__chart_refuse(what, error.text, html);
        return;
    }
    if (fabs(bodes[0].phase[0] - bodes[0].phase[BODE - 2]) > 200) chart.panel[1].step = 90;
    double ends[2] = {bodes[0].frequency[0], bodes[0].frequency[BODE - 1]};
    double one[2] = {1, 1}, half[2] = {-180, -180};
    ib__chart_curve(
        &chart,
        (ib_PlotSeries){.label = "", .x = ends, .y = one, .count = 2, .style = IB_PLOT_DASHED});
    ib__chart_curve(
        &chart,
        (ib_PlotSeries){
            .label = "", .x = ends, .y = half, .count = 2, .panel = 1, .style = IB_PLOT_DASHED});
    ib__chart_draw(&chart,
                   "What comes back where the loop is cut at an input, all others closed. At size "
                   "1 the phase must keep away from -180°, at -180° the size from 1 (dashed "
                   "grey): the distances are the margins.",
                   html);
}

// ------------------------------------------------------------------------------------------- gains

// The gains of one input that matter beside its largest.
static void add_gains(const ib_DesignGear *gear, const ib_WeightSweep *sweep, int input,
                      double (*size)[IB_SWEEP_POINTS], ib_Chart *chart)
{
    const ib_StateSpace *plant = &gear->design.plant;
    const int middle = IB_SWEEP_POINTS / 2;
    double largest = 0;
    for (int k = 0; k < plant->states; k++)
        largest = ib_max(largest, fabs(sweep->K[middle][input * plant->states + k]));
    for (int k = 0; k < plant->states; k++) {
        int at = input * plant->states + k;
        if (!(fabs(sweep->K[middle][at]) > 1e-5 * largest)) continue;
        for (int i = 0; i < IB_SWEEP_POINTS; i++)
            size[at][i] = sweep->found[i] ? fabs(sweep->K[i][at]) : NAN;
        ib_PlotSeries curve = {.label = plant->state[k],
                               .x = sweep->tolerance,
                               .y = size[at],
                               .count = IB_SWEEP_POINTS,
                               .panel = input,
                               .colour = 1 + k % 7};
        ib__chart_curve(chart, curve);
        curve.label = "";
        curve.x = &sweep->tolerance[middle];
        curve.y = &size[at][middle];
        curve.count = 1;
        curve.style = IB_PLOT_DOTS;
        ib__chart_curve(chart, curve);
    }
}

void ib__design_gains(const ib_DesignGear *gear, const ib_WeightSweep *sweep, ib_Text *html)
{
    const ib_StateSpace *plant = &gear->design.plant;
    double size[IB_INPUTS_MAX * IB_STATES_MAX][IB_SWEEP_POINTS];
    char title[120], name[120], panel[MARKED][IB_STATE_NAME + 16];
    snprintf(title, sizeof title, "Gains over the tolerance of %s", sweep->name);
    snprintf(name, sizeof name, "tolerance of %s", sweep->name);
    ib_Chart chart = {.title = title, .x_name = name, .x_unit = sweep->unit, .log_x = true};
    for (int i = 0; i < plant->inputs && i < MARKED; i++) {
        snprintf(panel[i], sizeof panel[i], "|K| of %s", plant->input[i]);
        ib__chart_panel(&chart, panel[i], NULL);
        chart.panel[i].log_y = true;
        add_gains(gear, sweep, i, size, &chart);
    }
    ib__chart_draw(&chart,
                   "The size of each gain when only this tolerance changes; dots: as designed. "
                   "Where a curve is flat, another weight or the inputs' own decide.",
                   html);
}

// ----------------------------------------------------------------------------------------- ellipse

enum { ROUND = 121, ELLIPSES = 4 };

// Points of k standard deviations: (x, y) = k L (cos a, sin a),  L L' = P of the two states.
static void trace_ellipse(const double *P, int n, int a, int b, double k, double *x, double *y)
{
    double l11 = sqrt(P[a * n + a]), l21 = l11 > 0 ? P[b * n + a] / l11 : 0;
    double l22 = sqrt(ib_max(P[b * n + b] - l21 * l21, 0));
    for (int i = 0; i < ROUND; i++) {
        double c = cos(two_pi * i / (ROUND - 1)), s = sin(two_pi * i / (ROUND - 1));
        x[i] = k * l11 * c;
        y[i] = k * (l21 * c + l22 * s);
    }
}

// P after a correction: P - M C P.
static void correct(const ib_Design *design, double *P)
{
    const ib_StateSpace *plant = &design->estimator;
    int n = plant->states, p = plant->outputs;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = design->covariance[i * n + j];
            for (int k = 0; k < p; k++)
                for (int l = 0; l < n; l++)
                    sum -= design->filter_gain[i * p + k] * plant->C[k * n + l] *
                           design->covariance[l * n + j];
            P[i * n + j] = sum;
        }
}

static void choose_pair(const double *P, int n, int *a, int *b)
{
    double most = -1;
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) {
            double together = fabs(P[i * n + k]) / sqrt(P[i * n + i] * P[k * n + k]);
            if (together <= most + 1e-6) continue; // of equal ones the first
            most = together;
            *a = i;
            *b = k;
        }
}

void ib__design_ellipse(const ib_DesignGear *gear, ib_Text *html)
{
    static const char what[] = "What the filter does not know";
    static const char *const labels[] = {"before a correction, 1 σ", "2 σ", "after it, 1 σ",
                                         "2 σ "};
    const ib_Design *design = &gear->design;
    int n = design->estimator.states, plant = design->plant.states, a = 0, b = 0;
    double P[IB_STATES_MAX * IB_STATES_MAX], x[ELLIPSES][ROUND], y[ELLIPSES][ROUND];
    if (!design->kalman || n < 2) {
        ib__chart_refuse(what,
                         design->kalman ? "there is only one state: the table has its deviation"
                                        : "there is no Kalman filter",
                         html);
        return;
    }
    choose_pair(design->covariance, n, &a, &b);
    if (a == b) {
        ib__chart_refuse(what, "a state is known exactly", html);
        return;
    }
    char name_a[IB_STATE_NAME + 16], name_b[IB_STATE_NAME + 16];
    snprintf(name_a, sizeof name_a, "error of %s", design->estimator.state[a]);
    snprintf(name_b, sizeof name_b, "error of %s", design->estimator.state[b]);
    const char *unit_a = a < plant ? gear->state_unit[a] : gear->input_unit[a - plant];
    const char *unit_b = b < plant ? gear->state_unit[b] : gear->input_unit[b - plant];
    ib_Chart chart = {.title = what, .x_name = name_a, .x_unit = unit_a};
    ib__chart_panel(&chart, name_b, unit_b);
    correct(design, P);
    for (int i = 0; i < ELLIPSES; i++) {
        trace_ellipse(i < 2 ? design->covariance : P, n, a, b, 1 + i % 2, x[i], y[i]);
        ib__chart_curve(&chart, (ib_PlotSeries){.label = labels[i],
                                                .x = x[i],
                                                .y = y[i],
                                                .count = ROUND,
                                                .style = i % 2 ? IB_PLOT_DASHED : IB_PLOT_LINE,
                                                .colour = 1 + i / 2});
    }
    double wide = 1.1 * 2 * sqrt(design->covariance[a * n + a]);
    chart.x_low = -wide;
    chart.x_high = wide;
    ib__chart_draw(&chart,
                   "The errors of the two states that hang together most: 39 % of all pairs lie "
                   "inside of 1 σ, 86 % inside of 2 σ, if the noise is as the file says.",
                   html);
}
