// file/param.c: one value of a schema: a number, a word, or one of several parts: [low, high],
// [[x, y], …], {arm: {…}, claw: {…}}.
#include "base/quote.h"
#include "base/units.h"
#include "file/contents.h"
#include "file/reader.h"

#include <stdio.h>
#include <string.h>

// One number of a pair or a table; `before` is the one it must exceed, or NULL.
static bool read_cell(ib_Reader *reader, const ib_Node *node, const ib_Param *param, int column,
                      const double *before, double *value)
{
    const ib_TableDef *table = param->detail;
    bool difference;
    const char *unit = param->type == IB_PARAM_TABLE ? table->units[column] : param->unit;
    unit = ib_schema_unit(unit, &difference);
    if (!ib_read_number(reader, node, unit, difference, value)) return false;
    ib_Error error;
    const char *text = node->type == IB_NODE_SCALAR ? node->text : NULL;
    if (ib_schema_check_cell(param, column, *value, before, text, &error) == IB_OK) return true;
    ib_wrong_value(reader, node, "%s", error.text);
    return false;
}

static void read_pair(ib_Reader *reader, const ib_Node *node, const ib_Param *param,
                      const char *expected, char *field)
{
    double pair[2];
    if (!ib_check_list(reader, node, expected)) return;
    if (node->count != 2) {
        ib_wrong_value(reader, node, "expected %s, got a list of %d", expected, node->count);
        return;
    }
    bool low = read_cell(reader, node->first, param, 0, NULL, &pair[0]);
    bool high = read_cell(reader, node->last, param, 1, low ? &pair[0] : NULL, &pair[1]);
    if (low && high) memcpy(field, pair, sizeof pair);
}

// ------------------------------------------------------------------------------------------ tables

static bool read_row(ib_Reader *reader, const ib_Node *node, const ib_Param *param,
                     const double *before, ib_Table *table)
{
    const ib_TableDef *def = param->detail;
    const char *expected = def->columns == 2 ? "a row [x, y]" : "a row [x, y, z]";
    if (!ib_check_list(reader, node, expected)) return false;
    if (node->count != def->columns) {
        ib_wrong_value(reader, node, "expected %s, got a list of %d", expected, node->count);
        return false;
    }
    bool good = true;
    for (const ib_Node *cell = node->first; cell; cell = cell->next) {
        int i = cell->index;
        double *value = i ? &table->y[i - 1][node->index] : &table->x[node->index];
        good &= read_cell(reader, cell, param, i, i ? NULL : before, value);
    }
    return good;
}

static void read_table(ib_Reader *reader, const ib_Node *node, const ib_Param *param,
                       const char *expected, char *field)
{
    const ib_TableDef *def = param->detail;
    ib_Table table = {.count = node->count};
    if (!ib_check_list(reader, node, expected)) return;
    if (node->count < def->rows || node->count > IB_TABLE_ROWS) {
        ib_wrong_value(reader, node, "expected %s, got %d", expected, node->count);
        return;
    }
    bool good = true;
    const double *before = NULL;
    for (const ib_Node *row = node->first; row; row = row->next) {
        bool fine = read_row(reader, row, param, before, &table);
        if (fine) before = &table.x[row->index];
        good &= fine;
    }
    if (good) memcpy(field, &table, sizeof table);
}

// ------------------------------------------------------------------------------------------- names

// "a cylinder" for the key "air.cylinders".
static void name_item(const char *key, char *text, size_t size)
{
    const char *dot = strrchr(key, '.');
    char word[64];
    ib_catalogue_singular(dot ? dot + 1 : key, word, sizeof word);
    snprintf(text, size, "%s %s", strchr("aeiou", word[0]) ? "an" : "a", word);
}

// The names of the known kinds.
static void name_kinds(const ib_KindedDef *kinds, const char *names[IB_MAX_WORDS + 1])
{
    int count = 0;
    for (; kinds->name(count) && count < IB_MAX_WORDS; count++) names[count] = kinds->name(count);
    names[count] = NULL;
}

// Reads one item by its `kind`. False: the kind is unknown, and nothing else can be checked.
static bool read_kinded(ib_Reader *reader, const ib_Node *node, const ib_KindedDef *kinds,
                        char *item)
{
    static const char *const others[] = {"kind", NULL};
    const char *names[IB_MAX_WORDS + 1];
    name_kinds(kinds, names);
    if (!ib_check_map(reader, node, "a map with kind and parameters")) return false;
    const ib_Node *kind = ib_node_get(node, "kind");
    if (!kind) {
        ib_wrong_gap(reader, node, "'kind' is missing: expected one of %s",
                     ib_word_list(names).text);
        return false;
    }
    const char *text = ib_read_text(reader, kind, kinds->what);
    const ib_Schema *schema = text ? kinds->choose(text, item) : NULL;
    if (text && !schema) {
        ib_WordHint hint = ib_word_hint(';', text, names);
        ib_wrong_value(reader, kind, "there is no kind '%s'%s%s expected one of %s",
                       ib_quote(text).text, hint.text, hint.text[0] ? " Otherwise" : ";",
                       ib_word_list(names).text);
    }
    if (!schema) return false;
    if (schema->presets) ib_expand_whole(reader, (ib_Node *)node, schema->presets);
    for (const ib_Node *child = node->first; child; child = child->next)
        kinds->given(item, child->key);
    ib_read_schema(reader, node, schema, others, item + kinds->config);
    return true;
}

// True if the node is the one item of a list.
static bool is_single(const ib_NamedDef *def, const ib_Node *node)
{
    return def->single && node->type == IB_NODE_MAP;
}

static bool read_one(ib_Reader *reader, const ib_Node *node, const ib_Param *param, void *config)
{
    const ib_NamedDef *def = param->detail;
    const int count = 1;
    char *item = (char *)config + param->offset + def->offset;
    memset(item, 0, def->size);
    ib_read_schema(reader, node, def->items, NULL, item);
    memcpy((char *)config + param->offset, &count, sizeof count);
    return true;
}

// Reads the items of a named list. True if all their kinds are known.
static bool read_items(ib_Reader *reader, const ib_Node *node, const ib_Param *param,
                       const char *expected, void *config)
{
    const ib_NamedDef *def = param->detail;
    char what[80];
    int count = 0;
    if (is_single(def, node)) return read_one(reader, node, param, config);
    if (!(def->listed ? ib_check_list : ib_check_map)(reader, node, expected)) return false;
    if (node->count > def->most || (def->listed && node->count == 0)) {
        ib_wrong_value(reader, node, "expected %s, got %d", expected, node->count);
        return false;
    }
    name_item(param->key, what, sizeof what);
    for (const ib_Node *child = node->first; child; child = child->next) {
        char *item = (char *)config + param->offset + def->offset + (size_t)count * def->size;
        bool named = def->listed || ib_check_name(reader, child, what);
        memset(item, 0, def->size);
        if (def->kinds)
            named &= read_kinded(reader, child, def->kinds, item);
        else
            ib_read_schema(reader, child, def->items, NULL, item);
        if (!named) continue;
        if (def->listed)
            snprintf(item, IB_NAME_LENGTH + 1, "%d", count);
        else
            memcpy(item, child->key, strlen(child->key) + 1);
        count++;
    }
    memcpy((char *)config + param->offset, &count, sizeof count);
    return count == node->count;
}

static void read_named(ib_Reader *reader, ib_Node *node, const ib_Param *param,
                       const char *expected, void *config)
{
    if (!read_items(reader, node, param, expected, config)) node->refused = true;
}

// ------------------------------------------------------------------------------------------- words

static void read_words(ib_Reader *reader, const ib_Node *node, const char *expected, char *field)
{
    ib_Words words = {0};
    if (node->type == IB_NODE_SCALAR) {
        words.items[words.count++] = node->text;
    } else if (!ib_check_list(reader, node, expected)) {
        return;
    } else if (node->count > IB_WORDS_MAX) {
        ib_wrong_value(reader, node, "expected at most %d names, got %d", IB_WORDS_MAX,
                       node->count);
        return;
    }
    for (const ib_Node *child = node->type == IB_NODE_LIST ? node->first : NULL; child;
         child = child->next) {
        const char *text = ib_read_text(reader, child, "a name");
        if (!text) return;
        words.items[words.count++] = text;
    }
    memcpy(field, &words, sizeof words);
}

// ------------------------------------------------------------------------------------------- files

// Loads a file and adds it to the list of files read; its reader interprets it later.
static bool load_file(ib_Reader *reader, const ib_Node *node, const char *expected, char *field)
{
    ib_FileText file = {0};
    ib_Error error;
    size_t length = 0;
    if (!ib_read_text(reader, node, expected)) return false;
    file.name = ib_resolve(reader, node);
    file.text = file.name ? ib_contents_load(file.name, reader->arena, &length, &error) : NULL;
    file.length = (int)length;
    if (!file.text)
        ib_wrong_value(reader, node, "%s", file.name ? error.text : "out of memory");
    else if (length == 0)
        ib_wrong_value(reader, node, "'%s' is empty: expected %s", ib_quote(file.name).text,
                       expected);
    else if (!ib_add_file(reader, file.name))
        ib_wrong_value(reader, node, "out of memory");
    else {
        memcpy(field, &file, sizeof file);
        return true;
    }
    return false;
}

// The content of an unreadable file is unknown: the node is marked `refused`.
static void read_file(ib_Reader *reader, ib_Node *node, const char *expected, char *field)
{
    if (!load_file(reader, node, expected, field)) node->refused = true;
}

// True if the node has the form of the type. The message then omits the expected form.
static bool has_form(const ib_Node *node, const ib_Param *param)
{
    const ib_NamedDef *named = param->detail;
    bool list = node->type == IB_NODE_LIST, map = node->type == IB_NODE_MAP;
    switch (param->type) {
    case IB_PARAM_SPAN:
    case IB_PARAM_PAIR:
        return list && node->count == 2;
    case IB_PARAM_TABLE:
        return list && node->count >= ((const ib_TableDef *)param->detail)->rows &&
               node->count <= IB_TABLE_ROWS;
    case IB_PARAM_NAMED:
        return is_single(named, node) ||
               ((named->listed ? list && node->count > 0 : map) && node->count <= named->most);
    default:
        return false;
    }
}

// Reads a value that is no single text: a pair, a table, names, a file. False: another type.
static bool read_compound(ib_Reader *reader, const ib_Node *node, const ib_Param *param,
                          void *config)
{
    char expected[512] = "", *field = (char *)config + param->offset;
    if (param->type < IB_PARAM_PAIR) return false;
    if (!has_form(node, param)) ib_schema_expected(param, expected, sizeof expected);
    switch (param->type) {
    case IB_PARAM_SPAN:
        if (node->type == IB_NODE_SCALAR && strcmp(node->text, "off") == 0)
            return ib_schema_set(param, node->text, config, NULL) == IB_OK;
        // fallthrough
    case IB_PARAM_PAIR:
        read_pair(reader, node, param, expected, field);
        return true;
    case IB_PARAM_TABLE:
        read_table(reader, node, param, expected, field);
        return true;
    case IB_PARAM_NAMED:
        read_named(reader, (ib_Node *)node, param, expected, config);
        return true;
    case IB_PARAM_WORDS:
        read_words(reader, node, expected, field);
        return true;
    case IB_PARAM_FILE:
        read_file(reader, (ib_Node *)node, expected, field);
        return true;
    default:
        return false;
    }
}

// Refuses a number beside another one for the same quantity ("C", "Cv", "Kv").
static void refuse_rivals(ib_Reader *reader, const ib_Node *node, const char *const *words)
{
    char list[400] = "";
    size_t used = 0;
    for (int i = 0; words[i] && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 i == 0         ? ""
                                 : words[i + 1] ? ", "
                                                : " and ",
                                 words[i]);
    for (const ib_Node *other = node->parent->first; other != node; other = other->next)
        for (int i = 0; words[i]; i++)
            if (strcmp(other->key, words[i]) == 0) {
                ib_wrong_key(reader, node, "'%s' is given already: expected only one of %s",
                             other->key, list);
                return;
            }
}

static void read_param(ib_Reader *reader, const ib_Node *node, const ib_Param *param, void *config)
{
    ib_Error error;
    ib_Status status = IB_OK;
    bool number = param->type == IB_PARAM_NUMBER || param->type == IB_PARAM_LIMIT, difference;
    const char *unit = ib_schema_unit(param->unit, &difference);
    if (param->type == IB_PARAM_NUMBER && param->detail && node->parent)
        refuse_rivals(reader, node, param->detail);
    if (read_compound(reader, node, param, config)) return;
    if (number && ib_node_is_random(node)) {
        double value;
        if (!ib__read_random(reader, node, unit, difference, &value)) return;
        status = ib_schema_set_number(param, value, config, &error);
    } else {
        char expected[512] = "";
        bool single = node->type == IB_NODE_SCALAR && node->text[0];
        if (!single) ib_schema_expected(param, expected, sizeof expected);
        const char *text =
            number ? ib__read_single(reader, node, expected) : ib_read_text(reader, node, expected);
        if (!text) return;
        bool word = param->type == IB_PARAM_LIMIT && strchr("+-.0123456789", text[0]) == NULL;
        if (number && !word) {
            double value;
            status = ib__read_quantity(reader, node, unit, difference, &value, &error);
            if (status == IB_OK) status = ib_schema_set_read(param, value, text, config, &error);
        } else {
            status = ib_schema_set(param, text, config, &error);
        }
    }
    if (status) ib_wrong_value(reader, node, "%s", error.text);
}

// True if the value may decide which inputs, signals or keys exist, not only a size. A number does
// so if its default, 0, is the least and means none.
static bool is_switch(const ib_Param *param)
{
    bool difference;
    double value;
    const char *unit = ib_schema_unit(param->unit, &difference);
    if (param->type == IB_PARAM_PAIR) return false;
    // The readers of named items and of files mark the node themselves.
    if (param->type == IB_PARAM_NAMED || param->type == IB_PARAM_FILE) return false;
    if (param->type == IB_PARAM_TABLE) return param->fallback && !param->fallback[0];
    if (param->type != IB_PARAM_NUMBER) return true;
    return param->fallback && param->min >= 0 &&
           ib_units_read(param->fallback, unit, &value, NULL) == IB_OK && value == 0;
}

void ib_read_param(ib_Reader *reader, const ib_Node *node, const ib_Param *param, void *config)
{
    if (node->refused) return;
    int before = ib_diagnostics_seen(reader->diagnostics);
    read_param(reader, node, param, config);
    bool wrong = ib_diagnostics_seen(reader->diagnostics) != before;
    if (wrong && is_switch(param)) ((ib_Node *)node)->refused = true;
}
