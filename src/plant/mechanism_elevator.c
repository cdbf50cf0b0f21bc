// A carriage that a drum raises, in one stage or in a cascade of them. A climber is an elevator
// whose mass is the robot's.
//
// Symbols: x, v height and speed of the carriage, m its mass, r drum radius, n stages, a slope,
// S constant force of a spring; push, drag and J (rotors) as in plant/gearmotor.h.
#include "base/maths.h"
#include "plant/gearmotor.h"

typedef struct Config {
    ib_GearmotorConfig gear;
    double drum_radius; ///< r [m]
    double mass;        ///< m [kg]
    int stages;         ///< n
    double slope;       ///< a, from the horizontal [rad]
    double gravity;     ///< g [m/s^2]
    double spring;      ///< S, upward [N]
} Config;

typedef struct Model {
    ib_GearmotorModel gear;
    double lever;   ///< n r: way of the carriage for a radian of the drum [m]
    double inertia; ///< of all that moves, at the carriage [kg]
    double weight;  ///< what pulls the carriage down its slope, spring taken off [N]
} Model;

#define NUMBER(key, unit, fallback, min, max, field, sentence)                                     \
    IB_MECHANISM_ROW(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, Config, field, sentence)

static const ib_Param params[] = {
    IB_GEARMOTOR_ROWS("motors", "2", "10", "true"),
    NUMBER("drum_radius", "m", "2 cm", 1e-4, 100, drum_radius, "of the drum or the sprocket"),
    NUMBER("mass", "kg", "5 kg", 1e-3, 1e6, mass, "of the carriage and its load"),
    IB_MECHANISM_ROW("stages", IB_PARAM_COUNT, "1", "1", 1, 10, NULL, Config, stages,
                     "of a cascade: the carriage moves so many times the rope's way"),
    NUMBER("slope", "rad", "90 deg", -1.5707963267948968, 1.5707963267948968, slope,
           "of its way, from the horizontal"),
    NUMBER("gravity", "m/s^2", "9.80665 m/s^2", 0, 1e3, gravity, "of the place"),
    NUMBER("spring", "N", "0 N", -1e6, 1e6, spring, "constant force that helps to raise it"),
};

static ib_Status check(const void *config, ib_Error *error)
{
    return ib_gearmotor_check(&((const Config *)config)->gear, error);
}

//   m_all = m + J/(n r)^2,   weight = m g sin a - S
static void init(const void *config_, void *model, ib_MechanismPorts *ports)
{
    const Config *config = config_;
    Model *m = model;
    ib_gearmotor_init(&config->gear, &m->gear);
    m->lever = config->stages * config->drum_radius;
    m->inertia = config->mass + m->gear.inertia / (m->lever * m->lever);
    m->weight = config->mass * config->gravity * ib_sin(config->slope) - config->spring;
    ports->states = 2;
    ports->state[0] = (ib_MechanismPort){"x", "m", "way of the carriage, up", true};
    ports->state[1] = (ib_MechanismPort){"v", "m/s", "speed of the carriage, up", false};
    ports->outputs = 1;
    ports->output[0] = ports->state[0];
    ib_gearmotor_input(&m->gear, ports);
}

//   x' = v,   m_all v' = T(V, v/nr)/nr - weight
// Limits: V = weight n r/push, v = 0 -> it hangs still; weight = 0 -> top speed n r push V/drag.
static void rate(const void *model, const double *x, const double *u, double *xdot)
{
    const Model *m = model;
    double F = ib_gearmotor_torque(&m->gear, u[0], x[1] / m->lever) / m->lever;
    xdot[0] = x[1];
    xdot[1] = (F - m->weight) / m->inertia;
}

static void output(const void *model, const double *x, const double *u, double *y)
{
    (void)model, (void)u;
    y[0] = x[0];
}

static void jacobian(const void *model, const double *x, const double *u, ib_StateSpace *plant)
{
    const Model *m = model;
    (void)x, (void)u;
    plant->A[1] = 1;
    plant->A[3] = -m->gear.drag / (m->lever * m->lever * m->inertia);
    plant->B[1] = m->gear.push / (m->lever * m->inertia);
    plant->C[0] = 1;
}

static int facts(const void *model, ib_MechanismFact *fact)
{
    const Model *m = model;
    const ib_GearmotorModel *gear = &m->gear;
    int count = ib_gearmotor_facts(gear, fact);
    double hold = m->weight * m->lever / gear->push, free = m->lever * gear->push / gear->drag;
    fact[count++] = (ib_MechanismFact){"hold_voltage", "V", "keeps it where it is", hold};
    fact[count++] = (ib_MechanismFact){"top_speed", "m/s", "upward, against its weight",
                                       (gear->voltage - hold) * free};
    fact[count++] = (ib_MechanismFact){"stall_force", "N", "of the rope on the carriage",
                                       gear->push * gear->voltage / m->lever};
    return count;
}

const ib_MechanismKind ib_elevator_mechanism = {
    .name = "elevator",
    .sentence = "a carriage on a rope or a belt, against gravity",
    .params = {params, sizeof params / sizeof params[0]},
    .config_size = sizeof(Config),
    .model_size = sizeof(Model),
    .check = check,
    .init = init,
    .rate = rate,
    .output = output,
    .jacobian = jacobian,
    .facts = facts,
};
