// Schema tables: defaults, reading, ranges, printing, and the nearest word.
#include "base/schema.h"

#include "cmocka_all.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct Config {
    double mass, drag, speed, ratio;
    int wheels, equations;
    bool brake;
    int guard; ///< behind the last field: must never change
} Config;

static const char *const equations[] = {"corrected", "published", NULL};

enum { MASS, DRAG, SPEED, RATIO, WHEELS, EQUATIONS, BRAKE, COUNT };

static const ib_Param params[COUNT] = {
    {"mass", IB_PARAM_NUMBER, "kg", "120 lb", 1e-3, 1e6, NULL, offsetof(Config, mass), true, "."},
    {"drag", IB_PARAM_NUMBER, "N*s^2/m^2", "3.4 N*s^2/m^2", 0, 1e6, NULL, offsetof(Config, drag),
     true, "."},
    {"drive.speed", IB_PARAM_NUMBER, "rad/s", NULL, -HUGE_VAL, HUGE_VAL, NULL,
     offsetof(Config, speed), false, "."},
    {"ratio", IB_PARAM_NUMBER, NULL, "75 %", 0, HUGE_VAL, NULL, offsetof(Config, ratio), false,
     "."},
    {"wheels", IB_PARAM_COUNT, "1", "4", 2, 8, NULL, offsetof(Config, wheels), false, "."},
    {"equations", IB_PARAM_CHOICE, "1", "corrected", 0, 1, equations, offsetof(Config, equations),
     false, "."},
    {"brake", IB_PARAM_FLAG, "1", "true", 0, 1, NULL, offsetof(Config, brake), true, "."},
};

static const ib_Schema schema = {.params = params, .count = COUNT};

static Config config_default(void)
{
    Config config;
    memset(&config, 0x5a, sizeof config);
    config.speed = 42;
    assert_int_equal(ib_schema_default(&schema, &config, NULL), IB_OK);
    return config;
}

// Goal: defaults land in their fields in SI, and nowhere else.
// Method: a filled struct, every field.
static void defaults_fill_their_fields(void **state)
{
    (void)state;
    Config config = config_default();
    assert_true(config.mass == 54.4310844 && config.drag == 3.4 && config.ratio == 0.75);
    assert_int_equal(config.wheels, 4);
    assert_int_equal(config.equations, 0);
    assert_true(config.brake);
    assert_true(config.speed == 42); // no default: untouched
    assert_int_equal(config.guard, 0x5a5a5a5a);
}

// Goal: a default that does not fit its own table is found. Method: two broken tables.
static void broken_default_names_its_key(void **state)
{
    (void)state;
    Config config;
    ib_Error error;
    ib_Param broken = params[MASS];
    broken.fallback = "3 m";
    assert_int_equal(
        ib_schema_default(&(ib_Schema){.params = &broken, .count = 1}, &config, &error),
        IB_BAD_INPUT);
    assert_ptr_equal(strstr(error.text, "mass: expected a mass"), error.text);
    broken.fallback = "0 kg";
    assert_int_equal(
        ib_schema_default(&(ib_Schema){.params = &broken, .count = 1}, &config, &error),
        IB_BAD_INPUT);
    assert_ptr_equal(strstr(error.text, "mass: out of range"), error.text);
}

// Goal: each type reads its own texts. Method: one text each, then the field.
static void every_type_is_read(void **state)
{
    (void)state;
    Config config = config_default();
    assert_int_equal(ib_schema_set(&params[MASS], "2.7 kg", &config, NULL), IB_OK);
    assert_int_equal(ib_schema_set(&params[SPEED], "-60 rpm", &config, NULL), IB_OK);
    assert_int_equal(ib_schema_set(&params[RATIO], "0.5", &config, NULL), IB_OK);
    assert_int_equal(ib_schema_set(&params[WHEELS], "6", &config, NULL), IB_OK);
    assert_int_equal(ib_schema_set(&params[EQUATIONS], "published", &config, NULL), IB_OK);
    assert_int_equal(ib_schema_set(&params[BRAKE], "false", &config, NULL), IB_OK);
    assert_true(config.mass == 2.7 && config.ratio == 0.5);
    assert_true(fabs(config.speed + 6.283185307179586) < 1e-14); // 2 pi to 2 ulp
    assert_int_equal(config.wheels, 6);
    assert_int_equal(config.equations, 1);
    assert_false(config.brake);
    assert_int_equal(config.guard, 0x5a5a5a5a);
}

// Goal: what does not fit is refused with what was expected, and changes nothing. Method: one
// mistake of each sort.
static void misfits_are_refused_and_change_nothing(void **state)
{
    (void)state;
    static const struct {
        int param;
        const char *text, *says;
    } cases[] = {
        {MASS, "2.7", "a unit is missing: expected a mass, such as '2.7 kg', got '2.7'"},
        {MASS, "3 m", "got '3 m' (a length)"},
        {MASS, "0 kg", "out of range: expected a mass, 0.001 kg to 1000000 kg, got '0 kg'"},
        {MASS, "1e7 kg", "got '1e7 kg' (10000000 kg)"},
        {RATIO, "-1", "expected a pure number, at least 0, got '-1'"},
        {WHEELS, "1", "expected a whole number, 2 to 8, got '1'"},
        {WHEELS, "9", "got '9'"},
        {WHEELS, "4.5", "expected a whole number, 2 to 8, got '4.5'"},
        {WHEELS, "four", "expected a whole number, got 'four'"},
        {WHEELS, "4 m", "expected a whole number, got '4 m'"},
        {EQUATIONS, "corected",
         "one of corrected, published, got 'corected': did you mean "
         "'corrected'?"},
        {EQUATIONS, "x", "expected one of corrected, published, got 'x'"},
        {EQUATIONS, "", "expected one of"},
        {BRAKE, "yes", "expected true or false, got 'yes'"},
        {BRAKE, "True", "expected true or false"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Config config = config_default(), before = config;
        ib_Error error = {0};
        const ib_Param *param = &params[cases[i].param];
        assert_int_equal(ib_schema_set(param, cases[i].text, &config, &error), IB_BAD_INPUT);
        if (!strstr(error.text, cases[i].says)) fail_msg("'%s': '%s'", cases[i].text, error.text);
        assert_memory_equal(&config, &before, sizeof config);
    }
}

// Goal: numbers in SI are checked alike. Method: inside, at the ends, outside, not finite, and
// types that hold no number.
static void numbers_in_si_are_checked(void **state)
{
    (void)state;
    Config config = config_default();
    assert_int_equal(ib_schema_set_number(&params[MASS], 1e-3, &config, NULL), IB_OK);
    assert_int_equal(ib_schema_set_number(&params[MASS], 1e6, &config, NULL), IB_OK);
    assert_true(config.mass == 1e6);
    assert_int_equal(ib_schema_set_number(&params[MASS], 1.1e6, &config, NULL), IB_BAD_INPUT);
    assert_int_equal(ib_schema_set_number(&params[MASS], NAN, &config, NULL), IB_BAD_INPUT);
    assert_int_equal(ib_schema_set_number(&params[SPEED], INFINITY, &config, NULL), IB_BAD_INPUT);
    assert_int_equal(ib_schema_set_number(&params[WHEELS], 3, &config, NULL), IB_OK);
    assert_int_equal(config.wheels, 3);
    assert_int_equal(ib_schema_set_number(&params[WHEELS], 3.5, &config, NULL), IB_BAD_INPUT);
    assert_int_equal(ib_schema_set_number(&params[EQUATIONS], 1, &config, NULL), IB_BAD_INPUT);
    assert_int_equal(ib_schema_set_number(&params[BRAKE], 1, &config, NULL), IB_BAD_INPUT);
}

// Goal: what is printed reads back. Method: print every field, set it in another struct, compare.
static void printed_values_read_back(void **state)
{
    (void)state;
    Config config = config_default(), copy;
    config.mass = 1.0 / 3;
    config.speed = -1e-7;
    copy = config;
    copy.mass = copy.drag = copy.speed = copy.ratio = 1;
    copy.wheels = 2;
    copy.equations = 1;
    copy.brake = false;
    for (int i = 0; i < COUNT; i++) {
        char text[100];
        ib_schema_format(&params[i], &config, text, sizeof text);
        assert_int_equal(ib_schema_set(&params[i], text, &copy, NULL), IB_OK);
    }
    assert_memory_equal(&copy, &config, sizeof config);

    char text[100];
    config.mass = 2.7;
    ib_schema_format(&params[MASS], &config, text, sizeof text);
    assert_string_equal(text, "2.7 kg");
    ib_schema_format(&params[BRAKE], &config, text, sizeof text);
    assert_string_equal(text, "true");
}

// Goal: what a parameter accepts is said in one phrase. Method: the phrases.
static void expected_values_are_described(void **state)
{
    (void)state;
    static const char *const phrases[COUNT] = {
        "a mass, 0.001 kg to 1000000 kg",
        "a value in N*s^2/m^2, 0 N*s^2/m^2 to 1000000 N*s^2/m^2",
        "an angular velocity",
        "a pure number, at least 0",
        "a whole number, 2 to 8",
        "one of corrected, published",
        "true or false",
    };
    for (int i = 0; i < COUNT; i++) {
        char text[200], little[8];
        ib_schema_expected(&params[i], text, sizeof text);
        assert_string_equal(text, phrases[i]);
        ib_schema_expected(&params[i], little, sizeof little); // cut, never overrun
        assert_int_equal(strlen(little), 7);
    }
}

// ------------------------------------------------------------------ limits, pairs, tables, presets

typedef struct Parts {
    double limit, pair[2], step;
    ib_Table table, three;
    int preset, needed, names;
} Parts;

enum { LIMIT, PAIR, STEP, TABLE, THREE, PRESET, NEEDED, NAMES, PARTS };

static const ib_TableDef two_columns = {2, {"1", "1", NULL}, 2};
static const ib_TableDef three_columns = {3, {"Pa", "m^3/s", "A"}, 1};
static const ib_PresetDef may_be_off = {.file = "breakers", .off = true},
                          always_on = {.file = "motors"};
static const ib_NamedDef named = {&schema, 0, 0, 8, NULL};

#define PART(key, type, unit, fallback, min, max, detail, field)                                   \
    {                                                                                              \
        key, IB_PARAM_##type, unit, fallback, min, max, detail, offsetof(Parts, field), false, "." \
    }

static const ib_Param parts[PARTS] = {
    PART("limit", LIMIT, "A", "off", 0, 100, NULL, limit),
    PART("pair", PAIR, "Pa", "95 psig, 115 psig", 0, 1e7, NULL, pair),
    PART("step", NUMBER, "delta K", "9 degF", 0, 1e3, NULL, step),
    PART("table", TABLE, "1", "0 0, 0.5 0.9,1 1", 0, 1, &two_columns, table),
    PART("three", TABLE, "1", "", 0, 0, &three_columns, three),
    PART("preset", PRESET, "1", "off", 0, 0, &may_be_off, preset),
    PART("needed", PRESET, "1", NULL, 0, 0, &always_on, needed),
    PART("names", NAMED, "1", NULL, 0, 0, &named, names),
};

// Goal: the defaults of the larger types land in their fields. Method: all of them, by hand.
static void larger_defaults_fill_their_fields(void **state)
{
    (void)state;
    Parts p;
    memset(&p, 0x5a, sizeof p);
    assert_int_equal(ib_schema_default(&(ib_Schema){.params = parts, .count = PARTS}, &p, NULL),
                     IB_OK);
    assert_true(isinf(p.limit) && p.limit > 0);
    assert_true(fabs(p.pair[0] - (95 * 6894.757293168362 + 101325)) < 1e-9);
    assert_true(fabs(p.pair[1] - (115 * 6894.757293168362 + 101325)) < 1e-9);
    assert_true(fabs(p.step - 5) < 1e-15); // a difference: no 255 K in it
    assert_int_equal(p.table.count, 3);
    assert_true(p.table.x[1] == 0.5 && p.table.y[0][1] == 0.9 && p.table.y[0][2] == 1);
    assert_int_equal(p.three.count, 0);
    assert_int_equal(p.preset, 0);
    assert_int_equal(p.needed, 1);
    assert_int_equal(p.names, 0);
}

// Goal: texts of the larger types are read, and what is printed reads back.
// Method: set, print, set again.
static void larger_values_read_back(void **state)
{
    (void)state;
    static const struct {
        int param;
        const char *text, *printed;
    } cases[] = {
        {LIMIT, "40 A", "40 A"},
        {LIMIT, "off", "off"},
        {PAIR, "1 bar, 2 bar", "100000 Pa, 200000 Pa"},
        {STEP, "3 K", "3 K"},
        {TABLE, "0 1, 2 0.5", "0 1, 2 0.5"},
        {THREE, "0 Pa 1 L/s 7 A, 1 bar .5 L/s +8 A",
         "0 Pa 0.001 m^3/s 7 A, 100000 Pa 0.0005 m^3/s 8 A"},
        {PRESET, "off", "off"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ib_Param *param = &parts[cases[i].param];
        Parts p = {0}, again = {0};
        char text[200];
        ib_Error error = {0};
        if (ib_schema_set(param, cases[i].text, &p, &error)) fail_msg("%s", error.text);
        ib_schema_format(param, &p, text, sizeof text);
        assert_string_equal(text, cases[i].printed);
        assert_int_equal(ib_schema_set(param, text, &again, NULL), IB_OK);
        assert_memory_equal(&p, &again, sizeof p);
    }
    Parts p = {0};
    char text[20];
    assert_int_equal(ib_schema_set(&parts[PRESET], "cb185", &p, NULL), IB_OK);
    ib_schema_format(&parts[PRESET], &p, text, sizeof text);
    assert_string_equal(text, "on");
    assert_int_equal(ib_schema_set_number(&parts[LIMIT], 30, &p, NULL), IB_OK);
    assert_true(p.limit == 30);
}

// Goal: misfits of the larger types are refused and change nothing. Method: one of each.
static void larger_misfits_are_refused(void **state)
{
    (void)state;
    static const struct {
        int param;
        const char *text, *says;
    } cases[] = {
        {LIMIT, "-1 A",
         "out of range: expected an electric current, 0 A to 100 A, or off, got '-1 A'"},
        {LIMIT, "of", "expected an electric current, 0 A to 100 A, or off, got 'of'"},
        {PAIR, "1 bar", "expected two values"},
        {PAIR, "1 bar, 2 bar, 3 bar", "expected two values"},
        {PAIR, "2 bar, 1 bar", "expected more than the value before it (200000 Pa), got '1 bar'"},
        {PAIR, "2 bar, 2 bar", "expected more than the value before it"},
        {PAIR, "1 psi, 2 psi", "may be gauge or absolute"},
        {PAIR, "1 bar, 1000 bar", "out of range: expected a pressure, 0 Pa to 10000000 Pa"},
        {STEP, "3 m", "expected a temperature difference"},
        {TABLE, "0 1", "expected at least 2 rows, got 1"},
        {TABLE, "0 1, 1", "row 2: expected 2 values"},
        {TABLE, "0 1, 1 1 1", "row 2: expected 2 values"},
        {TABLE, "0 1, 0 1", "expected more than the row before it (0), got '0'"},
        {TABLE, "0 1, 1 2", "out of range: expected a pure number, 0 to 1, got '2'"},
        {TABLE, "0 1,", "expected at least 2 rows, got 1"},
        {THREE, "0 Pa 1 m 7 A", "expected a volume flow"},
        {NEEDED, "off", "expected a name from data/motors.yaml, or a map, got 'off'"},
        {PRESET, "", "expected off, a name from data/breakers.yaml, or a map"},
        {NAMES, "arm", "expected a map of at most 8, each by its name, got 'arm'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Parts p, before;
        memset(&p, 0, sizeof p);
        before = p;
        ib_Error error = {0};
        const ib_Param *param = &parts[cases[i].param];
        assert_int_equal(ib_schema_set(param, cases[i].text, &p, &error), IB_BAD_INPUT);
        if (!strstr(error.text, cases[i].says)) fail_msg("'%s': '%s'", cases[i].text, error.text);
        assert_memory_equal(&p, &before, sizeof p);
    }
}

// Goal: what the larger types accept is said in one phrase.
// Method: the phrases, cut nowhere and cut.
static void larger_expected_values_are_described(void **state)
{
    (void)state;
    static const char *const phrases[PARTS] = {
        "an electric current, 0 A to 100 A, or off",
        "[low, high], each a pressure, 0 Pa to 10000000 Pa",
        "a temperature difference, 0 K to 1000 K",
        "rows [a pure number, a pure number], 2 to 32 of them",
        "rows [a pressure, a volume flow, an electric current], 1 to 32 of them",
        "off, a name from data/breakers.yaml, or a map",
        "a name from data/motors.yaml, or a map",
        "a map of at most 8, each by its name",
    };
    for (int i = 0; i < PARTS; i++) {
        char text[200], little[8];
        ib_schema_expected(&parts[i], text, sizeof text);
        assert_string_equal(text, phrases[i]);
        ib_schema_expected(&parts[i], little, sizeof little);
        assert_int_equal(strlen(little), 7);
    }
}

// Goal: keys are found whole. Method: a dotted key, its parts, a stranger.
static void keys_are_found_whole(void **state)
{
    (void)state;
    assert_ptr_equal(ib_schema_find(&schema, "drive.speed"), &params[SPEED]);
    assert_null(ib_schema_find(&schema, "drive"));
    assert_null(ib_schema_find(&schema, "speed"));
    assert_null(ib_schema_find(&schema, ""));
}

// Goal: the distance counts slips of the pen. Method: hand-counted pairs, both ways round.
static void distance_counts_slips(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        int distance;
    } cases[] = {
        {"", "", 0},         {"", "abc", 3},           {"mass", "mass", 0}, {"mas", "mass", 1},
        {"mxss", "mass", 1}, {"masss", "mass", 1},     {"amss", "mass", 1}, {"MASS", "mass", 0},
        {"left", "felt", 2}, {"kitten", "sitting", 3}, {"ca", "abc", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(ib_word_distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(ib_word_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
    char words[3][80];
    memset(words, 'x', sizeof words);
    words[0][64] = words[1][64] = words[2][65] = '\0';
    assert_int_equal(ib_word_distance(words[0], words[1]), 0);
    assert_int_equal(ib_word_distance(words[0], words[2]), INT_MAX);
}

// Goal: the nearest word is the one meant, or none. Method: slips, ties, strangers, long words.
static void nearest_word_is_the_one_meant(void **state)
{
    (void)state;
    static const char *const words[] = {"left",      "right", "duration", "diameter",
                                        "max_force", "x",     NULL};
    static const char *const none[] = {NULL};
    assert_string_equal(ib_nearest_word("lfet", words), "left");
    assert_string_equal(ib_nearest_word("rigth", words), "right");
    assert_string_equal(ib_nearest_word("Diameter", words), "diameter");
    assert_string_equal(ib_nearest_word("maxforce", words), "max_force");
    assert_string_equal(ib_nearest_word("maxiforces", words), "max_force"); // 3 of 10
    assert_null(ib_nearest_word("zzz", words));
    assert_null(ib_nearest_word("y", words)); // one letter, all of it wrong
    assert_null(ib_nearest_word("", words));
    assert_null(ib_nearest_word("left", none));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_fill_their_fields),
        cmocka_unit_test(broken_default_names_its_key),
        cmocka_unit_test(every_type_is_read),
        cmocka_unit_test(misfits_are_refused_and_change_nothing),
        cmocka_unit_test(numbers_in_si_are_checked),
        cmocka_unit_test(printed_values_read_back),
        cmocka_unit_test(expected_values_are_described),
        cmocka_unit_test(larger_defaults_fill_their_fields),
        cmocka_unit_test(larger_values_read_back),
        cmocka_unit_test(larger_misfits_are_refused),
        cmocka_unit_test(larger_expected_values_are_described),
        cmocka_unit_test(keys_are_found_whole),
        cmocka_unit_test(distance_counts_slips),
        cmocka_unit_test(nearest_word_is_the_one_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
