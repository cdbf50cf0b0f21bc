// Claims about src/study/warnings.c: what a run has to be warned of, whatever robot it has.
#include "cmocka_all.h"

#include "desk/design/design_loader.h"
#include "study/session.h"

#include <string.h>

// Runs a scenario; warning number `index` of it into `text`, which is empty where there are fewer.
// A scenario that begins with '/' is a file.
static void run_and_warn(const char *scenario, const ib_Override *overrides, int count, int index,
                         char text[IB_WARNING_TEXT])
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    const ib_ScenarioOptions options = {
        .overrides = overrides, .override_count = count, .designs = &ib_design_loader};
    ib_Scenario *read =
        scenario[0] == '/'
            ? ib_scenario_read(scenario, &options, &diagnostics)
            : ib_scenario_read_text("run.yaml", scenario, strlen(scenario), &options, &diagnostics);
    assert_non_null(read);
    ib_SessionConfig config = ib_session_default();
    ib_Session session;
    ib_Error error;
    ib_Time time;
    config.file = "run.yaml", config.options = &options;
    assert_int_equal(ib_session_init(&session, &config, read, &error), IB_OK);
    ib_session_run(&session);
    assert_int_equal(session.status, IB_OK);
    if (!ib_session_warning(&session, index, &time, text, IB_WARNING_TEXT)) text[0] = '\0';
    ib_session_destroy(&session);
    ib_scenario_destroy(read);
    ib_arena_reset(&arena);
}

// A robot of each kind that has an energy balance, with a tolerance so large that the book is off;
// and the signal that says so.
static const struct {
    const char *scenario, *balance;
} kinds[] = {
    {"robot: {kind: motor_bench, motor: cim, current: implicit}\n"
     "inputs: {command: [[0 s, 12 V], [0.7 s, -12 V]]}\n"
     "run: {duration: 1 s, solver: dopri5, tolerance: 0.1}\n",
     "energy.error: "},
    {"robot: {kind: tank, wheels: {model: friction_circle}}\n"
     "inputs: {left: [[0 s, 12 V], [0.7 s, -12 V]], right: 12 V}\n"
     "run: {duration: 2 s, solver: dopri5, tolerance: 0.1}\n",
     "energy.error: "},
    {"robot: {kind: box, mass: 2 kg, mu: 0.5}\nstart: {velocity: {x: 3 m/s}}\n"
     "disturbances: [{at: 0 s, for: 1.05 s, force: 12 N}]\n"
     "run: {duration: 3 s, solver: dopri5, tolerance: 0.1}\n",
     "energy.error: "},
    {"robot: {kind: bench, mechanisms: {wheel: {kind: flywheel, inertia: 0.001 kg*m^2}}}\n"
     "inputs: {wheel: [[0 s, 12 V], [0.3 s, -12 V]]}\n"
     "run: {duration: 1 s, solver: dopri5, tolerance: 0.1}\n",
     "energy.error: "},
    {"robots: {a: {kind: box}, b: {kind: motor_bench, motor: cim, current: implicit, inputs: "
     "{command: [[0 s, 12 V], [0.7 s, -12 V]]}}}\n"
     "run: {duration: 1 s, solver: dopri5, tolerance: 0.1}\n",
     "b.energy.error: "},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// Goal: a book that does not balance is told for every kind of robot, with the advice that helps
// its solver; with that advice taken nothing is told. Method: each kind with a tolerance of 0.1,
// then with the default's.
static void a_book_that_is_off_is_told_of_every_kind(void **state)
{
    (void)state;
    static const ib_Override exact = {"run.tolerance", "1e-9"};
    char text[IB_WARNING_TEXT];
    for (int i = 0; i < KINDS; i++) {
        run_and_warn(kinds[i].scenario, NULL, 0, 0, text);
        assert_ptr_equal(strstr(text, kinds[i].balance), text);
        assert_non_null(strstr(text, "the energy balance is off by"));
        assert_non_null(
            strstr(text, "; try run.tolerance: 0.001. If that makes it no smaller, a formula"));
        assert_null(strstr(text, "run.s"));
        run_and_warn(kinds[i].scenario, &exact, 1, 0, text);
        assert_string_equal(text, "");
    }
}

// Goal: to one with a fixed step a shorter step and an adaptive solver are advised. Method: a bench
// by Euler's method, its current in whole steps.
static void a_fixed_step_is_advised_otherwise(void **state)
{
    (void)state;
    static const char scenario[] = "robot: {kind: motor_bench, motor: cim, current: explicit}\n"
                                   "inputs: {command: 12 V}\n"
                                   "run: {duration: 2 s, step: 1.2 ms, solver: euler}\n";
    char text[IB_WARNING_TEXT];
    run_and_warn(scenario, NULL, 0, 0, text);
    assert_non_null(strstr(text, "energy.error: the energy balance is off by"));
    assert_non_null(strstr(text, "; try run.step: 0.1 ms, or run.solver: rosenbrock. If"));
    assert_null(strstr(text, "tolerance"));
}

// Goal: a signal that should have stayed 0 is told, once, with its first instant. Method: the
// published mixing has no case for motor 2 where it turns right and x > |y| [reference C3], which
// the stick reaches at 0.5 s; the corrected one has all of them.
static void a_signal_that_warns_is_told(void **state)
{
    (void)state;
    static const char scenario[] = "robot: {kind: holonomic, preset: x-drive, mixing: published}\n"
                                   "inputs: {stick.x: [[0 s, 0], [0.5 s, 0.9]], stick.y: [[0 s, "
                                   "0.5], [0.5 s, 0]], turn: 0.5}\n"
                                   "run: {duration: 1 s}\n";
    static const ib_Override corrected = {"robot.mixing", "corrected"};
    char text[IB_WARNING_TEXT];
    run_and_warn(scenario, NULL, 0, 0, text);
    assert_ptr_equal(strstr(text, "mixing.undefined: at 0.5 s the published mixing"), text);
    run_and_warn(scenario, NULL, 0, 1, text);
    assert_string_equal(text, "");
    run_and_warn(scenario, &corrected, 1, 0, text);
    assert_string_equal(text, "");
}

// Goal: a solver that misses its tolerance by little comes to the end and tells of it once, with a
// tolerance that it holds. Method: a piston of 2 g whose friction, in in/s, has a corner at 0.25
// mm/s, where it is after 3 ns; then with the tolerance that is named.
static void a_strain_is_told(void **state)
{
    (void)state;
    static const char scenario[] = "robot: {kind: cylinder_rig, preset: thesis-50psig, mass: 2 g, "
                                   "friction: {law: saturated, velocity_unit: 1 in/s}}\n"
                                   "inputs: {valve: [[0 s, 0 V], [0.1 s, 10 V]]}\n"
                                   "run: {duration: 0.3 s}\n";
    char text[IB_WARNING_TEXT];
    run_and_warn(scenario, NULL, 0, 0, text);
    assert_ptr_equal(strstr(text, "cylinder.velocity: at 3e-09 s it moves too fast for rosenbrock"),
                     text);
    char *named = strstr(text, "; try run.tolerance: ");
    assert_non_null(named);
    const ib_Override wider = {"run.tolerance", named + strlen("; try run.tolerance: ")};
    char second[IB_WARNING_TEXT];
    run_and_warn(scenario, NULL, 0, 1, second);
    assert_string_equal(second, "");
    run_and_warn(scenario, &wider, 1, 0, second);
    assert_string_equal(second, "");
}

// Goal: a stiff step that ends at a guard is no more absurd than any other, and books close.
// Method: 2.3 g with friction in in/s, which throws its speed about by e every microsecond where it
// falls; such a step gave the piston 21 km/s. No warning is left: books are right to 1e-3.
static void a_light_piston_does_not_run_away(void **state)
{
    (void)state;
    static const char scenario[] =
        "robot: {kind: cylinder_rig, preset: supply-line, mass: 0.002285 kg, orientation: 68.5 "
        "deg, "
        "friction: {velocity_unit: 1 in/s, law: stribeck}, valve: {law: equivalent, map: table, "
        "curve: linear, swapped: true}, heat: {law: adiabatic}, orifice: {law: iso_6358, b: 0.47, "
        "m: 0.89}, stops: {law: rigid, restitution: 0.65}}\n"
        "start: {position: 40.26 mm, cap: {pressure: 86059 Pa, temperature: 298 K}, rod: "
        "{pressure: 1.0132e+05 Pa, temperature: 298 K}}\n"
        "inputs: {valve: 0 V}\nrun: {solver: stiff, duration: 0.1 s}\n";
    char text[IB_WARNING_TEXT];
    run_and_warn(scenario, NULL, 0, 0, text);
    assert_string_equal(text, "");
}

// Goal: a filter that is given angles a thousand times too large is told, with the time and the
// signal. Method: the arm that follows its plan; the first tick at which its estimate is not a
// number is one of the first second, at a multiple of 5 ms.
static void a_filter_that_fails_is_told(void **state)
{
    (void)state;
    char text[IB_WARNING_TEXT], signal[80];
    double at;
    const ib_Override override = {"robot.sensors.elbow.scale", "1000"};
    run_and_warn(IB_SOURCE_DIR "/scenarios/arm_follow.yaml", &override, 1, 0, text);
    assert_int_equal(
        sscanf(text, "the loop 'arm': at %lf s it failed: %79s is not a number", &at, signal), 2);
    assert_int_equal(strncmp(signal, "control.arm.estimate.", 21), 0);
    assert_true(at > 0 && at < 1);
    assert_close(at / 5e-3, rint(at / 5e-3), 1e-9);
    assert_non_null(strstr(text, "; its outputs are neutral from then on"));
}

// Goal: an estimate that is a number, but none that the signal it stands for can have, is told.
// Method: a rod of a few centimetres, measured a million times too large: 10 mm at the start are
// 10 km, where a rod's place is believed up to 1 km.
static void an_absurd_estimate_is_told(void **state)
{
    (void)state;
    char text[IB_WARNING_TEXT];
    const ib_Override override = {"robot.sensors.place.scale", "1e6"};
    run_and_warn(IB_SOURCE_DIR "/scenarios/cylinder_rig_lqr.yaml", &override, 1, 0, text);
    assert_non_null(strstr(text, "at 0 s it failed: control.estimate.cylinder_position is 10000 m, "
                                 "beyond its limit of 1000"));
}

// Goal: a signal that is not a number for a while is told, though the range leaves it out. Method:
// sensors with steps of 1e-320 m, in which 1 m is infinite, scaled by 0 from 0.5 s to 0.7 s, one
// of them or both.
static void a_signal_that_is_no_number_is_told(void **state)
{
    (void)state;
    char text[IB_WARNING_TEXT];
#define SENSOR       "{signal: pose.x, bias: 1 m, quantum: 1e-320 m}"
#define SCALED(name) "{at: 0.5 s, for: 0.2 s, signal: sensor." name ", scale: 0}"
#define BOX          "run: {duration: 1 s}\nrobot: {kind: box, sensors: {x: " SENSOR ", y: " SENSOR "}}\n"
    run_and_warn(BOX "disturbances: [" SCALED("x") "]\n", NULL, 0, 0, text);
    assert_string_equal(text, "sensor.x: at 0.5 s it is not a number");
    run_and_warn(BOX "disturbances: [" SCALED("x") ", " SCALED("y") "]\n", NULL, 0, 0, text);
    assert_string_equal(text, "sensor.x: at 0.5 s it is not a number; 1 other signal is no number "
                              "either, then or later");
}

// Goal: an input beyond its range that no person has set is told with its cause. Method: a routine
// that drives at top speed, where its law asks for a little more.
static void a_routine_that_asks_for_too_much_is_told(void **state)
{
    (void)state;
    char text[IB_WARNING_TEXT];
    run_and_warn("robot: {kind: holonomic, preset: x-drive, sensors: {gyro: {kind: gyro, period: "
                 "10 ms}}}\n"
                 "control: {routine: [{drive: {forward: 2 m, speed: 2 m/s}}], period: 20 ms}\n"
                 "run: {duration: 2 s}\n",
                 NULL, 0, 0, text);
    assert_ptr_equal(strstr(text, "stick.y: 1.00"), text);
    assert_non_null(strstr(text, " is beyond -1 to 1; 1 is used: the routine asks for 0."));
    assert_non_null(strstr(text, " % more than the robot gives; lower its speed"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_book_that_is_off_is_told_of_every_kind),
        cmocka_unit_test(a_fixed_step_is_advised_otherwise),
        cmocka_unit_test(a_signal_that_warns_is_told),
        cmocka_unit_test(a_strain_is_told),
        cmocka_unit_test(a_light_piston_does_not_run_away),
        cmocka_unit_test(a_filter_that_fails_is_told),
        cmocka_unit_test(an_absurd_estimate_is_told),
        cmocka_unit_test(a_signal_that_is_no_number_is_told),
        cmocka_unit_test(a_routine_that_asks_for_too_much_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
