// Coulomb's law at contacts that rest, in whole runs: what sticks, slides and stops, against closed
// forms, with every solver and with steps from 0.1 to 20 ms.
#include "cmocka_all.h"
#include "sim/yard.h"

typedef struct Method {
    ib_SolverKind kind;
    double step;  // [s]; the longest of an adaptive one
    double slack; // [s]: how much later or earlier than in truth something may be; Euler's first
                  // order in its steps
} Method;

static const Method methods[] = {
    {IB_RK4, 1e-4, 0},         {IB_RK4, 1e-3, 0},        {IB_RK4, 5e-3, 0},
    {IB_RK4, 20e-3, 0},        {IB_DOPRI5, 20e-3, 0},    {IB_DOPRI5, 1e-3, 0},
    {IB_ROSENBROCK, 20e-3, 0}, {IB_EULER, 1e-4, 1e-4},   {IB_EULER, 1e-3, 1e-3},
    {IB_EULER, 5e-3, 5e-3},    {IB_EULER, 20e-3, 20e-3},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

static const double exact = 1e-6; // [m, m/s, J per 1]

// A room with its wall of friction 1 at x = 4 m.
static void wall_at_four(Yard *yard, const Method *method, double duration)
{
    yard_default(yard, duration);
    yard_solver(yard, method->kind, method->step);
    yard_walls(yard, 0, 0, 4, 6, 1);
}

static void say(const char *what, const Method *method)
{
    static const char *const names[] = {"euler", "rk4", "dopri5", "rosenbrock"};
    if (getenv("IB_SHOW"))
        print_error("%s: %s %g ms\n", what, names[method->kind], 1e3 * method->step);
}

// Euler's first step does not know the wall yet, and what it speeds up towards it is lost
// there [J].
static double first_push(const Method *method, double force, double mass)
{
    return method->slack * method->slack * force * force / (2 * mass);
}

// Contacts only take (by all bodies together), nothing is inside anything, and the books balance.
// `energy`: what is at hand [J].
static void assert_taken(const Yard *yard, double energy, const Method *method)
{
    double before = 0;
    bool euler = method->kind == IB_EULER; // its books are of first order
    for (int i = 0; i < yard->rig.rows.count; i++) {
        double taken = yard_sum(yard, i, "energy.collision");
        if (!(taken >= before - 1e-10 * energy)) // tolerance of the adaptive solvers
            fail_msg("%g J of %g J given back at %g s", before - taken, energy,
                     yard->rig.rows.t[i]);
        before = fmax(taken, before);
        assert_true(yard_depth(yard, i) <= 1e-7);
        for (int b = 0; b < yard->rig.sim_config.robot_count && !euler; b++)
            assert_close(yard_row(yard, i, b, "energy.error"), 0, 1e-9 * energy);
    }
}

// ------------------------------------------------------------------------------------ along a wall

// Goal: a box that slides along a wall stops after v^2/(2 a), a = mu F/m, and stays. Method: 1 kg
// at 0.5 m/s, friction 1, under 100 N: 1.25 mm in 5 ms; at rest for the rest of the run.
static void slide_stops_after_its_way(void **unused)
{
    (void)unused;
    for (int m = 0; m < METHODS; m++) {
        Yard yard;
        const Method *method = &methods[m];
        say("slide", method);
        wall_at_four(&yard, method, 0.2);
        ib_BoxConfig *box = yard_box(&yard, 1, 0.2, 0.8);
        box->planar = (ib_PlanarConfig){.x = 3.9, .y = 2, .velocity_y = 0.5};
        yard_press(&yard, 0, 100, 0);
        rig_run(&yard.rig, 1e-3);
        double late = 0.5 * method->slack;
        assert_close(yard_at(&yard, 3e-3, 0, "velocity.y"), 0.2, exact + 100 * method->slack);
        assert_close(yard_at(&yard, 3e-3, 0, "pose.y"), 2 + 1.05e-3, exact + late);
        assert_close(yard_at(&yard, 0.1, 0, "pose.y"), 2 + 1.25e-3, exact + late);
        assert_close(yard_end(&yard, 0, "pose.y"), yard_at(&yard, 0.1, 0, "pose.y"), 1e-12);
        assert_close(yard_end(&yard, 0, "pose.x"), 3.9, 1e-7);
        assert_close(yard_end(&yard, 0, "pose.heading"), 0, 1e-9);
        assert_close(yard_end(&yard, 0, "velocity.y"), 0, 1e-12);
        assert_close(yard_end(&yard, 0, "contact.force.x"), -100, 1e-6);
        assert_close(yard_end(&yard, 0, "contact.force.y"), 0, 1e-6);
        assert_close(yard_end(&yard, 0, "energy.collision"), 0.125,
                     0.125 * exact + 100 * late + first_push(method, 100, 1));
        assert_taken(&yard, 0.125, method);
        rig_stop(&yard.rig);
    }
}

// 50 kg, 0.8 x 2 m, pressed with 6000 N against a wall of friction 1, slide at 1 m/s
// against `pull`.
static void slide_against(Yard *yard, const Method *method, double pull)
{
    wall_at_four(yard, method, 0.1);
    ib_BoxConfig *box = yard_box(yard, 50, 0.8, 2);
    box->planar = (ib_PlanarConfig){.x = 3.6, .y = 3, .velocity_y = 1};
    yard_press(yard, 0, 6000, 0);
    yard_press(yard, 0, 0, -pull);
    rig_run(&yard->rig, 1e-3);
}

// Goal: friction is against the slide, whatever else pulls, and holds what it can hold. Method: a
// pull of 4000 N stops the slide after v^2/(2 a), a = (6000 + 4000)/50, together with friction,
// which then holds the 4000 N. Friction has taken its share of the way: 6000 N times it.
static void slide_against_a_pull_stops_and_sticks(void **unused)
{
    (void)unused;
    for (int m = 0; m < METHODS; m++) {
        Yard yard;
        const Method *method = &methods[m];
        say("pull 4000", method);
        slide_against(&yard, method, 4000);
        double way = 1 / (2 * 200.0), late = 1 * method->slack;
        assert_close(yard_at(&yard, 0.05, 0, "pose.y"), 3 + way, exact + late);
        assert_close(yard_end(&yard, 0, "pose.y"), yard_at(&yard, 0.05, 0, "pose.y"), 1e-12);
        assert_close(yard_end(&yard, 0, "velocity.y"), 0, 1e-12);
        assert_close(yard_end(&yard, 0, "contact.force.x"), -6000, 6000 * exact);
        assert_close(yard_end(&yard, 0, "contact.force.y"), 4000, 4000 * exact);
        assert_close(yard_end(&yard, 0, "energy.collision"), 6000 * way,
                     25 * exact + 6000 * late + first_push(method, 6000, 50));
        assert_taken(&yard, 25, method);
        rig_stop(&yard.rig);
    }
}

// Goal: what friction cannot hold comes back. Method: a pull of 7000 N: a stop after v^2/(2 a), a =
// 13000/50, then back with (7000 - 6000)/50.
static void slide_against_a_strong_pull_comes_back(void **unused)
{
    (void)unused;
    for (int m = 0; m < METHODS; m++) {
        Yard yard;
        const Method *method = &methods[m];
        say("pull 7000", method);
        slide_against(&yard, method, 7000);
        double stop = 1 / 260.0, way = 1 / (2 * 260.0), back = 0.1 - stop;
        double late = 2 * method->slack * (1 + 20 * back);
        assert_close(yard_end(&yard, 0, "velocity.y"), -20 * back, exact + 260 * method->slack);
        assert_close(yard_end(&yard, 0, "pose.y"), 3 + way - 10 * back * back, exact + late);
        assert_close(yard_end(&yard, 0, "contact.force.y"), 6000, 6000 * exact);
        if (method->slack == 0)
            assert_close(yard_end(&yard, 0, "energy.collision"), 6000 * (way + 10 * back * back),
                         1000 * exact);
        assert_taken(&yard, 1000, method);
        rig_stop(&yard.rig);
    }
}

// Goal: floor, walls and slopes are in one balance. Method: a floor tilted by 10 degrees, downhill
// at an angle q to the wall's normal: on ice the box sticks where tan q < mu, else it goes with g
// sin(10 deg) (sin q - mu cos q); the wall bears m g sin(10 deg) cos q.
static void box_on_a_slope_leans_on_a_wall(void **unused)
{
    (void)unused;
    static const double deg = 0.017453292519943295;
    static const double angles[] = {20, 44, 46, 70};
    for (int m = 0; m < METHODS; m++)
        for (int a = 0; a < 4; a++) {
            Yard yard;
            const Method *method = &methods[m];
            say("slope", method);
            wall_at_four(&yard, method, 0.5);
            ib_BoxConfig *box = yard_box(&yard, 3, 0.2, 0.8);
            box->planar = (ib_PlanarConfig){.x = 3.9, .y = 2};
            rig_disturb(&yard.rig, (ib_Disturbance){.type = IB_DISTURBANCE_TILT,
                                                    .robot = -1,
                                                    .until = IB_SECOND,
                                                    .size = 10 * deg,
                                                    .direction = angles[a] * deg});
            rig_run(&yard.rig, 0.05);
            double pull = 9.80665 * sin(10 * deg), q = angles[a] * deg;
            double speeding = fmax(0, pull * (sin(q) - cos(q)));
            double late = 2 * speeding * 0.5 * method->slack;
            assert_close(yard_end(&yard, 0, "velocity.y"), speeding * 0.5,
                         exact + 2 * speeding * method->slack);
            assert_close(yard_end(&yard, 0, "pose.y"), 2 + speeding * 0.125, exact + late);
            assert_close(yard_end(&yard, 0, "contact.force.x"), -3 * pull * cos(q), exact);
            assert_close(yard_end(&yard, 0, "contact.force.y"),
                         -3 * (speeding > 0 ? pull * cos(q) : pull * sin(q)), exact);
            assert_taken(&yard, 1, method);
            rig_stop(&yard.rig);
        }
}

// Goal: robots slide like boxes. Method: a tank of 60 kg without tyre friction at 0.6 m/s, its
// right side at the wall y = 0, pressed with 600 N: mu F/m = sqrt(0.5) 10 m/s^2.
static void tank_slides_along_a_wall(void **unused)
{
    (void)unused;
    for (int m = 0; m < METHODS; m++) {
        Yard yard;
        const Method *method = &methods[m];
        say("tank", method);
        wall_at_four(&yard, method, 0.2);
        ib_TankConfig *tank = yard_tank(&yard);
        rig_set(&yard.rig, "wheels.model", "friction_circle");
        rig_set(&yard.rig, "wheels.mu", "0");
        rig_set(&yard.rig, "drive.neutral", "coast");
        rig_drive(&yard.rig, 0, 0);
        tank->bumper = (ib_BumperConfig){1, 0, INFINITY, 0.5};
        tank->planar = (ib_PlanarConfig){.x = 2, .y = 0.3, .velocity_x = 0.6};
        yard_press(&yard, 0, 0, -600);
        rig_run(&yard.rig, 5e-3);
        double brake = sqrt(0.5) * 10, way = 0.36 / (2 * brake);
        assert_close(yard_end(&yard, 0, "pose.x"), 2 + way, exact + 0.6 * method->slack);
        assert_close(yard_end(&yard, 0, "pose.y"), 0.3, 1e-7);
        assert_close(yard_end(&yard, 0, "velocity.x"), 0, 1e-9);
        assert_taken(&yard, 0.5 * 60 * 0.36, method);
        rig_stop(&yard.rig);
    }
}

// ------------------------------------------------------------------------------------------- gates

// Goal: a gate that moves along its side drags what leans on it: the box is speeded up by mu F/m,
// goes with it, and slides on when it stops. Method: 2 kg pressed with 20 N, friction 1, on a gate
// that goes at 0.8 m/s from 0.1 s to 0.4 s. The work is the gate's.
static void gate_drags_a_box_by_friction(void **unused)
{
    (void)unused;
    for (int m = 0; m < METHODS; m++) {
        Yard yard;
        const Method *method = &methods[m];
        say("drag", method);
        yard_default(&yard, 0.6);
        yard_solver(&yard, method->kind, method->step);
        yard.field.friction = 1;
        yard.field.restitution = 0;
        ib_ElementConfig *gate = yard_element(&yard, "gate", 1, 0, 0.2, 4);
        yard_move(&yard, gate, IB_TRACK_Y, (Knot[]){{0, 0}, {0.1, 0}, {0.4, 0.24}}, 3);
        ib_BoxConfig *box = yard_box(&yard, 2, 0.2, 0.8);
        box->planar = (ib_PlanarConfig){.x = 0.8, .y = 0.1};
        yard_press(&yard, 0, 20, 0);
        rig_run(&yard.rig, 0.01);
        double late = 0.8 * method->slack, slow = 10 * method->slack;
        assert_close(yard_at(&yard, 0.1, 0, "pose.y"), 0.1, 1e-12);
        assert_close(yard_at(&yard, 0.15, 0, "velocity.y"), 0.5, exact + slow);
        assert_close(yard_at(&yard, 0.15, 0, "pose.y"), 0.1 + 0.0125, exact + late);
        assert_close(yard_at(&yard, 0.3, 0, "velocity.y"), 0.8, 1e-9);
        assert_close(yard_at(&yard, 0.3, 0, "pose.y"), 0.1 + 0.032 + 0.8 * 0.12, exact + late);
        assert_close(yard_at(&yard, 0.3, 0, "energy.collision"), -0.64, 0.64 * exact + 20 * late);
        assert_close(yard_at(&yard, 0.3, 0, "contact.force.y"), 0, 1e-9);
        assert_close(yard_at(&yard, 0.45, 0, "velocity.y"), 0.3, exact + slow);
        assert_close(yard_end(&yard, 0, "pose.y"), 0.1 + 0.032 + 0.8 * 0.22 + 0.032,
                     exact + 2 * late);
        assert_close(yard_end(&yard, 0, "velocity.y"), 0, 1e-12);
        assert_close(yard_end(&yard, 0, "energy.collision"), 0, 0.64 * exact + 40 * late);
        rig_stop(&yard.rig);
    }
}

// Goal: a box between a gate and a wall it is pressed to bears both. Method: the gate without
// friction pushes 2 kg along the wall at 0.5 m/s, pressed with 30 N (friction 1): it bears 30 N;
// when it stops after 0.3 s the box slides on for v^2/(2 15 m/s^2).
static void gate_pushes_a_box_along_a_wall(void **unused)
{
    (void)unused;
    for (int m = 0; m < METHODS; m++) {
        Yard yard;
        const Method *method = &methods[m];
        say("chute", method);
        wall_at_four(&yard, method, 0.5);
        ib_ElementConfig *gate = yard_element(&yard, "gate", 3.85, 1, 0.2, 0.2);
        gate->friction = 0;
        yard_move(&yard, gate, IB_TRACK_Y, (Knot[]){{0, 0}, {0.3, 0.15}}, 2);
        ib_BoxConfig *box = yard_box(&yard, 2, 0.2, 0.8);
        box->planar = (ib_PlanarConfig){.x = 3.9, .y = 1.5};
        yard_press(&yard, 0, 30, 0);
        rig_run(&yard.rig, 0.01);
        assert_close(yard_at(&yard, 0.2, 0, "pose.y"), 1.6, 2e-7);
        assert_close(yard_at(&yard, 0.2, 0, "velocity.y"), 0.5, 1e-9);
        assert_close(yard_at(&yard, 0.2, 0, "contact.force.x"), -30, 30 * exact);
        assert_close(yard_at(&yard, 0.2, 0, "contact.force.y"), 0, 30 * exact);
        assert_close(yard_end(&yard, 0, "pose.y"), 1.65 + 0.25 / 30, exact + 0.5 * method->slack);
        assert_close(yard_end(&yard, 0, "velocity.y"), 0, 1e-12);
        rig_stop(&yard.rig);
    }
}

// ------------------------------------------------------------------------------------------ bodies

// Goal: friction goes through a body that is squeezed between another one and a wall. Method: 4 kg
// pressed with 40 N slide at 1 m/s over 1 kg that lies at the wall. Sides of friction 1 meet: 40 N
// between the two, and mu = sqrt(0.25) at the wall, 20 N. The lower one is speeded up by 20 m/s^2,
// the upper one slowed down by 10, until both go at 2/3 m/s after 1/30 s; then both are slowed down
// by 4 m/s^2.
static void squeezed_box_is_dragged_along(void **unused)
{
    (void)unused;
    for (int m = 0; m < METHODS; m++) {
        Yard yard;
        const Method *method = &methods[m];
        say("squeezed", method);
        wall_at_four(&yard, method, 0.4);
        yard.field.friction = 0.25;
        ib_BoxConfig *below = yard_box(&yard, 1, 0.1, 1.2);
        below->planar = (ib_PlanarConfig){.x = 3.95, .y = 2};
        ib_BoxConfig *above = yard_box(&yard, 4, 0.1, 0.6);
        above->planar = (ib_PlanarConfig){.x = 3.85, .y = 2, .velocity_y = 1};
        yard_press(&yard, 1, 40, 0);
        rig_run(&yard.rig, 0.01);
        double t = 1 / 30.0, v = 2 / 3.0, late = method->slack, way = v * v / 8;
        assert_close(yard_at(&yard, 0.02, 0, "velocity.y"), 0.4, exact + 20 * late);
        assert_close(yard_at(&yard, 0.02, 1, "velocity.y"), 0.8, exact + 10 * late);
        assert_close(yard_at(&yard, 0.1, 0, "velocity.y"), v - 4 * (0.1 - t), exact + 20 * late);
        assert_close(yard_at(&yard, 0.1, 1, "velocity.y"), v - 4 * (0.1 - t), exact + 20 * late);
        assert_close(yard_end(&yard, 0, "pose.y"), 2 + v * t / 2 + way, exact + 2 * late);
        assert_close(yard_end(&yard, 1, "pose.y"), 2 + (1 + v) * t / 2 + way, exact + 2 * late);
        assert_close(yard_sum(&yard, yard.rig.rows.count - 1, "energy.collision"), 2,
                     2 * exact + 40 * late);
        assert_taken(&yard, 2, method);
        rig_stop(&yard.rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slide_stops_after_its_way),
        cmocka_unit_test(slide_against_a_pull_stops_and_sticks),
        cmocka_unit_test(slide_against_a_strong_pull_comes_back),
        cmocka_unit_test(box_on_a_slope_leans_on_a_wall),
        cmocka_unit_test(tank_slides_along_a_wall),
        cmocka_unit_test(gate_drags_a_box_by_friction),
        cmocka_unit_test(gate_pushes_a_box_along_a_wall),
        cmocka_unit_test(squeezed_box_is_dragged_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
