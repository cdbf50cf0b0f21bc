// Claims about the report of a design, its figures and its trials: src/report/design/*.c,
// src/report/plot/chart.c, src/desk/trial/trial_pair.c, src/design/analysis/analysis_bode.c.
#include "cmocka_all.h"

#include "desk/design/design_changes.h"
#include "desk/trial/trial_pair.h"
#include "linear/complex.h"
#include "report/design/design_report.h"
#include "report/plot/chart.h"
#include "report/plot/gnuplot.h"

#include <string.h>

static ib_Error error;

// ----------------------------------------------------------------------------------------- helpers

static ib_DesignFile *read_text(const char *text)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_DesignFile *design =
        ib_design_file_read_text("test.yaml", text, strlen(text), NULL, &diagnostics);
    assert_non_null(design);
    ib_arena_reset(&arena);
    return design;
}

static ib_Text render(const ib_DesignFile *design)
{
    ib_Text html = {0};
    ib_DesignReport report = {design, "the file", "1.0", "today"};
    assert_int_equal(ib_design_report_render(&report, &html, &error), IB_OK);
    return html;
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) count++;
    return count;
}

// x+ = 0.9 x + u, its pole brought to 0.5: K = 0.4.
static const char scalar[] = "plant: {A: [[0.9]], B: [[1]], time: discrete}\n"
                             "period: 100 ms\npoles: [0.5]\n";

static const char cart[] =
    "title: Cart <script>\"&\n"
    "plant: {A: [[0, 1], [0, -2]], B: [[0], [3]], C: [[1, 0]], D: [[0]], states: [x, v],\n"
    "        inputs: [volts], outputs: [x]}\nperiod: 5 ms\n"
    "lqr: {tolerance: {x: 0.14, v: 0.95, volts: 12}}\n"
    "kalman: {process: [0.0025, 1], measurement: [5e-11]}\nlimits: {volts: [-12, 12]}\n"
    "check: {stable: true, damping: 2}\n";

// ------------------------------------------------------------------------------------------ report

// Goal: the page is whole, shows everything and needs nothing else. Method: every element that is
// opened is closed, all eight figures are there, no number is missing, nothing is fetched, and a
// hostile title stays a title.
static void page_is_whole_and_self_contained(void **state)
{
    (void)state;
    static const char *const elements[] = {"figure", "svg", "section", "table"};
    bool drawn = ib_gnuplot_check(&error) == IB_OK;
    ib_DesignFile *design = read_text(cart);
    ib_Text html = render(design);
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        char begin[20], end[20];
        snprintf(begin, sizeof begin, "<%s", elements[i]);
        snprintf(end, sizeof end, "</%s>", elements[i]);
        assert_true(count_of(html.bytes, end) > 0 || !drawn);
        assert_int_equal(count_of(html.bytes, begin), count_of(html.bytes, end));
    }
    assert_int_equal(count_of(html.bytes, "<figure>"), 8);
    if (drawn) assert_int_equal(count_of(html.bytes, "</svg>"), 8);
    assert_null(strstr(html.bytes, "<script>"));
    assert_non_null(strstr(html.bytes, "Cart &lt;script&gt;"));
    assert_null(strstr(html.bytes, ">nan"));
    assert_null(strstr(html.bytes, "src=\"http"));
    assert_null(strstr(html.bytes, "href=\"http"));
    assert_non_null(strstr(html.bytes, "1 of 2 checks failed"));
    ib_text_destroy(&html);
    ib_design_file_destroy(design);
}

// Goal: a figure that cannot be made says why. Method: a design by poles without a filter, and a
// plant without feedback.
static void missing_figures_say_why(void **state)
{
    (void)state;
    ib_DesignFile *design = read_text(scalar);
    ib_Text html = render(design);
    assert_non_null(strstr(html.bytes, "the poles were chosen: there is no weight to change"));
    assert_non_null(strstr(html.bytes, "there is no Kalman filter"));
    ib_text_destroy(&html);
    ib_design_file_destroy(design);
    design = read_text("plant: {A: [[0.5]], B: [[1]], time: discrete}\nperiod: 1 s\n");
    html = render(design);
    assert_int_equal(count_of(html.bytes, "there is no feedback"), 3); // response, Bode, weights
    ib_text_destroy(&html);
    ib_design_file_destroy(design);
}

// Goal: words and numbers of a chart cannot become commands. Method: a quote, a back quote and a
// line break in a label, which must stay inside of one quoted text; a quote at its beginning stands
// behind a word joiner, or gnuplot would see an empty text there.
static void chart_quotes_its_words(void **state)
{
    (void)state;
    const double x[] = {0, 1}, y[] = {1, 2};
    ib_Chart chart = {.title = "it's", .x_name = "time", .x_unit = "s"};
    ib_Text script = {0};
    ib__chart_panel(&chart, "a\nquit", "m");
    ib__chart_curve(&chart, (ib_PlotSeries){.label = "`ls`", .x = x, .y = y, .count = 2});
    ib__chart_note(&chart, (ib_PlotNote){.text = "'; quit; '", .x = 0, .y = 1});
    assert_int_equal(ib__chart_script(&chart, &script, &error), IB_OK);
    assert_non_null(strstr(script.bytes, "'it''s'"));
    assert_non_null(strstr(script.bytes, "'\xe2\x81\xa0''; quit; '''"));
    assert_null(strstr(script.bytes, "`"));
    assert_null(strstr(script.bytes, "\nquit"));
    ib_text_destroy(&script);
}

// Goal: the Bode plot and the margins are of the same loop. Method: at the frequencies of the
// margins the open loop must have the size 1 and the phase margin from -180 deg, and be real and
// negative with the size 1 / gain margin. Both are found by bisection to the last bits; 1e-6 is
// far above what rounding makes of it.
static void open_loop_meets_its_margins(void **state)
{
    (void)state;
    const double pi = 3.141592653589793;
    ib_DesignFile *design = read_text(cart);
    const ib_DesignGear *gear = &design->gears[0];
    const ib_Margin *margin = &gear->design.margins.input[0];
    ib_BodePoint points[2] = {{.frequency = margin->phase_frequency},
                              {.frequency = margin->gain_frequency}};
    assert_true(gear->design.margined);
    assert_int_equal(ib_analysis_bode(&gear->config, &gear->design, 0, points, 2, &error), IB_OK);
    assert_close(points[0].size, 1, 1e-6);
    assert_close(fabs(points[0].phase + pi), margin->phase, 1e-6);
    assert_close(points[1].size, 1 / margin->gain_up, 1e-6);
    assert_close(points[1].phase, -pi, 1e-6);
    ib_design_file_destroy(design);
}

// ------------------------------------------------------------------------------------------ trials

// Goal: a trial is the loop on its plant. Method: x+ = (0.9 - 0.4) x from 1 to 0 is 0.5^k; its
// push of a tenth of the largest input (0.04) leaves 0.04 / (1 - 0.5) = 0.08. The sums of the loop
// round a few times in each of 40 periods: 1e-14.
static void trial_of_a_scalar_loop_halves(void **state)
{
    (void)state;
    ib_DesignFile *design = read_text(scalar);
    ib_Arena arena = {0};
    ib_TrialPair trials;
    assert_int_equal(ib_trial_pair_run(design, 0, NULL, &arena, &trials, &error), IB_OK);
    assert_true(trials.chosen && !trials.noisy && !trials.quiet.ended);
    assert_int_equal(trials.quiet.count, 41);
    for (int k = 0; k < trials.quiet.count; k++)
        assert_close(trials.quiet.x[k], pow(0.5, k), 1e-14);
    ib_TrialFacts facts = ib_trial_pair_facts(&trials, 0);
    assert_close(trials.trial.push[0], 0.04, 1e-15);
    assert_close(facts.left, 0.08, 1e-6); // 0.5^16 of it is still missing in the last tenth
    assert_true(isnan(facts.noise));
    assert_close(ib_trial_pair_effort(&trials, 0).smallest, -0.4, 1e-15);
    ib_arena_reset(&arena);
    ib_design_file_destroy(design);
}

// Goal: an input stays within its limits in a trial, and the share is told. Method: the scalar loop
// from 1 asks for -0.4, -0.2 …; with a limit of 0.3 the first one is held there.
static void trial_saturates(void **state)
{
    (void)state;
    char text[200];
    snprintf(text, sizeof text, "%slimits: {u1: [-0.3, 0.3]}\n", scalar);
    ib_DesignFile *design = read_text(text);
    ib_Arena arena = {0};
    ib_TrialPair trials;
    assert_int_equal(ib_trial_pair_run(design, 0, NULL, &arena, &trials, &error), IB_OK);
    ib_TrialEffort effort = ib_trial_pair_effort(&trials, 0);
    assert_close(effort.smallest, -0.3, 0);
    assert_close(effort.saturated, 1.0 / 41, 1e-15);
    assert_close(trials.quiet.x[1], 0.6, 1e-15);
    ib_arena_reset(&arena);
    ib_design_file_destroy(design);
}

// --------------------------------------------------------------------------------------------- try

// Goal: changes are told apart at the commas before a '=', and what is none is refused.
// Method: by hand.
static void changes_are_taken_apart(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_DesignChanges changes = {0};
    assert_int_equal(
        ib_design_changes_add(&changes, "poles=0.9,0.8+0.1i,0.8-0.1i, goal.x=1 m", &arena, &error),
        IB_OK);
    assert_int_equal(changes.count, 2);
    assert_string_equal(changes.change[0].key, "poles");
    assert_string_equal(changes.change[0].value, "0.9,0.8+0.1i,0.8-0.1i");
    assert_string_equal(changes.change[1].key, "goal.x");
    assert_string_equal(changes.change[1].value, "1 m");
    static const char *const bad[] = {"", "poles", "0.9,poles=1", "=1", "x=", "a=1,b="};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(ib_design_changes_add(&changes, bad[i], &arena, &error), IB_BAD_INPUT);
    for (int i = 0; i < IB_DESIGN_CHANGES; i++)
        ib_design_changes_add(&changes, "a=1", &arena, &error);
    assert_int_equal(ib_design_changes_add(&changes, "a=1", &arena, &error), IB_BAD_INPUT);
    ib_arena_reset(&arena);
}

// Reads the drivetrain with two gears a side with one change.
static bool try_gears(const char *text, ib_DesignFile **before, ib_DesignFile **after)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_DesignChanges changes = {0};
    ib_ScenarioOptions options = {0};
    assert_int_equal(ib_design_changes_add(&changes, text, &arena, &error), IB_OK);
    bool good = ib_design_changes_read(&changes, IB_SOURCE_DIR "/designs/drivetrain_gears.yaml",
                                       &options, &diagnostics, before, after);
    ib_arena_reset(&arena);
    return good;
}

// Goal: a change reaches every gear, also those that say otherwise, and leaves `before` alone; a
// change of the trial only has no before. Method: a schedule of four gears with tolerances of their
// own: weights 1/0.05^2 = 400, poles as asked for; a pole too few is refused.
static void a_try_reaches_every_gear(void **state)
{
    (void)state;
    ib_DesignFile *before, *after;
    assert_true(try_gears("tolerance.x_left=5 cm", &before, &after));
    for (int i = 0; i < 4; i++) {
        assert_close(after->gears[i].config.Q[0], 400, 1e-12);
        assert_true(before->gears[i].config.Q[0] < 100);
    }
    ib_design_file_destroy(before);
    ib_design_file_destroy(after);
    assert_true(try_gears("poles=0.9,0.9,0.8,0.8", &before, &after));
    for (int i = 0; i < 4; i++) {
        assert_true(after->gears[i].config.feedback == IB_ANALYSIS_BY_POLES);
        assert_close(ib_complex_size(after->gears[i].design.poles[0]), 0.9, 1e-6); // a double pole
    }
    ib_design_file_destroy(before);
    ib_design_file_destroy(after);
    assert_true(try_gears("goal.x_left=1 m,duration=3 s", &before, &after));
    assert_null(before);
    assert_close(after->trial.goal[0], 1, 0);
    assert_close(after->trial.duration, 3, 0);
    ib_design_file_destroy(after);
    assert_false(try_gears("poles=0.9,0.8", &before, &after));
    assert_true(before == NULL && after == NULL);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_is_whole_and_self_contained),
        cmocka_unit_test(missing_figures_say_why),
        cmocka_unit_test(chart_quotes_its_words),
        cmocka_unit_test(open_loop_meets_its_margins),
        cmocka_unit_test(trial_of_a_scalar_loop_halves),
        cmocka_unit_test(trial_saturates),
        cmocka_unit_test(changes_are_taken_apart),
        cmocka_unit_test(a_try_reaches_every_gear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
