// Claims about what a run advises where its solver cannot follow its robot, whoever says it: it is
// something that a file may say, and it helps.
#include "cmocka_all.h"

#include "study/session.h"

#include <stdio.h>
#include <string.h>

enum { MOST_OVERRIDES = 8, TEXT = 2 * IB_WARNING_TEXT };

// What a run says of its solver, all of it: why it ended, and its warnings.
static bool run(const char *scenario, const ib_Override *overrides, int count, char said[TEXT])
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    const ib_ScenarioOptions options = {.overrides = overrides, .override_count = count};
    ib_Scenario *read =
        ib_scenario_read_text("run.yaml", scenario, strlen(scenario), &options, &diagnostics);
    if (!read) fail_msg("refused: %s", diagnostics.items[0].text);
    ib_SessionConfig config = ib_session_default();
    ib_Session session;
    ib_Error error;
    ib_Time time;
    char text[IB_WARNING_TEXT];
    config.file = "run.yaml", config.options = &options;
    assert_int_equal(ib_session_init(&session, &config, read, &error), IB_OK);
    ib_session_run(&session);
    bool good = session.status == IB_OK;
    int used = snprintf(said, TEXT, "%s", good ? "" : session.error.text);
    for (int i = 0; ib_session_warning(&session, i, &time, text, sizeof text); i++)
        if (strstr(text, "too fast") && used < TEXT) {
            used += snprintf(said + used, (size_t)(TEXT - used), " %s", text);
            good = false;
        }
    ib_session_destroy(&session);
    ib_scenario_destroy(read);
    ib_arena_reset(&arena);
    return good;
}

// Keys and values of one piece of advice, "run.solver: rosenbrock with run.tolerance: 1e-05", into
// `overrides`, behind those that are there; words lie in `room`.
static int take(char *advice, ib_Override *overrides, int count)
{
    for (char *key = strstr(advice, "run."); key && count < MOST_OVERRIDES;) {
        char *colon = strstr(key, ": "), *next = colon ? strstr(colon, " with run.") : NULL;
        assert_non_null(colon);
        if (next) *next = '\0';
        *colon = '\0';
        overrides[count++] = (ib_Override){key, colon + 2};
        key = next ? next + strlen(" with ") : NULL;
    }
    return count;
}

// Takes each piece of the advice in turn; how many there were.
static int follow(const char *scenario, const ib_Override *settings, int count, const char *said)
{
    char advice[TEXT], again[TEXT];
    const char *start = strstr(said, "try ");
    if (!start) return 0;
    snprintf(advice, sizeof advice, "%s", start + strlen("try "));
    advice[strcspn(advice, ";")] = '\0';
    int pieces = 0;
    for (char *piece = advice, *next; piece; piece = next, pieces++) {
        ib_Override overrides[MOST_OVERRIDES];
        next = strstr(piece, ", or ");
        if (next) *next = '\0';
        if (next) next += strlen(", or ");
        memcpy(overrides, settings, (size_t)count * sizeof *settings);
        int taken = take(piece, overrides, count);
        assert_true(taken > count);
        if (!run(scenario, overrides, taken, again))
            fail_msg("%s %s %s: '%s' was said, and then %s", settings[0].yaml, settings[1].yaml,
                     settings[2].yaml, said, again);
    }
    return pieces;
}

// Goal: whatever a run advises where its solver cannot follow it is accepted by the file's reader
// and helps; where nothing would, that is said. Method: a Roomba thrown aside at 3 m/s with 1 to
// 1000 times side drags up to the largest of a file, which stop it within 1e-4 to 1e-14 s, by all
// solvers; each piece of advice is taken, and then the run comes to its end without a word.
static void advice_is_accepted_and_helps(void **state)
{
    (void)state;
    static const char scenario[] =
        "robot: {kind: roomba}\ninputs: {left: 0 N, right: 0 N}\n"
        "disturbances: [{at: 1 ms, impulse: 8 N*s, direction: 90 deg}, {at: 0 s, signal: "
        "force.side, scale: 1}]\nrun: {duration: 3 ms}\n";
    static const char *const drags[] = {"2000 N*s^2/m^2", "1e5 N*s^2/m^2", "1e7 N*s^2/m^2",
                                        "1e9 N*s^2/m^2"};
    static const char *const scales[] = {"1", "1000"};
    int followed = 0, hopeless = 0;
    for (int solver = 0; ib_solver_names[solver]; solver++) {
        for (int i = 0; i < 8; i++) {
            const ib_Override settings[] = {{"robot.side_drag", drags[i / 2]},
                                            {"disturbances.1.scale", scales[i % 2]},
                                            {"run.solver", ib_solver_names[solver]}};
            char said[TEXT];
            if (run(scenario, settings, 3, said)) continue;
            int pieces = follow(scenario, settings, 3, said);
            if (pieces == 0 && !strstr(said, "would do; what makes it so fast"))
                fail_msg("%s %s %s: %s", settings[0].yaml, settings[1].yaml, settings[2].yaml,
                         said);
            followed += pieces;
            hopeless += pieces == 0;
        }
    }
    print_message("  %d pieces of advice followed, %d without one\n", followed, hopeless);
    assert_true(followed >= 8 && hopeless >= 8);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(advice_is_accepted_and_helps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
