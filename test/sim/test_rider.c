// Carried bodies in whole runs (src/sim/contact/rider.c): they go with their carrier, are let go
// with the speed of their place, and are ordinary bodies from then on.
#include "cmocka_all.h"
#include "sim/yard.h"

static const double g = 9.80665;

// Body 1, a box of 10 cm, is carried by body 0.
static ib_BoxConfig *yard_marker(Yard *yard, ib_CarriedConfig *carried, double mass, double mu)
{
    ib_BoxConfig *marker = yard_box(yard, mass, 0.1, 0.1);
    marker->mu = mu;
    carried->by = yard->names[0];
    yard->robots[yard->rig.sim_config.robot_count - 1].carried = carried;
    return marker;
}

// Starts the run; the marker is let go where a signal of body 0 is at least `value`.
static void yard_start(Yard *yard, ib_CarriedConfig *carried, const char *signal, double value,
                       double every)
{
    yard->rig.rows.every = every;
    rig_start(&yard->rig);
    carried->signal = yard_signal(yard, 0, signal);
    carried->low = value;
    carried->high = INFINITY;
}

static void yard_finish(Yard *yard)
{
    assert_int_equal(rig_finish(&yard->rig), IB_OK);
}

// ---------------------------------------------------------------------------------------- carrying

static void assert_on_its_place(const Yard *yard, int row, const ib_CarriedConfig *carried)
{
    double th = yard_row(yard, row, 0, "pose.heading"),
           w = yard_row(yard, row, 0, "velocity.heading");
    double c = ib_cos(th), s = ib_sin(th);
    double rx = c * carried->x - s * carried->y, ry = s * carried->x + c * carried->y;
    double vx = yard_row(yard, row, 0, "velocity.x"), vy = yard_row(yard, row, 0, "velocity.y");
    // Rounding of numbers of some metres.
    assert_close(yard_row(yard, row, 1, "pose.x"), yard_row(yard, row, 0, "pose.x") + rx, 1e-15);
    assert_close(yard_row(yard, row, 1, "pose.y"), yard_row(yard, row, 0, "pose.y") + ry, 1e-15);
    assert_close(yard_row(yard, row, 1, "pose.heading"), th + carried->heading, 1e-15);
    assert_close(yard_row(yard, row, 1, "velocity.x"), vx - w * ry, 2e-15);
    assert_close(yard_row(yard, row, 1, "velocity.y"), vy + w * rx, 2e-15);
    assert_close(yard_row(yard, row, 1, "velocity.heading"), w, 0);
}

// Goal: what is carried is at its place and has its velocity at every instant that is looked at,
// also between two steps; floor and pushes do nothing to it; its book closes, with what its carrier
// gave as push. Method: a tank in a curve, looked at every 0.7 ms while steps are 1 ms; the marker
// is pushed with 5 N and hit with 1 N s.
static void carried_body_is_where_its_carrier_takes_it(void **unused)
{
    (void)unused;
    for (int solver = 0; solver < IB_SOLVER_COUNT; solver++) {
        static Yard yard;
        ib_CarriedConfig carried = {.x = -0.6, .y = 0.2, .heading = 0.5};
        yard_default(&yard, 1);
        yard_solver(&yard, (ib_SolverKind)solver, 0.001);
        yard_tank(&yard);
        rig_drive(&yard.rig, 5, 8);
        yard_marker(&yard, &carried, 0.5, 0.5);
        yard_push(&yard, 1, 0.2, 0.4, 5, 0, 0.1, 0);
        rig_disturb(&yard.rig, (ib_Disturbance){.type = IB_DISTURBANCE_IMPULSE,
                                                .robot = 1,
                                                .at = IB_SECOND / 2,
                                                .size = 1});
        yard_start(&yard, &carried, "pose.x", 1e9, 0.0007);
        yard_finish(&yard);
        for (int i = 0; i < yard.rig.rows.count; i++) {
            assert_on_its_place(&yard, i, &carried);
            assert_close(yard_row(&yard, i, 1, "carried"), 1, 0);
            assert_close(yard_row(&yard, i, 1, "force.floor.x"), 0, 0);
            assert_close(yard_row(&yard, i, 1, "energy.floor"), 0, 0);
            assert_close(yard_row(&yard, i, 1, "energy.error"), 0, 1e-12);
        }
        // It did move and turn.
        assert_true(yard_end(&yard, 1, "energy.push") > 0.1);
        assert_true(yard_end(&yard, 0, "pose.heading") > 0.2);
        rig_stop(&yard.rig);
    }
}

// Goal: who carries does not notice. Method: the same tank without the marker: the same bits.
static void carrier_does_not_notice(void **unused)
{
    (void)unused;
    double end[2][3];
    for (int alone = 0; alone < 2; alone++) {
        static Yard yard;
        ib_CarriedConfig carried = {.x = -0.6};
        yard_default(&yard, 2);
        yard_tank(&yard);
        rig_drive(&yard.rig, 5, 8);
        if (alone)
            yard_box(&yard, 0.5, 0.1, 0.1)->planar.x = 50;
        else
            yard_marker(&yard, &carried, 0.5, 0.5);
        yard_start(&yard, &carried, "pose.x", 1e9, 1);
        yard_finish(&yard);
        end[alone][0] = yard_end(&yard, 0, "pose.x");
        end[alone][1] = yard_end(&yard, 0, "pose.y");
        end[alone][2] = yard_end(&yard, 0, "energy.battery");
        rig_stop(&yard.rig);
    }
    for (int i = 0; i < 3; i++) assert_close(end[1][i], end[0][i], 0);
}

// -------------------------------------------------------------------------------------- letting go

// Goal: it is let go at the end of the step in which its condition has come true, with the speed of
// its place, and slides v^2/(2 mu g). Method: a box on ice with 1.2 m/s, a marker 0.4 m behind it
// with mu = 0.5 lets go at 0.5 m; it lies 0.146837 m beyond its place. The condition is true up to
// a step (1.2 mm) before; friction fades below 0.1 mm/s.
static void marker_slides_as_far_as_friction_lets_it(void **unused)
{
    (void)unused;
    for (int solver = 0; solver < IB_SOLVER_COUNT; solver++) {
        static Yard yard;
        ib_CarriedConfig carried = {.x = -0.4};
        yard_default(&yard, 2);
        yard_solver(&yard, (ib_SolverKind)solver, 0.001);
        yard_box(&yard, 10, 0.5, 0.5)->planar.velocity_x = 1.2;
        yard_marker(&yard, &carried, 0.2, 0.5)->slip_speed = 1e-3;
        yard_start(&yard, &carried, "pose.x", 0.5, 0.001);
        yard_finish(&yard);
        // Within a step of 1 ms: the marker begins to slide 0 to 1.2 mm late.
        double slid = 1.2 * 1.2 / (2 * 0.5 * g), off = solver == IB_EULER ? 1.6e-3 : 1.3e-3;
        assert_close(yard_end(&yard, 1, "pose.x"), 0.1 + slid + 0.6e-3, off);
        assert_close(yard_end(&yard, 1, "velocity.x"), 0, 1e-6);
        assert_close(yard_end(&yard, 1, "energy.floor"), 0.5 * 0.2 * 1.2 * 1.2,
                     solver == IB_EULER ? 1e-3 : 1e-6);
        // The carrier goes on as it was.
        assert_close(yard_end(&yard, 0, "velocity.x"), 1.2, 0);
        for (int i = 0; i < yard.rig.rows.count; i++) {
            bool late = yard_row(&yard, i, 0, "pose.x") >= 0.5 + 1.21e-3;
            bool early = yard_row(&yard, i, 0, "pose.x") < 0.5;
            if (late || early) assert_close(yard_row(&yard, i, 1, "carried"), early, 0);
        }
        rig_stop(&yard.rig);
    }
}

// Goal: once let go it stays so, though the condition does not hold any more. Method: the window
// 0.5 m <= x <= 0.6 m, which the carrier leaves.
static void let_go_is_for_ever(void **unused)
{
    (void)unused;
    static Yard yard;
    ib_CarriedConfig carried = {.x = -0.4};
    yard_default(&yard, 2);
    yard_box(&yard, 10, 0.5, 0.5)->planar.velocity_x = 1;
    yard_marker(&yard, &carried, 0.2, 0.5);
    yard_start(&yard, &carried, "pose.x", 0.5, 0.1);
    carried.high = 0.6;
    yard_finish(&yard);
    assert_close(yard_end(&yard, 1, "carried"), 0, 0);
    assert_close(yard_end(&yard, 1, "velocity.x"), 0, 1e-3);
    rig_stop(&yard.rig);
}

// ------------------------------------------------------------------------------------------- ghost

// Goal: while it is carried it touches nobody; afterwards it is a body like others. Method: a post
// stands where the marker passes, beside the carrier's way; behind it the marker is let go on ice
// and glides into a wall, from which it comes back no faster than it came.
static void carried_body_touches_nobody(void **unused)
{
    (void)unused;
    for (int solver = 0; solver < IB_SOLVER_COUNT; solver++) {
        static Yard yard;
        ib_CarriedConfig carried = {.y = 0.5};
        yard_default(&yard, 3);
        yard_solver(&yard, (ib_SolverKind)solver, 0.001);
        yard_element(&yard, "post", 0.5, 0.5, 0.1, 0.1);
        yard_element(&yard, "wall", 2, 0.5, 0.1, 0.4);
        yard_box(&yard, 10, 0.5, 0.5)->planar.velocity_x = 1;
        yard_marker(&yard, &carried, 0.2, 0);
        yard_start(&yard, &carried, "pose.x", 1, 0.01);
        yard_finish(&yard);
        assert_close(yard_end(&yard, 0, "contact.hits"), 0, 0);
        assert_close(yard_at(&yard, 1.5, 1, "contact.hits"), 0, 0);
        assert_close(yard_at(&yard, 1.5, 1, "velocity.x"), 1, 1e-12);
        assert_true(yard_end(&yard, 1, "contact.hits") >= 1);
        assert_true(yard_end(&yard, 1, "pose.x") <= 1.9 + 1e-6);
        rig_stop(&yard.rig);
    }
}

// Starts a box that goes with 1 m/s, lets a marker go from its middle at 0.3 m, and comes back from
// a wall.
static void drop_and_come_back(Yard *yard, ib_SolverKind solver, double duration, double every)
{
    static ib_CarriedConfig carried;
    carried = (ib_CarriedConfig){.x = 0.05};
    yard_default(yard, duration);
    yard_solver(yard, solver, 0.001);
    yard_element(yard, "wall", 2, 0, 0.1, 2)->restitution = 1;
    ib_BoxConfig *box = yard_box(yard, 10, 0.5, 0.5);
    box->planar.velocity_x = 1;
    box->bumper.restitution = 1;
    yard_marker(yard, &carried, 0.2, 0.5);
    yard_start(yard, &carried, "pose.x", 0.3, every);
}

// Goal: a body that is let go inside its carrier passes through it until it has come clear, and
// meets it from then on. Method: from the middle of a box on ice with 1 m/s; friction stops the
// marker after 10 cm, the box goes on, hits a wall and comes back onto it. No hit before.
static void body_let_go_inside_its_carrier_comes_clear(void **unused)
{
    (void)unused;
    for (int solver = 0; solver < IB_SOLVER_COUNT; solver++) {
        static Yard yard;
        drop_and_come_back(&yard, (ib_SolverKind)solver, 4, 0.01);
        yard_finish(&yard);
        assert_close(yard_at(&yard, 1.2, 0, "velocity.x"), 1, 0);
        assert_close(yard_at(&yard, 1.2, 1, "contact.hits"), 0, 0);
        assert_close(yard_at(&yard, 1.2, 1, "velocity.x"), 0, 1e-3);
        // The box is at 1.7 m when it hits the wall, after 1.7 s, and back at the marker's right
        // edge, 0.3 + 0.05 + 0.102 + 0.05, at 2.65 s: it pushes the marker before it.
        assert_close(yard_at(&yard, 2.5, 1, "contact.hits"), 0, 0);
        assert_true(yard_end(&yard, 1, "contact.hits") >= 1);
        assert_true(yard_end(&yard, 1, "pose.x") < 0.4);
        for (int i = 0; i < yard.rig.rows.count; i++) {
            double gap = yard_row(&yard, i, 0, "pose.x") - yard_row(&yard, i, 1, "pose.x") - 0.3;
            if (yard.rig.rows.t[i] > 1.2) assert_true(gap > -1e-5);
        }
        rig_stop(&yard.rig);
    }
}

// Goal: a run is the same to the bit however it is made. Method: the run above without its marker's
// friction on the bumper: one step at a time, by ib_sim_advance, and restored while it is carried,
// while it passes through its carrier, and behind that.
static void restored_runs_go_on_with_the_same_bits(void **unused)
{
    (void)unused;
    for (int solver = 0; solver < IB_SOLVER_COUNT; solver++) {
        static Yard yard;
        drop_and_come_back(&yard, (ib_SolverKind)solver, 3, 0);
        ib_Sim *sims[4];
        const double when[3] = {0.1, 0.4, 2};
        int restored = 0;
        for (int i = 0; i < 4; i++)
            assert_int_equal(ib_sim_create(yard.rig.model, &sims[i], &yard.rig.error), IB_OK);
        while (!ib_sim_done(yard.rig.sim)) {
            assert_int_equal(ib_sim_step(yard.rig.sim, &yard.rig.error), IB_OK);
            double now = ib_time_to_seconds(ib_sim_time(yard.rig.sim));
            if (restored == 3 || now < when[restored]) continue;
            ib_sim_restore(sims[restored++], ib_sim_time(yard.rig.sim), ib_sim_steps(yard.rig.sim),
                           ib_sim_state(yard.rig.sim));
        }
        for (int i = 0; i < 4; i++) {
            assert_int_equal(ib_sim_advance(sims[i], 3 * IB_SECOND, &yard.rig.error), IB_OK);
            assert_true(ib_sim_hash(sims[i]) == ib_sim_hash(yard.rig.sim));
            ib_sim_destroy(sims[i]);
        }
        rig_stop(&yard.rig);
    }
}

// Goal: a ridge does nothing to what is carried over it, and everything to what is let go on it.
// Method: a marker on ice, 1 m beside a box that never meets the ridge, is let go on the slope,
// half way up, with 0.5 m/s: it has not the energy for the crest, stops, and rolls back with that
// of its speed and of h/2. It may be let go a step late, 0.5 mm and 4 mJ/kg farther up.
static void ridge_acts_from_the_release_on(void **unused)
{
    (void)unused;
    static Yard yard;
    ib_CarriedConfig carried = {.y = 1};
    yard_default(&yard, 3);
    yard.field.ridges[yard.field.ridge_count++] = (ib_RidgeConfig){
        .name = "rim", .count = 2, .x = {0, 0}, .y = {0.8, 2}, .width = 0.4, .height = 0.1};
    yard_box(&yard, 10, 0.5, 0.5)->planar = (ib_PlanarConfig){.x = -1, .velocity_x = 0.5};
    yard_marker(&yard, &carried, 0.2, 0);
    yard_start(&yard, &carried, "pose.x", -0.1, 0.01);
    yard_finish(&yard);
    assert_close(yard_at(&yard, 1.7, 1, "velocity.x"), 0.5, 0);
    assert_close(yard_at(&yard, 1.7, 1, "ridge.force"), 0, 0);
    assert_true(yard_at(&yard, 1.85, 1, "ridge.force") > 1);
    // Behind it the energy of the height at which it was let go is speed: half way down, h/2.
    assert_close(yard_end(&yard, 1, "velocity.x"), -sqrt(0.25 + 2 * g * 0.05), 5e-3);
    assert_close(yard_end(&yard, 0, "velocity.x"), 0.5, 0);
    rig_stop(&yard.rig);
}

// Goal: what cannot be carried is refused. Method: one of more than a tenth of its carrier's mass,
// alone or with another; one that carries itself; one on one that is carried; a tank.
static void impossible_cargo_is_refused(void **unused)
{
    (void)unused;
    static const char *const words[] = {"a tenth of its mass, 1 kg", "a tenth of its mass, 1 kg",
                                        "no other robot", "is carried itself",
                                        "no drive and no mechanisms"};
    for (int i = 0; i < 5; i++) {
        static Yard yard;
        ib_CarriedConfig carried = {.signal = -1}, second = {.signal = -1};
        yard_default(&yard, 1);
        yard_box(&yard, 10, 0.5, 0.5);
        yard_marker(&yard, &carried, i == 0 ? 1.01 : 0.6, 0.5);
        if (i == 1) yard_marker(&yard, &second, 0.6, 0.5);
        if (i == 2) carried.by = "b1";
        if (i == 3) {
            yard_marker(&yard, &second, 0.01, 0.5);
            second.by = "b1";
        }
        if (i == 4) {
            yard_tank(&yard);
            second.by = "b0";
            yard.robots[2].carried = &second;
        }
        ib_Error error = {0};
        assert_int_equal(
            ib_model_create(&yard.rig.sim_config, &yard.rig.arena, &yard.rig.model, &error),
            IB_BAD_INPUT);
        if (!strstr(error.text, words[i])) print_error("%d: %s\n", i, error.text);
        assert_non_null(strstr(error.text, words[i]));
        ib_arena_reset(&yard.rig.arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carried_body_is_where_its_carrier_takes_it),
        cmocka_unit_test(carrier_does_not_notice),
        cmocka_unit_test(marker_slides_as_far_as_friction_lets_it),
        cmocka_unit_test(let_go_is_for_ever),
        cmocka_unit_test(carried_body_touches_nobody),
        cmocka_unit_test(body_let_go_inside_its_carrier_comes_clear),
        cmocka_unit_test(restored_runs_go_on_with_the_same_bits),
        cmocka_unit_test(ridge_acts_from_the_release_on),
        cmocka_unit_test(impossible_cargo_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
