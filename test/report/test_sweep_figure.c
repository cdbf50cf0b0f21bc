// Claims about src/report/sweep_figure.c and sweep_slice.c: the plots of hand-made points.
#include "cmocka_all.h"

#include "report/plot/gnuplot.h"
#include "report/sweep_figure.h"
#include "report/sweep_slice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 64, MEASURES = 8 };

// A sweep with one expectation's margin before its measures, and the points of its runs.
typedef struct Setup {
    ib_Sweep sweep;
    ib_SweepColumn columns[1 + MEASURES];
    ib_SweepPoints points;
    double values[RUNS * (1 + MEASURES)];
    uint64_t hashes[RUNS];
    int failed[RUNS];
    ib_SweepBest best;
    ib_Arena arena;
    ib_Plot plot;
    ib_Error error;
} Setup;

static Setup *make(int measures, int64_t seeds)
{
    Setup *s = calloc(1, sizeof *s);
    s->columns[0] = (ib_SweepColumn){"always: x > 0", "m", {"m", 1, 0}};
    for (int i = 0; i < MEASURES; i++)
        s->columns[1 + i] = (ib_SweepColumn){"final angle", "rad", {"deg", 100, 0}}; // easy to see
    s->sweep = (ib_Sweep){.title = "title",
                          .asked = true,
                          .columns = s->columns,
                          .column_count = 1 + measures,
                          .expectation_count = 1,
                          .plan = {.measure_count = measures, .seed_count = seeds}};
    s->points = (ib_SweepPoints){.columns = 1 + measures,
                                 .expectations = 1,
                                 .seeds = seeds,
                                 .values = s->values,
                                 .hashes = s->hashes,
                                 .failed = s->failed};
    return s;
}

static void add_axis(Setup *s, const char *path, const char *const *values, int count)
{
    s->sweep.plan.axes[s->sweep.plan.axis_count++] = (ib_SweepAxis){path, values, count};
    s->sweep.count = ib_sweep_count(&s->sweep.plan);
}

// The first measure of each run; all other measures are one more, two more …
static void set_values(Setup *s, const double *values, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 1; k < s->points.columns; k++)
            s->values[i * s->points.columns + k] = values[i] + k - 1;
    s->points.count = count;
    if (s->sweep.plan.axis_count == 0) s->sweep.count = s->sweep.plan.seed_count;
}

static ib_Status draw(Setup *s, bool best)
{
    if (best) assert_true(ib_sweep_best(&s->points, 1, false, &s->arena, &s->best));
    return ib_sweep_figure_plot(&s->sweep, &s->points, best ? &s->best : NULL, &s->arena, &s->plot,
                                &s->error);
}

static void end(Setup *s)
{
    ib_arena_reset(&s->arena);
    free(s);
}

static const ib_PlotSeries *find(const Setup *s, int panel, const char *label)
{
    for (int i = 0; i < s->plot.series_count; i++)
        if (s->plot.series[i].panel == panel && !strcmp(s->plot.series[i].label, label))
            return &s->plot.series[i];
    return NULL;
}

// The finite y of a series are these, in the order of x.
static void holds(const Setup *s, const char *label, const double *x, const double *y, int count)
{
    const ib_PlotSeries *series = find(s, 0, label);
    int at = 0;
    if (!series) fail_msg("there is no '%s'", label);
    for (int i = 0; i < series->count; i++) {
        if (isnan(series->y[i])) continue;
        assert_true(at < count);
        assert_close(series->x[i], x[at], 1e-12);
        assert_close(series->y[i], y[at++], 1e-9);
    }
    assert_int_equal(at, count);
}

// Goal: an axis is one of numbers where its values are distinct quantities of one unit, sorted, and
// logarithmic where they span two decades evenly. Method: lists of each kind.
static void an_axis_is_of_numbers_or_words(void **state)
{
    (void)state;
    static const struct {
        const char *values[7];
        const char *unit;
        int count;
        bool numbers, logarithmic;
    } cases[] = {
        {{"40 A", "20 A", "60 A"}, "A", 3, true, false},
        {{"8.45", "6", "1e1"}, NULL, 3, true, false},
        {{"500 g", "1 kg"}, NULL, 2, false, false},
        {{"1", "2 kg"}, NULL, 2, false, false},
        {{"neo", "cim"}, NULL, 2, false, false},
        {{"2 kg", "2.0 kg"}, NULL, 2, false, false},
        {{"100 m", "1 m", "10 m"}, "m", 3, true, true},
        {{"1", "2", "5", "10", "20", "50", "100"}, NULL, 7, true, true},
        {{"1", "50", "100"}, NULL, 3, true, false},
        {{"0", "1", "100"}, NULL, 3, true, false},
        {{"1", "5", "10", "50"}, NULL, 4, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_Arena arena = {0};
        ib_SliceAxis axis;
        assert_true(ib__slice_axis(&(ib_SweepAxis){"path", cases[i].values, cases[i].count}, &arena,
                                   &axis));
        assert_int_equal(axis.numbers != NULL, cases[i].numbers);
        assert_int_equal(axis.logarithmic, cases[i].logarithmic);
        assert_int_equal(axis.unit != NULL, cases[i].unit != NULL);
        if (axis.unit) assert_string_equal(axis.unit, cases[i].unit);
        for (int k = 0; k < axis.count; k++) {
            assert_string_equal(axis.words[k], cases[i].values[axis.order[k]]);
            if (axis.numbers) assert_close(axis.numbers[k], strtod(axis.words[k], NULL), 0);
            if (axis.numbers && k) assert_true(axis.numbers[k] > axis.numbers[k - 1]);
        }
        ib_arena_reset(&arena);
    }
}

// Goal: the line of a numeric axis runs from its smallest value to its largest, in people's units;
// failed points, those without a value, the best one and its ties are series of their own. Method:
// six points in the wrong order, of a measure whose unit for people is a hundredth.
static void a_line_has_its_points_by_their_kind(void **state)
{
    (void)state;
    static const char *const gears[] = {"9", "4", "5", "6", "7", "8"};
    static const double values[] = {NAN, 3, 2, 2, 1, 5};
    static const double all_x[] = {4, 5, 6, 7, 8}, all_y[] = {300, 200, 200, 100, 500};
    static const double kept_x[] = {4, 5, 6, 8}, kept_y[] = {300, 200, 200, 500};
    Setup *s = make(2, 1);
    add_axis(s, "gear", gears, 6);
    set_values(s, values, 6);
    s->failed[4] = 1;
    assert_int_equal(draw(s, true), IB_OK);
    assert_int_equal(s->plot.kind, IB_PLOT_CURVES);
    assert_string_equal(s->plot.x_label, "gear");
    assert_null(s->plot.x_unit);
    assert_int_equal(s->plot.panel_count, 1); // the best one's measure alone
    assert_string_equal(s->plot.panels[0].name, "final angle");
    assert_string_equal(s->plot.panels[0].unit, "deg");
    holds(s, "", all_x, all_y, 5);
    holds(s, "each point", kept_x, kept_y, 4);
    holds(s, "out: the run fails", (double[]){7}, (double[]){100}, 1);
    holds(s, "best: 5", (double[]){5}, (double[]){200}, 1);
    holds(s, "equal to it", (double[]){6}, (double[]){200}, 1);
    const ib_PlotSeries *none = find(s, 0, "no value: at the top");
    assert_true(none && none->x[5] == 9 && none->y[5] > 500 && isnan(none->y[0]));
    assert_null(find(s, 0, "each seed"));
    end(s);
}

// Goal: over seeds there are the mean, one standard deviation to both sides and each seed; a point
// with one failed seed is out and has no spread; without --best each measure has a panel, explained
// once. Method: seeds 1, 2, 3 have the mean 2 and the deviation 1.
static void a_line_has_the_spread_of_its_seeds(void **state)
{
    (void)state;
    static const char *const masses[] = {"2 kg", "1 kg"};
    static const double values[] = {1, 2, 3, 4, 4, 7};
    Setup *s = make(3, 3);
    add_axis(s, "mass", masses, 2);
    set_values(s, values, 6);
    s->failed[5] = 1;
    assert_int_equal(draw(s, false), IB_OK);
    assert_string_equal(s->plot.x_unit, "kg");
    assert_int_equal(s->plot.panel_count, 3);
    holds(s, "mean of 3 seeds", (double[]){2}, (double[]){200}, 1);
    holds(s, "standard deviation", (double[]){2, 2}, (double[]){100, 300}, 2);
    holds(s, "out: a run fails or has no value", (double[]){1}, (double[]){500}, 1);
    assert_int_equal(find(s, 0, "each seed")->count, 6);
    for (int i = 0; i < s->plot.series_count; i++)
        if (s->plot.series[i].panel > 0) assert_string_equal(s->plot.series[i].label, "");
    assert_string_equal(s->plot.title, "title");
    end(s);
}

// Goal: of two axes each pair has its cell, barred where a run failed, with the best one marked;
// the title names the measures that are left out. Method: 3 x 2 points, x in the wrong order.
static void two_axes_make_a_map(void **state)
{
    (void)state;
    static const char *const gears[] = {"6", "4", "5"}, *const motors[] = {"neo", "cim"};
    static const double values[] = {1, 2, 3, 4, 5, NAN};
    static const double cells[] = {300, 500, 100, 400, NAN, 200}; // rows of motors
    Setup *s = make(2, 1);
    add_axis(s, "gear", gears, 3);
    add_axis(s, "motor", motors, 2);
    set_values(s, values, 6);
    s->failed[0] = 1;
    assert_int_equal(draw(s, true), IB_OK);
    assert_int_equal(s->plot.kind, IB_PLOT_HEAT);
    const ib_PlotHeat *heat = s->plot.heat;
    assert_true(heat->x.count == 3 && heat->x.numbers[0] == 4 && heat->y.count == 2);
    assert_string_equal(heat->y.words[1], "cim");
    for (int i = 0; i < 6; i++) {
        assert_true(isnan(cells[i]) ? isnan(heat->values[i]) : heat->values[i] == cells[i]);
        assert_int_equal(heat->barred[i], i == 2 || i == 4);
    }
    assert_true(heat->best_column == 2 && heat->best_row == 1); // 200; the 100 is out
    assert_string_equal(s->plot.title, "title");
    assert_int_equal(draw(s, false), IB_OK);
    assert_string_equal(s->plot.title, "title, 1 of 2 measures");
    assert_int_equal(s->plot.heat->best_column, -1);
    end(s);
}

// Goal: three axes are cut through the best point, or the first, and the title says where. Method:
// 2 x 2 x 2 points whose best is at the second value of the first axis.
static void a_slice_goes_through_the_best_point(void **state)
{
    (void)state;
    static const char *const two[] = {"1 m", "2 m"};
    static const double values[] = {8, 7, 6, 5, 4, 3, 1, 2};
    Setup *s = make(1, 1);
    add_axis(s, "a", two, 2);
    add_axis(s, "b", two, 2);
    add_axis(s, "c", two, 2);
    set_values(s, values, 8);
    assert_int_equal(draw(s, true), IB_OK);
    assert_string_equal(s->plot.title, "title, a=2 m");
    assert_true(s->plot.heat->values[0] == 400 && s->plot.heat->values[1] == 100);
    assert_true(s->plot.heat->best_column == 1 && s->plot.heat->best_row == 0);
    assert_int_equal(draw(s, false), IB_OK);
    assert_string_equal(s->plot.title, "title, a=1 m");
    assert_true(s->plot.heat->values[0] == 800 && s->plot.heat->values[3] == 500);
    end(s);
}

// Goal: words have a box each, or a dot of one seed, which says what is best and what is out; seeds
// alone have one, and one for those that failed. Method: two words of two seeds; four seeds; one.
static void words_and_seeds_have_boxes(void **state)
{
    (void)state;
    static const char *const motors[] = {"neo", "cim"};
    static const double values[] = {1, 2, 3, 4};
    Setup *s = make(1, 2);
    add_axis(s, "motor", motors, 2);
    set_values(s, values, 4);
    s->failed[3] = 1;
    assert_int_equal(draw(s, true), IB_OK);
    assert_int_equal(s->plot.kind, IB_PLOT_BOX);
    assert_string_equal(s->plot.title, "title, by motor");
    const ib_PlotSeries *neo = find(s, 0, "best: neo"), *cim = find(s, 0, "out: cim");
    assert_true(neo && neo->count == 2 && neo->y[0] == 100 && neo->y[1] == 200);
    assert_true(cim && cim->count == 2 && cim->colour == IB_PLOT_GREY);
    end(s);

    s = make(1, 4);
    set_values(s, values, 4);
    assert_int_equal(draw(s, false), IB_OK);
    assert_int_equal(find(s, 0, "seeds: 4")->count, 4);
    s->failed[2] = -1;
    assert_int_equal(draw(s, false), IB_OK);
    assert_int_equal(find(s, 0, "as expected: 3")->count, 3);
    assert_true(find(s, 0, "failed: 1")->y[0] == 300);
    ib_Text script = {0};
    assert_int_equal(ib_plot_script(&s->plot, IB_PLOT_SVG, &script, &s->error), IB_OK);
    assert_non_null(strstr(script.bytes, "$d0 << EOD\n2 300 0x777777\nEOD\n"));
    assert_non_null(strstr(script.bytes, "$d0 using 1:2:3 with points"));
    assert_non_null(strstr(script.bytes, "'final angle [deg]'"));
    ib_text_destroy(&script);
    end(s);
}

// Goal: headlines that nobody asked for are a few, and those that differ. Method: five of them, the
// second and third the same in all runs.
static void headlines_that_differ_are_drawn(void **state)
{
    (void)state;
    static const char *const two[] = {"1", "2"};
    static const double values[] = {1, 2};
    Setup *s = make(5, 1);
    s->sweep.asked = false;
    add_axis(s, "a", two, 2);
    set_values(s, values, 2);
    for (int run = 0; run < 2; run++) s->values[run * 6 + 2] = s->values[run * 6 + 3] = 7;
    assert_int_equal(draw(s, false), IB_OK);
    assert_int_equal(s->plot.panel_count, 3);
    assert_string_equal(s->plot.title, "title, 3 of 5 measures");
    static const double first[] = {100, 400, 500};
    int at = 0;
    for (int i = 0; i < s->plot.series_count; i++)
        if (s->plot.series[i].style == IB_PLOT_DOTS && at < 3) {
            assert_close(s->plot.series[i].y[0], first[at], 1e-9);
            at++;
        }
    assert_int_equal(at, 3);
    end(s);
}

// Goal: of a stopped sweep the points with all of their runs are drawn, and none if there is none;
// nothing is drawn where nothing varies or has a value. Method: 3 points of 2 seeds, runs by runs.
static void what_is_done_is_drawn(void **state)
{
    (void)state;
    static const char *const three[] = {"1", "2", "3"};
    static const double values[] = {1, 3, 5, 7, 9, 11}, nothing[] = {NAN, NAN};
    Setup *s = make(1, 2);
    set_values(s, values, 2);
    s->sweep.plan.seed_count = s->points.seeds = 1;
    assert_int_equal(draw(s, false), IB_BAD_INPUT);
    assert_non_null(strstr(s->error.text, "nothing varies"));
    end(s);

    s = make(1, 2);
    add_axis(s, "a", three, 3);
    set_values(s, values, 1);
    assert_int_equal(draw(s, false), IB_BAD_INPUT);
    assert_non_null(strstr(s->error.text, "no point has all of its runs"));
    set_values(s, nothing, 2);
    assert_int_equal(draw(s, false), IB_BAD_INPUT);
    assert_non_null(strstr(s->error.text, "no run has a value"));
    set_values(s, values, 5);
    assert_int_equal(draw(s, false), IB_OK);
    assert_string_equal(s->plot.title, "title, 2 of 3 points");
    holds(s, "mean of 2 seeds", (double[]){1, 2}, (double[]){200, 600}, 2);
    assert_null(find(s, 0, "no value: at the top")); // not run is not without a value
    end(s);
}

// Goal: what cannot be drawn is refused before the runs. Method: an ending, one run, too many words
// and cells.
static void plans_are_checked_before_the_runs(void **state)
{
    (void)state;
    static char texts[500][8];
    static const char *numbers[500], *words[500];
    for (int i = 0; i < 500; i++) {
        snprintf(texts[i], sizeof texts[i], "m%d", i);
        words[i] = texts[i];
        numbers[i] = texts[i] + 1;
    }
    Setup *s = make(1, 1);
    ib_SweepPlan *plan = &s->sweep.plan;
    ib_Error *error = &s->error;
    bool gnuplot = ib_gnuplot_check(error) == IB_OK;
    assert_int_equal(ib_sweep_figure_check(plan, "x.svg", error), IB_BAD_INPUT);
    add_axis(s, "a", numbers, 500);
    assert_int_equal(ib_sweep_figure_check(plan, "x.gif", error), IB_BAD_INPUT);
    assert_int_equal(ib_sweep_figure_check(plan, "x.svg", error), gnuplot ? IB_OK : IB_FAILED);
    plan->axes[0].values = words;
    assert_int_equal(ib_sweep_figure_check(plan, "x.svg", error), IB_BAD_INPUT);
    assert_string_equal(error->text, "500 values of a: expected at most 64 for a picture");
    plan->axes[0].values = numbers;
    add_axis(s, "b", words, 2);
    assert_int_equal(ib_sweep_figure_check(plan, "x.svg", error), IB_BAD_INPUT);
    plan->axes[0].count = 400;
    assert_int_equal(ib_sweep_figure_check(plan, "x.svg", error), gnuplot ? IB_OK : IB_FAILED);
    plan->seed_count = 2000;
    assert_int_equal(ib_sweep_figure_check(plan, "x.svg", error), IB_BAD_INPUT);
    assert_string_equal(error->text, "expected at most 1048576 runs");
    end(s);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_axis_is_of_numbers_or_words),
        cmocka_unit_test(a_line_has_its_points_by_their_kind),
        cmocka_unit_test(a_line_has_the_spread_of_its_seeds),
        cmocka_unit_test(two_axes_make_a_map),
        cmocka_unit_test(a_slice_goes_through_the_best_point),
        cmocka_unit_test(words_and_seeds_have_boxes),
        cmocka_unit_test(headlines_that_differ_are_drawn),
        cmocka_unit_test(what_is_done_is_drawn),
        cmocka_unit_test(plans_are_checked_before_the_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
