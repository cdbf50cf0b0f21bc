// Inputs that go up and down.
#include "cmocka_all.h"
#include "sim/input/timeline.h"
#include "sim/input/wave.h"

#include <math.h>
#include <string.h>

#define MS (IB_SECOND / 1000)
#define PI 3.14159265358979323846

static ib_Wave wave_of(ib_WaveShape shape, double frequency)
{
    return (ib_Wave){.shape = shape,
                     .mean = 3,
                     .amplitude = 2,
                     .frequency = frequency,
                     .growth = 1,
                     .end = IB_TIME_NEVER};
}

static double at(const ib_Wave *wave, ib_Time time)
{
    double value, slope;
    ib_wave_read(wave, time, &value, &slope);
    return value;
}

// Goal: a sine is exact at its points, straight between them, and never off by more than
// A w^2 h^2/8, the height of an arc over its chord h. Method: the C library's sine at 20 000
// instants, also after a week. The sine of 1 Hz has points every 2 ms: 1/400 of its period is 2.5
// ms long.
static void a_sine_is_a_chain_of_chords(void **unused)
{
    (void)unused;
    ib_Wave wave = wave_of(IB_WAVE_SINE, 1);
    wave.phase = 0.125;
    assert_int_equal(ib_wave_chord(&wave), 2 * MS);
    double bound = 2 * (2 * PI * 0.002) * (2 * PI * 0.002) / 8;
    assert_true(bound < 3.1e-5 * 2);
    ib_Time week = 7 * 24 * 3600 * IB_SECOND;
    for (int i = 0; i < 20000; i++) {
        ib_Time time = (i % 2 ? week : 0) + i * (ib_Time)123457;
        double value, slope, t = ib_time_to_seconds(time % IB_SECOND);
        ib_Time until = ib_wave_read(&wave, time, &value, &slope);
        double exact = 3 + 2 * sin(2 * PI * (t + 0.125));
        double middle = ib_time_to_seconds((until - MS) % IB_SECOND);
        assert_true(fabs(value - exact) <= bound * 1.0001);
        // A chord has the slope of the arc's middle, less 1/24 of w^2 h^2 of it.
        assert_close(slope, 4 * PI * cos(2 * PI * (middle + 0.125)), 4 * PI * 7e-6);
        assert_int_equal(until % (2 * MS), 0);
        assert_true(until > time && until - time <= 2 * MS);
        assert_close(at(&wave, until),
                     3 + 2 * sin(2 * PI * (ib_time_to_seconds(until % IB_SECOND) + 0.125)), 1e-9);
    }
}

// Goal: chords are 1, 2 or 5 times a power of ten nanoseconds, and at least 400 a period. Method:
// frequencies over fourteen decades.
static void chords_are_round_and_short(void **unused)
{
    (void)unused;
    for (double f = 1e-9; f <= IB_WAVE_MOST; f *= 1.7) {
        ib_Wave wave = wave_of(IB_WAVE_SINE, f);
        ib_Time chord = ib_wave_chord(&wave), digits = chord;
        assert_true(chord >= 1 && (double)chord * 1e-9 * f <= 1.0 / 400);
        assert_true((double)chord * 1e-9 * f >= 1.0 / 1001 || chord >= IB_SECOND);
        while (digits % 10 == 0) digits /= 10;
        assert_true(digits == 1 || digits == 2 || digits == 5);
    }
}

// Goal: a square, a triangle and a trapezoid by hand. Method: a period of 4 s, mean 3, amplitude 2,
// corners and middles of flanks.
static void straight_waves_have_their_corners(void **unused)
{
    (void)unused;
    ib_Wave square = wave_of(IB_WAVE_SQUARE, 0.25), triangle = wave_of(IB_WAVE_TRIANGLE, 0.25);
    ib_Wave trapezoid = wave_of(IB_WAVE_TRAPEZOID, 0.25);
    double value, slope;
    trapezoid.ramp = 1; // from -0.5 s to 0.5 s, 1.5 s to 2.5 s, …
    assert_int_equal(ib_wave_read(&square, 0, &value, &slope), 2 * IB_SECOND);
    assert_true(value == 5 && slope == 0);
    assert_int_equal(ib_wave_read(&square, 2 * IB_SECOND, &value, &slope), 4 * IB_SECOND);
    assert_true(value == 1 && slope == 0);
    assert_true(at(&square, 2 * IB_SECOND - 1) == 5 && at(&square, 4 * IB_SECOND) == 5);

    assert_int_equal(ib_wave_read(&triangle, 0, &value, &slope), IB_SECOND);
    assert_close(value, 3, 1e-15);
    assert_close(slope, 2, 1e-15);
    assert_int_equal(ib_wave_read(&triangle, IB_SECOND, &value, &slope), 3 * IB_SECOND);
    assert_close(value, 5, 1e-15);
    assert_close(slope, -2, 1e-15);
    assert_close(at(&triangle, 7 * IB_SECOND / 2), 2, 1e-14);

    static const double knots[][2] = {{0, 3},   {0.25, 4}, {0.5, 5}, {1, 5},
                                      {1.5, 5}, {2, 3},    {2.5, 1}, {3, 1},
                                      {3.5, 1}, {3.75, 2}, {4, 3},   {404.25, 4}};
    for (size_t i = 0; i < sizeof knots / sizeof knots[0]; i++)
        assert_close(at(&trapezoid, ib_time_from_seconds(knots[i][0])), knots[i][1], 1e-13);
    assert_int_equal(ib_wave_read(&trapezoid, IB_SECOND, &value, &slope), 3 * IB_SECOND / 2);
    assert_true(slope == 0);
    assert_int_equal(ib_wave_read(&trapezoid, 2 * IB_SECOND, &value, &slope), 5 * IB_SECOND / 2);
    assert_close(slope, -4, 1e-14);
}

// Goal: no corner is lost or met twice where periods are no whole nanoseconds. Method: walks from
// corner to corner over 3000 periods of 1/7 of a millisecond with a phase; pieces join, but for a
// square's jumps, and there are as many as there should be.
static void corners_follow_each_other(void **unused)
{
    (void)unused;
    for (int shape = IB_WAVE_SQUARE; shape <= IB_WAVE_TRAPEZOID; shape++) {
        ib_Wave wave = wave_of((ib_WaveShape)shape, 7000);
        wave.phase = -0.3;
        wave.ramp = 3e-5;
        wave.start = 12345;
        ib_Time time = wave.start, stop = wave.start + ib_time_from_seconds(3000 / 7000.0);
        double value, slope, come = at(&wave, time);
        int pieces = 0;
        while (time < stop) {
            ib_Time until = ib_wave_read(&wave, time, &value, &slope);
            assert_true(until > time);
            if (shape != IB_WAVE_SQUARE) assert_close(value, come, 1e-9);
            if (pieces > 0) assert_true(ib_wave_bends(&wave, time));
            assert_false(until - time > 2 && ib_wave_bends(&wave, time + 1));
            come = value + slope * ib_time_to_seconds(until - time);
            assert_true(come >= 1 - 1e-9 && come <= 5 + 1e-9);
            time = until;
            pieces++;
        }
        assert_in_range(pieces, shape == IB_WAVE_TRAPEZOID ? 12000 : 6000,
                        shape == IB_WAVE_TRAPEZOID ? 12001 : 6001);
    }
}

// Goal: before its start and after its end a wave stands where it begins and ends. Method: a
// quarter of a sine; a square that ends where it would jump.
static void a_wave_stands_outside_of_its_time(void **unused)
{
    (void)unused;
    ib_Wave sine = wave_of(IB_WAVE_SINE, 0.25), square = wave_of(IB_WAVE_SQUARE, 0.25);
    double value, slope;
    sine.start = square.start = IB_SECOND;
    sine.end = 2 * IB_SECOND;
    square.end = 3 * IB_SECOND;
    assert_int_equal(ib_wave_read(&sine, 0, &value, &slope), IB_SECOND);
    assert_true(value == 3 && slope == 0);
    assert_true(ib_wave_read(&sine, 2 * IB_SECOND, &value, &slope) == IB_TIME_NEVER);
    assert_close(value, 5, 1e-12);
    assert_true(slope == 0);
    assert_int_equal(ib_wave_read(&sine, 2 * IB_SECOND - 5 * MS, &value, &slope), 2 * IB_SECOND);
    assert_true(ib_wave_read(&square, 3 * IB_SECOND, &value, &slope) == IB_TIME_NEVER);
    assert_true(value == 5 && slope == 0);
    assert_true(ib_wave_bends(&sine, IB_SECOND) && ib_wave_bends(&sine, 2 * IB_SECOND));
    assert_false(ib_wave_bends(&sine, IB_SECOND + 10 * MS) || ib_wave_bends(&sine, 0));
}

// Goal: a chirp's frequency grows by the same factor in the same time. Method: from 1 Hz to 16 Hz
// in 8 s, an octave every 2 s: after an octave it has made f T/ln g = 2/ln 2 = 2.885… cycles, so
// upward zeros are where 2^(t/2) = 1 + n ln 2/2.
static void a_chirp_grows_by_octaves(void **unused)
{
    (void)unused;
    ib_Wave wave = wave_of(IB_WAVE_CHIRP, 1);
    wave.growth = 16;
    wave.end = 8 * IB_SECOND;
    assert_int_equal(ib_wave_chord(&wave), MS / 10);
    for (int n = 0; n < 43; n++) {
        double t = 2 * log2(1 + n * log(2) / 2), value, slope, f = exp2(t / 2);
        ib_wave_read(&wave, ib_time_from_seconds(t), &value, &slope);
        assert_close(value, 3, 1e-5);
        assert_close(slope, 4 * PI * f, 0.01 * 4 * PI * f);
    }
    wave.growth = 1; // a sine
    assert_close(at(&wave, IB_SECOND / 8), 3 + 2 * sin(PI / 4), 1e-4);
}

// Goal: what is impossible is named by its key. Method: one of each.
static void impossible_waves_are_refused(void **unused)
{
    (void)unused;
    ib_Error error;
    struct {
        ib_Wave wave;
        const char *words;
    } cases[] = {
        {wave_of(IB_WAVE_SINE, 0), "frequency: expected more than 0 Hz"},
        {wave_of(IB_WAVE_SINE, 2 * IB_WAVE_MOST), "frequency: expected more than 0 Hz"},
        {wave_of(IB_WAVE_CHIRP, 1), "end: a chirp has one"},
        {wave_of(IB_WAVE_CHIRP, IB_WAVE_MOST), "at most 100000 Hz all the time, got 200000 Hz"},
        {wave_of(IB_WAVE_TRAPEZOID, 1), "ramp: expected at most half a period, 0.5 s, got 0.6 s"},
        {wave_of(IB_WAVE_SQUARE, 1), "end: expected a time later than its start, 5 s"},
    };
    cases[3].wave.growth = 2;
    cases[3].wave.end = IB_SECOND;
    cases[4].wave.ramp = 0.6;
    cases[5].wave.start = cases[5].wave.end = 5 * IB_SECOND;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(ib_wave_check(&cases[i].wave, &error), IB_BAD_INPUT);
        if (!strstr(error.text, cases[i].words)) fail_msg("%s", error.text);
    }
    ib_Wave good = wave_of(IB_WAVE_SINE, 1);
    assert_int_equal(ib_wave_check(&good, &error), IB_OK);
}

// Goal: a timeline with a wave is that wave. Method: reads both.
static void a_timeline_may_be_a_wave(void **unused)
{
    (void)unused;
    static const ib_Time start[] = {0};
    static const double first[] = {3};
    ib_Wave wave = wave_of(IB_WAVE_SINE, 5);
    ib_Timeline line = {1, start, first, .wave = &wave};
    double value, slope, own, rate;
    for (ib_Time time = 0; time < IB_SECOND; time += 7654321) {
        ib_Time until = ib_timeline_read(&line, time, 7, &value, &slope);
        assert_int_equal(until, ib_wave_read(&wave, time, &own, &rate));
        assert_true(value == own && slope == rate);
        assert_int_equal(ib_timeline_bends(&line, time), time == 0);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sine_is_a_chain_of_chords),
        cmocka_unit_test(chords_are_round_and_short),
        cmocka_unit_test(straight_waves_have_their_corners),
        cmocka_unit_test(corners_follow_each_other),
        cmocka_unit_test(a_wave_stands_outside_of_its_time),
        cmocka_unit_test(a_chirp_grows_by_octaves),
        cmocka_unit_test(impossible_waves_are_refused),
        cmocka_unit_test(a_timeline_may_be_a_wave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
