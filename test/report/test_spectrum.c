// Claims about src/report/spectrum.c.
#include "cmocka_all.h"
#include "report/spectrum.h"

#include "base/maths.h"

#include <math.h>

static const double tau = 6.283185307179586;

static int largest(const ib_Spectrum *spectrum, int from)
{
    int best = from;
    for (int k = from; k < spectrum->count; k++)
        if (spectrum->amplitude[k] > spectrum->amplitude[best]) best = k;
    return best;
}

// Goal: a wave shows as its amplitude at its frequency. Method: 3 sin(2 pi 5 t) + 0.5 sin(2 pi 12
// t) for whole seconds at 128 Hz, unwindowed: every wave falls on a line, all others are rounding.
static void whole_periods_give_exact_lines(void **state)
{
    (void)state;
    enum { N = 1024 };
    double t[N], x[N];
    for (int i = 0; i < N; i++) {
        t[i] = i / 128.0;
        x[i] = 3 * ib_sin(tau * 5 * t[i]) + 0.5 * ib_sin(tau * 12 * t[i]);
    }
    ib_Arena arena = {0};
    ib_Spectrum spectrum;
    assert_int_equal(ib_spectrum(t, x, N, IB_WINDOW_NONE, &arena, &spectrum, NULL), IB_OK);
    assert_int_equal(spectrum.count, N / 2 + 1);
    for (int k = 0; k < spectrum.count; k++) {
        double f = spectrum.frequency[k];
        assert_close(f, k / 8.0, 1e-12); // 1024 samples at 128 Hz are 8 s
        double expected = f == 5 ? 3 : f == 12 ? 0.5 : 0;
        assert_close(spectrum.amplitude[k], expected, 1e-11); // sums of 1024 rounded terms
    }
    ib_arena_reset(&arena);
}

// Goal: the energy in time is the energy in frequency. Method: Parseval for the amplitudes,
//   sum x^2 / N = a_0^2 + sum a_k^2 / 2 + a_(N/2)^2, on a signal without any symmetry.
static void energy_is_that_of_the_samples(void **state)
{
    (void)state;
    enum { N = 4096 };
    static double t[N], x[N];
    double energy = 0;
    for (int i = 0; i < N; i++) {
        t[i] = 0.001 * i;
        x[i] = 1.5 + ib_sin(0.37 * i) * ib_exp(-0.001 * i) + (i % 17) - (i % 5 == 2 ? 4.0 : 0.0);
        energy += x[i] * x[i] / N;
    }
    ib_Arena arena = {0};
    ib_Spectrum s;
    assert_int_equal(ib_spectrum(t, x, N, IB_WINDOW_NONE, &arena, &s, NULL), IB_OK);
    double sum = s.amplitude[0] * s.amplitude[0] + s.amplitude[N / 2] * s.amplitude[N / 2];
    for (int k = 1; k < N / 2; k++) sum += s.amplitude[k] * s.amplitude[k] / 2;
    assert_close(sum / energy, 1, 1e-12); // rounding of 4096 terms
    ib_arena_reset(&arena);
}

// Goal: with the window, a wave between two lines and a large offset still read right. Method:
// 100 + 2 sin(2 pi 7.3 t), 10 s at 200 Hz (2000 samples, padded to 2048). Hann's largest loss half
// way between lines is 15 %; the padding leaves less than that.
static void window_keeps_amplitude_and_takes_the_mean_off(void **state)
{
    (void)state;
    enum { N = 2000 };
    static double t[N], x[N];
    for (int i = 0; i < N; i++) {
        t[i] = i / 200.0;
        x[i] = 100 + 2 * ib_sin(tau * 7.3 * t[i]);
    }
    ib_Arena arena = {0};
    ib_Spectrum spectrum;
    assert_int_equal(ib_spectrum(t, x, N, IB_WINDOW_HANN, &arena, &spectrum, NULL), IB_OK);
    int best = largest(&spectrum, 1);
    assert_close(spectrum.frequency[best], 7.3, 0.1); // the lines are 0.098 Hz apart
    assert_true(spectrum.amplitude[best] > 0.85 * 2 && spectrum.amplitude[best] < 2.01);
    assert_close(spectrum.amplitude[0], 100, 1e-9);
    // Far from the wave nothing is left of it or of the offset: Hann's skirts fall as 1/f^3.
    for (int k = 1; k < spectrum.count; k++)
        if (fabs(spectrum.frequency[k] - 7.3) > 3) assert_true(spectrum.amplitude[k] < 1e-3);
    ib_arena_reset(&arena);
}

// Goal: uneven times are resampled. Method: a 3 Hz wave sampled at times that wander by a third of
// a period, with a NaN among them; straight lines at 60 samples a wave lose less than 1 %.
static void uneven_samples_show_the_same_wave(void **state)
{
    (void)state;
    enum { N = 1800 };
    static double t[N], x[N];
    for (int i = 0; i < N; i++) {
        t[i] = (i + 0.33 * ib_sin(2.1 * i)) / 180.0;
        x[i] = 4 * ib_sin(tau * 3 * t[i]);
    }
    x[100] = NAN;
    ib_Arena arena = {0};
    ib_Spectrum spectrum;
    assert_int_equal(ib_spectrum(t, x, N, IB_WINDOW_HANN, &arena, &spectrum, NULL), IB_OK);
    assert_int_equal(spectrum.samples, N - 1);
    int best = largest(&spectrum, 1);
    assert_close(spectrum.frequency[best], 3, 0.06);
    assert_close(spectrum.amplitude[best], 4, 0.25); // the line may be 0.3 lines off: 6 %
    ib_arena_reset(&arena);
}

// Goal: what cannot have a spectrum is refused with the reason. Method: 7 samples, and 100 samples
// at one time.
static void too_few_samples_are_refused(void **state)
{
    (void)state;
    double t[100] = {0, 1, 2, 3, 4, 5, 6}, x[100] = {0};
    ib_Arena arena = {0};
    ib_Spectrum spectrum;
    ib_Error error;
    assert_int_equal(ib_spectrum(t, x, 7, IB_WINDOW_HANN, &arena, &spectrum, &error), IB_BAD_INPUT);
    for (int i = 0; i < 100; i++) t[i] = 1;
    assert_int_equal(ib_spectrum(t, x, 100, IB_WINDOW_HANN, &arena, &spectrum, &error),
                     IB_BAD_INPUT);
    assert_non_null(error.text[0] ? error.text : NULL);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_periods_give_exact_lines),
        cmocka_unit_test(energy_is_that_of_the_samples),
        cmocka_unit_test(window_keeps_amplitude_and_takes_the_mean_off),
        cmocka_unit_test(uneven_samples_show_the_same_wave),
        cmocka_unit_test(too_few_samples_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
