#include "base/schema.h"

#include "base/quote.h"
#include "base/units.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VALUE_TEXT = 160 }; // a number with its unit, printed

// ---------------------------------------------------------------------------------- printed values

static const char *param_unit(const ib_Param *param)
{
    return param->unit ? param->unit : "1";
}

// "2.7 kg"; "3" where the unit is 1.
static void format_number(double value, const char *unit, char *text, size_t size)
{
    char number[40];
    ib_number_format(value, number, sizeof number);
    if (strcmp(unit, "1") == 0)
        snprintf(text, size, "%s", number);
    else
        snprintf(text, size, "%s %s", number, unit);
}

// "0.001 kg to 1e+06 kg", "at least 0 kg", "at most 5 kg", or nothing where all is allowed.
static void format_range(const ib_Param *param, char *text, size_t size)
{
    char min[VALUE_TEXT], max[VALUE_TEXT];
    bool below = param->min >= -1e300, above = param->max <= 1e300;
    format_number(param->min, param_unit(param), min, sizeof min);
    format_number(param->max, param_unit(param), max, sizeof max);
    if (below && above)
        snprintf(text, size, "%s to %s", min, max);
    else if (below)
        snprintf(text, size, "at least %s", min);
    else if (above)
        snprintf(text, size, "at most %s", max);
    else
        text[0] = '\0';
}

static void format_choices(const char *const *choices, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; choices[i] && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "one of ", choices[i]);
}

void ib_schema_expected(const ib_Param *param, char *text, size_t size)
{
    char what[VALUE_TEXT] = "a whole number", range[2 * VALUE_TEXT + 8];
    ib_Dimension dimension;
    switch (param->type) {
    case IB_PARAM_CHOICE:
        format_choices(param->choices, text, size);
        return;
    case IB_PARAM_FLAG:
        snprintf(text, size, "true or false");
        return;
    case IB_PARAM_NUMBER:
        if (ib_units_dimension(param_unit(param), &dimension, NULL) == IB_OK)
            ib_dimension_describe(dimension, what, sizeof what);
        // "a value in kg/m" is said better in the unit of the table.
        if (strncmp(what, "a value in ", 11) == 0)
            snprintf(what, sizeof what, "a value in %.100s", param_unit(param));
        break;
    case IB_PARAM_COUNT:
        break;
    }
    format_range(param, range, sizeof range);
    snprintf(text, size, "%s%s%s", what, range[0] ? ", " : "", range);
}

void ib_schema_format(const ib_Param *param, const void *config, char *text, size_t size)
{
    const char *field = (const char *)config + param->offset;
    double number;
    int whole;
    bool flag;
    switch (param->type) {
    case IB_PARAM_NUMBER:
        memcpy(&number, field, sizeof number);
        format_number(number, param_unit(param), text, size);
        return;
    case IB_PARAM_COUNT:
        memcpy(&whole, field, sizeof whole);
        snprintf(text, size, "%d", whole);
        return;
    case IB_PARAM_CHOICE:
        memcpy(&whole, field, sizeof whole);
        for (int i = 0; i < whole; i++) IB_ASSERT(param->choices[i]);
        snprintf(text, size, "%s", param->choices[whole]);
        return;
    case IB_PARAM_FLAG:
        memcpy(&flag, field, sizeof flag);
        snprintf(text, size, "%s", flag ? "true" : "false");
        return;
    }
}

// ----------------------------------------------------------------------------------------- storing

// "'-1000 us' (-0.001 s)": as written, and in SI where that looks different.
static void format_given(const ib_Param *param, double value, const char *text, char *given,
                         size_t size)
{
    char number[VALUE_TEXT];
    format_number(value, param_unit(param), number, sizeof number);
    if (!text)
        snprintf(given, size, "%s", number);
    else if (strcmp(text, number) == 0)
        snprintf(given, size, "'%s'", number);
    else
        snprintf(given, size, "'%s' (%s)", ib_quote(text).text, number);
}

ib_Status ib_schema_set_read(const ib_Param *param, double value, const char *text, void *config,
                             ib_Error *error)
{
    char given[VALUE_TEXT + IB_QUOTE_LENGTH + 16], expected[512];
    char *field = (char *)config + param->offset;
    ib_schema_expected(param, expected, sizeof expected);
    format_given(param, value, text, given, sizeof given);
    if (param->type != IB_PARAM_NUMBER && param->type != IB_PARAM_COUNT)
        return ib_error_set(error, IB_BAD_INPUT, "expected %s, got the number %s", expected, given);

    // "Not inside", rather than "outside", refuses NaN too.
    bool whole = value == floor(value) && value >= INT_MIN && value <= INT_MAX;
    bool inside = value >= param->min && value <= param->max && isfinite(value);
    if (!inside)
        return ib_error_set(error, IB_BAD_INPUT, "out of range: expected %s, got %s", expected,
                            given);
    if (param->type == IB_PARAM_NUMBER) {
        memcpy(field, &value, sizeof value);
        return IB_OK;
    }
    if (!whole) return ib_error_set(error, IB_BAD_INPUT, "expected %s, got %s", expected, given);
    int count = (int)value;
    memcpy(field, &count, sizeof count);
    return IB_OK;
}

ib_Status ib_schema_set_number(const ib_Param *param, double value, void *config, ib_Error *error)
{
    return ib_schema_set_read(param, value, NULL, config, error);
}

static ib_Status set_choice(const ib_Param *param, const char *text, char *field, ib_Error *error)
{
    for (int i = 0; param->choices[i]; i++) {
        if (strcmp(param->choices[i], text) != 0) continue;
        memcpy(field, &i, sizeof i);
        return IB_OK;
    }
    char expected[512];
    ib_schema_expected(param, expected, sizeof expected);
    const char *near = ib_nearest_word(text, param->choices);
    return ib_error_set(error, IB_BAD_INPUT, "expected %s, got '%s'%s%s%s", expected,
                        ib_quote(text).text, near ? ": did you mean '" : "", near ? near : "",
                        near ? "'?" : "");
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

ib_Status ib_schema_set(const ib_Param *param, const char *text, void *config, ib_Error *error)
{
    char *field = (char *)config + param->offset;
    ib_Status status = IB_BAD_INPUT;
    double value;
    switch (param->type) {
    case IB_PARAM_CHOICE:
        return set_choice(param, text, field, error);
    case IB_PARAM_FLAG:
        return set_flag(text, field, error);
    case IB_PARAM_NUMBER:
        status = ib_units_read(text, param_unit(param), &value, error);
        break;
    case IB_PARAM_COUNT:
        status = ib_number_read(text, &value, NULL);
        if (status)
            ib_error_set(error, status, "expected a whole number, got '%s'", ib_quote(text).text);
        break;
    }
    return status ? status : ib_schema_set_read(param, value, text, config, error);
}

ib_Status ib_schema_default(const ib_Schema *schema, void *config, ib_Error *error)
{
    for (int i = 0; i < schema->count; i++) {
        const ib_Param *param = &schema->params[i];
        ib_Error wrong;
        if (!param->fallback) continue;
        ib_Status status = ib_schema_set(param, param->fallback, config, &wrong);
        if (status) return ib_error_set(error, status, "%s: %.900s", param->key, wrong.text);
    }
    return IB_OK;
}

const ib_Param *ib_schema_find(const ib_Schema *schema, const char *key)
{
    for (int i = 0; i < schema->count; i++)
        if (strcmp(schema->params[i].key, key) == 0) return &schema->params[i];
    return NULL;
}
