// desk/plan/plan_copy.c: a copy of a plan, independent of its file.
#include "desk/plan/plan_file.h"

#include <string.h>

// A copy of `count` items in the arena; NULL: out of memory.
static void *copy(ib_Arena *arena, const void *from, int count, size_t size)
{
    void *to = ib_arena_array(arena, (size_t)count + 1, size);
    if (to && count > 0) memcpy(to, from, (size_t)count * size);
    return to;
}

static bool copy_track(ib_ArmTrack *track, ib_Arena *arena)
{
    int n = track->path.count;
    track->path.points = copy(arena, track->path.points, n, sizeof *track->path.points);
    track->timing = (ib_ArmTiming){.v = copy(arena, track->timing.v, n, sizeof(double)),
                                   .t = copy(arena, track->timing.t, n, sizeof(double))};
    return track->path.points && track->timing.v && track->timing.t;
}

const ib_ArmPlan *ib_plan_copy(const ib_ArmPlan *plan, ib_Arena *arena)
{
    ib_ArmPlan *made = copy(arena, plan, 1, sizeof *made);
    if (!made) return NULL;
    ib_ArmGoal *goals = copy(arena, plan->goals, plan->goal_count, sizeof *goals);
    ib_ArmTrack *tracks = copy(arena, plan->tracks, plan->track_count, sizeof *tracks);
    bool good = goals && tracks;
    for (int i = 0; good && i < plan->goal_count; i++)
        good = (goals[i].name = ib_arena_text(arena, goals[i].name)) != NULL;
    for (int i = 0; good && i < plan->track_count; i++) good = copy_track(&tracks[i], arena);
    made->name = good ? ib_arena_text(arena, plan->name) : NULL;
    made->goals = goals;
    made->tracks = tracks;
    return made->name ? made : NULL;
}
