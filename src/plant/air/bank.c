// plant/air/bank.c: the cylinders of a bank: the forces on their pistons, and their air over
// a step.
#include "plant/air/bank.h"

#include "base/extreme.h"

#include <string.h>

// ------------------------------------------------------------------------------------------- force

// Clamped place of a piston: half of each dead length always remains.
static double within(const ib_CylinderModel *c, double x)
{
    double low = -0.5 * c->side[IB_SIDE_CAP].length, high = 0.5 * c->side[IB_SIDE_ROD].length;
    return ib_min(ib_max(x, low), c->stroke + high);
}

static double friction_of(const ib_BankModel *bank, const double *state, int i, double x, double v)
{
    const ib_FrictionModel *friction = &bank->friction[i];
    if (bank->friction_outside) return 0;
    if (bank->place[i].bristle >= 0)
        return ib_friction_lugre(friction, v, state[bank->place[i].bristle], x, 0).force;
    return ib_friction_force(friction, v, x, 0);
}

ib_BankNow ib_bank_evaluate(const ib_BankModel *bank, const double *state, int i, double x,
                            double v)
{
    const ib_CylinderModel *c = &bank->cylinder[i];
    const double *air = state + bank->place[i].air;
    double cap = ib_cylinder_pressure(c, IB_SIDE_CAP, x, air);
    double rod = ib_cylinder_pressure(c, IB_SIDE_ROD, x, air);
    return (ib_BankNow){.pressure = {cap, rod},
                        .force = ib_cylinder_force(c, cap, rod),
                        .friction = friction_of(bank, state, i, x, v)};
}

// -------------------------------------------------------------------------------- a part of a step

// A part of a step: its length, the supply that all cylinders see, and each of them at its start.
typedef struct Part {
    double h;
    ib_CylinderSupply supply;
    ib_CylinderLed led[IB_BANK_CYLINDERS];
} Part;

// Bristles bend at the piston's speed, at the friction of the way's middle.
static void bend(const ib_FrictionModel *friction, const ib_CylinderLed *led, double h, double *z)
{
    *z = ib_friction_bend(friction, led->v, *z, led->x + 0.5 * h * led->v, 0, h);
}

// Steps all cylinders with spools, bristles and books; returns their use of the supply [kg].
static double step_all(const ib_BankModel *bank, const Part *part, double *state)
{
    double taken = 0;
    for (int i = 0; i < bank->count; i++) {
        const ib_BankPlace *place = &bank->place[i];
        ib_CylinderLed led = part->led[i];
        led.supply = part->supply;
        if (place->bristle >= 0) bend(&bank->friction[i], &led, part->h, state + place->bristle);
        ib_cylinder_lead(&led, part->h);
        memcpy(state + place->air, led.air, sizeof led.air);
        for (int k = 0; k < ib_proportional_states(&led.cylinder->valve); k++)
            state[place->spool + k] = led.spool[k];
        for (int k = 0; k < IB_CYLINDER_SUMS; k++) state[bank->books + k] += led.sums[k];
        taken += led.sums[IB_CYLINDER_USED];
    }
    return taken;
}

// ------------------------------------------------------------------------------ one supply for all

// Use of the supply by a chamber within a part, and its derivative by pressure: an implicit step of
// its own, with differences of q by the supply's and by its own pressure.
static void reckon(const ib_CylinderModel *c, const ib_ChamberNow *chamber,
                   const ib_PortOpening *open, const Part *part, double *take, double *slope)
{
    double P = chamber->pressure, p = open->pressure, root = part->supply.root, less = 1e-5;
    ib_ChamberNow more = *chamber;
    more.pressure = P * (1 + less);
    double q = ib_chamber_inflow(c, chamber, open->area, p, root);
    double by_own = (ib_chamber_inflow(c, &more, open->area, p, root) - q) / (less * P);
    double by_port =
        (ib_chamber_inflow(c, chamber, open->area, p * (1 + less), root) - q) / (less * p);
    double T = q > 0 ? part->supply.temperature : chamber->temperature;
    double stiff = (c->k1 * c->cp * T / chamber->volume) * -by_own; // k R = (k - 1) cp
    double held = part->h / (1 + part->h * ib_max(stiff, 0));
    double given = ib__cylinder_supplied(c, chamber, open, &part->supply, q);
    if (given == 0) return;
    *take += given * held;
    *slope += ib_max(by_port, 0) * open->fed * held;
}

// The pressure that all of them see over a part.
static double seen(const ib_BankModel *bank, const double *state, const Part *part)
{
    double take = 0, slope = 0;
    for (int i = 0; i < bank->count; i++) {
        const ib_CylinderLed *led = &part->led[i];
        double s = ib_cylinder_led_spool(led, 0.5 * part->h);
        ib_CylinderOpening open =
            ib_cylinder_open(led->cylinder, s, ib_proportional_up(s), part->supply.pressure);
        for (int k = 0; k < IB_SIDES; k++) {
            ib_ChamberNow chamber = ib_cylinder_chamber(led->cylinder, k, led->x, led->air);
            reckon(led->cylinder, &chamber, &open.port[k], part, &take, &slope);
        }
    }
    return ib_chain_seen(&bank->chain, state + bank->supply, part->h, take, slope);
}

// Steps with a supply that sags; if the valves would use more air than there is, a lower pressure
// is tried. Returns their use.
static double step_sagging(const ib_BankModel *bank, Part *part, double *state)
{
    double begin[IB_BANK_MAX_STATES], taken = 0;
    memcpy(begin, state, (size_t)bank->state_count * sizeof *begin);
    part->supply.pressure = seen(bank, state, part);
    for (int round = 0; round < 12; round++) {
        taken = step_all(bank, part, state);
        if (ib_chain_bears(&bank->chain, begin + bank->supply, part->h, taken)) break;
        memcpy(state, begin, (size_t)bank->state_count * sizeof *state);
        part->supply.pressure *= 0.5;
    }
    return taken;
}

// -------------------------------------------------------------------------------------------- step

static void begin_part(const ib_BankModel *bank, const ib_BankDrive *drive, int number,
                       const double *state, Part *part)
{
    double own = ib_chain_pressure(&bank->chain, state + bank->supply);
    part->supply =
        (ib_CylinderSupply){drive->supply > 0 ? drive->supply : own, bank->cylinder[0].temperature,
                            bank->cylinder[0].root_temperature};
    for (int i = 0; i < bank->count; i++) {
        const ib_CylinderModel *cylinder = &bank->cylinder[i];
        const ib_BankPlace *place = &bank->place[i];
        ib_CylinderLed *led = &part->led[i];
        double x0 = within(cylinder, drive->x0[i]), x1 = within(cylinder, drive->x1[i]);
        led->cylinder = cylinder;
        led->x = x0 + (x1 - x0) * (1.0 / drive->parts * number);
        led->v = (x1 - x0) / drive->h;
        led->command = ib_proportional_command(&cylinder->valve, drive->volts[i]);
        if (place->spool >= 0) memcpy(led->spool, state + place->spool, sizeof led->spool);
        memcpy(led->air, state + place->air, sizeof led->air);
    }
}

void ib_bank_drive(const ib_BankModel *bank, const double *state, const ib_BankDrive *drive,
                   double *next)
{
    Part part;
    const ib_ChainModel *chain = &bank->chain;
    double *supply = next + bank->supply;
    part.h = drive->h / drive->parts;
    if (next != state) memcpy(next, state, (size_t)bank->state_count * sizeof *next);
    if (chain->led) supply[IB_CHAIN_TANK] = drive->source;
    for (int number = 0; number < drive->parts; number++) {
        begin_part(bank, drive, number, next, &part);
        bool sags = drive->supply <= 0 && ib_chain_sags(chain);
        double taken = sags ? step_sagging(bank, &part, next) : step_all(bank, &part, next);
        if (drive->supply <= 0) ib_chain_step(chain, supply, part.h, taken, supply);
    }
}

ib_JointFriction ib_bank_joint(const ib_BankModel *bank, int i, double lever)
{
    const ib_FrictionModel *friction = &bank->friction[i];
    double dry = 0.5 * (friction->coulomb[0] + friction->coulomb[1]);
    return (ib_JointFriction){friction->viscous * lever * lever, dry * fabs(lever)};
}
