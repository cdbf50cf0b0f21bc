// docs/figures/curves.c: prints the curves of docs/control/pid.md, profile.md and mixing.md as CSV,
// from the code that they describe. Built and run by docs/figures/control.sh:
// curves pid|profile|mixing|slopes
#include "control/driving/mixing.h"
#include "control/driving/xdrive.h"
#include "control/feedback/pid.h"
#include "control/path/jerk.h"

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

// ------------------------------------------------------------------------------------------ mixing

static const double degree = 0.017453292519943295;

// Where an X-drive goes for a stick on its circle: commanded direction, then the driven direction
// of (10) to (13) and of the standard law, counted on from the right [deg].
static void print_mixing(void)
{
    const int laws[] = {IB_MIXING_PUBLISHED, IB_MIXING_STANDARD};
    for (int k = 0; k <= 720; k++) {
        double commanded = k * 0.5, x = cos(commanded * degree), y = sin(commanded * degree);
        printf("%g", commanded);
        for (int i = 0; i < 2; i++) {
            ib_MixingModel model;
            double output[IB_XDRIVE_MOTORS];
            ib_mixing_init(&(ib_MixingConfig){.law = laws[i]}, IB_XDRIVE_MOTORS, ib_xdrive_roll,
                           &model, NULL);
            ib_mixing_outputs(&model, &(ib_Stick){x, y, 0}, output);
            ib_Stick moved = ib_xdrive_motion(output);
            double error = atan2(x * moved.y - y * moved.x, x * moved.x + y * moved.y) / degree;
            printf(",%g", commanded + error);
        }
        printf("\n");
    }
}

// The half-quadrant number `octant` as a triangle: its corners, or its middle.
static void print_octant(int octant, bool middle, const char *text)
{
    static const double ring[9][2] = {{1, 0},   {1, 1},  {0, 1},  {-1, 1}, {-1, 0},
                                      {-1, -1}, {0, -1}, {1, -1}, {1, 0}};
    const double *a = ring[octant], *b = ring[octant + 1];
    if (middle)
        printf("%g,%g,%s\n", (a[0] + b[0]) / 2.8, (a[1] + b[1]) / 2.8, text);
    else
        printf("0,0\n%g,%g\n%g,%g\n\n", a[0], a[1], b[0], b[1]);
}

static double octant_slope(int panel, int octant)
{
    double a = (octant * 45 + 22.5) * degree;
    return ib_xdrive_slope(panel / 2, panel % 2, cos(a), sin(a));
}

// (14) to (21), a panel each: the half-quadrants of slope -1, of 0 and of 1, as blocks for gnuplot;
// then, a block for each panel, the slopes as text.
static void print_slopes(void)
{
    for (int block = 0; block < 24; block++) {
        printf("0,0\n0,0\n0,0\n\n"); // no block is empty
        for (int octant = 0; octant < 8; octant++)
            if (octant_slope(block / 3, octant) == block % 3 - 1) print_octant(octant, false, "");
        printf("\n");
    }
    static const char *const texts[] = {"−1", "0", "1"};
    for (int panel = 0; panel < 8; panel++) {
        for (int octant = 0; octant < 8; octant++)
            print_octant(octant, true, texts[(int)octant_slope(panel, octant) + 1]);
        printf("\n\n");
    }
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    if (strcmp(what, "pid") == 0) print_pid();
    if (strcmp(what, "profile") == 0) print_profile();
    if (strcmp(what, "mixing") == 0) print_mixing();
    if (strcmp(what, "slopes") == 0) print_slopes();
    return 0;
}
