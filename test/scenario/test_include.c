// Tests of scenario/scenario.h: robots in files of their own.
#include "robot/holonomic/holonomic.h"
#include "robot/mjcf/mjcf.h"
#include "robot/roomba/roomba.h"
#include "scenario/folder_rig.h"

#include <string.h>

#define INPUT  "inputs: {left: 1 N, right: 1 N}"
#define INPUTS INPUT "\n"
#define RUN    "run: {duration: 1 s}\n"

// Goal: a robot file lies under the keys of the scenario. Method: a file that includes another.
static void robot_files_lie_under_the_scenario(void **state)
{
    (void)state;
    write_file("base.yaml", "kind: roomba\nmass: 5 kg\ndrag: 1 N*s^2/m^2\n"
                            "sensors: {gyro: {noise: 1 rad/s, bias: 2 rad/s}}\n");
    write_file("robot.yaml", "file: base.yaml\nmass: 4 kg\nside_drag: 9 N*s^2/m^2\n");
    write_file("s.yaml", "robot: {file: robot.yaml, side_drag: 8 N*s^2/m^2, sensors: {gyro: "
                         "{noise: 0.5 rad/s}}}\n" INPUTS RUN);
    ib_Scenario *s = read_file("s.yaml", NULL);
    assert_non_null(s);
    const ib_RoombaConfig *c = s->sim.robots[0].config;
    assert_close(c->drag, 1, 0);
    assert_close(c->mass, 4, 0);
    assert_close(c->side_drag, 8, 0);
    assert_close(s->sim.robots[0].sensors[0].noise, 0.5, 0);
    assert_close(s->sim.robots[0].sensors[0].bias, 2, 0);
    ib_scenario_destroy(s);
}

// Goal: a scenario says which files it was read from. Method: three robots, two of them from the
// same file, which includes another; then a scenario without robot files.
static void all_files_that_were_read_are_listed(void **state)
{
    (void)state;
    static const char *const names[] = {"s.yaml", "robot.yaml", "base.yaml", "other.yaml"};
    write_file("base.yaml", "kind: roomba\n");
    write_file("robot.yaml", "file: base.yaml\nmass: 4 kg\n");
    write_file("other.yaml", "kind: roomba\n");
    write_file("s.yaml",
               "robots:\n  a: {file: robot.yaml, " INPUT "}\n"
               "  b: {file: robot.yaml, " INPUT "}\n  c: {file: other.yaml, " INPUT "}\n" RUN);
    ib_Scenario *s = read_file("s.yaml", NULL);
    assert_non_null(s);
    for (int i = 0; i < 4; i++) {
        assert_non_null(s->yaml.files[i]);
        assert_string_equal(s->yaml.files[i], in_folder(names[i]).text);
    }
    assert_null(s->yaml.files[4]);
    ib_scenario_destroy(s);

    static const char alone[] = "robot: {kind: roomba}\n" INPUTS RUN;
    s = ib_scenario_read_text("folder/t.yaml", alone, strlen(alone), NULL, &diagnostics);
    assert_non_null(s);
    assert_string_equal(s->yaml.files[0], "folder/t.yaml");
    assert_null(s->yaml.files[1]);
    ib_scenario_destroy(s);
}

static void assert_file_refused(const char *name, const char *file, int line, int column,
                                const char *words)
{
    assert_null(read_file(name, NULL));
    for (int i = 0; i < diagnostics.count; i++) {
        const ib_Diagnostic *d = &diagnostics.items[i];
        size_t length = strlen(d->file);
        if (length >= strlen(file) && !strcmp(d->file + length - strlen(file), file) &&
            d->line == line && d->column == column && strstr(d->text, words))
            return;
    }
    print_mistakes(&diagnostics);
    fail_msg("no mistake in %s at %d:%d with '%s'", file, line, column, words);
}

// Goal: what is wrong with a robot file is named, in it or where it is asked for. Method: missing,
// a folder, a circle, a chain too long, a mistake inside.
static void robot_files_that_are_wrong_are_refused(void **state)
{
    (void)state;
    write_file("missing.yaml", "robot: {file: none.yaml}\n" INPUTS RUN);
    assert_file_refused("missing.yaml", "missing.yaml", 1, 15, "robot.file: cannot open");
    write_file("folder.yaml", "robot: {file: .}\n" INPUTS RUN);
    assert_file_refused("folder.yaml", "folder.yaml", 1, 15, "a folder");
    write_file("pipe.yaml", "robot: {file: /dev/zero}\n" INPUTS RUN);
    assert_file_refused("pipe.yaml", "pipe.yaml", 1, 15, "not a plain file");
    write_file("circle.yaml", "robot: {file: one.yaml}\n" INPUTS RUN);
    write_file("one.yaml", "file: two.yaml\n");
    write_file("two.yaml", "file: ./one.yaml\n");
    assert_file_refused("circle.yaml", "two.yaml", 1, 7, "includes itself");
    write_file("list.yaml", "- kind: roomba\n");
    write_file("of_list.yaml", "robot: {file: list.yaml}\n" INPUTS RUN);
    assert_file_refused("of_list.yaml", "list.yaml", 1, 1, "such as kind, got a list");
    write_file("around.yaml", "title: x\nrobot: {kind: roomba}\n");
    write_file("of_around.yaml", "robot: {file: around.yaml}\n" INPUTS RUN);
    assert_file_refused("of_around.yaml", "around.yaml", 2, 1, "the robot's map itself");
    assert_int_equal(diagnostics.count, 1);
    write_file("inside.yaml", "kind: roomba\nmas: 3 kg\n");
    write_file("of_inside.yaml", "robot: {file: inside.yaml, drag: 3}\n" INPUTS RUN);
    assert_file_refused("of_inside.yaml", "inside.yaml", 2, 1, "did you mean 'mass'");
    assert_file_refused("of_inside.yaml", "of_inside.yaml", 1, 34, "a unit is missing");

    write_file("long.yaml", "robot: {file: f0.yaml}\n" INPUTS RUN);
    for (int i = 0; i < 10; i++) {
        char name[20], text[40];
        snprintf(name, sizeof name, "f%d.yaml", i);
        snprintf(text, sizeof text, "kind: roomba\nfile: f%d.yaml\n", i + 1);
        write_file(name, text);
    }
    assert_file_refused("long.yaml", "f7.yaml", 2, 7, "more than 8");
    assert_null(read_file("not-there.yaml", NULL));
    assert_int_equal(diagnostics.count, 1);
    assert_non_null(strstr(diagnostics.items[0].text, "cannot open"));
}

#define FILES(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

// A parameter of the only robot, printed.
static void assert_param(const ib_Scenario *scenario, const char *key, const char *expected)
{
    const ib_RobotConfig *robot = &scenario->sim.robots[0];
    const ib_Param *param = ib_schema_find(&robot->kind->params, key);
    char text[100];
    assert_non_null(param);
    ib_schema_format(param, robot->config, text, sizeof text);
    assert_string_equal(text, expected);
}

// Goal: presets in robot files lie under the keys of the scenario and of --set. Method: a tank
// whose file names them, one changed by a map, one by options, one left alone.
static void presets_in_robot_files_lie_under_the_scenario(void **state)
{
    (void)state;
    static const ib_Override overrides[] = {{"robot.breaker.reset", "0.5"},
                                            {"robot.drive.motor", "cim-robosim"}};
    ib_ScenarioOptions options = {.overrides = overrides, .override_count = 2};
    write_file("tank.yaml", "kind: tank\ndrive: {motor: neo}\nbreaker: cb185-120\n"
                            "brownout: roborio2\nair: off\n");
    write_file("s.yaml", "robot: {file: tank.yaml, breaker: {cooling: 77 s}}\n"
                         "inputs: {left: 1 V, right: 1 V}\n" RUN);
    ib_Scenario *s = read_file("s.yaml", &options);
    print_mistakes(&diagnostics);
    assert_non_null(s);
    assert_param(s, "breaker", "on");
    assert_param(s, "breaker.rating", "120 A");
    assert_param(s, "breaker.cooling", "77 s");
    assert_param(s, "breaker.reset", "0.5");
    assert_param(s, "drive.motor.stall_current", "131.227 A");
    assert_param(s, "brownout.off", "6.75 V");
    assert_param(s, "air", "off");
    ib_scenario_destroy(s);
}

// Goal: a preset for a whole robot, named in a robot file, lies under all that is written in it, in
// the scenario and in options: another name, a key, one wheel of its list. Method: one of each,
// over each other.
static void a_whole_robot_lies_under_its_file(void **state)
{
    (void)state;
    static const ib_Override overrides[] = {{"robot.wheels.at.2.diameter", "5 in"},
                                            {"robot.preset", "kiwi"}};
    ib_ScenarioOptions options = {.overrides = overrides, .override_count = 1};
    write_file("bot.yaml", "kind: holonomic\npreset: x-drive\nwheels: {mu: 0.5}\n");
    write_file("s.yaml", "robot: {file: bot.yaml, mass: 9 kg}\n" RUN);
    for (int i = 1; i <= 2; i++) {
        options.override_count = i;
        ib_Scenario *s = read_file("s.yaml", &options);
        print_mistakes(&diagnostics);
        assert_non_null(s);
        assert_param(s, "mass", "9 kg");
        assert_param(s, "wheels.mu", "0.5");
        assert_param(s, "wheels.roller_friction", "0.05");
        assert_param(s, "battery.open_circuit", "14.2 V");
        assert_param(s, "wheels.at", i == 1 ? "4" : "3");
        const ib_HolonomicConfig *config = s->sim.robots[0].config;
        assert_close(config->wheels[2].layout.diameter, 5 * 0.0254, 1e-15);
        assert_close(config->wheels[1].layout.diameter, 4 * 0.0254, 1e-15);
        assert_close(config->wheels[2].layout.x, (i == 1 ? -7 : -8) * 0.0254, 1e-15);
        ib_scenario_destroy(s);
    }
}

// Goal: a file that a parameter names is seen from the file that has the name, noted among those
// that were read, and a mistake in it stands at its place there. Method: a robot file in a folder
// of its own, beside its model; then the model broken, then gone.
static void files_of_parameters_are_read_with_it(void **state)
{
    (void)state;
    char command[200], expected[200];
    snprintf(command, sizeof command, "mkdir %s/robots", folder);
    assert_int_equal(system(command), 0);
    write_file("robots/arm.yaml", "kind: mjcf\nmodel: arm.xml\n");
    write_file("robots/arm.xml", "<mujoco><worldbody><body><joint/><geom size='0.1'/></body>"
                                 "</worldbody></mujoco>");
    write_file("s.yaml", "robot: {file: robots/arm.yaml}\n" RUN);
    ib_Scenario *s = read_file("s.yaml");
    assert_non_null(s);
    const ib_MjcfConfig *c = s->sim.robots[0].config;
    snprintf(expected, sizeof expected, "%s/robots/arm.xml", folder);
    assert_string_equal(c->model.name, expected);
    assert_int_equal(c->model.length, 79);
    assert_string_equal(s->files[2], expected);
    assert_null(s->files[3]);
    ib_scenario_destroy(s);

    write_file("robots/arm.xml", "<mujoco>\n <worldbody>\n  <box/></worldbody></mujoco>");
    assert_null(read_file("s.yaml"));
    assert_int_equal(diagnostics.count, 1);
    assert_string_equal(diagnostics.items[0].file, expected);
    assert_int_equal(diagnostics.items[0].line, 3);
    assert_int_equal(diagnostics.items[0].column, 3);

    write_file("s.yaml", "robot: {kind: mjcf, model: none.xml}\n" RUN);
    assert_null(read_file("s.yaml"));
    assert_int_equal(diagnostics.count, 1);
    assert_non_null(strstr(diagnostics.items[0].text, "robot.model: cannot open"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        FILES(robot_files_lie_under_the_scenario),
        FILES(all_files_that_were_read_are_listed),
        FILES(robot_files_that_are_wrong_are_refused),
        FILES(presets_in_robot_files_lie_under_the_scenario),
        FILES(a_whole_robot_lies_under_its_file),
        FILES(files_of_parameters_are_read_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
