// Tests of desk/design/design_table.h, desk/trial/trial_table.h and their printers: the one table
// of a design. That every byte of a whole design is right is in test/scenario, test/report
// and test/view.
#include "desk/desk_rig.h"
#include "desk/table_json.h"
#include "desk/table_text.h"
#include "desk/trial/trial_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD RIG_MASS "period: 5 ms\n"

// A row as one printer has it; the caller frees it.
static char *print(const ib_DesignFile *design, const char *key, unsigned told)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    ib_Json json = {.file = file};
    assert_non_null(file);
    if (told)
        ib_row_json(&json, design->gears, ib_design_row(key), told);
    else
        ib_row_text(file, design->gears, ib_design_row(key));
    fclose(file);
    return text;
}

static void assert_printed(const ib_DesignFile *design, const char *key, unsigned told,
                           const char *wanted)
{
    char *text = print(design, key, told);
    assert_string_equal(text, wanted);
    free(text);
}

// Goal: a key names one row, or one fact of a table. Method: each is found where it stands.
static void keys_stand_once(void **state)
{
    (void)state;
    const ib_Fact *const tables[] = {ib_pole_facts, ib_margin_facts, ib_way_facts, ib_effort_facts,
                                     ib_use_facts};
    for (const ib_DesignRow *row = ib_design_rows; row->key; row++)
        assert_ptr_equal(ib_design_row(row->key), row);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const ib_Fact *fact = tables[i]; fact->key; fact++)
            assert_ptr_equal(ib_fact_find(tables[i], fact->key), fact);
}

// Goal: the zeros of the plant are shown. Method: 3/(s (s + 2)) over a hold of T = 5 ms has one, by
// hand -(1 - e - 2 T e)/(2 T - 1 + e), e = e^(-2 T), to six digits on a terminal and 1e-9 in a file
// (2 T - 1 + e loses seven of sixteen digits); its speed has none. 1 - z at 10 ms, which sets out
// the wrong way, has one outside the unit circle.
static void zeros_of_the_plant_are_shown(void **state)
{
    (void)state;
    char wanted[80];
    double e = exp(-0.01), zero = -(1 - e - 0.01 * e) / (0.01 - 1 + e);
    ib_DesignFile *design = rig_design(HEAD);
    snprintf(wanted, sizeof wanted, "  zeros (z): %.6g\n", zero);
    assert_printed(design, "plant_zeros", 0, wanted);
    char *json = print(design, "plant_zeros", 1);
    assert_non_null(strstr(json, "\"re\":"));
    assert_close(atof(strstr(json, "\"re\":") + 5), zero, 1e-9);
    free(json);
    ib_design_file_destroy(design);
    design = rig_design("plant: {A: [[0.5]], B: [[1]], C: [[1]], D: [[0]], time: discrete}\n"
                        "period: 10 ms\n");
    assert_printed(design, "plant_zeros", 0, "  zeros (z): none\n");
    ib_design_file_destroy(design);
    design = rig_design("plant: {A: [[0.5]], B: [[1]], C: [[1.5]], D: [[-1]], time: discrete}\n"
                        "period: 10 ms\n");
    assert_printed(design, "plant_zeros", 0,
                   "  zeros (z): 2; 1 outside the unit circle: no controller may cancel it\n");
    ib_design_file_destroy(design);
}

// Goal: what a design does not have is null in a file, an empty list to the page, and no line on a
// terminal. Method: a plant alone.
static void what_is_absent_is_said_as_each_expects(void **state)
{
    (void)state;
    static const char *const keys[] = {"K", "poles", "delayed_poles", "kalman_poles", "margins"};
    ib_DesignFile *design = rig_design(HEAD);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char null[40], empty[40];
        snprintf(null, sizeof null, "\"%s\":null", keys[i]);
        snprintf(empty, sizeof empty, "\"%s\":[]", keys[i]);
        assert_printed(design, keys[i], IB_TOLD_FILE, null);
        assert_printed(design, keys[i], IB_TOLD_PAGE, empty);
        assert_printed(design, keys[i], 0, "");
    }
    ib_design_file_destroy(design);
}

// Goal: a row is named by what the design has. Method: the closed loop with nothing, with a
// latency, and with a filter too.
static void words_follow_what_the_design_has(void **state)
{
    (void)state;
    static const struct {
        const char *text, *title, *poles, *delayed;
    } cases[] = {
        {HEAD RIG_LQR, "closed loop", "closed loop", NULL},
        {HEAD RIG_LQR "latency: 5 ms\n", "closed loop, with its latency",
         "designed for, without latency", "closed loop with its latency"},
        {HEAD RIG_LQR RIG_KALMAN "latency: 5 ms\n", "closed loop, with its latency and its filter",
         "designed for, without latency", "closed loop with its latency and filter"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ib_DesignFile *design = rig_design(cases[i].text);
        const ib_DesignGear *gear = design->gears;
        const ib_DesignRow *delayed = ib_design_row("delayed_poles");
        assert_string_equal(ib_design_row_words(gear, ib_design_row("stable"))->title,
                            cases[i].title);
        assert_string_equal(ib_design_row_words(gear, ib_design_row("poles"))->label,
                            cases[i].poles);
        assert_int_equal(ib_design_row_given(gear, delayed), cases[i].delayed != NULL);
        if (cases[i].delayed)
            assert_string_equal(ib_design_row_words(gear, delayed)->label, cases[i].delayed);
        ib_design_file_destroy(design);
    }
}

// Goal: the same row for a machine and for people. Method: a latency, and an input error, which is
// a state of the filter in the unit of its input.
static void rows_serve_all_printers(void **state)
{
    (void)state;
    ib_DesignFile *design = rig_design(HEAD RIG_LQR RIG_KALMAN "latency: 0.0025 s\n"
                                                               "input_error: {density: [4]}\n");
    assert_printed(design, "latency", IB_TOLD_FILE, "\"latency\":0.0025000000000000001");
    assert_printed(design, "latency", 0, "  K is for a latency of 0.0025 s\n");
    ib_DesignSide side = ib_design_side(design->gears, IB_AXIS_ESTIMATES);
    assert_int_equal(side.count, 3);
    assert_string_equal(side.name[1], "v");
    assert_ptr_equal(side.unit[2], design->gears->input_unit[0]);
    ib_design_file_destroy(design);
}

// Goal: people read a fact in their unit, and a word where nothing limits it. Method: a margin of
// 90 degrees, and one to which the gain may fall all the way.
static void facts_are_read_in_their_units(void **state)
{
    (void)state;
    ib_Margin margin = {.gain_up = INFINITY, .gain_down = 0, .phase = 1.5707963267948966};
    const ib_Fact *down = ib_fact_find(ib_margin_facts, "gain_down");
    const ib_Fact *phase = ib_fact_find(ib_margin_facts, "phase");
    assert_close(ib_fact_shown(phase, &margin), 90, 1e-12);
    assert_close(ib_fact_value(phase, &margin), 1.5707963267948966, 0);
    assert_close(ib_fact_value(down, &margin), 0, 0);
    assert_true(isinf(ib_fact_shown(down, &margin)));
    assert_string_equal(ib_fact_otherwise(down), "any");
}

// Goal: people are told of motors and battery only where there are any. Method: an ideal plant,
// which has none, and a motor without a current limit.
static void use_is_told_where_there_is_any(void **state)
{
    (void)state;
    ib_TrialUse ideal = {.current = NAN, .supply = 1}, motor = {.current_limit = INFINITY};
    const ib_Fact *limited = ib_fact_find(ib_use_facts, "limited");
    for (const ib_Fact *fact = ib_use_facts; fact->key; fact++)
        assert_false(ib_design_use_given(&ideal, fact));
    assert_false(ib_design_use_given(&motor, limited));
    assert_true(ib_design_use_given(&motor, ib_fact_find(ib_use_facts, "stopped")));
    motor.current_limit = 40;
    assert_true(ib_design_use_given(&motor, limited));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_stand_once),
        cmocka_unit_test(zeros_of_the_plant_are_shown),
        cmocka_unit_test(what_is_absent_is_said_as_each_expects),
        cmocka_unit_test(words_follow_what_the_design_has),
        cmocka_unit_test(rows_serve_all_printers),
        cmocka_unit_test(facts_are_read_in_their_units),
        cmocka_unit_test(use_is_told_where_there_is_any),
    };
    return cmocka_run_group_tests(tests, NULL, rig_forget);
}
