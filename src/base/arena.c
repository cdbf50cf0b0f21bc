#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 64 * 1024, ALIGNMENT = 64 };

struct ib_ArenaBlock {
    ib_ArenaBlock *next;
    size_t used, size;
    _Alignas(ALIGNMENT) unsigned char bytes[];
};

struct ib_ArenaDuty {
    ib_ArenaDuty *next;
    void (*end)(void *what);
    void *what;
};

static size_t round_up(size_t size, size_t to)
{
    return (size + to - 1) / to * to;
}

static ib_ArenaBlock *block_create(ib_Arena *arena, size_t size)
{
    size_t bytes = round_up(sizeof(ib_ArenaBlock) + size, ALIGNMENT);
    ib_ArenaBlock *block = aligned_alloc(ALIGNMENT, bytes);
    if (!block) return NULL;
    *block = (ib_ArenaBlock){.next = arena->blocks, .size = size};
    arena->blocks = block;
    return block;
}

void *ib_arena_alloc(ib_Arena *arena, size_t size)
{
    // Small pieces pack tightly; arrays start on a cache line: docs/performance.md
    size_t align = size >= ALIGNMENT ? ALIGNMENT : 16;
    if (size == 0) size = 1;
    if (size > SIZE_MAX / 2 || (arena->limit && size > arena->limit - arena->used)) return NULL;

    ib_ArenaBlock *block = arena->blocks;
    size_t start = block ? round_up(block->used, align) : 0;
    if (!block || start > block->size || size > block->size - start) {
        block = block_create(arena, size > BLOCK_SIZE ? size : BLOCK_SIZE);
        if (!block) return NULL;
        start = 0;
    }
    block->used = start + size;
    arena->used += size;
    return memset(block->bytes + start, 0, size); // not the whole block: most of it is unused
}

void *ib_arena_array(ib_Arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) return NULL;
    return ib_arena_alloc(arena, count * size);
}

char *ib_arena_text_n(ib_Arena *arena, const char *text, size_t length)
{
    char *copy = ib_arena_alloc(arena, length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

char *ib_arena_text(ib_Arena *arena, const char *text)
{
    return ib_arena_text_n(arena, text, strlen(text));
}

char *ib_arena_format(ib_Arena *arena, const char *format, ...)
{
    char most[128]; // most texts fit and are printed once
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(most, sizeof most, format, arguments);
    char *text = length < 0 ? NULL : ib_arena_alloc(arena, (size_t)length + 1);
    if (text && (size_t)length < sizeof most)
        memcpy(text, most, (size_t)length);
    else if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

bool ib_arena_at_end(ib_Arena *arena, void (*end)(void *what), void *what)
{
    ib_ArenaDuty *duty = ib_arena_alloc(arena, sizeof *duty);
    if (!duty) {
        end(what);
        return false;
    }
    *duty = (ib_ArenaDuty){arena->duties, end, what};
    arena->duties = duty;
    return true;
}

void ib_arena_reset(ib_Arena *arena)
{
    for (ib_ArenaDuty *duty = arena->duties; duty; duty = duty->next) duty->end(duty->what);
    arena->duties = NULL;
    for (ib_ArenaBlock *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    arena->blocks = NULL;
    arena->used = 0;
}
