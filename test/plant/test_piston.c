// test/plant/test_piston.c: a mass on a rod between two stops. What it does behind air is held in
// test/robot/test_cylinder_rig*.c and test_air_cylinder.c.
#include "plant/air/piston.h"

#include "cmocka_all.h"

// 2 kg on a stroke of 100 mm with 10 mm of chamber left behind each end.
static ib_PistonModel make(int law, int stops, double restitution)
{
    ib_PistonConfig config = {.mass = 2,
                              .stops = stops,
                              .restitution = restitution,
                              .stop_stiffness = 1e5,
                              .stop_damping = 2,
                              .friction = ib_friction_default()};
    ib_PistonModel piston;
    config.friction.law = law;
    config.friction.static_force = 15;
    config.friction.coulomb_extend = 10;
    config.friction.viscous = 20;
    ib_piston_init(&config, 0.1, (double[]){0.01, 0.01}, &piston);
    return piston;
}

static double margin(const ib_PistonModel *piston, const ib_PistonState *state, double net)
{
    double margins[IB_PISTON_MARGINS];
    ib_piston_margins(piston, state, net, margins);
    return fmin(margins[IB_PISTON_MARGIN_STOP], margins[IB_PISTON_MARGIN_STICK]);
}

// Goal: the acceleration by hand, sliding and in a stop that yields. Method: (100 - 10 - 20 0.5)/2;
// 2 mm into a spring of 1e5 N/m at 0.5 m/s, 200 N (1 + 2 0.5) more against it. 1e-12: rounding.
static void acceleration_is_that_by_hand(void **state)
{
    (void)state;
    ib_PistonModel rigid = make(IB_FRICTION_COULOMB_VISCOUS, IB_STOPS_RIGID, 0);
    ib_PistonState s = {0.05, 0.5, 0, IB_PISTON_FORTH};
    assert_close(ib_piston_now(&rigid, &s, 100).acceleration, 40, 1e-12);
    ib_PistonModel soft = make(IB_FRICTION_COULOMB_VISCOUS, IB_STOPS_COMPLIANT, 0);
    s.x = 0.102;
    assert_close(ib_piston_now(&soft, &s, 100).acceleration, 40 - 400 / 2.0, 1e-9);
    assert_close(ib_piston_now(&soft, &s, 100).stop, -400, 1e-9);
}

// Goal: a stop takes what its restitution does not give back, and the energy says so. Method: 3 m/s
// into the extended end, 2 kg v^2/2 (1 - e^2) by hand; a slow one stays, and the stop holds it.
static void stop_takes_its_share_of_the_speed(void **state)
{
    static const double e[] = {0, 0.5};
    (void)state;
    for (int i = 0; i < 2; i++) {
        ib_PistonModel piston = make(IB_FRICTION_VISCOUS, IB_STOPS_RIGID, e[i]);
        ib_PistonState s = {0.1 + 2e-12, 3, 0, IB_PISTON_FORTH};
        double lost = 0;
        assert_true(margin(&piston, &s, 50) < 0);
        assert_true(ib_piston_settle(&piston, 50, &s, &lost));
        assert_close(s.x, 0.1, 0);
        assert_close(s.v, -3 * e[i], 0);
        assert_close(lost, 9 * (1 - e[i] * e[i]), 1e-12);
        assert_int_equal(s.mode, i ? IB_PISTON_BACK : IB_PISTON_HIGH);
        assert_true(margin(&piston, &s, 50) > 0);
        assert_true(!ib_piston_settle(&piston, 50, &s, &lost));
    }
}

// Goal: a stop holds as long as it is pressed. Method: at the retracted end under 1 N inwards, then
// outwards; force of the stop by hand.
static void stop_lets_go_when_the_force_turns(void **state)
{
    (void)state;
    ib_PistonModel piston = make(IB_FRICTION_VISCOUS, IB_STOPS_RIGID, 0);
    ib_PistonState s = {0, 0, 0, IB_PISTON_LOW};
    double lost = 0;
    assert_close(ib_piston_now(&piston, &s, -1).stop, 1, 0);
    assert_true(!ib_piston_settle(&piston, -1, &s, &lost));
    assert_true(ib_piston_settle(&piston, 1, &s, &lost));
    assert_int_equal(s.mode, IB_PISTON_FORTH);
    assert_close(lost, 0, 0);
}

// Goal: stiction. Method: what comes to rest under 14 N of 15 N stays, and is held by as much;
// under 16 N it goes on that way; what is stuck breaks away beyond 15 N, either way.
static void stuck_piston_holds_its_static_force(void **state)
{
    (void)state;
    ib_PistonModel piston = make(IB_FRICTION_COULOMB_VISCOUS, IB_STOPS_RIGID, 0);
    for (int way = -1; way < 2; way += 2) {
        ib_PistonState s = {0.05, -2e-12, 0, IB_PISTON_FORTH};
        double lost = 0;
        assert_true(ib_piston_settle(&piston, 14 * way, &s, &lost));
        assert_int_equal(s.mode, IB_PISTON_STUCK);
        assert_close(ib_piston_now(&piston, &s, 14 * way).friction, 14 * way, 0);
        assert_true(!ib_piston_settle(&piston, 14.9 * way, &s, &lost));
        assert_true(ib_piston_settle(&piston, 15.1 * way, &s, &lost));
        assert_int_equal(s.mode, way);
        s = (ib_PistonState){0.05, -2e-12, 0, IB_PISTON_FORTH};
        assert_true(ib_piston_settle(&piston, 16 * way, &s, &lost));
        assert_int_equal(s.mode, way);
    }
}

// Goal: one that is held stays, whatever pushes. Method: locked in its middle and at an end.
static void held_piston_stays(void **state)
{
    (void)state;
    ib_PistonModel piston = make(IB_FRICTION_VISCOUS, IB_STOPS_RIGID, 0);
    piston.locked = true;
    for (int end = 0; end < 2; end++) {
        ib_PistonState s = {end ? 0.1 : 0.05, 0, 0, IB_PISTON_FORTH};
        double lost = 0;
        assert_true(!ib_piston_settle(&piston, 1e4, &s, &lost));
        assert_close(ib_piston_now(&piston, &s, 1e4).acceleration, 0, 0);
        assert_close(ib_piston_now(&piston, &s, 1e4).stop, -1e4, 0);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acceleration_is_that_by_hand),
        cmocka_unit_test(stop_takes_its_share_of_the_speed),
        cmocka_unit_test(stop_lets_go_when_the_force_turns),
        cmocka_unit_test(stuck_piston_holds_its_static_force),
        cmocka_unit_test(held_piston_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
