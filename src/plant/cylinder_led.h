// plant/cylinder_led.h: the air of one cylinder over a time in which somebody else moves its piston.
// The derivation is in docs/plant/bank.md.
//
// A rigid body engine decides where the piston goes; over a step of its own it goes at one speed.
// What is left are four states of air (plant/cylinder.h), stiff where a small chamber is behind an open
// port, and sums of what passed. One step of ROS2 (solver/ros2.h), whatever the laws of valve,
// orifice, leaks, cushions and heat; the Jacobian is made by differences. Cylinders whose laws run
// in lanes (ib_lanes_lead in plant/cylinder_lanes.h) take a tenth of the time.
#ifndef IB_PLANT_CYLINDER_LED_H
#define IB_PLANT_CYLINDER_LED_H

#include "plant/cylinder.h"

// What is known beforehand.
typedef struct ib_CylinderCourse {
    double x, v;              ///< of the piston at the start [m], and its speed all along [m/s]
    double command;           ///< Vc all along [V]
    double spool[2];          ///< its states at the start, where it has any
    ib_CylinderSupply supply; ///< all along
} ib_CylinderCourse;

// What passed, summed up. The air's: used = vented + leaked + what it is more in the chambers. The
// energy's, w of plant/cylinder.h: E_supply + heat = E_exhaust + E_leak + w work + what there is more.
enum {
    IB_LED_USED,      ///< air taken from the supply [kg]
    IB_LED_VENTED,    ///< let out by the valve [kg]
    IB_LED_LEAKED,    ///< by leaks to the open air [kg]
    IB_LED_E_SUPPLY,  ///< enthalpy taken from the supply [J],
    IB_LED_E_EXHAUST, ///< let out,
    IB_LED_E_LEAK,    ///< leaked
    IB_LED_WORK,      ///< of the air on the piston [J]
    IB_LED_HEAT,      ///< from the walls [J]
    IB_LED_SUMS
};

// The spool's place a time t behind the start.
double ib_led_spool(const ib_CylinderModel *cylinder, const ib_CylinderCourse *course, double t);

// On by h in as few equal steps of the method as give air that can be believed (ib_cylinder_sound).
// Where 256 do not, both ports are shut for that time.
void ib_led_steps(const ib_CylinderModel *cylinder, const ib_CylinderCourse *course, double h,
                  const double *air, double *next, double sums[IB_LED_SUMS]);

#endif
