// Robots that are lists of parts: the order of their rate, and what a base and what stands on it
// make of each other.
#include "robot/cylinder_rig/cylinder_rig.h"
#include "robot/parts.h"

#include "robot/holonomic_rig.h"
#include "spread.h"

// Any state that a robot may be in, and any inputs: around its start.
static void draw_instant(uint64_t *seed, const ib_RobotModel *robot, double *x, double *in)
{
    robot->kind->reset(robot->config, robot->model, x);
    for (int i = 0; i < robot->ports.sum_from; i++)
        if (x[i] == 0) x[i] = spread(seed, -2, 2);
    for (int i = 0; i < robot->ports.input_count; i++) in[i] = robot->ports.inputs[i].neutral;
    for (int i = 0; i < IB_GRAVITY; i++) in[i] = spread(seed, -5, 5);
    in[IB_GRAVITY] = 9.80665;
    for (int i = IB_ENVIRONMENT_COUNT; i < IB_ENVIRONMENT_COUNT + 3; i++)
        in[i] = spread(seed, -1, 1);
}

// Goal: parts that are compiled as one function are the list of parts, to the bit. Method: rates of
// 200 random instants of every law of the wheels, with resistance to rolling, gears that lose, a
// limit of current, and windings that warm up.
static void flat_rates_are_those_of_the_list(void **unused)
{
    (void)unused;
    static const char *const models[] = {"rolling", "friction_circle", "bristle"};
    static const char *const drives[] = {"", "efficiency: 0.9, loss: coulomb",
                                         "neutral: coast, current_limit: 20 A",
                                         "thermal: {}, supply_limit: 10 A"};
    uint64_t seed = 51;
    for (int i = 0; i < 12; i++) {
        Run run;
        open_run(&run,
                 "robot: {kind: holonomic, preset: mecanum, wheels: {model: %s, "
                 "rolling_resistance: %s}, drive: {%s}}\nrun: {duration: 1 s}\n",
                 models[i % 3], i % 2 ? "0.02" : "0", drives[i / 3]);
        const ib_RobotModel *robot = &run.scenario->model->robots[0];
        assert_true(((const ib_PartsModel *)robot->model)->own_rate !=
                    ib_parts_rate); // or nothing is compared
        for (int k = 0; k < 200; k++) {
            double x[64], in[64], flat[64], list[64];
            int count = robot->ports.state_count;
            assert_true(count <= 64 && robot->ports.input_count <= 64);
            draw_instant(&seed, robot, x, in);
            robot->kind->rate(robot->model, x, in, flat);
            ib_parts_rate(robot->model, x, in, list, NULL);
            assert_memory_equal(flat, list, (size_t)count * sizeof *flat);
        }
        close_run(&run);
    }
}

// Goal: rates and guards asked for together are those asked for one by one, to the bit. Method: 200
// random instants of bases with a rate of their own and of lists, with guards of breakers, of a
// brownout, of the air and of mechanisms.
static void rates_and_guards_together_are_those_of_each(void **unused)
{
    (void)unused;
    static const char *const robots[] = {
        "tank, breaker: {}, brownout: {}, branch_breaker: {}, drive: {efficiency: 0.9}",
        "tank, wheels: {model: friction_circle}, brownout: {}, air: {cylinders: {arm: {}}}",
        "tank, equations: published, air: {cylinders: {arm: {}}}",
        "tank, brownout: {}, payload: {mass: 5 kg}",
        "holonomic, preset: mecanum, brownout: {}, drive: {neutral: coast}",
        ("holonomic, preset: x-drive, brownout: {}, mechanisms: {lift: {kind: elevator, travel: "
         "[0 m, 1 m]}, arm: {kind: arm, preset: frc971-2018, reaction: true}}"),
    };
    uint64_t seed = 53;
    for (int i = 0; i < (int)(sizeof robots / sizeof *robots); i++) {
        Run run;
        open_run(&run, "robot: {kind: %s}\n%srun: {duration: 1 s}\n", robots[i],
                 i < 4 ? "inputs: {throttle: 0}\n" : "");
        const ib_RobotModel *robot = &run.scenario->model->robots[0];
        assert_true(robot->ports.guard_count > 0 && robot->ports.guard_count <= 16);
        assert_non_null(robot->kind->rate_and_guards);
        for (int k = 0; k < 200; k++) {
            double x[64], in[64], rate[2][64] = {{0}}, guards[2][16] = {{0}};
            assert_true(robot->ports.state_count <= 64 && robot->ports.input_count <= 64);
            draw_instant(&seed, robot, x, in);
            robot->kind->rate(robot->model, x, in, rate[0]);
            robot->kind->guard(robot->model, x, in, guards[0]);
            robot->kind->rate_and_guards(robot->model, x, in, rate[1], guards[1]);
            assert_memory_equal(rate[0], rate[1], sizeof rate[0]);
            assert_memory_equal(guards[0], guards[1], sizeof guards[0]);
        }
        close_run(&run);
    }
}

// Goal: the Roomba's own rate is that of its body and its drags. Method: rates of 200 random
// instants of all three forms of the equations; products are added in another order, terms are up
// to 1e4.
static void the_roombas_own_rate_is_that_of_the_list(void **unused)
{
    (void)unused;
    static const char *const forms[] = {"corrected", "published", "published-eq3"};
    uint64_t seed = 52;
    for (int i = 0; i < 3; i++) {
        Run run;
        open_run(&run,
                 "robot: {kind: roomba, equations: %s}\ninputs: {left: 1 N, right: 1 N}\n"
                 "run: {duration: 1 s}\n",
                 forms[i]);
        const ib_RobotModel *robot = &run.scenario->model->robots[0];
        assert_true(((const ib_PartsModel *)robot->model)->own_rate != ib_parts_rate);
        for (int k = 0; k < 200; k++) {
            double x[8], in[32], own[8], list[8];
            draw_instant(&seed, robot, x, in);
            robot->kind->rate(robot->model, x, in, own);
            ib_parts_rate(robot->model, x, in, list, NULL);
            for (int n = 0; n < robot->ports.state_count; n++)
                assert_close(own[n], list[n], 1e-14 * 1e4 * (1 + fabs(list[n])));
        }
        close_run(&run);
    }
}

// Goal: bridges that nothing limits are those of the general bus where that collapses, and where
// nothing feeds it. Method: a battery of 2 ohm at stick and speed against each other, and a main
// breaker that is open: no current flows, and motors turn as the wheels do.
static void free_bridges_are_solved_in_general_too(void **unused)
{
    (void)unused;
    for (int open = 0; open < 2; open++) {
        Run run;
        open_run(&run,
                 "robot: {kind: holonomic, preset: x-drive, battery: {resistance: %s}, breaker: "
                 "{}}\nstart: {velocity: {x: %s}}\nrun: {duration: 1 s}\n",
                 open ? "10 mohm" : "2 ohm", open ? "1 m/s" : "-20 m/s");
        const ib_RobotModel *robot = &run.scenario->model->robots[0];
        const ib_PowerModel *power = &((const ib_PartsModel *)robot->model)->feed.power;
        double x[64], in[64] = {0}, rate[64];
        assert_true(((const ib_PartsModel *)robot->model)->feed.free);
        robot->kind->reset(robot->config, robot->model, x);
        for (int i = 0; i < robot->ports.input_count; i++) in[i] = robot->ports.inputs[i].neutral;
        in[IB_HOLONOMIC_STICK_Y] = 1;
        if (open) x[power->breaker_state + IB_BREAKER_CLOSED] = 0;
        robot->kind->rate(robot->model, x, in, rate);
        robot->kind->output(robot->model, x, in, run.signals);
        assert_true(see(&run, "battery.voltage") == 0);
        assert_true(see(&run, "battery.collapsed") == !open);
        if (open) {
            assert_true(see(&run, "battery.current") == 0 && see(&run, "motor.1.current") == 0);
            assert_true(rate[power->books.used] == 0);
        } else { // what the battery gives into a short circuit
            double most = power->battery.open_circuit / 2;
            assert_close(see(&run, "battery.current"), most, 1e-9);
            assert_close(rate[power->books.used], most, 1e-9);
        }
        close_run(&run);
    }
}

// Goal: what is declared is there once: every state of a robot with mechanisms is shown by at most
// one signal, no rate reads a sum, and every sum has a rate. Method: rates where all sums are NaN
// have the bits of those where they are not.
static void no_rate_depends_on_a_sum(void **unused)
{
    (void)unused;
    uint64_t seed = 52;
    Run run;
    open_run(&run,
             "robot: {kind: holonomic, preset: x-drive, brownout: {}, drive: {thermal: {}},\n"
             "  mechanisms: {lift: {kind: elevator, travel: [0 m, 1 m], thermal: {}},\n"
             "    fly: {kind: flywheel}, arm: {kind: arm, preset: frc971-2018, reaction: true}}}\n"
             "inputs: {lift: 1 V}\nrun: {duration: 1 s}\n");
    const ib_RobotModel *robot = &run.scenario->model->robots[0];
    const ib_RobotPorts *ports = &robot->ports;
    double x[128], in[128], dx[128], other[128];
    assert_true(ports->state_count <= 128 && ports->input_count <= 128);
    assert_true(ports->sum_to == ports->state_count && ports->sum_from < ports->sum_to);
    for (int k = 0; k < 50; k++) {
        draw_instant(&seed, robot, x, in);
        robot->kind->rate(robot->model, x, in, dx);
        for (int i = ports->sum_from; i < ports->sum_to; i++) x[i] = (double)NAN;
        robot->kind->rate(robot->model, x, in, other);
        assert_memory_equal(dx, other, (size_t)ports->state_count * sizeof *dx);
        for (int i = 0; i < ports->state_count; i++) assert_true(isfinite(dx[i]));
    }
    for (int i = 0; i < ports->state_count; i++)
        for (int k = 0; k < i && ports->states[i].signal; k++)
            assert_true(!ports->states[k].signal ||
                        strcmp(ports->states[i].signal, ports->states[k].signal) != 0);
    close_run(&run);
}

// Goal: a robot knows its Jacobian where a part knows its own columns and others stand beside it.
// Method: central differences of its rate, of a rig's cylinder and a lift at an instant at which
// both move; a one-sided difference is off by some 1e-8 of a rate's scale, and by f'' d/2.
static void a_rig_beside_a_lift_knows_its_jacobian(void **unused)
{
    (void)unused;
    Run run;
    open_run(
        &run,
        "robot: {kind: cylinder_rig, mechanisms: {lift: {kind: elevator, travel: [0 m, 1 m]}}}\n"
        "start: {position: 20 mm, velocity: 0.2 m/s, cap: {pressure: 300 kPa},\n"
        "  rod: {pressure: 350 kPa}, lift: {position: 0.5 m, velocity: 0.3 m/s}}\n"
        "inputs: {valve: 6 V, lift: 3 V}\nrun: {duration: 1 s}\n");
    const ib_RobotModel *robot = &run.scenario->model->robots[0];
    const ib_RobotPorts *ports = &robot->ports;
    enum { MOST = 64 };
    double x[MOST], in[MOST], up[MOST], down[MOST], J[MOST * MOST] = {0};
    int n = ports->state_count, sums = ports->sum_from;
    assert_true(n <= MOST && ports->input_count <= MOST);
    memcpy(x, ib_sim_state(run.sim), (size_t)n * sizeof *x);
    for (int i = 0; i < ports->input_count; i++) {
        const char *name = ports->inputs[i].name;
        in[i] = strcmp(name, "valve") == 0  ? 6
                : strcmp(name, "lift") == 0 ? 3
                                            : ports->inputs[i].neutral;
    }
    in[IB_GRAVITY] = 9.80665;
    assert_non_null(robot->kind->jacobian);
    assert_true(robot->kind->jacobian(robot->model, x, in, J, n));
    for (int j = 0; j < sums; j++) {
        if (j == IB_RIG_FIRST + IB_RIG_MODE || j == IB_RIG_FIRST + IB_RIG_SIDE) continue; // modes
        double was = x[j], d = 1e-5 * (1e-3 + fabs(was));
        x[j] = was + d;
        robot->kind->rate(robot->model, x, in, up);
        x[j] = was - d;
        robot->kind->rate(robot->model, x, in, down);
        x[j] = was;
        for (int i = 0; i < n; i++) {
            double slope = (up[i] - down[i]) / (2 * d);
            assert_close(J[i * n + j], slope, 1e-5 * (1 + fabs(slope) + 100 * fabs(up[i])));
        }
    }
    close_run(&run);
}

// Goal: the rig's cylinder is the same part on any body. Method: where it ends and what its book
// says after a stroke, of a rig and of a bench, under rk4 with the same steps: to the bit.
static void a_cylinder_on_a_bench_is_the_rigs(void **unused)
{
    (void)unused;
    static const char *const names[] = {"cylinder.position", "cap.pressure",  "rod.temperature",
                                        "air.used",          "energy.supply", "energy.friction"};
    static const char start[] = "{position: 5 mm, cap: {pressure: 250 kPa}}";
    Run rig, bench;
    open_run(&rig,
             "robot: {kind: cylinder_rig}\nstart: %s\n"
             "inputs: {valve: 6 V}\nrun: {duration: 0.3 s, step: 0.05 ms, solver: rk4}\n",
             start);
    open_run(&bench,
             "robot: {kind: bench, mechanisms: {ram: {kind: cylinder}}}\nstart: {ram: %s}\n"
             "inputs: {ram.valve: 6 V}\nrun: {duration: 0.3 s, step: 0.05 ms, solver: rk4}\n",
             start);
    go(&rig, 0.3);
    go(&bench, 0.3);
    for (int i = 0; i < 6; i++) {
        char name[64];
        snprintf(name, sizeof name, "ram.%s", names[i]);
        assert_true(see(&rig, names[i]) == see(&bench, name));
    }
    assert_true(see(&rig, "cylinder.position") > 0.01);
    close_run(&rig);
    close_run(&bench);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_rates_are_those_of_the_list),
        cmocka_unit_test(rates_and_guards_together_are_those_of_each),
        cmocka_unit_test(the_roombas_own_rate_is_that_of_the_list),
        cmocka_unit_test(free_bridges_are_solved_in_general_too),
        cmocka_unit_test(no_rate_depends_on_a_sum),
        cmocka_unit_test(a_rig_beside_a_lift_knows_its_jacobian),
        cmocka_unit_test(a_cylinder_on_a_bench_is_the_rigs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
