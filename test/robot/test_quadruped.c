// Claims about src/robot/quadruped: the reference's masses and torques, three ways of one actuation
// that agree, energy, and runs that go on from anywhere.
#include "base/maths.h"
#include "robot/quadruped_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ masses

// Goal: MuJoCo's bodies have the masses of the reference, the whole robot with the published body
// too. Method: reference C, whose 12 digits are all of the tolerance.
static void masses_are_those_of_the_reference(void **unused)
{
    (void)unused;
    static const struct {
        const char *body;
        double mass;
    } rows[] = {{"fl.coxa", 0.324605060932},
                {"fr.femur", 0.214871847536},
                {"rl.tibia", 0.126439286830},
                {"thorax", 56.397263942664}};
    Rig rig;
    rig_default(&rig, 1);
    rig.config.thorax_mass = 56.397263942664;
    const ib_QuadrupedModel *model = rig_start(&rig);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int body = ib_mujoco_find(model->rigid.world, IB_MUJOCO_BODY, rows[i].body);
        assert_true(body > 0);
        assert_true(fabs(ib_mujoco_body_mass(model->rigid.world, body) - rows[i].mass) < 1e-11);
    }
    assert_true(fabs(ib_mujoco_mass(model->rigid.world) - 59.0609287239) < 1e-9);
    assert_int_equal(model->rigid.sizes.positions, 19);
    assert_int_equal(model->rigid.sizes.velocities, 18);
    rig_end(&rig);
}

// Goal: feet are where the reference has them. Method: reference C, ten digits, by MuJoCo's own
// kinematics of the model that was written for it: the chain of frames is right.
static void feet_are_where_the_reference_has_them(void **unused)
{
    (void)unused;
    static const double rows[][9] = {
        {0, -34, 80, 0.3750000000, 0.4263062286, 0.4808906060, 0.3750000000, -0.4263062286,
         0.4808906060},
        {-47, -67, 17, 0.6630409883, 0.4782552798, 1.0028829723, 0.0869590117, -0.4782552798,
         1.0028829723},
        {90, -1, 95, 0.0743234355, -0.0793912167, 0.5742160419, 0.6756765645, 0.0793912167,
         0.5742160419},
        {20, -34, 56, 0.1870255839, 0.5020620627, 0.5484117365, 0.5629744161, -0.5020620627,
         0.5484117365},
        {45, -10, 40, -0.0207044850, 0.3464225279, 0.5203381120, 0.7707044850, -0.3464225279,
         0.5203381120},
        {-20, -50, 90, 0.5364863381, 0.4195545077, 0.5510552517, 0.2135136619, -0.4195545077,
         0.5510552517},
    };
    static const char *const names[] = {"leg.fl.foot.x", "leg.fl.foot.y", "leg.fl.foot.z",
                                        "leg.fr.foot.x", "leg.fr.foot.y", "leg.fr.foot.z"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Rig rig;
        rig_default(&rig, 1);
        rig.config.place[2] = 0.8;
        for (int j = 0; j < 3; j++) rig.config.pose[j] = rows[i][j] * DEG;
        rig_start(&rig);
        for (int k = 0; k < 6; k++)
            assert_true(fabs(look(&rig, names[k]) - rows[i][3 + k]) < 1e-10);
        rig_end(&rig);
    }
}

// ---------------------------------------------------------------------------------------- standing

// Goal: on servos the published robot stands with the reference's torques, and the ground carries
// its weight. Method: reference C: contact sum to 1e-3 N, torques to 0.01 N m. Servos as stiff as a
// step of 1 ms bears leave 0.06 degrees, on which the torques depend by less than that.
static void the_robot_stands_with_the_torques_of_the_reference(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, 20);
    rig.config.thorax_mass = 56.397263942664;
    rig.config.drive = IB_DRIVE_SERVO;
    rig.config.servo_stiffness = 4000;
    rig.config.servo_damping = 20;
    rig.config.contact_grip = 0.7; // servos this stiff chatter on harder contacts
    rig.config.place[2] = 0.326509;
    rig_start(&rig);
    // Goals beyond the pose by what the load bends the servos.
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++) {
        rig_hold(&rig, 3 * leg + 1, -34 * DEG + 34.4571 / 4000);
        rig_hold(&rig, 3 * leg + 2, 80 * DEG + 9.7386 / 4000);
    }
    rig_end(&rig);
    rig.sim = NULL;
    rig_start(&rig);
    rig_run(&rig, 20);
    assert_true(fabs(look(&rig, "ground.force") - 578.7971) < 1e-3);
    for (int leg = 0; leg < IB_QUADRUPED_LEGS; leg++) {
        static const char *const legs[] = {"fl", "fr", "rl", "rr"};
        char name[64];
        snprintf(name, sizeof name, "leg.%s.beta.torque", legs[leg]);
        assert_true(fabs(look(&rig, name) - 34.4571) < 0.01);
        snprintf(name, sizeof name, "leg.%s.gamma.torque", legs[leg]);
        assert_true(fabs(look(&rig, name) - 9.7386) < 0.01);
        snprintf(name, sizeof name, "leg.%s.alpha.torque", legs[leg]);
        assert_true(fabs(look(&rig, name)) < 0.01);
    }
    rig_end(&rig);
}

// Goal: a held body feels its weight along its own axes. Method: pitched by p and rolled by r,
//   f = g (-sin p, cos p sin r, cos p cos r),   no rates
static void a_held_body_feels_its_weight(void **unused)
{
    (void)unused;
    const double p = 20 * DEG, r = 10 * DEG;
    Rig rig;
    rig_default(&rig, 1);
    rig.config.base = IB_BASE_FIXED;
    rig.config.drive = IB_DRIVE_LIMP;
    rig.config.place[2] = 2;
    rig.config.attitude[0] = 70 * DEG;
    rig.config.attitude[1] = p;
    rig.config.attitude[2] = r;
    rig_start(&rig);
    rig_run(&rig, 0.1);
    assert_close(look(&rig, "acceleration.x"), -9.8 * sin(p), 1e-9);
    assert_close(look(&rig, "acceleration.y"), 9.8 * cos(p) * sin(r), 1e-9);
    assert_close(look(&rig, "acceleration.z"), 9.8 * cos(p) * cos(r), 1e-9);
    assert_close(look(&rig, "rate.x"), 0, 0);
    rig_end(&rig);
}

// ------------------------------------------------------------------------------- three ways of one

// One leg on a body that is held, its valves thrown about: alpha out, beta in, gamma out.
static void swing(Rig *rig, int drive, double step)
{
    rig_default(rig, 1);
    rig->config.legs = IB_LEGS_FR;
    rig->config.base = IB_BASE_FIXED;
    rig->config.place[2] = 0.8;
    rig->config.drive = drive;
    rig->config.pose[2] = 56 * DEG;
    rig->sim_config.step = ib_time_from_seconds(step);
    rig_hold(rig, 0, 6);
    rig_hold(rig, 1, 4.8);
    rig_hold(rig, 2, 5.9);
}

static void angles(const Rig *rig, double th[3])
{
    const ib_QuadrupedModel *model = ib_parts_own(rig->model->robots[0].model);
    for (int j = 0; j < 3; j++) th[j] = ib_sim_state(rig->sim)[model->joints[j].position];
}

// Goal: cylinders as torques of the formulas and as tendons between their pins are one. Method: a
// swing of half a second through tens of degrees, to 1e-6 rad (they differ by rounding).
static void torques_and_tendons_agree(void **unused)
{
    (void)unused;
    double th[2][3];
    for (int i = 0; i < 2; i++) {
        Rig rig;
        swing(&rig, i == 0 ? IB_DRIVE_TORQUE : IB_DRIVE_TENDON, 1e-3);
        rig_start(&rig);
        rig_run(&rig, 0.5);
        angles(&rig, th[i]);
        rig_end(&rig);
    }
    assert_true(fabs(th[0][0]) > 10 * DEG); // it did swing
    for (int j = 0; j < 3; j++) assert_true(fabs(th[0][j] - th[1][j]) < 1e-6);
}

// Goal: cylinders as bodies tend to those without mass as their masses do. Method: the difference
// to torques after 0.3 s for a quarter and a 16th of the default masses. It falls with them, by 4
// in the limit, and a straight line through both ends at nothing, but for the 0.3 mrad by which
// MuJoCo's pins give: the lighter a rod, the more.
static void bodies_tend_to_massless_cylinders(void **unused)
{
    (void)unused;
    double light[3], off[2][3];
    Rig rig;
    swing(&rig, IB_DRIVE_TORQUE, 0.25e-3);
    rig_start(&rig);
    rig_run(&rig, 0.3);
    angles(&rig, light);
    rig_end(&rig);
    for (int i = 0; i < 2; i++) {
        swing(&rig, IB_DRIVE_CYLINDER, 0.25e-3);
        rig.config.barrel_mass *= i == 0 ? 0.25 : 0.0625;
        rig.config.rod_mass *= i == 0 ? 0.25 : 0.0625;
        rig_start(&rig);
        rig_run(&rig, 0.3);
        angles(&rig, off[i]);
        for (int j = 0; j < 3; j++) off[i][j] -= light[j];
        rig_end(&rig);
    }
    double most = 0;
    for (int j = 0; j < 3; j++) {
        most = fmax(most, fabs(off[0][j]));
        assert_true(fabs(off[1][j]) < 0.3 * fabs(off[0][j]) + 3e-4);
        assert_true(fabs(4 * off[1][j] - off[0][j]) / 3 < 6e-4);
    }
    assert_true(most > 0.005); // they do weigh something
}

// ------------------------------------------------------------------------------------------ energy

// The robot of a rig without a simulation, not checked.
static ib_Robot bare_robot(Rig *rig)
{
    static ib_RobotKind kind;
    ib_Robot robot;
    kind = ib_quadruped_kind;
    kind.check = NULL;
    assert_int_equal(ib_robot_init(&kind, &rig->config, &rig->arena, &robot, &rig->error), IB_OK);
    return robot;
}

static double swing_energy(double damping, double step, double *least_rise)
{
    Rig rig;
    rig_default(&rig, 1);
    rig.config.legs = IB_LEGS_FR;
    rig.config.base = IB_BASE_FIXED;
    rig.config.place[2] = 2;
    rig.config.drive = IB_DRIVE_LIMP;
    rig.config.pose[1] = -10 * DEG;
    rig.config.pose[2] = 60 * DEG;
    for (int j = 0; j < 3; j++) {
        rig.config.joints[j].damping = damping;
        rig.config.joints[j].linkage.range[0] = -6; // it meets no stop
        rig.config.joints[j].linkage.range[1] = 6;
    }
    rig.sim_config.step = ib_time_from_seconds(step);
    // Ranges that no linkage has: checked only where there are cylinders to turn.
    ib_Robot robot = bare_robot(&rig);
    const ib_ExternalIntegrator *integrator = robot.kind->integrator;
    void *workspace = integrator->workspace(robot.model, &rig.arena);
    double *state = ib_arena_array(&rig.arena, (size_t)robot.ports.state_count, sizeof *state);
    double *s = ib_arena_array(&rig.arena, (size_t)robot.ports.signal_count, sizeof *s);
    const int *at = ((const ib_QuadrupedModel *)ib_parts_own(robot.model))->rigid.signal;
    double input[IB_ENVIRONMENT_COUNT + IB_QUADRUPED_JOINTS] = {0};
    robot.kind->reset(&rig.config, robot.model, state);
    double first = 0, last = 0, worst = 0;
    int steps = (int)lround(0.5 / step);
    *least_rise = -INFINITY;
    for (int i = 0; i <= steps; i++) {
        integrator->output(robot.model, workspace, state, input, s);
        double energy = s[at[IB_RIGID_KINETIC]] + s[at[IB_RIGID_POTENTIAL]];
        if (i == 0) first = last = energy;
        *least_rise = fmax(*least_rise, energy - last);
        last = energy;
        worst = fmax(worst, fabs(energy - first));
        assert_int_equal(
            integrator->advance(robot.model, workspace, state, input, step, state, &rig.error),
            IB_OK);
    }
    ib_arena_reset(&rig.arena);
    return damping > 0 ? first - last : worst;
}

// Goal: the energy of a limp leg stays, to the order of MuJoCo's Euler, and with damping it only
// falls. Method: half a second from a bent pose; the error halves with the step (first order); with
// 0.05 N m s/rad every step loses, but for what Euler's own error adds in one.
static void a_limp_leg_keeps_its_energy(void **unused)
{
    (void)unused;
    double rise;
    double coarse = swing_energy(0, 1e-3, &rise), fine = swing_energy(0, 0.5e-3, &rise);
    assert_true(coarse < 0.05);
    assert_true(fabs(coarse / fine - 2) < 0.1);
    double lost = swing_energy(0.05, 1e-3, &rise);
    assert_true(lost > 0.1 && rise < 1e-4);
}

// Goal: what is found at an instant is that of its inputs, whatever was found there before. Method:
// one state on a level and on a tilted floor, under a push, with a torque at one joint, and with
// all inputs zero, as in a workspace that remembers none; every one after every other in one
// workspace, and each in a fresh workspace.
static void inputs_at_one_instant_are_not_mixed_up(void **unused)
{
    enum { CASES = 5 };
    (void)unused;
    Rig rig;
    rig_default(&rig, 2);
    rig.config.drive = IB_DRIVE_DIRECT;
    ib_Robot robot = bare_robot(&rig);
    const ib_ExternalIntegrator *integrator = robot.kind->integrator;
    size_t count = (size_t)robot.ports.signal_count;
    double *state = ib_arena_array(&rig.arena, (size_t)robot.ports.state_count, sizeof *state);
    double *by_turns = ib_arena_array(&rig.arena, count, sizeof *by_turns), *fresh[CASES];
    double input[CASES][IB_ENVIRONMENT_COUNT + IB_QUADRUPED_JOINTS] = {0};
    for (int k = 0; k < CASES - 1; k++) input[k][IB_GRAVITY] = 9.81;
    input[1][IB_SLOPE_X] = 2;
    input[2][IB_PUSH_X] = 50;
    input[3][IB_ENVIRONMENT_COUNT] = 1;
    robot.kind->reset(&rig.config, robot.model, state);
    for (int k = 0; k < CASES; k++) {
        fresh[k] = ib_arena_array(&rig.arena, count, sizeof **fresh);
        integrator->output(robot.model, integrator->workspace(robot.model, &rig.arena), state,
                           input[k], fresh[k]);
    }
    void *workspace = integrator->workspace(robot.model, &rig.arena);
    for (int i = 0; i < 2 * CASES * CASES; i++) {
        int pair = i / 2, k = i % 2 ? pair % CASES : pair / CASES;
        integrator->output(robot.model, workspace, state, input[k], by_turns);
        assert_memory_equal(by_turns, fresh[k], count * sizeof *by_turns);
    }
    for (int k = 1; k < 4; k++)
        assert_memory_not_equal(fresh[0], fresh[k], count * sizeof *by_turns);
    ib_arena_reset(&rig.arena);
}

// ---------------------------------------------------------------------------------------- going on

// Goal: a run goes on from a saved state with the same bits, however the simulation came there.
// Method: the whole robot on its cylinders falls together; saved after 200 steps, 1000 more twice,
// the second time in a simulation that has looked at every signal of other states before.
static void a_run_goes_on_from_a_saved_state(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, 2);
    rig_start(&rig);
    rig_run(&rig, 0.2);
    size_t bytes = (size_t)rig.model->state_count * sizeof(double);
    double *saved = malloc(bytes);
    assert_non_null(saved);
    memcpy(saved, ib_sim_state(rig.sim), bytes);
    ib_Time time = ib_sim_time(rig.sim);
    int64_t steps = ib_sim_steps(rig.sim);
    rig_run(&rig, 1.2);
    uint64_t hash = ib_sim_hash(rig.sim);
    rig_end(&rig);

    rig_default(&rig, 2);
    rig_start(&rig);
    rig_run(&rig, 0.7);
    look(&rig, "ground.force");
    ib_sim_restore(rig.sim, time, steps, saved);
    for (int i = 0; i < 1000; i++) {
        if (i % 10 == 0) look(&rig, "ground.force");
        assert_int_equal(ib_sim_step(rig.sim, &rig.error), IB_OK);
    }
    assert_true(ib_sim_hash(rig.sim) == hash);
    free(saved);
    rig_end(&rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_are_those_of_the_reference),
        cmocka_unit_test(feet_are_where_the_reference_has_them),
        cmocka_unit_test(the_robot_stands_with_the_torques_of_the_reference),
        cmocka_unit_test(a_held_body_feels_its_weight),
        cmocka_unit_test(torques_and_tendons_agree),
        cmocka_unit_test(bodies_tend_to_massless_cylinders),
        cmocka_unit_test(a_limp_leg_keeps_its_energy),
        cmocka_unit_test(inputs_at_one_instant_are_not_mixed_up),
        cmocka_unit_test(a_run_goes_on_from_a_saved_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
