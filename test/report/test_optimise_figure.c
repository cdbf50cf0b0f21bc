// Claims about src/report/optimise_figure.c: the plots of hand-made searches.
#include "cmocka_all.h"

#include "report/optimise_figure.h"
#include "report/plot/gnuplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 5, MOST = 40, COLUMNS = 2 }; // a margin and the measure

// Storage of the points of a search or of a slice.
typedef struct Runs {
    double values[MOST * COLUMNS];
    uint64_t hashes[MOST];
    int failed[MOST];
} Runs;

typedef struct Setup {
    ib_Optimisation optimisation;
    ib_Sweep sweep;
    ib_SweepColumn columns[COLUMNS];
    Runs search, slices[IB_SEARCH_MOST_VARIABLES];
    const char *values[POINTS * IB_SEARCH_MOST_VARIABLES];
    ib_Arena arena;
    ib_Plot plot;
    ib_Error error;
} Setup;

static ib_SweepPoints points_of(Runs *runs, const double *values, int count)
{
    for (int i = 0; i < count; i++) {
        runs->values[COLUMNS * i + 1] = fabs(values[i]);
        runs->failed[i] = values[i] < 0;
    }
    return (ib_SweepPoints){.columns = COLUMNS,
                            .expectations = 1,
                            .seeds = 1,
                            .count = count,
                            .values = runs->values,
                            .hashes = runs->hashes,
                            .failed = runs->failed};
}

// A search for the least value; those of runs that fail are given as negative ones.
static Setup *make(const double values[POINTS])
{
    Setup *s = calloc(1, sizeof *s);
    ib_Optimisation *o = &s->optimisation;
    s->columns[0] = (ib_SweepColumn){"always: x > 0", "m", {"m", 1, 0}};
    s->columns[1] = (ib_SweepColumn){"final angle", "rad", {"deg", 100, 0}}; // easy to see
    s->sweep = (ib_Sweep){.title = "title",
                          .columns = s->columns,
                          .column_count = COLUMNS,
                          .expectation_count = 1,
                          .plan = {.measure_count = 1, .seed_count = 1}};
    o->sweep = &s->sweep;
    o->values = s->values;
    o->points = points_of(&s->search, values, POINTS);
    assert_true(ib_sweep_best(&o->points, 1, false, &s->arena, &o->best));
    return s;
}

// A slice of the variable that is next; `best` is the place of the best value.
static void add_slice(Setup *s, const char *path, bool range, const char *const *texts,
                      const double *values, int count, int best)
{
    ib_Optimisation *o = &s->optimisation;
    int i = o->slice_count++;
    o->plan.sweep.axis_count = o->slice_count;
    o->plan.vary[i] = (ib_Vary){.range = range, .unit = "A"};
    o->plan.sweep.axes[i].path = path;
    o->slices[i] =
        (ib_OptimiseSlice){{path, texts, count}, best, points_of(&s->slices[i], values, count)};
}

static void draw(Setup *s)
{
    ib_Optimisation *o = &s->optimisation;
    for (int i = 0; i < o->slice_count && o->best.allowed > 0; i++)
        s->values[o->best.order[0] * o->slice_count + i] =
            o->slices[i].axis.values[o->slices[i].best];
    assert_int_equal(ib_optimise_figure_plot(o, &s->arena, &s->plot, &s->error), IB_OK);
}

static void end(Setup *s)
{
    if (s->optimisation.search) ib_search_destroy(s->optimisation.search);
    ib_arena_reset(&s->arena);
    free(s);
}

// The finite points of a panel's series of one style are these.
static void holds(const Setup *s, int panel, ib_PlotStyle style, const char *label, const double *x,
                  const double *y, int count)
{
    const ib_PlotSeries *series = NULL;
    int at = 0;
    for (int i = 0; i < s->plot.series_count; i++) {
        const ib_PlotSeries *other = &s->plot.series[i];
        bool named = other->style == style && strcmp(other->label, label) == 0;
        if (other->panel == panel && named) series = other;
    }
    if (!series) fail_msg("panel %d has no '%s' of style %d", panel, label, (int)style);
    for (int i = 0; i < series->count; i++) {
        if (isnan(series->y[i])) continue;
        assert_true(at < count);
        assert_close(series->x[i], x[at], 1e-12);
        assert_close(series->y[i], y[at++], 1e-9);
    }
    assert_int_equal(at, count);
}

static const double searched[POINTS] = {-2, 4, 3, NAN, 3.5};

// Goal: the search has its points by their number: the allowed ones, those that are out, those
// without a value above all others, the best, and a line of the best so far. Method: five points,
// of which the first fails and the fourth has no value.
static void the_search_shows_its_points(void **state)
{
    (void)state;
    Setup *s = make(searched);
    draw(s);
    assert_int_equal(s->plot.panel_count, 1);
    assert_string_equal(s->plot.title, "title: 5 points");
    assert_string_equal(s->plot.panels[0].name, "final angle");
    assert_string_equal(s->plot.panels[0].unit, "deg");
    holds(s, 0, IB_PLOT_STEPS, "best so far", (double[]){2, 3, 4, 5},
          (double[]){400, 300, 300, 300}, 4);
    holds(s, 0, IB_PLOT_DOTS, "each point", (double[]){2, 3, 5}, (double[]){400, 300, 350}, 3);
    holds(s, 0, IB_PLOT_CROSSES, "out: the run fails", (double[]){1}, (double[]){200}, 1);
    holds(s, 0, IB_PLOT_CIRCLES, "no value: at the top", (double[]){4}, (double[]){416}, 1);
    holds(s, 0, IB_PLOT_CIRCLES, "best: 300 deg", (double[]){3}, (double[]){300}, 1);
    end(s);
}

// Goal: a slice of numbers is a line in their order with its best marked, one of words has dots
// above them; all have the same range of y. Method: a list in the wrong order, and words of which
// one is out.
static void slices_are_lines_or_words(void **state)
{
    (void)state;
    static const char *const numbers[] = {"9 A", "4 A", "6 A"}, *const words[] = {"neo", "cim"};
    Setup *s = make(searched);
    add_slice(s, "robot.limit", false, numbers, (double[]){5, 4, 3}, 3, 2);
    add_slice(s, "robot.motor", false, words, (double[]){3, -2}, 2, 0);
    draw(s);
    const ib_PlotPanel *panels = s->plot.panels;
    assert_int_equal(s->plot.panel_count, 3);
    assert_int_equal(s->plot.columns, 2);
    assert_int_equal(panels[0].span, 2);
    assert_string_equal(panels[1].x_name, "robot.limit");
    assert_string_equal(panels[1].x_unit, "A");
    assert_null(panels[1].x_words);
    holds(s, 1, IB_PLOT_LINE, "", (double[]){4, 6, 9}, (double[]){400, 300, 500}, 3);
    holds(s, 1, IB_PLOT_CIRCLES, "best: 6 A", (double[]){6}, (double[]){300}, 1);
    assert_int_equal(panels[2].x_word_count, 2);
    assert_string_equal(panels[2].x_words[1], "cim");
    holds(s, 2, IB_PLOT_DOTS, "", (double[]){0}, (double[]){300}, 1);
    holds(s, 2, IB_PLOT_CROSSES, "", (double[]){1}, (double[]){200}, 1);
    holds(s, 2, IB_PLOT_CIRCLES, "best: neo", (double[]){0}, (double[]){300}, 1);
    for (int i = 1; i < 3; i++) {
        assert_close(panels[i].y_low, 200, 1e-9);
        assert_close(panels[i].y_high, 500, 1e-9);
    }
    end(s);
}

// Goal: two ranges have the plane of the search's points, too. Method: a search of two variables;
// its points are those of the plane.
static void two_ranges_have_their_plane(void **state)
{
    (void)state;
    static const char *const texts[] = {"1 A", "2 A"};
    static const ib_SearchVariable variables[] = {{.low = 1, .high = 2}, {.low = 5, .high = 9}};
    Setup *s = make(searched);
    ib_Search *search = s->optimisation.search = ib_search_create(variables, 2, 60);
    assert_true(ib_search_ask(search) >= POINTS);
    add_slice(s, "robot.one", true, texts, (double[]){3, 4}, 2, 0);
    add_slice(s, "robot.two", true, texts, (double[]){3, 4}, 2, 0);
    draw(s);
    assert_int_equal(s->plot.panel_count, 4);
    assert_int_equal(s->plot.columns, 3);
    assert_string_equal(s->plot.panels[3].x_name, "robot.one");
    assert_string_equal(s->plot.panels[3].name, "robot.two");
    double x[POINTS], y[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = ib_search_values(search, i)[0];
        y[i] = ib_search_values(search, i)[1];
    }
    holds(s, 3, IB_PLOT_CIRCLES, "", &x[2], &y[2], 1);
    holds(s, 3, IB_PLOT_SPECKS, "", (double[]){x[1], x[2], x[4]}, (double[]){y[1], y[2], y[4]}, 3);
    holds(s, 3, IB_PLOT_CROSSES, "", (double[]){x[0], x[3]}, (double[]){y[0], y[3]}, 2);
    end(s);
}

// Goal: up to eight variables are drawn, and pictures of a search without any allowed point.
// Method: all numbers of slices with long names, as SVG.
static void any_number_of_slices_is_drawn(void **state)
{
    (void)state;
    static const char *const texts[] = {"1 A", "2 A", "3 A"};
    static const double none[POINTS] = {-1, -2, NAN, -4, -5};
    const char *path = "robot.subsystems.shooter.flywheel.current_limit";
    ib_Error error;
    if (ib_gnuplot_check(&error) != IB_OK) skip();
    for (int count = -1; count <= IB_SEARCH_MOST_VARIABLES; count++) {
        if (count == 2) continue; // that has a plane
        Setup *s = make(count < 0 ? none : searched);
        for (int i = 0; i < count; i++)
            add_slice(s, path, true, texts, (double[]){3, 4, NAN}, 3, 0);
        draw(s);
        for (int i = 1; i < s->plot.panel_count; i++)
            assert_non_null(strstr(s->plot.panels[i].x_name, "current_limit"));
        ib_Text picture = {0};
        assert_int_equal(ib_plot_render(&s->plot, IB_PLOT_SVG, &picture, &error), IB_OK);
        assert_null(strstr(picture.bytes, "no values to show"));
        ib_text_destroy(&picture);
        end(s);
    }
}

// Goal: what cannot be drawn is refused with the reason. Method: a wrong ending, a long list, a
// search that was stopped before its first point was complete.
static void what_cannot_be_drawn_is_refused(void **state)
{
    (void)state;
    ib_OptimisePlan plan = {.sweep = {.axis_count = 1, .axes = {{.path = "a", .count = 500}}}};
    Setup *s = make(searched);
    assert_int_equal(ib_optimise_figure_check(&plan, "x.gif", &s->error), IB_BAD_INPUT);
    assert_int_equal(ib_optimise_figure_check(&plan, "x.svg", &s->error), IB_BAD_INPUT);
    assert_string_equal(s->error.text, "500 values of a: expected at most 400 for a picture");
    s->optimisation.points.count = 0;
    assert_int_equal(ib_optimise_figure(&s->optimisation, NULL, "x.svg", &s->error), IB_BAD_INPUT);
    assert_string_equal(s->error.text, "nothing to draw: no point has all of its runs");
    end(s);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_search_shows_its_points),
        cmocka_unit_test(slices_are_lines_or_words),
        cmocka_unit_test(two_ranges_have_their_plane),
        cmocka_unit_test(any_number_of_slices_is_drawn),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
