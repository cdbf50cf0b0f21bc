// cli/cmd_report.c: `ironbird report`: run a scenario and write a self-contained HTML report.
#include "session.h"

int cmd_report(int argc, char **argv)
{
    static SessionRequest request = {.report = "report.html"};
    return session_command(
        argc, argv, &request,
        &(Options){
            .command = "report",
            .usage = "SCENARIO [-o FILE] [options]",
            .about = "Runs a scenario and writes a self-contained HTML report: summary, "
                     "expectations,\nplots, free-body diagram, parameters, errata. "
                     "Default file: report.html.",
            .example = "ironbird report scenarios/roomba_circle.yaml -o circle.html "
                       "--diagram '1 s'",
        });
}
