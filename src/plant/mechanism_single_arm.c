// An arm on one joint.
//
// Symbols: th angle above the horizontal, w its rate, m mass, l from the joint to the centre of
// mass, J inertia about the joint with the rotors'; push and drag as in plant/gearmotor.h.
#include "base/maths.h"
#include "plant/gearmotor.h"

#include <math.h>

typedef struct Config {
    ib_GearmotorConfig gear;
    double mass;    ///< m [kg]
    double center;  ///< l [m]
    double inertia; ///< about the joint [kg m^2]; 0: m l^2
    double gravity; ///< g [m/s^2]
} Config;

typedef struct Model {
    ib_GearmotorModel gear;
    double inertia; ///< J [kg m^2]
    double weight;  ///< m g l: torque of gravity on a level arm [N m]
} Model;

#define NUMBER(key, unit, fallback, min, max, field, sentence)                                     \
    IB_MECHANISM_ROW(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, Config, field, sentence)

static const ib_Param params[] = {
    IB_GEARMOTOR_ROWS("motors", "1", "100", "true"),
    NUMBER("mass", "kg", "3 kg", 1e-3, 1e6, mass, "of the arm and what it holds"),
    NUMBER("center", "m", "40 cm", 0, 100, center, "from the joint to the centre of mass"),
    NUMBER("inertia", "kg*m^2", "0 kg*m^2", 0, 1e6, inertia,
           "about the joint; 0: all mass in the centre of mass"),
    NUMBER("gravity", "m/s^2", "9.80665 m/s^2", 0, 1e3, gravity, "of the place"),
};

//   m l^2 is the least that an arm with its centre of mass at l can have.          [Steiner]
static ib_Status check(const void *config_, ib_Error *error)
{
    const Config *config = config_;
    double least = config->mass * config->center * config->center;
    // As much as the digits of a file may be short of it.
    if (config->inertia != 0 && config->inertia < least * (1 - 1e-6))
        return ib_error_set(error, IB_BAD_INPUT,
                            "inertia: %g kg*m^2 about the joint is less than mass times center "
                            "squared, %g kg*m^2",
                            config->inertia, least);
    bool turns = config->inertia > 0 || least > 0;
    bool rotors = config->gear.rotors && config->gear.rotor_inertia > 0;
    if (!turns && !rotors)
        return ib_error_set(error, IB_BAD_INPUT,
                            "inertia: nothing has inertia about the joint; give inertia or center");
    return ib_gearmotor_check(&config->gear, error);
}

static void init(const void *config_, void *model, ib_MechanismPorts *ports)
{
    const Config *config = config_;
    Model *m = model;
    double l = config->center;
    ib_gearmotor_init(&config->gear, &m->gear);
    m->inertia = (config->inertia > 0 ? config->inertia : config->mass * l * l) + m->gear.inertia;
    m->weight = config->mass * config->gravity * l;
    ports->states = 2;
    ports->state[0] = (ib_MechanismPort){"angle", "rad", "above the horizontal", true};
    ports->state[1] = (ib_MechanismPort){"speed", "rad/s", "of the arm, upward", false};
    ports->outputs = 1;
    ports->output[0] = ports->state[0];
    ib_gearmotor_input(&m->gear, ports);
}

//   th' = w,   J w' = T(V, w) - m g l cos th
// Limits: held at th by V = m g l cos th/push; without a motor it swings with sqrt(m g l/J) about
// th = -90 degrees.
static void rate(const void *model, const double *x, const double *u, double *xdot)
{
    const Model *m = model;
    double T = ib_gearmotor_torque(&m->gear, u[0], x[1]);
    xdot[0] = x[1];
    xdot[1] = (T - m->weight * ib_cos(x[0])) / m->inertia;
}

static void output(const void *model, const double *x, const double *u, double *y)
{
    (void)model, (void)u;
    y[0] = x[0];
}

static void jacobian(const void *model, const double *x, const double *u, ib_StateSpace *plant)
{
    const Model *m = model;
    (void)u;
    plant->A[1] = 1;
    plant->A[2] = m->weight * ib_sin(x[0]) / m->inertia;
    plant->A[3] = -m->gear.drag / m->inertia;
    plant->B[1] = m->gear.push / m->inertia;
    plant->C[0] = 1;
}

static int facts(const void *model, ib_MechanismFact *fact)
{
    const Model *m = model;
    const ib_GearmotorModel *gear = &m->gear;
    int count = ib_gearmotor_facts(gear, fact);
    fact[count++] = (ib_MechanismFact){"hold_voltage", "V", "keeps a level arm where it is",
                                       m->weight / gear->push};
    fact[count++] = (ib_MechanismFact){"stall_torque", "N*m", "of the motors at the joint",
                                       gear->push * gear->voltage};
    fact[count++] = (ib_MechanismFact){"top_speed", "rad/s", "upright, where gravity is silent",
                                       gear->push * gear->voltage / gear->drag};
    fact[count++] = (ib_MechanismFact){"swing_frequency", "rad/s",
                                       "of the arm hanging free, motors included as inertia only",
                                       sqrt(m->weight / m->inertia)};
    return count;
}

const ib_MechanismKind ib_single_arm_mechanism = {
    .name = "single_arm",
    .sentence = "an arm on one joint, against gravity",
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
