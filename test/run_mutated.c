// test/run_mutated.c: mutated files through every command that reads them, under sanitizers and
// with ten seconds of processor time each:
//   build/asan/run_mutated FOLDER FIRST COUNT KIND=FILE…
// File number i is FILE (i modulo their number) mutated with seed i, for i from FIRST on. It is
// written into FOLDER/mutated, beside whose links ../robots and so on are found. Prints an "ok" or
// a "not ok" line for each FILE, with the seed, so that a finding can be made again.
//
// A command is a child of this process: no program has to be started, and a crash is one child's.
// One that simulates may be asked for more than ten seconds of work by its file. It is stopped
// after five, as Ctrl-C does, and must have ended after ten.
#include "../cli/cli.h"
#include "mutate.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STOP_SECONDS = 5, MOST_SECONDS = 10, WORDS = 16, FINDINGS_SHOWN = 5 };

// ---------------------------------------------------------------------------------------- commands

// What a command reads: FILE is the mutated one, PLACE what lies beside it.
#define FILE_WORD "@"
#define PLACE     "%"

typedef struct Trial {
    const char *kind;
    int every; ///< one of so many files: pictures take a hundred times as long
    bool runs; ///< simulates, and can be stopped
    const char *words[WORDS];
} Trial;

static const Trial trials[] = {
    {"scenario", 1, false, {"check", "--allow-plugins", FILE_WORD}},
    {"scenario",
     1,
     true,
     {"run", FILE_WORD, "--allow-plugins", "--duration", "50 ms", "--all", "--csv", PLACE "a.csv"}},
    {"scenario",
     3,
     true,
     {"run", FILE_WORD, "--allow-plugins", "--json", "--log", PLACE "a.wpilog"}},
    {"scenario", 3, false, {"list", "signals", FILE_WORD}},
    {"scenario",
     5,
     true,
     {"sweep", FILE_WORD, "--jobs", "1", "--seeds", "0..1", "--duration", "20 ms", "--csv",
      PLACE "a.csv"}},
    {"scenario", 5, true, {"bench", FILE_WORD, "--repeat", "1", "--duration", "20 ms"}},
    {"scenario", 25, true, {"report", FILE_WORD, "--duration", "50 ms", "-o", PLACE "a.html"}},
    {"design", 1, false, {"check", FILE_WORD}},
    {"design", 1, false, {"design", FILE_WORD, "--json"}},
    {"design", 2, false, {"design", FILE_WORD, "--try", "duration=0.1 s"}},
    {"design", 5, false, {"design", FILE_WORD, "--quiet", "--export", PLACE "export", "--force"}},
    {"design", 25, false, {"design", FILE_WORD, "--quiet", "--report", PLACE "a.html"}},
    {"plan", 1, false, {"check", FILE_WORD}},
    {"plan", 1, false, {"plan", FILE_WORD, "--json", "--csv", PLACE "a.csv"}},
    {"plan", 5, false, {"plan", FILE_WORD, "--quiet", "--export-c", PLACE "export", "--force"}},
    {"plan", 25, false, {"plan", FILE_WORD, "--plot", PLACE "a.svg", "--scene", PLACE "b.svg"}},
    {"robot", 1, false, {"check", FILE_WORD}},
    {"robot", 1, true, {"run", PLACE "around_robot.yaml", "--all"}},
    {"json", 1, false, {"check", FILE_WORD}},
    {"json",
     1,
     true,
     {"run", PLACE "around_json.yaml", "--all", "--duration", "50 ms", "--set", "expect=[]"}},
    {"data", 1, false, {"check", FILE_WORD}},
    {"csv", 1, false, {"check", FILE_WORD}},
    {"csv", 1, false, {"convert", FILE_WORD, PLACE "a.wpilog"}},
    {"csv", 1, false, {"fit", "motor", FILE_WORD}},
    {"csv", 10, false, {"plot", FILE_WORD, "*", "-o", PLACE "a.svg"}},
    {"csv", 10, false, {"plot", FILE_WORD, "--histogram", "*e*", "-o", PLACE "a.svg"}},
    {"csv", 10, false, {"plot", FILE_WORD, "--box", "*e*", "-o", PLACE "a.svg"}},
    {"csv", 10, false, {"plot", FILE_WORD, "--xy", "*o*", "-o", PLACE "a.svg"}},
    {"csv",
     10,
     false,
     {"plot", FILE_WORD, "--spectrum", "*o*", "--log-x", "--log-y", "-o", PLACE "a.svg"}},
    {"csv", 10, false, {"plot", FILE_WORD, "--trajectory", "-o", PLACE "a.svg"}},
    {"wpilog", 1, false, {"check", FILE_WORD}},
    {"wpilog", 1, false, {"convert", FILE_WORD, PLACE "a.csv"}},
    {"wpilog", 1, false, {"fit", "motor", FILE_WORD, "--json"}},
    {"wpilog", 10, false, {"plot", FILE_WORD, "*", "-o", PLACE "a.svg"}},
    {"wpilog", 10, false, {"plot", FILE_WORD, "--trajectory", "-o", PLACE "a.svg"}},
    {"journal", 1, false, {"check", FILE_WORD}},
    {"journal", 1, false, {"convert", FILE_WORD, PLACE "a.csv"}},
    {"journal", 1, true, {"replay", FILE_WORD, PLACE "../scenarios/drive.yaml"}},
    {"journal",
     3,
     true,
     {"replay", FILE_WORD, PLACE "../scenarios/drive.yaml", "--duration", "50 ms", "--json"}},
};

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"run", cmd_run},         {"check", cmd_check},   {"list", cmd_list},   {"plot", cmd_plot},
    {"report", cmd_report},   {"replay", cmd_replay}, {"sweep", cmd_sweep}, {"bench", cmd_bench},
    {"convert", cmd_convert}, {"design", cmd_design}, {"plan", cmd_plan},   {"fit", cmd_fit},
};

// A finding of a sanitizer ends the child with a code that no command has. Leaks are looked for
// elsewhere (test/run_many.c): that takes longer than everything here.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "exitcode=99:detect_leaks=0:allocator_may_return_null=1:hard_rss_limit_mb=4000";
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
static void run_child(const char *folder, const char *file, const Trial *trial)
{
    static char words[WORDS][512];
    char *arguments[WORDS + 1] = {0};
    int count = 0;
    for (; count < WORDS && trial->words[count]; count++) {
        const char *word = trial->words[count];
        if (strcmp(word, FILE_WORD) == 0)
            snprintf(words[count], sizeof words[count], "%s", file);
        else if (word[0] == PLACE[0])
            snprintf(words[count], sizeof words[count], "%s/mutated/%s", folder, word + 1);
        else
            snprintf(words[count], sizeof words[count], "%s", word);
        arguments[count] = words[count];
    }
    char said[512];
    snprintf(said, sizeof said, "%s/said", folder);
    int out = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int in = open("/dev/null", O_RDONLY);
    if (out < 0 || in < 0) _exit(98);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    setrlimit(RLIMIT_CPU, &(struct rlimit){MOST_SECONDS, MOST_SECONDS + 1});
    if (trial->runs) {
        signal(SIGPROF, stop);
        setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = STOP_SECONDS}}, NULL);
    }
    begin_output();
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, arguments[0]) == 0)
            _exit(finish_output(commands[i].run(count, arguments)));
    _exit(97);
}

// ------------------------------------------------------------------------------------------ parent

// What came of all mutations of one file.
typedef struct Tally {
    const char *kind, *path;
    int files, calls, refused, stopped, findings;
    double slowest; ///< [s] of processor time
    uint64_t slowest_seed;
    const char *slowest_command;
} Tally;

static void tell_finding(Tally *tally, uint64_t seed, const char *folder, const Trial *trial,
                         const char *what, int number)
{
    if (++tally->findings > FINDINGS_SHOWN) return;
    printf("not ok %s %s, seed %" PRIu64 ":", tally->kind, tally->path, seed);
    for (int i = 0; i < WORDS && trial->words[i]; i++) printf(" %s", trial->words[i]);
    printf(": %s %d\n", what, number);
    char line[400], said[512];
    snprintf(said, sizeof said, "%s/said", folder);
    FILE *file = fopen(said, "r");
    for (int i = 0; file && i < 12 && fgets(line, sizeof line, file); i++) printf("    %s", line);
    if (file) fclose(file);
    fflush(stdout);
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static void try_command(Tally *tally, uint64_t seed, const char *folder, const char *file,
                        const Trial *trial)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) run_child(folder, file, trial);
    int status = 0;
    struct rusage use;
    if (child < 0 || wait4(child, &status, 0, &use) != child) {
        tell_finding(tally, seed, folder, trial, "cannot be started", 0);
        return;
    }
    double spent = seconds(use.ru_utime) + seconds(use.ru_stime);
    tally->calls++;
    if (spent > tally->slowest) {
        tally->slowest = spent;
        tally->slowest_seed = seed;
        tally->slowest_command = trial->words[0];
    }
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    bool interrupted = trial->runs && (code == EXIT_INTERRUPTED || spent > STOP_SECONDS);
    bool promised = (code >= EXIT_DONE && code <= EXIT_FAILED) || interrupted;
    tally->stopped += interrupted;
    tally->refused += code == EXIT_BAD_INPUT;
    if (WIFSIGNALED(status) && !(interrupted && WTERMSIG(status) == SIGINT))
        tell_finding(tally, seed, folder, trial, "ended by signal", WTERMSIG(status));
    else if (WIFEXITED(status) && !promised)
        tell_finding(tally, seed, folder, trial, "exit code", code);
    else if (spent > MOST_SECONDS)
        tell_finding(tally, seed, folder, trial, "seconds of processor time:", (int)spent);
}

// Writes the mutated file under the name that its kind needs.
static bool write_mutated(const Tally *tally, uint64_t seed, const char *folder, char *path,
                          size_t size)
{
    static char text[IB_MUTATED_MOST];
    FILE *from = fopen(tally->path, "rb");
    size_t length = from ? fread(text, 1, sizeof text, from) : 0;
    if (from) fclose(from);
    if (!from) return false;
    length = ib_mutate(seed, text, length);
    const char *ending = strrchr(tally->path, '.');
    snprintf(path, size, "%s/mutated/m%s", folder, ending ? ending : "");
    FILE *to = fopen(path, "wb");
    bool good = to && fwrite(text, 1, length, to) == length;
    return to && fclose(to) == 0 && good;
}

static bool try_file(Tally *tally, uint64_t seed, const char *folder)
{
    char path[512];
    if (!write_mutated(tally, seed, folder, path, sizeof path)) return false;
    int turn = tally->files++;
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        const Trial *trial = &trials[i];
        // Each begins at another file, so that no file has all of the rare ones.
        bool due = (turn + (int)i) % trial->every == 0;
        if (strcmp(trial->kind, tally->kind) == 0 && due)
            try_command(tally, seed, folder, path, trial);
    }
    return true;
}

int main(int argc, char **argv)
{
    enum { FIRST_FILE = 4 };
    int paths = argc - FIRST_FILE, failed = 0;
    Tally *tallies = paths > 0 ? calloc((size_t)paths, sizeof *tallies) : NULL;
    if (!tallies) {
        fprintf(stderr, "usage: run_mutated FOLDER FIRST COUNT KIND=FILE...\n");
        return 2;
    }
    for (int i = 0; i < paths; i++) {
        char *sign = strchr(argv[FIRST_FILE + i], '=');
        if (sign) *sign = '\0';
        tallies[i] = (Tally){.kind = argv[FIRST_FILE + i], .path = sign ? sign + 1 : ""};
    }
    uint64_t first = strtoull(argv[2], NULL, 10), count = strtoull(argv[3], NULL, 10);
    for (uint64_t seed = first; seed < first + count; seed++) {
        Tally *tally = &tallies[seed % (uint64_t)paths];
        if (!try_file(tally, seed, argv[1])) tally->findings++;
    }
    for (int i = 0; i < paths; i++) {
        const Tally *t = &tallies[i];
        printf("%s %s %s: %d files, %d calls, %d refused, %d stopped, slowest %.1f s%s%s\n",
               t->findings ? "not ok" : "ok", t->kind, t->path, t->files, t->calls, t->refused,
               t->stopped, t->slowest, t->slowest_command ? " of " : "",
               t->slowest_command ? t->slowest_command : "");
        failed += t->findings;
    }
    free(tallies);
    return failed > 0;
}
