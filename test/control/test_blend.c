// test/control/test_blend.c: spread jumps of curvature lead where the drawn path leads.
#include "cmocka_all.h"

#include "control/path/blend.h"

#define PI 3.14159265358979323846

static const ib_PathPoint origin = {0};

// Where the blended curvature leads: course and position by the midpoint rule.
static ib_PathPoint follow(const ib_BlendedPath *blended, double length, int steps)
{
    ib_PathPoint at = {0};
    double h = length / steps;
    for (int i = 0; i < steps; i++)
        at = ib_path_go(at, ib_blend_curvature(blended, (i + 0.5) * h), h);
    return at;
}

// Goal: blends turn as far as the jumps they replace and lead to the same end, also for many sharp
// turns either way. Method: integrate the blended curvature, 0.5 mm steps, and compare with the
// drawn end; 0.5 mm is what plain blends may shift, 1e-5 rad the error of the midpoint rule.
static void blends_lead_where_the_path_leads(void **state)
{
    (void)state;
    ib_PathConfig paths[3] = {
        {.count = 3, .elements = {{2, 0}, {2 * PI, 1}, {2, 0}}, .blend = 0.05},
        {.count = 4, .elements = {{1, 0}, {PI / 2, 1}, {1, -1}, {1, 0}}, .blend = 0.2},
        {.count = 40, .blend = 0.1},
    };
    for (int i = 0; i < 40; i++)
        paths[2].elements[i] = (ib_PathElement){0.5, i % 3 == 0 ? 0 : i % 3 == 1 ? 3 : -2};
    for (int n = 0; n < 3; n++) {
        paths[n].end = IB_PATH_COAST;
        double length = ib_path_length(&paths[n]);
        static ib_BlendedPath blended;
        ib_blend_path(&paths[n], 0, &blended);
        ib_PathPoint drawn = ib_path_point(&paths[n], origin, length);
        ib_PathPoint end = follow(&blended, length, (int)(length / 5e-4));
        double dx = end.x - drawn.x, dy = end.y - drawn.y;
        assert_close(end.course, drawn.course, 1e-5);
        assert_close(sqrt(dx * dx + dy * dy), 0, 0.9e-3);
    }
}

// Goal: the root of the curvature has no jump and no kink worth speaking of. Method: its second
// difference over 0.1 mm stays below (change of root) * 60/length^2 * step^2: a quintic step with
// its hump bends by less than that, a kink would exceed it a hundredfold.
static void roots_of_curvature_are_smooth(void **state)
{
    (void)state;
    ib_PathConfig path = {.count = 4,
                          .elements = {{1, 0}, {1, 2}, {1, -1}, {1, 0}},
                          .blend = 0.1,
                          .end = IB_PATH_COAST};
    static ib_BlendedPath blended;
    ib_blend_path(&path, 0, &blended);
    double h = 1e-4, before = 0, now = 0;
    for (int i = 0; i < 40000; i++) {
        double k = ib_blend_curvature(&blended, i * h);
        double next = copysign(sqrt(fabs(k)), k);
        assert_true(fabs(next - 2 * now + before) <= 2.5 * 60 / 0.01 * h * h);
        before = now;
        now = next;
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blends_lead_where_the_path_leads),
        cmocka_unit_test(roots_of_curvature_are_smooth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
