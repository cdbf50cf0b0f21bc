// Claims about src/report/load_use.c and stack.c. The one that draws is skipped without gnuplot.
#include "cmocka_all.h"

#include "report/load_use.h"
#include "report/pending.h"
#include "report/plot/gnuplot.h"
#include "report/plot/stack.h"

#include <string.h>

enum { ROWS = 3 };

// Four seconds at 12 V, then falling to 10 V: a motor that draws 20 A, then falls to -20 A; a radio
// with 1 A; a lift that comes up from 0 to 40 A in the first half.
static ib_Time times[ROWS] = {0, 2 * IB_SECOND, 4 * IB_SECOND};
static double volts[ROWS] = {12, 12, 10}, motor[ROWS] = {20, 20, -20}, radio[ROWS] = {1, 1, 1};
static double lift[ROWS] = {0, 40, 40}, sum[ROWS] = {21, 61, 21};
#define RED(which) IB_MEANS(.role = which, .robot = "red")
static const ib_LogSeries items[] = {
    {"red.battery.voltage", "V", "", ROWS, times, volts, RED(IB_ROLE_SUPPLY_VOLTAGE)},
    {"red.battery.current", "A", "", ROWS, times, sum, RED(IB_ROLE_SUPPLY_CURRENT)},
    {"red.background.current", "A", "", ROWS, times, radio, RED(IB_ROLE_LOAD)},
    {"red.drive.left.supply", "A", "", ROWS, times, motor, RED(IB_ROLE_LOAD)},
    {"red.lift.supply", "A", "", ROWS, times, lift, RED(IB_ROLE_LOAD)},
    {"blue.lift.supply", "A", "", ROWS, times, lift,
     IB_MEANS(.role = IB_ROLE_LOAD, .robot = "blue")},
};
static const ib_SeriesSet series = {items, sizeof items / sizeof items[0]};

// Goal: charge, peak, mean, what was fed back and energy of each load, largest charge first.
// Method: by hand. Lift: 40 + 80 A s, 480 J at 12 V, then 40 A at 11 V on average: 880 J. Motor:
// 40 A s and 480 J, then 20 A to -20 A in 2 s: no charge, 10 A s of it fed back; its power is
// (20 - 20 t)(12 - t) W from 0 to 2 s, the integral of which is 40/3 J. Radio: 4 A s, 24 + 22 J.
static void uses_are_integrals_of_straight_lines(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double peak, mean, charge, fed_back, energy;
    } expected[] = {
        {"lift", 40, 30, 120, 0, 480 + 880},
        {"drive.left", 20, 10, 40, 10, 480 + 40.0 / 3},
        {"background", 1, 1, 4, 0, 46},
    };
    ib_LoadUse uses[IB_LOADS_MOST];
    ib_Report report = ib_report_default();
    report.series = series;
    assert_int_equal(ib_load_uses(&report, "red", uses), 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(uses[i].name, expected[i].name);
        assert_close(uses[i].peak, expected[i].peak, 1e-12);
        assert_close(uses[i].mean, expected[i].mean, 1e-12);
        assert_close(uses[i].sum.charge, expected[i].charge, 1e-12);
        assert_close(uses[i].sum.fed_back, expected[i].fed_back, 1e-12);
        assert_close(uses[i].sum.energy, expected[i].energy, 1e-9);
    }
    assert_int_equal(ib_load_uses(&report, "blue", uses), 1);
    assert_true(isnan(uses[0].sum.energy)); // no voltage of blue
    assert_int_equal(ib_load_uses(&report, "", uses), 0);
}

// Goal: where every step was metered, that counts, and who never drew anything is named only.
// Method: a meter that saw 72 A s of the lift, and an arm of zeros.
static void metered_sums_win(void **state)
{
    (void)state;
    static double none[ROWS];
    const ib_LogSeries own[] = {
        {"battery.current", "A", "", ROWS, times, sum, IB_MEANS(.role = IB_ROLE_SUPPLY_CURRENT)},
        {"lift.supply", "A", "", ROWS, times, lift, IB_MEANS(.role = IB_ROLE_LOAD)},
        {"arm.supply", "A", "", ROWS, times, none, IB_MEANS(.role = IB_ROLE_LOAD)},
    };
    const ib_ReportSignal seen = {.name = "lift.supply", .max = 40};
    ib_MeterItem item = {.signal = 0, .sum = {.charge = 72, .energy = 864}};
    const ib_Meter meter = {.count = 1, .items = &item};
    static const ib_RobotKind kind = {.name = "cart", .sentence = "a cart"};
    ib_ReportRobot robot = {.name = "", .kind = &kind};
    ib_LoadUse uses[IB_LOADS_MOST];
    ib_Report report = ib_report_default();
    report.series = (ib_SeriesSet){own, 3};
    report.signals = &seen;
    report.signal_count = 1;
    report.meter = &meter;
    report.robots = &robot;
    report.robot_count = 1;
    assert_int_equal(ib_load_uses(&report, "", uses), 2);
    assert_close(uses[0].sum.charge, 72, 0);
    assert_close(uses[0].mean, 18, 0); // in 4 s
    ib_Text html = {0};
    ib__loads_write(&report, "no pictures here", &html);
    assert_non_null(strstr(html.bytes, "0.02000 A·h"));
    assert_non_null(strstr(html.bytes, "Nothing was drawn by arm."));
    assert_null(strstr(html.bytes, "arm</td>"));
    ib_text_destroy(&html);
}

// Goal: means are over time, however the samples lie, and all together are the integral. Method: by
// hand: 10 A for 0.1 s of 4 s, between two samples each, in windows of 1 s: 10 (0.1 + 0.01)/1 A,
// the edges taking 0.01 s each; and a ramp 2 t, whose means are those of the windows' middles.
static void means_are_over_time(void **state)
{
    (void)state;
    static const double x[] = {0, 1.5, 1.51, 1.61, 1.62, 4}, pulse[] = {0, 0, 10, 10, 0, 0};
    static const double ramp[] = {0, 3, 3.02, 3.22, 3.24, 8}, expected[] = {0, 1.1, 0, 0};
    double means[4];
    ib__window_means(x, pulse, 6, 4, means);
    for (int i = 0; i < 4; i++) assert_close(means[i], expected[i], 1e-12);
    ib__window_means(x, ramp, 6, 4, means);
    for (int i = 0; i < 4; i++) assert_close(means[i], 2 * i + 1, 1e-12);
}

// Goal: bands stand one upon another, the smallest together, the whole as a line over them. Method:
// seven items of weights 1 to 7: five bands, and 1 + 2 as all others; heights by hand.
static void bands_stand_one_upon_another(void **state)
{
    (void)state;
    static const char *const labels[] = {"a", "b", "c", "d", "e", "f", "g"};
    static const double x[1] = {0}, total[1] = {30};
    double values[7];
    ib_StackItem stack[7];
    for (int i = 0; i < 7; i++) {
        values[i] = i + 1;
        stack[i] = (ib_StackItem){labels[i], &values[i], i + 1};
    }
    ib_PlotSeries line = {.label = "whole", .unit = "A", .x = x, .y = total, .count = 1};
    ib_PlotSeries made[IB_STACK_SERIES];
    ib_Arena arena = {0};
    assert_int_equal(ib__stack_make(stack, 7, &line, &arena, made), IB_STACK_SERIES);
    static const struct {
        const char *label;
        double top;
    } expected[] = {{"all others", 28}, {"c", 25}, {"d", 22},    {"e", 18},
                    {"f", 13},          {"g", 7},  {"whole", 30}};
    for (int i = 0; i < IB_STACK_SERIES; i++) {
        assert_string_equal(made[i].label, expected[i].label);
        assert_close(made[i].y[0], expected[i].top, 1e-12);
        assert_int_equal(made[i].style, i < 6 ? IB_PLOT_AREA : IB_PLOT_LINE);
    }
    ib_arena_reset(&arena);
}

// Goal: the section has a row for each load, the whole, and a picture; a report without loads has
// none. Method: red above: 21/61/21 A are 164 A s, 73.2 % of which the lift's;
// the peak is that of all steps.
static void section_tells_who_drew_what(void **state)
{
    (void)state;
    bool can_draw = ib_gnuplot_check(NULL) == IB_OK;
    static const ib_RobotKind kind = {.name = "cart", .sentence = "a cart"};
    ib_ReportRobot robot = {.name = "red", .kind = &kind};
    const ib_ReportSignal seen = {.name = "red.lift.supply", .max = 45.5};
    ib_Report report = ib_report_default();
    report.series = series;
    report.robots = &robot;
    report.robot_count = 1;
    report.signals = &seen;
    report.signal_count = 1;
    assert_true(ib__loads_present(&report));
    ib_Text html = {0};
    ib__loads_write(&report, can_draw ? NULL : "no gnuplot", &html);
    assert_false(html.failed);
    static const char *const words[] = {"drive.left</td>", "45.5 A",      "73.2 %",
                                        "0.03333 A·h",     "0.00278 A·h", "the supply</td>",
                                        "0.04556 A·h",     "1.360 kJ"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strstr(html.bytes, words[i])) fail_msg("it does not say '%s'", words[i]);
    ib__pending_draw(&html, NULL);
    if (can_draw) assert_non_null(strstr(html.bytes, "</svg>"));
    ib_text_destroy(&html);
    robot.name = "green";
    assert_false(ib__loads_present(&report));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uses_are_integrals_of_straight_lines),
        cmocka_unit_test(metered_sums_win),
        cmocka_unit_test(means_are_over_time),
        cmocka_unit_test(bands_stand_one_upon_another),
        cmocka_unit_test(section_tells_who_drew_what),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
