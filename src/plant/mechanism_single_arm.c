// An arm on one joint.
//
// Symbols: th angle above the horizontal, w its rate, m mass, l from the joint to the centre of
// mass, J inertia about the joint with the rotors', c friction of the joint; push and drag as in
// plant/gearmotor.h.
#include "base/maths.h"
#include "plant/actuator.h"

#include <math.h>

typedef struct Config {
    ib_GearmotorConfig gear;
    ib_ActuatorConfig act;
    double mass;        ///< m [kg]
    double center;      ///< l [m]
    double inertia;     ///< about the joint [kg m^2]; 0: m l^2
    double gravity;     ///< g [m/s^2]
    double length;      ///< of the arm, as it is drawn [m]; 0: 1.5 l
    double friction;    ///< c [N m s]
    double base, lever; ///< a, b: from the joint to the cylinder's pins on robot and arm [m]
    double angle;       ///< of the robot's pin [rad]
    double retracted;   ///< L0: of the cylinder [m]
} Config;

typedef struct Model {
    ib_GearmotorModel gear;
    double inertia;      ///< J [kg m^2]
    double mass, center; ///< m [kg], l [m]
    double gravity;      ///< g at the desk [m/s^2]
    double friction;     ///< c [N m s]
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
    NUMBER("length", "m", "0 m", 0, 100, length, "of the arm, as it is drawn; 0: 1.5 times center"),
    NUMBER("friction", "N*m*s", "0 N*m*s", 0, 1e9, friction, "of its joint, over speed"),
    IB_TRAVEL_ROWS(Config, "rad", "N*m"),
    IB_PISTON_ROWS(Config),
    NUMBER("cylinder.base", "m", "20 cm", 1e-3, 100, base,
           "from the joint to where the cylinder is pinned on the robot"),
    NUMBER("cylinder.angle", "rad", "-90 deg", -3.2, 3.2, angle,
           "of that pin as seen from the joint, above the horizontal"),
    NUMBER("cylinder.lever", "m", "10 cm", 1e-3, 100, lever,
           "from the joint to where the cylinder is pinned on the arm"),
    NUMBER("cylinder.retracted", "m", "16 cm", 1e-3, 100, retracted,
           "length of the cylinder from pin to pin when it is in"),
};
enum { ROBOT_ROWS = IB_TRAVEL_ROW_COUNT + IB_PISTON_ROW_COUNT + 4 };

static const ib_Param start[] = {
    IB_START_POSITION("position", "rad", Config, 0),
    IB_START_VELOCITY("velocity", "rad/s", Config, 0),
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

// Torque of gravity on a level arm:  m g l
static double weight_at(const Model *m, double g)
{
    return m->mass * g * m->center;
}

static void init(const void *config_, void *model, ib_MechanismPorts *ports)
{
    const Config *config = config_;
    Model *m = model;
    double l = config->center;
    ib_gearmotor_init(&config->gear, &m->gear);
    m->inertia = (config->inertia > 0 ? config->inertia : config->mass * l * l) + m->gear.inertia;
    m->mass = ports->mass = config->mass;
    m->center = l;
    m->gravity = ports->gravity = config->gravity;
    m->friction = config->friction;
    ports->joints = 1;
    ports->joint[0] = (ib_Joint){.turns = true, .position = 1, .speed = 2, .stops = true};
    ports->states = 2;
    ports->state[0] = (ib_MechanismPort){"angle", "rad", "above the horizontal", true};
    ports->state[1] = (ib_MechanismPort){"speed", "rad/s", "of the arm, upward", false};
    ports->outputs = 1;
    ports->output[0] = ports->state[0];
    ib_gearmotor_input(&m->gear, ports);
}

static void shafts(const void *model, const double *x, double *w)
{
    (void)model;
    w[0] = x[1];
}

//   th' = w,   J w' = T - m g l cos th - c w
// Limits: held at th by V = m g l cos th/push; without a motor it swings with sqrt(m g l/J) about
// th = -90 degrees.
static void rate(const void *model, const double *x, const double *torque, double g, double *xdot)
{
    const Model *m = model;
    xdot[0] = x[1];
    xdot[1] = (torque[0] - weight_at(m, g) * ib_cos(x[0]) - m->friction * x[1]) / m->inertia;
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
    plant->A[2] = weight_at(m, m->gravity) * ib_sin(x[0]) / m->inertia;
    plant->A[3] = -(m->gear.drag + m->friction) / m->inertia;
    plant->B[1] = m->gear.push / m->inertia;
    plant->C[0] = 1;
}

static int facts(const void *model, ib_MechanismFact *fact)
{
    const Model *m = model;
    const ib_GearmotorModel *gear = &m->gear;
    double weight = weight_at(m, m->gravity);
    int count = ib_gearmotor_facts(gear, fact);
    fact[count++] = (ib_MechanismFact){"hold_voltage", "V", "keeps a level arm where it is",
                                       weight / gear->push};
    fact[count++] = (ib_MechanismFact){"stall_torque", "N*m", "of the motors at the joint",
                                       gear->push * gear->voltage};
    fact[count++] = (ib_MechanismFact){"top_speed", "rad/s", "upright, where gravity is silent",
                                       gear->push * gear->voltage / (gear->drag + m->friction)};
    fact[count++] = (ib_MechanismFact){"swing_frequency", "rad/s",
                                       "of the arm hanging free, motors included as inertia only",
                                       sqrt(weight / m->inertia)};
    return count;
}

// -------------------------------------------------------------------------------------- on a robot

static void energy(const void *model, const double *x, double g, ib_MechanismEnergy *e)
{
    const Model *m = model;
    e->kinetic = 0.5 * m->inertia * x[1] * x[1];
    e->potential = weight_at(m, g) * ib_sin(x[0]);
    e->friction = m->friction * x[1] * x[1];
}

static void mobility(const void *model, const double *x, double matrix[2][2])
{
    (void)x;
    matrix[0][0] = 1 / ((const Model *)model)->inertia;
}

static void centre(const void *model, const double *x, double place[3])
{
    const Model *m = model;
    double s, c;
    ib_sincos(x[0], &s, &c);
    place[0] = m->center * c;
    place[2] = m->center * s;
}

// The cylinder is the third side of a triangle whose corners are the joint and the two pins:
//   L^2 = a^2 + b^2 - 2 a b cos(th - angle),   s = L - L0,   ds/dth = a b sin(th - angle)/L
static void piston(const void *config_, const double *x, ib_PistonPlace *place)
{
    const Config *config = config_;
    double a = config->base, b = config->lever, s, c;
    ib_sincos(x[0] - config->angle, &s, &c);
    double L = sqrt(a * a + b * b - 2 * a * b * c);
    place->at = L - config->retracted;
    place->ratio = a * b * s / L;
}

// The angle at which the cylinder is L long, between angle and angle + 180 degrees.
static double angle_at(const Config *config, double L)
{
    double a = config->base, b = config->lever, c = (a * a + b * b - L * L) / (2 * a * b);
    return config->angle + ib_atan2(sqrt(fmax((1 - c) * (1 + c), 0)), c);
}

static ib_Status reach(const void *config_, double travel[2], ib_Error *error)
{
    const Config *config = config_;
    double a = config->base, b = config->lever, in = config->retracted;
    double out = in + config->act.piston.cylinder.stroke;
    // At the very ends of what a triangle allows the cylinder has no lever.
    if (!(in > fabs(a - b) * 1.001 && out < (a + b) * 0.999))
        return ib_error_set(error, IB_BAD_INPUT,
                            "cylinder.retracted: from %g m to %g m the cylinder reaches a dead "
                            "point: expected both between %g m and %g m, the difference and the "
                            "sum of base and lever",
                            in, out, fabs(a - b), a + b);
    double low = angle_at(config, in), high = angle_at(config, out);
    if (isinf(travel[0])) {
        travel[0] = low;
        travel[1] = high;
    }
    if (travel[0] >= low - 1e-9 && travel[1] <= high + 1e-9) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "travel: its cylinder reaches from %g rad to %g rad only", low, high);
}

// An arm that points forward at 0 and rises: its frame is rolled over, since a pitch dips.
static void look(const void *config_, ib_MechanismDraft *draft)
{
    const Config *config = config_;
    double l = config->length > 0 ? config->length : fmax(1.5 * config->center, 0.1);
    double thick = fmax(0.1 * l, 0.03);
    ib_FrameDef *arm = ib_draft_frame(draft, "arm");
    arm->attitude[2] = 2 * IB_LOOK_LYING;
    arm->turn[1] = ib_draft_name(draft, "position");
    ib_SolidDef *beam = ib_draft_solid(draft, "arm", "arm", IB_SOLID_BOX, IB_COLOUR_LOAD);
    beam->place[0] = 0.5 * l;
    beam->size[0] = l;
    beam->size[1] = beam->size[2] = thick;
    ib_SolidDef *hub = ib_draft_solid(draft, "joint", NULL, IB_SOLID_CYLINDER, IB_COLOUR_DARK);
    hub->attitude[2] = IB_LOOK_LYING;
    hub->size[0] = thick;
    hub->size[1] = 2 * thick;
    hub->size[2] = 2 * thick;
}

const ib_MechanismKind ib_single_arm_mechanism = {
    .name = "single_arm",
    .sentence = "an arm on one joint, against gravity",
    .params = {params, sizeof params / sizeof params[0]},
    .desk_params = sizeof params / sizeof params[0] - ROBOT_ROWS,
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
    .centre = centre,
    .piston = piston,
    .reach = reach,
    .look = look,
};
