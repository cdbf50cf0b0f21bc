// claims/thesis/quadruped_links.c: frames, masses and inertias of the robot, from its listings
// [thesis 3.1, 5.1, 5.5.4, C.2].
#include "claims/thesis/quadruped.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>
#include <string.h>

#define DEGREE (M_PI / 180)

// ---------------------------------------------------------------------------------------- listings

// EulerZYX(Vec3(z, y, x), Vec3(place)) of SrLib: R = Rz Ry Rx.
typedef struct Frame {
    double angles[3], place[3];
} Frame;

static const Frame robot_in_world = {{M_PI, -M_PI / 2, 0}, {0, 0, 0.8}}; // main.cpp
static const Frame shoulders[IB_LEG_LEGS] = {
    // Robot.cpp, L1 R1 L2 R2
    {{-4 * M_PI / 6, 0, -M_PI / 2}, {-0.0086, -0.046, 0.375}},
    {{4 * M_PI / 6, 0, M_PI / 2}, {-0.0086, 0.046, 0.375}},
    {{-4 * M_PI / 6, 0, -M_PI / 2}, {-0.0086, -0.046, -0.375}},
    {{4 * M_PI / 6, 0, M_PI / 2}, {-0.0086, 0.046, -0.375}},
};
// Leg.cpp: the places of a joint, and of the weld of the coxa, in the link before and in
// that behind.
static const Frame alpha_child = {{0, M_PI / 2, 0}, {0, 0, 0.0731}};
static const Frame weld_parent = {{0, 0, 0}, {0, 0, -0.0481}};
static const Frame weld_child = {{0, -M_PI / 2, 0}, {0, 0, -0.025}};
static const Frame beta_parent = {{0, 0, -M_PI / 2}, {0.025, 0, 0}};
static const Frame beta_child = {{0, M_PI / 2, 0}, {0, 0, 0.087}};
static const Frame gamma_parent = {{0, M_PI / 2, 0}, {0, 0, -0.087}};
static const Frame gamma_child = {{0, M_PI / 2, 0}, {0, 0, 0.152}};
static const double thorax_density = 10000; // Robot.cpp

static ib_Pose stand_in(const ib_Pose *parent, const Frame *frame)
{
    return ib_pose_in(parent, frame->place, frame->angles);
}

static ib_Pose turned(const ib_Pose *parent, double angle)
{
    return ib_pose_in(parent, (double[]){0, 0, 0}, (double[]){angle, 0, 0});
}

// The pose of the link with `frame` at `joint`: joint = link * frame.
static ib_Pose link_of(const ib_Pose *joint, const Frame *frame)
{
    ib_Pose field = ib_pose_field(), in_link = stand_in(&field, frame), back;
    for (int i = 0; i < 3; i++) {
        back.place[i] = 0;
        for (int k = 0; k < 3; k++) {
            back.turn[3 * i + k] = in_link.turn[3 * k + i];
            back.place[i] -= in_link.turn[3 * k + i] * in_link.place[k];
        }
    }
    return ib_leg_chain(joint, &back);
}

// The foot in the world, joint by joint:
//   child = parent * ParentLinkFrame * Rz(q) * ChildLinkFrame^-1
static void coded_foot(int leg, const double q[3], double length, double foot[3])
{
    ib_Pose field = ib_pose_field(), at = stand_in(&field, &robot_in_world);
    at = stand_in(&at, &shoulders[leg]), at = turned(&at, q[0]), at = link_of(&at, &alpha_child);
    at = stand_in(&at, &weld_parent), at = link_of(&at, &weld_child);
    at = stand_in(&at, &beta_parent), at = turned(&at, q[1]), at = link_of(&at, &beta_child);
    at = stand_in(&at, &gamma_parent), at = turned(&at, q[2]), at = link_of(&at, &gamma_child);
    ib_pose_point(&at, (double[]){0, 0, -length / 2}, foot);
}

// The foot in the shoulder's frame by Table 1: Rz(theta) Tz(d) Tx(a) Rx(alpha), joint by joint.
static void tabled_foot(const ib_QuadrupedConfig *config, const double q[3], double foot[3])
{
    const double d[3] = {config->d1, 0, 0}, a[3] = {config->a1, config->a2, config->a3};
    ib_Pose at = ib_pose_field();
    for (int i = 0; i < 3; i++) {
        double s, c;
        ib_sincos(q[i], &s, &c);
        at = ib_pose_in(&at, (double[]){a[i] * c, a[i] * s, d[i]},
                        (double[]){q[i], 0, i == 0 ? -M_PI / 2 : 0});
    }
    memcpy(foot, at.place, sizeof at.place);
}

static double apart(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

// ------------------------------------------------------------------------------------------ frames

// Poses of reference C, their feet in the shoulder's frame, and those of L1 and R1 in the world.
static const struct {
    double q[3], foot[3], left[3], right[3];
} poses[] = {
    {{0, -34, 80},
     {0.4846095522, 0, -0.0787559090},
     {0.375, 0.4263062286, 0.4808906060},
     {0.375, -0.4263062286, 0.4808906060}},
    {{-47, -67, 17},
     {0.2686025670, -0.2880409883, 0.3992772664},
     {0.6630409883, 0.4782552798, 1.0028829723},
     {0.0869590117, -0.4782552798, 1.0028829723}},
    {{90, -1, 95},
     {0, 0.3006765645, -0.2507824333},
     {0.0743234355, -0.0793912167, 0.5742160419},
     {0.6756765645, 0.0793912167, 0.5742160419}},
    {{20, -34, 56},
     {0.5164554637, 0.1879744161, 0.0175970223},
     {0.1870255839, 0.5020620627, 0.5484117365},
     {0.5629744161, -0.5020620627, 0.5484117365}},
    {{45, -10, 40},
     {0.3957044850, 0.3957044850, -0.0845352171},
     {-0.0207044850, 0.3464225279, 0.5203381120},
     {0.7707044850, -0.3464225279, 0.5203381120}},
    {{-20, -50, 90},
     {0.4436800675, -0.1614863381, -0.0213674038},
     {0.5364863381, 0.4195545077, 0.5510552517},
     {0.2135136619, -0.4195545077, 0.5510552517}},
};
enum { POSES = sizeof poses / sizeof poses[0] };

// The program's leg against Leg.cpp and Robot.cpp, Table 1 and the reference sheet.
static void compare_feet(const ib__LegBench *bench, ib_ClaimValue *found)
{
    const ib_LegModel *leg_model = &bench->model->leg_model;
    double code = 0, table = 0, sheet = 0, back = 0;
    for (int i = 0; i < POSES; i++) {
        double q[3], own[3], other[3], field[3];
        ib_LegReach reach;
        for (int k = 0; k < 3; k++) q[k] = poses[i].q[k] * DEGREE;
        ib_leg_foot(leg_model, q, own);
        tabled_foot(bench->config, q, other);
        table = ib_max(table, apart(own, other));
        sheet = ib_max(sheet, apart(own, poses[i].foot));
        for (int k = 0; k < 3 && ib_leg_reach(leg_model, own, &reach); k++)
            back = ib_max(back, fabs(reach.angle[k] - q[k]) / DEGREE);
        for (int leg = 0; leg < IB_LEG_LEGS; leg++) {
            ib_pose_point(&bench->model->shoulders[leg], own, field);
            field[2] += 0.8;
            coded_foot(leg, q, bench->config->tibia.length, other);
            code = ib_max(code, apart(field, other));
            if (leg == IB_LEG_FL) sheet = ib_max(sheet, apart(field, poses[i].left));
            if (leg == IB_LEG_FR) sheet = ib_max(sheet, apart(field, poses[i].right));
        }
    }
    ib__quadruped_put(found, IB__Q_FEET_CODE, code);
    ib__quadruped_put(found, IB__Q_FEET_TABLE, table);
    ib__quadruped_put(found, IB__Q_FEET_SHEET, sheet);
    ib__quadruped_put(found, IB__Q_FEET_BACK, back);
}

// 3.1.1: Rot_z(phi) Trans_x(x_offset) Trans_y(Delta) Rot_y(theta_0), and `up`, which it lacks.
static ib_Pose printed_shoulder(const ib_QuadrupedConfig *config, double phi, double across,
                                double delta, double up)
{
    ib_Pose field = ib_pose_field(), at = turned(&field, phi);
    return ib_pose_in(&at, (double[]){across, delta, up}, (double[]){0, config->tilt, 0});
}

// The farthest of the four legs' shoulders by 3.1.1 from Robot.cpp's, each with the best of the
// open signs; `phis` are the possible angles.
static double farthest_shoulder(const ib__LegBench *bench, const double phis[2], double up,
                                double *turn)
{
    ib_Pose field = ib_pose_field(), body = stand_in(&field, &robot_in_world);
    double most = 0;
    *turn = 0;
    for (int leg = 0; leg < IB_LEG_LEGS; leg++) {
        ib_Pose coded = stand_in(&body, &shoulders[leg]);
        double least = INFINITY, angle = 0;
        coded.place[2] -= 0.8;
        for (int i = 0; i < 4; i++) {
            double delta = (i & 1 ? -1 : 1) * bench->config->along;
            ib_Pose at =
                printed_shoulder(bench->config, phis[i / 2], bench->config->across, delta, up);
            double far = apart(at.place, coded.place), cosine = 0;
            if (far >= least) continue;
            least = far;
            for (int k = 0; k < 3; k++) cosine += at.turn[3 * k] * coded.turn[3 * k]; // x axes
            angle = ib_atan2(sqrt(ib_max(0, 1 - cosine * cosine)), cosine) / DEGREE;
        }
        most = ib_max(most, least);
        *turn = ib_max(*turn, angle);
    }
    return most;
}

static void compare_shoulders(const ib__LegBench *bench, ib_ClaimValue *found)
{
    static const double printed[2] = {0, M_PI / 2}, meant[2] = {M_PI / 2, -M_PI / 2};
    double turn, level = farthest_shoulder(bench, meant, 0, &turn);
    ib__quadruped_put(found, IB__Q_SHOULDER_LEVEL, 1e3 * level);
    double place = farthest_shoulder(bench, meant, bench->config->up, &turn);
    found[IB__Q_SHOULDER].form[IB__Q_CORRECTED] = 1e3 * place;
    found[IB__Q_SHOULDER_TURN].form[IB__Q_CORRECTED] = turn;
    place = farthest_shoulder(bench, printed, 0, &turn);
    found[IB__Q_SHOULDER].form[IB__Q_PRINTED] = 1e3 * place;
    found[IB__Q_SHOULDER_TURN].form[IB__Q_PRINTED] = turn;
}

// The forward motion of a foot with alpha, left over right.
static double left_over_right(const ib__LegBench *bench)
{
    const double q[3] = {0, -34 * DEGREE, 80 * DEGREE};
    double J[9], forward[2];
    ib_leg_jacobian(&bench->model->leg_model, q, J);
    for (int i = 0; i < 2; i++) {
        const double *turn = bench->model->shoulders[i].turn; // FL, FR
        forward[i] = turn[0] * J[0] + turn[1] * J[3] + turn[2] * J[6];
    }
    return forward[0] / forward[1];
}

static void measure_links(const ib__LegBench *bench, ib_ClaimValue *found)
{
    const ib_QuadrupedConfig *config = bench->config;
    double end = config->tibia.length / 2;
    ib__quadruped_put(found, IB__Q_A1,
                      alpha_child.place[2] - weld_parent.place[2] - weld_child.place[2]);
    ib__quadruped_put(found, IB__Q_A2, beta_child.place[2] - gamma_parent.place[2]);
    ib__quadruped_put(found, IB__Q_A3, gamma_child.place[2] + end);
    ib__quadruped_put(found, IB__Q_TIP, gamma_child.place[2] + end + config->tibia.radius);
    ib__quadruped_put(found, IB__Q_COXA_END, 1e3 * (config->coxa.length / 2 + config->coxa.radius));
    ib__quadruped_put(found, IB__Q_COXA_HALF, 1e3 * (config->coxa.length / 2));
    ib__quadruped_put(found, IB__Q_FEMUR_END,
                      1e3 * (config->femur.length / 2 + config->femur.radius));
    ib__quadruped_put(found, IB__Q_TIBIA_END, 1e3 * (end + config->tibia.radius));
    ib__quadruped_put(found, IB__Q_THORAX_LENGTH, config->thorax_length);
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        const double *range = config->joints[j].linkage.range;
        ib__quadruped_put(found, IB__Q_SPAN + j, (range[1] - range[0]) / DEGREE);
        ib__quadruped_put(found, IB__Q_LOW + j, range[0] / DEGREE);
        ib__quadruped_put(found, IB__Q_ZERO + j, ib_max(ib_max(range[0], -range[1]), 0) / DEGREE);
    }
    ib__quadruped_put(found, IB__Q_LEFT_RIGHT, left_over_right(bench));
}

// ---------------------------------------------------------------------------------------- inertias

static void weigh(const ib_CapsuleConfig *capsule, int index, ib_ClaimValue *found)
{
    ib_LinkPart part = {.form = IB_LINK_CAPSULE,
                        .radius = capsule->radius,
                        .length = capsule->length,
                        .density = capsule->density};
    ib_Link real, coded;
    ib_link_init(&part, 1, &real);
    part.form = IB_LINK_SRLIB_CAPSULE;
    ib_link_init(&part, 1, &coded);
    ib__quadruped_put(found, IB__Q_MASS + index, real.mass);
    found[IB__Q_ACROSS + index] = (ib_ClaimValue){{real.inertia[0], coded.inertia[0], NAN}};
    ib__quadruped_put(found, IB__Q_ALONG + index, real.inertia[2]);
    double length = capsule->length + 2 * capsule->radius;
    if (index == IB__Q_TIBIA)
        ib__quadruped_put(found, IB__Q_THIN_ROD,
                          coded.inertia[0] / (real.mass * length * length / 12));
}

// Joint-space inertia of the leg at (0, -34, 56) deg [kg m^2]: about each joint, the others held.
// Bodies of cylinders follow their joint: g M g, with g their motion with it.
static ib_Status joint_inertias(const char *inertia, const char *drive, double felt[3],
                                ib_Error *error)
{
    enum { MOST = 16 };
    static const char leg[] = "robot: {kind: quadruped, preset: thesis-leg}\n"
                              "start: {z: 2 m, alpha: 0 deg, beta: -34 deg, gamma: 56 deg}\n"
                              "control: {legs: {kind: legs}}\n"
                              "run: {duration: 1 s, step: 1 ms}\n";
    static const double down[3] = {0, 0, -9.8};
    const ib_Override changes[] = {{"robot.inertia", inertia}, {"robot.drive", drive}};
    ib__LegBench bench;
    ib_Arena arena = {0};
    ib_Status status = ib__leg_bench(leg, changes, 2, &bench, error);
    if (status != IB_OK) return status;
    const ib_QuadrupedModel *model = bench.model;
    double *state = ib_arena_array(&arena, (size_t)bench.robot->ports.state_count, sizeof *state);
    double M[MOST * MOST], g[MOST];
    ib_MujocoWorkspace *workspace = ib_mujoco_workspace(model->rigid.world, &arena);
    int nv = model->rigid.sizes.velocities;
    IB_ASSERT(nv <= MOST);
    status = state && workspace ? IB_OK : ib_error_set(error, IB_FAILED, "out of memory");
    if (status == IB_OK) {
        bench.robot->kind->reset(bench.config, bench.robot->model, state);
        status = ib_mujoco_place(model->rigid.world, workspace, state, down, error);
    }
    if (status == IB_OK) ib_mujoco_inertia(model->rigid.world, workspace, M);
    for (int j = 0; j < 3 && status == IB_OK; j++) {
        const ib_LegJointModel *joint = &model->joints[j];
        const ib_LinkageModel *linkage = &joint->linkage;
        double th = state[joint->position];
        memset(g, 0, sizeof g);
        g[joint->velocity] = 1;
        if (joint->slide >= 0) {
            // The barrel's hinge, behind its joint's own, turns with the corner at the pivot.
            double low = ib_linkage_corners(linkage, th - 1e-6).pivot;
            double high = ib_linkage_corners(linkage, th + 1e-6).pivot;
            g[joint->slide_speed - model->rigid.sizes.positions - 1] =
                linkage->sign * (high - low) / 2e-6;
            g[joint->slide_speed - model->rigid.sizes.positions] = ib_linkage_at(linkage, th).arm;
        }
        felt[j] = 0;
        for (int a = 0; a < nv; a++)
            for (int b = 0; b < nv; b++) felt[j] += g[a] * M[a * nv + b] * g[b];
    }
    ib_arena_reset(&arena);
    ib__leg_bench_end(&bench);
    return status;
}

static ib_Status compare_inertias(ib_ClaimValue *found, ib_Error *error)
{
    static const struct {
        const char *inertia, *drive;
        int row;
    } others[] = {{"srlib", "torque", IB__Q_FELT_SRLIB},
                  {"primitives", "torque", IB__Q_FELT_PARTS},
                  {"capsule", "cylinder", IB__Q_FELT_CYLINDERS}};
    double plain[3], felt[3];
    ib_Status status = joint_inertias("capsule", "torque", plain, error);
    for (int i = 0; i < 3 && status == IB_OK; i++) {
        status = joint_inertias(others[i].inertia, others[i].drive, felt, error);
        for (int j = 0; j < 3; j++)
            ib__quadruped_put(found, others[i].row + j, 100 * (felt[j] / plain[j] - 1));
    }
    return status;
}

ib_Status ib__quadruped_claims_links(const ib__LegBench *bench, ib_ClaimValue *found,
                                     ib_Error *error)
{
    const ib_QuadrupedConfig *config = bench->config;
    const ib_CapsuleConfig thorax = {config->thorax_radius, config->thorax_length, thorax_density};
    compare_feet(bench, found);
    compare_shoulders(bench, found);
    measure_links(bench, found);
    weigh(&config->coxa, IB__Q_COXA, found);
    weigh(&config->hip, IB__Q_HIP, found);
    weigh(&config->femur, IB__Q_FEMUR, found);
    weigh(&config->tibia, IB__Q_TIBIA, found);
    weigh(&thorax, IB__Q_THORAX, found);
    double leg = 0;
    for (int i = 0; i < IB__Q_THORAX; i++) leg += found[IB__Q_MASS + i].form[IB__Q_CORRECTED];
    ib__quadruped_put(found, IB__Q_LEG_MASS, leg);
    ib__quadruped_put(found, IB__Q_ROBOT_MASS, ib_mujoco_mass(bench->model->rigid.world));
    ib__quadruped_put(found, IB__Q_THORAX_DENSITY, thorax_density);
    ib__quadruped_put(found, IB__Q_FEMUR_DENSITY, 1e-3 * config->femur.density);
    ib__quadruped_put(found, IB__Q_TIBIA_DENSITY, 1e-3 * config->tibia.density);
    ib__quadruped_put(found, IB__Q_COXA_DENSITY,
                      1e-3 * ib_max(config->coxa.density, config->hip.density));
    // 1 g/mm^3 is 1e6 kg/m^3.
    found[IB__Q_DENSITY_UNIT] =
        (ib_ClaimValue){{config->tibia.density, 1e6 * config->tibia.density, NAN}};
    return compare_inertias(found, error);
}
