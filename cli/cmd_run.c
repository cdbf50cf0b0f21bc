// cli/cmd_run.c: `ironbird run`: run a scenario and judge its expectations.
#include "session.h"

#include <string.h>

int cmd_run(int argc, char **argv)
{
    static SessionRequest request;
    memset(&request, 0, sizeof request); // test/run_many.c runs one after the other
    return session_command(
        argc, argv, &request,
        &(Options){
            .command = "run",
            .usage = "SCENARIO [options]",
            .about = "Runs a scenario and prints the verdict on every expectation, then the final, "
                     "smallest and\nlargest value of the signals that matter most, to four digits "
                     "and in people's units.\nExit code 0: done; 1: an expectation failed; 2: bad "
                     "input, nothing was run; 3: failed\nwhile running; 130: Ctrl-C.",
            .example = "ironbird run scenarios/roomba_straight.yaml --set robot.mass='3 kg' --set "
                       "expect=[] --at '0.5 s,2 s' --json",
        });
}
