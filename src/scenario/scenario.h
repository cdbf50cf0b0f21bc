// scenario/scenario.h: a YAML file becomes a config, with every mistake named at its place.
// Its page is docs/scenario/scenario.md.
#ifndef IB_SCENARIO_SCENARIO_H
#define IB_SCENARIO_SCENARIO_H

#include "base/number_list.h"
#include "scenario/expectation.h"
#include "scenario/yaml_file.h"
#include "sim/model.h"

// A loader at the desk, which computes design files, `control: {design: FILE}`, and plans of arms,
// `control: {kind: arm_path, plan: FILE}`. Reads a design, or the JSON of one, into `loop`; a plan
// into the reader's arena. The reader notes all files read. On mistakes false (NULL), with all of
// them in the reader's diagnostics, or with one in `error` about the place that names the file,
// as `name`.
typedef struct ib_DesignLoader {
    bool (*read)(void *self, ib_Reader *reader, const char *path, const char *name, ib_Loop *loop,
                 ib_Error *error);
    // `ways`: with the ways between its goals, which may take a second to be found.
    const ib_ArmPlan *(*plan)(void *self, ib_Reader *reader, const char *path, bool ways,
                              ib_Error *error);
    void *self; ///< threads that read at the same time share it
} ib_DesignLoader;

// Opens plug-ins (include/ironbird/plugin.h) for `control: {plugin: FILE}`. `period` [s], 0: the
// plug-in's own. `world`: what it is told of its robot; NULL: not known, because of mistakes, so
// that its init is not tried. Its result lives in the arena, or as long as the program.
typedef struct ib_PluginInterface {
    ib_Status (*open)(void *self, const char *path, double period, const ib_NumberList *world,
                      ib_Arena *arena, const ib_Controller **controller, ib_Error *error);
    // Trouble number `index` that its plug-ins had, as one sentence, and the simulated time at
    // which it came first; false: there are fewer.
    bool (*trouble)(const void *self, int index, ib_Time *time, char *text, size_t size);
    bool (*troubled)(const ib_Controller *controller); ///< is one that it has a sentence about
    void *self;
} ib_PluginInterface;

typedef struct ib_ScenarioOptions {
    const ib_Override *overrides;
    int override_count;
    bool has_seed; ///< `seed` replaces run.seed
    uint64_t seed;
    const char *duration;    ///< replaces run.duration ("5 s"), NULL: keep
    const char *robot;       ///< replaces robot.file, NULL: keep
    const ib_DataFile *data; ///< source of presets; NULL: the program's own files
    ib_TreeCache *trees;     ///< trees parsed before; NULL: everything is parsed
    const ib_DesignLoader
        *designs; ///< desk/design/design_loader.h has it; NULL: design files are refused
    const ib_PluginInterface *plugins; ///< NULL: plug-ins are refused
} ib_ScenarioOptions;

typedef struct ib_RecordConfig {
    ib_Time every;              ///< > 0
    const char *const *signals; ///< patterns, NULL-terminated; {"*"} by default
} ib_RecordConfig;

typedef struct ib_Scenario {
    ib_YamlFile yaml; ///< its file, title and warnings; owns everything below
    ib_SimConfig sim;
    ib_Model *model;
    ib_RecordConfig record;
    ib_Expectation *expectations;
    int expectation_count;
} ib_Scenario;

// Reads a file (or, for tests and fuzzing, `length` bytes of text with `file` as its name). On
// mistakes returns NULL with all of them in `diagnostics`, whose arena the caller provides.
ib_Scenario *ib_scenario_read(const char *file, const ib_ScenarioOptions *options,
                              ib_Diagnostics *diagnostics);
ib_Scenario *ib_scenario_read_text(const char *file, const char *text, size_t length,
                                   const ib_ScenarioOptions *options, ib_Diagnostics *diagnostics);

// The robot of a robot file, alone, at rest and without a driver.
ib_Scenario *ib_scenario_read_robot(const char *file, const ib_ScenarioOptions *options,
                                    ib_Diagnostics *diagnostics);

// The signals that the patterns of `record:` name, as indices; NULL without memory.
int *ib_scenario_recorded(const ib_Scenario *scenario, ib_Arena *arena, int *count);

void ib_scenario_destroy(ib_Scenario *scenario);

#endif
