// robot/rigid_group.c: the text of a world for several members, compiled, and each one's share.
#include "robot/rigid_group.h"

#include "base/extreme.h"
#include "robot/rigid_group_inside.h"
#include "world/mjcf.h"
#include "world/mujoco_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MuJoCo's masks. Each robot on legs has a bit of its own besides: those that a robot has in its
// affinity touch it.
enum {
    LEGS = 1,
    FIXED = 2,
    LOOSE = 4,
    LOOSE_FLOOR = 8, ///< the plane under loose bodies, whose friction they have alone
    FIRST_BIT = 4,
    MOST_LEGS = 27,
};
static const unsigned every = ~15u & 0x7fffffffu;

static ib_Status no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory for a world of several robots");
}

static const ib_Rigid *rigid_of(const ib_RigidGroup *group, int member)
{
    return group->members[member].is.robot->rigid;
}

// ---------------------------------------------------------------------------------------- the text

// The masks of a member, whose terrain everything touches.
static void begin_member(const ib__RigidSharer *member, ib_RigidText *text)
{
    const ib_RigidWriter *writer = &member->is.robot->rigid->writer;
    unsigned bit = member->bit, others = every & ~bit & ~member->ignores;
    text->prefix = member->prefix;
    text->ground = (ib_RigidTouch){FIXED, LEGS | LOOSE};
    if (writer->loose) {
        text->own = (ib_RigidTouch){LOOSE | LOOSE_FLOOR, LOOSE | FIXED | every};
        text->floor = (ib_RigidTouch){0, LOOSE_FLOOR};
    } else {
        text->own = (ib_RigidTouch){LEGS | bit, FIXED | others | (writer->self ? bit : 0)};
        text->floor = (ib_RigidTouch){0, bit};
    }
}

// Writes a section of every member; the plane under loose bodies once.
static void put_section(const ib_RigidGroup *group, int section, ib_RigidText *text)
{
    bool floored = false;
    for (int i = 0; i < group->count; i++) {
        const ib_RigidWriter *writer = &rigid_of(group, i)->writer;
        bool skip = section == IB_RIGID_FLOOR && writer->loose && floored;
        floored |= section == IB_RIGID_FLOOR && writer->loose;
        if (skip) continue;
        begin_member(&group->members[i], text);
        if (section == IB_RIGID_DEFAULTS) ib_rigid_put(text, "<default class='&'>\n");
        writer->write(writer->config, section, text);
        if (section == IB_RIGID_DEFAULTS) ib_rigid_put(text, "</default>\n");
    }
}

// The first robot on legs decides on the cone of friction; without one a loose body does.
static const ib_RigidWriter *first_of(const ib_RigidGroup *group)
{
    for (int i = 0; i < group->count; i++)
        if (!rigid_of(group, i)->writer.loose) return &rigid_of(group, i)->writer;
    return &rigid_of(group, 0)->writer;
}

// Room for contacts, and for MuJoCo's matrices: about 2 nv^2 + 3 rows nv numbers, twice that.
static void put_sizes(const ib_RigidGroup *group, ib_RigidText *text)
{
    double rows = 200, contacts = 50, velocities = 0;
    for (int i = 0; i < group->count; i++) {
        bool loose = rigid_of(group, i)->writer.loose;
        rows += loose ? 100 : 600;
        contacts += loose ? 24 : 100;
        velocities += rigid_of(group, i)->sizes.velocities;
    }
    rows = ib_min(rows, 20000);
    double stack = 2 * (4 * velocities * velocities + 3 * rows * velocities + 40 * rows) + 1e5;
    ib_rigid_put(text, "<size njmax='$' nconmax='$' nstack='$'/>\n", rows, contacts, ceil(stack));
}

static void put_all(const void *of, ib_RigidText *text)
{
    static const char *const names[] = {[IB_RIGID_TENDONS] = "tendon",
                                        [IB_RIGID_EQUALITIES] = "equality",
                                        [IB_RIGID_ACTUATORS] = "actuator",
                                        [IB_RIGID_CONTACTS] = "contact"};
    const ib_RigidGroup *group = of;
    const ib_RigidWriter *first = first_of(group);
    text->prefix = "";
    ib_rigid_put(text, "<mujoco model='group'>\n<compiler angle='radian' autolimits='true'/>\n"
                       "<option timestep='0.001' integrator='Euler'");
    if (first->cone) ib_rigid_put(text, " cone='elliptic' impratio='$'", first->hold);
    ib_rigid_put(text, "/>\n");
    put_sizes(group, text);
    ib_rigid_put(text, "<default>\n");
    put_section(group, IB_RIGID_DEFAULTS, text);
    ib_rigid_put(text, "</default>\n<asset>\n");
    ib__rigid_put_meshes(group->field, text);
    ib_rigid_put(text, "</asset>\n<worldbody>\n");
    put_section(group, IB_RIGID_FLOOR, text);
    text->prefix = "";
    ib__rigid_put_field(group->field, first, text);
    put_section(group, IB_RIGID_BODIES, text);
    ib_rigid_put(text, "</worldbody>\n");
    for (int i = IB_RIGID_TENDONS; i < IB_RIGID_SECTIONS; i++) {
        ib_rigid_put(text, "<%>\n", names[i]);
        put_section(group, i, text);
        ib_rigid_put(text, "</%>\n", names[i]);
    }
    ib_rigid_put(text, "</mujoco>\n");
}

// --------------------------------------------------------------------------------------- the world

static int fixed_geoms(const ib_Mujoco *world, int geoms)
{
    int count = 0;
    while (count < geoms && ib_mujoco_geom_body(world, count) == 0) count++;
    return count;
}

// MuJoCo numbers bodies depth first and everything else body by body, or as written: so each
// member's are in one piece, behind those of the members before it and what is fixed.
static void find_shares(ib_RigidGroup *group)
{
    const ib_Mujoco *world = group->world;
    ib_MujocoSizes at = {.bodies = 1, .geoms = fixed_geoms(world, group->sizes.geoms)};
    for (int i = 0; i < group->count; i++) {
        ib__RigidSharer *member = &group->members[i];
        const ib_Rigid *b = member->is.robot->rigid;
        const ib_MujocoSizes *own = &b->sizes;
        int fixed = fixed_geoms(b->world, own->geoms);
        member->share = (ib_MujocoShare){.root = at.bodies,
                                         .last = at.bodies + own->bodies - 2,
                                         .bodies = at.bodies - 1,
                                         .velocities = at.velocities,
                                         .positions = at.positions,
                                         .activations = at.activations,
                                         .geoms = at.geoms - fixed,
                                         .sites = at.sites,
                                         .tendons = at.tendons,
                                         .controls = at.controls,
                                         .velocity_count = own->velocities};
        char name[128];
        snprintf(name, sizeof name, "%s%s", member->prefix,
                 ib_mujoco_name(b->world, IB_MUJOCO_BODY, 1));
        IB_ASSERT_SAY(ib_mujoco_find(world, IB_MUJOCO_BODY, name) == at.bodies,
                      "the body '%s' is not number %d of its world", name, at.bodies);
        at.bodies += own->bodies - 1;
        at.velocities += own->velocities;
        at.positions += own->positions;
        at.activations += own->activations;
        at.geoms += own->geoms - fixed;
        at.sites += own->sites;
        at.tendons += own->tendons;
        at.controls += own->controls;
        group->follows |= own->tendons > 0;
    }
    IB_ASSERT(at.bodies == group->sizes.bodies && at.geoms == group->sizes.geoms &&
              at.velocities == group->sizes.velocities && at.positions == group->sizes.positions &&
              at.sites == group->sizes.sites && at.tendons == group->sizes.tendons &&
              at.controls == group->sizes.controls);
}

static ib_Status compile(ib_RigidGroup *group, ib_Arena *arena, ib_Error *error)
{
    ib_RigidText text = {.boxes = calloc(IB_TERRAIN_BOXES, sizeof(ib_TerrainBox))};
    group->mjcf = text.boxes ? ib_rigid_compose(put_all, group, &text, arena) : NULL;
    free(text.boxes);
    if (!group->mjcf) return no_memory(error);
    if (text.full)
        return ib_error_set(error, IB_BAD_INPUT,
                            "terrain: the robots of this world have more than %d boxes together",
                            IB_TERRAIN_BOXES);
    ib_Status status = ib_mujoco_compile("the MJCF of a shared world", group->mjcf,
                                         strlen(group->mjcf), arena, &group->world, error);
    if (status != IB_OK) return status;
    group->sizes = ib_mujoco_sizes(group->world);
    find_shares(group);
    return IB_OK;
}

void ib__rigid_gather(const ib_RigidGroup *group, int member, const double *own, double *whole)
{
    const ib_MujocoSizes *n = &rigid_of(group, member)->sizes, *all = &group->sizes;
    const ib_MujocoShare *share = &group->members[member].share;
    size_t q = (size_t)n->positions, v = (size_t)n->velocities, a = (size_t)n->activations;
    double *speeds = whole + all->positions, *acts = speeds + all->velocities;
    memcpy(whole + share->positions, own, q * sizeof *own);
    memcpy(speeds + share->velocities, own + q, v * sizeof *own);
    memcpy(acts + share->activations, own + q + v, a * sizeof *own);
    memcpy(acts + all->activations + share->velocities, own + q + v + a, v * sizeof *own);
}

void ib__rigid_scatter(const ib_RigidGroup *group, int member, const double *whole, double *own)
{
    const ib_MujocoSizes *n = &rigid_of(group, member)->sizes, *all = &group->sizes;
    const ib_MujocoShare *share = &group->members[member].share;
    size_t q = (size_t)n->positions, v = (size_t)n->velocities, a = (size_t)n->activations;
    const double *speeds = whole + all->positions, *acts = speeds + all->velocities;
    memcpy(own, whole + share->positions, q * sizeof *own);
    memcpy(own + q, speeds + share->velocities, v * sizeof *own);
    memcpy(own + q + v, acts + share->activations, a * sizeof *own);
    memcpy(own + q + v + a, acts + all->activations + share->velocities, v * sizeof *own);
}

// --------------------------------------------------------------------------------------- the start

// The member that has a geom of the world; -1: it is fixed.
static int owner_of(const ib_RigidGroup *group, int geom)
{
    int body = ib_mujoco_geom_body(group->world, geom), owner = -1;
    for (int i = 0; i < group->count; i++)
        if (body >= group->members[i].share.root && body <= group->members[i].share.last) owner = i;
    return owner;
}

// The world in its start; NULL without memory. Its contacts are found, though there may be more of
// them than it has room for.
static ib_MujocoWorkspace *place_start(const ib_RigidGroup *group, ib_Arena *arena)
{
    const double still[3] = {0, 0, 0};
    ib_MujocoWorkspace *workspace = ib_mujoco_workspace(group->world, arena);
    double *state = ib_arena_array(arena, (size_t)group->sizes.states, sizeof *state);
    if (!workspace || !state) return NULL;
    for (int i = 0; i < group->count; i++)
        ib__rigid_gather(group, i, rigid_of(group, i)->start, state);
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
    const char *robot = owner >= 0 ? group->members[owner].is.name : "";
    if (owner >= 0)
        snprintf(text, size, "%s", robot[0] ? robot : "the robot");
    else if (strncmp(name, "wall.", 5) == 0)
        snprintf(text, size, "a wall of the field");
    else if (strncmp(name, "field.", 6) == 0)
        snprintf(text, size, "%s", name + 6);
    else
        snprintf(text, size, "the ground");
}

static int refuse(const ib_RigidGroup *group, const Overlap *worst, ib_Error *error)
{
    int side = worst->owner[1] > worst->owner[0]; // the later one, as it was added to the others
    int member = worst->owner[side];
    const ib__RigidSharer *is = &group->members[member];
    const char *part = ib_mujoco_name(group->world, IB_MUJOCO_GEOM, worst->geom[side]);
    char other[80];
    name_geom(group, worst->geom[!side], worst->owner[!side], other, sizeof other);
    ib_error_set(error, IB_BAD_INPUT,
                 "%s begins with its %s %.3g mm inside %s: expected a start clear of it",
                 is->is.name[0] ? is->is.name : "the robot", part + strlen(is->prefix),
                 1e3 * worst->depth, other);
    return member;
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

// Robots on legs that start inside each other pass through each other. True if more do now.
static bool let_through(ib_RigidGroup *group)
{
    bool more = false;
    Overlap own;
    ib_Arena arena = {0};
    ib_MujocoWorkspace *workspace = place_start(group, &arena);
    for (int i = 0; workspace && i < ib_mujoco_contact_count(workspace); i++) {
        if (!find_overlap(group, workspace, i, &own) || own.owner[0] < 0 || own.owner[1] < 0)
            continue;
        ib__RigidSharer *a = &group->members[own.owner[0]], *b = &group->members[own.owner[1]];
        if (!a->bit || !b->bit || a->ignores & b->bit) continue;
        a->ignores |= b->bit;
        b->ignores |= a->bit;
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

// Loose bodies begin on the ground that robots on legs have brought with them: their starts know
// the plane alone.
static void lift_loose(const ib_RigidGroup *group)
{
    enum { ROUNDS = 20 };
    bool lifted = true;
    for (int round = 0; lifted && round < ROUNDS; round++) {
        ib_Arena arena = {0};
        const ib_MujocoWorkspace *workspace = place_start(group, &arena);
        lifted = false;
        for (int i = 0; workspace && i < group->count; i++) {
            const ib_Rigid *b = rigid_of(group, i);
            double lift = b->writer.loose ? find_lift(group, workspace, i) : 0;
            if (lift < 1e-9) continue;
            b->start[b->root.position + 2] += lift;
            lifted = true;
        }
        ib_arena_reset(&arena);
    }
}

// ------------------------------------------------------------------------------------------ making

static ib_Status init_members(const ib_RigidMember *members, ib_RigidGroup *group, ib_Arena *arena,
                              ib_Error *error)
{
    int legs = 0;
    for (int i = 0; i < group->count; i++) {
        ib__RigidSharer *member = &group->members[i];
        member->is = members[i];
        member->prefix = ib_arena_format(arena, "%s/", members[i].name);
        if (!member->prefix) return no_memory(error);
        if (members[i].robot->rigid->writer.loose) continue;
        if (legs == MOST_LEGS)
            return ib_error_set(error, IB_BAD_INPUT,
                                "expected at most %d robots on legs in one world", MOST_LEGS);
        member->bit = 1u << (FIRST_BIT + legs++);
    }
    return IB_OK;
}

// True if no member meets any other.
static bool are_apart(const ib_RigidGroup *group)
{
    unsigned all = 0;
    for (int i = 0; i < group->count; i++) {
        if (group->members[i].bit == 0) return group->count == 1;
        all |= group->members[i].bit;
    }
    for (int i = 0; i < group->count; i++)
        if ((group->members[i].ignores | group->members[i].bit) != all) return false;
    return true;
}

ib_Status ib_rigid_group_create(const ib_RigidMember *members, int count,
                                const ib_FieldConfig *field, ib_Arena *arena,
                                const ib_RigidGroup **result, ib_Error *error)
{
    ib_RigidGroup *group = ib_arena_alloc(arena, sizeof *group);
    if (!group) return no_memory(error);
    *group = (ib_RigidGroup){.count = count, .field = field};
    group->members = ib_arena_array(arena, (size_t)count, sizeof *group->members);
    if (!group->members) return no_memory(error);
    *result = NULL;
    ib_Status status = init_members(members, group, arena, error);
    if (status == IB_OK) status = compile(group, arena, error);
    while (status == IB_OK && !ib_rigid_group_wants(field) && let_through(group)) {
        if (are_apart(group)) return IB_OK;
        status = compile(group, arena, error);
    }
    if (status != IB_OK) return status;
    lift_loose(group);
    *result = group;
    return IB_OK;
}

bool ib_rigid_group_compatible(const ib_RigidGroup *a, const ib_RigidGroup *b)
{
    if (!a || !b) return a == b;
    return a->count == b->count && ib_mujoco_compatible(a->world, b->world);
}

size_t ib_rigid_group_memory(const ib_RigidGroup *group)
{
    return ib_mujoco_memory_kept(group->world);
}

const char *ib_rigid_group_mjcf(const ib_RigidGroup *group, ib_Arena *arena)
{
    double *state = ib_arena_array(arena, (size_t)group->sizes.states, sizeof *state);
    for (int i = 0; state && i < group->count; i++)
        ib__rigid_gather(group, i, rigid_of(group, i)->start, state);
    return state ? ib_mjcf_from(group->mjcf, &group->sizes, state, NULL, arena) : NULL;
}
