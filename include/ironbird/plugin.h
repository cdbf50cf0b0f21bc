// ironbird/plugin.h: the interface of controllers that are compiled
// elsewhere. docs/control/plugin.md A controller may be robot code, an exported loop or an
// experiment. This is plain C99 without other headers of Ironbird.
//
//   control: {plugin: ./drive.so}        ironbird run --allow-plugins scenario.yaml
//
// A plug-in is a shared object with one function, ironbird_plugin, that returns one constant
// struct. The struct names its inputs and outputs; the simulation calls `step` once a period. All
// of its state is in `state`, which belongs to the caller: a run can then be hashed, recorded,
// restored and repeated. A plug-in with state elsewhere breaks this undetected.
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
    const char *sentence;      // description for people
    double neutral, low, high; // low <= neutral <= high
} ironbird_command;

// A number that the plug-in shows: signal control.<name>, taken from its state.
typedef struct ironbird_signal {
    const char *name, *unit, *sentence;
    int32_t state; // index in the state
} ironbird_signal;

typedef struct ironbird_plugin_v1 {
    uint32_t abi;     // IRONBIRD_PLUGIN_ABI
    uint32_t size;    // sizeof(ironbird_plugin_v1)
    const char *name; // for messages
    double period;    // [s]; 0: `period:` of the scenario
    // At most 4096, 256, 256, 64 (at least 1) and 256. Names are lower-case words, digits,
    // underscores and dots, 63 bytes at most; units are of SI.
    int32_t state_count, command_count, measurement_count, output_count, signal_count;
    const ironbird_command *commands;
    const char *const *measurements; // "sensor.gyro", or a command of the robot: "gear"
    const char *const *outputs;      // commands of the robot: "left"
    const ironbird_signal *signals;

    // The state at t = 0; it is all zero before. 0: success.
    int (*init)(double *state);
    // One period: measurements and commands in, all outputs out, SI. 0: success; any other value is
    // reported, and the outputs are neutral for this period. The outputs are also neutral if an
    // output or a state is not finite, if the call writes outside its arrays, or if it takes
    // too long.
    int (*step)(double *state, const double *measurement, const double *command, double *output);
} ironbird_plugin_v1;

// The only symbol that the loader looks up.
const ironbird_plugin_v1 *ironbird_plugin(void);

#ifdef __cplusplus
}
#endif

#endif
