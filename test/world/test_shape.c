// Claims about src/world/shape.c.
#include "base/maths.h"
#include "cmocka_all.h"
#include "spread.h"
#include "world/shape.h"

#include <stdbool.h>

static double draw(uint64_t stream, uint64_t index, double low, double high)
{
    return low + (high - low) * chance_uniform(7, stream, index);
}

// A random rounded polygon with corners on an ellipse (hence convex), or a disc.
static ib_Shape random_shape(uint64_t i)
{
    int count = (int)draw(1, i, 2, 8.999);
    double radius = draw(2, i, 0, 1) < 0.5 ? 0 : draw(3, i, 0.01, 0.3);
    if (count == 2) return ib_shape_disc(radius + 0.05);
    double x[8], y[8], a = draw(4, i, 0.2, 1), b = draw(5, i, 0.2, 1);
    for (int k = 0; k < count; k++) {
        double angle = 2 * M_PI * (k + draw(6, 100 * i + (uint64_t)k, 0, 0.7)) / count;
        x[k] = a * ib_cos(angle);
        y[k] = b * ib_sin(angle);
    }
    ib_Shape shape;
    ib_Error error;
    if (ib_shape_polygon(count, x, y, radius, &shape, &error) != IB_OK) fail_msg("%s", error.text);
    return shape;
}

// min over a of n.x - max over b of n.x: how far apart they are along n.
static double along(const ib_Placed *a, const ib_Placed *b, double nx, double ny)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < a->count; i++) low = fmin(low, nx * a->x[i] + ny * a->y[i]);
    for (int i = 0; i < b->count; i++) high = fmax(high, nx * b->x[i] + ny * b->y[i]);
    return low - high - a->radius - b->radius;
}

// Goal: the gap is the largest separation over all directions, which is the distance of convex
// outlines and, negative, their least depth. Method: 500 random pairs; 2000 directions each, then
// the best one refined by golden section.
static void gap_is_the_largest_separation_over_all_directions(void **state)
{
    (void)state;
    int apart = 0, deep = 0;
    for (uint64_t i = 0; i < 500; i++) {
        ib_Shape one = random_shape(2 * i), two = random_shape(2 * i + 1);
        ib_Placed a, b;
        ib_shape_place(&one, draw(8, i, -2, 2), draw(9, i, -2, 2), draw(10, i, -9, 9), &a);
        ib_shape_place(&two, draw(11, i, -1, 1), draw(12, i, -1, 1), draw(13, i, -9, 9), &b);
        double best = -INFINITY, at = 0, step = 2 * M_PI / 2000;
        for (int k = 0; k < 2000; k++) {
            double s = along(&a, &b, ib_cos(k * step), ib_sin(k * step));
            if (s > best) at = k * step;
            best = fmax(best, s);
        }
        double low = at - step, high = at + step;
        for (int k = 0; k < 80; k++) {
            double p = low + 0.382 * (high - low), q = low + 0.618 * (high - low);
            double fp = along(&a, &b, ib_cos(p), ib_sin(p));
            double fq = along(&a, &b, ib_cos(q), ib_sin(q));
            best = fmax(best, fmax(fp, fq));
            if (fp < fq)
                low = p;
            else
                high = q;
        }
        ib_Separation s = ib_shape_separation(&a, &b);
        // Rounding of the search: a kink is found to its last digits, a maximum to half of them,
        // which is enough for the value. Deep inside several kinks compete and the grid of
        // directions may miss the best one by step^2.
        assert_close(s.gap, best, s.gap > 0 ? 1e-12 : 1e-5);
        assert_true(s.gap >= best - 1e-12);
        assert_close(along(&a, &b, s.nx, s.ny), s.gap, 1e-14);
        assert_close(s.nx * s.nx + s.ny * s.ny, 1, 1e-14);
        ib_Separation back = ib_shape_separation(&b, &a);
        assert_close(back.gap, s.gap, 2e-12);
        apart += s.gap > 0;
        deep += s.gap < 0;
    }
    assert_true(apart > 300 && deep > 60); // a quarter is deep; six standard deviations fewer
}

// Goal: who is within a distance is told by the separation, to the bit. Method: 2000 random pairs,
// apart and deep; as the distance their own gap and its two neighbours among the numbers.
static void within_means_a_gap_no_larger(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 2000; i++) {
        ib_Shape one = random_shape(2 * i), two = random_shape(2 * i + 1);
        ib_Placed a, b;
        ib_shape_place(&one, draw(8, i, -2, 2), draw(9, i, -2, 2), draw(10, i, -9, 9), &a);
        ib_shape_place(&two, draw(11, i, -1, 1), draw(12, i, -1, 1), draw(13, i, -9, 9), &b);
        double gap = ib_shape_separation(&a, &b).gap;
        assert_true(ib_shape_is_within(&a, &b, gap));
        assert_true(ib_shape_is_within(&a, &b, nextafter(gap, INFINITY)));
        assert_false(ib_shape_is_within(&a, &b, nextafter(gap, -INFINITY)));
    }
}

// Goal: the first contact point has the pair's gap, and lies on the outlines. Method: random pairs
// moved along the axis until they touch; the point is then within 1e-9 m of both.
static void contact_points_lie_on_both_outlines(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 500; i++) {
        ib_Shape one = random_shape(2 * i), two = random_shape(2 * i + 1);
        ib_Placed a, b;
        double x = draw(8, i, -2, 2), y = draw(9, i, -2, 2), heading = draw(10, i, -9, 9);
        ib_shape_place(&two, 0, 0, draw(13, i, -9, 9), &b);
        for (int k = 0; k < 60; k++) {
            ib_shape_place(&one, x, y, heading, &a);
            ib_Separation s = ib_shape_separation(&a, &b);
            x -= s.gap * s.nx;
            y -= s.gap * s.ny;
        }
        ib_shape_place(&one, x, y, heading, &a);
        ib_Manifold m = ib_shape_manifold(&a, &b);
        int nearer = m.count > 1 && m.contacts[1].gap < m.contacts[0].gap;
        assert_close(m.contacts[nearer].gap, 0, 1e-9);
        ib_Shape dot = ib_shape_disc(0);
        ib_Placed point;
        ib_shape_place(&dot, m.contacts[nearer].x, m.contacts[nearer].y, 0, &point);
        assert_close(ib_shape_separation(&point, &a).gap, 0, 1e-9);
        assert_close(ib_shape_separation(&point, &b).gap, 0, 1e-9);
    }
}

// Goal: a box flat on a box touches in the two ends of the common part. Method: by hand.
static void flat_boxes_touch_in_two_points(void **state)
{
    (void)state;
    ib_Shape one = ib_shape_box(2, 1), two = ib_shape_box(4, 1);
    ib_Placed a, b;
    ib_shape_place(&one, 1.5, 1, 0, &a); // x 0.5 .. 2.5 above x -2 .. 2
    ib_shape_place(&two, 0, 0, 0, &b);
    ib_Manifold m = ib_shape_manifold(&a, &b);
    assert_int_equal(m.count, 2);
    assert_close(m.nx, 0, 0);
    assert_close(m.ny, 1, 0);
    assert_close(fmin(m.contacts[0].x, m.contacts[1].x), 0.5, 1e-15);
    assert_close(fmax(m.contacts[0].x, m.contacts[1].x), 2, 1e-15);
    assert_close(m.contacts[0].y, 0.5, 0);
    assert_close(m.contacts[0].gap, 0, 0);
}

// Goal: boxes that lie flush and end together, but for rounding, are apart across their edges, also
// half a nanometre apart. Method: equal boxes at places along a row; the corners of one lie up to
// 1e-15 m beside those of the other. The axis keeps every corner outside but for rounding.
static void flush_boxes_part_across_their_edges(void **state)
{
    (void)state;
    ib_Shape box = ib_shape_box(0.4, 0.4);
    for (int i = 0; i < 2000; i++) {
        ib_Placed a, b;
        uint64_t n = (uint64_t)i;
        double x = draw(21, n, 0, 5), gap = draw(22, n, 1e-11, 1e-9);
        ib_shape_place(&box, x, 1, draw(23, n, -1e-15, 1e-15), &b);
        ib_shape_place(&box, x + 0.4 + gap, 1 + draw(24, n, -1e-15, 1e-15), 0, &a);
        ib_Separation axis = ib_shape_separation(&a, &b);
        assert_close(axis.gap, gap, 1e-11);
        assert_close(along(&a, &b, axis.nx, axis.ny), gap, 1e-11);
    }
}

// Goal: what just touches has no gap, whatever rounding says of it. Method: boxes anywhere and
// turned anyhow, one with a corner on an edge of the other, and with an edge along it.
static void what_just_touches_has_no_gap(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        double l = draw(10, i, 0.02, 1.5), w = draw(11, i, 0.02, 1.5), h = draw(12, i, -4, 4);
        double L = draw(13, i, 0.02, 1.5), W = draw(14, i, 0.02, 1.5), reach = draw(15, i, 0, 1);
        double x = draw(16, i, -5, 5), y = draw(17, i, -5, 5), s, c, ts, tc;
        double turn = i % 3 == 0 ? 0 : i % 3 == 1 ? 1e-9 * draw(18, i, -1, 1) : draw(18, i, 0, 1.5);
        ib_Shape one = ib_shape_box(l, w), two = ib_shape_box(L, W);
        ib_Placed a, b;
        // The left end of the second stands on the right end of the first: with its upper corner,
        // or with the lower one where it is turned the other way.
        ib_sincos(h, &s, &c);
        ib_sincos(turn, &ts, &tc);
        double up = turn < 0 ? -W / 2 : W / 2;
        double ox = l / 2 + tc * L / 2 + ts * up, oy = w * (reach - 0.5) + ts * L / 2 - tc * up;
        if (turn == 0 && W > w) oy = (W - w) * (reach - 0.5); // beyond both ends of the edge
        ib_shape_place(&one, x, y, h, &a);
        bool across = turn == 0 && i % 2; // the same, with other roundings
        if (across) two = ib_shape_box(W, L);
        ib_shape_place(&two, x + c * ox - s * oy, y + s * ox + c * oy,
                       h + (across ? M_PI / 2 : turn), &b);
        assert_close(ib_shape_separation(&a, &b).gap, 0, 1e-12);
        assert_close(ib_shape_separation(&b, &a).gap, 0, 1e-12);
    }
}

// Goal: what is no convex polygon is refused with the reason. Method: one of each kind.
static void bad_polygons_are_refused(void **state)
{
    (void)state;
    ib_Shape shape;
    ib_Error error;
    double arrow_x[] = {0, 2, 2, 1}, arrow_y[] = {0, 0, 2, 0.5};
    assert_int_equal(ib_shape_polygon(4, arrow_x, arrow_y, 0, &shape, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "not convex"));
    double line_x[] = {0, 1, 2}, line_y[] = {0, 1, 2};
    assert_int_equal(ib_shape_polygon(3, line_x, line_y, 0, &shape, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "one line"));
    double same_x[] = {0, 1, 1, 0}, same_y[] = {0, 0, 0, 1};
    assert_int_equal(ib_shape_polygon(4, same_x, same_y, 0, &shape, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "coincide"));
    double star_x[] = {0, 2, 0, 1, 1}, star_y[] = {0, 1, 1, -0.5, 2};
    assert_int_equal(ib_shape_polygon(5, star_x, star_y, 0, &shape, &error), IB_BAD_INPUT);
    assert_int_equal(ib_shape_polygon(2, line_x, line_y, 0, &shape, &error), IB_BAD_INPUT);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gap_is_the_largest_separation_over_all_directions),
        cmocka_unit_test(within_means_a_gap_no_larger),
        cmocka_unit_test(contact_points_lie_on_both_outlines),
        cmocka_unit_test(flat_boxes_touch_in_two_points),
        cmocka_unit_test(flush_boxes_part_across_their_edges),
        cmocka_unit_test(what_just_touches_has_no_gap),
        cmocka_unit_test(bad_polygons_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
