// bench/bench_arm.c: how long a plan of an arm takes, and how much it gains on the source's passes.
//
// The arm of FRC 971 of 2018 (reference D1) on the reference's paths A and B (D6), as the passes of
// the source plan it and as reachability does, 200 and 2000 points; then with more limits, as a
// robot has them. Of each the best round counts, in time of this process. Prints one figure a line,
// "key value unit", for bench/run.sh; docs/control/arm_plan.md says what was learnt.
//   bench_arm [ROUNDS]
#include "control/arm_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void print(const char *key, const char *figure, double value, const char *unit)
{
    printf("arm.%s.%s %.9g %s\n", key, figure, value, unit);
}

typedef struct Problem {
    const char *key;
    void (*path)(ArmWorkspace *workspace, int cells);
    int cells;
    ib_ArmLimits limits;
} Problem;

static ArmWorkspace workspace;

// Best time of a plan [s].
static double measure(const Problem *problem, bool by_passes, int rounds)
{
    ib_ArmPlant arm = wound_arm();
    double best = INFINITY;
    problem->path(&workspace, problem->cells);
    for (int n = 0; n < rounds; n++) {
        double begin = now();
        ib_ArmVerdict verdict =
            by_passes
                ? ib_arm_plan_passes(&arm, &problem->limits, &workspace.path, 10, &workspace.timing)
                : ib_arm_plan_reach(&arm, &problem->limits, &workspace.path, (ib_ArmEnds){0, 0},
                                    &workspace.timing);
        best = fmin(best, now() - begin);
        if (verdict.fault != IB_ARM_FINE) {
            fprintf(stderr, "bench_arm: %s: no plan\n", problem->key);
            exit(1);
        }
    }
    return best;
}

static void row(const Problem *problem, int rounds)
{
    ib_ArmPlant arm = wound_arm();
    for (int by_passes = 0; by_passes < 2; by_passes++) {
        char key[64];
        double time = measure(problem, by_passes, rounds);
        snprintf(key, sizeof key, "%s.%s", problem->key, by_passes ? "passes" : "reach");
        print(key, "time", time * 1e6, "us");
        print(key, "plan", arm_time(&workspace), "s");
        // The most of any limit, ten times a cell.
        print(key, "load", arm_loads(&arm, &problem->limits, &workspace, 10).most, "1");
    }
}

// A look by time, walking, as a follower does it.
static void samples(int rounds)
{
    enum { LOOKS = 10000 };
    ib_ArmPlant arm = wound_arm();
    Problem problem = {"sample", path_b, 2000, twelve_volts()};
    double best = INFINITY, sum = 0;
    measure(&problem, false, 1);
    for (int n = 0; n < rounds; n++) {
        int hint = 0;
        double begin = now(), step = arm_time(&workspace) / LOOKS;
        for (int k = 0; k < LOOKS; k++)
            sum +=
                ib_arm_sample(&arm, &workspace.path, &workspace.timing, k * step, &hint).volts[0];
        best = fmin(best, now() - begin);
    }
    print("sample", "time", best / LOOKS * 1e9, "ns");
    if (!isfinite(sum)) exit(1);
}

int main(int argc, char **argv)
{
    int rounds = 20 * (argc > 1 ? atoi(argv[1]) : 5);
    ib_ArmLimits volts = twelve_volts(), ellipse = volts, all = volts;
    ellipse.acceleration[0] = all.acceleration[0] = 40;
    ellipse.acceleration[1] = all.acceleration[1] = 60;
    all.current[0] = 160, all.current[1] = 240;
    all.speed[0] = all.speed[1] = 4;
    all.resistance = 0.015;
    const Problem problems[] = {
        {"a.200", path_a, 200, volts},        {"a.2000", path_a, 2000, volts},
        {"b.200", path_b, 200, volts},        {"b.2000", path_b, 2000, volts},
        {"b.ellipse", path_b, 2000, ellipse}, {"b.all", path_b, 2000, all},
    };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) row(&problems[i], rounds);
    samples(rounds);
    return 0;
}
