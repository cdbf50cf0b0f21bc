#include "desk/table_json.h"

#include <math.h>

// ------------------------------------------------------------------------------------------- parts

// ib_json_number writes a value that is not finite as null.
void ib_json_null(ib_Json *json, const char *key)
{
    ib_json_number(json, key, NAN);
}

void ib_json_name(ib_Json *json, const char *key, const char *text)
{
    if (text)
        ib_json_text(json, key, text);
    else
        ib_json_null(json, key);
}

void ib_json_names(ib_Json *json, const char *key, int count, const char *const *texts)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < count; i++) ib_json_name(json, NULL, texts[i]);
    ib_json_close(json, ']');
}

void ib_json_vector(ib_Json *json, const char *key, int count, const double *values)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < count; i++) ib_json_number(json, NULL, values[i]);
    ib_json_close(json, ']');
}

void ib_json_matrix(ib_Json *json, const char *key, int rows, int columns, const double *a)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < rows; i++) ib_json_vector(json, NULL, columns, a + i * columns);
    ib_json_close(json, ']');
}

// ------------------------------------------------------------------------------------------- facts

void ib_fact_json(ib_Json *json, const ib_Fact *fact, const void *of)
{
    ib_json_number(json, fact->key, ib_fact_value(fact, of));
}

void ib_facts_json(ib_Json *json, const ib_Fact *table, const void *of, unsigned told)
{
    for (const ib_Fact *fact = table; fact->key; fact++)
        if (fact->told & told) ib_fact_json(json, fact, of);
}

static void write_poles(ib_Json *json, const ib_DesignGear *gear, const ib_DesignRow *row,
                        unsigned told)
{
    int count = ib_design_side(gear, row->rows).count;
    ib_json_open(json, row->key, '[');
    for (int i = 0; i < count; i++) {
        ib_DesignPole pole = ib_design_pole(gear, row, i);
        ib_json_open(json, NULL, '{');
        ib_facts_json(json, ib_pole_facts, &pole, told);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

static void write_margins(ib_Json *json, const ib_DesignGear *gear, const ib_DesignRow *row,
                          unsigned told)
{
    const ib_Margin *margins = ib_design_row_value(gear, row);
    ib_DesignSide side = ib_design_side(gear, row->rows);
    ib_json_open(json, row->key, '[');
    for (int i = 0; i < side.count; i++) {
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "input", side.name[i]);
        ib_facts_json(json, ib_margin_facts, &margins[i], told);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

// -------------------------------------------------------------------------------------------- rows

static void write_absent(ib_Json *json, const ib_DesignRow *row, unsigned told)
{
    if (told & IB_TOLD_PAGE) {
        ib_json_open(json, row->key, '[');
        ib_json_close(json, ']');
    } else {
        ib_json_null(json, row->key);
    }
}

static void write_object(ib_Json *json, const ib_DesignGear *gear, const ib_DesignRow *row,
                         unsigned told)
{
    ib_json_open(json, row->key, '{');
    for (const ib_DesignRow *part = row->parts; part->key; part++)
        ib_row_json(json, gear, part, told);
    ib_json_close(json, '}');
}

void ib_row_json(ib_Json *json, const ib_DesignGear *gear, const ib_DesignRow *row, unsigned told)
{
    const void *value = ib_design_row_value(gear, row);
    const ib_DesignSide rows = ib_design_side(gear, row->rows);
    if (!ib_design_row_given(gear, row)) {
        write_absent(json, row, told);
        return;
    }
    switch (row->form) {
    case IB_ROW_NUMBER:
        ib_json_number(json, row->key, *(const double *)value);
        break;
    case IB_ROW_FLAG:
        ib_json_flag(json, row->key, *(const bool *)value);
        break;
    case IB_ROW_TEXT:
        ib_json_text(json, row->key, value);
        break;
    case IB_ROW_NAME:
        ib_json_name(json, row->key, *(const char *const *)value);
        break;
    case IB_ROW_NAMES:
        ib_json_names(json, row->key, rows.count, rows.name);
        break;
    case IB_ROW_VECTOR:
        ib_json_vector(json, row->key, rows.count, value);
        break;
    case IB_ROW_MATRIX:
    case IB_ROW_COVARIANCE:
        ib_json_matrix(json, row->key, rows.count, ib_design_side(gear, row->columns).count, value);
        break;
    case IB_ROW_POLES:
        write_poles(json, gear, row, told);
        break;
    case IB_ROW_MARGINS:
        write_margins(json, gear, row, told);
        break;
    case IB_ROW_OBJECT:
        write_object(json, gear, row, told);
        break;
    }
}

// ------------------------------------------------------------------------------------------ checks

void ib_checks_json(ib_Json *json, const ib_DesignFile *design, unsigned told)
{
    bool page = told & IB_TOLD_PAGE;
    ib_json_open(json, page ? "checks" : "check", '[');
    for (int i = 0; i < design->check_count; i++) {
        const ib_DesignCheck *check = &design->checks[i];
        ib_json_open(json, NULL, '{');
        ib_json_text(json, page ? "name" : "what", ib_design_limit_names[check->what]);
        if (page)
            ib_json_text(json, "unit", ib_design_limit_units[check->what]);
        else
            ib_json_text(json, "gear", check->gear);
        ib_json_number(json, "limit", check->limit);
        ib_json_number(json, "found", check->found);
        ib_json_flag(json, "passed", check->passed);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}
