// plant/air/piston.c: jumps of a piston: stops and sticking.
#include "plant/air/piston.h"

#define SLACK  1e-12 ///< of a stop [m]
#define GRIP   1e-9  ///< of a stop, and of a stuck piston [N]
#define CREEP  1e-12 ///< a piston that slides sticks at this speed the other way [m/s]
#define BOUNCE 1e-3  ///< a slower piston stays at the stop that it has hit [m/s], …
#define LEAP   1e-9  ///< … and one that would leap no farther than this [m]

// A compliant stop is pressed flat at half of the dead length: beyond it the stop is rigid, and
// does not bounce.
void ib_piston_init(const ib_PistonConfig *config, double stroke, const double dead[2],
                    ib_PistonModel *piston)
{
    bool compliant = config->stops == IB_STOPS_COMPLIANT;
    *piston = (ib_PistonModel){
        .mass = config->mass,
        .per_mass = 1 / config->mass,
        .stroke = stroke,
        .low = compliant ? -0.5 * dead[0] : 0,
        .high = stroke + (compliant ? 0.5 * dead[1] : 0),
        .locked = config->locked,
        .compliant = compliant,
        .restitution = compliant ? 0 : config->restitution,
        .stiffness = config->stop_stiffness,
        .damping = config->stop_damping,
        .side_load = config->side_load,
        .slack = SLACK,
        .grip = GRIP,
    };
    ib_friction_init(&config->friction, stroke, &piston->friction);
    piston->sticks = ib_friction_sticks(&piston->friction);
    piston->bristles = ib_friction_bristles(&piston->friction);
}

// All forces on a piston that stands but friction that gives way, towards extension.
static double at_rest(const ib_PistonModel *p, const ib_PistonState *s, double net)
{
    double rate, all = p->compliant ? net + ib_piston_stop(p, s->x, 0) : net;
    return p->bristles ? all - ib_piston_friction(p, s, &rate) : all;
}

static double breakaway(const ib_PistonModel *p, const ib_PistonState *s, double direction)
{
    return p->sticks ? ib_friction_breakaway(&p->friction, direction, s->x, p->side_load) : 0;
}

// After settling every margin is positive: nothing hides at an exact zero.
void ib_piston_margins(const ib_PistonModel *p, const ib_PistonState *s, double net,
                       double margins[IB_PISTON_MARGINS])
{
    double *stop = &margins[IB_PISTON_MARGIN_STOP], *stick = &margins[IB_PISTON_MARGIN_STICK];
    int mode = s->mode;
    *stop = *stick = 1;
    if (p->locked) return;
    double all = ib_piston_stands(p, mode) ? at_rest(p, s, net) : 0;
    if (mode == IB_PISTON_LOW)
        *stop = p->grip + breakaway(p, s, 1) - all;
    else if (mode == IB_PISTON_HIGH)
        *stop = p->grip + breakaway(p, s, -1) + all;
    else
        *stop = ib_min(s->x - p->low, p->high - s->x) + p->slack;
    if (!p->sticks) return;
    if (mode == IB_PISTON_STUCK)
        *stick = p->grip + breakaway(p, s, all) - fabs(all);
    else if (mode == IB_PISTON_BACK || mode == IB_PISTON_FORTH)
        *stick = CREEP + mode * s->v;
}

// A rigid stop takes the speed, or reverses it in a bounce. A piston pressed against the stop leaps
// by m v^2/2F; a leap as short as the slack of the stop would never end, since each fall through
// the slack returns the energy that the stop has taken.
static void hit(const ib_PistonModel *p, double net, ib_PistonState *s, double *lost)
{
    double v = s->v, back = -p->restitution * v, all = at_rest(p, s, net);
    bool low = s->x < 0.5 * p->stroke;
    double pressed = low ? -all : all;
    bool rests = fabs(back) < BOUNCE || p->mass * back * back < 2 * pressed * LEAP;
    s->x = low ? p->low : p->high;
    s->v = rests ? 0 : back;
    s->mode = rests ? (low ? IB_PISTON_LOW : IB_PISTON_HIGH)
              : low ? IB_PISTON_FORTH
                    : IB_PISTON_BACK;
    *lost += 0.5 * p->mass * (v * v - s->v * s->v);
}

// A piston that was put elsewhere (a linear plant is asked for there) is at no stop any more, and
// one that was given a speed is not stuck.
static bool is_away(const ib_PistonModel *p, const ib_PistonState *s)
{
    return (s->mode == IB_PISTON_LOW && s->x > p->low + 1e-9) ||
           (s->mode == IB_PISTON_HIGH && s->x < p->high - 1e-9) ||
           (s->mode == IB_PISTON_STUCK && s->v != 0);
}

bool ib_piston_settle(const ib_PistonModel *p, double net, ib_PistonState *s, double *lost)
{
    double margins[IB_PISTON_MARGINS];
    ib_piston_margins(p, s, net, margins);
    if (is_away(p, s)) {
        s->mode = s->v < 0 ? IB_PISTON_BACK : IB_PISTON_FORTH;
    } else if (!(margins[IB_PISTON_MARGIN_STOP] > 0)) {
        if (s->mode == IB_PISTON_LOW || s->mode == IB_PISTON_HIGH)
            s->mode = s->mode == IB_PISTON_LOW ? IB_PISTON_FORTH : IB_PISTON_BACK;
        else
            hit(p, net, s, lost);
    } else if (!(margins[IB_PISTON_MARGIN_STICK] > 0)) {
        // A piston that has just come to rest stays if friction holds it, or goes on.
        bool stuck = s->mode == IB_PISTON_STUCK;
        s->v = stuck ? s->v : 0;
        double all = at_rest(p, s, net);
        bool holds = !stuck && !(fabs(all) > breakaway(p, s, all));
        s->mode = holds ? IB_PISTON_STUCK : all < 0 ? IB_PISTON_BACK : IB_PISTON_FORTH;
    } else {
        return false;
    }
    return true;
}
