// plant/mechanism/swinging_arm.h: an arm on one joint against gravity: the common part of
// mechanisms that swing.
//
// Symbols: th angle above the horizontal, w its rate, m mass, l from the joint to the centre of
// mass, J inertia about the joint with the rotors', c friction of the joint;
// push and drag as in plant/electric/gearmotor.h.
//
//   th' = w,   J w' = T - m g l cos th - c w
// Limits: held at th by V = m g l cos th/push; without a motor it swings with sqrt(m g l/J) about
// th = -90 degrees.
#ifndef IB_PLANT_MECHANISM_SWINGING_ARM_H
#define IB_PLANT_MECHANISM_SWINGING_ARM_H

#include "plant/actuator/actuator.h"

// The config of a kind that swings begins with one of these, called `arm`.
typedef struct ib_ArmConfig {
    ib_GearmotorConfig gear;
    ib_ActuatorConfig act;
    double mass;     ///< m [kg], > 0
    double center;   ///< l [m], >= 0
    double inertia;  ///< about the joint, without the rotors [kg m^2]; 0: m l^2
    double gravity;  ///< g [m/s^2], >= 0
    double length;   ///< of the drawn arm [m]; 0: 1.5 l
    double friction; ///< c [N m s], >= 0
} ib_ArmConfig;

// The model of a kind that swings begins so.
typedef struct ib_Arm {
    ib_GearmotorModel gear;
    double inertia;      ///< J [kg m^2]
    double mass, center; ///< m [kg], l [m]
    double gravity;      ///< g at the desk [m/s^2]
    double friction;     ///< c [N m s]
} ib_Arm;

// Torque of gravity on a level arm:  m g l  [N m]
static inline double ib_arm_weight(const ib_Arm *arm, double g)
{
    return arm->mass * g * arm->center;
}

// Entries of an ib_MechanismKind. A kind with a further torque calls them from its own and adds its
// share: of w' to the rate, of stored energy to the energy.
ib_Status ib_arm_check(const void *config, ib_Error *error);
void ib_arm_init(const void *config, void *model, ib_MechanismPorts *ports);
void ib_arm_rate(const void *model, const double *x, const double *torque, double g, double *xdot);
void ib_arm_energy(const void *model, const double *x, double g, ib_MechanismEnergy *energy);
void ib_arm_mobility(const void *model, const double *x, double matrix[2][2]);
void ib_arm_centre(const void *model, const double *x, double place[3]);
void ib_arm_sway(const void *model, const double *x, ib_MechanismSway *sway);
void ib_arm_geometry(const void *config, ib_MechanismDraft *draft);

// Rows of a kind's table: those that a further torque does not change, and those it adds to.
#define IB_ARM_SHAPE_FUNCTIONS                                                                     \
    .check = ib_arm_check, .mobility = ib_arm_mobility, .centre = ib_arm_centre,                   \
    .sway = ib_arm_sway, .geometry = ib_arm_geometry
#define IB_ARM_TORQUE_FUNCTIONS .rate = ib_arm_rate, .energy = ib_arm_energy

// The facts of any of them: its motor, voltage and current that hold it level against `level` [N
// m], stall torque and top speed.
void ib_arm_facts(const ib_Arm *arm, double level, ib_MechanismFacts *facts);

// -------------------------------------------------------------------------------------- parameters

#define IB__ARM(key, unit, fallback, min, max, config, field, sentence)                            \
    IB_NUMBER_OF(key, unit, fallback, min, max, config, arm.field, sentence)

// 0; a config struct that does not begin with an ib_ArmConfig called `arm` does not compile.
#define IB__ARM_BEGINS(config)                                                                     \
    (0 * sizeof(struct {                                                                           \
         _Static_assert(offsetof(config, arm) == 0, "an arm's config begins with `arm`");          \
         char room;                                                                                \
     }))

// The desk's rows of motor and arm, for a config struct that begins with an ib_ArmConfig; `turns`,
// `mass_` and `center_` are the defaults of the three that differ most.
#define IB_ARM_ROWS(config, turns, mass_, center_)                                                 \
    IB_GEARMOTOR_ROWS("motors", "1", turns, "true"),                                               \
        IB__ARM("mass", "kg", mass_, 1e-3, 1e6, config, mass,                                      \
                "mass of the arm and what it holds"),                                              \
        IB__ARM("center", "m", center_, IB__ARM_BEGINS(config), 100, config, center,               \
                "distance from the joint to the centre of mass"),                                  \
        IB__ARM("inertia", "kg*m^2", "0 kg*m^2", 0, 1e6, config, inertia,                          \
                "moment of inertia about the joint; 0: all mass in the centre of mass"),           \
        IB_GRAVITY_ROW(config, arm.gravity),                                                       \
        IB__ARM("length", "m", "0 m", 0, 100, config, length,                                      \
                "length of the arm as it is drawn; 0: 1.5 times center"),                          \
        IB__ARM("friction", "N*m*s", "0 N*m*s", 0, 1e9, config, friction,                          \
                "viscous friction of its joint: torque over speed")

// Behind the kind's own rows: those of a robot.
#define IB_ARM_TRAVEL_ROWS IB_TRAVEL_ROWS(ib_ArmConfig, "rad", "N*m")

// All keys of a start.
#define IB_ARM_START_ROWS                                                                          \
    IB_START_POSITION("position", "rad", ib_ArmConfig, 0),                                         \
        IB_START_VELOCITY("velocity", "rad/s", ib_ArmConfig, 0)

#endif
