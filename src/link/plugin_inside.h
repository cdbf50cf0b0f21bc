// link/plugin_inside.h: an opened plug-in, shared by the files of link/plugin.h.
#ifndef IB_LINK_PLUGIN_INSIDE_H
#define IB_LINK_PLUGIN_INSIDE_H

#include "ironbird/plugin.h"
#include "link/foreign_call.h"
#include "link/plugin.h"

// A plug-in's checked copy of its table.
typedef struct ib__PluginTable {
    ironbird_plugin_v2 v2; ///< of version 1 without functions
    // Of version 1; NULL: version 2.
    int (*init_v1)(double *state);
    int (*step_v1)(double *state, const double *measurement, const double *command, double *output);
} ib__PluginTable;

// One controller made of a plug-in: the model of its ib_Controller.
typedef struct ib__Plugin {
    ib_Controller controller;
    ib__PluginTable table;
    const ib_NumberList *numbers; ///< that init may ask for; NULL: init is not called
    ib_ForeignCode code;
    ib_PluginConfig config;
    const double *initial; ///< state from init at its opening
    const int *shown;      ///< per signal: index of the state
    ib_PluginRecord *record;
    atomic_int *gone; ///< not 0: it hung or crashed, and is not called any more
} ib__Plugin;

// Checks a shared object's description: counts, names, units, ranges, functions. It follows the
// plug-in's pointers and therefore runs as a foreign call. IB_BAD_INPUT names the fault.
// `table` is of this version.
ib_Status ib__plugin_check(const void *table, unsigned version, ib__PluginTable *checked,
                           ib_Error *error);

// What init is told, and what it says.
typedef struct ib__PluginWorld {
    ironbird_world open; ///< as the plug-in has it; the first field
    const ib_NumberList *numbers;
    bool lacks;        ///< init asked for a number that is not there
    char missing[128]; ///< its name, the first of them
    char reason[256];  ///< why init failed; "": it does not say
} ib__PluginWorld;

void ib__plugin_world_init(const ib_NumberList *numbers, ib_Time period, const double *command,
                           ib__PluginWorld *world);

// True if init asked for a number that is not there, or failed in words of its own; and these, to
// follow "its init".
bool ib__plugin_world_refuses(const ib__PluginWorld *world);
void ib__plugin_world_tell(const ib__PluginWorld *world, char *text, size_t size);

// The controller's functions, of version 1 and 2; and the foreign call of init with its commands in
// neutral, into `state` (all of it).
extern const ib_ControllerKind ib__plugin_kinds[2];
ib_Status ib__plugin_init(const ib__Plugin *plugin, double *state, ib_Error *error);

#endif
