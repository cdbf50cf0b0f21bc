// bench/bench_control.c: what a controller costs each period.
// It measures the Kalman filter with its cache and without, and a loop of 6 states, 2 inputs and 2
// outputs in the library and as exported C.
//
// Peers in the same run: a filter that discretises anew for every dt (as the source's hybrid
// observer does), and the exported loop against the library's, which knows no sizes. Each call
// waits for the last one: the measurement depends on the output, as it does on a robot. The best of
// many rounds counts. Prints one figure a line, "key value unit"; needs `cc` for the exported part.
#include "../test/control/loop_rig.h"

#include "control/feedback/kalman.h"
#include "control/feedback/state_feedback.h"
#include "design/export/export.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { CALLS = 2000, ROUNDS = 200 };

static ib_Loop loop;
static LoopRun run;
static ib_KalmanModel model;
static ib_KalmanCache cache;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void print(const char *key, double value, const char *unit)
{
    printf("control.%s %.6g %s\n", key, value, unit);
}

// ------------------------------------------------------------------------------------------ Kalman

// The drivetrain of reference D3: 4 states, 2 inputs, 2 outputs.
static void make_filter(void)
{
    ib_StateSpace plant = ib_state_space_default(4, 2, 2);
    plant.A[1] = plant.A[11] = 1;
    plant.A[5] = plant.A[15] = -2.362590026037;
    plant.A[7] = plant.A[13] = 0.085532358159;
    plant.B[2] = plant.B[7] = 1.006376515679;
    plant.B[3] = plant.B[6] = -0.036433640891;
    plant.C[0] = plant.C[6] = 1;
    const double Qc[16] = {[0] = 0.0025, [5] = 1, [10] = 0.0025, [15] = 1};
    const double Rc[4] = {5e-11, 0, 0, 5e-11};
    if (ib_kalman_init(&plant, Qc, Rc, &model, NULL) != IB_OK) abort();
}

// Seconds for one predict and correct; `forget` empties the cache before each.
static double time_filter(bool forget, int calls, int rounds)
{
    double s[IB_KALMAN_STATES_MAX], u[2] = {1, -1}, y[2] = {0}, best = INFINITY;
    ib_kalman_reset(&model, NULL, NULL, s);
    for (int round = 0; round < rounds; round++) {
        double begin = now();
        for (int i = 0; i < calls; i++) {
            if (forget)
                for (int k = 0; k < IB_KALMAN_RECENT; k++) cache.recent[k].dt = 0;
            double dt = i % 2 ? 0.005 : 0.0051;
            if (ib_kalman_predict(&model, &cache, u, dt, s, NULL) != IB_OK) abort();
            if (ib_kalman_correct(&model, y, NULL, u, dt, s, NULL, NULL) != IB_OK) abort();
            y[0] = 0.9 * s[0];
        }
        best = fmin(best, (now() - begin) / calls);
    }
    return best;
}

static void measure_filter(void)
{
    make_filter();
    double cached = time_filter(false, CALLS, ROUNDS), anew = time_filter(true, 100, 20);
    print("kalman.4_2_2.cached", cached * 1e9, "ns");
    print("kalman.4_2_2.discretised_anew", anew * 1e9, "ns");
    print("kalman.4_2_2.ratio", anew / cached, "1");
}

// ------------------------------------------------------------------------------- the exported loop

typedef void Init(void *c, const double *x0, int gear);
typedef void Step(void *c, const double *y, const double *r, const double *r_next, int gear,
                  double *u);

static double time_library(void)
{
    double s[IB_FEEDBACK_STATES_MAX], y[2] = {0.1, 0.2}, u[2] = {0}, best = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        ib_feedback_reset(&loop, NULL, 0, s);
        double begin = now();
        for (int i = 0; i < CALLS; i++) {
            y[0] = 0.1 + 1e-9 * u[0];
            ib_feedback_step(&loop, y, run.r, run.r + 6, 0, u, s);
        }
        best = fmin(best, (now() - begin) / CALLS);
    }
    return best;
}

static double time_exported(Init *init, Step *step)
{
    double c[IB_FEEDBACK_STATES_MAX], y[2] = {0.1, 0.2}, u[2] = {0}, best = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        init(c, NULL, 0);
        double begin = now();
        for (int i = 0; i < CALLS; i++) {
            y[0] = 0.1 + 1e-9 * u[0];
            step(c, y, run.r, run.r + 6, 0, u);
        }
        best = fmin(best, (now() - begin) / CALLS);
    }
    return best;
}

// The loop exported, compiled as its header says and loaded.
static void *build(const char *folder)
{
    ib_ExportOptions options = {0};
    char text[512];
    if (ib_export_loop(&loop, &options, NULL, folder, NULL) != IB_OK) return NULL;
    snprintf(text, sizeof text,
             "cc -std=c99 -O2 -ffp-contract=off -shared -fPIC %s/%s.c -o %s/x.so", folder,
             loop.name, folder);
    if (system(text) != 0) return NULL;
    snprintf(text, sizeof text, "%s/x.so", folder);
    return dlopen(text, RTLD_NOW);
}

static void measure_loop(const LoopShape *shape)
{
    char folder[] = "/tmp/ironbird_bench_XXXXXX", text[128];
    rig_random_loop(shape, 3, &loop);
    rig_run(&loop, 3, 2, &run);
    double library = time_library();
    snprintf(text, sizeof text, "loop.%s.library", shape->name);
    print(text, library * 1e9, "ns");
    if (!mkdtemp(folder)) return;
    void *built = build(folder);
    if (built) {
        Init *init;
        Step *step;
        // Objects and functions have addresses of one size on every system with dlsym.
        snprintf(text, sizeof text, "%s_init", shape->name);
        *(void **)&init = dlsym(built, text);
        snprintf(text, sizeof text, "%s_step", shape->name);
        *(void **)&step = dlsym(built, text);
        double exported = time_exported(init, step);
        snprintf(text, sizeof text, "loop.%s.exported", shape->name);
        print(text, exported * 1e9, "ns");
        snprintf(text, sizeof text, "loop.%s.ratio", shape->name);
        print(text, library / exported, "1");
        dlclose(built);
    }
    snprintf(text, sizeof text, "rm -r %s", folder);
    if (system(text) != 0) print("cleaning.failed", 1, "1");
}

int main(void)
{
    static const LoopShape shapes[] = {
        {"six", 6, 2, 2, 0, 1, true, false, false},
        {"six_feedforward", 6, 2, 2, 0, 1, true, true, false},
        {"six_everything", 6, 2, 2, 2, 2, true, true, false},
    };
    measure_filter();
    for (int i = 0; i < 3; i++) measure_loop(&shapes[i]);
    return 0;
}
