#include "plant/electric/gearmotor.h"

const char *const ib_gearmotor_losses[] = {"none", "viscous", NULL};

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

void ib_gearmotor_input(const ib_GearmotorModel *gear, int moves, double lever,
                        ib_MechanismPorts *ports)
{
    int at = ports->inputs++;
    ports->input[at] = (ib_MechanismPort){"volts", "V", "voltage of the motors", false};
    ports->gear[at] = *gear;
    ports->moves[at] = moves;
    ports->lever[at] = lever;
    ports->low[at] = -gear->voltage;
    ports->high[at] = gear->voltage;
}

void ib_gearmotor_facts(const ib_GearmotorModel *gear, ib_MechanismFacts *f)
{
    ib_fact_add(f, "Kv", "rad/(s*V)", "speed constant: speed of a motor per volt of its back-EMF",
                gear->Kv);
    ib_fact_add(f, "Kt", "N*m/A", "torque constant: torque per current, with the gear's loss",
                gear->Kt);
    ib_fact_add(f, "R", "ohm", "resistance of all windings on one gear, in parallel", gear->R);
    ib_fact_add(
        f, "stall_current", "A",
        "current of all motors on one gear at full voltage and at rest, if the battery gives it",
        gear->voltage / gear->R);
}
