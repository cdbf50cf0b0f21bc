// bench/cylinder/setup.h: the cylinder of the benchmark: the thesis's rig, what its valve is told,
// and its run through the simulation.
#ifndef IB_BENCH_CYLINDER_SETUP_H
#define IB_BENCH_CYLINDER_SETUP_H

#include "robot/cylinder_rig/cylinder_rig.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline void print(const char *key, const char *figure, double value, const char *unit)
{
    printf("cylinder.%s.%s %.6g %s\n", key, figure, value, unit);
}

static inline void give_up(const char *why)
{
    fprintf(stderr, "bench_cylinder: %s\n", why);
    exit(1);
}

typedef struct Pair {
    const char *key, *text;
} Pair;

// The thesis's rig; `pairs` change it, the last one is {NULL, NULL}.
ib_CylinderRigConfig setup_rig(const Pair *pairs);

// ---------------------------------------------------------------------------------------- commands

enum { MILLISECONDS = 10000 };

typedef struct Course {
    const char *key;
    void (*command)(double *volts);
    Pair start[3];
    double volts[MILLISECONDS]; // of the valve, one a millisecond
} Course;

enum { COURSE_MOVING, COURSE_T10, COURSES };
extern Course courses[COURSES];

// The commands of all.
void courses_fill(void);

// -------------------------------------------------------------------------- through the simulation

typedef struct Sim {
    ib_RigRobotConfig whole;
    ib_SimConfig config;
    ib_RobotConfig robot;
    ib_Timeline inputs[IB_RIG_INPUTS];
    ib_Time times[MILLISECONDS];
    double values[MILLISECONDS];
    int looks;
} Sim;

// Stiff at 1 ms for 10 s, its valve as the course has it.
void setup_sim(Sim *sim, const Pair *pairs, const Course *course);

#endif
