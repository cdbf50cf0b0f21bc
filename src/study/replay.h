// study/replay.h: a live run made again from its journal, and held against the
// recording. docs/record.md
#ifndef IB_STUDY_REPLAY_H
#define IB_STUDY_REPLAY_H

#include "record/journal.h"
#include "scenario/scenario.h"

typedef struct ib_Replay {
    ib_Arena arena;
    ib_Log *log;
    const char *recording; ///< its file
    bool compares;         ///< nothing was changed but what the recording says
    bool changed;          ///< the scenario's files are not those of the recording
    const ib_LiveParam *params;
    int param_count;
    ib_Journal journal;
    ib_JournalPlayer player;
} ib_Replay;

// Reads a recording and takes from it what to run: the scenario's file into `scenario`, unless
// there is one, and what it was changed by in front of `overrides` (`options->override_count` of
// them, `most` at most), which are `options->overrides` then. To be destroyed in any case.
ib_Status ib_replay_open(ib_Replay *replay, const char *recording, ib_ScenarioOptions *options,
                         ib_Override *overrides, int most, const char **scenario, ib_Error *error);

// Connects it to a run that has not begun; then `player` is to be given to ib_run.
ib_Status ib_replay_attach(ib_Replay *replay, const ib_Scenario *scenario, ib_Sim *sim,
                           ib_Error *error);

// After the run: was it the same, as far as anything was compared?
bool ib_replay_same(const ib_Replay *replay);

void ib_replay_destroy(ib_Replay *replay); ///< after ib_sim_destroy

#endif
