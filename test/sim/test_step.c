// THE step: cutting at switches, jumps inside a step, looking without touching, restoring.
#include "cmocka_all.h"
#include "robot/roomba_rig.h"
#include "sim/ball.h"
#include "sim/run.h"

#include <malloc.h>

// ------------------------------------------------------------------------------------------- jumps

typedef struct BallRig {
    Ball ball;
    ib_RobotConfig robot;
    ib_SimConfig config;
    ib_Arena arena;
    ib_Model *model;
    ib_Sim *sim;
} BallRig;

static void ball_start(BallRig *rig, ib_SolverKind solver, ib_Time step, ib_Time duration)
{
    *rig = (BallRig){.ball = {1, 0.5, 9.81}};
    rig->robot = (ib_RobotConfig){.name = "", .kind = &ball_kind, .config = &rig->ball};
    rig->config = (ib_SimConfig){.robots = &rig->robot,
                                 .robot_count = 1,
                                 .solver = {solver, 1e-9, 1e-9},
                                 .step = step,
                                 .duration = duration};
    ib_Error error;
    assert_int_equal(ib_model_create(&rig->config, &rig->arena, &rig->model, &error), IB_OK);
    assert_int_equal(ib_sim_create(rig->model, &rig->sim, &error), IB_OK);
}

static void ball_stop(BallRig *rig)
{
    ib_sim_destroy(rig->sim);
    ib_arena_reset(&rig->arena);
}

// Goal: a jump is located inside a step, whatever its length. Method: a ball dropped from 1 m with
// e = 1/2: closed form of height and speed after two bounces, with steps of 1 ms, 100 ms and 0.7 s
// (several bounces in one step).
static void bounces_follow_the_closed_form_for_any_step(void **unused)
{
    (void)unused;
    static const ib_Time steps[] = {1000000, 100000000, 700000000};
    static const ib_SolverKind solvers[] = {IB_RK4, IB_DOPRI5, IB_ROSENBROCK, IB_STIFF};
    double g = 9.81, first = sqrt(2 / g), v1 = 0.5 * g * first, second = first + 2 * v1 / g;
    double v2 = 0.5 * v1, t = 1.1 - second; // after the second bounce, before the third
    assert_true(t > 0 && t < 2 * v2 / g);
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 3; i++) {
            BallRig rig;
            ball_start(&rig, solvers[s], steps[i], ib_time_from_seconds(1.1));
            ib_Error error;
            while (!ib_sim_done(rig.sim)) assert_int_equal(ib_sim_step(rig.sim, &error), IB_OK);
            const double *state = ib_sim_state(rig.sim);
            // a parabola is exact for all four methods; jumps are located to the last bits of time
            assert_close(state[0], v2 * t - g * t * t / 2, 1e-12);
            assert_close(state[1], v2 - g * t, 1e-12);
            ball_stop(&rig);
        }
    }
}

// Goal: samples between jumps inside one step are right. Method: one step of 1.3 s with two
// bounces, sampled before, between and after.
static ib_Time take_height(void *self, ib_Time time, const double *signals)
{
    double **next = self;
    *(*next)++ = signals[0];
    return time + 400000000 > 1200000000 ? IB_TIME_NEVER : time + 400000000;
}

static void samples_between_jumps_of_one_step_are_right(void **unused)
{
    (void)unused;
    BallRig rig;
    ball_start(&rig, IB_RK4, ib_time_from_seconds(1.3), ib_time_from_seconds(1.3));
    double heights[4], *next = heights;
    ib_Error error;
    assert_int_equal(ib_sim_probe(rig.sim, (ib_Probe){&next, 0, false, take_height, false}, &error),
                     0);
    assert_int_equal(ib_sim_step(rig.sim, &error), IB_OK);
    double g = 9.81, first = sqrt(2 / g), v1 = 0.5 * g * first, second = first + 2 * v1 / g;
    assert_int_equal(next - heights, 4);
    assert_close(heights[0], 1, 0);
    assert_close(heights[1], 1 - g * 0.16 / 2, 1e-14);
    double t = 0.8 - first;
    assert_close(heights[2], v1 * t - g * t * t / 2, 1e-13);
    t = 1.2 - (second + v1 / g); // after the third bounce
    assert_close(heights[3], v1 / 4 * t - g * t * t / 2, 1e-13);
    ball_stop(&rig);
}

// Goal: a robot that chatters without end is stopped with a name for it, not with a hang. Method: a
// ball that keeps all its speed, dropped from 1 nm, bounces 35 000 times in a step of 1 s.
static void endless_chatter_is_reported(void **unused)
{
    (void)unused;
    BallRig rig;
    ball_start(&rig, IB_RK4, IB_SECOND, IB_SECOND * 10);
    rig.ball.height = 1e-9;
    rig.ball.bounce = 1;
    ib_arena_reset(&rig.arena);
    ib_sim_destroy(rig.sim);
    ib_Error error = {0};
    assert_int_equal(ib_model_create(&rig.config, &rig.arena, &rig.model, &error), IB_OK);
    assert_int_equal(ib_sim_create(rig.model, &rig.sim, &error), IB_OK);
    assert_int_equal(ib_sim_step(rig.sim, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "jumps"));
    ball_stop(&rig);
}

// Goal: a jump that falls on the very end of a step ends it. Method: a ball from 1 m with g = 2
// m/s^2 hits the floor at exactly 1 s, the end of a step of 1 s (and of 1/2, 1/4 s); it is at the
// top again at 1.5 s.
static void jumps_on_the_end_of_a_step_end_it(void **unused)
{
    (void)unused;
    for (int solver = IB_EULER; solver < IB_SOLVER_COUNT; solver++) {
        for (int parts = 1; parts <= 4; parts *= 2) {
            BallRig rig;
            ball_start(&rig, (ib_SolverKind)solver, IB_SECOND / parts, 2 * IB_SECOND);
            rig.ball.gravity = 2;
            ib_sim_destroy(rig.sim);
            ib_arena_reset(&rig.arena);
            ib_Error error;
            assert_int_equal(ib_model_create(&rig.config, &rig.arena, &rig.model, &error), IB_OK);
            assert_int_equal(ib_sim_create(rig.model, &rig.sim, &error), IB_OK);
            while (!ib_sim_done(rig.sim)) assert_int_equal(ib_sim_step(rig.sim, &error), IB_OK);
            // up with 1 m/s at 1 s,
            // back at the floor at 2 s (Euler is of order 1 and only has to survive)
            if (solver != IB_EULER) assert_close(ib_sim_state(rig.sim)[0], 0, 1e-12);
            ball_stop(&rig);
        }
    }
}

// --------------------------------------------------------------------------------------------- cut

// Goal: a step is cut at a switch and the grid goes on unmoved. Method: a switch at 0.2504 s in a
// grid of 1 ms; the steps end at 0.250, 0.2504, 0.251.
static void steps_are_cut_at_switches_and_the_grid_stays(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 1, 1}, {0.2504, 2, 0}}, 2, 1);
    rig_start(&rig);
    assert_non_null(rig_run(&rig, 0.25));
    assert_non_null(rig_run(&rig, 0.2504));
    assert_non_null(rig_run(&rig, 0.251));
    assert_int_equal(ib_sim_steps(rig.sim), 252);
    rig_stop(&rig);
}

// Goal: a ramp is followed inside a step. Method: a force that rises linearly from 0 on a robot
// without drag is x = k t^3 / (6 m) per wheel pair, exact for RK4.
static void ramps_are_integrated_exactly(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 0, 0}, {1, 2, 2}}, 2, 1);
    rig.inputs[IB_ROOMBA_LEFT].linear = rig.inputs[IB_ROOMBA_RIGHT].linear = true;
    rig.roomba.drag = 0;
    rig.sim_config.step = IB_SECOND / 4;
    rig_start(&rig);
    const double *state = rig_run(&rig, 1);
    assert_close(state[IB_ROOMBA_X], 4.0 / (6 * 2.7), 1e-15);
    assert_close(state[IB_ROOMBA_VX], 4.0 / (2 * 2.7), 1e-15);
    rig_stop(&rig);
}

// Goal: a ramp that crosses the limit is clamped at the crossing, noted once, and taken up again.
// Method: 0 to 4 N and back in 2 s with a limit of 2 N: momentum by areas: 0.5 s of ramp, 1 s of
// plateau, 0.5 s of ramp.
static void clamped_ramps_have_the_right_area(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 0, 0}, {1, 4, 4}, {2, 0, 0}}, 3, 2);
    rig.inputs[IB_ROOMBA_LEFT].linear = rig.inputs[IB_ROOMBA_RIGHT].linear = true;
    rig.roomba.drag = 0;
    rig.roomba.max_force = 2;
    rig_start(&rig);
    const double *state = rig_run(&rig, 2);
    double area = 2 * (0.5 * 2 / 2 + 1 * 2 + 0.5 * 2 / 2); // both wheels [N s]
    assert_close(state[IB_ROOMBA_VX], area / 2.7, 1e-8);   // the crossing is rounded to 1 ns
    int count;
    const ib_Clamp *clamps = ib_sim_clamps(rig.sim, &count);
    assert_int_equal(count, 2);
    assert_int_equal(clamps[0].input, IB_ROOMBA_LEFT);
    assert_int_equal(clamps[0].time, IB_SECOND / 2);
    assert_close(clamps[0].used, 2, 0);
    assert_close(clamps[0].wanted, 4, 0);
    rig_stop(&rig);
}

// Goal: a ramp is noted where it reaches the limit, which is hardly ever a whole nanosecond, and
// not at all when it ends there. Method: to 5.5 N and to 2.7 N in 10 s, with a limit of 2.7 N.
static void ramps_are_noted_where_they_reach_the_limit(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 0, 0}, {10, 5.5, 2.7}}, 2, 12);
    rig.inputs[IB_ROOMBA_LEFT].linear = rig.inputs[IB_ROOMBA_RIGHT].linear = true;
    rig_start(&rig);
    assert_non_null(rig_run(&rig, 12));
    int count;
    const ib_Clamp *clamps = ib_sim_clamps(rig.sim, &count);
    assert_int_equal(count, 1);
    assert_int_equal(clamps[0].input, IB_ROOMBA_LEFT);
    assert_int_equal(clamps[0].time, 4909090909); // 10 s * 2.7/5.5, the nanosecond before
    assert_close(clamps[0].wanted, 5.5, 1e-14);   // a few roundings
    assert_close(clamps[0].used, 2.7, 0);
    rig_stop(&rig);
}

// Goal: a ramp beyond the limit that would need years to come back is just clamped. Method: 10 N,
// falling by 10 nN in 100 s, with a limit of 2 N, is a constant 2 N: the same bits.
static void hardly_falling_ramps_are_clamped(void **unused)
{
    (void)unused;
    Rig ramp, flat;
    rig_default(&ramp, (Segment[]){{0, 10, 10}, {100, 9.99999999, 9.99999999}}, 2, 1);
    ramp.inputs[IB_ROOMBA_LEFT].linear = ramp.inputs[IB_ROOMBA_RIGHT].linear = true;
    rig_default(&flat, (Segment[]){{0, 2, 2}}, 1, 1);
    ramp.roomba.max_force = flat.roomba.max_force = 2;
    rig_start(&ramp);
    rig_start(&flat);
    assert_non_null(rig_run(&ramp, 1));
    assert_non_null(rig_run(&flat, 1));
    assert_true(ib_sim_hash(ramp.sim) == ib_sim_hash(flat.sim));
    rig_stop(&ramp);
    rig_stop(&flat);
}

// ------------------------------------------------------------------------------- look, don't touch

static ib_Time count_samples(void *self, ib_Time time, const double *signals)
{
    (void)signals;
    ++*(int *)self;
    return time + 3333;
}

static uint64_t hash_of(ib_SolverKind solver, bool looked)
{
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 2.7, 0}, {0.5005, 1, 2}}, 2, 1);
    rig.sim_config.solver.kind = solver;
    if (ib_solver_adaptive(solver)) rig.sim_config.step = IB_SECOND;
    rig_start(&rig);
    ib_Error error;
    int count = 0;
    Crossing crossing;
    if (looked) {
        assert_int_equal(
            ib_sim_probe(rig.sim, (ib_Probe){&count, 0, true, count_samples, false}, &error), 0);
        rig_watch(&rig, &crossing, "velocity.y", -0.1, -1);
    }
    while (!ib_sim_done(rig.sim)) assert_int_equal(ib_sim_step(rig.sim, &error), IB_OK);
    ib_sim_finish(rig.sim);
    if (looked) assert_true(count > 300000);
    uint64_t hash = ib_sim_hash(rig.sim);
    rig_stop(&rig);
    return hash;
}

// Goal: looking never changes the run. Method: hash with and without 300 000 samples and a watch.
static void observed_runs_have_the_same_hash(void **unused)
{
    (void)unused;
    for (int solver = IB_EULER; solver < IB_SOLVER_COUNT; solver++)
        assert_true(hash_of((ib_SolverKind)solver, true) == hash_of((ib_SolverKind)solver, false));
}

// Goal: a short excursion inside a long step is seen. Method: the circle's first maximum of x is
// 0.0967721756 m at 0.6917131433 s (reference A2); steps of 20 ms and adaptive steps, and a level
// 1e-5 m below it, which is passed for 15 ms only.
static void excursions_inside_a_step_are_seen(void **unused)
{
    (void)unused;
    for (int solver = IB_RK4; solver < IB_SOLVER_COUNT; solver++) {
        Rig rig;
        Crossing up, down;
        rig_default(&rig, (Segment[]){{0, 2.7, 0}}, 1, 1);
        rig.sim_config.solver = (ib_SolverConfig){(ib_SolverKind)solver, 1e-8, 1e-9};
        rig.sim_config.step = ib_solver_adaptive((ib_SolverKind)solver) ? IB_SECOND : 20000000;
        rig_start(&rig);
        rig_watch(&rig, &up, "pose.x", 0.096762175637, 1);
        rig_watch(&rig, &down, "pose.x", 0.096762175637, 0);
        assert_non_null(rig_run(&rig, 1));
        assert_true(up.seconds[0] > 0.68 && up.seconds[0] < 0.69171);
        assert_true(down.seconds[0] > 0.69171 && down.seconds[0] < 0.705);
        // around a maximum the two instants lie evenly, up to the third derivative
        assert_close((up.seconds[0] + down.seconds[0]) / 2, 0.69171314332, 2e-4);
        rig_stop(&rig);
    }
}

// Goal: going on where nobody looks makes the same steps as going step by step. Method: hash and
// number of steps of a run with switches off the grid, to the end and to 50 stops on the way.
static void strides_make_the_same_steps(void **unused)
{
    (void)unused;
    for (int stops = 1; stops <= 50; stops += 49) {
        Rig rig, strode;
        Rig *both[] = {&rig, &strode};
        for (int i = 0; i < 2; i++) {
            rig_default(both[i], (Segment[]){{0, 2.7, 0}, {0.5005, 1, 2}, {0.7, 0, 0}}, 3, 1);
            rig_start(both[i]);
        }
        ib_Error error;
        while (!ib_sim_done(rig.sim)) assert_int_equal(ib_sim_step(rig.sim, &error), IB_OK);
        for (int i = 1; i <= stops; i++)
            assert_int_equal(ib_sim_advance(strode.sim, IB_SECOND * i / stops, &error), IB_OK);
        assert_true(ib_sim_done(strode.sim));
        assert_true(ib_sim_hash(strode.sim) == ib_sim_hash(rig.sim));
        assert_int_equal(ib_sim_steps(strode.sim), ib_sim_steps(rig.sim));
        rig_stop(&rig);
        rig_stop(&strode);
    }
}

// Goal: the state is all there is. Method: save at 20 points of a run, restore into another sim, go
// on; the hash at the end must be that of the straight run.
static void restored_runs_go_on_with_the_same_bits(void **unused)
{
    (void)unused;
    for (int solver = IB_EULER; solver < IB_SOLVER_COUNT; solver++) {
        Rig rig, other;
        Rig *both[] = {&rig, &other};
        for (int i = 0; i < 2; i++) {
            rig_default(both[i], (Segment[]){{0, 2.7, 0}, {0.5005, 1, 2}}, 2, 1);
            both[i]->sim_config.solver.kind = (ib_SolverKind)solver;
            rig_start(both[i]);
        }
        ib_Error error;
        double saved[20][16];
        ib_Time times[20];
        int64_t steps[20];
        for (int i = 0; !ib_sim_done(rig.sim); i++) {
            if (i % 50 == 0) {
                memcpy(saved[i / 50], ib_sim_state(rig.sim),
                       (size_t)rig.model->state_count * sizeof(double));
                times[i / 50] = ib_sim_time(rig.sim);
                steps[i / 50] = ib_sim_steps(rig.sim);
            }
            if (i >= 999) break;
            assert_int_equal(ib_sim_step(rig.sim, &error), IB_OK);
        }
        while (!ib_sim_done(rig.sim)) assert_int_equal(ib_sim_step(rig.sim, &error), IB_OK);
        for (int i = 0; i < 20; i++) {
            ib_sim_restore(other.sim, times[i], steps[i], saved[i]);
            while (!ib_sim_done(other.sim)) assert_int_equal(ib_sim_step(other.sim, &error), IB_OK);
            assert_true(ib_sim_hash(other.sim) == ib_sim_hash(rig.sim));
            assert_int_equal(ib_sim_steps(other.sim), ib_sim_steps(rig.sim));
        }
        rig_stop(&rig);
        rig_stop(&other);
    }
}

enum { MAX_SAVED = 400 };

// A run with everything that keeps a memory: a noisy, late gyro, a ramp, an impulse and a push.
static void restless_default(Rig *rig, ib_SolverKind solver)
{
    static const ib_SensorConfig gyro = {.name = "gyro",
                                         .signal = "velocity.heading",
                                         .scale = 1,
                                         .noise = 0.1,
                                         .low = -5,
                                         .high = 5,
                                         .period = 7000000,
                                         .latency = 21000000};
    static const ib_Disturbance pushes[] = {
        {.type = IB_DISTURBANCE_IMPULSE, .robot = -1, .at = 300000001, .size = 0.3, .y = 0.1},
        {.type = IB_DISTURBANCE_FORCE, .robot = 0, .at = 400000000, .until = 612345678, .size = 1}};
    rig_default(rig, (Segment[]){{0, 2.7, 0}, {0.5005, 1, 2}, {0.8, -1, 0}}, 3, 1);
    rig->inputs[IB_ROOMBA_RIGHT].linear = true;
    rig->robot.sensors = &gyro;
    rig->robot.sensor_count = 1;
    rig->sim_config.disturbances = pushes;
    rig->sim_config.disturbance_count = 2;
    rig->sim_config.solver = (ib_SolverConfig){solver, 1e-6, 1e-9};
    rig->sim_config.step = ib_solver_adaptive(solver) ? IB_SECOND : 5000000;
    rig_start(rig);
}

// Goal: the same where sensors, disturbances and an adaptive solver's own choice of steps have a
// memory. Method: save before every step, also where an impulse is due; each restored run must end
// with the same hash.
static void restored_runs_keep_their_memory(void **unused)
{
    (void)unused;
    for (int solver = IB_RK4; solver < IB_SOLVER_COUNT; solver++) {
        Rig rig, other;
        restless_default(&rig, (ib_SolverKind)solver);
        restless_default(&other, (ib_SolverKind)solver);
        static double saved[MAX_SAVED][16];
        ib_Time times[MAX_SAVED];
        ib_Error error;
        int count = 0;
        for (; !ib_sim_done(rig.sim); count++) {
            assert_true(count < MAX_SAVED && rig.model->state_count <= 16);
            memcpy(saved[count], ib_sim_state(rig.sim),
                   (size_t)rig.model->state_count * sizeof(double));
            times[count] = ib_sim_time(rig.sim);
            assert_int_equal(ib_sim_step(rig.sim, &error), IB_OK);
        }
        for (int i = 0; i < count; i++) {
            ib_sim_restore(other.sim, times[i], i, saved[i]);
            while (!ib_sim_done(other.sim)) assert_int_equal(ib_sim_step(other.sim, &error), IB_OK);
            assert_true(ib_sim_hash(other.sim) == ib_sim_hash(rig.sim));
            assert_int_equal(ib_sim_steps(other.sim), count);
        }
        rig_stop(&rig);
        rig_stop(&other);
    }
}

// Every allocation of this program is counted here, where no sanitizer has its own. (glibc's names)
static long allocations;

#if !defined(IB_SANITIZED) && defined(__GLIBC__)
enum { COUNTED = 1 };
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    allocations++;
    return __libc_realloc(old, size);
}
#else
enum { COUNTED = 0 };
#endif

// Goal: nothing allocates inside the step. Method: calls counted, and bytes in use compared, over
// 10 000 observed and watched steps.
static void steps_do_not_allocate(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 2.7, 0}}, 1, 100);
    rig_start(&rig);
    ib_Error error;
    int count = 0;
    assert_int_equal(
        ib_sim_probe(rig.sim, (ib_Probe){&count, 0, true, count_samples, false}, &error), 0);
    assert_int_equal(ib_sim_step(rig.sim, &error), IB_OK);
    Crossing crossing;
    rig_watch(&rig, &crossing, "velocity.y", -0.1, -1);
    assert_int_equal(ib_sim_step(rig.sim, &error), IB_OK);
    struct mallinfo2 before = mallinfo2();
    long calls = allocations;
    if (COUNTED) assert_true(calls > 0);
    for (int i = 0; i < 10000; i++) assert_int_equal(ib_sim_step(rig.sim, &error), IB_OK);
    struct mallinfo2 after = mallinfo2();
    assert_int_equal(allocations, calls);
    assert_int_equal(before.uordblks, after.uordblks);
    rig_stop(&rig);
}

// Goal: the input door takes a live source after the script. Method: a source that overrides the
// left wheel from 0.5 s on; NaN from it is replaced by neutral and noted.
static ib_Time live_read(void *self, ib_Time time, double *input, double *slope)
{
    (void)self;
    (void)slope;
    if (time >= IB_SECOND / 2) input[IB_ROOMBA_LEFT] = time >= IB_SECOND * 3 / 4 ? NAN : -1;
    return IB_TIME_NEVER;
}

static void live_sources_override_the_script(void **unused)
{
    (void)unused;
    Rig rig, script;
    rig_default(&rig, (Segment[]){{0, 2, 2}}, 1, 1);
    rig_start(&rig);
    ib_sim_connect(rig.sim, (ib_InputSource){NULL, live_read, true});
    rig_default(&script, (Segment[]){{0, 2, 2}, {0.5, -1, 2}, {0.75, 0, 2}}, 3, 1);
    rig_start(&script);
    const double *a = rig_run(&rig, 1), *b = rig_run(&script, 1);
    for (int i = 0; i < IB_ROOMBA_STATES; i++) assert_close(a[i], b[i], 0); // same grid, same bits
    int count;
    const ib_Clamp *clamps = ib_sim_clamps(rig.sim, &count);
    assert_int_equal(count, 1);
    assert_true(isnan(clamps[0].wanted));
    rig_stop(&rig);
    rig_stop(&script);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces_follow_the_closed_form_for_any_step),
        cmocka_unit_test(samples_between_jumps_of_one_step_are_right),
        cmocka_unit_test(endless_chatter_is_reported),
        cmocka_unit_test(jumps_on_the_end_of_a_step_end_it),
        cmocka_unit_test(steps_are_cut_at_switches_and_the_grid_stays),
        cmocka_unit_test(ramps_are_integrated_exactly),
        cmocka_unit_test(clamped_ramps_have_the_right_area),
        cmocka_unit_test(ramps_are_noted_where_they_reach_the_limit),
        cmocka_unit_test(hardly_falling_ramps_are_clamped),
        cmocka_unit_test(observed_runs_have_the_same_hash),
        cmocka_unit_test(excursions_inside_a_step_are_seen),
        cmocka_unit_test(strides_make_the_same_steps),
        cmocka_unit_test(restored_runs_go_on_with_the_same_bits),
        cmocka_unit_test(restored_runs_keep_their_memory),
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(live_sources_override_the_script),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
