// robot/assembly/assembly_inside.h: what the files of an assembly share.
#ifndef IB_ROBOT_ASSEMBLY_INSIDE_H
#define IB_ROBOT_ASSEMBLY_INSIDE_H

#include "plant/feed.h"
#include "robot/assembly/assembly.h"
#include "robot/planar.h"
#include "robot/pneumatics.h"

// The model of a base with mechanisms on it.
typedef struct ib__Assembly {
    ib_RobotKind kind; ///< the base's, with the functions below
    ib_Robot base;
    ib_PowerModel power;    ///< the base's, with the branches of all; or one of its own
    ib_Feed feed;           ///< the same, for the wires of mechanisms
    bool own_power;         ///< the base has none
    const ib_AirModel *air; ///< the base's or its own; NULL: there is none
    int air_state;          ///< where the air's states begin
    bool own_air;
    ib_Pneumatics pneumatics; ///< where the air is its own
    int count;
    ib_Actuator *items;
    int bridges;
    int inputs;            ///< of the whole robot
    int hook;              ///< the mechanism whose hook lifts the robot; -1: none does
    int swayed;            ///< the mechanism that the base feels, and that feels it; -1: none does
    ib_PlanarModel planar; ///< the base's, where one sways
    // Where signals lie among the robot's.
    int power_signal;  ///< ib_power_signals where it is the assembly's own
    int energy_signal; ///< those below
    int stored_signal; ///< air.stored; -1: there is no air
} ib__Assembly;

// What the supply of an assembly's own shows of its energies.
enum { IB__E_BATTERY, IB__E_RESISTANCE, IB__E_BACKGROUND, IB__E_OWN };

// Makes the robot's tables (robot/assembly/assembly_ports.c) once everything has its place: inputs
// and states as many as `places` says. False without memory.
bool ib__assembly_ports(ib__Assembly *assembly, const ib_OutfitConfig *outfit,
                        const ib_Places *places, ib_Arena *arena, ib_RobotPorts *ports);

// A hook that lifts the robot (robot/assembly/assembly_hook.c).
enum { IB__HOISTED_INPUTS = 128 }; ///< most of a base that a hook may lift

// The inputs of the base, as it feels them on a hook: in `own`, or as they are without one.
const double *ib__assembly_hoisted(const ib__Assembly *assembly, const double *x,
                                   const double *input, double own[IB__HOISTED_INPUTS]);
// Finds the mechanism with the hook; refuses two of them, and a base that cannot hang.
ib_Status ib__assembly_check_hook(const ib_OutfitConfig *outfit, ib__Assembly *assembly,
                                  ib_Error *error);
// Tells the hook whom it lifts. No state is a mere sum any more: it feels where the robot is.
void ib__assembly_carry(ib__Assembly *assembly, ib_RobotPorts *ports);
// What it begins with; refuses a start from which the robot cannot hang.
ib_Status ib__assembly_begin(ib__Assembly *assembly, const double *x, ib_Error *error);

// A mechanism with `reaction` (robot/assembly/assembly_reaction.c).
enum { IB__SWAYED_STATES = 512 }; ///< most of a base that one may sway on

// Finds it; refuses two of them, a base that does not move, and a hook beside it.
ib_Status ib__assembly_check_reaction(const ib_OutfitConfig *outfit, ib__Assembly *assembly,
                                      ib_Error *error);
// The base where it is mounted. `rate`: of the base's states without the mechanism; NULL: not
// known, and `felt` is 0.
ib_Mount ib__assembly_mount(const ib__Assembly *assembly, const double *x, const double *input,
                            const double *rate);
// The base's inputs with a force [N] there, in `own`; `input` may be `own`.
const double *ib__assembly_pushed(const ib__Assembly *assembly, const double *x,
                                  const double *input, double force,
                                  double own[IB__HOISTED_INPUTS]);
// An impulse [N s] there: on the base's velocities and its account of pushes.
void ib__assembly_kick(const ib__Assembly *assembly, double impulse, double *x);
// What an impulse does to base and mechanism together: as ib_RobotKind.answer.
ib_Twist ib__assembly_answer(const ib__Assembly *assembly, const double *x, double jx, double jy,
                             double turn, double *change);

// The mechanisms as loops see them; inputs and signals are there.
bool ib__assembly_parts(const ib__Assembly *assembly, ib_Arena *arena, ib_RobotPorts *ports);

#endif
