// Tests of an arm's table: gains at its end against Riccati's equation, gains on the way against
// the whole problem solved at once, and that what it asks for never jumps.
#include "control/arm/arm_table.h"

#include "control/arm_follow_rig.h"
#include "design/lqr.h"
#include "linear/discretise.h"

enum { N = IB_ARM_FED, M = 2, ROWS = 200 };

static ib_Error error;
static ArmRig rig;
static ib_ArmTableRow rows[ROWS];
static ib_ArmTable table;
static const ib_ArmWorth weights = {{0.05, 0.04}, {1, 1.5}, {12, 10}};

static void make(double volts)
{
    arm_rig_init(&rig, volts);
    double end = arm_rig_straight(&rig, 0, 1);
    int count = ib_arm_table_count(end, 5e-3, ROWS);
    ib_arm_table_make(&rig.plan.plant, &rig.tracks[0].path, &rig.tracks[0].timing, &weights, 5e-3,
                      count, rows, &table);
}

// The arm about a place, sampled exactly by the desk.
static void sampled_arm(const double th[2], const double w[2], const double volts[2],
                        ib_StateSpace *sampled)
{
    ib_StateSpace plant = ib_state_space_default(N, M, 0);
    double x[IB_ARM_X] = {th[0], w[0], th[1], w[1]}, A[IB_ARM_XX];
    ib_arm_slopes(&rig.plan.plant, x, volts, A);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) plant.A[i * N + j] = A[i * IB_ARM_X + j];
        for (int j = 0; j < M; j++) plant.B[i * M + j] = A[i * IB_ARM_X + N + j];
    }
    assert_int_equal(ib_discretise(&plant, 5e-3, sampled, &error), IB_OK);
}

static void diagonal(const ib_ArmWorth *from, double Q[N * N], double R[M * M])
{
    const double errors[N] = {from->position[0], from->velocity[0], from->position[1],
                              from->velocity[1]};
    memset(Q, 0, N * N * sizeof *Q);
    memset(R, 0, M * M * sizeof *R);
    for (int i = 0; i < N; i++) Q[i * N + i] = 1 / (errors[i] * errors[i]);
    for (int i = 0; i < M; i++) R[i * M + i] = 1 / (from->volts[i] * from->volts[i]);
}

// Goal: at the end it is held with the gains of Riccati's equation. Method: the desk's regulator at
// the goal. The recursion ends when a step changes 1e-10, and the slowest error fades by a tenth a
// step: 1e-8 of the largest gain, 220 V/rad.
static void gains_at_the_end_are_those_of_the_regulator(void **unused)
{
    (void)unused;
    make(11);
    static const double rest[2];
    const double *goal = rig.goals[1].th;
    double Q[N * N], R[M * M], volts[2];
    ib_StateSpace sampled;
    ib_Lqr lqr;
    ib_arm_volts(&rig.plan.plant, goal, rest, rest, volts);
    sampled_arm(goal, rest, volts, &sampled);
    diagonal(&weights, Q, R);
    assert_int_equal(ib_lqr(&sampled, Q, R, NULL, &lqr, &error), IB_OK);
    const ib_ArmTableRow *last = &rows[table.count - 1];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) assert_close(last->K[i][j], lqr.K[i * N + j], 2e-6);

    // Standing there is the same.
    ib_ArmTableRow one;
    ib_ArmTable stand;
    ib_arm_table_stand(&rig.plan.plant, goal, &weights, 5e-3, &one, &stand);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) assert_close(one.K[i][j], lqr.K[i * N + j], 2e-6);
}

// Solves a x = b, n <= 64; by elimination with the largest pivot.
static void solve(int n, double a[64][64], double b[64])
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        for (int j = 0; j < n; j++) {
            double held = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = held;
        }
        double held = b[k];
        b[k] = b[best];
        b[best] = held;
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j < n; j++) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

// Goal: on the way the gains are the best there are. Method: the last 25 periods as one problem:
// all 50 voltages at once, least sum of weighted squares, and the cost of staying at the goal
// behind them; the first two voltages, for an error of 1 in each state, are -K, without recursion.
// 1e-6 of the largest gain: the problem's condition is 1e6 or so.
static void gains_on_the_way_are_the_best_there_are(void **unused)
{
    (void)unused;
    enum { STEPS = 25, U = STEPS * M };
    make(11);
    static ib_StateSpace plants[STEPS];
    static const double rest[2];
    double Q[N * N], R[M * M], volts[2];
    ib_Lqr lqr;
    ib_StateSpace goal;
    diagonal(&weights, Q, R);
    ib_arm_volts(&rig.plan.plant, rig.goals[1].th, rest, rest, volts);
    sampled_arm(rig.goals[1].th, rest, volts, &goal);
    assert_int_equal(ib_lqr(&goal, Q, R, NULL, &lqr, &error), IB_OK);
    int first = table.count - 1 - STEPS;
    for (int k = 0; k < STEPS; k++) {
        ib_ArmSample at = ib_arm_sample(&rig.plan.plant, &rig.tracks[0].path, &rig.tracks[0].timing,
                                        (first + k) * table.spacing, NULL);
        sampled_arm(at.th, at.w, at.volts, &plants[k]);
    }
    for (int column = 0; column < N; column++) {
        // x_k = free_k + sum of G_k[u] u: both go on from period to period.
        static double H[64][64], right[64], G[N][U];
        double x[N] = {0};
        memset(H, 0, sizeof H);
        memset(right, 0, sizeof right);
        memset(G, 0, sizeof G);
        x[column] = 1;
        for (int k = 0; k < STEPS; k++) {
            const ib_StateSpace *p = &plants[k];
            double next[N], Gn[N][U];
            for (int i = 0; i < N; i++) {
                next[i] = 0;
                for (int j = 0; j < N; j++) next[i] += p->A[i * N + j] * x[j];
                for (int u = 0; u < U; u++) {
                    Gn[i][u] = 0;
                    for (int j = 0; j < N; j++) Gn[i][u] += p->A[i * N + j] * G[j][u];
                }
                for (int m = 0; m < M; m++) Gn[i][k * M + m] += p->B[i * M + m];
            }
            memcpy(x, next, sizeof x);
            memcpy(G, Gn, sizeof G);
            const double *W = k == STEPS - 1 ? lqr.X : Q;
            for (int u = 0; u < U; u++)
                for (int i = 0; i < N; i++)
                    for (int j = 0; j < N; j++) {
                        right[u] -= G[i][u] * W[i * N + j] * x[j];
                        for (int v = 0; v < U; v++) H[u][v] += G[i][u] * W[i * N + j] * G[j][v];
                    }
        }
        for (int u = 0; u < U; u++) H[u][u] += R[(u % M) * M + u % M];
        solve(U, H, right);
        for (int m = 0; m < M; m++) assert_close(rows[first].K[m][column], -right[m], 2e-4);
    }
}

// Goal: what is wanted is the way, and never jumps. Method: at 20 000 instants th is that of the
// planner, to what a jump of acceleration of 100 rad/s^2 does within one spacing (a spacing^2/24 =
// 1e-4 rad), and w is the slope of th: by differences of 1e-6 s, to 1e-4 rad/s.
static void what_is_wanted_is_the_way(void **unused)
{
    (void)unused;
    make(12);
    double end = ib_arm_table_end(&table);
    assert_close(end, rig.t[0][RIG_POINTS - 1], 1e-12);
    ib_ArmReference before = {.th = {rig.goals[0].th[0], rig.goals[0].th[1]}};
    for (int k = 0; k <= 20000; k++) {
        double t = end * k / 20000;
        ib_ArmReference at, a, b;
        ib_arm_table_at(&table, t, &at);
        ib_arm_table_at(&table, t - 1e-6, &a);
        ib_arm_table_at(&table, t + 1e-6, &b);
        ib_ArmSample sample =
            ib_arm_sample(&rig.plan.plant, &rig.tracks[0].path, &rig.tracks[0].timing, t, NULL);
        for (int i = 0; i < 2; i++) {
            assert_close(at.th[i], sample.th[i], 1e-4);
            assert_close(at.th[i], before.th[i], 10 * end / 20000); // 10 rad/s
            assert_close(at.w[i], before.w[i], 200 * end / 20000);  // 200 rad/s^2
            if (t > 1e-5 && t < end - 1e-5) assert_close(at.w[i], (b.th[i] - a.th[i]) / 2e-6, 2e-4);
        }
        before = at;
    }
    // Beyond both ends it stands.
    ib_ArmReference at;
    ib_arm_table_at(&table, end + 1, &at);
    assert_true(at.th[0] == rows[table.count - 1].th[0] && at.w[0] == 0 && at.a[1] == 0);
    ib_arm_table_at(&table, -1, &at);
    assert_close(at.th[1], -0.5, 1e-12);
}

// Goal: a long way in few rows keeps its ends and its time. Method: the same way in 12 rows.
static void few_rows_keep_ends_and_time(void **unused)
{
    (void)unused;
    make(11);
    double end = ib_arm_table_end(&table);
    assert_int_equal(ib_arm_table_count(end, 5e-3, 12), 12);
    ib_arm_table_make(&rig.plan.plant, &rig.tracks[0].path, &rig.tracks[0].timing, &weights, 5e-3,
                      12, rows, &table);
    assert_close(ib_arm_table_end(&table), end, 1e-12);
    for (int i = 0; i < 2; i++) {
        assert_close(rows[0].th[i], rig.goals[0].th[i], 1e-12);
        assert_close(rows[11].th[i], rig.goals[1].th[i], 1e-12);
        assert_true(rows[0].w[i] == 0 && rows[11].w[i] == 0);
    }
    assert_int_equal(ib_arm_table_count(1e-3, 5e-3, 12), 2);
    assert_int_equal(ib_arm_table_count(0.02, 5e-3, 12), 5);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gains_at_the_end_are_those_of_the_regulator),
        cmocka_unit_test(gains_on_the_way_are_the_best_there_are),
        cmocka_unit_test(what_is_wanted_is_the_way),
        cmocka_unit_test(few_rows_keep_ends_and_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
