// study/replay.h: a live run replayed from its journal, and compared with the
// recording. docs/scenario/record.md
#ifndef IB_STUDY_REPLAY_H
#define IB_STUDY_REPLAY_H

#include "record/journal.h"
#include "scenario/scenario.h"

typedef struct ib_Replay {
    ib_Arena arena;
    ib_Log *log;
    const char *recording; ///< its file
    bool compares;         ///< nothing changed except the recording's overrides
    bool changed;          ///< the scenario's files differ from those of the recording
    const ib_LiveParam *params;
    int param_count;
    ib_Journal journal;
    ib_JournalPlayer player;
} ib_Replay;

// Reads a recording and prepares its run: puts the scenario's file into `scenario`, unless set, and
// the recorded overrides in front of `overrides` (`options->override_count` of them, `most` at
// most), which become `options->overrides`. To be destroyed in any case.
ib_Status ib_replay_open(ib_Replay *replay, const char *recording, ib_ScenarioOptions *options,
                         ib_Override *overrides, int most, const char **scenario, ib_Error *error);

// Connects the replay to a run that has not begun; ib_run then gets its `player`.
ib_Status ib_replay_attach(ib_Replay *replay, const ib_Scenario *scenario, ib_Sim *sim,
                           ib_Error *error);

// True if the finished run was the same, as far as it was compared.
bool ib_replay_same(const ib_Replay *replay);

void ib_replay_destroy(ib_Replay *replay); ///< after ib_sim_destroy

#endif
