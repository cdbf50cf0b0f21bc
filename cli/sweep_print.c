// cli/sweep_print.c: the results of a sweep, a table for people, JSON and CSV for programs.
#include "sweep_print.h"

#include "base/json.h"
#include "base/output.h"
#include "cli.h"

#include "study/warnings.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- count

static const char *status_word(const ib_SweepResult *result)
{
    if (!result->done) return "not run";
    return result->status == IB_OK          ? "done"
           : result->status == IB_BAD_INPUT ? "bad input"
                                            : "failed";
}

// A run that was begun: neither left out by an interrupt nor refused for what it would be.
static bool was_run(const ib_SweepResult *result)
{
    return result->done && result->status != IB_BAD_INPUT;
}

// Only a run that came to its end says something about the expectations.
static bool came_to_end(const ib_SweepResult *result)
{
    return result->done && result->status == IB_OK;
}

static int count_runs(const ib_Sweep *sweep, bool (*is)(const ib_SweepResult *result))
{
    int count = 0;
    for (int run = 0; run < sweep->count; run++) count += is(&sweep->results[run]);
    return count;
}

static int failures_of(const ib_Sweep *sweep, int expectation, int *first)
{
    int failed = 0;
    *first = -1;
    for (int run = 0; run < sweep->count; run++) {
        const ib_SweepResult *result = &sweep->results[run];
        if (!came_to_end(result) || result->passed[expectation]) continue;
        if (failed++ == 0) *first = run;
    }
    return failed;
}

// --------------------------------------------------------------------------------------------- CSV

// A CSV cell; values of --over may hold commas and quotes.
static void csv_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"') fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

static void csv_header(const ib_Sweep *sweep, FILE *file)
{
    const ib_SignalTable *table = &sweep->first->model->signals;
    for (int i = 0; i < sweep->plan.axis_count; i++) {
        csv_text(file, sweep->plan.axes[i].path);
        fputc(',', file);
    }
    fprintf(file, "seed,status,hash,failed expectations,warnings");
    for (int i = 0; i < table->count; i++) {
        char head[256];
        snprintf(head, sizeof head, "%s [%s]", table->items[i].name, table->items[i].unit);
        fputc(',', file);
        csv_text(file, head);
    }
    fputc('\n', file);
}

// What a run has no value for is an empty cell.
static void csv_run(const ib_Sweep *sweep, int run, FILE *file)
{
    const ib_SweepPlan *plan = &sweep->plan;
    const ib_SweepResult *result = &sweep->results[run];
    int values[IB_SWEEP_MAX_AXES], failed = 0;
    uint64_t seed;
    ib_sweep_point(plan, run, values, &seed);
    for (int i = 0; i < plan->axis_count; i++) {
        csv_text(file, plan->axes[i].values[values[i]]);
        fputc(',', file);
    }
    fprintf(file, "%" PRIu64 ",%s,", result->seed, status_word(result));
    if (was_run(result)) fprintf(file, "%016" PRIx64, result->hash);
    fputc(',', file);
    for (int i = 0; i < sweep->first->expectation_count; i++) failed += !result->passed[i];
    if (came_to_end(result)) fprintf(file, "%d", failed);
    fputc(',', file);
    if (was_run(result)) fprintf(file, "%d", ib_sweep_warning_count(result));
    for (int i = 0; i < sweep->first->model->signals.count; i++) {
        fputc(',', file);
        if (isfinite(result->final[i])) fprintf(file, "%.17g", result->final[i]);
    }
    fputc('\n', file);
}

// Writes each row before the next one is made, until a disk is full: how many are whole then.
static int csv_rows(const ib_Sweep *sweep, FILE *file)
{
    int whole = 0;
    csv_header(sweep, file);
    while (whole < sweep->count) {
        csv_run(sweep, whole, file);
        if (ferror(file) || fflush(file) != 0) break;
        whole++;
    }
    return whole;
}

ib_Status sweep_write_csv(const ib_Sweep *sweep, const char *path, ib_Error *error)
{
    FILE *file;
    ib_Status status = ib_output_begin(path, &file, error);
    if (status != IB_OK) return status;
    int whole = csv_rows(sweep, file);
    status = ib_output_end(file, path, error);
    if (status != IB_FAILED) return status;
    ib_Error failure = *error;
    if (whole == 0) return ib_error_set(error, status, "%s; no row is whole", failure.text);
    return ib_error_set(error, status, "%s; the row%s of %d run%s whole", failure.text,
                        whole == 1 ? "" : "s", whole, whole == 1 ? " is" : "s are");
}

// -------------------------------------------------------------------------------------------- JSON

static void json_warnings(ib_Json *json, const ib_SweepResult *result)
{
    ib_json_open(json, "warnings", '[');
    for (const char *line = result->warnings; line && *line;) {
        char text[IB_WARNING_TEXT];
        int length = (int)strcspn(line, "\n");
        snprintf(text, sizeof text, "%.*s", length, line);
        ib_json_text(json, NULL, text);
        line += length + 1;
    }
    ib_json_close(json, ']');
}

static void json_run(ib_Json *json, const ib_Sweep *sweep, int run)
{
    const ib_SweepPlan *plan = &sweep->plan;
    const ib_SweepResult *result = &sweep->results[run];
    const ib_SignalTable *table = &sweep->first->model->signals;
    int values[IB_SWEEP_MAX_AXES];
    uint64_t seed;
    char hash[32];
    ib_sweep_point(plan, run, values, &seed);
    snprintf(hash, sizeof hash, "%016" PRIx64, result->hash);
    ib_json_open(json, NULL, '{');
    ib_json_integer(json, "seed", (int64_t)result->seed);
    ib_json_open(json, "over", '{');
    for (int i = 0; i < plan->axis_count; i++)
        ib_json_text(json, plan->axes[i].path, plan->axes[i].values[values[i]]);
    ib_json_close(json, '}');
    ib_json_text(json, "status", status_word(result));
    if (result->error) ib_json_text(json, "error", result->error);
    if (was_run(result)) ib_json_text(json, "hash", hash);
    ib_json_open(json, "expect", '[');
    for (int i = 0; i < sweep->first->expectation_count && came_to_end(result); i++)
        ib_json_flag(json, NULL, result->passed[i]);
    ib_json_close(json, ']');
    json_warnings(json, result);
    ib_json_open(json, "final", '{');
    for (int i = 0; i < table->count; i++)
        ib_json_number(json, table->items[i].name, result->final[i]);
    ib_json_close(json, '}');
    ib_json_close(json, '}');
}

static void json_expectations(ib_Json *json, const ib_Sweep *sweep)
{
    ib_json_open(json, "expect", '[');
    for (int i = 0; i < sweep->first->expectation_count; i++) {
        int first;
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "text", sweep->first->expectations[i].text);
        ib_json_integer(json, "failed", failures_of(sweep, i, &first));
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

static void json_statistics(ib_Json *json, const ib_Sweep *sweep)
{
    const ib_SignalTable *table = &sweep->first->model->signals;
    ib_json_open(json, "statistics", '{');
    for (int i = 0; i < table->count; i++) {
        ib_SweepStatistics s = ib_sweep_statistics(sweep, i);
        ib_json_open(json, table->items[i].name, '{');
        ib_json_text(json, "unit", table->items[i].unit);
        ib_json_number(json, "mean", s.mean);
        ib_json_number(json, "sd", s.count ? s.deviation : NAN);
        ib_json_number(json, "min", s.min);
        ib_json_number(json, "max", s.max);
        ib_json_close(json, '}');
    }
    ib_json_close(json, '}');
}

void sweep_print_json(const ib_Sweep *sweep, FILE *file)
{
    ib_Json json = {.file = file};
    ib_json_open(&json, NULL, '{');
    ib_json_text(&json, "scenario", sweep->plan.file);
    ib_json_integer(&json, "count", sweep->count);
    ib_json_integer(&json, "done", count_runs(sweep, came_to_end));
    json_expectations(&json, sweep);
    json_statistics(&json, sweep);
    ib_json_open(&json, "runs", '[');
    for (int run = 0; run < sweep->count; run++) json_run(&json, sweep, run);
    ib_json_close(&json, ']');
    ib_json_close(&json, '}');
    fputc('\n', file);
}

// ------------------------------------------------------------------------------------------- table

// "seed 3, robot.mass=2 kg"
static void describe_run(const ib_Sweep *sweep, int run, char *text, size_t size)
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

static void print_expectations(const ib_Sweep *sweep, FILE *file)
{
    int ended = count_runs(sweep, came_to_end), begun = count_runs(sweep, was_run);
    for (int i = 0; i < sweep->first->expectation_count; i++) {
        char where[256];
        int first, failed = failures_of(sweep, i, &first);
        fprintf(file, "%s  %s: %d of %d failed",
                failed  ? "FAILED"
                : ended ? "passed"
                        : "no run",
                sweep->first->expectations[i].text, failed, ended);
        if (failed) {
            describe_run(sweep, first, where, sizeof where);
            fprintf(file, ", first with %s", where);
        }
        if (begun > ended) fprintf(file, ", %d broke off", begun - ended);
        if (begun < sweep->count) fprintf(file, ", %d not run", sweep->count - begun);
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

void sweep_print(const ib_Sweep *sweep, FILE *file)
{
    const ib_SignalTable *table = &sweep->first->model->signals;
    int ended = count_runs(sweep, came_to_end);
    fprintf(file, "%s: ", sweep->first->yaml.title);
    if (ended < sweep->count) fprintf(file, "%d of ", ended);
    fprintf(file, "%d run%s\n\n%-28s %-6s %14s %14s %14s %14s\n", sweep->count,
            sweep->count == 1 ? "" : "s", "final value of", "unit", "mean", "sd", "min", "max");
    for (int i = 0; i < table->count; i++) {
        ib_SweepStatistics s = ib_sweep_statistics(sweep, i);
        fprintf(file, "%-28s %-6s", table->items[i].name, table->items[i].unit);
        print_value(file, s.mean, 7);
        print_value(file, s.count ? s.deviation : NAN, 4);
        print_value(file, s.min, 7);
        print_value(file, s.max, 7);
        fputc('\n', file);
    }
    fputc('\n', file);
    print_expectations(sweep, file);
}

void sweep_print_warnings(const ib_Sweep *sweep)
{
    enum { MOST = 10 };
    ib_SweepWarning warnings[MOST];
    int left, count = ib_sweep_warnings(sweep, MOST, warnings, &left);
    for (int i = 0; i < count; i++) {
        const ib_SweepWarning *w = &warnings[i];
        char where[256];
        describe_run(sweep, w->first, where, sizeof where);
        if (w->count == sweep->count && w->count > 1)
            snprintf(where, sizeof where, "all %d runs", w->count);
        tell(stderr, "ironbird sweep: warning: %s", where);
        if (w->count > 1 && w->count < sweep->count) tell(stderr, " and %d more", w->count - 1);
        tell(stderr, ": %.*s\n", w->length, w->text);
    }
    if (left)
        tell(stderr, "ironbird sweep: %d run%s with other warnings: see --csv or --json\n", left,
             left == 1 ? "" : "s");
}

void sweep_print_errors(const ib_Sweep *sweep)
{
    enum { MOST = 10 };
    int failed = 0;
    for (int run = 0; run < sweep->count; run++) {
        if (!sweep->results[run].error || failed++ >= MOST) continue;
        char where[256];
        describe_run(sweep, run, where, sizeof where);
        tell(stderr, "ironbird sweep: %s: %s\n", where, sweep->results[run].error);
    }
    if (failed > MOST)
        tell(stderr, "ironbird sweep: %d more run%s failed\n", failed - MOST,
             failed == MOST + 1 ? "" : "s");
}
