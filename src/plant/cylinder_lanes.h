// plant/cylinder_lanes.h: the air of several cylinders side by side, in lanes, over a time in which
// somebody else moves their pistons. The derivation is in docs/plant/cylinder_lanes.md.
//
// Twelve cylinders of a quadruped do the same sums with other numbers, so that the vectors of a
// processor can do several at once. Every lane makes the two stages of ROS2 (solver/ros2.h,
// docs/plant/bank.md) with the Jacobian written out: x and v are known, and what is left falls
// apart into the two unknowns of each chamber,
//
//   y = (m_c, U_c, m_r, U_r),
//
// and sums of what the air did to the piston and got from the walls. What is slower and knows every
// law is plant/cylinder_led.h. The lanes have the bits of the single cylinder.
#ifndef IB_PLANT_CYLINDER_LANES_H
#define IB_PLANT_CYLINDER_LANES_H

#include "plant/cylinder.h"

enum { IB_LANES = 2 }; ///< of one block: doubles in a vector of NEON and SSE2

// The states of a lane.
enum {
    IB_LANE_POSITION,
    IB_LANE_VELOCITY,
    IB_LANE_AIR,                                     ///< as IB_CYLINDER_CAP_MASS …
    IB_LANE_WORK = IB_LANE_AIR + IB_CYLINDER_STATES, ///< sum: of the air on the piston [J]
    IB_LANE_HEAT,                                    ///< sum: from the walls [J]
    IB_LANE_ROWS
};

// Up to IB_LANES cylinders with the same gas and the same law of heat. It begins as zeros; then
// ib_lanes_add fills one lane after the other.
typedef struct ib_CylinderLanes {
    int count;
    const ib_CylinderModel *cylinder[IB_LANES]; ///< of each; the first one's gas and orifice count
    // Of each lane, unused ones as the last.
    double cap_area[IB_LANES], cap_dead[IB_LANES], cap_length[IB_LANES], cap_wall[IB_LANES],
        cap_faces[IB_LANES];
    double rod_area[IB_LANES], rod_dead[IB_LANES], rod_length[IB_LANES], rod_wall[IB_LANES],
        rod_faces[IB_LANES];
    double stroke[IB_LANES];
    // Set before a step: the ports, the supply.
    double cap_source[IB_LANES], cap_port[IB_LANES], rod_source[IB_LANES], rod_port[IB_LANES];
    double root_supply, supply_temperature;
    double y[IB_LANE_ROWS][IB_LANES]; ///< the states
} ib_CylinderLanes;

// Can this one run in lanes? Air with slopes (ib_cylinder_has_slopes), a spool that follows at once.
bool ib_lanes_run(const ib_CylinderModel *cylinder);

// Puts a cylinder into the next lane: its index. The model must stay where it is.
int ib_lanes_add(ib_CylinderLanes *lanes, const ib_CylinderModel *cylinder);

// Opens the ports of a lane, and says how: the spool at `s` volts from the centre, the supply at
// a pressure.
ib_CylinderOpening ib_lanes_open(ib_CylinderLanes *lanes, int lane, double s, double supply);

// On by h in one step of the method, with all pistons at the speed that their lanes have. The air,
// the place and both sums go on.
void ib_lanes_lead(ib_CylinderLanes *lanes, double h);

#endif
