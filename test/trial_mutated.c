// test/trial_mutated.c: mutated files through every command that reads them. File number i is FILE
// (i modulo their number) mutated with seed i, as FOLDER/mutated/m with FILE's ending.
#include "mutate.h"
#include "trial.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------- commands

// What a command reads: FILE is the mutated one, PLACE what lies beside it.
enum { STOP_SECONDS = 5 }; ///< of work that a file may ask for

#define FILE_WORD "@"
#define PLACE     "%"

typedef struct Call {
    const char *kind;
    int every; ///< one of so many files: pictures take a hundred times as long
    bool runs; ///< simulates, and can be stopped
    const char *words[TRIAL_WORDS];
} Call;

static const Call calls[] = {
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

// ------------------------------------------------------------------------------------------- trial

static uint64_t count(const Bench *bench)
{
    return (uint64_t)bench->file_count;
}

// Writes the mutated file under the name that its kind needs.
static bool write_mutated(const Bench *bench, const char *file, uint64_t seed,
                          char path[TRIAL_PATH])
{
    static char text[IB_MUTATED_MOST];
    FILE *from = fopen(file, "rb");
    size_t length = from ? fread(text, 1, sizeof text, from) : 0;
    if (from) fclose(from);
    if (!from) return false;
    length = ib_mutate(seed, text, length);
    char name[32];
    const char *ending = strrchr(file, '.');
    snprintf(name, sizeof name, "m%s", ending ? ending : "");
    bench_path(bench, name, path);
    FILE *to = fopen(path, "wb");
    bool good = to && fwrite(text, 1, length, to) == length;
    return to && fclose(to) == 0 && good;
}

static void make_call(Bench *bench, Tally *tally, uint64_t seed, const char *file, const Call *call)
{
    static char room[TRIAL_WORDS][TRIAL_PATH];
    const char *words[TRIAL_WORDS + 1] = {0};
    for (int i = 0; i < TRIAL_WORDS && call->words[i]; i++) {
        const char *word = words[i] = call->words[i];
        if (strcmp(word, FILE_WORD) == 0) words[i] = file;
        if (word[0] != PLACE[0]) continue;
        bench_path(bench, word + 1, room[i]);
        words[i] = room[i];
    }
    bench_call(bench, tally, seed, words, call->runs ? STOP_SECONDS : 0);
}

static bool run(Bench *bench, uint64_t seed)
{
    char path[TRIAL_PATH], kind[16];
    if (bench->file_count == 0) return false;
    const char *word = bench->files[seed % (uint64_t)bench->file_count], *sign = strchr(word, '=');
    if (!sign || !write_mutated(bench, sign + 1, seed, path)) return false;
    snprintf(kind, sizeof kind, "%.*s", (int)(sign - word), word);
    Tally *tally = bench_tally(bench, kind, sign + 1);
    int turn = tally->cases++;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        // Each begins at another file, so that no file has all of the rare ones.
        bool due = (turn + (int)i) % calls[i].every == 0;
        if (strcmp(calls[i].kind, kind) == 0 && due) make_call(bench, tally, seed, path, &calls[i]);
    }
    return true;
}

const Trial mutated_trial = {.name = "mutated", .count = count, .run = run};
