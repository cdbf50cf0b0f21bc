// link/plugin.c: opens shared objects and makes controllers of them.
#include "base/quote.h"
#include "link/plugin_inside.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// The function that a shared object is asked for, by its version; the latest first.
static const char *const symbols[] = {"ironbird_plugin", "ironbird_plugin_2"};

static ib_Status no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory for a plug-in");
}

// ----------------------------------------------------------------------------------------- loading

typedef const void *(*Entry)(void);

// The state of loading foreign code.
typedef struct Loading {
    const char *path;
    char name[IB_QUOTE_LENGTH + 32]; // for people: "the plug-in 'x.so'"
    void *handle;
    unsigned version; // 1 or 2
    Entry entry;
    const void *given;     // the table that it returned
    ib__PluginTable table; // a checked copy
    ib_Status status;      // result of the check
    ib_Error error;
} Loading;

static void load(void *context)
{
    Loading *loading = context;
    loading->handle = dlopen(loading->path, RTLD_NOW | RTLD_LOCAL);
}

static void ask(void *context)
{
    Loading *loading = context;
    loading->given = loading->entry();
}

static void look(void *context)
{
    Loading *loading = context;
    loading->status =
        ib__plugin_check(loading->given, loading->version, &loading->table, &loading->error);
}

// Runs one of them as a foreign call; `what` is the message for a failure.
static ib_Status call_foreign(void (*work)(void *), const char *what, ib_Time limit,
                              Loading *loading, ib_Error *error)
{
    ib_ForeignResult result = ib_foreign_call(
        &(ib_ForeignCall){.name = loading->name, .work = work, .context = loading, .limit = limit});
    if (result.end == IB_FOREIGN_CRASHED)
        return ib_error_set(error, IB_BAD_INPUT, "it crashed %s: %s", what,
                            ib_foreign_signal(result.signal));
    if (result.end == IB_FOREIGN_HUNG)
        return ib_error_set(error, IB_BAD_INPUT, "it did not return within %g s %s",
                            ib_time_to_seconds(limit), what);
    return IB_OK;
}

static ib_Status check_file(const char *path, ib_Error *error)
{
    struct stat facts;
    if (stat(path, &facts) != 0)
        return ib_error_set(error, IB_BAD_INPUT, "'%s': %s: expected a shared object", path,
                            strerror(errno));
    if (!S_ISREG(facts.st_mode))
        return ib_error_set(error, IB_BAD_INPUT, "'%s' is %s: expected a shared object", path,
                            S_ISDIR(facts.st_mode) ? "a folder" : "no regular file");
    return IB_OK;
}

// A jump out of dlopen leaves the system's loader locked: the next dlopen would wait for ever.
static atomic_bool loader_locked;

// A plug-in is never unloaded: after an abandoned call its code may still be in use, and a second
// run opens it anyway.
static ib_Status load_object(const char *path, Loading *loading, ib_Error *error)
{
    enum { SLOWEST = 10 }; // [s]: libraries may come from a slow disk
    char named[4096];
    // A name without a slash would be searched in the system's folders.
    snprintf(named, sizeof named, "%s%s", strchr(path, '/') ? "" : "./", path);
    *loading = (Loading){.path = named};
    snprintf(loading->name, sizeof loading->name, "the plug-in '%s'",
             ib_quote(strrchr(named, '/') + 1).text);
    if (atomic_load(&loader_locked))
        return ib_error_set(error, IB_BAD_INPUT,
                            "a plug-in crashed or hung while it was loaded: no plug-in can be "
                            "loaded any more by this program");
    ib_Status status = check_file(path, error);
    if (status != IB_OK) return status;
    status = call_foreign(load, "while it was loaded", SLOWEST * IB_SECOND, loading, error);
    loading->path = path;
    if (status != IB_OK) {
        atomic_store(&loader_locked, true);
        return status;
    }
    if (!loading->handle)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' cannot be loaded: expected a shared object for this machine (%s)",
                            path, dlerror());
    // POSIX has functions and objects alike; C would not convert one into the other.
    void *address = NULL;
    for (loading->version = 2; !address && loading->version > 0; loading->version--)
        address = dlsym(loading->handle, symbols[loading->version - 1]);
    loading->version++;
    memcpy(&loading->entry, &address, sizeof address);
    if (!address)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' has no function '%s': expected one, as ironbird/plugin.h "
                            "declares it (in C++ inside of extern \"C\")",
                            path, symbols[1]);
    return IB_OK;
}

static ib_Status read_description(Loading *loading, ib_Time limit, ib_Error *error)
{
    char where[64];
    snprintf(where, sizeof where, "in %s()", symbols[loading->version - 1]);
    ib_Status status = call_foreign(ask, where, limit, loading, error);
    if (status != IB_OK) return status;
    if (!loading->given)
        return ib_error_set(error, IB_BAD_INPUT,
                            "%s() returned NULL: expected an ironbird_plugin_v%u",
                            symbols[loading->version - 1], loading->version);
    status = call_foreign(look, "while its description was read, which points to nowhere", limit,
                          loading, error);
    if (status == IB_OK && loading->status != IB_OK)
        status = ib_error_set(error, loading->status, "%s", loading->error.text);
    return status;
}

// The plug-in's period, or the scenario's; a loop designed for one period does not work at another.
// Time is counted in whole nanoseconds.
static ib_Status choose_period(double own, double given, ib_Time *period, ib_Error *error)
{
    if (!isfinite(own) || own < 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "period is %g: expected seconds, or 0 if the scenario shall say it",
                            own);
    if (own == 0 && given == 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "the plug-in leaves its period to the scenario: expected `period:` "
                            "beside `plugin:`, such as 5 ms");
    if (own > 0 && given > 0 && rint(own * 1e9) != rint(given * 1e9))
        return ib_error_set(error, IB_BAD_INPUT,
                            "the plug-in has a period of %g s, the scenario says %g s: expected "
                            "one of them, or the same",
                            own, given);
    double seconds = own > 0 ? own : given, whole = rint(seconds * 1e9);
    if (!(seconds >= 1e-6 && seconds <= 10))
        return ib_error_set(error, IB_BAD_INPUT, "period is %g s: expected 1 us to 10 s", seconds);
    // 1e-4 ns: the rounding error of 10 s as a double is 1e-6 ns.
    if (fabs(seconds * 1e9 - whole) > 1e-4)
        return ib_error_set(error, IB_BAD_INPUT,
                            "period is %.17g s: expected a whole number of nanoseconds", seconds);
    *period = ib_time_from_seconds(seconds);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- where

static int find_code(struct dl_phdr_info *info, size_t size, void *context)
{
    ib_ForeignCode *code = context;
    (void)size;
    if (info->dlpi_addr != code->begin) return 0;
    uintptr_t base = code->begin;
    *code = (ib_ForeignCode){0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        if (code->end == 0) code->begin = base + part->p_vaddr;
        code->end = base + part->p_vaddr + part->p_memsz;
    }
    return 1;
}

static ib_ForeignCode code_of(void *handle)
{
    struct link_map *map = NULL;
    ib_ForeignCode code = {0};
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map) return code;
    code.begin = map->l_addr;
    return dl_iterate_phdr(find_code, &code) == 1 ? code : (ib_ForeignCode){0};
}

// ------------------------------------------------------------------------------------------ record

// The record of a file, which all its controllers share; NULL: too many files.
static ib_PluginRecord *find_record(ib_PluginLoader *loader, const char *path,
                                    const ironbird_plugin_v2 *table)
{
    ib_PluginRecord *record = NULL;
    pthread_mutex_lock(&loader->lock);
    for (int i = 0; i < loader->count && !record; i++)
        if (!strncmp(loader->records[i].path, path, sizeof record->path - 1))
            record = &loader->records[i];
    if (!record && loader->count < IB_PLUGINS_MAX) {
        record = &loader->records[loader->count];
        snprintf(record->path, sizeof record->path, "%s", path);
        snprintf(record->label, sizeof record->label, "the plug-in '%s'",
                 ib_quote(table->name).text);
        for (int i = 0; i < table->output_count; i++)
            snprintf(record->outputs[i], sizeof record->outputs[i], "%s", table->outputs[i]);
        for (int i = 0; i < IB_PLUGIN_FAULTS; i++)
            atomic_store(&record->events[i].first, IB_TIME_NEVER);
        loader->count++;
    }
    pthread_mutex_unlock(&loader->lock);
    return record;
}

// -------------------------------------------------------------------------------------- controller

static const char *const *copy_names(const char *const *names, int count, ib_Arena *arena)
{
    const char **copies = ib_arena_array(arena, (size_t)count + 1, sizeof *copies);
    for (int i = 0; copies && i < count; i++) {
        copies[i] = ib_arena_text(arena, names[i]);
        if (!copies[i]) return NULL;
    }
    return copies;
}

static const ib_ControlCommand *copy_commands(const ironbird_plugin_v2 *table, ib_Arena *arena)
{
    size_t count = (size_t)table->command_count;
    ib_ControlCommand *commands = ib_arena_array(arena, count + 1, sizeof *commands);
    for (size_t i = 0; commands && i < count; i++) {
        const ironbird_command *c = &table->commands[i];
        commands[i] =
            (ib_ControlCommand){.name = ib_arena_text(arena, c->name),
                                .unit = ib_arena_text(arena, c->unit),
                                .sentence = ib_arena_text(arena, c->sentence ? c->sentence : ""),
                                .neutral = c->neutral,
                                .low = c->low,
                                .high = c->high,
                                .axis = ib_drive_axis_of(c->name)};
        if (!commands[i].name || !commands[i].unit || !commands[i].sentence) return NULL;
    }
    return commands;
}

static const ib_SignalDef *copy_signals(const ironbird_plugin_v2 *table, ib_Arena *arena,
                                        const int **shown)
{
    size_t count = (size_t)table->signal_count;
    ib_SignalDef *signals = ib_arena_array(arena, count + 1, sizeof *signals);
    int *states = ib_arena_array(arena, count + 1, sizeof *states);
    *shown = states;
    for (size_t i = 0; signals && states && i < count; i++) {
        const ironbird_signal *s = &table->signals[i];
        signals[i] =
            (ib_SignalDef){.name = ib_arena_text(arena, s->name),
                           .unit = ib_arena_text(arena, s->unit),
                           .sentence = ib_arena_text(arena, s->sentence ? s->sentence : "")};
        states[i] = s->state;
        if (!signals[i].name || !signals[i].unit || !signals[i].sentence) return NULL;
    }
    return states ? signals : NULL;
}

// Makes a controller of the checked plug-in; its names are copies.
static ib_Status make_controller(const Loading *loading, ib_PluginLoader *loader, ib_Time period,
                                 const ib_NumberList *world, ib_Arena *arena, ib__Plugin **made,
                                 ib_Error *error)
{
    const ironbird_plugin_v2 *table = &loading->table.v2;
    ib__Plugin *plugin = ib_arena_alloc(arena, sizeof *plugin);
    atomic_int *gone = ib_arena_alloc(arena, sizeof *gone);
    ib_PluginRecord *record = find_record(loader, loading->path, table);
    if (!plugin || !gone) return no_memory(error);
    if (!record)
        return ib_error_set(error, IB_BAD_INPUT, "one plug-in too many: expected at most %d files",
                            IB_PLUGINS_MAX);
    *plugin = (ib__Plugin){.table = loading->table,
                           .numbers = world,
                           .code = code_of(loading->handle),
                           .config = loader->config,
                           .record = record,
                           .gone = gone};
    ib_ControlPorts ports = {.state_count = table->state_count,
                             .command_count = table->command_count,
                             .commands = copy_commands(table, arena),
                             .measurement_count = table->measurement_count,
                             .measurements =
                                 copy_names(table->measurements, table->measurement_count, arena),
                             .output_count = table->output_count,
                             .outputs = copy_names(table->outputs, table->output_count, arena),
                             .signal_count = table->signal_count,
                             .signals = copy_signals(table, arena, &plugin->shown)};
    plugin->controller = (ib_Controller){.name = "",
                                         .label = record->label,
                                         .kind = &ib__plugin_kinds[loading->version - 1],
                                         .model = plugin,
                                         .period = period,
                                         .ports = ports};
    *made = plugin;
    bool whole = ports.commands && ports.measurements && ports.outputs && ports.signals;
    return whole ? IB_OK : no_memory(error);
}

static ib_Status open_plugin(void *self, const char *path, double period,
                             const ib_NumberList *world, ib_Arena *arena,
                             const ib_Controller **controller, ib_Error *error)
{
    ib_PluginLoader *loader = self;
    Loading loading;
    ib__Plugin *plugin = NULL;
    ib_Time whole = 0;
    ib_Status status = ib_foreign_install(error);
    if (status == IB_OK) status = load_object(path, &loading, error);
    if (status == IB_OK) status = read_description(&loading, loader->config.hung, error);
    if (status == IB_OK) status = choose_period(loading.table.v2.period, period, &whole, error);
    if (status == IB_OK)
        status = make_controller(&loading, loader, whole, world, arena, &plugin, error);
    if (status != IB_OK) return status;
    double *initial = ib_arena_array(arena, (size_t)plugin->table.v2.state_count, sizeof *initial);
    if (!initial) return no_memory(error);
    if (world || plugin->table.init_v1) status = ib__plugin_init(plugin, initial, error);
    plugin->initial = initial;
    *controller = &plugin->controller;
    return status;
}

// ------------------------------------------------------------------------------------------ loader

ib_PluginConfig ib_plugin_default(void)
{
    return (ib_PluginConfig){.late = IB_SECOND / 10, .hung = IB_SECOND};
}

static bool tell_trouble(const void *self, int index, ib_Time *time, char *text, size_t size)
{
    return ib_plugin_trouble(self, index, time, text, size);
}

void ib_plugin_loader_init(ib_PluginLoader *loader, ib_PluginConfig config)
{
    IB_ASSERT(config.late > 0 && config.hung >= config.late);
    memset(loader, 0, sizeof *loader);
    loader->config = config;
    loader->interface = (ib_PluginInterface){.open = open_plugin,
                                             .trouble = tell_trouble,
                                             .troubled = ib_plugin_troubled,
                                             .self = loader};
    pthread_mutex_init(&loader->lock, NULL);
}

void ib_plugin_loader_destroy(ib_PluginLoader *loader)
{
    pthread_mutex_destroy(&loader->lock);
}
