// link/plugin_inside.h: what the files of link/plugin.h share: a plug-in that has been opened.
#ifndef IB_LINK_PLUGIN_INSIDE_H
#define IB_LINK_PLUGIN_INSIDE_H

#include "ironbird/plugin.h"
#include "link/foreign_call.h"
#include "link/plugin.h"

// One controller made of a plug-in: the model of its ib_Controller.
typedef struct ib__Plugin {
    ib_Controller controller;
    ironbird_plugin_v1 table; ///< a copy of what it returned, checked
    ib_ForeignCode code;
    ib_PluginConfig config;
    const double *initial; ///< what init gave when it was opened
    const int *shown;      ///< per signal: which state
    ib_PluginRecord *record;
    atomic_int *gone; ///< it hung or crashed, and is not called any more
} ib__Plugin;

// Looks a shared object's description through: counts, names, units, ranges, functions. Touches
// whatever the plug-in points to: to be made as a foreign call. IB_BAD_INPUT says what is wrong.
ib_Status ib__plugin_check(const ironbird_plugin_v1 *table, ib_Error *error);

// The controller's functions, and the foreign call of init, into `state` (all of it).
extern const ib_ControllerKind ib__plugin_kind;
ib_Status ib__plugin_init(const ib__Plugin *plugin, double *state, ib_Error *error);

#endif
