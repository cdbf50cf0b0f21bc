// test/robot/floor_motion.h: a reference robot through time: what switches at a time of its own,
// and what happens where it does: a joint at its stop, a corner at the wall, a wheel that lifts.
#ifndef IB_TEST_FLOOR_MOTION_H
#define IB_TEST_FLOOR_MOTION_H

#include "robot/extrapolation.h"
#include "robot/floor_reference.h"

enum { CORNERS = 4, EVENTS = 64 };

// What is to stay above 0, in this order.
enum { JOINTS_AT = 0, CORNERS_AT = LIMBS, LOADS_AT = CORNERS_AT + CORNERS };
enum { SENSES_AT = LOADS_AT + WHEELS, MARGINS = SENSES_AT + 3 };

// Hits slower than this are left out: what rests on the wall is not in the reference.
#define SLOWEST_HIT 0.3

// Of a foot that comes to rest for a moment, or a corner that dips into the wall, a longer one
// might see nothing [s].
#define LONGEST_STEP 1e-3

typedef struct Motion {
    Floor *floor;
    double time, x[STATES];
    double step; // of the last that was accepted
    double
        over; // where the reference ends: a wheel lifted, or it came to rest at the wall; INFINITY
    bool lifted; // a load became 0 then
    int hits, stops, events;
    double event[EVENTS]; // when hits, stops, and impulses were
} Motion;

// ------------------------------------------------------------------------------------------- jumps

// An impulse at a place of the robot: velocities of all that is one system change at once.
static inline void add_impulse(const Floor *f, double *x, Vec impulse, Vec place)
{
    System s;
    Body b;
    double jump[ROWS];
    if (f->base == BALL) {
        double r = f->length / 2;
        x[VX] += creal(impulse) / f->mass;
        x[VY] += cimag(impulse) / f->mass;
        x[YAW] += cross(along(x[HEADING]) * place, impulse) / (f->inertia_factor * f->mass * r * r);
        return;
    }
    add_bodies(f, x, &s, &b);
    if (f->law >= ROLLS) add_constraints(f, x, &s, &b);
    for (int i = 0; i < s.n; i++) s.a[i][ROWS] = 0;
    add_force(&s, impulse, b.front * place);
    solve_system(&s, jump);
    for (int i = 0; i < 3; i++) x[VX + i] += jump[i];
    for (int i = 0; i < b.places.rims; i++) x[RIM + i] += jump[b.places.rim + i];
    for (int i = 0; i < b.places.modules; i++) x[STEER_RATE + i] += jump[b.places.module + i];
    if (b.places.reacts < 0) return;
    for (int j = 0; j < 2; j++) x[JOINT + 4 * b.places.reacts + 2 + j] += jump[b.places.joint + j];
}

// A joint at its stop stands; bases do not feel the blow of limbs without reaction.
static inline void stop_joint(Floor *f, double *x, int limb)
{
    double *q = x + JOINT + 4 * limb;
    q[0] = q[2] > 0 ? f->limb[limb].high : f->limb[limb].low;
    q[2] = 0;
    f->held[limb] = true;
}

static inline Vec corner_of(const Floor *f, const double *x, int i)
{
    Vec front = along(x[HEADING]);
    if (f->base == DISC || f->base == BALL || f->base == ROOMBA)
        return -f->length / 2 * conj(front) * along(f->wall_direction);
    return (i < 2 ? f->length : -f->length) / 2 + (i % 2 ? f->width : -f->width) / 2 * IM;
}

static inline double corner_gap(const Floor *f, const double *x, int i)
{
    Vec place = x[AT_X] + x[AT_Y] * IM + along(x[HEADING]) * corner_of(f, x, i);
    return dot(place - f->wall, along(f->wall_direction));
}

static inline double corner_speed(const Floor *f, const double *x, Vec corner)
{
    Vec velocity = x[VX] + x[VY] * IM + IM * x[YAW] * along(x[HEADING]) * corner;
    return dot(velocity, along(f->wall_direction));
}

// Newton's law of impact without friction; false: too slow.
static inline bool hit_wall(const Floor *f, double *x, int i)
{
    Vec corner = corner_of(f, x, i), normal = along(f->wall_direction);
    double trial[STATES], speed = corner_speed(f, x, corner);
    memcpy(trial, x, sizeof trial);
    add_impulse(f, trial, normal, corner);
    double response = corner_speed(f, trial, corner) - speed;
    if (speed > -SLOWEST_HIT) return false;
    add_impulse(f, x, -(1 + f->restitution) * speed / response * normal, corner);
    return true;
}

// ------------------------------------------------------------------------- what is to stay above 0

static inline double joint_margin(const Floor *f, const double *x, int i)
{
    const Limb *m = &f->limb[i];
    const double *q = x + JOINT + 4 * i;
    if (!(m->low < m->high)) return 1;
    if (!f->held[i]) return fmin(q[0] - m->low, m->high - q[0]);
    double force = leg_now(f, i, x).force[0]; // of all but the stop
    return q[0] == m->high ? force : -force;
}

static inline void find_margins(const Floor *f, const double *x, double *margin)
{
    for (int i = 0; i < MARGINS; i++) margin[i] = 1;
    for (int i = 0; i < f->limbs; i++) margin[JOINTS_AT + i] = joint_margin(f, x, i);
    for (int i = 0; f->walled && i < CORNERS; i++) {
        double speed = corner_speed(f, x, corner_of(f, x, i));
        margin[CORNERS_AT + i] = speed < 0 ? corner_gap(f, x, i) : 1;
    }
    if (f->base == ROOMBA) {
        slide_speeds(f, x, margin + SENSES_AT);
        for (int i = 0; i < 3; i++) margin[SENSES_AT + i] *= f->sense[i];
    }
    Patch p[WHEELS];
    Vec grip[WHEELS], bend[WHEELS];
    System s;
    Body b;
    if (f->base == BALL || f->base == ROOMBA) return;
    add_bodies(f, x, &s, &b);
    int count = floor_loads(f, x, &b, p, grip, bend, margin + LOADS_AT);
    // Of a geared tank sides bear, but its wheels may lift one by one.
    if (count == 2) find_loads(f, &b, p, NULL, WHEELS, margin + LOADS_AT);
}

// The step's share at which this margin is 0: false position (Illinois), on shorter steps.
static inline double find_instant(Motion *m, int which, double h, double *end)
{
    double margin[MARGINS], low = 0, high = h, at = h;
    find_margins(m->floor, m->x, margin);
    double f_low = fmax(margin[which], 1e-300), f_high;
    find_margins(m->floor, end, margin);
    f_high = margin[which];
    for (int i = 0; i < 100 && high - low > 1e-14 && f_high != 0; i++) {
        at = (low * f_high - high * f_low) / (f_high - f_low);
        if (!(at > low && at < high) || i % 8 == 7) at = (low + high) / 2;
        extrapolate(floor_rate, m->floor, STATES, m->x, at, end);
        find_margins(m->floor, end, margin);
        if (margin[which] > 0)
            low = at, f_low = margin[which], f_high /= 2;
        else
            high = at, f_high = margin[which], f_low /= 2;
    }
    extrapolate(floor_rate, m->floor, STATES, m->x, high, end);
    return high;
}

static inline void note_event(Motion *m)
{
    if (m->events < EVENTS) m->event[m->events++] = m->time;
}

// Signs of what a jump may have turned round.
static inline void set_senses(Floor *f, const double *x)
{
    slide_speeds(f, x, f->sense);
    for (int i = 0; i < 3; i++) f->sense[i] = f->sense[i] < 0 ? -1 : 1;
}

static inline void happen(Motion *m, int which)
{
    Floor *f = m->floor;
    if (which >= SENSES_AT)
        f->sense[which - SENSES_AT] *= -1;
    else if (which >= LOADS_AT) {
        m->over = m->time;
        m->lifted = true;
    } else if (which >= CORNERS_AT) {
        if (!hit_wall(f, m->x, which - CORNERS_AT)) m->over = m->time;
        m->hits++;
    } else if (f->held[which])
        f->held[which] = false;
    else {
        stop_joint(f, m->x, which);
        m->stops++;
    }
    if (which < LOADS_AT) note_event(m);
    if (which < SENSES_AT && f->base == ROOMBA) set_senses(f, m->x);
}

// A corner turned round within the step, at the wall or beside it: perhaps that was a hit.
static inline bool grazes(const Floor *f, const double *x, const double *end, double h)
{
    for (int i = 0; f->walled && i < CORNERS; i++) {
        double before = corner_speed(f, x, corner_of(f, x, i));
        double after = corner_speed(f, end, corner_of(f, end, i));
        if (before >= 0 || after <= 0) continue;
        if (corner_gap(f, x, i) - h * before * before / (2 * (after - before)) < 1e-5) return true;
    }
    return false;
}

// -------------------------------------------------------------------------------------------- time

// Which laws hold between two switches.
static inline void set_now(Floor *f, double time)
{
    f->slope = 0;
    for (int i = 0; i < PUSHES; i++)
        if (time > f->tilt[i].at && time < f->tilt[i].until)
            f->slope += GRAVITY * sin(f->tilt[i].size) * along(f->tilt[i].direction);
    f->normal = sqrt(GRAVITY * GRAVITY - dot(f->slope, f->slope));
    f->stage = time > f->switch_at;
    f->pushed = time > f->force.at && time < f->force.until;
}

// The next time at which anything switches.
static inline double next_switch(const Floor *f, double time, double until)
{
    double times[4 + 3 * PUSHES] = {until, f->switch_at, f->force.at, f->force.until}, next = until;
    for (int i = 0; i < PUSHES; i++) {
        times[4 + 3 * i] = f->tilt[i].at;
        times[5 + 3 * i] = f->tilt[i].until;
        times[6 + 3 * i] = f->impulse[i].at;
    }
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (times[i] > time) next = fmin(next, times[i]);
    return next;
}

// Steps of 1e-13 each, up to a time at which nothing has switched before.
static inline void go_straight(Motion *m, double until)
{
    double end[STATES], margin[MARGINS];
    set_now(m->floor, (m->time + until) / 2);
    while (m->time < until && m->over == INFINITY) {
        double left = until - m->time, h = fmin(fmin(m->step, LONGEST_STEP), left);
        m->floor->least_load = INFINITY;
        double error = extrapolate(floor_rate, m->floor, STATES, m->x, h, end);
        double grow = 0.9 * pow(fmax(error, 1e-20) / 1e-13, -1.0 / 15);
        if (!(error <= 1e-13) && h > 1e-9) {
            m->step = h * fmax(0.2, fmin(grow, 0.7));
            continue;
        }
        int which = -1;
        double earliest = h;
        find_margins(m->floor, end, margin);
        for (int i = 0; i < MARGINS; i++)
            if (margin[i] < 0) {
                double trial[STATES];
                memcpy(trial, end, sizeof trial);
                double instant = find_instant(m, i, h, trial);
                if (which < 0 || instant < earliest) which = i, earliest = instant;
            }
        if (which < 0 && grazes(m->floor, m->x, end, h)) m->over = m->time;
        if (which < 0 && m->floor->least_load < 0) {
            find_margins(m->floor, m->x, margin);
            m->over = m->time;
            for (int i = LOADS_AT; i < SENSES_AT; i++) m->lifted |= margin[i] < 0;
            return;
        }
        if (which >= 0)
            extrapolate(floor_rate, m->floor, STATES, m->x, earliest, end);
        else if (h == m->step)
            m->step *= fmin(grow, 3);
        memcpy(m->x, end, sizeof end);
        m->time = which < 0 && h == left ? until : m->time + earliest;
        if (which >= 0) happen(m, which);
    }
}

static inline void go_reference(Motion *m, double until)
{
    Floor *f = m->floor;
    while (m->time < until && m->over == INFINITY) {
        go_straight(m, next_switch(f, m->time, until));
        for (int i = 0; i < PUSHES && m->over == INFINITY; i++)
            if (f->impulse[i].at == m->time && f->impulse[i].size != 0) {
                add_impulse(f, m->x, f->impulse[i].size * along(f->impulse[i].direction),
                            f->impulse[i].point);
                note_event(m);
                set_senses(f, m->x);
            }
    }
}

// At the start: wheels roll with the robot, a ball as well.
static inline Motion start_reference(Floor *f)
{
    Motion m = {.floor = f, .step = 1e-4, .over = INFINITY};
    Patch p[WHEELS];
    memcpy(m.x, f->start, sizeof f->start);
    memset(f->held, 0, sizeof f->held);
    for (int i = 0; i < f->limbs; i++)
        for (int j = 0; j < 2; j++) {
            m.x[JOINT + 4 * i + j] = f->limb[i].position[j];
            m.x[JOINT + 4 * i + 2 + j] = f->limb[i].velocity[j];
        }
    Vec velocity = conj(along(m.x[HEADING])) * (m.x[VX] + m.x[VY] * IM);
    for (int i = 0, n = patches_of(f, m.x, p); i < n; i++)
        if (p[i].rim >= 0) {
            Vec across = -IM * p[i].slide, point = velocity + IM * m.x[YAW] * p[i].place;
            m.x[RIM + p[i].rim] = dot(across, point) / (f->radius * dot(across, p[i].roll));
        }
    if (f->base == BALL) {
        m.x[RIM] = -m.x[VY] / (f->length / 2);
        m.x[RIM + 1] = m.x[VX] / (f->length / 2);
    }
    set_senses(f, m.x);
    return m;
}

// --------------------------------------------------------------------------------- what is derived

// Kinetic energy of the base and of all that it carries, as if that stood still in it.
static inline double kinetic_energy(const Floor *f, const double *x)
{
    Vec velocity = x[VX] + x[VY] * IM, front = along(x[HEADING]);
    double r = f->length / 2, inertia = f->inertia;
    if (f->base == BALL) inertia = f->inertia_factor * f->mass * r * r;
    if (f->base == SWERVE) inertia -= f->wheels * f->module_inertia;
    double energy = (f->mass * dot(velocity, velocity) + inertia * x[YAW] * x[YAW]) / 2;
    if (f->base == BALL) energy += inertia * (x[RIM] * x[RIM] + x[RIM + 1] * x[RIM + 1]) / 2;
    for (int i = 0; i < f->limbs; i++) {
        const Limb *m = &f->limb[i];
        Vec point = velocity + IM * x[YAW] * front * (m->x + leg_now(f, i, x).x + m->y * IM);
        energy += m->mass * dot(point, point) / 2;
    }
    return energy;
}

#endif
