// The holonomic base's supply: fuse, branch breakers, brownout, current limits; what stands on it
// and shares its battery and air; faults of a motor.
#include "robot/holonomic_rig.h"

// ------------------------------------------------------------------------------------------- fuses

// Time to blow from cold [s] of the 20 A fuse of data/breakers.yaml at a current of 27 to 120 A: a
// straight line between the rows of its table on log-log paper.
static double fuse_time(double current)
{
    static const double I[] = {27, 32, 40, 70, 120}, t[] = {21, 3.5, 0.87, 0.14, 0.045};
    int row = 0;
    while (row < 3 && current > I[row + 1]) row++;
    double slope = log(t[row + 1] / t[row]) / log(I[row + 1] / I[row]);
    return t[row] * exp(slope * log(current / I[row]));
}

// Time at which heat reaches 1 for motors that start a heavy robot along an axis. The current of a
// motor at full output falls with its speed, I = (A - Ke w)/(R + squares Rb), and the fuse has
// `times` that and `more`; heat is the integral of 1/t, by the trapezoid rule at 0.1 ms, which is
// right to 1e-8.
static double blows_at(const Axis *axis, double mass, double times, double more)
{
    const Motor m = rig_neverest();
    Axis heavy = *axis;
    heavy.mass = mass;
    const Rise rise = rig_rise(&heavy, 14.2, 0.1, 0.5);
    const double h = 1e-4, A = 14.2 - 0.05, R = m.R + axis->squares * 0.1;
    const double per_speed = axis->reduction * axis->most / (2 * RIG_INCH); // motor's over robot's
    double heat = 0, before = 0;
    for (int k = 0; k < 100000; k++) {
        double t = k * h, w = per_speed * rise.steady * -expm1(-t / rise.tau);
        double now = 1 / fuse_time(times * (A - m.Ke * w) / R + more);
        double part = k ? 0.5 * h * (before + now) : 0;
        if (heat + part >= 1) return t - h + h * (1 - heat) / part;
        heat += part;
        before = now;
    }
    return INFINITY;
}

// The first step after which a signal is below 0.5, to the step's 1 ms.
static double opens_at(Run *run, const char *signal, double from, double until)
{
    go(run, from);
    for (double t = from; t < until; t += 1e-3) {
        if (see(run, signal) < 0.5) return t;
        go(run, t + 1e-3);
    }
    return INFINITY;
}

// Goal: the 20 A main fuse blows when its table says, and stays so; a robot of 12 kg starts within
// it. Method: an X-drive of 10 t that is driven ahead draws 35 A, and less as it gets faster; the
// instant against the integral over the closed form, to a step.
static void the_main_fuse_blows_when_it_should(void **state)
{
    (void)state;
    static const char *const text =
        "robot: {kind: holonomic, preset: x-drive, mass: %s, wheels: {model: rolling},\n"
        "  battery: {constant_voltage: true}}\n"
        "inputs: {stick.y: 1}\nrun: {duration: 6 s}\n";
    const double expected = blows_at(&rig_axes()[0], 1e4, 4, 0.5);
    Run run;
    open_run(&run, text, "1e4 kg");
    assert_true(expected > 1 && expected < 5);
    assert_close(opens_at(&run, "breaker.closed", expected - 0.1, 6), expected, 1.001e-3);
    go(&run, 6);
    assert_close(see(&run, "battery.current"), 0, 0);
    assert_close(see(&run, "motor.3.current"), 0, 0);
    assert_true(see(&run, "breaker.closed") == 0);
    close_run(&run);
    open_run(&run, text, "12 kg");
    go(&run, 6);
    assert_true(see(&run, "breaker.closed") == 1 && see(&run, "breaker.heat") < 1);
    close_run(&run);
}

// Goal: each rim has its own branch breaker, and the one that is loaded most opens. Method: a kiwi
// of 2 t strafes: outputs -1/2, -1/2 and 1, so that motor 3 draws four times as much as each other
// one, and its breaker goes first. Breakers are the same fuse for a fifth of its currents.
static void branch_breakers_open_by_themselves(void **state)
{
    (void)state;
    const Axis *axis = &rig_axes()[7];
    const double expected = blows_at(axis, 2000, 5, 0);
    Run run;
    open_run(&run,
             "robot: {kind: holonomic, preset: kiwi, mass: 2000 kg, wheels: {model: rolling},\n"
             "  battery: {constant_voltage: true}, breaker: off, branch_breaker: {rating: 4.4 A,\n"
             "  cooling: 5 s, reset: 0, trip: [[5.4 A, 21 s], [6.4 A, 3.5 s], [8 A, 0.87 s],\n"
             "  [14 A, 0.14 s], [24 A, 0.045 s]]}}\n"
             "inputs: {stick.x: 1}\nrun: {duration: 4 s}\n");
    assert_true(expected > 0.1 && expected < 2);
    assert_close(opens_at(&run, "branch.3.closed", expected - 0.05, 4), expected, 1.001e-3);
    assert_true(see(&run, "branch.1.closed") == 1 && see(&run, "branch.2.closed") == 1);
    assert_close(see(&run, "motor.3.current"), 0, 0);
    assert_true(fabs(see(&run, "motor.1.current")) > 1);
    close_run(&run);
}

// ------------------------------------------------------------------------------- limits, brownouts

// Goal: limits hold at every step, for winding and supply, and the book with them. Method: 4 A and
// 3 A a motor on an X-drive that reverses.
static void current_limits_hold(void **state)
{
    (void)state;
    Run run;
    bool stator = false, supply = false;
    open_run(&run, "robot: {kind: holonomic, preset: x-drive, drive: {current_limit: 4 A, "
                   "supply_limit: 3 A}}\n"
                   "inputs: {stick.y: [[0 s, 1], [0.5 s, -1]], turn: 0.2}\n"
                   "run: {duration: 1 s}\n");
    for (int k = 0; k <= 1000; k++) {
        go(&run, k * 1e-3);
        for (int i = 1; i <= 4; i++) {
            double I = fabs(see_at(&run, "motor", i, "current"));
            double drawn = see_at(&run, "motor", i, "supply");
            assert_true(I <= 4 * (1 + 1e-12) && drawn <= 3 * (1 + 1e-12));
            stator |= I > 4 * (1 - 1e-9);
            supply |= drawn > 3 * (1 - 1e-9);
        }
    }
    assert_true(stator && supply);
    assert_close(see(&run, "energy.error"), 0, 1e-6 * see(&run, "energy.battery"));
    close_run(&run);
}

// Goal: a brownout switches the motors off and on again. Method: a worn pack of 0.5 ohm falls, with
// four motors that stand, to 14.15 V R/(R + 4 * 0.5 ohm) = 5.4 V, below the 6.3 V of the
// controller: outputs go off, the voltage comes back, and so on, while it moves all the same.
static void brownouts_switch_the_motors_off(void **state)
{
    (void)state;
    const double R = 12 / 9.8;
    int changes = 0;
    double before = 0, least = 20;
    Run run;
    open_run(&run, "robot: {kind: holonomic, preset: x-drive, battery: {resistance: 0.5 ohm, "
                   "constant_voltage: true}, background_current: 0.1 A, brownout: {}, wheels: "
                   "{model: rolling}}\n"
                   "inputs: {stick.y: 1}\nrun: {duration: 2 s}\n");
    assert_close(see(&run, "battery.voltage"), (14.2 - 0.05) * R / (R + 2), 1e-12);
    for (int k = 1; k <= 2000; k++) {
        go(&run, k * 1e-3);
        double stage = see(&run, "brownout.stage");
        changes += stage != before;
        before = stage;
        least = fmin(least, see(&run, "battery.voltage"));
        if (stage >= 2) assert_close(see(&run, "motor.1.voltage"), 0, 1e-9);
    }
    assert_true(changes >= 3 && least < 6.3 && least >= (14.2 - 0.05) * R / (R + 2) * (1 - 1e-9));
    assert_close(see(&run, "energy.error"), 0, 1e-6 * see(&run, "energy.battery"));
    close_run(&run);
}

// ------------------------------------------------------------------------------- what stands on it

// Goal: a mechanism on it shares the bus, and its weight is carried. Method: an elevator with two
// CIMs on an X-drive, all at standstill: V = A/(1 + Rb (4/R + 2/R_cim)), A = 14.15 V; loads sum to
// the weight of both; then both books.
static void an_elevator_shares_the_bus(void **state)
{
    (void)state;
    const double R = 12 / 9.8, cim = 12.0 / 133;
    Run run;
    open_run(&run,
             "robot: {kind: holonomic, preset: x-drive, breaker: off, battery: {constant_voltage: "
             "true}, mechanisms: {lift: {kind: elevator, motor: cim, motors: 2, reduction: 20,\n"
             "  drum_radius: 2 cm, mass: 3 kg, travel: [0 m, 0.8 m], place: {x: 5 cm, y: 3 cm}}}}\n"
             "inputs: {stick.x: 1, lift: 12 V}\nrun: {duration: 1 s, step: 0.01 ms}\n");
    double load = 0;
    go(&run, 1e-5);
    // 10 us turn the motors to some 0.1 rad/s: 1 mV
    assert_close(see(&run, "battery.voltage"), 14.15 / (1 + 0.1 * (4 / R + 2 / cim)), 2e-3);
    for (int i = 1; i <= 4; i++) load += see_at(&run, "wheel", i, "load");
    assert_close(load, (12 + 3) * 9.80665, 1e-9);
    go(&run, 1);
    assert_true(see(&run, "lift.position") > 0.1 && see(&run, "velocity.left") < -0.3);
    double given = see(&run, "energy.battery");
    assert_close(see(&run, "energy.error"), 0, 1e-6 * given);
    assert_close(see(&run, "lift.energy.error"), 0, 1e-6 * given);
    close_run(&run);
}

// Goal: the books of base and mechanism hold with every law of wheels, also when it is knocked.
// Method: a turning X-drive with an elevator beside its middle, an impulse while that goes up; RK4
// at 1 ms, 1e-6 of what the battery gave.
static void an_elevator_keeps_the_book(void **state)
{
    (void)state;
    static const char *const models[] = {"rolling", "friction_circle", "bristle"};
    for (int i = 0; i < 3; i++) {
        Run run;
        open_run(&run,
                 "robot: {kind: holonomic, preset: x-drive, breaker: off, wheels: {model: %s,\n"
                 "  %s}, mechanisms: {lift: {kind: elevator, motor: cim, reduction: 20,\n"
                 "  drum_radius: 2 cm, mass: 3 kg, travel: [0 m, 0.8 m], place: {x: 10 cm, y: 5 "
                 "cm}}}}\n"
                 "inputs: {stick.x: 0.5, turn: 0.4, lift: 6 V}\n"
                 "disturbances: [{impulse: 5 N*s, direction: 30 deg, point: [0.1 m, 0.1 m], at: "
                 "0.3 s}]\n"
                 "run: {duration: 1 s}\n",
                 models[i], i ? "com_height: 8 cm" : "rolling_resistance: 0.01");
        for (int k = 1; k <= 100; k++) {
            go(&run, 0.01 * k);
            double given = see(&run, "energy.battery");
            assert_close(see(&run, "energy.error"), 0, 1e-6 * given);
            assert_close(see(&run, "lift.energy.error"), 0, 1e-6 * given);
        }
        assert_true(see(&run, "lift.position") > 0.05);
        close_run(&run);
    }
}

// Goal: it has air, and a cylinder on it moves as on a bench. Method: a ram on an X-drive that
// stands still beside the same ram on a bench, with the same battery and tanks, at every 50 ms.
static void a_cylinder_moves_as_on_a_bench(void **state)
{
    (void)state;
    static const char *const rest =
        "battery: {preset: ftc-nimh-3000}, air: frc-charged, mechanisms: {ram: {kind: elevator,\n"
        "  mass: 4 kg, cylinder: {bore: 1 in, stroke: 20 cm, friction: 5 N}}}}\n"
        "start: {ram: {position: 0 m}}\n"
        "inputs: {ram: [[0.2 s, on], [1.2 s, off]]}\nrun: {duration: 2 s, step: 0.2 ms}\n";
    Run base, bench;
    double most = 0;
    open_run(&base, "robot: {kind: holonomic, preset: x-drive, background_current: 0.5 A, %s",
             rest);
    open_run(&bench, "robot: {kind: bench, background_current: 0.5 A, %s", rest);
    for (int k = 1; k <= 40; k++) {
        go(&base, 0.05 * k);
        go(&bench, 0.05 * k);
        // the same steps; sums of forces differ in their last places
        assert_close(see(&base, "ram.position"), see(&bench, "ram.position"), 1e-9);
        assert_close(see(&base, "battery.voltage"), see(&bench, "battery.voltage"), 1e-9);
        most = fmax(most, see(&base, "ram.position"));
    }
    assert_close(most, 0.2, 1e-6);
    assert_close(see(&base, "velocity.forward"), 0, 1e-12);
    close_run(&base);
    close_run(&bench);
}

// Goal: a fault scales one motor's torque, and turns the robot. Method: motor 2 at half its torque:
// Kt I - b w of its own current and speed; an X-drive that strafes with it begins to turn.
static void a_weak_motor_turns_the_robot(void **state)
{
    (void)state;
    const Motor m = rig_neverest();
    Run run;
    open_run(&run, "robot: {kind: holonomic, preset: x-drive, wheels: {model: rolling}}\n"
                   "inputs: {stick.x: 1}\n"
                   "disturbances: [{signal: motor.2.torque, scale: 0.5}]\n"
                   "run: {duration: 0.3 s}\n");
    for (int k = 1; k <= 30; k++) {
        go(&run, 0.01 * k);
        for (int i = 1; i <= 4; i++) {
            double whole = m.Kt * see_at(&run, "motor", i, "current") -
                           m.b * see_at(&run, "motor", i, "speed");
            assert_close(see_at(&run, "motor", i, "torque"), i == 2 ? whole / 2 : whole, 1e-14);
        }
    }
    assert_true(see(&run, "pose.heading") > 0.02); // motor 2 would have turned it back
    close_run(&run);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_main_fuse_blows_when_it_should),
        cmocka_unit_test(branch_breakers_open_by_themselves),
        cmocka_unit_test(current_limits_hold),
        cmocka_unit_test(brownouts_switch_the_motors_off),
        cmocka_unit_test(an_elevator_shares_the_bus),
        cmocka_unit_test(an_elevator_keeps_the_book),
        cmocka_unit_test(a_cylinder_moves_as_on_a_bench),
        cmocka_unit_test(a_weak_motor_turns_the_robot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
