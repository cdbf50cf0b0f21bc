#include "study/recording_filter.h"

#include "base/quote.h"
#include "file/reader.h"
#include "linear/filter.h"

#include <math.h>
#include <string.h>

static const ib_Param params[] = {IB_FILTER_ROWS(0)};
static const ib_Schema schema = IB_SCHEMA(params);

static ib_Status read_config(const char *yaml, ib_Arena *arena, ib_FilterConfig *config,
                             ib_Error *error)
{
    ib_Diagnostics *found = ib_arena_alloc(arena, sizeof *found);
    if (!found) return ib_error_set(error, IB_FAILED, "out of memory for a filter");
    found->arena = arena;
    ib_Reader reader = {.file = "--filter", .arena = arena, .diagnostics = found};
    const ib_Node *root = ib_read_tree(&reader, yaml, strlen(yaml));
    if (root && ib_check_map(&reader, root,
                             "a map such as {filter: butterworth, order: 2, "
                             "cutoff: 10 Hz}"))
        ib_read_schema(&reader, root, &schema, NULL, config);
    if (found->count > 0) return ib_error_set(error, IB_BAD_INPUT, "%s", found->items[0].text);
    return root ? IB_OK : ib_error_set(error, IB_BAD_INPUT, "it cannot be read");
}

// The sample rate. All gaps must equal the mean one, within the microseconds to which a file rounds
// its times.
static ib_Status find_rate(const ib_LogSeries *series, double *rate, ib_Error *error)
{
    ib_Time span = series->count > 1 ? series->times[series->count - 1] - series->times[0] : 0;
    double gap = span > 0 ? (double)span / (double)(series->count - 1) : 0;
    if (!(gap > 0)) return ib_error_set(error, IB_BAD_INPUT, "it has no samples over time");
    for (int64_t i = 1; i < series->count; i++) {
        double here = (double)(series->times[i] - series->times[i - 1]);
        if (fabs(here - gap) > 1001 + 1e-6 * gap)
            return ib_error_set(error, IB_BAD_INPUT,
                                "its samples are not evenly spaced: %g s before %g s, %g s in the "
                                "mean",
                                here * 1e-9, ib_time_to_seconds(series->times[i]), gap * 1e-9);
    }
    *rate = 1e9 / gap;
    return IB_OK;
}

static ib_Status filter_series(const char *yaml, ib_LogSeries *series, ib_Arena *arena,
                               ib_Error *error)
{
    ib_FilterConfig config = {0};
    ib_Filter filter;
    ib_Error own;
    const char *key;
    double rate = 0;
    ib_Status status = read_config(yaml, arena, &config, error);
    if (status == IB_OK) status = find_rate(series, &rate, error);
    if (status != IB_OK) return status;
    if (config.kind == IB_FILTER_NONE)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'filter' is missing: expected butterworth or chebyshev2");
    status = ib_filter_init(&config, rate, &filter, &key, &own);
    if (status != IB_OK)
        return ib_error_set(error, status, "%s%s%s", key, key[0] ? ": " : "", own.text);
    return ib_filter_both_ways(&filter, series->values, series->count, error);
}

// "filtered: cap.pressure, rod.pressure"
static ib_Status note_filter(ib_Log *log, const char *name, ib_Error *error)
{
    ib_LogFact *facts = ib_arena_array(&log->arena, (size_t)log->fact_count + 1, sizeof *facts);
    int at = 0;
    if (!facts) return ib_error_set(error, IB_FAILED, "out of memory for a filter");
    if (log->fact_count > 0) memcpy(facts, log->facts, (size_t)log->fact_count * sizeof *facts);
    while (at < log->fact_count && strcmp(facts[at].key, IB_FACT_FILTERED) != 0) at++;
    bool more = at < log->fact_count;
    const char *value = more ? ib_arena_format(&log->arena, "%s, %s", facts[at].value, name) : name;
    if (!value) return ib_error_set(error, IB_FAILED, "out of memory for a filter");
    facts[at] = (ib_LogFact){IB_FACT_FILTERED, value};
    log->facts = facts;
    log->fact_count += !more;
    return IB_OK;
}

ib_Status ib_recording_filter(ib_Log *log, const char *text, ib_Error *error)
{
    const char *sign = strchr(text, '=');
    if (!sign || sign == text)
        return ib_error_set(error, IB_BAD_INPUT, "--filter: expected SIGNAL={filter: …}, got '%s'",
                            ib_quote(text).text);
    size_t length = (size_t)(sign - text);
    for (int i = 0; i < log->series_count; i++) {
        ib_LogSeries *series = &log->series[i];
        if (strncmp(series->name, text, length) != 0 || series->name[length]) continue;
        ib_Arena arena = {0};
        ib_Error own;
        ib_Status status = filter_series(sign + 1, series, &arena, &own);
        ib_arena_reset(&arena);
        if (status == IB_OK) return note_filter(log, series->name, error);
        return ib_error_set(error, status, "--filter %s: %s", series->name, own.text);
    }
    return ib_error_set(error, IB_BAD_INPUT, "--filter: there is no signal '%.*s' in the recording",
                        length > 80 ? 80 : (int)length, text);
}
