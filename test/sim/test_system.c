// All robots as one system: what a robot costs the solver does not depend on how many others there
// are, nor on how its inputs are given.
#include "cmocka_all.h"
#include "robot/box.h"
#include "robot/tank_rig.h"

#include <math.h>
#include <string.h>

// The rig's tank, turning and driving off, under a solver; with as many twins as asked for.
static void run_twins(Rig *rig, ib_RobotConfig *robots, int count, ib_SolverKind kind, bool ramp)
{
    static const char *const names[] = {"red", "blue", "green"};
    rig_default(rig, 0.5);
    rig->sim_config.solver = (ib_SolverConfig){kind, 1e-7, 1e-9};
    rig_drive(rig, 6, 9);
    if (ramp) rig_input(rig, IB_TANK_LEFT, true, (Knot[]){{0, 2}, {1, 8}}, 2);
    for (int i = 0; i < count; i++) {
        robots[i] = rig->robot;
        robots[i].name = count > 1 ? names[i] : "";
    }
    rig->sim_config.robots = robots;
    rig->sim_config.robot_count = count;
    rig_run(rig, 0);
}

// Goal: robots that do not touch cost the solver no more rates than the one that needs most, and
// move as if they were alone. Method: a tank alone and three of it: the largest error among equals
// is that of each, so that steps, rates and states are equal, the states to the bit.
static void twins_cost_the_rates_of_one(void **unused)
{
    (void)unused;
    for (int kind = IB_EULER; kind < IB_SOLVER_COUNT; kind++) {
        Rig alone, among;
        ib_RobotConfig one[1], three[3];
        run_twins(&alone, one, 1, (ib_SolverKind)kind, false);
        run_twins(&among, three, 3, (ib_SolverKind)kind, false);
        ib_SolverCounts a = ib_sim_solver_counts(alone.sim), b = ib_sim_solver_counts(among.sim);
        assert_int_equal(a.steps, b.steps);
        assert_int_equal(a.rejected, b.rejected);
        assert_int_equal(a.jacobians, b.jacobians);
        assert_int_equal(a.evaluations, b.evaluations);
        size_t size = (size_t)alone.model->robot_state_count * sizeof(double);
        for (int i = 0; i < 3; i++)
            assert_memory_equal(ib_sim_state(alone.sim),
                                ib_sim_state(among.sim) + among.model->robots[i].state, size);
        rig_stop(&alone);
        rig_stop(&among);
    }
}

// Goal: an input that changes within the step makes no state worth a look that is not. Method: by
// hand, a step of rosenbrock has 2 rates for df/dt and 5 inner stages, a Jacobian one at the start
// and one for each state that is no sum; the choice of the first step has at most 2 more.
static void ramps_leave_the_sums_out(void **unused)
{
    (void)unused;
    Rig rig;
    ib_RobotConfig one[1];
    run_twins(&rig, one, 1, IB_ROSENBROCK, true);
    ib_SolverCounts counts = ib_sim_solver_counts(rig.sim);
    const ib_RobotPorts *ports = &rig.model->robots[0].ports;
    int64_t seen = ports->state_count - (ports->sum_to - ports->sum_from);
    assert_true(ports->sum_to > ports->sum_from && counts.jacobians > 0);
    assert_true(counts.evaluations <=
                7 * (counts.steps + counts.rejected) + (1 + seen) * counts.jacobians + 2);
    rig_stop(&rig);
}

// Goal: what a robot calls its sums is nothing that its rates look at, and its book of energy is
// among them. Method: a tank that drives and a box that slides; not a number in place of every sum
// leaves every rate as it is, to the bit.
static void no_rate_looks_at_a_sum(void **unused)
{
    (void)unused;
    Rig rig;
    ib_BoxConfig box = {0};
    ib_RobotConfig two[2];
    rig_default(&rig, 0.2);
    rig_drive(&rig, 6, 9);
    assert_int_equal(ib_schema_default(&ib_box_kind.params, &box, &rig.error), IB_OK);
    box.planar.velocity_x = 1;
    box.planar.velocity_heading = 2;
    two[0] = rig.robot;
    two[0].name = "tank";
    two[1] = (ib_RobotConfig){.name = "box", .kind = &ib_box_kind, .config = &box};
    rig.sim_config.robots = two;
    rig.sim_config.robot_count = 2;
    rig_run(&rig, 0);
    for (int i = 0; i < 2; i++) {
        const ib_RobotModel *robot = &rig.model->robots[i];
        const ib_RobotPorts *ports = &robot->ports;
        double input[64], state[64], rate[64], blind[64];
        assert_in_range(ports->input_count, 1, 64);
        assert_in_range(ports->state_count, 1, 64);
        for (int k = 0; k < ports->input_count; k++)
            input[k] = rig.model->inputs[robot->input + k].neutral;
        if (i == 0) input[IB_TANK_LEFT] = 6;
        memcpy(state, ib_sim_state(rig.sim) + robot->state,
               (size_t)ports->state_count * sizeof *state);
        robot->kind->rate(robot->model, state, input, rate);
        for (int k = ports->sum_from; k < ports->sum_to; k++) state[k] = (double)NAN;
        assert_true(isnan(state[ports->planar->push_energy]));
        assert_true(isnan(state[ports->planar->contact_energy]));
        robot->kind->rate(robot->model, state, input, blind);
        assert_memory_equal(rate, blind, (size_t)ports->state_count * sizeof *rate);
    }
    rig_stop(&rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_cost_the_rates_of_one),
        cmocka_unit_test(ramps_leave_the_sums_out),
        cmocka_unit_test(no_rate_looks_at_a_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
