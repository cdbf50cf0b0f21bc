// Tests of routines in files of their own, beside other loops, and along planners' files: from the
// files to the motion.
#include "scenario/folder_rig.h"
#include "scenario/run_rig.h"

#define PI 3.14159265358979323846

#define X_DRIVE "kind: holonomic, preset: x-drive, sensors: {gyro: {kind: gyro, period: 10 ms}}"
#define TANK    "kind: tank, sensors: {gyro: {kind: gyro, period: 10 ms}}"
#define LIFT                                                                                       \
    "mechanisms: {lift: {kind: elevator, motor: cim, motors: 2, reduction: 12, drum_radius: 2 "    \
    "cm, mass: 6 kg, travel: [0 m, 60 cm]}}"

static ib_Scenario *read_text(const char *text)
{
    write_file("s.yaml", text);
    return read_file("s.yaml", NULL);
}

static void open_routine(Run *run, const char *text)
{
    *run = (Run){.scenario = read_text(text)};
    run->diagnostics = diagnostics;
    start_run(run);
}

static void refuse(const char *words, const char *text)
{
    bool said = false;
    ib_Scenario *scenario = read_text(text);
    assert_null(scenario);
    for (int i = 0; i < diagnostics.count; i++)
        said |= strstr(diagnostics.items[i].text, words) != NULL;
    for (int i = 0; !said && i < diagnostics.count; i++)
        print_error("%s\n", diagnostics.items[i].text);
    if (!said) fail_msg("is not refused with '%s'", words);
}

// -------------------------------------------------------------------------------------------- file

// Goal: one file drives two bases to one place, and what a scenario says beside its name wins.
// Method: 1 m ahead, 50 cm to the left, by an X-drive and a tank; both within 2 cm, the routine's
// `near`, and 2 cm that odometry may be off. The periods are the file's and the scenario's.
static void one_file_drives_two_bases(void **state)
{
    (void)state;
    Run run;
    write_file("way.yaml", "period: 20 ms\nsteps:\n- drive: {forward: 1 m}\n"
                           "- drive: {to: [1 m, 50 cm], heading: 0 deg}\n");
    open_routine(&run, "robots:\n"
                       "  x: {" X_DRIVE ", control: {routine: way.yaml}}\n"
                       "  t: {" TANK ", control: {routine: {file: way.yaml, period: 10 ms}}}\n"
                       "field: {contact: false}\nrun: {duration: 9 s}\n");
    const ib_RobotConfig *robots = run.scenario->sim.robots;
    assert_true(robots[0].controllers[0]->period == ib_time_from_seconds(0.02));
    assert_true(robots[1].controllers[0]->period == ib_time_from_seconds(0.01));
    go(&run, 9);
    assert_close(see(&run, "x.pose.x"), 1, 0.04);
    assert_close(see(&run, "x.pose.y"), 0.5, 0.04);
    assert_close(see(&run, "t.pose.x"), 1, 0.04);
    assert_close(see(&run, "t.pose.y"), 0.5, 0.04);
    assert_close(see(&run, "t.pose.heading"), 0, 3 * PI / 180);
    close_run(&run);
}

// Goal: a mistake in a routine's file is placed in that file. Method: a unit that is missing, for
// each of two robots that name it, and steps in a file that is none.
static void mistakes_are_placed_in_their_file(void **state)
{
    (void)state;
    write_file("way.yaml", "- wait: 1 s\n- drive: {forward: 1}\n");
    assert_null(read_text("robot: {" X_DRIVE "}\ncontrol: {routine: way.yaml}\n"
                          "run: {duration: 1 s}\n"));
    assert_int_equal(diagnostics.count, 1);
    const ib_Diagnostic *d = &diagnostics.items[0];
    assert_non_null(strstr(d->file, "/way.yaml"));
    assert_true(d->line == 2 && d->column == 20);
    write_file("way.yaml", "wait 1 s\n");
    refuse("a routine's file is its list of steps",
           "robot: {" X_DRIVE "}\ncontrol: {routine: way.yaml}\nrun: {duration: 1 s}\n");
    write_file("way.yaml", "file: way.yaml\nsteps: [{wait: 1 s}]\n");
    refuse("a routine's file is its list of steps",
           "robot: {" X_DRIVE "}\ncontrol: {routine: way.yaml}\nrun: {duration: 1 s}\n");
}

// ------------------------------------------------------------------------------------------- loops

// Goal: a routine stands beside other loops, in any order, sets their goals and waits for what they
// and it itself show. Method: it raises a lift by its PID, which holds within what gravity leaves
// of kp = 60 V/m (5 cm), waits for the PID's goal and for its own place, then lowers it.
static void a_routine_stands_beside_other_loops(void **state)
{
    (void)state;
    static const char *const orders[] = {"  routine: {period: 20 ms, steps: *}\n  lift: +\n",
                                         "  lift: +\n  routine: {steps: *, period: 20 ms}\n"};
    const char *loop = "{kind: pid, sensors: height, kp: 60 V/m, kd: 5 V*s/m, period: 5 ms}";
    const char *steps = "[{set: {lift.goal: 40 cm}}, {until: 'control.lift.goal >= 39 cm'}, "
                        "{drive: {forward: 1 m}}, {until: 'control.routine.x >= 0.9 m'}, {until: "
                        "'time >= 4 s'}, {set: {lift: {goal: 10 cm}}}]";
    for (int i = 0; i < 2; i++) {
        Run run;
        char text[3000], *end = text;
        end += sprintf(end, "robot: {kind: holonomic, preset: x-drive, sensors: {gyro: {kind: "
                            "gyro, period: 10 ms}, height: {signal: lift.position, period: 5 "
                            "ms}}, " LIFT "}\ncontrol:\n");
        for (const char *c = orders[i]; *c; c++)
            end += *c == '*'   ? sprintf(end, "%s", steps)
                   : *c == '+' ? sprintf(end, "%s", loop)
                               : sprintf(end, "%c", *c);
        sprintf(end, "run: {duration: 8 s}\n");
        open_routine(&run, text);
        const ib_RobotConfig *robot = run.scenario->sim.robots;
        assert_int_equal(robot->controller_count, 2);
        assert_string_equal(robot->controllers[1]->name, "routine");
        go(&run, 3.9);
        assert_close(see(&run, "lift.position"), 0.4, 0.05);
        assert_close(see(&run, "pose.x"), 1, 0.03);
        go(&run, 8);
        assert_close(see(&run, "lift.position"), 0.1, 0.05);
        close_run(&run);
    }
}

// ----------------------------------------------------------------------------------------- planner

// A .path of PathPlanner: 2 m from (1, 1) along x at 0.5 m/s and 0.5 m/s^2, which takes 2/0.5 +
// 0.5/0.5 = 5 s; a robot whose heading is free turns to 90 deg.
static const char path_text[] =
    "{\"version\": \"2025.0\", \"waypoints\": ["
    "{\"anchor\": {\"x\": 1, \"y\": 1}, \"prevControl\": null, \"nextControl\": {\"x\": 1.5, "
    "\"y\": 1}},"
    "{\"anchor\": {\"x\": 3, \"y\": 1}, \"prevControl\": {\"x\": 2.5, \"y\": 1}, \"nextControl\": "
    "null}],"
    "\"rotationTargets\": [], \"constraintZones\": [], \"pointTowardsZones\": [], "
    "\"eventMarkers\": [],"
    "\"globalConstraints\": {\"maxVelocity\": 0.5, \"maxAcceleration\": 0.5,"
    " \"maxAngularVelocity\": 180, \"maxAngularAcceleration\": 360, \"unlimited\": false},"
    "\"goalEndState\": {\"velocity\": 0, \"rotation\": 90},"
    "\"idealStartingState\": {\"velocity\": 0, \"rotation\": 0}, \"reversed\": false}";

// Goal: a planner's file is followed in its time by both sorts of bases, seen by both alliances.
// Method: the line above, from its beginning: at half its time, 2.5 s, in its middle, at the end at
// 3 m; mirrored in a field of 8 m from 7 m to 5 m, turned by half a turn in one of 8 m by 4 m from
// (7, 3) to (5, 3). Within 3 cm: `near` and odometry. A step before it, to where it begins, ends at
// once, so that it begins with the routine.
static void a_planner_s_file_is_followed(void **state)
{
    (void)state;
    static const struct {
        const char *flip;
        double from, to, y, heading; // heading of the start [deg]
    } rows[] = {
        {"", 1, 3, 1, 0}, {", mirror: 8 m", 7, 5, 1, 180}, {", rotate: [8 m, 4 m]", 7, 5, 3, 180}};
    write_file("line.path", path_text);
    for (int i = 0; i < 6; i++) {
        Run run;
        char text[1000];
        const int k = i % 3;
        bool tank = i >= 3;
        snprintf(text, sizeof text,
                 "robot: {%s}\nstart: {x: %g m, y: %g m, heading: %g deg}\ncontrol: {period: 20 "
                 "ms, routine: [{follow: {file: line.path%s}}]}\nrun: {duration: 8 s}\n",
                 tank ? TANK : X_DRIVE, rows[k].from, rows[k].y, rows[k].heading, rows[k].flip);
        open_routine(&run, text);
        go(&run, 2.5);
        assert_close(see(&run, "pose.x"), 0.5 * (rows[k].from + rows[k].to), 0.03);
        go(&run, 8);
        assert_close(see(&run, "pose.x"), rows[k].to, 0.03);
        assert_close(see(&run, "pose.y"), rows[k].y, 0.03);
        double end = tank ? rows[k].heading : k == 0 ? 90 : k == 1 ? 90 : 270;
        assert_close(see(&run, "pose.heading"), end * PI / 180, 3 * PI / 180);
        close_run(&run);
    }
}

// Goal: a path that begins elsewhere is driven to, with a warning of how far that is. Method: the
// same from the origin: 1.41 m away.
static void what_begins_elsewhere_is_driven_to(void **state)
{
    (void)state;
    Run run;
    write_file("line.path", path_text);
    open_routine(&run,
                 "robot: {" TANK "}\ncontrol: {period: 20 ms, routine: [{follow: line.path}]}\n"
                 "run: {duration: 12 s}\n");
    assert_int_equal(run.scenario->yaml.warning_count, 1);
    assert_non_null(
        strstr(run.scenario->yaml.warnings[0].text, "1.41 m from where the robot starts"));
    go(&run, 12);
    assert_close(see(&run, "pose.x"), 3, 0.04);
    assert_close(see(&run, "pose.y"), 1, 0.04);
    close_run(&run);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_file_drives_two_bases),
        cmocka_unit_test(mistakes_are_placed_in_their_file),
        cmocka_unit_test(a_routine_stands_beside_other_loops),
        cmocka_unit_test(a_planner_s_file_is_followed),
        cmocka_unit_test(what_begins_elsewhere_is_driven_to),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
