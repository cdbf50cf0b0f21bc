// Claims about src/world/mujoco.c beside bare MuJoCo: a model of a file moves as mj_step moves it.
#include "world/mjcf.h"

#include "cmocka_all.h"
#include "world/mujoco_model.h"

#include <dlfcn.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

// The functions of the library that is loaded already.
static struct {
    __typeof__(&mj_defaultVFS) defaultVFS;
    __typeof__(&mj_makeEmptyFileVFS) makeEmptyFileVFS;
    __typeof__(&mj_deleteVFS) deleteVFS;
    __typeof__(&mj_loadXML) loadXML;
    __typeof__(&mj_deleteModel) deleteModel;
    __typeof__(&mj_makeData) makeData;
    __typeof__(&mj_deleteData) deleteData;
    __typeof__(&mj_step) step;
} bare;

static void look_up(void *library, const char *name, void *place)
{
    void *symbol = dlsym(library, name);
    assert_non_null(symbol);
    memcpy(place, &symbol, sizeof symbol);
}

static void open_bare(void)
{
    void *library = dlopen("libmujoco.so.2.2.2", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    look_up(library, "mj_defaultVFS", &bare.defaultVFS);
    look_up(library, "mj_makeEmptyFileVFS", &bare.makeEmptyFileVFS);
    look_up(library, "mj_deleteVFS", &bare.deleteVFS);
    look_up(library, "mj_loadXML", &bare.loadXML);
    look_up(library, "mj_deleteModel", &bare.deleteModel);
    look_up(library, "mj_makeData", &bare.makeData);
    look_up(library, "mj_deleteData", &bare.deleteData);
    look_up(library, "mj_step", &bare.step);
}

static mjModel *load_bare(const char *text)
{
    static mjVFS vfs;
    char said[500] = "";
    bare.defaultVFS(&vfs);
    assert_int_equal(bare.makeEmptyFileVFS(&vfs, "bare.xml", (int)strlen(text)), 0);
    memcpy(vfs.filedata[0], text, strlen(text));
    mjModel *model = bare.loadXML("bare.xml", &vfs, said, sizeof said);
    bare.deleteVFS(&vfs);
    if (!model) fail_msg("%s", said);
    return model;
}

// Moves both by the file's own step, under a control that switches, and compares all bits.
static void move_alike(const char *text, int steps)
{
    ib_Arena arena = {0};
    ib_MjcfFile file;
    ib_Error error = {0};
    double state[64], controls[4], gravity[3];
    if (ib_mjcf_load(text, strlen(text), IB_URDF_FIXED, &arena, &file, &error) != IB_OK)
        fail_msg("%s", error.text);
    ib_MujocoWorkspace *workspace = ib_mujoco_workspace(file.model, &arena);
    ib_MujocoSizes n = ib_mujoco_sizes(file.model);
    assert_true(workspace && n.states <= 64 && n.controls <= 4);
    ib_mujoco_key(file.model, state, controls);
    ib_mujoco_gravity(file.model, gravity);
    open_bare();
    mjModel *model = load_bare(file.mjcf);
    mjData *data = bare.makeData(model);
    memcpy(data->qpos, state, (size_t)n.positions * sizeof *state);
    double h = ib_mujoco_timestep(file.model);
    for (int i = 0; i < steps; i++) {
        double push = i % 60 < 40 ? 0.3 : -5;
        ib_Status status = ib_mujoco_place(file.model, workspace, state, gravity, &error);
        for (int k = 0; k < n.controls; k++)
            ib_mujoco_controls(workspace)[k] = data->ctrl[k] = push;
        if (status == IB_OK) status = ib_mujoco_solve(file.model, workspace, &error);
        if (status == IB_OK) status = ib_mujoco_finish(file.model, workspace, h, state, &error);
        if (status != IB_OK) fail_msg("%s", error.text);
        bare.step(model, data);
        assert_memory_equal(state, data->qpos, (size_t)n.positions * sizeof *state);
        assert_memory_equal(state + n.positions, data->qvel, (size_t)n.velocities * sizeof *state);
    }
    assert_true(state[0] != model->qpos0[0]);
    bare.deleteData(data);
    bare.deleteModel(model);
    ib_arena_reset(&arena);
}

// A cart with a pole as in models of Gym: RK4, a control with a range, limits; beside it a ball
// that falls on the floor, so that there are contacts.
#define CART(option, motor)                                                                        \
    "<mujoco><compiler inertiafromgeom='true'/><default><joint damping='1' limited='true'/>"       \
    "<geom friction='1 .1 .1'/></default><option gravity='0 0 -9.81' " option "/>"                 \
    "<worldbody><geom type='plane' size='9 9 1'/><body pos='0 0 1'>"                               \
    "<joint name='slider' type='slide' axis='1 0 0' range='-1 1'/>"                                \
    "<geom size='.1 .1' type='capsule' contype='0'/><body>"                                        \
    "<joint name='hinge' axis='0 1 0' range='-90 90'/>"                                            \
    "<geom fromto='0 0 0 0.001 0 0.6' size='.049' type='capsule' contype='0'/></body></body>"      \
    "<body pos='3 0 .2'><joint type='free' limited='false' damping='0'/><geom size='.1'/></body>"  \
    "</worldbody><actuator><motor name='slide' joint='slider' gear='10' " motor "/></actuator>"    \
    "</mujoco>"

// Goal: each integrator of a file is MuJoCo's own. Method: 200 steps beside mj_step, to the bit;
// RK4 with 20 ms as in Gym.
static void each_integrator_is_that_of_mj_step(void **state)
{
    (void)state;
    move_alike(CART("timestep='.02' integrator='RK4'", ""), 200);
    move_alike(CART("timestep='.005' integrator='implicit'", ""), 200);
    move_alike(CART("timestep='.002' integrator='Euler'", ""), 200);
    move_alike(CART("integrator='Euler'", ""), 200);
}

// Goal: a range without a word limits, and a sentence says so; one that a default or autolimits
// decides says nothing. Method: the push of 5 is beyond the range of 3; bare MuJoCo is told
// autolimits, which is what the text that we show has.
static void a_range_without_a_word_limits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool limited, told;
    } cases[] = {
        {CART("timestep='.02' integrator='RK4'", "ctrlrange='-3 3'"), true, true},
        {CART("timestep='.02'", "ctrlrange='-3 3' ctrllimited='false'"), false, false},
        {CART("timestep='.02'", "ctrlrange='-3 3' ctrllimited='true'"), true, false},
        {CART("/><compiler autolimits='true'", "ctrlrange='-3 3'"), true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_Arena arena = {0};
        ib_MjcfFile file;
        ib_Error error = {0};
        const char *text = cases[i].text;
        if (ib_mjcf_load(text, strlen(text), IB_URDF_FIXED, &arena, &file, &error) != IB_OK)
            fail_msg("%s", error.text);
        assert_int_equal(ib_mujoco_actuator(file.model, 0).limited, cases[i].limited);
        assert_int_equal(strncmp(file.assumed, "line 1: a ctrlrange without", 27) == 0,
                         cases[i].told);
        ib_arena_reset(&arena);
        move_alike(text, 50);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_integrator_is_that_of_mj_step),
        cmocka_unit_test(a_range_without_a_word_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
