// Pushes, impulses, tilts and faults, and sensors with theirs.
#include "cmocka_all.h"
#include "robot/roomba_rig.h"

static const double deg = 0.017453292519943295;

static void disturb(Rig *rig, const ib_Disturbance *list, int count)
{
    rig->sim_config.disturbances = list;
    rig->sim_config.disturbance_count = count;
}

// Starts a run of 1 s, at rest and without drag, in which nothing but this happens.
static void slide_under(Rig *rig, const ib_Disturbance *only)
{
    rig_default(rig, (Segment[]){{0, 0, 0}}, 1, 1);
    rig->roomba.drag = rig->roomba.side_drag = 0;
    disturb(rig, only, 1);
    rig_start(rig);
}

// Goal: a force for a while adds F dt of momentum and R p x F dt of angular momentum, and no more.
// Method: a robot without drag; 2 N at 90 degrees for 0.1003 s at a point 0.1 m ahead.
static void push_adds_its_momentum(void **unused)
{
    (void)unused;
    static const ib_Disturbance push = {.type = IB_DISTURBANCE_FORCE,
                                        .robot = -1,
                                        .at = 200000000,
                                        .until = 300300000,
                                        .size = 2,
                                        .direction = 90 * 0.017453292519943295,
                                        .x = 0};
    Rig rig;
    slide_under(&rig, &push);
    const double *state = rig_run(&rig, 1);
    assert_close(state[IB_ROOMBA_VY], 2 * 0.1003 / 2.7, 1e-14); // sums of 1 ms steps
    assert_close(state[IB_ROOMBA_VX], 0, 1e-15);
    assert_close(state[IB_ROOMBA_W], 0, 0);
    rig_stop(&rig);
}

// Goal: a push at a point turns the robot, with the arm turning along. Method: a robot without
// drag, fixed force along field y at the body point (a, 0): th'' = (a F / I) cos th, whose energy
// integral is w^2/2 = (a F / I) sin th.
static void push_at_a_point_turns_the_robot(void **unused)
{
    (void)unused;
    static const ib_Disturbance push = {.type = IB_DISTURBANCE_FORCE,
                                        .robot = 0,
                                        .at = 0,
                                        .until = IB_SECOND,
                                        .size = 0.5,
                                        .direction = 90 * 0.017453292519943295,
                                        .x = 0.1};
    Rig rig;
    slide_under(&rig, &push);
    const double *state = rig_run(&rig, 1);
    double inertia = 0.5 * 2.7 * 0.165 * 0.165, w = state[IB_ROOMBA_W], th = state[IB_ROOMBA_TH];
    assert_true(w > 0.1);
    assert_close(w * w / 2, 0.1 * 0.5 / inertia * sin(th), 1e-10); // RK4 at 1 ms
    rig_stop(&rig);
}

// Goal: an impulse is a jump at exactly its time.
// Method: samples at 0.5 s (with the jump) and just before.
static void impulse_jumps_at_its_time(void **unused)
{
    (void)unused;
    static const ib_Disturbance kick = {.type = IB_DISTURBANCE_IMPULSE,
                                        .robot = -1,
                                        .at = 500500000,
                                        .until = 500500000,
                                        .size = 0.27};
    Rig rig;
    slide_under(&rig, &kick);
    assert_close(rig_run(&rig, 0.5005)[IB_ROOMBA_VX], 0, 0);
    const double *state = rig_run(&rig, 1);
    assert_close(state[IB_ROOMBA_VX], 0.1, 1e-16);
    assert_close(state[IB_ROOMBA_X], 0.1 * (1 - 0.5005), 1e-14);
    rig_stop(&rig);
}

// Goal: a tilted floor pulls with g sin(a).
// Method: 10 degrees downhill along x without drag for 1 s.
static void tilt_pulls_downhill(void **unused)
{
    (void)unused;
    ib_Disturbance tilt = {
        .type = IB_DISTURBANCE_TILT, .robot = -1, .until = IB_SECOND, .size = 10 * deg};
    Rig rig;
    slide_under(&rig, &tilt);
    assert_close(rig_run(&rig, 1)[IB_ROOMBA_VX], 9.80665 * sin(10 * deg), 1e-12);
    rig_stop(&rig);
}

// Goal: scaling a signal acts on the physics. Method: half of the left wheel's force is the run
// with half of it in the script, bit for bit.
static void scaled_force_equals_a_weaker_script(void **unused)
{
    (void)unused;
    static const ib_Disturbance weak = {.type = IB_DISTURBANCE_SCALE,
                                        .robot = -1,
                                        .at = 0,
                                        .until = 2 * IB_SECOND,
                                        .size = 0.5,
                                        .signal = "drive.left.force"};
    Rig rig, script;
    rig_default(&rig, (Segment[]){{0, 2, 1}}, 1, 1);
    disturb(&rig, &weak, 1);
    rig_start(&rig);
    rig_default(&script, (Segment[]){{0, 1, 1}}, 1, 1);
    rig_start(&script);
    const double *a = rig_run(&rig, 1), *b = rig_run(&script, 1);
    for (int i = 0; i < IB_ROOMBA_STATES; i++) assert_close(a[i], b[i], 0);
    int scale = ib_signals_find(&rig.model->signals, "disturbance.scale.drive.left.force");
    assert_true(scale >= 0);
    rig_stop(&rig);
    rig_stop(&script);
}

// ----------------------------------------------------------------------------------------- sensors

typedef struct Taken {
    int signal, truth, count;
    double seen[400], real[400];
    ib_Time every;
} Taken;

static ib_Time take(void *self, ib_Time time, const double *signals)
{
    Taken *taken = self;
    taken->seen[taken->count] = signals[taken->signal];
    taken->real[taken->count] = signals[taken->truth];
    taken->count++;
    return taken->count < 400 ? time + taken->every : IB_TIME_NEVER;
}

static void run_with_sensor(Rig *rig, const ib_SensorConfig *sensor, Taken *taken, ib_Time every)
{
    rig_default(rig, (Segment[]){{0, 2.7, 0}}, 1, 2);
    rig->robot.sensors = sensor;
    rig->robot.sensor_count = 1;
    rig_start(rig);
    *taken = (Taken){.signal = ib_signals_find(&rig->model->signals, "sensor.gyro"),
                     .truth = ib_signals_find(&rig->model->signals, "velocity.heading"),
                     .every = every};
    ib_Error error;
    assert_int_equal(ib_sim_probe(rig->sim, (ib_Probe){taken, 0, false, take, false}, &error), 0);
    assert_non_null(rig_run(rig, 2));
    assert_int_equal(taken->count, 400);
}

// Goal: a perfect sensor shows the truth of its last tick, a late one that of `latency` before.
// Method: a gyro of 10 ms period without and with 30 ms latency, looked at every 5 ms.
static void sensor_holds_and_delays(void **unused)
{
    (void)unused;
    for (int late = 0; late < 2; late++) {
        ib_SensorConfig gyro = {.name = "gyro",
                                .signal = "velocity.heading",
                                .scale = 1,
                                .low = -1e9,
                                .high = 1e9,
                                .period = 10000000,
                                .latency = late ? 30000000 : 0};
        Rig rig;
        Taken taken;
        run_with_sensor(&rig, &gyro, &taken, 5000000);
        // It is shown in the people's unit of what it measures.
        const ib_SignalTable *table = &rig.model->signals;
        const char *shown = table->items[ib_signals_find(table, gyro.signal)].means.shown;
        assert_non_null(shown);
        assert_string_equal(table->items[taken.signal].means.shown, shown);
        for (int i = 10; i < 400; i++) {
            int tick = i / 2 * 2 - (late ? 6 : 0); // the sample that is seen now
            assert_close(taken.seen[i], taken.real[tick], 1e-15);
        }
        rig_stop(&rig);
    }
}

static ib_Time keep_last(void *self, ib_Time time, const double *signals)
{
    Taken *taken = self;
    taken->seen[0] = signals[taken->signal];
    taken->real[0] = signals[taken->truth];
    taken->count++;
    (void)time;
    return IB_TIME_NEVER;
}

// Goal: a tick on the very end of the run counts, and looking there changes nothing. Method: a
// perfect gyro of 10 ms at 1 s; the hash before and after the last samples.
static void last_tick_is_seen(void **unused)
{
    (void)unused;
    ib_SensorConfig gyro = {.name = "gyro",
                            .signal = "velocity.heading",
                            .scale = 1,
                            .low = -1e9,
                            .high = 1e9,
                            .period = 10000000};
    Rig rig;
    rig_default(&rig, (Segment[]){{0, 2.7, 0}}, 1, 1);
    rig.robot.sensors = &gyro;
    rig.robot.sensor_count = 1;
    rig_start(&rig);
    Taken taken = {.signal = ib_signals_find(&rig.model->signals, "sensor.gyro"),
                   .truth = ib_signals_find(&rig.model->signals, "velocity.heading")};
    ib_Error error;
    ib_Probe end = {.self = &taken, .next = IB_TIME_NEVER, .sample = keep_last, .at_end = true};
    assert_int_equal(ib_sim_probe(rig.sim, end, &error), IB_OK);
    assert_non_null(rig_run(&rig, 1));
    uint64_t hash = ib_sim_hash(rig.sim);
    ib_sim_finish(rig.sim);
    assert_true(ib_sim_hash(rig.sim) == hash);
    assert_int_equal(taken.count, 1);
    assert_close(taken.seen[0], taken.real[0], 0);
    rig_stop(&rig);
}

// Goal: bias, scale, quantum and saturation do what they say; noise has its standard deviation and
// depends on the seed alone.
// Method: each alone; 400 samples of noise: the deviation is within 15 % (4 sigma).
static void sensor_faults_are_as_stated(void **unused)
{
    (void)unused;
    ib_SensorConfig gyro = {.name = "gyro",
                            .signal = "velocity.heading",
                            .scale = 2,
                            .bias = 0.5,
                            .quantum = 0.25,
                            .low = -5,
                            .high = 5,
                            .period = 5000000};
    Rig rig;
    Taken taken;
    run_with_sensor(&rig, &gyro, &taken, 5000000);
    for (int i = 0; i < 400; i++) {
        double ideal = 2 * taken.real[i] + 0.5;
        ideal = fmin(fmax(ideal, -5), 5);
        assert_true(fabs(taken.seen[i] - ideal) <= 0.125 + 1e-12);
        assert_close(remainder(taken.seen[i], 0.25), 0, 1e-12);
    }
    rig_stop(&rig);

    gyro = (ib_SensorConfig){.name = "gyro",
                             .signal = "velocity.heading",
                             .scale = 1,
                             .noise = 0.1,
                             .low = -1e9,
                             .high = 1e9,
                             .period = 5000000};
    Taken first;
    double sum = 0, squares = 0;
    run_with_sensor(&rig, &gyro, &first, 5000000);
    rig_stop(&rig);
    run_with_sensor(&rig, &gyro, &taken, 5000000);
    rig_stop(&rig);
    for (int i = 0; i < 400; i++) {
        assert_close(taken.seen[i], first.seen[i], 0);
        double e = taken.seen[i] - taken.real[i];
        sum += e;
        squares += e * e;
    }
    assert_close(sum / 400, 0, 4 * 0.1 / 20);
    assert_close(sqrt(squares / 400), 0.1, 0.015);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(push_adds_its_momentum),
        cmocka_unit_test(push_at_a_point_turns_the_robot),
        cmocka_unit_test(impulse_jumps_at_its_time),
        cmocka_unit_test(tilt_pulls_downhill),
        cmocka_unit_test(scaled_force_equals_a_weaker_script),
        cmocka_unit_test(sensor_holds_and_delays),
        cmocka_unit_test(last_tick_is_seen),
        cmocka_unit_test(sensor_faults_are_as_stated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
