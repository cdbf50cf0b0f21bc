// A plug-in of version 2 that describes itself wrongly, in the way that the environment's
// IB_TEST_VARIANT names; what both versions share is spoilt in misdescribed.c.
#include "ironbird/plugin.h"

#include <stdlib.h>
#include <string.h>

static int init(const ironbird_world *world, double *state)
{
    (void)world, (void)state;
    return 0;
}

// Writes where its commands end; below, names and words that point to nowhere.
static int init_beyond(const ironbird_world *world, double *state)
{
    (void)state;
    ((double *)(uintptr_t)world->command)[1] = 1;
    return 0;
}

static int init_wild(const ironbird_world *world, double *state)
{
    (void)state;
    return world->number(world, (const char *)(uintptr_t)64) > 0;
}

static int init_wild_text(const ironbird_world *world, double *state)
{
    (void)state;
    return world->fail(world, (const char *)(uintptr_t)64);
}

// Refuses without a word.
static int init_mute(const ironbird_world *world, double *state)
{
    (void)state;
    return world->fail(world, NULL);
}

static int step(const ironbird_tick *tick, double *state, const double *measurement,
                const double *command, double *output)
{
    (void)tick, (void)state, (void)measurement, (void)command;
    output[0] = 0;
    return 0;
}

static const ironbird_command commands[] = {{"goal", "1", "any", 0, -1, 1}};
static const char *const outputs[] = {"left"};

const ironbird_plugin_v2 *ironbird_plugin_2(void)
{
    static ironbird_plugin_v2 plugin;
    const char *variant = getenv("IB_TEST_VARIANT");
    plugin = (ironbird_plugin_v2){.abi = IRONBIRD_PLUGIN_ABI_2,
                                  .size = sizeof plugin,
                                  .name = "misdescribed_2",
                                  .period = 0.01,
                                  .command_count = 1,
                                  .output_count = 1,
                                  .commands = commands,
                                  .outputs = outputs,
                                  .init = init,
                                  .step = step};
    if (!variant) return &plugin;
    if (!strcmp(variant, "null")) return NULL;
    if (!strcmp(variant, "abi")) plugin.abi = IRONBIRD_PLUGIN_ABI;
    if (!strcmp(variant, "size")) plugin.size = sizeof(ironbird_plugin_v1) - 8;
    if (!strcmp(variant, "null init")) plugin.init = NULL;
    if (!strcmp(variant, "null step")) plugin.step = NULL;
    if (!strcmp(variant, "init beyond")) plugin.init = init_beyond;
    if (!strcmp(variant, "init wild")) plugin.init = init_wild;
    if (!strcmp(variant, "init wild text")) plugin.init = init_wild_text;
    if (!strcmp(variant, "init mute")) plugin.init = init_mute;
    return &plugin;
}
