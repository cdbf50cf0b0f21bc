// Tests of the watch over modes: what it tells, and what it keeps to itself.
#include "cmocka_all.h"
#include "view/mode_watch.h"

#include <string.h>

static const ib_Mode breaker = {.kind = IB_MODE_BREAKER,
                                .meanings = {{"the main breaker trips", IB_MODE_ERROR},
                                             {"the main breaker closes", IB_MODE_INFO}}};
static const ib_Mode bumps = {.kind = IB_MODE_CONTACT,
                              .meanings = {{"no hit so far", IB_MODE_INFO}, {"a hit"}}};
static ib_SignalDef signals[] = {
    {"pose.x", "m", "", 0},
    {"red.breaker.closed", "1", "", 0, IB_MEANS(.mode = &breaker, .robot = "red")},
    {"contact.hits", "1", "", 0, IB_MEANS(.mode = &bumps)},
};

typedef struct Rig {
    ib_Arena arena;
    ib_ModeWatch watch;
    ib_Probe probe;
} Rig;

static void start(Rig *rig)
{
    ib_Error error;
    *rig = (Rig){0};
    ib_SignalTable table = {.arena = &rig->arena, .items = signals, .count = 3};
    assert_int_equal(ib_mode_watch_init(&rig->watch, &table, &rig->arena, &error), IB_OK);
    rig->probe = ib_mode_watch_probe(&rig->watch);
    assert_int_equal(rig->watch.count, 2); // a place is no mode
}

static void look(Rig *rig, ib_Time time, double closed, double hits)
{
    double row[] = {0.1 * (double)time, closed, hits};
    assert_true(rig->probe.sample(rig->probe.self, time, row) == IB_TIME_NEVER);
}

// Goal: a change is told once, with its time, kind, level and text; how it starts is no change.
// Method: a breaker that starts closed, trips and stays open.
static void a_change_is_told_once(void **state)
{
    (void)state;
    Rig rig;
    ib_FeedEvent event = {0};
    start(&rig);
    look(&rig, 0, 1, 0);
    look(&rig, 1, 1, 0);
    assert_int_equal(rig.watch.note_count, 0);
    look(&rig, 2 * IB_SECOND, 0, 0);
    look(&rig, 3 * IB_SECOND, 0, 0);
    assert_int_equal(rig.watch.note_count, 1);
    assert_true(ib_mode_watch_event(&rig.watch, 0, &event));
    assert_string_equal(event.text, "red: the main breaker trips");
    assert_close(event.time, 2, 0);
    assert_int_equal(event.kind, IB_MODE_BREAKER);
    assert_int_equal(event.level, IB_MODE_ERROR);
    ib_arena_reset(&rig.arena);
}

// Goal: a signal that chatters does not drown the others, and nothing is left out silently. Method:
// a hit at each of 1000 steps within one second of wall time, then one in the next second.
static void chatter_is_counted_and_not_told(void **state)
{
    (void)state;
    Rig rig;
    ib_FeedEvent event = {0};
    start(&rig);
    rig.watch.wall = 5 * IB_SECOND;
    for (int i = 0; i <= 1000; i++) {
        look(&rig, i, i < 1000, i);
        if (i < 1000) assert_true(rig.watch.note_count <= IB_MODE_WATCH_RATE);
    }
    assert_int_equal(rig.watch.note_count, IB_MODE_WATCH_RATE + 1); // and the breaker
    rig.watch.note_count = 0;
    rig.watch.wall += IB_SECOND;
    look(&rig, 1001, 0, 1001);
    assert_int_equal(rig.watch.note_count, 1);
    assert_true(ib_mode_watch_event(&rig.watch, 0, &event));
    assert_string_equal(event.text, "a hit");
    assert_int_equal(event.times, 1001);
    assert_int_equal(event.signal, 2);
    ib_arena_reset(&rig.arena);
}

// Goal: how often a chattering signal has come to each of its meanings is told, and last of all
// where it has come to, even if it never changes again. Method: a breaker that trips 5 times and
// closes 5 times within a second, then only the clock goes on; and the same at the end of a run.
static void where_chatter_ends_is_told(void **state)
{
    (void)state;
    for (int end = 0; end < 2; end++) {
        Rig rig;
        ib_FeedEvent event = {0};
        start(&rig);
        rig.watch.wall = 5 * IB_SECOND;
        for (int i = 0; i <= 10; i++) look(&rig, i, i % 2, 0);
        assert_int_equal(rig.watch.note_count, 2 * IB_MODE_WATCH_RATE);
        rig.watch.note_count = 0;
        ib_mode_watch_catch_up(&rig.watch, false);
        assert_int_equal(rig.watch.note_count, 0);
        if (!end) rig.watch.wall += IB_SECOND;
        ib_mode_watch_catch_up(&rig.watch, end);
        assert_int_equal(rig.watch.note_count, 2);
        static const char *const texts[] = {"red: the main breaker closes",
                                            "red: the main breaker trips"};
        for (int i = 0; i < 2; i++) {
            assert_true(ib_mode_watch_event(&rig.watch, i, &event));
            assert_string_equal(event.text, texts[i]);
            assert_int_equal(event.times, 5);
            assert_close(event.time, (9 + i) * 1e-9, 1e-15);
        }
        rig.watch.note_count = 0;
        ib_mode_watch_catch_up(&rig.watch, true);
        assert_int_equal(rig.watch.note_count, 0);
        ib_arena_reset(&rig.arena);
    }
}

// Goal: a rare bad meaning is not drowned by others of the same signal, and what came before it is
// told before it. Method: a supply that flutters between fine and low, and is then off, all in a
// second: from step 1 to 49 it is low 25 times and fine 24 times.
static void each_meaning_is_told(void **state)
{
    (void)state;
    static const ib_Mode supply = {
        .kind = IB_MODE_BROWNOUT,
        .meanings = {{"fine"}, {"low", IB_MODE_WARNING}, {"off", IB_MODE_ERROR}}};
    static const struct {
        const char *text;
        int step, times;
    } expected[] = {{"fine", 48, 24}, {"low", 49, 25}, {"off", 50, 1}};
    ib_SignalDef one = {"stage", "1", "", 0, IB_MEANS(.mode = &supply)};
    ib_Arena arena = {0};
    ib_Error error;
    ib_ModeWatch watch;
    ib_SignalTable table = {.arena = &arena, .items = &one, .count = 1};
    assert_int_equal(ib_mode_watch_init(&watch, &table, &arena, &error), IB_OK);
    ib_Probe probe = ib_mode_watch_probe(&watch);
    for (int i = 0; i <= 50; i++) {
        double stage = i == 50 ? 2 : i % 2;
        probe.sample(&watch, i, &stage);
    }
    ib_mode_watch_catch_up(&watch, false);
    assert_int_equal(watch.note_count, 2 * IB_MODE_WATCH_RATE + 3);
    for (int i = 0; i < 3; i++) {
        ib_FeedEvent event = {0};
        assert_true(ib_mode_watch_event(&watch, 2 * IB_MODE_WATCH_RATE + i, &event));
        assert_string_equal(event.text, expected[i].text);
        assert_close(event.time, expected[i].step * 1e-9, 1e-15);
        assert_int_equal(event.times, expected[i].times);
    }
    ib_arena_reset(&arena);
}

// Goal: the notes never exceed their room. Method: 100 modes that all change at once.
static void notes_have_a_limit(void **state)
{
    (void)state;
    enum { MANY = 100 };
    ib_Arena arena = {0};
    ib_Error error;
    ib_SignalDef many[MANY];
    double row[MANY] = {0};
    ib_ModeWatch watch;
    for (int i = 0; i < MANY; i++)
        many[i] = (ib_SignalDef){"breaker.closed", "1", "", 0, IB_MEANS(.mode = &breaker)};
    ib_SignalTable table = {.arena = &arena, .items = many, .count = MANY};
    assert_int_equal(ib_mode_watch_init(&watch, &table, &arena, &error), IB_OK);
    ib_Probe probe = ib_mode_watch_probe(&watch);
    probe.sample(&watch, 0, row);
    for (int i = 0; i < MANY; i++) row[i] = 1;
    probe.sample(&watch, 1, row);
    assert_int_equal(watch.note_count, IB_MODE_WATCH_ROOM);
    ib_arena_reset(&arena);
}

// Goal: the steps of a routine are each told, however fast they follow each other: each is a
// meaning of its own. Method: ten steps within a second of the wall clock.
static void each_of_many_steps_is_told(void **state)
{
    (void)state;
    enum { STEPS = 10 };
    static const ib_ModeMeaning words[STEPS] = {{"0"}, {"1"}, {"2"}, {"3"}, {"4"},
                                                {"5"}, {"6"}, {"7"}, {"8"}, {"9"}};
    static const ib_Mode mode = {.kind = IB_MODE_STATE, .many = words, .many_count = STEPS};
    ib_SignalDef step = {"step", "1", "", 0, IB_MEANS(.mode = &mode)};
    ib_Arena arena = {0};
    ib_Error error;
    ib_ModeWatch watch;
    ib_SignalTable table = {.arena = &arena, .items = &step, .count = 1};
    assert_int_equal(ib_mode_watch_init(&watch, &table, &arena, &error), IB_OK);
    ib_Probe probe = ib_mode_watch_probe(&watch);
    for (int i = 0; i < STEPS; i++) probe.sample(&watch, i, &(double){i});
    assert_int_equal(watch.note_count, STEPS - 1);
    for (int i = 0; i < STEPS - 1; i++) {
        ib_FeedEvent event = {0};
        assert_true(ib_mode_watch_event(&watch, i, &event));
        assert_string_equal(event.text, words[i + 1].text);
        assert_int_equal(event.times, 1);
    }
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_is_told_once),
        cmocka_unit_test(chatter_is_counted_and_not_told),
        cmocka_unit_test(where_chatter_ends_is_told),
        cmocka_unit_test(each_meaning_is_told),
        cmocka_unit_test(notes_have_a_limit),
        cmocka_unit_test(each_of_many_steps_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
