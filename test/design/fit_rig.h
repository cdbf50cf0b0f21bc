// test/design/fit_rig.h: motions of a motor whose constants are known, as a recorder would see
// them. The motion is computed here, in fine steps, by a formula of its own.
#ifndef IB_TEST_FIT_RIG_H
#define IB_TEST_FIT_RIG_H

#include "cmocka_all.h"
#include "design/fit/fit_motor.h"
#include "spread.h"

#include <string.h>

enum { RIG_MOST = 6000 };

// What is being recorded: the motor, and how well the recorder does.
typedef struct Bench {
    double kS, kV, kA, kG, delay; ///< the truth
    double period, duration;
    double uneven;  ///< samples come early or late by up to this share of the period, below 0.5
    double noise;   ///< of the velocity, or of the position
    double memory;  ///< share of a sample's noise that is left in the next, 0: white
    double quantum; ///< of the position, 0: none
    double step;    ///< of the velocity, rounded to the nearest, 0: none
    double counts; ///< the velocity is the way in whole parts of this over the period, 0: it is not
    double (*volts)(double time);
    double gain; ///< the voltage is this times (goal - measured speed), within 12 V, 0: it is not
    double (*goal)(double time);
    int parts; ///< fine steps of a period, 0: 200
    unsigned seed;
    bool numbered; ///< the noise is that of `seed`, whatever SEED asks for
} Bench;

typedef struct Record {
    int count;
    double time[RIG_MOST], volt[RIG_MOST], velocity[RIG_MOST], position[RIG_MOST];
} Record;

// ---------------------------------------------------------------------------------------- voltages

// Ramps of 1 V/s, forward and back, with a rest in between.
static inline double rig_slow(double t)
{
    if (t < 8.0) return t;
    if (t < 10.0) return 0.0;
    return t < 18.0 ? -(t - 10.0) : 0.0;
}

// Steps of 7 V, forward and back, each for 1.5 s.
static inline double rig_fast(double t)
{
    if (t < 0.5 || (t >= 2.0 && t < 3.5)) return 0.0;
    return t < 2.0 ? 7.0 : t < 5.0 ? -7.0 : 0.0;
}

static inline double rig_both(double t)
{
    return t < 20.0 ? rig_slow(t) : rig_fast(t - 20.0);
}

// ------------------------------------------------------------------------------------------ motion

// One fine step h with constant voltage, exact while the direction stays, decay = e^(-h kV/kA):
//   v+ = v decay + (V - kS s - kG)/kV (1 - decay)
// At rest the friction takes up to kS.
static inline double rig_next_speed(const Bench *b, double v, double volts, double decay)
{
    double push = volts - b->kG;
    double s = v > 0 ? 1.0 : v < 0 ? -1.0 : push > b->kS ? 1.0 : push < -b->kS ? -1.0 : 0.0;
    if (s == 0.0) return 0.0;
    double next = v * decay + (push - b->kS * s) / b->kV * (1.0 - decay);
    return next * s < 0.0 ? 0.0 : next;
}

static inline double rig_round(double value, double step)
{
    return step > 0.0 ? round(value / step) * step : value;
}

// The time of a sample: a multiple of the period, moved where the sampling is uneven.
static inline double rig_time(const Bench *b, int i)
{
    return (i + b->uneven * (2.0 * chance_uniform(b->seed, 2, (uint64_t)i) - 1.0)) * b->period;
}

static inline void rig_run(const Bench *b, Record *record)
{
    double v = 0.0, x = 0.0, noise = 0.0, counted = 0.0, parts = b->parts ? b->parts : 200;
    record->count = (int)(b->duration / b->period) + 1;
    assert_true(record->count <= RIG_MOST);
    for (int i = 0; i < record->count; i++) {
        double t = rig_time(b, i), h = (rig_time(b, i + 1) - t) / parts;
        double decay = exp(-h * b->kV / b->kA);
        double drawn = b->numbered ? ib_random_normal(b->seed, 1, (uint64_t)i)
                                   : chance_normal(b->seed, 1, (uint64_t)i);
        double fresh = b->noise * drawn;
        noise = b->memory * noise + sqrt(1.0 - b->memory * b->memory) * fresh;
        record->time[i] = t;
        record->volt[i] = b->gain > 0.0 ? 0.0 : b->volts(t);
        record->velocity[i] = rig_round(v + noise, b->step);
        record->position[i] =
            b->quantum > 0 ? floor((x + noise) / b->quantum) * b->quantum : x + noise;
        if (b->counts > 0.0) {
            double count = floor(x / b->counts);
            record->velocity[i] = (count - counted) * b->counts / b->period;
            counted = count;
        }
        if (b->gain > 0.0)
            record->volt[i] = fmax(fmin(b->gain * (b->goal(t) - record->velocity[i]), 12.0), -12.0);
        for (int j = 0; j < parts; j++) {
            double volts = b->gain > 0.0 ? record->volt[i] : b->volts(t + (j + 0.5) * h - b->delay);
            double next = rig_next_speed(b, v, volts, decay);
            x += 0.5 * h * (v + next);
            v = next;
        }
    }
}

static inline ib_FitLog rig_velocity_log(const Record *record)
{
    return (ib_FitLog){record->count, record->time,     record->volt, record->count,
                       record->time,  record->velocity, NULL,         NULL};
}

static inline ib_FitLog rig_position_log(const Record *record)
{
    return (ib_FitLog){record->count, record->time, record->volt,     record->count,
                       record->time,  NULL,         record->position, NULL};
}

// -------------------------------------------------------------------------------------------- fits

static inline ib_Status rig_fit(const ib_FitMotorConfig *config, const ib_FitLog *log,
                                ib_FitMotor *fit, ib_Error *error)
{
    ib_Arena arena = {0};
    ib_Status status = ib_fit_motor(config, log, 1, &arena, fit, error);
    fit->left = NULL; // it was in the arena
    ib_arena_reset(&arena);
    return status;
}

// The voltage of the bench steps at its samples.
static inline ib_FitMotor rig_fitted(const ib_FitLog *log)
{
    ib_FitMotor fit;
    ib_Error error;
    ib_FitMotorConfig config = ib_fit_motor_default();
    config.stamped = true;
    assert_int_equal(rig_fit(&config, log, &fit, &error), IB_OK);
    return fit;
}

// What is found from the velocities of one recorded motion.
static inline ib_FitMotor rig_fitted_run(const Bench *b, Record *record)
{
    rig_run(b, record);
    ib_FitLog log = rig_velocity_log(record);
    return rig_fitted(&log);
}

// A drive in metres: tau = kA/kV = 0.2 s.
static inline Bench rig_drive(void)
{
    return (Bench){
        .kS = 0.6, .kV = 2.5, .kA = 0.5, .period = 0.01, .duration = 26, .volts = rig_both};
}

// One draw of noise: three standard deviations, 1.5 times the 95 % interval; of a draw that SEED
// asks for 4.9 of them, 2.5 times, which chance exceeds once in a million draws.
static inline void rig_assert_inside(ib_FitValue value, double truth)
{
    assert_true(value.determined);
    assert_close(value.value, truth, (chance_seed() ? 2.5 : 1.5) * value.half);
}

#endif
