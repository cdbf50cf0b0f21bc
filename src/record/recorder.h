// record/recorder.h: records a run into files while it runs. Guarantees: docs/scenario/record.md
//
// The run's thread copies one row into a ring of fixed memory; a thread of the recorder formats and
// writes. A sample is in the file after 50 ms at most (it survives the program's death) and on the
// disk after 250 ms, as long as the disk keeps up.
#ifndef IB_RECORD_RECORDER_H
#define IB_RECORD_RECORDER_H

#include "base/signal.h"
#include "record/log.h"
#include "sim/watch/probe.h"

#include <signal.h>

enum { IB_RECORDER_MAX_FILES = 8, IB_RECORDER_MESSAGE = 480 };

typedef struct ib_RecorderConfig {
    const ib_SignalTable *signals;
    const int *selected; ///< indices into `signals`, each once; NULL: all of them
    int selected_count;
    ib_Time every; ///< between rows, from 0 on, and one at the end of the run; 0: every step
    const char *const *paths;
    int path_count;          ///< 1 … IB_RECORDER_MAX_FILES
    const ib_LogFact *facts; ///< about the run: title, robot, …
    int fact_count;
    bool realtime; ///< ring full: drop and count rows; otherwise the run waits for the disk
    const ib_LogFormat *formats;       ///< of each path; NULL or IB_LOG_UNKNOWN: by its ending
    bool inputs;                       ///< also an entry for live inputs (record/journal.h)
    const volatile sig_atomic_t *stop; ///< stop flag: once it is not 0, only the end is recorded;
                                       ///< NULL: none
} ib_RecorderConfig;

typedef struct ib_RecorderCounts {
    int64_t rows;          ///< given to the files
    int64_t dropped;       ///< rows that found the ring full
    int64_t lost_messages; ///< messages and inputs that found their queue of 1024 full
} ib_RecorderCounts;

typedef struct ib_Recorder ib_Recorder;

// Creates the files and starts the thread. `config` is not used afterwards.
ib_Status ib_recorder_create(const ib_RecorderConfig *config, ib_Recorder **recorder,
                             ib_Error *error);

// The recorder's probe for the run; valid until the close.
ib_Probe ib_recorder_probe(ib_Recorder *recorder);

// Records a line of text, cut after IB_RECORDER_MESSAGE - 1 bytes, in the files that hold text
// (WPILOG). Called from the simulation's thread. A full queue follows the rule of the rows.
void ib_recorder_message(ib_Recorder *recorder, ib_Time time, ib_LogLevel level, const char *text);

// Records a line of the entry for live inputs, as ib_journal_format makes it. The same rules.
void ib_recorder_input(ib_Recorder *recorder, ib_Time time, const char *line);

// IB_FAILED with the reason as soon as a file cannot be written or a live input was lost, which is
// final. Cheap; called from the simulation's thread during the run.
ib_Status ib_recorder_check(const ib_Recorder *recorder, ib_Error *error);

// Writes the rest, ends the files and frees the recorder. IB_FAILED names each file that could not
// be written and the part kept of it, and lost live inputs: such a recording cannot be replayed.
// `counts` may be NULL.
ib_Status ib_recorder_close(ib_Recorder *recorder, ib_RecorderCounts *counts, ib_Error *error);

#endif
