// Claims about src/claims/robosim/tank*.c: the figures of RoboSim's claims against closed forms,
// numbers worked out by hand, and reference B4 to B8, which another program solved.
#include "claims_rig.h"

static const double pi = 3.141592653589793;

static int compute(void **state)
{
    (void)state;
    return rig_compute(&ib_tank_claims);
}

// Goal: section 2. Method: of the 16 places the one most to the right of -x is (-2, -1).
static void the_arctangent_has_its_sign_and_order(void **state)
{
    (void)state;
    assert_claim("2", "the table of atan2", 0, 1e-15, HOLDS);
    assert_claim("2", "atan2 is in", atan2(-1, -2), 1e-15, FALSE);
    assert_claim("2", "atan2(X, Y)", 0, 0, FALSE);
    assert_close(rig_claim("2", "atan2(X, Y)").published, pi / 2, 1e-15);
    assert_claim("2", "'all angle", pi, 1e-15, FALSE);
}

// Goal: sections 1.3, 3 and 13.2. Method: rows of reference B4 and B7 to their digits; the box
// creeps where tanh(v/0.1 mm/s) = 0.9; the arm's inertia by the reduced mass.
static void the_primers_numbers_are_right(void **state)
{
    (void)state;
    assert_claim("1.3", "'a very close", 1.2626 / 1.0982614843, 5e-5, FALSE);
    assert_claim("1.3, 13.2", "Ts is", 19.0983, 5e-5, FALSE);
    assert_close(rig_claim("1.3, 13.2", "Ts is").published, 19.2962, 5e-5);
    assert_claim("13.2", "50 ms is recommended", 0.00084414629383, 5e-14, FALSE);
    // v = V (1 - e^(-t/tau)): a difference over T is off by v' (tau^2/T (e^(T/tau) - 1) - tau).
    double tau = 0.27063898562, c = exp(0.05 / tau), f = exp(0.005 / tau);
    double share = ((f - 1) * tau / 0.005 - 1) / ((c - 1) * tau / 0.05 - 1);
    assert_claim("1.3a", "the backward difference", share, 1e-6, HOLDS);
    assert_claim("3.2.4", "static friction", 1e-4 * atanh(0.9), 1e-6, HOLDS);
    assert_claim("3.2.5", "F_K", 1, 1e-9, HOLDS);
    double mu = 60.0 * 5 / 65, extended = 1 + mu * 0.3048 * 0.3048 / 4.392;
    assert_claim("3.3.2", "the moment of inertia is constant", extended, 1e-9, FALSE);
    assert_claim("3.3.2", "an arm that extends", extended, 1e-9, HOLDS);
    assert_claim("3.3.2", "T = I alpha", 1, 1e-12, HOLDS);
    assert_claim("3.5.2", "resistance is", 2, 1e-9, FALSE);
    assert_claim("3.5.2", "the drop is", 2, 1e-9, HOLDS);
    assert_claim("3.5.2", "P = v i", 1, 1e-9, HOLDS);
    assert_claim("3.5.2", "electrons", 6.241509e18, 1e12, HOLDS);
    assert_claim("3.4", "energy of the Earth", 2.138e29, 3e26, HOLDS);
}

// Goal: section 7 against 3.4. Method: a fill time goes with the volume; CODATA; RoboSim's table
// has 10 A at 90 psig and 9 A at 120 psig.
static void the_air_is_counted_right(void **state)
{
    (void)state;
    assert_claim("7", "a tank holds half", 0.574, 1e-12, FALSE);
    assert_claim("7", "time to fill two half", 36.919900088, 5e-8, FALSE);
    assert_close(rig_claim("7", "time to fill two half").published, 36.919900088 * 0.5 / 0.574,
                 5e-8);
    assert_claim("3.4", "gas constant", 8.314462618, 1e-9, HOLDS);
    assert_claim("3.4", "P grows with n", 1, 1e-12, HOLDS);
    assert_claim("3.4, 7.2", "one gas", 8.314462618 / 8.31, 1e-9, NEARLY);
    assert_claim("7.2", "the higher", -1, 1e-9, FALSE);
    assert_int_equal(rig_claim("3.4", "unit of").verdict, IB_VERDICT_HOLDS);
}

// Goal: sections 5, 9 and 13.5. Method: Peukert's law at 1 A, 17.2 A h/(1/0.86)^0.19; a duty of a
// half; an open breaker; half way from 0 V to 12 V.
static void the_battery_and_its_commands_are_right(void **state)
{
    (void)state;
    assert_claim("5.2", "a 17 A h battery gives one amp", 17.2 / pow(1 / 0.86, 0.19), 3e-3, HOLDS);
    assert_claim("5.2", "Q falls", 100.0 / 3600, 1e-12, HOLDS);
    assert_claim("9b", "motors get", 0.5, 1e-12, HOLDS);
    assert_claim("9", "a tripped breaker", 0, 1e-12, HOLDS);
    assert_claim("13.5", "between points", 6, 1e-12, HOLDS);
}

// Goal: sections 10.3c, 10.4 and Figure 12. Method: the laws by hand: sliding friction does not
// know the speed, damping does; field acceleration from the motors' law at the claim's state.
static void the_bodys_motion_is_right(void **state)
{
    (void)state;
    assert_int_equal(rig_claim("10.3c", "unit of").verdict, IB_VERDICT_FALSE);
    assert_claim("10.3c", "kinetic friction", 1, 1e-6, FALSE);
    assert_close(rig_claim("10.3c", "kinetic friction").published, 2, 1e-9);
    // Omni: mu 0.9, and slip sideways counts 8 %, as does its force; traction: mu 1.
    double omni = 0.9 * 0.08 * tanh(0.08 / 0.1) / tanh(1 / 0.1);
    assert_claim("10.3", "side force is large", omni, 1e-9, HOLDS);
    assert_claim("10.3c", "arc", -1.0119485697, 1e-8, FALSE);
    assert_close(rig_claim("10.3c", "arc").published, -14.867303455, 1e-8);
    // Wheel speeds at V = (1.5, -0.4) m/s, heading 0.7, 0.8 rad/s; then the bus of reference B5.
    double s = sin(0.7), c = cos(0.7), u = 1.5 * c - 0.4 * s, across = -1.5 * s - 0.4 * c;
    double Rm = 12 / 131.227, Kt = 2.429 / 131.227, Ke = (12 - 2.7 * Rm) / (5310 * pi / 30);
    double per = 10.71 / 0.0762, el = Ke * per * (u - 0.8 * 0.3), er = Ke * per * (u + 0.8 * 0.3);
    double V = (12 - 0.012 * (0.5 - 2 * (el + 0.5 * er) / Rm)) / (1 + 0.012 * 2 * 1.25 / Rm);
    double left = (V - el) / Rm * Kt * 2 * per, right = (0.5 * V - er) / Rm * Kt * 2 * per;
    double ahead = left + right, side = -200 * across;
    assert_claim("10.4a", "acceleration", (ahead * c - side * s) / 60, 1e-9, HOLDS);
    assert_claim("10.4b", "acceleration", (ahead * s + side * c) / 60, 1e-9, HOLDS);
    assert_claim("10.4c", "yaw", (right - left) * 0.3 / 4.392, 1e-9, HOLDS);
    assert_claim("10.4d", "moment", 4.392, 1e-12, HOLDS);
    // The wheels roll at 5 s but for the creep of 1e-5 A.
    double rotors = 4 * 7.75e-5 * per * per;
    assert_claim("10.4", "the mass is all", 1 + rotors / 60, 1e-6, FALSE);
    assert_claim("Figure 12", "rate", 4.0373859548 / 0.3, 5e-10, FALSE);
    assert_close(rig_claim("Figure 12", "rate").published, 4.0373859548 / 0.38, 5e-9);
}

// Goal: section 12. Method: a robot of 60 kg meets a wall of 10 t with e = 0.5, flat, and with its
// corner at y = 0.4 sin 20 - 0.3 cos 20 beside the centre; impulses by hand, the same of the wall.
static void a_corner_turns_the_robot(void **state)
{
    (void)state;
    assert_claim("12", "a wall reverses", 1 - 1.5 * 10000 / 10060, 1e-9, HOLDS);
    double y = 0.4 * sin(pi / 9) - 0.3 * cos(pi / 9), I = 4.392, i = 10000.0 / 12 * (1 + 36);
    double j = 1.5 * 2 / (1 / 60.0 + 1 / 10000.0 + y * y * (1 / I + 1 / i));
    double v = 2 - j / 60, w = y * j / I;
    assert_claim("12", "one component", w, 1e-6, FALSE);
    assert_close(rig_claim("12", "one component").published, 0, 1e-12);
    assert_claim("12", "'some of the energy", (60 * v * v + I * w * w) / 2 / 120, 1e-6, HOLDS);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_arctangent_has_its_sign_and_order),
        cmocka_unit_test(the_primers_numbers_are_right),
        cmocka_unit_test(the_air_is_counted_right),
        cmocka_unit_test(the_battery_and_its_commands_are_right),
        cmocka_unit_test(the_bodys_motion_is_right),
        cmocka_unit_test(a_corner_turns_the_robot),
    };
    return cmocka_run_group_tests(tests, compute, rig_forget);
}
