#include "record/sink.h"

#include "base/output.h"
#include "base/output_part.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A new file survives a power cut only once its folder is on the disk too. Best effort: a folder
// that cannot be opened is no failure.
static void sync_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    if (length >= sizeof folder) return;
    memcpy(folder, path, length);
    folder[length] = '\0';
    int fd = open(length ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    fsync(fd);
    close(fd);
}

ib_Status ib__sink_create(const char *path, bool whole, ib_Sink *sink, ib_Error *error)
{
    *sink = (ib_Sink){.path = path};
    sink->fd = whole ? ib_output_part_open(path) : ib_output_open(path);
    if (sink->fd < 0) return ib_output_failed(path, errno, IB_BAD_INPUT, error);
    sync_folder(path);
    return IB_OK;
}

bool ib__sink_write(ib_Sink *sink, const void *data, size_t size)
{
    const char *at = data;
    while (size && !sink->failure) {
        ssize_t done = write(sink->fd, at, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            sink->failure = done < 0 ? errno : EIO;
            break;
        }
        at += done;
        size -= (size_t)done;
        sink->written += (uint64_t)done;
    }
    return !sink->failure;
}

void ib__sink_sync(ib_Sink *sink)
{
    if (sink->failure || fdatasync(sink->fd) == 0) return;
    // Pipes and devices have nothing to sync.
    if (errno != EINVAL && errno != EROFS && errno != ENOTSUP) sink->failure = errno;
}

ib_Status ib__sink_close(ib_Sink *sink, ib_Error *error)
{
    if (sink->fd < 0) return IB_OK;
    ib__sink_sync(sink);
    ib_OutputPart *part = ib_output_part_of(sink->fd);
    if (close(sink->fd) != 0 && !sink->failure) sink->failure = errno;
    int reason = ib_output_part_end(part, !sink->dropped); // a full disk keeps its part
    if (reason && !sink->failure) sink->failure = reason;
    sink->fd = -1;
    if (!sink->failure) return IB_OK;
    return ib_error_set(error, IB_FAILED, "cannot write '%s': %s; %" PRIu64 " bytes were kept",
                        sink->path, strerror(sink->failure), sink->written);
}
