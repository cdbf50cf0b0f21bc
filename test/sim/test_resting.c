// What rests stays, what is restored goes on, and what nothing holds keeps its momentum.
#include "cmocka_all.h"
#include "sim/yard.h"
#include "spread.h"

enum { SCENES = IB_ROUNDS(30, 6), INSTANTS = IB_ROUNDS(50, 3), LONG = IB_ROUNDS(60, 15) };

static double draw(int scene, int *index, double low, double high)
{
    return low + (high - low) * chance_uniform(16, (uint64_t)scene, (uint64_t)(*index)++);
}

// ---------------------------------------------------------------------------------------- momentum

enum { CROWD = 10 };

// Boxes of 10 g to 100 kg on ice, each in a cell of its own of a grid, on their way to the middle;
// every other one is pushed there, through its middle, from some time to another.
static void crowd_together(int scene, Yard *yard)
{
    int index = 0, count = 2 + scene % (CROWD - 1);
    yard_default(yard, 0.8);
    yard_solver(yard, (ib_SolverKind)(scene % 4),
                1e-4 * exp(draw(scene, &index, 0, log(scene % 4 == IB_EULER ? 20 : 200))));
    yard->rig.sim_config.solver.tolerance = 1e-8;
    for (int i = 0; i < count; i++) {
        double length = draw(scene, &index, 0.1, 0.35), width = draw(scene, &index, 0.1, 0.35);
        double mass = 0.01 * exp(draw(scene, &index, 0, log(1e4)));
        ib_BoxConfig *box = yard_box(yard, mass, length, width);
        double x = 0.5 * (i % 4 - 1.5), y = 0.5 * (i / 4 - 1), speed = draw(scene, &index, 0, 2);
        box->bumper.restitution = draw(scene, &index, -0.5, 1);
        box->bumper.restitution = fmax(0, box->bumper.restitution);
        box->bumper.friction = draw(scene, &index, 0, 2);
        box->planar = (ib_PlanarConfig){.x = x,
                                        .y = y,
                                        .heading = draw(scene, &index, -3, 3),
                                        .velocity_x = -speed * x,
                                        .velocity_y = -speed * y,
                                        .velocity_heading = draw(scene, &index, -3, 3)};
        double force = mass * draw(scene, &index, 1, 30), from = draw(scene, &index, 0, 0.3);
        if (i % 2)
            yard_push(yard, i, from, from + draw(scene, &index, 0, 0.6), -force * x, -force * y, 0,
                      0);
    }
}

// What the pushes have given so far along x (0) or y (1) [N s].
static double given_until(const Yard *yard, double t, int axis)
{
    double sum = 0;
    for (int i = 0; i < yard->rig.sim_config.disturbance_count; i++) {
        const ib_Disturbance *d = &yard->rig.disturbances[i];
        double from = ib_time_to_seconds(d->at), to = ib_time_to_seconds(d->until);
        double along = axis ? sin(d->direction) : cos(d->direction);
        if (t > from) sum += d->size * along * (fmin(t, to) - from);
    }
    return sum;
}

// The sum of m v along x (0) or y (1) [N s].
static double momentum(const Yard *yard, int row, int axis)
{
    double sum = 0;
    for (int i = 0; i < yard->rig.sim_config.robot_count; i++)
        sum += yard->boxes[i].mass * yard_row(yard, row, i, axis ? "velocity.y" : "velocity.x");
    return sum;
}

// Goal: contacts between bodies keep momentum, in hits and at rest, whatever the solver. Method:
// scenes of 2 to 10 boxes without walls; the sum of m v is that of the start and what the pushes
// have given, at every sample.
static void free_bodies_keep_their_momentum(void **unused)
{
    (void)unused;
    int pressed = 0;
    for (int scene = 0; scene < SCENES; scene++) {
        Yard yard;
        crowd_together(scene, &yard);
        rig_run(&yard.rig, 0.01);
        for (int i = 0; i < yard.rig.rows.count; i++) {
            pressed += yard_sum(&yard, i, "contact.touching") > 0;
            for (int axis = 0; axis < 2; axis++) {
                double sum = momentum(&yard, i, axis), t = yard.rig.rows.t[i];
                double due = momentum(&yard, 0, axis) + given_until(&yard, t, axis);
                if (!(fabs(sum - due) < 1e-9))
                    fail_msg("scene %d at %g s: off by %g N s", scene, t, sum - due);
            }
        }
        rig_stop(&yard.rig);
    }
    if (getenv("IB_SHOW")) print_error("%d samples with bodies that push each other\n", pressed);
    assert_true(pressed > 5 * SCENES); // they do lean on each other
}

// -------------------------------------------------------------------------------------------- rest

// A second tank, like the first, with voltages of its own.
typedef struct Second {
    ib_TankConfig tank;
    ib_Timeline inputs[RIG_INPUTS];
    double volts;
} Second;

static void add_second(Yard *yard, Second *second, double volts)
{
    static const ib_Time start = 0;
    second->tank = yard->rig.tank;
    second->volts = volts;
    memset(second->inputs, 0, sizeof second->inputs);
    second->inputs[IB_TANK_LEFT] = second->inputs[IB_TANK_RIGHT] =
        (ib_Timeline){1, &start, &second->volts, false};
    yard_add(yard, (ib_RobotConfig){.kind = &ib_tank_kind,
                                    .config = &second->tank,
                                    .inputs = second->inputs,
                                    .input_count = RIG_INPUTS});
}

// From `from` on [s] no body moves by more than 1 um, at its corners too.
static void assert_rests(const Yard *yard, double from)
{
    int first = 0;
    while (yard->rig.rows.t[first] < from) first++;
    for (int i = first; i < yard->rig.rows.count; i++)
        for (int b = 0; b < yard->rig.sim_config.robot_count; b++) {
            double dx = yard_row(yard, i, b, "pose.x") - yard_row(yard, first, b, "pose.x");
            double dy = yard_row(yard, i, b, "pose.y") - yard_row(yard, first, b, "pose.y");
            double turn =
                yard_row(yard, i, b, "pose.heading") - yard_row(yard, first, b, "pose.heading");
            double way = sqrt(dx * dx + dy * dy) + 0.5 * fabs(turn);
            if (!(way < 1e-6))
                fail_msg("b%d has moved by %g m from %g s to %g s", b, way, yard->rig.rows.t[first],
                         yard->rig.rows.t[i]);
            assert_true(yard_depth(yard, i) < 1e-7);
        }
}

// Goal: what leans on walls and on each other stays where it is for a minute. Method: two boxes are
// pushed into a corner, a tank drives against the outer one.
static void pile_in_a_corner_stays(void **unused)
{
    (void)unused;
    static const int wheels[] = {IB_WHEEL_VISCOUS, IB_WHEEL_ROLLING};
    for (int w = 0; w < 2; w++) {
        Yard yard;
        yard_default(&yard, LONG);
        yard_solver(&yard, IB_RK4, 2e-3);
        yard_walls(&yard, 0, 0, 6, 4, 0.5);
        ib_TankConfig *tank = yard_tank(&yard);
        tank->wheels.model = wheels[w];
        tank->planar = (ib_PlanarConfig){.x = 2, .y = 0.32, .heading = 3.12};
        rig_drive(&yard.rig, 3, 3);
        ib_BoxConfig *inner = yard_box(&yard, 4, 0.5, 0.4);
        inner->planar = (ib_PlanarConfig){.x = 0.3, .y = 0.25, .velocity_x = -0.2};
        ib_BoxConfig *outer = yard_box(&yard, 0.1, 0.4, 0.6);
        outer->planar = (ib_PlanarConfig){.x = 0.9, .y = 0.35, .heading = 0.03};
        outer->mu = 0.5;
        yard_press(&yard, 1, -10, -15);
        yard_press(&yard, 2, 0, -1);
        rig_run(&yard.rig, 0.5);
        assert_true(yard_end(&yard, 0, "contact.touching") == 1);
        assert_rests(&yard, 8);
        rig_stop(&yard.rig);
    }
}

// Goal: a box between two robots that push with the same force stays for a minute. Method: two
// equal tanks at 4 V drive at 3 kg from both sides.
static void box_between_two_robots_stays(void **unused)
{
    (void)unused;
    static const int wheels[] = {IB_WHEEL_VISCOUS, IB_WHEEL_BRISTLE};
    for (int w = 0; w < 2; w++) {
        Yard yard;
        Second second;
        yard_default(&yard, LONG);
        ib_TankConfig *tank = yard_tank(&yard);
        tank->wheels.model = wheels[w];
        tank->drive.rotor_inertia = 7.75e-5;
        tank->planar = (ib_PlanarConfig){.x = -1};
        rig_drive(&yard.rig, 4, 4);
        add_second(&yard, &second, 4);
        second.tank.planar = (ib_PlanarConfig){.x = 1, .heading = 3.14159265358979312};
        yard_box(&yard, 3, 0.4, 0.4);
        rig_run(&yard.rig, 0.5);
        assert_true(yard_end(&yard, 2, "contact.touching") == 0 ||
                    yard_end(&yard, 0, "contact.force") > 10);
        assert_rests(&yard, 8);
        rig_stop(&yard.rig);
    }
}

// ----------------------------------------------------------------------------------------- restore

// A tank drives three boxes into a corner, backs off and comes again; a gate passes by.
static void lively_yard(Yard *yard, ib_SolverKind solver)
{
    static const Knot left[] = {{0, 10}, {0.6, -8}, {0.75, 12}};
    static const Knot right[] = {{0, 12}, {0.6, -8}, {0.75, 9}};
    yard_default(yard, 1.2);
    yard_solver(yard, solver, solver == IB_RK4 ? 1e-3 : 1e-2);
    yard->rig.sim_config.solver.tolerance = 1e-7;
    yard_walls(yard, 0, 0, 2.4, 1.6, 0.5);
    ib_ElementConfig *gate = yard_element(yard, "gate", 0.3, 1.2, 0.1, 0.6);
    yard_move(yard, gate, IB_TRACK_X, (Knot[]){{0.2, 0}, {0.9, 0.5}}, 2);
    ib_TankConfig *tank = yard_tank(yard);
    tank->planar = (ib_PlanarConfig){.x = 0.5, .y = 0.5};
    rig_input(&yard->rig, IB_TANK_LEFT, false, left, 3);
    rig_input(&yard->rig, IB_TANK_RIGHT, false, right, 3);
    for (int i = 1; i <= 3; i++) {
        ib_BoxConfig *box = yard_box(yard, 0.2 * i, 0.3, 0.25);
        box->planar =
            (ib_PlanarConfig){.x = 0.9 + 0.35 * i, .y = 0.2 + 0.2 * i, .heading = 0.2 * i};
        box->bumper = (ib_BumperConfig){1, 0.4, INFINITY, 0.6};
        box->mu = 0.3;
        box->planar.velocity_x = -0.3 * i;
    }
    yard_press(yard, 3, 2, 1);
}

static const ib_Time look_every = IB_SECOND / 100;

static ib_Time sample_on_grid(void *self, ib_Time time, const double *signals)
{
    rig_sample(self, time, signals);
    return ib_time_next(time, look_every);
}

// A run of its own, that begins as it is given or at the state of another one. It is looked at on
// the same grid wherever it begins.
static void start(Yard *yard, const Yard *other)
{
    rig_start(&yard->rig);
    ib_Time from = other ? ib_sim_time(other->rig.sim) : 0;
    if (other)
        ib_sim_restore(yard->rig.sim, from, ib_sim_steps(other->rig.sim),
                       ib_sim_state(other->rig.sim));
    ib_Time first = from % look_every == 0 ? from : ib_time_next(from, look_every);
    ib_Probe probe = {.self = &yard->rig, .sample = sample_on_grid, .at_end = true, .next = first};
    assert_int_equal(ib_sim_probe(yard->rig.sim, probe, &yard->rig.error), IB_OK);
}

// The samples of the second, all that it has, are the last ones of the first, bit by bit.
static void assert_same_end(const Yard *whole, const Yard *again)
{
    size_t width = (size_t)whole->rig.model->signals.count * sizeof(double);
    int skipped = whole->rig.rows.count - again->rig.rows.count;
    assert_true(again->rig.rows.count > 0 && skipped >= 0);
    for (int i = 0; i < again->rig.rows.count; i++) {
        assert_true(again->rig.rows.t[i] == whole->rig.rows.t[i + skipped]);
        assert_memory_equal((const char *)again->rig.rows.signals + (size_t)i * width,
                            (const char *)whole->rig.rows.signals + (size_t)(i + skipped) * width,
                            width);
    }
}

// Goal: all that a run needs to go on is in its state, hits and rests included. Method: at random
// instants of a lively scene the state is put into a fresh simulation; that must end with the same
// hash and show the same signals on the way.
static void restored_at_any_instant_it_goes_on_alike(void **unused)
{
    (void)unused;
    static const ib_SolverKind solvers[] = {IB_RK4, IB_DOPRI5};
    for (int s = 0; s < 2; s++) {
        Yard whole, run;
        lively_yard(&whole, solvers[s]);
        start(&whole, NULL);
        if (rig_finish(&whole.rig) != IB_OK) fail_msg("%s", whole.rig.error.text);
        assert_true(rig_end(&whole.rig, "b0.contact.hits") > 3);
        lively_yard(&run, solvers[s]);
        start(&run, NULL);
        for (int i = 0; i < INSTANTS; i++) {
            int index = i;
            Yard again;
            ib_Time until = ib_time_from_seconds(1.2 * (i + draw(s, &index, 0, 1)) / INSTANTS);
            while (ib_sim_time(run.rig.sim) < until && !ib_sim_done(run.rig.sim))
                assert_int_equal(ib_sim_step(run.rig.sim, &run.rig.error), IB_OK);
            if (ib_sim_done(run.rig.sim)) break;
            lively_yard(&again, solvers[s]);
            start(&again, &run);
            assert_int_equal(rig_finish(&again.rig), IB_OK);
            if (ib_sim_hash(again.rig.sim) != ib_sim_hash(whole.rig.sim))
                fail_msg("%s: restored at %.9g s it ends otherwise", s ? "dopri5" : "rk4",
                         ib_time_to_seconds(ib_sim_time(run.rig.sim)));
            assert_same_end(&whole, &again);
            rig_stop(&again.rig);
        }
        rig_stop(&run.rig);
        rig_stop(&whole.rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_bodies_keep_their_momentum),
        cmocka_unit_test(pile_in_a_corner_stays),
        cmocka_unit_test(box_between_two_robots_stays),
        cmocka_unit_test(restored_at_any_instant_it_goes_on_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
