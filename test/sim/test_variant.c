// Tests of live parameters: models that differ in one constant, and runs that go on with them.
#include "base/maths.h"
#include "cmocka_all.h"
#include "scenario/given.h"
#include "sim/input/live_input.h"
#include "sim/linearise/variant.h"

#include <math.h>
#include <string.h>

static const char roomba[] = "robot: {kind: roomba, side_drag: 0 N*s^2/m^2}\n"
                             "inputs: {left: 1 N, right: 1 N}\n"
                             "run: {duration: 4 s, step: 1 ms}\n";

static const char two_tanks[] = "robots:\n"
                                "  red: {kind: tank, inputs: {source: viewer}}\n"
                                "  blue: {kind: tank, start: {x: 3 m}, inputs: {left: 6 V, right: "
                                "6 V, source: viewer}}\n"
                                "run: {duration: 2 s, step: 1 ms}\n";

static ib_Arena arena;
static ib_Error error;

static const ib_LiveParam *find(const ib_Model *model, const char *path)
{
    int count;
    const ib_LiveParam *params = ib_live_params(model, &arena, &count);
    for (int i = 0; i < count; i++)
        if (strcmp(params[i].path, path) == 0) return &params[i];
    return NULL;
}

static int teardown(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

// Goal: live parameters are those that the schema marks, by the paths of the scenario. Method: one
// robot and two.
static void live_parameters_have_the_paths_of_the_scenario(void **state)
{
    (void)state;
    ib_Scenario *one = given(roomba), *two = given(two_tanks);
    assert_non_null(find(one->model, "robot.drag"));
    assert_null(find(one->model, "robot.diameter"));
    const ib_LiveParam *mass = find(two->model, "robots.blue.mass");
    assert_non_null(mass);
    assert_int_equal(mass->robot, 1);
    assert_true(ib_live_param_value(two->model, mass) == 60);
    ib_scenario_destroy(one);
    ib_scenario_destroy(two);
}

// Goal: a change takes effect from the step on at which it was made. Method: a Roomba pushed by 2 N
// against 2 * drag v |v|: its speed follows v = s tanh(a t / s) with s = sqrt(F / 2k), a = F/m;
// after the drag is changed at 2 s it goes on from there with the new s.
// RK4 at 1 ms is exact to 1e-9 here.
static void a_run_goes_on_with_the_changed_constant(void **state)
{
    (void)state;
    ib_Scenario *scenario = given(roomba);
    const ib_LiveParam *drag = find(scenario->model, "robot.drag");
    ib_Sim *sim;
    ib_Variant *variant;
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    assert_int_equal(ib_sim_advance(sim, 2 * IB_SECOND, &error), IB_OK);
    assert_int_equal(
        ib_variant_create(scenario->model, &(ib_Setting){drag, 0.5}, 1, &variant, &error), IB_OK);
    ib_sim_change(sim, variant->model);
    assert_int_equal(ib_sim_advance(sim, 4 * IB_SECOND, &error), IB_OK);

    double mass = 2.7, force = 2, k0 = ib_live_param_value(scenario->model, drag), k1 = 0.5;
    double s0 = sqrt(force / (2 * k0)), s1 = sqrt(force / (2 * k1)), a = force / mass;
    double v2 = s0 * tanh(a * 2 / s0);
    double v4 = s1 * tanh(a * 2 / s1 + atanh(v2 / s1));
    double *signals =
        ib_arena_array(&arena, (size_t)scenario->model->signals.count, sizeof *signals);
    ib_sim_sample(sim, signals);
    int forward = ib_signals_find(&scenario->model->signals, "velocity.forward");
    assert_true(fabs(signals[forward] - v4) < 1e-9);
    ib_sim_destroy(sim);
    ib_variant_destroy(variant);
    ib_scenario_destroy(scenario);
}

// Goal: a variant does not need the model it was made from. Method: a chain of variants, each
// destroyed as soon as the next one is there (the address sanitizer watches).
static void variants_stand_on_their_own(void **state)
{
    (void)state;
    ib_Scenario *scenario = given(two_tanks);
    const ib_LiveParam *mass = find(scenario->model, "robots.red.mass");
    const ib_LiveParam *mu = find(scenario->model, "robots.blue.wheels.mu");
    ib_Sim *sim;
    ib_Variant *before = NULL;
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    for (int i = 0; i < 20; i++) {
        ib_Variant *next;
        assert_int_equal(ib_variant_create(ib_sim_model(sim),
                                           &(ib_Setting){i % 2 ? mass : mu, 0.5 + 0.1 * i}, 1,
                                           &next, &error),
                         IB_OK);
        ib_sim_change(sim, next->model);
        ib_variant_destroy(before);
        before = next;
        assert_int_equal(ib_sim_advance(sim, (i + 1) * 50 * IB_SECOND / 1000, &error), IB_OK);
    }
    assert_true(fabs(ib_live_param_value(before->model, mass) - 2.4) < 1e-15);
    assert_true(fabs(ib_live_param_value(before->model, mu) - 2.3) < 1e-15);
    ib_sim_destroy(sim);
    ib_variant_destroy(before);
    ib_scenario_destroy(scenario);
}

// Goal: a value that is out of range or impossible is refused, with path and reason. Method: a mass
// of zero; a battery voltage beyond all bounds.
static void impossible_values_are_refused(void **state)
{
    (void)state;
    ib_Scenario *scenario = given(two_tanks);
    ib_Variant *variant = NULL;
    const ib_LiveParam *mass = find(scenario->model, "robots.red.mass");
    const ib_LiveParam *volts = find(scenario->model, "robots.red.battery.open_circuit");
    assert_int_equal(
        ib_variant_create(scenario->model, &(ib_Setting){mass, 0}, 1, &variant, &error),
        IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "robots.red.mass: "));
    assert_int_equal(
        ib_variant_create(scenario->model, &(ib_Setting){volts, 1e9}, 1, &variant, &error),
        IB_BAD_INPUT);
    assert_int_equal(
        ib_variant_create(scenario->model, &(ib_Setting){volts, NAN}, 1, &variant, &error),
        IB_BAD_INPUT);
    assert_null(variant);
    ib_scenario_destroy(scenario);
}

// Goal: settings are judged together: what would be refused one by one in this order may be right
// as a whole. Method: with bristles, mu above mu_static is refused; both raised at once are not.
static void settings_are_judged_together(void **state)
{
    (void)state;
    static const char text[] =
        "robot: {kind: tank, wheels: {model: bristle, mu: 1, mu_static: 1.1}}\n"
        "inputs: {source: viewer}\nrun: {duration: 1 s}\n";
    ib_Scenario *scenario = given(text);
    ib_Variant *variant = NULL;
    ib_Setting settings[] = {{find(scenario->model, "robot.wheels.mu"), 1.5},
                             {find(scenario->model, "robot.wheels.mu_static"), 2}};
    assert_int_equal(ib_variant_create(scenario->model, settings, 1, &variant, &error),
                     IB_BAD_INPUT);
    assert_int_equal(ib_variant_create(scenario->model, settings, 2, &variant, &error), IB_OK);
    assert_true(ib_live_param_value(variant->model, settings[0].param) == 1.5);
    ib_variant_destroy(variant);
    ib_scenario_destroy(scenario);
}

// Goal: a live source is asked at least every millisecond, by adaptive solvers too. Method: a robot
// at rest, for which dopri5 would make one step of the whole run.
static void adaptive_steps_are_short_where_somebody_may_drive(void **state)
{
    (void)state;
    static const char text[] = "robot: {kind: roomba}\ninputs: {source: viewer}\n"
                               "run: {duration: 1 s, solver: dopri5}\n";
    ib_Scenario *scenario = given(text);
    ib_LiveInput live;
    ib_Sim *sim;
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    assert_int_equal(ib_live_input_init(scenario->model, &arena, &live, &error), IB_OK);
    ib_sim_connect(sim, ib_live_input_source(&live));
    while (!ib_sim_done(sim)) {
        ib_Time before = ib_sim_time(sim);
        assert_int_equal(ib_sim_step(sim, &error), IB_OK);
        assert_true(ib_sim_time(sim) - before <= IB_LIVE_STEP);
    }
    ib_sim_destroy(sim);
    ib_scenario_destroy(scenario);
}

// Goal: looking never changes a run. Method: the same run twice, once looked at before every step;
// the same hash.
static void looking_leaves_the_run_alone(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int look = 0; look < 2; look++) {
        ib_Scenario *scenario = given(two_tanks);
        ib_Sim *sim;
        double *signals =
            ib_arena_array(&arena, (size_t)scenario->model->signals.count, sizeof *signals);
        assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
        while (!ib_sim_done(sim)) {
            if (look) ib_sim_sample(sim, signals);
            assert_int_equal(ib_sim_step(sim, &error), IB_OK);
        }
        hash[look] = ib_sim_hash(sim);
        ib_sim_destroy(sim);
        ib_scenario_destroy(scenario);
    }
    assert_true(hash[0] == hash[1]);
}

// Goal: the viewer sets the commands without a timeline, of robots that say so. Method: red leaves
// all of them open, blue has a script for left and right.
static void the_viewer_sets_what_no_script_sets(void **state)
{
    (void)state;
    ib_Scenario *scenario = given(two_tanks), *plain = given(roomba);
    int open[2] = {0, 0}, any = 0;
    for (int i = 0; i < scenario->model->input_count; i++) {
        if (!ib_live_input_open(scenario->model, i)) continue;
        bool blue = i >= scenario->model->robots[1].input;
        open[blue]++;
        assert_false(blue && strcmp(scenario->model->inputs[i].name, "left") == 0);
        assert_int_equal(scenario->model->inputs[i].role, IB_INPUT_COMMAND);
    }
    for (int i = 0; i < plain->model->input_count; i++) any += ib_live_input_open(plain->model, i);
    assert_int_equal(open[0], open[1] + 2);
    assert_int_equal(any, 0);
    ib_scenario_destroy(scenario);
    ib_scenario_destroy(plain);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(live_parameters_have_the_paths_of_the_scenario, teardown),
        cmocka_unit_test_teardown(a_run_goes_on_with_the_changed_constant, teardown),
        cmocka_unit_test_teardown(variants_stand_on_their_own, teardown),
        cmocka_unit_test_teardown(impossible_values_are_refused, teardown),
        cmocka_unit_test_teardown(settings_are_judged_together, teardown),
        cmocka_unit_test_teardown(adaptive_steps_are_short_where_somebody_may_drive, teardown),
        cmocka_unit_test_teardown(looking_leaves_the_run_alone, teardown),
        cmocka_unit_test_teardown(the_viewer_sets_what_no_script_sets, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
