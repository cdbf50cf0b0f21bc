// scenario/value.c: single values: numbers with units, random numbers, texts, names.
#include "base/hash.h"
#include "base/quote.h"
#include "base/random.h"
#include "base/units.h"
#include "scenario/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1600 };

// ---------------------------------------------------------------------------------------- mistakes

static void add(ib__Reader *reader, const ib_Node *node, ib_Place place, const char *text)
{
    char path[IB_NODE_PATH];
    ib_node_path(node, path);
    ib_diagnostics_add(reader->diagnostics, place, "%s%s%s", path, path[0] ? ": " : "", text);
}

void ib__wrong_value(ib__Reader *reader, const ib_Node *node, const char *format, ...)
{
    char text[TEXT];
    if (node->refused) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add(reader, node, node->place, text);
}

void ib__wrong_key(ib__Reader *reader, const ib_Node *node, const char *format, ...)
{
    char text[TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add(reader, node, node->key_place, text);
}

void ib__wrong_gap(ib__Reader *reader, const ib_Node *map, const char *format, ...)
{
    char text[TEXT];
    if (map->refused) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add(reader, map, map->key_place, text);
}

bool ib__is_full(const ib__Reader *reader)
{
    return reader->diagnostics->count == IB_MAX_DIAGNOSTICS;
}

static void wrong_type(ib__Reader *reader, const ib_Node *node, const char *expected)
{
    char got[IB_QUOTE_LENGTH + 8];
    ib_node_describe(node, got, sizeof got);
    ib__wrong_value(reader, node, "expected %s, got %s", expected, got);
}

// ------------------------------------------------------------------------------------------- types

bool ib__is_map(ib__Reader *reader, const ib_Node *node, const char *expected)
{
    if (node->type != IB_NODE_MAP) wrong_type(reader, node, expected);
    return node->type == IB_NODE_MAP;
}

bool ib__is_list(ib__Reader *reader, const ib_Node *node, const char *expected)
{
    if (node->type != IB_NODE_LIST) wrong_type(reader, node, expected);
    return node->type == IB_NODE_LIST;
}

const char *ib__read_text(ib__Reader *reader, const ib_Node *node, const char *expected)
{
    bool text = node->type == IB_NODE_SCALAR && node->text[0];
    if (!text) wrong_type(reader, node, expected);
    return text ? node->text : NULL;
}

bool ib__is_name(ib__Reader *reader, const ib_Node *node, const char *what)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const char *name = node->key;
    size_t length = strlen(name);
    bool good = name[0] >= 'a' && name[0] <= 'z' && strspn(name, letters) == length &&
                length <= IB__MAX_NAME;
    if (!good)
        ib__wrong_key(reader, node,
                      "'%s' cannot name %s: expected a lower-case letter, then letters, digits "
                      "and '_', at most %d in all",
                      ib_quote(name).text, what, IB__MAX_NAME);
    return good;
}

// ----------------------------------------------------------------------------------------- numbers

// "a mass" for kg, "a plain number" for 1.
static void describe_unit(const char *unit, char *text, size_t size)
{
    ib_Dimension dimension;
    if (!unit)
        snprintf(text, size, "a number with its unit");
    else if (strcmp(unit, "1") == 0)
        snprintf(text, size, "a plain number");
    else if (ib_units_dimension(unit, &dimension, NULL) == IB_OK)
        ib_dimension_describe(dimension, text, size);
    else
        snprintf(text, size, "a number in %s", unit);
}

// The text of a number; a map such as {gauss: …} was most likely meant to be a random one.
static const char *read_single(ib__Reader *reader, const ib_Node *node, const char *expected)
{
    if (node->type != IB_NODE_MAP || node->count != 1) return ib__read_text(reader, node, expected);
    ib__wrong_value(reader, node,
                    "expected %s, got a map with '%s'; a random value is uniform or normal: "
                    "{uniform: [lowest, highest]} or {normal: [mean, sd]}",
                    expected, ib_quote(node->first->key).text);
    return NULL;
}

static bool read_plain(ib__Reader *reader, const ib_Node *node, const char *unit, bool difference,
                       double *value)
{
    char expected[100] = "";
    if (node->type != IB_NODE_SCALAR || !node->text[0])
        describe_unit(unit, expected, sizeof expected);
    const char *text = read_single(reader, node, expected);
    if (!text) return false;
    ib_Error error;
    ib_Quantity any = {0};
    ib_Status status = !unit        ? ib_quantity_read(text, &any, &error)
                       : difference ? ib_units_read_difference(text, unit, value, &error)
                                    : ib_units_read(text, unit, value, &error);
    if (!unit) *value = any.value;
    if (status) ib__wrong_value(reader, node, "%s", error.text);
    return status == IB_OK;
}

// {uniform: [a, b]}: a + (b - a) u, u in [0, 1);  {normal: [mean, sd]}: mean + sd n. The draw is a
// function of the seed and of the place in the file,
// so that a value added elsewhere changes nothing.
static bool read_random(ib__Reader *reader, const ib_Node *node, const char *unit, bool difference,
                        double *value)
{
    const ib_Node *law = node->first;
    bool uniform = strcmp(law->key, "uniform") == 0;
    const char *expected = uniform ? "two values, [lowest, highest]" : "two values, [mean, sd]";
    if (node->count > 1) {
        ib__wrong_key(reader, law->next, "a random value has one key, uniform or normal");
        return false;
    }
    if (!ib__is_list(reader, law, expected)) return false;
    if (law->count != 2) {
        ib__wrong_value(reader, law, "expected %s, got %d", expected, law->count);
        return false;
    }
    double a, b;
    bool first = read_plain(reader, law->first, unit, difference, &a);
    bool second = read_plain(reader, law->last, unit, difference || !uniform, &b);
    if (!first || !second) return false;
    if (uniform ? a > b : b < 0) {
        ib__wrong_value(reader, law->last,
                        uniform ? "the highest value '%s' is below the lowest, '%s'"
                                : "a standard deviation below 0: got '%s' beside the mean '%s'",
                        ib_quote(law->last->text).text, ib_quote(law->first->text).text);
        return false;
    }
    char path[IB_NODE_PATH];
    ib_node_path(node, path);
    uint64_t stream = ib_hash_text(IB_HASH_START, path);
    *value = uniform ? a + (b - a) * ib_random_uniform(reader->seed, stream, 0)
                     : a + b * ib_random_normal(reader->seed, stream, 0);
    if (!isfinite(*value)) ib__wrong_value(reader, law, "the values are too far apart");
    return isfinite(*value);
}

bool ib__read_number(ib__Reader *reader, const ib_Node *node, const char *unit, bool difference,
                     double *value)
{
    if (ib_node_is_random(node)) return read_random(reader, node, unit, difference, value);
    return read_plain(reader, node, unit, difference, value);
}

bool ib__read_pair(ib__Reader *reader, const ib_Node *node, const char *unit, const char *example,
                   double *first, double *second)
{
    char expected[100];
    snprintf(expected, sizeof expected, "two values, such as %s", example);
    if (!ib__is_list(reader, node, expected)) return false;
    if (node->count != 2) {
        ib__wrong_value(reader, node, "expected %s, got %d", expected, node->count);
        return false;
    }
    bool good = ib__read_number(reader, node->first, unit, false, first);
    return ib__read_number(reader, node->last, unit, false, second) && good;
}

const char *ib__read_word(ib__Reader *reader, const ib_Node *node, const char *const *words)
{
    char list[400] = "one of ";
    for (int i = 0; words[i]; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    const char *text = ib__read_text(reader, node, list);
    for (int i = 0; text && words[i]; i++)
        if (strcmp(text, words[i]) == 0) return words[i];
    const char *near = text ? ib_nearest_word(text, words) : NULL;
    if (text)
        ib__wrong_value(reader, node, "expected %s, got '%s'%s%s%s", list, ib_quote(text).text,
                        near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
    return NULL;
}

void ib__read_param(ib__Reader *reader, const ib_Node *node, const ib_Param *param, void *config)
{
    ib_Error error;
    ib_Status status = IB_OK;
    bool number = param->type == IB_PARAM_NUMBER || param->type == IB_PARAM_LIMIT, difference;
    const char *unit = ib_schema_unit(param->unit, &difference);
    if (node->refused) return;
    if (ib__read_compound(reader, node, param, config)) return;
    if (number && ib_node_is_random(node)) {
        double value;
        if (!read_random(reader, node, unit, difference, &value)) return;
        status = ib_schema_set_number(param, value, config, &error);
    } else {
        char expected[512] = "";
        bool single = node->type == IB_NODE_SCALAR && node->text[0];
        if (!single) ib_schema_expected(param, expected, sizeof expected);
        const char *text =
            number ? read_single(reader, node, expected) : ib__read_text(reader, node, expected);
        if (!text) return;
        status = ib_schema_set(param, text, config, &error);
    }
    if (status) ib__wrong_value(reader, node, "%s", error.text);
}
