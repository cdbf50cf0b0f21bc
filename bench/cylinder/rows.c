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

// ---------------------------------------------------------------------------------------- in lanes

enum { BLOCKS = CYLINDERS / IB_LANES };

// So many cylinders through a course, a command a millisecond, in two parts each.
static double lanes_run(const Course *course, int count, double *x)
{
    static Sim setup;
    ib_CylinderRigModel rig;
    ib_RamLanes blocks[BLOCKS];
    memset(blocks, 0, sizeof blocks);
    setup_sim(&setup, NULL, course);
    ib_cylinder_rig_init(&setup.whole.rig, &rig);
    for (int i = 0; i < count; i++) setup_lane(&rig, &blocks[i / IB_LANES]);
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
