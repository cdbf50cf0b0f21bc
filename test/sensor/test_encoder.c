// An encoder by itself: counts, what they stand for, counts that get lost, speeds summed up.
#include "cmocka_all.h"
#include "sensor/encoder.h"
#include "sensor/sensor.h"

#include <string.h>

static ib_EncoderConfig *own(ib_SensorConfig *config)
{
    return (void *)config->own;
}

static const double pi = 3.14159265358979323846;

enum { SEED = 1, STREAM = 77, ROOM = 128 };

// Of a signal of this unit, 5 ms between samples.
static ib_SensorConfig make(const char *unit, ib_EncoderConfig encoder)
{
    ib_SensorConfig config = {
        .kind = ib_sensor_kind_find("encoder"), .name = "e", .signal = "y", .period = 5000000};
    const char *key;
    ib_Error error = {0};
    *own(&config) = encoder;
    assert_int_equal(ib_sensor_check(&config, unit, &key, &error), IB_OK);
    return config;
}

// ------------------------------------------------------------------------------------------ counts

// Goal: the counter is the floor of what has been turned, from 0 at the start. Method: a shaft that
// starts at 123.4 rad and swings by 40 rad, seen at every tick; the value shown must be a whole
// count, not above the truth and less than a count below it (1e-9 of a count for rounding).
static void counter_is_the_floor_of_the_angle(void **unused)
{
    (void)unused;
    ib_SensorConfig config = make("rad", (ib_EncoderConfig){.counts = 360});
    double q = 2 * pi / 360, state[ROOM];
    assert_string_equal(config.unit, "rad");
    ib_sensor_reset(&config, &(double){123.4}, state);
    assert_true(state[0] == 0);
    for (int i = 0; i < 2000; i++) {
        double turned = 40 * sin(0.005 * i);
        ib_sensor_update(&config, SEED, STREAM, i, &(double){123.4 + turned}, state);
        double counts = state[0] / q;
        assert_close(counts, rint(counts), 1e-9);
        assert_true(turned / q - counts > -1e-9 && turned / q - counts < 1 + 1e-9);
    }
}

// Goal: exact counts where arithmetic is exact. Method: quarter-metre counts of a distance in steps
// of 1/16 m, forward, and in reverse, where the floor falls on the other side.
static void counts_are_exact_in_both_directions(void **unused)
{
    (void)unused;
    ib_SensorConfig ahead = make("m", (ib_EncoderConfig){.distance_per_count = 0.25});
    ib_SensorConfig back =
        make("m", (ib_EncoderConfig){.distance_per_count = 0.25, .direction = IB_ENCODER_REVERSE});
    double first[ROOM], second[ROOM];
    ib_sensor_reset(&ahead, &(double){1}, first);
    ib_sensor_reset(&back, &(double){1}, second);
    for (int i = 0; i <= 160; i++) {
        int sixteenths = i <= 80 ? i : 160 - 2 * (i - 80); // out by 5 m, home and 10 m beyond
        double truth = 1 + sixteenths / 16.0;
        ib_sensor_update(&ahead, SEED, STREAM, i, &truth, first);
        ib_sensor_update(&back, SEED, STREAM, i, &truth, second);
        int floor_ahead = sixteenths >= 0 ? sixteenths / 4 : -((3 - sixteenths) / 4);
        int floor_back = sixteenths <= 0 ? -sixteenths / 4 : -((3 + sixteenths) / 4);
        assert_true(first[0] == 0.25 * floor_ahead);
        assert_true(second[0] == 0.25 * floor_back);
    }
}

// Goal: a count stands for what the keys say, in the unit they lead to. Method: all legal
// combinations, by hand; 1e-16 relative for the product's rounding.
static void count_stands_for_an_angle_or_a_distance(void **unused)
{
    (void)unused;
    static const struct {
        const char *unit;
        ib_EncoderConfig keys;
        const char *shown;
        double per_count, scale;
    } cases[] = {
        {"rad", {.counts = 1000}, "rad", 6.283185307179586e-3, 1},
        {"rad/s", {.counts = 1000}, "rad", 6.283185307179586e-3, 1},
        {"rad/s", {.counts = 1000, .velocity = true}, "rad/s", 6.283185307179586e-3, 1},
        {"rad/s", {.counts = 1000, .radius = 0.5}, "m", 3.141592653589793e-3, 0.5},
        {"rad", {.distance_per_count = 1e-3, .radius = 0.5}, "m", 1e-3, 0.5},
        {"m/s", {.counts = 1000, .radius = 0.5}, "m", 3.141592653589793e-3, 1},
        {"m", {.distance_per_count = 1e-3, .velocity = true}, "m/s", 1e-3, 1},
        {"m", {.distance_per_count = 1e-3, .direction = IB_ENCODER_REVERSE}, "m", 1e-3, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_SensorConfig config = make(cases[i].unit, cases[i].keys);
        assert_string_equal(config.unit, cases[i].shown);
        assert_close(own(&config)->per_count, cases[i].per_count, 1e-16 * 10);
        assert_true(own(&config)->scale == cases[i].scale);
        assert_int_equal(own(&config)->integrates, strchr(cases[i].unit, '/') != NULL);
    }
}

// Goal: the velocity is the counts of a period over the period; its sum is the counter. Method: 10
// rad/s make 2.864… counts of 1 degree in 5 ms, so 2 or 3 are seen at every tick and never anything
// else; 0 at the start. Rounding of a sum of 1000: 1e-12.
static void velocity_is_the_difference_of_counts(void **unused)
{
    (void)unused;
    ib_SensorConfig place = make("rad", (ib_EncoderConfig){.counts = 360});
    ib_SensorConfig speed = make("rad", (ib_EncoderConfig){.counts = 360, .velocity = true});
    double p[ROOM], v[ROOM], sum = 0, q = pi / 180;
    ib_sensor_reset(&place, &(double){0}, p);
    ib_sensor_reset(&speed, &(double){0}, v);
    for (int i = 0; i < 1000; i++) {
        ib_sensor_update(&place, SEED, STREAM, i, &(double){10 * 0.005 * i}, p);
        ib_sensor_update(&speed, SEED, STREAM, i, &(double){10 * 0.005 * i}, v);
        double counts = v[0] * 0.005 / q;
        assert_true(i == 0 ? counts == 0 : fabs(counts - 2.5) < 0.5 + 1e-9);
        assert_close(counts, rint(counts), 1e-9);
        sum += v[0] * 0.005;
        assert_close(sum, p[0], 1e-12);
    }
}

// Goal: a value comes after its latency, and a copy of the state goes on alike to the bit. Method:
// a quarter-metre encoder three periods late with lost counts; a copy is taken in the middle.
static void latency_and_restoring_keep_the_count(void **unused)
{
    (void)unused;
    ib_EncoderConfig keys = {.distance_per_count = 0.25, .missed = 0.1};
    ib_SensorConfig now = make("m", keys), late = make("m", keys);
    double a[ROOM], b[ROOM], copy[ROOM], seen[200];
    late.latency = 3 * late.period;
    int states = ib_sensor_states(&late);
    assert_int_equal(states, ib_sensor_states(&now) + 3);
    ib_sensor_reset(&now, &(double){0}, a);
    ib_sensor_reset(&late, &(double){0}, b);
    for (int i = 0; i < 200; i++) {
        ib_sensor_update(&now, SEED, STREAM, i, &(double){0.3 * i}, a);
        ib_sensor_update(&late, SEED, STREAM, i, &(double){0.3 * i}, b);
        seen[i] = a[0];
        assert_true(b[0] == (i < 3 ? 0 : seen[i - 3]));
        if (i == 100) memcpy(copy, b, sizeof copy);
        if (i > 100) ib_sensor_update(&late, SEED, STREAM, i, &(double){0.3 * i}, copy);
    }
    assert_memory_equal(copy, b, (size_t)states * sizeof *b);
}

// ------------------------------------------------------------------------------------- lost counts

// How many of `counts` are lost, `each` of them per tick.
static double lost(double p, uint64_t seed, int counts, int each)
{
    ib_SensorConfig config = make("m", (ib_EncoderConfig){.distance_per_count = 1, .missed = p});
    double state[ROOM];
    ib_sensor_reset(&config, &(double){0}, state);
    for (int i = 1; i * each <= counts; i++)
        ib_sensor_update(&config, seed, STREAM, i, &(double){i * (double)each}, state);
    return counts - state[0];
}

// Goal: counts are lost with their probability, each by itself. Method: 400 seeds of 10 000 counts
// at p = 0.01: the number lost is binomial, mean 100 and variance 99; bounds of 4 standard errors,
// 4 sqrt(99/400) = 2 and 4 * 99 sqrt(2/400) = 28.
static void lost_counts_are_binomial(void **unused)
{
    (void)unused;
    double sum = 0, squares = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        double n = lost(0.01, seed, 10000, 500);
        sum += n;
        squares += (n - 100) * (n - 100);
    }
    assert_close(sum / 400, 100, 2);
    assert_close(squares / 400, 99, 28);
}

// Goal: which counts are lost does not depend on the ticks; the extremes hold; a period that loses
// thousands does so at the mean. Method: ticks of 1, 10 and 1000 counts; p = 0, 1 and 1e-12; half
// of 2 million counts in one tick, where 4 standard deviations of the first thousand draws are 130.
static void lost_counts_do_not_depend_on_the_ticks(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 20; seed++) {
        double one = lost(0.02, seed, 10000, 1);
        assert_true(one > 0);
        assert_true(lost(0.02, seed, 10000, 10) == one);
        assert_true(lost(0.02, seed, 10000, 1000) == one);
    }
    assert_true(lost(0, 1, 10000, 10) == 0);
    assert_true(lost(1, 1, 10000, 10) == 10000);
    assert_true(lost(1, 1, 1000000, 100000) == 1000000);
    assert_true(lost(1e-12, 1, 10000, 10) == 0);
    assert_close(lost(0.5, 1, 2000000, 2000000), 1000000, 200);
}

// Goal: what is lost stays lost, in either direction. Method: a wheel that goes out and home 100
// times; on each way some counts are lost, against its direction, and the counter must be off by
// the difference of the two sums, which a second encoder that only goes ahead cannot show.
static void lost_counts_add_up(void **unused)
{
    (void)unused;
    ib_SensorConfig config = make("m", (ib_EncoderConfig){.distance_per_count = 1, .missed = 0.05});
    double state[ROOM], before = 0, expected = 0;
    int index = 0, wrong = 0;
    ib_sensor_reset(&config, &(double){0}, state);
    for (int leg = 0; leg < 200; leg++) {
        double to = leg % 2 == 0 ? 50 : 0;
        ib_sensor_update(&config, SEED, STREAM, ++index, &to, state);
        double moved = fabs(state[0] - before), gone = 50 - moved;
        assert_true(gone >= 0 && gone <= 50 && moved == rint(moved));
        assert_true(leg % 2 == 0 ? state[0] >= before : state[0] <= before);
        expected += leg % 2 == 0 ? -gone : gone;
        wrong += gone > 0;
        before = state[0];
        assert_true(state[0] - to == expected);
    }
    assert_true(wrong > 100); // 92 % of the legs lose at least one
}

// ------------------------------------------------------------------------------------------ speeds

// How far the sum of w = 20 (1 - cos 6 t) is off after 2 s; counts of 1 nm keep the floor out.
static double sum_error(ib_Time period)
{
    ib_SensorConfig config = make("m/s", (ib_EncoderConfig){.distance_per_count = 1e-9});
    double state[ROOM];
    config.period = period;
    ib_sensor_reset(&config, &(double){0}, state);
    int64_t n = 2 * IB_SECOND / period;
    for (int64_t i = 0; i <= n; i++) {
        double t = ib_time_to_seconds(i * period);
        ib_sensor_update(&config, SEED, STREAM, i, &(double){20 * (1 - cos(6 * t))}, state);
    }
    return fabs(state[0] - 20 * (2 - sin(12) / 6));
}

// Goal: a summed speed keeps the bound t T^2/12 max|w''| and is of second order. Method: max|w''| =
// 720; the error falls fourfold with half the period, within 2 % (fourth-order terms, the floor).
static void summed_speed_keeps_its_bound(void **unused)
{
    (void)unused;
    double coarse = sum_error(10000000), fine = sum_error(5000000);
    assert_true(coarse <= 2 * 1e-4 / 12 * 720);
    assert_true(fine <= 2 * 25e-6 / 12 * 720);
    assert_close(coarse / fine, 4, 0.08);
}

// Goal: a kink and a jump between two samples cost what they may. Method: speeds whose slope jumps
// by 600 m/s^2, or which jump by 3 m/s, at every tenth of a period; bounds T^2/8 600 and T/2 3,
// both of which are reached to 5 % somewhere.
static void kinks_and_jumps_keep_their_bounds(void **unused)
{
    (void)unused;
    double T = 0.005, worst_kink = 0, worst_jump = 0;
    for (int tenth = 0; tenth <= 10; tenth++) {
        double at = (10 + tenth / 10.0) * T, end = 20 * T, kink[ROOM], jump[ROOM];
        ib_SensorConfig config = make("m/s", (ib_EncoderConfig){.distance_per_count = 1e-9});
        ib_sensor_reset(&config, &(double){0}, kink);
        ib_sensor_reset(&config, &(double){0}, jump);
        for (int i = 0; i <= 20; i++) {
            double after = i * T - at;
            ib_sensor_update(&config, SEED, STREAM, i, &(double){after > 0 ? 600 * after : 0},
                             kink);
            ib_sensor_update(&config, SEED, STREAM, i, &(double){after > 0 ? 3 : 0}, jump);
        }
        worst_kink = fmax(worst_kink, fabs(kink[0] - 300 * (end - at) * (end - at)));
        worst_jump = fmax(worst_jump, fabs(jump[0] - 3 * (end - at)));
    }
    assert_true(worst_kink <= T * T / 8 * 600 + 1e-8 && worst_kink > 0.95 * T * T / 8 * 600);
    assert_true(worst_jump <= T / 2 * 3 + 1e-8 && worst_jump > 0.95 * T / 2 * 3);
}

// -------------------------------------------------------------------------------------------- keys

// Goal: what cannot be counted is refused, at its key. Method: one of each.
static void wrong_keys_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *unit;
        ib_EncoderConfig keys;
        const char *key, *words;
    } cases[] = {
        {"V", {.counts = 10}, "signal", "rad, m, rad/s or m/s"},
        {"rad/s^2", {.counts = 10}, "signal", "rad, m, rad/s or m/s"},
        {"m/s^2", {.distance_per_count = 1}, "signal", "rad, m, rad/s or m/s"},
        {"rad", {0}, "", "'counts' is missing"},
        {"rad", {.counts = 10, .distance_per_count = 1}, "distance_per_count", "either"},
        {"rad", {.distance_per_count = 1}, "distance_per_count", "needs the radius"},
        {"m", {.counts = 10}, "counts", "need the radius"},
        {"m/s", {.distance_per_count = 1, .radius = 1}, "radius", "leave this key out"},
        {"m", {.distance_per_count = 1e-300}, "distance_per_count", "1e-12 m"},
        {"rad", {.counts = 10, .radius = 1e-300}, "radius", "1e-12 m"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_SensorConfig config = {.kind = ib_sensor_kind_find("encoder"), .period = 1000000};
        const char *key;
        ib_Error error = {0};
        *own(&config) = cases[i].keys;
        assert_int_equal(ib_sensor_check(&config, cases[i].unit, &key, &error), IB_BAD_INPUT);
        assert_string_equal(key, cases[i].key);
        assert_non_null(strstr(error.text, cases[i].words));
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counter_is_the_floor_of_the_angle),
        cmocka_unit_test(counts_are_exact_in_both_directions),
        cmocka_unit_test(count_stands_for_an_angle_or_a_distance),
        cmocka_unit_test(velocity_is_the_difference_of_counts),
        cmocka_unit_test(latency_and_restoring_keep_the_count),
        cmocka_unit_test(lost_counts_are_binomial),
        cmocka_unit_test(lost_counts_do_not_depend_on_the_ticks),
        cmocka_unit_test(lost_counts_add_up),
        cmocka_unit_test(summed_speed_keeps_its_bound),
        cmocka_unit_test(kinks_and_jumps_keep_their_bounds),
        cmocka_unit_test(wrong_keys_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
