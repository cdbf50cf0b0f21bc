#include "design/arm/arm_figures.h"

#include "base/extreme.h"

#include <math.h>
#include <stdbool.h>

const char *const ib_arm_binding_names[IB_ARM_BINDINGS] = {
    "volts1", "volts2", "current1", "current2", "speed1", "speed2", "acceleration", "battery"};

// ------------------------------------------------------------------------------------------- peaks

static void take_peak(ib_ArmPeak *peak, double value, double s, double t)
{
    if (fabs(value) > fabs(peak->value)) *peak = (ib_ArmPeak){value, s, t};
}

// The used part of each limit at one instant, and its quantities.
typedef struct Moment {
    double part[IB_ARM_BINDINGS];
    double current[2], power, bus;
} Moment;

// Back-EMF over speed: G Ke; for a gear known by push and drag alone their quotient.
static double back_emf(const ib_ArmPlant *arm, int i)
{
    const ib_GearmotorModel *gear = &arm->gear[i];
    return gear->Kv > 0 ? arm->reduction[i] / gear->Kv : gear->drag / gear->push;
}

//   I = (V - G Ke w)/R,   P = sum V I,   U = (E + sqrt(E^2 - 4 R P))/2
static Moment judge(const ib_ArmPlant *arm, const ib_ArmLimits *limits, const ib_ArmSample *at)
{
    Moment now = {.power = 0};
    double ellipse = 0, E = limits->battery, R = limits->resistance;
    for (int i = 0; i < 2; i++) {
        double a = at->a[i] / limits->acceleration[i];
        now.current[i] = (at->volts[i] - back_emf(arm, i) * at->w[i]) / arm->gear[i].R;
        now.power += at->volts[i] * now.current[i];
        now.part[IB_ARM_BINDS_VOLTS1 + i] = fabs(at->volts[i]) / limits->volts[i];
        now.part[IB_ARM_BINDS_CURRENT1 + i] = fabs(now.current[i]) / limits->current[i];
        now.part[IB_ARM_BINDS_SPEED1 + i] = fabs(at->w[i]) / limits->speed[i];
        ellipse += a * a;
    }
    now.part[IB_ARM_BINDS_ACCELERATION] = sqrt(ellipse);
    now.bus = E;
    if (!(R > 0)) return now;
    double left = E * E - 4 * R * now.power;
    double larger = ib_max(fabs(at->volts[0]), fabs(at->volts[1]));
    now.bus = 0.5 * (E + sqrt(ib_max(left, 0)));
    now.part[IB_ARM_BINDS_BATTERY] = ib_max(larger / now.bus, 4 * R * now.power / (E * E));
    return now;
}

//   hand' = l1 t(th1) w1 + l2 t(th2) w2 with |t| = 1
static double hand_speed(const ib_ArmPlant *arm, const ib_ArmSample *at)
{
    double one = arm->link.length[0] * at->w[0], other = arm->link.length[1] * at->w[1];
    double square = one * one + other * other + 2 * one * other * ib_cos(at->th[0] - at->th[1]);
    return sqrt(ib_max(square, 0));
}

// ----------------------------------------------------------------------------------------- figures

// Adds one sample, with the time `weight`.
static void look(const ib_ArmPlant *arm, const ib_ArmLimits *limits, const ib_ArmSample *at,
                 double s, double t, double weight, ib_ArmFigures *figures)
{
    Moment now = judge(arm, limits, at);
    for (int i = 0; i < 2; i++) {
        take_peak(&figures->volts[i], at->volts[i], s, t);
        take_peak(&figures->current[i], now.current[i], s, t);
        take_peak(&figures->speed[i], at->w[i], s, t);
        take_peak(&figures->acceleration[i], at->a[i], s, t);
    }
    for (int i = 0; i < IB_ARM_BINDINGS; i++) {
        take_peak(&figures->part[i], now.part[i], s, t);
        if (now.part[i] >= IB_ARM_BINDS) figures->binds[i] += weight;
    }
    take_peak(&figures->hand, hand_speed(arm, at), s, t);
    if (figures->samples++ == 0 || now.bus < figures->bus.value)
        figures->bus = (ib_ArmPeak){now.bus, s, t};
    figures->energy += weight * now.power;
}

// A sample within the cell from point i to the next, at x of its time, and its place along
// the path.
typedef struct Place {
    ib_ArmSample at;
    double s, t;
} Place;

static Place place_at(const ib_ArmPlant *arm, const ib_ArmPath *path, const ib_ArmTiming *timing,
                      int i, double x)
{
    const double *v = timing->v + i, *t = timing->t + i;
    double T = t[1] - t[0], ds = path->points[i + 1].s - path->points[i].s;
    int hint = i;
    Place place = {.t = x < 1 ? t[0] + x * T : t[1]};
    place.at = ib_arm_sample(arm, path, timing, place.t, &hint);
    // v' is a straight line in time: s is the cubic through both ends with their speeds.
    double y = 1 - x;
    double part = ds * x * x * (1 + 2 * y) + T * (v[0] * x * y * y - v[1] * x * x * y);
    place.s = path->points[i].s + part;
    return place;
}

void ib_arm_figures(const ib_ArmPlant *arm, const ib_ArmLimits *limits, const ib_ArmPath *path,
                    const ib_ArmTiming *timing, int parts, ib_ArmFigures *figures)
{
    int last = path->count - 1;
    double time = timing->t[last];
    IB_ASSERT(parts >= 1);
    *figures = (ib_ArmFigures){.time = time};
    // The trapezoidal rule in each cell, with each cell's own accelerations at its ends.
    for (int i = 0; i < last; i++) {
        double h = (timing->t[i + 1] - timing->t[i]) / parts;
        for (int k = 0; k <= parts; k++) {
            Place place = place_at(arm, path, timing, i, (double)k / parts);
            double weight = k == 0 || k == parts ? 0.5 * h : h;
            look(arm, limits, &place.at, place.s, place.t, weight, figures);
        }
    }
    for (int i = 0; i < IB_ARM_BINDINGS; i++) figures->binds[i] /= time;
}

ib_ArmBinding ib_arm_figures_tightest(const ib_ArmFigures *figures)
{
    int tightest = 0;
    for (int i = 1; i < IB_ARM_BINDINGS; i++)
        if (figures->part[i].value > figures->part[tightest].value) tightest = i;
    return (ib_ArmBinding)tightest;
}

// ------------------------------------------------------------------------------------------- rerun

typedef struct State {
    double th[2], w[2];
} State;

// T = push V - drag w
static State rate(const ib_ArmPlant *arm, const State *x, const double volts[2])
{
    double T[2];
    State dot;
    for (int i = 0; i < 2; i++) {
        T[i] = arm->gear[i].push * volts[i] - arm->gear[i].drag * x->w[i];
        dot.th[i] = x->w[i];
    }
    ib_two_link_forward(&arm->link, x->th, x->w, T, arm->gravity, dot.w);
    return dot;
}

static State along(const State *x, const State *dot, double h)
{
    State next;
    for (int i = 0; i < 2; i++) {
        next.th[i] = x->th[i] + h * dot->th[i];
        next.w[i] = x->w[i] + h * dot->w[i];
    }
    return next;
}

// A step with the voltages at its begin, its middle and its end.
static State step(const ib_ArmPlant *arm, const State *x, const Place at[3], double h)
{
    State a = rate(arm, x, at[0].at.volts), y = along(x, &a, 0.5 * h);
    State b = rate(arm, &y, at[1].at.volts);
    y = along(x, &b, 0.5 * h);
    State c = rate(arm, &y, at[1].at.volts);
    y = along(x, &c, h);
    State d = rate(arm, &y, at[2].at.volts), mean;
    for (int i = 0; i < 2; i++) {
        mean.th[i] = (a.th[i] + 2 * (b.th[i] + c.th[i]) + d.th[i]) / 6;
        mean.w[i] = (a.w[i] + 2 * (b.w[i] + c.w[i]) + d.w[i]) / 6;
    }
    return along(x, &mean, h);
}

// Both runs of a plan.
typedef struct Rerun {
    const ib_ArmPlant *arm;
    const ib_ArmPath *path;
    const ib_ArmTiming *timing;
    ib_ArmRerun *told;
    State one, other; ///< the other is restarted regularly
    double begun;     ///< its last restart [s]
    bool runs;        ///< the one run still continues
} Rerun;

static const double LONGEST = 0.01;       ///< of a step [s]
enum { MOST_STEPS = 1 << 20, RATIO = 5 }; ///< of the one run

static State state_at(const Place *place)
{
    const ib_ArmSample *at = &place->at;
    return (State){{at->th[0], at->th[1]}, {at->w[0], at->w[1]}};
}

static double farthest(const State *x, const Place *place)
{
    return ib_max(fabs(x->th[0] - place->at.th[0]), fabs(x->th[1] - place->at.th[1]));
}

// Evaluates the one run.
static void judge_run(Rerun *rerun, const Place at[3])
{
    ib_ArmRerun *told = rerun->told;
    for (int j = 0; j < 2; j++) {
        told->missed[j] = rerun->one.th[j] - at[2].at.th[j];
        told->off[j] = ib_max(told->off[j], fabs(told->missed[j]));
    }
    told->ran = at[2].t;
    rerun->runs = farthest(&rerun->one, &at[2]) < IB_ARM_RERUN_LOST && ++told->steps < MOST_STEPS;
}

// Evaluates the other run.
static void judge_drift(const Rerun *rerun, const Place *place)
{
    double off = farthest(&rerun->other, place);
    if (off <= rerun->told->drift.value) return;
    rerun->told->drift = (ib_ArmPeak){off, place->s, place->t};
    for (int j = 0; j < 2; j++) rerun->told->th[j] = place->at.th[j];
}

// Advances from part `x0` to `x1` of the time of cell i.
static void advance(Rerun *rerun, int i, double x0, double x1)
{
    double T = (rerun->timing->t[i + 1] - rerun->timing->t[i]) * (x1 - x0);
    int steps = (int)ib_min(ib_max(ceil(T / LONGEST), 1), MOST_STEPS);
    for (int k = 0; k < steps; k++) {
        Place at[3];
        bool whole = rerun->runs, late = k * T / steps >= RATIO * IB_ARM_RERUN_WHILE;
        if (!whole && late) return;
        for (int m = 0; m < 3; m++)
            at[m] = place_at(rerun->arm, rerun->path, rerun->timing, i,
                             x0 + (x1 - x0) * (k + 0.5 * m) / steps);
        for (int m = 0; m < 6; m++)
            rerun->told->volts[m % 2] =
                ib_max(rerun->told->volts[m % 2], fabs(at[m / 2].at.volts[m % 2]));
        if (at[0].t - rerun->begun >= IB_ARM_RERUN_WHILE) {
            rerun->other = state_at(&at[0]);
            rerun->begun = at[0].t;
        }
        if (whole) {
            rerun->one = step(rerun->arm, &rerun->one, at, T / steps);
            judge_run(rerun, at);
        }
        if (late) continue;
        rerun->other = step(rerun->arm, &rerun->other, at, T / steps);
        judge_drift(rerun, &at[2]);
    }
}

void ib_arm_rerun(const ib_ArmPlant *arm, const ib_ArmPath *path, const ib_ArmTiming *timing,
                  int parts, bool one, ib_ArmRerun *told)
{
    Place begin = place_at(arm, path, timing, 0, 0);
    Rerun rerun = {.arm = arm,
                   .path = path,
                   .timing = timing,
                   .told = told,
                   .one = state_at(&begin),
                   .other = state_at(&begin),
                   .runs = one};
    IB_ASSERT(parts >= 1);
    *told = (ib_ArmRerun){0};
    for (int n = 0; n < (path->count - 1) * parts; n++) {
        int k = n % parts;
        advance(&rerun, n / parts, (double)k / parts, (k + 1.0) / parts);
    }
}
