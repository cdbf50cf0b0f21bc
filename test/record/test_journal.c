// Tests of recorded live inputs: lines there and back, lines that are refused, and a run that is
// made again from its recording.
#include "cmocka_all.h"
#include "record/journal.h"
#include "record/recorder.h"
#include "scenario/given.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char tanks[] = "robots:\n"
                            "  red: {kind: tank, inputs: {source: viewer}}\n"
                            "  blue: {kind: tank, start: {x: 2 m}, inputs: {source: viewer}}\n"
                            "field: {walls: {length: 8 m, width: 4 m}, origin: [2 m, 2 m]}\n"
                            "run: {duration: 3 s, step: 1 ms, solver: SOLVER}\n";

static ib_Arena arena;
static ib_Error error;
static ib_Scenario *scenario;
static const ib_LiveParam *params;
static int param_count;

static void read_scenario(const char *solver)
{
    char text[600];
    const char *place = strstr(tanks, "SOLVER");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(place - tanks), tanks, solver, place + 6);
    scenario = given(text);
    params = ib_live_params(scenario->model, &arena, &param_count);
    assert_non_null(params);
}

static int teardown(void **state)
{
    (void)state;
    ib_scenario_destroy(scenario);
    scenario = NULL;
    ib_arena_reset(&arena);
    return 0;
}

static int input_of(const char *name, int robot)
{
    const ib_RobotModel *own = &scenario->model->robots[robot];
    for (int i = 0; i < own->ports.input_count; i++)
        if (strcmp(own->ports.inputs[i].name, name) == 0) return own->input + i;
    fail();
    return -1;
}

static int param_of(const char *path)
{
    for (int i = 0; i < param_count; i++)
        if (strcmp(params[i].path, path) == 0) return i;
    fail();
    return -1;
}

// A log that holds these lines only.
static ib_Log make_log(const char *const *lines, int count)
{
    static const char *sources[] = {"messages", IB_JOURNAL_SOURCE};
    ib_LogEvent *events = ib_arena_array(&arena, (size_t)count, sizeof *events);
    for (int i = 0; i < count; i++) events[i] = (ib_LogEvent){.source = 1, .text = lines[i]};
    return (ib_Log){.sources = sources, .source_count = 2, .events = events, .event_count = count};
}

// Goal: every event comes back from its line, to the last bit. Method: all types, with values that
// need 17 digits.
static void events_come_back_from_their_lines(void **state)
{
    (void)state;
    read_scenario("rk4");
    ib_JournalEvent events[] = {
        {.type = IB_JOURNAL_INPUT, .time = 0, .index = input_of("left", 0), .value = 0.1 + 0.2},
        {.type = IB_JOURNAL_INPUT, .time = 1, .index = input_of("right", 1), .value = -1e-300},
        {.type = IB_JOURNAL_NEUTRAL, .time = 7, .index = input_of("left", 0)},
        {.type = IB_JOURNAL_SET,
         .time = 7,
         .index = param_of("robots.blue.mass"),
         .value = 1.0 / 3},
        {.type = IB_JOURNAL_STATE,
         .time = 123456789012345,
         .index = -1,
         .hash = 0xfedcba9876543210},
        {.type = IB_JOURNAL_STATE, .time = 123456789012345, .index = -1, .hash = 0},
        {.type = IB_JOURNAL_FAILED, .time = 123456789012346, .index = -1},
    };
    enum { COUNT = sizeof events / sizeof events[0] };
    static char texts[COUNT][IB_JOURNAL_LINE];
    const char *lines[COUNT];
    for (int i = 0; i < COUNT; i++) {
        ib_journal_format(scenario->model, params, &events[i], texts[i]);
        lines[i] = texts[i];
    }
    assert_string_equal(lines[0], "0 input red.left 0.30000000000000004");
    assert_string_equal(lines[5], "123456789012345 state 0000000000000000");
    assert_string_equal(lines[6], "123456789012346 failed");
    ib_Log log = make_log(lines, COUNT);
    ib_Journal journal;
    assert_int_equal(
        ib_journal_read(&log, scenario->model, params, param_count, &arena, &journal, &error),
        IB_OK);
    assert_int_equal(journal.count, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(journal.events[i].type, events[i].type);
        assert_true(journal.events[i].time == events[i].time);
        assert_int_equal(journal.events[i].index, events[i].index);
        assert_true(journal.events[i].value == events[i].value);
        assert_true(journal.events[i].hash == events[i].hash);
    }
}

// Goal: a line that says nothing sensible is refused and quoted. Method: one mistake each.
static void wrong_lines_are_refused(void **state)
{
    (void)state;
    read_scenario("rk4");
    static const char *const wrong[] = {
        "",
        "0",
        "0 input",
        "0 input red.left",
        "0 input red.left 1 2",
        "-1 input red.left 1",
        "1.5 input red.left 1",
        "99999999999999999999 input red.left 1",
        "0 input left 1",
        "0 input red.gravity 1",
        "0 input red.left nan",
        "0 input red.left inf",
        "0 input red.left 1V",
        "0 set robots.red.length 1",
        "0 set robots.red.mass",
        "0 set robots.red.mass heavy",
        "0 state 12",
        "0 state 0123456789abcdeg",
        "0 state 0123456789abcdef 1",
        "0 jump red.left 1",
        "0 failed badly",
        "0 end",
        "0  input red.left 1",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ib_Log log = make_log(&wrong[i], 1);
        ib_Journal journal;
        assert_int_equal(
            ib_journal_read(&log, scenario->model, params, param_count, &arena, &journal, &error),
            IB_BAD_INPUT);
        assert_non_null(strstr(error.text, "recorded input 1"));
    }
    static const char *const back[] = {"5 input red.left 1", "4 input red.left 2"};
    static const char *const after[] = {"5 end 0000000000000001", "5 input red.left 2"};
    ib_Log log = make_log(back, 2);
    ib_Journal journal;
    assert_int_equal(
        ib_journal_read(&log, scenario->model, params, param_count, &arena, &journal, &error),
        IB_BAD_INPUT);
    log = make_log(after, 2);
    assert_int_equal(
        ib_journal_read(&log, scenario->model, params, param_count, &arena, &journal, &error),
        IB_BAD_INPUT);
}

// ---------------------------------------------------------------------------------- there and back

typedef struct Drive {
    ib_Sim *sim;
    ib_Recorder *recorder;
    ib_LiveInput live;
    ib_Variant *variant;
} Drive;

static void note(Drive *journal, ib_JournalEvent event)
{
    char line[IB_JOURNAL_LINE];
    event.time = ib_sim_time(journal->sim);
    ib_journal_format(ib_sim_model(journal->sim), params, &event, line);
    ib_recorder_input(journal->recorder, event.time, line);
}

static void set_input(Drive *journal, int input, double value)
{
    journal->live.values[input] = value;
    journal->live.given[input] = true;
    note(journal, (ib_JournalEvent){.type = IB_JOURNAL_INPUT, .index = input, .value = value});
}

static void set_parameter(Drive *journal, int param, double value)
{
    ib_Variant *next;
    assert_int_equal(ib_variant_create(ib_sim_model(journal->sim),
                                       &(ib_Setting){&params[param], value}, 1, &next, &error),
                     IB_OK);
    note(journal, (ib_JournalEvent){.type = IB_JOURNAL_SET, .index = param, .value = value});
    ib_sim_change(journal->sim, next->model);
    ib_variant_destroy(journal->variant);
    journal->variant = next;
}

// A drive as a person might make it: inputs at odd steps, a push of the other robot, a heavier
// robot in the middle. Returns the state hash at its end, at 2.5 s of 3 s (sanitized: at 1.2 s).
static uint64_t drive_live(const char *path)
{
    Drive journal = {0};
    ib_RecorderConfig config = {.signals = &scenario->model->signals,
                                .every = IB_SECOND / 100,
                                .paths = &path,
                                .path_count = 1,
                                .inputs = true};
    assert_int_equal(ib_sim_create(scenario->model, &journal.sim, &error), IB_OK);
    assert_int_equal(ib_recorder_create(&config, &journal.recorder, &error), IB_OK);
    assert_int_equal(ib_live_input_init(scenario->model, &arena, &journal.live, &error), IB_OK);
    ib_sim_connect(journal.sim, ib_live_input_source(&journal.live));
    uint32_t random = 1;
    int done = 0;
    int left = input_of("left", 0), right = input_of("right", 0), other = input_of("left", 1);
    for (int step = 0; ib_sim_time(journal.sim) < IB_SECOND / 10 * IB_ROUNDS(25, 12); step++) {
        random = random * 1664525 + 1013904223;
        if (random >> 24 < 5) set_input(&journal, left, 12.0 * (random >> 8 & 0xffff) / 65535);
        if ((random >> 16 & 0xff) < 5) set_input(&journal, right, 9.7);
        double time = ib_time_to_seconds(ib_sim_time(journal.sim));
        if (done == 0 && time > 0.3) set_input(&journal, other, -3.3), done++;
        if (done == 1 && time > 0.7)
            set_parameter(&journal, param_of("robots.red.mass"), 81.7), done++;
        if (done == 2 && time > 0.9) {
            journal.live.given[other] = false;
            note(&journal, (ib_JournalEvent){.type = IB_JOURNAL_NEUTRAL, .index = other});
            done++;
        }
        if (step % 20 == 19)
            note(&journal,
                 (ib_JournalEvent){.type = IB_JOURNAL_STATE, .hash = ib_sim_hash(journal.sim)});
        assert_int_equal(ib_sim_step(journal.sim, &error), IB_OK);
    }
    assert_int_equal(done, 3);
    uint64_t hash = ib_sim_hash(journal.sim);
    note(&journal, (ib_JournalEvent){.type = IB_JOURNAL_END, .hash = hash});
    assert_int_equal(ib_recorder_close(journal.recorder, NULL, &error), IB_OK);
    ib_sim_destroy(journal.sim);
    ib_variant_destroy(journal.variant);
    return hash;
}

// What a replay hands on: how many events of the journal it has repeated, each as it was recorded.
typedef struct Echo {
    const ib_Journal *journal;
    int64_t count, same;
} Echo;

static void take_echo(void *self, const ib_JournalEvent *event)
{
    Echo *echo = self;
    const ib_JournalEvent *own = &echo->journal->events[echo->count++];
    echo->same += own->type == event->type && own->time == event->time &&
                  own->index == event->index && own->value == event->value &&
                  own->hash == event->hash;
}

static void replay(const char *path, ib_JournalPlayer *player, uint64_t *hash)
{
    ib_Log *log;
    ib_Journal journal;
    ib_Sim *sim;
    ib_RunResult result;
    assert_int_equal(ib_log_read(path, &log, &error), IB_OK);
    assert_int_equal(
        ib_journal_read(log, scenario->model, params, param_count, &arena, &journal, &error),
        IB_OK);
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    assert_int_equal(ib_journal_player_init(player, &journal, params, sim, &arena, &error), IB_OK);
    Echo echo = {.journal = &journal};
    player->echo = take_echo;
    player->echo_self = &echo;
    ib_RunOptions options = {.between = ib_journal_between, .player = player};
    assert_int_equal(ib_run(sim, &options, &result, &error), IB_OK);
    ib_journal_player_finish(player);
    assert_int_equal(echo.count, journal.count - 1); // all but the end
    if (player->wrong == 0) assert_int_equal(echo.same, echo.count);
    *hash = ib_sim_hash(sim);
    ib_sim_destroy(sim);
    ib_journal_player_destroy(player);
    ib_log_destroy(log);
}

// Goal: a recorded run with a live parameter in it, made again, ends in the same state, bit for
// bit, every recorded state on the way agrees, and its own journal is that of the first. Method: by
// fixed and by adaptive steps; the second run reads the first one's file.
static void a_recorded_run_is_made_again(void **state)
{
    (void)state;
    static const char *const solvers[] = {"rk4", "dopri5", "rosenbrock"};
    for (int i = 0; i < 3; i++) {
        char path[] = "/tmp/ib_drive_XXXXXX.wpilog";
        int file = mkstemps(path, 7);
        assert_true(file >= 0);
        close(file);
        ib_JournalPlayer player;
        uint64_t again;
        read_scenario(solvers[i]);
        uint64_t first = drive_live(path);
        replay(path, &player, &again);
        assert_true(again == first);
        assert_true(player.checked >= 3);
        assert_int_equal(player.wrong, 0);
        assert_true(player.ended);
        unlink(path);
        teardown(NULL);
    }
}

// Goal: a replay that is not the same says so, and since when. Method: another scenario, whose red
// robot is heavier, with the recording of the first.
static void a_replay_that_deviates_is_noticed(void **state)
{
    (void)state;
    char path[] = "/tmp/ib_drive_XXXXXX.wpilog";
    int file = mkstemps(path, 7);
    assert_true(file >= 0);
    close(file);
    ib_JournalPlayer player;
    uint64_t again;
    read_scenario("rk4");
    drive_live(path);
    teardown(NULL);
    read_scenario("euler");
    replay(path, &player, &again);
    assert_true(player.wrong > 0);
    assert_true(player.bad > 0);
    assert_true(player.good < player.bad);
    unlink(path);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(events_come_back_from_their_lines, teardown),
        cmocka_unit_test_teardown(wrong_lines_are_refused, teardown),
        cmocka_unit_test(a_recorded_run_is_made_again),
        cmocka_unit_test_teardown(a_replay_that_deviates_is_noticed, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
