// plant/mechanism/mechanism_shooter.c: a wheel with a soft tyre that grows as it turns,
// and throws balls.
//
// Symbols: w speed, J_c hub and rotors, m_t tyre mass, r0 tyre radius at rest, a its growth,
// m_b ball, s ball speed over surface speed, g share of the ball's momentum that the wheel gives;
// push and drag as in plant/electric/gearmotor.h.
//
//   r(w) = r0 (1 + a w^2)                 the tyre's stress, and so its strain, grows with w^2
//   J(w) = J_c + m_t r(w)^2,   angular momentum  L(w) = J(w) w
#include "plant/actuator/actuator.h"

#include <math.h>

enum { SHOT_ROUNDS = 60 }; ///< of Newton; a few are needed

typedef struct Config {
    ib_GearmotorConfig gear;
    ib_ActuatorConfig act;
    double inertia;       ///< of the hub, without tyre and rotors [kg m^2]
    double tyre_mass;     ///< m_t [kg]
    double radius;        ///< r0 [m]
    double growth;        ///< of the radius at `growth_speed`, as a share of it
    double growth_speed;  ///< [rad/s]
    double friction;      ///< of bearings and air [N m s]
    double ball_mass;     ///< m_b [kg]
    double ball_speed;    ///< s
    double ball_momentum; ///< g
} Config;

typedef struct Model {
    ib_GearmotorModel gear;
    double drag, friction; ///< of motor, bearings and air; without the motor [N m s]
    double hub, tyre;      ///< J_c [kg m^2], m_t [kg]
    double radius, growth; ///< r0 [m], a [s^2]
    double taken;          ///< g s m_b: mass that the wheel seems to gain in a shot [kg]
    double ball_speed;     ///< s
} Model;

static const ib_Param params[] = {
    IB_GEARMOTOR_ROWS("motors", "1", "1", "true"),
    IB_NUMBER_ROW("inertia", "kg*m^2", "0.001 kg*m^2", 1e-9, 1e6, inertia,
                  "moment of inertia of the hub, without the tyre"),
    IB_NUMBER_ROW("tyre.mass", "kg", "0.3 kg", 0, 1e4, tyre_mass,
                  "mass of the part of the tyre that grows"),
    IB_NUMBER_ROW("tyre.radius", "m", "2 in", 1e-4, 100, radius, "radius of the tyre at rest"),
    IB_NUMBER_ROW("tyre.growth", "1", "3 %", 0, 1, growth,
                  "growth of the tyre's radius at tyre.growth_speed, as a share of it"),
    IB_NUMBER_ROW("tyre.growth_speed", "rad/s", "5000 rpm", 1e-3, 1e6, growth_speed,
                  "speed at which tyre.growth was measured"),
    IB_TURN_FRICTION_ROW("bearings and air"),
    IB_NUMBER_ROW("ball.mass", "kg", "0.27 kg", 0, 1e4, ball_mass, "mass of a ball"),
    IB_NUMBER_ROW("ball.speed", "1", "50 %", 0, 1, ball_speed,
                  "speed of a ball over that of the tyre's surface; 50 %: it rolls along a hood"),
    IB_NUMBER_ROW(
        "ball.momentum", "1", "70 %", 0, 1, ball_momentum,
        "share of a ball's momentum from the wheel; 70 %: solid, along a hood, 50 %: one wheel "
        "of two"),
    IB_ACTUATOR_ROWS(Config, "N*m"),
};

static const ib_Param start[] = {IB_START_VELOCITY("velocity", "rad/s", Config, 0)};

static double radius_at(const Model *m, double w)
{
    return m->radius * (1 + m->growth * w * w);
}

//   dr/dw = 2 r0 a w
static double radius_slope(const Model *m, double w)
{
    return 2 * m->radius * m->growth * w;
}

static double inertia_at(const Model *m, double w)
{
    double r = radius_at(m, w);
    return m->hub + m->tyre * r * r;
}

// dL/dw = J + w dJ/dw,   dJ/dw = 2 m_t r dr/dw
static double momentum_slope(const Model *m, double w)
{
    return inertia_at(m, w) + w * 2 * m->tyre * radius_at(m, w) * radius_slope(m, w);
}

static void init(const void *config_, void *model, ib_MechanismPorts *ports)
{
    const Config *config = config_;
    Model *m = model;
    ib_gearmotor_init(&config->gear, &m->gear);
    m->friction = config->friction;
    m->drag = m->gear.drag + config->friction;
    ports->mass = config->tyre_mass;
    m->hub = config->inertia + m->gear.inertia;
    m->tyre = config->tyre_mass;
    m->radius = config->radius;
    m->growth = config->growth / (config->growth_speed * config->growth_speed);
    m->taken = config->ball_momentum * config->ball_speed * config->ball_mass;
    m->ball_speed = config->ball_speed;
    ib_mechanism_add_joint(
        ports, (ib_Joint){.turns = true, .unplaced = true, .stops = true},
        &(ib_MechanismPort){"speed", "rad/s", "angular speed of the wheel", false});
    ib_mechanism_measure(ports, 0);
    ib_gearmotor_input(&m->gear, 0, 1, ports);
}

// ----------------------------------------------------------------------------------------- physics

//   dL/dw w' = T - c w
// The work that stretches the tyre is included: d(J w^2/2 + U)/dt = w dL/dt for a tyre in balance,
// dU/dr = m_t r w^2. Limits: a = 0 -> a flywheel of J_c + m_t r0^2; steady at w = push V/(drag + c)
// for any a.
static void rate(const void *model, const double *x, const double *torque, double g, double *xdot)
{
    const Model *m = model;
    (void)g;
    xdot[0] = (torque[0] - m->friction * x[0]) / momentum_slope(m, x[0]);
}

// A ball leaves with v = s r w and takes g m_b v of the momentum on the lever r:
//   L(w+) + g s m_b r(w+)^2 w+ = L(w)
// Newton's method from above: the left side is convex and grows, so no step goes too far.
static void shoot(const void *model, double *x)
{
    const Model *m = model;
    double before = fabs(x[0]), w = before, L = inertia_at(m, before) * before;
    for (int round = 0; round < SHOT_ROUNDS; round++) {
        double r = radius_at(m, w), ball = m->taken * r * r;
        double excess = (inertia_at(m, w) + ball) * w - L;
        double slope = momentum_slope(m, w) + ball + 2 * m->taken * r * radius_slope(m, w) * w;
        double next = w - excess / slope;
        if (!(next < w)) break;
        w = next;
    }
    x[0] = copysign(w, x[0]);
}

static void facts(const void *model, ib_MechanismFacts *f)
{
    const Model *m = model;
    double top = m->gear.push * m->gear.voltage / m->drag, r = radius_at(m, top), after = top;
    shoot(model, &after);
    ib_gearmotor_facts(&m->gear, f);
    ib_fact_add(f, "top_speed", "rad/s", "speed at which it stays under full voltage", top);
    ib_fact_add(f, "top_radius", "m", "radius of the tyre at the top speed", r);
    ib_fact_add(f, "ball_speed", "m/s", "speed of a ball shot at the top speed",
                m->ball_speed * radius_at(m, after) * after);
    ib_fact_add(f, "speed_lost", "rad/s",
                "speed that the wheel loses to a ball shot at the top speed", top - after);
}

// -------------------------------------------------------------------------------------- on a robot

// Motion and the tyre's strain together, from  dE = w dL:
//   E = J_c w^2/2 + m_t r0^2 (w^2/2 + 3/2 a w^4 + 5/6 a^2 w^6)
static void energy(const void *model, const double *x, double g, ib_MechanismEnergy *e)
{
    const Model *m = model;
    double w2 = x[0] * x[0], a = m->growth * w2;
    (void)g;
    e->kinetic =
        w2 * (0.5 * m->hub + m->tyre * m->radius * m->radius * (0.5 + a * (1.5 + a * (5.0 / 6))));
    e->potential = 0;
    e->friction = m->friction * w2;
}

static void mobility(const void *model, const double *x, double matrix[2][2])
{
    matrix[0][0] = 1 / momentum_slope(model, x[0]);
}

static void geometry(const void *config_, ib_MechanismDraft *draft)
{
    const Config *config = config_;
    ib_draft_wheel(draft, config->radius, config->radius);
}

const ib_MechanismKind ib_shooter_mechanism = {
    .name = "shooter",
    .sentence = "a wheel with a soft tyre that throws balls",
    IB_MECHANISM_TABLES(Config, Model, IB_ACTUATOR_ROW_COUNT),
    IB_MECHANISM_FUNCTIONS,
    .jolt = shoot,
    .jolt_name = "ball",
    .jolt_sentence = "a ball passes the wheel",
    IB_MECHANISM_ROBOT_FUNCTIONS,
};
