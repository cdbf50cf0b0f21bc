#include "study/optimise/optimise.h"

#include "study/sweep/sweep_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------- creation

static ib_SearchVariable variable_of(const ib_OptimisePlan *plan, int i)
{
    const ib_Vary *vary = &plan->vary[i];
    if (vary->range) return (ib_SearchVariable){.low = vary->low, .high = vary->high};
    return (ib_SearchVariable){.choices = plan->sweep.axes[i].count, .ordered = vary->ordered};
}

static bool create(ib_Optimisation *optimisation, ib_Diagnostics *diagnostics)
{
    ib_OptimisePlan *plan = &optimisation->plan;
    ib_SearchVariable variables[IB_SEARCH_MOST_VARIABLES];
    int count = plan->sweep.axis_count;
    for (int i = 0; i < count; i++) variables[i] = variable_of(plan, i);
    optimisation->sweep = ib_sweep_create(&plan->sweep, diagnostics);
    if (!optimisation->sweep) return false;
    optimisation->points = ib_sweep_points(optimisation->sweep);
    if (plan->most == 0) plan->most = ib_search_budget(variables, count);
    optimisation->search = ib_search_create(variables, count, plan->most);
    optimisation->scale = ib_arena_array(
        &optimisation->arena, (size_t)optimisation->sweep->expectation_count + 1, sizeof(double));
    optimisation->values = ib_arena_array(&optimisation->arena, (size_t)plan->most * (size_t)count,
                                          sizeof *optimisation->values);
    return optimisation->search && optimisation->scale && optimisation->values;
}

ib_Optimisation *ib_optimise_create(const ib_OptimisePlan *plan, ib_Diagnostics *diagnostics)
{
    ib_Optimisation *optimisation = calloc(1, sizeof *optimisation);
    if (!optimisation) return NULL;
    optimisation->plan = *plan;
    if (create(optimisation, diagnostics)) return optimisation;
    if (ib_diagnostics_total(diagnostics) == 0)
        ib_diagnostics_add(diagnostics, (ib_Place){plan->sweep.file, 1, 1}, "out of memory");
    ib_optimise_destroy(optimisation);
    return NULL;
}

void ib_optimise_destroy(ib_Optimisation *optimisation)
{
    if (!optimisation) return;
    if (optimisation->search) ib_search_destroy(optimisation->search);
    ib_sweep_points_destroy(&optimisation->points);
    for (int i = 0; i < optimisation->slice_count; i++)
        ib_sweep_points_destroy(&optimisation->slices[i].points);
    ib_sweep_destroy(optimisation->sweep);
    ib_arena_reset(&optimisation->arena);
    free(optimisation);
}

// ------------------------------------------------------------------------------------------ scores

// The largest size of each margin among the points so far: the unit in which it is missed.
static void take_scales(ib_Optimisation *optimisation)
{
    const ib_SweepPoints *points = &optimisation->points;
    for (int e = 0; e < points->expectations; e++) {
        double most = 0;
        for (int64_t run = 0; run < points->count; run++) {
            double margin = fabs(points->values[run * points->columns + e]);
            if (isfinite(margin) && margin > most) most = margin;
        }
        optimisation->scale[e] = most > 0 ? most : 1;
    }
}

// How far a point is from being allowed: the missed margins, means over its runs. A failure of < at
// its limit misses by nothing, and counts a little.
static double violation_of(const ib_Optimisation *optimisation, int64_t point)
{
    const double least = 1e-9;
    const ib_SweepPoints *points = &optimisation->points;
    double sum = 0;
    for (int64_t run = point * points->seeds; run < (point + 1) * points->seeds; run++) {
        if (points->failed[run] < 0) return INFINITY;
        sum += least * points->failed[run];
        for (int e = 0; e < points->expectations; e++) {
            double margin = points->values[run * points->columns + e];
            if (isnan(margin)) return INFINITY;
            if (margin < 0) sum -= margin / optimisation->scale[e];
        }
    }
    return sum / (double)points->seeds;
}

static ib_SearchScore score_of(const ib_Optimisation *optimisation, int64_t point)
{
    const ib_OptimisePlan *plan = &optimisation->plan;
    int column = ib_sweep_column(optimisation->sweep, plan->measure);
    ib_SweepStatistics value = ib_sweep_points_statistics(&optimisation->points, point, column);
    bool all = value.count == optimisation->points.seeds;
    double violation = violation_of(optimisation, point);
    return (ib_SearchScore){.violation = all || violation > 0 ? violation : INFINITY,
                            .value = all ? plan->largest ? -value.mean : value.mean : NAN};
}

// --------------------------------------------------------------------------------------- searching

// A search under way, and who looks at its runs.
typedef struct Course {
    ib_Optimisation *optimisation;
    const ib_OptimiseRun *run;
} Course;

static bool take_run(void *self, int64_t index, const ib_SweepResult *result)
{
    Course *course = self;
    ib_sweep_points_add(&course->optimisation->points, result);
    return !course->run->take || course->run->take(course->run->self, index, result);
}

static void tell_progress(void *self, int64_t done, int64_t count)
{
    Course *course = self;
    (void)done;
    (void)count;
    course->run->progress(course->run->self, course->optimisation);
}

// The texts of the last `batch` points of the search. False: no memory.
static bool write_values(ib_Optimisation *optimisation, int batch)
{
    const ib_OptimisePlan *plan = &optimisation->plan;
    int all = ib_search_count(optimisation->search), count = plan->sweep.axis_count;
    for (int point = all - batch; point < all; point++) {
        const double *at = ib_search_values(optimisation->search, point);
        for (int i = 0; i < count; i++) {
            const ib_Vary *vary = &plan->vary[i];
            const char **text = &optimisation->values[point * count + i];
            *text = vary->range ? ib_sweep_number_text(at[i], vary->unit, &optimisation->arena)
                                : plan->sweep.axes[i].values[vary->place[(int)at[i]]];
            if (!*text) return false;
        }
    }
    return true;
}

// Runs the batch and tells the search its scores.
static ib_Status run_batch(Course *course, int batch, ib_SearchScore *scores, ib_Error *error)
{
    ib_Optimisation *optimisation = course->optimisation;
    int first = ib_search_count(optimisation->search) - batch;
    ib_SweepRun run = {.threads = course->run->threads,
                       .take = take_run,
                       .progress = course->run->progress ? tell_progress : NULL,
                       .self = course,
                       .stop = course->run->stop};
    if (!write_values(optimisation, batch))
        return ib_error_set(error, IB_FAILED, "out of memory for the points");
    ib_sweep_give(optimisation->sweep,
                  optimisation->values + first * optimisation->plan.sweep.axis_count, batch);
    ib_Status status = ib_sweep_run(optimisation->sweep, &run, error);
    if (status == IB_OK && optimisation->points.lost)
        status = ib_error_set(error, IB_FAILED, "out of memory for the points");
    if (status != IB_OK) return status;
    if (first == 0) take_scales(optimisation);
    for (int i = 0; i < batch; i++) scores[i] = score_of(optimisation, first + i);
    ib_search_tell(optimisation->search, scores);
    return IB_OK;
}

ib_Status ib_optimise(ib_Optimisation *optimisation, const ib_OptimiseRun *run, ib_Error *error)
{
    Course course = {optimisation, run};
    ib_SearchScore *scores = calloc((size_t)optimisation->plan.most, sizeof *scores);
    ib_Status status = scores ? IB_OK : ib_error_set(error, IB_FAILED, "out of memory");
    for (int batch; status == IB_OK && (batch = ib_search_ask(optimisation->search)) > 0;)
        status = run_batch(&course, batch, scores, error);
    free(scores);
    int64_t count = ib_sweep_points_count(&optimisation->points);
    ib_sweep_give(optimisation->sweep, optimisation->values, count);
    bool found = ib_sweep_best(
        &optimisation->points, ib_sweep_column(optimisation->sweep, optimisation->plan.measure),
        optimisation->plan.largest, &optimisation->arena, &optimisation->best);
    if (!found && status == IB_OK) status = ib_error_set(error, IB_FAILED, "out of memory");
    return status;
}

int ib_optimise_best(const ib_Optimisation *optimisation)
{
    int best = ib_search_best(optimisation->search);
    if (best < 0) return -1;
    return ib_search_score(optimisation->search, best).violation == 0 ? best : -1;
}
