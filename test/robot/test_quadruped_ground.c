// Claims about legs on a ground: the height at which they stand, slopes, steps, wheels, pushes.
#include "robot/quadruped_rig.h"

#include "base/maths.h"

#include <string.h>

// Legs that servos hold, stiff for what they carry: the body of 8 kg.
static void rig_servos(Rig *rig, double seconds)
{
    rig_default(rig, seconds);
    rig->config.drive = IB_DRIVE_SERVO;
    rig->config.servo_stiffness = 500;
    rig->config.servo_damping = 4;
}

// One piece of ground, by its defaults.
static ib_TerrainPiece *lay_piece(Rig *rig, int kind)
{
    rig->config.terrain.count = 1;
    rig->config.terrain.pieces[0] = ib_terrain_piece(kind);
    return &rig->config.terrain.pieces[0];
}

// A robot out of reach of any ground.
static void rig_aloft(Rig *rig, double seconds)
{
    rig_default(rig, seconds);
    rig->config.drive = IB_DRIVE_LIMP;
    rig->config.place[2] = 50;
}

// ------------------------------------------------------------------------------------------- stand

// Goal: `stand` puts the lowest foot on the ground.
// Method: reference C, feet of L1 with the body at 0.8 m, ten digits; a foot's end has 7.5 mm.
static void it_stands_where_the_reference_has_its_feet(void **unused)
{
    (void)unused;
    static const struct {
        double pose[3], foot;
    } rows[] = {
        {{0, -34, 80}, 0.4808906060},
        {{90, -1, 95}, 0.5742160419},
        {{45, -10, 40}, 0.5203381120},
        {{20, -34, 56}, 0.5484117365},
    };
    static Rig rig;
    for (int i = 0; i < 4; i++) {
        rig_default(&rig, 1);
        for (int j = 0; j < 3; j++) rig.config.pose[j] = rows[i].pose[j] * DEG;
        assert_true(isinf(rig.config.place[2])); // it is the default
        assert_close(ib_quadruped_stand(&rig.config), 0.8 - rows[i].foot + 0.0075, 1e-10);
    }
    // One leg that is lower than the others decides.
    for (int j = 0; j < 3; j++) rig.config.pose[j] = rows[3].pose[j] * DEG;
    for (int j = 0; j < 3; j++) rig.config.angles[IB_LEG_RL][j] = rows[0].pose[j] * DEG;
    assert_close(ib_quadruped_stand(&rig.config), 0.8 - rows[0].foot + 0.0075, 1e-10);
    rig.config.legs = IB_LEGS_FRONT; // without it the others do
    assert_close(ib_quadruped_stand(&rig.config), 0.8 - rows[3].foot + 0.0075, 1e-10);
}

// Goal: it stands on a slope as on the level, if its body is turned with it. Method: seen at
// right angles to the slope the body is as high as on the level; along the vertical through its
// place that is h/cos(slope) above the slope. Four feet at the same height there.
static void it_stands_on_a_slope_as_on_the_level(void **unused)
{
    (void)unused;
    static Rig rig;
    rig_servos(&rig, 1);
    double level = ib_quadruped_stand(&rig.config);
    ib_TerrainPiece *ramp = lay_piece(&rig, IB_TERRAIN_RAMP);
    ramp->x = -1, ramp->length = 4, ramp->width = 3;
    for (int slope = 0; slope <= 30; slope += 10) {
        double a = slope * DEG;
        ramp->slope = a;
        rig.config.attitude[1] = -a;
        // 1e-12 m of the ball's way down, a little more along the vertical
        assert_close(ib_quadruped_stand(&rig.config), tan(a) + level / cos(a), 1e-11);
    }
}

// Goal: it carries its weight and does not slide on a slope, and slides where friction is less
// than the slope, also that of a slippery ground alone. Method: three seconds on 15 deg. With
// friction 3 the ground's forces end as its weight, upwards, and nothing sideways, and it creeps by
// less than half a millimetre a second; with 0.1 it is g (sin - 0.1 cos) t faster down the slope
// after t, once it has settled, within 3 %: contacts are soft and a body nods.
static void friction_holds_it_on_a_slope_or_lets_it_slide(void **unused)
{
    (void)unused;
    static Rig rig;
    const double a = 15 * DEG;
    for (int slippery = 0; slippery < 2; slippery++) {
        rig_servos(&rig, 3);
        ib_TerrainPiece *ramp = lay_piece(&rig, IB_TERRAIN_RAMP);
        *ramp = (ib_TerrainPiece){.kind = IB_TERRAIN_RAMP,
                                  .x = -20,
                                  .length = 40,
                                  .width = 3,
                                  .thickness = 0.019,
                                  .slope = a,
                                  .friction = slippery ? 0.1 : 3,
                                  .slippery = slippery};
        rig.config.attitude[1] = -a;
        const ib_QuadrupedModel *model = rig_start(&rig);
        double weight = 9.8 * ib_mujoco_mass(model->rigid.world);
        rig_run(&rig, 1);
        double before = look(&rig, "velocity.x") / cos(a), x = look(&rig, "centre.x");
        rig_run(&rig, 3);
        double after = look(&rig, "velocity.x") / cos(a);
        if (slippery) {
            double grows = -9.8 * (sin(a) - 0.1 * cos(a)) * 2;
            assert_close(after - before, grows, 0.03 * fabs(grows));
        } else {
            double side = 0;
            static const char *const legs[] = {"fl", "fr", "rl", "rr"};
            for (int i = 0; i < 4; i++) {
                char name[64];
                snprintf(name, sizeof name, "leg.%s.foot.force.x", legs[i]);
                side += look(&rig, name);
            }
            // What is left of nodding: a thousandth of the weight.
            assert_close(look(&rig, "ground.force"), weight, 1e-3 * weight);
            assert_close(side, 0, 1e-3 * weight);
            assert_close(look(&rig, "centre.x"), x, 1e-3);
        }
        rig_end(&rig);
    }
}

// Goal: the boxes of a ground are MuJoCo's. Method: each geom's place and half edges beside
// its box.
static void mujoco_has_the_grounds_boxes(void **unused)
{
    (void)unused;
    static Rig rig;
    for (int kind = IB_TERRAIN_RAMP; kind <= IB_TERRAIN_HILLS; kind++) {
        rig_servos(&rig, 1);
        lay_piece(&rig, kind)->heading = 0.4;
        const ib_QuadrupedModel *model = rig_start(&rig);
        ib_TerrainBox boxes[IB_TERRAIN_BOXES];
        int count = ib_terrain_boxes(&rig.config.terrain, boxes);
        for (int i = 0; i < count; i++) {
            char name[32];
            snprintf(name, sizeof name, "terrain.%d", i);
            int id = ib_mujoco_find(model->rigid.world, IB_MUJOCO_GEOM, name);
            assert_true(id >= 0);
            ib_MujocoGeom geom = ib_mujoco_geom(model->rigid.world, id);
            ib_TerrainBox box = boxes[i];
            assert_int_equal(geom.shape, IB_MUJOCO_BOX);
            assert_int_equal(geom.body, 0);
            for (int k = 0; k < 3; k++) {
                assert_close(geom.at[k], box.place[k], 1e-15);
                assert_close(geom.size[k], 0.5 * box.size[k], 1e-15);
            }
            // w of the quaternion is cos of half the turn: yaw and pitch here
            double w = cos(0.5 * box.attitude[0]) * cos(0.5 * box.attitude[1]);
            assert_close(geom.turned[0], w, 1e-15);
        }
        char beyond[32];
        snprintf(beyond, sizeof beyond, "terrain.%d", count);
        assert_int_equal(ib_mujoco_find(model->rigid.world, IB_MUJOCO_GEOM, beyond), -1);
        rig_end(&rig);
    }
}

// Goal: feet rest on the steps that they are over. Method: two steps under the front feet and none
// under the rear ones; front feet are 30 mm higher, within what contacts give way.
static void feet_rest_on_steps(void **unused)
{
    (void)unused;
    static Rig rig;
    rig_servos(&rig, 2);
    ib_TerrainPiece *step = lay_piece(&rig, IB_TERRAIN_STEPS);
    step->count = 1, step->x = 0, step->run = 2, step->width = 2, step->rise = 0.03;
    rig_start(&rig);
    rig_run(&rig, 2);
    assert_close(look(&rig, "leg.fl.foot.z"), 0.0375, 2e-4);
    assert_close(look(&rig, "leg.fr.foot.z"), 0.0375, 2e-4);
    assert_close(look(&rig, "leg.rl.foot.z"), 0.0075, 2e-4);
    assert_close(look(&rig, "leg.rr.foot.z"), 0.0075, 2e-4);
    // The line from rear to front feet rises by 30 mm over the distance between them.
    double way = look(&rig, "leg.fl.foot.x") - look(&rig, "leg.rl.foot.x");
    assert_close(look(&rig, "pose.pitch"), -atan(0.03 / way), 5e-3);
    rig_end(&rig);
}

// Goal: a cone's friction holds as much in any direction, and a pyramid's loses 1 - 1/sqrt 2 of it
// along diagonals. Method: friction 0.4 on a floor that tilts by 0.75 of atan 0.4 (legs press
// outwards, too) along the axes and the diagonal: held, it creeps by less than a millimetre in a
// second; a slide is g (sin - 0.4/sqrt 2 cos)/2 (2^2 - 1) = 15 cm along the diagonal, of which a
// third must be seen.
static void a_cone_holds_in_every_direction(void **unused)
{
    (void)unused;
    static Rig rig;
    const double a = 0.75 * atan(0.4);
    for (int i = 0; i < 4; i++) {
        bool cone = i < 3, diagonal = i % 2 == 1;
        rig_servos(&rig, 3);
        const ib_Disturbance tilt = {.type = IB_DISTURBANCE_TILT,
                                     .robot = -1,
                                     .at = ib_time_from_seconds(0.5),
                                     .until = IB_TIME_NEVER,
                                     .size = a,
                                     .direction = i == 2     ? 90 * DEG
                                                  : diagonal ? 45 * DEG
                                                             : 0};
        rig.sim_config.disturbances = &tilt;
        rig.sim_config.disturbance_count = 1;
        rig.config.contact_cone = cone;
        rig.config.foot_friction = rig.config.ground_friction = 0.4;
        rig_start(&rig);
        rig_run(&rig, 1.5);
        double x = look(&rig, "leg.fl.foot.x"), y = look(&rig, "leg.fl.foot.y");
        rig_run(&rig, 2.5);
        double slid = hypot(look(&rig, "leg.fl.foot.x") - x, look(&rig, "leg.fl.foot.y") - y);
        if (cone)
            assert_true(slid < 1e-3);
        else
            assert_true(slid > 0.05);
        rig_end(&rig);
    }
}

// Goal: `contact.grip` says the same whatever the friction, within a pyramid and within a cone.
// Method: feet at rest sink as deep at friction 1 and 3 in both, to 6 %: MuJoCo's own estimate of
// how a foot gives way is in the correction. Without it they would at 45 times the depth.
static void contacts_are_as_soft_at_any_friction(void **unused)
{
    (void)unused;
    static Rig rig;
    double least = 1, most = 0;
    for (int i = 0; i < 4; i++) {
        rig_servos(&rig, 1.5);
        rig.config.contact_grip = 0.95;
        rig.config.contact_cone = i & 1;
        rig.config.foot_friction = rig.config.ground_friction = i & 2 ? 3 : 1;
        rig_start(&rig);
        rig_run(&rig, 1.5);
        double sunk = 0.0075 - look(&rig, "leg.fl.foot.z");
        least = fmin(least, sunk), most = fmax(most, sunk);
        rig_end(&rig);
    }
    assert_true(least > 0);
    assert_true(most < 1.06 * least);
}

// ------------------------------------------------------------------------------------------ wheels

// Goal: feet and wheels share the weight as a lever does. Method: at rest, moments about the
// axle: F_feet (x_feet - x_axle) = W (x_centre - x_axle). Forces along the ground are level with
// its contacts and turn nothing.
static void wheels_and_feet_share_the_weight(void **unused)
{
    (void)unused;
    static Rig rig;
    rig_servos(&rig, 4);
    rig.config.base = IB_BASE_WHEELS;
    rig.config.legs = IB_LEGS_FRONT;
    const ib_QuadrupedModel *model = rig_start(&rig);
    double weight = 9.8 * ib_mujoco_mass(model->rigid.world);
    assert_close(weight, 9.8 * (8 + 2 * 0.665916195298 + 2 * 0.3), 1e-9);
    rig_run(&rig, 4);
    double feet = look(&rig, "leg.fl.foot.force.z") + look(&rig, "leg.fr.foot.force.z");
    double wheels = look(&rig, "wheel.left.force") + look(&rig, "wheel.right.force");
    double s = sin(look(&rig, "pose.pitch")), c = cos(look(&rig, "pose.pitch"));
    double axle = look(&rig, "pose.x") - 0.375 * c - 0.2666 * s;
    double foot = look(&rig, "leg.fl.foot.x"), centre = look(&rig, "centre.x");
    assert_close(feet + wheels, weight, 1e-3 * weight);
    // A foot touches below its centre, a wheel below its axle: both within 0.1 mm of 0.75 m.
    assert_close(feet * (foot - axle), weight * (centre - axle), 2e-3 * weight * (centre - axle));
    rig_end(&rig);
}

// Goal: wheels roll as discs do. Method: feet with hardly any friction, wheels with it, none in
// the bearings; a push of F makes v' = (F - mu N_feet)/(M + m), m being I/r^2 = m_wheel/2 of each
// wheel. While it goes on, the wheel's rate is v/r.
static void wheels_roll(void **unused)
{
    (void)unused;
    static Rig rig;
    rig_servos(&rig, 2);
    rig.config.base = IB_BASE_WHEELS;
    rig.config.legs = IB_LEGS_FRONT;
    rig.config.foot_friction = rig.config.ground_friction = 1e-3;
    rig.config.body_friction = 2;
    rig.config.wheels.friction = 0;
    const ib_Disturbance push = {.type = IB_DISTURBANCE_FORCE,
                                 .robot = -1,
                                 .at = IB_SECOND,
                                 .until = 2 * IB_SECOND,
                                 .size = 3};
    rig.sim_config.disturbances = &push;
    rig.sim_config.disturbance_count = 1;
    const ib_QuadrupedModel *model = rig_start(&rig);
    double mass = ib_mujoco_mass(model->rigid.world);
    rig_run(&rig, 1);
    double before = look(&rig, "velocity.x");
    rig_run(&rig, 2);
    double v = look(&rig, "velocity.x");
    double feet = look(&rig, "leg.fl.foot.force.z") + look(&rig, "leg.fr.foot.force.z");
    double expected = (3 - 1e-3 * feet) / (mass + 0.3);
    // Nods of the body are what is left: half a percent.
    assert_close(v - before, expected, 5e-3 * expected);
    assert_close(look(&rig, "wheel.left.velocity"), v / 0.06, 0.01 * v / 0.06);
    assert_close(look(&rig, "wheel.right.velocity"), v / 0.06, 0.01 * v / 0.06);
    rig_end(&rig);
}

// ------------------------------------------------------------------------------------------ pushes

// How far the momentum of a robot is from F t, as a part of it, with steps of this length.
// Without gravity and ground and with limp joints the centre of mass goes on with F t/M, whatever
// the legs do.
static double momentum_error(ib_Time step)
{
    static Rig rig;
    rig_aloft(&rig, 2);
    rig.config.gravity = 0;
    rig.sim_config.step = step;
    const ib_Disturbance push = {.type = IB_DISTURBANCE_FORCE,
                                 .robot = -1,
                                 .at = IB_SECOND / 10,
                                 .until = IB_SECOND / 10 + IB_SECOND / 4,
                                 .size = 12,
                                 .direction = 30 * DEG,
                                 .x = 0.2,
                                 .y = 0.05};
    rig.sim_config.disturbances = &push;
    rig.sim_config.disturbance_count = 1;
    const ib_QuadrupedModel *model = rig_start(&rig);
    double along = 12 * 0.25 / ib_mujoco_mass(model->rigid.world);
    rig_run(&rig, 0.1);
    assert_close(look(&rig, "centre.x"), 0, 1e-12);
    double z = look(&rig, "centre.z");
    rig_run(&rig, 0.35);
    double x = look(&rig, "centre.x"), y = look(&rig, "centre.y");
    rig_run(&rig, 0.85);
    x = (look(&rig, "centre.x") - x) / 0.5, y = (look(&rig, "centre.y") - y) / 0.5;
    assert_close(look(&rig, "centre.z"), z, 1e-3);            // nothing upwards
    assert_true(fabs(look(&rig, "velocity.heading")) > 1e-3); // beside the middle: it turns, too
    rig_end(&rig);
    return hypot(x - along * cos(30 * DEG), y - along * sin(30 * DEG)) / along;
}

// Goal: a push of F for t changes the momentum by F t. Method: to 1e-3 with steps of 1 ms; the
// rest is MuJoCo's Euler method, of first order where bodies turn: a quarter with a quarter of
// the step.
static void a_push_gives_its_momentum(void **unused)
{
    (void)unused;
    double whole = momentum_error(IB_SECOND / 1000), quarter = momentum_error(IB_SECOND / 4000);
    assert_true(whole < 1e-3);
    assert_close(quarter, 0.25 * whole, 0.05 * whole);
}

// Goal: a tilted floor turns gravity, whose size stays, and is that of the robot. Method: tilted
// by 20 deg towards 30 deg; in the air, v' = 9.8 (sin a cos d, sin a sin d, -cos a), exactly so
// for a body whose force is constant. The field's own gravity is 9.80665.
static void a_tilt_turns_gravity(void **unused)
{
    (void)unused;
    static Rig rig;
    rig_aloft(&rig, 1);
    const double a = 20 * DEG, d = 30 * DEG;
    const ib_Disturbance tilt = {.type = IB_DISTURBANCE_TILT,
                                 .robot = -1,
                                 .until = IB_TIME_NEVER,
                                 .size = a,
                                 .direction = d};
    rig.sim_config.disturbances = &tilt;
    rig.sim_config.disturbance_count = 1;
    rig_start(&rig);
    rig_run(&rig, 0.5);
    assert_close(look(&rig, "velocity.x"), 4.9 * sin(a) * cos(d), 1e-9);
    assert_close(look(&rig, "velocity.y"), 4.9 * sin(a) * sin(d), 1e-9);
    assert_close(look(&rig, "velocity.z"), -4.9 * cos(a), 1e-9);
    rig_end(&rig);
}

// Goal: gravity is the robot's own, or the field's. Method: speed of a fall over a second.
static void gravity_is_its_own_or_the_fields(void **unused)
{
    (void)unused;
    static Rig rig;
    const double own[] = {9.8, 1.62, 0, INFINITY}, expected[] = {9.8, 1.62, 0, 9.80665};
    for (int i = 0; i < 4; i++) {
        rig_aloft(&rig, 2);
        rig.config.gravity = own[i];
        rig_start(&rig);
        rig_run(&rig, 1);
        assert_close(look(&rig, "velocity.z"), -expected[i], 1e-9);
        rig_end(&rig);
    }
}

// Goal: legs touch each other where `contact.self` asks for it, neighbours at a joint never.
// Method: a body held aloft swings two left legs, stretched out, towards each other. Without the
// key they pass through each other and reach their goals, to the torque of what they weigh over
// the servo's stiffness; with it their tips lean on each other, with opposite forces (Newton's
// third law, to rounding). In the pose of the start nothing touches.
static void legs_touch_each_other_where_asked(void **unused)
{
    (void)unused;
    static Rig rig;
    for (int self = 0; self < 2; self++) {
        rig_servos(&rig, 1);
        rig.config.base = IB_BASE_FIXED;
        rig.config.place[2] = 50;
        rig.config.contact_self = self;
        rig.config.pose[1] = -2 * DEG, rig.config.pose[2] = 20 * DEG;
        rig_start(&rig);
        assert_close(look(&rig, "ground.contacts"), 0, 0);
        rig_hold(&rig, 3 * IB_LEG_FL, 45 * DEG);
        rig_hold(&rig, 3 * IB_LEG_RL, -45 * DEG);
        rig_run(&rig, 1);
        if (self) {
            static const char *const axes[] = {"x", "y", "z"};
            double size = fabs(look(&rig, "leg.fl.foot.force.y"));
            assert_true(look(&rig, "ground.contacts") >= 1 && size > 5);
            for (int k = 0; k < 3; k++) {
                char own[32], other[32];
                snprintf(own, sizeof own, "leg.fl.foot.force.%s", axes[k]);
                snprintf(other, sizeof other, "leg.rl.foot.force.%s", axes[k]);
                assert_close(look(&rig, own) + look(&rig, other), 0, 1e-12 * size);
            }
        } else {
            assert_close(look(&rig, "leg.fl.alpha.angle"), 45 * DEG, 0.1 * DEG);
            assert_close(look(&rig, "ground.contacts"), 0, 0);
        }
        rig_end(&rig);
    }
}

// Goal: a foot on a block of 5 cm stands there and feels the ground. Method: a block under one
// foot, the body lifted by `stand` and let down on servos: that foot is 50 mm above the ground, its
// force that of a foot that carries, and all forces together the weight.
static void a_foot_stands_on_a_block_of_5_cm(void **unused)
{
    (void)unused;
    static Rig rig;
    rig_servos(&rig, 3);
    ib_TerrainPiece *block = lay_piece(&rig, IB_TERRAIN_BLOCK);
    block->x = 0.2, block->y = 0.5, block->length = 0.6, block->width = 0.6, block->height = 0.05;
    const ib_QuadrupedModel *model = rig_start(&rig);
    double weight = 9.8 * ib_mujoco_mass(model->rigid.world);
    rig_run(&rig, 3);
    assert_close(look(&rig, "leg.fl.foot.z"), 0.0575, 5e-4);
    assert_true(look(&rig, "leg.fl.foot.force.z") > 0.05 * weight);
    assert_close(look(&rig, "ground.force"), weight, 1e-3 * weight);
    rig_end(&rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_stands_where_the_reference_has_its_feet),
        cmocka_unit_test(it_stands_on_a_slope_as_on_the_level),
        cmocka_unit_test(friction_holds_it_on_a_slope_or_lets_it_slide),
        cmocka_unit_test(mujoco_has_the_grounds_boxes),
        cmocka_unit_test(feet_rest_on_steps),
        cmocka_unit_test(a_cone_holds_in_every_direction),
        cmocka_unit_test(contacts_are_as_soft_at_any_friction),
        cmocka_unit_test(wheels_and_feet_share_the_weight),
        cmocka_unit_test(wheels_roll),
        cmocka_unit_test(a_push_gives_its_momentum),
        cmocka_unit_test(a_tilt_turns_gravity),
        cmocka_unit_test(gravity_is_its_own_or_the_fields),
        cmocka_unit_test(legs_touch_each_other_where_asked),
        cmocka_unit_test(a_foot_stands_on_a_block_of_5_cm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
