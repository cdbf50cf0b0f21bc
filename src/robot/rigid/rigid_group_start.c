// robot/rigid/rigid_group_start.c: overlaps of a world's members and guests at the start: refused,
// or let through for comparison; and loose bodies lifted onto the ground.
#include "base/extreme.h"
#include "robot/rigid/rigid_group_inside.h"

#include <stdio.h>
#include <string.h>

// The member that has a geom of the world, or behind all of them the guest; -1: it is fixed.
static int owner_of(const ib_RigidGroup *group, int geom)
{
    int body = ib_mujoco_geom_body(group->world, geom), owner = -1;
    for (int i = 0; i < group->count; i++)
        if (body >= group->members[i].share.root && body <= group->members[i].share.last) owner = i;
    for (int i = 0; i < group->guest_count; i++)
        if (body > 0 && body == group->guests[i].body) owner = group->count + i;
    return owner;
}

static const ib__RigidVisitor *guest_of(const ib_RigidGroup *group, int owner)
{
    return owner >= group->count ? &group->guests[owner - group->count] : NULL;
}

void ib__rigid_gather_start(const ib_RigidGroup *group, double *whole)
{
    for (int i = 0; i < group->count; i++)
        ib__rigid_gather(group, i, group->members[i].is.robot->rigid->start, whole);
    for (int i = 0; i < group->guest_count; i++)
        ib__rigid_gather_guest(group, i, &group->guests[i].is.start, whole);
}

// The world in its start; NULL without memory. Its contacts are found, though there may be more of
// them than it has room for.
static ib_MujocoWorkspace *place_start(const ib_RigidGroup *group, ib_Arena *arena)
{
    const double still[3] = {0, 0, 0};
    ib_MujocoWorkspace *workspace = ib_mujoco_workspace(group->world, arena);
    double *state = ib_arena_array(arena, (size_t)group->sizes.states, sizeof *state);
    if (!workspace || !state) return NULL;
    ib__rigid_gather_start(group, state);
    ib_Error more;
    ib_mujoco_place(group->world, workspace, state, still, &more);
    return workspace;
}

// Two geoms of different owners that overlap at the start.
typedef struct Overlap {
    double depth;
    int geom[2], owner[2];
} Overlap;

// False: they are of one owner, or no deeper than a millimetre in each other.
static bool find_overlap(const ib_RigidGroup *group, const ib_MujocoWorkspace *workspace, int i,
                         Overlap *overlap)
{
    ib_MujocoContact contact = ib_mujoco_contact(group->world, workspace, i);
    overlap->depth = -contact.gap;
    for (int k = 0; k < 2; k++) {
        overlap->geom[k] = contact.geom[k];
        overlap->owner[k] = owner_of(group, contact.geom[k]);
    }
    return overlap->depth > 1e-3 && overlap->owner[0] != overlap->owner[1];
}

// The name of a geom or of its owner, for people.
static void name_geom(const ib_RigidGroup *group, int geom, int owner, char *text, size_t size)
{
    const char *name = ib_mujoco_name(group->world, IB_MUJOCO_GEOM, geom);
    const ib__RigidVisitor *guest = guest_of(group, owner);
    const char *robot = guest ? guest->is.name : owner >= 0 ? group->members[owner].is.name : "";
    if (owner >= 0)
        snprintf(text, size, "%s", robot[0] ? robot : "the robot");
    else if (strncmp(name, "wall.", 5) == 0)
        snprintf(text, size, "a wall of the field");
    else if (strncmp(name, "field.", 6) == 0)
        snprintf(text, size, "%s", name + 6);
    else if (strncmp(name, "fixed ", 6) == 0)
        snprintf(text, size, "%s", strchr(name, '/') + 1);
    else
        snprintf(text, size, "the ground");
}

// The later of the two is at fault, as it was added to the others; an element of the field is not.
static int refuse(const ib_RigidGroup *group, const Overlap *worst, ib_Error *error)
{
    int side = worst->owner[1] > worst->owner[0];
    const ib__RigidVisitor *guest = guest_of(group, worst->owner[side]);
    if (guest && guest->is.robot < 0) side = !side;
    const char *part = ib_mujoco_name(group->world, IB_MUJOCO_GEOM, worst->geom[side]);
    const char *slash = strchr(part, '/');
    guest = guest_of(group, worst->owner[side]);
    if (guest && guest->is.part && guest->is.part[0]) part = guest->is.part, slash = NULL;
    char own[80], other[80];
    name_geom(group, worst->geom[side], worst->owner[side], own, sizeof own);
    name_geom(group, worst->geom[!side], worst->owner[!side], other, sizeof other);
    ib_error_set(error, IB_BAD_INPUT,
                 "%s begins with its %s %.3g mm inside %s: expected a start clear of it", own,
                 slash ? slash + 1 : part, 1e3 * worst->depth, other);
    return worst->owner[side];
}

int ib_rigid_group_overlap(const ib_RigidGroup *group, ib_Error *error)
{
    Overlap worst = {0}, own;
    ib_Arena arena = {0};
    ib_MujocoWorkspace *workspace = place_start(group, &arena);
    for (int i = 0; workspace && i < ib_mujoco_contact_count(workspace); i++)
        if (find_overlap(group, workspace, i, &own) && own.depth > worst.depth) worst = own;
    ib_arena_reset(&arena);
    return worst.depth > 0 ? refuse(group, &worst, error) : -1;
}

// Bits of a member or a guest, and of those that it ignores.
static unsigned bit_of(const ib_RigidGroup *group, int owner)
{
    const ib__RigidVisitor *guest = guest_of(group, owner);
    return guest ? guest->bit : group->members[owner].bit;
}

static bool ignores(const ib_RigidGroup *group, int owner, unsigned bit)
{
    const ib__RigidVisitor *guest = guest_of(group, owner);
    return ((guest ? guest->ignores : group->members[owner].ignores) & bit) != 0;
}

// All bodies of one robot ignore the same.
static void ignore(ib_RigidGroup *group, int owner, unsigned bit)
{
    const ib__RigidVisitor *guest = guest_of(group, owner);
    if (!guest) group->members[owner].ignores |= bit;
    for (int i = 0; guest && i < group->guest_count; i++)
        if (group->guests[i].is.robot == guest->is.robot) group->guests[i].ignores |= bit;
}

static bool is_loose(const ib_RigidGroup *group, int owner)
{
    return owner < group->count && group->members[owner].bit == 0;
}

bool ib__rigid_let_through(ib_RigidGroup *group)
{
    bool more = false;
    Overlap own;
    ib_Arena arena = {0};
    ib_MujocoWorkspace *workspace = place_start(group, &arena);
    for (int i = 0; workspace && i < ib_mujoco_contact_count(workspace); i++) {
        int a, b;
        if (!find_overlap(group, workspace, i, &own)) continue;
        if ((a = own.owner[0]) < 0 || (b = own.owner[1]) < 0) continue;
        if (is_loose(group, a) || is_loose(group, b)) continue;
        unsigned bit_a = bit_of(group, a), bit_b = bit_of(group, b);
        if (ignores(group, a, bit_b) || ignores(group, b, bit_a)) continue;
        ignore(group, a, bit_b);
        ignore(group, b, bit_a);
        more = true;
    }
    ib_arena_reset(&arena);
    return more;
}

// The height by which a loose body has to be lifted to lie on what is fixed under it; 0: by none.
static double find_lift(const ib_RigidGroup *group, const ib_MujocoWorkspace *workspace, int member)
{
    double lift = 0;
    for (int i = 0; i < ib_mujoco_contact_count(workspace); i++) {
        ib_MujocoContact contact = ib_mujoco_contact(group->world, workspace, i);
        int first = owner_of(group, contact.geom[0]), second = owner_of(group, contact.geom[1]);
        double up = first == member ? -contact.normal[2] : contact.normal[2];
        bool own = (first == member && second < 0) || (second == member && first < 0);
        if (own && up > 0.5) lift = ib_max(lift, -contact.gap / up);
    }
    return lift;
}

void ib__rigid_lift_loose(const ib_RigidGroup *group)
{
    enum { ROUNDS = 20 };
    bool lifted = true;
    for (int round = 0; lifted && round < ROUNDS; round++) {
        ib_Arena arena = {0};
        const ib_MujocoWorkspace *workspace = place_start(group, &arena);
        lifted = false;
        for (int i = 0; workspace && i < group->count; i++) {
            const ib_Rigid *b = group->members[i].is.robot->rigid;
            double lift = b->writer.loose ? find_lift(group, workspace, i) : 0;
            if (lift < 1e-9) continue;
            b->start[b->root.position + 2] += lift;
            lifted = true;
        }
        ib_arena_reset(&arena);
    }
}
