#include "desk/design/design_export.h"

#include "base/extreme.h"
#include "base/output.h"
#include "design/export/export.h"
#include "desk/design/design_json.h"
#include "desk/export_folder.h"
#include "desk/trial/trial_pair.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { STEPS_LEAST = 200, STEPS_MOST = 400, DESIGN = IB_EXPORT_PARTS };

// ------------------------------------------------------------------------------------------- trace

// A run with noise and a push on the real plant: to the goal of the trial, away from it in the
// second third, and back, through all gears twice.
typedef struct Course {
    const ib_DesignFile *design;
    int periods;
    double home[IB_STATES_MAX], away[IB_STATES_MAX]; ///< goals
} Course;

static int gear_at(const Course *course, int64_t k)
{
    int gears = course->design->loop->gears, stay = course->periods / (2 * gears) + 1;
    return (int)(k / stay) % gears;
}

static void plan(void *self, int64_t k, ib_TrialAim *now)
{
    const Course *course = self;
    bool away = 3 * k >= course->periods && 3 * k < 2 * course->periods;
    now->gear = gear_at(course, k);
    memcpy(now->goal, away ? course->away : course->home, sizeof now->goal);
}

// The run as the rows of a trace.
typedef struct Recorder {
    const ib_Loop *loop;
    int count;
    double *y, *r, *u, *x;
    int *gear;
} Recorder;

// Records a tick of the trial as a row of the trace, while there is room.
static void record(void *self, const ib_TrialTick *tick)
{
    Recorder *recorder = self;
    int n = recorder->loop->states, m = recorder->loop->inputs, k = recorder->count;
    int p = ib_loop_measured(recorder->loop);
    if (k == STEPS_MOST) return;
    memcpy(recorder->y + k * p, tick->y, (size_t)p * sizeof *tick->y);
    memcpy(recorder->r + k * n, tick->r, (size_t)n * sizeof *tick->r);
    memcpy(recorder->u + k * m, tick->u, (size_t)m * sizeof *tick->u);
    memcpy(recorder->x + k * n, tick->next, (size_t)n * sizeof *tick->next);
    recorder->count++;
}

// The share of periods with an input at a limit; -1: none has limits.
static double saturated(const Recorder *recorder)
{
    const ib_Loop *loop = recorder->loop;
    int m = loop->inputs, rows = 0;
    bool limited = false;
    for (int i = 0; i < m; i++) limited |= isfinite(loop->low[i]) || isfinite(loop->high[i]);
    for (int k = 0; k < recorder->count; k++) {
        bool at = false;
        for (int i = 0; i < m; i++) {
            double u = recorder->u[k * m + i];
            at |= u <= loop->low[i] || u >= loop->high[i];
        }
        rows += at;
    }
    return limited ? (double)rows / recorder->count : -1;
}

// The way from home: that of the trial, or else of a state in the feedback.
static void choose_way(const ib_Trial *trial, double way[IB_STATES_MAX])
{
    const ib_Loop *loop = trial->loop;
    bool moves = false;
    for (int i = 0; i < loop->states; i++) {
        way[i] = trial->start[i] - trial->goal[i];
        moves |= way[i] != 0;
    }
    for (int i = 0; !moves && i < loop->inputs * loop->states; i++) {
        if (loop->gear[0].K[i] == 0) continue;
        way[i % loop->states] = 1;
        moves = true;
    }
}

// Runs the course with a goal so far away that limits bind in a part of the run, but not in most
// of it.
static void run_course(ib_Trial *trial, Course *course, Recorder *recorder)
{
    enum { TRIES = 16 };
    const double little = 0.05, much = 0.5;
    double way[IB_STATES_MAX] = {0}, scale = 1, factor = 1;
    choose_way(trial, way);
    memcpy(course->home, trial->goal, sizeof course->home);
    for (int i = 0; i < TRIES; i++) {
        ib_Error ended; // an unstable loop has a trace, too
        for (int k = 0; k < IB_STATES_MAX; k++) course->away[k] = course->home[k] + scale * way[k];
        recorder->count = 0;
        bool lost = ib_trial_ideal_run(course->design, trial, record, recorder, &ended) != IB_OK;
        double share = saturated(recorder);
        double next = lost || share > much ? 0.5 : share >= 0 && share < little ? 2 : 1;
        if (next == 1 || next * factor == 1) return;
        factor = next;
        scale *= factor;
    }
}

// Makes the trace that checks the exported code: a trial of the loop, row by row, with
// measurements, references and outputs.
static ib_Status make_trace(const ib_DesignFile *design, ib_Arena *arena, ib_ExportTrace *trace,
                            ib_Error *error)
{
    const ib_Loop *loop = design->loop;
    size_t n = (size_t)loop->states, m = (size_t)loop->inputs, p = (size_t)ib_loop_measured(loop);
    double *rows = ib_arena_array(arena, STEPS_MOST, (2 * n + m + p) * sizeof *rows);
    int *gears = ib_arena_array(arena, STEPS_MOST, sizeof *gears);
    ib_TrialPair trials;
    ib_Status status = ib_trial_pair_run(design, 0, NULL, arena, &trials, error);
    if (status != IB_OK) return status;
    if (!rows || !gears) return ib_error_set(error, IB_FAILED, "out of memory for a trace");
    Recorder recorder = {.loop = loop,
                         .y = rows,
                         .r = rows + STEPS_MOST * p,
                         .u = rows + STEPS_MOST * (p + n),
                         .x = rows + STEPS_MOST * (p + n + m),
                         .gear = gears};
    ib_Trial trial = trials.trial;
    double periods = ib_min(floor(trial.duration / loop->period + 0.5) + 1, STEPS_MOST);
    Course course = {.design = design, .periods = (int)ib_max(periods, STEPS_LEAST)};
    trial.known_start = false;
    trial.duration = (course.periods - 1) * loop->period;
    trial.push_at = 0.5 * trial.duration;
    trial.plan = plan;
    trial.plan_self = &course;
    run_course(&trial, &course, &recorder);
    for (int k = 0; k < recorder.count; k++) gears[k] = gear_at(&course, k);
    *trace = (ib_ExportTrace){.steps = recorder.count,
                              .y = recorder.y,
                              .r = recorder.r,
                              .gear = loop->gears > 1 ? gears : NULL,
                              .u = recorder.u,
                              .x = recorder.x};
    // A trial that ended early does not end at rest: its last row has the next goal.
    if (recorder.count < course.periods && recorder.count > 1) {
        trace->steps--;
        trace->r_next = recorder.r + n;
    }
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- files

// The path of a part of the export, or (DESIGN) of the design as JSON.
static ib_Status path_of(const ib_DesignFile *design, const char *folder, int part, char *path,
                         ib_Error *error)
{
    if (part < IB_EXPORT_PARTS)
        return ib_export_path(folder, design->name, (ib_ExportPart)part, path, PATH_MAX, error);
    int length = snprintf(path, PATH_MAX, "%s/extras/%s.json", folder, design->name);
    if (length < PATH_MAX) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "the folder's name is too long");
}

// True if a file begins like those written here.
static bool is_ours(const char *path, int part)
{
    if (part != DESIGN && part != IB_EXPORT_MANIFEST)
        return ib__export_is_ours(path, part == IB_EXPORT_PROPERTIES ? "# " : "// ");
    char start[400] = "";
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(start, 1, sizeof start - 1, file) : 0;
    if (file) fclose(file);
    start[length] = '\0';
    if (part == DESIGN) return strncmp(start, "{\"design\":", 10) == 0;
    return strstr(start, "written by Ironbird") != NULL;
}

// Checks, before writing, that all existing files were written by this program.
static ib_Status check_folder(const ib_DesignFile *design, const char *folder, bool force,
                              ib_Error *error)
{
    struct stat there;
    char path[PATH_MAX];
    ib_Status made = ib__export_make_folder(folder, error);
    if (made != IB_OK) return made;
    for (int i = 0; i <= DESIGN; i++) {
        ib_Status status = path_of(design, folder, i, path, error);
        if (status != IB_OK) return status;
        if (force || stat(path, &there) != 0 || is_ours(path, i)) continue;
        return ib__export_refuse(path, error);
    }
    return IB_OK;
}

static ib_Status write_json(const ib_DesignFile *design, const char *path, ib_Error *error)
{
    FILE *file;
    ib_Status status = ib_output_begin(path, &file, error);
    if (status != IB_OK) return status;
    ib_design_json_write(design, file);
    return ib_output_end(file, path, error);
}

ib_Status ib_design_export(const ib_DesignFile *design, const char *folder, bool force,
                           ib_DesignExported *exported, ib_Error *error)
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
    if (status == IB_OK) status = path_of(design, folder, DESIGN, path, error);
    if (status == IB_OK) status = write_json(design, path, error);
    if (status == IB_OK) {
        trace = ib_export_shorten(design->loop, &options, &trace);
        *exported = (ib_DesignExported){trace.steps, trace.recorded};
    }
    ib_arena_reset(&arena);
    return status;
}
