// Tests of discretisation: closed forms, the reference's drivetrain, and noise by quadrature.
#include "cmocka_all.h"
#include "design/discretise.h"
#include "design/exponential.h"

#include <float.h>
#include <math.h>
#include <string.h>

static ib_Error error;

static void assert_near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%.17g is not %.17g +- %g", value, wanted, tolerance);
}

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
        assert_near(e[0], cos(w), 4e-16 + 1e-15 * w);
        assert_near(e[2], sin(w), 4e-16 + 1e-15 * w);
        assert_near(e[1], -e[2], 4e-16 + 1e-15 * w);
    }
    const double jordan[9] = {-2, 1, 0, 0, -2, 1, 0, 0, -2};
    assert_int_equal(ib_matrix_exponential(3, jordan, e, &error), IB_OK);
    double f = exp(-2);
    const double wanted[9] = {f, f, f / 2, 0, f, f, 0, 0, f};
    for (int i = 0; i < 9; i++) assert_near(e[i], wanted[i], 4e-16);
    const double spread[4] = {-700, 0, 0, 5};
    assert_int_equal(ib_matrix_exponential(2, spread, e, &error), IB_OK);
    assert_near(e[0] / exp(-700), 1, 1e-12);
    assert_near(e[3] / exp(5), 1, 1e-13);
}

// Goal: a nilpotent matrix gives its power series, to rounding. Method: a chain of four
// integrators.
static void integrators_give_powers_of_time(void **state)
{
    (void)state;
    const double t = 0.7;
    double a[16] = {0}, e[16];
    for (int i = 0; i < 3; i++) a[i * 4 + i + 1] = t;
    assert_int_equal(ib_matrix_exponential(4, a, e, &error), IB_OK);
    const double row[4] = {1, t, t * t / 2, t * t * t / 6};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) assert_near(e[i * 4 + j], j >= i ? row[j - i] : 0, 3e-16);
}

// Goal: what has no answer is refused, never NaN. Method: a NaN, and an exponential beyond a
// double.
static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    double e[1], nan[1] = {NAN}, huge[1] = {1e6};
    assert_int_equal(ib_matrix_exponential(1, nan, e, &error), IB_BAD_INPUT);
    assert_int_equal(ib_matrix_exponential(1, huge, e, &error), IB_FAILED);
}

// --------------------------------------------------------------------------------- the drivetrain

// Two CIMs a side on a robot of 68 kg: reference D2, states [xl vl xr vr].
static ib_StateSpace drivetrain(void)
{
    const double a = -2.362590026037, c = 0.085532358159;
    const double b = 1.006376515679, d = -0.036433640891;
    const double A[16] = {0, 1, 0, 0, 0, a, 0, c, 0, 0, 0, 1, 0, c, 0, a};
    const double B[8] = {0, 0, b, d, 0, 0, d, b};
    ib_StateSpace plant = ib_state_space_default(4, 2, 2);
    memcpy(plant.A, A, sizeof A);
    memcpy(plant.B, B, sizeof B);
    plant.C[0] = plant.C[4 + 2] = 1;
    return plant;
}

// Goal: A and B of reference D2 (12 digits are printed). Method: its continuous matrices, 5 ms.
static void drivetrain_matches_the_reference(void **state)
{
    (void)state;
    ib_StateSpace plant = drivetrain(), sampled;
    assert_int_equal(ib_discretise(&plant, 0.005, &sampled, &error), IB_OK);
    const double A[8] = {1, 0.00497058372128, 0, 1.06077176258e-06,
                         0, 0.988256639207,   0, 0.000422639578323};
    const double B[4] = {1.2530253557e-05, -4.51849782905e-07, 0.00500224007854,
                         -0.000180028926531};
    for (int i = 0; i < 8; i++) assert_near(sampled.A[i], A[i], 1e-11 * fabs(A[i]) + 1e-18);
    for (int i = 0; i < 4; i++) assert_near(sampled.B[i], B[i], 1e-10 * fabs(B[i]));
    assert_near(sampled.A[3 * 4 + 1], A[7], 1e-14);
    assert_true(sampled.period == 0.005);
}

// Goal: Q_d and R_d of reference D3. Method: densities diag(.0025, 1, .0025, 1) and 5e-11, 5 ms.
static void noise_matches_the_reference(void **state)
{
    (void)state;
    ib_StateSpace plant = drivetrain();
    double Qc[16] = {0}, Rc[4] = {5e-11, 0, 0, 5e-11}, Qd[16], Rd[4];
    Qc[0] = Qc[10] = 0.0025;
    Qc[5] = Qc[15] = 1;
    assert_int_equal(ib_discretise_noise(&plant, Qc, Rc, 0.005, Qd, Rd, &error), IB_OK);
    const double rows[8] = {1.25412995411e-05, 1.23533518278e-05, 1.32180110532e-11,
                            5.27265485509e-09, 1.23533518278e-05, 0.00494139826645,
                            5.27265485509e-09, 2.10492595381e-06};
    for (int i = 0; i < 8; i++) assert_near(Qd[i], rows[i], 1e-10 * rows[i]);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) assert_true(Qd[i * 4 + j] == Qd[j * 4 + i]);
    assert_near(Rd[0], 1e-8, 1e-22);
    assert_near(Rd[1], 0, 0);
}

// Goal: the integral of the noise, for other periods. Method: a damped mass with force noise, whose
// Q_d has a closed form: with a = e^(-kT), q the density,
//   Q22 = q (1 - a^2)/(2k),  Q12 = q (1 - a)^2/(2k^2),  Q11 = q/k^2 (T - 2(1 - a)/k + (1 -
//   a^2)/(2k))
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
        assert_near(Qd[3], q * (1 - a * a) / (2 * k), 1e-15);
        assert_near(Qd[1], q * (1 - a) * (1 - a) / (2 * k * k), 1e-15);
        assert_near(Qd[0], q / (k * k) * (T - 2 * (1 - a) / k + (1 - a * a) / (2 * k)),
                    lost + 1e-15);
    }
}

// Goal: bad questions are refused with the reason. Method: no period, a discrete plant, a NaN.
static void bad_questions_are_refused(void **state)
{
    (void)state;
    ib_StateSpace plant = drivetrain(), sampled;
    assert_int_equal(ib_discretise(&plant, 0, &sampled, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "period"));
    plant.period = 0.01;
    assert_int_equal(ib_discretise(&plant, 0.005, &sampled, &error), IB_BAD_INPUT);
    plant.period = 0;
    plant.A[5] = NAN;
    assert_int_equal(ib_discretise(&plant, 0.005, &sampled, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "A: row 2, column 2"));
    plant = drivetrain();
    strcpy(plant.state[2], "x1");
    assert_int_equal(ib_discretise(&plant, 0.005, &sampled, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "twice"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponentials_have_their_closed_forms),
        cmocka_unit_test(integrators_give_powers_of_time),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(drivetrain_matches_the_reference),
        cmocka_unit_test(noise_matches_the_reference),
        cmocka_unit_test(noise_has_its_closed_form),
        cmocka_unit_test(bad_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
