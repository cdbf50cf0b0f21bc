// plant/mechanism/mechanism_two_mass.c: a motor that moves a carriage through an elastic belt.
//
// Symbols: x_m, v_m way and speed of the belt at the pulley, x_l, v_l of the carriage, r pulley
// radius, m_m pulley and rotors as a mass on the belt, m_l carriage, k, c stiffness and damping of
// the belt, f friction of the guides; push and drag as in plant/electric/gearmotor.h.
#include "base/extreme.h"
#include "plant/actuator/actuator.h"

#include <math.h>

enum { AT_MOTOR, AT_LOAD, AT_BOTH };

typedef struct Config {
    ib_GearmotorConfig gear;
    ib_ActuatorConfig act;
    double pulley_radius;      ///< r [m]
    double pulley_inertia;     ///< pulley and gear behind the motors [kg m^2]
    double mass;               ///< m_l [kg]
    double stiffness, damping; ///< k [N/m], c [N s/m]
    double friction;           ///< f [N s/m]
    int sensor;                ///< AT_MOTOR …
} Config;

typedef struct Model {
    ib_GearmotorModel gear;
    double radius;             ///< r [m]
    double motor, load;        ///< m_m, m_l [kg]
    double stiffness, damping; ///< k [N/m], c [N s/m]
    double friction;           ///< f [N s/m]
} Model;

static const char *const sensors[] = {"motor", "load", "both", NULL};

static const ib_Param params[] = {
    IB_GEARMOTOR_ROWS("motors", "1", "5", "true"),
    IB_NUMBER_ROW("pulley_radius", "m", "2 cm", 1e-4, 100, pulley_radius,
                  "radius of the belt's pulley"),
    IB_NUMBER_ROW("pulley_inertia", "kg*m^2", "0.0002 kg*m^2", 0, 1e6, pulley_inertia,
                  "moment of inertia of pulley and gear; the rotors' is added"),
    IB_NUMBER_ROW("mass", "kg", "5 kg", 1e-6, 1e6, mass, "mass of the carriage"),
    IB_NUMBER_ROW("stiffness", "N/m", "20 kN/m", 1e-6, 1e12, stiffness,
                  "stiffness of the belt between pulley and carriage"),
    IB_NUMBER_ROW("damping", "N*s/m", "10 N*s/m", 0, 1e9, damping,
                  "damping of the belt between pulley and carriage"),
    IB_WAY_FRICTION_ROW("the carriage's guides"),
    IB_CHOICE_OF(
        "sensor", "motor", sensors, Config, sensor,
        "where the position is measured: at the motor, at the load or at both (first the motor)"),
    IB_TRAVEL_ROWS(Config, "m", "N"),
};

static const ib_Param start[] = {
    IB_START_POSITION("motor.position", "m", Config, 0),
    IB_START_VELOCITY("motor.velocity", "m/s", Config, 0),
    IB_START_POSITION("load.position", "m", Config, 1),
    IB_START_VELOCITY("load.velocity", "m/s", Config, 1),
};

static ib_Status check(const void *config_, ib_Error *error)
{
    const Config *config = config_;
    bool rotors = config->gear.rotors && config->gear.rotor_inertia > 0;
    if (!(config->pulley_inertia > 0) && !rotors)
        return ib_error_set(error, IB_BAD_INPUT,
                            "pulley_inertia: must be above 0 kg*m^2 where no rotor_inertia counts: "
                            "the belt needs something to pull at");
    return IB_OK;
}

static const ib_MechanismPort states[4] = {
    {"x_motor", "m", "position of the belt at the pulley", true},
    {"v_motor", "m/s", "speed of the belt at the pulley", false},
    {"x_load", "m", "position of the carriage", true},
    {"v_load", "m/s", "speed of the carriage", false},
};

static void init(const void *config_, void *model, ib_MechanismPorts *ports)
{
    const Config *config = config_;
    Model *m = model;
    double r = config->pulley_radius;
    ib_gearmotor_init(&config->gear, &m->gear);
    m->radius = r;
    m->motor = (config->pulley_inertia + m->gear.inertia) / (r * r);
    m->load = config->mass;
    m->stiffness = config->stiffness;
    m->damping = config->damping;
    m->friction = config->friction;
    ports->mass = config->mass;
    ports->swings = true;
    ib_mechanism_add_joint(ports, (ib_Joint){.name = "motor"}, states);
    ib_mechanism_add_joint(ports, (ib_Joint){.name = "load", .stops = true}, states + 2);
    if (config->sensor != AT_LOAD) ib_mechanism_measure(ports, 0);
    if (config->sensor != AT_MOTOR) ib_mechanism_measure(ports, 2);
    ib_gearmotor_input(&m->gear, 1, r, ports);
}

//   belt = k (x_m - x_l) + c (v_m - v_l)
//   m_m v_m' = T/r - belt,   m_l v_l' = belt - f v_l
// Limits: no motor, no damping -> the masses swing against each other with sqrt(k/m_m + k/m_l);
// k -> infinity -> one mass m_m + m_l.
static void rate(const void *model, const double *x, const double *torque, double g, double *xdot)
{
    const Model *m = model;
    double belt = m->stiffness * (x[0] - x[2]) + m->damping * (x[1] - x[3]);
    double F = torque[0] / m->radius;
    (void)g;
    xdot[0] = x[1];
    xdot[1] = (F - belt) / m->motor;
    xdot[2] = x[3];
    xdot[3] = (belt - m->friction * x[3]) / m->load;
}

//   free: both masses swing;  locked: the motor stands, the carriage swings on the belt
static void facts(const void *model, ib_MechanismFacts *f)
{
    const Model *m = model;
    const ib_GearmotorModel *gear = &m->gear;
    double k = m->stiffness, r = m->radius;
    ib_gearmotor_facts(gear, f);
    ib_fact_add(f, "resonance", "rad/s", "resonance of pulley against carriage, undamped",
                sqrt(k / m->motor + k / m->load));
    ib_fact_add(f, "antiresonance", "rad/s",
                "resonance of the carriage on the belt of a pulley that stands, undamped",
                sqrt(k / m->load));
    ib_fact_add(f, "stall_force", "N",
                "force of the pulley on the belt at full voltage and at rest",
                gear->push * gear->voltage / r);
    ib_fact_add(f, "top_speed", "m/s", "steady top speed, against the guides' friction",
                gear->push * gear->voltage / r / (gear->drag / (r * r) + m->friction));
}

// -------------------------------------------------------------------------------------- on a robot

static void energy(const void *model, const double *x, double g, ib_MechanismEnergy *e)
{
    const Model *m = model;
    double stretch = x[0] - x[2], slip = x[1] - x[3];
    (void)g;
    e->kinetic = 0.5 * (m->motor * x[1] * x[1] + m->load * x[3] * x[3]);
    e->potential = 0.5 * m->stiffness * stretch * stretch;
    e->friction = m->damping * slip * slip + m->friction * x[3] * x[3];
}

static void mobility(const void *model, const double *x, double matrix[2][2])
{
    const Model *m = model;
    (void)x;
    matrix[0][0] = 1 / m->motor;
    matrix[0][1] = matrix[1][0] = 0;
    matrix[1][1] = 1 / m->load;
}

static void centre(const void *model, const double *x, double place[3])
{
    (void)model;
    place[0] = x[2];
}

static void sway(const void *model, const double *x, ib_MechanismSway *s)
{
    (void)x;
    s->c[1] = ((const Model *)model)->load;
}

// A carriage on a rail, and a mark on the belt where the pulley has brought it.
static void geometry(const void *config_, ib_MechanismDraft *draft)
{
    const Config *config = config_;
    double low = config->act.joint[0].travel[0], high = config->act.joint[0].travel[1];
    if (isinf(low)) low = -0.5, high = 0.5;
    double size = ib_max(0.1 * (high - low), 0.05);
    ib_FrameDef *belt = ib_draft_frame(draft, "belt"), *load = ib_draft_frame(draft, "carriage");
    belt->move[0] = ib_draft_name(draft, "motor.position");
    load->move[0] = ib_draft_name(draft, "load.position");
    ib_draft_box(draft, "rail", NULL, (double[]){0.5 * (low + high), 0, 0},
                 (double[]){high - low + size, 0.2 * size, 0.2 * size}, IB_COLOUR_METAL);
    ib_draft_box(draft, "carriage", "carriage", (double[]){0, 0, 0.4 * size},
                 (double[]){size, size, 0.6 * size}, IB_COLOUR_LOAD);
    ib_draft_box(draft, "belt", "belt", (double[]){0, 0.6 * size, 0},
                 (double[]){0.15 * size, 0.1 * size, 0.4 * size}, IB_COLOUR_DARK);
}

const ib_MechanismKind ib_two_mass_mechanism = {
    .name = "two_mass",
    .sentence = "a carriage on an elastic belt behind a motor",
    IB_MECHANISM_TABLES(Config, Model, IB_TRAVEL_ROW_COUNT),
    .check = check,
    IB_MECHANISM_FUNCTIONS,
    IB_MECHANISM_ROBOT_FUNCTIONS,
    .centre = centre,
    .sway = sway,
};
