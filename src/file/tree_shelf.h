// file/tree_shelf.h: a cache of parsed trees, for texts that are read again.
//
// A sweep reads its scenario for every point of its grid, each time with other values over the same
// files. Nine tenths of that would be parsing and searching: of files, of numbers with their units,
// of keys in tables, of the tables' defaults. The shelf keeps each file in its state at the first
// reading, whatever has become of it since, and its nodes keep the results from them.
#ifndef IB_FILE_TREE_SHELF_H
#define IB_FILE_TREE_SHELF_H

#include "base/schema.h"
#include "file/node.h"

typedef struct ib_TreeShelf ib_TreeShelf;

// NULL: out of memory. Threads may use one shelf at the same time.
ib_TreeShelf *ib_tree_shelf_create(void);
void ib_tree_shelf_destroy(ib_TreeShelf *shelf);

// A copy of the tree under these two words, for the caller to change; NULL: no such tree, no shelf
// (`shelf` NULL), or no memory. Its texts are the shelf's, which must outlive it.
ib_Node *ib_tree_shelf_take(ib_TreeShelf *shelf, const char *name, const char *part,
                            ib_Arena *arena);

// Keeps a copy of a tree as parsed, before any change. Without memory, or if `shelf` is NULL,
// nothing is kept, and the next reader parses again.
void ib_tree_shelf_put(ib_TreeShelf *shelf, const char *name, const char *part,
                       const ib_Node *root);

// The kept value of the node's text in this unit; false: none is kept.
bool ib_tree_shelf_number(const ib_Node *node, const char *unit, bool difference, double *value);
void ib_tree_shelf_keep_number(ib_TreeShelf *shelf, const ib_Node *node, const char *unit,
                               bool difference, double value);

// The parameter with this key, as ib_schema_find: first where `node` was found the last time.
const ib_Param *ib_tree_shelf_find(const ib_Node *node, const ib_Schema *schema, const char *key);

// The defaults of a table, as ib_schema_default, from the shelf if kept there.
ib_Status ib_tree_shelf_default(ib_TreeShelf *shelf, const ib_Schema *schema, void *config,
                                ib_Error *error);

#endif
