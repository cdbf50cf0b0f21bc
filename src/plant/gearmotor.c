#include "plant/gearmotor.h"

#include <string.h>

const char *const ib_gearmotor_losses[] = {"none", "viscous", NULL};

ib_Status ib_gearmotor_check(const ib_GearmotorConfig *config, ib_Error *error)
{
    ib_Error motor;
    if (ib_motor_check(&config->motor, &motor) != IB_OK)
        return ib_error_set(error, IB_BAD_INPUT, "motor.%s", motor.text);
    return IB_OK;
}

//   push = eta N G Kt/R,  drag = eta N G^2 (Kt Ke/R + b),  J = N G^2 J_rotor
void ib_gearmotor_init(const ib_GearmotorConfig *config, ib_GearmotorModel *gear)
{
    ib_MotorModel motor;
    ib_motor_init(&config->motor, config->loss, &motor);
    double N = config->count, G = config->reduction, eta = config->efficiency;
    gear->Kv = 1 / motor.Ke;
    gear->Kt = eta * motor.Kt;
    gear->R = motor.R / N;
    gear->push = G * gear->Kt / gear->R;
    gear->drag = G * G * (gear->Kt * motor.Ke / gear->R + eta * N * motor.viscous);
    gear->inertia = config->rotors ? N * G * G * config->rotor_inertia : 0;
    gear->voltage = config->voltage;
}

void ib_gearmotor_input(const ib_GearmotorModel *gear, ib_MechanismPorts *ports)
{
    int at = ports->inputs++;
    ports->input[at] = (ib_MechanismPort){"volts", "V", "voltage of the motors", false};
    ports->gear[at] = *gear;
    ports->low[at] = -gear->voltage;
    ports->high[at] = gear->voltage;
}

int ib_gearmotor_facts(const ib_GearmotorModel *gear, ib_MechanismFact *facts)
{
    facts[0] = (ib_MechanismFact){
        "Kv", "rad/(s*V)", "speed constant: speed of a motor per volt of its back-EMF", gear->Kv};
    facts[1] = (ib_MechanismFact){
        "Kt", "N*m/A", "torque constant: torque per current, with the gear's loss", gear->Kt};
    facts[2] = (ib_MechanismFact){"R", "ohm", "resistance of all windings on one gear, in parallel",
                                  gear->R};
    facts[3] = (ib_MechanismFact){
        "stall_current", "A",
        "current of all motors on one gear at full voltage and at rest, if the battery gives it",
        gear->voltage / gear->R};
    return 4;
}
