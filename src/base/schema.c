#include "base/schema.h"

#include "base/number.h"
#include "base/quote.h"
#include "base/units.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VALUE_TEXT = 160, EXPECTED_TEXT = 512 };

// -------------------------------------------------------------------------------------- one number

// "'-1000 us' (-0.001 s)": as written, and in SI if that differs.
static void format_given(const char *unit, double value, const char *text, char *given, size_t size)
{
    char number[40], si[VALUE_TEXT];
    unit = ib_schema_unit(unit, NULL);
    ib_number_format(value, number, sizeof number);
    bool pure = strcmp(unit, "1") == 0;
    snprintf(si, sizeof si, "%s%s%.100s", number, pure ? "" : " ", pure ? "" : unit);
    if (!text)
        snprintf(given, size, "%s", si);
    else if (strcmp(text, si) == 0)
        snprintf(given, size, "'%s'", si);
    else
        snprintf(given, size, "'%s' (%s)", ib_quote(text).text, si);
}

static ib_Status read_number(const char *text, const char *unit, double *value, ib_Error *error)
{
    bool difference;
    unit = ib_schema_unit(unit, &difference);
    return difference ? ib_units_read_difference(text, unit, value, error)
                      : ib_units_read(text, unit, value, error);
}

// Texts are made for a refusal only: a scenario has hundreds of values,
// and a sweep reads it once a run.
static ib_Status refuse_number(const ib_Param *param, double value, const char *text,
                               const char *problem, ib_Error *error)
{
    char given[VALUE_TEXT + IB_QUOTE_LENGTH + 16], expected[EXPECTED_TEXT];
    bool number = param->type <= IB_PARAM_COUNT || param->type == IB_PARAM_LIMIT;
    ib_schema_expected(param, expected, sizeof expected);
    format_given(param->unit, value, text, given, sizeof given);
    return ib_error_set(error, IB_BAD_INPUT, "%sexpected %s, got %s%s", problem, expected,
                        number ? "" : "the number ", given);
}

ib_Status ib_schema_set_read(const ib_Param *param, double value, const char *text, void *config,
                             ib_Error *error)
{
    char *field = (char *)config + param->offset;
    bool real = param->type == IB_PARAM_NUMBER || param->type == IB_PARAM_LIMIT;
    if (!real && param->type != IB_PARAM_COUNT) return refuse_number(param, value, text, "", error);

    // "Not inside", rather than "outside", refuses NaN too.
    bool whole = value == floor(value) && value >= INT_MIN && value <= INT_MAX;
    bool inside = value >= param->min && value <= param->max && isfinite(value);
    if (!inside) return refuse_number(param, value, text, "out of range: ", error);
    if (real) {
        memcpy(field, &value, sizeof value);
        return IB_OK;
    }
    if (!whole) return refuse_number(param, value, text, "", error);
    int count = (int)value;
    memcpy(field, &count, sizeof count);
    return IB_OK;
}

ib_Status ib_schema_set_number(const ib_Param *param, double value, void *config, ib_Error *error)
{
    return ib_schema_set_read(param, value, NULL, config, error);
}

// -------------------------------------------------------------------------------- pairs and tables

static const char *cell_unit(const ib_Param *param, int column)
{
    const ib_TableDef *table = param->detail;
    return param->type == IB_PARAM_TABLE ? table->units[column] : param->unit;
}

ib_Status ib_schema_check_cell(const ib_Param *param, int column, double value,
                               const double *before, const char *text, ib_Error *error)
{
    char given[VALUE_TEXT + IB_QUOTE_LENGTH + 16], expected[EXPECTED_TEXT];
    const char *unit = cell_unit(param, column);
    bool table = param->type == IB_PARAM_TABLE;
    bool bound = !table || (column > 0 && param->min < param->max);
    bool grows = column == (table ? 0 : 1);
    bool outside = !isfinite(value) || (bound && !(value >= param->min && value <= param->max));
    if (!outside && (!grows || !before || value > *before)) return IB_OK;

    format_given(unit, value, text, given, sizeof given);
    if (outside) {
        ib_schema_describe(unit, bound ? param->min : -HUGE_VAL, bound ? param->max : HUGE_VAL,
                           expected, sizeof expected);
        return ib_error_set(error, IB_BAD_INPUT, "out of range: expected %s, got %s", expected,
                            given);
    }
    format_given(unit, *before, NULL, expected, sizeof expected);
    return ib_error_set(error, IB_BAD_INPUT, "expected more than the %s before it (%s), got %s",
                        table ? "row" : "value", expected, given);
}

// The piece of `text` up to `end`, without the white space around it.
static ib_Status read_piece(const ib_Param *param, int column, const char *text, const char *end,
                            const double *before, double *value, ib_Error *error)
{
    char piece[VALUE_TEXT];
    snprintf(piece, sizeof piece, "%.*s", (int)(end - text), text);
    const char *start = piece + strspn(piece, IB_SPACES);
    for (size_t length = strlen(piece); length && strchr(IB_SPACES, piece[length - 1]); length--)
        piece[length - 1] = '\0';
    ib_Status status = read_number(start, cell_unit(param, column), value, error);
    return status ? status : ib_schema_check_cell(param, column, *value, before, start, error);
}

// "95 psig, 115 psig"
static ib_Status set_pair(const ib_Param *param, const char *text, char *field, ib_Error *error)
{
    double pair[2];
    const char *comma = strchr(text, ',');
    if (!comma || strchr(comma + 1, ','))
        return ib_error_set(error, IB_BAD_INPUT, "expected two values, got '%s'",
                            ib_quote(text).text);
    ib_Status status = read_piece(param, 0, text, comma, NULL, &pair[0], error);
    if (status == IB_OK)
        status = read_piece(param, 1, comma + 1, text + strlen(text), &pair[0], &pair[1], error);
    if (status == IB_OK) memcpy(field, pair, sizeof pair);
    return status;
}

// The start of the next cell of a row: a word that begins like a number. A unit never does.
static const char *next_cell(const char *text, const char *end)
{
    text += strspn(text, IB_SPACES);
    do {
        text += strcspn(text, IB_SPACES ",");
        text += strspn(text, IB_SPACES);
    } while (text < end && !strchr("+-.0123456789", *text));
    return text < end ? text : end;
}

// "0 psig 0.9 cfm, 115 psig 0.3 cfm": one row, which ends at `end`.
static ib_Status read_row(const ib_Param *param, const char *text, const char *end, ib_Table *table,
                          ib_Error *error)
{
    const ib_TableDef *def = param->detail;
    int row = table->count, column = 0;
    while (text < end) {
        const char *next = next_cell(text, end);
        if (column == def->columns) break;
        double *value = column ? &table->y[column - 1][row] : &table->x[row];
        const double *before = row && !column ? &table->x[row - 1] : NULL;
        ib_Status status = read_piece(param, column, text, next, before, value, error);
        if (status) return status;
        text = next;
        column++;
    }
    if (text < end || column < def->columns)
        return ib_error_set(error, IB_BAD_INPUT, "row %d: expected %d values", row + 1,
                            def->columns);
    table->count++;
    return IB_OK;
}

static ib_Status set_table(const ib_Param *param, const char *text, char *field, ib_Error *error)
{
    const ib_TableDef *def = param->detail;
    ib_Table table = {0};
    bool none = text[0] == '\0';
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = text + strcspn(text, ",");
        if (table.count == IB_TABLE_ROWS)
            return ib_error_set(error, IB_BAD_INPUT, "more than %d rows", IB_TABLE_ROWS);
        ib_Status status = read_row(param, text, end, &table, error);
        if (status) return status;
    }
    if (table.count < def->rows && !none)
        return ib_error_set(error, IB_BAD_INPUT, "expected at least %d rows, got %d", def->rows,
                            table.count);
    memcpy(field, &table, sizeof table);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- words

static ib_Status set_choice(const ib_Param *param, const char *text, char *field, ib_Error *error)
{
    const char *const *words = param->detail;
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], text) != 0) continue;
        memcpy(field, &i, sizeof i);
        return IB_OK;
    }
    char expected[EXPECTED_TEXT];
    ib_schema_expected(param, expected, sizeof expected);
    return ib_error_set(error, IB_BAD_INPUT, "expected %s, got '%s'%s", expected,
                        ib_quote(text).text, ib_word_hint(':', text, words).text);
}

static ib_Status set_flag(const char *text, char *field, ib_Error *error)
{
    bool yes = strcmp(text, "true") == 0;
    if (!yes && strcmp(text, "false") != 0)
        return ib_error_set(error, IB_BAD_INPUT, "expected true or false, got '%s'",
                            ib_quote(text).text);
    memcpy(field, &yes, sizeof yes);
    return IB_OK;
}

static ib_Status set_preset(const ib_Param *param, const char *text, char *field, ib_Error *error)
{
    const ib_PresetDef *preset = param->detail;
    int on = strcmp(text, "off") != 0;
    char expected[EXPECTED_TEXT];
    bool wrong = on ? !text[0] : !preset->off;
    if (wrong) ib_schema_expected(param, expected, sizeof expected);
    if (wrong) return ib_error_set(error, IB_BAD_INPUT, "expected %s, got '%s'", expected, text);
    memcpy(field, &on, sizeof on);
    return IB_OK;
}

// A word in place of a limit: only `off` makes sense.
static ib_Status set_off(const ib_Param *param, const char *text, char *field, ib_Error *error)
{
    const double none = HUGE_VAL;
    char expected[EXPECTED_TEXT];
    if (strcmp(text, ib_schema_off(param)) == 0) {
        memcpy(field, &none, sizeof none);
        return IB_OK;
    }
    ib_schema_expected(param, expected, sizeof expected);
    return ib_error_set(error, IB_BAD_INPUT, "expected %s, got '%s'", expected,
                        ib_quote(text).text);
}

ib_Status ib_schema_set(const ib_Param *param, const char *text, void *config, ib_Error *error)
{
    char *field = (char *)config + param->offset, expected[EXPECTED_TEXT];
    ib_Status status = IB_BAD_INPUT;
    double value;
    switch (param->type) {
    case IB_PARAM_CHOICE:
        return set_choice(param, text, field, error);
    case IB_PARAM_FLAG:
        return set_flag(text, field, error);
    case IB_PARAM_PRESET:
        return set_preset(param, text, field, error);
    case IB_PARAM_SPAN:
        if (strcmp(text, "off") == 0) {
            memcpy(field, (const double[2]){-HUGE_VAL, HUGE_VAL}, 2 * sizeof(double));
            return IB_OK;
        }
        // fallthrough
    case IB_PARAM_PAIR:
        return set_pair(param, text, field, error);
    case IB_PARAM_TABLE:
        return set_table(param, text, field, error);
    case IB_PARAM_NAMED:
    case IB_PARAM_WORDS:
    case IB_PARAM_FILE:
        ib_schema_expected(param, expected, sizeof expected);
        return ib_error_set(error, status, "expected %s, got '%s'", expected, ib_quote(text).text);
    case IB_PARAM_LIMIT:
        if ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'))
            return set_off(param, text, field, error);
        // fallthrough
    case IB_PARAM_NUMBER:
        status = read_number(text, param->unit, &value, error);
        break;
    case IB_PARAM_COUNT:
        status = ib_number_read(text, &value, NULL);
        if (status)
            ib_error_set(error, status, "expected a whole number, got '%s'", ib_quote(text).text);
        break;
    }
    return status ? status : ib_schema_set_read(param, value, text, config, error);
}

// ----------------------------------------------------------------------------------- whole schemas

// Defaults of parameters without one: a preset is on, a named list is empty.
static void set_absent(const ib_Param *param, void *config)
{
    int value = param->type == IB_PARAM_PRESET;
    if (param->type >= IB_PARAM_PRESET)
        memcpy((char *)config + param->offset, &value, sizeof value);
}

ib_Status ib_schema_default(const ib_Schema *schema, void *config, ib_Error *error)
{
    for (int i = 0; i < schema->count; i++) {
        const ib_Param *param = &schema->params[i];
        ib_Error wrong;
        if (!param->fallback || param->type >= IB_PARAM_NAMED) {
            set_absent(param, config);
            continue;
        }
        ib_Status status = ib_schema_set(param, param->fallback, config, &wrong);
        if (status) return ib_error_set(error, status, "%s: %.900s", param->key, wrong.text);
    }
    return IB_OK;
}

size_t ib_schema_default_size(const ib_Param *param)
{
    bool absent = !param->fallback || param->type >= IB_PARAM_NAMED;
    if (absent) return param->type >= IB_PARAM_PRESET ? sizeof(int) : 0;
    switch (param->type) {
    case IB_PARAM_NUMBER:
    case IB_PARAM_LIMIT:
        return sizeof(double);
    case IB_PARAM_FLAG:
        return sizeof(bool);
    case IB_PARAM_PAIR:
    case IB_PARAM_SPAN:
        return 2 * sizeof(double);
    case IB_PARAM_TABLE:
        return sizeof(ib_Table);
    default:
        return sizeof(int);
    }
}

const ib_Param *ib_schema_preset(const ib_Schema *schema, const char *key)
{
    const ib_Param *above = NULL;
    size_t longest = 0;
    if (!strchr(key, '.')) return NULL;
    for (int i = 0; i < schema->count; i++) {
        const ib_Param *param = &schema->params[i];
        if (param->type != IB_PARAM_PRESET) continue;
        size_t length = strlen(param->key);
        if (length <= longest || strncmp(key, param->key, length) != 0 || key[length] != '.')
            continue;
        above = param;
        longest = length;
    }
    return above;
}

bool ib_schema_preset_is_on(const ib_Param *param, const void *config)
{
    int on;
    memcpy(&on, (const char *)config + param->offset, sizeof on);
    return on != 0;
}

const char *ib_schema_idle(const ib_Schema *schema, const void *config, const char *key)
{
    return schema->idle ? schema->idle(config, key) : NULL;
}

const ib_Param *ib_schema_find(const ib_Schema *schema, const char *key)
{
    for (int i = 0; i < schema->count; i++)
        if (schema->params[i].key[0] == key[0] && strcmp(schema->params[i].key, key) == 0)
            return &schema->params[i];
    return NULL;
}
