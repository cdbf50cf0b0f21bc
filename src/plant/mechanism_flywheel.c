// A wheel on a gear, kept at a speed.
//
// Symbols: w its speed, J its inertia with the rotors', c bearings; push and drag as in
// plant/gearmotor.h.
#include "plant/actuator.h"

#include <math.h>

typedef struct Config {
    ib_GearmotorConfig gear;
    ib_ActuatorConfig act;
    double inertia;  ///< of the wheel [kg m^2]
    double friction; ///< c: of its bearings and the air [N m s]
} Config;

typedef struct Model {
    ib_GearmotorModel gear;
    double inertia;  ///< J [kg m^2]
    double friction; ///< c [N m s]
    double drag;     ///< of motor, bearings and air [N m s]
} Model;

#define NUMBER(key, unit, fallback, min, max, field, sentence)                                     \
    IB_MECHANISM_ROW(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, Config, field, sentence)

static const ib_Param params[] = {
    IB_GEARMOTOR_ROWS("motors", "1", "1", "true"),
    NUMBER("inertia", "kg*m^2", "0.002 kg*m^2", 1e-9, 1e6, inertia, "of the wheel"),
    NUMBER("friction", "N*m*s", "0 N*m*s", 0, 1e6, friction,
           "torque of bearings and air over the wheel's speed"),
    IB_ACTUATOR_ROWS(Config, "N*m"),
};

static const ib_Param start[] = {IB_START_VELOCITY("velocity", "rad/s", Config, 0)};

static ib_Status check(const void *config, ib_Error *error)
{
    return ib_gearmotor_check(&((const Config *)config)->gear, error);
}

static void init(const void *config_, void *model, ib_MechanismPorts *ports)
{
    const Config *config = config_;
    Model *m = model;
    ib_gearmotor_init(&config->gear, &m->gear);
    m->inertia = config->inertia + m->gear.inertia;
    m->friction = config->friction;
    m->drag = m->gear.drag + config->friction;
    ports->joints = 1;
    ports->joint[0] = (ib_Joint){.turns = true, .speed = 1, .stops = true};
    ports->states = 1;
    ports->state[0] = (ib_MechanismPort){"speed", "rad/s", "of the wheel", false};
    ports->outputs = 1;
    ports->output[0] = ports->state[0];
    ib_gearmotor_input(&m->gear, ports);
}

static void shafts(const void *model, const double *x, double *w)
{
    (void)model;
    w[0] = x[0];
}

//   J w' = T - c w
// Limits: steady at w = push V/(drag + c), reached with the time constant J/(drag + c).
static void rate(const void *model, const double *x, const double *torque, double g, double *xdot)
{
    const Model *m = model;
    (void)g;
    xdot[0] = (torque[0] - m->friction * x[0]) / m->inertia;
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
    plant->A[0] = -m->drag / m->inertia;
    plant->B[0] = m->gear.push / m->inertia;
    plant->C[0] = 1;
}

static int facts(const void *model, ib_MechanismFact *fact)
{
    const Model *m = model;
    int count = ib_gearmotor_facts(&m->gear, fact);
    fact[count++] = (ib_MechanismFact){"top_speed", "rad/s", "where it stays under full voltage",
                                       m->gear.push * m->gear.voltage / m->drag};
    fact[count++] =
        (ib_MechanismFact){"time_constant", "s", "of running up and down", m->inertia / m->drag};
    return count;
}

// -------------------------------------------------------------------------------------- on a robot

static void energy(const void *model, const double *x, double g, ib_MechanismEnergy *e)
{
    const Model *m = model;
    (void)g;
    e->kinetic = 0.5 * m->inertia * x[0] * x[0];
    e->potential = 0;
    e->friction = m->friction * x[0] * x[0];
}

static void mobility(const void *model, const double *x, double matrix[2][2])
{
    (void)x;
    matrix[0][0] = 1 / ((const Model *)model)->inertia;
}

// As large as a steel disc of its inertia, 2 cm thick:  J = pi/2 rho t r^4.
static void look(const void *config_, ib_MechanismDraft *draft)
{
    const Config *config = config_;
    ib_draft_wheel(draft, fmax(sqrt(sqrt(config->inertia / 247)), 0.03), 0.02);
}

const ib_MechanismKind ib_flywheel_mechanism = {
    .name = "flywheel",
    .sentence = "a wheel that is kept at a speed",
    .params = {params, sizeof params / sizeof params[0]},
    .desk_params = sizeof params / sizeof params[0] - IB_ACTUATOR_ROW_COUNT,
    .start = {start, sizeof start / sizeof start[0]},
    .config_size = sizeof(Config),
    .model_size = sizeof(Model),
    .check = check,
    .init = init,
    .shafts = shafts,
    .rate = rate,
    .output = output,
    .jacobian = jacobian,
    .facts = facts,
    .energy = energy,
    .mobility = mobility,
    .look = look,
};
