// bench/bench_bank.c: what twelve cylinders cost whoever moves their pistons, a millisecond.
//
// Force and air of one step of an engine, 10 s of walking pistons: in one part and in two, with
// walls that warm, on a tank and a line; and with Jacobians by differences. All take turns,
// and of each the best round counts, in time of this process, so that a shared machine flatters
// nobody. Prints one figure a line, "key value unit", for bench/run.sh; bench/results.md says what
// was learnt.
//   bench_bank [ROUNDS]
//   bench_bank --count KEY N    runs one row N times, for bench/count_bank.sh
#include "plant/bank_rig.h"

#include <time.h>

enum { STEPS = 10000, COUNT = 12 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void on_a_tank(ib_BankConfig *config)
{
    config->supply.tank = true;
    config->supply.reservoir.volume = 0.05;
    config->supply.supply.volume = 2e-4;
    config->supply.supply.area = 2e-5;
}

typedef struct Row {
    const char *key;
    const char *const *pairs;
    void (*edit)(ib_BankConfig *config);
    int parts;
    bool drives; // else the forces alone
} Row;

static const char *const walls[] = {"heat.law", "walls", NULL};
static const char *const edges[] = {"valve.law", "spool", "leak.seal", "1e-9 m^2", NULL};

static const Row rows[] = {
    {"force", NULL, NULL, 1, false},
    {"led", NULL, NULL, 1, true},
    {"led.two", NULL, NULL, 2, true},
    {"led.walls", walls, NULL, 1, true},
    {"led.tank", NULL, on_a_tank, 1, true},
    {"differences", NULL, bank_differences, 1, true},
    {"differences.edges", edges, NULL, 1, true},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

// What the pistons and valves are told, made beforehand.
static double ways[STEPS + 1][COUNT], volts[STEPS + 1][COUNT];

static void fill_ways(void)
{
    for (int k = 0; k <= STEPS; k++)
        for (int i = 0; i < COUNT; i++) {
            ways[k][i] = walk(i, 1e-3 * k);
            volts[k][i] = walk_volts(i, 1e-3 * k);
        }
}

// Seconds of one run; `end` gets a pressure.
static double run(const Row *row, double *end)
{
    static Bank bank;
    double v[COUNT], force[COUNT], sum = 0;
    ib_CylinderRigConfig rig = rig_config(row->pairs);
    bank_make(&bank, &rig, COUNT, row->edit);
    double begin = now();
    for (int k = 0; k < STEPS; k++) {
        for (int i = 0; i < COUNT; i++) v[i] = (ways[k + 1][i] - ways[k][i]) * 1e3;
        bank_force(&bank.model, bank.state, ways[k], v, force);
        sum += force[0];
        ib_BankDrive drive = {volts[k], ways[k], ways[k + 1], 1e-3, row->parts};
        if (row->drives) ib_bank_drive(&bank.model, bank.state, &drive, bank.state);
    }
    double seconds = now() - begin;
    *end = bank_pressure(&bank, 0, 0, ways[STEPS][0]) + 0 * sum;
    return seconds;
}

static int count(const char *key, int times)
{
    double end;
    for (int i = 0; i < ROWS; i++) {
        if (strcmp(key, rows[i].key) != 0) continue;
        for (int j = 0; j < times; j++) run(&rows[i], &end);
        return 0;
    }
    return 2;
}

int main(int argc, char **argv)
{
    fill_ways();
    if (argc > 3 && strcmp(argv[1], "--count") == 0) return count(argv[2], atoi(argv[3]));
    int rounds = argc > 1 ? atoi(argv[1]) : 7;
    double best[ROWS], end[ROWS];
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < ROWS; i++) {
            double seconds = run(&rows[i], &end[i]);
            if (round == 0 || seconds < best[i]) best[i] = seconds;
        }
    for (int i = 0; i < ROWS; i++) {
        printf("bank.%s.step %.6g ns\n", rows[i].key, best[i] * 1e9 / STEPS);
        printf("bank.%s.end %.9g Pa\n", rows[i].key, end[i]);
    }
    return 0;
}
