#include "base/balance.h"

#include <string.h>

// True if `entry` belongs to the energy balance: both share their names up to the last dot.
static bool is_of_book(const ib_SignalDef *entry, const ib_SignalDef *balance)
{
    const char *dot = strrchr(balance->name, '.');
    size_t stem = dot ? (size_t)(dot - balance->name) + 1 : 0;
    return strncmp(entry->name, balance->name, stem) == 0 && !strchr(entry->name + stem, '.');
}

// `lift.energy.error` is a part's, of `energy.error`.
static bool is_of_part(const ib_SignalDef *entry, const ib_SignalDef *balance)
{
    size_t all = strlen(entry->name), end = strlen(balance->name);
    return all > end && entry->name[all - end - 1] == '.' &&
           strcmp(entry->name + all - end, balance->name) == 0;
}

static bool is_given(const ib_SignalDef *entry, const ib_SignalDef *balance)
{
    return ib_role_gives(entry->means.role) && is_of_book(entry, balance);
}

static bool is_taken(const ib_SignalDef *entry, const ib_SignalDef *balance)
{
    ib_SignalRole role = entry->means.role;
    return (role == IB_ROLE_STORED || role == IB_ROLE_LOST) && is_of_book(entry, balance);
}

static bool is_part(const ib_SignalDef *entry, const ib_SignalDef *balance)
{
    return entry->means.role == IB_ROLE_BALANCE && is_of_part(entry, balance);
}

static bool find(const ib_SignalDef *signals, int count, int balance,
                 bool (*is)(const ib_SignalDef *, const ib_SignalDef *), ib_Arena *arena,
                 ib_Entries *found)
{
    int *items = ib_arena_array(arena, (size_t)count, sizeof *items);
    *found = (ib_Entries){.items = items};
    for (int i = 0; items && i < count; i++)
        if (is(&signals[i], &signals[balance])) items[found->count++] = i;
    return items != NULL;
}

// A robot's balances stand before those of its parts: the loop runs backwards.
bool ib_balances_init(const ib_SignalDef *signals, int count, ib_Arena *arena,
                      ib_Balances *balances)
{
    int books = 0;
    for (int i = 0; i < count; i++) books += signals[i].means.role == IB_ROLE_BALANCE;
    ib_Balance *items = ib_arena_array(arena, (size_t)books, sizeof *items);
    *balances = (ib_Balances){.items = items};
    for (int i = count - 1; items && i >= 0; i--) {
        if (signals[i].means.role != IB_ROLE_BALANCE) continue;
        ib_Balance *b = &items[balances->count++];
        b->signal = i;
        if (!find(signals, count, i, is_given, arena, &b->given) ||
            !find(signals, count, i, is_taken, arena, &b->taken) ||
            !find(signals, count, i, is_part, arena, &b->parts))
            return false;
    }
    return items || books == 0;
}

static double sum(const ib_Entries *entries, const double *signals)
{
    double all = 0;
    for (int i = 0; i < entries->count; i++) all += signals[entries->items[i]];
    return all;
}

void ib_balances_output(const ib_Balances *balances, double *signals)
{
    for (int i = 0; i < balances->count; i++) {
        const ib_Balance *b = &balances->items[i];
        signals[b->signal] =
            sum(&b->given, signals) - sum(&b->taken, signals) + sum(&b->parts, signals);
    }
}
