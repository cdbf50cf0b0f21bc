// The ball: slipping, rolling, rolling out, slopes, hits, its book.
#include "robot/passive_rig.h"

// A solid ball, a thin shell, and one whose mass is in its middle.
static const double factors[] = {0.4, 2.0 / 3, 0.1};
enum { FACTORS = sizeof factors / sizeof *factors };

// Goal: rate by hand. Method: 0.5 kg and r = 0.1 m, k = 2/5, I = 0.002 kg m^2; the lowest point
// slips with (3, -4) m/s, so that friction is mu m g (-0.6, 0.8); it rolls with (0, 20) rad/s, that
// is 2 m/s, and spins with -30 rad/s.
static void rate_matches_hand_calculation(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, &ib_ball_kind, 1);
    Made ball = rig_make(&rig);
    const double *rate = ball.rate, weight = 0.5 * g;
    int roll_x = rig_state(&ball, "roll.x"), roll_y = rig_state(&ball, "roll.y");
    ball.state[ball.at->velocity[0]] = 5;
    ball.state[ball.at->velocity[1]] = -4;
    ball.state[roll_y] = 20;
    ball.state[ball.at->yaw_rate] = -30;
    ball.input[IB_SLOPE_X] = 0.2;
    ib_push_add(ball.input, 0, 3, 0.05, 0);
    rig_rate(&ball);
    assert_close(rate[ball.at->velocity[0]], -0.6 * 0.5 * g + 0.2, 1e-13);
    assert_close(rate[ball.at->velocity[1]], 0.8 * 0.5 * g + 3 / 0.5, 1e-13);
    assert_close(rate[roll_x], 0.1 * 0.8 * 0.5 * weight / 0.002, 1e-10);
    assert_close(rate[roll_y], (0.1 * 0.6 * 0.5 - 0.02 * 0.1) * weight / 0.002, 1e-10);
    assert_close(rate[ball.at->yaw_rate], (0.02 * 0.1 * weight + 3 * 0.05) / 0.002, 1e-10);
    // What slips, rolls and spins loses: 5 m/s, 2 m/s and 3 m/s.
    assert_close(rate[rig_state(&ball, "energy.floor")], (0.5 * 5 + 0.02 * 2 + 0.02 * 3) * weight,
                 1e-12);
    assert_close(rate[rig_state(&ball, "energy.push")], -4 * 3 - 30 * 0.15 + 5 * 0.2 * 0.5, 1e-12);
    ib_arena_reset(&rig.arena);
}

// Goal: a ball that slides without roll ends rolling with v0/(1 + k), wherever friction fades.
// Method: about a point of the floor friction has no torque: v + k u stays v0. The slip falls as
// s' = -A tanh(s/vs), A = mu g (1 + 1/k), so that it has slipped
//   vs^2/A int x/tanh(x) dx = vs^2/A (X^2/2 + pi^2/12),  X = v0/vs,
// and v = (v0 + k s)/(1 + k) says how far it came. Without the fade that is the textbook's 12/49
// v0^2/(mu g) until a solid ball rolls.
static void sliding_ball_ends_rolling(void **unused)
{
    (void)unused;
    const double v0 = 2, vs = 0.03, pi = 3.14159265358979323846;
    for (int i = 0; i < FACTORS; i++) {
        Rig rig;
        ib_BallConfig *ball = &rig_default(&rig, &ib_ball_kind, 1)->ball;
        double k = factors[i], A = 0.5 * g * (1 + 1 / k);
        ball->inertia_factor = k;
        ball->rolling = 0;
        ball->mass = i ? 0.001 : 60;
        ball->planar.velocity_y = v0;
        ball->motion = IB_BALL_SLIDING;
        rig_run(&rig);
        double slipped = vs * vs / A * (v0 * v0 / (vs * vs) / 2 + pi * pi / 12);
        // RK4 through the fade: h times its rate is 0.57 for the solid ball.
        assert_close(seen(&rig, "velocity.y"), v0 / (1 + k), 1e-12);
        assert_close(seen(&rig, "roll.x"), -v0 / (1 + k) / 0.1, 1e-10);
        assert_close(seen(&rig, "slip.speed"), 0, 1e-12);
        assert_close(seen(&rig, "pose.y"), (v0 + k * slipped) / (1 + k), 2e-5);
        double kinetic = ball->mass * v0 * v0 / 2;
        assert_close(seen(&rig, "energy.kinetic"), kinetic / (1 + k), 1e-12 * kinetic);
        assert_close(seen(&rig, "energy.error"), 0, 1e-5 * kinetic);
        rig_stop(&rig);
    }
}

// Goal: a rolling ball rolls out with c g/(1 + k). Method: the couple takes c m g of v + k u in a
// second, whatever the slip; friction is then c m g/(1 + k), for which it slips, backwards, with
// s = vs artanh(c/(mu (1 + k))):  v = v0 - (c g t - k s)/(1 + k).
static void rolling_resistance_slows_the_roll(void **unused)
{
    (void)unused;
    for (int i = 0; i < FACTORS; i++) {
        Rig rig;
        ib_BallConfig *ball = &rig_default(&rig, &ib_ball_kind, 2)->ball;
        double k = factors[i], c = 0.05, s = 0.03 * atanh(c / (0.5 * (1 + k)));
        ball->inertia_factor = k;
        ball->rolling = c;
        ball->planar.velocity_x = -3;
        rig_run(&rig);
        double v = 3 - (c * g * 2 - k * s) / (1 + k);
        assert_close(seen(&rig, "velocity.x"), -v, 1e-9); // RK4 through the first milliseconds
        assert_close(seen(&rig, "slip.speed"), s, 1e-9);
        assert_close(seen(&rig, "roll.y"), -(v - s) / 0.1, 1e-8);
        assert_close(seen(&rig, "force.floor.x"), c * 0.5 * g / (1 + k), 1e-8);
        assert_close(seen(&rig, "energy.error"), 0, 1e-8);
        rig_stop(&rig);
    }
}

// Goal: a ball comes to rest, after v0^2 (1 + k)/(2 c g) and a little more. Method: 1 m/s and
// c = 0.05. The tail fades with c g/((1 + k) vs) = 11.7 1/s. Along the whole way (1 + k) v' = -c g
// tanh(v/vs), but for the slip: vs^2 (1 + k)/(c g) (X^2/2 + pi^2/12).
static void ball_comes_to_rest(void **unused)
{
    (void)unused;
    const double pi = 3.14159265358979323846, X = 1 / 0.03;
    Rig rig;
    ib_BallConfig *ball = &rig_default(&rig, &ib_ball_kind, 8)->ball;
    ball->rolling = 0.05;
    ball->planar.velocity_x = 1;
    rig_run(&rig);
    double way = 0.03 * 0.03 * 1.4 / (0.05 * g) * (X * X / 2 + pi * pi / 12);
    assert_close(seen(&rig, "velocity.x"), 0, 1e-12);
    // It slips with 2.1 mm/s at the most, 0.2 % of its speed.
    assert_close(seen(&rig, "pose.x"), way, 2e-3 * way);
    assert_close(seen(&rig, "energy.floor"), 0.5 * 0.5 * 1.4, 1e-8);
    rig_stop(&rig);
}

// Goal: on a slope it rolls down with g sin/(1 + k), and where friction cannot turn it fast enough
// it slides with g (sin - mu cos). Method: v + k u = g sin t; friction k m g sin/(1 + k) makes it
// slip with s = vs artanh of that over mu m g cos; at mu = 0.1 and 0.6 rad that is more than 1.
static void ball_rolls_down_a_slope(void **unused)
{
    (void)unused;
    for (int i = 0; i < FACTORS; i++) {
        double k = factors[i], along = g * sin(0.2),
               s = 0.03 * atanh(k * along / (1 + k) / 0.5 / (g * cos(0.2)));
        Rig rig;
        ib_BallConfig *ball = &rig_default(&rig, &ib_ball_kind, 1)->ball;
        ball->inertia_factor = k;
        ball->rolling = 0;
        rig.push = (ib_Disturbance){
            .type = IB_DISTURBANCE_TILT, .until = IB_SECOND, .size = 0.2, .direction = 0};
        rig.config.disturbance_count = 1;
        rig_run(&rig);
        assert_close(seen(&rig, "velocity.x"), (along + k * s) / (1 + k), 1e-9);
        assert_close(seen(&rig, "slip.speed"), s, 1e-9);
        assert_close(seen(&rig, "energy.error"), 0, 1e-8);
        rig_stop(&rig);
    }
    Rig rig;
    ib_BallConfig *ball = &rig_default(&rig, &ib_ball_kind, 1)->ball;
    ball->mu = 0.1;
    ball->rolling = 0;
    rig.push = (ib_Disturbance){.type = IB_DISTURBANCE_TILT, .until = IB_SECOND, .size = 0.6};
    rig.config.disturbance_count = 1;
    rig_run(&rig);
    // While friction fades in, a = g sin and b = mu g cos (1 + 1/k) make s' = a - b tanh(s/vs), and
    // it misses  mu g cos int (1 - tanh) dt = mu g cos vs/(a + b) log(2 a/(a - b)).
    double down = g * sin(0.6), press = g * cos(0.6), turned = 3.5 * 0.1 * press;
    double missed = 0.1 * press * 0.03 / (down + turned) * log(2 * down / (down - turned));
    assert_close(seen(&rig, "velocity.x"), down - 0.1 * press + missed, 1e-8);
    assert_close(seen(&rig, "roll.y"), 2.5 * (0.1 * press - missed) / 0.1, 1e-6);
    rig_stop(&rig);
}

// Goal: slip keeps its direction, so that a ball with roll across its way goes along a parabola
// and ends with (v + k u)/(1 + k), in both directions. Method: a solid ball with v = (2, 0) and
// u = (0, 1) m/s: friction mu g along (-2, 1)/sqrt(5), until it rolls after sqrt(5)/(3.5 mu g).
static void roll_across_the_way_bends_it(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, &ib_ball_kind, 1);
    ib_BallConfig *ball = &rig.body[0].ball;
    ball->rolling = 0;
    Made made = rig_make(&rig);
    double *state = made.state;
    int vx = made.at->velocity[0], vy = made.at->velocity[1], count = made.robot.ports.state_count;
    int p = rig_state(&made, "roll.x"), q = rig_state(&made, "roll.y");
    const double h = 1e-3, root = sqrt(5), push = 0.5 * g;
    state[vx] = 2;
    state[p] = -1 / 0.1;
    // Nothing but a straight line in velocity until it rolls: Euler's method is exact for it.
    int steps = (int)(root / (3.5 * push) / h) - 10;
    for (int i = 0; i < steps; i++) {
        rig_rate(&made);
        for (int k = 0; k < count; k++) state[k] += h * made.rate[k];
    }
    double t = steps * h;
    assert_close(state[vx], 2 - push * t * 2 / root, 1e-3); // the fade: tanh(0.17/0.03)
    assert_close(state[vy], push * t / root, 1e-3);
    for (int i = 0; i < 1000; i++) {
        rig_rate(&made);
        for (int k = 0; k < count; k++) state[k] += h * made.rate[k];
    }
    assert_close(state[vx], 2 / 1.4, 1e-12);
    assert_close(state[vy], 0.4 / 1.4, 1e-12);
    assert_close(state[p], -0.4 / 1.4 / 0.1, 1e-11);
    assert_close(state[q], 2 / 1.4 / 0.1, 1e-11);
    ib_arena_reset(&rig.arena);
}

// Goal: spin about the vertical fades by itself and neither moves the ball nor rolls it. Method:
// w = w0 - c g t/(k r).
static void spin_fades(void **unused)
{
    (void)unused;
    Rig rig;
    ib_BallConfig *ball = &rig_default(&rig, &ib_ball_kind, 2)->ball;
    ball->planar.velocity_heading = 50;
    rig_run(&rig);
    double w = 50 - 0.02 * g / (0.4 * 0.1) * 2;
    assert_close(seen(&rig, "velocity.heading"), w, 1e-10);
    assert_close(seen(&rig, "energy.kinetic"), 0.5 * 0.002 * w * w, 1e-10);
    assert_true(seen(&rig, "pose.x") == 0 && seen(&rig, "roll.y") == 0);
    assert_close(seen(&rig, "energy.error"), 0, 1e-10);
    rig_stop(&rig);
}

// Goal: a hit changes the velocity and not the roll. Method: a rolling ball meets an equal one at
// rest, elastic: at once v is handed over and the roll is kept, and friction then makes
// the billiard table's 2/7 and 5/7 of them.
static void hit_leaves_the_roll(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, &ib_ball_kind, 1.5);
    rig.robots[0].name = "a";
    rig_add(&rig, &ib_ball_kind, "b");
    for (int i = 0; i < 2; i++) {
        rig.body[i].ball.rolling = 0;
        rig.body[i].ball.bumper = (ib_BumperConfig){1, 1, INFINITY, 0};
    }
    rig.body[0].ball.planar = (ib_PlanarConfig){.x = -0.7, .velocity_x = 2};
    rig_run(&rig);
    assert_close(seen(&rig, "a.velocity.x"), 2 * 2 / 7.0, 1e-9);
    assert_close(seen(&rig, "b.velocity.x"), 2 * 5 / 7.0, 1e-9);
    assert_close(seen(&rig, "a.energy.collision"), 0.5 * 0.5 * 4, 1e-9);
    assert_close(seen(&rig, "b.energy.collision"), -0.5 * 0.5 * 4, 1e-9);
    assert_close(seen(&rig, "a.energy.error"), 0, 1e-5);
    assert_close(seen(&rig, "b.energy.error"), 0, 1e-5);
    rig_stop(&rig);
}

// Goal: momentum is kept in a hit with another kind of body. Method: on ice, a box of 5 kg at 1 m/s
// hits a ball of 0.5 kg beside its middle, with foam and friction; without floor friction nothing
// but the hit acts.
static void momentum_is_kept(void **unused)
{
    (void)unused;
    Rig rig;
    ib_BallConfig *ball = &rig_default(&rig, &ib_ball_kind, 0.5)->ball;
    rig.robots[0].name = "ball";
    ib_BoxConfig *box = &rig_add(&rig, &ib_box_kind, "box")->box;
    ball->bumper = box->bumper = ib_bumper_foam;
    ball->mu = ball->rolling = ball->spinning = box->mu = 0;
    box->planar = (ib_PlanarConfig){.x = -0.5, .y = 0.1, .heading = 0.3, .velocity_x = 1};
    rig_run(&rig);
    double bx = seen(&rig, "box.velocity.x"), by = seen(&rig, "box.velocity.y");
    double x = seen(&rig, "ball.velocity.x"), y = seen(&rig, "ball.velocity.y");
    double turn = 0.002 * seen(&rig, "ball.velocity.heading") +
                  5 * 0.32 / 12 * seen(&rig, "box.velocity.heading") +
                  5 * (seen(&rig, "box.pose.x") * by - seen(&rig, "box.pose.y") * bx) +
                  0.5 * (seen(&rig, "ball.pose.x") * y - seen(&rig, "ball.pose.y") * x);
    assert_true(x > 1);
    assert_close(5 * bx + 0.5 * x, 5, 1e-11);
    assert_close(5 * by + 0.5 * y, 0, 1e-11);
    assert_close(turn, -0.1 * 5, 1e-7); // they meet with a gap of up to 1 nm
    assert_true(seen(&rig, "ball.roll.y") == 0);
    rig_stop(&rig);
}

// Goal: a light ball before a heavy body needs no shorter steps, and stays ahead of it. Method: 1 g
// pushed by 60 kg at 1 m/s for 1 s: the grid stays at 1 ms, and the ball is never behind the front.
static void light_ball_is_pushed(void **unused)
{
    (void)unused;
    Rig rig;
    ib_BallConfig *ball = &rig_default(&rig, &ib_ball_kind, 1)->ball;
    rig.robots[0].name = "ball";
    ib_BoxConfig *box = &rig_add(&rig, &ib_box_kind, "box")->box;
    ball->mass = 1e-3;
    ball->bumper = box->bumper = ib_bumper_foam;
    box->mass = 60;
    box->mu = 0;
    box->planar = (ib_PlanarConfig){.x = -0.4, .velocity_x = 1};
    rig_run(&rig);
    assert_true(rig.model->step == IB_SECOND / 1000);
    assert_true(seen(&rig, "ball.pose.x") - seen(&rig, "box.pose.x") > 0.3 - 1e-6);
    assert_close(seen(&rig, "box.velocity.x"), 1, 1e-4); // it gave away 1e-3/60 of its momentum
    assert_close(seen(&rig, "ball.energy.error"), 0, 1e-8);
    rig_stop(&rig);
}

// Goal: how long a step may be has nothing to do with mass and size. Method: the resolution
// of 1 g and 60 kg, 1 cm and 1 m: 0.7 over (mu (1 + 1/k) + c/k) g/vs, by hand.
static void resolution_is_that_of_the_slip(void **unused)
{
    (void)unused;
    static const double masses[] = {1e-3, 60}, diameters[] = {0.01, 1};
    for (int i = 0; i < 4; i++) {
        Rig rig;
        ib_Robot robot;
        ib_Error error;
        ib_BallConfig *ball = &rig_default(&rig, &ib_ball_kind, 1)->ball;
        ball->mass = masses[i % 2];
        ball->diameter = diameters[i / 2];
        assert_int_equal(ib_robot_init(&ib_ball_kind, ball, &rig.arena, &robot, &error), IB_OK);
        assert_true(robot.ports.resolution >= 1e-3);
        assert_close(robot.ports.resolution, 0.7 / ((0.5 * 3.5 + 0.05) * g / 0.03), 1e-12);
        assert_true(robot.ports.round);
        assert_true(robot.ports.length == ball->diameter && robot.ports.width == ball->diameter);
        ib_arena_reset(&rig.arena);
    }
}

// Goal: pushes, sudden pushes and slopes are in the book. Method: one of each.
static void pushes_are_in_the_book(void **unused)
{
    (void)unused;
    static const double sizes[RIG_PUSHES] = {5, 1, 0.4};
    rig_check_pushes(&ib_ball_kind, sizes, 1e-5); // the steps are half as fine as a box has them
}

static void start_sliding(RigBody *body)
{
    body->ball.motion = IB_BALL_SLIDING;
    body->ball.planar.velocity_x = 2;
    body->ball.planar.velocity_heading = 20;
}

// Goal: every solver brings the ball to the same place. Method: 2 m/s with 20 rad/s of spin,
// sliding at first.
static void solvers_agree(void **unused)
{
    (void)unused;
    rig_check_solvers(&ib_ball_kind, start_sliding);
}

// Goal: it starts rolling unless it is told to slide. Method: the slip after no time at all.
static void ball_starts_rolling(void **unused)
{
    (void)unused;
    for (int sliding = 0; sliding < 2; sliding++) {
        Rig rig;
        ib_BallConfig *ball = &rig_default(&rig, &ib_ball_kind, 1)->ball;
        const ib_Param *motion = ib_schema_find(&ib_ball_kind.start, "motion");
        ib_Error error;
        if (sliding) assert_int_equal(ib_schema_set(motion, "sliding", ball, &error), IB_OK);
        ball->planar.velocity_x = 3;
        ball->planar.velocity_y = -4;
        Made made = rig_make(&rig);
        double signals[RIG_SIGNALS];
        made.robot.kind->reset(ball, made.robot.model, made.state);
        made.robot.kind->output(made.robot.model, made.state, made.input, signals);
        for (int i = 0; i < made.robot.ports.signal_count; i++)
            if (strcmp(made.robot.ports.signals[i].name, "slip.speed") == 0)
                assert_close(signals[i], sliding ? 5 : 0, 1e-15);
        assert_close(made.state[made.at->push_energy], 0.5 * 0.5 * 25 * (sliding ? 1 : 1.4), 1e-14);
        ib_arena_reset(&rig.arena);
    }
}

// Goal: parameters out of range are refused. Method: one of each; a hollow shell is the most that
// a ball's inertia can be, but for rounding.
static void impossible_balls_are_refused(void **unused)
{
    (void)unused;
    rig_refuses(&ib_ball_kind, "mass", "0 kg");
    rig_refuses(&ib_ball_kind, "diameter", "0 m");
    rig_refuses(&ib_ball_kind, "inertia_factor", "0.05");
    rig_refuses(&ib_ball_kind, "inertia_factor", "1");
    rig_refuses(&ib_ball_kind, "mu", "-0.1");
    rig_refuses(&ib_ball_kind, "rolling", "-0.01");
    rig_refuses(&ib_ball_kind, "spinning", "2");
    rig_refuses(&ib_ball_kind, "slip_speed", "0 m/s");
    rig_refuses(&ib_ball_kind, "slip_speed", "1");
    assert_null(ib_schema_find(&ib_ball_kind.params, "mechanisms"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_matches_hand_calculation),
        cmocka_unit_test(sliding_ball_ends_rolling),
        cmocka_unit_test(rolling_resistance_slows_the_roll),
        cmocka_unit_test(ball_comes_to_rest),
        cmocka_unit_test(ball_rolls_down_a_slope),
        cmocka_unit_test(roll_across_the_way_bends_it),
        cmocka_unit_test(spin_fades),
        cmocka_unit_test(hit_leaves_the_roll),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(light_ball_is_pushed),
        cmocka_unit_test(resolution_is_that_of_the_slip),
        cmocka_unit_test(pushes_are_in_the_book),
        cmocka_unit_test(solvers_agree),
        cmocka_unit_test(ball_starts_rolling),
        cmocka_unit_test(impossible_balls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
