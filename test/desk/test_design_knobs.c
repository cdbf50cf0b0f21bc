// Tests of desk/design/design_knobs.h: what may be turned in a design file, and what turning
// it does.
#include "desk/design/design_knobs.h"
#include "desk/desk_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double values[IB_KNOBS_MAX];

static ib_DesignKnobs *open_path(const char *path, const ib_ScenarioOptions *options)
{
    ib_DesignKnobs *knobs = rig_there(ib_design_knobs_create(path, options, rig_listen()));
    for (int i = 0; i < knobs->count; i++) values[i] = knobs->knobs[i].value;
    return knobs;
}

static ib_DesignKnobs *open_file(const char *name)
{
    return open_path(rig_example_path(name), NULL);
}

// A design of its own, in a file that is gone when it has been read: turning needs it no more.
static ib_DesignKnobs *open_text(const char *text)
{
    char path[] = "/tmp/knobs-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    ib_DesignKnobs *knobs = open_path(path, NULL);
    unlink(path);
    return knobs;
}

static int find(const ib_DesignKnobs *knobs, const char *path)
{
    for (int i = 0; i < knobs->count; i++)
        if (strcmp(knobs->knobs[i].path, path) == 0) return i;
    fail_msg("there is no knob %s", path);
    return -1;
}

static ib_DesignFile *turn(const ib_DesignKnobs *knobs)
{
    return rig_there(ib_design_knobs_turn(knobs, values, rig_listen()));
}

static void assert_same(int count, const double *a, const double *b)
{
    for (int i = 0; i < count; i++) assert_close(a[i], b[i], 0);
}

// ----------------------------------------------------------------------------------------- turning

// Goal: the knobs stand where the file has them, with its units, and left alone change nothing.
// Method: the drivetrain's tolerances by hand; its design with all knobs untouched, to the bit.
static void knobs_stand_as_the_file_has_them(void **state)
{
    (void)state;
    ib_DesignKnobs *knobs = open_file("drivetrain.yaml");
    const ib_Knob *x = &knobs->knobs[find(knobs, "lqr.tolerance.x_left")];
    assert_close(x->value, 0.14, 0);
    assert_string_equal(x->unit, "m");
    assert_int_equal(x->form, IB_KNOB_LOG);
    assert_close(knobs->knobs[find(knobs, "lqr.tolerance.right")].value, 12, 0);
    assert_close(knobs->knobs[find(knobs, "period")].value, 0.005, 0);
    assert_close(knobs->knobs[find(knobs, "latency")].value, 0, 0);
    assert_close(knobs->knobs[find(knobs, "try.goal.x_right")].value, 1, 0);
    assert_close(knobs->knobs[find(knobs, "try.duration")].value, 2, 0);
    ib_DesignFile *design = turn(knobs);
    assert_same(8, design->gears[0].design.K, knobs->first->gears[0].design.K);
    assert_string_equal(ib_design_knobs_yaml(knobs, values, &rig_arena), "");
    ib_design_file_destroy(design);
    ib_design_knobs_destroy(knobs);
}

// Goal: a turned knob is the same as a changed file. Method: tolerance, period and filter turned,
// and the same by overrides, as on the command line; all to the bit.
static void turning_is_changing_the_file(void **state)
{
    (void)state;
    static const ib_Override overrides[] = {{"lqr.tolerance.x_left", "5 cm"},
                                            {"period", "8 ms"},
                                            {"latency", "4 ms"},
                                            {"kalman.process", "[0.005, 2, 0.005, 2]"}};
    ib_DesignKnobs *knobs = open_file("drivetrain.yaml");
    ib_ScenarioOptions options = {.overrides = overrides, .override_count = 4};
    ib_DesignFile *wanted = rig_there(ib_design_file_read(knobs->file, &options, rig_listen()));
    values[find(knobs, "lqr.tolerance.x_left")] = 0.05;
    values[find(knobs, "period")] = 0.008;
    values[find(knobs, "latency")] = 0.004;
    values[find(knobs, "kalman.process")] = 2;
    ib_DesignFile *design = turn(knobs);
    const ib_Design *a = &design->gears[0].design, *b = &wanted->gears[0].design;
    assert_same(8, a->K, b->K);
    assert_same(8, a->uncompensated_K, b->uncompensated_K);
    assert_same(16, a->Qd, b->Qd);
    assert_same(8, a->filter_gain, b->filter_gain);
    ib_design_file_destroy(design);
    ib_design_file_destroy(wanted);
    ib_design_knobs_destroy(knobs);
}

// Goal: poles are moved both at once, and the loop has them then. Method: the arm's pair moved,
// and split into two real ones.
static void poles_go_where_they_are_put(void **state)
{
    (void)state;
    ib_DesignKnobs *knobs = open_file("single_arm.yaml");
    int at = find(knobs, "poles");
    assert_int_equal(knobs->knobs[at].form, IB_KNOB_RE);
    assert_int_equal(knobs->knobs[at + 1].form, IB_KNOB_IM);
    static const double wanted[][4] = {{0.85, 0.05, 0.85, -0.05}, {0.9, 0, 0.7, 0}};
    for (int i = 0; i < 2; i++) {
        memcpy(values + at, wanted[i], sizeof wanted[i]);
        ib_DesignFile *design = turn(knobs);
        // Largest first; a pole found again by its eigenvalue: 1e-9 of 1.
        assert_close(design->gears[0].design.poles[0].re, wanted[i][0], 1e-9);
        assert_close(design->gears[0].design.poles[0].im, wanted[i][1], 1e-9);
        assert_close(design->gears[0].design.poles[1].re, wanted[i][2], 1e-9);
        ib_design_file_destroy(design);
    }
    assert_string_equal(ib_design_knobs_yaml(knobs, values, &rig_arena), "poles: [0.9, 0.7]\n");
    ib_design_knobs_destroy(knobs);
}

#define PLANT                                                                                      \
    "plant: {A: [[0, 1], [0, -2]], B: [[0], [3]], states: [x, v], inputs: [volts]}\n"              \
    "period: 5 ms\n"

// Goal: weights as matrices have knobs for their diagonals, and keep what is beside it. Method: Q
// with elements off its diagonal; the turned one against the same written out.
static void weights_keep_what_is_beside_the_diagonal(void **state)
{
    (void)state;
    static const char text[] = PLANT "lqr: {Q: [[50, 2], [2, 1]], R: [[0.01]]}\n";
    static const char other[] = PLANT "lqr: {Q: [[50, 2], [2, 8]], R: [[0.04]]}\n";
    ib_DesignKnobs *knobs = open_text(text);
    int q = find(knobs, "lqr.Q");
    values[q + 1] = 8;
    values[find(knobs, "lqr.R")] = 0.04;
    ib_DesignFile *design = turn(knobs);
    ib_DesignFile *wanted = rig_design(other);
    assert_same(2, design->gears[0].design.K, wanted->gears[0].design.K);
    assert_string_equal(ib_design_knobs_yaml(knobs, values, &rig_arena),
                        "lqr:\n  Q: [[50, 2], [2, 8]]\n  R: [0.04]\n");
    ib_design_file_destroy(design);
    ib_design_file_destroy(wanted);
    ib_design_knobs_destroy(knobs);
}

// Goal: a gear's knobs change this gear only. Method: two gears, one of them without anything of
// its own; K of the other stays, to the bit.
static void a_gear_is_turned_on_its_own(void **state)
{
    (void)state;
    static const char text[] = PLANT "lqr: {tolerance: {x: 0.1, volts: 12}}\n"
                                     "schedule: {low: {lqr: {tolerance: {x: 0.2}}}, high: {}}\n";
    ib_DesignKnobs *knobs = open_text(text);
    assert_close(knobs->knobs[find(knobs, "schedule.low.lqr.tolerance.x")].value, 0.2, 0);
    values[find(knobs, "schedule.high.lqr.tolerance.x")] = 0.05;
    ib_DesignFile *design = turn(knobs);
    assert_same(2, design->gears[0].design.K, knobs->first->gears[0].design.K);
    assert_true(design->gears[1].design.K[0] > knobs->first->gears[1].design.K[0]);
    assert_string_equal(ib_design_knobs_yaml(knobs, values, &rig_arena),
                        "schedule:\n  low: {lqr: {tolerance: {x: 0.2}}}\n"
                        "  high: {lqr: {tolerance: {x: 0.05}}}\n");
    ib_design_file_destroy(design);
    ib_design_knobs_destroy(knobs);
}

// ------------------------------------------------------------------------------ trial, YAML, wrong

// Goal: the tolerance of an integral has a unit, and is turned with it. Method: the flywheel's
// integral of rad/s is rad; turned to 2, its weight is 1/4.
static void an_integral_is_turned_in_its_unit(void **state)
{
    (void)state;
    ib_DesignKnobs *knobs = open_file("flywheel.yaml");
    int at = find(knobs, "lqr.tolerance.integral_speed");
    assert_string_equal(knobs->knobs[at].unit, "rad/s*s");
    values[at] = 2;
    ib_DesignFile *design = turn(knobs);
    assert_close(design->gears[0].config.Q[3], 0.25, 1e-15);
    ib_design_file_destroy(design);
    ib_design_knobs_destroy(knobs);
}

// Goal: a file without `try` gets a trial that shows something, and no `try` in what is copied.
// Method: the goal is one tolerance away; push and noise reach the trial.
static void a_trial_is_chosen_where_none_is_given(void **state)
{
    (void)state;
    static const char text[] = PLANT "lqr: {states: [v], tolerance: {v: 0.95, volts: 12}}\n"
                                     "kalman: {process: [1, 1], measurement: [1e-4, 4e-4]}\n"
                                     "limits: {volts: [-12, 12]}\n";
    ib_DesignKnobs *knobs = open_text(text);
    values[find(knobs, "push.volts")] = 3;
    values[find(knobs, "noise")] = 2;
    ib_DesignFile *design = turn(knobs);
    ib_Trial trial = ib_design_knobs_trial(knobs, values, design, 0);
    assert_close(trial.goal[0], 0, 0);
    assert_close(trial.goal[1], 0.95, 0);
    assert_true(trial.duration >= 0.2 && trial.duration <= 1000);
    assert_close(trial.push[0], 3, 0);
    assert_close(trial.push_at, 0.5 * trial.duration, 0);
    // R_d = R_c / T: twice the deviation of 1e-4 / 0.005 is 2 sqrt(0.02).
    assert_close(trial.noise[0], 2 * sqrt(0.02), 1e-12);
    assert_string_equal(ib_design_knobs_yaml(knobs, values, &rig_arena), "");
    ib_design_file_destroy(design);
    ib_design_knobs_destroy(knobs);
}

// Goal: what is copied reads back as the design that was shown. Method: the block put in the place
// of the file's own, for names and texts that YAML must have in quotes.
static void copied_blocks_read_back(void **state)
{
    (void)state;
    static const char text[] =
        "title: 'a: \"b\" # c'\n"
        "plant: {kind: elevator, motor: cim, motors: 2, reduction: 10, drum_radius: 2 cm, "
        "mass: 8 kg}\n"
        "period: 5 ms\n";
    ib_DesignKnobs *knobs = open_file("elevator.yaml");
    values[find(knobs, "lqr.tolerance.x")] = 0.0123;
    values[find(knobs, "try.goal.x")] = -0.5;
    ib_DesignFile *design = turn(knobs);
    const char *yaml = ib_design_knobs_yaml(knobs, values, &rig_arena);
    assert_non_null(strstr(yaml, "try:\n  goal: {x: -0.5 m}\n  duration: 2 s\n"));
    char *whole = ib_arena_format(&rig_arena, "%s%s", text, yaml);
    ib_DesignFile *again = rig_design(whole);
    assert_same(2, again->gears[0].design.K, design->gears[0].design.K);
    assert_close(again->trial.goal[0], -0.5, 0);
    ib_design_file_destroy(again);
    ib_design_file_destroy(design);
    ib_design_knobs_destroy(knobs);
}

// Goal: a value that cannot be is refused with the file's own sentence, and every knob of every
// example takes any number without harm. Method: a negative tolerance; each knob at extremes.
static void nonsense_is_refused_in_words(void **state)
{
    (void)state;
    static const double extremes[] = {0, -1e300, 5e-324};
    static const char *const files[] = {"single_arm.yaml", "elevator.yaml"};
    for (int f = 0; f < 2; f++) {
        ib_DesignKnobs *knobs = open_file(files[f]);
        for (int i = 0; i < knobs->count; i++) {
            for (int k = 0; k < 3; k++) {
                values[i] = extremes[k];
                ib_DesignFile *design = ib_design_knobs_turn(knobs, values, rig_listen());
                assert_true((design == NULL) == (rig_told.count > 0));
                bool tolerance = strstr(knobs->knobs[i].path, "tolerance") != NULL;
                if (tolerance && extremes[k] <= 0)
                    assert_non_null(strstr(rig_told.items[0].text, "expected a tolerance"));
                ib_design_file_destroy(design);
            }
            values[i] = knobs->knobs[i].value;
        }
        ib_design_knobs_destroy(knobs);
    }
}

// Goal: designs are told from scenarios. Method: one of each, and what is no file.
static void designs_are_told_from_scenarios(void **state)
{
    (void)state;
    assert_true(ib_design_file_is(IB_SOURCE_DIR "/designs/matrices.yaml"));
    assert_false(ib_design_file_is(IB_SOURCE_DIR "/scenarios/drive.yaml"));
    assert_false(ib_design_file_is(IB_SOURCE_DIR "/designs/none.yaml"));
    assert_false(ib_design_file_is(IB_SOURCE_DIR "/designs"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knobs_stand_as_the_file_has_them),
        cmocka_unit_test(turning_is_changing_the_file),
        cmocka_unit_test(poles_go_where_they_are_put),
        cmocka_unit_test(weights_keep_what_is_beside_the_diagonal),
        cmocka_unit_test(a_gear_is_turned_on_its_own),
        cmocka_unit_test(a_trial_is_chosen_where_none_is_given),
        cmocka_unit_test(an_integral_is_turned_in_its_unit),
        cmocka_unit_test(copied_blocks_read_back),
        cmocka_unit_test(nonsense_is_refused_in_words),
        cmocka_unit_test(designs_are_told_from_scenarios),
    };
    return cmocka_run_group_tests(tests, NULL, rig_forget);
}
