// world/pile.c: the forces of many bodies that lean on many. docs/world/world.md, "Piles"
#include "world/pile.h"

#include "base/extreme.h"
#include "world/contact.h"

#include <math.h>

enum { LOOKS = 8 }; ///< sweeps for the forces

#define RIGHT 1e-4 ///< an acceleration that is wrong by less is right [m/s^2]
#define GIVEN 1e-2 ///< part of its energy that pushes of a pile may give in a piece

// Work of a pile's pushes in a piece, with all of them times s [J]:
//   s h sum j (v + h free/2) + s^2 h^2/2 sum j answer
typedef struct Work {
    double straight, square;
} Work;

static Work work_of(const ib_WorldWorkspace *workspace, int k)
{
    const ib__Law *law = &workspace->islands[k];
    double h = workspace->piece;
    Work work = {0, 0};
    for (int i = 0; i < law->contact_count; i++) {
        const ib__ContactState *contact_state =
            &workspace->contact_states[workspace->touch_of[workspace->island_contact[k] + i]];
        const ib__Contact *contact = &law->contacts[i];
        for (int p = 0; p < contact->points; p++) {
            work.straight += contact->jn[p] * h * (contact_state->vn[p] + h / 2 * contact->vn[p]);
            work.square +=
                contact->jn[p] * h * h / 2 * (ib__law_normal(law, contact, p) - contact->vn[p]);
        }
        double free = contact->vt - contact_state->vt / h;
        work.straight += contact->jt * h * (contact_state->vt + h / 2 * free);
        work.square += contact->jt * h * h / 2 * (ib__law_tangent(law, contact) - contact->vt);
    }
    return work;
}

// Kinetic energy of an island's bodies, approximately: each with its mean mass along x and y.
static double motion_energy(const ib_WorldWorkspace *workspace, int k, const ib_BodyState *bodies,
                            const double *inverse_mass)
{
    double sum = 0;
    for (int i = workspace->island_body[k]; i < workspace->island_body[k + 1]; i++) {
        const ib_BodyState *body = &bodies[workspace->body_of[i]];
        const double *W = inverse_mass + 9 * workspace->body_of[i];
        double light = W[0] + W[4];
        if (light > 0) sum += (body->vx * body->vx + body->vy * body->vy) / light;
        if (W[8] > 0) sum += 0.5 * body->w * body->w / W[8];
    }
    return sum;
}

// Forces in a pile are those for a whole piece, as they are at its start. At its end
//   vn + h an >= -gap/h   and, where friction reaches,   vt + h at = 0
void ib__pile_solve(ib_WorldWorkspace *workspace, int k, const ib_BodyState *bodies,
                    const double *inverse_mass)
{
    ib__Law *law = &workspace->islands[k];
    double h = workspace->piece;
    for (int i = 0; i < law->contact_count; i++) {
        const ib__ContactState *contact_state =
            &workspace->contact_states[workspace->touch_of[workspace->island_contact[k] + i]];
        ib__Contact *contact = &law->contacts[i];
        for (int p = 0; p < contact->points; p++)
            contact->wanted[p] = -(contact_state->vn[p] + ib_max(0, contact_state->gap[p]) / h) / h;
        contact->vt += contact_state->vt / h;
    }
    ib__law_sweep(law, LOOKS, RIGHT);
    // Pushes that give energy would blow it apart: they are reduced. The motion that they leave
    // ends with the piece, like all speeds that contacts do not allow.
    Work work = work_of(workspace, k);
    double given = work.straight + work.square;
    if (!(given > 0)) return;
    // In a row sweeps are slow, and their energy adds up.
    double energy = ib__law_is_row(law) ? 0 : motion_energy(workspace, k, bodies, inverse_mass);
    if (given > GIVEN * energy) ib__law_weaken(law, ib_max(0, -work.straight / work.square));
}
