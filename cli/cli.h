// cli/cli.h: the commands of the program, and what they share on the command line.
#ifndef IB_CLI_CLI_H
#define IB_CLI_CLI_H

#include "base/tell.h"
#include "file/diagnostics.h"
#include "options.h"
#include "record/log.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

// Exit codes: docs/commands.md
enum {
    EXIT_DONE = 0,
    EXIT_EXPECTATION = 1,
    EXIT_BAD_INPUT = 2,
    EXIT_FAILED = 3,
    EXIT_INTERRUPTED = 130,
};

// The code of a command that ended so.
int exit_code_of(ib_Status status);

// Each gets its own name as argv[0] and returns the exit code.
int cmd_run(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_design(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_fit(int argc, char **argv);
int cmd_bench(int argc, char **argv);

// ------------------------------------------------------------------------------------------ output

enum { MAX_OUTPUTS = 4, MAX_INPUT_LISTS = 2 };

// What a command reads and what it will write.
typedef struct Files {
    const char *const *inputs[MAX_INPUT_LISTS]; ///< each ends with NULL; NULL: no such list
    const char *outputs[MAX_OUTPUTS];           ///< NULL: not asked for
    bool json;                                  ///< JSON will be printed to stdout
} Files;

// Can every output be written without loss of an input or of another output? If not, the reason is
// printed to stderr. To be asked before anything is opened or printed; what is in the files stays.
// Where an output is the standard output (/dev/stdout), it has it for itself: from then on all that
// would be printed there goes to stderr, and JSON is refused. A dash alone is refused, too.
bool can_write_all(const char *command, const Files *files);

// To be called first: a file that may not grow (ulimit -f) and a pipe that nobody reads are
// failures of a write, which somebody reports, and do not end the program.
void begin_output(void);

// To be called last: the exit code, or EXIT_FAILED with a message where `code` says that all went
// well but stdout could not take what was printed.
int finish_output(int code);

// --------------------------------------------------------------------------------------- scenarios

// The desk for ib_ScenarioOptions.designs: one for the whole program, so that a plan that several
// scenarios name, or all runs of a sweep, is worked out once.
const ib_DesignLoader *design_loader(void);

// Reads a scenario; its mistakes are printed to stderr and NULL is returned.
ib_Scenario *load_scenario(const char *file, const ib_ScenarioOptions *options);

// Prints mistakes as file:line:col: text, one a line, to stderr.
void print_diagnostics(const char *file, const ib_Diagnostics *diagnostics);

// Says on stderr what a page that was written is without (report/report.h), if anything.
void tell_of_page(const char *page, const ib_Error *remark);

// What a file that was read may not mean as it is written, one line each to stderr.
void print_file_warnings(const ib_Diagnostic *warnings, int count);

// -------------------------------------------------------------------------------------- recordings

// Says on stderr what a recording has that its log has not, one line for each type, and where its
// times were out of order.
void tell_unread(const char *command, const char *file, const ib_Log *log);

// --------------------------------------------------------------------------------------- interrupt

// To be called first: Ctrl-C (and SIGTERM) ends the program with EXIT_INTERRUPTED, and what is not
// whole of its files is removed (base/output_part.h).
void begin_interrupt(void);

// From now on it sets this flag instead; a second one ends the program as above.
const volatile sig_atomic_t *catch_interrupt(void);

#endif
