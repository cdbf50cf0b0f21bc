// test/control/test_polytope.c: the rule of polytope goals: in the region, on the line,
// near the dot.
#include "cmocka_all.h"

#include "claims/control/control_reference.h"
#include "control/polytope_goals.h"

#include <string.h>

static ib_PolytopeOutcome in_plane(const Goal *g, double *q)
{
    return ib_polytope2_coerce(g->sides, g->H, g->k, g->K, g->w[0], g->dot, q);
}

static ib_PolytopeOutcome in_general(const Goal *g, double *q)
{
    return ib_polytope_coerce(g->axes, g->sides, g->H, g->k, g->rows, g->K, g->w, g->dot, q);
}

// -------------------------------------------------------------------------------- shapes and cases

typedef struct Shape {
    int sides;
    double H[10], k[5];
} Shape;

static const Shape whole_plane = {0, {0}, {0}}, zero_row = {1, {0, 0}, {0}},
                   no_end = {1, {1, 1}, {INFINITY}};
static const Shape half_plane = {1, {1, 0}, {1}}, strip = {2, {2, 0, -1, 0}, {2, 0}};
static const Shape wedge = {2, {1, 0, 0, 1}, {3, 2}}, trough = {3, {0, -1, 1, 1, 1, -1}, {0, 4, 2}};
// A roof that falls by 1 um/m to the right, cut off by a wall: its ridge is known to all digits.
static const Shape roof = {2, {1e-6, 1, -1, 0}, {1, -0.3}};
static const Shape segment = {4, {4, -3, -4, 3, 3, 4, -3, -4}, {0, 0, 25, 0}}; ///< (0, 0) to (3, 4)
// The same with sides that contradict each other by 4e-17, as rounding leaves them.
static const Shape rounded_off = {4, {4, -3, -4, 3, 3, 4, -3, -4}, {-1e-16, -1e-16, 25, 0}};
// (1, 2) by three half-planes, and a fourth that touches it.
static const Shape one_point = {4, {1, 0, 0, 1, -1, -1, 1, 1}, {1, 2, -3, 3}};
// (0, 1)^2 with a side that touches a corner, and with a side twice.
static const Shape touched = {5, {0, -1, 1, 0, 1, 1, 0, 2, -1, 0}, {0, 1, 2, 2, 0}};
static const Shape twice = {5, {1, 0, 1, 0, -1, 0, 0, 1, 0, -1}, {1, 1, 0, 1, 0}};
static const Shape nothing = {2, {1, 0, -1, 0}, {0, -1}};

#define ON  IB_POLYTOPE_OK
#define OFF IB_POLYTOPE_OFF_LINE

typedef struct Case {
    const Shape *region;
    double K[2], w, dot[2], answer[2];
    ib_PolytopeOutcome outcome;
} Case;

// Both forms answer as expected: to 1e-12, since all answers are a few operations away from whole
// numbers; what has no answer leaves it alone.
static void check_cases(int count, const Case *c)
{
    for (int i = 0; i < count; i++, c++) {
        const Shape *r = c->region;
        double q[2][2] = {{7, 7}, {7, 7}};
        assert_int_equal(ib_polytope2_coerce(r->sides, r->H, r->k, c->K, c->w, c->dot, q[0]),
                         c->outcome);
        assert_int_equal(ib_polytope_coerce(2, r->sides, r->H, r->k, 1, c->K, &c->w, c->dot, q[1]),
                         c->outcome);
        for (int j = 0; j < 4; j++) {
            bool answered = c->outcome <= IB_POLYTOPE_OFF_LINE;
            assert_close(q[j / 2][j % 2], answered ? c->answer[j % 2] : 7, 1e-12);
        }
    }
}

// Goal: both forms give the reference's answers. Method: its table D4, row by row.
static void all_printed_cases_are_answered_by_the_rule_of_the_text(void **state)
{
    (void)state;
    for (int i = 0; i < IB__GOAL_CASES; i++) {
        const ib__GoalCase *row = &ib__goal_cases[i];
        Shape region = {.sides = 4};
        memcpy(region.H, row->H, sizeof row->H);
        memcpy(region.k, row->k, sizeof row->k);
        Case printed = {.region = &region, .w = row->w, .outcome = row->on_line ? ON : OFF};
        memcpy(printed.K, row->K, sizeof row->K);
        memcpy(printed.dot, row->dot, sizeof row->dot);
        memcpy(printed.answer, row->answer, sizeof row->answer);
        check_cases(1, &printed);
    }
}

// Goal: regions without an inside, an end or a limit obey the rule. Method: by hand.
static void regions_may_be_thin_open_or_the_whole_plane(void **state)
{
    (void)state;
    static const Case cases[] = {
        // No limit at all: the foot of the dot on the line.
        {&whole_plane, {1, 1}, 2, {3, 1}, {2, 0}, ON},
        {&zero_row, {1, 1}, 2, {3, 1}, {2, 0}, ON},
        {&no_end, {1, 1}, 2, {3, 1}, {2, 0}, ON},
        // A line beside a half-plane or a strip is as near everywhere; one across is cut.
        {&half_plane, {1, 0}, 5, {9, 7}, {1, 7}, OFF},
        {&half_plane, {0, 3}, 6, {9, 7}, {1, 2}, ON},
        {&strip, {1, 0}, -3, {9, 7}, {0, 7}, OFF},
        {&wedge, {1, 1}, 9, {9, 7}, {3, 2}, OFF},
        {&trough, {1, 0}, 4, {9, 0}, {3, 1}, OFF},
        {&roof, {0, 1}, 5, {10, 5}, {0.3, 0.9999997}, OFF},
        // Beside a segment: its end, or the foot of the dot; across: where they meet.
        {&segment, {4, -3}, 5, {9, 0}, {3, 4}, OFF},
        {&segment, {4, -3}, 5, {2, 1}, {1.2, 1.6}, OFF},
        {&segment, {1, 0}, 1.5, {9, 9}, {1.5, 2}, ON},
        {&rounded_off, {1, 0}, 1.5, {9, 9}, {1.5, 2}, ON},
        {&rounded_off, {4, -3}, 5, {2, 1}, {1.2, 1.6}, OFF},
        {&one_point, {1, 0}, 0, {9, 9}, {1, 2}, OFF},
        {&one_point, {1, 0}, 1, {9, 9}, {1, 2}, ON},
        {&twice, {0, 1}, 2, {0.5, 0}, {0.5, 1}, OFF},
        {&touched, {1, 1}, 2, {0, 9}, {1, 1}, ON},
    };
    check_cases((int)(sizeof cases / sizeof cases[0]), cases);
}

// Goal: what has no answer is refused by name. Method: one of each, and the texts.
static void what_has_no_answer_is_named(void **state)
{
    (void)state;
    static const Shape outside_all = {1, {0, 0}, {-1}}, below_all = {1, {1, 0}, {-INFINITY}};
    static const Shape nan_row = {1, {NAN, 0}, {1}}, nan_right = {1, {1, 0}, {NAN}};
    static const Shape endless_row = {1, {INFINITY, 0}, {1}};
    static const Shape many = {SIDES + 1, {0}, {0}}, negative = {-1, {0}, {0}};
    static const Case cases[] = {
        {&nothing, {1, 0}, 0.5, {0, 0}, {0, 0}, IB_POLYTOPE_EMPTY},
        {&nothing, {0, 1}, 0.5, {0, 0}, {0, 0}, IB_POLYTOPE_EMPTY},
        {&outside_all, {0, 1}, 0.5, {0, 0}, {0, 0}, IB_POLYTOPE_EMPTY},
        {&below_all, {0, 1}, 0.5, {0, 0}, {0, 0}, IB_POLYTOPE_EMPTY},
        {&strip, {0, 0}, 0, {0, 0}, {0, 0}, IB_POLYTOPE_NO_LINE},
        {&nan_row, {1, 0}, 0, {0, 0}, {0, 0}, IB_POLYTOPE_NOT_FINITE},
        {&nan_right, {1, 0}, 0, {0, 0}, {0, 0}, IB_POLYTOPE_NOT_FINITE},
        {&endless_row, {1, 0}, 0, {0, 0}, {0, 0}, IB_POLYTOPE_NOT_FINITE},
        {&strip, {1, INFINITY}, 0, {0, 0}, {0, 0}, IB_POLYTOPE_NOT_FINITE},
        {&strip, {1, 0}, NAN, {0, 0}, {0, 0}, IB_POLYTOPE_NOT_FINITE},
        {&strip, {1, 0}, 0, {0, -INFINITY}, {0, 0}, IB_POLYTOPE_NOT_FINITE},
        {&many, {1, 0}, 0, {0, 0}, {0, 0}, IB_POLYTOPE_TOO_LARGE},
        {&negative, {1, 0}, 0, {0, 0}, {0, 0}, IB_POLYTOPE_TOO_LARGE},
    };
    check_cases((int)(sizeof cases / sizeof cases[0]), cases);

    // Rows that repeat each other are one row; rows that contradict each other are none.
    const double K[4] = {1, 1, 2, 2}, agree[2] = {2, 4}, differ[2] = {2, 5}, dot[2] = {3, 1};
    double q[2];
    assert_int_equal(ib_polytope_coerce(2, 0, NULL, NULL, 2, K, agree, dot, q), IB_POLYTOPE_OK);
    assert_close(q[0], 2, 1e-15);
    assert_int_equal(ib_polytope_coerce(2, 0, NULL, NULL, 2, K, differ, dot, q),
                     IB_POLYTOPE_NO_LINE);
    assert_int_equal(ib_polytope_coerce(7, 0, NULL, NULL, 0, NULL, NULL, dot, q),
                     IB_POLYTOPE_TOO_LARGE);
    assert_non_null(strstr(ib_polytope_outcome_text(IB_POLYTOPE_EMPTY), "empty"));
    assert_non_null(strstr(ib_polytope_outcome_text(IB_POLYTOPE_NO_LINE), "line"));
}

// ------------------------------------------------------------------------------------ random cases

// Goal: the closed form and the active-set method are the same rule. Method: 100 000 cases of five
// kinds with a fixed seed. The answers may differ by rounding, 1e-16, divided by the sine between
// two sides: the sharpest of so many corners has about 1e-5, hence 1e-9 of the answer's size.
static void closed_form_and_active_sets_agree(void **state)
{
    (void)state;
    enum { CASES = IB_ROUNDS(100000, 20000) };
    int seen[5][IB_POLYTOPE_UNSOLVED + 1] = {{0}};
    drawn = 0;
    for (int n = 0; n < CASES; n++) {
        Goal g = make(n % 5);
        double plane[2] = {0}, general[2] = {0};
        ib_PolytopeOutcome outcome = in_plane(&g, plane);
        seen[n % 5][outcome]++;
        assert_int_equal(in_general(&g, general), outcome);
        double size = 1 + fabs(plane[0]) + fabs(plane[1]);
        for (int j = 0; j < 2; j++) assert_close(general[j], plane[j], 1e-9 * size);
    }
    // All that can happen did: also empty regions, and none where none can be.
    for (int kind = 0; kind < 4; kind++)
        assert_true(seen[kind][IB_POLYTOPE_OK] > CASES / 100 &&
                    seen[kind][IB_POLYTOPE_OFF_LINE] > CASES / 100);
    assert_true(seen[0][IB_POLYTOPE_EMPTY] > CASES / 200);
    assert_true(seen[1][IB_POLYTOPE_EMPTY] > CASES / 50);
    assert_int_equal(seen[2][IB_POLYTOPE_EMPTY] + seen[3][IB_POLYTOPE_EMPTY], 0);
    assert_int_equal(seen[4][IB_POLYTOPE_OK], CASES / 5);
}

// -------------------------------------------------------------------------------------- optimality

// The largest amount by which q leaves the region; rows are taken at unit length.
static double excess(const Goal *g, const double *q)
{
    double worst = 0;
    for (int i = 0; i < g->sides; i++) {
        const double *row = &g->H[g->axes * i];
        double over = dot_product(g->axes, row, q) - g->k[i];
        double size = sqrt(dot_product(g->axes, row, row));
        if (size > 0) worst = fmax(worst, over / size);
    }
    return worst;
}

// Distances of a point of the plane from line and dot.
static void distances(const Goal *g, const double *q, double *line, double *dot)
{
    *line = fabs(dot_product(2, g->K, q) - g->w[0]) / sqrt(dot_product(2, g->K, g->K));
    *dot = sqrt((q[0] - g->dot[0]) * (q[0] - g->dot[0]) + (q[1] - g->dot[1]) * (q[1] - g->dot[1]));
}

// Goal: no point of the region is better than the answer. Method: a grid of 41 x 41 points over
// (-4, 4)^2 for 300 regions of each kind, and 33 points along the line: each that lies in the
// region must be no nearer to the line (to 1e-9, rounding at sharp corners) and, when as near, no
// nearer to the dot.
static void no_other_point_of_the_region_is_better(void **state)
{
    (void)state;
    drawn = 1u << 24;
    for (int n = 0; n < IB_ROUNDS(1500, 150); n++) {
        Goal g = make(n % 5);
        double q[2], line, dot, other_line, other_dot;
        if (in_plane(&g, q) > IB_POLYTOPE_OFF_LINE) continue;
        double size = 1 + fabs(q[0]) + fabs(q[1]);
        assert_true(excess(&g, q) <= 1e-11 * size);
        distances(&g, q, &line, &dot);
        double K2 = dot_product(2, g.K, g.K);
        for (int i = 0; i < 41 * 41 + 33; i++) {
            double t = (i - 41 * 41) * 0.25 - 4;
            double p[2] = {i / 41 * 0.2 - 4, i % 41 * 0.2 - 4};
            if (i >= 41 * 41) {
                p[0] = g.w[0] * g.K[0] / K2 - t * g.K[1] / sqrt(K2);
                p[1] = g.w[0] * g.K[1] / K2 + t * g.K[0] / sqrt(K2);
            }
            if (excess(&g, p) > 0) continue;
            distances(&g, p, &other_line, &other_dot);
            assert_true(other_line >= line - 1e-9 * size);
            if (other_line <= line) assert_true(other_dot >= dot - 1e-9 * size);
        }
    }
}

// v without what it has along so many orthonormal rows; twice, for the rounding of the first time.
static void leave_rows(int n, int count, double (*u)[AXES], double *v)
{
    for (int j = 0; j < 2 * count; j++) {
        double share = dot_product(n, u[j % count], v);
        for (int i = 0; i < n; i++) v[i] -= share * u[j % count][i];
    }
}

// The point of {A q = b} nearest to the affine set, and of these nearest to the dot: from the dot
// to {A q = b}, one equation after the other, and on by conjugate gradients. These move only where
// |K q - w| changes, at right angles to the set of nearest points, and end after as many steps as
// there are rows; as many again take off what rounding left. A slope of 1e-13 is rounding: the face
// is parallel to the affine set. False: A has dependent rows.
static bool best_of_face(const Goal *g, int count, const int *face, double *q)
{
    int n = g->axes;
    double u[AXES][AXES], way[AXES] = {0}, before = INFINITY;
    for (int i = 0; i < n; i++) q[i] = g->dot[i];
    for (int c = 0; c < count; c++) {
        const double *row = &g->H[face[c] * n];
        for (int i = 0; i < n; i++) u[c][i] = row[i];
        leave_rows(n, c, u, u[c]);
        double size = sqrt(dot_product(n, u[c], u[c]));
        if (size < 1e-9) return false;
        for (int i = 0; i < n; i++) u[c][i] /= size;
        double off = (g->k[face[c]] - dot_product(n, row, q)) / size;
        for (int i = 0; i < n; i++) q[i] += off * u[c][i];
    }
    for (int step = 0; step < 2 * g->rows; step++) {
        double slope[AXES] = {0}, square = 0;
        for (int r = 0; r < g->rows; r++) {
            const double *row = &g->K[r * n];
            double off = g->w[r] - dot_product(n, row, q);
            for (int i = 0; i < n; i++) slope[i] += off * row[i];
        }
        leave_rows(n, count, u, slope);
        double size2 = dot_product(n, slope, slope);
        if (size2 < 1e-26) break;
        bool anew = step % g->rows == 0;
        for (int i = 0; i < n; i++) way[i] = slope[i] + (anew ? 0 : size2 / before * way[i]);
        for (int r = 0; r < g->rows; r++) {
            double along = dot_product(n, &g->K[r * n], way);
            square += along * along;
        }
        for (int i = 0; i < n; i++) q[i] += size2 / square * way[i];
        before = size2;
    }
    return true;
}

// The rule by trying all faces: the answer is the best point of the smallest face it lies on. In
// the region, and as near as another: to 1e-10 and 1e-11, far above rounding; of draws that come
// nearer without being so there is one in a million.
// Returns false for an empty region.
static bool try_all_faces(const Goal *g, double *best)
{
    double best_line = INFINITY, best_dot = INFINITY;
    for (unsigned set = 0; set < 1u << g->sides; set++) {
        int face[SIDES], count = 0;
        for (int i = 0; i < g->sides; i++)
            if (set >> i & 1 && count <= g->axes) face[count++] = i;
        double q[AXES], line = 0, dot = 0;
        if (count > g->axes || !best_of_face(g, count, face, q) || excess(g, q) > 1e-10) continue;
        for (int r = 0; r < g->rows; r++) {
            double off = dot_product(g->axes, &g->K[r * g->axes], q) - g->w[r];
            line += off * off;
        }
        line = sqrt(line);
        for (int i = 0; i < g->axes; i++) dot += (q[i] - g->dot[i]) * (q[i] - g->dot[i]);
        bool tie = fabs(line - best_line) <= 1e-11 * (1 + line);
        if (tie ? dot >= best_dot : line > best_line) continue;
        best_line = line, best_dot = dot;
        for (int i = 0; i < g->axes; i++) best[i] = q[i];
    }
    return best_line < INFINITY;
}

// Orthonormal rows, which is what makes |K q - w| a distance.
static void make_rows(Goal *g)
{
    int n = g->axes;
    for (int r = 0; r < g->rows; r++) {
        double *row = &g->K[r * n];
        fill(row, n, -1, 1);
        for (int j = 0; j < 2 * r; j++) {
            double share = dot_product(n, row, &g->K[j / 2 * n]);
            for (int i = 0; i < n; i++) row[i] -= share * g->K[j / 2 * n + i];
        }
        double size = sqrt(dot_product(n, row, row));
        for (int i = 0; i < n; i++) row[i] /= size;
        g->w[r] = uniform(-2, 2);
    }
}

// Goal: the rule holds for points, lines, planes in three and four dimensions. Method: 400 regions
// of 6 or 7 half-spaces, half of them with whole numbers (parallels, several sides through one
// corner, a box), against the search of all faces; 1e-9 of the answer's size as in the plane.
static void active_sets_find_what_a_search_of_all_faces_finds(void **state)
{
    (void)state;
    drawn = 1u << 25;
    int done = 0;
    for (int n = 0; n < 400; n++) {
        Goal g = {.axes = 3 + n % 2, .sides = 6 + n / 2 % 2, .rows = n / 4 % 3};
        bool rounded = n / 12 % 2;
        for (int i = 0; i < g.sides * g.axes; i++) g.H[i] = rounded ? whole(-1, 1) : uniform(-1, 1);
        fill(g.k, g.sides, -0.3, 1.5);
        for (int i = 0; i < g.sides && rounded; i++) g.k[i] = whole(0, 2);
        fill(g.dot, g.axes, -4, 4);
        make_rows(&g);
        // A line that is parallel to a side: whole faces tie.
        for (int i = 0; i < g.axes && rounded && g.rows > 0; i++) g.K[i] = i == 0;
        g.rows = rounded && g.rows > 1 ? 1 : g.rows;

        double q[AXES] = {0}, expected[AXES] = {0};
        bool exists = try_all_faces(&g, expected);
        assert_int_equal(in_general(&g, q) <= IB_POLYTOPE_OFF_LINE, exists);
        double size = 1;
        for (int i = 0; i < g.axes; i++) size += fabs(expected[i]);
        for (int i = 0; i < g.axes && exists; i++) assert_close(q[i], expected[i], 1e-9 * size);
        done += exists;
    }
    assert_true(done > 300);
}

// Goal: six dimensions and 32 half-spaces work. Method: q is nearest to N q = c exactly if
//   (c - N q) (N y - N q) <= 0   for all y of the region,
// and, without rows, (dot - q)(y - q) <= 0. Checked with 300 points y on the region's surface: from
// the origin, which is inside, in random directions. 1e-9: rounding at corners of 6 sides.
static void six_dimensions_and_32_sides_are_solved(void **state)
{
    (void)state;
    drawn = 1u << 26;
    for (int n = 0; n < 300; n++) {
        Goal g = {.axes = 6, .sides = 32, .rows = n % 4};
        double q[6], y[6], toward[6] = {0};
        fill(g.H, 32 * 6, -1, 1);
        fill(g.k, 32, 0.1, 1);
        fill(g.dot, 6, -4, 4);
        make_rows(&g);
        ib_PolytopeOutcome outcome = in_general(&g, q);
        assert_true(outcome <= IB_POLYTOPE_OFF_LINE);
        assert_true(excess(&g, q) <= 1e-11);
        for (int i = 0; i < 6 && g.rows == 0; i++) toward[i] = g.dot[i] - q[i];
        for (int r = 0; r < g.rows; r++) {
            double off = g.w[r] - dot_product(6, &g.K[6 * r], q);
            if (outcome == IB_POLYTOPE_OK) assert_close(off, 0, 1e-11);
            for (int i = 0; i < 6; i++) toward[i] += off * g.K[6 * r + i];
        }
        for (int sample = 0; sample < 300; sample++) {
            double reach = 1e3;
            fill(y, 6, -1, 1);
            for (int i = 0; i < 32; i++) {
                double speed = dot_product(6, &g.H[6 * i], y);
                if (speed > 0) reach = fmin(reach, g.k[i] / speed);
            }
            for (int i = 0; i < 6; i++) y[i] *= reach;
            assert_true(dot_product(6, toward, y) - dot_product(6, toward, q) <= 1e-9 * reach);
        }
    }
}

// Goal: an answer does not depend on how long the rows are, nor on the unit. Method: rows and right
// sides times powers of two, to the ends of the range; the same bits. All lengths times 2^40: 2^40
// times the answer, the same bits too, since nothing is compared with an absolute number.
static void lengths_of_rows_and_units_do_not_matter(void **state)
{
    (void)state;
    static const double scales[4] = {0x1p-900, 0x1p-3, 0x1p7, 0x1p900};
    drawn = 1u << 27;
    for (int n = 0; n < 2000; n++) {
        Goal g = make(n % 5), scaled = g, far = g;
        for (int i = 0; i < g.sides; i++) {
            double s = scales[(n + i) % 4];
            scaled.H[2 * i] *= s, scaled.H[2 * i + 1] *= s, scaled.k[i] *= s;
            far.k[i] *= 0x1p40;
        }
        for (int i = 0; i < 2; i++) scaled.K[i] *= scales[n % 4], far.dot[i] *= 0x1p40;
        scaled.w[0] *= scales[n % 4], far.w[0] *= 0x1p40;
        double q[2] = {0}, q_scaled[2] = {0}, q_far[2] = {0};
        ib_PolytopeOutcome outcome = in_plane(&g, q);
        assert_int_equal(in_plane(&scaled, q_scaled), outcome);
        assert_int_equal(in_plane(&far, q_far), outcome);
        for (int i = 0; i < 2; i++) assert_true(q[i] == q_scaled[i] && q_far[i] == q[i] * 0x1p40);
    }
}

// -------------------------------------------------------------------------- corners, hulls, chords

// Goal: corners come counter-clockwise, without those that are none. Method: by hand.
static void corners_are_listed_counter_clockwise(void **state)
{
    (void)state;
    static const struct {
        const Shape *region;
        int count;
        bool bounded;
        double vertices[8];
    } cases[] = {
        {&touched, 4, true, {1, 0, 1, 1, 0, 1, 0, 0}},
        {&twice, 4, true, {1, 0, 1, 1, 0, 1, 0, 0}},
        {&trough, 2, false, {2, 0, 3, 1}},
        {&wedge, 1, false, {3, 2}},
        {&segment, 2, true, {3, 4, 0, 0}},
        {&one_point, 1, true, {1, 2}},
        {&strip, 0, false, {0}},
        {&whole_plane, 0, false, {0}},
    };
    double v[2 * SIDES];
    int count;
    bool bounded;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Shape *r = cases[i].region;
        assert_int_equal(ib_polytope2_vertices(r->sides, r->H, r->k, v, &count, &bounded),
                         IB_POLYTOPE_OK);
        assert_int_equal(count, cases[i].count);
        assert_int_equal(bounded, cases[i].bounded);
        for (int j = 0; j < 2 * count; j++) assert_close(v[j], cases[i].vertices[j], 1e-12);
    }
    assert_int_equal(ib_polytope2_vertices(2, nothing.H, nothing.k, v, &count, &bounded),
                     IB_POLYTOPE_EMPTY);
}

// Goal: a segment from the origin has two corners, in whatever direction it runs. Method: to all
// points (x, y) of whole numbers up to 20. One corner is that point, the other one is the origin,
// both to 1e-12 of the segment's length: rounding makes two points of a corner at the origin.
static void a_segment_from_the_origin_has_two_corners(void **state)
{
    (void)state;
    for (int n = 0; n < 41 * 41; n++) {
        double p[4] = {n % 41 - 20, n / 41 - 20}, H[8], k[4], v[8];
        int sides, count;
        bool bounded;
        if (p[0] == 0.0 && p[1] == 0.0) continue;
        assert_int_equal(ib_polytope2_hull(2, p, &sides, H, k), IB_POLYTOPE_OK);
        assert_int_equal(ib_polytope2_vertices(sides, H, k, v, &count, &bounded), IB_POLYTOPE_OK);
        assert_true(bounded);
        assert_int_equal(count, 2);
        double length = fabs(p[0]) + fabs(p[1]);
        int far = fabs(v[0]) + fabs(v[1]) > 0.5 * length ? 0 : 2;
        for (int i = 0; i < 2; i++) {
            assert_close(v[far + i], p[i], 1e-12 * length);
            assert_close(v[2 - far + i], 0.0, 1e-12 * length);
        }
    }
}

// Goal: a region is the hull of its corners, and a hull holds all its points. Method: 2000 sets of
// points, half of them on a grid of whole numbers (repeated, in line): every point lies in every
// half-plane, every corner is one of the points (1e-9: corners of sides in nearly one line), and
// the hull of the corners has as many sides, through the same corners.
static void regions_and_their_corners_give_each_other(void **state)
{
    (void)state;
    drawn = 1u << 28;
    for (int n = 0; n < 2000; n++) {
        double p[2 * 20], H[2 * SIDES], k[SIDES], v[2 * SIDES], again[2 * SIDES];
        int points = 1 + n % 20, sides, count, second;
        bool bounded;
        for (int i = 0; i < 2 * points; i++) p[i] = n % 2 ? uniform(-3, 3) : whole(-3, 3);
        assert_int_equal(ib_polytope2_hull(points, p, &sides, H, k), IB_POLYTOPE_OK);
        for (int i = 0; i < sides * points; i++)
            assert_true(dot_product(2, &H[2 * (i % sides)], &p[2 * (i / sides)]) <= k[i % sides]);
        assert_int_equal(ib_polytope2_vertices(sides, H, k, v, &count, &bounded), IB_POLYTOPE_OK);
        assert_true(bounded && (count > 2 ? count == sides : sides == 4));
        for (int i = 0; i < count; i++) {
            double nearest = INFINITY;
            for (int j = 0; j < points; j++)
                nearest =
                    fmin(nearest, fabs(v[2 * i] - p[2 * j]) + fabs(v[2 * i + 1] - p[2 * j + 1]));
            assert_true(nearest <= 1e-9);
        }
        assert_int_equal(ib_polytope2_hull(count, v, &sides, H, k), IB_POLYTOPE_OK);
        assert_int_equal(ib_polytope2_vertices(sides, H, k, again, &second, &bounded),
                         IB_POLYTOPE_OK);
        assert_int_equal(second, count);
    }
    int sides;
    double H[8], k[4], bad[2] = {NAN, 0};
    assert_int_equal(ib_polytope2_hull(0, bad, &sides, H, k), IB_POLYTOPE_EMPTY);
    assert_int_equal(ib_polytope2_hull(1, bad, &sides, H, k), IB_POLYTOPE_NOT_FINITE);
    assert_int_equal(ib_polytope2_hull(SIDES + 1, bad, &sides, H, k), IB_POLYTOPE_TOO_LARGE);
}

// Goal: a chord is what the region leaves of the line. Method: 3 x + 4 y = 5 and the square
// |x|, |y| <= 2: from (13/3, -2), cut at x = 2 to (2, -1/4), to (-1, 2);
// open where nothing ends it.
static void chords_end_where_the_line_leaves(void **state)
{
    (void)state;
    const double H[8] = {1, 0, -1, 0, 0, 1, 0, -1}, k[4] = {2, 2, 2, 2}, K[2] = {3, 4};
    ib_PolytopeChord c;
    assert_int_equal(ib_polytope2_chord(4, H, k, K, 5, &c), IB_POLYTOPE_OK);
    assert_close(c.foot[0] + c.low * c.along[0], 2, 1e-15);
    assert_close(c.foot[1] + c.low * c.along[1], -0.25, 1e-15);
    assert_close(c.foot[0] + c.high * c.along[0], -1, 1e-15);
    assert_close(c.foot[1] + c.high * c.along[1], 2, 1e-15);
    assert_int_equal(ib_polytope2_chord(1, H, k, K, 5, &c), IB_POLYTOPE_OK);
    assert_true(c.high == INFINITY && isfinite(c.low));
    assert_int_equal(ib_polytope2_chord(4, H, k, K, 15, &c), IB_POLYTOPE_OFF_LINE);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_printed_cases_are_answered_by_the_rule_of_the_text),
        cmocka_unit_test(closed_form_and_active_sets_agree),
        cmocka_unit_test(no_other_point_of_the_region_is_better),
        cmocka_unit_test(active_sets_find_what_a_search_of_all_faces_finds),
        cmocka_unit_test(six_dimensions_and_32_sides_are_solved),
        cmocka_unit_test(regions_may_be_thin_open_or_the_whole_plane),
        cmocka_unit_test(lengths_of_rows_and_units_do_not_matter),
        cmocka_unit_test(what_has_no_answer_is_named),
        cmocka_unit_test(corners_are_listed_counter_clockwise),
        cmocka_unit_test(a_segment_from_the_origin_has_two_corners),
        cmocka_unit_test(regions_and_their_corners_give_each_other),
        cmocka_unit_test(chords_end_where_the_line_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
