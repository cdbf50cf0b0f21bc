// Velocities of a base to its commands: holonomic bases by their axes, tank and Roomba by their
// sides. What a base then does is what was asked for.
#include "robot/holonomic_rig.h"

#include "control/driving/locomotion.h"

// How a scenario's robot moves.
static void open_base(const Run *run, ib_Locomotion *base)
{
    const ib_RobotModel *robot = &run->scenario->model->robots[0];
    double *x =
        ib_arena_array(&run->scenario->yaml.arena, (size_t)robot->ports.state_count, sizeof *x);
    ib_Error error = {0};
    robot->kind->reset(robot->config, robot->model, x);
    ib_Status status = robot->kind->locomotion(robot->model, x, 9.80665, base, &error);
    if (status == IB_OK) status = ib_locomotion_find_top(base, &error);
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
        ib_Locomotion base;
        ib_AxisMotion motion = {0};
        double command[IB_AXES];
        int axis = i % 3;
        Run run;
        open_run(&run, text, presets[i / 3], 0.0, 0.0, 0.0);
        open_base(&run, &base);
        close_run(&run);
        assert_true(ib_is_holonomic(&base));
        motion.velocity[axis] = 0.5 * base.top[axis];
        ib_locomotion_command(&base, &motion, command);
        open_run(&run, text, presets[i / 3], command[1], command[0], command[2]);
        go(&run, 0.05);
        double risen = 1 - exp(-0.05 / base.axes[axis].lag);
        assert_close(see(&run, shown[axis]), motion.velocity[axis] * risen, 1e-6);
        go(&run, 10);
        assert_close(see(&run, shown[axis]), motion.velocity[axis], 1e-6);
        close_run(&run);
    }
}

// Goal: a swerve's stick does what its axes say, in every direction and in the driver's frame, and
// modules turn the shorter way. Method: half the top speed at 0, 60, 120 and 180 degrees to the
// left, the last of a stick turned back by a quarter; half the top yaw rate. Tyres creep under what
// the motors lose, 0.1 % of it; no module turns by more than 90 degrees; at rest none turns at all.
static void modules_reach_what_is_asked(void **state)
{
    (void)state;
    static const char text[] =
        "robot: {kind: swerve, battery: {resistance: 0 ohm, constant_voltage: true},\n"
        "  drive: {motor: neo}, steer: {motor: neo}}\n"
        "inputs: {stick.x: %.17g, stick.y: %.17g, turn: %.17g, stick.frame: %.17g rad}\n"
        "run: {duration: 5 s}\n";
    Run run;
    ib_Locomotion base;
    open_run(&run, text, 0.0, 0.0, 0.0, 0.0);
    open_base(&run, &base);
    go(&run, 1);
    assert_close(see(&run, "module.1.angle"), 0, 0);
    close_run(&run);
    for (int i = 0; i < 5; i++) {
        double angle = i * 1.0471975511965976, frame = i == 3 ? 1.5707963267948966 : 0;
        bool turns = i == 4;
        open_run(&run, text, turns ? 0 : -0.5 * sin(angle + frame),
                 turns ? 0 : 0.5 * cos(angle + frame), turns ? -0.5 : 0.0, frame);
        go(&run, 5);
        double top = base.top[0];
        assert_close(see(&run, "velocity.forward"), turns ? 0 : 0.5 * top * cos(angle), 1e-3 * top);
        assert_close(see(&run, "velocity.left"), turns ? 0 : 0.5 * top * sin(angle), 1e-3 * top);
        assert_close(see(&run, "velocity.heading"), turns ? 0.5 * base.top[2] : 0,
                     1e-3 * base.top[2]);
        assert_true(fabs(see(&run, "module.1.angle")) < 1.6);
        close_run(&run);
    }
}

// Goal: the same path and the same routine do for every base. Method: line, circle, line of the
// Roomba's, within 3 cm, as far as wheels creep that no encoder sees; 1 m ahead and a quarter turn,
// whose heading a gyro knows: a tank's sides slide.
static void every_base_follows_and_moves(void **state)
{
    (void)state;
    static const char *const bases[] = {
        "kind: tank",
        "kind: roomba",
        "kind: swerve, drive: {motor: neo}, steer: {motor: neo}",
        "kind: holonomic, preset: x-drive",
        "kind: holonomic, preset: mecanum",
        "kind: holonomic, preset: kiwi",
        "kind: holonomic, preset: h-drive",
    };
    static const char gyro[] = "sensors: {gyro: {kind: gyro, period: 5 ms}}";
    for (int i = 0; i < 7; i++) {
        Run run;
        double worst = 0;
        open_run(&run,
                 "robot: {%s}\nrun: {duration: 20 s}\ncontrol: {mode: follow, speed: 0.6 m/s,\n"
                 "  path: [line 2 m, circle 1 m left, line 2 m]}\n",
                 bases[i]);
        for (int k = 1; k <= 400; k++) {
            go(&run, 0.05 * k);
            worst = fmax(worst, see(&run, "path.deviation"));
        }
        if (!(worst < 0.03)) fail_msg("%s: %g m off the path", bases[i], worst);
        assert_true(see(&run, "control.done") > 0);
        close_run(&run);
        open_run(&run,
                 "robot: {%s, %s}\nrun: {duration: 8 s}\n"
                 "control: {routine: [{drive: {forward: 1 m}}, {turn: 90 deg}]}\n",
                 bases[i], gyro);
        go(&run, 8);
        assert_true(see(&run, "control.ended") > 0);
        assert_close(see(&run, "pose.x"), 1, 0.03);
        assert_close(see(&run, "pose.y"), 0, 0.03);
        assert_close(see(&run, "pose.heading"), 1.5707963267948966, 0.03);
        close_run(&run);
    }
}

// Goal: bases with two sides know what they can do, and their sides' commands are the base's.
// Method: a tank and a Roomba: top speed and yaw rate take all that a command has (share 1), the
// double more than that; sideways is left out.
static void sides_know_their_limits(void **state)
{
    (void)state;
    static const char *const robots[] = {"kind: tank", "kind: roomba"};
    for (int i = 0; i < 2; i++) {
        ib_Locomotion base;
        ib_MotionDemand demand;
        double command[IB_AXES];
        Run run;
        open_run(&run, "robot: {%s}\ninputs: {left: 0 %s, right: 0 %s}\nrun: {duration: 1 s}\n",
                 robots[i], i ? "N" : "V", i ? "N" : "V");
        open_base(&run, &base);
        assert_false(ib_is_holonomic(&base));
        for (int axis = 0; axis < 3; axis += 2) {
            ib_AxisMotion motion = {0};
            motion.velocity[axis] = base.top[axis];
            base.demand(&base, &motion, &demand);
            assert_close(demand.share, 1, 1e-6);
            assert_true(base.quick[axis] > 0.1);
        }
        ib_AxisMotion motion = {.velocity = {0.3, 5, 0.2}};
        ib_AxisMotion steered = {.velocity = {0.3, 0, 0.2}};
        ib_locomotion_command(&base, &motion, command);
        base.demand(&base, &steered, &demand);
        assert_true(command[0] == demand.command[0] && command[1] == demand.command[1]);
        close_run(&run);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_reach_what_is_asked),
        cmocka_unit_test(modules_reach_what_is_asked),
        cmocka_unit_test(every_base_follows_and_moves),
        cmocka_unit_test(sides_know_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
