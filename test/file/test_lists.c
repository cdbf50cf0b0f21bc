// Tests of lists of maps, of words for no limit, and of presets that stand for a whole map: how a
// robot's wheels are written.
//
// In the texts below an @ stands right before the place at which the mistake must be reported.
#include "cmocka_all.h"
#include "file/reader.h"
#include "file/yaml.h"
#include "mark.h"
#include "mistakes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEGS = 3 };

typedef struct Leg {
    char name[IB_NAME_LENGTH + 1];
    double x, swing;
    int toes;
} Leg;

typedef struct Beast {
    double mass, reach;
    int leg_count;
    Leg legs[LEGS];
    int guard; ///< behind the last item: must never change
} Beast;

static const ib_Param leg_params[] = {
    {"x", IB_PARAM_NUMBER, "m", NULL, -1, 1, NULL, offsetof(Leg, x), false, "."},
    {"swing", IB_PARAM_LIMIT, "rad", "none", -3, 3, "none", offsetof(Leg, swing), false, "."},
    {"toes", IB_PARAM_COUNT, "1", "4", 1, 9, NULL, offsetof(Leg, toes), false, "."},
};
static const ib_Schema leg_schema = IB_SCHEMA(leg_params);
static const ib_NamedDef legs = {
    .items = &leg_schema,
    .offset = offsetof(Beast, legs) - offsetof(Beast, leg_count),
    .size = sizeof(Leg),
    .most = LEGS,
    .listed = true,
};
static const ib_Param params[] = {
    {"mass", IB_PARAM_NUMBER, "kg", "50 kg", 1, 100, NULL, offsetof(Beast, mass), false, "."},
    {"body.reach", IB_PARAM_LIMIT, "m", "off", 0, 9, NULL, offsetof(Beast, reach), false, "."},
    {"body.legs", IB_PARAM_NAMED, "1", NULL, 0, 0, &legs, offsetof(Beast, leg_count), false, "."},
};
static const ib_Schema schema = {
    .params = params, .count = sizeof params / sizeof *params, .presets = "beasts"};

static const char beasts_text[] =
    "goat: {mass: 40 kg, body: {legs: [{x: 10 cm, swing: 0.5 rad}, {x: -10 cm, toes: 2}]},\n"
    "  source: a farm, sure: seen}\n"
    "kid: {preset: goat, mass: 8 kg}\n"
    "lame: {body: {legs: [{x: 10 kg}]}}\n";
static const ib_DataFile files[] = {
    {"beasts", "data/beasts.yaml", beasts_text, sizeof beasts_text - 1}, {NULL, NULL, NULL, 0}};

static ib_Arena arena;
static ib_Diagnostics diagnostics;

static int teardown(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

// One `--set`.
typedef struct Set {
    const char *path, *yaml;
} Set;

// Reads `text` as the beast's map, changed by up to three --set, in their order.
static Beast read_any(const char *text, const Set *sets)
{
    Beast beast;
    memset(&beast, 0, sizeof beast);
    beast.guard = 0x5a5a;
    diagnostics = (ib_Diagnostics){.arena = &arena};
    ib_Reader reader = {
        .file = "t.yaml", .arena = &arena, .diagnostics = &diagnostics, .data = files};
    ib_Node *root = ib_yaml_read("t.yaml", text, strlen(text), &arena, &diagnostics);
    assert_non_null(root);
    for (int i = 0; sets && i < 3 && sets[i].path; i++) {
        ib_Node *value =
            ib_yaml_read("--set", sets[i].yaml, strlen(sets[i].yaml), &arena, &diagnostics);
        ib_node_set(root, sets[i].path, value, &arena, &diagnostics);
    }
    ib_read_schema(&reader, root, &schema, NULL, &beast);
    assert_int_equal(beast.guard, 0x5a5a);
    return beast;
}

static Beast read_beast(const char *text, const Set *sets)
{
    Beast beast = read_any(text, sets);
    assert_no_mistakes(&diagnostics, text);
    return beast;
}

// ----------------------------------------------------------------------------------------- reading

// Goal: a list of maps is read in its order, each item with its own defaults, and named by its
// number. Method: none, one, as many as there is room for; flow and block style.
static void lists_are_read_in_their_order(void **state)
{
    (void)state;
    assert_int_equal(read_beast("{}", NULL).leg_count, 0);
    read_any("body: {legs: []}", NULL); // who writes a list means something by it
    assert_int_equal(diagnostics.count, 1);
    assert_non_null(strstr(diagnostics.items[0].text, "expected a list of 1 to 3 maps, got 0"));
    Beast b = read_beast("body:\n  legs:\n    - {x: 1 cm, swing: 90 deg}\n    - x: 2 cm\n"
                         "      toes: 5\n    - {x: 3 cm, swing: none}\n",
                         NULL);
    assert_int_equal(b.leg_count, 3);
    for (int i = 0; i < 3; i++) {
        char name[8];
        snprintf(name, sizeof name, "%d", i);
        assert_string_equal(b.legs[i].name, name);
        assert_close(b.legs[i].x, 0.01 * (i + 1), 1e-17);
        assert_int_equal(b.legs[i].toes, i == 1 ? 5 : 4);
    }
    assert_close(b.legs[0].swing, 1.5707963267948966, 1e-15);
    assert_true(isinf(b.legs[1].swing) && isinf(b.legs[2].swing)); // by default, and written
}

// Goal: a word of its own stands for no limit where a table has one, and `off` where it has none.
// Method: read, refused, printed, described.
static void no_limit_has_its_word(void **state)
{
    (void)state;
    char text[200];
    Beast b = read_beast("body: {reach: off, legs: [{x: 0 m, swing: none}]}", NULL);
    assert_true(isinf(b.reach) && isinf(b.legs[0].swing));
    assert_string_equal(ib_schema_off(&leg_params[1]), "none");
    assert_string_equal(ib_schema_off(&params[1]), "off");
    ib_schema_format(&leg_params[1], &b.legs[0], text, sizeof text);
    assert_string_equal(text, "none");
    ib_schema_expected(&leg_params[1], text, sizeof text);
    assert_string_equal(text, "an angle, -3 rad to 3 rad, or none");
    ib_schema_expected(&params[2], text, sizeof text);
    assert_string_equal(text, "a list of 1 to 3 maps");
    ib_schema_format(&params[2], &b, text, sizeof text);
    assert_string_equal(text, "1");
}

// Goal: a name stands for a whole map; what is written beside it wins, maps key by key, lists as a
// whole. Method: alone, with keys beside it, through another entry.
static void a_preset_is_a_whole_map(void **state)
{
    (void)state;
    Beast b = read_beast("preset: goat", NULL);
    assert_true(b.mass == 40 && b.leg_count == 2 && b.legs[0].swing == 0.5);
    assert_true(b.legs[1].toes == 2 && isinf(b.legs[1].swing) && isinf(b.reach));
    b = read_beast("preset: kid\nbody: {reach: 2 m}", NULL);
    assert_true(b.mass == 8 && b.leg_count == 2 && b.reach == 2);
    b = read_beast("preset: goat\nbody: {legs: [{x: 0 m}]}\nmass: 9 kg", NULL);
    assert_true(b.mass == 9 && b.leg_count == 1 && b.legs[0].toes == 4);
}

// Goal: --set reaches the preset, its keys, and single items of lists, written here or in the
// preset; other items stay. Method: each, and several of them in any order.
static void options_reach_into_lists(void **state)
{
    (void)state;
    Beast b = read_beast("mass: 9 kg", (Set[]){{"preset", "goat"}, {0}});
    assert_true(b.mass == 9 && b.leg_count == 2);
    b = read_beast("preset: goat", (Set[]){{"preset", "kid"}, {0}});
    assert_true(b.mass == 8);
    b = read_beast("body: {legs: [{x: 1 cm}, {x: 2 cm, toes: 3}]}",
                   (Set[]){{"body.legs.1.x", "7 cm"}, {"body.legs.2.x", "8 cm"}, {0}});
    assert_true(b.leg_count == 3 && b.legs[1].x == 0.07 && b.legs[1].toes == 3);
    b = read_beast("preset: goat", (Set[]){{"body.legs.0.x", "7 cm"}, {0}});
    assert_true(b.leg_count == 2 && b.legs[0].x == 0.07 && b.legs[0].swing == 0.5);
    assert_true(b.legs[1].x == -0.1 && b.legs[1].toes == 2);
    b = read_beast("preset: goat", (Set[]){{"body.legs.1.toes", "6"}, {0}});
    assert_true(b.leg_count == 2 && b.legs[1].toes == 6 && b.legs[1].x == -0.1);
    b = read_beast("preset: goat", (Set[]){{"body.legs.1.toes", "6"},
                                           {"body.legs.0.swing", "none"},
                                           {"body.legs.1.x", "1 cm"}});
    assert_true(b.legs[1].toes == 6 && b.legs[1].x == 0.01 && isinf(b.legs[0].swing));
    b = read_beast("preset: goat", (Set[]){{"body.legs", "[{x: 2 cm}]"}, {0}});
    assert_true(b.leg_count == 1 && b.legs[0].x == 0.02 && b.legs[0].toes == 4);
}

// ----------------------------------------------------------------------------------------- refusal

typedef struct Refusal {
    const char *text, *words;
    Set set; // at which the mistake is, where there is no mark
} Refusal;

// Goal: a mistake is refused once, at its place. Method: one of each, in the file, in a --set and
// in the data file.
static void mistakes_are_refused_at_their_place(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {"body: {legs: @3}", "body.legs: expected a list of 1 to 3 maps, got '3'"},
        {"body: {legs: @{a: {x: 1 m}}}", "body.legs: expected a list of 1 to 3 maps, got a map"},
        {"body: {legs: @[{x: 0 m}, {x: 0 m}, {x: 0 m}, {x: 0 m}]}",
         "expected a list of 1 to 3 maps, got 4"},
        {"body: {legs: [{x: 0 m}, @3 m]}", "body.legs.1: expected a map, got '3 m'"},
        {"body: {legs: [{x: 0 m}, @{toes: 2}]}", "body.legs.1: 'x' is missing: expected a length"},
        {"body: {legs: [{x: @1}]}", "body.legs.0.x: a unit is missing"},
        {"body: {legs: [{x: @2 m}]}", "body.legs.0.x: out of range"},
        {"body: {legs: [{x: 1 m}, {x: 1 m, @toe: 3}]}",
         "body.legs.1.toe: unknown key; did you mean 'toes'? Known here: x, swing, toes"},
        {"body: {legs: [{x: 1 m, swing: @non}]}", "or none, got 'non'"},
        {"body: {legs: [{x: 1 m, swing: @off}]}", "or none, got 'off'"},
        {"body: {legs: [{x: 1 m, swing: @1}]}", "body.legs.0.swing: a unit is missing"},
        {"body: {reach: @none}", "or off, got 'none'"},
        {"preset: @gota", "preset: there is no beast 'gota' in data/beasts.yaml; did you mean"},
        {"preset: @[goat]", "preset: expected the name of a preset, got a list"},
        {"@prset: goat", "did you mean 'preset'?"},
        {"body: {@preset: goat}", "unknown key"},
        {"preset: goat", "body.legs.0.x: expected a length", {"body.legs.0.x", "3 kg"}},
        {"preset: goat", "body.legs: there is no item", {"body.legs.5.x", "3 cm"}},
        {"preset: goat", "there is no beast 'cow'", {"preset", "cow"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[500];
        int line = 1, column = 1;
        take_mark(cases[i].text, text, &line, &column);
        read_any(text, (Set[]){cases[i].set, {0}});
        const ib_Diagnostic *item = &diagnostics.items[0];
        if (diagnostics.count == 1 && strstr(item->text, cases[i].words) && item->line == line &&
            item->column == column &&
            strcmp(item->file, cases[i].set.path ? "--set" : "t.yaml") == 0)
            continue;
        print_mistakes(&diagnostics);
        fail_msg("%s: expected one mistake at %d:%d with '%s'", text, line, column, cases[i].words);
    }
    read_any("preset: lame", NULL);
    assert_int_equal(diagnostics.count, 1);
    assert_string_equal(diagnostics.items[0].file, "data/beasts.yaml");
    assert_int_equal(diagnostics.items[0].line, 4);
}

int IB_TEST_GROUP(void)
{
#define CASE(name) cmocka_unit_test_teardown(name, teardown)
    const struct CMUnitTest tests[] = {
        CASE(lists_are_read_in_their_order),
        CASE(no_limit_has_its_word),
        CASE(a_preset_is_a_whole_map),
        CASE(options_reach_into_lists),
        CASE(mistakes_are_refused_at_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
