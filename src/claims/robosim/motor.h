// claims/robosim/motor.h: the computed values for the claims about motors. The derivations are in
// docs/robot/motor_bench.md and docs/plant/motor.md.
#ifndef IB_CLAIMS_ROBOSIM_MOTOR_H
#define IB_CLAIMS_ROBOSIM_MOTOR_H

#include "claims/document.h"
#include "plant/electric/motor.h"

// The forms are losses, the default one first.
enum { IB__FORM_VISCOUS, IB__FORM_COULOMB, IB__FORM_NONE };

enum { IB__MAX_MOTORS = 64, IB__CURVE_POINTS = 201 };

// The computed values of one motor, a row each.
enum {
    IB__MOTOR_R,
    IB__MOTOR_KT,
    IB__MOTOR_KE,
    IB__MOTOR_RATIO,       ///< Kt/Ke
    IB__MOTOR_SPEED,       ///< free, on the bench [rpm]
    IB__MOTOR_CURRENT,     ///< free, on the bench [A]
    IB__MOTOR_POWER,       ///< the greatest [W] …
    IB__MOTOR_POWER_SPEED, ///< … and its speed [rpm]
    IB__MOTOR_BEST,        ///< efficiency …
    IB__MOTOR_BEST_SPEED,  ///< … and its speed [rpm]
    IB__MOTOR_ROWS,
};

enum {
    // The CIM of section 4.2.
    IB__CIM_R = IB_NO_ROW + 1,
    IB__CIM_KT,
    IB__CIM_KE,
    IB__CIM_KE_KT, ///< Ke/Kt
    IB__CIM_VISCOUS,
    IB__CIM_COULOMB,
    IB__CIM_SPEED,           ///< free [rpm]
    IB__CIM_CURRENT,         ///< free [A]
    IB__CIM_SPEED_PUBLISHED, ///< the same without loss torque, as in the document
    IB__CIM_CURRENT_PUBLISHED,
    IB__CODE_CURRENT, ///< stall current and torque of the authors' code
    IB__CODE_TORQUE,
    IB__AMPLIFICATION, ///< of (4.2e) at 50 ms, measured
    IB__AMPLIFICATION_CLOSED,
    IB__LIMIT_STEP,       ///< longest stable step [s]
    IB__LEAST_INDUCTANCE, ///< that is stable at 50 ms [H]
    // The spin-up.
    IB__SPIN_IDEAL, ///< speed at 0.1 s, and by its closed form
    IB__SPIN_IDEAL_CLOSED,
    IB__SPIN_INDUCTIVE,
    IB__SPIN_INDUCTIVE_CLOSED,
    IB__SPIN_CURRENT, ///< with inductance at 0.1 s
    IB__SPIN_CURRENT_CLOSED,
    IB__SPIN_SHARE, ///< relative change of the speed at 0.1 s by the inductance
    IB__SPIN_FIRST, ///< current with inductance over its largest, after 0.1 ms …
    IB__SPIN_LAST,  ///< … and at the end
    // All motors.
    IB__MOTOR_COUNT,
    IB__WORST_SPEED, ///< largest relative differences from the data sheets
    IB__WORST_CURRENT,
    IB__WORST_STALL_TORQUE,
    IB__WORST_STALL_CURRENT,
    IB__WORST_POWER, ///< … from the closed forms
    IB__WORST_BEST,
    IB__ABOVE_ONE, ///< motors with a best efficiency above 1
    IB__FIRST_MOTOR,
    IB__ALL_ROWS = IB__FIRST_MOTOR + IB__MAX_MOTORS * IB__MOTOR_ROWS,
};

// A motor of the data file with its curve from the bench.
typedef struct ib__BenchMotor {
    const char *name;               ///< of the preset: "cim"
    const char *source, *sure;      ///< of the data sheet, and its certainty; from the file
    ib_MotorConfig sheet;           ///< the data sheet, with its own Kt
    double rotor_inertia;           ///< [kg m^2]
    double speed[IB__CURVE_POINTS]; ///< [rpm]
    double torque[IB__CURVE_POINTS], current[IB__CURVE_POINTS];   ///< [N m], [A]
    double power[IB__CURVE_POINTS], efficiency[IB__CURVE_POINTS]; ///< [W], [1]
} ib__BenchMotor;

enum { IB__SPIN_POINTS = 241 };

// The spin-up of the CIM; [0] without, [1] with inductance.
typedef struct ib__SpinUp {
    double time[IB__SPIN_POINTS];                                  ///< [s]
    double speed[2][IB__SPIN_POINTS], current[2][IB__SPIN_POINTS]; ///< [rad/s], [A]
} ib__SpinUp;

// Results besides numbers: the details of the findings.
typedef struct ib__MotorBook {
    ib__BenchMotor *motors; ///< `count` of them, in the order of the data file
    int count;
    ib__SpinUp spin;
} ib__MotorBook;

// Computes all values; the book is made in the findings' arena.
ib_Status ib__motor_claims_compute(ib_Findings *findings, ib_Error *error);
void ib__motor_claims_figures(const ib_Findings *findings, ib_Text *html);

#endif
