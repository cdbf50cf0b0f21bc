#include "world/shape.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>
#include <stdbool.h>

#define SAME_PLACE 1e-6  ///< two corners this close have no direction worth the name [m]
#define PREFERENCE 1e-12 ///< an edge of a must be this much better than one of b [m]
#define ON_EDGE    1e-12 ///< a corner so far behind an edge is on it [m]

// ------------------------------------------------------------------------------------------ shapes

// Normals of the edges and the farthest points; the corners are set.
static void finish(ib_Shape *shape)
{
    int n = shape->count;
    double far = 0;
    for (int i = 0; i < n; i++) {
        int next = i + 1 < n ? i + 1 : 0;
        double ex = shape->x[next] - shape->x[i], ey = shape->y[next] - shape->y[i];
        double length = sqrt(ex * ex + ey * ey);
        shape->nx[i] = length > 0 ? ey / length : 0;
        shape->ny[i] = length > 0 ? -ex / length : 0;
        double here = shape->x[i] * shape->x[i] + shape->y[i] * shape->y[i];
        if (here > far) far = here;
    }
    shape->core = sqrt(far);
    shape->reach = shape->core + shape->radius;
}

ib_Shape ib_shape_disc(double radius)
{
    ib_Shape shape = {.count = 1, .radius = radius};
    finish(&shape);
    return shape;
}

ib_Shape ib_shape_box(double length, double width)
{
    double a = length / 2, b = width / 2;
    ib_Shape shape = {.count = 4, .x = {-a, a, a, -a}, .y = {-b, -b, b, b}};
    finish(&shape);
    return shape;
}

// Twice the area, > 0 for corners in counter-clockwise order.
static double twice_area(int count, const double *x, const double *y)
{
    double area = 0;
    for (int i = 0; i < count; i++) {
        int next = i + 1 < count ? i + 1 : 0;
        area += (x[i] - x[0]) * (y[next] - y[0]) - (x[next] - x[0]) * (y[i] - y[0]);
    }
    return area;
}

// Distance of a corner outside an edge.
static double outside(const ib_Shape *shape, int edge, int corner)
{
    return shape->nx[edge] * (shape->x[corner] - shape->x[edge]) +
           shape->ny[edge] * (shape->y[corner] - shape->y[edge]);
}

static ib_Status refuse_corner(const ib_Shape *shape, int corner, ib_Error *error)
{
    return ib_error_set(error, IB_BAD_INPUT,
                        "the polygon is not convex at (%g m, %g m): write it as several convex "
                        "elements",
                        shape->x[corner], shape->y[corner]);
}

// Every corner turns left, and all turns together make one round: sum of the edges' directions'
// quadrants would do, but so does asking that all corners lie left of every edge.
static ib_Status check_convex(const ib_Shape *shape, ib_Error *error)
{
    for (int i = 0; i < shape->count; i++) {
        int corner = (i + 1) % shape->count, next = (i + 2) % shape->count;
        if (outside(shape, i, next) > 1e-9) return refuse_corner(shape, corner, error);
    }
    for (int i = 0; i < shape->count; i++) {
        int next = i + 1 < shape->count ? i + 1 : 0;
        for (int k = 0; k < shape->count; k++) {
            if (k == i || k == next) continue;
            double out = outside(shape, i, k);
            if (out < -1e-9) continue;
            if (fabs(out) <= 1e-9)
                return ib_error_set(error, IB_BAD_INPUT,
                                    "three corners of the polygon lie on one line, at (%g m, %g m)",
                                    shape->x[k], shape->y[k]);
            return refuse_corner(shape, k, error);
        }
    }
    return IB_OK;
}

ib_Status ib_shape_polygon(int count, const double *x, const double *y, double radius,
                           ib_Shape *shape, ib_Error *error)
{
    if (count < 3 || count > IB_SHAPE_CORNERS)
        return ib_error_set(error, IB_BAD_INPUT, "expected a polygon of 3 to %d corners, got %d",
                            IB_SHAPE_CORNERS, count);
    bool left = twice_area(count, x, y) > 0;
    *shape = (ib_Shape){.count = count, .radius = radius};
    for (int i = 0; i < count; i++) {
        int from = left ? i : count - 1 - i;
        shape->x[i] = x[from];
        shape->y[i] = y[from];
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (fabs(shape->x[i] - shape->x[k]) + fabs(shape->y[i] - shape->y[k]) < 1e-6)
                return ib_error_set(error, IB_BAD_INPUT,
                                    "two corners of the polygon coincide, at (%g m, %g m)",
                                    shape->x[i], shape->y[i]);
    finish(shape);
    return check_convex(shape, error);
}

void ib_shape_place(const ib_Shape *shape, double x, double y, double heading, ib_Placed *placed)
{
    double s, c;
    ib_sincos(heading, &s, &c);
    placed->count = shape->count;
    placed->radius = shape->radius;
    for (int i = 0; i < shape->count; i++) {
        placed->x[i] = x + (c * shape->x[i] - s * shape->y[i]);
        placed->y[i] = y + (s * shape->x[i] + c * shape->y[i]);
        placed->nx[i] = c * shape->nx[i] - s * shape->ny[i];
        placed->ny[i] = s * shape->nx[i] + c * shape->ny[i];
    }
}

int ib_shape_outline(const ib_Placed *at, double x[IB_OUTLINE_POINTS], double y[IB_OUTLINE_POINTS])
{
    const double tau = 6.283185307179586;
    bool disc = at->count == 1;
    int each = disc ? 4 * IB_OUTLINE_ARC : at->radius > 0 ? IB_OUTLINE_ARC + 1 : 1, count = 0;
    for (int i = 0; i < at->count; i++) {
        int before = (i + at->count - 1) % at->count;
        double from = ib_atan2(at->ny[before], at->nx[before]);
        double turn = ib_atan2(at->ny[i], at->nx[i]) - from;
        if (turn < 0) turn += tau;
        for (int k = 0; k < each; k++) {
            double s, c, part = disc ? tau * k / each : each > 1 ? turn * k / (each - 1) : 0;
            ib_sincos(from + part, &s, &c);
            x[count] = at->x[i] + at->radius * c;
            y[count++] = at->y[i] + at->radius * s;
        }
    }
    return count;
}

// -------------------------------------------------------------------------------------- separation

// The edge of `one` beyond which all of `two` lies farthest out,
// and the corner of `two` next to it.
typedef struct Edge {
    double gap; ///< between the cores
    int edge, corner;
} Edge;

static Edge farthest_edge(const ib_Placed *one, const ib_Placed *two)
{
    Edge best = {-INFINITY, 0, 0};
    for (int i = 0; i < one->count && one->count > 1; i++) {
        double nx = one->nx[i], ny = one->ny[i], least = INFINITY;
        int corner = 0;
        for (int k = 0; k < two->count; k++) {
            double out = nx * (two->x[k] - one->x[i]) + ny * (two->y[k] - one->y[i]);
            corner = out < least ? k : corner;
            least = out < least ? out : least;
        }
        if (least > best.gap) best = (Edge){least, i, corner};
    }
    return best;
}

// True if the foot of the perpendicular from corner k of `two` is on edge i of `one`.
static bool faces(const ib_Placed *one, int i, const ib_Placed *two, int k)
{
    int next = i + 1 < one->count ? i + 1 : 0;
    double tx = -one->ny[i], ty = one->nx[i]; // along the edge
    double along = tx * (two->x[k] - one->x[i]) + ty * (two->y[k] - one->y[i]);
    double length = tx * (one->x[next] - one->x[i]) + ty * (one->y[next] - one->y[i]);
    return along >= 0 && along <= length;
}

static ib_Separation by_edge(const ib_Placed *one, Edge edge, bool of_b, double radii)
{
    double sign = of_b ? 1 : -1;
    return (ib_Separation){
        .gap = edge.gap - radii,
        .nx = sign * one->nx[edge.edge],
        .ny = sign * one->ny[edge.edge],
        .feature = of_b ? IB_FEATURE_EDGE_B : IB_FEATURE_EDGE_A,
        .a = of_b ? edge.corner : edge.edge,
        .b = of_b ? edge.edge : edge.corner,
    };
}

// The separating edge: of b, or of a where that is better. a or b has one.
static ib_Separation best_edge(const ib_Placed *a, const ib_Placed *b, double radii, bool *facing)
{
    Edge of_b = farthest_edge(b, a), of_a = farthest_edge(a, b);
    bool b_wins = of_b.gap + PREFERENCE >= of_a.gap;
    *facing = b_wins ? faces(b, of_b.edge, a, of_b.corner) : faces(a, of_a.edge, b, of_a.corner);
    return b_wins ? by_edge(b, of_b, true, radii) : by_edge(a, of_a, false, radii);
}

// Corner k of `two` facing edge i of `one` nearer than *least: takes it over. One that is on the
// edge may be a rounding behind it.
static bool nearer_edge(const ib_Placed *one, int i, const ib_Placed *two, int k, double *least)
{
    double out = one->nx[i] * (two->x[k] - one->x[i]) + one->ny[i] * (two->y[k] - one->y[i]);
    if (one->count < 2 || !(out >= -ON_EDGE && out < *least) || !faces(one, i, two, k))
        return false;
    *least = out;
    return true;
}

// Cores that do not overlap: the nearest of all corners and edges.
static ib_Separation nearest(const ib_Placed *a, const ib_Placed *b, double radii)
{
    ib_Separation found = {.feature = IB_FEATURE_CORNERS};
    double least = INFINITY;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            double dx = a->x[i] - b->x[k], dy = a->y[i] - b->y[k], square = dx * dx + dy * dy;
            if (square < least) found.a = i;
            if (square < least) found.b = k;
            least = ib_min(least, square);
        }
    least = sqrt(least);
    double dx = a->x[found.a] - b->x[found.b], dy = a->y[found.a] - b->y[found.b];
    found.nx = least > 0 ? dx / least : 1;
    found.ny = least > 0 ? dy / least : 0;
    found.gap = least - radii;

    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            if (nearer_edge(b, k, a, i, &least))
                found = by_edge(b, (Edge){least, k, i}, true, radii);
            if (nearer_edge(a, i, b, k, &least))
                found = by_edge(a, (Edge){least, i, k}, false, radii);
        }
    return found;
}

// Overlapping cores are least deep along some edge; separate ones are nearest at an edge or between
// two corners. Edges that lie flat on each other and end together, but for rounding, look like two
// corners that face each other a nanometre apart: the line between those points anywhere.
ib_Separation ib_shape_separation(const ib_Placed *a, const ib_Placed *b)
{
    double radii = a->radius + b->radius;
    if (a->count < 2 && b->count < 2) return nearest(a, b, radii);
    bool facing;
    ib_Separation edge = best_edge(a, b, radii, &facing);
    if (facing || edge.gap + radii <= 0) return edge;
    ib_Separation apart = nearest(a, b, radii);
    return apart.gap > edge.gap + PREFERENCE ? apart : edge;
}

// The edge decides, unless corners that face no edge are farther apart.
bool ib_shape_is_within(const ib_Placed *a, const ib_Placed *b, double most)
{
    double radii = a->radius + b->radius;
    if (a->count > 1 || b->count > 1) {
        bool facing;
        double gap = best_edge(a, b, radii, &facing).gap;
        if (gap > most || facing || gap + radii <= 0) return gap <= most;
    }
    return ib_shape_separation(a, b).gap <= most;
}

// ---------------------------------------------------------------------------------------- manifold

static ib_ContactPoint corner_contact(const ib_Separation *axis, const ib_Placed *a,
                                      const ib_Placed *b)
{
    const ib_Placed *two = axis->feature == IB_FEATURE_EDGE_B ? a : b;
    int k = axis->feature == IB_FEATURE_EDGE_B ? axis->a : axis->b;
    double shift = axis->feature == IB_FEATURE_EDGE_B ? -a->radius : b->radius;
    return (ib_ContactPoint){
        .x = two->x[k] + shift * axis->nx,
        .y = two->y[k] + shift * axis->ny,
        .gap = axis->gap,
        .cx = two->x[k],
        .cy = two->y[k],
        .feature = axis->feature,
        .a = axis->a,
        .b = axis->b,
    };
}

// The edge of `two` at corner k that lies flattest against an edge with the outward
// normal (nx, ny).
static int facing_edge(const ib_Placed *two, int k, double nx, double ny)
{
    int before = k > 0 ? k - 1 : two->count - 1;
    double with = two->nx[k] * nx + two->ny[k] * ny;
    return two->nx[before] * nx + two->ny[before] * ny < with ? before : k;
}

// An edge of `two` over an edge of `one`: the part of it between the perpendiculars at the ends of
// the edge of `one` ends in the two points.
static void edge_contacts(const ib_Separation *axis, const ib_Placed *one, int i,
                          const ib_Placed *two, int k, double sign, ib_Manifold *manifold)
{
    double nx = one->nx[i], ny = one->ny[i], tx = -ny, ty = nx;
    int next = i + 1 < one->count ? i + 1 : 0;
    int edge = facing_edge(two, k, nx, ny), end = edge + 1 < two->count ? edge + 1 : 0;
    double length = tx * (one->x[next] - one->x[i]) + ty * (one->y[next] - one->y[i]);
    double from = tx * (two->x[edge] - one->x[i]) + ty * (two->y[edge] - one->y[i]);
    double to = tx * (two->x[end] - one->x[i]) + ty * (two->y[end] - one->y[i]);
    double low = ib_max(ib_min(from, to), 0), high = ib_min(ib_max(from, to), length);
    if (!(high - low > SAME_PLACE)) return; // a single point stays

    double radii = one->radius + two->radius;
    bool of_b = sign > 0;
    for (int j = 0; j < 2; j++) {
        double part = ((j ? high : low) - from) / (to - from);
        double x = two->x[edge] + part * (two->x[end] - two->x[edge]);
        double y = two->y[edge] + part * (two->y[end] - two->y[edge]);
        // A corner that is not cut off stays the same, to the bit.
        if (part <= 0) x = two->x[edge], y = two->y[edge];
        if (part >= 1) x = two->x[end], y = two->y[end];
        // The corner of `one` lies on the edge of `two` if the edge is cut off there.
        bool cut = part > 0 && part < 1;
        int of_one = !cut ? i : j ? next : i, of_two = cut ? edge : part <= 0 ? edge : end;
        // The points are in the order of the pair's tangent, which is that of `one` if `one` is b.
        manifold->contacts[of_b ? j : 1 - j] = (ib_ContactPoint){
            .x = x - sign * axis->nx * two->radius,
            .y = y - sign * axis->ny * two->radius,
            .gap = nx * (x - one->x[i]) + ny * (y - one->y[i]) - radii,
            .cx = x,
            .cy = y,
            .feature = of_b != cut ? IB_FEATURE_EDGE_B : IB_FEATURE_EDGE_A,
            .a = of_b ? of_two : of_one,
            .b = of_b ? of_one : of_two,
        };
    }
    manifold->count = 2;
}

ib_Manifold ib_shape_manifold(const ib_Placed *a, const ib_Placed *b)
{
    ib_Separation axis = ib_shape_separation(a, b);
    double radii = a->radius + b->radius;
    bool facing;
    // Sharp corners in one place: the edges tell better than the corners which way is out.
    if (axis.feature == IB_FEATURE_CORNERS && (a->count > 1 || b->count > 1) &&
        axis.gap + radii < SAME_PLACE)
        axis = best_edge(a, b, radii, &facing);

    ib_Manifold manifold = {.count = 1, .nx = axis.nx, .ny = axis.ny};
    manifold.contacts[0] = corner_contact(&axis, a, b);
    if (axis.feature == IB_FEATURE_EDGE_B && a->count > 1)
        edge_contacts(&axis, b, axis.b, a, axis.a, 1, &manifold);
    if (axis.feature == IB_FEATURE_EDGE_A && b->count > 1)
        edge_contacts(&axis, a, axis.a, b, axis.b, -1, &manifold);
    return manifold;
}
