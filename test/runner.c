// test/runner.c: the program that runs the tests of one folder.
//   build/release/test/plant                        all of them
//   build/release/test/plant battery 'motor_*'      those of these nouns, and those of these names
//   build/release/test/plant --list                 what there is: "battery/name_of_the_test"
#include "runner.h"
#include "cmocka_all.h"

#include <fnmatch.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef IB_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

static const ib_TestGroup *current; // the group whose tests are being taken
static bool list_only;
static char **patterns; // of nouns and tests; none: all
static int pattern_count;
static bool *pattern_fits; // it has met a noun or a test
static pid_t runner;

char ib_plain_mark;
#ifdef IB_SANITIZED
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif

// ------------------------------------------------------------------------------------- which tests

// A pattern means a noun, all nouns of a subfolder ("tank" of "tank/energy"), or a test.
static bool wanted(const char *noun, const char *test)
{
    bool any = pattern_count == 0;
    for (int i = 0; i < pattern_count; i++) {
        bool fits =
            fnmatch(patterns[i], noun, FNM_LEADING_DIR) == 0 || fnmatch(patterns[i], test, 0) == 0;
        pattern_fits[i] = pattern_fits[i] || fits;
        any = any || fits;
    }
    return any;
}

// Seconds of a core, those of children that have ended as well.
static double work_so_far(void)
{
    double work = 0;
    for (int i = 0; i < 2; i++) {
        struct rusage used;
        getrusage(i ? RUSAGE_CHILDREN : RUSAGE_SELF, &used);
        work += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    }
    return work;
}

int ib_runner_take(const struct CMUnitTest *tests, size_t count, CMFixtureFunction set_up,
                   CMFixtureFunction tear_down)
{
    struct CMUnitTest *chosen = calloc(count, sizeof *chosen);
    if (!chosen) return 1;
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (wanted(current->noun, tests[i].name) &&
            !(sanitized && tests[i].initial_state == &ib_plain_mark))
            chosen[n++] = tests[i];
    int failed = 0;
    if (list_only) {
        for (size_t i = 0; i < n; i++) printf("%s/%s\n", current->noun, chosen[i].name);
    } else if (n > 0) {
        printf("== %s\n", current->noun);
        // One by one where nothing holds them together, so that each says what it took.
        size_t each = set_up || tear_down ? n : 1;
        for (size_t i = 0; i < n; i += each) {
            double before = work_so_far();
            failed += _cmocka_run_group_tests(current->noun, chosen + i, each, set_up, tear_down);
            printf("== %s/%s took %.2f s of a core\n", current->noun,
                   each == 1 ? chosen[i].name : "*", work_so_far() - before);
        }
    }
    free(chosen);
    return failed;
}

// --------------------------------------------------------------------------- what ran when it died

// cmocka has named the test in its last line "[ RUN      ]". Children that a test has made may die
// as they are told to.
static void say_where(void)
{
    static const char before[] = "[   DIED   ] in ", after[] = ", the test named above\n";
    if (getpid() != runner || !current) return;
    if (write(STDOUT_FILENO, before, sizeof before - 1) < 0 ||
        write(STDOUT_FILENO, current->noun, strlen(current->noun)) < 0 ||
        write(STDOUT_FILENO, after, sizeof after - 1) < 0)
        return; // there is nobody left to tell
}

static void on_abort(int number)
{
    say_where();
    signal(number, SIG_DFL);
    raise(number);
}

static void watch_deaths(void)
{
    runner = getpid();
    setvbuf(stdout, NULL, _IOLBF, 0); // what was said before a death is not lost
    signal(SIGABRT, on_abort);
#ifdef IB_SANITIZED
    __sanitizer_set_death_callback(say_where);
#endif
}

// ----------------------------------------------------------------------------------------- the run

static int run_groups(void)
{
    int failed = 0;
    for (current = ib_test_groups; current->noun; current++) failed += current->run() != 0;
    current = NULL;
    return failed;
}

// SEED=N in the environment gives random tests other numbers (test/spread.h); an empty one is 0.
static bool say_seed(void)
{
    const char *text = getenv("SEED");
    if (!text || !text[0]) text = "0";
    bool whole = strspn(text, "0123456789") == strlen(text);
    if (!whole || strtoull(text, NULL, 10) > UINT32_MAX) {
        fprintf(stderr, "SEED=%s: expected a whole number, at most %u\n", text, UINT32_MAX);
        return false;
    }
    if (!list_only) printf("== random tests draw the numbers of SEED=%s\n", text);
    return true;
}

int main(int argc, char **argv)
{
    patterns = argv + 1;
    pattern_count = argc - 1;
    if (pattern_count > 0 && strcmp(patterns[0], "--list") == 0) {
        list_only = true;
        patterns++;
        pattern_count--;
    }
    if (!say_seed()) return 2;
    pattern_fits = calloc((size_t)argc, sizeof *pattern_fits);
    if (!pattern_fits) return 1;
    watch_deaths();
    bool good = run_groups() == 0;
    for (int i = 0; i < pattern_count; i++) {
        if (pattern_fits[i]) continue;
        fprintf(stderr, "there is no noun and no test '%s' here: see --list\n", patterns[i]);
        good = false;
    }
    free(pattern_fits);
    return good ? 0 : 1;
}
