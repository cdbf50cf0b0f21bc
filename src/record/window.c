#include "record/window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void ib__window_free(ib__Window *window)
{
    free(window->buffer);
    window->buffer = NULL;
    window->count = window->capacity = 0;
}

static const unsigned char *fail(ib__Window *window, ib_Status status, const char *what)
{
    if (window->status == IB_OK)
        window->status = ib_error_set(window->error, status, "%s: %s", window->name, what);
    window->count = 0;
    return NULL;
}

static bool grow(ib__Window *window, size_t length)
{
    size_t capacity = length > window->usual ? length : window->usual;
    if (capacity <= window->capacity) return true;
    unsigned char *buffer = realloc(window->buffer, capacity);
    if (!buffer) return false;
    window->buffer = buffer;
    window->capacity = capacity;
    return true;
}

// Places the window; returns the number of bytes to read. A step back is often followed by more:
// then little is read, and part of it before the place.
static size_t place(ib__Window *window, uint64_t at, size_t length)
{
    bool back = window->count && at < window->begin;
    size_t wanted = back ? window->usual / 16 : window->capacity, before = 0;
    if (back && length < wanted / 2) before = at < wanted / 4 ? (size_t)at : wanted / 4;
    if (wanted < length) wanted = length;
    window->begin = at - before;
    window->count = 0;
    uint64_t left = window->size - window->begin;
    return left < wanted ? (size_t)left : wanted;
}

const unsigned char *ib__window_move(ib__Window *window, uint64_t at, size_t length)
{
    if (window->status != IB_OK) return NULL;
    IB_ASSERT(at <= window->size && length <= window->size - at);
    if (!grow(window, length)) return fail(window, IB_FAILED, "out of memory");
    size_t wanted = place(window, at, length);
    while (window->count < wanted) {
        ssize_t got = pread(window->fd, window->buffer + window->count, wanted - window->count,
                            (off_t)(window->begin + window->count));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(window, IB_BAD_INPUT, strerror(errno));
        if (got == 0)
            return fail(window, IB_BAD_INPUT,
                        "the file has become shorter while it was read: convert it again");
        window->count += (size_t)got;
    }
    return window->buffer + (at - window->begin);
}
