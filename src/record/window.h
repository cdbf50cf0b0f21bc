// record/window.h: the bytes of a file with a small part in memory.
//
// Bytes entirely in memory have the same interface, so that one reader serves both. A file is read
// at each request; its size is that at its opening.
#ifndef IB_RECORD_WINDOW_H
#define IB_RECORD_WINDOW_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IB__WINDOW_SIZE = 1 << 20 };

typedef struct ib__Window {
    const char *name;
    const unsigned char *memory; ///< all bytes; NULL: those of `fd`
    int fd;
    size_t usual;          ///< bytes in memory; more only for a larger request
    uint64_t size;         ///< readable bytes
    unsigned char *buffer; ///< those from `begin` on, `count` of them
    size_t capacity, count;
    uint64_t begin;
    ib_Status status; ///< IB_OK until a request has failed
    ib_Error *error;
} ib__Window;

// A window on bytes in memory.
static inline ib__Window ib__window_memory(const char *name, const unsigned char *data, size_t size,
                                           ib_Error *error)
{
    return (ib__Window){
        .name = name, .memory = data, .fd = -1, .usual = size, .size = size, .error = error};
}

// A window on an open file, which stays the caller's.
static inline ib__Window ib__window_file(const char *name, int fd, size_t usual, uint64_t size,
                                         ib_Error *error)
{
    return (ib__Window){.name = name, .fd = fd, .usual = usual, .size = size, .error = error};
}

void ib__window_free(ib__Window *window);

const unsigned char *ib__window_move(ib__Window *window, uint64_t at, size_t length);

// The bytes from `at` on, `length` of them, all below `size`: valid until the next call. NULL:
// `status` and the error have the reason, and every later call fails too.
static inline const unsigned char *ib__window_view(ib__Window *window, uint64_t at, size_t length)
{
    if (window->memory) return window->memory + at;
    if (at >= window->begin && length <= window->count &&
        at - window->begin <= window->count - length)
        return window->buffer + (at - window->begin);
    return ib__window_move(window, at, length);
}

#endif
