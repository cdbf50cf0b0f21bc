// robot/motor_bench.h: one motor on a bench: a supply, a flywheel, bearings and a brake.
// The derivation is in docs/motor_bench.md.
//
//   symbol     meaning                                              unit
//   E, Rs      voltage and resistance of the supply                 V, ohm
//   d, u       duty of the bridge, voltage at the motor             1, V
//   I, L       current and inductance of the winding                A, H
//   w, th      speed and angle of the shaft                         rad/s, rad
//   J          inertia of rotor and flywheel                        kg m^2
//   B, c, C    brake torque, viscous and Coulomb bearing friction   N m, N m s, N m
#ifndef IB_ROBOT_MOTOR_BENCH_H
#define IB_ROBOT_MOTOR_BENCH_H

#include "plant/bus.h"
#include "plant/motor.h"
#include "plant/thermal.h"
#include "robot/kind.h"

enum { IB_BENCH_QUASI_STATIC, IB_BENCH_IMPLICIT, IB_BENCH_EXPLICIT }; ///< as in robot/tank/tank.h

typedef struct ib_MotorBenchConfig {
    int motor_given; ///< always 1
    ib_MotorConfig motor;
    ib_ThermalConfig thermal;
    double rotor_inertia;   ///< of the motor, as the table knows it [kg m^2], >= 0
    double inertia;         ///< of the flywheel [kg m^2], >= 0; the sum with the rotor's > 0
    double bearing_viscous; ///< c [N m s], >= 0
    double bearing_coulomb; ///< C [N m], >= 0
    double inductance;      ///< L [H], > 0
    int current;            ///< IB_BENCH_QUASI_STATIC …
    int loss;               ///< IB_LOSS_NONE …
    double voltage;         ///< E [V], > 0
    double resistance;      ///< Rs [ohm], >= 0
    double current_limit;   ///< of the winding [A], +infinity: off
    double supply_limit;    ///< of what is drawn from the supply [A], +infinity: off
    double angle, speed;    ///< at the start [rad, rad/s]
} ib_MotorBenchConfig;

enum {
    IB_BENCH_ANGLE,
    IB_BENCH_SPEED,
    IB_BENCH_E_SUPPLY,     ///< energies so far [J]: given by the supply,
    IB_BENCH_E_RESISTANCE, ///< lost in its resistance,
    IB_BENCH_E_COPPER,     ///< in the winding,
    IB_BENCH_E_CONVERSION, ///< between electrical and mechanical power,
    IB_BENCH_E_LOSS,       ///< to the motor's loss torque,
    IB_BENCH_E_BEARING,    ///< in the bearings,
    IB_BENCH_E_BRAKE,      ///< in the brake
    IB_BENCH_E_START,      ///< kinetic energy at the start; does not change
    IB_BENCH_FIXED,
    IB_BENCH_CURRENT = IB_BENCH_FIXED, ///< of the winding, unless quasi-static [A]
    IB_BENCH_STATES,                   ///< temperatures may follow: ib_MotorBenchModel.thermal
};

enum {
    IB_BENCH_COMMAND = IB_ENVIRONMENT_COUNT, ///< on a 12 V scale [V]
    IB_BENCH_BRAKE,                          ///< B [N m], >= 0
    IB_BENCH_GAIN,                           ///< factor on the motor's torque
    IB_BENCH_INPUTS,
};

typedef struct ib_MotorBenchModel {
    ib_MotorModel motor;
    double inertia, per_inertia; ///< J [kg m^2], 1/J
    double viscous, coulomb;     ///< c [N m s], C [N m] of the bearings
    double inductance;           ///< L [H]
    double voltage, resistance;  ///< E [V], Rs [ohm] of the supply
    double current_limit;        ///< of the winding [A], may be infinite
    double supply_limit;         ///< of what is drawn from the supply [A], may be infinite
    bool inductive;              ///< the current is a state
    ib_ThermalModel thermal;     ///< its states stand behind all others
    int state_count;
} ib_MotorBenchModel;

// Torques and powers at one instant.
typedef struct ib_MotorBenchNow {
    double duty;                ///< d, -1 .. 1
    double volts, current;      ///< u [V], I [A]
    double supply_volts, drawn; ///< voltage and current of the supply [V], [A]
    double torque;              ///< at the motor's shaft [N m]
    double bearing, brake;      ///< torques, their sign is the speed's [N m]
    double copper, conversion;  ///< powers [W]
    double loss;                ///< of loss torque and of a torque disturbance [W]
} ib_MotorBenchNow;

void ib_motor_bench_init(const ib_MotorBenchConfig *config, ib_MotorBenchModel *bench);
ib_MotorBenchNow ib_motor_bench_now(const ib_MotorBenchModel *bench, const double *state,
                                    const double *input);
void ib_motor_bench_rate(const ib_MotorBenchModel *bench, const double *state, const double *input,
                         double *rate);

// How it looks (robot/motor_bench_look.c). NULL without memory.
const ib_Geometry *ib__motor_bench_look(const ib_MotorBenchConfig *config, ib_Arena *arena);

// Names of its signals, for those who speak of a motor bench and no other robot.
#define IB_NAME_MOTOR(what) "motor." what
#define IB_NAME_POWER(what) "power." what
#define IB_NAME_EFFICIENCY  "efficiency"

extern const ib_RobotKind ib_motor_bench_kind;

#endif
