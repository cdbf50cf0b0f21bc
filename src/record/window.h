// record/window.h: the bytes of a file, of which a small part is in memory.
//
// What is all in memory looks the same, so that one reader serves both. A file is read as often as
// is asked for; its size is that of the moment when it was opened.
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
    size_t usual;          ///< bytes in memory; more only where more are asked for at once
    uint64_t size;         ///< bytes that may be looked at
    unsigned char *buffer; ///< those from `begin` on, `count` of them
    size_t capacity, count;
    uint64_t begin;
    ib_Status status; ///< IB_OK until a look has failed
    ib_Error *error;
} ib__Window;

// A window on bytes that are all there.
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

// The bytes from `at` on, `length` of them, all below `size`: until the next look. NULL: `status`
// and the error say why, and every later look fails too.
static inline const unsigned char *ib__window_look(ib__Window *window, uint64_t at, size_t length)
{
    if (window->memory) return window->memory + at;
    if (at >= window->begin && length <= window->count &&
        at - window->begin <= window->count - length)
        return window->buffer + (at - window->begin);
    return ib__window_move(window, at, length);
}

#endif
