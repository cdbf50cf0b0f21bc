// Tests of scenario/field.c: what is written under `field` becomes walls, elements and their
// courses. What is refused: test/scenario/broken.
#include "file/catalogue.h"
#include "robot/planar.h"
#include "scenario/read_rig.h"

#include <stdio.h>
#include <string.h>

// Reads a scenario with two Roombas, one at (x, 3 m) and one 0.6 m above it, and this field.
static const ib_FieldConfig *read_field(const char *field, double x)
{
    char text[4000];
    snprintf(text, sizeof text,
             "robots:\n"
             "  red: {kind: roomba, inputs: {left: 1 N, right: 1 N}, start: {x: %g m, y: 3 m}}\n"
             "  blue: {kind: roomba, inputs: {left: 1 N, right: 1 N}, start: {x: %g m, y: 3.6 m}}\n"
             "run: {duration: 1 s}\nfield: %s\n",
             x, x, field);
    read_scenario(text);
    return scenario->sim.field;
}

static void assert_corners(const ib_FieldConfig *field, int count, const double *x, const double *y)
{
    assert_int_equal(field->corner_count, count);
    for (int i = 0; i < count; i++) {
        assert_close(field->corner_x[i], x[i], 1e-12);
        assert_close(field->corner_y[i], y[i], 1e-12);
    }
}

// Goal: a name, a map with that name and a map with its numbers are the same field. Method: FRC's
// 54 ft by 27 ft in metres, by hand.
static void names_stand_for_their_fields(void **state)
{
    (void)state;
    static const char *const ways[] = {"frc", "{preset: frc}",
                                       "{walls: {length: 54 ft, width: 27 ft}}"};
    for (int i = 0; i < 3; i++) {
        const ib_FieldConfig *field = read_field(ways[i], 2);
        assert_corners(field, 4, (double[]){0, 16.4592, 16.4592, 0},
                       (double[]){0, 0, 8.2296, 8.2296});
        assert_true(field->restitution == 1 && field->friction == 0.5);
        assert_int_equal(field->element_count, 0);
    }
}

// Goal: keys beside a name win, maps are laid upon each other. Method: friction and an element
// added to `frc`; one post of the obstacle course moved.
static void keys_beside_a_name_win(void **state)
{
    (void)state;
    const ib_FieldConfig *field = read_field(
        "{preset: frc, friction: 0.2, elements: {post: {disc: [5 m, 4 m], radius: 10 cm}}}", 2);
    assert_int_equal(field->corner_count, 4);
    assert_int_equal(field->element_count, 1);
    assert_true(field->friction == 0.2 && field->elements[0].friction == 0.2);

    field = read_field("{preset: obstacle-course, elements: {post_1: {disc: [3 m, 1 m]}}}", 1);
    assert_int_equal(field->element_count, 7);
    for (int i = 0; i < field->element_count; i++)
        if (strcmp(field->elements[i].name, "post_1") == 0)
            assert_true(field->elements[i].y == 1 && field->elements[i].radius == 0.1);
}

// Goal: walls lie where they are written.
// Method: an origin in the middle, and a polygon that turns inwards.
static void walls_lie_where_they_are_written(void **state)
{
    (void)state;
    const ib_FieldConfig *field =
        read_field("{walls: {length: 12 m, width: 10 m}, origin: [6 m, 5 m]}", 0);
    assert_corners(field, 4, (double[]){-6, 6, 6, -6}, (double[]){-5, -5, 5, 5});
    field = read_field("{walls: {polygon: [[0 m, 0 m], [9 m, 0 m], [9 m, 2 m], [5 m, 2 m], "
                       "[5 m, 6 m], [0 m, 6 m]]}}",
                       1);
    assert_corners(field, 6, (double[]){0, 9, 9, 5, 5, 0}, (double[]){0, 0, 2, 2, 6, 6});
}

// Goal: every form has its place, size and surface. Method: one of each, by hand; a polygon's
// origin is the mean of its corners.
static void elements_have_place_size_and_surface(void **state)
{
    (void)state;
    const ib_FieldConfig *field = read_field(
        "{restitution: 0.7, friction: 0.3, elements: {bench: {box: [2 m, 1 m], length: 1.5 m, "
        "width: 40 cm, heading: 30 deg, radius: 1 cm}, post: {disc: [5 m, 2 m], radius: 10 cm, "
        "restitution: 0.1, friction: 1}, wedge: {polygon: [[5 m, 5 m], [8 m, 5 m], [5 m, 8 m]]}}}",
        0);
    assert_int_equal(field->corner_count, 0);
    assert_int_equal(field->element_count, 3);
    const ib_ElementConfig *box = &field->elements[0], *disc = box + 1, *wedge = box + 2;
    assert_string_equal(box->name, "bench");
    assert_true(box->form == IB_ELEMENT_BOX && box->x == 2 && box->y == 1);
    assert_true(box->length == 1.5 && box->radius == 0.01);
    assert_close(box->width, 0.4, 1e-15);
    assert_close(box->heading, M_PI / 6, 1e-15);
    assert_true(box->restitution == 0.7 && box->friction == 0.3);
    assert_true(disc->form == IB_ELEMENT_DISC && disc->x == 5 && disc->radius == 0.1);
    assert_true(disc->restitution == 0.1 && disc->friction == 1);
    assert_true(wedge->form == IB_ELEMENT_POLYGON && wedge->corner_count == 3);
    assert_close(wedge->x, 6, 1e-14);
    assert_close(wedge->y, 6, 1e-14);
    assert_close(wedge->corner_x[1], 2, 1e-14);
    assert_close(wedge->corner_y[1], -1, 1e-14);
}

// Goal: a move is an offset over time, and the element has signals. Method: two tracks, by hand;
// elements that stay have none.
static void moves_are_timelines_with_signals(void **state)
{
    (void)state;
    const ib_FieldConfig *field = read_field(
        "{elements: {post: {disc: [5 m, 2 m], radius: 10 cm}, gate: {box: [8 m, 3 m], move: "
        "{y: [[0 s, 0 m], [1.5 s, 2 m]], heading: [[1 s, 90 deg]]}}}}",
        0);
    const ib_FieldTrack *move = field->elements[1].move;
    assert_int_equal(move[IB_TRACK_X].count, 0);
    assert_int_equal(move[IB_TRACK_Y].count, 2);
    assert_true(move[IB_TRACK_Y].times[1] == IB_SECOND * 3 / 2 && move[IB_TRACK_Y].values[1] == 2);
    assert_int_equal(move[IB_TRACK_HEADING].count, 1);
    assert_close(move[IB_TRACK_HEADING].values[0], M_PI / 2, 1e-15);
    const ib_SignalTable *signals = &scenario->model->signals;
    assert_true(ib_signals_find(signals, "field.gate.y") >= 0);
    assert_true(ib_signals_find(signals, "field.post.y") < 0);
    assert_true(ib_signals_find(signals, "red.contact.force") >= 0);
}

// Goal: `contact: false` lets all pass, and robots that start inside each other pass each other.
// Method: a start inside a post without contact; two robots at one place and 0.6 m apart.
static void who_may_pass_passes(void **state)
{
    (void)state;
    read_field("{contact: false, elements: {post: {disc: [1 m, 3 m], radius: 10 cm}}}", 1);
    assert_null(scenario->model->world);
    read_field("frc", 2);
    assert_true(scenario->model->world->ghosts[0] == 0);
    static const char text[] = "robots:\n"
                               "  red: {kind: roomba, inputs: {left: 1 N, right: 1 N}}\n"
                               "  blue: {kind: roomba, inputs: {left: 1 N, right: 2 N}}\n"
                               "run: {duration: 1 s}\n";
    read_scenario(text);
    assert_true(scenario->model->world->ghosts[1] && scenario->model->world->ghosts[2]);
}

// Goal: every field that comes with the program can be read. Method: all names of data/fields, with
// robots that pass through what stands there.
static void every_field_of_the_program_reads(void **state)
{
    (void)state;
    int count = 0;
    for (const ib_DataFile *file = ib_data_files; file->name; file++) {
        if (strncmp(file->name, "fields/", 7) != 0) continue;
        char text[80];
        snprintf(text, sizeof text, "{preset: %s, contact: false}", file->name + 7);
        const ib_FieldConfig *field = read_field(text, 1);
        assert_int_equal(field->corner_count, 4);
        count++;
    }
    assert_true(count >= 9);
}

// Goal: a start that is drawn is never inside of something, and all the rest of the field is drawn
// from evenly. Method: a Roomba in a room of 4 m, half of which a box fills: 400 seeds are all
// read, all starts lie in the free half, in each of its quarters 100 +- 35 (4 sigma of a binomial);
// a first draw that was clear is kept, as in a room without the box.
static void random_starts_are_clear(void **unused)
{
    (void)unused;
    static const char *const fields[] = {
        "{walls: {length: 4 m, width: 4 m}, elements: {b: {box: [1 m, 2 m], length: 2 m, width: 4 "
        "m}}}",
        "{walls: {length: 40 m, width: 40 m}, origin: [20 m, 20 m]}"};
    int quarters[4] = {0}, kept = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        double x[2], y[2];
        for (int i = 0; i < 2; i++) {
            char text[600];
            snprintf(
                text, sizeof text,
                "robot: {kind: roomba}\nstart: {x: {uniform: [0 m, 4 m]}, y: {uniform: [0 m, 4 "
                "m]}}\ninputs: {left: 1 N, right: 1 N}\nrun: {duration: 1 s, seed: %d}\n"
                "field: %s\n",
                (int)seed, fields[i]);
            read_scenario(text);
            const ib_RobotModel *robot = &scenario->model->robots[0];
            double state[64] = {0};
            ib_Motion at;
            assert_true(robot->ports.state_count <= 64);
            robot->kind->reset(robot->config, robot->model, state);
            ib_planar_motion(robot->ports.planar, state, NULL, &at);
            x[i] = at.x;
            y[i] = at.y;
        }
        assert_true(x[0] > 2.1 && x[0] < 3.9 && y[0] > 0.1 && y[0] < 3.9);
        quarters[(x[0] > 3) + 2 * (y[0] > 2)]++;
        kept += x[0] == x[1] && y[0] == y[1];
    }
    for (int i = 0; i < 4; i++) assert_in_range(quarters[i], 65, 135);
    assert_true(kept > 100);
}

// Goal: ridges are read in the units of the file, with or without walls. Method: numbers by hand,
// 8 in = 0.2032 m.
static void ridges_are_read(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "{ridges: {rim: {line: [[1 m, 20 cm], [2 m, 0 m]], width: 8 in, height: 2 in}}}",
        "{walls: {length: 8 m, width: 8 m}, ridges: {rim: {line: [[1 m, 20 cm], [2 m, 0 m]], "
        "width: 8 in, height: 2 in}}}"};
    for (int i = 0; i < 2; i++) {
        const ib_FieldConfig *field = read_field(ways[i], 3);
        assert_int_equal(field->ridge_count, 1);
        const ib_RidgeConfig *rim = &field->ridges[0];
        assert_string_equal(rim->name, "rim");
        assert_int_equal(rim->count, 2);
        assert_close(rim->x[0], 1, 0);
        assert_close(rim->y[0], 0.2, 1e-16);
        assert_close(rim->x[1], 2, 0);
        assert_close(rim->width, 0.2032, 1e-15);
        assert_close(rim->height, 0.0508, 1e-15);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(names_stand_for_their_fields, teardown),
        cmocka_unit_test_teardown(keys_beside_a_name_win, teardown),
        cmocka_unit_test_teardown(walls_lie_where_they_are_written, teardown),
        cmocka_unit_test_teardown(elements_have_place_size_and_surface, teardown),
        cmocka_unit_test_teardown(moves_are_timelines_with_signals, teardown),
        cmocka_unit_test_teardown(who_may_pass_passes, teardown),
        cmocka_unit_test_teardown(every_field_of_the_program_reads, teardown),
        cmocka_unit_test_teardown(random_starts_are_clear, teardown),
        cmocka_unit_test_teardown(ridges_are_read, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
