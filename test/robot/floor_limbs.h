// test/robot/floor_limbs.h: what a robot of test/robot/floor_reference.h is, and its limbs:
// mechanisms whose joints move by their own motors, gravity and the slope of the floor.
#ifndef IB_TEST_FLOOR_LIMBS_H
#define IB_TEST_FLOOR_LIMBS_H

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#undef I // the unit i of complex.h: in src it is a current
#define IM _Complex_I

typedef double _Complex Vec;

typedef enum { BOX, DISC, BALL, TANK, HOLONOMIC, SWERVE, ROOMBA, BASES } Base;
typedef enum { CIRCLE, BRISTLES, ROLLS, VISCOUS } Law; // the last two: wheels geared to the floor
typedef enum { TURRET, SINGLE_ARM, ELEVATOR, TWO_MASS, LIFT, TWO_LINK, LIMB_KINDS } LegKind;

enum {
    WHEELS = 4,
    LIMBS = 3,
    PUSHES = 2,
    UNKNOWNS = 3 + 2 * WHEELS + 2,
    ROWS = UNKNOWNS + 2 * WHEELS
};

// Places of states: pose, velocities in the field, rims (of a ball its roll about field x and y),
// modules, four numbers for each limb, two positions and two speeds, and how bristles are bent.
enum { AT_X, AT_Y, HEADING, VX, VY, YAW, RIM, STEER = RIM + WHEELS, STEER_RATE = STEER + WHEELS };
enum { JOINT = STEER_RATE + WHEELS, BRISTLE = JOINT + 4 * LIMBS, STATES = BRISTLE + 2 * WHEELS };

// The motor of every gear: `cim` of data/motors.yaml.
#define MOTOR_VOLTS  12.0
#define STALL_TORQUE 2.42
#define STALL_AMPS   133.0
#define FREE_SPEED   (5310 * acos(-1) / 30)
#define FREE_AMPS    2.7
#define GRAVITY      9.80665

typedef struct Limb {
    LegKind kind;
    bool reaction, coasts;
    double mass, x, y, z;         // of what moves, and its mount
    double length, slope, radius; // to the centre of mass; of the guides; of drum or pulley
    double inertia, rotor;        // about its own axis; of a motor
    double stiffness, damping, friction, reduction;
    double link[2][3], link_inertia[2]; // of an arm of two links: length, centre, mass
    double low, high;                   // stops, where low < high
    double position[2], velocity[2];    // at the start
    double volts[2][2];                 // before and after the switch
} Limb;

typedef struct Wheel {
    Vec place;
    double direction, roller; // the roller counts from the direction; 0: a tyre
} Wheel;

// What comes from outside: from `at` to `until`; an impulse at `at`.
typedef struct Push {
    double at, until, size, direction;
    Vec point; // in the robot
} Push;

typedef struct Floor {
    Base base;
    Law law;
    double mass, inertia, length, width, com_height, mu, slip_speed, restitution;
    double mu_static, bristle_deflection, bristle_relax, side_friction;
    double resistance, scale, radius, wheel_inertia, rotor, reduction; // of wheels and their motors
    double rim_inertia; // with the rotors behind the gear
    double steer_reduction, steer_rotor, module_inertia, bearing;
    double drag, side_drag;                   // of a Roomba
    double inertia_factor, rolling, spinning; // of a ball
    int wheels, limbs;
    Wheel wheel[WHEELS];
    Limb limb[LIMBS];
    double start[6];            // AT_X … YAW
    double drive[2][WHEELS];    // before and after the switch: duties, of a Roomba forces
    double steer[2][WHEELS];    // volts
    double stick[2][3];         // of a holonomic base: what the program makes duties of
    double switch_at, duration; // [s]
    Push tilt[PUSHES], force, impulse[PUSHES];
    bool walled; // the field is where (place - wall) e^{-i wall_direction} has a positive real part
    Vec wall;
    double wall_direction;
    // now
    Vec slope;
    double normal;
    int stage;
    bool pushed, held[LIMBS];
    double least_load; // of all rates that were asked for
    double sense[3];   // of a Roomba: signs of its three sliding speeds, which bend its drags at 0
} Floor;

static inline Vec along(double angle)
{
    return cos(angle) + sin(angle) * IM;
}

static inline double dot(Vec a, Vec b)
{
    return creal(a) * creal(b) + cimag(a) * cimag(b);
}

static inline double cross(Vec a, Vec b)
{
    return creal(a) * cimag(b) - cimag(a) * creal(b);
}

// ------------------------------------------------------------------------------------------ motors

// Torque of motors behind a gear, on the shaft.
static inline double gear_torque(double reduction, double volts, double speed, bool viscous)
{
    double R = MOTOR_VOLTS / STALL_AMPS, Kt = STALL_TORQUE / STALL_AMPS;
    double Ke = (MOTOR_VOLTS - FREE_AMPS * R) / FREE_SPEED;
    double loss = viscous ? Kt * FREE_AMPS / FREE_SPEED : 0, motor = reduction * speed;
    return reduction * (Kt * (volts - Ke * motor) / R - loss * motor);
}

// ------------------------------------------------------------------------------------------- limbs

// A mechanism at an instant: K q'' = force, its centre of mass at x (in the robot, of its mount)
// and z over the floor, m dx = c dq, m dz = d dq, m x'' = c q'' + extra.
typedef struct LegNow {
    int joints;
    double K[2][2], force[2], c[2], d[2], extra, x, z, speed;
    double rate[2]; // q''
} LegNow;

static inline double leg_torque(const Floor *f, const Limb *m, int joint, double speed)
{
    double volts = m->volts[f->stage][joint];
    return m->coasts && volts == 0 ? 0 : gear_torque(m->reduction, volts, speed, false);
}

static inline void link_motion(const Floor *f, const Limb *m, const double *q, LegNow *now)
{
    const double *one = m->link[0], *two = m->link[1];
    double s1 = one[1] * one[2] + one[0] * two[2], s2 = two[1] * two[2];
    double beta = one[0] * two[1] * two[2], turn = q[0] - q[1];
    double rotors = m->rotor * m->reduction * m->reduction;
    now->joints = 2;
    now->K[0][0] =
        m->link_inertia[0] + one[1] * one[1] * one[2] + one[0] * one[0] * two[2] + rotors;
    now->K[1][1] = m->link_inertia[1] + two[1] * two[1] * two[2] + rotors;
    now->K[0][1] = now->K[1][0] = beta * cos(turn);
    now->force[0] = leg_torque(f, m, 0, q[2]) - beta * sin(turn) * q[3] * q[3];
    now->force[1] = leg_torque(f, m, 1, q[3]) + beta * sin(turn) * q[2] * q[2];
    now->c[0] = s1 * cos(q[0]), now->c[1] = s2 * cos(q[1]);
    now->d[0] = -s1 * sin(q[0]), now->d[1] = -s2 * sin(q[1]);
    now->extra = -s1 * sin(q[0]) * q[2] * q[2] - s2 * sin(q[1]) * q[3] * q[3];
    now->x = (s1 * sin(q[0]) + s2 * sin(q[1])) / m->mass;
    now->z = m->z + (s1 * cos(q[0]) + s2 * cos(q[1])) / m->mass;
}

static inline void belt_motion(const Floor *f, const Limb *m, const double *q, LegNow *now)
{
    double r = m->radius, belt = m->stiffness * (q[0] - q[1]) + m->damping * (q[2] - q[3]);
    now->joints = 2;
    now->K[0][0] = (m->inertia + m->rotor * m->reduction * m->reduction) / (r * r);
    now->K[1][1] = m->mass;
    now->force[0] = leg_torque(f, m, 0, q[2] / r) / r - belt;
    now->force[1] = belt - m->friction * q[3];
    now->c[1] = m->mass;
    now->x = q[1];
    now->z = m->z;
}

// A platform on two ropes: its ends are a half of its mass each, and what its turning adds.
static inline void platform_motion(const Floor *f, const Limb *m, const double *q, LegNow *now)
{
    double r = m->radius, w = m->length, half = m->mass / 4, turn = m->inertia / (4 * w * w);
    double tilt =
        m->stiffness / (4 * w * w) * (q[0] - q[1]) + m->damping / (4 * w * w) * (q[2] - q[3]);
    now->joints = 2;
    now->K[0][0] = now->K[1][1] = half + turn + m->rotor * m->reduction * m->reduction / (r * r);
    now->K[0][1] = now->K[1][0] = half - turn;
    now->force[0] = leg_torque(f, m, 0, q[2] / r) / r - tilt;
    now->force[1] = leg_torque(f, m, 1, q[3] / r) / r + tilt;
    now->d[0] = now->d[1] = m->mass / 2;
    now->z = m->z + (q[0] + q[1]) / 2;
}

static inline void joint_motion(const Floor *f, const Limb *m, const double *q, LegNow *now)
{
    double rotors = m->rotor * m->reduction * m->reduction, l = m->length, v = q[2];
    now->joints = 1;
    now->z = m->z;
    if (m->kind == TURRET) {
        now->K[0][0] = m->inertia + rotors;
        now->force[0] = leg_torque(f, m, 0, v) - m->friction * v;
    } else if (m->kind == SINGLE_ARM) {
        now->K[0][0] = m->mass * l * l + rotors;
        now->force[0] = leg_torque(f, m, 0, v) - m->friction * v;
        now->c[0] = -m->mass * l * sin(q[0]);
        now->d[0] = m->mass * l * cos(q[0]);
        now->extra = -m->mass * l * cos(q[0]) * v * v;
        now->x = l * cos(q[0]);
        now->z += l * sin(q[0]);
    } else {
        now->K[0][0] = m->mass + rotors / (m->radius * m->radius);
        now->force[0] = leg_torque(f, m, 0, v / m->radius) / m->radius - m->friction * v;
        now->c[0] = m->mass * cos(m->slope);
        now->d[0] = m->mass * sin(m->slope);
        now->x = q[0] * cos(m->slope);
        now->z += q[0] * sin(m->slope);
    }
}

// With gravity, which does the work s c - g_n d; s: of the floor's slope along the robot's front.
static inline LegNow leg_now(const Floor *f, int index, const double *x)
{
    const Limb *m = &f->limb[index];
    const double *q = x + JOINT + 4 * index;
    LegNow now = {0};
    double s = dot(along(x[HEADING]), f->slope);
    if (m->kind == TWO_LINK)
        link_motion(f, m, q, &now);
    else if (m->kind == TWO_MASS)
        belt_motion(f, m, q, &now);
    else if (m->kind == LIFT)
        platform_motion(f, m, q, &now);
    else
        joint_motion(f, m, q, &now);
    for (int j = 0; j < 2; j++) now.force[j] += s * now.c[j] - f->normal * now.d[j];
    now.speed = (now.c[0] * q[2] + now.c[1] * q[3]) / m->mass;
    double det = now.K[0][0] * now.K[1][1] - now.K[0][1] * now.K[1][0];
    if (f->held[index]) return now;
    if (now.joints == 1)
        now.rate[0] = now.force[0] / now.K[0][0];
    else {
        now.rate[0] = (now.K[1][1] * now.force[0] - now.K[0][1] * now.force[1]) / det;
        now.rate[1] = (now.K[0][0] * now.force[1] - now.K[1][0] * now.force[0]) / det;
    }
    return now;
}

#endif
