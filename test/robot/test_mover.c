// Velocities of a base to its commands: holonomic bases by their axes, tank and Roomba by their
// sides. What a base then does is what was asked for.
#include "robot/holonomic_rig.h"

#include "control/mover.h"

// The mover of a scenario's robot.
static void open_mover(const Run *run, ib_Steering *steering, ib_Mover *mover)
{
    const ib_RobotModel *robot = &run->scenario->model->robots[0];
    double *x =
        ib_arena_array(&run->scenario->yaml.arena, (size_t)robot->ports.state_count, sizeof *x);
    ib_AxisDrive axes[IB_MOVER_AXES];
    ib_Error error = {0};
    robot->kind->reset(robot->config, robot->model, x);
    ib_Status status = IB_OK;
    if (robot->kind->move) {
        status = robot->kind->move(robot->model, x, axes, &error);
        if (status == IB_OK) ib_mover_of_axes(axes, mover);
    } else {
        status = robot->kind->steer(robot->model, x, 9.80665, steering, &error);
        if (status == IB_OK) status = ib_mover_of_sides(steering, mover, &error);
    }
    if (status != IB_OK) fail_msg("%s", error.text);
}

// Goal: a constant velocity along each axis takes commands that lead there. Method: every preset
// that goes any way, on wheels that never slip, with a stiff battery, no rotors' loss but the data
// sheet's: half the top speed is reached to 1e-6 after 10 s, and the way there is that of the
// lag, 1 - e^(-t/lag) at 50 ms.
static void axes_reach_what_is_asked(void **state)
{
    (void)state;
    static const char *const presets[] = {"x-drive", "mecanum", "kiwi", "h-drive"};
    static const char *const shown[] = {"velocity.forward", "velocity.left", "velocity.heading"};
    for (int i = 0; i < 12; i++) {
        static const char text[] =
            "robot: {kind: holonomic, preset: %s, breaker: off, wheels: {model: rolling},\n"
            "  battery: {resistance: 0 ohm, constant_voltage: true}}\n"
            "inputs: {stick.x: %.17g, stick.y: %.17g, turn: %.17g}\nrun: {duration: 10 s}\n";
        ib_Steering steering;
        ib_Mover mover;
        ib_MoverMotion motion = {0};
        double command[IB_MOVER_AXES];
        int axis = i % 3;
        Run run;
        open_run(&run, text, presets[i / 3], 0.0, 0.0, 0.0);
        open_mover(&run, &steering, &mover);
        close_run(&run);
        assert_true(ib_mover_sideways(&mover));
        motion.velocity[axis] = 0.5 * mover.top[axis];
        ib_mover_commands(&mover, &motion, command);
        open_run(&run, text, presets[i / 3], command[1], command[0], command[2]);
        go(&run, 0.05);
        double risen = 1 - exp(-0.05 / mover.axes[axis].lag);
        assert_close(see(&run, shown[axis]), motion.velocity[axis] * risen, 1e-6);
        go(&run, 10);
        assert_close(see(&run, shown[axis]), motion.velocity[axis], 1e-6);
        close_run(&run);
    }
}

// Goal: bases with two sides know what they can do, and their sides' commands are the steering's.
// Method: a tank and a Roomba: top speed and yaw rate take all that a command has (share 1), the
// double more than that; sideways is left out.
static void sides_know_their_limits(void **state)
{
    (void)state;
    static const char *const robots[] = {"kind: tank", "kind: roomba"};
    for (int i = 0; i < 2; i++) {
        ib_Steering steering;
        ib_Mover mover;
        ib_SteerDemand demand;
        double command[IB_MOVER_AXES];
        Run run;
        open_run(&run, "robot: {%s}\ninputs: {left: 0 %s, right: 0 %s}\nrun: {duration: 1 s}\n",
                 robots[i], i ? "N" : "V", i ? "N" : "V");
        open_mover(&run, &steering, &mover);
        assert_false(ib_mover_sideways(&mover));
        for (int axis = 0; axis < 3; axis += 2) {
            ib_SteerMotion motion = {.speed = axis == 0 ? mover.top[0] : 0,
                                     .yaw_rate = axis == 2 ? mover.top[2] : 0};
            steering.demand(&steering, &motion, &demand);
            assert_close(demand.share, 1, 1e-6);
            assert_true(mover.quick[axis] > 0.1);
        }
        ib_MoverMotion motion = {.velocity = {0.3, 5, 0.2}};
        ib_SteerMotion steered = {.speed = 0.3, .yaw_rate = 0.2};
        ib_mover_commands(&mover, &motion, command);
        steering.demand(&steering, &steered, &demand);
        assert_true(command[0] == demand.command[0] && command[1] == demand.command[1]);
        close_run(&run);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_reach_what_is_asked),
        cmocka_unit_test(sides_know_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
