// Tests of scenario/scenario.h: all mistakes of a file come in one pass, and none is made up.
#include "scenario/mistakes_rig.h"

#include <stdio.h>
#include <string.h>

// Goal: all mistakes of a file come in one pass, in order, with none made up. Method: nine
// mistakes in nine parts.
static void all_mistakes_come_in_one_pass(void **state)
{
    (void)state;
    static const char marked[] = "titel: x\n"
                                 "robot: {kind: roomba, mas: 1 kg, drag: 3, sensors: {gyro: {nois: "
                                 "1}}}\n"
                                 "start: {z: 1 m}\n"
                                 "inputs: {left: 3, right: 1 N, hold: x}\n"
                                 "disturbances: [{force: 1}]\n"
                                 "run: {duration: 0 s, step: 5 s}\n"
                                 "record: {every: 1}\n"
                                 "expect: [\"at end: nothing > 1\"]\n";
    static const int lines[] = {1, 2, 2, 2, 3, 4, 4, 5, 6, 7, 8};
    diagnostics = (ib_Diagnostics){.arena = &arena};
    assert_null(ib_scenario_read_text("t.yaml", marked, strlen(marked), NULL, &diagnostics));
    int count = sizeof lines / sizeof lines[0];
    if (diagnostics.count != count) print_all(marked);
    assert_int_equal(diagnostics.count, count);
    for (int i = 0; i < count; i++) assert_int_equal(diagnostics.items[i].line, lines[i]);
    ib_arena_reset(&arena);
}

// Goal: missing required parts are all named. Method: an almost empty file.
static void missing_parts_are_all_named(void **state)
{
    (void)state;
    diagnostics = (ib_Diagnostics){.arena = &arena};
    assert_null(ib_scenario_read_text("t.yaml", "title: x", 8, NULL, &diagnostics));
    assert_int_equal(diagnostics.count, 2);
    diagnostics = (ib_Diagnostics){.arena = &arena};
    assert_null(ib_scenario_read_text("t.yaml", ROBOT, strlen(ROBOT), NULL, &diagnostics));
    assert_int_equal(diagnostics.count, 3);
    for (int i = 0; i < 3; i++) assert_non_null(strstr(diagnostics.items[i].text, "missing"));
    ib_arena_reset(&arena);
}

// Goal: a file with hundreds of mistakes stays bounded. Method: 400 unknown keys.
static void hundreds_of_mistakes_are_counted(void **state)
{
    (void)state;
    char text[8000];
    size_t used = (size_t)snprintf(text, sizeof text, BASE);
    for (int i = 0; i < 400; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "q%d: 1\n", i);
    diagnostics = (ib_Diagnostics){.arena = &arena};
    assert_null(ib_scenario_read_text("t.yaml", text, used, NULL, &diagnostics));
    assert_int_equal(diagnostics.count, IB_MAX_DIAGNOSTICS);
    assert_int_equal(diagnostics.dropped, 300);
    ib_arena_reset(&arena);
}

// Goal: lists with hundreds of mistakes are counted to their end. Method: 300 wrong sentences, 200
// wrong patterns and 150 wrong disturbances.
static void hundreds_of_wrong_items_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *head, *item, *tail;
        int count;
    } cases[] = {{BASE "expect:\n", "- 'always: wrong%d > 1 m'\n", "", 300},
                 {BASE "expect:\n", "- 'at 2 s: pose.x > %d m'\n", "", 300},
                 {BASE "record: {signals: [", "no_%d, ", "]}\n", 200},
                 {BASE "disturbances:\n", "- {signal: no_%d, scale: 1}\n", "", 150}};
    static char text[20000];
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        size_t used = (size_t)snprintf(text, sizeof text, "%s", cases[k].head);
        for (int i = 0; i < cases[k].count; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, cases[k].item, i);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", cases[k].tail);
        diagnostics = (ib_Diagnostics){.arena = &arena};
        assert_null(ib_scenario_read_text("t.yaml", text, used, NULL, &diagnostics));
        assert_int_equal(diagnostics.count, IB_MAX_DIAGNOSTICS);
        assert_int_equal(diagnostics.dropped, cases[k].count - IB_MAX_DIAGNOSTICS);
        ib_arena_reset(&arena);
    }
}

typedef struct Mistake {
    int line;
    const char *words;
} Mistake;

// Exactly these mistakes, in this order.
static void assert_mistakes(const char *text, const Mistake *mistakes, int count)
{
    diagnostics = (ib_Diagnostics){.arena = &arena};
    assert_null(ib_scenario_read_text("t.yaml", text, strlen(text), NULL, &diagnostics));
    if (diagnostics.count != count) print_all(text);
    assert_int_equal(diagnostics.count, count);
    for (int i = 0; i < count; i++) {
        const ib_Diagnostic *d = &diagnostics.items[i];
        if (d->line != mistakes[i].line || !strstr(d->text, mistakes[i].words))
            fail_msg("'%s' in line %d: expected '%s' in line %d", d->text, d->line,
                     mistakes[i].words, mistakes[i].line);
    }
    ib_arena_reset(&arena);
}

// Goal: what YAML could say and a scenario may not hides nothing else, and makes nothing up.
// Method: duplicates, anchors, tags, aliases and merge keys among other mistakes.
static void refused_yaml_hides_no_other_mistake(void **state)
{
    (void)state;
    static const Mistake first[] = {{1, "robot.mass: a unit is missing"},
                                    {1, "duplicate key 'mass'"},
                                    {2, "expected a force"},
                                    {2, "anchor"},
                                    {3, "run.duration: a unit is missing"},
                                    {3, "run.sed: unknown key"}};
    assert_mistakes("robot: {kind: roomba, mass: 2.7, mass: 3 kg}\n"
                    "inputs: {left: 1 m, right: &a 1 N}\n"
                    "run: {duration: 2, sed: 3}\n",
                    first, 6);

    static const Mistake aliases[] = {
        {1, "merge key"},      {1, "alias"}, {1, "robot.drag: a unit"},
        {2, "alias"},          {2, "alias"}, {3, "alias"},
        {3, "solver"},         {4, "alias"}, {4, "often"},
        {5, "second document"}};
    assert_mistakes("robot: {kind: roomba, <<: *r, drag: 3}\n"
                    "inputs: {left: *a, right: [[0 s, *b], [1 s, 1 N]]}\n"
                    "run: {duration: *d, step: 5 s, solver: magic}\n"
                    "expect: [*e, \"often: pose.x > 1 m\", \"at 9 s: pose.x > 1 m\"]\n"
                    "---\n",
                    aliases, 10);

    static const Mistake whole[] = {{1, "alias"}, {2, "alias"}, {3, "alias"}, {4, "duplicate"}};
    assert_mistakes("robot: *r\ninputs: *i\nrun: *u\nrun: {duration: 1 s}\n", whole, 4);
}

// Goal: a robot whose kind is unknown hides no mistake that does not depend on it. Method: an
// unknown kind, none, a file that is not there and no name of one, with the same mistakes behind.
static void an_unknown_kind_hides_no_other_mistake(void **state)
{
    (void)state;
    static const struct {
        const char *robot;
        Mistake mistake;
    } robots[] = {{"{kind: rumba", {1, "there is no kind 'rumba'"}},
                  {"{mass: 3 kg", {1, "'kind' is missing"}},
                  {"{file: none.yaml", {1, "cannot open"}},
                  {"{file: [x]", {1, "the name of a robot file"}}};
    static const Mistake others[] = {{1, "robot.sensors.gyro.period: a unit is missing"},
                                     {1, "robot.sensors.gyro.nois: unknown key"},
                                     {1, "robot.sensors.x: 'signal' is missing"},
                                     {2, "start.x: a unit is missing"},
                                     {2, "start.velocity.y: a unit is missing"},
                                     {3, "inputs.left.1.0: expected a time later"},
                                     {3, "inputs.left.2.0: a unit is missing"},
                                     {3, "inputs.hold: expected one of step, linear"},
                                     {4, "control.path.0: "},
                                     {4, "control.mode: expected one of"},
                                     {6, "'often' says no time"},
                                     {7, "a unit is missing: expected a time"},
                                     {8, "'=' needs a tolerance"},
                                     {9, "'at 9 s' is after the end of the run, 1 s"}};
    enum { OTHERS = sizeof others / sizeof others[0] };
    for (size_t i = 0; i < sizeof robots / sizeof robots[0]; i++) {
        char text[2000];
        Mistake all[OTHERS + 1] = {robots[i].mistake};
        memcpy(all + 1, others, sizeof others);
        snprintf(text, sizeof text,
                 "robot: %s, sensors: {gyro: {period: 3, nois: 1}, x: {}}}\n"
                 "start: {x: 1, y: 2 m, velocity: {y: 3}}\n"
                 "inputs: {left: [[1 s, 1 N], [1 s, 2 N], [3, 3 N]], hold: cubic, aux: 1 V}\n"
                 "control: {path: [line 2, line 1 m], mode: magic}\n" RUN
                 "expect: [\"often: a.b > 1 m\",\n \"at 1: a.b > 1 m\",\n \"at 1 s: a.b = 1 m\",\n"
                 " \"at 9 s: a.b > 1 m\", \"at 1 s: a.b = 1 m +- 1 V\"]\n",
                 robots[i].robot);
        assert_mistakes(text, all, OTHERS + 1);
    }
}

// A path that no Roomba can follow, since its radius is too tight.
#define TIGHT "control: {path: [circle 1 mm left]}"

// Goal: a path that cannot be planned hides no other mistake, and is hidden by none but those of
// its own robot. Method: one robot with mistakes elsewhere, then with one of its own; three robots
// of which two have such a path.
static void a_path_without_a_plan_hides_no_other_mistake(void **state)
{
    (void)state;
    static const Mistake all[] = {{1, "titel: unknown key"},
                                  {3, "control.path: element"},
                                  {5, "'speed.*' matches no signal"},
                                  {6, "did you mean 'pose.x'"},
                                  {7, "expected a length"}};
    assert_mistakes("titel: x\n" ROBOT TIGHT "\n" RUN "record: {signals: [pose.*, speed.*]}\n"
                    "expect: [\"always: pose.z > 1 m\",\n"
                    " \"always: path.deviation < 1 s\", \"always: path.deviation < 1 m\"]\n",
                    all, 5);

    static const Mistake own[] = {{1, "robot.side_drag: a unit is missing"},
                                  {4, "did you mean 'pose.x'"}};
    assert_mistakes("robot: {kind: roomba, side_drag: 3}\n" TIGHT "\n" RUN
                    "expect: [\"always: pose.z > 1 m\"]\n",
                    own, 2);

    static const Mistake two[] = {{2, "robots.a.control.path: element"},
                                  {4, "robots.c.mass: a unit is missing"},
                                  {5, "robots.d.control.path: element"}};
    assert_mistakes("robots:\n  a: {kind: roomba, " TIGHT "}\n  b: " GOOD "\n"
                    "  c: {kind: roomba, mass: 3, " TIGHT "}\n  d: {kind: roomba, " TIGHT "}\n" RUN
                    "expect: [\"always: a.pose.x < 1 m\", \"always: d.path.deviation < 1 m\"]\n",
                    two, 3);
}

// Goal: one unknown kind among several robots leaves the others' signals to be judged, and makes up
// nothing about its own. Method: right and wrong names of both, with disturbances of both.
static void an_unknown_robot_leaves_the_others_judged(void **state)
{
    (void)state;
    static const Mistake all[] = {{2, "there is no kind 'rumba'"},
                                  {5, "'blue.speed' matches no signal"},
                                  {6, "blue.pose.z"},
                                  {7, "no signal 'redd.disturbance.force.x'"}};
    assert_mistakes("robots:\n  red: {kind: rumba, inputs: {a: 1 N}}\n  blue: " GOOD "\n" RUN
                    "record: {signals: [blue.speed, red.speed, r*.x, blue.*, \"*.spin\"]}\n"
                    "expect: [\"always: red.pose.z > 1 m\", \"always: blue.pose.z > 1 m\",\n"
                    " \"always: redd.disturbance.force.x > 1 N\",\n"
                    " \"always: blue.disturbance.scale.drive.left.force > 0\"]\n"
                    "disturbances: [{robot: red, force: 1 N},\n"
                    "  {robot: blue, signal: drive.left.force, scale: 0.5}]\n",
                    all, 4);
}

// Goal: with both 'robot' and 'robots' both are judged.
// Method: a mistake in each, and expectations of each.
static void robot_and_robots_are_both_judged(void **state)
{
    (void)state;
    static const Mistake all[] = {{1, "robot.mass: a unit is missing"},
                                  {4, "both 'robot' and 'robots'"},
                                  {4, "robots.red.drag: a unit is missing"},
                                  {5, "red.pose.z"}};
    assert_mistakes("robot: {kind: roomba, mass: 3}\n" INPUTS RUN
                    "robots: {red: {kind: roomba, drag: 3, inputs: {left: 1 N, right: 1 N}}}\n"
                    "expect: [\"always: red.pose.z > 1 m\", \"always: red.pose.x > 1 m\",\n"
                    " \"always: pose.x > 1 m\"]\n",
                    all, 4);
}

// Goal: reading a wrong file again into the same list refuses it again and adds nothing. Method: a
// text over the limit, an unknown kind, a path without a plan and a wrong key, each read twice.
static void reading_again_adds_nothing(void **state)
{
    (void)state;
    static char longest[70000] = "title: ";
    memset(longest + 7, 'a', sizeof longest - 8);
    const char *texts[] = {longest, INPUTS RUN "robot: {kind: rumba}\n", ROBOT RUN TIGHT "\n",
                           BASE "titel: x\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        diagnostics = (ib_Diagnostics){.arena = &arena};
        for (int k = 0; k < 2; k++)
            assert_null(
                ib_scenario_read_text("t.yaml", texts[i], strlen(texts[i]), NULL, &diagnostics));
        if (diagnostics.count != 1) print_all("");
        assert_int_equal(diagnostics.count, 1);
        ib_arena_reset(&arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_mistakes_come_in_one_pass),
        cmocka_unit_test(missing_parts_are_all_named),
        cmocka_unit_test(hundreds_of_mistakes_are_counted),
        cmocka_unit_test(hundreds_of_wrong_items_are_counted),
        cmocka_unit_test(refused_yaml_hides_no_other_mistake),
        cmocka_unit_test(an_unknown_kind_hides_no_other_mistake),
        cmocka_unit_test(a_path_without_a_plan_hides_no_other_mistake),
        cmocka_unit_test(an_unknown_robot_leaves_the_others_judged),
        cmocka_unit_test(robot_and_robots_are_both_judged),
        cmocka_unit_test(reading_again_adds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
