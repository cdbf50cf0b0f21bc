#include "desk/plan/plan_cache.h"

#include "base/hash.h"
#include "desk/plan/plan_file.h"
#include "file/contents.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// A plan, and the hash of its files at its computation.
typedef struct Kept {
    ib_PlanFile *file;
    const ib_DataFile *data;
    bool ways;
    uint64_t held;
    struct Kept *next;
} Kept;

struct ib_PlanCache {
    pthread_mutex_t lock; ///< of all fields below
    Kept *first;
    int count;
};

ib_PlanCache *ib_plan_cache_create(void)
{
    ib_PlanCache *cache = calloc(1, sizeof *cache);
    if (cache) pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

static void clear(Kept *kept)
{
    ib_plan_file_destroy(kept->file);
    free(kept);
}

void ib_plan_cache_destroy(ib_PlanCache *cache)
{
    if (!cache) return;
    for (Kept *kept = cache->first, *next; kept; kept = next) {
        next = kept->next;
        clear(kept);
    }
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

static uint64_t hash_files(const ib_PlanFile *file)
{
    return ib_contents_hash(IB_HASH_START, file->yaml.files);
}

// The kept plan of this name; one with changed files is removed.
static const ib_PlanFile *find(ib_PlanCache *cache, const char *path, const ib_DataFile *data,
                               bool ways)
{
    for (Kept **at = &cache->first; *at; at = &(*at)->next) {
        Kept *kept = *at;
        if (kept->data != data || kept->ways != ways) continue;
        if (strcmp(kept->file->yaml.file, path) != 0) continue;
        if (kept->held == hash_files(kept->file)) return kept->file;
        *at = kept->next;
        clear(kept);
        return NULL;
    }
    return NULL;
}

// Keeps a plan; false: no memory, not kept.
static bool keep(ib_PlanCache *cache, ib_PlanFile *file, const ib_DataFile *data, bool ways)
{
    Kept *kept = malloc(sizeof *kept);
    if (!kept) return false;
    *kept = (Kept){file, data, ways, hash_files(file), cache->first};
    cache->first = kept;
    cache->count++;
    return true;
}

// Gives a plan to a scenario. Repeated warnings count once.
static const ib_ArmPlan *hand_over(const ib_PlanFile *file, ib_Reader *reader, ib_Error *error)
{
    for (int i = 0; i < file->yaml.warning_count; i++) {
        const ib_Diagnostic *item = &file->yaml.warnings[i];
        ib_diagnostics_warn(reader->diagnostics, (ib_Place){item->file, item->line, item->column},
                            "%s", item->text);
    }
    bool noted = ib_add_files(reader, file->yaml.files);
    const ib_ArmPlan *plan = noted ? ib_plan_copy(&file->plan, reader->arena) : NULL;
    if (!plan) ib_error_set(error, IB_FAILED, "out of memory for a plan");
    return plan;
}

static const ib_ArmPlan *work_out(ib_PlanCache *cache, ib_Reader *reader, const char *path,
                                  bool ways, ib_Error *error)
{
    ib_ScenarioOptions options = {.data = reader->data};
    ib_PlanUse use = ways ? IB_PLAN_FOR_WAYS : IB_PLAN_FOR_GOALS;
    ib_PlanFile *file = ib_plan_file_read_for(use, path, &options, reader->diagnostics);
    const ib_ArmPlan *plan = file ? hand_over(file, reader, error) : NULL;
    if (!plan || !cache || !keep(cache, file, reader->data, ways)) ib_plan_file_destroy(file);
    return plan;
}

const ib_ArmPlan *ib_plan_cache_take(ib_PlanCache *cache, ib_Reader *reader, const char *path,
                                     bool ways, ib_Error *error)
{
    if (!cache) return work_out(NULL, reader, path, ways, error);
    pthread_mutex_lock(&cache->lock);
    const ib_PlanFile *file = find(cache, path, reader->data, ways);
    const ib_ArmPlan *plan =
        file ? hand_over(file, reader, error) : work_out(cache, reader, path, ways, error);
    pthread_mutex_unlock(&cache->lock);
    return plan;
}

int ib_plan_cache_count(ib_PlanCache *cache)
{
    pthread_mutex_lock(&cache->lock);
    int count = cache->count;
    pthread_mutex_unlock(&cache->lock);
    return count;
}
