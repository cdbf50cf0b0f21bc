// world/mujoco_model.h: a compiled model's properties beyond world/mujoco.h, for models that are
// not known beforehand: the tree of its bodies, joints' axes, actuators and first keyframe.
#ifndef IB_WORLD_MUJOCO_MODEL_H
#define IB_WORLD_MUJOCO_MODEL_H

#include "world/mujoco.h"

// The place of a body in its parent before its joints move it.
typedef struct ib_MujocoBody {
    int parent;
    bool fixed;              ///< to the world: no joint above it
    double at[3], turned[4]; ///< quaternion w x y z
} ib_MujocoBody;

ib_MujocoBody ib_mujoco_body(const ib_Mujoco *model, int id);

// A joint's axis and a point on it, in its body's frame; `reference`: its position where the body
// stands as above.
typedef struct ib_MujocoAxis {
    double axis[3], at[3];
    double reference;
} ib_MujocoAxis;

ib_MujocoAxis ib_mujoco_axis(const ib_Mujoco *model, int joint);

typedef enum ib_MujocoDrive {
    IB_MUJOCO_FORCE,    ///< the control is a force or torque
    IB_MUJOCO_POSITION, ///< or a position that is followed
    IB_MUJOCO_SPEED,    ///< or a velocity
    IB_MUJOCO_OTHER,    ///< or a number with a law of its own
} ib_MujocoDrive;

typedef struct ib_MujocoActuator {
    ib_MujocoDrive drive;
    bool turns;   ///< it works on an angle,
    bool slides;  ///< or on a length; neither: on several at once, or in a direction of its own
    bool limited; ///< its control is
    double low, high;
} ib_MujocoActuator;

ib_MujocoActuator ib_mujoco_actuator(const ib_Mujoco *model, int id);

// The forces of all actuators, behind `solve` [N] or [N m].
const double *ib_mujoco_actuator_forces(const ib_MujocoWorkspace *workspace);

// A geom's group: MuJoCo's own viewer shows those up to 2.
int ib_mujoco_geom_group(const ib_Mujoco *model, int id);

bool ib_mujoco_geom_touches(const ib_Mujoco *model, int id);    ///< its masks let something touch
double ib_mujoco_geom_friction(const ib_Mujoco *model, int id); ///< along the surface
int ib_mujoco_mesh_count(const ib_Mujoco *model, int geom);     ///< vertices of a mesh
const float *ib_mujoco_mesh(const ib_Mujoco *model, int geom);  ///< x y z of each, the geom's frame

// Mass of a body, its centre and principal axes in the body's frame, and the moments about these.
typedef struct ib_MujocoInertia {
    double mass, at[3], turned[4], moments[3];
} ib_MujocoInertia;

ib_MujocoInertia ib_mujoco_inertia_of(const ib_Mujoco *model, int body);

// Behind `place`: centres of mass x y z of each body.
const double *ib_mujoco_body_centres(const ib_MujocoWorkspace *workspace);

// Behind `place`: the velocity of a body as that of a free joint: of its origin, in the world's
// axes, and its turn, in its own.
void ib_mujoco_body_velocity(const ib_MujocoWorkspace *workspace, int body, double velocity[6]);

// Behind `solve`: the forces of contacts and limits on each velocity [N] or [N m].
const double *ib_mujoco_constraint_forces(const ib_MujocoWorkspace *workspace);

void ib_mujoco_gravity(const ib_Mujoco *model, double gravity[3]); ///< the file's [m/s^2]

// The file's first keyframe, or as ib_mujoco_start and controls of 0.
void ib_mujoco_key(const ib_Mujoco *model, double *state, double *controls);

size_t ib_mujoco_memory(const ib_Mujoco *model); ///< memory to make a workspace of it [bytes]
/// memory that a workspace keeps: the matrix of the dual problem only for dual solvers [bytes]
size_t ib_mujoco_memory_kept(const ib_Mujoco *model);

#endif
