// robot/body_now.h: the body of a robot at one instant: external forces, weight, accelerations and
// rates. The order of calls is in robot/parts.c.
#ifndef IB_ROBOT_BODY_NOW_H
#define IB_ROBOT_BODY_NOW_H

#include "base/maths.h"
#include "robot/rigid/rigid.h"
#include "robot/uneven.h"

#include <string.h>

// Begins with its motion and external forces: pushes, and a slope, which pulls at the origin.
IB_FORMULA void ib__begin_body(const ib_Body *b, const double *x, const double *input,
                               ib_BodyWires *w)
{
    w->gravity = input[IB_GRAVITY];
    if (!b->moves) {
        w->c = 1;
        w->s = w->pushed = 0;
        w->v = w->a = (ib_Twist){0};
        w->weight = (ib_Weight){0};
        w->force = (ib_Wrench){0};
        return;
    }
    ib_sincos(x[b->planar.heading], &w->s, &w->c);
    double vx = x[b->planar.velocity[0]], vy = x[b->planar.velocity[1]];
    w->v = b->planar.own_axes
               ? (ib_Twist){vx, vy, x[b->planar.yaw_rate]}
               : (ib_Twist){vx * w->c + vy * w->s, vy * w->c - vx * w->s, x[b->planar.yaw_rate]};
    double px = input[IB_PUSH_X] + b->mass * input[IB_SLOPE_X];
    double py = input[IB_PUSH_Y] + b->mass * input[IB_SLOPE_Y];
    w->force.fx = px * w->c + py * w->s;
    w->force.fy = py * w->c - px * w->s;
    w->force.torque = ib_push_torque(input, w->c, w->s);
    w->pushed = w->force.fx * w->v.u + w->force.fy * w->v.n + w->force.torque * w->v.w;
}

// Load on the floor by a body without equipment.
IB_FORMULA void ib__weigh_bare(const ib_Body *b, ib_BodyWires *w)
{
    w->weight = (ib_Weight){b->mass * w->gravity, 0, 0, b->com_height};
}

// Load on the floor: the mass includes the equipment; its place counts here, and further loads.
IB_FORMULA void ib__weigh_body(const ib_Body *b, const double *input, ib_BodyWires *w)
{
    ib__weigh_bare(b, w);
    if (b->uneven) ib_uneven_weigh(b, input, w);
    if (!(w->cargo.mass > 0)) return;
    w->weight.force += w->cargo.extra * w->gravity;
    double per = 1 / (b->mass + w->cargo.extra);
    w->weight.x = w->cargo.x * per;
    w->weight.y = w->cargo.y * per;
    w->weight.height += (w->cargo.z - w->cargo.mass * w->weight.height) * per;
}

IB_FORMULA void ib__multiply(const double matrix[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = matrix[3 * i] * v[0] + matrix[3 * i + 1] * v[1] + matrix[3 * i + 2] * v[2];
}

// Newton and Euler in the turning frame:  u' = fx/M + w n,  n' = fy/M - w u,  w' = torque/I
// Held by wheels that never slip:         v' = A (F + M (w n, -w u, 0)),   A: ib_Body.answer
// Rolling on axles:                       n' = 0 = (fy + side)/M - w u
IB_FORMULA void ib__accelerate_bare(const ib_Body *b, ib_BodyWires *w)
{
    const ib_Twist *v = &w->v;
    const ib_Wrench *f = &w->force;
    if (b->held) {
        const double sum[3] = {f->fx + b->mass * v->w * v->n, f->fy - b->mass * v->w * v->u,
                               f->torque};
        double a[3];
        ib__multiply(b->response, sum, a);
        w->a = (ib_Twist){a[0], a[1], a[2]};
        return;
    }
    w->a.u = f->fx * b->planar.per_mass + v->w * v->n;
    w->a.n = f->fy * b->planar.per_mass - v->w * v->u;
    w->a.w = f->torque * b->planar.per_inertia;
    if (!b->axles) return;
    w->side = -b->mass * w->a.n;
    w->a.n = 0;
}

// For masses off its middle: robot/uneven.h.
IB_FORMULA void ib__accelerate_body(const ib_Body *b, ib_BodyWires *w)
{
    if (b->uneven)
        ib_uneven_accelerate(b, w);
    else
        ib__accelerate_bare(b, w);
}

IB_FORMULA void ib__rate_body(const ib_Body *b, const double *x, const ib_BodyWires *w, double *dx)
{
    const ib_PlanarModel *p = &b->planar;
    if (!b->moves) return;
    dx[p->heading] = w->v.w;
    if (p->own_axes) {
        dx[p->x] = w->v.u * w->c - w->v.n * w->s;
        dx[p->y] = w->v.u * w->s + w->v.n * w->c;
        dx[p->velocity[0]] = w->a.u;
        dx[p->velocity[1]] = w->a.n;
    } else if (b->uneven) {
        double ax = w->a.u - w->v.w * w->v.n, ay = w->a.n + w->v.w * w->v.u;
        dx[p->x] = x[p->velocity[0]];
        dx[p->y] = x[p->velocity[1]];
        dx[p->velocity[0]] = ax * w->c - ay * w->s;
        dx[p->velocity[1]] = ax * w->s + ay * w->c;
    } else { // which do not turn:  vx' = F_x/M
        dx[p->x] = x[p->velocity[0]];
        dx[p->y] = x[p->velocity[1]];
        dx[p->velocity[0]] = (w->force.fx * w->c - w->force.fy * w->s) * p->per_mass;
        dx[p->velocity[1]] = (w->force.fx * w->s + w->force.fy * w->c) * p->per_mass;
    }
    dx[p->yaw_rate] = w->a.w;
    if (p->push_energy >= 0) dx[p->push_energy] += w->pushed;
}

IB_FORMULA void ib__begin_wires(const ib_PartsModel *r, const double *x, const double *input,
                                ib_Wires *w)
{
    w->x = x;
    w->input = input;
    w->gravity = input[IB_GRAVITY];
    ib__begin_body(&r->body, x, input, &w->body);
    ib_feed_begin(&r->feed, w);
    if (r->mechanisms) w->mount = (ib_Mount){0};
    if (r->rigid) ib_rigid_begin(r->rigid, x, w);
}

IB_FORMULA void ib__offer_parts(const ib_PartsModel *r, ib_Instant *at)
{
    at->wires.body.cargo = (ib_Cargo){0};
    for (int i = 0; i < r->part_count; i++) {
        const ib_Part *part = &r->parts[i];
        if (part->kind->offer) part->kind->offer(part->model, at->notes + part->notes, &at->wires);
    }
}

// Back along the list, to the part `first`.
IB_FORMULA void ib__push_parts(const ib_PartsModel *r, int first, ib_Instant *at)
{
    for (int i = r->part_count - 1; i >= first; i--) {
        const ib_Part *part = &r->parts[i];
        if (part->kind->push) part->kind->push(part->model, at->notes + part->notes, &at->wires);
    }
}

// Signals of the parts at this instant; those of books are summed.
IB_FORMULA void ib__output_parts(const ib_PartsModel *r, const ib_Instant *at, double *y)
{
    ib_feed_output(&r->feed, &at->wires, y);
    for (int i = 0; i < r->part_count; i++) {
        const ib_Part *part = &r->parts[i];
        if (part->kind->output)
            part->kind->output(part->model, at->notes + part->notes, &at->wires, y);
    }
}

// Signals that are states, and entries of books before additions.
IB_FORMULA void ib__copy_states(const ib_PartsModel *r, const double *x, double *y)
{
    for (int i = 0; i < r->copy_count; i++) y[r->copies[2 * i]] = x[r->copies[2 * i + 1]];
    for (int i = 0; i < r->entry_count; i++) y[r->entries[i]] = 0;
}

// Rates of all parts, with bus and air.
IB_FORMULA void ib__rate_parts(const ib_PartsModel *r, ib_Instant *at, double *dx)
{
    for (int i = 0; i < r->part_count; i++) {
        const ib_Part *part = &r->parts[i];
        if (part->kind->rate)
            part->kind->rate(part->model, at->notes + part->notes, &at->wires, dx);
    }
    ib_feed_rate(&r->feed, &at->wires, dx);
}

// Several parts may add to a sum.
IB_FORMULA void ib__clear_sums(const ib_PartsModel *r, double *dx)
{
    memset(dx + r->sum_from, 0, (size_t)(r->state_count - r->sum_from) * sizeof *dx);
}

#endif
