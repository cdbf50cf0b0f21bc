#include "robot/payload.h"

#include "robot/uneven.h"

// The states lie side by side.
enum { MASS, PLACE_X, PLACE_Y, SPEED_X, SPEED_Y, STATES };

static ib_Payload payload_at(const ib_Body *b, const double *x)
{
    const double *p = x + b->load;
    return (ib_Payload){p[MASS], p[PLACE_X], p[PLACE_Y], p[SPEED_X], p[SPEED_Y]};
}

// ------------------------------------------------------------------------------------ declarations

static const ib_SignalDef rows[IB_PAYLOAD_SIGNALS] = {
    [IB_PAYLOAD_MASS] = {"payload.mass", "kg", "mass of the load", 0},
    [IB_PAYLOAD_X] = {"payload.x", "m", "place of the load, forward of the robot's middle", 100},
    [IB_PAYLOAD_Y] = {"payload.y", "m", "place of the load, to the left of the robot's middle",
                      100},
    [IB_PAYLOAD_INERTIA] = {"inertia", "kg*m^2",
                            "moment of inertia of robot and load about their common centre of mass",
                            0},
    [IB_PAYLOAD_MOMENTUM] =
        {"momentum.angular", "kg*m^2/s",
         "angular momentum about the common centre of mass, wheels not included", 0},
};

void ib_payload_declare(ib_PayloadPart *p, ib_PartsModel *robot, ib_Declarations *d)
{
    ib_Body *body = &robot->body;
    p->robot = robot;
    p->body = body;
    p->signal = d->signals.count;
    ib_declare_states(d, STATES, IB_STATE, &body->load);
    ib_declare(d, "", NULL, rows, IB_PAYLOAD_SIGNALS, NULL);
    for (int i = MASS; i <= PLACE_Y; i++) ib_declare_shown(d, &body->load, i, p->signal + i);
    ib_declare_entry(d, "energy.payload", &p->work);
}

// ----------------------------------------------------------------------------------------- physics

// Its weight and place. The arm need not hold it against a slope.
static void offer(const void *part, void *notes, ib_Wires *w)
{
    const ib_PayloadPart *p = part;
    ib_BodyWires *b = &w->body;
    ib_LoadWires *l = &b->load;
    const double *input = w->input;
    (void)notes;
    l->p = payload_at(p->body, w->x);
    l->ddx = ib_payload_mover(input[p->input + 1], l->p.x, l->p.dx, p->response);
    l->ddy = ib_payload_mover(input[p->input + 2], l->p.y, l->p.dy, p->response);
    double m = l->p.mass, fx = m * (input[IB_SLOPE_X] * b->c + input[IB_SLOPE_Y] * b->s),
           fy = m * (input[IB_SLOPE_Y] * b->c - input[IB_SLOPE_X] * b->s);
    l->slope_power = fx * l->p.dx + fy * l->p.dy;
    b->pushed += l->slope_power;
    b->cargo.extra += m;
    ib_cargo_add(&b->cargo, m, l->p.x, l->p.y, p->body->com_height);
}

// The force that accelerates the load in the robot reacts on the body.
static void push(const void *part, void *notes, ib_Wires *w)
{
    const ib_LoadWires *l = &w->body.load;
    ib_Wrench *f = &w->body.force, back = ib_payload_push(&l->p, w->body.v.w, l->ddx, l->ddy);
    (void)part, (void)notes;
    f->fx += back.fx;
    f->fy += back.fy;
    f->torque += back.torque;
}

static void rate(const void *part, const void *notes, ib_Wires *w, double *dx)
{
    const ib_PayloadPart *p = part;
    const ib_LoadWires *l = &w->body.load;
    double *own = dx + p->body->load;
    (void)notes;
    own[MASS] = 0;
    own[PLACE_X] = l->p.dx;
    own[PLACE_Y] = l->p.dy;
    own[SPEED_X] = l->ddx;
    own[SPEED_Y] = l->ddy;
    dx[p->work] += ib_payload_power(&l->p, &w->body.v, &w->body.a, l->ddx, l->ddy) - l->slope_power;
}

// The arm works with its own speed: m dv . p'
static void jump(const void *part, const double *x, const ib_Twist *v, double *change)
{
    const ib_PayloadPart *part_ = part;
    ib_Payload p = payload_at(part_->body, x);
    change[part_->work] += p.mass * ((v->u - v->w * p.y) * p.dx + (v->n + v->w * p.x) * p.dy);
}

// ------------------------------------------------------------------------------------------- modes

// The load is picked up from the floor, where it lay at rest, or set down with its present
// velocity; energy lost in the grip, or taken along by the load, counts as a collision.
static bool settle(const void *part, const void *notes, const ib_Wires *w, double *x)
{
    const ib_PayloadPart *payload = part;
    const ib_Body *b = payload->body;
    const ib_PlanarModel *at = &b->planar;
    ib_Payload before = payload_at(b, x), after = before;
    ib_Twist v = w->body.v, dv = {0, 0, 0};
    double vx, vy, wanted = w->input[payload->input];
    (void)notes;
    if (wanted == before.mass) return false;
    after.mass = x[b->load + MASS] = wanted;
    if (wanted > before.mass) {
        ib_Wrench p0 = ib_payload_momentum(&before), p1 = ib_payload_momentum(&after);
        x[at->contact_energy] -= ib_uneven_jump(payload->robot, &w->body, &p0, &p1, x, &dv);
    } else {
        ib_Payload held = {before.mass - wanted, before.x, before.y, 0, 0};
        ib_payload_velocity(&held, &v, &vx, &vy);
        x[at->contact_energy] += 0.5 * held.mass * (vx * vx + vy * vy);
    }
    ib_Twist then = {v.u + dv.u, v.n + dv.n, v.w + dv.w};
    x[at->contact_energy] += ib_payload_energy(&before, &v) - ib_payload_energy(&after, &then);
    return true;
}

// ----------------------------------------------------------------------------------------- signals

// Inertia and angular momentum of all about the common centre of mass, S/M:
//   I - S^2/M,   L - S x P/M
static void output(const void *part, const void *notes, const ib_Wires *w, double *y)
{
    const ib_PayloadPart *p = part;
    const ib_Mass *whole = &w->body.whole;
    const ib_Payload *load = &w->body.load.p;
    ib_Wrench body = ib_mass_momentum(whole, &w->body.v), own = ib_payload_momentum(load);
    double per = 1 / whole->mass, px = body.fx + own.fx, py = body.fy + own.fy;
    (void)notes;
    y[p->signal + IB_PAYLOAD_INERTIA] =
        whole->inertia - (whole->x * whole->x + whole->y * whole->y) * per;
    y[p->signal + IB_PAYLOAD_MOMENTUM] =
        body.torque + own.torque - (whole->x * py - whole->y * px) * per;
    y[p->body->kinetic] += ib_payload_energy(load, &w->body.v);
}

static void reset(const void *part, const void *config, const ib_Wires *w, double *x)
{
    const ib_PayloadPart *p = part;
    double *own = x + p->body->load;
    (void)config;
    (void)w;
    own[MASS] = p->start.mass;
    own[PLACE_X] = p->start.x;
    own[PLACE_Y] = p->start.y;
}

const ib_PartKind ib_payload_part = {
    .name = "payload",
    .reset = reset,
    .offer = offer,
    .push = push,
    .rate = rate,
    .settle = settle,
    .jump = jump,
    .output = output,
};
