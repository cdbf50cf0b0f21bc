// study/optimise/vary.c: `--vary PATH=a..b`, or a list, read.
#include "base/quote.h"
#include "base/units.h"
#include "study/optimise/optimise.h"
#include "study/sweep/sweep_options.h"

#include <stdlib.h>
#include <string.h>

// A value of a list with its size.
typedef struct Sized {
    double size;
    int place;
} Sized;

static int compare(const void *left, const void *right)
{
    const Sized *a = left, *b = right;
    if (a->size < b->size || a->size > b->size) return a->size < b->size ? -1 : 1;
    return a->place - b->place;
}

// Puts the numbers of a list into the order of their size; other lists stay as they are.
static ib_Status sort_list(const ib_SweepAxis *axis, ib_Vary *vary, ib_Arena *arena,
                           ib_Error *error)
{
    int count = axis->count;
    Sized *sized = ib_arena_array(arena, (size_t)count, sizeof *sized);
    int *place = ib_arena_array(arena, (size_t)count, sizeof *place);
    if (!sized || !place) return ib_error_set(error, IB_FAILED, "out of memory");
    vary->ordered = true;
    for (int i = 0; i < count; i++) {
        ib_Quantity quantity, first;
        bool number = ib_quantity_read(axis->values[i], &quantity, NULL) == IB_OK &&
                      ib_quantity_read(axis->values[0], &first, NULL) == IB_OK;
        vary->ordered &= number && ib_dimension_equal(quantity.dimension, first.dimension);
        sized[i] = (Sized){number ? quantity.value : 0, i};
    }
    if (vary->ordered) qsort(sized, (size_t)count, sizeof *sized, compare);
    for (int i = 0; i < count; i++) place[i] = sized[i].place;
    vary->place = place;
    return IB_OK;
}

static ib_Status read_list(const char *text, ib_Arena *arena, ib_SweepAxis *axis, ib_Vary *vary,
                           ib_Error *error)
{
    ib_Status status = ib_sweep_axis_read(text, arena, axis, error);
    if (status != IB_OK) return status;
    if (axis->count > 1) return sort_list(axis, vary, arena, error);
    return ib_error_set(error, IB_BAD_INPUT,
                        "expected a range, PATH=4..14, or several values, PATH=a,b,c, got '%s'",
                        ib_quote(text).text);
}

// `rest` is "4..14", its dots at `dots`.
static ib_Status read_range(char *rest, char *dots, ib_Arena *arena, ib_SweepAxis *axis,
                            ib_Vary *vary, ib_Error *error)
{
    const char *written = ib_arena_text(arena, rest),
               **ends = ib_arena_array(arena, 2, sizeof *ends);
    char *part[] = {rest, dots + 2};
    double number[2];
    if (!written || !ends) return ib_error_set(error, IB_FAILED, "out of memory");
    *dots = '\0';
    ib_Status status = ib_sweep_range_read(part, 2, written, number, &vary->unit, error);
    if (status != IB_OK) return status;
    if (number[0] == number[1])
        return ib_error_set(error, IB_BAD_INPUT, "'%s' has one value: expected a..b", written);
    for (int i = 0; i < 2; i++) ends[i] = ib_sweep_number_text(number[i], vary->unit, arena);
    if (!ends[0] || !ends[1]) return ib_error_set(error, IB_FAILED, "out of memory");
    axis->values = ends;
    axis->count = 2;
    vary->range = true;
    vary->low = number[0];
    vary->high = number[1];
    return IB_OK;
}

ib_Status ib_vary_add(ib_OptimisePlan *plan, const char *text, ib_Arena *arena, ib_Error *error)
{
    ib_SweepPlan *sweep = &plan->sweep;
    char *copy = ib_arena_text(arena, text);
    ib_Override whole = {0};
    ib_SweepAxis axis = {0};
    ib_Vary vary = {.unit = ""};
    if (sweep->axis_count == IB_SEARCH_MOST_VARIABLES)
        return ib_error_set(error, IB_BAD_INPUT, "expected at most %d", IB_SEARCH_MOST_VARIABLES);
    bool split = copy && ib_override_split(copy, &whole);
    char *rest = split ? copy + (whole.yaml - copy) : NULL,
         *dots = rest ? strstr(rest, "..") : NULL;
    bool range = dots && !strpbrk(rest, "[{,'\"") && !strstr(rest, " by ");
    axis.path = whole.path;
    ib_Status status = range ? read_range(rest, dots, arena, &axis, &vary, error)
                             : read_list(text, arena, &axis, &vary, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < sweep->axis_count; i++)
        if (strcmp(sweep->axes[i].path, axis.path) == 0)
            return ib_error_set(error, IB_BAD_INPUT, "%s is there twice", axis.path);
    plan->vary[sweep->axis_count] = vary;
    sweep->axes[sweep->axis_count++] = axis;
    sweep->option = "--vary";
    sweep->command = "optimise";
    return IB_OK;
}

ib_Status ib_optimise_check(const ib_OptimisePlan *plan, ib_Error *error)
{
    if (plan->sweep.seed_count > IB_SWEEP_KEPT / (plan->most ? plan->most : IB_OPTIMISE_USUAL))
        return ib_error_set(error, IB_BAD_INPUT,
                            "more than %d runs are too many: expected fewer "
                            "--seeds or --evaluations",
                            IB_SWEEP_KEPT);
    return ib_sweep_check(&plan->sweep, error);
}
