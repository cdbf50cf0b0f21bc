#include "study/recording.h"

#include "base/hash.h"
#include "base/json.h"
#include "file/contents.h"
#include "sim/geometry.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- writing

const char *ib_recording_fingerprint(const ib_Scenario *scenario, ib_Arena *arena)
{
    uint64_t version = ib_hash_text(IB_HASH_START, IB_VERSION);
    uint64_t hash = ib_contents_hash(version, scenario->yaml.files);
    return ib_arena_format(arena, "%016" PRIx64, hash);
}

// ["robot.mass=50 kg", …]; NULL without memory.
static const char *list_overrides(const ib_ScenarioOptions *options, ib_Arena *arena)
{
    ib_JsonMemory memory;
    char seed[24];
    ib_Override last[2] = {{"run.duration", options->duration}, {"run.seed", NULL}};
    snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
    if (options->has_seed) last[1].yaml = seed;
    if (!ib_json_memory_open(&memory)) return NULL;
    ib_json_open(&memory.json, NULL, '[');
    bool whole = true;
    for (int i = 0; i < options->override_count + 2; i++) {
        int own = i - options->override_count;
        const ib_Override *one = own < 0 ? &options->overrides[i] : &last[own];
        if (!one->yaml) continue;
        const char *line = ib_arena_format(arena, "%s=%s", one->path, one->yaml);
        if (line) ib_json_text(&memory.json, NULL, line);
        whole &= line != NULL;
    }
    ib_json_close(&memory.json, ']');
    const char *text = ib_json_memory_close(&memory, arena);
    return whole ? text : NULL;
}

int ib_recording_facts(const ib_Scenario *scenario, const ib_ScenarioOptions *options,
                       ib_Arena *arena, ib_LogFact facts[IB_RECORDING_FACTS])
{
    const ib_Geometry *geometry = ib_model_geometry(scenario->model, arena);
    ib_LogFact all[] = {
        {"title", scenario->yaml.title},
        {"scenario", scenario->yaml.file},
        {"program", "ironbird " IB_VERSION},
        {"overrides", list_overrides(options, arena)},
        {"fingerprint", ib_recording_fingerprint(scenario, arena)},
        {"geometry", geometry ? ib_geometry_text(geometry, arena) : NULL},
    };
    enum { COUNT = sizeof all / sizeof all[0] };
    _Static_assert((int)COUNT <= (int)IB_RECORDING_FACTS, "room for all facts");
    for (int i = 0; i < COUNT; i++) {
        if (!all[i].value) return -1;
        facts[i] = all[i];
    }
    return COUNT;
}

// ----------------------------------------------------------------------------------------- reading

const char *ib_recording_fact(const ib_Log *log, const char *key)
{
    for (int i = 0; i < log->fact_count; i++)
        if (strcmp(log->facts[i].key, key) == 0) return log->facts[i].value;
    return NULL;
}

// The overrides of the recorded run go before those of the caller, which win.
static ib_Status take_overrides(const json_t *list, ib_Arena *arena, ib_Override *overrides,
                                int most, int *count, ib_Error *error)
{
    size_t index;
    json_t *item;
    int taken = 0;
    if (!json_is_array(list) || json_array_size(list) > (size_t)(most - *count))
        return ib_error_set(error, IB_BAD_INPUT, "its overrides are no list, or too many");
    memmove(overrides + json_array_size(list), overrides, (size_t)*count * sizeof *overrides);
    json_array_foreach(list, index, item)
    {
        const char *text = json_string_value(item);
        char *copy = text ? ib_arena_text(arena, text) : NULL;
        if (!copy || !ib_override_split(copy, &overrides[taken++]))
            return ib_error_set(error, IB_BAD_INPUT, "its overrides are not 'path=value'");
    }
    *count += taken;
    return IB_OK;
}

ib_Status ib_recording_overrides(const ib_Log *log, ib_Arena *arena, ib_Override *overrides,
                                 int most, int *count, ib_Error *error)
{
    const char *text = ib_recording_fact(log, "overrides");
    if (!text) return IB_OK;
    json_t *list = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ib_Status status = take_overrides(list, arena, overrides, most, count, error);
    json_decref(list);
    return status;
}
