// Fuzz target: any bytes as a scenario. It is read or refused with located mistakes, nothing else.
// Its name lies in a folder that does not exist, so that robot files lead nowhere. The same bytes
// are also read as the parameters of test/scenario/sample_schema.h, which has every type there is.
#include "../scenario/sample_schema.h"
#include "desk/design/design_loader.h"
#include "file/yaml.h"
#include "scenario/scenario_inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static ib_Diagnostics diagnostics;

static void check_diagnostics(void)
{
    for (int i = 0; i < diagnostics.count; i++) {
        const ib_Diagnostic *item = &diagnostics.items[i];
        IB_ASSERT(item->line >= 1 && item->column >= 1 && item->text[0] && item->file[0]);
        IB_ASSERT(!strchr(item->text, '\n'));
    }
}

// Presets, tables and names: what was read is within its limits, whatever was written.
static void read_sample(const char *text, size_t size)
{
    static Sample sample;
    ib_Arena arena = {0};
    diagnostics = (ib_Diagnostics){.arena = &arena};
    ib_Reader reader = {
        .file = "fuzz.yaml", .arena = &arena, .diagnostics = &diagnostics, .data = sample_files};
    ib_Node *root = ib_yaml_read("fuzz.yaml", text, size, &arena, &diagnostics);
    sample = (Sample){.guard = 77};
    if (root) ib_read_schema(&reader, root, &sample_schema, NULL, &sample);
    IB_ASSERT(sample.guard == 77 && sample.cylinder_count <= SAMPLE_CYLINDERS);
    IB_ASSERT(sample.breaker_trip.count <= IB_TABLE_ROWS && sample.compressor_points.count >= 0);
    if (root)
        IB_ASSERT(sample.breaker_trip.count >= 2 && sample.air_switch[0] < sample.air_switch[1]);
    check_diagnostics();
    ib_arena_reset(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ib_Override overrides[] = {{"robot.mass", "3 kg"},
                                            {"expect.0", "at end: pose.x < 1 m"},
                                            {"inputs.left.0.1", "1 N"},
                                            {"robot.breaker.cooling", "9 s"}};
    ib_Arena arena = {0};
    diagnostics = (ib_Diagnostics){.arena = &arena};

    // An odd first byte also tries what --set, --seed and --duration do to the tree.
    ib_ScenarioOptions options = {.designs = &ib_design_loader};
    if (size && data[0] % 2)
        options = (ib_ScenarioOptions){.overrides = overrides,
                                       .override_count = 4,
                                       .has_seed = true,
                                       .seed = 7,
                                       .duration = "2 s",
                                       .designs = &ib_design_loader};
    ib_Scenario *scenario = ib_scenario_read_text("no-such-folder/fuzz.yaml", (const char *)data,
                                                  size, &options, &diagnostics);
    IB_ASSERT((scenario != NULL) == (diagnostics.count == 0));
    check_diagnostics();
    if (scenario)
        IB_ASSERT(scenario->model && scenario->sim.duration > 0 && scenario->sim.step > 0);
    ib_scenario_destroy(scenario);
    ib_arena_reset(&arena);
    read_sample((const char *)data, size);
    return 0;
}
