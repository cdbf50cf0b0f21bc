// test/control/test_arm_mpc.c: model predictive control of the arm: it arrives where nothing is in
// its way, and stalls before a disc.
#include "cmocka_all.h"

#include "control/arm/arm_mpc.h"
#include "control/scene_rig.h"

static ib_ArmMpcConfig rig_mpc(const ib_ArmScene *scene)
{
    ib_ArmMpcConfig config = ib_arm_mpc_default();
    memcpy(config.goal, RIG_GOAL, sizeof config.goal);
    config.discs = scene->discs;
    for (int k = 0; k < scene->discs; k++) {
        memcpy(config.place[k], scene->disc[k].place, sizeof config.place[k]);
        config.radius[k] = scene->disc[k].radius + scene->radius;
    }
    return config;
}

// One millisecond of the plant by the midpoint rule.
static void move(const ib_ArmPlant *arm, const double volts[2], double x[4])
{
    const double h = 1e-3;
    double at[4], a[2], T[2];
    memcpy(at, x, sizeof at);
    for (int half = 1; half <= 2; half++) {
        for (int i = 0; i < 2; i++)
            T[i] = arm->gear[i].push * volts[i] - arm->gear[i].drag * at[2 + i];
        ib_two_link_forward(&arm->link, at, at + 2, T, arm->gravity, a);
        double dx[4] = {at[2], at[3], a[0], a[1]};
        for (int i = 0; i < 4; i++) at[i] = x[i] + 0.5 * half * h * dx[i];
    }
    memcpy(x, at, sizeof at);
}

typedef struct Drive {
    double x[4];
    double left;    ///< to the goal in the end [rad]
    double nearest; ///< to a disc on the way [m]
    double arrived; ///< when it was last more than 0.02 rad from the goal [s]
} Drive;

// 3 s, a tick each step of the horizon; voltages are looked at every tick.
static Drive drive(const ib_ArmMpcConfig *config, const ib_ArmScene *scene)
{
    ib_ArmPlant arm = reference_arm();
    ib_ArmMpc mpc;
    Drive run = {.x = {RIG_START[0], RIG_START[1]}, .nearest = INFINITY};
    int ticks = (int)(config->step * 1e3 + 0.5);
    double volts[2] = {0, 0};
    ib_arm_mpc_reset(&arm, run.x, &mpc);
    for (int k = 0; k < 3000; k++) {
        if (k % ticks == 0) {
            ib_arm_mpc_update(config, &arm, run.x, &mpc, volts);
            for (int i = 0; i < 2; i++) assert_true(fabs(volts[i]) <= 12);
        }
        move(&arm, volts, run.x);
        run.nearest = fmin(run.nearest, ib_arm_scene_near(scene, run.x).distance);
        double e[2] = {run.x[0] - RIG_GOAL[0], run.x[1] - RIG_GOAL[1]};
        run.left = sqrt(e[0] * e[0] + e[1] * e[1]);
        if (run.left > 0.02) run.arrived = (k + 1) * 1e-3;
    }
    return run;
}

// Goal: it is an honest controller: without discs it is at the goal about as soon as the fastest
// motion along the straight line, 0.565 s.
static void it_arrives_where_nothing_is_in_its_way(void **state)
{
    (void)state;
    ib_ArmScene scene = rig_scene();
    scene.discs = 0;
    ib_ArmMpcConfig config = rig_mpc(&scene);
    Drive run = drive(&config, &scene);
    assert_true(run.left < 2e-3);
    assert_true(run.arrived < 0.7);
}

// Goal: it goes round a disc that is a little beside its way, and keeps clear. Method: a ball of 5
// cm whose middle is 4 cm off the straight joint line.
static void it_goes_round_what_is_a_little_in_its_way(void **state)
{
    (void)state;
    ib_ArmPlant arm = reference_arm();
    ib_ArmScene scene = rig_scene();
    const double half[2] = {0.8, 0.2};
    double hand[2];
    ib_two_link_hand(&arm.link, half, hand);
    scene.discs = 1;
    scene.radius = 0;
    scene.disc[0] = (ib_ArmDisc){"ball", {hand[0] * 0.97, hand[1] * 0.97}, 0.05};
    ib_ArmMpcConfig config = rig_mpc(&scene);
    Drive run = drive(&config, &scene);
    assert_true(run.left < 2e-3);
    assert_true(run.nearest > 0);
}

// Goal: before the bar it stands still for good, with every horizon from 0.2 s to 0.8 s. Method:
// after 3 s more than 1 rad is left, it does not move, and at `keep` from the bar.
static void it_stalls_before_the_bar(void **state)
{
    static const struct {
        int steps;
        double step;
    } horizon[] = {{20, 0.010}, {20, 0.015}, {20, 0.020}, {20, 0.025},
                   {20, 0.030}, {40, 0.010}, {30, 0.015}, {40, 0.020}};
    (void)state;
    ib_ArmScene scene = rig_scene();
    for (size_t k = 0; k < sizeof horizon / sizeof horizon[0]; k++) {
        ib_ArmMpcConfig config = rig_mpc(&scene);
        config.steps = horizon[k].steps;
        config.step = horizon[k].step;
        Drive run = drive(&config, &scene);
        assert_true(run.left > 1);
        assert_true(fabs(run.x[2]) < 1e-3 && fabs(run.x[3]) < 1e-3);
        ib_ArmNear near = ib_arm_scene_near(&scene, run.x);
        assert_int_equal(near.index, 0);
        assert_close(near.distance, config.keep, 1e-3);
        assert_true(run.nearest > 0);
    }
}

// Goal: where it stands is a hollow: on both ways along the edge of the bar the goal is at first
// further off. Method: along the curve of equal distance from the bar, 0.3 rad both ways; where it
// stands, the way to the goal is square to that curve, to 2 %: voltages that hold the arm cost too.
static void where_it_stalls_both_ways_lead_away(void **state)
{
    (void)state;
    ib_ArmScene scene = rig_scene();
    ib_ArmMpcConfig config = rig_mpc(&scene);
    Drive run = drive(&config, &scene);
    ib_ArmNear near = ib_arm_scene_near(&scene, run.x);
    double e[2] = {RIG_GOAL[0] - run.x[0], RIG_GOAL[1] - run.x[1]};
    double size = sqrt(near.slope[0] * near.slope[0] + near.slope[1] * near.slope[1]);
    double across = (e[0] * near.slope[1] - e[1] * near.slope[0]) / (size * run.left);
    assert_close(across, 0, 0.02);
    for (int way = -1; way <= 1; way += 2) {
        double th[2] = {run.x[0], run.x[1]}, left = 0;
        for (int k = 0; k < 300; k++) {
            ib_ArmNear at = ib_arm_scene_near(&scene, th);
            double steep = at.slope[0] * at.slope[0] + at.slope[1] * at.slope[1];
            double along = way * 1e-3 / sqrt(steep), back = (config.keep - at.distance) / steep;
            th[0] += along * at.slope[1] + back * at.slope[0];
            th[1] += -along * at.slope[0] + back * at.slope[1];
            double d[2] = {RIG_GOAL[0] - th[0], RIG_GOAL[1] - th[1]};
            left = sqrt(d[0] * d[0] + d[1] * d[1]);
            if (k >= 100) assert_true(left > run.left);
        }
        assert_true(left > run.left + 0.02);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_arrives_where_nothing_is_in_its_way),
        cmocka_unit_test(it_goes_round_what_is_a_little_in_its_way),
        cmocka_unit_test(it_stalls_before_the_bar),
        cmocka_unit_test(where_it_stalls_both_ways_lead_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
