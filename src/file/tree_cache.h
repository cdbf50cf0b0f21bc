// file/tree_cache.h: a cache of parsed trees, for texts that are read again.
//
// A sweep reads its scenario for every point of its grid, each time with other values over the same
// files. Nine tenths of that would be parsing and searching: of files, of numbers with their units,
// of keys in tables, of the tables' defaults. The cache keeps each file in its state at the first
// reading, whatever has become of it since, and its nodes keep the results from them.
#ifndef IB_FILE_TREE_CACHE_H
#define IB_FILE_TREE_CACHE_H

#include "base/schema.h"
#include "file/node.h"

typedef struct ib_TreeCache ib_TreeCache;

// NULL: out of memory. Threads may use one cache at the same time.
ib_TreeCache *ib_tree_cache_create(void);
void ib_tree_cache_destroy(ib_TreeCache *cache);

// A copy of the tree under these two words, for the caller to change; NULL: no such tree, no cache
// (`cache` NULL), or no memory. Its texts are the cache's, which must outlive it.
ib_Node *ib_tree_cache_take(ib_TreeCache *cache, const char *name, const char *part,
                            ib_Arena *arena);

// Keeps a copy of a tree as parsed, before any change. Without memory, or if `cache` is NULL,
// nothing is kept, and the next reader parses again.
void ib_tree_cache_put(ib_TreeCache *cache, const char *name, const char *part,
                       const ib_Node *root);

// The kept value of the node's text in this unit; false: none is kept.
bool ib_tree_cache_number(const ib_Node *node, const char *unit, bool difference, double *value);
void ib_tree_cache_keep_number(ib_TreeCache *cache, const ib_Node *node, const char *unit,
                               bool difference, double value);

// The parameter with this key, as ib_schema_find: first where `node` was found the last time.
const ib_Param *ib_tree_cache_find(const ib_Node *node, const ib_Schema *schema, const char *key);

// The defaults of a table, as ib_schema_default, from the cache if kept there.
ib_Status ib_tree_cache_default(ib_TreeCache *cache, const ib_Schema *schema, void *config,
                                ib_Error *error);

#endif
