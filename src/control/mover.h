// control/mover.h: velocities of a base to its commands, whatever moves it.
// A base with two sides turns and drives; one whose wheels let it goes any way. Who moves a base
// over the field (a routine) asks for velocities and need not know which it is.
// The derivation is in docs/control/routine.md, "Velocities to commands".
//
// Axes: 0 forward, 1 to the left, 2 turn to the left; robot frame.
#ifndef IB_CONTROL_MOVER_H
#define IB_CONTROL_MOVER_H

#include "base/status.h"
#include "control/steering.h"

enum { IB_MOVER_AXES = 3 };

typedef struct ib_MoverMotion {
    double velocity[IB_MOVER_AXES]; ///< [m/s, m/s, rad/s]
    double rate[IB_MOVER_AXES];     ///< of the velocity [m/s^2, m/s^2, rad/s^2]
} ib_MoverMotion;

// What a base with a command for each axis tells: a command of 1 alone is a top speed, reached
// with a time constant,
//   command = sign (velocity + lag rate)/top
typedef struct ib_AxisDrive {
    const char *command; ///< input of the robot
    double sign;         ///< 1, or -1 where its positive way is the other one
    double top;          ///< [m/s, rad/s], > 0
    double lag;          ///< [s], >= 0
    bool coasts;         ///< a command of 0 lets it roll on
} ib_AxisDrive;

typedef struct ib_Mover {
    const ib_Steering *steering; ///< of two sides; NULL: each axis has a command
    ib_AxisDrive axes[IB_MOVER_AXES];
    double top[IB_MOVER_AXES];   ///< fastest, alone; 0: it cannot go there [m/s, m/s, rad/s]
    double quick[IB_MOVER_AXES]; ///< largest rate from rest, alone [m/s^2, m/s^2, rad/s^2]
    bool coasts;                 ///< commands of 0 let it roll on
    int count;                   ///< of commands
    const char *commands[IB_MOVER_AXES];
} ib_Mover;

// Of a base with a command for each axis; of one with two sides, whose `steering` must outlive it.
void ib_mover_of_axes(const ib_AxisDrive axes[IB_MOVER_AXES], ib_Mover *mover);
ib_Status ib_mover_of_sides(const ib_Steering *steering, ib_Mover *mover, ib_Error *error);

// Can it go sideways without turning?
bool ib_mover_sideways(const ib_Mover *mover);

// What a motion takes: mover->count commands, which may be beyond their range. A base with two
// sides leaves out what is asked of it sideways.
void ib_mover_commands(const ib_Mover *mover, const ib_MoverMotion *motion, double *command);

#endif
