// How the field looks, by the tables of src/sim/geometry.c.
#include "scenario/given.h"
#include "sim/geometry_rig.h"

#define HALL                                                                                       \
    "robot: {kind: roomba}\n"                                                                      \
    "start: {x: 1 m, y: 1 m}\n"                                                                    \
    "inputs: {left: 0 N, right: 0 N}\n"                                                            \
    "run: {duration: 1 s}\n"                                                                       \
    "field:\n"                                                                                     \
    "  walls: {length: 4 m, width: 3 m}\n"                                                         \
    "  elements:\n"                                                                                \
    "    post: {disc: [3 m, 2 m], radius: 10 cm}\n"                                                \
    "    board: {box: [3 m, 1 m], length: 1 m, width: 0.2 m, heading: 90 deg}\n"                   \
    "    wedge: {polygon: [[3 m, 0 m], [4 m, 0 m], [4 m, 1 m]]}\n"                                 \
    "    gate: {box: [2 m, 2 m], length: 0.1 m, width: 0.5 m,\n"                                   \
    "           move: {y: [[0 s, 0.25 m], [1 s, 1 m]]}}\n"

static double gate_at(const void *self, const char *name)
{
    (void)self;
    return strcmp(name, "field.gate.x") == 0 ? 2 : strcmp(name, "field.gate.y") == 0 ? 2.75 : 0;
}

// Goal: walls and obstacles stand where they collide. Method: by hand: the lower wall of a hall of
// 4 m x 3 m is a bar of 0.05 m below y = 0, 0.05 m longer at both ends; post, board and wedge at
// their places; the gate on a frame whose signals are its whole place
// (scenarios/tank_obstacles.yaml expects field.gate.y = 4 m for a gate at 3 m moved by 1 m).
static void field_stands_where_it_collides(void **state)
{
    (void)state;
    const double tolerance = 1e-12;
    ib_Scenario *scenario = given(HALL);
    const ib_Geometry *all = ib_model_geometry(scenario->model, &arena);
    check_geometry(all, scenario->model->signals.items, scenario->model->signals.count);
    const ib_SolidDef *wall = &all->solids[0], *post = find_solid(all, "post");
    const ib_SolidDef *board = find_solid(all, "board"), *wedge = find_solid(all, "wedge");
    assert_string_equal(wall->name, "wall");
    assert_close(wall->place[0], 2, tolerance);
    assert_close(wall->place[1], -0.025, tolerance);
    assert_close(wall->size[0], 4.1, tolerance);
    assert_close(wall->size[1], 0.05, tolerance);
    assert_true(post->form == IB_SOLID_CYLINDER && post->size[0] == 0.1 && post->place[0] == 3);
    assert_close(board->attitude[0], 1.5707963267948966, tolerance);
    assert_true(board->size[0] == 1 && board->size[1] == 0.2);
    assert_true(wedge->form == IB_SOLID_POLYGON && wedge->corner_count == 3);
    double right = -INFINITY;
    for (int i = 0; i < 3; i++) right = fmax(right, wedge->place[0] + wedge->corner_x[i]);
    assert_close(right, 4, tolerance);

    const ib_SolidDef *gate = find_solid(all, "gate");
    assert_string_equal(gate->frame, "field.gate");
    ib_Pose poses[8];
    ib_geometry_poses(all, gate_at, NULL, poses);
    ib_Pose pose =
        ib_pose_in(&poses[ib_geometry_frame(all, gate->frame)], gate->place, gate->attitude);
    assert_close(pose.place[0], 2, tolerance);
    assert_close(pose.place[1], 2.75, tolerance);
    ib_scenario_destroy(scenario);
}

// Goal: where contacts are off, what would move has no signals and stays where it begins. Method:
// the same hall: the gate at y = 2 m + 0.25 m.
static void movers_without_contact_stay(void **state)
{
    (void)state;
    ib_Scenario *scenario = given(HALL "  contact: false\n");
    const ib_Geometry *all = ib_model_geometry(scenario->model, &arena);
    check_geometry(all, scenario->model->signals.items, scenario->model->signals.count);
    const ib_SolidDef *gate = find_solid(all, "gate");
    assert_null(gate->frame);
    assert_close(gate->place[1], 2.25, 1e-12);
    ib_scenario_destroy(scenario);
}

// Goal: rounded obstacles are drawn rounded. Method: a box of 1 m x 0.4 m grown by 0.1 m is a
// polygon that reaches 0.6 m and 0.3 m.
static void rounded_obstacles_are_polygons(void **state)
{
    (void)state;
    ib_Scenario *scenario = given(HALL);
    ib_FieldConfig field = *scenario->model->config->field;
    ib_SimConfig config = *scenario->model->config;
    ib_Model model = *scenario->model;
    field.elements[0].form = IB_ELEMENT_BOX;
    field.elements[0].length = 1;
    field.elements[0].width = 0.4;
    field.elements[0].radius = 0.1;
    config.field = &field;
    model.config = &config;
    const ib_SolidDef *post = find_solid(ib_model_geometry(&model, &arena), "post");
    double x = 0, y = 0;
    assert_int_equal(post->form, IB_SOLID_POLYGON);
    for (int i = 0; i < post->corner_count; i++) {
        x = fmax(x, post->corner_x[i]);
        y = fmax(y, post->corner_y[i]);
    }
    assert_close(x, 0.6, 1e-12);
    assert_close(y, 0.3, 1e-12);
    ib_scenario_destroy(scenario);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(field_stands_where_it_collides),
        cmocka_unit_test(movers_without_contact_stay),
        cmocka_unit_test(rounded_obstacles_are_polygons),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
