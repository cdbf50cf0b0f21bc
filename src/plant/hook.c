#include "plant/hook.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>
#include <string.h>

#define G0     9.80665 ///< for which sags are given [m/s^2]
#define LEAVES 1.2     ///< a hook that has caught lets go beyond so many times its reach
#define CLEAR  2e-3    ///< plates that are so far from a wall can strike it again [m]

const ib_PresetDef ib_hook_presets = {.off = true};

// ----------------------------------------------------------------------------------------- configs

ib_Status ib_hook_check(const ib_HookConfig *c, ib_Error *error)
{
    if (!c->on && c->hanging)
        return ib_error_set(error, IB_BAD_INPUT,
                            "start.hanging: it has no hook to hang by: expected false, or a "
                            "mechanism with hook: and a map");
    if (!c->on || c->outer == 0) return IB_OK;
    if (c->slot < LEAVES * c->reach)
        return ib_error_set(error, IB_BAD_INPUT,
                            "hook.walls.slot: walls that begin at %g m keep the hook from its bar: "
                            "expected at least %g m, %g times its reach",
                            c->slot, LEAVES * c->reach, LEAVES);
    if (!(c->outer > c->slot))
        return ib_error_set(error, IB_BAD_INPUT,
                            "hook.walls.outer: walls end at %g m, before they begin: expected more "
                            "than their slot, %g m",
                            c->outer, c->slot);
    return IB_OK;
}

// About the robot at rest, e = sag:  c = M g b,  w = sqrt(g/sag),  b = 2 zeta/sqrt(g sag)
static double loss_of(double damping, double sag)
{
    return 2 * damping / sqrt(G0 * sag);
}

void ib_hook_init(const ib_HookConfig *c, double moved, const double place[2], ib_HookModel *m)
{
    *m = (ib_HookModel){.on = c->on,
                        .config = *c,
                        .moved = moved,
                        .place = {place[0], place[1]},
                        .release = LEAVES * c->reach,
                        .loss = loss_of(c->damping, c->sag),
                        .per_length = 1 / c->length,
                        .floor_loss = loss_of(c->floor_damping, c->floor_sag)};
    // Swings under T = M g have  w = sqrt(g/L)  and  2 zeta w = T sway/M.
    m->sway = 2 * c->sway / sqrt(G0 * c->length);
}

void ib_hook_carry(const ib_HookCarrier *carrier, ib_HookModel *m)
{
    m->carrier = *carrier;
    m->k = carrier->mass * G0 / m->config.sag;
    m->floor_k = carrier->mass * G0 / m->config.floor_sag;
}

// ------------------------------------------------------------------------------------- what yields

// F = k e max(0, 1 + b e'), and its books.
static double yield(double k, double loss, double depth, double rate, ib_HookNow *now)
{
    if (!(depth > 0)) return 0;
    double spring = k * depth, force = spring * ib_max(0, 1 + loss * rate);
    now->stored += 0.5 * spring * depth;
    now->lost += (force - spring) * rate;
    return force;
}

// The pendulum: its rod is as long as ever where the robot rises by q^2/(2 L). Sideways friction
// of the hook on the bar, sway T q', and against turning on it, sway T reach^2 w.
static void hang(const ib_HookModel *m, double vz, const ib_HookMotion *at, const double v[2],
                 ib_HookNow *now)
{
    double rate = (now->qx * v[0] + now->qy * v[1]) * m->per_length - vz;
    double T = yield(m->k, m->loss, now->yields, rate, now);
    double drag = m->sway * T, turn = drag * m->config.reach * m->config.reach * at->yaw_rate;
    now->tension = T;
    now->up += T;
    now->fx -= T * now->qx * m->per_length + drag * v[0];
    now->fy -= T * now->qy * m->per_length + drag * v[1];
    now->torque -= turn;
    now->lost += drag * (v[0] * v[0] + v[1] * v[1]) + turn * at->yaw_rate;
}

// Faces: the lip below, the slot inside, the outside. e = (sum a^-2)^-1/2 has the slopes de/da =
// (e/a)^3 and pushes out on the nearest side, without an edge in between.
static void strike(const ib_HookModel *m, double vz, const double v[2], ib_HookNow *now)
{
    double lip = now->z - m->config.lip, in = now->distance - m->config.slot,
           out = m->config.outer - now->distance;
    now->wall = m->config.outer > 0 ? ib_max(-lip, ib_max(-in, -out)) : INFINITY;
    if (!(now->wall < 0)) return;
    double per = 1 / (lip * lip) + 1 / (in * in) + 1 / (out * out), e = 1 / sqrt(per);
    double up = e / lip * (e / lip) * (e / lip);
    double away = e / in * (e / in) * (e / in) - e / out * (e / out) * (e / out);
    double nx = now->qx / now->distance, ny = now->qy / now->distance;
    double F = yield(m->k, m->loss, e, up * vz + away * (nx * v[0] + ny * v[1]), now);
    now->strike = F * sqrt(up * up + away * away);
    now->up -= F * up;
    now->fx -= F * away * nx;
    now->fy -= F * away * ny;
}

ib_HookMotion ib_hook_motion(const ib_HookModel *m, const double *x, const double *own,
                             double position, double speed)
{
    const ib_HookCarrier *c = &m->carrier;
    ib_HookMotion at = {.h = own[IB_HOOK_HEIGHT],
                        .climb = own[IB_HOOK_CLIMB],
                        .position = position,
                        .speed = speed,
                        .x = x[c->x],
                        .y = x[c->y],
                        .heading = x[c->heading],
                        .vx = x[c->velocity[0]],
                        .vy = x[c->velocity[1]],
                        .yaw_rate = x[c->yaw_rate]};
    if (!c->own_axes) return at;
    double cosine, sine, u = at.vx, n = at.vy;
    ib_sincos(at.heading, &sine, &cosine);
    at.vx = u * cosine - n * sine;
    at.vy = u * sine + n * cosine;
    return at;
}

void ib_hook_evaluate(const ib_HookModel *m, const ib_HookMotion *at, bool engaged, ib_HookNow *now)
{
    double c, s, w = at->yaw_rate, vz = at->climb + at->speed;
    memset(now, 0, sizeof *now);
    ib_sincos(at->heading, &s, &c);
    double px = m->place[0] * c - m->place[1] * s, py = m->place[0] * s + m->place[1] * c;
    double v[2] = {at->vx - w * py, at->vy + w * px};
    now->qx = at->x + px - m->config.bracket[0];
    now->qy = at->y + py - m->config.bracket[1];
    double square = now->qx * now->qx + now->qy * now->qy;
    now->distance = sqrt(square);
    now->z = at->h + m->config.height + at->position;
    now->yields = m->config.bracket[2] - now->z + 0.5 * square * m->per_length;
    if (engaged) hang(m, vz, at, v, now);
    strike(m, vz, v, now);
    now->given = now->fx * v[0] + now->fy * v[1] + now->torque * w;
    now->floor = yield(m->floor_k, m->floor_loss, m->config.floor_sag - at->h, -at->climb, now);
}

void ib_hook_reset(const ib_HookModel *m, bool hanging, const double *x, double position,
                   double *own)
{
    ib_HookNow now;
    memset(own, 0, IB_HOOK_STATES * sizeof *own);
    if (!hanging) return;
    ib_HookMotion at = ib_hook_motion(m, x, own, position, 0);
    ib_hook_evaluate(m, &at, false, &now);
    own[IB_HOOK_HEIGHT] = now.yields - m->config.sag;
    own[IB_HOOK_ENGAGED] = 1;
}

// The hook moves with  [1 1] A^-1 [1 1]',  A = [M m; m J]:  the carriage on the bracket's spring,
// with its loss at twice the sag; the robot on the floor is slower.
double ib_hook_resolution(const ib_HookModel *m, double inertia)
{
    double M = m->carrier.mass, J = inertia;
    double yields = (M + J - 2 * m->moved) / (M * J - m->moved * m->moved);
    double hook = 2 * sqrt(m->k * yields) + 2 * m->k * m->config.sag * m->loss * yields;
    double floor =
        (2 * sqrt(m->floor_k * M) + 2 * m->floor_k * m->config.floor_sag * m->floor_loss) / M;
    return 0.5 / ib_max(hook, floor);
}

// ------------------------------------------------------------------------------------------- modes

// It catches on its way over the bar within its reach, without a jolt: the bracket is not yet
// deflected. Under tension it does not slide off.
double ib_hook_catch_margin(const ib_HookModel *m, const double *own, const ib_HookNow *now)
{
    return own[IB_HOOK_ENGAGED] > 0.5 ? ib_max(m->release - now->distance, now->yields)
                                      : ib_max(now->distance - m->config.reach, now->yields);
}

double ib_hook_strike_margin(const double *own, const ib_HookNow *now)
{
    if (now->wall == INFINITY) return 1;
    return own[IB_HOOK_STRIKING] > 0.5 ? CLEAR - now->wall : now->wall;
}

bool ib_hook_settle(const ib_HookModel *m, const ib_HookNow *now, double *own)
{
    bool caught = ib_hook_catch_margin(m, own, now) <= 0;
    bool struck = ib_hook_strike_margin(own, now) <= 0;
    if (caught) own[IB_HOOK_ENGAGED] = !(own[IB_HOOK_ENGAGED] > 0.5);
    if (struck) {
        own[IB_HOOK_STRIKING] = !(own[IB_HOOK_STRIKING] > 0.5);
        own[IB_HOOK_STRUCK] += own[IB_HOOK_STRIKING];
    }
    return caught || struck;
}
