// world/point.c: where bodies push each other, by points. docs/world.md, "Points"
#include "world/room.h"

#include <math.h>

static ib_PushPoint point_of(const ib_World *world, const ib__Touch *touch, const ib__Bond *bond,
                             const ib__Stance *stance, int p)
{
    const double *n = bond->normal[p].on[0];
    double all = 0;
    for (int i = 0; i < bond->points; i++) all += ib__larger(0, bond->jn[i]); // -1e-17 is none
    return (ib_PushPoint){
        .body = touch->frame[0],
        .other = touch->frame[1] < world->body_count ? touch->frame[1] : -1,
        .x = stance->x[p],
        .y = stance->y[p],
        .nx = n[0],
        .ny = n[1],
        .push = bond->jn[p],
        .rub = bond->jt * (bond->jn[p] / all),
        .slide = stance->vt,
    };
}

double ib_point_size(const ib_PushPoint *point)
{
    return sqrt(point->push * point->push + point->rub * point->rub);
}

int ib_world_points(const ib_World *world, const ib_WorldRoom *room, ib_PushPoint *points)
{
    int count = 0;
    for (int i = 0; i < room->touch_count; i++) {
        const ib__Touch *touch = &room->touches[i];
        const ib__Bond *bond = &room->law.bonds[room->bond_of[i]];
        const ib__Law *law = &room->islands[room->home[touch->frame[0]]];
        const ib__Stance *stances = room->struck ? room->stances : ib__room_stances(room, law);
        for (int p = 0; p < bond->points; p++)
            if (bond->jn[p] > 0) points[count++] = point_of(world, touch, bond, &stances[i], p);
    }
    return count;
}
