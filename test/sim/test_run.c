// A whole run: what is attached, how it ends, who hears of it.
#include "cmocka_all.h"
#include "file/reader.h"
#include "robot/mjcf/mjcf.h"
#include "robot/roomba_rig.h"
#include "sim/ball.h"
#include "sim/run.h"

// Goal: a realtime run keeps pace and the same bits. Method: 0.2 s paced; the last step begins at
// 0.199 s of wall time or later (a busy machine may be late, never early); same hash as unpaced.
static void realtime_runs_keep_pace_and_bits(void **unused)
{
    (void)unused;
    uint64_t hashes[2];
    for (int paced = 0; paced < 2; paced++) {
        Rig rig;
        rig_default(&rig, (Segment[]){{0, 2.7, 1}}, 1, 0.2);
        rig_start(&rig);
        ib_RunResult result;
        ib_Error error;
        assert_int_equal(ib_run(rig.sim, &(ib_RunOptions){.realtime = paced}, &result, &error),
                         IB_OK);
        if (paced) assert_true(result.wall >= 0.199);
        if (paced) assert_true(result.late_max >= 0 && result.late_max >= result.late_p99);
        hashes[paced] = ib_sim_hash(rig.sim);
        rig_stop(&rig);
    }
    assert_true(hashes[0] == hashes[1]);
}

// Goal: a run can be stopped from outside and keeps what it has.
// Method: the flag is set before it begins.
static void stopped_runs_say_so(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 2.7, 1}}, 1, 1);
    rig_start(&rig);
    volatile sig_atomic_t stop = 1;
    ib_RunResult result;
    ib_Error error;
    assert_int_equal(ib_run(rig.sim, &(ib_RunOptions){.stop = &stop}, &result, &error),
                     IB_INTERRUPTED);
    assert_int_equal(ib_sim_time(rig.sim), 0);
    rig_stop(&rig);
}

static ib_Time set_stop(void *stop, ib_Time time)
{
    (void)time;
    *(volatile sig_atomic_t *)stop = 1;
    return IB_TIME_NEVER;
}

// Goal: a world that has an external integrator, which may take a second each, is stopped after the
// step in which the flag was set, not 64 steps later. Method: a flag that is set when the run
// begins; the pendulum that stands in for a file.
static void slow_worlds_hear_within_a_step(void **unused)
{
    (void)unused;
    ib_Arena arena = {0};
    ib_Error error = {0};
    void *own = ib_arena_alloc(&arena, ib_mjcf_kind.config_size);
    assert_int_equal(ib_read_defaults(&ib_mjcf_kind.params, own, &error), IB_OK);
    assert_int_equal(ib_read_defaults(&ib_mjcf_kind.start, own, &error), IB_OK);
    ib_RobotConfig robot = {.name = "", .kind = &ib_mjcf_kind, .config = own};
    ib_SimConfig config = script_run(&robot, 1);
    ib_Model *model;
    ib_Sim *sim;
    if (ib_model_create(&config, &arena, &model, &error) != IB_OK) fail_msg("%s", error.text);
    assert_int_equal(ib_sim_create(model, &sim, &error), IB_OK);
    volatile sig_atomic_t stop = 0;
    ib_RunOptions options = {.stop = &stop, .between = set_stop, .player = (void *)&stop};
    ib_RunResult result;
    assert_int_equal(ib_run(sim, &options, &result, &error), IB_INTERRUPTED);
    assert_int_equal(ib_sim_time(sim), IB_SECOND / 1000);
    ib_sim_destroy(sim);
    ib_arena_reset(&arena);
}

static ib_Time raise_flag(void *flag, ib_Time time, const double *signals)
{
    (void)time, (void)signals;
    *(volatile sig_atomic_t *)flag = 1;
    return IB_TIME_NEVER;
}

// When a run ends whose first sample sets the flag.
static ib_Time stop_at_once(Rig *rig)
{
    volatile sig_atomic_t stop = 0;
    ib_Probe probe = {.self = (void *)&stop, .next = 1, .sample = raise_flag};
    ib_RunResult result;
    ib_Error error;
    assert_int_equal(ib_sim_probe(rig->sim, probe, &error), IB_OK);
    assert_int_equal(ib_run(rig->sim, &(ib_RunOptions){.stop = &stop}, &result, &error),
                     IB_INTERRUPTED);
    return ib_sim_time(rig->sim);
}

// Goal: a run that makes many steps of one of the grid is stopped after a few of them, not after 64
// of the grid. Method: a light Roomba, whose step of 1 ms has 100 parts or more; a script that
// switches every nanosecond.
static void short_steps_are_stopped_soon(void **unused)
{
    (void)unused;
    enum { SWITCHES = 10000 };
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 2.7, 1}}, 1, 1);
    rig.roomba.mass = 1e-5;
    rig_start(&rig);
    assert_true(rig.model->step <= rig.sim_config.step / 100);
    assert_true(stop_at_once(&rig) <= 64 * rig.model->step);
    rig_stop(&rig);

    static ib_Time times[SWITCHES];
    static double forces[SWITCHES];
    rig_default(&rig, (Segment[]){{0, 2.7, 1}}, 1, 1);
    for (int i = 0; i < SWITCHES; i++) times[i] = i, forces[i] = i % 2;
    rig.inputs[IB_ROOMBA_LEFT] = (ib_Timeline){SWITCHES, times, forces, false};
    rig_start(&rig);
    assert_true(stop_at_once(&rig) <= 4096);
    rig_stop(&rig);
}

// ------------------------------------------------------------------------------------------- whole

// A ball that falls upwards, ever faster where `gravity` says so, and what is told about its run.
typedef struct BallRun {
    Ball ball;
    ib_RobotConfig robot;
    ib_SimConfig config;
    ib_Arena arena;
    ib_Model *model;
    bool refuse;      // attach fails
    int last;         // samples at the end of a run
    int ended;        // calls
    ib_Status status; // that it ended with
    ib_Time time;     // that it came to
} BallRun;

static ib_Time count_last(void *self, ib_Time time, const double *signals)
{
    (void)time;
    (void)signals;
    ((BallRun *)self)->last++;
    return IB_TIME_NEVER;
}

static ib_Status attach_counter(void *self, ib_Sim *sim, ib_Error *error)
{
    BallRun *run = self;
    if (run->refuse) return ib_error_set(error, IB_BAD_INPUT, "refused");
    ib_Probe probe = {.self = run, .next = IB_TIME_NEVER, .sample = count_last, .at_end = true};
    return ib_sim_probe(sim, probe, error);
}

static void note_end(void *self, const ib_Sim *sim, ib_Status status, const ib_RunResult *result)
{
    BallRun *run = self;
    run->ended++;
    run->status = status;
    run->time = ib_sim_time(sim);
    assert_true(result->wall >= 0);
}

static ib_RunPlan ball_plan(BallRun *run, double gravity)
{
    ib_Error error;
    *run = (BallRun){.ball = {1, 0.5, gravity}};
    run->robot = (ib_RobotConfig){.name = "", .kind = &ball_kind, .config = &run->ball};
    run->config = (ib_SimConfig){.robots = &run->robot,
                                 .robot_count = 1,
                                 .solver = {IB_RK4, 1e-9, 1e-9},
                                 .step = IB_SECOND / 1000,
                                 .duration = IB_SECOND};
    assert_int_equal(ib_model_create(&run->config, &run->arena, &run->model, &error), IB_OK);
    return (ib_RunPlan){
        .model = run->model, .attach = attach_counter, .ended = note_end, .self = run};
}

// Goal: a run that comes to its end takes its last samples and tells its end once. Method: one
// second of a ball.
static void whole_runs_are_finished_and_told(void **unused)
{
    (void)unused;
    BallRun run;
    ib_Error error;
    ib_RunPlan plan = ball_plan(&run, 9.81);
    assert_int_equal(ib_run_whole(&plan, &error), IB_OK);
    assert_int_equal(run.last, 1);
    assert_int_equal(run.ended, 1);
    assert_int_equal(run.status, IB_OK);
    assert_int_equal(run.time, IB_SECOND);
    ib_arena_reset(&run.arena);
}

// Goal: a run that fails is told as well, with last samples unless only whole runs are wanted.
// Method: a ball that falls upwards with 1e7 m/s^2 passes its limit of 1e6 m before 0.5 s.
static void failed_runs_are_told(void **unused)
{
    (void)unused;
    for (int only_whole = 0; only_whole < 2; only_whole++) {
        BallRun run;
        ib_Error error;
        ib_RunPlan plan = ball_plan(&run, -1e7);
        plan.options.only_whole = only_whole;
        assert_int_equal(ib_run_whole(&plan, &error), IB_FAILED);
        assert_non_null(strstr(error.text, "ball."));
        assert_int_equal(run.last, !only_whole);
        assert_int_equal(run.ended, 1);
        assert_int_equal(run.status, IB_FAILED);
        assert_true(run.time > 0 && run.time < IB_SECOND / 2);
        ib_arena_reset(&run.arena);
    }
}

// Goal: where nothing can be attached nothing is run, and nothing is left. Method: an attachment
// that refuses, alone and in a whole run.
static void refused_runs_do_not_begin(void **unused)
{
    (void)unused;
    BallRun run;
    ib_Error error;
    ib_RunPlan plan = ball_plan(&run, 9.81);
    run.refuse = true;
    assert_int_equal(ib_run_whole(&plan, &error), IB_BAD_INPUT);
    assert_string_equal(error.text, "refused");
    assert_int_equal(run.ended, 0);
    ib_Sim *sim;
    assert_int_equal(ib_run_begin(run.model, attach_counter, &run, &sim, &error), IB_BAD_INPUT);
    assert_null(sim);
    ib_arena_reset(&run.arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(realtime_runs_keep_pace_and_bits),
        cmocka_unit_test(stopped_runs_say_so),
        cmocka_unit_test(slow_worlds_hear_within_a_step),
        cmocka_unit_test(short_steps_are_stopped_soon),
        cmocka_unit_test(whole_runs_are_finished_and_told),
        cmocka_unit_test(failed_runs_are_told),
        cmocka_unit_test(refused_runs_do_not_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
