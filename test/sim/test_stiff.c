// Claims about runs with `stiff`, and about robots that know their Jacobian and their longest step.
#include "cmocka_all.h"
#include "robot/bench.h"
#include "robot/equipment_rig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ spring

// A mass on a stiff damper that is pulled along, its rates counted:
//   x' = v,   v' = k (u - x) - c v,   work' = c v^2
// c is so large that v settles within 1/c = 0.1 ms.
enum { X, V, WORK, SPRING_STATES };
enum { PULL = IB_ENVIRONMENT_COUNT, SPRING_INPUTS };

typedef struct Spring {
    double stiffness, damping, resolution, resolution_stiff;
    ib_SolverKind asks; ///< IB_RK4: for nothing
    double tolerance;   ///< that it asks for; 0: none
} Spring;

static int64_t calls, jacobians;
static bool known; ///< its Jacobian

static const ib_SignalDef spring_signals[] = {{"spring.x", "m", "place", 1e6}};
static ib_InputDef spring_inputs[SPRING_INPUTS];

static ib_Status spring_init(const void *config, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                             ib_Error *error)
{
    const Spring *spring = config;
    (void)arena, (void)error;
    *(Spring *)model = *spring;
    memcpy(spring_inputs, ib_environment_inputs, IB_ENVIRONMENT_COUNT * sizeof *spring_inputs);
    spring_inputs[PULL] = (ib_InputDef){
        .name = "pull", .unit = "m", .role = IB_INPUT_COMMAND, .low = -1e9, .high = 1e9};
    *ports = (ib_RobotPorts){.state_count = SPRING_STATES,
                             .sum_from = WORK,
                             .sum_to = WORK + 1,
                             .input_count = SPRING_INPUTS,
                             .inputs = spring_inputs,
                             .signal_count = 1,
                             .signals = spring_signals,
                             .resolution = spring->resolution,
                             .resolution_stiff = spring->resolution_stiff};
    return IB_OK;
}

static void spring_reset(const void *config, const void *model, double *state)
{
    (void)config, (void)model;
    memset(state, 0, SPRING_STATES * sizeof *state);
}

static void spring_rate(const void *model, const double *state, const double *input, double *rate)
{
    const Spring *spring = model;
    calls++;
    rate[X] = state[V];
    rate[V] = spring->stiffness * (input[PULL] - state[X]) - spring->damping * state[V];
    rate[WORK] = spring->damping * state[V] * state[V];
}

static bool spring_jacobian(const void *model, const double *state, const double *input,
                            double *jacobian, int stride)
{
    const Spring *spring = model;
    (void)input;
    for (int i = 0; i < SPRING_STATES; i++)
        for (int j = 0; j < SPRING_STATES; j++) assert_true(jacobian[i * stride + j] == 0);
    jacobian[X * stride + V] = 1;
    jacobian[V * stride + X] = -spring->stiffness;
    jacobian[V * stride + V] = -spring->damping;
    jacobian[WORK * stride + V] = 2 * spring->damping * state[V];
    jacobians++;
    return known;
}

static void spring_output(const void *model, const double *state, const double *input, double *y)
{
    (void)model, (void)input;
    y[0] = state[X];
}

static void spring_solver(const void *config, ib_SolverConfig *solver)
{
    const Spring *spring = config;
    solver->kind = spring->asks;
    if (spring->tolerance > 0) solver->tolerance = spring->tolerance;
}

static const ib_RobotKind spring_kind = {.name = "spring",
                                         .sentence = "a mass on a spring and a damper",
                                         .docs = "",
                                         .config_size = sizeof(Spring),
                                         .model_size = sizeof(Spring),
                                         .init = spring_init,
                                         .reset = spring_reset,
                                         .rate = spring_rate,
                                         .output = spring_output,
                                         .jacobian = spring_jacobian,
                                         .solver = spring_solver};

// A second of one spring, or of two, in steps of 10 ms; the states at its end. With differences
// alone, with the Jacobian, or with one that is never known.
typedef enum Knowledge { NOTHING, ALL, NEVER } Knowledge;

static ib_SolverCounts run_springs(Knowledge knowledge, int count, bool ramp, ib_SolverKind solver,
                                   double *end)
{
    ib_RobotKind kind = spring_kind;
    Spring springs[2] = {{.stiffness = 4e4, .damping = 1e4}, {.stiffness = 1e4, .damping = 1e4}};
    static const ib_Time times[] = {0, IB_SECOND};
    static const double values[] = {0, 2}, held = 1;
    ib_Timeline inputs[SPRING_INPUTS] = {
        [PULL] = {ramp ? 2 : 1, times, ramp ? values : &held, ramp}};
    ib_RobotConfig robots[2];
    ib_SimConfig config = {.robots = robots,
                           .robot_count = count,
                           .gravity = 9.80665,
                           .solver = {solver, 1e-8, 1e-9},
                           .step = IB_SECOND / 100,
                           .duration = IB_SECOND};
    ib_Arena arena = {0};
    ib_Model *model;
    ib_Sim *sim;
    ib_Error error;
    if (knowledge == NOTHING) kind.jacobian = NULL;
    known = knowledge == ALL;
    for (int i = 0; i < count; i++)
        robots[i] = (ib_RobotConfig){.name = count == 1 ? ""
                                             : i        ? "blue"
                                                        : "red",
                                     .kind = &kind,
                                     .config = &springs[i],
                                     .inputs = inputs,
                                     .input_count = SPRING_INPUTS};
    assert_int_equal(ib_model_create(&config, &arena, &model, &error), IB_OK);
    assert_int_equal(ib_sim_create(model, &sim, &error), IB_OK);
    calls = jacobians = 0;
    assert_int_equal(ib_sim_advance(sim, IB_SECOND, &error), IB_OK);
    ib_SolverCounts counts = ib_sim_solver_counts(sim);
    assert_int_equal(counts.evaluations * count, calls);
    assert_int_equal(counts.jacobians * count, knowledge == NOTHING ? counts.jacobians * count
                                               : knowledge == ALL   ? jacobians
                                                                    : jacobians * count);
    memcpy(end, ib_sim_state(sim), (size_t)(count * SPRING_STATES) * sizeof *end);
    ib_sim_destroy(sim);
    ib_arena_reset(&arena);
    return counts;
}

// Goal: a robot's own Jacobian is used, alone and among others, under inputs that are steady and
// that ramp, and does what the differences do. Method: by hand, a step has 6 rates, 2 more for
// df/dt of a ramp and one for each of the two states that are no sums; results agree to 1e-8, which
// is what differences are right to. One that is not known leaves the bits as they are without.
static void own_jacobian_spares_the_differences(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        int count = 1 + (i & 1), ramp = i >> 1 & 1, solver = i & 4 ? IB_ROSENBROCK : IB_STIFF;
        double plain[2 * SPRING_STATES], own[2 * SPRING_STATES], never[2 * SPRING_STATES];
        ib_SolverCounts a = run_springs(NOTHING, count, ramp, (ib_SolverKind)solver, plain);
        ib_SolverCounts b = run_springs(ALL, count, ramp, (ib_SolverKind)solver, own);
        ib_SolverCounts c = run_springs(NEVER, count, ramp, (ib_SolverKind)solver, never);
        for (int k = 0; k < count * SPRING_STATES; k++)
            assert_close(own[k], plain[k], 1e-8 * (1 + fabs(plain[k])));
        assert_memory_equal(never, plain, (size_t)(count * SPRING_STATES) * sizeof *plain);
        assert_int_equal(c.evaluations, a.evaluations);
        if (solver == IB_ROSENBROCK) continue; // it also looks for its first step
        assert_int_equal(b.steps, 100);
        assert_int_equal(b.evaluations, 100 * (6 + 2 * ramp));
        assert_int_equal(a.evaluations, 100 * (8 + 2 * ramp));
    }
}

// Goal: what settles a hundred times within a step does no harm, and the book of what the damper
// took is right. Method: the closed form for a pull u = r t from rest. With k = 4e4, c = 1e4 the
// roots of s^2 + c s + k are s1 = -4.0016 and s2 = -9996:
//   x = r (t - c/k) + A e^(s1 t) + B e^(s2 t),   A + B = r c/k,   s1 A + s2 B = -r
//   work = c int v^2,   v = r + s1 A e^(s1 t) + s2 B e^(s2 t)
// At h s1 = -0.04 a step of the slow part is off by some (h s1)^5 = 1e-7 of it, 1e-5 in a hundred
// steps at most; B is 1e-8, so that the fast part plays no role but to be in the way.
static void stiff_damper_is_solved_in_long_steps(void **state)
{
    (void)state;
    const double k = 4e4, c = 1e4, r = 2, root = sqrt(c * c - 4 * k), s1 = -2 * k / (c + root);
    const double s2 = (-c - root) / 2, B = -r * (1 + s1 * c / k) / (s2 - s1), A = r * c / k - B;
    const double p = s1 * A, q = s2 * B, e1 = exp(s1), e2 = exp(s2); // at t = 1 s
    double x = r * (1 - c / k) + A * e1 + B * e2;
    double work = r * r + 2 * r * (p / s1 * (e1 - 1) + q / s2 * (e2 - 1));
    work += p * p / (2 * s1) * (e1 * e1 - 1) + q * q / (2 * s2) * (e2 * e2 - 1);
    work = c * (work + 2 * p * q / (s1 + s2) * (e1 * e2 - 1));
    double end[SPRING_STATES];
    run_springs(ALL, 1, true, IB_STIFF, end);
    printf("  x off by %.2g, work by %.2g of it\n", end[X] - x, end[WORK] / work - 1);
    assert_close(end[X], x, 1e-5 * A);
    assert_close(end[WORK] / work, 1, 1e-5);
}

// --------------------------------------------------------------------------------------- the model

static ib_Time step_of(const Spring *spring, ib_SolverKind solver, double gravity)
{
    ib_RobotConfig robot = {.name = "", .kind = &spring_kind, .config = (void *)spring};
    ib_SimConfig config = {.robots = &robot,
                           .robot_count = 1,
                           .gravity = gravity,
                           .solver = {solver, 1e-8, 1e-9},
                           .step = IB_SECOND / 100,
                           .duration = IB_SECOND};
    ib_Arena arena = {0};
    ib_Model *model;
    ib_Error error;
    assert_int_equal(ib_model_create(&config, &arena, &model, &error), IB_OK);
    ib_Time step = model->step;
    ib_arena_reset(&arena);
    return step;
}

// Goal: each solver has the longest step that is its own. Method: 10 ms are divided into equal
// parts of whole nanoseconds. 0.3 ms for explicit ones ask for 34, of which 40 are the first such;
// twice as strong a gravity for 67, so that it is 80. 4 ms for stiff, whatever the gravity, ask for
// 3, so that it is 4; adaptive ones choose their own.
static void longest_step_depends_on_the_solver(void **state)
{
    (void)state;
    const Spring both = {.resolution = 0.3e-3, .resolution_stiff = 4e-3}, none = {.stiffness = 1};
    const Spring fast = {.resolution = 0.3e-3};
    assert_int_equal(step_of(&both, IB_RK4, 9.80665), IB_SECOND / 100 / 40);
    assert_int_equal(step_of(&both, IB_EULER, 9.80665), IB_SECOND / 100 / 40);
    assert_int_equal(step_of(&both, IB_RK4, 2 * 9.80665), IB_SECOND / 100 / 80);
    assert_int_equal(step_of(&both, IB_STIFF, 2 * 9.80665), IB_SECOND / 100 / 4);
    assert_int_equal(step_of(&both, IB_ROSENBROCK, 9.80665), IB_SECOND / 100);
    assert_int_equal(step_of(&fast, IB_STIFF, 9.80665), IB_SECOND / 100);
    assert_int_equal(step_of(&none, IB_RK4, 9.80665), IB_SECOND / 100);
}

// Goal: of robots that disagree the stiffest has its way, of equals the first; one that asks for
// nothing is content with any. Method: pairs of wishes and what comes of them.
static void stiffest_robot_has_its_solver(void **state)
{
    (void)state;
    static const struct {
        ib_SolverKind first, second, chosen;
        double tolerance;
    } cases[] = {
        {IB_RK4, IB_RK4, IB_RK4, 1e-9},
        {IB_STIFF, IB_RK4, IB_STIFF, 1e-5},
        {IB_RK4, IB_STIFF, IB_STIFF, 1e-7},
        {IB_STIFF, IB_DOPRI5, IB_STIFF, 1e-5},
        {IB_ROSENBROCK, IB_STIFF, IB_ROSENBROCK, 1e-5},
        {IB_STIFF, IB_ROSENBROCK, IB_ROSENBROCK, 1e-7},
        {IB_ROSENBROCK, IB_ROSENBROCK, IB_ROSENBROCK, 1e-5},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        ib_SolverConfig solver = {IB_RK4, 1e-9, 1e-9};
        Spring first = {.asks = cases[i].first, .tolerance = 1e-5};
        Spring second = {.asks = cases[i].second, .tolerance = 1e-7};
        ib_robot_ask_solver(&spring_kind, &first, &solver);
        ib_robot_ask_solver(&ib_bench_kind, NULL, &solver);
        ib_robot_ask_solver(&spring_kind, &second, &solver);
        assert_int_equal(solver.kind, cases[i].chosen);
        assert_true(solver.tolerance == cases[i].tolerance && solver.quantum == 1e-9);
    }
}

static bool wrong_jacobian(const void *model, const double *state, const double *input,
                           double *jacobian, int stride)
{
    (void)model, (void)state, (void)input, (void)jacobian, (void)stride;
    fail_msg("this Jacobian is the base's alone");
    return true;
}

// Goal: a base with mechanisms does not claim to know what they do. Method: a bench that says it
// knows its Jacobian, and an elevator on it: nobody asks for it, and differences are made.
static void mechanisms_hide_the_jacobian_of_their_base(void **state)
{
    (void)state;
    static Rig rig;
    ib_RobotKind kind = ib_bench_kind;
    kind.jacobian = wrong_jacobian;
    rig_default(&rig, &kind, 0.05);
    rig_add(&rig, "lift", "elevator", "mass: 4 kg; travel: 0 m, 1 m");
    rig_solver(&rig, IB_STIFF, 1e-6, 1e-3);
    rig_run(&rig, 0.01);
    ib_SolverCounts counts = ib_sim_solver_counts(rig.sim);
    assert_null(rig.model->robots[0].kind->jacobian);
    assert_true(counts.jacobians >= 50 && counts.evaluations > 7 * counts.jacobians);
    rig_stop(&rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_jacobian_spares_the_differences),
        cmocka_unit_test(stiff_damper_is_solved_in_long_steps),
        cmocka_unit_test(longest_step_depends_on_the_solver),
        cmocka_unit_test(stiffest_robot_has_its_solver),
        cmocka_unit_test(mechanisms_hide_the_jacobian_of_their_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
