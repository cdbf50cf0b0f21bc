// file/derived.h: a file that is another one with some values changed:
//
//   from: sprint.yaml
//   set:
//     robot.drive.reduction: 8.42
//     robot.drive.current_limit: 41 A
//
// The paths are those of `--set`, and later ones see what earlier ones did. File names among the
// values are seen from the file that has them.
#ifndef IB_FILE_DERIVED_H
#define IB_FILE_DERIVED_H

#include "file/reader.h"

// The tree of a file whose root has `from`: that of the other file, changed; another root as it is.
// NULL with the mistake named.
ib_Node *ib_read_derived(ib_Reader *reader, ib_Node *root);

#endif
