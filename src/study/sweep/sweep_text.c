#include "study/sweep/sweep_text.h"

#include "base/tell.h"
#include "study/sweep/sweep_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *command_of(const ib_Sweep *sweep)
{
    return sweep->plan.command ? sweep->plan.command : "sweep";
}

// "seed 3, robot.mass=2 kg"
static void describe_run(const ib_Sweep *sweep, int64_t run, char *text, size_t size)
{
    const char *values[IB_SWEEP_MAX_AXES];
    char point[400];
    uint64_t seed;
    ib_sweep_values(sweep, run, values, &seed);
    ib_sweep_describe(sweep, run, point, sizeof point);
    const char *between = sweep->plan.has_seeds && point[0] ? ", " : "";
    if (sweep->plan.has_seeds)
        snprintf(text, size, "seed %" PRIu64 "%s%s", seed, between, point);
    else
        snprintf(text, size, "%s", point[0] ? point : "the only run");
}

enum { MOST_POINTS = 200, MOST_SORTED = 20 }; ///< rows that a person reads

// ---------------------------------------------------------------------------------------- verdicts

static void print_expectation(const ib_Sweep *sweep, const ib_SweepTotals *totals, int i,
                              FILE *file)
{
    char where[500];
    int64_t ended = totals->ended, begun = totals->begun;
    const ib_SweepFailures *failures = &totals->failures[i];
    const char *verdict = failures->count ? "FAILED" : ended ? "passed" : "no run";
    fprintf(file, "[%d] %s  %s: %" PRId64 " of %" PRId64 " failed", i + 1, verdict,
            sweep->columns[i].name, failures->count, ended);
    if (failures->count) {
        describe_run(sweep, failures->first, where, sizeof where);
        fprintf(file, ", first with %s", where);
    }
    if (begun > ended) fprintf(file, ", %" PRId64 " broke off", begun - ended);
    if (begun < sweep->count) fprintf(file, ", %" PRId64 " not run", sweep->count - begun);
    fputc('\n', file);
}

// "8 of 20 runs failed: seeds 3, 5, 7 and 5 more"
void ib_sweep_text_failed(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file)
{
    char where[500];
    bool seeds = sweep->plan.axis_count == 0;
    int shown = totals->broken < IB_SWEEP_TOLD ? (int)totals->broken : IB_SWEEP_TOLD;
    if (totals->broken == 0 || sweep->count < 2) return;
    fprintf(file, "%" PRId64 " of %" PRId64 " runs failed: ", totals->broken, totals->ended);
    if (seeds) fprintf(file, "seed%s ", shown > 1 ? "s" : "");
    for (int i = 0; i < shown; i++) {
        describe_run(sweep, totals->broken_runs[i], where, sizeof where);
        const char *text = seeds ? where + strlen("seed ") : where;
        fprintf(file, "%s%s", i ? seeds ? ", " : "; " : "", text);
    }
    if (totals->broken > shown) fprintf(file, " and %" PRId64 " more", totals->broken - shown);
    fputc('\n', file);
}

void ib_sweep_text_verdicts(const ib_Sweep *sweep, const ib_SweepTotals *totals, bool failed,
                            FILE *file)
{
    for (int i = 0; i < sweep->expectation_count; i++)
        if (!failed || totals->failures[i].count > 0) print_expectation(sweep, totals, i, file);
}

void ib_sweep_text(const ib_Sweep *sweep, const ib_SweepTotals *totals,
                   const ib_SweepPoints *points, const ib_SweepBest *best, FILE *file)
{
    fprintf(file, "%s: ", sweep->title);
    if (totals->ended < sweep->count) fprintf(file, "%" PRId64 " of ", totals->ended);
    const char *last = sweep->asked || sweep->desk ? "" : ", last values";
    fprintf(file, "%" PRId64 " run%s%s\n\n", sweep->count, sweep->count == 1 ? "" : "s", last);
    ib_sweep_table(sweep, points, best, best ? MOST_SORTED : MOST_POINTS, file);
    ib_sweep_text_verdicts(sweep, totals, false, file);
    ib_sweep_text_failed(sweep, totals, file);
}

// -------------------------------------------------------------------------------------------- best

// "robot.mass=2 kg (7.1 s); robot.mass=3 kg (7.2 s) and 3 more"
static void print_ties(const ib_Sweep *sweep, const ib_SweepPoints *points,
                       const ib_SweepBest *best, FILE *file)
{
    enum { SHOWN = 5 };
    const ib_SweepColumn *column = &sweep->columns[best->column];
    char where[400], number[IB_SIGNAL_NUMBER], unit[64];
    for (int64_t i = 0; i < best->tie_count && i < SHOWN; i++) {
        ib_SweepStatistics value = ib_sweep_points_statistics(points, best->ties[i], best->column);
        ib_sweep_describe(sweep, best->ties[i] * sweep->plan.seed_count, where, sizeof where);
        ib_sweep_number(column, value.mean, false, number);
        fprintf(file, "%s%s (%s%s)", i ? "; " : "", where, number, ib_sweep_unit(column, unit));
    }
    if (best->tie_count > SHOWN) fprintf(file, " and %" PRId64 " more", best->tie_count - SHOWN);
    fputc('\n', file);
}

static void print_winner(const ib_Sweep *sweep, const ib_SweepPoints *points,
                         const ib_SweepBest *best, FILE *file)
{
    const ib_SweepColumn *column = &sweep->columns[best->column];
    char where[400], number[IB_SIGNAL_NUMBER], unit[64];
    bool seeds = sweep->plan.seed_count > 1;
    ib_sweep_describe(sweep, best->order[0] * sweep->plan.seed_count, where, sizeof where);
    ib_sweep_number(column, best->value.mean, false, number);
    fprintf(file, "best: %s%s%s = %s%s", where, where[0] ? ": " : "", column->name, number,
            ib_sweep_unit(column, unit));
    if (seeds) {
        ib_sweep_number(column, best->value.deviation, true, number);
        fprintf(file, ", standard deviation %s%s over %" PRId64 " seeds", number, unit,
                sweep->plan.seed_count);
    }
    if (best->allowed < best->count)
        fprintf(file, "; %" PRId64 " of %" PRId64 " points are out: a run fails, or has no value",
                best->count - best->allowed, best->count);
    fputc('\n', file);
    if (best->tie_count == 0) return;
    fprintf(file, seeds ? "not to be told from it, at 95 %%: " : "equal to it: ");
    print_ties(sweep, points, best, file);
}

// The largest miss of an expectation at a point, in words: "'at end: pose.x > 2 m' by 0.2 m".
static void print_missed(const ib_Sweep *sweep, const ib_SweepPoints *points, int64_t point,
                         FILE *file)
{
    int shown = 0;
    char number[IB_SIGNAL_NUMBER], unit[64];
    for (int e = 0; e < sweep->expectation_count; e++) {
        double margin = ib_sweep_points_statistics(points, point, e).min;
        if (!(margin < 0)) continue;
        ib_sweep_number(&sweep->columns[e], -margin, true, number);
        fprintf(file, "%s '%s' by %s%s", shown++ ? "," : " misses", sweep->columns[e].name, number,
                ib_sweep_unit(&sweep->columns[e], unit));
    }
}

// Why a measure or the expectations leave no point; the nearest one is the first in the order.
static void print_none(const ib_Sweep *sweep, const ib_SweepPoints *points,
                       const ib_SweepBest *best, FILE *file)
{
    char where[400];
    const char *name = sweep->columns[best->column].name;
    int64_t nearest = best->order[0], failed = ib_sweep_points_failed(points, nearest);
    const char *points_word = best->count == 1 ? "the only point" : "any point";
    if (failed == 0) {
        fprintf(file, "no best: '%s' has no value in all runs of %s\n", name, points_word);
        return;
    }
    fprintf(file, "no best: every point fails what is expected: ");
    ib_sweep_describe(sweep, nearest * sweep->plan.seed_count, where, sizeof where);
    fprintf(file, "the nearest, %s,", where[0] ? where : "the only one");
    if (points->seeds > 1)
        fprintf(file, " in %" PRId64 " of %" PRId64 " runs,", failed, points->seeds);
    print_missed(sweep, points, nearest, file);
    fputc('\n', file);
}

void ib_sweep_text_best(const ib_Sweep *sweep, const ib_SweepPoints *points,
                        const ib_SweepBest *best, FILE *file)
{
    if (best->allowed > 0)
        print_winner(sweep, points, best, file);
    else
        print_none(sweep, points, best, file);
}

// --------------------------------------------------------------------------------------- no effect

void ib_sweep_text_still(const ib_Sweep *sweep, const ib_SweepPoints *points, FILE *file)
{
    const ib_SweepPlan *plan = &sweep->plan;
    if (sweep->count == 1)
        ib_tell(file,
                "ironbird %s: nothing varies, this is one run: expected --over PATH=a,b,c "
                "or --seeds 0..9\n",
                command_of(sweep));
    if (plan->has_seeds && ib_sweep_points_still(points, sweep, -1))
        ib_tell(file,
                "ironbird %s: nothing varies with the seed, all seeds came out the same: "
                "expected a sensor with noise, or a value drawn by uniform or normal\n",
                command_of(sweep));
    for (int i = 0; i < plan->axis_count; i++)
        if (ib_sweep_points_still(points, sweep, i))
            ib_tell(file,
                    "ironbird %s: nothing varies with %s, all its values came out the "
                    "same\n",
                    command_of(sweep), plan->axes[i].path);
}

int ib_sweep_text_unmet(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file)
{
    int unmet = 0;
    for (int i = 0; i < sweep->plan.measure_count && sweep->asked && totals->ended > 0; i++) {
        if (ib_sweep_statistics(totals, ib_sweep_column(sweep, i)).count > 0) continue;
        ib_tell(file, "ironbird %s: '%s' has no value in any of the %" PRId64 " runs\n",
                command_of(sweep), sweep->plan.measures[i], totals->ended);
        unmet++;
    }
    return unmet;
}

void ib_sweep_text_warnings(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file)
{
    for (int i = 0; i < totals->warning_count; i++) {
        const ib_SweepTold *w = &totals->warnings[i];
        char where[500];
        describe_run(sweep, w->first, where, sizeof where);
        if (w->count == sweep->count && w->count > 1)
            snprintf(where, sizeof where, "all %" PRId64 " runs", w->count);
        ib_tell(file, "ironbird %s: warning: %s", command_of(sweep), where);
        if (w->count > 1 && w->count < sweep->count)
            ib_tell(file, " and %" PRId64 " more", w->count - 1);
        ib_tell(file, ": %s\n", w->text);
    }
    if (totals->warned)
        ib_tell(file, "ironbird %s: %" PRId64 " run%s with other warnings: see --csv or --json\n",
                command_of(sweep), totals->warned, totals->warned == 1 ? "" : "s");
}

void ib_sweep_text_errors(const ib_Sweep *sweep, const ib_SweepTotals *totals, FILE *file)
{
    int64_t failed = totals->error_count;
    for (int i = 0; i < failed && i < IB_SWEEP_TOLD; i++) {
        char where[500];
        describe_run(sweep, totals->errors[i].first, where, sizeof where);
        ib_tell(file, "ironbird %s: %s: %s\n", command_of(sweep), where, totals->errors[i].text);
    }
    if (failed > IB_SWEEP_TOLD)
        ib_tell(file, "ironbird %s: %" PRId64 " more run%s failed\n", command_of(sweep),
                failed - IB_SWEEP_TOLD, failed == IB_SWEEP_TOLD + 1 ? "" : "s");
}
