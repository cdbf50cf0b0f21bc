// Tests of presets, tables, pairs, limits and named maps, on the parameters of sample_schema.h.
//
// In the texts below an @ stands right before the place at which the mistake must be reported.
#include "cmocka_all.h"
#include "file/yaml.h"
#include "mark.h"
#include "mistakes.h"
#include "scenario/sample_schema.h"
#include "scenario/scenario_inside.h"

#include <stdio.h>

static const double psi = 6894.757293168362, atm = 101325;
static ib_Arena arena;
static ib_Diagnostics diagnostics;

static int teardown(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

// Reads `text` as the robot's map; with `sets` ("path=yaml") applied to it first.
static Sample read_set(const char *text, const char *path, const char *yaml)
{
    Sample sample;
    memset(&sample, 0, sizeof sample);
    sample.guard = 0x5a5a;
    diagnostics = (ib_Diagnostics){.arena = &arena};
    ib_Reader reader = {
        .file = "t.yaml", .arena = &arena, .diagnostics = &diagnostics, .data = sample_files};
    ib_Node *root = ib_yaml_read("t.yaml", text, strlen(text), &arena, &diagnostics);
    ib_Node *value = path ? ib_yaml_read("--set", yaml, strlen(yaml), &arena, &diagnostics) : NULL;
    if (root && value) ib_node_set(root, path, value, &arena, &diagnostics);
    if (root) ib_read_schema(&reader, root, &sample_schema, NULL, &sample);
    assert_int_equal(sample.guard, 0x5a5a);
    return sample;
}

static Sample read_sample(const char *text, const char *path, const char *yaml)
{
    Sample sample = read_set(text, path, yaml);
    assert_no_mistakes(&diagnostics, text);
    return sample;
}

// ----------------------------------------------------------------------------------------- reading

// Goal: what is not written has its default, that of a preset included. Method: an empty map, every
// field by hand from the tables.
static void what_is_left_out_has_its_default(void **state)
{
    (void)state;
    Sample s = read_sample("{}", NULL, NULL);
    assert_true(s.mass == 50 && isinf(s.limit) && s.motors == 2);
    assert_close(s.droop, 5 * psi, 1e-10); // a difference: no atmosphere in it
    assert_true(s.motor == 1 && s.motor_voltage == 12 && s.motor_torque == 2.4);
    assert_true(s.motor_inertia == 0 && s.breaker == 0 && s.breaker_cooling == 200);
    assert_true(s.air == 1 && s.air_volume == 0.574e-3 && s.compressor == 1);
    assert_close(s.air_switch[0], 95 * psi + atm, 1e-9);
    assert_close(s.air_switch[1], 115 * psi + atm, 1e-9);
    assert_true(s.compressor_cutoff == 7 && s.compressor_points.count == 2);
    assert_close(s.compressor_points.x[0], atm, 0);
    assert_close(s.compressor_points.y[0][1], 0.3 * 0.0004719474432, 1e-18);
    assert_true(s.compressor_points.y[1][1] == 10 && s.cylinder_count == 0);
    assert_true(s.breaker_trip.count == 2 && s.breaker_trip.x[1] == 400);
}

// Goal: a name stands for its entry, and what is written beside it wins. Method: the ways to write
// it, nested, with an entry that names another.
static void names_stand_for_their_entries(void **state)
{
    (void)state;
    Sample s = read_sample("drive: {motor: neo}\nbreaker: cb185\n", NULL, NULL);
    assert_true(s.motor_voltage == 11 && s.motor_torque == 3 && s.breaker == 1);
    assert_true(s.breaker_rating == 120 && s.breaker_cooling == 200 && s.breaker_trip.count == 3);
    assert_true(s.breaker_trip.y[0][2] == 1);

    s = read_sample("drive: {motor: {preset: neo, voltage: 10 V}}\n", NULL, NULL);
    assert_true(s.motor_voltage == 10 && s.motor_torque == 3);
    s = read_sample("drive: {motor: neo-heavy}\n", NULL, NULL);
    assert_true(s.motor_voltage == 11 && s.motor_inertia == 0.01);
    s = read_sample("drive: {motor: 775pro}\n", NULL, NULL);
    assert_true(s.motor_torque == 0.7);
    s = read_sample("drive: {motor: {voltage: 6 V, torque: 1 N*m}}\n", NULL, NULL);
    assert_true(s.motor_voltage == 6 && s.motor_torque == 1);
    s = read_sample("breaker: {rating: 40 A}\n", NULL, NULL);
    assert_true(s.breaker == 1 && s.breaker_rating == 40 && s.breaker_trip.count == 2);

    s = read_sample("air: small\n", NULL, NULL);
    assert_true(s.air_volume == 0.3e-3 && s.compressor_points.count == 1);
    assert_true(s.compressor_cutoff == 6);
    s = read_sample("air: own\n", NULL, NULL);
    assert_true(s.air_volume == 0.574e-3 && s.compressor_cutoff == 5);
    s = read_sample("air: {preset: small, compressor: viair}\n", NULL, NULL);
    assert_true(s.air_volume == 0.3e-3 && s.compressor_cutoff == 7);
    s = read_sample("air: {preset: small, compressor: {cutoff: 4 V}}\n", NULL, NULL);
    assert_true(s.compressor_points.count == 1 && s.compressor_cutoff == 4);
}

// Goal: what is off takes all below it along.
// Method: off, with presets below, as value and default.
static void off_switches_all_below_it(void **state)
{
    (void)state;
    Sample s = read_sample("air: off\nbreaker: off\nlimit: off\n", NULL, NULL);
    assert_true(s.air == 0 && s.compressor == 0 && s.breaker == 0 && isinf(s.limit));
    s = read_sample("air: {}\nlimit: 40 A\n", NULL, NULL);
    assert_true(s.air == 1 && s.compressor == 1 && s.limit == 40);
}

// Goal: --set reaches into presets. Method: a name, a key beside a name, a key of what is absent.
static void options_reach_into_presets(void **state)
{
    (void)state;
    assert_true(read_sample("mass: 20 kg\n", "drive.motor", "neo").motor_torque == 3);
    Sample s = read_sample("breaker: cb185\n", "breaker.cooling", "100 s");
    assert_true(s.breaker_cooling == 100 && s.breaker_rating == 120);
    s = read_sample("breaker: {preset: cb185, cooling: 50 s}\n", "breaker.rating", "130 A");
    assert_true(s.breaker_cooling == 50 && s.breaker_rating == 130 && s.breaker_trip.count == 3);
    s = read_sample("air: small\n", "air.compressor.cutoff", "5 V");
    assert_true(s.air_volume == 0.3e-3 && s.compressor_cutoff == 5);
    assert_int_equal(s.compressor_points.count, 1);
}

// Goal: a robot file's name stays under the keys of a scenario. Method: two trees, laid upon each
// other as ib__include does.
static void names_stay_under_maps(void **state)
{
    (void)state;
    static const char base_text[] = "breaker: cb185\ndrive: {motor: neo}\nair: off\n";
    static const char over_text[] =
        "breaker: {cooling: 9 s}\ndrive: {motor: {preset: cim}}\nair: {volume: 1 L}\n";
    diagnostics = (ib_Diagnostics){.arena = &arena};
    ib_Node *base = ib_yaml_read("b", base_text, strlen(base_text), &arena, &diagnostics);
    ib_Node *over = ib_yaml_read("o", over_text, strlen(over_text), &arena, &diagnostics);
    ib_node_underlay(over, base);
    assert_string_equal(ib_node_find(over, "breaker.preset")->text, "cb185");
    assert_string_equal(ib_node_find(over, "breaker.cooling")->text, "9 s");
    assert_string_equal(ib_node_find(over, "drive.motor.preset")->text, "cim");
    assert_null(ib_node_find(over, "air.preset"));
    assert_int_equal(over->count, 3);
}

// Goal: named items are read each with their own defaults.
// Method: two of them, one with a dotted key.
static void named_items_have_their_own_values(void **state)
{
    (void)state;
    Sample s = read_sample("air: {cylinders: {arm: {bore: 2 cm, valve: {C: 3 L/(s*bar)}}, claw_2: "
                           "{bore: 1 in, stroke: 5 cm}}}\n",
                           NULL, NULL);
    assert_int_equal(s.cylinder_count, 2);
    assert_string_equal(s.cylinders[0].name, "arm");
    assert_string_equal(s.cylinders[1].name, "claw_2");
    assert_true(s.cylinders[0].bore == 0.02 && s.cylinders[0].stroke == 0.1);
    assert_true(s.cylinders[1].bore == 0.0254 && s.cylinders[1].stroke == 0.05);
    assert_close(s.cylinders[0].valve_C, 3e-8, 1e-22);
    assert_close(s.cylinders[1].valve_C, 1e-8, 1e-22);
    assert_int_equal(read_sample("air: {cylinders: {}}\n", NULL, NULL).cylinder_count, 0);
}

// Goal: differences have no zero of their own. Method: psi for a difference; psi refused elsewhere.
static void differences_take_any_zero(void **state)
{
    (void)state;
    assert_close(read_sample("droop: 10 psi\n", NULL, NULL).droop, 10 * psi, 1e-10);
    assert_close(read_sample("droop: 10 kPa\n", NULL, NULL).droop, 1e4, 0);
}

// ----------------------------------------------------------------------------------------- refusal

typedef struct Refusal {
    const char *text, *words;
} Refusal;

// Exactly one mistake, with the words: at the mark, or at `file` and line where there is none.
static void assert_refused(const Refusal *refusal, const char *file, int file_line)
{
    char text[2000];
    int line = 0, column = 0;
    take_mark(refusal->text, text, &line, &column);
    read_set(text, NULL, NULL);
    const ib_Diagnostic *item = &diagnostics.items[0];
    bool right = diagnostics.count == 1 && strstr(item->text, refusal->words) &&
                 strcmp(item->file, file) == 0 && item->line == (line ? line : file_line) &&
                 (!line || item->column == column);
    if (right) return;
    print_mistakes(&diagnostics);
    fail_msg("%s: expected one mistake at %d:%d with '%s'", text, line, column, refusal->words);
}

#define ASSERT_ALL(cases)                                                                          \
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)                                    \
    assert_refused(&cases[i], "t.yaml", 0)

// Goal: wrong presets are refused at their place, once. Method: one of each mistake.
static void wrong_presets_are_refused(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {"drive: {motor: @cym}\n", "drive.motor: there is no motor 'cym' in data/motors.yaml; did "
                                   "you mean 'cim'?"},
        {"drive: {motor: @zzzzzzz}\n", "in data/motors.yaml; known: cim, neo, neo-heavy, 775pro,"},
        {"drive: {motor: @off}\n",
         "cannot be off: expected a name from data/motors.yaml, or a map"},
        {"drive: {motor: @[cim]}\n", "expected a name from data/motors.yaml, or a map, got a list"},
        {"drive: {@motor: }\n", "expected a name from data/motors.yaml, or a map, got nothing"},
        {"drive: {motor: {preset: @cym, inertia: 0 kg*m^2}}\n", "drive.motor.preset: there is no"},
        {"drive: {motor: {preset: @[cim]}}\n", "expected the name of a preset, got a list"},
        {"drive: {motor: {preset: @off}}\n", "there is no motor 'off'"},
        {"drive: {motor: {preset: cim, voltage: @3 A}}\n", "drive.motor.voltage: expected a volt"},
        {"drive: {motor: {preset: cim, @voltag: 3 V}}\n",
         "voltag: unknown key; did you mean 'volt"},
        {"drive: {motor: {@prset: cim, voltage: 1 V, torque: 1 N*m}}\n", "did you mean 'preset'"},
        {"drive: {@motor: {voltage: 3 V}}\n",
         "drive.motor: 'torque' is missing: expected a torque"},
        {"@breaker: {cooling: 3 s}\n", "breaker: 'rating' is missing"},
        {"breaker: @cb18\n", "there is no breaker 'cb18' in data/breakers.yaml; did you mean"},
        {"breaker: @on\n", "there is no breaker 'on' in data/breakers.yaml; known: cb185"},
        {"air: {compressor: @vair}\n", "there is no compressor 'vair'"},
        {"air: {preset: small, compressor: @off}\n", "cannot be off"},
        {"drive: @fast\n", "drive: expected a map, got 'fast'"},
    };
    ASSERT_ALL(cases);
}

// Goal: a mistake in a data file is shown there. Method: one of each, with the line of its entry.
static void mistakes_in_data_files_are_shown_there(void **state)
{
    (void)state;
    static const struct {
        Refusal refusal;
        int line;
    } cases[] = {
        {{"drive: {motor: wrong-unit}\n", "drive.motor.voltage: expected a voltage"}, 11},
        {{"drive: {motor: wrong-key}\n", "unknown key; did you mean 'torque'?"}, 12},
        {{"drive: {motor: wrong-base}\n", "there is no motor 'nobody'"}, 13},
        {{"drive: {motor: circle}\n", "more than 8 presets"}, 14},
        {{"drive: {motor: not-yaml}\n", "not YAML"}, 16},
        {{"drive: {motor: no-map}\n", "expected a map, got '12 V'"}, 16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(&cases[i].refusal, "data/motors.yaml", cases[i].line);
}

// Goal: wrong tables, pairs, limits and names are refused at the cell. Method: one of each mistake.
static void wrong_compounds_are_refused(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {"breaker: {rating: 9 A, trip: @5 s}\n",
         "expected rows [an electric current, a time], 2 to"},
        {"breaker: {rating: 9 A, trip: @[]}\n", "2 to 32 of them, got 0"},
        {"breaker: {rating: 9 A, trip: @[[1 A, 2 s]]}\n", "2 to 32 of them, got 1"},
        {"breaker: {rating: 9 A, trip: [[1 A, 2 s], @[2 A]]}\n",
         "expected a row [x, y], got a list"},
        {"breaker: {rating: 9 A, trip: [[1 A, 2 s], @3 A]}\n", "expected a row [x, y], got '3 A'"},
        {"breaker: {rating: 9 A, trip: [[1 A, 2 s], [@1 A, 1 s]]}\n",
         "expected more than the row before it (1 A), got '1 A'"},
        {"breaker: {rating: 9 A, trip: [[1 A, 2 s], [2 A, @1 m]]}\n", "expected a time"},
        {"breaker: {rating: 9 A, trip: [[1 A, 2 s], [2 A, @1]]}\n", "a unit is missing"},
        {"breaker: {rating: 9 A, trip: [[1 A, 2 s], [2 A, @-1 s]]}\n",
         "out of range: expected a time"},
        {"air: {compressor: {points: [@[0 psig, 1 cfm]]}}\n", "expected a row [x, y, z]"},
        {"air: {switch: @95 psig}\n", "expected [low, high], each a pressure"},
        {"air: {switch: @[95 psig]}\n", "got a list of 1"},
        {"air: {switch: [95 psig, @90 psig]}\n", "expected more than the value before it"},
        {"air: {switch: [95 psig, @115 psi]}\n", "may be gauge or absolute"},
        {"air: {switch: [95 psig, @1e9 Pa]}\n",
         "out of range: expected a pressure, 0 Pa to 1000000"},
        {"limit: @of\n", "or off, got 'of'"},
        {"limit: @-1 A\n", "out of range: expected an electric current, 0 A to 1000 A, or off"},
        {"droop: @10 psi/s\n", "expected a pressure difference"},
        {"air: {cylinders: {@Arm: {bore: 1 cm}}}\n", "'Arm' cannot name a cylinder"},
        {"air: {cylinders: {arm: {bore: 1 cm}, @arm: {bore: 1 cm}}}\n", "duplicate key"},
        {"air: {cylinders: @{a: {bore: 1 cm}, b: {bore: 1 cm}, c: {bore: 1 cm}, d: {bore: 1 "
         "cm}}}\n",
         "expected a map of at most 3, each by its name, got 4"},
        {"air: {cylinders: @arm}\n", "a map of at most 3"},
        {"air: {cylinders: {arm: @2 cm}}\n", "expected a map"},
        {"air: {cylinders: {@arm: {}}}\n", "air.cylinders.arm: 'bore' is missing"},
        {"air: {cylinders: {arm: {bore: 1 cm, @strok: 1 m}}}\n", "did you mean 'stroke'"},
        {"air: {cylinders: {arm: {bore: 1 cm, @valve.C: 1}}}\n", "write valve: {C: …}"},
        {"air: {cylinders: {arm: {bore: 1 cm, valve: {@c: 1}}}}\n",
         "did you mean 'C'? Known here: C"},
    };
    ASSERT_ALL(cases);
}

// Goal: a name of a hundred letters and a table of 33 rows are refused, 32 are not. Method: made.
static void limits_of_tables_and_names_hold(void **state)
{
    (void)state;
    char text[4000];
    for (int rows = 32; rows <= 33; rows++) {
        int used = snprintf(text, sizeof text, "breaker: {rating: 9 A, trip: [");
        for (int i = 0; i < rows; i++)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s[%d A, 1 s]",
                             i ? ", " : "", i);
        snprintf(text + used, sizeof text - (size_t)used, "]}\n");
        Sample s = read_set(text, NULL, NULL);
        assert_int_equal(diagnostics.count, rows == 32 ? 0 : 1);
        assert_int_equal(s.breaker_trip.count, rows == 32 ? 32 : 2);
    }
    for (int length = 32; length <= 33; length++) {
        snprintf(text, sizeof text, "air: {cylinders: {%.*s: {bore: 1 cm}}}\n", length,
                 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
        Sample s = read_set(text, NULL, NULL);
        assert_int_equal(s.cylinder_count, length == 32 ? 1 : 0);
    }
}

// -------------------------------------------------------------------------------------- data files

// Goal: the program's own data files keep to their form: every entry is found by its name alone, as
// in the whole file, and tells its source. Method: both ways of reading, for every file.
static void data_files_keep_to_their_form(void **state)
{
    (void)state;
    diagnostics = (ib_Diagnostics){.arena = &arena};
    for (const ib_DataFile *file = ib_data_files; file->name; file++) {
        if (strchr(file->name, '/')) continue; // one thing of its own: a field
        ib_Node *root = ib_catalogue_read(file, &arena, &diagnostics);
        const char **names = ib_catalogue_names(file, &arena);
        assert_non_null(root);
        int i = 0;
        for (const ib_Node *child = root->first; child; child = child->next, i++) {
            if (!names[i] || strcmp(names[i], child->key) != 0)
                fail_msg("%s: '%s' does not begin its line", file->path, child->key);
            ib_Node *entry = ib_catalogue_entry(file, child->key, &arena, &diagnostics);
            assert_non_null(entry);
            assert_int_equal(entry->key_place.line, child->key_place.line);
            assert_int_equal(entry->place.column, child->place.column);
            if (!ib_node_get(child, "source") || !ib_node_get(child, "sure"))
                fail_msg("%s: %s: no source, or not how sure it is", file->path, child->key);
        }
        assert_null(names[i]);
        assert_int_equal(diagnostics.count, 0);
    }
}

// Goal: names and places of entries are right. Method: the sample's motors, counted by hand.
static void entries_are_found_by_name(void **state)
{
    (void)state;
    diagnostics = (ib_Diagnostics){.arena = &arena};
    const ib_DataFile *file = ib_catalogue_find(sample_files, "motors");
    assert_non_null(file);
    assert_null(ib_catalogue_find(sample_files, "motor"));
    const char **names = ib_catalogue_names(file, &arena);
    assert_string_equal(names[0], "cim");
    assert_string_equal(names[3], "775pro");
    assert_string_equal(names[9], "no-map");
    assert_null(names[10]);
    const ib_Node *neo = ib_catalogue_entry(file, "neo", &arena, &diagnostics);
    assert_int_equal(neo->count, 2);
    assert_string_equal(neo->last->text, "3 N*m");
    assert_int_equal(neo->last->place.line, 7);
    assert_int_equal(neo->last->place.column, 11);
    assert_string_equal(neo->last->place.file, "data/motors.yaml");
    assert_null(ib_catalogue_entry(file, "ne", &arena, &diagnostics));
    assert_null(ib_catalogue_entry(file, "voltage", &arena, &diagnostics));
    assert_int_equal(diagnostics.count, 0);
    char text[20];
    ib_catalogue_singular("batteries", text, sizeof text);
    assert_string_equal(text, "battery");
    ib_catalogue_singular("airs", text, sizeof text);
    assert_string_equal(text, "air");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_is_left_out_has_its_default, teardown),
        cmocka_unit_test_teardown(names_stand_for_their_entries, teardown),
        cmocka_unit_test_teardown(off_switches_all_below_it, teardown),
        cmocka_unit_test_teardown(options_reach_into_presets, teardown),
        cmocka_unit_test_teardown(names_stay_under_maps, teardown),
        cmocka_unit_test_teardown(named_items_have_their_own_values, teardown),
        cmocka_unit_test_teardown(differences_take_any_zero, teardown),
        cmocka_unit_test_teardown(wrong_presets_are_refused, teardown),
        cmocka_unit_test_teardown(mistakes_in_data_files_are_shown_there, teardown),
        cmocka_unit_test_teardown(wrong_compounds_are_refused, teardown),
        cmocka_unit_test_teardown(limits_of_tables_and_names_hold, teardown),
        cmocka_unit_test_teardown(data_files_keep_to_their_form, teardown),
        cmocka_unit_test_teardown(entries_are_found_by_name, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
