// The holonomic base that is hit, pushed and leans on a wall; and how far its wheels, which slip,
// take it off its direction.
#include "robot/holonomic_rig.h"
#include "robot/parts.h"
#include "spread.h"

static const char *const presets[] = {"x-drive", "mecanum", "kiwi", "h-drive", "swerve"};
static const char *const models[] = {"rolling", "friction_circle", "bristle"};
enum { PRESETS = 5, MODELS = 3, SWERVE = 4, ROLLING = 0 };

// ----------------------------------------------------------------------------------------- a knock

// What unit impulses add to (u, n, w): columns.
static void responses(const Run *run, double A[3][3])
{
    const ib_RobotModel *robot = &run->scenario->model->robots[0];
    double x[64] = {0};
    robot->kind->reset(robot->config, robot->model, x);
    double matrix[9]; // at heading 0 the field's frame is the robot's
    ib_planar_inverse_mass(robot->ports.planar, robot->kind, robot->model, x, matrix);
    for (int i = 0; i < 9; i++) A[i / 3][i % 3] = matrix[i];
}

// Goal: an answer is a mobility: symmetric and positive, and the inverse of the mass matrix with
// wheels and rotors. Method: every preset and law; random impulses; of wheels that never slip
// (diag(M, M, I) + sum J turn turn^T) answer = 1, turn = (sums of k) by hand from the rows of the
// layout, which has a test of its own.
static void an_impulse_answer_is_symmetric_and_positive(void **state)
{
    (void)state;
    uint64_t seed = 41;
    for (int i = 0; i < PRESETS * MODELS; i++) {
        if (i / MODELS == SWERVE && i % MODELS == ROLLING) continue;
        Run run;
        double A[3][3], whole[3][3] = {{0}};
        open_run(
            &run,
            "robot: {kind: holonomic, preset: %s, wheels: {model: %s}}\nrun: {duration: 1 s}\n",
            presets[i / MODELS], models[i % MODELS]);
        const ib_HolonomicModel *h = ib_parts_own(run.scenario->model->robots[0].model);
        responses(&run, A);
        whole[0][0] = whole[1][1] = h->mass;
        whole[2][2] = h->inertia;
        for (int k = 0; i % MODELS == ROLLING && k < 9 * h->rims.count; k++) {
            const double *turn = h->rims.layout.turn[k / 9];
            whole[k % 9 / 3][k % 3] += h->rims.spin[k / 9] * turn[k % 9 / 3] * turn[k % 3];
        }
        for (int k = 0; k < 9; k++) {
            double product = 0;
            for (int j = 0; j < 3; j++) product += whole[k / 3][j] * A[j][k % 3];
            assert_close(product, k / 3 == k % 3, 1e-13);
            assert_close(A[k / 3][k % 3], A[k % 3][k / 3], 1e-15);
        }
        for (int k = 0; k < 100; k++) {
            double J[3] = {spread_signed(&seed), spread_signed(&seed), spread_signed(&seed)};
            double gained = 0;
            for (int j = 0; j < 9; j++) gained += J[j / 3] * A[j / 3][j % 3] * J[j % 3];
            assert_true(gained > 0);
        }
        close_run(&run);
    }
}

// Goal: a knock moves a rolling X-drive with its rotors, one that may slip without them. Method:
// 3 N s along -30 degrees on the middle: v = J/(M + 2 j/r^2), j = 0.0005 + 40^2 4e-6 kg m^2 of each
// wheel, and J/M.
static void a_knock_moves_rotors_too(void **state)
{
    (void)state;
    const double r = 2 * RIG_INCH, j = 0.0005 + 1600 * 4e-6;
    const double mass[] = {12 + 2 * j / (r * r), 12};
    for (int i = 0; i < 2; i++) {
        Run run;
        open_run(&run,
                 "robot: {kind: holonomic, preset: x-drive, wheels: {model: %s}, drive: {neutral: "
                 "coast, loss: none}}\n"
                 "disturbances: [{impulse: 3 N*s, direction: -30 deg, at: 0 s}]\n"
                 "run: {duration: 1 s, step: 1 us}\n",
                 models[i]);
        go(&run, 1e-6);
        // wheels that slip lose some of it within 1 us: mu g t = 1e-5 m/s
        double speed = hypot(see(&run, "velocity.x"), see(&run, "velocity.y"));
        assert_close(speed, 3 / mass[i], i == ROLLING ? 1e-12 : 1e-5);
        assert_close(atan2(see(&run, "velocity.y"), see(&run, "velocity.x")), -RIG_PI / 6, 1e-4);
        close_run(&run);
    }
}

// ------------------------------------------------------------------------------------------ a wall

// Goal: it drives against a wall, stays there and leans on it, with wheels that roll and that slip;
// then it leaves. Method: a wall at 3 m, half a robot of 18 in away from its middle; 2 s of full
// stick ahead, then back; the place to 1 um (contacts sink in by 1e-8 m at most), all motors' stall
// meanwhile; no contact gives energy, and the book holds to 1e-6.
static void it_leans_on_a_wall(void **state)
{
    (void)state;
    for (int i = 0; i < PRESETS * MODELS; i++) {
        if (i / MODELS == SWERVE && i % MODELS == ROLLING) continue;
        Run run;
        open_run(&run,
                 "robot: {kind: holonomic, preset: %s, wheels: {model: %s}, breaker: off}\n"
                 "field: {walls: {length: 3 m, width: 3 m}}\n"
                 "start: {x: 2 m, y: 1.5 m}\n"
                 "inputs: {stick.y: [[0 s, 1], [2 s, -1]]}\n"
                 "run: {duration: 3 s}\n",
                 presets[i / MODELS], models[i % MODELS]);
        go(&run, 1.99);
        assert_close(see(&run, "pose.x"), 3 - 9 * RIG_INCH, 1e-6);
        assert_close(see(&run, "pose.heading"), 0, 1e-6);
        assert_close(see(&run, "velocity.x"), 0, 1e-9);
        assert_true(see(&run, "contact.hits") >= 1 && see(&run, "energy.collision") > 0);
        assert_true(fabs(see(&run, "motor.1.current")) > 1);
        go(&run, 3);
        assert_true(see(&run, "pose.x") < 2.4 && see(&run, "velocity.x") < -0.3);
        assert_close(see(&run, "energy.error"), 0, 1e-6 * see(&run, "energy.battery"));
        close_run(&run);
    }
}

// Goal: an X-drive that leans sideways pushes with all of its motors. Method: a stiff battery and
// bristles, which hold: with a tenth of the stick four motors stand still with V/10 R, less than
// what the wheels can take, and the wall takes 4 G Kt V/(10 R) cos 45/r; so much do the wheels show
// as forces on the robot.
static void the_push_on_a_wall_is_that_of_the_motors(void **state)
{
    (void)state;
    const Motor m = rig_neverest();
    const double I = 0.1 * 14.2 / m.R, r = 2 * RIG_INCH;
    double push = 0;
    Run run;
    open_run(&run, "robot: {kind: holonomic, preset: x-drive, wheels: {model: bristle}, breaker: "
                   "off, battery: {resistance: 0 ohm, constant_voltage: true}}\n"
                   "field: {walls: {length: 3 m, width: 3 m}}\n"
                   "start: {x: 1.5 m, y: 0.4 m}\n"
                   "inputs: {stick.x: 0.1}\nrun: {duration: 5 s}\n");
    go(&run, 5);
    assert_close(see(&run, "pose.y"), 9 * RIG_INCH, 1e-6);
    assert_close(see(&run, "velocity.left"), 0, 1e-9);
    static const double along[] = {45, 135, 225, 315};
    for (int i = 0; i < 4; i++) {
        assert_close(fabs(see_at(&run, "motor", i + 1, "current")), I, 1e-6 * I);
        push -= see_at(&run, "wheel", i + 1, "force") * sin(along[i] * RIG_PI / 180);
    }
    assert_close(push, 4 * 40 * m.Kt * I * sqrt(0.5) / r, 1e-6 * push);
    close_run(&run);
}

// --------------------------------------------------------------------------------------- direction

// Goal: with slip limits the direction error is reported, and it is what the laws of friction say.
// Method: a mecanum base on a floor so slippery (mu 0.05) that its wheels spin at once. Each pushes
// with mu Fz across its rollers, whatever its speed: outputs of both signs push alike, however
// small. So stick (1, 0.5) to the right and ahead, outputs 1/3 and 1, accelerates it to the right
// only (front left and back right spin ahead, the others back), and 26.565 degrees of direction
// are missing; with rollers without friction and a slip speed of 1 mm/s.
static void spinning_wheels_lose_the_direction(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robot: {kind: holonomic, preset: mecanum, wheels: {mu: 0.05, roller_friction: "
                   "0, slip_speed: 1 mm/s}}\n"
                   "inputs: {stick.x: 1, stick.y: 0.5}\n"
                   "run: {duration: 0.2 s, solver: rosenbrock, tolerance: 1e-8}\n");
    go(&run, 0.15);
    // (x, y) = (right, ahead): outputs y + x, y - x over their largest
    assert_close(see(&run, "motor.2.output"), 1, 1e-15);
    assert_close(see(&run, "motor.1.output"), -1.0 / 3, 1e-15);
    assert_close(see(&run, "command.direction"), atan2(-1, 0.5), 1e-15);
    // a start that is not yet spinning takes some ms: 1 degree
    assert_close(see(&run, "motion.direction"), -RIG_PI / 2, 0.02);
    // mu g cos 45: all four push at 45 degrees to the right
    double expected = 0.05 * 9.80665 * sqrt(0.5) * ib_time_to_seconds(ib_sim_time(run.sim));
    assert_close(see(&run, "velocity.left"), -expected, 0.02 * expected);
    close_run(&run);
    // With the grip of the preset it goes where it should: rollers' friction and slip leave less
    // than 2 degrees after 2 s.
    open_run(&run, "robot: {kind: holonomic, preset: mecanum, wheels: {roller_friction: 0}, "
                   "battery: {resistance: 0 ohm}}\n"
                   "inputs: {stick.x: 1, stick.y: 0.5}\nrun: {duration: 2 s}\n");
    go(&run, 2);
    assert_close(see(&run, "motion.direction"), see(&run, "command.direction"), 0.035);
    close_run(&run);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_impulse_answer_is_symmetric_and_positive),
        cmocka_unit_test(a_knock_moves_rotors_too),
        cmocka_unit_test(it_leans_on_a_wall),
        cmocka_unit_test(the_push_on_a_wall_is_that_of_the_motors),
        cmocka_unit_test(spinning_wheels_lose_the_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
