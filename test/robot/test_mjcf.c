// Claims about src/robot/mjcf: a robot of a file moves as physics says, shows what the file has,
// and is written as a file that moves alike.
#include "robot/mjcf/mjcf.h"

#include "cmocka_all.h"
#include "control/leg/leg.h"
#include "file/reader.h"
#include "plant/two_link.h"
#include "robot/quadruped/quadruped.h"
#include "setting.h"
#include "world/mujoco_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.80665;

// One robot of any kind that has an external integrator, with its memory.
typedef struct Stage {
    const ib_RobotKind *kind;
    ib_Arena arena;
    void *config;
    ib_Robot robot;
    void *workspace;
    double *state, *input, *signals;
} Stage;

static ib_Status try_make(Stage *stage, const ib_RobotKind *kind, const Setting *params,
                          const Setting *start, const char *text, ib_Error *error)
{
    *stage = (Stage){.kind = kind};
    stage->config = ib_arena_alloc(&stage->arena, kind->config_size);
    assert_int_equal(ib_read_defaults(&kind->params, stage->config, error), IB_OK);
    assert_int_equal(ib_read_defaults(&kind->start, stage->config, error), IB_OK);
    put_settings(&kind->params, params, stage->config);
    put_settings(&kind->start, start, stage->config);
    if (text)
        put_settings(&kind->params, (Setting[]){{"model", text}, {NULL, NULL}}, stage->config);
    return ib_robot_init(kind, stage->config, &stage->arena, &stage->robot, error);
}

// A robot of the stage's config, with what it needs to be moved by hand.
static void prepare(Stage *stage)
{
    const ib_RobotKind *kind = stage->kind;
    ib_Error error;
    if (ib_robot_init(kind, stage->config, &stage->arena, &stage->robot, &error) != IB_OK)
        fail_msg("%s", error.text);
    const ib_RobotPorts *ports = &stage->robot.ports;
    ib_Arena *arena = &stage->arena;
    stage->workspace = kind->integrator->workspace(stage->robot.model, arena);
    stage->state = ib_arena_array(arena, (size_t)ports->state_count, sizeof(double));
    stage->input = ib_arena_array(arena, (size_t)ports->input_count, sizeof(double));
    stage->signals = ib_arena_array(arena, (size_t)ports->signal_count, sizeof(double));
    assert_true(stage->workspace && stage->state && stage->input && stage->signals);
    stage->robot.kind->reset(stage->config, stage->robot.model, stage->state);
    for (int i = 0; i < ports->input_count; i++) stage->input[i] = ports->inputs[i].neutral;
    stage->input[IB_GRAVITY] = g;
}

static double *input_of(Stage *stage, const char *name)
{
    for (int i = 0; i < stage->robot.ports.input_count; i++)
        if (strcmp(stage->robot.ports.inputs[i].name, name) == 0) return &stage->input[i];
    fail_msg("there is no input %s", name);
    return NULL;
}

static void make(Stage *stage, const ib_RobotKind *kind, const Setting *params,
                 const Setting *start, const char *text)
{
    ib_Error error = {0};
    if (try_make(stage, kind, params, start, text, &error) != IB_OK) fail_msg("%s", error.text);
    prepare(stage);
}

static void go(Stage *stage, int steps, double h)
{
    ib_Error error = {0};
    for (int i = 0; i < steps; i++)
        if (stage->kind->integrator->advance(stage->robot.model, stage->workspace, stage->state,
                                             stage->input, h, stage->state, &error) != IB_OK)
            fail_msg("%s", error.text);
}

static double *look_up(Stage *stage, const char *name)
{
    stage->kind->integrator->output(stage->robot.model, stage->workspace, stage->state,
                                    stage->input, stage->signals);
    for (int i = 0; i < stage->robot.ports.signal_count; i++)
        if (strcmp(stage->robot.ports.signals[i].name, name) == 0) return &stage->signals[i];
    fail_msg("there is no signal %s", name);
    return NULL;
}

static const ib_MjcfModel *model_of(const Stage *stage)
{
    return ib_parts_own(stage->robot.model);
}

// ------------------------------------------------------------------------------------------ motion

// A rod of mass m and length l: m l^2/12 about its centre.
static const char pendulum[] =
    "<mujoco><compiler angle='radian'/><option timestep='0.01' gravity='0 0 -9.80665'/><worldbody>"
    "<body pos='0 0 1'><joint name='pivot' axis='0 1 0'/><inertial pos='0 0 -0.25' mass='1' "
    "diaginertia='0.020833333333333332 0.020833333333333332 0.0002'/></body></worldbody>"
    "<actuator><motor name='pivot' joint='pivot'/></actuator></mujoco>";

// Goal: a pendulum of a file swings as its differential equation says. Method: for small angles
//   th'' = -w^2 th,  w^2 = (m g l/2)/(m l^2/3) = 3 g/(2 l),
// of which semi-implicit Euler makes  th_n = th_0 (cos n f - tan(f/2) sin n f),  sin(f/2) = w h/2:
// met but for th_0^2/16 of the phase, 7e-13 rad after 2 s from 0.1 mrad. The exact th_0 cos w t is
// missed by half of w h th_0 at most, so by half as much with half the step.
static void a_pendulum_swings_in_closed_form(void **state)
{
    (void)state;
    const Setting start[] = {{NULL, NULL}};
    double w = sqrt(1.5 * g / 0.5), from = 1e-4, worst[2] = {0};
    for (int run = 0; run < 2; run++) {
        Stage stage;
        double h = run ? 5e-4 : 1e-3, f = 2 * asin(0.5 * w * h);
        make(&stage, &ib_mjcf_kind, NULL, start, pendulum);
        stage.state[0] = from;
        for (int n = 1; n * h < 2; n++) {
            go(&stage, 1, h);
            double discrete = from * (cos(n * f) - tan(0.5 * f) * sin(n * f));
            assert_true(fabs(stage.state[0] - discrete) < 1e-12);
            worst[run] = fmax(worst[run], fabs(stage.state[0] - from * cos(w * n * h)));
        }
        ib_arena_reset(&stage.arena);
    }
    assert_true(worst[0] < 0.51 * w * 1e-3 * from);
    assert_true(fabs(worst[0] / worst[1] - 2) < 0.01);
}

// Two links of 0.6 m and 2 kg, 0.4 m and 1.2 kg, with their mass spread evenly; angles from
// straight forward, upwards, the second relative to the first.
static const char two_links[] =
    "<robot name='arm'><link name='base'><inertial><origin xyz='0 0 0.5'/><mass value='5'/>"
    "<inertia ixx='0.1' iyy='0.1' izz='0.05'/></inertial></link>"
    "<link name='upper'><inertial><origin xyz='0.3 0 0'/><mass value='2'/><inertia ixx='0.0004' "
    "iyy='0.06' izz='0.06'/></inertial></link><link name='lower'><inertial><origin "
    "xyz='0.2 0 0'/><mass value='1.2'/><inertia ixx='0.0002' iyy='0.016' izz='0.016'/></inertial>"
    "</link><joint name='shoulder' type='continuous'><parent link='base'/><child link='upper'/>"
    "<origin xyz='0 0 1'/><axis xyz='0 -1 0'/><limit effort='40' velocity='9'/></joint>"
    "<joint name='elbow' type='revolute'><parent link='upper'/><child link='lower'/>"
    "<origin xyz='0.6 0 0'/><axis xyz='0 -1 0'/><limit lower='-2.8' upper='2.8' effort='15' "
    "velocity='9'/></joint></robot>";

static ib_TwoLink two_link_arm(void)
{
    double l1 = 0.6, r1 = 0.3, m1 = 2, I1 = 0.06, l2 = 0.4, r2 = 0.2, m2 = 1.2, I2 = 0.016;
    return (ib_TwoLink){.alpha = I1 + r1 * r1 * m1 + l1 * l1 * m2,
                        .beta = l1 * r2 * m2,
                        .gamma = I2 + r2 * r2 * m2,
                        .first = r1 * m1 + l1 * m2,
                        .second = r2 * m2,
                        .length = {l1, l2}};
}

// The plant's angles are from straight up, forward, of each link by itself.
static void to_absolute(const double q[2], const double v[2], double th[2], double w[2])
{
    th[0] = 0.5 * 3.14159265358979323846 - q[0];
    th[1] = th[0] - q[1];
    w[0] = -v[0];
    w[1] = -v[0] - v[1];
}

// Classical RK4 of the plant, far below the errors that are looked at.
static void swing(const ib_TwoLink *arm, double th[2], double w[2], double time)
{
    enum { STEPS = 20000 };
    static const double none[2] = {0}, at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double h = time / STEPS;
    for (int n = 0; n < STEPS; n++) {
        double v[4][2], a[4][2], sum[4] = {0};
        for (int k = 0; k < 4; k++) {
            double x[2], y[2];
            for (int i = 0; i < 2; i++) {
                x[i] = th[i] + (k ? at[k] * h * v[k - 1][i] : 0);
                y[i] = w[i] + (k ? at[k] * h * a[k - 1][i] : 0);
                v[k][i] = y[i];
            }
            ib_two_link_forward(arm, x, y, none, g, a[k]);
            for (int i = 0; i < 2; i++) sum[i] += weight[k] * v[k][i];
            for (int i = 0; i < 2; i++) sum[2 + i] += weight[k] * a[k][i];
        }
        for (int i = 0; i < 2; i++) th[i] += h / 6 * sum[i];
        for (int i = 0; i < 2; i++) w[i] += h / 6 * sum[2 + i];
    }
}

// Goal: a URDF arm has the accelerations of the project's own arm of two links, and swings as it
// does to the order of Euler's step. Method: one step gives the accelerations, (v' - v)/h, at 100
// poses and speeds, to rounding over h; then 0.8 s with two steps, whose errors are as 2 to 1.
static void a_urdf_arm_is_the_arm_of_two_links(void **state)
{
    (void)state;
    ib_TwoLink arm = two_link_arm();
    static const double none[2] = {0};
    Stage stage;
    make(&stage, &ib_mjcf_kind, NULL, NULL, two_links);
    for (int i = 0; i < 100; i++) {
        double h = 1e-3, q[2] = {0.31 * i - 9, 2.5 * sin(1.7 * i)},
               v[2] = {4 * cos(2.3 * i), 5 * sin(0.9 * i)};
        double th[2], w[2], a[2], expected[2];
        to_absolute(q, v, th, w);
        ib_two_link_forward(&arm, th, w, none, g, a);
        expected[0] = -a[0];
        expected[1] = a[0] - a[1];
        memcpy(stage.state, q, sizeof q);
        memcpy(stage.state + 2, v, sizeof v);
        go(&stage, 1, h);
        for (int k = 0; k < 2; k++) {
            double got = (stage.state[2 + k] - v[k]) / h;
            if (!(fabs(got - expected[k]) < 1e-9 * (1 + fabs(expected[k]))))
                fail_msg("pose %d, joint %d: %.15g, expected %.15g", i, k, got, expected[k]);
        }
    }
    double error[2], th[2], w[2], q[2] = {-1.0, 0.7};
    to_absolute(q, none, th, w);
    swing(&arm, th, w, 0.8);
    for (int run = 0; run < 2; run++) {
        double h = run ? 5e-4 : 1e-3;
        stage.robot.kind->reset(stage.config, stage.robot.model, stage.state);
        memcpy(stage.state, q, sizeof q);
        go(&stage, run ? 1600 : 800, h);
        double own[2], rate[2];
        to_absolute(stage.state, stage.state + 2, own, rate);
        error[run] = hypot(own[0] - th[0], own[1] - th[1]);
    }
    assert_true(error[0] < 0.02 && fabs(error[0] / error[1] - 2) < 0.1);
    ib_arena_reset(&stage.arena);
}

// Goal: the root link's mass is there, held or free. Method: the centre of mass of all links, by
// hand; free, all of it falls as Euler has it, z = -g h^2 n (n + 1)/2.
static void the_root_of_a_urdf_has_its_mass(void **state)
{
    (void)state;
    // At angles of 0 the arm points forward at 1 m: 5 kg at 0.5 m, 2 kg and 1.2 kg at 1 m.
    double z = (5 * 0.5 + 2 * 1 + 1.2 * 1) / 8.2, x = (2 * 0.3 + 1.2 * 0.8) / 8.2;
    for (int base = 0; base < 2; base++) {
        Stage stage;
        const Setting params[] = {{"base", base ? "free" : "fixed"}, {NULL, NULL}};
        make(&stage, &ib_mjcf_kind, params, NULL, two_links);
        assert_true(fabs(ib_mujoco_mass(model_of(&stage)->rigid.world) - 8.2) < 1e-14);
        assert_true(fabs(*look_up(&stage, "centre.z") - z) < 1e-14);
        assert_true(fabs(*look_up(&stage, "centre.x") - x) < 1e-14);
        if (base) {
            go(&stage, 300, 1e-3);
            assert_true(fabs(*look_up(&stage, "centre.z") - z + g * 1e-6 * 300 * 301 / 2) < 1e-12);
            assert_true(fabs(*look_up(&stage, "velocity.z") + g * 0.3) < 1e-12);
        }
        ib_arena_reset(&stage.arena);
    }
}

// Goal: an effort limit bounds the input and the torque itself.
static void effort_limits_hold(void **state)
{
    (void)state;
    Stage stage;
    make(&stage, &ib_mjcf_kind, NULL, NULL, two_links);
    const ib_InputDef *inputs = stage.robot.ports.inputs + IB_ENVIRONMENT_COUNT;
    assert_string_equal(inputs[0].name, "actuator.shoulder");
    assert_string_equal(inputs[1].unit, "N*m");
    assert_true(inputs[0].high == 40 && inputs[1].low == -15 && inputs[1].high == 15);
    stage.input[IB_ENVIRONMENT_COUNT + 1] = 100;
    assert_true(*look_up(&stage, "actuator.elbow.force") == 15);
    ib_arena_reset(&stage.arena);
}

// ------------------------------------------------------------------------------------- what it has

// Every kind of joint, with axes, anchors and references that are nothing special.
static const char parts[] =
    "<mujoco><compiler angle='radian' autolimits='true'/><option timestep='0.001'/><worldbody>"
    "<geom type='plane' size='1 1 1'/><geom name='post' type='box' size='.1 .1 .5' pos='3 0 0.5'/>"
    "<body name='Free One' pos='0.3 0.2 2'><freejoint/><geom name='hull' type='capsule' "
    "fromto='0 0 0 0.3 0.1 -0.2' size='0.05'/>"
    "<body name='arm' pos='0.1 0 0.2' euler='0.3 -0.2 0.5'>"
    "<joint name='a/b' axis='1 2 -0.5' pos='0.05 0.02 -0.1' ref='0.4'/>"
    "<joint name='a.b' type='slide' axis='0.2 -1 0.7' ref='-0.1'/>"
    "<geom name='arm' type='cylinder' size='0.03 0.1' pos='0.1 0.1 0' euler='0.1 1 0'/>"
    "<body name='still' pos='0 0 0.3' euler='1 0 0'><geom name='still' type='box' size='.1 .02 "
    ".05' "
    "pos='0.02 0 0.1'/>"
    "<body name='hand' pos='0 0.2 0'><joint type='ball' pos='0 0 -0.05'/>"
    "<geom name='hand' type='ellipsoid' size='0.05 0.1 0.05' pos='0.1 0 0'/></body></body></body>"
    "</body><body name='Other' pos='1 1 1'><freejoint name='9 lives'/><geom size='.1'/></body>"
    "</worldbody><actuator><position name='A' joint='a/b' kp='3'/><velocity joint='a.b' kv='2'/>"
    "<motor name='a' joint='a.b' gear='4'/></actuator></mujoco>";

static double value_of(const void *self, const char *name)
{
    return *look_up((Stage *)self, name); // ours: lookups take it as const
}

static void fill_state(Stage *stage)
{
    const ib_MjcfModel *model = model_of(stage);
    for (int i = 0; i < model->rigid.sizes.positions; i++)
        stage->state[i] += 0.3 * sin(1.3 * i + 0.5);
    for (int i = 0; i < model->rigid.sizes.joints; i++) {
        bool free = model->joints[i].motion == IB_MUJOCO_FREE;
        if (!free && model->joints[i].motion != IB_MUJOCO_BALL) continue;
        double *q = stage->state + model->joints[i].position + (free ? 3 : 0), sum = 0;
        for (int k = 0; k < 4; k++) sum += q[k] * q[k];
        for (int k = 0; k < 4; k++) q[k] /= sqrt(sum);
    }
    // The heading that counts turns is that of the first free body.
    const double *q = stage->state + model->joints[model->free].position + 3;
    stage->state[model->rigid.sizes.states] =
        atan2(2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
}

// Goal: what is drawn is where MuJoCo has it. Method: a pose in which every joint is somewhere; the
// frames' poses from the signals alone, each solid's centre and z axis against MuJoCo's own place
// of its geom.
static void solids_are_where_mujoco_has_them(void **state)
{
    (void)state;
    static const char *const names[] = {"post", "hull", "arm", "still", "hand", "Other"};
    Stage stage;
    make(&stage, &ib_mjcf_kind, NULL, NULL, parts);
    fill_state(&stage);
    look_up(&stage, "centre.x");
    const ib_MjcfModel *model = model_of(&stage);
    const ib_Geometry *look = stage.robot.ports.geometry;
    ib_Pose poses[8];
    assert_int_equal(look->frame_count, 5);
    assert_int_equal(look->solid_count, 6);
    ib_geometry_poses(look, value_of, &stage, poses);
    ib_MujocoWorkspace *workspace = ib_mujoco_workspace(model->rigid.world, &stage.arena);
    ib_Error error = {0};
    assert_int_equal(
        ib_mujoco_place(model->rigid.world, workspace, stage.state, (double[]){0, 0, -g}, &error),
        IB_OK);
    for (int i = 0; i < look->solid_count; i++) {
        const ib_SolidDef *solid = &look->solids[i];
        assert_string_equal(solid->name, names[i]);
        int frame = ib_geometry_frame(look, solid->frame);
        ib_Pose field = ib_pose_field(), own = ib_pose_in(frame >= 0 ? &poses[frame] : &field,
                                                          solid->place, solid->attitude);
        ib_MujocoGeom geom = ib_mujoco_geom(model->rigid.world, i + 1); // the floor is the first
        ib_Pose body = ib_leg_body(ib_mujoco_body_places(workspace) + 3 * geom.body,
                                   ib_mujoco_body_turns(workspace) + 4 * geom.body);
        ib_Pose in = ib_leg_body(geom.at, geom.turned), at = ib_leg_chain(&body, &in);
        int along = strcmp(names[i], "hand") == 0 ? 1 : 2; // the longest axis of the ellipsoid
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(own.place[k] - at.place[k]) < 1e-12);
            assert_true(fabs(own.turn[3 * k + 2] - at.turn[3 * k + along]) < 1e-12);
        }
    }
    ib_arena_reset(&stage.arena);
}

// Goal: names become plain ones that differ, units follow from what an actuator works on.
static void names_and_units_follow_the_file(void **state)
{
    (void)state;
    Stage stage;
    make(&stage, &ib_mjcf_kind, NULL, NULL, parts);
    static const char *const joints[] = {"free_one", "a_b", "a_b_2", "hand", "joint_9_lives"};
    for (int i = 0; i < 5; i++) assert_string_equal(model_of(&stage)->joints[i].name, joints[i]);
    static const char *const inputs[][2] = {
        {"actuator.a", "rad"}, {"actuator.actuator_1", "m/s"}, {"actuator.a_2", "N"}};
    assert_int_equal(stage.robot.ports.input_count, IB_ENVIRONMENT_COUNT + 3);
    for (int i = 0; i < 3; i++) {
        const ib_InputDef *input = &stage.robot.ports.inputs[IB_ENVIRONMENT_COUNT + i];
        assert_string_equal(input->name, inputs[i][0]);
        assert_string_equal(input->unit, inputs[i][1]);
    }
    look_up(&stage, "pose.x");
    look_up(&stage, "joint.a_b_2.position");
    look_up(&stage, "joint.hand.pitch");
    look_up(&stage, "body.joint_9_lives.z");
    ib_arena_reset(&stage.arena);
}

// Goal: `start` puts joints and the free body where it says, and refuses what the file has not.
static void starts_are_taken_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *joint;
        double angle, position;
        const char *said;
    } bad[] = {{"knee", 0.1, HUGE_VAL,
                "start.joints.knee: expected a hinge or slide of the file: "
                "shoulder, elbow"},
               {"elbow", HUGE_VAL, 0.1, "start.joints.elbow: a hinge: expected angle"},
               {"elbow", 3, HUGE_VAL, "outside of the joint's range, -2.8 to 2.8"}};
    for (size_t i = 0; i < 3; i++) {
        Stage stage;
        ib_Error error = {0};
        assert_int_equal(try_make(&stage, &ib_mjcf_kind, NULL, NULL, two_links, &error), IB_OK);
        ib_MjcfConfig *config = stage.config;
        config->start_count = 1;
        config->starts[0] = (ib_MjcfStart){"", bad[i].angle, bad[i].position, HUGE_VAL, HUGE_VAL};
        snprintf(config->starts[0].name, sizeof config->starts[0].name, "%s", bad[i].joint);
        assert_int_equal(ib_robot_init(&ib_mjcf_kind, config, &stage.arena, &stage.robot, &error),
                         IB_BAD_INPUT);
        assert_non_null(strstr(error.text, bad[i].said));
        ib_arena_reset(&stage.arena);
    }
    Stage stage;
    ib_Error error = {0};
    const Setting place[] = {
        {"z", "2 m"}, {"heading", "30 deg"}, {"roll", "-20 deg"}, {NULL, NULL}};
    assert_int_equal(try_make(&stage, &ib_mjcf_kind, NULL, place, two_links, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "start.z: nothing in the file moves freely"));
    ib_arena_reset(&stage.arena);
    const Setting free[] = {{"base", "free"}, {NULL, NULL}};
    make(&stage, &ib_mjcf_kind, free, place, two_links);
    assert_true(fabs(*look_up(&stage, "pose.z") - 2) < 1e-15);
    assert_true(fabs(*look_up(&stage, "pose.heading") - 30 * M_PI / 180) < 1e-14);
    assert_true(fabs(*look_up(&stage, "pose.roll") + 20 * M_PI / 180) < 1e-14);
    assert_true(fabs(*look_up(&stage, "pose.pitch")) < 1e-15);
    ib_arena_reset(&stage.arena);
}

// Goal: a robot begins out of the floor. Method: a URDF's box of 0.2 x 0.4 x 0.1 m whose middle
// is 3 cm above the link's origin, upright and rolled by 30 deg, its lowest edge by hand; a height
// that is given, and the least one that is taken.
static void robots_begin_out_of_the_floor(void **state)
{
    (void)state;
#define INERTIA                                                                                    \
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"        \
    "</inertial>"
    static const char box[] =
        "<robot name='r'><link name='a'>" INERTIA "<collision><origin xyz='0 0 0.03'/><geometry>"
        "<box size='0.2 0.4 0.1'/></geometry></collision></link><link name='b'>" INERTIA
        "<collision><geometry><sphere radius='0.01'/></geometry></collision></link>"
        "<joint name='j' type='prismatic'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"
        "<limit lower='-1' upper='1' effort='5' velocity='2'/></joint></robot>";
#undef INERTIA
    static const Setting free[] = {{"base", "free"}, {NULL, NULL}};
    static const Setting rolled[] = {{"roll", "30 deg"}, {NULL, NULL}};
    static const Setting high[] = {{"z", "0.5 m"}, {NULL, NULL}};
    static const Setting least[] = {{"z", "0.0195 m"}, {NULL, NULL}};
    static const Setting low[] = {{"z", "0.0185 m"}, {NULL, NULL}};
    double edge = 0.2 * sin(M_PI / 6) + 0.05 * cos(M_PI / 6) - 0.03 * cos(M_PI / 6);
    const struct {
        const Setting *start;
        double z;
    } cases[] = {{NULL, 0.02}, {rolled, edge}, {high, 0.5}, {least, 0.0195}};
    Stage stage;
    ib_Error error = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        make(&stage, &ib_mjcf_kind, free, cases[i].start, box);
        assert_true(fabs(*look_up(&stage, "pose.z") - cases[i].z) < 1e-12);
        ib_arena_reset(&stage.arena);
    }
    assert_int_equal(try_make(&stage, &ib_mjcf_kind, free, low, box, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "start.z: it would begin 0.0015 m in the floor"));
    assert_non_null(strstr(error.text, "expected at least 0.02 m"));
    ib_arena_reset(&stage.arena);
}

// --------------------------------------------------------------------------------- as a file again

static const char hopper[] =
    "<mujoco><compiler autolimits='true'/><option timestep='0.001'/><worldbody>"
    "<geom type='plane' size='0 0 1'/><body name='trunk' pos='0 0 0.45'><freejoint/>"
    "<geom type='box' size='.15 .1 .05' mass='3'/><body><joint name='leg' type='slide' "
    "axis='0 0 1' range='-0.02 0.15' stiffness='1500' damping='12'/>"
    "<geom type='capsule' fromto='0 0 -.05 0 0 -.35' size='.02' mass='.5'/></body></body>"
    "</worldbody><keyframe><key qpos='0 0 .5 1 0 0 0 .01' qvel='0 0 -1 0 0 0 0'/></keyframe>"
    "</mujoco>";

// Moves both for so many steps and wants the same positions and velocities, to the last bit.
static void assert_alike(Stage *one, Stage *other, const ib_MujocoSizes *sizes, int steps)
{
    size_t count = (size_t)(sizes->positions + sizes->velocities);
    for (int i = 0; i < steps; i++) {
        assert_memory_equal(one->state, other->state, count * sizeof(double));
        go(one, 1, 1e-3);
        go(other, 1, 1e-3);
    }
    assert_memory_equal(one->state, other->state, count * sizeof(double));
}

// Goal: the text that is printed, read as a file, is the same robot. Method: a hopper from its
// keyframe, an arm of a URDF from a start of its own, and a quadruped that falls limp on the floor
// move alike with their texts, to the bit; contacts included.
static void printed_texts_move_alike(void **state)
{
    (void)state;
    static const Setting limp[] = {{"drive", "limp"}, {"gravity", "9.8 m/s^2"}, {NULL, NULL}};
    static const Setting low[] = {{"z", "0.37 m"}, {"roll", "5 deg"}, {NULL, NULL}};
    static const Setting free[] = {{"base", "free"}, {NULL, NULL}};
    static const struct {
        const ib_RobotKind *kind;
        const Setting *params, *start;
        const char *text;
    } cases[] = {{&ib_mjcf_kind, NULL, NULL, hopper},
                 {&ib_mjcf_kind, free, low, two_links},
                 {&ib_quadruped_kind, limp, low, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Stage one, other;
        make(&one, cases[i].kind, cases[i].params, cases[i].start, cases[i].text);
        const char *text = one.kind->mjcf(one.config, one.robot.model, &one.arena);
        assert_non_null(text);
        make(&other, &ib_mjcf_kind, NULL, NULL, text);
        assert_alike(&one, &other, &model_of(&other)->rigid.sizes, 400);
        ib_arena_reset(&other.arena);
        ib_arena_reset(&one.arena);
    }
}

// Goal: at rest the floor carries the weight, whatever the spring does. Method: 3.5 kg on a spring
// with a time constant of 0.1 s, after 5 s: e^-50 of the fall is left.
static void the_floor_carries_the_weight(void **state)
{
    (void)state;
    Stage stage;
    make(&stage, &ib_mjcf_kind, (Setting[]){{"gravity", "field"}, {NULL, NULL}}, NULL,
         "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='0 0 1'/>"
         "<body pos='0 0 .3'><freejoint/><geom type='box' size='.2 .2 .02' mass='0.5'/><body>"
         "<joint type='slide' axis='0 0 1' stiffness='900' damping='60'/><geom type='box' "
         "size='.1 .1 .05' pos='0 0 0.3' mass='3'/></body></body></worldbody></mujoco>");
    go(&stage, 5000, 1e-3);
    assert_true(fabs(*look_up(&stage, "ground.force") / (3.5 * g) - 1) < 1e-6);
    assert_true(fabs(*look_up(&stage, "contact.force") / (3.5 * g) - 1) < 1e-3);
    assert_true(*look_up(&stage, "ground.contacts") == 4);
    ib_arena_reset(&stage.arena);
}

// Goal: what an accelerometer and a gyro feel has its closed forms. Method: a plate that stands
// feels g upwards; one that falls and turns about its centre of mass, r behind which its origin is,
// feels w^2 r forward and nothing else, in any attitude, and the three rates of its own axes about
// principal axes of equal inertia.
static void the_body_feels_weight_and_turns(void **state)
{
    (void)state;
    static const char plate[] =
        "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='0 0 1'/>"
        "<body pos='0 0 %s' euler='20 30 40'><freejoint/><inertial pos='0.1 0 0' mass='2' "
        "diaginertia='0.1 0.1 0.1'/><geom type='box' size='.2 .2 .02' contype='%s'/></body>"
        "</worldbody></mujoco>";
    static const char *const names[] = {"rate.x",         "rate.y",         "rate.z",
                                        "acceleration.x", "acceleration.y", "acceleration.z"};
    const double falling[] = {0, 0, 3, 9 * 0.1, 0, 0}, lying[] = {0, 0, 0, 0, 0, g};
    char text[512];
    Stage stage;
    snprintf(text, sizeof text, plate, "9", "0");
    make(&stage, &ib_mjcf_kind, (Setting[]){{"gravity", "field"}, {NULL, NULL}}, NULL, text);
    stage.state[model_of(&stage)->rigid.sizes.positions + 5] = 3;
    for (int i = 0; i < 6; i++) assert_close(*look_up(&stage, names[i]), falling[i], 1e-9);
    ib_arena_reset(&stage.arena);

    snprintf(text, sizeof text, plate, "0.3", "1");
    make(&stage, &ib_mjcf_kind, (Setting[]){{"gravity", "field"}, {NULL, NULL}}, NULL, text);
    go(&stage, 5000, 1e-3);
    for (int i = 0; i < 6; i++) assert_close(*look_up(&stage, names[i]), lying[i], 1e-2);
    ib_arena_reset(&stage.arena);
}

// Goal: where MuJoCo gives up, places are those of the last state, and forces are not known.
// Method: a box that is put 1 mm into the floor with its four corners, and room for two contacts.
static void places_are_known_where_forces_are_not(void **state)
{
    (void)state;
    Stage stage;
    make(&stage, &ib_mjcf_kind, NULL, NULL,
         "<mujoco><size nconmax='2' njmax='500'/><worldbody><geom type='plane' size='0 0 1'/>"
         "<body pos='0 0 1'><freejoint/><geom type='box' size='.2 .2 .02'/></body></worldbody>"
         "</mujoco>");
    assert_close(*look_up(&stage, "ground.force"), 0, 0);
    stage.state[2] = 0.019;
    assert_close(*look_up(&stage, "pose.z"), 0.019, 0);
    assert_true(isnan(*look_up(&stage, "ground.force")));
    ib_arena_reset(&stage.arena);
}

// Goal: motors turn a hinge of a file, others are refused. Method: at rest, by hand,
//   T = Kt d V/R,  V = E - Rb I0 - Rb d I,  I = d V/R:  V = (E - Rb I0)/(1 + Rb d^2/R)
// at d = 1/2; 0.3 s in which the shoulder swings beside it, and the book of battery and motors.
static void motors_turn_a_hinge(void **state)
{
    (void)state;
    Stage stage;
    ib_Error error;
    assert_int_equal(try_make(&stage, &ib_mjcf_kind, NULL, NULL, two_links, &error), IB_OK);
    ib_MjcfConfig *config = stage.config;
    config->motor_count = 1;
    config->motors[0] = (ib_MjcfMotors){
        "wrist", {1, {12, 2.42, 133, 556, 2.7}, 1, 60, 1, IB_LOSS_NONE, HUGE_VAL, HUGE_VAL}, 0};
    assert_int_equal(ib_robot_init(&ib_mjcf_kind, config, &stage.arena, &stage.robot, &error),
                     IB_BAD_INPUT);
    assert_string_equal(error.text, "motors.wrist: expected a hinge of the file: shoulder, elbow");
    strcpy(config->motors[0].name, "elbow");
    prepare(&stage);
    const ib_PowerConfig *power = &config->power;
    double R = 12 / 133.0, Rb = power->battery.resistance;
    double E = power->battery.open_circuit - Rb * power->background_current;
    *input_of(&stage, "motor.elbow") = 6;
    double expected = 2.42 / 133 * 0.5 * E / (1 + Rb * 0.25 / R) / R;
    assert_true(fabs(*look_up(&stage, "motor.elbow.torque") / expected - 1) < 1e-9);
    go(&stage, 300, 1e-3);
    assert_true(*look_up(&stage, "energy.motors") > 0.1);
    assert_true(fabs(*look_up(&stage, "energy.error")) < 1e-10);
    ib_arena_reset(&stage.arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_swings_in_closed_form),
        cmocka_unit_test(a_urdf_arm_is_the_arm_of_two_links),
        cmocka_unit_test(the_root_of_a_urdf_has_its_mass),
        cmocka_unit_test(effort_limits_hold),
        cmocka_unit_test(solids_are_where_mujoco_has_them),
        cmocka_unit_test(names_and_units_follow_the_file),
        cmocka_unit_test(starts_are_taken_or_refused),
        cmocka_unit_test(robots_begin_out_of_the_floor),
        cmocka_unit_test(printed_texts_move_alike),
        cmocka_unit_test(the_floor_carries_the_weight),
        cmocka_unit_test(the_body_feels_weight_and_turns),
        cmocka_unit_test(places_are_known_where_forces_are_not),
        cmocka_unit_test(motors_turn_a_hinge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
