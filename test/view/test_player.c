// Tests of the player of recordings: time controls, values between samples, events, history.
#include "cmocka_all.h"
#include "sim/pace.h"
#include "view/playback.h"
#include "view/player.h"

#include <stdlib.h>
#include <string.h>

enum { X, MODE, RARE, SERIES };
enum { SAMPLES = 201 }; // 2 s at 10 ms

typedef struct Rig {
    ib_LogSeries series[SERIES];
    ib_Time times[SAMPLES], rare_times[2];
    double x[SAMPLES], mode[SAMPLES], rare[2];
    ib_LogEvent events[3];
    ib_Log log;
    ib_Player *player;
    ib_ViewSource *source;
    int rows;
    double time, values[SERIES];
    double first; // time of the first row of the run
    uint32_t run;
    bool jumped;
    char texts[64][IB_FEED_TEXT];
    int kinds[64], event_count;
    ib_FeedStatus status;
} Rig;

static const ib_Mode breaker = {.kind = IB_MODE_BREAKER,
                                .meanings = {{"the main breaker trips", IB_MODE_ERROR},
                                             {"the main breaker closes", IB_MODE_INFO}}};

// x = t^2 every 10 ms, a breaker that opens at 1 s, and a signal with two samples far apart; the
// recording starts at `begin`.
static void make_log(Rig *rig, ib_Time begin)
{
    static const char *sources[] = {"messages", "inputs"};
    *rig = (Rig){0};
    for (int i = 0; i < SAMPLES; i++) {
        rig->times[i] = begin + i * (IB_SECOND / 100);
        rig->x[i] = 0.01 * i * 0.01 * i;
        rig->mode[i] = i < 100;
    }
    rig->rare_times[0] = begin;
    rig->rare_times[1] = begin + 2 * IB_SECOND;
    rig->rare[1] = 8;
    rig->series[X] = (ib_LogSeries){"pose.x", "m", "", SAMPLES, rig->times, rig->x};
    rig->series[MODE] = (ib_LogSeries){
        "breaker.closed", "1", "", SAMPLES, rig->times, rig->mode, IB_MEANS(.mode = &breaker)};
    rig->series[RARE] = (ib_LogSeries){"rare", "1", "", 2, rig->rare_times, rig->rare};
    rig->events[0] = (ib_LogEvent){begin, IB_LEVEL_INFO, 0, "at the start"};
    rig->events[1] = (ib_LogEvent){begin + IB_SECOND / 2, IB_LEVEL_INFO, 1, "500 input left 1"};
    rig->events[2] = (ib_LogEvent){begin + IB_SECOND * 3 / 2, IB_LEVEL_ERROR, 0,
                                   "expectation failed: \xff not UTF-8"};
    rig->log = (ib_Log){.series = rig->series,
                        .series_count = SERIES,
                        .sources = sources,
                        .source_count = 2,
                        .events = rig->events,
                        .event_count = 3};
}

static void start(Rig *rig, ib_Time begin, ib_PlayerOptions options)
{
    ib_Error error;
    make_log(rig, begin);
    options.path = "test.wpilog";
    assert_int_equal(ib_player_create(&rig->log, &options, &rig->player, &error), IB_OK);
    rig->source = ib_player_source(rig->player);
    assert_int_equal(ib_player_start(rig->player, &error), IB_OK);
}

static void take(Rig *rig)
{
    const ib_FeedRow *row;
    ib_FeedEvent event;
    while ((row = ib_feed_row(rig->source->feed)) != NULL) {
        rig->rows++;
        rig->time = row->time;
        if (row->run != rig->run) rig->first = row->time;
        rig->run = row->run;
        rig->jumped |= row->jump;
        memcpy(rig->values, row->values, sizeof rig->values);
        ib_feed_release(rig->source->feed);
    }
    while (rig->event_count < 64 && ib_feed_next_event(rig->source->feed, &event)) {
        rig->kinds[rig->event_count] = event.kind;
        memcpy(rig->texts[rig->event_count++], event.text, IB_FEED_TEXT);
    }
    ib_feed_status(rig->source->feed, &rig->status);
}

static void wait(Rig *rig, double seconds)
{
    int64_t end = ib_wall_now() + (int64_t)(seconds * 1e9);
    while (ib_wall_now() < end) {
        ib_wall_sleep(ib_wall_now() + IB_SECOND / 1000);
        take(rig);
    }
}

#define until(rig, condition)                                                                      \
    do {                                                                                           \
        int64_t end_ = ib_wall_now() + 30 * IB_SECOND;                                             \
        for (take(rig); !(condition) && ib_wall_now() < end_;) wait(rig, 0.001);                   \
        if (!(condition)) fail_msg("waited in vain for %s", #condition);                           \
    } while (0)

static void order(Rig *rig, ib_CommandType type, double value)
{
    ib_FeedCommand command = {.type = type, .client = 1, .value = value};
    assert_true(ib_feed_command(rig->source->feed, &command));
}

// ---------------------------------------------------------------------------------------- playback

// Goal: values between samples lie on the line between them; modes and rare signals hold; before
// the first sample there is none.
// Method: by hand, x = t^2 at 10 ms: at 15 ms half way between 1e-4 and 4e-4.
static void values_between_samples_are_joined_or_held(void **state)
{
    (void)state;
    Rig rig;
    ib_Playback playback;
    ib_Arena arena = {0};
    ib_Error error;
    double row[SERIES];
    make_log(&rig, 0);
    rig.series[RARE].count = 1;
    rig.rare_times[0] = IB_SECOND;
    rig.rare[0] = 5;
    assert_int_equal(ib_playback_init(&playback, &rig.log, &arena, &error), IB_OK);
    ib_playback_row(&playback, 15 * IB_SECOND / 1000, row);
    assert_close(row[X], 2.5e-4, 1e-15);
    assert_close(row[MODE], 1, 0);
    assert_true(isnan(row[RARE]));
    ib_playback_row(&playback, 995 * IB_SECOND / 1000, row);
    assert_close(row[MODE], 1, 0); // not half open
    ib_playback_row(&playback, 2 * IB_SECOND, row);
    assert_close(row[X], 4, 1e-12);
    assert_close(row[MODE], 0, 0);
    assert_close(row[RARE], 5, 0);
    ib_arena_reset(&arena);
}

// Goal: two samples far apart, as of a signal recorded when it changes, are not joined. Method: 0
// at 0 s and 8 at 2 s among signals every 10 ms; at 1 s it is still 0.
static void samples_far_apart_are_not_joined(void **state)
{
    (void)state;
    Rig rig;
    ib_Playback playback;
    ib_Arena arena = {0};
    ib_Error error;
    double row[SERIES];
    make_log(&rig, 0);
    assert_int_equal(ib_playback_init(&playback, &rig.log, &arena, &error), IB_OK);
    ib_playback_row(&playback, IB_SECOND, row);
    assert_close(row[RARE], 0, 0);
    ib_arena_reset(&arena);
}

// Goal: a recording counts changes as a run does, wherever one goes in it. Method: a breaker that
// trips at 10, 30 and 50 ms and closes in between; the last trip, asked for first.
static void changes_in_a_recording_are_counted(void **state)
{
    (void)state;
    Rig rig;
    ib_Playback playback;
    ib_Arena arena = {0};
    ib_Error error;
    ib_FeedEvent event;
    make_log(&rig, 0);
    for (int i = 0; i < SAMPLES; i++) rig.mode[i] = i < 5 ? i % 2 == 0 : 0;
    assert_int_equal(ib_playback_init(&playback, &rig.log, &arena, &error), IB_OK);
    int64_t last = ib_playback_event_after(&playback, 49 * IB_SECOND / 1000);
    assert_true(ib_playback_describe(&playback, last, &event));
    assert_close(event.time, 0.05, 1e-12);
    assert_int_equal(event.times, 3);
    assert_int_equal(event.signal, MODE);
    assert_true(ib_playback_describe(&playback, ib_playback_event_after(&playback, 0), &event));
    assert_int_equal(event.times, 1);
    ib_arena_reset(&arena);
}

// Goal: a thinned history keeps extremes and order, and a short one is whole. Method: a spike of
// one sample among 201; 20 rows; then a stretch of 5 samples.
static void history_keeps_extremes(void **state)
{
    (void)state;
    Rig rig;
    start(&rig, 0, (ib_PlayerOptions){.speed = 1, .paused = true});
    rig.x[77] = 1000;
    rig.x[78] = -1000;
    rig.x[150] = NAN;
    double times[256];
    float values[3 * 256];
    ib_Samples samples = {times, values, values + 256, values + 512};
    int count = rig.source->history(rig.source->self, X, 0, 1e9, 20, samples);
    assert_in_range(count, 10, 20);
    bool high = false, low = false;
    for (int i = 1; i < count; i++) {
        high |= samples.high[i] == 1000 && times[i - 1] < 0.77 && times[i] >= 0.77 - 1e-12;
        low |= samples.low[i] == -1000 && times[i - 1] < 0.78 && times[i] >= 0.78 - 1e-12;
        assert_true(times[i] > times[i - 1]);
    }
    assert_true(high && low);
    count = rig.source->history(rig.source->self, X, 0.1, 0.14, 20, samples);
    assert_int_equal(count, 5);
    assert_close(times[0], 0.1, 1e-12);
    assert_close((double)values[4], 0.14 * 0.14, 1e-8); // a float
    assert_int_equal(rig.source->history(rig.source->self, X, 3, 4, 20, samples), 0);
    assert_int_equal(rig.source->history(rig.source->self, X, 1, 0, 20, samples), 0);
    assert_int_equal(rig.source->history(rig.source->self, 99, 0, 1, 20, samples), 0);
    assert_int_equal(rig.source->history(rig.source->self, X, NAN, NAN, 20, samples), 0);
    ib_player_destroy(rig.player);
}

// Goal: a log without samples is refused. Method: empty series.
static void a_log_without_samples_is_refused(void **state)
{
    (void)state;
    Rig rig;
    ib_Error error;
    make_log(&rig, 0);
    for (int i = 0; i < SERIES; i++) rig.series[i].count = 0;
    ib_PlayerOptions options = {.path = "empty", .speed = 1};
    assert_int_equal(ib_player_create(&rig.log, &options, &rig.player, &error), IB_BAD_INPUT);
}

// ------------------------------------------------------------------------------------------ player

// Goal: it plays in its own time, tells what it passes, and ends; play at the end begins anew.
// Method: 2 s at 8 times its speed; events in order, the lines of a drive left out.
static void it_plays_to_the_end_and_tells_what_it_passes(void **state)
{
    (void)state;
    Rig rig;
    start(&rig, 1000 * IB_SECOND, (ib_PlayerOptions){.speed = 8}); // recordings may start late
    int64_t begin = ib_wall_now();
    until(&rig, rig.status.state == IB_FEED_ENDED);
    double wall = (double)(ib_wall_now() - begin) / 1e9;
    until(&rig, rig.event_count == 3);
    wait(&rig, 0.03);
    assert_true(wall > 0.2 && wall < 2); // 0.25 s, and what a busy machine adds; 2 s without speed
    assert_close(rig.time, 2, 1e-9);
    assert_close(rig.values[X], 4, 1e-12);
    assert_int_equal(rig.event_count, 3);
    assert_string_equal(rig.texts[0], "at the start");
    assert_string_equal(rig.texts[1], "the main breaker trips");
    assert_string_equal(rig.texts[2], "expectation failed: ? not UTF-8");
    assert_int_equal(rig.kinds[1], IB_MODE_BREAKER);
    assert_int_equal(rig.kinds[2], IB_EVENT_EXPECTATION);
    order(&rig, IB_COMMAND_PLAY, 0);
    until(&rig, rig.run == 2 && rig.time < 1.9);
    ib_player_destroy(rig.player);
}

// Goal: pause, step, speed, seek and reset do as they say. Method: the times of the rows.
static void time_controls_do_as_they_say(void **state)
{
    (void)state;
    Rig rig;
    start(&rig, 0, (ib_PlayerOptions){.speed = 1, .paused = true});
    until(&rig, rig.rows == 1);
    wait(&rig, 0.05);
    assert_int_equal(rig.rows, 1);
    order(&rig, IB_COMMAND_STEP, 3); // of the samples' 10 ms
    until(&rig, rig.rows == 2);
    assert_close(rig.time, 0.03, 1e-12);
    rig.jumped = false;
    order(&rig, IB_COMMAND_SEEK, 1.505);
    until(&rig, rig.time == 1.505);
    assert_true(rig.jumped);
    assert_close(rig.values[X], (1.5 * 1.5 + 1.51 * 1.51) / 2, 1e-12);
    int told = rig.event_count;
    wait(&rig, 0.05);
    assert_int_equal(rig.event_count, told); // what was jumped over is not told
    assert_int_equal(rig.status.state, IB_FEED_PAUSED);
    order(&rig, IB_COMMAND_SEEK, 99);
    until(&rig, rig.time == 2);
    order(&rig, IB_COMMAND_SEEK, -3);
    until(&rig, rig.time == 0);
    order(&rig, IB_COMMAND_SEEK, NAN);
    int64_t begin = ib_wall_now();
    order(&rig, IB_COMMAND_SPEED, 0.5);
    order(&rig, IB_COMMAND_PLAY, 0);
    until(&rig, rig.time > 0.15);
    assert_true(rig.time <= 0.5 * (double)(ib_wall_now() - begin) / 1e9);
    order(&rig, IB_COMMAND_RESET, 0);
    until(&rig, rig.run == 2);
    assert_true(rig.first < 0.1);
    ib_player_destroy(rig.player);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_between_samples_are_joined_or_held),
        cmocka_unit_test(samples_far_apart_are_not_joined),
        cmocka_unit_test(changes_in_a_recording_are_counted),
        cmocka_unit_test(history_keeps_extremes),
        cmocka_unit_test(a_log_without_samples_is_refused),
        cmocka_unit_test(it_plays_to_the_end_and_tells_what_it_passes),
        cmocka_unit_test(time_controls_do_as_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
