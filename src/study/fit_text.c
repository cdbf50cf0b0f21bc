#include "study/fit_text.h"

#include "base/json.h"
#include "base/tell.h"
#include "study/fit_table.h"

#include <math.h>

static void print_values(const ib_FitMotor *fit, const ib_FitSignals *signals, FILE *file)
{
    ib_FitLine lines[IB_FIT_LINES];
    ib_fit_table(fit, signals, lines);
    fprintf(file, "%-6s %12s    %-11s %-12s %s\n", "", "value", "95 %", "unit", "meaning");
    for (int i = 0; i < IB_FIT_LINES; i++) {
        const ib_FitValue *value = lines[i].value;
        if (!value->fitted) continue;
        fprintf(file, "%-6s %12.6g +- %-11.2g %-12s %s%s\n", lines[i].name, value->value,
                value->half, lines[i].unit, lines[i].sentence,
                value->determined ? "" : " (NOT DETERMINED)");
    }
}

static void print_quality(const ib_FitMotor *fit, const ib_FitSignals *signals, FILE *file)
{
    ib_tell(file, "\n%s: R^2 %.6f, rms residual %.3g, condition %.3g\n", signals->motion,
            fit->r_squared, fit->rms, fit->condition);
    fprintf(file, "voltage between samples: %s; neighbours err alike: %d samples count as %.0f\n",
            fit->held ? "held" : "straight lines, held at jumps", fit->used, fit->effective);
    if (ib_fit_is_rounded(fit))
        fprintf(file, "the values are multiples of %.3g: the intervals contain the rounding\n",
                fit->quantum);
    if (fit->one_step.valid)
        fprintf(file, "one-step least squares, for comparison: kS %.6g, kV %.6g, kA %.6g\n",
                fit->one_step.kS, fit->one_step.kV, fit->one_step.kA);
    else
        fprintf(file, "one-step least squares, for comparison: no motor fits it\n");
}

static void print_samples(const ib_FitMotor *fit, FILE *file)
{
    fprintf(file, "\nsamples: %d of %d used, in %d %s; dropped:\n", fit->used, fit->total,
            fit->stretches, fit->stretches == 1 ? "stretch" : "stretches");
    for (int i = 1; i < IB_FIT_DROPS; i++) {
        if (!fit->dropped[i]) continue;
        fprintf(file, "%8d %s", fit->dropped[i], ib_fit_drop_text((ib_FitDrop)i));
        if (i == IB_FIT_STANDING) fprintf(file, " (below %.3g)", fit->slowest);
        fputc('\n', file);
    }
}

// Prints the plant for a design: v' = -kV/kA v + V/kA
static void print_next(const ib_FitMotor *fit, FILE *file)
{
    for (int i = 0; i < IB_FIT_FLAGS; i++)
        if (fit->missing & 1 << i) fprintf(file, "\n%s\n", ib_fit_missing_text(1 << i));
    if (!ib_fit_serves_design(fit)) return;
    double pole = -fit->kV.value / fit->kA.value, gain = 1.0 / fit->kA.value;
    fprintf(file, "\nfor a design file (ironbird design):\n");
    if (fit->of_position)
        fprintf(file,
                "plant: {A: [[0, 1], [0, %.6g]], B: [[0], [%.6g]], C: [[1, 0]], D: [[0]],\n"
                "        states: [position, speed], inputs: [volts], outputs: [position]}\n",
                pole, gain);
    else
        fprintf(file,
                "plant: {A: [[%.6g]], B: [[%.6g]], C: [[1]], D: [[0]],\n"
                "        states: [speed], inputs: [volts], outputs: [speed]}\n",
                pole, gain);
    fprintf(file, "and beside its feedback:  V = %.4g sgn(v) + %.4g v + %.4g dv/dt\n",
            fit->kS.value, fit->kV.value, fit->kA.value);
}

void ib_fit_text(const ib_FitMotor *fit, const ib_FitSignals *signals, FILE *file)
{
    ib_tell(file, "%s over %s%s\n\n", signals->motion, signals->voltage,
            signals->bare ? " (no unit in the recording: taken as it is)" : "");
    print_values(fit, signals, file);
    print_quality(fit, signals, file);
    print_samples(fit, file);
    print_next(fit, file);
}

// -------------------------------------------------------------------------------------------- JSON

static void write_values(ib_Json *json, const ib_FitMotor *fit, const ib_FitSignals *signals)
{
    ib_FitLine lines[IB_FIT_LINES];
    ib_fit_table(fit, signals, lines);
    for (int i = 0; i < IB_FIT_LINES; i++) {
        const ib_FitValue *value = lines[i].value;
        ib_json_open(json, lines[i].name, '{');
        ib_json_number(json, "value", value->value);
        ib_json_number(json, "half_width", value->fitted ? value->half : NAN);
        ib_json_text(json, "unit", lines[i].unit);
        ib_json_flag(json, "fitted", value->fitted);
        ib_json_flag(json, "determined", value->determined);
        ib_json_close(json, '}');
    }
    ib_json_open(json, "one_step", '{');
    ib_json_number(json, "kS", fit->one_step.valid ? fit->one_step.kS : NAN);
    ib_json_number(json, "kV", fit->one_step.valid ? fit->one_step.kV : NAN);
    ib_json_number(json, "kA", fit->one_step.valid ? fit->one_step.kA : NAN);
    ib_json_close(json, '}');
    ib_json_number(json, "r_squared", fit->r_squared);
    ib_json_number(json, "rms", fit->rms);
    ib_json_number(json, "effective_samples", fit->effective);
    ib_json_number(json, "condition", fit->condition);
    ib_json_number(json, "quantum", fit->quantum);
    ib_json_open(json, "missing", '[');
    for (int i = 0; i < IB_FIT_FLAGS; i++)
        if (fit->missing & 1 << i) ib_json_text(json, NULL, ib_fit_missing_text(1 << i));
    ib_json_close(json, ']');
}

void ib_fit_json(const ib_FitMotor *fit, const ib_FitSignals *signals, const char *error,
                 FILE *file)
{
    ib_Json json = {.file = file};
    ib_json_open(&json, NULL, '{');
    if (error) ib_json_text(&json, "error", error);
    ib_json_text(&json, "voltage", signals->voltage);
    ib_json_text(&json, "motion", signals->motion);
    if (!error) write_values(&json, fit, signals);
    ib_json_integer(&json, "samples", fit->total);
    ib_json_integer(&json, "used", fit->used);
    ib_json_integer(&json, "stretches", fit->stretches);
    ib_json_open(&json, "dropped", '{');
    for (int i = 1; i < IB_FIT_DROPS; i++)
        if (fit->dropped[i])
            ib_json_integer(&json, ib_fit_drop_text((ib_FitDrop)i), fit->dropped[i]);
    ib_json_close(&json, '}');
    ib_json_close(&json, '}');
    fputc('\n', file);
}
