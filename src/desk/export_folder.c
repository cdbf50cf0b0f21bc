#include "desk/export_folder.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

ib_Status ib__export_make_folder(const char *folder, ib_Error *error)
{
    char path[PATH_MAX];
    struct stat there;
    if (snprintf(path, sizeof path, "%s", folder) >= (int)sizeof path)
        return ib_error_set(error, IB_BAD_INPUT, "the folder's name is too long");
    for (char *end = path + 1; *end; end++) {
        if (*end != '/') continue;
        *end = '\0';
        mkdir(path, 0777); // after a failure the last one fails too, with the reason
        *end = '/';
    }
    if (mkdir(path, 0777) == 0) return IB_OK;
    int reason = errno;
    if (reason == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode)) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "cannot make the folder '%s': %s", folder,
                        reason == EEXIST ? "there is a file of that name" : strerror(reason));
}

bool ib__export_is_ours(const char *path, const char *comment)
{
    char start[400] = "";
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(start, 1, sizeof start - 1, file) : 0;
    if (file) fclose(file);
    start[length] = '\0';
    start[strcspn(start, "\n")] = '\0';
    return strncmp(start, comment, strlen(comment)) == 0 && strstr(start, "Ironbird") != NULL;
}

ib_Status ib__export_refuse(const char *path, ib_Error *error)
{
    return ib_error_set(error, IB_BAD_INPUT,
                        "'%s' is there already, and not from here: nothing was written (--force "
                        "overwrites it)",
                        path);
}
