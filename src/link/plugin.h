// link/plugin.h: opens plug-ins (include/ironbird/plugin.h) for `control: {plugin: FILE}`.
// It enforces their contract while they run, and records their faults: docs/control/plugin.md
//
//   ib_PluginLoader loader;
//   ib_plugin_loader_init(&loader, ib_plugin_default());
//   ib_ScenarioOptions options = {.plugins = &loader.interface};
//   … read, run …
//   for (int i = 0; ib_plugin_trouble(&loader, i, &time, text, sizeof text); i++) warn(text);
#ifndef IB_LINK_PLUGIN_H
#define IB_LINK_PLUGIN_H

#include "scenario/scenario.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
    IB_PLUGINS_MAX = 16,  ///< different files that a loader opens
    IB_PLUGIN_LABEL = 96, ///< bytes of "the plug-in 'drive'"
    IB_PLUGIN_STATES_MAX = 4096,
    IB_PLUGIN_COMMANDS_MAX = 256,
    IB_PLUGIN_MEASUREMENTS_MAX = 256,
    IB_PLUGIN_OUTPUTS_MAX = 64,
    IB_PLUGIN_SIGNALS_MAX = 256,
    IB_PLUGIN_NAME_MAX = 63, ///< bytes of a name or a unit
    IB_PLUGIN_SENTENCE_MAX = 255,
};

// Faults of a plug-in while it runs. In every case its outputs are neutral for the period.
typedef enum ib_PluginFault {
    IB_PLUGIN_INIT,     ///< init failed at a later run; its first state is used
    IB_PLUGIN_RETURNED, ///< step did not return 0; its state is used
    IB_PLUGIN_OUTPUT,   ///< an output was not finite; its state is used
    IB_PLUGIN_STATE,    ///< a state was not finite; the last good ones are kept
    IB_PLUGIN_BEYOND,   ///< wrote outside its arrays; the last good state is kept
    IB_PLUGIN_LATE,     ///< returned after the limit; its state is used
    IB_PLUGIN_HUNG,     ///< did not return; it is never called again
    IB_PLUGIN_CRASHED,  ///< by a signal; it is never called again
    IB_PLUGIN_FAULTS,
} ib_PluginFault;

// One line per fault. Several simulations may write at once: the earliest time wins.
typedef struct ib_PluginEvent {
    _Atomic int64_t count; ///< periods with this fault
    _Atomic ib_Time first; ///< simulated time of the first one [ns]
    _Atomic int detail;    ///< of the first one: return value, index of the output, number of the
                           ///< signal, …
} ib_PluginEvent;

// The faults of all controllers made from one file.
typedef struct ib_PluginRecord {
    char path[512], label[IB_PLUGIN_LABEL];
    char outputs[IB_PLUGIN_OUTPUTS_MAX][IB_PLUGIN_NAME_MAX + 1]; ///< their names
    ib_PluginEvent events[IB_PLUGIN_FAULTS];
    atomic_int reasons; ///< 2: `reason` is there; 1: it is being written
    char reason[512];   ///< why init failed, the first time: "said: too heavy"
} ib_PluginRecord;

typedef struct ib_PluginConfig {
    ib_Time late; ///< a call that takes longer is late [ns], > 0
    ib_Time hung; ///< a call that takes longer is left, and the last one [ns], >= late
} ib_PluginConfig;

typedef struct ib_PluginLoader {
    ib_PluginInterface interface; ///< for ib_ScenarioOptions.plugins
    ib_PluginConfig config;
    pthread_mutex_t lock; ///< of the list; not taken in a step
    int count;
    ib_PluginRecord records[IB_PLUGINS_MAX];
} ib_PluginLoader;

// 100 ms and 1 s: a simulation may run much faster than real time, and on a busy machine.
ib_PluginConfig ib_plugin_default(void);

// The loader must outlive the controllers it opened.
void ib_plugin_loader_init(ib_PluginLoader *loader, ib_PluginConfig config);
void ib_plugin_loader_destroy(ib_PluginLoader *loader);

// Fault number `index` as one sentence, and the simulated time of its first occurrence; false:
// there are fewer. Counts all runs of this loader's plug-ins.
bool ib_plugin_trouble(const ib_PluginLoader *loader, int index, ib_Time *time, char *text,
                       size_t size);

// True if this controller is a plug-in with a fault listed here; its replaced outputs then need no
// other message.
bool ib_plugin_troubled(const ib_Controller *controller);

#endif
