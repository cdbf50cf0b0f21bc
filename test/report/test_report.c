// Claims about src/report/report.c, figures.c, html.c and series.c.
#include "cmocka_all.h"

#include "base/geometry.h"
#include "report/plot/gnuplot.h"
#include "report/report.h"

#include <ctype.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOSTILE "<script>\"'&"

// --------------------------------------------------------------------------------- a run to report

typedef struct Config {
    double mass;
    double x;
} Config;

static const ib_Param params[] = {{"mass", IB_PARAM_NUMBER, "kg", "2 kg", 0, 100, NULL,
                                   offsetof(Config, mass), true, "mass " HOSTILE}};
static const ib_Param start[] = {{"x", IB_PARAM_NUMBER, "m", "0 m", -10, 10, NULL,
                                  offsetof(Config, x), false, "where it starts"}};
static const ib_Erratum errata[] = {
    {"eq. (3) " HOSTILE, "minus", "plus", "energy grows", "ironbird " HOSTILE}, {0}};
static const ib_RobotKind kind = {
    .name = "sled",
    .sentence = "a block " HOSTILE,
    .params = {params, 1},
    .start = {start, 1},
    .config_size = sizeof(Config),
    .errata = errata,
};
static const ib_ForceDef forces[] = {{"F_" HOSTILE, "force.push", 0, 0, 1, 0}};
enum { ROWS = 200, SIGNALS = 7 };

static const ib_SignalDef defs[SIGNALS] = {
    {"pose.x", "m", "position " HOSTILE, 0, IB_MEANS(.role = IB_ROLE_POSE_X)},
    {"pose.y", "m", "position", 0, IB_MEANS(.role = IB_ROLE_POSE_Y)},
    {"pose.heading", "rad", "heading", 0, IB_MEANS(.role = IB_ROLE_POSE_HEADING)},
    {"velocity.x", "m/s", "velocity", 0, IB_MEANS(.role = IB_ROLE_VELOCITY_X)},
    {"velocity.y", "m/s", "velocity", 0, IB_MEANS(.role = IB_ROLE_VELOCITY_Y)},
    {"force.push", "N", "push", 0},
    {"idle.signal", "1", "always zero", 0},
};

static const ib_RobotPorts ports = {.signal_count = SIGNALS,
                                    .signals = defs,
                                    .force_count = 1,
                                    .forces = forces,
                                    .length = 0.4,
                                    .width = 0.2};

static ib_Time times[ROWS];
static double rows[ROWS * SIGNALS];
static ib_SignalDef items[SIGNALS];
static ib_SignalTable table = {.items = items, .count = SIGNALS};
static const ib_Tape tape = {.signals = SIGNALS, .count = ROWS, .times = times, .values = rows};
static const Config config = {3.5, 0};
static ib_ReportSignal signals[SIGNALS];

// The path is a straight line from (1, 2) to (5, 0): 4 m wide, 2 m high, around (3, 1).
static int make_run(void **state)
{
    (void)state;
    memcpy(items, defs, sizeof items);
    for (int i = 0; i < ROWS; i++) {
        double part = i / (ROWS - 1.0);
        times[i] = i * 10 * (IB_SECOND / 1000);
        const double row[SIGNALS] = {1 + 4 * part, 2 - 2 * part, 0.1, 2, -1, 7.5, 0};
        memcpy(rows + i * SIGNALS, row, sizeof row);
    }
    for (int s = 0; s < SIGNALS; s++) {
        double first = rows[s], last = rows[(ROWS - 1) * SIGNALS + s];
        signals[s] = (ib_ReportSignal){defs[s].name,      defs[s].unit,      defs[s].sentence, last,
                                       fmin(first, last), fmax(first, last), defs[s].means};
    }
    return 0;
}

static const ib_PlanFact facts[] = {{"length " HOSTILE, "m", 4.472, "of the path"}};
static const ib_ReportRobot robot = {"", &kind, &config, &ports, facts, 1, NULL};
static const ib_ReportExpectation expectations[] = {
    {"at 2 s: pose.x = 5 m +- 1 mm", true, false, "pose.x was 5 m at 2 s"},
    {"always: pose.y > 1 m " HOSTILE, false, false, "pose.y was 0 m " HOSTILE},
};
static const char *const messages[] = {"left was clamped " HOSTILE, NULL};
static const ib_SolverCounts counters = {.steps = 2000, .evaluations = 8000};

static ib_Report make_report(ib_Arena *arena)
{
    ib_Report report = ib_report_default();
    report.title = "A run " HOSTILE;
    report.file = "a&b.yaml";
    report.text = "title: " HOSTILE "\n# </pre>\n";
    report.version = "1.2.3";
    report.date = "2026-01-02";
    report.duration = 2;
    report.steps = 2000;
    report.wall = 0.001;
    report.hash = 0xabcdef;
    report.solver = "rk4, 1 ms";
    report.counters = &counters;
    report.signals = signals;
    report.signal_count = SIGNALS;
    report.series = ib_series_from_tapes(&tape, NULL, &table, arena);
    report.robots = &robot;
    report.robot_count = 1;
    report.expectations = expectations;
    report.expectation_count = 2;
    report.messages = messages;
    return report;
}

// -------------------------------------------------------------------------------------- wellformed

// The end of the tag that begins at `at`, quotes respected.
static const char *tag_end(const char *at)
{
    char quote = 0;
    for (; *at; at++) {
        if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
        else if (*at == '>')
            return at;
    }
    fail_msg("a tag that does not end");
    return NULL;
}

// Every tag is closed in order; returns the number of elements.
static int check_balance(const char *html)
{
    enum { DEEPEST = 100 };
    char open[DEEPEST][32];
    int depth = 0, count = 0;
    for (const char *at = html; (at = strchr(at, '<')); at++) {
        const char *end = tag_end(at);
        if (at[1] == '!') {
            at = end;
            continue;
        }
        char name[32];
        bool closing = at[1] == '/';
        const char *begin = at + 1 + closing;
        size_t length = 0;
        while (isalnum((unsigned char)begin[length])) length++;
        assert_true(length > 0 && length < sizeof name);
        snprintf(name, sizeof name, "%.*s", (int)length, begin);
        if (closing) {
            assert_true(depth > 0);
            assert_string_equal(name, open[--depth]);
        } else if (end[-1] != '/') {
            assert_true(depth < DEEPEST);
            memcpy(open[depth++], name, sizeof name);
            count++;
        }
        at = end;
    }
    assert_int_equal(depth, 0);
    return count;
}

static const char *const sections[] = {"summary", "expectations", "path",   "forces",   "plots",
                                       "signals", "parameters",   "errata", "messages", "scenario"};

static void assert_has(const ib_Text *html, const char *words)
{
    if (!strstr(html->bytes, words)) fail_msg("the report does not say '%s'", words);
}

// Goal: a report is a whole page with every section, and hostile text stays text. Method: markup in
// every text a user can give; tags must balance, nothing of the markup may survive unescaped.
static void page_is_whole_and_all_text_escaped(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_Report report = make_report(&arena);
    ib_Text html = {0};
    assert_int_equal(ib_report_render(&report, &html, NULL), IB_OK);
    assert_true(check_balance(html.bytes) > 100);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        char id[64];
        snprintf(id, sizeof id, "<section id=\"%s\">", sections[i]);
        assert_has(&html, id);
    }
    assert_null(strstr(html.bytes, "<script"));
    assert_has(&html, "<h1>A run &lt;script&gt;&quot;&#39;&amp;</h1>");
    assert_has(&html, "a&amp;b.yaml");
    assert_has(&html, "# &lt;/pre&gt;");
    ib_text_destroy(&html);
    ib_arena_reset(&arena);
}

// Goal: nothing is fetched from anywhere. Method: every "http" in the page is a W3C namespace, and
// there is no src=, no @import and no url( of something outside.
static void page_needs_nothing_from_outside(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_Report report = make_report(&arena);
    ib_Text html = {0};
    assert_int_equal(ib_report_render(&report, &html, NULL), IB_OK);
    const char *const namespace = "http://www.w3.org/";
    for (const char *at = html.bytes; (at = strstr(at, "http")); at++)
        assert_memory_equal(at, namespace, strlen(namespace));
    assert_null(strstr(html.bytes, " src="));
    assert_null(strstr(html.bytes, "@import"));
    for (const char *at = html.bytes; (at = strstr(at, "url(")); at++) assert_true(at[4] == '#');
    ib_text_destroy(&html);
    ib_arena_reset(&arena);
}

// Goal: the figures in it are those of the run. Method: width, height and centre of the path, by
// hand 4, 2, 3 and 1 m; changed parameter in bold, the default beside it; hash, counters, verdict.
static void page_tells_the_figures_of_the_run(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_Report report = make_report(&arena);
    ib_Text html = {0};
    assert_int_equal(ib_report_render(&report, &html, NULL), IB_OK);
    assert_has(&html, "<td class=\"number\">4 m</td><td class=\"number\">2 m</td>"
                      "<td class=\"number\">3 m</td><td class=\"number\">1 m</td>");
    assert_has(&html, "<tr class=\"changed\"><td class=\"name\">mass</td>");
    assert_has(&html, "<td class=\"value\">3.5 kg</td>");
    assert_has(&html, "<td>2 kg</td>");
    assert_has(&html, "0000000000abcdef");
    assert_has(&html, "2000 × real time");
    assert_has(&html, "1 of 2 expectations failed");
    assert_has(&html, "4.472 m");
    assert_has(&html, "7.5 N"); // in the free-body diagram
    ib_text_destroy(&html);
    ib_arena_reset(&arena);
}

// Goal: what an early end left undecided is neither met nor failed. Method: the headline and the
// mark for one met, one failed and one open; then for two open ones.
static void undecided_expectations_are_open(void **state)
{
    (void)state;
    static const ib_ReportExpectation three[] = {
        {"at 1 s: pose.x > 0 m", true, false, ""},
        {"at 2 s: pose.x < 0 m", false, false, ""},
        {"at end: pose.x > 0 m", false, true, "not decided"},
    };
    static const ib_ReportExpectation two[] = {
        {"at 3 s: pose.x > 0 m", false, true, ""},
        {"at end: pose.x > 0 m", false, true, ""},
    };
    ib_Report report = ib_report_default();
    ib_Text html = {0};
    report.expectations = three;
    report.expectation_count = 3;
    assert_int_equal(ib_report_render(&report, &html, NULL), IB_OK);
    assert_has(&html, "1 of 3 expectations failed, 1 open");
    assert_has(&html, "? open</td><td>at end: pose.x &gt; 0 m");
    assert_has(&html, "failed</td><td>at 2 s");
    ib_text_destroy(&html);
    html = (ib_Text){0};
    report.expectations = two;
    report.expectation_count = 2;
    assert_int_equal(ib_report_render(&report, &html, NULL), IB_OK);
    assert_has(&html, "2 of 2 expectations open");
    assert_null(strstr(html.bytes, "failed"));
    ib_text_destroy(&html);
}

static int count_of(const ib_Text *html, const char *word)
{
    int count = 0;
    for (const char *at = html->bytes; (at = strstr(at, word)); at++) count++;
    return count;
}

// Goal: parts that differ by a number stand together, and of several robots the first one's things
// are open, those of others behind their names. Method: two robots with four parts that have five
// signals of five units each, part by part as robots declare them. Four units of four series fill a
// figure: two figures a robot, not five, and a sentence that parts share is said once. Plots,
// signals and parameters of each robot are in a fold.
static void numbered_parts_and_several_robots_have_room(void **state)
{
    (void)state;
    if (ib_gnuplot_check(NULL) != IB_OK) skip();
    enum { UNITS = 5, PARTS = 4, ALL = 2 * UNITS * PARTS, FEW = 3 };
    static const char *const units[UNITS] = {"m", "A", "V", "N", "K"};
    static const ib_RobotPorts none = {0};
    const ib_ReportRobot two[] = {{"a", &kind, &config, &none}, {"b", &kind, &config, &none}};
    ib_Arena arena = {0};
    ib_SignalDef many[ALL];
    ib_ReportSignal shown[ALL];
    double values[FEW * ALL];
    for (int i = 0; i < ALL; i++) {
        int unit = i % UNITS, part = i / UNITS % PARTS, who = i / (UNITS * PARTS);
        many[i] = (ib_SignalDef){
            ib_arena_format(&arena, "%s.part.%d.in_%s", two[who].name, part + 1, units[unit]),
            units[unit], "one sentence", 0};
        shown[i] = (ib_ReportSignal){many[i].name, many[i].unit, many[i].sentence, 1, 1, 1, {0}};
        for (int row = 0; row < FEW; row++) values[row * ALL + i] = 1 + i + row;
    }
    ib_SignalTable all = {.items = many, .count = ALL};
    ib_Tape some = {.signals = ALL, .count = FEW, .times = times, .values = values};
    ib_Report report = ib_report_default();
    report.series = ib_series_from_tapes(&some, NULL, &all, &arena);
    report.signals = shown;
    report.signal_count = ALL;
    report.robots = two;
    report.robot_count = 2;
    ib_Text html = {0};
    ib_Error error;
    assert_int_equal(ib_report_render(&report, &html, &error), IB_OK);
    check_balance(html.bytes);
    assert_int_equal(count_of(&html, "<figure>"), 4);
    assert_has(&html, "a.part.1.in_m, a.part.2.in_m, a.part.3.in_m, a.part.4.in_m: one sentence;");
    assert_int_equal(count_of(&html, "<details open=\"\">\n<summary>a</summary>"), 3);
    assert_int_equal(count_of(&html, "<details>\n<summary>b</summary>"), 3);
    ib_text_destroy(&html);

    // A robot alone has no folds.
    report.robot_count = 1;
    assert_int_equal(ib_report_render(&report, &html, &error), IB_OK);
    assert_int_equal(count_of(&html, "<details"), 0);
    ib_text_destroy(&html);
    ib_arena_reset(&arena);
}

// Goal: each group of signals has its figure, and the trajectory one; a signal that is zero
// throughout is named, not drawn. Method: count figures: trajectory, forces, pose, velocity, force.
static void groups_of_signals_get_a_figure_each(void **state)
{
    (void)state;
    if (ib_gnuplot_check(NULL) != IB_OK) skip();
    ib_Arena arena = {0};
    ib_Report report = make_report(&arena);
    ib_Text html = {0};
    assert_int_equal(ib_report_render(&report, &html, NULL), IB_OK);
    int figures = 0;
    for (const char *at = html.bytes; (at = strstr(at, "<figure>")); at++) figures++;
    assert_int_equal(figures, 5);
    assert_has(&html, "zero throughout: idle.signal.");
    assert_null(strstr(html.bytes, "<title>Gnuplot"));
    // No two figures share an id: one has the symbols, and nothing else has a name.
    assert_null(strstr(html.bytes, "gnuplot_"));
    assert_int_equal(count_of(&html, "<defs>"), 1);
    ib_text_destroy(&html);
    ib_arena_reset(&arena);
}

// Goal: without gnuplot there is still a report, which says what is missing and why. Method: a PATH
// where it is not.
static void report_without_gnuplot_says_why_plots_are_missing(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_Report report = make_report(&arena);
    ib_Text html = {0};
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    ib_Status status = ib_report_render(&report, &html, NULL);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, IB_OK);
    check_balance(html.bytes);
    assert_has(&html,
               "The plots are missing: gnuplot is not installed: apt-get install gnuplot-nox");
    ib_text_destroy(&html);
    ib_arena_reset(&arena);
}

// Goal: a report of next to nothing is a whole page, too. Method: the default, empty.
static void empty_report_is_whole(void **state)
{
    (void)state;
    ib_Report report = ib_report_default();
    ib_Text html = {0};
    assert_int_equal(ib_report_render(&report, &html, NULL), IB_OK);
    check_balance(html.bytes);
    ib_text_destroy(&html);
}

// ------------------------------------------------------------------------------------------ series

// Goal: series with times of their own are brought together. Method: values between samples lie on
// the straight line; outside, and beside a NaN, there is none; cutting keeps both ends.
static void series_are_read_between_their_samples(void **state)
{
    (void)state;
    ib_Time own[] = {0, 10, 20, 40}, other[] = {-5, 0, 5, 15, 40, 41};
    double values[] = {1, 3, NAN, 9}, zeros[6] = {0};
    ib_LogSeries series = {"a", "m", "", 4, own, values};
    ib_LogSeries base = {"b", "m", "", 6, other, zeros};
    ib_Arena arena = {0};
    const double *aligned = ib_series_aligned(&series, &base, &arena);
    assert_true(isnan(aligned[0]) && aligned[1] == 1 && aligned[2] == 2);
    assert_true(isnan(aligned[3]) && aligned[4] == 9 && isnan(aligned[5]));
    ib_LogSeries cut = ib_series_cut(&series, 10, 20);
    assert_int_equal(cut.count, 2);
    assert_true(cut.times[0] == 10 && cut.times[1] == 20);
    assert_int_equal(ib_series_cut(&series, 21, 39).count, 0);
    ib_arena_reset(&arena);
}

// Goal: a robot wears the colour it is called after, in curves and in paths, that of the viewer.
// Method: the words and colours of base/geometry.h; a name that only begins like one is none.
static void robots_wear_the_colour_of_their_name(void **state)
{
    (void)state;
    static const struct {
        const char *robot, *x, *y;
        bool named;
    } cases[] = {{"red", "red.x", "red.y", true},
                 {"blue", "blue.x", "blue.y", true},
                 {"reddish", "reddish.x", "reddish.y", false}};
    ib_Time when[] = {0, 1};
    double values[] = {0, 1};
    ib_Arena arena = {0};
    for (int i = 0; i < 3; i++) {
        const ib_LogSeries both[] = {{cases[i].x, "m", "", 2, when, values},
                                     {cases[i].y, "m", "", 2, when, values}};
        ib_PlotSeries curve, path;
        uint32_t colour = 0;
        assert_true(ib_series_curve(&both[0], &arena, &curve));
        assert_true(ib_series_trajectory((ib_SeriesSet){both, 2}, cases[i].robot, &arena, &path));
        assert_int_equal(ib_colour_named(cases[i].robot, &colour), cases[i].named);
        assert_true(curve.named == cases[i].named && path.named == cases[i].named);
        if (cases[i].named) assert_true(curve.rgb == colour && path.rgb == colour);
    }
    ib_arena_reset(&arena);
}

// Goal: rows at changes stand between the even ones, in order of time, each time of them once but
// for the two sides of a jump. Method: even rows at 0, 10, 20; changes at 5, at 10 (both sides) and
// at 25, after the end of the even ones.
static void rows_at_changes_stand_between_the_even_ones(void **state)
{
    (void)state;
    ib_Time even_times[] = {0, 10, 20}, change_times[] = {5, 10, 10, 25};
    double even_values[] = {0, 1, 2}, change_values[] = {50, 51, 52, 53};
    static ib_SignalDef def = {.name = "stage", .unit = "1", .sentence = ""};
    const ib_SignalTable one = {.items = &def, .count = 1};
    const ib_Tape even = {.signals = 1, .count = 3, .times = even_times, .values = even_values};
    const ib_Tape at = {.signals = 1, .count = 4, .times = change_times, .values = change_values};
    static const double expected[][2] = {{0, 0}, {5, 50}, {10, 51}, {10, 52}, {20, 2}, {25, 53}};
    ib_Arena arena = {0};
    ib_SeriesSet set = ib_series_from_tapes(&even, &at, &one, &arena);
    assert_int_equal(set.count, 1);
    assert_int_equal(set.items[0].count, 6);
    for (int i = 0; i < 6; i++) {
        assert_close((double)set.items[0].times[i], expected[i][0], 0);
        assert_close(set.items[0].values[i], expected[i][1], 0);
    }
    ib_arena_reset(&arena);
}

// Goal: figures follow the reader's choice of light or dark, and stay as they are on paper. Method:
// the card's colour is a variable that the dark scheme and the printer set; the rule that exchanges
// light and dark holds on dark screens only, and makes white what the card is: 1.333 (1 - 0.9) is
// #22 of 255.
static void figures_are_dark_on_a_dark_screen(void **state)
{
    (void)state;
    ib_Report report = ib_report_default();
    ib_Text html = {0};
    assert_int_equal(ib_report_render(&report, &html, NULL), IB_OK);
    assert_non_null(strstr(html.bytes, "background:var(--paper)"));
    assert_non_null(strstr(html.bytes,
                           "@media screen and (prefers-color-scheme:dark){"
                           "figure svg{filter:invert(.9) hue-rotate(180deg) brightness(1.333)}}"));
    const char *dark = strstr(html.bytes, "@media(prefers-color-scheme:dark)"),
               *print = strstr(html.bytes, "@media print");
    assert_true(dark && print);
    assert_non_null(strstr(dark, "--paper:#222;"));
    assert_non_null(strstr(print, "--paper:#fff;"));
    assert_close(0x22 / 255.0, 1.333 * (1 - 0.9), 0.5 / 255);
    assert_null(strstr(html.bytes, "background:#fff"));
    ib_text_destroy(&html);
}

// Goal: the steps of a routine are in the report with what each missed, with its line and its
// outcome; words of the file cannot become markup; without routines there is no such section.
// Method: a move that ended 1.2 cm off its goal, one that still runs, one that never began.
static void steps_of_a_routine_are_told(void **state)
{
    (void)state;
    ib_StepRun runs[3] = {
        {.step = {.number = 1,
                  .label = "drive " HOSTILE,
                  .line = 7,
                  .moves = true,
                  .outcome = IB_STEP_DONE,
                  .at = {1, 2, 0},
                  .missed = {0.004, 0},
                  .promise = 1.5},
         .began = 0,
         .ended = 2 * IB_SECOND,
         .round = 1,
         .posed = true,
         .off = 0.012,
         .most = 0.034},
        {.step = {.number = 2, .label = "wait", .depth = 1, .outcome = IB_STEP_RUNS},
         .began = 2 * IB_SECOND,
         .ended = IB_TIME_NEVER,
         .round = 4,
         .most = NAN},
        {.step = {.number = 3, .label = "last"}, .began = IB_TIME_NEVER, .ended = IB_TIME_NEVER},
    };
    const ib_ReportRoutine routine = {"red", "arm", runs, 3};
    ib_Report report = ib_report_default();
    ib_Text html = {0};
    ib_Error error;
    report.duration = 5;
    assert_int_equal(ib_report_render(&report, &html, &error), IB_OK);
    assert_null(strstr(html.bytes, "id=\"routine\""));
    ib_text_destroy(&html);
    html = (ib_Text){0};
    report.routines = &routine;
    report.routine_count = 1;
    assert_int_equal(ib_report_render(&report, &html, &error), IB_OK);
    static const char *const expected[] = {
        "id=\"routine\"", "href=\"#routine\"", ">red, arm<", "line 7</span>",
        ">1.2 cm, 0.0°<", ">0.4 cm, 0.0°<",    ">3.4<",      ">(1.000, 2.000) m, 0.0°<",
        ">1.50<",         ">still running<",   "(round 4)",  ">3.00<",
        ">not begun<",
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        if (!strstr(html.bytes, expected[i])) fail_msg("'%s' is missing", expected[i]);
    assert_null(strstr(html.bytes, "drive <script>"));
    ib_text_destroy(&html);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_a_routine_are_told),
        cmocka_unit_test(page_is_whole_and_all_text_escaped),
        cmocka_unit_test(page_needs_nothing_from_outside),
        cmocka_unit_test(page_tells_the_figures_of_the_run),
        cmocka_unit_test(undecided_expectations_are_open),
        cmocka_unit_test(groups_of_signals_get_a_figure_each),
        cmocka_unit_test(numbered_parts_and_several_robots_have_room),
        cmocka_unit_test(report_without_gnuplot_says_why_plots_are_missing),
        cmocka_unit_test(empty_report_is_whole),
        cmocka_unit_test(figures_are_dark_on_a_dark_screen),
        cmocka_unit_test(series_are_read_between_their_samples),
        cmocka_unit_test(robots_wear_the_colour_of_their_name),
        cmocka_unit_test(rows_at_changes_stand_between_the_even_ones),
    };
    return cmocka_run_group_tests(tests, make_run, NULL);
}
