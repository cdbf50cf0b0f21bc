// Claims about the motors of data/motors.yaml on robots: none of them makes energy.
#include "cmocka_all.h"

#include "file/catalogue.h"
#include "scenario/scenario.h"
#include "sim/run.h"
#include "sim/watch/summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// One robot of each sort that has motors, to be filled with a motor.
static const char *const robots[] = {
    "robot: {kind: tank, drive: {motor: {preset: %s%s}}}\ninputs: {left: 12 V, right: 12 V}\n"
    "run: {duration: 1.5 s}\n",
    "robot: {kind: motor_bench, motor: {preset: %s%s}, loss: none}\ninputs: {command: 12 V}\n"
    "run: {duration: 1 s, solver: dopri5}\n",
    "robot: {kind: bench, mechanisms: {wheel: {kind: flywheel, motor: {preset: %s%s}, inertia: "
    "0.01 "
    "kg*m^2}}}\ninputs: {wheel: [[0 s, 8 V], [0.7 s, -4 V]]}\nrun: {duration: 1 s, solver: "
    "dopri5}\n",
};
enum { ROBOTS = sizeof robots / sizeof *robots };

typedef struct Run {
    ib_Arena arena;
    ib_Summary *summary;
} Run;

static ib_Status attach(void *self, ib_Sim *sim, ib_Error *error)
{
    Run *run = self;
    const ib_SignalTable *signals = &ib_sim_model(sim)->signals;
    ib_Status status = ib_summary_create(signals, &run->arena, &run->summary, error);
    return status == IB_OK ? ib_sim_probe(sim, ib_summary_probe(run->summary), error) : status;
}

// What the books of a robot with this motor say at the end: all that was given, the
// smallest entry of what was lost, and the balance that is farthest off.
typedef struct Books {
    double given, least_lost, off;
    int warnings;
} Books;

static Books run_robot(const char *form, const char *motor, const char *keys)
{
    char text[400];
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    Run run = {0};
    ib_Error error = {0};
    Books books = {0};
    snprintf(text, sizeof text, form, motor, keys);
    ib_Scenario *scenario =
        ib_scenario_read_text("motor.yaml", text, strlen(text), NULL, &diagnostics);
    assert_non_null(scenario);
    ib_RunPlan plan = {.model = scenario->model, .attach = attach, .self = &run};
    assert_int_equal(ib_run_whole(&plan, &error), IB_OK);
    for (int i = 0; i < run.summary->count; i++) {
        ib_SignalRole role = scenario->model->signals.items[i].means.role;
        double value = run.summary->final[i];
        if (ib_role_gives(role)) books.given += value;
        if (role == IB_ROLE_LOST) books.least_lost = fmin(books.least_lost, run.summary->min[i]);
        if (role == IB_ROLE_BALANCE) books.off = fmax(books.off, fabs(value));
    }
    books.warnings = scenario->yaml.warning_count;
    ib_scenario_destroy(scenario);
    ib_arena_reset(&run.arena);
    ib_arena_reset(&arena);
    return books;
}

// Goal: with every motor of the table the books of a tank, a motor bench and a mechanism balance,
// and no loss is negative: nothing makes energy. Method: run each; the balance within 1e-3 of what
// was given, as the program's own warning has it, and losses not below rounding of that, 1e-12.
// None warns: the data are ours, and `ironbird list motors` tells of them.
static void books_balance_with_every_motor(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    const char **names = ib_catalogue_names(ib_catalogue_find(ib_data_files, "motors"), &arena);
    assert_non_null(names);
    for (int i = 0; names[i]; i++) {
        for (int k = 0; k < ROBOTS; k++) {
            Books books = run_robot(robots[k], names[i], "");
            assert_true(books.given > 0);
            assert_int_equal(books.warnings, 0);
            assert_true(books.off <= 1e-3 * (books.given + 1));
            assert_true(books.least_lost >= -1e-12 * books.given);
        }
    }
    ib_arena_reset(&arena);
}

// Goal: the data sheet's reading makes the energy that it did, and says so; numbers that the user
// wrote over it are warned of where they make more, unless balanced by choice. Method: the NEO's
// sprint, whose conversion is negative by its data sheet; its own free speed, and a higher one.
static void the_data_sheet_makes_energy_and_warns(void **state)
{
    (void)state;
    for (int k = 0; k < ROBOTS; k++) {
        Books sheet = run_robot(robots[k], "neo", ", torque_constant: data_sheet");
        Books same = run_robot(robots[k], "neo", ", free_speed: 5676 rpm");
        Books own = run_robot(robots[k], "neo", ", free_speed: 6000 rpm");
        Books chosen =
            run_robot(robots[k], "neo", ", free_speed: 6000 rpm, torque_constant: balanced");
        assert_true(sheet.least_lost < -1);
        assert_int_equal(sheet.warnings, 1);
        assert_int_equal(same.warnings, 0);
        assert_int_equal(own.warnings, 1);
        assert_int_equal(chosen.warnings, 0);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        ib_plain_test(books_balance_with_every_motor),
        cmocka_unit_test(the_data_sheet_makes_energy_and_warns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
