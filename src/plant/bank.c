// plant/bank.c: the cylinders of a bank: what pushes their pistons, and their air over a step.
#include "plant/bank.h"

#include "base/extreme.h"

#include <string.h>

// ------------------------------------------------------------------------------------------- force

// Where a piston is taken to be: half of each dead length is always left.
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

static double force_of(const ib_BankModel *bank, const double *state, int i, double x)
{
    const ib_CylinderModel *c = &bank->cylinder[i];
    const double *air = state + bank->place[i].air;
    return ib_cylinder_force(c, ib_cylinder_pressure(c, IB_SIDE_CAP, x, air),
                             ib_cylinder_pressure(c, IB_SIDE_ROD, x, air));
}

void ib_bank_force(const ib_BankModel *bank, const double *state, const double *x, const double *v,
                   double *force)
{
    for (int i = 0; i < bank->count; i++)
        force[i] = force_of(bank, state, i, x[i]) - friction_of(bank, state, i, x[i], v[i]);
}

ib_BankNow ib_bank_look(const ib_BankModel *bank, const double *state, int i, double x, double v)
{
    const ib_CylinderModel *c = &bank->cylinder[i];
    ib_BankNow now = {.friction = friction_of(bank, state, i, x, v)};
    for (int k = 0; k < IB_SIDES; k++)
        now.pressure[k] = ib_cylinder_chamber(c, k, x, state + bank->place[i].air).pressure;
    now.force = ib_cylinder_force(c, now.pressure[IB_SIDE_CAP], now.pressure[IB_SIDE_ROD]);
    return now;
}

// -------------------------------------------------------------------------------- a part of a step

// A part of a step, and what its cylinders are told.
typedef struct Part {
    double h;
    double x[IB_BANK_CYLINDERS], v[IB_BANK_CYLINDERS];
    double command[IB_BANK_CYLINDERS];
    ib_CylinderSupply supply;
} Part;

static void lead(const ib_BankModel *bank, const double *state, const Part *part, int i,
                 ib_CylinderLed *led)
{
    const ib_BankPlace *place = &bank->place[i];
    led->cylinder = &bank->cylinder[i];
    led->x = part->x[i];
    led->v = part->v[i];
    led->command = part->command[i];
    led->supply = part->supply;
    if (place->spool >= 0) memcpy(led->spool, state + place->spool, sizeof led->spool);
    memcpy(led->air, state + place->air, sizeof led->air);
}

// Air and books behind a part; says what was taken from the supply [kg].
static double enter(const ib_BankModel *bank, int i, const ib_CylinderLed *led, double *next)
{
    const ib_BankPlace *place = &bank->place[i];
    memcpy(next + place->air, led->air, sizeof led->air);
    for (int k = 0; k < ib_proportional_states(&bank->cylinder[i].valve); k++)
        next[place->spool + k] = led->spool[k];
    next[place->used] += led->sums[IB_CYLINDER_USED];
    next[place->work] += led->sums[IB_CYLINDER_WORK];
    for (int k = 0; k < IB_CYLINDER_SUMS; k++) next[bank->books + k] += led->sums[k];
    return led->sums[IB_CYLINDER_USED];
}

// Bristles bend at the piston's speed, at the friction of the way's middle.
static void bend(const ib_BankModel *bank, const double *state, const Part *part, double *next)
{
    for (int i = 0; i < bank->count; i++) {
        int z = bank->place[i].bristle;
        double middle = part->x[i] + 0.5 * part->h * part->v[i];
        if (z >= 0)
            next[z] =
                ib_friction_bend(&bank->friction[i], part->v[i], state[z], middle, 0, part->h);
    }
}

// All cylinders with spools and bristles; says what they took from the supply [kg].
static double step_all(const ib_BankModel *bank, const double *state, const Part *part,
                       double *next)
{
    double taken = 0;
    for (int i = 0; i < bank->count; i++) {
        ib_CylinderLed led;
        lead(bank, state, part, i, &led);
        ib_cylinder_lead(&led, part->h);
        taken += enter(bank, i, &led, next);
    }
    bend(bank, state, part, next);
    return taken;
}

// ------------------------------------------------------------------------------ one supply for all

// What a chamber takes from the supply within a part, and more of it for a pascal more: an
// implicit step of its own, q by the supply's and by its own pressure found by differences.
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
        ib_CylinderLed led;
        lead(bank, state, part, i, &led);
        double s = ib_cylinder_led_spool(&led, 0.5 * part->h);
        ib_CylinderOpening open =
            ib_cylinder_open(led.cylinder, s, ib_proportional_up(s), part->supply.pressure);
        for (int k = 0; k < IB_SIDES; k++) {
            ib_ChamberNow chamber = ib_cylinder_chamber(led.cylinder, k, led.x, led.air);
            reckon(led.cylinder, &chamber, &open.port[k], part, &take, &slope);
        }
    }
    return ib_chain_seen(&bank->chain, state + bank->supply, part->h, take, slope);
}

// A part with a supply that sags. Where its valves would take more than there is, a lower pressure
// is tried.
static void step_sagging(const ib_BankModel *bank, Part *part, double *next)
{
    double state[IB_BANK_MAX_STATES], taken = 0;
    memcpy(state, next, (size_t)bank->state_count * sizeof *state);
    part->supply.pressure = seen(bank, state, part);
    for (int round = 0; round < 12; round++) {
        taken = step_all(bank, state, part, next);
        if (ib_chain_bears(&bank->chain, state + bank->supply, part->h, taken)) break;
        memcpy(next, state, (size_t)bank->state_count * sizeof *state);
        part->supply.pressure *= 0.5;
    }
    ib_chain_step(&bank->chain, state + bank->supply, part->h, taken, next + bank->supply);
}

// -------------------------------------------------------------------------------------------- step

static void begin_part(const ib_BankModel *bank, const ib_BankDrive *drive, int number,
                       const double *state, Part *part)
{
    double per = 1.0 / drive->parts;
    double own = ib_chain_pressure(&bank->chain, state + bank->supply);
    part->supply =
        (ib_CylinderSupply){drive->supply > 0 ? drive->supply : own, bank->cylinder[0].temperature,
                            bank->cylinder[0].root_temperature};
    for (int i = 0; i < bank->count; i++) {
        const ib_CylinderModel *cylinder = &bank->cylinder[i];
        double x0 = within(cylinder, drive->x0[i]), x1 = within(cylinder, drive->x1[i]);
        part->x[i] = x0 + (x1 - x0) * (per * number);
        part->v[i] = (x1 - x0) / drive->h;
        part->command[i] = ib_proportional_command(&cylinder->valve, drive->volts[i]);
    }
}

// What the engine was told of the work: the air's force at the start, all the way.
static double handed(const ib_BankModel *bank, const double *state, const ib_BankDrive *drive)
{
    double sum = 0;
    for (int i = 0; i < bank->count; i++) {
        const ib_CylinderModel *c = &bank->cylinder[i];
        const double *air = state + bank->place[i].air;
        double cap = ib_cylinder_pressure(c, IB_SIDE_CAP, drive->x0[i], air);
        double rod = ib_cylinder_pressure(c, IB_SIDE_ROD, drive->x0[i], air);
        sum += ib_cylinder_push(c, cap, rod) * (drive->x1[i] - drive->x0[i]);
    }
    return sum;
}

void ib_bank_drive(const ib_BankModel *bank, const double *state, const ib_BankDrive *drive,
                   double *next)
{
    Part part = {.h = drive->h / drive->parts};
    double told = handed(bank, state, drive);
    if (next != state) memcpy(next, state, (size_t)bank->state_count * sizeof *next);
    for (int number = 0; number < drive->parts; number++) {
        begin_part(bank, drive, number, next, &part);
        if (drive->supply > 0) {
            step_all(bank, next, &part, next);
        } else if (ib_chain_sags(&bank->chain)) {
            step_sagging(bank, &part, next);
        } else {
            double taken = step_all(bank, next, &part, next);
            ib_chain_step(&bank->chain, next + bank->supply, part.h, taken, next + bank->supply);
        }
    }
    next[bank->books + IB_BANK_HANDED] += told;
}

ib_JointFriction ib_bank_joint(const ib_BankModel *bank, int i, double lever)
{
    const ib_FrictionModel *friction = &bank->friction[i];
    double dry = 0.5 * (friction->coulomb[0] + friction->coulomb[1]);
    return (ib_JointFriction){friction->viscous * lever * lever, dry * fabs(lever)};
}
