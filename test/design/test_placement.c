// Tests of pole placement: closed forms, exact rational results, random plants, refusals.
#include "base/matrix.h"
#include "cmocka_all.h"
#include "design/placement/placement.h"
#include "linear/complex.h"
#include "spread.h"

#include <math.h>
#include <string.h>

static ib_Error error;
static ib_Placement placement;

static void place(const ib_StateSpace *plant, const ib_Complex *poles)
{
    if (ib_placement_solve(plant, poles, &placement, &error) != IB_OK) fail_msg("%s", error.text);
}

static ib_StateSpace make(int n, int m, const double *A, const double *B)
{
    ib_StateSpace plant = ib_state_space_default(n, m, 0);
    memcpy(plant.A, A, (size_t)(n * n) * sizeof *A);
    memcpy(plant.B, B, (size_t)(n * m) * sizeof *B);
    return plant;
}

// The chemical reactor of Kautsky, Nichols and Van Dooren (1985), example 1.
static const double reactor[16] = {1.380, -0.2077, 6.715,  -5.676, -0.5814, -4.290, 0,     0.6750,
                                   1.067, 4.273,   -6.654, 5.893,  0.0480,  4.273,  1.343, -2.104};
static const double reactor_inputs[8] = {0, 0, 5.679, 0, 1.136, -3.146, 1.136, 0};

// --------------------------------------------------------------------------------------- one input

// Goal: gains known by hand. Method: s^2 + 2 s + 2 on a double integrator: K = (2, 2); deadbeat on
// the sampled one: K = (1/T^2, 3/2T); one state: k = (a - p) / b. Relative 1e-13: a few roundings.
static void gains_of_small_plants_are_the_closed_form(void **state)
{
    (void)state;
    const double A[4] = {0, 1, 0, 0}, B[2] = {0, 1};
    const ib_Complex pair[2] = {{-1, -1}, {-1, 1}}, origin[2] = {{0, 0}, {0, 0}};
    ib_StateSpace plant = make(2, 1, A, B);
    place(&plant, pair);
    assert_close(placement.K[0], 2, 2e-13);
    assert_close(placement.K[1], 2, 2e-13);
    assert_string_equal(placement.method, "deflation");
    const double T = 0.005, sampled[4] = {1, T, 0, 1}, hold[2] = {T * T / 2, T};
    plant = make(2, 1, sampled, hold);
    plant.period = T;
    place(&plant, origin);
    assert_close(placement.K[0], 1 / (T * T), 1e-12 / (T * T));
    assert_close(placement.K[1], 1.5 / T, 1e-12 / T);
    const double a = 3, b = -0.5;
    plant = make(1, 1, &a, &b);
    place(&plant, &(ib_Complex){-2, 0});
    assert_close(placement.K[0], -10, 1e-14);
}

// Goal: the unique gain of a plant with one input. Method: Ackermann's formula in rational
// arithmetic on these doubles (python3 fractions: e_n' [b Ab A^2b A^3b]^-1 p(A)); distinct poles,
// and a pair with a double pole at -3. Relative 1e-12 of the largest: 4 digits for conditioning.
static void the_gain_of_one_input_is_ackermanns_in_exact_arithmetic(void **state)
{
    (void)state;
    const double b[4] = {0, 5.679, 1.136, 1.136};
    const ib_Complex apart[4] = {{-0.2, 0}, {-0.5, 0}, {-5.0566, 0}, {-8.6659, 0}};
    const ib_Complex twice[4] = {{-3, 0}, {-1, 1}, {-3, 0}, {-1, -1}};
    const double wanted[2][4] = {
        {1.39357704851631, 0.363566963398804, 1.01783948877797, -0.410618348938015},
        {-5.35624482071287, -0.893483419121265, 61.0376747769298, -59.7999174378544}};
    ib_StateSpace plant = make(4, 1, reactor, b);
    for (int k = 0; k < 2; k++) {
        place(&plant, k == 0 ? apart : twice);
        for (int i = 0; i < 4; i++) assert_close(placement.K[i], wanted[k][i], 1e-12 * 20);
    }
}

// Goal: deadbeat: any start is at rest after n steps. Method: random sampled chains of 2 to 8
// states with one input, all poles at 0 (a pole that is there n times): (A - B K)^n vanishes beside
// the largest power on the way, 1e-9 of it, though eigenvalues only show the n-th root of that.
static void deadbeat_brings_every_state_to_rest(void **state)
{
    (void)state;
    uint64_t seed = 3;
    const ib_Complex origin[8] = {{0, 0}};
    for (int k = 0; k < 100; k++) {
        int n = 2 + k % 7;
        double A[64], B[8], bk[64], f[64] = {0}, power[64], t[64], largest = 0;
        for (int i = 0; i < n * n; i++) A[i] = spread_signed(&seed) + (i % (n + 1) == 0 ? 1 : 0);
        for (int i = 0; i < n; i++) B[i] = spread_signed(&seed);
        ib_StateSpace plant = make(n, 1, A, B);
        plant.period = 0.01;
        place(&plant, origin);
        ib_matrix_multiply(n, 1, n, B, placement.K, bk);
        ib_matrix_add(n, n, A, -1, bk, f);
        memcpy(power, f, sizeof f);
        for (int i = 1; i < n; i++) {
            largest = fmax(largest, ib_matrix_norm(n, n, power));
            ib_matrix_multiply(n, n, n, power, f, t);
            memcpy(power, t, sizeof t);
        }
        assert_close(ib_matrix_norm(n, n, power), 0, 1e-9 * largest * ib_matrix_norm(n, n, f));
    }
}

// ---------------------------------------------------------------------------------- several inputs

// |det| of the unit eigenvectors of A - B K, by inverse iteration at each achieved pole.
static double independence(const ib_StateSpace *plant)
{
    int n = plant->states;
    double bk[256], f[256];
    ib_Complex vectors[256], spare[16] = {{0, 0}};
    ib_matrix_multiply(n, plant->inputs, n, plant->B, placement.K, bk);
    ib_matrix_add(n, n, plant->A, -1, bk, f);
    for (int j = 0; j < n; j++) {
        ib_Complex x[16];
        for (int i = 0; i < n; i++) x[i] = (ib_Complex){1, 0.1 * i};
        for (int turns = 0; turns < 3; turns++) {
            ib_Complex a[256];
            double sum = 0;
            for (int i = 0; i < n * n; i++) a[i] = (ib_Complex){f[i], 0};
            for (int i = 0; i < n; i++) {
                a[i * n + i].re -= placement.poles[j].re + 1e-9;
                a[i * n + i].im -= placement.poles[j].im;
            }
            assert_true(ib_complex_solve(n, 1, a, x) > 0);
            for (int i = 0; i < n; i++) sum += x[i].re * x[i].re + x[i].im * x[i].im;
            for (int i = 0; i < n; i++) x[i].re /= sqrt(sum), x[i].im /= sqrt(sum);
        }
        for (int i = 0; i < n; i++) vectors[i * n + j] = x[i];
    }
    return ib_complex_solve(n, 1, vectors, spare);
}

// Goal: as robust as the tools people know. Method: the reactor with the poles of the paper and
// with a pair. scipy 1.10 signal.place_poles(A, B, poles): |det| of unit eigenvectors 0.3957 (YT),
// 0.3932 (KNV0); with -1 +- i: 0.3616 (YT). Here at least 0.95 of the best of these.
static void several_inputs_are_used_as_well_as_scipy_does(void **state)
{
    (void)state;
    const ib_Complex apart[4] = {{-0.2, 0}, {-0.5, 0}, {-5.0566, 0}, {-8.6659, 0}};
    const ib_Complex pair[4] = {{-1, 1}, {-1, -1}, {-5.0566, 0}, {-8.6659, 0}};
    ib_StateSpace plant = make(4, 2, reactor, reactor_inputs);
    place(&plant, apart);
    assert_string_equal(placement.method, "robust");
    assert_true(placement.accuracy < 1e-12);
    assert_true(independence(&plant) > 0.95 * 0.3957);
    place(&plant, pair);
    assert_true(placement.accuracy < 1e-12);
    assert_true(independence(&plant) > 0.95 * 0.3616);
}

// Poles with |z| < 0.95, pairs among them, at least `apart` from each other.
static void random_poles(int n, uint64_t *seed, ib_Complex *poles)
{
    for (int i = 0; i < n;) {
        ib_Complex p = {0.67 * spread_signed(seed),
                        i + 1 < n && spread_signed(seed) > 0 ? 0.67 * spread_signed(seed) : 0};
        bool near = p.im != 0 && fabs(p.im) < 0.02;
        for (int k = 0; k < i; k++) near |= hypot(p.re - poles[k].re, p.im - poles[k].im) < 0.04;
        if (near) continue;
        poles[i++] = p;
        if (p.im != 0) poles[i++] = (ib_Complex){p.re, -p.im};
    }
}

// Goal: the poles come out where they were wanted. Method: 300 random plants of 1 to 10 states and
// 1 to 4 inputs, in units up to 2^16 apart. 1e-6 for one input (10 poles in a small disc are very
// sensitive whatever the method), 1e-9 for several up to 8 states.
static void poles_of_random_plants_come_out_as_wanted(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int k = 0; k < 300; k++) {
        int n = 1 + k % 10, m = 1 + k / 10 % 4;
        double A[100], B[40], unit[10];
        ib_Complex poles[10];
        for (int i = 0; i < n; i++) unit[i] = ldexp(1, (int)(8 * spread_signed(&seed)));
        for (int i = 0; i < n * n; i++) A[i] = spread_signed(&seed) * unit[i / n] / unit[i % n];
        for (int i = 0; i < n * m; i++) B[i] = spread_signed(&seed) * unit[i / m];
        random_poles(n, &seed, poles);
        ib_StateSpace plant = make(n, m, A, B);
        plant.period = 0.01;
        place(&plant, poles);
        double allowed = m > 1 && n <= 8 ? 1e-9 : 1e-6;
        if (!(placement.accuracy < allowed))
            fail_msg("plant %d, %d states, %d inputs: %g", k, n, m, placement.accuracy);
    }
}

// Goal: redundant and surplus inputs do no harm. Method: the same column twice shares the work (the
// least gain: both rows equal); as many inputs as states places all, equal poles too.
static void more_inputs_than_needed_share_the_work(void **state)
{
    (void)state;
    const double A[4] = {0, 1, 0, 0}, twice[4] = {0, 0, 1, 1}, all[4] = {1, 2, 0, 1};
    const ib_Complex pair[2] = {{-1, 1}, {-1, -1}}, same[2] = {{-3, 0}, {-3, 0}};
    ib_StateSpace plant = make(2, 2, A, twice);
    place(&plant, pair);
    for (int i = 0; i < 4; i++) assert_close(placement.K[i], 1, 1e-13);
    plant = make(2, 2, A, all);
    place(&plant, same);
    assert_true(placement.accuracy < 1e-7); // a double pole shows the root of the rounding
    place(&plant, pair);
    assert_true(placement.accuracy < 1e-13);
}

// --------------------------------------------------------------------- observers, planes, refusals

// Goal: an observer by duality, both forms. Method: a sampled double integrator seen by
// its position, poles 0: L = (2, 1/T), M = A^-1 L = (1, 1/T); a plant with a pure delay
// has no filter form.
static void observer_gains_are_the_dual(void **state)
{
    (void)state;
    const double T = 0.01, A[4] = {1, T, 0, 1}, delay[4] = {0, 1, 0, 0.5};
    const ib_Complex origin[2] = {{0, 0}, {0, 0}};
    ib_ObserverPlacement observer;
    ib_StateSpace plant = ib_state_space_default(2, 0, 1);
    memcpy(plant.A, A, sizeof A);
    plant.C[0] = 1;
    plant.period = T;
    assert_int_equal(ib_placement_observer(&plant, origin, &observer, &error), IB_OK);
    assert_close(observer.L[0], 2, 1e-13);
    assert_close(observer.L[1], 1 / T, 1e-12 / T);
    assert_true(observer.filter);
    assert_close(observer.M[0], 1, 1e-12);
    assert_close(observer.M[1], 1 / T, 1e-12 / T);
    memcpy(plant.A, delay, sizeof delay);
    assert_int_equal(ib_placement_observer(&plant, origin, &observer, &error), IB_OK);
    assert_false(observer.filter);
    assert_close(observer.L[0], 0.5, 1e-13);
    assert_close(observer.L[1], 0.25, 1e-13);
}

// Goal: s to z. Method: e^(-ln 2) = 1/2 and a quarter turn; 1e-15, one rounding.
static void a_continuous_pole_has_its_place_in_the_z_plane(void **state)
{
    (void)state;
    ib_Complex z = ib_placement_pole((ib_Complex){-0.69314718055994531 / 0.1, 0}, 0.1);
    assert_close(z.re, 0.5, 1e-15);
    assert_true(z.im == 0);
    z = ib_placement_pole((ib_Complex){0, 1.5707963267948966 / 0.02}, 0.02);
    assert_close(z.re, 0, 1e-15);
    assert_close(z.im, 1, 1e-15);
}

static void refused(const ib_StateSpace *plant, const ib_Complex *poles, const char *words)
{
    assert_int_equal(ib_placement_solve(plant, poles, &placement, &error), IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}

// Goal: what cannot be done is said. Method: no conjugate, no number, too many equal poles, a mode
// out of reach, an output that sees nothing.
static void what_cannot_be_placed_is_refused_by_name(void **state)
{
    (void)state;
    const double A[4] = {0, 1, 0, 0}, B[2] = {0, 1}, beside[2] = {1, 0};
    ib_StateSpace plant = make(2, 1, A, B);
    refused(&plant, (ib_Complex[]){{-1, 1}, {-1, 1}}, "the pole -1 +1i has no conjugate");
    refused(&plant, (ib_Complex[]){{-1, 0}, {NAN, 0}}, "pole 2 is not a number");
    plant = make(2, 1, A, beside);
    refused(&plant, (ib_Complex[]){{-1, 0}, {-2, 0}}, "the mode at 0 (x2) cannot be moved");
    plant = make(4, 2, reactor, reactor_inputs);
    refused(&plant, (ib_Complex[]){{-1, 0}, {-1, 0}, {-2, 0}, {-1, 0}},
            "is there 3 times: with 2 independent inputs at most 2");
    ib_ObserverPlacement observer;
    plant = ib_state_space_default(2, 0, 1);
    plant.C[1] = 1;
    assert_int_equal(
        ib_placement_observer(&plant, (ib_Complex[]){{0, 0}, {0, 0}}, &observer, &error),
        IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "the mode at 0 (x1) does not show in any output"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gains_of_small_plants_are_the_closed_form),
        cmocka_unit_test(the_gain_of_one_input_is_ackermanns_in_exact_arithmetic),
        cmocka_unit_test(deadbeat_brings_every_state_to_rest),
        cmocka_unit_test(several_inputs_are_used_as_well_as_scipy_does),
        ib_plain_test(poles_of_random_plants_come_out_as_wanted),
        cmocka_unit_test(more_inputs_than_needed_share_the_work),
        cmocka_unit_test(observer_gains_are_the_dual),
        cmocka_unit_test(a_continuous_pole_has_its_place_in_the_z_plane),
        cmocka_unit_test(what_cannot_be_placed_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
