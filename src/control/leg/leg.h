// control/leg/leg.h: a leg of three joints, alpha, beta and gamma, from its shoulder to its foot.
// Forward and inverse kinematics of the foot, its velocities, and the torques that hold it. Its
// page is docs/control/leg.md.
//
// Denavit and Hartenberg [thesis, table 1]: alpha turns about the shoulder's z axis; the coxa goes
// d1 up and a1 out, where its x axis turns by -90 degrees: beta and gamma turn about a horizontal
// axis, and positive angles point down. Femur a2, tibia a3 to the centre of its round end.
//
//   r = a1 + a2 c2 + a3 c23,   foot = (c1 r, s1 r, d1 - a2 s2 - a3 s23)
//
// Backwards, with rho = hypot(x, y) - a1 and z' = d1 - z:
//
//   th1 = atan2(y, x),   th3 = +-acos((rho^2 + z'^2 - a2^2 - a3^2)/(2 a2 a3))
//   th2 = atan2(z', rho) - atan2(a3 s3, a2 + a3 c3)
//
// Two solutions differ in the sign of th3; two more point away and reach back over the shoulder.
// The joints' ranges choose among the four; for the thesis's leg they leave one.
//
//   Symbols: th1 th2 th3 = alpha beta gamma [rad]; s, c sines and cosines; F force on the foot [N],
//            T torques of the joints [N m], all in the shoulder's frame
#ifndef IB_CONTROL_LEG_H
#define IB_CONTROL_LEG_H

#include "base/geometry.h"
#include "base/maths.h"
#include "plant/link.h"

#include <stdbool.h>

enum { IB_LEG_ALPHA, IB_LEG_BETA, IB_LEG_GAMMA, IB_LEG_JOINTS };
extern const char *const ib_leg_joints[]; ///< their names

typedef struct ib_LegConfig {
    double a1, d1, a2, a3; ///< [m], a2 > 0, a3 > 0, a1 >= 0
    double range[3][2];    ///< of each joint [rad], low < high
    ib_Link links[3];      ///< coxa, femur, tibia: each in the frame at its joint, z the joint's
                           ///< axis, x along the link; mass 0: they weigh nothing
} ib_LegConfig;

typedef struct ib_LegModel {
    double a1, d1, a2, a3;
    double far, near;   ///< a2 + a3, |a2 - a3|: between them the foot is from the beta joint [m]
    double range[3][2]; ///< [rad]
    double mass[3];     ///< of coxa, femur, tibia [kg]
    double centre[3][3];
} ib_LegModel;

// The leg of the thesis by its code (C.2.1), without its masses.
ib_LegConfig ib_leg_default(void);
ib_Status ib_leg_check(const ib_LegConfig *config, ib_Error *error);
void ib_leg_init(const ib_LegConfig *config, ib_LegModel *leg);

// ---------------------------------------------------------------------------------------- forwards

// Sines and cosines of a pose, computed once for the functions below.
typedef struct ib_LegPose {
    double s1, c1, s2, c2, s23, c23;
    double r; ///< of the foot from the alpha axis [m]
} ib_LegPose;

IB_FORMULA ib_LegPose ib_leg_pose(const ib_LegModel *leg, const double th[3])
{
    ib_LegPose p;
    ib_sincos(th[0], &p.s1, &p.c1);
    ib_sincos(th[1], &p.s2, &p.c2);
    ib_sincos(th[1] + th[2], &p.s23, &p.c23);
    p.r = leg->a1 + leg->a2 * p.c2 + leg->a3 * p.c23;
    return p;
}

IB_FORMULA void ib_leg_foot(const ib_LegModel *leg, const double th[3], double foot[3])
{
    ib_LegPose p = ib_leg_pose(leg, th);
    foot[0] = p.c1 * p.r;
    foot[1] = p.s1 * p.r;
    foot[2] = leg->d1 - leg->a2 * p.s2 - leg->a3 * p.s23;
}

// Derivative of the foot's place by the angles [m/rad], row by row.
IB_FORMULA void ib_leg_jacobian(const ib_LegModel *leg, const double th[3], double J[9])
{
    ib_LegPose p = ib_leg_pose(leg, th);
    double down = -leg->a2 * p.s2 - leg->a3 * p.s23, out = -leg->a2 * p.c2 - leg->a3 * p.c23;
    double down3 = -leg->a3 * p.s23, out3 = -leg->a3 * p.c23;
    J[0] = -p.s1 * p.r, J[1] = p.c1 * down, J[2] = p.c1 * down3;
    J[3] = p.c1 * p.r, J[4] = p.s1 * down, J[5] = p.s1 * down3;
    J[6] = 0, J[7] = out, J[8] = out3;
}

// Frames of the three links in the shoulder's.
void ib_leg_frames(const ib_LegModel *leg, const double th[3], ib_Pose frames[3]);

// --------------------------------------------------------------------------------------- backwards

typedef enum ib_LegLimit {
    IB_LEG_REACHED,
    IB_LEG_TOO_FAR,  ///< from the beta joint: beyond femur and tibia stretched out
    IB_LEG_TOO_NEAR, ///< nearer to it than their difference
    IB_LEG_BEYOND,   ///< a joint would have to leave its range
} ib_LegLimit;

typedef struct ib_LegReach {
    ib_LegLimit limit;
    double foot[3];  ///< the wanted place [m]
    double angle[3]; ///< that put it there; of TOO_FAR and TOO_NEAR, that point towards it
    int joint;       ///< of BEYOND: the one that is farthest out of its range
    double is, may;  ///< distance [m] or angle [rad] that it would be, and that it may be at most
} ib_LegReach;

// True: `reach->angle` puts the foot there, within the ranges (1e-9 rad beside them, for rounding).
bool ib_leg_reach(const ib_LegModel *leg, const double foot[3], ib_LegReach *reach);

// A sentence about a foot that was not reached; always IB_BAD_INPUT.
ib_Status ib_leg_refuse(const ib_LegReach *reach, ib_Error *error);

// Rates of the joints [rad/s] that move the foot with a velocity [m/s]. False: it cannot be moved
// so from here, with the foot over the shoulder's axis or the knee stretched; rates are then 0.
bool ib_leg_rates(const ib_LegModel *leg, const double th[3], const double velocity[3],
                  double rates[3]);

// ------------------------------------------------------------------------------------------ forces

// Torques that hold the leg still under a force on its foot [N] and gravity [m/s^2], in the
// shoulder's frame. Virtual work, J_i that of the centre of mass of link i:
//   T = -J^T F - sum m_i J_i^T g
void ib_leg_hold(const ib_LegModel *leg, const double th[3], const double force[3],
                 const double gravity[3], double torque[3]);

// --------------------------------------------------------------------------------------- shoulders

// Place of a shoulder in the body's frame (x forward, y left, z up).
typedef struct ib_ShoulderConfig {
    double place[3]; ///< [m]
    double heading;  ///< where the leg points at alpha = 0: 90 degrees: to the left [rad]
    double tilt;     ///< by how much it points below the horizontal there [rad]
} ib_ShoulderConfig;

//   turn = Rz(heading) Ry(tilt)                                       [thesis 3.1.1, errata]
ib_Pose ib_leg_shoulder(const ib_ShoulderConfig *config);

// Four of them, at (+-along, +-across, up): front left, front right, rear left, rear right, which
// are the thesis's L1, R1, L2, R2. Right legs are the left ones turned, not mirrored: alpha moves
// left feet backward and right feet forward.
enum { IB_LEG_FL, IB_LEG_FR, IB_LEG_RL, IB_LEG_RR, IB_LEG_LEGS };
void ib_leg_shoulders(double along, double across, double up, double tilt,
                      ib_Pose shoulders[IB_LEG_LEGS]);

// A body at a place with a quaternion w x y z, of any length but 0.
ib_Pose ib_leg_body(const double place[3], const double quaternion[4]);

// The composition of two poses: `child`, which is relative to `parent`, in the outer frame.
ib_Pose ib_leg_chain(const ib_Pose *parent, const ib_Pose *child);

// A point, or a direction, of the outer frame in the pose's own: the way back of ib_pose_point.
void ib_leg_point_into(const ib_Pose *pose, const double outer[3], double own[3]);
void ib_leg_direction_into(const ib_Pose *pose, const double outer[3], double own[3]);

#endif
