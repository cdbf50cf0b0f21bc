// The law of a free-body diagram: what is drawn adds up to mass times acceleration.
#include "cmocka_all.h"
#include "report/diagram/diagram.h"
#include "robot/planar.h"
#include "scenario/given.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Rig {
    ib_Arena arena;
    ib_Scenario *scenario;
    ib_Sim *sim;
    double *signals;
} Rig;

static void open_rig(Rig *rig, const char *robot, const char *rest)
{
    *rig = (Rig){0};
    const char *text = ib_arena_format(&rig->arena, "robot: {%s}\n%s", robot, rest);
    rig->scenario = given(text);
    const ib_Model *model = rig->scenario->model;
    ib_Error error;
    assert_int_equal(ib_sim_create(model, &rig->sim, &error), IB_OK);
    rig->signals = ib_arena_array(&rig->arena, (size_t)model->signals.count, sizeof(double));
}

static void close_rig(Rig *rig)
{
    ib_sim_destroy(rig->sim);
    ib_scenario_destroy(rig->scenario);
    ib_arena_reset(&rig->arena);
}

static double named(const void *self, const char *name)
{
    const Rig *rig = self;
    int at = ib_signals_find(&rig->scenario->model->signals, name);
    return at < 0 ? (double)NAN : rig->signals[at];
}

static double of_role(const void *self, const char *robot, ib_SignalRole role)
{
    const Rig *rig = self;
    int at = ib_signals_role(&rig->scenario->model->signals, robot, role);
    return at < 0 ? (double)NAN : rig->signals[at];
}

// Velocity in the field and yaw rate at a time.
static void motion_at(Rig *rig, double time, double motion[3])
{
    ib_Error error;
    if (ib_sim_advance(rig->sim, ib_time_from_seconds(time), &error) != IB_OK)
        fail_msg("%s", error.text);
    ib_sim_sample(rig->sim, rig->signals);
    motion[0] = of_role(rig, "", IB_ROLE_VELOCITY_X);
    motion[1] = of_role(rig, "", IB_ROLE_VELOCITY_Y);
    motion[2] = of_role(rig, "", IB_ROLE_YAW_RATE);
}

// Goal: all forces that are drawn, with a slope's, are mass times acceleration, and their torque is
// inertia times angular acceleration, of every kind of robot on the floor. Method: each turns while
// it is pushed beside its centre on a slope; accelerations from velocities 0.1 ms before and after,
// which is exact to h^2 a''/6: some 1e-6 of the forces. One turns with its corner at a wall. A box
// that spins is slowed down by a torque that no single force shows. The team's robot has its centre
// of mass off its middle, with its arm at the lower stop: by hand from robots/team.yaml,
//   S = 6 (-0.05) + 4 (0.15 + 0.35 cos 30 deg) + 0.5 0.45 - 0.3 0.25 kg m,
//   F = M a + S (w' to the left, -w^2 ahead),   T about C = (I - S^2/M) w'.
static void forces_add_up_to_mass_times_acceleration(void **state)
{
    (void)state;
#define PUSHED                                                                                     \
    "disturbances:\n"                                                                              \
    "  - {at: 0 s, for: 5 s, force: 20 N, direction: 70 deg, point: [0.2 m, 0.1 m]}\n"             \
    "  - {at: 0 s, for: 5 s, tilt: 3 deg, direction: 30 deg}\n"                                    \
    "run: {duration: 5 s, step: 0.1 ms}\n"
#define VOLTS "inputs: {left: 4 V, right: 9 V}\n"
    static const struct {
        const char *robot, *rest;
        bool torque;
        double ahead; ///< S [kg m]
    } cases[] = {
        {"kind: roomba, mass: 2.7 kg", "inputs: {left: 1 N, right: 2 N}\n" PUSHED, true},
        {"kind: tank, wheels: {model: rolling}", VOLTS PUSHED, true},
        {"kind: tank, wheels: {model: viscous}", VOLTS PUSHED, true},
        {"kind: tank, wheels: {model: friction_circle, mu: 0.8, rolling_resistance: 0.02}",
         VOLTS PUSHED, true},
        {"kind: tank, wheels: {model: bristle, side_scale: 0.7}", VOLTS PUSHED, true},
        {"kind: holonomic, preset: mecanum",
         "inputs: {stick.x: 0.5, stick.y: 0.3, turn: 0.2}\n" PUSHED, true},
        {"kind: holonomic, preset: swerve", "inputs: {stick.y: 0.7, turn: 0.5}\n" PUSHED, true},
        {"file: " IB_SOURCE_DIR "/robots/team.yaml",
         "inputs: {throttle: 0.5, turn: 0.4, lift: 4 V, arm: 0 V}\n"
         "start: {arm: {position: -30 deg}}\n" PUSHED,
         true, 6 * -0.05 + 4 * (0.15 + 0.35 * 0.8660254037844386) + 0.5 * 0.45 - 0.3 * 0.25},
        {"kind: box, mass: 20 kg",
         "start: {heading: 40 deg, velocity: {x: 2 m/s, y: 1 m/s, heading: 3 rad/s}}\n" PUSHED,
         false},
        {"kind: tank, wheels: {model: friction_circle}",
         "field: {walls: {length: 4 m, width: 4 m}}\nstart: {x: 1 m, y: 1 m, heading: 20 deg}\n"
         "inputs: {left: 6 V, right: 6 V}\n"
         "run: {duration: 5 s, step: 0.1 ms}\n",
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double time = strstr(cases[i].rest, "walls") ? 1.9 : 0.8, h = 1e-4;
        double before[3], now[3], after[3];
        Rig rig;
        open_rig(&rig, cases[i].robot, cases[i].rest);
        const ib_RobotModel *robot = &rig.scenario->model->robots[0];
        double mass = 1 / robot->ports.planar->per_mass;
        motion_at(&rig, time - h, before);
        motion_at(&rig, time, now);
        const ib_DiagramSource source = {named, of_role, &rig};
        ib_Diagram diagram = ib_diagram_from(&robot->ports, "", &source, &rig.arena);
        assert_true(robot->ports.force_count > 0);
        if (strstr(cases[i].rest, "walls"))
            assert_true(hypot(diagram.contact_x, diagram.contact_y) > 50 &&
                        fabs(diagram.contact_torque) > 10);
        motion_at(&rig, time + h, after);

        ib_DiagramSum sum = ib_diagram_sum(&diagram);
        double slope_x = diagram.disturbed ? diagram.slope_x : 0,
               slope_y = diagram.disturbed ? diagram.slope_y : 0;
        double ax = (after[0] - before[0]) / (2 * h), ay = (after[1] - before[1]) / (2 * h),
               aw = (after[2] - before[2]) / (2 * h);
        double size = mass * (fabs(ax) + fabs(ay) + 1), w = now[2];
        double Sx = cases[i].ahead * cos(diagram.heading),
               Sy = cases[i].ahead * sin(diagram.heading);
        double fx = mass * ax - Sy * aw - Sx * w * w, fy = mass * ay + Sx * aw - Sy * w * w;
        double inertia =
            1 / robot->ports.planar->per_inertia - cases[i].ahead * cases[i].ahead / mass;
        assert_close(sum.x + mass * slope_x, fx, 1e-5 * size);
        assert_close(sum.y + mass * slope_y, fy, 1e-5 * size);
        if (cases[i].torque) assert_close(sum.torque / inertia, aw, 1e-4);
        close_rig(&rig);
    }
}

// Goal: where masses stand off the middle, the law is that of the centre of mass C = S/M:
// ΣF + M g = M a_C, and the torque about C is I_C alpha. Method: turrets (nothing of them moves
// along the floor) on a box and two tanks, pushed beside their middle on a slope; masses by hand.
// a_C from the velocity of C 0.1 ms before and after, exact to h^2 a''/6. I_C: a turret is a point
// mass, M_1 M_2/M (x^2 + y^2); the base's own from the same run with the turret at the middle. What
// those differences leave is 3e-7 of it.
typedef struct OffMiddle {
    const char *robot, *rest;
    double base, turret, x, y; // [kg], [m]
} OffMiddle;

static void velocity_of_centre(Rig *rig, double time, const OffMiddle *off, double motion[3])
{
    double share = off->turret / (off->base + off->turret);
    motion_at(rig, time, motion);
    double heading = of_role(rig, "", IB_ROLE_POSE_HEADING), w = motion[2];
    double x = share * (off->x * cos(heading) - off->y * sin(heading)),
           y = share * (off->x * sin(heading) + off->y * cos(heading));
    motion[0] -= w * y;
    motion[1] += w * x;
}

// Checks forces; returns the torque about C for each of its angular acceleration.
static double inertia_about_centre(const OffMiddle *off, double x, double y)
{
    const double time = 0.1, h = 1e-4, mass = off->base + off->turret;
    OffMiddle here = *off;
    double before[3], now[3], after[3];
    char robot[256];
    here.x = x;
    here.y = y;
    snprintf(robot, sizeof robot,
             "%s, mechanisms: {t: {kind: turret, mass: %g kg, place: {x: %g m, y: %g m}}}",
             off->robot, off->turret, x, y);
    Rig rig;
    open_rig(&rig, robot, off->rest);
    velocity_of_centre(&rig, time - h, &here, before);
    velocity_of_centre(&rig, time, &here, now);
    const ib_DiagramSource source = {named, of_role, &rig};
    const ib_RobotPorts *ports = &rig.scenario->model->robots[0].ports;
    ib_Diagram diagram = ib_diagram_from(ports, "", &source, &rig.arena);
    assert_int_equal(diagram.uneven, x != 0 || y != 0);
    assert_close(diagram.centre_x, off->turret * x / mass, 1e-12);
    assert_close(diagram.centre_y, off->turret * y / mass, 1e-12);
    velocity_of_centre(&rig, time + h, &here, after);
    ib_DiagramSum sum = ib_diagram_sum(&diagram);
    double ax = (after[0] - before[0]) / (2 * h), ay = (after[1] - before[1]) / (2 * h),
           alpha = (after[2] - before[2]) / (2 * h);
    double size = mass * (fabs(ax) + fabs(ay) + 1);
    assert_close(sum.x + mass * diagram.slope_x, mass * ax, 1e-5 * size);
    assert_close(sum.y + mass * diagram.slope_y, mass * ay, 1e-5 * size);
    assert_true(fabs(alpha) > 0.1); // it turns, and more so
    close_rig(&rig);
    return sum.torque / alpha;
}

static void moments_are_about_the_centre_of_mass(void **state)
{
    (void)state;
#define TANK "kind: tank, mass: 30 kg, inertia: 2 kg*m^2, wheels: {model: "
    static const OffMiddle cases[] = {
        {"kind: box, mass: 10 kg, mu: 0, length: 0.6 m, width: 0.6 m", "inputs: {t: 0 V}\n" PUSHED,
         10, 10, 0.25, -0.1},
        {TANK "friction_circle, mu: 0.8}", VOLTS PUSHED, 30, 6, 0.2, 0.15},
        {TANK "rolling}", VOLTS PUSHED, 30, 6, -0.2, 0.1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const OffMiddle *off = &cases[i];
        double own = inertia_about_centre(off, 0, 0);
        double reduced = off->base * off->turret / (off->base + off->turret);
        double moved = own + reduced * (off->x * off->x + off->y * off->y);
        assert_close(inertia_about_centre(off, off->x, off->y), moved, 1e-6 * moved);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_add_up_to_mass_times_acceleration),
        cmocka_unit_test(moments_are_about_the_centre_of_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
