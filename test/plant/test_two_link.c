// test/plant/test_two_link.c: the arm of two links against the reference, and what it keeps.
#include "cmocka_all.h"

#include "plant/reference_link.h"
#include "plant/solve.h"

#include <math.h>
#include <string.h>

static const double G = REFERENCE_GRAVITY;

typedef struct Run {
    ib_TwoLink arm;
    double volts[2], g;
    bool motors;
} Run;

enum { TH1, W1, TH2, W2, STATES };

static void rate(const void *context, double t, const double *x, double *dx)
{
    const Run *run = context;
    double th[2] = {x[TH1], x[TH2]}, w[2] = {x[W1], x[W2]}, T[2] = {0, 0}, a[2];
    (void)t;
    for (int i = 0; i < 2 && run->motors; i++)
        T[i] = REFERENCE_K3[i] * run->volts[i] - REFERENCE_K4[i] * w[i];
    ib_two_link_forward(&run->arm, th, w, T, run->g, a);
    dx[TH1] = w[0], dx[W1] = a[0], dx[TH2] = w[1], dx[W2] = a[1];
}

static void swing(const Run *run, double duration, double *x)
{
    const ib_System system = {STATES, rate, NULL, run};
    solve(&system, 1e-13, 1e-14, duration, x);
}

static double energy(const Run *run, const double *x)
{
    double th[2] = {x[TH1], x[TH2]}, w[2] = {x[W1], x[W2]};
    return ib_two_link_kinetic(&run->arm, th, w) + ib_two_link_potential(&run->arm, th, run->g);
}

// --------------------------------------------------------------------------------------- reference

static void accelerations_are_the_references(void **state)
{
    ib_TwoLink arm = reference_link();
    (void)state;
    for (int i = 0; i < 3; i++) {
        const double *w = reference_motions[i].w, *V = reference_motions[i].V;
        double T[2], a[2];
        for (int j = 0; j < 2; j++) T[j] = REFERENCE_K3[j] * V[j] - REFERENCE_K4[j] * w[j];
        ib_two_link_forward(&arm, reference_motions[i].th, w, T, G, a);
        for (int j = 0; j < 2; j++) assert_close(a[j], reference_motions[i].a[j], 1e-9);
    }
}

// The free swing up to 1 s (beyond it is chaotic), with its energy, and 6 V and -4 V on the motors.
static void swings_are_the_references(void **state)
{
    static const double free_swing[][5] = {
        {0.1, 0.5262840512, 0.5180841926, -0.8452017850, -0.8942911164},
        {0.2, 0.6008866761, 0.9560227914, -0.9755277720, -1.6919442721},
        {0.5, 1.0145914793, 1.7560519774, -1.7851777323, -3.6200995921},
        {1.0, 3.3749270044, 5.6051265967, -4.6292856402, -3.6575986304},
    };
    static const double driven[][5] = {
        {0.1, 0.575640570, 1.298152284, -0.935224428, -2.148777965},
        {0.2, 0.737098169, 1.887752642, -1.173439110, -2.491984949},
        {0.5, 1.510978977, 3.156952566, -1.914385007, -2.697535705},
        {1.0, 3.267127575, 2.513313639, -3.459078524, -1.601417103},
        {1.5, 4.092406134, 0.969606936, -4.176030799, -1.517438473},
    };
    Run run = {.arm = reference_link(), .g = G};
    double x[STATES] = {0.5, 0, -0.8, 0}, begun = energy(&run, x), last = 0;
    (void)state;
    assert_close(begun, 85.587162961, 1e-8);
    for (int i = 0; i < 4; i++) {
        swing(&run, free_swing[i][0] - last, x);
        last = free_swing[i][0];
        for (int j = 0; j < STATES; j++) assert_close(x[j], free_swing[i][1 + j], 1e-8);
        assert_close(energy(&run, x), begun, 1e-9);
    }
    Run pushed = {.arm = run.arm, .g = G, .volts = {6, -4}, .motors = true};
    double y[STATES] = {0.5, 0, -0.8, 0};
    last = 0;
    for (int i = 0; i < 5; i++) {
        swing(&pushed, driven[i][0] - last, y);
        last = driven[i][0];
        for (int j = 0; j < STATES; j++) assert_close(y[j], driven[i][1 + j], 1e-8);
    }
}

// ------------------------------------------------------------------------------------------ limits

// Torques for an acceleration, and the acceleration of these torques: there and back.
static void inverse_is_the_way_back(void **state)
{
    ib_TwoLink arm = reference_link();
    (void)state;
    for (int k = 0; k < 50; k++) {
        double th[2] = {sin(3.1 * k) * 4, cos(1.7 * k) * 4};
        double w[2] = {sin(k) * 7, sin(2.3 * k + 1) * 7};
        double a[2] = {sin(5.1 * k) * 40, cos(4.3 * k) * 60}, T[2], back[2];
        ib_two_link_inverse(&arm, th, w, a, G, T);
        ib_two_link_forward(&arm, th, w, T, G, back);
        for (int j = 0; j < 2; j++) assert_close(back[j], a[j], 1e-12 * 60);
    }
}

// No gravity, no torque: the angular momentum about the first joint stays, L = dK/dw1 + dK/dw2.
static void momentum_stays(void **state)
{
    Run run = {.arm = reference_link(), .g = 0};
    double x[STATES] = {0.2, 2, -1, -3}, L[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        double c = cos(x[TH1] - x[TH2]) * run.arm.beta;
        L[k] = (run.arm.alpha + c) * x[W1] + (run.arm.gamma + c) * x[W2];
        if (k == 0) swing(&run, 2, x);
    }
    assert_close(L[1], L[0], 1e-10 * fabs(L[0]));
}

// A first link that hardly swings about straight down, the second one stretched without coupling
// (l1 = 0): a pendulum with the period 2 pi sqrt(gamma/(S2 g)), less 1 ppm by its amplitude.
static void without_coupling_it_is_a_pendulum(void **state)
{
    Run run = {.arm = {.alpha = 1, .beta = 0, .gamma = 2, .first = 0, .second = 3}, .g = G};
    double period = 2 * 3.14159265358979323846 * sqrt(2 / (3 * G)),
           begin = 3.14159265358979323846 + 1e-3;
    double x[STATES] = {0, 0, begin, 0};
    (void)state;
    swing(&run, period, x);
    assert_close(x[TH2], begin, 1e-9);
    assert_close(x[W2], 0, 1e-8);
}

// A load in the hand is a longer, heavier second link: the same as a link of mass m2 + M with its
// centre of mass and inertia moved.
static void a_load_is_part_of_the_link(void **state)
{
    double m1 = 3, m2 = 2, l1 = 0.9, l2 = 0.7, r1 = 0.4, r2 = 0.3, I1 = 0.2, I2 = 0.1, M = 1.5;
    ib_TwoLink bare = {.alpha = I1 + r1 * r1 * m1 + l1 * l1 * m2,
                       .beta = l1 * r2 * m2,
                       .gamma = I2 + r2 * r2 * m2,
                       .first = r1 * m1 + l1 * m2,
                       .second = r2 * m2,
                       .length = {l1, l2}};
    double m = m2 + M, r = (m2 * r2 + M * l2) / m;
    double I = I2 + m2 * (r - r2) * (r - r2) + M * (l2 - r) * (l2 - r);
    ib_TwoLink loaded = ib_two_link_loaded(&bare, M);
    (void)state;
    assert_close(loaded.alpha, I1 + r1 * r1 * m1 + l1 * l1 * m, 1e-14);
    assert_close(loaded.beta, l1 * r * m, 1e-14);
    assert_close(loaded.gamma, I + r * r * m, 1e-14);
    assert_close(loaded.first, r1 * m1 + l1 * m, 1e-14);
    assert_close(loaded.second, r * m, 1e-14);
}

// Exact slopes beside differences of the accelerations, whose error is 1e-10 of 1e3.
static void slopes_are_the_differences(void **state)
{
    ib_TwoLink arm = reference_link();
    double th[2] = {0.7, -1.1}, w[2] = {3, -4}, T[2] = {120, -90}, d = 1e-5;
    ib_TwoLinkSlopes s;
    (void)state;
    ib_two_link_slopes(&arm, th, w, T, G, &s);
    for (int j = 0; j < 2; j++) {
        double *of[3] = {&th[j], &w[j], &T[j]};
        for (int k = 0; k < 3; k++) {
            double held = *of[k], up[2], down[2];
            *of[k] = held + d;
            ib_two_link_forward(&arm, th, w, T, G, up);
            *of[k] = held - d;
            ib_two_link_forward(&arm, th, w, T, G, down);
            *of[k] = held;
            for (int i = 0; i < 2; i++) {
                double slope = k == 0 ? s.a_th[i][j] : k == 1 ? s.a_w[i][j] : s.a_T[i][j];
                assert_close(slope, (up[i] - down[i]) / (2 * d), 1e-7);
            }
        }
    }
}

// -------------------------------------------------------------------------------------------- hand

static void hand_and_angles_agree(void **state)
{
    ib_TwoLink arm = reference_link();
    (void)state;
    for (int k = 0; k < 100; k++) {
        double th1 = sin(2.7 * k) * 3, apart = 0.05 + 3.0 * fabs(sin(1.3 * k)), back[2], hand[2];
        double beyond;
        int bend = k % 2 ? 1 : -1;
        double th[2] = {th1, th1 - bend * apart};
        ib_two_link_hand(&arm, th, hand);
        assert_true(ib_two_link_reach(&arm, hand, bend, back, &beyond));
        for (int j = 0; j < 2; j++) {
            assert_close(cos(back[j]), cos(th[j]), 1e-9);
            assert_close(sin(back[j]), sin(th[j]), 1e-9);
        }
    }
}

// Beyond its reach: by how much, and the nearest place instead.
static void out_of_reach_is_told(void **state)
{
    ib_TwoLink arm = {.length = {1.0, 0.6}};
    double th[2], beyond, hand[2];
    (void)state;
    assert_false(ib_two_link_reach(&arm, (double[]){0, 2}, 1, th, &beyond));
    assert_close(beyond, 0.4, 1e-15);
    ib_two_link_hand(&arm, th, hand);
    assert_close(hand[0], 0, 1e-12);
    assert_close(hand[1], 1.6, 1e-12);
    assert_false(ib_two_link_reach(&arm, (double[]){0.1, 0}, 1, th, &beyond));
    assert_close(beyond, 0.3, 1e-15);
    ib_two_link_hand(&arm, th, hand);
    assert_close(hand[0], 0.4, 1e-12);
    assert_close(hand[1], 0, 1e-12);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_are_the_references),
        cmocka_unit_test(swings_are_the_references),
        cmocka_unit_test(inverse_is_the_way_back),
        cmocka_unit_test(momentum_stays),
        cmocka_unit_test(without_coupling_it_is_a_pendulum),
        cmocka_unit_test(a_load_is_part_of_the_link),
        cmocka_unit_test(slopes_are_the_differences),
        cmocka_unit_test(hand_and_angles_agree),
        cmocka_unit_test(out_of_reach_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
