// The body on the floor: start, signals, motion, and what a push does, along the field's axes and
// along its own.
#include "cmocka_all.h"
#include "robot/box.h"
#include "robot/roomba/roomba.h"
#include "robot/tank/tank.h"
#include "scenario/scenario.h"

#include <string.h>

static const double g = 9.80665, mass = 4, inertia = 0.5;

// The same body twice, along the field's axes and along its own; the sums X and Y lie behind OTHER.
enum { HEADING, VX, VY, YAW_RATE, OTHER, X, Y, STATES };
enum { W = 1, U, N };

// Wheels that roll: nothing goes sideways, and state OTHER counts what pushed forward.
static ib_Twist roll(const void *model, const double *state, double jx, double jy, double turn,
                     double *change)
{
    (void)model;
    (void)state;
    (void)jy;
    if (change) change[OTHER] += jx;
    return (ib_Twist){jx / mass, 0, turn / inertia};
}
static const ib_RobotKind free_kind = {.name = "free"};
static const ib_RobotKind rolling_kind = {.name = "rolling", .response = roll};
static const ib_RobotKind *const kinds[] = {&free_kind, &rolling_kind};

static const ib_PlanarConfig moving = {.x = 1,
                                       .y = -2,
                                       .heading = 0.7,
                                       .velocity_x = 0.9,
                                       .velocity_y = -0.4,
                                       .velocity_heading = 2.5};

static ib_PlanarModel body_of(bool own_axes)
{
    ib_Arena arena = {0};
    ib_Declarations d = {.arena = &arena, .signals = {.arena = &arena}};
    ib_PlanarModel planar;
    int other;
    ib_planar_declare(&planar, own_axes, mass, inertia, &d);
    ib_declare_states(&d, 1, IB_STATE, &other);
    assert_true(ib_declare_finish(&d));
    assert_true(d.state_count == STATES && other == OTHER);
    ib_arena_reset(&arena);
    return planar;
}

// -------------------------------------------------------------------------------------- the motion

// Goal: a start is where the body is, whatever axes its state has. Method: reset, then look at it;
// a turn to the other axes and back rounds twice.
static void start_is_where_the_body_is(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        ib_PlanarModel planar = body_of(i);
        double state[STATES] = {0};
        ib_Motion m;
        ib_planar_reset(&planar, &moving, state);
        ib_planar_motion(&planar, state, NULL, &m);
        assert_true(m.x == 1 && m.y == -2 && m.heading == 0.7 && m.w == 2.5);
        assert_close(m.vx, 0.9, i ? 2e-16 : 0);
        assert_close(m.vy, -0.4, i ? 2e-16 : 0);
        assert_true(m.ax == 0 && m.ay == 0 && m.alpha == 0);
    }
}

// Goal: axes that turn add w x v to the acceleration. Method: by hand, heading a quarter turn:
//   a = (u' - w n, n' + w u) = (0.5 - 3, -0.25 + 6), turned to the left.
static void turning_axes_add_their_acceleration(void **unused)
{
    (void)unused;
    ib_PlanarModel planar = body_of(true);
    double state[STATES] = {[HEADING] = 1.5707963267948966, [U] = 2, [N] = 1, [W] = 3};
    double rate[STATES] = {[HEADING] = 3, [U] = 0.5, [N] = -0.25, [W] = 4};
    ib_Motion m;
    ib_planar_motion(&planar, state, rate, &m);
    assert_close(m.vx, -1, 1e-15);
    assert_close(m.vy, 2, 1e-15);
    assert_close(m.ax, -5.75, 1e-15);
    assert_close(m.ay, -2.5, 1e-15);
    assert_close(m.alpha, 4, 0);
    // Along the field's axes rates are accelerations already.
    planar = body_of(false);
    double plain[STATES] = {[VX] = 0.5, [VY] = -0.25, [YAW_RATE] = 4};
    ib_planar_motion(&planar, state, plain, &m);
    assert_true(m.ax == 0.5 && m.ay == -0.25 && m.alpha == 4);
}

// Goal: pose and velocity lie where they are declared, and accounts that no book has are none.
// Method: look at the indices.
static void states_lie_where_they_are_declared(void **unused)
{
    (void)unused;
    ib_PlanarModel planar = body_of(false);
    assert_true(planar.heading == HEADING && planar.x == X && planar.y == Y);
    assert_true(planar.velocity[0] == VX && planar.velocity[1] == VY &&
                planar.yaw_rate == YAW_RATE);
    assert_true(planar.push_energy == -1 && planar.contact_energy == -1 && !planar.own_axes);
    planar = body_of(true);
    assert_true(planar.own_axes && planar.velocity[0] == U && planar.velocity[1] == N);
    assert_true(planar.heading == HEADING && planar.x == X && planar.yaw_rate == W);
}

// ------------------------------------------------------------------------------------------ pushes

// Goal: a push changes momentum and angular momentum by itself, whatever axes the state has.
// Method: by hand, an impulse (3, -1) N s at the point p = (0.2, 0.5) of the body:
//   dv = J/m,   dw = (R p x J)/I
static void push_changes_momentum_by_itself(void **unused)
{
    (void)unused;
    double c = cos(0.7), s = sin(0.7), px = c * 0.2 - s * 0.5, py = s * 0.2 + c * 0.5;
    for (int i = 0; i < 2; i++) {
        ib_PlanarModel planar = body_of(i);
        double state[STATES] = {0}, push[IB_PUSH_COUNT] = {0};
        ib_Motion m;
        ib_planar_reset(&planar, &moving, state);
        ib_push_add(push, 3, -1, 0.2, 0.5);
        ib_planar_respond(&planar, &free_kind, NULL, state, push, state);
        ib_planar_motion(&planar, state, NULL, &m);
        assert_close(m.vx, 0.9 + 3 / mass, 1e-15);
        assert_close(m.vy, -0.4 - 1 / mass, 1e-15);
        assert_close(m.w, 2.5 + (px * -1 - py * 3) / inertia, 2e-15);
        assert_true(m.x == 1 && m.y == -2 && m.heading == 0.7);
    }
}

// Goal: rolling wheels take the sideways part, and what else a push changes is counted once.
// Method: by hand: of J = (3, -1) only J . (c, s) is left, along the heading.
static void rolling_wheels_take_the_sideways_part(void **unused)
{
    (void)unused;
    double c = cos(0.7), s = sin(0.7), along = 3 * c - s;
    for (int i = 0; i < 2; i++) {
        ib_PlanarModel planar = body_of(i);
        double state[STATES] = {0}, push[IB_PUSH_COUNT] = {0};
        ib_Motion m;
        state[planar.heading] = 0.7;
        state[OTHER] = 10;
        ib_push_add(push, 3, -1, 0, 0);
        ib_planar_respond(&planar, &rolling_kind, NULL, state, push, state);
        assert_close(state[OTHER], 10 + along, 2e-15);
        ib_planar_motion(&planar, state, NULL, &m);
        assert_close(m.vx, along / mass * c, 1e-15);
        assert_close(m.vy, along / mass * s, 1e-15);
    }
}

// Goal: the matrix says what pushes do. Method: unit impulses along x, y and about the origin, one
// after the other, to a body at rest; free and rolling, along both axes. The matrix is symmetric.
static void inverse_mass_is_what_pushes_do(void **unused)
{
    (void)unused;
    double c = cos(0.7), s = sin(0.7);
    const double units[3][IB_PUSH_COUNT] = {
        {[IB_PUSH_X] = 1}, {[IB_PUSH_Y] = 1}, {[IB_PUSH_CROSS] = c, [IB_PUSH_DOT] = -s}};
    for (int i = 0; i < 4; i++) {
        const ib_RobotKind *kind = kinds[i / 2];
        ib_PlanarModel planar = body_of(i % 2);
        double state[STATES] = {0}, matrix[9];
        state[planar.heading] = 0.7;
        ib_planar_inverse_mass(&planar, kind, NULL, state, matrix);
        for (int k = 0; k < 3; k++) {
            double change[STATES] = {0};
            ib_Motion m;
            ib_planar_respond(&planar, kind, NULL, state, units[k], change);
            change[planar.heading] = 0.7;
            ib_planar_motion(&planar, change, NULL, &m);
            assert_close(m.vx, matrix[0 + k], 1e-15);
            assert_close(m.vy, matrix[3 + k], 1e-15);
            assert_close(m.w, matrix[6 + k], 1e-15);
            for (int j = 0; j < 3; j++) assert_close(matrix[3 * j + k], matrix[3 * k + j], 1e-16);
        }
        // Sideways, a free body gives way and wheels do not.
        double sideways = s * s * matrix[0] - 2 * s * c * matrix[1] + c * c * matrix[4];
        assert_close(sideways, kind->response ? 0 : 1 / mass, 1e-15);
        assert_close(matrix[8], 1 / inertia, 1e-15);
    }
}

// ------------------------------------------------------------------------------- the planar robots

typedef struct Made {
    ib_Arena arena;
    void *config, *model;
    const ib_RobotKind *kind; ///< as it runs
    ib_RobotPorts ports;
    double state[128], input[64], signals[128];
} Made;

// A robot with defaults.
static void make(const ib_RobotKind *kind, Made *made)
{
    ib_Error error = {0};
    memset(made, 0, sizeof *made);
    made->config = ib_arena_alloc(&made->arena, kind->config_size);
    assert_int_equal(ib_read_defaults(&kind->params, made->config, &error), IB_OK);
    assert_int_equal(ib_read_defaults(&kind->start, made->config, &error), IB_OK);
}

static void finish(const ib_RobotKind *kind, Made *made)
{
    ib_Error error = {0};
    ib_Robot robot;
    assert_int_equal(ib_robot_init(kind, made->config, &made->arena, &robot, &error), IB_OK);
    made->model = robot.model;
    made->kind = robot.kind;
    made->ports = robot.ports;
    assert_true(made->ports.state_count <= 128 && made->ports.signal_count <= 128);
    for (int i = 0; i < made->ports.input_count; i++)
        made->input[i] = made->ports.inputs[i].neutral;
    robot.kind->reset(made->config, made->model, made->state);
}

static double shown(const Made *made, const char *name)
{
    for (int i = 0; i < made->ports.signal_count; i++)
        if (strcmp(made->ports.signals[i].name, name) == 0) return made->signals[i];
    fail_msg("there is no signal %s", name);
    return 0;
}

// Goal: what a file says about the start of any planar robot is where it starts, and what it shows,
// along both axes. Method: write it into the rows by name; at 30 degrees, 1 m/s ahead and 0.5 m/s
// to the left.
static void every_planar_robot_starts_where_it_is_told(void **unused)
{
    (void)unused;
    static const char *const rows[][2] = {{"x", "1.5 m"},
                                          {"y", "-3 m"},
                                          {"heading", "30 deg"},
                                          {"velocity.x", "0.6160254 m/s"},
                                          {"velocity.y", "0.9330127 m/s"},
                                          {"velocity.heading", "2 rad/s"}};
    int planar = 0;
    for (int i = 0; ib_robot_kinds[i]; i++) {
        const ib_RobotKind *kind = ib_robot_kinds[i];
        Made made;
        ib_Motion m;
        ib_Error error;
        if (kind->integrator) continue; // it is on no floor of ours, and planar by no means
        make(kind, &made);
        for (int k = 0; k < 6 && ib_schema_find(&kind->start, "x"); k++) {
            const ib_Param *row = ib_schema_find(&kind->start, rows[k][0]);
            assert_non_null(row);
            assert_false(row->live);
            assert_int_equal(ib_schema_set(row, rows[k][1], made.config, &error), IB_OK);
            assert_int_equal(ib_schema_set_number(row, 1.001 * row->max, made.config, &error),
                             IB_BAD_INPUT);
        }
        finish(kind, &made);
        if (made.ports.planar) {
            planar++;
            made.kind->output(made.model, made.state, made.input, made.signals);
            ib_planar_motion(made.ports.planar, made.state, NULL, &m);
            assert_true(m.x == 1.5 && m.y == -3 && m.w == 2);
            assert_close(m.heading, 0.5235987755982988, 1e-15);
            assert_close(m.vx, 0.6160254, 2e-16);
            assert_close(m.vy, 0.9330127, 2e-16);
            assert_true(shown(&made, "pose.x") == 1.5 && shown(&made, "pose.y") == -3);
            assert_true(shown(&made, "pose.heading") == m.heading);
            assert_true(shown(&made, "velocity.x") == m.vx && shown(&made, "velocity.y") == m.vy);
            assert_true(shown(&made, "velocity.heading") == 2);
            assert_close(shown(&made, "velocity.forward"), 1, 1e-7); // digits of the velocities
            assert_close(shown(&made, "velocity.left"), 0.5, 1e-7);
        }
        ib_arena_reset(&made.arena);
    }
    assert_int_equal(planar, 7); // Roomba, tank, holonomic, swerve, box, disc, ball
}

// ----------------------------------------------------------------------------------------- carried

// Goal: what stands on a Roomba makes it heavier and not harder to turn. Method: 2.7 kg and 1.3 kg,
// pushed with 2 N and 0.01 N m at rest, by hand.
static void roomba_carries_a_point_mass(void **unused)
{
    (void)unused;
    Made made;
    make(&ib_roomba_kind, &made);
    ((ib_RoombaConfig *)made.config)->equipment.carried = 1.3;
    finish(&ib_roomba_kind, &made);
    double rate[IB_ROOMBA_STATES], disc = 0.5 * 2.7 * 0.165 * 0.165, matrix[9];
    made.input[IB_PUSH_X] = 2;
    made.input[IB_PUSH_CROSS] = 0.01;
    made.input[IB_SLOPE_Y] = 0.3;
    made.kind->rate(made.model, made.state, made.input, rate);
    assert_close(rate[IB_ROOMBA_VX], 2 / 4.0, 1e-15);
    assert_close(rate[IB_ROOMBA_VY], 0.3, 1e-15);
    assert_close(rate[IB_ROOMBA_W], 0.01 / disc, 1e-14);
    ib_planar_inverse_mass(made.ports.planar, made.kind, made.model, made.state, matrix);
    assert_close(matrix[0], 1 / 4.0, 1e-16);
    assert_close(matrix[8], 1 / disc, 1e-13);
    ib_arena_reset(&made.arena);
}

// Goal: what stands on a box presses it to the floor. Method: 5 kg and 3 kg sliding at 1 m/s:
// friction mu (m + c) g, so that it slows down as before; spinning at 20 rad/s: all of the weight
// brakes the inertia of the box alone, and the steps are as much shorter.
static void box_carries_a_point_mass(void **unused)
{
    (void)unused;
    Made made, plain;
    double rate[128];
    make(&ib_box_kind, &plain);
    finish(&ib_box_kind, &plain);
    make(&ib_box_kind, &made);
    ((ib_BoxConfig *)made.config)->equipment.carried = 3;
    finish(&ib_box_kind, &made);
    int vx = made.ports.planar->velocity[0], w = made.ports.planar->yaw_rate;
    made.state[vx] = 1;
    made.kind->output(made.model, made.state, made.input, made.signals);
    made.kind->rate(made.model, made.state, made.input, rate);
    assert_close(shown(&made, "force.floor.x"), -0.5 * 8 * g, 1e-13);
    assert_close(shown(&made, "energy.kinetic"), 0.5 * 8, 1e-15);
    assert_close(rate[vx], -0.5 * g, 1e-14);
    made.state[vx] = 0;
    made.state[w] = 20;
    made.kind->rate(made.model, made.state, made.input, rate);
    double rho = sqrt(2 * 0.4 * 0.4 / 12);
    assert_close(rate[w], -0.5 * 8 * g * rho / (5 * rho * rho), 1e-12);
    assert_close(made.ports.resolution, plain.ports.resolution * 5 / 8, 1e-12);
    ib_arena_reset(&made.arena);
    ib_arena_reset(&plain.arena);
}

// Goal: a tank that carries 10 kg is a tank of 10 kg more with the same inertia. Method: both, bit
// for bit: rates with wheels that slip and that roll, answers to impulses, longest step.
static void tank_carries_a_point_mass(void **unused)
{
    (void)unused;
    static const int models[] = {IB_WHEEL_FRICTION_CIRCLE, IB_WHEEL_ROLLING};
    for (int i = 0; i < 2; i++) {
        Made two[2];
        double rate[2][64] = {{0}}, matrix[2][9];
        for (int k = 0; k < 2; k++) {
            make(&ib_tank_kind, &two[k]);
            ib_TankConfig *config = two[k].config;
            config->wheels.model = models[i];
            config->inertia = 5;
            config->mass = k ? 70 : 60;
            config->planar = moving;
            config->equipment.carried = k ? 0 : 10;
            finish(&ib_tank_kind, &two[k]);
            two[k].input[IB_TANK_LEFT] = 12;
            two[k].input[IB_TANK_RIGHT] = 5;
            two[k].input[IB_SLOPE_X] = 0.4;
            two[k].kind->rate(two[k].model, two[k].state, two[k].input, rate[k]);
            ib_planar_inverse_mass(two[k].ports.planar, two[k].kind, two[k].model, two[k].state,
                                   matrix[k]);
        }
        assert_true(rate[0][IB_TANK_U] != 0);
        assert_memory_equal(two[0].state, two[1].state, sizeof two[0].state);
        assert_memory_equal(rate[0], rate[1], sizeof rate[0]);
        assert_memory_equal(matrix[0], matrix[1], sizeof matrix[0]);
        assert_true(two[0].ports.resolution == two[1].ports.resolution);
        for (int k = 0; k < 2; k++) ib_arena_reset(&two[k].arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_is_where_the_body_is),
        cmocka_unit_test(turning_axes_add_their_acceleration),
        cmocka_unit_test(states_lie_where_they_are_declared),
        cmocka_unit_test(push_changes_momentum_by_itself),
        cmocka_unit_test(rolling_wheels_take_the_sideways_part),
        cmocka_unit_test(inverse_mass_is_what_pushes_do),
        cmocka_unit_test(every_planar_robot_starts_where_it_is_told),
        cmocka_unit_test(roomba_carries_a_point_mass),
        cmocka_unit_test(box_carries_a_point_mass),
        cmocka_unit_test(tank_carries_a_point_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
