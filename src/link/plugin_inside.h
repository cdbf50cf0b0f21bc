// link/plugin_inside.h: an opened plug-in, shared by the files of link/plugin.h.
#ifndef IB_LINK_PLUGIN_INSIDE_H
#define IB_LINK_PLUGIN_INSIDE_H

#include "ironbird/plugin.h"
#include "link/foreign_call.h"
#include "link/plugin.h"

// One controller made of a plug-in: the model of its ib_Controller.
typedef struct ib__Plugin {
    ib_Controller controller;
    ironbird_plugin_v1 table; ///< checked copy of the table it returned
    ib_ForeignCode code;
    ib_PluginConfig config;
    const double *initial; ///< state from init at its opening
    const int *shown;      ///< per signal: index of the state
    ib_PluginRecord *record;
    atomic_int *gone; ///< not 0: it hung or crashed, and is not called any more
} ib__Plugin;

// Checks a shared object's description: counts, names, units, ranges, functions. It follows the
// plug-in's pointers and therefore runs as a foreign call. IB_BAD_INPUT names the fault.
ib_Status ib__plugin_check(const ironbird_plugin_v1 *table, ib_Error *error);

// The controller's functions, and the foreign call of init, into `state` (all of it).
extern const ib_ControllerKind ib__plugin_kind;
ib_Status ib__plugin_init(const ib__Plugin *plugin, double *state, ib_Error *error);

#endif
