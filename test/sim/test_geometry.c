// Claims about src/sim/geometry.c and about the tables that the robots declare.
#include "base/maths.h"
#include "desk/design/design_loader.h"
#include "robot/solid.h"
#include "scenario/given.h"
#include "sim/geometry_rig.h"

#include <glob.h>
#include <stdio.h>

// ----------------------------------------------------------------------------- what all tables owe

// Goal: every scenario of the project can be drawn. Method: read each; all signals exist in the
// model's table with the unit of their use, parents come before children, sizes and colours are in
// range; every robot has a solid.
static void every_scenario_has_a_sound_table(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob(IB_SOURCE_DIR "/scenarios/*.yaml", 0, NULL, &files), 0);
    assert_true(files.gl_pathc > 30);
    for (size_t i = 0; i < files.gl_pathc; i += IB_ROUNDS(1, 4)) {
        ib_Scenario *scenario = given_with(files.gl_pathv[i], NULL,
                                           &(ib_ScenarioOptions){.designs = &ib_design_loader});
        const ib_Geometry *geometry = ib_model_geometry(scenario->model, &arena);
        check_geometry(geometry, scenario->model->signals.items, scenario->model->signals.count);
        assert_true(geometry->solid_count >= scenario->model->robot_count);
        ib_scenario_destroy(scenario);
    }
    globfree(&files);
}

// A robot of this kind with nothing but defaults.
static ib_RobotPorts default_ports(const ib_RobotKind *kind)
{
    ib_Robot robot;
    ib_Error error = {0};
    void *config = ib_arena_alloc(&arena, kind->config_size);
    assert_int_equal(ib_read_defaults(&kind->params, config, &error), IB_OK);
    assert_int_equal(ib_read_defaults(&kind->start, config, &error), IB_OK);
    assert_int_equal(ib_robot_init(kind, config, &arena, &robot, &error), IB_OK);
    return robot.ports;
}

// Goal: every kind of robot declares how it looks. Method: with defaults; the same checks against
// its own signals.
static void every_kind_declares_its_look(void **state)
{
    (void)state;
    for (int i = 0; ib_robot_kinds[i]; i++) {
        ib_RobotPorts ports = default_ports(ib_robot_kinds[i]);
        assert_non_null(ports.geometry);
        assert_true(ports.geometry->solid_count > 0);
        check_geometry(ib_robot_geometry(&ports, "", &arena), ports.signals, ports.signal_count);
    }
}

// -------------------------------------------------------------------------------------- the robots

typedef struct Extent {
    double low[2], high[2];
} Extent;

static void stretch(Extent *extent, const ib_Pose *pose, double x, double y, double z)
{
    double at[3];
    ib_pose_point(pose, (double[3]){x, y, z}, at);
    for (int i = 0; i < 2; i++) {
        extent->low[i] = fmin(extent->low[i], at[i]);
        extent->high[i] = fmax(extent->high[i], at[i]);
    }
}

// How far a solid on the body's frame reaches, seen from above.
static Extent extent_of(const ib_SolidDef *solid)
{
    Extent extent = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    ib_Pose field = ib_pose_field(), pose = ib_pose_in(&field, solid->place, solid->attitude);
    const double *size = solid->size;
    for (int i = 0; solid->form == IB_SOLID_BOX && i < 4; i++)
        stretch(&extent, &pose, (i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1], 0);
    for (int i = 0; solid->form == IB_SOLID_CYLINDER && i < 16; i++) {
        double angle = 0.39269908169872414 * (i / 2); // eighths of a circle
        stretch(&extent, &pose, size[0] * ib_cos(angle), size[0] * ib_sin(angle),
                (i & 1 ? 0.5 : -0.5) * size[1]);
        stretch(&extent, &pose, -size[0] * ib_cos(angle), -size[0] * ib_sin(angle),
                (i & 1 ? 0.5 : -0.5) * size[1]);
    }
    for (int i = 0; solid->form == IB_SOLID_CAPSULE && i < 4; i++)
        stretch(&extent, &field, solid->place[0] + (i & 1 ? size[0] : -size[0]),
                solid->place[1] + (i & 2 ? size[0] : -size[0]), 0); // balls, and nothing longer
    for (int i = 0; solid->form == IB_SOLID_POLYGON && i < solid->corner_count; i++)
        stretch(&extent, &pose, solid->corner_x[i], solid->corner_y[i], 0);
    return extent;
}

// All that is rigid with the body lies within the outline, and reaches it on all sides.
static void check_outline(const ib_RobotPorts *ports)
{
    const double tolerance = 1e-9; // roundings of a sum of sizes
    const ib_Geometry *look = ports->geometry;
    double most[4] = {0};
    for (int i = 0; i < look->solid_count; i++) {
        if (strcmp(look->solids[i].frame, "body") != 0) continue;
        Extent e = extent_of(&look->solids[i]);
        most[0] = fmin(most[0], e.low[0]);
        most[1] = fmax(most[1], e.high[0]);
        most[2] = fmin(most[2], e.low[1]);
        most[3] = fmax(most[3], e.high[1]);
    }
    assert_close(most[0], -ports->length / 2, tolerance);
    assert_close(most[1], ports->length / 2, tolerance);
    assert_close(most[2], -ports->width / 2, tolerance);
    assert_close(most[3], ports->width / 2, tolerance);
}

// Goal: what is drawn is what collides. Method: the kinds with a body, with defaults, and tanks of
// odd sizes: wheels outside of the bumpers, large wheels close together, a small one.
static void solids_fill_the_outline(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "kind: tank, length: 1 m, width: 0.9 m, half_track: 0.5 m",
        "kind: tank, length: 0.5 m, width: 0.9 m, half_track: 0.1 m, drive: {wheel_diameter: 20 "
        "cm}",
        "kind: tank, length: 0.2 m, width: 0.1 m, half_track: 0.03 m, drive: {wheel_diameter: 4 "
        "cm}",
        "kind: tank, wheels: {contact_half_length: 0 m}",
    };
    for (int i = 0; ib_robot_kinds[i]; i++) {
        ib_RobotPorts ports = default_ports(ib_robot_kinds[i]);
        if (ports.planar) check_outline(&ports);
    }
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "robot: {%s}\ninputs: {left: 0 V, right: 0 V}\nrun: {duration: 1 s}\n", bodies[i]);
        ib_Scenario *scenario = given(text);
        check_outline(&scenario->model->robots[0].ports);
        ib_scenario_destroy(scenario);
    }
}

static const char full_tank[] =
    "robots:\n"
    "  red:\n"
    "    kind: tank\n"
    "    payload: {mass: 5 kg, most: 20 kg}\n"
    "    air: {preset: frc-charged, cylinders: {arm: {stroke: 8 in}, claw: {stroke: 2 in}}}\n"
    "    inputs: {left: 0 V, right: 0 V}\n"
    "  blue: {kind: tank, start: {x: 3 m}, inputs: {left: 0 V, right: 0 V}}\n"
    "disturbances: [{robot: red, at: 0.1 s, for: 0.1 s, force: 2 N, direction: 90 deg}]\n"
    "run: {duration: 1 s}\n";

// Goal: a tank with everything shows everything, each robot under its own name. Method: payload,
// two cylinders and a push: their frames hang on the signals that move them; wheels are tinted by
// the slip of their side.
static void tank_shows_all_that_it_has(void **state)
{
    (void)state;
    ib_Scenario *scenario = given(full_tank);
    const ib_SignalTable *signals = &scenario->model->signals;
    const ib_Geometry *all = ib_model_geometry(scenario->model, &arena);
    check_geometry(all, signals->items, signals->count);
    int payload = ib_geometry_frame(all, "red.payload");
    int claw = ib_geometry_frame(all, "red.cylinder.claw");
    assert_true(payload >= 0 && claw >= 0);
    assert_true(ib_geometry_frame(all, "red.cylinder.arm") >= 0);
    assert_int_equal(ib_geometry_frame(all, "blue.payload"), -1);
    assert_string_equal(all->frames[payload].parent, "red.body");
    assert_string_equal(all->frames[payload].move[0], "red.payload.x");
    assert_string_equal(all->frames[claw].move[2], "red.cylinder.claw.position");
    assert_string_equal(find_solid(all, "blue left wheel")->tint, "blue.wheel.left.slip");
    assert_true(find_solid(all, "blue left wheel")->place[1] > 0);
    const ib_ArrowDef *push = find_arrow(all, "red F_push");
    assert_non_null(push);
    int frame = ib_geometry_frame(all, push->frame);
    assert_string_equal(all->frames[frame].move[0], "red.pose.x");
    assert_null(all->frames[frame].turn[0]); // pushes are known in the field's directions
    ib_scenario_destroy(scenario);
}

// What is strongest in a colour: 2 red, 1 green, 0 blue.
static int strongest(uint32_t colour)
{
    int best = 0;
    for (int i = 1; i < 3; i++)
        if ((colour >> (8 * i) & 255) > (colour >> (8 * best) & 255)) best = i;
    return best;
}

// Goal: a robot of any kind that is called after a colour wears it, and no other does. Method: one
// of each kind; of red, green and blue the part that is called so is the largest.
static void robots_wear_the_colour_they_are_called_after(void **state)
{
    (void)state;
    ib_Scenario *scenario =
        given("robots:\n"
              "  red: {kind: tank, inputs: {left: 0 V, right: 0 V}}\n"
              "  blue: {kind: roomba, start: {x: 3 m}, inputs: {left: 0 N, right: 0 N}}\n"
              "  green: {kind: box, start: {x: 6 m}}\n"
              "  redder: {kind: tank, start: {x: 9 m}, inputs: {left: 0 V, right: 0 V}}\n"
              "run: {duration: 1 s}\n");
    const ib_Geometry *all = ib_model_geometry(scenario->model, &arena);
    assert_int_equal(strongest(find_solid(all, "red front bumper")->colour), 2);
    assert_int_equal(strongest(find_solid(all, "blue bumper")->colour), 0);
    assert_int_equal(strongest(find_solid(all, "green crate")->colour), 1);
    assert_int_equal(find_solid(all, "redder left bumper")->colour, IB_COLOUR_BUMPER);
    assert_int_equal(find_solid(all, "red chassis")->colour, IB_COLOUR_METAL);
    ib_scenario_destroy(scenario);
}

// Goal: the forces on a tank are arrows: of the floor on each side, forward, at its wheels; of
// contacts at the points that touch, in the field's directions, and so is its last hit. The sum of
// contacts is none, or each would be seen twice. Method: two tanks, which can touch; and one alone,
// which can touch nothing and has no such arrow.
static void forces_of_floor_and_contact_are_arrows(void **state)
{
    (void)state;
    ib_Scenario *scenario = given(full_tank);
    const ib_Geometry *all = ib_model_geometry(scenario->model, &arena);
    for (int side = 0; side < 2; side++) {
        const ib_ArrowDef *drive = find_arrow(all, side ? "blue F_r" : "blue F_l");
        assert_non_null(drive);
        assert_int_equal(drive->kind, IB_ARROW_FORCE);
        assert_string_equal(drive->frame, "blue.body");
        assert_string_equal(drive->signal[0],
                            side ? "blue.wheel.right.force" : "blue.wheel.left.force");
        assert_true(drive->along[0][0] == 1);
        const char *wheel = side ? "blue right wheel" : "blue left wheel";
        assert_true(drive->place[1] == find_solid(all, wheel)->place[1]);
    }
    const ib_ArrowDef *contact = find_arrow(all, "blue F_contact,4");
    assert_non_null(contact);
    assert_null(contact->frame);
    assert_null(contact->since);
    assert_string_equal(contact->move[0], "blue.contact.4.x");
    assert_string_equal(contact->signal[1], "blue.contact.4.force.y");
    assert_true(contact->along[0][0] == 1 && contact->along[1][1] == 1);
    const ib_ArrowDef *hit = find_arrow(all, "blue J_hit");
    assert_non_null(hit);
    assert_int_equal(hit->kind, IB_ARROW_IMPULSE);
    assert_string_equal(hit->since, "blue.contact.hit.time");
    assert_string_equal(hit->move[1], "blue.contact.hit.y");
    assert_string_equal(hit->signal[0], "blue.contact.hit.impulse.x");
    assert_true(hit->place[2] == contact->place[2]);
    for (int i = 0; i < all->arrow_count; i++)
        assert_string_not_equal(all->arrows[i].signal[0], "blue.contact.force.x");
    ib_scenario_destroy(scenario);

    scenario = given("robot: {kind: tank}\ninputs: {left: 0 V, right: 0 V}\n"
                     "run: {duration: 1 s}\n");
    all = ib_model_geometry(scenario->model, &arena);
    assert_non_null(find_arrow(all, "F_l"));
    assert_null(find_arrow(all, "F_contact,1"));
    assert_null(find_arrow(all, "J_hit"));
    ib_scenario_destroy(scenario);
}

// Goal: benches do not stand inside each other. Method: two; the second one's frame is beside.
static void robots_that_never_move_stand_in_a_row(void **state)
{
    (void)state;
    ib_Scenario *scenario = given("robots:\n"
                                  "  a: {kind: motor_bench, inputs: {command: 1 V}}\n"
                                  "  b: {kind: motor_bench, inputs: {command: 1 V}}\n"
                                  "run: {duration: 1 s}\n");
    const ib_Geometry *all = ib_model_geometry(scenario->model, &arena);
    const ib_FrameDef *a = &all->frames[ib_geometry_frame(all, "a.bench")];
    const ib_FrameDef *b = &all->frames[ib_geometry_frame(all, "b.bench")];
    assert_true(a->place[1] == 0 && fabs(b->place[1]) > find_solid(all, "a plate")->size[1]);
    int shaft = ib_geometry_frame(all, "b.shaft");
    assert_string_equal(all->frames[shaft].turn[2], "b.motor.angle");
    ib_scenario_destroy(scenario);
}

static double crate_at(const void *self, const char *name)
{
    (void)self;
    if (strcmp(name, "crate.pose.x") == 0) return 2;
    if (strcmp(name, "crate.pose.y") == 0) return -1;
    if (strcmp(name, "crate.pose.heading") == 0) return 1.5707963267948966;
    return 0;
}

// Goal: a placed robot is where its pose says. Method: a crate 0.6 m x 0.4 m at (2, -1), turned
// left by a quarter: its left batten, at +0.3 of 0.4 m = 0.12 m to its left, is at (1.88, -1) and
// lies along the field's y.
static void placed_robot_is_where_its_pose_says(void **state)
{
    (void)state;
    ib_Scenario *scenario = given("robots: {crate: {kind: box, length: 0.6 m, width: 0.4 m}}\n"
                                  "run: {duration: 1 s}\n");
    const ib_Geometry *all = ib_model_geometry(scenario->model, &arena);
    ib_Pose poses[8];
    double at[3];
    assert_true(all->frame_count <= 8);
    ib_geometry_poses(all, crate_at, NULL, poses);
    const ib_SolidDef *batten = find_solid(all, "crate left batten");
    const ib_Pose *body = &poses[ib_geometry_frame(all, batten->frame)];
    ib_Pose pose = ib_pose_in(body, batten->place, batten->attitude);
    assert_close(pose.place[0], 1.88, 1e-12);
    assert_close(pose.place[1], -1, 1e-12);
    ib_pose_point(&pose, (double[3]){batten->size[0] / 2, 0, 0}, at);
    assert_close(at[0], 1.88, 1e-12);
    assert_close(at[1], -0.7, 1e-12);
    ib_scenario_destroy(scenario);
}

// Goal: a robot that goes about on legs says what carries it, under its own name; one on wheels or
// on a stand, which other things carry, does not. Method: the three bases of a quadruped.
static void robots_on_legs_name_their_feet(void **state)
{
    (void)state;
    static const char *const bases[] = {"free", "wheels", "fixed"};
    for (int i = 0; i < 3; i++) {
        ib_Scenario *scenario = given(ib_arena_format(
            &arena, "robots: {red: {kind: quadruped, base: %s}}\nrun: {duration: 1 s}\n",
            bases[i]));
        const ib_SignalTable *signals = &scenario->model->signals;
        const ib_Geometry *all = ib_model_geometry(scenario->model, &arena);
        check_geometry(all, signals->items, signals->count);
        assert_int_equal(all->mark_count, 1);
        assert_int_equal(all->marks[0].foot_count, i == 0 ? 4 : 0);
        if (i == 0) {
            const ib_SoleDef *last = &all->marks[0].feet[3];
            assert_string_equal(last->load, "red.leg.rr.foot.force.z");
            assert_string_equal(last->move[2], "red.leg.rr.foot.z");
        }
        ib_scenario_destroy(scenario);
    }
}

// Goal: a robot without a table is drawn as its outline, with the forces of its ports; one with
// arrows of its own gets no second ones. Method: a disc of 0.5 m with a pose and two forces, then
// the same with a table that has an arrow for the first.
static void robots_without_a_table_show_their_outline(void **state)
{
    (void)state;
    static const ib_SignalDef signals[] = {
        {"pose.x", "m", "", 0}, {"pull", "N", "", 0}, {"drag", "N", "", 0}};
    static const ib_ForceDef forces[] = {{"F_p", "pull", 0.1, 0.2, 0, 1},
                                         {"F_d", "drag", 0, 0, 1, 0, "side"}};
    ib_RobotPorts ports = {.signal_count = 3,
                           .signals = signals,
                           .force_count = 2,
                           .forces = forces,
                           .length = 0.5,
                           .round = true};
    const ib_Geometry *disc = ib_robot_geometry(&ports, "r", &arena);
    const ib_FrameDef *body = &disc->frames[0];
    assert_string_equal(body->name, "r.body");
    assert_string_equal(body->move[0], "r.pose.x");
    assert_true(!body->move[1] && !body->turn[0]); // it has no such signals
    const ib_SolidDef *outline = find_solid(disc, "r outline");
    assert_true(outline->form == IB_SOLID_CYLINDER && outline->size[0] == 0.25);
    find_solid(disc, "r front mark");
    const ib_ArrowDef *pull = find_arrow(disc, "r F_p");
    assert_true(pull && pull->place[0] == 0.1 && pull->place[1] == 0.2 && pull->along[0][1] == 1);
    assert_string_equal(pull->signal[0], "r.pull");
    assert_null(pull->signal[1]);
    const ib_ArrowDef *drag = find_arrow(disc, "r F_d"); // in two parts
    assert_string_equal(drag->signal[1], "r.side");
    assert_true(drag->along[0][0] == 1 && drag->along[1][0] == 0 && drag->along[1][1] == 1);

    static const ib_ArrowDef own = {
        .name = "mine", .kind = IB_ARROW_FORCE, .signal = {"pull"}, .along = {{1, 0, 0}}};
    static const ib_Geometry table = {.arrows = &own, .arrow_count = 1};
    ports.geometry = &table;
    const ib_Geometry *given = ib_robot_geometry(&ports, "r", &arena);
    assert_int_equal(given->arrow_count, 2);
    assert_true(find_arrow(given, "r mine") && find_arrow(given, "r F_d"));
    assert_null(find_arrow(given, "r F_p"));
}

// Goal: a lack of memory gives NULL, at whatever point it comes. Method: arenas from 0 to 64 KiB in
// steps of 1000 bytes, of which the last is enough.
static void missing_memory_gives_null(void **state)
{
    (void)state;
    ib_Scenario *scenario = given(full_tank);
    const ib_Geometry *last = NULL;
    for (size_t limit = 1; limit < 64 << 10; limit += 1000) {
        ib_Arena small = {.limit = limit};
        last = ib_model_geometry(scenario->model, &small);
        ib_arena_reset(&small);
    }
    assert_non_null(last);
    ib_scenario_destroy(scenario);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scenario_has_a_sound_table),
        cmocka_unit_test(every_kind_declares_its_look),
        cmocka_unit_test(solids_fill_the_outline),
        cmocka_unit_test(tank_shows_all_that_it_has),
        cmocka_unit_test(robots_wear_the_colour_they_are_called_after),
        cmocka_unit_test(forces_of_floor_and_contact_are_arrows),
        cmocka_unit_test(robots_that_never_move_stand_in_a_row),
        cmocka_unit_test(placed_robot_is_where_its_pose_says),
        cmocka_unit_test(robots_on_legs_name_their_feet),
        cmocka_unit_test(robots_without_a_table_show_their_outline),
        cmocka_unit_test(missing_memory_gives_null),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
