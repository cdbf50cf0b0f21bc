// cli/cmd_convert.c: `ironbird convert`: a recording from one format into another.
#include "cli.h"
#include "record/log_convert.h"
#include "study/recording_filter.h"

#include <inttypes.h>
#include <stdio.h>

static void tell_losses(const ib_Log *log, const char *from, const char *to)
{
    if (log->truncated)
        ib_tell(stderr,
                "ironbird convert: warning: the end of '%s' is cut off; its first %" PRIu64
                " bytes are whole and were converted\n",
                from, log->whole_size);
    tell_unread("convert", from, log);
    // Title and scenario are in every recording; only events of the run are lost.
    if (ib_log_format(to) == IB_LOG_CSV && log->event_count)
        ib_tell(stderr,
                "ironbird convert: note: a CSV file has no place for the messages of '%s' (%" PRId64
                ")\n",
                from, log->event_count);
}

enum { MOST_FILTERS = 64 };

typedef struct Request {
    const char *files[2]; ///< FROM and TO
    const char *filters[MOST_FILTERS];
    int filter_count;
} Request;

// A filter goes forward and backward over its signal: with one all of the log is in memory.
static ib_Status convert_filtered(const Request *request, ib_Log **log, ib_Error *error)
{
    ib_Status status = ib_log_read(request->files[0], log, error);
    for (int i = 0; status == IB_OK && i < request->filter_count; i++)
        status = ib_recording_filter(*log, request->filters[i], error);
    return status == IB_OK ? ib_log_write(*log, request->files[1], error) : status;
}

// Both must be known before anything is opened: the output has a known ending and is not the input.
static int convert(const Options *options, const Request *request)
{
    const char *from = request->files[0], *to = request->files[1];
    if (ib_log_format(to) == IB_LOG_UNKNOWN)
        return bad_usage(
            options,
            "expected an output that ends in .csv or .wpilog, got '%s'; for a pipe, make "
            "one with such a name: mkfifo x.csv",
            to);
    Files files = {.inputs = {(const char *const[]){from, NULL}}, .outputs = {to}};
    if (!can_write_all("convert", &files)) return EXIT_BAD_INPUT;

    ib_Error error;
    ib_Log *log = NULL;
    ib_Status status = request->filter_count ? convert_filtered(request, &log, &error)
                                             : ib_log_convert(from, to, &log, &error);
    if (status == IB_OK)
        tell_losses(log, from, to);
    else
        ib_tell(stderr, "ironbird convert: %s\n", error.text);
    ib_log_destroy(log);
    return exit_code_of(status);
}

int cmd_convert(int argc, char **argv)
{
    enum { FILTER };
    static const Option rows[] = {
        {"--filter", "SIGNAL=YAML",
         "filter a signal forward and backward, without delay (repeatable)", .item = FILTER,
         .repeatable = true},
        {0},
    };
    Options options = {
        .command = "convert",
        .usage = "FROM TO",
        .about =
            "Writes the recording FROM (.csv or .wpilog) into the file TO, in the format of its\n"
            "ending. A recording whose end is cut off (a killed run) is converted as far as it\n"
            "is whole. CSV keeps the signals only; WPILOG keeps titles and messages too, and\n"
            "times to the microsecond. A filter is {filter: butterworth, order: 2, cutoff: 10 Hz}\n"
            "or another one of a transducer (docs/sensor/sensor.md).",
        .example = "ironbird convert run.wpilog run.csv",
        .options = rows,
        .argc = argc,
        .argv = argv,
    };
    Request request = {0};
    const char *word;
    int count = 0;
    for (int item; (item = options_next(&options, &word)) != OPTION_END;) {
        if (item == OPTION_HELP) return EXIT_DONE;
        if (item == FILTER && request.filter_count == MOST_FILTERS)
            return bad_usage(&options, "expected at most %d filters", MOST_FILTERS);
        if (item == FILTER) {
            request.filters[request.filter_count++] = word;
            continue;
        }
        if (item != OPTION_ARGUMENT) return EXIT_BAD_INPUT;
        if (count == 2) return bad_usage(&options, "one file too many: '%s'", word);
        request.files[count++] = word;
    }
    if (count < 2) return bad_usage(&options, "expected two files, FROM and TO");
    return convert(&options, &request);
}
