// Claims about `bumper:` in a file: what a robot gives back in a hit, as it is written.
#include "cmocka_all.h"

#include "robot/box.h"
#include "robot/tank/tank.h"
#include "scenario/given.h"
#include "sim/linearise/variant.h"
#include "sim/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ib_Scenario *read_text(const char *text, const ib_Override *set)
{
    ib_ScenarioOptions options = {.overrides = set, .override_count = set != NULL};
    return given_with("t.yaml", text, &options);
}

// ----------------------------------------------------------------------------------------- physics

static void take_velocity(void *self, const ib_Sim *sim, ib_Status status, const ib_RunResult *end)
{
    (void)end;
    assert_int_equal(status, IB_OK);
    const ib_PlanarModel *planar = ib_sim_model(sim)->robots[0].ports.planar;
    *(double *)self = ib_sim_state(sim)[planar->velocity[0]];
}

// What comes back of 4 m/s from a wall of 10 t, which is elastic itself, without friction. With
// M = 60 kg against m = 10 t:  v' = v (M - e m)/(M + m)  ->  e = (M - (M + m) v'/v)/m
static double given_back(const char *kind, const char *bumper, const ib_Override *set)
{
    ib_Error error;
    char text[600];
    double velocity = NAN, v = 4, M = 60, m = 1e4;
    snprintf(text, sizeof text,
             "robots:\n"
             "  a: {%s%s%s, mass: 60 kg, start: {velocity: {x: 4 m/s}}}\n"
             "  wall: {kind: box, mass: 10 t, length: 1 m, width: 6 m, mu: 0, bumper: elastic, "
             "start: {x: 2 m}}\n"
             "run: {duration: 1 s}\n",
             kind, bumper ? ", bumper: " : "", bumper ? bumper : "");
    ib_Scenario *scenario = read_text(text, set);
    ib_RunPlan plan = {.model = scenario->model, .ended = take_velocity, .self = &velocity};
    assert_int_equal(ib_run_whole(&plan, &error), IB_OK);
    ib_scenario_destroy(scenario);
    return (M - (M + m) * velocity / v) / m;
}

static const char *const kinds[] = {
    "kind: box, mu: 0",
    "kind: disc, mu: 0",
    "kind: ball, mu: 0",
    ("kind: tank, drive: {neutral: coast}, wheels: {model: friction_circle, mu: 0}, "
     "inputs: {left: 0 V, right: 0 V}"),
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// Goal: a restitution that is written is the same at every speed; that of foam falls beyond 1 m/s.
// Method: what comes back of a hit at 4 m/s, where the fourth root of 1/4 is to be seen or not.
static void a_written_restitution_is_constant(void **state)
{
    (void)state;
    const double root = pow(0.25, 0.25);
    const struct {
        const char *bumper; ///< NULL: nothing is written
        double back;
    } cases[] = {
        {NULL, 0.3 * root},
        {"foam", 0.3 * root},
        {"{preset: foam}", 0.3 * root},
        {"{preset: foam, friction: 0}", 0.3 * root},
        {"{preset: foam, restitution: 0.8}", 0.8 * root},
        {"{preset: foam, yield_speed: off}", 0.3},
        {"{restitution: 0.8}", 0.8},
        {"{restitution: 0.8, friction: 0}", 0.8},
        {"{restitution: 0.8, yield_speed: 1 m/s}", 0.8 * root},
        {"{friction: 0}", 0.3},
        {"{}", 0.3},
        {"elastic", 1},
        {"maple-sim", 0.08},
    };
    const ib_Override set = {"robots.a.bumper.restitution", "0.8"};
    for (int k = 0; k < KINDS; k++) {
        for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
            double back = given_back(kinds[k], cases[i].bumper, NULL);
            assert_close(back, cases[i].back, 1e-9); // rounding, and a gap of 1 nm
        }
        assert_close(given_back(kinds[k], NULL, &set), 0.8, 1e-9);
        assert_close(given_back(kinds[k], "foam", &set), 0.8 * root, 1e-9);
    }
}

// ------------------------------------------------------------------------------------------- table

static void assert_same(const ib_BumperConfig *a, const ib_BumperConfig *b)
{
    assert_int_equal(a->given, b->given);
    assert_true(a->restitution == b->restitution && a->yield_speed == b->yield_speed &&
                a->friction == b->friction);
}

// Goal: the foam in code is the foam of the data file, and a Roomba's bumper gives back as much.
// Method: what a tank and a box have that say nothing; what a Roomba brings to contacts.
static void foam_is_the_same_in_code(void **state)
{
    (void)state;
    static const char text[] = "robots:\n"
                               "  tank: {kind: tank, inputs: {left: 0 V, right: 0 V}}\n"
                               "  box: {kind: box, start: {x: 3 m}}\n"
                               "  roomba: {kind: roomba, start: {x: 6 m}, inputs: {left: 0 N, "
                               "right: 0 N}}\n"
                               "run: {duration: 1 s}\n";
    ib_Scenario *scenario = read_text(text, NULL);
    const ib_RobotModel *robots = scenario->model->robots;
    assert_same(&((const ib_TankConfig *)robots[0].config)->bumper, &ib_bumper_foam);
    assert_same(&((const ib_BoxConfig *)robots[1].config)->bumper, &ib_bumper_foam);
    assert_true(robots[2].ports.restitution == ib_bumper_foam.restitution);
    assert_true(robots[2].ports.yield_speed == ib_bumper_foam.yield_speed);
    ib_scenario_destroy(scenario);
}

// Goal: a tank's restitution may change while it runs, and keeps its law. Method: a variant of one
// with foam, 0.8: contacts get that, and the speed beyond which it falls stays.
static void restitution_is_live(void **state)
{
    (void)state;
    static const char text[] =
        "robot: {kind: tank}\ninputs: {left: 0 V, right: 0 V}\nrun: {duration: 1 s}\n";
    ib_Arena arena = {0};
    ib_Error error;
    int count, found = 0;
    ib_Scenario *scenario = read_text(text, NULL);
    const ib_LiveParam *live = ib_live_params(scenario->model, &arena, &count);
    for (int i = 0; i < count; i++) {
        if (strcmp(live[i].param->key, "bumper.restitution") != 0) continue;
        ib_Variant *variant;
        ib_Setting setting = {&live[i], 0.8};
        assert_true(ib_live_param_value(scenario->model, &live[i]) == 0.3);
        assert_int_equal(ib_variant_create(scenario->model, &setting, 1, &variant, &error), IB_OK);
        const ib_RobotPorts *ports = &variant->model->robots[0].ports;
        assert_true(ports->restitution == 0.8 && ports->yield_speed == 1);
        ib_variant_destroy(variant);
        found++;
    }
    assert_int_equal(found, 1);
    ib_scenario_destroy(scenario);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_restitution_is_constant),
        cmocka_unit_test(foam_is_the_same_in_code),
        cmocka_unit_test(restitution_is_live),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
