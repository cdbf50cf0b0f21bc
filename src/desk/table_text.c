#include "desk/table_text.h"

#include <math.h>
#include <string.h>

enum { CELL = 13 };

// ------------------------------------------------------------------------------------------- facts

void ib_fact_text(FILE *file, const ib_Fact *fact, const void *of, const char *own,
                  ib_TextColumn column)
{
    char text[80];
    double value = of ? ib_fact_shown(fact, of) : NAN;
    const char *unit = fact->unit ? fact->unit : own;
    if (column.unsigned_zero && value == 0) value = 0;
    if (isfinite(value))
        snprintf(text, sizeof text, "%.*g%s%s", column.digits, value, unit[0] ? " " : "", unit);
    else
        snprintf(text, sizeof text, "%s", ib_fact_otherwise(fact));
    fprintf(file, " %*s", column.width, text);
}

void ib_facts_text(FILE *file, const ib_Fact *table, const void *of, const ib_TextColumn *columns)
{
    for (const ib_Fact *fact = table; fact->key; fact++) {
        if (!fact->title) continue;
        if (of)
            ib_fact_text(file, fact, of, "", *columns);
        else
            fprintf(file, " %*s", columns->width, fact->title);
        if (columns[1].width) columns++;
    }
    fputc('\n', file);
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
    int label = IB_TEXT_LABEL;
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
    if (hypot(pole->re, pole->im) < 1e-12) // within rounding
        snprintf(text, size, "0");
    else if (pole->im == 0)
        snprintf(text, size, "%.6g", pole->re);
    else
        snprintf(text, size, "%.6g +- %.6gi", pole->re, fabs(pole->im));
}

static void print_poles(FILE *file, const ib_DesignGear *gear, const ib_DesignRow *row)
{
    static const ib_TextColumn columns[] = {{12, 4}, {10, 3}, {12, 4}, {0}};
    int count = ib_design_side(gear, row->rows).count;
    fprintf(file, "  %-26s", "pole (z)");
    ib_facts_text(file, ib_pole_facts, NULL, columns);
    for (int i = 0; i < count; i++) {
        char text[60];
        ib_DesignPole pole = ib_design_pole(gear, row, i);
        if (pole.im < 0) continue; // its conjugate is printed
        format_pole(&pole, text, sizeof text);
        fprintf(file, "  %-26s", text);
        ib_facts_text(file, ib_pole_facts, &pole, columns);
    }
}

static void print_deviations(FILE *file, const ib_DesignGear *gear, const ib_DesignRow *row)
{
    ib_DesignSide side = ib_design_side(gear, row->rows);
    fprintf(file, "  %-*s", IB_TEXT_LABEL, ib_design_row_words(gear, row)->title);
    for (int i = 0; i < side.count; i++)
        fprintf(file, "%s%s %.4g", i ? ", " : " ", side.name[i], ib_design_deviation(gear, row, i));
    fputc('\n', file);
}

// Prints the title of a row: the law of a gain, the matrix of poles.
static void print_title(FILE *file, const ib_DesignGear *gear, const ib_DesignRow *row)
{
    const char *title = ib_design_row_words(gear, row)->title;
    if (row->law)
        fprintf(file, "%s: %s%s%s\n", title, row->law[0] == ' ' ? "u = …" : "", row->law,
                row->letters ? row->letters : "");
    else if (row->form == IB_ROW_FLAG)
        fprintf(file, "%s: %s\n", title,
                *(const bool *)ib_design_row_value(gear, row) ? "stable" : "NOT stable");
    else if (title)
        fprintf(file, "%s\n", title);
}

void ib_row_text(FILE *file, const ib_DesignGear *gear, const ib_DesignRow *row)
{
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

void ib_rows_text(FILE *file, const ib_DesignGear *gear, const char *const *keys)
{
    for (; *keys; keys++) ib_row_text(file, gear, ib_design_row(*keys));
}
