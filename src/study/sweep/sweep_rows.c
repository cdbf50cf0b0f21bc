#include "study/sweep/sweep_rows.h"

#include "base/number.h"
#include "base/output.h"
#include "base/units.h"
#include "record/csv.h"
#include "study/warnings.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *status_word(const ib_SweepResult *result)
{
    return result->status == IB_OK          ? "done"
           : result->status == IB_BAD_INPUT ? "bad input"
                                            : "failed";
}

// True for a run that was begun, not refused.
static bool was_run(const ib_SweepResult *result)
{
    return result->status != IB_BAD_INPUT;
}

// --------------------------------------------------------------------------------------------- CSV

enum { ROWS = 4096, BYTES = 1 << 18 }; ///< written at once

// A CSV cell; values of --over may hold commas and quotes, and begin like a formula: all except
// quantities, such as -5 deg, then get an apostrophe, like names in other tables.
static void put_cell(ib_Bytes *bytes, const char *text)
{
    ib_Quantity quantity;
    ib_bytes_put_char(bytes, '"');
    if (ib_csv_needs_guard(text) && ib_quantity_read(text, &quantity, NULL) != IB_OK)
        ib_bytes_put_char(bytes, '\'');
    for (; *text; text++) {
        if (*text == '"') ib_bytes_put_char(bytes, '"');
        ib_bytes_put_char(bytes, *text);
    }
    ib_bytes_put_char(bytes, '"');
}

// "min battery.voltage [V]"; "margin of at end: pose.x > 1 m [m]".
static void put_head(ib_SweepCsv *csv, int column)
{
    const ib_SweepColumn *c = &csv->sweep->columns[column];
    char head[512];
    snprintf(head, sizeof head, c->unit[0] ? "%s%s [%s]" : "%s%s",
             column < csv->sweep->expectation_count ? "margin of " : "", c->name, c->unit);
    ib_bytes_put_char(&csv->bytes, ',');
    put_cell(&csv->bytes, head);
}

// Measures stand first, then margins, then the rest. Returns the column of place `i`.
static int column_at(const ib_Sweep *sweep, int i)
{
    int margins = sweep->expectation_count, measures = sweep->plan.measure_count;
    return i < measures ? margins + i : i < measures + margins ? i - measures : i;
}

static void put_header(ib_SweepCsv *csv)
{
    const ib_Sweep *sweep = csv->sweep;
    for (int i = 0; i < sweep->plan.axis_count; i++) {
        put_cell(&csv->bytes, sweep->plan.axes[i].path);
        ib_bytes_put_char(&csv->bytes, ',');
    }
    ib_bytes_put_text(&csv->bytes, "seed,status,hash,failed expectations,warnings");
    for (int i = 0; i < sweep->column_count; i++) put_head(csv, column_at(sweep, i));
    ib_bytes_put_char(&csv->bytes, '\n');
}

ib_Status ib_sweep_csv_open(ib_SweepCsv *csv, const char *path, const ib_Sweep *sweep,
                            const volatile sig_atomic_t *stop, ib_Error *error)
{
    *csv = (ib_SweepCsv){.path = path, .sweep = sweep, .stop = stop};
    csv->ends = calloc(ROWS, sizeof *csv->ends);
    if (!csv->ends) return ib_error_set(error, IB_FAILED, "out of memory for '%s'", path);
    csv->fd = ib_output_open(path);
    if (csv->fd < 0) {
        free(csv->ends);
        return ib_output_failed(path, errno, IB_FAILED, error);
    }
    put_header(csv);
    return IB_OK;
}

// Counts the rows that end within the first `written` bytes as complete.
static void count_whole(ib_SweepCsv *csv, int64_t written)
{
    for (int i = 0; i < csv->end_count && csv->ends[i] <= written; i++) csv->whole++;
    csv->end_count = 0;
    csv->bytes.count = 0;
}

bool ib_sweep_csv_write(ib_SweepCsv *csv)
{
    size_t at = 0;
    if (csv->bytes.failed) csv->failure = ENOMEM;
    while (!csv->failure && at < csv->bytes.count) {
        ssize_t done = write(csv->fd, csv->bytes.data + at, csv->bytes.count - at);
        if (done < 0 && errno == EINTR && !*csv->stop) continue;
        if (done <= 0)
            csv->failure = done < 0 ? errno : EIO;
        else
            at += (size_t)done;
    }
    count_whole(csv, (int64_t)at);
    return !csv->failure;
}

// A missing value of a run is an empty cell.
void ib_sweep_csv_row(ib_SweepCsv *csv, int64_t index, const ib_SweepResult *result)
{
    const ib_Sweep *sweep = csv->sweep;
    ib_Bytes *bytes = &csv->bytes;
    const char *values[IB_SWEEP_MAX_AXES];
    int failed = 0;
    uint64_t seed;
    char text[64];
    ib_sweep_values(sweep, index, values, &seed);
    for (int i = 0; i < sweep->plan.axis_count; i++) {
        put_cell(bytes, values[i]);
        ib_bytes_put_char(bytes, ',');
    }
    snprintf(text, sizeof text, "%" PRIu64 ",%s,", result->seed, status_word(result));
    ib_bytes_put_text(bytes, text);
    for (int i = 0; i < sweep->expectation_count; i++) failed += !result->passed[i];
    snprintf(text, sizeof text, "%016" PRIx64, result->hash);
    if (was_run(result)) ib_bytes_put_text(bytes, text);
    snprintf(text, sizeof text, ",%d", failed);
    ib_bytes_put_text(bytes, result->status == IB_OK ? text : ",");
    snprintf(text, sizeof text, ",%d", ib_sweep_warning_count(result));
    ib_bytes_put_text(bytes, was_run(result) ? text : ",");
    for (int i = 0; i < sweep->column_count; i++) {
        ib_bytes_put_char(bytes, ',');
        int length = ib_number_format_17(result->values[column_at(sweep, i)], text);
        ib_bytes_put(bytes, text, (size_t)length);
    }
    ib_bytes_put_char(bytes, '\n');
    csv->ends[csv->end_count++] = (int64_t)bytes->count;
    if (csv->end_count == ROWS || bytes->count >= BYTES) ib_sweep_csv_write(csv);
}

ib_Status ib_sweep_csv_close(ib_SweepCsv *csv, ib_Error *error)
{
    ib_sweep_csv_write(csv);
    if (close(csv->fd) != 0 && !csv->failure) csv->failure = errno;
    ib_bytes_free(&csv->bytes);
    free(csv->ends);
    if (!csv->failure) return IB_OK;
    ib_Error why;
    ib_Status status = ib_output_failed(csv->path, csv->failure, IB_FAILED, &why);
    if (status != IB_FAILED) {
        *error = why;
        return status;
    }
    if (csv->whole == 0) return ib_error_set(error, status, "%s; no row is whole", why.text);
    return ib_error_set(error, status, "%s; the row%s of %" PRId64 " run%s whole", why.text,
                        csv->whole == 1 ? "" : "s", csv->whole, csv->whole == 1 ? " is" : "s are");
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
        line += length + (line[length] == '\n');
    }
    ib_json_close(json, ']');
}

// The values of all axes of a run.
static void json_over(ib_Json *json, const ib_Sweep *sweep, int64_t index)
{
    const char *values[IB_SWEEP_MAX_AXES];
    uint64_t seed;
    ib_sweep_values(sweep, index, values, &seed);
    ib_json_open(json, "over", '{');
    for (int i = 0; i < sweep->plan.axis_count; i++)
        ib_json_text(json, sweep->plan.axes[i].path, values[i]);
    ib_json_close(json, '}');
}

// The columns from `first` up to `end`, by name.
static void json_columns(ib_Json *json, const char *key, const ib_Sweep *sweep, int first, int end,
                         const double *values)
{
    ib_json_open(json, key, '{');
    for (int i = first; i < end; i++) ib_json_number(json, sweep->columns[i].name, values[i]);
    ib_json_close(json, '}');
}

void ib_sweep_json_row(ib_Json *json, const ib_Sweep *sweep, int64_t index,
                       const ib_SweepResult *result)
{
    const int measures = ib_sweep_column(sweep, 0);
    const int all = ib_sweep_column(sweep, sweep->plan.measure_count);
    char hash[32];
    snprintf(hash, sizeof hash, "%016" PRIx64, result->hash);
    ib_json_open(json, NULL, '{');
    ib_json_integer(json, "seed", (int64_t)result->seed);
    json_over(json, sweep, index);
    ib_json_text(json, "status", status_word(result));
    if (result->error) ib_json_text(json, "error", result->error);
    if (was_run(result)) ib_json_text(json, "hash", hash);
    ib_json_open(json, "expect", '[');
    for (int i = 0; i < sweep->expectation_count && result->status == IB_OK; i++)
        ib_json_flag(json, NULL, result->passed[i]);
    ib_json_close(json, ']');
    ib_json_open(json, "margins", '[');
    for (int i = 0; i < sweep->expectation_count && result->status == IB_OK; i++)
        ib_json_number(json, NULL, result->values[i]);
    ib_json_close(json, ']');
    json_warnings(json, result);
    json_columns(json, "measures", sweep, measures, all, result->values);
    if (sweep->plan.all)
        json_columns(json, "final", sweep, all, sweep->column_count, result->values);
    ib_json_close(json, '}');
}

static void json_expectations(ib_Json *json, const ib_Sweep *sweep, const ib_SweepTotals *totals)
{
    ib_json_open(json, "expect", '[');
    for (int i = 0; i < sweep->expectation_count; i++) {
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "text", sweep->columns[i].name);
        ib_json_text(json, "unit", sweep->columns[i].unit);
        ib_json_integer(json, "failed", totals->failures[i].count);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

static void json_statistics(ib_Json *json, const ib_Sweep *sweep, const ib_SweepTotals *totals)
{
    ib_json_open(json, "statistics", '{');
    for (int i = ib_sweep_column(sweep, 0); i < sweep->column_count; i++) {
        ib_SweepStatistics s = ib_sweep_statistics(totals, i);
        ib_json_open(json, sweep->columns[i].name, '{');
        ib_json_text(json, "unit", sweep->columns[i].unit);
        ib_json_number(json, "mean", s.mean);
        ib_json_number(json, "sd", s.count ? s.deviation : NAN);
        ib_json_number(json, "min", s.min);
        ib_json_number(json, "max", s.max);
        if (s.count < totals->ended) ib_json_integer(json, "nan_runs", totals->ended - s.count);
        ib_json_close(json, '}');
    }
    ib_json_close(json, '}');
}

// What a point has in its object: its values, its mean, its spread over the seeds.
static void json_point(ib_Json *json, const ib_Sweep *sweep, int64_t point,
                       const ib_SweepStatistics *value)
{
    json_over(json, sweep, point * sweep->plan.seed_count);
    ib_json_number(json, "value", value->mean);
    ib_json_number(json, "spread", value->count > 1 ? value->deviation : NAN);
}

void ib_sweep_json_best(ib_Json *json, const ib_Sweep *sweep, const ib_SweepPoints *points,
                        const ib_SweepBest *best)
{
    if (!best || best->allowed == 0) {
        ib_json_number(json, "best", NAN); // null
        return;
    }
    ib_json_open(json, "best", '{');
    json_point(json, sweep, best->order[0], &best->value);
    ib_json_text(json, "measure", sweep->columns[best->column].name);
    ib_json_text(json, "unit", sweep->columns[best->column].unit);
    ib_json_flag(json, "largest", best->largest);
    ib_json_integer(json, "runs", best->value.count);
    ib_json_open(json, "ties", '[');
    for (int64_t i = 0; i < best->tie_count; i++) {
        ib_SweepStatistics value = ib_sweep_points_statistics(points, best->ties[i], best->column);
        ib_json_open(json, NULL, '{');
        json_point(json, sweep, best->ties[i], &value);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
    ib_json_close(json, '}');
}

void ib_sweep_json_begin(ib_Json *json, const ib_Sweep *sweep)
{
    ib_json_open(json, NULL, '{');
    ib_json_text(json, "scenario", sweep->plan.file);
    ib_json_integer(json, "count", sweep->count);
    ib_json_open(json, "runs", '[');
}

void ib_sweep_json_end(ib_Json *json, const ib_Sweep *sweep, const ib_SweepTotals *totals)
{
    ib_json_close(json, ']');
    ib_json_integer(json, "done", totals->ended);
    ib_json_integer(json, "failed", totals->broken + totals->error_count);
    json_expectations(json, sweep, totals);
    json_statistics(json, sweep, totals);
}
