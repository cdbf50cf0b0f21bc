// robot/rigid/rigid_group_guests.c: the text of guests in a shared world, and their shares.
#include "robot/rigid/rigid_group_inside.h"

#include <string.h>

// --------------------------------------------------------------------------------------- the masks

// Guests on the floor meet robots on legs or from files and loose bodies, each other and fixed
// objects in the planar world alone. A robot from a file is like one on legs, but its own file
// has its floor, and its bodies among each other and against its own fixed ones.
static ib_RigidTouch touch_of(const ib__RigidVisitor *guest)
{
    unsigned others = IB__TOUCH_EVERY & ~guest->bit & ~guest->ignores;
    if (guest->is.motion == IB_GUEST_FREE)
        return (ib_RigidTouch){IB__TOUCH_LEGS | guest->bit, IB__TOUCH_FIXED | others};
    return (ib_RigidTouch){0, IB__TOUCH_LOOSE | others};
}

// ---------------------------------------------------------------------------------------- the text

void ib__rigid_put_guest_meshes(const ib_RigidGroup *group, ib_RigidText *text)
{
    for (int i = 0; i < group->guest_count; i++) {
        const ib_RigidGuest *guest = &group->guests[i].is;
        for (int k = 0; k < guest->geom_count; k++) {
            const ib_GuestGeom *geom = &guest->geoms[k];
            if (geom->shape != IB_MUJOCO_MESH) continue;
            ib_rigid_put(text, "<mesh name='guest $.$' vertex='", (double)i, (double)k);
            for (int j = 0; j < geom->point_count; j++)
                ib_rigid_put(text, "@3 ", geom->points + (ptrdiff_t)3 * j);
            ib_rigid_put(text, "'/>\n");
        }
    }
}

static void put_geoms(const ib_RigidGroup *group, int i, const ib_RigidWriter *robot,
                      ib_RigidText *text)
{
    static const char *const shapes[] = {[IB_MUJOCO_SPHERE] = "sphere",
                                         [IB_MUJOCO_CAPSULE] = "capsule",
                                         [IB_MUJOCO_ELLIPSOID] = "ellipsoid",
                                         [IB_MUJOCO_CYLINDER] = "cylinder",
                                         [IB_MUJOCO_BOX] = "box",
                                         [IB_MUJOCO_MESH] = "mesh"};
    const ib_RigidGuest *guest = &group->guests[i].is;
    for (int k = 0; k < guest->geom_count; k++) {
        const ib_GuestGeom *geom = &guest->geoms[k];
        ib_rigid_put(text, "<geom type='%'", shapes[geom->shape]);
        if (guest->motion == IB_GUEST_STILL)
            ib_rigid_put(text, " name='fixed $/%'", (double)k, guest->name);
        else if (guest->robot < 0)
            ib_rigid_put(text, " name='field.%'", guest->name);
        else if (guest->motion == IB_GUEST_FLAT)
            ib_rigid_put(text, " name='%/outline'", guest->name);
        else
            ib_rigid_put(text, " name='%/part $.$'", guest->name, (double)i, (double)k);
        if (geom->shape == IB_MUJOCO_MESH)
            ib_rigid_put(text, " mesh='guest $.$'", (double)i, (double)k);
        else
            ib_rigid_put(text, " size='@3'", geom->size);
        ib_rigid_put(text, " pos='@3' quat='@4'", geom->at, geom->turned);
        ib__rigid_put_surface(robot, geom->friction, touch_of(&group->guests[i]), text);
    }
}

static void put_body(const ib_RigidGroup *group, int i, const ib_RigidWriter *robot,
                     ib_RigidText *text)
{
    const ib_RigidGuest *guest = &group->guests[i].is;
    const ib_MujocoInertia *inertia = &guest->inertia;
    ib_rigid_put(text, "<body name='guest $/%'>\n", (double)i, guest->name);
    if (guest->motion == IB_GUEST_FLAT)
        ib_rigid_put(text,
                     "<joint type='slide' axis='1 0 0'/>\n<joint type='slide' axis='0 1 0'/>\n"
                     "<joint type='hinge' axis='0 0 1'/>\n");
    else
        ib_rigid_put(text, "<freejoint/>\n");
    ib_rigid_put(text, "<inertial pos='@3' quat='@4' mass='$' diaginertia='@3'/>\n", inertia->at,
                 inertia->turned, inertia->mass, inertia->moments);
    put_geoms(group, i, robot, text);
    ib_rigid_put(text, "</body>\n");
}

void ib__rigid_put_guests(const ib_RigidGroup *group, bool still, const ib_RigidWriter *robot,
                          ib_RigidText *text)
{
    text->prefix = "";
    for (int i = 0; i < group->guest_count; i++) {
        bool is_still = group->guests[i].is.motion == IB_GUEST_STILL;
        if (is_still != still) continue;
        if (still)
            put_geoms(group, i, robot, text);
        else
            put_body(group, i, robot, text);
    }
}

// ------------------------------------------------------------------------------------------ states

static int position_count(ib_GuestMotion motion)
{
    return motion == IB_GUEST_FLAT ? 3 : motion == IB_GUEST_FREE ? 7 : 0;
}

static int velocity_count(ib_GuestMotion motion)
{
    return motion == IB_GUEST_FLAT ? 3 : motion == IB_GUEST_FREE ? 6 : 0;
}

void ib__rigid_find_guests(ib_RigidGroup *group, ib_MujocoSizes *at)
{
    for (int i = 0; i < group->guest_count; i++) {
        ib__RigidVisitor *guest = &group->guests[i];
        guest->position = at->positions;
        guest->velocity = at->velocities;
        guest->body = 0;
        if (guest->is.motion == IB_GUEST_STILL) continue; // its geoms are fixed
        guest->body = at->bodies++;
        at->positions += position_count(guest->is.motion);
        at->velocities += velocity_count(guest->is.motion);
        at->geoms += guest->is.geom_count;
    }
}

void ib__rigid_gather_guest(const ib_RigidGroup *group, int i, const ib_GuestState *own,
                            double *whole)
{
    const ib_MujocoSizes *all = &group->sizes;
    const ib__RigidVisitor *guest = &group->guests[i];
    size_t positions = (size_t)position_count(guest->is.motion);
    size_t velocities = (size_t)velocity_count(guest->is.motion);
    double *speeds = whole + all->positions, *search = speeds + all->velocities + all->activations;
    memcpy(whole + guest->position, own->position, positions * sizeof *whole);
    memcpy(speeds + guest->velocity, own->velocity, velocities * sizeof *whole);
    memset(search + guest->velocity, 0, velocities * sizeof *whole);
}
