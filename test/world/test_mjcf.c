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
    refused(IN("<asset><hfield file='x.png'/></asset>", BODY), "1:24: ", "other files");
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
    refused(IN("<option integrator='RK5'/>", BODY), "1:9: ", "invalid keyword: 'RK5'");
    refused(IN("<asset><hfield nrow='600' ncol='9'/></asset>", BODY), "1:24: ", "nrow: expected 2");
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

// A model with one mesh of these attributes, which begin in column 31.
#define MESH(attributes)                                                                           \
    "<mujoco><asset><mesh name='m' " attributes "/></asset><worldbody><body><freejoint/>"          \
    "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
#define CORNERS "vertex='0 0 0 1 0 0 0 1 0 0 0 1' "

// Goal: faces are made of vertices that exist, and vertices enclose something: MuJoCo looks the
// first up without a question, and qhull prints sixty lines about the second. Method: a tetrahedron
// of the vertices 0 to 3, with corners beyond either end and ones that are no whole numbers.
static void faces_have_vertices_that_exist(void **state)
{
    (void)state;
    ib_MjcfFile file;
    ib_Error error = {0};
    if (load(MESH(CORNERS "face='0 2 1 0 1 3 0 3 2 1 2 3'"), &file, &error) != IB_OK)
        fail_msg("%s", error.text);
    refused(MESH(CORNERS "face='0 1 4 0 2 3'"),
            "1:64: ", "face: expected whole numbers from 0 to 3");
    refused(MESH(CORNERS "face='0 1 1000000 0 2 3'"), "1:64: ", "got '1000000'");
    refused(MESH(CORNERS "face='0 1 -1 0 2 3'"), "1:64: ", "got '-1'");
    refused(MESH(CORNERS "face='0 1 2.5 0 2 3'"), "1:64: ", "got '2.5'");
    refused(MESH(CORNERS "face='0 1 4e0 0 2 3'"), "1:64: ", "got '4e0'");
    refused(MESH(CORNERS "face='0 1 4294967297 0 2 3'"), "1:64: ", "got '4294967297'");
    refused(MESH(CORNERS "face='0 1 2 3'"), "1:64: ", "three vertices for each face");
    refused(MESH("face='0 1 2'"), "1:31: ", "there is no vertex");
    refused(MESH("vertex='0 0 0 1 0 0 0 1 0 0 0'"), "1:31: ", "three numbers for each");
    refused(MESH("vertex='0 0 0 1 0 0 0 1 0 x 0 1'"), "1:31: ", "got 'x'");
    refused(MESH("vertex='0 0 0 1 0 0 0 1 0 0 0 1e7'"), "1:31: ", "at most 1e+06");
    refused(MESH("vertex='0 0 0 1 0 0 2 0 0 3 0 0'"), "1:31: ", "in one plane");
    refused(MESH("vertex='1 1 1 1 1 1 1 1 1 1 1 1'"), "1:31: ", "in one plane");
    refused(MESH("vertex='0 0 1 1 0 1 0 1 1 1 1 1.0000001'"), "1:31: ", "in one plane");
}

// The same mesh, with these defaults in front of it.
#define SCALED(defaults, attributes)                                                               \
    "<mujoco>" defaults "\n<asset><mesh name='m' " CORNERS attributes                              \
    "/></asset><worldbody><body>"                                                                  \
    "<freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
#define INNER                                                                                      \
    "<default><mesh scale='1 1 1'/><default class='a'><mesh scale='1 1 1e19'/>"                    \
    "<default class='b'/></default><default class='c'><mesh scale='2 2 2'/></default></default>"

// Goal: a mesh is as large as its vertices times its scale, its own or that of its class: one of
// 1e19 m ended a run at its first step. Method: scales of the mesh, of the class around all, of its
// class and of the one around that; a class that is not its own; a scale that leaves no volume.
static void a_mesh_is_as_large_as_its_scale_makes_it(void **state)
{
    (void)state;
    static const char large[] = "a vertex times its scale: expected at most 1e+06 m";
    static const char *const good[] = {
        SCALED("", "scale='1e6 1e6 1e6'"), SCALED("<default><mesh scale='1 -2 3'/></default>", ""),
        SCALED(INNER, ""), SCALED(INNER, "class='c'"), SCALED(INNER, "class='a' scale='1 1 1'")};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        ib_MjcfFile file;
        ib_Error error = {0};
        if (load(good[i], &file, &error) != IB_OK) fail_msg("%s: %s", good[i], error.text);
    }
    refused(SCALED("", "scale='1 1e19 1'"), "2:8: ", "a coordinate of 1e+19 m");
    refused(SCALED("", "scale='-1.1e6 1 1'"), "2:8: ", large);
    refused(SCALED("<default><mesh scale='1e7 1 1'/></default>", ""), "2:8: ", large);
    refused(SCALED("<default class='own'><mesh scale='1e7 1 1'/></default>", ""), "2:8: ", large);
    refused(SCALED(INNER, "class='a'"), "2:8: ", large);
    refused(SCALED(INNER, "class='b'"), "2:8: ", large);
    refused(SCALED(INNER "<default><mesh scale='1e7 1 1'/></default>", ""), "2:8: ", large);
    refused(SCALED("", "scale='1 0 1'"), "2:8: ", "its scale brings all vertices into one plane");
}

// Goal: whole numbers are whole. Method: MuJoCo reads the digits in front, so that of 99999e-5 it
// would take 99999, write so many numbers of a <numeric> where 500 have room, and of 60000e-5 rows
// and columns ask for more bytes than an int holds.
static void whole_numbers_are_plain_digits(void **state)
{
    (void)state;
    char many[5 * 501 + 200] = "<mujoco><custom><numeric name='n' data='";
    for (int i = 0; i < 501; i++) strcat(many, "0.5 ");
    strcat(many, "'/></custom><worldbody>" BODY "</worldbody></mujoco>");
    refused(many, "1:35: ", "data: 501 numbers, expected at most 500");
    refused(IN("<custom><numeric name='n' size='99999e-5' data='1'/></custom>", BODY),
            "1:35: ", "size: expected a whole number in plain digits, got '99999e-5'");
    refused(IN("<asset><hfield name='h' size='1 1 1 1' nrow='60000e-5' ncol='2'/></asset>", BODY),
            "1:48: ", "nrow: expected a whole number");
    refused(IN("<size njmax='2e3'/>", BODY), "1:15: ", "njmax: expected a whole number");
    refused(IN("<size nuserdata='99999999999'/>", BODY), "1:15: ", "nuserdata: expected a whole");
    refused(IN("", "<body><joint/><geom size='1' condim='1e1'/></body>"), "2:41: ", "condim");
}

// Goal: what would take MuJoCo minutes or gigabytes is refused by its size. Method: 2 x 300
// actuators x 20 s in steps of 1 ms; two height fields of 512 x 512; 101 ball joints.
static void long_work_is_refused_beforehand(void **state)
{
    (void)state;
    static char many[60000];
    char *at = many + sprintf(many, "<mujoco><compiler>\n<lengthrange mode='all' inttotal='20' "
                                    "timestep='0.001'/></compiler><worldbody>" BODY
                                    "</worldbody><actuator>");
    for (int i = 0; i < 300; i++) at += sprintf(at, "<motor joint='j'/>");
    sprintf(at, "</actuator></mujoco>");
    refused(many, "2:1: ", "lengthrange: 1.2e+07 steps to find the ranges of 300 actuators");
    refused(IN("<asset><hfield name='a' size='1 1 1 1' nrow='512' ncol='512'/>\n"
               "<hfield name='b' size='1 1 1 1' nrow='512' ncol='512'/></asset>",
               BODY),
            "2:1: ", "height fields of 524288 points");
    at = many + sprintf(many, "<mujoco><default><joint type='ball'/></default><worldbody>\n");
    for (int i = 0; i < 101; i++) at += sprintf(at, "<body><joint/><geom size='1'/></body>");
    sprintf(at, "</worldbody></mujoco>");
    refused(many, "2:", "more than 300 degrees of freedom");
}

// Goal: what takes MuJoCo long all the same ends soon after somebody wants to stop, and the next
// model compiles as ever. Method: 50 lengths of which each is found by 2000 steps of a simulation,
// half a second of work, with a flag that is set: 0.3 s of processor time are left to it.
static void long_work_heeds_a_flag(void **state)
{
    (void)state;
    volatile sig_atomic_t stop = 1;
    ib_MjcfFile file;
    ib_Error error = {0};
    static char many[20000];
    char *at = many + sprintf(many, "<mujoco><compiler><lengthrange mode='all' tolrange='1e9'/>"
                                    "</compiler><worldbody>");
    for (int i = 0; i < 50; i++)
        at += sprintf(at, "<body><joint name='j%d'/><geom size='.1' pos='.1 0 0'/></body>", i);
    at += sprintf(at, "</worldbody><actuator>");
    for (int i = 0; i < 50; i++) at += sprintf(at, "<motor joint='j%d'/>", i);
    sprintf(at, "</actuator></mujoco>");
    ib_mujoco_heed(&stop);
    assert_int_equal(load(many, &file, &error), IB_INTERRUPTED);
    assert_string_equal(error.text, "stopped in a model");
    assert_int_equal(load(IN("", BODY), &file, &error), IB_OK);
    ib_mujoco_heed(NULL);
}

// Goal: textures do not reach MuJoCo, since they are only looked at and take 18 MB each; the file's
// text keeps them. Method: ones that MuJoCo would refuse, of no size and of files that are not
// there, and a material that wears one.
static void textures_are_left_out(void **state)
{
    (void)state;
    ib_MjcfFile file;
    ib_Error error = {0};
    const char *text = IN("<asset><texture name='t' builtin='checker' width='0' height='0'/>"
                          "<texture name='u' file='no.png'/><texture type='cube' fileup='no.png'/>"
                          "<material name='m' texture='t' rgba='1 0 0 1'/></asset>",
                          "<body><joint/><geom size='1' material='m'/></body>");
    if (load(text, &file, &error) != IB_OK) fail_msg("%s", error.text);
    assert_non_null(strstr(file.mjcf, "<texture name='t'"));
    assert_non_null(strstr(file.mjcf, "texture='t'"));
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
    refused("<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
            "<equality><joint joint1='j' polycoef='0 1 0 0 0 0'/></equality></mujoco>",
            "1:88: ", "<joint>: MuJoCo: XML Error: attribute 'polycoef' has too much data");
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
        cmocka_unit_test_teardown(faces_have_vertices_that_exist, teardown),
        cmocka_unit_test_teardown(a_mesh_is_as_large_as_its_scale_makes_it, teardown),
        cmocka_unit_test_teardown(whole_numbers_are_plain_digits, teardown),
        cmocka_unit_test_teardown(long_work_is_refused_beforehand, teardown),
        cmocka_unit_test_teardown(long_work_heeds_a_flag, teardown),
        cmocka_unit_test_teardown(textures_are_left_out, teardown),
        cmocka_unit_test_teardown(refusals_of_mujoco_are_placed, teardown),
        cmocka_unit_test_teardown(things_without_a_name_are_placed, teardown),
        cmocka_unit_test_teardown(a_text_begins_in_a_state, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
