// A robot that hangs by the hook of its lift: rest, lowering, swinging, standing, climbing, walls,
// its books, and robots that cannot hang. The law itself: test/plant/test_hook.c.
#include "robot/holonomic_rig.h"

static const double g0 = 9.80665, M = 14, m = 2, drum = 0.012, G = 60;

// An X-drive of 14 kg in all, 12 V whatever is drawn, a NeveRest without losses on a lift without
// friction: closed forms are short. `more` goes into the lift, `hook` into its hook; then the rest.
#define ROBOT                                                                                      \
    "robot: {kind: holonomic, preset: x-drive, mass: 12 kg, breaker: off, background_current: "    \
    "0 A,\n  battery: {open_circuit: 12 V, resistance: 0 ohm, constant_voltage: "                  \
    "true},\n  mechanisms: {lift: {kind: elevator, motor: neverest, motors: 1, reduction: 60, "    \
    "drum_radius: 12 mm,\n    rotors: false, mass: 2 kg, travel: [0 m, 20 cm], %s,\n"              \
    "    hook: {bracket: {x: 0 m, y: 0 m, z: 60 cm}, height: 45 cm, sag: 5 mm, %s}}}}\n"

// -------------------------------------------------------------------------------------- in the air

// Goal: hanging still, the bar carries M g, yields by the sag, and the motor holds all but the
// carriage. Method: closed form:  Kt I G/r = -(M - m) g,  V = R I; nothing moves for 2 s.
static void motor_holds_all_but_the_carriage(void **state)
{
    (void)state;
    Run run;
    Motor motor = rig_neverest();
    double I = -(M - m) * g0 * drum / (G * motor.Kt);
    open_run(&run,
             ROBOT "start: {lift: {position: 5 cm, hanging: true}}\n"
                   "inputs: {lift: %.15g V}\nrun: {duration: 2 s}\n",
             "brake: 0 N", "reach: 3 cm", I * motor.R);
    go(&run, 2);
    assert_close(see(&run, "lift.current"), I, 1e-9);
    assert_close(see(&run, "lift.hook.force"), M * g0, 1e-6);
    assert_close(see(&run, "lift.position"), 0.05, 1e-9);
    assert_close(see(&run, "lift.height"), 0.60 - 0.005 - 0.45 - 0.05, 1e-9);
    assert_close(see(&run, "lift.hook.height"), 0.595, 1e-9);
    assert_close(see(&run, "lift.floor"), 0, 0);
    for (int i = 1; i <= 4; i++) assert_close(see_at(&run, "wheel", i, "load"), 0, 0);
    close_run(&run);
}

// Goal: the robot sinks as fast as the motor's line says, back-driven by its weight or driven.
// Method: (V - Ke G v/r) Kt/R G/r = -(M - m) g for V = 0 and V = 6 V; the bar keeps its sag.
static void lowering_follows_the_motors_line(void **state)
{
    (void)state;
    const double volts[] = {0, 6};
    Motor motor = rig_neverest();
    for (int i = 0; i < 2; i++) {
        Run run;
        double I = -(M - m) * g0 * drum / (G * motor.Kt);
        double v = (volts[i] - motor.R * I) * drum / (G * motor.Ke);
        open_run(&run,
                 ROBOT "start: {lift: {hanging: true}}\ninputs: {lift: %g V}\n"
                       "run: {duration: 0.9 s}\n",
                 "brake: 0 N", "reach: 3 cm", volts[i]);
        go(&run, 0.9); // 15 cm below it is the floor
        assert_close(see(&run, "lift.velocity"), v, 1e-6);
        assert_close(see(&run, "lift.climb"), -v, 1e-6);
        assert_close(see(&run, "lift.hook.height"), 0.595, 1e-6);
        close_run(&run);
    }
}

// Goal: it swings as a pendulum of that length. Method: 1 cm to the side, no damping; after a whole
// period 2 pi sqrt(L/g) it is back, after half of one it is over there. The rod is q^2/(2 L) =
// 0.14 mm shorter out there, of 5 mm sag, which changes the tension by a part in a hundred at most.
static void swings_as_a_pendulum(void **state)
{
    (void)state;
    Run run;
    double period = 2 * RIG_PI * sqrt(0.35 / g0);
    open_run(&run,
             ROBOT "start: {y: 1 cm, lift: {position: 5 cm, hanging: true}}\n"
                   "inputs: {lift.brake: on}\nrun: {duration: 3 s}\n",
             "brake: 500 N", "reach: 3 cm, length: 35 cm, sway: 0");
    go(&run, round(500 * period) / 1000);
    assert_close(see(&run, "pose.y"), -0.01, 1e-4);
    go(&run, round(1000 * period) / 1000);
    assert_close(see(&run, "pose.y"), 0.01, 1e-4);
    assert_close(see(&run, "pose.x"), 0, 1e-12);
    close_run(&run);
}

// Goal: a hook beside the middle swings and turns the robot, and its books stay closed.
// Method: it hangs by a place 8 cm forward, started 2 cm off and turned; the work on the base is
// what the hook gives.
static void hook_beside_the_middle_turns_the_robot(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             ROBOT "start: {x: -8 cm, y: 2 cm, lift: {position: 5 cm, hanging: true}}\n"
                   "inputs: {lift.brake: on}\nrun: {duration: 8 s}\n",
             "brake: 500 N, place: {x: 8 cm}", "reach: 3 cm, length: 35 cm");
    go(&run, 0.3);
    assert_true(fabs(see(&run, "pose.heading")) > 1e-3);
    assert_close(see(&run, "lift.energy.given"), see(&run, "energy.push"), 1e-9);
    assert_close(see(&run, "lift.energy.error"), 0, 1e-7);
    go(&run, 8);
    assert_close(see(&run, "lift.hook.distance"), 0, 1e-4); // it has come to rest below the bar
    assert_close(see(&run, "velocity.heading"), 0, 1e-2);   // only its friction stops its turn
    assert_close(see(&run, "lift.energy.error"), 0, 1e-7);
    assert_close(see(&run, "energy.error"), 0, 1e-6);
    close_run(&run);
}

// Goal: wheels that spin in the air move nothing. Method: full stick while it hangs.
static void spinning_wheels_move_nothing(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             ROBOT "start: {lift: {position: 5 cm, hanging: true}}\n"
                   "inputs: {stick.y: 1, lift.brake: on}\n"
                   "run: {duration: 1 s}\n",
             "brake: 500 N", "reach: 3 cm");
    go(&run, 1);
    assert_true(fabs(see_at(&run, "wheel", 2, "speed")) > 5);
    assert_close(see(&run, "pose.x"), 0, 0);
    assert_close(see(&run, "pose.heading"), 0, 0);
    assert_close(see(&run, "energy.error"), 0, 1e-6);
    close_run(&run);
}

// ------------------------------------------------------------------------------------ on the floor

// Goal: on the floor a hook that is far away changes nothing. Method: the same robot, with and
// without it, on a drive with slip; the floor's spring stays at rest, so that loads are the same
// but for rounding.
static void far_hook_changes_nothing(void **state)
{
    (void)state;
    const char *drive = "inputs: {stick.y: [[0 s, 1], [1 s, -0.5]], turn: [[0 s, 0.3], [0.8 s, "
                        "0]]}\nstart: {x: 20 m}\nrun: {duration: 2 s}\n";
    Run with, without;
    open_run(&with, ROBOT "%s", "brake: 0 N", "reach: 3 cm", drive);
    open_run(&without,
             "robot: {kind: holonomic, preset: x-drive, mass: 12 kg, breaker: off, "
             "background_current: 0 A,\n  battery: {open_circuit: 12 V, resistance: "
             "0 ohm, constant_voltage: true},\n  mechanisms: {lift: {kind: elevator, motor: "
             "neverest, motors: 1, reduction: 60, drum_radius: 12 mm,\n    rotors: false, mass: 2 "
             "kg, travel: [0 m, 20 cm]}}}\n%s",
             drive);
    go(&with, 2);
    go(&without, 2);
    static const char *const names[] = {"pose.x",           "pose.y",       "pose.heading",
                                        "velocity.forward", "wheel.1.load", "wheel.3.speed",
                                        "energy.tyre"};
    for (int i = 0; i < 7; i++) assert_close(see(&with, names[i]), see(&without, names[i]), 1e-9);
    close_run(&with);
    close_run(&without);
}

// Goal: landing hands the weight over from the bar to the floor, all of it. Method: lowered until
// the lift is at its high stop: h = 0, loads sum up to M g, the hook is over the bar and slack.
static void landing_hands_the_weight_over(void **state)
{
    (void)state;
    Run run;
    double sum = 0;
    open_run(&run,
             ROBOT "start: {lift: {position: 5 cm, hanging: true}}\ninputs: {lift: 3 V}\n"
                   "run: {duration: 5 s}\n",
             "brake: 0 N, limit_switches: 1 mm", "reach: 3 cm");
    assert_close(see(&run, "lift.limit.high"), 0, 0);
    go(&run, 5);
    for (int i = 1; i <= 4; i++) sum += see_at(&run, "wheel", i, "load");
    assert_close(sum, M * g0, 1e-6);
    assert_close(see(&run, "lift.height"), 0, 1e-8);
    assert_close(see(&run, "lift.position"), 0.2, 1e-9);
    assert_close(see(&run, "lift.hook.force"), 0, 0);
    assert_close(see(&run, "lift.hook.engaged"), 1, 0);
    assert_close(see(&run, "lift.limit.high"), 1, 0);
    assert_close(see(&run, "lift.limit.low"), 0, 0);
    close_run(&run);
}

// Goal: a carriage that strikes its stop gives its momentum to the robot. Method: it runs into its
// high stop with 1 m/s while the robot stands: h' = m/M v then, and (m - m^2/M) v^2/2 is gone. In
// the 1.9 ms that are left the robot rises 0.27 mm of the 5 mm that the floor yields, and is slowed
// by 2.7 % of g: 0.5 mm/s.
static void stop_keeps_the_momentum(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             ROBOT "start: {lift: {position: 19.99 cm, velocity: 1 m/s}}\ninputs: {}\n"
                   "run: {duration: 2 ms}\n",
             "neutral: coast, gravity: 0 m/s^2", "reach: 3 cm, floor_damping: 0");
    go(&run, 0.002);
    assert_close(see(&run, "lift.energy.stop"), 0.5 * (m - m * m / M), 1e-9);
    assert_close(see(&run, "lift.climb"), m / M, 1e-3);
    assert_close(see(&run, "lift.energy.error"), 0, 1e-9);
    close_run(&run);
}

// ------------------------------------------------------------------------------------------- books

// The whole story: it hangs, lands, unhooks, drives off, comes back, hooks and climbs.
#define STORY                                                                                      \
    "start: {lift: {position: 1 cm, hanging: true}}\n"                                             \
    "inputs:\n  lift: [[0 s, 0 V], [0.2 s, 10 V], [2.6 s, 0 V], [6 s, -10 V], [9 s, 0 V]]\n"       \
    "  lift.brake: [[0 s, on], [0.2 s, off], [2.6 s, on], [6 s, off], [9 s, on]]\n"                \
    "  stick.x: [[0 s, 0], [3 s, -0.3], [3.8 s, 0], [4.2 s, 0.3], [5 s, 0]]\n"                     \
    "run: {duration: 10 s, solver: %s}\n"

// Goal: nothing is gained or lost on the way, with any solver. Method: the robot's book and the
// lift's, against a millionth of what the battery gave; where it is in between and in the end.
static void books_close_over_the_whole_story(void **state)
{
    (void)state;
    static const char *const solvers[] = {"rk4", "dopri5", "rosenbrock"};
    for (int i = 0; i < IB_ROUNDS(3, 1); i++) {
        Run run;
        open_run(&run, ROBOT STORY, "brake: 500 N, efficiency: 80 %, loss: viscous", "reach: 3 cm",
                 solvers[i]);
        double most = 0;
        for (int k = 1; k <= 100; k++) {
            go(&run, 0.1 * k);
            most = fmax(
                most, fmax(fabs(see(&run, "energy.error")), fabs(see(&run, "lift.energy.error"))));
            if (k == 40) assert_close(see(&run, "lift.hook.engaged"), 0, 0);
            if (k == 40) assert_close(see(&run, "lift.height"), 0, 1e-6);
            if (k == 40) assert_true(see(&run, "pose.y") > 0.1);
        }
        if (!(most <= 1e-6 * see(&run, "energy.battery")))
            fail_msg("%s: a book is off by %g J of %g J", solvers[i], most,
                     see(&run, "energy.battery"));
        // At its low stop it hangs 60 - 0.5 - 45 cm high, less how far it swung out.
        assert_close(see(&run, "lift.hook.engaged"), 1, 0);
        assert_close(see(&run, "lift.height"), 0.145, 1e-3);
        assert_close(see(&run, "lift.hook.force"), M * g0, 0.5);
        close_run(&run);
    }
}

// Goal: a step does not matter: half of it ends at the same height and place. Method: RK4 with 1
// and 0.5 ms over the story; events are located, so that what is left is rounding of the tyres.
static void half_the_step_ends_alike(void **state)
{
    (void)state;
    double height[2], y[2];
    for (int i = 0; i < 2; i++) {
        Run run;
        open_run(&run, ROBOT STORY "", "brake: 500 N, efficiency: 80 %, loss: viscous",
                 i ? "reach: 3 cm, sway: 0.3" : "reach: 3 cm", i ? "rk4, step: 0.5 ms" : "rk4");
        go(&run, 8);
        height[i] = see(&run, "lift.height");
        y[i] = see(&run, "pose.y");
        close_run(&run);
    }
    assert_close(height[0], height[1], 1e-5);
    assert_close(y[0], y[1], 1e-4);
}

// ------------------------------------------------------------------------------------------- walls

#define WALLS "reach: 3 cm, walls: {slot: 8 cm, outer: 20 cm, lip: 52 cm}"

// Goal: a lift that is raised in the wrong place presses against the lip with what its motor has,
// and the robot with as much more on the floor. Method: closed form at rest, V = 4 V:
//   strike = Kt V/R G/r - m g,   floor = M g + strike
static void lip_holds_the_lift_down(void **state)
{
    (void)state;
    Run run;
    Motor motor = rig_neverest();
    double strike = motor.Kt * 4 / motor.R * G / drum - m * g0;
    open_run(&run, ROBOT "start: {x: 14 cm}\ninputs: {lift: 4 V}\nrun: {duration: 5 s}\n",
             "brake: 0 N", WALLS);
    go(&run, 5);
    assert_close(see(&run, "lift.hook.struck"), 1, 0);
    assert_close(see(&run, "lift.hook.engaged"), 0, 0);
    // The lip pushes straight down but for the faces 6 cm to each side, (e/6 cm)^3 of it each.
    assert_close(see(&run, "lift.hook.strike"), strike, 2e-2 * strike);
    assert_close(see(&run, "lift.floor"), M * g0 + strike, 2e-2 * strike);
    assert_close(see(&run, "lift.energy.error"), 0, 1e-6 * see(&run, "energy.battery"));
    close_run(&run);
}

// Goal: a robot that drives in with its lift raised is stopped by the wall's side. Method: full
// stick for 2 s: it stays outside but for how far the wall yields, and its books are closed.
static void raised_lift_strikes_the_side(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             ROBOT "start: {x: -60 cm, lift: {position: 15 cm}}\n"
                   "inputs: {stick.y: 0.5, lift.brake: on}\nrun: {duration: 2 s}\n",
             "brake: 500 N", WALLS);
    go(&run, 2);
    assert_true(see(&run, "lift.hook.struck") >= 1);
    assert_true(see(&run, "pose.x") < -0.18 && see(&run, "pose.x") > -0.22);
    assert_true(see(&run, "lift.hook.strike") > 10);
    assert_close(see(&run, "energy.error"), 0, 1e-6 * see(&run, "energy.battery"));
    close_run(&run);
    // With the lift down it passes below.
    open_run(&run,
             ROBOT "start: {x: -60 cm}\ninputs: {stick.y: 0.5, lift.brake: on}\n"
                   "run: {duration: 1 s}\n",
             "brake: 500 N", WALLS);
    go(&run, 1);
    assert_close(see(&run, "lift.hook.struck"), 0, 0);
    assert_true(see(&run, "pose.x") > -0.2);
    close_run(&run);
}

// -------------------------------------------------------------------------------- a tank, refusals

// Goal: a tank hangs and lands like an X-drive. Method: its wheels carry nothing, then all.
static void tank_hangs_and_lands(void **state)
{
    (void)state;
    static const char *const models[] = {"friction_circle", "bristle"};
    for (int i = 0; i < 2; i++) {
        Run run;
        open_run(&run,
                 "robot: {kind: tank, mass: 50 kg, wheels: {model: %s}, mechanisms: {lift: {kind: "
                 "elevator, motor: cim, reduction: 60, mass: 5 kg,\n  travel: [0 m, 30 cm], hook: "
                 "{bracket: {z: 1 m}, height: 80 cm}}}}\n"
                 "start: {lift: {hanging: true}}\n"
                 "inputs: {lift: 4 V, throttle: [[0 s, 0], [5 s, 0.5]]}\n"
                 "run: {duration: 6 s}\n",
                 models[i]);
        assert_close(see(&run, "lift.floor"), 0, 0);
        assert_close(see(&run, "lift.hook.force"), 55 * g0, 1e-6);
        go(&run, 5);
        assert_close(see(&run, "lift.floor"), 55 * g0, 1e-3);
        go(&run, 6);
        assert_true(see(&run, "pose.x") > 0.3);
        assert_close(see(&run, "energy.error"), 0, 1e-6 * see(&run, "energy.battery"));
        close_run(&run);
    }
}

#define LIFT "mechanisms: {lift: {kind: elevator, motor: cim, hook: {reach: 3 cm}}}"

// Goal: what cannot hang is refused, and told what would. Method: bases that hold to the floor
// whatever they weigh, two hooks, starts from which nothing can hang.
static void what_cannot_hang_is_refused(void **state)
{
    (void)state;
    static const char *const bases[] = {"holonomic, wheels: {model: rolling}",
                                        "tank, wheels: {model: rolling}",
                                        "tank, wheels: {model: viscous}",
                                        "roomba",
                                        "box",
                                        "bench"};
    for (int i = 0; i < 6; i++)
        refuse_run("expected a tank or a holonomic robot with wheels.model: friction_circle",
                   "robot: {kind: %s, " LIFT "}\nrun: {duration: 1 s}\n", bases[i]);
    refuse_run("'lift' has a hook already",
               "robot: {kind: holonomic, mechanisms: {lift: {kind: elevator, motor: cim, hook: "
               "{reach: 3 cm}}, other: {kind: elevator, motor: cim, hook: {reach: 3 cm}}}}\n"
               "run: {duration: 1 s}\n");
    refuse_run("its hook is 0.5 m from the bracket",
               "robot: {kind: holonomic, " LIFT "}\n"
               "start: {x: 50 cm, lift: {hanging: true}}\nrun: {duration: 1 s}\n");
    refuse_run("the robot would stand on the floor: expected a position below 0.117 m",
               "robot: {kind: holonomic, " LIFT "}\n"
               "start: {lift: {position: 20 cm, hanging: true}}\nrun: {duration: 1 s}\n");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motor_holds_all_but_the_carriage),
        cmocka_unit_test(lowering_follows_the_motors_line),
        cmocka_unit_test(swings_as_a_pendulum),
        cmocka_unit_test(hook_beside_the_middle_turns_the_robot),
        cmocka_unit_test(spinning_wheels_move_nothing),
        cmocka_unit_test(far_hook_changes_nothing),
        cmocka_unit_test(landing_hands_the_weight_over),
        cmocka_unit_test(stop_keeps_the_momentum),
        ib_plain_test(books_close_over_the_whole_story),
        ib_plain_test(half_the_step_ends_alike),
        cmocka_unit_test(lip_holds_the_lift_down),
        cmocka_unit_test(raised_lift_strikes_the_side),
        cmocka_unit_test(tank_hangs_and_lands),
        cmocka_unit_test(what_cannot_hang_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
