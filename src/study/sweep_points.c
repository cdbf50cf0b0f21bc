#include "study/sweep_points.h"

#include "base/signal_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 160 };

void ib_sweep_points_destroy(ib_SweepPoints *points)
{
    free(points->values);
    free(points->failed);
    *points = (ib_SweepPoints){0};
}

static bool grow(ib_SweepPoints *points, int measures)
{
    int64_t room = points->room ? 2 * points->room : 256;
    double *values = realloc(points->values, (size_t)room * (size_t)measures * sizeof *values);
    if (values) points->values = values;
    int *failed = realloc(points->failed, (size_t)room * sizeof *failed);
    if (failed) points->failed = failed;
    if (values && failed) points->room = room;
    return values && failed;
}

void ib_sweep_points_add(ib_SweepPoints *points, const ib_Sweep *sweep,
                         const ib_SweepResult *result)
{
    const int measures = sweep->plan.measure_count;
    int failed = result->status == IB_OK ? 0 : -1;
    if (measures == 0 || points->lost) return;
    if (points->count == points->room && !grow(points, measures)) points->lost = true;
    if (points->lost) return;
    for (int i = 0; i < sweep->first->expectation_count && failed >= 0; i++)
        failed += !result->passed[i];
    memcpy(points->values + points->count * measures,
           result->final + sweep->first->model->signals.count, (size_t)measures * sizeof(double));
    points->failed[points->count++] = failed;
}

// ------------------------------------------------------------------------------------------- table

static ib_ShownUnit shown_of(const ib_Sweep *sweep, int measure)
{
    static const ib_SignalMeaning plain = {0};
    const ib_Measure *m = &sweep->measures[measure];
    const ib_SignalTable *table = &sweep->first->model->signals;
    bool time = m->kind == IB_MEASURE_FIRST;
    return ib_signal_shown(time ? &plain : &table->items[m->signal].means,
                           ib_measure_unit(m, table));
}

void ib_sweep_measure_head(const ib_Sweep *sweep, int measure, char *text, size_t size)
{
    const ib_Measure *m = &sweep->measures[measure];
    snprintf(text, size, "%s [%s]", m->text, ib_measure_unit(m, &sweep->first->model->signals));
}

// Columns: axes, the seed, measures, and the expectations that failed. Row -1 has the headings.
static void make_cell(const ib_SweepPoints *points, const ib_Sweep *sweep, int64_t row, int column,
                      char text[CELL])
{
    const ib_SweepPlan *plan = &sweep->plan;
    int values[IB_SWEEP_MAX_AXES], measure = column - plan->axis_count - plan->has_seeds;
    uint64_t seed;
    ib_sweep_point(plan, row < 0 ? 0 : row, values, &seed);
    if (column < plan->axis_count) {
        const ib_SweepAxis *axis = &plan->axes[column];
        snprintf(text, CELL, "%s", row < 0 ? axis->path : axis->values[values[column]]);
    } else if (measure < 0) {
        snprintf(text, CELL, row < 0 ? "seed" : "%" PRIu64, seed);
    } else if (measure < plan->measure_count) {
        ib_ShownUnit shown = shown_of(sweep, measure);
        const char *unit = ib_signal_unit(&shown);
        double value = row < 0 ? 0 : points->values[row * plan->measure_count + measure];
        char number[IB_SIGNAL_NUMBER];
        ib_signal_number(&shown, value, fabs(value), number);
        if (row < 0)
            snprintf(text, CELL, unit[0] ? "%s [%s]" : "%s", plan->measures[measure], unit);
        else
            snprintf(text, CELL, "%s", number);
    } else if (row < 0) {
        snprintf(text, CELL, "failed");
    } else {
        int failed = points->failed[row];
        snprintf(text, CELL, failed < 0 ? "broke off" : "%d", failed);
    }
}

void ib_sweep_points_text(const ib_SweepPoints *points, const ib_Sweep *sweep, FILE *file)
{
    const ib_SweepPlan *plan = &sweep->plan;
    int columns = plan->axis_count + plan->has_seeds + plan->measure_count +
                  (sweep->first->expectation_count > 0);
    int width[IB_SWEEP_MAX_AXES + IB_SWEEP_MAX_MEASURES + 2] = {0};
    char text[CELL];
    for (int64_t row = -1; row < points->count; row++)
        for (int k = 0; k < columns; k++) {
            make_cell(points, sweep, row, k, text);
            if ((int)strlen(text) > width[k]) width[k] = (int)strlen(text);
        }
    for (int64_t row = -1; row < points->count; row++)
        for (int k = 0; k < columns; k++) {
            make_cell(points, sweep, row, k, text);
            const char *end = k + 1 < columns ? "  " : "\n";
            fprintf(file, k < plan->axis_count ? "%-*s%s" : "%*s%s", width[k], text, end);
        }
    if (points->lost) fprintf(file, "out of memory: the rows of other runs are missing\n");
    fputc('\n', file);
}
