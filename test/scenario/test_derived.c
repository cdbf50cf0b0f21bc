// Files that are another one with some values changed: `from` and `set`.
#include "folder.h"
#include "scenario/scenario.h"
#include "sim/run.h"

static const char base[] = "title: the base\nrobot: {file: robots/mine.yaml, mass: 3 kg}\n"
                           "inputs: {left: [[0 s, 1 N], [0.1 s, 2 N]], right: 1 N}\n"
                           "run: {duration: 0.2 s}\n";

static int begin(void **state)
{
    if (make_folder(state) || shell("mkdir -p robots deep")) return -1;
    write_file("base.yaml", base);
    write_file("robots/mine.yaml", "{kind: roomba, drag: 2 N*s^2/m^2}");
    write_file("deep/other.yaml", "{kind: roomba, drag: 9 N*s^2/m^2}");
    return 0;
}

// The hash of a run, its title in `title`. NULL there: nothing is kept.
static uint64_t run(const char *name, const ib_Override *overrides, int count, char title[64])
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_ScenarioOptions options = {.overrides = overrides, .override_count = count};
    ib_Scenario *scenario = ib_scenario_read(in_folder(name).text, &options, &diagnostics);
    if (!scenario) fail_msg("%s: %s", name, diagnostics.items[0].text);
    ib_Sim *sim;
    ib_RunResult result;
    ib_Error error;
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    assert_int_equal(ib_run(sim, &(ib_RunOptions){0}, &result, &error), IB_OK);
    uint64_t hash = ib_sim_hash(sim);
    if (title) snprintf(title, 64, "%s", scenario->yaml.title);
    ib_sim_destroy(sim);
    ib_scenario_destroy(scenario);
    ib_arena_reset(&arena);
    return hash;
}

// Goal: a derived file runs as its base with the same values by --set, also over a third file and
// with --set on top; its title is its own or the base's. Method: hashes.
static void a_derived_file_is_its_base_changed(void **unused)
{
    (void)unused;
    static const ib_Override changes[] = {{"robot.mass", "2 kg"}, {"inputs.left.1.1", "3 N"}};
    static const ib_Override more[] = {
        {"robot.mass", "2 kg"}, {"inputs.left.1.1", "3 N"}, {"inputs.right", "2 N"}};
    char title[64];
    write_file("deep/a.yaml",
               "from: ../base.yaml\nset:\n  robot.mass: 2 kg\n  inputs.left.1.1: 3 N\n");
    write_file("b.yaml", "title: mine\nfrom: deep/a.yaml\nset: {inputs.right: 2 N}\n");
    uint64_t plain = run("base.yaml", NULL, 0, NULL), two = run("base.yaml", changes, 2, NULL);
    assert_true(plain != two);
    assert_true(run("deep/a.yaml", NULL, 0, title) == two);
    assert_string_equal(title, "the base");
    uint64_t three = run("base.yaml", more, 3, NULL);
    assert_true(run("b.yaml", NULL, 0, title) == three && three != two);
    assert_string_equal(title, "mine");
    assert_true(run("deep/a.yaml", &more[2], 1, NULL) == three);
    write_file("c.yaml", "from: base.yaml\n");
    assert_true(run("c.yaml", NULL, 0, NULL) == plain);
}

// Goal: file names are seen from the file that has them. Method: a robot beside the derived file,
// another drag.
static void names_are_seen_from_their_file(void **unused)
{
    (void)unused;
    static const ib_Override other = {"robot.file", "deep/other.yaml"};
    write_file("deep/d.yaml", "from: ../base.yaml\nset: {robot.file: other.yaml}\n");
    assert_true(run("deep/d.yaml", NULL, 0, NULL) == run("base.yaml", &other, 1, NULL));
}

// Goal: mistakes are told at their places. Method: one of each.
static void mistakes_have_their_places(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *words;
        int line;
    } cases[] = {
        {"from: nothing.yaml\n", "nothing.yaml", 1},
        {"from: [base.yaml]\n", "the name of a file", 1},
        {"from: base.yaml\nset: 5\n", "a map such as {robot.mass: 50 kg}", 2},
        {"from: base.yaml\nrobot: {mass: 1 kg}\n",
         "robot: unknown key; known here: format, title, from, set", 2},
        {"from: base.yaml\nset:\n  robot.mass: 2 m\n", "expected a mass", 3},
        {"from: base.yaml\nset:\n  robot.mass.x: 2 m\n", "is a value and has no 'x'", 3},
        {"from: wrong.yaml\n", "more than 8 files from each other", 1},
        {"from: list.yaml\n", "no map of keys", 1},
    };
    write_file("list.yaml", "[1, 2]\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_Arena arena = {0};
        ib_Diagnostics diagnostics = {.arena = &arena};
        write_file("wrong.yaml", cases[i].text);
        assert_null(ib_scenario_read(in_folder("wrong.yaml").text, NULL, &diagnostics));
        if (!strstr(diagnostics.items[0].text, cases[i].words))
            fail_msg("%s: %s", cases[i].text, diagnostics.items[0].text);
        assert_int_equal(diagnostics.items[0].line, cases[i].line);
        ib_arena_reset(&arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_derived_file_is_its_base_changed),
        cmocka_unit_test(names_are_seen_from_their_file),
        cmocka_unit_test(mistakes_have_their_places),
    };
    return cmocka_run_group_tests(tests, begin, remove_folder);
}
