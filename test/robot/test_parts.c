// Robots that are lists of parts: the order of their rate, and what a base and what stands on it
// make of each other.
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
        assert_true(robot->kind->rate != ib_parts_rate); // or nothing is compared
        for (int k = 0; k < 200; k++) {
            double x[64], in[64], flat[64], list[64];
            int count = robot->ports.state_count;
            assert_true(count <= 64 && robot->ports.input_count <= 64);
            draw_instant(&seed, robot, x, in);
            robot->kind->rate(robot->model, x, in, flat);
            ib_parts_rate(robot->model, x, in, list);
            assert_memory_equal(flat, list, (size_t)count * sizeof *flat);
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
        assert_true(robot->kind->rate != ib_parts_rate);
        for (int k = 0; k < 200; k++) {
            double x[8], in[32], own[8], list[8];
            draw_instant(&seed, robot, x, in);
            robot->kind->rate(robot->model, x, in, own);
            ib_parts_rate(robot->model, x, in, list);
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

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_rates_are_those_of_the_list),
        cmocka_unit_test(the_roombas_own_rate_is_that_of_the_list),
        cmocka_unit_test(free_bridges_are_solved_in_general_too),
        cmocka_unit_test(no_rate_depends_on_a_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
