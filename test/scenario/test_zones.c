// Tests of scenario/zones.c and starts.c: areas of a field that stop nobody, and places at which
// robots start. What is refused: test/scenario/broken.
#include "scenario/read_rig.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

#define INCH 0.0254

// Reads a scenario of 1 s with these lines.
static const ib_Scenario *read_lines(const char *lines)
{
    char text[4000];
    snprintf(text, sizeof text, "run: {duration: 1 s}\n%s\n", lines);
    read_scenario(text);
    return scenario;
}

static const ib_FieldConfig *read_field(const char *field)
{
    char lines[3000];
    snprintf(lines, sizeof lines, "robot: {kind: box, mass: 1 kg}\nfield: %s", field);
    return read_lines(lines)->sim.field;
}

// The signals of the first sample.
static double at_start(const char *name)
{
    ib_Sim *sim;
    ib_Error error;
    int signal = ib_signals_find(&scenario->model->signals, name);
    assert_true(signal >= 0);
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    double *signals = test_calloc((size_t)scenario->model->signals.count, sizeof *signals);
    ib_sim_sample(sim, signals);
    double value = signals[signal];
    test_free(signals);
    ib_sim_destroy(sim);
    return value;
}

// Goal: a zone is a map with a form, a list of areas, or a map with that list and its rules.
// Method: one of each, numbers by hand.
static void zones_are_areas_with_rules(void **state)
{
    (void)state;
    const ib_FieldConfig *field =
        read_field("{zones: {a: {box: [1 m, 2 m], length: 50 cm, width: 20 cm, heading: 90 deg},"
                   " b: [{disc: [1 m, 0 m], radius: 3 cm}, {disc: [2 m, 0 m], radius: 4 cm}],"
                   " c: {counts: outline, at_rest: true, areas: [{polygon: [[0 m, 0 m], [3 m, 0 m],"
                   " [0 m, 3 m]]}]}}}");
    assert_int_equal(field->zone_count, 3);
    assert_int_equal(field->corner_count + field->element_count, 0);
    const ib_ZoneConfig *a = &field->zones[0], *b = &field->zones[1], *c = &field->zones[2];
    assert_string_equal(a->name, "a");
    assert_true(a->area_count == 1 && !a->outline && !a->at_rest);
    assert_true(a->areas[0].form == IB_ELEMENT_BOX && a->areas[0].x == 1 && a->areas[0].y == 2);
    assert_true(a->areas[0].length == 0.5 && a->areas[0].width == 0.2);
    assert_close(a->areas[0].heading, 1.5707963267948966, 1e-15);
    assert_true(b->area_count == 2 && !b->outline && !b->at_rest);
    assert_true(b->areas[1].form == IB_ELEMENT_DISC && b->areas[1].x == 2);
    assert_close(b->areas[1].radius, 0.04, 1e-15);
    assert_true(c->area_count == 1 && c->outline && c->at_rest);
    assert_close(c->areas[0].x, 1, 1e-15);
    assert_close(c->areas[0].corner_x[1], 2, 1e-15);
}

// Goal: every robot on the floor has a signal for each zone, named and unnamed ones, with contacts
// and without. Method: a box at (1, 2) in one of two zones; its signals of the first sample.
static void each_robot_has_a_signal_of_each_zone(void **state)
{
    (void)state;
    static const char zones[] = "zones: {here: {disc: [1 m, 2 m], radius: 1 cm},"
                                " there: {disc: [3 m, 2 m], radius: 1 cm}}";
    for (int contact = 0; contact < 2; contact++) {
        char lines[600];
        snprintf(
            lines, sizeof lines,
            "field: {contact: %s, %s}\nrobot: {kind: box, mass: 1 kg}\nstart: {x: 1 m, y: 2 m}",
            contact ? "true" : "false", zones);
        read_lines(lines);
        assert_true(at_start("in_here") == 1 && at_start("in_there") == 0);
        snprintf(
            lines, sizeof lines,
            "field: {contact: %s, %s}\nrobots:\n  red: {kind: box, mass: 1 kg, start: {x: 1 m, "
            "y: 2 m}}\n  blue: {kind: box, mass: 1 kg, start: {x: 3 m, y: 2 m}}",
            contact ? "true" : "false", zones);
        read_lines(lines);
        assert_true(at_start("red.in_here") == 1 && at_start("red.in_there") == 0);
        assert_true(at_start("blue.in_here") == 0 && at_start("blue.in_there") == 1);
    }
}

// Goal: a start place lies under the keys beside it, for one robot and for several. Method: x and
// heading from the place, y and a speed from the start; two robots from one place.
static void places_lie_under_their_start(void **state)
{
    (void)state;
    read_lines("field: {contact: false, starts: {dock: {x: 2 m, y: 5 m, heading: 90 deg}}}\n"
               "robot: {kind: box, mass: 1 kg}\n"
               "start: {place: dock, y: 1 m, velocity: {x: 3 m/s}}");
    assert_true(at_start("pose.x") == 2 && at_start("pose.y") == 1);
    assert_true(at_start("velocity.x") == 3);
    assert_close(at_start("pose.heading"), 1.5707963267948966, 1e-15);
    read_lines("field: {contact: false, starts: {dock: {x: 2 m}}}\n"
               "robots:\n"
               "  red: {kind: box, mass: 1 kg, start: {place: dock}}\n"
               "  blue: {kind: roomba, inputs: {left: 1 N, right: 1 N}, start: {place: dock}}");
    assert_true(at_start("red.pose.x") == 2 && at_start("blue.pose.x") == 2);
    assert_true(at_start("red.pose.y") == 0);
}

// Goal: Rover Ruckus has the facts' places: a robot in the middle of each corner is where its name
// says, each start place looks at that corner, and the field is the same turned by half a turn.
// Method: boxes of 1 in at (+-60, +-60) in; lines from the start places to the corners.
static void rover_ruckus_lies_as_the_facts_say(void **state)
{
    (void)state;
    static const struct {
        double x, y;
        const char *in, *start;
    } corners[] = {{60, -60, "in_depot_red", "red_depot"},
                   {-60, 60, "in_depot_blue", "blue_depot"},
                   {-60, -60, "in_crater_red", "red_crater"},
                   {60, 60, "in_crater_blue", "blue_crater"}};
    static const char *const zones[] = {"in_depot_red",   "in_depot_blue", "in_crater_red",
                                        "in_crater_blue", "in_landing",    "in_depot",
                                        "in_crater"};
    char lines[400];
    for (int i = 0; i < 4; i++) {
        snprintf(lines, sizeof lines,
                 "field: rover-ruckus\nrobot: {kind: box, mass: 1 kg, length: 1 in, width: 1 in}\n"
                 "start: {x: %g in, y: %g in}",
                 corners[i].x, corners[i].y);
        read_lines(lines);
        for (int k = 0; k < 5; k++)
            assert_int_equal((int)at_start(zones[k]), !strcmp(zones[k], corners[i].in));
        assert_int_equal((int)at_start("in_depot"), i < 2);
        assert_int_equal((int)at_start("in_crater"), i >= 2);
        snprintf(
            lines, sizeof lines,
            "field: rover-ruckus\nrobot: {kind: box, mass: 1 kg, length: 18 in, width: 18 in}\n"
            "start: {place: %s}",
            corners[i].start);
        read_lines(lines);
        double x = at_start("pose.x"), y = at_start("pose.y"), heading = at_start("pose.heading");
        assert_close(fabs(x), 16 * INCH, 1e-12);
        assert_close(x * corners[i].y - y * corners[i].x, 0, 1e-12);
        assert_close(cos(heading) * corners[i].x / 60, sqrt(0.5), 1e-12);
        assert_close(sin(heading) * corners[i].y / 60, sqrt(0.5), 1e-12);
        assert_int_equal((int)at_start("in_landing"), 1);
    }
    const ib_FieldConfig *field = scenario->sim.field;
    assert_close(field->corner_x[2], 72 * INCH, 1e-12);
    assert_int_equal(field->element_count, 1);
    for (int i = 0; i < field->zone_count; i++)
        if (!strcmp(field->zones[i].name, "crater")) {
            const ib_ElementConfig *a = &field->zones[i].areas[0], *b = &field->zones[i].areas[1];
            for (int k = 0; k < 8; k++) {
                assert_close(a->x + a->corner_x[k], -(b->x + b->corner_x[k]), 1e-12);
                assert_close(a->y + a->corner_y[k], -(b->y + b->corner_y[k]), 1e-12);
            }
        }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(zones_are_areas_with_rules, teardown),
        cmocka_unit_test_teardown(each_robot_has_a_signal_of_each_zone, teardown),
        cmocka_unit_test_teardown(places_lie_under_their_start, teardown),
        cmocka_unit_test_teardown(rover_ruckus_lies_as_the_facts_say, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
