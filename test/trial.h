// test/trial.h: commands on input that nobody meant, each with ten seconds of processor time and a
// gibibyte of memory: mutated files, keys at the ends of their ranges, odd models of robots.
#ifndef IB_TEST_TRIAL_H
#define IB_TEST_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

enum { TRIAL_WORDS = 24, TRIAL_PATH = 512 };

// What came of all cases on one subject: a file, a robot.
typedef struct Tally {
    char kind[16], subject[TRIAL_PATH];
    int cases, calls, refused, stopped, findings;
    double slowest;  ///< [s] of processor time
    double greatest; ///< [MiB] of memory
    char slowest_command[16];
} Tally;

typedef struct Bench {
    const char *folder; ///< files of the trials stand in FOLDER/mutated, beside ../robots …
    char *const *files; ///< KIND=FILE, to be mutated
    int file_count;
    Tally *tallies;
    int tally_count;
} Bench;

// One way to make odd input. Its cases have numbers, and any range of them is a fair sample.
typedef struct Trial {
    const char *name;
    uint64_t (*count)(const Bench *bench); ///< cases until each was tried once; more may follow
    bool (*run)(Bench *bench, uint64_t number); ///< false: the case cannot be made
} Trial;

extern const Trial mutated_trial, keys_trial, odd_trial;

// The tally of this subject, which is made where there is none.
Tally *bench_tally(Bench *bench, const char *kind, const char *subject);

// The path of a file beside which ../robots, ../plans and so on are found.
void bench_path(const Bench *bench, const char *name, char path[TRIAL_PATH]);

// Calls a command, words[0], in a child of this process: no program has to be started, and a crash
// is one child's. It must end with an exit code that was promised. One that simulates may be asked
// for more than ten seconds of work: it is stopped after so many [s] of processor time, as Ctrl-C
// does; 0: it is not. `number` is told with a finding, so that it can be made again.
// Returns the exit code, -1: there is none.
int bench_call(Bench *bench, Tally *tally, uint64_t number, const char *const *words,
               int stop_after);

// Tells a finding, with what the last command said.
void bench_tell(const Bench *bench, Tally *tally, uint64_t number, const char *const *words,
                const char *what, int value);

#endif
