#include "study/optimise/optimise_text.h"

#include "study/sweep/sweep_rows.h"
#include "study/sweep/sweep_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 5 }; ///< the last points of a search are much alike

void ib_optimise_text_progress(const ib_Optimisation *optimisation, char *text, size_t size)
{
    const ib_SweepPoints *points = &optimisation->points;
    int best = ib_optimise_best(optimisation);
    int column = ib_sweep_column(optimisation->sweep, optimisation->plan.measure);
    char number[IB_SIGNAL_NUMBER], unit[64];
    int used = snprintf(text, size, "%" PRId64 " points", points->count / points->seeds);
    if (best < 0 || used < 0) return;
    const ib_SweepColumn *c = &optimisation->sweep->columns[column];
    ib_sweep_number(c, ib_sweep_points_statistics(points, best, column).mean, false, number);
    used += snprintf(text + used, size - (size_t)used, ", best so far %s%s", number,
                     ib_sweep_unit(c, unit));
    if (optimisation->slice_runs > 0 && used < (int)size)
        snprintf(text + used, size - (size_t)used, "; around it %" PRId64 " runs",
                 optimisation->slice_runs);
}

// ----------------------------------------------------------------------------------------- remarks

// Prints the values of a range among the points that are as good as the best one but for 1 %.
static void print_near(const ib_Optimisation *optimisation, int axis, FILE *file)
{
    const double part = 0.01;
    const ib_OptimisePlan *plan = &optimisation->plan;
    const ib_SweepBest *best = &optimisation->best;
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < best->allowed; i++) {
        int64_t point = best->order[i];
        double value = ib_sweep_points_statistics(&optimisation->points, point, best->column).mean;
        double at = ib_search_values(optimisation->search, (int)point)[axis];
        if (fabs(value - best->value.mean) > part * fabs(best->value.mean)) break;
        if (at < low) low = at;
        if (at > high) high = at;
    }
    if (!(low < high)) return;
    const ib_Vary *vary = &plan->vary[axis];
    const char *space = vary->unit[0] ? " " : "";
    fprintf(file, "within 1 %% of it: %s from %.6g%s%s to %.6g%s%s\n", plan->sweep.axes[axis].path,
            low, space, vary->unit, high, space, vary->unit);
}

// Says that the best one is at the end of a range, where a wider one may have better.
static void print_end(const ib_Optimisation *optimisation, int axis, FILE *file)
{
    const ib_Vary *vary = &optimisation->plan.vary[axis];
    double at = ib_search_values(optimisation->search, (int)optimisation->best.order[0])[axis];
    if (at > vary->low && at < vary->high) return;
    fprintf(file, "%s is at the end of its range, %.6g%s%s: a wider one may have better\n",
            optimisation->plan.sweep.axes[axis].path, at, vary->unit[0] ? " " : "", vary->unit);
}

static void print_why(const ib_Optimisation *optimisation, bool stopped, FILE *file)
{
    static const char *const words[] = {
        [IB_SEARCH_GOES_ON] = "went on",
        [IB_SEARCH_RESOLVED] = "ended: more points would bring nothing",
        [IB_SEARCH_BUDGET] = "ended: its points are used up, --evaluations allows more",
        [IB_SEARCH_ALL] = "ended: all combinations were tried"};
    fprintf(file, "the search %s\n",
            stopped ? "was stopped" : words[ib_search_end(optimisation->search)]);
}

void ib_optimise_text(const ib_Optimisation *optimisation, const ib_SweepTotals *totals,
                      bool stopped, bool quiet, FILE *file)
{
    const ib_Sweep *sweep = optimisation->sweep;
    const ib_SweepBest *best = &optimisation->best;
    if (best->count == 0) return;
    if (!quiet) {
        fprintf(file, "%s: %" PRId64 " points", sweep->title, best->count);
        if (sweep->plan.seed_count > 1)
            fprintf(file, " of %" PRId64 " runs", sweep->plan.seed_count);
        fprintf(file, "\n\n");
        ib_sweep_table(sweep, &optimisation->points, best, MOST_ROWS, file);
        ib_sweep_text_verdicts(sweep, totals, false, file);
    }
    ib_sweep_text_best(sweep, &optimisation->points, best, best->allowed ? file : stderr);
    for (int i = 0; i < sweep->plan.axis_count && !quiet && best->allowed; i++) {
        if (!optimisation->plan.vary[i].range) continue;
        print_near(optimisation, i, file);
        print_end(optimisation, i, file);
    }
    if (!quiet && best->allowed) print_why(optimisation, stopped, file);
}

void ib_optimise_text_drawn(const ib_Optimisation *optimisation, const char *path, FILE *file)
{
    fprintf(file, "drawn in %s: the search", path);
    if (optimisation->slice_count > 0)
        fprintf(file, ", and slices around the best, %" PRId64 " more runs",
                optimisation->slice_runs);
    fprintf(file, "\n");
}

// -------------------------------------------------------------------------------------------- JSON

void ib_optimise_json_begin(ib_Json *json, const ib_Optimisation *optimisation)
{
    ib_json_open(json, NULL, '{');
    ib_json_text(json, "scenario", optimisation->plan.sweep.file);
    ib_json_open(json, "runs", '[');
}

void ib_optimise_json_end(ib_Json *json, const ib_Optimisation *optimisation)
{
    static const char *const words[] = {[IB_SEARCH_GOES_ON] = "stopped",
                                        [IB_SEARCH_RESOLVED] = "resolved",
                                        [IB_SEARCH_BUDGET] = "budget",
                                        [IB_SEARCH_ALL] = "all"};
    ib_json_close(json, ']');
    ib_json_integer(json, "evaluations", optimisation->best.count);
    ib_json_text(json, "end", words[ib_search_end(optimisation->search)]);
    ib_sweep_json_best(json, optimisation->sweep, &optimisation->points, &optimisation->best);
    ib_json_close(json, '}');
    fputc('\n', json->file);
}
