// What a sweep has done is on disk: rows as bytes, the journal, and how a sweep goes on.
#include "base/stop.h"
#include "folder.h"
#include "study/sweep/sweep_journal.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

// Masses are drawn so that some runs are refused, and some fail what is expected of them.
static const char text[] = "robot: {kind: roomba, mass: {normal: [1.5 kg, 1 kg]}}\n"
                           "inputs: {left: 2.7 N, right: 2.7 N}\n"
                           "run: {duration: 0.1 s, step: 5 ms}\n"
                           "expect:\n  - \"at end: pose.x > 0.01 m\"\n";

enum { RUNS = 12 };

static FolderPath scenario, journal;

static int begin(void **state)
{
    if (make_folder(state)) return -1;
    scenario = in_folder("s.yaml");
    journal = in_folder("s.journal");
    write_file("s.yaml", text);
    return 0;
}

static ib_Sweep *create(int64_t seeds)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_SweepPlan plan = {.file = scenario.text, .has_seeds = true, .seed_count = seeds};
    ib_Sweep *sweep = ib_sweep_create(&plan, &diagnostics);
    assert_non_null(sweep);
    ib_arena_reset(&arena);
    return sweep;
}

// ------------------------------------------------------------------------------------------ sweeps

// The rows of a sweep as they were taken, one behind the other.
typedef struct Taken {
    ib_SweepShape shape;
    ib_Bytes rows;
    int64_t count;
    int64_t end;    ///< no more are wanted after so many; 0: all are
    int64_t ctrl_c; ///< the sweep is stopped after so many; 0: it is not
    volatile sig_atomic_t stop;
    int64_t held; ///< by the journal at the end
} Taken;

static bool take(void *self, int64_t index, const ib_SweepResult *result)
{
    Taken *taken = self;
    assert_int_equal(index, taken->count++);
    ib_sweep_row_put(taken->shape, result, &taken->rows);
    if (taken->count == taken->ctrl_c) ib_stop(&taken->stop, 1);
    return taken->count != taken->end;
}

// Runs the sweep with a journal, as `taken` says when it ends.
static ib_Status run_taken(const ib_Sweep *sweep, bool keep, int threads, Taken *taken,
                           ib_Error *error)
{
    ib_SweepJournal own;
    taken->shape = ib_sweep_shape(sweep);
    ib_Status status = ib_sweep_journal_open(&own, journal.text, sweep, keep, error);
    if (status != IB_OK) return status;
    ib_SweepRun how = {
        .threads = threads, .journal = &own, .take = take, .self = taken, .stop = &taken->stop};
    status = ib_sweep_run(sweep, &how, error);
    taken->held = own.held;
    ib_sweep_journal_close(&own, false);
    return status;
}

// The same, at most `end` runs (0: all).
static ib_Status run(const ib_Sweep *sweep, bool keep, int64_t end, int threads, Taken *taken,
                     ib_Error *error)
{
    *taken = (Taken){.end = end};
    return run_taken(sweep, keep, threads, taken, error);
}

static void assert_same(const Taken *a, const Taken *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->rows.count, b->rows.count);
    assert_memory_equal(a->rows.data, b->rows.data, a->rows.count);
}

typedef struct Contents {
    unsigned char *data;
    size_t size;
} Contents;

static Contents load(void)
{
    FILE *file = fopen(journal.text, "rb");
    assert_non_null(file);
    Contents all = {.data = malloc(1 << 20)};
    all.size = fread(all.data, 1, 1 << 20, file);
    assert_true(all.size < 1 << 20);
    fclose(file);
    return all;
}

static void store(const void *data, size_t size)
{
    FILE *file = fopen(journal.text, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

// -------------------------------------------------------------------------------------------- rows

// Goal: a row comes back to the bit. Method: a run with all there is, values that are not finite,
// and one with as little as possible.
static void rows_come_back_to_the_bit(void **state)
{
    (void)state;
    double values[] = {-0.0, (double)NAN, (double)INFINITY, 0x1.fffffffffffffp1023, 5e-324}, got[5];
    bool passed[] = {true, false, true}, was[3];
    const ib_SweepShape full = {5, 3}, none = {0, 0};
    ib_SweepResult one = {.status = IB_FAILED,
                          .error = "it broke",
                          .warnings = "first\nsecond\n",
                          .seed = UINT64_C(1) << 53,
                          .hash = UINT64_MAX,
                          .values = values,
                          .passed = passed},
                   two = {.status = IB_OK}, back = {.values = got, .passed = was};
    ib_Bytes bytes = {0};
    ib_sweep_row_put(full, &one, &bytes);
    assert_int_equal(bytes.count, ib_sweep_row_size(full) + 9 + 14);
    assert_int_equal(ib_sweep_row_get(full, bytes.data, bytes.count, &back), bytes.count);
    assert_memory_equal(values, got, sizeof values);
    assert_memory_equal(passed, was, sizeof passed);
    assert_string_equal(back.error, one.error);
    assert_string_equal(back.warnings, one.warnings);
    assert_true(back.seed == one.seed && back.hash == one.hash && back.status == one.status);
    // Any part of it is none.
    for (size_t size = 0; size < bytes.count; size++)
        assert_int_equal(ib_sweep_row_get(full, bytes.data, size, &back), 0);
    bytes.count = 0;
    ib_sweep_row_put(none, &two, &bytes);
    assert_int_equal(ib_sweep_row_get(none, bytes.data, bytes.count, &back), bytes.count);
    assert_true(back.status == IB_OK && !back.error && !back.warnings);
    ib_bytes_free(&bytes);
}

// Goal: bytes that no run makes are no row. Method: each field in turn, of a row that is good.
static void what_no_run_makes_is_no_row(void **state)
{
    (void)state;
    double values[1] = {1}, got[1];
    bool passed[1] = {true}, was[1];
    const ib_SweepShape shape = {1, 1};
    ib_SweepResult good = {.status = IB_FAILED, .error = "ab", .values = values, .passed = passed},
                   back = {.values = got, .passed = was};
    static const struct {
        size_t at;
        unsigned char byte;
        const char *what;
    } wrong[] = {
        {0, 4, "an error longer than the row"},   {3, 255, "an error of gigabytes"},
        {0, 2, "an error that does not end"},     {4, 1, "warnings that are not there"},
        {24, 1, "a status that there is not"},    {24, 4, "the status of a run that was stopped"},
        {24, 0, "a run that is done and failed"}, {25, 2, "neither passed nor not"},
        {34, 0, "an error that ends twice"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ib_Bytes bytes = {0};
        ib_sweep_row_put(shape, &good, &bytes);
        assert_int_equal(ib_sweep_row_get(shape, bytes.data, bytes.count, &back), bytes.count);
        bytes.data[wrong[i].at] = wrong[i].byte;
        if (ib_sweep_row_get(shape, bytes.data, bytes.count, &back) != 0)
            fail_msg("%s is taken for a row", wrong[i].what);
        ib_bytes_free(&bytes);
    }
}

// ---------------------------------------------------------------------------------------- resuming

// Goal: a sweep that goes on after a kill gives what an undisturbed one gives, rows and journal,
// wherever the kill was. Method: the journal cut at every one of its bytes, as a kill or a full
// disk may leave it; and the run with one thread or three.
static void a_torn_journal_goes_on(void **state)
{
    (void)state;
    ib_Sweep *sweep = create(RUNS);
    ib_Error error;
    Taken whole, again;
    unlink(journal.text);
    assert_int_equal(run(sweep, false, 0, 1, &whole, &error), IB_OK);
    Contents all = load();
    assert_true(all.size > RUNS * ib_sweep_row_size(whole.shape));
    for (size_t size = 0; size < all.size; size++) {
        store(all.data, size);
        assert_int_equal(run(sweep, true, 0, size % 2 ? 1 : 3, &again, &error), IB_OK);
        assert_same(&whole, &again);
        ib_bytes_free(&again.rows);
        Contents now = load();
        if (size % 2) { // blocks have a length by the number of threads
            assert_int_equal(now.size, all.size);
            assert_memory_equal(now.data, all.data, all.size);
        }
        free(now.data);
    }
    free(all.data);
    ib_bytes_free(&whole.rows);
    ib_sweep_destroy(sweep);
}

// Goal: a byte that has changed is never believed. Method: every byte of a journal in turn; in the
// head it is no journal any more, behind that what follows the change is made again.
static void a_changed_byte_is_never_believed(void **state)
{
    (void)state;
    enum { HEAD = 40 };
    ib_Sweep *sweep = create(4);
    ib_Error error;
    Taken whole, again;
    unlink(journal.text);
    assert_int_equal(run(sweep, false, 0, 1, &whole, &error), IB_OK);
    Contents all = load();
    for (size_t at = 0; at < all.size; at++) {
        all.data[at] ^= (unsigned char)(1u << at % 8);
        store(all.data, all.size);
        all.data[at] ^= (unsigned char)(1u << at % 8);
        ib_Status status = run(sweep, true, 0, 1, &again, &error);
        assert_int_equal(status, at < HEAD ? IB_BAD_INPUT : IB_OK);
        if (at < HEAD)
            assert_non_null(strstr(error.text, "is no journal of a sweep"));
        else
            assert_same(&whole, &again);
        ib_bytes_free(&again.rows);
    }
    free(all.data);
    ib_bytes_free(&whole.rows);
    ib_sweep_destroy(sweep);
}

// Goal: who stops a sweep loses nothing, and goes on as often as he likes. Method: one run at a
// time is wanted, until all were made.
static void a_stopped_sweep_goes_on(void **state)
{
    (void)state;
    ib_Sweep *sweep = create(RUNS);
    ib_Error error;
    Taken whole, part;
    unlink(journal.text);
    assert_int_equal(run(sweep, false, 0, 2, &whole, &error), IB_OK);
    unlink(journal.text);
    for (int64_t end = 1; end < RUNS; end++) {
        assert_int_equal(run(sweep, true, end, 2, &part, &error), IB_INTERRUPTED);
        assert_int_equal(part.count, end);
        assert_memory_equal(part.rows.data, whole.rows.data, part.rows.count);
        ib_bytes_free(&part.rows);
    }
    assert_int_equal(run(sweep, true, 0, 2, &part, &error), IB_OK);
    assert_same(&whole, &part);
    // All is there: nothing is run any more, and the rows come from the journal.
    ib_bytes_free(&part.rows);
    assert_int_equal(run(sweep, true, 0, 2, &part, &error), IB_OK);
    assert_same(&whole, &part);
    ib_bytes_free(&part.rows);
    ib_bytes_free(&whole.rows);
    ib_sweep_destroy(sweep);
}

// Goal: after Ctrl-C the journal has the rows that were taken and no others, and what was not made
// is made by who goes on. Method: stopped after each run in turn, on 1 to 3 threads, wherever the
// others are by then.
static void after_ctrl_c_it_goes_on(void **state)
{
    (void)state;
    ib_Sweep *sweep = create(RUNS);
    ib_Error error;
    Taken whole, part;
    unlink(journal.text);
    assert_int_equal(run(sweep, false, 0, 2, &whole, &error), IB_OK);
    for (int64_t at = 1; at <= RUNS; at++) {
        unlink(journal.text);
        part = (Taken){.ctrl_c = at};
        ib_Status status = run_taken(sweep, false, 1 + (int)at % 3, &part, &error);
        assert_int_equal(status, part.count < RUNS ? IB_INTERRUPTED : IB_OK);
        assert_in_range(part.count, at, RUNS);
        assert_int_equal(part.held, part.count);
        assert_memory_equal(part.rows.data, whole.rows.data, part.rows.count);
        ib_bytes_free(&part.rows);
        assert_int_equal(run(sweep, true, 0, 2, &part, &error), IB_OK);
        assert_same(&whole, &part);
        ib_bytes_free(&part.rows);
    }
    ib_bytes_free(&whole.rows);
    ib_sweep_destroy(sweep);
}

// Goal: who stops a sweep does not wait for a run that is under way, and that is as one never made:
// no row, not in the journal. Method: behind a short run two of some 1e10 steps, which take an
// hour; stopped when the first is taken, once made and once from the journal.
static void a_run_under_way_is_stopped(void **state)
{
    (void)state;
    static const char *const durations[] = {"10 ms", "9e6 s", "1e7 s"};
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_SweepPlan plan = {.file = scenario.text,
                         .axes = {{"run.duration", durations, 3}},
                         .axis_count = 1,
                         .has_seeds = true,
                         .first_seed = 1,
                         .seed_count = 1};
    static const ib_Override changes[] = {
        {"expect", "[]"}, {"robot.mass", "1.5 kg"}, {"run.step", "1 ms"}};
    plan.overrides = changes;
    plan.override_count = 3;
    ib_Sweep *sweep = ib_sweep_create(&plan, &diagnostics);
    assert_non_null(sweep);
    ib_Error error;
    unlink(journal.text);
    for (int again = 0; again < 2; again++) {
        Taken taken = {.ctrl_c = 1};
        assert_int_equal(run_taken(sweep, again > 0, 2, &taken, &error), IB_INTERRUPTED);
        assert_string_equal(error.text, "stopped after 1 of 3 runs");
        assert_int_equal(taken.count, 1);
        assert_int_equal(taken.held, 1);
        ib_bytes_free(&taken.rows);
    }
    // Stopped before it begins: nothing is taken, and what there is stays.
    Contents before = load();
    Taken taken = {.stop = 1};
    assert_int_equal(run_taken(sweep, true, 2, &taken, &error), IB_INTERRUPTED);
    assert_int_equal(taken.count, 0);
    Contents after = load();
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.data, after.data, after.size);
    free(before.data);
    free(after.data);
    ib_sweep_destroy(sweep);
    ib_arena_reset(&arena);
}

// ---------------------------------------------------------------------------------------- refusals

// What a sweep that shall go on is told, with the journal as it is.
static void assert_refused(const ib_Sweep *sweep, const char *words)
{
    ib_Error error;
    Taken taken;
    Contents before = load();
    assert_int_equal(run(sweep, true, 0, 1, &taken, &error), IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("expected '%s', got '%s'", words, error.text);
    assert_non_null(strstr(error.text, journal.text));
    assert_int_equal(taken.count, 0);
    Contents after = load();
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.data, after.data, after.size);
    free(before.data);
    free(after.data);
    ib_bytes_free(&taken.rows);
}

// Goal: nothing but the same sweep goes on, and what is refused stays as it is. Method: other
// seeds, another scenario, a file that is no journal.
static void only_the_same_sweep_goes_on(void **state)
{
    (void)state;
    ib_Sweep *sweep = create(RUNS), *longer = create(RUNS + 1);
    ib_Error error;
    Taken taken;
    int64_t held, runs;
    unlink(journal.text);
    assert_int_equal(run(sweep, false, 5, 1, &taken, &error), IB_INTERRUPTED);
    ib_bytes_free(&taken.rows);
    assert_int_equal(ib_sweep_journal_examine(journal.text, sweep, &held, &runs),
                     IB_SWEEP_JOURNAL_OURS);
    assert_in_range(held, 5, 5 + 4); // four blocks of a run each may be under way
    assert_int_equal(runs, RUNS);
    runs = 0;
    assert_int_equal(ib_sweep_journal_examine(journal.text, longer, &held, &runs),
                     IB_SWEEP_JOURNAL_OTHER);
    assert_in_range(held, 5, 5 + 4);
    assert_int_equal(runs, RUNS); // of the sweep that it is of
    assert_refused(longer, "is of another sweep");

    char changed[sizeof text];
    memcpy(changed, text, sizeof text);
    *strstr(changed, "2.7 N") = '1';
    write_file("s.yaml", changed);
    ib_Sweep *other = create(RUNS);
    assert_refused(other, "is of another sweep");
    write_file("s.yaml", text);

    write_file("s.journal", "a,b\n1,2\n");
    assert_int_equal(ib_sweep_journal_examine(journal.text, sweep, &held, &runs),
                     IB_SWEEP_JOURNAL_ALIEN);
    assert_refused(sweep, "is no journal of a sweep");
    assert_int_equal(run(sweep, false, 0, 1, &taken, &error), IB_BAD_INPUT);
    ib_sweep_destroy(other);
    ib_sweep_destroy(longer);
    ib_sweep_destroy(sweep);
}

// Goal: two sweeps do not write one journal, and who looks at it sees that it is being written.
// Method: the second while the first has it.
static void a_journal_has_one_writer(void **state)
{
    (void)state;
    ib_Sweep *sweep = create(RUNS);
    ib_SweepJournal one, two;
    ib_Error error;
    int64_t held, runs;
    unlink(journal.text);
    assert_int_equal(ib_sweep_journal_open(&one, journal.text, sweep, false, &error), IB_OK);
    assert_int_equal(ib_sweep_journal_open(&two, journal.text, sweep, true, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "somebody is writing it already"));
    assert_int_equal(ib_sweep_journal_examine(journal.text, sweep, &held, &runs),
                     IB_SWEEP_JOURNAL_BUSY);
    assert_int_equal(held, 0);
    ib_sweep_journal_close(&one, true);
    assert_int_not_equal(access(journal.text, F_OK), 0);
    ib_sweep_destroy(sweep);
}

// Goal: results of another program are not mixed with ours, and rows that are none are refused,
// both in words. Method: a first row with another hash, and bytes that are no row, in blocks whose
// checksums are right.
static void rows_of_others_are_refused(void **state)
{
    (void)state;
    ib_Sweep *sweep = create(RUNS);
    ib_SweepJournal own;
    ib_Error error;
    Taken whole;
    unlink(journal.text);
    assert_int_equal(run(sweep, false, 1, 1, &whole, &error), IB_INTERRUPTED);
    for (int i = 0; i < 2; i++) {
        ib_Bytes rows = {0};
        ib_bytes_put(&rows, whole.rows.data, whole.rows.count);
        if (i == 0) rows.data[16] ^= 1; // of its hash
        if (i == 1) ib_bytes_put_text(&rows, "no row");
        assert_int_equal(ib_sweep_journal_open(&own, journal.text, sweep, false, &error), IB_OK);
        assert_int_equal(ib_sweep_journal_append(&own, &rows, 1, &error), IB_OK);
        ib_sweep_journal_close(&own, false);
        ib_bytes_free(&rows);
        if (i == 0) assert_refused(sweep, "by another program");
    }
    ib_bytes_free(&whole.rows);
    assert_int_equal(run(sweep, true, 0, 1, &whole, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "is damaged behind run 1"));
    ib_bytes_free(&whole.rows);
    ib_sweep_destroy(sweep);
}

// Goal: a place that cannot hold a journal is refused in words. Method: a folder, a pipe, and a
// folder that is not there.
static void odd_places_are_refused(void **state)
{
    (void)state;
    ib_Sweep *sweep = create(RUNS);
    ib_SweepJournal own;
    ib_Error error;
    FolderPath pipe = in_folder("pipe"), nowhere = in_folder("no/where");
    assert_int_equal(mkfifo(pipe.text, 0600), 0);
    const char *const places[] = {folder, pipe.text, nowhere.text};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ib_sweep_journal_open(&own, places[i], sweep, true, &error), IB_BAD_INPUT);
        assert_non_null(strstr(error.text, places[i]));
    }
    assert_non_null(strstr(error.text, "No such file"));
    ib_sweep_destroy(sweep);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back_to_the_bit),
        cmocka_unit_test(what_no_run_makes_is_no_row),
        cmocka_unit_test(a_torn_journal_goes_on),
        cmocka_unit_test(a_changed_byte_is_never_believed),
        cmocka_unit_test(a_stopped_sweep_goes_on),
        cmocka_unit_test(after_ctrl_c_it_goes_on),
        cmocka_unit_test(a_run_under_way_is_stopped),
        cmocka_unit_test(only_the_same_sweep_goes_on),
        cmocka_unit_test(a_journal_has_one_writer),
        cmocka_unit_test(rows_of_others_are_refused),
        cmocka_unit_test(odd_places_are_refused),
    };
    return cmocka_run_group_tests(tests, begin, remove_folder);
}
