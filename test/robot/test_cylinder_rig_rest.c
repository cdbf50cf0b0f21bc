// test/robot/test_cylinder_rig_rest.c: where the cylinder rig comes to rest: held by its friction,
// and against its stops.
#include "robot/cylinder_stand.h"

#define LBF 4.4482216152605 // [N]

static Stand stand;

// ---------------------------------------------------------------------------------- friction, rest

// A rig with closed ports in mid-stroke, its rod down, both pressures in balance but for `excess`
// newtons more on the rod's side, walls that keep the temperature: it would stay there for ever.
static void begin_shut(double duration, double excess)
{
    stand_default(&stand, duration);
    stand_set(&stand, "valve.law", "spool");
    stand_set(&stand, "valve.lap", "-1 V");
    stand_set(&stand, "heat.law", "isothermal");
    stand_set(&stand, "position", "22 mm");
    const ib_CylinderConfig *cylinder = &stand.whole.rig.cylinder;
    double cap = 3e5, shaft = 7.125573924809e-05, weight = stand.whole.rig.piston.mass * 9.81;
    double rod = (cap * 5.607752400749e-04 - cylinder->atmosphere * shaft + weight + excess) /
                 4.895195008268e-04;
    stand.whole.rig.pressure[IB_SIDE_CAP] = cap;
    stand.whole.rig.pressure[IB_SIDE_ROD] = rod;
    stand_hold(&stand, 5.25);
}

// Goal: a loaded piston stays put with LuGre. Method: 8 N, below the 20 N of F_S, for 60 s between
// two closed chambers. The bristles give way at once, by -g/sigma_0 ln(1 - F/g) = 102 um where they
// only bend (z' = v (1 - sigma_0 z/g), g = F_S) less what the air takes, and then, from 1 s to 60
// s, by less than 1 um. The weight of the rod acts as well.
static void lugre_holds_a_loaded_piston(void **unused)
{
    static const double at[] = {1, -1};
    (void)unused;
    begin_shut(60, -8);
    stand_set(&stand, "friction.law", "lugre");
    stand.at = at;
    stand_run(&stand);
    double first = stand_row(&stand, 0, "cylinder.position");
    assert_true(fabs(first - 0.022) < 110e-6);
    assert_close(stand_end(&stand, "cylinder.position"), first, 1e-6);
    stand_stop(&stand);
}

// Goal: laws with a true stiction stand, to the bit. Method: the same with Coulomb's laws, at 12 N
// (F_C is 13.3 N) and at 19 N (F_S is 20 N).
static void coulomb_sticks_exactly(void **unused)
{
    static const struct {
        const char *law;
        double force;
    } rows[] = {{"coulomb", 12}, {"coulomb_viscous", 19}, {"coulomb", -12}};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        begin_shut(10, -rows[i].force);
        stand_set(&stand, "friction.law", rows[i].law);
        stand_run(&stand);
        assert_close(stand_end(&stand, "cylinder.position"), 0.022, 1e-14);
        assert_close(stand_end(&stand, "cylinder.velocity"), 0, 1e-14);
        assert_close(stand_end(&stand, "cylinder.friction"), rows[i].force, 1e-6);
        stand_stop(&stand);
    }
}

// Goal: the thesis's law creeps, with the speed that its slope at rest gives. Method: near rest F =
// F_S k_tanh v + C_V v = c v, so that v = F/c; 1 N, after 5 ms, when the chambers push back by 5 %,
// k x. That makes v decay by k/c, which the mass takes m k/c of: v = (F - k x)/(c - m k/c), 0.1 %,
// for k is that of the start and e^(-c t/m) is gone.
static void tanh_creeps_as_predicted(void **unused)
{
    (void)unused;
    begin_shut(0.005, -1);
    stand_run(&stand);
    double v = stand_end(&stand, "cylinder.velocity"), slope = LBF * (4.5 * 40 + 0.5);
    double rod = stand.whole.rig.pressure[IB_SIDE_ROD] * 4.895195008268e-04;
    double spring = 3e5 * 5.607752400749e-04 / 0.034 + rod / 0.04045;
    double moved = stand_end(&stand, "cylinder.position") - 0.022;
    assert_close(v, (1 - spring * moved) / (slope - 0.2 * spring / slope), 0.001 / slope);
    assert_true(moved > 3e-6);
    stand_stop(&stand);
}

// Goal: side load and ends count. Method: a piston held by Coulomb friction withstands f(x) (F_C +
// mu N): with mu 0.2 and 50 N across, 10 N more; at the very end twice as much with ends.cap 2, on
// 10 mm. A force just below holds, just above it does not.
static void side_load_and_ends_hold_more(void **unused)
{
    static const struct {
        const char *side, *end;
        double holds;
    } rows[] = {{"0 N", "1", 3 * LBF}, {"50 N", "1", 3 * LBF + 10}, {"50 N", "2", 6 * LBF + 20}};
    (void)unused;
    for (int i = 0; i < 6; i++) {
        double force = rows[i / 2].holds + (i % 2 ? 0.01 : -0.01);
        begin_shut(0.1, force);
        stand_set(&stand, "friction.law", "coulomb");
        stand_set(&stand, "friction.side_coefficient", "0.2");
        stand_set(&stand, "side_load", rows[i / 2].side);
        stand_set(&stand, "friction.ends.cap", rows[i / 2].end);
        stand_set(&stand, "friction.end_zone", "10 mm");
        if (i / 2 == 2) {
            // At 1 um from the end the factor is 2 - 3e-8.
            stand_set(&stand, "position", "1 um");
        }
        stand_run(&stand);
        double moved = fabs(stand_end(&stand, "cylinder.position") - stand.whole.rig.position);
        if (i % 2)
            assert_true(moved > 1e-8);
        else
            assert_close(moved, 0, 1e-14);
        stand_stop(&stand);
    }
}

// ------------------------------------------------------------------------------------------- stops

// Goal: a rigid stop turns a part of the speed round. Method: a mass thrown at the retracted stop
// with 2 m/s from 1 mm, restitution 0.5, without friction, both chambers at one atmosphere: v
// becomes half of what it was, 3/4 of m v^2/2 are lost.
static void rigid_stop_bounces(void **unused)
{
    (void)unused;
    stand_default(&stand, 0.001);
    stand_set(&stand, "friction.law", "none");
    stand_set(&stand, "mass", "10 kg");
    stand_set(&stand, "orientation", "0 deg");
    stand_set(&stand, "stops.restitution", "0.5");
    stand_set(&stand, "position", "1 mm");
    stand_set(&stand, "velocity", "-2 m/s");
    stand_set(&stand, "cap.pressure", "101352.972 Pa");
    stand_set(&stand, "rod.pressure", "101352.972 Pa");
    stand_hold(&stand, 5.25);
    stand_run(&stand);
    // The air gives at most 1e4 Pa 5e-4 m^2/10 kg in a millisecond: 0.5 mm/s.
    assert_close(stand_end(&stand, "cylinder.velocity"), 1, 1e-3);
    assert_close(stand_end(&stand, "energy.stop"), 0.75 * 0.5 * 10 * 4, 0.03);
    stand_stop(&stand);
}

// Goal: a light piston that is pressed hard against a stop comes to rest there. Method: 2 g under
// 1.9 kN, 9.5e5 m/s^2, leaps by v^2/2a = 0.5 pm at 1 mm/s, which is less than the slack with which
// the stop is located: bounces of 0.69 that fall through it would go on for ever, one every 3 ns,
// 3e6 in a hundredth of a second. Those of more than 1 nm, from 0.8 m/s down to 44 mm/s, are eight.
static void hard_pressed_piston_stops_bouncing(void **unused)
{
    (void)unused;
    stand_default(&stand, 0.01);
    stand_set(&stand, "mass", "2 g");
    stand_set(&stand, "bore", "60 mm");
    stand_set(&stand, "friction.law", "coulomb");
    stand_set(&stand, "stops.restitution", "0.69");
    stand_set(&stand, "supply.pressure", "800 kPa");
    stand_set(&stand, "position", "0 mm");
    stand_set(&stand, "velocity", "0.8 m/s");
    stand_set(&stand, "cap.pressure", "101352.972 Pa");
    stand_set(&stand, "rod.pressure", "800 kPa");
    stand_solver(&stand, IB_RK4, 1e-6, 1e-5);
    stand_hold(&stand, 0);
    stand_run(&stand);
    assert_close(stand_end(&stand, "cylinder.position"), 0, 1e-11);
    assert_close(stand_end(&stand, "cylinder.velocity"), 0, 1e-14);
    assert_close(stand_end(&stand, "energy.stop"), 0.5 * 0.002 * 0.64, 1e-4);
    assert_true(ib_sim_solver_counts(stand.sim).evaluations < 100000);
    stand_stop(&stand);
}

// Goal: a compliant stop becomes the rigid one as it is made stiffer. Method: the fast step; where
// its piston rests against the stop, F/k beyond it (191.3 N, A1's net force at +1.25 V), and the
// pressures there those of the rigid one.
static void compliant_stop_tends_to_the_rigid_one(void **unused)
{
    static const char *const stiffnesses[] = {"1e5 N/m", "1e6 N/m", "1e7 N/m"};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        stand_published(&stand, 1.25, 6.5);
        stand_set(&stand, "stops.law", "compliant");
        stand_set(&stand, "stops.stiffness", stiffnesses[i]);
        stand_run(&stand);
        double beyond = stand_end(&stand, "cylinder.position") - 0.04445;
        assert_close(beyond * stand.whole.rig.piston.stop_stiffness, 191.3057, 0.1);
        assert_close(stand_end(&stand, "cap.pressure"), 445133.06, 20);
        stand_stop(&stand);
    }
}

// Goal: the default's book of a bounce closes. Method: a piston without friction that 838 kPa throw
// at a compliant stop with 5.3 J, 200 g, 50 g and 10 g, and that comes to rest. A step is made
// again until its speed is off by no more than 1e-4 of itself: 2e-4 of 5.3 J, 1e-3 J. (Steps of 0.4
// rad of the stop's swing, and no look at their error, made 0.27 to 0.53 J.)
static void the_book_of_a_bounce_closes(void **unused)
{
    (void)unused;
    static const char *const masses[] = {"200 g", "50 g", "10 g"};
    for (int i = 0; i < 3; i++) {
        stand_default(&stand, 0.4);
        stand_set(&stand, "mass", masses[i]);
        stand_set(&stand, "friction.law", "none");
        stand_set(&stand, "stops.law", "compliant");
        stand_set(&stand, "position", "20 mm");
        stand_set(&stand, "cap.pressure", "838 kPa");
        stand_set(&stand, "rod.pressure", "101 kPa");
        stand_solver(&stand, IB_STIFF, 1e-6, 1e-3);
        stand_input(&stand, IB_RIG_VALVE, false, (Knot[]){{0, 6.266}, {0.2, 0}}, 2);
        stand_run(&stand);
        assert_true(stand_end(&stand, "energy.stop") > 5); // it was thrown, and stopped
        assert_close(stand_end(&stand, "energy.error"), 0, 1e-3);
        stand_stop(&stand);
    }
}

// Goal: a compliant stop that is too weak ends where it is pressed flat, half of the dead length
// beyond. Method: 1000 N/m against 193 N would give 193 mm; 9 mm of 18 mm are left, and it lets go
// when the valve turns.
static void weak_stop_is_pressed_flat(void **unused)
{
    static const double at[] = {1.5, -1};
    (void)unused;
    stand_default(&stand, 2.5);
    stand_set(&stand, "stops.law", "compliant");
    stand_set(&stand, "stops.stiffness", "1000 N/m");
    stand_input(&stand, IB_RIG_VALVE, false, (Knot[]){{0, 10}, {1.5, 0}}, 2);
    stand.at = at;
    stand_run(&stand);
    assert_close(stand_row(&stand, 0, "cylinder.position"), 0.04445 + 0.009, 1e-12);
    assert_close(stand_row(&stand, 0, "cylinder.velocity"), 0, 1e-14);
    assert_close(stand_end(&stand, "cylinder.position"), -0.006, 1e-12);
    assert_close(stand_end(&stand, "energy.error"), 0, 1e-5);
    stand_stop(&stand);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lugre_holds_a_loaded_piston),
        cmocka_unit_test(coulomb_sticks_exactly),
        cmocka_unit_test(tanh_creeps_as_predicted),
        cmocka_unit_test(side_load_and_ends_hold_more),
        cmocka_unit_test(rigid_stop_bounces),
        cmocka_unit_test(hard_pressed_piston_stops_bouncing),
        ib_plain_test(compliant_stop_tends_to_the_rigid_one),
        cmocka_unit_test(the_book_of_a_bounce_closes),
        cmocka_unit_test(weak_stop_is_pressed_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
