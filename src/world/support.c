// world/support.c: support of a body at rest by fixed elements. docs/world/world.md, "Standing"
//
// Without motion, the law of rest for a pattern is linear in the free accelerations: pushes for
// unit accelerations along x, y and turn determine it, until a sign changes.
#include "world/contact.h"
#include "world/workspace.h"

#include <math.h>

// Free accelerations of one unit along x (0), y (1) or turn (2).
static void set_unit(const ib_WorldWorkspace *workspace, int k, int axis)
{
    ib__Law *law = &workspace->islands[k];
    for (int i = 0; i < law->contact_count; i++) {
        ib__Contact *contact = &law->contacts[i];
        for (int p = 0; p < contact->points; p++) {
            contact->vn[p] = contact->normal[p].on[0][axis];
            contact->wanted[p] = 0;
        }
        contact->vt = contact->tangent.on[0][axis];
        contact->is = contact->hint;
    }
}

// True if it touches nothing that may move, and does not slide.
static bool can_hold(const ib_World *world, const ib_WorldWorkspace *workspace,
                     const ib_Rests *rests, int k)
{
    const ib__Law *law = &workspace->islands[k];
    if (law->body_count != 1 || 6 * law->contact_count > IB_SUPPORT_FORMS) return false;
    for (int i = 0; i < law->contact_count; i++) {
        int at = workspace->touch_of[workspace->island_contact[k] + i];
        int element = workspace->touches[at].frame[1] - world->body_count;
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
    for (int i = 0; i < law->contact_count; i++) {
        const ib__Contact *contact = &law->contacts[i];
        double reach = contact->friction * (contact->jn[0] + contact->jn[1]);
        for (int p = 0; p < contact->points; p++)
            if (contact->is.closed[p]) add_form(support, at++, axis, contact->jn[p]);
        if (!ib__has_friction(law, contact)) continue;
        add_form(support, at++, axis, reach - contact->jt);
        add_form(support, at++, axis, reach + contact->jt);
    }
}

bool ib_world_support(const ib_World *world, ib_WorldWorkspace *workspace, const ib_Rests *rests,
                      int body, ib_Support *support)
{
    if (workspace->touch_count == 0 || workspace->local[body] < 0) return false;
    int k = workspace->home[body];
    if (!can_hold(world, workspace, rests, k)) return false;
    *support = (ib_Support){.form_count = 0};
    for (int axis = 0; axis < 3; axis++) {
        ib__Law *law = &workspace->islands[k];
        set_unit(workspace, k, axis);
        ib__law_hold(law);
        read_forms(law, axis, support);
        law->smooth = false;
        for (int i = 0; i < law->contact_count; i++) {
            const ib__Contact *contact = &law->contacts[i];
            for (int c = 0; c < 3; c++) {
                double sum = contact->jt * contact->tangent.on[0][c];
                for (int p = 0; p < contact->points; p++)
                    sum += contact->jn[p] * contact->normal[p].on[0][c];
                support->force[3 * c + axis] += sum;
            }
        }
    }
    return true;
}

#define STANDS      1e-10 ///< remaining acceleration under exact forces, against the free ones
#define PILE_STANDS 2e-4  ///< remaining acceleration in a pile [m/s^2]

// The largest free acceleration in an island.
static double hardest(const ib_WorldWorkspace *workspace, int k, const ib_Push *free)
{
    double most = 0;
    for (int i = workspace->island_body[k]; i < workspace->island_body[k + 1]; i++) {
        const ib_Push *a = &free[workspace->body_of[i]];
        most = ib__larger(most, fabs(a->x) + fabs(a->y) + fabs(a->turn));
    }
    return most;
}

bool ib_world_stands(const ib_WorldWorkspace *workspace, int island, const ib_Push *free,
                     const double *inverse_mass, const ib_Push *forces)
{
    bool pile = ib__law_is_pile(&workspace->islands[island]);
    double allowed = pile ? PILE_STANDS : STANDS * hardest(workspace, island, free);
    for (int i = workspace->island_body[island]; i < workspace->island_body[island + 1]; i++) {
        int body = workspace->body_of[i];
        const double *W = inverse_mass + 9 * body;
        const ib_Push *f = &forces[body], *a = &free[body];
        double x = a->x + W[0] * f->x + W[1] * f->y + W[2] * f->turn;
        double y = a->y + W[3] * f->x + W[4] * f->y + W[5] * f->turn;
        double turn = a->turn + W[6] * f->x + W[7] * f->y + W[8] * f->turn;
        if (!(fabs(x) + fabs(y) + fabs(turn) <= allowed)) return false;
    }
    return true;
}

int ib_world_island_count(const ib_WorldWorkspace *workspace)
{
    return workspace->touch_count > 0 ? workspace->island_count : 0;
}

int ib_world_island(const ib_WorldWorkspace *workspace, int island, const int **bodies)
{
    *bodies = workspace->body_of + workspace->island_body[island];
    return workspace->islands[island].body_count;
}

void ib_world_hold(ib_WorldWorkspace *workspace, int island, bool held)
{
    workspace->islands[island].held = held;
}

bool ib_world_is_held(const ib_WorldWorkspace *workspace, int body)
{
    return workspace->touch_count > 0 && workspace->local[body] >= 0 &&
           workspace->islands[workspace->home[body]].held;
}

bool ib_world_is_pushed(const ib_WorldWorkspace *workspace, int body)
{
    return !workspace->begins && ib_world_in_pile(workspace, body);
}

bool ib_world_in_pile(const ib_WorldWorkspace *workspace, int body)
{
    return workspace->local[body] >= 0 &&
           ib__law_is_pile(&workspace->islands[workspace->home[body]]);
}
