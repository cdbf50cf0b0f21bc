// world/island.c: bodies that touch each other, directly or through others, and how they stand.
#include "world/workspace.h"

#include <string.h>

// ------------------------------------------------------------------------------- bodies in contact

// The lowest body that `body` is joined to; the way there becomes shorter.
static int root_of(int *joined, int body)
{
    while (joined[body] != body) body = joined[body] = joined[joined[body]];
    return body;
}

// Bodies in contact belong together; fixed elements join nobody. `local` first holds the body to
// which each is joined.
static void join(const ib_World *world, ib_WorldWorkspace *workspace)
{
    int *joined = workspace->local;
    for (int i = 0; i < world->body_count; i++) joined[i] = -1;
    for (int i = 0; i < workspace->touch_count; i++)
        for (int side = 0; side < 2; side++) {
            int body = workspace->touches[i].frame[side];
            if (body < world->body_count) joined[body] = body;
        }
    for (int i = 0; i < workspace->touch_count; i++) {
        const ib__Touch *touch = &workspace->touches[i];
        if (touch->frame[1] >= world->body_count) continue;
        int a = root_of(joined, touch->frame[0]), b = root_of(joined, touch->frame[1]);
        if (a < b) joined[b] = a;
        if (b < a) joined[a] = b;
    }
}

// Counts bodies and contacts of each island, and finds the island of each body.
static void count(const ib_World *world, ib_WorldWorkspace *workspace)
{
    int *joined = workspace->local, *island = workspace->home;
    workspace->island_count = 0;
    for (int i = 0; i < world->body_count; i++) {
        if (joined[i] < 0) continue;
        int root = root_of(joined, i);
        island[i] = root == i ? workspace->island_count++ : island[root];
        if (root == i) workspace->island_body[island[i]] = workspace->island_contact[island[i]] = 0;
        workspace->island_body[island[i]]++;
    }
    for (int i = 0; i < workspace->touch_count; i++)
        workspace->island_contact[island[workspace->touches[i].frame[0]]]++;
}

// Numbers bodies and contacts island by island in their own order, islands by their lowest body.
static void number(const ib_World *world, ib_WorldWorkspace *workspace)
{
    int bodies = 0, contacts = 0, *island = workspace->home;
    for (int k = 0; k < workspace->island_count; k++) {
        int body = workspace->island_body[k], contact = workspace->island_contact[k];
        workspace->island_body[k] = bodies;
        workspace->island_contact[k] = contacts;
        bodies += body;
        contacts += contact;
    }
    for (int i = 0; i < workspace->touch_count; i++) {
        workspace->contact_of[i] =
            workspace->island_contact[island[workspace->touches[i].frame[0]]]++;
        workspace->touch_of[workspace->contact_of[i]] = i;
    }
    for (int i = 0; i < world->body_count; i++)
        if (workspace->local[i] >= 0) workspace->local[i] = workspace->island_body[island[i]]++;
    // The starts have become the ends, which are the starts of the next.
    for (int k = workspace->island_count; k > 0; k--) {
        workspace->island_body[k] = workspace->island_body[k - 1];
        workspace->island_contact[k] = workspace->island_contact[k - 1];
    }
    workspace->island_body[0] = workspace->island_contact[0] = 0;
    for (int i = 0; i < world->body_count; i++)
        if (workspace->local[i] >= 0) workspace->body_of[workspace->local[i]] = i;
}

static void link(const ib_World *world, ib_WorldWorkspace *workspace)
{
    for (int i = 0; i < workspace->touch_count; i++) {
        const ib__Touch *touch = &workspace->touches[i];
        ib__Contact *contact = &workspace->law.contacts[workspace->contact_of[i]];
        contact->points = touch->points;
        for (int side = 0; side < 2; side++) {
            int body = touch->frame[side];
            contact->body[side] =
                body < world->body_count
                    ? workspace->local[body] - workspace->island_body[workspace->home[body]]
                    : -1;
        }
    }
    for (int k = 0; k < workspace->island_count; k++) {
        int body = workspace->island_body[k], contact = workspace->island_contact[k];
        ib__law_create(&workspace->law, body, workspace->island_body[k + 1] - body, contact,
                       workspace->island_contact[k + 1] - contact, &workspace->islands[k]);
    }
}

// True if the contacts are those of the last islands.
static bool is_linked(const ib_WorldWorkspace *workspace)
{
    if (workspace->touch_count != workspace->linked_count) return false;
    for (int i = 0; i < workspace->touch_count; i++)
        if (workspace->linked[i].pair != workspace->touches[i].pair ||
            workspace->linked[i].points != workspace->touches[i].points)
            return false;
    return true;
}

void ib__workspace_islands(const ib_World *world, ib_WorldWorkspace *workspace)
{
    if (is_linked(workspace)) return;
    workspace->linked_count = workspace->touch_count;
    for (int i = 0; i < workspace->touch_count; i++)
        workspace->linked[i] = (ib__Link){workspace->touches[i].pair, workspace->touches[i].points};
    join(world, workspace);
    count(world, workspace);
    number(world, workspace);
    link(world, workspace);
}

void ib__workspace_mark_crowds(ib_WorldWorkspace *workspace, const ib_Rest *modes)
{
    for (int k = 0; k < workspace->island_count; k++) workspace->islands[k].crowded = false;
    for (int i = 0; i < workspace->touch_count; i++)
        workspace->islands[workspace->home[workspace->touches[i].frame[0]]].crowded |=
            modes[i].crowded;
}

// ---------------------------------------------------------------------------------- how they stand

void ib__workspace_stand_island(ib_WorldWorkspace *workspace, int k, const double *inverse_mass,
                                ib__ContactState *contact_states)
{
    ib__Law *law = &workspace->islands[k];
    for (int i = 0; i < law->body_count; i++)
        ib__law_root(inverse_mass + 9 * workspace->body_of[workspace->island_body[k] + i],
                     law->root[i]);
    for (int i = 0; i < law->contact_count; i++) {
        int at = workspace->touch_of[workspace->island_contact[k] + i];
        ib__touch_stand(&workspace->touches[at], workspace->frames, &contact_states[at],
                        &law->contacts[i]);
        law->contacts[i].friction = workspace->touches[at].friction;
    }
    ib__law_renew_rows(law);
}

void ib__workspace_stand(ib_WorldWorkspace *workspace, const double *inverse_mass)
{
    for (int k = 0; k < workspace->island_count; k++)
        ib__workspace_stand_island(workspace, k, inverse_mass, workspace->contact_states);
}
