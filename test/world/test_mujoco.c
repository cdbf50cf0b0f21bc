// Claims about src/world/mujoco.c: what MuJoCo computes, and how its failures come back.
#include "cmocka_all.h"
#include "world/mujoco.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD                                                                                       \
    "<mujoco><compiler angle='radian' autolimits='true'/><option timestep='0.001'/><worldbody>"
#define TAIL "</worldbody></mujoco>"

static const ib_Mujoco *compile(const char *text, ib_Arena *arena)
{
    const ib_Mujoco *model = NULL;
    ib_Error error = {0};
    ib_Status status = ib_mujoco_compile("test", text, strlen(text), arena, &model, &error);
    if (status != IB_OK) print_message("%s\n", error.text);
    assert_int_equal(status, IB_OK);
    return model;
}

static const double down[3] = {0, 0, -9.81};

static void step(const ib_Mujoco *model, ib_MujocoWorkspace *workspace, double *state, double g,
                 double h)
{
    ib_Error error = {0};
    assert_int_equal(ib_mujoco_place(model, workspace, state, (double[]){0, 0, -g}, &error), IB_OK);
    assert_int_equal(ib_mujoco_solve(model, workspace, &error), IB_OK);
    assert_int_equal(ib_mujoco_finish(model, workspace, h, state, &error), IB_OK);
}

// A rod of 1 kg and 1 m that hangs from a hinge: inertia 1/3 kg m^2 about it, to the digits that a
// box 1 mm thick allows.
static const char pendulum[] =
    HEAD "<body><joint name='hinge' axis='0 1 0'/>"
         "<inertial pos='0 0 -0.5' mass='1' diaginertia='0.08333333333333333 "
         "0.08333333333333333 1e-6'/></body>" TAIL;

// Goal: free fall is that of semi-implicit Euler: v = -g n h, z = -g h^2 n (n + 1)/2, with the
// step and the gravity that are asked for. Method: 300 steps of two lengths.
static void a_body_falls_as_euler_says(void **unused)
{
    (void)unused;
    ib_Arena arena = {0};
    const ib_Mujoco *model =
        compile(HEAD "<body><freejoint/><geom type='sphere' size='0.1'/></body>" TAIL, &arena);
    ib_MujocoWorkspace *workspace = ib_mujoco_workspace(model, &arena);
    double state[19], g = 9.8, h = 1e-3;
    assert_non_null(workspace);
    assert_int_equal(ib_mujoco_sizes(model).states, 7 + 6 + 6);
    for (int run = 0; run < 2; run++, h *= 0.5) {
        ib_mujoco_start(model, state);
        for (int i = 0; i < 300; i++) step(model, workspace, state, g, h);
        assert_true(fabs(state[2] + g * h * h * 300 * 301 / 2) < 1e-13);
        assert_true(fabs(state[7 + 2] + g * 300 * h) < 1e-13);
    }
    ib_arena_reset(&arena);
}

// Goal: a pendulum keeps its energy to first order of the step. Method: from 1 rad, half a second;
// the largest error at 1 ms and at 0.5 ms has the ratio 2, and the swing's period is that of the
// elliptic integral within the same order.
static void a_pendulum_keeps_its_energy_to_first_order(void **unused)
{
    (void)unused;
    ib_Arena arena = {0};
    const ib_Mujoco *model = compile(pendulum, &arena);
    ib_MujocoWorkspace *workspace = ib_mujoco_workspace(model, &arena);
    double worst[2] = {0};
    for (int run = 0; run < 2; run++) {
        double h = run == 0 ? 1e-3 : 5e-4, state[3] = {1, 0, 0};
        double first = -9.81 * 0.5 * cos(1);
        for (int i = 0; i < (run == 0 ? 500 : 1000); i++) {
            step(model, workspace, state, 9.81, h);
            double energy = state[1] * state[1] / 6 - 9.81 * 0.5 * cos(state[0]);
            worst[run] = fmax(worst[run], fabs(energy - first));
        }
    }
    assert_true(worst[0] < 0.02);
    assert_true(fabs(worst[0] / worst[1] - 2) < 0.05);
    ib_arena_reset(&arena);
}

// Goal: energies, inertia and the acceleration are those of the formulas.
static void energies_are_those_of_the_formulas(void **unused)
{
    (void)unused;
    ib_Arena arena = {0};
    ib_Error error = {0};
    const ib_Mujoco *model = compile(pendulum, &arena);
    ib_MujocoWorkspace *workspace = ib_mujoco_workspace(model, &arena);
    double state[3] = {0.7, 2, 0}, inertia, potential, kinetic;
    assert_int_equal(ib_mujoco_place(model, workspace, state, down, &error), IB_OK);
    ib_mujoco_energy(model, workspace, &potential, &kinetic);
    assert_true(fabs(potential + 9.81 * 0.5 * cos(0.7)) < 1e-12);
    assert_true(fabs(kinetic - 4.0 / 6) < 1e-12);
    ib_mujoco_inertia(model, workspace, &inertia);
    assert_true(fabs(inertia - 1.0 / 3) < 1e-12);
    ib_mujoco_forces(workspace)[0] = 0.25;
    assert_int_equal(ib_mujoco_solve(model, workspace, &error), IB_OK);
    double expected = (0.25 - 9.81 * 0.5 * sin(0.7)) * 3;
    assert_true(fabs(ib_mujoco_accelerations(workspace)[0] - expected) < 1e-12);
    ib_arena_reset(&arena);
}

// Goal: a ball of 2 kg that rests is carried by its weight, upwards, at the place where it touches.
static void a_contact_carries_the_weight(void **unused)
{
    (void)unused;
    ib_Arena arena = {0};
    ib_Error error = {0};
    const ib_Mujoco *model = compile(HEAD "<geom name='floor' type='plane' size='1 1 1'/>"
                                          "<body pos='0.3 0 0.1'><freejoint/><geom name='ball' "
                                          "type='sphere' size='0.1' mass='2'/></body>" TAIL,
                                     &arena);
    ib_MujocoWorkspace *workspace = ib_mujoco_workspace(model, &arena);
    double state[19];
    ib_mujoco_start(model, state);
    for (int i = 0; i < 2000; i++) step(model, workspace, state, 9.81, 1e-3);
    assert_int_equal(ib_mujoco_place(model, workspace, state, down, &error), IB_OK);
    assert_int_equal(ib_mujoco_solve(model, workspace, &error), IB_OK);
    assert_int_equal(ib_mujoco_contact_count(workspace), 1);
    ib_MujocoContact contact = ib_mujoco_contact(model, workspace, 0);
    double up = ib_mujoco_find(model, IB_MUJOCO_GEOM, "ball") == contact.geom[1] ? 1 : -1;
    assert_true(fabs(up * contact.force[2] - 2 * 9.81) < 1e-3);
    assert_true(fabs(contact.force[0]) < 1e-9 && fabs(contact.at[0] - 0.3) < 1e-9);
    ib_arena_reset(&arena);
}

// Goal: a room carries nothing from one state to the next: looking at another state in between, or
// twice at the same one, or using a fresh room, leaves the bits as they are.
static void a_workspace_remembers_nothing(void **unused)
{
    (void)unused;
    ib_Arena arena = {0};
    ib_Error error = {0};
    const ib_Mujoco *model = compile(HEAD "<geom type='plane' size='1 1 1'/><body pos='0 0 0.2'>"
                                          "<freejoint/><geom type='box' size='0.1 0.2 0.05'/>"
                                          "</body>" TAIL,
                                     &arena);
    ib_MujocoWorkspace *plain = ib_mujoco_workspace(model, &arena),
                       *busy = ib_mujoco_workspace(model, &arena);
    double a[19], b[19], elsewhere[19];
    ib_mujoco_start(model, a);
    a[3] = cos(0.2), a[4] = sin(0.2); // it lands on an edge
    memcpy(b, a, sizeof b);
    for (int i = 0; i < 1000; i++) {
        step(model, plain, a, 9.81, 1e-3);
        memcpy(elsewhere, b, sizeof b);
        elsewhere[2] += 0.01;
        assert_int_equal(ib_mujoco_place(model, busy, elsewhere, down, &error), IB_OK);
        assert_int_equal(ib_mujoco_solve(model, busy, &error), IB_OK);
        assert_int_equal(ib_mujoco_place(model, busy, b, down, &error), IB_OK);
        ib_mujoco_forces(busy)[2] = 1e3;
        assert_int_equal(ib_mujoco_solve(model, busy, &error), IB_OK);
        step(model, busy, b, 9.81, 1e-3);
        assert_memory_equal(a, b, sizeof a);
        if (i == 500) plain = ib_mujoco_workspace(model, &arena);
    }
    ib_arena_reset(&arena);
}

static void *swing(void *context)
{
    const ib_Mujoco *model = context;
    static _Thread_local double state[3];
    ib_Arena arena = {0};
    ib_MujocoWorkspace *workspace = ib_mujoco_workspace(model, &arena);
    state[0] = 1, state[1] = state[2] = 0;
    for (int i = 0; i < 2000; i++) step(model, workspace, state, 9.81, 1e-3);
    ib_arena_reset(&arena);
    double *result = malloc(sizeof *result);
    if (result) *result = state[0];
    return result;
}

// Goal: threads share a model, and each one compiles its own at the same time.
static void threads_share_a_model(void **unused)
{
    (void)unused;
    ib_Arena arena = {0};
    const ib_Mujoco *model = compile(pendulum, &arena);
    pthread_t threads[4];
    double *ends[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, swing, (void *)model), 0);
    for (int i = 0; i < 4; i++) {
        void *end;
        pthread_join(threads[i], &end);
        ends[i] = end;
        assert_true(*ends[i] == *ends[0]);
    }
    for (int i = 0; i < 4; i++) free(ends[i]);
    ib_arena_reset(&arena);
}

// Goal: what cannot be compiled is refused with MuJoCo's reason, and what fails on the way is a
// failure of that step: never an end of the program, never a silent reset.
static void failures_come_back(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *said;
    } bad[] = {
        {"", ""},
        {"<mujoco>", ""},
        {"<rabbit/>", ""},
        {HEAD "<body><freejoint/></body>" TAIL, "mass"},
        {HEAD "<body><joint range='1 0'/><geom size='1'/></body>" TAIL, "range"},
        {HEAD "<body><joint typo='1'/><geom size='1'/></body>" TAIL, "typo"},
        {"<mujoco><option integrator='RK5'/><worldbody/></mujoco>", "RK5"},
    };
    ib_Arena arena = {0};
    ib_Error error = {0};
    const ib_Mujoco *model;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ib_Status status =
            ib_mujoco_compile("file.xml", bad[i].text, strlen(bad[i].text), &arena, &model, &error);
        assert_int_equal(status, IB_BAD_INPUT);
        assert_non_null(strstr(error.text, "file.xml: "));
        assert_non_null(strstr(error.text, bad[i].said));
        assert_null(strchr(error.text, '\n'));
    }
    model = compile(pendulum, &arena);
    ib_MujocoWorkspace *workspace = ib_mujoco_workspace(model, &arena);
    double wild[3] = {1, NAN, 0}, good[3] = {1, 0, 0};
    assert_int_equal(ib_mujoco_place(model, workspace, wild, down, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "velocity is not a number"));
    assert_int_equal(ib_mujoco_place(model, workspace, good, down, &error), IB_OK);
    ib_mujoco_forces(workspace)[0] = INFINITY;
    assert_int_equal(ib_mujoco_solve(model, workspace, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "acceleration is not a number"));
    step(model, workspace, good, 9.81, 1e-3); // and goes on from a good state
    assert_true(isfinite(good[0]));

    // Contacts that find no room are not left out: ten balls in one pile, room for two.
    model = compile(
        "<mujoco><size nconmax='2' njmax='500'/><worldbody><geom type='plane' size='1 1 1'/>"
        "<body pos='0 0 .09'><freejoint/><geom size='.1'/></body>"
        "<body pos='0 .3 .09'><freejoint/><geom size='.1'/></body>"
        "<body pos='0 .6 .09'><freejoint/><geom size='.1'/></body>" TAIL,
        &arena);
    workspace = ib_mujoco_workspace(model, &arena);
    double *pile = ib_arena_array(&arena, (size_t)ib_mujoco_sizes(model).states, sizeof *pile);
    ib_mujoco_start(model, pile);
    assert_int_equal(ib_mujoco_place(model, workspace, pile, down, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "more contacts"));
    ib_arena_reset(&arena);
}

// Goal: a velocity is held back by what is told of it, and of one model alone in a room that serves
// two. Method: without gravity a hinge with damping b slows down by I/(I + h b) a step, since
// MuJoCo takes damping at the step's end; its twin, of which nothing was told, does not.
static void what_holds_a_velocity_may_be_told(void **unused)
{
    (void)unused;
    ib_Arena arena = {0};
    const ib_Mujoco *model = compile(pendulum, &arena), *twin = compile(pendulum, &arena);
    ib_MujocoWorkspace *workspace = ib_mujoco_workspace(model, &arena);
    double state[3] = {0, 2, 0}, other[3] = {0, 2, 0}, I = 1.0 / 3, h = 1e-3, b = 0.5;
    for (int i = 0; i < 100; i++) {
        ib_mujoco_hold(model, workspace, 0, b, 0);
        step(model, workspace, state, 0, h);
        step(twin, workspace, other, 0, h);
    }
    assert_true(fabs(state[1] - 2 * pow(I / (I + h * b), 100)) < 1e-12);
    assert_true(fabs(other[1] - 2) < 1e-12);
    ib_arena_reset(&arena);
}

// Memory of this program that is in use [bytes].
static long resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*s %ld", &pages), 1);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

// Goal: a room takes the memory that its solver uses, not that of the dual problem as well, which
// is njmax^2 (8 + 4) bytes: 12 MB for 1000 rows. Method: ten rooms, an eighth of that at most;
// sanitizers, which keep memory beside memory, do not count.
static void rooms_are_small(void **unused)
{
    (void)unused;
    static const char many_rows[] =
        "<mujoco><size njmax='1000' nconmax='50' nstack='10000'/><worldbody><body><freejoint/>"
        "<geom type='sphere' size='0.1'/></body>" TAIL;
    ib_Arena arena = {0};
    const ib_Mujoco *model = compile(many_rows, &arena);
    assert_non_null(ib_mujoco_workspace(model, &arena));
    long before = resident();
    for (int i = 0; i < 10; i++) assert_non_null(ib_mujoco_workspace(model, &arena));
    assert_true(resident() - before < 10 * 12000000L / 8 || IB_ROUNDS(0, 1));
    ib_arena_reset(&arena);
}

// Goal: a model that MuJoCo dies of is refused where a child process reads it first, and the next
// one compiles. Method: a mesh whose face has a vertex 2 GB behind the last, past our own checks.
static void a_child_may_die_of_a_model(void **unused)
{
    (void)unused;
    static const char deadly[] =
        "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 170000000 0 2 "
        "3'/>"
        "</asset><worldbody><body><freejoint/><geom type='mesh' mesh='m'/></body></worldbody>"
        "</mujoco>";
    ib_Arena arena = {0};
    ib_Error error = {0};
    const ib_Mujoco *model;
    ib_mujoco_try_apart(true);
    assert_int_equal(ib_mujoco_compile("file.xml", deadly, strlen(deadly), &arena, &model, &error),
                     IB_BAD_INPUT);
    if (!strstr(error.text, "MuJoCo read it in a process of its own: it ended"))
        fail_msg("%s", error.text);
    compile(pendulum, &arena);
    ib_mujoco_try_apart(false);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_falls_as_euler_says),
        cmocka_unit_test(a_pendulum_keeps_its_energy_to_first_order),
        cmocka_unit_test(energies_are_those_of_the_formulas),
        cmocka_unit_test(a_contact_carries_the_weight),
        cmocka_unit_test(a_workspace_remembers_nothing),
        cmocka_unit_test(threads_share_a_model),
        cmocka_unit_test(failures_come_back),
        cmocka_unit_test(what_holds_a_velocity_may_be_told),
        cmocka_unit_test(rooms_are_small),
        cmocka_unit_test(a_child_may_die_of_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
