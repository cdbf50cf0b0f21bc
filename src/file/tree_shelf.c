#include "file/tree_shelf.h"

#include "base/hash.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Trees that are kept; a sweep has a few files and presets, and the values of its axes.
enum { MOST = 4096, SLOTS = 2 * MOST };

typedef struct Kept {
    const char *name, *part; ///< NULL: the slot is empty
    const ib_Node *root;
} Kept;

struct ib_TreeShelf {
    pthread_mutex_t lock; ///< of all below; what is kept never changes
    ib_Arena arena;
    int count;
    Kept slots[SLOTS]; ///< by hash, at the next one where that is taken
};

ib_TreeShelf *ib_tree_shelf_create(void)
{
    ib_TreeShelf *shelf = calloc(1, sizeof *shelf);
    if (shelf) pthread_mutex_init(&shelf->lock, NULL);
    return shelf;
}

void ib_tree_shelf_destroy(ib_TreeShelf *shelf)
{
    if (!shelf) return;
    pthread_mutex_destroy(&shelf->lock);
    ib_arena_reset(&shelf->arena);
    free(shelf);
}

// The slot that has these words, or the empty one where they would stand.
static Kept *find(ib_TreeShelf *shelf, const char *name, const char *part)
{
    uint64_t hash = ib_hash_text(ib_hash_word(ib_hash_text(IB_HASH_START, name), 0), part);
    for (size_t i = (size_t)(hash % SLOTS);; i = (i + 1) % SLOTS) {
        Kept *kept = &shelf->slots[i];
        if (!kept->name) return kept;
        if (strcmp(kept->name, name) == 0 && strcmp(kept->part, part) == 0) return kept;
    }
}

// ----------------------------------------------------------------------------------------- copying

// A text, as it is or as a copy; "" is nobody's.
static const char *copy_text(const char *text, ib_Arena *texts)
{
    if (!text || !texts) return text;
    return text[0] ? ib_arena_text(texts, text) : "";
}

// One place after the other stands in the same file, whose name is then copied once.
static bool copy_place(ib_Place *place, const char **from, const char **to, ib_Arena *texts)
{
    if (!texts || !place->file) return true;
    if (place->file != *from) {
        *from = place->file;
        *to = ib_arena_text(texts, place->file);
    }
    place->file = *to;
    return *to != NULL;
}

// A tree without what is around it, its texts too where there is an arena for them; NULL without
// memory. Trees are at most IB_YAML_MAX_DEPTH deep.
static ib_Node *copy_tree(const ib_Node *root, ib_Arena *arena, ib_Arena *texts, const char **from,
                          const char **to)
{
    ib_Node *copy = ib_arena_alloc(arena, sizeof *copy);
    if (!copy) return NULL;
    *copy = *root;
    copy->parent = copy->first = copy->last = copy->next = NULL;
    copy->count = 0;
    copy->key = copy_text(root->key, texts);
    copy->text = copy_text(root->text, texts);
    bool good = (copy->key || !root->key) && (copy->text || !root->text) &&
                copy_place(&copy->place, from, to, texts) &&
                copy_place(&copy->key_place, from, to, texts) &&
                copy_place(&copy->preset, from, to, texts);
    for (const ib_Node *child = root->first; good && child; child = child->next) {
        ib_Node *own = copy_tree(child, arena, texts, from, to);
        if (own) ib_node_append(copy, own);
        good = own != NULL;
    }
    return good ? copy : NULL;
}

// ------------------------------------------------------------------------------------ take and put

ib_Node *ib_tree_shelf_take(ib_TreeShelf *shelf, const char *name, const char *part,
                            ib_Arena *arena)
{
    if (!shelf) return NULL;
    pthread_mutex_lock(&shelf->lock);
    const ib_Node *root = find(shelf, name, part)->root;
    pthread_mutex_unlock(&shelf->lock);
    const char *from = NULL, *to = NULL;
    return root ? copy_tree(root, arena, NULL, &from, &to) : NULL;
}

void ib_tree_shelf_put(ib_TreeShelf *shelf, const char *name, const char *part, const ib_Node *root)
{
    if (!shelf) return;
    const char *from = NULL, *to = NULL;
    pthread_mutex_lock(&shelf->lock);
    Kept *slot = find(shelf, name, part);
    if (!slot->name && shelf->count < MOST) {
        Kept kept = {.name = ib_arena_text(&shelf->arena, name),
                     .part = ib_arena_text(&shelf->arena, part),
                     .root = copy_tree(root, &shelf->arena, &shelf->arena, &from, &to)};
        if (kept.name && kept.part && kept.root) {
            *slot = kept;
            shelf->count++;
        }
    }
    pthread_mutex_unlock(&shelf->lock);
}
