// The mass of a body that four legs carry, standing and through a crawl.
#include "cmocka_all.h"
#include "control/leg/crawl_load.h"
#include "cylinder_legs.h"

#include <string.h>

static const double walking[3] = {0, -13 * LIMB_DEGREE, 88 * LIMB_DEGREE};

// Goal: standing, each foot carries a quarter of body and legs, as much as its leg holds. Method:
// that sum, in three poses, to 1e-6 of it, as the forces' matrix is softened by 1e-9.
static void standing_feet_carry_a_quarter_each(void **state)
{
    (void)state;
    static const double poses[3][3] = {{0, -34, 80}, {0, -6, 78}, {0, -13, 88}};
    LegsNames names;
    ib_Error error;
    ib_ControlLegs legs = cylinder_legs(&names);
    ib_CrawlConfig config = ib_crawl_default();
    const double *m = legs.leg_model.mass;
    for (int i = 0; i < 3; i++) {
        double th[3];
        ib_CrawlLoad load;
        for (int j = 0; j < 3; j++) th[j] = poses[i][j] * LIMB_DEGREE;
        assert_int_equal(ib_crawl_load_at(&legs, &config, th, &load, &error), IB_OK);
        double all = load.stands.mass + 4 * (m[0] + m[1] + m[2]);
        assert_close(all * legs.gravity / 4, load.leg.most, 1e-6 * load.leg.most);
        assert_int_equal(load.stands.joint, load.leg.joint);
        assert_true(load.least.most <= load.leg.most && load.crawls.mass < load.stands.mass);
    }
}

// Goal: three feet share by levers, and the worst one decides. Method: legs without weight that
// push straight up and stay where they are but for the shift w: the foot across the diagonal from
// the one in the air carries (1 - w/Y)/2 of the weight, its neighbour w/Y/2 and the other 1/2;
// the load that each leg holds where the shift puts it, to 1e-6 as above.
static void three_feet_share_by_levers(void **state)
{
    (void)state;
    LegsNames names;
    ib_Error error;
    ib_CrawlLoad load;
    ib_CrawlConfig config = {.stride = 0, .width = 0.04};
    ib_gait_crawl(IB_GAIT_DUTY, &config.gait);
    ib_ControlLegs legs = cylinder_legs(&names);
    memset(legs.leg_model.mass, 0, sizeof legs.leg_model.mass);
    assert_int_equal(ib_crawl_load_at(&legs, &config, walking, &load, &error), IB_OK);

    // Shifted to the right, rl in the air: places of the feet are w to the left.
    static const int feet[3] = {IB_LEG_FL, IB_LEG_FR, IB_LEG_RR};
    double least = INFINITY, Y = 0;
    for (int i = 0; i < 3; i++) {
        double foot[3], place[3], up[3];
        ib_LegReach reach;
        ib_LegStrength strength;
        const ib_Pose *shoulder = &legs.shoulders[feet[i]];
        ib_leg_foot(&legs.leg_model, walking, foot);
        ib_pose_point(shoulder, foot, place);
        if (i == 0) Y = place[1];
        place[1] += config.width;
        ib_leg_point_into(shoulder, place, foot);
        assert_true(ib_leg_reach(&legs.leg_model, foot, &reach));
        ib_leg_direction_into(shoulder, (const double[]){0, 0, 1}, up);
        ib_leg_strength(&legs, feet[i], &strength);
        double share = i == 0 ? (1 - config.width / Y) / 2 : i == 1 ? config.width / Y / 2 : 0.5;
        ib_LegLoad holds = ib_leg_load(&strength, reach.angle, up, legs.gravity);
        least = fmin(least, holds.most / share / legs.gravity);
    }
    assert_close(load.crawls.mass, least, 1e-6 * least);
}

// Goal: left and right are mirror images of each other, as far as loads go. Method: a crawl that is
// the mirror image, with legs turned and not mirrored: alpha changes its sign, and the same masses
// follow to 1e-9.
static void a_mirrored_crawl_carries_the_same(void **state)
{
    (void)state;
    ib_Gait crawl, mirrored;
    ib_gait_crawl(IB_GAIT_DUTY, &crawl);
    mirrored = crawl;
    mirrored.swing[IB_LEG_FL] = crawl.swing[IB_LEG_FR];
    mirrored.swing[IB_LEG_FR] = crawl.swing[IB_LEG_FL];
    mirrored.swing[IB_LEG_RL] = crawl.swing[IB_LEG_RR];
    mirrored.swing[IB_LEG_RR] = crawl.swing[IB_LEG_RL];
    for (int i = 0; i < mirrored.shifts; i++) mirrored.shift[i].side *= -1;
    LegsNames names;
    ib_Error error;
    ib_CrawlLoad own, other;
    ib_ControlLegs legs = cylinder_legs(&names);
    // Alpha's cylinder has other arms on the two sides of 0: mirrored legs would have other ones.
    for (int i = 0; i < IB_LEGS_JOINTS; i += IB_LEG_JOINTS) legs.joints[i].area[0] = 0;
    ib_CrawlConfig config = ib_crawl_default();
    assert_int_equal(ib_crawl_load_at(&legs, &config, walking, &own, &error), IB_OK);
    config.gait = mirrored;
    assert_int_equal(ib_crawl_load_at(&legs, &config, walking, &other, &error), IB_OK);
    assert_true(own.reaches && own.crawls.leg >= 0);
    assert_close(other.crawls.mass, own.crawls.mass, 1e-9 * own.crawls.mass);
    assert_close(other.least.most, own.least.most, 1e-9 * own.least.most);
}

// Goal: more pressure, a shorter stride and better sharing carry more; a joint that a stance would
// take beyond its range is told. Method: signs alone; the start of the thesis's robot, whose gamma
// would have to pass 95 deg.
static void what_helps_carries_more(void **state)
{
    (void)state;
    const double start[3] = {0, -34 * LIMB_DEGREE, 80 * LIMB_DEGREE};
    LegsNames names;
    ib_Error error;
    ib_CrawlLoad load, other;
    ib_ControlLegs legs = cylinder_legs(&names);
    ib_CrawlConfig config = ib_crawl_default();
    assert_int_equal(ib_crawl_load_at(&legs, &config, walking, &load, &error), IB_OK);
    assert_true(load.reaches && load.friction > 0);
    config.torque_cost = 0;
    assert_int_equal(ib_crawl_load_at(&legs, &config, walking, &other, &error), IB_OK);
    assert_true(other.crawls.mass < load.crawls.mass);
    assert_close(other.friction, 0, 1e-9); // straight up
    legs.supply += 1e5;
    assert_int_equal(ib_crawl_load_at(&legs, &config, walking, &load, &error), IB_OK);
    assert_true(load.crawls.mass > other.crawls.mass && load.leg.most > other.leg.most);
    assert_int_equal(ib_crawl_load_at(&legs, &config, start, &other, &error), IB_OK);
    assert_false(other.reaches);
    config.stride = config.width = 0;
    assert_int_equal(ib_crawl_load_at(&legs, &config, start, &other, &error), IB_OK);
    assert_true(other.reaches);
}

// Goal: robots that cannot be judged so are told apart. Method: servos alone are refused; of two
// legs the load of one is known, and no mass.
static void others_are_refused_or_have_no_mass(void **state)
{
    (void)state;
    LegsNames names;
    ib_Error error;
    ib_CrawlLoad load;
    ib_CrawlConfig config = ib_crawl_default();
    ib_ControlLegs legs = cylinder_legs(&names);
    legs.count = 2;
    assert_int_equal(ib_crawl_load_at(&legs, &config, walking, &load, &error), IB_OK);
    assert_true(load.leg.most > 0 && isnan(load.stands.mass) && isnan(load.crawls.mass));
    for (int i = 0; i < IB_LEGS_JOINTS; i++) legs.joints[i].area[0] = 0;
    assert_int_equal(ib_crawl_load_at(&legs, &config, walking, &load, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "no joint of its legs has a cylinder"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standing_feet_carry_a_quarter_each),
        cmocka_unit_test(three_feet_share_by_levers),
        cmocka_unit_test(a_mirrored_crawl_carries_the_same),
        cmocka_unit_test(what_helps_carries_more),
        cmocka_unit_test(others_are_refused_or_have_no_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
