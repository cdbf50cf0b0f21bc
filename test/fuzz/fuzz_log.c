// Fuzz target: any bytes as a recording, in both formats. They must be read or refused with a text,
// and what is read is whole and in order of time.
#include "record/log.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const ib_Log *log, size_t size)
{
    IB_ASSERT(log->whole_size <= size && log->series_count <= IB_LOG_MAX_SIGNALS);
    for (int i = 0; i < log->series_count; i++) {
        const ib_LogSeries *series = &log->series[i];
        IB_ASSERT(strlen(series->name) + strlen(series->unit) + strlen(series->sentence) <
                  1u << 31);
        for (int64_t k = 1; k < series->count; k++)
            IB_ASSERT(series->times[k - 1] <= series->times[k]);
    }
    for (int64_t i = 0; i < log->event_count; i++) {
        IB_ASSERT(log->events[i].source < log->source_count && log->events[i].text);
        IB_ASSERT(i == 0 || log->events[i - 1].time <= log->events[i].time);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"x.csv", "x.wpilog", "x"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ib_Log *log;
        ib_Error error = {0};
        if (ib_log_parse(names[i], data, size, &log, &error) == IB_OK)
            check(log, size);
        else
            IB_ASSERT(error.status == IB_BAD_INPUT && error.text[0]);
        ib_log_destroy(log);
    }
    return 0;
}
