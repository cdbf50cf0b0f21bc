#include "base/output_part.h"

#include "base/output.h"
#include "base/quote.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 16 }; ///< at a time; further files are written in place

// A signal handler may read the parts at any time: `stage` is written last at the begin of a part,
// and first at its end.
typedef enum Stage { FREE, TAKEN, OPEN, WHOLE } Stage;

struct ib_OutputPart {
    _Atomic Stage stage;
    int descriptor; ///< of the part
    int lock;       ///< of the file
    bool made;      ///< the file was missing: an empty one reserves its name
    pid_t process;
    char target[PATH_MAX], name[PATH_MAX];
    char note[IB_QUOTE_LENGTH + 64];
};

static ib_OutputPart parts[MOST];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// ------------------------------------------------------------------------------------------ opened

static ib_OutputPart *take_part(void)
{
    ib_OutputPart *part = NULL;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < MOST && !part; i++)
        if (parts[i].stage == FREE) part = &parts[i];
    if (part) part->stage = TAKEN;
    pthread_mutex_unlock(&mutex);
    return part;
}

// The file behind all links. False: it cannot be replaced.
static bool find_target(const char *path, char target[PATH_MAX])
{
    static const char *const descriptors[] = {"/dev/fd/", "/dev/std", "/proc/"};
    struct stat named, found;
    bool there = stat(path, &found) == 0;
    bool linked = lstat(path, &named) == 0 && S_ISLNK(named.st_mode);
    for (size_t i = 0; i < sizeof descriptors / sizeof descriptors[0]; i++)
        if (strncmp(path, descriptors[i], strlen(descriptors[i])) == 0) return false;
    if (ib_output_is_standard(path)) return false;
    if (there && (!S_ISREG(found.st_mode) || found.st_nlink > 1 || found.st_uid != geteuid()))
        return false;
    if (linked) return realpath(path, target) != NULL;
    return snprintf(target, PATH_MAX, "%s", path) < PATH_MAX;
}

// Locks the file itself, which is created if missing.
static int lock_target(ib_OutputPart *part)
{
    int lock = ib_output_claim(part->target, O_WRONLY | O_CREAT | O_EXCL);
    part->made = lock >= 0;
    if (lock < 0 && errno == EEXIST) lock = ib_output_claim(part->target, O_WRONLY);
    return lock;
}

// Creates the part beside the file, with the rights of an existing one. -1: not possible.
static int make_part(ib_OutputPart *part)
{
    struct stat found;
    int length =
        snprintf(part->name, sizeof part->name, "%s.part-%ld", part->target, (long)getpid());
    if (length >= PATH_MAX) return -1;
    int descriptor = open(part->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
    if (descriptor >= 0 && !part->made && fstat(part->lock, &found) == 0)
        fchmod(descriptor, found.st_mode & 0777);
    return descriptor;
}

static int open_part(ib_OutputPart *part, const char *path)
{
    if (!find_target(path, part->target)) return ib_output_open(path);
    part->lock = lock_target(part);
    if (part->lock < 0) return -1;
    part->descriptor = make_part(part);
    if (part->descriptor < 0) { // then in place, under the same lock
        if (ftruncate(part->lock, 0) == 0) return part->lock;
        close(part->lock);
        return -1;
    }
    part->process = getpid();
    snprintf(part->note, sizeof part->note, "ironbird: '%s' %s\n", ib_quote(path).text,
             part->made ? "was not written" : "is as it was");
    part->stage = OPEN;
    return part->descriptor;
}

// Blocks the signals whose handlers read the parts.
static void hold_signals(sigset_t *before)
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &held, before);
}

int ib_output_part_open(const char *path)
{
    struct stat found;
    sigset_t before;
    // A pipe waits for its reader and receives signals meanwhile.
    bool waits = stat(path, &found) == 0 && !S_ISREG(found.st_mode);
    ib_OutputPart *part = waits ? NULL : take_part();
    if (!part) return ib_output_open(path);
    hold_signals(&before);
    int descriptor = open_part(part, path), reason = errno;
    if (part->stage == TAKEN) part->stage = FREE;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return descriptor;
}

// ------------------------------------------------------------------------------------------ closed

static void discard(const ib_OutputPart *part)
{
    unlink(part->name);
    if (part->made) unlink(part->target);
}

ib_OutputPart *ib_output_part_of(int descriptor)
{
    for (int i = 0; i < MOST; i++)
        if (parts[i].stage == OPEN && parts[i].descriptor == descriptor) return &parts[i];
    return NULL;
}

int ib_output_part_end(ib_OutputPart *part, bool keep)
{
    sigset_t before;
    int reason = 0;
    if (!part) return 0;
    hold_signals(&before);
    if (keep) part->stage = WHOLE;
    if (keep && rename(part->name, part->target) != 0) reason = errno;
    if (!keep || reason) discard(part);
    close(part->lock);
    part->stage = FREE;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason;
}

void ib_output_part_abandon(int descriptor)
{
    for (int i = 0; i < MOST; i++) {
        const ib_OutputPart *part = &parts[i];
        if (part->process != getpid()) continue;
        if (part->stage == WHOLE) rename(part->name, part->target);
        if (part->stage != OPEN) continue;
        discard(part);
        if (write(descriptor, part->note, strlen(part->note)) < 0) continue;
    }
}
