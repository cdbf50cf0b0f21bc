// robot/quadruped/quadruped_parts.c: bodies besides the thesis's capsules: a coxa that is not
// symmetric, the thorax, wheels; and which of all bodies cannot be.
#include "base/maths.h"
#include "robot/quadruped/quadruped_inside.h"

#include <math.h>
#include <stdio.h>

const char *const ib__wheel_names[IB_QUADRUPED_WHEELS] = {"wheel.left", "wheel.right"};

static const char *const link_names[IB_LIMB_JOINTS] = {"coxa", "femur", "tibia"};

// ------------------------------------------------------------------------------------------- links

static double capsule_mass(const ib_CapsuleConfig *capsule)
{
    ib_LinkPart part = {
        .form = IB_LINK_CAPSULE, .radius = capsule->radius, .length = capsule->length};
    return capsule->density * ib_link_volume(&part);
}

// The thesis calls the coxa one reasonably asymmetric component (6.4) and prints none of its sizes.
// Ours has what the joints need, r being the radius of the thesis's capsule: a hub around the alpha
// axis, a beam to a hub around the beta axis, the lever that the alpha cylinder pulls, a bracket for
// the beta cylinder. All are of one density, with which they weigh what the capsules do.
int ib__quadruped_coxa(const ib_QuadrupedConfig *config, ib_LinkPart parts[IB__COXA_PARTS])
{
    double r = config->coxa.radius, a1 = config->a1, d1 = config->d1;
    double arm = config->joints[IB_LIMB_ALPHA].linkage.l3, other[2], pivot[2], pin[2], volume = 0;
    ib_LinkageModel alpha, beta;
    ib_linkage_init(&config->joints[IB_LIMB_BETA].linkage, &beta);
    ib__quadruped_pins(&beta, IB_LIMB_BETA, pivot, pin);
    ib_linkage_init(&config->joints[IB_LIMB_ALPHA].linkage, &alpha);
    ib__quadruped_pins(&alpha, IB_LIMB_ALPHA, other, pin);
    double beam = 0.5 * d1, high = d1 - pivot[1]; // beta's y points down from the coxa
    double bracket = fmax(fabs(high - beam), 0.1 * r);
    const ib_LinkPart all[IB__COXA_PARTS] = {
        {.form = IB_LINK_CYLINDER, .radius = r, .length = 2 * r + fabs(d1), .place = {0, 0, beam}},
        {.form = IB_LINK_BOX, .size = {fmax(a1, r), r, r}, .place = {0.5 * a1, 0, beam}},
        {.form = IB_LINK_BOX,
         .size = {arm, 0.5 * r, 0.5 * r},
         .place = {0.5 * pin[0], 0.5 * pin[1], 0},
         .attitude = {ib_atan2(pin[1], pin[0]), 0, 0}},
        {.form = IB_LINK_CYLINDER,
         .radius = r,
         .length = 2 * r,
         .place = {a1, 0, d1},
         .attitude = {0, 0, IB_SOLID_LYING}},
        {.form = IB_LINK_BOX,
         .size = {0.5 * r, 0.5 * r, bracket},
         .place = {a1 + pivot[0], 0, 0.5 * (beam + high)}},
    };
    for (int i = 0; i < IB__COXA_PARTS; i++) volume += ib_link_volume(&all[i]);
    for (int i = 0; i < IB__COXA_PARTS; i++) {
        parts[i] = all[i];
        parts[i].density = (capsule_mass(&config->coxa) + capsule_mass(&config->hip)) / volume;
    }
    return IB__COXA_PARTS;
}

ib_Link ib__quadruped_thorax(const ib_QuadrupedConfig *config)
{
    bool coded = config->inertia == IB_INERTIA_SRLIB;
    ib_Link thorax;
    ib_LinkPart part = {.form = coded ? IB_LINK_SRLIB_CAPSULE : IB_LINK_CAPSULE,
                        .radius = config->thorax_radius,
                        .length = config->thorax_length,
                        .mass = config->thorax_mass,
                        .attitude = {0, IB_SOLID_LYING, 0}};
    ib_link_init(&part, 1, &thorax);
    return thorax;
}

ib_Link ib__quadruped_wheel(const ib_QuadrupedConfig *config)
{
    ib_Link wheel;
    ib_LinkPart part = {.form = IB_LINK_CYLINDER,
                        .radius = config->wheels.radius,
                        .length = config->wheels.width,
                        .mass = config->wheels.mass,
                        .attitude = {0, 0, IB_SOLID_LYING}};
    ib_link_init(&part, 1, &wheel);
    return wheel;
}

void ib__quadruped_axle(const ib_QuadrupedConfig *config, int wheel, double place[3])
{
    place[0] = -config->wheels.behind;
    place[1] = (wheel ? -1 : 1) * config->wheels.across;
    place[2] = -config->wheels.down;
}

// ------------------------------------------------------------------------------------------- check

// The foot that the kinematics knows has to be the round end that touches the ground.
static ib_Status check_foot(const ib_QuadrupedConfig *config, ib_Error *error)
{
    double end = config->tibia_centre + 0.5 * config->tibia.length;
    if (fabs(end - config->a3) <= 1e-3) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "leg.a3: the foot would be %g m from the gamma axis, but the tibia's round "
                        "end is at %g m (tibia.centre + tibia.length/2): expected the same",
                        config->a3, end);
}

ib_Status ib__quadruped_check_links(const ib_QuadrupedConfig *config, ib_Error *error)
{
    ib_Link links[IB_LIMB_JOINTS];
    ib_quadruped_links(config, links);
    for (int i = 0; i < IB_LIMB_JOINTS; i++) {
        ib_Status status = ib_link_check_body(&links[i], error);
        if (status == IB_OK) continue;
        bool given = config->inertia == IB_INERTIA_EXPLICIT;
        ib_Error why = *error;
        return ib_error_set(error, status, "%s%s.%s", given ? "explicit." : "", link_names[i],
                            why.text);
    }
    return check_foot(config, error);
}
