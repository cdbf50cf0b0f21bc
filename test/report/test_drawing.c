// Claims about src/report/plot/drawing.c: which signals of a recording a plot is made of. Nothing
// is drawn here, so that gnuplot is not needed.
#include "cmocka_all.h"

#include "report/plot/drawing.h"

#include <string.h>

enum { ROWS = 3 };

static ib_Time times[ROWS] = {0, IB_SECOND, 2 * IB_SECOND};
static double x_values[ROWS] = {0, 1, 2}, y_values[ROWS] = {0, 1, 4},
              other_values[ROWS] = {5, 6, 7};

#define SERIES(called, in, has)                                                                    \
    {                                                                                              \
        .name = called, .unit = in, .sentence = "", .count = ROWS, .times = times, .values = has   \
    }

// Three signals, and a recording of one of them in another unit.
static ib_LogSeries series[] = {
    SERIES("pose.x", "m", x_values),
    SERIES("pose.y", "m", y_values),
    SERIES("volts", "V", other_values),
};
static ib_LogSeries wrong[] = {SERIES("pose.x", "ft", x_values)};
static ib_LogFact facts[] = {{"title", "Three signals"}};
static const ib_Log recording = {
    .series_count = 3, .series = series, .facts = facts, .fact_count = 1};
static const ib_Log feet = {.series_count = 1, .series = wrong};

static ib_DrawingConfig config_of(const char *const *patterns, int count)
{
    ib_DrawingConfig config = ib_drawing_default();
    config.log = &recording, config.log_file = "run.csv", config.points_file = "feet.csv";
    config.patterns = patterns, config.pattern_count = count;
    return config;
}

// Goal: each signal is drawn once, however often it is named, cut to the time asked for. Method: a
// pattern and one of its names; from 1 s on.
static void a_signal_is_drawn_once(void **state)
{
    (void)state;
    const char *const patterns[] = {"pose.*", "pose.y"};
    ib_DrawingConfig config = config_of(patterns, 2);
    ib_Arena arena = {0};
    ib_Plot plot;
    ib_Error error;
    config.from = IB_SECOND;
    assert_int_equal(ib_drawing_make(&config, &arena, &plot, &error), IB_OK);
    assert_int_equal(plot.series_count, 2);
    assert_string_equal(plot.title, "Three signals");
    assert_string_equal(plot.series[1].label, "pose.y");
    assert_int_equal(plot.series[1].count, 2);
    assert_close(plot.series[1].y[1], 4, 0);
    ib_arena_reset(&arena);
}

// Goal: a mode holds until it jumps, and is drawn so over time; a motion that is told in words is a
// curve, and so is all that is drawn over another signal. Method: one of each.
static void modes_are_staircases(void **state)
{
    (void)state;
    static const ib_Mode stage = {.meanings = {{"fine"}, {"off"}}};
    static const ib_Mode rod = {.motion = true, .meanings = {{"stands"}, {"moves"}}};
    ib_LogSeries kinds[] = {series[0], series[1], series[2]};
    kinds[1].means.mode = &stage, kinds[2].means.mode = &rod;
    const ib_Log log = {.series_count = 3, .series = kinds, .facts = facts, .fact_count = 1};
    const char *const patterns[] = {"*"};
    ib_DrawingConfig config = config_of(patterns, 1);
    config.log = &log;
    ib_Arena arena = {0};
    ib_Plot plot;
    ib_Error error;
    assert_int_equal(ib_drawing_make(&config, &arena, &plot, &error), IB_OK);
    assert_int_equal(plot.series[0].style, IB_PLOT_LINE);
    assert_int_equal(plot.series[1].style, IB_PLOT_STEPS);
    assert_int_equal(plot.series[2].style, IB_PLOT_LINE);
    config.xy = true;
    assert_int_equal(ib_drawing_make(&config, &arena, &plot, &error), IB_OK);
    assert_int_equal(plot.series[0].style, IB_PLOT_LINE);
    ib_arena_reset(&arena);
}

// Goal: of a plot of signals over a signal, the first is x; measured points lie over the curve and
// say so. Method: y over x, with the recording itself as the measured one.
static void the_first_signal_may_be_x(void **state)
{
    (void)state;
    const char *const patterns[] = {"pose.x", "pose.y"};
    ib_DrawingConfig config = config_of(patterns, 2);
    ib_Arena arena = {0};
    ib_Plot plot;
    ib_Error error;
    config.xy = true, config.points = &recording;
    assert_int_equal(ib_drawing_make(&config, &arena, &plot, &error), IB_OK);
    assert_int_equal(plot.series_count, 2);
    assert_string_equal(plot.x_label, "pose.x");
    assert_close(plot.series[0].x[2], 2, 0);
    assert_close(plot.series[0].y[2], 4, 0);
    assert_string_equal(plot.series[1].label, "pose.y (measured)");
    assert_int_equal(plot.series[1].style, IB_PLOT_POINTS);
    ib_arena_reset(&arena);
}

// Goal: curves, axes and measured points are in the units that people use, and the recording stays
// SI. Method: a position in mm, a pressure in kPa and an angle that declares nothing, by hand: 2 m
// are 2000 mm, 4 Pa 0.004 kPa, 1 rad 180/pi degrees; over time, over the position, and with points
// of a table that knows no such units.
static void people_see_their_units(void **state)
{
    (void)state;
    ib_LogSeries mine[] = {series[0], series[1], series[2]};
    mine[0].means.shown = "mm";
    mine[1].means.shown = "kPa", mine[1].unit = "Pa";
    mine[2].unit = "rad";
    ib_LogSeries plain[] = {series[0], series[1]};
    plain[1].unit = "";
    const ib_Log log = {.series_count = 3, .series = mine, .facts = facts, .fact_count = 1};
    const ib_Log table = {.series_count = 2, .series = plain};
    const char *const patterns[] = {"*"};
    ib_DrawingConfig config = config_of(patterns, 1);
    config.log = &log, config.points = &table;
    ib_Arena arena = {0};
    ib_Plot plot;
    ib_Error error;
    static const double ulp = 2.2e-16, pi = 3.14159265358979323846;
    assert_int_equal(ib_drawing_make(&config, &arena, &plot, &error), IB_OK);
    assert_int_equal(plot.series_count, 5);
    const char *const units[] = {"mm", "kPa", "deg", "mm", "kPa"};
    const double last[] = {2000, 0.004, 7 * 180 / pi, 2000, 0.004};
    for (int i = 0; i < 5; i++) {
        assert_string_equal(plot.series[i].unit, units[i]);
        assert_close(plot.series[i].x[2], 2, 0);
        assert_close(plot.series[i].y[2], last[i], 3 * ulp * last[i]); // factor, product, by hand
    }
    assert_string_equal(plot.x_unit, "s");

    config.xy = true;
    assert_int_equal(ib_drawing_make(&config, &arena, &plot, &error), IB_OK);
    assert_string_equal(plot.x_unit, "mm");
    assert_int_equal(plot.series_count, 3); // kPa and deg over mm; measured kPa over measured mm
    for (int i = 0; i < 3; i++) assert_close(plot.series[i].x[2], 2000, 3 * ulp * 2000);
    assert_close(plot.series[2].y[2], 0.004, 3 * ulp * 0.004);
    assert_close(x_values[2], 2, 0);
    ib_arena_reset(&arena);
}

// Goal: what declares no unit for people can be compared with what does, and a difference gets no
// offset. Method: a position in mm beside one that declares nothing: both in mm; a pressure in psig
// beside another one: that stays in Pa; and a voltage, which nobody declares.
static void what_declares_no_unit_joins_its_like(void **state)
{
    (void)state;
    ib_LogSeries mine[] = {series[0], series[1], series[0], series[1], series[2]};
    mine[1].means.shown = "mm";
    mine[2].name = "drop", mine[2].unit = "Pa";
    mine[3].name = "pressure", mine[3].unit = "Pa", mine[3].means.shown = "psig";
    const ib_Log log = {.series_count = 5, .series = mine, .facts = facts, .fact_count = 1};
    const char *const patterns[] = {"*"}, *const units[] = {"mm", "mm", "Pa", "psig", "V"};
    ib_DrawingConfig config = config_of(patterns, 1);
    config.log = &log;
    ib_Arena arena = {0};
    ib_Plot plot;
    ib_Error error;
    assert_int_equal(ib_drawing_make(&config, &arena, &plot, &error), IB_OK);
    assert_int_equal(plot.series_count, 5);
    for (int i = 0; i < 5; i++) assert_string_equal(plot.series[i].unit, units[i]);
    assert_close(plot.series[0].y[2], 2000, 0);
    assert_close(plot.series[2].y[2], 2, 0);
    ib_arena_reset(&arena);
}

// Goal: what the recordings have not is refused with the reason. Method: names, patterns, times,
// units and kinds that do not fit.
static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        ib_PlotKind kind;
        bool xy, points;
        ib_Time from;
        const char *says;
    } cases[] = {
        {"pose.xx", IB_PLOT_CURVES, false, false, 0,
         "'run.csv' has no signal 'pose.xx'; did you mean 'pose.x'?"},
        {"elsewhere", IB_PLOT_CURVES, false, false, 0,
         "'run.csv' has no signal 'elsewhere'; it begins with 'pose.x'"},
        {"arm.*", IB_PLOT_CURVES, false, false, 0, "no signal in 'run.csv' matches 'arm.*'"},
        {"pose.x", IB_PLOT_CURVES, true, false, 0, "--xy needs two signals: x and at least one y"},
        {"pose.x", IB_PLOT_CURVES, false, true, 0,
         "'feet.csv' has pose.x in ft, the recording has it in m"},
        {"volts", IB_PLOT_CURVES, false, true, 0,
         "'feet.csv' has none of the signals that are drawn"},
        {"pose.x", IB_PLOT_CURVES, false, false, 3 * IB_SECOND,
         "--from: 'run.csv' has nothing there: it runs from 0 s to 2 s"},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
        ib_DrawingConfig config = config_of(&cases[i].pattern, 1);
        ib_Arena arena = {0};
        ib_Plot plot;
        ib_Error error;
        config.kind = cases[i].kind, config.xy = cases[i].xy, config.from = cases[i].from;
        if (cases[i].points) config.points = &feet;
        assert_int_equal(ib_drawing_make(&config, &arena, &plot, &error), IB_BAD_INPUT);
        assert_string_equal(error.text, cases[i].says);
        ib_arena_reset(&arena);
    }
}

// Goal: width, height and centre of a path are those of its closed form. Method: a circle of 2 m
// about (1, -3) with samples at its four ends, 1e-15 of rounding; 5 m at 30 degrees from (-1, 2); a
// point that is not a number counts for nothing; a path of none has no size.
static void the_size_of_a_path_is_its_closed_form(void **state)
{
    (void)state;
    enum { MANY = 401 };
    double x[MANY], y[MANY], quarter = acos(-1) / 2;
    for (int i = 0; i < MANY; i++) {
        x[i] = 1 + 2 * cos(quarter * i / 100);
        y[i] = -3 + 2 * sin(quarter * i / 100);
    }
    ib_PlotSeries path = {.x = x, .y = y, .count = MANY};
    ib_PlotExtent extent = ib_plot_extent(&path);
    assert_close(extent.width, 4, 4e-15);
    assert_close(extent.height, 4, 4e-15);
    assert_close(extent.centre[0], 1, 4e-15);
    assert_close(extent.centre[1], -3, 4e-15);
    assert_int_equal(extent.points, MANY);
    for (int i = 0; i < MANY; i++) {
        x[i] = -1 + 5 * cos(quarter / 3) * i / (MANY - 1);
        y[i] = 2 + 5 * sin(quarter / 3) * i / (MANY - 1);
    }
    x[7] = NAN, y[9] = INFINITY, x[9] = 1e300;
    extent = ib_plot_extent(&path);
    assert_close(extent.width, 5 * sqrt(0.75), 4e-15);
    assert_close(extent.height, 2.5, 4e-15);
    assert_close(extent.centre[0], -1 + 2.5 * sqrt(0.75), 4e-15);
    assert_close(extent.centre[1], 2 + 1.25, 4e-15);
    assert_int_equal(extent.points, MANY - 2);
    path.count = 0;
    extent = ib_plot_extent(&path);
    assert_true(isnan(extent.width) && isnan(extent.height) && isnan(extent.centre[1]));
}

// Goal: a path's size is that of what is drawn. Method: a point at 1.5e308, beyond what a picture
// shows, between two that it shows; 1e100 is the largest number that counts.
static void what_is_not_drawn_has_no_size(void **state)
{
    (void)state;
    const double x[3] = {-1e100, 1.5e308, 1e100}, y[3] = {1, 2, 4};
    ib_PlotSeries path = {.x = x, .y = y, .count = 3};
    ib_PlotExtent extent = ib_plot_extent(&path);
    assert_close(extent.width, 2e100, 0);
    assert_close(extent.height, 3, 0);
    assert_close(extent.centre[0], 0, 0);
    assert_close(extent.centre[1], 2.5, 0);
    assert_int_equal(extent.points, 2);
}

// A series of a place in the plane: of a robot by its role, or of anything by its name.
#define PLACE(name_, role_, robot_, values_)                                                       \
    {                                                                                              \
        .name = (name_), .unit = "m", .sentence = "", .count = ROWS, .times = times,               \
        .values = (values_), .means = {                                                            \
            .role = (role_),                                                                       \
            .robot = (robot_)                                                                      \
        }                                                                                          \
    }

// Goal: `--robot` finds any place of a recording of others, and where there is but one robot it
// need not be named. Method: a pose called Odometry, an element of an array that has no role; then
// a second robot, and the message names both.
static void any_place_is_found_by_its_name(void **state)
{
    (void)state;
    static ib_LogSeries places[] = {
        PLACE("Odometry.x", IB_ROLE_POSE_X, "Odometry", x_values),
        PLACE("Odometry.y", IB_ROLE_POSE_Y, "Odometry", y_values),
        PLACE("Vision.0.x", IB_ROLE_NONE, NULL, y_values),
        PLACE("Vision.0.y", IB_ROLE_NONE, NULL, x_values),
        PLACE("Ghost.x", IB_ROLE_POSE_X, "Ghost", y_values),
        PLACE("Ghost.y", IB_ROLE_POSE_Y, "Ghost", y_values),
    };
    static const struct {
        int series;
        const char *robot;
        double last_x; ///< < 0: none is found
    } cases[] = {{4, "", 2},      {4, "Odometry", 2}, {4, "Vision.0", 4},
                 {6, "Ghost", 4}, {6, "", -1},        {6, "Vision", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_Arena arena = {0};
        ib_Plot plot;
        ib_Error error;
        ib_Log log = {.series = places, .series_count = cases[i].series};
        ib_DrawingConfig config = ib_drawing_default();
        config.log = &log, config.log_file = "x.wpilog";
        config.kind = IB_PLOT_TRAJECTORY, config.robot = cases[i].robot;
        ib_Status status = ib_drawing_make(&config, &arena, &plot, &error);
        if (cases[i].last_x < 0) {
            assert_int_equal(status, IB_BAD_INPUT);
            assert_non_null(strstr(error.text, "'Odometry', 'Ghost': choose one with --robot"));
        } else {
            assert_int_equal(status, IB_OK);
            assert_true(plot.series[0].x[ROWS - 1] == cases[i].last_x);
        }
        ib_arena_reset(&arena);
    }
}

// Goal: where no path can be drawn, the message says what there is and what to write, and does not
// contradict itself. Method: recordings of no robot, of one with and without a name, of several, of
// elements of an array, of an x without a y; with a robot asked for that is not there, and none.
static void refused_paths_say_what_there_is(void **state)
{
    (void)state;
    static ib_LogSeries places[] = {
        PLACE("red.pose.x", IB_ROLE_POSE_X, "red", x_values),
        PLACE("red.pose.y", IB_ROLE_POSE_Y, "red", y_values),
        PLACE("blue.pose.x", IB_ROLE_POSE_X, "blue", y_values),
        PLACE("blue.pose.y", IB_ROLE_POSE_Y, "blue", y_values),
        PLACE("green.pose.x", IB_ROLE_POSE_X, "green", y_values),
        PLACE("pose.x", IB_ROLE_POSE_X, NULL, y_values),
        PLACE("pose.y", IB_ROLE_POSE_Y, NULL, y_values),
        PLACE("Cam.0.x", IB_ROLE_NONE, NULL, x_values),
        PLACE("Cam.0.y", IB_ROLE_NONE, NULL, x_values),
        PLACE("Cam.0.heading", IB_ROLE_NONE, NULL, x_values),
    };
    static const char nobody[] = "'x.csv' has no place of a robot in the plane, which a trajectory "
                                 "needs: record its pose.x and pose.y";
    static const struct {
        int from, to; ///< of `places`
        const char *robot, *words;
        bool late; ///< behind the only sample of the first two
    } cases[] = {
        {4, 5, "", nobody},
        {4, 5, "green", nobody},
        {0, 5, "", "'x.csv' has the places of 'red', 'blue': choose one with --robot 'red'"},
        {0, 5, "green",
         "'x.csv' has no place of 'green' in the plane, only those of 'red', 'blue': choose one "
         "with --robot 'red'"},
        {0, 2, "blue",
         "'x.csv' has no place of 'blue' in the plane, only that of 'red': choose it with --robot "
         "'red'"},
        {5, 7, "red",
         "'x.csv' has no place of 'red' in the plane, only that of a robot without a name: leave "
         "--robot out"},
        {7, 10, "", "'x.csv' has the place of 'Cam.0': choose it with --robot 'Cam.0'"},
        {5, 10, "red",
         "'x.csv' has no place of 'red' in the plane, only those of a robot without a name, "
         "'Cam.0': choose one with --robot 'Cam.0', or leave --robot out"},
        {0, 4, "red",
         "'x.csv' has a place of red in the plane, and no sample of it between these times", true},
        {5, 10, "",
         "'x.csv' has a place of its robot in the plane, and no sample of it between these times",
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_Arena arena = {0};
        ib_Plot plot;
        ib_Error error;
        ib_Log log = {.series = places + cases[i].from,
                      .series_count = cases[i].to - cases[i].from};
        ib_DrawingConfig config = ib_drawing_default();
        config.log = &log, config.log_file = "x.csv";
        config.kind = IB_PLOT_TRAJECTORY, config.robot = cases[i].robot;
        if (cases[i].late) config.from = times[1];
        log.series[0].count = log.series[1].count = cases[i].late ? 1 : ROWS;
        assert_int_equal(ib_drawing_make(&config, &arena, &plot, &error), IB_BAD_INPUT);
        assert_string_equal(error.text, cases[i].words);
        ib_arena_reset(&arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_is_drawn_once),
        cmocka_unit_test(modes_are_staircases),
        cmocka_unit_test(the_first_signal_may_be_x),
        cmocka_unit_test(people_see_their_units),
        cmocka_unit_test(what_declares_no_unit_joins_its_like),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(the_size_of_a_path_is_its_closed_form),
        cmocka_unit_test(what_is_not_drawn_has_no_size),
        cmocka_unit_test(any_place_is_found_by_its_name),
        cmocka_unit_test(refused_paths_say_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
