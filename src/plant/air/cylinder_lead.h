// plant/air/cylinder_lead.h: the air of cylinders over a time in which another body moves their
// pistons. The derivation is in docs/plant/cylinder_lead.md.
//
// A rigid body engine decides where the pistons go; over a step of its own each goes at one speed.
// What is left are four states of air a cylinder (plant/air/cylinder.h), stiff where a small
// chamber is behind an open port, and sums of what passed. One step of ROS2 (solver/ros2.h), with a
// Jacobian that is written out where the laws allow it (ib_cylinder_has_slopes, a spool that
// follows at once), else made by differences, whatever the laws of valve, orifice, leaks, cushions
// and heat.
#ifndef IB_PLANT_AIR_CYLINDER_LEAD_H
#define IB_PLANT_AIR_CYLINDER_LEAD_H

#include "plant/air/cylinder.h"

// A cylinder that is led: what is known beforehand, its air, what passed.
typedef struct ib_CylinderLed {
    const ib_CylinderModel *cylinder;
    double x, v;                    ///< of the piston at the start [m]; its speed all along [m/s]
    double command;                 ///< Vc all along [V]
    double spool[2];                ///< states of the spool at the start, where it has any
    ib_CylinderSupply supply;       ///< all along
    double air[IB_CYLINDER_STATES]; ///< before; then after
    double sums[IB_CYLINDER_SUMS];  ///< of the whole time
} ib_CylinderLed;

// The spool's place a time t behind the start.
double ib_cylinder_led_spool(const ib_CylinderLed *led, double t);

// On by h in as few equal steps of the method as give air that can be believed
// (ib_cylinder_sound). Where 256 do not, ports and leaks are shut for that time.
void ib_cylinder_lead(ib_CylinderLed *led, double h);

#endif
