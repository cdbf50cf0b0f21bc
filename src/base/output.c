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

ib_Status ib_output_failed(const char *path, int reason, ib_Status status, ib_Error *error)
{
    if (reason == EINTR)
        return ib_error_set(error, IB_INTERRUPTED,
                            "stopped while '%s' was waiting for its reader: it is not whole", path);
    return ib_error_set(error, status, "cannot write '%s': %s", path, strerror(reason));
}

ib_Status ib_output_begin(const char *path, FILE **file, ib_Error *error)
{
    int descriptor = ib_output_open(path);
    *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (*file) return IB_OK;
    int reason = errno;
    if (descriptor >= 0) close(descriptor);
    return ib_output_failed(path, reason, IB_FAILED, error);
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
    return bad || left || open ? ib_output_failed(path, reason, IB_FAILED, error) : IB_OK;
}
