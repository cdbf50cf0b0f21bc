// cli/design_export.h: a design as files: the controller in C, its test, its JSON.
#ifndef IB_CLI_DESIGN_EXPORT_H
#define IB_CLI_DESIGN_EXPORT_H

#include "desk/design_file.h"

#include <stdio.h>

// Writes <name>.h, <name>.c, <name>_test.c and <name>.json into `folder`, which is made where it
// is not there, and says so on `file` (NULL: silently). Files that this program did not write are
// left alone (IB_BAD_INPUT), unless `force`.
ib_Status design_export(const ib_DesignFile *design, const char *folder, bool force, FILE *file,
                        ib_Error *error);

#endif
