// docs/control/curves.c: prints the curves of docs/control/pid.md and profile.md as CSV, from the
// code that they describe. Built and run by docs/make_control_figures.sh: curves pid|profile
#include "control/jerk.h"
#include "control/pid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double T = 0.005;

// --------------------------------------------------------------------------------------------- pid

// A carriage that takes at most 12 V:  x' = v,  v' = -2 v + 3 u
typedef struct Trial {
    ib_PidModel model;
    double state[IB_PID_STATES];
    double x, v, u;
} Trial;

// Gains for three poles at -6/s; Tt = 0: the default.
static void trial_init(Trial *trial, double tracking_time, double feed)
{
    ib_PidConfig config = ib_pid_default();
    config.proportional = 36, config.integral = 72, config.derivative = 16.0 / 3;
    config.filter_time = 0.01, config.tracking_time = tracking_time;
    config.limits[0] = -12, config.limits[1] = 12;
    config.feed_velocity = feed * 2 / 3, config.feed_acceleration = feed / 3;
    memset(trial, 0, sizeof *trial);
    ib_pid_init(&config, T, &trial->model, NULL);
}

static void trial_step(Trial *trial, ib_ProfilePoint wanted)
{
    trial->u = ib_pid_step(&trial->model, &wanted, trial->x, 0, trial->state);
    double c = 1.5 * trial->u, q = exp(-2 * T), v = trial->v;
    trial->v = c + (v - c) * q;
    trial->x += c * T + (v - c) * (1 - q) / 2;
}

static void print_pid(void)
{
    Trial wound, tracked, guided;
    trial_init(&wound, 1e6, 0);
    trial_init(&tracked, 0, 0);
    trial_init(&guided, 0, 1);
    ib_Profile way;
    ib_jerk_init(&(ib_JerkLimits){3, 12, 100}, &(ib_ProfilePoint){0}, 2, &way, NULL);
    ib_ProfilePoint goal = {2, 0, 0};
    for (int k = 0; k <= 400; k++) {
        double t = k * T, x[3] = {wound.x, tracked.x, guided.x};
        trial_step(&wound, goal);
        trial_step(&tracked, goal);
        trial_step(&guided, ib_profile_at(&way, t));
        printf("%g,%g,%g,%g,%g,%g,%g\n", t, x[0], x[1], x[2], wound.u, tracked.u, guided.u);
    }
}

// ----------------------------------------------------------------------------------------- profile

// Rest to rest over 4 m, and from 1.5 m/s to a goal too near: each with and without a jerk limit.
static void print_profile(void)
{
    const ib_ProfilePoint start[] = {{0, 0, 0}, {0, 1.5, 0}};
    const double way[] = {4, 0.2};
    ib_Profile profile[4];
    for (int i = 0; i < 2; i++) {
        ib_ProfilePoint goal = {way[i], 0, 0};
        ib_profile_init(&(ib_ProfileLimits){2, 1.5, 0}, &start[i], &goal, &profile[2 * i], NULL);
        ib_jerk_init(&(ib_JerkLimits){2, 1.5, 4}, &start[i], way[i], &profile[2 * i + 1], NULL);
    }
    for (int k = 0; k <= 800; k += 2) {
        printf("%g", k * T);
        for (int i = 0; i < 4; i++) {
            ib_ProfilePoint p = ib_profile_at(&profile[i], k * T);
            printf(",%g,%g,%g", p.position, p.velocity, p.acceleration);
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "pid") == 0)
        print_pid();
    else
        print_profile();
    return 0;
}
