// Tests of zeros, frequency responses and margins: closed forms, independent compositions, and the
// drivetrain of the reference.
#include "base/matrix.h"
#include "cmocka_all.h"
#include "control/loop_rig.h"
#include "design/frequency.h"
#include "design/margins/margins.h"
#include "design/zeros.h"
#include "spread.h"

#include <math.h>
#include <string.h>

static ib_Error error;
static ib_Margins margins;

static void assert_all_near(const double *values, const double *wanted, int count, double relative)
{
    for (int i = 0; i < count; i++) assert_close(values[i], wanted[i], relative * fabs(wanted[i]));
}

// numerator / denominator (constant term first, the leading term of the denominator is 1) as a
// companion matrix, n <= 4.
static ib_StateSpace transfer(int n, const double *numerator, const double *denominator)
{
    ib_StateSpace plant = ib_state_space_default(n, 1, 1);
    for (int i = 0; i + 1 < n; i++) plant.A[i * n + i + 1] = 1;
    for (int i = 0; i < n; i++) plant.A[(n - 1) * n + i] = -denominator[i];
    plant.B[n - 1] = 1;
    for (int i = 0; i < n; i++) plant.C[i] = numerator[i];
    return plant;
}

static void find(const ib_StateSpace *loop)
{
    if (ib_margins_open(loop, &margins, &error) != IB_OK) fail_msg("%s", error.text);
}

// ------------------------------------------------------------------------------------------- zeros

static void assert_zeros(const ib_StateSpace *plant, int count, const ib_Complex *wanted,
                         double tolerance)
{
    ib_Complex zeros[IB_STATES_MAX];
    int found;
    assert_int_equal(ib_zeros_find(plant, zeros, &found, &error), IB_OK);
    assert_int_equal(found, count);
    for (int i = 0; i < count; i++) {
        assert_close(zeros[i].re, wanted[i].re, tolerance);
        assert_close(zeros[i].im, wanted[i].im, tolerance);
    }
}

// Goal: one input, one output. Method: numerators with known roots, of lower and of equal degree;
// chains of integrators have none; a mode that is not seen is a zero.
static void zeros_are_the_roots_of_the_numerator(void **state)
{
    (void)state;
    const double d[3] = {5, 2, 7}, first[3] = {3, 1, 0}, none[3] = {1, 0, 0};
    ib_StateSpace plant = transfer(2, first, d);
    assert_zeros(&plant, 1, (ib_Complex[]){{-3, 0}}, 1e-14);
    plant.D[0] = 1; // s^2 + 3 s + 8
    assert_zeros(&plant, 2, (ib_Complex[]){{-1.5, sqrt(23) / 2}, {-1.5, -sqrt(23) / 2}}, 1e-13);
    plant = transfer(3, none, d);
    assert_zeros(&plant, 0, NULL, 0);
    plant = transfer(3, first, d);
    for (int i = 0; i < 3; i++) plant.C[i] *= 1e-9; // units do not matter
    assert_zeros(&plant, 1, (ib_Complex[]){{-3, 0}}, 1e-13);
    plant = transfer(2, none, d);
    plant.B[1] = 0;
    plant.C[0] = 0;
    assert_zeros(&plant, 2, (ib_Complex[]){{-1, 2}, {-1, -2}}, 1e-13); // nothing moved, seen
}

// Goal: matrices whose numbers lie too far apart are refused, and none ends the program. Method: a
// mass with drag whose D, B, C and A in turn have numbers up to the largest there is.
static void zeros_of_wild_numbers_are_refused(void **state)
{
    (void)state;
    static const double sizes[] = {1e-308, 1e-200, 1e-30, 1e30, 1e150, 1e200, 1e308};
    for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++)
        for (int part = 0; part < 4; part++) {
            ib_StateSpace plant = ib_state_space_default(2, 1, 1);
            ib_Complex zeros[IB_STATES_MAX];
            error = (ib_Error){0};
            int count = -1;
            memcpy(plant.A, (double[]){1, 0.005, 0, 0.99}, 4 * sizeof(double));
            memcpy(plant.B, (double[]){0, 0.015}, 2 * sizeof(double));
            memcpy(plant.C, (double[]){1, 0}, 2 * sizeof(double));
            double *where[] = {&plant.A[2], &plant.B[1], &plant.C[0], &plant.D[0]};
            *where[part] = part % 2 ? -sizes[i] : sizes[i];
            ib_Status status = ib_zeros_find(&plant, zeros, &count, &error);
            assert_true(status == IB_OK || error.text[0] != '\0');
            for (int k = 0; status == IB_OK && k < count; k++)
                assert_true(isfinite(zeros[k].re) && isfinite(zeros[k].im));
            if (part == 3) assert_int_equal(status, sizes[i] < 1e140 ? IB_OK : IB_BAD_INPUT);
        }
}

// Goal: sampling makes zeros of its own. Method: a chain of n integrators through a hold has the
// roots of the Euler polynomials z + 1, z^2 + 4z + 1, z^3 + 11 z^2 + 11 z + 1 whatever the period
// (1 ms here: A is nearly I). 1e-6: c'b is T^4/24 = 4e-14 beside roundings of 1e-16, balanced.
static void a_sampled_chain_has_the_zeros_of_euler(void **state)
{
    (void)state;
    const ib_Complex wanted[3][3] = {{{-1, 0}},
                                     {{-2 - sqrt(3), 0}, {-2 + sqrt(3), 0}},
                                     {{-5 - 2 * sqrt(6), 0}, {-1, 0}, {-5 + 2 * sqrt(6), 0}}};
    const double T = 1e-3;
    for (int n = 2; n <= 4; n++) {
        ib_StateSpace plant = ib_state_space_default(n, 1, 1);
        for (int i = 0; i < n; i++) {
            double term = 1;
            for (int j = i; j < n; j++, term *= T / (j - i)) plant.A[i * n + j] = term;
            plant.B[i] = term;
        }
        plant.C[0] = 1;
        plant.period = T;
        assert_zeros(&plant, n - 1, wanted[n - 2], 1e-6);
    }
}

// Goal: several inputs and outputs. Method: G = [s - 1, 4; 4.5, 2 (s - 1)] / (s + 2),
// det = 2 (s - 4) / (s + 2): a zero at 4 that no element has, and the mode at -2 that two states
// hold but one would do [Skogestad, Postlethwaite, 4.5]; a tall plant with a common factor s + 3
// and without.
static void plants_of_many_inputs_have_transmission_zeros(void **state)
{
    (void)state;
    ib_StateSpace plant = ib_state_space_default(2, 2, 2);
    const double A[4] = {-2, 0, 0, -2}, B[4] = {1, 0, 0, 1}, C[4] = {-3, 4, 4.5, -6};
    const double D[4] = {1, 0, 0, 2};
    memcpy(plant.A, A, sizeof A);
    memcpy(plant.B, B, sizeof B);
    memcpy(plant.C, C, sizeof C);
    memcpy(plant.D, D, sizeof D);
    assert_zeros(&plant, 2, (ib_Complex[]){{4, 0}, {-2, 0}}, 1e-13);
    plant = ib_state_space_default(3, 1, 2);
    const double chain[9] = {0, 1, 0, 0, 0, 1, -1, -2, -3}, both[6] = {3, 1, 0, 0, 3, 1};
    memcpy(plant.A, chain, sizeof chain);
    memcpy(plant.C, both, sizeof both);
    plant.B[2] = 1;
    assert_zeros(&plant, 1, (ib_Complex[]){{-3, 0}}, 1e-13);
    plant.C[0] = 4;
    assert_zeros(&plant, 0, NULL, 0);
}

// --------------------------------------------------------------------------------------- frequency

// Goal: the response is that of the transfer function. Method: 1/(s^2 + 0.2 s + 1) at w: real and
// imaginary part by hand; a delay of two samples z^-2: size 1, phase -2 w T without jumps over many
// turns. 1e-13: the resonance amplifies roundings tenfold.
static void responses_are_those_of_the_transfer_function(void **state)
{
    (void)state;
    const double one[2] = {1, 0}, d[2] = {1, 0.2};
    ib_StateSpace plant = transfer(2, one, d);
    for (double w = 0.01; w < 100; w *= 1.7) {
        ib_Complex h;
        ib_Complex z = ib_frequency_point(0, w);
        assert_int_equal(ib_frequency_response(&plant, z, &h, &error), IB_OK);
        double re = 1 - w * w, im = 0.2 * w, square = re * re + im * im;
        assert_close(h.re, re / square, 1e-13 * (1 + 1 / square));
        assert_close(h.im, -im / square, 1e-13 * (1 + 1 / square));
    }
    ib_BodePoint points[200];
    plant = ib_state_space_default(2, 1, 1);
    plant.A[1] = plant.B[1] = plant.C[0] = 1;
    plant.period = 0.1;
    for (int k = 0; k < 200; k++) points[k].frequency = 1 + k;
    assert_int_equal(ib_frequency_bode(&plant, 0, 0, points, 200, &error), IB_OK);
    for (int k = 0; k < 200; k++) {
        assert_close(points[k].size, 1, 1e-14);
        assert_close(points[k].phase, -2 * 0.1 * (1 + k), 1e-12);
    }
    const double free[2] = {0, 0};
    plant = transfer(2, one, free);
    ib_Complex h;
    assert_int_equal(ib_frequency_response(&plant, (ib_Complex){0, 0}, &h, &error), IB_BAD_INPUT);
}

// Goal: a plot shows what there is. Method: poles at -1 and -100 (and one at 0): 0.1 to 1000;
// sampled: up to half the sampling rate; equal ratios, both ends exact.
static void the_range_covers_slow_and_fast_poles(void **state)
{
    (void)state;
    double low, high;
    ib_frequency_range(0, (ib_Complex[]){{-100, 0}, {-1, 0}, {0, 0}}, 3, &low, &high);
    assert_close(low, 0.1, 1e-15);
    assert_close(high, 1000, 1e-12);
    ib_frequency_range(0.01, (ib_Complex[]){{1, 0}, {0.99, 0}, {0, 0}}, 3, &low, &high);
    assert_close(high, 3.14159265358979324 / 0.01, 1e-12);
    assert_close(low, -0.1 * log(0.99) / 0.01, 1e-12);
    assert_close(ib_frequency_spaced(1, 100, 1, 3), 10, 1e-13);
    assert_true(ib_frequency_spaced(1, 100, 2, 3) == 100);
}

// ----------------------------------------------------------------------------------------- margins

// Goal: an integrator. Method: L = 3/s: any gain, 90 degrees at 3 rad/s, a delay of (pi/2)/3 s, the
// largest disk there is. 1e-12: crossings are found to the last bits.
static void an_integrator_stands_any_gain_and_ninety_degrees(void **state)
{
    (void)state;
    ib_StateSpace loop = transfer(1, (double[]){3}, (double[]){0});
    find(&loop);
    const ib_Margin *m = &margins.input[0];
    assert_true(margins.stable && isinf(m->gain_up) && m->gain_down == 0);
    assert_close(m->phase, acos(0), 1e-12);
    assert_close(m->phase_frequency, 3, 1e-12);
    assert_close(m->delay, acos(0) / 3, 1e-12);
    assert_close(m->disk, 2, 1e-6);
    assert_close(m->modulus, 1, 1e-6);
}

// Goal: three lags. Method: L = k/(s+1)^3 is real at w = sqrt 3 with |L| = k/8: gain 8/k; |L| = 1
// at w^2 = k^(2/3) - 1, phase pi - 3 atan w; 1 + L is nearest to 0 where the derivative vanishes,
// not in closed form: bounded by gain and phase. k = 8 is on the edge, 9 unstable.
static void three_lags_stand_a_gain_of_eight(void **state)
{
    (void)state;
    for (double k = 1.5; k < 8; k += 1) {
        ib_StateSpace loop = transfer(3, (double[]){k, 0, 0}, (double[]){1, 3, 3});
        find(&loop);
        const ib_Margin *m = &margins.input[0];
        double w = sqrt(pow(k, 2.0 / 3) - 1), phase = acos(-1) - 3 * atan(w);
        assert_close(m->gain_up, 8 / k, 1e-11);
        assert_close(m->gain_frequency, sqrt(3), 1e-11);
        assert_close(m->phase, phase, 1e-11);
        assert_close(m->phase_frequency, w, 1e-11);
        assert_close(m->delay, phase / w, 1e-10);
        assert_true(m->modulus <= 1 - k / 8 + 1e-12 && m->modulus <= 2 * sin(phase / 2) + 1e-12);
        // What the disk promises is never more than what there is.
        assert_true(m->disk_gain <= m->gain_up + 1e-9 && m->disk_phase <= m->phase + 1e-9);
        assert_true(m->disk > 0);
    }
    for (double k = 8; k < 10; k++) {
        ib_StateSpace loop = transfer(3, (double[]){k, 0, 0}, (double[]){1, 3, 3});
        find(&loop);
        assert_false(margins.stable);
        assert_true(margins.input[0].gain_up == 0 && margins.input[0].phase == 0);
        assert_true(margins.input[0].disk == 0 && margins.input[0].delay == 0);
    }
}

// Goal: the textbook's second order. Method: L = 1/(s (s + 2 z)): crossover and phase margin in
// closed form; with little damping the loop is narrow and must still be met.
static void the_second_order_loop_has_its_textbook_phase(void **state)
{
    (void)state;
    for (double z = 1e-4; z < 2; z *= 3) {
        ib_StateSpace loop = transfer(2, (double[]){1, 0}, (double[]){0, 2 * z});
        find(&loop);
        const ib_Margin *m = &margins.input[0];
        double w = sqrt(sqrt(1 + 4 * pow(z, 4)) - 2 * z * z);
        assert_close(m->phase_frequency, w, 1e-11);
        assert_close(m->phase, atan(2 * z / w), 1e-11);
        assert_true(isinf(m->gain_up));
    }
}

// Goal: a plant that falls over needs gain. Method: L = 3/(s - 1): real at w = 0, L = -3, so the
// gain may fall to 1/3; |L| = 1 at sqrt 8, phase atan sqrt 8; disk: |s + 2|/|s - 4| is least at 0,
// where it is 1/2.
static void an_unstable_plant_has_a_least_gain(void **state)
{
    (void)state;
    ib_StateSpace loop = transfer(1, (double[]){3}, (double[]){-1});
    find(&loop);
    const ib_Margin *m = &margins.input[0];
    assert_true(margins.stable && isinf(m->gain_up));
    assert_close(m->gain_down, 1 / 3.0, 1e-14);
    assert_close(m->phase, atan(sqrt(8)), 1e-12);
    assert_close(m->delay, atan(sqrt(8)) / sqrt(8), 1e-12);
    assert_close(m->disk, 1, 1e-14);
    assert_true(m->disk_frequency == 0);
}

// Goal: deadbeat control of a sampled integrator. Method: L = 1/(z - 1): -1/2 at half the sampling
// rate, so gain 2; |L| = 1 at a sixth of a turn, phase 60 degrees, delay exactly one period; |1 +
// L|/|1 - L| = 1/|z - 2| >= 1/3; |1 + L| = 1/|z - 1| >= 1/2.
static void deadbeat_stands_one_period_of_delay(void **state)
{
    (void)state;
    ib_StateSpace loop = transfer(1, (double[]){1}, (double[]){-1});
    loop.period = 0.02;
    find(&loop);
    const ib_Margin *m = &margins.input[0];
    assert_close(m->gain_up, 2, 1e-12);
    assert_close(m->phase, acos(0.5), 1e-12);
    assert_close(m->delay, 0.02, 1e-14);
    assert_close(m->disk, 2 / 3.0, 1e-12);
    assert_close(m->disk_gain, 2, 1e-12);
    assert_close(m->modulus, 0.5, 1e-12);
}

// ---------------------------------------------------------------------------------- designed loops

// Goal: the drivetrain of the reference, with and without its observer. Method: numpy 1.24, scipy
// 1.10: A, B, K, M from cont2discrete and solve_discrete_are on the constants of D2 and D3, L from
// dense solves on 4000 frequencies, crossings by brentq, minima by minimize_scalar. 1e-8: the
// matrices have 12 digits.
static void the_drivetrain_has_the_margins_of_numpy(void **state)
{
    (void)state;
    const double feedback[5] = {25.7193322319, 1.35789503439, 16.197741923, 1.56185410876,
                                0.961118741693};
    const double observed[5] = {37.3066892411, 1.07578055277, 10.3556679998, 1.17013082896,
                                0.806297303735};
    static ib_Loop loop;
    rig_drivetrain(&loop);
    for (int with = 0; with < 2; with++) {
        if (with)
            assert_int_equal(ib_margins_loop(&loop, 0, &margins, &error), IB_OK);
        else
            assert_int_equal(
                ib_margins_feedback(&loop.gear[0].plant, loop.gear[0].K, &margins, &error), IB_OK);
        for (int i = 0; i < 2; i++) {
            const ib_Margin *m = &margins.input[i];
            const double found[5] = {m->gain_up, m->phase, m->phase_frequency, m->disk, m->modulus};
            assert_true(margins.stable);
            assert_all_near(found, with ? observed : feedback, 5, 1e-8);
            // The hold costs little where the crossover is far below the sampling rate: w T < 0.09.
            assert_close(m->delay, m->phase / m->phase_frequency, 1e-3 * m->delay);
        }
    }
    // Without the observer the loop is the feedback alone.
    loop.observer = false;
    assert_int_equal(ib_margins_loop(&loop, 0, &margins, &error), IB_OK);
    assert_close(margins.input[1].phase, feedback[1], 1e-8);
    assert_close(margins.input[1].gain_up, feedback[0], 1e-6);
}

// The loop of control/loop.h, opened at the plant's inputs, as one linear system, row by row of its
// text. States: x (n), predicted x^ (n), z (q), the plant's last input (m), the last v = -u (m).
static ib_StateSpace open_by_hand(const ib_Loop *loop)
{
    const ib_LoopGear *g = &loop->gear[0];
    const ib_StateSpace *p = &g->plant;
    int n = p->states, m = p->inputs, q = loop->integrals, s = 2 * n + q + 2 * m;
    ib_StateSpace open = ib_state_space_default(s, m, m);
    open.period = p->period;
    // One column at a time: what follows from a state (or input) of 1 and all others 0.
    for (int column = 0; column < s + m; column++) {
        double at[32] = {0}, e[8] = {0}, est[16], v[8] = {0}, after[32] = {0};
        at[column] = 1;
        const double *x = at, *hat = at + n, *z = at + 2 * n, *last = z + q, *asked = last + m;
        for (int i = 0; i < p->outputs; i++) {
            for (int j = 0; j < n; j++) e[i] += p->C[i * n + j] * (x[j] - hat[j]);
            for (int j = 0; j < m; j++) e[i] += p->D[i * m + j] * (last[j] + asked[j]);
        }
        for (int i = 0; i < n; i++) {
            est[i] = hat[i];
            for (int j = 0; j < p->outputs; j++) est[i] += g->M[i * p->outputs + j] * e[j];
        }
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) v[i] += g->K[i * n + j] * est[j];
            for (int j = 0; j < q; j++) v[i] += g->G[i * q + j] * z[j];
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                after[i] += p->A[i * n + j] * x[j];
                after[n + i] += p->A[i * n + j] * est[j];
            }
            for (int j = 0; j < m; j++) {
                after[i] += p->B[i * m + j] * at[s + j];
                after[n + i] -= p->B[i * m + j] * v[j];
            }
        }
        for (int i = 0; i < q; i++) {
            after[2 * n + i] = z[i];
            for (int j = 0; j < n; j++)
                after[2 * n + i] += loop->period * loop->Z[i * n + j] * est[j];
        }
        for (int i = 0; i < m; i++) {
            after[2 * n + q + i] = at[s + i];
            after[2 * n + q + m + i] = v[i];
        }
        for (int i = 0; i < s; i++)
            *(column < s ? &open.A[i * s + column] : &open.B[i * m + column - s]) = after[i];
        for (int i = 0; i < m && column < s; i++) open.C[i * s + column] = v[i];
    }
    return open;
}

// Goal: observer, integrals and direct terms D are where they belong. Method: 3 states, 2 inputs, 2
// outputs, 1 integral, D not zero; the gains are hand-made for a stable loop; margins equal those
// of the loop written out as one system of 11 states. 1e-9: two ways to the same rounding.
static void a_full_loop_is_its_written_out_system(void **state)
{
    (void)state;
    ib_Loop loop = {.name = "full",
                    .states = 3,
                    .inputs = 2,
                    .outputs = 2,
                    .integrals = 1,
                    .observer = true,
                    .period = 0.01,
                    .gears = 1};
    ib_LoopGear *g = &loop.gear[0];
    const double A[9] = {1, 0.01, 0, -0.02, 0.97, 0.01, 0, 0.02, 0.9};
    const double B[6] = {0, 0, 0.02, 0.004, -0.003, 0.05}, C[6] = {1, 0, 0, 0, 0.2, 1};
    const double D[4] = {0.01, 0, 0.02, -0.03}, K[6] = {12, 5, 1, -0.5, 1, 3}, G[2] = {15, 0.5};
    const double M[6] = {0.5, 0.01, 2, 0.3, 0.1, 0.5}, Z[3] = {1, 0, 0};
    g->plant = ib_state_space_default(3, 2, 2);
    g->plant.period = 0.01;
    memcpy(g->plant.A, A, sizeof A);
    memcpy(g->plant.B, B, sizeof B);
    memcpy(g->plant.C, C, sizeof C);
    memcpy(g->plant.D, D, sizeof D);
    memcpy(g->K, K, sizeof K);
    memcpy(g->G, G, sizeof G);
    memcpy(g->M, M, sizeof M);
    memcpy(loop.Z, Z, sizeof Z);
    for (int i = 0; i < 2; i++) loop.low[i] = -1, loop.high[i] = 1;
    assert_int_equal(ib_margins_loop(&loop, 0, &margins, &error), IB_OK);
    ib_Margins found = margins;
    ib_StateSpace open = open_by_hand(&loop);
    find(&open);
    assert_true(found.stable && margins.stable);
    for (int i = 0; i < 2; i++) {
        const ib_Margin *a = &found.input[i], *b = &margins.input[i];
        const double ours[5] = {a->gain_up, a->phase, a->disk, a->phase_frequency, a->modulus};
        const double theirs[5] = {b->gain_up, b->phase, b->disk, b->phase_frequency, b->modulus};
        assert_all_near(ours, theirs, 5, 1e-9);
        assert_true(isfinite(a->gain_up) && isfinite(a->phase));
    }
    // An observer that runs away is no margin at all.
    g->M[0] = 3;
    assert_int_equal(ib_margins_loop(&loop, 0, &margins, &error), IB_OK);
    assert_false(margins.stable);
}

// The largest pole of a motor x+ = a x + g b (u + e) under the controller below, which believes
// that g = 1. States: x, predicted x^ and e^; what follows from each alone is a column.
static double farthest(double a, double b, double k, const double *M, double g)
{
    double closed[9];
    ib_Complex poles[3];
    for (int column = 0; column < 3; column++) {
        double x = column == 0, hat = column == 1, err = column == 2, e = x - hat;
        double est = hat + M[0] * e, push = err + M[1] * e, u = -(k * est + push);
        closed[column] = a * x + g * b * u;
        closed[3 + column] = a * est + b * (push + u);
        closed[6 + column] = push;
    }
    assert_int_equal(ib_eigenvalues(3, closed, poles, &error), IB_OK);
    return ib_complex_size(poles[0]);
}

// Goal: an estimated input error is a part of the controller and no runaway of the plant, and the
// gain margin is where stability is lost. Method: the plant's state e+ = e cannot be moved; margins
// are found all the same. With the plant's gain just below gain_up the closed loop (by hand,
// without e) has all poles inside, just above it has not; and so at gain_down, if there is one.
static void the_gain_margin_is_where_stability_is_lost(void **state)
{
    (void)state;
    const double a = 0.98, b = 0.05, k = 4, A[4] = {a, b, 0, 1}, M[2] = {0.6, 1.5};
    ib_Loop loop = {.name = "error",
                    .states = 2,
                    .inputs = 1,
                    .outputs = 1,
                    .observer = true,
                    .period = 0.01,
                    .low = {-1},
                    .high = {1},
                    .gears = 1};
    ib_LoopGear *g = &loop.gear[0];
    g->plant = ib_state_space_default(2, 1, 1);
    g->plant.period = 0.01;
    memcpy(g->plant.A, A, sizeof A);
    memcpy(g->M, M, sizeof M);
    g->plant.B[0] = b;
    g->plant.C[0] = 1;
    g->K[0] = k, g->K[1] = 1;
    assert_int_equal(ib_margins_loop(&loop, 0, &margins, &error), IB_OK);
    const ib_Margin *m = &margins.input[0];
    assert_true(margins.stable && isfinite(m->gain_up));
    assert_true(farthest(a, b, k, M, 1) < 1);
    assert_true(farthest(a, b, k, M, m->gain_up * (1 - 1e-6)) < 1);
    assert_true(farthest(a, b, k, M, m->gain_up * (1 + 1e-6)) > 1);
    assert_true(farthest(a, b, k, M, m->gain_down + 1e-3) < 1);
}

// K of the steady state by plain iteration of the Riccati difference equation, 3 states, 2 inputs,
// R = I; P as well.
static void iterate_riccati(const double *A, const double *B, const double *Q, double *K, double *P)
{
    memcpy(P, Q, 9 * sizeof *P);
    for (int turns = 0; turns < 20000; turns++) {
        double pb[6], pa[9], bt[6], at[9], s[4], r[6], t[9], u[9], f[9];
        ib_matrix_multiply(3, 3, 2, P, B, pb);
        ib_matrix_multiply(3, 3, 3, P, A, pa);
        ib_matrix_transpose(3, 2, B, bt);
        ib_matrix_transpose(3, 3, A, at);
        ib_matrix_multiply(2, 3, 2, bt, pb, s);
        ib_matrix_multiply(2, 3, 3, bt, pa, r);
        s[0] += 1, s[3] += 1;
        double det = s[0] * s[3] - s[1] * s[2];
        for (int j = 0; j < 3; j++) {
            K[j] = (s[3] * r[j] - s[1] * r[3 + j]) / det;
            K[3 + j] = (s[0] * r[3 + j] - s[2] * r[j]) / det;
        }
        ib_matrix_multiply(3, 2, 3, B, K, t);
        ib_matrix_add(3, 3, A, -1, t, f);
        ib_matrix_multiply(3, 3, 3, P, f, t);
        ib_matrix_multiply(3, 3, 3, at, t, u);
        ib_matrix_add(3, 3, Q, 1, u, P);
    }
}

// Goal: the guarantee of LQR. Method: in continuous time |1 + L| >= 1 at every cut (R diagonal), so
// 60 degrees, any gain above 1/2 [Safonov, Athans 1977]; sampled, r/(r + b'P b) of the square is
// left. 12 random plants, stable and unstable, sampled 1000 times in their time constant (by one
// step of Euler: any plant will do). 60 degrees less what the sampling takes.
static void lqr_keeps_its_guaranteed_margins(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int k = 0; k < 12; k++) {
        const double T = 1e-3, eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        double A[9], K[6], P[9], Q[9] = {0}, B[6];
        for (int i = 0; i < 9; i++) A[i] = eye[i] + T * 2 * spread_signed(&seed);
        for (int i = 0; i < 6; i++) B[i] = T * 2 * spread_signed(&seed);
        for (int i = 0; i < 3; i++) Q[4 * i] = T * (1 + spread_signed(&seed));
        // The weight of u over a period is T; dividing all by T leaves K as it is.
        for (int i = 0; i < 9; i++) Q[i] /= T;
        iterate_riccati(A, B, Q, K, P);
        ib_StateSpace plant = ib_state_space_default(3, 2, 0);
        memcpy(plant.A, A, sizeof A);
        memcpy(plant.B, B, sizeof B);
        plant.period = T;
        assert_int_equal(ib_margins_feedback(&plant, K, &margins, &error), IB_OK);
        assert_true(margins.stable);
        double pb[6], bt[6], s[4];
        ib_matrix_multiply(3, 3, 2, P, B, pb);
        ib_matrix_transpose(3, 2, B, bt);
        ib_matrix_multiply(2, 3, 2, bt, pb, s);
        for (int i = 0; i < 2; i++) {
            const ib_Margin *m = &margins.input[i];
            // (I + L)^H (I + B'P B) (I + L) >= I; the largest eigenvalue is below the trace.
            double least = 1 / sqrt(1 + s[0] + s[3]);
            assert_true(m->modulus >= least - 1e-9 && m->modulus <= 1 + 1e-6);
            assert_true(m->phase >= 2 * asin(least / 2) - 1e-9);
            assert_true(m->phase > 60 / 57.29577951308232 - 0.02);
            assert_true(m->gain_up >= 20 && m->gain_down <= 0.5 + 0.01);
        }
    }
}

// Goal: what is no loop is refused. Method: more outputs than inputs; a size that does not fit.
static void what_is_no_loop_is_refused(void **state)
{
    (void)state;
    ib_StateSpace plant = ib_state_space_default(2, 1, 2);
    assert_int_equal(ib_margins_open(&plant, &margins, &error), IB_BAD_INPUT);
    static ib_Loop loop;
    rig_drivetrain(&loop);
    loop.gear[0].plant.states = 3;
    assert_int_equal(ib_margins_loop(&loop, 0, &margins, &error), IB_BAD_INPUT);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_are_the_roots_of_the_numerator),
        cmocka_unit_test(zeros_of_wild_numbers_are_refused),
        cmocka_unit_test(a_sampled_chain_has_the_zeros_of_euler),
        cmocka_unit_test(plants_of_many_inputs_have_transmission_zeros),
        cmocka_unit_test(responses_are_those_of_the_transfer_function),
        cmocka_unit_test(the_range_covers_slow_and_fast_poles),
        cmocka_unit_test(an_integrator_stands_any_gain_and_ninety_degrees),
        cmocka_unit_test(three_lags_stand_a_gain_of_eight),
        cmocka_unit_test(the_second_order_loop_has_its_textbook_phase),
        cmocka_unit_test(an_unstable_plant_has_a_least_gain),
        cmocka_unit_test(deadbeat_stands_one_period_of_delay),
        cmocka_unit_test(the_drivetrain_has_the_margins_of_numpy),
        cmocka_unit_test(a_full_loop_is_its_written_out_system),
        cmocka_unit_test(the_gain_margin_is_where_stability_is_lost),
        cmocka_unit_test(lqr_keeps_its_guaranteed_margins),
        cmocka_unit_test(what_is_no_loop_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
