// Tests of the arm of two links as a kind of mechanism: the reference's constants and
// accelerations, its slopes and books, loads that its hand takes and lets go.
#include "base/balance.h"
#include "cmocka_all.h"
#include "plant/actuator/actuator.h"
#include "plant/mechanism_rig.h"

#include <math.h>
#include <string.h>

static ib_Error error;

// FRC 971's arm of 2018 [reference D1]: inches, pounds over 2.2, a MiniCIM at 95 % of its torque.
#define LINKS                                                                                      \
    {"gravity", "9.81 m/s^2"}, {"joint1.reduction", "140"}, {"joint2.reduction", "90"},            \
        {"joint2.motors", "2"}, {"link1.length", "46.25 in"}, {"link2.length", "41.8 in"},         \
        {"link1.center", "21.64 in"}, {"link2.center", "26.7 in"},                                 \
        {"link1.mass", "4.2454545454545455 kg"}, {"link2.mass", "4.4409090909090909 kg"},          \
        {"link1.inertia", "0.867168353636364 kg*m^2"},                                             \
    {                                                                                              \
        "link2.inertia", "0.828356114545454 kg*m^2"                                                \
    }
static const Setting bare[] = {
    LINKS,
    {"rotors", "false"},
    {"motor.stall_torque", "1.3395 N*m"},
    {"motor.stall_current", "89 A"},
    {"motor.free_speed", "5840 rpm"},
    {"motor.free_current", "0 A"},
    {NULL, NULL},
};
static const Setting derived[] = {
    LINKS,
    {"rotors", "true"},
    {"loss", "viscous"},
    {"efficiency", "0.95"},
    {"motor.stall_torque", "1.41 N*m"},
    {"motor.stall_current", "89 A"},
    {"motor.free_speed", "5840 rpm"},
    {"motor.free_current", "3 A"},
    {"motor.rotor_inertia", "1634 g*cm^2"},
    {NULL, NULL},
};

// --------------------------------------------------------------------------------------- reference

// Goal: the constants are the reference's. Method: its printed digits; alpha, beta and gamma have
// twelve behind the point, K3 six, K4 ten.
static void constants_are_the_references(void **state)
{
    (void)state;
    ib_Mechanism m = rig_mechanism("arm", bare);
    assert_close(rig_fact(&m, "alpha"), 8.278433733129, 1e-12);
    assert_close(rig_fact(&m, "beta"), 3.538036545614, 1e-12);
    assert_close(rig_fact(&m, "gamma"), 2.870855050067, 1e-12);
    assert_close(rig_fact(&m, "push1"), 15.627500, 1e-12);
    assert_close(rig_fact(&m, "push2"), 20.092500, 1e-12);
    assert_close(rig_fact(&m, "drag1"), 42.9296476739, 1e-10);
    assert_close(rig_fact(&m, "drag2"), 35.4826679753, 1e-10);
    assert_close(rig_fact(&m, "rotors1"), 0, 0);
}

// Goal: rotors add N G^2 J, 39 % and 92 %; a MiniCIM by its data sheet behind a gear of 95 % has
// the reference's K3 and K4. Method: 140^2 and 2 * 90^2 times 1.634e-4 by hand.
static void rotors_count(void **state)
{
    (void)state;
    ib_Mechanism m = rig_mechanism("arm", derived);
    assert_close(rig_fact(&m, "rotors1"), 3.20264, 1e-12);
    assert_close(rig_fact(&m, "rotors2"), 2.64708, 1e-12);
    assert_close(rig_fact(&m, "alpha"), 8.278433733129 + 3.20264, 1e-11);
    assert_close(rig_fact(&m, "gamma"), 2.870855050067 + 2.64708, 1e-11);
    assert_close(rig_fact(&m, "push1"), 15.627500, 1e-12);
    assert_close(rig_fact(&m, "push2"), 20.092500, 1e-12);
    assert_close(rig_fact(&m, "drag1"), 42.9296476739, 1e-10);
    assert_close(rig_fact(&m, "drag2"), 35.4826679753, 1e-10);
}

// Goal: the desk's rate is the reference's. Method: its three accelerations, to their digits.
static void accelerations_are_the_references(void **state)
{
    (void)state;
    static const struct {
        double x[4], u[2], a[2];
    } row[] = {
        {{0.5, 0, -0.8, 0}, {0, 0}, {5.3346690786, -9.1412549845}},
        {{0.5, 1, -0.8, -2}, {6, -4}, {10.2522360869, -12.8508281477}},
        {{1.2, -0.5, 0.3, 2}, {12, 12}, {19.6224505420, 47.5166681963}},
    };
    ib_Mechanism m = rig_mechanism("arm", bare);
    for (int i = 0; i < 3; i++) {
        double dx[4];
        ib_mechanism_rate(&m, row[i].x, row[i].u, dx);
        assert_close(dx[0], row[i].x[1], 0);
        assert_close(dx[1], row[i].a[0], 1e-9);
        assert_close(dx[2], row[i].x[3], 0);
        assert_close(dx[3], row[i].a[1], 1e-9);
    }
}

// ---------------------------------------------------------------------------------------- the kind

static const Setting rough[] = {{"joint1.friction", "3 N*m*s"},
                                {"joint2.friction", "2 N*m*s"},
                                {"load", "1.5 kg"},
                                {"joint1.efficiency", "0.8"},
                                {NULL, NULL}};

// Goal: matrices, book and mobility fit the rate, with friction, rotors and a load in the hand.
// Method: mechanism_rig.h; M F against the change of the rates under torques F.
static void slopes_book_and_mobility_fit_the_rate(void **state)
{
    (void)state;
    const double x[4] = {0.7, -1.2, -0.4, 2.1}, torque[2] = {7, -3}, pi = 3.14159265358979323846;
    const double level[4] = {pi / 2, 0, pi / 2, 0};
    ib_Mechanism m = rig_mechanism("arm", rough);
    ib_MechanismPoint point = {{0.7, -1.2, -0.4, 2.1}, {3, -5}};
    rig_check_slopes(&m, point);
    rig_check_energy(&m, x, torque, 8.5, level);
    double M[2][2], with[4], without[4], none[2] = {0, 0};
    m.kind->mobility(&m.model, x, M);
    m.kind->rate(&m.model, x, torque, 8.5, with);
    m.kind->rate(&m.model, x, none, 8.5, without);
    for (int i = 0; i < 2; i++)
        assert_close(with[2 * i + 1] - without[2 * i + 1],
                     M[i][0] * torque[0] + M[i][1] * torque[1], 1e-12);
}

// Goal: where its masses are. Method: both links level, 4 kg at 50 cm and 3 kg at 1 m + 40 cm, and
// 2 kg in the hand at 1.8 m: 2 + 4.2 + 3.6 kg m over 9 kg; the momentum that a base feels is the
// change of that, by differences along the rate.
static void centre_and_momentum_are_those_of_its_masses(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846, level[4] = {pi / 2, 0, pi / 2, 0};
    const Setting loaded[] = {{"load", "2 kg"}, {NULL, NULL}};
    ib_Mechanism m = rig_mechanism("arm", loaded);
    double place[3] = {0, 0, 0}, values[4];
    assert_close(m.ports.mass, 9, 1e-15);
    m.kind->centre(&m.model, level, place);
    assert_close(place[0], 9.8 / 9, 1e-15);
    assert_close(place[2], 0, 1e-15);
    m.kind->show(&m.model, level, values);
    assert_close(values[0], 1.8, 1e-15);
    assert_close(values[2], 1, 1e-15);

    const double x[4] = {0.7, -1.2, -0.4, 2.1}, torque[2] = {7, -3}, h = 1e-4;
    double dx[4], P[3];
    ib_MechanismSway sway = {0};
    m.kind->rate(&m.model, x, torque, 9.81, dx);
    for (int k = 0; k < 3; k++) { // x + (k - 1) h dx
        double at[4], before[3] = {0}, after[3] = {0};
        sway.q = 0; // to which it adds
        for (int i = 0; i < 4; i++) at[i] = x[i] + (k - 1) * h * dx[i];
        m.kind->sway(&m.model, at, &sway);
        P[k] = sway.c[0] * at[1] + sway.c[1] * at[3];
        double left[4] = {at[0] - h * at[1], 0, at[2] - h * at[3], 0};
        double right[4] = {at[0] + h * at[1], 0, at[2] + h * at[3], 0};
        m.kind->centre(&m.model, left, before);
        m.kind->centre(&m.model, right, after);
        // Differences of second order leave h^2 times the third derivative.
        assert_close(P[k], 9 * (after[0] - before[0]) / (2 * h), 1e-6);
    }
    sway.q = 0;
    m.kind->sway(&m.model, x, &sway);
    assert_close((P[2] - P[0]) / (2 * h), sway.c[0] * dx[1] + sway.c[1] * dx[3] - sway.q, 1e-5);
}

// Goal: what a range cannot say is refused at its key. Method: one of each.
static void impossible_arms_are_refused(void **state)
{
    (void)state;
    const Setting hungry[] = {{"joint2.motor.free_current", "140 A"}, {NULL, NULL}};
    rig_refuses("arm", hungry, "joint2.motor.free_current: ");
    const Setting first[] = {{"link1.center", "0 m"}, {"link1.inertia", "0 kg*m^2"}, {NULL, NULL}};
    rig_refuses("arm", first, "link1.inertia: ");
    const Setting second[] = {{"link2.center", "0 m"}, {"link2.inertia", "0 kg*m^2"}, {NULL, NULL}};
    rig_refuses("arm", second, "link2.inertia: ");
}

// -------------------------------------------------------------------------------------- on a robot

enum { ROOM = 64 };

static ib_MechanismSpec spec_of(const Setting *settings, const Setting *start)
{
    ib_MechanismSpec spec = {.name = "arm", .kind = ib_mechanism_kind_find("arm")};
    spec.config = rig_config("arm", settings);
    assert_int_equal(ib_schema_default(&spec.kind->start, &spec.config, &error), IB_OK);
    put_settings(&spec.kind->start, start, &spec.config);
    spec.own_gravity = true;
    return spec;
}

// It stands alone; what it shows is in `shows` until the next one is made.
static ib_SignalTable shows;
static void make(const ib_MechanismSpec *spec, ib_Actuator *a)
{
    static ib_Arena arena;
    ib_arena_reset(&arena);
    ib_Declarations d = {.arena = &arena, .signals.arena = &arena};
    for (int i = 0; i < 7; i++) ib_declare_input(&d, (ib_InputDef){0}, NULL);
    ib_actuator_init(spec, NULL, a);
    ib_actuator_declare(a, &d);
    ib_actuator_declare_signals(a, &d);
    assert_true(ib_declare_finish(&d) && d.state_count <= ROOM && d.input_count <= ROOM);
    shows = d.signals;
}

// Goal: joints and shafts have what their own keys say. Method: a stop and a brake of the second
// joint, a friction and a limit of the first; motors and gears of each.
static void joints_have_keys_of_their_own(void **state)
{
    (void)state;
    const Setting own[] = {
        {"joint1.dry_friction", "4 N*m"},   {"joint1.current_limit", "40 A"},
        {"joint2.travel", "-2 rad, 1 rad"}, {"joint2.limit_switches", "1 deg"},
        {"joint2.brake", "30 N*m"},         {"joint2.motors", "3"},
        {"joint2.efficiency", "0.5"},       {NULL, NULL},
    };
    const Setting high[] = {{"theta2", "1.5 rad"}, {NULL, NULL}};
    ib_MechanismSpec spec = spec_of(own, NULL);
    ib_Actuator a;
    assert_int_equal(ib_mechanism_spec_check(&spec, &error), IB_OK);
    make(&spec, &a);
    assert_true(a.mode[0] >= 0 && a.mode[1] >= 0 && a.brake[0] < 0 && a.brake[1] >= 0);
    assert_true(isinf(a.travel[0][0]) && a.travel[1][1] > 1 && a.travel[1][1] < 1 + 1e-11);
    assert_close(a.config.joint[0].dry_friction, 4, 0);
    assert_close(a.config.joint[1].dry_friction, 0, 0);
    assert_close(a.config.shaft[0].current_limit, 40, 0);
    assert_true(isinf(a.config.shaft[1].current_limit));
    assert_close(a.drive[0].motors * 140, a.drive[0].reduction, 0);
    assert_close(a.drive[1].motors * 30, a.drive[1].reduction, 0);
    assert_close(a.drive[1].lost, 0.5, 0);
    assert_close(a.drive[0].lost, 0, 0);
    ib_MechanismSpec beyond = spec_of(own, high);
    assert_int_equal(ib_mechanism_spec_check(&beyond, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "start.theta2: 1.5 rad is beyond a stop: expected -2 to 1"));
    const Setting loose[] = {{"joint1.limit_switches", "1 deg"}, {NULL, NULL}};
    ib_MechanismSpec open = spec_of(loose, NULL);
    assert_int_equal(ib_mechanism_spec_check(&open, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "joint1.limit_switches: it has no stops"));
}

// Links of the default arm, whose alpha, beta and gamma by hand are, without rotors,
//   0.4 + 0.25*4 + 1*3 = 4.4,   1*0.4*3 = 1.2,   0.2 + 0.16*3 = 0.68   [kg m^2]
// and with 2.5 kg in the hand  4.4 + 2.5 = 6.9,  1.2 + 2 = 3.2,  0.68 + 1.6 = 2.28.
static const Setting light[] = {{"rotors", "false"}, {NULL, NULL}};
static const double LIFTED = 2.5; ///< [kg]

static double kinetic(double alpha, double cross, double gamma, const double *w)
{
    return 0.5 * (alpha * w[0] * w[0] + gamma * w[1] * w[1]) + cross * w[0] * w[1];
}

static void put_pose(const ib_Actuator *a, const double *th, const double *w, double *x)
{
    ib_actuator_reset(a, 0, x);
    for (int j = 0; j < 2; j++) {
        x[a->position[j]] = th[j];
        x[a->speed[j]] = w[j];
    }
}

// What its energy book is off by [J].
static double book_error(const ib_Actuator *a, const ib_Wires *w)
{
    ib_Arena arena = {0};
    ib_Balances balances;
    double shown[ROOM];
    assert_true(shows.count <= ROOM);
    assert_true(ib_balances_init(shows.items, shows.count, &arena, &balances));
    int row = ib_signals_role(&shows, "", IB_ROLE_BALANCE);
    assert_true(row >= 0);
    ib_actuator_output(a, w, shown);
    ib_balances_output(&balances, shown);
    ib_arena_reset(&arena);
    return shown[row];
}

// Goal: a load at rest joins the hand without a bounce, the momenta of the joints are kept and what
// is lost is booked; let go, it changes no speed. Method: K w by hand, solved by Cramer's rule;
// the energies from the numbers above; the load's weight at the height of the hand.
static void load_is_gripped_and_let_go(void **state)
{
    (void)state;
    const double w[2] = {1, 2}, c = cos(0.8), m = LIFTED;
    const Setting start[] = {{"theta1", "0.3 rad"},
                             {"omega1", "1 rad/s"},
                             {"theta2", "-0.5 rad"},
                             {"omega2", "2 rad/s"},
                             {NULL, NULL}};
    ib_MechanismSpec spec = spec_of(light, start);
    const ib_Mount still = {0};
    ib_Actuator a;
    make(&spec, &a);
    double x[ROOM] = {0}, input[ROOM] = {0}, p[2], then[2];
    const ib_Wires wires = {.x = x, .input = input, .power = {.E = 12}, .gravity = 9.81};
    ib_actuator_reset(&a, 0, x);
    for (int i = 0; i < 2; i++) input[a.motors.gain + i] = 1;
    assert_false(ib_actuator_settle(&a, &still, &wires, x));
    input[a.load] = m;
    assert_true(ib_actuator_settle(&a, &still, &wires, x));
    assert_false(ib_actuator_settle(&a, &still, &wires, x));
    p[0] = 4.4 * w[0] + 1.2 * c * w[1];
    p[1] = 1.2 * c * w[0] + 0.68 * w[1];
    double cross = 3.2 * c, det = 6.9 * 2.28 - cross * cross;
    then[0] = (2.28 * p[0] - cross * p[1]) / det;
    then[1] = (6.9 * p[1] - cross * p[0]) / det;
    for (int j = 0; j < 2; j++) assert_close(x[a.speed[j]], then[j], 1e-13);
    double lost = kinetic(4.4, 1.2 * c, 0.68, w) - kinetic(6.9, cross, 2.28, then);
    double lifted = m * 9.80665 * (cos(0.3) + 0.8 * cos(-0.5)); // its own gravity is the default
    assert_true(lost > 0.1);
    assert_close(x[a.books + IB_ACTUATOR_GIVEN], lost - lifted, 1e-12);
    assert_close(book_error(&a, &wires), 0, 1e-12);

    // Its share of what is stored goes with it: m v^2/2 of the hand, and its height.
    input[a.load] = 0;
    assert_true(ib_actuator_settle(&a, &still, &wires, x));
    for (int j = 0; j < 2; j++) assert_close(x[a.speed[j]], then[j], 1e-13);
    double vx = then[0] * cos(0.3) + 0.8 * then[1] * cos(-0.5),
           vz = -then[0] * sin(0.3) - 0.8 * then[1] * sin(-0.5);
    assert_close(x[a.books + IB_ACTUATOR_GIVEN], lost + 0.5 * m * (vx * vx + vz * vz), 1e-12);
    assert_close(book_error(&a, &wires), 0, 1e-12);
}

// Goal: a joint that stands at its stop or in its brake goes on standing; the other keeps its own
// momentum. Method: the second joint at its stop; 4.4 w = 6.9 w'.
static void load_leaves_a_joint_that_stands(void **state)
{
    (void)state;
    const Setting stopped[] = {
        {"rotors", "false"}, {"joint2.travel", "-0.5 rad, 1 rad"}, {NULL, NULL}};
    const double th[2] = {0.3, -0.5}, w[2] = {1, 0};
    ib_MechanismSpec spec = spec_of(stopped, NULL);
    const ib_Mount still = {0};
    ib_Actuator a;
    make(&spec, &a);
    double x[ROOM] = {0}, input[ROOM] = {0};
    const ib_Wires wires = {.x = x, .input = input, .power = {.E = 12}, .gravity = 9.81};
    put_pose(&a, th, w, x);
    x[a.mode[1]] = IB_JOINT_LOW;
    for (int i = 0; i < 2; i++) input[a.motors.gain + i] = 1;
    input[a.load] = LIFTED;
    assert_true(ib_actuator_settle(&a, &still, &wires, x));
    assert_close(x[a.speed[0]], 4.4 / 6.9, 1e-15);
    assert_close(x[a.speed[1]], 0, 0);
    assert_close(x[a.mode[1]], IB_JOINT_LOW, 0);
}

// Goal: the load is in the cargo, and what was picked up since the start is told apart. Method:
// both links level: 9.8 kg m of 9 kg, of which 1.5 kg were there at the start.
static void load_is_cargo(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846, th[2] = {pi / 2, pi / 2}, w[2] = {0, 0};
    const Setting loaded[] = {{"load", "1.5 kg"}, {NULL, NULL}};
    ib_MechanismSpec spec = spec_of(loaded, NULL);
    ib_Actuator a;
    make(&spec, &a);
    double x[ROOM] = {0};
    put_pose(&a, th, w, x);
    assert_close(x[a.held], 1.5, 0);
    x[a.held] = 2;
    ib_Cargo cargo = {0};
    ib_actuator_cargo(&a, x, &cargo);
    assert_close(cargo.mass, 9, 1e-15);
    assert_close(cargo.extra, 0.5, 0);
    assert_close(cargo.x, 9.8, 1e-14);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_the_references),
        cmocka_unit_test(rotors_count),
        cmocka_unit_test(accelerations_are_the_references),
        cmocka_unit_test(slopes_book_and_mobility_fit_the_rate),
        cmocka_unit_test(centre_and_momentum_are_those_of_its_masses),
        cmocka_unit_test(impossible_arms_are_refused),
        cmocka_unit_test(joints_have_keys_of_their_own),
        cmocka_unit_test(load_is_gripped_and_let_go),
        cmocka_unit_test(load_leaves_a_joint_that_stands),
        cmocka_unit_test(load_is_cargo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
