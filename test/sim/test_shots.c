// A tank robot, shot at random into rooms with obstacles: nothing gets into or through anything.
#include "cmocka_all.h"
#include "robot/box.h"
#include "robot/tank_rig.h"
#include "spread.h"

#include <math.h>

enum { SHOTS = IB_ROUNDS(500, 50) };

static const double deg = 0.017453292519943295;
static const double deepest = 1e-4; // [m], that it may be inside a wall

// Uniform in [low, high), the `draw`-th number of a shot.
static double draw(int shot, int *index, double low, double high)
{
    return low + (high - low) * chance_uniform(3, (uint64_t)shot, (uint64_t)(*index)++);
}

// A convex room of 3 to 8 corners on a circle, some obstacles in it.
static void draw_field(int shot, int *index, ib_FieldConfig *field)
{
    *field = ib_field_default();
    field->restitution = draw(shot, index, 0, 1);
    field->friction = draw(shot, index, 0, 1.5);
    field->corner_count = (int)draw(shot, index, 3, 9);
    double size = draw(shot, index, 2.5, 6);
    for (int i = 0; i < field->corner_count; i++) {
        double at = (i + draw(shot, index, 0, 0.6)) * 360 * deg / field->corner_count;
        field->corner_x[i] = size * cos(at);
        field->corner_y[i] = size * sin(at);
    }
    field->element_count = (int)draw(shot, index, 0, 5);
    for (int i = 0; i < field->element_count; i++) {
        ib_ElementConfig *e = &field->elements[i];
        *e = ib_element_default(field);
        e->form = i % 2 ? IB_ELEMENT_DISC : IB_ELEMENT_BOX;
        snprintf(e->name, sizeof e->name, "obstacle_%d", i);
        e->x = draw(shot, index, -size, size);
        e->y = draw(shot, index, -size, size);
        e->heading = draw(shot, index, -3, 3);
        e->length = draw(shot, index, 0.05, 1);
        e->width = draw(shot, index, 0.02, 0.3);
        e->radius = i % 2 ? draw(shot, index, 0.02, 0.4) : 0;
    }
}

// Any wheels, any solver, any step from 0.1 to 20 ms, up to 50 m/s.
static void draw_robot(int shot, int *index, Rig *rig, const ib_FieldConfig *field)
{
    double speed = draw(shot, index, 0, 1), course = draw(shot, index, 0, 6.3);
    speed *= shot % 8 == 5 ? 1 : 50;
    rig->tank.wheels.model = shot % 4;
    rig->tank.drive.rotor_inertia = 7.75e-5;
    rig->tank.equations = shot % 16 == 9 ? IB_TANK_PUBLISHED : IB_TANK_CORRECTED;
    rig->tank.bumper.restitution = draw(shot, index, 0, 1);
    rig->tank.bumper.friction = draw(shot, index, 0, 1.5);
    rig->tank.length = draw(shot, index, 0.3, 1);
    rig->tank.planar.heading = draw(shot, index, -3, 3);
    rig->tank.planar.velocity_x = speed * cos(course);
    rig->tank.planar.velocity_y = speed * sin(course);
    rig->tank.planar.velocity_heading = draw(shot, index, -8, 8);
    rig_drive(rig, draw(shot, index, -12, 12), draw(shot, index, -12, 12));
    rig->sim_config.field = field;
    rig->sim_config.solver = (ib_SolverConfig){(ib_SolverKind)(shot / 4 % 4), 1e-6, 1e-9};
    rig->sim_config.step = (ib_Time)(1e5 * exp(draw(shot, index, 0, log(200))));
}

// Is the point inside the room? By the cross products of its edges alone.
static bool is_inside(const ib_FieldConfig *field, double x, double y)
{
    bool inside = true;
    for (int i = 0; i < field->corner_count; i++) {
        int next = (i + 1) % field->corner_count;
        double ex = field->corner_x[next] - field->corner_x[i];
        double ey = field->corner_y[next] - field->corner_y[i];
        inside &= ex * (y - field->corner_y[i]) - ey * (x - field->corner_x[i]) > 0;
    }
    return inside;
}

// How deep anything is in anything else; infinite where a middle has left the room.
static double depth_of(const Rig *rig, const ib_FieldConfig *field, const double *signals)
{
    const ib_World *world = rig->model->world;
    ib_BodyState bodies[2] = {0};
    double deep = 0;
    for (int i = 0; i < rig->model->robot_count; i++) {
        const double *pose = signals + rig->model->robots[i].signal; // x, y, heading come first
        bodies[i] = (ib_BodyState){.x = pose[0], .y = pose[1], .heading = pose[2]};
        if (!is_inside(field, pose[0], pose[1])) return INFINITY;
    }
    for (int pair = 0; pair < world->pair_count; pair++)
        deep = fmax(deep, -ib_world_gap(world, pair, bodies, NULL));
    return deep;
}

typedef struct Tally {
    int shots, hits;
    double deepest, gained; // [m, J]
} Tally;

// Places robot and box at random until all outlines are clear of each other and inside.
static bool place(int shot, int *index, Rig *rig, ib_BoxConfig *box, const ib_FieldConfig *field)
{
    for (int tries = 0; tries < 100; tries++) {
        rig->tank.planar.x = draw(shot, index, -4, 4);
        rig->tank.planar.y = draw(shot, index, -4, 4);
        box->planar.x = draw(shot, index, -4, 4);
        box->planar.y = draw(shot, index, -4, 4);
        if (!is_inside(field, rig->tank.planar.x, rig->tank.planar.y) ||
            !is_inside(field, box->planar.x, box->planar.y))
            continue;
        int overlap = -1;
        if (ib_model_create(&rig->sim_config, &rig->arena, &rig->model, &rig->error) == IB_OK)
            overlap = ib_model_overlap(rig->model, &rig->error);
        else
            fail_msg("shot %d: %s", shot, rig->error.text);
        // Two that start inside each other would be let through.
        bool ghosts = rig->model->world && rig->model->world->ghosts[0] != 0;
        ib_arena_reset(&rig->arena);
        if (overlap < 0 && !ghosts) return true;
    }
    return false;
}

// Looks at every sample of a shot: nothing deep, nothing outside, no energy from contacts. Impacts
// only take energy (test/world/test_impact.c); a contact that rests under tons of centrifugal force
// and lets go within 2 cm/s may give back a part of what it took: 0.2 % at most in 10 000 shots.
static void assert_shot(int shot, const Rig *rig, const ib_FieldConfig *field, Tally *tally)
{
    bool two = rig->model->robot_count == 2;
    int lost = rig_signal(rig, two ? "red.energy.collision" : "energy.collision");
    int other = two ? rig_signal(rig, "blue.energy.collision") : lost;
    double most = 0; // that contacts have taken so far [J]
    for (int i = 0; i < rig->rows.count; i++) {
        const double *row = rig->rows.signals + (size_t)i * (size_t)rig->model->signals.count;
        double deep = depth_of(rig, field, row), now = row[lost] + (two ? row[other] : 0);
        if (!(deep <= deepest && now >= most - (1e-3 + 0.005 * most)))
            fail_msg("shot %d at %g s: %g m deep, %g J gained", shot, rig->rows.t[i], deep,
                     most - now);
        tally->deepest = fmax(tally->deepest, deep);
        tally->gained = fmax(tally->gained, most - now);
        most = fmax(most, now);
    }
    tally->shots++;
    tally->hits += rig_end(rig, two ? "red.contact.hits" : "contact.hits") > 0;
}

// RoboSim's side force, as printed, jumps where Vx changes its sign (atan of Vy/Vx, (10.3a)), and
// may push from both sides to where it does: no adaptive step is short enough for that.
static bool is_at_printed_jump(const Rig *rig)
{
    const double *row =
        rig->rows.signals + (size_t)(rig->rows.count - 1) * (size_t)rig->model->signals.count;
    int vx = rig_signal(rig, rig->model->robot_count == 2 ? "red.velocity.x" : "velocity.x");
    return rig->tank.equations == IB_TANK_PUBLISHED && rig->sim_config.solver.kind == IB_DOPRI5 &&
           strstr(rig->error.text, "hardly gets on") && fabs(row[vx]) < 1e-3;
}

// Runs one shot, with a box in the room for every other one, and looks every millisecond.
static void shoot(int shot, Tally *tally)
{
    Rig rig;
    ib_FieldConfig field;
    ib_RobotConfig robots[2];
    ib_BoxConfig box = {0};
    int index = 0;
    rig_default(&rig, 0.2);
    draw_field(shot, &index, &field);
    draw_robot(shot, &index, &rig, &field);
    if (ib_schema_default(&ib_box_kind.params, &box, &rig.error) != IB_OK) abort();
    box.bumper = ib_bumper_foam;
    box.planar.velocity_x = draw(shot, &index, -20, 20);
    box.planar.heading = draw(shot, &index, -3, 3);
    if (shot % 2) rig_pair(&rig, robots, (ib_RobotConfig){.kind = &ib_box_kind, .config = &box});
    if (!place(shot, &index, &rig, &box, &field)) return; // too crowded a room
    rig.rows.every = 0.001;
    rig_start(&rig);
    if (rig_finish(&rig) != IB_OK && !is_at_printed_jump(&rig))
        fail_msg("shot %d: %s", shot, rig.error.text);
    assert_shot(shot, &rig, &field, tally);
    rig_stop(&rig);
}

// Goal: nothing penetrates by more than 0.1 mm, nothing tunnels, no contact gains energy. Method:
// random rooms, obstacles, robots, boxes, solvers and steps, up to 50 m/s; IB_SHOTS of them (500;
// `make soak`: 10 000).
static void random_shots_stay_out_of_walls(void **unused)
{
    (void)unused;
    const char *wanted = getenv("IB_SHOTS");
    int shots = wanted ? atoi(wanted) : SHOTS;
    Tally tally = {0};
    for (int shot = 0; shot < shots; shot++) shoot(shot, &tally);
    if (getenv("IB_SHOW"))
        print_error("%d shots, %d of them hit; %.3g m deep, %.3g J gained\n", tally.shots,
                    tally.hits, tally.deepest, tally.gained);
    assert_true(tally.shots > shots * 3 / 4);
    assert_true(tally.hits > shots / 2);
}

// Goal: steps that are straight lines do not sink into a contact that curves. Method: the shot in
// which Euler's steps once went 0.102 mm into an obstacle's corner that a robot turned around
// at 38 rad/s.
static void euler_does_not_sink_into_a_curved_contact(void **unused)
{
    (void)unused;
    Tally tally = {0};
    shoot(8993, &tally);
    assert_int_equal(tally.hits, 1);
    assert_true(tally.deepest < 8e-5); // m; now 0.059 mm
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_shots_stay_out_of_walls),
        cmocka_unit_test_setup_teardown(euler_does_not_sink_into_a_curved_contact, chance_fix,
                                        chance_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
