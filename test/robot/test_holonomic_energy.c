// The holonomic base's energy book, what it keeps when nothing acts on it, and the forces that it
// shows between wheels and floor.
#include "robot/holonomic_rig.h"
#include "robot/parts.h"
#include "spread.h"

static const char *const presets[] = {"x-drive", "mecanum", "kiwi", "h-drive", "swerve"};
static const char *const models[] = {"rolling", "friction_circle", "bristle"};
enum { PRESETS = 5, MODELS = 3, SWERVE = 4, ROLLING = 0 };

// ------------------------------------------------------------------------------------- whole books

// A start, a strafe, a turn meanwhile, a reversal, a stop; a slope, a push, a knock, a weak motor,
// gears and motors that lose.
static const char manoeuvre[] =
    "robot: {kind: holonomic, preset: %s, breaker: off, brownout: {},\n"
    "  wheels: {model: %s, rolling_resistance: 0.01%s},\n"
    "  drive: {efficiency: 0.92, loss: %s}}\n"
    "start: {heading: 20 deg, velocity: {x: 0.3 m/s, y: 0.2 m/s, heading: 40 deg/s}}\n"
    "inputs:\n"
    "  stick.y: [[0 s, 1], [0.6 s, 0.2], [1 s, -1], [1.6 s, 0]]\n"
    "  stick.x: [[0 s, 0], [0.6 s, 1], [1 s, -0.3], [1.6 s, 0]]\n"
    "  turn: [[0 s, 0], [0.8 s, 0.4], [1.3 s, -0.6], [1.6 s, 0]]\n"
    "disturbances:\n"
    "  - {tilt: 4 deg, direction: 60 deg, at: 0.2 s, for: 1 s}\n"
    "  - {force: 20 N, direction: 100 deg, point: [0.2 m, 0.1 m], at: 0.5 s, for: 0.7 s}\n"
    "  - {impulse: 4 N*s, direction: -50 deg, point: [-0.1 m, 0.1 m], at: 1.1 s}\n"
    "  - {signal: motor.2.torque, scale: 0.6, at: 0.3 s, for: 1 s}\n"
    "run: {duration: 2 s, %s}\n";

// The largest error of the book over the run, as part of what battery and pushes gave so far.
static double worst_book(Run *run)
{
    double worst = 0;
    for (int k = 1; k <= 200; k++) {
        go(run, 0.01 * k);
        double given = see(run, "energy.battery") + fabs(see(run, "energy.push"));
        assert_true(given > 0);
        worst = fmax(worst, fabs(see(run, "energy.error")) / given);
    }
    assert_true(see(run, "energy.battery") > 50);
    assert_true(see(run, "energy.loss") > 0 && see(run, "energy.gear") > 0);
    assert_true(see(run, "energy.tyre") > 0 && see(run, "energy.rotors") >= 0);
    return worst;
}

// Goal: the book balances to 1e-6 of the energy at hand with every preset, law of wheels and
// solver. Method: the manoeuvre with all that can disturb it; the book is off by what the solver is
// off by.
static void book_balances_with_every_preset_law_and_solver(void **state)
{
    (void)state;
    static const char *const solvers[] = {"solver: rk4, step: 1 ms",
                                          "solver: dopri5, tolerance: 1e-9",
                                          "solver: rosenbrock, tolerance: 1e-7"};
    for (int i = 0; i < PRESETS; i++)
        for (int m = 0; m < MODELS; m++)
            for (int s = 0; s < 3; s++) {
                if (i == SWERVE && m == ROLLING) continue; // it could not turn
                Run run;
                open_run(&run, manoeuvre, presets[i], models[m], "", "viscous", solvers[s]);
                double worst = worst_book(&run);
                if (!(worst <= 1e-6))
                    fail_msg("%s, %s, %s: off by %.3g", presets[i], models[m], solvers[s], worst);
                close_run(&run);
            }
}

// Goal: weight transfer and Coulomb loss keep the book. Method: the same, centre of mass 12 cm up.
static void book_balances_with_weight_transfer(void **state)
{
    (void)state;
    for (int i = 0; i < PRESETS; i++)
        for (int m = 1; m < MODELS; m++) {
            Run run;
            open_run(&run, manoeuvre, presets[i], models[m], ", com_height: 12 cm", "coulomb",
                     "step: 1 ms");
            double worst = worst_book(&run);
            if (!(worst <= 1e-6)) fail_msg("%s, %s: off by %.3g", presets[i], models[m], worst);
            close_run(&run);
        }
}

// ------------------------------------------------------------------------------------- free motion

// Goal: what nothing acts on keeps its momentum, while it turns. Method: on ice (mu 0), with motors
// that spin; and on wheels that never slip, without inertia, motors that coast without loss. Field
// velocity and yaw rate after 5 s, and the straight way; RK4 at 1 ms of a turn at 2 rad/s leaves
// (2e-3)^5/120 of a step's velocity, 1e-12 in all.
static void nothing_changes_a_free_motion(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * SWERVE; i++) {
        bool ice = i % 2;
        Run run;
        open_run(&run,
                 "robot: {kind: holonomic, preset: %s, wheels: %s, breaker: off,\n"
                 "  drive: {neutral: coast, loss: none, rotor_inertia: %s kg*m^2}}\n"
                 "start: {heading: 1 rad, velocity: {x: 0.7 m/s, y: -0.4 m/s, heading: 2 rad/s}}\n"
                 "inputs: {stick.x: %d}\n"
                 "run: {duration: 5 s, step: 1 ms}\n",
                 presets[i / 2], ice ? "{mu: 0}" : "{model: rolling, inertia: 0 kg*m^2}",
                 ice ? "4e-6" : "0", ice);
        go(&run, 5);
        assert_close(see(&run, "velocity.x"), 0.7, 1e-11);
        assert_close(see(&run, "velocity.y"), -0.4, 1e-11);
        assert_close(see(&run, "velocity.heading"), 2, 1e-12);
        assert_close(see(&run, "pose.x"), 3.5, 1e-10);
        assert_close(see(&run, "pose.y"), -2, 1e-10);
        assert_close(see(&run, "pose.heading"), 11, 1e-11);
        if (ice) assert_true(fabs(see(&run, "motor.3.speed")) > 100);
        close_run(&run);
    }
}

// ------------------------------------------------------------------------------------------ forces

// A robot that moves anyhow, with wheels that spin and bristles that are bent, and any stick.
static void draw_instant(uint64_t *seed, const ib_RobotModel *robot, double *x, double *in)
{
    const ib_HolonomicModel *h = ib_parts_own(robot->model);
    const ib_PlanarModel *body = robot->ports.planar;
    robot->kind->reset(robot->config, robot->model, x);
    x[body->heading] = spread(seed, -3, 3);
    x[body->velocity[0]] = spread(seed, -2, 2);
    x[body->velocity[1]] = spread(seed, -2, 2);
    x[body->yaw_rate] = spread(seed, -3, 3);
    for (int i = 0; h->rims.speed >= 0 && i < h->rims.count; i++)
        x[h->rims.speed + i] = spread(seed, -30, 30);
    for (int i = 0; h->rims.bristles >= 0 && i < 2 * h->rims.layout.wheel_count; i++)
        x[h->rims.bristles + i] = spread(seed, -4e-5, 4e-5);
    for (int i = 0; i < robot->ports.input_count; i++) in[i] = robot->ports.inputs[i].neutral;
    in[IB_GRAVITY] = 9.80665;
    in[IB_HOLONOMIC_STICK_X] = spread(seed, -1, 1);
    in[IB_HOLONOMIC_STICK_Y] = spread(seed, -1, 1);
    in[IB_HOLONOMIC_TURN] = spread(seed, -1, 1);
}

// What the floor does to the body, from its signals: force along x and y, torque about the middle.
static void sum_forces(const Run *run, const ib_HolonomicModel *h, double sum[3])
{
    sum[0] = sum[1] = sum[2] = 0;
    for (int k = 0; k < h->rims.layout.wheel_count; k++) {
        const ib_PatchRim *rim = &h->rims.rim[h->rims.layout.rim[k]];
        double along = see_at(run, "wheel", k + 1, "force");
        double side = see_at(run, "wheel", k + 1, "side");
        double fx = along * rim->roll_x - side * rim->roll_y;
        double fy = along * rim->roll_y + side * rim->roll_x;
        sum[0] += fx;
        sum[1] += fy;
        sum[2] += h->rims.patch.x[k] * fy - h->rims.patch.y[k] * fx;
    }
}

// Goal: nothing but the forces that it shows accelerates a robot that nobody pushes, and the loads
// carry its weight. Method: sum F = M (u' - w n, n' + w u), sum torque = I w', at 100 random
// instants of every preset and law, with rolling resistance and gears that lose; some 100 N and
// 10 N m to rounding.
static void forces_are_those_that_accelerate(void **state)
{
    (void)state;
    uint64_t seed = 31;
    for (int i = 0; i < PRESETS * MODELS; i++) {
        if (i / MODELS == SWERVE && i % MODELS == ROLLING) continue;
        Run run;
        open_run(&run,
                 "robot: {kind: holonomic, preset: %s, wheels: {model: %s, rolling_resistance: "
                 "0.02}, drive: {efficiency: 0.9}}\nrun: {duration: 1 s}\n",
                 presets[i / MODELS], models[i % MODELS]);
        const ib_RobotModel *robot = &run.scenario->model->robots[0];
        const ib_HolonomicModel *h = ib_parts_own(robot->model);
        const ib_PlanarModel *body = robot->ports.planar;
        for (int k = 0; k < 100; k++) {
            double x[64], in[64], dx[64], sum[3], load = 0;
            draw_instant(&seed, robot, x, in);
            robot->kind->rate(robot->model, x, in, dx);
            robot->kind->output(robot->model, x, in, run.signals);
            sum_forces(&run, h, sum);
            double u = x[body->velocity[0]], n = x[body->velocity[1]], w = x[body->yaw_rate];
            assert_close(sum[0], h->mass * (dx[body->velocity[0]] - w * n), 1e-10);
            assert_close(sum[1], h->mass * (dx[body->velocity[1]] + w * u), 1e-10);
            assert_close(sum[2], h->inertia * dx[body->yaw_rate], 1e-10);
            for (int j = 0; j < h->rims.layout.wheel_count; j++)
                load += see_at(&run, "wheel", j + 1, "load");
            assert_close(load, h->mass * 9.80665, 1e-10);
        }
        close_run(&run);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        ib_plain_test(book_balances_with_every_preset_law_and_solver),
        cmocka_unit_test(book_balances_with_weight_transfer),
        cmocka_unit_test(nothing_changes_a_free_motion),
        cmocka_unit_test(forces_are_those_that_accelerate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
