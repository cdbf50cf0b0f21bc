// file/presets.c: `motor: cim`, `breaker: off`, `air: {preset: small, tanks: 3}`: a name stands
// for an entry of a data file, whose keys are laid under those of the scenario.
#include "base/quote.h"
#include "file/reader.h"

#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ a name

// "there is no motor 'cym' in data/motors.yaml; did you mean 'cim'?"
static void refuse_name(ib_Reader *reader, const ib_Node *name, const ib_DataFile *file)
{
    enum { LISTED = 12 };
    char kind[64], known[400] = "";
    const char **names = ib_catalogue_names(file, reader->arena);
    const char *near = names ? ib_nearest_word(name->text, names) : NULL;
    size_t used = 0;
    for (int i = 0; names && names[i] && i <= LISTED && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                                 i < LISTED ? names[i] : "…");
    ib_catalogue_singular(file->name, kind, sizeof kind);
    if (near)
        ib_wrong_value(reader, name, "there is no %s '%s' in %s; did you mean '%s'?", kind,
                       ib_quote(name->text).text, file->path, near);
    else
        ib_wrong_value(reader, name, "there is no %s '%s' in %s; known: %s", kind,
                       ib_quote(name->text).text, file->path, known);
}

// An entry of a data file, from the cache or the file itself.
static ib_Node *take_entry(ib_Reader *reader, const ib_DataFile *file, const char *name)
{
    int before = ib_diagnostics_seen(reader->diagnostics);
    ib_Node *entry = ib_tree_cache_take(reader->trees, file->path, name, reader->arena);
    if (entry) return entry;
    entry = ib_catalogue_entry(file, name, reader->arena, reader->diagnostics);
    if (entry && entry->type == IB_NODE_MAP && ib_diagnostics_seen(reader->diagnostics) == before)
        ib_tree_cache_put(reader->trees, file->path, name, entry);
    return entry;
}

// The entry called `name`, with those that it names in turn laid under it; NULL with the
// mistake named.
static ib_Node *find_entry(ib_Reader *reader, const ib_Param *param, const ib_Node *name, int depth)
{
    const ib_PresetDef *def = param->detail;
    const ib_DataFile *file =
        def->file ? ib_catalogue_find(reader->data ? reader->data : ib_data_files, def->file)
                  : NULL;
    if (!ib_read_text(reader, name, "the name of a preset")) return NULL;
    if (!file) {
        ib_wrong_value(reader, name, "there are no presets for this: expected %s, got '%s'",
                       def->off ? "off or a map" : "a map", ib_quote(name->text).text);
        return NULL;
    }
    if (depth == IB_MAX_PRESETS) {
        ib_wrong_value(reader, name, "more than %d presets that name each other", IB_MAX_PRESETS);
        return NULL;
    }
    int before = ib_diagnostics_seen(reader->diagnostics);
    ib_Node *entry = take_entry(reader, file, name->text);
    if (!entry && ib_diagnostics_seen(reader->diagnostics) == before)
        refuse_name(reader, name, file);
    if (!entry || !ib_check_map(reader, entry, "a map")) return NULL;

    ib_Node *base_name = ib_node_get(entry, "preset");
    ib_Node *base = base_name ? find_entry(reader, param, base_name, depth + 1) : NULL;
    if (base_name) ib_node_remove(entry, base_name);
    if (base) ib_node_underlay(entry, base);
    return base_name && !base ? NULL : entry;
}

// -------------------------------------------------------------------------------------- one preset

// The map at a dotted key; missing maps on the way are created. NULL if another value is in the
// way, which is a mistake of its own.
static ib_Node *make_map(ib_Reader *reader, ib_Node *map, const char *key)
{
    while (map && *key) {
        size_t length = strcspn(key, ".");
        const char *word = ib_arena_text_n(reader->arena, key, length);
        ib_Node *child = word && map->type == IB_NODE_MAP ? ib_node_get(map, word) : NULL;
        if (word && map->type == IB_NODE_MAP && !child) {
            child = ib_node_create(reader->arena, IB_NODE_MAP, NULL, map->place);
            if (!child) return NULL;
            child->key = word;
            ib_node_append(map, child);
        }
        map = child;
        key += length + (key[length] == '.');
    }
    return map && map->type == IB_NODE_MAP ? map : NULL;
}

// Without a written name: expands the name in the default.
static void expand_default(ib_Reader *reader, ib_Node *map, const ib_Param *param)
{
    ib_Node *node = make_map(reader, map, param->key);
    ib_Node *name =
        node ? ib_node_create(reader->arena, IB_NODE_SCALAR, param->fallback, node->place) : NULL;
    ib_Node *entry = name ? find_entry(reader, param, name, 0) : NULL;
    if (entry) {
        ib_node_underlay(node, entry);
        node->text = param->fallback;
    } else if (node)
        node->refused = true;
}

// Expands a name, alone or as the key `preset` of a map: the map of its entry, under the
// other keys.
static void expand_name(ib_Reader *reader, ib_Node *node, const ib_Param *param)
{
    bool alone = node->type == IB_NODE_SCALAR;
    ib_Node *name = alone ? node : ib_node_get(node, "preset");
    ib_Node *entry = name ? find_entry(reader, param, name, 0) : NULL;
    if (name) node->preset = name->place;
    if (alone && entry) node->type = IB_NODE_MAP;
    if (!alone && name) ib_node_remove(node, name);
    if (entry) ib_node_underlay(node, entry);
    if (entry) node->text = name->text;
    if (name && !entry) node->refused = true;
}

ib_Node *ib__preset_entry(ib_Reader *reader, const ib_Node *node, const ib_Param *param)
{
    ib_Place place = node->preset.file ? node->preset : node->place;
    bool laid = node->type == IB_NODE_MAP && node->text && node->text[0];
    ib_Node *name = laid ? ib_node_create(reader->arena, IB_NODE_SCALAR, node->text, place) : NULL;
    return name ? find_entry(reader, param, name, 0) : NULL;
}

void ib_expand_whole(ib_Reader *reader, ib_Node *map, const char *file)
{
    const ib_PresetDef def = {.file = file};
    const ib_Param whole = {.type = IB_PARAM_PRESET, .detail = &def};
    if (map->type == IB_NODE_MAP && ib_node_get(map, "preset")) expand_name(reader, map, &whole);
}

// True for a map that changes some keys of the default.
static bool changes_default(const ib_Node *node, const ib_Param *param)
{
    const ib_PresetDef *def = param->detail;
    bool named = param->fallback && strcmp(param->fallback, "off") != 0;
    return named && def->own && node->type == IB_NODE_MAP && !ib_node_find(node, "preset") &&
           !ib_node_find(node, def->own);
}

static void expand(ib_Reader *reader, ib_Node *map, const ib_Schema *schema, const ib_Param *param,
                   void *config)
{
    const ib_PresetDef *def = param->detail;
    const ib_Param *above = ib_schema_preset(schema, param->key);
    ib_Node *node = ib_node_find(map, param->key);
    const char *fallback = param->fallback;
    char expected[512] = "";
    int on = 1;
    // The text of a refusal is made only if needed.
    bool off = node && node->type == IB_NODE_SCALAR && strcmp(node->text, "off") == 0;
    bool named = node && node->type == IB_NODE_SCALAR && node->text[0] && !off;
    if (node && !named && node->type != IB_NODE_MAP)
        ib_schema_expected(param, expected, sizeof expected);
    if (above && !ib_schema_preset_is_on(above, config)) {
        on = 0;
    } else if (!node) {
        on = !fallback || strcmp(fallback, "off") != 0;
        if (fallback && on) expand_default(reader, map, param);
    } else if (off) {
        on = !def->off;
        if (on) ib_wrong_value(reader, node, "cannot be off: expected %s", expected);
        if (on) node->refused = true;
    } else if (changes_default(node, param)) {
        expand_default(reader, map, param);
    } else if (node->type == IB_NODE_MAP || ib_read_text(reader, node, expected)) {
        expand_name(reader, node, param);
    } else {
        node->refused = true;
    }
    memcpy((char *)config + param->offset, &on, sizeof on);
}

void ib_expand_presets(ib_Reader *reader, ib_Node *map, const ib_Schema *schema, void *config)
{
    for (int i = 0; i < schema->count; i++)
        if (schema->params[i].type == IB_PARAM_PRESET)
            expand(reader, map, schema, &schema->params[i], config);
}
