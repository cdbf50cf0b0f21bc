// Claims about src/report/top_view.c.
#include "cmocka_all.h"

#include "report/top_view.h"

#include <string.h>

static const double quarter = 1.5707963267948966;

static double lookup(const void *self, const char *name)
{
    (void)self;
    if (strcmp(name, "x") == 0) return 3;
    if (strcmp(name, "th") == 0) return 1.5707963267948966;
    return NAN;
}

typedef struct Box {
    double left, right, bottom, top;
} Box;

static Box box_of(const double *x, const double *y, int count)
{
    Box box = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int i = 0; i < count; i++) {
        box.left = fmin(box.left, x[i]);
        box.right = fmax(box.right, x[i]);
        box.bottom = fmin(box.bottom, y[i]);
        box.top = fmax(box.top, y[i]);
    }
    return box;
}

static void assert_box(Box box, double left, double right, double bottom, double top)
{
    const double tolerance = 1e-12; // some roundings of sines and numbers of size 1
    assert_close(box.left, left, tolerance);
    assert_close(box.right, right, tolerance);
    assert_close(box.bottom, bottom, tolerance);
    assert_close(box.top, top, tolerance);
}

static ib_TopView view_of(const ib_SolidDef *solids, int count, const char *frame, ib_Arena *arena)
{
    static const ib_FrameDef frames[] = {
        {.name = "body", .move = {"x", NULL, NULL}, .turn = {"th", NULL, NULL}, .body = true},
        {.name = "arm", .parent = "body", .place = {0, 0, 1}},
    };
    const ib_Geometry geometry = {
        .frames = frames, .frame_count = 2, .solids = solids, .solid_count = count};
    return ib_top_view(&geometry, frame, lookup, NULL, arena);
}

// Goal: every form has the outline of its shadow. Method: extents by hand: a box 0.4 x 0.2; a
// cylinder of radius 0.1 that lies along y, 0.6 long; a capsule of radius 0.1 along x, 0.6 between
// its centres, so 0.8 long; an upright cylinder; all around (1, 0).
static void every_form_casts_its_shadow(void **state)
{
    (void)state;
    const ib_SolidDef solids[] = {
        {"box", NULL, IB_SOLID_BOX, {1, 0, 1}, {0}, {0.4, 0.2, 0.1}, .colour = 1},
        {"roll", NULL, IB_SOLID_CYLINDER, {1, 0, 2}, {0, 0, quarter}, {0.1, 0.6, 0}, .colour = 2},
        {"pill", NULL, IB_SOLID_CAPSULE, {1, 0, 3}, {0, quarter, 0}, {0.1, 0.6, 0}, .colour = 3},
        {"mast", NULL, IB_SOLID_CYLINDER, {1, 0, 4}, {0}, {0.1, 0.6, 0}, .colour = 4},
    };
    static const double half[][2] = {{0.2, 0.1}, {0.1, 0.3}, {0.4, 0.1}, {0.1, 0.1}};
    static const double top[] = {1.05, 2.1, 3.1, 4.3};
    ib_Arena arena = {0};
    ib_TopView view = view_of(solids, 4, NULL, &arena);
    assert_int_equal(view.count, 4);
    for (int i = 0; i < 4; i++) {
        const ib_TopShape *shape = &view.shapes[i];
        assert_int_equal(shape->colour, i + 1);
        assert_close(shape->top, top[i], 1e-12);
        assert_box(box_of(shape->x, shape->y, shape->count), 1 - half[i][0], 1 + half[i][0],
                   -half[i][1], half[i][1]);
    }
    assert_int_equal(view.shapes[0].count, 4);
    ib_arena_reset(&arena);
}

// Goal: shapes are where their frames are, seen from the field or from a frame. Method: a box 0.4 x
// 0.2 stands 1 m ahead of a body at (3, 0) that looks along y: in the field it is 0.2 wide around
// (3, 1), in the body's own frame 0.4 long around (1, 0).
static void views_are_in_the_frame_asked_for(void **state)
{
    (void)state;
    const ib_SolidDef box = {"box", "body",        IB_SOLID_BOX, {1, 0, 0},
                             {0},   {0.4, 0.2, 1}, .colour = 1};
    ib_Arena arena = {0};
    ib_TopView field = view_of(&box, 1, NULL, &arena), own = view_of(&box, 1, "body", &arena);
    assert_box(box_of(field.hull_x, field.hull_y, field.hull_count), 2.9, 3.1, 0.8, 1.2);
    assert_box(box_of(own.hull_x, own.hull_y, own.hull_count), 0.8, 1.2, -0.1, 0.1);
    ib_arena_reset(&arena);
}

// Goal: a flat polygon keeps its bay, and a thin one counts as painted on; one that is tipped over
// is drawn around.
// Method: an L of 6 corners, 2 m wide; pitched by a quarter it becomes a rectangle.
static void flat_polygons_stay_concave(void **state)
{
    (void)state;
    static const double x[] = {0, 2, 2, 1, 1, 0}, y[] = {0, 0, 1, 1, 2, 2};
    ib_SolidDef solid = {.name = "L",
                         .form = IB_SOLID_POLYGON,
                         .size = {0.5, 0, 0},
                         .corner_count = 6,
                         .corner_x = x,
                         .corner_y = y};
    ib_Arena arena = {0};
    ib_TopView view = view_of(&solid, 1, NULL, &arena);
    assert_int_equal(view.shapes[0].count, 6);
    assert_true(view.shapes[0].painted == false); // 0.5 m high, 2 m wide
    assert_int_equal(view.hull_count, 5);
    for (int i = 0; i < 6; i++) assert_true(view.shapes[0].x[i] == x[i]);
    solid.size[0] = 0.1;
    assert_true(view_of(&solid, 1, NULL, &arena).shapes[0].painted);
    solid.size[0] = 0.5;
    solid.attitude[1] = quarter;
    view = view_of(&solid, 1, NULL, &arena);
    assert_box(box_of(view.shapes[0].x, view.shapes[0].y, view.shapes[0].count), 0, 0.5, 0, 2);
    assert_int_equal(view.shapes[0].count, 4);
    ib_arena_reset(&arena);
}

// Goal: what lies below one opaque solid is hidden; what sticks out, or lies below glass, is not.
// Method: a plate over a small block, over a long bar, and as glass over both.
static void covered_shapes_are_hidden(void **state)
{
    (void)state;
    ib_SolidDef solids[] = {
        {"plate", NULL, IB_SOLID_BOX, {0, 0, 1}, {0}, {1, 1, 0.1}, .colour = 1},
        {"block", NULL, IB_SOLID_BOX, {0, 0, 0.1}, {0}, {0.2, 0.2, 0.1}, .colour = 2},
        {"bar", NULL, IB_SOLID_BOX, {0, 0, 0.5}, {0}, {2, 0.1, 0.1}, .colour = 3},
    };
    static const int colours[] = {2, 3, 1};
    ib_Arena arena = {0};
    for (int glass = 0; glass < 2; glass++) {
        solids[0].opacity = glass ? 0.5 : 0;
        ib_TopView view = view_of(solids, 3, NULL, &arena);
        for (int i = 0; i < 3; i++) { // from low to high
            assert_int_equal(view.shapes[i].colour, colours[i]);
            assert_int_equal(view.shapes[i].hidden, i == 0 && !glass);
        }
    }
    ib_arena_reset(&arena);
}

// Goal: the hull is of what is rigid with a body; what moves on it is beside it. Method: a plate,
// and a block far ahead on an arm.
static void hull_leaves_joints_out(void **state)
{
    (void)state;
    const ib_SolidDef solids[] = {
        {"plate", "body", IB_SOLID_BOX, {0}, {0}, {1, 1, 0.1}, .colour = 1},
        {"load", "arm", IB_SOLID_BOX, {5, 0, 0}, {0}, {1, 1, 0.1}, .colour = 2},
    };
    ib_Arena arena = {0};
    ib_TopView view = view_of(solids, 2, "body", &arena);
    assert_int_equal(view.count, 2);
    assert_true(!view.shapes[0].jointed && view.shapes[1].jointed);
    assert_box(box_of(view.hull_x, view.hull_y, view.hull_count), -0.5, 0.5, -0.5, 0.5);
    ib_arena_reset(&arena);
}

// Goal: nothing to see gives an empty view, and so does a lack of memory. Method: no solids; an
// arena of 64 bytes.
static void empty_views_are_empty(void **state)
{
    (void)state;
    const ib_SolidDef box = {"box", NULL, IB_SOLID_BOX, {0}, {0}, {1, 1, 1}, .colour = 1};
    ib_Arena arena = {0}, small = {.limit = 64};
    ib_TopView view = view_of(NULL, 0, NULL, &arena);
    assert_true(view.count == 0 && view.hull_count == 0);
    view = view_of(&box, 1, NULL, &small);
    assert_true(view.count == 0 && view.hull_count == 0);
    ib_arena_reset(&arena);
    ib_arena_reset(&small);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_casts_its_shadow),
        cmocka_unit_test(views_are_in_the_frame_asked_for),
        cmocka_unit_test(flat_polygons_stay_concave),
        cmocka_unit_test(covered_shapes_are_hidden),
        cmocka_unit_test(hull_leaves_joints_out),
        cmocka_unit_test(empty_views_are_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
