// desk/design/design_export.h: a design as files: the controller in C, its test, its JSON.
#ifndef IB_DESK_DESIGN_DESIGN_EXPORT_H
#define IB_DESK_DESIGN_DESIGN_EXPORT_H

#include "desk/design/design_file.h"

// The result of an export: a test that replays `steps` periods of a run of `recorded` (0: all
// of it).
typedef struct ib_DesignExported {
    int steps, recorded;
} ib_DesignExported;

// Writes <name>.h, <name>.c, <name>_test.c, <name>_plugin.c and <name>.json into `folder`, which is
// created if missing. Files that this program did not write are left alone (IB_BAD_INPUT),
// unless `force`.
ib_Status ib_design_export(const ib_DesignFile *design, const char *folder, bool force,
                           ib_DesignExported *exported, ib_Error *error);

#endif
