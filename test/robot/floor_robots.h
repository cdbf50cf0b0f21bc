// test/robot/floor_robots.h: robots by chance on a tilted floor, for a reference and as scenarios.
#ifndef IB_TEST_FLOOR_ROBOTS_H
#define IB_TEST_FLOOR_ROBOTS_H

#include "cmocka_all.h"
#include "robot/floor_motion.h"
#include "spread.h"

#include <stdio.h>

#define DEGREE (acos(-1) / 180)

static const char *const base_names[] = {"box",       "disc",   "ball",  "tank",
                                         "holonomic", "swerve", "roomba"};

// --------------------------------------------------------------------------------------- by chance

static inline bool chance(uint64_t *seed, double share)
{
    return spread(seed, 0, 1) < share;
}

// A time of the run on a grid of a millisecond, so that both sides have the same.
static inline double draw_time(uint64_t *seed, double low, double high)
{
    return floor(1000 * spread(seed, low, high)) / 1000;
}

static inline void draw_stops(uint64_t *seed, Limb *m, double range)
{
    double middle = m->position[0];
    if (!chance(seed, 0.5)) return;
    m->low = middle - spread(seed, 0.02, 1) * range;
    m->high = middle + spread(seed, 0.02, 1) * range;
}

static inline void draw_links(uint64_t *seed, Limb *m)
{
    double share = spread(seed, 0.3, 0.7);
    for (int i = 0; i < 2; i++) {
        m->link[i][0] = spread(seed, 0.2, 0.4);
        m->link[i][1] = m->link[i][0] * spread(seed, 0.3, 0.7);
        m->link[i][2] = m->mass * (i ? 1 - share : share);
        m->link_inertia[i] = m->link[i][2] * m->link[i][0] * m->link[i][0] / 12;
        m->position[i] = spread(seed, -1.5, 1.5);
        m->velocity[i] = 2 * spread_signed(seed);
    }
    m->mass = m->link[0][2] + m->link[1][2];
    m->reaction = chance(seed, 0.5);
}

static inline Limb draw_leg(uint64_t *seed, LegKind kind, double mass, double size)
{
    Limb m = {
        .kind = kind, .mass = mass * spread(seed, 0.05, 0.25), .reduction = spread(seed, 15, 40)};
    m.x = size * 0.4 * spread_signed(seed);
    m.y = size * 0.4 * spread_signed(seed);
    m.z = size * spread(seed, 0.05, 0.4);
    m.length = spread(seed, 0.1, 0.3);
    m.slope = acos(0) * spread(seed, -0.2, 0.95);
    m.radius = spread(seed, 0.02, 0.04);
    m.inertia = m.mass * spread(seed, 0.01, 0.03);
    m.rotor = spread(seed, 3e-5, 8e-5);
    m.friction = spread(seed, 0, 0.5);
    m.coasts = chance(seed, 0.5);
    m.position[0] = kind == SINGLE_ARM ? spread(seed, -1.4, 2) : 0.1 * spread_signed(seed);
    m.velocity[0] = (kind == SINGLE_ARM ? 3 : 0.3) * spread_signed(seed);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) m.volts[i][j] = chance(seed, 0.3) ? 0 : 6 * spread_signed(seed);
    if (kind == TURRET) m.slope = 0;
    if (kind <= ELEVATOR) draw_stops(seed, &m, kind == SINGLE_ARM ? 0.6 : 0.1);
    if (kind == TWO_LINK) draw_links(seed, &m);
    if (kind == TWO_MASS || kind == LIFT) {
        m.stiffness = kind == LIFT ? 300 : 2000;
        m.damping = spread(seed, 1, 10);
        m.position[1] = m.position[0];
        m.velocity[1] = m.velocity[0];
    }
    if (kind == LIFT) m.inertia = m.mass * m.length * m.length / 3;
    return m;
}

static inline void draw_wheels(uint64_t *seed, Floor *f)
{
    double a = f->length * spread(seed, 0.36, 0.44), b = f->width * spread(seed, 0.36, 0.44);
    double omni = spread(seed, 0.6, 1), quarter = acos(0);
    bool mecanum = chance(seed, 0.4);
    f->wheels = 4;
    if (f->base == TANK || f->base == SWERVE) {
        if (f->base == SWERVE) a = f->length / 2 - 0.1, b = f->width / 2 - 0.1;
        // A tank's left side first; modules from the front right to the left.
        static const double x[2][4] = {{1, 1, -1, -1}, {1, 1, -1, -1}};
        static const double y[2][4] = {{1, -1, 1, -1}, {-1, 1, 1, -1}};
        int kind = f->base == SWERVE;
        for (int i = 0; i < 4; i++) f->wheel[i].place = a * x[kind][i] + b * y[kind][i] * IM;
        return;
    }
    f->wheels = mecanum || chance(seed, 0.6) ? 4 : 3;
    for (int i = 0; i < f->wheels; i++) {
        double turn = f->wheels == 4 ? (i + 0.5) * quarter : (i + 0.5) * 4 * quarter / 3;
        Vec place = f->wheels == 3 ? a * along(turn)
                                   : (cos(turn) > 0 ? a : -a) + (sin(turn) > 0 ? b : -b) * IM;
        f->wheel[i] = (Wheel){place, turn + omni * quarter, quarter};
        if (mecanum) f->wheel[i] = (Wheel){place, 0, (i % 2 ? 0.5 : -0.5) * quarter};
    }
}

static inline void draw_pushes(uint64_t *seed, Floor *f, double steepest)
{
    double T = f->duration, turn = 4 * acos(0), size = 0.2 * f->length;
    bool two = chance(seed, 0.4);
    for (int i = 0; i < 1 + two; i++) {
        double at = i ? draw_time(seed, 0.1 * T, 0.4 * T) : 0;
        double until = i ? at + draw_time(seed, 0.2 * T, 0.5 * T) : INFINITY;
        double tilt = steepest * spread(seed, 0, two ? 0.5 : 1);
        f->tilt[i] = (Push){at, until, tilt, turn * spread_signed(seed), 0};
        Vec point = size * spread_signed(seed) + size * spread_signed(seed) * IM;
        f->impulse[i] = (Push){draw_time(seed, 0.1 * T, 0.8 * T), 0, f->mass * spread(seed, 0, 0.5),
                               turn * spread_signed(seed), point};
    }
    Vec point = size * spread_signed(seed) + size * spread_signed(seed) * IM;
    double at = draw_time(seed, 0, 0.5 * T);
    f->force = (Push){at, at + draw_time(seed, 0.2 * T, 0.7 * T), 2 * f->mass * spread(seed, 0, 1),
                      turn * spread_signed(seed), point};
}

// A pose, a velocity that its wheels allow, and perhaps a wall that it runs into.
static inline void draw_start(uint64_t *seed, Floor *f)
{
    double turn = 2 * acos(-1) * spread_signed(seed), speed = spread(seed, 0, 1.5);
    double course = 4 * acos(0) * spread_signed(seed);
    if (f->walled) speed += 1;
    f->start[AT_X] = spread_signed(seed);
    f->start[AT_Y] = spread_signed(seed);
    f->start[HEADING] = turn;
    f->start[YAW] = 2 * spread_signed(seed);
    if (f->law == ROLLS && f->base == TANK) course = turn;
    f->start[VX] = speed * cos(course);
    f->start[VY] = speed * sin(course);
    double reach = hypot(f->length, f->width) / 2 + spread(seed, 0.01, 0.1);
    f->wall_direction = course + acos(-1) + 0.5 * spread_signed(seed);
    f->wall = f->start[AT_X] + f->start[AT_Y] * IM - reach * along(f->wall_direction);
}

static inline void draw_law(uint64_t *seed, Floor *f)
{
    f->mu = spread(seed, 0.3, 1.1);
    f->mu_static = f->mu * spread(seed, 1, 1.3);
    f->bristle_deflection = spread(seed, 1e-4, 1e-3);
    f->bristle_relax = spread(seed, 0.05, 0.1);
    f->side_friction = f->mass * spread(seed, 1, 10);
    f->slip_speed = spread(seed, 0.03, 0.1);
    f->restitution = spread(seed, 0.2, 0.9);
    f->resistance = chance(seed, 0.5) ? spread(seed, 0, 0.05) : 0;
    f->scale = spread(seed, 0, 0.3);
    f->radius = spread(seed, 0.05, 0.08);
    f->reduction = spread(seed, 8, 20);
    f->rotor = spread(seed, 1e-5, 5e-5);
    f->wheel_inertia = spread(seed, 0.002, 0.01);
    f->rim_inertia = f->wheel_inertia + f->reduction * f->reduction * f->rotor;
    f->steer_reduction = spread(seed, 15, 30);
    f->steer_rotor = spread(seed, 1e-5, 4e-5);
    f->module_inertia = spread(seed, 0.005, 0.02);
    f->bearing = spread(seed, 0.01, 0.2);
    f->drag = spread(seed, 2, 5);
    f->side_drag = spread(seed, 20, 200);
    f->inertia_factor = spread(seed, 0.3, 0.66);
    f->rolling = spread(seed, 0, 0.05);
    f->spinning = spread(seed, 0, 0.05);
    if (f->base == ROOMBA) f->restitution *= 0.2; // less than its own shell's
}

static inline Floor draw_floor(uint64_t *seed, Base base, Law law, bool walled, double steepest)
{
    static const double masses[] = {10, 6, 1, 40, 10, 50, 2.7};
    static const double sizes[] = {0.6, 0.6, 0.2, 0.8, 0.46, 0.7, 0.34};
    Floor f = {.base = base, .law = law, .walled = walled, .duration = 0.4};
    bool round = base == DISC || base == BALL || base == ROOMBA;
    f.mass = masses[base] * spread(seed, 0.7, 1.4);
    f.length = sizes[base] * spread(seed, 0.8, 1.2);
    f.width = round ? f.length : f.length * spread(seed, 0.8, 1.2);
    f.inertia = f.mass * (f.length * f.length + f.width * f.width) / 12;
    if (base == DISC || base == ROOMBA) f.inertia = f.mass * f.length * f.length / 8;
    draw_law(seed, &f);
    if (base == TANK || base == HOLONOMIC || base == SWERVE) {
        f.inertia *= spread(seed, 0.7, 1.2);
        f.com_height = 0.17 * f.length / f.mu * spread(seed, 0, 1); // higher ones are refused
        draw_wheels(seed, &f);
    }
    if (base == TANK && law >= ROLLS) f.rim_inertia = 0;
    f.switch_at = draw_time(seed, 0.2 * f.duration, 0.8 * f.duration);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3; j++) f.stick[i][j] = 0.7 * spread_signed(seed);
        for (int j = 0; j < WHEELS; j++) {
            f.drive[i][j] = (base == ROOMBA ? 2.7 : 0.7) * spread_signed(seed);
            f.steer[i][j] = 6 * spread_signed(seed);
        }
    }
    f.limbs = base == BALL ? 0 : 1 + (int)spread(seed, 0, LIMBS);
    for (int i = 0; i < f.limbs; i++) {
        f.limb[i] = draw_leg(seed, (LegKind)spread(seed, 0, LIMB_KINDS), f.mass, f.length);
        if (i) f.limb[i].reaction = false;
    }
    draw_start(seed, &f);
    draw_pushes(seed, &f, steepest);
    return f;
}

// ----------------------------------------------------------------------------------- as a scenario

typedef struct Text {
    char text[6000];
    size_t used;
} Text;

__attribute__((format(printf, 2, 3))) static inline void say(Text *t, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int more = vsnprintf(t->text + t->used, sizeof t->text - t->used, format, values);
    va_end(values);
    assert_true(more >= 0 && (size_t)more < sizeof t->text - t->used);
    t->used += (size_t)more;
}

static inline void say_motor(Text *t, double rotor)
{
    say(t, "motor: {preset: cim, rotor_inertia: %.17g kg*m^2}", rotor);
}

static inline const char *unit_of(const Limb *m)
{
    return m->kind == TURRET || m->kind == SINGLE_ARM || m->kind == TWO_LINK ? "rad" : "m";
}

static inline void say_own(Text *t, const Limb *m)
{
    const char *neutral = m->coasts ? "coast" : "brake";
    if (m->kind == TWO_LINK) {
        for (int i = 0; i < 2; i++) {
            say(t, ", joint%d: {reduction: %.17g, ", i + 1, m->reduction);
            say_motor(t, m->rotor);
            say(t,
                "}, link%d: {length: %.17g m, center: %.17g m, mass: %.17g kg, inertia: %.17g "
                "kg*m^2}",
                i + 1, m->link[i][0], m->link[i][1], m->link[i][2], m->link_inertia[i]);
        }
        say(t, ", neutral: %s, reaction: %s", neutral, m->reaction ? "true" : "false");
        return;
    }
    say(t, ", mass: %.17g kg, reduction: %.17g, neutral: %s, ", m->mass, m->reduction, neutral);
    say_motor(t, m->rotor);
    if (m->kind == LIFT)
        say(t,
            ", drum_radius: %.17g m, inertia: %.17g kg*m^2, half_width: %.17g m, stiffness: %.17g "
            "N*m/rad, "
            "damping: %.17g N*m*s/rad",
            m->radius, m->inertia, m->length, m->stiffness, m->damping);
    else
        say(t, ", friction: %.17g %s", m->friction, unit_of(m)[0] == 'r' ? "N*m*s" : "N*s/m");
    if (m->kind == TURRET) say(t, ", inertia: %.17g kg*m^2", m->inertia);
    if (m->kind == SINGLE_ARM) say(t, ", center: %.17g m", m->length);
    if (m->kind == ELEVATOR)
        say(t, ", motors: 1, drum_radius: %.17g m, slope: %.17g rad", m->radius, m->slope);
    if (m->kind == TWO_MASS)
        say(t,
            ", pulley_radius: %.17g m, pulley_inertia: %.17g kg*m^2, stiffness: %.17g N/m, "
            "damping: %.17g N*s/m",
            m->radius, m->inertia, m->stiffness, m->damping);
    if (m->low < m->high)
        say(t, ", travel: [%.17g %s, %.17g %s]", m->low, unit_of(m), m->high, unit_of(m));
}

static inline void say_limbs(Text *t, const Floor *f)
{
    static const char *const kinds[] = {"turret",   "single_arm", "elevator",
                                        "two_mass", "lift",       "arm"};
    if (f->limbs == 0) return;
    say(t, "  mechanisms:\n");
    for (int i = 0; i < f->limbs; i++) {
        const Limb *m = &f->limb[i];
        say(t, "    m%d: {kind: %s", i, kinds[m->kind]);
        say_own(t, m);
        say(t, ", place: {x: %.17g m, y: %.17g m, z: %.17g m}}\n", m->x, m->y, m->z);
    }
}

static inline void say_drive(Text *t, const Floor *f)
{
    static const char *const laws[] = {"friction_circle", "bristle", "rolling", "viscous"};
    int rims = f->base == TANK ? 2 : 1;
    say(t, "  drive: {reduction: %.17g, loss: viscous, rotor_inertia: %.17g kg*m^2, ", f->reduction,
        f->rotor);
    if (rims == 2) say(t, "motors_per_side: 1, wheel_diameter: %.17g m, ", 2 * f->radius);
    say_motor(t, 0);
    say(t,
        "}\n  wheels: {model: %s, mu: %.17g, slip_speed: %.17g m/s, rolling_resistance: %.17g, "
        "com_height: %.17g m, %s: %.17g kg*m^2",
        laws[f->law], f->mu, f->slip_speed, f->resistance, f->com_height,
        rims == 2 ? "inertia_per_side" : "inertia", f->wheel_inertia);
    if (f->law == BRISTLES)
        say(t, ", mu_static: %.17g, bristle_deflection: %.17g m, bristle_relax: %.17g m/s",
            f->mu_static, f->bristle_deflection, f->bristle_relax);
    if (f->base == TANK && f->law == VISCOUS)
        say(t, ", side_friction: %.17g N*s/m", f->side_friction);
    if (f->base == TANK) say(t, ", contact_half_length: %.17g m", creal(f->wheel[0].place));
    if (f->base == SWERVE) say(t, ", diameter: %.17g m", 2 * f->radius);
    if (f->base == HOLONOMIC) {
        say(t, ", roller_friction: %.17g, at: [", f->scale);
        for (int i = 0; i < f->wheels; i++)
            say(t,
                "%s\n    {x: %.17g m, y: %.17g m, direction: %.17g rad, roller: %.17g rad, "
                "diameter: %.17g m}",
                i ? "," : "", creal(f->wheel[i].place), cimag(f->wheel[i].place),
                f->wheel[i].direction, f->wheel[i].roller, 2 * f->radius);
        say(t, "]");
    }
    say(t, "}\n");
    if (f->base == SWERVE) {
        say(t,
            "  modules: {inset: 0.1 m}\n  steer: {reduction: %.17g, rotor_inertia: %.17g kg*m^2, "
            "inertia: %.17g kg*m^2, friction: %.17g N*m*s, ",
            f->steer_reduction, f->steer_rotor, f->module_inertia, f->bearing);
        say_motor(t, 0);
        say(t, "}\n");
    }
}

static inline void say_robot(Text *t, const Floor *f)
{
    bool round = f->base == DISC || f->base == BALL || f->base == ROOMBA;
    say(t, "robot:\n  kind: %s\n", base_names[f->base]);
    say(t, "  mass: %.17g kg\n", f->mass);
    if (f->base != ROOMBA) say(t, "  bumper: {restitution: 1, friction: 0}\n");
    if (round)
        say(t, "  diameter: %.17g m\n", f->length);
    else
        say(t, "  length: %.17g m\n  width: %.17g m\n", f->length, f->width);
    if (f->base == BOX || f->base == DISC || f->base == BALL)
        say(t, "  mu: %.17g\n  slip_speed: %.17g m/s\n", f->mu, f->slip_speed);
    if (f->base == BALL)
        say(t, "  inertia_factor: %.17g\n  rolling: %.17g\n  spinning: %.17g\n", f->inertia_factor,
            f->rolling, f->spinning);
    if (f->base == ROOMBA)
        say(t, "  drag: %.17g N*s^2/m^2\n  side_drag: %.17g N*s^2/m^2\n  max_force: 5 N\n", f->drag,
            f->side_drag);
    if (f->base == TANK) say(t, "  half_track: %.17g m\n", cimag(f->wheel[0].place));
    if (f->base == TANK || f->base == HOLONOMIC || f->base == SWERVE) {
        say(t, "  inertia: %.17g kg*m^2\n", f->inertia);
        say_drive(t, f);
    }
    if (f->base != BALL) say(t, "  battery: {open_circuit: 12 V, resistance: 0 ohm}\n");
    say_limbs(t, f);
}

static inline void say_limb_start(Text *t, const Limb *m, int i)
{
    static const char *const ends[][2] = {{"motor", "load"}, {"left", "right"}};
    const char *const *end = ends[m->kind == LIFT];
    const double *q = m->position, *v = m->velocity;
    if (m->kind == TWO_LINK)
        say(t,
            "  m%d: {theta1: %.17g rad, omega1: %.17g rad/s, theta2: %.17g rad, omega2: %.17g "
            "rad/s}\n",
            i, q[0], v[0], q[1], v[1]);
    else if (m->kind == TWO_MASS || m->kind == LIFT)
        say(t,
            "  m%d: {%s: {position: %.17g m, velocity: %.17g m/s}, %s: {position: %.17g m, "
            "velocity: %.17g m/s}}\n",
            i, end[0], q[0], v[0], end[1], q[1], v[1]);
    else
        say(t, "  m%d: {position: %.17g %s, velocity: %.17g %s/s}\n", i, q[0], unit_of(m), v[0],
            unit_of(m));
}

// A timeline of two values.
static inline void say_two(Text *t, const Floor *f, const char *name, double first, double second,
                           const char *unit)
{
    say(t, "  %s: [[0 s, %.17g%s], [%.17g s, %.17g%s]]\n", name, first, unit, f->switch_at, second,
        unit);
}

static inline void say_inputs(Text *t, const Floor *f)
{
    static const char *const sticks[] = {"stick.x", "stick.y", "turn"};
    char name[40];
    say(t, "inputs:\n");
    for (int i = 0; i < 2 && (f->base == TANK || f->base == ROOMBA); i++) {
        double scale = f->base == TANK ? MOTOR_VOLTS : 1;
        say_two(t, f, i ? "right" : "left", scale * f->drive[0][i], scale * f->drive[1][i],
                f->base == TANK ? " V" : " N");
    }
    for (int i = 0; i < 3 && f->base == HOLONOMIC; i++)
        say_two(t, f, sticks[i], f->stick[0][i], f->stick[1][i], "");
    for (int i = 0; i < WHEELS && f->base == SWERVE; i++) {
        snprintf(name, sizeof name, "module.%d.drive", i + 1);
        say_two(t, f, name, f->drive[0][i], f->drive[1][i], "");
        snprintf(name, sizeof name, "module.%d.steer", i + 1);
        say_two(t, f, name, f->steer[0][i], f->steer[1][i], " V");
    }
    for (int i = 0; i < f->limbs; i++) {
        const Limb *m = &f->limb[i];
        static const char *const ends[][2] = {{"left", "right"}, {"volts1", "volts2"}};
        bool two = m->kind == LIFT || m->kind == TWO_LINK;
        for (int j = 0; j < 1 + two; j++) {
            snprintf(name, sizeof name, "m%d%s%s", i, two ? "." : "",
                     two ? ends[m->kind == TWO_LINK][j] : "");
            say_two(t, f, name, m->volts[0][j], m->volts[1][j], " V");
        }
    }
}

static inline void say_pushes(Text *t, const Floor *f)
{
    say(t, "disturbances:\n");
    for (int i = 0; i < PUSHES; i++) {
        const Push *tilt = &f->tilt[i], *hit = &f->impulse[i];
        if (tilt->until > 0) {
            say(t, "  - {tilt: %.17g rad, direction: %.17g rad, at: %.17g s", tilt->size,
                tilt->direction, tilt->at);
            if (tilt->until < INFINITY) say(t, ", for: %.17g s", tilt->until - tilt->at);
            say(t, "}\n");
        }
        if (hit->size > 0)
            say(t,
                "  - {impulse: %.17g N*s, direction: %.17g rad, at: %.17g s, point: [%.17g m, "
                "%.17g m]}\n",
                hit->size, hit->direction, hit->at, creal(hit->point), cimag(hit->point));
    }
    if (f->force.size > 0)
        say(t,
            "  - {force: %.17g N, direction: %.17g rad, at: %.17g s, for: %.17g s, point: [%.17g "
            "m, %.17g m]}\n",
            f->force.size, f->force.direction, f->force.at, f->force.until - f->force.at,
            creal(f->force.point), cimag(f->force.point));
}

static inline void say_floor(Text *t, const Floor *f, const char *run)
{
    t->used = 0;
    say_robot(t, f);
    say(t, "start:\n");
    say(t,
        "  x: %.17g m\n  y: %.17g m\n  heading: %.17g rad\n"
        "  velocity: {x: %.17g m/s, y: %.17g m/s, heading: %.17g rad/s}\n",
        f->start[AT_X], f->start[AT_Y], f->start[HEADING], f->start[VX], f->start[VY],
        f->start[YAW]);
    for (int i = 0; i < f->limbs; i++) say_limb_start(t, &f->limb[i], i);
    if (f->base != BALL) say_inputs(t, f);
    say_pushes(t, f);
    if (f->walled) {
        Vec middle = f->wall - 0.5 * along(f->wall_direction);
        say(t,
            "field: {elements: {wall: {box: [%.17g m, %.17g m], length: 40 m, width: 1 m, "
            "heading: %.17g rad, restitution: %.17g, friction: 0}}}\n",
            creal(middle), cimag(middle), f->wall_direction + acos(0), f->restitution);
    }
    say(t, "run: {duration: %.17g s, %s}\n", f->duration, run);
}

#endif
