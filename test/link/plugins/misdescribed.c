// A plug-in that describes itself wrongly, in the way that the environment's IB_TEST_VARIANT names.
#include "ironbird/plugin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int *volatile nowhere;

static int init(double *state)
{
    state[0] = 1;
    return 0;
}

static int step(double *state, const double *measurement, const double *command, double *output)
{
    (void)state, (void)measurement, (void)command;
    output[0] = output[1] = 0;
    return 0;
}

static int init_error(double *state)
{
    (void)state;
    return 3;
}

static int init_nan(double *state)
{
    state[1] = NAN;
    return 0;
}

static int init_beyond(double *state)
{
    state[2] = 1;
    return 0;
}

static int init_crash(double *state)
{
    *nowhere = (int)state[0];
    return 0;
}

static int init_hang(double *state)
{
    volatile int forever = 1;
    while (forever) state[0] += 1;
    return 0;
}

static ironbird_command commands[2];
static ironbird_signal signals[2];
static const char *measurements[2], *outputs[2];
static ironbird_plugin_v1 plugin;

static void describe(void)
{
    commands[0] = (ironbird_command){"goal.speed", "m/s", "wanted", 0, -1, 1};
    commands[1] = (ironbird_command){"goal.turn", "rad/s", NULL, 0, -1, 1};
    signals[0] = (ironbird_signal){"a", "m", "one", 0};
    signals[1] = (ironbird_signal){"b", "m", "two", 1};
    measurements[0] = "sensor.gyro";
    measurements[1] = "sensor.left";
    outputs[0] = "left";
    outputs[1] = "right";
    plugin = (ironbird_plugin_v1){
        IRONBIRD_PLUGIN_ABI, sizeof plugin, "misdescribed", 0.01, 2,   2, 2, 2, 2, commands,
        measurements,        outputs,       signals,        init, step};
}

static const char *long_name(void)
{
    static char text[5000];
    memset(text, 'x', sizeof text - 1);
    return text;
}

static void spoil_head(const char *variant)
{
    if (!strcmp(variant, "abi")) plugin.abi = 2;
    if (!strcmp(variant, "size")) plugin.size -= 8;
    if (!strcmp(variant, "null init")) plugin.init = NULL;
    if (!strcmp(variant, "null step")) plugin.step = NULL;
    if (!strcmp(variant, "null name")) plugin.name = NULL;
    if (!strcmp(variant, "long name")) plugin.name = long_name();
    if (!strcmp(variant, "wild name")) plugin.name = (const char *)(uintptr_t)64;
    if (!strcmp(variant, "negative count")) plugin.command_count = -1;
    if (!strcmp(variant, "many states")) plugin.state_count = 2000000000;
    if (!strcmp(variant, "many outputs")) plugin.output_count = 65;
    if (!strcmp(variant, "no outputs")) plugin.output_count = 0;
    if (!strcmp(variant, "null outputs")) plugin.outputs = NULL;
    if (!strcmp(variant, "period nan")) plugin.period = NAN;
    if (!strcmp(variant, "period negative")) plugin.period = -0.01;
    if (!strcmp(variant, "period none")) plugin.period = 0;
    if (!strcmp(variant, "period long")) plugin.period = 100;
    if (!strcmp(variant, "period part")) plugin.period = 1.0 / 300;
    if (!strcmp(variant, "init error")) plugin.init = init_error;
    if (!strcmp(variant, "init nan")) plugin.init = init_nan;
    if (!strcmp(variant, "init beyond")) plugin.init = init_beyond;
    if (!strcmp(variant, "init crash")) plugin.init = init_crash;
    if (!strcmp(variant, "init hang")) plugin.init = init_hang;
}

static void spoil_lists(const char *variant)
{
    if (!strcmp(variant, "null output")) outputs[1] = NULL;
    if (!strcmp(variant, "upper case")) outputs[1] = "Right";
    if (!strcmp(variant, "empty output")) outputs[1] = "";
    if (!strcmp(variant, "outputs twice")) outputs[1] = "left";
    if (!strcmp(variant, "measurements twice")) measurements[1] = measurements[0];
    if (!strcmp(variant, "commands twice")) commands[1].name = commands[0].name;
    if (!strcmp(variant, "command in command")) commands[1].name = "goal";
    if (!strcmp(variant, "command hold")) commands[0].name = "hold";
    if (!strcmp(variant, "dots")) commands[0].name = "goal..speed";
    if (!strcmp(variant, "unit null")) commands[0].unit = NULL;
    if (!strcmp(variant, "unit rpm")) commands[0].unit = "rpm";
    if (!strcmp(variant, "unit unknown")) commands[0].unit = "bananas";
    if (!strcmp(variant, "long sentence")) commands[0].sentence = long_name();
    if (!strcmp(variant, "range")) commands[0].low = 2;
    if (!strcmp(variant, "range nan")) commands[0].high = NAN;
    if (!strcmp(variant, "range infinite")) commands[0].high = INFINITY;
    if (!strcmp(variant, "signals twice")) signals[1].name = "a";
    if (!strcmp(variant, "signal state")) signals[1].state = 2;
    if (!strcmp(variant, "signal wild")) signals[1].name = (const char *)(uintptr_t)64;
}

const ironbird_plugin_v1 *ironbird_plugin(void)
{
    const char *variant = getenv("IB_TEST_VARIANT");
    describe();
    if (!variant) return &plugin;
    if (!strcmp(variant, "null")) return NULL;
    if (!strcmp(variant, "wild")) return (const ironbird_plugin_v1 *)(uintptr_t)64;
    if (!strcmp(variant, "crash")) *nowhere = 1;
    if (!strcmp(variant, "hang"))
        for (volatile int i = 0;; i = !i)
            ;
    spoil_head(variant);
    spoil_lists(variant);
    return &plugin;
}
