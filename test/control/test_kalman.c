// Tests of the Kalman filter: the reference's run with uneven dt, its steady gain, consistency on a
// run with true noise, and what must not matter (cache, order, grouping).
#include "control/feedback/kalman.h"

#include "cmocka_all.h"
#include "linear/discretise.h"
#include "linear/drivetrain_rig.h"
#include "spread.h"

#include <float.h>
#include <math.h>
#include <string.h>

static ib_Error error;
static ib_KalmanModel model;
static ib_KalmanCache cache;

static void assert_ok(ib_Status status)
{
    if (status != IB_OK) fail_msg("%s", error.text);
}

static const double Qc[16] = {[0] = 0.0025, [5] = 1, [10] = 0.0025, [15] = 1};
static const double Rc[4] = {5e-11, 0, 0, 5e-11};
static const double P0[16] = {[0] = 1e-2, [5] = 1, [10] = 1e-2, [15] = 1};

static int start(void **state)
{
    (void)state;
    ib_StateSpace plant = rig_drivetrain_plant();
    memset(&cache, 0, sizeof cache);
    return ib_kalman_init(&plant, Qc, Rc, &model, &error) != IB_OK;
}

static void run_row(ib_KalmanCache *kept, const double *row, double *state)
{
    assert_ok(ib_kalman_predict(&model, kept, row + 1, row[0], state, &error));
    assert_ok(ib_kalman_correct(&model, row + 3, NULL, row + 1, row[0], state, NULL, &error));
}

// Goal: the hybrid observer with uneven dt is the reference's. Method: its table to 1e-9.
static void uneven_run_matches_the_reference(void **state)
{
    (void)state;
    double s[20];
    assert_int_equal(ib_kalman_states(&model), 20);
    ib_kalman_reset(&model, NULL, P0, s);
    for (int k = 0; k < IB__FILTER_ROWS; k++) {
        const double *row = ib__filter_rows[k]; // dt, u, y, x^                     [reference D3]
        run_row(&cache, row, s);
        for (int i = 0; i < 4; i++) assert_close(s[i], row[5 + i], 1e-9);
    }
}

// Goal: with even dt the filter becomes the steady one. Method: K = P C' / R_d after 400 periods
// against the reference's gain, which has 12 digits of numbers up to 17.          [reference D3]
static void even_run_reaches_the_steady_gain(void **state)
{
    (void)state;
    double s[20], u[2] = {0}, y[2] = {0};
    ib_kalman_reset(&model, NULL, P0, s);
    for (int k = 0; k < 400; k++) {
        assert_ok(ib_kalman_predict(&model, &cache, u, 0.005, s, &error));
        assert_ok(ib_kalman_correct(&model, y, NULL, u, 0.005, s, NULL, &error));
    }
    const double *P = s + 4;
    for (int i = 0; i < 4; i++) assert_close(P[i * 4] / 1e-8, ib__filter_M[i * 2], 1e-9);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) assert_true(P[i * 4 + j] == P[j * 4 + i]);
}

// Goal: the cache changes no bit. Method: 12 different dt (more than are kept) in turns, against
// a filter that forgets its cache every time.
static void cache_changes_nothing(void **state)
{
    (void)state;
    static ib_KalmanCache empty;
    double s[20], fresh[20], u[2] = {3, -1}, y[2] = {0.01, 0.02};
    ib_kalman_reset(&model, NULL, P0, s);
    ib_kalman_reset(&model, NULL, P0, fresh);
    for (int k = 0; k < 60; k++) {
        double dt = 0.004 + 1e-4 * (k % 12 < 6 ? k % 3 : k % 12);
        memset(&empty, 0, sizeof empty);
        assert_ok(ib_kalman_predict(&model, &cache, u, dt, s, &error));
        assert_ok(ib_kalman_predict(&model, &empty, u, dt, fresh, &error));
        assert_ok(ib_kalman_correct(&model, y, NULL, u, dt, s, NULL, &error));
        assert_ok(ib_kalman_correct(&model, y, NULL, u, dt, fresh, NULL, &error));
        assert_memory_equal(s, fresh, sizeof s);
    }
}

// Goal: a missed sample is only time. Method: two predictions are one over the sum of their dt,
// within the rounding of numbers of size 1.
static void missed_sample_is_longer_time(void **state)
{
    (void)state;
    double s[20], once[20], u[2] = {12, -5}, x0[4] = {0.1, 0.5, -0.2, -0.3};
    ib_kalman_reset(&model, x0, P0, s);
    ib_kalman_reset(&model, x0, P0, once);
    assert_ok(ib_kalman_predict(&model, &cache, u, 0.25, s, &error));
    assert_ok(ib_kalman_predict(&model, &cache, u, 0.5, s, &error));
    assert_ok(ib_kalman_predict(&model, &cache, u, 0.75, once, &error));
    for (int i = 0; i < 20; i++) assert_close(s[i], once[i], 1e-13);
}

// Goal: outputs may be taken in one by one. Method: independent noise, so both at once, or the
// first alone and then the second, are the same in theory; D is not zero here. From P = 1e-2 to
// R_d = 1e-8 six digits cancel: 1e-9 of numbers up to 1 is left.
static void outputs_can_be_missed_one_by_one(void **state)
{
    (void)state;
    model.plant.D[0] = 0.125, model.plant.D[3] = -0.5;
    double both[20], each[20], u[2] = {2, 1}, y[2] = {0.3, -0.4}, nis, first, second;
    const bool only_first[2] = {true, false}, only_second[2] = {false, true};
    ib_kalman_reset(&model, NULL, P0, both);
    ib_kalman_reset(&model, NULL, P0, each);
    assert_ok(ib_kalman_predict(&model, &cache, u, 0.005, both, &error));
    memcpy(each, both, sizeof each);
    assert_ok(ib_kalman_correct(&model, y, NULL, u, 0.005, both, &nis, &error));
    assert_ok(ib_kalman_correct(&model, y, only_first, u, 0.005, each, &first, &error));
    assert_true(fabs(each[2] - both[2]) > 0.01);
    assert_ok(ib_kalman_correct(&model, y, only_second, u, 0.005, each, &second, &error));
    for (int i = 0; i < 20; i++) assert_close(each[i], both[i], 1e-9);
    assert_close(first + second, nis, 1e-9 * nis);

    // y - D u, seen almost without noise, is where it is.
    assert_close(both[0], 0.3 - 0.125 * 2, 1e-6);
    assert_close(both[2], -0.4 + 0.5 * 1, 1e-6);
    const bool none[2] = {false, false};
    memcpy(each, both, sizeof each);
    assert_ok(ib_kalman_correct(&model, y, none, u, 0.005, each, &nis, &error));
    assert_true(nis == 0);
    assert_memory_equal(each, both, sizeof each);
}

// n numbers with covariance a (lower triangle of its root, computed here).
static void draw(int n, const double *a, uint64_t stream, uint64_t index, double *noise)
{
    double root[16] = {0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (int k = 0; k < j; k++) sum -= root[i * n + k] * root[j * n + k];
            root[i * n + j] = i == j ? sqrt(sum) : sum / root[j * n + j];
        }
    for (int i = 0; i < n; i++) {
        noise[i] = 0;
        for (int j = 0; j <= i; j++)
            noise[i] += root[i * n + j] * chance_normal(11, stream, index * 4 + (uint64_t)j);
    }
}

// The average NIS over a run whose plant has the noise of the model and of each dt; the filter
// believes in `trust` times the measurement noise.
static double average_nis(int steps, double trust, int *corrections)
{
    ib_StateSpace plant = rig_drivetrain_plant();
    double believed[4] = {Rc[0] * trust, 0, 0, Rc[3] * trust}, x[4] = {0}, s[20], sum = 0;
    assert_ok(ib_kalman_init(&plant, Qc, believed, &model, &error));
    ib_kalman_reset(&model, NULL, NULL, s);
    *corrections = 0;
    for (int k = 0; k < steps; k++) {
        double dt = 0.004 + 0.0005 * (k % 5), u[2] = {k % 200 < 100 ? 8 : -8, k % 70 < 35 ? 5 : -3};
        double Qd[16], Rd[4], push[4], next[4], y[2], nis, noise[2];
        ib_StateSpace sampled;
        assert_ok(ib_discretise(&plant, dt, &sampled, &error));
        assert_ok(ib_discretise_noise(&plant, Qc, Rc, dt, Qd, Rd, &error));
        draw(4, Qd, 1, (uint64_t)k, push);
        draw(2, Rd, 2, (uint64_t)k, noise);
        for (int i = 0; i < 4; i++) {
            next[i] = push[i];
            for (int j = 0; j < 4; j++) next[i] += sampled.A[i * 4 + j] * x[j];
            for (int j = 0; j < 2; j++) next[i] += sampled.B[i * 2 + j] * u[j];
        }
        memcpy(x, next, sizeof x);
        y[0] = x[0] + noise[0], y[1] = x[2] + noise[1];
        assert_ok(ib_kalman_predict(&model, &cache, u, dt, s, &error));
        if (k % 9 == 4) continue; // a missed sample
        assert_ok(ib_kalman_correct(&model, y, NULL, u, dt, s, &nis, &error));
        sum += nis;
        (*corrections)++;
        // The estimate is where the covariance says: six sigma never happens in 3000.
        for (int i = 0; i < 4; i++) assert_true(fabs(s[i] - x[i]) < 6 * sqrt(s[4 + 5 * i]));
    }
    return sum / *corrections;
}

// Goal: the filter is consistent. Method: NIS of 2 outputs is chi-square with 2 degrees, so N of
// them average to 2 with variance 4 / N; four sigma. A filter that believes in 10^4 times the
// measurement noise falls outside.
static void innovations_are_as_large_as_they_say(void **state)
{
    (void)state;
    int count;
    double average = average_nis(1500, 1, &count);
    assert_close(average, 2, 4 * sqrt(4.0 / count));
    memset(&cache, 0, sizeof cache);
    average = average_nis(300, 1e4, &count);
    assert_true(fabs(average - 2) > 4 * sqrt(4.0 / count));
}

// Goal: what cannot be filtered is refused, with the state as it was. Method: one defect each.
static void bad_questions_are_refused(void **state)
{
    (void)state;
    ib_StateSpace plant = rig_drivetrain_plant();
    double s[20], before[20], u[2] = {0}, y[2] = {0, NAN}, bad[16], R[4] = {1, 2, 2, 1};
    ib_kalman_reset(&model, NULL, P0, s);
    memcpy(before, s, sizeof s);
    assert_int_equal(ib_kalman_predict(&model, &cache, u, 0, s, &error), IB_BAD_INPUT);
    assert_int_equal(ib_kalman_predict(&model, &cache, u, NAN, s, &error), IB_BAD_INPUT);
    assert_int_equal(ib_kalman_correct(&model, y, NULL, u, 0, s, NULL, &error), IB_BAD_INPUT);
    assert_int_equal(ib_kalman_correct(&model, y, NULL, u, 1, s, NULL, &error), IB_BAD_INPUT);
    u[1] = INFINITY;
    assert_int_equal(ib_kalman_predict(&model, &cache, u, 1, s, &error), IB_BAD_INPUT);
    assert_memory_equal(s, before, sizeof s);
    y[1] = u[1] = 0;
    s[4] = -1; // no covariance
    memcpy(before, s, sizeof s);
    assert_int_equal(ib_kalman_correct(&model, y, NULL, u, 1, s, NULL, &error), IB_FAILED);
    assert_memory_equal(s, before, sizeof s);

    assert_int_equal(ib_kalman_init(&plant, Qc, R, &model, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "measurement noise"));
    memcpy(bad, Qc, sizeof bad);
    bad[1] = 1e-3;
    assert_int_equal(ib_kalman_init(&plant, bad, Rc, &model, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "row 2 column 1"));
    bad[1] = 0, bad[5] = -1;
    assert_int_equal(ib_kalman_init(&plant, bad, Rc, &model, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "negative"));
    plant.period = 0.005;
    assert_int_equal(ib_kalman_init(&plant, Qc, Rc, &model, &error), IB_BAD_INPUT);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(uneven_run_matches_the_reference, start),
        cmocka_unit_test_setup(even_run_reaches_the_steady_gain, start),
        cmocka_unit_test_setup(cache_changes_nothing, start),
        cmocka_unit_test_setup(missed_sample_is_longer_time, start),
        cmocka_unit_test_setup(outputs_can_be_missed_one_by_one, start),
        cmocka_unit_test_setup(innovations_are_as_large_as_they_say, start),
        cmocka_unit_test_setup(bad_questions_are_refused, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
