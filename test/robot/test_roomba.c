// The Roomba against its closed forms, its energy book and independent solutions.
#include "cmocka_all.h"
#include "robot/roomba_rig.h"

#include <math.h>

static const double deg = 0.017453292519943295;

// RK4 at 1 ms is within 1.4e-11 of the reference (reference sheet A6),
// whose last printed digit is 1e-11.
static const double reference_tolerance = 1e-9;

// Reference tables give x, vx, y, vy, theta, omega.
typedef struct Row {
    double t, state[IB_ROOMBA_STATES];
} Row;

static const int columns[] = {IB_ROOMBA_X,  IB_ROOMBA_VX, IB_ROOMBA_Y,
                              IB_ROOMBA_VY, IB_ROOMBA_TH, IB_ROOMBA_W};

static void assert_rows(Rig *rig, const Row *rows, int count, double tolerance)
{
    rig_start(rig);
    for (int i = 0; i < count; i++) {
        const double *state = rig_run(rig, rows[i].t);
        assert_non_null(state);
        for (int k = 0; k < IB_ROOMBA_STATES; k++)
            assert_close(state[columns[k]], rows[i].state[k], tolerance);
    }
    rig_stop(rig);
}

// -------------------------------------------------------------------------------------------- rate

// Goal: the rate is Newton's law. Method: numbers computed by hand for v_t = 0.5, w = -1, F = 0
// (reference A5), for each form of the yaw equation.
static void rate_matches_hand_computed_yaw_acceleration(void **unused)
{
    (void)unused;
    const double expected[] = {5.037037037, -8.462985410, -5.037037037};
    double input[IB_ROOMBA_INPUTS] = {0}, rate[IB_ROOMBA_STATES];
    for (int i = IB_ROOMBA_GAIN_LEFT; i < IB_ROOMBA_INPUTS; i++) input[i] = 1;
    for (int equations = 0; equations < 3; equations++) {
        Rig rig;
        rig_default(&rig, NULL, 0, 1);
        rig.roomba.equations = equations;
        ib_RoombaModel model;
        ib_roomba_init(&rig.roomba, &model);
        double state[IB_ROOMBA_STATES] = {[IB_ROOMBA_VX] = 0.5, [IB_ROOMBA_W] = -1};
        ib_roomba_rate(&model, state, input, rate);
        assert_close(rate[IB_ROOMBA_W], expected[equations], 1e-9); // nine printed decimals
        // m x'' = -kd (vl|vl| + vr|vr|) with vl = 0.665, vr = 0.335, turned by heading 0
        assert_close(rate[IB_ROOMBA_VX], -3.4 * (0.665 * 0.665 + 0.335 * 0.335) / 2.7, 1e-15);
        assert_close(rate[IB_ROOMBA_X], 0.5, 0);
    }
}

// Goal: physics does not depend on where and which way the robot stands. Method: turn state and
// push by an angle; the accelerations must turn with them.
static void rate_turns_with_the_robot(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, NULL, 0, 1);
    ib_RoombaModel model;
    ib_roomba_init(&rig.roomba, &model);
    double a = 1.1, c = cos(a), s = sin(a);
    double input[IB_ROOMBA_INPUTS] = {0}, turned_input[IB_ROOMBA_INPUTS] = {0};
    for (int i = IB_ROOMBA_GAIN_LEFT; i < IB_ROOMBA_INPUTS; i++) input[i] = turned_input[i] = 1;
    input[IB_ROOMBA_LEFT] = turned_input[IB_ROOMBA_LEFT] = 1.3;
    input[IB_ROOMBA_RIGHT] = turned_input[IB_ROOMBA_RIGHT] = -0.4;
    ib_push_add(input, 0.7, -0.2, 0.1, 0.05);
    ib_push_add(turned_input, c * 0.7 + s * 0.2, s * 0.7 - c * 0.2, 0.1, 0.05);
    double rate[IB_ROOMBA_STATES], turned[IB_ROOMBA_STATES];
    double state[] = {[IB_ROOMBA_X] = 1,     [IB_ROOMBA_VX] = 0.3, [IB_ROOMBA_Y] = 2,
                      [IB_ROOMBA_VY] = -0.1, [IB_ROOMBA_TH] = 0.4, [IB_ROOMBA_W] = 0.9};
    double turned_state[] = {[IB_ROOMBA_X] = 5,        [IB_ROOMBA_VX] = c * 0.3 + s * 0.1,
                             [IB_ROOMBA_Y] = 6,        [IB_ROOMBA_VY] = s * 0.3 - c * 0.1,
                             [IB_ROOMBA_TH] = 0.4 + a, [IB_ROOMBA_W] = 0.9};
    ib_roomba_rate(&model, state, input, rate);
    ib_roomba_rate(&model, turned_state, turned_input, turned);
    // a few roundings of values below 20
    assert_close(turned[IB_ROOMBA_VX], c * rate[IB_ROOMBA_VX] - s * rate[IB_ROOMBA_VY], 1e-13);
    assert_close(turned[IB_ROOMBA_VY], s * rate[IB_ROOMBA_VX] + c * rate[IB_ROOMBA_VY], 1e-13);
    assert_close(turned[IB_ROOMBA_W], rate[IB_ROOMBA_W], 1e-13);
}

// ------------------------------------------------------------------------------------------ tables

// Goal: reference A1. Method: both wheels 2.7 N, heading 30 degrees.
static void straight_line_matches_reference_a1(void **unused)
{
    (void)unused;
    static const Row rows[] = {
        {0.5, {0.18216769367, 0.6238169142, 0.10517456698, 0.36016086334, 0.5235987756, 0}},
        {1.0, {0.53723790564, 0.75459432566, 0.31017444944, 0.43566523705, 0.5235987756, 0}},
        {2.0, {1.305182984, 0.77154881025, 0.75354774713, 0.44545391329, 0.5235987756, 0}},
    };
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 2.7, 2.7}}, 1, 2);
    rig.roomba.planar.heading = 30 * deg;
    assert_rows(&rig, rows, 3, reference_tolerance);
}

// Goal: reference A2. Method: left wheel alone.
static void circle_matches_reference_a2(void **unused)
{
    (void)unused;
    static const Row rows[] = {
        {0.5,
         {0.079772142795, 0.16606360101, -0.036610308281, -0.22848449245, -1.0645859068,
          -3.2001695713}},
        {1.0,
         {0.052093222402, -0.26629034413, -0.16763240036, -0.16002387535, -2.7206846753,
          -3.3366289778}},
        {2.0,
         {-0.028755408189, 0.29900913559, 0.0045901937952, 0.11394066969, -6.0369827751,
          -3.301211206}},
        {3.0,
         {0.025693965947, -0.31500985279, -0.18207817216, -0.067164101743, -9.332023027,
          -3.2911367884}},
    };
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 2.7, 0}}, 1, 3);
    assert_rows(&rig, rows, 4, reference_tolerance);
}

static const Segment authors_schedule[] = {
    {0, 2.7, 2.7}, {2.4, 1.4, 2.7}, {10.6665, 2.7, 2.7}, {11.84589, 0, 0}};

// Goal: reference A3, switches between grid points included. Method: the authors' schedule.
static void schedule_matches_reference_a3(void **unused)
{
    (void)unused;
    static const Row rows[] = {
        {2.4, {1.8635068118, 0.89109542983, 0, 0, 0, 0}},
        {5.0,
         {3.0255619472, -0.18790365143, 1.2605031206, 0.73769106634, 1.8569559394, 0.76152238718}},
        {10.6665,
         {1.9098024401, 0.75294750043, 0.025064882622, -0.11201758801, 6.1722421392,
          0.76154458992}},
        {11.84589,
         {2.9288186343, 0.89023551756, -0.010492928862, -0.016601962549, 6.2663886167,
          2.6267846888e-05}},
        {18.0,
         {3.9985540644, 0.060148249908, -0.031352124698, -0.0012038179764, 6.2663925202,
          5.4744010664e-10}},
    };
    Rig rig;
    rig_default(&rig, authors_schedule, 4, 18);
    assert_rows(&rig, rows, 5, reference_tolerance);
}

// Three robots, solved independently (SciPy DOP853, rtol 1e-13, steps of at most 2 ms).
static const struct {
    double mass, diameter, drag, side_drag, heading;
    Segment segments[3];
    int segment_count;
    Row rows[4];
    int row_count;
} other_robots[] = {
    {4.1,
     0.41,
     2.2,
     640,
     -0.7,
     {{0, 3.1, 1.2}, {0.7, -0.4, 2.9}, {1.9005, 1.5, 1.4}},
     3,
     {{0.5,
       {0.0780194683483, 0.2126050131179, -0.09140258941521, -0.3936450974987, -1.178479355154,
        -1.630718877948}},
      {1.9005,
       {0.3720704338799, 0.4918828210928, -0.7277720181663, 0.1030727964249, 0.3446645764869,
        2.998172530061}},
      {3.0,
       {0.6316834131059, 0.07917556218788, -0.1702071715879, 0.7078047948208, 1.485536130166,
        0.1037115639924}},
      {4.0,
       {0.6979052947523, 0.07203852182025, 0.5901483057088, 0.7900047149309, 1.465581462982,
        -0.06445071582873}}},
     4},
    {1.3,
     0.25,
     5.5,
     2500,
     2.1,
     {{0, 1.1, 2.0}, {1.23456, 2.0, -1.5}, {3.0, 0, 0}},
     3,
     {{1.0,
       {-0.3461601195973, -0.490411443272, 0.2607580938011, 0.1854800629151, 2.797606107855,
        0.6245297480926}},
      {2.5,
       {-0.5362611259388, -0.01534816625969, 0.337414352952, -0.03459270069924, -2.163813776924,
        -4.502747176687}},
      {5.0,
       {-0.5500516579809, 0.001053846960276, 0.3464815645763, 0.0009057055409813, -5.829166195628,
        -0.2239722086907}}},
     3},
    {12.0,
     0.6,
     0.9,
     90,
     0.3,
     {{0, 6, 5}, {2, -3, 4}},
     2,
     {{1.0,
       {0.4334804887791, 0.8573504823027, 0.1085593664893, 0.151876398995, 0.04544618241486,
        -0.4668796562399}},
      {4.0,
       {3.084661401283, -0.03632896641572, -0.09272655983973, 0.1217679238896, 4.323291869133,
        4.855237422175}},
      {6.0,
       {3.061447708211, -0.01154374401276, 0.03306607013759, 0.04318620949476, 16.0655335265,
        6.389269519321}}},
     3},
};

// Goal: other robots than the printed one are right as well. Method: three sets of mass, diameter,
// drags, heading and forces, solved independently (SciPy DOP853, rtol 1e-13,
// steps of at most 2 ms).
static void other_robots_match_independent_solutions(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof other_robots / sizeof other_robots[0]; i++) {
        Rig rig;
        rig_default(&rig, other_robots[i].segments, other_robots[i].segment_count, 10);
        rig.roomba.mass = other_robots[i].mass;
        rig.roomba.diameter = other_robots[i].diameter;
        rig.roomba.drag = other_robots[i].drag;
        rig.roomba.side_drag = other_robots[i].side_drag;
        rig.roomba.planar.heading = other_robots[i].heading;
        rig.roomba.max_force = 10;
        assert_rows(&rig, other_robots[i].rows, other_robots[i].row_count, 1e-8);
    }
}

// ------------------------------------------------------------------------------------ closed forms

// Goal: v = vt tanh(t/tau), s = vt tau ln cosh(t/tau) for a straight start. Method: speed and
// distance of the adaptive solver at 1e-12 against the formulas.
static void straight_start_follows_the_closed_form(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 2.7, 2.7}}, 1, 2);
    rig.sim_config.solver = (ib_SolverConfig){IB_DOPRI5, 1e-12, 1e-9};
    rig.sim_config.step = 2 * IB_SECOND;
    rig_start(&rig);
    const double *state = rig_run(&rig, 2);
    double vt = sqrt(2.7 / 3.4), tau = 2.7 * vt / (2 * 2.7);
    assert_close(state[IB_ROOMBA_VX], vt * tanh(2 / tau),
                 1e-11); // 1e-12 a step, tens of steps
    assert_close(state[IB_ROOMBA_X], vt * tau * log(cosh(2 / tau)), 1e-11);
    rig_stop(&rig);
}

// Goal: a coast is hyperbolic, v = v0/(1 + 2 kd v0 t/m). Method: start at 1 m/s with no force.
static void coast_is_hyperbolic(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 0, 0}}, 1, 5);
    rig.roomba.planar.velocity_x = 1;
    rig_start(&rig);
    const double *state = rig_run(&rig, 5);
    assert_close(state[IB_ROOMBA_VX], 1 / (1 + 2 * 3.4 * 5 / 2.7), 1e-10); // RK4, (h k v)^4
    assert_close(state[IB_ROOMBA_X], 2.7 / (2 * 3.4) * log(1 + 2 * 3.4 * 5 / 2.7), 1e-10);
    rig_stop(&rig);
}

// Goal: the steady circle is the algebraic equilibrium of reference A2. Method: let the transient
// decay for 40 s; compare speed, yaw rate, slip angle and the radius v/|w|.
static void steady_circle_matches_the_equilibrium(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 2.7, 0}}, 1, 40);
    rig_start(&rig);
    const double *state = rig_run(&rig, 40);
    double v = hypot(state[IB_ROOMBA_VX], state[IB_ROOMBA_VY]), w = state[IB_ROOMBA_W];
    double slip = atan2(state[IB_ROOMBA_VY], state[IB_ROOMBA_VX]) - state[IB_ROOMBA_TH];
    slip = remainder(slip, 360 * deg);
    assert_close(v, 0.32278869034, 1e-9);
    assert_close(w, -3.2877833732, 1e-9);
    assert_close(v / -w, 0.098178211183, 1e-9);
    assert_close(slip / deg, 6.710926640, 1e-7);
    rig_stop(&rig);
}

// ---------------------------------------------------------------------------------------- balances

typedef struct Book {
    int kinetic, drive, drag;
    double first, last, work, loss; // [J]
    double seen[2][2];              // powers at the last two samples
    int count;
} Book;

static const ib_Time book_step = 20000; // 20 us

// Simpson's rule over pairs of steps: h/3 (f0 + 4 f1 + f2).
static ib_Time book_sample(void *self, ib_Time time, const double *signals)
{
    Book *book = self;
    double h = ib_time_to_seconds(book_step), drive = signals[book->drive],
           drag = signals[book->drag];
    if (time == 0) book->first = signals[book->kinetic];
    if (book->count > 0 && book->count % 2 == 0) {
        book->work += h / 3 * (book->seen[0][0] + 4 * book->seen[1][0] + drive);
        book->loss += h / 3 * (book->seen[0][1] + 4 * book->seen[1][1] + drag);
    }
    book->last = signals[book->kinetic];
    memcpy(book->seen[0], book->seen[1], sizeof book->seen[0]);
    book->seen[1][0] = drive;
    book->seen[1][1] = drag;
    book->count++;
    return time + book_step;
}

// Goal: work of the wheel forces = change of kinetic energy + drag losses, to 1e-9 relative.
// Method: powers sampled every 20 us and summed by Simpson's rule (the side drag decays at
// 4 kn vn/m = 150 1/s, so that (150 h)^4 / 180 is below 1e-12) over stretches with constant forces,
// with slip, turn and braking.
static void energy_book_balances(void **unused)
{
    (void)unused;
    static const Segment stretches[] = {{0, 2.7, 0}, {0, 1.4, 2.7}, {0, -2, 2.5}, {0, 0, 0}};
    for (int i = 0; i < 4; i++) {
        Rig rig;
        rig_default(&rig, &stretches[i], 1, 1.5);
        if (i > 0) {
            rig.roomba.planar.velocity_x = 0.6;
            rig.roomba.planar.velocity_y = 0.1;
            rig.roomba.planar.velocity_heading = 1;
        }
        rig.sim_config.solver = (ib_SolverConfig){IB_DOPRI5, 1e-13, 1e-9};
        rig.sim_config.step = IB_SECOND / 1000;
        rig_start(&rig);
        const ib_SignalTable *signals = &rig.model->signals;
        Book book = {.kinetic = ib_signals_find(signals, "energy.kinetic"),
                     .drive = ib_signals_find(signals, "power.drive"),
                     .drag = ib_signals_find(signals, "power.drag")};
        ib_Error error;
        assert_int_equal(
            ib_sim_probe(rig.sim, (ib_Probe){&book, 0, false, book_sample, false}, &error), 0);
        assert_non_null(rig_run(&rig, 1.5));
        ib_sim_finish(rig.sim);
        double turnover = fabs(book.work) + book.loss;
        assert_true(turnover > 0.1);
        assert_close(book.work, book.last - book.first + book.loss, 1e-9 * turnover);
        rig_stop(&rig);
    }
}

// Goal: an impulse changes momentum and angular momentum by exactly itself. Method: kick a resting
// robot at a point beside its centre.
static void impulse_changes_momentum_by_itself(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, NULL, 0, 1);
    ib_RoombaModel model;
    ib_Robot robot;
    ib_Error error;
    ib_roomba_init(&rig.roomba, &model);
    assert_int_equal(ib_robot_init(&ib_roomba_kind, &rig.roomba, &rig.arena, &robot, &error),
                     IB_OK);
    const ib_PlanarModel *p = robot.ports.planar; // its places are those that the rate knows
    assert_true(p->heading == IB_ROOMBA_TH && p->yaw_rate == IB_ROOMBA_W);
    assert_true(p->velocity[0] == IB_ROOMBA_VX && p->velocity[1] == IB_ROOMBA_VY);
    assert_true(p->x == IB_ROOMBA_X && p->y == IB_ROOMBA_Y);
    double state[IB_ROOMBA_STATES] = {[IB_ROOMBA_TH] = 90 * deg}, push[IB_PUSH_COUNT] = {0};
    ib_push_add(push, 0.5, 0.2, 0.1, 0); // the point lies at field (0, 0.1)
    ib_planar_respond(p, robot.kind, robot.model, state, push, state);
    assert_close(state[IB_ROOMBA_VX] * 2.7, 0.5, 1e-15);
    assert_close(state[IB_ROOMBA_VY] * 2.7, 0.2, 1e-15);
    assert_close(state[IB_ROOMBA_W] * model.inertia, -0.1 * 0.5, 1e-15);
    ib_arena_reset(&rig.arena);
}

// ------------------------------------------------------------------------------------------ events

// Goal: events of A2 and A4 are located within 1e-9 s. Method: watches on RK4 at 1 ms.
static void events_match_the_reference(void **unused)
{
    (void)unused;
    Rig rig;
    Crossing turn, top;
    rig_default(&rig, (Segment[]){{0, 2.7, 0}}, 1, 3);
    rig_start(&rig);
    rig_watch(&rig, &turn, "pose.heading", -6.283185307179586, 0);
    rig_watch(&rig, &top, "velocity.x", 0, 0);
    assert_non_null(rig_run(&rig, 3));
    assert_close(turn.seconds[0], 2.0745946694, 1e-9);
    assert_close(top.seconds[0], 0.69171314332, 1e-9);
    assert_close(top.signals[0], 0.096772175637, 1e-9);
    assert_close(top.signals[1], -0.089128892667, 1e-9);
    rig_stop(&rig);

    Crossing four;
    rig_default(&rig, authors_schedule, 3, 15);
    rig_start(&rig);
    rig_watch(&rig, &four, "pose.x", 4, 1);
    assert_non_null(rig_run(&rig, 15));
    assert_close(four.seconds[0], 13.048312343, 1e-9);
    rig_stop(&rig);
}

// --------------------------------------------------------------------------------------- published

// Goal: eq. (11) as printed spins a straight run (reference A5). Method: compare position and yaw
// rate at 2 s.
static void published_equation_11_spins_a_straight_run(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 2.7, 2.7}}, 1, 2);
    rig.roomba.planar.heading = 30 * deg;
    rig.roomba.equations = IB_ROOMBA_PUBLISHED;
    rig_start(&rig);
    const double *state = rig_run(&rig, 2);
    assert_close(state[IB_ROOMBA_X], 0.25502, 1e-5); // five printed decimals
    assert_close(state[IB_ROOMBA_Y], 0.02596, 1e-5);
    assert_close(state[IB_ROOMBA_W], -30.99, 0.01);
    rig_stop(&rig);
}

// Goal: eq. (3) taken literally blows up and the run says where. Method: left wheel alone; the step
// that ends at 0.485 s must fail and name the yaw rate.
static void published_equation_3_is_stopped_at_its_blow_up(void **unused)
{
    (void)unused;
    static const ib_SolverConfig solvers[] = {{IB_RK4, 1e-9, 0}, {IB_DOPRI5, 1e-9, 1e-9}};
    for (int i = 0; i < 2; i++) {
        Rig rig;
        rig_default(&rig, (Segment[]){{0, 2.7, 0}}, 1, 1);
        rig.roomba.equations = IB_ROOMBA_PUBLISHED_EQ3;
        rig.sim_config.solver = solvers[i];
        rig_start(&rig);
        ib_Error error = {0};
        while (ib_sim_time(rig.sim) < IB_SECOND && ib_sim_step(rig.sim, &error) == IB_OK) {
        }
        assert_int_equal(error.status, IB_FAILED);
        assert_non_null(strstr(error.text, "velocity.heading"));
        assert_true(ib_sim_time(rig.sim) >= IB_SECOND * 484 / 1000);
        assert_true(ib_sim_time(rig.sim) <= IB_SECOND * 485 / 1000);
        for (int k = 0; k < IB_ROOMBA_STATES; k++) assert_true(isfinite(ib_sim_state(rig.sim)[k]));
        rig_stop(&rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_matches_hand_computed_yaw_acceleration),
        cmocka_unit_test(rate_turns_with_the_robot),
        cmocka_unit_test(straight_line_matches_reference_a1),
        cmocka_unit_test(circle_matches_reference_a2),
        cmocka_unit_test(schedule_matches_reference_a3),
        cmocka_unit_test(other_robots_match_independent_solutions),
        cmocka_unit_test(straight_start_follows_the_closed_form),
        cmocka_unit_test(coast_is_hyperbolic),
        cmocka_unit_test(steady_circle_matches_the_equilibrium),
        cmocka_unit_test(energy_book_balances),
        cmocka_unit_test(impulse_changes_momentum_by_itself),
        cmocka_unit_test(events_match_the_reference),
        cmocka_unit_test(published_equation_11_spins_a_straight_run),
        cmocka_unit_test(published_equation_3_is_stopped_at_its_blow_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
