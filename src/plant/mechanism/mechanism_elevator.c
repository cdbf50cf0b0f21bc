// plant/mechanism/mechanism_elevator.c: a carriage that a drum raises, in one stage or in a cascade
// of them. A climber is an elevator whose mass is the robot's.
//
// Symbols: x, v height and speed of the carriage, m its mass, r drum radius, n stages, a slope,
// S constant force of a spring, c friction of the guides; push, drag and J (rotors)
// as in plant/electric/gearmotor.h.
#include "base/extreme.h"
#include "base/maths.h"
#include "plant/actuator/actuator.h"

#include <math.h>

typedef struct Config {
    ib_GearmotorConfig gear;
    ib_ActuatorConfig act;
    double drum_radius; ///< r [m]
    double mass;        ///< m [kg]
    int stages;         ///< n
    double slope;       ///< a, from the horizontal [rad]
    double gravity;     ///< g [m/s^2]
    double spring;      ///< S, upward [N]
    double friction;    ///< c [N s/m]
} Config;

typedef struct Model {
    ib_GearmotorModel gear;
    double lever;        ///< n r: way of the carriage for a radian of the drum [m]
    double inertia;      ///< of all that moves, at the carriage [kg]
    double mass;         ///< m [kg]
    double sine, cosine; ///< of the slope
    double spring;       ///< S [N]
    double friction;     ///< c [N s/m]
    double gravity;      ///< g at the desk [m/s^2]
} Model;

static const ib_Param params[] = {
    IB_GEARMOTOR_ROWS("motors", "2", "10", "true"),
    IB_NUMBER_ROW("drum_radius", "m", "2 cm", 1e-4, 100, drum_radius,
                  "radius of the drum or the sprocket"),
    IB_NUMBER_ROW("mass", "kg", "5 kg", 1e-3, 1e6, mass, "mass of the carriage and its load"),
    IB_ROW("stages", IB_PARAM_COUNT, "1", "1", 1, 10, NULL, Config, stages,
           "number of stages of a cascade: the carriage moves so many times as far as the rope"),
    IB_NUMBER_ROW("slope", "rad", "90 deg", -1.5707963267948968, 1.5707963267948968, slope,
                  "slope of its guides from the horizontal; 90 deg: straight up"),
    IB_GRAVITY_ROW(Config, gravity),
    IB_NUMBER_ROW("spring", "N", "0 N", -1e6, 1e6, spring,
                  "constant force of a spring that helps to raise it"),
    IB_WAY_FRICTION_ROW("its guides"),
    IB_TRAVEL_ROWS(Config, "m", "N"),
    IB_PISTON_ROWS(Config),
    IB_HOOK_ROWS(Config),
};

static const ib_Param start[] = {
    IB_START_POSITION("position", "m", Config, 0),
    IB_START_VELOCITY("velocity", "m/s", Config, 0),
    IB_START_HANGING(Config),
};

// Force on the carriage down its slope, less the spring's:  m g sin a - S
static double weight_at(const Model *m, double g)
{
    return m->mass * g * m->sine - m->spring;
}

static ib_Status check(const void *config_, ib_Error *error)
{
    const Config *config = config_;
    if (!config->act.hook.on || fabs(config->slope - 0.5 * M_PI) < 1e-9) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "slope: a robot hangs straight below its hook: expected 90 deg where there "
                        "is a hook, got %.4g deg",
                        config->slope * 180 / M_PI);
}

static const ib_MechanismPort states[2] = {
    {"x", "m", "position of the carriage along its guides, up is positive", true},
    {"v", "m/s", "speed of the carriage along its guides, up is positive", false},
};

//   m_all = m + J/(n r)^2
static void init(const void *config_, void *model, ib_MechanismPorts *ports)
{
    const Config *config = config_;
    Model *m = model;
    ib_gearmotor_init(&config->gear, &m->gear);
    m->lever = config->stages * config->drum_radius;
    m->inertia = config->mass + m->gear.inertia / (m->lever * m->lever);
    m->mass = ports->mass = config->mass;
    ib_sincos(config->slope, &m->sine, &m->cosine);
    ports->swings = fabs(m->cosine) > 1e-9;
    m->spring = config->spring;
    m->friction = config->friction;
    m->gravity = ports->gravity = config->gravity;
    ib_mechanism_add_joint(ports, (ib_Joint){.stops = true}, states);
    ib_mechanism_measure(ports, 0);
    ib_gearmotor_input(&m->gear, 1, m->lever, ports);
}

//   x' = v,   m_all v' = T/nr - weight - c v
// Limits: V = weight n r/push, v = 0 -> it hangs still; weight = 0 -> top speed n r push V/drag.
static void rate(const void *model, const double *x, const double *torque, double g, double *xdot)
{
    const Model *m = model;
    double F = torque[0] / m->lever;
    xdot[0] = x[1];
    xdot[1] = (F - weight_at(m, g) - m->friction * x[1]) / m->inertia;
}

static void facts(const void *model, ib_MechanismFacts *f)
{
    const Model *m = model;
    const ib_GearmotorModel *gear = &m->gear;
    ib_gearmotor_facts(gear, f);
    double hold = weight_at(m, m->gravity) * m->lever / gear->push;
    double free = gear->push / (gear->drag / m->lever + m->friction * m->lever);
    ib_fact_add(f, "hold_voltage", "V", "voltage that keeps it where it is", hold);
    ib_fact_add(f, "top_speed", "m/s", "top speed upward, against its weight",
                (gear->voltage - hold) * free);
    ib_fact_add(f, "stall_force", "N",
                "force of the rope on the carriage at full voltage and at rest",
                gear->push * gear->voltage / m->lever);
}

// -------------------------------------------------------------------------------------- on a robot

static void energy(const void *model, const double *x, double g, ib_MechanismEnergy *e)
{
    const Model *m = model;
    e->kinetic = 0.5 * m->inertia * x[1] * x[1];
    e->potential = weight_at(m, g) * x[0];
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
    place[0] = x[0] * m->cosine;
    place[2] = x[0] * m->sine;
}

static void sway(const void *model, const double *x, ib_MechanismSway *s)
{
    const Model *m = model;
    (void)x;
    s->c[0] = m->mass * m->cosine;
    s->up[0] = m->mass * m->sine;
}

// A cylinder in place of the rope: the carriage moves n times its piston's way.
static void piston(const void *config_, const double *x, ib_PistonPlace *place)
{
    const Config *config = config_;
    place->at = (x[0] - config->act.joint[0].travel[0]) / config->stages;
    place->ratio = config->drum_radius; // its way over the angle of the drum, n r phi = n s
}

static ib_Status reach(const void *config_, double travel[2], ib_Error *error)
{
    const Config *config = config_;
    double most = config->stages * config->act.cylinder.stroke;
    if (isinf(travel[0])) {
        travel[0] = 0;
        travel[1] = most;
    }
    if (travel[1] - travel[0] <= most * (1 + 1e-9)) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "travel: %g m is more than its cylinder reaches, %g m (stroke times "
                        "stages)",
                        travel[1] - travel[0], most);
}

// The ring of walls around a bracket, as eight boxes.
static void look_walls(const ib_HookConfig *hook, double top, ib_MechanismDraft *draft)
{
    double middle = 0.5 * (hook->slot + hook->outer), thick = hook->outer - hook->slot;
    for (int i = 0; i < 8; i++) {
        double c, s;
        ib_sincos(i * (M_PI / 4), &s, &c);
        // Its frame is at the top; tan 22.5 deg.
        const double place[] = {middle * c, middle * s, 0.5 * (hook->lip - top)},
                     size[] = {thick, 2 * middle * 0.41421356237309503, top - hook->lip};
        ib_SolidDef *wall = ib_draft_box(draft, "wall", "bracket", place, size, IB_COLOUR_METAL);
        wall->attitude[0] = i * (M_PI / 4);
        wall->opacity = 0.25;
    }
}

// The hook on its post, `rise` above the carriage, and the bracket's bar in the field.
static void look_hook(const Config *config, ib_MechanismDraft *draft)
{
    const ib_HookConfig *hook = &config->act.hook;
    double rise = hook->height - config->act.place[2],
           top = ib_max(hook->bracket[2], hook->lip) + 0.1;
    double wide = hook->reach + 0.02;
    ib_draft_box(draft, "post", "carriage", (double[]){0.5 * rise, 0, 0},
                 (double[]){ib_max(fabs(rise), 0.01), 0.02, 0.02}, IB_COLOUR_METAL);
    ib_draft_box(draft, "hook", "carriage", (double[]){rise, 0, 0}, (double[]){0.015, wide, wide},
                 IB_COLOUR_FRONT);
    ib_FrameDef *frame = ib_draft_frame(draft, "bracket");
    frame->parent = NULL; // it stands in the field
    for (int i = 0; i < 2; i++) frame->place[i] = hook->bracket[i];
    frame->place[2] = top;
    ib_draft_box(draft, "bracket", "bracket", (double[]){0, 0, 0.5 * (hook->bracket[2] - top)},
                 (double[]){0.02, 0.02, top - hook->bracket[2]}, IB_COLOUR_DARK);
    if (hook->outer > 0) look_walls(hook, top, draft);
}

// Two rails along its slope, and the carriage between them.
static void geometry(const void *config_, ib_MechanismDraft *draft)
{
    const Config *config = config_;
    double low = config->act.joint[0].travel[0], high = config->act.joint[0].travel[1];
    if (isinf(low)) low = 0, high = 1;
    double size = ib_max(0.12 * (high - low), 0.06), rail = 0.25 * size;
    ib_FrameDef *slope = ib_draft_frame(draft, "rails");
    slope->attitude[1] = -config->slope;
    ib_FrameDef *carriage = ib_draft_frame(draft, "carriage");
    carriage->attitude[1] = -config->slope;
    carriage->move[0] = ib_draft_name(draft, "position");
    for (int side = -1; side <= 1; side += 2)
        ib_draft_box(draft, "rail", "rails", (double[]){0.5 * (low + high), side * 1.1 * size, 0},
                     (double[]){high - low + size, rail, rail}, IB_COLOUR_METAL);
    ib_draft_box(draft, "carriage", "carriage", (double[3]){0},
                 (double[]){size, 1.9 * size, 1.2 * size}, IB_COLOUR_LOAD);
    if (config->act.hook.on) look_hook(config, draft);
}

const ib_MechanismKind ib_elevator_mechanism = {
    .name = "elevator",
    .sentence = "a carriage on a rope or a belt, against gravity",
    IB_MECHANISM_TABLES(Config, Model,
                        IB_TRAVEL_ROW_COUNT + IB_PISTON_ROW_COUNT + IB_HOOK_ROW_COUNT),
    .check = check,
    IB_MECHANISM_FUNCTIONS,
    IB_MECHANISM_ROBOT_FUNCTIONS,
    .centre = centre,
    .sway = sway,
    .piston = piston,
    .reach = reach,
};
