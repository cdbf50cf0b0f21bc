// Claims about src/sim/watch/signal_part.c on whole robots: parts found alone are those found
// with all.
#include "cmocka_all.h"

#include "given.h"
#include "sim/sim_inside.h"
#include "sim/watch/signal_part.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What each scenario is like, as its file says.
typedef struct File {
    const char *name;
    bool poses; ///< all poses are states: planar robots on a level floor, none of them carried
    bool apart; ///< several robots by fixed steps of rk4, none of which rests against anything
} File;

static const File files[] = {
    {"tank_path", true, false},           // one robot
    {"course_driver", true, true},        // three
    {"rover_ruckus_field", false, false}, // ridges
    {"pushed", true, true},
    {"match", true, false}, // one
    {"roomba_path_inverse", true, false},
    {"box_slide", true, false}, // boxes at a wall
    {"holonomic_layouts", true, true},
    {"tank_box", true, true},
    {"tank_two", true, true},
    {"ruckus_crater", false, false}, // ridges, markers that are carried
    {"cylinder_step", false, false}, // a rod is nowhere on the floor
};

// The part that a signal belongs to by its name (docs/scenario/signals.md).
static unsigned part_by_name(const char *name)
{
    static const char *const others[] = {"pose.",        "sensor.",      "control.",
                                         "disturbance.", "contact.hits", "contact.impulse",
                                         "contact.hit.", "contact.with."};
    const char *last = strrchr(name, '.');
    if (strstr(name, "path.deviation")) return IB_PART_PATHS;
    if (last && strncmp(last, ".in_", 4) == 0) return IB_PART_ZONES;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strstr(name, others[i])) return 0;
    return strstr(name, "contact.") ? IB_PART_FORCES : IB_PART_OWN;
}

static int compared[IB_PARTS_ALL + 1]; // signals of each combination of parts, found without others

// Every signal whose parts are among `parts` has the bits that it has beside all others.
static void compare_part(const ib_Sim *sim, const File *file, unsigned parts, const double *all,
                         double *some)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->signals.count; i++) some[i] = (double)NAN;
    ib__sim_evaluate_now(sim, sim->state, parts, some);
    for (int i = 0; i < model->signals.count; i++) {
        const char *name = model->signals.items[i].name;
        unsigned own = part_by_name(name) | (file->poses ? 0 : IB_PART_OWN);
        if (ib_signal_part(model, i) != own)
            fail_msg("%s: %s is of %u, not of %u", file->name, name, ib_signal_part(model, i), own);
        if (own & ~parts) continue;
        if (memcmp(&all[i], &some[i], sizeof *all))
            fail_msg("%s: %s is %.17g alone, %.17g with all", file->name, name, some[i], all[i]);
        compared[own] += parts != IB_PARTS_ALL;
    }
}

// The rates of each robot alone are those that it has among all; the others stay.
static void compare_rates(ib_Sim *sim, const char *name)
{
    const ib_Model *model = sim->model;
    size_t count = (size_t)model->robot_state_count;
    double *all = calloc(count, sizeof *all), *some = calloc(count, sizeof *some);
    assert_true(all && some);
    ib__sim_system(sim).rate(sim, 0, sim->state, all);
    for (int i = 0; i < model->robot_count; i++) {
        for (int k = 0; k < model->robot_count; k++) sim->looked_at[k] = k == i;
        ib__sim_system_of_some(sim).rate(sim, 0, sim->state, some);
        for (int k = 0; k < model->robot_count; k++)
            for (int n = 0; n < model->robots[k].ports.state_count; n++) {
                double was = k == i ? all[model->robots[k].state + n] : 0;
                if (memcmp(&was, &some[model->robots[k].state + n], sizeof was))
                    fail_msg("%s: rate %d of robot %d differs", name, n, k);
            }
    }
    free(all);
    free(some);
}

// Goal: signals of a part, and rates of a robot, that are found alone have the same bits as beside
// all others, and no signal is counted to the wrong part. Method: robots of all kinds on the floor
// and fields with paths, contacts and zones, on the way at 0.3 s and 0.6 s. Which parts and which
// rates can be found alone is known from names and files, and some of every kind there are.
static void what_is_found_alone_is_the_same(void **state)
{
    static const unsigned there[] = {0,
                                     IB_PART_PATHS,
                                     IB_PART_FORCES,
                                     IB_PART_OWN,
                                     IB_PART_FORCES | IB_PART_OWN,
                                     IB_PART_ZONES | IB_PART_OWN};
    (void)state;
    for (size_t n = 0; n < sizeof files / sizeof files[0]; n++) {
        const File *file = &files[n];
        char path[256];
        ib_Sim *sim;
        ib_Error error;
        snprintf(path, sizeof path, "%s/scenarios/%s.yaml", IB_SOURCE_DIR, file->name);
        ib_Scenario *scenario = given_with(path, NULL, &(ib_ScenarioOptions){0});
        size_t count = (size_t)scenario->model->signals.count;
        double *all = calloc(count, sizeof *all), *some = calloc(count, sizeof *some);
        assert_true(all && some);
        assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
        for (int time = 1; time <= 2; time++) {
            assert_int_equal(ib_sim_advance(sim, time * (IB_SECOND / 10 * 3), &error), IB_OK);
            ib__sim_evaluate_now(sim, sim->state, IB_PARTS_ALL, all);
            for (unsigned parts = 0; parts <= IB_PARTS_ALL; parts++)
                if ((parts & IB_PART_OWN) || file->poses) compare_part(sim, file, parts, all, some);
            if (ib__sim_is_decoupled(sim) != file->apart)
                fail_msg("%s: apart: %d", file->name, !file->apart);
            if (file->apart) compare_rates(sim, file->name);
        }
        free(all);
        free(some);
        ib_sim_destroy(sim);
        ib_scenario_destroy(scenario);
    }
    for (size_t i = 0; i < sizeof there / sizeof there[0]; i++) assert_true(compared[there[i]] > 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_found_alone_is_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
