#include "plant/declare.h"

#include "base/status.h"

#include <string.h>

// Room for `more` elements at the end of an array; NULL: there is none, and `failed` says so.
static void *grow(ib_Declarations *d, void *items, size_t size, int count, int more, int *room)
{
    if (d->failed) return NULL;
    if (count + more <= *room) return items;
    int wanted = 2 * (count + more);
    void *larger = ib_arena_array(d->arena, (size_t)wanted, size);
    if (!larger) {
        d->failed = true;
        return NULL;
    }
    if (count > 0) memcpy(larger, items, (size_t)count * size);
    *room = wanted;
    return larger;
}

// ------------------------------------------------------------------------------------------ states

static void add_place(ib_Declarations *d, int *at, int run, int offset)
{
    ib_DeclaredPlace *items = grow(d, d->places, sizeof *items, d->place_count, 1, &d->place_room);
    if (!items) return;
    d->places = items;
    items[d->place_count++] = (ib_DeclaredPlace){at, run, offset};
}

static void add_copy(ib_Declarations *d, int signal, int run, int offset, bool stands)
{
    ib_DeclaredCopy *items = grow(d, d->copies, sizeof *items, d->copy_count, 1, &d->copy_room);
    if (!items) return;
    d->copies = items;
    items[d->copy_count++] = (ib_DeclaredCopy){signal, run, offset, stands};
}

// Returns the run, or -1.
static int add_run(ib_Declarations *d, int count, ib_SignalForm form)
{
    ib_DeclaredStates *items = grow(d, d->runs, sizeof *items, d->run_count, 1, &d->run_room);
    if (!items) return -1;
    d->runs = items;
    items[d->run_count] = (ib_DeclaredStates){.count = count, .form = form};
    return d->run_count++;
}

void ib_declare_states(ib_Declarations *d, int count, ib_SignalForm form, int *at)
{
    *at = count > 0 ? 0 : -1;
    int run = count > 0 ? add_run(d, count, form) : -1;
    if (run >= 0) add_place(d, at, run, 0);
}

// Its declared place; NULL only without memory.
static const ib_DeclaredPlace *find_place(const ib_Declarations *d, const int *at)
{
    for (int i = d->place_count - 1; i >= 0; i--)
        if (d->places[i].at == at) return &d->places[i];
    IB_ASSERT(d->failed);
    return NULL;
}

void ib_declare_shown(ib_Declarations *d, const int *at, int offset, int signal)
{
    const ib_DeclaredPlace *place = find_place(d, at);
    if (place) add_copy(d, signal, place->run, place->offset + offset, false);
}

void ib_declare_stands_for(ib_Declarations *d, const int *at, int offset, int signal)
{
    const ib_DeclaredPlace *place = find_place(d, at);
    if (place) add_copy(d, signal, place->run, place->offset + offset, true);
}

void ib_declare_also(ib_Declarations *d, const int *at, int offset, int *also)
{
    const ib_DeclaredPlace *place = find_place(d, at);
    if (place) add_place(d, also, place->run, place->offset + offset);
}

bool ib_declare_finish(ib_Declarations *d)
{
    if (d->failed) return false;
    d->state_count = 0;
    for (int form = IB_STATE; form <= IB_SUM; form++) {
        if (form == IB_SUM) d->sum_from = d->state_count;
        for (int i = 0; i < d->run_count; i++) {
            if ((int)d->runs[i].form != form) continue;
            d->runs[i].first = d->state_count;
            d->state_count += d->runs[i].count;
        }
    }
    d->shown = ib_arena_array(d->arena, (size_t)d->state_count + 1, sizeof *d->shown);
    d->stands = ib_arena_array(d->arena, (size_t)d->state_count + 1, sizeof *d->stands);
    if (!d->shown || !d->stands) return false;
    for (int i = 0; i < d->state_count; i++) d->shown[i] = d->stands[i] = -1;
    for (int i = 0; i < d->place_count; i++)
        *d->places[i].at = d->runs[d->places[i].run].first + d->places[i].offset;
    for (int i = 0; i < d->copy_count; i++) {
        const ib_DeclaredCopy *copy = &d->copies[i];
        int state = d->runs[copy->run].first + copy->offset;
        *(copy->stands ? &d->stands[state] : &d->shown[state]) = copy->signal;
    }
    return true;
}

// -------------------------------------------------------------------------------------------- rows

void ib_declare(ib_Declarations *d, const char *prefix, const char *part, const ib_SignalDef *rows,
                int count, int *at)
{
    for (int i = 0; i < count && !d->failed; i++) {
        int signal = ib_signals_add_part(&d->signals, prefix, part, &rows[i], 1), run;
        d->failed = signal < 0;
        if (rows[i].means.form == IB_SHOWN) {
            if (at) at[i] = signal;
            continue;
        }
        run = add_run(d, 1, rows[i].means.form);
        add_copy(d, signal, run, 0, false);
        if (at) add_place(d, &at[i], run, 0);
    }
}

void ib_declare_block(ib_Declarations *d, const char *prefix, const char *part,
                      const ib_SignalDef *rows, int count, int *at)
{
    ib_declare_states(d, count, IB_STATE, at);
    for (int i = 0; i < count && !d->failed; i++) {
        int signal = ib_signals_add_part(&d->signals, prefix, part, &rows[i], 1);
        d->failed = signal < 0;
        ib_declare_shown(d, at, i, signal);
    }
}

void ib_declare_find(ib_Declarations *d, const char *name, int *at)
{
    *at = ib_signals_find(&d->signals, name);
    for (int i = 0; *at >= 0 && i < d->copy_count; i++) {
        if (d->copies[i].signal != *at) continue;
        add_place(d, at, d->copies[i].run, d->copies[i].offset);
        return;
    }
}

void ib_declare_entry(ib_Declarations *d, const char *name, int *at)
{
    ib_declare_find(d, name, at);
    IB_ASSERT_SAY(*at >= 0 || d->failed,
                  "this robot's balances have no %s, which a part of it adds to", name);
}

const char *ib_declare_name(ib_Declarations *d, const char *prefix, const char *name)
{
    const char *text = prefix[0] ? ib_arena_format(d->arena, "%s.%s", prefix, name) : name;
    d->failed |= !text;
    return text ? text : "";
}

// ------------------------------------------------------------------------- inputs, guards, bridges

void ib_declare_input(ib_Declarations *d, ib_InputDef input, int *at)
{
    ib_InputDef *items = grow(d, d->inputs, sizeof *items, d->input_count, 1, &d->input_room);
    if (!items) return;
    d->inputs = items;
    if (at) *at = d->input_count;
    items[d->input_count++] = input;
}

void ib_declare_guards(ib_Declarations *d, int count, int *at)
{
    *at = d->guard_count;
    d->guard_count += count;
}

void ib_declare_bridges(ib_Declarations *d, int count, int *at)
{
    *at = d->bridge_count;
    d->bridge_count += count;
}
