// test/plant/test_layout.c: how the rims of X-drives, mecanum, kiwi and H-drives and tanks turn,
// what their wheels hold, and which layouts cannot be driven.
#include "cmocka_all.h"

#include "plant/wheel/layout.h"
#include "roughtop.h"
#include "spread.h"

#include <string.h>

static const double PI = 3.14159265358979323846, NO_ROLLER = INFINITY;
static const double a = 0.25, W = 0.3, r = 0.05; // half wheel base, half track, radius [m]

// A wheel of 10 cm by itself; angles in degrees.
static ib_LayoutWheel wheel(double x, double y, double direction, double roller)
{
    return (ib_LayoutWheel){x, y, direction * PI / 180, roller * PI / 180, 2 * r, 0};
}

static ib_LayoutWheel on_rim(int rim, ib_LayoutWheel wheel)
{
    wheel.rim = rim;
    return wheel;
}

static ib_LayoutConfig x_drive(void)
{
    return (ib_LayoutConfig){4,
                             {wheel(a, -a, 45, 90), wheel(a, a, 135, 90), wheel(-a, a, 225, 90),
                              wheel(-a, -a, 315, 90)}};
}

static ib_LayoutConfig mecanum(void)
{
    return (ib_LayoutConfig){
        4, {wheel(a, -W, 0, -45), wheel(a, W, 0, 45), wheel(-a, W, 0, -45), wheel(-a, -W, 0, 45)}};
}

static ib_LayoutConfig h_drive(void)
{
    return (ib_LayoutConfig){5,
                             {on_rim(1, wheel(a, -W, 0, 90)), on_rim(2, wheel(a, W, 0, 90)),
                              on_rim(2, wheel(-a, W, 0, 90)), on_rim(1, wheel(-a, -W, 0, 90)),
                              wheel(0, 0, 90, 90)}};
}

// Four wheels that grip both ways, `half` before and behind the middle, the two of a side on a rim.
static ib_LayoutConfig tank(double half)
{
    return (ib_LayoutConfig){
        4,
        {on_rim(1, wheel(half, W, 0, NO_ROLLER)), on_rim(1, wheel(-half, W, 0, NO_ROLLER)),
         on_rim(2, wheel(half, -W, 0, NO_ROLLER)), on_rim(2, wheel(-half, -W, 0, NO_ROLLER))}};
}

static ib_LayoutModel layout_of(ib_LayoutConfig config)
{
    ib_LayoutModel layout;
    ib_layout_init(&config, &layout);
    return layout;
}

// Rows of `turn` times r; directions of up to 2 pi are known to 9e-16.
static void assert_rows(const ib_LayoutModel *layout, int count, const double (*rows)[3])
{
    assert_int_equal(layout->rim_count, count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) assert_close(r * layout->turn[i][k], rows[i][k], 1e-15);
}

static void assert_accepted(ib_LayoutConfig config, bool rolling)
{
    ib_Error error;
    if (ib_layout_check(&config, rolling, &error) != IB_OK) fail_msg("%s", error.text);
}

static void assert_refused(ib_LayoutConfig config, bool rolling, const char *words)
{
    ib_Error error = {0};
    if (ib_layout_check(&config, rolling, &error) != IB_BAD_INPUT || !strstr(error.text, words))
        fail_msg("'%s' does not say '%s'", error.text, words);
}

// -------------------------------------------------------------------------------------- kinematics

// Goal: an omni wheel turns with the part of its velocity along e. Method: by hand, c = cos 45, at
// (+-a, +-a): e = (c, c), (-c, c), (-c, -c), (c, -c), each with the lever 2 a c, all to the left.
static void x_drive_turns_by_its_closed_form(void **state)
{
    (void)state;
    const double c = sqrt(0.5), lever = 2 * a * c;
    const double rows[4][3] = {{c, c, lever}, {-c, c, lever}, {-c, -c, lever}, {c, -c, lever}};
    ib_LayoutModel layout = layout_of(x_drive());
    assert_rows(&layout, 4, rows);
    assert_int_equal(layout.hold_count, 0);
    assert_int_equal(layout.allowed_count, 3);
}

// Goal: a mecanum drive in its textbook form. Method: r Omega = u +- n +- (a + W) w, front right,
// front left, back left, back right.
static void mecanum_turns_by_its_closed_form(void **state)
{
    (void)state;
    const double L = a + W;
    const double rows[4][3] = {{1, 1, L}, {1, -1, -L}, {1, 1, -L}, {1, -1, L}};
    ib_LayoutModel layout = layout_of(mecanum());
    assert_rows(&layout, 4, rows);
    assert_int_equal(layout.hold_count, 0);
}

// Goal: three omni wheels on a circle. Method: at the angles q = -60, 60 and 180 degrees they roll
// to the left around it, r Omega = -u sin q + n cos q + R w.
static void kiwi_turns_by_its_closed_form(void **state)
{
    (void)state;
    const double R = 0.2, c = sqrt(0.75);
    const double rows[3][3] = {{c, 0.5, R}, {-c, 0.5, R}, {0, -1, R}};
    ib_LayoutConfig kiwi = {
        3, {wheel(R / 2, -R * c, 30, 90), wheel(R / 2, R * c, 150, 90), wheel(-R, 0, 270, 90)}};
    ib_LayoutModel layout = layout_of(kiwi);
    assert_rows(&layout, 3, rows);
}

// Goal: wheels of one rim are one motor, in the order of the first wheels; omni wheels behind each
// other agree, and hold nothing. Method: an H-drive: right, left, across.
static void h_drive_has_three_rims(void **state)
{
    (void)state;
    const double rows[3][3] = {{1, 0, W}, {1, 0, -W}, {0, 1, 0}};
    const int rim[5] = {0, 1, 1, 0, 2}, first[3] = {0, 1, 4};
    ib_LayoutModel layout = layout_of(h_drive());
    assert_rows(&layout, 3, rows);
    for (int i = 0; i < 5; i++) assert_int_equal(layout.rim[i], rim[i]);
    for (int i = 0; i < 3; i++) assert_int_equal(layout.first[i], first[i]);
    assert_int_equal(layout.hold_count, 0);
    assert_accepted(h_drive(), true);
}

// Goal: wheels without rollers hold the robot along their axles. Method: four of a tank let it go
// straight only, two side by side let it turn as well.
static void tank_is_held_sideways(void **state)
{
    (void)state;
    const double rows[2][3] = {{1, 0, -W}, {1, 0, W}};
    ib_LayoutModel layout = layout_of(tank(a));
    assert_rows(&layout, 2, rows);
    assert_int_equal(layout.hold_count, 2);
    assert_int_equal(layout.allowed_count, 1);
    assert_close(fabs(layout.allowed[0][0]), 1, 1e-15);
    assert_close(layout.allowed[0][1], 0, 1e-15);
    assert_close(layout.allowed[0][2], 0, 1e-15);
    layout = layout_of(tank(0));
    assert_int_equal(layout.hold_count, 1);
    assert_int_equal(layout.allowed_count, 2);
    for (int i = 0; i < 2; i++) assert_close(layout.allowed[i][1], 0, 1e-15);
}

// Wheels anywhere, with and without rollers; some are on the rim of the one before.
static ib_LayoutConfig random_layout(uint64_t *seed)
{
    ib_LayoutConfig config = {.count = 1 + (int)spread(seed, 0, IB_LAYOUT_WHEELS - 0.001)};
    for (int i = 0; i < config.count; i++) {
        double roller = spread(seed, 0, 1) < 0.8 ? spread(seed, 20, 160) : NO_ROLLER;
        ib_LayoutWheel own = on_rim(i + 1, wheel(0, 0, spread(seed, -180, 180), roller));
        own.diameter = spread(seed, 0.05, 0.3);
        if (i > 0 && spread(seed, 0, 1) < 0.2) own = config.wheels[i - 1];
        own.x = spread(seed, -0.5, 0.5);
        own.y = spread(seed, -0.5, 0.5);
        config.wheels[i] = own;
    }
    return config;
}

// Goal: a robot that moves as its wheels allow, with rims that turn as they say, slips nowhere but
// along its rollers; and what is held and what is allowed are all. Method: 5000 random layouts, the
// slips by plant/wheel/patch.h, which knows nothing of this; 1 m/s to 1e-9, since a motion is found
// from rows that may be nearly alike (a part of 1e-9 beyond the others counts as none).
static void what_is_allowed_does_not_slip(void **state)
{
    (void)state;
    uint64_t seed = 11;
    int counts[4] = {0};
    for (int i = 0; i < 5000; i++) {
        ib_LayoutConfig config = random_layout(&seed);
        ib_LayoutModel layout = layout_of(config);
        ib_PatchConfig patch = {.tyre = roughtop};
        ib_PatchRim rims[IB_MAX_PATCHES];
        ib_PatchModel model;
        ib_PatchSlip slip;
        double v[3] = {0};
        assert_int_equal(layout.hold_count + layout.allowed_count, 3);
        counts[layout.allowed_count]++;
        for (int k = 0; k < layout.allowed_count; k++) {
            double part = spread_signed(&seed);
            for (int j = 0; j < 3; j++) v[j] += part * layout.allowed[k][j];
        }
        patch.count = config.count;
        patch.rim_count = layout.rim_count;
        for (int k = 0; k < config.count; k++) {
            const ib_LayoutWheel *own = &config.wheels[k];
            int rim = layout.rim[k];
            const double *turn = layout.turn[rim];
            patch.place[k] = (ib_PatchPlace){own->x, own->y, rim};
            rims[rim] = ib_patch_rim(own->direction, isinf(own->roller) ? PI / 2 : own->roller, 1);
            rims[rim].speed =
                0.5 * own->diameter * (turn[0] * v[0] + turn[1] * v[1] + turn[2] * v[2]);
        }
        ib_patch_init(&patch, &model);
        ib_patch_slip(&model, rims, v[0], v[1], v[2], &slip);
        for (int k = 0; k < config.count; k++) {
            assert_close(slip.across[k], 0, 1e-9);
            if (isinf(config.wheels[k].roller)) assert_close(slip.along[k], 0, 1e-9);
        }
        for (int k = 0; k < layout.hold_count; k++) {
            const double *hold = layout.hold[k];
            assert_close(hold[0] * v[0] + hold[1] * v[1] + hold[2] * v[2], 0, 1e-12);
        }
    }
    for (int i = 0; i < 4; i++) assert_true(counts[i] > 50); // each has been seen
}

// ---------------------------------------------------------------------------------------- refusals

// Goal: what can be driven is accepted. Method: every layout above, with wheels that slip and that
// never do; a tank holds itself sideways like a tank, and must slip to turn.
static void layouts_that_drive_are_accepted(void **state)
{
    (void)state;
    for (int rolling = 0; rolling < 2; rolling++) {
        assert_accepted(x_drive(), rolling);
        assert_accepted(mecanum(), rolling);
        assert_accepted(h_drive(), rolling);
        assert_accepted(tank(0), rolling);
    }
    assert_accepted(tank(a), false);
}

// Goal: a direction in which no wheel drives or holds is named. Method: wheels with rollers, all
// parallel (forward, across, at 45 degrees), or all at one point.
static void missing_directions_are_named(void **state)
{
    (void)state;
    ib_LayoutConfig ahead = {
        4, {wheel(a, -W, 0, 90), wheel(a, W, 0, 90), wheel(-a, W, 0, 90), wheel(-a, -W, 0, 90)}};
    ib_LayoutConfig across = ahead, slanted = ahead, point = {.count = 3}, aside = {.count = 3};
    for (int i = 0; i < 4; i++) across.wheels[i].direction = PI / 2;
    for (int i = 0; i < 4; i++) slanted.wheels[i].direction = PI / 4;
    for (int i = 0; i < 3; i++) point.wheels[i] = wheel(0, 0, 120 * i, 90);
    for (int i = 0; i < 3; i++) aside.wheels[i] = wheel(0.1, 0, 120 * i, 90);
    for (int rolling = 0; rolling < 2; rolling++) {
        assert_refused(ahead, rolling, ": the wheels cannot move the robot sideways: expected");
        assert_refused(across, rolling, ": the wheels cannot move the robot forward: expected");
        assert_refused(slanted, rolling, "cannot move the robot along -45 deg: expected wheels");
        assert_refused(point, rolling, "cannot turn the robot: expected");
        assert_refused(aside, rolling, "cannot turn the robot about x = 0.1 m, y = 0 m: exp");
    }
}

// Goal: what is only held is no drive. Method: a bicycle cannot turn; one wheel neither, about its
// place; an axle whose two wheels are on one rim neither, with rollers or without.
static void what_only_holds_does_not_drive(void **state)
{
    (void)state;
    ib_LayoutConfig bicycle = {2, {wheel(a, 0, 0, NO_ROLLER), wheel(-a, 0, 0, NO_ROLLER)}};
    ib_LayoutConfig one = {1, {wheel(0.1, 0, 0, NO_ROLLER)}};
    ib_LayoutConfig axle = {
        3, {on_rim(1, wheel(0, W, 0, 90)), on_rim(1, wheel(0, -W, 0, 90)), wheel(0, 0, 90, 90)}};
    assert_refused(bicycle, false, "cannot turn the robot, they only hold it: expected");
    assert_refused(one, false, "cannot turn the robot about x = 0.1 m, y = 0 m");
    assert_refused(axle, false, "cannot turn the robot, they only hold it");
    axle.wheels[0].roller = axle.wheels[1].roller = INFINITY;
    axle.count = 2;
    assert_refused(axle, false, "cannot turn the robot, they only hold it");
}

// Goal: wheels that never slip do not give way. Method: a tank on four cannot turn then; an X-drive
// with a wheel more that grips both ways, behind it, cannot go sideways.
static void wheels_that_never_slip_do_not_give_way(void **state)
{
    (void)state;
    ib_LayoutConfig dragged = x_drive();
    dragged.wheels[dragged.count++] = wheel(-a, 0, 0, NO_ROLLER);
    assert_refused(tank(a), true, "cannot turn the robot: some hold it");
    assert_refused(dragged, true, "some hold it, and wheels that never slip cannot give way");
    assert_accepted(dragged, false);
    dragged.wheels[4].roller = PI / 2;
    assert_accepted(dragged, true);
}

// Goal: a wheel that is wrong by itself is named by its number. Method: rollers along the rolling
// direction (to within 1 degree, either way round), a rim of unequal wheels.
static void single_wheels_are_named(void **state)
{
    (void)state;
    static const double along[] = {0, 180, -180, 0.9, -179.2};
    for (int i = 0; i < 5; i++) {
        ib_LayoutConfig config = x_drive();
        config.wheels[2].roller = along[i] * PI / 180;
        assert_refused(config, false, ".2.roller: rollers that slide along the rolling direction");
    }
    ib_LayoutConfig config = x_drive();
    config.wheels[2].roller = PI / 180;
    assert_accepted(config, false);
    config = tank(a);
    config.wheels[3].diameter = 0.11;
    assert_refused(config, false, ".3.diameter: wheels that turn together, on rim 2, are alike");
    assert_refused(config, false, "expected the diameter of at.2");
    config = tank(a);
    config.wheels[1].direction = 0.1;
    assert_refused(config, false, ".1.direction:");
    config.wheels[1].direction = PI;
    assert_refused(config, false, ".1.direction:");
    config.wheels[1].direction = 2 * PI;
    assert_accepted(config, false);
    config = h_drive();
    config.wheels[2].roller = PI / 4;
    assert_refused(config, false, ".2.roller: ");
    config.wheels[2].roller = INFINITY;
    assert_refused(config, false, ".2.roller: ");
    config.wheels[2].roller = -PI / 2;
    assert_accepted(config, false);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(x_drive_turns_by_its_closed_form),
        cmocka_unit_test(mecanum_turns_by_its_closed_form),
        cmocka_unit_test(kiwi_turns_by_its_closed_form),
        cmocka_unit_test(h_drive_has_three_rims),
        cmocka_unit_test(tank_is_held_sideways),
        cmocka_unit_test(what_is_allowed_does_not_slip),
        cmocka_unit_test(layouts_that_drive_are_accepted),
        cmocka_unit_test(missing_directions_are_named),
        cmocka_unit_test(what_only_holds_does_not_drive),
        cmocka_unit_test(wheels_that_never_slip_do_not_give_way),
        cmocka_unit_test(single_wheels_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
