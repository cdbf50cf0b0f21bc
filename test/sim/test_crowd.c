// Contact of many bodies in whole runs: a row of boxes, and a robot between a gate and a wall.
#include "cmocka_all.h"
#include "robot/box.h"
#include "robot/tank_rig.h"

#include <math.h>
#include <string.h>

static const double deepest = 1e-4; // [m], that one may be inside another

enum { ROW = 9 };

static const char *const row_names[ROW] = {"b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8"};

// The rig's robot as `red` at x = 0, and a row of boxes 0.4 m long from x = 1 m on, 0.5 m apart.
static void rig_row_of_boxes(Rig *rig, double floor_mu, ib_RobotConfig robots[ROW + 1],
                             ib_BoxConfig boxes[ROW])
{
    rig->robot.name = "red";
    robots[0] = rig->robot;
    for (int i = 0; i < ROW; i++) {
        ib_Error error;
        boxes[i] = (ib_BoxConfig){0};
        assert_int_equal(ib_schema_default(&ib_box_kind.params, &boxes[i], &error), IB_OK);
        assert_int_equal(ib_schema_default(&ib_box_kind.start, &boxes[i], &error), IB_OK);
        boxes[i].planar.x = 1 + 0.5 * i;
        boxes[i].mu = floor_mu;
        robots[i + 1] =
            (ib_RobotConfig){.name = row_names[i], .kind = &ib_box_kind, .config = &boxes[i]};
    }
    rig->sim_config.robots = robots;
    rig->sim_config.robot_count = ROW + 1;
}

static double of_box(const Rig *rig, int row, int box, const char *signal)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%s", row_names[box], signal);
    return rig_row(rig, row, name);
}

// Nothing is inside its neighbour, and contacts have given no energy to all together.
static void assert_row_holds(const Rig *rig)
{
    double before = 0;
    for (int i = 0; i < rig->rows.count; i++) {
        double lost = rig_row(rig, i, "red.energy.collision");
        double behind = rig_row(rig, i, "red.pose.x") + 0.4;
        for (int k = 0; k < ROW; k++) {
            double x = of_box(rig, i, k, "pose.x");
            assert_true(x - 0.2 - behind >= -deepest);
            assert_true(fabs(of_box(rig, i, k, "energy.error")) < 1e-4); // J of some 500
            lost += of_box(rig, i, k, "energy.collision");
            behind = x + 0.2;
        }
        assert_true(lost >= before - 1e-9);
        before = lost;
    }
}

// Goal: hits that run through a row of bodies keep momentum and gain no energy. Method: a robot
// glides at 3 m/s into nine boxes on ice; the sum of m v at every sample.
static void hits_through_a_row_keep_momentum(void **unused)
{
    (void)unused;
    Rig rig;
    ib_RobotConfig robots[ROW + 1];
    ib_BoxConfig boxes[ROW];
    rig_default(&rig, 2);
    rig_set(&rig, "wheels.model", "friction_circle"); // tyres without friction: only hits count
    rig_set(&rig, "wheels.mu", "0");
    rig_set(&rig, "drive.neutral", "coast");
    rig_drive(&rig, 0, 0);
    rig.tank.planar.velocity_x = 3;
    rig_row_of_boxes(&rig, 0, robots, boxes);
    rig_run(&rig, 0.01);
    for (int i = 0; i < rig.rows.count; i++) {
        double sum = 60 * rig_row(&rig, i, "red.velocity.x");
        for (int k = 0; k < ROW; k++) sum += boxes[k].mass * of_box(&rig, i, k, "velocity.x");
        assert_close(sum, 180, 1e-10);
    }
    assert_true(of_box(&rig, rig.rows.count - 1, ROW - 1, "velocity.x") > 1);
    assert_row_holds(&rig);
    rig_stop(&rig);
}

// Goal: a robot pushes a row of boxes that lie flush against each other, where edges end together
// but for rounding. Method: 12 V for 2 s; all go at one speed in the end, and the robot bears the
// force that accelerates all boxes against their friction.
static void robot_pushes_a_row_of_boxes(void **unused)
{
    (void)unused;
    Rig rig;
    ib_RobotConfig robots[ROW + 1];
    ib_BoxConfig boxes[ROW];
    rig_default(&rig, 2);
    rig.sim_config.step = IB_SECOND / 2000;
    rig_drive(&rig, 12, 12);
    rig_row_of_boxes(&rig, 0.5, robots, boxes);
    rig_run(&rig, 0.01);
    assert_row_holds(&rig);
    int last = rig.rows.count - 1;
    double v = rig_end(&rig, "red.velocity.x"), friction = ROW * 0.5 * boxes[0].mass * 9.80665;
    for (int k = 0; k < ROW; k++) assert_close(of_box(&rig, last, k, "velocity.x"), v, 1e-4);
    assert_true(v > 0.5);
    double speeding = (v - rig_row(&rig, last - 2, "red.velocity.x")) / 0.02; // at last - 1
    assert_close(rig_row(&rig, last - 1, "red.contact.force"),
                 friction + ROW * boxes[0].mass * speeding, 1e-3 * friction);
    rig_stop(&rig);
}

// Goal: a robot that a gate crushes against a wall ends the run at once, with the names of what
// crushes it. Method: a gate at `speed` meets the robot, 0.8 m long, after 0.05 s, and has pushed
// it to the wall after 0.25 s; 0.1 mm deeper it counts as crushed.
static void assert_crushed(double speed)
{
    Rig rig;
    ib_FieldConfig field;
    const ib_Time times[2] = {0, 10 * IB_SECOND};
    const double offsets[2] = {0, -10 * speed};
    rig_default(&rig, 10);
    field = ib_field_default();
    ib_field_rectangle(&field, 0, 0, 4, 3);
    rig.sim_config.field = &field;
    rig.tank.planar.x = 0.4 + 0.2 * speed;
    rig.tank.planar.y = 1.5;
    ib_ElementConfig *gate = &field.elements[field.element_count++];
    *gate = ib_element_default(&field);
    snprintf(gate->name, sizeof gate->name, "gate");
    gate->length = 0.1;
    gate->width = 2;
    gate->x = 0.8 + 0.25 * speed + 0.05;
    gate->y = 1.5;
    gate->move[IB_TRACK_X] = (ib_FieldTrack){2, times, offsets};
    rig_drive(&rig, 0, 0);
    rig_start(&rig);
    assert_int_equal(rig_finish(&rig), IB_FAILED);
    assert_non_null(strstr(rig.error.text, "the robot is crushed between"));
    assert_non_null(strstr(rig.error.text, "gate"));
    assert_non_null(strstr(rig.error.text, "a wall of the field"));
    assert_close(ib_time_to_seconds(ib_sim_time(rig.sim)), 0.25, 0.002 + 1e-4 / speed);
    rig_stop(&rig);
}

static void robot_crushed_by_a_gate_ends_the_run(void **unused)
{
    (void)unused;
    assert_crushed(2);
    assert_crushed(0.06);
    assert_crushed(0.005);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_through_a_row_keep_momentum),
        cmocka_unit_test(robot_pushes_a_row_of_boxes),
        cmocka_unit_test(robot_crushed_by_a_gate_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
