// Low-pass filters by themselves: their responses, orders, ends, and both ways through a recording.
#include "cmocka_all.h"
#include "linear/filter.h"

#include <complex.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static ib_Filter make(ib_FilterConfig config, double rate)
{
    ib_Filter filter;
    const char *key;
    ib_Error error = {0};
    if (ib_filter_init(&config, rate, &filter, &key, &error) != IB_OK)
        fail_msg("%s: %s", key, error.text);
    return filter;
}

static void refuses(ib_FilterConfig config, double rate, const char *at, const char *words)
{
    ib_Filter filter;
    const char *key;
    ib_Error error = {0};
    assert_int_equal(ib_filter_init(&config, rate, &filter, &key, &error), IB_BAD_INPUT);
    assert_string_equal(key, at);
    if (!strstr(error.text, words)) fail_msg("'%s' not in: %s", words, error.text);
}

static bool has_died_out(const double *memory)
{
    double left = 0;
    for (int i = 0; i < IB_FILTER_ORDER; i++) left += fabs(memory[i]);
    return left < 1e-20;
}

// |H| at a frequency, from what comes out after an impulse: the sum of h_n exp(-i 2 pi f n/fs).
static double gain(const ib_Filter *filter, double frequency, double rate)
{
    enum { LONG = 60000 };
    double memory[IB_FILTER_ORDER] = {0};
    double complex turn = cexp(-2 * pi * frequency / rate * I), power = 1, sum = 0;
    ib_filter_settle(filter, 0, memory);
    for (int n = 0; n < LONG && (n == 0 || !has_died_out(memory)); n++) {
        sum += ib_filter_step(filter, n == 0, memory) * power;
        power *= turn;
    }
    return cabs(sum);
}

// The continuous filter at the frequency to which the bilinear transform takes f.
static double butterworth(int order, double cutoff, double f, double rate)
{
    return 1 / sqrt(1 + pow(tan(pi * f / rate) / tan(pi * cutoff / rate), 2 * order));
}

static double chebyshev2(int order, double edge, double a, double f, double rate)
{
    double x = tan(pi * edge / rate) / tan(pi * f / rate);
    double t = x >= 1 ? cosh(order * acosh(x)) : cos(order * acos(x));
    return 1 / sqrt(1 + (pow(10, a / 10) - 1) / (t * t));
}

static const double rates[] = {200, 1000, 48000};
static const double parts[] = {0.001, 0.3, 0.8, 0.95, 1, 1.05, 1.3, 2, 3.7}; // of the cutoff

// Goal: the response is that of the textbook at every frequency, for every order. Method: the sum
// over the impulse response against the closed form, from a thousandth of the cutoff to near half
// the rate. 1e-9: at most 60000 terms, whose powers are off by 1e-16 more each.
static void butterworth_has_its_response(void **unused)
{
    (void)unused;
    for (int order = 1; order <= IB_FILTER_ORDER; order++) {
        double rate = rates[order % 3], cutoff = rate * (order % 2 ? 0.01 : 0.12);
        ib_Filter filter = make((ib_FilterConfig){IB_FILTER_BUTTERWORTH, order, cutoff}, rate);
        assert_int_equal(filter.order, order);
        for (int i = 0; i < 9; i++) {
            double f = parts[i] * cutoff;
            assert_close(gain(&filter, f, rate), butterworth(order, cutoff, f, rate), 1e-9);
        }
        assert_close(gain(&filter, cutoff, rate), sqrt(0.5), 1e-9); // -3.01 dB
    }
}

// Goal and method: the same for Chebyshev's second kind, and -A dB at the edge.
static void chebyshev2_has_its_response(void **unused)
{
    (void)unused;
    for (int order = 1; order <= IB_FILTER_ORDER; order++) {
        double rate = rates[order % 3], edge = rate * (order % 2 ? 0.01 : 0.12);
        double a = 20 + 3 * order;
        ib_Filter filter =
            make((ib_FilterConfig){IB_FILTER_CHEBYSHEV2, order, edge, .attenuation = a}, rate);
        for (int i = 0; i < 9; i++) {
            double f = parts[i] * edge;
            assert_close(gain(&filter, f, rate), chebyshev2(order, edge, a, f, rate), 1e-9);
        }
        assert_close(gain(&filter, edge, rate), pow(10, -a / 20), 1e-9);
    }
}

// Goal: edges of bands give the least order, and keep what they promise. Method: the four filters
// of the thesis of the compact rescue robot (appendix A.3) at 1 kHz. By acosh d/acosh w, calculated
// apart with the prewarped frequencies, they need 6.9523, 3.0775, 6.8893 and 6.9444; at the end of
// the pass band they then lose 0.9425, 0.0620, 0.8411 and 0.9331 dB, less than the 1 dB asked for.
static void edges_give_the_least_order(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        double pass, stop, a, least, lost;
        int order;
    } cases[] = {{"position", 12, 15, 30, 6.952315300125254, 0.9424548545727072, 7},
                 {"velocity", 2, 5, 30, 3.077506854867323, 0.06200443268838371, 4},
                 {"pressure", 5, 7, 40, 6.889261496751225, 0.8410525910136362, 7},
                 {"force", 20, 25, 30, 6.9443916261305425, 0.9331110184743513, 7}};
    for (int i = 0; i < 4; i++) {
        ib_FilterConfig config = {.kind = IB_FILTER_CHEBYSHEV2,
                                  .pass = cases[i].pass,
                                  .stop = cases[i].stop,
                                  .ripple = 1,
                                  .attenuation = cases[i].a};
        ib_Filter filter = make(config, 1000);
        assert_close(ib_filter_least_order(&config, 1000), cases[i].least, 1e-10);
        assert_int_equal(filter.order, cases[i].order);
        assert_close(-20 * log10(gain(&filter, cases[i].pass, 1000)), cases[i].lost, 1e-8);
        assert_close(-20 * log10(gain(&filter, cases[i].stop, 1000)), cases[i].a, 1e-6);
        for (double f = cases[i].stop; f < 500; f *= 1.1)
            assert_true(gain(&filter, f, 1000) <= pow(10, -cases[i].a / 20) * (1 + 1e-6));
    }
}

// Goal: of Butterworth the edges give ln d/ln w and meet the stop band. Method: the velocity's
// edges need 4.5059, so order 5; 30 dB at 5 Hz, less than 1 dB at 2 Hz.
static void edges_of_butterworth_meet_the_stop_band(void **unused)
{
    (void)unused;
    ib_FilterConfig config = {
        .kind = IB_FILTER_BUTTERWORTH, .pass = 2, .stop = 5, .ripple = 1, .attenuation = 30};
    ib_Filter filter = make(config, 1000);
    assert_close(ib_filter_least_order(&config, 1000), 4.505855565143036, 1e-10);
    assert_int_equal(filter.order, 5);
    assert_close(-20 * log10(gain(&filter, 5, 1000)), 30, 1e-6);
    assert_true(-20 * log10(gain(&filter, 2, 1000)) < 1);
}

// Goal: what is constant is left alone, to the bit, however slow the filter is. Method: settled at
// a value, a thousand samples of it; cutoffs down to a millionth of the rate.
static void a_constant_is_left_alone(void **unused)
{
    (void)unused;
    for (int order = 0; order <= IB_FILTER_ORDER; order++) {
        ib_FilterConfig config = {order > 0 ? IB_FILTER_CHEBYSHEV2 : IB_FILTER_NONE, order,
                                  order > 0 ? 1e-3 : 0, .attenuation = order > 0 ? 40 : 0};
        ib_Filter filter = make(config, 1000);
        double memory[IB_FILTER_ORDER];
        ib_filter_settle(&filter, 101325.7, memory);
        for (int i = 0; i < 1000; i++)
            assert_true(ib_filter_step(&filter, 101325.7, memory) == 101325.7);
    }
}

// Goal: a ramp comes out late by the delay of the filter at frequency 0. Method: the pressure's
// filter; of poles and zeros of the textbook the delay is sum sinh(mu) sin(th)/(2 Ws) samples,
// calculated apart: 84.922 ms. 1e-9 of the ramp's 20 s: what is left of the start.
static void a_ramp_comes_late(void **unused)
{
    (void)unused;
    ib_Filter filter = make(
        (ib_FilterConfig){
            .kind = IB_FILTER_CHEBYSHEV2, .pass = 5, .stop = 7, .ripple = 1, .attenuation = 40},
        1000);
    double memory[IB_FILTER_ORDER], y = 0;
    ib_filter_settle(&filter, 0, memory);
    for (int i = 0; i <= 20000; i++) y = ib_filter_step(&filter, 1e-3 * i, memory);
    assert_close(y, 20 - 0.08492242864087886, 2e-8);
}

// Goal: both ways is what the usual recipe gives. Method: 12 samples through a Butterworth filter
// of order 2 at a tenth of the rate, calculated apart in direct form from its textbook
// coefficients, with 6 samples mirrored at either end and the memory of a constant.
// 1e-13 is rounding.
static void both_ways_follow_the_recipe(void **unused)
{
    (void)unused;
    static const double expected[] = {3.0169132780951777,  2.2739822881658847, 1.7298490019552362,
                                      1.4969248895545766,  1.5975956822184916, 1.8710536763166896,
                                      2.0358599455249653,  1.898012028508165,  1.1956896350414774,
                                      -0.5738013033691697, -3.754357475302606, -7.979245315978634};
    double x[] = {3, -1, 4, 1, -5, 9, 2, -6, 5, 3, 5, -8};
    ib_Error error;
    ib_Filter filter = make((ib_FilterConfig){IB_FILTER_BUTTERWORTH, 2, 100}, 1000);
    assert_int_equal(ib_filter_both_ways(&filter, x, 12, &error), IB_OK);
    for (int i = 0; i < 12; i++) assert_close(x[i], expected[i], 1e-13);
    assert_int_equal(ib_filter_both_ways(&filter, x, 7, &error), IB_OK);
    assert_int_equal(ib_filter_both_ways(&filter, x, 6, &error), IB_BAD_INPUT);
}

// Goal: both ways has no phase and the square of the gain. Method: a sine of 3 Hz in the pass band
// of the pressure's filter, 20 s; 5 s from the ends each sample is |H|^2 of what it was, to 1e-9.
// One way it is late by a quarter of its period.
static void both_ways_have_no_phase(void **unused)
{
    (void)unused;
    enum { COUNT = 20000 };
    static double x[COUNT];
    double h = chebyshev2(7, 7, 40, 3, 1000), late = 0, memory[IB_FILTER_ORDER];
    ib_Error error;
    ib_Filter filter = make(
        (ib_FilterConfig){
            .kind = IB_FILTER_CHEBYSHEV2, .pass = 5, .stop = 7, .ripple = 1, .attenuation = 40},
        1000);
    for (int i = 0; i < COUNT; i++) x[i] = sin(2 * pi * 3e-3 * i);
    ib_filter_settle(&filter, 0, memory);
    for (int i = 0; i < COUNT; i++) {
        double y = ib_filter_step(&filter, x[i], memory);
        if (i > 10000) late = fmax(late, fabs(y - h * x[i]));
    }
    assert_true(late > 1);
    assert_int_equal(ib_filter_both_ways(&filter, x, COUNT, &error), IB_OK);
    for (int i = 5000; i < COUNT - 5000; i++)
        assert_close(x[i], h * h * sin(2 * pi * 3e-3 * i), 1e-9);
}

// Goal: the ends of a recording stay near. Method: a constant comes back to the bit; of a step in
// the middle, both ends far from it stay at their values.
static void both_ways_keep_the_ends(void **unused)
{
    (void)unused;
    enum { COUNT = 4000 };
    static double flat[COUNT], step[COUNT];
    ib_Error error;
    ib_Filter filter = make((ib_FilterConfig){IB_FILTER_BUTTERWORTH, 5, 20}, 1000);
    for (int i = 0; i < COUNT; i++) {
        flat[i] = 0.1;
        step[i] = i < COUNT / 2 ? -3 : 8;
    }
    assert_int_equal(ib_filter_both_ways(&filter, flat, COUNT, &error), IB_OK);
    assert_int_equal(ib_filter_both_ways(&filter, step, COUNT, &error), IB_OK);
    for (int i = 0; i < COUNT; i++) assert_true(flat[i] == 0.1);
    assert_close(step[0], -3, 1e-9);
    assert_close(step[COUNT - 1], 8, 1e-9);
    assert_close(step[COUNT / 2 - 1] + step[COUNT / 2], -3 + 8, 1e-9); // odd about the middle
}

// Goal: what is no filter is refused by its key. Method: each rule once.
static void wrong_filters_are_refused(void **unused)
{
    (void)unused;
    enum { B = IB_FILTER_BUTTERWORTH, C = IB_FILTER_CHEBYSHEV2 };
    typedef ib_FilterConfig F;
    refuses((F){.cutoff = 5}, 1000, "cutoff", "there is no filter");
    refuses((F){.kind = B}, 1000, "", "'cutoff' is missing");
    refuses((F){.kind = B, .order = 2}, 1000, "", "'cutoff' is missing");
    refuses((F){.kind = B, .cutoff = 20}, 1000, "order", "1 to 16");
    refuses((F){.kind = B, .order = 17, .cutoff = 20}, 1000, "order", "1 to 16");
    refuses((F){.kind = B, .order = 2, .cutoff = 500}, 1000, "cutoff", "half the sample rate, 500");
    refuses((F){.kind = B, .order = 2, .cutoff = 20, .attenuation = 9}, 1000, "attenuation",
            "the order says it");
    refuses((F){.kind = C, .order = 2, .cutoff = 20}, 1000, "", "'attenuation' is missing");
    refuses((F){.kind = C, .order = 2, .cutoff = 20, .ripple = 1, .attenuation = 9}, 1000, "ripple",
            "pass and stop");
    F edges = {.kind = C, .pass = 5, .stop = 7, .ripple = 1, .attenuation = 40}, bad = edges;
    bad.pass = 7;
    refuses(bad, 1000, "pass", "below that of stop");
    bad = edges;
    bad.order = 3;
    refuses(bad, 1000, "order", "given twice");
    bad = edges;
    bad.cutoff = 3;
    refuses(bad, 1000, "cutoff", "given twice");
    refuses(edges, 14, "stop", "half the sample rate, 7");
    bad = edges;
    bad.ripple = 40;
    refuses(bad, 1000, "ripple", "less than the attenuation");
    bad = edges;
    bad.pass = 6.9;
    refuses(bad, 1000, "pass", "too close");
    static const size_t needed[] = {offsetof(F, pass), offsetof(F, stop), offsetof(F, ripple),
                                    offsetof(F, attenuation)};
    for (int i = 0; i < 4; i++) {
        bad = edges;
        *(double *)((char *)&bad + needed[i]) = 0;
        refuses(bad, 1000, "", "is missing");
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        ib_plain_test(butterworth_has_its_response),
        ib_plain_test(chebyshev2_has_its_response),
        ib_plain_test(edges_give_the_least_order),
        cmocka_unit_test(edges_of_butterworth_meet_the_stop_band),
        cmocka_unit_test(a_constant_is_left_alone),
        cmocka_unit_test(a_ramp_comes_late),
        cmocka_unit_test(both_ways_follow_the_recipe),
        cmocka_unit_test(both_ways_have_no_phase),
        cmocka_unit_test(both_ways_keep_the_ends),
        cmocka_unit_test(wrong_filters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
