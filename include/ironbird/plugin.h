// ironbird/plugin.h: the door for controllers that are compiled elsewhere. docs/plugin.md
// They may be robot code, an exported loop or an experiment. This is plain C99, and it needs no
// other header of Ironbird.
//
//   control: {plugin: ./drive.so}        ironbird run --allow-plugins scenario.yaml
//
// A plug-in is a shared object with one function, ironbird_plugin, that returns one constant
// struct. It says by name what it takes and gives; the simulation calls `step` once a period.
// Everything it remembers is in `state`, which belongs to the caller: a run can then be hashed,
// recorded, restored and made again. A plug-in that keeps something elsewhere breaks that, and
// nobody can tell.
#ifndef IRONBIRD_PLUGIN_H
#define IRONBIRD_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IRONBIRD_PLUGIN_ABI 1u

// A number that a driver or a script sets: a key under `inputs:`.
typedef struct ironbird_command {
    const char *name;          // "throttle"; dots make maps: "goal.speed"
    const char *unit;          // "m/s"; "1" for a plain number
    const char *sentence;      // what it is, for a person
    double neutral, low, high; // low <= neutral <= high
} ironbird_command;

// A number that the plug-in shows: signal control.<name>, taken from its state.
typedef struct ironbird_signal {
    const char *name, *unit, *sentence;
    int32_t state; // which of the state's numbers
} ironbird_signal;

typedef struct ironbird_plugin_v1 {
    uint32_t abi;     // IRONBIRD_PLUGIN_ABI
    uint32_t size;    // sizeof(ironbird_plugin_v1)
    const char *name; // for messages
    double period;    // [s]; 0: the scenario says `period:`
    // At most 4096, 256, 256, 64 (at least 1) and 256. Names are lower-case words, digits,
    // underscores and dots, 63 bytes at most; units are of SI.
    int32_t state_count, command_count, measurement_count, output_count, signal_count;
    const ironbird_command *commands;
    const char *const *measurements; // "sensor.gyro", or a command of the robot: "gear"
    const char *const *outputs;      // commands of the robot: "left"
    const ironbird_signal *signals;

    // The state at t = 0; it is all zero before. 0: fine.
    int (*init)(double *state);
    // One period: measurements and commands in, all outputs out, SI. 0: fine; anything else is
    // named, and the outputs are neutral for this period. So it is when an output or a state is not
    // finite, when something is written outside of the arrays, or when it takes too long.
    int (*step)(double *state, const double *measurement, const double *command, double *output);
} ironbird_plugin_v1;

// The one symbol that is looked up.
const ironbird_plugin_v1 *ironbird_plugin(void);

#ifdef __cplusplus
}
#endif

#endif
