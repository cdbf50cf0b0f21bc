// Claims about src/report/events.c.
#include "cmocka_all.h"

#include "report/events.h"

#include <string.h>

enum { ROWS = 8 };
static ib_Time times[ROWS] = {0, 1, 2, 3, 4, 5, 6, 7};
static double stage[ROWS] = {0, 0, 2, 2, 0, 0, 0, 0};
static double closed[ROWS] = {1, 1, 1, 1, 1, 1, 0, 0};
static double hits[ROWS] = {0, 0, 1, NAN, 1, 3, 3, 3};
static double velocity[ROWS] = {0, 0.1, 0.3, 0.2, 0, 0, -0.1, -0.2};
static double heat[ROWS] = {0, 1, 0, 1, 0, 1, 0, 1};
static const ib_Mode stages = {.meanings = {{"supply is fine again"},
                                            {"brownout: the servo rail sags"},
                                            {"brownout: outputs off"}}};
static const ib_Mode branch = {.meanings = {{"branch breaker trips"}, {"closes again"}}};
static const ib_Mode bumps = {.meanings = {{"no hit so far"}, {"a hit"}}};
static const ib_Mode rod = {.motion = true, .meanings = {{"the rod stands"}, {"the rod moves"}}};
static const ib_Mode runs = {.meanings = {{"the compressor stops"}, {"the compressor starts"}}};
static const ib_Mode breaker = {.meanings = {{"the main breaker trips"}, {"it closes"}}};
static const ib_LogSeries items[] = {
    {"red.brownout.stage", "1", "", ROWS, times, stage, IB_MEANS(.mode = &stages)},
    {"branch.left.closed", "1", "", ROWS, times, closed, IB_MEANS(.mode = &branch, .part = "left")},
    {"contact.hits", "1", "", ROWS, times, hits, IB_MEANS(.mode = &bumps)},
    {"cylinder.arm.velocity", "m/s", "", ROWS, times, velocity, IB_MEANS(.mode = &rod)},
    {"breaker.heat", "1", "", ROWS, times, heat},
};

// Goal: every change of a mode is found, in order of time, and nothing else. Method: by hand: hits
// at 2 (0 to 1) and 5 (1 to 3; a gap is no change), stage at 2 and 4, rod at 1, 4 and 6, breaker at
// 6; heat is no mode. At one time the order is that of the signals.
static void changes_of_modes_are_found_in_order(void **state)
{
    (void)state;
    static const struct {
        int time, item;
        const char *meaning;
    } expected[] = {
        {1, 3, "the rod moves"},        {2, 0, "brownout: outputs off"}, {2, 2, "a hit"},
        {4, 0, "supply is fine again"}, {4, 3, "the rod stands"},        {5, 2, "a hit"},
        {6, 1, "branch breaker trips"}, {6, 3, "the rod moves"},
    };
    ib_Arena arena = {0};
    int count;
    const ib_ModeChange *changes = ib_mode_changes((ib_SeriesSet){items, 5}, &arena, &count);
    assert_int_equal(count, 8);
    for (int i = 0; i < count; i++) {
        assert_int_equal(changes[i].time, expected[i].time);
        assert_int_equal(changes[i].signal, expected[i].item);
        const ib_Mode *mode = items[expected[i].item].means.mode;
        double value = ib_mode_value(mode, changes[i].after);
        assert_string_equal(ib_mode_meaning(mode, value).text, expected[i].meaning);
    }
    assert_true(changes[5].before == 1 && changes[5].after == 3);
    ib_arena_reset(&arena);
}

// Goal: a long list is cut, with what is left out counted by signal. Method: a compressor that
// switches at 119 samples: 50 rows, 69 more.
static void long_list_is_cut_and_counted(void **state)
{
    (void)state;
    enum { LONG = 120 };
    static ib_Time t[LONG];
    static double running[LONG];
    for (int i = 0; i < LONG; i++) {
        t[i] = i * IB_SECOND;
        running[i] = i % 2;
    }
    ib_LogSeries one = {"compressor.running", "1", "", LONG, t, running, IB_MEANS(.mode = &runs)};
    ib_Report report = ib_report_default();
    report.series = (ib_SeriesSet){&one, 1};
    assert_true(ib__events_present(&report));
    ib_Text html = {0};
    ib__events_write(&report, &html);
    int rows = 0;
    for (const char *at = html.bytes; (at = strstr(at, "<tr><td")); at++) rows++;
    assert_int_equal(rows, IB_EVENTS_SHOWN);
    assert_non_null(strstr(html.bytes, "and 69 more: compressor.running 69."));
    assert_non_null(strstr(html.bytes, "1.000 s</td><td>the compressor starts"));
    ib_text_destroy(&html);
}

// Goal: rare changes are shown however often others change. Method: the compressor above and a
// breaker that trips at the very end: 49 rows of the one, 1 of the other.
static void rare_changes_are_shown_beside_frequent_ones(void **state)
{
    (void)state;
    enum { LONG = 120 };
    static ib_Time t[LONG];
    static double running[LONG], shut[LONG];
    for (int i = 0; i < LONG; i++) {
        t[i] = i * IB_SECOND;
        running[i] = i % 2;
        shut[i] = i < LONG - 1;
    }
    const ib_LogSeries two[] = {
        {"compressor.running", "1", "", LONG, t, running, IB_MEANS(.mode = &runs)},
        {"breaker.closed", "1", "", LONG, t, shut, IB_MEANS(.mode = &breaker)}};
    ib_Report report = ib_report_default();
    report.series = (ib_SeriesSet){two, 2};
    ib_Text html = {0};
    ib__events_write(&report, &html);
    assert_non_null(strstr(html.bytes, "the main breaker trips"));
    assert_non_null(strstr(html.bytes, "and 70 more: compressor.running 70."));
    ib_text_destroy(&html);
}

// Goal: a run without modes has no section, and one in which nothing switched says so.
// Method: one of each.
static void quiet_runs_say_so(void **state)
{
    (void)state;
    double still[ROWS] = {0};
    ib_LogSeries one = {"breaker.heat", "1", "", ROWS, times, heat};
    ib_Report report = ib_report_default();
    report.series = (ib_SeriesSet){&one, 1};
    assert_false(ib__events_present(&report));
    one.means.mode = &breaker;
    one.values = still;
    assert_true(ib__events_present(&report));
    ib_Text html = {0};
    ib__events_write(&report, &html);
    assert_non_null(strstr(html.bytes, "Nothing switched"));
    ib_text_destroy(&html);
}

// Goal: which of several parts switched is told. Method: the left breaker above.
static void parts_are_named(void **state)
{
    (void)state;
    ib_Report report = ib_report_default();
    report.series = (ib_SeriesSet){items + 1, 1};
    ib_Text html = {0};
    ib__events_write(&report, &html);
    assert_non_null(strstr(html.bytes, "<td>left branch breaker trips</td>"));
    ib_text_destroy(&html);
}

enum { RHYTHM = 334, PERIOD = 21000000, PARTED = 3 };

// A brownout from 3.1 s on: the rail sags every 21 ms, 1 ms later the outputs are off; then hits.
static int make_changes(ib_ModeChange *changes)
{
    int count = 0;
    for (int i = 0; i < RHYTHM; i++) {
        ib_Time time = 31 * IB_SECOND / 10 + i * (ib_Time)PERIOD;
        changes[count++] = (ib_ModeChange){time, 0, i ? 2 : 0, 1};
        changes[count++] = (ib_ModeChange){time + 1000000, 0, 1, 2};
    }
    changes[count++] = (ib_ModeChange){20 * IB_SECOND, 0, 2, 0};
    for (int i = 0; i < PARTED; i++) // once more, but only a few times
        changes[count++] = (ib_ModeChange){30 * IB_SECOND + i * (ib_Time)PERIOD, 0, 0, 1};
    static const int pauses_ms[] = {0, 10, 40, 20, 30};
    ib_Time time = 40 * IB_SECOND;
    for (int i = 0; i < 5; i++) {
        time += pauses_ms[i] * 1000000;
        changes[count++] = (ib_ModeChange){time, 1, i, i + 1};
    }
    return count;
}

// Goal: what happens again and again is told once, with its rhythm; what happens a few times is
// told each time; behind a pause a row begins anew, and a count that grows is the same event. What
// it was before is said of the first and of the others. Method: changes by hand.
static void repeated_changes_are_one_event(void **state)
{
    (void)state;
    static ib_ModeChange changes[2 * RHYTHM + 20];
    int made = make_changes(changes), count;
    const ib_SignalMeaning stage_means = {.mode = &stages}, hit_means = {.mode = &bumps};
    const ib_SignalMeaning *const means[] = {&stage_means, &hit_means};
    ib_Arena arena = {0};
    const ib_ModeEvent *events = ib_mode_events(changes, made, means, 2, &arena, &count);
    static const struct {
        const char *what, *rhythm, *before;
        double first;
        int count;
    } expected[] = {
        {"brownout: the servo rail sags", "334 times, every 21 ms", "0, then 2", 3.1, RHYTHM},
        {"brownout: outputs off", "334 times, every 21 ms", "1", 3.101, RHYTHM},
        {"supply is fine again", "", "2", 20, 1},
        {"brownout: the servo rail sags", "", "0", 30, 1},
        {"brownout: the servo rail sags", "", "0", 30.021, 1},
        {"brownout: the servo rail sags", "", "0", 30.042, 1},
        {"a hit", "5 times, every 10 ms to 40 ms", "0", 40, 5},
    };
    assert_int_equal(count, 7);
    for (int i = 0; i < count; i++) {
        char rhythm[96], before[64];
        ib_mode_event_rhythm(&events[i], rhythm, sizeof rhythm);
        ib_mode_event_before(&events[i], before, sizeof before);
        assert_string_equal(before, expected[i].before);
        assert_string_equal(events[i].meaning.text, expected[i].what);
        assert_string_equal(rhythm, expected[i].rhythm);
        assert_true(events[i].first == ib_time_from_seconds(expected[i].first));
        assert_int_equal(events[i].count, expected[i].count);
    }
    assert_true(events[0].last == events[0].first + (RHYTHM - 1) * (ib_Time)PERIOD);
    assert_true(events[6].before == 0 && events[6].after == 5);
    ib_arena_reset(&arena);
}

// Goal: where a mode comes from is not said of all when it is not so. Method: four changes to 1,
// from 0, 2, 2 and 0; the same from 2 alone.
static void origins_that_differ_are_several(void **state)
{
    (void)state;
    ib_ModeChange mixed[4], same[4];
    for (int i = 0; i < 4; i++) {
        mixed[i] = (ib_ModeChange){i * (ib_Time)PERIOD, 0, i % 3 ? 2 : 0, 1};
        same[i] = (ib_ModeChange){i * (ib_Time)PERIOD, 0, 2, 1};
    }
    const ib_SignalMeaning stage_means = {.mode = &stages};
    const ib_SignalMeaning *const means[] = {&stage_means};
    const ib_ModeChange *const lists[] = {mixed, same};
    static const char *const expected[] = {"several", "2"};
    ib_Arena arena = {0};
    for (int i = 0; i < 2; i++) {
        int count;
        char before[64];
        const ib_ModeEvent *events = ib_mode_events(lists[i], 4, means, 1, &arena, &count);
        assert_int_equal(count, 1);
        ib_mode_event_before(&events[0], before, sizeof before);
        assert_string_equal(before, expected[i]);
    }
    ib_arena_reset(&arena);
}

// Goal: a report of a run takes its events from the solver, and says so; what did not fit is
// counted. Method: the changes above beside a recording that saw none of them.
static void events_are_those_of_the_solver(void **state)
{
    (void)state;
    static ib_ModeChange changes[2 * RHYTHM + 20];
    static double still[ROWS];
    const ib_ReportSignal signals[] = {{.name = "brownout.stage", .means = {.mode = &stages}},
                                       {.name = "contact.hits", .means = {.mode = &bumps}}};
    const ib_LogSeries one = {"brownout.stage",         "1", "", ROWS, times, still,
                              IB_MEANS(.mode = &stages)};
    ib_ModeChanges solved = {.items = changes, .watched_count = 2, .untold = 12};
    solved.count = make_changes(changes);
    ib_Report report = ib_report_default();
    report.series = (ib_SeriesSet){&one, 1};
    report.signals = signals;
    report.signal_count = 2;
    report.changes = &solved;
    ib_Text html = {0};
    ib__events_write(&report, &html);
    assert_non_null(strstr(html.bytes, "3.101 s to 10.094 s</td><td>brownout: outputs off: 334 "
                                       "times, every 21 ms</td>"));
    assert_non_null(strstr(html.bytes, "Times are those of the solver"));
    assert_non_null(strstr(html.bytes, "12 more came after them"));
    ib_text_destroy(&html);
}

// Goal: eight steps that follow each other are eight events, and not one that comes again and
// again: each value has a meaning of its own, also beside signals with few. Method: a rod that
// moves once, and steps 0 to 8 within a second.
static void steps_are_events_of_their_own(void **state)
{
    (void)state;
    enum { STEPS = 9 };
    static const ib_ModeMeaning words[STEPS] = {{"none"}, {"1"}, {"2"}, {"3"}, {"4"},
                                                {"5"},    {"6"}, {"7"}, {"8"}};
    static const ib_Mode mode = {.many = words, .many_count = STEPS};
    static ib_Time t[STEPS];
    static double step[STEPS], moves[STEPS];
    for (int i = 0; i < STEPS; i++) {
        t[i] = i * (IB_SECOND / 10);
        step[i] = i;
        moves[i] = i > 3;
    }
    const ib_LogSeries two[] = {{"rod", "1", "", STEPS, t, moves, IB_MEANS(.mode = &rod)},
                                {"step", "1", "", STEPS, t, step, IB_MEANS(.mode = &mode)}};
    const ib_SignalMeaning *const means[] = {&two[0].means, &two[1].means};
    ib_Arena arena = {0};
    int count, told;
    const ib_ModeChange *changes = ib_mode_changes((ib_SeriesSet){two, 2}, &arena, &count);
    assert_int_equal(count, 9);
    const ib_ModeEvent *events = ib_mode_events(changes, count, means, 2, &arena, &told);
    assert_int_equal(told, 9);
    for (int i = 0, next = 1; i < told; i++) {
        assert_int_equal(events[i].count, 1);
        if (events[i].signal == 1) assert_string_equal(events[i].meaning.text, words[next++].text);
    }
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_events_of_their_own),
        cmocka_unit_test(changes_of_modes_are_found_in_order),
        cmocka_unit_test(long_list_is_cut_and_counted),
        cmocka_unit_test(rare_changes_are_shown_beside_frequent_ones),
        cmocka_unit_test(quiet_runs_say_so),
        cmocka_unit_test(parts_are_named),
        cmocka_unit_test(repeated_changes_are_one_event),
        cmocka_unit_test(origins_that_differ_are_several),
        cmocka_unit_test(events_are_those_of_the_solver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
