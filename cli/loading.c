// cli/loading.c: reading a scenario and telling a person about its mistakes.
#include "cli.h"
#include "desk/door.h"

#include <string.h>

void print_diagnostics(const char *file, const ib_Diagnostics *diagnostics)
{
    for (int i = 0; i < diagnostics->count; i++) {
        char text[2048];
        ib_diagnostic_format(&diagnostics->items[i], text, sizeof text);
        tell(stderr, "%s\n", text);
    }
    if (diagnostics->dropped)
        tell(stderr, "%s: %d more mistakes are not shown\n", file, diagnostics->dropped);
}

ib_Scenario *load_scenario(const char *file, const ib_ScenarioOptions *options)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_ScenarioOptions all = *options;
    all.designs = &ib_desk_door;
    ib_Scenario *scenario = ib_scenario_read(file, &all, &diagnostics);
    if (!scenario) print_diagnostics(file, &diagnostics);
    ib_arena_reset(&arena);
    return scenario;
}

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    interrupted = number;
}

const volatile sig_atomic_t *catch_interrupt(void)
{
    // SA_RESETHAND: the second Ctrl-C ends a program that does not listen to the first.
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &interrupted;
}
