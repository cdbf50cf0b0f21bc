// Claims about the step of a run that names none: that of its robots' files.
#include "cmocka_all.h"
#include "folder.h"
#include "scenario/scenario.h"
#include "sim/model.h"

#include <stdio.h>
#include <string.h>

#define MODEL(option)                                                                              \
    "<mujoco>" option "<worldbody><body><joint/><geom size='0.1'/></body></worldbody></mujoco>"

static void write_models(void)
{
    write_file("two.xml", MODEL("<option timestep='0.002'/>"));
    write_file("five.xml", MODEL("<option timestep='0.005'/>"));
    write_file("third.xml", MODEL("<option timestep='0.00333333333'/>"));
    write_file("none.xml", MODEL(""));
    write_file("arm.urdf",
               "<robot name='r'><link name='base'/><link name='arm'><inertial><mass value='1'/>"
               "<inertia ixx='1' iyy='1' izz='1'/></inertial></link><joint name='j' "
               "type='continuous'><parent link='base'/><child link='arm'/></joint></robot>");
}

// Goal: a file's own timestep is the step of a run that names none, MuJoCo's 2 ms where the file
// has none; run.step has the last word and is divided where it is longer; robots that need
// another get it, and a warning names the robot whose step it is not. Method: cases by hand.
static void a_run_has_the_step_of_its_file(void **state)
{
    (void)state;
    static const struct {
        const char *robots, *run;
        ib_Time step; ///< [ns]
        const char *warning;
    } cases[] = {
        {"robot: {kind: mjcf, model: two.xml}", "", 2000000, NULL},
        {"robot: {kind: mjcf, model: five.xml}", ", solver: rk4", 5000000, NULL},
        {"robot: {kind: mjcf, model: none.xml}", "", 2000000, NULL},
        {"robot: {kind: mjcf, model: third.xml}", "", 3333333, NULL},
        {"robot: {kind: mjcf, model: arm.urdf}", "", 1000000, NULL},
        {"robot: {kind: mjcf, model: two.xml}", ", step: 1 ms", 1000000, NULL},
        {"robot: {kind: mjcf, model: two.xml}", ", step: 3 ms", 1500000, NULL},
        {"robot: {kind: mjcf, model: two.xml}\nfield: {gravity: 9.81 m/s^2}", "", 2000000, NULL},
        {"robots: {a: {kind: mjcf, model: two.xml}, b: {kind: mjcf, model: five.xml}}", "", 2000000,
         "robots.b: its file has a timestep of 5 ms, but it is moved in steps of 2 ms"},
        {"robots: {a: {kind: mjcf, model: two.xml}, b: {kind: roomba, inputs: {source: viewer}}}",
         "", 1000000,
         "robots.a: its file has a timestep of 2 ms, but it is moved in steps of 1 ms"},
        {"robots: {a: {kind: mjcf, model: arm.urdf}, b: {kind: roomba, inputs: {source: viewer}}}",
         "", 1000000, NULL},
        {"robots: {a: {kind: mjcf, model: two.xml}, b: {kind: roomba, inputs: {source: viewer}}}",
         ", step: 1 ms", 1000000, NULL},
    };
    write_models();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        ib_Arena arena = {0};
        ib_Diagnostics diagnostics = {.arena = &arena};
        ib_ScenarioOptions options = {0};
        snprintf(text, sizeof text, "%s\nrun: {duration: 1 s%s}\n", cases[i].robots, cases[i].run);
        write_file("s.yaml", text);
        ib_Scenario *s = ib_scenario_read(in_folder("s.yaml").text, &options, &diagnostics);
        if (!s) fail_msg("%s", diagnostics.items[0].text);
        if (s->model->step != cases[i].step)
            fail_msg("%s%s: %g ns", cases[i].robots, cases[i].run, (double)s->model->step);
        assert_int_equal(s->yaml.warning_count, cases[i].warning != NULL);
        if (cases[i].warning) assert_non_null(strstr(s->yaml.warnings[0].text, cases[i].warning));
        ib_scenario_destroy(s);
        ib_arena_reset(&arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_run_has_the_step_of_its_file, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
