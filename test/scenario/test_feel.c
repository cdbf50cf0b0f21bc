// Sensors of a body that moves in space, from a file to the loops that read them.
#include "control/leg/stance.h"
#include "plant/linkage.h"
#include "robot/quadruped/quadruped.h"
#include "scenario/blind_loops.h"
#include "scenario/run_rig.h"

#include <math.h>

#define DEGREE (3.14159265358979323846 / 180)

// A body on servos, two of which loops turn by what an imu tells.
#define SERVOS                                                                                     \
    "robot:\n"                                                                                     \
    "  kind: quadruped\n"                                                                          \
    "  preset: light-quadruped\n"                                                                  \
    "  drive: servo\n"                                                                             \
    "  sensors:\n"                                                                                 \
    "    imu: {kind: imu, gyro_noise: 0.5 deg/s, gyro_bias_x: 1 deg/s, accelerometer_noise: 0.1 "  \
    "m/s^2}\n"                                                                                     \
    "    touch: {kind: switch, signal: leg.fl.foot.force.z, on: 5 N, off: 3 N, debounce: 5 ms}\n"  \
    "    dark: {signal: pose.x}\n"

// Goal: an imu is one sensor with nine signals, and a switch one of 0 and 1; their names are those
// of what they measure. Method: after 2 s of standing; with a bias b, tau = 1 s, the roll is off by
// asin(b tau) (1 - e^-2).
static void a_body_is_felt(void **state)
{
    (void)state;
    Run run;
    open_run(&run, SERVOS "inputs: {hold: linear}\nrun: {duration: 2 s, step: 1 ms}\n");
    const ib_SignalTable *table = &run.scenario->model->signals;
    int pitch = ib_signals_find(table, "sensor.imu.pose.pitch");
    int touch = ib_signals_find(table, "sensor.touch");
    assert_true(pitch >= 0 && touch >= 0);
    assert_string_equal(table->items[pitch].sentence, "pose.pitch as the imu shows it");
    assert_string_equal(table->items[touch].unit, "1");
    assert_true(table->items[touch].means.binary);
    go(&run, 2);
    assert_close(see(&run, "sensor.touch"), 1, 0);
    assert_close(see(&run, "sensor.imu.acceleration.z"), 9.8, 0.5);
    assert_close(see(&run, "sensor.imu.pose.roll") - see(&run, "pose.roll"), DEGREE * (1 - exp(-2)),
                 0.15 * DEGREE);
    close_run(&run);
    refuse_run("the robot has no attitude",
               "robot: {kind: tank, sensors: {imu: {kind: imu}}}\nrun: {duration: 1 s}\n");
    refuse_run("unknown key",
               SERVOS "    other: {kind: imu, signal: pose.x}\nrun: {duration: 1 s}\n");
}

// Goal: a loop on sensors does not see the truth. Method: two servos follow pitch and roll for 0.5
// s; with NaN in the place of every true signal that loops see, the loops on the imu give the same
// bits, and those on the pose itself set their servos no longer.
static void loops_on_sensors_see_no_truth(void **state)
{
    (void)state;
    static const char *const sources[] = {"sensor.imu.pose", "pose"};
    for (int source = 0; source < 2; source++) {
        double end[2][3];
        for (int blind = 0; blind < 2; blind++) {
            Run run;
            open_run(&run,
                     SERVOS "control:\n"
                            "  a: {kind: pid, sensors: %s.roll, inputs: leg.fl.beta, kp: 0.3, "
                            "period: 5 ms}\n"
                            "  b: {kind: pid, sensors: %s.pitch, inputs: leg.fr.beta, kp: 0.3, "
                            "period: 5 ms}\n"
                            "inputs: {hold: linear, a.goal: 5 deg, b.goal: 5 deg}\n"
                            "run: {duration: 1 s, step: 1 ms}\n",
                     sources[source], sources[source]);
            if (blind) {
                assert_int_equal(blind_loops(run.scenario->model), source == 0 ? 0 : 2);
                ib_sim_reset(run.sim);
            }
            ib_Error error;
            (void)ib_sim_advance(run.sim, ib_time_from_seconds(0.5), &error);
            ib_sim_sample(run.sim, run.signals);
            end[blind][0] = see(&run, "pose.roll");
            end[blind][1] = see(&run, "leg.fl.beta.angle");
            end[blind][2] = see(&run, "sensor.imu.rate.y");
            close_run(&run);
        }
        if (source == 0) assert_memory_equal(end[0], end[1], sizeof end[0]);
        if (source == 1) assert_true(memcmp(end[0], end[1], sizeof end[0]) != 0);
    }
}

// Goal: pressures and angles tell the force on a standing foot. Method: cylinders' forces by their
// pressures, torques by the linkages and the leg's statics, beside the ground's true force of 26 N
// after 10 s of standing. They differ by 0.014 N; 0.2 N are allowed.
static void pressures_tell_the_force_on_a_foot(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robot: {kind: quadruped, preset: light-quadruped}\n"
                   "control: {legs: {kind: legs, mode: stand}}\n"
                   "inputs: {hold: linear}\nrun: {duration: 10 s, step: 1 ms}\n");
    go(&run, 10);
    const ib_QuadrupedModel *model = ib_parts_own(run.scenario->model->robots[0].model);
    for (int leg = 0; leg < model->leg_count; leg++) {
        double th[3], torque[3], gravity[3], force[3], level[3] = {0, 0, -9.8}, up = 0;
        const char *names[] = {"fl", "fr", "rl", "rr"};
        for (int j = 0; j < 3; j++) {
            const ib_LegJointModel *joint = &model->joints[3 * leg + j];
            const ib_CylinderModel *c = &model->air.bank.cylinder[joint->cylinder];
            char name[64];
#define OF(what)                                                                                   \
    (snprintf(name, sizeof name, "leg.%s.%s." what, names[leg], ib_leg_joints[j]), see(&run, name))
            th[j] = OF("angle");
            double push = ib_cylinder_force(c, OF("cap.pressure"), OF("rod.pressure"));
            ib_LinkageNow now = ib_linkage_at(&joint->linkage, th[j]);
            torque[j] = ib_linkage_torque(&joint->linkage, &now, push);
        }
        ib_leg_direction_into(&model->shoulders[leg], level, gravity);
        double J[9], own[3];
        ib_leg_jacobian(&model->leg_model, th, J);
        ib_leg_hold(&model->leg_model, th, (const double[]){0, 0, 0}, gravity, own);
        assert_true(ib_stance_felt(J, torque, own, force));
        for (int k = 0; k < 3; k++) up -= force[k] * gravity[k] / 9.8;
        char name[64];
        snprintf(name, sizeof name, "leg.%s.foot.force.z", names[leg]);
        double truth = see(&run, name);
        assert_close(up, truth, 0.2);
    }
    close_run(&run);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_is_felt),
        cmocka_unit_test(loops_on_sensors_see_no_truth),
        cmocka_unit_test(pressures_tell_the_force_on_a_foot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
