// test/robot/script.h: what an input does over time, and a run of one robot alone.
#ifndef IB_TEST_SCRIPT_H
#define IB_TEST_SCRIPT_H

#include "sim/sim.h"

typedef struct Knot {
    double t, value; // [s], SI
} Knot;

// Held, or joined by straight lines; times and values go where the caller says.
static inline ib_Timeline script_line(const Knot *knots, int count, bool linear, ib_Time *times,
                                      double *values)
{
    for (int i = 0; i < count; i++) {
        times[i] = ib_time_from_seconds(knots[i].t);
        values[i] = knots[i].value;
    }
    return (ib_Timeline){count, times, values, linear && count > 1};
}

// RK4 at 1 ms, for so long [s].
static inline ib_SimConfig script_run(const ib_RobotConfig *robot, double duration)
{
    return (ib_SimConfig){.title = "rig",
                          .robots = robot,
                          .robot_count = 1,
                          .gravity = 9.80665,
                          .solver = {IB_RK4, 1e-9, 1e-9},
                          .step = IB_SECOND / 1000,
                          .duration = ib_time_from_seconds(duration),
                          .seed = 1};
}

#endif
