#include "control/arm/arm_polyline.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>
#include <stdbool.h>

// Straight lines with round corners. Along a corner that turns by d, with c = th" across the way:
//   c grows to 1/r over e, stays, and fades over e:   length L = d r + e,   e = RAMP d r
//   direction  f = x^2/(2 r e),   then (x - e/2)/r,   then d - (L - x)^2/(2 r e)
// Limit: RAMP -> 0: an arc, which begins r tan(d/2) before the corner.
static const double RAMP = 0.2;

// ------------------------------------------------------------------------------------------ corner

// Place of the ramp after x: integrals of cos f and sin f, by a rule of 5 points.
static void ramp_place(const ib_ArmCorner *corner, double x, double place[2])
{
    static const double node[5] = {-0.90617984593866399, -0.53846931010568309, 0,
                                   0.53846931010568309, 0.90617984593866399};
    static const double weight[5] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889,
                                     0.47862867049936647, 0.23692688505618909};
    place[0] = place[1] = 0;
    for (int i = 0; i < 5; i++) {
        double at = 0.5 * x * (1 + node[i]), s, c;
        ib_sincos(at * at / (2 * corner->radius * corner->ramp), &s, &c);
        place[0] += 0.5 * x * weight[i] * c;
        place[1] += 0.5 * x * weight[i] * s;
    }
}

// Place, direction and c after x of the first half, in a frame that begins along the way.
static void half_at(const ib_ArmCorner *corner, double x, double place[2], double *f, double *c)
{
    double r = corner->radius, e = corner->ramp, s0, c0, s1, c1;
    ramp_place(corner, ib_min(x, e), place);
    *f = x < e ? x * x / (2 * r * e) : (x - 0.5 * e) / r;
    *c = ib_min(x / e, 1) / r;
    if (x <= e) return;
    ib_sincos(0.5 * e / r, &s0, &c0);
    ib_sincos(*f, &s1, &c1);
    place[0] += r * (s1 - s0);
    place[1] += r * (c0 - c1);
}

static ib_ArmCorner corner_between(const double in[2], const double out[2], double radius)
{
    double along = in[0] * out[0] + in[1] * out[1], across = in[0] * out[1] - in[1] * out[0];
    double place[2], f, c, s, cosine;
    ib_ArmCorner corner = {.turn = ib_atan2(fabs(across), along), .side = across < 0 ? -1 : 1};
    if (corner.turn < 1e-9) return (ib_ArmCorner){0};
    corner.radius = radius;
    corner.ramp = RAMP * corner.turn * radius;
    corner.length = corner.turn * radius + corner.ramp;
    // The middle is on the line that halves the corner.
    half_at(&corner, 0.5 * corner.length, place, &f, &c);
    ib_sincos(0.5 * corner.turn, &s, &cosine);
    corner.trim = cosine > 1e-6 ? place[0] + place[1] * s / cosine : INFINITY;
    return corner;
}

// ---------------------------------------------------------------------------------------- polyline

ib_Status ib__arm_polyline_init(const ib_ArmPlaces *places, double radius, const char *unit,
                                ib_ArmPolyline *line, ib_Error *error)
{
    int lines = places->count - 1;
    line->places = places;
    for (int k = 0; k < lines; k++) {
        const double *a = places->th[k], *b = places->th[k + 1];
        double d[2] = {b[0] - a[0], b[1] - a[1]}, length = sqrt(d[0] * d[0] + d[1] * d[1]);
        if (!(length > 0 && isfinite(length)))
            return ib_error_set(error, IB_BAD_INPUT,
                                "places %d and %d of a way are both at (%g, %g) %s: expected "
                                "places apart; leave one out",
                                k + 1, k + 2, a[0], a[1], unit);
        line->length[k] = length;
        for (int i = 0; i < 2; i++) line->way[k][i] = d[i] / length;
    }
    line->corner[0] = line->corner[lines] = (ib_ArmCorner){0};
    for (int k = 1; k < lines; k++)
        line->corner[k] = corner_between(line->way[k - 1], line->way[k], radius);
    for (int k = 0; k < lines; k++) {
        double trims = line->corner[k].trim + line->corner[k + 1].trim;
        if (trims <= line->length[k]) continue;
        int at = line->corner[k].trim > line->corner[k + 1].trim ? k : k + 1;
        if (isinf(trims))
            return ib_error_set(error, IB_BAD_INPUT,
                                "a way turns back on itself at place %d: expected the end of one "
                                "path there, and another one back",
                                at + 1);
        return ib_error_set(error, IB_BAD_INPUT,
                            "place %d of a way is a corner of %.3g rad that a radius of %g %s "
                            "does not round: the line from place %d to place %d is %.3g %s long "
                            "and %.3g %s are needed; expected a radius of at most %.3g %s",
                            at + 1, line->corner[at].turn, radius, unit, k + 1, k + 2,
                            line->length[k], unit, trims, unit, radius * line->length[k] / trims,
                            unit);
    }
    line->total = 0;
    for (int k = 0; k < lines; k++)
        line->total += line->corner[k].length - 2 * line->corner[k].trim + line->length[k];
    return IB_OK;
}

// Converts a frame along `way` at `base` (`back`: looking back along it) to joint space.
static void place_in(const double base[2], const double way[2], double side, const double local[2],
                     double th[2])
{
    th[0] = base[0] + way[0] * local[0] - side * way[1] * local[1];
    th[1] = base[1] + way[1] * local[0] + side * way[0] * local[1];
}

// x along the corner at place k. The second half is the first, seen from the other end.
static ib_ArmPoint corner_point(const ib_ArmPolyline *line, int k, double x)
{
    const ib_ArmCorner *corner = &line->corner[k];
    const double *th = line->places->th[k];
    bool second = x > 0.5 * corner->length;
    const double *way = line->way[second ? k : k - 1];
    double back[2] = {-way[0], -way[1]}, base[2], local[2], f, c, s, cosine;
    for (int i = 0; i < 2; i++) base[i] = th[i] + (second ? 1 : -1) * way[i] * corner->trim;
    half_at(corner, second ? corner->length - x : x, local, &f, &c);
    ib_ArmPoint point = {0};
    place_in(base, second ? back : way, second ? -corner->side : corner->side, local, point.th);
    ib_sincos(second ? -f : f, &s, &cosine);
    const double turned[2] = {cosine, s}, zero[2] = {0, 0};
    place_in(zero, way, corner->side, turned, point.way);
    point.bend[0] = -corner->side * c * point.way[1];
    point.bend[1] = corner->side * c * point.way[0];
    return point;
}

// s along the way: each place has its corner and the line behind it. The first has no corner, the
// last no line: beyond both the way goes on straight.
ib_ArmCurvePoint ib__arm_polyline_at(const void *context, double s)
{
    const ib_ArmPolyline *line = context;
    int lines = line->places->count - 1, k = 0;
    double before = 0; // where the corner of place k begins
    double straight = line->length[0] - line->corner[0].trim - line->corner[1].trim;
    while (k < lines - 1 && s >= before + line->corner[k].length + straight) {
        before += line->corner[k].length + straight;
        k++;
        straight = line->length[k] - line->corner[k].trim - line->corner[k + 1].trim;
    }
    double x = s - before, on = x - line->corner[k].length + line->corner[k].trim;
    if (k > 0 && x < line->corner[k].length) {
        ib_ArmPoint point = corner_point(line, k, x);
        return (ib_ArmCurvePoint){{point.th[0], point.th[1]},
                                  {point.way[0], point.way[1]},
                                  {point.bend[0], point.bend[1]}};
    }
    const double *th = line->places->th[k], *way = line->way[k];
    return (ib_ArmCurvePoint){{th[0] + way[0] * on, th[1] + way[1] * on}, {way[0], way[1]}, {0}};
}

ib_Status ib_arm_shape_rounded_fine(const ib_ArmPlaces *places, double radius,
                                    ib_ArmWorkspace *workspace, ib_Error *error)
{
    int lines = places->count - 1;
    ib_ArmPolyline line;
    IB_ASSERT(lines >= 1 && places->count <= IB_ARM_PLACES && radius > 0);
    if (ib__arm_polyline_init(places, radius, "rad", &line, error) != IB_OK) return IB_BAD_INPUT;
    ib_Status status =
        ib_arm_path_natural(ib__arm_polyline_at, &line, line.total, workspace, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < 2; i++)
        workspace->points[workspace->count - 1].th[i] = places->th[lines][i];
    return IB_OK;
}

ib_Status ib_arm_shape_rounded(const ib_ArmPlaces *places, double radius, int count,
                               ib_ArmPoint *points, ib_Error *error)
{
    ib_ArmWorkspace workspace = {count, count, points};
    return ib_arm_shape_rounded_fine(places, radius, &workspace, error);
}
