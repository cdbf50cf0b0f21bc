// Fuzz target: any bytes as a scenario. It is read or refused with located mistakes, nothing else.
// Its name lies in a folder that does not exist, so that robot files lead nowhere.
#include "scenario/scenario.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ib_Diagnostics diagnostics;
    static const ib_Override overrides[] = {
        {"robot.mass", "3 kg"}, {"expect.0", "at end: pose.x < 1 m"}, {"inputs.left.0.1", "1 N"}};
    ib_Arena arena = {0};
    diagnostics = (ib_Diagnostics){.arena = &arena};

    // An odd first byte also tries what --set, --seed and --duration do to the tree.
    ib_ScenarioOptions options = {0};
    if (size && data[0] % 2) options = (ib_ScenarioOptions){overrides, 3, true, 7, "2 s"};
    ib_Scenario *scenario = ib_scenario_read_text("no-such-folder/fuzz.yaml", (const char *)data,
                                                  size, &options, &diagnostics);
    IB_ASSERT((scenario != NULL) == (diagnostics.count == 0));
    for (int i = 0; i < diagnostics.count; i++) {
        const ib_Diagnostic *item = &diagnostics.items[i];
        IB_ASSERT(item->line >= 1 && item->column >= 1 && item->text[0] && item->file[0]);
        IB_ASSERT(!strchr(item->text, '\n'));
    }
    if (scenario)
        IB_ASSERT(scenario->model && scenario->sim.duration > 0 && scenario->sim.step > 0);
    ib_scenario_destroy(scenario);
    ib_arena_reset(&arena);
    return 0;
}
