// The tank robot against hand calculation, closed forms and independent solutions of other robots
// than the printed ones.
#include "cmocka_all.h"
#include "robot/tank_rig.h"

#include <math.h>

// -------------------------------------------------------------------------------------------- rate

// Goal: the rate is Newton's law with Kirchhoff's. Method: B7's robot at u = 1 m/s, n = 0.2 m/s, w
// = 0.5 rad/s under 12/6 V. By hand: motors 119.469 and 161.634 rad/s, V = 9.8678 V, I = 80.296 and
// 16.595 A, F = 504.14 N, torque -99.434 N m; below the same with all digits.
static void rate_matches_hand_calculation(void **unused)
{
    (void)unused;
    double R = 12 / 131.227, Kt = 2.429 / 131.227;
    double Ke = (12 - 2.7 * R) / (5310 * 2 * 3.14159265358979323846 / 60);
    double per = 10.71 / 0.0762, left = per * (1 - 0.15), right = per * (1 + 0.15);
    double V =
        (12 - 0.012 * (0.5 - 2 * Ke * (left + 0.5 * right) / R)) / (1 + 0.012 * 2 * (1 + 0.25) / R);
    double I_left = (V - Ke * left) / R, I_right = (0.5 * V - Ke * right) / R;
    double force = 2 * per * Kt * (I_left + I_right),
           torque = 2 * per * Kt * 0.3 * (I_right - I_left);

    Rig rig;
    rig_default(&rig, 1);
    Tank tank;
    tank_make(&rig.tank, &tank);
    const ib_PlanarModel *body = tank.robot.ports.planar;
    int used = tank_state(&tank, "battery.used");
    double state[64] = {[IB_TANK_U] = 1, [IB_TANK_N] = 0.2, [IB_TANK_W] = 0.5}, rate[64];
    double input[RIG_INPUTS] = {[IB_TANK_LEFT] = 12,
                                [IB_TANK_RIGHT] = 6,
                                [IB_TANK_GAIN_LEFT] = 1,
                                [IB_TANK_GAIN_RIGHT] = 1,
                                [IB_GRAVITY] = 9.80665};
    tank_rate(&tank, state, input, rate);
    assert_close(force, 504.14, 0.005);
    assert_close(torque, -99.434, 0.0005);
    assert_close(rate[body->x], 1, 0);
    assert_close(rate[body->y], 0.2, 0);
    assert_close(rate[IB_TANK_TH], 0.5, 0);
    assert_close(rate[IB_TANK_U], force / 60 + 0.5 * 0.2, 1e-12); // a dozen roundings of terms ~ 10
    assert_close(rate[IB_TANK_N], -200 * 0.2 / 60 - 0.5 * 1, 1e-14);
    assert_close(rate[IB_TANK_W], torque / 4.392, 1e-12);
    assert_close(rate[used], 0.5 + 2 * (I_left + 0.5 * I_right), 1e-11);
    tank_free(&tank);
}

// Goal: physics does not depend on which way the robot stands. Method: turn the heading and a push
// with it; velocities of the robot frame must change at the same rates.
static void rate_turns_with_the_robot(void **unused)
{
    (void)unused;
    for (int wheels = IB_WHEEL_ROLLING; wheels <= IB_WHEEL_BRISTLE; wheels++) {
        Rig rig;
        rig_default(&rig, 1);
        rig.tank.wheels.model = wheels;
        Tank tank;
        tank_make(&rig.tank, &tank);
        const ib_PlanarModel *body = tank.robot.ports.planar;
        double rates[2][64];
        for (int i = 0; i < 2; i++) {
            double turn = i * 0.9, c = cos(turn), s = sin(turn);
            double state[64] = {[IB_TANK_TH] = turn, [IB_TANK_U] = 1.5, [IB_TANK_W] = -2};
            if (wheels != IB_WHEEL_ROLLING) state[IB_TANK_N] = 0.3;
            if (tank.own->sides.slips) state[tank.own->sides.speed] = 22;
            double input[RIG_INPUTS] = {[IB_TANK_LEFT] = 7,
                                        [IB_TANK_RIGHT] = -3,
                                        [IB_TANK_GAIN_LEFT] = 1,
                                        [IB_TANK_GAIN_RIGHT] = 1,
                                        [IB_GRAVITY] = 9.80665};
            ib_push_add(input, 30 * c - 20 * s, 30 * s + 20 * c, 0.1, -0.2);
            tank_rate(&tank, state, input, rates[i]);
        }
        for (int k = 0; k < tank.robot.ports.state_count; k++)
            if (k != body->x && k != body->y)
                assert_close(rates[1][k], rates[0][k], 1e-11 * fmax(1, fabs(rates[0][k])));
        tank_free(&tank);
    }
}

// ------------------------------------------------------------------------------------ closed forms

static const double v_terminal = 4.0373859548, tau = 0.27063898562; // reference B7, 11 digits
static const double spin_terminal = 13.457953183, spin_tau = 0.2201197083;

// Goal: v = vt (1 - e^(-t/tau)), x = vt (t - tau (1 - e^(-t/tau))). Method: 12/12 V against the
// formulas at every 10 ms.
static void straight_start_follows_the_closed_form(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, 2);
    rig_drive(&rig, 12, 12);
    rig_run(&rig, 0.01);
    for (int i = 0; i < rig.rows.count; i++) {
        double t = rig.rows.t[i], rise = 1 - exp(-t / tau);
        // vt has 11 digits, so that x = 7 m is known to 7e-10
        assert_close(rig_row(&rig, i, "velocity.forward"), v_terminal * rise, 1e-9);
        assert_close(rig_row(&rig, i, "pose.x"), v_terminal * (t - tau * rise), 2e-9);
    }
    rig_stop(&rig);
}

// Goal: w = w_inf (1 - e^(-t/tau_w)). Method: -12/12 V turns to the left.
static void spin_follows_the_closed_form(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, 2);
    rig_drive(&rig, -12, 12);
    rig_run(&rig, 0.01);
    for (int i = 0; i < rig.rows.count; i++) {
        double t = rig.rows.t[i], rise = 1 - exp(-t / spin_tau);
        assert_close(rig_row(&rig, i, "velocity.heading"), spin_terminal * rise, 3e-9);
        assert_close(rig_row(&rig, i, "pose.heading"), spin_terminal * (t - spin_tau * rise), 6e-9);
    }
    rig_stop(&rig);
}

// Goal: stall with and without sag (reference B7). Method: at t = 0 the wheels stand.
static void stall_matches_the_closed_form(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, 0.001);
    rig_drive(&rig, 12, 12);
    rig_run(&rig, 0.001);
    assert_close(rig_at(&rig, 0, "drive.left.current"), 86.012655518,
                 1e-9); // nine printed decimals
    assert_close(rig_at(&rig, 0, "battery.current"), 344.55062207, 1e-8);
    assert_close(rig_at(&rig, 0, "battery.voltage"), 7.8653925352, 1e-10);
    double torque = rig_at(&rig, 0, "drive.left.torque");
    assert_close(4 * torque * 10.71 / 0.0762, 895.07857389, 1e-8);
    rig_stop(&rig);
    rig_default(&rig, 0.001);
    rig_drive(&rig, 12, 12);
    rig.tank.equipment.power.battery.resistance = 0;
    rig_run(&rig, 0.001);
    assert_close(4 * rig_at(&rig, 0, "drive.left.torque") * 10.71 / 0.0762, 1365.5952756, 1e-7);
    rig_stop(&rig);
}

// Goal: viscous loss makes the data sheet's free point exact. Method: a stiff 12 V and no load: the
// motors end at 5310 rpm with 2.7 A.
static void viscous_loss_meets_the_data_sheets_free_point(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, 10); // 40 time constants
    rig_set(&rig, "drive.loss", "viscous");
    rig.tank.equipment.power.battery.resistance = 0;
    rig_drive(&rig, 12, 12);
    rig_run(&rig, 10);
    assert_close(rig_end(&rig, "drive.left.speed"), 556.06189969, 1e-8);
    assert_close(rig_end(&rig, "drive.left.current"), 2.7, 1e-10);
    rig_stop(&rig);
}

// Goal: the reference problem S1 within 1e-6 m. Method: kitbot on rolling wheels at a stiff 12 V,
// six stretches of voltages, RK4 at 1 ms.
static void s1_ends_where_the_exact_solution_does(void **unused)
{
    (void)unused;
    static const Knot left[] = {{0, 12}, {5, 6}, {8, -12}, {10, -8}, {12, 0}};
    static const Knot right[] = {{0, 12}, {3, 6}, {5, 12}, {8, -12}, {10, 8}, {12, 0}};
    Rig rig;
    rig_default(&rig, 15);
    rig_set(&rig, "mass", "60 lb");
    rig_set(&rig, "half_track", "13 in");
    rig_set(&rig, "drive.wheel_diameter", "6 in");
    rig_set(&rig, "drive.motor.stall_torque", "2.42 N*m");
    rig_set(&rig, "drive.motor.stall_current", "133 A");
    rig_set(&rig, "inertia", "0.84057814 kg*m^2");
    rig_set(&rig, "battery.resistance", "0 ohm");
    rig_set(&rig, "wheels.model", "rolling");
    rig_input(&rig, IB_TANK_LEFT, false, left, 5);
    rig_input(&rig, IB_TANK_RIGHT, false, right, 6);
    rig_run(&rig, 15);
    assert_close(rig_end(&rig, "pose.x"), 19.494507062, 1e-6);
    assert_close(rig_end(&rig, "pose.y"), 1.397278198, 1e-6);
    assert_close(rig_end(&rig, "pose.heading"), 19.363825077, 1e-6);
    rig_stop(&rig);
}

// Goal: throttle and turn are left and right. Method: left = 12 (throttle - turn), right = 12
// (throttle + turn): the same run to the last bits.
static void throttle_and_turn_are_left_and_right(void **unused)
{
    (void)unused;
    double states[2][IB_TANK_BODY];
    for (int i = 0; i < 2; i++) {
        Rig rig;
        rig_default(&rig, 2);
        if (i == 0) rig_drive(&rig, 12 * 0.5 - 12 * 0.25, 12 * 0.5 + 12 * 0.25);
        if (i == 1) rig_hold(&rig, IB_TANK_THROTTLE, 0.5);
        if (i == 1) rig_hold(&rig, IB_TANK_TURN, 0.25);
        rig_run(&rig, 2);
        memcpy(states[i], ib_sim_state(rig.sim), sizeof states[i]);
        rig_stop(&rig);
    }
    assert_memory_equal(states[0], states[1], sizeof states[0]);
    assert_true(states[0][IB_TANK_TH] > 1); // to the left
}

// ------------------------------------------------------------------------------------ other robots

typedef struct Stretch {
    double t, left, right; // [s, V, V]
} Stretch;

typedef struct Other {
    const char *params[24][2];
    double heading;
    Stretch stretches[5];
    int stretch_count;
    bool linear;
    double rows[4][8]; // t, heading, x, y, forward, left, yaw rate, charge used [A s]
    int row_count;
} Other;

// Solved independently (SciPy DOP853, rtol 3e-14, steps of at most 0.25 ms, from knot to knot; the
// equations of reference B7 and B8 with the gears of docs/plant/drivetrain.md and the losses of
// docs/plant/motor.md; steps of 0.5 ms give the same to 2e-10).
static const Other others[] = {
    {.params = {{"drive.motor.stall_torque", "1.41 N*m"},
                {"drive.motor.stall_current", "89 A"},
                {"drive.motor.free_speed", "5840 rpm"},
                {"drive.motor.free_current", "3 A"},
                {"drive.motors_per_side", "3"},
                {"drive.reduction", "8.45"},
                {"drive.wheel_diameter", "0.1016 m"},
                {"drive.efficiency", "0.9"},
                {"drive.loss", "viscous"},
                {"mass", "45 kg"},
                {"half_track", "0.27 m"},
                {"length", "0.7 m"},
                {"battery.open_circuit", "12.6 V"},
                {"battery.resistance", "18 mohm"},
                {"background_current", "2 A"},
                {"wheels.side_friction", "350 N*s/m"}},
     .heading = 0.4,
     .stretches = {{0, 10, 4}, {1, -6, 12}, {2.5, 0, 0}},
     .stretch_count = 3,
     .rows = {{0.5, -0.8749784677228, 0.7113950931714, -0.007529299967324, 1.843660418503,
               0.7054448033475, -3.348458695563, 32.84714969618},
              {1, -2.565669932065, 0.9324479236956, -0.8549830382093, 1.792026823469,
               0.7812030414143, -3.383541820201, 50.78450223629},
              {2, 5.802954941724, 0.746102777034, -1.201657259508, 0.3657216447326,
               -0.4669476091988, 9.925952946489, 113.6383058948},
              {4, 11.60121585069, 0.7108975588951, -1.16668907654, -3.365260766405e-07,
               -4.888315931765e-06, 6.103923414662e-07, 135.7849572398}},
     .row_count = 4},
    {.params = {{"drive.reduction", "12.75"},
                {"drive.wheel_diameter", "8 in"},
                {"drive.efficiency", "0.8"},
                {"drive.loss", "coulomb"},
                {"mass", "68 kg"},
                {"half_track", "0.33 m"},
                {"length", "0.9 m"},
                {"battery.open_circuit", "13 V"},
                {"battery.resistance", "20 mohm"},
                {"background_current", "1 A"},
                {"wheels.side_friction", "80 N*s/m"}},
     .stretches = {{0, 0, 0}, {0.7, 12, 9}, {1.6, -4, 11}, {3, -12, -12}, {4, 0, 0}},
     .stretch_count = 5,
     .linear = true,
     .rows = {{0.5, -0.1299471084238, 0.2527659215712, -0.007276182798412, 1.315819612411,
               0.09586081924543, -0.6547979806194, 20.64550264451},
              {1.5, 0.7405024781449, 2.552114957155, -0.5760786743832, 1.237575153552,
               -1.82511166267, 5.132168200969, 85.04173521115},
              {3, 7.460778315228, 2.502898457626, -0.02652797831187, -1.859931203455,
               1.630081171788, 1.165790179492, 197.568266851},
              {4, 7.74345424303, 0.8847364573613, -1.868197364592, -0.8482155062447, 0.764619830543,
               0.007971008478129, 230.3770589143}},
     .row_count = 4},
    {.params = {{"drive.motors_per_side", "3"},
                {"drive.reduction", "6.2"},
                {"drive.wheel_diameter", "0.15 m"},
                {"mass", "55 kg"},
                {"half_track", "0.25 m"},
                {"inertia", "6.1 kg*m^2"},
                {"battery.open_circuit", "12.4 V"},
                {"battery.resistance", "30 mohm"},
                {"background_current", "3 A"},
                {"wheels.model", "rolling"}},
     .stretches = {{0, 12, 12}, {0.8, 12, -3}, {2, -7, -12}},
     .stretch_count = 3,
     .rows = {{0.8, 0, 1.855109623798, 0, 4.062765501398, 0, 0, 148.4325621764},
              {2, -9.585768056746, 2.548739992876, -0.7757239239041, 2.25616807507, 0,
               -12.79800061293, 255.2303993913},
              {3, -17.32449091866, 3.2649688825, -0.741875240103, -3.882186815005, 0,
               -5.566906871517, 408.8795208203}},
     .row_count = 3},
    {.params = {{"drive.motor.stall_torque", "0.71 N*m"},
                {"drive.motor.stall_current", "134 A"},
                {"drive.motor.free_speed", "18730 rpm"},
                {"drive.motor.free_current", "0.7 A"},
                {"drive.reduction", "36"},
                {"drive.efficiency", "0.95"},
                {"drive.loss", "viscous"},
                {"drive.rotor_inertia", "3e-5 kg*m^2"},
                {"mass", "50 kg"},
                {"half_track", "0.28 m"},
                {"length", "0.75 m"},
                {"battery.open_circuit", "12.5 V"},
                {"battery.resistance", "15 mohm"},
                {"background_current", "1.5 A"},
                {"wheels.model", "friction_circle"},
                {"wheels.mu", "0.8"},
                {"wheels.slip_speed", "0.08 m/s"},
                {"wheels.contact_half_length", "0.22 m"},
                {"wheels.inertia_per_side", "0.004 kg*m^2"}},
     .stretches = {{0, 12, 7}, {1.2, -5, 6}, {2, 3, 3}},
     .stretch_count = 3,
     .rows = {{0.3, -0.0649632012653, 0.2760326309313, -0.007374020667702, 1.720140468106,
               0.01989139569765, -0.3992859395785, 50.72117761356},
              {1.2, -0.4530650908665, 2.629715074817, -0.6326340532826, 3.161428542306,
               0.04546838691602, -0.4628788626232, 105.8620938901},
              {2, 0.776515665123, 3.793069313406, -1.094080650646, 0.4055498039844, -0.385880168668,
               2.748053687822, 141.4783813376},
              {3, 1.027485915446, 4.287961405038, -0.376050892679, 1.059543802932,
               -4.83269124243e-19, 1.688623658712e-18, 149.0477933172}},
     .row_count = 4},
    {.params = {{"drive.reduction", "9"},
                {"drive.efficiency", "0.85"},
                {"drive.loss", "coulomb"},
                {"drive.current", "implicit"},
                {"drive.inductance", "200 uH"},
                {"mass", "52 kg"},
                {"wheels.side_friction", "500 N*s/m"}},
     .stretches = {{0, 2, 2}, {1, 12, 6}, {2, 12, -6}, {3, 12, 12}},
     .stretch_count = 4,
     .linear = true,
     .rows = {{0.5, -0.2346421334246, 0.3406470302966, -0.0213135227596, 1.340350755504,
               0.1050404702126, -1.20055343414, 14.02395373149},
              {1, -1.276704797485, 1.133319413731, -0.5208110830557, 2.382060597878,
               0.6030496054509, -2.963368285293, 43.78755216188},
              {2, -7.175998245729, 0.6856592405075, -1.219865721469, 0.3888777671232,
               0.4891380245208, -9.152888239198, 109.9556364043},
              {3, -13.45668471051, 1.300401159333, -1.022250567555, 2.638110088895, 0.6596371609291,
               -1.960516901208, 207.1946298933}},
     .row_count = 4},
};

static void assert_other(const Other *other)
{
    static const char *const columns[] = {"pose.heading",     "pose.x",        "pose.y",
                                          "velocity.forward", "velocity.left", "velocity.heading",
                                          "battery.used"};
    Rig rig;
    Knot left[5], right[5];
    rig_default(&rig, other->rows[other->row_count - 1][0]);
    for (int i = 0; i < 24 && other->params[i][0]; i++)
        rig_set(&rig, other->params[i][0], other->params[i][1]);
    for (int i = 0; i < other->stretch_count; i++) {
        left[i] = (Knot){other->stretches[i].t, other->stretches[i].left};
        right[i] = (Knot){other->stretches[i].t, other->stretches[i].right};
    }
    rig_input(&rig, IB_TANK_LEFT, other->linear, left, other->stretch_count);
    rig_input(&rig, IB_TANK_RIGHT, other->linear, right, other->stretch_count);
    rig.tank.planar.heading = other->heading;
    rig_adaptive(&rig, 1e-12, 0.01);
    rig_run(&rig, 0.1);
    for (int i = 0; i < other->row_count; i++)
        for (int k = 0; k < 7; k++) {
            double expected = other->rows[i][k + 1];
            assert_close(rig_at(&rig, other->rows[i][0], columns[k]), expected,
                         1e-8 * fmax(1, fabs(expected)));
        }
    rig_stop(&rig);
}

// Goal: other masses, reductions, voltages, frictions, losses, gears and ramps are right as well.
// Method: five robots, solved independently; dopri5 at 1e-12, agreement to 1e-8.
static void other_robots_match_independent_solutions(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) assert_other(&others[i]);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_matches_hand_calculation),
        cmocka_unit_test(rate_turns_with_the_robot),
        cmocka_unit_test(straight_start_follows_the_closed_form),
        cmocka_unit_test(spin_follows_the_closed_form),
        cmocka_unit_test(stall_matches_the_closed_form),
        cmocka_unit_test(viscous_loss_meets_the_data_sheets_free_point),
        cmocka_unit_test(s1_ends_where_the_exact_solution_does),
        cmocka_unit_test(throttle_and_turn_are_left_and_right),
        cmocka_unit_test(other_robots_match_independent_solutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
