// robot/mjcf/mjcf.h: a robot described by an MJCF or URDF file, moved by MuJoCo. Its joints,
// actuators and bodies follow from the file. docs/world/mujoco.md
#ifndef IB_ROBOT_MJCF_H
#define IB_ROBOT_MJCF_H

#include "robot/rigid/rigid.h"
#include "world/mjcf.h"

enum { IB_MJCF_STARTS = 64 }; ///< joints that `start.joints` may name

// Start of a joint; +infinity: as in the file.
typedef struct ib_MjcfStart {
    char name[IB_NAME_LENGTH + 1];
    double angle, position; ///< [rad] of a hinge, [m] of a slide
    double velocity, speed; ///< [rad/s], [m/s]
} ib_MjcfStart;

// Motors on the battery that turn a hinge.
typedef struct ib_MjcfMotors {
    char name[IB_NAME_LENGTH + 1];
    ib_JointMotorConfig own;
    double rotor_inertia; ///< of the data sheet; the file's `armature` counts [kg m^2]
} ib_MjcfMotors;

typedef struct ib_MjcfConfig {
    ib_FileText model;            ///< none: a pendulum, which stands in for it
    int base;                     ///< ib_UrdfBase, of a URDF
    int gravity;                  ///< 0: the file's, 1: the field's
    double place[3], attitude[3]; ///< start of the first free body [m], [rad]; +infinity: the file
    int start_count;
    ib_MjcfStart starts[IB_MJCF_STARTS];
    int motor_count; ///< 0: no battery
    ib_MjcfMotors motors[IB_JOINTS_MAX];
    ib_PowerConfig power;
} ib_MjcfConfig;

typedef struct ib_MjcfJoint {
    const char *name; ///< as signals have it: [a-z0-9_]
    ib_MujocoMotion motion;
    int body;
    int position, speed; ///< where it begins in the state
    int signal;          ///< its first; of the first free body: none
} ib_MjcfJoint;

typedef struct ib_MjcfModel {
    ib_Rigid rigid;
    ib_JointMotors motors;
    const char *assumed;    ///< of the file, with its key; NULL: nothing
    ib_MjcfJoint *joints;   ///< rigid.sizes.joints of them
    int free;               ///< the first joint that is free; -1: none is
    const char **actuators; ///< names as signals have them, rigid.sizes.controls of them
    int actuator_signal;    ///< the first one's force
    bool field_gravity;
    double gravity[3]; ///< the file's
} ib_MjcfModel;

ib_Status ib_mjcf_init(const ib_MjcfConfig *config, ib_Arena *arena, ib_MjcfModel *model,
                       ib_Error *error);
ib_Status ib_mjcf_build(const void *config, ib_Build *build, void *model, ib_Error *error);
const ib_Geometry *ib_mjcf_geometry(const ib_MjcfModel *model, ib_Arena *arena);

extern const ib_RobotKind ib_mjcf_kind;

#endif
