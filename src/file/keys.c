// file/keys.c: the allowed keys of a map, and suggestions for misspelt ones.
#include "base/extreme.h"
#include "file/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEY_TEXT = 128, LISTED = 24 };

static bool contains(const char *const *words, const char *word)
{
    for (int i = 0; words && words[i]; i++)
        if (strcmp(words[i], word) == 0) return true;
    return false;
}

const char *ib_closest_word(const char *word, const char *const *words)
{
    const char *closest = words[0];
    int least = ib_word_distance(word, words[0]);
    for (int i = 1; words[i]; i++) {
        int distance = ib_word_distance(word, words[i]);
        if (distance < least) closest = words[i];
        if (distance < least) least = distance;
    }
    return closest;
}

// The value of an unknown key may be one that another part needs, so it is marked `refused`. A
// number is not: it only sets a size.
static void mark_unknown(ib_Node *node)
{
    bool number = node->type == IB_NODE_SCALAR && strchr("+-.0123456789", node->text[0]);
    if (!number) node->refused = true;
}

// Reports an unknown key, the nearest of `words` (NULL-terminated) and all of them. In a key with
// dots the first `below` characters are known, and `words` may follow them.
static void refuse_unknown(ib_Reader *reader, const ib_Node *node, const char *const *words,
                           size_t below)
{
    char known[900] = "", where[160] = "here";
    size_t used = 0;
    for (int i = 0; words[i] && used < sizeof known; i++) {
        const char *word = i < LISTED ? words[i] : "…";
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", word);
        if (i >= LISTED) break;
    }
    if (below) snprintf(where, sizeof where, "below '%.*s'", (int)below, node->key);
    const char *rest = node->key + (below ? below + 1 : 0);
    const char *word = below ? ib_arena_text_n(reader->arena, rest, strcspn(rest, ".")) : rest;
    const char *near = word ? ib_nearest_word(word, words) : NULL;
    bool misplaced = node->parent && node->parent->parent && contains(reader->top_keys, node->key);
    if (misplaced)
        ib_wrong_key(reader, node, "unknown key: '%s' belongs to the top level; known here: %s",
                     node->key, known);
    else if (near)
        ib_wrong_key(reader, node, "unknown key; did you mean '%s'? Known %s: %s", near, where,
                     known);
    else
        ib_wrong_key(reader, node, "unknown key; known %s: %s", where, known);
    mark_unknown((ib_Node *)node);
}

void ib_check_keys(ib_Reader *reader, const ib_Node *map, const char *const *words)
{
    for (const ib_Node *child = map->first; child; child = child->next)
        if (!contains(words, child->key)) refuse_unknown(reader, child, words, 0);
}

// ----------------------------------------------------------------------------------------- schemas

typedef struct Walk {
    ib_Reader *reader;
    const ib_Schema *schema;
    const char *const *others;
    void *config;
    const ib_Node **given; ///< per parameter, after reading; NULL: not given
} Walk;

// The words that may follow `prefix` ("" or "velocity."): each the next part of some key. Texts go
// to the arena.
static void next_words(ib_Reader *reader, const char *const *keys, const char *prefix,
                       const char *words[IB_MAX_WORDS + 1])
{
    int count = 0;
    size_t length = strlen(prefix);
    for (; *keys && count < IB_MAX_WORDS; keys++) {
        if (strncmp(*keys, prefix, length) != 0) continue;
        const char *rest = *keys + length;
        const char *word = ib_arena_text_n(reader->arena, rest, strcspn(rest, "."));
        words[count] = NULL;
        if (word && !contains(words, word)) words[count++] = word;
    }
    words[count] = NULL;
}

void ib_refuse_key(ib_Reader *reader, const ib_Node *node, const char *const *keys,
                   const char *prefix)
{
    const char *words[IB_MAX_WORDS + 1];
    const char *dot = strchr(node->key, '.');
    char path[KEY_TEXT];
    snprintf(path, sizeof path, "%s%s", prefix, node->key);
    if (dot && contains(keys, path)) {
        ib_wrong_key(reader, node, "a dot is a map in the file: write %.*s: {%s: …}",
                     (int)(dot - node->key), node->key, dot + 1);
        return;
    }
    // Finds the longest known beginning of a key with dots, "leg." of "leg.fr.alpha".
    size_t before = strlen(prefix), below = 0;
    for (; dot && (size_t)(dot - node->key) + before + 1 < sizeof path;
         dot = strchr(dot + 1, '.')) {
        size_t length = (size_t)(dot - node->key), i = 0;
        while (keys[i] && strncmp(keys[i], path, before + length + 1) != 0) i++;
        if (!keys[i]) break;
        below = length;
    }
    if (below) path[before + below + 1] = '\0';
    next_words(reader, keys, below ? path : prefix, words);
    refuse_unknown(reader, node, words, below);
}

// All keys of a schema and beside it; in the map of a preset, or of a schema with presets,
// also `preset`.
static const char *const *all_keys(const Walk *walk)
{
    size_t count = 0;
    while (walk->others && walk->others[count]) count++;
    size_t room = count + 2 * (size_t)walk->schema->count + 2;
    const char **keys = ib_arena_array(walk->reader->arena, room, sizeof *keys);
    if (!keys) return NULL;
    if (count) memcpy(keys, walk->others, count * sizeof *keys);
    if (walk->schema->presets) keys[count++] = "preset";
    for (int i = 0; i < walk->schema->count; i++) {
        const ib_Param *param = &walk->schema->params[i];
        bool preset = param->type == IB_PARAM_PRESET;
        keys[count++] = param->key;
        if (preset) keys[count] = ib_arena_format(walk->reader->arena, "%s.preset", param->key);
        if (preset && keys[count]) count++;
    }
    return keys;
}

// True if `path` is the beginning of longer keys: "velocity" of "velocity.x".
static bool leads_on(const ib_Schema *schema, const char *path)
{
    size_t length = strlen(path);
    for (int i = 0; i < schema->count; i++) {
        const char *key = schema->params[i].key;
        if (strncmp(key, path, length) == 0 && key[length] == '.') return true;
    }
    return false;
}

// Recursion is as deep as the longest key of the schema has parts.
static void read_level(const Walk *walk, const ib_Node *map, const char *prefix)
{
    for (const ib_Node *child = map->first; child; child = child->next) {
        char path[KEY_TEXT], deeper[KEY_TEXT + 1];
        if (!prefix[0] && contains(walk->others, child->key)) continue;
        size_t before = strlen(prefix), length = before + strlen(child->key);
        bool plain = length < KEY_TEXT && !strchr(child->key, '.');
        if (plain) {
            memcpy(path, prefix, before);
            memcpy(path + before, child->key, length - before + 1);
            memcpy(deeper, path, length);
            memcpy(deeper + length, ".", 2);
        }
        const ib_Param *param = plain ? ib_tree_cache_find(child, walk->schema, path) : NULL;
        bool preset = param && param->type == IB_PARAM_PRESET;
        if (param && walk->given && !walk->given[param - walk->schema->params])
            walk->given[param - walk->schema->params] = child;
        if (preset && child->type == IB_NODE_MAP) {
            read_level(walk, child, deeper);
        } else if (param && !preset) {
            ib_read_param(walk->reader, child, param, walk->config);
        } else if (plain && !preset && leads_on(walk->schema, path)) {
            if (ib_check_map(walk->reader, child, "a map")) read_level(walk, child, deeper);
        } else if (!preset) {
            const char *const *keys = all_keys(walk);
            if (keys) ib_refuse_key(walk->reader, child, keys, prefix);
        }
    }
}

// Replaces a required value that is missing or wrong: a number near 1, a growing pair or table.
static void stand_in(const ib_Param *param, void *config)
{
    const ib_TableDef *def = param->detail;
    char *field = (char *)config + param->offset;
    double value = param->min > 1 ? param->min : param->max < 1 ? param->max : 1;
    if (param->type == IB_PARAM_PAIR) {
        double pair[2] = {value, value < param->max ? ib_min(2 * value, param->max) : param->max};
        if (!(pair[1] > pair[0])) pair[0] = param->min;
        memcpy(field, pair, sizeof pair);
    } else if (param->type == IB_PARAM_TABLE) {
        ib_Table table = {.count = def->rows};
        for (int i = 0; i < def->rows; i++) {
            table.x[i] = i;
            for (int k = 0; k < IB_TABLE_VALUES; k++)
                table.y[k][i] = param->min < param->max ? value : 1;
        }
        memcpy(field, &table, sizeof table);
    } else {
        ib_schema_set_number(param, value, config, NULL);
    }
}

// True if a value on the key's path is not a map.
static bool is_blocked(const ib_Node *map, const char *key)
{
    for (const char *dot = strchr(key, '.'); dot; dot = strchr(dot + 1, '.')) {
        char path[KEY_TEXT];
        snprintf(path, sizeof path, "%.*s", (int)(dot - key), key);
        const ib_Node *node = ib_node_find(map, path);
        if (node && node->type != IB_NODE_MAP) return true;
    }
    return false;
}

// Reports a missing required value once and puts a stand-in for it. Values of a preset are required
// in the preset's map, and only if it is on.
static void require(const Walk *walk, const ib_Node *map, const ib_Param *param)
{
    char expected[512];
    const char *key = param->key;
    stand_in(param, walk->config);
    if (!map || map->type != IB_NODE_MAP || ib_node_find(map, key)) return;
    if (is_blocked(map, key)) return;
    const ib_Param *preset = ib_schema_preset(walk->schema, key);
    if (preset && !ib_schema_preset_is_on(preset, walk->config)) return;
    const ib_Node *part = preset ? ib_node_find(map, preset->key) : NULL;
    ib_schema_expected(param, expected, sizeof expected);
    ib_wrong_gap(walk->reader, part ? part : map, "'%s' is missing: expected %s",
                 part ? key + strlen(preset->key) + 1 : key, expected);
}

static bool has_presets(const ib_Schema *schema)
{
    for (int i = 0; i < schema->count; i++)
        if (schema->params[i].type == IB_PARAM_PRESET) return true;
    return false;
}

// True if one of the keys was written by the user, and not by an entry of the data files.
static bool is_written(const Walk *walk, const ib_Node *node, const char *const *keys)
{
    for (; *keys; keys++) {
        const ib_Node *child = ib_node_get(node, *keys);
        if (child && !ib_is_data(walk->reader, child)) return true;
    }
    return false;
}

// Bytes of the field of a number or a choice.
static size_t field_size(const ib_Param *param)
{
    return param->type == IB_PARAM_NUMBER ? sizeof(double) : sizeof(int);
}

// The amount of a remark for the preset alone, without the user's changes; 0 without a preset.
// `part`: its first field.
static double remark_of_entry(const Walk *walk, const ib_Node *node, const ib_Param *preset,
                              const ib_RemarkDef *remark, const void *part)
{
    enum { KEYS = 16 };
    char text[1], own[KEYS][sizeof(double)];
    const ib_Param *params[KEYS];
    ib_Node *entry = ib__preset_entry(walk->reader, node, preset);
    double size = 0;
    int count = 0;
    for (; entry && remark->keys[count] && count < KEYS; count++) {
        char key[KEY_TEXT];
        const ib_Node *value = ib_node_get(entry, remark->keys[count]);
        snprintf(key, sizeof key, "%s.%s", preset->key, remark->keys[count]);
        params[count] = ib_schema_find(walk->schema, key);
        memcpy(own[count], (char *)walk->config + params[count]->offset, field_size(params[count]));
        if (value) ib_read_param(walk->reader, value, params[count], walk->config);
    }
    bool chosen = ib_node_get(entry, remark->choice) != NULL;
    if (entry) size = remark->make(part, chosen, text, sizeof text);
    while (count-- > 0)
        memcpy((char *)walk->config + params[count]->offset, own[count], field_size(params[count]));
    return size;
}

// Warns of remarks on the parts that were read, each at its preset.
static void remark_parts(const Walk *walk, const ib_Node *map)
{
    enum { REMARK = 600 };
    static const double more = 1.01; // than the preset alone, with room for rounding
    for (int i = 0; i < walk->schema->count; i++) {
        const ib_Param *param = &walk->schema->params[i];
        if (param->type != IB_PARAM_PRESET) continue;
        const ib_RemarkDef *remark = ((const ib_PresetDef *)param->detail)->remark;
        const ib_Node *node = remark ? ib_node_find(map, param->key) : NULL;
        if (!node || !ib_schema_preset_is_on(param, walk->config)) continue;
        char key[KEY_TEXT], text[REMARK];
        snprintf(key, sizeof key, "%s.%s", param->key, remark->keys[0]);
        const ib_Param *first = ib_schema_find(walk->schema, key);
        const char *chosen[] = {remark->choice, NULL};
        IB_ASSERT(first);
        const void *part = (const char *)walk->config + first->offset;
        double size = remark->make(part, ib_node_get(node, chosen[0]), text, sizeof text);
        if (size == 0 || !is_written(walk, node, remark->keys)) continue;
        if (is_written(walk, node, chosen) ||
            size > more * remark_of_entry(walk, node, param, remark, part))
            ib_warn_value(walk->reader, node, "%s", text);
    }
}

// The layer of a place: a robot file or a preset, the file being read, the command line. Later
// layers override earlier ones.
static int layer(const ib_Reader *reader, const ib_Place *place)
{
    if (strncmp(place->file, "--", 2) == 0) return 2;
    return strcmp(place->file, reader->file) == 0;
}

bool ib_key_waits(const ib_Reader *reader, const ib_Place *place, const ib_Node *cause)
{
    int own = layer(reader, place);
    return own < 1 || (cause && layer(reader, &cause->place) > own);
}

// The place of a parameter's value; for a preset, of its name. NULL: not written.
static const ib_Place *place_of(const ib_Node *node, const ib_Param *param)
{
    if (!node || param->type == IB_PARAM_NAMED) return NULL;
    if (param->type != IB_PARAM_PRESET) return &node->place;
    return node->preset.file ? &node->preset : NULL;
}

// Warns of a written key that is ineffective because of another one.
static void warn_of_key(const Walk *walk, const ib_Node *map, const ib_Param *param,
                        const char *because)
{
    const ib_Node *node = ib_node_find(map, param->key), *cause = ib_node_find(map, because);
    const ib_Param *other = ib_schema_find(walk->schema, because);
    ib_Reader *reader = walk->reader;
    char value[120];
    IB_ASSERT_SAY(other, "what keeps '%s' from acting is no key: '%s'", param->key, because);
    if (ib_key_waits(reader, place_of(node, param), cause)) return;
    if (other == param) {
        ib_warn_key(reader, node, "has no effect here: %s", param->sentence);
    } else if (other->type == IB_PARAM_NAMED || other->type == IB_PARAM_WORDS) {
        ib_warn_key(reader, node, "has no effect without %s", because);
    } else {
        ib_schema_format(other, walk->config, value, sizeof value);
        ib_warn_key(reader, node, "has no effect while %s is %s", because, value);
    }
}

// The key that makes a parameter ineffective, NULL: none does. A preset is ineffective if all keys
// below it are.
static const char *idle_because(const Walk *walk, const ib_Param *param)
{
    const ib_Schema *schema = walk->schema;
    size_t length = strlen(param->key);
    const char *because = NULL;
    if (param->type != IB_PARAM_PRESET) return schema->idle(walk->config, param->key);
    for (int i = 0; i < schema->count; i++) {
        const ib_Param *below = &schema->params[i];
        bool inside = below->key[0] == param->key[0] &&
                      strncmp(below->key, param->key, length) == 0 && below->key[length] == '.';
        if (!inside || below->type == IB_PARAM_PRESET) continue;
        because = schema->idle(walk->config, below->key);
        if (!because) return NULL;
    }
    return because;
}

// Warns of written keys that are ineffective.
static void warn_of_idle(const Walk *walk, const ib_Node *map)
{
    for (int i = 0; walk->schema->idle && i < walk->schema->count; i++) {
        const ib_Param *param = &walk->schema->params[i];
        const ib_Node *node = walk->given ? walk->given[i] : ib_node_find(map, param->key);
        if (!place_of(node, param)) continue;
        const char *because = idle_because(walk, param);
        if (because) warn_of_key(walk, map, param, because);
    }
}

void ib_warn_of_idle(ib_Reader *reader, const ib_Node *map, const ib_Schema *schema, void *config)
{
    Walk walk = {.reader = reader, .schema = schema, .config = config};
    if (map) warn_of_idle(&walk, map);
}

void ib_read_schema(ib_Reader *reader, const ib_Node *node, const ib_Schema *schema,
                    const char *const *others, void *config)
{
    Walk walk = {.reader = reader, .schema = schema, .others = others, .config = config};
    int before = ib_diagnostics_seen(reader->diagnostics);
    ib_Node *map = (ib_Node *)node;
    ib_Error error = {0};
    IB_ASSERT_SAY(ib_tree_cache_default(reader->trees, schema, config, &error) == IB_OK,
                  "a table that is read at '%s' has a wrong default: %s",
                  node && node->key ? node->key : "the top level", error.text);
    if (map && schema->presets) ib_expand_whole(reader, map, schema->presets);
    if (has_presets(schema)) {
        ib_Place top = {reader->file, 1, 1};
        if (!map) map = ib_node_create(reader->arena, IB_NODE_MAP, NULL, top);
        if (map && map->type == IB_NODE_MAP) ib_expand_presets(reader, map, schema, config);
    }
    for (int i = 0; i < schema->count; i++) {
        const ib_Param *param = &schema->params[i];
        bool optional = param->type >= IB_PARAM_PRESET && param->type != IB_PARAM_FILE;
        if (!param->fallback && !optional) require(&walk, node ? map : NULL, param);
    }
    if (!map || !ib_check_map(reader, map, "a map")) return;
    if (schema->idle)
        walk.given = ib_arena_array(reader->arena, (size_t)schema->count, sizeof *walk.given);
    read_level(&walk, map, "");
    // Stand-ins for wrong values get no warnings.
    if (ib_diagnostics_seen(reader->diagnostics) != before) return;
    remark_parts(&walk, map);
    warn_of_idle(&walk, map);
}

// ---------------------------------------------------------------------------------------- defaults

ib_Status ib_read_defaults(const ib_Schema *schema, void *config, ib_Error *error)
{
    ib_Arena arena = {0};
    ib_Diagnostics *diagnostics = ib_arena_alloc(&arena, sizeof *diagnostics);
    if (!diagnostics) return ib_error_set(error, IB_FAILED, "out of memory");
    diagnostics->arena = &arena;
    ib_Reader reader = {.file = "defaults", .arena = &arena, .diagnostics = diagnostics};
    ib_read_schema(&reader, NULL, schema, NULL, config);
    ib_Status status = IB_OK;
    if (diagnostics->count) {
        char text[IB_ERROR_TEXT];
        ib_diagnostic_format(&diagnostics->items[0], text, sizeof text);
        status = ib_error_set(error, IB_BAD_INPUT, "%s", text);
    }
    ib_arena_reset(&arena);
    return status;
}
