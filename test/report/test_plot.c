// Claims about src/report/plot/plot*.c and gnuplot.c. Those that draw are skipped without gnuplot.
#include "cmocka_all.h"

#include "report/plot/gnuplot.h"
#include "report/plot/plot.h"
#include "report/plot/plot_script.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 500 };
static double t[N], a[N], b[N], c[N];

static int make_data(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        t[i] = 0.01 * i;
        a[i] = t[i] * t[i];
        b[i] = 2 - t[i];
        c[i] = i % 10;
    }
    return 0;
}

static ib_PlotSeries series(const char *label, const char *unit, const double *y)
{
    return (ib_PlotSeries){
        .label = label, .unit = unit, .x = t, .y = y, .count = N, .u = a, .v = b};
}

// A map of two by two with the same words everywhere.
static ib_PlotHeat map_of(const char *const *words, const char *unit)
{
    static const double values[] = {1, 2, 3, NAN};
    static const bool barred[] = {false, true, false, false};
    ib_PlotHeatAxis axis = {.name = words[0], .unit = unit, .count = 2, .words = words};
    return (ib_PlotHeat){.x = axis,
                         .y = axis,
                         .name = words[0],
                         .unit = unit,
                         .values = values,
                         .barred = barred,
                         .barred_name = words[0]};
}

static bool have_gnuplot(void)
{
    return ib_gnuplot_check(NULL) == IB_OK;
}

static int count_of(const ib_Text *text, const char *word)
{
    int count = 0;
    for (const char *at = text->bytes; (at = strstr(at, word)); at += strlen(word)) count++;
    return count;
}

// Goal: the arrows of a path are equally spaced in time, however its samples lie. Method: 401
// samples in the first second of two, 100 in the other: of 20 arrows, ten in each.
static void arrows_are_even_in_time(void **state)
{
    (void)state;
    static double when[N], place[N], one[N], none[N];
    for (int i = 0; i < N; i++) {
        when[i] = i <= 400 ? i / 400.0 : 1 + (i - 400) / 99.0;
        place[i] = when[i];
        one[i] = 1;
    }
    ib_PlotSeries path = {.label = "path", .unit = "m", .x = place, .y = none, .count = N};
    path.u = one, path.v = none, path.times = when;
    ib_Plot plot = ib_plot_default();
    plot.kind = IB_PLOT_TRAJECTORY;
    plot.series = &path;
    plot.series_count = 1;
    ib_Text script = {0};
    assert_int_equal(ib_plot_script(&plot, IB_PLOT_SVG, &script, NULL), IB_OK);
    int arrows = 0, early = 0;
    for (const char *at = strchr(strstr(script.bytes, "$v0 <<"), '\n') + 1; *at != 'E';
         at = strchr(at, '\n') + 1, arrows++)
        early += strtod(at, NULL) < 1;
    assert_int_equal(arrows, 20);
    assert_int_equal(early, 10);
    ib_text_destroy(&script);
}

// Goal: what belongs to a robot called after a colour has that colour, its second curve of a panel
// dashes, and no other curve looks like it; measured points look like their curve. Method: two of
// red, a ball, points of the ball; #d55e00, the second of the palette, looks red and comes last.
static void names_are_colours(void **state)
{
    (void)state;
    ib_PlotSeries all[11] = {series("red.x", "m", a), series("ball.x", "m", b),
                             series("red.y", "m", c), series("red.speed", "m/s", c)};
    for (int i = 0; i < 4; i++) all[i].named = i != 1, all[i].rgb = 0xd0342c;
    for (int i = 4; i < 10; i++) all[i] = series("more", "m", b);
    all[10] = series("measured", "m", b);
    all[10].like = 2;
    ib_Plot plot = ib_plot_default();
    plot.series = all;
    plot.series_count = 11;
    static const struct {
        const char *colour;
        int dashes;
    } expected[] = {{"#d0342c", 1}, {"#0072b2", 1}, {"#d0342c", 2}, {"#d0342c", 1},
                    {"#009e73", 1}, {"#cc79a7", 1}, {"#e69f00", 1}, {"#56b4e9", 1},
                    {"#000000", 1}, {"#d55e00", 1}, {"#0072b2", 1}};
    for (int i = 0; i < 11; i++) {
        ib_SeriesStyle look = ib__series_style(&plot, i);
        assert_string_equal(look.colour, expected[i].colour);
        assert_int_equal(look.dashes, expected[i].dashes);
    }
}

// Goal: every kind draws, as SVG and as PNG. Method: render each; an SVG ends in its closing tag, a
// PNG begins with its signature.
static void every_kind_draws_in_both_formats(void **state)
{
    (void)state;
    if (!have_gnuplot()) skip();
    ib_PlotSeries all[] = {series("pose.x", "m", a), series("pose.y", "m", b),
                           series("turns", "1", c)};
    static const char *const words[] = {"euler", "rk4"};
    ib_PlotHeat heat = map_of(words, "s");
    for (int kind = IB_PLOT_CURVES; kind <= IB_PLOT_HEAT; kind++) {
        ib_Plot plot = ib_plot_default();
        plot.kind = (ib_PlotKind)kind;
        plot.title = "A plot";
        plot.series = all;
        plot.series_count = 3;
        plot.heat = &heat;
        ib_Text svg = {0}, png = {0};
        ib_Error error = {0};
        if (ib_plot_render(&plot, IB_PLOT_SVG, &svg, &error)) fail_msg("%d: %s", kind, error.text);
        if (ib_plot_render(&plot, IB_PLOT_PNG, &png, &error)) fail_msg("%d: %s", kind, error.text);
        assert_non_null(strstr(svg.bytes, "</svg>"));
        assert_memory_equal(png.bytes, "\x89PNG", 4);
        ib_text_destroy(&svg);
        ib_text_destroy(&png);
    }
}

// Goal: signals of different units get a panel each, with the unit on its axis. Method: three
// signals of two units: two axes, labelled, one time axis.
static void units_get_panels_with_labelled_axes(void **state)
{
    (void)state;
    ib_PlotSeries all[] = {series("pose.x", "m", a), series("drag", "N*s^2/m^2", c),
                           series("pose.y", "m", b)};
    ib_Plot plot = ib_plot_default();
    plot.series = all;
    plot.series_count = 3;
    ib_Text script = {0};
    assert_int_equal(ib_plot_script(&plot, IB_PLOT_SVG, &script, NULL), IB_OK);
    assert_int_equal(count_of(&script, "\nplot "), 2);
    assert_int_equal(count_of(&script, "'pose [m]'"), 1);
    assert_int_equal(count_of(&script, "'drag [N·s²/m²]'"), 1);
    assert_int_equal(count_of(&script, "'time [s]'"), 1);
    ib_text_destroy(&script);
}

// Goal: the whole name of a signal stands on its axis, in two lines where one is too short, parted
// behind a dot. Method: four panels with names longer than they are high, and one short name,
// behind which no second line is left over.
static void long_names_stand_in_two_lines(void **state)
{
    (void)state;
    ib_PlotSeries all[] = {series("closed.control.goal.left", "m/s", a),
                           series("inductive.motor.current", "A", b),
                           series("platform.right.voltage", "V", c),
                           series("closed.velocity.heading", "rad/s", b), series("x", "m", a)};
    ib_Plot plot = ib_plot_default();
    plot.series = all;
    plot.series_count = 5;
    plot.height = 1000;
    ib_Text script = {0};
    assert_int_equal(ib_plot_script(&plot, IB_PLOT_SVG, &script, NULL), IB_OK);
    static const char *const lines[] = {
        "'closed.control.'", "'goal.left [m/s]'", "'inductive.motor.'", "'current [A]'",
        "'platform.right.'", "'voltage [V]'",     "'closed.velocity.'", "'heading [rad/s]'"};
    for (int i = 0; i < 8; i++)
        if (count_of(&script, lines[i]) != 1) fail_msg("no %s", lines[i]);
    assert_int_equal(count_of(&script, "…"), 0);
    assert_int_equal(count_of(&script, "'x [m]'"), 1);
    assert_int_equal(count_of(&script, "unset label 5\n"), 1);
    ib_text_destroy(&script);
}

// Goal: every axis has at least two numbers. Method: ranges around zero, where the step for three
// ticks leaves 0 alone: -440 to 440 (500 would), -0.9 to 0.9 (1 would); 3 to 10.5 has 5 and 10.
static void axes_have_two_numbers_at_least(void **state)
{
    (void)state;
    static const double expected[][3] = {{-440, 440, 200}, {-0.9, 0.9, 0.5}, {3, 10.5, 5}};
    for (int i = 0; i < 3; i++) {
        double step;
        ib__range_pad((ib_Range){expected[i][0], expected[i][1]}, 3, &step);
        assert_close(step, expected[i][2], 1e-12); // rounding of a division
    }
}

// Goal: names below boxes never overlap: they are turned where they do not fit, and thinned where
// even that does not help; the picture has room for them. Method: 3 short names, 20 and 64 of 24
// letters, in 1280 pixels; a box of 64 is 1.5 em from the next but one, not from the next.
static void names_of_boxes_are_turned_or_thinned(void **state)
{
    (void)state;
    static const struct {
        int boxes;
        const char *label, *ticks;
        int shown;
    } cases[] = {{3, "drive.left", "set xtics nomirror norotate", 3},
                 {20, "sweep of the gear ratio b", "set xtics nomirror rotate by 45 right", 20},
                 {64, "sweep of the gear ratio b", "set xtics nomirror rotate by 45 right", 32}};
    double bottom[3];
    for (int i = 0; i < 3; i++) {
        ib_PlotSeries all[IB_PLOT_MAX_SERIES];
        for (int k = 0; k < cases[i].boxes; k++) all[k] = series(cases[i].label, "V", a);
        ib_Plot plot = ib_plot_default();
        plot.kind = IB_PLOT_BOX;
        plot.series = all;
        plot.series_count = cases[i].boxes;
        ib_Text script = {0};
        assert_int_equal(ib_plot_script(&plot, IB_PLOT_SVG, &script, NULL), IB_OK);
        const char *ticks = strstr(script.bytes, cases[i].ticks);
        assert_non_null(ticks);
        int shown = 1;
        for (const char *at = ticks; *at != '\n'; at++) shown += *at == ',';
        assert_int_equal(shown, cases[i].shown);
        bottom[i] = strtod(strstr(script.bytes, "bmargin at screen ") + 18, NULL);
        ib_text_destroy(&script);
    }
    // 24 letters of 0.6 em at 45° are 10.2 em deep, of the 36 em of the picture.
    assert_true(bottom[0] < 0.15);
    assert_true(bottom[1] > 10.2 / 36 && bottom[1] < 0.5);
    assert_close(bottom[1], bottom[2], 1e-9);
}

// Goal: areas are filled down to zero, which is on the axis. Method: values from 5 to 7.
static void areas_reach_down_to_zero(void **state)
{
    (void)state;
    double high[N];
    for (int i = 0; i < N; i++) high[i] = 5 + 2.0 * i / N;
    ib_PlotSeries one = series("energy.copper", "J", high);
    one.style = IB_PLOT_AREA;
    ib_Plot plot = ib_plot_default();
    plot.series = &one;
    plot.series_count = 1;
    ib_Text script = {0};
    assert_int_equal(ib_plot_script(&plot, IB_PLOT_SVG, &script, NULL), IB_OK);
    assert_int_equal(count_of(&script, "with filledcurves y1=0"), 1);
    const char *range = strstr(script.bytes, "set yrange [");
    assert_non_null(range);
    assert_true(strtod(range + strlen("set yrange ["), NULL) <= 0);
    ib_text_destroy(&script);
}

// Goal: no text of a user becomes a command. Method: titles and labels full of everything that
// gnuplot or SVG treats specially, among them commands that would make a file; afterwards the file
// is not there, and the texts are in the picture letter by letter, escaped as XML needs it.
static void hostile_texts_stay_texts(void **state)
{
    (void)state;
    if (!have_gnuplot()) skip();
    char victim[] = "/tmp/ironbird_plot_XXXXXX";
    int file = mkstemp(victim);
    assert_true(file >= 0);
    close(file);
    unlink(victim);
    char label[400], title[400];
    snprintf(label, sizeof label, "x'; system('touch %s'); `touch %s`; \"@x\" {/*2 _a^b} \\n %%s",
             victim, victim);
    snprintf(title, sizeof title, "<script>'\"&#x41;&#bad; &amp; \n!touch %s\n", victim);
    ib_PlotSeries all[] = {series(label, "m", a), series("EOD\nsystem('touch x')", "'m`", b)};
    const char *const hostile[] = {label, title};
    ib_PlotHeat heat = map_of(hostile, "'m`");
    for (int kind = IB_PLOT_CURVES; kind <= IB_PLOT_HEAT; kind++) {
        ib_Plot plot = ib_plot_default();
        plot.kind = (ib_PlotKind)kind;
        plot.title = title;
        plot.x_label = label;
        plot.series = all;
        plot.series_count = 2;
        plot.heat = &heat;
        ib_Text svg = {0};
        ib_Error error = {0};
        if (ib_plot_render(&plot, IB_PLOT_SVG, &svg, &error)) fail_msg("%d: %s", kind, error.text);
        assert_int_equal(access(victim, F_OK), -1);
        assert_null(strstr(svg.bytes, "<script"));
        assert_non_null(strstr(svg.bytes, "&lt;script"));
        assert_null(strstr(svg.bytes, "&#"));
        ib_text_destroy(&svg);
    }
}

// Goal: any words make a picture that is well-formed XML. Method: words that begin with quotes (of
// which gnuplot takes two for an empty text), ]]> (which no text of XML may have), a character that
// XML has not, as title, label and unit of every kind.
static void any_words_make_a_picture(void **state)
{
    (void)state;
    if (!have_gnuplot()) skip();
    static const char *const words[] = {"'quoted'", "''",           "'''a", "a]]>b",
                                        "]]>",      "\xef\xbf\xbf", "'"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        for (int kind = IB_PLOT_CURVES; kind <= IB_PLOT_HEAT; kind++) {
            const char *const two[] = {words[i], words[i]};
            ib_PlotHeat heat = map_of(two, words[i]);
            ib_PlotSeries both[] = {series(words[i], words[i], a), series("b", words[i], b)};
            ib_Plot plot = ib_plot_default();
            plot.kind = (ib_PlotKind)kind;
            plot.title = plot.x_label = words[i];
            plot.series = both;
            plot.series_count = 2;
            plot.heat = &heat;
            ib_Text svg = {0};
            ib_Error error = {0};
            if (ib_plot_render(&plot, IB_PLOT_SVG, &svg, &error))
                fail_msg("%s: %s", words[i], error.text);
            assert_null(strstr(svg.bytes, "]]>"));
            assert_null(strstr(svg.bytes, "\xef\xbf\xbf"));
            assert_non_null(strstr(svg.bytes, "</svg>"));
            ib_text_destroy(&svg);
        }
}

// Goal: the same plot gives the same bytes. Method: twice.
static void pictures_are_reproducible(void **state)
{
    (void)state;
    if (!have_gnuplot()) skip();
    ib_PlotSeries one = series("pose.x", "m", a);
    ib_Plot plot = ib_plot_default();
    plot.kind = IB_PLOT_TRAJECTORY;
    plot.series = &one;
    plot.series_count = 1;
    ib_Text first = {0}, second = {0};
    assert_int_equal(ib_plot_render(&plot, IB_PLOT_SVG, &first, NULL), IB_OK);
    assert_int_equal(ib_plot_render(&plot, IB_PLOT_SVG, &second, NULL), IB_OK);
    assert_int_equal(first.length, second.length);
    assert_memory_equal(first.bytes, second.bytes, first.length);
    ib_text_destroy(&first);
    ib_text_destroy(&second);
}

// Draws one odd series as each kind; `flat`: over time, else over itself.
static void draw_odd(const double *data, int number, bool flat)
{
    for (int kind = IB_PLOT_CURVES; kind <= IB_PLOT_BOX; kind++) {
        ib_PlotSeries one = series("odd", "m", data);
        one.u = one.v = flat ? NULL : data;
        if (!flat) one.x = data;
        ib_Plot plot = ib_plot_default();
        plot.kind = (ib_PlotKind)kind;
        plot.x_unit = flat ? "s" : "m";
        plot.log_y = number == 5 && kind == IB_PLOT_CURVES;
        plot.series = &one;
        plot.series_count = 1;
        ib_Text svg = {0};
        ib_Error error = {0};
        if (ib_plot_render(&plot, IB_PLOT_SVG, &svg, &error))
            fail_msg("kind %d, data %d: %s", kind, number, error.text);
        assert_non_null(strstr(svg.bytes, "</svg>"));
        assert_null(strstr(svg.bytes, "nan"));
        assert_null(strstr(svg.bytes, "inf"));
        ib_text_destroy(&svg);
    }
}

// Goal: data that have nothing to show still give a picture. Method: all NaN, one point, a
// constant, values of 1e-320 and 1e300, negative values on a logarithmic axis, spans that no double
// holds, the largest double, neighbours among the doubles, and what is just still drawn; every
// kind, over time and over themselves.
static void odd_data_still_draw(void **state)
{
    (void)state;
    if (!have_gnuplot()) skip();
    enum { ODD = 12 };
    static double odd[ODD][N];
    for (int i = 0; i < N; i++) {
        double sign = i % 2 ? 1 : -1;
        const double values[ODD] = {NAN,
                                    i == 7 ? 3 : NAN,
                                    2.7,
                                    1e-320 * i,
                                    sign * 1e300,
                                    -i,
                                    i % 3 ? sign * 1e308 : 0,
                                    1.797e308,
                                    1e16 + 2 * (i % 2),
                                    sign * 1e100,
                                    i == 7 ? 1e99 : 0,
                                    i % 2 ? 4.9e-324 : 0};
        for (int d = 0; d < ODD; d++) odd[d][i] = values[d];
    }
    for (int d = 0; d < ODD; d++) {
        draw_odd(odd[d], d, true);
        draw_odd(odd[d], d, false);
    }
}

// Goal: descriptions that make no sense are refused with the reason. Method: one of each.
static void bad_descriptions_are_refused(void **state)
{
    (void)state;
    ib_PlotSeries many[IB_PLOT_MAX_SERIES + 1];
    char units[IB_PLOT_MAX_SERIES + 1][8];
    for (int i = 0; i <= IB_PLOT_MAX_SERIES; i++) {
        snprintf(units[i], sizeof units[i], "u%d", i);
        many[i] = series("x", units[i], a);
    }
    ib_Plot plot = ib_plot_default();
    ib_Text script = {0};
    ib_Error error;
    plot.series = many;
    assert_int_equal(ib_plot_script(&plot, IB_PLOT_SVG, &script, &error), IB_BAD_INPUT);
    plot.series_count = IB_PLOT_MAX_SERIES + 1;
    assert_int_equal(ib_plot_script(&plot, IB_PLOT_SVG, &script, &error), IB_BAD_INPUT);
    plot.series_count = IB_PLOT_MAX_PANELS + 1;
    assert_int_equal(ib_plot_script(&plot, IB_PLOT_SVG, &script, &error), IB_BAD_INPUT);
    plot.series_count = 1;
    plot.width = 100000;
    assert_int_equal(ib_plot_script(&plot, IB_PLOT_SVG, &script, &error), IB_BAD_INPUT);
    assert_int_equal(ib_plot_write(&plot, "picture.gif", &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, ".svg or .png"));
    ib_text_destroy(&script);
}

// Goal: panels with x axes of their own stand in rows of columns, inside of the picture, none over
// another, with their names and numbers or words; words that are turned take room below their row
// alone. Method: one panel over three, of which one has long words.
static void panels_have_x_axes_of_their_own(void **state)
{
    (void)state;
    static const char *const words[] = {"a-word-of-twenty-four-ls", "another-such-long-word", "c",
                                        "d", "e"};
    static const ib_PlotPanel panels[] = {
        {.name = "top", .x_name = "count", .x_whole = true, .span = 3},
        {.name = "left", .x_name = "one", .x_unit = "A", .y_low = -7, .y_high = 9},
        {.name = "", .x_name = "two", .x_words = words, .x_word_count = 5},
        {.name = "", .x_name = "three"},
        {.name = "last", .x_name = "four"},
    };
    enum { PANELS = sizeof panels / sizeof panels[0] };
    ib_PlotSeries all[PANELS];
    for (int i = 0; i < PANELS; i++) {
        all[i] = series("", "1", b);
        all[i].panel = i;
    }
    ib_Plot plot = ib_plot_default();
    plot.series = all;
    plot.series_count = plot.panel_count = PANELS;
    plot.panels = panels;
    plot.columns = 3;
    ib_Panels placed = {0};
    assert_true(ib__plot_panels(&plot, &placed));
    ib_Canvas canvas = ib__canvas(&plot, placed.count);
    int height = canvas.height;
    ib__words_room(&plot, &placed, &canvas);
    assert_true(canvas.height > height);
    ib_Frame frames[PANELS];
    for (int i = 0; i < PANELS; i++) {
        ib_Frame *own = &frames[i];
        *own = ib__frame(&plot, &canvas, &placed, i);
        assert_true(own->left > 0 && own->right < canvas.width && own->left < own->right);
        assert_true(own->bottom > 0 && own->top < canvas.height);
        assert_close(own->top - own->bottom, frames[0].top - frames[0].bottom, 1e-9);
        for (int k = 0; k < i; k++)
            assert_true(own->left > frames[k].right || own->right < frames[k].left ||
                        own->top < frames[k].bottom - 4 * canvas.em);
    }
    assert_close(frames[0].right, frames[3].right, 1e-9);
    assert_close(frames[1].top, frames[3].top, 1e-9);
    assert_close(frames[4].left, frames[1].left, 1e-9);
    assert_true(frames[2].words > 8 && frames[1].words == frames[2].words && frames[0].words == 0);

    ib_Text script = {0};
    ib_Error error;
    assert_int_equal(ib_plot_script(&plot, IB_PLOT_SVG, &script, &error), IB_OK);
    static const char *const parts[] = {"'one [A]'", "'two'", "'three'",
                                        "'a-word-of-twenty-four-ls' 0", "set yrange [-7.64:9.64]"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(script.bytes, parts[i])) fail_msg("the script has no %s", parts[i]);
    ib_text_destroy(&script);
}

// Goal: without gnuplot the message says what to do. Method: a PATH where it is not.
static void missing_gnuplot_says_what_to_install(void **state)
{
    (void)state;
    char *path = strdup(getenv("PATH"));
    ib_PlotSeries one = series("pose.x", "m", a);
    ib_Plot plot = ib_plot_default();
    plot.series = &one;
    plot.series_count = 1;
    ib_Text svg = {0};
    ib_Error error;
    setenv("PATH", "/nonexistent", 1);
    ib_Status status = ib_plot_render(&plot, IB_PLOT_SVG, &svg, &error);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, IB_FAILED);
    assert_string_equal(error.text, "gnuplot is not installed: apt-get install gnuplot-nox");
    ib_text_destroy(&svg);
}

// Goal: what gnuplot complains about reaches the caller. Method: a script that is none.
static void complaints_of_gnuplot_are_told(void **state)
{
    (void)state;
    if (!have_gnuplot()) skip();
    ib_Text script = {0}, picture = {0};
    ib_Error error;
    ib_text_add(&script, "plot this is not a script\n");
    assert_int_equal(ib_gnuplot_run(&script, &picture, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "line 1: "));
    ib_text_destroy(&script);
    ib_text_destroy(&picture);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrows_are_even_in_time),
        cmocka_unit_test(names_are_colours),
        cmocka_unit_test(every_kind_draws_in_both_formats),
        cmocka_unit_test(units_get_panels_with_labelled_axes),
        cmocka_unit_test(long_names_stand_in_two_lines),
        cmocka_unit_test(axes_have_two_numbers_at_least),
        cmocka_unit_test(names_of_boxes_are_turned_or_thinned),
        cmocka_unit_test(areas_reach_down_to_zero),
        cmocka_unit_test(hostile_texts_stay_texts),
        cmocka_unit_test(any_words_make_a_picture),
        cmocka_unit_test(pictures_are_reproducible),
        cmocka_unit_test(odd_data_still_draw),
        cmocka_unit_test(bad_descriptions_are_refused),
        cmocka_unit_test(panels_have_x_axes_of_their_own),
        cmocka_unit_test(missing_gnuplot_says_what_to_install),
        cmocka_unit_test(complaints_of_gnuplot_are_told),
    };
    return cmocka_run_group_tests(tests, make_data, NULL);
}
