// link/plugin_trouble.c: the faults of plug-ins in words.
#include "link/foreign_call.h"
#include "link/plugin.h"

#include <inttypes.h>
#include <stdio.h>

// Sides of the fences, numbered as in link/plugin_step.c.
static const char *const places[] = {
    "",
    "in front of its commands",
    "beyond its commands",
    "in front of its measurements",
    "beyond its measurements",
    "in front of its outputs",
    "beyond its outputs",
    "in front of its state",
    "beyond its state",
};

static void describe(const ib_PluginLoader *loader, const ib_PluginRecord *record,
                     ib_PluginFault fault, char *text, size_t size)
{
    int detail = atomic_load(&record->events[fault].detail);
    double late = ib_time_to_seconds(loader->config.late);
    double hung = ib_time_to_seconds(loader->config.hung);
    switch (fault) {
    case IB_PLUGIN_INIT:
        snprintf(text, size, "its init %s; the state that it gave first is used",
                 atomic_load(&record->reasons) == 2 ? record->reason : "failed");
        break;
    case IB_PLUGIN_RETURNED:
        snprintf(text, size, "its step returned %d", detail);
        break;
    case IB_PLUGIN_OUTPUT:
        snprintf(text, size, "output '%s' was not a finite number", record->outputs[detail]);
        break;
    case IB_PLUGIN_STATE:
        snprintf(text, size, "state %d was not a finite number, the last good state is kept",
                 detail);
        break;
    case IB_PLUGIN_BEYOND:
        snprintf(text, size, "it wrote %s", places[detail]);
        break;
    case IB_PLUGIN_LATE:
        snprintf(text, size, "its step took %d ms: expected at most %g ms", detail, 1e3 * late);
        break;
    case IB_PLUGIN_HUNG:
        snprintf(text, size, "it did not return within %g s", hung);
        break;
    case IB_PLUGIN_CRASHED:
    case IB_PLUGIN_FAULTS:
        snprintf(text, size, "it crashed, %s", ib_foreign_signal(detail));
        break;
    }
}

// "the plug-in 'drive': at 0.1 s its step returned 3; its outputs were neutral for the period (20
// periods in all)"
static void tell(const ib_PluginLoader *loader, const ib_PluginRecord *record, ib_PluginFault fault,
                 char *text, size_t size)
{
    char what[700], often[64] = "";
    const ib_PluginEvent *event = &record->events[fault];
    int64_t count = atomic_load(&event->count);
    bool last = fault == IB_PLUGIN_HUNG || fault == IB_PLUGIN_CRASHED;
    describe(loader, record, fault, what, sizeof what);
    if (count > 1)
        snprintf(often, sizeof often, " (%" PRId64 " %s in all)", count,
                 last || fault == IB_PLUGIN_INIT ? "runs" : "periods");
    snprintf(text, size, "%s: at %.9g s %s%s%s", record->label,
             ib_time_to_seconds(atomic_load(&event->first)), what,
             fault == IB_PLUGIN_INIT ? ""
             : last                  ? "; it was not called again, its outputs stayed neutral"
                                     : "; its outputs were neutral for the period",
             often);
}

bool ib_plugin_trouble(const ib_PluginLoader *loader, int index, ib_Time *time, char *text,
                       size_t size)
{
    for (int i = 0; i < loader->count; i++)
        for (int fault = 0; fault < IB_PLUGIN_FAULTS; fault++) {
            const ib_PluginRecord *record = &loader->records[i];
            if (atomic_load(&record->events[fault].count) == 0 || index-- > 0) continue;
            *time = atomic_load(&record->events[fault].first);
            tell(loader, record, (ib_PluginFault)fault, text, size);
            return true;
        }
    return false;
}
