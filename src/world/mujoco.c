// world/mujoco.c: the one file that calls MuJoCo's functions, of world/mujoco_library.h;
// world/mujoco_model.c looks at its arrays.
#include "base/child_process.h"
#include "world/mujoco_inside.h"
#include "world/mujoco_library.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_TEXT = 64000000 }; ///< bytes of a model's file

// ------------------------------------------------------------------------------------------ models

static void end_model(void *model)
{
    ib__mujoco.mj_deleteModel(model);
}

// The file system in memory that holds the text is 2 MB, too large for a stack.
static mjVFS *open_text(const char *text, size_t length)
{
    static const char file[] = "model.xml";
    mjVFS *vfs = malloc(sizeof *vfs);
    if (!vfs) return NULL;
    ib__mujoco.mj_defaultVFS(vfs);
    if (ib__mujoco.mj_makeEmptyFileVFS(vfs, file, (int)length) != 0) {
        free(vfs);
        return NULL;
    }
    memcpy(vfs->filedata[ib__mujoco.mj_findFileVFS(vfs, file)], text, length);
    return vfs;
}

// MuJoCo's reading of a text: a model, or its message.
typedef struct Reading {
    const mjVFS *vfs;
    mjModel *model;
    char said[512];
    bool late;
} Reading;

static void read_model(Reading *reading)
{
    ib__MujocoGuard here = {.text = ""};
    ib__mujoco_guard = &here;
    if (setjmp(here.leave) == 0)
        reading->model =
            ib__mujoco.mj_loadXML("model.xml", reading->vfs, reading->said, sizeof reading->said);
    else
        snprintf(reading->said, sizeof reading->said, "%s", here.text);
    ib__mujoco_guard = NULL;
    reading->late = here.late;
}

// The result does not matter: if the child survives, the parent reads again.
static ib_Status try_reading(void *self, ib_Error *error)
{
    (void)error;
    read_model(self);
    return IB_OK;
}

static atomic_bool apart; ///< models are read in a child process first

void ib_mujoco_try_apart(bool wanted)
{
    atomic_store(&apart, wanted);
}

static ib_Status load(const char *text, size_t length, Reading *reading, ib_Error *error)
{
    enum { SECONDS = 10 }; // of processor time for a child
    // MuJoCo keeps the last file that it has read, for all threads.
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    mjVFS *vfs = open_text(text, length);
    if (!vfs) return ib_error_set(error, IB_FAILED, "out of memory for a model");
    *reading = (Reading){.vfs = vfs};
    ib_Error why = {0};
    pthread_mutex_lock(&one_at_a_time);
    ib_Status status = IB_OK;
    if (atomic_load(&apart))
        status = ib_child_process(try_reading, reading, SECONDS, ib__mujoco_stop(), &why);
    if (status == IB_OK) read_model(reading);
    ib__mujoco.mj_deleteVFS(vfs);
    pthread_mutex_unlock(&one_at_a_time);
    free(vfs);
    if (status == IB_OK) return IB_OK;
    return ib_error_set(error, status, "MuJoCo read it in a process of its own: %s", why.text);
}

ib_Status ib_mujoco_compile(const char *name, const char *text, size_t length, ib_Arena *arena,
                            const ib_Mujoco **result, ib_Error *error)
{
    Reading reading;
    ib_Status status = ib__mujoco_open(error);
    if (status != IB_OK) return status;
    if (length == 0 || length > MOST_TEXT)
        return ib_error_set(error, IB_BAD_INPUT,
                            "%s: expected 1 byte to %d MB of MJCF, got %zu bytes", name,
                            MOST_TEXT / 1000000, length);
    status = load(text, length, &reading, error);
    if (status != IB_OK) return status;
    mjModel *loaded = reading.model;
    if (!loaded && reading.late) return ib__mujoco_late("a model", IB_BAD_INPUT, error);
    if (!loaded) {
        for (char *c = reading.said; *c; c++) // a sentence of one line
            if (*c == '\n' || *c == '\r') *c = ' ';
        return ib_error_set(error, IB_BAD_INPUT, "%s: %s", name, reading.said);
    }
    if (!ib_arena_at_end(arena, end_model, loaded))
        return ib_error_set(error, IB_FAILED, "out of memory for %s", name);
    ib_Mujoco *m = ib_arena_alloc(arena, sizeof *m);
    if (!m) return ib_error_set(error, IB_FAILED, "out of memory for %s", name);
    m->model = loaded;
    m->sizes = (ib_MujocoSizes){
        .states = loaded->nq + 2 * loaded->nv + loaded->na,
        .positions = loaded->nq,
        .velocities = loaded->nv,
        .activations = loaded->na,
        .controls = loaded->nu,
        .bodies = loaded->nbody,
        .joints = loaded->njnt,
        .geoms = loaded->ngeom,
        .sites = loaded->nsite,
        .tendons = loaded->ntendon,
    };
    *result = m;
    return IB_OK;
}

ib_MujocoSizes ib_mujoco_sizes(const ib_Mujoco *model)
{
    return model->sizes;
}

static const int nouns[IB_MUJOCO_NOUNS] = {
    [IB_MUJOCO_BODY] = mjOBJ_BODY,     [IB_MUJOCO_JOINT] = mjOBJ_JOINT,
    [IB_MUJOCO_GEOM] = mjOBJ_GEOM,     [IB_MUJOCO_SITE] = mjOBJ_SITE,
    [IB_MUJOCO_TENDON] = mjOBJ_TENDON, [IB_MUJOCO_CONTROL] = mjOBJ_ACTUATOR,
};

int ib_mujoco_find(const ib_Mujoco *model, ib_MujocoNoun noun, const char *name)
{
    return ib__mujoco.mj_name2id(model->model, nouns[noun], name);
}

const char *ib_mujoco_name(const ib_Mujoco *model, ib_MujocoNoun noun, int id)
{
    const char *name = ib__mujoco.mj_id2name(model->model, nouns[noun], id);
    return name ? name : "";
}

ib_MujocoJoint ib_mujoco_joint(const ib_Mujoco *model, int id)
{
    static const ib_MujocoMotion motions[] = {[mjJNT_FREE] = IB_MUJOCO_FREE,
                                              [mjJNT_BALL] = IB_MUJOCO_BALL,
                                              [mjJNT_SLIDE] = IB_MUJOCO_SLIDE,
                                              [mjJNT_HINGE] = IB_MUJOCO_HINGE};
    const mjModel *m = model->model;
    return (ib_MujocoJoint){
        .motion = motions[m->jnt_type[id]],
        .body = m->jnt_bodyid[id],
        .position = m->jnt_qposadr[id],
        .velocity = m->jnt_dofadr[id],
        .limited = m->jnt_limited[id],
        .low = m->jnt_range[2 * id],
        .high = m->jnt_range[2 * id + 1],
        .damping = m->dof_damping[m->jnt_dofadr[id]],
        .friction = m->dof_frictionloss[m->jnt_dofadr[id]],
    };
}

double ib_mujoco_mass(const ib_Mujoco *model)
{
    return ib__mujoco.mj_getTotalmass(model->model);
}

double ib_mujoco_body_mass(const ib_Mujoco *model, int id)
{
    return model->model->body_mass[id];
}

int ib_mujoco_body_parent(const ib_Mujoco *model, int id)
{
    return model->model->body_parentid[id];
}

int ib_mujoco_geom_body(const ib_Mujoco *model, int id)
{
    return model->model->geom_bodyid[id];
}

ib_MujocoGeom ib_mujoco_geom(const ib_Mujoco *model, int id)
{
    static const ib_MujocoShape shapes[] = {[mjGEOM_PLANE] = IB_MUJOCO_PLANE,
                                            [mjGEOM_HFIELD] = IB_MUJOCO_HEIGHTS,
                                            [mjGEOM_SPHERE] = IB_MUJOCO_SPHERE,
                                            [mjGEOM_CAPSULE] = IB_MUJOCO_CAPSULE,
                                            [mjGEOM_ELLIPSOID] = IB_MUJOCO_ELLIPSOID,
                                            [mjGEOM_CYLINDER] = IB_MUJOCO_CYLINDER,
                                            [mjGEOM_BOX] = IB_MUJOCO_BOX,
                                            [mjGEOM_MESH] = IB_MUJOCO_MESH};
    const mjModel *m = model->model;
    ib_MujocoGeom geom = {.shape = shapes[m->geom_type[id]], .body = m->geom_bodyid[id]};
    memcpy(geom.size, m->geom_size + 3 * id, sizeof geom.size);
    memcpy(geom.at, m->geom_pos + 3 * id, sizeof geom.at);
    memcpy(geom.turned, m->geom_quat + 4 * id, sizeof geom.turned);
    memcpy(geom.colour, m->geom_rgba + 4 * id, sizeof geom.colour);
    return geom;
}

void ib_mujoco_start(const ib_Mujoco *model, double *state)
{
    memset(state, 0, (size_t)model->sizes.states * sizeof *state);
    memcpy(state, model->model->qpos0, (size_t)model->sizes.positions * sizeof *state);
}

double ib_mujoco_timestep(const ib_Mujoco *model)
{
    return model->model->opt.timestep;
}

// ------------------------------------------------------------------------------------------- rooms

static void end_data(void *data)
{
    ib__mujoco.mj_deleteData(data);
}

// Gives whole pages of zeros back to the system, which makes them anew on a write.
static void release_zeros(void *begin, size_t size)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)begin + page - 1) / page * page;
    uintptr_t last = ((uintptr_t)begin + size) / page * page;
    if (last > first) madvise((void *)first, last - first, MADV_DONTNEED);
}

// MuJoCo has written zeros into all of it. Most of that are the njmax^2 numbers of the dual
// problem, which only its solver PGS and noslip use: 4.3 of 4.8 MB of a quadruped.
static void release_dual(const mjModel *model, mjData *data)
{
    size_t numbers = (size_t)model->njmax * (size_t)model->njmax;
    release_zeros(data->efc_AR, numbers * sizeof *data->efc_AR);
    release_zeros(data->efc_AR_colind, numbers * sizeof *data->efc_AR_colind);
}

ib_MujocoWorkspace *ib_mujoco_workspace(const ib_Mujoco *model, ib_Arena *arena)
{
    ib_MujocoWorkspace *workspace = ib_arena_alloc(arena, sizeof *workspace);
    if (!workspace) return NULL;
    workspace->placed =
        ib_arena_array(arena, (size_t)model->sizes.states, sizeof *workspace->placed);
    workspace->damping =
        ib_arena_array(arena, (size_t)model->sizes.velocities, sizeof *workspace->damping);
    workspace->loss =
        ib_arena_array(arena, (size_t)model->sizes.velocities, sizeof *workspace->loss);
    if (!workspace->placed || !workspace->damping || !workspace->loss) return NULL;
    ib__MujocoGuard here = {.text = ""};
    ib__mujoco_guard = &here;
    if (setjmp(here.leave) == 0) workspace->data = ib__mujoco.mj_makeData(model->model);
    ib__mujoco_guard = NULL;
    if (!workspace->data || !ib_arena_at_end(arena, end_data, workspace->data)) return NULL;
    release_dual(model->model, workspace->data);
    return workspace;
}

// The sizes stand at the beginning of the struct, up to the options.
ib_MujocoWorkspace *ib_mujoco_share(ib_MujocoWorkspace *whole, const ib_MujocoShare *share,
                                    ib_Arena *arena)
{
    ib_MujocoWorkspace *window = ib_arena_alloc(arena, sizeof *window);
    if (!window) return NULL;
    window->data = whole->data;
    window->whole = whole;
    window->share = *share;
    return window;
}

void ib_mujoco_share_begin(const ib_Mujoco *model, const double gravity[3],
                           ib_MujocoWorkspace *share)
{
    share->of = model;
    memcpy(share->gravity, gravity, sizeof share->gravity);
}

bool ib_mujoco_compatible(const ib_Mujoco *a, const ib_Mujoco *b)
{
    return memcmp(a->model, b->model, offsetof(mjModel, opt)) == 0;
}

// Reports MuJoCo's warnings since the workspace was placed as an error: MuJoCo goes on with other
// numbers than given, or with fewer contacts.
static ib_Status check_warnings(ib_MujocoWorkspace *workspace, ib_Error *error)
{
    static const char *const words[mjNWARNING] = {
        [mjWARN_INERTIA] = "the inertia matrix is singular: a body that can move has no mass",
        [mjWARN_CONTACTFULL] = "there are more contacts than the model has room for: nconmax of "
                               "its <size> gives it more",
        [mjWARN_CNSTRFULL] = "there are more contacts and limits than the model has room for: "
                             "njmax of its <size> gives it more",
        [mjWARN_BADQPOS] = "a position is not a number, or too large",
        [mjWARN_BADQVEL] = "a velocity is not a number, or too large",
        [mjWARN_BADQACC] = "an acceleration is not a number, or too large: a shorter run.step, "
                           "softer contacts or less gain may help",
        [mjWARN_BADCTRL] = "a force is not a number, or too large",
    };
    for (int i = 0; i < mjNWARNING; i++) {
        if (workspace->data->warning[i].number == 0 || !words[i]) continue;
        workspace->of = NULL;
        return ib_error_set(error, IB_FAILED, "%s", words[i]);
    }
    return IB_OK;
}

static ib_Status failed(ib_MujocoWorkspace *workspace, const ib__MujocoGuard *here, ib_Error *error)
{
    ib__mujoco_guard = NULL;
    workspace->of = NULL;
    if (here->late) return ib__mujoco_late("one step", IB_FAILED, error);
    return ib_error_set(error, IB_FAILED, "MuJoCo: %s", here->text);
}

static void load_state(const ib_Mujoco *model, ib_MujocoWorkspace *workspace, const double *state)
{
    const ib_MujocoSizes *n = &model->sizes;
    mjData *d = workspace->data;
    size_t q = (size_t)n->positions, v = (size_t)n->velocities, a = (size_t)n->activations;
    memcpy(d->qpos, state, q * sizeof *state);
    memcpy(d->qvel, state + q, v * sizeof *state);
    if (a > 0) memcpy(d->act, state + q + v, a * sizeof *state);
    memcpy(d->qacc_warmstart, state + q + v + a, v * sizeof *state);
}

void ib_mujoco_hold(const ib_Mujoco *model, ib_MujocoWorkspace *workspace, int velocity,
                    double damping, double loss)
{
    if (workspace->whole) {
        velocity += workspace->share.velocities;
        model = workspace->of;
        workspace = workspace->whole;
    }
    size_t bytes = (size_t)model->sizes.velocities * sizeof *workspace->damping;
    if (workspace->held != model) {
        memcpy(workspace->damping, model->model->dof_damping, bytes);
        memcpy(workspace->loss, model->model->dof_frictionloss, bytes);
        workspace->held = model;
    }
    workspace->damping[velocity] = damping;
    workspace->loss[velocity] = loss;
}

ib_Status ib_mujoco_place(const ib_Mujoco *model, ib_MujocoWorkspace *workspace,
                          const double *state, const double gravity[3], ib_Error *error)
{
    const ib_MujocoSizes *n = &model->sizes;
    mjData *d = workspace->data;
    size_t bytes = (size_t)n->states * sizeof *state;
    bool placed = workspace->of == model &&
                  memcmp(workspace->gravity, gravity, sizeof workspace->gravity) == 0 &&
                  memcmp(workspace->placed, state, bytes) == 0;
    memset(d->qfrc_applied, 0, (size_t)n->velocities * sizeof *d->qfrc_applied);
    memset(d->xfrc_applied, 0, 6 * (size_t)n->bodies * sizeof *d->xfrc_applied);
    if (n->controls > 0) memset(d->ctrl, 0, (size_t)n->controls * sizeof *d->ctrl);
    if (placed) return IB_OK;

    workspace->model = *model->model;
    memcpy(workspace->model.opt.gravity, gravity, sizeof workspace->gravity);
    workspace->model.opt.disableflags |= mjDSBL_SENSOR; // not read, and rays take long
    if (workspace->held == model) {
        workspace->model.dof_damping = workspace->damping;
        workspace->model.dof_frictionloss = workspace->loss;
    }
    d->pstack = 0; // remains of a failure
    memset(d->warning, 0, sizeof d->warning);
    load_state(model, workspace, state);
    ib__MujocoGuard here = {.text = ""};
    ib__mujoco_guard = &here;
    if (setjmp(here.leave) != 0) return failed(workspace, &here, error);
    ib__mujoco.mj_step1(&workspace->model, d);
    ib__mujoco_guard = NULL;
    memcpy(workspace->placed, state, bytes);
    workspace->of = model;
    memcpy(workspace->gravity, gravity, sizeof workspace->gravity);
    return check_warnings(workspace, error);
}

// The search for contact forces begins where the state says, also when one was made from here.
static void begin_search(const ib_MujocoSizes *n, ib_MujocoWorkspace *workspace)
{
    int warm = n->positions + n->velocities + n->activations;
    memcpy(workspace->data->qacc_warmstart, workspace->placed + warm,
           (size_t)n->velocities * sizeof(double));
}

ib_Status ib_mujoco_solve(const ib_Mujoco *model, ib_MujocoWorkspace *workspace, ib_Error *error)
{
    mjData *d = workspace->data;
    begin_search(&model->sizes, workspace);
    ib__MujocoGuard here = {.text = ""};
    ib__mujoco_guard = &here;
    if (setjmp(here.leave) != 0) return failed(workspace, &here, error);
    ib__mujoco.mj_fwdActuation(&workspace->model, d);
    ib__mujoco.mj_fwdAcceleration(&workspace->model, d);
    ib__mujoco.mj_fwdConstraint(&workspace->model, d);
    ib__mujoco.mj_checkAcc(&workspace->model, d);
    ib__mujoco_guard = NULL;
    return check_warnings(workspace, error);
}

// The end of MuJoCo's own step, by the file's integrator: after the forces are solved, each equals
// mj_step to the bit. The implicit one solves the forces once more.
static void integrate(const ib_MujocoSizes *n, ib_MujocoWorkspace *workspace)
{
    const mjModel *m = &workspace->model;
    if (m->opt.integrator == mjINT_RK4) {
        ib__mujoco.mj_RungeKutta(m, workspace->data, 4);
    } else if (m->opt.integrator == mjINT_IMPLICIT) {
        begin_search(n, workspace);
        ib__mujoco.mj_step2(m, workspace->data);
    } else {
        ib__mujoco.mj_Euler(m, workspace->data);
    }
}

ib_Status ib_mujoco_finish(const ib_Mujoco *model, ib_MujocoWorkspace *workspace, double h,
                           double *next, ib_Error *error)
{
    const ib_MujocoSizes *n = &model->sizes;
    mjData *d = workspace->data;
    size_t q = (size_t)n->positions, v = (size_t)n->velocities, a = (size_t)n->activations;
    workspace->of = NULL; // the state moves on
    workspace->model.opt.timestep = h;
    ib__MujocoGuard here = {.text = ""};
    ib__mujoco_guard = &here;
    if (setjmp(here.leave) != 0) return failed(workspace, &here, error);
    integrate(n, workspace);
    ib__mujoco_guard = NULL;
    memcpy(next, d->qpos, q * sizeof *next);
    memcpy(next + q, d->qvel, v * sizeof *next);
    if (a > 0) memcpy(next + q + v, d->act, a * sizeof *next);
    memcpy(next + q + v + a, d->qacc_warmstart, v * sizeof *next);
    return check_warnings(workspace, error);
}

ib_Status ib_mujoco_follow(const ib_Mujoco *model, ib_MujocoWorkspace *workspace,
                           const double *state, ib_Error *error)
{
    workspace->of = NULL;
    load_state(model, workspace, state);
    ib__MujocoGuard here = {.text = ""};
    ib__mujoco_guard = &here;
    if (setjmp(here.leave) != 0) return failed(workspace, &here, error);
    ib__mujoco.mj_kinematics(&workspace->model, workspace->data);
    ib__mujoco.mj_comPos(&workspace->model, workspace->data);
    ib__mujoco.mj_tendon(&workspace->model, workspace->data);
    ib__mujoco_guard = NULL;
    return IB_OK;
}

double *ib_mujoco_controls(ib_MujocoWorkspace *workspace)
{
    return workspace->data->ctrl + workspace->share.controls;
}

double *ib_mujoco_forces(ib_MujocoWorkspace *workspace)
{
    return workspace->data->qfrc_applied + workspace->share.velocities;
}

double *ib_mujoco_pushes(ib_MujocoWorkspace *workspace)
{
    return workspace->data->xfrc_applied + (ptrdiff_t)6 * workspace->share.bodies;
}

// --------------------------------------------------------------------------------------- questions

const double *ib_mujoco_body_places(const ib_MujocoWorkspace *workspace)
{
    return workspace->data->xpos + (ptrdiff_t)3 * workspace->share.bodies;
}

const double *ib_mujoco_body_turns(const ib_MujocoWorkspace *workspace)
{
    return workspace->data->xquat + (ptrdiff_t)4 * workspace->share.bodies;
}

const double *ib_mujoco_site_places(const ib_MujocoWorkspace *workspace)
{
    return workspace->data->site_xpos + (ptrdiff_t)3 * workspace->share.sites;
}

const double *ib_mujoco_centre(const ib_MujocoWorkspace *workspace)
{
    return workspace->data->subtree_com + (ptrdiff_t)3 * workspace->share.root;
}

const double *ib_mujoco_tendon_lengths(const ib_MujocoWorkspace *workspace)
{
    return workspace->data->ten_length + workspace->share.tendons;
}

const double *ib_mujoco_tendon_speeds(const ib_MujocoWorkspace *workspace)
{
    return workspace->data->ten_velocity + workspace->share.tendons;
}

// Energies of a share, whose bodies and velocities are in one piece; M couples it with no other.
//   V = -sum m g x,   T = v^T M v/2
// The rows of M's lower triangle go up the chain of a velocity's parents.
static void share_energy(const ib_MujocoWorkspace *share, double *potential, double *kinetic)
{
    const mjModel *m = &share->whole->model;
    const mjData *d = share->data;
    const ib_MujocoShare *s = &share->share;
    *potential = *kinetic = 0;
    for (int i = s->root; i <= s->last; i++)
        for (int k = 0; k < 3; k++)
            *potential -= m->body_mass[i] * share->gravity[k] * d->xipos[3 * i + k];
    for (int i = s->velocities; i < s->velocities + s->velocity_count; i++) {
        int at = m->dof_Madr[i];
        *kinetic += 0.5 * d->qM[at] * d->qvel[i] * d->qvel[i];
        for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j])
            *kinetic += d->qM[++at] * d->qvel[i] * d->qvel[j];
    }
}

void ib_mujoco_energy(const ib_Mujoco *model, ib_MujocoWorkspace *workspace, double *potential,
                      double *kinetic)
{
    if (workspace->whole) {
        share_energy(workspace, potential, kinetic);
        return;
    }
    mjModel asked = *model->model; // steps are quicker without them
    asked.opt = workspace->model.opt;
    asked.opt.enableflags |= mjENBL_ENERGY;
    ib__mujoco.mj_energyPos(&asked, workspace->data);
    ib__mujoco.mj_energyVel(&asked, workspace->data);
    *potential = workspace->data->energy[0];
    *kinetic = workspace->data->energy[1];
}

void ib_mujoco_inertia(const ib_Mujoco *model, const ib_MujocoWorkspace *workspace, double *matrix)
{
    ib__mujoco.mj_fullM(model->model, matrix, workspace->data->qM);
}

const double *ib_mujoco_accelerations(const ib_MujocoWorkspace *workspace)
{
    return workspace->data->qacc + workspace->share.velocities;
}

int ib_mujoco_contact_count(const ib_MujocoWorkspace *workspace)
{
    return workspace->data->ncon;
}

// The share's own numbers of a contact's geoms: fixed objects are everybody's, and stand for one
// another as geom 0 of body 0.
static void find_own(const ib_MujocoWorkspace *share, ib_MujocoContact *contact)
{
    const ib_MujocoShare *s = &share->share;
    contact->own = false;
    for (int i = 0; i < 2; i++) {
        int geom = contact->geom[i], body = share->whole->model.geom_bodyid[geom];
        bool own = body >= s->root && body <= s->last;
        contact->own |= own;
        contact->geom[i] = own ? geom - s->geoms : body == 0 ? 0 : -1;
        contact->body[i] = own ? body - s->bodies : body == 0 ? 0 : -1;
    }
}

// MuJoCo's frame of a contact has the normal as its first row; the force is that of the first geom
// on the second.
ib_MujocoContact ib_mujoco_contact(const ib_Mujoco *model, const ib_MujocoWorkspace *workspace,
                                   int index)
{
    const mjContact *c = &workspace->data->contact[index];
    ib_MujocoContact contact = {.geom = {c->geom1, c->geom2}, .gap = c->dist};
    const mjModel *whole = workspace->whole ? &workspace->whole->model : model->model;
    double own[6];
    contact.own = true;
    for (int i = 0; i < 2; i++) contact.body[i] = whole->geom_bodyid[contact.geom[i]];
    if (workspace->whole) find_own(workspace, &contact);
    if (!contact.own) return contact;
    ib__mujoco.mj_contactForce(whole, workspace->data, index, own);
    for (int i = 0; i < 3; i++) {
        contact.at[i] = c->pos[i];
        contact.normal[i] = c->frame[i];
        contact.force[i] =
            own[0] * c->frame[i] + own[1] * c->frame[3 + i] + own[2] * c->frame[6 + i];
    }
    return contact;
}
