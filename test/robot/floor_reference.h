// test/robot/floor_reference.h: a robot on a tilted floor, written down anew from Newton's law: an
// independent solution for the program's bodies.
//
// Places and velocities are complex numbers, x + i y, of the floor's frame (what is the robot's own
// is turned by e^{i heading}). A carried mass is a point at Z + r, r = e^{i heading} rho(q), which
// speeds up with
//
//   P'' = Z'' + i h'' r + e^{ih} (rho'' + 2 i h' rho') - h'^2 r
//
// Forces on all masses add up to those from outside, and so do their moments about Z. Rims, modules
// and joints that feel the base are further bodies, wheels that never slip are constraints with
// multipliers: one linear system, solved by elimination with full pivoting. Laws of friction, and
// what a mechanism feels, are those of docs/plant/body.md and wheel.md.
#ifndef IB_TEST_FLOOR_REFERENCE_H
#define IB_TEST_FLOOR_REFERENCE_H

#include "robot/floor_limbs.h"

#include <string.h>

// ---------------------------------------------------------------------------------- linear systems

typedef struct System {
    int n;
    bool definite;            // masses and inertias alone: pivots are where they stand
    double a[ROWS][ROWS + 1]; // the right-hand side is the last column, [ROWS]
} System;

static inline void clear_system(System *s, int n)
{
    s->n = n;
    s->definite = false;
    for (int i = 0; i < n; i++) memset(s->a[i], 0, sizeof s->a[i]);
}

// Elimination with full pivoting; an unknown that the rows leave open is 0.
static inline void solve_system(System *s, double *x)
{
    int order[ROWS], n = s->n;
    double pivot[ROWS] = {0};
    for (int i = 0; i < n; i++) order[i] = i, x[i] = 0;
    for (int k = 0; k < n; k++) {
        int row = k, column = k;
        for (int i = k; i < n && !s->definite; i++)
            for (int j = k; j < n; j++)
                if (fabs(s->a[i][order[j]]) > fabs(s->a[row][order[column]])) row = i, column = j;
        int swap = order[k];
        order[k] = order[column], order[column] = swap;
        for (int j = 0; j <= ROWS && row != k; j++) {
            double element = s->a[k][j];
            s->a[k][j] = s->a[row][j], s->a[row][j] = element;
        }
        pivot[k] = s->a[k][order[k]];
        if (fabs(pivot[k]) < 1e-12) {
            n = k;
            break;
        }
        for (int i = k + 1; i < n; i++) {
            double factor = s->a[i][order[k]] / pivot[k];
            if (factor == 0) continue;
            for (int j = k; j < n; j++) s->a[i][order[j]] -= factor * s->a[k][order[j]];
            s->a[i][ROWS] -= factor * s->a[k][ROWS];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        double sum = s->a[k][ROWS];
        for (int j = k + 1; j < n; j++) sum -= s->a[k][order[j]] * x[order[j]];
        x[order[k]] = sum / pivot[k];
    }
}

// --------------------------------------------------------------------------------- the body's rows

// Unknowns: Z'', h'', then rims, modules, and the joints of the limb that feels the base.
typedef struct Places {
    int rims, rim, modules, module, reacts, joint, n;
} Places;

static inline Places places_of(const Floor *f)
{
    Places p = {.rim = 3, .reacts = -1};
    p.rims = f->base == TANK ? 2 : f->base == HOLONOMIC || f->base == SWERVE ? f->wheels : 0;
    p.module = p.rim + p.rims;
    p.modules = f->base == SWERVE ? f->wheels : 0;
    p.joint = p.module + p.modules;
    for (int i = 0; i < f->limbs; i++)
        if (f->limb[i].reaction) p.reacts = i;
    p.n = p.joint + (p.reacts >= 0 ? 2 : 0);
    return p;
}

// All masses at an instant.
typedef struct Body {
    Places places;
    Vec front, centre; // centre of mass, in the robot
    double mass, height;
    LegNow limb[LIMBS];
} Body;

static inline void add_force(System *s, Vec force, Vec arm)
{
    s->a[0][ROWS] += creal(force);
    s->a[1][ROWS] += cimag(force);
    s->a[2][ROWS] += cross(arm, force);
}

// A mass m at Z + arm: m (Z'' + i h'' arm).
static inline void add_mass(System *s, double m, Vec arm)
{
    s->a[0][0] += m;
    s->a[1][1] += m;
    s->a[0][2] -= m * cimag(arm);
    s->a[2][0] -= m * cimag(arm);
    s->a[1][2] += m * creal(arm);
    s->a[2][1] += m * creal(arm);
    s->a[2][2] += m * dot(arm, arm);
}

// The joints of a limb that feels its base: K q'' + c front . (the mount's part of P'') = force.
static inline void add_reaction(System *s, const Body *b, const LegNow *now, Vec arm, double yaw)
{
    int joint = b->places.joint;
    for (int j = 0; j < 2; j++) {
        Vec pull = now->c[j] * b->front;
        double column[3] = {creal(pull), cimag(pull), cross(arm, pull)};
        for (int i = 0; i < 3; i++) s->a[i][joint + j] = s->a[joint + j][i] = column[i];
        for (int i = 0; i < 2; i++) s->a[joint + j][joint + i] = now->K[j][i];
        s->a[joint + j][ROWS] = now->force[j] + dot(pull, yaw * yaw * arm);
    }
}

static inline void add_limbs(const Floor *f, const double *x, System *s, Body *b)
{
    for (int i = 0; i < f->limbs; i++) {
        const Limb *m = &f->limb[i];
        LegNow *now = &b->limb[i];
        *now = leg_now(f, i, x);
        Vec rho = m->x + now->x + m->y * IM, arm = b->front * rho;
        double own = i == b->places.reacts ? now->extra / m->mass : 0;
        Vec known = b->front * (own + 2 * IM * x[YAW] * now->speed) - x[YAW] * x[YAW] * arm;
        add_mass(s, m->mass, arm);
        add_force(s, m->mass * (f->slope - known), arm);
        if (i == b->places.reacts) add_reaction(s, b, now, arm, x[YAW]);
        b->mass += m->mass;
        b->centre += m->mass * rho;
        b->height += m->mass * now->z;
    }
    b->centre /= b->mass;
    b->height /= b->mass;
}

// ----------------------------------------------------------------------------- what the floor does

// A point that presses on the floor: where, and in the robot the direction in which its rim rolls
// (0: none) and in which it slides freely, friction along that being `scale` of mu.
typedef struct Patch {
    Vec place, roll, slide;
    double scale;
    int rim;
} Patch;

static inline int patches_of(const Floor *f, const double *x, Patch *p)
{
    double a = f->length / sqrt(12), b = f->width / sqrt(12);
    if (f->base == DISC) a = b = f->length * sqrt(2) / 6;
    for (int i = 0; i < f->wheels; i++) {
        const Wheel *w = &f->wheel[i];
        double turn = w->direction + (f->base == SWERVE ? x[STEER + i] : 0);
        p[i] = (Patch){.place = w->place, .scale = 1, .rim = f->base == TANK ? i % 2 : i};
        p[i].roll = along(turn);
        p[i].slide = along(turn + (w->roller != 0 ? w->roller : acos(0)));
        if (w->roller != 0) p[i].scale = f->scale;
    }
    if (f->base != BOX && f->base != DISC) return f->wheels;
    for (int i = 0; i < 4; i++)
        p[i] = (Patch){
            .place = (i < 2 ? a : -a) + (i % 2 ? b : -b) * IM, .slide = 1, .scale = 1, .rim = -1};
    return 4;
}

// Its slip across and along the direction in which it slides freely, the latter times its scale.
static inline Vec slip_of(const Floor *f, const double *x, Vec front, const Patch *p)
{
    Vec velocity = conj(front) * (x[VX] + x[VY] * IM);
    double rim = p->rim < 0 ? 0 : f->radius * x[RIM + p->rim];
    Vec slip = rim * p->roll - (velocity + IM * x[YAW] * p->place);
    return dot(slip, -IM * p->slide) + p->scale * dot(slip, p->slide) * IM;
}

// Bristles: z' = w (s - sigma |s|/g z), force over load w sigma z + (1 - w) g s/|s|.
static inline Vec bristle_grip(const Floor *f, Vec s, Vec z, Vec *rate)
{
    double size = cabs(s), q = size / f->slip_speed, sigma = f->mu_static / f->bristle_deflection;
    double g = f->mu + (f->mu_static - f->mu) / (1 + q * q + q * q * q * q / 2);
    double w = f->bristle_relax / (f->bristle_relax + size);
    *rate = w * (s - sigma * size / g * z);
    return w * sigma * z + w / f->bristle_relax * g * s;
}

// Force over load, in the robot: along the slip.
static inline Vec grip_of(const Floor *f, const double *x, Vec front, const Patch *p, int i,
                          Vec *bend)
{
    Vec s = slip_of(f, x, front, p), k;
    double size = cabs(s);
    if (f->law == BRISTLES)
        k = bristle_grip(f, s, x[BRISTLE + 2 * i] + x[BRISTLE + 2 * i + 1] * IM, bend);
    else
        k = size > 0 ? f->mu * tanh(size / f->slip_speed) / size * s : 0;
    return creal(k) * -IM * p->slide + p->scale * cimag(k) * p->slide;
}

// Loads on a plane, load = A + B . place, that carry the weight at the centre of pressure: sum load
// = M g_n, sum load place = M g_n centre - h F, F = sum load grip (of wheels that never slip what
// holds the robot).
static inline void find_loads(const Floor *f, const Body *b, const Patch *p, const Vec *grip,
                              int count, double *load)
{
    double plane[ROWS], weight = b->mass * f->normal;
    Vec goal = weight * b->centre;
    System s;
    clear_system(&s, 3);
    if (!grip) goal += b->height * b->mass * conj(b->front) * f->slope;
    for (int i = 0; i < count; i++) {
        double basis[3] = {1, creal(p[i].place), cimag(p[i].place)};
        Vec moment = p[i].place + (grip ? b->height * grip[i] : 0);
        for (int j = 0; j < 3; j++) {
            s.a[0][j] += basis[j];
            s.a[1][j] += basis[j] * creal(moment);
            s.a[2][j] += basis[j] * cimag(moment);
        }
    }
    s.a[0][ROWS] = weight;
    s.a[1][ROWS] = creal(goal);
    s.a[2][ROWS] = cimag(goal);
    solve_system(&s, plane);
    for (int i = 0; i < count; i++)
        load[i] = plane[0] + plane[1] * creal(p[i].place) + plane[2] * cimag(p[i].place);
}

// A tank whose wheels never slip: a lever of its two sides, left first.
static inline void lever_loads(const Floor *f, const Body *b, double *load)
{
    double half = fabs(cimag(f->wheel[0].place)), weight = b->mass * f->normal;
    double aside = cimag(b->centre + b->height * conj(b->front) * f->slope / f->normal) / half;
    load[0] = weight / 2 * (1 + aside);
    load[1] = weight / 2 * (1 - aside);
}

// Loads of all points, and how many there are.
static inline int floor_loads(const Floor *f, const double *x, const Body *b, Patch *p, Vec *grip,
                              Vec *bend, double *load)
{
    int count = patches_of(f, x, p);
    if (f->law >= ROLLS && f->base == TANK) {
        lever_loads(f, b, load);
        return 2;
    }
    for (int i = 0; i < count; i++) grip[i] = grip_of(f, x, b->front, &p[i], i, &bend[i]);
    if (count) find_loads(f, b, p, f->law >= ROLLS ? NULL : grip, count, load);
    return count;
}

// Returns the least load.
static inline double add_friction(const Floor *f, const double *x, System *s, const Body *b,
                                  Vec *bend)
{
    Patch p[WHEELS];
    Vec grip[WHEELS];
    double load[WHEELS], least = INFINITY;
    int count = floor_loads(f, x, b, p, grip, bend, load);
    for (int i = 0; i < count; i++) {
        least = fmin(least, load[i]);
        int rim = f->law >= ROLLS && f->base == TANK ? i : p[i].rim;
        if (rim >= 0) {
            double *torque = &s->a[b->places.rim + rim][ROWS], roll = f->radius * x[RIM + rim];
            *torque -= f->radius * f->resistance * load[i] * tanh(roll / f->slip_speed);
            if (f->law < ROLLS) *torque -= f->radius * load[i] * dot(grip[i], p[i].roll);
        }
        if (f->law < ROLLS) add_force(s, load[i] * b->front * grip[i], b->front * p[i].place);
    }
    if (f->law == VISCOUS) {
        double side = cimag(conj(b->front) * (x[VX] + x[VY] * IM));
        add_force(s, -f->side_friction * side * IM * b->front, 0);
    }
    return least;
}

// A Roomba's speeds over the floor: left and right wheel ahead, and aside.
static inline void slide_speeds(const Floor *f, const double *x, double *speed)
{
    Vec velocity = conj(along(x[HEADING])) * (x[VX] + x[VY] * IM);
    speed[0] = creal(velocity) - x[YAW] * f->length / 2;
    speed[1] = creal(velocity) + x[YAW] * f->length / 2;
    speed[2] = cimag(velocity);
}

static inline void add_drag(const Floor *f, const double *x, System *s, const Body *b)
{
    double speed[3], r = f->length / 2, side;
    slide_speeds(f, x, speed);
    for (int i = 0; i < 2; i++) {
        double force = f->drive[f->stage][i] - f->drag * f->sense[i] * speed[i] * speed[i];
        add_force(s, force * b->front, (i ? -r : r) * IM * b->front);
    }
    side = -2 * f->side_drag * f->sense[2] * speed[2] * speed[2];
    add_force(s, side * IM * b->front, 0);
}

// Multipliers: the robot's point `place` moves along `g` with r times the rim, or not at all.
static inline void add_constraint(System *s, const double *x, const Body *b, Vec place, Vec g,
                                  int rim, double rolls)
{
    Vec along_g = b->front * g, velocity = x[VX] + x[VY] * IM;
    double row[ROWS] = {creal(along_g), cimag(along_g), cross(b->front * place, along_g)};
    if (rim >= 0) row[b->places.rim + rim] = -rolls;
    int last = s->n++;
    s->definite = false;
    memset(s->a[last], 0, sizeof s->a[last]);
    for (int i = 0; i < last; i++) {
        s->a[last][i] = i < b->places.n ? row[i] : 0;
        s->a[i][last] = i < b->places.n ? -row[i] : 0;
    }
    s->a[last][last] = 0;
    s->a[last][ROWS] = -dot(IM * x[YAW] * along_g, velocity);
}

static inline void add_constraints(const Floor *f, const double *x, System *s, const Body *b)
{
    Patch p[WHEELS];
    int count = patches_of(f, x, p);
    if (f->base == TANK) {
        for (int i = 0; i < 2; i++)
            add_constraint(s, x, b, cimag(p[i].place) * IM, 1, i, f->radius);
        if (f->law == ROLLS) add_constraint(s, x, b, 0, IM, -1, 0);
        return;
    }
    for (int i = 0; i < count; i++) {
        Vec across = -IM * p[i].slide;
        add_constraint(s, x, b, p[i].place, across, i, f->radius * dot(across, p[i].roll));
        if (f->wheel[i].roller == 0) add_constraint(s, x, b, p[i].place, p[i].slide, -1, 0);
    }
}

// Masses and inertias alone, with all that is known of the accelerations.
static inline void add_bodies(const Floor *f, const double *x, System *s, Body *b)
{
    Places p = places_of(f);
    *b = (Body){.places = p, .front = along(x[HEADING]), .mass = f->mass};
    b->height = f->mass * f->com_height;
    clear_system(s, p.n);
    s->definite = true;
    add_mass(s, f->mass, 0);
    s->a[2][2] += f->inertia;
    add_force(s, f->mass * f->slope, 0);
    add_limbs(f, x, s, b);
    for (int i = 0; i < p.rims; i++) {
        double volts = MOTOR_VOLTS * f->drive[f->stage][i];
        s->a[p.rim + i][p.rim + i] = f->rim_inertia;
        s->a[p.rim + i][ROWS] = gear_torque(f->reduction, volts, x[RIM + i], true);
    }
    // I (h'' + q'') + J q'' = torque - bearing q'; what turns the module turns the body back, whose
    // `inertia` has the modules as if held.
    for (int i = 0; i < p.modules; i++) {
        int row = p.module + i;
        double rotor = f->steer_reduction * f->steer_reduction * f->steer_rotor;
        double rate = x[STEER_RATE + i];
        s->a[2][row] = s->a[row][2] = f->module_inertia;
        s->a[row][row] = f->module_inertia + rotor;
        s->a[row][ROWS] =
            gear_torque(f->steer_reduction, f->steer[f->stage][i], rate, true) - f->bearing * rate;
    }
}

// --------------------------------------------------------------------------------------- the rates

static inline void ball_rate(const Floor *f, const double *x, double *dx)
{
    double r = f->length / 2, weight = f->mass * f->normal;
    double inertia = f->inertia_factor * f->mass * r * r;
    Vec velocity = x[VX] + x[VY] * IM, roll = x[RIM] + x[RIM + 1] * IM;
    Vec slip = velocity + IM * r * roll; // (p, q, 0) x (0, 0, -r) = r (-q, p)
    double size = cabs(slip), rate = cabs(roll), spin = fabs(x[YAW]);
    Vec push = size > 0 ? -f->mu * weight * tanh(size / f->slip_speed) / size * slip : 0;
    Vec turn = -IM * r * push; // (0, 0, -r) x F = (r F_y, -r F_x)
    if (rate > 0) turn -= f->rolling * weight * r * tanh(r * rate / f->slip_speed) / rate * roll;
    Vec rise = push / f->mass + f->slope;
    if (f->pushed) rise += f->force.size * along(f->force.direction) / f->mass;
    memset(dx, 0, STATES * sizeof *dx);
    for (int i = 0; i < 3; i++) dx[i] = x[VX + i];
    dx[VX] = creal(rise), dx[VY] = cimag(rise);
    dx[RIM] = creal(turn) / inertia, dx[RIM + 1] = cimag(turn) / inertia;
    dx[YAW] =
        -f->spinning * weight * r * copysign(tanh(r * spin / f->slip_speed), x[YAW]) / inertia;
    if (f->pushed)
        dx[YAW] +=
            cross(along(x[HEADING]) * f->force.point, f->force.size * along(f->force.direction)) /
            inertia;
}

static inline void floor_rate(void *self, const double *x, double *dx)
{
    Floor *f = self;
    System s;
    Body b;
    double a[ROWS];
    Vec bend[WHEELS];
    if (f->base == BALL) {
        ball_rate(f, x, dx);
        return;
    }
    add_bodies(f, x, &s, &b);
    if (f->base == ROOMBA)
        add_drag(f, x, &s, &b);
    else
        f->least_load = fmin(f->least_load, add_friction(f, x, &s, &b, bend));
    if (f->pushed)
        add_force(&s, f->force.size * along(f->force.direction), b.front * f->force.point);
    if (f->law >= ROLLS) add_constraints(f, x, &s, &b);
    memset(dx, 0, STATES * sizeof *dx);
    solve_system(&s, a);
    for (int i = 0; i < 3; i++) dx[i] = x[VX + i], dx[VX + i] = a[i];
    for (int i = 0; i < b.places.rims; i++) dx[RIM + i] = a[b.places.rim + i];
    for (int i = 0; i < f->wheels && f->law == BRISTLES; i++) {
        dx[BRISTLE + 2 * i] = creal(bend[i]);
        dx[BRISTLE + 2 * i + 1] = cimag(bend[i]);
    }
    for (int i = 0; i < b.places.modules; i++) {
        dx[STEER + i] = x[STEER_RATE + i];
        dx[STEER_RATE + i] = a[b.places.module + i];
    }
    for (int i = 0; i < f->limbs; i++)
        for (int j = 0; j < b.limb[i].joints; j++) {
            dx[JOINT + 4 * i + j] = x[JOINT + 4 * i + 2 + j];
            dx[JOINT + 4 * i + 2 + j] =
                i == b.places.reacts ? a[b.places.joint + j] : b.limb[i].rate[j];
        }
}

#endif
