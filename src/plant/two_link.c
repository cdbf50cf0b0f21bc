// plant/two_link.c: slopes of an arm of two links, and its inverse kinematics.
#include "plant/two_link.h"

#include "base/extreme.h"

#include <math.h>

// M a = n(th, w, T), so  M a_y = n_y - M_y a  for y one of the angles, rates and torques:
//   n = (T1 + S1 g sin th1 - s beta w2^2, T2 + S2 g sin th2 + s beta w1^2)
// with d(s beta) = c beta (d th1 - d th2) and d(c beta) = -s beta (d th1 - d th2).
void ib_two_link_slopes(const ib_TwoLink *arm, const double th[2], const double w[2],
                        const double T[2], double g, ib_TwoLinkSlopes *slopes)
{
    ib_TwoLinkPlace at = ib_two_link_place(arm, th, g);
    double C = at.coupling, S = at.turning, *a = slopes->a, column[2];
    double net[2] = {T[0] + at.weight[0] - S * w[1] * w[1], T[1] + at.weight[1] + S * w[0] * w[0]};
    ib_two_link_response(arm, &at, net, a);

    double by_apart[2] = {S * a[1] - C * w[1] * w[1], S * a[0] + C * w[0] * w[0]};
    double level[2] = {arm->first * g * ib_cos(th[0]), arm->second * g * ib_cos(th[1])};
    const double by[2][2] = {{by_apart[0] + level[0], by_apart[1]},
                             {-by_apart[0], level[1] - by_apart[1]}};
    const double by_w[2][2] = {{0, 2 * S * w[0]}, {-2 * S * w[1], 0}};
    const double by_T[2][2] = {{1, 0}, {0, 1}};
    for (int j = 0; j < 2; j++) {
        ib_two_link_response(arm, &at, by[j], column);
        for (int i = 0; i < 2; i++) slopes->a_th[i][j] = column[i];
        ib_two_link_response(arm, &at, by_w[j], column);
        for (int i = 0; i < 2; i++) slopes->a_w[i][j] = column[i];
        ib_two_link_response(arm, &at, by_T[j], column);
        for (int i = 0; i < 2; i++) slopes->a_T[i][j] = column[i];
    }
}

static double angle_of(double cosine)
{
    double c = ib_min(ib_max(cosine, -1), 1);
    return ib_atan2(sqrt((1 - c) * (1 + c)), c);
}

// With d the distance of the hand: the angle at the first joint between the first link and the way
// to the hand is u, that at the hand's side v, by the law of cosines:
//   cos u = (d^2 + l1^2 - l2^2)/(2 d l1),   th1 = direction + bend u,   th2 = direction - bend v
bool ib_two_link_reach(const ib_TwoLink *arm, const double place[2], int bend, double th[2],
                       double *beyond)
{
    double l1 = arm->length[0], l2 = arm->length[1];
    double d = sqrt(place[0] * place[0] + place[1] * place[1]), far = l1 + l2, near = fabs(l1 - l2);
    double direction = ib_atan2(place[0], place[1]), sign = bend < 0 ? -1 : 1;
    *beyond = ib_max(ib_max(d - far, near - d), 0);
    double held = ib_min(ib_max(d, near), far);
    if (!(held > 0)) held = 1e-300; // l1 = l2, the hand at the joint: every direction will do
    double cu = (held * held + l1 * l1 - l2 * l2) / (2 * held * l1);
    double cv = (held * held + l2 * l2 - l1 * l1) / (2 * held * l2);
    th[0] = direction + sign * angle_of(cu);
    th[1] = direction - sign * angle_of(cv);
    for (int i = 0; i < 2; i++) {
        const double turn = 6.283185307179586;
        if (th[i] > 0.5 * turn) th[i] -= turn;
        if (th[i] <= -0.5 * turn) th[i] += turn;
    }
    return *beyond == 0;
}
