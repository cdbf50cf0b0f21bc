// Claims about src/world/zone.c: who is in an area of the floor.
#include "cmocka_all.h"
#include "world/zone.h"

#include <stdio.h>
#include <string.h>

// A zone of one area of this form at (2, 1), with room for more.
static ib_ZoneConfig zone_of(ib_ElementForm form)
{
    ib_FieldConfig field = ib_field_default();
    ib_ZoneConfig zone = {.name = "depot", .area_count = 1};
    zone.areas[0] = ib_element_default(&field);
    zone.areas[0].form = form;
    zone.areas[0].x = 2;
    zone.areas[0].y = 1;
    return zone;
}

static bool holds(const ib_ZoneConfig *config, ib_BodyState body, const ib_Shape *shape)
{
    ib_Zone zone;
    ib_zone_init(config, &zone);
    return ib_zone_holds(&zone, &body, shape);
}

static bool holds_point(const ib_ZoneConfig *config, double x, double y)
{
    return holds(config, (ib_BodyState){.x = x, .y = y}, NULL);
}

// Goal: an area holds the points of its form, its edge included, and no other. Method: a grid of
// points around a turned box, a disc, a triangle and a rounded box, against the inequalities of
// each form; points within a rounding of an edge are left out, points on the edges of a box along
// the axes are asked for.
static void areas_hold_the_points_of_their_form(void **state)
{
    (void)state;
    ib_ZoneConfig box = zone_of(IB_ELEMENT_BOX), disc = zone_of(IB_ELEMENT_DISC);
    ib_ZoneConfig wedge = zone_of(IB_ELEMENT_POLYGON), soft = zone_of(IB_ELEMENT_BOX);
    box.areas[0].length = 1.5;
    box.areas[0].width = 0.5;
    box.areas[0].heading = 0.6;
    disc.areas[0].radius = 0.7;
    wedge.areas[0].corner_count = 3;
    memcpy(wedge.areas[0].corner_x, (double[]){-0.5, 1, -0.5}, 3 * sizeof(double));
    memcpy(wedge.areas[0].corner_y, (double[]){-0.5, -0.5, 0.5}, 3 * sizeof(double));
    soft.areas[0].radius = 0.2;
    int inside[4] = {0};
    for (int i = 0; i < 61; i++)
        for (int k = 0; k < 61; k++) {
            double dx = (i - 30) * 0.0511, dy = (k - 30) * 0.0493, x = 2 + dx, y = 1 + dy;
            double u = dx * cos(0.6) + dy * sin(0.6), v = dy * cos(0.6) - dx * sin(0.6);
            double out_x = fmax(0, fabs(dx) - 0.5), out_y = fmax(0, fabs(dy) - 0.5);
            // How far outside each of them is; negative: inside.
            const double out[4] = {
                fmax(fabs(u) - 0.75, fabs(v) - 0.25), sqrt(dx * dx + dy * dy) - 0.7,
                fmax(fmax(-0.5 - dx, -0.5 - dy), dx / 1.5 + dy - (1 / 1.5 - 0.5)),
                sqrt(out_x * out_x + out_y * out_y) - 0.2};
            const ib_ZoneConfig *zones[4] = {&box, &disc, &wedge, &soft};
            for (int z = 0; z < 4; z++) {
                if (fabs(out[z]) < 1e-9) continue;
                assert_int_equal(holds_point(zones[z], x, y), out[z] < 0);
                inside[z] += out[z] < 0;
            }
        }
    // As many as their areas say: 0.75, 1.539, 0.75, 1.926 m^2 on cells of 0.00252 m^2, to 3 %.
    const double area[4] = {0.75, 1.5394, 0.75, 1 + 4 * 0.2 + 0.12566};
    for (int z = 0; z < 4; z++) assert_close(inside[z] * 0.0511 * 0.0493, area[z], 0.03 * area[z]);
    ib_ZoneConfig square = zone_of(IB_ELEMENT_BOX);
    assert_true(holds_point(&square, 2.5, 1.2) && holds_point(&square, 2.5, 1.5));
    assert_false(holds_point(&square, 2.5 + 1e-12, 1.2));
}

// Goal: `outline` asks for the outline, `centre` for the origin; touching counts; without an
// outline the origin is all there is. Method: a box of 0.4 m whose front is at, before and beyond
// the edge x = 1.5; turned by 45 degrees its corner reaches sqrt(0.08) m.
static void outlines_count_where_they_are_asked_for(void **state)
{
    (void)state;
    ib_ZoneConfig zone = zone_of(IB_ELEMENT_BOX);
    ib_Shape robot = ib_shape_box(0.4, 0.4);
    const double reach = sqrt(0.08), quarter = 0.78539816339744831;
    for (int turned = 0; turned < 2; turned++) {
        double front = turned ? reach : 0.2;
        ib_BodyState body = {.y = 1.1, .heading = turned ? quarter : 0};
        zone.outline = true;
        body.x = 1.5 - front - 1e-6;
        assert_false(holds(&zone, body, &robot));
        assert_false(holds(&zone, body, NULL));
        body.x = 1.5 - front; // it stands against an element of the same form
        assert_true(holds(&zone, body, &robot));
        body.x = 1.5 - front + 0.01;
        assert_true(holds(&zone, body, &robot));
        assert_false(holds(&zone, body, NULL));
        zone.outline = false;
        assert_false(holds(&zone, body, &robot));
        body.x = 1.6;
        assert_true(holds(&zone, body, &robot) && holds(&zone, body, NULL));
    }
}

// Goal: `at_rest` counts who is slower than 1 mm/s and turns slower than 1 mrad/s. Method: both
// sides of each limit, in several directions.
static void rest_is_slower_than_a_millimetre_a_second(void **state)
{
    (void)state;
    ib_ZoneConfig zone = zone_of(IB_ELEMENT_DISC);
    zone.areas[0].radius = 0.3;
    for (int rest = 0; rest < 2; rest++) {
        zone.at_rest = rest;
        assert_true(holds(&zone, (ib_BodyState){.x = 2, .y = 1}, NULL));
        assert_true(holds(&zone, (ib_BodyState){.x = 2, .y = 1, .vx = 7e-4, .vy = -7e-4}, NULL));
        assert_int_equal(
            holds(&zone, (ib_BodyState){.x = 2, .y = 1, .vx = -8e-4, .vy = 8e-4}, NULL), !rest);
        assert_true(holds(&zone, (ib_BodyState){.x = 2, .y = 1, .w = -0.9e-3}, NULL));
        assert_int_equal(holds(&zone, (ib_BodyState){.x = 2, .y = 1, .w = -1.1e-3}, NULL), !rest);
        assert_false(holds(&zone, (ib_BodyState){.x = 3, .y = 1}, NULL));
    }
}

// Goal: a zone of several areas is all of them together. Method: two squares apart; points in the
// first, in the second, between them.
static void several_areas_are_one_zone(void **state)
{
    (void)state;
    ib_ZoneConfig zone = zone_of(IB_ELEMENT_BOX);
    zone.areas[1] = zone.areas[0];
    zone.areas[1].x = -2;
    zone.area_count = 2;
    assert_true(holds_point(&zone, 2.2, 0.8) && holds_point(&zone, -1.8, 1.3));
    assert_false(holds_point(&zone, 0, 1));
    zone.area_count = 1;
    assert_false(holds_point(&zone, -1.8, 1.3));
}

// Goal: what is wrong with a zone is told, with its name. Method: no area, too many, a disc without
// a radius.
static void bad_zones_are_refused(void **state)
{
    (void)state;
    ib_Error error;
    ib_ZoneConfig zone = zone_of(IB_ELEMENT_BOX);
    assert_int_equal(ib_zone_check(&zone, &error), IB_OK);
    zone.area_count = 0;
    assert_int_equal(ib_zone_check(&zone, &error), IB_BAD_INPUT);
    zone.area_count = IB_ZONE_AREAS + 1;
    assert_int_equal(ib_zone_check(&zone, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "depot: 9 areas: expected 1 to 8"));
    zone.area_count = 1;
    zone.areas[0].form = IB_ELEMENT_DISC;
    assert_int_equal(ib_zone_check(&zone, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "depot: area 0: radius must be positive"));
}

// Goal: pictures have each area once, by the first zone that has it, in the colour of its name.
// Method: a zone of two squares, each of which a zone before it has; a disc; corners by hand.
static void pictures_have_each_area_once(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_FieldConfig field = ib_field_default();
    ib_ZoneConfig zones[4] = {zone_of(IB_ELEMENT_BOX), zone_of(IB_ELEMENT_BOX),
                              zone_of(IB_ELEMENT_BOX), zone_of(IB_ELEMENT_DISC)};
    static const char *const names[] = {"depot_red", "blue_depot", "depot", "landing"};
    for (int i = 0; i < 4; i++) snprintf(zones[i].name, sizeof zones[i].name, "%s", names[i]);
    zones[1].areas[0].x = -2;
    zones[2].areas[1] = zones[1].areas[0];
    zones[2].area_count = 2;
    zones[3].areas[0].radius = 0.5;
    int count = 7;
    assert_null(ib_zone_pictures(&field, &arena, &count));
    assert_int_equal(count, 0);
    field.zones = zones;
    field.zone_count = 4;
    const ib_AreaDef *areas = ib_zone_pictures(&field, &arena, &count);
    assert_int_equal(count, 3);
    uint32_t red, blue;
    assert_true(ib_colour_named("red", &red) && ib_colour_named("blue", &blue));
    assert_string_equal(areas[0].name, "depot_red");
    assert_string_equal(areas[1].name, "blue_depot");
    assert_string_equal(areas[2].name, "landing");
    assert_true(areas[0].colour == red && areas[1].colour == blue);
    assert_int_equal(areas[2].colour, IB_ZONE_COLOUR);
    assert_int_equal(areas[0].corner_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_close(fabs(areas[0].corner_x[i] - 2), 0.5, 1e-12);
        assert_close(fabs(areas[1].corner_y[i] - 1), 0.5, 1e-12);
    }
    for (int i = 0; i < areas[2].corner_count; i++) {
        double dx = areas[2].corner_x[i] - 2, dy = areas[2].corner_y[i] - 1;
        assert_close(sqrt(dx * dx + dy * dy), 0.5, 1e-12);
    }
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_hold_the_points_of_their_form),
        cmocka_unit_test(outlines_count_where_they_are_asked_for),
        cmocka_unit_test(rest_is_slower_than_a_millimetre_a_second),
        cmocka_unit_test(several_areas_are_one_zone),
        cmocka_unit_test(bad_zones_are_refused),
        cmocka_unit_test(pictures_have_each_area_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
