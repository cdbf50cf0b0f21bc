// file/value.c: single values: numbers with units, random numbers, texts, names.
#include "base/hash.h"
#include "base/quote.h"
#include "base/random.h"
#include "base/units.h"
#include "file/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1600 };

// ---------------------------------------------------------------------------------------- mistakes

// A function that adds a mistake or a warning at a place of a file.
typedef void Say(ib_Diagnostics *diagnostics, ib_Place place, const char *format, ...);

static void say(ib_Reader *reader, Say *add, const ib_Node *node, ib_Place place,
                const char *format, va_list arguments)
{
    char text[IB_NODE_PATH + 2 + TEXT];
    ib_node_path(node, text);
    size_t length = strlen(text);
    if (length) memcpy(text + length, ": ", 2);
    if (length) length += 2;
    vsnprintf(text + length, TEXT, format, arguments);
    add(reader->diagnostics, place, "%s", text);
}

void ib_wrong_value(ib_Reader *reader, const ib_Node *node, const char *format, ...)
{
    if (node->refused) return;
    va_list arguments;
    va_start(arguments, format);
    say(reader, ib_diagnostics_add, node, node->place, format, arguments);
    va_end(arguments);
}

void ib_wrong_key(ib_Reader *reader, const ib_Node *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(reader, ib_diagnostics_add, node, node->key_place, format, arguments);
    va_end(arguments);
}

void ib_wrong_gap(ib_Reader *reader, const ib_Node *map, const char *format, ...)
{
    if (map->refused) return;
    va_list arguments;
    va_start(arguments, format);
    say(reader, ib_diagnostics_add, map, map->key_place, format, arguments);
    va_end(arguments);
}

bool ib_is_data(const ib_Reader *reader, const ib_Node *node)
{
    const ib_DataFile *data = reader->data ? reader->data : ib_data_files;
    for (; data->name; data++)
        if (strcmp(data->path, node->place.file) == 0) return true;
    return false;
}

void ib_warn_value(ib_Reader *reader, const ib_Node *node, const char *format, ...)
{
    if (ib_is_data(reader, node)) return;
    va_list arguments;
    va_start(arguments, format);
    say(reader, ib_diagnostics_warn, node, node->place, format, arguments);
    va_end(arguments);
}

void ib_warn_key(ib_Reader *reader, const ib_Node *node, const char *format, ...)
{
    if (ib_is_data(reader, node)) return;
    va_list arguments;
    va_start(arguments, format);
    say(reader, ib_diagnostics_warn, node, node->key_place, format, arguments);
    va_end(arguments);
}

bool ib_is_full(const ib_Reader *reader)
{
    return reader->diagnostics->count == IB_MAX_DIAGNOSTICS;
}

static void wrong_type(ib_Reader *reader, const ib_Node *node, const char *expected)
{
    char got[IB_QUOTE_LENGTH + 8];
    ib_node_describe(node, got, sizeof got);
    ib_wrong_value(reader, node, "expected %s, got %s", expected, got);
}

// ------------------------------------------------------------------------------------------- types

bool ib_check_map(ib_Reader *reader, const ib_Node *node, const char *expected)
{
    if (node->type != IB_NODE_MAP) wrong_type(reader, node, expected);
    return node->type == IB_NODE_MAP;
}

bool ib_check_list(ib_Reader *reader, const ib_Node *node, const char *expected)
{
    bool path = node->type == IB_NODE_MAP && node->on_way && node->first;
    if (path) // a path into a list, perhaps of a preset
        ib_wrong_value(reader, node, "there is no item %s: expected %s, whose items count from 0",
                       ib_quote(node->first->key).text, expected);
    else if (node->type != IB_NODE_LIST)
        wrong_type(reader, node, expected);
    return node->type == IB_NODE_LIST;
}

const char *ib_read_text(ib_Reader *reader, const ib_Node *node, const char *expected)
{
    bool text = node->type == IB_NODE_SCALAR && node->text[0];
    if (!text) wrong_type(reader, node, expected);
    return text ? node->text : NULL;
}

bool ib_check_name(ib_Reader *reader, const ib_Node *node, const char *what)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const char *name = node->key;
    size_t length = strlen(name);
    bool good = name[0] >= 'a' && name[0] <= 'z' && strspn(name, letters) == length &&
                length <= IB_NAME_LENGTH;
    if (!good)
        ib_wrong_key(reader, node,
                     "'%s' cannot name %s: expected a lower-case letter, then letters, digits "
                     "and '_', at most %d in all",
                     ib_quote(name).text, what, IB_NAME_LENGTH);
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
        ib_dimension_describe(dimension, unit, text, size);
    else
        snprintf(text, size, "a number in %s", unit);
}

// The text of a number; a map such as {gauss: …} was most likely meant as a random value.
const char *ib__read_single(ib_Reader *reader, const ib_Node *node, const char *expected)
{
    if (node->type != IB_NODE_MAP || node->count != 1) return ib_read_text(reader, node, expected);
    ib_wrong_value(reader, node,
                   "expected %s, got a map with '%s'; a random value is uniform or normal: "
                   "{uniform: [lowest, highest]} or {normal: [mean, sd]}",
                   expected, ib_quote(node->first->key).text);
    return NULL;
}

ib_Status ib__read_quantity(ib_Reader *reader, const ib_Node *node, const char *unit,
                            bool difference, double *value, ib_Error *error)
{
    if (ib_tree_cache_number(node, unit, difference, value)) return IB_OK;
    ib_Status status = difference ? ib_units_read_difference(node->text, unit, value, error)
                                  : ib_units_read(node->text, unit, value, error);
    if (status == IB_OK) ib_tree_cache_keep_number(reader->trees, node, unit, difference, *value);
    return status;
}

static bool read_plain(ib_Reader *reader, const ib_Node *node, const char *unit, bool difference,
                       double *value)
{
    char expected[100] = "";
    if (node->type != IB_NODE_SCALAR || !node->text[0])
        describe_unit(unit, expected, sizeof expected);
    const char *text = ib__read_single(reader, node, expected);
    if (!text) return false;
    ib_Error error;
    ib_Quantity any = {0};
    ib_Status status = unit ? ib__read_quantity(reader, node, unit, difference, value, &error)
                            : ib_quantity_read(text, &any, &error);
    if (!unit) *value = any.value;
    if (status) ib_wrong_value(reader, node, "%s", error.text);
    return status == IB_OK;
}

// {uniform: [a, b]}: a + (b - a) u, u in [0, 1);  {normal: [mean, sd]}: mean + sd n. The draw is a
// function of the seed and of the place in the file,
// so that a value added elsewhere changes nothing.
bool ib__read_random(ib_Reader *reader, const ib_Node *node, const char *unit, bool difference,
                     double *value)
{
    const ib_Node *law = node->first;
    bool uniform = strcmp(law->key, "uniform") == 0;
    const char *expected = uniform ? "two values, [lowest, highest]" : "two values, [mean, sd]";
    if (node->count > 1) {
        ib_wrong_key(reader, law->next, "a random value has one key, uniform or normal");
        return false;
    }
    if (!ib_check_list(reader, law, expected)) return false;
    if (law->count != 2) {
        ib_wrong_value(reader, law, "expected %s, got %d", expected, law->count);
        return false;
    }
    double a, b;
    bool first = read_plain(reader, law->first, unit, difference, &a);
    bool second = read_plain(reader, law->last, unit, difference || !uniform, &b);
    if (!first || !second) return false;
    if (uniform ? a > b : b < 0) {
        ib_wrong_value(reader, law->last,
                       uniform ? "the highest value '%s' is below the lowest, '%s'"
                               : "a standard deviation below 0: got '%s' beside the mean '%s'",
                       ib_quote(law->last->text).text, ib_quote(law->first->text).text);
        return false;
    }
    char path[IB_NODE_PATH];
    ib_node_path(node, path);
    uint64_t stream = ib_hash_text(IB_HASH_START, path);
    reader->drawn = true;
    *value = uniform ? a + (b - a) * ib_random_uniform(reader->seed, stream, reader->draw)
                     : a + b * ib_random_normal(reader->seed, stream, reader->draw);
    if (!isfinite(*value)) ib_wrong_value(reader, law, "the values are too far apart");
    return isfinite(*value);
}

bool ib_read_number(ib_Reader *reader, const ib_Node *node, const char *unit, bool difference,
                    double *value)
{
    if (unit && ib_tree_cache_number(node, unit, difference, value)) return true;
    if (ib_node_is_random(node)) return ib__read_random(reader, node, unit, difference, value);
    return read_plain(reader, node, unit, difference, value);
}

bool ib_read_pair(ib_Reader *reader, const ib_Node *node, const char *unit, const char *example,
                  double *first, double *second)
{
    char expected[100] = "";
    if (node->type != IB_NODE_LIST || node->count != 2)
        snprintf(expected, sizeof expected, "two values, such as %s", example);
    if (!ib_check_list(reader, node, expected)) return false;
    if (node->count != 2) {
        ib_wrong_value(reader, node, "expected %s, got %d", expected, node->count);
        return false;
    }
    bool good = ib_read_number(reader, node->first, unit, false, first);
    return ib_read_number(reader, node->last, unit, false, second) && good;
}

const char *ib_read_word(ib_Reader *reader, const ib_Node *node, const char *const *words)
{
    char list[sizeof(ib_WordList) + 8];
    snprintf(list, sizeof list, "%s%s", words[0] && words[1] ? "one of " : "",
             ib_word_list(words).text);
    const char *text = ib_read_text(reader, node, list);
    for (int i = 0; text && words[i]; i++)
        if (strcmp(text, words[i]) == 0) return words[i];
    if (text)
        ib_wrong_value(reader, node, "expected %s, got '%s'%s", list, ib_quote(text).text,
                       ib_word_hint(':', text, words).text);
    return NULL;
}
