#include "base/extreme.h"
#include "base/maths.h"
#include "control/arm/arm_polyline.h"

#include <math.h>
#include <stdbool.h>

// A way of the hand as one of the joints. Symbols: h(p) the place of the hand after the length p, J
// the slopes of the hand to the angles, w = dth/dp:
//   w = J^-1 h',   dw/dp = J^-1 (h" + l1 e1 w1^2 + l2 e2 w2^2)     e = (sin th, cos th) of a link
//   J = (l1 n1, l2 n2),   n = (cos th, -sin th),   det J = l1 l2 sin(th1 - th2)
// Limit: the arm stretched or folded: det J = 0, the joints would have to be infinitely fast.

enum { LOOKS = 1024 }; ///< places at which the way is checked before

typedef struct HandWay {
    const ib_TwoLink *arm;
    ib_ArmPolyline line;
    int bend;                  ///< sign of sin(th1 - th2)
    double seen[LOOKS + 1][2]; ///< angles there, without a jump by a turn [rad]
} HandWay;

// The angles for a place of the hand, of all turns the nearest to `near`. False: out of reach.
static bool angles_at(const HandWay *way, const double place[2], const double near[2], double th[2])
{
    const double turn = 6.283185307179586;
    double beyond;
    bool reached = ib_two_link_reach(way->arm, place, way->bend, th, &beyond);
    for (int i = 0; i < 2; i++) th[i] += turn * round((near[i] - th[i]) / turn);
    return reached;
}

static ib_ArmCurvePoint hand_at(const void *context, double p)
{
    const HandWay *way = context;
    ib_ArmCurvePoint hand = ib__arm_polyline_at(&way->line, p), at;
    double l1 = way->arm->length[0], l2 = way->arm->length[1], s1, c1, s2, c2;
    int look = (int)(p / way->line.total * LOOKS + 0.5);
    angles_at(way, hand.th, way->seen[look < 0 ? 0 : look > LOOKS ? LOOKS : look], at.th);
    ib_sincos(at.th[0], &s1, &c1);
    ib_sincos(at.th[1], &s2, &c2);
    double per = 1 / (s1 * c2 - c1 * s2), w1, w2;
    w1 = at.th_p[0] = -(s2 * hand.th_p[0] + c2 * hand.th_p[1]) * per / l1;
    w2 = at.th_p[1] = (s1 * hand.th_p[0] + c1 * hand.th_p[1]) * per / l2;
    double x = hand.th_pp[0] + l1 * s1 * w1 * w1 + l2 * s2 * w2 * w2;
    double z = hand.th_pp[1] + l1 * c1 * w1 * w1 + l2 * c2 * w2 * w2;
    at.th_pp[0] = -(s2 * x + c2 * z) * per / l1;
    at.th_pp[1] = (s1 * x + c1 * z) * per / l2;
    return at;
}

// Looks along the way: is it within reach, and nowhere stretched or folded?
static ib_Status look_along(HandWay *way, const double from[2], ib_Error *error)
{
    double l1 = way->arm->length[0], l2 = way->arm->length[1];
    for (int k = 0; k <= LOOKS; k++) {
        double p = way->line.total * k / LOOKS, *th = way->seen[k];
        ib_ArmCurvePoint hand = ib__arm_polyline_at(&way->line, p);
        bool reached = angles_at(way, hand.th, k ? way->seen[k - 1] : from, th);
        if (reached && fabs(ib_sin(th[0] - th[1])) >= IB_ARM_STRETCHED) continue;
        return ib_error_set(error, IB_BAD_INPUT,
                            "the hand cannot go straight there: at x = %.4g m, z = %.4g m, %.4g m "
                            "from the first joint, %s; expected a line that stays between %.4g m "
                            "and %.4g m, or 'joints' in place of 'hand'",
                            hand.th[0], hand.th[1],
                            sqrt(hand.th[0] * hand.th[0] + hand.th[1] * hand.th[1]),
                            reached ? "the arm is stretched or folded" : "it is out of reach",
                            fabs(l1 - l2), l1 + l2);
    }
    return IB_OK;
}

ib_Status ib_arm_shape_hand_fine(const ib_TwoLink *arm, const ib_ArmPlaces *places, double radius,
                                 ib_ArmWorkspace *workspace, ib_Error *error)
{
    int last = places->count - 1;
    ib_ArmPlaces hands = {.count = places->count};
    HandWay way = {.arm = arm};
    IB_ASSERT(last >= 1 && places->count <= IB_ARM_PLACES && radius > 0);
    for (int k = 0; k <= last; k++) {
        int bend = ib_sin(places->th[k][0] - places->th[k][1]) < 0 ? -1 : 1;
        ib_two_link_hand(arm, places->th[k], hands.th[k]);
        if (k == 0) way.bend = bend;
        if (bend != way.bend)
            return ib_error_set(error, IB_BAD_INPUT,
                                "place %d of a way has the elbow bent to the other side than place "
                                "1: expected one side for all, or 'joints' in place of 'hand'",
                                k + 1);
    }
    if (ib__arm_polyline_init(&hands, radius, "m", &way.line, error) != IB_OK) return IB_BAD_INPUT;
    if (look_along(&way, places->th[0], error) != IB_OK) return IB_BAD_INPUT;
    for (int i = 0; i < 2; i++)
        if (fabs(way.seen[LOOKS][i] - places->th[last][i]) > 1e-6)
            return ib_error_set(error, IB_BAD_INPUT,
                                "the hand goes straight to place %d with theta%d = %.6g rad, where "
                                "it is asked to be %.6g rad: expected the turn that is nearer",
                                last + 1, i + 1, way.seen[LOOKS][i], places->th[last][i]);
    ib_Status status = ib_arm_path_fine(hand_at, &way, 0, way.line.total, workspace, error);
    for (int i = 0; i < 2 && status == IB_OK; i++) {
        workspace->points[0].th[i] = places->th[0][i];
        workspace->points[workspace->count - 1].th[i] = places->th[last][i];
    }
    return status;
}
