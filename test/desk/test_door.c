// Tests of desk/design/design_loader.h: what a scenario takes from designs and plans.
#include "desk/design/design_loader.h"
#include "desk/desk_rig.h"
#include "folder.h"

// A straight line of theta1 as rows, to 1 rad.
#define ROWS "theta1,omega1,alpha1,theta2,omega2,alpha2\n0,1,0,0,0,0\n0.5,1,0,0,0,0\n1,1,0,0,0,0\n"
#define ARM_BOT                                                                                    \
    "kind: bench\nbattery: {open_circuit: 12 V, resistance: 0 ohm, constant_voltage: true}\n"      \
    "mechanisms: {arm: {kind: arm, preset: frc971-2018}}\n"
#define FOLLOW                                                                                     \
    "robot: {file: bot.yaml}\ncontrol: {arm: {kind: arm_path, plan: plan.yaml}}\n"                 \
    "inputs: {arm.goal: end}\nrun: {duration: 1 s}\n"

static ib_Scenario *read_scenario(const ib_DesignLoader *loader)
{
    ib_ScenarioOptions options = {.designs = loader};
    return rig_there(ib_scenario_read(in_folder("s.yaml").text, &options, rig_listen()));
}

static void assert_files(const ib_Scenario *scenario, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        bool found = false;
        for (int k = 0; scenario->yaml.files[k]; k++)
            found |= strcmp(scenario->yaml.files[k], in_folder(names[i]).text) == 0;
        if (!found) fail_msg("'%s' was read, and is not listed", names[i]);
    }
    int listed = 0;
    while (scenario->yaml.files[listed]) listed++;
    assert_int_equal(listed, count);
}

// Goal: a scenario lists all that its plan was read from. Method: a plan with rows in a CSV file,
// for the arm of a robot file that includes another.
static void files_of_a_plan_are_listed(void **state)
{
    (void)state;
    static const char *const names[] = {"s.yaml", "bot.yaml", "plan.yaml", "rows.csv",
                                        "planned.yaml"};
    write_file("rows.csv", ROWS);
    write_file("bot.yaml", ARM_BOT);
    write_file("planned.yaml", "file: bot.yaml\n");
    write_file("plan.yaml", "arm: {robot: planned.yaml, mechanism: arm}\npath: {rows: rows.csv}\n");
    write_file("s.yaml", FOLLOW);
    ib_Scenario *scenario = read_scenario(&ib_design_loader);
    assert_files(scenario, names, 5);
    ib_scenario_destroy(scenario);
}

// Goal: so it does with a design. Method: a design of the mechanism of a robot file.
static void files_of_a_design_are_listed(void **state)
{
    (void)state;
    static const char *const names[] = {"s.yaml", "design.yaml", "bot.yaml"};
    write_file("bot.yaml", "kind: bench\nmechanisms: {lift: {kind: elevator, motor: cim, motors: "
                           "2, reduction: 10, drum_radius: 2 cm, mass: 8 kg}}\n");
    write_file("design.yaml", "plant: {robot: bot.yaml, mechanism: lift}\nperiod: 5 ms\n"
                              "lqr: {tolerance: {position: 1 cm, velocity: 1 m/s, volts: 12 V}}\n");
    write_file("s.yaml",
               "robot: {kind: bench, mechanisms: {lift: {kind: elevator, motor: cim, motors: 2, "
               "reduction: 10, drum_radius: 2 cm, mass: 8 kg}}}\n"
               "control: {lift: {design: design.yaml}}\ninputs: {lift.goal: 1 m}\n"
               "run: {duration: 1 s}\n");
    ib_Scenario *scenario = read_scenario(&ib_design_loader);
    assert_files(scenario, names, 3);
    ib_scenario_destroy(scenario);
}

// Goal: a loop is the same for whoever runs it alone and for whoever asks for its margins too.
// Method: all of its bytes, for each of our designs; and that the margins were left out.
static void a_loop_needs_no_margins(void **state)
{
    (void)state;
    static const char *const names[] = {
        "cylinder_rig", "drive",     "drivetrain", "drivetrain_gears",
        "elevator",     "flywheel",  "lift",       "matrices",
        "robot",        "servo",     "shooter",    "single_arm",
        "team_drive",   "team_lift", "two_mass"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s.yaml", names[i]);
        ib_DesignFile *whole = rig_example(name);
        ib_DesignFile *alone =
            rig_there(ib_design_file_read_loop(rig_example_path(name), NULL, rig_listen()));
        assert_true((whole->loop != NULL) == (alone->loop != NULL));
        if (whole->loop) assert_memory_equal(whole->loop, alone->loop, sizeof *whole->loop);
        assert_false(alone->gears[0].design.margined);
        ib_design_file_destroy(whole);
        ib_design_file_destroy(alone);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_of_a_plan_are_listed, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(files_of_a_design_are_listed, make_folder, remove_folder),
        cmocka_unit_test(a_loop_needs_no_margins),
    };
    return cmocka_run_group_tests(tests, NULL, rig_forget);
}
