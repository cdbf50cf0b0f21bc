// plant/ram_lanes.h: many cylinders side by side, each with its mass: fixed steps of a stiff
// method in lanes. The derivation is in docs/plant/ram_lanes.md.
//
// Twelve cylinders of a quadruped do the same sums with other numbers, so that the vectors of a
// processor can do several at once. Every lane makes the six stages of RODAS (solver/rodas.h) with
// the Jacobian written out, and a system of six unknowns that falls apart: each chamber is two
// unknowns by itself, and what is left is one equation for the speed.
//
//   y = (x, v, m_c, U_c, m_r, U_r),   x' = v,   m v' = F_air(x, U_c, U_r) + push - F(v)
//
// A lane in which something rare happens (a stop is met or left) is made again by itself, up to
// the instant and on from it. The lanes have the bits of the single cylinder.
//
// Where somebody else moves the pistons (ib_lanes_lead), x and v are known and chambers are all
// that is left. They make the two stages of ROS2 (solver/ros2.h, docs/plant/bank.md), and what
// they did to the piston and got from the walls is summed up.
#ifndef IB_PLANT_RAM_LANES_H
#define IB_PLANT_RAM_LANES_H

#include "plant/friction.h"
#include "plant/ram.h"

enum { IB_LANES = 2 }; ///< of one block: doubles in a vector of NEON and SSE2

// The states of a lane.
enum {
    IB_LANE_POSITION,
    IB_LANE_VELOCITY,
    IB_LANE_AIR, ///< as IB_RAM_CAP_MASS …
    IB_LANE_STATES = IB_LANE_AIR + IB_RAM_STATES,
    // Sums, of pistons that are led:
    IB_LANE_WORK = IB_LANE_STATES, ///< of the air on the piston [J]
    IB_LANE_HEAT,                  ///< from the walls [J]
    IB_LANE_ROWS
};

// Up to IB_LANES cylinders with the same gas and the same kinds of laws. It begins as zeros; then
// ib_lanes_add fills one lane after the other.
typedef struct ib_RamLanes {
    int count;
    const ib_RamModel *ram[IB_LANES];           ///< of each; the first one's gas and orifice count
    const ib_FrictionModel *friction[IB_LANES]; ///< the first one's law counts
    // Of each lane, unused ones as the first.
    double cap_area[IB_LANES], cap_dead[IB_LANES], cap_length[IB_LANES], cap_wall[IB_LANES],
        cap_faces[IB_LANES];
    double rod_area[IB_LANES], rod_dead[IB_LANES], rod_length[IB_LANES], rod_wall[IB_LANES],
        rod_faces[IB_LANES];
    double stroke[IB_LANES], shaft[IB_LANES], mass[IB_LANES], per_mass[IB_LANES];
    double coulomb[2][IB_LANES], surplus[2][IB_LANES], viscous[IB_LANES], per_sliding[IB_LANES],
        steepness[IB_LANES];
    // Set before a step: forces but the air's and friction [N], the ports, the supply.
    double push[IB_LANES];
    double cap_source[IB_LANES], cap_port[IB_LANES], rod_source[IB_LANES], rod_port[IB_LANES];
    double root_supply, supply_temperature;
    // The states, and whether a lane moves: 1, or 0 at a stop.
    double y[IB_LANE_ROWS][IB_LANES], free[IB_LANES];
} ib_RamLanes;

// Can these run in lanes? Air with slopes (ib_ram_has_slopes), a spool that follows at once,
// viscous friction or Stribeck's with the exponent 1, 2 or 5, without ends. Without a friction it
// is asked whether led pistons can. NULL: yes; else what is in the way.
const char *ib_lanes_refuse(const ib_RamModel *ram, const ib_FrictionModel *friction);

// Puts a cylinder into the next lane: its index. The models must stay where they are.
int ib_lanes_add(ib_RamLanes *lanes, const ib_RamModel *ram, const ib_FrictionModel *friction,
                 double mass);

// Opens the ports of a lane, and says how: the spool at `s` volts from the centre, the supply at
// a pressure.
ib_RamOpening ib_lanes_open(ib_RamLanes *lanes, int lane, double s, double supply);

// On by h in `parts` equal steps of the method, stops included.
void ib_lanes_step(ib_RamLanes *lanes, double h, int parts);

// On by h in one step of the method, with all pistons at the speed that their lanes have, stops or
// not. The air, the place and both sums go on.
void ib_lanes_lead(ib_RamLanes *lanes, double h);

#endif
