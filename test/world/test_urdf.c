// Claims about src/world/urdf.c: a URDF's masses, inertias, limits and shapes as MJCF has them.
#include "base/maths.h"
#include "cmocka_all.h"
#include "world/mjcf.h"
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

static ib_MjcfFile load(const char *text, ib_UrdfBase base)
{
    ib_MjcfFile file;
    ib_Error error = {0};
    if (ib_mjcf_load(text, strlen(text), base, &arena, &file, &error) != IB_OK)
        fail_msg("%s", error.text);
    assert_true(file.urdf);
    return file;
}

static void refused(const char *text, ib_UrdfBase base, const char *place, const char *words)
{
    ib_MjcfFile file;
    ib_Error error = {0};
    assert_int_equal(ib_mjcf_load(text, strlen(text), base, &arena, &file, &error), IB_BAD_INPUT);
    if (strncmp(error.text, place, strlen(place)) != 0 || !strstr(error.text, words))
        fail_msg("expected '%s … %s', got '%s'", place, words, error.text);
}

#define MASS(m, i)                                                                                 \
    "<inertial><mass value='" m "'/><inertia ixx='" i "' iyy='" i "' izz='" i "'/></inertial>"
#define LINK(name, inside) "<link name='" name "'>" inside "</link>"
#define JOINT(name, type, parent, child, inside)                                                   \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child        \
    "'/>" inside "</joint>"
#define LIMIT         "<limit lower='-1' upper='2' effort='7' velocity='3'/>"
#define ROBOT(inside) "<robot name='r'>\n" inside "</robot>"

// Goal: the root's mass is kept, whether it is held or free, and so are effort, range, damping and
// friction; a base that is free has a joint of its own and a floor.
static void nothing_that_matters_is_lost(void **state)
{
    (void)state;
    const char *text = ROBOT(LINK("base", MASS("3", "0.1")) LINK("arm", MASS("1.5", "0.02")) JOINT(
        "j", "revolute", "base", "arm", LIMIT "<dynamics damping='0.25' friction='0.125'/>"));
    for (int base = 0; base < 2; base++) {
        ib_MjcfFile file = load(text, base ? IB_URDF_FREE : IB_URDF_FIXED);
        ib_MujocoSizes sizes = ib_mujoco_sizes(file.model);
        assert_true(fabs(ib_mujoco_mass(file.model) - 4.5) < 1e-15);
        assert_int_equal(sizes.velocities, base ? 7 : 1);
        assert_int_equal(sizes.geoms, base ? 1 : 0);
        int id = ib_mujoco_find(file.model, IB_MUJOCO_JOINT, "j");
        ib_MujocoJoint joint = ib_mujoco_joint(file.model, id);
        assert_true(joint.limited && joint.low == -1 && joint.high == 2);
        assert_true(joint.damping == 0.25 && joint.friction == 0.125);
        ib_MujocoActuator motor = ib_mujoco_actuator(file.model, 0);
        assert_int_equal(sizes.controls, 1);
        assert_true(motor.limited && motor.low == -7 && motor.high == 7 && motor.turns);
        assert_int_equal(motor.drive, IB_MUJOCO_FORCE);
    }
}

// Goal: an inertia given in turned axes is the one about the turned axis. Method: a hinge along
// the first of the turned axes, R e_x = (cos y cos p, sin y cos p, -sin p), at the centre of mass:
// what it feels is ixx, here without products of inertia, to the rounding of MuJoCo's own turns.
static void a_turned_inertia_is_that_of_its_axis(void **state)
{
    (void)state;
    double r = 0.3, p = -0.4, y = 1.1, matrix[1];
    char text[1200];
    for (int axis = 0; axis < 3; axis++) {
        // Columns of Rz(y) Ry(p) Rx(r).
        double e[3][3] = {{cos(y) * cos(p), sin(y) * cos(p), -sin(p)},
                          {cos(y) * sin(p) * sin(r) - sin(y) * cos(r),
                           sin(y) * sin(p) * sin(r) + cos(y) * cos(r), cos(p) * sin(r)},
                          {cos(y) * sin(p) * cos(r) + sin(y) * sin(r),
                           sin(y) * sin(p) * cos(r) - cos(y) * sin(r), cos(p) * cos(r)}};
        const double inertia[3] = {0.5, 0.7, 0.9};
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='base'/><link name='l'><inertial><origin "
                 "rpy='%.17g %.17g %.17g'/><mass value='2'/><inertia ixx='0.5' iyy='0.7' "
                 "izz='0.9' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' "
                 "type='continuous'><parent link='base'/><child link='l'/><axis xyz='%.17g %.17g "
                 "%.17g'/></joint></robot>",
                 r, p, y, e[axis][0], e[axis][1], e[axis][2]);
        ib_MjcfFile file = load(text, IB_URDF_FIXED);
        ib_MujocoWorkspace *workspace = ib_mujoco_workspace(file.model, &arena);
        double start[3] = {0};
        ib_Error error = {0};
        ib_mujoco_start(file.model, start);
        assert_int_equal(
            ib_mujoco_place(file.model, workspace, start, (double[]){0, 0, -9.81}, &error), IB_OK);
        ib_mujoco_inertia(file.model, workspace, matrix);
        if (!(fabs(matrix[0] - inertia[axis]) < 1e-12)) fail_msg("axis %d: %.17g", axis, matrix[0]);
    }
}

// Goal: a joint's origin is where URDF has it: xyz first, then roll, pitch and yaw about fixed
// axes. Method: the last link of a chain, whose place was worked out by hand: a quarter turn about
// z, 1 m along the turned x, a quarter turn about that, 2 m along the turned z.
static void origins_follow_each_other(void **state)
{
    (void)state;
    const char *text = ROBOT(
        LINK("base", "") LINK("a", MASS("1", "0.1")) LINK("b", "") LINK("c", "") JOINT(
            "j", "continuous", "base", "a", "<origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/>")
            JOINT("k", "fixed", "a", "b", "<origin xyz='1 0 0' rpy='1.5707963267948966 0 0'/>")
                JOINT("l", "fixed", "b", "c", "<origin xyz='0 0 2'/>"));
    ib_MjcfFile file = load(text, IB_URDF_FIXED);
    ib_MujocoWorkspace *workspace = ib_mujoco_workspace(file.model, &arena);
    double start[3] = {0};
    ib_Error error = {0};
    assert_int_equal(ib_mujoco_place(file.model, workspace, start, (double[]){0, 0, -9.81}, &error),
                     IB_OK);
    // b at (0, 1, 1). Its z is that of a turned about a's x by a quarter: -y of a, which is +x.
    const double *c =
        ib_mujoco_body_places(workspace) + 3 * ib_mujoco_find(file.model, IB_MUJOCO_BODY, "c");
    assert_true(fabs(c[0] - 2) < 1e-15 && fabs(c[1] - 1) < 1e-15 && fabs(c[2] - 1) < 1e-15);
}

// Goal: a block for MuJoCo's own conversion is told, with meshes and without.
static void a_block_for_mujoco_is_told(void **state)
{
    (void)state;
#define BLOCK "<mujoco><compiler balanceinertia='true'/></mujoco>\n"
#define ARM   LINK("a", MASS("1", "0.1") "%s") JOINT("j", "continuous", "base", "a", "")
    static const char mesh[] = "<visual><geometry><mesh filename='x.stl'/></geometry></visual>";
    for (int i = 0; i < 2; i++) {
        char text[1000];
        snprintf(text, sizeof text, ROBOT(BLOCK LINK("base", "") ARM), i ? mesh : "");
        ib_MjcfFile file = load(text, IB_URDF_FIXED);
        assert_non_null(strstr(file.left_out, "<mujoco> in line 2 is left out"));
        assert_int_equal(strstr(file.left_out, "1 mesh is left out") != NULL, i);
    }
}

// Goal: shapes have URDF's sizes, colours come by name or by themselves, meshes are told.
static void shapes_are_those_of_the_file(void **state)
{
    (void)state;
    const char *text =
        ROBOT("<material name='m'><color rgba='1 0 0.5 1'/></material>" LINK("base", "") LINK(
            "a", MASS("1", "0.1") "<visual><geometry><box size='0.2 0.4 0.6'/></geometry>"
                                  "<material name='m'/></visual><collision><origin xyz='0 0 1'/>"
                                  "<geometry><cylinder radius='0.1' length='0.5'/></geometry>"
                                  "</collision><collision><geometry><mesh filename='x.stl'/>"
                                  "</geometry></collision>")
                  JOINT("j", "continuous", "base", "a", ""));
    ib_MjcfFile file = load(text, IB_URDF_FIXED);
    assert_int_equal(ib_mujoco_sizes(file.model).geoms, 2);
    ib_MujocoGeom box = ib_mujoco_geom(file.model, 0), cylinder = ib_mujoco_geom(file.model, 1);
    assert_int_equal(box.shape, IB_MUJOCO_BOX);
    assert_true(box.size[0] == 0.1 && box.size[1] == 0.2 && fabs(box.size[2] - 0.3) < 1e-16);
    assert_true(box.colour[0] == 1 && box.colour[1] == 0 && box.colour[2] == 0.5F);
    assert_int_equal(cylinder.shape, IB_MUJOCO_CYLINDER);
    assert_true(cylinder.size[0] == 0.1 && cylinder.size[1] == 0.25 && cylinder.at[2] == 1);
    assert_non_null(strstr(file.left_out, "1 mesh is left out, of link 'a' first"));
    assert_true(fabs(ib_mujoco_mass(file.model) - 1) < 1e-15); // shapes weigh nothing
}

// Goal: what is wrong or cannot be said in MJCF is refused where it stands.
static void mistakes_have_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *words;
        ib_UrdfBase base;
    } bad[] = {
        {ROBOT(""), "1:1: ", "without links", 0},
        {ROBOT(LINK("a", "") LINK("a", "")), "2:23: ", "two links 'a'", 0},
        {ROBOT(LINK("a", "") LINK("b", "")), "2:23: ", "'a' and 'b' both have no parent", 0},
        {ROBOT(LINK("a", "") LINK("b", "") JOINT("j", "revolute", "a", "b", "")),
         "2:45: ", "expected <limit", 0},
        {ROBOT(LINK("a", "") LINK("b", "") JOINT("j", "planar", "a", "b", "")),
         "2:61: ", "got 'planar'", 0},
        {ROBOT(LINK("a", "") LINK("b", "") JOINT("j", "floating", "a", "b", "")),
         "2:61: ", "robot.base: free", 0},
        {ROBOT(LINK("a", "") LINK("b", "") JOINT("j", "continuous", "a", "c", "")),
         "2:97: ", "there is no link 'c'", 0},
        {ROBOT(LINK("a", "") LINK("b", "") JOINT("j", "continuous", "a", "b", "")),
         "2:23: ", "'b' moves and has no mass", 0},
        {ROBOT(LINK("a", "") LINK("b", MASS("0", "1")) JOINT("j", "continuous", "a", "b", "")),
         "2:48: ", "mass of link 'b': expected more than 0 kg", 0},
        {ROBOT(LINK("a", "") LINK("b", MASS("1", "0")) JOINT("j", "continuous", "a", "b", "")),
         "2:65: ", "ixx of link 'b'", 0},
        {ROBOT(LINK("a", "") LINK("b", MASS("1", "1"))
                   JOINT("j", "revolute", "a", "b", "<limit lower='1' upper='-1' effort='1'/>")),
         "2:", "range is inverted", 0},
        {ROBOT(LINK("a", "") LINK("b", MASS("1", "1"))
                   JOINT("j", "continuous", "a", "b", "<mimic joint='x'/>")),
         "2:", "mimics another one", 0},
        {ROBOT(LINK("a", "") LINK("b", MASS("1", "1"))
                   JOINT("j", "continuous", "a", "b", "<axis xyz='0 0 0'/>")),
         "2:", "no direction", 0},
        {ROBOT(LINK("a", "") LINK("b", MASS("1", "1")) JOINT("j", "continuous", "a", "b", "")
                   JOINT("k", "continuous", "b", "a", "")),
         "2:", "in a circle of joints", 0},
        {ROBOT(LINK("a", "")), "2:1: ", "'a' is the base, which is free, and has no mass", 1},
        {ROBOT(LINK("a", "") LINK("b", "<inertial><mass value='1'/><inertia ixx='1' iyy='1' "
                                       "izz='5'/></inertial>")
                   JOINT("j", "continuous", "a", "b", "")),
         "2:23: ", "<link name='b'>: MuJoCo: Error: inertia must satisfy", 0},
        {ROBOT(LINK("a", MASS("1", "one"))), "2:", "ixx: expected a number, got 'one'", 1},
        {ROBOT(
             LINK("a", MASS("1", "1") "<visual><geometry><box size='1 1 0'/></geometry></visual>")),
         "2:", "expected sizes above 0", 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refused(bad[i].text, bad[i].base, bad[i].place, bad[i].words);
}

// Goal: a name may have any characters, also those that mean something in XML.
static void names_survive(void **state)
{
    (void)state;
    const char *text = "<robot name='&lt;r&gt;'><link name='a &amp; b'/><link name='\"q\"'>" MASS(
        "1", "1") "</link><joint name='&lt;j&apos;' type='continuous'><parent link='a &amp; b'/>"
                  "<child link='\"q\"'/></joint></robot>";
    ib_MjcfFile file = load(text, IB_URDF_FIXED);
    assert_true(ib_mujoco_find(file.model, IB_MUJOCO_JOINT, "<j'") == 0);
    assert_true(ib_mujoco_find(file.model, IB_MUJOCO_BODY, "a & b") == 1);
    assert_true(ib_mujoco_find(file.model, IB_MUJOCO_BODY, "\"q\"") == 2);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(nothing_that_matters_is_lost, teardown),
        cmocka_unit_test_teardown(a_turned_inertia_is_that_of_its_axis, teardown),
        cmocka_unit_test_teardown(origins_follow_each_other, teardown),
        cmocka_unit_test_teardown(shapes_are_those_of_the_file, teardown),
        cmocka_unit_test_teardown(a_block_for_mujoco_is_told, teardown),
        cmocka_unit_test_teardown(mistakes_have_their_place, teardown),
        cmocka_unit_test_teardown(names_survive, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
