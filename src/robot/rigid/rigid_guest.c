// robot/rigid/rigid_guest.c: bodies of a robot with a MuJoCo world of its own, as guests.
#include "robot/rigid/rigid_guest.h"

#include "base/quaternion.h"
#include "robot/rigid/rigid_inside.h"

#include <string.h>

// ------------------------------------------------------------------------------------------ bodies

static bool is_met(const ib_Mujoco *world, int geom)
{
    ib_MujocoShape shape = ib_mujoco_geom(world, geom).shape;
    return ib_mujoco_geom_touches(world, geom) && shape != IB_MUJOCO_PLANE &&
           shape != IB_MUJOCO_HEIGHTS;
}

// The body that a geom counts to: what is fixed is one body, number 0.
static int body_of(const ib_Mujoco *world, int geom)
{
    int body = ib_mujoco_geom_body(world, geom);
    return ib_mujoco_body(world, body).fixed ? 0 : body;
}

static void multiply(const double a[4], const double b[4], double product[4])
{
    product[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    product[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    product[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    product[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

// A vector of the body's own frame in the outer one.
static void turn_out(const double q[4], const double own[3], double outer[3])
{
    ib_quaternion_into((double[]){q[0], -q[1], -q[2], -q[3]}, own, outer);
}

// A fixed geom stands in the field's frame, where its body is placed.
static void fix_geom(const ib_MujocoWorkspace *placed, int body, ib_GuestGeom *geom)
{
    const double *at = ib_mujoco_body_places(placed) + (ptrdiff_t)3 * body;
    const double *turned = ib_mujoco_body_turns(placed) + (ptrdiff_t)4 * body;
    double place[3], turn[4];
    turn_out(turned, geom->at, place);
    multiply(turned, geom->turned, turn);
    for (int k = 0; k < 3; k++) geom->at[k] = at[k] + place[k];
    memcpy(geom->turned, turn, sizeof turn);
}

static bool copy_geom(const ib_Mujoco *world, int id, ib_Arena *arena, ib_GuestGeom *geom)
{
    ib_MujocoGeom from = ib_mujoco_geom(world, id);
    *geom = (ib_GuestGeom){.shape = from.shape, .friction = ib_mujoco_geom_friction(world, id)};
    memcpy(geom->size, from.size, sizeof geom->size);
    memcpy(geom->at, from.at, sizeof geom->at);
    memcpy(geom->turned, from.turned, sizeof geom->turned);
    if (from.shape != IB_MUJOCO_MESH) return true;
    const float *vertices = ib_mujoco_mesh(world, id);
    geom->point_count = ib_mujoco_mesh_count(world, id);
    double *points = ib_arena_array(arena, 3 * (size_t)geom->point_count, sizeof *points);
    for (int i = 0; points && i < 3 * geom->point_count; i++) points[i] = vertices[i];
    geom->points = points;
    return points != NULL;
}

static int count_geoms(const ib_Mujoco *world, int geoms, int body)
{
    int count = 0;
    for (int i = 0; i < geoms; i++) count += is_met(world, i) && body_of(world, i) == body;
    return count;
}

static bool fill_guest(const ib_PartsModel *robot, const ib_MujocoWorkspace *placed, int body,
                       ib_Arena *arena, ib_RigidGuest *guest)
{
    const ib_Rigid *b = robot->rigid;
    int count = count_geoms(b->world, b->sizes.geoms, body);
    ib_GuestGeom *geoms = ib_arena_array(arena, (size_t)count, sizeof *geoms);
    *guest = (ib_RigidGuest){.part = ib_mujoco_name(b->world, IB_MUJOCO_BODY, body),
                             .body = body,
                             .motion = body == 0 ? IB_GUEST_STILL : IB_GUEST_FREE,
                             .inertia = ib_mujoco_inertia_of(b->world, body)};
    guest->geoms = geoms;
    for (int i = 0; geoms && i < b->sizes.geoms; i++) {
        if (!is_met(b->world, i) || body_of(b->world, i) != body) continue;
        if (!copy_geom(b->world, i, arena, &geoms[guest->geom_count])) return false;
        if (body == 0)
            fix_geom(placed, ib_mujoco_geom_body(b->world, i), &geoms[guest->geom_count]);
        guest->geom_count++;
    }
    if (body == 0 || !geoms) return geoms != NULL;
    memcpy(guest->start.position, ib_mujoco_body_places(placed) + (ptrdiff_t)3 * body,
           3 * sizeof(double));
    memcpy(guest->start.position + 3, ib_mujoco_body_turns(placed) + (ptrdiff_t)4 * body,
           4 * sizeof(double));
    return true;
}

static int count_bodies(const ib_Rigid *b)
{
    int count = 0;
    for (int i = 0; i < b->sizes.bodies; i++) count += count_geoms(b->world, b->sizes.geoms, i) > 0;
    return count;
}

int ib_rigid_guests_of(const ib_PartsModel *robot, ib_RigidGuest *guests, ib_Arena *arena)
{
    static const double still[3] = {0, 0, 0};
    const ib_Rigid *b = robot->rigid;
    int count = 0;
    if (!guests) return count_bodies(b);
    ib_Arena own = {0};
    ib_MujocoWorkspace *placed = ib_mujoco_workspace(b->world, &own);
    ib_Error error;
    bool good = placed != NULL;
    if (good) ib_mujoco_place(b->world, placed, b->start, still, &error); // or fails in the run
    for (int i = 0; good && i < b->sizes.bodies; i++)
        if (count_geoms(b->world, b->sizes.geoms, i) > 0)
            good = fill_guest(robot, placed, i, arena, &guests[count++]);
    ib_arena_reset(&own);
    return good ? count : -1;
}

// ------------------------------------------------------------------------------------------ a step

bool ib_rigid_guest_room(const ib_PartsModel *robot, void *workspace, ib_Arena *arena)
{
    ib__RigidRoom *room = workspace;
    size_t count = 6 * (size_t)robot->rigid->sizes.bodies;
    room->outer = ib_arena_array(arena, count, sizeof *room->outer);
    room->outer_solved = ib_arena_array(arena, count, sizeof *room->outer_solved);
    return room->outer && room->outer_solved;
}

ib_Status ib_rigid_guest_place(const ib_PartsModel *robot, void *workspace, const double *x,
                               const double *input, ib_Error *error)
{
    const ib_Rigid *b = robot->rigid;
    ib__RigidRoom *room = workspace;
    double gravity[3];
    memset(room->outer, 0, 6 * (size_t)b->sizes.bodies * sizeof *room->outer);
    bool placed =
        room->of == robot && memcmp(room->state, x, (size_t)robot->state_count * sizeof *x) == 0;
    if (placed) return IB_OK;
    ib__rigid_offer(robot, room, x, input);
    b->gravity(robot->own, input, gravity);
    return ib_mujoco_place(b->world, room->world, x, gravity, error);
}

void ib_rigid_guest_state(const void *workspace, int body, ib_GuestState *state)
{
    const ib__RigidRoom *room = workspace;
    memcpy(state->position, ib_mujoco_body_places(room->world) + (ptrdiff_t)3 * body,
           3 * sizeof(double));
    memcpy(state->position + 3, ib_mujoco_body_turns(room->world) + (ptrdiff_t)4 * body,
           4 * sizeof(double));
    ib_mujoco_body_velocity(room->world, body, state->velocity);
}

// MuJoCo's pushes are on centres of mass:  T_c = T - (c - o) x F
void ib_rigid_guest_press(const ib_PartsModel *robot, void *workspace, int body,
                          const double wrench[6])
{
    ib__RigidRoom *room = workspace;
    const double *o = ib_mujoco_body_places(room->world) + (ptrdiff_t)3 * body;
    const double *c = ib_mujoco_body_centres(room->world) + (ptrdiff_t)3 * body, *f = wrench;
    const double r[3] = {c[0] - o[0], c[1] - o[1], c[2] - o[2]};
    double *push = room->outer + (ptrdiff_t)6 * body;
    IB_ASSERT(body > 0 && body < robot->rigid->sizes.bodies);
    memcpy(push, f, 3 * sizeof *push);
    push[3] = wrench[3] - (r[1] * f[2] - r[2] * f[1]);
    push[4] = wrench[4] - (r[2] * f[0] - r[0] * f[2]);
    push[5] = wrench[5] - (r[0] * f[1] - r[1] * f[0]);
}
