// robot/roomba/roomba_advice.c: advice for a path that cannot be planned, tried before it is given.
#include "control/blend.h"
#include "robot/roomba/roomba_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What may be changed: one of these.
typedef struct Remedy {
    ib_PathMode mode;
    double blend; ///< [m]; 0: as it is
    double lead;  ///< of a line before the first arc [m]; 0: none
} Remedy;

// A refused path, and what was found for it.
typedef struct Case {
    const ib__RoombaTask *task;
    const ib_PathConfig *path; ///< of the task
    int64_t effort;            ///< that may still be spent on it
    int found;
    char text[IB_ERROR_TEXT]; ///< "; a blend of 3 cm helps"
} Case;

static const double LEAD = 0.1; // m

// Trying a remedy takes up to a third of what the path itself took to be refused: a second for a
// few metres in blends of 1 cm. Longer paths are refused without advice.
static const double LONGEST = 10; // m

static const char *mode_name(ib_PathMode mode)
{
    return mode == IB_PATH_INVERSE ? "inverse" : "schedule";
}

static bool may_lead(const Case *refused)
{
    return refused->path->elements[0].curvature != 0 && refused->path->count < IB_PATH_MAX;
}

static void apply(const Case *refused, Remedy remedy, ib_PathConfig *path)
{
    *path = *refused->path;
    path->mode = remedy.mode;
    if (remedy.blend > 0) path->blend = remedy.blend;
    if (remedy.lead <= 0) return;
    memmove(path->elements + 1, path->elements, (size_t)path->count * sizeof *path->elements);
    path->elements[0] = (ib_PathElement){remedy.lead, 0};
    path->count++;
}

// Short elements cut a blend: is it the same path as with the blend of the file?
static bool is_cut(const Case *refused, Remedy remedy)
{
    ib_Arena arena = {0};
    ib_PathConfig *path = ib_arena_alloc(&arena, sizeof *path);
    ib_BlendedPath *blended = ib_arena_array(&arena, 2, sizeof *blended);
    const double *state = refused->task->state;
    bool moving = state[IB_ROOMBA_VX] != 0 || state[IB_ROOMBA_VY] != 0;
    bool same = path && blended;
    for (int i = 0; i < 2 && same; i++) {
        apply(refused, remedy, path);
        ib_blend_path(path, moving, &blended[i]);
        remedy.blend = 0;
    }
    for (int i = 0; same && i < path->count; i++)
        same = blended[0].blends[i].length == blended[1].blends[i].length;
    ib_arena_reset(&arena);
    return same;
}

static bool helps(Case *refused, Remedy remedy)
{
    ib_Arena arena = {0};
    ib_Plan plan;
    ib__RoombaTask task;
    ib_PathConfig *path = ib_arena_alloc(&arena, sizeof *path);
    if (!path) return false;
    apply(refused, remedy, path);
    bool driven =
        !ib__roomba_prepare(refused->task->model, refused->task->state, path, &task, NULL) &&
        !ib__roomba_find(&task, IB__ROOMBA_FEW_TRIES, &refused->effort, &arena, &plan, NULL);
    ib_arena_reset(&arena);
    return driven;
}

// "; a blend of 3 cm helps"
static void describe(Case *refused, Remedy remedy)
{
    size_t used = strlen(refused->text), size = sizeof refused->text - used;
    char *to = refused->text + used;
    if (remedy.mode != refused->path->mode)
        snprintf(to, size, "; mode: %s helps", mode_name(remedy.mode));
    else if (remedy.lead > 0)
        snprintf(to, size, "; a line of %g cm before the first arc helps", remedy.lead * 100);
    else
        snprintf(to, size, "; a blend of %g cm helps", remedy.blend * 100);
    refused->found++;
}

static bool attempt(Case *refused, Remedy remedy)
{
    if (!helps(refused, remedy)) return false;
    describe(refused, remedy);
    return true;
}

// The first other blend that helps. Longer is not always better: it takes from short elements.
static void attempt_blends(Case *refused)
{
    static const double blends[] = {0.05, 0.03, 0.02, 0.1, 0.01};
    for (size_t i = 0; i < sizeof blends / sizeof *blends; i++) {
        Remedy remedy = {.mode = IB_PATH_INVERSE, .blend = blends[i]};
        if (!is_cut(refused, remedy) && attempt(refused, remedy)) return;
    }
}

void ib__roomba_advise(const ib__RoombaTask *task, ib_Error *error)
{
    const ib_PathConfig *path = task->path;
    if (!error || ib_path_length(path) > LONGEST) return;
    Case refused = {.task = task, .path = path, .effort = IB__ROOMBA_ADVICE_EFFORT};
    bool inverse = path->mode == IB_PATH_INVERSE, lead = inverse && may_lead(&refused);
    Remedy other = {.mode = inverse ? IB_PATH_SCHEDULE : IB_PATH_INVERSE};
    if (inverse) attempt_blends(&refused);
    if (lead) attempt(&refused, (Remedy){.mode = IB_PATH_INVERSE, .lead = LEAD});
    if (!refused.found) attempt(&refused, other);
    if (!refused.found && refused.effort > 0)
        snprintf(refused.text, sizeof refused.text, "; tried in vain: %s%smode: %s",
                 inverse ? "blends of 1 to 10 cm, " : "",
                 lead ? "a line of 10 cm before the first arc, " : "", mode_name(other.mode));
    ib_Error why = *error;
    ib_error_set(error, why.status, "%s%s", why.text, refused.text);
}
