// world/heap.c: the forces of many bodies that lean on many. docs/world.md, "Heaps"
#include "world/heap.h"

#include "base/extreme.h"
#include "world/bond.h"

#include <math.h>

enum { LOOKS = 8 }; ///< sweeps for the forces

#define RIGHT 1e-4 ///< an acceleration that is wrong by less is right [m/s^2]
#define GIVEN 1e-2 ///< part of its energy that pushes of a heap may give in a piece

// What the pushes of a heap do in a piece, with all of them times s [J]:
//   s h sum j (v + h free/2) + s^2 h^2/2 sum j answer
typedef struct Work {
    double straight, square;
} Work;

static Work work_of(const ib_WorldRoom *room, int k)
{
    const ib__Law *law = &room->islands[k];
    double h = room->piece;
    Work work = {0, 0};
    for (int i = 0; i < law->bond_count; i++) {
        const ib__Stance *stance = &room->stances[room->touch_of[room->island_bond[k] + i]];
        const ib__Bond *bond = &law->bonds[i];
        for (int p = 0; p < bond->points; p++) {
            work.straight += bond->jn[p] * h * (stance->vn[p] + h / 2 * bond->vn[p]);
            work.square += bond->jn[p] * h * h / 2 * (ib__law_normal(law, bond, p) - bond->vn[p]);
        }
        double free = bond->vt - stance->vt / h;
        work.straight += bond->jt * h * (stance->vt + h / 2 * free);
        work.square += bond->jt * h * h / 2 * (ib__law_tangent(law, bond) - bond->vt);
    }
    return work;
}

// Kinetic energy of an island's bodies, nearly: each as heavy as it is along x and y on
// the average.
static double motion_energy(const ib_WorldRoom *room, int k, const ib_BodyState *bodies,
                            const double *inverse_mass)
{
    double sum = 0;
    for (int i = room->island_body[k]; i < room->island_body[k + 1]; i++) {
        const ib_BodyState *body = &bodies[room->body_of[i]];
        const double *W = inverse_mass + 9 * room->body_of[i];
        double light = W[0] + W[4];
        if (light > 0) sum += (body->vx * body->vx + body->vy * body->vy) / light;
        if (W[8] > 0) sum += 0.5 * body->w * body->w / W[8];
    }
    return sum;
}

// Forces in a heap are those for a whole piece, as they are at its start. At its end
//   vn + h an >= -gap/h   and, where friction reaches,   vt + h at = 0
void ib__heap_solve(ib_WorldRoom *room, int k, const ib_BodyState *bodies,
                    const double *inverse_mass)
{
    ib__Law *law = &room->islands[k];
    double h = room->piece;
    for (int i = 0; i < law->bond_count; i++) {
        const ib__Stance *stance = &room->stances[room->touch_of[room->island_bond[k] + i]];
        ib__Bond *bond = &law->bonds[i];
        for (int p = 0; p < bond->points; p++)
            bond->wanted[p] = -(stance->vn[p] + ib_max(0, stance->gap[p]) / h) / h;
        bond->vt += stance->vt / h;
    }
    ib__law_sweep(law, LOOKS, RIGHT);
    // Pushes that give energy would blow it apart: they are made less. What they are too small for
    // ends with the piece, like all speeds that contacts do not allow.
    Work work = work_of(room, k);
    double given = work.straight + work.square;
    if (!(given > 0)) return;
    // In a row sweeps are slow, and what they give adds up.
    double energy = ib__law_is_row(law) ? 0 : motion_energy(room, k, bodies, inverse_mass);
    if (given > GIVEN * energy) ib__law_weaken(law, ib_max(0, -work.straight / work.square));
}
