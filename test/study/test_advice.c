// Claims about what a run advises where its solver cannot follow its robot, whoever says it: it is
// something that a file may say, and it helps.
#include "cmocka_all.h"

#include "study/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_OVERRIDES = 8, MOST_PIECES = 3, TEXT = 2 * IB_WARNING_TEXT };

// What a run did, and what it said.
typedef struct Told {
    bool good;       ///< it came to its end without a word that is looked for
    double off;      ///< what its first energy balance is off by [J]
    uint64_t hash;   ///< of its end
    char said[TEXT]; ///< why it ended, and its warnings with the word
} Told;

// Runs a scenario, the text of one or the name of its file, and looks for warnings with this word.
static Told run(const char *scenario, const ib_Override *overrides, int count, const char *word)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    const ib_ScenarioOptions options = {.overrides = overrides, .override_count = count};
    bool is_file = scenario[0] == '/';
    const char *file = is_file ? scenario : "run.yaml";
    ib_Scenario *read =
        is_file ? ib_scenario_read(file, &options, &diagnostics)
                : ib_scenario_read_text(file, scenario, strlen(scenario), &options, &diagnostics);
    if (!read) fail_msg("refused: %s", diagnostics.items[0].text);
    ib_SessionConfig config = ib_session_default();
    ib_Session session;
    ib_Error error;
    ib_Time time;
    char text[IB_WARNING_TEXT];
    config.file = file, config.options = &options;
    assert_int_equal(ib_session_init(&session, &config, read, &error), IB_OK);
    ib_session_run(&session);
    Told told = {.good = session.status == IB_OK, .hash = ib_sim_hash(session.sim)};
    int used = snprintf(told.said, TEXT, "%s", told.good ? "" : session.error.text);
    for (int i = 0; ib_session_warning(&session, i, &time, text, sizeof text); i++)
        if (strstr(text, word) && used < TEXT) {
            used += snprintf(told.said + used, (size_t)(TEXT - used), " %s", text);
            told.good = false;
        }
    const ib_SignalTable *table = &read->model->signals;
    for (int i = table->count - 1; i >= 0; i--)
        if (table->items[i].means.role == IB_ROLE_BALANCE)
            told.off = fabs(session.summary->final[i]);
    ib_session_destroy(&session);
    ib_scenario_destroy(read);
    ib_arena_reset(&arena);
    return told;
}

// One piece of advice: "run.solver: rosenbrock with run.tolerance: 1e-05".
typedef struct Piece {
    ib_Override overrides[MOST_OVERRIDES]; ///< what was set before, and what it says
    int count;
} Piece;

// Keys and values of one piece of advice behind those that are there; words stay in `advice`.
static void take(char *advice, Piece *piece)
{
    for (char *key = strstr(advice, "run."); key && piece->count < MOST_OVERRIDES;) {
        char *colon = strstr(key, ": "), *next = colon ? strstr(colon, " with run.") : NULL;
        assert_non_null(colon);
        if (next) *next = '\0';
        *colon = '\0';
        piece->overrides[piece->count++] = (ib_Override){key, colon + 2};
        key = next ? next + strlen(" with ") : NULL;
    }
}

// The pieces of the first advice that was given, as settings for the next run; words lie in `room`.
static int read_advice(const char *said, const ib_Override *settings, int count, char room[TEXT],
                       Piece pieces[MOST_PIECES])
{
    const char *start = strstr(said, "try ");
    if (!start) return 0;
    snprintf(room, TEXT, "%s", start + strlen("try "));
    room[strcspn(room, ";")] = '\0';
    char *end = strstr(room, ". If ");
    if (end) *end = '\0';
    int found = 0;
    for (char *text = room, *next; text && found < MOST_PIECES; text = next) {
        Piece *piece = &pieces[found++];
        next = strstr(text, ", or ");
        if (next) *next = '\0';
        if (next) next += strlen(", or ");
        memcpy(piece->overrides, settings, (size_t)count * sizeof *settings);
        piece->count = count;
        take(text, piece);
        assert_true(piece->count > count);
    }
    return found;
}

// Takes each piece of the advice in turn; how many there were.
static int follow(const char *scenario, const ib_Override *settings, int count, const char *said)
{
    char room[TEXT];
    Piece pieces[MOST_PIECES];
    int found = read_advice(said, settings, count, room, pieces);
    for (int i = 0; i < found; i++) {
        Told again = run(scenario, pieces[i].overrides, pieces[i].count, "too fast");
        if (!again.good)
            fail_msg("%s %s %s: '%s' was said, and then %s", settings[0].yaml, settings[1].yaml,
                     settings[2].yaml, said, again.said);
    }
    return found;
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
            Told told = run(scenario, settings, 3, "too fast");
            if (told.good) continue;
            int pieces = follow(scenario, settings, 3, told.said);
            if (pieces == 0 && !strstr(told.said, "would do; what makes it so fast"))
                fail_msg("%s %s %s: %s", settings[0].yaml, settings[1].yaml, settings[2].yaml,
                         told.said);
            followed += pieces;
            hopeless += pieces == 0;
        }
    }
    print_message("  %d pieces of advice followed, %d without one\n", followed, hopeless);
    assert_true(followed >= 8 && hopeless >= 8);
}

// Runs with an energy balance that is off: one that has its steps whole, and two whose steps are
// divided already, into 400 and into 20 parts of those that are set here.
static const char *const books[] = {
    "robot: {kind: bench, mechanisms: {lift: {kind: elevator, motor: cim, motors: 2, reduction: "
    "12, drum_radius: 2 cm, mass: 6 kg, travel: [0 m, 60 cm]}}}\n"
    "inputs: {lift: [[0 s, 12 V], [0.2 s, 1.5 V]]}\n",
    "robot: {kind: bench, mechanisms: {roller: {kind: roller, motor: neo-550, reduction: 5, "
    "current: implicit}}}\n"
    "inputs: {roller: [[0 s, 6 V], [0.2 s, -6 V]]}\n",
    IB_SOURCE_DIR "/scenarios/team_brownout.yaml",
};

// Goal: advice for an energy balance that is off is another run, with less missing, however its
// steps are divided. Method: the first 0.3 s by Euler's method with steps of 20 to 1 ms; each
// piece of advice is taken. The method is of first order, so that a tenth of its step leaves a
// tenth of what is missing; the half is asked for, since events fall otherwise.
static void advice_for_a_book_makes_it_smaller(void **state)
{
    (void)state;
    static const char *const steps[] = {"20 ms", "2 ms", "1 ms"};
    int followed = 0;
    for (int i = 0; i < 9; i++) {
        const char *scenario = books[i / 3];
        const ib_Override settings[] = {{"expect", "[]"},
                                        {"run.solver", "euler"},
                                        {"run.duration", "0.3 s"},
                                        {"run.step", steps[i % 3]}};
        char room[TEXT];
        Piece pieces[MOST_PIECES];
        Told told = run(scenario, settings, 4, "the energy balance");
        int found = read_advice(told.said, settings, 4, room, pieces);
        if (found != 2) fail_msg("%s: %s", steps[i % 3], told.said);
        for (int k = 0; k < found; k++) {
            const ib_Override *last = &pieces[k].overrides[pieces[k].count - 1];
            Told next = run(scenario, pieces[k].overrides, pieces[k].count, "the energy balance");
            if (next.hash == told.hash || next.off > 0.5 * told.off)
                fail_msg("%s: %g J off, with %s: %s %g J", steps[i % 3], told.off, last->path,
                         last->yaml, next.off);
            followed++;
        }
    }
    assert_int_equal(followed, 18);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(advice_is_accepted_and_helps),
        ib_plain_test(advice_for_a_book_makes_it_smaller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
