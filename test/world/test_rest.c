// Claims about src/world/rest.c: contacts that rest, in a small simulation around them.
#include "base/maths.h"
#include "cmocka_all.h"
#include "rig.h"

static const double mass = 60, inertia = 4.392;

static ib_BodyConfig box(double length, double width)
{
    return (ib_BodyConfig){
        .shape = ib_shape_box(length, width), .restitution = 0.5, .friction = 0.5};
}

// Four walls around x, y = 0 .. 10.
static void set_up(Rig *rig, const ib_BodyConfig *bodies, int count, double friction)
{
    ib_FieldConfig field = ib_field_default();
    ib_field_rectangle(&field, 0, 0, 10, 10);
    field.friction = friction;
    rig_init(rig, &field, bodies, count);
    for (int i = 0; i < count; i++) rig_mass(rig, i, mass, inertia);
}

static void put(Rig *rig, int body, double x, double y, double heading)
{
    rig->state[6 * body] = x;
    rig->state[6 * body + 1] = y;
    rig->state[6 * body + 2] = heading;
}

static void run(Rig *rig, double seconds, double h)
{
    for (int i = 0; i < (int)rint(seconds / h); i++) assert_true(rig_step(rig, h));
}

static double speed(const Rig *rig)
{
    double sum = 0;
    for (int i = 0; i < rig->world->body_count; i++)
        for (int k = 3; k < 6; k++) sum += fabs(rig->state[6 * i + k]);
    return sum;
}

// Goal: a robot pressed flat against a wall stands still. Method: 600 N for 10 s from touching, at
// 1 ms and at 50 ms steps; it moves less than 1e-9 m, without a hit after the first.
static void pressed_against_a_wall_it_stands_still(void **state)
{
    (void)state;
    for (int coarse = 0; coarse < 2; coarse++) {
        ib_BodyConfig robot = box(0.8, 0.6);
        Rig rig;
        set_up(&rig, &robot, 1, 0.5);
        put(&rig, 0, 9.6, 5, 0);
        rig.push[0].x = 600;
        run(&rig, 10, coarse ? 0.05 : 0.001);
        assert_close(rig.state[0], 9.6, 1e-9);
        assert_close(rig.state[1], 5, 1e-12);
        assert_close(rig.state[2], 0, 1e-12);
        assert_true(speed(&rig) < 1e-12);
        assert_true(rig.hits <= 2);
        rig_end(&rig);
    }
}

// Goal: a robot that drives into a wall bounces ever lower and comes to rest there, whatever its
// heading. Method: from 1 m at several headings under 300 N; after 5 s it lies flat or on a corner,
// still, and never was deeper than 10 um.
static void driven_into_a_wall_it_comes_to_rest(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        ib_BodyConfig robot = box(0.8, 0.6);
        Rig rig;
        set_up(&rig, &robot, 1, 0.5);
        put(&rig, 0, 8.5, 5, 0.3 * i);
        rig.push[0].x = 300;
        rig.drag[0] = (ib_Push){20, 200, 20};
        run(&rig, 8, 0.001);
        assert_true(speed(&rig) < 1e-6);
        assert_true(rig.deepest > -1e-5);
        assert_true(rig.hits < 200);
        // Flat: the heading is a quarter turn's multiple, by the shorter way.
        double quarter = rig.state[2] / (M_PI / 2);
        assert_close(quarter - rint(quarter), 0, 1e-5);
        rig_end(&rig);
    }
}

// Goal: pressed into a corner it stands still, with four contacts for three freedoms. Method:
// pushed along both axes and turned; 10 s.
static void pressed_into_a_corner_it_stands_still(void **state)
{
    (void)state;
    ib_BodyConfig robot = box(0.8, 0.6);
    Rig rig;
    set_up(&rig, &robot, 1, 0.5);
    put(&rig, 0, 9.6, 9.7, 0);
    rig.push[0] = (ib_Push){500, 400, 30};
    run(&rig, 10, 0.001);
    assert_close(rig.state[0], 9.6, 1e-9);
    assert_close(rig.state[1], 9.7, 1e-9);
    assert_close(rig.state[2], 0, 1e-9);
    assert_true(speed(&rig) < 1e-12);
    assert_int_equal(rig.rests.count, 2);
    rig_end(&rig);
}

// Goal: a robot presses a box 1000 times lighter, or heavier, against the wall and all stands
// still. Method: robot, box, wall in a row; the wall takes the whole force.
static void box_between_robot_and_wall_stands_still(void **state)
{
    (void)state;
    for (int heavy = 0; heavy < 2; heavy++) {
        ib_BodyConfig bodies[2] = {box(0.8, 0.6), box(0.3, 0.3)};
        Rig rig;
        set_up(&rig, bodies, 2, 0.5);
        rig_mass(&rig, 1, heavy ? 60000 : 0.06, heavy ? 900 : 0.0009);
        put(&rig, 0, 9.3, 5, 0);
        put(&rig, 1, 9.85, 5.1, 0);
        rig.push[0].x = 500;
        run(&rig, 5, 0.001);
        // What has sunk in by less than 1e-8 m stays as it is.
        assert_close(rig.state[0], 9.3, 1e-8);
        assert_close(rig.state[6], 9.85, 1e-8);
        assert_close(rig.state[8], 0, 1e-7);
        assert_true(speed(&rig) < 1e-9);
        rig_end(&rig);
    }
}

// Goal: driving away separates at once, with no pull. Method: from rest at the wall 60 N away:
// x = x0 - a t^2/2.
static void driving_away_is_free(void **state)
{
    (void)state;
    ib_BodyConfig robot = box(0.8, 0.6);
    Rig rig;
    set_up(&rig, &robot, 1, 0.5);
    put(&rig, 0, 9.6, 5, 0);
    rig.push[0].x = 600;
    run(&rig, 1, 0.001);
    rig.push[0].x = -60;
    run(&rig, 1, 0.001);
    assert_close(rig.state[0], 9.6 - 0.5, 1e-9);
    assert_int_equal(rig.rests.count, 0);
    rig_end(&rig);
}

// Goal: sliding along a wall slows down by mu times the pressing force. Method: vy = v0 - mu F/m t
// while it is far above 1 cm/s, where friction is full to 1e-8; the robot is a disc that cannot
// turn, so that nothing else happens.
static void sliding_along_a_wall_slows_by_friction(void **state)
{
    (void)state;
    ib_BodyConfig robot = box(0, 0);
    robot.shape = ib_shape_disc(0.4);
    Rig rig;
    set_up(&rig, &robot, 1, 0.32); // sqrt(0.5 * 0.32) = 0.4
    rig.inverse_mass[8] = 0;
    put(&rig, 0, 9.6, 1, 0);
    rig.push[0].x = 300;
    rig.state[4] = 4;
    run(&rig, 1, 0.001);
    double slows = 0.4 * 300 / mass;
    assert_close(rig.state[4], 4 - slows, 1e-7);
    assert_close(rig.state[1], 1 + 4 - slows / 2, 1e-7);
    assert_close(rig.state[0], 9.6, 1e-9);
    run(&rig, 3, 0.001);
    assert_close(rig.state[4], 0, 1e-6);
    rig_end(&rig);
}

// Goal: a robot that pivots about the corner it rests on keeps its energy but for what friction and
// hits take. Method: a corner slides on a wall without friction; constant push: kinetic energy =
// work of the push - losses in hits and what resting took. A body that has sunk in is shifted out,
// at most 1e-7 m against 300 N and mostly 1e-8 m: with twenty hits, below 1e-4 J of 90 J.
static void energy_of_a_leaning_robot_balances(void **state)
{
    (void)state;
    ib_BodyConfig robot = box(0.8, 0.6);
    Rig rig;
    set_up(&rig, &robot, 1, 0);
    put(&rig, 0, 9.3, 5, 0.4);
    rig.push[0].x = 300;
    for (int i = 0; i < 3000; i++) {
        assert_true(rig_step(&rig, 0.001));
        const double *s = rig.state;
        double kinetic = mass / 2 * (s[3] * s[3] + s[4] * s[4]) + inertia / 2 * s[5] * s[5];
        double work = 300 * (s[0] - 9.3);
        assert_close(kinetic + rig.lost + rig.taken, work, 1e-4);
    }
    assert_true(rig.deepest > -2e-6);
    rig_end(&rig);
}

// Goal: a gate that closes on a robot pushes it along. Method: 0.3 m/s for 2 s against
// friction-like drag; the robot ends at the gate's speed and touches it.
static void moving_gate_pushes_a_robot_along(void **state)
{
    (void)state;
    static const ib_Time times[] = {0, IB_SECOND};
    static const double values[] = {0, 0.3};
    ib_FieldConfig field = ib_field_default();
    ib_BodyConfig robot = box(0.8, 0.6);
    Rig rig;
    field.element_count = 1;
    field.elements[0] = ib_element_default(&field);
    field.elements[0].length = 0.2;
    field.elements[0].move[IB_TRACK_X] = (ib_FieldTrack){2, times, values};
    rig_init(&rig, &field, &robot, 1);
    rig_mass(&rig, 0, mass, inertia);
    put(&rig, 0, 0.6, 0, 0);
    rig.movers[0].vx = 0.3;
    rig.drag[0].x = 200;
    run(&rig, 3, 0.001);
    assert_close(rig.state[0], 0.9 + 0.5, 1e-6);
    assert_close(rig.state[3], 0.3, 1e-6);
    rig_end(&rig);
}

// Goal: a robot that cannot move sideways rests against a wall ahead. Method: the inverse mass of a
// rolling robot at heading 0: forward and turn only.
static void rolling_robot_rests_too(void **state)
{
    (void)state;
    ib_BodyConfig robot = box(0.8, 0.6);
    Rig rig;
    set_up(&rig, &robot, 1, 0.5);
    rig.inverse_mass[4] = 0;
    put(&rig, 0, 9.6, 5, 0);
    rig.push[0] = (ib_Push){600, 100, 20};
    run(&rig, 5, 0.001);
    assert_close(rig.state[0], 9.6, 1e-9);
    assert_close(rig.state[2], 0, 1e-9);
    rig_end(&rig);
}

// Goal: a friction on which the motion does not depend is 0. Method: robots that cannot slip
// sideways, pressed head-on against a wall, and one against another;
// sideways their axles would bear anything.
static void friction_that_moves_nothing_is_none(void **state)
{
    (void)state;
    for (int count = 1; count <= 2; count++) {
        ib_BodyConfig robots[2] = {box(0.8, 0.6), box(0.8, 0.6)};
        ib_Push free[2] = {{10, 0, 0}, {5, 0, 0}}, forces[2];
        Rig rig;
        set_up(&rig, robots, count, 0.5);
        for (int i = 0; i < count; i++) {
            rig.inverse_mass[9 * i + 4] = 0;
            put(&rig, i, 9.6 - 0.8 * i, 5 + 0.1 * i, 0);
        }
        ib_BodyState bodies[RIG_BODIES];
        rig_bodies(rig.state, count, bodies);
        for (int i = 0; i < rig.world->pair_count; i++)
            if (ib_world_gap(rig.world, i, bodies, NULL) < 1e-6)
                rig.rests.items[rig.rests.count++] = (ib_Rest){.pair = i};
        rig_settle(&rig);
        rig_rest(&rig, bodies, NULL, free, forces);
        for (int i = 0; i < count; i++) {
            assert_close(forces[i].x, -mass * free[i].x, 1e-9); // N
            assert_close(forces[i].y, 0, 1e-9);
            assert_close(forces[i].turn, 0, 1e-9);
        }
        rig_end(&rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressed_against_a_wall_it_stands_still),
        cmocka_unit_test(driven_into_a_wall_it_comes_to_rest),
        cmocka_unit_test(pressed_into_a_corner_it_stands_still),
        cmocka_unit_test(box_between_robot_and_wall_stands_still),
        cmocka_unit_test(driving_away_is_free),
        cmocka_unit_test(sliding_along_a_wall_slows_by_friction),
        cmocka_unit_test(energy_of_a_leaning_robot_balances),
        cmocka_unit_test(moving_gate_pushes_a_robot_along),
        cmocka_unit_test(rolling_robot_rests_too),
        cmocka_unit_test(friction_that_moves_nothing_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
