// Claims about src/study/replay.c: a live run is made again from a recording that was converted.
#include "cmocka_all.h"

#include "record/recorder.h"
#include "scenario/given.h"
#include "study/recording.h"
#include "study/recording_filter.h"
#include "study/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char rig[] =
    "robot: {kind: cylinder_rig, preset: thesis-50psig}\ninputs: {source: viewer}\n"
    "run: {duration: 1 s, step: 1 ms}\n";

static ib_Arena arena;
static ib_Error error;
static char folder[] = "/tmp/ib_replay_XXXXXX";
static char file[64], live[64], made[64], table[64];

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(file, sizeof file, "%s/rig.yaml", folder);
    snprintf(live, sizeof live, "%s/live.wpilog", folder);
    snprintf(made, sizeof made, "%s/made.wpilog", folder);
    snprintf(table, sizeof table, "%s/made.csv", folder);
    FILE *out = fopen(file, "w");
    return out && fputs(rig, out) >= 0 && fclose(out) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    const char *const files[] = {file, live, made, table};
    for (int i = 0; i < 4; i++) unlink(files[i]);
    ib_arena_reset(&arena);
    return rmdir(folder);
}

static ib_Scenario *read_rig(const ib_ScenarioOptions *options, const char *path)
{
    return given_with(path, NULL, options);
}

static void note(ib_Sim *sim, ib_Recorder *recorder, ib_JournalEvent event)
{
    char line[IB_JOURNAL_LINE];
    event.time = ib_sim_time(sim);
    ib_journal_format(ib_sim_model(sim), NULL, &event, line);
    ib_recorder_input(recorder, event.time, line);
}

static int find_valve(const ib_Model *model)
{
    const ib_RobotPorts *ports = &model->robots[0].ports;
    for (int i = 0; i < ports->input_count; i++)
        if (strcmp(ports->inputs[i].name, "valve") == 0) return model->robots[0].input + i;
    fail();
    return -1;
}

// A hand on the valve: another voltage every 100 steps. Returns the hash of the state at the end,
// and how many states were noted.
static uint64_t record_live(int *states)
{
    *states = 0;
    const ib_ScenarioOptions options = {0};
    ib_Scenario *scenario = read_rig(&options, file);
    const char *path = live;
    ib_LogFact facts[IB_RECORDING_FACTS];
    ib_RecorderConfig config = {.signals = &scenario->model->signals,
                                .every = IB_SECOND / 200,
                                .paths = &path,
                                .path_count = 1,
                                .facts = facts,
                                .inputs = true};
    config.fact_count = ib_recording_facts(scenario, &options, &arena, facts);
    assert_true(config.fact_count > 0);
    ib_Sim *sim;
    ib_Recorder *recorder;
    ib_LiveInput hand;
    int valve = find_valve(scenario->model);
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    assert_int_equal(ib_recorder_create(&config, &recorder, &error), IB_OK);
    assert_int_equal(ib_live_input_init(scenario->model, &arena, &hand, &error), IB_OK);
    ib_sim_connect(sim, ib_live_input_source(&hand));
    assert_int_equal(ib_sim_probe(sim, ib_recorder_probe(recorder), &error), IB_OK);
    for (int step = 0; ib_sim_time(sim) < IB_SECOND; step++) {
        if (step % 100 == 0) {
            hand.values[valve] = step % 200 ? 8.1 : 2.3;
            hand.given[valve] = true;
            note(sim, recorder,
                 (ib_JournalEvent){
                     .type = IB_JOURNAL_INPUT, .index = valve, .value = hand.values[valve]});
        }
        if (step % 50 == 49) {
            note(sim, recorder,
                 (ib_JournalEvent){.type = IB_JOURNAL_STATE, .hash = ib_sim_hash(sim)});
            ++*states;
        }
        assert_int_equal(ib_sim_step(sim, &error), IB_OK);
    }
    uint64_t hash = ib_sim_hash(sim);
    note(sim, recorder, (ib_JournalEvent){.type = IB_JOURNAL_END, .hash = hash});
    ++*states;
    ib_sim_finish(sim);
    assert_int_equal(ib_recorder_close(recorder, NULL, &error), IB_OK);
    ib_sim_destroy(sim);
    ib_scenario_destroy(scenario);
    return hash;
}

// What `ironbird convert --filter` does.
static void convert(const char *to, const char *filter)
{
    ib_Log *log;
    assert_int_equal(ib_log_read(live, &log, &error), IB_OK);
    if (ib_recording_filter(log, filter, &error) != IB_OK) fail_msg("%s", error.text);
    assert_int_equal(ib_log_write(log, to, &error), IB_OK);
    ib_log_destroy(log);
}

// What `ironbird replay RECORDING` does; `path` NULL: with the scenario that the recording names.
static ib_Status replay(const char *recording, const char *path, ib_Replay *again, uint64_t *hash)
{
    ib_ScenarioOptions options = {0};
    ib_Override overrides[4];
    *again = (ib_Replay){0};
    ib_Status status = ib_replay_open(again, recording, &options, overrides, 4, &path, &error);
    if (status != IB_OK) return status;
    ib_Scenario *scenario = read_rig(&options, path);
    ib_Sim *sim;
    ib_RunResult result;
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    status = ib_replay_attach(again, scenario, sim, &error);
    if (status == IB_OK) {
        ib_RunOptions run = {.between = ib_journal_between, .player = &again->player};
        status = ib_run(sim, &run, &result, &error);
        ib_journal_player_finish(&again->player);
        *hash = ib_sim_hash(sim);
    }
    ib_sim_destroy(sim);
    ib_scenario_destroy(scenario);
    return status;
}

// Goal: filtering a signal takes nothing from a recording that its run is made of: it is made again
// to the last bit. Method: a recording of the rig with a pressure filtered, which names its
// scenario itself; every state on the way is held against the recorded one, and none is passed
// over. Of the signals that pressure alone differs.
static void a_filtered_recording_is_made_again(void **state)
{
    (void)state;
    int states;
    uint64_t first = record_live(&states), hash = 0;
    convert(made, "cap.pressure={filter: butterworth, order: 2, cutoff: 5 Hz}");
    ib_Replay again;
    if (replay(made, NULL, &again, &hash) != IB_OK) fail_msg("%s", error.text);
    assert_true(ib_replay_same(&again));
    assert_true(states > 3);
    assert_int_equal(again.player.checked, states);
    assert_true(again.player.ended);
    assert_false(again.changed);
    assert_true(hash == first);

    ib_Log *before;
    const ib_Log *after = again.log;
    assert_int_equal(ib_log_read(live, &before, &error), IB_OK);
    assert_int_equal(after->event_count, before->event_count);
    assert_int_equal(after->fact_count, before->fact_count + 1); // that it is filtered
    for (int i = 0; i < before->series_count; i++) {
        const ib_LogSeries *a = &before->series[i], *b = ib_log_find(after, a->name);
        assert_non_null(b);
        assert_int_equal(a->count, b->count);
        bool same = memcmp(a->values, b->values, (size_t)a->count * sizeof *a->values) == 0;
        assert_int_equal(same, strcmp(a->name, "cap.pressure") != 0);
    }
    ib_log_destroy(before);
    ib_replay_destroy(&again);
}

// Goal: a table, which has no place for what came in live, is refused for that, and nobody is told
// that a plain run would be the same. Method: the same recording as a CSV, with and without the
// scenario it comes from.
static void a_table_cannot_be_made_again(void **state)
{
    (void)state;
    int states;
    record_live(&states);
    convert(table, "cap.pressure={filter: butterworth, order: 2, cutoff: 5 Hz}");
    ib_Replay again;
    uint64_t hash;
    assert_int_equal(replay(table, NULL, &again, &hash), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "does not say which scenario"));
    ib_replay_destroy(&again);
    assert_int_equal(replay(table, file, &again, &hash), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "a CSV has no place for them"));
    assert_null(strstr(error.text, "gives the same run"));
    ib_replay_destroy(&again);
}

// What `ironbird replay RECORDING --set PATH=YAML --log made` does; returns the state at the end.
static uint64_t record_again(const char *recording, const ib_Override *change)
{
    ib_Override overrides[4] = {*change};
    ib_ScenarioOptions options = {.override_count = change->path ? 1 : 0};
    ib_SessionConfig config = ib_session_default();
    ib_Replay again = {0};
    ib_Session session;
    const char *path = NULL;
    assert_int_equal(ib_replay_open(&again, recording, &options, overrides, 4, &path, &error),
                     IB_OK);
    ib_Scenario *scenario = read_rig(&options, path);
    config.file = path, config.options = &options, config.log = made, config.replay = &again;
    if (ib_session_init(&session, &config, scenario, &error) != IB_OK) fail_msg("%s", error.text);
    ib_session_run(&session);
    ib_session_finish(&session);
    assert_int_equal(session.status, IB_OK);
    uint64_t hash = ib_sim_hash(session.sim);
    ib_session_destroy(&session);
    ib_replay_destroy(&again);
    ib_scenario_destroy(scenario);
    return hash;
}

// Goal: the recording of a replay is a recording of that run: it keeps the inputs, and is made
// again to the last bit, also where the robot is another one. Method: the rig as it is, and with
// another mass; the states in the second recording are its own.
static void the_recording_of_a_replay_is_made_again(void **state)
{
    (void)state;
    static const ib_Override changes[] = {{0}, {"robot.mass", "7 kg"}};
    int states;
    uint64_t first = record_live(&states), hash = 0;
    for (int i = 0; i < 2; i++) {
        uint64_t second = record_again(live, &changes[i]);
        assert_int_equal(second == first, i == 0);
        ib_Replay again;
        if (replay(made, NULL, &again, &hash) != IB_OK) fail_msg("%s", error.text);
        assert_true(hash == second);
        assert_int_equal(again.player.checked, states);
        assert_int_equal(again.player.wrong, 0);
        assert_true(again.player.ended);
        ib_replay_destroy(&again);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_filtered_recording_is_made_again),
        cmocka_unit_test(a_table_cannot_be_made_again),
        cmocka_unit_test(the_recording_of_a_replay_is_made_again),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
