// Claims about src/world/mjcf.c: what of a file reaches MuJoCo, and where it is refused.
#include "world/mjcf.h"

#include "cmocka_all.h"
#include "world/mujoco_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ib_Arena arena;

static int teardown(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

#define BODY               "<body name='a'><joint name='j'/><geom size='0.1'/></body>"
#define IN(before, inside) "<mujoco>" before "\n<worldbody>" inside "</worldbody></mujoco>"

static ib_Status load(const char *text, ib_MjcfFile *file, ib_Error *error)
{
    return ib_mjcf_load(text, strlen(text), IB_URDF_FIXED, &arena, file, error);
}

static void refused(const char *text, const char *place, const char *words)
{
    ib_MjcfFile file;
    ib_Error error = {0};
    assert_int_equal(load(text, &file, &error), IB_BAD_INPUT);
    if (strncmp(error.text, place, strlen(place)) != 0 || !strstr(error.text, words))
        fail_msg("expected '%s … %s', got '%s'", place, words, error.text);
}

// Goal: what names another file, a plug-in or a thread is refused before MuJoCo sees it.
static void other_files_are_refused(void **state)
{
    (void)state;
    refused(IN("<include file='x.xml'/>", BODY), "1:9: ", "include: other files");
    refused(IN("<asset><mesh name='m' file='x.stl'/></asset>", BODY), "1:31: ", "other files");
    refused(IN("<asset><hfield name='m' file='x.png'/></asset>", BODY), "1:33: ", "other files");
    refused(IN("<asset><texture fileright='x.png'/></asset>", BODY), "1:25: ", "other files");
    refused(IN("<asset><skin name='s'/></asset>", BODY), "1:16: ", "skin");
    refused(IN("<extension><plugin plugin='x'/></extension>", BODY), "1:9: ", "plug-ins");
    refused(IN("<compiler usethread='true'/>", BODY), "1:19: ", "usethread");
    refused(IN("", BODY "<composite type='rope' count='9999 1 1'/>"), "2:69: ", "composite");
}

// Goal: sizes that MuJoCo would allocate or loop over have bounds, and numbers are plain.
static void sizes_are_bounded(void **state)
{
    (void)state;
    refused(IN("<size njmax='2000000000'/>", BODY), "1:15: ", "njmax: expected -1 to 2000");
    refused(IN("<size nstack='1e11'/>", BODY), "1:15: ", "nstack");
    refused(IN("<option timestep='1e-9'/>", BODY), "1:17: ", "timestep: expected 1e-05 to 0.1");
    refused(IN("<option timestep='nan'/>", BODY), "1:17: ", "plain numbers");
    refused(IN("<option iterations='1000000000'/>", BODY), "1:17: ", "iterations");
    refused(IN("<option integrator='RK4'/>", BODY), "1:17: ", "integrator: expected Euler");
    refused(IN("<asset><texture width='60000' height='60000'/></asset>", BODY), "1:25: ", "width");
    refused(IN("", "<body name='a' pos='0 0 inf'/>"), "2:27: ", "plain numbers");
    refused(IN("", "<body name='a' pos='0 0 1e30'/>"), "2:27: ", "at most 1e+20");
    refused(IN("", "<body name='a'/>"), "1:1: ", "nothing in it can move");
    refused("<mujoco/>", "1:1: ", "worldbody");
    refused("<rabbit/>", "1:1: ", "expected <mujoco> of MJCF or <robot> of URDF");
    refused(IN("", "<body name='a'>some text" BODY "</body>"), "2:12: ", "text in <body>");
    // 51 free bodies have 306 velocities; the model has no more than 50 of them.
    static char many[51 * 60 + 200];
    char *at = many + sprintf(many, "<mujoco><worldbody>\n");
    for (int i = 0; i < 51; i++)
        at += sprintf(at, "<body><freejoint/><geom size='1' mass='1'/></body>");
    sprintf(at, "</worldbody></mujoco>");
    refused(many, "2:2507: ", "more than 50 elements <freejoint>");
}

// Goal: what MuJoCo refuses is placed at the element it means, by its name or its line.
static void refusals_of_mujoco_are_placed(void **state)
{
    (void)state;
    refused(IN("", "<body>\n  <joint foo='1'/></body>"), "3:3: ", "<joint>: MuJoCo: XML Error");
    refused(IN("", "<body name='x'>\n<body name='y'><joint/></body></body>"),
            "3:1: ", "<body name='y'>: MuJoCo: Error: mass and inertia");
    refused(IN("", "\n  <body name='x'><joint/><geom name='g' size='-1'/></body>"),
            "3:26: ", "<geom name='g'>: MuJoCo");
    refused(IN("<actuator><motor joint='nobody'/></actuator>", BODY), "1:", "MuJoCo");
}

// Goal: so is what has no name, among others of its kind on the same line. Method: columns counted
// by hand; a body's own geoms come before those of the bodies in it, wherever they stand.
static void things_without_a_name_are_placed(void **state)
{
    (void)state;
    const char *ball = "<geom size='0.1'/>"; // 18 characters
    char text[600];
#define ON_LINE_TWO(format)                                                                        \
    (snprintf(text, sizeof text, "<mujoco><worldbody>\n" format "</worldbody></mujoco>", ball),    \
     text)
    refused(ON_LINE_TWO("<body><joint/>%s</body><body><joint/><geom size='1' mass='0'/></body>"),
            "2:40: ", "<body>: MuJoCo: Error: mass and inertia");
    refused(ON_LINE_TWO("<body>%s<joint/><joint limited='true' range='10 -10'/></body>"),
            "2:33: ", "<joint>: MuJoCo: Error: range");
    refused(ON_LINE_TWO("<body><joint/><body>%s</body><geom size='-1'/></body>"),
            "2:46: ", "<geom>: MuJoCo: Error: sizes");
    refused(ON_LINE_TWO("<body><joint/>%s<site/><site size='-1'/></body>"),
            "2:40: ", "<site>: MuJoCo: Error: sizes");
    refused(ON_LINE_TWO("<body><freejoint/>%s<geom type='mesh' mesh='joint'/></body>"),
            "2:37: ", "<geom>: MuJoCo: Error: mesh");
#undef ON_LINE_TWO
    refused("<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>\n"
            "<actuator><motor joint='j'/><motor joint='no'/></actuator></mujoco>",
            "2:29: ", "<motor>: MuJoCo: Error: unknown transmission target");
}

// Goal: a text with a keyframe for a state begins in that state, whatever keyframes it had.
// Method: a slide, a hinge and an actuator with an activation, in a state of odd numbers.
static void a_text_begins_in_a_state(void **state)
{
    (void)state;
    const char *text =
        "<mujoco><worldbody><body><joint type='slide'/><joint/><geom size='0.1'/></body>"
        "</worldbody><actuator><general joint='j' dyntype='filter' dynprm='1'/></actuator>"
        "<keyframe><key qpos='1 2'/></keyframe></mujoco>";
    char with_joint[600];
    snprintf(with_joint, sizeof with_joint, "%s", text);
    char *joint = strstr(with_joint, "<joint/>"), rest[600];
    snprintf(rest, sizeof rest, "%s", joint + 8);
    snprintf(joint, sizeof with_joint - (size_t)(joint - with_joint), "<joint name='j'/>%s", rest);
    ib_MjcfFile first, again;
    ib_Error error = {0};
    double start[7], wanted[5] = {1.0 / 3, -2e-17, 1e10 / 7, 0.1, 0.7}, controls[1] = {0.3};
    if (load(with_joint, &first, &error) != IB_OK) fail_msg("%s", error.text);
    ib_MujocoSizes sizes = ib_mujoco_sizes(first.model);
    assert_int_equal(sizes.states, 7);
    ib_mujoco_key(first.model, start, controls);
    assert_true(start[0] == 1 && start[1] == 2 && controls[0] == 0);
    controls[0] = 0.3;
    const char *from = ib_mjcf_from(first.mjcf, &sizes, wanted, controls, &arena);
    assert_non_null(from);
    if (load(from, &again, &error) != IB_OK) fail_msg("%s", error.text);
    controls[0] = 0;
    ib_mujoco_key(again.model, start, controls);
    assert_memory_equal(start, wanted, sizeof wanted);
    assert_true(controls[0] == 0.3);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(other_files_are_refused, teardown),
        cmocka_unit_test_teardown(sizes_are_bounded, teardown),
        cmocka_unit_test_teardown(refusals_of_mujoco_are_placed, teardown),
        cmocka_unit_test_teardown(things_without_a_name_are_placed, teardown),
        cmocka_unit_test_teardown(a_text_begins_in_a_state, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
