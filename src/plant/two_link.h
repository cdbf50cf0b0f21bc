// plant/two_link.h: an arm of two links in a vertical plane: its dynamics and kinematics.
// The derivation is in docs/plant/two_link.md.
//
// Angles are absolute, from straight up, positive towards x (forward): the motor of the second link
// stands on the frame and turns it by a belt, so a torque does not act on the other link.
//
// Symbols, for links 1 and 2: th angle, w its rate; l length, r from the joint to the centre of
// mass, m mass, I inertia about the centre of mass; s, c = sine and cosine of th1 - th2.
//
//   alpha = I1 + r1^2 m1 + l1^2 m2,   beta = l1 r2 m2,   gamma = I2 + r2^2 m2    [FRC 971, 2018]
//
//   [alpha   c beta] [w1']   [  s beta w2^2]   [T1 + S1 g sin th1]
//   [c beta   gamma] [w2'] + [ -s beta w1^2] = [T2 + S2 g sin th2]
//
//   S1 = r1 m1 + l1 m2,   S2 = r2 m2
//
// The printed first row of gravity, (r1 m1 + l1 m2) s w1^2, is a slip (docs/plant/two_link.md).
// Rotors of the motors stand on the frame: N G^2 J of each adds to alpha and gamma. A load M in the
// hand adds l1^2 M to alpha, l1 l2 M to beta, l2^2 M to gamma, l1 M to S1 and l2 M to S2.
// Limits: without gravity and torque the angular momentum about the first joint is kept; l1 = 0:
// two pendulums that do not feel each other.
#ifndef IB_PLANT_TWO_LINK_H
#define IB_PLANT_TWO_LINK_H

#include "base/formula.h"
#include "base/maths.h"

#include <stdbool.h>

typedef struct ib_TwoLink {
    double alpha, beta, gamma; ///< [kg m^2]; rotors included
    double first, second;      ///< S1, S2 [kg m]
    double length[2];          ///< l1, l2 [m]
} ib_TwoLink;

// The same with `mass` [kg] in the hand.
IB_FORMULA ib_TwoLink ib_two_link_loaded(const ib_TwoLink *arm, double mass)
{
    ib_TwoLink loaded = *arm;
    double l1 = arm->length[0], l2 = arm->length[1];
    loaded.alpha += mass * l1 * l1;
    loaded.beta += mass * l1 * l2;
    loaded.gamma += mass * l2 * l2;
    loaded.first += mass * l1;
    loaded.second += mass * l2;
    return loaded;
}

// Terms of the equations at one place: torques of gravity, c beta, s beta.
typedef struct ib_TwoLinkPlace {
    double coupling, turning; ///< c beta, s beta [kg m^2]
    double weight[2];         ///< S1 g sin th1, S2 g sin th2 [N m]
    double det;               ///< of the mass matrix, > 0
} ib_TwoLinkPlace;

IB_FORMULA ib_TwoLinkPlace ib_two_link_place(const ib_TwoLink *arm, const double th[2], double g)
{
    double s1, c1, s2, c2;
    ib_sincos(th[0], &s1, &c1);
    ib_sincos(th[1], &s2, &c2);
    double c = c1 * c2 + s1 * s2, s = s1 * c2 - c1 * s2;
    ib_TwoLinkPlace at;
    at.coupling = c * arm->beta;
    at.turning = s * arm->beta;
    at.weight[0] = arm->first * g * s1;
    at.weight[1] = arm->second * g * s2;
    at.det = arm->alpha * arm->gamma - at.coupling * at.coupling;
    return at;
}

// The mass matrix applied to a vector: torques that speed the links up so.
IB_FORMULA void ib_two_link_inertia(const ib_TwoLink *arm, const ib_TwoLinkPlace *at,
                                    const double a[2], double T[2])
{
    T[0] = arm->alpha * a[0] + at->coupling * a[1];
    T[1] = at->coupling * a[0] + arm->gamma * a[1];
}

// Its inverse: accelerations by torques.
IB_FORMULA void ib_two_link_response(const ib_TwoLink *arm, const ib_TwoLinkPlace *at,
                                     const double T[2], double a[2])
{
    double per = 1 / at->det;
    a[0] = (arm->gamma * T[0] - at->coupling * T[1]) * per;
    a[1] = (arm->alpha * T[1] - at->coupling * T[0]) * per;
}

// Accelerations under torques T [N m] on the links.
IB_FORMULA void ib_two_link_forward(const ib_TwoLink *arm, const double th[2], const double w[2],
                                    const double T[2], double g, double a[2])
{
    ib_TwoLinkPlace at = ib_two_link_place(arm, th, g);
    double net[2] = {T[0] + at.weight[0] - at.turning * w[1] * w[1],
                     T[1] + at.weight[1] + at.turning * w[0] * w[0]};
    ib_two_link_response(arm, &at, net, a);
}

// Torques that give these accelerations.
IB_FORMULA void ib_two_link_inverse(const ib_TwoLink *arm, const double th[2], const double w[2],
                                    const double a[2], double g, double T[2])
{
    ib_TwoLinkPlace at = ib_two_link_place(arm, th, g);
    ib_two_link_inertia(arm, &at, a, T);
    T[0] += at.turning * w[1] * w[1] - at.weight[0];
    T[1] -= at.turning * w[0] * w[0] + at.weight[1];
}

// Derivatives of the accelerations by angles, rates and torques.
typedef struct ib_TwoLinkSlopes {
    double a[2]; ///< the accelerations themselves
    double a_th[2][2], a_w[2][2], a_T[2][2];
} ib_TwoLinkSlopes;
void ib_two_link_slopes(const ib_TwoLink *arm, const double th[2], const double w[2],
                        const double T[2], double g, ib_TwoLinkSlopes *slopes);

// Kinetic and potential energy [J]; the potential is 0 where both centres of mass are level with
// the first joint: S1 g cos th1 + S2 g cos th2.
IB_FORMULA double ib_two_link_kinetic(const ib_TwoLink *arm, const double th[2], const double w[2])
{
    double c = ib_cos(th[0] - th[1]);
    return 0.5 * (arm->alpha * w[0] * w[0] + arm->gamma * w[1] * w[1]) +
           c * arm->beta * w[0] * w[1];
}
IB_FORMULA double ib_two_link_potential(const ib_TwoLink *arm, const double th[2], double g)
{
    return g * (arm->first * ib_cos(th[0]) + arm->second * ib_cos(th[1]));
}

// Places of elbow and hand, from the first joint: forward and up [m].
IB_FORMULA void ib_two_link_elbow(const ib_TwoLink *arm, const double th[2], double place[2])
{
    double s, c;
    ib_sincos(th[0], &s, &c);
    place[0] = arm->length[0] * s;
    place[1] = arm->length[0] * c;
}
IB_FORMULA void ib_two_link_hand(const ib_TwoLink *arm, const double th[2], double place[2])
{
    double s, c;
    ib_two_link_elbow(arm, th, place);
    ib_sincos(th[1], &s, &c);
    place[0] += arm->length[1] * s;
    place[1] += arm->length[1] * c;
}

// Inverse kinematics: angles that put the hand there, in (-pi, pi]; `bend` > 0: th1 - th2 is from 0
// to pi, < 0: from -pi to 0. False: out of reach, by `*beyond` [m] (of the nearer end of its
// reach); angles are then those of the nearest place.
bool ib_two_link_reach(const ib_TwoLink *arm, const double place[2], int bend, double th[2],
                       double *beyond);

#endif
