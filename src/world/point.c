// world/point.c: the points at which bodies push each other. docs/world/world.md, "The law"
#include "world/workspace.h"

#include <math.h>

static ib_PushPoint point_of(const ib_World *world, const ib__Touch *touch,
                             const ib__Contact *contact, const ib__ContactState *contact_state,
                             int p)
{
    const double *n = contact->normal[p].on[0];
    double all = 0;
    for (int i = 0; i < contact->points; i++)
        all += ib__larger(0, contact->jn[i]); // -1e-17 is none
    return (ib_PushPoint){
        .body = touch->frame[0],
        .other = touch->frame[1] < world->body_count ? touch->frame[1] : -1,
        .x = contact_state->x[p],
        .y = contact_state->y[p],
        .nx = n[0],
        .ny = n[1],
        .push = contact->jn[p],
        .friction_force = contact->jt * (contact->jn[p] / all),
        .slide = contact_state->vt,
    };
}

double ib_point_size(const ib_PushPoint *point)
{
    return sqrt(point->push * point->push + point->friction_force * point->friction_force);
}

int ib_world_points(const ib_World *world, const ib_WorldWorkspace *workspace, ib_PushPoint *points)
{
    int count = 0;
    for (int i = 0; i < workspace->touch_count; i++) {
        const ib__Touch *touch = &workspace->touches[i];
        const ib__Contact *contact = &workspace->law.contacts[workspace->contact_of[i]];
        const ib__Law *law = &workspace->islands[workspace->home[touch->frame[0]]];
        const ib__ContactState *contact_states =
            workspace->struck ? workspace->contact_states : ib__room_contact_states(workspace, law);
        for (int p = 0; p < contact->points; p++)
            if (contact->jn[p] > 0)
                points[count++] = point_of(world, touch, contact, &contact_states[i], p);
    }
    return count;
}
