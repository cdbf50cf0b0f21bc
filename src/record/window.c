#include "record/window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEP_BACK = 1 << 14, STEP_SIZE = 1 << 16 };

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
    size_t capacity = length > IB__WINDOW_SIZE ? length : IB__WINDOW_SIZE;
    if (capacity <= window->capacity) return true;
    unsigned char *buffer = realloc(window->buffer, capacity);
    if (!buffer) return false;
    window->buffer = buffer;
    window->capacity = capacity;
    return true;
}

// Who goes back soon goes back again: little is read then, and some of it before the place.
static size_t plan(ib__Window *window, uint64_t at, size_t length)
{
    bool back = window->count && at < window->begin;
    size_t before = back ? (at < STEP_BACK ? (size_t)at : STEP_BACK) : 0;
    if (before + length > window->capacity) before = 0;
    size_t wanted = back ? STEP_SIZE : window->capacity;
    if (wanted < before + length) wanted = before + length;
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
    size_t wanted = plan(window, at, length);
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
