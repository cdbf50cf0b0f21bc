// base/schema_text.c: accepted values and present value of a parameter, as a person writes them.
#include "base/schema.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VALUE_TEXT = 160 }; // a number with its unit, printed

const char *ib_schema_unit(const char *unit, bool *difference)
{
    static const char mark[] = "delta ";
    bool marked = unit && unit[0] == mark[0] && strncmp(unit, mark, sizeof mark - 1) == 0;
    if (difference) *difference = marked;
    return !unit ? "1" : marked ? unit + sizeof mark - 1 : unit;
}

// "2.7 kg"; "3" with unit 1.
static void format_number(double value, const char *unit, char *text, size_t size)
{
    char number[40];
    unit = ib_schema_unit(unit, NULL);
    ib_number_format(value, number, sizeof number);
    if (strcmp(unit, "1") == 0)
        snprintf(text, size, "%s", number);
    else
        snprintf(text, size, "%s %s", number, unit);
}

// Appends to `text`, cut at `size`.
static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    if (used < size) snprintf(text + used, size - used, "%s", more);
}

// ---------------------------------------------------------------------------------------- expected

// "0.001 kg to 1e+06 kg", "at least 0 kg", "at most 5 kg", or nothing without limits.
static void format_range(const char *unit, double low, double high, char *text, size_t size)
{
    char min[VALUE_TEXT], max[VALUE_TEXT];
    bool below = low >= -1e300, above = high <= 1e300;
    format_number(low, unit, min, sizeof min);
    format_number(high, unit, max, sizeof max);
    if (below && above)
        snprintf(text, size, "%s to %s", min, max);
    else if (below)
        snprintf(text, size, "at least %s", min);
    else if (above)
        snprintf(text, size, "at most %s", max);
    else
        text[0] = '\0';
}

// "a mass", "a pressure difference", "a value in kg/m" in the unit of the table.
static void format_dimension(const char *unit, char *text, size_t size)
{
    bool difference;
    ib_Dimension dimension;
    unit = ib_schema_unit(unit, &difference);
    text[0] = '\0';
    if (ib_units_dimension(unit, &dimension, NULL) == IB_OK)
        ib_dimension_describe(dimension, unit, text, size);
    if (strncmp(text, "a value in ", 11) == 0) snprintf(text, size, "a value in %.100s", unit);
    if (difference) append(text, size, " difference");
}

void ib_schema_describe(const char *unit, double min, double max, char *text, size_t size)
{
    char what[VALUE_TEXT], range[2 * VALUE_TEXT + 16];
    format_dimension(unit, what, sizeof what);
    format_range(unit, min, max, range, sizeof range);
    snprintf(text, size, "%s%s%s", what, range[0] ? ", " : "", range);
}

static void expect_choice(const char *const *words, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; words[i]; i++) {
        append(text, size, i ? ", " : "one of ");
        append(text, size, words[i]);
    }
}

// "rows [a pressure, a volume flow], 2 to 32 of them"
static void expect_table(const ib_TableDef *table, char *text, size_t size)
{
    char what[VALUE_TEXT];
    snprintf(text, size, "rows [");
    for (int i = 0; i < table->columns; i++) {
        format_dimension(table->units[i], what, sizeof what);
        if (i) append(text, size, ", ");
        append(text, size, what);
    }
    snprintf(what, sizeof what, "], %d to %d of them", table->rows, IB_TABLE_ROWS);
    append(text, size, what);
}

static void expect_preset(const ib_PresetDef *preset, char *text, size_t size)
{
    if (!preset->file)
        snprintf(text, size, "%sa map", preset->off ? "off or " : "");
    else if (preset->off)
        snprintf(text, size, "off, a name from data/%s.yaml, or a map", preset->file);
    else
        snprintf(text, size, "a name from data/%s.yaml, or a map", preset->file);
}

const char *ib_schema_off(const ib_Param *param)
{
    return param->type == IB_PARAM_LIMIT && param->detail ? param->detail : "off";
}

void ib_schema_expected(const ib_Param *param, char *text, size_t size)
{
    const ib_NamedDef *named = param->detail;
    char range[2 * VALUE_TEXT + 16], what[4 * VALUE_TEXT];
    bool number = param->type == IB_PARAM_NUMBER || param->type == IB_PARAM_LIMIT;
    if (number || param->type == IB_PARAM_PAIR || param->type == IB_PARAM_SPAN)
        ib_schema_describe(param->unit, param->min, param->max, what, sizeof what);
    switch (param->type) {
    case IB_PARAM_CHOICE:
        expect_choice(param->detail, text, size);
        return;
    case IB_PARAM_FLAG:
        snprintf(text, size, "true or false");
        return;
    case IB_PARAM_COUNT:
        format_range(param->unit, param->min, param->max, range, sizeof range);
        snprintf(text, size, "a whole number%s%s", range[0] ? ", " : "", range);
        return;
    case IB_PARAM_NUMBER:
        snprintf(text, size, "%s", what);
        return;
    case IB_PARAM_LIMIT:
        snprintf(text, size, "%s, or %s", what, ib_schema_off(param));
        return;
    case IB_PARAM_PAIR:
        snprintf(text, size, "[low, high], each %s", what);
        return;
    case IB_PARAM_SPAN:
        snprintf(text, size, "[low, high], each %s, or off", what);
        return;
    case IB_PARAM_TABLE:
        expect_table(param->detail, text, size);
        return;
    case IB_PARAM_PRESET:
        expect_preset(param->detail, text, size);
        return;
    case IB_PARAM_NAMED:
        if (named->single)
            snprintf(text, size, "a map, or a list of 1 to %d maps", named->most);
        else if (named->listed)
            snprintf(text, size, "a list of 1 to %d maps", named->most);
        else
            snprintf(text, size, "a map of at most %d, each by its name", named->most);
        return;
    case IB_PARAM_WORDS:
        snprintf(text, size, "a name, or a list of names");
        return;
    case IB_PARAM_FILE:
        snprintf(text, size, "the name of %s", (const char *)param->detail);
        return;
    }
}

// ------------------------------------------------------------------------------------------ values

static void format_pair(const double pair[2], const char *unit, char *text, size_t size)
{
    char low[VALUE_TEXT], high[VALUE_TEXT];
    format_number(pair[0], unit, low, sizeof low);
    format_number(pair[1], unit, high, sizeof high);
    snprintf(text, size, "%s, %s", low, high);
}

static void format_table(const ib_Table *table, const ib_TableDef *def, char *text, size_t size)
{
    char cell[VALUE_TEXT];
    text[0] = '\0';
    for (int row = 0; row < table->count; row++) {
        for (int i = 0; i < def->columns; i++) {
            double value = i ? table->y[i - 1][row] : table->x[row];
            format_number(value, def->units[i], cell, sizeof cell);
            append(text, size, i ? " " : row ? ", " : "");
            append(text, size, cell);
        }
    }
}

static void format_choice(const char *const *words, int index, char *text, size_t size)
{
    for (int i = 0; i < index; i++) IB_ASSERT(words[i]);
    snprintf(text, size, "%s", words[index]);
}

void ib_schema_format(const ib_Param *param, const void *config, char *text, size_t size)
{
    const char *field = (const char *)config + param->offset;
    double numbers[2];
    ib_Table table;
    ib_Words words;
    ib_FileText file;
    int whole = 0;
    bool flag;
    switch (param->type) {
    case IB_PARAM_NUMBER:
    case IB_PARAM_LIMIT:
        memcpy(numbers, field, sizeof numbers[0]);
        if (param->type == IB_PARAM_LIMIT && isinf(numbers[0]))
            snprintf(text, size, "%s", ib_schema_off(param));
        else
            format_number(numbers[0], param->unit, text, size);
        return;
    case IB_PARAM_PAIR:
    case IB_PARAM_SPAN:
        memcpy(numbers, field, sizeof numbers);
        if (isinf(numbers[0]))
            snprintf(text, size, "off");
        else
            format_pair(numbers, param->unit, text, size);
        return;
    case IB_PARAM_TABLE:
        memcpy(&table, field, sizeof table);
        format_table(&table, param->detail, text, size);
        return;
    case IB_PARAM_FLAG:
        memcpy(&flag, field, sizeof flag);
        snprintf(text, size, "%s", flag ? "true" : "false");
        return;
    case IB_PARAM_CHOICE:
        memcpy(&whole, field, sizeof whole);
        format_choice(param->detail, whole, text, size);
        return;
    case IB_PARAM_PRESET:
        memcpy(&whole, field, sizeof whole);
        snprintf(text, size, "%s", whole ? "on" : "off");
        return;
    case IB_PARAM_COUNT:
    case IB_PARAM_NAMED:
        memcpy(&whole, field, sizeof whole);
        snprintf(text, size, "%d", whole);
        return;
    case IB_PARAM_WORDS:
        memcpy(&words, field, sizeof words);
        text[0] = '\0';
        for (int i = 0; i < words.count; i++) {
            if (i) append(text, size, ", ");
            append(text, size, words.items[i]);
        }
        return;
    case IB_PARAM_FILE:
        memcpy(&file, field, sizeof file);
        snprintf(text, size, "%s", file.name ? file.name : "none");
        return;
    }
}
