#include "design_export.h"

#include "design/export.h"
#include "scenario/design_json.h"
#include "scenario/design_run.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { STEPS = 400, ENDINGS = 5 };

static const char *const endings[ENDINGS] = {".h", ".c", "_test.c", "_plugin.c", ".json"};

// ------------------------------------------------------------------------------------------- trace

// What a run with noise and push gave, as the rows of a trace.
typedef struct Recorder {
    const ib_Loop *loop;
    int count;
    double *y, *r, *u, *x;
    int *gear;
} Recorder;

static void record(void *self, const ib_TrialTick *tick)
{
    Recorder *recorder = self;
    int n = recorder->loop->states, p = ib_loop_measured(recorder->loop);
    if (recorder->count == STEPS) return;
    memcpy(recorder->y + recorder->count * p, tick->y, (size_t)p * sizeof *tick->y);
    memcpy(recorder->r + recorder->count * n, tick->r, (size_t)n * sizeof *tick->r);
    recorder->count++;
}

// The loop again, over the same measurements, and through all its gears in turn: what the exported
// one must repeat.
static void replay(Recorder *recorder)
{
    const ib_Loop *loop = recorder->loop;
    int n = loop->states, m = loop->inputs, p = ib_loop_measured(loop);
    int stay = recorder->count / (2 * loop->gears) + 1;
    double state[IB_FEEDBACK_STATES_MAX];
    ib_feedback_reset(loop, NULL, 0, state);
    for (int k = 0; k < recorder->count; k++) {
        const double *r = recorder->r + k * n;
        bool last = k + 1 == recorder->count;
        recorder->gear[k] = k / stay % loop->gears;
        ib_feedback_step(loop, recorder->y + k * p, r, last ? r : r + n, recorder->gear[k],
                         recorder->u + k * m, state);
        memcpy(recorder->x + k * n, state, (size_t)n * sizeof *state);
    }
}

static ib_Status make_trace(const ib_DesignFile *design, ib_Arena *arena, ib_ExportTrace *trace,
                            ib_Error *error)
{
    const ib_Loop *loop = design->loop;
    size_t n = (size_t)loop->states, m = (size_t)loop->inputs, p = (size_t)ib_loop_measured(loop);
    double *rows = ib_arena_array(arena, STEPS, (2 * n + m + p) * sizeof *rows);
    int *gears = ib_arena_array(arena, STEPS, sizeof *gears);
    ib_DesignTrials trials;
    ib_Status status = ib_design_trials_run(design, 0, NULL, arena, &trials, error);
    if (status != IB_OK) return status;
    if (!rows || !gears) return ib_error_set(error, IB_FAILED, "out of memory for a trace");
    Recorder recorder = {.loop = loop,
                         .y = rows,
                         .r = rows + STEPS * p,
                         .u = rows + STEPS * (p + n),
                         .x = rows + STEPS * (p + n + m),
                         .gear = gears};
    ib_Trial trial = trials.trial;
    trial.known_start = false;
    trial.duration = fmin(trial.duration, STEPS * loop->period);
    trial.push_at = fmin(trial.push_at, 0.5 * trial.duration);
    ib_Error ended; // a loop that runs away has a trace all the same
    ib_trial_run(&trial, record, &recorder, &ended);
    replay(&recorder);
    *trace = (ib_ExportTrace){.steps = recorder.count,
                              .y = recorder.y,
                              .r = recorder.r,
                              .gear = loop->gears > 1 ? gears : NULL,
                              .u = recorder.u,
                              .x = recorder.x};
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- files

static ib_Status path_of(const ib_DesignFile *design, const char *folder, int ending, char *path,
                         ib_Error *error)
{
    int length = snprintf(path, PATH_MAX, "%s/%s%s", folder, design->name, endings[ending]);
    if (length < PATH_MAX) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "the folder's name is too long");
}

// Does a file begin as those that are written here do?
static bool is_ours(const char *path, bool json)
{
    char start[400] = "";
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(start, 1, sizeof start - 1, file) : 0;
    if (file) fclose(file);
    start[length] = '\0';
    if (json) return strncmp(start, "{\"design\":", 10) == 0;
    start[strcspn(start, "\n")] = '\0';
    return strncmp(start, "// ", 3) == 0 && strstr(start, "Ironbird") != NULL;
}

// The folder, with those that it is in, as far as they are missing.
static ib_Status make_folder(const char *folder, ib_Error *error)
{
    char path[PATH_MAX];
    struct stat there;
    if (snprintf(path, sizeof path, "%s", folder) >= (int)sizeof path)
        return ib_error_set(error, IB_BAD_INPUT, "the folder's name is too long");
    for (char *end = path + 1; *end; end++) {
        if (*end != '/') continue;
        *end = '\0';
        mkdir(path, 0777); // where it fails, the last one fails too, with the reason
        *end = '/';
    }
    if (mkdir(path, 0777) == 0) return IB_OK;
    int reason = errno;
    if (reason == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode)) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "cannot make the folder '%s': %s", folder,
                        reason == EEXIST ? "there is a file of that name" : strerror(reason));
}

// Before anything is written: is everything that is there already ours?
static ib_Status check_folder(const ib_DesignFile *design, const char *folder, bool force,
                              ib_Error *error)
{
    struct stat there;
    char path[PATH_MAX];
    ib_Status made = make_folder(folder, error);
    if (made != IB_OK) return made;
    for (int i = 0; i < ENDINGS; i++) {
        ib_Status status = path_of(design, folder, i, path, error);
        if (status != IB_OK) return status;
        if (force || stat(path, &there) != 0 || is_ours(path, i == ENDINGS - 1)) continue;
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' is there already, and not from here: nothing was written "
                            "(--force overwrites it)",
                            path);
    }
    return IB_OK;
}

static ib_Status write_json(const ib_DesignFile *design, const char *path, ib_Error *error)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return ib_error_set(error, IB_FAILED, "cannot write '%s': %s", path, strerror(errno));
    ib_design_json_write(design, file);
    bool bad = ferror(file) != 0;
    if (fclose(file) != 0 || bad)
        return ib_error_set(error, IB_FAILED, "cannot write '%s': %s", path, strerror(errno));
    return IB_OK;
}

static void tell(const ib_DesignFile *design, const char *folder, int steps, FILE *file)
{
    const char *name = design->name;
    fprintf(file, "\nwritten to %s, in %s\n", folder, design->single ? "float" : "double");
    fprintf(file,
            "  %s.h, %s.c   the controller; how to call it and build it for boards is in the "
            "header\n",
            name, name);
    fprintf(file, "  %s_test.c   replays %d periods of a run with noise, %s\n", name, steps,
            design->single ? "within a bound that is in it" : "to the last bit");
    fprintf(file, "  %s_plugin.c   runs it in the simulation, through the door for plug-ins\n",
            name);
    fprintf(file, "  %s.json   for control: {design: %s.json} in a scenario\n", name, name);
    fprintf(file,
            "  cd %s && cc -std=c99 -O2 -ffp-contract=off %s.c %s_test.c -o %s_test && ./%s_test\n",
            folder, name, name, name, name);
}

ib_Status design_export(const ib_DesignFile *design, const char *folder, bool force, FILE *file,
                        ib_Error *error)
{
    ib_Arena arena = {0};
    ib_ExportTrace trace;
    ib_ExportOptions options = {.single = design->single};
    char path[PATH_MAX];
    if (!design->loop)
        return ib_error_set(error, IB_BAD_INPUT,
                            "nothing to export: there is no feedback, expected lqr or poles");
    ib_Status status = check_folder(design, folder, force, error);
    if (status == IB_OK) status = make_trace(design, &arena, &trace, error);
    if (status == IB_OK) status = ib_export_loop(design->loop, &options, &trace, folder, error);
    if (status == IB_OK) status = path_of(design, folder, ENDINGS - 1, path, error);
    if (status == IB_OK) status = write_json(design, path, error);
    if (status == IB_OK && file) tell(design, folder, trace.steps, file);
    ib_arena_reset(&arena);
    return status;
}
