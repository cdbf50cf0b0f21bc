// Several loops on a robot, from a file to the motion: each acts on its mechanism, in its units, at
// its own time.
#include "scenario/run_rig.h"

#include <math.h>
#include <stdio.h>

#define BENCH                                                                                      \
    "robot:\n"                                                                                     \
    "  kind: bench\n"                                                                              \
    "  mechanisms:\n"                                                                              \
    "    lift: {kind: elevator, motor: cim, motors: 2, reduction: 10, drum_radius: 2 cm, mass: 8 " \
    "kg, travel: [0 m, 1.2 m], current_limit: 60 A}\n"                                             \
    "    wrist: {kind: single_arm, motor: neo, reduction: 60, mass: 2 kg, center: 20 cm, length: " \
    "40 cm, current_limit: 40 A}\n"                                                                \
    "    wheel: {kind: flywheel, motor: neo, reduction: 1, inertia: 0.002 kg*m^2, neutral: "       \
    "coast}\n"

// ----------------------------------------------------------------------------------------- signals

// Goal: signals that are kept while nothing changes are those that the loop shows now, also back at
// an earlier state. Method: a routine of two legs, whose show() is asked after every step.
static void kept_signals_are_those_of_now(void **state)
{
    (void)state;
    Run run;
    ib_Error error;
    open_run(&run, "robot: {kind: tank, sensors: {gyro: {kind: gyro}}}\n"
                   "control: {routine: " IB_SOURCE_DIR "/routines/square.yaml}\n"
                   "run: {duration: 2 s}\n");
    const ib_Model *model = run.scenario->model;
    const ib_ControlModel *control = &model->controls[0];
    const ib_Controller *c = control->controller;
    double *first = ib_arena_array(&run.scenario->yaml.arena, (size_t)model->state_count, 8);
    double shown[64];
    assert_true(c->kind->shows_slowly && c->ports.command_count == 0 && c->ports.signal_count < 64);
    memcpy(first, ib_sim_state(run.sim), (size_t)model->state_count * sizeof *first);
    for (int i = 0; i <= 1000; i++) {
        if (i < 1000)
            assert_int_equal(ib_sim_step(run.sim, &error), IB_OK);
        else
            ib_sim_restore(run.sim, 0, 0, first);
        ib_sim_sample(run.sim, run.signals);
        c->kind->show(c->model, NULL,
                      ib_sim_state(run.sim) + control->state + c->ports.output_count, shown);
        assert_memory_equal(run.signals + control->signal, shown,
                            (size_t)c->ports.signal_count * sizeof *shown);
    }
    close_run(&run);
}

// ------------------------------------------------------------------------------------------- volts

// Goal: a loop in volts has the same effect on a system of 24 V as its twin has on one of 12 V.
// Method: a motor of twice the voltage and half the current, four times the battery's resistance,
// gains and commands twice as many volts: power and motion are the same, and so are all positions
// but for rounding, 1e-9 of a radian; the command passes 12 V.
static void twenty_four_volts_are_a_twin_of_twelve(void **state)
{
    (void)state;
    Run run[2];
    ib_Error error;
    for (int k = 0; k < 2; k++) {
        char text[1200];
        const int volts = k ? 24 : 12;
        snprintf(text, sizeof text,
                 "robot:\n"
                 "  kind: bench\n"
                 "  background_current: 0 A\n"
                 "  battery: {open_circuit: %d V, resistance: %d mohm}\n"
                 "  mechanisms:\n"
                 "    table: {kind: turret, motor: {voltage: %d V, stall_torque: 1.2 N*m, "
                 "stall_current: %d A, free_speed: 3000 rpm, free_current: %g A}, voltage: %d V, "
                 "motors: 1, reduction: 20, inertia: 0.5 kg*m^2}\n"
                 "    wheel: {kind: flywheel, motor: {voltage: %d V, stall_torque: 1.2 N*m, "
                 "stall_current: %d A, free_speed: 3000 rpm, free_current: %g A}, voltage: %d V}\n"
                 "control: {table: {kind: pid, kp: %d V/rad, kd: %d V*s/rad}}\n"
                 "inputs: {table.goal: 90 deg, wheel: %d V}\n"
                 "run: {duration: 1 s}\n",
                 volts, k ? 40 : 10, volts, k ? 20 : 40, k ? 0.5 : 1.0, volts, volts, k ? 20 : 40,
                 k ? 0.5 : 1.0, volts, k ? 80 : 40, k ? 8 : 4, k ? 18 : 9);
        open_run(&run[k], "%s", text);
    }
    double most = 0;
    for (int i = 0; i < 1000; i++) {
        for (int k = 0; k < 2; k++) {
            assert_int_equal(ib_sim_step(run[k].sim, &error), IB_OK);
            ib_sim_sample(run[k].sim, run[k].signals);
        }
        most = fmax(most, see(&run[1], "control.table.output"));
        assert_close(see(&run[1], "table.position"), see(&run[0], "table.position"), 1e-9);
        assert_close(see(&run[1], "wheel.velocity"), see(&run[0], "wheel.velocity"), 1e-7);
        assert_close(see(&run[1], "battery.voltage"), 2 * see(&run[0], "battery.voltage"), 1e-8);
    }
    assert_true(most > 20);
    assert_true(see(&run[1], "table.position") > 1.5);
    for (int k = 0; k < 2; k++) close_run(&run[k]);
}

// ------------------------------------------------------------------------------------------ limits

// What must hold at every tick, whatever the loops ask for.
static void assert_limits(const Run *run)
{
    assert_true(fabs(see(run, "lift.current")) <= 60 * (1 + 1e-9));
    assert_true(fabs(see(run, "wrist.current")) <= 40 * (1 + 1e-9));
    assert_true(see(run, "lift.position") >= -1e-6 && see(run, "lift.position") <= 1.2 + 1e-6);
    static const char *const outputs[] = {"control.lift.output.volts", "control.wrist.output",
                                          "control.wheel.output"};
    for (int i = 0; i < 3; i++) assert_true(fabs(see(run, outputs[i])) <= 12);
}

// Goal: a loop by design, a profiled one and a PID run at once, at 5, 4 and 10 ms, on noisy
// sensors, against gravity (a constant push) and with goals that saturate them; all reach their
// goals, and limits hold at every tick. Method: steps of 1 ms, looked at each; tolerances are three
// times the noise that a loop of this kind passes on, or 0.5 % of a speed.
static void three_loops_reach_their_goals_within_limits(void **state)
{
    (void)state;
    Run run;
    open_run(&run, BENCH
             "  sensors:\n"
             "    height: {signal: lift.position, noise: 0.3 mm, period: 5 ms}\n"
             "    angle: {signal: wrist.position, noise: 0.1 deg, period: 4 ms}\n"
             "    rate: {signal: wheel.velocity, noise: 1 rad/s, period: 10 ms}\n"
             "control:\n"
             "  lift: {design: " IB_SOURCE_DIR "/designs/elevator.yaml, sensors: height}\n"
             "  wrist: {kind: profiled, sensors: angle, velocity: 90 deg/s, acceleration: 300 "
             "deg/s^2, kp: 20 V/rad, ki: 20 V/(rad*s), kd: 0.5 V*s/rad, period: 4 ms,\n"
             "    feedforward: {velocity: 1.3 V*s/rad, cosine: 0.3 V}}\n"
             "  wheel: {kind: pid, sensors: rate, kp: 0.05 V*s/rad, ki: 0.2 V/rad, period: 10 ms,\n"
             "    integral_limit: 12 V}\n"
             "inputs: {lift.goal: 0.9 m, wrist.goal: 75 deg, wheel.goal: 300 rad/s}\n"
             "run: {duration: 4 s}\n");
    for (int k = 1; k <= 4000; k++) {
        go(&run, k * 1e-3);
        assert_limits(&run);
    }
    assert_close(see(&run, "lift.position"), 0.9, 2e-3);
    assert_close(see(&run, "wrist.position"), 75 * 3.14159265358979 / 180, 0.01);
    assert_close(see(&run, "wheel.velocity"), 300, 1.5);
    close_run(&run);
}

// ---------------------------------------------------------------------------------------- profiles

// Goal: the reference of a profiled loop moves within its limits and arrives when the closed form
// of a trapezoid says. Method: 1.2 rad at 2 rad/s and 8 rad/s^2 take 1.2/2 + 2/8 = 0.85 s, from the
// first tick on; differences of the reference over one period, to rounding.
static void a_profiled_goal_keeps_its_limits(void **state)
{
    (void)state;
    Run run;
    open_run(&run, BENCH "control: {wrist: {kind: profiled, velocity: 2 rad/s, acceleration: 8 "
                         "rad/s^2, kp: 20 V/rad, period: 5 ms}}\n"
                         "inputs: {wrist.goal: 1.2 rad}\n"
                         "run: {duration: 2 s}\n");
    double r = 0, rate = 0;
    for (int k = 0; k < 180; k++) {
        go(&run, 0.005 * k + 0.001);
        double now = see(&run, "control.wrist.reference");
        double speed = see(&run, "control.wrist.reference_rate");
        assert_true(speed <= 2 * (1 + 1e-12) && speed >= 0);
        assert_true(fabs(speed - rate) <= 8 * 0.005 * (1 + 1e-9));
        assert_true(now >= r - 1e-15 && now - r <= 2 * 0.005 * (1 + 1e-9));
        if (k == 169) assert_true(now < 1.2 - 1e-6);
        if (k == 170) assert_close(now, 1.2, 1e-12);
        r = now;
        rate = speed;
    }
    close_run(&run);
}

// ---------------------------------------------------------------------------------------- the same

static uint64_t hash_of(const char *control, const char *inputs)
{
    char text[4000];
    Run run;
    snprintf(text, sizeof text, BENCH "%s%srun: {duration: 0.5 s}\n", control, inputs);
    open_run(&run, "%s", text);
    go(&run, 0.5);
    uint64_t hash = ib_sim_hash(run.sim);
    close_run(&run);
    return hash;
}

// Goal: a goal has several names and one meaning. Method: the same run to the bit by each of them.
static void goals_may_be_called_by_each_of_their_names(void **state)
{
    (void)state;
    static const char control[] =
        "control: {lift: {design: " IB_SOURCE_DIR "/designs/elevator.yaml}}\n";
    static const char *const ways[] = {
        "inputs: {lift.goal: 30 cm}\n", "inputs: {lift.goal.position: 300 mm}\n",
        "inputs: {lift.goal.x: 0.3 m}\n", "inputs: {lift: {goal: {position: 0.3 m}}}\n",
        "inputs: {lift: {goal: 0.3 m}, lift.goal.velocity: 0 m/s}\n"};
    uint64_t wanted = hash_of(control, ways[0]);
    for (int i = 1; i < 5; i++) assert_true(hash_of(control, ways[i]) == wanted);
}

// Goal: to sample ideally is to have a sensor without faults. Method: the mechanism's state is the
// same to the bit with `sensors:` that name the signal, and with a sensor of the loop's period.
static void ideal_samples_are_those_of_a_perfect_sensor(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "control: {lift: {kind: pid, kp: 60 V/m, kd: 6 V*s/m, period: 4 ms}}\n",
        "control: {lift: {kind: pid, kp: 60 V/m, kd: 6 V*s/m, period: 4 ms, sensors: "
        "lift.position}}\n",
        "control: {kind: pid, kp: 60 V/m, kd: 6 V*s/m, period: 4 ms, inputs: lift}\n",
        "  sensors: {height: {signal: lift.position, period: 4 ms}}\n"
        "control: {lift: {kind: pid, kp: 60 V/m, kd: 6 V*s/m, period: 4 ms, sensors: height}}\n",
    };
    double x[4];
    for (int i = 0; i < 4; i++) {
        char text[4000];
        Run run;
        snprintf(text, sizeof text, BENCH "%sinputs: {%sgoal: 0.4 m}\nrun: {duration: 0.3 s}\n",
                 ways[i], i == 2 ? "" : "lift.");
        open_run(&run, "%s", text);
        go(&run, 0.3);
        x[i] = see(&run, "lift.position");
        assert_true(x[i] > 0.05);
        close_run(&run);
    }
    for (int i = 1; i < 4; i++) assert_true(x[i] == x[0]);
}

// Goal: a loop on a mechanism leaves the rest of the robot to the driver. Method: on a tank the
// throttle stays open beside a loop on its arm, and is asked for where it is missing.
static void a_loop_closes_only_what_it_sets(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robot: {file: " IB_SOURCE_DIR "/robots/team.yaml}\n"
                   "control: {arm: {kind: pid, kp: 25 V/rad}}\n"
                   "inputs: {throttle: 0.3, arm.goal: 20 deg, lift: 2 V}\n"
                   "run: {duration: 1 s}\n");
    go(&run, 1);
    assert_true(see(&run, "velocity.forward") > 0.5);
    assert_true(see(&run, "lift.position") > 0.05);
    assert_close(see(&run, "arm.position"), 0.349, 0.06); // without an integral it sags
    close_run(&run);
}

// Goal: a loop takes the way to drive that it uses, not more: one holds the heading by `turn` while
// the driver has the throttle, and each side may have a loop of its own. Method: a tank is turned
// by 30 deg while it drives; both sides held at 8 rad/s of their wheels.
static void a_loop_may_drive_in_part(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robot: {kind: tank}\n"
                   "control: {hold: {kind: pid, inputs: turn, sensors: pose.heading, kp: 2 1/rad, "
                   "kd: 0.1 s/rad}}\n"
                   "inputs: {throttle: 0.3, hold.goal: 30 deg}\nrun: {duration: 4 s}\n");
    go(&run, 4);
    assert_close(see(&run, "pose.heading"), 0.5236, 0.02);
    assert_true(see(&run, "velocity.forward") > 0.5);
    close_run(&run);
    open_run(&run, "robot: {kind: tank}\n"
                   "control:\n"
                   "  l: {kind: pid, inputs: left, sensors: wheel.left.speed, kp: 1 V*s/rad, ki: 4 "
                   "V/rad}\n"
                   "  r: {kind: pid, inputs: right, sensors: wheel.right.speed, kp: 1 V*s/rad, ki: "
                   "4 V/rad}\n"
                   "inputs: {l.goal: 8 rad/s, r.goal: 8 rad/s}\nrun: {duration: 3 s}\n");
    go(&run, 3);
    assert_close(see(&run, "wheel.left.speed"), 8, 0.05);
    assert_close(see(&run, "wheel.right.speed"), 8, 0.05);
    close_run(&run);
}

// Goal: a loop that sets nothing shows a heading, and how far it is from the truth. Method: on a
// tank that turns and stands again, by a gyro with a bias of 2 deg/s: off by b t at the last tick
// before 3 s, 2.995 s; with 1 s at rest to find the bias, and by the ideal rate, off by what the
// trapezoid leaves at the two jumps of acceleration, T^2/8 times about 10 rad/s^2 each, below 1e-4.
static void a_heading_is_shown_beside_the_truth(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             "robot: {kind: tank, sensors: {gyro: {kind: gyro, bias: 2 deg/s, period: 5 ms}}}\n"
             "control:\n"
             "  plain: {kind: heading}\n"
             "  settled: {kind: heading, sensors: gyro, settle: 1 s}\n"
             "  ideal: {kind: heading, sensors: velocity.heading, start: 10 deg}\n"
             "inputs: {throttle: 0, turn: [[0 s, 0], [1 s, 0.3], [2 s, 0]]}\n"
             "run: {duration: 3 s}\n");
    go(&run, 3);
    double deg = 3.14159265358979323846 / 180;
    assert_true(fabs(see(&run, "pose.heading")) > 0.2);
    assert_close(see(&run, "control.plain.heading_error"), 2.995 * 2 * deg, 1e-4);
    assert_close(see(&run, "control.settled.heading_error"), 0, 1e-4);
    assert_close(see(&run, "control.settled.bias"), 2 * deg, 1e-12);
    assert_close(see(&run, "control.ideal.heading_error"), 10 * deg, 1e-4);
    assert_close(see(&run, "control.ideal.heading") - see(&run, "pose.heading"), 10 * deg, 1e-4);
    close_run(&run);
}

static void assert_unit(const Run *run, const char *name, const char *unit)
{
    const ib_SignalTable *table = &run->scenario->model->signals;
    int at = ib_signals_find(table, name);
    if (at < 0) fail_msg("no signal %s", name);
    assert_string_equal(table->items[at].unit, unit);
}

// Goal: what a loop estimates and sets has its real unit. Method: a mechanism's design knows its
// units, the error that it estimates is one of its input; bare matrices have those of the mechanism
// and its input; on a base, those of the sensor that shows the state.
static void estimates_have_real_units(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robot: {file: " IB_SOURCE_DIR "/robots/team.yaml}\n"
                   "control: {lift: {design: " IB_SOURCE_DIR "/designs/team_lift.yaml}}\n"
                   "inputs: {throttle: 0, lift.goal: 0.2 m}\nrun: {duration: 1 s}\n");
    assert_unit(&run, "control.lift.estimate.x", "m");
    assert_unit(&run, "control.lift.estimate.v", "m/s");
    assert_unit(&run, "control.lift.estimate.error_volts", "V");
    assert_unit(&run, "control.lift.output.volts", "V");
    close_run(&run);
    open_run(&run, BENCH "control: {lift: {design: " IB_SOURCE_DIR "/designs/matrices.yaml, "
                         "sensors: lift.position, inputs: lift}}\n"
                         "inputs: {lift.goal: 0.2 m, wrist: 0 V, wheel: 0 V}\n"
                         "run: {duration: 1 s}\n");
    assert_unit(&run, "control.lift.estimate.x", "m");
    assert_unit(&run, "control.lift.output.volts", "V");
    assert_unit(&run, "control.lift.estimate.v", "m/s");
    close_run(&run);
    open_run(&run, "robot: {kind: motor_bench}\n"
                   "control: {design: " IB_SOURCE_DIR "/designs/matrices.yaml, "
                   "sensors: motor.angle, inputs: command}\n"
                   "inputs: {goal: {x: 0.2}}\nrun: {duration: 1 s}\n");
    assert_unit(&run, "control.estimate.x", "rad");
    assert_unit(&run, "control.output.volts", "V");
    assert_unit(&run, "control.estimate.v", "1"); // nobody measures it
    close_run(&run);
}

// Goal: a loop without sensors holds what its mechanism says that it measures. Method: a carriage
// on a belt of k = 20 kN/m that is pushed back with F = 100 N: in the end the pulley is F/k = 5 mm
// ahead, and the measured end is at its goal of 20 cm, by the loop's integral.
static void a_loop_holds_what_its_mechanism_measures(void **state)
{
    (void)state;
    static const char *const ends[] = {"motor", "load"};
    for (int end = 0; end < 2; end++) {
        Run run;
        char text[600];
        snprintf(text, sizeof text,
                 "robot: {kind: bench, mechanisms: {slide: {kind: two_mass, sensor: %s, loss: "
                 "viscous, friction: 50 N*s/m}}}\n"
                 "control: {slide: {kind: pid, kp: 40 V/m, ki: 80 V/(m*s), kd: 2 V*s/m}}\n"
                 "inputs: {slide.goal: 20 cm}\n"
                 "disturbances: [{at: 0 s, for: 9 s, on: slide.load, force: -100 N}]\n"
                 "run: {duration: 8 s}\n",
                 ends[end]);
        open_run(&run, "%s", text);
        go(&run, 8);
        double motor = see(&run, "slide.motor.position"), load = see(&run, "slide.load.position");
        assert_close(motor - load, 100 / 20e3, 1e-6); // what is left after 8 s: e^-15 of it
        assert_close(end ? load : motor, 0.2, 1e-6);
        close_run(&run);
    }
}

// Goal: with an interlock a goal counts only while its switch is on. Method: a slide whose goal is
// 0.5 m from the first moment, and another that is moved onto its limit switch and off again.
// Before, it holds the 20 cm at which it was found; then it goes to its goal; a goal that is asked
// for when the switch is off again changes nothing. P alone, no load: it ends there.
static void an_interlock_lets_goals_through(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             "robot:\n  kind: bench\n  mechanisms:\n"
             "    slide: {kind: elevator, motor: cim, slope: 0 deg, travel: [0 m, 1 m]}\n"
             "    gate: {kind: elevator, motor: cim, slope: 0 deg, travel: [0 m, 10 cm], "
             "limit_switches: 1 mm}\n"
             "  sensors: {open: {signal: gate.limit.high, period: 10 ms}}\n"
             "control: {slide: {kind: pid, kp: 100 V/m, period: 10 ms, interlock: open}}\n"
             "start: {slide: {position: 20 cm}}\n"
             "inputs: {slide.goal: [[0 s, 50 cm], [3 s, 80 cm]], gate: [[0 s, 0 V], [1 s, 12 V], "
             "[2.5 s, -12 V]]}\n"
             "run: {duration: 5 s}\n");
    go(&run, 1);
    assert_close(see(&run, "gate.limit.high"), 0, 0);
    assert_close(see(&run, "slide.position"), 0.2, 1e-9);
    assert_close(see(&run, "control.slide.goal"), 0.5, 0);
    assert_close(see(&run, "control.slide.followed"), 0.2, 1e-9);
    go(&run, 2.5);
    assert_close(see(&run, "gate.limit.high"), 1, 0);
    assert_close(see(&run, "control.slide.followed"), 0.5, 0);
    assert_close(see(&run, "slide.position"), 0.5, 1e-3);
    go(&run, 5);
    assert_close(see(&run, "gate.limit.low"), 1, 0);
    assert_close(see(&run, "control.slide.goal"), 0.8, 0);
    assert_close(see(&run, "control.slide.followed"), 0.5, 0);
    assert_close(see(&run, "slide.position"), 0.5, 1e-6);
    close_run(&run);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_signals_are_those_of_now),
        cmocka_unit_test(twenty_four_volts_are_a_twin_of_twelve),
        cmocka_unit_test(three_loops_reach_their_goals_within_limits),
        cmocka_unit_test(a_profiled_goal_keeps_its_limits),
        cmocka_unit_test(goals_may_be_called_by_each_of_their_names),
        cmocka_unit_test(ideal_samples_are_those_of_a_perfect_sensor),
        cmocka_unit_test(a_loop_closes_only_what_it_sets),
        cmocka_unit_test(a_loop_may_drive_in_part),
        cmocka_unit_test(a_heading_is_shown_beside_the_truth),
        cmocka_unit_test(estimates_have_real_units),
        cmocka_unit_test(a_loop_holds_what_its_mechanism_measures),
        cmocka_unit_test(an_interlock_lets_goals_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
