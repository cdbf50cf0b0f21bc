// desk/export_folder.h: the folder into which something is exported. Internal to desk/.
#ifndef IB_DESK_EXPORT_FOLDER_H
#define IB_DESK_EXPORT_FOLDER_H

#include "base/status.h"

#include <stdbool.h>

// The folder, with those that it is in, as far as they are missing.
ib_Status ib__export_make_folder(const char *folder, ib_Error *error);

// Does a file begin with a comment that names this program, as C files that it writes do?
bool ib__export_is_ours(const char *path, const char *comment);

// IB_BAD_INPUT: a file is there that is not ours, and so nothing is to be written.
ib_Status ib__export_refuse(const char *path, ib_Error *error);

#endif
