// Fuzz target: any bytes as a planner's file, for both bases. It is refused with located mistakes,
// or it is a motion: times rise, events and splits are within it, and it is finite at every time.
#include "file/planner.h"

#include <math.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_sample(const ib_PlannedSample *s)
{
    IB_ASSERT(isfinite(s->x) && isfinite(s->y) && isfinite(s->heading));
    IB_ASSERT(isfinite(s->vx) && isfinite(s->vy) && isfinite(s->yaw_rate));
}

static void check(const ib_PlannedPath *path)
{
    IB_ASSERT(path->count >= 2 && path->count <= IB_PLANNED_SAMPLES);
    IB_ASSERT(path->samples[0].t == 0 && path->samples[path->count - 1].t == path->duration);
    IB_ASSERT(isfinite(path->length) && path->length >= 0);
    for (int i = 0; i < path->count; i++) {
        check_sample(&path->samples[i]);
        IB_ASSERT(i == 0 || path->samples[i].t > path->samples[i - 1].t);
    }
    for (int i = 0; i < path->event_count; i++) {
        const ib_PlannedEvent *event = &path->events[i];
        IB_ASSERT(event->name && event->t >= 0 && event->until >= event->t);
        IB_ASSERT(event->until <= path->duration);
        IB_ASSERT(i == 0 || event->t >= event[-1].t);
    }
    for (int i = 0; i < path->split_count; i++)
        IB_ASSERT(path->splits[i] > (i ? path->splits[i - 1] : 0) &&
                  path->splits[i] <= path->duration);
    for (int i = 0; i <= 10; i++) {
        ib_PlannedSample s = ib_planned_at(path, 0.1 * i * path->duration);
        check_sample(&s);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ib_PlannerOptions options[] = {
        {.base = IB_PLANNED_SIDES},
        {.base = IB_PLANNED_ANY_DIRECTION, .robot = {4, 6, 10, 30}},
    };
    for (int i = 0; i < 2; i++) {
        ib_Arena arena = {0};
        ib_Diagnostics diagnostics = {.arena = &arena};
        ib_PlannedPath path;
        bool good = ib_planner_read("fuzz.traj", (const char *)data, size, &options[i], &arena,
                                    &path, &diagnostics);
        IB_ASSERT(good == (diagnostics.count == 0));
        if (good) check(&path);
        ib_arena_reset(&arena);
    }
    return 0;
}
