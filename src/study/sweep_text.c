#include "study/sweep_text.h"

#include "base/tell.h"

#include <inttypes.h>
#include <math.h>

// "seed 3, robot.mass=2 kg"
static void describe_run(const ib_Sweep *sweep, int64_t run, char *text, size_t size)
{
    int values[IB_SWEEP_MAX_AXES], used = 0;
    uint64_t seed;
    ib_sweep_point(&sweep->plan, run, values, &seed);
    if (sweep->plan.has_seeds) used = snprintf(text, size, "seed %" PRIu64, seed);
    for (int i = 0; i < sweep->plan.axis_count && used >= 0 && (size_t)used < size; i++)
        used += snprintf(text + used, size - (size_t)used, "%s%s=%s", used ? ", " : "",
                         sweep->plan.axes[i].path, sweep->plan.axes[i].values[values[i]]);
    if (used == 0) snprintf(text, size, "the only run");
}

static void print_expectations(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file)
{
    int64_t ended = totals->ended, begun = totals->begun;
    for (int i = 0; i < sweep->first->expectation_count; i++) {
        char where[256];
        const ib_SweepFailures *failures = &totals->failures[i];
        fprintf(file, "%s  %s: %" PRId64 " of %" PRId64 " failed",
                failures->count ? "FAILED"
                : ended         ? "passed"
                                : "no run",
                sweep->first->expectations[i].text, failures->count, ended);
        if (failures->count) {
            describe_run(sweep, failures->first, where, sizeof where);
            fprintf(file, ", first with %s", where);
        }
        if (begun > ended) fprintf(file, ", %" PRId64 " broke off", begun - ended);
        if (begun < sweep->count) fprintf(file, ", %" PRId64 " not run", sweep->count - begun);
        fputc('\n', file);
    }
}

static void print_value(FILE *file, double value, int digits)
{
    if (isfinite(value))
        fprintf(file, " %14.*g", digits, value);
    else
        fprintf(file, " %14s", "-"); // no run came to its end
}

static void print_statistics(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file)
{
    const ib_SignalTable *table = &sweep->first->model->signals;
    fprintf(file, "%-28s %-6s %14s %14s %14s %14s\n", "final value of", "unit", "mean", "sd", "min",
            "max");
    for (int i = 0; i < table->count; i++) {
        ib_SweepStatistics s = ib_sweep_statistics(totals, i);
        fprintf(file, "%-28s %-6s", table->items[i].name, table->items[i].unit);
        print_value(file, s.mean, 7);
        print_value(file, s.count ? s.deviation : NAN, 4);
        print_value(file, s.min, 7);
        print_value(file, s.max, 7);
        if (s.count < totals->ended)
            fprintf(file, "  not a number in %" PRId64 " of %" PRId64, totals->ended - s.count,
                    totals->ended);
        fputc('\n', file);
    }
    fputc('\n', file);
}

void ib_sweep_text(const ib_Sweep *sweep, const ib_SweepTotals *totals,
                   const ib_SweepPoints *points, FILE *file)
{
    fprintf(file, "%s: ", sweep->first->yaml.title);
    if (totals->ended < sweep->count) fprintf(file, "%" PRId64 " of ", totals->ended);
    fprintf(file, "%" PRId64 " run%s\n\n", sweep->count, sweep->count == 1 ? "" : "s");
    if (sweep->plan.measure_count > 0)
        ib_sweep_points_text(points, sweep, file);
    else
        print_statistics(sweep, totals, file);
    print_expectations(sweep, totals, file);
}

void ib_sweep_text_warnings(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file)
{
    for (int i = 0; i < totals->warning_count; i++) {
        const ib_SweepTold *w = &totals->warnings[i];
        char where[256];
        describe_run(sweep, w->first, where, sizeof where);
        if (w->count == sweep->count && w->count > 1)
            snprintf(where, sizeof where, "all %" PRId64 " runs", w->count);
        ib_tell(file, "ironbird sweep: warning: %s", where);
        if (w->count > 1 && w->count < sweep->count)
            ib_tell(file, " and %" PRId64 " more", w->count - 1);
        ib_tell(file, ": %s\n", w->text);
    }
    if (totals->warned)
        ib_tell(file,
                "ironbird sweep: %" PRId64 " run%s with other warnings: see --csv or --json\n",
                totals->warned, totals->warned == 1 ? "" : "s");
}

void ib_sweep_text_errors(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file)
{
    int64_t failed = totals->error_count;
    for (int i = 0; i < failed && i < IB_SWEEP_TOLD; i++) {
        char where[256];
        describe_run(sweep, totals->errors[i].first, where, sizeof where);
        ib_tell(file, "ironbird sweep: %s: %s\n", where, totals->errors[i].text);
    }
    if (failed > IB_SWEEP_TOLD)
        ib_tell(file, "ironbird sweep: %" PRId64 " more run%s failed\n", failed - IB_SWEEP_TOLD,
                failed == IB_SWEEP_TOLD + 1 ? "" : "s");
}
