// Claims about src/world/approach.c: when outlines meet.
#include "base/maths.h"
#include "cmocka_all.h"
#include "spread.h"
#include "stage.h"

static double draw(uint64_t stream, uint64_t index, double low, double high)
{
    return low + (high - low) * chance_uniform(11, stream, index);
}

// Bodies and movers on polynomials of time.
typedef struct Flight {
    int bodies, movers, calls;
    double c[2][3][5], m[3][2]; // body, coordinate, power; mover: value and speed
} Flight;

static void fly(const void *context, double t, ib_BodyState *bodies, ib_BodyState *movers)
{
    Flight *f = (Flight *)(uintptr_t)context;
    f->calls++;
    for (int i = 0; i < f->bodies; i++) {
        double p[3], v[3];
        for (int k = 0; k < 3; k++) {
            const double *c = f->c[i][k];
            p[k] = c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * c[4])));
            v[k] = c[1] + t * (2 * c[2] + t * (3 * c[3] + t * 4 * c[4]));
        }
        bodies[i] = (ib_BodyState){p[0], p[1], p[2], v[0], v[1], v[2]};
    }
    for (int i = 0; i < f->movers; i++)
        movers[i] = (ib_BodyState){f->m[0][0] + f->m[0][1] * t,
                                   f->m[1][0] + f->m[1][1] * t,
                                   f->m[2][0] + f->m[2][1] * t,
                                   f->m[0][1],
                                   f->m[1][1],
                                   f->m[2][1]};
}

static double gap_at(const ib_World *world, const Flight *flight, int pair, double t)
{
    ib_BodyState bodies[2], movers[1];
    fly(flight, t, bodies, movers);
    return ib_world_gap(world, pair, bodies, movers);
}

// A wall from y = -50 to 50 with its face at x = 0, in front of bodies at x < 0.
static ib_FieldConfig wall_field(double thickness)
{
    ib_FieldConfig field = ib_field_default();
    field.element_count = 1;
    field.elements[0] = ib_element_default(&field);
    field.elements[0].x = thickness / 2;
    field.elements[0].length = thickness;
    field.elements[0].width = 100;
    return field;
}

static ib_BodyConfig body(ib_Shape shape)
{
    return (ib_BodyConfig){.shape = shape, .restitution = 0.5, .friction = 0.5};
}

// Goal: a box that flies straight at a wall meets it at distance over speed. Method: speeds over
// five decades, a wall of 0.1 mm, so that most steps end far behind it.
static void straight_flight_meets_at_distance_over_speed(void **state)
{
    (void)state;
    ib_FieldConfig field = wall_field(1e-4);
    ib_BodyConfig box = body(ib_shape_box(0.8, 0.6));
    Stage stage;
    stage_set(&stage, &field, &box, 1);
    for (double speed = 0.1; speed < 2e4; speed *= 3) {
        Flight f = {.bodies = 1, .c = {{{-1.4, speed}, {3, 0.1}, {0}}}};
        ib_Course course = {30 / speed, fly, &f};
        ib_FirstContact first = stage_meet(&stage, &course);
        assert_int_equal(first.pair, 0);
        // 1e-9 m of gap are left.
        assert_close(first.t, 1 / speed, 1.01e-9 / speed);
        double gap = gap_at(stage.world, &f, 0, first.t);
        assert_true(gap > 0 && gap <= IB_CONTACT_GAP);
    }
    stage_end(&stage);
}

// Goal: a spinning rectangle meets a wall when its farthest corner does. Method: the corner's
// distance  -x - (a |cos| + b |sin|)  is written down here;
// first sign change in 100 000 samples, then bisection.
static void spinning_rectangle_meets_with_its_corner(void **state)
{
    (void)state;
    ib_FieldConfig field = wall_field(1);
    ib_BodyConfig box = body(ib_shape_box(0.8, 0.6));
    Stage stage;
    stage_set(&stage, &field, &box, 1);
    int met = 0;
    for (uint64_t i = 0; i < 60; i++) {
        double x0 = -draw(1, i, 0.51, 1.5), v = draw(2, i, -3, 30), w = draw(3, i, -60, 60);
        double th = draw(4, i, -3, 3), h = draw(5, i, 0.001, 0.1), low = 0, high = -1;
        Flight f = {.bodies = 1, .c = {{{x0, v}, {0}, {th, w}}}};
        ib_Course course = {h, fly, &f};
        ib_FirstContact first = stage_meet(&stage, &course);
        for (int k = 0; k <= 100000 && high < 0; k++) {
            double t = h * k / 100000, a = th + w * t;
            if (-(x0 + v * t) - 0.4 * fabs(ib_cos(a)) - 0.3 * fabs(ib_sin(a)) < 0)
                high = t;
            else
                low = t;
        }
        for (int k = 0; k < 60 && high > 0; k++) {
            double t = (low + high) / 2, a = th + w * t;
            if (-(x0 + v * t) - 0.4 * fabs(ib_cos(a)) - 0.3 * fabs(ib_sin(a)) < 0)
                high = t;
            else
                low = t;
        }
        assert_int_equal(first.pair, high > 0 ? 0 : -1);
        met += first.pair == 0;
        // The gap left closes at |v| + 0.5 |w| at most; a grazing corner takes its square root.
        if (high > 0) assert_true(first.t <= high && first.t > high - 1e-6);
        if (high > 0) assert_true(gap_at(stage.world, &f, 0, first.t) <= IB_CONTACT_GAP);
    }
    assert_true(met > 15 && met < 58);
    stage_end(&stage);
}

// Goal: two bodies on any quartic courses meet exactly when a fine search says so. Method: 200
// random courses, the gap sampled 4000 times.
static void random_courses_meet_where_a_fine_search_says(void **state)
{
    (void)state;
    ib_FieldConfig field = ib_field_default();
    int met = 0, missed = 0;
    for (uint64_t i = 0; i < 200; i++) {
        ib_BodyConfig pair[2] = {body(ib_shape_box(draw(1, i, 0.1, 1), draw(2, i, 0.1, 1))),
                                 body(ib_shape_disc(draw(3, i, 0.1, 0.5)))};
        if (i % 2) pair[1] = body(ib_shape_box(draw(4, i, 0.1, 1), draw(5, i, 0.1, 1)));
        Stage stage;
        stage_set(&stage, &field, pair, 2);
        double first_low = -1;
        Flight f = {.bodies = 2};
        for (uint64_t b = 0; b < 2; b++)
            for (uint64_t k = 0; k < 3; k++)
                for (uint64_t n = 0; n < 5; n++)
                    f.c[b][k][n] = draw(10 + b, 100 * i + 10 * k + n, -2, 2);
        // Every other pair is led past each other at half time.
        for (int k = 0; k < 2 && i % 4 < 2; k++)
            for (int n = 0; n < 5; n++)
                f.c[1][k][0] += (f.c[0][k][n] - f.c[1][k][n]) * (n ? ib_pow(0.5, n) : 1);
        if (gap_at(stage.world, &f, 0, 0) < 1e-3) {
            stage_end(&stage);
            continue;
        }
        ib_Course course = {1, fly, &f};
        ib_FirstContact first = stage_meet(&stage, &course);
        for (int k = 0; k <= 4000 && first_low < 0; k++)
            if (gap_at(stage.world, &f, 0, k / 4000.0) <= 0) first_low = k / 4000.0;
        if (first.pair >= 0) {
            double gap = gap_at(stage.world, &f, 0, first.t);
            assert_true(gap > 0 && gap <= IB_CONTACT_GAP);
            assert_true(first_low < 0 || first.t <= first_low);
            // It is the first: nothing touched before.
            for (int k = 0; k < 1000; k++)
                assert_true(gap_at(stage.world, &f, 0, first.t * k / 1000) > 0);
        } else {
            assert_true(first_low < 0);
        }
        met += first.pair >= 0;
        missed += first.pair < 0;
        stage_end(&stage);
    }
    assert_true(met > 40 && missed > 40);
}

// Goal: a gate that moves meets a robot that stands. Method: it comes at 2 m/s from 1 m.
static void moving_gate_meets_a_standing_robot(void **state)
{
    (void)state;
    ib_FieldConfig field = wall_field(0.1);
    static const ib_Time times[] = {0, IB_SECOND};
    static const double values[] = {0, -2};
    field.elements[0].move[IB_TRACK_X] = (ib_FieldTrack){2, times, values};
    ib_BodyConfig box = body(ib_shape_box(1, 1));
    Stage stage;
    stage_set(&stage, &field, &box, 1);
    assert_int_equal(stage.world->mover_count, 1);
    Flight f = {.bodies = 1, .movers = 1, .c = {{{-1.5}, {0}, {0}}}, .m = {{0, -2}}};
    ib_Course course = {1, fly, &f};
    ib_FirstContact first = stage_meet(&stage, &course);
    assert_int_equal(first.pair, 0);
    assert_close(first.t, 0.5, 1e-9);
    stage_end(&stage);
}

// Goal: a pair that touches is hit at once when it comes closer, never when it leaves, and is seen
// again when it comes back. Method: a box at the wall; leaving at 1 m/s and pulled back by 10 m/s^2
// it returns after 0.2 s.
static void touching_pairs_are_judged_by_their_motion(void **state)
{
    (void)state;
    ib_FieldConfig field = wall_field(1);
    ib_BodyConfig box = body(ib_shape_box(1, 1));
    Stage stage;
    stage_set(&stage, &field, &box, 1);
    Flight f = {.bodies = 1, .c = {{{-0.5, 0.0005}, {0}, {0}}}};
    ib_Course course = {1e-4, fly, &f};
    assert_close(stage_meet(&stage, &course).t, 0, 0);
    assert_int_equal(stage_meet(&stage, &course).pair, 0);
    f.c[0][0][1] = -1;
    assert_int_equal(stage_meet(&stage, &course).pair, -1);
    f.c[0][0][2] = 5;
    course.length = 1;
    // Back where it began and a nanometre deeper, at 1 m/s.
    assert_close(stage_meet(&stage, &course).t, 0.2, 3e-9);
    stage_end(&stage);
}

// Goal: pairs far apart cost two looks at the course. Method: count the calls with 14 elements.
static void far_pairs_need_the_two_ends_only(void **state)
{
    (void)state;
    ib_FieldConfig field = ib_field_default();
    ib_field_rectangle(&field, 0, 0, 16.4592, 8.2296);
    for (int i = 0; i < 10; i++) {
        ib_ElementConfig *e = &field.elements[field.element_count++];
        *e = ib_element_default(&field);
        e->x = 1 + 1.4 * i;
        e->y = i % 2 ? 1.5 : 6.5;
        e->length = e->width = 0.5;
        e->heading = 0.3 * i;
    }
    ib_BodyConfig box = body(ib_shape_box(0.8, 0.7));
    Stage stage;
    stage_set(&stage, &field, &box, 1);
    Flight f = {.bodies = 1, .c = {{{8, 4}, {4, 1}, {0.3, 2}}}};
    ib_Course course = {1e-3, fly, &f};
    assert_int_equal(stage.world->pair_count, 14);
    assert_int_equal(stage_meet(&stage, &course).pair, -1);
    assert_int_equal(f.calls, 2);
    stage_end(&stage);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_flight_meets_at_distance_over_speed),
        cmocka_unit_test(spinning_rectangle_meets_with_its_corner),
        cmocka_unit_test(random_courses_meet_where_a_fine_search_says),
        cmocka_unit_test(moving_gate_meets_a_standing_robot),
        cmocka_unit_test(touching_pairs_are_judged_by_their_motion),
        cmocka_unit_test(far_pairs_need_the_two_ends_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
