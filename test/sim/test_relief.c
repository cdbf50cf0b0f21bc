// Ridges in whole runs (src/sim/contact/relief.c): what coasts over them or rolls back, who drives
// over them, who stands on them. Potential energy is m g times the mean height of the feet.
#include "cmocka_all.h"
#include "robot/disc.h"
#include "sim/yard.h"

static const double g = 9.80665;

// A yard with a straight ridge across field x at x = 0, h = 5 cm, 20 cm wide, turned by `turn`
// about the origin.
static void yard_ridge(Yard *yard, double turn)
{
    double c = ib_cos(turn), s = ib_sin(turn);
    yard->field.ridges[yard->field.ridge_count++] = (ib_RidgeConfig){.name = "rim",
                                                                     .count = 2,
                                                                     .x = {3 * s, -3 * s},
                                                                     .y = {-3 * c, 3 * c},
                                                                     .width = 0.2,
                                                                     .height = 0.05};
}

// A puck of 1 kg without friction, which stands on its middle.
static ib_DiscConfig *yard_disc(Yard *yard, ib_DiscConfig *disc)
{
    *disc = (ib_DiscConfig){0}; // what no key has stands in no table
    if (ib_schema_default(&ib_disc_kind.params, disc, &yard->rig.error) != IB_OK ||
        ib_schema_default(&ib_disc_kind.start, disc, &yard->rig.error) != IB_OK)
        abort();
    disc->bumper = (ib_BumperConfig){1, 0, INFINITY, 1};
    disc->mu = 0;
    yard_add(yard, (ib_RobotConfig){.kind = &ib_disc_kind, .config = disc});
    return disc;
}

// ------------------------------------------------------------------------------------------ energy

// Goal: what coasts up a ridge gets over it where v^2 > 2 g h and goes on behind it as fast as it
// came; slower, it comes back as fast. Energy is kept. Method: 2 g h = 0.980665 m^2/s^2: 1.02 of
// that speed and 0.98 of it, every solver. The curvature has a step at the foot, which costs RK4
// its order: with h = 1 ms the energy is off by 5e-6, by h^2; with 0.005 ms 1e-9 is asked for, of
// stiff with 0.1 ms 1e-6.
// Adaptive solvers are held to 1000 times their tolerance of 1e-9, Euler to first order.
static void puck_needs_the_energy_of_the_crest(void **unused)
{
    (void)unused;
    const double just = sqrt(2 * g * 0.05);
    for (int solver = 0; solver < IB_SOLVER_COUNT; solver++) {
        double off = solver == IB_EULER ? 5e-2 : solver == IB_RK4 ? 1e-9 : 1e-6;
        for (int over = 0; over < 2; over++) {
            static Yard yard;
            ib_DiscConfig disc;
            double v = just * (over ? 1.02 : 0.98);
            yard_default(&yard, 3);
            yard_ridge(&yard, 0);
            double step = solver == IB_RK4 ? 5e-6 : solver == IB_STIFF ? 1e-4 : 1e-3;
            yard_solver(&yard, (ib_SolverKind)solver, step);
            yard_disc(&yard, &disc);
            disc.planar.x = -0.4;
            disc.planar.velocity_x = v;
            rig_run(&yard.rig, 0.01);
            double most = 0;
            for (int i = 0; i < yard.rig.rows.count; i++) {
                double z = yard_row(&yard, i, 0, "ridge.height");
                double now = yard_row(&yard, i, 0, "energy.kinetic") + g * z;
                assert_close(now, v * v / 2, off * v * v / 2);
                most = fmax(most, z);
            }
            assert_close(yard_end(&yard, 0, "velocity.x"), over ? v : -v, off * v);
            assert_true(over ? yard_end(&yard, 0, "pose.x") > 0.4
                             : yard_end(&yard, 0, "pose.x") < -0.4);
            // Turned back, it was as high as its energy: 0.98^2 of the crest.
            if (!over && solver == IB_RK4) assert_close(most, 0.05 * 0.98 * 0.98, 1e-5);
            rig_stop(&yard.rig);
        }
    }
}

// Goal: a long box has only half its feet on the ridge, and needs only v^2 > g h. Method: a box of
// 1 m, whose feet are 1/sqrt(3) m apart; 1.02 and 0.98 of that speed, steps of 0.01 ms as above.
static void long_box_needs_half_as_much(void **unused)
{
    (void)unused;
    const double just = sqrt(g * 0.05);
    for (int over = 0; over < 2; over++) {
        static Yard yard;
        double v = just * (over ? 1.02 : 0.98);
        yard_default(&yard, 6);
        yard_ridge(&yard, 0);
        yard_solver(&yard, IB_RK4, 1e-5);
        ib_BoxConfig *box = yard_box(&yard, 2, 1, 0.3);
        box->planar.x = -0.8;
        box->planar.velocity_x = v;
        rig_run(&yard.rig, 0.01);
        assert_close(yard_end(&yard, 0, "velocity.x"), over ? v : -v, 1e-9);
        rig_stop(&yard.rig);
    }
}

// Goal: force and torque are those of one potential. Method: a box that spins and drifts askew
// over a bent ridge: kinetic energy and m g times the height of its feet stay what they were
// (steps of 0.01 ms, as above), and it is turned by the ridge: its yaw rate changes.
static void spinning_box_keeps_its_energy(void **unused)
{
    (void)unused;
    static Yard yard;
    yard_default(&yard, 4);
    yard_solver(&yard, IB_RK4, 1e-5);
    yard.field.ridges[yard.field.ridge_count++] = (ib_RidgeConfig){.name = "bend",
                                                                   .count = 3,
                                                                   .x = {0.2, 0, 0.6},
                                                                   .y = {-1, 0, 0.9},
                                                                   .width = 0.3,
                                                                   .height = 0.04};
    ib_BoxConfig *box = yard_box(&yard, 3, 0.5, 0.4);
    box->planar = (ib_PlanarConfig){-0.7, 0.1, 0.4, 0.9, 0.1, 1.3};
    rig_run(&yard.rig, 0.01);
    double before = yard_row(&yard, 0, 0, "energy.kinetic"), least = INFINITY, most = -INFINITY;
    double highest = 0;
    for (int i = 0; i < yard.rig.rows.count; i++) {
        double z = yard_row(&yard, i, 0, "ridge.height"),
               w = yard_row(&yard, i, 0, "velocity.heading");
        double now = yard_row(&yard, i, 0, "energy.kinetic") + 3 * g * z;
        assert_close(now, before, 1e-9 * before);
        assert_close(yard_row(&yard, i, 0, "energy.error"), 0, 1e-9 * before);
        highest = fmax(highest, z);
        least = fmin(least, w);
        most = fmax(most, w);
    }
    assert_true(highest > 0.01 && most - least > 0.1);
    rig_stop(&yard.rig);
}

// Goal: the book of a robot that drives over a ridge closes. Method: a tank at 6 V, askew, every
// wheel model and solver, steps of 0.5 ms (at 1 ms friction circles are off by 2e-6); the error is
// at most 1e-6 of what the battery gave (Euler, of first order: 2e-3). Behind the ridge its work
// is 0 again: pushes gave nothing in sum.
static void tank_that_drives_over_keeps_its_book(void **unused)
{
    (void)unused;
    for (int wheels = IB_WHEEL_ROLLING; wheels <= IB_WHEEL_BRISTLE; wheels++) {
        for (int solver = 0; solver < IB_SOLVER_COUNT; solver++) {
            static Yard yard;
            yard_default(&yard, 3);
            yard_ridge(&yard, 0);
            yard_tank(&yard)->wheels.model = wheels;
            yard.rig.tank.drive.rotor_inertia = 7.75e-5;
            yard.rig.tank.planar.x = -0.8;
            yard.rig.tank.planar.heading = 0.2;
            rig_drive(&yard.rig, 6, 6);
            yard_solver(&yard, (ib_SolverKind)solver, 0.0005);
            rig_run(&yard.rig, 0.01);
            double battery = yard_end(&yard, 0, "energy.battery"), most = 0;
            for (int i = 0; i < yard.rig.rows.count; i++) {
                assert_close(yard_row(&yard, i, 0, "energy.error"), 0,
                             (solver == IB_EULER ? 2e-3 : 1e-6) * battery);
                most = fmax(most, yard_row(&yard, i, 0, "ridge.force"));
            }
            assert_true(most > 20);
            assert_true(yard_end(&yard, 0, "pose.x") > 0.8);
            assert_close(yard_end(&yard, 0, "ridge.height"), 0, 0);
            if (solver != IB_EULER)
                assert_close(yard_end(&yard, 0, "energy.push"), 0, 1e-6 * battery);
            rig_stop(&yard.rig);
        }
    }
}

// ------------------------------------------------------------------------------------------- frame

// Goal: the world has no preferred direction. Method: the same box on the same ridge, both turned
// by 2.1 rad about the origin: places and velocities are turned, to rounding of 3000 steps.
static void turned_world_gives_the_turned_motion(void **unused)
{
    (void)unused;
    double end[2][6];
    for (int turned = 0; turned < 2; turned++) {
        static Yard yard;
        double turn = turned ? 2.1 : 0, c = ib_cos(turn), s = ib_sin(turn);
        yard_default(&yard, 3);
        yard_ridge(&yard, turn);
        ib_BoxConfig *box = yard_box(&yard, 3, 0.5, 0.2);
        box->planar = (ib_PlanarConfig){c * -0.7 - s * 0.1, s * -0.7 + c * 0.1, turn + 0.3,
                                        c * 1.2 - s * 0.2,  s * 1.2 + c * 0.2,  0.5};
        rig_run(&yard.rig, 3);
        double x = yard_end(&yard, 0, "pose.x"), y = yard_end(&yard, 0, "pose.y");
        double vx = yard_end(&yard, 0, "velocity.x"), vy = yard_end(&yard, 0, "velocity.y");
        end[turned][0] = c * x + s * y;
        end[turned][1] = c * y - s * x;
        end[turned][2] = yard_end(&yard, 0, "pose.heading") - turn;
        end[turned][3] = c * vx + s * vy;
        end[turned][4] = c * vy - s * vx;
        end[turned][5] = yard_end(&yard, 0, "velocity.heading");
        rig_stop(&yard.rig);
    }
    for (int i = 0; i < 6; i++) assert_close(end[1][i], end[0][i], 1e-11);
    assert_true(end[0][0] > 0.7); // it went over
}

// -------------------------------------------------------------------------------------------- rest

// Goal: what stands on a slope against a wall is pressed to it by the ridge, and leaves when the
// wall does. Method: a box on ice whose feet are on the slope, pushed up to a wall at x = -0.3 by
// its own weight: the wall bears the force of the ridge. A gate in the place of the wall that
// moves away is followed.
static void box_on_a_slope_leans_on_a_wall(void **unused)
{
    (void)unused;
    for (int solver = 0; solver < IB_SOLVER_COUNT; solver++) {
        for (int moves = 0; moves < 2; moves++) {
            static Yard yard;
            yard_default(&yard, 2);
            yard_ridge(&yard, 0);
            yard_solver(&yard, (ib_SolverKind)solver, 0.001);
            ib_ElementConfig *wall = yard_element(&yard, "wall", -0.25, 0, 0.1, 2);
            if (moves) yard_move(&yard, wall, IB_TRACK_X, (Knot[]){{1, 0}, {2, -0.1}}, 2);
            wall->restitution = 0;
            // Feet at -0.1 +- 0.0577 m: on the outer half of the slope.
            ib_BoxConfig *box = yard_box(&yard, 2, 0.2, 0.2);
            box->planar.x = -0.0999;
            rig_run(&yard.rig, 0.01);
            assert_close(yard_at(&yard, 0.9, 0, "pose.x"), -0.1, 1e-6);
            assert_close(yard_at(&yard, 0.9, 0, "velocity.x"), 0, 1e-12);
            // Two feet at d = 0.1 - 0.0577 = 0.0423 from the crest: m g/2 pi h/(2 w) sin(pi d/w)
            double d = 0.1 - 0.2 / sqrt(12);
            double force =
                2 * g / 2 * (3.14159265358979 * 0.05 / 0.2) * ib_sin(3.14159265358979 * d / 0.1);
            assert_close(yard_at(&yard, 0.9, 0, "ridge.force"), force, 1e-4 * force);
            assert_close(yard_at(&yard, 0.9, 0, "contact.force.x"), force, 1e-4 * force);
            assert_true(moves ? yard_end(&yard, 0, "pose.x") < -0.19
                              : fabs(yard_end(&yard, 0, "pose.x") + 0.1) < 1e-6);
            rig_stop(&yard.rig);
        }
    }
}

// Goal: a run on ridges is the same to the bit however it is made. Method: a tank over a ridge and
// into a wall, one step at a time, by ib_sim_advance, and with a restore into another simulation
// half way; every solver.
static void steps_strides_and_restores_agree(void **unused)
{
    (void)unused;
    for (int solver = 0; solver < IB_SOLVER_COUNT; solver++) {
        static Yard yard;
        yard_default(&yard, 2);
        yard_ridge(&yard, 0);
        yard_solver(&yard, (ib_SolverKind)solver, 0.001);
        yard_element(&yard, "wall", 1.2, 0, 0.1, 2);
        yard_tank(&yard)->planar.x = -0.7;
        rig_drive(&yard.rig, 8, 8);
        rig_start(&yard.rig);
        ib_Sim *other;
        assert_int_equal(ib_sim_create(yard.rig.model, &other, &yard.rig.error), IB_OK);
        while (!ib_sim_done(yard.rig.sim)) {
            assert_int_equal(ib_sim_step(yard.rig.sim, &yard.rig.error), IB_OK);
            if (ib_sim_time(yard.rig.sim) < IB_SECOND || ib_sim_steps(other) > 0) continue;
            ib_sim_restore(other, ib_sim_time(yard.rig.sim), ib_sim_steps(yard.rig.sim),
                           ib_sim_state(yard.rig.sim));
        }
        uint64_t hash = ib_sim_hash(yard.rig.sim);
        assert_int_equal(ib_sim_advance(other, 2 * IB_SECOND, &yard.rig.error), IB_OK);
        assert_true(ib_sim_hash(other) == hash);
        ib_sim_destroy(other);
        assert_int_equal(ib_sim_create(yard.rig.model, &other, &yard.rig.error), IB_OK);
        assert_int_equal(ib_sim_advance(other, 2 * IB_SECOND, &yard.rig.error), IB_OK);
        assert_true(ib_sim_hash(other) == hash);
        ib_sim_destroy(other);
        rig_stop(&yard.rig);
    }
}

// Goal: nothing jumps over a ridge, however long the steps are. Method: steps of 1 s, in which a
// puck of 0.9 m/s would be far behind it: it rolls back. Eight pieces across a ridge are coarse for
// RK4: 2 % of the speed.
static void long_steps_do_not_jump_over_a_ridge(void **unused)
{
    (void)unused;
    for (int solver = IB_RK4; solver < IB_SOLVER_COUNT; solver++) {
        static Yard yard;
        ib_DiscConfig disc;
        yard_default(&yard, 3);
        yard_ridge(&yard, 0);
        yard_solver(&yard, (ib_SolverKind)solver, 1);
        yard_disc(&yard, &disc);
        disc.planar.x = -0.45;
        disc.planar.velocity_x = 0.9;
        rig_run(&yard.rig, 3);
        assert_close(yard_end(&yard, 0, "velocity.x"), -0.9, 0.02);
        rig_stop(&yard.rig);
    }
}

// Goal: a flat floor costs nothing: there is no relief, no signal, no shorter piece. Method: a
// model without ridges.
static void flat_floor_knows_no_relief(void **unused)
{
    (void)unused;
    static Yard yard;
    yard_default(&yard, 1);
    yard_box(&yard, 1, 0.2, 0.2);
    rig_start(&yard.rig);
    assert_null(yard.rig.model->relief);
    assert_false(yard.rig.model->sudden);
    assert_int_equal(ib_signals_find(&yard.rig.model->signals, "b0.ridge.height"), -1);
    rig_stop(&yard.rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        ib_plain_test(puck_needs_the_energy_of_the_crest),
        cmocka_unit_test(long_box_needs_half_as_much),
        cmocka_unit_test(spinning_box_keeps_its_energy),
        cmocka_unit_test(tank_that_drives_over_keeps_its_book),
        cmocka_unit_test(turned_world_gives_the_turned_motion),
        cmocka_unit_test(box_on_a_slope_leans_on_a_wall),
        cmocka_unit_test(steps_strides_and_restores_agree),
        cmocka_unit_test(long_steps_do_not_jump_over_a_ridge),
        cmocka_unit_test(flat_floor_knows_no_relief),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
