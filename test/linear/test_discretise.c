// Tests of discretisation there and back: closed forms, the reference's drivetrain, noise, scipy's
// Tustin, logarithms and round trips.
#include "base/matrix.h"
#include "cmocka_all.h"
#include "linear/discretise.h"
#include "linear/drivetrain_rig.h"
#include "linear/exponential.h"
#include "linear/logarithm.h"
#include "spread.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

static ib_Error error;

// ------------------------------------------------------------------------------------- exponential

// Goal: e^A of matrices with a closed form. Method: a rotation by 1000 rad (many squarings), a
// Jordan block, a diagonal with large spread. The error of squaring grows with |A|: 1e-15 a radian.
static void exponentials_have_their_closed_forms(void **state)
{
    (void)state;
    double e[9];
    const double angles[] = {1e-9, 0.1, 3, 1000};
    for (int i = 0; i < 4; i++) {
        double w = angles[i], rotation[4] = {0, -w, w, 0};
        assert_int_equal(ib_matrix_exponential(2, rotation, e, &error), IB_OK);
        assert_close(e[0], cos(w), 4e-16 + 1e-15 * w);
        assert_close(e[2], sin(w), 4e-16 + 1e-15 * w);
        assert_close(e[1], -e[2], 4e-16 + 1e-15 * w);
    }
    const double jordan[9] = {-2, 1, 0, 0, -2, 1, 0, 0, -2};
    assert_int_equal(ib_matrix_exponential(3, jordan, e, &error), IB_OK);
    double f = exp(-2);
    const double wanted[9] = {f, f, f / 2, 0, f, f, 0, 0, f};
    for (int i = 0; i < 9; i++) assert_close(e[i], wanted[i], 4e-16);
    const double spread[4] = {-700, 0, 0, 5};
    assert_int_equal(ib_matrix_exponential(2, spread, e, &error), IB_OK);
    assert_close(e[0] / exp(-700), 1, 1e-12);
    assert_close(e[3] / exp(5), 1, 1e-13);
}

// Goal: a nilpotent matrix gives its power series, to rounding.
// Method: a chain of four integrators.
static void integrators_give_powers_of_time(void **state)
{
    (void)state;
    const double t = 0.7;
    double a[16] = {0}, e[16];
    for (int i = 0; i < 3; i++) a[i * 4 + i + 1] = t;
    assert_int_equal(ib_matrix_exponential(4, a, e, &error), IB_OK);
    const double row[4] = {1, t, t * t / 2, t * t * t / 6};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) assert_close(e[i * 4 + j], j >= i ? row[j - i] : 0, 3e-16);
}

// Goal: what has no answer is refused, never NaN.
// Method: a NaN, and an exponential beyond a double.
static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    double e[1], nan[1] = {NAN}, huge[1] = {1e6};
    assert_int_equal(ib_matrix_exponential(1, nan, e, &error), IB_BAD_INPUT);
    assert_int_equal(ib_matrix_exponential(1, huge, e, &error), IB_FAILED);
}

// ---------------------------------------------------------------------------------- the drivetrain

// Goal: A and B of reference D2 (12 digits are printed). Method: its continuous matrices, 5 ms.
static void drivetrain_matches_the_reference(void **state)
{
    (void)state;
    ib_StateSpace plant = rig_drivetrain_plant(), sampled;
    assert_int_equal(ib_discretise(&plant, 0.005, &sampled, &error), IB_OK);
    const double *A = ib__drive_A, *B = ib__drive_B;
    for (int i = 0; i < 16; i++) assert_close(sampled.A[i], A[i], 1e-11 * fabs(A[i]) + 1e-18);
    for (int i = 0; i < 8; i++) assert_close(sampled.B[i], B[i], 1e-10 * fabs(B[i]));
    assert_true(sampled.period == 0.005);
}

// Goal: Q_d and R_d of reference D3. Method: densities diag(.0025, 1, .0025, 1) and 5e-11, 5 ms.
static void noise_matches_the_reference(void **state)
{
    (void)state;
    ib_StateSpace plant = rig_drivetrain_plant();
    double Qc[16] = {0}, Rc[4] = {5e-11, 0, 0, 5e-11}, Qd[16], Rd[4];
    Qc[0] = Qc[10] = 0.0025;
    Qc[5] = Qc[15] = 1;
    assert_int_equal(ib_discretise_noise(&plant, Qc, Rc, 0.005, Qd, Rd, &error), IB_OK);
    const double *wanted = ib__filter_Qd;
    for (int i = 0; i < 16; i++) assert_close(Qd[i], wanted[i], 1e-10 * wanted[i]);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) assert_true(Qd[i * 4 + j] == Qd[j * 4 + i]);
    assert_close(Rd[0], 1e-8, 1e-22);
    assert_close(Rd[1], 0, 0);
}

// Goal: the integral of the noise, for other periods. Method: a damped mass with force noise, whose
// Q_d has a closed form: with a = e^(-kT), q the density,
//   Q22 = q (1 - a^2)/(2k),  Q12 = q (1 - a)^2/(2k^2),
//   Q11 = q/k^2 (T - 2(1 - a)/k + (1 - a^2)/(2k))
static void noise_has_its_closed_form(void **state)
{
    (void)state;
    const double k = 3, q = 0.7, periods[] = {1e-3, 0.05, 2};
    ib_StateSpace plant = ib_state_space_default(2, 0, 0);
    plant.A[1] = 1;
    plant.A[3] = -k;
    const double Qc[4] = {0, 0, 0, q};
    for (int i = 0; i < 3; i++) {
        double T = periods[i], a = exp(-k * T), Qd[4];
        assert_int_equal(ib_discretise_noise(&plant, Qc, NULL, T, Qd, NULL, &error), IB_OK);
        // The closed forms lose digits for short periods: T^3 out of T.
        double lost = DBL_EPSILON * q * T / (k * k) * 16;
        assert_close(Qd[3], q * (1 - a * a) / (2 * k), 1e-15);
        assert_close(Qd[1], q * (1 - a) * (1 - a) / (2 * k * k), 1e-15);
        assert_close(Qd[0], q / (k * k) * (T - 2 * (1 - a) / k + (1 - a * a) / (2 * k)),
                     lost + 1e-15);
    }
}

// Goal: the noise of long periods. Method: the closed forms of the damped mass above, which need no
// care here, for |A| T from 4 to 2e5; q/k^2 T is the largest number, and each of up to 17 doublings
// rounds a few times.
static void long_periods_have_their_closed_form(void **state)
{
    (void)state;
    const double k = 2, q = 1, periods[] = {2, 10, 30, 100, 3600, 1e5};
    ib_StateSpace plant = ib_state_space_default(2, 0, 0);
    plant.A[1] = 1;
    plant.A[3] = -k;
    const double Qc[4] = {1e-4, 0, 0, q};
    for (int i = 0; i < 6; i++) {
        double T = periods[i], a = exp(-k * T), Qd[4];
        assert_int_equal(ib_discretise_noise(&plant, Qc, NULL, T, Qd, NULL, &error), IB_OK);
        double slide = 1e-4 * T + q / (k * k) * (T - 2 * (1 - a) / k + (1 - a * a) / (2 * k));
        assert_close(Qd[3], q * (1 - a * a) / (2 * k), 1e-14);
        assert_close(Qd[1], q * (1 - a) * (1 - a) / (2 * k * k), 1e-14);
        assert_close(Qd[0], slide, 1e-14 * slide);
        assert_true(Qd[1] == Qd[2]);
    }
}

// Goal: the same where there is no closed form. Method: Simpson's rule with 4000 intervals on
// e^(At) Q e^(A't), e^(At) step by step, for a swing with little damping, three times, whose poles
// are +-2i; error of the rule (w h)^4/180 T, w = 4 the frequency of the square: 5e-8 for 30 s.
static void long_periods_match_a_quadrature(void **state)
{
    (void)state;
    enum { PARTS = 4000 };
    const double T = 30, h = T / PARTS, Qc[4] = {0.5, 0.1, 0.1, 2};
    ib_StateSpace plant = ib_state_space_default(2, 0, 0), step;
    memcpy(plant.A, (double[]){0, 1, -4, -0.05}, 4 * sizeof(double));
    assert_int_equal(ib_discretise(&plant, h, &step, &error), IB_OK);
    double E[4] = {1, 0, 0, 1}, sum[4] = {0}, Qd[4], left[4], next[4];
    for (int i = 0; i <= PARTS; i++) {
        double weight = h / 3 * (i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2);
        ib_matrix_multiply(2, 2, 2, E, Qc, left);
        for (int r = 0; r < 2; r++)
            for (int c = 0; c < 2; c++)
                sum[r * 2 + c] +=
                    weight * (left[r * 2] * E[c * 2] + left[r * 2 + 1] * E[c * 2 + 1]);
        ib_matrix_multiply(2, 2, 2, step.A, E, next);
        memcpy(E, next, sizeof E);
    }
    assert_int_equal(ib_discretise_noise(&plant, Qc, NULL, T, Qd, NULL, &error), IB_OK);
    for (int i = 0; i < 4; i++) assert_close(Qd[i], sum[i], 1e-7);
}

// Goal: many states, short to very long. Method: dQ_d/dT = e^(AT) Q e^(A'T) two ways,
//   A Q_d + Q_d A' + Q_c = A_d Q_c A_d'
// on 60 random stable plants; a few roundings of |A| |Q_d|.
static void noise_balances_at_every_period(void **state)
{
    (void)state;
    static const double lengths[] = {0.5, 5, 50, 500, 5e4};
    for (int i = 0; i < 60; i++) {
        int n = 1 + i % 8;
        ib_StateSpace plant = ib_state_space_default(n, 0, 0), sampled;
        double Qc[64] = {0}, Qd[64];
        for (int c = 0; c < n * n; c++)
            plant.A[c] = chance_uniform(7, (uint64_t)i, (uint64_t)c) - 0.5;
        for (int c = 0; c < n; c++) plant.A[c * n + c] -= 0.6 * n, Qc[c * n + c] = 1 + c;
        double norm = ib_matrix_norm(n, n, plant.A), T = lengths[i % 5] / norm;
        assert_int_equal(ib_discretise_noise(&plant, Qc, NULL, T, Qd, NULL, &error), IB_OK);
        assert_int_equal(ib_discretise(&plant, T, &sampled, &error), IB_OK);
        double scale = 2 * norm * ib_matrix_norm(n, n, Qd) + 2 * n;
        for (int r = 0; r < n; r++)
            for (int c = 0; c < n; c++) {
                double rest = Qc[r * n + c];
                for (int k = 0; k < n; k++)
                    rest += plant.A[r * n + k] * Qd[k * n + c] +
                            Qd[r * n + k] * plant.A[c * n + k] -
                            sampled.A[r * n + k] * Qc[k * n + k] * sampled.A[c * n + k];
                assert_close(rest, 0, 1e-14 * scale);
            }
    }
}

// Goal: an unstable plant has its noise, too, until that is no number. Method: x' = 2 x + w,
// Q_d = (e^(4T) - 1)/4; e^1000 is none. A_d alone, e^(2T), ends later.
static void periods_can_be_too_long(void **state)
{
    (void)state;
    ib_StateSpace plant = ib_state_space_default(1, 0, 0), sampled;
    double Qd, one = 1;
    plant.A[0] = 2;
    assert_int_equal(ib_discretise_noise(&plant, &one, NULL, 100, &Qd, NULL, &error), IB_OK);
    assert_close(Qd / exp(400), 0.25, 1e-12); // 400 roundings of e^2, and those of libm's exponent
    assert_int_equal(ib_discretise_noise(&plant, &one, NULL, 250, &Qd, NULL, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "a period of 250 s is too long for this plant"));
    assert_int_equal(ib_discretise(&plant, 250, &sampled, &error), IB_OK);
    assert_int_equal(ib_discretise(&plant, 500, &sampled, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "a period of 500 s is too long for this plant"));
    plant.A[0] = -1e200; // |A| T is no number, but 1/(2 |A|) is
    assert_int_equal(ib_discretise_noise(&plant, &one, NULL, 1e200, &Qd, NULL, &error), IB_OK);
    assert_close(Qd, 5e-201, 5e-215);
}

// Goal: bad questions are refused with the reason. Method: no period, a discrete plant, a NaN.
static void bad_questions_are_refused(void **state)
{
    (void)state;
    ib_StateSpace plant = rig_drivetrain_plant(), sampled;
    assert_int_equal(ib_discretise(&plant, 0, &sampled, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "period"));
    plant.period = 0.01;
    assert_int_equal(ib_discretise(&plant, 0.005, &sampled, &error), IB_BAD_INPUT);
    plant.period = 0;
    plant.A[5] = NAN;
    assert_int_equal(ib_discretise(&plant, 0.005, &sampled, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "A: row 2, column 2"));
    plant = rig_drivetrain_plant();
    strcpy(plant.state[2], "x_left");
    assert_int_equal(ib_discretise(&plant, 0.005, &sampled, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "twice"));
}

// --------------------------------------------------------------------------------------- logarithm

// Goal: logarithms of matrices with a closed form. Method: rotations to almost half a turn, a
// Jordan block, a diagonal with large spread (14 decades between the two cost two digits); else a
// few roundings of numbers up to 3.
static void logarithms_have_their_closed_forms(void **state)
{
    (void)state;
    double l[9];
    const double angles[] = {1e-9, 0.1, 2, -3, 3.1};
    for (int i = 0; i < 5; i++) {
        double w = angles[i], rotation[4] = {cos(w), -sin(w), sin(w), cos(w)};
        assert_int_equal(ib_matrix_logarithm(2, rotation, l, &error), IB_OK);
        assert_close(l[2], w, 1e-14);
        assert_close(l[1], -w, 1e-14);
        assert_close(l[0], 0, 1e-14);
    }
    const double jordan[9] = {2, 1, 0, 0, 2, 1, 0, 0, 2};
    const double wanted[9] = {log(2), 0.5, -0.125, 0, log(2), 0.5, 0, 0, log(2)};
    assert_int_equal(ib_matrix_logarithm(3, jordan, l, &error), IB_OK);
    for (int i = 0; i < 9; i++) assert_close(l[i], wanted[i], 1e-14);
    const double spread[4] = {1e-8, 0, 0, 1e6};
    assert_int_equal(ib_matrix_logarithm(2, spread, l, &error), IB_OK);
    assert_close(l[0], log(1e-8), 1e-12);
    assert_close(l[3], log(1e6), 1e-13);
}

// Goal: a matrix without structure. Method: mpmath.logm with 40 digits, and
// scipy.linalg.fractional_matrix_power(M, 0.3), which is good to 1e-14.
static void logarithm_and_power_match_others(void **state)
{
    (void)state;
    const double M[9] = {4, 1, 0.5, 0.2, 3, -1, 0, 2, 5};
    const double log_M[9] = {1.380195590598711618,    0.2459540358444672288, 0.1382239442251811153,
                             0.05528957769007244921,  1.164735407360139391,  -0.2490034211050567291,
                             -0.01219754104235800145, 0.4919080716889344575, 1.662742249570252850};
    const double root[9] = {1.5137641689007444,    0.11257871601429924, 0.06117035203128236,
                            0.02446814081251382,   1.4109474409347162,  -0.1135549148191255,
                            -0.003904795219307533, 0.22515743202859728, 1.6380572705729644};
    double got[9], again[9];
    assert_int_equal(ib_matrix_logarithm(3, M, got, &error), IB_OK);
    for (int i = 0; i < 9; i++) assert_close(got[i], log_M[i], 3e-15);
    assert_int_equal(ib_matrix_power(3, M, 0.3, got, &error), IB_OK);
    for (int i = 0; i < 9; i++) assert_close(got[i], root[i], 2e-14);
    assert_int_equal(ib_matrix_power(3, M, -1, got, &error), IB_OK);
    ib_matrix_multiply(3, 3, 3, got, M, again);
    for (int i = 0; i < 9; i++) assert_close(again[i], i % 4 == 0, 1e-14);
    // Whole powers also where there is no logarithm.
    const double turn[4] = {-1, 0, 0, 0};
    assert_int_equal(ib_matrix_power(2, turn, 5, got, &error), IB_OK);
    assert_true(got[0] == -1 && got[3] == 0);
    assert_int_equal(ib_matrix_power(2, turn, 0, got, &error), IB_OK);
    assert_true(got[0] == 1 && got[3] == 1);
}

// Goal: where there is no logarithm, the eigenvalue is named. Method: one below 0, 0 itself, NaN.
static void missing_logarithms_are_named(void **state)
{
    (void)state;
    const double below[4] = {2, 1, 0, -0.5}, singular[4] = {1, 0, 0, 0}, nan[4] = {NAN, 0, 0, 1};
    double l[4];
    assert_int_equal(ib_matrix_logarithm(2, below, l, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "eigenvalue -0.5 is real and not above 0"));
    assert_int_equal(ib_matrix_logarithm(2, singular, l, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "eigenvalue 0 "));
    assert_int_equal(ib_matrix_logarithm(2, nan, l, &error), IB_BAD_INPUT);
    assert_int_equal(ib_matrix_power(2, below, 0.5, l, &error), IB_BAD_INPUT);
}

// ------------------------------------------------------------------------------------------ Tustin

// Goal: Tustin's A, B, C, D. Method: scipy.signal.cont2discrete((A, B, C, D), 0.05, 'bilinear').
static void tustin_matches_scipy(void **state)
{
    (void)state;
    ib_StateSpace plant = ib_state_space_default(3, 2, 2), sampled;
    const double A[9] = {0, 1, 0, -40, -3, 5, 0.5, 0, -2}, B[6] = {0, 0, 3, 0.2, 0, 1};
    const double C[6] = {1, 0, 0, 0, 1, -1}, D[4] = {0, 0, 0.1, 0};
    memcpy(plant.A, A, sizeof A);
    memcpy(plant.B, B, sizeof B);
    memcpy(plant.C, C, sizeof C);
    memcpy(plant.D, D, sizeof D);
    const double Ad[9] = {0.9546115601853418,   0.04545608279500795,   0.005411438427977137,
                          -1.8155375925863295,  0.818243311800318,     0.21645753711908547,
                          0.023269185240301686, 0.0005411438427977138, 0.9048263266479519};
    const double Bd[6] = {0.003409206209625597, 0.0003625663746744683, 0.13636824838502387,
                          0.014502654986978732, 4.058578820982855e-05, 0.047623363885412794};
    const double Cd[6] = {0.977305780092671,   0.02272804139750398, 0.0027057192139885687,
                          -0.9194033889133156, 0.9088510839787602,  -0.8441843947644333};
    const double Dd[4] = {0.0017046031048127985, 0.00018128318733723415, 0.168163831298407,
                          -0.01656035444921703};
    assert_int_equal(ib_discretise_by(&plant, IB_HOLD_TUSTIN, 0, 0.05, &sampled, &error), IB_OK);
    for (int i = 0; i < 9; i++) assert_close(sampled.A[i], Ad[i], 1e-15);
    for (int i = 0; i < 6; i++) assert_close(sampled.B[i], Bd[i], 1e-16);
    for (int i = 0; i < 6; i++) assert_close(sampled.C[i], Cd[i], 1e-15);
    for (int i = 0; i < 4; i++) assert_close(sampled.D[i], Dd[i], 1e-16);
}

// Goal: the response stays at the prewarped frequency, and moves without. Method: a low-pass
// 1/(s/3 + 1) at 20 rad/s and 20 Hz: H(e^(iwT)) against 1/(iw/3 + 1); and the limit of a tiny
// frequency is no prewarping.
static void prewarping_keeps_the_response(void **state)
{
    (void)state;
    const double w = 20, T = 0.05;
    ib_StateSpace plant = ib_state_space_default(1, 1, 1), d;
    plant.A[0] = -3;
    plant.B[0] = 3;
    plant.C[0] = 1;
    double complex z = cexp(I * w * T), wanted = 1 / (I * w / 3 + 1), got[2];
    for (int warped = 0; warped < 2; warped++) {
        ib_Status status = ib_discretise_by(&plant, IB_HOLD_TUSTIN, warped ? w : 0, T, &d, &error);
        assert_int_equal(status, IB_OK);
        got[warped] = d.C[0] * d.B[0] / (z - d.A[0]) + d.D[0];
    }
    assert_true(cabs(got[0] - wanted) > 0.01);
    assert_close(cabs(got[1] - wanted), 0, 1e-15);
    ib_StateSpace plain;
    assert_int_equal(ib_discretise_by(&plant, IB_HOLD_TUSTIN, 1e-12, T, &d, &error), IB_OK);
    assert_int_equal(ib_discretise_by(&plant, IB_HOLD_TUSTIN, 0, T, &plain, &error), IB_OK);
    assert_true(d.A[0] == plain.A[0]);
    assert_int_equal(ib_discretise_by(&plant, IB_HOLD_TUSTIN, 1e-6, T, &d, &error), IB_OK);
    assert_close(d.A[0], plain.A[0], 1e-15); // (w T)^2 / 12 is 2e-16
}

// ---------------------------------------------------------------------------------------- and back

// A random plant with |A| = size in the sum of a row, by seed; 1 to 16 states.
static ib_StateSpace random_plant(uint64_t seed, double size)
{
    int n = 1 + (int)(seed % 16), m = 1 + (int)(seed % 8);
    ib_StateSpace plant = ib_state_space_default(n, m, m);
    double *parts[4] = {plant.A, plant.B, plant.C, plant.D};
    const int counts[4] = {n * n, n * m, m * n, m * m};
    for (int part = 0; part < 4; part++)
        for (int i = 0; i < counts[part]; i++)
            parts[part][i] = chance_normal(seed, (uint64_t)part, (uint64_t)i);
    double norm = ib_matrix_norm(n, n, plant.A);
    for (int i = 0; i < n * n; i++) plant.A[i] *= size / norm;
    return plant;
}

static void assert_same(const ib_StateSpace *got, const ib_StateSpace *wanted, double tolerance)
{
    int n = wanted->states, m = wanted->inputs, p = wanted->outputs;
    double size = ib_matrix_norm(n, n, wanted->A);
    for (int i = 0; i < n * n; i++) assert_close(got->A[i], wanted->A[i], tolerance * size);
    for (int i = 0; i < n * m; i++) assert_close(got->B[i], wanted->B[i], tolerance * 3);
    for (int i = 0; i < p * n; i++) assert_close(got->C[i], wanted->C[i], tolerance * 3);
    for (int i = 0; i < p * m; i++) assert_close(got->D[i], wanted->D[i], tolerance * 3);
    assert_true(got->period == wanted->period);
}

// Goal: there and back is where one was, by every method. Method: 300 random plants of 1 to 16
// states, periods from short to |A| T = 3 (half a turn is pi), 1e-9 of the size.
static void round_trips_return(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        double T = 0.01, turn = 3 * chance_uniform(seed, 9, 0) + 1e-3;
        ib_StateSpace plant = random_plant(seed, turn / T), d;
        // Tustin takes a pole at 2/T nowhere, and one near it far away: stay away from it.
        ib_StateSpace slow = random_plant(seed, turn / T / 3);
        const double prewarp[3] = {0, 0, 150};
        for (int i = 0; i < 3; i++) {
            const ib_StateSpace *from = i ? &slow : &plant;
            ib_Hold hold = i ? IB_HOLD_TUSTIN : IB_HOLD_ZERO_ORDER;
            assert_int_equal(ib_discretise_by(from, hold, prewarp[i], T, &d, &error), IB_OK);
            assert_true(d.period == T);
            assert_int_equal(ib_undiscretise(&d, hold, prewarp[i], &d, &error), IB_OK);
            assert_same(&d, from, 1e-9);
        }
    }
}

// Goal: the drivetrain comes back from its 5 ms. Method: reference D2 there and back; an element
// of 1 changes by T, so 1e-16 in A_d is 2e-14 here.
static void drivetrain_comes_back(void **state)
{
    (void)state;
    ib_StateSpace plant = rig_drivetrain_plant(), sampled, back;
    assert_int_equal(ib_discretise(&plant, 0.005, &sampled, &error), IB_OK);
    assert_int_equal(ib_undiscretise(&sampled, IB_HOLD_ZERO_ORDER, 0, &back, &error), IB_OK);
    assert_same(&back, &plant, 1e-12);
}

// Goal: what has no way there or back is refused by name. Method: poles that forbid it.
static void no_way_back_is_refused(void **state)
{
    (void)state;
    ib_StateSpace d = ib_state_space_default(1, 1, 1), c;
    d.B[0] = d.C[0] = 1;
    assert_int_equal(ib_undiscretise(&d, IB_HOLD_ZERO_ORDER, 0, &c, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "continuous already"));
    d.period = 0.1;
    d.A[0] = -0.5;
    assert_int_equal(ib_undiscretise(&d, IB_HOLD_ZERO_ORDER, 0, &c, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "held inputs: in A the eigenvalue -0.5"));
    assert_int_equal(ib_undiscretise(&d, IB_HOLD_TUSTIN, 0, &c, &error), IB_OK);
    d.A[0] = -1;
    assert_int_equal(ib_undiscretise(&d, IB_HOLD_TUSTIN, 0, &c, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "pole at -1"));
    d.period = 0;
    d.A[0] = 20;
    assert_int_equal(ib_discretise_by(&d, IB_HOLD_TUSTIN, 0, 0.1, &c, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "pole at 20 /s"));
    d.A[0] = -1;
    assert_int_equal(ib_discretise_by(&d, IB_HOLD_TUSTIN, 32, 0.1, &c, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "prewarp: expected 0 rad/s to 31.4159"));
    assert_int_equal(ib_discretise_by(&d, IB_HOLD_TUSTIN, NAN, 0.1, &c, &error), IB_BAD_INPUT);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponentials_have_their_closed_forms),
        cmocka_unit_test(integrators_give_powers_of_time),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(drivetrain_matches_the_reference),
        cmocka_unit_test(noise_matches_the_reference),
        cmocka_unit_test(noise_has_its_closed_form),
        cmocka_unit_test(long_periods_have_their_closed_form),
        cmocka_unit_test(long_periods_match_a_quadrature),
        cmocka_unit_test(noise_balances_at_every_period),
        cmocka_unit_test(periods_can_be_too_long),
        cmocka_unit_test(bad_questions_are_refused),
        cmocka_unit_test(logarithms_have_their_closed_forms),
        cmocka_unit_test(logarithm_and_power_match_others),
        cmocka_unit_test(missing_logarithms_are_named),
        cmocka_unit_test(tustin_matches_scipy),
        cmocka_unit_test(prewarping_keeps_the_response),
        cmocka_unit_test(round_trips_return),
        cmocka_unit_test(drivetrain_comes_back),
        cmocka_unit_test(no_way_back_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
