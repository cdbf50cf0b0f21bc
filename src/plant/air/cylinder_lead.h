// plant/air/cylinder_lead.h: the air of cylinders over a time in which another body moves their
// pistons. The derivation is in docs/plant/cylinder.md#a-led-piston.
//
// A rigid body engine moves the pistons; over a step of its own each has one speed. There remain
// four states of air for each cylinder (plant/air/cylinder.h), stiff for a small chamber behind an
// open port, and sums of flows. One step of ROS2 (solver/ros2.h), with a Jacobian in closed form if
// the laws allow it (ib_cylinder_has_slopes, a spool that follows at once), else by differences,
// for all laws of valve, orifice, leaks, cushions and heat.
#ifndef IB_PLANT_AIR_CYLINDER_LEAD_H
#define IB_PLANT_AIR_CYLINDER_LEAD_H

#include "plant/air/cylinder.h"

// A led cylinder: its known values, its air, its flows.
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

// Advances by h in the fewest equal steps of the method that give plausible air
// (ib_cylinder_sound). If 256 do not, ports and leaks are shut for that time.
void ib_cylinder_lead(ib_CylinderLed *led, double h);

#endif
