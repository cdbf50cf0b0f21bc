// A body with masses off its middle, on floors that are level or tilted: docs/plant/body.md.
#include "cmocka_all.h"
#include "robot/box.h"
#include "robot/equipment_rig.h"
#include "robot/parts.h"

static const double g0 = 9.80665, deg = 0.017453292519943295;

static Rig rig;

// A box of 10 kg and 0.6 kg m^2 on ice.
static void ice(double duration)
{
    rig_default(&rig, &ib_box_kind, duration);
    rig_set(&rig, "mass", "10 kg");
    rig_set(&rig, "mu", "0");
    rig_set(&rig, "length", "0.6 m");
    rig_set(&rig, "width", "0.6 m");
}

static void tilt(const ib_Disturbance *all, int count)
{
    rig.sim_config.disturbances = all;
    rig.sim_config.disturbance_count = count;
}

static double rate_of(const char *signal)
{
    return (rig_row(&rig, 1, signal) - rig_row(&rig, 0, signal)) / 1e-6;
}

// Goal: a push at the middle turns a box with a turret at its front, and the turret's own inertia
// has no part in it. Method: two bodies by hand, mu = 5 kg: w' = -0.5 0.25 10/(0.6 + 5/16), for two
// inertias of the turret; its middle goes with 10/20 + w' 0.125 the other way. 1e-6 in 1 us.
static void push_at_the_middle_turns_it(void **unused)
{
    (void)unused;
    static const char *const turrets[] = {"mass: 10 kg; place.x: 25 cm",
                                          "mass: 10 kg; place.x: 25 cm; inertia: 7 kg*m^2"};
    for (int i = 0; i < 2; i++) {
        ice(1e-6);
        rig_add(&rig, "t", "turret", turrets[i]);
        const ib_Disturbance push = {.type = IB_DISTURBANCE_FORCE,
                                     .robot = -1,
                                     .until = IB_SECOND,
                                     .size = 10,
                                     .direction = 90 * deg};
        tilt(&push, 1);
        rig_run(&rig, 1e-6);
        double turns = -0.5 * 0.25 * 10 / (0.6 + 5 * 0.0625);
        assert_close(rate_of("velocity.heading"), turns, 1e-6);
        assert_close(rate_of("velocity.y"), 10.0 / 20 - turns * 0.125, 1e-6);
        rig_stop(&rig);
    }
}

// Goal: a robot that folds an arm turns faster, as its angular momentum asks, and both books close.
// Method: an arm of 4 kg and 50 cm coasts on ice; about the common centre of mass the box's 0.6 kg
// m^2 and the reduced mass 40/14 kg at x = l cos th: w (I + mu x^2) stays, to the solver's 1e-9.
static void folding_an_arm_turns_it_faster(void **unused)
{
    (void)unused;
    ice(0.5);
    rig_set(&rig, "velocity.heading", "3 rad/s");
    rig_add(&rig, "arm", "single_arm",
            "neutral: coast; loss: none; mass: 4 kg; center: 50 cm; position: 0 rad");
    rig_run(&rig, 0.01);
    double most = 0;
    for (int i = 0; i < rig.rows.count; i++) {
        double x = 0.5 * cos(rig_row(&rig, i, "arm.position"));
        double w = rig_row(&rig, i, "velocity.heading");
        assert_close(w * (0.6 + 40.0 / 14 * x * x), 3 * (0.6 + 40.0 / 14 * 0.25), 1e-9);
        most = fmax(most, w);
    }
    assert_true(most > 5);
    assert_true(rig_size(&rig, "energy.error") < 1e-8);
    assert_true(rig_size(&rig, "arm.energy.error") < 1e-8);
    rig_stop(&rig);
}

// Goal: mirrored robots do the mirrored thing, turned ones the turned thing. Method: a sliding box
// with a turret and an elevator on a slope, again with y, headings and turns of the other sign, and
// by 1 rad to the left, floor included; 1e-9 of positions of a metre.
static void mirrored_and_turned_robots_do_the_same(void **unused)
{
    (void)unused;
    double end[3][3];
    for (int i = 0; i < 3; i++) {
        double sign = i == 1 ? -1 : 1, turn = i == 2 ? 1 : 0;
        char text[3][100], place[2][100];
        rig_default(&rig, &ib_box_kind, 0.4);
        rig_set(&rig, "mass", "10 kg");
        rig_set(&rig, "mu", "0.4");
        snprintf(text[0], sizeof text[0], "%.17g rad", sign * 0.3 + turn);
        snprintf(text[1], sizeof text[1], "%.17g m/s", 1.5 * cos(sign * 0.7 + turn));
        snprintf(text[2], sizeof text[2], "%.17g m/s", 1.5 * sin(sign * 0.7 + turn));
        rig_set(&rig, "heading", text[0]);
        rig_set(&rig, "velocity.x", text[1]);
        rig_set(&rig, "velocity.y", text[2]);
        rig_set(&rig, "velocity.heading", sign > 0 ? "2 rad/s" : "-2 rad/s");
        snprintf(place[0], sizeof place[0],
                 "mass: 3 kg; place.x: 8 cm; place.y: %g cm; place.z: 2 cm", sign * 5);
        snprintf(place[1], sizeof place[1], "mass: 2 kg; place.x: -5 cm; place.y: %g cm", sign * 7);
        rig_add(&rig, "t", "turret", place[0]);
        rig_add(&rig, "lift", "elevator", place[1]);
        const ib_Disturbance floor = {.type = IB_DISTURBANCE_TILT,
                                      .robot = -1,
                                      .until = IB_SECOND,
                                      .size = 25 * deg,
                                      .direction = sign * 2.1 + turn};
        tilt(&floor, 1);
        rig_run(&rig, 0.4);
        end[i][0] = rig_end(&rig, "pose.x");
        end[i][1] = rig_end(&rig, "pose.y");
        end[i][2] = rig_end(&rig, "pose.heading");
        assert_true(rig_size(&rig, "energy.error") < 1e-8);
        assert_true(rig_end(&rig, "lifted") < 0.5);
        rig_stop(&rig);
    }
    assert_close(end[1][0], end[0][0], 1e-9);
    assert_close(end[1][1], -end[0][1], 1e-9);
    assert_close(end[1][2], -end[0][2], 1e-9);
    assert_close(end[2][0], end[0][0] * cos(1) - end[0][1] * sin(1), 1e-9);
    assert_close(end[2][1], end[0][0] * sin(1) + end[0][1] * cos(1), 1e-9);
    assert_close(end[2][2], end[0][2] + 1, 1e-9);
    assert_true(fabs(end[0][2] - 0.3) > 0.1);
}

// Goal: a floor that tilts while an arm and a lift move changes no book of energy. Method: 20
// degrees from 0.1 s on, 35 more aside from 0.2 s to 0.35 s; 1e-8 J of some joules.
static void books_close_while_the_floor_tilts(void **unused)
{
    (void)unused;
    static const ib_Disturbance floors[] = {
        {.type = IB_DISTURBANCE_TILT,
         .robot = -1,
         .at = IB_SECOND / 10,
         .until = IB_SECOND,
         .size = 0.35},
        {.type = IB_DISTURBANCE_TILT,
         .robot = -1,
         .at = IB_SECOND / 5,
         .until = 7 * (IB_SECOND / 20),
         .size = 0.6,
         .direction = 1},
    };
    ice(0.5);
    rig_set(&rig, "velocity.heading", "2 rad/s");
    rig_add(
        &rig, "arm", "single_arm",
        "neutral: coast; loss: none; mass: 2 kg; center: 30 cm; position: 1 rad; place.y: 6 cm");
    rig_add(&rig, "lift", "elevator", "neutral: coast; mass: 3 kg; slope: 60 deg; place.x: 9 cm");
    tilt(floors, 2);
    rig_run(&rig, 0.01);
    assert_true(rig_size(&rig, "energy.error") < 1e-8);
    assert_true(rig_size(&rig, "arm.energy.error") < 1e-8);
    assert_true(rig_size(&rig, "lift.energy.error") < 1e-8);
    assert_true(fabs(rig_end(&rig, "arm.energy.given")) > 0.1);
    rig_stop(&rig);
}

// Goal: mechanisms feel gravity in the plane of their motion. Method: rates in the first
// microsecond on 20 degrees, downhill along x, by hand; no rotors: an arm at -60 degrees, an
// elevator upright and one at 30 degrees.
static void mechanisms_feel_the_turned_gravity(void **unused)
{
    (void)unused;
    static const ib_Disturbance floor = {.type = IB_DISTURBANCE_TILT,
                                         .robot = -1,
                                         .until = IB_SECOND,
                                         .size = 20 * 0.017453292519943295};
    double s = g0 * sin(20 * deg), n = g0 * cos(20 * deg);
    rig_default(&rig, &ib_box_kind, 1e-6);
    rig_set(&rig, "mass", "50 kg");
    rig_set(&rig, "mu", "5");
    rig_add(&rig, "arm", "single_arm",
            "neutral: coast; rotors: false; mass: 0.1 kg; center: 40 cm; position: -60 deg");
    rig_add(&rig, "up", "elevator", "neutral: coast; rotors: false");
    rig_add(&rig, "aslant", "elevator", "neutral: coast; rotors: false; slope: 30 deg");
    tilt(&floor, 1);
    rig_run(&rig, 1e-6);
    assert_close(rate_of("arm.velocity"), -(n * cos(60 * deg) - s * sin(60 * deg)) / 0.4, 1e-5);
    assert_close(rate_of("up.velocity"), -n, 1e-5);
    assert_close(rate_of("aslant.velocity"), -n * 0.5 + s * cos(30 * deg), 1e-5);
    rig_stop(&rig);
}

// Goal: wheels or feet that would lift are told when they do. Method: a box of 10 kg with 10 kg
// at 30 cm: its centre is 15 cm high, its feet 0.4/sqrt(12) m from the middle: on much friction it
// stands on 30 degrees, 8.7 cm of 11.5 cm, and not on 40, 12.6 cm.
static void feet_that_lift_are_told(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        const ib_Disturbance floor = {.type = IB_DISTURBANCE_TILT,
                                      .robot = -1,
                                      .until = IB_SECOND,
                                      .size = (i ? 40 : 30) * deg};
        rig_default(&rig, &ib_box_kind, 0.5);
        rig_set(&rig, "mass", "10 kg");
        rig_set(&rig, "mu", "2");
        rig_add(&rig, "t", "turret", "mass: 10 kg; place.x: 1 mm; place.z: 30 cm");
        tilt(&floor, 1);
        rig_run(&rig, 0.01);
        assert_close(rig_size(&rig, "lifted"), i, 0);
        rig_stop(&rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(push_at_the_middle_turns_it),
        cmocka_unit_test(folding_an_arm_turns_it_faster),
        cmocka_unit_test(mirrored_and_turned_robots_do_the_same),
        cmocka_unit_test(books_close_while_the_floor_tilts),
        cmocka_unit_test(mechanisms_feel_the_turned_gravity),
        cmocka_unit_test(feet_that_lift_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
