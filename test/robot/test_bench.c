// Each mechanism alone on a bench with a stiff battery, against closed forms and an integration by
// another hand. Every expected number is made from the parameters, here.
#include "cmocka_all.h"
#include "robot/equipment_rig.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

// The CIM:  R = V/Is,  Kt = Ts/Is,  Ke = (V - If R)/wf
static const double Jr = 7.75e-5, g0 = 9.80665;
static const double R = 12.0 / 133, Kt = 2.42 / 133;
static const double Ke = (12 - 2.7 * 12 / 133) / (5310 * PI / 30);

static Rig rig;

static double push_of(double N, double G)
{
    return N * G * Kt / R;
}

static double drag_of(double N, double G)
{
    return N * G * G * Kt * Ke / R;
}

// Relative to the largest of the two, and to `unit` where both are small.
static void assert_relative(double got, double expected, double unit, double tolerance)
{
    assert_close(got, expected, tolerance * fmax(unit, fabs(expected)));
}

// ----------------------------------------------------------------------------------------- spin-up

// J w' = push V - (drag + c) w of a wheel, a turret, a roller, a tyre that does not grow.
typedef struct Spinner {
    const char *kind, *settings;
    double N, G, inertia, friction; // without the rotors [kg m^2], [N m s]
} Spinner;

static const Spinner spinners[] = {
    {"flywheel", "motors: 2; reduction: 1.5; inertia: 0.004 kg*m^2; friction: 1e-3 N*m*s", 2, 1.5,
     0.004, 1e-3},
    {"turret", "motors: 1; reduction: 50; inertia: 0.3 kg*m^2; friction: 0.7 N*m*s", 1, 50, 0.3,
     0.7},
    {"roller", "motors: 1; reduction: 4; mass: 0.8 kg; radius: 3 cm; friction: 2e-3 N*m*s", 1, 4,
     0.8 * 0.03 * 0.03, 2e-3},
    {"shooter",
     "motors: 1; reduction: 1; inertia: 0.001 kg*m^2; tyre.mass: 0.3 kg; tyre.radius: 5 cm; "
     "tyre.growth: 0",
     1, 1, 0.001 + 0.3 * 0.05 * 0.05, 0},
};

static void check_spin_up(const Spinner *s, ib_SolverKind solver)
{
    double J = s->inertia + s->N * s->G * s->G * Jr, drag = drag_of(s->N, s->G) + s->friction;
    double V = 7, top = push_of(s->N, s->G) * V / drag, tau = J / drag;
    rig_default(&rig, &ib_bench_kind, ib_time_to_seconds(ib_time_from_seconds(4 * tau)));
    rig_solver(&rig, solver, 1e-13, solver == IB_RK4 ? tau / 200 : tau);
    rig_add(&rig, "wheel", s->kind, s->settings);
    rig_hold(&rig, "wheel", V);
    rig_run(&rig, tau / 3);
    assert_true(rig.rows.count >= 12);
    for (int i = 0; i < rig.rows.count; i++) {
        double t = rig.rows.t[i], w = -top * expm1(-t / tau);
        assert_relative(rig_row(&rig, i, "wheel.velocity"), w, top, 1e-9);
        assert_relative(rig_row(&rig, i, "wheel.position"), top * t - w * tau, top * tau, 1e-9);
        assert_relative(rig_row(&rig, i, "wheel.current"), (V - Ke * s->G * w) / R, V / R, 1e-9);
        assert_relative(rig_row(&rig, i, "wheel.energy.kinetic"), J * w * w / 2, J * top * top / 2,
                        1e-9);
    }
    rig_stop(&rig);
}

// Goal: what turns without weight spins up as one exponential, w = push V/(drag + c) (1 -
// e^(-t/tau)). Method: four kinds, two solvers; 1e-9 is asked for, RK4 at tau/200 leaves 1e-11.
static void spin_up_is_one_exponential(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof spinners / sizeof *spinners; i++) {
        check_spin_up(&spinners[i], IB_DOPRI5);
        check_spin_up(&spinners[i], IB_RK4);
    }
}

// Goal: a winding with inductance follows its two exponentials and ends at the quasi-static
// current. Method: the linear system
//   J w' = N G Kt I,   L I' = V - R I - Ke G w
// has the rates s = (-R/L +- sqrt((R/L)^2 - 4 N G^2 Kt Ke/(J L)))/2, from rest
//   w = top (1 + (s2 e^(s1 t) - s1 e^(s2 t))/(s1 - s2)),  I = J w'/(N G Kt)
static void inductive_winding_follows_two_exponentials(void **unused)
{
    (void)unused;
    const double N = 2, G = 3, J = 0.01 + N * G * G * Jr, L = 59e-6, V = 9;
    double half = -R / L / 2, root = sqrt(half * half - N * G * G * Kt * Ke / (J * L));
    double s1 = half + root, s2 = half - root, top = V / (Ke * G);
    rig_default(&rig, &ib_bench_kind, 0.5);
    rig_solver(&rig, IB_DOPRI5, 1e-13, 0.01);
    rig_add(&rig, "wheel", "flywheel",
            "motors: 2; reduction: 3; inertia: 0.01 kg*m^2; current: implicit; inductance: 59 uH");
    rig_hold(&rig, "wheel", V);
    rig_run(&rig, 5e-4);
    for (int i = 0; i < rig.rows.count; i++) {
        double t = rig.rows.t[i], slow = exp(s1 * t), fast = exp(s2 * t);
        double w = top * (1 + (s2 * slow - s1 * fast) / (s1 - s2));
        double I = J / (N * G * Kt) * top * s1 * s2 * (slow - fast) / (s1 - s2);
        assert_relative(rig_row(&rig, i, "wheel.velocity"), w, top, 1e-9);
        assert_relative(rig_row(&rig, i, "wheel.current"), I, V / R, 1e-9);
    }
    // Behind the first milliseconds the current is (V - Ke w)/R, but for L I' (0.5 %).
    double w = rig_end(&rig, "wheel.velocity"), I = rig_end(&rig, "wheel.current");
    assert_relative(I * (R + L * s1), V - Ke * G * w, 1e-3, 1e-6);
    rig_stop(&rig);
}

// ------------------------------------------------------------------------------------------ weight

// Goal: a carriage whose motors coast falls freely; its rotors are a mass J/(n r)^2 that falls
// along. Method: x = x0 + v0 t - a t^2/2, a = (m g sin slope - S)/(m + N G^2 Jr/(n r)^2), three
// carriages; RK4 has no error on a parabola.
static void coasting_carriage_falls_freely(void **unused)
{
    (void)unused;
    const struct {
        const char *settings;
        double a;
    } cases[] = {
        {"rotors: false; mass: 3 kg", g0},
        {"motors: 2; reduction: 10; drum_radius: 2 cm; mass: 5 kg",
         5 * g0 / (5 + 200 * Jr / 0.0004)},
        {"motors: 1; reduction: 6; drum_radius: 3 cm; stages: 2; slope: 30 deg; spring: 4 N; "
         "mass: 6 kg",
         (3 * g0 - 4) / (6 + 36 * Jr / 0.0036)},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char settings[400];
        snprintf(settings, sizeof settings,
                 "%s; neutral: coast; position: 1.25 m; velocity: 0.5 m/s", cases[k].settings);
        rig_default(&rig, &ib_bench_kind, 1);
        rig_add(&rig, "lift", "elevator", settings);
        rig_run(&rig, 0.125);
        for (int i = 0; i < rig.rows.count; i++) {
            double t = rig.rows.t[i], a = cases[k].a;
            assert_close(rig_row(&rig, i, "lift.position"), 1.25 + 0.5 * t - a * t * t / 2, 1e-12);
            assert_close(rig_row(&rig, i, "lift.velocity"), 0.5 - a * t, 1e-12);
            assert_close(rig_row(&rig, i, "lift.current"), 0, 0);
        }
        rig_stop(&rig);
    }
}

// Goal: under voltage a carriage approaches its speed exponentially, against weight and guides.
// Method: v_inf = (push V/nr - m g)/(drag/(nr)^2 + c), from a speed of its own.
static void driven_carriage_approaches_its_speed(void **unused)
{
    (void)unused;
    const double N = 2, G = 10, r = 0.02, m = 5, c = 30, V = 5;
    double all = m + N * G * G * Jr / (r * r), drag = drag_of(N, G) / (r * r) + c;
    double end = (push_of(N, G) * V / r - m * g0) / drag, tau = all / drag;
    rig_default(&rig, &ib_bench_kind, 0.5);
    rig_solver(&rig, IB_DOPRI5, 1e-13, 0.1);
    rig_add(&rig, "lift", "elevator",
            "motors: 2; reduction: 10; drum_radius: 2 cm; mass: 5 kg; friction: 30 N*s/m; "
            "velocity: -0.4 m/s");
    rig_hold(&rig, "lift", V);
    rig_run(&rig, 0.01);
    for (int i = 0; i < rig.rows.count; i++) {
        double t = rig.rows.t[i], fade = exp(-t / tau), v = end + (-0.4 - end) * fade;
        assert_relative(rig_row(&rig, i, "lift.velocity"), v, 1, 1e-9);
        assert_relative(rig_row(&rig, i, "lift.position"),
                        end * t + (-0.4 - end) * tau * (1 - fade), 1, 1e-9);
    }
    rig_stop(&rig);
}

static void check_held(const char *kind, const char *settings, const char *input, const char *other,
                       const char *speed, double volts)
{
    rig_default(&rig, &ib_bench_kind, 2);
    rig_add(&rig, "held", kind, settings);
    rig_hold(&rig, input, volts);
    if (other) rig_hold(&rig, other, volts);
    rig_run(&rig, 0.01);
    if (!(rig_size(&rig, speed) <= 1e-9))
        fail_msg("%s (%s) creeps with %g", kind, settings, rig_size(&rig, speed));
    rig_stop(&rig);
}

// Goal: the voltage weight/push holds carriage, arm and platform still. Method: 2 s from rest, the
// speed stays within 1e-9 of zero (an arm above the level falls away from its point, but its motor
// lets it only creep).
static void holding_voltage_holds(void **unused)
{
    (void)unused;
    check_held("elevator", "motors: 2; reduction: 10; drum_radius: 2 cm; mass: 5 kg", "held", NULL,
               "held.velocity", 5 * g0 * 0.02 / push_of(2, 10));
    check_held("elevator", "motors: 1; stages: 3; reduction: 40; mass: 9 kg; slope: 50 deg", "held",
               NULL, "held.velocity", 9 * g0 * sin(50 * PI / 180) * 0.06 / push_of(1, 40));
    check_held("lift", "mass: 20 kg; counterweight: 6 kg; reduction: 20; drum_radius: 2 cm",
               "held.left", "held.right", "held.left.velocity", 7 * g0 * 0.02 / push_of(1, 20));
    const int angles[] = {-70, 0, 25, 60, 90};
    for (int i = 0; i < 5; i++) {
        char settings[200];
        snprintf(settings, sizeof settings,
                 "reduction: 100; mass: 3 kg; center: 40 cm; position: %d deg", angles[i]);
        check_held("single_arm", settings, "held", NULL, "held.velocity",
                   3 * g0 * 0.4 * cos(angles[i] * PI / 180) / push_of(1, 100));
    }
}

// Goal: a level platform rises as the carriage of an elevator with the motors of both ends. Method:
// both on the bench, and the closed form v = v_inf (1 - e^(-t/tau)).
static void level_lift_rises_as_an_elevator_of_both_motors(void **unused)
{
    (void)unused;
    const double N = 2, G = 20, r = 0.03, m = 14, V = 8;
    double all = m + N * G * G * Jr / (r * r), drag = drag_of(N, G) / (r * r);
    double end = (push_of(N, G) * V / r - m * g0) / drag, tau = all / drag;
    rig_default(&rig, &ib_bench_kind, 0.5);
    rig_solver(&rig, IB_DOPRI5, 1e-13, 0.1);
    rig_add(&rig, "lift", "lift",
            "motors_per_side: 1; reduction: 20; drum_radius: 3 cm; mass: 14 kg; inertia: 2 kg*m^2; "
            "stiffness: 800 N*m/rad; damping: 5 N*m*s/rad");
    rig_add(&rig, "cart", "elevator", "motors: 2; reduction: 20; drum_radius: 3 cm; mass: 14 kg");
    rig_hold(&rig, "lift.left", V);
    rig_hold(&rig, "lift.right", V);
    rig_hold(&rig, "cart", V);
    rig_run(&rig, 0.01);
    for (int i = 0; i < rig.rows.count; i++) {
        double t = rig.rows.t[i], v = -end * expm1(-t / tau), x = end * t - v * tau;
        assert_relative(rig_row(&rig, i, "lift.left.position"), x, 1, 1e-9);
        assert_relative(rig_row(&rig, i, "lift.right.velocity"), v, 1, 1e-9);
        assert_relative(rig_row(&rig, i, "cart.position"), x, 1, 1e-9);
        assert_relative(rig_row(&rig, i, "cart.velocity"), v, 1, 1e-9);
    }
    rig_stop(&rig);
}

// ------------------------------------------------------------------------------------------ swings

// An arm  J w' = -m g l cos th - c w,  by RK4 in long double.
static void swing(double J, double torque, double c, double seconds, long double *th,
                  long double *w)
{
    const int steps = 20000;
    long double h = (long double)seconds / steps;
    for (int i = 0; i < steps; i++) {
        long double k[4][2], x[2] = {*th, *w};
        for (int s = 0; s < 4; s++) {
            long double f = s == 0 ? 0 : s == 3 ? 1 : 0.5L;
            long double a = x[0] + (s ? f * h * k[s - 1][0] : 0);
            long double b = x[1] + (s ? f * h * k[s - 1][1] : 0);
            k[s][0] = b;
            k[s][1] = (-(long double)torque * cosl(a) - (long double)c * b) / (long double)J;
        }
        *th += h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
        *w += h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
    }
}

// Goal: an arm whose motor coasts swings as a pendulum with its rotor and its joint's friction.
// Method: RK4 in long double, 20 000 steps a half second, from two starts,
// one that goes over the top.
static void coasting_arm_swings_as_a_pendulum(void **unused)
{
    (void)unused;
    const double starts[2][2] = {{0.3, 0}, {-1.2, 9}};
    const double J = 3 * 0.4 * 0.4 + 30 * 30 * Jr, torque = 3 * g0 * 0.4, c = 0.05;
    for (int k = 0; k < 2; k++) {
        char settings[300];
        snprintf(settings, sizeof settings,
                 "reduction: 30; mass: 3 kg; center: 40 cm; friction: 0.05 N*m*s; neutral: coast; "
                 "position: %g rad; velocity: %g rad/s",
                 starts[k][0], starts[k][1]);
        rig_default(&rig, &ib_bench_kind, 3);
        rig_solver(&rig, IB_DOPRI5, 1e-13, 0.1);
        rig_add(&rig, "arm", "single_arm", settings);
        rig_run(&rig, 0.5);
        long double th = (long double)starts[k][0], w = (long double)starts[k][1];
        for (int i = 1; i < rig.rows.count; i++) {
            swing(J, torque, c, rig.rows.t[i] - rig.rows.t[i - 1], &th, &w);
            assert_relative(rig_row(&rig, i, "arm.position"), (double)th, 1, 1e-9);
            assert_relative(rig_row(&rig, i, "arm.velocity"), (double)w, 1, 1e-9);
        }
        rig_stop(&rig);
    }
}

// Goal: pulley and carriage swing against each other with sqrt(k/m_m + k/m_l), their centre moves
// on. Method: no damping, motors coast, the belt stretched at the start:
//   x_m - x_l = D cos(w t),   m_m x_m + m_l x_l = m_m D + (m_m + m_l) v t
static void two_masses_swing_at_their_resonance(void **unused)
{
    (void)unused;
    const double mm = (2e-4 + 25 * Jr) / 4e-4, ml = 5, k = 20e3, D = 0.01, v = 0.3;
    double rate = sqrt(k / mm + k / ml);
    rig_default(&rig, &ib_bench_kind, 1);
    rig_solver(&rig, IB_DOPRI5, 1e-13, 0.01);
    rig_add(&rig, "belt", "two_mass",
            "reduction: 5; pulley_radius: 2 cm; pulley_inertia: 2e-4 kg*m^2; mass: 5 kg; "
            "stiffness: 20 kN/m; damping: 0 N*s/m; neutral: coast; motor.position: 1 cm; "
            "motor.velocity: 0.3 m/s; load.velocity: 0.3 m/s");
    rig_run(&rig, 0.005);
    assert_true(rate > 80); // 13 periods and more
    for (int i = 0; i < rig.rows.count; i++) {
        double t = rig.rows.t[i];
        double xm = rig_row(&rig, i, "belt.motor.position");
        double xl = rig_row(&rig, i, "belt.load.position");
        assert_close(xm - xl, D * cos(rate * t), 1e-9 * D * 10);
        assert_close(mm * xm + ml * xl, mm * D + (mm + ml) * v * t, 1e-9);
    }
    rig_stop(&rig);
}

// ------------------------------------------------------------------------------------------- balls

static const double hub = 0.001 + 1 * Jr, tyre = 0.3, r0 = 0.0508, ball = 0.27, s = 0.5,
                    share = 0.7;

static double radius_at(double w)
{
    double a = 0.03 / pow(5000 * PI / 30, 2);
    return r0 * (1 + a * w * w);
}

static double momentum(double w)
{
    return (hub + tyre * radius_at(w) * radius_at(w)) * w;
}

// Energy between two speeds:  integral of w dL = [w L] - integral of L dw, by Simpson's rule; L is
// a polynomial of 5th degree in w, 2000 pieces leave 1e-13.
static double energy_between(double from, double to)
{
    const int n = 2000;
    double h = (to - from) / n, sum = 0;
    for (int i = 0; i <= n; i++)
        sum += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * momentum(from + i * h);
    return to * momentum(to) - from * momentum(from) - sum * h / 3;
}

// Goal: each ball takes the momentum share m_b v r with v = s r w of the wheel behind it, and its
// energy is booked as given. Method: a coasting wheel, so that its speed changes by balls alone;
// L(w+) + g s m_b r(w+)^2 w+ = L(w), once an edge of the input and not while it stays on.
static void ball_takes_its_momentum(void **unused)
{
    (void)unused;
    const Knot knots[] = {{0.1, 1}, {0.3, 0}, {0.5, 1}, {0.6, 0}, {0.7, 1}};
    for (int back = 0; back < 2; back++) {
        rig_default(&rig, &ib_bench_kind, 1);
        rig_add(&rig, "gun", "shooter",
                back ? "neutral: coast; velocity: -430 rad/s; tyre.radius: 5.08 cm"
                     : "neutral: coast; velocity: 430 rad/s; tyre.radius: 5.08 cm");
        rig_input(&rig, "gun.ball", false, knots, 5);
        rig_run(&rig, 0.05);
        double w = back ? -430 : 430, given = 0;
        for (int i = 1; i < rig.rows.count; i++) {
            double next = rig_row(&rig, i, "gun.velocity");
            double balls = rig_row(&rig, i, "gun.balls") - rig_row(&rig, i - 1, "gun.balls");
            double r = radius_at(next), taken = balls * share * s * ball * r * r * next;
            assert_relative(momentum(next) + taken, momentum(w), 0, 1e-14);
            given += balls > 0 ? -energy_between(w, next) : 0;
            assert_relative(rig_row(&rig, i, "gun.energy.given"), given, 1, 1e-11);
            w = next;
        }
        assert_close(rig_end(&rig, "gun.balls"), 3, 0);
        assert_true(fabs(w) < 350);
        rig_stop(&rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spin_up_is_one_exponential),
        cmocka_unit_test(inductive_winding_follows_two_exponentials),
        cmocka_unit_test(coasting_carriage_falls_freely),
        cmocka_unit_test(driven_carriage_approaches_its_speed),
        cmocka_unit_test(holding_voltage_holds),
        cmocka_unit_test(level_lift_rises_as_an_elevator_of_both_motors),
        cmocka_unit_test(coasting_arm_swings_as_a_pendulum),
        cmocka_unit_test(two_masses_swing_at_their_resonance),
        cmocka_unit_test(ball_takes_its_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
