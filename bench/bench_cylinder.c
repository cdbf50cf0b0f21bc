// bench/bench_cylinder.c: how fast and how exactly the pneumatic cylinder runs, in this process.
//
// A millisecond of the full model, through the simulation and in lanes; what each part of the model
// costs, beside Table 3 of the thesis; and the open-loop test T10 beside SUNDIALS' CVODE, where it
// is installed, on the same rates with the same events. All take turns, and of each the best round
// counts, in time of this process, so that a shared machine flatters nobody. Prints one figure a
// line, "key value unit", for bench/run.sh; bench/results.md says what was learnt.
//   bench_cylinder [ROUNDS]
//   bench_cylinder --count KEY N    runs one row N times, for bench/count_cylinder.sh
#include "plant/ram_lanes.h"
#include "robot/cylinder_rig/cylinder_rig.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void print(const char *key, const char *figure, double value, const char *unit)
{
    printf("cylinder.%s.%s %.6g %s\n", key, figure, value, unit);
}

static void give_up(const char *why)
{
    fprintf(stderr, "bench_cylinder: %s\n", why);
    exit(1);
}

// --------------------------------------------------------------------------------------------- rig

typedef struct Pair {
    const char *key, *text;
} Pair;

// The thesis's rig; `pairs` change it, the last one is {NULL, NULL}.
static ib_CylinderRigConfig rig_config(const Pair *pairs)
{
    const ib_RobotKind *kind = &ib_cylinder_rig_kind;
    ib_CylinderRigConfig rig;
    ib_Error error;
    memset(&rig, 0, sizeof rig);
    if (ib_schema_default(&kind->params, &rig, &error) != IB_OK ||
        ib_schema_default(&kind->start, &rig, &error) != IB_OK)
        give_up(error.text);
    rig.gravity = 9.81;
    for (; pairs && pairs->key; pairs++) {
        const ib_Param *param = ib_schema_find(&kind->params, pairs->key);
        if (!param) param = ib_schema_find(&kind->start, pairs->key);
        if (!param || ib_schema_set(param, pairs->text, &rig, &error) != IB_OK) give_up(pairs->key);
    }
    return rig;
}

// ---------------------------------------------------------------------------------------- commands

enum { MILLISECONDS = 10000, CYLINDERS = 12 };

// Voltages of the valve, one a millisecond.
typedef struct Commands {
    double volts[MILLISECONDS];
} Commands;

// 5 s of opposite saturation, then 1 V from the centre. [facts of T10]
static void command_t10(int number, Commands *commands)
{
    (void)number;
    for (int i = 0; i < MILLISECONDS; i++) commands->volts[i] = i < 5000 ? 0 : 6.25;
}

static void lanes_begin(const ib_CylinderRigConfig *config, const ib_CylinderRigModel *rig,
                        ib_RamLanes *lanes)
{
    double state[64];
    int lane = ib_lanes_add(lanes, &rig->ram, &rig->friction, rig->mass);
    ib_cylinder_rig_reset(config, rig, state);
    for (int i = 0; i < IB_LANE_STATES; i++) lanes->y[i][lane] = state[i];
    lanes->push[lane] = rig->mass * rig->gravity * rig->down;
}

// What a proportional controller says at 1 kHz, who makes the rod follow a sine of 10 mm about the
// middle of its stroke: it moves all the time and meets no stop.
static void command_moving(int number, Commands *commands)
{
    ib_CylinderRigConfig config =
        rig_config((Pair[]){{"position", "22 mm"}, {"cap.pressure", "280 kPa"}, {NULL, NULL}});
    ib_CylinderRigModel rig;
    ib_RamLanes lanes = {0};
    ib_cylinder_rig_init(&config, &rig);
    lanes_begin(&config, &rig, &lanes);
    for (int i = 0; i < MILLISECONDS; i++) {
        double goal = 0.022 + 0.010 * sin(0.006 * i + 0.5 * number);
        double volts = 5.5 + 153 * (goal - lanes.y[IB_LANE_POSITION][0]);
        commands->volts[i] = fmin(fmax(volts, 0), 10);
        ib_lanes_open(&lanes, 0, commands->volts[i] - rig.ram.valve.centre, rig.supply.pressure);
        ib_lanes_step(&lanes, 1e-3, 2);
    }
}

typedef struct Course {
    const char *key;
    void (*command)(int number, Commands *commands);
    Pair start[3];
    Commands of[CYLINDERS];
} Course;

static Course courses[] = {
    {"moving", command_moving, {{"position", "22 mm"}, {"cap.pressure", "280 kPa"}}},
    {"t10", command_t10, {{NULL, NULL}}},
};
enum { COURSES = sizeof courses / sizeof courses[0] };

// -------------------------------------------------------------------------- through the simulation

typedef struct Sim {
    ib_CylinderRigConfig rig;
    ib_SimConfig config;
    ib_RobotConfig robot;
    ib_Timeline inputs[IB_RIG_INPUTS];
    ib_Time times[MILLISECONDS];
    double values[MILLISECONDS];
    int looks;
} Sim;

// Samples all signals once a millisecond, as a recorder does.
static ib_Time look(void *self, ib_Time time, const double *signals)
{
    Sim *sim = self;
    (void)signals;
    sim->looks++;
    return time + IB_SECOND / 1000;
}

static void sim_fill(Sim *sim, const Pair *pairs, const Course *course)
{
    memset(sim, 0, sizeof *sim);
    sim->rig = rig_config(pairs);
    for (const Pair *p = course->start; p->key; p++) {
        ib_Error error;
        const ib_Param *param = ib_schema_find(&ib_cylinder_rig_kind.start, p->key);
        if (ib_schema_set(param, p->text, &sim->rig, &error) != IB_OK) give_up(error.text);
    }
    sim->robot = (ib_RobotConfig){.name = "",
                                  .kind = &ib_cylinder_rig_kind,
                                  .config = &sim->rig,
                                  .inputs = sim->inputs,
                                  .input_count = IB_RIG_INPUTS};
    sim->config = (ib_SimConfig){.title = "cylinder",
                                 .robots = &sim->robot,
                                 .robot_count = 1,
                                 .gravity = 9.80665,
                                 .solver = {IB_STIFF, 1e-6, 1e-9},
                                 .step = IB_SECOND / 1000,
                                 .duration = 10 * IB_SECOND,
                                 .seed = 1};
    int count = 0;
    const double *volts = course->of[0].volts;
    for (int i = 0; i < MILLISECONDS; i++) {
        if (i > 0 && volts[i] == volts[i - 1]) continue;
        sim->times[count] = i * (IB_SECOND / 1000);
        sim->values[count++] = volts[i];
    }
    sim->inputs[IB_RIG_VALVE] = (ib_Timeline){count, sim->times, sim->values, false};
}

// Seconds of a whole run without its preparations; `x` gets the rod's position in the end.
static double sim_run(Sim *setup, bool looked_at, double *x)
{
    ib_Arena arena = {0};
    ib_Model *model = NULL;
    ib_Sim *sim = NULL;
    ib_Error error;
    if (ib_model_create(&setup->config, &arena, &model, &error) != IB_OK ||
        ib_sim_create(model, &sim, &error) != IB_OK)
        give_up(error.text);
    ib_Probe probe = {.self = setup, .sample = look, .next = 0};
    if (looked_at && ib_sim_probe(sim, probe, &error) != IB_OK) give_up(error.text);
    double begin = now();
    if (ib_sim_advance(sim, setup->config.duration, &error) != IB_OK) give_up(error.text);
    double seconds = now() - begin;
    *x = ib_sim_state(sim)[IB_RIG_POSITION];
    ib_sim_destroy(sim);
    ib_arena_reset(&arena);
    return seconds;
}

// ---------------------------------------------------------------------------------------- in lanes

enum { BLOCKS = CYLINDERS / IB_LANES };

// So many cylinders through a course, a command a millisecond, in two parts each.
static double lanes_run(const Course *course, int count, double *x)
{
    static Sim setup;
    ib_CylinderRigModel rig;
    ib_RamLanes blocks[BLOCKS];
    memset(blocks, 0, sizeof blocks);
    sim_fill(&setup, NULL, course);
    ib_cylinder_rig_init(&setup.rig, &rig);
    for (int i = 0; i < count; i++) lanes_begin(&setup.rig, &rig, &blocks[i / IB_LANES]);
    double begin = now();
    for (int k = 0; k < MILLISECONDS; k++)
        for (int b = 0; b * IB_LANES < count; b++) {
            for (int l = 0; l < blocks[b].count; l++)
                ib_lanes_open(&blocks[b], l,
                              course->of[b * IB_LANES + l].volts[k] - rig.ram.valve.centre,
                              rig.supply.pressure);
            ib_lanes_step(&blocks[b], 1e-3, 2);
        }
    double seconds = now() - begin;
    *x = blocks[0].y[IB_LANE_POSITION][0];
    return seconds;
}

// -------------------------------------------------------------------------------------------- rows

// What is left out of the full model, as far as the thesis left it out too (Table 3).
static const char straight[] =
    "-5 V 1.2e-6 m^2 1.2e-6 m^2, -4 V 9.6e-7 m^2 9.6e-7 m^2, -3 V 7.2e-7 m^2 7.2e-7 m^2, "
    "-2 V 4.8e-7 m^2 4.8e-7 m^2, -1 V 2.4e-7 m^2 2.4e-7 m^2, 0 V 2e-8 m^2 2e-8 m^2, "
    "1 V 2.4e-7 m^2 2.4e-7 m^2, 2 V 4.8e-7 m^2 4.8e-7 m^2, 3 V 7.2e-7 m^2 7.2e-7 m^2, "
    "4 V 9.6e-7 m^2 9.6e-7 m^2, 5 V 1.2e-6 m^2 1.2e-6 m^2";

typedef struct Row {
    const char *key;
    int count;      // in lanes; 0: one, through the simulation
    bool looked_at; // all signals, every millisecond
    Pair pairs[4];
} Row;

static const Row rows[] = {
    {"sim", 0, false, {{NULL, NULL}}},
    {"lane.1", 1, false, {{NULL, NULL}}},
    {"lane.2", 2, false, {{NULL, NULL}}},
    {"lane.12", 12, false, {{NULL, NULL}}},
    {"sim.viscous", 0, false, {{"friction.law", "viscous"}, {"friction.viscous", "70 N*s/m"}}},
    {"sim.valve", 0, false, {{"valve.law", "linear"}}},
    {"sim.area", 0, false, {{"valve.areas", straight}, {"valve.map", "table"}}},
    {"sim.pressure", 0, false, {{"valve.curve", "switch"}}},
    {"sim.both",
     0,
     false,
     {{"friction.law", "viscous"}, {"friction.viscous", "70 N*s/m"}, {"valve.law", "linear"}}},
    {"sim.looked_at", 0, true, {{NULL, NULL}}},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static double row_run(const Row *row, const Course *course, double *x)
{
    static Sim setup;
    if (row->count > 0) return lanes_run(course, row->count, x);
    sim_fill(&setup, row->pairs, course);
    return sim_run(&setup, row->looked_at, x);
}

static void measure_rows(int rounds)
{
    static double best[ROWS][COURSES], end[ROWS][COURSES];
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COURSES; j++) {
                double seconds = row_run(&rows[i], &courses[j], &end[i][j]);
                if (round == 0 || seconds < best[i][j]) best[i][j] = seconds;
            }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COURSES; j++) {
            char key[64];
            snprintf(key, sizeof key, "%s.%s", rows[i].key, courses[j].key);
            print(key, "step", best[i][j] * 1e9 / MILLISECONDS, "ns");
            print(key, "end", end[i][j] * 1e3, "mm");
        }
}

// --------------------------------------------------------------------------------------------- T10

// The reference sheet's rod (A4, +1.25 V): positions and the three instants at which it meets or
// leaves a stop.
enum { LOOKS = 4, HITS = 3 };
static const double look_t[LOOKS] = {5.1, 5.15, 5.2, 5.3};
static const double look_x[LOOKS] = {2.704120968e-3, 7.385726137e-3, 11.744342267e-3,
                                     23.048990899e-3};
static const double hit_t[HITS] = {0.056199807, 5.0599688080, 5.4999887645};

typedef struct Answer {
    double seconds;
    double x[LOOKS], hit[HITS];
    int looks, hits;
    long steps, rates;
} Answer;

static void print_answer(const char *key, const Answer *answer)
{
    double off = 0, late = 0;
    for (int i = 0; i < LOOKS; i++) off = fmax(off, fabs(answer->x[i] - look_x[i]));
    for (int i = 0; i < HITS; i++) late = fmax(late, fabs(answer->hit[i] - hit_t[i]));
    print(key, "time", answer->seconds * 1e6, "us");
    print(key, "error", off, "m");
    print(key, "late", late, "s");
    print(key, "steps", (double)answer->steps, "1");
    print(key, "rates", (double)answer->rates, "1");
}

static const Pair published[] = {{"equations", "published"}, {NULL, NULL}};

// Called at the times wanted and behind every jump.
static ib_Time look_at_rod(void *self, ib_Time time, const double *signals)
{
    Answer *answer = self;
    ib_Time wanted =
        answer->looks < LOOKS ? ib_time_from_seconds(look_t[answer->looks]) : IB_TIME_NEVER;
    if (time == wanted)
        answer->x[answer->looks++] = signals[0];
    else if (answer->hits < HITS)
        answer->hit[answer->hits++] = ib_time_to_seconds(time);
    return answer->looks < LOOKS ? ib_time_from_seconds(look_t[answer->looks]) : IB_TIME_NEVER;
}

static void t10_here(double tolerance, Answer *answer)
{
    static Sim setup;
    ib_Arena arena = {0};
    ib_Model *model = NULL;
    ib_Sim *sim = NULL;
    ib_Error error;
    sim_fill(&setup, published, &courses[1]);
    setup.config.solver = (ib_SolverConfig){IB_ROSENBROCK, tolerance, 1e-9};
    setup.config.step = IB_SECOND;
    *answer = (Answer){0};
    if (ib_model_create(&setup.config, &arena, &model, &error) != IB_OK ||
        ib_sim_create(model, &sim, &error) != IB_OK)
        give_up(error.text);
    ib_Probe probe = {.self = answer,
                      .sample = look_at_rod,
                      .next = ib_time_from_seconds(look_t[0]),
                      .each_jump = true};
    if (ib_sim_probe(sim, probe, &error) != IB_OK) give_up(error.text);
    double begin = now();
    if (ib_sim_advance(sim, setup.config.duration, &error) != IB_OK) give_up(error.text);
    answer->seconds = now() - begin;
    answer->steps = ib_sim_solver_counts(sim).steps;
    answer->rates = ib_sim_solver_counts(sim).evaluations;
    ib_sim_destroy(sim);
    ib_arena_reset(&arena);
}

#ifdef IB_HAVE_SUNDIALS
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { OWN = IB_RIG_FIRST }; // without books, which would only cost it time

typedef struct Peer {
    ib_CylinderRigModel rig;
    double state[64], input[IB_RIG_INPUTS], rate[64], J[64 * 64];
    long rates;
} Peer;

static int peer_rate(double t, N_Vector y, N_Vector dy, void *self)
{
    Peer *peer = self;
    (void)t;
    memcpy(peer->state, N_VGetArrayPointer(y), OWN * sizeof(double));
    ib_cylinder_rig_rate(&peer->rig, peer->state, peer->input, peer->rate);
    memcpy(N_VGetArrayPointer(dy), peer->rate, OWN * sizeof(double));
    peer->rates++;
    return 0;
}

static int peer_jacobian(double t, N_Vector y, N_Vector dy, SUNMatrix J, void *self, N_Vector a,
                         N_Vector b, N_Vector c)
{
    Peer *peer = self;
    int n = peer->rig.state_count;
    (void)t, (void)a, (void)b, (void)c;
    memcpy(peer->state, N_VGetArrayPointer(y), OWN * sizeof(double));
    memset(peer->J, 0, (size_t)(n * n) * sizeof(double));
    // Beyond supply and exhaust the rig knows it not, because of its books: differences.
    bool known = ib_cylinder_rig_jacobian(&peer->rig, peer->state, peer->input, peer->J, n);
    for (int j = 0; !known && j < OWN; j++) {
        double x = peer->state[j], d = 1.5e-8 * (1 + fabs(x));
        peer->state[j] = x + d;
        ib_cylinder_rig_rate(&peer->rig, peer->state, peer->input, peer->rate);
        peer->state[j] = x;
        for (int i = 0; i < OWN; i++)
            peer->J[i * n + j] = (peer->rate[i] - N_VGetArrayPointer(dy)[i]) / d;
    }
    for (int i = 0; i < OWN; i++)
        for (int j = 0; j < OWN; j++) SM_ELEMENT_D(J, i, j) = peer->J[i * n + j];
    return 0;
}

static int peer_root(double t, N_Vector y, double *g, void *self)
{
    Peer *peer = self;
    double guards[IB_RIG_GUARDS];
    (void)t;
    memcpy(peer->state, N_VGetArrayPointer(y), OWN * sizeof(double));
    ib_cylinder_rig_guard(&peer->rig, peer->state, peer->input, guards);
    g[0] = guards[IB_RIG_GUARD_STOP];
    return 0;
}

// The state is where the peer has it; modes follow.
static void peer_settle(Peer *peer, void *cvode, double t, N_Vector y)
{
    memcpy(peer->state, N_VGetArrayPointer(y), OWN * sizeof(double));
    while (ib_cylinder_rig_settle(&peer->rig, peer->input, peer->state)) continue;
    memcpy(N_VGetArrayPointer(y), peer->state, OWN * sizeof(double));
    if (cvode) CVodeReInit(cvode, t, y);
}

static void t10_peer(double tolerance, bool own_jacobian, Answer *answer)
{
    static Peer peer;
    ib_CylinderRigConfig config = rig_config(published);
    SUNContext context;
    SUNContext_Create(NULL, &context);
    memset(&peer, 0, sizeof peer);
    *answer = (Answer){0};
    ib_cylinder_rig_init(&config, &peer.rig);
    ib_cylinder_rig_reset(&config, &peer.rig, peer.state);
    peer.input[IB_RIG_GAIN] = 1;
    N_Vector y = N_VNew_Serial(OWN, context);
    SUNMatrix A = SUNDenseMatrix(OWN, OWN, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
    memcpy(N_VGetArrayPointer(y), peer.state, OWN * sizeof(double));
    double begin = now(), t = 0;
    peer_settle(&peer, NULL, 0, y);
    void *cvode = CVodeCreate(CV_BDF, context);
    CVodeInit(cvode, peer_rate, 0, y);
    CVodeSStolerances(cvode, tolerance, tolerance);
    CVodeSetUserData(cvode, &peer);
    CVodeSetLinearSolver(cvode, solver, A);
    if (own_jacobian) CVodeSetJacFn(cvode, peer_jacobian);
    CVodeRootInit(cvode, 1, peer_root);
    CVodeSetMaxNumSteps(cvode, 1000000);
    const double stops[] = {5, look_t[0], look_t[1], look_t[2], look_t[3], 10};
    for (int i = 0; i < 6; i++) {
        long steps = 0;
        CVodeSetStopTime(cvode, i == 0 ? 5 : 10);
        int flag;
        while ((flag = CVode(cvode, stops[i], y, &t, CV_NORMAL)) == CV_ROOT_RETURN) {
            CVodeGetNumSteps(cvode, &steps);
            answer->steps += steps;
            if (answer->hits < HITS) answer->hit[answer->hits++] = t;
            peer_settle(&peer, cvode, t, y);
        }
        if (flag < 0) give_up("CVODE failed");
        if (i > 0 && i < 5) answer->x[answer->looks++] = N_VGetArrayPointer(y)[0];
        if (i == 0 || i == 5) CVodeGetNumSteps(cvode, &steps), answer->steps += steps;
        if (i > 0) continue;
        peer.input[IB_RIG_VALVE] = 6.25;
        peer_settle(&peer, cvode, t, y);
    }
    answer->seconds = now() - begin;
    answer->rates = peer.rates;
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(A);
    N_VDestroy(y);
    SUNContext_Free(&context);
}
#endif

static void keep_better(int round, const Answer *answer, Answer *best)
{
    if (round == 0 || answer->seconds < best->seconds) *best = *answer;
}

static void measure_t10(int rounds)
{
    static const double tolerances[] = {1e-6, 1e-7, 1e-8, 1e-9};
    enum { TOLERANCES = 4, WHO = 3 };
    static const char *const who[WHO] = {"rosenbrock", "cvode", "cvode.jacobian"};
    static Answer best[TOLERANCES][WHO];
    int contenders = 1;
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < TOLERANCES; i++) {
            Answer answer;
            t10_here(tolerances[i], &answer);
            keep_better(round, &answer, &best[i][0]);
#ifdef IB_HAVE_SUNDIALS
            contenders = WHO;
            for (int j = 1; j < WHO; j++) {
                t10_peer(tolerances[i], j == 2, &answer);
                keep_better(round, &answer, &best[i][j]);
            }
#endif
        }
    for (int i = 0; i < TOLERANCES; i++)
        for (int j = 0; j < contenders; j++) {
            char key[64];
            snprintf(key, sizeof key, "t10.%s.%g", who[j], tolerances[i]);
            print_answer(key, &best[i][j]);
        }
}

// ---------------------------------------------------------------------------------------- counting

static int count_row(const char *key, int times)
{
    for (int i = 0; i < ROWS * COURSES; i++) {
        char name[64];
        double x;
        snprintf(name, sizeof name, "%s.%s", rows[i / COURSES].key, courses[i % COURSES].key);
        if (strcmp(key, name) != 0) continue;
        for (int j = 0; j < times; j++) row_run(&rows[i / COURSES], &courses[i % COURSES], &x);
        return 0;
    }
    return 2;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < COURSES; i++)
        for (int j = 0; j < CYLINDERS; j++) courses[i].command(j, &courses[i].of[j]);
    if (argc > 3 && strcmp(argv[1], "--count") == 0) return count_row(argv[2], atoi(argv[3]));
    int rounds = argc > 1 ? atoi(argv[1]) : 7;
    measure_rows(rounds);
    measure_t10(rounds);
    return 0;
}
