// Tests of the Riccati equations: closed forms, a solution to fifty digits, a thousand random
// systems, second opinions (LAPACK, SLICOT), and systems without a solution.
#include "cmocka_all.h"
#include "design/riccati/schur.h"
#include "linear/eigen.h"
#include "riccati_rig.h"

#include <float.h>
#include <stdlib.h>

static ib_Error error;

// ------------------------------------------------------------------------------------- measurement

// y += factor a b, in long double, with a' where `transposed`. a: rows x inner as it is used.
static void add_product(int rows, int inner, int columns, bool transposed, long double factor,
                        const long double *a, const long double *b, long double *y)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < inner; k++)
                y[i * columns + j] +=
                    factor * a[transposed ? k * rows + i : i * inner + k] * b[k * columns + j];
}

static long double size_of(int n, const long double *a)
{
    long double most = 0;
    for (int i = 0; i < n; i++) {
        long double sum = 0;
        for (int j = 0; j < n; j++) sum += fabsl(a[i * n + j]);
        if (!(sum <= most)) most = sum;
    }
    return most;
}

static void widen(int count, const double *from, long double *to)
{
    for (int i = 0; i < count; i++) to[i] = from ? (long double)from[i] : 0;
}

// The equation with the gain that came with X, by completion of squares:
//   (A - B K)'X (A - B K) + K'R K - N K - K'N' + Q - X
// which for the right K is the same to first order, and needs no inverse. In long double.
static void fill_residual(const ib_Riccati *p, const double *X_, const double *K_, long double *y)
{
    int n = p->states, m = p->inputs;
    long double B[48], R[16], N[48], X[RIG_SQUARE], K[48];
    long double closed[RIG_SQUARE], t[RIG_SQUARE] = {0}, RK[48] = {0};
    widen(n * n, p->A, closed), widen(n * m, p->B, B), widen(m * m, p->R, R);
    widen(n * m, p->N, N), widen(n * n, X_, X), widen(m * n, K_, K), widen(n * n, p->Q, y);
    add_product(n, m, n, false, -1, B, K, closed);
    add_product(n, n, n, false, 1, X, closed, t);
    add_product(n, n, n, true, 1, closed, t, y);
    add_product(m, m, n, false, 1, R, K, RK);
    add_product(n, m, n, true, 1, K, RK, y);
    memset(t, 0, sizeof t);
    add_product(n, m, n, false, 1, N, K, t);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) y[i * n + j] -= X[i * n + j] + t[i * n + j] + t[j * n + i];
}

// That, over 2 |X| |A - B K| (|A| + |B K|) + |Q| + |K'R K|, all in units in which the diagonal of X
// is 1: the share by which A, B, Q, R would have to differ for X to be exact.
// `over_X`: over |X| alone.
static double independent_residual(const ib_Riccati *p, const double *X, const double *K,
                                   double *over_X)
{
    int n = p->states, m = p->inputs;
    long double y[RIG_SQUARE], a[RIG_SQUARE], bk[RIG_SQUARE] = {0}, closed[RIG_SQUARE];
    long double krk[RIG_SQUARE] = {0}, rk[48] = {0}, x[RIG_SQUARE], q[RIG_SQUARE];
    long double B[48], R[16], k[48];
    fill_residual(p, X, K, y);
    widen(n * n, p->A, a), widen(n * m, p->B, B), widen(m * m, p->R, R), widen(m * n, K, k);
    widen(n * n, X, x), widen(n * n, p->Q, q);
    *over_X = (double)(size_of(n, y) / size_of(n, x));
    add_product(n, m, n, false, 1, B, k, bk);
    add_product(m, m, n, false, 1, R, k, rk);
    add_product(n, m, n, true, 1, k, rk, krk);
    for (int i = 0; i < n * n; i++) {
        long double row = sqrtl((long double)X[i / n * (n + 1)]);
        long double column = sqrtl((long double)X[i % n * (n + 1)]);
        y[i] /= row * column, x[i] /= row * column, q[i] /= row * column, krk[i] /= row * column;
        a[i] *= row / column, bk[i] *= row / column;
        closed[i] = a[i] - bk[i];
    }
    long double loop = size_of(n, a) + size_of(n, bk);
    long double change = 2 * size_of(n, x) * size_of(n, closed) * loop;
    return (double)(size_of(n, y) / (change + size_of(n, q) + size_of(n, krk)));
}

// What the rounding of X and K to doubles alone leaves of the equation, over |X|: with F = A - B K
//   eps/2 (|F|'|X||F| + |X|) + (eps/2)^2 |K|'(|R| + |B|'|X||B|)|K|,   element by element
// since the equation is linear in X, and K is where its square is least.
static double rounding_over_X(const ib_Riccati *p, const double *X, const double *K)
{
    int n = p->states, m = p->inputs;
    const long double half = 0.5L * DBL_EPSILON;
    long double f[RIG_SQUARE], x[RIG_SQUARE], t[RIG_SQUARE] = {0}, y[RIG_SQUARE] = {0};
    long double B[48], k[48], r[16], xb[48] = {0}, rk[48] = {0};
    widen(n * n, p->A, f), widen(n * m, p->B, B), widen(m * n, K, k), widen(m * m, p->R, r);
    widen(n * n, X, x);
    add_product(n, m, n, false, -1, B, k, f);
    for (int i = 0; i < n * n; i++) f[i] = fabsl(f[i]), x[i] = fabsl(x[i]);
    for (int i = 0; i < n * m; i++) B[i] = fabsl(B[i]), k[i] = fabsl(k[i]);
    for (int i = 0; i < m * m; i++) r[i] = fabsl(r[i]);
    add_product(n, n, m, false, 1, x, B, xb);
    add_product(m, n, m, true, 1, B, xb, r);
    add_product(m, m, n, false, 1, r, k, rk);
    add_product(n, m, n, true, half, k, rk, y);
    add_product(n, n, n, false, 1, x, f, t);
    add_product(n, n, n, true, 1, f, t, y);
    for (int i = 0; i < n * n; i++) y[i] += x[i];
    return (double)(half * size_of(n, y) / size_of(n, x));
}

// The magnitude of the slowest pole of A - B K.
static double slowest_pole(const ib_Riccati *p, const double *K)
{
    int n = p->states, m = p->inputs;
    double closed[RIG_SQUARE];
    ib_Complex poles[RIG_STATES];
    ib_matrix_multiply(n, m, n, p->B, K, closed);
    ib_matrix_add(n, n, p->A, -1, closed, closed);
    assert_int_equal(ib_eigenvalues(n, closed, poles, &error), IB_OK);
    return sqrt(poles[0].re * poles[0].re + poles[0].im * poles[0].im);
}

static double difference(int count, const double *a, const double *b)
{
    double most = 0, size = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return most / size;
}

// -------------------------------------------------------------------------------------- known ones

// Goal: the scalar equation x = a^2 x - (a b x)^2/(r + b^2 x) + q. Method: the positive root of
// b^2 x^2 + (r - a^2 r - b^2 q) x - q r = 0, for stable and unstable a; 12 digits.
static void scalar_equation_has_its_closed_form(void **state)
{
    (void)state;
    const double as[] = {0.5, 1, 1.5, -2, 30}, b = 0.3, q = 2, r = 0.7;
    for (int i = 0; i < 5; i++) {
        double a = as[i], x, k;
        ib_Riccati p = {.states = 1, .inputs = 1, .A = &a, .B = &b, .Q = &q, .R = &r};
        ib_RiccatiAccuracy accuracy;
        assert_int_equal(ib_dare(&p, &x, &k, &accuracy, &error), IB_OK);
        double h = r - a * a * r - b * b * q, b2 = b * b;
        double wanted = (-h + sqrt(h * h + 4 * b2 * q * r)) / (2 * b2);
        assert_close(x / wanted, 1, 1e-12);
        assert_close(k, a * b * wanted / (r + b2 * wanted), 1e-12 * fabs(a / b));
        assert_true(accuracy.residual < 1e-14); // a^2 x cancels: up to 900 roundings
        assert_string_equal(accuracy.method, "doubling+newton");
    }
}

// One unstable plant with two inputs, a dense R, cross weights, and a Q that does not see x3.
static const double known_A[9] = {1.1, 0.2, 0, -0.3, 0.9, 0.4, 0.1, 0, 1.3};
static const double known_B[6] = {0, 1, 1, 0, 0.5, 0.2};
static const double known_Q[9] = {2, 0.5, 0, 0.5, 1, 0, 0, 0, 0};
static const double known_R[4] = {1, 0.2, 0.2, 0.5};
static const double known_N[6] = {0.1, 0, 0, 0.2, 0, 0};
static const ib_Riccati known = {3, 2, known_A, known_B, known_Q, known_R, known_N, NULL, false};

// Goal: a problem with everything, right to 13 digits. Method: against X <- Ric(X) iterated from
// 10 I with 50 digits until it stands still (412 steps with mpmath).
static void dense_problem_matches_fifty_digits(void **state)
{
    (void)state;
    const double wanted_X[9] = {2.55433608329574332,   0.0375603465158333958, 0.580107327752425914,
                                0.0375603465158333958, 3.33545441648222377,   -4.29221847481954836,
                                0.580107327752425914,  -4.29221847481954836,  11.2266583020929141};
    const double wanted_K[6] = {-0.186081436608776328, 0.423905467986235462,   0.553372661507694075,
                                0.967367443356134598,  -0.0911235861179416387, 0.7780964785342846};
    double X[9], K[6];
    ib_RiccatiAccuracy accuracy;
    assert_int_equal(ib_dare(&known, X, K, &accuracy, &error), IB_OK);
    assert_true(difference(9, X, wanted_X) < 1e-13);
    assert_true(difference(6, K, wanted_K) < 1e-13);
    assert_int_equal(ib_dare_schur(&known, X, K, &accuracy, &error), IB_OK);
    assert_true(difference(9, X, wanted_X) < 1e-12); // Schur forms lose a digit
    assert_true(difference(6, K, wanted_K) < 1e-12);
    assert_string_equal(accuracy.method, "schur");
}

// Goal: a growing mode that no weight sees still ends up in a stable loop, its pole mirrored into
// the circle. Method: a = 2, q = 0, b = r = 1: x = 3, a - b k = 1/2; and beside another mode, as
// cheap control has it, poles 1/1.5 and 0.5.
static void unseen_growing_mode_is_mirrored(void **state)
{
    (void)state;
    double a = 2, b = 1, q = 0, r = 1, x, k;
    ib_Riccati p = {.states = 1, .inputs = 1, .A = &a, .B = &b, .Q = &q, .R = &r};
    ib_RiccatiAccuracy accuracy;
    assert_int_equal(ib_dare(&p, &x, &k, &accuracy, &error), IB_OK);
    assert_close(x, 3, 1e-12);
    assert_close(a - b * k, 0.5, 1e-12);
    const double A[4] = {1.5, 0, 0, 0.5}, B[2] = {1, 1}, Q[4] = {0};
    double X[4], K[2];
    ib_Riccati two = {.states = 2, .inputs = 1, .A = A, .B = B, .Q = Q, .R = &r};
    assert_int_equal(ib_dare(&two, X, K, &accuracy, &error), IB_OK);
    assert_close(slowest_pole(&two, K), 1 / 1.5, 1e-12);
    assert_close(A[0] * A[3] - A[0] * K[1] - A[3] * K[0], 0.5 / 1.5, 1e-12); // the determinant
}

// ------------------------------------------------------------------------------------- random ones

// Goal: 1000 random systems of 1 to 12 states and 1 to 4 inputs are solved, with a residual below
// 1e-12, both as a share of A, B, Q, R and over |X|, and their loops are stable. Method: elements
// to 0.2 .. 2, so that poles reach 0.05 to 4 times the circle; every second one with cross weights,
// every third one in units that differ by up to 10^8. Residuals as reported, and computed anew in
// another form; over |X| that may also be what rounding X and K to doubles leaves. One of them,
// number 779, has 3e-11 so: X to two hundred digits, rounded, has 2.8e-11 (mpfr). Of 100 000
// systems 14 have more before they are rounded, Newton's steps stop short there, but as much as
// their gain says; of Poisson's law with 0.3 of a thousand, 6 come less than once in a million.
static void thousand_random_systems_are_solved(void **state)
{
    (void)state;
    RigDice dice = {.seed = 5};
    double worst = 0, independent = 0;
    int corrected = 0, ends = 0;
    for (int k = 0; k < 1000; k++) {
        Rig rig;
        double X[RIG_SQUARE], K[RIG_STATES * RIG_INPUTS], share;
        ib_RiccatiAccuracy accuracy;
        int n = 1 + k % 12, m = 1 + (k / 12) % 4;
        double grown = 1.1 + 0.9 * rig_draw(&dice);
        rig_random(&dice, n, m, grown, k % 3 ? 0 : 4, k % 2, &rig);
        if (ib_dare(&rig.problem, X, K, &accuracy, &error) != IB_OK)
            fail_msg("system %d: %s", k, error.text);
        worst = fmax(worst, accuracy.over_X < 1e-12 ? accuracy.residual : 0);
        assert_true(accuracy.residual < fmax(1e-12, accuracy.gain_error));
        independent = fmax(independent, independent_residual(&rig.problem, X, K, &share));
        // Beyond 1e-12 lies where Newton's steps stop short: as far as the gain says it is off.
        if (accuracy.over_X >= 1e-12)
            ends++, assert_true(accuracy.over_X < 2 * accuracy.gain_error);
        double allowed = accuracy.over_X < 1e-12 ? 1e-12 : 2 * accuracy.gain_error;
        corrected += accuracy.corrections > 0;
        assert_true(share < fmax(allowed, rounding_over_X(&rig.problem, X, K)));
        assert_true(accuracy.gain_error < 1e-9);
        assert_true(slowest_pole(&rig.problem, K) < 1);
        for (int i = 0; i < n * n; i++) assert_true(X[i] == X[i % n * n + i / n]);
    }
    print_message("residual %.2g, independent %.2g; %d corrected, %d stopped short\n", worst,
                  independent, corrected, ends);
    assert_true(worst < 1e-12);
    assert_true(independent < 1e-12);
    assert_true(ends <= (chance_seed() ? 5 : 0));
}

// Goal: very unstable plants with one input, on which doubling alone fails, are solved. Method: 9
// states, poles to 3.5; the loop must be stable and the residual below 1e-12 as for the others. Of
// 20 000 systems 4 have more, Newton's steps stop short there, but less than their gain says; of
// Poisson's law with 0.1 of 200, 5 and more come once in ten million.
static void very_unstable_plants_are_solved(void **state)
{
    (void)state;
    RigDice dice = {.seed = 77};
    double worst = 0;
    int ends = 0;
    for (int k = 0; k < 200; k++) {
        Rig rig;
        double X[RIG_SQUARE], K[RIG_STATES * RIG_INPUTS];
        ib_RiccatiAccuracy accuracy;
        rig_random(&dice, 9, 1, 2, 0, false, &rig);
        if (ib_dare(&rig.problem, X, K, &accuracy, &error) != IB_OK)
            fail_msg("system %d: %s", k, error.text);
        if (accuracy.residual >= 1e-12)
            ends++, assert_true(accuracy.residual < accuracy.gain_error);
        else
            worst = fmax(worst, accuracy.residual);
        assert_true(slowest_pole(&rig.problem, K) < 1);
    }
    print_message("worst residual %.2g, %d stopped short\n", worst, ends);
    assert_true(ends <= (chance_seed() ? 4 : 0));
}

// A chain of growing modes, each pushed by the next one and the last one by the only input.
static ib_Riccati make_chain(int n, double slowest)
{
    static double A[256], B[16], Q[256], R = 1;
    memset(A, 0, sizeof A), memset(B, 0, sizeof B), memset(Q, 0, sizeof Q);
    for (int i = 0; i < n; i++) {
        A[i * n + i] = slowest + 0.1 * i;
        if (i + 1 < n) A[i * n + i + 1] = 1;
        Q[i * n + i] = 1;
    }
    B[n - 1] = 1;
    return (ib_Riccati){.states = n, .inputs = 1, .A = A, .B = B, .Q = Q, .R = &R};
}

// Goal: gains whose digits stand behind the last one of X are right to 13 digits: K, and F of the
// Kalman filter. Method: 13 modes at 1.5 .. 2.7 and one input, against doubling with
// 100 digits (mpmath: a, g, h = a W a, g + a W g a', h + a' h W a with W = (I + g h)^-1 until h
// stands still; K = (1 + b'h b)^-1 b'h a, F = (1 + b'h b)^-1 b'h). X has elements of 1e15 and more.
static void gains_of_growing_chains_match_a_hundred_digits(void **state)
{
    (void)state;
    const double K13[13] = {1.17050631124303, 28.2539754162714, 272.163023080332, 1408.00105346438,
                            4422.47269278009, 9002.96165305344, 12331.9679723126, 11596.7389721291,
                            7536.24544204061, 3361.79571775247, 1005.57719373919, 191.836024801725,
                            21.0019166037138};
    const double F13[13] = {0.780337540828688, 17.1710236721517, 149.995293769518, 698.892088719369,
                            1959.77926529512,  3521.59119387916, 4195.41751353975, 3364.23702663154,
                            1813.91670235177,  644.949589750293, 144.25104159556,  18.3019166177556,
                            0.999999994799338};
    double K[16], F[16];
    ib_RiccatiAccuracy accuracy;
    ib_Riccati chain = make_chain(13, 1.5);
    assert_int_equal(ib_dare_gains(&chain, NULL, K, F, &accuracy, &error), IB_OK);
    assert_true(difference(13, K, K13) < 1e-13);
    assert_true(difference(13, F, F13) < 1e-13);
    chain = make_chain(14, 3);
    assert_int_equal(ib_dare(&chain, NULL, K, &accuracy, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "14 modes grow by themselves, by up to 4.3 times a period"));
}

// Rows and columns in reverse order: of states and inputs, if done to all matrices of a problem.
static void flip(int count, const double *from, double *to)
{
    for (int i = 0; i < count; i++) to[i] = from[count - 1 - i];
}

// Goal: rounding moves K by less than 1e-9, on very unstable plants as well. Method: states and
// inputs in reverse order are the same data, not rounded again, but every sum is rounded otherwise.
// 400 systems as above, most with one input.
static void gains_do_not_depend_on_the_order_of_the_states(void **state)
{
    (void)state;
    RigDice dice = {.seed = 21};
    for (int k = 0; k < 400; k++) {
        Rig rig, turned;
        double K[48], other[48], back[48];
        ib_RiccatiAccuracy accuracy;
        int n = 1 + k % 12, m = 1 + (k % 4 == 3) * (k / 12 % 3);
        rig_random(&dice, n, m, 1.1 + 0.9 * rig_draw(&dice), k % 3 ? 0 : 4, k % 2, &rig);
        flip(n * n, rig.A, turned.A), flip(n * m, rig.B, turned.B), flip(n * n, rig.Q, turned.Q);
        flip(m * m, rig.R, turned.R), flip(n * m, rig.N, turned.N);
        rig_bind(&turned, n, m, k % 2);
        assert_int_equal(ib_dare(&rig.problem, NULL, K, &accuracy, &error), IB_OK);
        assert_int_equal(ib_dare(&turned.problem, NULL, other, &accuracy, &error), IB_OK);
        flip(m * n, other, back);
        assert_true(difference(m * n, back, K) < 1e-9);
    }
}

// Goal: the ordered Schur form agrees, to 1e-9 of X and K. Method: 300 random systems of up
// to 12 states; with at least two inputs, since a Schur form loses digits on very unstable
// plants with one.
static void schur_form_is_of_the_same_opinion(void **state)
{
    (void)state;
    RigDice dice = {.seed = 6};
    for (int k = 0; k < 300; k++) {
        Rig rig;
        double X[RIG_SQUARE], K[48], other_X[RIG_SQUARE], other_K[48];
        ib_RiccatiAccuracy accuracy;
        int n = 1 + k % 12, m = 2 + k % 3;
        rig_random(&dice, n, m, 0.7 + 0.5 * rig_draw(&dice), 0, k % 2, &rig);
        assert_int_equal(ib_dare(&rig.problem, X, K, &accuracy, &error), IB_OK);
        assert_int_equal(ib_dare_schur(&rig.problem, other_X, other_K, &accuracy, &error), IB_OK);
        assert_true(difference(n * n, other_X, X) < 1e-9);
        assert_true(difference(n * m, other_K, K) < 1e-9);
    }
}

#ifdef IB_HAVE_SLICOT
// Goal: SLICOT agrees, to 1e-9 of X. Method: as above, with its SB02OD.
static void slicot_is_of_the_same_opinion(void **state)
{
    (void)state;
    RigDice dice = {.seed = 8};
    for (int k = 0; k < 300; k++) {
        Rig rig;
        double X[RIG_SQUARE], other[RIG_SQUARE];
        ib_RiccatiAccuracy accuracy;
        int n = 1 + k % 12, m = 2 + k % 3;
        rig_random(&dice, n, m, 0.7 + 0.5 * rig_draw(&dice), 0, k % 2, &rig);
        assert_int_equal(ib_dare(&rig.problem, X, NULL, &accuracy, &error), IB_OK);
        assert_int_equal(rig_slicot(&rig.problem, other), 0);
        assert_true(difference(n * n, other, X) < 1e-9);
    }
}
#endif

// ---------------------------------------------------------------------------------------- refusals

static void assert_refused(const ib_Riccati *p, const char *words)
{
    double X[RIG_SQUARE], K[48];
    ib_RiccatiAccuracy accuracy;
    ib_Status (*solvers[2])(const ib_Riccati *, double *, double *, ib_RiccatiAccuracy *,
                            ib_Error *) = {ib_dare, ib_dare_schur};
    for (int i = 0; i < 2; i++) {
        memset(X, 0x55, sizeof X);
        memset(K, 0x55, sizeof K);
        error.text[0] = 0;
        ib_Status status = solvers[i](p, X, K, &accuracy, &error);
        if (status != IB_BAD_INPUT || !strstr(error.text, words))
            fail_msg("solver %d, status %d, '%s', expected '%s'", i, status, error.text, words);
        for (int j = 0; j < p->states * p->states; j++) assert_true(X[j] == X[j]);
        for (int j = 0; j < p->states * p->inputs; j++) assert_true(K[j] == K[j]);
    }
}

// Goal: each precondition that fails is named, with the states. Method: one wrong thing at a time.
static void what_has_no_solution_is_refused_by_name(void **state)
{
    (void)state;
    const char names[2][IB_STATE_NAME + 1] = {"lean", "spin"};
    const double A[4] = {1.2, 0, 0, 0.5}, B[2] = {1, 1}, Q[4] = {1, 0, 0, 1}, R[1] = {1};
    const double negative[1] = {-1}, zero[1] = {0}, skew[4] = {1, 2, 0, 1}, none[2] = {0, 0};
    const double saddle[4] = {1, 0, 0, -1}, flat[4] = {0, 0.1, 0.1, 1}, N[2] = {2, 0};
    const double lame[2] = {0, 1}, keeps[4] = {1, 0, 0, 0.5}, blind[4] = {0, 0, 0, 1};
    const double turns[4] = {0.6, -0.8, 0.8, 0.6}, wild[4] = {1, NAN, 0, 1}, huge[2] = {INFINITY};
    const double far[2] = {1e300, 1e300}, faint[2] = {1e-100, 1e-100};
    const ib_Riccati good = {2, 1, A, B, Q, R, NULL, names, false};
    ib_Riccati p = good;
    double X[4];
    ib_RiccatiAccuracy accuracy;
    assert_int_equal(ib_dare(&p, X, NULL, &accuracy, &error), IB_OK);
    p.R = negative, assert_refused(&p, "R is not positive definite: its smallest eigenvalue is -1");
    p.R = zero, assert_refused(&p, "R is not positive definite");
    p = good, p.Q = skew, assert_refused(&p, "Q is not symmetric: row 2, column 1 is 0, but row 1");
    p.Q = saddle, assert_refused(&p, "Q is not positive semidefinite: its smallest eigenvalue is");
    p.Q = flat, assert_refused(&p, "Q is not positive semidefinite");
    p = good, p.N = N, assert_refused(&p, "Q - N R^-1 N' is not positive semidefinite");
    p = good, p.A = wild, assert_refused(&p, "A is not finite");
    p = good, p.B = huge, assert_refused(&p, "B is not finite");
    p = good, p.B = far, assert_refused(&p, "B is too large beside R: with elements up to 1e+300");
    p.filter = true, assert_refused(&p, "C is too large beside the measurement noise");
    p = good, p.Q = saddle, p.filter = true;
    assert_refused(&p, "the process noise of one period is not positive semidefinite");
    p = good, p.B = lame;
    assert_refused(&p, "not stabilisable: no input moves the mode at 1.2 (lean)");
    p.filter = true, assert_refused(&p, "not detectable: no output sees the mode at 1.2 (lean)");
    p = good, p.A = keeps, p.Q = blind;
    assert_refused(&p, "not detectable: no weight sees the mode at 1 (lean)");
    p.filter = true, assert_refused(&p, "no process noise reaches the mode at 1 (lean)");
    // Out of scale, but not out of reach.
    p = good, p.B = faint;
    assert_int_equal(ib_dare(&p, X, NULL, &accuracy, &error), IB_BAD_INPUT);
    assert_non_null(
        strstr(error.text, "the scales are too far apart, the elements of B reach 1e-100"));
    p = good, p.A = turns, p.B = none;
    assert_refused(&p, "no input moves the mode at 0.6 +- 0.8i (lean, spin)");
}

// T a T^-1 by n random shears and rotations of pairs, so that every matrix of the problem is full:
// x = T z, so that A <- T A T^-1, B <- T B, Q <- T'^-1 Q T^-1.
static void mix(RigDice *dice, Rig *rig)
{
    int n = rig->problem.states, m = rig->problem.inputs;
    for (int turn = 0; turn < 2 * n; turn++) {
        int i = turn % n, j = (turn + 1 + turn / n) % n;
        double s = rig_draw(dice);
        if (i == j) continue;
        // x_i += s x_j:  rows of A and B, columns of A, rows and columns of Q.
        for (int k = 0; k < n; k++) rig->A[i * n + k] += s * rig->A[j * n + k];
        for (int k = 0; k < m; k++) rig->B[i * m + k] += s * rig->B[j * m + k];
        for (int k = 0; k < n; k++) rig->A[k * n + j] -= s * rig->A[k * n + i];
        for (int k = 0; k < n; k++) rig->Q[k * n + j] -= s * rig->Q[k * n + i];
        for (int k = 0; k < n; k++) rig->Q[j * n + k] -= s * rig->Q[i * n + k];
    }
}

// A random problem whose last state, or last two, is a mode of its own: out of reach of the inputs
// and of the others, or (`unseen`) neither weighted nor seen by the others.
static void spoil(RigDice *dice, int n, int m, bool unseen, bool pair, double size, Rig *rig)
{
    int first = n - (pair ? 2 : 1);
    rig_random(dice, n, m, 0.6, 0, false, rig);
    for (int i = first; i < n; i++)
        for (int j = 0; j < n; j++) {
            rig->A[unseen ? j * n + i : i * n + j] = 0;
            if (unseen) rig->Q[i * n + j] = rig->Q[j * n + i] = 0;
        }
    for (int i = first * m; !unseen && i < n * m; i++) rig->B[i] = 0;
    if (pair) {
        rig->A[first * n + first] = rig->A[n * n - 1] = 0.6 * size;
        rig->A[first * n + n - 1] = -0.8 * size;
        rig->A[(n - 1) * n + first] = 0.8 * size;
    } else {
        rig->A[n * n - 1] = rig_draw(dice) > 0 ? size : -size;
    }
    mix(dice, rig);
}

// Goal: 400 random systems without a solution are refused by name, never with a NaN. Method: a mode
// on or outside the circle out of reach of the inputs, or on it and out of sight of the weights,
// hidden behind a random change of coordinates.
static void random_systems_without_a_solution_are_refused(void **state)
{
    (void)state;
    RigDice dice = {.seed = 9};
    for (int k = 0; k < 400; k++) {
        Rig rig;
        bool unseen = k % 2, pair = k / 2 % 2;
        int n = 3 + k % 6, m = 1 + k % 3;
        double size = unseen || k % 5 == 0 ? 1 : 1 + 0.5 * fabs(rig_draw(&dice));
        spoil(&dice, n, m, unseen, pair, size, &rig);
        double X[RIG_SQUARE], K[48];
        ib_RiccatiAccuracy accuracy;
        ib_Status status = ib_dare(&rig.problem, X, K, &accuracy, &error);
        const char *words = unseen ? "no weight sees the mode at" : "no input moves the mode at";
        if (status != IB_BAD_INPUT || !strstr(error.text, words))
            fail_msg("system %d (%d states, %g): status %d, '%s', residual %g", k, n, size, status,
                     status ? error.text : "", accuracy.residual);
    }
}

// Goal: whatever the numbers, the answer is finite, or a refusal in words. Method: 3000 problems
// whose elements are 0, or of any size from 1e-300 to 1e300, weights diagonal.
static void extreme_numbers_give_an_answer_or_words(void **state)
{
    (void)state;
    RigDice dice = {.seed = 12};
    int solved = 0;
    for (int k = 0; k < 3000; k++) {
        Rig rig = {0};
        int n = 1 + k % 4, m = 1 + k % 2;
        double decades = k % 3 == 0 ? 300 : k % 3 == 1 ? 30 : 3, X[16], K[8];
        for (int i = 0; i < n * n; i++)
            if (rig_draw(&dice) > 0) rig.A[i] = pow(10, decades * rig_draw(&dice));
        for (int i = 0; i < n * m; i++)
            if (rig_draw(&dice) > 0) rig.B[i] = -pow(10, decades * rig_draw(&dice));
        for (int i = 0; i < n; i++)
            if (rig_draw(&dice) > -0.5) rig.Q[i * n + i] = pow(10, decades * rig_draw(&dice));
        for (int i = 0; i < m; i++) rig.R[i * m + i] = pow(10, decades * rig_draw(&dice));
        rig_bind(&rig, n, m, false);
        ib_RiccatiAccuracy accuracy;
        error.text[0] = 0;
        if (ib_dare(&rig.problem, X, K, &accuracy, &error) != IB_OK) {
            assert_true(error.text[0] != 0);
            continue;
        }
        solved++;
        assert_true(accuracy.residual < 1e-6);
        for (int i = 0; i < n * n; i++) assert_true(fabs(X[i]) < INFINITY);
        for (int i = 0; i < m * n; i++) assert_true(fabs(K[i]) < INFINITY);
    }
    print_message("%d of 3000 solved\n", solved);
    assert_true(solved > 100);
}

// -------------------------------------------------------------------------------------- continuous

// Goal: closed forms in continuous time. Method: the scalar one, and the double integrator with
// Q = I, R = 1: K = (1, sqrt 3), X = (sqrt 3, 1; 1, sqrt 3); 12 digits.
static void continuous_equation_has_its_closed_forms(void **state)
{
    (void)state;
    const double as[] = {-3, 0, 2}, b = 0.4, q = 1.5, r = 0.2;
    double X[4], K[2];
    ib_RiccatiAccuracy accuracy;
    for (int i = 0; i < 3; i++) {
        ib_Riccati p = {.states = 1, .inputs = 1, .A = &as[i], .B = &b, .Q = &q, .R = &r};
        assert_int_equal(ib_care(&p, X, K, &accuracy, &error), IB_OK);
        double wanted = (as[i] + sqrt(as[i] * as[i] + b * b * q / r)) * r / (b * b);
        assert_close(X[0], wanted, 1e-12 * wanted);
    }
    const double A[4] = {0, 1, 0, 0}, B[2] = {0, 1}, Q[4] = {1, 0, 0, 1}, one = 1;
    const double wanted_X[4] = {sqrt(3), 1, 1, sqrt(3)}, wanted_K[2] = {1, sqrt(3)};
    ib_Riccati p = {.states = 2, .inputs = 1, .A = A, .B = B, .Q = Q, .R = &one};
    assert_int_equal(ib_care(&p, X, K, &accuracy, &error), IB_OK);
    assert_true(difference(4, X, wanted_X) < 1e-12);
    assert_true(difference(2, K, wanted_K) < 1e-12);
    assert_true(accuracy.residual < 1e-13);
}

// Goal: a dense problem with cross weights. Method: scipy.linalg.solve_continuous_are(A, B, Q, R,
// s=N) of scipy 1.10, itself a Schur method: 1e-10.
static void continuous_equation_agrees_with_scipy(void **state)
{
    (void)state;
    const double wanted_K[6] = {-0.4302299606023139,  2.2031204142942,    0.8947036498787949,
                                -0.31853204095609033, -13.93113681384173, 29.621325334554157};
    double X[9], K[6];
    ib_RiccatiAccuracy accuracy;
    assert_int_equal(ib_care(&known, X, K, &accuracy, &error), IB_OK);
    assert_true(difference(6, K, wanted_K) < 1e-10);
    assert_close(X[8], 202.1171364053819, 1e-7);
}

// Goal: 300 random systems in continuous time. Method: loop stable (as the function checks), modes
// of refusals by name. X = V U^-1 with U'(1 + X'X) U = 1 loses up to |X| in digits [Laub 1979]: a
// residual below 1e-12, the rounding of 12 states, or a two-thousandth of 2e-16 |X|.
static void continuous_random_systems_are_solved_or_refused(void **state)
{
    (void)state;
    RigDice dice = {.seed = 10};
    ib_RiccatiAccuracy accuracy;
    double X[RIG_SQUARE], K[48], worst = 0;
    for (int k = 0; k < 300; k++) {
        Rig rig;
        rig_random(&dice, 1 + k % 12, 1 + k % 4, 1, k % 3 ? 0 : 2, k % 2, &rig);
        assert_int_equal(ib_care(&rig.problem, X, K, &accuracy, &error), IB_OK);
        double size = ib_matrix_norm(1 + k % 12, 1 + k % 12, X);
        worst = fmax(worst, accuracy.residual / fmax(1e-12, 1e-19 * size));
    }
    assert_true(worst < 1);
    const double A[4] = {0.2, 0, 0, -1}, B[2] = {0, 1}, Q[4] = {1, 0, 0, 1}, R = 1;
    const double still[4] = {0, 0, 0, -1}, blind[4] = {0, 0, 0, 1}, all[2] = {1, 1};
    ib_Riccati p = {.states = 2, .inputs = 1, .A = A, .B = B, .Q = Q, .R = &R};
    assert_int_equal(ib_care(&p, X, K, &accuracy, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "not stabilisable: no input moves the mode at 0.2 (x1)"));
    p.A = still, p.B = all, p.Q = blind;
    assert_int_equal(ib_care(&p, X, K, &accuracy, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "not detectable: no weight sees the mode at 0 (x1)"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalar_equation_has_its_closed_form),
        cmocka_unit_test(dense_problem_matches_fifty_digits),
        cmocka_unit_test(unseen_growing_mode_is_mirrored),
        cmocka_unit_test(thousand_random_systems_are_solved),
        cmocka_unit_test(very_unstable_plants_are_solved),
        cmocka_unit_test(gains_of_growing_chains_match_a_hundred_digits),
        cmocka_unit_test(gains_do_not_depend_on_the_order_of_the_states),
        cmocka_unit_test(schur_form_is_of_the_same_opinion),
#ifdef IB_HAVE_SLICOT
        cmocka_unit_test(slicot_is_of_the_same_opinion),
#endif
        cmocka_unit_test(what_has_no_solution_is_refused_by_name),
        cmocka_unit_test(random_systems_without_a_solution_are_refused),
        cmocka_unit_test(extreme_numbers_give_an_answer_or_words),
        cmocka_unit_test(continuous_equation_has_its_closed_forms),
        cmocka_unit_test(continuous_equation_agrees_with_scipy),
        cmocka_unit_test(continuous_random_systems_are_solved_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
