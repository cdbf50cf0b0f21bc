// Claims about src/report/energy_book.c. The one that draws is skipped without gnuplot.
#include "cmocka_all.h"

#include "report/energy_book.h"
#include "report/gnuplot.h"

#include <string.h>

enum { ROWS = 3, ENTRIES = 6 };

// Given: 900 J by the battery and 100 J by a push. 600 + 150 + 249 J are accounted for, 1 J is not.
static ib_Time times[ROWS] = {0, IB_SECOND, 2 * IB_SECOND};
static double values[ENTRIES][ROWS] = {{0, 500, 600}, {0, 0.5, 1},     {0, 400, 900},
                                       {0, 60, 150},  {0, 139.5, 249}, {0, 200, 100}};
static const ib_LogSeries items[] = {
    {"red.energy.kinetic", "J", "of the body", ROWS, times, values[0]},
    {"red.energy.error", "J", "off by", ROWS, times, values[1]},
    {"red.energy.battery", "J", "given", ROWS, times, values[2]},
    {"red.energy.copper", "J", "lost", ROWS, times, values[3]},
    {"red.energy.tyre", "J", "lost", ROWS, times, values[4]},
    {"red.energy.push", "J", "given", ROWS, times, values[5]},
};
static const ib_SeriesSet series = {items, ENTRIES};

// Goal: shares are of the energy given; those that give come first, the error last. Method: the
// book above: 1000 J given. 1e-12: one division.
static void shares_are_of_the_energy_given(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double share;
    } expected[ENTRIES] = {{"battery", 0.9}, {"push", 0.1},   {"kinetic", 0.6},
                           {"copper", 0.15}, {"tyre", 0.249}, {"error", 0.001}};
    ib_EnergyBook book = ib_energy_book(series, "red");
    assert_int_equal(book.count, ENTRIES);
    assert_close(book.given, 1000, 1e-12);
    for (int i = 0; i < ENTRIES; i++) {
        assert_string_equal(book.entries[i].name, expected[i].name);
        assert_close(book.entries[i].share, expected[i].share, 1e-12);
        assert_int_equal(book.entries[i].gives, i < 2);
    }
}

// Goal: no book without battery and error, no shares where nothing was given. Method: another
// robot's name; the first sample only, where all is zero.
static void books_need_battery_and_error(void **state)
{
    (void)state;
    assert_int_equal(ib_energy_book(series, "").count, 0);
    assert_int_equal(ib_energy_book(series, "blue").count, 0);
    assert_int_equal(ib_energy_book((ib_SeriesSet){items, 2}, "red").count, 0);
    ib_LogSeries first[ENTRIES];
    memcpy(first, items, sizeof first);
    for (int i = 0; i < ENTRIES; i++) first[i].count = 1;
    ib_EnergyBook book = ib_energy_book((ib_SeriesSet){first, ENTRIES}, "red");
    assert_int_equal(book.count, ENTRIES);
    assert_true(isnan(book.entries[0].share));
}

// Goal: the section shows the table and one picture. Method: figures of the book above.
static void section_has_table_and_picture(void **state)
{
    (void)state;
    bool can_draw = ib_gnuplot_check(NULL) == IB_OK;
    static const ib_RobotKind kind = {.name = "cart", .sentence = "a cart"};
    ib_ReportRobot robot = {.name = "red", .kind = &kind};
    ib_Report report = ib_report_default();
    report.series = series;
    report.robots = &robot;
    report.robot_count = 1;
    assert_true(ib__energy_present(&report));
    ib_Text html = {0};
    ib__energy_write(&report, can_draw ? NULL : "no gnuplot", &html);
    assert_false(html.failed);
    assert_non_null(strstr(html.bytes, "<td class=\"number\">60.00 %</td>"));
    assert_non_null(strstr(html.bytes, "<td class=\"number\">1.0e-03</td>"));
    if (can_draw) assert_non_null(strstr(html.bytes, "</svg>"));
    if (can_draw) assert_non_null(strstr(html.bytes, "energy [J]"));
    ib_text_destroy(&html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_of_the_energy_given),
        cmocka_unit_test(books_need_battery_and_error),
        cmocka_unit_test(section_has_table_and_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
