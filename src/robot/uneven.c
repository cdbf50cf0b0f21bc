#include "robot/uneven.h"

#include "robot/body_now.h"

enum { MOST_INPUTS = 512 }; ///< of a robot

void ib_uneven_declare(ib_Body *b, double carried_inertia)
{
    b->uneven = true;
    b->own_inertia = 1 / b->planar.per_inertia - carried_inertia;
}

// The motions that its wheels allow: all, or none to the left.
static void response_of(const ib_Body *b, const ib_Mass *whole, double response[9])
{
    static const double motions[3][3] = {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}};
    double W[9];
    ib_mass_matrix(whole, W);
    if (b->held) {
        ib_rims_load(b->rims, W);
        ib_mass_response(W, b->rims->layout.allowed_count, b->rims->layout.allowed, response);
    } else {
        ib_mass_response(W, b->axles ? 2 : 3, motions, response);
    }
}

void ib_uneven_weigh(const ib_Body *b, const double *input, ib_BodyWires *w)
{
    const ib_Cargo *c = &w->cargo;
    w->whole = (ib_Mass){b->mass + c->extra, c->x, c->y, b->own_inertia + c->inertia};
    response_of(b, &w->whole, w->response);
    // The origin's share already includes the slope on the initial mass.
    double gx = input[IB_SLOPE_X] * w->c + input[IB_SLOPE_Y] * w->s;
    double gy = input[IB_SLOPE_Y] * w->c - input[IB_SLOPE_X] * w->s;
    double fx = c->extra * gx, fy = c->extra * gy, torque = c->x * gy - c->y * gx;
    w->force.fx += fx;
    w->force.fy += fy;
    w->force.torque += torque;
    w->pushed += fx * w->v.u + fy * w->v.n + torque * w->v.w;
}

static ib_Twist multiply(const double response[9], double fx, double fy, double torque)
{
    double v[3];
    ib__multiply(response, (double[3]){fx, fy, torque}, v);
    return (ib_Twist){v[0], v[1], v[2]};
}

ib_Twist ib_uneven_response(const ib_BodyWires *w, double fx, double fy, double torque)
{
    return multiply(w->response, fx, fy, torque);
}

// Along the forward axis:  speed = u - w py,  a force F has the torque  -py F.
ib_Mount ib_mount_of(const ib_BodyWires *w, double py, const ib_Twist *v)
{
    ib_Twist one = ib_uneven_response(w, 1, 0, -py);
    return (ib_Mount){.give = one.u - one.w * py, .speed = v->u - v->w * py};
}

void ib_uneven_accelerate(const ib_Body *b, ib_BodyWires *w)
{
    ib_Wrench Q = ib_mass_drive(&w->whole, &w->v, &w->force);
    w->a = ib_uneven_response(w, Q.fx, Q.fy, Q.torque);
    if (b->axles) w->side = w->whole.x * w->a.w - Q.fy;
}

// The modules of a swerve base, which answer with it, have books of their own.
double ib_uneven_energy(const ib_Body *b, const ib_BodyWires *w)
{
    double others = 1 / b->planar.per_inertia - b->inertia;
    return ib_mass_energy(&w->whole, &w->v) - 0.5 * others * w->v.w * w->v.w;
}

void ib_parts_weigh(const ib_PartsModel *r, const double *x, double gravity, ib_BodyWires *body)
{
    double input[MOST_INPUTS] = {[IB_GRAVITY] = gravity};
    ib_Instant at;
    IB_ASSERT(r->input_count <= MOST_INPUTS);
    ib__begin_wires(r, x, input, &at.wires);
    ib__offer_parts(r, &at);
    ib__weigh_body(&r->body, input, &at.wires.body);
    *body = at.wires.body;
}

// ---------------------------------------------------------------------------------------- impulses

ib_Twist ib_body_response(const ib_PartsModel *r, const double *x, double jx, double jy,
                          double turn)
{
    const ib_Body *b = &r->body;
    if (b->uneven) {
        ib_BodyWires now;
        ib_parts_weigh(r, x, 0, &now);
        return ib_uneven_response(&now, jx, jy, turn);
    }
    if (b->axles) return (ib_Twist){jx * b->planar.per_mass, 0, turn * b->planar.per_inertia};
    if (!b->held)
        return (ib_Twist){jx * b->planar.per_mass, jy * b->planar.per_mass,
                          turn * b->planar.per_inertia};
    return multiply(b->response, jx, jy, turn);
}

static void add_velocity(const ib_PlanarModel *p, const ib_BodyWires *w, const ib_Twist *v,
                         double *x)
{
    x[p->velocity[0]] += p->own_axes ? v->u : v->u * w->c - v->n * w->s;
    x[p->velocity[1]] += p->own_axes ? v->n : v->u * w->s + v->n * w->c;
    x[p->yaw_rate] += v->w;
}

//   W1 (v + dv) + p1 = W0 v + p0,   work = J . (v + dv/2) + v . (W1 - W0) v/2,  J = W1 dv
double ib_uneven_jump(const ib_PartsModel *r, const ib_BodyWires *before, const ib_Wrench *p0,
                      const ib_Wrench *p1, double *x, ib_Twist *dv)
{
    const ib_Twist *v = &before->v;
    ib_BodyWires after;
    ib_parts_weigh(r, x, 0, &after);
    ib_Wrench was = ib_mass_momentum(&before->whole, v), is = ib_mass_momentum(&after.whole, v);
    ib_Wrench J = {was.fx - is.fx + p0->fx - p1->fx, was.fy - is.fy + p0->fy - p1->fy,
                   was.torque - is.torque + p0->torque - p1->torque};
    *dv = ib_uneven_response(&after, J.fx, J.fy, J.torque);
    add_velocity(&r->body.planar, before, dv, x);
    return J.fx * (v->u + 0.5 * dv->u) + J.fy * (v->n + 0.5 * dv->n) +
           J.torque * (v->w + 0.5 * dv->w) + ib_mass_energy(&after.whole, v) -
           ib_mass_energy(&before->whole, v);
}
