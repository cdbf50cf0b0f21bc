// plant/electric/gearmotor.h: some equal motors behind one gear, as a torque on the gear's
// output shaft.
//
// Symbols: V voltage, w speed of the output shaft [rad/s], T torque on it; of one motor Kt, Ke, R
// and b as in plant/electric/motor.h; N motors, G reduction (motor speed over output speed),
// eta efficiency.
//
//   I = (V - Ke G w)/R,   T = eta N G (Kt I - b G w) = push V - drag w     [FRC 971, reference D2]
//   push = eta N G Kt/R,  drag = eta N G^2 (Kt Ke/R + b),  rotors J = N G^2 J_rotor
// Limits: w = 0, V as on the data sheet -> eta N G times the stall torque; T = 0 -> V/(Ke G), with
// `loss: viscous` the data sheet's free speed over G. The desk is linear: it takes the branch of a
// driving motor, on which the efficiency is a smaller Kt. On a robot (plant/actuator/actuator.h) a
// gear that is driven backwards brakes more.
#ifndef IB_PLANT_ELECTRIC_GEARMOTOR_H
#define IB_PLANT_ELECTRIC_GEARMOTOR_H

#include "base/schema.h"
#include "plant/electric/motor.h"
#include "plant/mechanism/mechanism.h"

typedef struct ib_GearmotorConfig {
    int motor_given; ///< always 1
    ib_MotorConfig motor;
    double rotor_inertia; ///< of one motor [kg m^2], >= 0
    int count;            ///< N, >= 1
    double reduction;     ///< G, > 0
    double efficiency;    ///< eta, 0 < eta <= 1
    double voltage;       ///< most the input may be, either way [V], > 0
    int loss;             ///< IB_LOSS_NONE or IB_LOSS_VISCOUS
    bool rotors;          ///< the rotors' inertia counts
} ib_GearmotorConfig;

void ib_gearmotor_init(const ib_GearmotorConfig *config, ib_GearmotorModel *gear);

// Kv, Kt, R and the stall current.
void ib_gearmotor_facts(const ib_GearmotorModel *gear, ib_MechanismFacts *facts);

// Adds the input of one gearmotor to the ports: `volts`, with its limits. Its load has its speed in
// the state `moves`, and goes by `lever` for a radian of the shaft [m]; 1: turns with it.
void ib_gearmotor_input(const ib_GearmotorModel *gear, int moves, double lever,
                        ib_MechanismPorts *ports);

// --------------------------------------------------------------------- rows of a kind's parameters

extern const char *const ib_gearmotor_losses[];

// One row of a kind's table, for a field of its config struct.
#define IB_GEARMOTOR_NUMBER(key, unit, fallback, min, max, field, sentence)                        \
    IB_NUMBER_OF(key, unit, fallback, min, max, ib_GearmotorConfig, field, sentence)

// Rows of several kinds: gravity at the desk; viscous friction of a rotating `what`, and of a
// linearly moving one, in a file that calls its config struct `Config`.
#define IB_GRAVITY_ROW(config, field)                                                              \
    IB_NUMBER_OF("gravity", "m/s^2", "9.80665 m/s^2", 0, 1e3, config, field,                       \
                 "acceleration of free fall")
#define IB_TURN_FRICTION_ROW(what)                                                                 \
    IB_NUMBER_ROW("friction", "N*m*s", "0 N*m*s", 0, 1e6, friction,                                \
                  "viscous friction of " what ": torque over speed")
#define IB_WAY_FRICTION_ROW(what)                                                                  \
    IB_NUMBER_ROW("friction", "N*s/m", "0 N*s/m", 0, 1e9, friction,                                \
                  "viscous friction of " what ": force over speed")

// The motor's rows and the gear's, for a config struct that begins with an ib_GearmotorConfig: its
// offsets are then those of the struct.
#define IB_GEARMOTOR_ROWS(count_key, counted, turns, rotors_count)                                 \
    IB_MOTOR_ROWS("motor", ib_GearmotorConfig),                                                    \
        IB_GEARMOTOR_NUMBER("motor.rotor_inertia", "kg*m^2", "0 kg*m^2", 0, 1e3, rotor_inertia,    \
                            "moment of inertia of the motor's own rotor"),                         \
        IB_ROW(count_key, IB_PARAM_COUNT, "1", counted, 1, 100, NULL, ib_GearmotorConfig, count,   \
               "number of motors that drive one gear"),                                            \
        IB_GEARMOTOR_NUMBER("reduction", "1", turns, 1e-3, 1e6, reduction,                         \
                            "gear reduction: motor speed over the speed behind the gear"),         \
        IB_GEARMOTOR_NUMBER(                                                                       \
            "efficiency", "1", "1", 1e-3, 1, efficiency,                                           \
            "efficiency of the gear; at the desk a smaller torque constant, both ways"),           \
        IB_GEARMOTOR_NUMBER(                                                                       \
            "voltage", "V", "12 V", 1e-3, 1e4, voltage,                                            \
            "largest voltage of the input, either way; above 12 V it is all of the battery's"),    \
        IB_CHOICE_OF(                                                                              \
            "loss", "none", ib_gearmotor_losses, ib_GearmotorConfig, loss,                         \
            "law of the loss torque inside a motor, whose size is from its free current"),         \
        IB_ROW("rotors", IB_PARAM_FLAG, "1", rotors_count, 0, 0, NULL, ib_GearmotorConfig, rotors, \
               "true: motor.rotor_inertia is added to the inertia that is moved")

#endif
