#include "study/sweep/sweep_desk.h"

#include "base/hash.h"
#include "base/word.h"
#include "study/sweep/sweep_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(const ib_Sweep *sweep, ib_Diagnostics *diagnostics)
{
    ib_diagnostics_add(diagnostics, (ib_Place){sweep->plan.file, 1, 1}, "out of memory");
    return false;
}

bool ib__sweep_desk_create(ib_Sweep *sweep, ib_DeskKind kind, ib_Diagnostics *diagnostics)
{
    const char *what = kind == IB_DESK_DESIGN ? "a design" : "a plan";
    const ib_SweepPlan *plan = &sweep->plan;
    const char *option = plan->has_seeds ? "--seeds" : plan->duration ? "--duration" : NULL;
    if (option) {
        ib_diagnostics_add(diagnostics, (ib_Place){plan->file, 1, 1},
                           "%s has no seed and no duration: expected --over alone, got %s", what,
                           option);
        return false;
    }
    sweep->desk = calloc(1, sizeof *sweep->desk);
    if (!sweep->desk) return no_memory(sweep, diagnostics);
    sweep->desk->kind = kind;
    return true;
}

void ib__sweep_desk_destroy(ib__SweepDesk *desk)
{
    if (!desk) return;
    ib_arena_reset(&desk->arena);
    free(desk);
}

const ib_DeskNumbers *ib__sweep_desk_make(const ib_Sweep *sweep, const char *const *values,
                                          ib_Arena *arena, ib_Diagnostics *diagnostics)
{
    const ib_SweepPlan *plan = &sweep->plan;
    size_t room = (size_t)(plan->override_count + plan->axis_count) + 1;
    ib_Override *overrides = ib_arena_array(arena, room, sizeof *overrides);
    if (!overrides) return NULL;
    ib_ScenarioOptions options = {.overrides = overrides,
                                  .override_count = ib__sweep_overrides(sweep, values, overrides),
                                  .trees = sweep->trees,
                                  .designs = plan->designs,
                                  .plugins = plan->plugins};
    return ib_desk_numbers(sweep->desk->kind, plan->file, &options, arena, diagnostics);
}

bool ib__sweep_desk_read(ib_Sweep *sweep, const char *const *values, ib_Diagnostics *diagnostics)
{
    ib__SweepDesk *desk = sweep->desk;
    ib_arena_reset(&desk->arena);
    ib_Arena *arena = desk->first ? &desk->arena : &sweep->arena;
    desk->now = ib__sweep_desk_make(sweep, values, arena, diagnostics);
    if (!desk->first) desk->first = desk->now;
    if (desk->now) return true;
    return diagnostics->count > 0 ? false : no_memory(sweep, diagnostics);
}

// ----------------------------------------------------------------------------------------- columns

static const ib_DeskNumber *find_number(const ib_DeskNumbers *numbers, const char *name)
{
    for (int i = 0; i < numbers->count; i++)
        if (!strcmp(numbers->numbers[i].name, name)) return &numbers->numbers[i];
    return NULL;
}

static ib_SweepColumn make_column(const char *name, const char *unit)
{
    static const ib_SignalMeaning plain = {0};
    return (ib_SweepColumn){name, unit, ib_signal_shown(&plain, unit[0] ? unit : "1")};
}

static bool refuse_name(ib_Sweep *sweep, int measure, ib_Diagnostics *diagnostics)
{
    const ib_DeskNumbers *first = sweep->desk->first;
    const char *name = sweep->plan.measures[measure];
    const char **names = ib_arena_array(&sweep->arena, (size_t)first->count + 1, sizeof *names);
    for (int i = 0; names && i < first->count; i++) names[i] = first->numbers[i].name;
    const char *near = names ? ib_nearest_word(name, names) : NULL;
    ib_diagnostics_add(diagnostics, (ib_Place){"--measure", measure + 1, 1},
                       "there is no number '%s' in %s%s%s%s; its --json has all of them", name,
                       sweep->desk->kind == IB_DESK_DESIGN ? "the design" : "the plan",
                       near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
    return false;
}

bool ib__sweep_desk_columns(ib_Sweep *sweep, ib_Diagnostics *diagnostics)
{
    const ib_DeskNumbers *first = sweep->desk->first;
    ib_SweepPlan *plan = &sweep->plan;
    bool good = true, asked = plan->measure_count > 0;
    sweep->title = first->title;
    for (int i = 0; i < first->count && !asked; i++) {
        const ib_DeskNumber *number = &first->numbers[i];
        bool room = plan->measure_count < IB_SWEEP_HEADLINES;
        if (room && number->headline && isfinite(number->value))
            plan->measures[plan->measure_count++] = number->name;
    }
    int room = first->check_count + plan->measure_count + (plan->all ? first->count : 0), count = 0;
    sweep->expectation_count = first->check_count;
    sweep->columns = ib_arena_array(&sweep->arena, (size_t)room + 1, sizeof *sweep->columns);
    if (!sweep->columns) return no_memory(sweep, diagnostics);
    for (int i = 0; i < first->check_count; i++)
        sweep->columns[count++] = make_column(first->checks[i].text, first->checks[i].unit);
    for (int i = 0; i < plan->measure_count; i++) {
        const ib_DeskNumber *number = find_number(first, plan->measures[i]);
        if (!number) good = refuse_name(sweep, i, diagnostics);
        sweep->columns[count++] = make_column(plan->measures[i], number ? number->unit : "");
    }
    for (int i = 0; plan->all && i < first->count; i++)
        sweep->columns[count++] = make_column(first->numbers[i].name, first->numbers[i].unit);
    sweep->column_count = count;
    return good;
}

uint64_t ib__sweep_desk_take(const ib_Sweep *sweep, const ib_DeskNumbers *numbers, double *row,
                             bool *passed)
{
    uint64_t hash = IB_HASH_START;
    for (int i = 0; i < sweep->expectation_count; i++) {
        bool there = i < numbers->check_count;
        row[i] = there ? numbers->checks[i].margin : NAN;
        passed[i] = there && numbers->checks[i].passed;
    }
    for (int i = sweep->expectation_count; i < sweep->column_count; i++) {
        const ib_DeskNumber *number = find_number(numbers, sweep->columns[i].name);
        row[i] = number && isfinite(number->value) ? number->value : NAN;
    }
    for (int i = 0; i < numbers->count; i++)
        hash = ib_hash_doubles(hash, &numbers->numbers[i].value, 1);
    return hash;
}
