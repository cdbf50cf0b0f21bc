// scenario/scenario.h: a YAML file becomes a config, with every mistake named at its place.
// docs/scenario.md
#ifndef IB_SCENARIO_SCENARIO_H
#define IB_SCENARIO_SCENARIO_H

#include "scenario/diagnostics.h"
#include "scenario/expect.h"
#include "sim/model.h"

// One `--set PATH=YAML`: changes the scenario before it is read.
typedef struct ib_Override {
    const char *path; ///< "robot.mass", "inputs.left", "robots.red.start.x", "expect"
    const char *yaml; ///< "120 lb", "[[0 s, 1 N]]"
} ib_Override;

// Splits "PATH=YAML" in place; false without a '=', or with nothing before it.
bool ib_override_split(char *text, ib_Override *override);

// Opens plug-ins (include/ironbird/plugin.h) for `control: {plugin: FILE}`. `period` [s], 0: the
// plug-in's own. What it makes lives in the arena, or as long as the program.
typedef struct ib_PluginDoor {
    ib_Status (*open)(void *self, const char *path, double period, ib_Arena *arena,
                      const ib_Controller **controller, ib_Error *error);
    // Trouble number `index` that its plug-ins had, as one sentence, and the simulated time at
    // which it came first; false: there are fewer.
    bool (*trouble)(const void *self, int index, ib_Time *time, char *text, size_t size);
    bool (*troubled)(const ib_Controller *controller); ///< is one that it has a sentence about
    void *self;
} ib_PluginDoor;

typedef struct ib_ScenarioOptions {
    const ib_Override *overrides;
    int override_count;
    bool has_seed; ///< `seed` replaces run.seed
    uint64_t seed;
    const char *duration;           ///< replaces run.duration ("5 s"), NULL: keep
    const struct ib_DataFile *data; ///< where presets are looked for, as in scenario/catalogue.h;
                                    ///< NULL: the program's own files
    const ib_PluginDoor *plugins;   ///< NULL: plug-ins are refused
} ib_ScenarioOptions;

typedef struct ib_RecordConfig {
    ib_Time every;              ///< > 0
    const char *const *signals; ///< patterns, NULL-terminated; {"*"} by default
} ib_RecordConfig;

typedef struct ib_Scenario {
    const char *file, *title;
    const char *const *files; ///< all that were read: `file`, then robot files; NULL-terminated
    ib_SimConfig sim;
    ib_Model *model;
    ib_RecordConfig record;
    ib_Expectation *expectations;
    int expectation_count;
    ib_Arena arena; ///< owns everything above
} ib_Scenario;

// Reads a file (or, for tests and fuzzing, `length` bytes of text with `file` as its name). On
// mistakes returns NULL with all of them in `diagnostics`, whose arena the caller provides.
ib_Scenario *ib_scenario_read(const char *file, const ib_ScenarioOptions *options,
                              ib_Diagnostics *diagnostics);
ib_Scenario *ib_scenario_read_text(const char *file, const char *text, size_t length,
                                   const ib_ScenarioOptions *options, ib_Diagnostics *diagnostics);
// The signals that the patterns of `record:` name, as indices; NULL without memory.
int *ib_scenario_recorded(const ib_Scenario *scenario, ib_Arena *arena, int *count);

void ib_scenario_destroy(ib_Scenario *scenario);

// Fills `config` as a scenario would that says nothing about this schema: with its defaults, and
// with what the presets among them stand for.
ib_Status ib_scenario_default(const ib_Schema *schema, void *config, ib_Error *error);

#endif
