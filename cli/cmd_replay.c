// cli/cmd_replay.c: `ironbird replay`: make a recorded run again, and compare.
#include "session.h"

int cmd_replay(int argc, char **argv)
{
    static SessionRequest request = {.replays = true};
    return session_command(
        argc, argv, &request,
        &(Options){
            .command = "replay",
            .usage = "RECORDING [SCENARIO] [options]",
            .about =
                "Runs the scenario of a recording again, with the inputs and parameter changes "
                "that came in\nlive, and compares the state with the recorded one at every "
                "second and at the end.\nExit code 0: the same; 1: not the same, or an "
                "expectation failed. With --set, --seed\nor --duration it shows what else might "
                "have been, and compares nothing.",
            .example = "ironbird serve scenarios/drive.yaml --record drive.wpilog\n"
                       "  ironbird replay drive.wpilog --report drive.html",
        });
}
