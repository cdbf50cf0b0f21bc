// world/support.c: a body that stands still against what stands still. docs/world.md, "Standing"
//
// With nothing moving, the law of rest for a pattern is linear in the free accelerations: pushes
// for unit accelerations along x, y and turn are all there is to know, until a sign changes.
#include "world/bond.h"
#include "world/room.h"

#include <math.h>

// Free accelerations of one unit along x (0), y (1) or turn (2).
static void set_unit(const ib_WorldRoom *room, int k, int axis)
{
    ib__Law *law = &room->islands[k];
    for (int i = 0; i < law->bond_count; i++) {
        ib__Bond *bond = &law->bonds[i];
        for (int p = 0; p < bond->points; p++) {
            bond->vn[p] = bond->normal[p].on[0][axis];
            bond->wanted[p] = 0;
        }
        bond->vt = bond->tangent.on[0][axis];
        bond->is = bond->hint;
    }
}

// Does it touch nothing that may move, without a slide?
static bool can_hold(const ib_World *world, const ib_WorldRoom *room, const ib_Rests *rests, int k)
{
    const ib__Law *law = &room->islands[k];
    if (law->body_count != 1 || 6 * law->bond_count > IB_SUPPORT_FORMS) return false;
    for (int i = 0; i < law->bond_count; i++) {
        int at = room->touch_of[room->island_bond[k] + i];
        int element = room->touches[at].frame[1] - world->body_count;
        if (world->elements[element].mover >= 0 || rests->items[at].slide != 0) return false;
    }
    return true;
}

static void add_form(ib_Support *support, int at, int axis, double value)
{
    support->forms[at][axis] = value;
    if (at >= support->form_count) support->form_count = at + 1;
}

// Points that push, friction within its limits.
static void read_forms(const ib__Law *law, int axis, ib_Support *support)
{
    int at = 0;
    for (int i = 0; i < law->bond_count; i++) {
        const ib__Bond *bond = &law->bonds[i];
        double reach = bond->friction * (bond->jn[0] + bond->jn[1]);
        for (int p = 0; p < bond->points; p++)
            if (bond->is.closed[p]) add_form(support, at++, axis, bond->jn[p]);
        if (!ib__can_rub(law, bond)) continue;
        add_form(support, at++, axis, reach - bond->jt);
        add_form(support, at++, axis, reach + bond->jt);
    }
}

bool ib_world_support(const ib_World *world, ib_WorldRoom *room, const ib_Rests *rests, int body,
                      ib_Support *support)
{
    if (room->touch_count == 0 || room->local[body] < 0) return false;
    int k = room->home[body];
    if (!can_hold(world, room, rests, k)) return false;
    *support = (ib_Support){.form_count = 0};
    for (int axis = 0; axis < 3; axis++) {
        ib__Law *law = &room->islands[k];
        set_unit(room, k, axis);
        ib__law_hold(law);
        read_forms(law, axis, support);
        law->smooth = false;
        for (int i = 0; i < law->bond_count; i++) {
            const ib__Bond *bond = &law->bonds[i];
            for (int c = 0; c < 3; c++) {
                double sum = bond->jt * bond->tangent.on[0][c];
                for (int p = 0; p < bond->points; p++)
                    sum += bond->jn[p] * bond->normal[p].on[0][c];
                support->force[3 * c + axis] += sum;
            }
        }
    }
    return true;
}

#define STANDS      1e-10 ///< what is left of accelerations where forces are exact, against them
#define HEAP_STANDS 2e-4  ///< what is left of them in a heap [m/s^2]

// The largest free acceleration in an island.
static double hardest(const ib_WorldRoom *room, int k, const ib_Push *free)
{
    double most = 0;
    for (int i = room->island_body[k]; i < room->island_body[k + 1]; i++) {
        const ib_Push *a = &free[room->body_of[i]];
        most = ib__larger(most, fabs(a->x) + fabs(a->y) + fabs(a->turn));
    }
    return most;
}

bool ib_world_stands(const ib_WorldRoom *room, int island, const ib_Push *free,
                     const double *inverse_mass, const ib_Push *forces)
{
    bool heap = ib__law_is_heap(&room->islands[island]);
    double allowed = heap ? HEAP_STANDS : STANDS * hardest(room, island, free);
    for (int i = room->island_body[island]; i < room->island_body[island + 1]; i++) {
        int body = room->body_of[i];
        const double *W = inverse_mass + 9 * body;
        const ib_Push *f = &forces[body], *a = &free[body];
        double x = a->x + W[0] * f->x + W[1] * f->y + W[2] * f->turn;
        double y = a->y + W[3] * f->x + W[4] * f->y + W[5] * f->turn;
        double turn = a->turn + W[6] * f->x + W[7] * f->y + W[8] * f->turn;
        if (!(fabs(x) + fabs(y) + fabs(turn) <= allowed)) return false;
    }
    return true;
}

int ib_world_island_count(const ib_WorldRoom *room)
{
    return room->touch_count > 0 ? room->island_count : 0;
}

int ib_world_island(const ib_WorldRoom *room, int island, const int **bodies)
{
    *bodies = room->body_of + room->island_body[island];
    return room->islands[island].body_count;
}

void ib_world_hold(ib_WorldRoom *room, int island, bool held)
{
    room->islands[island].held = held;
}

bool ib_world_is_held(const ib_WorldRoom *room, int body)
{
    return room->touch_count > 0 && room->local[body] >= 0 && room->islands[room->home[body]].held;
}

bool ib_world_is_pushed(const ib_WorldRoom *room, int body)
{
    return !room->begins && ib_world_in_heap(room, body);
}

bool ib_world_in_heap(const ib_WorldRoom *room, int body)
{
    return room->local[body] >= 0 && ib__law_is_heap(&room->islands[room->home[body]]);
}
