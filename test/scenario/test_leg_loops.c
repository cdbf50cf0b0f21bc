// Loops on the joints of legs, from a file to the motion.
#include "scenario/run_rig.h"

#include <math.h>
#include <stdlib.h>

#define DEGREE (3.14159265358979323846 / 180)
#define LEG                                                                                        \
    "robot: {kind: quadruped, preset: thesis-leg%s}\n"                                             \
    "start: {z: 0.8 m, alpha: 0 deg, beta: -40 deg, gamma: 60 deg}\n"

// Goal: a joint's loop has the joint's name, dotted or as nested maps, and takes the words that the
// joint has for its pressures. Method: the same three loops both ways give the same state; alpha
// comes to where it shall be, with gamma's gains negative, since its rod lowers the angle.
static void loops_are_named_after_joints(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "control:\n"
        "  leg.fr.alpha: {kind: pva, kp: 20 V/rad, ki: 5 V/(rad*s), kv: 1 V*s/rad, period: 1 ms,\n"
        "    pressures: [cap.pressure, rod.pressure], kpressure: 1.6e-5 V/Pa, pressure_washout: "
        "0.5 s}\n"
        "  leg.fr.beta: {kind: pid, kp: 8 V/rad, ki: 5 V/(rad*s), period: 1 ms}\n"
        "  leg.fr.gamma: {kind: pid, kp: -8 V/rad, ki: -5 V/(rad*s), period: 1 ms}\n",
        "control:\n"
        "  leg:\n"
        "    fr:\n"
        "      alpha: {kind: pva, kp: 20 V/rad, ki: 5 V/(rad*s), kv: 1 V*s/rad, period: 1 ms,\n"
        "        pressures: [leg.fr.alpha.cap.pressure, leg.fr.alpha.rod.pressure],\n"
        "        kpressure: 1.6e-5 V/Pa, pressure_washout: 0.5 s}\n"
        "      beta: {kind: pid, kp: 8 V/rad, ki: 5 V/(rad*s), period: 1 ms}\n"
        "      gamma: {kind: pid, kp: -8 V/rad, ki: -5 V/(rad*s), period: 1 ms}\n"};
    double end[2][3];
    for (int way = 0; way < 2; way++) {
        Run run;
        open_run(&run,
                 LEG
                 "%s"
                 "inputs:\n"
                 "  leg: {fr: {alpha.goal: [[0 s, 0 deg], [0.5 s, 10 deg]], beta.goal: -40 deg}}\n"
                 "  leg.fr.gamma.goal: 60 deg\n"
                 "run: {duration: 4 s, step: 1 ms}\n",
                 "", ways[way]);
        for (int k = 1; k <= 400; k++) {
            go(&run, k * 1e-2);
            assert_in_range((int)see(&run, "leg.fr.alpha.valve"), 0, 10);
        }
        assert_close(see(&run, "control.leg.fr.alpha.goal"), 10 * DEGREE, 1e-12);
        end[way][0] = see(&run, "leg.fr.alpha.angle");
        end[way][1] = see(&run, "leg.fr.beta.angle");
        end[way][2] = see(&run, "leg.fr.gamma.angle");
        close_run(&run);
    }
    for (int i = 0; i < 3; i++) assert_close(end[0][i], end[1][i], 0);
    assert_close(end[0][0], 10 * DEGREE, 1 * DEGREE);
    assert_close(end[0][1], -40 * DEGREE, 1 * DEGREE);
    assert_close(end[0][2], 60 * DEGREE, 1 * DEGREE);
}

// Goal: names that cannot be, loops without a kind and legs that are not there are refused. Method:
// each in a file.
static void wrong_loops_are_refused(void **state)
{
    (void)state;
    refuse_run("'Alpha' cannot name a loop",
               LEG "control: {leg.fr.Alpha: {kind: pid, kp: 1 V/rad}}\nrun: {duration: 1 s}\n", "");
    refuse_run("'kind' is missing",
               LEG "control: {leg: {fr: {alpha: {kp: 1 V/rad}}}}\nrun: {duration: 1 s}\n", "");
    refuse_run("the robot has no mechanism 'leg.fr.delta'",
               LEG "control: {leg.fr.delta: {kind: pid, kp: 1 V/rad}}\nrun: {duration: 1 s}\n", "");
    refuse_run("this robot has no legs",
               "robot: {kind: bench}\ncontrol: {legs: {kind: legs}}\nrun: {duration: 1 s}\n");
    refuse_run("the robot has no leg 'rl'",
               LEG "control: {legs: {kind: legs, mode: foot_path, foot_path: {leg: rl}}}\n"
                   "run: {duration: 1 s}\n",
               "");
}

// How far beta deviates from its mean in the last second of 5, after a step of 5 degrees at 1 s
// (rms, deg).
static double restlessness(const char *robot, const char *kpressure)
{
    Run run;
    double sum = 0, squares = 0;
    open_run(&run,
             LEG "control: {legs: {kind: legs, mode: angles, beta: {kp: 20 V/rad, ki: 0 V/(rad*s), "
                 "kv: 0 V*s/rad, kpressure: %s, feedforward: 0 V*s/rad}}}\n"
                 "inputs: {legs.goal.fr.beta: [[0 s, -40 deg], [1 s, -35 deg]]}\n"
                 "run: {duration: 5 s, step: 1 ms}\n",
             robot, kpressure);
    for (int k = 0; k < 200; k++) {
        go(&run, 4 + 5e-3 * (k + 1));
        double angle = see(&run, "leg.fr.beta.angle") / DEGREE;
        sum += angle / 200;
        squares += angle * angle / 200;
    }
    close_run(&run);
    return sqrt(fmax(squares - sum * sum, 0));
}

// Goal: at a gain at which a joint with feedback of its position alone oscillates, one with a
// damper or with feedback of its pressures does not. Method: beta at 20 V/rad, twice the first gain
// and half the others (docs/control/legs.md): more than 2 degrees, less than 0.2.
static void a_damper_or_pressures_raise_the_gain(void **state)
{
    (void)state;
    assert_true(restlessness("", "0 V/Pa") > 2);
    assert_true(restlessness(", beta: {damping: 1 N*m*s/rad}", "0 V/Pa") < 0.2);
    assert_true(restlessness("", "1.6e-5 V/Pa") < 0.2);
}

// Goal: a leg that measures strokes drives as one that measures angles. Method: half a second of
// the walking motion: 1e-6 rad, which rounding in the way back (1e-15 rad, over T in the rate) may
// grow to. Through a straight line it is another motion.
static void strokes_drive_as_angles_do(void **state)
{
    (void)state;
    static const char *const ways[] = {"angle", "stroke", "stroke, conversion: linear"};
    double beta[3];
    for (int i = 0; i < 3; i++) {
        Run run;
        open_run(&run,
                 LEG "control: {legs: {kind: legs, mode: foot_path, measures: %s, "
                     "foot_path: {start: 0.2 s, length: 10 cm}}}\n"
                     "run: {duration: 0.5 s, step: 1 ms}\n",
                 "", ways[i]);
        go(&run, 0.5);
        beta[i] = see(&run, "leg.fr.beta.angle");
        close_run(&run);
    }
    assert_close(beta[1], beta[0], 1e-6);
    assert_true(fabs(beta[2] - beta[0]) > 1e-4);
}

// Goal: the whole robot stands on twelve cylinders, is shaken and comes to rest. Method: a degree
// of roll and pitch and back at 1 s; limits at every look; at 8 s it is level to 0.2 degrees,
// slower than 5 mm/s, carries its weight (10.6637 kg * 9.8 m/s^2, to 0.2 N), and has lost less than
// 6 mm of the 326.6 mm that it starts with.
static void the_robot_stands_and_is_shaken(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             "robot: {kind: quadruped, preset: light-quadruped}\n"
             "control: {legs: {kind: legs}}\n"
             "inputs:\n"
             "  hold: linear\n"
             "  legs.goal.roll: [[0 s, 0 deg], [1 s, 0 deg], [1.1 s, 1 deg], [1.3 s, 0 deg]]\n"
             "  legs.goal.pitch: [[0 s, 0 deg], [1 s, 0 deg], [1.1 s, 1 deg], [1.3 s, 0 deg]]\n"
             "run: {duration: 8 s, step: 1 ms}\n");
    for (int k = 1; k <= 800; k++) {
        go(&run, k * 1e-2);
        double valve = see(&run, "leg.rl.beta.valve");
        assert_true(valve >= 0 && valve <= 10);
        assert_true(fabs(see(&run, "pose.roll")) < 3 * DEGREE);
        assert_true(fabs(see(&run, "pose.pitch")) < 3 * DEGREE);
        assert_true(see(&run, "pose.z") > 0.31);
    }
    assert_close(see(&run, "pose.roll"), 0, 0.2 * DEGREE);
    assert_close(see(&run, "pose.pitch"), 0, 0.2 * DEGREE);
    assert_close(see(&run, "velocity.z"), 0, 5e-3);
    assert_close(see(&run, "ground.force"), (8 + 4 * 0.665916195298) * 9.8, 0.2);
    assert_close(see(&run, "pose.z"), 0.3266, 6e-3);
    assert_close(see(&run, "control.legs.unreached"), 0, 0);
    close_run(&run);
}

// Goal: a leg that walks goes on from any state that was saved on its way, loop and bus included.
// Method: a loop of 5 ms that is told its goals every 10 ms and loses some, looked at every 23 ms;
// saved at ten instants of its first cycle, most of them between two ticks, and each restored into
// a simulation that has come to the end: the same hash as the run that went through.
static void a_walking_leg_goes_on_from_any_saved_state(void **state)
{
    (void)state;
    enum { SAVED = 10 };
    Run run;
    open_run(&run,
             LEG "control:\n"
                 "  legs: {kind: legs, mode: foot_path, period: 5 ms, latency: 5 ms, measures: "
                 "stroke,\n"
                 "    bus: {period: 10 ms, loss: 10 %%},\n"
                 "    foot_path: {start: 0.1 s, slow: 0.8 s, medium: 0 s, fast: 0 s, cycles: 1}}\n"
                 "run: {duration: 1 s, step: 1 ms}\n",
             "");
    size_t bytes = (size_t)run.scenario->model->state_count * sizeof(double);
    double *saved = malloc(SAVED * bytes);
    assert_non_null(saved);
    ib_Time time[SAVED];
    int64_t steps[SAVED];
    uint64_t between = 0;
    for (int k = 0; k < SAVED; k++) {
        go(&run, 0.023 + 0.092 * k);
        memcpy((char *)saved + (size_t)k * bytes, ib_sim_state(run.sim), bytes);
        time[k] = ib_sim_time(run.sim);
        steps[k] = ib_sim_steps(run.sim);
        assert_true(ib_sim_hash(run.sim) != between);
        between = ib_sim_hash(run.sim);
    }
    go(&run, 1);
    uint64_t hash = ib_sim_hash(run.sim);
    for (int k = 0; k < SAVED; k++) {
        ib_sim_restore(run.sim, time[k], steps[k], saved + (size_t)k * bytes / sizeof *saved);
        for (double t = 0.023 * (1 + 4 * k); t < 1; t += 0.023) go(&run, t);
        go(&run, 1);
        assert_true(ib_sim_hash(run.sim) == hash);
    }
    free(saved);
    close_run(&run);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_named_after_joints),
        cmocka_unit_test(wrong_loops_are_refused),
        cmocka_unit_test(a_damper_or_pressures_raise_the_gain),
        cmocka_unit_test(strokes_drive_as_angles_do),
        cmocka_unit_test(the_robot_stands_and_is_shaken),
        cmocka_unit_test(a_walking_leg_goes_on_from_any_saved_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
