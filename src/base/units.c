#include "base/units.h"

#include "base/quote.h"
#include "base/unit_table.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// A quantity as written: "3.4 N*s^2/m^2".
typedef struct Reading {
    ib_Decimal number;
    ib_UnitExpression unit;
    bool bare; ///< no unit at all
} Reading;

// -------------------------------------------------------------------------------- unit expressions
//
//   expression = ["/"] factor { ("*" | "/") factor }
//   factor     = ("1" | name) ["^" ["-"] digit] | "(" factor { ("*" | "/") factor } ")"
//
// read from left to right, so that a/b*c is (a/b)*c.

enum { BRACKETS = 4 }; // inside each other

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Returns the text behind the white space (IB_SPACES) at `text`.
static const char *skip_spaces(const char *text)
{
    while (*text == ' ' || *text == '\t' || *text == '\r' || *text == '\n') text++;
    return text;
}

// Bytes of the name at `text`; a hyphen joins two words ("oz-in"). Digits and underscores belong to
// no unit, but with them the message is better ("m2").
static int name_length(const char *text)
{
    int length = 0;
    while (is_letter(text[length]) || (length && (is_digit(text[length]) || text[length] == '_')) ||
           (length && text[length] == '-' && is_letter(text[length + 1])))
        length++;
    return length;
}

static ib_Status read_name(const char *text, int length, ib_UnitTerm *term, ib_Error *error)
{
    char name[IB_UNIT_NAME], hint[256];
    if (length >= IB_UNIT_NAME)
        return ib_error_set(error, IB_BAD_INPUT, "unknown unit '%s'",
                            ib_quote_n(text, length).text);
    memcpy(name, text, (size_t)length);
    name[length] = '\0';
    if (ib__unit_find(name, term)) return IB_OK;

    ib_Quote quote = ib_quote_n(text, length);
    const char *refused = ib__hint_refused(name);
    if (refused) return ib_error_set(error, IB_BAD_INPUT, "'%s' %s", quote.text, refused);
    ib__hint_unknown(name, hint, sizeof hint);
    return ib_error_set(error, IB_BAD_INPUT, "unknown unit '%s'%s", quote.text, hint);
}

// Refuses text in the place of a name or an operator.
static ib_Status refuse_rest(const char *text, ib_Error *error)
{
    if (*text == '\0')
        return ib_error_set(error, IB_BAD_INPUT, "a unit is missing behind an operator");
    if (*text == '(' || *text == ')')
        return ib_error_set(error, IB_BAD_INPUT,
                            "brackets in a unit that do not match, or have no * or / in front: "
                            "expected something like N/(m*s)");
    if (*text == '*')
        return ib_error_set(error, IB_BAD_INPUT, "'**' in a unit: a power is written m^2");
    if (strncmp(text, "gauge", 5) == 0 || strncmp(text, "abs", 3) == 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' is no unit: psig, barg, kPag count from the atmosphere; psia, "
                            "bar, kPa are absolute",
                            ib_quote(text).text);
    if (is_letter(*text))
        return ib_error_set(error, IB_BAD_INPUT,
                            "two units side by side: write * or / in front of '%s'",
                            ib_quote(text).text);
    return ib_error_set(error, IB_BAD_INPUT, "'%s' is not part of a unit", ib_quote(text).text);
}

// "^-2" behind a name; 1 without one.
static ib_Status read_exponent(const char **text, int *exponent, ib_Error *error)
{
    *exponent = 1;
    if (**text != '^') return IB_OK;
    const char *at = *text + 1;
    bool negative = *at == '-';
    if (negative) at++;
    if (!is_digit(*at) || *at == '0' || is_digit(at[1]) || at[1] == '.')
        return ib_error_set(error, IB_BAD_INPUT,
                            "a power in a unit is a whole number, 1 to 9 or -1 to -9, not '%s'",
                            ib_quote(*text).text);
    *exponent = negative ? -(*at - '0') : *at - '0';
    *text = at + 1;
    return IB_OK;
}

// Multiplies one factor into the scale and the dimension.
static ib_Status append_term(ib_UnitExpression *unit, ib_UnitTerm term, ib_Error *error)
{
    bool fits = unit->count < IB_UNIT_TERMS &&
                ib__dimension_add(&unit->dimension, term.unit->dimension, term.exponent);
    if (!fits) return ib_error_set(error, IB_BAD_INPUT, "a unit with too many factors");
    unit->terms[unit->count++] = term;

    const ib_Scale *scale = &term.unit->scale;
    for (int i = 0; i < term.exponent; i++) {
        unit->scale.numerator *= scale->numerator;
        unit->scale.divisor *= scale->divisor;
    }
    for (int i = 0; i > term.exponent; i--) {
        unit->scale.numerator *= scale->divisor;
        unit->scale.divisor *= scale->numerator;
    }
    unit->scale.power += term.exponent * (scale->power + term.prefix);
    if (!(unit->scale.numerator < 1e200) || !(unit->scale.divisor < 1e200))
        return ib_error_set(error, IB_BAD_INPUT, "a unit too large to be meant");
    return IB_OK;
}

static ib_Status read_factor(const char **text, int sign, ib_UnitExpression *unit, ib_Error *error)
{
    ib_UnitTerm term = {NULL, 0, 1};
    bool one = **text == '1' && !is_digit((*text)[1]) && (*text)[1] != '.';
    int length = one ? 1 : name_length(*text);
    if (length == 0) return refuse_rest(*text, error);
    ib_Status status = one ? IB_OK : read_name(*text, length, &term, error);
    if (status) return status;

    *text += length;
    status = read_exponent(text, &term.exponent, error);
    if (status || one) return status;
    term.exponent *= sign;
    return append_term(unit, term, error);
}

// A unit with an offset has no meaning in a product: 2 * 10 degC is not 20 degC.
static ib_Status check_offsets(const ib_UnitExpression *unit, ib_Error *error)
{
    bool alone = unit->count == 1 && unit->terms[0].exponent == 1;
    for (int i = 0; i < unit->count && !alone; i++) {
        const ib_UnitInfo *info = unit->terms[i].unit;
        if (info->offset != 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "%s counts from a zero of its own and cannot be part of a compound "
                                "unit: write %s",
                                info->name, ib__hint_offset(info->name));
    }
    return IB_OK;
}

ib_Status ib__unit_parse(const char *text, ib_UnitExpression *unit, ib_Error *error)
{
    *unit = (ib_UnitExpression){.scale = {1, 1, 0}};
    if (strnlen(text, IB_UNIT_TEXT + 1) > IB_UNIT_TEXT)
        return ib_error_set(error, IB_BAD_INPUT, "a unit of more than %d characters", IB_UNIT_TEXT);

    // A bracket behind a slash inverts all its factors: a/(b*c) is a/b/c.
    int sign = 1, group = 1, outer[BRACKETS], depth = 0;
    text = skip_spaces(text);
    if (*text == '/') {
        sign = -1;
        text++;
    }
    for (;;) {
        text = skip_spaces(text);
        for (; *text == '(' && depth < BRACKETS; text = skip_spaces(text + 1)) {
            outer[depth++] = group;
            group *= sign;
            sign = 1;
        }
        ib_Status status = read_factor(&text, group * sign, unit, error);
        if (status) return status;
        text = skip_spaces(text);
        for (; *text == ')' && depth; text = skip_spaces(text + 1)) group = outer[--depth];
        if (*text == '\0' && depth == 0) return check_offsets(unit, error);
        if (*text == '\0') return refuse_rest("(", error);
        if (*text != '*' && *text != '/') return refuse_rest(text, error);
        sign = *text == '*' ? 1 : -1;
        text++;
    }
}

ib_Status ib_units_dimension(const char *unit, ib_Dimension *dimension, ib_Error *error)
{
    ib_UnitExpression expression;
    ib_Status status = ib__unit_parse(unit, &expression, error);
    if (status == IB_OK) *dimension = expression.dimension;
    return status;
}

// -------------------------------------------------------------------------------------- quantities

static ib_Status reading_parse(const char *text, Reading *reading, ib_Error *error)
{
    const char *rest;
    text = skip_spaces(text);
    ib_Status status = ib_decimal_scan(text, &reading->number, &rest, error);
    if (status) return status;
    rest = skip_spaces(rest);
    reading->bare = *rest == '\0';
    return ib__unit_parse(reading->bare ? "1" : rest, &reading->unit, error);
}

static double unit_offset(const ib_UnitExpression *unit)
{
    return unit->count == 1 ? unit->terms[0].unit->offset : 0;
}

// The value in SI; a difference leaves the offset out.
static ib_Status reading_value(const char *text, const Reading *reading, bool difference,
                               double *value, ib_Error *error)
{
    double offset = difference ? 0 : unit_offset(&reading->unit);
    double result = ib_decimal_scale(&reading->number, reading->unit.scale);
    if (offset != 0) result += offset;
    if (!isfinite(result))
        return ib_error_set(error, IB_BAD_INPUT, "'%s' is too large", ib_quote(text).text);
    if (offset != 0 && result < 0)
        return ib_error_set(error, IB_BAD_INPUT, "'%s' is below %s", ib_quote(text).text,
                            reading->unit.dimension.temperature ? "absolute zero" : "a vacuum");
    *value = result;
    return IB_OK;
}

ib_Status ib_quantity_read(const char *text, ib_Quantity *quantity, ib_Error *error)
{
    Reading reading;
    double value = 0;
    ib_Status status = reading_parse(text, &reading, error);
    if (status == IB_OK) status = reading_value(text, &reading, false, &value, error);
    if (status == IB_OK) *quantity = (ib_Quantity){value, reading.unit.dimension};
    return status;
}

// ----------------------------------------------------------------------------- expected dimensions

// "a mass, such as '2.7 kg'"
static void describe_wanted(const char *unit, ib_Dimension wanted, bool difference, char *text,
                            size_t size)
{
    const ib_DimensionInfo *info = ib__dimension_find(wanted, unit);
    if (!info)
        snprintf(text, size, "a value in %.100s, such as '1 %.100s'", unit, unit);
    else if (difference && strcmp(info->name, "a pressure") == 0)
        snprintf(text, size, "a pressure difference, such as '5 psi'");
    else if (difference && strcmp(info->name, "a temperature") == 0)
        snprintf(text, size, "a temperature difference, such as '5 K'");
    else
        snprintf(text, size, "%s, such as '%s'", info->name, info->example);
}

static ib_Status refuse_dimension(const char *text, const Reading *reading, ib_Dimension wanted,
                                  const char *expected, ib_Error *error)
{
    ib_Quote quote = ib_quote(text + strspn(text, IB_SPACES));
    if (reading->bare)
        return ib_error_set(error, IB_BAD_INPUT, "a unit is missing: expected %s, got '%s'",
                            expected, quote.text);
    char given[100], hint[200];
    ib_dimension_describe(reading->unit.dimension, NULL, given, sizeof given);
    ib__hint_mismatch(&reading->unit, wanted, hint, sizeof hint);
    return ib_error_set(error, IB_BAD_INPUT, "expected %s, got '%s' (%s)%s", expected, quote.text,
                        given, hint);
}

static ib_Status read_as(const char *text, const char *unit, bool difference, double *value,
                         ib_Error *error)
{
    ib_Dimension wanted;
    ib_Status status = ib_units_dimension(unit, &wanted, error);
    if (status) return status;
    // A text that is no quantity at all: its fault, then the expected form.
    Reading reading;
    ib_Error wrong;
    char expected[300];
    status = reading_parse(text, &reading, &wrong);
    bool fits = status == IB_OK && ib_dimension_equal(reading.unit.dimension, wanted);
    if (!fits) describe_wanted(unit, wanted, difference, expected, sizeof expected);
    if (status) {
        bool asks = wrong.text[strlen(wrong.text) - 1] == '?';
        return ib_error_set(error, status, "%.600s%sxpected %s", wrong.text, asks ? " E" : "; e",
                            expected);
    }
    if (!fits) return refuse_dimension(text, &reading, wanted, expected, error);

    const ib_UnitExpression *given = &reading.unit;
    if (!difference && given->count == 1 && given->terms[0].unit->use == IB_UNIT_UNDECIDED)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' may be gauge or absolute: write psig (above the atmosphere) or "
                            "psia (absolute)",
                            ib_quote(text).text);
    return reading_value(text, &reading, difference, value, error);
}

// ----------------------------------------------------------------------------------- what was read
//
// A sweep reads the same few hundred texts for every run (docs/performance.md). Each thread keeps
// its results, in a place found by a hash of text and unit.

enum { PLACES = 512, KEY = 40 }; // a place holds the last two texts with its hash

typedef struct Kept {
    char key[KEY]; ///< text and unit, one behind the other, each with its '\0'; then zeros
    double value;
} Kept;

// The key of a text in a unit; false: too long to be kept.
static bool make_key(const char *text, const char *unit, bool difference, char key[KEY],
                     uint32_t *hash)
{
    size_t first = strnlen(text, KEY), second = strnlen(unit, KEY);
    if (first + second + 3 > KEY) return false;
    memset(key, 0, KEY);
    memcpy(key, text, first);
    memcpy(key + first + 1, unit, second);
    key[KEY - 1] = difference ? 2 : 1; // no key is that of an empty place
    uint64_t words[KEY / 8], mixed = 0;
    memcpy(words, key, KEY);
    for (int i = 0; i < KEY / 8; i++) mixed = (mixed ^ words[i]) * 0x9e3779b97f4a7c15u;
    *hash = (uint32_t)(mixed >> 32);
    return true;
}

static ib_Status read_kept(const char *text, const char *unit, bool difference, double *value,
                           ib_Error *error)
{
    static _Thread_local Kept kept[PLACES][2];
    char key[KEY];
    uint32_t hash;
    if (!make_key(text, unit, difference, key, &hash))
        return read_as(text, unit, difference, value, error);
    Kept *place = kept[hash % PLACES];
    for (int i = 0; i < 2; i++)
        if (memcmp(place[i].key, key, KEY) == 0) {
            *value = place[i].value;
            return IB_OK;
        }
    ib_Status status = read_as(text, unit, difference, value, error);
    if (status == IB_OK) {
        place[1] = place[0];
        memcpy(place[0].key, key, KEY);
        place[0].value = *value;
    }
    return status;
}

ib_Status ib_units_read(const char *text, const char *unit, double *value, ib_Error *error)
{
    return read_kept(text, unit, false, value, error);
}

ib_Status ib_units_read_difference(const char *text, const char *unit, double *value,
                                   ib_Error *error)
{
    return read_kept(text, unit, true, value, error);
}

ib_Status ib_units_convert(double value, const char *unit, double *converted, ib_Error *error)
{
    ib_UnitExpression expression;
    ib_Status status = ib__unit_parse(unit, &expression, error);
    if (status == IB_OK)
        *converted = ib_scale_divide(value - unit_offset(&expression), expression.scale);
    return status;
}

ib_Status ib_units_line(const char *unit, double *factor, double *offset, ib_Error *error)
{
    ib_UnitExpression expression;
    ib_Status status = ib__unit_parse(unit, &expression, error);
    if (status != IB_OK) return status;
    *factor = ib_scale_divide(1, expression.scale);
    *offset = ib_scale_divide(-unit_offset(&expression), expression.scale);
    return IB_OK;
}
