// plant/linkage.h: a cylinder that turns a joint: stroke and angle, force and torque, both ways.
// The derivation is in docs/plant/linkage.md.
//
// Joint, pivot of the cylinder and pin of its rod are the corners of a triangle:
//
//   l1 from the joint to the pivot, l3 from the joint to the pin, l2 + x from the pivot to the pin
//   g = g0 + s th              angle between l1 and l3; s = 1 or -1    [thesis 5.2.2, 5.2.4, 5.2.6]
//   L = l2 + x = sqrt(l1^2 + l3^2 - 2 l1 l3 cos g)                     [thesis 5.2.1]
//   dx/dth = s l1 l3 sin g/L,   d2x/dth2 = (l1 l3 cos g - (dx/dth)^2)/L
//   T = F dx/dth               virtual work                            [thesis 5.2.7 to 9, errata]
//
// so that F x' = T th': the linkage conserves power. At g = 0 or 180 degrees, its dead points, it
// has no arm. The linear law puts a straight line through both ends of the joint's range: dx/dth =
// s stroke/range.
//
//   Symbols: th angle of the joint [rad], x how far the rod is out [m], F force of the cylinder
//            towards extension [N], T torque towards greater th [N m]
#ifndef IB_PLANT_LINKAGE_H
#define IB_PLANT_LINKAGE_H

#include "base/extreme.h"
#include "base/maths.h"
#include "base/schema.h"

#include <math.h>

typedef enum ib_LinkageLaw {
    IB_LINKAGE_EXACT,  ///< the triangle
    IB_LINKAGE_LINEAR, ///< a straight line between the ends of the range
} ib_LinkageLaw;
extern const char *const ib_linkage_laws[]; ///< their words in a file

// Parameters for g0 and s.
typedef enum ib_LinkageForm {
    IB_LINKAGE_OFFSET, ///< by `offset` and `extension`
    IB_LINKAGE_ALPHA,  ///< g = asin(l5/l1) - acos(l4/l3) + th              [thesis 5.2.2]
    IB_LINKAGE_BETA,   ///< g = pi - asin(l5/l1) - acos(l4/l3) + th         [thesis 5.2.4]
    IB_LINKAGE_GAMMA,  ///< g = pi - asin(l4/l1) - th                       [thesis 5.2.6]
} ib_LinkageForm;
extern const char *const ib_linkage_forms[];

// The direction of the joint's angle as the rod extends.
typedef enum ib_LinkageExtension { IB_LINKAGE_RAISES, IB_LINKAGE_LOWERS } ib_LinkageExtension;
extern const char *const ib_linkage_extensions[];

typedef struct ib_LinkageConfig {
    int given;         ///< by a preset or a map
    int law;           ///< ib_LinkageLaw
    int form;          ///< ib_LinkageForm
    double l1, l2, l3; ///< [m], > 0; l2 between the pins with the rod all the way in, > stroke
    double offset;     ///< g0 [rad], of form `offset`
    int extension;     ///< ib_LinkageExtension, of form `offset`
    double l4, l5;     ///< [m], of the other forms; gamma has no l5
    double range[2];   ///< of the joint [rad], low < high
    double stroke;     ///< of the cylinder [m], > 0
    bool published;    ///< T with the printed sign, which is wrong where extension lowers (gamma)
} ib_LinkageConfig;

typedef struct ib_LinkageModel {
    double l1, l2, l3;
    double squares;     ///< l1^2 + l3^2 [m^2]
    double product;     ///< l1 l3 [m^2]
    double least, most; ///< |l1 - l3| and l1 + l3: L is between them [m]
    double offset;      ///< g0 [rad]
    double sign;        ///< s
    double range[2];    ///< [rad]
    double stroke;      ///< [m]
    bool linear;
    double start, slope; ///< of the straight line  x = start + slope th
    double printed; ///< -1: T is published with the sign that virtual work does not give; else 1
} ib_LinkageModel;

ib_Status ib_linkage_check(const ib_LinkageConfig *config, ib_Error *error);
void ib_linkage_init(const ib_LinkageConfig *config, ib_LinkageModel *linkage);

// g0 [rad] and s of any form, whose numbers were checked.
void ib_linkage_offset(const ib_LinkageConfig *config, double *offset, double *sign);

// Finds l2, l3 and the offset with which a stroke spans the range exactly, with the same arm at
// both ends; `config` has l1, stroke, range and extension, and becomes one of form `offset`:
//   l3 = stroke/(2 sin(D/2)),   l1^2 = (l3 cos(D/2))^2 + (l2 + stroke/2)^2,   D = high - low
// The arm is l3 cos(D/2) at the ends and l3 between them. Impossible triangles are refused.
ib_Status ib_linkage_span(ib_LinkageConfig *config, ib_Error *error);

// ------------------------------------------------------------------------------------------ motion

typedef struct ib_LinkageNow {
    double x;     ///< extension of the rod [m]
    double arm;   ///< dx/dth [m/rad], which is T/F [m]
    double curve; ///< d2x/dth2 [m/rad^2]
} ib_LinkageNow;

IB_FORMULA ib_LinkageNow ib_linkage_at(const ib_LinkageModel *k, double th)
{
    ib_LinkageNow now;
    if (k->linear) {
        now.x = k->start + k->slope * th;
        now.arm = k->slope;
        now.curve = 0;
        return now;
    }
    double sine, cosine;
    ib_sincos(k->offset + k->sign * th, &sine, &cosine);
    double length = sqrt(k->squares - 2 * k->product * cosine), per = 1 / length;
    now.x = length - k->l2;
    now.arm = k->sign * k->product * sine * per;
    now.curve = (k->product * cosine - now.arm * now.arm) * per;
    return now;
}

// T = F dx/dth; with `published` F l1 l3 sin g/L as printed, of either sign of s.
IB_FORMULA double ib_linkage_torque(const ib_LinkageModel *k, const ib_LinkageNow *now,
                                    double force)
{
    return k->printed * force * now->arm;
}

// The inverse: th of x. With half the angle, which is well behaved near both dead points:
//   tan(g/2) = sqrt((L^2 - (l1 - l3)^2)/((l1 + l3)^2 - L^2))
// The angle of a rod beyond the triangle is that of the dead point there.
IB_FORMULA double ib_linkage_angle(const ib_LinkageModel *k, double x)
{
    if (k->linear) return (x - k->start) / k->slope;
    double L = ib_min(ib_max(k->l2 + x, k->least), k->most);
    double over = (L - k->least) * (L + k->least), under = (k->most - L) * (k->most + L);
    return k->sign * (2 * ib_atan2(sqrt(over), sqrt(under)) - k->offset);
}

// ---------------------------------------------------------------------------------------- triangle

// The other two angles of the triangle [rad]. At the pin, between rod and l3: lambda_1 of thesis
// 5.2.7, past a right angle too, where an arcsine would fold it back. At the pivot, between
// cylinder and l1: the swing of the cylinder.
typedef struct ib_LinkageCorners {
    double pin, pivot;
} ib_LinkageCorners;
ib_LinkageCorners ib_linkage_corners(const ib_LinkageModel *linkage, double th);

// Places of pivot and pin in the plane across the joint's axis, for an equivalent body in three
// dimensions: the pivot in the frame of the joint's carrier, the pin in that of the turning body,
// which are one at th = 0. `direction` [rad] is that of the pin, in its frame. The distance between
// them is l2 + x at every angle, with the triangle's x also for the linear law.
void ib_linkage_pins(const ib_LinkageModel *linkage, double direction, double pivot[2],
                     double pin[2]);

// -------------------------------------------------------------------------------------- parameters

extern const ib_PresetDef ib_linkage_presets; ///< the entries of data/linkages.yaml

// Says which key, behind the rows' own, keeps "l4" from acting, as ib_Schema.idle does; NULL: none.
const char *ib_linkage_idle(const ib_LinkageConfig *config, const char *key);

enum { IB_LINKAGE_ROW_COUNT = 12 };

// Under a key such as "alpha.linkage", for a config struct that holds an ib_LinkageConfig in `part`
// and whose default is the preset `name`.
#define IB_LINKAGE_ROWS(key, name, config, part)                                                   \
    IB_ROW(key, IB_PARAM_PRESET, "1", name, 0, 0, &ib_linkage_presets, config, part.given,         \
           "how a cylinder turns the joint: a preset of data/linkages.yaml or a map"),             \
        IB_CHOICE_OF(key ".law", "exact", ib_linkage_laws, config, part.law,                       \
                     "exact: the triangle of joint, pivot and rod; linear: a straight line "       \
                     "between the ends of the range, and a constant arm"),                         \
        IB_CHOICE_OF(key ".form", "offset", ib_linkage_forms, config, part.form,                   \
                     "how the angle at the joint is told: by offset, or by l4 and l5 as the "      \
                     "thesis has them for its alpha, beta and gamma joints"),                      \
        IB_NUMBER_OF(key ".l1", "m", NULL, 1e-4, 100, config, part.l1,                             \
                     "from the joint to the pivot of the cylinder"),                               \
        IB_NUMBER_OF(key ".l2", "m", NULL, 1e-4, 100, config, part.l2,                             \
                     "from that pivot to the pin of the rod, the rod all the way in"),             \
        IB_NUMBER_OF(key ".l3", "m", NULL, 1e-4, 100, config, part.l3,                             \
                     "from the joint to the pin of the rod"),                                      \
        IB_NUMBER_OF(key ".offset", "rad", "0 rad", -6.3, 6.3, config, part.offset,                \
                     "angle between l1 and l3 where that of the joint is 0, of form offset"),      \
        IB_CHOICE_OF(key ".extension", "raises", ib_linkage_extensions, config, part.extension,    \
                     "what an extending rod does to the angle of the joint, of form offset"),      \
        IB_NUMBER_OF(                                                                              \
            key ".l4", "m", "0 m", 0, 100, config, part.l4,                                        \
            "of forms alpha and beta the part of l3 that gives phi1, of gamma that of l1 "         \
            "that gives phi2"),                                                                    \
        IB_NUMBER_OF(key ".l5", "m", "0 m", 0, 100, config, part.l5,                               \
                     "of forms alpha and beta the part of l1 that gives phi2"),                    \
        IB_ROW(key ".range", IB_PARAM_PAIR, "rad", NULL, -6.3, 6.3, NULL, config, part.range,      \
               "angles at which the joint stops"),                                                 \
        IB_NUMBER_OF(key ".stroke", "m", NULL, 1e-4, 10, config, part.stroke,                      \
                     "way of the rod from end to end")

#endif
