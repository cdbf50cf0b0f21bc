#include "control/routine/routine_outline.h"

#include "base/extreme.h"

#include <math.h>

#define PATH_STEP 0.05 ///< between two points of a planned path [s]

// A way as it grows.
typedef struct Outline {
    const ib_RoutineStep *steps;
    const ib_Locomotion *base;
    ib_BasePose pose; ///< at its end
    ib_WayPoint *points;
    int count, room, moves;
} Outline;

static bool is_full(const Outline *way)
{
    return way->count >= way->room || way->moves >= IB_OUTLINE_MOVES;
}

static void add(Outline *way, int step, bool end, double x, double y, double heading)
{
    if (way->count < way->room) way->points[way->count++] = (ib_WayPoint){x, y, heading, step, end};
}

static void add_path(Outline *way, int step, const ib_MoveConfig *move)
{
    double from[3] = {way->pose.x, way->pose.y, way->pose.heading};
    int parts = (int)ib_min(500, ib_max(1, move->path->duration / PATH_STEP));
    for (int i = 0; i < parts; i++) {
        ib_PlannedSample at = ib_move_path_at(move, from, move->path->duration * i / parts);
        add(way, step, false, at.x, at.y, at.heading);
    }
}

// Corners on the way around obstacles.
static void add_detour(Outline *way, int step, const ib_MoveConfig *move, const double end[3])
{
    double from[2] = {way->pose.x, way->pose.y}, via[IB_DETOUR_VIAS][2];
    int count = ib_detour_find(move->around, from, end, via);
    for (int i = 0; i < count; i++) add(way, step, false, via[i][0], via[i][1], way->pose.heading);
}

static void follow_move(Outline *way, int step)
{
    const ib_MoveConfig *move = &way->steps[step].move;
    double end[3];
    ib_move_end(move, way->base, &way->pose, end);
    if (move->kind == IB_MOVE_PATH) add_path(way, step, move);
    if (move->around) add_detour(way, step, move, end);
    way->moves++;
    way->pose.x = end[0];
    way->pose.y = end[1];
    way->pose.heading = end[2];
    add(way, step, true, end[0], end[1], end[2]);
}

// One step and all inside it. Only moving steps are walked, so that each round of a repeat makes
// the way longer, and the walk ends.
static void walk(Outline *way, int step)
{
    const ib_RoutineStep *own = &way->steps[step];
    if (own->kind == IB_STEP_MOVE) follow_move(way, step);
    if (own->child < 0 || !ib_routine_moves(way->steps, step)) return;
    int rounds = own->kind == IB_STEP_REPEAT ? own->times : 1;
    for (int i = 0; i < rounds && !is_full(way); i++)
        for (int k = own->child; k >= 0 && !is_full(way); k = way->steps[k].next) walk(way, k);
}

int ib_routine_outline(const ib_RoutineStep *steps, const ib_Locomotion *base,
                       const ib_BasePose *start, ib_WayPoint *points, int room)
{
    Outline way = {.steps = steps, .base = base, .pose = *start, .points = points, .room = room};
    add(&way, -1, true, start->x, start->y, start->heading);
    walk(&way, 0);
    return way.count;
}
