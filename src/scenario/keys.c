// scenario/keys.c: which keys a map may have, and what a misspelt one most likely meant.
#include "base/quote.h"
#include "scenario/reader.h"

#include <stdio.h>
#include <string.h>

enum { KEY_TEXT = 128, LISTED = 24 };

static bool contains(const char *const *words, const char *word)
{
    for (int i = 0; words && words[i]; i++)
        if (strcmp(words[i], word) == 0) return true;
    return false;
}

const char *ib__closest_word(const char *word, const char *const *words)
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

void ib__unknown_key(ib__Reader *reader, const ib_Node *node, const char *const *words)
{
    char known[900] = "";
    size_t used = 0;
    for (int i = 0; words[i] && used < sizeof known; i++) {
        const char *word = i < LISTED ? words[i] : "…";
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", word);
        if (i >= LISTED) break;
    }
    const char *near = ib_nearest_word(node->key, words);
    bool misplaced = node->parent && node->parent->parent && contains(ib__top_keys, node->key);
    if (misplaced)
        ib__wrong_key(reader, node, "unknown key: '%s' belongs to the top level; known here: %s",
                      node->key, known);
    else if (near)
        ib__wrong_key(reader, node, "unknown key; did you mean '%s'? Known here: %s", near, known);
    else
        ib__wrong_key(reader, node, "unknown key; known here: %s", known);
}

void ib__check_keys(ib__Reader *reader, const ib_Node *map, const char *const *words)
{
    for (const ib_Node *child = map->first; child; child = child->next)
        if (!contains(words, child->key)) ib__unknown_key(reader, child, words);
}

// ----------------------------------------------------------------------------------------- schemas

typedef struct Walk {
    ib__Reader *reader;
    const ib_Schema *schema;
    const char *const *others;
    void *config;
} Walk;

// The words that may follow `prefix` ("" or "velocity."): each the next part of some key. Texts go
// to the arena.
static void next_words(const Walk *walk, const char *prefix, const char *words[IB__MAX_WORDS + 1])
{
    int count = 0;
    size_t length = strlen(prefix);
    for (int i = 0; !length && walk->others && walk->others[i] && count < IB__MAX_WORDS; i++)
        words[count++] = walk->others[i];
    for (int i = 0; i < walk->schema->count && count < IB__MAX_WORDS; i++) {
        const char *key = walk->schema->params[i].key;
        if (strncmp(key, prefix, length) != 0) continue;
        const char *word =
            ib_arena_text_n(walk->reader->arena, key + length, strcspn(key + length, "."));
        words[count] = NULL;
        if (word && !contains(words, word)) words[count++] = word;
    }
    words[count] = NULL;
}

// Is `path` the beginning of longer keys: "velocity" of "velocity.x"?
static bool leads_on(const ib_Schema *schema, const char *path)
{
    size_t length = strlen(path);
    for (int i = 0; i < schema->count; i++) {
        const char *key = schema->params[i].key;
        if (strncmp(key, path, length) == 0 && key[length] == '.') return true;
    }
    return false;
}

static void refuse_key(const Walk *walk, const ib_Node *node, const char *prefix, const char *path)
{
    const char *words[IB__MAX_WORDS + 1];
    const char *dot = strchr(node->key, '.');
    if (dot && ib_schema_find(walk->schema, path)) {
        ib__wrong_key(walk->reader, node, "a dot is a map in the file: write %.*s: {%s: …}",
                      (int)(dot - node->key), node->key, dot + 1);
        return;
    }
    next_words(walk, prefix, words);
    ib__unknown_key(walk->reader, node, words);
}

// Deep at most as many levels as the longest key of the schema has parts.
static void read_level(const Walk *walk, const ib_Node *map, const char *prefix)
{
    for (const ib_Node *child = map->first; child; child = child->next) {
        char path[KEY_TEXT], deeper[KEY_TEXT + 1];
        if (!prefix[0] && contains(walk->others, child->key)) continue;
        int length = snprintf(path, sizeof path, "%s%s", prefix, child->key);
        bool plain = length < KEY_TEXT && !strchr(child->key, '.');
        const ib_Param *param = plain ? ib_schema_find(walk->schema, path) : NULL;
        if (param) {
            ib__read_param(walk->reader, child, param, walk->config);
        } else if (plain && leads_on(walk->schema, path)) {
            snprintf(deeper, sizeof deeper, "%s.", path);
            if (ib__is_map(walk->reader, child, "a map")) read_level(walk, child, deeper);
        } else {
            refuse_key(walk, child, prefix, path);
        }
    }
}

// A required value that is missing is named once; a number near 1 stands in for it.
static void require(const Walk *walk, const ib_Node *map, const ib_Param *param)
{
    char expected[512];
    if (param->type == IB_PARAM_NUMBER || param->type == IB_PARAM_COUNT) {
        double value = param->min > 1 ? param->min : param->max < 1 ? param->max : 1;
        ib_schema_set_number(param, value, walk->config, NULL);
    }
    if (!map || map->type != IB_NODE_MAP || ib_node_find(map, param->key)) return;
    ib_schema_expected(param, expected, sizeof expected);
    ib__wrong_gap(walk->reader, map, "'%s' is missing: expected %s", param->key, expected);
}

void ib__read_schema(ib__Reader *reader, const ib_Node *node, const ib_Schema *schema,
                     const char *const *others, void *config)
{
    Walk walk = {reader, schema, others, config};
    IB_ASSERT(ib_schema_default(schema, config, NULL) == IB_OK);
    for (int i = 0; i < schema->count; i++)
        if (!schema->params[i].fallback) require(&walk, node, &schema->params[i]);
    if (node && ib__is_map(reader, node, "a map")) read_level(&walk, node, "");
}
