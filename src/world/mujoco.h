// world/mujoco.h: rigid bodies with joints and contacts, moved by MuJoCo 2.2.2: the integrator of
// the file, semi-implicit Euler of most, soft contacts, Newton's method. docs/world/mujoco.md
//
// A model is compiled once, never changes and is shared by threads. A simulation has a room: all
// that MuJoCo computes on the way, made anew from the state of each step. The state is
//
//   positions (nq) | velocities (nv) | activations (na) | accelerations to start the search (nv)
//
// Only world/mujoco*.c know MuJoCo's header, and the library is opened when the first model is
// compiled: a program that moves no legs does not load it.
#ifndef IB_WORLD_MUJOCO_H
#define IB_WORLD_MUJOCO_H

#include "base/arena.h"
#include "base/status.h"

#include <signal.h>
#include <stdbool.h>

typedef struct ib_Mujoco ib_Mujoco;
typedef struct ib_MujocoWorkspace ib_MujocoWorkspace;

// A model from the text of an MJCF or URDF file; `name` is its name in messages. Meshes and other
// files that it refers to are missing. The model is freed with the arena.
ib_Status ib_mujoco_compile(const char *name, const char *text, size_t length, ib_Arena *arena,
                            const ib_Mujoco **result, ib_Error *error);

// Calls of MuJoCo that work for seconds end as failures, with IB_INTERRUPTED soon after this flag
// is set. One flag for the whole process; NULL: none.
void ib_mujoco_heed(const volatile sig_atomic_t *stop);

// Lets a child process read later models first, so that a model that crashes MuJoCo is refused; it
// takes a few milliseconds more. For the whole process.
void ib_mujoco_try_apart(bool wanted);

// ----------------------------------------------------------------------------- contents of a model

typedef struct ib_MujocoSizes {
    int states;                             ///< of all arrays of the state together
    int positions, velocities, activations; ///< nq, nv, na
    int controls, bodies, joints, geoms, sites, tendons;
} ib_MujocoSizes;

ib_MujocoSizes ib_mujoco_sizes(const ib_Mujoco *model);

typedef enum ib_MujocoNoun {
    IB_MUJOCO_BODY,
    IB_MUJOCO_JOINT,
    IB_MUJOCO_GEOM,
    IB_MUJOCO_SITE,
    IB_MUJOCO_TENDON,
    IB_MUJOCO_CONTROL,
    IB_MUJOCO_NOUNS
} ib_MujocoNoun;

int ib_mujoco_find(const ib_Mujoco *model, ib_MujocoNoun noun, const char *name); ///< -1: none
const char *ib_mujoco_name(const ib_Mujoco *model, ib_MujocoNoun noun, int id);   ///< "": none

typedef enum ib_MujocoMotion {
    IB_MUJOCO_FREE,  ///< 7 positions (place, quaternion w x y z), 6 velocities
    IB_MUJOCO_BALL,  ///< 4 and 3
    IB_MUJOCO_SLIDE, ///< 1 and 1 [m]
    IB_MUJOCO_HINGE, ///< 1 and 1 [rad]
} ib_MujocoMotion;

typedef struct ib_MujocoJoint {
    ib_MujocoMotion motion;
    int body;
    int position, velocity; ///< where it begins among positions and velocities
    bool limited;
    double low, high; ///< [rad] or [m]
    double damping, friction;
} ib_MujocoJoint;

ib_MujocoJoint ib_mujoco_joint(const ib_Mujoco *model, int id);

double ib_mujoco_mass(const ib_Mujoco *model);              ///< of all bodies [kg]
double ib_mujoco_body_mass(const ib_Mujoco *model, int id); ///< [kg]
int ib_mujoco_body_parent(const ib_Mujoco *model, int id);
int ib_mujoco_geom_body(const ib_Mujoco *model, int id);

typedef enum ib_MujocoShape {
    IB_MUJOCO_PLANE,
    IB_MUJOCO_HEIGHTS,
    IB_MUJOCO_SPHERE,
    IB_MUJOCO_CAPSULE,
    IB_MUJOCO_ELLIPSOID,
    IB_MUJOCO_CYLINDER,
    IB_MUJOCO_BOX,
    IB_MUJOCO_MESH
} ib_MujocoShape;

typedef struct ib_MujocoGeom {
    ib_MujocoShape shape;
    int body;
    double size[3];          ///< as MJCF's size: radius, half length; half edges
    double at[3], turned[4]; ///< in its body's frame; quaternion w x y z
    float colour[4];
} ib_MujocoGeom;

ib_MujocoGeom ib_mujoco_geom(const ib_Mujoco *model, int id);

// The state in which a model begins: the file's first pose, at rest.
void ib_mujoco_start(const ib_Mujoco *model, double *state);

// ------------------------------------------------------------------------------------------ a step

// Memory for one simulation, given back with the arena; NULL: there is none left.
ib_MujocoWorkspace *ib_mujoco_workspace(const ib_Mujoco *model, ib_Arena *arena);

// One model of several robots has the bodies, joints … of each in one piece. A share is a window on
// one of them, in which all that is asked and set below has the numbers of a model of that robot
// alone: number i of a noun is i and its field below in the whole. `place`, `solve` and the like
// are for the whole.
typedef struct ib_MujocoShare {
    int root, last;                                 ///< its bodies, in the whole
    int bodies, velocities, positions, activations; ///< numbers of the whole less its
    int geoms, sites, tendons, controls;            ///< own
    int velocity_count;
} ib_MujocoShare;

ib_MujocoWorkspace *ib_mujoco_share(ib_MujocoWorkspace *whole, const ib_MujocoShare *share,
                                    ib_Arena *arena);

// Names the whole's model, and the gravity by which the share's potential energy counts [m/s^2],
// before anything is set in it.
void ib_mujoco_share_begin(const ib_Mujoco *model, const double gravity[3],
                           ib_MujocoWorkspace *share);

// True if a workspace of one suits the other: all their arrays are equally long.
bool ib_mujoco_compatible(const ib_Mujoco *a, const ib_Mujoco *b);

// A step has three parts, between which the caller sets forces; `gravity` is a vector [m/s^2].
//   place   bodies, contacts and velocities, as the state says
//   solve   accelerations and contact forces, under the forces that were set
//   finish  the state h seconds later
// Observers call the first one or two; neither depends on the step's length. A placed state is not
// placed again.
ib_Status ib_mujoco_place(const ib_Mujoco *model, ib_MujocoWorkspace *workspace,
                          const double *state, const double gravity[3], ib_Error *error);
ib_Status ib_mujoco_solve(const ib_Mujoco *model, ib_MujocoWorkspace *workspace, ib_Error *error);
ib_Status ib_mujoco_finish(const ib_Mujoco *model, ib_MujocoWorkspace *workspace, double h,
                           double *next, ib_Error *error);

// Replaces the file's friction of one velocity from the next `place` of another state on: viscous
// [N s/m] or [N m s/rad], dry [N] or [N m]. Call it before each `place`, as a workspace may serve
// several models.
void ib_mujoco_hold(const ib_Mujoco *model, ib_MujocoWorkspace *workspace, int velocity,
                    double damping, double loss);

// The time constant of MuJoCo's contacts is at least two steps of the file's own length [s], for
// any h; in the later stages of RK4 two of h.
double ib_mujoco_timestep(const ib_Mujoco *model);

// Bodies and tendons alone, for their places and lengths in another state.
ib_Status ib_mujoco_follow(const ib_Mujoco *model, ib_MujocoWorkspace *workspace,
                           const double *state, ib_Error *error);

// Forces to set before `solve`: zero behind `place`.
double *ib_mujoco_controls(ib_MujocoWorkspace *workspace); ///< one for each control
double *ib_mujoco_forces(ib_MujocoWorkspace *workspace);   ///< on each velocity [N] or [N m]
double *ib_mujoco_pushes(
    ib_MujocoWorkspace *workspace); ///< on each body's centre of mass, 6: force, torque

// ---------------------------------------------------------------------------------- present values

// Behind `place`, x y z or w x y z of each, in the world's frame.
const double *ib_mujoco_body_places(const ib_MujocoWorkspace *workspace);
const double *ib_mujoco_body_turns(const ib_MujocoWorkspace *workspace);
const double *ib_mujoco_site_places(const ib_MujocoWorkspace *workspace);
const double *ib_mujoco_centre(const ib_MujocoWorkspace *workspace); ///< of all its mass
const double *ib_mujoco_tendon_lengths(const ib_MujocoWorkspace *workspace);
const double *ib_mujoco_tendon_speeds(const ib_MujocoWorkspace *workspace);

// Energies of all bodies [J]; the potential one is zero for a centre at z = 0.
void ib_mujoco_energy(const ib_Mujoco *model, ib_MujocoWorkspace *workspace, double *potential,
                      double *kinetic);

// The inertia that each velocity feels with all others free to follow is 1/(M^-1)_ii; with all
// others held it is M_ii. Fills the whole matrix, nv x nv.
void ib_mujoco_inertia(const ib_Mujoco *model, const ib_MujocoWorkspace *workspace, double *matrix);

// Behind `solve`.
const double *ib_mujoco_accelerations(const ib_MujocoWorkspace *workspace);

typedef struct ib_MujocoContact {
    int geom[2], body[2]; ///< -1: of another share
    bool own;             ///< one of them is a moving body of this share; of no share: true
    double at[3];         ///< [m], the world's frame, as all below
    double normal[3];     ///< from the first geom to the second
    double force[3];      ///< on the second geom [N]
    double gap;           ///< negative: they overlap [m]
} ib_MujocoContact;

int ib_mujoco_contact_count(const ib_MujocoWorkspace *workspace);
ib_MujocoContact ib_mujoco_contact(const ib_Mujoco *model, const ib_MujocoWorkspace *workspace,
                                   int index);

#endif
