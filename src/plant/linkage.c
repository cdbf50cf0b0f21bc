// plant/linkage.c: a linkage's numbers, checked and prepared; its triangle.
#include "plant/linkage.h"

#include <string.h>

#define PI     3.14159265358979323846
#define DEGREE (PI / 180)
#define SLACK  1e-6 ///< excess of a rod over its stroke by the digits of a file [m]

const char *const ib_linkage_laws[] = {"exact", "linear", NULL};
const char *const ib_linkage_forms[] = {"offset", "alpha", "beta", "gamma", NULL};
const char *const ib_linkage_extensions[] = {"raises", "lowers", NULL};
const ib_PresetDef ib_linkage_presets = {.file = "linkages", .own = "l1"};

const char *ib_linkage_idle(const ib_LinkageConfig *config, const char *key)
{
    bool triangle = strcmp(key, "l1") == 0 || strcmp(key, "l2") == 0 || strcmp(key, "l3") == 0;
    bool offset = strcmp(key, "offset") == 0 || strcmp(key, "extension") == 0;
    bool sides = strcmp(key, "l4") == 0 || strcmp(key, "l5") == 0;
    bool linear = config->law == IB_LINKAGE_LINEAR;
    if (linear && (triangle || sides || strcmp(key, "offset") == 0)) return "law";
    if (offset && config->form != IB_LINKAGE_OFFSET) return "form";
    if (sides && config->form == IB_LINKAGE_OFFSET) return "form";
    return strcmp(key, "l5") == 0 && config->form == IB_LINKAGE_GAMMA ? "form" : NULL;
}

// ------------------------------------------------------------------------------------------ angles

static double arcsine(double sine)
{
    return ib_atan2(sine, sqrt((1 - sine) * (1 + sine)));
}

static double arccosine(double cosine)
{
    return ib_atan2(sqrt((1 - cosine) * (1 + cosine)), cosine);
}

//   alpha  phi1 = acos(l4/l3), phi2 = pi - asin(l5/l1):  g = pi - phi2 - phi1 + th       [5.2.2]
//   beta   phi1 = acos(l4/l3), phi2 = asin(l5/l1):       g = pi - phi2 - phi1 - (-th)    [5.2.4]
//   gamma  phi2 = asin(l4/l1):                           g = pi - phi2 - th              [5.2.6]
void ib_linkage_offset(const ib_LinkageConfig *c, double *offset, double *sign)
{
    *sign = 1;
    switch (c->form) {
    case IB_LINKAGE_ALPHA:
        *offset = arcsine(c->l5 / c->l1) - arccosine(c->l4 / c->l3);
        return;
    case IB_LINKAGE_BETA:
        *offset = PI - arcsine(c->l5 / c->l1) - arccosine(c->l4 / c->l3);
        return;
    case IB_LINKAGE_GAMMA:
        *offset = PI - arcsine(c->l4 / c->l1);
        *sign = -1;
        return;
    default:
        *offset = c->offset;
        *sign = c->extension == IB_LINKAGE_LOWERS ? -1 : 1;
    }
}

// ------------------------------------------------------------------------------------------- check

// A side given by its ratio to another, as a sine or a cosine.
static ib_Status check_share(const char *key, double value, const char *whole, double length,
                             ib_Error *error)
{
    if (value >= 0 && value <= length) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "%s: expected 0 m to %s, of which it is a part (%g m), got %g m", key,
                        whole, length, value);
}

static ib_Status check_sides(const ib_LinkageConfig *c, ib_Error *error)
{
    if (c->form == IB_LINKAGE_OFFSET) return IB_OK;
    if (c->form == IB_LINKAGE_GAMMA) return check_share("l4", c->l4, "l1", c->l1, error);
    ib_Status status = check_share("l4", c->l4, "l3", c->l3, error);
    return status == IB_OK ? check_share("l5", c->l5, "l1", c->l1, error) : status;
}

// True if joint, pivot and pin can be a triangle, with some part of the stroke:
//   |l1 - l3| < l2 + x < l1 + l3
static ib_Status check_triangle(const ib_LinkageConfig *c, ib_Error *error)
{
    double least = fabs(c->l1 - c->l3), most = c->l1 + c->l3;
    if (!(c->l2 > c->stroke))
        return ib_error_set(error, IB_BAD_INPUT,
                            "l2: %g m between the pins with the rod in leave no room for a stroke "
                            "of %g m: expected more than the stroke",
                            c->l2, c->stroke);
    if (!(c->l2 < most))
        return ib_error_set(error, IB_BAD_INPUT,
                            "l2: with the rod in the pins are %g m apart, and l1 and l3 reach no "
                            "farther than %g m: expected less",
                            c->l2, most);
    if (!(c->l2 + c->stroke > least))
        return ib_error_set(error, IB_BAD_INPUT,
                            "l2: with the rod out the pins are %g m apart, and l1 and l3 bring "
                            "them no nearer than %g m: expected at least %g m",
                            c->l2 + c->stroke, least, least - c->stroke);
    return IB_OK;
}

// A dead point inside the range: there the arm is 0, and beyond it the cylinder works the other
// way round. 0 < g < pi must hold at both ends; g is straight between them.
static ib_Status check_dead_points(const ib_LinkageModel *k, ib_Error *error)
{
    for (int end = 0; end < 2; end++) {
        double g = k->offset + k->sign * k->range[end];
        if (g > 0 && g < PI) continue;
        double dead = g <= 0 ? 0 : PI, th = k->sign * (dead - k->offset);
        bool inside = th > k->range[0] && th < k->range[1];
        if (inside)
            return ib_error_set(error, IB_BAD_INPUT,
                                "range: the linkage is at its dead point at %g deg, inside the "
                                "range of %g deg to %g deg: there the cylinder has no arm, and "
                                "beyond it its torque changes its sign; change the offset or end "
                                "the range before it",
                                th / DEGREE, k->range[0] / DEGREE, k->range[1] / DEGREE);
        return ib_error_set(error, IB_BAD_INPUT,
                            "range: at %g deg the angle between l1 and l3 is %g deg: expected "
                            "above 0 deg and below 180 deg, beyond which the cylinder has no arm; "
                            "change the offset or the range",
                            k->range[end] / DEGREE, g / DEGREE);
    }
    return IB_OK;
}

static ib_Status check_stroke(const ib_LinkageModel *k, ib_Error *error)
{
    for (int end = 0; end < 2; end++) {
        double x = ib_linkage_at(k, k->range[end]).x;
        if (x < -SLACK)
            return ib_error_set(error, IB_BAD_INPUT,
                                "stroke: at %g deg of the joint the rod is in by %g mm more than "
                                "it goes: expected a joint that stops before, a shorter l2, or "
                                "other sides",
                                k->range[end] / DEGREE, -1e3 * x);
        if (x > k->stroke + SLACK)
            return ib_error_set(error, IB_BAD_INPUT,
                                "stroke: at %g deg of the joint the rod is out by %g mm, beyond "
                                "its stroke of %g mm: expected a joint that stops before, a longer "
                                "stroke, or other sides",
                                k->range[end] / DEGREE, 1e3 * x, 1e3 * k->stroke);
    }
    return IB_OK;
}

ib_Status ib_linkage_check(const ib_LinkageConfig *c, ib_Error *error)
{
    if (c->law == IB_LINKAGE_LINEAR) return IB_OK;
    ib_Status status = check_sides(c, error);
    if (status == IB_OK) status = check_triangle(c, error);
    if (status != IB_OK) return status;
    ib_LinkageModel linkage;
    ib_linkage_init(c, &linkage);
    status = check_dead_points(&linkage, error);
    return status == IB_OK ? check_stroke(&linkage, error) : status;
}

// -------------------------------------------------------------------------------------------- init

//   x = stroke (th - low)/(high - low), or  stroke (high - th)/(high - low)  where it lowers th
void ib_linkage_init(const ib_LinkageConfig *c, ib_LinkageModel *k)
{
    double offset, sign; // of the straight line only the sign: no side has to make sense
    ib_linkage_offset(c, &offset, &sign);
    double slope = sign * c->stroke / (c->range[1] - c->range[0]);
    *k = (ib_LinkageModel){
        .l1 = c->l1,
        .l2 = c->l2,
        .l3 = c->l3,
        .squares = c->l1 * c->l1 + c->l3 * c->l3,
        .product = c->l1 * c->l3,
        .least = fabs(c->l1 - c->l3),
        .most = c->l1 + c->l3,
        .offset = offset,
        .sign = sign,
        .range = {c->range[0], c->range[1]},
        .stroke = c->stroke,
        .linear = c->law == IB_LINKAGE_LINEAR,
        .start = -slope * c->range[sign > 0 ? 0 : 1],
        .slope = slope,
        .printed = c->published ? sign : 1,
    };
}

// -------------------------------------------------------------------------------------------- span

ib_Status ib_linkage_span(ib_LinkageConfig *c, ib_Error *error)
{
    double half = 0.5 * (c->range[1] - c->range[0]), sine, cosine;
    ib_sincos(half, &sine, &cosine);
    if (!(half < 0.5 * PI))
        return ib_error_set(error, IB_BAD_INPUT,
                            "range: %g deg are more than a cylinder turns without a dead point: "
                            "expected less than 180 deg",
                            2 * half / DEGREE);
    double l3 = 0.5 * c->stroke / sine, end_arm = l3 * cosine, middle = 1.5 * c->stroke;
    double needed = sqrt(end_arm * end_arm + middle * middle);
    if (!(c->l1 > needed))
        return ib_error_set(error, IB_BAD_INPUT,
                            "l1: %g m leave no room for a cylinder with a stroke of %g m: expected "
                            "more than %g m",
                            c->l1, c->stroke, needed);
    double l2 = sqrt((c->l1 - end_arm) * (c->l1 + end_arm)) - 0.5 * c->stroke;
    double least = fabs(c->l1 - l3), most = c->l1 + l3;
    double begin = 2 * ib_atan2(sqrt((l2 - least) * (l2 + least)), sqrt((most - l2) * (most + l2)));
    bool lowers = c->extension == IB_LINKAGE_LOWERS;
    c->form = IB_LINKAGE_OFFSET;
    c->l2 = l2;
    c->l3 = l3;
    c->offset = lowers ? begin + c->range[1] : begin - c->range[0];
    return IB_OK;
}

// ---------------------------------------------------------------------------------------- triangle

//   sin pin = l1 sin g/L,     cos pin = (l3 - l1 cos g)/L
//   sin pivot = l3 sin g/L,   cos pivot = (l1 - l3 cos g)/L
ib_LinkageCorners ib_linkage_corners(const ib_LinkageModel *k, double th)
{
    double sine, cosine;
    ib_sincos(k->offset + k->sign * th, &sine, &cosine);
    return (ib_LinkageCorners){.pin = ib_atan2(k->l1 * sine, k->l3 - k->l1 * cosine),
                               .pivot = ib_atan2(k->l3 * sine, k->l1 - k->l3 * cosine)};
}

// The angle from pivot to pin grows by g if s = 1, and falls by it if s = -1.
void ib_linkage_pins(const ib_LinkageModel *k, double direction, double pivot[2], double pin[2])
{
    double sine, cosine;
    ib_sincos(direction, &sine, &cosine);
    pin[0] = k->l3 * cosine;
    pin[1] = k->l3 * sine;
    ib_sincos(direction - k->sign * k->offset, &sine, &cosine);
    pivot[0] = k->l1 * cosine;
    pivot[1] = k->l1 * sine;
}
