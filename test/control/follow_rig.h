// test/control/follow_rig.h: a robot that follows a path by its sensors, and what came of it. The
// robot is integrated by RK4 on its own rate, the control runs every 5 ms,
// sensors are those of src/sensor.
#ifndef IB_TEST_FOLLOW_RIG_H
#define IB_TEST_FOLLOW_RIG_H

#include "control/path/follow.h"
#include "robot/roomba/roomba.h"
#include "robot/swerve.h"
#include "robot/tank/tank.h"
#include "sensor/encoder.h"
#include "sensor/sensor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FOLLOW_X_MOST = 256,
    FOLLOW_INPUTS_MOST = 128,
    FOLLOW_SIGNALS_MOST = 512,
    FOLLOW_SENSOR_MOST = 80,
    FOLLOW_READINGS = 5
};

typedef struct FollowRig {
    // Set these, then follow_rig_run.
    const ib_RobotKind *kind;
    void *config; // of the robot, as those who move it know it
    void *truth;  // as it is; NULL: the same
    ib_PathConfig path;
    ib_PathPoint start; // where the robot stands, and its heading; set it in `config` as well
    ib_FollowConfig follow;
    bool sensors;                 // encoders and a gyro; otherwise ideal speeds
    bool tap;                     // the voltage of the supply is measured
    int counts;                   // of an encoder, per revolution
    double gyro_noise, gyro_bias; // standard deviation of a sample [rad/s], [rad/s]
    double late;                  // latency of the gyro [s]
    uint64_t seed;
    double after;              // runs on so long after the trajectory's duration [s]
    double push_from, push_to; // [s]
    double push_x, push_y;     // [N], field frame
    bool blind;                // every seventh sample of each sensor is missed
    void (*look)(const struct FollowRig *rig, double t, const double *y);

    // Read these.
    ib_Robot robot;
    ib_Locomotion base;
    ib_FollowModel model;
    double state[IB_FOLLOW_STATES], x[FOLLOW_X_MOST], input[FOLLOW_INPUTS_MOST],
        y[FOLLOW_SIGNALS_MOST];
    double deviation, deviation_at; // largest distance from the drawn path [m], when [s]
    double lost;                    // largest distance of odometry from the truth [m]
    double end_miss;                // distance from the end of the path at the end [m]
    double late_way;                // way in the last half of `after` [m]
    double late_change;             // of commands then: sum of their changes
    double most_command;            // size of the largest command, as part of the range
    double done_at;                 // [s], 0: never
    double top_speed;
    ib_Arena arena;
    ib_SensorConfig sensor[FOLLOW_READINGS]; // of each rim, then the gyro
    double sensed[FOLLOW_READINGS][FOLLOW_SENSOR_MOST];
} FollowRig;

static inline void follow_rig_fail(const char *what, const ib_Error *error)
{
    fprintf(stderr, "follow_rig: %s: %s\n", what, error->text);
    abort();
}

static inline int follow_rig_signal(const FollowRig *rig, const char *name)
{
    for (int i = 0; i < rig->robot.ports.signal_count; i++)
        if (!strcmp(rig->robot.ports.signals[i].name, name)) return i;
    abort();
}

static inline int follow_rig_input(const FollowRig *rig, const char *name)
{
    for (int i = 0; i < rig->robot.ports.input_count; i++)
        if (!strcmp(rig->robot.ports.inputs[i].name, name)) return i;
    abort();
}

// The tank or the swerve of the program's defaults (CIMs for its motors), or the document's Roomba.
static inline void follow_rig_default(FollowRig *rig, const ib_RobotKind *kind)
{
    ib_Error error;
    memset(rig, 0, sizeof *rig);
    rig->kind = kind;
    rig->config = calloc(1, kind->config_size);
    if (!rig->config || ib_schema_default(&kind->params, rig->config, &error) != IB_OK ||
        ib_schema_default(&kind->start, rig->config, &error) != IB_OK)
        follow_rig_fail("default", &error);
    const ib_MotorConfig cim = {
        12, 2.429, 131.227, 5310 * 3.14159265358979323846 / 30, 2.7, IB_TORQUE_BALANCED};
    if (kind == &ib_tank_kind) ((ib_TankConfig *)rig->config)->motor = cim;
    if (kind == &ib_swerve_kind) {
        ib_SwerveConfig *swerve = rig->config;
        swerve->motor = swerve->steer.motor = cim;
    }
    rig->follow = ib_follow_default();
    rig->counts = 1440;
    rig->gyro_noise = 0.005;
    rig->seed = 1;
    rig->after = 2;
}

static inline void follow_rig_element(FollowRig *rig, const char *text)
{
    ib_Error error;
    if (ib_path_read(text, &rig->path.elements[rig->path.count++], &error) != IB_OK)
        follow_rig_fail(text, &error);
}

static inline void follow_rig_waypoint(FollowRig *rig, double x, double y)
{
    ib_path_add(&rig->path, &(ib_Waypoint){.given = true, .x = x, .y = y});
}

// What a rim rolls for each unit that its signal shows [m], and the radius of an encoder's wheel.
static inline double follow_rig_radius(const FollowRig *rig, int rim)
{
    return rig->robot.ports.rims->signals[rim].radius;
}

static inline double follow_rig_wheel(const FollowRig *rig, int rim)
{
    return follow_rig_radius(rig, rim) == 1 ? 0.035 : follow_rig_radius(rig, rim);
}

static inline void follow_rig_sensors(FollowRig *rig)
{
    ib_Error error;
    const ib_ControlRims *rims = rig->robot.ports.rims;
    for (int i = 0; i <= rims->count; i++) {
        bool gyro = i == rims->count;
        const char *key, *unit = !gyro && follow_rig_radius(rig, i) == 1 ? "m/s" : "rad/s";
        ib_SensorConfig *s = &rig->sensor[i];
        *s = (ib_SensorConfig){.kind = ib_sensor_kind_find(gyro ? "gyro" : "encoder"),
                               .name = "s",
                               .signal = gyro ? "velocity.heading" : rims->signals[i].name,
                               .period = ib_time_from_seconds(rig->follow.period),
                               .scale = 1,
                               .noise = rig->gyro_noise,
                               .bias = rig->gyro_bias,
                               .low = -INFINITY,
                               .high = INFINITY};
        if (gyro) s->latency = ib_time_from_seconds(rig->late);
        ib_EncoderConfig *encoder = (void *)s->own;
        if (!gyro) encoder->counts = rig->counts;
        if (!gyro) encoder->radius = follow_rig_wheel(rig, i);
        if (ib_sensor_check(s, unit, &key, &error) != IB_OK) follow_rig_fail("sensor", &error);
        ib_sensor_reset(s, &(double){0}, rig->sensed[i]);
    }
}

static inline void follow_rig_prepare(FollowRig *rig)
{
    ib_Error error;
    const void *truth = rig->truth ? rig->truth : rig->config;
    ib_Robot known;
    if (ib_robot_init(rig->kind, truth, &rig->arena, &rig->robot, &error) != IB_OK ||
        ib_robot_init(rig->kind, rig->config, &rig->arena, &known, &error) != IB_OK)
        follow_rig_fail("robot", &error);
    const ib_RobotPorts *ports = &rig->robot.ports;
    if (ports->state_count > FOLLOW_X_MOST || ports->input_count > FOLLOW_INPUTS_MOST ||
        ports->signal_count > FOLLOW_SIGNALS_MOST)
        abort();
    rig->robot.kind->reset(truth, rig->robot.model, rig->x);
    for (int i = 0; i < ports->input_count; i++) rig->input[i] = ports->inputs[i].neutral;
    rig->input[IB_GRAVITY] = 9.80665;
    double start[FOLLOW_X_MOST] = {0};
    known.kind->reset(rig->config, known.model, start);
    if (known.kind->locomotion(known.model, start, 9.80665, &rig->base, &error) != IB_OK ||
        ib_locomotion_find_top(&rig->base, &error) != IB_OK)
        follow_rig_fail("locomotion", &error);
    const ib_ControlRims *rims = known.ports.rims;
    ib_OdometryConfig *odometry = &rig->follow.odometry;
    odometry->speeds = !rig->sensors;
    odometry->count = rims->count;
    odometry->angled = rims->angles != NULL;
    memcpy(odometry->rows, rims->rows,
           (size_t)rims->count * (odometry->angled ? 2 : 1) * sizeof *rims->rows);
    odometry->hold_count = rims->hold_count;
    memcpy(odometry->holds, rims->holds, sizeof rims->holds);
    if (rig->sensors)
        rig->follow.count = 6.283185307179586 * follow_rig_wheel(rig, 0) / rig->counts;
    if (ib_path_join(&rig->path, rig->start, &error) != IB_OK ||
        ib_follow_init(&rig->follow, &rig->path, rig->start, &rig->base, &rig->arena, &rig->model,
                       &error) != IB_OK)
        follow_rig_fail("follow", &error);
    ib_follow_reset(&rig->model, rig->state);
    if (rig->sensors) follow_rig_sensors(rig);
}

static inline void follow_rig_integrate(FollowRig *rig, double duration)
{
    int n = rig->robot.ports.state_count;
    double longest = fmin(1e-3, rig->robot.ports.resolution > 0 ? rig->robot.ports.resolution : 1);
    int steps = (int)ceil(duration / longest - 1e-9);
    double h = duration / steps, k[4][FOLLOW_X_MOST], x[FOLLOW_X_MOST];
    for (int s = 0; s < steps; s++) {
        static const double at[4] = {0, 0.5, 0.5, 1};
        for (int j = 0; j < 4; j++) {
            for (int i = 0; i < n; i++) x[i] = rig->x[i] + (j ? h * at[j] * k[j - 1][i] : 0);
            rig->robot.kind->rate(rig->robot.model, x, rig->input, k[j]);
        }
        for (int i = 0; i < n; i++)
            rig->x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

// Odometry is told what the control measures at step k.
static inline void follow_rig_measure(FollowRig *rig, int k)
{
    const ib_ControlRims *rims = rig->robot.ports.rims;
    double value[2 * FOLLOW_READINGS];
    for (int i = 0; i <= rims->count; i++) {
        bool gyro = i == rims->count;
        const char *name = gyro ? "velocity.heading" : rims->signals[i].name;
        double truth = rig->y[follow_rig_signal(rig, name)];
        value[i] = truth * (gyro ? 1 : follow_rig_radius(rig, i));
        if (!rig->sensors) continue;
        ib_sensor_update(&rig->sensor[i], rig->seed, (uint64_t)(16 * i + 1), k, &truth,
                         rig->sensed[i]);
        value[i] = rig->sensed[i][0];
        if (rig->blind && k % 7 == 2 * i) value[i] = NAN;
    }
    double yaw = value[rims->count];
    for (int i = 0; rims->angles && i < rims->count; i++)
        value[rims->count + i] = rig->y[follow_rig_signal(rig, rims->angles[i])];
    ib_odometry_step(&rig->model.odometry, value, yaw, NULL, rig->state);
}

static inline void follow_rig_judge(FollowRig *rig, double t, bool late, const double *last,
                                    const double *command)
{
    double x = rig->y[follow_rig_signal(rig, "pose.x")];
    double y = rig->y[follow_rig_signal(rig, "pose.y")];
    double d = ib_path_distance(&rig->path, rig->start, x, y);
    double ex = x - rig->state[IB_ODOMETRY_X], ey = y - rig->state[IB_ODOMETRY_Y];
    ib_PathPoint end = ib_path_point(&rig->path, rig->start, ib_path_length(&rig->path));
    if (d > rig->deviation) rig->deviation = d, rig->deviation_at = t;
    rig->lost = fmax(rig->lost, sqrt(ex * ex + ey * ey));
    rig->end_miss = sqrt((x - end.x) * (x - end.x) + (y - end.y) * (y - end.y));
    double u = rig->y[follow_rig_signal(rig, "velocity.forward")];
    rig->top_speed = fmax(rig->top_speed, u);
    if (late) {
        rig->late_way += fabs(u) * rig->follow.period;
        for (int i = 0; i < rig->base.count; i++) rig->late_change += fabs(command[i] - last[i]);
    }
    for (int i = 0; i < rig->base.count; i++) {
        double size = fabs(command[i]) / rig->base.range;
        if (!(size <= 1)) abort(); // limits are asserted at every tick
        rig->most_command = fmax(rig->most_command, size);
    }
    if (rig->state[IB_FOLLOW_DONE] != 0 && rig->done_at == 0) rig->done_at = t;
}

static inline void follow_rig_run(FollowRig *rig)
{
    follow_rig_prepare(rig);
    double dt = rig->follow.period, total = rig->model.trajectory.duration + rig->after;
    total += rig->follow.odometry.settle;
    int ticks = (int)ceil(total / dt);
    double command[IB_AXES] = {0}, last[IB_AXES];
    for (int k = 0; k <= ticks; k++) {
        double t = k * dt;
        memcpy(last, command, sizeof last);
        rig->robot.kind->output(rig->robot.model, rig->x, rig->input, rig->y);
        follow_rig_measure(rig, k);
        double supply = NAN;
        if (rig->tap) supply = rig->y[follow_rig_signal(rig, rig->base.supply)];
        ib_follow_step(&rig->model, supply, rig->state, command);
        follow_rig_judge(rig, t, t > total - 0.5 * rig->after, last, command);
        if (rig->look) rig->look(rig, t, rig->y);
        bool pushed = t >= rig->push_from && t < rig->push_to;
        rig->input[IB_PUSH_X] = pushed ? rig->push_x : 0;
        rig->input[IB_PUSH_Y] = pushed ? rig->push_y : 0;
        for (int i = 0; i < rig->base.count; i++)
            rig->input[follow_rig_input(rig, rig->base.commands[i])] = command[i];
        follow_rig_integrate(rig, dt);
    }
}

// What the base says of itself after its config has changed.
static inline void follow_rig_renew(FollowRig *rig)
{
    ib_Error error;
    ib_Robot changed;
    double start[FOLLOW_X_MOST] = {0};
    if (ib_robot_init(rig->kind, rig->config, &rig->arena, &changed, &error) != IB_OK ||
        changed.kind->locomotion(changed.model, start, 9.80665, &rig->base, &error) != IB_OK)
        follow_rig_fail("locomotion", &error);
}

static inline void follow_rig_free(FollowRig *rig)
{
    ib_arena_reset(&rig->arena);
    free(rig->config);
    free(rig->truth);
}

// A copy of the config, to be the truth.
static inline void *follow_rig_truth(FollowRig *rig)
{
    rig->truth = malloc(rig->kind->config_size);
    if (!rig->truth) abort();
    return memcpy(rig->truth, rig->config, rig->kind->config_size);
}

#endif
