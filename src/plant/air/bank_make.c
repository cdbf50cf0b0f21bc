// plant/air/bank_make.c: a bank's numbers, checked and prepared.
#include "plant/air/bank.h"

#include <string.h>

// ------------------------------------------------------------------------------------------- check

static ib_Status check_cylinder(const ib_BankConfig *config, int i, ib_Error *error)
{
    const ib_BankCylinder *own = &config->cylinders[i];
    const ib_CylinderConfig *cylinder = &own->cylinder, *first = &config->cylinders[0].cylinder;
    ib_Status status = ib_cylinder_check(cylinder, error);
    if (status == IB_OK) status = ib_friction_check(&own->friction, error);
    if (status != IB_OK) return status;
    if (cylinder->R != first->R || cylinder->temperature != first->temperature ||
        cylinder->atmosphere != first->atmosphere)
        return ib_error_set(error, IB_BAD_INPUT,
                            "gas_constant, temperature, atmosphere: expected those of the first "
                            "cylinder (%g J/(kg K), %g K, %g Pa), since all have one supply; got "
                            "%g J/(kg K), %g K, %g Pa",
                            first->R, first->temperature, first->atmosphere, cylinder->R,
                            cylinder->temperature, cylinder->atmosphere);
    ib_FrictionModel friction;
    ib_friction_init(&own->friction, cylinder->stroke, &friction);
    if (!config->friction_outside && ib_friction_sticks(&friction))
        return ib_error_set(error, IB_BAD_INPUT,
                            "friction.law: %s jumps where the piston turns, which forces at a "
                            "step's start cannot follow: leave it to the engine, or choose "
                            "stribeck, smooth, saturated, lugre or viscous",
                            ib_friction_laws[friction.law]);
    double Pe = cylinder->exhaust, Ps = config->supply.supply.pressure;
    if (Pe > Ps && Ps >= cylinder->atmosphere)
        return ib_error_set(error, IB_BAD_INPUT,
                            "exhaust: expected less than supply.pressure (%g Pa), got %g Pa", Ps,
                            Pe);
    return IB_OK;
}

ib_Status ib_bank_check(const ib_BankConfig *config, ib_Error *error)
{
    if (config->count < 1 || config->count > IB_BANK_CYLINDERS)
        return ib_error_set(error, IB_BAD_INPUT, "cylinders: expected 1 to %d, got %d",
                            IB_BANK_CYLINDERS, config->count);
    for (int i = 0; i < config->count; i++) {
        ib_Error part;
        ib_Status status = check_cylinder(config, i, &part);
        if (status != IB_OK) return ib_error_set(error, status, "cylinders[%d]: %s", i, part.text);
    }
    return ib_chain_check(&config->supply, error);
}

// -------------------------------------------------------------------------------------------- init

// The state: each cylinder's, the supply's, the books.
static void lay_out(ib_BankModel *bank)
{
    int next = 0;
    for (int i = 0; i < bank->count; i++) {
        ib_BankPlace *place = &bank->place[i];
        int spool = ib_proportional_states(&bank->cylinder[i].valve);
        bool bristles = ib_friction_bristles(&bank->friction[i]) && !bank->friction_outside;
        place->air = next;
        next += IB_CYLINDER_STATES;
        place->spool = spool > 0 ? next : -1;
        next += spool;
        place->bristle = bristles ? next++ : -1;
    }
    bank->supply = next;
    bank->books = bank->supply + IB_CHAIN_STATES;
    bank->state_count = bank->books + IB_CYLINDER_SUMS;
}

void ib_bank_init(const ib_BankConfig *config, ib_BankModel *bank)
{
    memset(bank, 0, sizeof *bank);
    bank->count = config->count;
    bank->friction_outside = config->friction_outside;
    for (int i = 0; i < bank->count; i++) {
        const ib_BankCylinder *own = &config->cylinders[i];
        ib_cylinder_init(&own->cylinder, &bank->cylinder[i]);
        ib_friction_init(&own->friction, own->cylinder.stroke, &bank->friction[i]);
    }
    const ib_CylinderConfig *first = &config->cylinders[0].cylinder;
    ib_chain_init(&config->supply, &bank->cylinder[0].orifice, first->R, first->temperature,
                  first->atmosphere, &bank->chain);
    lay_out(bank);
}

void ib_bank_fill(const ib_BankModel *bank, int i, double x, double cap, double rod, double *state)
{
    const ib_CylinderModel *cylinder = &bank->cylinder[i];
    const double T = cylinder->temperature;
    ib_cylinder_fill(cylinder, x, (double[]){cap, rod}, (double[]){T, T},
                     state + bank->place[i].air);
}

void ib_bank_reset(const ib_BankModel *bank, const double *x, const double *volts, double *state)
{
    memset(state, 0, (size_t)bank->state_count * sizeof *state);
    for (int i = 0; i < bank->count; i++) {
        const ib_CylinderModel *cylinder = &bank->cylinder[i];
        ib_bank_fill(bank, i, x[i], cylinder->atmosphere, cylinder->atmosphere, state);
        if (bank->place[i].spool >= 0)
            state[bank->place[i].spool] = ib_proportional_command(&cylinder->valve, volts[i]);
    }
    ib_chain_reset(&bank->chain, state + bank->supply);
}
