// plant/wheel/rims_now.h: rims at one instant, for parts and for rates that are compiled as one
// function (docs/performance.md). The equations are in plant/wheel/rims.h.
#ifndef IB_PLANT_WHEEL_RIMS_NOW_H
#define IB_PLANT_WHEEL_RIMS_NOW_H

#include "base/maths.h"
#include "plant/wheel/rims.h"

#include <string.h>

// Speeds of the shafts: from the rims' own states, or as the body moves.
IB_FORMULA void ib__rims_offer(const ib_Rims *r, ib_Wires *w)
{
    const ib_Twist v = w->body.v;
    double *speed = &w->speed[r->shaft];
    const int count = r->count;
    if (r->speed >= 0) {
        const double *own = &w->x[r->speed];
        for (int i = 0; i < count; i++) speed[i] = own[i];
        return;
    }
    for (int i = 0; i < count; i++) {
        const double *turn = r->layout.turn[i];
        speed[i] = turn[0] * v.u + turn[1] * v.n + turn[2] * v.w;
    }
}

// The present turn of a rim.
static inline ib_PatchRim ib__rims_turn(const ib_PatchRim *rest, double angle)
{
    ib_PatchRim rim = *rest;
    double c, s;
    ib_sincos(angle, &s, &c);
    rim.roll_x = rest->roll_x * c - rest->roll_y * s;
    rim.roll_y = rest->roll_x * s + rest->roll_y * c;
    rim.free_x = rest->free_x * c - rest->free_y * s;
    rim.free_y = rest->free_x * s + rest->free_y * c;
    return rim;
}

// Loads of the wheels, consistent with their forces; NULL: none. With the centre of mass on the
// floor below the middle, forces do not matter.
IB_FORMULA void ib__rims_loads(const ib_Rims *r, const ib_PatchGrip *grip, const ib_Weight *weight,
                               double *load)
{
    if (weight->height > 0 || weight->x != 0 || weight->y != 0) {
        ib_patch_loads(&r->patch, grip, weight, load);
        return;
    }
    for (int i = 0; i < r->layout.wheel_count; i++) load[i] = r->share[i] * weight->force;
}

// Resistance of each rim's wheels to rolling, as a force on it, along its direction; its work
// is lost.
IB_FORMULA void ib__rims_resist(const ib_Rims *r, ib_RimsNotes *notes, const ib_Wires *w)
{
    for (int i = 0; i < r->count; i++) notes->drag[i] = 0;
    for (int i = 0; r->resists && i < r->count; i++) {
        double rim = w->speed[r->shaft + i] * r->radius[i], carried = 0;
        for (int k = 0; k < r->layout.wheel_count; k++)
            if (r->layout.rim[k] == i) carried += notes->load[k];
        notes->drag[i] = ib_tyre_rolling_force(&r->patch.tyre, rim, carried);
        notes->power -= notes->drag[i] * rim;
    }
}

IB_FORMULA void ib__rims_push_slipping(const ib_Rims *r, ib_RimsNotes *notes, ib_Wires *w)
{
    ib_BodyWires *body = &w->body;
    ib_PatchGrip *grip = &notes->grip;
    for (int i = 0; i < r->count; i++) {
        notes->rim[i] = r->angles ? ib__rims_turn(&r->rim[i], w->x[r->angles[i]]) : r->rim[i];
        notes->rim[i].speed = w->speed[r->shaft + i] * r->radius[i];
    }
    ib_patch_slip(&r->patch, notes->rim, body->v.u, body->v.n, body->v.w, &notes->slips);
    ib_patch_grip(&r->patch, notes->rim, &notes->slips, w->x + r->bristles, notes->bristles, grip);
    ib__rims_loads(r, grip, &body->weight, notes->load);
    ib_patch_forces(&r->patch, notes->rim, grip, notes->load, &notes->sum);
    body->force.fx += notes->sum.fx;
    body->force.fy += notes->sum.fy;
    body->force.torque += notes->sum.torque;
    notes->power = notes->sum.power;
    ib__rims_resist(r, notes, w);
}

IB_FORMULA void ib__rims_push_rolling(const ib_Rims *r, ib_RimsNotes *notes, ib_Wires *w)
{
    ib_BodyWires *body = &w->body;
    notes->power = 0;
    if (r->resists) {
        ib_Weight weight = ib_weight_resting(w);
        ib__rims_loads(r, NULL, &weight, notes->load);
    }
    ib__rims_resist(r, notes, w);
    for (int i = 0; i < r->count; i++) {
        const double *turn = r->layout.turn[i];
        double torque = w->torque[r->shaft + i] + r->radius[i] * notes->drag[i];
        body->force.fx += turn[0] * torque;
        body->force.fy += turn[1] * torque;
        body->force.torque += turn[2] * torque;
    }
}

IB_FORMULA void ib__rims_push(const ib_Rims *r, ib_RimsNotes *notes, ib_Wires *w)
{
    if (r->law == IB_RIMS_ROLLING)
        ib__rims_push_rolling(r, notes, w);
    else
        ib__rims_push_slipping(r, notes, w);
}

IB_FORMULA void ib__rims_rate(const ib_Rims *r, const ib_RimsNotes *notes, const ib_Wires *w,
                              double *dx)
{
    dx[r->tyre] += notes->power;
    if (r->law == IB_RIMS_ROLLING) return;
    for (int i = 0; i < r->count; i++)
        dx[r->speed + i] = (w->torque[r->shaft + i] - r->radius[i] * notes->sum.rim[i] +
                            r->radius[i] * notes->drag[i]) *
                           r->per_spin[i];
    if (r->bristles >= 0)
        memcpy(dx + r->bristles, notes->bristles,
               (size_t)ib_patch_state_count(&r->patch) * sizeof *dx);
}

#endif
