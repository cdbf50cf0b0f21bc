// Schema tables: defaults, reading, ranges, printing, and the nearest word.
#include "base/schema.h"

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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

static const ib_Schema schema = {params, COUNT};

static Config config_default(void)
{
    Config config;
    memset(&config, 0x5a, sizeof config);
    config.speed = 42;
    assert_int_equal(ib_schema_default(&schema, &config, NULL), IB_OK);
    return config;
}

// Goal: defaults land in their fields in SI, and nowhere else. Method: a filled struct, every
// field.
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
    assert_int_equal(ib_schema_default(&(ib_Schema){&broken, 1}, &config, &error), IB_BAD_INPUT);
    assert_ptr_equal(strstr(error.text, "mass: expected a mass"), error.text);
    broken.fallback = "0 kg";
    assert_int_equal(ib_schema_default(&(ib_Schema){&broken, 1}, &config, &error), IB_BAD_INPUT);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_fill_their_fields),
        cmocka_unit_test(broken_default_names_its_key),
        cmocka_unit_test(every_type_is_read),
        cmocka_unit_test(misfits_are_refused_and_change_nothing),
        cmocka_unit_test(numbers_in_si_are_checked),
        cmocka_unit_test(printed_values_read_back),
        cmocka_unit_test(expected_values_are_described),
        cmocka_unit_test(keys_are_found_whole),
        cmocka_unit_test(distance_counts_slips),
        cmocka_unit_test(nearest_word_is_the_one_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
