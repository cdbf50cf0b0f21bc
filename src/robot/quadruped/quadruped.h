// robot/quadruped/quadruped.h: legs of three joints on a body, moved by pneumatic cylinders, in a
// world of rigid bodies and contacts. The derivation is in docs/robot/quadruped.md.
//
// A body that MuJoCo moves (robot/rigid/rigid.h), cylinders and motors on its joints
// (plant/air/bank_part.h, plant/electric/joint_motors.h), and the legs' own parts: servos and
// torques, feet.
//
//   frames   body: x forward, y left, z up. Each link has the frame of its joint, z the joint's
//            axis, x along the link (control/leg/leg.h)
//   names    legs fl, fr, rl, rr are the thesis's L1, R1, L2, R2; joints alpha, beta, gamma
#ifndef IB_ROBOT_QUADRUPED_H
#define IB_ROBOT_QUADRUPED_H

#include "control/leg/leg.h"
#include "plant/air/bank_part.h"
#include "plant/electric/joint_motors.h"
#include "plant/linkage.h"
#include "robot/rigid/rigid.h"
#include "world/terrain.h"

enum {
    IB_QUADRUPED_LEGS = IB_LEG_LEGS,
    IB_QUADRUPED_JOINTS = IB_QUADRUPED_LEGS * IB_LEG_JOINTS,
};

// The legs of a robot.
typedef enum ib_QuadrupedLegs {
    IB_LEGS_ALL,
    IB_LEGS_FRONT,
    IB_LEGS_FL,
    IB_LEGS_FR,
    IB_LEGS_RL,
    IB_LEGS_RR,
} ib_QuadrupedLegs;

// Support of the body.
typedef enum ib_QuadrupedBase {
    IB_BASE_FREE,
    IB_BASE_FIXED,
    IB_BASE_WHEELS, ///< free, with two wheels behind that nothing drives
} ib_QuadrupedBase;

enum { IB_QUADRUPED_WHEELS = 2 }; ///< left and right

// Actuators of a leg's joints.
typedef enum ib_LegDrive {
    IB_DRIVE_TORQUE,   ///< cylinders, as the torques that their linkages make of their forces
    IB_DRIVE_TENDON,   ///< the same as cylinders without mass between their pins
    IB_DRIVE_CYLINDER, ///< the same with barrel and rod as bodies: a closed loop in each joint
    IB_DRIVE_SERVO,    ///< a servo that follows an angle, of any torque up to its limit
    IB_DRIVE_DIRECT,   ///< a torque from outside
    IB_DRIVE_LIMP,     ///< nothing
    IB_DRIVE_MOTOR,    ///< gearmotors on the robot's battery
} ib_LegDrive;

static inline bool ib_drive_is_pneumatic(int drive)
{
    return drive <= IB_DRIVE_CYLINDER;
}

// Distribution of the links' masses.
typedef enum ib_QuadrupedInertia {
    IB_INERTIA_CAPSULE,    ///< true capsules
    IB_INERTIA_SRLIB,      ///< capsules as SrLib computes them, which is wrong
    IB_INERTIA_EXPLICIT,   ///< by numbers, as from a drawing
    IB_INERTIA_PRIMITIVES, ///< the coxa of boxes and cylinders, which is not symmetric
} ib_QuadrupedInertia;

typedef struct ib_LegJointConfig {
    ib_LinkageConfig linkage; ///< range and stroke, too
    double damping;           ///< of the joint [N m s/rad]
    double friction;          ///< Coulomb friction of the joint [N m]
    int drive;                ///< 0: as all, else ib_LegDrive + 1
} ib_LegJointConfig;

typedef struct ib_CapsuleConfig {
    double radius, length, density; ///< [m], between the centres of its caps [m], [kg/m^3]
} ib_CapsuleConfig;

// Wheels at (-behind, +-across, -down) of the body's middle, that turn about its y axis.
typedef struct ib_LegWheelsConfig {
    double radius, width, mass;  ///< [m], [m], [kg], > 0
    double behind, across, down; ///< [m]
    double damping, friction;    ///< of the bearing [N m s/rad], [N m]
} ib_LegWheelsConfig;

typedef struct ib_QuadrupedConfig {
    int legs;       ///< ib_QuadrupedLegs
    int base;       ///< ib_QuadrupedBase
    double gravity; ///< [m/s^2]; +infinity: the field's
    double thorax_mass, thorax_radius, thorax_length;
    double along, across, up, tilt;           ///< of the shoulders in the body's frame [m], [rad]
    double a1, d1, a2, a3;                    ///< of a leg [m]
    ib_CapsuleConfig coxa, hip, femur, tibia; ///< hip: the ball at the end of the coxa
    double coxa_centre, femur_centre, tibia_centre; ///< of the capsules, from their joint [m]
    int inertia;                                    ///< ib_QuadrupedInertia
    ib_Link given[IB_LEG_JOINTS];                   ///< coxa, femur, tibia of `explicit`
    ib_LegWheelsConfig wheels;
    ib_TerrainConfig terrain;
    ib_LegJointConfig joints[IB_LEG_JOINTS];
    double stance[IB_LEG_JOINTS];  ///< angles of a leg that stands [rad]
    int drive;                     ///< ib_LegDrive, of all legs without a word of their own
    int drives[IB_QUADRUPED_LEGS]; ///< of each leg, 0: as its joints, else ib_LegDrive + 1
    ib_JointMotorConfig motors;
    double rotor_inertia;       ///< of a motor [kg m^2]
    ib_PowerConfig power;       ///< of motors and compressor
    ib_AirConfig air;           ///< that feeds the cylinders; off: their supply
    ib_CylinderConfig cylinder; ///< of every cylinder, but for its stroke
    ib_FrictionConfig friction;
    ib_ChainConfig supply;
    int friction_in;                                    ///< 0: the cylinder, 1: the joint
    int gas_steps;                                      ///< of the air within a step, 1 ..
    double barrel_mass, rod_mass;                       ///< of a cylinder as two bodies [kg]
    double servo_stiffness, servo_damping, servo_limit; ///< [N m/rad], [N m s/rad], [N m]
    double foot_friction, ground_friction;
    double body_friction; ///< of all parts but the tibias; +infinity: as the foot's
    double contact_time;  ///< time constant of contacts and stops [s]
    double contact_grip;  ///< impedance of contacts, 0 .. 1
    int contact_cone;     ///< of friction, 0: a pyramid, 1: a cone
    double contact_hold;  ///< ratio of friction's stiffness to the contact's, of a cone
    bool contact_self;    ///< its parts touch each other, but for neighbours at a joint

    // Start of the body: x, y, z [m]; heading, pitch, roll [rad]. A z of +infinity: it stands.
    double place[3], attitude[3];
    double angles[IB_QUADRUPED_LEGS][IB_LEG_JOINTS]; ///< +infinity: `pose`
    double pose[IB_LEG_JOINTS];                      ///< +infinity: `stance`
    double cap_pressure, rod_pressure; ///< at the start; +infinity: such that the joint is held
} ib_QuadrupedConfig;

// One joint as the model knows it.
typedef struct ib_LegJointModel {
    int leg, joint;         ///< which one
    int drive;              ///< ib_LegDrive
    int wire;               ///< on which it is driven, for a cylinder perhaps its own length
    int position, speed;    ///< of its angle in the state
    int velocity;           ///< and among MuJoCo's velocities
    int cylinder;           ///< its number in the bank, -1: none
    int motor;              ///< its shaft, -1: none
    int slide, slide_speed; ///< of the rod in the state, -1: none
    int input;
    int signal; ///< the first of its own
    ib_LinkageModel linkage;
    double pivot[2], pin[2]; ///< of its cylinder at angle 0, as ib__quadruped_pins has them [m]
} ib_LegJointModel;

typedef struct ib_QuadrupedModel {
    ib_Rigid rigid;
    ib_BankPart air; ///< its cylinders
    ib_JointMotors motors;
    int joint_count, leg_count;
    ib_LegJointModel joints[IB_QUADRUPED_JOINTS];
    int legs[IB_QUADRUPED_LEGS];  ///< which legs there are, in their order
    int feet[IB_QUADRUPED_LEGS];  ///< geom of each one's tibia
    int sites[IB_QUADRUPED_LEGS]; ///< site of each one's foot
    int leg_signals[IB_QUADRUPED_LEGS];
    int wheel_count;
    int tyres[IB_QUADRUPED_WHEELS]; ///< geom of each wheel
    int wheel_signals[IB_QUADRUPED_WHEELS];
    ib_LegModel leg_model;
    ib_Pose shoulders[IB_QUADRUPED_LEGS];
    double gravity; ///< +infinity: the field's
    double servo_stiffness, servo_damping, servo_limit;
} ib_QuadrupedModel;

// Signals of each joint, those of its cylinder behind it; of each leg and wheel.
enum {
    IB_QUAD_ANGLE,
    IB_QUAD_RATE,
    IB_QUAD_TORQUE,
    IB_QUAD_PLAIN, ///< signals of a joint without a cylinder
    IB_QUAD_STROKE = IB_QUAD_PLAIN,
    IB_QUAD_SWING = IB_QUAD_STROKE + IB_BANK_SIGNALS, ///< of the cylinder about its pivot
};
enum { IB_QUAD_FOOT, IB_QUAD_FOOT_FORCE = 3, IB_QUAD_OF_LEG = 6 }; ///< x, y and z of either
enum { IB_QUAD_WHEEL_ANGLE, IB_QUAD_WHEEL_RATE, IB_QUAD_WHEEL_FORCE, IB_QUAD_OF_WHEEL };

// ------------------------------------------------------------------------------ parts of the whole

ib_Status ib_quadruped_check(const void *config, ib_Error *error);

// Its unlikely values (ib_RobotKind.doubt).
bool ib_quadruped_warn(const void *config, int index, char *text, size_t size);

// The drive of a joint, and whether a leg is there.
int ib_quadruped_drive(const ib_QuadrupedConfig *config, int leg, int joint);
bool ib_quadruped_has(const ib_QuadrupedConfig *config, int leg);

// Coxa, femur and tibia, each in the frame of its joint.
void ib_quadruped_links(const ib_QuadrupedConfig *config, ib_Link links[IB_LEG_JOINTS]);

// The height of the body at which the lowest foot or wheel touches the ground in the start's pose.
double ib_quadruped_stand(const ib_QuadrupedConfig *config);

// The MJCF text of the robot and its ground. NULL without memory.
const char *ib_quadruped_mjcf(const ib_QuadrupedConfig *config, ib_Arena *arena);

ib_Status ib_quadruped_init(const ib_QuadrupedConfig *config, ib_Arena *arena,
                            ib_QuadrupedModel *model, ib_Error *error);
// The air of its cylinders at the start, behind the bodies' state.
void ib_quadruped_fill(const ib_QuadrupedConfig *config, const ib_QuadrupedModel *model,
                       double *state);
ib_Status ib_quadruped_build(const void *config, ib_Build *build, void *model, ib_Error *error);
const ib_Geometry *ib_quadruped_geometry(const ib_QuadrupedConfig *config,
                                         const ib_QuadrupedModel *model, ib_Arena *arena);

// Names of a joint's signals, for code about legs only.
#define IB_NAME_LEG(leg, joint, what) "leg." leg "." joint "." what

extern const ib_RobotKind ib_quadruped_kind;

#endif
