// Tests of view/live_trial.h: trials for several clients, and what the answers say.
#include "cmocka_all.h"
#include "view/live_trial.h"

#include <jansson.h>
#include <string.h>
#include <time.h>

static ib_Arena arena;
static ib_Diagnostics diagnostics;
static ib_DesignKnobs *knobs;
static char text[IB_ANSWER_TEXT + 1];

static int open_knobs(void **state)
{
    (void)state;
    diagnostics = (ib_Diagnostics){.arena = &arena};
    knobs = ib_design_knobs_create(IB_SOURCE_DIR "/designs/drivetrain.yaml", NULL, &diagnostics);
    return knobs ? 0 : -1;
}

static int close_knobs(void **state)
{
    (void)state;
    ib_design_knobs_destroy(knobs);
    ib_arena_reset(&arena);
    return 0;
}

static int find(const char *path)
{
    for (int i = 0; i < knobs->count; i++)
        if (strcmp(knobs->knobs[i].path, path) == 0) return i;
    fail_msg("there is no knob %s", path);
    return -1;
}

static json_t *parse(const char *json)
{
    json_error_t wrong;
    json_t *object = json_loads(json, JSON_REJECT_DUPLICATES, &wrong);
    if (!object) fail_msg("no JSON: %s", wrong.text);
    return object;
}

static void moment(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

// Takes a client's answer, when it is there.
static json_t *wait_for(ib_ViewSource *source, int client)
{
    for (int i = 0; i < 10000 && !source->answered(source->self, client); i++) moment();
    size_t size = source->answer(source->self, client, text);
    assert_true(size > 0 && size <= IB_ANSWER_TEXT);
    text[size] = '\0';
    assert_false(source->answered(source->self, client)); // it is taken once
    return parse(text);
}

static double number(const json_t *object, const char *key)
{
    assert_true(json_is_number(json_object_get(object, key)));
    return json_number_value(json_object_get(object, key));
}

// Goal: the hello has all knobs and ports. Method: counted.
static void hello_names_knobs_and_ports(void **state)
{
    (void)state;
    json_t *hello = parse(ib_live_trial_hello(knobs, "d.yaml", &arena));
    assert_string_equal(json_string_value(json_object_get(hello, "mode")), "design");
    assert_int_equal(json_array_size(json_object_get(hello, "knobs")), (size_t)knobs->count);
    assert_int_equal(json_array_size(json_object_get(hello, "states")), 4);
    assert_int_equal(json_array_size(json_object_get(hello, "inputs")), 2);
    json_decref(hello);
}

// Goal: an answer has the gains of the design and the response to its goal. Method: K of reference
// D2; the end of the run, where after 2 s, five times what the slowest pole takes, nothing of 1 m
// is left but 1e-5.
static void answers_have_gains_and_response(void **state)
{
    (void)state;
    ib_LiveTrial *live_trial;
    assert_int_equal(ib_live_trial_create(knobs, "d.yaml", &live_trial, NULL), IB_OK);
    assert_int_equal(ib_live_trial_start(live_trial, NULL), IB_OK);
    ib_ViewSource *source = ib_live_trial_source(live_trial);
    assert_false(source->answered(source->self, 1));
    source->request_trial(source->self, 1, &(ib_TrialRequest){.id = 7});
    json_t *answer = wait_for(source, 1);
    assert_close(number(answer, "id"), 7, 0);
    const json_t *K = json_object_get(answer, "K");
    assert_close(json_number_value(json_array_get(json_array_get(K, 0), 0)), 82.3400666636, 1e-9);
    const json_t *response = json_object_get(answer, "response");
    const json_t *x = json_array_get(json_object_get(response, "x"), 0);
    assert_int_equal(json_array_size(x), 401);
    assert_close(json_number_value(json_array_get(x, 400)), 1, 1e-5);
    json_decref(answer);
    ib_live_trial_destroy(live_trial);
}

// Goal: of many requests of a client the last one is answered; clients do not disturb each other;
// one that has gone has no answer. Method: a hundred requests of one client beside one of another.
static void the_newest_attempt_counts(void **state)
{
    (void)state;
    ib_LiveTrial *live_trial;
    assert_int_equal(ib_live_trial_create(knobs, "d.yaml", &live_trial, NULL), IB_OK);
    ib_ViewSource *source = ib_live_trial_source(live_trial);
    int knob = find("lqr.tolerance.x_left");
    for (int i = 0; i < 100; i++) {
        double value = 0.1 + 0.001 * i;
        ib_TrialRequest wish = {.id = i, .count = 1, .knobs = &knob, .values = &value};
        source->request_trial(source->self, 1, &wish);
    }
    source->request_trial(source->self, 2, &(ib_TrialRequest){.id = 5});
    source->request_trial(source->self, 3, &(ib_TrialRequest){.id = 6});
    source->forget(source->self, 3);
    // Only now it begins: all of them were waiting.
    assert_int_equal(ib_live_trial_start(live_trial, NULL), IB_OK);
    json_t *first = wait_for(source, 1), *second = wait_for(source, 2);
    assert_close(number(first, "id"), 99, 0);
    assert_close(number(second, "id"), 5, 0);
    assert_false(source->answered(source->self, 3));
    ib_live_trial_stop(live_trial);
    assert_int_equal(ib_live_trial_count(live_trial), 2);
    json_decref(first);
    json_decref(second);
    ib_live_trial_destroy(live_trial);
}

static json_t *answer_with(const char *path, double value)
{
    static double values[IB_KNOBS_MAX];
    for (int i = 0; i < knobs->count; i++) values[i] = knobs->knobs[i].value;
    values[find(path)] = value;
    ib_LiveTrialTask task = {.knobs = knobs, .values = values};
    const char *json = ib_live_trial_answer(&task, &arena);
    assert_true(strlen(json) <= IB_ANSWER_TEXT);
    return parse(json);
}

static const char *refusal(const json_t *answer)
{
    return json_string_value(json_array_get(json_object_get(answer, "refused"), 0));
}

// Goal: refused designs and trials say why, in the program's own words, and nothing else. Method:
// a tolerance of 0, and a trial of 50 001 periods.
static void refusals_say_why(void **state)
{
    (void)state;
    json_t *wrong = answer_with("lqr.tolerance.x_left", 0);
    assert_non_null(strstr(refusal(wrong), "lqr.tolerance.x_left: expected a tolerance"));
    assert_null(json_object_get(wrong, "K"));
    json_t *longer = answer_with("try.duration", 250);
    assert_non_null(strstr(refusal(longer), "50000 periods: expected 2 to 20000"));
    json_decref(wrong);
    json_decref(longer);
}

// Goal: a long trial is sent in few points. Method: 100 s of 5 ms.
static void long_trials_are_thinned(void **state)
{
    (void)state;
    json_t *answer = answer_with("try.duration", 100);
    assert_null(refusal(answer));
    const json_t *t = json_object_get(json_object_get(answer, "response"), "t");
    assert_in_range(json_array_size(t), IB_LIVE_TRIAL_POINTS / 2, IB_LIVE_TRIAL_POINTS);
    json_decref(answer);
}

static bool at_once(void *self)
{
    return ++*(int *)self > 3;
}

// Goal: a trial that takes too long is given up, and what there is of it is shown. Method: a
// patience of three periods.
static void a_trial_is_given_up(void **state)
{
    (void)state;
    static double values[IB_KNOBS_MAX];
    int asked = 0;
    for (int i = 0; i < knobs->count; i++) values[i] = knobs->knobs[i].value;
    ib_LiveTrialTask task = {
        .knobs = knobs, .values = values, .give_up = at_once, .give_up_self = &asked};
    json_t *answer = parse(ib_live_trial_answer(&task, &arena));
    const json_t *response = json_object_get(answer, "response");
    assert_int_equal(json_array_size(json_object_get(response, "t")), 4);
    assert_non_null(strstr(json_string_value(json_object_get(response, "ended")), "took too long"));
    json_decref(answer);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hello_names_knobs_and_ports),
        cmocka_unit_test(answers_have_gains_and_response),
        cmocka_unit_test(the_newest_attempt_counts),
        cmocka_unit_test(refusals_say_why),
        cmocka_unit_test(long_trials_are_thinned),
        cmocka_unit_test(a_trial_is_given_up),
    };
    return cmocka_run_group_tests(tests, open_knobs, close_knobs);
}
