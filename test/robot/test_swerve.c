// The swerve base: its modules by hand, what they and the body make of each other, its book, and
// that it is a holonomic base as long as nobody steers.
#include "robot/swerve.h"

#include "scenario/run_rig.h"

// A motor with round numbers: R = 0.12 ohm, Kt = 0.02 N m/A, Ke = 0.02352 V s/rad, b = 8e-5 N m s.
#define ROUND_MOTOR                                                                                \
    "{voltage: 12 V, stall_torque: 2 N*m, stall_current: 100 A, free_speed: 500 rad/s, "           \
    "free_current: 2 A}"

enum { MODULES = IB_SWERVE_MODULES };

static double see_module(const Run *run, const char *part, int number, const char *what)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%d.%s", part, number, what);
    return see(run, name);
}

static const ib_RobotModel *robot_of(const Run *run)
{
    return &run->scenario->model->robots[0];
}

// The state that this signal shows.
static int state_of(const Run *run, const char *signal)
{
    const ib_RobotPorts *ports = &robot_of(run)->ports;
    for (int i = 0; i < ports->state_count; i++)
        if (ports->states[i].signal && strcmp(ports->states[i].signal, signal) == 0) return i;
    fail_msg("no state %s", signal);
    return -1;
}

static int input_of(const Run *run, const char *name)
{
    const ib_RobotPorts *ports = &robot_of(run)->ports;
    for (int i = 0; i < ports->input_count; i++)
        if (strcmp(ports->inputs[i].name, name) == 0) return i;
    fail_msg("no input %s", name);
    return -1;
}

// ------------------------------------------------------------------------------------- one instant

// Goal: rates of modules and body by hand. Method: on ice, with J = 10^2 2e-5 = 0.002 behind the
// gear and I = 0.006, so that k = 3/4; the body alone has 1.5 kg m^2 - 4 I = 1.476. Module 1 turns
// at q1 with 6 V of 12 asked for, module 2 at q2 with 0; the bus has 12 V - 0.02 ohm current.
static void modules_turn_by_a_rate_found_by_hand(void **state)
{
    (void)state;
    Run run;
    open_run(
        &run,
        "robot: {kind: swerve, inertia: 1.5 kg*m^2, wheels: {mu: 0}, background_current: 0 A,\n"
        "  battery: {open_circuit: 12 V, resistance: 20 mohm, constant_voltage: true},\n"
        "  steer: {motor: " ROUND_MOTOR ", reduction: 10, inertia: 0.006 kg*m^2,\n"
        "    rotor_inertia: 2e-5 kg*m^2, friction: 0.1 N*m*s}}\n"
        "run: {duration: 1 s}\n");
    const ib_RobotModel *robot = robot_of(&run);
    const double R = 0.12, Kt = 0.02, Ke = 0.02352, b = 8e-5, G = 10, c = 0.1, q1 = 3, q2 = -2;
    double x[64], in[64], dx[64];
    assert_true(robot->ports.state_count <= 64 && robot->ports.input_count <= 64);
    robot->kind->reset(robot->config, robot->model, x);
    for (int i = 0; i < robot->ports.input_count; i++) in[i] = robot->ports.inputs[i].neutral;
    in[input_of(&run, "module.1.steer")] = 6;
    x[state_of(&run, "module.1.rate")] = q1;
    x[state_of(&run, "module.1.angle")] = 0.7;
    x[state_of(&run, "module.2.rate")] = q2;
    x[state_of(&run, "velocity.heading")] = 1.2;
    robot->kind->rate(robot->model, x, in, dx);

    // V = 12 - 0.02 I/2,  I = (V/2 - Ke G q1)/R
    double I1 = (6 - Ke * G * q1) / (R + 0.02 / 4), I2 = -Ke * G * q2 / R;
    double t1 = G * (Kt * I1 - b * G * q1) - c * q1, t2 = G * (Kt * I2 - b * G * q2) - c * q2;
    double k = 0.75, dw = -k * (t1 + t2) / (1.476 + 4 * 0.002 * k);
    assert_close(dx[state_of(&run, "velocity.heading")], dw, 1e-12);
    assert_close(dx[state_of(&run, "module.1.rate")], t1 / 0.008 - k * dw, 1e-10);
    assert_close(dx[state_of(&run, "module.2.rate")], t2 / 0.008 - k * dw, 1e-10);
    assert_close(dx[state_of(&run, "module.3.rate")], -k * dw, 1e-12);
    assert_close(dx[state_of(&run, "module.1.angle")], q1, 0);
    assert_close(dx[state_of(&run, "energy.bearings")], c * (q1 * q1 + q2 * q2), 1e-12);
    close_run(&run);
}

// --------------------------------------------------------------------------------- free of a floor

static const char *const rotors[] = {"0", "3e-5"};

// Goal: steering turns the body the other way, and nothing else. Method: on ice, with motors that
// steer hard: I0 w + sum I (w + q) stays what it was, and so does the velocity, with rotors and
// without; both are linear in the state, which RK4 keeps to rounding.
static void steering_keeps_angular_momentum(void **state)
{
    (void)state;
    const double I = 0.04, whole = 2;
    for (int i = 0; i < 2; i++) {
        Run run;
        open_run(
            &run,
            "robot: {kind: swerve, inertia: 2 kg*m^2, wheels: {mu: 0}, drive: {motor: neo},\n"
            "  steer: {motor: neo, inertia: 0.04 kg*m^2, rotor_inertia: %s kg*m^2}}\n"
            "start: {heading: 1 rad, velocity: {x: 0.7 m/s, y: -0.4 m/s, heading: 0.5 rad/s}}\n"
            "inputs:\n"
            "  module.1.drive: 0.5\n"
            "  module.1.steer: [[0 s, 12 V], [0.5 s, -3 V]]\n"
            "  module.2.steer: [[0 s, 12 V], [0.7 s, 0 V]]\n"
            "  module.4.steer: {wave: sine, amplitude: 8 V, frequency: 3 Hz}\n"
            "run: {duration: 2 s, step: 1 ms}\n",
            rotors[i]);
        double turned = 0;
        for (int n = 1; n <= 40; n++) {
            go(&run, 0.05 * n);
            double w = see(&run, "velocity.heading"), L = (whole - MODULES * I) * w;
            for (int k = 1; k <= MODULES; k++) L += I * (w + see_module(&run, "module", k, "rate"));
            assert_close(L, whole * 0.5, 1e-12);
            turned = fmax(turned, fabs(w - 0.5));
        }
        assert_true(turned > 0.5);
        assert_close(see(&run, "velocity.x"), 0.7, 1e-11);
        assert_close(see(&run, "velocity.y"), -0.4, 1e-11);
        close_run(&run);
    }
}

// Goal: a knock turns the body, and modules go on over the floor as their bearings let them.
// Method: 4 N s to the left, 0.3 m before the middle of a robot of 40 kg that stands. By hand
// dw = 1.2/(I0 + 4 J k), dq = -k dw, with J = 0 and J = 20^2 3e-5; the energy of all is half of
// the impulse times what it made.
static void a_knock_leaves_modules_behind(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        Run run;
        open_run(&run,
                 "robot: {kind: swerve, mass: 40 kg, inertia: 2 kg*m^2,\n"
                 "  steer: {reduction: 20, inertia: 0.04 kg*m^2, rotor_inertia: %s kg*m^2}}\n"
                 "run: {duration: 1 s}\n",
                 rotors[i]);
        const ib_RobotModel *robot = robot_of(&run);
        const double J = i ? 400 * 3e-5 : 0, k = 0.04 / (0.04 + J);
        double x[64], in[64], push[IB_PUSH_COUNT] = {0};
        robot->kind->reset(robot->config, robot->model, x);
        ib_push_add(push, 0, 4, 0.3, 0);
        ib_planar_respond(robot->ports.planar, robot->kind, robot->model, x, push, x);
        for (int n = 0; n < robot->ports.input_count; n++) in[n] = robot->ports.inputs[n].neutral;
        robot->kind->output(robot->model, x, in, run.signals);

        double w = 1.2 / (2 - 4 * 0.04 + 4 * J * k);
        assert_close(see(&run, "velocity.heading"), w, 1e-15);
        for (int n = 1; n <= MODULES; n++)
            assert_close(see_module(&run, "module", n, "rate"), -k * w, 1e-15);
        assert_close(see(&run, "energy.kinetic") + see(&run, "energy.steering"),
                     0.5 * (4 * 0.1 + 1.2 * w), 1e-14);
        close_run(&run);
    }
}

// ---------------------------------------------------------------------------------------- its book

// Drives, turns its modules there and back and all around, is pushed, knocked, hits the walls and
// leans on one; with breakers, gears that lose, and an arm that it feels, which strikes its stops.
static const char manoeuvre[] =
    "robot: {kind: swerve, battery: es17-12-match, branch_breaker: snap-40, brownout: {},\n"
    "  drive: {motor: neo, rotor_inertia: 3e-5 kg*m^2, efficiency: 0.92, loss: coulomb},\n"
    "  steer: {motor: neo, rotor_inertia: %s kg*m^2}, wheels: {model: %s, com_height: %s,\n"
    "    rolling_resistance: 0.01}%s}\n"
    "start: {x: 1.5 m, y: 1.2 m, heading: 20 deg, velocity: {x: 1 m/s, heading: 1 rad/s}}\n"
    "inputs:\n"
    "  module.1.drive: [[0 s, 0.4], [0.6 s, 0.2], [1 s, -0.4], [1.6 s, 0]]\n"
    "  module.2.drive: [[0 s, 0.4], [0.6 s, 0], [1 s, -0.2], [1.6 s, 0]]\n"
    "  module.3.drive: [[0 s, 0.4], [0.6 s, 0.4], [1 s, -0.4], [1.6 s, 0]]\n"
    "  module.4.drive: [[0 s, 0.4], [0.6 s, 0.1], [1 s, -0.4], [1.6 s, 0.3]]\n"
    "  module.1.steer: [[0 s, 0 V], [0.3 s, 3 V], [0.6 s, 0 V], [1.2 s, -4 V]]\n"
    "  module.2.steer: [[0 s, 0 V], [0.3 s, 3 V], [0.6 s, 0 V], [1.2 s, 12 V]]\n"
    "  module.3.steer: [[0 s, 0 V], [0.3 s, -3 V], [0.6 s, 0 V], [1.2 s, -4 V]]\n"
    "  module.4.steer: [[0 s, 0 V], [0.3 s, -9 V], [0.6 s, 0 V], [1.2 s, 2 V]]\n%s"
    "disturbances:\n"
    "  - {tilt: 4 deg, direction: 60 deg, at: 0.2 s, for: 1 s}\n"
    "  - {force: 60 N, direction: 100 deg, point: [0.2 m, 0.1 m], at: 0.5 s, for: 0.7 s}\n"
    "  - {impulse: 12 N*s, direction: -50 deg, point: [-0.1 m, 0.3 m], at: 1.1 s}\n"
    "  - {signal: steer.2.torque, scale: 0.6, at: 0.3 s, for: 1 s}\n"
    "field: {walls: {length: 2.4 m, width: 2.4 m}}\n"
    "run: {duration: 2 s, %s}\n";
static const char arm[] = ", mechanisms: {arm: {kind: arm, preset: frc971-2018, reaction: true,\n"
                          "    place: {y: 20 cm}, joint1: {travel: [-60 deg, 60 deg]}}}";
static const char arm_moves[] = "  arm.volts1: [[0 s, 12 V], [1 s, -12 V]]\n";

// The largest error of the book over the run, as part of what battery and pushes gave so far.
static double worst_book(Run *run)
{
    double worst = 0;
    for (int n = 1; n <= 100; n++) {
        go(run, 0.02 * n);
        double given = see(run, "energy.battery") + fabs(see(run, "energy.push"));
        assert_true(given > 0);
        worst = fmax(worst, fabs(see(run, "energy.error")) / given);
    }
    assert_true(see(run, "energy.bearings") > 0 && see(run, "energy.collision") > 0);
    assert_true(fabs(see(run, "module.2.angle")) > 1 && see(run, "contact.hits") > 0);
    return worst;
}

// Goal: the book balances to 1e-6 of the energy at hand with both laws of the wheels and with every
// solver. Method: the manoeuvre, with and without rotors and an arm; what is left is the solver's.
static void book_balances_in_every_manoeuvre(void **state)
{
    (void)state;
    static const char *const models[] = {"friction_circle", "bristle"};
    static const char *const solvers[] = {"solver: rk4, step: 1 ms",
                                          "solver: dopri5, tolerance: 1e-9",
                                          "solver: rosenbrock, tolerance: 1e-7"};
    for (int m = 0; m < 2; m++)
        for (int s = 0; s < 3; s++)
            for (int i = 0; i < 2; i++) {
                Run run;
                open_run(&run, manoeuvre, rotors[i], models[m], i ? "0 m" : "12 cm", i ? arm : "",
                         i ? arm_moves : "", solvers[s]);
                double worst = worst_book(&run);
                if (!(worst <= 1e-6))
                    fail_msg("%s, %s, %s: off by %.3g", models[m], solvers[s], rotors[i], worst);
                close_run(&run);
            }
}

// ----------------------------------------------------------------------------------- nobody steers

#define SAME_BASE                                                                                  \
    "mass: 40 kg, inertia: 3 kg*m^2, length: 30 in, width: 26 in, battery: es17-12-match,\n"       \
    "  drive: {motor: neo, reduction: 6.75, rotor_inertia: 3e-5 kg*m^2, efficiency: 0.9}"
#define SAME_START                                                                                 \
    "start: {heading: 20 deg, velocity: {x: 0.5 m/s, y: 0.3 m/s, heading: 40 deg/s}}\n"

// A swerve base at (+-11 in, +-9 in); rotors of 1e3 kg m^2 behind 1e4 to 1 hold its modules.
static const char held_swerve[] =
    "robot: {kind: swerve, " SAME_BASE ",\n"
    "  modules: {inset: 4 in}, steer: {motor: neo, reduction: 1e4, rotor_inertia: 1000 kg*m^2},\n"
    "  wheels: {model: %s, com_height: %s}}\n" SAME_START "inputs:\n"
    "  module.1.drive: [[0 s, 0.25], [0.5 s, -0.9]]\n"
    "  module.2.drive: [[0 s, 0.5], [0.5 s, 0.9]]\n"
    "  module.3.drive: [[0 s, 0.5], [0.5 s, 0.9]]\n"
    "  module.4.drive: [[0 s, 0.25], [0.5 s, -0.9]]\n"
    "run: {duration: 1 s, step: 0.1 ms}\n";
static const char same_holonomic[] =
    "robot: {kind: holonomic, " SAME_BASE ",\n"
    "  wheels: {model: %s, com_height: %s, at: [\n"
    "    {x: 11 in, y: -9 in, direction: 0 deg}, {x: 11 in, y: 9 in, direction: 0 deg},\n"
    "    {x: -11 in, y: 9 in, direction: 0 deg}, {x: -11 in, y: -9 in, direction: 0 "
    "deg}]}}\n" SAME_START
    "inputs: {stick.y: [[0 s, 0.375], [0.5 s, 0]], turn: [[0 s, 0.125], [0.5 s, 0.9]]}\n"
    "run: {duration: 1 s, step: 0.1 ms}\n";

// Goal: with modules that are held it is the holonomic base whose wheels stand that way. Method: a
// drive with a start in a spin and a turn on the spot, both laws, with and without weight transfer:
// pose, velocity and forces to 1e-9. Its rotors, which hold modules, give way by I/J = 5e-14.
static void held_modules_make_it_a_holonomic_base(void **state)
{
    (void)state;
    static const char *const models[] = {"friction_circle", "bristle"};
    static const char *const heights[] = {"0 m", "15 cm"};
    static const char *const names[] = {
        "pose.x",         "pose.y",        "pose.heading",  "velocity.forward", "velocity.left",
        "wheel.1.speed",  "wheel.3.force", "wheel.4.side",  "wheel.2.load",     "battery.current",
        "energy.battery", "energy.tyre",   "energy.copper", "energy.kinetic",   "velocity.heading"};
    for (int i = 0; i < 4; i++) {
        Run swerve, same;
        open_run(&swerve, held_swerve, models[i / 2], heights[i % 2]);
        open_run(&same, same_holonomic, models[i / 2], heights[i % 2]);
        for (int n = 1; n <= 10; n++) {
            go(&swerve, 0.1 * n);
            go(&same, 0.1 * n);
            for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
                double expected = see(&same, names[k]), got = see(&swerve, names[k]);
                // The holonomic base has its modules' share of the energy in its own.
                if (strcmp(names[k], "energy.kinetic") == 0) got += see(&swerve, "energy.steering");
                assert_close(got, expected, 1e-9 * fmax(1, fabs(expected)));
            }
        }
        assert_true(fabs(see(&same, "pose.heading")) > 0.5);
        close_run(&swerve);
        close_run(&same);
    }
}

// ---------------------------------------------------------------------------------------- refusals

// Goal: what cannot be is refused with its key. Method: one mistake each.
static void refuses_what_cannot_be(void **state)
{
    (void)state;
    static const struct {
        const char *words, *keys;
    } cases[] = {
        {"modules.inset: the modules would stand on each other", "modules: {inset: 14 in}"},
        {"steer.inertia: four modules have 8 kg*m^2", "steer: {inertia: 2 kg*m^2}"},
        {"wheels.com_height: at 0.5 m the robot would tip over", "wheels: {com_height: 0.5 m}"},
        {"wheels.inertia: wheels that slip need an inertia", "wheels: {inertia: 0 kg*m^2}"},
        {"wheels.mu_static: expected at least mu", "wheels: {model: bristle, mu_static: 0.5}"},
        {"wheels.model", "wheels: {model: rolling}"},
        {"steer.friction", "steer: {friction: -1 N*m*s}"},
        {"steer.motor.free_current",
         "steer: {motor: {voltage: 12 V, stall_torque: 1 N*m, stall_current: 1 A, free_speed: "
         "1 rad/s, free_current: 2 A}}"},
        {"mechanisms.steer: the swerve has 'steer.1.torque' already",
         "mechanisms: {steer: {kind: flywheel}}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refuse_run(cases[i].words, "robot: {kind: swerve, %s}\nrun: {duration: 1 s}\n",
                   cases[i].keys);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_turn_by_a_rate_found_by_hand),
        cmocka_unit_test(steering_keeps_angular_momentum),
        cmocka_unit_test(a_knock_leaves_modules_behind),
        ib_plain_test(book_balances_in_every_manoeuvre),
        ib_plain_test(held_modules_make_it_a_holonomic_base),
        cmocka_unit_test(refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
