// plant/electric/drivetrain.h: motors to wheels: two sides, reduction, efficiency, rotors, two
// gears. The derivation is in docs/plant/drivetrain.md.
//
// Symbols: N motors a side, G reduction (motor speed over wheel speed), Omega wheel speed [rad/s],
//   w_m = G Omega motor speed, T torque of one motor [N m], J rotor inertia, J_w wheels of a side.
#ifndef IB_PLANT_ELECTRIC_DRIVETRAIN_H
#define IB_PLANT_ELECTRIC_DRIVETRAIN_H

#include "base/formula.h"
#include "base/status.h"

#include <math.h>

enum { IB_GEARS = 2 };

typedef struct ib_DrivetrainConfig {
    int motors_per_side;   ///< N, >= 1
    double reduction;      ///< G, > 0
    double reduction_high; ///< G of the second gear, > 0; 0: there is none
    double wheel_diameter; ///< [m], > 0
    double efficiency;     ///< of the gears, 0 < eta <= 1
    double rotor_inertia;  ///< J of one motor [kg m^2], >= 0
    double wheel_inertia;  ///< J_w: wheels of one side alone [kg m^2], >= 0
} ib_DrivetrainConfig;

typedef struct ib_DrivetrainModel {
    double motors;                ///< N
    double reduction[IB_GEARS];   ///< G of first and second gear; equal where there is one gear
    double radius, per_radius;    ///< of the wheels [m], [1/m]
    double rotor_inertia;         ///< J [kg m^2]
    double wheel_inertia;         ///< J_w [kg m^2]
    double inertia[IB_GEARS];     ///< J_w + N G^2 J: a side at its wheels [kg m^2]
    double per_inertia[IB_GEARS]; ///< its reciprocal [1/(kg m^2)]; infinite for 0
} ib_DrivetrainModel;

// RoboSim's robot: two CIMs a side (J = 7.75e-5), 10.71:1, 6 in wheels, no loss.
ib_DrivetrainConfig ib_drivetrain_default(void);
ib_Status ib_drivetrain_check(const ib_DrivetrainConfig *config, ib_Error *error);
void ib_drivetrain_init(const ib_DrivetrainConfig *config, ib_DrivetrainModel *model);

// Moment of inertia of a plate 0.9 length by 2 half_track [kg m^2]:     [RoboSim 10.4d]
//   I = M/12 ((0.9 L)^2 + (2 W)^2)
IB_FORMULA double ib_drivetrain_plate_inertia(double mass, double length, double half_track)
{
    double a = 0.9 * length, b = 2.0 * half_track;
    return mass / 12.0 * (a * a + b * b);
}

// Gears that lose a part of the power that flows through them, P = T w_m of one motor,
// pass on the torque times
//   e = 1 - (1 - eta)   b   forward,  P > 0
//   e = 1 + (1/eta - 1) b   backward, P < 0,   b = |w_m|/(|w_m| + 10 rad/s)
// In motion e is eta or 1/eta. At standstill e = 1: the torque is continuous, and the loss is never
// negative (a jump at P = 0 would chatter; a loss below zero would be a source). Here: e - 1.
//   torque at the wheels = N G T e,   loss = N P (1 - e) >= 0
IB_FORMULA double ib_gear_change(double lost, double gained, double P, double motor_speed)
{
    double size = fabs(motor_speed), share = size / (size + 10.0);
    // Both are read, so that no branch depends on the sign of P, which at rest is one of rounding.
    return (P > 0.0 ? -lost : gained) * share;
}

typedef struct ib_Shift {
    double speed; ///< of the wheels afterwards [rad/s]
    double lost;  ///< energy turned into heat by the clutch dogs [J], >= 0
} ib_Shift;

// Instantaneous shift from one gear to the other. The rotors spin with G1 Omega and must spin with
// G2 Omega'; the dogs' impulse passes through the gear G2 to the wheels, without external forces:
//   Omega' = (J_w Omega + N J G2 G1 Omega) / (J_w + N J G2^2)
//   lost   = 1/2 N J J_w/(J_w + N J G2^2) (G1 Omega - G2 Omega)^2
// Limits: J = 0 or G1 = G2: nothing changes; J_w = 0: the rotors keep their speed.
IB_FORMULA ib_Shift ib_drivetrain_shift(const ib_DrivetrainModel *m, int from, int to, double speed)
{
    double G1 = m->reduction[from], G2 = m->reduction[to];
    double rotors = m->motors * m->rotor_inertia, all = m->inertia[to];
    double jump = (G1 - G2) * speed;
    ib_Shift shift = {speed, 0.0};
    if (all > 0.0) {
        shift.speed = speed + rotors * G2 * jump / all;
        shift.lost = 0.5 * rotors * m->wheel_inertia / all * jump * jump;
    }
    return shift;
}

#endif
