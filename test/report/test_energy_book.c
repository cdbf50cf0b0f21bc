// Claims about src/report/energy_book.c. The one that draws is skipped without gnuplot.
#include "cmocka_all.h"

#include "report/energy_book.h"
#include "report/pending.h"
#include "report/plot/gnuplot.h"

#include <string.h>

enum { ROWS = 3, ENTRIES = 6 };

// Given: 900 J by the battery and 100 J by a push. 600 + 150 + 249 J are accounted for, 1 J is not.
static ib_Time times[ROWS] = {0, IB_SECOND, 2 * IB_SECOND};
static double values[ENTRIES][ROWS] = {{0, 500, 600}, {0, 0.5, 1},     {0, 400, 900},
                                       {0, 60, 150},  {0, 139.5, 249}, {0, 200, 100}};
#define ROW(i, name, sentence, which)                                                              \
    {                                                                                              \
        name, "J", sentence, ROWS, times, values[i], IB_MEANS(.role = which, .robot = "red")       \
    }
static const ib_LogSeries items[] = {
    ROW(0, "red.energy.kinetic", "of the body", IB_ROLE_STORED),
    ROW(1, "red.energy.error", "off by", IB_ROLE_BALANCE),
    ROW(2, "red.energy.battery", "given", IB_ROLE_SUPPLIED),
    ROW(3, "red.energy.copper", "lost", IB_ROLE_LOST),
    ROW(4, "red.energy.tyre", "lost", IB_ROLE_LOST),
    ROW(5, "red.energy.push", "given", IB_ROLE_GIVEN),
    ROW(3, "red.lift.energy.copper", "of another book", IB_ROLE_LOST),
    ROW(3, "red.energy.heat", "in no book", IB_ROLE_NONE),
};
enum { ALL = sizeof items / sizeof items[0] };
static const ib_SeriesSet series = {items, ALL};
static const ib_LogSeries *const balance = &items[1];

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
    ib_EnergyBook book = ib_energy_book(series, balance);
    assert_int_equal(book.count, ENTRIES);
    assert_close(book.given, 1000, 1e-12);
    for (int i = 0; i < ENTRIES; i++) {
        assert_string_equal(book.entries[i].name, expected[i].name);
        assert_close(book.entries[i].share, expected[i].share, 1e-12);
        assert_int_equal(ib_role_gives(book.entries[i].role), i < 2);
    }
}

// Goal: no shares where nothing was given, no book of a balance without samples. Method: the first
// sample only, where all is zero; none.
static void books_need_samples(void **state)
{
    (void)state;
    ib_LogSeries first[ALL];
    memcpy(first, items, sizeof first);
    for (int i = 0; i < ALL; i++) first[i].count = 1;
    ib_EnergyBook book = ib_energy_book((ib_SeriesSet){first, ALL}, &first[1]);
    assert_int_equal(book.count, ENTRIES);
    assert_true(isnan(book.entries[0].share));
    first[1].count = 0;
    assert_int_equal(ib_energy_book((ib_SeriesSet){first, ALL}, &first[1]).count, 0);
}

// Goal: a mechanism has a book of its own, called after it, and entries that never were anything
// are left out. Method: a lift that got 60 J and lost them, with an entry of zeros.
static void parts_have_books_of_their_own(void **state)
{
    (void)state;
    static double none[ROWS], got[ROWS] = {0, 30, 60};
    const ib_LogSeries own[] = {
        {"lift.energy.electric", "J", "", ROWS, times, got, IB_MEANS(.role = IB_ROLE_GIVEN)},
        {"lift.energy.gear", "J", "", ROWS, times, got, IB_MEANS(.role = IB_ROLE_LOST)},
        {"lift.energy.stop", "J", "", ROWS, times, none, IB_MEANS(.role = IB_ROLE_LOST)},
        {"lift.energy.error", "J", "", ROWS, times, none,
         IB_MEANS(.role = IB_ROLE_BALANCE, .part = "lift")},
    };
    ib_Report report = ib_report_default();
    report.series = (ib_SeriesSet){own, 4};
    assert_true(ib__energy_present(&report));
    ib_Text html = {0};
    ib__energy_write(&report, NULL, &html);
    assert_non_null(strstr(html.bytes, "<h3>lift</h3>"));
    assert_non_null(strstr(html.bytes, "<td>gear</td>"));
    assert_null(strstr(html.bytes, "<td>stop</td>"));
    assert_non_null(strstr(html.bytes, "<td>error</td>"));
    ib_text_destroy(&html);
    report.series.count = 3;
    assert_false(ib__energy_present(&report));
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
    ib__pending_draw(&html, NULL);
    if (can_draw) assert_non_null(strstr(html.bytes, "</svg>"));
    if (can_draw) assert_non_null(strstr(html.bytes, "energy [J]"));
    ib_text_destroy(&html);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_of_the_energy_given),
        cmocka_unit_test(books_need_samples),
        cmocka_unit_test(parts_have_books_of_their_own),
        cmocka_unit_test(section_has_table_and_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
