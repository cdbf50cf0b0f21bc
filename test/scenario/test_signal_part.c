// Claims about src/sim/signal_part.c on whole robots: parts found alone are those found with all.
#include "cmocka_all.h"

#include "given.h"
#include "sim/signal_part.h"
#include "sim/sim_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const files[] = {
    "tank_path",           "course_driver", "rover_ruckus_field", "pushed",   "match",
    "roomba_path_inverse", "box_slide",     "holonomic_layouts",  "tank_box", "tank_two",
    "ruckus_crater",       "cylinder_step"};

// Every signal whose parts are among `parts` has the bits that it has beside all others.
static void compare_part(const ib_Sim *sim, const char *name, unsigned parts, const double *all,
                         double *some)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->signals.count; i++) some[i] = (double)NAN;
    ib__sim_look_now(sim, sim->state, parts, some);
    for (int i = 0; i < model->signals.count; i++)
        if ((ib_signal_part(model, i) & ~parts) == 0 && memcmp(&all[i], &some[i], sizeof *all))
            fail_msg("%s: %s is %.17g alone, %.17g with all", name, model->signals.items[i].name,
                     some[i], all[i]);
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
// and fields with paths, contacts and zones, on the way at 0.3 s and 0.6 s.
static void what_is_found_alone_is_the_same(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof files / sizeof files[0]; n++) {
        char file[256];
        ib_Sim *sim;
        ib_Error error;
        snprintf(file, sizeof file, "%s/scenarios/%s.yaml", IB_SOURCE_DIR, files[n]);
        ib_Scenario *scenario = given_with(file, NULL, &(ib_ScenarioOptions){0});
        size_t count = (size_t)scenario->model->signals.count;
        double *all = calloc(count, sizeof *all), *some = calloc(count, sizeof *some);
        assert_true(all && some);
        assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
        for (int time = 1; time <= 2; time++) {
            assert_int_equal(ib_sim_advance(sim, time * (IB_SECOND / 10 * 3), &error), IB_OK);
            ib__sim_look_now(sim, sim->state, IB_PARTS_ALL, all);
            for (unsigned parts = 0; parts <= IB_PARTS_ALL; parts++)
                if ((parts & IB_PART_OWN) || ib_signal_part(scenario->model, -1) == 0)
                    compare_part(sim, files[n], parts, all, some);
            if (ib__sim_parts_ways(sim)) compare_rates(sim, files[n]);
        }
        free(all);
        free(some);
        ib_sim_destroy(sim);
        ib_scenario_destroy(scenario);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_found_alone_is_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
