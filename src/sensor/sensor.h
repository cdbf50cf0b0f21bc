// sensor/sensor.h: a sampled measurement of one signal, with the errors of real sensors.
// Equations: docs/sensor/sensor.md
//
// The plain kind is
//   z = saturate(quantise(scale * y(t - latency) + bias + noise + spread))
// read every `period`, held in between, also when a message is lost; the others (`ironbird list
// sensors`) have a file each. The noise is a function of (seed, stream, sample number), so that a
// run can be restored anywhere. The state of a sensor is
//   [ value seen | samples still on their way, oldest first | memory of its kind ]
// One that measures several signals is a row of as many configs, `channel` 0 first. That one has
// the state, with the values of all channels side by side in the place of each value.
#ifndef IB_SENSOR_SENSOR_H
#define IB_SENSOR_SENSOR_H

#include "base/clock.h"
#include "sensor/kind.h"

#include <stdint.h>

enum { IB_SENSOR_DELAY_MAX = 64 }; ///< longest delay line: latency <= 64 periods

// All kinds, NULL-terminated, and the one with this name (or NULL).
extern const ib_SensorKind *const ib_sensor_kinds[];
const ib_SensorKind *ib_sensor_kind_find(const char *name);

enum { IB_SENSOR_MEMORY = 64 }; ///< doubles that hold any kind's own config

typedef struct ib_SensorConfig {
    const ib_SensorKind *kind; ///< NULL: the plain one
    const char *name;          ///< its signal is sensor.<name>
    const char *signal;        ///< measured signal, relative to its robot
    int channel;               ///< of a kind of several signals, else 0
    const char *unit;          ///< of the shown value; NULL: that of the signal
    ib_Time period;            ///< between samples, > 0
    ib_Time latency;           ///< from the measurement to the shown value, whole periods, >= 0
    double loss;               ///< probability of a lost sample, which keeps the last value, 0 .. 1

    // Fields of every kind except the encoder.
    double scale;     ///< factor on the truth [1]
    double bias;      ///< added to the truth [unit of the signal]
    double noise;     ///< standard deviation of one sample [unit of the signal], >= 0
    double spread;    ///< bound of a uniform error, +- [unit of the signal], >= 0; plain kind
    double quantum;   ///< smallest step [unit of the signal], 0: none; derived by kinds without
                      ///< such a key
    double low, high; ///< saturation [unit of the signal]

    double own[IB_SENSOR_MEMORY]; ///< config of its kind: an ib_EncoderConfig, …
} ib_SensorConfig;

// The kind of a config; without one the plain kind.
const ib_SensorKind *ib_sensor_kind(const ib_SensorConfig *config);

// The number of signals that a kind measures and shows, 1 …, at most IB_SENSOR_CHANNELS.
int ib_sensor_channels(const ib_SensorKind *kind);

// True if a row of its keys is in the unit of the signal.
bool ib_sensor_has_signals_unit(const ib_Param *row);

// Writes the defaults of the kind's keys.
ib_Status ib_sensor_default(const ib_SensorKind *kind, ib_SensorConfig *config, ib_Error *error);

// Checks conditions between values and derives fields that depend on the unit of the signal. A
// refusal names the key at fault, or "" for a missing one.
ib_Status ib_sensor_check(ib_SensorConfig *config, const char *unit, const char **key,
                          ib_Error *error);

// The number of doubles in a sensor's state; 0: that of channel 0 is for all.
int ib_sensor_states(const ib_SensorConfig *config);

// Fills a sensor's state before its first sample: it has always seen `truth`, of each channel; an
// encoder begins at 0.
void ib_sensor_reset(const ib_SensorConfig *config, const double *truth, double *state);

// Takes sample number `index` of the truth; the state then begins with the values shown, one
// for each channel.
void ib_sensor_update(const ib_SensorConfig *config, uint64_t seed, uint64_t stream, int64_t index,
                      const double *truth, double *state);

#endif
