// The forces that the tank shows between floor and wheels, against its motion and closed forms.
#include "cmocka_all.h"
#include "robot/tank_rig.h"
#include "spread.h"

#include <math.h>

static const double M = 60, W = 0.3, G = 10.71, r_w = 0.0762, gravity = 9.80665;

// B7's robot on these wheels, or as RoboSim printed it.
static void start(Rig *rig, const char *wheels)
{
    bool published = strcmp(wheels, "published") == 0;
    rig_default(rig, 1);
    if (published)
        rig_set(rig, "equations", "published");
    else
        rig_set(rig, "wheels.model", wheels);
}

// An even number of [low, high), another one at every call.
static double draw(uint64_t *index, double low, double high)
{
    return low + (high - low) * chance_uniform(1, 2, (*index)++);
}

// A robot that moves and turns, slips sideways where it can, with wheels that spin and bristles
// that are bent; and any commands.
static void draw_instant(const Rig *rig, uint64_t *index, double *x, double *input)
{
    const ib_RobotModel *robot = &rig->model->robots[0];
    const ib_TankModel *t = rig_tank(rig);
    const ib_Sides *s = &t->sides;
    robot->kind->reset(robot->config, robot->model, x);
    x[IB_TANK_TH] = draw(index, -3, 3);
    x[IB_TANK_U] = draw(index, -3, 3);
    x[IB_TANK_W] = draw(index, -2, 2);
    if (s->law != IB_WHEEL_ROLLING || t->published) x[IB_TANK_N] = draw(index, -0.5, 0.5);
    for (int i = 0; s->slips && i < 2; i++) x[s->speed + i] = draw(index, -40, 40);
    for (int i = 0; s->law == IB_WHEEL_BRISTLE && i < IB_BRISTLE_STATES; i++)
        x[s->bristles + i] = draw(index, -5e-5, 5e-5);
    for (int i = 0; i < robot->ports.input_count; i++) input[i] = robot->ports.inputs[i].neutral;
    input[IB_GRAVITY] = gravity;
    input[IB_TANK_LEFT] = draw(index, -12, 12);
    input[IB_TANK_RIGHT] = draw(index, -12, 12);
}

typedef struct Instant {
    double dx[64];      // rates of the state
    double left, right; // wheel.left.force, wheel.right.force [N]
    double torque[2];   // of a motor, left and right [N m]
} Instant;

static void look(const Rig *rig, const double *x, const double *input, Instant *now)
{
    const ib_RobotModel *robot = &rig->model->robots[0];
    double y[256];
    assert_true(robot->ports.state_count <= 64 && rig->model->signals.count <= 256);
    robot->kind->rate(robot->model, x, input, now->dx);
    robot->kind->output(robot->model, x, input, y);
    now->left = y[rig_signal(rig, "wheel.left.force")];
    now->right = y[rig_signal(rig, "wheel.right.force")];
    now->torque[0] = y[rig_signal(rig, "drive.left.torque")];
    now->torque[1] = y[rig_signal(rig, "drive.right.torque")];
}

// Goal: along the heading nothing but these two forces accelerates a robot that nobody pushes.
// Method: F_l + F_r = M (u' - w n), Newton in the turning frame, at 200 random instants of every
// law of wheels, with rolling resistance and gears that lose.
static void forces_sum_to_mass_times_acceleration(void **unused)
{
    (void)unused;
    static const char *const laws[] = {"rolling", "viscous", "friction_circle", "bristle",
                                       "published"};
    uint64_t index = 0;
    for (int i = 0; i < 5; i++) {
        Rig rig;
        start(&rig, laws[i]);
        rig_set(&rig, "wheels.rolling_resistance", "0.02");
        rig_set(&rig, "drive.efficiency", "0.9");
        rig_start(&rig);
        for (int k = 0; k < 200; k++) {
            double x[64], input[64];
            Instant now;
            draw_instant(&rig, &index, x, input);
            look(&rig, x, input, &now);
            double a = now.dx[IB_TANK_U] - x[IB_TANK_W] * x[IB_TANK_N];
            assert_close(now.left + now.right, M * a, 1e-9); // roundings of some kN
        }
        rig_stop(&rig);
    }
}

// Goal: each side has its own part of them. Method: where no patch resists turning, (F_r - F_l) W =
// I w'; a wheel that slips has J W' = N G T - r F.
static void each_side_has_its_part(void **unused)
{
    (void)unused;
    static const char *const laws[] = {"rolling", "viscous", "published", "friction_circle",
                                       "bristle"};
    const double I = M / 12 * (0.9 * 0.9 * 0.8 * 0.8 + 4 * W * W), J = 0.003;
    uint64_t index = 0;
    for (int i = 0; i < 5; i++) {
        Rig rig;
        start(&rig, laws[i]);
        rig_start(&rig);
        int wheel = rig_tank(&rig)->sides.speed;
        assert_true((wheel >= 0) == (i > 2));
        for (int k = 0; k < 200; k++) {
            double x[64], input[64];
            Instant now;
            draw_instant(&rig, &index, x, input);
            look(&rig, x, input, &now);
            if (wheel < 0) {
                assert_close((now.right - now.left) * W, I * now.dx[IB_TANK_W], 1e-9);
                continue;
            }
            // roundings of some kN at the wheel's radius
            assert_close(r_w * now.left, 2 * G * now.torque[0] - J * now.dx[wheel], 1e-9);
            assert_close(r_w * now.right, 2 * G * now.torque[1] - J * now.dx[wheel + 1], 1e-9);
        }
        rig_stop(&rig);
    }
}

// Goal: their sizes are those of the textbook. Method: at rest with 12/12 V a side has N G Kt I0/r,
// I0 = (12 V - Rb 0.5 A)/(R + 4 Rb) [reference B7]; RoboSim as printed has half of it (10.1);
// wheels that spin freely have mu M g/2.
static void limits_are_those_of_the_textbook(void **unused)
{
    (void)unused;
    const double R = 12 / 131.227, Kt = 2.429 / 131.227, Rb = 0.012;
    const double stall = 2 * G * Kt * (12 - Rb * 0.5) / (R + 4 * Rb) / r_w;
    static const char *const laws[] = {"rolling", "viscous", "published", "friction_circle"};
    const double expected[] = {stall, stall, stall / 2, 0.8 * M * gravity / 2};
    for (int i = 0; i < 4; i++) {
        Rig rig;
        uint64_t index = 0;
        double x[64], input[64];
        Instant now;
        start(&rig, laws[i]);
        rig_set(&rig, "wheels.mu", "0.8");
        rig_start(&rig);
        int wheel = rig_tank(&rig)->sides.speed;
        draw_instant(&rig, &index, x, input);
        x[IB_TANK_U] = x[IB_TANK_N] = x[IB_TANK_W] = 0;
        // 2.3 m/s at the rim over a slip speed of 0.1 m/s: 1 - tanh is below 1e-19
        if (i == 3) x[wheel] = x[wheel + 1] = 30;
        input[IB_TANK_LEFT] = input[IB_TANK_RIGHT] = 12;
        look(&rig, x, input, &now);
        assert_close(now.left, expected[i], 1e-9 * expected[i]);
        assert_close(now.right, expected[i], 1e-9 * expected[i]);
        rig_stop(&rig);
    }
}

// Goal: on a straight launch their impulse is the momentum gained. Method: the trapezoid rule over
// samples each 0.1 ms against M v. Its error is h^2/12 times the change of F'. The steepest is a
// patch that is loaded: mu M g over 0.1 m/s of slip, which grows by 2 N G T r/J = 370 m/s^2, so
// that F' <= 2.2 kN/ms; it may come and go.
static void impulse_of_a_launch_is_the_momentum(void **unused)
{
    (void)unused;
    static const char *const laws[] = {"rolling", "friction_circle", "bristle", "published"};
    const double h = 1e-4, tolerance = h * h / 12 * 2 * 2.2e6;
    for (int i = 0; i < 4; i++) {
        Rig rig;
        start(&rig, laws[i]);
        rig.sim_config.duration = ib_time_from_seconds(0.3);
        rig.sim_config.step = ib_time_from_seconds(h);
        rig_set(&rig, "drive.rotor_inertia", "7.75e-5 kg*m^2"); // of a CIM
        rig_drive(&rig, 12, 12);
        rig_run(&rig, h);
        int left = rig_signal(&rig, "wheel.left.force"), last = rig.rows.count - 1;
        int right = rig_signal(&rig, "wheel.right.force"), width = rig.model->signals.count;
        double impulse = 0;
        for (int k = 0; k <= last; k++) {
            const double *row = rig.rows.signals + (size_t)k * (size_t)width;
            impulse += (k == 0 || k == last ? h / 2 : h) * (row[left] + row[right]);
        }
        double momentum = M * rig_end(&rig, "velocity.forward");
        assert_true(momentum > 50); // it has moved
        assert_close(impulse, momentum, tolerance);
        rig_stop(&rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_sum_to_mass_times_acceleration),
        cmocka_unit_test(each_side_has_its_part),
        cmocka_unit_test(limits_are_those_of_the_textbook),
        cmocka_unit_test(impulse_of_a_launch_is_the_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
