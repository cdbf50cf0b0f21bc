// base/ring.h: slots of fixed size between one producer and one consumer thread. Neither waits.
//
// `head` counts slots published, `tail` slots released; both only grow. Each thread writes one of
// them, and the release/acquire pair on it makes the slot's bytes visible to the other.
#ifndef IB_BASE_RING_H
#define IB_BASE_RING_H

#include "base/arena.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ib_Ring {
    unsigned char *slots;
    size_t slot_size;                   ///< bytes
    uint64_t capacity;                  ///< slots
    _Alignas(64) _Atomic uint64_t head; ///< apart from `tail`, so that the threads share no line
    _Alignas(64) _Atomic uint64_t tail;
} ib_Ring;

static inline bool ib_ring_init(ib_Ring *ring, ib_Arena *arena, size_t slot_size, size_t capacity)
{
    ring->slots = ib_arena_array(arena, capacity, slot_size);
    ring->slot_size = slot_size;
    ring->capacity = capacity;
    atomic_init(&ring->head, 0);
    atomic_init(&ring->tail, 0);
    return ring->slots != NULL;
}

// Producer: slots in use, at most; and the slot to fill, or NULL when all are in use.
static inline uint64_t ib_ring_used(ib_Ring *ring)
{
    return atomic_load_explicit(&ring->head, memory_order_relaxed) -
           atomic_load_explicit(&ring->tail, memory_order_acquire);
}

static inline void *ib_ring_claim(ib_Ring *ring)
{
    if (ib_ring_used(ring) == ring->capacity) return NULL;
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    return ring->slots + (head % ring->capacity) * ring->slot_size;
}

static inline void ib_ring_publish(ib_Ring *ring)
{
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
}

// Consumer: slots to read, at least; and the oldest of them.
static inline uint64_t ib_ring_waiting(ib_Ring *ring)
{
    return atomic_load_explicit(&ring->head, memory_order_acquire) -
           atomic_load_explicit(&ring->tail, memory_order_relaxed);
}

static inline const void *ib_ring_front(ib_Ring *ring)
{
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    return ring->slots + (tail % ring->capacity) * ring->slot_size;
}

static inline void ib_ring_release(ib_Ring *ring)
{
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
}

#endif
