#include "sim/run.h"

#include <math.h>
#include <string.h>
#include <time.h>

// ------------------------------------------------------------------------------------------- clock

static int64_t wall_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * IB_SECOND + now.tv_nsec;
}

static void sleep_until(int64_t wall)
{
    struct timespec until = {.tv_sec = wall / IB_SECOND, .tv_nsec = (long)(wall % IB_SECOND)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

// ---------------------------------------------------------------------------------------- lateness

enum { BUCKETS = 128 }; // four to an octave, from 1 us

typedef struct Pace {
    int64_t start; // wall clock of t = 0 [ns]
    int64_t steps, overruns, count[BUCKETS], max;
    double sum;
} Pace;

static int bucket_of(int64_t late)
{
    double us = (double)late / 1000;
    int bucket = 0;
    for (double edge = 1; us > edge && bucket < BUCKETS - 1; edge *= 1.189207115002721) bucket++;
    return bucket;
}

// Waits for the wall clock to reach the simulated time. Deadlines are absolute: a late step is
// caught up by the ones after it, none is skipped, and the run does not drift.
static void keep_pace(Pace *pace, ib_Time time, ib_Time last)
{
    int64_t deadline = pace->start + time, now = wall_now();
    if (now < deadline) {
        sleep_until(deadline);
        now = wall_now();
    } else if (time > 0 && now - deadline > time - last) {
        pace->overruns++; // a whole step behind
    }
    int64_t late = now > deadline ? now - deadline : 0;
    pace->steps++;
    pace->sum += (double)late;
    pace->count[bucket_of(late)]++;
    if (late > pace->max) pace->max = late;
}

static double percentile(const Pace *pace, double share)
{
    int64_t sum = 0;
    double edge = 1e-6;
    for (int i = 0; i < BUCKETS; i++, edge *= 1.189207115002721) {
        sum += pace->count[i];
        if ((double)sum >= share * (double)pace->steps) return edge;
    }
    return edge;
}

// --------------------------------------------------------------------------------------------- run

// The time of 64 steps of a fixed grid; one step of an adaptive solver, which may be long.
static ib_Time some_steps(const ib_Sim *sim)
{
    const ib_SimConfig *config = ib_sim_model(sim)->config;
    return ib_solver_adaptive(config->solver.kind) ? 1 : 64 * config->step;
}

static ib_Status steps_to_end(ib_Sim *sim, const ib_RunOptions *options, Pace *pace,
                              ib_Error *error)
{
    int64_t shown = pace->start;
    ib_Time last = 0;
    while (!ib_sim_done(sim)) {
        if (options->stop && *options->stop)
            return ib_error_set(error, IB_INTERRUPTED, "stopped at %.9g s",
                                ib_time_to_seconds(ib_sim_time(sim)));
        if (options->realtime) keep_pace(pace, ib_sim_time(sim), last);
        last = ib_sim_time(sim);
        // A look at flag and clock costs as much as a small robot's step: once every few will do.
        ib_Status status = options->realtime ? ib_sim_step(sim, error)
                                             : ib_sim_advance(sim, last + some_steps(sim), error);
        if (status != IB_OK) return status;
        if (!options->progress) continue;
        int64_t now = wall_now();
        if (now - shown < IB_SECOND / 10) continue;
        shown = now;
        options->progress(options->self, ib_sim_time(sim), (double)(now - pace->start) / 1e9);
    }
    return IB_OK;
}

ib_Status ib_run(ib_Sim *sim, const ib_RunOptions *options, ib_RunResult *result, ib_Error *error)
{
    Pace pace = {.start = wall_now() - ib_sim_time(sim) * options->realtime};
    int64_t begin = wall_now();
    ib_Status status = steps_to_end(sim, options, &pace, error);
    ib_sim_finish(sim);
    *result = (ib_RunResult){.wall = (double)(wall_now() - begin) / 1e9, .overruns = pace.overruns};
    if (pace.steps > 0) {
        result->late_mean = pace.sum / (double)pace.steps / 1e9;
        result->late_p99 = fmin(percentile(&pace, 0.99), (double)pace.max / 1e9);
        result->late_max = (double)pace.max / 1e9;
    }
    return status;
}
