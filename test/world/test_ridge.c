// Claims about src/world/ridge.c: how high and how steep a ridge is, also at its corners and ends.
#include "base/maths.h"
#include "cmocka_all.h"
#include "spread.h"
#include "world/ridge.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

static ib_RidgeConfig ridge_of(int count, const double *x, const double *y)
{
    ib_RidgeConfig config = {.name = "rim", .count = count, .width = 0.2, .height = 0.05};
    memcpy(config.x, x, (size_t)count * sizeof *x);
    memcpy(config.y, y, (size_t)count * sizeof *y);
    return config;
}

// A bend to the left by 90 degrees and one to the right by 45, legs of 1 m.
static ib_Ridge bent(double turn)
{
    const double x[] = {0, 1, 1, 1 + 0.7071067811865476}, y[] = {0, 0, 1, 1 + 0.7071067811865476};
    double rx[4], ry[4], c = ib_cos(turn), s = ib_sin(turn);
    for (int i = 0; i < 4; i++) {
        rx[i] = c * x[i] - s * y[i];
        ry[i] = s * x[i] + c * y[i];
    }
    ib_RidgeConfig config = ridge_of(4, rx, ry);
    ib_Error error;
    ib_Ridge ridge;
    assert_int_equal(ib_ridge_check(&config, &error), IB_OK);
    ib_ridge_init(&config, &ridge);
    return ridge;
}

// Goal: the cross-section is h (1 + cos(pi d/w))/2. Method: h = 5 cm, w = 10 cm: on the crest 5 cm,
// at w/3 3/4 of it, half way 2.5 cm with the slope pi h/(2 w) = pi/4, 0 and level at the foot; the
// same beyond its round end.
static void cross_section_is_a_cosine(void **state)
{
    (void)state;
    const double x[] = {0, 1}, y[] = {0, 0};
    ib_RidgeConfig config = ridge_of(2, x, y);
    ib_Ridge ridge;
    double slope[2];
    ib_ridge_init(&config, &ridge);
    assert_close(ib_ridge_height(&ridge, 0.5, 0, slope), 0.05, 1e-17);
    assert_close(slope[0], 0, 0);
    assert_close(slope[1], 0, 0);
    assert_close(ib_ridge_height(&ridge, 0.5, 0.1 / 3, slope), 0.0375, 1e-16);
    assert_close(ib_ridge_height(&ridge, 0.5, 0.05, slope), 0.025, 1e-16);
    assert_close(slope[1], -pi / 4, 1e-15);
    assert_close(ib_ridge_height(&ridge, 1.05, 0, slope), 0.025, 1e-16);
    assert_close(slope[0], -pi / 4, 1e-14);
    assert_close(slope[1], 0, 1e-15);
    assert_close(ib_ridge_height(&ridge, 0.5, 0.1, slope), 0, 0);
    assert_close(ib_ridge_height(&ridge, 0.5, -0.3, slope), 0, 0);
    assert_close(slope[1], 0, 0);
}

// Goal: the slope is that of the height, everywhere, and has no jump: it changes by at most
// pi^2 h/(2 w^2) a metre, also at corners and ends. Method: 20000 places on and beside a ridge with
// two bends; differences over 2 um, right to z''' 1e-12/6 and rounding of 1e-17/1e-6; and the
// slope at a neighbour 1 um away in any direction.
static void slope_is_that_of_the_height_and_has_no_jump(void **state)
{
    (void)state;
    ib_Ridge ridge = bent(0);
    uint64_t seed = 1;
    const double d = 1e-6, steepest = pi * pi * 0.05 / (2 * 0.1 * 0.1);
    int on = 0;
    for (int i = 0; i < 20000; i++) {
        double x = -0.2 + 2.2 * spread(&seed, 0, 1), y = -0.2 + 2.2 * spread(&seed, 0, 1), slope[2],
               other[2];
        double turn = 2 * pi * spread(&seed, 0, 1);
        double height = ib_ridge_height(&ridge, x, y, slope);
        double dx = ib_ridge_height(&ridge, x + d, y, other);
        dx = (dx - ib_ridge_height(&ridge, x - d, y, other)) / (2 * d);
        double dy = ib_ridge_height(&ridge, x, y + d, other);
        dy = (dy - ib_ridge_height(&ridge, x, y - d, other)) / (2 * d);
        // Where the second derivative has a step (the foot, the seam of bar and bend) the
        // difference of one side is off by d z''/4.
        assert_close(dx, slope[0], steepest * d / 2 + 1e-10);
        assert_close(dy, slope[1], steepest * d / 2 + 1e-10);
        ib_ridge_height(&ridge, x + d * ib_cos(turn), y + d * ib_sin(turn), other);
        assert_close(other[0], slope[0], steepest * d * 1.001);
        assert_close(other[1], slope[1], steepest * d * 1.001);
        assert_true(height >= 0 && height <= 0.05);
        assert_true(slope[0] * slope[0] + slope[1] * slope[1] <= pi * pi / 16 * (1 + 1e-12));
        on += height > 0;
    }
    assert_true(on > 2000); // or nothing was tried
}

// Goal: a ridge that is turned is the same ridge. Method: 2000 places, turned with it by 0.7 rad.
static void turned_ridge_is_the_same(void **state)
{
    (void)state;
    ib_Ridge plain = bent(0), turned = bent(0.7);
    uint64_t seed = 2;
    double c = ib_cos(0.7), s = ib_sin(0.7);
    for (int i = 0; i < 2000; i++) {
        double x = -0.2 + 2.2 * spread(&seed, 0, 1), y = -0.2 + 2.2 * spread(&seed, 0, 1), a[2],
               b[2];
        double height = ib_ridge_height(&plain, x, y, a);
        assert_close(ib_ridge_height(&turned, c * x - s * y, s * x + c * y, b), height, 1e-15);
        assert_close(b[0], c * a[0] - s * a[1], 1e-13);
        assert_close(b[1], s * a[0] + c * a[1], 1e-13);
    }
}

// Goal: a line that comes back to its first point is closed: the corner there is round like the
// others. Method: a square of 1 m; heights at all four corners are the same, and on the crest of
// the arc, w (sqrt(2) - 1) inside the corner, it is full.
static void closed_line_has_no_ends(void **state)
{
    (void)state;
    const double x[] = {0, 1, 1, 0, 0}, y[] = {0, 0, 1, 1, 0};
    ib_RidgeConfig config = ridge_of(5, x, y);
    ib_Error error;
    ib_Ridge ridge;
    assert_int_equal(ib_ridge_check(&config, &error), IB_OK);
    ib_ridge_init(&config, &ridge);
    assert_int_equal(ridge.bend_count, 4);
    assert_int_equal(ib_ridge_parts(&ridge), 8);
    double in = 0.1 * (1 - 0.7071067811865476), slope[2];
    for (int i = 0; i < 4; i++) {
        double sx = x[i] > 0.5 ? -1 : 1, sy = y[i] > 0.5 ? -1 : 1;
        assert_close(ib_ridge_height(&ridge, x[i] + sx * in, y[i] + sy * in, slope), 0.05, 1e-15);
        // The corner itself is w (sqrt(2) - 1) away from the arc.
        double away = 0.1 * (1.4142135623730951 - 1);
        assert_close(ib_ridge_height(&ridge, x[i], y[i], slope),
                     0.025 * (1 + ib_cos(pi * away / 0.1)), 1e-15);
    }
}

// Goal: what is drawn is the ridge. Method: the parts of the outline cover 2 reach L + pi reach^2
// with L the length of the crest: 3 m less what the arcs of 90 and 45 degrees save. Arcs are drawn
// as 6 chords, short by less than 1 in 200.
static void outlines_cover_the_ridge(void **state)
{
    (void)state;
    ib_Ridge ridge = bent(0.3);
    double w = 0.1, reach = 0.08, area = 0;
    for (int part = 0; part < ib_ridge_parts(&ridge); part++) {
        double x[IB_RIDGE_OUTLINE], y[IB_RIDGE_OUTLINE], own = 0;
        int count = ib_ridge_outline(&ridge, part, reach, x, y);
        assert_in_range(count, 3, IB_RIDGE_OUTLINE);
        for (int i = 0; i < count; i++) {
            int k = (i + 1) % count;
            own += (x[i] * y[k] - x[k] * y[i]) / 2;
        }
        area += fabs(own);
    }
    double length = 3 - 2 * w * 1 - 2 * w * 0.41421356237309503 + w * (pi / 2 + pi / 4);
    assert_close(area, 2 * reach * length + pi * reach * reach, 5e-3 * area);
}

// Goal: what cannot be is refused with the reason. Method: too steep, a corner without room for
// its arc, a way back, two points at one place.
static void impossible_ridges_are_refused(void **state)
{
    (void)state;
    const double x[] = {0, 1, 1.05, 2}, y[] = {0, 0, 0.1, 0.1}, back[] = {0, 1, 0};
    ib_Error error;
    ib_RidgeConfig config = ridge_of(2, x, y);
    config.height = 0.0636; // pi 0.0636/0.2 = 0.999
    assert_int_equal(ib_ridge_check(&config, &error), IB_OK);
    config.height = 0.064;
    assert_int_equal(ib_ridge_check(&config, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "45 degrees"));
    config = ridge_of(4, x, y);
    assert_int_equal(ib_ridge_check(&config, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "bends too sharply between points 2 and 3"));
    config = ridge_of(3, back, y);
    assert_int_equal(ib_ridge_check(&config, &error), IB_BAD_INPUT);
    config = ridge_of(3, x, y);
    config.x[1] = config.x[0];
    config.y[1] = config.y[0];
    assert_int_equal(ib_ridge_check(&config, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "points 1 and 2"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cross_section_is_a_cosine),
        cmocka_unit_test(slope_is_that_of_the_height_and_has_no_jump),
        cmocka_unit_test(turned_ridge_is_the_same),
        cmocka_unit_test(closed_line_has_no_ends),
        cmocka_unit_test(outlines_cover_the_ridge),
        cmocka_unit_test(impossible_ridges_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
