// test/scenario/run_rig.h: a scenario as text, its run, and what is seen of it.
#ifndef IB_TEST_RUN_RIG_H
#define IB_TEST_RUN_RIG_H

#include "cmocka_all.h"

#include "desk/design/design_loader.h"
#include "mistakes.h"
#include "scenario/scenario.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

typedef struct Run {
    ib_Arena mistakes;
    ib_Diagnostics diagnostics;
    ib_Scenario *scenario;
    ib_Sim *sim;
    double *signals;
} Run;

// Reads a scenario, whose text is written as for printf; false with its mistakes in the list.
__attribute__((format(printf, 2, 0))) static inline bool read_run(Run *run, const char *format,
                                                                  va_list values)
{
    char text[6000];
    int length = vsnprintf(text, sizeof text, format, values);
    assert_true(length > 0 && length < (int)sizeof text);
    *run = (Run){0};
    run->diagnostics.arena = &run->mistakes;
    run->scenario = ib_scenario_read_text("test.yaml", text, (size_t)length,
                                          &(ib_ScenarioOptions){.designs = &ib_design_loader},
                                          &run->diagnostics);
    return run->scenario != NULL;
}

// Of a scenario that was read; mistakes are printed, and fail.
static inline void start_run(Run *run)
{
    ib_Error error;
    print_mistakes(&run->diagnostics);
    assert_non_null(run->scenario);
    assert_int_equal(ib_sim_create(run->scenario->model, &run->sim, &error), IB_OK);
    run->signals = ib_arena_array(&run->scenario->yaml.arena,
                                  (size_t)run->scenario->model->signals.count, sizeof(double));
    assert_non_null(run->signals);
    ib_sim_sample(run->sim, run->signals);
}

__attribute__((format(printf, 2, 3))) static inline void open_run(Run *run, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    read_run(run, format, values);
    va_end(values);
    start_run(run);
}

static inline void close_run(Run *run)
{
    ib_sim_destroy(run->sim);
    if (run->scenario) ib_scenario_destroy(run->scenario);
    ib_arena_reset(&run->mistakes);
}

// The scenario has a mistake with these words.
__attribute__((format(printf, 2, 3))) static inline void refuse_run(const char *words,
                                                                    const char *format, ...)
{
    Run run;
    va_list values;
    bool said = false;
    va_start(values, format);
    bool good = read_run(&run, format, values);
    va_end(values);
    for (int i = 0; i < run.diagnostics.count; i++) {
        said |= strstr(run.diagnostics.items[i].text, words) != NULL;
        if (!said) print_error("%s\n", run.diagnostics.items[i].text);
    }
    if (good || !said) fail_msg("is not refused with '%s'", words);
    close_run(&run);
}

// On to a time [s]; an adaptive solver may go on to the end of its step.
static inline void go(Run *run, double until)
{
    ib_Error error;
    if (ib_sim_advance(run->sim, ib_time_from_seconds(until), &error) != IB_OK)
        fail_msg("%s", error.text);
    ib_sim_sample(run->sim, run->signals);
}

static inline double see(const Run *run, const char *name)
{
    int at = ib_signals_find(&run->scenario->model->signals, name);
    if (at < 0) fail_msg("no signal %s", name);
    return run->signals[at];
}

#endif
