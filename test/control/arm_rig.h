// test/control/arm_rig.h: the arm of the reference, its two paths, and what a plan asks of motors
// and battery, found without the planners' own formulas of limits.
#ifndef IB_TEST_ARM_RIG_H
#define IB_TEST_ARM_RIG_H

#include "control/reference_arm.h"
#include "spread.h"

enum { ARM_POINTS = 2001 };

// With the windings of 2 and 3 motors: what limits of current and battery below are chosen for.
static inline ib_ArmPlant wound_arm(void)
{
    return reference_arm_of(2, 3);
}

static inline ib_ArmLimits twelve_volts(void)
{
    return (ib_ArmLimits){
        {12, 12}, {INFINITY, INFINITY}, {INFINITY, INFINITY}, {INFINITY, INFINITY}, 12.6, 0};
}

// ------------------------------------------------------------------------------------------ memory

typedef struct ArmWorkspace {
    ib_ArmPoint points[ARM_POINTS];
    double v[ARM_POINTS], t[ARM_POINTS], work[4 * ARM_POINTS];
    ib_ArmPath path;
    ib_ArmTiming timing;
} ArmWorkspace;

static inline void arm_workspace_init(ArmWorkspace *workspace, int count)
{
    workspace->path = (ib_ArmPath){count, workspace->points};
    workspace->timing = (ib_ArmTiming){workspace->v, workspace->t, workspace->work};
}

static inline double arm_time(const ArmWorkspace *workspace)
{
    return workspace->t[workspace->path.count - 1];
}

// ------------------------------------------------------------------------------------------- paths

// Path A of the reference: straight.
static inline void path_a(ArmWorkspace *workspace, int cells)
{
    const double from[2] = {0.3, -0.5}, to[2] = {1.3, 0.9};
    arm_workspace_init(workspace, cells + 1);
    ib_arm_path_straight(from, to, cells + 1, workspace->points, NULL);
}

// Path B: an arc about (-1.2, -1) of radius 2, from 0.3 to 1.2.
static inline ib_ArmCurvePoint arc_b(const void *context, double p)
{
    (void)context;
    double s = 2 * sin(p), c = 2 * cos(p);
    return (ib_ArmCurvePoint){{-1.2 + c, -1 + s}, {-s, c}, {-c, -s}};
}
static inline void path_b(ArmWorkspace *workspace, int cells)
{
    arm_workspace_init(workspace, cells + 1);
    ib_arm_path_sampled(arc_b, NULL, 0.3, 1.2, cells + 1, workspace->points, NULL);
}

// ------------------------------------------------------------------------------------------- loads

// The most of each limit that is used, as a part of it.
typedef struct ArmLoads {
    double volts, acceleration, current, speed, battery;
    double most; ///< of these
} ArmLoads;

static inline void arm_load(const ib_ArmPlant *arm, const ib_ArmLimits *limits,
                            const ib_ArmSample *sample, ArmLoads *loads)
{
    double P = 0, ellipse = 0, V = 0;
    for (int i = 0; i < 2; i++) {
        // The motors' equation is solved for the voltage here: V = (T + K4 w)/K3.
        double T[2];
        ib_two_link_inverse(&arm->link, sample->th, sample->w, sample->a, arm->gravity, T);
        const ib_GearmotorModel *gear = &arm->gear[i];
        double volts = (T[i] + gear->drag * sample->w[i]) / gear->push;
        double current = (volts - gear->drag / gear->push * sample->w[i]) / gear->R;
        P += volts * current;
        V = fmax(V, fabs(volts));
        ellipse += pow(sample->a[i] / limits->acceleration[i], 2);
        loads->volts = fmax(loads->volts, fabs(volts) / limits->volts[i]);
        loads->current = fmax(loads->current, fabs(current) / limits->current[i]);
        loads->speed = fmax(loads->speed, fabs(sample->w[i]) / limits->speed[i]);
    }
    loads->acceleration = fmax(loads->acceleration, sqrt(ellipse));
    // With the largest of the voltages at full duty, the battery carries P/V: V <= E - R P/V. Below
    // E/2 it gives any power up to E^2/(4 R).
    if (limits->resistance > 0) {
        double E = limits->battery, sag = limits->resistance * P;
        loads->battery = fmax(loads->battery, V > E / 2 ? (V + sag / V) / E : 4 * sag / (E * E));
    }
    loads->most = fmax(fmax(loads->volts, loads->current), fmax(loads->speed, loads->battery));
    loads->most = fmax(loads->most, loads->acceleration);
}

// At `parts` instants of every cell.
static inline ArmLoads arm_loads(const ib_ArmPlant *arm, const ib_ArmLimits *limits,
                                 const ArmWorkspace *workspace, int parts)
{
    ArmLoads loads = {0};
    int hint = 0;
    for (int i = 0; i < workspace->path.count - 1; i++)
        for (int k = 0; k <= parts; k++) {
            double x = (double)k / parts, t = workspace->t[i] * (1 - x) + workspace->t[i + 1] * x;
            ib_ArmSample sample =
                ib_arm_sample(arm, &workspace->path, &workspace->timing, t, &hint);
            arm_load(arm, limits, &sample, &loads);
        }
    return loads;
}

// ------------------------------------------------------------------------------- random and smooth

static uint64_t arm_drawn;

static inline double arm_uniform(double low, double high)
{
    return low + (high - low) * chance_uniform(971, 19, arm_drawn++);
}

// A straight line with waves on it.
typedef struct ArmWaves {
    double from[2], to[2], wave[2][3];
} ArmWaves;

static inline ib_ArmCurvePoint arm_waves(const void *context, double p)
{
    const ArmWaves *waves = context;
    const double pi = 3.14159265358979323846;
    ib_ArmCurvePoint at;
    for (int i = 0; i < 2; i++) {
        double along = waves->to[i] - waves->from[i];
        at.th[i] = waves->from[i] + along * p, at.th_p[i] = along, at.th_pp[i] = 0;
        for (int k = 0; k < 3; k++) {
            double f = pi * (k + 1), c = waves->wave[i][k];
            at.th[i] += c * sin(f * p);
            at.th_p[i] += c * f * cos(f * p);
            at.th_pp[i] -= c * f * f * sin(f * p);
        }
    }
    return at;
}

// The sharpest bend of the way [1/rad]; infinite, if it is none.
static inline double random_path(ArmWorkspace *workspace, int cells)
{
    ArmWaves waves;
    double sharpest = 0;
    for (int i = 0; i < 2; i++) {
        waves.from[i] = arm_uniform(-2, 2);
        waves.to[i] = arm_uniform(-2, 2);
        for (int k = 0; k < 3; k++) waves.wave[i][k] = arm_uniform(-0.3, 0.3) / (k + 1);
    }
    arm_workspace_init(workspace, cells + 1);
    if (ib_arm_path_sampled(arm_waves, &waves, 0, 1, cells + 1, workspace->points, NULL) != IB_OK)
        return INFINITY;
    for (int i = 0; i <= cells; i++)
        sharpest =
            fmax(sharpest, hypot(workspace->points[i].bend[0], workspace->points[i].bend[1]));
    return sharpest;
}

// Limits of all kinds, some of them none.
static inline ib_ArmLimits random_limits(void)
{
    ib_ArmLimits limits = twelve_volts();
    for (int i = 0; i < 2; i++) limits.volts[i] = arm_uniform(6, 13);
    bool ellipse = arm_uniform(0, 1) < 0.5, current = arm_uniform(0, 1) < 0.4,
         speed = arm_uniform(0, 1) < 0.4, sags = arm_uniform(0, 1) < 0.5;
    for (int i = 0; i < 2; i++) {
        if (ellipse) limits.acceleration[i] = arm_uniform(15, 80);
        if (current) limits.current[i] = arm_uniform(120, 300);
        if (speed) limits.speed[i] = arm_uniform(1, 5);
    }
    if (sags) limits.resistance = arm_uniform(0.005, 0.03);
    return limits;
}

#endif
