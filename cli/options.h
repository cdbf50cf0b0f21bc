// cli/options.h: the options of a command, and those that many commands have in common.
//
// A command has a table of the options it takes, in the order of its help. Options that many
// commands take (--set, --seed, …) stand in one table in options.c; a command names them by their
// number, with a sentence of its own for a special meaning. Values of common options go into
// CommonOptions; a text or a flag goes to the target of its row; the rest is the command's.
#ifndef IB_CLI_OPTIONS_H
#define IB_CLI_OPTIONS_H

#include "scenario/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CommonOption {
    COMMON_NONE, ///< an option of the command's own
    COMMON_SET,
    COMMON_DURATION,
    COMMON_SEED,
    COMMON_JOBS,
    COMMON_PLUGINS,
    COMMON_JSON,
    COMMON_QUIET,
} CommonOption;

typedef enum OptionTarget {
    TARGET_COMMAND, ///< the command is told, by `item`
    TARGET_TEXT,    ///< its value is a `const char *` of the request
    TARGET_FLAG,    ///< a `bool` of the request becomes true
} OptionTarget;

typedef struct Option {
    const char *name;     ///< with its dashes: "--set"; an alias after a bar: "--output|-o"
    const char *value;    ///< its argument in the help: "PATH=YAML"; NULL: none
    const char *sentence; ///< of a common option: NULL means the common one
    CommonOption common;  ///< then name and value are the common ones
    const char *example;  ///< for the message about a wrong value of a common one; NULL: none
    OptionTarget target;
    bool repeatable; ///< may be given again, and all of them count; of others a second is refused
    size_t offset;   ///< of the text or the flag in the request
    int item;        ///< the command's own number for it, 0 or more
} Option;

// Target of a value, as the end of a row: {"--csv", "FILE", "…", INTO_TEXT(Request, csv)}
#define INTO_TEXT(type, field) .target = TARGET_TEXT, .offset = offsetof(type, field)
#define INTO_FLAG(type, field) .target = TARGET_FLAG, .offset = offsetof(type, field)

enum { MAX_OVERRIDES = 256 };

// Values of the common options.
typedef struct CommonOptions {
    ib_ScenarioOptions scenario; ///< --set, --duration, --seed, --allow-plugins
    ib_Override overrides[MAX_OVERRIDES];
    ib_Arena arena; ///< of the overrides' texts
    int jobs;       ///< threads; 0: all cores
    bool json, quiet;
} CommonOptions;

void common_destroy(CommonOptions *common);

typedef struct Options {
    const char *command, *usage, *about, *example;
    const Option *options; ///< ends with {0}
    CommonOptions *common; ///< NULL: the table has none of them
    void *request;         ///< where texts and flags go; NULL: the table has none
    int argc, next;
    char **argv;
    bool only_arguments; ///< after "--"
    uint64_t given;      ///< a bit for each row of the table that was there already
} Options;

// The last rows of a command's Options: its `options_table`, a request that has a field `common`,
// and the command's arguments.
#define TAKEN_INTO(request_)                                                                       \
    .options = options_table, .common = &(request_).common, .request = &(request_), .argc = argc,  \
    .argv = argv

enum { OPTION_END = -1, OPTION_ARGUMENT = -2, OPTION_HELP = -3, OPTION_ERROR = -4 };

// The next item of the command line that is the command's own: the item of an option (with its
// value), OPTION_ARGUMENT (with the word), OPTION_HELP (the help has been printed), OPTION_ERROR
// (the mistake has been printed) or OPTION_END.
int options_next(Options *options, const char **value);

// Takes the whole command line. `take` gets each item that is the command's own (OPTION_ARGUMENT
// included) and returns false where it has printed a mistake; NULL: there is none. True: go on;
// false: `code` is the exit code.
bool options_take(Options *options,
                  bool (*take)(const Options *options, int item, const char *value), int *code);

// Takes the only word of a command: "one scenario at a time: 'x' is one too many".
bool take_only(const Options *options, const char *what, const char *word, const char **taken);

// A whole number of plain digits from `low` to `high` (at most 2^53).
bool read_whole(const char *text, uint64_t low, uint64_t high, uint64_t *value);

// Prints "ironbird COMMAND: text" to stderr and returns EXIT_BAD_INPUT.
int bad_usage(const Options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
