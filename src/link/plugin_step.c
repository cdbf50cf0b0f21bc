// link/plugin_step.c: one period of a plug-in. It works on copies of its own, between fences;
// results are checked before use.
#include "base/ordinary.h"
#include "link/plugin_inside.h"
#include "sim/pace.h"

#include <float.h>
#include <math.h>
#include <string.h>

// --------------------------------------------------------------------------------------- workspace

// Per thread, in this order:
//   fence | commands | fence | measurements | fence | outputs | fence | state | fence, yard
// Each array has just its own length, so that the fence begins at its end. The yard takes the
// writes of a wild loop behind the last fence.
enum {
    ARRAYS = 4,
    FENCE = 32,
    YARD = 8192,
    WORDS = (ARRAYS + 1) * FENCE + IB_PLUGIN_COMMANDS_MAX + IB_PLUGIN_MEASUREMENTS_MAX +
            IB_PLUGIN_OUTPUTS_MAX + IB_PLUGIN_STATES_MAX + YARD,
};

static _Thread_local double words[WORDS];

// A NaN, so that reading a fence by mistake is detected as well.
static const uint64_t fence_word = UINT64_C(0x7ff8a11ce0f0e0ce);

typedef struct Workspace {
    double *fence[ARRAYS + 1];
    double *command, *measurement, *output, *state;
} Workspace;

static Workspace lay_out(const ironbird_plugin_v2 *table)
{
    Workspace space;
    double **arrays[ARRAYS] = {&space.command, &space.measurement, &space.output, &space.state};
    const int counts[ARRAYS] = {table->command_count, table->measurement_count, table->output_count,
                                table->state_count};
    double *word = words;
    for (int i = 0; i <= ARRAYS; i++) {
        space.fence[i] = word;
        for (int k = 0; k < FENCE; k++) memcpy(word++, &fence_word, sizeof *word);
        if (i == ARRAYS) break;
        *arrays[i] = word;
        word += counts[i];
    }
    return space;
}

// The first broken fence and its side: 2 i: behind the array before fence i; 2 i + 1: in front of
// the array after it; -1: none.
static int find_break(const Workspace *space)
{
    for (int i = 0; i <= ARRAYS; i++)
        for (int k = 0; k < FENCE; k++)
            if (memcmp(&space->fence[i][k], &fence_word, sizeof fence_word) != 0)
                return 2 * i + (i == 0 || (i < ARRAYS && k >= FENCE / 2));
    return -1;
}

static int find_wild(const double *values, int count)
{
    if (ib_are_ordinary(values, count, DBL_MAX)) return -1;
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i])) return i;
    return -1;
}

static void copy(double *to, const double *from, int count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

// ---------------------------------------------------------------------------------------- troubles

static void note(const ib__Plugin *plugin, ib_PluginFault fault, ib_Time time, int detail)
{
    ib_PluginEvent *event = &plugin->record->events[fault];
    ib_Time first = atomic_load(&event->first);
    atomic_fetch_add(&event->count, 1);
    while (time < first)
        if (atomic_compare_exchange_weak(&event->first, &first, time)) {
            atomic_store(&event->detail, detail);
            break;
        }
    if (fault == IB_PLUGIN_HUNG || fault == IB_PLUGIN_CRASHED) atomic_store(plugin->gone, 1);
}

typedef struct Trouble {
    int fault;  // ib_PluginFault; -1: none
    int detail; // as in ib_PluginEvent
    bool keep;  // its previous state is kept
} Trouble;

// The fault of a call, the worst one first.
static Trouble judge(const ib__Plugin *plugin, const Workspace *space, ib_ForeignResult result,
                     int returned, ib_Time wall)
{
    const ironbird_plugin_v2 *table = &plugin->table.v2;
    if (result.end == IB_FOREIGN_CRASHED) return (Trouble){IB_PLUGIN_CRASHED, result.signal, true};
    if (result.end == IB_FOREIGN_HUNG) return (Trouble){IB_PLUGIN_HUNG, 0, true};
    int at = find_break(space);
    if (at >= 0) return (Trouble){IB_PLUGIN_BEYOND, at, true};
    at = find_wild(space->state, table->state_count);
    if (at >= 0) return (Trouble){IB_PLUGIN_STATE, at, true};
    if (returned != 0) return (Trouble){IB_PLUGIN_RETURNED, returned, false};
    at = find_wild(space->output, table->output_count);
    if (at >= 0) return (Trouble){IB_PLUGIN_OUTPUT, at, false};
    if (wall > plugin->config.late) return (Trouble){IB_PLUGIN_LATE, (int)(wall / 1000000), false};
    return (Trouble){-1, 0, false};
}

// ------------------------------------------------------------------------------------------- calls

typedef struct Call {
    const ib__PluginTable *table;
    Workspace space;
    ironbird_tick tick;
    ib__PluginWorld *world; // of init
    int returned;
} Call;

static void call_init(void *context)
{
    Call *call = context;
    double *state = call->space.state;
    call->returned = call->table->init_v1 ? call->table->init_v1(state)
                                          : call->table->v2.init(&call->world->open, state);
}

static void call_step(void *context)
{
    Call *call = context;
    const Workspace *s = &call->space;
    call->returned =
        call->table->step_v1
            ? call->table->step_v1(s->state, s->measurement, s->command, s->output)
            : call->table->v2.step(&call->tick, s->state, s->measurement, s->command, s->output);
}

// Runs init or step as a foreign call and measures its time.
static Trouble call_plugin(const ib__Plugin *plugin, void (*work)(void *), Call *call)
{
    ib_ForeignCall foreign = {.name = plugin->record->label,
                              .work = work,
                              .context = call,
                              .code = plugin->code,
                              .limit = plugin->config.hung};
    int64_t begin = ib_wall_now();
    ib_ForeignResult result = ib_foreign_call(&foreign);
    int64_t wall = ib_wall_now() - begin;
    return judge(plugin, &call->space, result, call->returned, wall);
}

// Runs init. `command`: its commands at t = 0; NULL: neutral. IB_PLUGIN_INIT: it refuses to work,
// for a reason that `world` has.
static Trouble start(const ib__Plugin *plugin, const double *command, double *state,
                     ib__PluginWorld *world)
{
    const ironbird_plugin_v2 *table = &plugin->table.v2;
    Call call = {.table = &plugin->table, .space = lay_out(table), .world = world};
    for (int i = 0; i < table->command_count; i++)
        call.space.command[i] = command ? command[i] : plugin->controller.ports.commands[i].neutral;
    memset(call.space.state, 0, (size_t)table->state_count * sizeof *state);
    memset(call.space.output, 0, (size_t)table->output_count * sizeof *state);
    ib__plugin_world_init(plugin->numbers, plugin->controller.period, call.space.command, world);
    Trouble trouble = call_plugin(plugin, call_init, &call);
    copy(state, call.space.state, table->state_count);
    bool broken = trouble.fault == IB_PLUGIN_CRASHED || trouble.fault == IB_PLUGIN_HUNG ||
                  trouble.fault == IB_PLUGIN_BEYOND;
    if (broken || !ib__plugin_world_refuses(world)) return trouble;
    return (Trouble){IB_PLUGIN_INIT, 0, true};
}

ib_Status ib__plugin_init(const ib__Plugin *plugin, double *state, ib_Error *error)
{
    ib__PluginWorld world;
    char text[512];
    Trouble t = start(plugin, NULL, state, &world);
    double limit = ib_time_to_seconds(plugin->config.hung);
    switch (t.fault) {
    case IB_PLUGIN_CRASHED:
        return ib_error_set(error, IB_BAD_INPUT, "its init crashed: %s",
                            ib_foreign_signal(t.detail));
    case IB_PLUGIN_HUNG:
        return ib_error_set(error, IB_BAD_INPUT, "its init did not return within %g s", limit);
    case IB_PLUGIN_BEYOND:
        return ib_error_set(error, IB_BAD_INPUT,
                            "its init wrote outside of its state: expected %d numbers",
                            plugin->table.v2.state_count);
    case IB_PLUGIN_STATE:
        return ib_error_set(error, IB_BAD_INPUT,
                            "its init left state %d as no finite number: expected one", t.detail);
    case IB_PLUGIN_INIT:
        ib__plugin_world_tell(&world, text, sizeof text);
        return ib_error_set(error, IB_BAD_INPUT, "its init %s", text);
    case IB_PLUGIN_RETURNED:
        return ib_error_set(error, IB_BAD_INPUT, "its init returned %d: expected 0", t.detail);
    default:
        return IB_OK; // a late init is harmless
    }
}

// -------------------------------------------------------------------------------------- controller

// Keeps the first reason of any run for a message.
static void keep_reason(ib_PluginRecord *record, const ib__PluginWorld *world)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(&record->reasons, &none, 1)) return;
    ib__plugin_world_tell(world, record->reason, sizeof record->reason);
    atomic_store(&record->reasons, 2);
}

// Robot code may have state elsewhere: init is called for every run, so that it can reset it.
static void begin(const void *self, const double *command, double *state)
{
    const ib__Plugin *plugin = self;
    int count = plugin->table.v2.state_count;
    Trouble trouble = {-1, 0, false};
    ib__PluginWorld world;
    if (!atomic_load(plugin->gone)) trouble = start(plugin, command, state, &world);
    bool good = trouble.fault < 0 || trouble.fault == IB_PLUGIN_LATE;
    if (!good) {
        bool fatal = trouble.fault == IB_PLUGIN_HUNG || trouble.fault == IB_PLUGIN_CRASHED;
        if (trouble.fault == IB_PLUGIN_INIT) keep_reason(plugin->record, &world);
        note(plugin, fatal ? (ib_PluginFault)trouble.fault : IB_PLUGIN_INIT, 0, trouble.detail);
    }
    if (!good || atomic_load(plugin->gone)) copy(state, plugin->initial, count);
}

static void reset(const void *self, double *state)
{
    begin(self, NULL, state);
}

static ib_ControlStatus step(const void *self, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const ib__Plugin *plugin = self;
    const ironbird_plugin_v2 *table = &plugin->table.v2;
    if (atomic_load(plugin->gone)) return IB_CONTROL_FAILED;
    ib_Time period = plugin->controller.period;
    Call call = {.table = &plugin->table,
                 .space = lay_out(table),
                 .tick = {.time_ns = tick->time,
                          .period_ns = period,
                          .time = ib_time_to_seconds(tick->time),
                          .period = ib_time_to_seconds(period)}};
    copy(call.space.command, tick->command, table->command_count);
    copy(call.space.measurement, tick->measurement, table->measurement_count);
    // An output that it does not write stays NaN and is detected.
    for (int i = 0; i < table->output_count; i++) call.space.output[i] = NAN;
    copy(call.space.state, state, table->state_count);
    Trouble trouble = call_plugin(plugin, call_step, &call);
    if (!trouble.keep) copy(state, call.space.state, table->state_count);
    copy(output, call.space.output, table->output_count);
    if (trouble.fault < 0) return IB_CONTROL_OK;
    note(plugin, (ib_PluginFault)trouble.fault, tick->time, trouble.detail);
    return IB_CONTROL_FAILED;
}

static void show(const void *self, const double *command, const double *state, double *signals)
{
    const ib__Plugin *plugin = self;
    (void)command;
    for (int i = 0; i < plugin->table.v2.signal_count; i++) signals[i] = state[plugin->shown[i]];
}

#define PLUGIN                                                                                     \
    .name = "plugin", .sentence = "a controller compiled elsewhere",                               \
    .docs = "docs/control/plugin.md", .reset = reset, .step = step, .show = show

const ib_ControllerKind ib__plugin_kinds[2] = {{PLUGIN}, {PLUGIN, .begin = begin}};

bool ib_plugin_troubled(const ib_Controller *controller)
{
    if (controller->kind != &ib__plugin_kinds[0] && controller->kind != &ib__plugin_kinds[1])
        return false;
    const ib__Plugin *plugin = controller->model;
    for (int fault = 0; fault < IB_PLUGIN_FAULTS; fault++)
        if (atomic_load(&plugin->record->events[fault].count) > 0) return true;
    return false;
}
