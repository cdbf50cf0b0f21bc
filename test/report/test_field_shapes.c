// Claims about src/report/field_shapes.c, and how plot_trajectory.c draws what it makes.
#include "cmocka_all.h"

#include "report/field_shapes.h"
#include "world/zone.h"

#include <stdio.h>
#include <string.h>

static const double quarter = 1.5707963267948966;

// A hall of 10 m x 5 m with a crate, a post, a rounded block and a gate that opens.
static const ib_FieldConfig *hall(void)
{
    static ib_FieldConfig field;
    static const ib_Time times[] = {0, IB_SECOND, 3 * IB_SECOND};
    static const double shift[] = {0, 0, 2}, turn[] = {0, 0, 1.5707963267948966};
    field = ib_field_default();
    ib_field_rectangle(&field, 0, 0, 10, 5);
    ib_ElementConfig element = ib_element_default(&field);
    element.x = 2;
    element.y = 1;
    element.heading = quarter;
    element.length = 1;
    element.width = 0.4;
    field.elements[field.element_count++] = element;
    element.radius = 0.1;
    field.elements[field.element_count++] = element;
    element.form = IB_ELEMENT_DISC;
    element.radius = 0.3;
    field.elements[field.element_count++] = element;
    element.form = IB_ELEMENT_BOX;
    element.radius = element.heading = 0;
    element.move[IB_TRACK_X] = (ib_FieldTrack){3, times, shift};
    element.move[IB_TRACK_HEADING] = (ib_FieldTrack){3, times, turn};
    field.elements[field.element_count++] = element;
    return &field;
}

typedef struct Box {
    double left, right, bottom, top;
} Box;

static Box box_of(const ib_PlotShape *shape)
{
    Box box = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int i = 0; i < shape->count; i++) {
        box.left = fmin(box.left, shape->x[i]);
        box.right = fmax(box.right, shape->x[i]);
        box.bottom = fmin(box.bottom, shape->y[i]);
        box.top = fmax(box.top, shape->y[i]);
    }
    return box;
}

static void assert_box(const ib_PlotShape *shape, double x, double y, double half_x, double half_y)
{
    const double tolerance = 1e-9; // a few roundings of sine and cosine
    Box box = box_of(shape);
    assert_close(box.left, x - half_x, tolerance);
    assert_close(box.right, x + half_x, tolerance);
    assert_close(box.bottom, y - half_y, tolerance);
    assert_close(box.top, y + half_y, tolerance);
}

// Goal: every element has its place, size and rounding. Method: the extents by hand: walls 10 x 5;
// the crate turned by 90 degrees, 0.4 x 1; the block 0.1 m larger on all sides, and no point of it
// in the corner of its box; the post 0.6 m in diameter.
static void elements_have_place_size_and_rounding(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    int count;
    const ib_PlotShape *shapes = ib__field_shapes(hall(), 0, &arena, &count);
    assert_int_equal(count, 5);
    assert_int_equal(shapes[0].form, IB_PLOT_WALL);
    assert_box(&shapes[0], 5, 2.5, 5, 2.5);
    assert_box(&shapes[1], 2, 1, 0.2, 0.5);
    assert_int_equal(shapes[1].count, 4);
    assert_box(&shapes[2], 2, 1, 0.3, 0.6);
    for (int i = 0; i < shapes[2].count; i++) {
        // Distance from the core's rectangle: 0.1 m everywhere on the outline.
        double dx = fmax(fabs(shapes[2].x[i] - 2) - 0.2, 0);
        double dy = fmax(fabs(shapes[2].y[i] - 1) - 0.5, 0);
        assert_close(sqrt(dx * dx + dy * dy), 0.1, 1e-9);
    }
    assert_box(&shapes[3], 2, 1, 0.3, 0.3);
    ib_arena_reset(&arena);
}

// Goal: what moves is drawn where it starts and, if it is elsewhere by then, where it is at the
// end. Method: the gate waits until 1 s and is 2 m aside and turned by 3 s: at 0.5 s there is one
// of it, at 2 s it is half way (1 m, 45 degrees), at 9 s it stays at the last knot.
static void movers_are_drawn_at_start_and_end(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    int count;
    ib__field_shapes(hall(), IB_SECOND / 2, &arena, &count);
    assert_int_equal(count, 5);
    const ib_PlotShape *shapes = ib__field_shapes(hall(), 2 * IB_SECOND, &arena, &count);
    assert_int_equal(count, 6);
    assert_box(&shapes[4], 2, 1, 0.5, 0.2);
    assert_int_equal(shapes[5].form, IB_PLOT_MOVED);
    double half = (0.5 + 0.2) * 0.70710678118654752;
    assert_box(&shapes[5], 3, 1, half, half);
    shapes = ib__field_shapes(hall(), 9 * IB_SECOND, &arena, &count);
    assert_box(&shapes[5], 4, 1, 0.2, 0.5);
    ib_arena_reset(&arena);
}

// Goal: an endless floor has no shapes. Method: the default field.
static void endless_floor_is_empty(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_FieldConfig field = ib_field_default();
    int count;
    assert_null(ib__field_shapes(&field, 0, &arena, &count));
    assert_int_equal(count, 0);
    ib_arena_reset(&arena);
}

static double number_after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    assert_non_null(at);
    double value = NAN;
    assert_int_equal(sscanf(at + strlen(word), "%lf", &value), 1);
    return value;
}

// Goal: the whole field is in the picture, with equal axes, robots in the colours of their paths.
// Method: a short path in a hall of 10 m x 5 m; ranges in the script hold the hall; metres per
// pixel are the same both ways to 1e-3 (margins have 6 digits);
// the outline's colour is that of series 2.
static void trajectory_holds_the_field(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    double x[] = {1, 2}, y[] = {1, 1.5};
    ib_PlotSeries paths[] = {
        {.label = "red", .unit = "m", .x = x, .y = y, .count = 2, .colour = 2},
        {.label = "crate", .unit = "m", .x = y, .y = x, .count = 2, .colour = 3}};
    static const double corner_x[] = {0.5, 1.5, 1.5}, corner_y[] = {0.75, 0.75, 1.25};
    ib_PlotOutline outline = {.x = corner_x, .y = corner_y, .count = 3, .series = 2};
    ib_Plot plot = ib_plot_default();
    plot.kind = IB_PLOT_TRAJECTORY;
    plot.series = paths;
    plot.series_count = 2;
    plot.outlines = &outline;
    plot.outline_count = 1;
    plot.width = plot.height = 1000;
    plot.shapes = ib__field_shapes(hall(), 9 * IB_SECOND, &arena, &plot.shape_count);
    ib_Text script = {0};
    assert_int_equal(ib_plot_script(&plot, IB_PLOT_SVG, &script, NULL), IB_OK);
    double left = number_after(script.bytes, "set xrange [");
    double bottom = number_after(script.bytes, "set yrange [");
    assert_true(left < 0 && bottom < 0);
    double right = number_after(strstr(script.bytes, "set xrange ["), ":");
    double top = number_after(strstr(script.bytes, "set yrange ["), ":");
    assert_true(right > 10 && top > 5);
    double wide = number_after(script.bytes, "set rmargin at screen ") -
                  number_after(script.bytes, "set lmargin at screen ");
    double high = number_after(script.bytes, "set tmargin at screen ") -
                  number_after(script.bytes, "set bmargin at screen ");
    assert_close((right - left) / wide, (top - bottom) / high, 1e-3 * (right - left) / wide);
    assert_non_null(strstr(script.bytes, "with lines lw 2.4 lc rgb '#009e73' notitle"));
    assert_non_null(strstr(script.bytes, "'obstacle, at the end'"));
    ib_text_destroy(&script);
    ib_arena_reset(&arena);
}

// Goal: zones are shapes of their own, with name and colour, and the trajectory paints and names
// them before all else. Method: a square called red in the hall; the order of the script's lines.
static void zones_are_painted_below_all_else(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    int count;
    ib_FieldConfig field = *hall();
    ib_ZoneConfig zone = {.name = "red", .area_count = 1};
    zone.areas[0] = ib_element_default(&field);
    zone.areas[0].x = 7;
    zone.areas[0].y = 3;
    field.zones = &zone;
    field.zone_count = 1;
    const ib_PlotShape *shapes = ib__field_shapes(&field, 0, &arena, &count);
    assert_int_equal(count, 1 + 1 + 4);
    assert_int_equal(shapes[0].form, IB_PLOT_ZONE);
    assert_string_equal(shapes[0].label, "red");
    assert_box(&shapes[0], 7, 3, 0.5, 0.5);

    double x[] = {1, 4}, y[] = {1, 1};
    ib_PlotSeries path = {.label = "red", .unit = "m", .x = x, .y = y, .count = 2};
    ib_Plot plot = ib_plot_default();
    plot.kind = IB_PLOT_TRAJECTORY;
    plot.series = &path;
    plot.series_count = 1;
    plot.shapes = shapes;
    plot.shape_count = count;
    ib_Text script = {0};
    ib_Error error;
    assert_int_equal(ib_plot_script(&plot, IB_PLOT_SVG, &script, &error), IB_OK);
    // Its name 22 % above its lower edge, in the middle.
    assert_non_null(strstr(script.bytes, "'red' at 7,2.72 center"));
    const char *painted = strstr(script.bytes, "$z0 using 1:2 with filledcurves");
    assert_non_null(painted);
    const char *wall = strstr(script.bytes, "$f2 using"); // IB_PLOT_WALL
    assert_non_null(wall);
    assert_true(painted < wall);
    assert_true(painted < strstr(script.bytes, "$s0 using"));
    ib_text_destroy(&script);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_have_place_size_and_rounding),
        cmocka_unit_test(movers_are_drawn_at_start_and_end),
        cmocka_unit_test(endless_floor_is_empty),
        cmocka_unit_test(trajectory_holds_the_field),
        cmocka_unit_test(zones_are_painted_below_all_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
