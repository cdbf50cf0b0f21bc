// cli/verify_motor.h: what is computed for the claims about motors. Derivations:
// docs/motor_bench.md, docs/plant/motor.md
#ifndef IB_CLI_VERIFY_MOTOR_H
#define IB_CLI_VERIFY_MOTOR_H

#include "plant/motor.h"
#include "robot/motor_bench.h"
#include "verify.h"

#include "base/arena.h"

// The forms are losses, the default one first.
enum { LOSS_VISCOUS, LOSS_COULOMB, LOSS_NONE };

enum { MAX_MOTORS = 64, CURVE_POINTS = 201 };

// The computed values of one motor, a row each.
enum {
    MOTOR_R,
    MOTOR_KT,
    MOTOR_KE,
    MOTOR_RATIO,       ///< Kt/Ke
    MOTOR_SPEED,       ///< free, on the bench [rpm]
    MOTOR_CURRENT,     ///< free, on the bench [A]
    MOTOR_POWER,       ///< the greatest [W] …
    MOTOR_POWER_SPEED, ///< … and where [rpm]
    MOTOR_BEST,        ///< efficiency …
    MOTOR_BEST_SPEED,  ///< … and where [rpm]
    MOTOR_ROWS,
};

enum {
    NO_ROW,
    // The CIM of section 4.2.
    CIM_R,
    CIM_KT,
    CIM_KE,
    CIM_KE_KT, ///< Ke/Kt
    CIM_VISCOUS,
    CIM_COULOMB,
    CIM_SPEED,           ///< free [rpm]
    CIM_CURRENT,         ///< free [A]
    CIM_SPEED_PUBLISHED, ///< the same without loss torque, as the document has it
    CIM_CURRENT_PUBLISHED,
    CODE_CURRENT, ///< stall current and torque of the authors' code
    CODE_TORQUE,
    AMPLIFICATION, ///< of (4.2e) at 50 ms, measured
    AMPLIFICATION_CLOSED,
    LIMIT_STEP,       ///< longest stable step [s]
    LEAST_INDUCTANCE, ///< that is stable at 50 ms [H]
    // The spin-up.
    SPIN_IDEAL, ///< speed at 0.1 s, and by its closed form
    SPIN_IDEAL_CLOSED,
    SPIN_INDUCTIVE,
    SPIN_INDUCTIVE_CLOSED,
    SPIN_CURRENT, ///< with inductance at 0.1 s
    SPIN_CURRENT_CLOSED,
    SPIN_SHARE, ///< what the inductance changes of the speed at 0.1 s
    // All motors.
    MOTOR_COUNT,
    WORST_SPEED, ///< largest relative differences from the data sheets
    WORST_CURRENT,
    WORST_STALL_TORQUE,
    WORST_STALL_CURRENT,
    WORST_POWER, ///< … from the closed forms
    WORST_BEST,
    ABOVE_ONE, ///< motors with a best efficiency above 1
    FIRST_MOTOR,
    ALL_ROWS = FIRST_MOTOR + MAX_MOTORS * MOTOR_ROWS,
};

// A motor of the data file with the curve that the bench traced.
typedef struct BenchMotor {
    const char *name, *source, *sure;
    ib_MotorConfig sheet;
    double rotor_inertia;       ///< [kg m^2]
    double speed[CURVE_POINTS]; ///< [rpm]
    double torque[CURVE_POINTS], current[CURVE_POINTS];
    double power[CURVE_POINTS], efficiency[CURVE_POINTS];
} BenchMotor;

enum { SPIN_POINTS = 241 };

// The spin-up of the CIM; [0] without, [1] with inductance.
typedef struct SpinUp {
    double time[SPIN_POINTS];
    double speed[2][SPIN_POINTS], current[2][SPIN_POINTS];
} SpinUp;

// What `motor_compute` found beside numbers; it owns all of it until the program ends.
typedef struct MotorBook {
    ib_Arena arena;
    BenchMotor *motors;
    int count;
    SpinUp spin;
} MotorBook;

const MotorBook *motor_book(void);

ib_Status motor_compute(Found *found, ib_Error *error);
void motor_figures(const Found *found, ib_Text *html);

#endif
