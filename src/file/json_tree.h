// file/json_tree.h: JSON to a tree, strictly, within limits that a hostile file cannot pass.
//
// Files of other programs are large and strict JSON (RFC 8259); file/yaml.h reads texts that people
// write, up to 1 MiB, and accepts more than JSON. Here a text in quotes is a `quoted` scalar;
// numbers, true, false and null are scalars without quotes, in their written form.
#ifndef IB_FILE_JSON_TREE_H
#define IB_FILE_JSON_TREE_H

#include "file/node.h"

enum {
    IB_JSON_MAX_SIZE = 16 << 20,  ///< bytes of a file
    IB_JSON_MAX_DEPTH = 64,       ///< maps and lists inside each other
    IB_JSON_MAX_NODES = 1000000,  ///< values, maps and lists
    IB_JSON_MAX_SCALAR = 1 << 16, ///< bytes of one key or text
    IB_JSON_MAX_KEYS = 256,       ///< of one map
};

// Reads `length` bytes as one value; the first mistake ends the reading and is in `diagnostics`,
// located in `file`. Returns the root, or NULL after a mistake. The tree lives in `arena`; `file`
// must live as long. Refused, beside invalid JSON: duplicate keys, \u0000 and half of a surrogate
// pair in a text, numbers of more than 400 characters.
ib_Node *ib_json_tree_read(const char *file, const char *text, size_t length, ib_Arena *arena,
                           ib_Diagnostics *diagnostics);

// True if the node was written as null, as a number, as true or false.
bool ib_json_is_null(const ib_Node *node);
bool ib_json_is_number(const ib_Node *node);
bool ib_json_is_flag(const ib_Node *node);

#endif
