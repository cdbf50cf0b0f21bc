// file/tree_shelf.h: trees of texts that were parsed, kept for who reads the same text again.
//
// A sweep reads its scenario for every point of its grid: each time other values are laid over the
// same files. Half of that would be the parser's. What is on the shelf is as the file was when it
// was first read, whatever has become of it since.
#ifndef IB_FILE_TREE_SHELF_H
#define IB_FILE_TREE_SHELF_H

#include "file/node.h"

typedef struct ib_TreeShelf ib_TreeShelf;

// NULL: out of memory. Threads may use one shelf at the same time.
ib_TreeShelf *ib_tree_shelf_create(void);
void ib_tree_shelf_destroy(ib_TreeShelf *shelf);

// A copy of the tree that is kept under these two words, for the caller to change; NULL: there is
// none, no shelf (`shelf` NULL), or no memory. Its texts are the shelf's, which must outlive it.
ib_Node *ib_tree_shelf_take(ib_TreeShelf *shelf, const char *name, const char *part,
                            ib_Arena *arena);

// Keeps a copy of a tree as it was parsed, before anybody changes it. Where memory runs out, or
// `shelf` is NULL, nothing is kept, and who asks parses again.
void ib_tree_shelf_put(ib_TreeShelf *shelf, const char *name, const char *part,
                       const ib_Node *root);

#endif
