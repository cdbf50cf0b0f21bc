#include "view/feed.h"

#include "base/ring.h"

#include <stdlib.h>

// The status goes through three places: the runner's, the server's, and one between them. Each side
// swaps its own with the middle one, so that both always hold a complete status and neither waits.
// FRESH marks a middle one that the server has not yet read.
enum { PLACES = 3, PLACE_MASK = 3, FRESH = 4 };

// A kept parameter: the runner stores the value, then the count; read in the other order, a value
// may be newer than its count but never older.
typedef struct Kept {
    _Atomic double value;
    _Atomic uint64_t changes;
} Kept;

struct ib_Feed {
    ib_Arena arena;
    int signals;
    ib_Ring rows, events, commands;
    _Atomic int64_t dropped_rows, dropped_events;
    Kept *kept;
    int kept_count;
    _Atomic uint64_t changes; ///< of all kept ones
    atomic_bool watched;
    ib_FeedStatus status[PLACES];
    _Alignas(64) _Atomic unsigned middle;
    _Alignas(64) unsigned back;  ///< the runner's place
    _Alignas(64) unsigned front; ///< the server's place
};

ib_Status ib_feed_create(int signals, ib_Feed **feed, ib_Error *error)
{
    *feed = NULL;
    if (signals < 0) return ib_error_set(error, IB_BAD_INPUT, "a feed of %d signals", signals);
    ib_Feed *made = aligned_alloc(64, sizeof *made);
    if (!made) return ib_error_set(error, IB_FAILED, "no memory for the viewer");
    *made = (ib_Feed){.signals = signals, .back = 0, .front = 2};
    atomic_init(&made->middle, 1);
    atomic_init(&made->watched, true);

    // Rows begin on lines of their own, so that the threads share none.
    size_t row = sizeof(ib_FeedRow) + 3 * (size_t)signals * sizeof(double);
    row = (row + 63) / 64 * 64;
    if (!ib_ring_init(&made->rows, &made->arena, row, IB_FEED_ROWS) ||
        !ib_ring_init(&made->events, &made->arena, sizeof(ib_FeedEvent), IB_FEED_EVENTS) ||
        !ib_ring_init(&made->commands, &made->arena, sizeof(ib_FeedCommand), IB_FEED_COMMANDS)) {
        ib_feed_destroy(made);
        return ib_error_set(error, IB_FAILED, "no memory for the viewer's %d signals", signals);
    }
    *feed = made;
    return IB_OK;
}

void ib_feed_destroy(ib_Feed *feed)
{
    if (!feed) return;
    ib_arena_reset(&feed->arena);
    free(feed);
}

ib_Status ib_feed_keep(ib_Feed *feed, int count, ib_Error *error)
{
    IB_ASSERT(!feed->kept && count >= 0);
    feed->kept = ib_arena_array(&feed->arena, (size_t)count + 1, sizeof *feed->kept);
    if (!feed->kept)
        return ib_error_set(error, IB_FAILED, "no memory for the viewer's %d parameters", count);
    feed->kept_count = count;
    return IB_OK;
}

int ib_feed_signals(const ib_Feed *feed)
{
    return feed->signals;
}

// ------------------------------------------------------------------------------- the runner's side

ib_FeedRow *ib_feed_claim(ib_Feed *feed)
{
    ib_FeedRow *row = ib_ring_claim(&feed->rows);
    if (!row)
        atomic_fetch_add_explicit(&feed->dropped_rows, 1, memory_order_relaxed);
    else
        row->ranged = false;
    return row;
}

void ib_feed_publish(ib_Feed *feed)
{
    ib_ring_publish(&feed->rows);
}

static void keep(ib_Feed *feed, int parameter, double value)
{
    if (parameter < 0 || parameter >= feed->kept_count) return;
    Kept *kept = &feed->kept[parameter];
    atomic_store_explicit(&kept->value, value, memory_order_relaxed);
    atomic_fetch_add_explicit(&kept->changes, 1, memory_order_release);
    atomic_fetch_add_explicit(&feed->changes, 1, memory_order_release);
}

void ib_feed_event(ib_Feed *feed, const ib_FeedEvent *event)
{
    if (event->kind == IB_EVENT_CHANGE) keep(feed, event->parameter, event->value);
    ib_FeedEvent *slot = ib_ring_claim(&feed->events);
    if (!slot) {
        atomic_fetch_add_explicit(&feed->dropped_events, 1, memory_order_relaxed);
        return;
    }
    *slot = *event;
    ib_ring_publish(&feed->events);
}

void ib_feed_set_status(ib_Feed *feed, const ib_FeedStatus *status)
{
    feed->status[feed->back] = *status;
    unsigned old =
        atomic_exchange_explicit(&feed->middle, feed->back | FRESH, memory_order_acq_rel);
    feed->back = old & PLACE_MASK;
}

bool ib_feed_next_command(ib_Feed *feed, ib_FeedCommand *command)
{
    if (!ib_ring_waiting(&feed->commands)) return false;
    *command = *(const ib_FeedCommand *)ib_ring_front(&feed->commands);
    ib_ring_release(&feed->commands);
    return true;
}

// ------------------------------------------------------------------------------- the server's side

const ib_FeedRow *ib_feed_row(ib_Feed *feed)
{
    return ib_ring_waiting(&feed->rows) ? ib_ring_front(&feed->rows) : NULL;
}

void ib_feed_release(ib_Feed *feed)
{
    ib_ring_release(&feed->rows);
}

bool ib_feed_next_event(ib_Feed *feed, ib_FeedEvent *event)
{
    if (!ib_ring_waiting(&feed->events)) return false;
    *event = *(const ib_FeedEvent *)ib_ring_front(&feed->events);
    ib_ring_release(&feed->events);
    return true;
}

void ib_feed_status(ib_Feed *feed, ib_FeedStatus *status)
{
    if (atomic_load_explicit(&feed->middle, memory_order_relaxed) & FRESH) {
        unsigned old = atomic_exchange_explicit(&feed->middle, feed->front, memory_order_acq_rel);
        feed->front = old & PLACE_MASK;
    }
    *status = feed->status[feed->front];
    status->dropped_rows = atomic_load_explicit(&feed->dropped_rows, memory_order_relaxed);
    status->dropped_events = atomic_load_explicit(&feed->dropped_events, memory_order_relaxed);
}

uint64_t ib_feed_changes(ib_Feed *feed)
{
    return atomic_load_explicit(&feed->changes, memory_order_acquire);
}

uint64_t ib_feed_parameter(ib_Feed *feed, int parameter, double *value)
{
    if (parameter < 0 || parameter >= feed->kept_count) return 0;
    Kept *kept = &feed->kept[parameter];
    uint64_t changes = atomic_load_explicit(&kept->changes, memory_order_acquire);
    *value = atomic_load_explicit(&kept->value, memory_order_relaxed);
    return changes;
}

bool ib_feed_command(ib_Feed *feed, const ib_FeedCommand *command)
{
    ib_FeedCommand *slot = ib_ring_claim(&feed->commands);
    if (!slot) return false;
    *slot = *command;
    ib_ring_publish(&feed->commands);
    return true;
}

bool ib_feed_watched(ib_Feed *feed)
{
    return atomic_load_explicit(&feed->watched, memory_order_relaxed);
}

void ib_feed_set_watched(ib_Feed *feed, bool watched)
{
    atomic_store_explicit(&feed->watched, watched, memory_order_relaxed);
}

int ib_feed_room(ib_Feed *feed)
{
    return IB_FEED_COMMANDS - (int)ib_ring_used(&feed->commands);
}
