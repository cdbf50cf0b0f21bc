#include "file/tree_cache.h"

#include "base/hash.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Capacity in trees; a sweep has a few files and presets, and the values of its axes.
enum { MOST = 4096, SLOTS = 2 * MOST };

typedef struct Kept {
    const char *name, *part;
    ib_Node *nodes; ///< the tree, its root first, parents before their children
    size_t count;
} Kept;

enum { UNIT = 24, TABLES = 512 };

// The value of a text in one unit.
typedef struct Number {
    const char *text; ///< the cache's own: a node with a new text has other numbers
    char unit[UNIT];
    bool difference;
    double value;
} Number;

// Results from a node, shared by all its copies, on all threads.
struct ib_NodeMemory {
    _Atomic(const Number *) number; ///< NULL: none was read
    _Atomic int row;                ///< of the table in which its key was found last
};

// The defaults of a table, field behind field.
typedef struct Defaults {
    const ib_Param *params;
    int count;
    char *bytes;
} Defaults;

// Kept trees never change, so that only ib_tree_cache_put takes the lock.
struct ib_TreeCache {
    pthread_mutex_t lock; ///< of arena and count, and of filling a slot
    ib_Arena arena;
    int count, tables;
    _Atomic(const Kept *) slots[SLOTS]; ///< by hash, or the next free one
    _Atomic(const Defaults *) defaults[2 * TABLES];
};

ib_TreeCache *ib_tree_cache_create(void)
{
    ib_TreeCache *cache = calloc(1, sizeof *cache);
    if (cache) pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void ib_tree_cache_destroy(ib_TreeCache *cache)
{
    if (!cache) return;
    pthread_mutex_destroy(&cache->lock);
    ib_arena_reset(&cache->arena);
    free(cache);
}

// The slot with these words, or the empty one for them.
static size_t find(ib_TreeCache *cache, const char *name, const char *part, const Kept **kept)
{
    uint64_t hash = ib_hash_text(ib_hash_word(ib_hash_text(IB_HASH_START, name), 0), part);
    for (size_t i = (size_t)(hash % SLOTS);; i = (i + 1) % SLOTS) {
        *kept = atomic_load_explicit(&cache->slots[i], memory_order_acquire);
        if (!*kept) return i;
        if (strcmp((*kept)->name, name) == 0 && strcmp((*kept)->part, part) == 0) return i;
    }
}

// ----------------------------------------------------------------------------------------- copying

static size_t count_nodes(const ib_Node *root)
{
    size_t count = 1;
    for (const ib_Node *child = root->first; child; child = child->next)
        count += count_nodes(child);
    return count;
}

// Copies a text for the cache; "" is static.
static const char *copy_text(const char *text, ib_Arena *arena)
{
    return text && text[0] ? ib_arena_text(arena, text) : text ? "" : NULL;
}

// Successive places are in the same file, whose name is copied once.
typedef struct Copier {
    ib_Arena *arena;
    ib_Node *next;         ///< next node to fill
    ib_NodeMemory *memory; ///< of that
    const char *from, *to; ///< the file's name
} Copier;

static bool copy_place(Copier *copier, ib_Place *place)
{
    if (!place->file) return true;
    if (place->file != copier->from) {
        copier->from = place->file;
        copier->to = ib_arena_text(copier->arena, place->file);
    }
    place->file = copier->to;
    return copier->to != NULL;
}

// Copies the nodes of a tree into one array, texts included; false without memory. Trees are at
// most IB_YAML_MAX_DEPTH deep.
static bool lay_down(Copier *copier, const ib_Node *root)
{
    ib_Node *copy = copier->next++;
    *copy = *root;
    copy->memory = copier->memory++;
    copy->parent = copy->first = copy->last = copy->next = NULL;
    copy->count = 0;
    copy->key = copy_text(root->key, copier->arena);
    copy->text = copy_text(root->text, copier->arena);
    bool good = (copy->key || !root->key) && (copy->text || !root->text) &&
                copy_place(copier, &copy->place) && copy_place(copier, &copy->key_place) &&
                copy_place(copier, &copy->preset);
    for (const ib_Node *child = root->first; good && child; child = child->next) {
        ib_Node *own = copier->next;
        good = lay_down(copier, child);
        ib_node_append(copy, own);
    }
    return good;
}

static const Kept *keep(ib_Arena *arena, const char *name, const char *part, const ib_Node *root)
{
    size_t count = count_nodes(root);
    Kept *kept = ib_arena_alloc(arena, sizeof *kept);
    ib_Node *nodes = ib_arena_array(arena, count, sizeof *nodes);
    ib_NodeMemory *memory = ib_arena_array(arena, count, sizeof *memory);
    if (!kept || !nodes || !memory) return NULL;
    *kept = (Kept){ib_arena_text(arena, name), ib_arena_text(arena, part), nodes, count};
    Copier copier = {.arena = arena, .next = nodes, .memory = memory};
    return kept->name && kept->part && lay_down(&copier, root) ? kept : NULL;
}

// ------------------------------------------------------------------------------------ take and put

ib_Node *ib_tree_cache_take(ib_TreeCache *cache, const char *name, const char *part,
                            ib_Arena *arena)
{
    const Kept *kept = NULL;
    if (cache) find(cache, name, part, &kept);
    ib_Node *nodes = kept ? ib_arena_array(arena, kept->count, sizeof *nodes) : NULL;
    if (!nodes) return NULL;
    memcpy(nodes, kept->nodes, kept->count * sizeof *nodes);
    // Pointers between nodes become pointers within the copy.
    for (ib_Node *node = nodes; node < nodes + kept->count; node++) {
        if (node->parent) node->parent = nodes + (node->parent - kept->nodes);
        if (node->next) node->next = nodes + (node->next - kept->nodes);
        if (!node->first) continue;
        node->first = nodes + (node->first - kept->nodes);
        node->last = nodes + (node->last - kept->nodes);
    }
    return nodes;
}

void ib_tree_cache_put(ib_TreeCache *cache, const char *name, const char *part, const ib_Node *root)
{
    if (!cache) return;
    const Kept *kept;
    pthread_mutex_lock(&cache->lock);
    size_t slot = find(cache, name, part, &kept);
    if (!kept && cache->count < MOST) {
        kept = keep(&cache->arena, name, part, root);
        if (kept) cache->count++;
        atomic_store_explicit(&cache->slots[slot], kept, memory_order_release);
    }
    pthread_mutex_unlock(&cache->lock);
}

// ----------------------------------------------------------------------------------------- numbers

bool ib_tree_cache_number(const ib_Node *node, const char *unit, bool difference, double *value)
{
    if (!node->memory) return false;
    const Number *kept = atomic_load_explicit(&node->memory->number, memory_order_acquire);
    if (!kept || kept->text != node->text || kept->difference != difference) return false;
    // Units are short: "s", "kg", "1".
    size_t i = 0;
    while (unit[i] && kept->unit[i] == unit[i]) i++;
    if (kept->unit[i] != unit[i]) return false;
    *value = kept->value;
    return true;
}

void ib_tree_cache_keep_number(ib_TreeCache *cache, const ib_Node *node, const char *unit,
                               bool difference, double value)
{
    size_t length = strlen(unit);
    if (!cache || !node->memory || length >= UNIT) return;
    pthread_mutex_lock(&cache->lock);
    bool first = !atomic_load_explicit(&node->memory->number, memory_order_relaxed);
    Number *kept = first ? ib_arena_alloc(&cache->arena, sizeof *kept) : NULL;
    if (kept) {
        *kept = (Number){.text = node->text, .difference = difference, .value = value};
        memcpy(kept->unit, unit, length);
        atomic_store_explicit(&node->memory->number, kept, memory_order_release);
    }
    pthread_mutex_unlock(&cache->lock);
}

// ------------------------------------------------------------------------------------------ tables

const ib_Param *ib_tree_cache_find(const ib_Node *node, const ib_Schema *schema, const char *key)
{
    if (!node->memory) return ib_schema_find(schema, key);
    int row = atomic_load_explicit(&node->memory->row, memory_order_relaxed);
    bool there = row < schema->count && strcmp(schema->params[row].key, key) == 0;
    if (there) return &schema->params[row];
    const ib_Param *param = ib_schema_find(schema, key);
    if (param)
        atomic_store_explicit(&node->memory->row, (int)(param - schema->params),
                              memory_order_relaxed);
    return param;
}

// Copies the fields that ib_schema_default writes into `config`, or from there; returns
// their bytes.
static size_t move_fields(const ib_Schema *schema, void *config, char *bytes, bool out)
{
    size_t used = 0;
    for (int i = 0; i < schema->count; i++) {
        const ib_Param *param = &schema->params[i];
        size_t size = ib_schema_default_size(param);
        char *field = (char *)config + param->offset;
        if (bytes && size) memcpy(out ? bytes + used : field, out ? field : bytes + used, size);
        used += size;
    }
    return used;
}

static size_t find_defaults(ib_TreeCache *cache, const ib_Schema *schema, const Defaults **kept)
{
    size_t i = (size_t)(ib_hash_word(IB_HASH_START, (uint64_t)(uintptr_t)schema->params));
    for (;; i++) {
        *kept = atomic_load_explicit(&cache->defaults[i % (2 * TABLES)], memory_order_acquire);
        if (!*kept) return i % (2 * TABLES);
        if ((*kept)->params == schema->params && (*kept)->count == schema->count)
            return i % (2 * TABLES);
    }
}

static void keep_defaults(ib_TreeCache *cache, const ib_Schema *schema, void *config)
{
    const Defaults *there;
    pthread_mutex_lock(&cache->lock);
    size_t slot = find_defaults(cache, schema, &there);
    Defaults *kept =
        there || cache->tables == TABLES ? NULL : ib_arena_alloc(&cache->arena, sizeof *kept);
    char *bytes =
        kept ? ib_arena_alloc(&cache->arena, move_fields(schema, config, NULL, true)) : NULL;
    if (bytes) {
        *kept = (Defaults){schema->params, schema->count, bytes};
        move_fields(schema, config, bytes, true);
        cache->tables++;
        atomic_store_explicit(&cache->defaults[slot], kept, memory_order_release);
    }
    pthread_mutex_unlock(&cache->lock);
}

ib_Status ib_tree_cache_default(ib_TreeCache *cache, const ib_Schema *schema, void *config,
                                ib_Error *error)
{
    if (!cache || schema->made) return ib_schema_default(schema, config, error);
    const Defaults *kept;
    find_defaults(cache, schema, &kept);
    if (kept) {
        move_fields(schema, config, kept->bytes, false);
        return IB_OK;
    }
    ib_Status status = ib_schema_default(schema, config, error);
    if (status == IB_OK) keep_defaults(cache, schema, config);
    return status;
}
