// test/plant/test_drivetrain.c: gears and shifting; motors, gears, wheels and floor together
// against reference sheet B7 and B8.
#include "cmocka_all.h"

#include "plant/electric/drivetrain.h"
#include "plant/electric/motor_row.h"
#include "plant/wheel/wheel.h"
#include "solver/solver.h"

#include "roughtop.h"

#include <stdio.h>
#include <string.h>

// What the motors of a side give to its wheels.
typedef struct Side {
    double torque; ///< [N m]
    double loss;   ///< power lost in its gears [W]
} Side;

// A row of one shaft, whose motors give this torque each at this speed: 1 N m/A, no friction.
static Side ask_row(const ib_DrivetrainModel *m, int gear, double efficiency, double motor_torque,
                    double motor_speed)
{
    static const double gain = 1;
    ib_MotorShaft shaft = {.motor = {.Kt = 1},
                           .motors = m->motors,
                           .reduction = m->reduction[gear],
                           .lost = 1 - efficiency,
                           .gained = 1 / efficiency - 1};
    ib_MotorRow row = {.count = 1, .shafts = &shaft};
    ib_MotorRowNotes notes;
    ib_Wires wires;
    wires.input = &gain;
    wires.turns[0] = motor_speed;
    wires.power.bus.bridge[0].current = motor_torque;
    ib_motor_row_part(&row)->push(&row, &notes, &wires);
    return (Side){wires.torque[0], notes.gear};
}

// -------------------------------------------------------------------------- the robot of B7 and B8

enum { X, Y, TH, U, N, W, LEFT, RIGHT, CHARGE, STATES };

static const double MASS = 60, INERTIA = 4.392, HALF_TRACK = 0.3, GRAVITY = 9.80665;

typedef struct Rig {
    ib_WheelModel wheels;
    ib_DrivetrainModel drive;
    double duty[2];
} Rig;

typedef struct Electrics {
    double current[2], draw, voltage;
} Electrics;

static Rig make_rig(int wheel_model, double left, double right)
{
    Rig rig = {.duty = {left / 12, right / 12}};
    ib_WheelConfig wheels = roughtop_wheels();
    ib_DrivetrainConfig drive = ib_drivetrain_default();
    wheels.model = wheel_model;
    ib_wheel_init(&wheels, HALF_TRACK, &rig.wheels);
    ib_drivetrain_init(&drive, &rig.drive);
    return rig;
}

// CIM constants of B3 and the bridge battery of B5 in closed form:
//   V = [Vnom - Rb (Inom - N (dL eL + dR eR)/R)] / [1 + Rb N (dL^2 + dR^2)/R],  e = Ki w_m
static Electrics electrics(const Rig *rig, const double motor_speed[2], double torque[2])
{
    const double Kt = 2.429 / 131.227, R = 12 / 131.227, pi = 3.14159265358979323846;
    const double Ki = (12 - 2.7 * R) / (5310 * 2 * pi / 60), Rb = 0.012, Inom = 0.5;
    double count = rig->drive.motors, dL = rig->duty[0], dR = rig->duty[1];
    double eL = Ki * motor_speed[0], eR = Ki * motor_speed[1];
    Electrics e;
    e.voltage = (12 - Rb * (Inom - count * (dL * eL + dR * eR) / R)) /
                (1 + Rb * count * (dL * dL + dR * dR) / R);
    e.current[0] = (dL * e.voltage - eL) / R;
    e.current[1] = (dR * e.voltage - eR) / R;
    e.draw = count * (dL * e.current[0] + dR * e.current[1]) + Inom;
    torque[0] = Kt * e.current[0];
    torque[1] = Kt * e.current[1];
    return e;
}

// Wheel speeds, states or geared to the floor; then motors.
static Electrics drive_sides(const Rig *rig, const double *x, double wheel[2], Side side[2])
{
    double speed[2], torque[2], G = rig->drive.reduction[0];
    if (rig->wheels.config.model < IB_WHEEL_FRICTION_CIRCLE) {
        wheel[0] = (x[U] - x[W] * HALF_TRACK) / rig->drive.radius;
        wheel[1] = (x[U] + x[W] * HALF_TRACK) / rig->drive.radius;
    } else {
        wheel[0] = x[LEFT];
        wheel[1] = x[RIGHT];
    }
    for (int i = 0; i < 2; i++) speed[i] = G * wheel[i];
    Electrics e = electrics(rig, speed, torque);
    for (int i = 0; i < 2; i++) side[i] = ask_row(&rig->drive, 0, 1, torque[i], speed[i]);
    return e;
}

static void rig_rate(const void *context, double t, const double *x, double *dx)
{
    const Rig *rig = context;
    double wheel[2], r = rig->drive.radius, fx, fy, torque;
    Side side[2];
    (void)t;
    Electrics e = drive_sides(rig, x, wheel, side);
    dx[LEFT] = dx[RIGHT] = 0;
    if (rig->wheels.config.model == IB_WHEEL_VISCOUS) {
        fx = (side[0].torque + side[1].torque) / r;
        fy = ib_wheel_side_force(&rig->wheels, x[N]);
        torque = HALF_TRACK * (side[1].torque - side[0].torque) / r;
    } else {
        ib_Weight weight = {.force = MASS * GRAVITY};
        ib_WheelForces p = ib_wheel_friction_circle(&rig->wheels, x[U], x[N], x[W], r * wheel[0],
                                                    r * wheel[1], &weight);
        fx = p.fx;
        fy = p.fy;
        torque = p.torque;
        dx[LEFT] = (side[0].torque - r * p.left) / rig->drive.inertia[0];
        dx[RIGHT] = (side[1].torque - r * p.right) / rig->drive.inertia[0];
    }
    dx[X] = x[U] * cos(x[TH]) - x[N] * sin(x[TH]);
    dx[Y] = x[U] * sin(x[TH]) + x[N] * cos(x[TH]);
    dx[TH] = x[W];
    dx[U] = fx / MASS + x[W] * x[N];
    dx[N] = fy / MASS - x[W] * x[U];
    dx[W] = torque / INERTIA;
    dx[CHARGE] = e.draw;
}

static const double TIMES[5] = {0.1, 0.5, 1, 2, 5};

// States at the five times of the tables. step 0: dopri5 at 1e-12, else rk4.
static void run_rig(const Rig *rig, double step, double states[5][STATES])
{
    ib_Arena arena = {0};
    ib_Error error;
    ib_SolverCounts counts = {0};
    ib_SolverConfig config = {step > 0 ? IB_RK4 : IB_DOPRI5, 1e-12, 0};
    ib_Solver *solver = ib_solver_create(&config, STATES, &arena);
    ib_System system = {STATES, rig_rate, NULL, rig};
    double x[STATES] = {0}, next[STATES], now = 0, h_next = 0, taken;
    assert_non_null(solver);
    for (int i = 0; i < 5; i++) {
        while (TIMES[i] - now > 1e-12) {
            double h = step > 0 ? fmin(step, TIMES[i] - now) : TIMES[i] - now;
            assert_int_equal(ib_solver_step_controlled(solver, &system, h, &h_next, x, next, &taken,
                                                       &counts, &error),
                             IB_OK);
            now += taken;
            memcpy(x, next, sizeof x);
        }
        now = TIMES[i];
        memcpy(states[i], x, sizeof x);
    }
    ib_arena_reset(&arena);
}

// Columns of a table: states, then what follows from them.
enum { I_LEFT = STATES, I_RIGHT, I_DRAW, V_SYS, Q_AH };

static double column(const Rig *rig, const double *x, int which)
{
    double wheel[2];
    Side side[2];
    Electrics e = drive_sides(rig, x, wheel, side);
    switch (which) {
    case I_LEFT:
        return e.current[0];
    case I_RIGHT:
        return e.current[1];
    case I_DRAW:
        return e.draw;
    case V_SYS:
        return e.voltage;
    case Q_AH:
        return x[CHARGE] / 3600;
    default:
        return x[which];
    }
}

// 1e-8 of 1 + |value|: the tables have 11 digits, their two makers agree to 2e-9.
static void assert_table(const Rig *rig, int count, const int *columns, const double *table)
{
    double states[5][STATES];
    run_rig(rig, 0, states);
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < count; j++) {
            double expected = table[i * count + j];
            assert_close(column(rig, states[i], columns[j]), expected, 1e-8 * (1 + fabs(expected)));
        }
    }
}

// ---------------------------------------------------------------------------- B8: wheels that slip

static const int STRAIGHT_COLUMNS[] = {X, U, LEFT, I_LEFT, I_DRAW, V_SYS, Q_AH};
static const double STRAIGHT[5][7] = {
    {0.048069358661, 0.97078802814, 17.394643612, 57.774742589, 231.59897035, 9.2208123557,
     0.0072460100451},
    {0.97179964927, 3.1852606947, 42.176401256, 17.544822955, 70.679291818, 11.151848498,
     0.022931318427},
    {2.7781051132, 3.8656786677, 50.804399023, 3.5384049377, 14.653619751, 11.824156563,
     0.027862176227},
    {6.7640812818, 4.0304178428, 52.895610708, 0.14359819209, 1.0743927684, 11.987107287,
     0.029178215459},
    {18.874064786, 4.0373854891, 52.984061737, 9.5965482017e-06, 0.50003838619, 11.993999539,
     0.029644669905},
};

// Goal: launch with wheel spin. Method: reference sheet B8, straight 12/12.
static void straight_launch_matches_the_reference(void **state)
{
    (void)state;
    Rig rig = make_rig(IB_WHEEL_FRICTION_CIRCLE, 12, 12);
    assert_close(rig.drive.inertia[0], 0.0207791355, 1e-12);
    assert_table(&rig, 7, STRAIGHT_COLUMNS, &STRAIGHT[0][0]);
}

// Goal: scrub. Method: reference sheet B8, turn in place +12/-12.
static void turn_in_place_matches_the_reference(void **state)
{
    (void)state;
    static const int columns[] = {TH, W, LEFT, I_LEFT, I_DRAW, V_SYS, Q_AH};
    static const double table[5][7] = {
        {-0.11904976622, -2.0802552151, 21.270705747, 51.482466213, 206.42986485, 9.5228416218,
         0.0069356617892},
        {-1.3754532441, -3.5303079906, 28.057048969, 40.465731792, 162.36292717, 10.051644874,
         0.026225084259},
        {-3.1666839499, -3.5993718652, 28.347996373, 39.993417001, 160.473668, 10.074315984,
         0.048577217333},
        {-6.7675798495, -3.6011336499, 28.355387133, 39.981419077, 160.42567631, 10.074891884,
         0.093141704105},
        {-17.570983962, -3.6011347541, 28.355391764, 39.981411558, 160.42564623, 10.074892245,
         0.22682974376},
    };
    Rig rig = make_rig(IB_WHEEL_FRICTION_CIRCLE, 12, -12);
    assert_table(&rig, 7, columns, &table[0][0]);
}

// Goal: both at once, with side force. Method: reference sheet B8, arc 12/6.
static void arc_matches_the_reference(void **state)
{
    (void)state;
    static const int columns[] = {X,     Y,      TH,      U,      N,     W,   LEFT,
                                  RIGHT, I_LEFT, I_RIGHT, I_DRAW, V_SYS, Q_AH};
    static const double table[5][13] = {
        {0.040008039391, -0.00016412757239, -0.010640764182, 0.78386438804, 0.0021680885955,
         -0.16830885048, 21.814582415, 10.332958614, 57.958720032, 30.401113057, 146.81855312,
         10.238177363, 0.0048677961527},
        {0.75702966058, -0.039746097371, -0.092895629489, 2.4415370864, 0.0073350213588,
         -0.1976744391, 34.008919476, 30.834226156, 38.752057848, -14.859382188, 63.144733509,
         11.242263198, 0.016211773513},
        {2.1005569206, -0.23042702966, -0.1932016848, 2.8646704274, 0.0089452677448, -0.20303190781,
         39.249860266, 36.056691574, 29.619523343, -25.866855071, 33.872191615, 11.593533701,
         0.022356446999},
        {4.8940848877, -1.0715121227, -0.39752803283, 2.9411529999, 0.0093352741797, -0.20476430656,
         40.208540217, 36.990747783, 27.943791407, -27.830365301, 28.557217514, 11.65731339,
         0.030649987383},
        {11.532159476, -6.6805543788, -1.0119485697, 2.9430737473, 0.0093455622586, -0.20481104972,
         40.232652616, 37.014155382, 27.901623048, -27.879549725, 28.423696372, 11.658915644,
         0.054346399858},
    };
    Rig rig = make_rig(IB_WHEEL_FRICTION_CIRCLE, 12, 6);
    assert_table(&rig, 13, columns, &table[0][0]);
}

// Goal: scrub in closed form. Method: in a steady turn the torques W Fx and a Fy cancel, and the
// force lies along the slip, so that w = rim W/(W^2 + a^2) whatever mu is, and a side pushes with
// mu weight/2 a/sqrt(a^2 + W^2); for two contact lengths and frictions, 1e-6 after 5 s.
static void steady_turn_follows_the_closed_form_of_scrub(void **state)
{
    (void)state;
    static const double lengths[] = {0.3, 0.15}, mus[] = {0.6, 1.0};
    for (int i = 0; i < 4; i++) {
        Rig rig = make_rig(IB_WHEEL_FRICTION_CIRCLE, 12, -12);
        double states[5][STATES], a = lengths[i / 2], r = rig.drive.radius;
        ib_WheelConfig wheels = rig.wheels.config;
        wheels.contact_half_length = a;
        wheels.tyre.mu = mus[i % 2];
        ib_wheel_init(&wheels, HALF_TRACK, &rig.wheels);
        run_rig(&rig, 0, states);
        const double *x = states[4];
        double rim = r * x[LEFT], square = a * a + HALF_TRACK * HALF_TRACK;
        assert_close(x[W], -rim * HALF_TRACK / square, 1e-6);
        double push = mus[i % 2] * MASS * GRAVITY / 2 * a / sqrt(square);
        double Kt = 2.429 / 131.227, current = column(&rig, x, I_LEFT);
        assert_close(current, push * r / (2 * 10.71 * Kt), 1e-5);
    }
}

// Goal: RK4 follows the patches with the step that ib_wheel_resolution allows. Method: straight
// launch against B8 at that step and halves of it: 0.2 mm of 19 m at the longest, where the fastest
// mode is barely followed, and each half at least 6 times better (4th order: 16, not reached
// while the step is near the stability limit) until 1e-8, the tables' own error.
static void rk4_follows_the_patches_at_the_allowed_step(void **state)
{
    (void)state;
    Rig rig = make_rig(IB_WHEEL_FRICTION_CIRCLE, 12, 12);
    ib_WheelCarried carried = {MASS, INERTIA, MASS * GRAVITY, rig.drive.inertia[0],
                               rig.drive.radius};
    double states[5][STATES], step = ib_wheel_resolution(&rig.wheels, &carried), last = 1;
    for (int i = 0; i < 4; i++, step /= 2) {
        double worst = 0;
        run_rig(&rig, step, states);
        for (int j = 0; j < 5; j++) worst = fmax(worst, fabs(states[j][X] - STRAIGHT[j][0]));
        printf("  rk4, %.3f ms: pose.x off by at most %.2g m\n", step * 1e3, worst);
        if (i == 0) assert_true(worst < 0.2e-3);
        if (i > 0) assert_true(worst < last / 6 || worst < 1e-8);
        last = worst;
    }
}

// ------------------------------------------------------------------ B7: wheels geared to the floor

// Goal: the viscous law and the gears' geometry. Method: closed forms of B7 for 12/12 and +12/-12:
// v = vt (1 - e^(-t/tau)), x = vt (t - tau (1 - e^(-t/tau))); 1e-9 (solver at 1e-12).
static void geared_wheels_follow_the_closed_forms(void **state)
{
    (void)state;
    const double vt = 4.0373859548, tau = 0.27063898562, wt = 13.457953183, tau_w = 0.2201197083;
    Rig straight = make_rig(IB_WHEEL_VISCOUS, 12, 12), spin = make_rig(IB_WHEEL_VISCOUS, 12, -12);
    double a[5][STATES], b[5][STATES];
    run_rig(&straight, 0, a);
    run_rig(&spin, 0, b);
    for (int i = 0; i < 5; i++) {
        double t = TIMES[i], gone = 1 - exp(-t / tau), gone_w = 1 - exp(-t / tau_w);
        assert_close(a[i][U], vt * gone, 1e-9);
        assert_close(a[i][X], vt * (t - tau * gone), 2e-9);
        assert_close(b[i][W], -wt * gone_w, 2e-9);
        assert_close(b[i][TH], -wt * (t - tau_w * gone_w), 1e-8);
    }
}

// Goal: the published side friction. Method: reference sheet B7, arc 12/6.
static void viscous_arc_matches_the_reference(void **state)
{
    (void)state;
    static const int columns[] = {X, Y, TH, U, N, W, I_LEFT, I_RIGHT, I_DRAW, V_SYS, Q_AH};
    static const double table[5][11] = {
        {0.05607282184, -0.00075424813733, -0.073729300224, 1.0467957261, 0.048659377047,
         -1.3528080672, 62.953145609, 34.249825724, 160.65611694, 10.072126597, 0.0055792588225},
        {0.83483668683, -0.22072758543, -1.0626136023, 2.2525081619, 1.233234372, -3.0193034116,
         20.757790041, 17.929860747, 59.945440829, 11.28065471, 0.015236329662},
        {1.3095035321, -1.3401175651, -2.6110458282, 1.8808263771, 1.7443477143, -3.091928195,
         28.615318074, 28.957687056, 86.688323203, 10.959740122, 0.025482895951},
        {-0.26340304753, -0.93893221376, -5.6778249216, 1.8379857624, 1.6879134948, -3.0625864264,
         29.852218906, 29.843064897, 90.04750271, 10.919429967, 0.050538377153},
        {1.3468447182, -1.1083268098, -14.867303455, 1.8384106332, 1.6894123843, -3.0631755661,
         29.837333376, 29.837333451, 90.012000204, 10.919855998, 0.12554533323},
    };
    Rig rig = make_rig(IB_WHEEL_VISCOUS, 12, 6);
    assert_table(&rig, 11, columns, &table[0][0]);
}

// ------------------------------------------------------------------------------------------- gears

static ib_DrivetrainModel two_gears(void)
{
    ib_DrivetrainConfig config = ib_drivetrain_default();
    ib_DrivetrainModel model;
    config.reduction_high = 4.5;
    ib_drivetrain_init(&config, &model);
    return model;
}

// Goal: numbers by hand. Method: stall 4 x 2.429 N m x 10.71 / 0.0762 m = 1365.5952756 N (B7), the
// plate of 10.4d: 60/12 (0.72^2 + 0.6^2) = 4.392.
static void stall_force_and_plate_are_those_of_the_reference(void **state)
{
    (void)state;
    ib_DrivetrainModel m = two_gears();
    Side side = ask_row(&m, 0, 1, 2.429, 0);
    assert_close(2 * side.torque / m.radius, 1365.5952756, 1e-7);
    assert_close(side.loss, 0, 0);
    assert_close(ib_drivetrain_plate_inertia(60, 0.8, 0.3), 4.392, 1e-14);
}

// Goal: gears only ever lose, and what is lost is what goes in less what comes out. Method: a grid
// of torques and speeds of both signs; 1e-12 of the power for rounding.
static void gears_never_give_power(void **state)
{
    (void)state;
    ib_DrivetrainModel m = two_gears();
    for (int gear = 0; gear < IB_GEARS; gear++) {
        for (double torque = -2.5; torque <= 2.5; torque += 0.173) {
            for (double speed = -550; speed <= 550; speed += 13.7) {
                Side side = ask_row(&m, gear, 0.85, torque, speed);
                double in = m.motors * torque * speed;
                double out = side.torque * speed / m.reduction[gear];
                assert_true(side.loss >= 0);
                assert_close(in - out, side.loss, 1e-12 * (1 + fabs(in)));
            }
        }
    }
}

// Goal: far from standstill the efficiency is eta forward and 1/eta backward. Method: at 1e7 rad/s
// the blend is within 1e-6; and it is continuous through standstill: 1e-9 rad/s either side.
static void efficiency_holds_both_ways_and_has_no_jump(void **state)
{
    (void)state;
    ib_DrivetrainModel m = two_gears();
    double ideal = m.motors * m.reduction[0] * 1000;
    assert_close(ask_row(&m, 0, 0.8, 1000, 1e7).torque / ideal, 0.8, 1e-6);
    assert_close(ask_row(&m, 0, 0.8, 1000, -1e7).torque / ideal, 1.25, 1e-6);
    assert_close(ask_row(&m, 0, 0.8, 1, 1e-9).torque, ask_row(&m, 0, 0.8, 1, -1e-9).torque, 1e-8);
}

// Goal: shifting keeps what the dogs cannot change, and the energy lost is the energy missing.
// Method: the impulse on the rotors, referred to the wheels, is the opposite of that on the wheels;
// kinetic energy before and after; 1e-12 of its size.
static void shift_keeps_momentum_and_books_its_loss(void **state)
{
    (void)state;
    ib_DrivetrainModel m = two_gears();
    double rotors = m.motors * m.rotor_inertia, wheels = m.wheel_inertia;
    for (int from = 0; from < IB_GEARS; from++) {
        double G1 = m.reduction[from], G2 = m.reduction[1 - from], speed = 40;
        ib_Shift shift = ib_drivetrain_shift(&m, from, 1 - from, speed);
        double on_wheels = wheels * (shift.speed - speed);
        double on_rotors = rotors * (G2 * shift.speed - G1 * speed);
        double before = 0.5 * (wheels + rotors * G1 * G1) * speed * speed;
        double after = 0.5 * (wheels + rotors * G2 * G2) * shift.speed * shift.speed;
        assert_close(on_wheels, -G2 * on_rotors, 1e-12);
        assert_close(shift.lost, before - after, 1e-12 * before);
        assert_true(shift.lost > 0);
    }
    ib_Shift none = ib_drivetrain_shift(&m, 1, 1, 40);
    assert_close(none.speed, 40, 0);
    assert_close(none.lost, 0, 0);
}

// Goal: wrong parameters are refused, by name. Method: one at a time.
static void bad_parameters_are_refused(void **state)
{
    (void)state;
    ib_Error error;
    ib_DrivetrainConfig good = ib_drivetrain_default();
    assert_int_equal(ib_drivetrain_check(&good, &error), IB_OK);
#define REFUSED(field, value, word)                                                                \
    do {                                                                                           \
        ib_DrivetrainConfig bad = good;                                                            \
        bad.field = (value);                                                                       \
        assert_int_equal(ib_drivetrain_check(&bad, &error), IB_BAD_INPUT);                         \
        assert_non_null(strstr(error.text, word));                                                 \
    } while (0)
    REFUSED(motors_per_side, 0, "motors_per_side");
    REFUSED(reduction, 0, "reduction");
    REFUSED(reduction, NAN, "reduction");
    REFUSED(reduction_high, -1, "reduction_high");
    REFUSED(wheel_diameter, 0, "wheel_diameter");
    REFUSED(efficiency, 1.01, "efficiency");
    REFUSED(efficiency, 0, "efficiency");
    REFUSED(rotor_inertia, -1e-5, "rotor_inertia");
    REFUSED(wheel_inertia, INFINITY, "wheel_inertia");
#undef REFUSED
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_launch_matches_the_reference),
        cmocka_unit_test(turn_in_place_matches_the_reference),
        cmocka_unit_test(arc_matches_the_reference),
        cmocka_unit_test(steady_turn_follows_the_closed_form_of_scrub),
        cmocka_unit_test(rk4_follows_the_patches_at_the_allowed_step),
        cmocka_unit_test(geared_wheels_follow_the_closed_forms),
        cmocka_unit_test(viscous_arc_matches_the_reference),
        cmocka_unit_test(stall_force_and_plate_are_those_of_the_reference),
        cmocka_unit_test(gears_never_give_power),
        cmocka_unit_test(efficiency_holds_both_ways_and_has_no_jump),
        cmocka_unit_test(shift_keeps_momentum_and_books_its_loss),
        cmocka_unit_test(bad_parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
