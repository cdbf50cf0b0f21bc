// Continuous loops from a file to the motion: kind pva on a carriage, against the linear system
// that both are together.
#include "scenario/run_rig.h"

#include <math.h>

// A carriage of 5 kg on two CIMs, G = 10, r = 2 cm (test/robot/test_bench.c):
//   M x" = push u - drag x' - m g,   M = m + N G^2 Jr/r^2,
//   push = N G Kt/(R r),   drag = N G^2 Kt Ke/(R r^2)
static const double PI = 3.14159265358979323846, m = 5, g0 = 9.80665;

typedef struct Carriage {
    double M, push, drag;
} Carriage;

static Carriage carriage(void)
{
    const double N = 2, G = 10, r = 0.02, Jr = 7.75e-5, R = 12.0 / 133, Kt = 2.42 / 133;
    const double Ke = (12 - 2.7 * 12 / 133) / (5310 * PI / 30);
    return (Carriage){m + N * G * G * Jr / (r * r), N * G * Kt / (R * r),
                      N * G * G * Kt * Ke / (R * r * r)};
}

// On a battery that does not sag.
#define ROBOT                                                                                      \
    "robot: {kind: bench, battery: {resistance: 0 ohm}, mechanisms: {lift: {kind: elevator, "      \
    "motor: cim, motors: 2, reduction: 10, drum_radius: 2 cm, mass: 5 kg}}}\n"

// ---------------------------------------------------------------------------------------- the test

// u = kp e + I - kv v,  I' = ki e + (u within +-limit, less u)/Tt;  x, v, I by RK4 in long double.
typedef struct Law {
    double kp, ki, kv, goal, limit, tracking;
} Law;

static void move(const Law *law, long double s[3], double seconds)
{
    const Carriage c = carriage();
    int steps = (int)ceil(seconds / 1e-5);
    long double T = (long double)seconds / steps;
    for (int n = 0; n < steps; n++) {
        long double k[4][3], at[3];
        for (int i = 0; i < 4; i++) {
            long double part = i == 0 ? 0 : i == 3 ? T : T / 2;
            for (int j = 0; j < 3; j++) at[j] = s[j] + (i ? part * k[i - 1][j] : 0);
            long double e = (long double)law->goal - at[0];
            long double w = (long double)law->kp * e + at[2] - (long double)law->kv * at[1];
            long double u = fmaxl(-(long double)law->limit, fminl((long double)law->limit, w));
            k[i][0] = at[1];
            k[i][1] =
                ((long double)c.push * u - (long double)c.drag * at[1] - (long double)(m * g0)) /
                (long double)c.M;
            k[i][2] = (long double)law->ki * e + (u - w) / (long double)law->tracking;
        }
        for (int j = 0; j < 3; j++) s[j] += T / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
}

static void open_lift(Run *run, const char *control, const char *inputs, const char *how)
{
    open_run(run, ROBOT "control: {lift: {%s}}\ninputs: {%s}\nrun: {%s}\n", control, inputs, how);
}

// ------------------------------------------------------------------------------------------ claims

#define PVA "kind: pva, kp: 30 V/m, ki: 60 V/(m*s), kv: 1 V*s/m"

// Goal: carriage and loop are the linear system that they are on paper, its integral included, with
// every solver; and, at a limit of 2 V, with its anti-windup. Method: RK4 of the test in long
// double, 10 us. The error of rk4 and stiff at 1 ms is that of their step, of the others that of
// their tolerance, where a limit bends the rates 1e-8.
static void carriage_and_loop_are_one_linear_system(void **unused)
{
    (void)unused;
    static const double limits[] = {12, 2};
    for (int cut = 0; cut < 2; cut++)
        for (int solver = IB_RK4; solver < IB_SOLVER_COUNT; solver++) {
            Run run;
            char how[128];
            bool adaptive = ib_solver_adaptive((ib_SolverKind)solver);
            const Law law = {30, 60, 1, 0.2, limits[cut], sqrt(1.0 / 60)};
            long double s[3] = {0, 0, 0};
            snprintf(how, sizeof how, "duration: 1 s, solver: %s%s", ib_solver_names[solver],
                     adaptive ? ", tolerance: 1e-11" : "");
            open_lift(&run,
                      cut ? PVA ", limits: [-2 V, 2 V], period: continuous"
                          : PVA ", period: continuous",
                      "lift.goal: 0.2 m", how);
            for (int k = 1; k <= 10; k++) {
                double before = ib_time_to_seconds(ib_sim_time(run.sim));
                go(&run, 0.1 * k); // or a little further, where the solver chooses its steps
                move(&law, s, ib_time_to_seconds(ib_sim_time(run.sim)) - before);
                double allowed = !adaptive ? 1e-6 : cut ? 1e-8 : 1e-9;
                assert_close(see(&run, "lift.position"), (double)s[0], allowed);
                assert_close(see(&run, "lift.velocity"), (double)s[1], 30 * allowed);
                assert_close(see(&run, "control.lift.integral"), (double)s[2], 60 * allowed);
                double w = 30 * (0.2 - (double)s[0]) + (double)s[2] - (double)s[1];
                double u = fmax(-law.limit, fmin(law.limit, w));
                assert_close(see(&run, "control.lift.output"), u, 100 * allowed);
            }
            close_run(&run);
        }
}

// Goal: a sampled loop approaches the continuous one as its period falls, in the first order.
// Method: the position at 0.15 s, on the way, for 2 ms, 1 ms and 0.5 ms: each half of the period
// halves the difference, to a quarter of it.
static void a_short_period_approaches_the_continuous_loop(void **unused)
{
    (void)unused;
    static const char *const periods[] = {"continuous", "2 ms", "1 ms", "0.5 ms", "0.1 ms"};
    double x[5];
    for (int i = 0; i < 5; i++) {
        Run run;
        char control[128];
        snprintf(control, sizeof control, PVA ", period: %s", periods[i]);
        open_lift(&run, control, "lift.goal: 0.2 m", "duration: 1 s, step: 0.1 ms");
        go(&run, 0.15);
        x[i] = see(&run, "lift.position");
        close_run(&run);
    }
    for (int i = 1; i < 3; i++) {
        double ratio = (x[i] - x[0]) / (x[i + 1] - x[0]);
        assert_true(ratio > 1.5 && ratio < 2.5);
    }
    assert_true(fabs(x[4] - x[0]) < 0.1 * fabs(x[1] - x[0]));
}

// Goal: a goal that ramps is known with its slope, sampled and continuous, so that a carriage is
// not braked by kv. Method: 0.25 m/s: the share of the velocity is kv (0.25 - v).
static void ramps_are_known_with_their_slope(void **unused)
{
    (void)unused;
    static const char *const periods[] = {"continuous", "1 ms"};
    for (int i = 0; i < 2; i++) {
        Run run;
        char control[160];
        snprintf(control, sizeof control, PVA ", velocity: lift.velocity, period: %s", periods[i]);
        open_lift(&run, control, "hold: linear, lift.goal: [[0 s, 0 m], [1 s, 0.25 m]]",
                  "duration: 0.9 s");
        go(&run, 0.5);
        double v = see(&run, "lift.velocity");
        assert_close(see(&run, "control.lift.velocity"), 0.25 - v, i ? 1e-3 : 1e-12);
        close_run(&run);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carriage_and_loop_are_one_linear_system),
        cmocka_unit_test(a_short_period_approaches_the_continuous_loop),
        cmocka_unit_test(ramps_are_known_with_their_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
