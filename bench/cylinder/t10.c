#include "t10.h"

#include <math.h>

// The reference sheet's rod (A4, +1.25 V): positions and the three instants at which it meets or
// leaves a stop.
static const double look_x[LOOKS] = {2.704120968e-3, 7.385726137e-3, 11.744342267e-3,
                                     23.048990899e-3};
static const double hit_t[HITS] = {0.056199807, 5.0599688080, 5.4999887645};

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
    setup_sim(&setup, published, &courses[COURSE_T10]);
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

static void keep_better(int round, const Answer *answer, Answer *best)
{
    if (round == 0 || answer->seconds < best->seconds) *best = *answer;
}

void t10_measure(int rounds)
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
                t10_cvode(tolerances[i], j == 2, &answer);
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
