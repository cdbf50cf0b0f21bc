#include "file/node.h"

#include "base/quote.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------- building

ib_Node *ib_node_create(ib_Arena *arena, ib_NodeType type, const char *text, ib_Place place)
{
    ib_Node *node = ib_arena_alloc(arena, sizeof *node);
    if (!node) return NULL;
    node->type = type;
    node->text = text ? ib_arena_text(arena, text) : "";
    node->place = node->key_place = place;
    return node->text ? node : NULL;
}

void ib_node_append(ib_Node *parent, ib_Node *child)
{
    child->parent = parent;
    child->next = NULL;
    child->index = parent->count++;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
}

void ib_node_replace(ib_Node *old, ib_Node *child)
{
    ib_Node *parent = old->parent;
    child->parent = parent;
    child->next = old->next;
    child->index = old->index;
    child->key = old->key;
    if (parent->last == old) parent->last = child;
    if (parent->first == old) {
        parent->first = child;
        return;
    }
    ib_Node *before = parent->first;
    while (before->next != old) before = before->next;
    before->next = child;
}

void ib_node_remove(ib_Node *map, const ib_Node *entry)
{
    ib_Node *child = map->first;
    map->first = map->last = NULL;
    map->count = 0;
    for (ib_Node *next; child; child = next) {
        next = child->next;
        if (child != entry) ib_node_append(map, child);
    }
}

// ----------------------------------------------------------------------------------------- looking

static ib_Node *get_n(const ib_Node *node, const char *key, size_t length)
{
    if (!node || node->type != IB_NODE_MAP) return NULL;
    for (ib_Node *child = node->first; child; child = child->next)
        if ((length == 0 || child->key[0] == key[0]) && strncmp(child->key, key, length) == 0 &&
            child->key[length] == '\0')
            return child;
    return NULL;
}

ib_Node *ib_node_get(const ib_Node *node, const char *key)
{
    if (!node || node->type != IB_NODE_MAP) return NULL;
    for (ib_Node *child = node->first; child; child = child->next)
        if (child->key[0] == key[0] && strcmp(child->key, key) == 0) return child;
    return NULL;
}

ib_Node *ib_node_at(const ib_Node *node, int index)
{
    ib_Node *child = node && index >= 0 ? node->first : NULL;
    while (child && index-- > 0) child = child->next;
    return child;
}

void ib_node_path(const ib_Node *node, char path[IB_NODE_PATH])
{
    // The path is written from the leaf backwards, without a list of ancestors.
    char text[IB_NODE_PATH];
    size_t at = sizeof text - 1;
    text[at] = '\0';
    for (; node && node->parent; node = node->parent) {
        char number[16];
        ib_Quote key;
        const char *part = number;
        if (node->key) {
            key = ib_quote(node->key);
            part = key.text;
        } else {
            snprintf(number, sizeof number, "%d", node->index);
        }
        size_t length = strlen(part), dot = text[at] ? 1 : 0;
        if (length + dot > at) break;
        if (dot) text[--at] = '.';
        at -= length;
        memcpy(text + at, part, length);
    }
    memcpy(path, text + at, sizeof text - at);
}

// The number in a part of a path, or -1.
static int part_index(const char *part, size_t length)
{
    int index = 0;
    if (length == 0 || length > 6) return -1;
    for (size_t i = 0; i < length; i++) {
        if (part[i] < '0' || part[i] > '9') return -1;
        index = 10 * index + (part[i] - '0');
    }
    return index;
}

static ib_Node *child_of(const ib_Node *node, const char *part, size_t length)
{
    if (node->type == IB_NODE_MAP) return get_n(node, part, length);
    if (node->type == IB_NODE_LIST) return ib_node_at(node, part_index(part, length));
    return NULL;
}

ib_Node *ib_node_find(const ib_Node *root, const char *path)
{
    const ib_Node *node = root;
    while (node && *path) {
        size_t length = strcspn(path, ".");
        node = child_of(node, path, length);
        path += length + (path[length] == '.' && path[length + 1]);
        if (*path == '.') return NULL;
    }
    return (ib_Node *)node;
}

// ---------------------------------------------------------------------------------------- changing

// Adds a child for a missing part of a path; false when the list is too short for it.
static bool add_child(ib_Node *node, const char *part, size_t length, ib_Node *child,
                      ib_Arena *arena)
{
    if (node->type == IB_NODE_MAP) {
        child->key = ib_arena_text_n(arena, part, length);
        if (!child->key) return false;
    } else if (part_index(part, length) != node->count) {
        return false;
    }
    ib_node_append(node, child);
    return true;
}

// Reports why the path stops at `part`, as a mistake of the --set.
static void refuse_part(const ib_Node *node, const char *path, const char *part, size_t length,
                        ib_Place place, ib_Diagnostics *diagnostics)
{
    ib_Quote whole = ib_quote(path), name = ib_quote_n(part, (int)(length > 64 ? 64 : length));
    ib_Quote parent = ib_quote_n(path, (int)(part > path ? part - path - 1 : 0));
    if (length == 0)
        ib_diagnostics_add(diagnostics, place,
                           "'%s' has an empty part: expected a path such as robot.mass",
                           whole.text);
    else if (node->type == IB_NODE_LIST)
        ib_diagnostics_add(diagnostics, place,
                           "'%s': '%s' is a list of %d; expected a number from 0 to %d, got '%s'",
                           whole.text, parent.text, node->count, node->count, name.text);
    else
        ib_diagnostics_add(diagnostics, place, "'%s': '%s' is a value and has no '%s' in it",
                           whole.text, parent.text, name.text);
}

// The type of a new container for the part of a path that begins here: "expect.0" begins a list.
static ib_NodeType container_of(const char *part)
{
    return part_index(part, strcspn(part, ".")) == 0 ? IB_NODE_LIST : IB_NODE_MAP;
}

// True for a word that may name a preset: "cim", "775pro". The names of kinds and files do not.
static bool names_preset(const ib_Node *node)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char others[] = "0123456789._-";
    const char *text = node->text, *key = node->key;
    if (node->type != IB_NODE_SCALAR || !key || strcmp(text, "off") == 0) return false;
    if (!strcmp(key, "kind") || !strcmp(key, "file") || !strcmp(key, "title")) return false;
    for (; *text; text++)
        if (!strchr(letters, *text) && !strchr(others, *text)) return false;
    return strpbrk(node->text, letters) != NULL;
}

// Puts `map` in the place of a name, and the name into it.
static void keep_preset(ib_Node *name, ib_Node *map)
{
    ib_node_replace(name, map);
    if (ib_node_get(map, "preset")) return;
    name->key = "preset";
    name->key_place = name->place;
    ib_node_append(map, name);
}

// "motor: cim" as "motor: {preset: cim}"; NULL: out of memory.
static ib_Node *open_preset(ib_Node *name, ib_Arena *arena)
{
    ib_Node *map = ib_node_create(arena, IB_NODE_MAP, NULL, name->place);
    if (!map) return NULL;
    map->key_place = name->key_place;
    keep_preset(name, map);
    return map;
}

// The length of the first key of a path. Among inputs a dotted key may stand beside the input it
// begins with: `lift: 8 V` and `lift.brake: on`.
static size_t key_length(const ib_Node *node, const char *part)
{
    size_t length = strcspn(part, "."), whole = strlen(part);
    if (node->type != IB_NODE_MAP || !node->key || strcmp(node->key, "inputs") != 0) return length;
    const ib_Node *child = child_of((ib_Node *)node, part, length);
    bool index = part[length] == '.' && part[length + 1] >= '0' && part[length + 1] <= '9';
    bool beside = child && child->type != IB_NODE_MAP && !index;
    return beside || child_of((ib_Node *)node, part, whole) ? whole : length;
}

bool ib_node_set(ib_Node *root, const char *path, ib_Node *value, ib_Arena *arena,
                 ib_Diagnostics *diagnostics)
{
    ib_Node *node = root;
    for (const char *part = path;;) {
        size_t length = key_length(node, part);
        bool last = part[length] == '\0';
        bool blank = node->type == IB_NODE_SCALAR && !node->quoted && node->text[0] == '\0';
        if (blank) node->type = container_of(part); // "robot:" without a value
        ib_Node *opened = length && names_preset(node) ? open_preset(node, arena) : NULL;
        if (opened) node = opened;

        bool open = length > 0 && node->type != IB_NODE_SCALAR;
        ib_Node *child = open ? child_of(node, part, length) : NULL;
        if (open && !child) {
            child =
                last ? value
                     : ib_node_create(arena, container_of(part + length + 1), NULL, value->place);
            if (child && !last) child->on_way = true;
            open = child && add_child(node, part, length, child, arena);
        } else if (open && last) {
            ib_node_replace(child, value);
        }
        if (!open) {
            refuse_part(node, path, part, length, value->place, diagnostics);
            return false;
        }
        if (last) return true;
        node = child;
        part += length + 1;
    }
}

bool ib_node_is_random(const ib_Node *node)
{
    return node->type == IB_NODE_MAP && node->first &&
           (strcmp(node->first->key, "uniform") == 0 || strcmp(node->first->key, "normal") == 0);
}

// The item of a list that a path's item overrides; NULL: none.
static ib_Node *item_below(const ib_Node *list, const ib_Node *item)
{
    int index = item->key ? part_index(item->key, strlen(item->key)) : item->index;
    return ib_node_at(list, index);
}

// Lays the map of a path over the items of a list; false if the list lacks one of them.
static bool merge_items(ib_Node *list, ib_Node *over)
{
    if (list->type != IB_NODE_LIST || !over->on_way) return false;
    for (const ib_Node *child = over->first; child; child = child->next)
        if (!item_below(list, child)) return false;
    for (ib_Node *child = over->first, *next; child; child = next) {
        next = child->next;
        ib_Node *old = item_below(list, child);
        if (old->type == IB_NODE_MAP && child->type == IB_NODE_MAP)
            ib_node_merge(old, child);
        else
            ib_node_replace(old, child);
    }
    return true;
}

void ib_node_merge(ib_Node *base, ib_Node *over)
{
    for (ib_Node *child = over->first, *next; child; child = next) {
        next = child->next;
        ib_Node *old = ib_node_get(base, child->key);
        bool both = old && old->type == IB_NODE_MAP && child->type == IB_NODE_MAP &&
                    !ib_node_is_random(old) && !ib_node_is_random(child);
        if (!old)
            ib_node_append(base, child);
        else if (both)
            ib_node_merge(old, child);
        else if (merge_items(old, child))
            continue;
        else if (names_preset(old) && child->type == IB_NODE_MAP && !ib_node_is_random(child))
            keep_preset(old, child);
        else
            ib_node_replace(old, child);
    }
    over->first = over->last = NULL;
    over->count = 0;
}

void ib_node_underlay(ib_Node *over, ib_Node *base)
{
    ib_node_merge(base, over);
    for (ib_Node *child = base->first, *next; child; child = next) {
        next = child->next;
        ib_node_append(over, child);
    }
}

bool ib_node_is_refused(const ib_Node *node)
{
    bool refused = node && node->refused;
    for (const ib_Node *child = node ? node->first : NULL; child && !refused; child = child->next)
        refused = ib_node_is_refused(child);
    return refused;
}

void ib_node_describe(const ib_Node *node, char *text, size_t size)
{
    if (node->type == IB_NODE_MAP)
        snprintf(text, size, "a map");
    else if (node->type == IB_NODE_LIST)
        snprintf(text, size, "a list");
    else if (node->text[0] == '\0')
        snprintf(text, size, "nothing");
    else
        snprintf(text, size, "'%s'", ib_quote(node->text).text);
}
