#include "base/output.h"

#include "base/output_part.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool ib_output_is_standard(const char *path)
{
    struct stat named, standard;
    if (stat(path, &named) || fstat(STDOUT_FILENO, &standard)) return false;
    if (S_ISCHR(named.st_mode) && !isatty(STDOUT_FILENO)) return false;
    return named.st_dev == standard.st_dev && named.st_ino == standard.st_ino;
}

// ------------------------------------------------------------------------------------------- locks

typedef enum Claim { CLAIMED, TAKEN, GONE } Claim;

// The lock is of the open file: it ends with its last descriptor, however the program ends. Pipes,
// devices and file systems without locks have none.
static Claim claim(const char *path, int descriptor)
{
    struct stat opened, named;
    if (fstat(descriptor, &opened) != 0 || !S_ISREG(opened.st_mode)) return CLAIMED;
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return TAKEN;
    // Between the opening and the lock its writer may have removed the file: a finished journal. A
    // file without a name (/dev/fd/3, removed) is still the one that its path leads to.
    bool same =
        stat(path, &named) == 0 && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
    return same ? CLAIMED : GONE;
}

int ib_output_claim(const char *path, int flags)
{
    enum { TRIES = 100 }; // another program would have to remove the file as often
    for (int i = 0; i < TRIES; i++) {
        int descriptor = open(path, flags | O_CLOEXEC | O_NOCTTY, 0666);
        Claim claimed = descriptor < 0 ? CLAIMED : claim(path, descriptor);
        if (claimed == CLAIMED) return descriptor;
        close(descriptor);
        if (claimed == TAKEN) break;
    }
    errno = EBUSY;
    return -1;
}

int ib_output_open(const char *path)
{
    struct stat found;
    if (ib_output_is_standard(path)) return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    int descriptor = ib_output_claim(path, O_WRONLY | O_CREAT);
    if (descriptor < 0 || fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode) ||
        ftruncate(descriptor, 0) == 0)
        return descriptor;
    int reason = errno;
    close(descriptor);
    errno = reason;
    return -1;
}

bool ib_output_try(const char *path)
{
    struct stat found;
    // A pipe is opened once, by its writer: its reader would take a second opening for the end.
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode))
        return access(path, W_OK) == 0;
    if (ib_output_is_standard(path)) return true;
    int descriptor = ib_output_claim(path, O_WRONLY | O_CREAT | O_EXCL);
    bool made = descriptor >= 0;
    if (!made && errno == EEXIST) descriptor = ib_output_claim(path, O_WRONLY | O_CREAT);
    if (descriptor < 0) return false;
    if (made) unlink(path); // under the lock: no other program writes there
    close(descriptor);
    return true;
}

// ------------------------------------------------------------------------------------------- files

ib_Status ib_output_failed(const char *path, int reason, ib_Status status, ib_Error *error)
{
    if (reason == EINTR)
        return ib_error_set(error, IB_INTERRUPTED,
                            "stopped while '%s' was waiting for its reader: it is not whole", path);
    return ib_error_set(error, status, "cannot write '%s': %s", path, ib_output_reason(reason));
}

const char *ib_output_reason(int reason)
{
    return reason == EBUSY ? "somebody is writing it already: wait for the end of that, or "
                             "name another file"
                           : strerror(reason);
}

ib_Status ib_output_begin(const char *path, FILE **file, ib_Error *error)
{
    int descriptor = ib_output_part_open(path);
    *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (*file) return IB_OK;
    int reason = errno;
    ib_OutputPart *part = ib_output_part_of(descriptor);
    if (descriptor >= 0) close(descriptor);
    ib_output_part_end(part, false);
    return ib_output_failed(path, reason, IB_FAILED, error);
}

ib_Status ib_output_end(FILE *file, const char *path, ib_Error *error)
{
    ib_OutputPart *part = ib_output_part_of(fileno(file));
    // The first failure counts: one on the way, or that of the buffered rest.
    bool bad = ferror(file) != 0;
    int reason = errno;
    bool left = fflush(file) != 0;
    if (left && !bad) reason = errno;
    bool open = fclose(file) != 0;
    if (open && !bad && !left) reason = errno;
    bad |= left | open;
    int placed = ib_output_part_end(part, !bad);
    if (placed && !bad) reason = placed;
    return bad || placed ? ib_output_failed(path, reason, IB_FAILED, error) : IB_OK;
}
