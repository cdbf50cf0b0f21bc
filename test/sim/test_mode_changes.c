// Claims about src/sim/watch/mode_changes.c: no change of a mode is lost, wherever it falls.
#include "cmocka_all.h"
#include "scenario/given.h"
#include "sim/watch/mode_changes.h"

#include <math.h>
#include <string.h>

// Goal: every change is told at its own time, also several of them within one step. Method: a block
// on ice between two that are ten million times as heavy bounces without loss: free way 0.1 m at
// 3 m/s, so that it hits after 1/60 s and every 1/30 s from there on, three times in a step of
// 100 ms. The heavy ones are pushed aside at 0.6 um/s a hit, which adds up to 0.06 ms by the end.
static void changes_within_a_step_are_told_one_by_one(void **state)
{
    (void)state;
    static const char text[] =
        "robots:\n"
        "  a: {kind: box, mass: 1 g, length: 20 cm, width: 20 cm, mu: 0, bumper: {restitution: 1, "
        "friction: 0, yield_speed: off}, start: {velocity: {x: 3 m/s}}}\n"
        "  b: {kind: box, mass: 10 t, length: 1 m, width: 1 m, mu: 0, bumper: {restitution: 1, "
        "friction: 0, yield_speed: off}, start: {x: 65 cm}}\n"
        "  c: {kind: box, mass: 10 t, length: 1 m, width: 1 m, mu: 0, bumper: {restitution: 1, "
        "friction: 0, yield_speed: off}, start: {x: -65 cm}}\n"
        "run: {duration: 1 s, step: 100 ms}\n";
    ib_Arena arena = {0};
    ib_Scenario *scenario = given(text);
    ib_Sim *sim;
    ib_Error error;
    ib_ModeChanges *changes;
    const ib_SignalTable *signals = &scenario->model->signals;
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    assert_int_equal(ib_mode_changes_create(signals, &arena, &changes, &error), IB_OK);
    assert_int_equal(ib_sim_probe(sim, ib_mode_changes_probe(changes), &error), IB_OK);
    assert_int_equal(ib_sim_advance(sim, IB_SECOND, &error), IB_OK);
    ib_sim_finish(sim);

    int hits = ib_signals_find(signals, "a.contact.hits"), count = 0;
    for (int i = 0; i < changes->count; i++) {
        const ib_ModeChange *change = &changes->items[i];
        if (i > 0) assert_true(change->time >= changes->items[i - 1].time);
        if (change->signal != hits) continue;
        assert_close(ib_time_to_seconds(change->time), 1.0 / 60 + count / 30.0, 1e-4);
        assert_true(change->before == count && change->after == count + 1);
        count++;
    }
    assert_int_equal(count, 30);
    assert_int_equal(changes->untold, 0);
    ib_sim_destroy(sim);
    ib_scenario_destroy(scenario);
    ib_arena_reset(&arena);
}

// Goal: what is no change is none: how it starts, what is not a number, a speed that stays one.
// Method: looks by hand at a mode, at a motion and at a signal without a mode.
static void only_changes_are_told(void **state)
{
    (void)state;
    static const ib_Mode gear = {.meanings = {{"first"}, {"second"}}};
    static const ib_Mode rod = {.motion = true, .meanings = {{"stands"}, {"moves"}}};
    ib_SignalDef items[] = {{"gear", "1", "", 0, IB_MEANS(.mode = &gear)},
                            {"x", "m", "", 0},
                            {"rod", "m/s", "", 0, IB_MEANS(.mode = &rod)}};
    const double rows[6][3] = {{1, 0, 0},   {1, 1, 0.5}, {(double)NAN, 2, 0.7},
                               {0, 3, 0.7}, {1, 4, 0},   {1, 5, 0}};
    const ib_SignalTable table = {.items = items, .count = 3};
    ib_Arena arena = {0};
    ib_Error error;
    ib_ModeChanges *changes;
    assert_int_equal(ib_mode_changes_create(&table, &arena, &changes, &error), IB_OK);
    assert_int_equal(changes->watched_count, 2);
    ib_Probe probe = ib_mode_changes_probe(changes);
    for (int i = 0; i < 6; i++) probe.sample(probe.self, i, rows[i]);
    static const ib_ModeChange expected[] = {{1, 2, 0, 0.5}, {4, 0, 0, 1}, {4, 2, 0.7, 0}};
    assert_int_equal(changes->count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(changes->items[i].time, expected[i].time);
        assert_int_equal(changes->items[i].signal, expected[i].signal);
        assert_true(changes->items[i].before == expected[i].before);
        assert_true(changes->items[i].after == expected[i].after);
    }
    ib_arena_reset(&arena);
}

// Goal: beyond the room the first changes stay and the others are counted. Method: a mode that
// switches at every look, 100 times more often than there is room.
static void a_full_list_counts_on(void **state)
{
    (void)state;
    static const ib_Mode gear = {.meanings = {{"first"}, {"second"}}};
    ib_SignalDef item = {"gear", "1", "", 0, IB_MEANS(.mode = &gear)};
    const ib_SignalTable table = {.items = &item, .count = 1};
    ib_Arena arena = {0};
    ib_Error error;
    ib_ModeChanges *changes;
    assert_int_equal(ib_mode_changes_create(&table, &arena, &changes, &error), IB_OK);
    ib_Probe probe = ib_mode_changes_probe(changes);
    for (int i = 0; i <= IB_MODE_CHANGES_ROOM + 100; i++)
        probe.sample(probe.self, i, &(double){i % 2});
    assert_int_equal(changes->count, IB_MODE_CHANGES_ROOM);
    assert_int_equal(changes->untold, 100);
    assert_int_equal(changes->items[IB_MODE_CHANGES_ROOM - 1].time, IB_MODE_CHANGES_ROOM);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_within_a_step_are_told_one_by_one),
        cmocka_unit_test(only_changes_are_told),
        cmocka_unit_test(a_full_list_counts_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
