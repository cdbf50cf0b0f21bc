// A plug-in that crashes before anything of it was called.
#include "ironbird/plugin.h"

#include <stddef.h>

static int *volatile nowhere;

__attribute__((constructor)) static void begin(void)
{
    *nowhere = 1;
}

const ironbird_plugin_v1 *ironbird_plugin(void)
{
    return NULL;
}
