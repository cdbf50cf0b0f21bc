// cli/session_times.c: the times that --at and --diagram name.
#include "session.h"

#include "base/units.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SAMPLES = 10000 };

ib_Status session_time(const char *option, const char *text, ib_Time end, ib_Time *time,
                       ib_Error *error)
{
    double seconds;
    ib_Error inner;
    if (ib_units_read(text, "s", &seconds, &inner) != IB_OK)
        return ib_error_set(error, IB_BAD_INPUT, "%s: %s", option, inner.text);
    if (!(seconds >= 0) || seconds > 1e7 || ib_time_from_seconds(seconds) > end)
        return ib_error_set(error, IB_BAD_INPUT, "%s: '%s' is not within the run, 0 s to %.9g s",
                            option, text, ib_time_to_seconds(end));
    *time = ib_time_from_seconds(seconds);
    return IB_OK;
}

static int compare_times(const void *a, const void *b)
{
    ib_Time x = *(const ib_Time *)a, y = *(const ib_Time *)b;
    return x < y ? -1 : x > y;
}

// Adds the times of "0.5 s,2 s".
static ib_Status add_times(const char *text, ib_Time end, ib_Arena *arena, ib_Time *times,
                           int *count, ib_Error *error)
{
    char *part = ib_arena_text(arena, text);
    if (!part) return ib_error_set(error, IB_FAILED, "out of memory for --at");
    for (char *next; part; part = next) {
        next = strchr(part, ',');
        if (next) *next++ = '\0';
        if (part[strspn(part, " ")] == '\0')
            return ib_error_set(error, IB_BAD_INPUT, "--at: a time is missing in '%s'", text);
        if (*count == MAX_SAMPLES)
            return ib_error_set(error, IB_BAD_INPUT, "--at: more than %d times", MAX_SAMPLES);
        ib_Status status = session_time("--at", part, end, &times[*count], error);
        if (status != IB_OK) return status;
        (*count)++;
    }
    return IB_OK;
}

ib_Status session_times(const SessionRequest *request, ib_Time end, ib_Arena *arena,
                        ib_Time **times, int *count, ib_Error *error)
{
    *times = ib_arena_array(arena, MAX_SAMPLES, sizeof **times);
    *count = 0;
    if (!*times) return ib_error_set(error, IB_FAILED, "out of memory for --at");
    for (int i = 0; i < request->at_count; i++) {
        ib_Status status = add_times(request->at[i], end, arena, *times, count, error);
        if (status != IB_OK) return status;
    }
    qsort(*times, (size_t)*count, sizeof **times, compare_times);
    int kept = 1;
    for (int i = 1; i < *count; i++)
        if ((*times)[i] != (*times)[kept - 1]) (*times)[kept++] = (*times)[i];
    *count = kept;
    return IB_OK;
}
