// heading_hold: a plug-in that drives a tank robot straight on, or to a heading, by its gyro alone.
//
//   cc -O2 -shared -fPIC -Iinclude examples/plugin/heading_hold.c -o
//   examples/plugin/heading_hold.so build/ironbird run --allow-plugins examples/plugin/plugin.yaml
//
// Symbols: psi heading, from the gyro's sum [rad]; w gyro [rad/s]; T period [s]
//   psi' = psi + T w
//   turn = P (goal - psi') - D w          proportional in the angle, damped by the rate
//   left = speed - turn,  right = speed + turn,   |turn| <= U - |speed|: no side beyond its range
// Limit: at rest with goal = psi both sides have the same voltage.
#include "ironbird/plugin.h"

static const double T = 0.005;
static const double P = 20; // [V/rad]
static const double D = 2;  // [V s/rad]
static const double U = 12; // [V]

enum { SPEED, GOAL, COMMANDS };
enum { HEADING, ERROR, STATES }; // everything that it remembers

static const ironbird_command commands[COMMANDS] = {
    {"speed", "V", "both sides, when it goes straight", 0, -12, 12},
    {"heading", "rad", "wanted; 0 is where it started", 0, -100, 100},
};

static const char *const measurements[] = {"sensor.gyro"};
static const char *const outputs[] = {"left", "right"};

static const ironbird_signal signals[] = {
    {"heading", "rad", "as the gyro's sum has it", HEADING},
    {"error", "rad", "wanted less sum", ERROR},
};

static double limit(double value, double most)
{
    return value > most ? most : value < -most ? -most : value;
}

static int init(double *state)
{
    (void)state; // all zero already
    return 0;
}

static int step(double *state, const double *measurement, const double *command, double *output)
{
    double w = measurement[0], speed = command[SPEED];
    state[HEADING] += T * w;
    state[ERROR] = command[GOAL] - state[HEADING];
    double turn = limit(P * state[ERROR] - D * w, U - (speed < 0 ? -speed : speed));
    output[0] = speed - turn;
    output[1] = speed + turn;
    return 0;
}

const ironbird_plugin_v1 *ironbird_plugin(void)
{
    static const ironbird_plugin_v1 plugin = {
        .abi = IRONBIRD_PLUGIN_ABI,
        .size = sizeof plugin,
        .name = "heading_hold",
        .period = 0.005,
        .state_count = STATES,
        .command_count = COMMANDS,
        .measurement_count = 1,
        .output_count = 2,
        .signal_count = 2,
        .commands = commands,
        .measurements = measurements,
        .outputs = outputs,
        .signals = signals,
        .init = init,
        .step = step,
    };
    return &plugin;
}
