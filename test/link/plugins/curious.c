// A plug-in of version 2 that asks for the numbers that the environment's IB_TEST_ASKS names, with
// spaces between them, and shows what it was told. Its init refuses the goal 13.
#include "ironbird/plugin.h"

#include <stdlib.h>
#include <string.h>

enum { TIME, TIME_NS, PERIOD, GOAL, KNOWN, FIRST, ASKED = 8, STATES = FIRST + ASKED };

static const ironbird_command commands[] = {{"goal", "1", "any", 1, -100, 100}};
static const char *const measurements[] = {"pose.heading"};
static const char *const outputs[] = {"left", "right"};
static const ironbird_signal signals[] = {
    {"time", "s", "of the last step", TIME},
    {"nanoseconds", "1", "the same", TIME_NS},
    {"period", "s", "as the last step has it, less that of init", PERIOD},
    {"goal", "1", "as init saw it", GOAL},
    {"known", "1", "how many of the names were there", KNOWN},
    {"a", "1", "the first number", FIRST},
    {"b", "1", "the second", FIRST + 1},
    {"c", "1", "the third", FIRST + 2},
    {"d", "1", "the fourth", FIRST + 3},
};

static int init(const ironbird_world *world, double *state)
{
    const char *asked = getenv("IB_TEST_ASKS");
    char names[512];
    strncpy(names, asked ? asked : "", sizeof names - 1);
    names[sizeof names - 1] = 0;
    state[GOAL] = world->command[0];
    state[PERIOD] = -world->period;
    if (state[GOAL] == 13) return world->fail(world, "13 brings\nbad luck");
    int count = 0;
    for (char *name = strtok(names, " "); name && count < ASKED; name = strtok(NULL, " ")) {
        state[KNOWN] += world->has(world, name);
        state[FIRST + count++] = world->number(world, name);
    }
    if (asked && !strcmp(asked, "null")) world->number(world, NULL);
    return 0;
}

static int step(const ironbird_tick *tick, double *state, const double *measurement,
                const double *command, double *output)
{
    (void)measurement, (void)command;
    state[TIME] = tick->time;
    state[TIME_NS] = (double)tick->time_ns;
    if (state[PERIOD] < 0) state[PERIOD] += tick->period;
    if ((double)tick->period_ns != tick->period * 1e9) return 1;
    output[0] = output[1] = 0;
    return 0;
}

const ironbird_plugin_v2 *ironbird_plugin_2(void)
{
    static const ironbird_plugin_v2 plugin = {
        .abi = IRONBIRD_PLUGIN_ABI_2,
        .size = sizeof plugin,
        .name = "curious",
        .state_count = STATES,
        .command_count = 1,
        .measurement_count = 1,
        .output_count = 2,
        .signal_count = sizeof signals / sizeof signals[0],
        .commands = commands,
        .measurements = measurements,
        .outputs = outputs,
        .signals = signals,
        .init = init,
        .step = step,
    };
    return &plugin;
}
