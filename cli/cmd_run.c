// ironbird run: run a scenario and judge its expectations.
#include "session.h"

int cmd_run(int argc, char **argv)
{
    static SessionConfig config;
    return session_command(
        argc, argv, &config,
        &(Options){
            .command = "run",
            .usage = "SCENARIO [options]",
            .about = "Runs a scenario and prints the final, smallest and largest value of every "
                     "signal and the\nverdict on every expectation. Exit code 0: done; 1: an "
                     "expectation failed; 2: bad\n"
                     "input, nothing was run; 3: failed while running; 130: Ctrl-C.",
            .example = "ironbird run scenarios/roomba_straight.yaml --set robot.mass='3 kg' --set "
                       "expect=[] --at '0.5 s,2 s' --json",
        });
}
