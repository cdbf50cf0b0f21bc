// Claims about src/report/battery_use.c.
#include "cmocka_all.h"

#include "report/battery_use.h"

#include <string.h>

enum { ROWS = 101, KNOTS = 400 };

// A command and a push with knots of its own, which is no command.
static const ib_InputDef inputs[] = {
    {.name = "left", .role = IB_INPUT_COMMAND},
    {.name = "force", .role = IB_INPUT_ENVIRONMENT},
    {.name = "right", .role = IB_INPUT_COMMAND},
};
static const ib_RobotPorts ports = {.input_count = 3, .inputs = inputs};
static const ib_RobotKind kind = {.name = "cart", .sentence = "a cart"};

static ib_ReportRobot robot_with(const ib_Timeline *timelines)
{
    return (ib_ReportRobot){.name = "", .kind = &kind, .ports = &ports, .timelines = timelines};
}

static ib_Time seconds(double time)
{
    return ib_time_from_seconds(time);
}

// Ten seconds: 10 A for 4 s, then 40 A, at 12.5 V - 0.02 ohm I; 20 % of a battery of 1400 A s.
static ib_Time times[ROWS];
static double used[ROWS], current[ROWS], voltage[ROWS], charge[ROWS], energy[ROWS];
#define RED(which) IB_MEANS(.role = which, .robot = "red")
static const ib_LogSeries items[] = {
    {"red.battery.used", "A*s", "", ROWS, times, used, RED(IB_ROLE_SUPPLY_USED)},
    {"red.battery.current", "A", "", ROWS, times, current, RED(IB_ROLE_SUPPLY_CURRENT)},
    {"red.battery.voltage", "V", "", ROWS, times, voltage, RED(IB_ROLE_SUPPLY_VOLTAGE)},
    {"red.battery.charge", "1", "", ROWS, times, charge, RED(IB_ROLE_SUPPLY_LEFT)},
    {"red.energy.battery", "J", "", ROWS, times, energy, RED(IB_ROLE_SUPPLIED)},
};
static const ib_SeriesSet series = {items, 5};

static int make_run(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        double t = 0.1 * i;
        times[i] = seconds(t);
        current[i] = i < 40 ? 10 : 40;
        used[i] = i <= 40 ? 10 * t : 40 + 40 * (t - 4);
        voltage[i] = 12.5 - 0.02 * current[i];
        charge[i] = 1 - used[i] / 1400;
        energy[i] = 12.5 * used[i];
    }
    return 0;
}

// Goal: manoeuvres begin at the knots of the commands. Method: two timelines with knots at 0, 2, 5
// and 2.03, 5, 12 s, a push with knots at 1 s, a run of 10 s: 2.03 s is less than 50 ms behind 2 s,
// 12 s beyond the end.
static void manoeuvres_begin_at_knots(void **state)
{
    (void)state;
    ib_Time left[] = {0, seconds(2), seconds(5)}, push[] = {seconds(1)};
    ib_Time right[] = {seconds(2.03), seconds(5), seconds(12)};
    double values[3] = {0};
    ib_Timeline timelines[] = {
        {3, left, values, false}, {1, push, values, false}, {3, right, values, false}};
    ib_ReportRobot robot = robot_with(timelines);
    ib_Manoeuvres parts = ib_manoeuvres(&robot, seconds(10));
    assert_int_equal(parts.count, 3);
    const double expected[] = {0, 2, 5, 10};
    for (int i = 0; i < 4; i++) assert_true(parts.from[i] == seconds(expected[i]));
}

// Goal: a run without knots is cut into ten equal parts. Method: no timelines; a knot at 0 only.
static void without_knots_there_are_ten_equal_parts(void **state)
{
    (void)state;
    ib_Time zero[] = {0};
    double value[] = {12};
    ib_Timeline timelines[] = {{1, zero, value, false}, {0}, {0}};
    for (int i = 0; i < 2; i++) {
        ib_ReportRobot robot = robot_with(i ? timelines : NULL);
        ib_Manoeuvres parts = ib_manoeuvres(&robot, seconds(5));
        assert_int_equal(parts.count, 10);
        for (int k = 0; k <= 10; k++) assert_true(parts.from[k] == seconds(0.5 * k));
    }
}

// Goal: there are never more than 20 rows, and the long manoeuvres stay. Method: 400 knots 0.1 s
// apart up to 40 s, then one at 70 s, in a run of 100 s: 20 parts in ascending order, the last two
// from 70 s to 100 s and one that ends at 70 s.
static void many_knots_are_merged_where_they_are_dense(void **state)
{
    (void)state;
    static ib_Time dense[KNOTS + 1];
    static double values[KNOTS + 1];
    for (int i = 0; i < KNOTS; i++) dense[i] = seconds(0.1 * (i + 1));
    dense[KNOTS] = seconds(70);
    ib_Timeline timelines[] = {{KNOTS + 1, dense, values, true}, {0}, {0}};
    ib_ReportRobot robot = robot_with(timelines);
    ib_Manoeuvres parts = ib_manoeuvres(&robot, seconds(100));
    assert_int_equal(parts.count, IB_MANOEUVRES_MOST);
    for (int i = 0; i < parts.count; i++) assert_true(parts.from[i] < parts.from[i + 1]);
    assert_true(parts.from[parts.count] == seconds(100));
    assert_true(parts.from[parts.count - 1] == seconds(70));
    assert_true(parts.from[parts.count - 2] <= seconds(40));
}

// Goal: charge, currents, voltage and energy of a manoeuvre are those of its time. Method: the run
// above. 0 to 4 s: 40 A s, 10 A, 12.3 V, 500 J; 4 to 10 s: 240 A s, 40 A, 11.7 V, 3000 J; 2 to 6 s
// has both currents: 20 + 80 A s in 4 s. Sums of a hundred doubles: 1e-9.
static void use_is_that_of_the_manoeuvre(void **state)
{
    (void)state;
    const double expected[][7] = {
        {0, 4, 40, 10, 10, 12.3, 500},
        {4, 10, 240, 40, 40, 11.7, 3000},
        {2, 6, 100, 25, 40, 11.7, 1250},
    };
    for (int i = 0; i < 3; i++) {
        const double *row = expected[i];
        ib_BatteryUse use = ib_battery_use(series, "red", seconds(row[0]), seconds(row[1]));
        assert_close(use.charge, row[2], 1e-9);
        assert_close(use.mean_current, row[3], 1e-9);
        assert_close(use.peak_current, row[4], 1e-9);
        assert_close(use.lowest_voltage, row[5], 1e-9);
        assert_close(use.energy, row[6], 1e-9);
    }
    ib_BatteryUse none = ib_battery_use(series, "blue", 0, seconds(4));
    assert_true(isnan(none.charge) && isnan(none.peak_current) && isnan(none.energy));
}

// Goal: the runs that are left follow from the charge. Method: 1 to 0.8: four more; 0.5 to 0.4:
// four more; a run that took nothing, or charged, has no such number. 1e-12: three roundings.
static void runs_left_follow_from_the_charge(void **state)
{
    (void)state;
    assert_close(ib_battery_total(280, 1, 0.8).left, 4, 1e-12);
    assert_close(ib_battery_total(280, 1, 0.8).part, 0.2, 1e-12);
    assert_close(ib_battery_total(140, 0.5, 0.4).left, 4, 1e-12);
    assert_true(isnan(ib_battery_total(0, 1, 1).left));
    assert_true(isnan(ib_battery_total(-1, 0.9, 0.91).left));
}

// Goal: a person reads what is left. Method: none, one and several runs, and no number.
static void what_is_left_is_put_in_words(void **state)
{
    (void)state;
    static const struct {
        double end;
        const char *words;
    } expected[] = {{0.4, "not enough for another such run"},
                    {0.6, "enough for 1 more such run"},
                    {0.9, "enough for 9 more such runs"},
                    {1, ""}};
    for (int i = 0; i < 4; i++) {
        char text[64];
        ib_BatteryTotal total = ib_battery_total(1, 1, expected[i].end);
        ib_battery_describe(&total, text, sizeof text);
        assert_string_equal(text, expected[i].words);
    }
}

// Goal: the section has a row for each manoeuvre and the totals. Method: a knot at 4 s: 40 A s are
// 0.01111 A h, 240 A s 0.06667 A h; in all 0.07778 A h, 20 % of the battery, 4 more runs: no such
// promise after a brownout. A report without a battery has no such section.
static void section_tells_rows_and_totals(void **state)
{
    (void)state;
    ib_Time knots[] = {seconds(4)};
    double value[] = {12};
    ib_Timeline timelines[] = {{1, knots, value, false}, {0}, {0}};
    ib_ReportRobot robot = robot_with(timelines);
    robot.name = "red";
    ib_Report report = ib_report_default();
    report.series = series;
    report.robots = &robot;
    report.robot_count = 1;
    assert_true(ib__battery_present(&report));
    ib_Text html = {0};
    ib__battery_write(&report, &html);
    static const char *const words[] = {"Charge used per manoeuvre, red",
                                        "4.00 s</td>",
                                        "0.01111 A·h",
                                        "0.06667 A·h",
                                        "<strong>0.07778 A·h</strong>",
                                        "20 % of a full",
                                        "80 % are left",
                                        "<strong>enough for 4 more such runs</strong>",
                                        "12.30 V",
                                        "3.000 kJ"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strstr(html.bytes, words[i])) fail_msg("it does not say '%s'", words[i]);
    ib_text_destroy(&html);
    static const ib_Mode brownout = {.kind = IB_MODE_BROWNOUT,
                                     .meanings = {{"fine"}, {"off", IB_MODE_ERROR, true}}};
    ib_ReportSignal stage = {
        .name = "red.stage", .max = 1, .means = IB_MEANS(.mode = &brownout, .robot = "red")};
    report.signals = &stage;
    report.signal_count = 1;
    ib__battery_write(&report, &html);
    assert_non_null(strstr(html.bytes, "20 % of a full"));
    assert_null(strstr(html.bytes, "more such runs"));
    ib_text_destroy(&html);
    robot.name = "blue";
    assert_false(ib__battery_present(&report));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(manoeuvres_begin_at_knots),
        cmocka_unit_test(without_knots_there_are_ten_equal_parts),
        cmocka_unit_test(many_knots_are_merged_where_they_are_dense),
        cmocka_unit_test(use_is_that_of_the_manoeuvre),
        cmocka_unit_test(runs_left_follow_from_the_charge),
        cmocka_unit_test(what_is_left_is_put_in_words),
        cmocka_unit_test(section_tells_rows_and_totals),
    };
    return cmocka_run_group_tests(tests, make_run, NULL);
}
