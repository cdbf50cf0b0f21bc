// base/arena.h: memory that is freed all at once.
//
// A scenario, a simulation and a log each own one arena: they allocate while they are made, never
// while they step, and one call frees everything.
#ifndef IB_BASE_ARENA_H
#define IB_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ib_ArenaBlock ib_ArenaBlock;
typedef struct ib_ArenaDuty ib_ArenaDuty;

typedef struct ib_Arena {
    ib_ArenaBlock *blocks; ///< newest first
    ib_ArenaDuty *duties;  ///< calls to make before the blocks are freed, newest first
    size_t used;           ///< bytes handed out
    size_t limit;          ///< bytes it may hand out; 0: no limit
} ib_Arena;

// Returns zeroed memory aligned to 64 bytes for large and 16 for small pieces, or NULL when the
// limit or the machine's memory is reached.
void *ib_arena_alloc(ib_Arena *arena, size_t size);
void *ib_arena_array(ib_Arena *arena, size_t count, size_t size);

// A copy of `text` (`length` bytes of it), with a closing NUL; NULL: no memory.
char *ib_arena_text(ib_Arena *arena, const char *text);
char *ib_arena_text_n(ib_Arena *arena, const char *text, size_t length);
// A formatted text; NULL: no memory.
char *ib_arena_format(ib_Arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Frees resources from elsewhere with the arena: it calls `end(what)` before it frees its blocks,
// the last one first. False: no memory for that; `end` was called at once.
bool ib_arena_at_end(ib_Arena *arena, void (*end)(void *what), void *what);

// Frees everything; the arena is empty and usable again.
void ib_arena_reset(ib_Arena *arena);

#endif
