// robot/mjcf/mjcf.h: a robot that an MJCF or URDF file describes, moved by MuJoCo. What it has
// (joints, actuators, bodies) follows from the file. docs/mujoco.md
//
// The state is MuJoCo's (world/mujoco.h), and behind it the heading of the first free body, which
// counts turns.
#ifndef IB_ROBOT_MJCF_H
#define IB_ROBOT_MJCF_H

#include "robot/kind.h"
#include "world/mjcf.h"
#include "world/mujoco.h"

enum { IB_MJCF_STARTS = 64 }; ///< joints that `start.joints` may name

// Where a joint begins; +infinity: as the file says.
typedef struct ib_MjcfStart {
    char name[IB_NAME_LENGTH + 1];
    double angle, position; ///< [rad] of a hinge, [m] of a slide
    double velocity, speed; ///< [rad/s], [m/s]
} ib_MjcfStart;

typedef struct ib_MjcfConfig {
    ib_FileText model;            ///< none: a pendulum, which stands in for it
    int base;                     ///< ib_UrdfBase, of a URDF
    int gravity;                  ///< 0: the file's, 1: the field's
    double place[3], attitude[3]; ///< start of the first free body [m], [rad]; +infinity: the file
    int start_count;
    ib_MjcfStart starts[IB_MJCF_STARTS];
} ib_MjcfConfig;

typedef struct ib_MjcfJoint {
    const char *name; ///< as signals have it: [a-z0-9_]
    ib_MujocoMotion motion;
    int body;
    int position, speed; ///< where it begins in the state
    int signal;          ///< its first
} ib_MjcfJoint;

typedef struct ib_MjcfModel {
    const ib_Mujoco *world;
    const char *mjcf;
    const char *assumed; ///< of the file, with its key; NULL: nothing
    ib_MujocoSizes sizes;
    ib_MjcfJoint *joints;                 ///< sizes.joints of them
    int free;                             ///< the first joint that is free; -1: none is
    const char **actuators;               ///< names as signals have them, sizes.controls of them
    double *controls;                     ///< at the start, one an actuator
    double *start;                        ///< the state at the start
    int actuator_signal, velocity_signal; ///< the first of each
    int state_count, signal_count;
    bool field_gravity;
    double gravity[3]; ///< the file's
} ib_MjcfModel;

// Signals of the whole, of a free body, of its velocity and of a joint (mjcf_ports.c).
enum {
    IB_MJCF_COM_X,
    IB_MJCF_COM_Y,
    IB_MJCF_COM_Z,
    IB_MJCF_GROUND,   ///< force of all that stands still, upwards
    IB_MJCF_TOUCHING, ///< contacts that push
    IB_MJCF_CONTACT,  ///< sum of all contact forces
    IB_MJCF_KINETIC,
    IB_MJCF_POTENTIAL,
    IB_MJCF_OF_ALL,
};
enum {
    IB_MJCF_X,
    IB_MJCF_Y,
    IB_MJCF_Z,
    IB_MJCF_HEADING,
    IB_MJCF_PITCH,
    IB_MJCF_ROLL,
    IB_MJCF_OF_FREE,
};
enum { IB_MJCF_VX, IB_MJCF_VY, IB_MJCF_VZ, IB_MJCF_YAW_RATE, IB_MJCF_OF_MOTION };

ib_Status ib_mjcf_init(const ib_MjcfConfig *config, ib_Arena *arena, ib_MjcfModel *model,
                       ib_Error *error);
ib_Status ib_mjcf_ports(ib_MjcfModel *model, ib_Arena *arena, ib_RobotPorts *ports,
                        ib_Error *error);
const ib_Geometry *ib_mjcf_look(const ib_MjcfModel *model, ib_Arena *arena);

// Memory of one simulation: MuJoCo's, and what it was last asked about.
typedef struct ib_MjcfRoom ib_MjcfRoom;
ib_MjcfRoom *ib_mjcf_room(const ib_MjcfModel *model, ib_Arena *arena);

ib_Status ib_mjcf_advance(const ib_MjcfModel *model, ib_MjcfRoom *room, const double *state,
                          const double *input, double h, double *next, ib_Error *error);
void ib_mjcf_output(const ib_MjcfModel *model, ib_MjcfRoom *room, const double *state,
                    const double *input, double *signals);

extern const ib_RobotKind ib_mjcf_kind;

#endif
