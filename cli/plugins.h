// cli/plugins.h: --allow-plugins, for every command that reads scenarios.
#ifndef IB_CLI_PLUGINS_H
#define IB_CLI_PLUGINS_H

#include "scenario/scenario.h"

// The loader for ib_ScenarioOptions.plugins, once the option was given.
const ib_PluginInterface *plugins_allow(void);

// Warning number `index` about the plug-ins into `text`, and the time it belongs to; false: there
// are fewer, or none was allowed.
bool plugins_warning(int index, ib_Time *time, char *text, size_t size);

// All of them to stderr.
void plugins_print_warnings(void);

#endif
