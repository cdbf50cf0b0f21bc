// One patch law, two robots: a holonomic base whose wheels have no rollers and stand like a tank's,
// the two of a side on one rim, is that tank.
#include "robot/holonomic_rig.h"
#include "robot/parts.h"
#include "robot/tank/tank.h"
#include "spread.h"

// What both have in the same words.
#define COMMON                                                                                     \
    "mass: 60 kg, length: 0.8 m, width: 0.7 m, inertia: 4.4 kg*m^2, battery: {preset: es17-12, "   \
    "constant_voltage: false}, branch_breaker: {rating: 40 A}, brownout: {}"
#define DRIVE  "motor: cim, reduction: 10.71, rotor_inertia: 7.75e-5 kg*m^2, efficiency: 0.92"
#define WHEELS "mu: 0.8, rolling_resistance: 0.015, com_height: 0.2 m, slip_speed: 0.12 m/s"

static const char tank_text[] =
    "robot: {kind: tank, " COMMON ", half_track: 0.3 m,\n"
    "  drive: {" DRIVE ", motors_per_side: 2, wheel_diameter: 6 in},\n"
    "  wheels: {model: %s, " WHEELS ", contact_half_length: 0.25 m, inertia_per_side: 0.004 "
    "kg*m^2}}\n"
    "inputs:\n"
    "  left: [[0 s, 12 V], [0.5 s, 12 V], [1 s, -6 V], [1.5 s, -6 V], [1.8 s, 0 V]]\n"
    "  right: [[0 s, 12 V], [0.5 s, 0 V], [1 s, -12 V], [1.5 s, 6 V], [1.8 s, 0 V]]\n";

static const char base_text[] =
    "robot: {kind: holonomic, " COMMON ",\n"
    "  drive: {" DRIVE ", motors: 2},\n"
    "  wheels: {model: %s, " WHEELS ", inertia: 0.002 kg*m^2, at: [\n"
    "    {x: 0.25 m, y: 0.3 m, direction: 0 deg, roller: none, diameter: 6 in, rim: 1},\n"
    "    {x: -0.25 m, y: 0.3 m, direction: 0 deg, diameter: 6 in, rim: 1},\n"
    "    {x: 0.25 m, y: -0.3 m, direction: 0 deg, diameter: 6 in, rim: 2},\n"
    "    {x: -0.25 m, y: -0.3 m, direction: 0 deg, diameter: 6 in, rim: 2}]}}\n"
    "inputs:\n"
    "  stick.y: [[0 s, 1], [0.5 s, 0.5], [1 s, -0.75], [1.5 s, 0], [1.8 s, 0]]\n"
    "  turn: [[0 s, 0], [0.5 s, 0.5], [1 s, 0.25], [1.5 s, -0.5], [1.8 s, 0]]\n";

// A slope, a push beside the middle and a sudden one; steps that neither robot divides.
static const char rest_text[] =
    "start: {heading: 20 deg, velocity: {x: 0.5 m/s}}\n"
    "disturbances:\n"
    "  - {tilt: 5 deg, direction: 40 deg, at: 0.3 s, for: 1 s}\n"
    "  - {force: 150 N, direction: 100 deg, point: [0.3 m, 0.1 m], at: 0.7 s, for: 0.6 s}\n"
    "  - {impulse: 30 N*s, direction: -50 deg, point: [-0.2 m, 0.1 m], at: 1.2 s}\n"
    "run: {duration: 2 s, step: %s}\n";

static void open_pair(Run *tank, Run *base, const char *model, const char *step)
{
    char text[3000], rest[1000];
    snprintf(rest, sizeof rest, rest_text, step);
    snprintf(text, sizeof text, tank_text, model);
    open_run(tank, "%s%s", text, rest);
    snprintf(text, sizeof text, base_text, model);
    open_run(base, "%s%s", text, rest);
}

static const struct {
    const char *tank, *base;
    double size; // of which 1e-9 is allowed
} both[] = {
    {"pose.x", "pose.x", 1},
    {"pose.y", "pose.y", 1},
    {"pose.heading", "pose.heading", 1},
    {"velocity.forward", "velocity.forward", 1},
    {"velocity.left", "velocity.left", 1},
    {"velocity.heading", "velocity.heading", 1},
    {"wheel.left.speed", "wheel.1.speed", 10},
    {"wheel.left.speed", "wheel.2.speed", 10},
    {"wheel.right.speed", "wheel.3.speed", 10},
    {"battery.voltage", "battery.voltage", 10},
    {"battery.current", "battery.current", 100},
    {"battery.used", "battery.used", 100},
    {"drive.left.torque", "motor.1.torque", 1},
    {"drive.right.current", "motor.2.current", 100},
    {"energy.battery", "energy.battery", 1000},
    {"energy.kinetic", "energy.kinetic", 100},
    {"energy.wheels", "energy.wheels", 100},
    {"energy.rotors", "energy.rotors", 100},
    {"energy.copper", "energy.copper", 1000},
    {"energy.conversion", "energy.conversion", 100},
    {"energy.loss", "energy.loss", 100},
    {"energy.gear", "energy.gear", 100},
    {"energy.tyre", "energy.tyre", 1000},
    {"energy.resistance", "energy.resistance", 100},
    {"energy.background", "energy.background", 10},
    {"energy.push", "energy.push", 100},
};

// Goal: both robots are one, with weight transfer, rolling resistance, a slope, pushes and gears
// that lose, as friction circle and as bristle. Method: 2 s with a start, an arc, a reversal and a
// stop, in steps that neither divides (each has its own bound for them); all that both show at
// every 20 ms, to 1e-9 of its size.
static void four_wheels_without_rollers_are_the_tank(void **state)
{
    (void)state;
    static const char *const models[] = {"friction_circle", "bristle"};
    static const char *const steps[] = {"0.05 ms", "0.02 ms"};
    for (int i = 0; i < 2; i++) {
        Run tank, base;
        double slip = 0, least = 12;
        open_pair(&tank, &base, models[i], steps[i]);
        for (int k = 1; k <= 100; k++) {
            go(&tank, 0.02 * k);
            go(&base, 0.02 * k);
            for (int j = 0; j < (int)(sizeof both / sizeof *both); j++)
                assert_close(see(&base, both[j].base), see(&tank, both[j].tank),
                             1e-9 * both[j].size);
            // The tank shows the mean of a side, the base each wheel.
            assert_close(0.5 * (see(&base, "wheel.1.slip") + see(&base, "wheel.2.slip")),
                         see(&tank, "wheel.left.slip"), 1e-9);
            slip = fmax(slip, see(&base, "wheel.1.slip"));
            least = fmin(least, see(&base, "battery.voltage"));
        }
        assert_true(slip > 2 && least < 10); // it has been hard on both
        assert_int_equal(ib_sim_steps(tank.sim), ib_sim_steps(base.sim));
        close_run(&tank);
        close_run(&base);
    }
}

// Puts the same motion into both states: [base], [tank].
static void draw_states(uint64_t *seed, const ib_Rims *rims, const ib_PlanarModel *body,
                        const ib_TankModel *t, double *base, double *tank)
{
    const int at[][2] = {{body->velocity[0], IB_TANK_U},
                         {body->velocity[1], IB_TANK_N},
                         {body->yaw_rate, IB_TANK_W},
                         {body->heading, IB_TANK_TH}};
    for (int i = 0; i < 4; i++) base[at[i][0]] = tank[at[i][1]] = spread(seed, -3, 3);
    for (int i = 0; i < 2; i++)
        base[rims->speed + i] = tank[t->sides.speed + i] = spread(seed, -40, 40);
    for (int i = 0; rims->bristles >= 0 && i < 8; i++)
        base[rims->bristles + i] = tank[t->sides.bristles + i] = spread(seed, -4e-5, 4e-5);
}

// Goal: the same at single instants, bristles included. Method: 500 random motions, springs,
// sticks, pushes and slopes; rates of all states that both have, to 1e-12 of the largest (rates of
// wheels reach some 1000 rad/s^2, of bristles some 1 m/s).
static void rates_are_the_tanks(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int bristle = 0; bristle < 2; bristle++) {
        Run tank, base;
        open_pair(&tank, &base, bristle ? "bristle" : "friction_circle", "1 ms");
        const ib_RobotModel *a = &base.scenario->model->robots[0];
        const ib_RobotModel *b = &tank.scenario->model->robots[0];
        const ib_Rims *rims = &((const ib_HolonomicModel *)ib_parts_own(a->model))->rims;
        const ib_PlanarModel *body = a->ports.planar;
        const ib_TankModel *t = ib_parts_own(b->model);
        const ib_PlanarModel *own = b->ports.planar;
        const int at[][2] = {{body->velocity[0], IB_TANK_U},
                             {body->velocity[1], IB_TANK_N},
                             {body->yaw_rate, IB_TANK_W},
                             {body->x, own->x},
                             {body->y, own->y},
                             {body->heading, IB_TANK_TH},
                             {rims->tyre, t->sides.tyre},
                             {body->push_energy, own->push_energy}};
        for (int k = 0; k < 500; k++) {
            double x[2][64], dx[2][64], in[2][64] = {{0}};
            assert_true(a->ports.state_count <= 64 && b->ports.state_count <= 64);
            a->kind->reset(a->config, a->model, x[0]);
            b->kind->reset(b->config, b->model, x[1]);
            draw_states(&seed, rims, body, t, x[0], x[1]);
            for (int i = 0; i < a->ports.input_count; i++) in[0][i] = a->ports.inputs[i].neutral;
            for (int i = 0; i < b->ports.input_count; i++) in[1][i] = b->ports.inputs[i].neutral;
            for (int i = 0; i < IB_ENVIRONMENT_COUNT; i++)
                in[0][i] = in[1][i] = i == IB_GRAVITY ? 9.8 : spread(&seed, -2, 2);
            double y = spread(&seed, -0.5, 0.5), turn = spread(&seed, -0.5, 0.5);
            in[0][IB_HOLONOMIC_STICK_Y] = y;
            in[0][IB_HOLONOMIC_TURN] = turn;
            in[1][IB_TANK_LEFT] = 12 * (y + turn);
            in[1][IB_TANK_RIGHT] = 12 * (y - turn);
            a->kind->rate(a->model, x[0], in[0], dx[0]);
            b->kind->rate(b->model, x[1], in[1], dx[1]);
            for (int i = 0; i < 8; i++)
                assert_close(dx[0][at[i][0]], dx[1][at[i][1]], 1e-12 * 2000);
            for (int i = 0; i < 2; i++)
                assert_close(dx[0][rims->speed + i], dx[1][t->sides.speed + i], 1e-12 * 5000);
            for (int i = 0; bristle && i < 8; i++)
                assert_close(dx[0][rims->bristles + i], dx[1][t->sides.bristles + i], 1e-12);
        }
        close_run(&tank);
        close_run(&base);
    }
}

// Goal: on wheels that never slip it is the tank as well: two wheels without rollers side by side
// hold it sideways, whatever pushes, and take what is sideways of its start. Method: both without
// inertia in wheels and rotors (the tank's own law has none), the same script and pushes; all that
// both show at every 20 ms, to 1e-9 of its size.
static void two_wheels_that_never_slip_are_the_tank(void **state)
{
    (void)state;
    static const char wheels[] = "model: rolling, rolling_resistance: 0.015";
    static const char drive[] = "motor: cim, reduction: 10.71, efficiency: 0.92";
    char rest[1000];
    Run tank, base;
    snprintf(rest, sizeof rest, rest_text, "0.5 ms");
    open_run(&tank,
             "robot: {kind: tank, " COMMON ", half_track: 0.3 m, wheels: {%s},\n"
             "  drive: {%s, motors_per_side: 2, wheel_diameter: 6 in}}\n"
             "inputs: {left: [[0 s, 12 V], [1 s, -6 V]], right: [[0 s, 6 V], [1 s, -12 V]]}\n%s",
             wheels, drive, rest);
    open_run(&base,
             "robot: {kind: holonomic, " COMMON ", wheels: {%s, inertia: 0 kg*m^2, at: [\n"
             "    {x: 0 m, y: 0.3 m, direction: 0 deg, diameter: 6 in},\n"
             "    {x: 0 m, y: -0.3 m, direction: 0 deg, diameter: 6 in}]},\n"
             "  drive: {%s, motors: 2}}\n"
             "inputs: {stick.y: [[0 s, 0.75], [1 s, -0.75]], turn: 0.25}\n%s",
             wheels, drive, rest);
    for (int k = 1; k <= 100; k++) {
        go(&tank, 0.02 * k);
        go(&base, 0.02 * k);
        assert_close(see(&base, "velocity.left"), 0, 1e-12);
        for (int j = 0; j < (int)(sizeof both / sizeof *both); j++)
            if (!strstr(both[j].base, "wheel")) // the tank's have no speed of their own here
                assert_close(see(&base, both[j].base), see(&tank, both[j].tank),
                             1e-9 * both[j].size);
    }
    assert_true(fabs(see(&base, "pose.heading")) > 1);
    close_run(&tank);
    close_run(&base);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        ib_plain_test(four_wheels_without_rollers_are_the_tank),
        cmocka_unit_test(rates_are_the_tanks),
        cmocka_unit_test(two_wheels_that_never_slip_are_the_tank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
