#include "control/arm/arm_limits.h"

#include "base/extreme.h"

#include <math.h>

// ------------------------------------------------------------------------------------------- place

//   V = K3^-1 (M a + C(w) - weight + K4 w)
void ib_arm_volts(const ib_ArmPlant *arm, const double th[2], const double w[2], const double a[2],
                  double volts[2])
{
    double T[2];
    ib_two_link_inverse(&arm->link, th, w, a, arm->gravity, T);
    for (int i = 0; i < 2; i++) volts[i] = (T[i] + arm->gear[i].drag * w[i]) / arm->gear[i].push;
}

// Back-EMF of a joint over its speed [V s/rad]: G Ke, which without a loss in the motor is
// drag/push; also for a gear that is known by these two alone.
static double emf(const ib_ArmPlant *arm, int i)
{
    const ib_GearmotorModel *gear = &arm->gear[i];
    return gear->Kv > 0 ? arm->reduction[i] / gear->Kv : gear->drag / gear->push;
}

// A joint that hardly feels u: 1e-9 V s^2/rad, a microvolt at 1000 rad/s^2.
static const double LEAST = 1e-9;

// The bound without any limit is not infinite.
static const double MOST = 1e6;

void ib__arm_frame(const ib_ArmPlant *arm, const ib_ArmLimits *limits, const ib_ArmPoint *point,
                   ib_ArmFrame *frame)
{
    const double *way = point->way, *bend = point->bend;
    ib_TwoLinkPlace at = ib_two_link_place(&arm->link, point->th, arm->gravity);
    double A[2], B[2];
    ib_two_link_inertia(&arm->link, &at, way, A);
    ib_two_link_inertia(&arm->link, &at, bend, B);
    B[0] += at.turning * way[1] * way[1];
    B[1] -= at.turning * way[0] * way[0];
    frame->fastest = INFINITY;
    for (int i = 0; i < 2; i++) {
        double per = 1 / arm->gear[i].push;
        frame->A[i] = A[i] * per;
        frame->B[i] = B[i] * per;
        frame->C[i] = arm->gear[i].drag * way[i] * per;
        frame->D[i] = -at.weight[i] * per;
        frame->per_A[i] = 1 / (fabs(frame->A[i]) > LEAST ? frame->A[i] : LEAST);
        frame->emf[i] = emf(arm, i) * way[i];
        frame->way[i] = way[i];
        frame->bend[i] = bend[i];
        double fastest = limits->speed[i] / fabs(way[i]);
        if (fastest < frame->fastest) frame->fastest = fastest;
    }
}

// ------------------------------------------------------------------------------------------- range

static void narrow(ib_ArmRange *range, double low, double high)
{
    if (low > range->low) range->low = low;
    if (high < range->high) range->high = high;
}

// |A u + q| <= most
static void narrow_line(ib_ArmRange *range, double per_A, double q, double most)
{
    double one = (-most - q) * per_A, other = (most - q) * per_A;
    if (per_A > 0)
        narrow(range, one, other);
    else
        narrow(range, other, one);
}

// The range of a u^2 + 2 b u + c <= 0, a > 0. If it is empty, low and high change places, so that
// the difference grows with the distance from a solution.
static ib_ArmRange below_parabola(double a, double b, double c)
{
    double disc = b * b - a * c, half = sqrt(fabs(disc)) / a, middle = -b / a;
    if (disc < 0) half = -half;
    return (ib_ArmRange){middle - half, middle + half};
}

// (a1/A1)^2 + (a2/A2)^2 <= 1 with a = way u + bend v^2.
static void narrow_ellipse(ib_ArmRange *range, const ib_ArmLimits *limits, const ib_ArmFrame *frame,
                           double v, double share)
{
    double a = 0, b = 0, c = -share * share;
    for (int i = 0; i < 2; i++) {
        double p = frame->way[i] / limits->acceleration[i];
        double r = frame->bend[i] * v * v / limits->acceleration[i];
        a += p * p;
        b += p * r;
        c += r * r;
    }
    ib_ArmRange inside = below_parabola(a > 1e-30 ? a : 1e-30, b, c);
    narrow(range, inside.low, inside.high);
}

// A battery E behind R gives the power P = sum V_i I_i at the voltage
//   U = (E + sqrt(E^2 - 4 R P))/2,   and |V_i| <= U
// P is a parabola in u. For a sign of V = +-V_i:
//   V <= E/2: it is enough that P <= E^2/(4 R), the most there is
//   V >  E/2: R P + V^2 - E V <= 0, a parabola as well, whose inside lies within the other's
// U is concave and |V_i| is convex in u: the allowed u are one range.
typedef struct Sag {
    double a, b, c; ///< R P = a u^2 + 2 b u + c
    double E;
    ib_ArmRange most; ///< where R P <= E^2/4
} Sag;

// One sign of one joint's V = A u + q.
static void narrow_joint(ib_ArmRange *range, const Sag *sag, double A, double q)
{
    double half = 0.5 * sag->E;
    ib_ArmRange most = sag->most, steep;
    steep = below_parabola(sag->a + A * A, sag->b + A * (q - half), sag->c + q * q - sag->E * q);
    if (fabs(A) < LEAST) {
        if (q > half) most = steep;
    } else if (most.low <= most.high) {
        // The steep parabola counts on the side of u = at with the larger V.
        double at = (half - q) / A;
        bool rises = A > 0, low = (at > most.low) != rises, high = (at < most.high) == rises;
        if (low) most.low = steep.low;
        if (high) most.high = steep.high;
    }
    narrow(range, most.low, most.high);
}

// True if u is within the battery's limits.
static bool is_given(const Sag *sag, const ib_ArmFrame *frame, const double q[2], double u,
                     double share)
{
    double most = ib_max(fabs(frame->A[0] * u + q[0]), fabs(frame->A[1] * u + q[1])) / share;
    double sags = (sag->a * u + 2 * sag->b) * u + sag->c;
    return most > 0.5 * sag->E ? sags <= most * (sag->E - most) : 4 * sags <= sag->E * sag->E;
}

static void narrow_battery(ib_ArmRange *range, const ib_ArmPlant *arm, const ib_ArmLimits *limits,
                           const ib_ArmFrame *frame, const double q[2], double v, double share)
{
    Sag sag = {.E = limits->battery};
    for (int i = 0; i < 2; i++) {
        double R = limits->resistance / arm->gear[i].R, A = frame->A[i], e = frame->emf[i] * v;
        sag.a += R * A * A;
        sag.b += R * A * (q[i] - 0.5 * e);
        sag.c += R * q[i] * (q[i] - e);
    }
    // A range is within them if both ends are.
    ib_ArmRange all = *range;
    if (is_given(&sag, frame, q, all.low, share) && is_given(&sag, frame, q, all.high, share))
        return;
    sag.most = below_parabola(ib_max(sag.a, 1e-30), sag.b, sag.c - 0.25 * share * sag.E * sag.E);
    narrow(range, sag.most.low, sag.most.high);
    for (int i = 0; i < 2; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double A = sign * frame->A[i] / share, V = sign * q[i] / share;
            if (ib_max(A * all.low, A * all.high) + V > 0.5 * sag.E)
                narrow_joint(range, &sag, A, V);
        }
}

ib_ArmRange ib__arm_range(const ib_ArmPlant *arm, const ib_ArmLimits *limits,
                          const ib_ArmFrame *frame, double v, double share)
{
    ib_ArmRange range = {-MOST, MOST};
    double q[2];
    for (int i = 0; i < 2; i++) {
        q[i] = (frame->B[i] * v + frame->C[i]) * v + frame->D[i];
        narrow_line(&range, frame->per_A[i], q[i], share * limits->volts[i]);
        // I R = V - back-EMF
        if (limits->current[i] < INFINITY)
            narrow_line(&range, frame->per_A[i], q[i] - frame->emf[i] * v,
                        share * limits->current[i] * arm->gear[i].R);
    }
    if (limits->acceleration[0] < INFINITY || limits->acceleration[1] < INFINITY)
        narrow_ellipse(&range, limits, frame, v, share);
    if (limits->resistance > 0) narrow_battery(&range, arm, limits, frame, q, v, share);
    return range;
}

// -------------------------------------------------------------------------------------------- need

static void take_larger(ib_ArmNeed *need, double part, int joint)
{
    if (part > need->part) *need = (ib_ArmNeed){part, joint};
}

ib_ArmNeed ib__arm_need(const ib_ArmPlant *arm, const ib_ArmLimits *limits,
                        const ib_ArmFrame *frame, double v, double u)
{
    ib_ArmNeed need = {0, 0};
    double V[2], P = 0, a[2], ellipse = 0;
    for (int i = 0; i < 2; i++) {
        V[i] = frame->A[i] * u + (frame->B[i] * v + frame->C[i]) * v + frame->D[i];
        double ir = V[i] - frame->emf[i] * v;
        P += V[i] * ir / arm->gear[i].R;
        a[i] = (frame->way[i] * u + frame->bend[i] * v * v) / limits->acceleration[i];
        ellipse += a[i] * a[i];
        take_larger(&need, fabs(V[i]) / limits->volts[i], i);
        if (limits->current[i] < INFINITY)
            take_larger(&need, fabs(ir) / (limits->current[i] * arm->gear[i].R), i);
        take_larger(&need, fabs(frame->way[i]) * v / limits->speed[i], i);
    }
    take_larger(&need, sqrt(ellipse), fabs(a[1]) > fabs(a[0]));
    // At full duty the battery carries P/V: V + R P/V <= E; below E/2, any power up to the maximum.
    if (limits->resistance > 0) {
        int larger = fabs(V[1]) > fabs(V[0]);
        double E = limits->battery, sag = limits->resistance * P, most = fabs(V[larger]);
        take_larger(&need, most > E / 2 ? (most + sag / most) / E : 4 * sag / (E * E), larger);
    }
    return need;
}
