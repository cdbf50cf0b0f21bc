// world/mujoco_model.c: questions about a model whose answers stand in MuJoCo's arrays.
#include "world/mujoco_model.h"

#include "base/quaternion.h"
#include "world/mujoco_inside.h"

#include <math.h>
#include <string.h>

ib_MujocoBody ib_mujoco_body(const ib_Mujoco *model, int id)
{
    const mjModel *m = model->model;
    ib_MujocoBody body = {.parent = m->body_parentid[id], .fixed = m->body_weldid[id] == 0};
    memcpy(body.at, m->body_pos + 3 * id, sizeof body.at);
    memcpy(body.turned, m->body_quat + 4 * id, sizeof body.turned);
    return body;
}

ib_MujocoAxis ib_mujoco_axis(const ib_Mujoco *model, int joint)
{
    const mjModel *m = model->model;
    ib_MujocoAxis axis = {.reference = m->qpos0[m->jnt_qposadr[joint]]};
    memcpy(axis.axis, m->jnt_axis + 3 * joint, sizeof axis.axis);
    memcpy(axis.at, m->jnt_pos + 3 * joint, sizeof axis.at);
    return axis;
}

// An actuator's force is  gain control + b0 + b1 length + b2 velocity,  where gain and b are
// constants. A servo's gain is the negative of b1 or b2.
static ib_MujocoDrive drive_of(const mjModel *m, int id)
{
    const double *gain = m->actuator_gainprm + mjNGAIN * id;
    const double *bias = m->actuator_biasprm + mjNBIAS * id;
    bool affine = m->actuator_biastype[id] == mjBIAS_AFFINE;
    if (m->actuator_gaintype[id] != mjGAIN_FIXED || m->actuator_dyntype[id] != mjDYN_NONE)
        return IB_MUJOCO_OTHER;
    if (m->actuator_biastype[id] == mjBIAS_NONE)
        return gain[0] == 1 ? IB_MUJOCO_FORCE : IB_MUJOCO_OTHER;
    if (affine && gain[0] > 0 && bias[0] == 0 && bias[1] == -gain[0]) return IB_MUJOCO_POSITION;
    if (affine && gain[0] > 0 && bias[0] == 0 && bias[1] == 0 && bias[2] == -gain[0])
        return IB_MUJOCO_SPEED;
    return IB_MUJOCO_OTHER;
}

ib_MujocoActuator ib_mujoco_actuator(const ib_Mujoco *model, int id)
{
    const mjModel *m = model->model;
    int type = m->actuator_trntype[id], what = m->actuator_trnid[2 * id];
    bool joint = type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT;
    bool simple = joint && m->jnt_type[what] >= mjJNT_SLIDE;
    bool path = type == mjTRN_TENDON && m->wrap_type[m->tendon_adr[what]] != mjWRAP_JOINT;
    ib_MujocoActuator actuator = {
        .drive = drive_of(m, id),
        .turns = simple && m->jnt_type[what] == mjJNT_HINGE,
        .slides = (simple && m->jnt_type[what] == mjJNT_SLIDE) || path || type == mjTRN_SLIDERCRANK,
        .limited = m->actuator_ctrllimited[id],
        .low = m->actuator_ctrlrange[2 * id],
        .high = m->actuator_ctrlrange[2 * id + 1],
    };
    // Without a joint of either kind, its gear decides the direction and the unit.
    if (!actuator.turns && !actuator.slides) actuator.drive = IB_MUJOCO_OTHER;
    return actuator;
}

const double *ib_mujoco_actuator_forces(const ib_MujocoWorkspace *workspace)
{
    return workspace->data->actuator_force;
}

int ib_mujoco_geom_group(const ib_Mujoco *model, int id)
{
    return model->model->geom_group[id];
}

bool ib_mujoco_geom_touches(const ib_Mujoco *model, int id)
{
    return model->model->geom_contype[id] != 0 || model->model->geom_conaffinity[id] != 0;
}

double ib_mujoco_geom_friction(const ib_Mujoco *model, int id)
{
    return model->model->geom_friction[3 * id];
}

int ib_mujoco_mesh_count(const ib_Mujoco *model, int geom)
{
    return model->model->mesh_vertnum[model->model->geom_dataid[geom]];
}

const float *ib_mujoco_mesh(const ib_Mujoco *model, int geom)
{
    const mjModel *m = model->model;
    return m->mesh_vert + 3 * (ptrdiff_t)m->mesh_vertadr[m->geom_dataid[geom]];
}

ib_MujocoInertia ib_mujoco_inertia_of(const ib_Mujoco *model, int body)
{
    const mjModel *m = model->model;
    ib_MujocoInertia inertia = {.mass = m->body_mass[body]};
    memcpy(inertia.at, m->body_ipos + 3 * body, sizeof inertia.at);
    memcpy(inertia.turned, m->body_iquat + 4 * body, sizeof inertia.turned);
    memcpy(inertia.moments, m->body_inertia + 3 * body, sizeof inertia.moments);
    return inertia;
}

const double *ib_mujoco_body_centres(const ib_MujocoWorkspace *workspace)
{
    return workspace->data->xipos + (ptrdiff_t)3 * workspace->share.bodies;
}

// MuJoCo keeps the velocity of the point of each body that is at the centre of mass of its tree:
//   v = v_c + w x (x - c)
void ib_mujoco_body_velocity(const ib_MujocoWorkspace *workspace, int body, double velocity[6])
{
    const mjData *d = workspace->data;
    int id = body + workspace->share.bodies;
    const double *w = d->cvel + 6 * (ptrdiff_t)id, *at = d->xpos + 3 * (ptrdiff_t)id;
    const double *c = d->subtree_com + 3 * (ptrdiff_t)workspace->model.body_rootid[id];
    const double r[3] = {at[0] - c[0], at[1] - c[1], at[2] - c[2]};
    velocity[0] = w[3] + w[1] * r[2] - w[2] * r[1];
    velocity[1] = w[4] + w[2] * r[0] - w[0] * r[2];
    velocity[2] = w[5] + w[0] * r[1] - w[1] * r[0];
    ib_quaternion_into(d->xquat + 4 * (ptrdiff_t)id, w, velocity + 3);
}

const double *ib_mujoco_constraint_forces(const ib_MujocoWorkspace *workspace)
{
    return workspace->data->qfrc_constraint + workspace->share.velocities;
}

void ib_mujoco_gravity(const ib_Mujoco *model, double gravity[3])
{
    memcpy(gravity, model->model->opt.gravity, 3 * sizeof *gravity);
}

void ib_mujoco_key(const ib_Mujoco *model, double *state, double *controls)
{
    const mjModel *m = model->model;
    const ib_MujocoSizes *n = &model->sizes;
    size_t q = (size_t)n->positions, v = (size_t)n->velocities, a = (size_t)n->activations;
    ib_mujoco_start(model, state);
    for (int i = 0; i < n->controls; i++) controls[i] = 0;
    if (m->nkey == 0) return;
    memcpy(state, m->key_qpos, q * sizeof *state);
    memcpy(state + q, m->key_qvel, v * sizeof *state);
    if (a > 0) memcpy(state + q + v, m->key_act, a * sizeof *state);
    if (n->controls > 0) memcpy(controls, m->key_ctrl, (size_t)n->controls * sizeof *controls);
}

// The stack, the constraints' Jacobian with its transpose, contacts and matrices; the rest is small
// beside them.
size_t ib_mujoco_memory(const ib_Mujoco *model)
{
    const mjModel *m = model->model;
    size_t v = (size_t)m->nv, rows = (size_t)m->njmax;
    return sizeof(double) * ((size_t)m->nstack + 2 * rows * v + rows * rows + 2 * v * v) +
           (size_t)m->nconmax * sizeof(mjContact);
}

size_t ib_mujoco_memory_kept(const ib_Mujoco *model)
{
    const mjModel *m = model->model;
    size_t all = ib_mujoco_memory(model),
           dual = sizeof(double) * (size_t)m->njmax * (size_t)m->njmax;
    bool used = m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0;
    return used ? all : all - dual;
}
