#include "robot/payload.h"

// The states lie side by side.
enum { MASS, PLACE_X, PLACE_Y, SPEED_X, SPEED_Y, STATES };

static ib_Payload payload_at(const ib_Body *b, const double *x)
{
    const double *p = x + b->load;
    return (ib_Payload){p[MASS], p[PLACE_X], p[PLACE_Y], p[SPEED_X], p[SPEED_Y]};
}

static ib_Base base_of(const ib_Body *b)
{
    return (ib_Base){b->mass, b->inertia};
}

// ---------------------------------------------------------------------------------------- the body

// On rolling wheels the axles push sideways as hard as it takes to keep n' = 0, which is linear in
// that force.
void ib_payload_accelerate(const ib_Body *b, ib_BodyWires *w)
{
    ib_LoadWires *l = &w->load;
    const ib_Wrench *f = &w->force;
    ib_Base base = base_of(b);
    ib_PayloadResult r =
        ib_payload_rate(&base, &l->p, &w->v, l->ddx, l->ddy, f->fx, f->fy, f->torque);
    if (b->axles) {
        double n = r.rate.n, more = ib_payload_rate(&base, &l->p, &w->v, l->ddx, l->ddy, f->fx,
                                                    f->fy + 1, f->torque)
                                        .rate.n;
        w->side = -n / (more - n);
        r = ib_payload_rate(&base, &l->p, &w->v, l->ddx, l->ddy, f->fx, f->fy + w->side, f->torque);
        r.rate.n = 0;
    }
    w->a = r.rate;
    l->arm_power = r.arm_power;
}

// The arm takes the load along, and does not give way.
ib_Twist ib_payload_answer(const ib_Body *b, const double *x, double jx, double jy, double turn)
{
    ib_Payload held = payload_at(b, x);
    ib_Base base = base_of(b);
    held.dx = held.dy = 0;
    ib_Twist v = ib_payload_twist(&base, &held, jx, jy, turn);
    if (!b->axles) return v;
    ib_Twist one = ib_payload_twist(&base, &held, 0, 1, 0);
    double side = -v.n / one.n;
    return (ib_Twist){v.u + side * one.u, 0, v.w + side * one.w};
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

void ib_payload_declare(ib_PayloadPart *p, ib_Body *body, ib_Declarations *d)
{
    p->body = body;
    p->signal = d->signals.count;
    ib_declare_states(d, STATES, IB_STATE, &body->load);
    ib_declare(d, "", NULL, rows, IB_PAYLOAD_SIGNALS, NULL);
    for (int i = MASS; i <= PLACE_Y; i++) ib_declare_shown(d, &body->load, i, p->signal + i);
    ib_declare_entry(d, "energy.payload", &p->work);
}

// ----------------------------------------------------------------------------------------- physics

// Its weight and where it is; what a slope pulls at it. The arm need not do what the slope does.
static void offer(const void *part, void *notes, ib_Wires *w)
{
    const ib_PayloadPart *p = part;
    ib_BodyWires *b = &w->body;
    ib_LoadWires *l = &b->load;
    const double *input = w->input;
    double vx, vy;
    (void)notes;
    l->p = payload_at(p->body, w->x);
    l->ddx = ib_payload_mover(input[p->input + 1], l->p.x, l->p.dx, p->response);
    l->ddy = ib_payload_mover(input[p->input + 2], l->p.y, l->p.dy, p->response);
    double m = l->p.mass, fx = m * (input[IB_SLOPE_X] * b->c + input[IB_SLOPE_Y] * b->s),
           fy = m * (input[IB_SLOPE_Y] * b->c - input[IB_SLOPE_X] * b->s);
    ib_payload_velocity(&l->p, &b->v, &vx, &vy);
    l->slope_power = fx * l->p.dx + fy * l->p.dy;
    b->force.fx += fx;
    b->force.fy += fy;
    b->force.torque += l->p.x * fy - l->p.y * fx;
    b->pushed += fx * vx + fy * vy;
    b->cargo.mass += m;
    b->cargo.extra += m;
    b->cargo.x += m * l->p.x;
    b->cargo.y += m * l->p.y;
    b->cargo.z += m * p->body->com_height;
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
    dx[p->work] += l->arm_power - l->slope_power;
}

// The arm works with its own speed: m dv . p'
static void jump(const void *part, const double *x, const ib_Twist *v, double *change)
{
    const ib_PayloadPart *part_ = part;
    ib_Payload p = payload_at(part_->body, x);
    change[part_->work] += p.mass * ((v->u - v->w * p.y) * p.dx + (v->n + v->w * p.x) * p.dy);
}

// ------------------------------------------------------------------------------------------- modes

// The axles take what momentum there is sideways: finds the one that leaves n = 0.
static void hold_axles(const ib_Base *base, const ib_Payload *p, const ib_Twist *v, double mass,
                       ib_Handover *h)
{
    ib_Payload changed = *p;
    ib_PayloadBooks before = ib_payload_books(base, p, v);
    changed.mass = mass;
    ib_Twist more = ib_payload_twist(base, &changed, before.px, before.py + 1, before.about_o);
    double side = -h->twist.n / (more.n - h->twist.n);
    h->twist = ib_payload_twist(base, &changed, before.px, before.py + side, before.about_o);
    h->twist.n = 0;
    h->energy = before.energy - ib_payload_books(base, &changed, &h->twist).energy;
}

// A load is picked up or set down; what the grip loses counts as a collision.
static bool settle(const void *part, const void *notes, const ib_Wires *w, double *x)
{
    const ib_PayloadPart *payload = part;
    const ib_Body *b = payload->body;
    const ib_PlanarModel *at = &b->planar;
    ib_Payload p = payload_at(b, x);
    double wanted = w->input[payload->input];
    (void)notes;
    if (wanted == p.mass) return false;
    ib_Base base = base_of(b);
    ib_Twist v = {x[at->velocity[0]], x[at->velocity[1]], x[at->yaw_rate]};
    ib_Handover h = ib_payload_change(&base, &p, &v, wanted);
    if (b->axles && wanted > p.mass) hold_axles(&base, &p, &v, wanted, &h);
    x[b->load + MASS] = wanted;
    x[at->velocity[0]] = h.twist.u;
    x[at->velocity[1]] = h.twist.n;
    x[at->yaw_rate] = h.twist.w;
    x[at->contact_energy] += h.energy;
    return true;
}

// ----------------------------------------------------------------------------------------- signals

static double energy_of(const ib_Payload *p, const ib_Twist *v)
{
    double vx, vy;
    ib_payload_velocity(p, v, &vx, &vy);
    return 0.5 * p->mass * (vx * vx + vy * vy);
}

static void output(const void *part, const void *notes, const ib_Wires *w, double *y)
{
    const ib_PayloadPart *p = part;
    const ib_Payload *load = &w->body.load.p;
    ib_Base base = base_of(p->body);
    ib_PayloadBooks books = ib_payload_books(&base, load, &w->body.v);
    (void)notes;
    y[p->signal + IB_PAYLOAD_INERTIA] = books.inertia;
    y[p->signal + IB_PAYLOAD_MOMENTUM] = books.about_com;
    y[p->body->kinetic] += energy_of(load, &w->body.v);
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

static double kinetic(const void *part, const ib_Wires *w)
{
    const ib_PayloadPart *p = part;
    ib_Payload load = payload_at(p->body, w->x);
    return energy_of(&load, &w->body.v);
}

const ib_PartKind ib_payload_part = {
    .name = "payload",
    .reset = reset,
    .offer = offer,
    .rate = rate,
    .settle = settle,
    .jump = jump,
    .output = output,
    .kinetic = kinetic,
};
