// cli/replay.h: a session whose inputs come from a recording.
#ifndef IB_CLI_REPLAY_H
#define IB_CLI_REPLAY_H

#include "record/drive.h"
#include "session.h"

struct Replay {
    ib_Arena arena;
    ib_Log *log;
    const char *recording; ///< its file
    bool compares;         ///< nothing was changed on the command line
    bool changed;          ///< the scenario's files are not those of the recording
    const ib_LiveParam *params;
    int param_count;
    ib_Drive drive;
    ib_DrivePlayer player;
};

// Reads the recording (`config->recording`) and takes from it what to run into `config`. The
// mistake has been printed where this is false.
bool replay_open(Replay *replay, SessionConfig *config);

// Connects it to the session's run; then `player` is to be given to ib_run.
ib_Status replay_attach(Replay *replay, Session *session, ib_Error *error);

// After the run: the verdict, as a line or as JSON.
bool replay_same(const Replay *replay);
void replay_print(const Replay *replay, FILE *file);
void replay_print_json(const Replay *replay, ib_Json *json);

void replay_destroy(Replay *replay); ///< after ib_sim_destroy

#endif
