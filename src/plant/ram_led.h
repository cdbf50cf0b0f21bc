// plant/ram_led.h: the air of one cylinder over a time in which somebody else moves its piston.
// The derivation is in docs/plant/bank.md.
//
// A rigid body engine decides where the piston goes; over a step of its own it goes at one speed.
// What is left are four states of air (plant/ram.h), stiff where a small chamber is behind an open
// port, and sums of what passed. One step of ROS2 (solver/ros2.h), whatever the laws of valve,
// orifice, leaks, cushions and heat; the Jacobian is made by differences. Cylinders whose laws run
// in lanes (ib_lanes_lead in plant/ram_lanes.h) take a tenth of the time.
#ifndef IB_PLANT_RAM_LED_H
#define IB_PLANT_RAM_LED_H

#include "plant/ram.h"

// What is known beforehand.
typedef struct ib_RamCourse {
    double x, v;          ///< of the piston at the start [m], and its speed all along [m/s]
    double command, ramp; ///< Vc at the start [V] and its slope [V/s]
    double spool[2];      ///< its states at the start, where it has any
    ib_RamSupply supply;  ///< all along
} ib_RamCourse;

// What passed, summed up.
enum {
    IB_LED_SUPPLIED, ///< air taken from the supply [kg], and its enthalpy [J]
    IB_LED_E_SUPPLIED,
    IB_LED_VENTED, ///< let out by the valve
    IB_LED_E_VENTED,
    IB_LED_LEAKED, ///< to the open air by leaks
    IB_LED_E_LEAKED,
    IB_LED_WORK, ///< of the air on the piston [J]
    IB_LED_HEAT, ///< from the walls [J]
    IB_LED_SUMS
};

// The spool's place a time t behind the start, and the side of its centre on which a step of h
// sees it: that of its middle.
double ib_led_spool(const ib_RamModel *ram, const ib_RamCourse *course, double h, double t);

// On by h in one step of the method; `sums` of this step alone.
void ib_led_step(const ib_RamModel *ram, const ib_RamCourse *course, double h, const double *air,
                 double *next, double sums[IB_LED_SUMS]);

// The same in as few equal steps as give air that can be believed: nothing below a quarter or
// above four times what it was. Where 256 do not, both ports are shut for that time.
void ib_led_steps(const ib_RamModel *ram, const ib_RamCourse *course, double h, const double *air,
                  double *next, double sums[IB_LED_SUMS]);

// Can a step have led from the one to the other?
IB_FORMULA bool ib_led_sound(const double *before, const double *after)
{
    bool sound = true;
    for (int i = 0; i < IB_RAM_STATES; i++)
        sound &= after[i] > 0.25 * before[i] && after[i] < 4 * before[i];
    return sound;
}

#endif
