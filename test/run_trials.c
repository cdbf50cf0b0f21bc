// test/run_trials.c: odd input through every command that reads it, sanitized (test/trial.h):
//   build/asan/run_trials FOLDER PART JOBS TRIAL=FIRST:COUNT… [KIND=FILE…]
// Each TRIAL makes its cases FIRST to FIRST + COUNT - 1 (COUNT `all`: each once), the mutated ones
// of the FILEs; of JOBS processes each makes the share of its number, PART, from 0 on. Prints an
// "ok" or a "not ok" line for each subject, with the number of a case that was found, so that it
// can be made again.
#include "../cli/cli.h"
#include "trial.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SECONDS = 10, MOST_MEMORY = 1024, FINDINGS_SHOWN = 5 };

static const Trial *const trials[] = {&mutated_trial, &keys_trial, &odd_trial};
enum { TRIALS = sizeof trials / sizeof trials[0] };

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"run", cmd_run},         {"check", cmd_check},   {"list", cmd_list},   {"plot", cmd_plot},
    {"report", cmd_report},   {"replay", cmd_replay}, {"sweep", cmd_sweep}, {"bench", cmd_bench},
    {"convert", cmd_convert}, {"design", cmd_design}, {"plan", cmd_plan},   {"fit", cmd_fit},
};

// A finding of a sanitizer ends the child with a code that no command has. Leaks are looked for
// elsewhere (test/run_many.c): that takes longer than everything here. Memory that was given back
// is not kept for long, since it would count.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "exitcode=99:detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=64";
}
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "halt_on_error=1:exitcode=99:print_stacktrace=1";
}

// ------------------------------------------------------------------------------------------- child

static void stop(int number)
{
    (void)number;
    raise(SIGINT);
}

// Runs one command and ends. What it prints goes to FOLDER/said.
static void run_child(const char *folder, const char *const *words, int stop_after)
{
    static char room[TRIAL_WORDS][TRIAL_PATH];
    char *arguments[TRIAL_WORDS + 1] = {0}, said[TRIAL_PATH];
    int count = 0;
    for (; count < TRIAL_WORDS && words[count]; count++) {
        snprintf(room[count], sizeof room[count], "%s", words[count]);
        arguments[count] = room[count];
    }
    snprintf(said, sizeof said, "%s/said", folder);
    int out = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int in = open("/dev/null", O_RDONLY);
    if (out < 0 || in < 0) _exit(98);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    setrlimit(RLIMIT_CPU, &(struct rlimit){MOST_SECONDS, MOST_SECONDS + 1});
    if (stop_after) signal(SIGPROF, stop);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = stop_after}}, NULL);
    begin_output();
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, words[0]) == 0)
            _exit(finish_output(commands[i].run(count, arguments)));
    _exit(97);
}

// ------------------------------------------------------------------------------------------ parent

Tally *bench_tally(Bench *bench, const char *kind, const char *subject)
{
    for (int i = 0; i < bench->tally_count; i++) {
        Tally *tally = &bench->tallies[i];
        if (strcmp(tally->kind, kind) == 0 && strcmp(tally->subject, subject) == 0) return tally;
    }
    Tally *more = realloc(bench->tallies, (size_t)(bench->tally_count + 1) * sizeof *more);
    if (!more) abort();
    bench->tallies = more;
    Tally *tally = &more[bench->tally_count++];
    memset(tally, 0, sizeof *tally);
    snprintf(tally->kind, sizeof tally->kind, "%s", kind);
    snprintf(tally->subject, sizeof tally->subject, "%s", subject);
    return tally;
}

void bench_path(const Bench *bench, const char *name, char path[TRIAL_PATH])
{
    snprintf(path, TRIAL_PATH, "%s/mutated/%s", bench->folder, name);
}

void bench_tell(const Bench *bench, Tally *tally, uint64_t number, const char *const *words,
                const char *what, int value)
{
    if (++tally->findings > FINDINGS_SHOWN) return;
    printf("not ok %s %s, case %" PRIu64 ":", tally->kind, tally->subject, number);
    for (int i = 0; words[i]; i++) printf(" %s", words[i]);
    printf(": %s %d\n", what, value);
    char line[400], said[TRIAL_PATH];
    snprintf(said, sizeof said, "%s/said", bench->folder);
    FILE *file = fopen(said, "r");
    for (int i = 0; file && i < 12 && fgets(line, sizeof line, file); i++) printf("    %s", line);
    if (file) fclose(file);
    fflush(stdout);
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

int bench_call(Bench *bench, Tally *tally, uint64_t number, const char *const *words,
               int stop_after)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) run_child(bench->folder, words, stop_after);
    int status = 0;
    struct rusage use;
    if (child < 0 || wait4(child, &status, 0, &use) != child) {
        bench_tell(bench, tally, number, words, "cannot be started", 0);
        return -1;
    }
    double spent = seconds(use.ru_utime) + seconds(use.ru_stime);
    double memory = (double)use.ru_maxrss / 1024; // Linux counts KiB
    tally->calls++;
    if (memory > tally->greatest) tally->greatest = memory;
    if (spent > tally->slowest) {
        tally->slowest = spent;
        snprintf(tally->slowest_command, sizeof tally->slowest_command, "%s", words[0]);
    }
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    bool interrupted = stop_after && (code == EXIT_INTERRUPTED || spent > stop_after);
    bool promised = (code >= EXIT_DONE && code <= EXIT_FAILED) || interrupted;
    tally->stopped += interrupted;
    tally->refused += code == EXIT_BAD_INPUT;
    if (WIFSIGNALED(status) && !(interrupted && WTERMSIG(status) == SIGINT))
        bench_tell(bench, tally, number, words, "ended by signal", WTERMSIG(status));
    else if (WIFEXITED(status) && !promised)
        bench_tell(bench, tally, number, words, "exit code", code);
    else if (spent > MOST_SECONDS)
        bench_tell(bench, tally, number, words, "seconds of processor time:", (int)spent);
    else if (memory > MOST_MEMORY)
        bench_tell(bench, tally, number, words, "MiB of memory:", (int)memory);
    return code;
}

// The trial of "keys=0:500", NULL: it is a file's word.
static const Trial *find_trial(const char *word)
{
    size_t length = strcspn(word, "=");
    for (int i = 0; i < TRIALS; i++) {
        const char *name = trials[i]->name;
        if (strlen(name) == length && strncmp(word, name, length) == 0) return trials[i];
    }
    return NULL;
}

// Makes its cases; how many cannot be made.
static int run_trial(Bench *bench, const Trial *trial, const char *word, uint64_t part,
                     uint64_t jobs)
{
    int failed = 0;
    char *end;
    uint64_t first = strtoull(strchr(word, '=') + 1, &end, 10), count = trial->count(bench);
    printf("# %s: %" PRIu64 " cases until each was tried\n", trial->name, count);
    if (strcmp(end, ":all") != 0) count = strtoull(end + 1, NULL, 10);
    for (uint64_t number = first + part; number < first + count; number += jobs)
        if (!trial->run(bench, number)) {
            printf("not ok %s, case %" PRIu64 ": cannot be made\n", trial->name, number);
            failed++;
        }
    return failed;
}

static void print_tally(const Tally *t)
{
    printf("%s %s %s: %d cases, %d calls, %d refused, %d stopped, slowest %.1f s of %s, at most "
           "%.0f MiB\n",
           t->findings ? "not ok" : "ok", t->kind, t->subject, t->cases, t->calls, t->refused,
           t->stopped, t->slowest, t->slowest_command, t->greatest);
}

int main(int argc, char **argv)
{
    enum { FIRST_TRIAL = 4 };
    int at = FIRST_TRIAL, failed = 0;
    uint64_t part = argc > FIRST_TRIAL ? strtoull(argv[2], NULL, 10) : 0;
    uint64_t jobs = argc > FIRST_TRIAL ? strtoull(argv[3], NULL, 10) : 0;
    while (at < argc && find_trial(argv[at]) && // files come behind
           strchr(argv[at], ':'))
        at++;
    if (at == FIRST_TRIAL || part >= jobs) {
        fprintf(stderr, "usage: run_trials FOLDER PART JOBS TRIAL=FIRST:COUNT... [KIND=FILE...]\n");
        return 2;
    }
    Bench bench = {.folder = argv[1], .files = argv + at, .file_count = argc - at};
    for (int i = FIRST_TRIAL; i < at; i++)
        failed += run_trial(&bench, find_trial(argv[i]), argv[i], part, jobs);
    for (int i = 0; i < bench.tally_count; i++) {
        print_tally(&bench.tallies[i]);
        failed += bench.tallies[i].findings;
    }
    free(bench.tallies);
    return failed > 0;
}
