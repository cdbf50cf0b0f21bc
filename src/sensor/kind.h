// sensor/kind.h: the table of a kind of sensor: its keys, its memory and its functions.
//
// Every kind is one file that ends in a table of this type, and two lines in sensor/sensor.c.
// Period, latency and the place of the memory in the state are the same for all kinds
// and belong to sensor/sensor.c.
#ifndef IB_SENSOR_KIND_H
#define IB_SENSOR_KIND_H

#include "base/schema.h"
#include "base/signal.h"

#include <stdint.h>

struct ib_SensorConfig;

// The arguments of one sample's noise, a pure function of these three, so that a run can be
// restored anywhere.
typedef struct ib_SensorTick {
    uint64_t seed;
    uint64_t stream; ///< of this sensor
    int64_t index;   ///< number of the sample, 0 at the start of the run
} ib_SensorTick;

// Noise streams of one sensor, added to its own stream number.
enum {
    IB_NOISE_SAMPLE,
    IB_NOISE_DRIFT,
    IB_NOISE_MISSED,
    IB_NOISE_SHIFTER,
    IB_NOISE_SPREAD,
    IB_NOISE_LOSS,
    IB_NOISE_COUNT, ///< axis i of several has its own, IB_NOISE_COUNT (1 + i) further on
};

enum { IB_SENSOR_CHANNELS = 9 }; ///< most signals that one sensor measures

typedef struct ib_SensorKind {
    const char *name;         ///< `kind:` in a file
    const char *sentence;     ///< description for people
    const char *shows;        ///< ends the sentence of its signal: "velocity.heading as measured"
    ib_SignalRole measures;   ///< default measured quantity; none: the file must name it
    const ib_SignalRole *all; ///< of a kind that measures several signals, and shows each: up to
                              ///< IB_ROLE_NONE; NULL: one
    bool binary;              ///< shows 0 or 1 only
    ib_Schema params; ///< its keys beside kind, signal, range, period and latency: fields of an
                      ///< ib_SensorConfig, or of its own part there. The unit "Y" means that of the
                      ///< signal; the default is then a number
    bool range;       ///< has the key `range`
    int states;       ///< doubles of memory

    // Checks conditions beyond ranges, for a signal of this unit; derives fields that depend on the
    // unit. NULL: none. A refusal names the key at fault, or "".
    ib_Status (*check)(struct ib_SensorConfig *config, const char *unit, const char **key,
                       ib_Error *error);

    // Fills the memory, all zero before, at the start of a run with the signal `truth`; returns the
    // shown value. NULL: sample number 0, taken with `noise` and `spread` 0.
    double (*reset)(const struct ib_SensorConfig *config, double truth, double *memory);

    // Takes one sample; returns the value to show after the latency.
    double (*update)(const struct ib_SensorConfig *config, const ib_SensorTick *tick, double truth,
                     double *memory);

    // Both of a kind of several signals.
    void (*start)(const struct ib_SensorConfig *config, const double *truth, double *memory,
                  double *shown);
    void (*sample)(const struct ib_SensorConfig *config, const ib_SensorTick *tick,
                   const double *truth, double *memory, double *shown);
} ib_SensorKind;

// Rows of a kind's table: functions with the names of their entries.
#define IB_SENSOR_FUNCTIONS .check = check, .reset = reset, .update = update

// One row of `params`: a field of the kind's own config, which lies in ib_SensorConfig.own.
#define IB_SENSOR_OWN(key, type, unit, fallback, min, max, detail, config, field, sentence)        \
    {                                                                                              \
        key, type, unit, fallback, min, max, detail,                                               \
            offsetof(ib_SensorConfig, own) + offsetof(config, field), false, sentence              \
    }

// The same: a field of ib_SensorConfig itself.
#define IB_SENSOR_PARAM(key, type, unit, fallback, min, max, detail, field, sentence)              \
    {                                                                                              \
        key, type, unit, fallback, min, max, detail, offsetof(ib_SensorConfig, field), false,      \
            sentence                                                                               \
    }

// Keys of errors common to all kinds: scale, noise and bias; the same with the smallest step.
#define IB_SENSOR_ERROR_ROWS                                                                       \
    IB_SENSOR_PARAM("scale", IB_PARAM_NUMBER, "1", "1", -1e6, 1e6, NULL, scale,                    \
                    "factor on the true value: 1.01 reads 1 % too much"),                          \
        IB_SENSOR_PARAM("noise", IB_PARAM_NUMBER, "Y", "0", 0, 1e300, NULL, noise,                 \
                        "standard deviation of the noise in one sample"),                          \
        IB_SENSOR_PARAM("bias", IB_PARAM_NUMBER, "Y", "0", -1e300, 1e300, NULL, bias,              \
                        "error added to every sample")
#define IB_SENSOR_FAULT_ROWS                                                                       \
    IB_SENSOR_ERROR_ROWS, IB_SENSOR_PARAM("quantum", IB_PARAM_NUMBER, "Y", "0", 0, 1e300, NULL,    \
                                          quantum, "smallest step of the value; 0: none")

#endif
