// control/arm/arm_act.c: from estimates to volts along a table, at the pace that the volts allow.
#include "base/extreme.h"
#include "control/arm/arm_follow.h"

#include <math.h>
#include <string.h>

// Volts over p': u = base + slope p'.
typedef struct Demand {
    double base[2], slope[2], limit;
} Demand;

// Threshold below which a joint does not feel p': a microvolt of a pace's effect.
static const double FEELS = 1e-7;

static double worst(const Demand *demand, double rate)
{
    double a = fabs(demand->base[0] + demand->slope[0] * rate);
    double b = fabs(demand->base[1] + demand->slope[1] * rate);
    return ib_max(a, b);
}

// The p' with the least of the larger voltage: where one of them is 0, where both are equal, or at
// an end.
static double least_rate(const Demand *demand, double low, double high)
{
    const double *b = demand->base, *s = demand->slope;
    const double up[4] = {-b[0], -b[1], b[1] - b[0], -b[1] - b[0]};
    const double down[4] = {s[0], s[1], s[0] - s[1], s[0] + s[1]};
    double best = worst(demand, high) < worst(demand, low) ? high : low;
    for (int i = 0; i < 4; i++) {
        if (!(fabs(down[i]) > FEELS)) continue;
        double rate = ib_min(ib_max(up[i] / down[i], low), high);
        if (worst(demand, rate) < worst(demand, best)) best = rate;
    }
    return best;
}

// The p' nearest to the one wanted that keeps both voltages within the limit.
static double choose_rate(const Demand *demand, double low, double high, double wanted)
{
    double from = low, to = high;
    for (int i = 0; i < 2; i++) {
        double b = demand->base[i], s = demand->slope[i];
        if (!(fabs(s) > FEELS)) continue;
        double one = (-demand->limit - b) / s, other = (demand->limit - b) / s;
        from = ib_max(from, ib_min(one, other));
        to = ib_min(to, ib_max(one, other));
    }
    if (from > to) return least_rate(demand, low, high);
    return ib_min(ib_max(wanted, from), to);
}

// Volts for the middle of the period: they are held over it.
//   V = K3^-1 (M(th) (p^2 a + p' w) + C(th, p w) - weight + K4 p w)
static void demand_of(const ib_ArmPlant *arm, const ib_ArmTable *table, double middle, double p,
                      Demand *demand)
{
    ib_ArmReference at;
    double w[2], a[2], T[2];
    ib_arm_table_at(table, middle, &at);
    for (int i = 0; i < 2; i++) {
        w[i] = p * at.w[i];
        a[i] = p * p * at.a[i];
    }
    ib_arm_volts(arm, at.th, w, a, demand->base);
    ib_TwoLinkPlace place = ib_two_link_place(&arm->link, at.th, arm->gravity);
    ib_two_link_inertia(&arm->link, &place, at.w, T);
    for (int i = 0; i < 2; i++) demand->slope[i] = T[i] / arm->gear[i].push;
}

bool ib_arm_follow_act(const ib_ArmPlant *arm, const ib_ArmTable *table, double period,
                       double limit, const double x[IB_ARM_X], ib_ArmPace *pace, double volts[2],
                       ib_ArmReference *reference)
{
    double p = pace->pace, end = ib_arm_table_end(table);
    Demand demand = {.limit = limit};
    ib_arm_table_at(table, pace->t, reference);
    demand_of(arm, table, pace->t + 0.5 * p * period, p, &demand);
    for (int i = 0; i < 2; i++) {
        const double *K = reference->K[i];
        demand.base[i] += K[0] * (reference->th[0] - x[IB_ARM_TH1]) +
                          K[1] * (p * reference->w[0] - x[IB_ARM_W1]) +
                          K[2] * (reference->th[1] - x[IB_ARM_TH2]) +
                          K[3] * (p * reference->w[1] - x[IB_ARM_W2]) - x[IB_ARM_E1 + i];
    }
    double high = ib_min(IB_ARM_PACE_RATE, (1 - p) / period);
    double low = ib_min(ib_max(ib_max(pace->low, -IB_ARM_PACE_RATE), -p / period), high);
    double wanted = ib_min(ib_max((pace->wanted - p) / period, low), high);
    double rate = choose_rate(&demand, low, high, wanted);
    bool cut = false;
    for (int i = 0; i < 2; i++) {
        double u = demand.base[i] + demand.slope[i] * rate;
        volts[i] = ib_min(ib_max(u, -limit), limit);
        cut = cut || volts[i] != u;
    }
    pace->t = ib_min(pace->t + period * (p + 0.5 * rate * period), end);
    pace->pace = ib_min(ib_max(p + rate * period, 0), 1);
    return cut;
}
