// plant/mechanism/mechanism_lift.c: a platform that two winches raise at its ends: it can tilt, and
// each winch feels the other.
//
// Symbols: x, v height and speed of an end, W half the distance between the ends, m, J mass and
// inertia of the platform, m_c counterweights together, r drum radius, k, c stiffness and damping
// of the guides against tilting; tilt = (x_right - x_left)/2W. Other symbols are those of
// plant/mechanism/two_sided.h, as is its law.
#include "plant/actuator/actuator.h"
#include "plant/mechanism/two_sided.h"

typedef struct Config {
    ib_GearmotorConfig gear; ///< of one end
    ib_ActuatorConfig act;
    double drum_radius;        ///< r [m]
    double mass, inertia;      ///< m [kg], J about the middle [kg m^2]
    double half_width;         ///< W [m]
    double counterweight;      ///< m_c: half of it hangs from each end [kg]
    double stiffness, damping; ///< k [N m/rad], c [N m s/rad]
    double gravity;            ///< g [m/s^2]
} Config;

typedef struct Model {
    ib_GearmotorModel gear;
    ib_TwoSided body;
    double radius;             ///< r [m]
    double hung;               ///< mass that each end carries, counterweight taken off [kg]
    double gravity;            ///< g at the desk [m/s^2]
    double mass, turning, own; ///< m [kg], J/4W^2 [kg], rotors and counterweight of an end [kg]
    double half_width;         ///< W [m]
    double stiffness, damping; ///< against a difference of the ends [N/m], [N s/m]
} Model;

static const ib_Param params[] = {
    IB_GEARMOTOR_ROWS("motors_per_side", "1", "20", "true"),
    IB_NUMBER_ROW("drum_radius", "m", "2 cm", 1e-4, 100, drum_radius, "radius of the winches"),
    IB_TWO_SIDED_ROWS("the platform and its load", "the middle", "20 kg", "1 kg*m^2"),
    IB_NUMBER_ROW("half_width", "m", "40 cm", 1e-3, 100, half_width,
                  "distance from the middle of the platform to a rope"),
    IB_NUMBER_ROW("counterweight", "kg", "0 kg", 0, 1e6, counterweight,
                  "mass of a counterweight on ropes over pulleys, half of it on each end"),
    IB_NUMBER_ROW("stiffness", "N*m/rad", "0 N*m/rad", 0, 1e9, stiffness,
                  "stiffness of the guides against tilting; 0: none"),
    IB_NUMBER_ROW("damping", "N*m*s/rad", "0 N*m*s/rad", 0, 1e9, damping,
                  "damping of the guides against tilting; 0: none"),
    IB_GRAVITY_ROW(Config, gravity),
    IB_TRAVEL_ROWS(Config, "m", "N"),
};

static const ib_Param start[] = {
    IB_START_POSITION("left.position", "m", Config, 0),
    IB_START_VELOCITY("left.velocity", "m/s", Config, 0),
    IB_START_POSITION("right.position", "m", Config, 1),
    IB_START_VELOCITY("right.velocity", "m/s", Config, 1),
};

static const ib_MechanismPort states[4] = {
    {"x_left", "m", "height of the left end", true},
    {"v_left", "m/s", "speed of the left end, up is positive", false},
    {"x_right", "m", "height of the right end", true},
    {"v_right", "m/s", "speed of the right end, up is positive", false},
};

// A torque against the tilt is a couple of forces at the ends, each torque/2W:
//   K = k/4W^2,  C = c/4W^2,   e = J_rotors/r^2 + m_c/2,   hung = (m - m_c)/2
static void init(const void *config_, void *model, ib_MechanismPorts *ports)
{
    const Config *config = config_;
    Model *m = model;
    double r = config->drum_radius, W = config->half_width;
    ib_gearmotor_init(&config->gear, &m->gear);
    double own = m->gear.inertia / (r * r) + config->counterweight / 2;
    m->body = ib_two_sided(config->mass, config->inertia, W, own, own);
    m->radius = r;
    m->hung = (config->mass - config->counterweight) / 2;
    m->gravity = ports->gravity = config->gravity;
    m->mass = config->mass;
    m->turning = config->inertia / (4 * W * W);
    m->own = own;
    m->half_width = W;
    ports->mass = config->mass + config->counterweight;
    m->stiffness = config->stiffness / (4 * W * W);
    m->damping = config->damping / (4 * W * W);
    for (int i = 0; i < 2; i++) {
        ib_mechanism_add_joint(ports, (ib_Joint){.name = i ? "right" : "left", .stops = true},
                               states + 2 * i);
        ib_mechanism_measure(ports, 2 * i);
        ib_gearmotor_input(&m->gear, 2 * i + 1, r, ports);
    }
    ports->input[0] = (ib_MechanismPort){"left", "V", "voltage of the left motors", false};
    ports->input[1] = (ib_MechanismPort){"right", "V", "voltage of the right motors", false};
}

//   F = T/r - hung g -+ (K (x_l - x_r) + C (v_l - v_r)) on the left and right end
//   v_l' = left F_l + cross F_r,  v_r' the same mirrored
// Limits: both ends under weight r/push hang still; a level platform rises as an elevator does.
static void rate(const void *model, const double *x, const double *torque, double g, double *xdot)
{
    const Model *m = model;
    double couple = m->stiffness * (x[0] - x[2]) + m->damping * (x[1] - x[3]);
    double Fl = torque[0] / m->radius - m->hung * g, Fr = torque[1] / m->radius - m->hung * g;
    Fl -= couple;
    Fr += couple;
    xdot[0] = x[1];
    xdot[1] = m->body.left * Fl + m->body.cross * Fr;
    xdot[2] = x[3];
    xdot[3] = m->body.cross * Fl + m->body.right * Fr;
}

static void facts(const void *model, ib_MechanismFacts *f)
{
    const Model *m = model;
    const ib_GearmotorModel *gear = &m->gear;
    double hold = m->hung * m->gravity * m->radius / gear->push, most = gear->voltage;
    ib_gearmotor_facts(gear, f);
    ib_fact_add(f, "hold_voltage", "V", "voltage of each end that keeps it up", hold);
    ib_fact_add(f, "top_speed", "m/s", "top speed upward of the level platform, against its weight",
                (most - hold) * m->radius * gear->push / gear->drag);
    ib_fact_add(f, "stall_force", "N", "force of both ropes together at full voltage and at rest",
                2 * gear->push * most / m->radius);
}

// -------------------------------------------------------------------------------------- on a robot

static void energy(const void *model, const double *x, double g, ib_MechanismEnergy *e)
{
    const Model *m = model;
    double sum = x[1] + x[3], less = x[3] - x[1], apart = x[0] - x[2];
    e->kinetic = 0.5 * (m->mass / 4 * sum * sum + m->turning * less * less +
                        m->own * (x[1] * x[1] + x[3] * x[3]));
    e->potential = m->hung * g * (x[0] + x[2]) + 0.5 * m->stiffness * apart * apart;
    e->friction = m->damping * less * less;
}

static void mobility(const void *model, const double *x, double matrix[2][2])
{
    const ib_TwoSided *body = &((const Model *)model)->body;
    (void)x;
    matrix[0][0] = body->left;
    matrix[0][1] = matrix[1][0] = body->cross;
    matrix[1][1] = body->right;
}

// The counterweights, which sink as it rises, are taken off.
static void centre(const void *model, const double *x, double place[3])
{
    const Model *m = model;
    double counter = m->mass - 2 * m->hung;
    place[2] = m->hung * (x[0] + x[2]) / (m->mass + counter);
}

static void sway(const void *model, const double *x, ib_MechanismSway *s)
{
    (void)x;
    s->up[0] = s->up[1] = ((const Model *)model)->hung;
}

// Two ends that rise, each with half of the platform.
static void geometry(const void *config_, ib_MechanismDraft *draft)
{
    const Config *config = config_;
    double W = config->half_width;
    for (int i = 0; i < 2; i++) {
        const char *side = i ? "right" : "left";
        ib_FrameDef *end = ib_draft_frame(draft, side);
        end->place[1] = i ? -W : W;
        end->move[2] = ib_draft_name(draft, i ? "right.position" : "left.position");
        ib_draft_box(draft, side, side, (double[]){0, i ? 0.5 * W : -0.5 * W, 0},
                     (double[]){0.6 * W, 0.98 * W, 0.1 * W}, IB_COLOUR_LOAD);
        ib_draft_box(draft, "post", NULL, (double[]){0, i ? -1.06 * W : 1.06 * W, W},
                     (double[]){0.1 * W, 0.1 * W, 2 * W}, IB_COLOUR_METAL);
    }
}

const ib_MechanismKind ib_lift_mechanism = {
    .name = "lift",
    .sentence = "a platform raised at its two ends by a winch each",
    IB_MECHANISM_TABLES(Config, Model, IB_TRAVEL_ROW_COUNT),
    IB_MECHANISM_FUNCTIONS,
    IB_MECHANISM_ROBOT_FUNCTIONS,
    .centre = centre,
    .sway = sway,
};
