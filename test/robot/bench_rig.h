// test/robot/bench_rig.h: mechanisms on a bench under every solver, for the tests of stops,
// friction and chance.
#ifndef IB_TEST_BENCH_RIG_H
#define IB_TEST_BENCH_RIG_H

#include "robot/equipment_rig.h"

#define PI 3.14159265358979323846

// The CIM:  R = V/Is,  Kt = Ts/Is,  Ke = (V - If R)/wf
static const double Jr = 7.75e-5, g0 = 9.80665;
static const double R = 12.0 / 133, Kt = 2.42 / 133;
static const double Ke = (12 - 2.7 * 12 / 133) / (5310 * PI / 30);

static Rig rig;

// One of the fixed steps is far too long for a fall to be seen in it.
static const Method methods[] = {
    {IB_RK4, 1e-9, 1e-3},         {IB_RK4, 1e-9, 20e-3},  {IB_DOPRI5, 1e-12, 0.05},
    {IB_ROSENBROCK, 1e-12, 0.05}, {IB_STIFF, 1e-9, 1e-3},
};
enum { METHODS = sizeof methods / sizeof *methods };

static inline bool fixed(const Method *method)
{
    return !ib_solver_adaptive(method->solver);
}

static inline void begin(const Method *method, double duration)
{
    rig_default(&rig, &ib_bench_kind, duration);
    rig_solver(&rig, method->solver, method->tolerance, method->step);
}

#endif
