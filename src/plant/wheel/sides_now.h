// plant/wheel/sides_now.h: the wheels of two sides at one instant, for parts and for rates that are
// compiled as one function (docs/performance.md). The equations are in plant/wheel/sides.h.
#ifndef IB_PLANT_WHEEL_SIDES_NOW_H
#define IB_PLANT_WHEEL_SIDES_NOW_H

#include "plant/wheel/sides.h"

#include <string.h>

IB_FORMULA int ib__sides_gear(const ib_Sides *s, const double *x)
{
    return s->gear >= 0 && x[s->gear] > 0.5;
}

// `law`: that of the model, or a constant if known.
IB_FORMULA void ib__sides_offer(const ib_Sides *s, int law, ib_SidesNotes *notes, ib_Wires *w)
{
    const ib_Twist *v = &w->body.v;
    double turn = v->w * s->wheel.half_track;
    for (int i = 0; i < 2; i++) {
        if (law >= IB_WHEEL_FRICTION_CIRCLE) {
            w->speed[s->shaft + i] = w->x[s->speed + i];
            notes->rim[i] = w->x[s->speed + i] * s->drive.radius;
        } else {
            notes->rim[i] = i ? v->u + turn : v->u - turn;
            w->speed[s->shaft + i] = notes->rim[i] * s->drive.per_radius;
        }
    }
}

// Slips follow from the state alone: where all is one function they are begun before the electrics.
IB_FORMULA void ib__sides_slip(const ib_Sides *s, int law, ib_SidesNotes *notes, const ib_Wires *w)
{
    const ib_Twist *v = &w->body.v;
    if (law == IB_WHEEL_FRICTION_CIRCLE)
        notes->circle =
            ib_wheel_circle_begin(&s->wheel, v->u, v->n, v->w, notes->rim[0], notes->rim[1]);
}

// Resistance of a side's wheels to rolling; its work is lost.
IB_FORMULA void ib__sides_resist(const ib_Sides *s, ib_SidesNotes *notes, double left, double right)
{
    notes->drag[0] = notes->drag[1] = 0;
    if (!s->resists) return;
    notes->drag[0] = ib_wheel_rolling_force(&s->wheel, notes->rim[0], left);
    notes->drag[1] = ib_wheel_rolling_force(&s->wheel, notes->rim[1], right);
    notes->power -= notes->drag[0] * notes->rim[0] + notes->drag[1] * notes->rim[1];
}

// Loads of the sides, as at rest: half of the weight each, and more where it lies, up to all of it.
IB_FORMULA void ib__sides_share(const ib_Sides *s, const ib_Wires *w, double load[2])
{
    ib_Weight weight = ib_weight_resting(w);
    double half = 0.5 * weight.force, aside = weight.y * s->wheel.per_track;
    aside = aside > 1 ? 1 : aside < -1 ? -1 : aside;
    load[0] = half * (1 + aside);
    load[1] = half * (1 - aside);
}

IB_FORMULA void ib__sides_push_geared(const ib_Sides *s, int law, ib_SidesNotes *notes, ib_Wires *w)
{
    ib_BodyWires *b = &w->body;
    double load[2] = {0, 0};
    notes->power = 0;
    if (law == IB_WHEEL_VISCOUS) {
        double side = ib_wheel_side_force(&s->wheel, b->v.n);
        b->force.fy += side;
        notes->power = -side * b->v.n;
    }
    if (s->resists) ib__sides_share(s, w, load);
    ib__sides_resist(s, notes, load[0], load[1]);
    notes->floor.left = w->torque[s->shaft] * s->drive.per_radius + notes->drag[0];
    notes->floor.right = w->torque[s->shaft + 1] * s->drive.per_radius + notes->drag[1];
    b->force.fx += notes->floor.left + notes->floor.right;
    b->force.torque += (notes->floor.right - notes->floor.left) * s->wheel.half_track;
}

IB_FORMULA void ib__sides_push_slipping(const ib_Sides *s, int law, ib_SidesNotes *notes,
                                        ib_Wires *w)
{
    ib_BodyWires *b = &w->body;
    ib_WheelForces *p = &notes->floor;
    if (law == IB_WHEEL_FRICTION_CIRCLE)
        *p = ib_wheel_circle_end(&s->wheel, &notes->circle, &b->weight);
    else
        *p = ib_wheel_bristle(&s->wheel, b->v.u, b->v.n, b->v.w, notes->rim[0], notes->rim[1],
                              &b->weight, w->x + s->bristles, notes->bristles);
    notes->power = p->power;
    b->force.fx += p->fx;
    b->force.fy += p->fy;
    b->force.torque += p->torque;
    ib__sides_resist(s, notes, p->load[0] + p->load[1], p->load[2] + p->load[3]);
}

IB_FORMULA void ib__sides_push(const ib_Sides *s, int law, ib_SidesNotes *notes, ib_Wires *w)
{
    if (law >= IB_WHEEL_FRICTION_CIRCLE)
        ib__sides_push_slipping(s, law, notes, w);
    else
        ib__sides_push_geared(s, law, notes, w);
}

IB_FORMULA void ib__sides_rate(const ib_Sides *s, int law, const ib_SidesNotes *notes,
                               const ib_Wires *w, double *dx)
{
    dx[s->tyre] += notes->power;
    if (law < IB_WHEEL_FRICTION_CIRCLE) return;
    double r = s->drive.radius, per_J = s->drive.per_inertia[ib__sides_gear(s, w->x)];
    double along[2] = {notes->floor.left, notes->floor.right};
    for (int i = 0; i < 2; i++)
        dx[s->speed + i] = (w->torque[s->shaft + i] - r * along[i] + r * notes->drag[i]) * per_J;
    if (law == IB_WHEEL_BRISTLE) memcpy(dx + s->bristles, notes->bristles, sizeof notes->bristles);
}

#endif
