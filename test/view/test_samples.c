// Tests of view/samples.h and view/extremes.h: what few samples keep of many.
#include "cmocka_all.h"
#include "view/extremes.h"
#include "view/live_rig.h"
#include "view/samples.h"

enum { MOST = 400 };

static double times[MOST];
static float values[MOST], low[MOST], high[MOST];
static const ib_Samples samples = {times, values, low, high};

// A wave that nobody knows between its samples.
static ib_Sample wave(const void *self, int64_t i)
{
    (void)self;
    float value = (float)sin(0.37 * (double)i);
    return (ib_Sample){(double)i, value, value, value};
}

// Goal: bounds of neighbours meet, so that what is drawn from them has no holes and goes nowhere
// else. Method: each number of rows; the bounds of a row are those of a walk through the samples
// from the row before it to this one.
static void bounds_hold_all_between_two_rows(void **state)
{
    (void)state;
    for (int rows = 3; rows < MOST; rows += 7) {
        int count = ib_samples_thin(wave, NULL, 10, 300, rows, samples);
        assert_in_range(count, 2, rows);
        assert_close(times[0], 10, 0);
        assert_close(times[count - 1], 309, 0);
        for (int k = 1; k < count; k++) {
            float least = values[k], most = values[k];
            bool alone = times[k] - times[k - 1] == 1; // what lies between is not known
            for (int i = (int)times[k - 1]; i <= (int)times[k] && !alone; i++) {
                least = fminf(least, wave(NULL, i).value);
                most = fmaxf(most, wave(NULL, i).value);
            }
            assert_close(low[k], least, 0);
            assert_close(high[k], most, 0);
        }
    }
    assert_int_equal(ib_samples_thin(wave, NULL, 0, 0, 10, samples), 0);
    assert_int_equal(ib_samples_thin(wave, NULL, 0, 9, 1, samples), 0);
}

// Goal: a pulse of one step between two rows is in the row that follows, and not in the one after
// it. Method: a live Roomba, paused; its left force is 2 N for the one millisecond from 3 ms on;
// ten steps go together.
static void a_pulse_between_rows_is_seen(void **state)
{
    (void)state;
    LiveRig rig;
    rig_start(&rig,
              "robot: {kind: roomba}\n"
              "inputs: {left: [[0 s, 0 N], [3 ms, 2 N], [4 ms, 0 N]], right: 0 N}\n"
              "run: {duration: 1 s, step: 1 ms}\n",
              (ib_LiveOptions){.speed = 1, .paused = true});
    int force = ib_signals_find(&rig.scenario->model->signals, "drive.left.force");
    assert_true(force >= 0);
    ib_Feed *feed = rig.source->feed;
    double most[3] = {0}, last = -1;
    for (int n = 0; n < 3; n++) {
        if (n > 0) rig_order(&rig, IB_COMMAND_STEP, 10);
        int64_t end = ib_wall_now() + 30 * IB_SECOND;
        while (last < 0.01 * n - 1e-9 && ib_wall_now() < end) {
            const ib_FeedRow *row = ib_feed_row(feed);
            if (!row) {
                ib_wall_sleep(ib_wall_now() + IB_SECOND / 1000);
                continue;
            }
            assert_true(row->ranged);
            most[n] = fmax(most[n], row->values[2 * rig.source->signal_count + force]);
            assert_close(row->values[force], 0, 0);
            last = row->time;
            ib_feed_release(feed);
        }
        assert_close(last, 0.01 * n, 1e-12);
    }
    assert_close(most[0], 0, 0);
    assert_close(most[1], 2, 0);
    assert_close(most[2], 0, 0);
    rig_stop(&rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_all_between_two_rows),
        cmocka_unit_test(a_pulse_between_rows_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
