// Claims about src/study: a run with everything that watches it, what its recording says about it,
// and the recording made again.
#include "cmocka_all.h"

#include "report/series.h"
#include "report/session/session_report.h"
#include "scenario/given.h"
#include "study/recording.h"
#include "study/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A box of 2 kg that is pushed by 4 N: v = 2 t, x = t^2. The second expectation fails.
static const char text[] = "title: A pushed box\n"
                           "robot: {kind: box, mass: 2 kg, mu: 0}\n"
                           "disturbances: [{at: 0 s, for: 9 s, force: 4 N, direction: 0 deg}]\n"
                           "run: {duration: 1 s, step: 10 ms}\n"
                           "expect:\n"
                           "  - \"at 1 s: velocity.x = 2 m/s +- 1 mm/s\"\n"
                           "  - \"at 1 s: pose.x = 7 m +- 1 mm\"\n";

static char folder[] = "/tmp/ib_study_XXXXXX";
static char scenario_file[64], log_file[64], csv_file[64], report_file[64];

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(scenario_file, sizeof scenario_file, "%s/box.yaml", folder);
    snprintf(log_file, sizeof log_file, "%s/box.wpilog", folder);
    snprintf(csv_file, sizeof csv_file, "%s/box.csv", folder);
    snprintf(report_file, sizeof report_file, "%s/box.html", folder);
    FILE *file = fopen(scenario_file, "w");
    if (!file) return -1;
    fputs(text, file);
    return fclose(file);
}

static int teardown(void **state)
{
    (void)state;
    const char *const files[] = {scenario_file, log_file, csv_file, report_file};
    for (int i = 0; i < 4; i++) remove(files[i]);
    return rmdir(folder);
}

static ib_Scenario *load(const ib_ScenarioOptions *options)
{
    return given_with(scenario_file, NULL, options);
}

// How often a signal steps down to this value in the rows of a report.
static int count_falls(ib_SeriesSet set, const char *name, double to)
{
    const ib_LogSeries *series = ib_series_find(set, "", name);
    assert_non_null(series);
    int count = 0;
    for (int64_t i = 1; i < series->count; i++)
        count += series->values[i] == to && series->values[i - 1] > to;
    return count;
}

// Goal: the rows of a report show every pulse of what chatters, however short. Method: a brownout
// in which outputs come on for 1 ms every 21 ms while the throttle is full, from 0.2 s to 1.4 s:
// 1.2 s/21 ms = 57.1, so 58 of them, the first from 0 and 57 from 2 down to 1. A row every 10 ms
// alone sees 6 at most.
static void rows_of_a_report_show_every_pulse(void **state)
{
    (void)state;
    const char *file = IB_SOURCE_DIR "/scenarios/team_brownout.yaml";
    const ib_ScenarioOptions options = {0};
    ib_Scenario *scenario = given_with(file, NULL, &options);
    ib_SessionConfig config = ib_session_default();
    ib_Session session;
    ib_Error error;
    config.file = file, config.options = &options, config.reports = true;
    assert_int_equal(ib_session_init(&session, &config, scenario, &error), IB_OK);
    ib_session_run(&session);
    ib_session_finish(&session);
    const ib_SignalTable *signals = &scenario->model->signals;
    ib_Arena arena = {0};
    ib_SeriesSet even = ib_series_from_tapes(session.tape, NULL, signals, &arena);
    ib_SeriesSet all =
        ib_series_from_tapes(session.tape, &session.at_changes->rows, signals, &arena);
    assert_int_equal(count_falls(all, "brownout.stage", 1), 57);
    assert_true(count_falls(even, "brownout.stage", 1) <= 6);
    ib_arena_reset(&arena);
    ib_session_destroy(&session);
    ib_scenario_destroy(scenario);
}

// Goal: a session gives the rows asked for, the summary of all signals and the verdict on every
// expectation. Method: the box at 0.5 s and 1 s; x and v are exact for RK4 but for rounding: 1e-12.
static void a_session_gives_rows_summary_and_verdicts(void **state)
{
    (void)state;
    const ib_ScenarioOptions options = {0};
    const ib_Time times[] = {IB_SECOND / 2, IB_SECOND};
    ib_Scenario *scenario = load(&options);
    const ib_SignalTable *table = &scenario->model->signals;
    ib_SessionConfig config = ib_session_default();
    ib_Session session;
    ib_Error error;
    config.file = scenario_file, config.options = &options;
    config.times = times, config.time_count = 2;
    assert_int_equal(ib_session_init(&session, &config, scenario, &error), IB_OK);
    ib_session_run(&session);
    ib_session_finish(&session);
    assert_int_equal(session.status, IB_OK);
    int x = ib_signals_find(table, "pose.x"), v = ib_signals_find(table, "velocity.x");
    assert_int_equal(session.samples->count, 2);
    assert_close(ib_tape_row(session.samples, 0)[x], 0.25, 1e-12);
    assert_close(ib_tape_row(session.samples, 1)[v], 2, 1e-12);
    assert_close(session.summary->final[x], 1, 1e-12);
    assert_true(scenario->expectations[0].passed);
    assert_false(scenario->expectations[1].passed);
    assert_false(ib_session_passed(&session));
    assert_null(session.tape); // nobody asked for a report
    ib_session_destroy(&session);
    ib_scenario_destroy(scenario);
}

// A run of a scenario with the ranges of these rows; NULL: of all.
static void run_with(ib_Session *session, ib_Scenario *scenario, const bool *rows)
{
    static const ib_ScenarioOptions options = {0};
    ib_SessionConfig config = ib_session_default();
    ib_Error error;
    config.file = "x.yaml", config.options = &options, config.rows = rows;
    assert_int_equal(ib_session_init(session, &config, scenario, &error), IB_OK);
    ib_session_run(session);
    ib_session_finish(session);
}

// Goal: ranges of chosen rows, all last values, verdicts and the run are the same, to the bit,
// whether or not ranges of all signals are wanted, also where paths, forces of contacts and zones
// are found for nobody. Method: scenarios with these; every 29th row, and none; beside all rows.
static void ranges_of_some_rows_are_those_of_all(void **state)
{
    (void)state;
    static const char *const files[] = {"tank_box", "rover_ruckus_field", "roomba_path_schedule"};
    for (int n = 0; n < 6; n++) {
        char file[256];
        snprintf(file, sizeof file, "%s/scenarios/%s.yaml", IB_SOURCE_DIR, files[n / 2]);
        ib_Scenario *scenario = given_with(file, NULL, &(ib_ScenarioOptions){0});
        int count = scenario->model->signals.count;
        bool *rows = calloc((size_t)count, sizeof *rows);
        assert_non_null(rows);
        for (int i = 0; n % 2 && i < count; i += 29) rows[i] = true;
        ib_Session all, some;
        run_with(&all, scenario, NULL);
        double seen = scenario->expectations[0].seen_at;
        run_with(&some, scenario, rows);
        const ib_Summary *a = all.summary, *b = some.summary;
        assert_int_equal(ib_sim_hash(all.sim), ib_sim_hash(some.sim));
        assert_true(scenario->expectations[0].seen_at == seen);
        assert_memory_equal(a->final, b->final, (size_t)count * sizeof *a->final);
        assert_memory_equal(a->nan_time, b->nan_time, (size_t)count * sizeof *a->nan_time);
        for (int i = 0; i < count; i++) {
            if (!rows[i]) continue;
            assert_true(a->min[i] == b->min[i] && a->min_time[i] == b->min_time[i]);
            assert_true(a->max[i] == b->max[i] && a->max_time[i] == b->max_time[i]);
        }
        free(rows);
        ib_session_destroy(&all);
        ib_session_destroy(&some);
        ib_scenario_destroy(scenario);
    }
}

// Goal: what an override leaves as expected passes, and a result that could not be written makes
// the session fail, once. Method: no expectations; two errors, of which the first stays.
static void a_session_passes_until_it_fails(void **state)
{
    (void)state;
    const ib_Override none = {"expect", "[]"};
    const ib_ScenarioOptions options = {.overrides = &none, .override_count = 1};
    ib_Scenario *scenario = load(&options);
    ib_SessionConfig config = ib_session_default();
    ib_Session session;
    ib_Error error;
    config.file = scenario_file, config.options = &options;
    assert_int_equal(ib_session_init(&session, &config, scenario, &error), IB_OK);
    ib_session_run(&session);
    ib_session_finish(&session);
    assert_true(ib_session_passed(&session));
    ib_session_fail(&session, &(ib_Error){.text = "the disk is full"});
    ib_session_fail(&session, &(ib_Error){.text = "and it burns"});
    assert_int_equal(session.status, IB_FAILED);
    assert_string_equal(session.error.text, "the disk is full");
    assert_false(ib_session_passed(&session));
    ib_session_destroy(&session);
    ib_scenario_destroy(scenario);
}

// Goal: what a run did otherwise than its file may have meant is told, with its time, and ends.
// Method: inputs that come from a viewer that is not there.
static void warnings_are_told_one_by_one(void **state)
{
    (void)state;
    static const char driven[] = "robot: {kind: tank}\ninputs: {source: viewer}\n"
                                 "run: {duration: 10 ms, step: 1 ms}\n";
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    const ib_ScenarioOptions options = {0};
    ib_Scenario *scenario =
        ib_scenario_read_text("driven.yaml", driven, strlen(driven), &options, &diagnostics);
    assert_non_null(scenario);
    ib_SessionConfig config = ib_session_default();
    ib_Session session;
    ib_Error error;
    char warning[IB_WARNING_TEXT];
    ib_Time time = -1;
    config.file = "driven.yaml", config.options = &options;
    assert_int_equal(ib_session_init(&session, &config, scenario, &error), IB_OK);
    ib_session_run(&session);
    assert_true(ib_session_warning(&session, 0, &time, warning, sizeof warning));
    assert_non_null(strstr(warning, "'ironbird serve driven.yaml' drives"));
    assert_int_equal(time, 0);
    assert_false(ib_session_warning(&session, 1, &time, warning, sizeof warning));
    ib_session_destroy(&session);
    ib_scenario_destroy(scenario);
    ib_arena_reset(&arena);
}

// Runs the box with a change and records it.
static void record(const ib_ScenarioOptions *options)
{
    ib_Scenario *scenario = load(options);
    ib_SessionConfig config = ib_session_default();
    ib_Session session;
    ib_Error error;
    config.file = scenario_file, config.options = options;
    config.log = log_file, config.csv = csv_file;
    config.reports = true, config.diagram = IB_SECOND / 4;
    assert_int_equal(ib_session_init(&session, &config, scenario, &error), IB_OK);
    ib_session_run(&session);
    ib_session_finish(&session);
    assert_int_equal(session.status, IB_OK);
    assert_null(session.recorder);
    assert_int_equal(session.diagram->count, 1);
    assert_int_equal(ib_session_report_write(&session, report_file, &error), IB_OK);
    ib_session_destroy(&session);
    ib_scenario_destroy(scenario);
}

// Goal: a recording says how to make its run again: scenario, changes and the verdicts; the page
// of the report is there. Method: the box with another mass and seed, recorded; what a replay
// takes from it; a change of the command line stands behind, where it wins.
static void a_recording_says_how_to_make_it_again(void **state)
{
    (void)state;
    const ib_Override mass = {"robot.mass", "4 kg"};
    const ib_ScenarioOptions then = {
        .overrides = &mass, .override_count = 1, .has_seed = true, .seed = 7};
    struct stat page;
    record(&then);
    assert_int_equal(stat(report_file, &page), 0);
    assert_true(page.st_size > 1000);

    ib_Override overrides[8] = {{"robot.mass", "5 kg"}};
    ib_ScenarioOptions now = {.override_count = 1};
    ib_Replay replay = {0};
    ib_Error error;
    const char *found = NULL;
    assert_int_equal(ib_replay_open(&replay, log_file, &now, overrides, 8, &found, &error), IB_OK);
    assert_string_equal(found, scenario_file);
    assert_int_equal(now.override_count, 3);
    assert_string_equal(now.overrides[0].path, "robot.mass");
    assert_string_equal(now.overrides[0].yaml, "4 kg");
    assert_string_equal(now.overrides[1].path, "run.seed");
    assert_string_equal(now.overrides[1].yaml, "7");
    assert_string_equal(now.overrides[2].yaml, "5 kg");
    assert_false(replay.compares); // something was changed
    assert_string_equal(ib_recording_fact(replay.log, "title"), "A pushed box");
    assert_null(ib_recording_fact(replay.log, "colour"));
    ib_replay_destroy(&replay);
}

// Goal: what cannot be made again is refused with the reason. Method: the box's recording, which
// nobody drove; its CSV, which says no scenario; more changes than there is room for.
static void what_cannot_be_made_again_is_refused(void **state)
{
    (void)state;
    const ib_ScenarioOptions options = {0};
    ib_Override overrides[2] = {{"a", "1"}, {"b", "2"}};
    ib_ScenarioOptions now = {0};
    ib_Replay replay = {0};
    ib_Error error;
    const char *found = NULL;
    record(&options);
    assert_int_equal(ib_replay_open(&replay, log_file, &now, overrides, 2, &found, &error), IB_OK);
    assert_true(replay.compares);
    ib_Scenario *scenario = load(&now);
    ib_SessionConfig config = ib_session_default();
    ib_Session session;
    config.file = found, config.options = &now, config.replay = &replay;
    assert_int_equal(ib_session_init(&session, &config, scenario, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "it holds no live inputs"));
    ib_session_destroy(&session);
    ib_replay_destroy(&replay);
    ib_scenario_destroy(scenario);

    ib_Replay plain = {0};
    found = NULL;
    assert_int_equal(ib_replay_open(&plain, csv_file, &now, overrides, 2, &found, &error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "it does not say which scenario it comes from"));
    ib_replay_destroy(&plain);

    const ib_Override mass = {"robot.mass", "4 kg"};
    const ib_ScenarioOptions changed = {.overrides = &mass, .override_count = 1};
    ib_Replay full = {0};
    record(&changed);
    now.override_count = 2;
    assert_int_equal(ib_replay_open(&full, log_file, &now, overrides, 2, &found, &error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "its overrides are no list, or too many"));
    ib_replay_destroy(&full);
}

// Goal: an override is a path, a '=' and the rest, whatever is in it. Method: right and wrong ones.
static void an_override_is_split_at_its_first_sign(void **state)
{
    (void)state;
    char good[] = "expect=[\"at end: pose.x = 1 m\"]", bare[] = "robot.mass", empty[] = "=3";
    ib_Override override;
    assert_true(ib_override_split(good, &override));
    assert_string_equal(override.path, "expect");
    assert_string_equal(override.yaml, "[\"at end: pose.x = 1 m\"]");
    assert_false(ib_override_split(bare, &override));
    assert_false(ib_override_split(empty, &override));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_gives_rows_summary_and_verdicts),
        cmocka_unit_test(ranges_of_some_rows_are_those_of_all),
        cmocka_unit_test(rows_of_a_report_show_every_pulse),
        cmocka_unit_test(a_session_passes_until_it_fails),
        cmocka_unit_test(warnings_are_told_one_by_one),
        cmocka_unit_test(a_recording_says_how_to_make_it_again),
        cmocka_unit_test(what_cannot_be_made_again_is_refused),
        cmocka_unit_test(an_override_is_split_at_its_first_sign),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
