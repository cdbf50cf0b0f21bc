// link/plugin_world.c: what the init of a plug-in is told of its robot, and what it says.
#include "base/quote.h"
#include "base/word.h"
#include "link/plugin_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double number(const ironbird_world *open, const char *name)
{
    ib__PluginWorld *world = (ib__PluginWorld *)(uintptr_t)open;
    const double *value = name ? ib_number_list_find(world->numbers, name) : NULL;
    if (value) return *value;
    if (!world->lacks) snprintf(world->missing, sizeof world->missing, "%s", name ? name : "");
    world->lacks = true;
    return NAN;
}

static int has(const ironbird_world *open, const char *name)
{
    const ib__PluginWorld *world = (const ib__PluginWorld *)(uintptr_t)open;
    return name && ib_number_list_find(world->numbers, name) != NULL;
}

// An empty reason is one, too.
static int fail(const ironbird_world *open, const char *text)
{
    ib__PluginWorld *world = (ib__PluginWorld *)(uintptr_t)open;
    snprintf(world->reason, sizeof world->reason, "%s", text && text[0] ? text : "nothing");
    return -1;
}

void ib__plugin_world_init(const ib_NumberList *numbers, ib_Time period, const double *command,
                           ib__PluginWorld *world)
{
    static const char *const none[] = {NULL};
    static const ib_NumberList empty = {.names = (const char **)(uintptr_t)none};
    *world = (ib__PluginWorld){.open = {.period_ns = period,
                                        .period = ib_time_to_seconds(period),
                                        .command = command,
                                        .number = number,
                                        .has = has,
                                        .fail = fail},
                               .numbers = numbers ? numbers : &empty};
}

bool ib__plugin_world_refuses(const ib__PluginWorld *world)
{
    return world->lacks || world->reason[0];
}

// The known name that a person most likely meant: a word away, or the same behind other words.
static const char *find_near(const ib_NumberList *numbers, const char *name)
{
    const char *near = ib_nearest_word(name, numbers->names);
    size_t length = strlen(name);
    for (int i = 0; !near && length > 0 && i < numbers->count; i++) {
        const char *known = numbers->names[i], *end = known + strlen(known) - length;
        if (end > known && end[-1] == '.' && strcmp(end, name) == 0) near = known;
    }
    return near;
}

void ib__plugin_world_tell(const ib__PluginWorld *world, char *text, size_t size)
{
    ib_Error clean; // without control characters
    const char *near = find_near(world->numbers, world->missing);
    if (!world->lacks)
        ib_error_set(&clean, IB_BAD_INPUT, "said: %s", world->reason);
    else if (near)
        ib_error_set(&clean, IB_BAD_INPUT,
                     "asks for '%s', which the robot does not have; did you mean '%s'?",
                     ib_quote(world->missing).text, near);
    else
        ib_error_set(&clean, IB_BAD_INPUT,
                     "asks for '%s', which the robot does not have: expected a key under `robot:`, "
                     "or a name that docs/control/plugin.md tells",
                     ib_quote(world->missing).text);
    snprintf(text, size, "%.*s", (int)size - 1, clean.text);
}
