// plant/electric/motor.h: a DC motor from the five numbers of its data sheet. docs/plant/motor.md
// A brushless one with its controller is the same.
//
// Symbols: V voltage at the motor, I its current, w speed of its shaft, T torque at its shaft,
// R winding, Kt torque constant, Ke speed constant (RoboSim: Ki), b viscous loss, T0 Coulomb loss.
//
//   V = R I + L dI/dt + Ke w,   T = Kt I - loss(w)                      [RoboSim 4.1a, 4.2a, 4.2c]
#ifndef IB_PLANT_ELECTRIC_MOTOR_H
#define IB_PLANT_ELECTRIC_MOTOR_H

#include "base/formula.h"
#include "base/maths.h"
#include "base/schema.h"
#include "base/status.h"

// Torque lost inside the motor. `drive.loss` in a file, in this order.
enum {
    IB_LOSS_NONE,    ///< as published: free speed V/Ke at 0 A, which no motor has
    IB_LOSS_VISCOUS, ///< b w: the data sheet's free point is exact
    IB_LOSS_COULOMB, ///< T0 tanh(w / 1 rad/s): exact there too, and it holds a motor at rest
};
extern const char *const ib_motor_losses[]; ///< NULL-terminated, in the order of the enum

// Kt where the data sheet's is above Ke, which would make energy. `torque_constant` in a file, in
// this order.
enum {
    IB_TORQUE_BALANCED,   ///< Ke is used for it: the conversion conserves energy
    IB_TORQUE_DATA_SHEET, ///< as the data sheet has it, energy from nothing included
};
extern const char *const ib_motor_torque_constants[];

typedef struct ib_MotorConfig {
    double voltage;       ///< at which the others were measured [V], > 0
    double stall_torque;  ///< [N m], > 0
    double stall_current; ///< [A], > 0
    double free_speed;    ///< [rad/s], > 0
    double free_current;  ///< [A], >= 0, < stall_current
    int torque_constant;  ///< IB_TORQUE_*
} ib_MotorConfig;

typedef struct ib_MotorModel {
    double R;       ///< winding [ohm], > 0
    double per_R;   ///< 1/R [S]
    double Kt;      ///< torque per current [N m/A], > 0
    double Ke;      ///< back-EMF per speed [V s/rad], > 0; an ideal machine has Ke = Kt, no machine
                    ///< has less
    double viscous; ///< b [N m s], 0 unless that loss was chosen
    double coulomb; ///< T0 [N m], 0 unless that loss was chosen
} ib_MotorModel;

// Says which number is impossible: "free_current: 140 A is not below stall_current, 131 A".
ib_Status ib_motor_check(const ib_MotorConfig *config, ib_Error *error);

// Excess of the data sheet's Kt over its Ke by more than rounding (1 %): Kt/Ke; else 0.
double ib_motor_excess(const ib_MotorConfig *config);

// `loss` is one of IB_LOSS_*. The config has been checked.
void ib_motor_init(const ib_MotorConfig *config, int loss, ib_MotorModel *motor);

// Quasi-static current, the limit L -> 0:  I = (V - Ke w) / R
IB_FORMULA double ib_motor_current(const ib_MotorModel *motor, double volts, double w)
{
    return (volts - motor->Ke * w) * motor->per_R;
}

// The current is a state if the inductance L [H] > 0:  dI/dt = (V - R I - Ke w) / L
IB_FORMULA double ib_motor_current_rate(const ib_MotorModel *motor, double L, double volts,
                                        double current, double w)
{
    return (volts - motor->R * current - motor->Ke * w) / L;
}

// One step of backward Euler, stable for every Ts [s]:                             [RoboSim 4.1c]
//   I[n] = (L I[n-1]/Ts + V - Ke w) / (R + L/Ts)
// Limits: L -> 0 gives the quasi-static current; its fixed point is the quasi-static current.
IB_FORMULA double ib_motor_current_implicit(const ib_MotorModel *motor, double L, double Ts,
                                            double volts, double current, double w)
{
    double per_Ts = L / Ts;
    return (per_Ts * current + volts - motor->Ke * w) / (motor->R + per_Ts);
}

// Torque that bearings, brushes and iron take [N m]; its sign is the speed's:
//   b w   or   T0 tanh(w / 1 rad/s)
// Coulomb friction jumps at rest; the tanh makes it a steep but smooth line within +-3 rad/s.
IB_FORMULA double ib_motor_loss(const ib_MotorModel *motor, double w)
{
    double loss = motor->viscous * w;
    if (motor->coulomb != 0) loss += motor->coulomb * ib_tanh(w);
    return loss;
}

// Torque at the shaft:  T = Kt I - loss
// Limits: w = 0 -> stall torque (Ke/Kt of it where Kt was taken down to Ke); at the data sheet's
// free speed and current -> 0.
IB_FORMULA double ib_motor_torque(const ib_MotorModel *motor, double current, double w)
{
    return motor->Kt * current - ib_motor_loss(motor, w);
}

// Electrical power that the model turns into neither heat in the winding nor torque [W]:
//   P = (Ke - Kt) w I
// Data sheets give Ke != Kt; the energy balance carries the difference by name. With a data sheet's
// Kt > Ke (IB_TORQUE_DATA_SHEET) it is negative while driving: energy from nothing.
IB_FORMULA double ib_motor_conversion(const ib_MotorModel *motor, double current, double w)
{
    return (motor->Ke - motor->Kt) * w * current;
}

// Speed at which the torque is zero, for V >= 0 [rad/s]; 0 where the voltage cannot turn it:
//   w = (Kt V - R T0) / (Kt Ke + R b)
IB_FORMULA double ib_motor_free_speed(const ib_MotorModel *motor, double volts)
{
    double excess = motor->Kt * volts - motor->R * motor->coulomb;
    return excess > 0 ? excess / (motor->Kt * motor->Ke + motor->R * motor->viscous) : 0.0;
}

// -------------------------------------------------------------------------------------- parameters

extern const ib_PresetDef ib_motor_presets; ///< the entries of data/motors.yaml

// The data sheet's rows under a key such as "drive.motor", for a config struct that holds it in
// `part` and whether it was given in `given`; and where these are `motor` and `motor_given`.
#define IB_MOTOR_PART_ROWS(key, config, given, part)                                               \
    IB_ROW(key, IB_PARAM_PRESET, "1", "cim", 0, 0, &ib_motor_presets, config, given,               \
           "a motor of data/motors.yaml, or its data sheet as a map"),                             \
        IB_NUMBER_OF(key ".voltage", "V", "12 V", 1e-3, 1e4, config, part.voltage,                 \
                     "nominal voltage, at which the rest of the data sheet was measured"),         \
        IB_NUMBER_OF(key ".stall_torque", "N*m", NULL, 1e-9, 1e6, config, part.stall_torque,       \
                     "torque at standstill, at the nominal voltage"),                              \
        IB_NUMBER_OF(key ".stall_current", "A", NULL, 1e-6, 1e6, config, part.stall_current,       \
                     "current at standstill, at the nominal voltage"),                             \
        IB_NUMBER_OF(key ".free_speed", "rad/s", NULL, 1e-3, 1e6, config, part.free_speed,         \
                     "speed without load, at the nominal voltage"),                                \
        IB_NUMBER_OF(key ".free_current", "A", NULL, 0, 1e6, config, part.free_current,            \
                     "current without load, at the nominal voltage"),                              \
        IB_CHOICE_OF(key ".torque_constant", "balanced", ib_motor_torque_constants, config,        \
                     part.torque_constant,                                                         \
                     "where the data sheet's Kt (stall torque over stall current) is above Ke, "   \
                     "which makes energy: balanced takes Ke for it, data_sheet takes it as it is")
#define IB_MOTOR_ROWS(key, config) IB_MOTOR_PART_ROWS(key, config, motor_given, motor)

#endif
