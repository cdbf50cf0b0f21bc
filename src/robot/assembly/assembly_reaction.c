// robot/assembly/assembly_reaction.c: a base that feels what swings on it, and the other way round.
// The equations are in plant/actuator/actuator_sway.c, their derivation in docs/plant/two_link.md.
//
// All of it goes along the base's forward axis, at the place (px, py) where the mechanism is
// mounted: there the base has the speed  u - w py,  and a force F has the torque  -py F.
#include "robot/assembly/assembly_inside.h"

#include "base/maths.h"

#include <string.h>

static const ib_Actuator *swayed(const ib__Assembly *a)
{
    return &a->items[a->swayed];
}

ib_Status ib__assembly_check_reaction(const ib_OutfitConfig *outfit, ib__Assembly *a,
                                      ib_Error *error)
{
    a->swayed = -1;
    for (int i = 0; i < a->count; i++) {
        const ib_MechanismSpec *spec = &outfit->mechanisms.items[i];
        const void *config = &spec->config;
        if (!((const ib_MechanismConfig *)config)->act.reaction) continue;
        if (a->swayed >= 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "mechanisms.%s.reaction: the base feels '%s' already: expected "
                                "true of one mechanism only",
                                spec->name, outfit->mechanisms.items[a->swayed].name);
        if (a->hook >= 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "mechanisms.%s.reaction: the robot hangs by the hook of '%s', and "
                                "no reaction is known there: expected false, or no hook",
                                spec->name, outfit->mechanisms.items[a->hook].name);
        if (!a->base.ports.planar || a->base.ports.input_count > IB__HOISTED_INPUTS ||
            a->base.ports.state_count > IB__SWAYED_STATES)
            return ib_error_set(error, IB_BAD_INPUT,
                                "mechanisms.%s.reaction: a %s does not move: expected false, or a "
                                "base that drives or slides",
                                spec->name, a->base.kind->name);
        a->swayed = i;
    }
    return IB_OK;
}

// What the base alone answers.
static ib_Twist base_answer(const ib__Assembly *a, const double *x, double jx, double jy,
                            double turn, double *change)
{
    const ib_PlanarModel *planar = &a->planar;
    if (a->base.kind->answer) return a->base.kind->answer(a->base.model, x, jx, jy, turn, change);
    return (ib_Twist){jx * planar->per_mass, jy * planar->per_mass, turn * planar->per_inertia};
}

ib_Mount ib__assembly_mount(const ib__Assembly *a, const double *x, const double *input,
                            const double *rate)
{
    const double *place = swayed(a)->config.place;
    ib_Mount base = {0};
    ib_Motion m;
    double s, c;
    ib_planar_motion(&a->planar, x, rate, &m);
    ib_sincos(m.heading, &s, &c);
    ib_Twist one = base_answer(a, x, 1, 0, -place[1], NULL);
    base.give = one.u - one.w * place[1];
    base.speed = m.vx * c + m.vy * s - m.w * place[1];
    if (!rate) return base;
    double ax = m.ax - input[IB_SLOPE_X], ay = m.ay - input[IB_SLOPE_Y];
    base.felt = ax * c + ay * s - m.alpha * place[1] - m.w * m.w * place[0];
    return base;
}

const double *ib__assembly_pushed(const ib__Assembly *a, const double *x, const double *input,
                                  double force, double own[IB__HOISTED_INPUTS])
{
    const double *place = swayed(a)->config.place;
    double s, c;
    ib_sincos(x[a->planar.heading], &s, &c);
    if (input != own) memcpy(own, input, (size_t)a->base.ports.input_count * sizeof *own);
    ib_push_add(own, force * c, force * s, place[0], place[1]);
    return own;
}

// It works with the mean of the speeds before and after.
void ib__assembly_kick(const ib__Assembly *a, double impulse, double *x)
{
    const double *place = swayed(a)->config.place;
    double push[IB_PUSH_COUNT] = {0}, s, c;
    ib_sincos(x[a->planar.heading], &s, &c);
    ib_push_add(push, impulse * c, impulse * s, place[0], place[1]);
    double before = ib__assembly_mount(a, x, NULL, NULL).speed;
    ib_planar_respond(&a->planar, a->base.kind, a->base.model, x, push, x);
    double after = ib__assembly_mount(a, x, NULL, NULL).speed;
    if (a->planar.push_energy >= 0) x[a->planar.push_energy] += impulse * 0.5 * (before + after);
}

// The base would go off with `alone`; the mechanism holds it back with J. Both books have the work
// of it: of a force with the speeds there are, of an impulse with the mean of before and after.
ib_Twist ib__assembly_answer(const ib__Assembly *a, const double *x, double jx, double jy,
                             double turn, double *change)
{
    const ib_Actuator *item = swayed(a);
    double py = item->config.place[1], dv[IB_MECHANISM_JOINTS] = {0};
    double v[IB_MECHANISM_JOINTS] = {0};
    ib_Mount base = ib__assembly_mount(a, x, NULL, NULL);
    ib_Twist alone = base_answer(a, x, jx, jy, turn, NULL);
    double J = ib_actuator_shake(item, x, &base, alone.u - alone.w * py, dv);
    bool impulse = change == x;
    for (int j = 0; j < item->joint_count; j++) v[j] = x[item->speed[j]];
    double P = ib_actuator_momentum(item, x, v), dP = ib_actuator_momentum(item, x, dv);
    ib_Twist both = base_answer(a, x, jx + J, jy, turn - py * J, change);
    double dU = both.u - both.w * py;
    if (!change) return both;
    for (int j = 0; j < item->joint_count; j++) change[item->speed[j]] += dv[j];
    change[item->books + IB_ACTUATOR_GIVEN] += dU * (P + (impulse ? 0.5 * dP : 0));
    if (a->planar.push_energy >= 0)
        change[a->planar.push_energy] += J * (base.speed + (impulse ? 0.5 * dU : 0));
    return both;
}
