// robot/quadruped/quadruped_inside.h: declarations shared by this folder.
#ifndef IB_ROBOT_QUADRUPED_INSIDE_H
#define IB_ROBOT_QUADRUPED_INSIDE_H

#include "robot/quadruped/quadruped.h"
#include "robot/rigid/rigid_text.h"

extern const char *const ib__leg_names[IB_QUADRUPED_LEGS]; ///< "fl" …

// Frame of a joint at 0 in the frame of the body that carries it: the thorax for alpha, coxa and
// femur for beta and gamma.
ib_Pose ib__quadruped_joint(const ib_QuadrupedConfig *config, int leg, int joint);

// Pivot and pin of a cylinder in the plane of its joint: the pivot in the frame above, the pin in
// that of the link that turns.
void ib__quadruped_pins(const ib_LinkageModel *linkage, int joint, double pivot[2], double pin[2]);

// Turn of a cylinder about its pivot at an angle of its joint, relative to the angle 0.
double ib__quadruped_swing(const ib_LegJointModel *joint, double angle);

// The quaternion w x y z of a turn.
void ib__quaternion(const double turn[9], double quaternion[4]);

// Angle of a joint, and place of the body, at the start.
double ib__quadruped_angle(const ib_QuadrupedConfig *config, int leg, int joint);
ib_Pose ib__quadruped_start(const ib_QuadrupedConfig *config);

// Refuses a start that no joint reaches, or that is in the ground.
ib_Status ib__quadruped_check_start(const ib_QuadrupedConfig *config, ib_Error *error);

// The geometry of a leg.
ib_LegConfig ib__quadruped_leg(const ib_QuadrupedConfig *config);

// Its gravity; the standard's if the field's own is not known yet [m/s^2].
double ib__quadruped_gravity(const ib_QuadrupedConfig *config);

// Torques that hold a leg still at the start, with its share of the weight on its foot, unless the
// body is held.
void ib__quadruped_hold(const ib_QuadrupedConfig *config, int leg, double torque[IB_LEG_JOINTS]);

// True if a joint has this drive, or one of cylinders (IB_DRIVE_TORQUE, IB_DRIVE_TENDON,
// IB_DRIVE_CYLINDER); true if it has a battery, for motors or a compressor.
bool ib__quadruped_driven(const ib_QuadrupedConfig *config, int drive);
bool ib__quadruped_pneumatic(const ib_QuadrupedConfig *config);
bool ib__quadruped_powered(const ib_QuadrupedConfig *config);

// Highest pressure at the cylinders [Pa], absolute.
double ib__quadruped_pressure(const ib_QuadrupedConfig *config);

// Refuses links and geometry that no body could have.
ib_Status ib__quadruped_check_links(const ib_QuadrupedConfig *config, ib_Error *error);

// Writes a section (ib_RigidSection) of its MJCF text.
void ib__quadruped_write(const void *config, int section, ib_RigidText *out);

// The coxa of boxes and cylinders; returns how many.
enum { IB__COXA_PARTS = 5 };
int ib__quadruped_coxa(const ib_QuadrupedConfig *config, ib_LinkPart parts[IB__COXA_PARTS]);

// The body without legs and wheels, with the source of its air; one wheel, around its axle along y.
ib_Link ib__quadruped_thorax(const ib_QuadrupedConfig *config);
ib_Link ib__quadruped_wheel(const ib_QuadrupedConfig *config);
void ib__quadruped_axle(const ib_QuadrupedConfig *config, int wheel, double place[3]);
extern const char *const ib__wheel_names[IB_QUADRUPED_WHEELS]; ///< "wheel.left" …

// The links that a cylinder has as bodies: the barrel from its pivot on, the rod back from its pin.
void ib__quadruped_barrel(const ib_QuadrupedConfig *config, int joint, ib_Link *barrel,
                          ib_Link *rod);

#endif
