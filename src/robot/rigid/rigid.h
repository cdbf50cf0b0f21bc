// robot/rigid/rigid.h: bodies with joints and contacts, moved by MuJoCo, as the body of a robot.
// docs/world/mujoco.md, docs/architecture.md
//
// It has an integrator of its own. A step begins with the present forces of its parts: MuJoCo moves
// the bodies, and then the parts follow over the same time, with every joint at constant speed
// between its two places. The state is MuJoCo's (world/mujoco.h), behind it the heading, which
// counts turns, then the parts'.
//
// A kind names these steps in its table (.own), compiles its model in `build`, calls ib_rigid_build
// first of all, and declares which of the rows below it shows, and where.
#ifndef IB_ROBOT_RIGID_H
#define IB_ROBOT_RIGID_H

#include "plant/electric/joint_motors.h"
#include "robot/parts.h"
#include "robot/rigid/rigid_text.h"
#include "world/mujoco.h"

// Place of a joint of the wires.
typedef struct ib_RigidJoint {
    int position, speed;      ///< in the state; -1: MuJoCo finds them, being a tendon's
    int velocity;             ///< among MuJoCo's velocities
    int tendon, control;      ///< of MuJoCo; control: takes the force; -1: none
    bool held;                ///< parts add to its
    double damping, friction; ///< own viscous and dry friction
} ib_RigidJoint;

// The rows that it can show.
enum {
    IB_RIGID_POSE,     ///< place and attitude of the body that is pushed
    IB_RIGID_VELOCITY, ///< its velocity, and the rate at which it turns
    IB_RIGID_FELT,     ///< rate of its turn and specific force, in its own frame
    IB_RIGID_CENTRE,   ///< of all mass
    IB_RIGID_GROUND,   ///< fixed objects on the rest
    IB_RIGID_CONTACT,  ///< all contacts
    IB_RIGID_KINETIC,  ///< energy of all bodies
    IB_RIGID_POTENTIAL,
    IB_RIGID_GROUPS,
};
enum { IB_RIGID_HEADING = 3, IB_RIGID_POSES = 6 }; ///< of a pose: x, y, z, heading, pitch, roll

// What a shared world has to know of it (robot/rigid/rigid_group.h).
typedef struct ib_RigidWriter {
    void (*write)(const void *config, int section, ib_RigidText *text); ///< ib_RigidSection
    const void *config;
    bool loose;      ///< no robot: it touches all of its like, and needs little memory
    bool self;       ///< its parts touch each other
    bool cone;       ///< its contacts have friction within a cone,
    double hold;     ///< so much stiffer than the contact
    double friction; ///< its greatest coefficient
    double time;     ///< time constant of its contacts [s]
    double grip;     ///< their impedance, 0 .. 1
} ib_RigidWriter;

typedef struct ib_Rigid {
    const ib_Mujoco *world;
    const char *mjcf; ///< the text that it was made from
    ib_MujocoSizes sizes;
    int body;            ///< the one that is pushed, and whose pose is shown
    ib_MujocoJoint root; ///< its free joint,
    bool free;           ///< if it has one
    int state, heading;  ///< MuJoCo's first, and the one behind them
    double *start;       ///< all of these at t = 0
    double *controls;    ///< of the file's own actuators at t = 0; NULL: parts set all controls,
    int control;         ///< else the first of their inputs
    int joint_count;
    ib_RigidJoint joints[IB_JOINTS_MAX];
    int later_count;
    int later[2 * IB_JOINTS_MAX]; ///< inputs by which nothing is pushed until the next step
    int handed;            ///< sum: work of parts as it was handed to MuJoCo [J]; -1: not kept
    bool rates;            ///< parts of it have rates
    ib_RigidWriter writer; ///< of its text in a world that it shares; zeros: it shares none
    int signal[IB_RIGID_GROUPS];
    // Gravity of the field, tilted floor included.
    void (*gravity)(const void *own, const double *input, double gravity[3]);
} ib_Rigid;

// Its body is the one with this number. False: without memory.
bool ib_rigid_init(const ib_Mujoco *world, const char *mjcf, int body, ib_Arena *arena,
                   ib_Rigid *rigid);
// Takes the first states, and all that is the same for every such robot.
void ib_rigid_build(ib_Rigid *rigid, double resolution, ib_Build *build);
// A joint for the wires; returns its number there.
int ib_rigid_join(ib_Rigid *rigid, ib_RigidJoint joint);
ib_RigidJoint ib_rigid_joint(const ib_Rigid *rigid, const ib_MujocoJoint *joint);

// Shows one group of rows; headlines: of each of its rows, NULL: none.
void ib_rigid_declare(ib_Rigid *rigid, int group, const int *headlines, ib_Declarations *d);
// Battery, motors and air (off: none) with their energies; the error if no other part shows it.
void ib_rigid_declare_power(ib_Rigid *rigid, const ib_PowerConfig *power, const ib_AirConfig *air,
                            ib_JointMotors *motors, bool balance, ib_Build *build);
// Functions for robot/parts.c.
void ib_rigid_begin(const ib_Rigid *rigid, const double *x, ib_Wires *wires);
void ib_rigid_reset(const ib_Rigid *rigid, double *x);

// Entry for the tables of kinds.
extern const ib_ExternalIntegrator ib_rigid_integrator;
const char *ib_rigid_mjcf(const void *config, const void *model, ib_Arena *arena);

#endif
