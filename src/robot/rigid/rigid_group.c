// robot/rigid/rigid_group.c: the text of a world for several members, compiled; their shares.
#include "robot/rigid/rigid_group.h"

#include "base/extreme.h"
#include "robot/rigid/rigid_group_inside.h"
#include "world/mjcf.h"
#include "world/mujoco_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    unsigned bit = member->bit, others = IB__TOUCH_EVERY & ~bit & ~member->ignores;
    text->prefix = member->prefix;
    text->ground = (ib_RigidTouch){IB__TOUCH_FIXED, IB__TOUCH_LEGS | IB__TOUCH_LOOSE};
    if (writer->loose) {
        text->own = (ib_RigidTouch){IB__TOUCH_LOOSE | IB__TOUCH_FLOOR,
                                    IB__TOUCH_LOOSE | IB__TOUCH_FIXED | IB__TOUCH_EVERY};
        text->floor = (ib_RigidTouch){0, IB__TOUCH_FLOOR};
    } else {
        text->own = (ib_RigidTouch){IB__TOUCH_LEGS | bit,
                                    IB__TOUCH_FIXED | others | (writer->self ? bit : 0)};
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
    for (int i = 0; i < group->guest_count; i++) {
        rows += 100;
        contacts += 24;
        velocities += 6;
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
    ib__rigid_put_guest_meshes(group, text);
    ib_rigid_put(text, "</asset>\n<worldbody>\n");
    put_section(group, IB_RIGID_FLOOR, text);
    text->prefix = "";
    ib__rigid_put_field(group->field, first, text);
    ib__rigid_put_guests(group, true, first, text);
    put_section(group, IB_RIGID_BODIES, text);
    ib__rigid_put_guests(group, false, first, text);
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
    ib__rigid_find_guests(group, &at);
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

// ------------------------------------------------------------------------------------------ making

// A bit of its own for a robot on legs or from a file.
static ib_Status take_bit(int *robots, unsigned *bit, ib_Error *error)
{
    if (*robots == IB__TOUCH_MOST)
        return ib_error_set(error, IB_BAD_INPUT,
                            "expected at most %d robots on legs or from files in one world",
                            IB__TOUCH_MOST);
    *bit = 1u << (IB__TOUCH_FIRST + (*robots)++);
    return IB_OK;
}

static ib_Status init_members(const ib_RigidWorld *of, ib_RigidGroup *group, ib_Arena *arena,
                              ib_Error *error)
{
    int robots = 0;
    ib_Status status = IB_OK;
    for (int i = 0; status == IB_OK && i < group->count; i++) {
        ib__RigidSharer *member = &group->members[i];
        member->is = of->members[i];
        member->prefix = ib_arena_format(arena, "%s/", of->members[i].name);
        if (!member->prefix) return no_memory(error);
        if (!member->is.robot->rigid->writer.loose) status = take_bit(&robots, &member->bit, error);
    }
    for (int i = 0; status == IB_OK && i < group->guest_count; i++) {
        ib__RigidVisitor *guest = &group->guests[i], *before = guest - 1;
        guest->is = of->guests[i];
        if (guest->is.motion == IB_GUEST_FLAT) continue;
        if (i > 0 && before->is.robot == guest->is.robot)
            guest->bit = before->bit;
        else
            status = take_bit(&robots, &guest->bit, error);
    }
    return status;
}

// True if no member meets any other, nor a guest.
static bool are_apart(const ib_RigidGroup *group)
{
    unsigned members = 0, all = 0;
    if (group->count == 1 && group->members[0].bit == 0) return group->guest_count == 0;
    for (int i = 0; i < group->count; i++) {
        if (group->members[i].bit == 0) return false;
        members |= group->members[i].bit;
    }
    all = members;
    for (int i = 0; i < group->guest_count; i++) all |= group->guests[i].bit;
    for (int i = 0; i < group->count; i++)
        if ((group->members[i].ignores | group->members[i].bit) != all) return false;
    for (int i = 0; i < group->guest_count; i++)
        if ((group->guests[i].ignores & members) != members) return false;
    return true;
}

ib_Status ib_rigid_group_create(const ib_RigidWorld *of, ib_Arena *arena,
                                const ib_RigidGroup **result, ib_Error *error)
{
    const ib_FieldConfig *field = of->field;
    bool stands = field && (field->corner_count > 0 || field->element_count > 0);
    ib_RigidGroup *group = ib_arena_alloc(arena, sizeof *group);
    if (!group) return no_memory(error);
    *group = (ib_RigidGroup){.count = of->count, .guest_count = of->guest_count, .field = field};
    group->members = ib_arena_array(arena, (size_t)of->count, sizeof *group->members);
    group->guests = ib_arena_array(arena, (size_t)of->guest_count, sizeof *group->guests);
    if (!group->members || !group->guests) return no_memory(error);
    *result = NULL;
    ib_Status status = init_members(of, group, arena, error);
    if (status == IB_OK) status = compile(group, arena, error);
    while (status == IB_OK && !stands && ib__rigid_let_through(group)) {
        if (are_apart(group)) return IB_OK;
        status = compile(group, arena, error);
    }
    if (status != IB_OK) return status;
    ib__rigid_lift_loose(group);
    *result = group;
    return IB_OK;
}

bool ib_rigid_group_compatible(const ib_RigidGroup *a, const ib_RigidGroup *b)
{
    if (!a || !b) return a == b;
    return a->count == b->count && a->guest_count == b->guest_count &&
           ib_mujoco_compatible(a->world, b->world);
}

size_t ib_rigid_group_memory(const ib_RigidGroup *group)
{
    return ib_mujoco_memory_kept(group->world);
}

const char *ib_rigid_group_mjcf(const ib_RigidGroup *group, ib_Arena *arena)
{
    double *state = ib_arena_array(arena, (size_t)group->sizes.states, sizeof *state);
    if (state) ib__rigid_gather_start(group, state);
    return state ? ib_mjcf_from(group->mjcf, &group->sizes, state, NULL, arena) : NULL;
}
