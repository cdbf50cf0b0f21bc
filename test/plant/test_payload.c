// test/plant/test_payload.c: a moving load keeps momentum, and its mover's work is booked.
#include "cmocka_all.h"

#include "plant/payload.h"
#include "plant/solve.h"

#include <string.h>

// A base of 50 kg with a load of 8 kg on an arm, free on ice (no outer forces).
static const ib_Base BASE = {50, 4.2};
static const double LOAD = 8, RESPONSE = 0.15;

enum { X, Y, TH, U, N, W, PX, PY, DX, DY, WORK, STATES };

typedef struct Arm {
    double target_x, target_y; // [m]
    double fx, fy, torque;     // outer, robot frame
} Arm;

static ib_Payload load_of(const double *x)
{
    return (ib_Payload){LOAD, x[PX], x[PY], x[DX], x[DY]};
}

static ib_PayloadBooks books_of(const double *x)
{
    ib_Payload load = load_of(x);
    ib_Twist twist = {x[U], x[N], x[W]};
    return ib_payload_books(&BASE, &load, &twist);
}

static void arm_rate(const void *context, double t, const double *x, double *dx)
{
    const Arm *arm = context;
    ib_Payload load = load_of(x);
    ib_Twist twist = {x[U], x[N], x[W]};
    (void)t;
    double ddx = ib_payload_mover(arm->target_x, x[PX], x[DX], RESPONSE);
    double ddy = ib_payload_mover(arm->target_y, x[PY], x[DY], RESPONSE);
    ib_PayloadResult r =
        ib_payload_rate(&BASE, &load, &twist, ddx, ddy, arm->fx, arm->fy, arm->torque);
    dx[X] = x[U] * cos(x[TH]) - x[N] * sin(x[TH]);
    dx[Y] = x[U] * sin(x[TH]) + x[N] * cos(x[TH]);
    dx[TH] = x[W];
    dx[U] = r.rate.u;
    dx[N] = r.rate.n;
    dx[W] = r.rate.w;
    dx[PX] = x[DX];
    dx[PY] = x[DY];
    dx[DX] = ddx;
    dx[DY] = ddy;
    dx[WORK] = r.arm_power;
}

static void run_arm(const Arm *arm, double duration, double *x)
{
    const ib_System system = {STATES, arm_rate, NULL, arm};
    solve(&system, 1e-14, 1e-13, duration, x);
}

// Momentum in the field frame, which does not turn.
static void field_momentum(const double *x, double *px, double *py)
{
    ib_PayloadBooks b = books_of(x);
    *px = b.px * cos(x[TH]) - b.py * sin(x[TH]);
    *py = b.px * sin(x[TH]) + b.py * cos(x[TH]);
}

// Goal: nothing outside, nothing changes: momentum, angular momentum about the centre of mass, and
// energy but for the arm's work. Method: a robot that drives, drifts and spins while its arm swings
// out and round; 1e-12 relative (dopri5 at 1e-14, about 100 steps).
static void free_robot_keeps_its_momenta_while_the_arm_moves(void **state)
{
    (void)state;
    Arm arm = {.target_x = 0.9, .target_y = -0.4};
    double x[STATES] = {[U] = 2, [N] = -0.7, [W] = 3, [PX] = 0.1, [PY] = 0.2}, px0, py0, px, py;
    ib_PayloadBooks before = books_of(x);
    field_momentum(x, &px0, &py0);
    for (int i = 0; i < 5; i++) {
        run_arm(&arm, 0.2, x);
        ib_PayloadBooks now = books_of(x);
        field_momentum(x, &px, &py);
        assert_close(px, px0, 1e-12 * hypot(px0, py0));
        assert_close(py, py0, 1e-12 * hypot(px0, py0));
        assert_close(now.about_com, before.about_com, 1e-12 * fabs(before.about_com));
        assert_close(now.energy - before.energy, x[WORK], 1e-12 * before.energy);
    }
    assert_true(fabs(x[WORK]) > 1); // the arm did work
}

// Goal: the skater of section 3.3.2. Method: the load goes straight out; w (I0 + mu r^2) is
// constant, with mu = m0 m/(m0 + m). The end rate is then known,
// and so is the energy the arm took out.
static void extending_the_arm_slows_the_spin_as_a_skater(void **state)
{
    (void)state;
    const double reduced = 50 * LOAD / (50 + LOAD), r0 = 0.1, r1 = 1.0, w0 = 5;
    Arm arm = {.target_x = r1};
    double x[STATES] = {[W] = w0, [PX] = r0, [N] = 0};
    double I_before = BASE.inertia + reduced * r0 * r0;
    ib_PayloadBooks before = books_of(x);
    assert_close(before.inertia, I_before, 1e-14);
    assert_close(before.about_com, w0 * I_before, 1e-13);
    run_arm(&arm, 6, x); // 40 responses: at rest within e^-40
    assert_close(x[PX], r1, 1e-12);
    double expected = w0 * I_before / (BASE.inertia + reduced * r1 * r1);
    assert_close(x[W], expected, 1e-11);
    double spin_energy = 0.5 * before.about_com * (x[W] - w0);
    assert_close(x[WORK], spin_energy, 1e-10);
    assert_true(x[WORK] < 0); // centrifugal force pulls the arm out: it brakes
}

// Goal: rates by hand. Method: (a) a push through the common centre of mass does not turn it:
// a = F/M; (b) a torque on the frame: w' = T/(I0 + mu r^2); (c) no load: w' = T/I0.
static void rates_agree_with_hand_computed_ones(void **state)
{
    (void)state;
    ib_Payload load = {LOAD, 0.5, 0, 0, 0}, none = {0, 0.5, 0, 0, 0};
    ib_Twist rest = {0, 0, 0};
    double M = 50 + LOAD, reduced = 50 * LOAD / M, x_com = LOAD * 0.5 / M;
    ib_PayloadResult a = ib_payload_rate(&BASE, &load, &rest, 0, 0, 0, 29, 29 * x_com);
    assert_close(a.rate.w, 0, 1e-14);
    assert_close(a.rate.n, 29 / M, 1e-14);
    ib_PayloadResult b = ib_payload_rate(&BASE, &load, &rest, 0, 0, 0, 0, 7);
    assert_close(b.rate.w, 7 / (4.2 + reduced * 0.25), 1e-14);
    assert_close(b.rate.n, -x_com * b.rate.w, 1e-14); // the centre of mass stays
    ib_PayloadResult c = ib_payload_rate(&BASE, &none, &rest, 0, 0, 100, 0, 7);
    assert_close(c.rate.w, 7 / 4.2, 1e-14);
    assert_close(c.rate.u, 2, 1e-14);
    assert_close(c.arm_power, 0, 0);
}

// Goal: outer forces do what they do to any body. Method: angular momentum about a fixed point of
// the field changes by the torque's time integral: a pure torque of 3 N m for 1 s; the energy
// balance holds by parts: with w known at both ends only the arm's work is left. 1e-11.
static void torque_changes_angular_momentum_by_its_integral(void **state)
{
    (void)state;
    Arm arm = {.target_x = 0.7, .target_y = 0.3, .torque = 3};
    double x[STATES] = {[W] = 1, [U] = 0.5, [PX] = 0.2};
    double before = books_of(x).about_com, energy = books_of(x).energy, th = x[TH];
    run_arm(&arm, 1, x);
    assert_close(books_of(x).about_com - before, 3, 1e-11);
    assert_close(books_of(x).energy - energy, 3 * (x[TH] - th) + x[WORK], 1e-11);
}

// Goal: pick-up is inelastic with the right loss. Method: by hand: driving straight at 3 m/s, a
// load ahead on the axis: u' = m0 u/(m0 + m), loss = mu u^2/2. Then spinning with the load to the
// side: momenta of both bodies kept to 1e-13 and energy lost.
static void pick_up_keeps_momentum_and_loses_energy(void **state)
{
    (void)state;
    ib_Payload empty = {0, 0.6, 0, 0, 0};
    ib_Twist ahead = {3, 0, 0}, spins = {1, -0.4, 2};
    ib_Handover a = ib_payload_change(&BASE, &empty, &ahead, LOAD);
    assert_close(a.twist.u, 50 * 3.0 / 58, 1e-14);
    assert_close(a.twist.w, 0, 1e-15);
    assert_close(a.energy, 0.5 * 50 * 8 / 58.0 * 9, 1e-12);

    ib_Payload held = {2, 0.3, 0.5, 0, 0}, full = held;
    full.mass = 10;
    ib_Handover b = ib_payload_change(&BASE, &held, &spins, 10);
    ib_PayloadBooks before = ib_payload_books(&BASE, &held, &spins);
    ib_PayloadBooks after = ib_payload_books(&BASE, &full, &b.twist);
    assert_close(after.px, before.px, 1e-13 * 60);
    assert_close(after.py, before.py, 1e-13 * 60);
    assert_close(after.about_o, before.about_o, 1e-13 * 60);
    assert_true(b.energy > 0);
    assert_close(b.energy, before.energy - after.energy, 1e-12);
}

// Goal: letting go changes no velocity; the load takes its own energy along. Method: m v^2/2 of the
// part let go.
static void set_down_keeps_velocities(void **state)
{
    (void)state;
    ib_Payload held = {10, 0.3, 0.5, 0, 0};
    ib_Twist twist = {1, -0.4, 2};
    double vx = 1 - 2 * 0.5, vy = -0.4 + 2 * 0.3;
    ib_Handover h = ib_payload_change(&BASE, &held, &twist, 4);
    assert_close(h.twist.u, 1, 0);
    assert_close(h.twist.n, -0.4, 0);
    assert_close(h.twist.w, 2, 0);
    assert_close(h.energy, 0.5 * 6 * (vx * vx + vy * vy), 1e-13);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_robot_keeps_its_momenta_while_the_arm_moves),
        cmocka_unit_test(extending_the_arm_slows_the_spin_as_a_skater),
        cmocka_unit_test(rates_agree_with_hand_computed_ones),
        cmocka_unit_test(torque_changes_angular_momentum_by_its_integral),
        cmocka_unit_test(pick_up_keeps_momentum_and_loses_energy),
        cmocka_unit_test(set_down_keeps_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
