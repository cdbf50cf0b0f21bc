// bench/bench_riccati.c: how long the Riccati equation of a regulator takes, with all checks.
//
// A drivetrain with 5 states and 2 inputs (the size of the public DARE benchmarks), and random
// systems of other sizes: this program's doubling, its second opinion by LAPACK's Schur form, and
// SLICOT's SB02OD where it is installed, in turns; of each the fastest batch counts, in time of
// this process. Prints one figure a line, "key value unit", for bench/run.sh.
#include "../test/design/riccati_rig.h"
#include "design/riccati/schur.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 40, BATCH = 200 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

typedef struct Contender {
    const char *key;
    int (*solve)(const ib_Riccati *problem, double *X);
} Contender;

static double residual; // of the last run

static int solve_doubling(const ib_Riccati *problem, double *X)
{
    double K[RIG_STATES * RIG_INPUTS];
    ib_RiccatiAccuracy accuracy;
    ib_Error error;
    ib_Status status = ib_dare(problem, X, K, &accuracy, &error);
    residual = accuracy.residual;
    return status != IB_OK;
}

static int solve_schur(const ib_Riccati *problem, double *X)
{
    double K[RIG_STATES * RIG_INPUTS];
    ib_RiccatiAccuracy accuracy;
    ib_Error error;
    ib_Status status = ib_dare_schur(problem, X, K, &accuracy, &error);
    residual = accuracy.residual;
    return status != IB_OK;
}

static const Contender contenders[] = {
    {"doubling", solve_doubling},
    {"schur", solve_schur},
#ifdef IB_HAVE_SLICOT
    {"slicot", rig_slicot},
#endif
};
enum { CONTENDERS = sizeof contenders / sizeof contenders[0] };

static void measure(const char *key, const ib_Riccati *problem)
{
    double best[CONTENDERS], X[RIG_SQUARE], first[RIG_SQUARE] = {0};
    for (int k = 0; k < CONTENDERS; k++) best[k] = INFINITY;
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < CONTENDERS; k++) {
            double begin = now();
            for (int i = 0; i < BATCH; i++)
                if (contenders[k].solve(problem, X)) exit(1);
            best[k] = fmin(best[k], (now() - begin) / BATCH);
            // All must solve the same problem, or their times mean nothing.
            double off = 0, size = 0;
            if (k == 0) memcpy(first, X, sizeof X);
            for (int i = 0; i < problem->states * problem->states; i++) {
                off = fmax(off, fabs(X[i] - first[i]));
                size = fmax(size, fabs(first[i]));
            }
            if (!(off <= 1e-6 * size)) exit(1);
            if (round == 0 && k == 0) printf("riccati.%s.residual %.3g 1\n", key, residual);
        }
    for (int k = 0; k < CONTENDERS; k++)
        printf("riccati.%s.%s.time %.4g us\n", key, contenders[k].key, 1e6 * best[k]);
}

int main(void)
{
    Rig rig;
    RigDice dice = {.seed = 3};
    rig_drive(&rig);
    measure("drive_5_2", &rig.problem);
    rig_random(&dice, 2, 1, 0.8, 0, false, &rig);
    measure("random_2_1", &rig.problem);
    rig_random(&dice, 8, 2, 0.6, 0, true, &rig);
    measure("random_8_2", &rig.problem);
    rig_random(&dice, 12, 4, 0.6, 0, false, &rig);
    measure("random_12_4", &rig.problem);
    return 0;
}
