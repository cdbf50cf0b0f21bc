// plant/mechanism/mechanism_arm.c: an arm of two links (plant/two_link.h): each has motors of its
// own on the frame, and its hand may hold a load.
#include "plant/mechanism/mechanism_arm.h"
#include "base/extreme.h"
#include "plant/actuator/actuator.h"
#include "plant/two_link.h"

#include <math.h>
#include <stddef.h>

typedef struct Link {
    double length, center; ///< l, r [m]
    double mass;           ///< [kg]
    double inertia;        ///< I, about its centre of mass [kg m^2]
    double friction;       ///< of its joint [N m s]
} Link;

typedef struct Config {
    ib_GearmotorConfig gear; ///< of the first joint; voltage, loss and rotors are those of both
    ib_ActuatorConfig act;
    ib_GearmotorConfig second;
    Link link[2];
    double gravity; ///< g [m/s^2]
    double load;    ///< in the hand: at the desk, and at the start [kg]
} Config;

typedef struct Model {
    ib_TwoLink bare, arm; ///< without and with the load; rotors included
    ib_GearmotorModel gear[2];
    double friction[2]; ///< of the joints [N m s]
    double gravity;     ///< g at the desk [m/s^2]
    double links;       ///< mass of both links [kg]
    double load;        ///< [kg]
} Model;

// Motors and gear of a joint, and its link. (`gear` is one of the config's two.)
#define GEAR(joint, gear, number, turns)                                                           \
    IB_MOTOR_PART_ROWS(joint ".motor", Config, gear.motor_given, gear.motor),                      \
        IB_NUMBER_ROW(joint ".motor.rotor_inertia", "kg*m^2", "0 kg*m^2", 0, 1e3,                  \
                      gear.rotor_inertia, "moment of inertia of the motor's own rotor"),           \
        IB_ROW(joint ".motors", IB_PARAM_COUNT, "1", "1", 1, 100, NULL, Config, gear.count,        \
               "number of motors that drive this joint"),                                          \
        IB_NUMBER_ROW(joint ".reduction", "1", turns, 1e-3, 1e6, gear.reduction,                   \
                      "gear reduction: motor speed over the joint's speed"),                       \
        IB_NUMBER_ROW(joint ".efficiency", "1", "1", 1e-3, 1, gear.efficiency,                     \
                      "efficiency of the gear; at the desk a smaller torque constant, both ways"), \
        IB_NUMBER_ROW(joint ".friction", "N*m*s", "0 N*m*s", 0, 1e9, link[number].friction,        \
                      "viscous friction of the joint: torque over speed")
#define LINK(key, number, long_, center_, mass_, inertia_)                                         \
    IB_NUMBER_ROW(key ".length", "m", long_, 1e-3, 100, link[number].length,                       \
                  "from its joint to the next, or to the hand"),                                   \
        IB_NUMBER_ROW(key ".center", "m", center_, 0, 100, link[number].center,                    \
                      "from its joint to its centre of mass"),                                     \
        IB_NUMBER_ROW(key ".mass", "kg", mass_, 1e-3, 1e6, link[number].mass, "mass of the link"), \
        IB_NUMBER_ROW(key ".inertia", "kg*m^2", inertia_, 0, 1e6, link[number].inertia,            \
                      "moment of inertia about its centre of mass")
#define HOLDS(joint, number)                                                                       \
    IB_STOP_ROWS(joint, Config, number, "rad"), IB_HOLD_ROWS(joint, Config, number, "N*m"),        \
        IB_LIMIT_ROWS(joint, Config, number)

static const ib_Param params[] = {
    GEAR("joint1", gear, 0, "140"),
    GEAR("joint2", second, 1, "90"),
    IB_GEARMOTOR_NUMBER("voltage", "V", "12 V", 1e-3, 1e4, voltage,
                        "largest voltage of an input, either way"),
    IB_CHOICE_OF("loss", "none", ib_gearmotor_losses, Config, gear.loss,
                 "law of the loss torque inside a motor, whose size is from its free current"),
    IB_ROW("rotors", IB_PARAM_FLAG, "1", "true", 0, 0, NULL, Config, gear.rotors,
           "true: the rotors' inertia, seen through the gears, is added to the links'"),
    LINK("link1", 0, "1 m", "50 cm", "4 kg", "0.4 kg*m^2"),
    LINK("link2", 1, "80 cm", "40 cm", "3 kg", "0.2 kg*m^2"),
    IB_NUMBER_ROW("load", "kg", "0 kg", 0, 1e4, load,
                  "mass that the hand holds: at the desk, and on a robot at the start"),
    IB_GRAVITY_ROW(Config, gravity),
    HOLDS("joint1.", 0),
    HOLDS("joint2.", 1),
    IB_WINDING_ROWS(Config),
    IB_ROW("reaction", IB_PARAM_FLAG, "1", "false", 0, 0, NULL, Config, act.reaction,
           "true: a base that moves feels the arm's horizontal forces, and the arm feels the "
           "base's forward acceleration"),
    IB_REST_ROWS(Config),
};
enum {
    JOINT_ROWS = IB_STOP_ROW_COUNT + IB_HOLD_ROW_COUNT + IB_LIMIT_ROW_COUNT,
    ROBOT_ROWS = 2 * JOINT_ROWS + IB_WINDING_ROW_COUNT + 1 + IB_REST_ROW_COUNT,
};

static const ib_Param start[] = {
    IB_NUMBER_ROW("theta1", "rad", "0 rad", -1e6, 1e6, act.position[0],
                  "angle of the first link at the start; not given: straight up, or the nearer "
                  "stop"),
    IB_START_VELOCITY("omega1", "rad/s", Config, 0),
    IB_NUMBER_ROW("theta2", "rad", "0 rad", -1e6, 1e6, act.position[1],
                  "angle of the second link at the start; not given: straight up, or the nearer "
                  "stop"),
    IB_START_VELOCITY("omega2", "rad/s", Config, 1),
};

static const ib_MechanismPort states[4] = {
    {"theta1", "rad", "angle of the first link, 0: straight up, forward is positive", true},
    {"omega1", "rad/s", "its rate", false},
    {"theta2", "rad", "angle of the second link, also from straight up", true},
    {"omega2", "rad/s", "its rate", false},
};

static const ib_MechanismPort volts[2] = {
    {"volts1", "V", "voltage of the motors of the first joint", false},
    {"volts2", "V", "voltage of the motors of the second joint", false},
};

static ib_Status check(const void *config_, ib_Error *error)
{
    const Config *config = config_;
    const Link *a = &config->link[0], *b = &config->link[1];
    ib_Status status =
        ib_error_under("joint1.motor.", ib_motor_check(&config->gear.motor, error), error);
    if (status == IB_OK)
        status =
            ib_error_under("joint2.motor.", ib_motor_check(&config->second.motor, error), error);
    if (status != IB_OK) return status;
    // The determinant of the mass matrix is least with the links in line, and is then a sum of
    // their own shares.
    const Link *light = NULL;
    if (!(a->inertia > 0 || a->center > 0)) light = a;
    if (!(b->inertia > 0 || b->center > 0)) light = b;
    if (!light) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "link%d.inertia: with its mass in its joint the link has none: expected an "
                        "inertia or a center above 0",
                        light == a ? 1 : 2);
}

static void init(const void *config_, void *model, ib_MechanismPorts *ports)
{
    static const char *const joint[2] = {"joint1", "joint2"};
    const Config *config = config_;
    const Link *a = &config->link[0], *b = &config->link[1];
    Model *m = model;
    ib_GearmotorConfig second = config->second;
    second.voltage = config->gear.voltage;
    second.loss = config->gear.loss;
    second.rotors = config->gear.rotors;
    ib_gearmotor_init(&config->gear, &m->gear[0]);
    ib_gearmotor_init(&second, &m->gear[1]);
    m->bare = (ib_TwoLink){.alpha = a->inertia + a->center * a->center * a->mass +
                                    a->length * a->length * b->mass,
                           .beta = a->length * b->center * b->mass,
                           .gamma = b->inertia + b->center * b->center * b->mass,
                           .first = a->center * a->mass + a->length * b->mass,
                           .second = b->center * b->mass,
                           .length = {a->length, b->length}};
    m->bare.alpha += m->gear[0].inertia;
    m->bare.gamma += m->gear[1].inertia;
    m->load = ports->load = config->load;
    m->arm = ib_two_link_loaded(&m->bare, m->load);
    m->gravity = ports->gravity = config->gravity;
    m->links = a->mass + b->mass;
    ports->mass = m->links + m->load;
    ports->swings = true;
    for (int i = 0; i < 2; i++) {
        m->friction[i] = config->link[i].friction;
        ib_mechanism_add_joint(ports,
                               (ib_Joint){.name = joint[i],
                                          .turns = true,
                                          .stops = true,
                                          .position_name = states[2 * i].name,
                                          .speed_name = states[2 * i + 1].name},
                               states + 2 * i);
        ib_mechanism_measure(ports, 2 * i);
        ib_gearmotor_input(&m->gear[i], 2 * i + 1, 1, ports);
        ports->input[i] = volts[i];
        ports->shaft[i] = joint[i];
    }
}

// Links have angles and rates side by side; two_link.h has them apart.
typedef struct Pose {
    double th[2], w[2];
} Pose;

static Pose pose_of(const double *x)
{
    return (Pose){{x[0], x[2]}, {x[1], x[3]}};
}

static void rate(const void *model, const double *x, const double *torque, double g, double *xdot)
{
    const Model *m = model;
    Pose at = pose_of(x);
    double T[2], a[2];
    for (int i = 0; i < 2; i++) T[i] = torque[i] - m->friction[i] * at.w[i];
    ib_two_link_forward(&m->arm, at.th, at.w, T, g, a);
    xdot[0] = at.w[0];
    xdot[1] = a[0];
    xdot[2] = at.w[1];
    xdot[3] = a[1];
}

static void facts(const void *model, ib_MechanismFacts *f)
{
    static const char *const push[2] = {"push1", "push2"}, *const drag[2] = {"drag1", "drag2"};
    static const char *const rotor[2] = {"rotors1", "rotors2"};
    static const char *const hold[2] = {"hold_voltage1", "hold_voltage2"};
    const Model *m = model;
    const double weight[2] = {m->arm.first * m->gravity, m->arm.second * m->gravity};
    ib_fact_add(f, "alpha", "kg*m^2",
                "inertia that the first joint feels, second link hanging loose", m->arm.alpha);
    ib_fact_add(f, "beta", "kg*m^2", "what couples the links where they are in line", m->arm.beta);
    ib_fact_add(f, "gamma", "kg*m^2", "inertia of the second link about its joint", m->arm.gamma);
    for (int i = 0; i < 2; i++) {
        const ib_GearmotorModel *gear = &m->gear[i];
        ib_fact_add(f, push[i], "N*m/V", "torque of its joint per volt, at rest", gear->push);
        ib_fact_add(f, drag[i], "N*m*s", "torque of its joint per speed, motors shorted",
                    gear->drag);
        ib_fact_add(f, rotor[i], "kg*m^2", "share of its rotors in the inertia of its joint",
                    gear->inertia);
        ib_fact_add(f, hold[i], "V", "voltage that holds its link level", weight[i] / gear->push);
    }
}

// -------------------------------------------------------------------------------------- on a robot

// The potential is 0 where both centres of mass are level with the first joint [reference D1].
static void energy(const void *model, const double *x, double g, ib_MechanismEnergy *e)
{
    const Model *m = model;
    Pose at = pose_of(x);
    e->kinetic = ib_two_link_kinetic(&m->arm, at.th, at.w);
    e->potential = ib_two_link_potential(&m->arm, at.th, g);
    e->friction = m->friction[0] * at.w[0] * at.w[0] + m->friction[1] * at.w[1] * at.w[1];
}

static void mobility(const void *model, const double *x, double matrix[2][2])
{
    const ib_TwoLink *arm = &((const Model *)model)->arm;
    double coupling = ib_cos(x[0] - x[2]) * arm->beta;
    double per = 1 / (arm->alpha * arm->gamma - coupling * coupling);
    matrix[0][0] = arm->gamma * per;
    matrix[0][1] = matrix[1][0] = -coupling * per;
    matrix[1][1] = arm->alpha * per;
}

static void centre(const void *model, const double *x, double place[3])
{
    const Model *m = model;
    double s[2], c[2], per = 1 / (m->links + m->load);
    for (int i = 0; i < 2; i++) ib_sincos(x[2 * i], &s[i], &c[i]);
    place[0] = (m->arm.first * s[0] + m->arm.second * s[1]) * per;
    place[2] = (m->arm.first * c[0] + m->arm.second * c[1]) * per;
}

static void carry(const void *model, double mass, void *loaded)
{
    Model *m = loaded;
    *m = *(const Model *)model;
    m->load = mass;
    m->arm = ib_two_link_loaded(&m->bare, mass);
}

// The links' masses are at  S sin th  before the joint and  S cos th  over it, so
//   P = sum S cos th w,   P' = sum S cos th w' - sum S sin th w^2
static void sway(const void *model, const double *x, ib_MechanismSway *s)
{
    const ib_TwoLink *arm = &((const Model *)model)->arm;
    const double S[2] = {arm->first, arm->second};
    for (int i = 0; i < 2; i++) {
        double sine, cosine, w = x[2 * i + 1];
        ib_sincos(x[2 * i], &sine, &cosine);
        s->c[i] = S[i] * cosine;
        s->up[i] = -S[i] * sine;
        s->q += S[i] * sine * w * w;
    }
}

static const ib_SignalDef signals[] = {
    {"hand.x", "m", "place of the hand, forward of the first joint", 0},
    {"hand.z", "m", "place of the hand, above the first joint", 0},
    {"elbow.x", "m", "place of the second joint, forward of the first", 0},
    {"elbow.z", "m", "place of the second joint, above the first", 0},
};
static const ib_SignalRows shows = {signals, sizeof signals / sizeof signals[0]};

static void show(const void *model, const double *x, double *values)
{
    const ib_TwoLink *arm = &((const Model *)model)->arm;
    Pose at = pose_of(x);
    ib_two_link_hand(arm, at.th, values);
    ib_two_link_elbow(arm, at.th, values + 2);
}

// A link stands up on its frame, whose pitch is its angle.
static void draw_link(ib_MechanismDraft *draft, const char *name, double length, double thick)
{
    ib_draft_box(draft, name, name, (double[]){0, 0, 0.5 * length},
                 (double[]){thick, thick, length}, IB_COLOUR_LOAD);
}

static void geometry(const void *config_, ib_MechanismDraft *draft)
{
    const Config *config = config_;
    double l1 = config->link[0].length, l2 = config->link[1].length;
    double thick = ib_max(0.04 * (l1 + l2), 0.02);
    ib_FrameDef *upper = ib_draft_frame(draft, "upper");
    upper->turn[1] = ib_draft_name(draft, "theta1");
    ib_FrameDef *elbow = ib_draft_frame(draft, "elbow");
    elbow->move[0] = ib_draft_name(draft, "elbow.x");
    elbow->move[2] = ib_draft_name(draft, "elbow.z");
    ib_FrameDef *fore = ib_draft_frame(draft, "fore");
    fore->parent = elbow->name;
    fore->turn[1] = ib_draft_name(draft, "theta2");
    ib_FrameDef *hand = ib_draft_frame(draft, "hand");
    hand->parent = fore->name;
    hand->place[2] = l2;
    draw_link(draft, "upper", l1, thick);
    draw_link(draft, "fore", l2, 0.8 * thick);
    ib_draft_axle(draft, "shoulder", NULL, thick, 2 * thick, IB_COLOUR_DARK);
    ib_draft_axle(draft, "elbow", "elbow", 0.8 * thick, 2 * (0.8 * thick), IB_COLOUR_DARK);
    ib_draft_axle(draft, "hand", "hand", 0.6 * thick, 2 * (0.6 * thick), IB_COLOUR_FRONT);
    ib_TraceDef *way = ib_draft_trace(draft, "way of the hand");
    way->move[0] = ib_draft_name(draft, "hand.x");
    way->move[2] = ib_draft_name(draft, "hand.z");
    way->reach = l1 + l2;
}

const ib_MechanismKind ib_arm_mechanism = {
    .name = "arm",
    .sentence = "an arm of two links, each turned by motors on the frame",
    IB_MECHANISM_TABLES(Config, Model, ROBOT_ROWS),
    .params.presets = "arms",
    .second_gear = offsetof(Config, second),
    .check = check,
    IB_MECHANISM_FUNCTIONS,
    IB_MECHANISM_ROBOT_FUNCTIONS,
    .centre = centre,
    .carry = carry,
    .sway = sway,
    .shows = &shows,
    .show = show,
};

// ---------------------------------------------------------------------------------- as planners do

bool ib_mechanism_arm(const ib_Mechanism *mechanism, ib_ArmParts *parts)
{
    if (mechanism->kind != &ib_arm_mechanism) return false;
    const void *memory = &mechanism->model;
    const Model *m = memory;
    *parts = (ib_ArmParts){.link = m->arm, .friction = {m->friction[0], m->friction[1]}};
    return true;
}
