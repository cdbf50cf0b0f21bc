// A turret: something that turns about an upright axis.
//
// Symbols: th angle, w its rate, J inertia with the rotors', c friction of the bearing; push and
// drag as in plant/gearmotor.h.
#include "plant/actuator.h"

#include <math.h>

typedef struct Config {
    ib_GearmotorConfig gear;
    ib_ActuatorConfig act;
    double inertia;  ///< about its axis [kg m^2]
    double mass;     ///< [kg]
    double friction; ///< c [N m s]
} Config;

typedef struct Model {
    ib_GearmotorModel gear;
    double inertia;  ///< J [kg m^2]
    double friction; ///< c [N m s]
} Model;

#define NUMBER(key, unit, fallback, min, max, field, sentence)                                     \
    IB_MECHANISM_ROW(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, Config, field, sentence)

static const ib_Param params[] = {
    IB_GEARMOTOR_ROWS("motors", "1", "50", "true"),
    NUMBER("inertia", "kg*m^2", "0.2 kg*m^2", 1e-9, 1e6, inertia, "about its axis"),
    NUMBER("mass", "kg", "5 kg", 0, 1e4, mass, "of what turns; at the desk it does nothing"),
    NUMBER("friction", "N*m*s", "0 N*m*s", 0, 1e6, friction, "of its bearing, over speed"),
    IB_TRAVEL_ROWS(Config, "rad", "N*m"),
};

static const ib_Param start[] = {
    IB_START_POSITION("position", "rad", Config, 0),
    IB_START_VELOCITY("velocity", "rad/s", Config, 0),
};

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
    ports->mass = config->mass;
    ports->joints = 1;
    ports->joint[0] = (ib_Joint){.turns = true, .position = 1, .speed = 2, .stops = true};
    ports->states = 2;
    ports->state[0] = (ib_MechanismPort){"angle", "rad", "to the left", true};
    ports->state[1] = (ib_MechanismPort){"speed", "rad/s", "to the left", false};
    ports->outputs = 1;
    ports->output[0] = ports->state[0];
    ib_gearmotor_input(&m->gear, ports);
}

static void shafts(const void *model, const double *x, double *w)
{
    (void)model;
    w[0] = x[1];
}

//   th' = w,   J w' = T - c w
// Limits: steady at w = push V/(drag + c); without friction and motor it turns on for ever.
static void rate(const void *model, const double *x, const double *torque, double g, double *xdot)
{
    const Model *m = model;
    (void)g;
    xdot[0] = x[1];
    xdot[1] = (torque[0] - m->friction * x[1]) / m->inertia;
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
    plant->A[3] = -(m->gear.drag + m->friction) / m->inertia;
    plant->B[1] = m->gear.push / m->inertia;
    plant->C[0] = 1;
}

static int facts(const void *model, ib_MechanismFact *fact)
{
    const Model *m = model;
    const ib_GearmotorModel *gear = &m->gear;
    int count = ib_gearmotor_facts(gear, fact);
    double drag = gear->drag + m->friction;
    fact[count++] = (ib_MechanismFact){"stall_torque", "N*m", "of the motors at the turret",
                                       gear->push * gear->voltage};
    fact[count++] = (ib_MechanismFact){"top_speed", "rad/s", "where it stays under full voltage",
                                       gear->push * gear->voltage / drag};
    fact[count++] =
        (ib_MechanismFact){"time_constant", "s", "of running up and down", m->inertia / drag};
    return count;
}

// -------------------------------------------------------------------------------------- on a robot

static void energy(const void *model, const double *x, double g, ib_MechanismEnergy *e)
{
    const Model *m = model;
    (void)g;
    e->kinetic = 0.5 * m->inertia * x[1] * x[1];
    e->potential = 0;
    e->friction = m->friction * x[1] * x[1];
}

static void mobility(const void *model, const double *x, double matrix[2][2])
{
    (void)x;
    matrix[0][0] = 1 / ((const Model *)model)->inertia;
}

// A disc of its inertia and mass, with a barrel that points forward at 0:  J = m r^2/2.
static void look(const void *config_, ib_MechanismDraft *draft)
{
    const Config *config = config_;
    double r = config->mass > 0 ? sqrt(2 * config->inertia / config->mass) : 0.2;
    r = fmin(fmax(r, 0.05), 0.4);
    ib_FrameDef *frame = ib_draft_frame(draft, "turret");
    frame->turn[0] = ib_draft_name(draft, "position");
    ib_SolidDef *disc =
        ib_draft_solid(draft, "turret", "turret", IB_SOLID_CYLINDER, IB_COLOUR_METAL);
    disc->size[0] = r;
    disc->size[1] = disc->size[2] = 0.2 * r;
    ib_SolidDef *barrel = ib_draft_solid(draft, "barrel", "turret", IB_SOLID_BOX, IB_COLOUR_LOAD);
    barrel->place[0] = 0.6 * r;
    barrel->place[2] = 0.25 * r;
    barrel->size[0] = 1.2 * r;
    barrel->size[1] = barrel->size[2] = 0.3 * r;
}

const ib_MechanismKind ib_turret_mechanism = {
    .name = "turret",
    .sentence = "something that turns about an upright axis",
    .params = {params, sizeof params / sizeof params[0]},
    .desk_params = sizeof params / sizeof params[0] - IB_TRAVEL_ROW_COUNT,
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
