#include "base/extreme.h"
#include "control/feedback/polytope_inside.h"

// A half-plane a q <= b with |a| = 1: b is how far its edge is from the origin.
typedef struct Side {
    double a[2], b;
} Side;

typedef struct Region {
    int count;
    Side side[IB_POLYTOPE_SIDES];
    double rounding; ///< least error of a distance
} Region;

const char *ib_polytope_outcome_text(ib_PolytopeOutcome outcome)
{
    switch (outcome) {
    case IB_POLYTOPE_OK:
        return "done";
    case IB_POLYTOPE_OFF_LINE:
        return "the line misses the region";
    case IB_POLYTOPE_EMPTY:
        return "the region is empty: no point lies in all half-spaces";
    case IB_POLYTOPE_NO_LINE:
        return "there is no line: a row of K is zero or contradicts another row";
    case IB_POLYTOPE_NOT_FINITE:
        return "a number is not finite; only k may be +infinity";
    case IB_POLYTOPE_TOO_LARGE:
        return "more half-spaces, points, rows or axes than supported";
    case IB_POLYTOPE_UNSOLVED:
        return "no solution found within the limit of exchanges";
    }
    return "unknown outcome";
}

// ----------------------------------------------------------------------------------------- reading

// The half-planes that limit something.
static ib_PolytopeOutcome read_region(int sides, const double *H, const double *k, Region *region)
{
    region->count = 0;
    region->rounding = 0.0;
    if (sides < 0 || sides > IB_POLYTOPE_SIDES) return IB_POLYTOPE_TOO_LARGE;
    for (int i = 0; i < sides; i++) {
        Side *next = &region->side[region->count];
        ib_PolytopeOutcome outcome = ib__polytope_side(2, &H[2 * i], k[i], next->a, &next->b);
        if (outcome == IB_POLYTOPE_OFF_LINE) continue;
        if (outcome != IB_POLYTOPE_OK) return outcome;
        region->rounding = ib_max(region->rounding, IB__POLYTOPE_ROUNDING * fabs(next->b));
        region->count++;
    }
    return IB_POLYTOPE_OK;
}

static ib_PolytopeOutcome read_line(const double K[2], double w, Side *line)
{
    if (!ib__polytope_finite(2, K) || !ib__polytope_finite(1, &w)) return IB_POLYTOPE_NOT_FINITE;
    if (!ib__polytope_unit(2, K, w, line->a, &line->b)) return IB_POLYTOPE_NO_LINE;
    return ib__polytope_finite(1, &line->b) ? IB_POLYTOPE_OK : IB_POLYTOPE_NOT_FINITE;
}

static ib_PolytopeOutcome read_both(int sides, const double *H, const double *k, const double K[2],
                                    double w, Region *region, Side *line)
{
    ib_PolytopeOutcome outcome = read_region(sides, H, k, region);
    return outcome == IB_POLYTOPE_OK ? read_line(K, w, line) : outcome;
}

// ----------------------------------------------------------------------------- a line and a region

static double dot2(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

static double clamp(double t, double low, double high)
{
    return t < low ? low : t > high ? high : t;
}

// The whole line a q = b.
static ib_PolytopeChord whole(const Side *line)
{
    return (ib_PolytopeChord){.foot = {line->a[0] * line->b, line->a[1] * line->b},
                              .along = {-line->a[1], line->a[0]},
                              .low = -INFINITY,
                              .high = INFINITY};
}

static void point_at(const ib_PolytopeChord *chord, double t, double q[2])
{
    for (int i = 0; i < 2; i++) q[i] = chord->foot[i] + t * chord->along[i];
}

// Shortens the chord to its part in all half-planes except number `skip`:
//   a (foot + t along) <= b,   so   t <= or >= (b - a foot)/(a along)
// A half-plane may give way by TOLERANCE (|b| + |foot|), which moves its t by that over the slope:
// where two ends have crossed by no more, the chord is one point. Returns false: nothing is left.
static bool clip(const Region *region, int skip, ib_PolytopeChord *chord)
{
    double low_gives = 0.0, high_gives = 0.0;
    double reach = fabs(chord->foot[0]) + fabs(chord->foot[1]);
    for (int i = 0; i < region->count; i++) {
        if (i == skip) continue;
        const Side *side = &region->side[i];
        double slope = dot2(side->a, chord->along);
        double room = side->b - dot2(side->a, chord->foot);
        double gives = IB_POLYTOPE_TOLERANCE * (fabs(side->b) + reach) + region->rounding;
        double t = room / slope;
        if (fabs(slope) <= IB_POLYTOPE_TOLERANCE) {
            if (room < -gives) return false;
        } else if (slope > 0.0 && t < chord->high) {
            chord->high = t;
            high_gives = gives / slope;
        } else if (slope < 0.0 && t > chord->low) {
            chord->low = t;
            low_gives = -gives / slope;
        }
    }
    double crossed = chord->low - chord->high;
    if (!(crossed > 0.0)) return true;
    if (crossed > low_gives + high_gives) return false;
    chord->low = chord->high = 0.5 * (chord->low + chord->high);
    return true;
}

// ---------------------------------------------------------------------------------------- the rule

// A point of an edge of the region, and its quality.
typedef struct Candidate {
    double q[2];
    double gap;  ///< its distance from the line
    double away; ///< its distance from the dot, along the line
} Candidate;

// The best point of an edge, here e(t) = foot + t along: nearest to the line, that is nearest to
// where edge and line cross,
//   n e(t) = c,   so   t = (c - n foot)/(n along)
// and, where edge and line are parallel, nearest to the dot.
static Candidate best_of_edge(const ib_PolytopeChord *edge, const Side *line, const double dot[2])
{
    double slope = dot2(line->a, edge->along);
    double t = (line->b - dot2(line->a, edge->foot)) / slope;
    if (fabs(slope) <= IB_POLYTOPE_TOLERANCE) t = dot2(edge->along, dot);
    Candidate best;
    point_at(edge, clamp(t, edge->low, edge->high), best.q);
    best.gap = fabs(dot2(line->a, best.q) - line->b);
    best.away = fabs(line->a[0] * (best.q[1] - dot[1]) - line->a[1] * (best.q[0] - dot[0]));
    return best;
}

// Nearer to the line; at the same distance, nearer to the dot.
static bool better(const Candidate *a, const Candidate *b, const Side *line, double rounding)
{
    double reach = fabs(a->q[0]) + fabs(a->q[1]) + fabs(line->b);
    double tie = IB_POLYTOPE_TOLERANCE * reach + rounding;
    if (fabs(a->gap - b->gap) <= tie) return a->away < b->away;
    return a->gap < b->gap;
}

// The line misses the region, so the nearest point is on an edge: the best of the best of each.
static ib_PolytopeOutcome approach(const Region *region, const Side *line, const double dot[2],
                                   double answer[2])
{
    Candidate best = {.gap = INFINITY};
    for (int i = 0; i < region->count; i++) {
        ib_PolytopeChord edge = whole(&region->side[i]);
        if (!clip(region, i, &edge)) continue;
        Candidate next = best_of_edge(&edge, line, dot);
        if (best.gap == INFINITY || better(&next, &best, line, region->rounding)) best = next;
    }
    // A region without an edge, which is not the whole plane, is none.
    if (best.gap == INFINITY) return IB_POLYTOPE_EMPTY;
    answer[0] = best.q[0];
    answer[1] = best.q[1];
    return IB_POLYTOPE_OFF_LINE;
}

ib_PolytopeOutcome ib_polytope2_coerce(int sides, const double *H, const double *k,
                                       const double K[2], double w, const double dot[2],
                                       double answer[2])
{
    Region region;
    Side line;
    ib_PolytopeOutcome outcome = read_both(sides, H, k, K, w, &region, &line);
    if (outcome != IB_POLYTOPE_OK) return outcome;
    if (!ib__polytope_finite(2, dot)) return IB_POLYTOPE_NOT_FINITE;

    ib_PolytopeChord chord = whole(&line);
    if (!clip(&region, -1, &chord)) return approach(&region, &line, dot, answer);
    point_at(&chord, clamp(dot2(chord.along, dot), chord.low, chord.high), answer);
    return IB_POLYTOPE_OK;
}

ib_PolytopeOutcome ib_polytope2_chord(int sides, const double *H, const double *k,
                                      const double K[2], double w, ib_PolytopeChord *chord)
{
    Region region;
    Side line;
    ib_PolytopeOutcome outcome = read_both(sides, H, k, K, w, &region, &line);
    if (outcome != IB_POLYTOPE_OK) return outcome;
    *chord = whole(&line);
    return clip(&region, -1, chord) ? IB_POLYTOPE_OK : IB_POLYTOPE_OFF_LINE;
}

// ----------------------------------------------------------------------------------------- corners

// Sorts by the direction of the outward normal, counter-clockwise from (1, 0): first the upper half
// turn, then the lower one; within a half turn by the sign of the cross product.
static bool turns_after(const Side *a, const Side *b)
{
    bool a_lower = a->a[1] < 0.0 || (a->a[1] == 0.0 && a->a[0] < 0.0);
    bool b_lower = b->a[1] < 0.0 || (b->a[1] == 0.0 && b->a[0] < 0.0);
    if (a_lower != b_lower) return a_lower;
    return a->a[0] * b->a[1] - a->a[1] * b->a[0] < 0.0;
}

static void sort_by_direction(int count, Side *side)
{
    for (int i = 1; i < count; i++) {
        Side moved = side[i];
        int j = i;
        for (; j > 0 && turns_after(&side[j - 1], &moved); j--) side[j] = side[j - 1];
        side[j] = moved;
    }
}

// Corners are a thousand times less certain than distances: their sides may be nearly in one line.
// Corners at the origin have no size of their own, but the uncertainty of the region's distances.
static bool same_point(const double a[2], const double b[2], double rounding)
{
    double reach = ib_max(fabs(a[0]) + fabs(a[1]), fabs(b[0]) + fabs(b[1]));
    double gives = 1e3 * (IB_POLYTOPE_TOLERANCE * reach + rounding);
    return fabs(a[0] - b[0]) + fabs(a[1] - b[1]) <= gives;
}

// Every corner is the start of an edge, run through counter-clockwise. An edge without a start
// comes from far away: the list begins behind it.
static int list_starts(int edges, const ib_PolytopeChord *edge, double rounding, double *vertices)
{
    int first = 0, count = 0;
    for (int i = 0; i < edges; i++)
        if (edge[i].low == -INFINITY) first = i;
    for (int i = 0; i < edges; i++) {
        const ib_PolytopeChord *e = &edge[(first + i) % edges];
        double *next = &vertices[2 * count];
        if (e->low == -INFINITY) continue;
        point_at(e, e->low, next);
        if (count == 0 || !same_point(next, next - 2, rounding)) count++;
    }
    if (count > 1 && same_point(vertices, &vertices[2 * (count - 1)], rounding)) count--;
    return count;
}

ib_PolytopeOutcome ib_polytope2_vertices(int sides, const double *H, const double *k,
                                         double *vertices, int *count, bool *bounded)
{
    Region region;
    ib_PolytopeChord edge[IB_POLYTOPE_SIDES];
    int edges = 0;
    *count = 0;
    *bounded = false;
    ib_PolytopeOutcome outcome = read_region(sides, H, k, &region);
    if (outcome != IB_POLYTOPE_OK || region.count == 0) return outcome;

    sort_by_direction(region.count, region.side);
    *bounded = true;
    for (int i = 0; i < region.count; i++) {
        edge[edges] = whole(&region.side[i]);
        if (!clip(&region, i, &edge[edges])) continue;
        if (edge[edges].low == -INFINITY || edge[edges].high == INFINITY) *bounded = false;
        edges++;
    }
    if (edges == 0) return IB_POLYTOPE_EMPTY;
    *count = list_starts(edges, edge, region.rounding, vertices);
    return IB_POLYTOPE_OK;
}

// -------------------------------------------------------------------------------------------- hull

// Sorted by x, then by y.
static void sort_points(int count, double (*p)[2])
{
    for (int i = 1; i < count; i++) {
        double x = p[i][0], y = p[i][1];
        int j = i;
        for (; j > 0 && (p[j - 1][0] > x || (p[j - 1][0] == x && p[j - 1][1] > y)); j--) {
            p[j][0] = p[j - 1][0];
            p[j][1] = p[j - 1][1];
        }
        p[j][0] = x;
        p[j][1] = y;
    }
}

// A corner is where the way a, b, c turns left.
static bool no_corner(const double a[2], const double b[2], const double c[2])
{
    double u[2] = {b[0] - a[0], b[1] - a[1]}, v[2] = {c[0] - b[0], c[1] - b[1]};
    double size = (fabs(u[0]) + fabs(u[1])) * (fabs(v[0]) + fabs(v[1]));
    return u[0] * v[1] - u[1] * v[0] <= IB_POLYTOPE_TOLERANCE * size;
}

// Corners counter-clockwise by Andrew's chains: from left to right below, then back above. The
// first point comes again at the end. Returns the number without it: 1 for a point,
// 2 for a segment.
static int hull_corners(int count, double (*p)[2], double (*corner)[2])
{
    int size = 0;
    for (int pass = 0; pass < 2; pass++) {
        int base = size;
        for (int n = 0; n < count; n++) {
            const double *next = p[pass == 0 ? n : count - 1 - n];
            if (size > 0 && corner[size - 1][0] == next[0] && corner[size - 1][1] == next[1])
                continue;
            while (size >= base + 2 - pass && size >= 2 &&
                   no_corner(corner[size - 2], corner[size - 1], next))
                size--;
            corner[size][0] = next[0];
            corner[size++][1] = next[1];
        }
    }
    return size > 1 ? size - 1 : 1;
}

// One half-plane with outward unit normal (x, y)/length: through the outermost point, so that all
// of them lie in it, to the last bit.
static void put_side(double x, double y, int points, const double *vertices, int *sides, double *H,
                     double *k)
{
    double *row = &H[2 * *sides], ignored, most = -INFINITY;
    const double direction[2] = {x, y};
    ib__polytope_unit(2, direction, 0.0, row, &ignored);
    for (int i = 0; i < points; i++) most = ib_max(most, dot2(row, &vertices[2 * i]));
    k[(*sides)++] = most;
}

ib_PolytopeOutcome ib_polytope2_hull(int points, const double *vertices, int *sides, double *H,
                                     double *k)
{
    double p[IB_POLYTOPE_SIDES][2], corner[2 * IB_POLYTOPE_SIDES][2];
    *sides = 0;
    if (points < 1) return IB_POLYTOPE_EMPTY;
    if (points > IB_POLYTOPE_SIDES) return IB_POLYTOPE_TOO_LARGE;
    if (!ib__polytope_finite(2 * points, vertices)) return IB_POLYTOPE_NOT_FINITE;
    for (int i = 0; i < 2 * points; i++) p[i / 2][i % 2] = vertices[i];

    sort_points(points, p);
    int corners = hull_corners(points, p, corner);
    if (corners > 2) {
        for (int i = 0; i < corners; i++)
            put_side(corner[i + 1][1] - corner[i][1], corner[i][0] - corner[i + 1][0], points,
                     vertices, sides, H, k);
        return IB_POLYTOPE_OK;
    }
    // Two sides along a segment and one at each end; a point is a segment along x.
    double x = 1.0, y = 0.0;
    if (corners == 2) x = corner[1][0] - corner[0][0], y = corner[1][1] - corner[0][1];
    const double turned[4][2] = {{x, y}, {-y, x}, {-x, -y}, {y, -x}};
    for (int i = 0; i < 4; i++) put_side(turned[i][0], turned[i][1], points, vertices, sides, H, k);
    return IB_POLYTOPE_OK;
}
