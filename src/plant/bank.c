// plant/bank.c: the cylinders of a bank: what pushes their pistons, and their air over a step.
#include "plant/bank.h"

#include "base/extreme.h"

#include <string.h>

// ------------------------------------------------------------------------------------------- force

// Where a piston is taken to be: half of each dead length is always left.
static double within(const ib_CylinderModel *cylinder, double x)
{
    return ib_min(ib_max(x, -0.5 * cylinder->cap.length),
                  cylinder->stroke + 0.5 * cylinder->rod.length);
}

// P = (k - 1) U/V of both chambers.
static void pressures(const ib_CylinderModel *cylinder, const double *air, double x, double P[2])
{
    P[0] = cylinder->k1 * air[IB_CYLINDER_CAP_ENERGY] / ib_cylinder_volume(&cylinder->cap, x);
    P[1] = cylinder->k1 * air[IB_CYLINDER_ROD_ENERGY] /
           ib_cylinder_volume(&cylinder->rod, cylinder->stroke - x);
}

static double friction_of(const ib_BankModel *bank, const double *state, int i, double x, double v)
{
    const ib_FrictionModel *friction = &bank->friction[i];
    if (bank->friction_outside) return 0;
    if (bank->place[i].bristle >= 0)
        return ib_friction_lugre(friction, v, state[bank->place[i].bristle], x, 0).force;
    return ib_friction_force(friction, v, x, 0);
}

void ib_bank_force(const ib_BankModel *bank, const double *state, const double *x, const double *v,
                   double *force)
{
    for (int i = 0; i < bank->count; i++) {
        const ib_CylinderModel *cylinder = &bank->cylinder[i];
        double P[2];
        pressures(cylinder, state + bank->place[i].air, x[i], P);
        force[i] =
            ib_cylinder_force(cylinder, P[0], P[1]) - friction_of(bank, state, i, x[i], v[i]);
    }
}

// -------------------------------------------------------------------------------- a part of a step

// A part of a step, and what its cylinders are told.
typedef struct Part {
    double h;
    double x[IB_BANK_CYLINDERS], v[IB_BANK_CYLINDERS];
    double command[IB_BANK_CYLINDERS];
    ib_CylinderSupply supply;
} Part;

static ib_CylinderCourse course_of(const ib_BankModel *bank, const double *state, const Part *part,
                                   int i)
{
    ib_CylinderCourse course = {part->x[i], part->v[i], part->command[i], {0, 0}, part->supply};
    int place = bank->place[i].spool, count = ib_proportional_states(&bank->cylinder[i].valve);
    for (int k = 0; k < count; k++) course.spool[k] = state[place + k];
    return course;
}

// Puts what passed in a cylinder into the books.
static void enter(const ib_BankModel *bank, int i, const double *sums, double *next)
{
    double *books = next + bank->books;
    next[bank->place[i].used] += sums[IB_LED_USED];
    next[bank->place[i].work] += sums[IB_LED_WORK];
    for (int k = 0; k < IB_LED_SUMS; k++) books[k] += sums[k];
}

// A cylinder by itself; says what it took from the supply [kg].
static double step_single(const ib_BankModel *bank, const double *state, const Part *part, int i,
                          double *next)
{
    ib_CylinderCourse course = course_of(bank, state, part, i);
    const ib_BankPlace *place = &bank->place[i];
    double sums[IB_LED_SUMS], air[IB_CYLINDER_STATES];
    ib_led_steps(&bank->cylinder[i], &course, part->h, state + place->air, air, sums);
    memcpy(next + place->air, air, sizeof air);
    if (place->spool >= 0)
        ib_proportional_follow(&bank->cylinder[i].valve, course.command, 0, part->h, course.spool,
                               next + place->spool);
    enter(bank, i, sums, next);
    return sums[IB_LED_USED];
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

// ------------------------------------------------------------------------------------------- lanes

// What a port's supply gave of the air dm [mg] that came through it within a part, and its
// enthalpy. What passed one way and back again within a part counts as what was left of it.
static void share(const ib_CylinderModel *cylinder, const ib_ChamberNow *chamber,
                  const ib_PortOpening *open, const ib_CylinderSupply *supply, double dm,
                  double *sums)
{
    double q = dm * IB_CYLINDER_MASS;
    double given = ib__cylinder_supplied(cylinder, chamber, open, supply, q);
    double T = given > 0 ? supply->temperature : chamber->temperature;
    sums[IB_LED_USED] += given;
    sums[IB_LED_VENTED] += given - q;
    sums[IB_LED_E_SUPPLY] += cylinder->cp * T * given;
}

// The sums of a lane that came from `before`. All enthalpy that came in is what energy, work and
// heat leave over: the method keeps that sum to rounding.
static void sum_up(const ib_BankModel *bank, int i, const ib_CylinderLanes *b, int l,
                   const ib_CylinderOpening *open, const Part *part, const double *before,
                   double *sums)
{
    const ib_CylinderModel *cylinder = &bank->cylinder[i];
    double after[IB_CYLINDER_STATES], end = b->y[IB_LANE_POSITION][l];
    for (int k = 0; k < IB_CYLINDER_STATES; k++) after[k] = b->y[IB_LANE_AIR + k][l];
    ib_ChamberNow cap, rod;
    ib_cylinder_chambers(cylinder, after, end, &cap, &rod);
    memset(sums, 0, IB_LED_SUMS * sizeof *sums);
    share(cylinder, &cap, &open->cap, &part->supply,
          after[IB_CYLINDER_CAP_MASS] - before[IB_CYLINDER_CAP_MASS], sums);
    share(cylinder, &rod, &open->rod, &part->supply,
          after[IB_CYLINDER_ROD_MASS] - before[IB_CYLINDER_ROD_MASS], sums);
    sums[IB_LED_WORK] = b->y[IB_LANE_WORK][l];
    sums[IB_LED_HEAT] = b->y[IB_LANE_HEAT][l];
    double in = after[IB_CYLINDER_CAP_ENERGY] - before[IB_CYLINDER_CAP_ENERGY] +
                after[IB_CYLINDER_ROD_ENERGY] - before[IB_CYLINDER_ROD_ENERGY] +
                cylinder->work * sums[IB_LED_WORK] - sums[IB_LED_HEAT];
    sums[IB_LED_E_EXHAUST] = sums[IB_LED_E_SUPPLY] - in;
}

// The cylinders of a block; says what they took from the supply [kg].
static double step_block(const ib_BankModel *bank, const double *state, const Part *part, int block,
                         double *next)
{
    ib_CylinderLanes b = bank->blocks[block];
    ib_CylinderOpening open[IB_LANES];
    double taken = 0;
    for (int l = 0; l < IB_LANES; l++) {
        int i = bank->member[block][l];
        const double *air = state + bank->place[i].air;
        b.y[IB_LANE_POSITION][l] = part->x[i];
        b.y[IB_LANE_VELOCITY][l] = part->v[i];
        b.y[IB_LANE_WORK][l] = b.y[IB_LANE_HEAT][l] = 0;
        for (int k = 0; k < IB_CYLINDER_STATES; k++) b.y[IB_LANE_AIR + k][l] = air[k];
        if (l < b.count) open[l] = ib_lanes_open(&b, l, part->command[i], part->supply.pressure);
    }
    ib_lanes_lead(&b, part->h);
    for (int l = 0; l < b.count; l++) {
        int i = bank->member[block][l];
        double before[IB_CYLINDER_STATES], after[IB_CYLINDER_STATES], sums[IB_LED_SUMS];
        memcpy(before, state + bank->place[i].air, sizeof before);
        for (int k = 0; k < IB_CYLINDER_STATES; k++) after[k] = b.y[IB_LANE_AIR + k][l];
        if (!ib_cylinder_sound(before, after)) {
            taken += step_single(bank, state, part, i, next);
            continue;
        }
        sum_up(bank, i, &b, l, &open[l], part, before, sums);
        memcpy(next + bank->place[i].air, after, sizeof after);
        enter(bank, i, sums, next);
        taken += sums[IB_LED_USED];
    }
    return taken;
}

// All cylinders; says what they took from the supply [kg].
static double step_all(const ib_BankModel *bank, const double *state, const Part *part,
                       double *next)
{
    double taken = 0;
    for (int k = 0; k < bank->block_count; k++) taken += step_block(bank, state, part, k, next);
    for (int k = 0; k < bank->single_count; k++)
        taken += step_single(bank, state, part, bank->singles[k], next);
    bend(bank, state, part, next);
    return taken;
}

// ------------------------------------------------------------------------------ one supply for all

// What a chamber takes from the supply within a part, and more of it for a pascal more: an
// implicit step of its own, q by the supply's and by its own pressure found by differences.
static void reckon(const ib_CylinderModel *cylinder, const ib_ChamberNow *chamber,
                   const ib_PortOpening *open, const Part *part, double *take, double *slope)
{
    double P = chamber->pressure, p = open->pressure, root = part->supply.root;
    ib_ChamberNow more = *chamber;
    more.pressure = P * (1 + 1e-5);
    double q = ib_chamber_inflow(cylinder, chamber, open->area, p, root);
    double by_own = (ib_chamber_inflow(cylinder, &more, open->area, p, root) - q) / (1e-5 * P);
    double by_port =
        (ib_chamber_inflow(cylinder, chamber, open->area, p * (1 + 1e-5), root) - q) / (1e-5 * p);
    double T = q > 0 ? part->supply.temperature : chamber->temperature;
    double stiff =
        (cylinder->k1 * cylinder->cp * T / chamber->volume) * -by_own; // k R = (k - 1) cp
    double held = part->h / (1 + part->h * ib_max(stiff, 0));
    double given = ib__cylinder_supplied(cylinder, chamber, open, &part->supply, q);
    if (given == 0) return;
    *take += given * held;
    *slope += ib_max(by_port, 0) * open->fed * held;
}

// The pressure that all of them see over a part.
static double seen(const ib_BankModel *bank, const double *state, const Part *part)
{
    double take = 0, slope = 0;
    for (int i = 0; i < bank->count; i++) {
        const ib_CylinderModel *cylinder = &bank->cylinder[i];
        const double *air = state + bank->place[i].air;
        ib_CylinderCourse course = course_of(bank, state, part, i);
        double s = ib_led_spool(cylinder, &course, 0.5 * part->h);
        ib_CylinderOpening open =
            ib_cylinder_open(cylinder, s, ib_proportional_up(s), part->supply.pressure);
        ib_ChamberNow cap, rod;
        ib_cylinder_chambers(cylinder, air, part->x[i], &cap, &rod);
        reckon(cylinder, &cap, &open.cap, part, &take, &slope);
        reckon(cylinder, &rod, &open.rod, part, &take, &slope);
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
        const ib_CylinderModel *cylinder = &bank->cylinder[i];
        double P[2];
        pressures(cylinder, state + bank->place[i].air, drive->x0[i], P);
        sum +=
            (P[0] * cylinder->cap.area - P[1] * cylinder->rod.area) * (drive->x1[i] - drive->x0[i]);
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

// ------------------------------------------------------------------------------------------- looks

ib_BankNow ib_bank_look(const ib_BankModel *bank, const double *state, int i, double volts,
                        double x, double v)
{
    const ib_CylinderModel *cylinder = &bank->cylinder[i];
    int place = bank->place[i].spool;
    ib_BankNow now = {.supply = ib_chain_pressure(&bank->chain, state + bank->supply)};
    ib_CylinderSupply supply = {now.supply, cylinder->temperature, cylinder->root_temperature};
    now.spool = place >= 0 ? state[place] : ib_proportional_command(&cylinder->valve, volts);
    ib_CylinderOpening open =
        ib_cylinder_open(cylinder, now.spool, ib_proportional_up(now.spool), now.supply);
    now.air = ib_cylinder_now(cylinder, state + bank->place[i].air, x, v, &open, &supply);
    now.force = ib_cylinder_force(cylinder, now.air.cap.pressure, now.air.rod.pressure);
    now.friction = friction_of(bank, state, i, x, v);
    return now;
}

ib_JointFriction ib_bank_joint(const ib_BankModel *bank, int i, double lever)
{
    const ib_FrictionModel *friction = &bank->friction[i];
    double dry = 0.5 * (friction->coulomb[0] + friction->coulomb[1]);
    return (ib_JointFriction){friction->viscous * lever * lever, dry * fabs(lever)};
}
