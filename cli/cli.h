// cli/cli.h: the commands of the program, and their shared functions.
#ifndef IB_CLI_CLI_H
#define IB_CLI_CLI_H

#include "base/tell.h"
#include "file/diagnostics.h"
#include "options.h"
#include "record/log.h"
#include "study/sweep/sweep.h"

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
int cmd_optimise(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_design(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_fit(int argc, char **argv);
int cmd_bench(int argc, char **argv);

// ------------------------------------------------------------------------------------------ output

enum { MAX_OUTPUTS = 4, MAX_INPUT_LISTS = 2 };

// Inputs and outputs of a command.
typedef struct Files {
    const char *const *inputs[MAX_INPUT_LISTS]; ///< each ends with NULL; NULL: no such list
    const char *outputs[MAX_OUTPUTS];           ///< NULL: not asked for
    bool json;                                  ///< JSON will be printed to stdout
} Files;

// True if every output can be written without loss of an input or of another output; else the
// reason is printed to stderr. Call it before files are opened or text is printed; contents of
// files stay. If an output is the standard output (/dev/stdout), it has it for itself: from then on
// all other text goes to stderr, and JSON is refused. A dash alone is refused, too.
bool can_write_all(const char *command, const Files *files);

// Call first: a file that may not grow (ulimit -f) and a pipe without reader are then failures of a
// write, which are reported, and do not end the program.
void begin_output(void);

// Call last: returns the exit code, or EXIT_FAILED with a message if `code` is success but stdout
// could not be written.
int finish_output(int code);

// --------------------------------------------------------------------------------------- scenarios

// The desk for ib_ScenarioOptions.designs: one for the whole program, so that a plan that several
// scenarios name, or all runs of a sweep, is worked out once.
const ib_DesignLoader *design_loader(void);

// Fills the plan with what all commands have: --set, --duration, plug-ins, designs, one seed.
void prepare_sweep(ib_SweepPlan *plan, const CommonOptions *common);

// Reads a scenario; its mistakes are printed to stderr and NULL is returned.
ib_Scenario *load_scenario(const char *file, const ib_ScenarioOptions *options);

// Prints mistakes as file:line:col: text, one a line, to stderr.
void print_diagnostics(const char *file, const ib_Diagnostics *diagnostics);

// Reports on stderr the parts that a written page lacks (report/report.h), if any.
void tell_of_page(const char *page, const ib_Error *remark);

// Prints the warnings of a file, one line each to stderr.
void print_file_warnings(const ib_Diagnostic *warnings, int count);

// -------------------------------------------------------------------------------------- recordings

// Reports on stderr the parts of a recording that its log lacks, one line for each type, and times
// out of order.
void tell_unread(const char *command, const char *file, const ib_Log *log);

// --------------------------------------------------------------------------------------- interrupt

// Call first: Ctrl-C (and SIGTERM) ends the program with EXIT_INTERRUPTED, and incomplete files are
// removed (base/output_part.h).
void begin_interrupt(void);

// Makes the interrupt set this flag instead; a second one ends the program as above.
const volatile sig_atomic_t *catch_interrupt(void);

#endif
