// stand: a plug-in of version 2 that holds a robot on four legs with cylinders where it starts. It
// is told masses, lengths and areas by name, shares the weight among the feet, and gives each
// cylinder the force for it.
//
//   cc -O2 -shared -fPIC -Iinclude examples/plugin/stand.c -o examples/plugin/stand.so -lm
//   build/ironbird run --allow-plugins examples/plugin/stand.yaml
//
// Symbols: q angles of a leg [rad], q0 where they start; h(q) height of a foot in the body [m];
//   M mass of the robot, g gravity, n legs; F force of a cylinder [N], arm its dx/dq [m];
//   u voltage of its valve [V], u0 where it lets nothing through
//   T = -(M g/n) dh/dq + P (q0 - q) - D q'         virtual work, and a spring about the start
//   u = u0 + K (T/arm - F),   F = p_cap A_cap - p_rod A_rod - F_outside
// Limit: at rest in the start pose every cylinder carries its share, and u = u0.
#include "ironbird/plugin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double P[3] = {40, 30, 20};    // [N m/rad]
static const double D[3] = {3, 1.2, 0.6};   // [N m s/rad]
static const double K = 0.02, LIMIT = 0.02; // [V/N], and the least arm that is divided by [m]

#define JOINT(leg, joint)                                                                          \
    "leg." leg "." joint ".angle", "leg." leg "." joint ".velocity",                               \
        "leg." leg "." joint ".cap.pressure", "leg." leg "." joint ".rod.pressure"
#define LEG(leg)  JOINT(leg, "alpha"), JOINT(leg, "beta"), JOINT(leg, "gamma")
#define SETS(leg) "leg." leg ".alpha", "leg." leg ".beta", "leg." leg ".gamma"
enum { LEGS = 4, JOINTS = 3, READS = 4 };

static const char *const legs[LEGS] = {"fl", "fr", "rl", "rr"};
static const char *const measurements[] = {LEG("fl"), LEG("fr"), LEG("rl"), LEG("rr")};
static const char *const outputs[] = {SETS("fl"), SETS("fr"), SETS("rl"), SETS("rr")};

// Its state, doubles alone: what it was told. `up` is the vertical in the frame of each shoulder.
typedef struct Joint {
    double q0, u0, cap, rod, outside, l1, l3, offset, sign;
} Joint;
typedef struct State {
    double weight, a1, a2, a3, up[LEGS][3];
    Joint joint[LEGS * JOINTS];
} State;

static double ask(const ironbird_world *world, const char *prefix, const char *part,
                  const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%s%s.%s", prefix, part, name);
    return world->number(world, full);
}

static int init(const ironbird_world *world, double *memory)
{
    static const char *const up[3] = {"shoulder.turn.6", "shoulder.turn.7", "shoulder.turn.8"};
    State s;
    if (!world->has(world, "legs.count") || world->number(world, "legs.count") < LEGS)
        return world->fail(world, "it needs a robot on four legs");
    s.weight = world->number(world, "robot.mass") * world->number(world, "legs.gravity") / LEGS;
    s.a1 = world->number(world, "leg.a1");
    s.a2 = world->number(world, "leg.a2");
    s.a3 = world->number(world, "leg.a3");
    for (int i = 0; i < 3 * LEGS; i++)
        s.up[i / 3][i % 3] = ask(world, "leg.", legs[i / 3], up[i % 3]);
    for (int i = 0; i < JOINTS * LEGS; i++) {
        const char *joint = outputs[i];
        s.joint[i] = (Joint){.q0 = ask(world, "", joint, "start"),
                             .u0 = ask(world, "input.", joint, "neutral"),
                             .cap = ask(world, "", joint, "area.cap"),
                             .rod = ask(world, "", joint, "area.rod"),
                             .outside = ask(world, "", joint, "outside"),
                             .l1 = ask(world, "", joint, "linkage.l1"),
                             .l3 = ask(world, "", joint, "linkage.l3"),
                             .offset = ask(world, "", joint, "linkage.offset"),
                             .sign = ask(world, "", joint, "linkage.sign")};
    }
    memcpy(memory, &s, sizeof s);
    return 0;
}

// dx/dq of the triangle of joint, pivot and pin (docs/plant/linkage.md).
static double find_arm(const Joint *j, double q)
{
    double angle = j->offset + j->sign * q;
    double length = sqrt(j->l1 * j->l1 + j->l3 * j->l3 - 2 * j->l1 * j->l3 * cos(angle));
    double arm = j->sign * j->l1 * j->l3 * sin(angle) / length;
    return fabs(arm) > LIMIT ? arm : copysign(LIMIT, arm);
}

// dh/dq of a foot at (r cos q1, r sin q1, z) in the frame of its shoulder:
//   r = a1 + a2 cos q2 + a3 cos q23,   z = d1 - a2 sin q2 - a3 sin q23,   q23 = q2 + q3
static void find_slopes(const State *s, const double *up, const double q[3], double slope[3])
{
    double c1 = cos(q[0]), s1 = sin(q[0]), q23 = q[1] + q[2];
    double r = s->a1 + s->a2 * cos(q[1]) + s->a3 * cos(q23);
    double dr[2] = {-s->a2 * sin(q[1]) - s->a3 * sin(q23), -s->a3 * sin(q23)};
    double dz[2] = {-s->a2 * cos(q[1]) - s->a3 * cos(q23), -s->a3 * cos(q23)};
    slope[0] = r * (up[1] * c1 - up[0] * s1);
    for (int k = 0; k < 2; k++) slope[k + 1] = dr[k] * (up[0] * c1 + up[1] * s1) + dz[k] * up[2];
}

static int step(const ironbird_tick *tick, double *memory, const double *measurement,
                const double *command, double *output)
{
    const State *s = (const State *)memory;
    (void)tick, (void)command;
    for (int leg = 0; leg < LEGS; leg++) {
        const double *read = measurement + READS * JOINTS * leg;
        double slope[3], q[3] = {read[0], read[READS], read[2 * READS]};
        find_slopes(s, s->up[leg], q, slope);
        for (int i = 0; i < JOINTS; i++, read += READS) {
            const Joint *j = &s->joint[JOINTS * leg + i];
            double torque = -s->weight * slope[i] + P[i] * (j->q0 - q[i]) - D[i] * read[1];
            double force = read[2] * j->cap - read[3] * j->rod - j->outside;
            output[JOINTS * leg + i] = j->u0 + K * (torque / find_arm(j, q[i]) - force);
        }
    }
    return 0;
}

static const ironbird_signal signals[] = {{"weight", "N", "that each foot shall carry", 0}};

const ironbird_plugin_v2 *ironbird_plugin_2(void)
{
    static const ironbird_plugin_v2 plugin = {
        .abi = IRONBIRD_PLUGIN_ABI_2,
        .size = sizeof plugin,
        .name = "stand",
        .period = 0.001,
        .state_count = sizeof(State) / sizeof(double),
        .measurement_count = LEGS * JOINTS * READS,
        .output_count = LEGS * JOINTS,
        .signal_count = 1,
        .measurements = measurements,
        .outputs = outputs,
        .signals = signals,
        .init = init,
        .step = step,
    };
    return &plugin;
}
