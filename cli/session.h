// cli/session.h: one run of a scenario with everything that watches it, for `run`, `report` and
// `replay`.
#ifndef IB_CLI_SESSION_H
#define IB_CLI_SESSION_H

#include "cli.h"
#include "record/tape.h"
#include "sim/meter.h"
#include "sim/run.h"
#include "sim/summary.h"

enum { MAX_SAMPLES = 10000, MAX_PATTERNS = 64 };

// What the command line asks for.
typedef struct SessionConfig {
    const char *command; ///< run, report or replay, for messages
    const char *scenario;
    CommonOptions common;
    const char *at;                     ///< "0.5 s,2 s"; NULL: none
    const char *csv, *log, *report;     ///< files to write; NULL: none
    const char *diagram;                ///< time of the free-body diagram ("1 s"); NULL: chosen
    const char *patterns[MAX_PATTERNS]; ///< of the signals to print; none: the headlines
    int pattern_count;
    bool all; ///< signals are printed
    bool realtime;
    bool replays;          ///< inputs come from a recording
    const char *recording; ///< which also names the scenario, where the command line does not
} SessionConfig;

typedef struct Replay Replay; ///< cli/replay.h

typedef struct Session {
    const SessionConfig *config;
    ib_Scenario *scenario;
    ib_Sim *sim;
    ib_Arena arena;
    ib_Summary *summary;
    bool *rows;       ///< of each signal: it is printed
    ib_Tape *samples; ///< rows of --at; NULL: none
    ib_Tape *tape;    ///< rows for the report; NULL: none
    ib_Meter *meter;  ///< loads, for the report; NULL: none
    ib_Tape *diagram; ///< the row for its free-body diagram; NULL: the report chooses
    ib_RunResult result;
    ib_Status status; ///< of the run
    ib_Error error;   ///< why it failed or stopped
    int64_t dropped;  ///< rows that a recorder had to drop
    Replay *replay;   ///< NULL: inputs are the scenario's own
} Session;

// Takes the command line of one of them (whose texts are in `options`) into `config`, reads,
// runs, writes the files asked for and prints the result; returns the exit code.
int session_command(int argc, char **argv, SessionConfig *config, Options *options);

// Prints the result for people or as JSON.
void session_print(const Session *session, FILE *file);
void session_print_json(const Session *session, FILE *file);

enum { WARNING_TEXT = 320 };

// Warning number `index` of a run into `text`, and the time it belongs to; false: there are fewer.
bool session_warning(const Session *session, int index, ib_Time *time, char *text, size_t size);

// Writes the HTML report.
ib_Status session_report(const Session *session, const char *path, ib_Error *error);

#endif
