// Claims about src/report/plot/plot_heat.c, plot_ruler.c and plot_layers.c, by what their scripts
// say. Those that draw are skipped without gnuplot.
#include "cmocka_all.h"

#include "report/plot/gnuplot.h"
#include "report/plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100 };
static double numbers[MOST], values[MOST * MOST];
static bool barred[MOST * MOST];

// Evenly spaced numbers, all values 0 to 1 along the rows, nothing barred, no best.
static ib_PlotHeat map(int columns, int rows)
{
    for (int i = 0; i < MOST; i++) numbers[i] = i + 1;
    for (int i = 0; i < columns * rows; i++) values[i] = i / (columns * rows - 1.0);
    memset(barred, 0, sizeof barred);
    return (ib_PlotHeat){.x = {.name = "gear", .unit = "1", .count = columns, .numbers = numbers},
                         .y = {.name = "radius", .unit = "m", .count = rows, .numbers = numbers},
                         .name = "duration",
                         .unit = "s",
                         .values = values,
                         .barred = barred,
                         .best_column = -1,
                         .best_row = -1};
}

static ib_Plot plot_of(const ib_PlotHeat *heat)
{
    ib_Plot plot = ib_plot_default();
    plot.kind = IB_PLOT_HEAT;
    plot.heat = heat;
    return plot;
}

static ib_Text script_of(const ib_PlotHeat *heat)
{
    ib_Plot plot = plot_of(heat);
    ib_Text script = {0};
    ib_Error error = {0};
    if (ib_plot_script(&plot, IB_PLOT_SVG, &script, &error)) fail_msg("%s", error.text);
    return script;
}

typedef struct Cell {
    double left, right, bottom, top;
    unsigned colour;
} Cell;

// The rectangles of a script, row by row from below; those of the scale and the legend follow.
static int read_cells(const ib_Text *script, Cell *cells, int most)
{
    const char *at = strstr(script->bytes, "$cells << EOD\n");
    int count = 0;
    for (at = at ? strchr(at, '\n') + 1 : ""; count < most; at = strchr(at, '\n') + 1, count++) {
        Cell *c = &cells[count];
        if (sscanf(at, "%lf %lf %lf %lf %x", &c->left, &c->right, &c->bottom, &c->top,
                   &c->colour) != 5)
            break;
    }
    return count;
}

static bool says(const ib_Text *script, const char *words)
{
    return strstr(script->bytes, words) != NULL;
}

// Luminance of WCAG 2.1, with the transfer function of sRGB.
static double luminance(unsigned colour)
{
    static const double weight[] = {0.0722, 0.7152, 0.2126};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double part = (colour >> 8 * i & 0xff) / 255.0;
        sum += weight[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

// Goal: cells of uneven numbers meet half way between them, the outer ones are as wide outside as
// inside; rows rise from below. Method: 1, 2, 4 have borders at 0.5, 1.5, 3, 5; within a pixel, as
// borders are whole ones.
static void cells_meet_half_way(void **state)
{
    (void)state;
    ib_PlotHeat heat = map(3, 2);
    static const double uneven[] = {1, 2, 4}, borders[] = {0.5, 1.5, 3, 5};
    heat.x.numbers = uneven;
    ib_Text script = script_of(&heat);
    Cell cells[6];
    assert_int_equal(read_cells(&script, cells, 6), 6);
    double scale = (cells[2].right - cells[0].left) / 4.5;
    for (int i = 0; i < 6; i++)
        assert_close(cells[i].left, cells[0].left + (borders[i % 3] - 0.5) * scale, 1);
    assert_close(cells[3].bottom, cells[0].top, 1);
    assert_close(cells[3].top - cells[3].bottom, cells[0].top - cells[0].bottom, 1);
    assert_true(says(&script, "set xtics nomirror norotate autojustify ('1' "));
    ib_text_destroy(&script);
}

// Goal: the larger a value, the lighter its cell, and its number is readable: a contrast of 4.4 and
// more (WCAG asks for 4.5; both inks have 4.58 where they are equal). Method: 12 x 12 values.
static void larger_is_lighter_and_readable(void **state)
{
    (void)state;
    ib_PlotHeat heat = map(12, 12);
    ib_Text script = script_of(&heat);
    static Cell cells[144];
    int shown = 0, next = 0;
    double lightest = 0;
    read_cells(&script, cells, 144);
    const char *at = strchr(strstr(script.bytes, "$numbers << EOD"), '\n') + 1;
    for (; *at != 'E'; at = strchr(at, '\n') + 1, shown++) {
        double x, y, value;
        unsigned ink;
        assert_int_equal(sscanf(at, "%lf %lf \"%lf\" %x", &x, &y, &value, &ink), 4);
        assert_close(value, values[shown], 0.005); // two decimals
        while (!(x < cells[next].right && y < cells[next].top)) next++;
        double a = luminance(ink) + 0.05, b = luminance(cells[next].colour) + 0.05;
        assert_true(b >= lightest);
        lightest = b;
        assert_true((a > b ? a / b : b / a) >= 4.4);
    }
    assert_int_equal(shown, 144);
    ib_text_destroy(&script);
}

// Goal: a barred value of another size leaves the colours of the others alone, and is paler and
// hatched; a cell without a value is grey and hatched; the legend names what is there. Method: two
// columns with and without.
static void barred_cells_are_pale(void **state)
{
    (void)state;
    ib_PlotHeat heat = map(4, 1);
    Cell plain[4], changed[4];
    ib_Text script = script_of(&heat);
    assert_int_equal(read_cells(&script, plain, 4), 4);
    assert_false(says(&script, "'not allowed'") || says(&script, "'no value'") ||
                 says(&script, "'best'"));
    assert_false(says(&script, "$barred using") || says(&script, "$empty using"));
    ib_text_destroy(&script);

    values[1] = 1e6;
    barred[1] = true;
    values[2] = NAN;
    heat.best_column = 3, heat.best_row = 0;
    script = script_of(&heat);
    assert_int_equal(read_cells(&script, changed, 4), 4);
    assert_int_equal(changed[0].colour, plain[0].colour);
    assert_int_equal(changed[3].colour, plain[3].colour);
    assert_true(luminance(changed[1].colour) > luminance(plain[3].colour));
    unsigned grey = changed[2].colour;
    assert_true((grey & 0xff) == (grey >> 8 & 0xff) && (grey & 0xff) == grey >> 16);
    assert_true(says(&script, "'not allowed'") && says(&script, "'no value'"));
    assert_true(says(&script, "$barred using") && says(&script, "$empty using"));
    assert_true(says(&script, "'best'") && says(&script, "$mark using"));
    ib_text_destroy(&script);

    heat.barred_name = "too hot";
    script = script_of(&heat);
    assert_true(says(&script, "'too hot'") && !says(&script, "'not allowed'"));
    ib_text_destroy(&script);
}

// Goal: hatching stays in its cell and goes on in the next. Method: two barred cells of different
// colours; every line rises by its run, all are on one grid y = x + k p, none leaves them.
static void hatching_fills_its_cells(void **state)
{
    (void)state;
    ib_PlotHeat heat = map(2, 1);
    barred[0] = barred[1] = true;
    ib_Text script = script_of(&heat);
    Cell cells[2];
    assert_int_equal(read_cells(&script, cells, 2), 2);
    const double pitch = 12; // 0.6 em of 20 pixels
    const char *at = strchr(strstr(script.bytes, "$barred << EOD"), '\n') + 1;
    int inside[2] = {0, 0};
    double ax, ay, bx, by;
    for (; sscanf(at, "%lf %lf %lf %lf", &ax, &ay, &bx, &by) == 4; at = strstr(at, "\n\n") + 2) {
        assert_close(by - ay, bx - ax, 1e-3); // six digits of pixels
        assert_close(remainder(ay - ax, pitch), 0, 1e-3);
        bool legend = ay >= cells[0].top - 1;
        if (legend) continue;
        int of = ax >= cells[1].left;
        assert_true(ax >= cells[of].left && bx <= cells[of].right);
        assert_true(ay >= cells[of].bottom - 1e-3 && by <= cells[of].top);
        inside[of]++;
    }
    for (int i = 0; i < 2; i++) {
        // Lines that cross a box: one each pitch of its width and height together.
        double sum = cells[i].right - cells[i].left + cells[i].top - cells[i].bottom - 2;
        assert_close(inside[i], sum / pitch, 1.5);
    }
    ib_text_destroy(&script);
}

// Goal: words stand at their cells; values stand in few cells, and not in many; name and unit of
// the value stand at the scale. Method: words along x, 3 and 13 rows.
static void words_and_values_are_written(void **state)
{
    (void)state;
    static const char *const words[] = {"euler", "rk4 50 %", "stiff's"};
    ib_PlotHeat heat = map(3, 3);
    heat.x = (ib_PlotHeatAxis){.name = "solver", .count = 3, .words = words};
    ib_Text script = script_of(&heat);
    assert_true(says(&script, "('euler' ") && says(&script, "'rk4 50 %%' "));
    assert_true(says(&script, "'stiff''s' ") && says(&script, "'solver' at"));
    assert_true(says(&script, "'radius [m]'") && says(&script, "'duration [s]'"));
    assert_true(says(&script, "\"0.50\" ") && says(&script, "$numbers using"));
    ib_text_destroy(&script);

    heat = map(3, 13);
    script = script_of(&heat);
    assert_false(says(&script, "$numbers using"));
    ib_text_destroy(&script);
}

// Goal: no values are no empty picture. Method: all NaN, or too large to draw.
static void nothing_to_show_says_so(void **state)
{
    (void)state;
    ib_PlotHeat heat = map(3, 2);
    for (int i = 0; i < 6; i++) values[i] = i % 2 ? NAN : 1e300;
    ib_Text script = script_of(&heat);
    assert_true(says(&script, "'no values to show'") && says(&script, "'gear [–]'"));
    ib_text_destroy(&script);
}

// Goal: neighbours of one colour are one rectangle. Method: a constant map of 100 x 100.
static void equal_neighbours_are_one(void **state)
{
    (void)state;
    ib_PlotHeat heat = map(100, 100);
    for (int i = 0; i < 100 * 100; i++) values[i] = 7;
    ib_Text script = script_of(&heat);
    static Cell cells[1000];
    int wide = 0, count = read_cells(&script, cells, 1000);
    for (int i = 0; i < count; i++) wide += cells[i].right - cells[i].left > 500;
    assert_int_equal(wide, 100);
    ib_text_destroy(&script);
}

// Goal: odd maps are drawn, the same each time. Method: one cell, row, column, constants, values of
// extreme sizes, numbers that are neighbours among the doubles, 100 x 100 random ones, a picture of
// the least size.
static void odd_maps_draw(void **state)
{
    (void)state;
    if (ib_gnuplot_check(NULL) != IB_OK) skip();
    static const int sizes[][2] = {{1, 1}, {1, 30}, {9, 1}, {3, 3}, {3, 3}, {2, 2}, {100, 100}};
    for (int i = 0; i < 7; i++) {
        ib_PlotHeat heat = map(sizes[i][0], sizes[i][1]);
        const double extreme[] = {1e100, -1e100, 1e-320, 0, NAN, INFINITY, 1e308, 1, 2};
        const double close[] = {1e16, 1e16 + 2};
        values[0] = 0.5;
        if (i == 3) memset(values, 0, sizeof values);
        if (i == 4) memcpy(values, extreme, sizeof extreme);
        if (i == 5) heat.x.numbers = close;
        for (int k = 0; i == 6 && k < 100 * 100; k++)
            values[k] = k * 7919 % 1000, barred[k] = k * 31 % 7 == 0;
        heat.best_column = heat.best_row = 0;
        ib_Plot plot = plot_of(&heat);
        if (i == 2) plot.width = plot.height = 200;
        ib_Text svg = {0}, again = {0};
        ib_Error error = {0};
        if (ib_plot_render(&plot, IB_PLOT_SVG, &svg, &error)) fail_msg("%d: %s", i, error.text);
        assert_int_equal(ib_plot_render(&plot, IB_PLOT_SVG, &again, &error), IB_OK);
        assert_string_equal(svg.bytes, again.bytes);
        assert_true(says(&svg, "</svg>") && !says(&svg, "nan") && !says(&svg, "inf"));
        assert_true(svg.length < 2000000);
        ib_text_destroy(&svg);
        ib_text_destroy(&again);
    }
}

// Goal: maps that make no sense are refused with the reason. Method: one of each.
static void bad_maps_are_refused(void **state)
{
    (void)state;
    static const double falling[] = {1, 3, 2}, endless[] = {1, 2, INFINITY};
    static const char *const reasons[] = {"nothing to plot",
                                          "0 cells along y",
                                          "x of a heat map has no values",
                                          "x of a heat map must ascend: 2 follows 3",
                                          "inf cannot be drawn along y",
                                          "has no cell 3, 0",
                                          "no logarithmic axes",
                                          "401 cells along x"};
    for (int i = 0; i < 8; i++) {
        ib_PlotHeat heat = map(3, 3);
        ib_Plot plot = plot_of(i == 0 ? NULL : &heat);
        if (i == 1) heat.y.count = 0;
        if (i == 2) heat.x.numbers = NULL;
        if (i == 3) heat.x.numbers = falling;
        if (i == 4) heat.y.numbers = endless;
        if (i == 5) heat.best_column = 3, heat.best_row = 0;
        if (i == 6) plot.log_x = true;
        if (i == 7) heat.x.count = IB_PLOT_MAX_CELLS + 1;
        ib_Text script = {0};
        ib_Error error = {0};
        assert_int_equal(ib_plot_script(&plot, IB_PLOT_SVG, &script, &error), IB_BAD_INPUT);
        if (!strstr(error.text, reasons[i])) fail_msg("%d: %s", i, error.text);
        ib_text_destroy(&script);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_meet_half_way),
        cmocka_unit_test(larger_is_lighter_and_readable),
        cmocka_unit_test(barred_cells_are_pale),
        cmocka_unit_test(hatching_fills_its_cells),
        cmocka_unit_test(words_and_values_are_written),
        cmocka_unit_test(nothing_to_show_says_so),
        cmocka_unit_test(equal_neighbours_are_one),
        cmocka_unit_test(odd_maps_draw),
        cmocka_unit_test(bad_maps_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
