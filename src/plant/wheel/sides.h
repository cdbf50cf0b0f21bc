// plant/wheel/sides.h: the wheels of a tank's two sides, as a part of a robot.
// The laws are in plant/wheel/wheel.h, their derivation in docs/plant/wheel.md.
//
// Left is side 0 and stands at y = +W; right is side 1 at y = -W. Wheels that never slip along the
// heading are geared to the floor, have no inertia, and roll with the body:
//   rim = u -+ W w,   F = torque/r
// Slipping wheels have a speed of their own:
//   J Omega' = torque - r F                                                     [reference B8]
#ifndef IB_PLANT_WHEEL_SIDES_H
#define IB_PLANT_WHEEL_SIDES_H

#include "plant/electric/drivetrain.h"
#include "plant/electric/motor_row.h"
#include "plant/wheel/wheel.h"

// Signals of each side, in this order, and of both.
enum { IB_SIDE_SPEED, IB_SIDE_SLIP, IB_SIDE_FORCE, IB_SIDE_SIGNALS };
extern const ib_SignalDef ib_side_signals[IB_SIDE_SIGNALS];
// Signals of the motors of a side, whose motion is that of the wheels.
extern const ib_SignalDef ib_side_motor_signals[IB_MOTOR_SIGNALS];
enum { IB_SIDES_FRONT, IB_SIDES_REAR, IB_SIDES_ACROSS };

typedef struct ib_Sides {
    ib_WheelModel wheel;
    ib_DrivetrainModel drive; ///< load of the motors
    int law;                  ///< IB_WHEEL_ROLLING …
    bool slips;               ///< a law in which speeds of wheels are states
    bool resists;             ///< rolls with resistance
    int shaft;                ///< the base's: that of the left side; the right one's is the next
    int gear;                 ///< state: 0 first, 1 second; -1: there is one gear
    int speed, bristles;      ///< states; -1: not there
    int wheels, rotors, tyre; ///< entries of the book: kinetic energies; lost
    int signal[2], across;    ///< the first of each side; of both
} ib_Sides;

// Values that its calls leave for each other.
typedef struct ib_SidesNotes {
    double rim[2];                      ///< speed of the rims [m/s]
    ib_WheelCircle circle;              ///< slips, where the law is a friction circle
    ib_WheelForces floor;               ///< of wheels that slip; `left`, `right` of all
    double drag[2];                     ///< resistance to rolling, as forces on the rims [N]
    double power;                       ///< taken by the floor [W]
    double bristles[IB_BRISTLE_STATES]; ///< their rates
} ib_SidesNotes;

extern const ib_PartKind ib_sides_part;

void ib_sides_init(const ib_WheelConfig *wheels, const ib_DrivetrainConfig *drive,
                   double half_track, ib_Sides *sides);

// Declares a side as "prefix.speed" …, and the lateral floor forces.
void ib_sides_declare_side(ib_Sides *sides, int side, const char *prefix, const char *part,
                           ib_Declarations *d);
void ib_sides_declare_across(ib_Sides *sides, ib_Declarations *d);
// States, and the entries of a book that has been declared.
void ib_sides_declare(ib_Sides *sides, ib_Declarations *d);

// The longest step with which RK4 follows them on a body of this mass and inertia, `heaviest` with
// all that it may carry, where motors with this resistance between speed and torque, N Kt Ke/R
// [N m s], drive them [s]. Infinite: any.
double ib_sides_resolution(const ib_Sides *sides, double mass, double inertia, double heaviest,
                           double motors);

#endif
