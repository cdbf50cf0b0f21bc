// test/robot/test_locomotion.c: what bases with two sides say of a motion, against their own rates.
// Those with a command for each axis are in test_axes.c.
#include "cmocka_all.h"
#include "robot/roomba/roomba.h"
#include "robot/tank_rig.h"

#include <math.h>

static const double g = 9.80665, rest[64] = {0};

static void tank_default(ib_TankConfig *tank)
{
    Rig rig;
    rig_default(&rig, 1);
    rig_set(&rig, "drive.loss", "viscous");
    rig_set(&rig, "wheels.model", "friction_circle");
    *tank = rig.tank;
}

// Puts the motion into the tank's state and its commands onto its inputs; the rates.
static void tank_rates(const Tank *tank, const ib_AxisMotion *m, const ib_MotionDemand *d,
                       double *rate)
{
    const ib_Sides *s = &tank->own->sides;
    double state[64] = {
        [IB_TANK_U] = m->velocity[0], [IB_TANK_N] = d->drift, [IB_TANK_W] = m->velocity[2]};
    double input[RIG_INPUTS] = {[IB_TANK_LEFT] = d->command[0],
                                [IB_TANK_RIGHT] = d->command[1],
                                [IB_TANK_GAIN_LEFT] = 1,
                                [IB_TANK_GAIN_RIGHT] = 1,
                                [IB_GRAVITY] = g};
    for (int i = 0; s->slips && i < 2; i++) state[s->speed + i] = d->rim[i] / s->drive.radius;
    tank_rate(tank, state, input, rate);
}

static ib_Status describe(const Tank *tank, const double *state, ib_Locomotion *base)
{
    return ib_tank_kind.locomotion(tank->robot.model, state, g, base, NULL);
}

// Goal: a tank that gets the commands of a motion makes that motion, on every floor but the
// bristles, with loss, gears of 90 % and rolling resistance. Method: its own rate at the state that
// belongs to it; drift is steady. Newton stops at 1e-10 of the weight.
static void commands_make_the_motion(void **unused)
{
    (void)unused;
    for (int wheels = IB_WHEEL_ROLLING; wheels <= IB_WHEEL_FRICTION_CIRCLE; wheels++) {
        ib_TankConfig config;
        tank_default(&config);
        config.wheels.model = wheels;
        config.wheels.side_friction = 2000;
        config.wheels.tyre.rolling_resistance = 0.02;
        config.drive.efficiency = 0.9;
        Tank tank;
        tank_make(&config, &tank);
        ib_Locomotion base;
        assert_int_equal(describe(&tank, rest, &base), IB_OK);
        for (int i = 0; i < 81; i++) {
            ib_AxisMotion m = {{0.5 * (i % 3), 0, 0.9 * (i / 3 % 3 - 1)},
                               {1.0 * (i / 9 % 3 - 1), 0, 1.5 * (i / 27 - 1)}};
            ib_MotionDemand d;
            double rate[64];
            base.demand(&base, &m, &d);
            assert_true(d.share < 1);
            tank_rates(&tank, &m, &d, rate);
            assert_close(rate[IB_TANK_U], m.rate[0], 1e-8 * g);
            assert_close(rate[IB_TANK_N], 0, 1e-8 * g);
            assert_close(rate[IB_TANK_W], m.rate[2], 1e-7 * g);
        }
        tank_free(&tank);
    }
}

// Goal: the scrub of docs/plant/wheel.md is in it. Method: the closed forms of a turn on the spot
// with a = W: rim = 2 w W, whatever mu is, and 208 N a side when all patches slide (w a >> v_s).
static void turning_on_the_spot_pays_for_scrub(void **unused)
{
    (void)unused;
    ib_TankConfig config;
    tank_default(&config);
    Tank tank;
    tank_make(&config, &tank);
    ib_Locomotion base;
    assert_int_equal(describe(&tank, rest, &base), IB_OK);
    ib_MotionDemand d;
    base.demand(&base, &(ib_AxisMotion){{0, 0, 2}}, &d);
    assert_close(d.rim[1], 2 * 2 * 0.3, 1e-8);
    assert_close(d.rim[0], -2 * 2 * 0.3, 1e-8);
    assert_close(d.drift, 0, 1e-12);
    assert_close(ib_locomotion_track(&base, 0, 2), 0.6, 1e-8);
    const ib_MotorModel *motor = &tank.own->shafts[0].motor;
    double speed = d.rim[1] / 0.0762 * 10.71, torque = 0.0762 * 60 * g / 2 / sqrt(2) / (2 * 10.71);
    double current = (torque + motor->viscous * speed) / motor->Kt;
    double volts = motor->R * current + motor->Ke * speed;
    double V = 12 - 0.012 * 0.5;
    V = 0.5 * (V + sqrt(V * V - 4 * 0.012 * 4 * volts * current));
    assert_close(d.command[1], 12 * volts / V, 1e-4); // tanh(0.85/0.1) is 1 - 4e-8
    tank_free(&tank);
}

static void describe_anew(const ib_TankConfig *config, Tank *tank, ib_Locomotion *base)
{
    tank_make(config, tank);
    assert_int_equal(describe(tank, rest, base), IB_OK);
}

// Goal: what cannot be is said, and by what it is limited. Method: one motion for each limit.
static void limits_are_named(void **unused)
{
    (void)unused;
    ib_TankConfig config;
    tank_default(&config);
    Tank tank;
    ib_Locomotion base;
    ib_MotionDemand d;
    describe_anew(&config, &tank, &base);
    base.demand(&base, &(ib_AxisMotion){{6}}, &d);
    assert_true(d.share > 1 && d.limit == IB_LIMIT_COMMANDS);
    base.demand(&base, &(ib_AxisMotion){.rate = {12}}, &d);
    assert_true(d.share > 1 && d.limit == IB_LIMIT_TYRES);
    config.current_limit = 20;
    tank_free(&tank);
    describe_anew(&config, &tank, &base);
    base.demand(&base, &(ib_AxisMotion){.rate = {4}}, &d);
    assert_true(d.share > 1 && d.limit == IB_LIMIT_CURRENT);
    config.current_limit = INFINITY;
    config.equipment.power.battery.resistance = 0.2;
    tank_free(&tank);
    describe_anew(&config, &tank, &base);
    base.demand(&base, &(ib_AxisMotion){{1}, {6}}, &d);
    assert_true(d.share > 1 && d.limit == IB_LIMIT_SUPPLY);
    assert_true(isfinite(d.command[0]) && isfinite(d.command[1]));
    assert_string_equal(ib_motion_limit(IB_LIMIT_TYRES), "the tyres");
    tank_free(&tank);
}

// Goal: a load counts where it stands. Method: 10 kg on an arm 0.5 m ahead: mass, inertia and
// centre by hand; turning on the spot, the middle moves aside.
static void a_load_counts_where_it_stands(void **unused)
{
    (void)unused;
    ib_TankConfig config;
    tank_default(&config);
    config.payload_on = 1;
    config.payload_mass = 10;
    config.payload_x = 0.5;
    config.payload_most = 10;
    Tank tank;
    tank_make(&config, &tank);
    double state[64];
    tank.robot.kind->reset(&config, tank.robot.model, state);
    ib_Locomotion base;
    assert_int_equal(describe(&tank, state, &base), IB_OK);
    assert_close(base.mass, 70, 1e-12);
    assert_close(base.inertia, tank.own->inertia + 10 * 0.25, 1e-12);
    assert_close(base.x, 5.0 / 70, 1e-12);
    assert_close(base.y, 0, 0);
    ib_MotionDemand d;
    base.demand(&base, &(ib_AxisMotion){{0, 0, 1}}, &d);
    assert_true(d.drift < -0.03 && d.drift > -0.3);
    tank_free(&tank);
    config.equations = IB_TANK_PUBLISHED;
    tank_make(&config, &tank);
    assert_int_equal(describe(&tank, state, &base), IB_BAD_INPUT);
    tank_free(&tank);
}

// Goal: `slide` is the tank's own motion. Method: the whole model runs an arc of -2 V and 10 V
// for 1.5 s; slide gets its rims and yaw rate every 5 ms, as a sensor would. An implicit step of
// first order: off by the change of n within a period, 2 mm/s.
static void slide_follows_the_tank(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, 1.5);
    rig_set(&rig, "drive.loss", "viscous");
    rig_set(&rig, "wheels.model", "friction_circle");
    rig_drive(&rig, -2, 10);
    rig_run(&rig, 0.005);
    ib_Locomotion base;
    const ib_RobotModel *robot = &rig.model->robots[0];
    assert_int_equal(robot->kind->locomotion(robot->model, rest, g, &base, NULL), IB_OK);
    const ib_RimSignal *rims = robot->ports.rims->signals;
    double v[2] = {0, 0}, worst[2] = {0, 0}, most = 0;
    for (int i = 1; i < rig.rows.count; i++) {
        double rim[2] = {rims[0].radius * rig_row(&rig, i, rims[0].name),
                         rims[1].radius * rig_row(&rig, i, rims[1].name)};
        base.slide(&base, rim, rig_row(&rig, i, "velocity.heading"), 0.005, v);
        double n = rig_row(&rig, i, "velocity.left");
        worst[0] = fmax(worst[0], fabs(v[0] - rig_row(&rig, i, "velocity.forward")));
        worst[1] = fmax(worst[1], fabs(v[1] - n));
        most = fmax(most, fabs(n));
    }
    assert_true(most > 0.03);
    assert_true(worst[1] < 0.05 * most + 0.002);
    assert_true(worst[0] < 0.03); // while it spins up at 6 m/s^2, 5 ms late
    rig_stop(&rig);
}

// Goal: the same for a Roomba. Method: its own rate, and a turn run to its steady state.
static void a_roomba_makes_the_motion(void **unused)
{
    (void)unused;
    ib_RoombaConfig config = {0};
    assert_int_equal(ib_schema_default(&ib_roomba_kind.params, &config, NULL), IB_OK);
    assert_int_equal(ib_schema_default(&ib_roomba_kind.start, &config, NULL), IB_OK);
    ib_Arena arena = {0};
    ib_Robot robot;
    ib_Locomotion base;
    assert_int_equal(ib_robot_init(&ib_roomba_kind, &config, &arena, &robot, NULL), IB_OK);
    assert_int_equal(ib__roomba_locomotion(robot.model, rest, g, &base, NULL), IB_OK);
    for (int i = 0; i < 27; i++) {
        ib_AxisMotion m = {{0.6, 0, 0.5 * (i % 3 - 1)},
                           {0.3 * (i / 3 % 3 - 1), 0, 2.0 * (i / 9 - 1)}};
        ib_MotionDemand d;
        base.demand(&base, &m, &d);
        double state[IB_ROOMBA_STATES] = {[IB_ROOMBA_VX] = m.velocity[0],
                                          [IB_ROOMBA_VY] = d.drift,
                                          [IB_ROOMBA_W] = m.velocity[2]};
        double input[IB_ROOMBA_INPUTS] = {0}, rate[IB_ROOMBA_STATES];
        for (int k = IB_ROOMBA_GAIN_LEFT; k < IB_ROOMBA_INPUTS; k++) input[k] = 1;
        input[IB_ROOMBA_LEFT] = d.command[0];
        input[IB_ROOMBA_RIGHT] = d.command[1];
        ib_roomba_rate(ib_parts_own(robot.model), state, input, rate);
        // Field and robot frame agree at heading 0, but the latter turns.
        assert_close(rate[IB_ROOMBA_VX] + m.velocity[2] * d.drift, m.rate[0], 1e-12);
        assert_close(rate[IB_ROOMBA_VY] - m.velocity[2] * m.velocity[0], 0, 1e-12);
        assert_close(rate[IB_ROOMBA_W], m.rate[2], 1e-12);
        double v[2] = {0, 0};
        for (int k = 0; k < 400; k++) base.slide(&base, d.rim, m.velocity[2], 0.005, v);
        assert_close(v[0], m.velocity[0], 1e-12);
        assert_close(v[1], d.drift, 1e-9);
    }
    config.equations = IB_ROOMBA_PUBLISHED;
    assert_int_equal(ib_robot_init(&ib_roomba_kind, &config, &arena, &robot, NULL), IB_OK);
    assert_int_equal(ib__roomba_locomotion(robot.model, rest, g, &base, NULL), IB_BAD_INPUT);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_make_the_motion),
        cmocka_unit_test(turning_on_the_spot_pays_for_scrub),
        cmocka_unit_test(limits_are_named),
        cmocka_unit_test(a_load_counts_where_it_stands),
        cmocka_unit_test(slide_follows_the_tank),
        cmocka_unit_test(a_roomba_makes_the_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
