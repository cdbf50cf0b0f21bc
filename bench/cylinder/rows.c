#include "rows.h"

#include "setup.h"

#include <string.h>

// -------------------------------------------------------------------------- through the simulation

// Samples all signals once a millisecond, as a recorder does.
static ib_Time look(void *self, ib_Time time, const double *signals)
{
    Sim *sim = self;
    (void)signals;
    sim->looks++;
    return time + IB_SECOND / 1000;
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

// -------------------------------------------------------------------------------------------- rows

// What is left out of the full model, as far as the thesis left it out too (Table 3).
static const char straight[] =
    "-5 V 1.2e-6 m^2 1.2e-6 m^2, -4 V 9.6e-7 m^2 9.6e-7 m^2, -3 V 7.2e-7 m^2 7.2e-7 m^2, "
    "-2 V 4.8e-7 m^2 4.8e-7 m^2, -1 V 2.4e-7 m^2 2.4e-7 m^2, 0 V 2e-8 m^2 2e-8 m^2, "
    "1 V 2.4e-7 m^2 2.4e-7 m^2, 2 V 4.8e-7 m^2 4.8e-7 m^2, 3 V 7.2e-7 m^2 7.2e-7 m^2, "
    "4 V 9.6e-7 m^2 9.6e-7 m^2, 5 V 1.2e-6 m^2 1.2e-6 m^2";

typedef struct Row {
    const char *key;
    bool looked_at; // all signals, every millisecond
    Pair pairs[4];
} Row;

static const Row rows[] = {
    {"sim", false, {{NULL, NULL}}},
    {"sim.viscous", false, {{"friction.law", "viscous"}, {"friction.viscous", "70 N*s/m"}}},
    {"sim.valve", false, {{"valve.law", "linear"}}},
    {"sim.area", false, {{"valve.areas", straight}, {"valve.map", "table"}}},
    {"sim.pressure", false, {{"valve.curve", "switch"}}},
    {"sim.both",
     false,
     {{"friction.law", "viscous"}, {"friction.viscous", "70 N*s/m"}, {"valve.law", "linear"}}},
    {"sim.looked_at", true, {{NULL, NULL}}},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static double row_run(const Row *row, const Course *course, double *x)
{
    static Sim setup;
    setup_sim(&setup, row->pairs, course);
    return sim_run(&setup, row->looked_at, x);
}

void rows_measure(int rounds)
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

// ---------------------------------------------------------------------------------------- counting

int rows_count(const char *key, int times)
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
