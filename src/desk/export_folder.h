// desk/export_folder.h: the folder of an export. Internal to desk/.
#ifndef IB_DESK_EXPORT_FOLDER_H
#define IB_DESK_EXPORT_FOLDER_H

#include "base/status.h"

#include <stdbool.h>

// Creates the folder and its parents, if missing.
ib_Status ib__export_make_folder(const char *folder, ib_Error *error);

// True if a file begins with the comment of a C file written by this program.
bool ib__export_is_ours(const char *path, const char *comment);

// Refuses with IB_BAD_INPUT, because a file of another origin exists and nothing may be written.
ib_Status ib__export_refuse(const char *path, ib_Error *error);

#endif
