// robot/roomba/roomba.h: a Roomba as a planar rigid body with quadratic drag. docs/robot/roomba.md
//
//   symbol        meaning                                   unit
//   x, y, th      centre of mass and heading, field frame   m, m, rad
//   vt, vn        velocity along and across the heading     m/s
//   vl, vr        speed of the left and right wheel         m/s
//   w             yaw rate                                  rad/s
//   Fl, Fr        force of the left and right wheel         N
//   kd, kn        drag along (per wheel) and across         N s^2/m^2
//   m, r, I       mass, half the diameter, inertia          kg, m, kg m^2
#ifndef IB_ROBOT_ROOMBA_H
#define IB_ROBOT_ROOMBA_H

#include "base/formula.h"
#include "base/maths.h"
#include "robot/equipment.h"
#include "robot/parts.h"

#include <math.h>

enum { IB_ROOMBA_CORRECTED, IB_ROOMBA_PUBLISHED, IB_ROOMBA_PUBLISHED_EQ3 };

typedef struct ib_RoombaConfig {
    ib_EquipmentConfig equipment;
    double mass;      ///< [kg], > 0
    double diameter;  ///< [m], > 0; the wheels stand at its two ends
    double drag;      ///< along the heading, each wheel [N s^2/m^2], >= 0
    double side_drag; ///< across the heading, each wheel [N s^2/m^2], >= 0
    double max_force; ///< each wheel, either way [N], > 0
    int equations;    ///< IB_ROOMBA_CORRECTED …
    ib_PlanarConfig planar;
} ib_RoombaConfig;

typedef struct ib_RoombaModel {
    double m, r, inertia;         ///< [kg, m, kg m^2]
    double per_mass, per_inertia; ///< [1/kg, 1/(kg m^2)]
    double kd, kn;                ///< [N s^2/m^2]
    double max_force;             ///< [N]
    double settle_along;          ///< rate of the drags over the speed [1/m]; 0: published
    double settle_aside;
    double settle_own; ///< at the speeds that the wheels reach by themselves [1/s]
    double arm;        ///< r/I [1/(kg m)]: a difference of wheel forces to yaw acceleration
    double drag_arm_left, drag_arm_right; ///< the same for kd v|v|: -arm, +arm when corrected
    int signal;                           ///< the first of its own
} ib_RoombaModel;

// The places of its states; mechanisms on it leave those of X and Y open.
enum {
    IB_ROOMBA_TH,
    IB_ROOMBA_VX,
    IB_ROOMBA_VY,
    IB_ROOMBA_W,
    IB_ROOMBA_X,
    IB_ROOMBA_Y,
    IB_ROOMBA_STATES,
};

enum {
    IB_ROOMBA_LEFT = IB_ENVIRONMENT_COUNT, ///< force command [N]
    IB_ROOMBA_RIGHT,
    IB_ROOMBA_GAIN_LEFT, ///< factors for `disturbances: {signal, scale}`
    IB_ROOMBA_GAIN_RIGHT,
    IB_ROOMBA_GAIN_DRAG_LEFT,
    IB_ROOMBA_GAIN_DRAG_RIGHT,
    IB_ROOMBA_GAIN_SIDE,
    IB_ROOMBA_INPUTS,
};

// Everything that acts on the Roomba at one instant.
typedef struct ib_RoombaForces {
    double c, s;                  ///< cosine and sine of the heading
    double vt, vn, vl, vr;        ///< [m/s]
    double left, right;           ///< wheel forces [N]
    double drag_left, drag_right; ///< along the heading, signed [N]
    double side;                  ///< across the heading, per wheel, signed [N]
} ib_RoombaForces;

// Wheel speeds and quadratic drag:                                     [Roomba (4)-(6), (8)-(10)]
//   vt = vx cos th + vy sin th,  vn = -vx sin th + vy cos th,  vl = vt - r w,  vr = vt + r w
//   F_drag = -kd v |v|,  F_n = -kn vn |vn|
// Limits: at rest all forces but the wheels' are zero; vn = 0 -> no side force.
IB_FORMULA ib_RoombaForces ib_roomba_forces(const ib_RoombaModel *model, const double *state,
                                            const double *input)
{
    ib_RoombaForces f;
    ib_sincos(state[IB_ROOMBA_TH], &f.s, &f.c);
    double vx = state[IB_ROOMBA_VX], vy = state[IB_ROOMBA_VY], w = state[IB_ROOMBA_W];
    f.vt = vx * f.c + vy * f.s;
    f.vn = vy * f.c - vx * f.s;
    f.vl = f.vt - model->r * w;
    f.vr = f.vt + model->r * w;
    f.left = input[IB_ROOMBA_LEFT] * input[IB_ROOMBA_GAIN_LEFT];
    f.right = input[IB_ROOMBA_RIGHT] * input[IB_ROOMBA_GAIN_RIGHT];
    f.drag_left = -(model->kd * input[IB_ROOMBA_GAIN_DRAG_LEFT]) * f.vl * fabs(f.vl);
    f.drag_right = -(model->kd * input[IB_ROOMBA_GAIN_DRAG_RIGHT]) * f.vr * fabs(f.vr);
    f.side = -(model->kn * input[IB_ROOMBA_GAIN_SIDE]) * f.vn * fabs(f.vn);
    return f;
}

// Newton and Euler in the plane:                       [Roomba (1), (2), (3); errata: (3), (11)]
//   m x'' = Ft cos th - 2 F_n sin th,   Ft = Fl + Fr + F_drag,l + F_drag,r
//   m y'' = Ft sin th + 2 F_n cos th
//   I th'' = (Fr - Fl + F_drag,r - F_drag,l) r
// Limits: Fl = Fr from rest -> a straight line with v = vt tanh(t/tau);
// F = 0 -> v = v0/(1 + 2 kd v0 t/m).
IB_FORMULA void ib_roomba_rate(const ib_RoombaModel *model, const double *state,
                               const double *input, double *rate)
{
    // The pose follows the velocities, for any forces.
    rate[IB_ROOMBA_X] = state[IB_ROOMBA_VX];
    rate[IB_ROOMBA_Y] = state[IB_ROOMBA_VY];
    rate[IB_ROOMBA_TH] = state[IB_ROOMBA_W];

    ib_RoombaForces f = ib_roomba_forces(model, state, input);
    // The effect of pushes, slopes and wheels at this heading comes first, with c/m and s/m; that
    // of the drags is added below. The order: docs/performance.md
    double per_mass = model->per_mass, per_inertia = model->per_inertia;
    double cm = f.c * per_mass, sm = f.s * per_mass, drive = f.left + f.right;
    double ax = (input[IB_PUSH_X] * per_mass + input[IB_SLOPE_X]) + drive * cm;
    double ay = (input[IB_PUSH_Y] * per_mass + input[IB_SLOPE_Y]) + drive * sm;
    double aw = (f.right - f.left) * model->arm + ib_push_torque(input, f.c, f.s) * per_inertia;
    double drag = f.drag_left + f.drag_right, across = 2 * f.side;

    ax = (ax - across * sm) + drag * cm;
    ay = (ay + across * cm) + drag * sm;
    aw += model->drag_arm_right * f.drag_right + model->drag_arm_left * f.drag_left;
    rate[IB_ROOMBA_VX] = ax;
    rate[IB_ROOMBA_VY] = ay;
    rate[IB_ROOMBA_W] = aw;
}

// Its geometry (robot/roomba/roomba_geometry.c). NULL without memory.
const ib_Geometry *ib__roomba_geometry(const ib_RoombaConfig *config, ib_Arena *arena);

extern const ib_RobotKind ib_roomba_kind;

void ib_roomba_init(const ib_RoombaConfig *config, ib_RoombaModel *model);

// Turns a path into wheel forces (robot/roomba/roomba_plan.c). Derivation: docs/control/path.md
ib_Status ib_roomba_plan(const ib_RoombaModel *model, const double *state,
                         const ib_PathConfig *path, ib_Arena *arena, ib_Plan *plan,
                         ib_Error *error);

// robot/roomba/roomba_locomotion.c. Derivation: docs/control/locomotion.md
ib_Status ib__roomba_locomotion(const void *robot, const double *state, double gravity,
                                ib_Locomotion *base, ib_Error *error);

#endif
