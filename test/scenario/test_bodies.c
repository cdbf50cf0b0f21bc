// Tests of scenario/bodies.c: what lies on a field to be pushed.
// What is refused: test/scenario/broken.
#include "scenario/read_rig.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

// Reads a scenario of 1 s with these lines; its model.
static const ib_Model *read_lines(const char *lines)
{
    char text[4000];
    snprintf(text, sizeof text, "run: {duration: 1 s}\n%s\n", lines);
    read_scenario(text);
    return scenario->model;
}

static double at_end(const char *name)
{
    ib_Sim *sim;
    ib_Error error;
    int signal = ib_signals_find(&scenario->model->signals, name);
    if (signal < 0) fail_msg("no signal %s", name);
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    assert_int_equal(ib_sim_advance(sim, scenario->sim.duration, &error), IB_OK);
    double *signals = test_calloc((size_t)scenario->model->signals.count, sizeof *signals);
    ib_sim_sample(sim, signals);
    double value = signals[signal];
    test_free(signals);
    ib_sim_destroy(sim);
    return value;
}

#define CRATES                                                                                     \
    "bodies: {crate_1: {kind: box, mass: 1 kg, length: 20 cm, width: 20 cm, start: {x: 1 m}},"     \
    " crate_2: {kind: box, mass: 2 kg, length: 20 cm, width: 20 cm, start: {x: 2 m}},"             \
    " ball: {kind: ball, mass: 3 kg, start: {x: 3 m}}}"

static void assert_names(const ib_Model *model, const char *names)
{
    char all[200] = "";
    size_t used = 0;
    for (int i = 0; i < model->robot_count; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? " " : "",
                                 model->robots[i].name);
    assert_string_equal(all, names);
}

// Goal: bodies stand behind the robots, by their names; the only robot keeps its signals as they
// are. Method: one robot, two robots, and the order of the model.
static void bodies_stand_behind_the_robots(void **state)
{
    (void)state;
    assert_names(read_lines("robot: {kind: box, mass: 1 kg}\nfield: {" CRATES "}"),
                 " crate_1 crate_2 ball");
    assert_true(at_end("pose.x") == 0 && at_end("crate_2.pose.x") == 2);
    assert_int_equal(ib_signals_role(&scenario->model->signals, "", IB_ROLE_POSE_X),
                     ib_signals_find(&scenario->model->signals, "pose.x"));
    assert_names(read_lines("robots:\n  red: {kind: box, mass: 1 kg}\n"
                            "  blue: {kind: box, mass: 1 kg, start: {y: 3 m}}\nfield: {" CRATES
                            "}"),
                 "red blue crate_1 crate_2 ball");
}

// Goal: a scenario takes all bodies of a field, some, or none, and changes them by their names,
// under the field or among its robots. Method: patterns on the Rover Ruckus field; one mineral
// moved, and one made heavier.
static void scenarios_choose_and_change_bodies(void **state)
{
    (void)state;
    static const struct {
        const char *bodies, *names;
        int count;
    } cases[] = {
        {"none", "", 1},
        {"[]", "", 1},
        {"[red_depot_gold]", " red_depot_gold", 2},
        {"[blue_depot_*, red_depot_gold]",
         " red_depot_gold blue_depot_gold blue_depot_silver_left blue_depot_silver_right", 5},
        {"['*_gold']", " red_crater_gold red_depot_gold blue_crater_gold blue_depot_gold", 5},
    };
    char lines[400];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(lines, sizeof lines,
                 "robot: {kind: box, mass: 1 kg, length: 1 in, width: 1 in}\n"
                 "start: {place: red_depot}\nfield: {preset: rover-ruckus, bodies: %s}",
                 cases[i].bodies);
        const ib_Model *model = read_lines(lines);
        assert_int_equal(model->robot_count, cases[i].count);
        assert_names(model, cases[i].names);
    }
    read_lines("robots:\n  red_depot_gold: {start: {x: 1 m}}\n"
               "  red: {kind: box, mass: 1 kg, start: {place: red_depot}}\n"
               "field: {preset: rover-ruckus, bodies: {red_crater_gold: {start: {y: -1 m}}}}");
    assert_int_equal(scenario->model->robot_count, 13);
    assert_string_equal(scenario->model->robots[0].name, "red_depot_gold");
    assert_true(at_end("red_depot_gold.pose.x") == 1);
    assert_close(at_end("red_depot_gold.pose.y"), -36.5 * 0.0254, 1e-12);
    assert_true(at_end("red_crater_gold.pose.y") == -1);
}

// Goal: a disturbance of the robot without a name leaves the bodies alone, one of the floor does
// not. Method: 1 N s on 1 kg is 1 m/s on ice; on a floor without friction, tilted by 0.1 rad for
// 1 s, all have g sin 0.1.
static void pushes_mean_the_robot(void **state)
{
    (void)state;
    static const char scene[] =
        "robot: {kind: box, mass: 1 kg, mu: 0}\n"
        "field: {bodies: {crate: {kind: box, mass: 1 kg, mu: 0, start: {y: 3 m}}}}\n";
    char lines[600];
    snprintf(lines, sizeof lines, "%sdisturbances: [{at: 0 s, impulse: 1 N*s}]", scene);
    read_lines(lines);
    assert_close(at_end("velocity.x"), 1, 1e-9);
    assert_true(at_end("crate.velocity.x") == 0);
    snprintf(lines, sizeof lines, "%sdisturbances: [{at: 0 s, for: 2 s, tilt: 0.1 rad}]", scene);
    read_lines(lines);
    assert_close(at_end("velocity.x"), 9.80665 * sin(0.1), 1e-9);
    assert_close(at_end("crate.velocity.x"), 9.80665 * sin(0.1), 1e-9);
    snprintf(lines, sizeof lines, "%sdisturbances: [{at: 0 s, impulse: 1 N*s, robot: crate}]",
             scene);
    read_lines(lines);
    assert_true(at_end("velocity.x") == 0);
    assert_close(at_end("crate.velocity.x"), 1, 1e-9);
}

// Goal: the minerals of Rover Ruckus are those of the robot files, at the places of the facts.
// Method: one of each from its file at the same place: equal configs, byte by byte; all twelve
// within 1 in of both sources, (36 .. 36.5) twice, (46 .. 46.8) and (24 .. 26) in.
static void minerals_are_those_of_the_files(void **state)
{
    (void)state;
    const ib_Model *model = read_lines(
        "robots:\n  gold: {file: " IB_SOURCE_DIR "/robots/mineral_gold.yaml, start: {x: 36.5 in, "
        "y: 36.5 in}}\n  silver: {file: " IB_SOURCE_DIR
        "/robots/mineral_silver.yaml, start: {x: 26 in, y: 46.5 in}}\n"
        "field: {preset: rover-ruckus, contact: false}");
    int gold = 0, silver = 0;
    for (int i = 2; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        char name[80];
        snprintf(name, sizeof name, "%s.pose.x", robot->name);
        double x = fabs(at_end(name)) / 0.0254;
        snprintf(name, sizeof name, "%s.pose.y", robot->name);
        double y = fabs(at_end(name)) / 0.0254;
        bool cube = strcmp(robot->kind->name, "box") == 0;
        const ib_RobotModel *twin = &model->robots[cube ? 0 : 1];
        assert_string_equal(robot->kind->name, twin->kind->name);
        if (!strcmp(robot->name, cube ? "blue_crater_gold" : "blue_crater_silver_left"))
            assert_memory_equal(robot->config, twin->config, robot->kind->config_size);
        assert_true(robot->ports.length == twin->ports.length);
        gold += cube;
        silver += !cube;
        if (cube) assert_true(fabs(x - 36.25) < 1 && fabs(y - 36.25) < 1);
        if (!cube) assert_true(fabs(fmax(x, y) - 46.4) < 1 && fabs(fmin(x, y) - 25) < 1.1);
    }
    assert_int_equal(gold, 4);
    assert_int_equal(silver, 8);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(bodies_stand_behind_the_robots, teardown),
        cmocka_unit_test_teardown(scenarios_choose_and_change_bodies, teardown),
        cmocka_unit_test_teardown(pushes_mean_the_robot, teardown),
        cmocka_unit_test_teardown(minerals_are_those_of_the_files, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
