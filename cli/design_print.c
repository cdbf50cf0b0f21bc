#include "design_print.h"

#include "design_try.h"
#include "desk/design_table.h"

#include <math.h>
#include <string.h>

enum { LABEL = 16, CELL = 13 };

static const char *with_unit(const char *unit)
{
    return unit && strcmp(unit, "1") != 0 ? unit : "";
}

void design_print_cell(FILE *file, int width, int digits, double value, const char *unit,
                       const char *otherwise)
{
    char text[80];
    if (isfinite(value))
        snprintf(text, sizeof text, "%.*g%s%s", digits, value, unit[0] ? " " : "", unit);
    else
        snprintf(text, sizeof text, "%s", otherwise);
    fprintf(file, " %*s", width, text);
}

// -------------------------------------------------------------------------------------------- rows

static int wider(int width, const char *name)
{
    int length = (int)strlen(name);
    return length > width ? length : width;
}

// A matrix with names at its rows and over its columns.
static void print_matrix(FILE *file, const ib_DesignGear *gear, const ib_DesignRow *row)
{
    ib_DesignSide left = ib_design_side(gear, row->rows), top = ib_design_side(gear, row->columns);
    const double *a = ib_design_row_value(gear, row);
    int label = LABEL;
    for (int i = 0; i < left.count; i++) label = wider(label, left.name[i]);
    fprintf(file, "  %-*s", label, "");
    for (int k = 0; k < top.count; k++)
        fprintf(file, " %*s", wider(CELL, top.name[k]), top.name[k]);
    fputc('\n', file);
    for (int i = 0; i < left.count; i++) {
        fprintf(file, "  %-*s", label, left.name[i]);
        for (int k = 0; k < top.count; k++)
            fprintf(file, " %*.6g", wider(CELL, top.name[k]), a[i * top.count + k]);
        fputc('\n', file);
    }
}

// "0.9561 +- 0.0079i" for a pair, once.
static void format_pole(const ib_DesignPole *pole, char *text, size_t size)
{
    if (hypot(pole->re, pole->im) < 1e-12) // to rounding
        snprintf(text, size, "0");
    else if (pole->im == 0)
        snprintf(text, size, "%.6g", pole->re);
    else
        snprintf(text, size, "%.6g +- %.6gi", pole->re, fabs(pole->im));
}

// How a column of figures is laid out.
typedef struct Column {
    int width, digits;
} Column;

static void print_titles(FILE *file, const ib_Figure *table, const Column *columns)
{
    for (const ib_Figure *figure = table; figure->key; figure++)
        if (figure->title) fprintf(file, " %*s", columns++->width, figure->title);
    fputc('\n', file);
}

static void print_figures(FILE *file, const ib_Figure *table, const void *of,
                          const Column *columns)
{
    for (const ib_Figure *figure = table; figure->key; figure++) {
        if (!figure->title) continue;
        design_print_cell(file, columns->width, columns->digits, ib_figure_shown(figure, of),
                          figure->unit, ib_figure_otherwise(figure));
        columns++;
    }
    fputc('\n', file);
}

static void print_poles(FILE *file, const ib_DesignGear *gear, const ib_DesignRow *row)
{
    static const Column columns[] = {{12, 4}, {10, 3}, {12, 4}};
    int count = ib_design_side(gear, row->rows).count;
    fprintf(file, "  %-26s", "pole (z)");
    print_titles(file, ib_pole_figures, columns);
    for (int i = 0; i < count; i++) {
        char text[60];
        ib_DesignPole pole = ib_design_pole(gear, row, i);
        if (pole.im < 0) continue; // the other one of its pair is printed
        format_pole(&pole, text, sizeof text);
        fprintf(file, "  %-26s", text);
        print_figures(file, ib_pole_figures, &pole, columns);
    }
}

static void print_deviations(FILE *file, const ib_DesignGear *gear, const ib_DesignRow *row)
{
    ib_DesignSide side = ib_design_side(gear, row->rows);
    fprintf(file, "  %-*s", LABEL, ib_design_row_words(gear, row)->title);
    for (int i = 0; i < side.count; i++)
        fprintf(file, "%s%s %.4g", i ? ", " : " ", side.name[i],
                ib_design_deviation(gear, row, i));
    fputc('\n', file);
}

// What stands above a row: a gain by its law, poles by what they are of.
static void print_title(FILE *file, const ib_DesignGear *gear, const ib_DesignRow *row)
{
    const char *title = ib_design_row_words(gear, row)->title;
    if (row->law)
        fprintf(file, "%s: %s%s%s\n", title, row->law[0] == ' ' ? "u = …" : "", row->law,
                row->letters ? row->letters : "");
    else if (row->form == IB_ROW_FLAG)
        fprintf(file, "%s: %s\n", title, gear->design.stable ? "stable" : "NOT stable");
    else if (title)
        fprintf(file, "%s\n", title);
}

static void print_row(FILE *file, const ib_DesignGear *gear, const char *key)
{
    const ib_DesignRow *row = ib_design_row(key);
    char memory[IB_ROW_SAID];
    const char *text = ib_design_row_say(gear, row, memory);
    if (!ib_design_row_given(gear, row)) return;
    if (text) {
        if (text[0]) fprintf(file, "  %s\n", text);
    } else if (row->form == IB_ROW_COVARIANCE) {
        print_deviations(file, gear, row);
    } else {
        print_title(file, gear, row);
        if (row->form == IB_ROW_MATRIX) print_matrix(file, gear, row);
        if (row->form == IB_ROW_POLES) print_poles(file, gear, row);
    }
}

static void print_rows(FILE *file, const ib_DesignGear *gear, const char *const *keys)
{
    for (; *keys; keys++) print_row(file, gear, *keys);
}

// ------------------------------------------------------------------------------------------- parts

static void print_ports(FILE *file, const ib_DesignGear *gear, const ib_DesignPort *port)
{
    ib_DesignSide side = ib_design_side(gear, port->axis);
    fprintf(file, "  %-*s", LABEL, port->key);
    for (int i = 0; i < side.count; i++) {
        const char *unit = with_unit(side.unit[i]);
        fprintf(file, "%s%s%s%s%s", i ? ", " : " ", side.name[i], unit[0] ? " [" : "", unit,
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
    static const char *const keys[] = {"controllable", "not_controllable", "not_observable",
                                       "plant_poles", NULL};
    fprintf(file, "plant%s%s, every %.6g s%s\n", gear->mechanical ? ": " : "",
            gear->mechanical ? gear->mechanism.kind->sentence : "", gear->config.period,
            gear->config.hold == IB_HOLD_TUSTIN ? ", sampled by Tustin" : "");
    for (int i = 0; i < IB_DESIGN_PORTS; i++) print_ports(file, gear, &ib_design_ports[i]);
    print_facts(file, gear);
    print_rows(file, gear, keys);
}

static void print_values(FILE *file, const ib_DesignSide *side, const double *values, char end)
{
    for (int i = 0; i < side->count; i++)
        fprintf(file, " %s = %.6g %s%c", side->name[i], values[i], with_unit(side->unit[i]),
                i + 1 < side->count ? ',' : end);
}

static void print_point(FILE *file, const ib_DesignGear *gear)
{
    ib_DesignSide states = ib_design_side(gear, IB_AXIS_STATES);
    ib_DesignSide inputs = ib_design_side(gear, IB_AXIS_INPUTS);
    if (!ib_design_point_given(gear)) return;
    fprintf(file, "\noperating point: the gains below are of deviations from it\n ");
    print_values(file, &states, gear->config.x0, ',');
    print_values(file, &inputs, gear->config.u0, '\n');
    print_row(file, gear, "note");
}

static void print_feedback(FILE *file, const ib_DesignGear *gear)
{
    static const char *const keys[] = {
        "K",        "G",             "latency", "F",                "stable",
        "not_held", "delayed_poles", "poles",   "riccati_residual", "placement_accuracy",
        NULL};
    if (!gear->design.feedback) return;
    fputc('\n', file);
    print_rows(file, gear, keys);
}

static void print_margins(FILE *file, const ib_Design *design)
{
    static const Column columns[] = {{12, 4}, {12, 4}, {12, 4}, {12, 4}, {12, 4}};
    if (!design->feedback) return;
    if (!design->margined || !design->margins.stable) {
        fprintf(file, "margins: %s\n",
                design->margined ? "none, the loop is not stable" : design->unmargined.text);
        return;
    }
    fprintf(file, "margins: how much more or less of an input the loop stands\n  %-*s", LABEL, "");
    print_titles(file, ib_margin_figures, columns);
    for (int i = 0; i < design->plant.inputs; i++) {
        fprintf(file, "  %-*s", LABEL, design->plant.input[i]);
        print_figures(file, ib_margin_figures, &design->margins.input[i], columns);
    }
}

static void print_filter(FILE *file, const ib_DesignGear *gear)
{
    static const char *const keys[] = {"kalman_gain", "kalman_poles", "covariance",
                                       "kalman_residual", NULL};
    if (!gear->design.kalman) return;
    fputc('\n', file);
    print_rows(file, gear, keys);
}

static void print_polytope(FILE *file, const ib_DesignGear *gear)
{
    const ib_DesignRow *row = ib_design_row("polytope");
    char memory[IB_ROW_SAID];
    if (ib_design_row_given(gear, row))
        fprintf(file, "\npolytope: %s\n", ib_design_row_say(gear, row, memory));
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
        print_feedback(file, gear);
        print_margins(file, &gear->design);
        print_filter(file, gear);
        design_try_brief(design, i, file);
    }
    print_polytope(file, &design->gears[0]);
    print_checks(design, file);
}
