// Fuzz target: any bytes as a design file and as the JSON of a design. Each is read or refused with
// located mistakes; what was read is finite and within its bounds, and runs through JSON and back.
// Its name lies in a folder that does not exist, so that robot files lead nowhere.
#include "desk/design/design_file.h"
#include "desk/design/design_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static ib_Diagnostics diagnostics;
static ib_Loop again;

// What a design says must come back from its JSON, bit by bit in the gains.
static void check_round_trip(const ib_DesignFile *design)
{
    char *text = NULL;
    size_t length = 0;
    ib_Error error;
    FILE *file = open_memstream(&text, &length);
    IB_ASSERT(file);
    ib_design_json_write(design, file);
    fclose(file);
    ib_Status status = ib_design_json_read_text(text, length, &again, &error);
    IB_ASSERT((status == IB_OK) == (design->loop != NULL));
    if (design->loop)
        IB_ASSERT(memcmp(design->loop->gear[0].K, again.gear[0].K, sizeof again.gear[0].K) == 0);
    free(text);
}

static void check_design(const ib_DesignFile *design)
{
    IB_ASSERT(design->gear_count >= 1 && design->gear_count <= IB_GEARS_MAX);
    for (int i = 0; i < design->gear_count; i++) {
        const ib_Design *gear = &design->gears[i].design;
        int n = gear->plant.states, m = gear->plant.inputs;
        IB_ASSERT(n >= 1 && n <= IB_STATES_MAX && m >= 1 && m <= IB_INPUTS_MAX);
        for (int k = 0; k < m * n; k++) IB_ASSERT(isfinite(gear->K[k]));
        for (int k = 0; k < n * n; k++) IB_ASSERT(isfinite(gear->plant.A[k]));
        // A gain by weights is only given where the loop is proven to be stable, but for what a
        // latency does to it and for states that it does not feed back.
        if (gear->weighted && gear->delayed_count == 0 && !gear->left_out[0])
            IB_ASSERT(gear->stable);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ib_Override overrides[] = {{"period", "7 ms"}, {"lqr.tolerance.x", "0.3"}};
    ib_Arena arena = {0};
    diagnostics = (ib_Diagnostics){.arena = &arena};
    ib_ScenarioOptions options = {0};
    if (size && data[0] % 2)
        options = (ib_ScenarioOptions){.overrides = overrides, .override_count = 2};
    ib_DesignFile *design = ib_design_file_read_text("no-such-folder/fuzz.yaml", (const char *)data,
                                                     size, &options, &diagnostics);
    IB_ASSERT((design != NULL) == (diagnostics.count == 0));
    for (int i = 0; i < diagnostics.count; i++) {
        const ib_Diagnostic *item = &diagnostics.items[i];
        IB_ASSERT(item->line >= 1 && item->column >= 1 && item->text[0] && item->file[0]);
        IB_ASSERT(!strchr(item->text, '\n'));
    }
    if (design) check_design(design);
    if (design) check_round_trip(design);
    ib_design_file_destroy(design);
    ib_arena_reset(&arena);

    ib_Error error = {.text = ""};
    ib_Status status = ib_design_json_read_text((const char *)data, size, &again, &error);
    IB_ASSERT(status == IB_OK ? ib_loop_check(&again, &error) == IB_OK : error.text[0] != '\0');
    return 0;
}
