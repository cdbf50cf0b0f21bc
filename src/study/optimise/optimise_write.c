// study/optimise/optimise_write.c: the best point as a scenario of its own (file/derived.h).
#include "base/output.h"
#include "study/optimise/optimise.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// The folder of a file, as the system knows it, without a slash at its end; false: there is none.
static bool find_folder(const char *file, char folder[PATH_MAX])
{
    char name[PATH_MAX];
    const char *slash = strrchr(file, '/');
    int length = slash ? (int)(slash - file) + 1 : 1;
    snprintf(name, sizeof name, "%.*s", length, slash ? file : ".");
    return realpath(name, folder) != NULL;
}

// The way to `target` from a folder, both as the system knows them: "../robots/x.yaml".
static void find_way(const char *folder, const char *target, char way[PATH_MAX])
{
    size_t same = 0, used = 0, i = 0; // both begin with the same folders, before this slash
    for (; folder[i] && folder[i] == target[i]; i++)
        if (folder[i] == '/') same = i;
    if (!folder[i] && target[i] == '/') same = i;
    way[0] = '\0';
    for (const char *rest = folder + same; rest[0] && rest[1] && used < PATH_MAX; rest++)
        if (rest[0] == '/') used += (size_t)snprintf(way + used, PATH_MAX - used, "../");
    if (used < PATH_MAX) snprintf(way + used, PATH_MAX - used, "%s", target + same + 1);
}

// Writes "  path: value". A value that names a file beside the scenario names it from here.
static void write_value(FILE *file, const char *path, const char *value, const char *scenario,
                        const char *here)
{
    char folder[PATH_MAX], name[2 * PATH_MAX], target[PATH_MAX], way[PATH_MAX];
    struct stat found;
    bool plain = value[0] != '/' && !strpbrk(value, "[]{}\"'\n,:#");
    if (plain && find_folder(scenario, folder)) {
        snprintf(name, sizeof name, "%s/%s", folder, value);
        if (stat(name, &found) == 0 && S_ISREG(found.st_mode) && realpath(name, target)) {
            find_way(here, target, way);
            value = way;
        }
    }
    fprintf(file, "  %s: %s\n", path, value);
}

static void write_file(const ib_Optimisation *optimisation, const char *here, const char *target,
                       FILE *file)
{
    const ib_SweepPlan *plan = &optimisation->plan.sweep;
    const ib_SweepBest *best = &optimisation->best;
    const ib_SweepColumn *column = &optimisation->sweep->columns[best->column];
    char way[PATH_MAX];
    find_way(here, target, way);
    fprintf(file, "# The best of %lld points by 'ironbird optimise': %s%s = %.6g %s\n",
            (long long)best->count, best->largest ? "largest " : "", column->name, best->value.mean,
            strcmp(column->unit, "1") ? column->unit : "");
    fprintf(file, "from: %s\nset:\n", way);
    for (int i = 0; i < plan->override_count; i++)
        write_value(file, plan->overrides[i].path, plan->overrides[i].yaml, plan->file, here);
    if (plan->duration) fprintf(file, "  run.duration: %s\n", plan->duration);
    if (plan->has_seeds) fprintf(file, "  run.seed: %llu\n", (unsigned long long)plan->first_seed);
    for (int i = 0; i < plan->axis_count; i++)
        write_value(file, plan->axes[i].path,
                    optimisation->values[best->order[0] * plan->axis_count + i], plan->file, here);
}

static bool take_hash(void *self, int64_t index, const ib_SweepResult *result)
{
    (void)index;
    *(uint64_t *)self = result->hash;
    return true;
}

// Runs the written file once: it must come out as the best point did.
static ib_Status try_file(const ib_Optimisation *optimisation, const char *path, ib_Error *error)
{
    const ib_SweepPlan *plan = &optimisation->plan.sweep;
    uint64_t hash = 0,
             wanted = optimisation->points
                          .hashes[optimisation->best.order[0] * optimisation->points.seeds];
    ib_SweepPlan once = {
        .file = path, .designs = plan->designs, .plugins = plan->plugins, .seed_count = 1};
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_Sweep *sweep = ib_sweep_create(&once, &diagnostics);
    ib_SweepRun run = {.threads = 1, .take = take_hash, .self = &hash};
    ib_Status status = IB_OK;
    if (sweep)
        status = ib_sweep_run(sweep, &run, error);
    else
        status = ib_error_set(error, IB_FAILED, "'%s' was written and cannot be read: %s", path,
                              diagnostics.count ? diagnostics.items[0].text : "out of memory");
    if (status == IB_OK && hash != wanted)
        status = ib_error_set(error, IB_FAILED,
                              "'%s' was written and runs otherwise than the best point did", path);
    ib_sweep_destroy(sweep);
    ib_arena_reset(&arena);
    return status;
}

ib_Status ib_optimise_write(const ib_Optimisation *optimisation, const char *path, ib_Error *error)
{
    char here[PATH_MAX], target[PATH_MAX];
    FILE *file;
    if (!optimisation->sweep->first)
        return ib_error_set(error, IB_BAD_INPUT,
                            "only a scenario is written to a file, not a design or a plan");
    if (!find_folder(path, here)) return ib_output_failed(path, ENOENT, IB_FAILED, error);
    if (!realpath(optimisation->plan.sweep.file, target))
        return ib_output_failed(optimisation->plan.sweep.file, errno, IB_FAILED, error);
    ib_Status status = ib_output_begin(path, &file, error);
    if (status != IB_OK) return status;
    write_file(optimisation, here, target, file);
    status = ib_output_end(file, path, error);
    return status == IB_OK ? try_file(optimisation, path, error) : status;
}
