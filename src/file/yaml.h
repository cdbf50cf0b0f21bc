// file/yaml.h: text to a tree, within limits that a hostile file cannot pass.
//
// A scenario is one YAML document of maps, lists and text. Constructs that only hide or repeat
// things (anchors, aliases, tags, merge keys, duplicate keys, a second document) are refused and
// removed from the tree, so that the rest is checked in the same pass. Limits are checked while
// parsing, so that a bomb stops there. Two are checked before: the library scans a run of blanks or
// a directive (%) once for each of its characters, so that 60 KB of them would take 7 s, and 1 MiB
// half an hour.
#ifndef IB_FILE_YAML_H
#define IB_FILE_YAML_H

#include "file/node.h"

enum {
    IB_YAML_MAX_SIZE = 1 << 20,   ///< bytes of a file
    IB_YAML_MAX_DEPTH = 64,       ///< maps and lists inside each other
    IB_YAML_MAX_NODES = 100000,   ///< keys, values, maps and lists
    IB_YAML_MAX_SCALAR = 1 << 16, ///< bytes of one key or value
    IB_YAML_MAX_KEYS = 1000,      ///< of one map
    IB_YAML_MAX_BLANKS = 256,     ///< blanks and line ends in a row, or characters of a % line
};

// Reads `length` bytes of text as one document; mistakes are in `diagnostics`, located in `file`.
// Returns its root, also after a refusal: the first of duplicate keys counts, anchors and tags are
// dropped, an alias is an empty scalar marked `refused`. NULL if the tree is incomplete: bytes that
// are no text, a syntax error, a limit passed. The tree lives in `arena`; `file` must live as long.
ib_Node *ib_yaml_read(const char *file, const char *text, size_t length, ib_Arena *arena,
                      ib_Diagnostics *diagnostics);

#endif
