#include "study/optimise/optimise_slices.h"

#include "study/sweep/sweep_options.h"

#include <string.h>

// The value of a variable at the best point, as it was written.
static const char *best_text(const ib_Optimisation *optimisation, int variable)
{
    int64_t point = optimisation->best.order[0];
    return optimisation->values[point * optimisation->plan.sweep.axis_count + variable];
}

// Even values from end to end, and the best one between them.
static bool make_range(ib_Optimisation *optimisation, int variable, ib_OptimiseSlice *slice)
{
    const ib_Vary *vary = &optimisation->plan.vary[variable];
    const char **values = ib_arena_array(&optimisation->arena, IB_SLICE_EVEN + 1, sizeof *values);
    const char *best = best_text(optimisation, variable);
    double at = ib_search_values(optimisation->search, (int)optimisation->best.order[0])[variable];
    bool among = false;
    int count = 0;
    if (!values) return false;
    for (int i = 0; i <= IB_SLICE_EVEN; i++) {
        double part = (double)i / (IB_SLICE_EVEN - 1);
        double number = (1 - part) * vary->low + part * vary->high;
        const char *text = ib_sweep_number_text(number, vary->unit, &optimisation->arena);
        if (!text) return false;
        bool same = strcmp(text, best) == 0;
        if (!among && (same || at < number)) {
            among = true;
            slice->best = count;
            values[count++] = best;
        }
        if (!same && i < IB_SLICE_EVEN) values[count++] = text;
    }
    slice->axis.values = values;
    slice->axis.count = count;
    return true;
}

static bool make_values(ib_Optimisation *optimisation, int variable, ib_OptimiseSlice *slice)
{
    slice->axis = optimisation->plan.sweep.axes[variable];
    if (optimisation->plan.vary[variable].range) return make_range(optimisation, variable, slice);
    const char *best = best_text(optimisation, variable);
    while (strcmp(slice->axis.values[slice->best], best) != 0) slice->best++;
    return true;
}

// A slice under way.
typedef struct Course {
    ib_Optimisation *optimisation;
    const ib_OptimiseRun *run;
    ib_OptimiseSlice *slice;
} Course;

static bool take_run(void *self, int64_t index, const ib_SweepResult *result)
{
    Course *course = self;
    (void)index;
    ib_sweep_points_add(&course->slice->points, result);
    course->optimisation->slice_runs++;
    return true;
}

static void tell_progress(void *self, int64_t done, int64_t count)
{
    Course *course = self;
    (void)done;
    (void)count;
    course->run->progress(course->run->self, course->optimisation);
}

static ib_Status run_slice(ib_Optimisation *optimisation, int variable, const ib_OptimiseRun *run,
                           ib_OptimiseSlice *slice, ib_Error *error)
{
    int variables = optimisation->plan.sweep.axis_count, count = slice->axis.count;
    const char **values =
        ib_arena_array(&optimisation->arena, (size_t)count * (size_t)variables, sizeof *values);
    if (!values) return ib_error_set(error, IB_FAILED, "out of memory for the slices");
    for (int point = 0; point < count; point++)
        for (int i = 0; i < variables; i++)
            values[point * variables + i] =
                i == variable ? slice->axis.values[point] : best_text(optimisation, i);
    Course course = {optimisation, run, slice};
    slice->points = ib_sweep_points(optimisation->sweep);
    ib_sweep_give(optimisation->sweep, values, count);
    ib_Status status = ib_sweep_run(optimisation->sweep,
                                    &(ib_SweepRun){.threads = run->threads,
                                                   .take = take_run,
                                                   .progress = run->progress ? tell_progress : NULL,
                                                   .self = &course,
                                                   .stop = run->stop},
                                    error);
    if (status == IB_OK && slice->points.lost)
        status = ib_error_set(error, IB_FAILED, "out of memory for the slices");
    if (status != IB_OK) ib_sweep_points_destroy(&slice->points);
    return status;
}

ib_Status ib_optimise_slices(ib_Optimisation *optimisation, const ib_OptimiseRun *run,
                             ib_Error *error)
{
    ib_Status status = IB_OK;
    int count = optimisation->best.allowed > 0 ? optimisation->plan.sweep.axis_count : 0;
    for (int i = 0; i < count && status == IB_OK; i++) {
        ib_OptimiseSlice *slice = &optimisation->slices[i];
        status = make_values(optimisation, i, slice)
                     ? run_slice(optimisation, i, run, slice, error)
                     : ib_error_set(error, IB_FAILED, "out of memory for the slices");
        optimisation->slice_count += status == IB_OK;
    }
    ib_sweep_give(optimisation->sweep, optimisation->values,
                  ib_sweep_points_count(&optimisation->points));
    return status;
}
