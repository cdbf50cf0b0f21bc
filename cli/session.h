// cli/session.h: `run`, `report` and `replay`: one run of a scenario, and its printed results.
#ifndef IB_CLI_SESSION_H
#define IB_CLI_SESSION_H

#include "cli.h"
#include "study/session.h"

enum { MAX_PATTERNS = 64 };

// Requests of the command line.
typedef struct SessionRequest {
    const char *command; ///< run, report or replay, for messages
    const char *scenario;
    CommonOptions common;
    const char *at[MAX_PATTERNS]; ///< each "0.5 s,2 s"
    int at_count;
    const char *csv, *log, *report;     ///< files to write; NULL: none
    const char *diagram;                ///< time of the free-body diagram ("1 s"); NULL: chosen
    const char *patterns[MAX_PATTERNS]; ///< of the signals to print; none: the headlines
    int pattern_count;
    bool all; ///< signals are printed
    bool realtime;
    bool replays;          ///< inputs come from a recording
    const char *recording; ///< which also names the scenario, where the command line does not
} SessionRequest;

// Takes the command line of one of them (whose texts are in `options`) into `request`, reads,
// runs, writes the files asked for and prints the result; returns the exit code.
int session_command(int argc, char **argv, SessionRequest *request, Options *options);

// The times of all --at, sorted, without repetitions, all within the run.
ib_Status session_times(const SessionRequest *request, ib_Time end, ib_Arena *arena,
                        ib_Time **times, int *count, ib_Error *error);

// Reads one time within the run; messages about a wrong one name `option`.
ib_Status session_time(const char *option, const char *text, ib_Time end, ib_Time *time,
                       ib_Error *error);

#endif
