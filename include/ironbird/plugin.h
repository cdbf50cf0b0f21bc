// ironbird/plugin.h: the interface of controllers that are compiled
// elsewhere. docs/control/plugin.md A controller may be robot code, an exported loop or an
// experiment. This is plain C99 without other headers of Ironbird.
//
//   control: {plugin: ./drive.so}        ironbird run --allow-plugins scenario.yaml
//
// A plug-in is a shared object with one function, ironbird_plugin_2, that returns one constant
// struct. The struct names its inputs and outputs; the simulation calls `step` once a period. All
// of its state is in `state`, which belongs to the caller: a run can then be hashed, recorded,
// restored and repeated. A plug-in with state elsewhere breaks this undetected.
//
// Version 1, the function ironbird_plugin, knows neither robot nor time. It goes on working.
#ifndef IRONBIRD_PLUGIN_H
#define IRONBIRD_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IRONBIRD_PLUGIN_ABI   1u // of ironbird_plugin_v1
#define IRONBIRD_PLUGIN_ABI_2 2u // of ironbird_plugin_v2

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

// What `init` is told. It is valid until `init` returns.
typedef struct ironbird_world ironbird_world;
struct ironbird_world {
    int64_t period_ns;     // between two steps [ns]
    double period;         // the same [s]
    const double *command; // of each of its commands: the scenario's value at t = 0; neutral when
                           // the file is read
    // A number of the robot by its name, SI: every parameter as under `robot:` in a scenario
    // ("thorax.mass"), and more (docs/control/plugin.md). A name that is not there is NaN, and the
    // plug-in is refused with the nearest one, whatever init returns.
    double (*number)(const ironbird_world *world, const char *name);
    int (*has)(const ironbird_world *world, const char *name); // 1: there is such a number
    // Refuses to work, in words of its own, at most 255 bytes: return world->fail(world, "…");
    int (*fail)(const ironbird_world *world, const char *text);
};

// The instant of a step.
typedef struct ironbird_tick {
    int64_t time_ns, period_ns; // since the start of the run, and between two steps [ns]
    double time, period;        // the same [s]
} ironbird_tick;

typedef struct ironbird_plugin_v2 {
    uint32_t abi;     // IRONBIRD_PLUGIN_ABI_2
    uint32_t size;    // sizeof(ironbird_plugin_v2)
    const char *name; // for messages
    double period;    // [s]; 0: `period:` of the scenario
    // At most 4096, 256, 256, 64 (at least 1) and 256. Names are lower-case words, digits,
    // underscores and dots, 63 bytes at most; units are of SI.
    int32_t state_count, command_count, measurement_count, output_count, signal_count;
    const ironbird_command *commands;
    // Sensors, "sensor.gyro"; commands of the robot, "gear"; or its signals, "pose.pitch", sampled
    // ideally: the truth, which no robot knows.
    const char *const *measurements;
    const char *const *outputs; // commands of the robot: "left"
    const ironbird_signal *signals;

    // The state at t = 0; it is all zero before. 0: success.
    int (*init)(const ironbird_world *world, double *state);
    // One period: measurements and commands in, all outputs out, SI. 0: success; any other value is
    // reported, and the outputs are neutral for this period. The outputs are also neutral if an
    // output or a state is not finite, if the call writes outside its arrays, or if it takes
    // too long.
    int (*step)(const ironbird_tick *tick, double *state, const double *measurement,
                const double *command, double *output);
} ironbird_plugin_v2;

// The symbol that the loader looks up first.
const ironbird_plugin_v2 *ironbird_plugin_2(void);

// --------------------------------------------------------------------------------------- version 1

typedef struct ironbird_plugin_v1 {
    uint32_t abi;     // IRONBIRD_PLUGIN_ABI
    uint32_t size;    // sizeof(ironbird_plugin_v1)
    const char *name; // the rest as above
    double period;
    int32_t state_count, command_count, measurement_count, output_count, signal_count;
    const ironbird_command *commands;
    const char *const *measurements, *const *outputs;
    const ironbird_signal *signals;
    int (*init)(double *state);
    int (*step)(double *state, const double *measurement, const double *command, double *output);
} ironbird_plugin_v1;

// The symbol that it looks up where the other one is missing.
const ironbird_plugin_v1 *ironbird_plugin(void);

#ifdef __cplusplus
}
#endif

#endif
