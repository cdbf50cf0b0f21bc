// The disc: sliding, spinning, both at once against a disc that presses evenly, hits, its book.
#include "robot/passive_rig.h"

static const double pi = 3.14159265358979323846;

// Goal: rate by hand. Method: 1 kg and 20 cm at a heading of 45 degrees, where the feet lie on the
// field's axes at 2 r/3 = 1/15 m; it spins with w = 15 rad/s, each foot moves with 1 m/s, and goes
// along x with 1 m/s: the feet's velocities are (1, 1), (0, 0), (1, -1), (2, 0).
static void rate_matches_hand_calculation(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, &ib_disc_kind, 1);
    Made disc = rig_make(&rig);
    const double *rate = disc.rate;
    disc.state[disc.at->heading] = pi / 4;
    disc.state[disc.at->velocity[0]] = 1;
    disc.state[disc.at->yaw_rate] = 15;
    rig_rate(&disc);
    double root = sqrt(2), quarter = 0.5 * g / 4, inertia = 0.01 / 2;
    // The foot that stands still is left to rounding: its friction is below quarter 1e-15/vs.
    assert_close(rate[disc.at->velocity[0]], -quarter * (root + 1), 1e-12);
    assert_close(rate[disc.at->velocity[1]], 0, 1e-12);
    assert_close(rate[disc.at->yaw_rate], -quarter * (root + 1) / 15 / inertia, 1e-10);
    assert_close(rate[rig_state(&disc, "energy.floor")], quarter * (2 * root + 2), 1e-12);
    ib_arena_reset(&rig.arena);
}

// Goal: a puck that slides is slowed by mu g, one that spins on the spot by the floor's torque
// under even pressure, 2/3 mu m g r. Method: v = v0 - mu g t;  w = w0 - 4 mu g t/(3 r), both far
// above the slip speed.
static void puck_is_slowed_by_the_floor(void **unused)
{
    (void)unused;
    Rig rig;
    ib_DiscConfig *disc = &rig_default(&rig, &ib_disc_kind, 0.3)->disc;
    disc->planar.velocity_x = 3 * 0.6;
    disc->planar.velocity_y = 3 * -0.8;
    rig_run(&rig);
    double v = 3 - 0.5 * g * 0.3;
    assert_close(seen(&rig, "velocity.x"), 0.6 * v, 1e-12);
    assert_close(seen(&rig, "velocity.y"), -0.8 * v, 1e-12);
    assert_close(seen(&rig, "energy.floor"), 0.5 * (9 - v * v), 1e-11);
    assert_close(seen(&rig, "energy.error"), 0, 1e-11);
    rig_stop(&rig);

    disc = &rig_default(&rig, &ib_disc_kind, 0.3)->disc;
    disc->planar.velocity_heading = 40;
    rig_run(&rig);
    double w = 40 - 4 * 0.5 * g * 0.3 / (3 * 0.1);
    assert_close(seen(&rig, "velocity.heading"), w, 1e-9);
    assert_close(seen(&rig, "energy.kinetic"), 0.5 * 0.005 * w * w, 1e-9);
    assert_close(seen(&rig, "energy.error"), 0, 1e-9);
    rig_stop(&rig);
}

// Friction and torque of an evenly pressing disc of radius 1 that spins with 1 rad/s and slides
// with `speed`, over mu m g and mu m g r.
static void even_disc(double speed, double *force, double *torque)
{
    enum { RINGS = 200, POINTS = 200 };
    double weight = 0;
    *force = *torque = 0;
    for (int i = 0; i < RINGS; i++) {
        double r = (i + 0.5) / RINGS;
        for (int k = 0; k < POINTS; k++) {
            double angle = 2 * pi * (k + 0.5) / POINTS, x = r * cos(angle), y = r * sin(angle);
            double vx = speed - y, vy = x, size = sqrt(vx * vx + vy * vy);
            *force += r * vx / size;
            *torque += r * (x * vy - y * vx) / size;
            weight += r;
        }
    }
    *force /= weight;
    *torque /= weight;
}

// Goal: four feet share friction between sliding and spinning about as an even disc does. Method:
// the integral over its surface against the feet, averaged over headings, within 0.08 of the full
// friction as docs/robot/passive.md says; exact at both ends, where all is sliding or spinning.
static void feet_share_friction_like_an_even_disc(void **unused)
{
    (void)unused;
    enum { HEADINGS = 90 };
    static const double speeds[] = {0, 0.1, 0.3, 0.5, 0.65, 0.8, 1, 2, 100};
    Rig rig;
    ib_SlidingModel model;
    ib_DiscConfig *disc = &rig_default(&rig, &ib_disc_kind, 1)->disc;
    disc->diameter = 2;
    disc->slip_speed = 1e-4;
    ib_disc_init(disc, &model);
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        double force, torque, feet_force = 0, feet_torque = 0, full = 0.5 * g;
        even_disc(speeds[i], &force, &torque);
        for (int k = 0; k < HEADINGS; k++) {
            double heading = pi / 2 * (k + 0.5) / HEADINGS;
            const ib_FloorMotion motion = {.c = cos(heading),
                                           .s = sin(heading),
                                           .vx = speeds[i],
                                           .w = 1,
                                           .weight = disc->mass * g};
            const double quarter = 0.25 * disc->mass * g,
                         load[4] = {quarter, quarter, quarter, quarter};
            ib_FloorForce floor = ib_sliding_floor(&model, &motion, load);
            feet_force -= floor.fx / full / HEADINGS;
            feet_torque -= floor.torque / full / HEADINGS;
        }
        bool end = speeds[i] == 0 || speeds[i] == 100;
        assert_close(feet_force, force, end ? 1e-4 : 0.08);
        assert_close(feet_torque, torque, end ? 1e-3 : 0.08);
    }
}

// Goal: two pucks that hit each other keep momentum and, about any point, angular momentum; without
// loss and friction the one that comes hands its velocity along the line of centres over. Method:
// an oblique hit on ice, elastic by hand, then with foam and friction.
static void pucks_keep_their_momentum(void **unused)
{
    (void)unused;
    for (int elastic = 0; elastic < 2; elastic++) {
        Rig rig;
        rig_default(&rig, &ib_disc_kind, 0.5);
        rig.robots[0].name = "a";
        rig_add(&rig, &ib_disc_kind, "b");
        for (int i = 0; i < 2; i++) {
            ib_DiscConfig *disc = &rig.body[i].disc;
            disc->mu = 0;
            disc->bumper = elastic ? (ib_BumperConfig){1, 1, INFINITY, 0} : ib_bumper_foam;
        }
        // The line of centres is 30 degrees off when they meet, at x = -0.2 cos(30 deg).
        rig.body[0].disc.planar = (ib_PlanarConfig){.x = -0.6, .velocity_x = 2};
        rig.body[1].disc.planar = (ib_PlanarConfig){.y = 0.1};
        rig_run(&rig);
        double turn = 0.005 * (seen(&rig, "a.velocity.heading") + seen(&rig, "b.velocity.heading"));
        for (int i = 0; i < 2; i++) {
            const char *const x[] = {"a.pose.x", "b.pose.x"}, *const y[] = {"a.pose.y", "b.pose.y"};
            const char *const vx[] = {"a.velocity.x", "b.velocity.x"};
            const char *const vy[] = {"a.velocity.y", "b.velocity.y"};
            turn += seen(&rig, x[i]) * seen(&rig, vy[i]) - seen(&rig, y[i]) * seen(&rig, vx[i]);
        }
        assert_close(seen(&rig, "a.velocity.x") + seen(&rig, "b.velocity.x"), 2, 1e-12);
        assert_close(seen(&rig, "a.velocity.y") + seen(&rig, "b.velocity.y"), 0, 1e-12);
        assert_close(turn, 0, 1e-9); // they meet with a gap of up to 1 nm
        assert_close(seen(&rig, "a.energy.error") + seen(&rig, "b.energy.error"), 0, 1e-12);
        assert_true(seen(&rig, "b.energy.collision") < -0.5);
        if (elastic) {
            assert_close(seen(&rig, "b.velocity.x"), 2 * 0.75, 1e-7);
            assert_close(seen(&rig, "b.velocity.y"), 2 * sqrt(0.75) / 2, 1e-7);
            assert_close(seen(&rig, "b.velocity.heading"), 0, 0);
        } else {
            assert_true(seen(&rig, "b.velocity.heading") != 0);
        }
        rig_stop(&rig);
    }
}

// Goal: pushes, sudden pushes and slopes are in the book. Method: one of each, strong enough to
// move the puck (mu m g = 4.9 N).
static void pushes_are_in_the_book(void **unused)
{
    (void)unused;
    static const double sizes[RIG_PUSHES] = {10, 2, 0.7};
    rig_check_pushes(&ib_disc_kind, sizes, 1e-6);
}

static void start_sliding(RigBody *body)
{
    body->disc.planar.velocity_x = 2;
    body->disc.planar.velocity_heading = 30;
}

// Goal: every solver brings the puck to the same place, and spin lets it slide farther.
// Method: 2 m/s with 30 rad/s until it rests; without spin it would go v0^2/(2 mu g).
static void solvers_agree(void **unused)
{
    (void)unused;
    Rig rig;
    rig_check_solvers(&ib_disc_kind, start_sliding);
    start_sliding(rig_default(&rig, &ib_disc_kind, 1.5));
    rig_run(&rig);
    assert_true(seen(&rig, "pose.x") > 1.05 * 2 * 2 / (2 * 0.5 * g));
    assert_close(seen(&rig, "velocity.x"), 0, 1e-9);
    rig_stop(&rig);
}

// Goal: parameters out of range are refused. Method: one of each.
static void impossible_pucks_are_refused(void **unused)
{
    (void)unused;
    rig_refuses(&ib_disc_kind, "mass", "0 kg");
    rig_refuses(&ib_disc_kind, "diameter", "0 m");
    rig_refuses(&ib_disc_kind, "diameter", "1 kg");
    rig_refuses(&ib_disc_kind, "mu", "-0.1");
    rig_refuses(&ib_disc_kind, "slip_speed", "0 m/s");
    assert_null(ib_schema_find(&ib_disc_kind.params, "width"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_matches_hand_calculation),
        cmocka_unit_test(puck_is_slowed_by_the_floor),
        cmocka_unit_test(feet_share_friction_like_an_even_disc),
        cmocka_unit_test(pucks_keep_their_momentum),
        cmocka_unit_test(pushes_are_in_the_book),
        cmocka_unit_test(solvers_agree),
        cmocka_unit_test(impossible_pucks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
