// bench/bench_quadruped.c: what a step of a robot on legs costs, beside bare MuJoCo on the model of
// the same robot.
//
// Ironbird runs a scenario as it is: bodies, cylinders, loops. Bare MuJoCo runs the MJCF that the
// same scenario prints (`ironbird list mjcf`), by mj_step, with ideal torques that hold the angles
// at which it starts. They take turns, a simulated second each; of each the best turn counts, in
// time of this process. Then both on two threads at once. Prints one figure a line, "key value
// unit", for bench/run.sh.
//   bench_quadruped ROUNDS KEY SCENARIO [KEY SCENARIO …]
#include "desk/design/design_loader.h"
#include "scenario/scenario.h"
#include "sim/run.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURN = 1000 }; // steps of 1 ms

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void print(const char *key, const char *figure, double value, const char *unit)
{
    printf("legs.%s.%s %.6g %s\n", key, figure, value, unit);
}

// One of each, with memory of its own.
typedef struct Pair {
    ib_Sim *sim;
    const mjModel *model;
    mjData *data;
} Pair;

static mjModel *load(const char *text)
{
    static char said[500];
    mjVFS *vfs = malloc(sizeof *vfs);
    int length = (int)strlen(text);
    if (!vfs) abort();
    mj_defaultVFS(vfs);
    mj_makeEmptyFileVFS(vfs, "model.xml", length);
    memcpy(vfs->filedata[mj_findFileVFS(vfs, "model.xml")], text, (size_t)length);
    mjModel *model = mj_loadXML("model.xml", vfs, said, sizeof said);
    mj_deleteVFS(vfs);
    free(vfs);
    if (!model) {
        fprintf(stderr, "bench_quadruped: %s\n", said);
        exit(1);
    }
    return model;
}

static Pair open_pair(const ib_Scenario *scenario, const mjModel *model)
{
    ib_Error error;
    Pair pair = {.model = model, .data = mj_makeData(model)};
    if (!pair.data || ib_sim_create(scenario->model, &pair.sim, &error) != IB_OK) abort();
    mj_resetDataKeyframe(model, pair.data, 0);
    return pair;
}

static void close_pair(Pair *pair)
{
    ib_sim_destroy(pair->sim);
    mj_deleteData(pair->data);
}

static void turn_of_ours(Pair *pair)
{
    ib_Error error;
    if (ib_sim_advance(pair->sim, ib_sim_time(pair->sim) + TURN * (IB_SECOND / 1000), &error) !=
        IB_OK)
        abort();
}

// The torque of each hinge holds the angle at which it starts, as stiffly as a step bears.
static void turn_of_bare(Pair *pair)
{
    const mjModel *m = pair->model;
    mjData *d = pair->data;
    for (int i = 0; i < TURN; i++) {
        for (int j = 0; j < m->njnt; j++) {
            if (m->jnt_type[j] != mjJNT_HINGE) continue;
            int q = m->jnt_qposadr[j], v = m->jnt_dofadr[j];
            d->qfrc_applied[v] = 500 * (m->key_qpos[q] - d->qpos[q]) - 2 * d->qvel[v];
        }
        mj_step(m, d);
    }
}

typedef struct Work {
    Pair pair;
    bool bare;
} Work;

static void *work(void *context)
{
    Work *own = context;
    for (int i = 0; i < 5; i++) {
        if (own->bare)
            turn_of_bare(&own->pair);
        else
            turn_of_ours(&own->pair);
    }
    return NULL;
}

// Steps a second of two threads together.
static double on_two(const ib_Scenario *scenario, const mjModel *model, bool bare)
{
    Work works[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) works[i] = (Work){open_pair(scenario, model), bare};
    double begin = now(CLOCK_MONOTONIC);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &works[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    double took = now(CLOCK_MONOTONIC) - begin;
    for (int i = 0; i < 2; i++) close_pair(&works[i].pair);
    return 2 * 5 * TURN / took;
}

static void measure(const char *key, const char *file, int rounds)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_ScenarioOptions options = {.designs = &ib_design_loader};
    ib_Scenario *scenario = ib_scenario_read(file, &options, &diagnostics);
    const ib_RobotModel *robot = scenario ? &scenario->model->robots[0] : NULL;
    if (!robot || !robot->kind->mjcf) {
        fprintf(stderr, "bench_quadruped: %s is no scenario of legs\n", file);
        exit(1);
    }
    mjModel *model = load(robot->kind->mjcf(robot->config, robot->model, &arena));
    model->opt.timestep = 1e-3;
    Pair pair = open_pair(scenario, model);
    double ours = INFINITY, bare = INFINITY, two_ours = 0, two_bare = 0;
    for (int i = 0; i < rounds; i++) {
        double begin = now(CLOCK_PROCESS_CPUTIME_ID);
        turn_of_ours(&pair);
        double middle = now(CLOCK_PROCESS_CPUTIME_ID);
        turn_of_bare(&pair);
        ours = fmin(ours, middle - begin);
        bare = fmin(bare, now(CLOCK_PROCESS_CPUTIME_ID) - middle);
    }
    for (int i = 0; i < rounds; i++) {
        two_ours = fmax(two_ours, on_two(scenario, model, false));
        two_bare = fmax(two_bare, on_two(scenario, model, true));
    }
    print(key, "ours", ours / TURN * 1e6, "us");
    print(key, "bare", bare / TURN * 1e6, "us");
    print(key, "steps", TURN / ours, "1/s");
    print(key, "share", bare / ours, "1");
    print(key, "two", two_ours, "1/s");
    print(key, "two_bare", two_bare, "1/s");
    print(key, "contacts", pair.data->ncon, "1");
    close_pair(&pair);
    mj_deleteModel(model);
    ib_scenario_destroy(scenario);
    ib_arena_reset(&arena);
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc % 2 != 0) {
        fprintf(stderr, "usage: bench_quadruped ROUNDS KEY SCENARIO [KEY SCENARIO ...]\n");
        return 2;
    }
    for (int i = 2; i + 1 < argc; i += 2) measure(argv[i], argv[i + 1], atoi(argv[1]));
    return 0;
}
