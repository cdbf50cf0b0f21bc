#include "plugins.h"

#include "cli.h"
#include "link/plugin.h"

#include <stdio.h>

static ib_PluginLoader loader; // for the whole program: a plug-in is never unloaded
static bool allowed;

const ib_PluginInterface *plugins_allow(void)
{
    if (!allowed) ib_plugin_loader_init(&loader, ib_plugin_default());
    allowed = true;
    return &loader.interface;
}

bool plugins_warning(int index, ib_Time *time, char *text, size_t size)
{
    return allowed && ib_plugin_trouble(&loader, index, time, text, size);
}

void plugins_print_warnings(void)
{
    char text[512];
    ib_Time time;
    for (int i = 0; plugins_warning(i, &time, text, sizeof text); i++)
        ib_tell(stderr, "ironbird: warning: %s\n", text);
}
