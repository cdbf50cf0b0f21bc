#include "design_print.h"

#include "base/units.h"
#include "desk/trial_run.h"

#include <math.h>
#include <string.h>

enum { LABEL = 16, CELL = 13 };
static const double two_pi = 6.283185307179586;

// ------------------------------------------------------------------------------------------ tables

static int wider(int width, const char *name)
{
    int length = (int)strlen(name);
    return length > width ? length : width;
}

// A matrix with names at its rows and over its columns.
static void print_matrix(FILE *file, int rows, int columns, const char (*row)[IB_STATE_NAME + 1],
                         const char (*column)[IB_STATE_NAME + 1], const double *a)
{
    int label = LABEL;
    for (int i = 0; i < rows; i++) label = wider(label, row[i]);
    fprintf(file, "  %-*s", label, "");
    for (int k = 0; k < columns; k++) fprintf(file, " %*s", wider(CELL, column[k]), column[k]);
    fputc('\n', file);
    for (int i = 0; i < rows; i++) {
        fprintf(file, "  %-*s", label, row[i]);
        for (int k = 0; k < columns; k++)
            fprintf(file, " %*.6g", wider(CELL, column[k]), a[i * columns + k]);
        fputc('\n', file);
    }
}

// "0.9561 +- 0.0079i" for a pair, once.
static void format_pole(ib_Complex pole, char *text, size_t size)
{
    if (hypot(pole.re, pole.im) < 1e-12) // to rounding
        snprintf(text, size, "0");
    else if (pole.im == 0)
        snprintf(text, size, "%.6g", pole.re);
    else
        snprintf(text, size, "%.6g +- %.6gi", pole.re, fabs(pole.im));
}

static void print_poles(FILE *file, int count, const ib_Complex *poles, double period)
{
    fprintf(file, "  %-26s %12s %10s %12s\n", "pole (z)", "frequency", "damping", "settles in");
    for (int i = 0; i < count; i++) {
        char text[60];
        ib_PoleShape shape = ib_pole_shape(poles[i], period);
        if (poles[i].im < 0) continue; // the other one of its pair is printed
        format_pole(poles[i], text, sizeof text);
        fprintf(file, "  %-26s", text);
        if (isfinite(shape.frequency))
            fprintf(file, " %9.4g Hz", shape.frequency / two_pi);
        else
            fprintf(file, " %12s", "-");
        if (isnan(shape.damping))
            fprintf(file, " %10s", "-");
        else
            fprintf(file, " %10.3g", shape.damping);
        if (isfinite(shape.settling))
            fprintf(file, " %10.4g s\n", shape.settling);
        else
            fprintf(file, " %12s\n", "never");
    }
}

// ------------------------------------------------------------------------------------------- parts

static const char *with_unit(const char *unit)
{
    return unit && strcmp(unit, "1") != 0 ? unit : "";
}

static void print_names(FILE *file, const char *what, int count,
                        const char (*names)[IB_STATE_NAME + 1], const char *const *units)
{
    fprintf(file, "  %-*s", LABEL, what);
    for (int i = 0; i < count; i++) {
        const char *unit = with_unit(units[i]);
        fprintf(file, "%s%s%s%s%s", i ? ", " : " ", names[i], unit[0] ? " [" : "", unit,
                unit[0] ? "]" : "");
    }
    fputc('\n', file);
}

static void print_facts(FILE *file, const ib_DesignGear *gear)
{
    ib_MechanismFact facts[IB_MECHANISM_FACTS];
    if (!gear->mechanical) return;
    int count = ib_mechanism_facts(&gear->mechanism, facts);
    for (int i = 0; i < count; i++)
        fprintf(file, "  %-*s %.6g %s: %s\n", LABEL, facts[i].name, facts[i].value,
                with_unit(facts[i].unit), facts[i].sentence);
}

static void print_plant(FILE *file, const ib_DesignGear *gear)
{
    const ib_Design *design = &gear->design;
    const ib_StateSpace *plant = &design->plant;
    const ib_Reach *reach = &design->reach;
    fprintf(file, "plant%s%s, every %.6g s%s\n", gear->mechanical ? ": " : "",
            gear->mechanical ? gear->mechanism.kind->sentence : "", plant->period,
            gear->config.hold == IB_HOLD_TUSTIN ? ", sampled by Tustin" : "");
    print_names(file, "states", plant->states, plant->state, gear->state_unit);
    print_names(file, "inputs", plant->inputs, plant->input, gear->input_unit);
    print_names(file, "outputs", plant->outputs, plant->output, gear->output_unit);
    print_facts(file, gear);
    fprintf(file, "  %s, %s, %s by itself\n",
            reach->input.full ? "controllable" : "not controllable",
            reach->output.full ? "observable" : "not observable",
            reach->stable ? "stable" : "not stable");
    if (reach->input.text[0]) fprintf(file, "  %s\n", reach->input.text);
    if (reach->output.text[0]) fprintf(file, "  %s\n", reach->output.text);
    print_poles(file, plant->states, design->plant_poles, plant->period);
}

static void print_point(FILE *file, const ib_DesignGear *gear)
{
    const ib_AnalysisConfig *config = &gear->config;
    const ib_StateSpace *plant = &config->plant;
    bool any = gear->note != NULL;
    for (int i = 0; i < plant->states; i++) any |= config->x0[i] != 0;
    for (int i = 0; i < plant->inputs; i++) any |= config->u0[i] != 0;
    if (!any) return;
    fprintf(file, "\noperating point: the gains below are of deviations from it\n ");
    for (int i = 0; i < plant->states; i++)
        fprintf(file, " %s = %.6g %s%s", plant->state[i], config->x0[i],
                with_unit(gear->state_unit[i]), ",");
    for (int i = 0; i < plant->inputs; i++)
        fprintf(file, " %s = %.6g %s%s", plant->input[i], config->u0[i],
                with_unit(gear->input_unit[i]), i + 1 < plant->inputs ? "," : "\n");
    if (gear->note) fprintf(file, "  %s\n", gear->note);
}

static void print_integrals(FILE *file, const ib_DesignGear *gear)
{
    const ib_Design *design = &gear->design;
    const ib_StateSpace *plant = &design->plant;
    ib_StateSpace named = *plant; // the first states: those that are integrated
    const ib_StateSpace *view = &named;
    for (int i = 0; i < design->integrals; i++)
        for (int k = 0; k < plant->states; k++)
            if (gear->config.Z[i * plant->states + k] != 0)
                memcpy(named.state[i], plant->state[k], sizeof named.state[i]);
    fprintf(file, "integral action: u = … - G z, z the integral of (state - goal)\n");
    print_matrix(file, plant->inputs, design->integrals, plant->input, view->state, design->G);
}

// The poles of the loop as it runs; those it was designed for where they are others.
static void print_closed_loop(FILE *file, const ib_Design *design)
{
    const ib_Complex *poles;
    int count = ib_design_poles(design, &poles);
    double period = design->plant.period;
    bool late = design->delayed_count > 0;
    fprintf(file, "closed loop%s%s: %s\n", late ? ", with its latency" : "",
            late && design->kalman ? " and its filter" : "",
            design->stable ? "stable" : "NOT stable");
    if (design->left_out[0]) fprintf(file, "  %s\n", design->left_out);
    print_poles(file, count, poles, period);
    if (!late) return;
    fprintf(file, "designed for, if there were no latency\n");
    print_poles(file, design->pole_count, design->poles, period);
}

static void print_gain(FILE *file, const ib_DesignGear *gear)
{
    const ib_Design *design = &gear->design;
    const ib_StateSpace *plant = &design->plant;
    const ib_AnalysisConfig *config = &gear->config;
    fprintf(file, "\nfeedback: u = K (goal - state)\n");
    print_matrix(file, plant->inputs, plant->states, plant->input, plant->state, design->K);
    if (design->integrals) print_integrals(file, gear);
    if (config->latency > 0)
        fprintf(file, "  %s for a latency of %.6g s\n", design->integrals ? "K and G are" : "K is",
                config->latency);
    if (config->feedforward) {
        fprintf(file, "feed-forward: u = … + F (next goal - A goal)\n");
        print_matrix(file, plant->inputs, plant->states, plant->input, plant->state, design->F);
    }
    print_closed_loop(file, design);
    if (design->weighted)
        fprintf(file, "  Riccati equation: relative residual %.2g, by %s\n",
                design->riccati.residual, design->riccati.method);
    else
        fprintf(file, "  poles placed within %.2g\n", design->placement_accuracy);
}

// "any" for what nothing limits.
static void print_margin(FILE *file, double value, double scale, const char *unit)
{
    char text[40];
    snprintf(text, sizeof text, "%.4g%s", value * scale, unit);
    fprintf(file, " %12s", isfinite(value) ? text : "any");
}

static void print_margins(FILE *file, const ib_Design *design)
{
    if (!design->feedback) return;
    if (!design->margined || !design->margins.stable) {
        fprintf(file, "margins: %s\n",
                design->margined ? "none, the loop is not stable" : design->unmargined.text);
        return;
    }
    fprintf(file, "margins: how much more or less of an input the loop stands\n");
    fprintf(file, "  %-*s %12s %12s %12s %12s %12s\n", LABEL, "", "gain up", "gain down", "phase",
            "delay", "disk");
    for (int i = 0; i < design->plant.inputs; i++) {
        const ib_Margin *margin = &design->margins.input[i];
        fprintf(file, "  %-*s", LABEL, design->plant.input[i]);
        print_margin(file, margin->gain_up, 1, " x");
        print_margin(file, margin->gain_down > 0 ? margin->gain_down : INFINITY, 1, " x");
        print_margin(file, margin->phase, 360 / two_pi, " deg");
        print_margin(file, margin->delay, 1e3, " ms");
        print_margin(file, margin->disk, 1, "");
        fputc('\n', file);
    }
}

static void print_kalman(FILE *file, const ib_Design *design)
{
    const ib_StateSpace *plant = &design->estimator;
    if (!design->kalman) return;
    fprintf(file, "\nKalman filter: estimate += M (measured - expected)\n");
    print_matrix(file, plant->states, plant->outputs, plant->state, plant->output,
                 design->filter_gain);
    fprintf(file, "its error dies out\n");
    print_poles(file, plant->states, design->kalman_poles, plant->period);
    fprintf(file, "  %-*s", LABEL, "one sigma");
    for (int i = 0; i < plant->states; i++)
        fprintf(file, "%s%s %.4g", i ? ", " : " ", plant->state[i],
                sqrt(design->covariance[i * plant->states + i]));
    fprintf(file, "\n  Riccati equation: relative residual %.2g, by %s\n",
            design->filter_riccati.residual, design->filter_riccati.method);
}

static void print_polytope(FILE *file, const ib_DesignPolytope *goal)
{
    if (!goal->given) return;
    fprintf(file, "\npolytope: the wanted point, brought into the region:");
    for (int i = 0; i < goal->axes; i++) fprintf(file, " %.9g", goal->answer[i]);
    fprintf(file, goal->lines ? ", %s the line\n" : "\n", goal->on_line ? "on" : "off");
}

// ------------------------------------------------------------------------------------------- trial

// The trial of the file in a few lines, beside what the linear loop promises.
static void print_trial(const ib_DesignFile *design, int index, FILE *file)
{
    ib_Arena arena = {0};
    ib_DesignTrials trials;
    ib_Error error;
    char plant[300];
    if (!design->trial.given || !design->loop) return;
    ib_design_bench_describe(design, index, plant, sizeof plant);
    fprintf(file, "\ntrial, on %s\n", plant);
    if (ib_design_trials_quiet(design, index, &arena, &trials, &error) != IB_OK) {
        fprintf(file, "  %s\n", error.text);
        ib_arena_reset(&arena);
        return;
    }
    const ib_DesignGear *gear = &design->gears[index];
    for (int i = 0; i < trials.quiet.states; i++) {
        if (!ib_design_trials_moves(&trials, i)) continue;
        ib_Response response = ib_design_trials_response(&trials, i);
        fprintf(file, "  %-*s %.6g to %.6g %s:", LABEL, gear->design.plant.state[i],
                trials.trial.start[i], trials.trial.goal[i], with_unit(gear->state_unit[i]));
        if (isfinite(response.settling))
            fprintf(file, " settled (2 %%) after %.4g s", response.settling);
        else
            fprintf(file, " not settled after %.4g s", trials.trial.duration);
        if (isfinite(response.overshoot))
            fprintf(file, ", overshoot %.3g %%", 100 * response.overshoot);
        fputc('\n', file);
    }
    ib_DesignUseRow rows[IB_DESIGN_USE_ROWS];
    int count = ib_design_trials_use(&trials.use, rows);
    for (int i = 0; i < count; i++)
        if (rows[i].value != 0 || rows[i].scale == 1)
            fprintf(file, "  %s: %.4g %s\n", rows[i].name, rows[i].scale * rows[i].value,
                    rows[i].shown);
    for (int i = 0; ib_design_trials_note(&trials.use, i, plant, sizeof plant); i++)
        fprintf(file, "  note: %s\n", plant);
    if (trials.quiet.ended) fprintf(file, "  %s\n", trials.quiet.ended);
    ib_arena_reset(&arena);
}

// ------------------------------------------------------------------------------------------ checks

static void print_checks(const ib_DesignFile *design, FILE *file)
{
    if (design->check_count) fprintf(file, "\nchecks\n");
    for (int i = 0; i < design->check_count; i++) {
        const ib_DesignCheck *check = &design->checks[i];
        char text[160];
        ib_design_check_describe(check, text, sizeof text);
        fprintf(file, "  %-*s %s %s\n", LABEL, ib_design_limit_names[check->what],
                check->passed ? "passed:" : "FAILED:", text);
    }
}

int design_print_failed(const ib_DesignFile *design, FILE *file)
{
    int failed = 0;
    for (int i = 0; i < design->check_count; i++) {
        const ib_DesignCheck *check = &design->checks[i];
        char text[160];
        if (check->passed) continue;
        ib_design_check_describe(check, text, sizeof text);
        fprintf(file, "%s:%d:%d: check.%s: %s\n", check->place.file, check->place.line,
                check->place.column, ib_design_limit_names[check->what], text);
        failed++;
    }
    return failed;
}

void design_print(const ib_DesignFile *design, FILE *file)
{
    fprintf(file, "%s\n", design->title);
    for (int i = 0; i < design->gear_count; i++) {
        const ib_DesignGear *gear = &design->gears[i];
        fputc('\n', file);
        if (design->scheduled) fprintf(file, "gear %s\n", gear->design.name);
        print_plant(file, gear);
        print_point(file, gear);
        if (gear->design.feedback) print_gain(file, gear);
        print_margins(file, &gear->design);
        print_kalman(file, &gear->design);
        print_trial(design, i, file);
    }
    print_polytope(file, &design->gears[0].polytope);
    print_checks(design, file);
}
