// cli/loading.c: reads a scenario or a recording, and reports its mistakes.
#include "base/output_part.h"
#include "base/quote.h"
#include "base/stop.h"
#include "cli.h"
#include "desk/design/design_loader.h"
#include "world/mujoco.h"

#include <inttypes.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>

void print_diagnostics(const char *file, const ib_Diagnostics *diagnostics)
{
    for (int i = 0; i < diagnostics->count; i++) {
        char text[2048];
        ib_diagnostic_format(&diagnostics->items[i], text, sizeof text);
        ib_tell(stderr, "%s\n", text);
    }
    if (diagnostics->dropped)
        ib_tell(stderr, "%s: %d more mistakes are not shown\n", file, diagnostics->dropped);
}

void print_file_warnings(const ib_Diagnostic *warnings, int count)
{
    for (int i = 0; i < count; i++)
        ib_tell(stderr, "%s:%d:%d: warning: %s\n", warnings[i].file, warnings[i].line,
                warnings[i].column, warnings[i].text);
}

void tell_of_page(const char *page, const ib_Error *remark)
{
    if (remark->text[0]) ib_tell(stderr, "ironbird: warning: '%s': %s\n", page, remark->text);
}

const ib_DesignLoader *design_loader(void)
{
    static ib_DesignLoader loader;
    static ib_PlanCache *cache;
    // Without memory for a cache plans are computed every time.
    if (!cache) loader = ib_design_loader_with(cache = ib_plan_cache_create());
    return &loader;
}

ib_Scenario *load_scenario(const char *file, const ib_ScenarioOptions *options)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_ScenarioOptions all = *options;
    all.designs = design_loader();
    ib_Scenario *scenario = ib_scenario_read(file, &all, &diagnostics);
    if (!scenario) print_diagnostics(file, &diagnostics);
    ib_arena_reset(&arena);
    return scenario;
}

void tell_unread(const char *command, const char *file, const ib_Log *log)
{
    if (log->back_line)
        ib_tell(stderr,
                "ironbird %s: warning: %s:%" PRId64
                ": the time is before that of the row above; all rows were sorted by time\n",
                command, file, log->back_line);
    for (int i = 0; i < log->unread_count; i++) {
        const ib_LogUnread *unread = &log->unread[i];
        bool one = unread->entries == 1;
        bool whole = unread->reason == IB_UNREAD_TYPE || unread->reason == IB_UNREAD_MANY;
        ib_tell(stderr, "ironbird %s: note: '%s': ", command, file);
        if (unread->reason == IB_UNREAD_LONG)
            ib_tell(stderr, "only the first %d elements are read of ", IB_LOG_MAX_ELEMENTS);
        if (unread->reason == IB_UNREAD_SIZE)
            ib_tell(stderr, "records of a size that is not their type's are passed over: ");
        ib_tell(stderr, "%d %s of type '%s'%s, %" PRId64 " record%s%s'%s'", unread->entries,
                one ? "entry" : "entries", ib_quote(unread->type).text,
                i == IB_LOG_MAX_UNREAD - 1 ? " and others" : "", unread->records,
                unread->records == 1 ? "" : "s", one ? ": " : ", such as ",
                ib_quote(unread->example).text);
        if (whole) ib_tell(stderr, ", %s not read", one ? "is" : "are");
        if (unread->reason == IB_UNREAD_MANY)
            ib_tell(stderr, ": there are at most %d signals", IB_LOG_MAX_SIGNALS);
        ib_tell(stderr, "\n");
    }
}

static volatile sig_atomic_t interrupted;

// Ends the program with the exit code of all that is stopped, and without files that are cut.
static void stop_now(int number)
{
    static const char words[] = "ironbird: stopped\n";
    ssize_t said = write(STDERR_FILENO, words, sizeof words - 1);
    (void)number, (void)said;
    ib_output_part_abandon(STDERR_FILENO);
    _exit(EXIT_INTERRUPTED);
}

static void on_interrupt(int number)
{
    if (ib_is_stopped(&interrupted)) stop_now(number);
    ib_stop(&interrupted, number);
}

static void handle(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void begin_interrupt(void)
{
    handle(stop_now);
}

const volatile sig_atomic_t *catch_interrupt(void)
{
    handle(on_interrupt);
    ib_mujoco_heed(&interrupted);
    return &interrupted;
}

// Memory of a scenario goes to the next one, and not back to the system, which would hand out empty
// pages again: half of the time of a short run.
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

void prepare_sweep(ib_SweepPlan *plan, const CommonOptions *common)
{
    keep_memory();
    plan->designs = design_loader();
    plan->overrides = common->overrides;
    plan->override_count = common->scenario.override_count;
    plan->duration = common->scenario.duration;
    plan->plugins = common->scenario.plugins;
    if (!plan->seed_count) plan->seed_count = 1;
}
