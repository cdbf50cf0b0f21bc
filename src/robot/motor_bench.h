// robot/motor_bench.h: one motor on a bench: a supply, a flywheel, bearings and a brake.
// The derivation is in docs/robot/motor_bench.md.
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

#include "plant/electric/motor.h"
#include "plant/electric/thermal.h"
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
    double supply_limit;    ///< of the supply's current [A], +infinity: off
    double angle, speed;    ///< at the start [rad, rad/s]
} ib_MotorBenchConfig;

enum {
    IB_BENCH_COMMAND = IB_ENVIRONMENT_COUNT, ///< on a 12 V scale [V]
    IB_BENCH_BRAKE,                          ///< B [N m], >= 0
    IB_BENCH_GAIN,                           ///< factor on the motor's torque
    IB_BENCH_INPUTS,
};

// Its geometry (robot/motor_bench_geometry.c). NULL without memory.
const ib_Geometry *ib__motor_bench_geometry(const ib_MotorBenchConfig *config, ib_Arena *arena);

// Names of its signals, for code about motor benches only.
#define IB_NAME_MOTOR(what) "motor." what
#define IB_NAME_POWER(what) "power." what
#define IB_NAME_EFFICIENCY  "efficiency"

extern const ib_RobotKind ib_motor_bench_kind;

#endif
