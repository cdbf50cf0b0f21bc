#include "base/signal.h"

#include <string.h>

static int reserve(ib_SignalTable *table, int more)
{
    if (table->count + more <= table->capacity) return 1;
    int capacity = 2 * (table->count + more);
    ib_SignalDef *items = ib_arena_array(table->arena, (size_t)capacity, sizeof *items);
    if (!items) return 0;
    if (table->count) memcpy(items, table->items, (size_t)table->count * sizeof *items);
    table->items = items;
    table->capacity = capacity;
    return 1;
}

int ib_signals_add(ib_SignalTable *table, const char *prefix, const ib_SignalDef *signals,
                   int count)
{
    int first = table->count;
    if (!reserve(table, count)) return -1;
    for (int i = 0; i < count; i++) {
        ib_SignalDef item = signals[i];
        item.name = prefix[0] ? ib_arena_format(table->arena, "%s.%s", prefix, item.name)
                              : ib_arena_text(table->arena, item.name);
        if (!item.name) return -1;
        table->items[table->count++] = item;
    }
    return first;
}

int ib_signals_find(const ib_SignalTable *table, const char *name)
{
    for (int i = 0; i < table->count; i++)
        if (strcmp(table->items[i].name, name) == 0) return i;
    return -1;
}

int ib_signals_match(const char *pattern, const char *name)
{
    // Greedy with one way back: the last star swallows one character more at each mismatch.
    const char *star = NULL, *resume = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            resume = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++resume;
        } else {
            return 0;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}
