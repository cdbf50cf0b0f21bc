// A base with mechanisms on it: the base moves as it did without them, but for their mass and what
// they draw from the one battery.
#include "cmocka_all.h"
#include "plant/default_cylinder.h"
#include "robot/box.h"
#include "robot/disc.h"
#include "robot/equipment_rig.h"
#include "robot/roomba/roomba.h"
#include "robot/tank/tank.h"

#define PI 3.14159265358979323846

// The CIM:  R = V/Is,  Kt = Ts/Is,  Ke = (V - If R)/wf
static const double Jr = 7.75e-5, g0 = 9.80665;
static const double R = 12.0 / 133, Kt = 2.42 / 133;
static const double Ke = (12 - 2.7 * 12 / 133) / (5310 * PI / 30);

static Rig rig, alone;

// A tank with CIMs and some settings "key: value; …"; flags of breaker, branches, brownout, air and
// payload by their letters.
static void tank_default(Rig *r, const char *settings, const char *flags, double duration)
{
    char text[1000], *rest = text;
    rig_default(r, &ib_tank_kind, duration);
    snprintf(text, sizeof text,
             "drive.motor.stall_torque: 2.42 N*m; drive.motor.stall_current: 133 A; "
             "drive.motor.free_speed: 5310 rpm; drive.motor.free_current: 2.7 A; %s",
             settings);
    for (char *item; (item = strsep(&rest, ";"));) {
        item += strspn(item, " ");
        char *value = strstr(item, ": ");
        if (!value) continue;
        *value = '\0';
        rig_set(r, item, value + 2);
    }
    ib_TankConfig *tank = r->config;
    tank->equipment.power.breaker_on = strchr(flags, 'm') != NULL;
    tank->equipment.power.branch_on = strchr(flags, 'b') != NULL;
    tank->equipment.power.brownout_on = strchr(flags, 'o') != NULL;
    tank->payload_on = strchr(flags, 'p') != NULL;
    tank->equipment.air.on = strchr(flags, 'a') != NULL;
    if (!tank->equipment.air.on) return;
    rig_set(
        r, "air.compressor.low.points",
        "0 psig 0.88 cfm 7 A, 60 psig 0.53 cfm 10 A, 120 psig 0.34 cfm 9 A, 150 psig 0 cfm 9 A");
    tank->equipment.air.cylinders[0] = default_cylinder();
    snprintf(tank->equipment.air.cylinders[0].name, sizeof tank->equipment.air.cylinders[0].name,
             "claw");
    tank->equipment.air.cylinder_count = 1;
}

// ------------------------------------------------------------------------------------- same motion

typedef struct Tank {
    const char *settings, *flags;
    double left, right; // [V]
} Tank;

static const Tank tanks[] = {
    {"wheels.model: rolling", "", 9, 4},
    {"wheels.model: viscous; battery.resistance: 12 mohm; background_current: 0.5 A", "", 12, -3},
    {"wheels.model: friction_circle; battery.resistance: 12 mohm; drive.efficiency: 0.8", "", 12,
     5},
    {"wheels.model: bristle; battery.resistance: 12 mohm; drive.loss: coulomb", "", 8, 12},
    {"wheels.model: friction_circle; wheels.com_height: 0.2 m; wheels.rolling_resistance: 0.02; "
     "drive.neutral: coast; battery.resistance: 15 mohm; "
     "branch_breaker.trip: 40 A 5 s, 80 A 0.1 s, 160 A 0.01 s",
     "b", 12, 12},
    {"wheels.model: rolling; drive.current: implicit; drive.current_limit: 60 A; "
     "battery.resistance: 12 mohm; breaker.rating: 60 A; "
     "breaker.trip: 60 A 9 s, 120 A 0.1 s, 240 A 0.05 s",
     "m", 12, 12},
    {"wheels.model: viscous; drive.supply_limit: 30 A; battery.rate_exponent: 1.2; "
     "battery.resistance: 12 mohm",
     "ap", 10, 9},
    {"wheels.model: friction_circle; battery.resistance: 25 mohm; drive.rotor_inertia: 7.75e-5 "
     "kg*m^2",
     "oa", 12, 12},
    {"wheels.model: rolling; drive.reduction_high: 5; battery.resistance: 12 mohm; "
     "branch_breaker.trip: 40 A 5 s, 80 A 0.03 s, 160 A 0.01 s; branch_breaker.cooling: 0.1 s",
     "b", 12, 11},
};

static void script(Rig *r, const Tank *tank)
{
    const Knot left[] = {{0, tank->left}, {0.4, 0}, {0.6, -tank->right}};
    const Knot right[] = {{0, tank->right}, {0.4, 0}, {0.6, tank->left}};
    rig_input(r, "left", false, left, 3);
    rig_input(r, "right", false, right, 3);
    const Knot gear[] = {{0, 0}, {0.3, 1}};
    if (strstr(tank->settings, "reduction_high")) rig_input(r, "gear", false, gear, 2);
}

// Every signal of the tank alone, in every sample, to the bit; energy.error has terms of its own.
static void assert_same_motion(const Tank *tank)
{
    assert_int_equal(rig.rows.count, alone.rows.count);
    for (int i = 0; i < alone.model->signals.count; i++) {
        const char *name = alone.model->signals.items[i].name;
        if (strcmp(name, "energy.error") == 0) continue;
        for (int row = 0; row < alone.rows.count; row++) {
            double a = rig_row(&alone, row, name), b = rig_row(&rig, row, name);
            if (memcmp(&a, &b, sizeof a) != 0 && a != b)
                fail_msg("%s: %s at %g s is %.17g alone, %.17g with a mechanism", tank->settings,
                         name, alone.rows.t[row], a, b);
        }
    }
}

// Goal: a mechanism without mass that draws nothing leaves a tank as it is, to the bit: the list of
// parts and the rates of the tank alone, compiled as one function, are one physics. Method: every
// law of wheels, breakers that trip, brownouts, air, payload, limits, inductance, two gears; a
// coasting wheel spins along.
static void idle_mechanism_changes_no_bit(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof tanks / sizeof *tanks; k++) {
        tank_default(&alone, tanks[k].settings, tanks[k].flags, 1);
        tank_default(&rig, tanks[k].settings, tanks[k].flags, 1);
        rig_add(&rig, "idle", "flywheel", "inertia: 1 kg*m^2; neutral: coast; velocity: 20 rad/s");
        script(&alone, &tanks[k]);
        script(&rig, &tanks[k]);
        rig_run(&alone, 0.02);
        rig_run(&rig, 0.02);
        assert_true(rig.model->step == alone.model->step);
        assert_same_motion(&tanks[k]);
        assert_close(rig_end(&rig, "idle.velocity"), 20, 0);
        if (strchr(tanks[k].flags, 'o')) assert_true(rig_size(&rig, "brownout.stage") >= 2);
        if (strchr(tanks[k].flags, 'm')) assert_close(rig_least(&rig, "breaker.closed"), 0, 0);
        if (strchr(tanks[k].flags, 'b')) assert_close(rig_least(&rig, "branch.left.closed"), 0, 0);
        assert_close(rig_end(&rig, "energy.error"), rig_end(&alone, "energy.error"), 1e-9);
        rig_stop(&alone);
        rig_stop(&rig);
    }
}

// Goal: a mechanism on a base without motors runs as on a bench, to the bit. Method: Roomba, box
// and disc, each with a lift that hits its stop, beside the same one on a bench.
static void mechanism_runs_anywhere_as_on_a_bench(void **unused)
{
    (void)unused;
    const ib_RobotKind *const kinds[] = {&ib_bench_kind, &ib_roomba_kind, &ib_box_kind,
                                         &ib_disc_kind};
    double end = NAN, bus = NAN, book = NAN; // on the bench
    for (int k = 0; k < 4; k++) {
        rig_default(&rig, kinds[k], 1);
        rig_set(&rig, "battery.resistance", "20 mohm");
        // As heavy as the box: a light puck under a heavy lift would divide the steps.
        if (kinds[k] == &ib_disc_kind) rig_set(&rig, "mass", "5 kg");
        rig_add(&rig, "lift", "elevator", "travel: 0 m, 2 m; efficiency: 0.8");
        rig_hold(&rig, "lift", 7);
        rig_run(&rig, 0.1);
        if (k == 0) {
            end = rig_end(&rig, "lift.position");
            bus = rig_end(&rig, "battery.voltage");
            book = rig_end(&rig, "energy.error");
            assert_true(end > 0.3);
            assert_close(book, 0, 1e-5);
        }
        assert_true(rig_end(&rig, "lift.position") == end);
        assert_true(rig_end(&rig, "battery.voltage") == bus);
        assert_true(rig_end(&rig, "energy.error") == book);
        rig_stop(&rig);
    }
}

// -------------------------------------------------------------------------------------------- mass

static double rate_of(const Rig *r, const char *signal)
{
    const ib_RobotModel *robot = &r->model->robots[0];
    double input[RIG_INPUTS] = {0}, dx[400];
    for (int i = 0; i < robot->ports.input_count; i++) {
        const ib_Timeline *line = &r->inputs[i];
        input[i] = line->count > 0 ? line->values[0] : robot->ports.inputs[i].neutral;
    }
    input[IB_GRAVITY] = g0;
    robot->kind->rate(robot->model, ib_sim_state(r->sim), input, dx);
    for (int i = 0; i < robot->ports.state_count; i++) {
        const char *name = robot->ports.states[i].signal;
        if (name && strcmp(name, signal) == 0) return dx[i];
    }
    fail_msg("%s is no state", signal);
    return NAN;
}

// Goal: the mechanisms' masses add to the base's. Method: forces by hand over mass and 12 kg of
// mechanisms: the tank's stall torque at 6 V, the Roomba's 2 N a wheel, a box that is pushed by a
// slope less (it slides as far as without) and by 40 N.
static void masses_add_to_the_base(void **unused)
{
    (void)unused;
    const char *const lift = "mass: 9 kg; travel: 0 m, 1 m", *const head = "mass: 3 kg";
    tank_default(&rig, "wheels.model: rolling", "", 1);
    rig_add(&rig, "lift", "elevator", lift);
    rig_add(&rig, "head", "turret", head);
    rig_hold(&rig, "left", 6);
    rig_hold(&rig, "right", 6);
    rig_start(&rig, 1);
    double force = 2 * 2 * 10.71 * Kt * 6 / R / 0.0762;
    assert_close(rate_of(&rig, "velocity.forward"), force / 72, 1e-12);
    rig_stop(&rig);

    rig_default(&rig, &ib_roomba_kind, 1);
    rig_add(&rig, "lift", "elevator", lift);
    rig_add(&rig, "head", "turret", head);
    rig_hold(&rig, "left", 2);
    rig_hold(&rig, "right", 2);
    rig_start(&rig, 1);
    assert_close(rate_of(&rig, "velocity.x"), 4 / 14.7, 1e-14);
    rig_stop(&rig);

    rig_default(&rig, &ib_box_kind, 1);
    rig_set(&rig, "velocity.x", "3 m/s");
    rig_add(&rig, "lift", "elevator", lift);
    rig_add(&rig, "head", "turret", head);
    rig_hold(&rig, "push.x", 40);
    rig_start(&rig, 1);
    assert_close(rate_of(&rig, "velocity.x"), 40.0 / 17 - 0.5 * g0, 1e-9);
    rig_stop(&rig);
}

// Goal: where the wheels share the weight, the mechanisms' centre counts, and rises with the lift.
// Method: a tank that slides to the left at 1 m/s over mu = 0.4 and rolls forward. By statics of
// mass M = 68 kg at (x, y, h), the mean of 60 kg at (0, 0, 0.2) and 8 kg at the carriage:
//   load of the left side  = M g (1/2 + y/2W) + h F/2W,  F = mu M g tanh(1/0.1), W = 0.3
// The side forces act at x, where the common centre of mass is: they do not turn the robot, and its
// middle goes along. The loads show in the rolling resistance, J w' = -r c_rr load tanh(rim/v_s)
// with the motors off.
static void weight_moves_with_the_lift(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        char settings[200];
        snprintf(settings, sizeof settings,
                 "mass: 8 kg; place.x: 12 cm; place.y: -5 cm; place.z: 25 cm; position: %g m",
                 0.5 * k);
        tank_default(&rig,
                     "wheels.model: friction_circle; wheels.mu: 0.4; wheels.com_height: 0.2 m; "
                     "wheels.rolling_resistance: 0.02; drive.neutral: coast; drive.loss: none; "
                     "inertia: 6 kg*m^2; velocity.x: 1.5 m/s; velocity.y: 1 m/s",
                     "", 1);
        rig_add(&rig, "lift", "elevator", settings);
        rig_hold(&rig, "left", 0);
        rig_hold(&rig, "right", 0);
        rig_start(&rig, 1);
        const double M = 68, y = -8 * 0.05 / M;
        double h = (60 * 0.2 + 8 * (0.25 + 0.5 * k)) / M, F = 0.4 * M * g0 * tanh(10);
        double left = M * g0 * (0.5 + y / 0.6) + h * F / 0.6, right = M * g0 - left;
        double per = -0.0762 * 0.02 * tanh(15) / 0.003;
        assert_close(rate_of(&rig, "wheel.left.speed"), per * left, 1e-9 * M * g0);
        assert_close(rate_of(&rig, "wheel.right.speed"), per * right, 1e-9 * M * g0);
        assert_close(rate_of(&rig, "velocity.heading"), 0, 1e-12);
        assert_close(rate_of(&rig, "velocity.left"), -F / M, 1e-12);
        rig_stop(&rig);
    }
}

// ----------------------------------------------------------------------------------------- one bus

// Goal: mechanisms on one battery feel each other. Method: at every sample the bus by hand from the
// speeds: V = (E - Rb I_b + Rb sum n d e/R)/(1 + Rb sum n d^2/R), with motors of two kinds, E = 12
// V, Rb = 18 mohm, I_b = 2 A; and the lift lags behind one that is alone.
static void mechanisms_feel_each_others_sag(void **unused)
{
    (void)unused;
    const double Rb = 0.018, R2 = 12.0 / 60, Ke2 = (12 - 1.5 * R2) / 900;
    double apart = 0;
    for (int k = 0; k < 2; k++) {
        rig_default(&rig, &ib_bench_kind, 0.5);
        rig_set(&rig, "battery.resistance", "18 mohm");
        rig_set(&rig, "background_current", "2 A");
        rig_add(&rig, "lift", "elevator", "motors: 2; reduction: 10; mass: 9 kg; place.x: 40 m");
        rig_hold(&rig, "lift", 9);
        if (k)
            rig_add(&rig, "head", "turret",
                    "motors: 3; reduction: 30; inertia: 0.4 kg*m^2; motor.stall_torque: 0.7 N*m; "
                    "motor.stall_current: 60 A; motor.free_speed: 900 rad/s; motor.free_current: "
                    "1.5 A; place.x: -40 m");
        if (k) rig_hold(&rig, "head", -12);
        rig_run(&rig, 0.01);
        for (int row = 0; k && row < rig.rows.count; row++) {
            double e1 = Ke * 10 * rig_row(&rig, row, "lift.velocity") / 0.02;
            double e2 = Ke2 * 30 * rig_row(&rig, row, "head.velocity"), d1 = 0.75, d2 = -1;
            double V = (12 - Rb * 2 + Rb * (2 * d1 * e1 / R + 3 * d2 * e2 / R2)) /
                       (1 + Rb * (2 * d1 * d1 / R + 3 * d2 * d2 / R2));
            double I = 2 * d1 * (d1 * V - e1) / R + 3 * d2 * (d2 * V - e2) / R2 + 2;
            assert_close(rig_row(&rig, row, "battery.voltage"), V, 1e-10);
            assert_close(rig_row(&rig, row, "battery.current"), I, 1e-8);
            assert_close(rig_row(&rig, row, "lift.current"), (d1 * V - e1) / R, 1e-9);
        }
        apart = k ? apart - rig_end(&rig, "lift.position") : rig_end(&rig, "lift.position");
        rig_stop(&rig);
    }
    assert_true(apart > 1e-3);
}

// Goal: tank and arm share a bus too. Method: the same formula with the tank's four motors; the arm
// is held by its brake, a stalled motor.
static void tank_feels_a_stalled_arm(void **unused)
{
    (void)unused;
    const double Rb = 0.015;
    tank_default(&rig, "wheels.model: rolling; battery.resistance: 15 mohm", "", 0.5);
    rig_add(&rig, "arm", "single_arm", "brake: 1 kN*m");
    rig_hold(&rig, "left", 8);
    rig_hold(&rig, "right", -5);
    rig_hold(&rig, "arm", 12);
    rig_hold(&rig, "arm.brake", 1);
    rig_run(&rig, 0.02);
    for (int row = 0; row < rig.rows.count; row++) {
        double l = Ke * rig_row(&rig, row, "drive.left.speed"), dl = 8.0 / 12;
        double r = Ke * rig_row(&rig, row, "drive.right.speed"), dr = -5.0 / 12;
        double V = (12 + Rb / R * (2 * dl * l + 2 * dr * r)) /
                   (1 + Rb / R * (2 * dl * dl + 2 * dr * dr + 1));
        assert_close(rig_row(&rig, row, "battery.voltage"), V, 1e-10);
        assert_close(rig_row(&rig, row, "arm.current"), V / R, 1e-8);
        assert_close(rig_row(&rig, row, "energy.error"), 0, 1e-6);
    }
    rig_stop(&rig);
}

// --------------------------------------------------------------------------------------- the whole

// Goal: each bridge has its breaker, and only that one opens. Method: two stalled wheels, one at 80
// A, for which the table says 0.5 s, one at 40 A, for which it says 20 s.
static void breaker_of_one_mechanism_trips(void **unused)
{
    (void)unused;
    Crossing trip;
    rig_default(&rig, &ib_bench_kind, 1);
    rig_set(&rig, "branch_breaker.trip", "40 A 20 s, 80 A 0.5 s, 160 A 0.1 s");
    ((ib_EquipmentConfig *)rig.config)->power.branch_on = 1;
    rig_add(&rig, "hot", "flywheel", "brake: 100 N*m");
    rig_add(&rig, "cool", "flywheel", "brake: 100 N*m");
    // The bus sees d I: d^2 12 V/R = 80 A.
    rig_hold(&rig, "hot", 12 * sqrt(80 * R / 12));
    rig_hold(&rig, "cool", 12 * sqrt(40 * R / 12));
    rig_hold(&rig, "hot.brake", 1);
    rig_hold(&rig, "cool.brake", 1);
    rig_start(&rig, 0.1);
    rig_watch(&rig, &trip, "branch.hot.closed", 0.5);
    rig_finish(&rig);
    assert_int_equal(trip.count, 1);
    assert_close(trip.seconds[0], 0.5, 1e-6);
    assert_close(rig_end(&rig, "hot.current"), 0, 0);
    assert_close(rig_end(&rig, "branch.cool.closed"), 1, 0);
    assert_true(rig_end(&rig, "cool.current") > 60);
    rig_stop(&rig);
}

// Goal: a disturbance may weaken a mechanism, and the book knows. Method: half the torque doubles
// the time constant of a wheel and leaves its top speed:  J w' = (push V - drag w)/2.
static void scaled_torque_slows_a_wheel(void **unused)
{
    (void)unused;
    const ib_Disturbance half = {.type = IB_DISTURBANCE_SCALE,
                                 .robot = -1,
                                 .until = 10 * IB_SECOND,
                                 .size = 0.5,
                                 .signal = "wheel.torque"};
    double J = 0.01 + Jr, tau = 2 * J * R / (Kt * Ke), top = 9 / Ke;
    rig_default(&rig, &ib_bench_kind, 4);
    rig_solver(&rig, IB_DOPRI5, 1e-13, 0.1);
    rig.sim_config.disturbances = &half;
    rig.sim_config.disturbance_count = 1;
    rig_add(&rig, "wheel", "flywheel", "inertia: 0.01 kg*m^2");
    rig_hold(&rig, "wheel", 9);
    rig_run(&rig, 0.25);
    for (int row = 0; row < rig.rows.count; row++) {
        assert_close(rig_row(&rig, row, "wheel.velocity"), -top * expm1(-rig.rows.t[row] / tau),
                     1e-9 * top);
        assert_close(rig_row(&rig, row, "energy.error"), 0, 1e-8);
    }
    rig_stop(&rig);
}

// Goal: a run that begins again is the same run. Method: a lift that hits its stops, a shooter that
// has shot; hash of the first run and of the one after a reset.
static void reset_begins_anew(void **unused)
{
    (void)unused;
    const Knot balls[] = {{0.2, 1}, {0.3, 0}, {0.4, 1}};
    tank_default(&rig, "wheels.model: friction_circle; battery.resistance: 15 mohm", "b", 1);
    rig_add(&rig, "lift", "lift", "travel: 0 m, 0.2 m; current: implicit");
    rig_add(&rig, "gun", "shooter", "dry_friction: 0.01 N*m");
    rig_hold(&rig, "left", 5);
    rig_hold(&rig, "right", 5);
    rig_hold(&rig, "lift.left", 9);
    rig_hold(&rig, "gun", 12);
    rig_input(&rig, "gun.ball", false, balls, 3);
    rig_run(&rig, 1);
    uint64_t first = ib_sim_hash(rig.sim);
    assert_close(rig_end(&rig, "gun.balls"), 2, 0);
    ib_sim_reset(rig.sim);
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND, &rig.error), IB_OK);
    assert_true(ib_sim_hash(rig.sim) == first);
    rig_stop(&rig);
}

// Goal: a tank with a lift on it is steered like one that has its weight. Method: the base with 10
// kg more and the lift's inertia; a motion takes the same commands.
static void locomotion_is_that_of_the_base(void **unused)
{
    (void)unused;
    ib_AxisMotion motion = {{1, 0, 0.5}, {1, 0, 1}};
    ib_MotionDemand demand[2];
    double state[128];
    for (int i = 0; i < 2; i++) {
        ib_Arena arena = {0};
        ib_Robot robot;
        ib_Locomotion base;
        rig_default(&rig, &ib_tank_kind, 1);
        ib_TankConfig *tank = rig.config;
        tank->motor = (ib_MotorConfig){12, 2.429, 131.227, 556.06, 2.7, IB_TORQUE_BALANCED};
        tank->inertia = 5;
        if (i) rig_add(&rig, "lift", "elevator", "mass: 10 kg; travel: 0 m, 1 m");
        if (!i) tank->mass += 10;
        assert_int_equal(ib_robot_init(&ib_tank_kind, tank, &arena, &robot, NULL), IB_OK);
        robot.kind->reset(tank, robot.model, state);
        assert_int_equal(robot.kind->locomotion(robot.model, state, 9.80665, &base, NULL), IB_OK);
        base.demand(&base, &motion, &demand[i]);
        assert_string_equal(base.commands[0], "left");
        ib_arena_reset(&arena);
        free(rig.config);
    }
    for (int k = 0; k < 2; k++) assert_close(demand[1].command[k], demand[0].command[k], 1e-9);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_mechanism_changes_no_bit),
        cmocka_unit_test(mechanism_runs_anywhere_as_on_a_bench),
        cmocka_unit_test(masses_add_to_the_base),
        cmocka_unit_test(weight_moves_with_the_lift),
        cmocka_unit_test(mechanisms_feel_each_others_sag),
        cmocka_unit_test(tank_feels_a_stalled_arm),
        cmocka_unit_test(breaker_of_one_mechanism_trips),
        cmocka_unit_test(scaled_torque_slows_a_wheel),
        cmocka_unit_test(reset_begins_anew),
        cmocka_unit_test(locomotion_is_that_of_the_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
