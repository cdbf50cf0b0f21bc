// file/node.h: the content of a file as a tree in which every key and value knows its place.
#ifndef IB_FILE_NODE_H
#define IB_FILE_NODE_H

#include "file/diagnostics.h"

#include <stdbool.h>

typedef enum ib_NodeType { IB_NODE_SCALAR, IB_NODE_MAP, IB_NODE_LIST } ib_NodeType;

typedef struct ib_NodeMemory ib_NodeMemory;

typedef struct ib_Node ib_Node;
struct ib_Node {
    ib_NodeType type;
    const char *key;    ///< in a map; NULL in a list and at the root
    const char *text;   ///< of a scalar; "": nothing was written; of a map: the name of the preset
                        ///< under it, "" or NULL: none
    bool quoted;        ///< a scalar in quotes, or a block of text
    bool refused;       ///< its content was refused: further mistakes in it are not reported
    bool on_way;        ///< a map or list that ib_node_set made on its way
    int index;          ///< in its map or list, from 0
    int count;          ///< children
    ib_Place key_place; ///< of the key; without a key, of the value
    ib_Place place;     ///< of the value; without a value, of the key
    ib_Place preset;    ///< of the name of the preset under it; no file: none
    ib_Node *parent, *first, *last, *next;
    ib_NodeMemory *memory; ///< of earlier results from it (file/tree_cache.h); NULL: none
};

enum { IB_NODE_PATH = 256 }; ///< characters of a path, its closing NUL included

// A new node without a key; NULL when the arena is full. `text` is copied (NULL: "").
ib_Node *ib_node_create(ib_Arena *arena, ib_NodeType type, const char *text, ib_Place place);

// Puts `child` at the end of a map or list, with its key and place as they are.
void ib_node_append(ib_Node *parent, ib_Node *child);

// Puts `child` in the place of `old`, which keeps its key and no longer belongs to the tree.
void ib_node_replace(ib_Node *old, ib_Node *child);

// Takes an entry out of its map.
void ib_node_remove(ib_Node *map, const ib_Node *entry);

// The entry of a map, or NULL; `node` may be NULL or no map.
ib_Node *ib_node_get(const ib_Node *node, const char *key);

// The item of a map or list by its number, or NULL.
ib_Node *ib_node_at(const ib_Node *node, int index);

// "robot.sensors.gyro.noise": keys and list numbers from the root, cut if too long.
void ib_node_path(const ib_Node *node, char path[IB_NODE_PATH]);

// The node at a dotted path ("inputs.left.0.1"), or NULL.
ib_Node *ib_node_find(const ib_Node *root, const char *path);

// Puts `value` at a dotted path of the map `root`: replaces the old value, creates the missing maps
// on the way (a list before a part 0), and appends to a list if the number is one past its end. A
// name on the way ("cim" of "motor: cim") becomes {preset: cim}. Refused, with the reason as a
// mistake at the place of `value`: an empty part, a way through another scalar, a number beyond the
// end of a list.
bool ib_node_set(ib_Node *root, const char *path, ib_Node *value, ib_Arena *arena,
                 ib_Diagnostics *diagnostics);

// Lays `over` upon `base`, both maps: entries of `over` win, maps in both are laid upon each other
// in turn. A random value ({uniform: …}, {normal: …}) is replaced as a whole; a name under a map
// ("cim" under {voltage: 11 V}) stays in it as its `preset`. A map from a path overrides the items
// of a list that it names ("wheels.at.2.x"). Moves the nodes of `over` into `base`.
void ib_node_merge(ib_Node *base, ib_Node *over);

// The same, with the result in `over`.
void ib_node_underlay(ib_Node *over, ib_Node *base);

// {uniform: [a, b]} or {normal: [mean, sd]}, right or wrong inside.
bool ib_node_is_random(const ib_Node *node);

// True if the node, or anything in it, was refused, so that its content is unknown. NULL: false.
bool ib_node_is_refused(const ib_Node *node);

// "a map", "a list", "'2.7 kg'" or "nothing", for messages.
void ib_node_describe(const ib_Node *node, char *text, size_t size);

#endif
