#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool ib_output_is_standard(const char *path)
{
    struct stat named, standard;
    if (stat(path, &named) || fstat(STDOUT_FILENO, &standard)) return false;
    if (S_ISCHR(named.st_mode) && !isatty(STDOUT_FILENO)) return false;
    return named.st_dev == standard.st_dev && named.st_ino == standard.st_ino;
}

int ib_output_open(const char *path)
{
    if (ib_output_is_standard(path)) return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
}

static ib_Status cannot_write(const char *path, int reason, ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "cannot write '%s': %s", path, strerror(reason));
}

FILE *ib_output_begin(const char *path, ib_Error *error)
{
    int descriptor = ib_output_open(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (file) return file;
    int reason = errno;
    if (descriptor >= 0) close(descriptor);
    cannot_write(path, reason, error);
    return NULL;
}

ib_Status ib_output_end(FILE *file, const char *path, ib_Error *error)
{
    // The first failure counts: one on the way, or that of what was still to be written.
    bool bad = ferror(file) != 0;
    int reason = errno;
    bool left = fflush(file) != 0;
    if (left && !bad) reason = errno;
    bool open = fclose(file) != 0;
    if (open && !bad && !left) reason = errno;
    return bad || left || open ? cannot_write(path, reason, error) : IB_OK;
}
