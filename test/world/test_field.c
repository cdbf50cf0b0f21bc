// Claims about src/world/field.c and world.c: what stands on the floor.
#include "cmocka_all.h"
#include "stage.h"

#include <string.h>

static ib_BodyConfig robot(void)
{
    return (ib_BodyConfig){.shape = ib_shape_box(0.8, 0.6), .restitution = 0.5, .friction = 0.5};
}

// Goal: a rectangle has four walls whose inner faces are its edges, in either sense of its corners.
// Method: gaps of a robot in the middle; 27 ft x 54 ft.
static void rectangle_becomes_four_walls(void **state)
{
    (void)state;
    for (int reversed = 0; reversed < 2; reversed++) {
        ib_FieldConfig field = ib_field_default();
        ib_BodyConfig body = robot();
        Stage stage;
        ib_field_rectangle(&field, 0, 0, 16.4592, 8.2296);
        if (reversed) { // swap two corners: clockwise
            field.corner_x[1] = 0;
            field.corner_y[1] = 8.2296;
            field.corner_x[3] = 16.4592;
            field.corner_y[3] = 0;
        }
        stage_set(&stage, &field, &body, 1);
        assert_int_equal(stage.world->element_count, 4);
        assert_int_equal(stage.world->pair_count, 4);
        ib_BodyState s = {.x = 8, .y = 4};
        double sum = 0;
        for (int i = 0; i < 4; i++) sum += ib_world_gap(stage.world, i, &s, NULL);
        assert_close(sum, (16.4592 - 0.8) + (8.2296 - 0.6), 1e-14);
        double depth;
        assert_int_equal(ib_world_overlap(stage.world, &s, NULL, &depth), -1);
        s.x = 0.3;
        assert_true(ib_world_overlap(stage.world, &s, NULL, &depth) >= 0);
        // Out by the nearer side of a bar of 5 cm: 0.1 m in, or 0.05 m more than its back.
        assert_close(depth, 0.1, 1e-12);
        stage_end(&stage);
    }
}

// Goal: a field may be concave; a wall ends where the field turns outwards. Method: an L; a robot
// in its notch's corner region does not touch, one that pokes round the corner does.
static void concave_field_has_walls_that_end(void **state)
{
    (void)state;
    ib_FieldConfig field = ib_field_default();
    ib_BodyConfig body = robot();
    Stage stage;
    const double x[] = {0, 6, 6, 3, 3, 0}, y[] = {0, 0, 3, 3, 6, 6};
    field.corner_count = 6;
    memcpy(field.corner_x, x, sizeof x);
    memcpy(field.corner_y, y, sizeof y);
    stage_set(&stage, &field, &body, 1);
    double depth;
    ib_BodyState s = {.x = 2.55, .y = 2.65};
    assert_int_equal(ib_world_overlap(stage.world, &s, NULL, &depth), -1);
    s = (ib_BodyState){.x = 2.55, .y = 4};
    assert_int_equal(ib_world_overlap(stage.world, &s, NULL, &depth), -1);
    s = (ib_BodyState){.x = 2.65, .y = 4};
    assert_true(ib_world_overlap(stage.world, &s, NULL, &depth) >= 0);
    stage_end(&stage);
}

// Goal: pairs are numbered body by element, then body by body. Method: 3 bodies, 2 elements.
static void pairs_are_numbered_in_order(void **state)
{
    (void)state;
    ib_FieldConfig field = ib_field_default();
    ib_BodyConfig bodies[3] = {robot(), robot(), robot()};
    Stage stage;
    field.element_count = 2;
    for (int i = 0; i < 2; i++) {
        field.elements[i] = ib_element_default(&field);
        field.elements[i].x = 10 + 5 * i;
    }
    stage_set(&stage, &field, bodies, 3);
    assert_int_equal(stage.world->pair_count, 9);
    static const int expected[9][3] = {{0, -1, 0}, {0, -1, 1}, {1, -1, 0}, {1, -1, 1}, {2, -1, 0},
                                       {2, -1, 1}, {0, 1, -1}, {0, 2, -1}, {1, 2, -1}};
    for (int i = 0; i < 9; i++) {
        ib_Pair pair = ib_world_pair(stage.world, i);
        assert_int_equal(pair.body, expected[i][0]);
        assert_int_equal(pair.other, expected[i][1]);
        assert_int_equal(pair.element, expected[i][2]);
    }
    stage_end(&stage);
}

// Goal: what makes no sense is refused with its reason. Method: one of each.
static void bad_fields_are_refused(void **state)
{
    (void)state;
    ib_Error error;
    ib_FieldConfig field = ib_field_default();
    ib_ElementConfig e = ib_element_default(&field);
    assert_int_equal(ib_element_check(&e, &error), IB_OK);
    e.restitution = 1.5;
    assert_int_equal(ib_element_check(&e, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "restitution"));
    e = ib_element_default(&field);
    e.form = IB_ELEMENT_DISC;
    assert_int_equal(ib_element_check(&e, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "radius"));
    e = ib_element_default(&field);
    e.form = IB_ELEMENT_POLYGON;
    e.corner_count = 4;
    memcpy(e.corner_x, (double[]){0, 2, 2, 1}, 4 * sizeof(double));
    memcpy(e.corner_y, (double[]){0, 0, 2, 0.5}, 4 * sizeof(double));
    assert_int_equal(ib_element_check(&e, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "several convex elements"));
    ib_field_rectangle(&field, 0, 0, 2, 1);
    field.corner_x[1] = 0; // a bow tie
    field.corner_y[1] = 1;
    field.corner_x[3] = 2;
    field.corner_y[3] = 1;
    field.corner_y[2] = 0;
    assert_int_equal(ib_perimeter_check(&field, &error), IB_BAD_INPUT);
    field = ib_field_default();
    field.element_count = IB_FIELD_ELEMENTS;
    ib_field_rectangle(&field, 0, 0, 2, 1);
    for (int i = 0; i < IB_FIELD_ELEMENTS; i++) field.elements[i] = ib_element_default(&field);
    assert_int_equal(ib_field_check(&field, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "at most 64"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rectangle_becomes_four_walls),
        cmocka_unit_test(concave_field_has_walls_that_end),
        cmocka_unit_test(pairs_are_numbered_in_order),
        cmocka_unit_test(bad_fields_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
