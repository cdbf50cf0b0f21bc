#include "plant/mechanism/swinging_arm.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>

// ------------------------------------------------------------------------------------------- model

//   m l^2 is the least that an arm with its centre of mass at l can have.          [Steiner]
ib_Status ib_arm_check(const void *config, ib_Error *error)
{
    const ib_ArmConfig *arm = config;
    double least = arm->mass * arm->center * arm->center;
    // The tolerance covers the digits of a file.
    if (arm->inertia != 0 && arm->inertia < least * (1 - 1e-6))
        return ib_error_set(error, IB_BAD_INPUT,
                            "inertia: %g kg*m^2 about the joint is less than mass times center "
                            "squared, %g kg*m^2",
                            arm->inertia, least);
    bool turns = arm->inertia > 0 || least > 0;
    bool rotors = arm->gear.rotors && arm->gear.rotor_inertia > 0;
    if (!turns && !rotors)
        return ib_error_set(error, IB_BAD_INPUT,
                            "inertia: nothing has inertia about the joint; give inertia or center");
    return IB_OK;
}

static const ib_MechanismPort states[2] = {
    {"angle", "rad", "angle of the arm above the horizontal", true},
    {"speed", "rad/s", "angular speed of the arm, up is positive", false},
};

void ib_arm_init(const void *config_, void *model, ib_MechanismPorts *ports)
{
    const ib_ArmConfig *config = config_;
    ib_Arm *m = model;
    double l = config->center;
    ib_gearmotor_init(&config->gear, &m->gear);
    m->inertia = (config->inertia > 0 ? config->inertia : config->mass * l * l) + m->gear.inertia;
    m->mass = ports->mass = config->mass;
    ports->swings = l > 0;
    m->center = l;
    m->gravity = ports->gravity = config->gravity;
    m->friction = config->friction;
    ib_mechanism_add_joint(ports, (ib_Joint){.turns = true, .stops = true}, states);
    ib_mechanism_measure(ports, 0);
    ib_gearmotor_input(&m->gear, 1, 1, ports);
}

void ib_arm_facts(const ib_Arm *arm, double level, ib_MechanismFacts *f)
{
    const ib_GearmotorModel *gear = &arm->gear;
    ib_gearmotor_facts(gear, f);
    ib_fact_add(f, "hold_voltage", "V", "voltage that keeps a level arm where it is",
                level / gear->push);
    ib_fact_add(f, "stall_torque", "N*m",
                "torque of the motors at the joint, at full voltage and at rest",
                gear->push * gear->voltage);
    ib_fact_add(f, "top_speed", "rad/s",
                "top speed of the upright arm, whose weight does not turn it",
                gear->push * gear->voltage / (gear->drag + arm->friction));
}

// --------------------------------------------------------------------------------------- mechanics

//   th' = w,   J w' = T - m g l cos th - c w
void ib_arm_rate(const void *model, const double *x, const double *torque, double g, double *xdot)
{
    const ib_Arm *m = model;
    xdot[0] = x[1];
    xdot[1] = (torque[0] - ib_arm_weight(m, g) * ib_cos(x[0]) - m->friction * x[1]) / m->inertia;
}

// -------------------------------------------------------------------------------------- on a robot

void ib_arm_energy(const void *model, const double *x, double g, ib_MechanismEnergy *energy)
{
    const ib_Arm *m = model;
    energy->kinetic = 0.5 * m->inertia * x[1] * x[1];
    energy->potential = ib_arm_weight(m, g) * ib_sin(x[0]);
    energy->friction = m->friction * x[1] * x[1];
}

void ib_arm_mobility(const void *model, const double *x, double matrix[2][2])
{
    (void)x;
    matrix[0][0] = 1 / ((const ib_Arm *)model)->inertia;
}

void ib_arm_centre(const void *model, const double *x, double place[3])
{
    const ib_Arm *m = model;
    double s, c;
    ib_sincos(x[0], &s, &c);
    place[0] = m->center * c;
    place[2] = m->center * s;
}

//   P = -m l sin th w,   P' = -m l (sin th w' + cos th w^2),   m z' = m l cos th w
void ib_arm_sway(const void *model, const double *x, ib_MechanismSway *sway)
{
    const ib_Arm *m = model;
    double s, c, first = m->mass * m->center;
    ib_sincos(x[0], &s, &c);
    sway->c[0] = -first * s;
    sway->up[0] = first * c;
    sway->q = first * c * x[1] * x[1];
}

// An arm that points forward at 0 and rises: its frame is rolled over, since a pitch dips.
void ib_arm_geometry(const void *config_, ib_MechanismDraft *draft)
{
    const ib_ArmConfig *config = config_;
    double l = config->length > 0 ? config->length : ib_max(1.5 * config->center, 0.1);
    double thick = ib_max(0.1 * l, 0.03);
    ib_FrameDef *arm = ib_draft_frame(draft, "arm");
    arm->attitude[2] = 2 * IB_SOLID_LYING;
    arm->turn[1] = ib_draft_name(draft, "position");
    ib_draft_box(draft, "arm", "arm", (double[]){0.5 * l, 0, 0}, (double[]){l, thick, thick},
                 IB_COLOUR_LOAD);
    ib_draft_axle(draft, "joint", NULL, thick, 2 * thick, IB_COLOUR_DARK);
}
