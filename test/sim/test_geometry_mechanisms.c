// Mechanisms are seen moving, by the tables of src/sim/geometry.c alone.
#include "base/maths.h"
#include "desk/design/design_loader.h"
#include "scenario/given.h"
#include "sim/geometry_rig.h"
#include "sim/sim.h"

// A row of signals, for ib_geometry_poses.
typedef struct Row {
    const ib_SignalTable *table;
    double values[512];
} Row;

static double row_at(const void *self, const char *name)
{
    const Row *row = self;
    int at = ib_signals_find(row->table, name);
    return at < 0 ? NAN : row->values[at];
}

static ib_Time keep_row(void *self, ib_Time time, const double *signals)
{
    Row *row = self;
    (void)time;
    memcpy(row->values, signals, (size_t)row->table->count * sizeof *signals);
    return IB_TIME_NEVER;
}

// A scenario of the project that has run for a while, and where its frames are then.
typedef struct Scene {
    ib_Scenario *scenario;
    ib_Sim *sim;
    const ib_Geometry *all;
    Row row;
    ib_Pose poses[64];
} Scene;

static void open_scene(Scene *scene, const char *file, ib_Time time)
{
    ib_Error error;
    scene->scenario = given_with(file, NULL, &(ib_ScenarioOptions){.designs = &ib_design_loader});
    scene->all = ib_model_geometry(scene->scenario->model, &arena);
    scene->row.table = &scene->scenario->model->signals;
    assert_true(scene->row.table->count <= 512 && scene->all->frame_count <= 64);
    assert_int_equal(ib_sim_create(scene->scenario->model, &scene->sim, &error), IB_OK);
    if (time > 0) assert_int_equal(ib_sim_advance(scene->sim, time, &error), IB_OK);
    ib_sim_sample(scene->sim, scene->row.values);
    ib_geometry_poses(scene->all, row_at, &scene->row, scene->poses);
}

static void close_scene(Scene *scene)
{
    ib_sim_destroy(scene->sim);
    ib_scenario_destroy(scene->scenario);
}

// How far a frame has moved or turned, as the largest change of an entry.
static double moved(const ib_Pose *a, const ib_Pose *b)
{
    double most = 0;
    for (int i = 0; i < 9; i++) most = fmax(most, fabs(a->turn[i] - b->turn[i]));
    for (int i = 0; i < 3; i++) most = fmax(most, fabs(a->place[i] - b->place[i]));
    return most;
}

// Goal: every mechanism is seen moving, by the tables alone. Method: all kinds on a bench, at the
// start and after 1.3 s; some frame of each has moved, its mount has not.
static void every_mechanism_is_seen_moving(void **state)
{
    static const char *const names[] = {"lift",    "arm",    "turret",   "wheel",
                                        "shooter", "roller", "platform", "slide"};
    (void)state;
    ib_Scenario *scenario =
        given_with(IB_SOURCE_DIR "/scenarios/bench_mechanisms.yaml", NULL, NULL);
    const ib_Geometry *all = ib_model_geometry(scenario->model, &arena);
    Row row = {.table = &scenario->model->signals};
    assert_true(row.table->count <= 512 && all->frame_count <= 64);
    ib_Pose before[64], after[64];
    ib_geometry_poses(all, row_at, &row, before);
    ib_Sim *sim = NULL;
    ib_Error error;
    ib_Probe probe = {.self = &row, .next = IB_TIME_NEVER, .sample = keep_row, .at_end = true};
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    assert_int_equal(ib_sim_probe(sim, probe, &error), IB_OK);
    assert_int_equal(ib_sim_advance(sim, 13 * IB_SECOND / 10, &error), IB_OK);
    ib_sim_finish(sim);
    ib_geometry_poses(all, row_at, &row, after);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        double most = 0;
        size_t length = strlen(names[k]);
        for (int i = 0; i < all->frame_count; i++) {
            const char *name = all->frames[i].name;
            if (strncmp(name, names[k], length) != 0 || name[length] != '.') continue;
            if (strcmp(name + length, ".mount") == 0)
                assert_true(moved(&before[i], &after[i]) == 0);
            most = fmax(most, moved(&before[i], &after[i]));
        }
        if (!(most > 0.01)) fail_msg("%s does not move", names[k]);
    }
    ib_sim_destroy(sim);
    ib_scenario_destroy(scenario);
}

// Goal: a robot that hangs is drawn at its height, and its carriage where that is; the bracket
// stays in the field. Method: the start of a robot that hangs 10.2 cm high: the body's frame is
// there, the carriage's origin at height + place.z + position, the bracket's over the bar.
static void hanging_robot_is_drawn_at_its_height(void **state)
{
    (void)state;
    Scene scene;
    open_scene(&scene, IB_SOURCE_DIR "/scenarios/lift_landing.yaml", 0);
    const ib_Geometry *all = scene.all;
    const ib_Pose *poses = scene.poses;
    int body = ib_geometry_frame(all, "body"), carriage = ib_geometry_frame(all, "lift.carriage");
    int bracket = ib_geometry_frame(all, "lift.bracket");
    assert_true(body >= 0 && carriage >= 0 && bracket >= 0);
    double height = 5 * 0.0254 - 0.02 - 0.005;
    assert_close(poses[body].place[2], height, 1e-9);
    assert_close(poses[carriage].place[2], height + 0.25 + 0.02, 1e-9);
    assert_close(poses[bracket].place[0], 0, 0);
    assert_true(poses[bracket].place[2] > 22 * 0.0254);
    close_scene(&scene);
}

// Goal: a platform rises between its two posts. Method: of half width 25 cm; a post on either side,
// beyond the end of the platform and not far from it.
static void platform_rises_between_its_posts(void **state)
{
    (void)state;
    Scene scene;
    open_scene(&scene, IB_SOURCE_DIR "/scenarios/bench_mechanisms.yaml", 0);
    int sides[2] = {0};
    for (int i = 0; i < scene.all->solid_count; i++) {
        const ib_SolidDef *post = &scene.all->solids[i];
        if (!strstr(post->name, "post") || strncmp(post->frame, "platform.", 9) != 0) continue;
        double nearest = fabs(post->place[1]) - 0.5 * post->size[1];
        assert_true(nearest >= 0.25 && nearest < 0.3);
        sides[post->place[1] > 0]++;
    }
    assert_true(sides[0] == 1 && sides[1] == 1);
    close_scene(&scene);
}

// Where the point of a trace is.
static void trace_place(const ib_Geometry *all, const ib_TraceDef *trace, const Row *row,
                        const ib_Pose *poses, double at[3])
{
    double own[3];
    for (int k = 0; k < 3; k++)
        own[k] = trace->place[k] + (trace->move[k] ? row_at(row, trace->move[k]) : 0);
    ib_pose_point(&poses[ib_geometry_frame(all, trace->frame)], own, at);
}

// Goal: the way of an arm's hand is drawn where the hand is, the wanted one where its loop says,
// and the discs of the plan where they are. Method: a bench whose arm goes round two discs, at
// 0.8 s, in mid-motion; the mount is 1 m up. The hand's frame comes from the joints' angles, its
// trace from the signals of the hand: the same place. The wanted place is by hand from the wanted
// angles. The loop keeps the hand within 1.5 cm, as the scenario expects, of what it wanted in its
// last period: 5 ms of the hand's motion more.
static void arm_traces_its_hand_and_where_it_is_wanted(void **state)
{
    (void)state;
    Scene scene;
    open_scene(&scene, IB_SOURCE_DIR "/scenarios/arm_two_discs.yaml", 8 * IB_SECOND / 10);
    const ib_Geometry *all = scene.all;
    const ib_Pose *poses = scene.poses;
    const Row *row = &scene.row;
    assert_int_equal(all->trace_count, 2);
    const ib_TraceDef *is = &all->traces[0], *wanted = &all->traces[1];
    assert_true(!is->wanted && wanted->wanted);
    double at[3], goal[3];
    trace_place(all, is, row, poses, at);
    trace_place(all, wanted, row, poses, goal);
    int hand = ib_geometry_frame(all, "arm.hand");
    assert_true(hand >= 0);
    for (int k = 0; k < 3; k++) assert_close(at[k], poses[hand].place[k], 1e-12);
    double th1 = row_at(row, "control.arm.goal.theta1");
    double th2 = row_at(row, "control.arm.goal.theta2");
    double l1 = 1.17475, l2 = 1.06172; // of the preset
    assert_close(is->reach, l1 + l2, 1e-12);
    assert_close(wanted->reach, l1 + l2, 1e-12);
    assert_close(goal[0], l1 * ib_sin(th1) + l2 * ib_sin(th2), 1e-12);
    assert_close(goal[2], 1 + l1 * ib_cos(th1) + l2 * ib_cos(th2), 1e-12);
    double speed =
        l1 * fabs(row_at(row, "arm.omega1")) + l2 * fabs(row_at(row, "arm.omega2")); // at most
    assert_true(speed > 1);                                                          // it moves
    assert_close(at[0], goal[0], 0.015 + 0.005 * speed);
    assert_close(at[2], goal[2], 0.015 + 0.005 * speed);

    double bar[3] = {0};
    for (int i = 0; i < all->solid_count; i++) {
        const ib_SolidDef *disc = &all->solids[i];
        if (strcmp(disc->name, "bar") != 0) continue;
        ib_pose_point(&poses[ib_geometry_frame(all, disc->frame)], disc->place, bar);
        assert_close(disc->size[0], 0.10, 1e-12);
    }
    assert_close(bar[0], 0.55, 1e-12);
    assert_close(bar[2], 1 + 2.05, 1e-12);
    close_scene(&scene);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mechanism_is_seen_moving),
        cmocka_unit_test(hanging_robot_is_drawn_at_its_height),
        cmocka_unit_test(platform_rises_between_its_posts),
        cmocka_unit_test(arm_traces_its_hand_and_where_it_is_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
