// test/plant/test_payload.c: a moving load keeps momentum, and its mover's work is booked.
#include "cmocka_all.h"

#include "plant/payload.h"
#include "plant/solve.h"

#include <string.h>

// A base of 50 kg and 4.2 kg m^2 with a load of 8 kg on an arm, free on ice (no outer forces).
static const ib_Mass BASE = {.mass = 50, .inertia = 4.2};
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

static ib_Mass whole_of(const ib_Payload *p)
{
    return (ib_Mass){BASE.mass + p->mass, p->mass * p->x, p->mass * p->y,
                     BASE.inertia + p->mass * (p->x * p->x + p->y * p->y)};
}

// Energy and momenta of both bodies, from their own velocities.
typedef struct Books {
    double energy;             // kinetic [J]
    double px, py;             // momentum, robot frame
    double about_o, about_com; // angular momentum about the origin, the common centre of mass
    double inertia;            // about that
} Books;

static Books books(const ib_Payload *p, const ib_Twist *v)
{
    double vx, vy, m0 = BASE.mass, m = p->mass, M = m0 + m;
    Books b;
    ib_payload_velocity(p, v, &vx, &vy);
    b.energy = 0.5 * (m0 * (v->u * v->u + v->n * v->n) + BASE.inertia * v->w * v->w +
                      m * (vx * vx + vy * vy));
    b.px = m0 * v->u + m * vx;
    b.py = m0 * v->n + m * vy;
    b.about_o = BASE.inertia * v->w + m * (p->x * vy - p->y * vx);
    b.about_com = BASE.inertia * v->w + m0 * m / M * (p->x * (vy - v->n) - p->y * (vx - v->u));
    b.inertia = BASE.inertia + m0 * m / M * (p->x * p->x + p->y * p->y);
    return b;
}

static Books books_of(const double *x)
{
    ib_Payload load = load_of(x);
    ib_Twist twist = {x[U], x[N], x[W]};
    return books(&load, &twist);
}

static void response_of(const ib_Payload *load, double response[9])
{
    static const double all[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    ib_Mass whole = whole_of(load);
    double matrix[9];
    ib_mass_matrix(&whole, matrix);
    ib_mass_response(matrix, 3, all, response);
}

static ib_Twist times(const double a[9], const ib_Wrench *f)
{
    return (ib_Twist){a[0] * f->fx + a[1] * f->fy + a[2] * f->torque,
                      a[3] * f->fx + a[4] * f->fy + a[5] * f->torque,
                      a[6] * f->fx + a[7] * f->fy + a[8] * f->torque};
}

// Rates of the body's velocity under an outer force, as a robot computes them.
static ib_Twist accelerate(const ib_Payload *load, const ib_Twist *v, double ddx, double ddy,
                           const ib_Wrench *outer)
{
    ib_Mass whole = whole_of(load);
    ib_Wrench f = ib_payload_push(load, v->w, ddx, ddy);
    double response[9];
    f.fx += outer->fx;
    f.fy += outer->fy;
    f.torque += outer->torque;
    f = ib_mass_drive(&whole, v, &f);
    response_of(load, response);
    return times(response, &f);
}

static void arm_rate(const void *context, double t, const double *x, double *dx)
{
    const Arm *arm = context;
    ib_Payload load = load_of(x);
    ib_Twist twist = {x[U], x[N], x[W]};
    (void)t;
    double ddx = ib_payload_mover(arm->target_x, x[PX], x[DX], RESPONSE);
    double ddy = ib_payload_mover(arm->target_y, x[PY], x[DY], RESPONSE);
    ib_Wrench outer = {arm->fx, arm->fy, arm->torque};
    ib_Twist a = accelerate(&load, &twist, ddx, ddy, &outer);
    dx[X] = x[U] * cos(x[TH]) - x[N] * sin(x[TH]);
    dx[Y] = x[U] * sin(x[TH]) + x[N] * cos(x[TH]);
    dx[TH] = x[W];
    dx[U] = a.u;
    dx[N] = a.n;
    dx[W] = a.w;
    dx[PX] = x[DX];
    dx[PY] = x[DY];
    dx[DX] = ddx;
    dx[DY] = ddy;
    dx[WORK] = ib_payload_power(&load, &twist, &a, ddx, ddy);
}

static void run_arm(const Arm *arm, double duration, double *x)
{
    const ib_System system = {STATES, arm_rate, NULL, arm};
    solve(&system, 1e-14, 1e-13, duration, x);
}

// Momentum in the field frame, which does not turn.
static void field_momentum(const double *x, double *px, double *py)
{
    Books b = books_of(x);
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
    Books before = books_of(x);
    field_momentum(x, &px0, &py0);
    for (int i = 0; i < 5; i++) {
        run_arm(&arm, 0.2, x);
        Books now = books_of(x);
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
    Books before = books_of(x);
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
    const ib_Wrench through = {0, 29, 29 * x_com}, turn = {0, 0, 7}, both = {100, 0, 7};
    ib_Twist a = accelerate(&load, &rest, 0, 0, &through);
    assert_close(a.w, 0, 1e-14);
    assert_close(a.n, 29 / M, 1e-14);
    ib_Twist b = accelerate(&load, &rest, 0, 0, &turn);
    assert_close(b.w, 7 / (4.2 + reduced * 0.25), 1e-14);
    assert_close(b.n, -x_com * b.w, 1e-14); // the centre of mass stays
    ib_Twist c = accelerate(&none, &rest, 0, 0, &both);
    assert_close(c.w, 7 / 4.2, 1e-14);
    assert_close(c.u, 2, 1e-14);
    assert_close(ib_payload_power(&none, &rest, &c, 0, 0), 0, 0);
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

// Goal: energies and momenta of a load that moves in the robot are what it has more than one that
// stands in it. Method: sums of both bodies by hand, with the mass matrix's for the rest; 1e-13.
static void moving_load_has_its_own_share(void **state)
{
    (void)state;
    const ib_Payload load = {LOAD, 0.3, 0.5, -0.7, 1.1};
    const ib_Twist v = {1, -0.4, 2};
    ib_Mass whole = whole_of(&load);
    ib_Wrench body = ib_mass_momentum(&whole, &v), own = ib_payload_momentum(&load);
    Books b = books(&load, &v);
    assert_close(body.fx + own.fx, b.px, 1e-13 * 60);
    assert_close(body.fy + own.fy, b.py, 1e-13 * 60);
    assert_close(body.torque + own.torque, b.about_o, 1e-13 * 60);
    assert_close(ib_mass_energy(&whole, &v) + ib_payload_energy(&load, &v), b.energy, 1e-13 * 60);
}

// Goal: wheels that hold a body take what they do not allow, and the rest is least energy. Method:
// axles allow u and w alone: rows and columns of n are none, the others are the inverse of the 2x2
// that is left, by Cramer's rule; 1e-15.
static void held_body_answers_as_its_wheels_allow(void **state)
{
    (void)state;
    static const double axles[2][3] = {{1, 0, 0}, {0, 0, 1}};
    const ib_Mass whole = {58, 4, 2.4, 6.92};
    double matrix[9], response[9], det = 58 * 6.92 - 2.4 * 2.4;
    ib_mass_matrix(&whole, matrix);
    ib_mass_response(matrix, 2, axles, response);
    const double expected[9] = {6.92 / det, 0, 2.4 / det, 0, 0, 0, 2.4 / det, 0, 58 / det};
    for (int i = 0; i < 9; i++) assert_close(response[i], expected[i], 1e-15);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_robot_keeps_its_momenta_while_the_arm_moves),
        cmocka_unit_test(extending_the_arm_slows_the_spin_as_a_skater),
        cmocka_unit_test(rates_agree_with_hand_computed_ones),
        cmocka_unit_test(torque_changes_angular_momentum_by_its_integral),
        cmocka_unit_test(moving_load_has_its_own_share),
        cmocka_unit_test(held_body_answers_as_its_wheels_allow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
