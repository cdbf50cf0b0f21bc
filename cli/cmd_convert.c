// cli/cmd_convert.c: `ironbird convert`: a recording from one format into another.
#include "cli.h"
#include "record/log.h"

#include <inttypes.h>
#include <stdio.h>

static void tell_losses(const ib_Log *log, const char *from, const char *to)
{
    if (log->truncated)
        tell(stderr,
             "ironbird convert: warning: the end of '%s' is cut off; its first %" PRIu64
             " bytes are whole and were converted\n",
             from, log->whole_size);
    tell_unread("convert", from, log);
    // Title and scenario are in every recording; only what happened in the run is missed.
    if (ib_log_format(to) == IB_LOG_CSV && log->event_count)
        tell(stderr,
             "ironbird convert: note: a CSV file has no place for the messages of '%s' (%" PRId64
             ")\n",
             from, log->event_count);
}

// Both must be known before anything is opened: the output has a known ending and is not the input.
static int convert(const Options *options, const char *from, const char *to)
{
    if (ib_log_format(to) == IB_LOG_UNKNOWN)
        return bad_usage(options,
                         "expected an output that ends in .csv or .wpilog, got '%s'; a pipe "
                         "(mkfifo x.csv), or a link to it, may be called so",
                         to);
    Files files = {.inputs = (const char *const[]){from, NULL}, .outputs = {to}};
    if (!can_write_all("convert", &files)) return EXIT_BAD_INPUT;

    ib_Error error;
    ib_Log *log = NULL;
    ib_Status status = ib_log_read(from, &log, &error);
    if (status == IB_OK) status = ib_log_write(log, to, &error);
    if (status == IB_OK)
        tell_losses(log, from, to);
    else
        tell(stderr, "ironbird convert: %s\n", error.text);
    ib_log_destroy(log);
    return exit_code_of(status);
}

int cmd_convert(int argc, char **argv)
{
    static const Option none[] = {{0}};
    Options options = {
        .command = "convert",
        .usage = "FROM TO",
        .about =
            "Writes the recording FROM (.csv or .wpilog) into the file TO, in the format of its\n"
            "ending. A recording whose end is cut off (a killed run) is converted as far as it\n"
            "is whole. CSV keeps the signals only; WPILOG keeps titles and messages too, and\n"
            "times to the microsecond.",
        .example = "ironbird convert run.wpilog run.csv",
        .options = none,
        .argc = argc,
        .argv = argv,
    };
    const char *files[2], *word;
    int count = 0;
    for (int item; (item = options_next(&options, &word)) != OPTION_END;) {
        if (item == OPTION_HELP) return EXIT_DONE;
        if (item != OPTION_ARGUMENT) return EXIT_BAD_INPUT;
        if (count == 2) return bad_usage(&options, "one file too many: '%s'", word);
        files[count++] = word;
    }
    if (count < 2) return bad_usage(&options, "expected two files, FROM and TO");
    return convert(&options, files[0], files[1]);
}
