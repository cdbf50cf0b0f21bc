// test/plant/bank_rig.h: banks of the thesis's cylinder, ways for their pistons, and the rig under
// an exact solver beside them.
#ifndef IB_TEST_PLANT_BANK_RIG_H
#define IB_TEST_PLANT_BANK_RIG_H

#include "plant/air/bank.h"
#include "robot/cylinder_rig/cylinder_rig.h"
#include "solver/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a set-up that cannot be made does: this serves tests and benchmarks.
static inline void bank_give_up(const char *what, const char *why)
{
    fprintf(stderr, "bank_rig: %s: %s\n", what, why);
    abort();
}

// The thesis's rig; `pairs` are keys and values that change it, NULL behind the last.
static inline ib_CylinderRigConfig rig_config(const char *const *pairs)
{
    const ib_MechanismKind *kind = &ib_cylinder_mechanism;
    ib_RigPartConfig config = {0};
    ib_Error error;
    if (ib_schema_default(&kind->params, &config, &error) != IB_OK ||
        ib_schema_default(&kind->start, &config, &error) != IB_OK)
        bank_give_up("defaults", error.text);
    config.rig.gravity = 9.81;
    for (; pairs && *pairs; pairs += 2) {
        const ib_Param *param = ib_schema_find(&kind->params, pairs[0]);
        if (!param) param = ib_schema_find(&kind->start, pairs[0]);
        if (!param || ib_schema_set(param, pairs[1], &config, &error) != IB_OK)
            bank_give_up(pairs[0], param ? error.text : "no such key");
    }
    return config.rig;
}

typedef struct Bank {
    ib_BankConfig config;
    ib_BankModel model;
    double state[IB_BANK_MAX_STATES];
} Bank;

// So many of the rig's cylinder on the rig's supply, at the atmosphere, pistons and valves in
// their middle; `edit` (may be NULL) changes the config beforehand.
static inline void bank_make(Bank *bank, const ib_CylinderRigConfig *rig, int count,
                             void (*edit)(ib_BankConfig *config))
{
    double x[IB_BANK_CYLINDERS], volts[IB_BANK_CYLINDERS];
    ib_Error error;
    memset(bank, 0, sizeof *bank);
    bank->config.supply = ib_chain_default();
    bank->config.count = count;
    bank->config.supply.supply = rig->supply;
    for (int i = 0; i < count; i++) {
        bank->config.cylinders[i] = (ib_BankCylinder){rig->cylinder, rig->piston.friction};
        x[i] = 0.5 * rig->cylinder.stroke;
        volts[i] = rig->cylinder.valve.centre;
    }
    if (edit) edit(&bank->config);
    if (ib_bank_check(&bank->config, &error) != IB_OK) bank_give_up("check", error.text);
    ib_bank_init(&bank->config, &bank->model);
    ib_bank_reset(&bank->model, x, volts, bank->state);
}

// A leak of no size: its slopes are not written out, and Jacobians are made by differences.
static inline void bank_differences(ib_BankConfig *config)
{
    for (int i = 0; i < config->count; i++) config->cylinders[i].cylinder.leak_seal = 1e-40;
}

// A held voltage and one way for a step, for all cylinders alike.
static inline void bank_step(Bank *bank, double volts, double from, double to, double h, int parts)
{
    double u[IB_BANK_CYLINDERS], x0[IB_BANK_CYLINDERS], x1[IB_BANK_CYLINDERS];
    for (int i = 0; i < bank->model.count; i++) u[i] = volts, x0[i] = from, x1[i] = to;
    ib_BankDrive drive = {u, x0, x1, h, parts};
    ib_bank_drive(&bank->model, bank->state, &drive, bank->state);
}

// Pressure on a side of cylinder i.
static inline double bank_pressure(const Bank *bank, int i, int side, double x)
{
    const double *air = bank->state + bank->model.place[i].air;
    return ib_cylinder_pressure(&bank->model.cylinder[i], side, x, air);
}

// What pushes the pistons out: force less friction of each.
static inline void bank_force(const ib_BankModel *bank, const double *state, const double *x,
                              const double *v, double *force)
{
    for (int i = 0; i < bank->count; i++) {
        ib_BankNow now = ib_bank_evaluate(bank, state, i, x[i], v[i]);
        force[i] = now.force - now.friction;
    }
}

static inline double bank_book(const Bank *bank, int book)
{
    return bank->state[bank->model.books + book];
}

// Energy of all air in chambers [J].
static inline double bank_energy(const Bank *bank)
{
    double sum = 0;
    for (int i = 0; i < bank->model.count; i++) {
        const double *air = bank->state + bank->model.place[i].air;
        sum += air[IB_CYLINDER_CAP_ENERGY] + air[IB_CYLINDER_ROD_ENERGY];
    }
    return sum;
}

// Air in chambers, line and tank [kg].
static inline double bank_mass(const Bank *bank)
{
    const ib_BankModel *model = &bank->model;
    const double *chain = bank->state + model->supply;
    double sum = chain[IB_CHAIN_LINE] + chain[IB_CHAIN_TANK] * model->chain.mole;
    for (int i = 0; i < model->count; i++) {
        const double *air = bank->state + model->place[i].air;
        sum += (air[IB_CYLINDER_CAP_MASS] + air[IB_CYLINDER_ROD_MASS]) * IB_CYLINDER_MASS;
    }
    return sum;
}

// How stiff the first cylinder is for whoever integrates its piston.
typedef struct BankStiffness {
    double spring;     // of the air with the valve shut, k (P_c A_c^2/V_c + P_r A_r^2/V_r) [N/m]
    double damper;     // steepest friction, dF/dv [N s/m]
    double least_mass; // at the piston, for which steps of h by forces at their start are stable
} BankStiffness;

// docs/plant/bank.md: "How long a step may be". least_mass = (h^2 spring + 2 h damper)/4
static inline BankStiffness bank_stiffness(const Bank *bank, double x, double h)
{
    const ib_CylinderModel *c = &bank->model.cylinder[0];
    BankStiffness s = {0};
    for (int i = 0; i < IB_SIDES; i++) {
        double A = c->side[i].area, V = ib_cylinder_volume(&c->side[i], ib_cylinder_way(c, i, x));
        s.spring += IB_AIR_HEAT_RATIO * bank_pressure(bank, 0, i, x) * A * A / V;
    }
    s.damper = ib_friction_steepest(&bank->model.friction[0], 0);
    s.least_mass = 0.25 * h * (h * s.spring + 2 * s.damper);
    return s;
}

// Twelve pistons on their ways, and what their valves are told: other speeds and phases each.
static inline double walk(int i, double t)
{
    return 0.022225 + 0.018 * sin(2 * 3.14159265358979 * (1 + 0.2 * i) * t + i);
}

static inline double walk_volts(int i, double t)
{
    return 5.25 + 2 * sin(18 * t + 1.3 * i);
}

// A step of all of them.
static inline void bank_walk(Bank *bank, int first, double t, double h, int parts)
{
    double u[IB_BANK_CYLINDERS], x0[IB_BANK_CYLINDERS], x1[IB_BANK_CYLINDERS];
    for (int i = 0; i < bank->model.count; i++) {
        u[i] = walk_volts(first + i, t);
        x0[i] = walk(first + i, t);
        x1[i] = walk(first + i, t + h);
    }
    ib_BankDrive drive = {u, x0, x1, h, parts};
    ib_bank_drive(&bank->model, bank->state, &drive, bank->state);
}

// ---------------------------------------------------------------------------------- the rig itself

// The rig whose piston goes as it is told, for a solver.
typedef struct Stand {
    ib_CylinderRigModel rig;
    double state[64], input[IB_RIG_INPUTS];
    double time;               // of the step's start
    double (*way)(double t);   // x(t), and
    double (*speed)(double t); // its derivative
} Stand;

static inline void stand_rate(const void *context, double t, const double *x, double *dx)
{
    const Stand *stand = context;
    double led[64];
    memcpy(led, x, (size_t)stand->rig.state_count * sizeof *led);
    led[IB_RIG_POSITION] = stand->way(stand->time + t);
    led[IB_RIG_VELOCITY] = stand->speed(stand->time + t);
    ib_cylinder_rig_rate(&stand->rig, led, stand->input, dx);
    dx[IB_RIG_POSITION] = dx[IB_RIG_VELOCITY] = 0;
}

static inline void stand_make(Stand *stand, const ib_CylinderRigConfig *config)
{
    memset(stand, 0, sizeof *stand);
    ib_cylinder_rig_init(config, &stand->rig);
    ib_cylinder_rig_reset(&stand->rig, stand->state);
    stand->state[stand->rig.mode + IB_RIG_MODE] = IB_PISTON_FORTH;
    stand->input[IB_RIG_GAIN] = 1;
}

// On by h under a held voltage, exactly as far as 1e-10 goes.
static inline void stand_step(Stand *stand, ib_Solver *solver, double volts, double h)
{
    ib_System system = {stand->rig.state_count, stand_rate, NULL, stand, NULL, false};
    double end = stand->time + h, next[64], wish = 0;
    ib_Error error;
    stand->input[IB_RIG_VALVE] = volts;
    stand->state[stand->rig.mode + IB_RIG_SIDE] =
        ib_proportional_up(volts - stand->rig.cylinder.valve.centre) ? 1 : -1;
    while (end - stand->time > 1e-12) {
        double taken;
        ib_SolverCounts counts = {0};
        if (ib_solver_step_controlled(solver, &system, end - stand->time, &wish, stand->state, next,
                                      &taken, &counts, &error) != IB_OK)
            bank_give_up("exact solver", error.text);
        memcpy(stand->state, next, sizeof next);
        stand->time += taken;
    }
    stand->time = end;
}

static inline double stand_force(const Stand *stand)
{
    const ib_CylinderModel *c = &stand->rig.cylinder;
    const double *air = stand->state + IB_RIG_AIR;
    double x = stand->way(stand->time), cap = ib_cylinder_pressure(c, IB_SIDE_CAP, x, air);
    return ib_cylinder_force(c, cap, ib_cylinder_pressure(c, IB_SIDE_ROD, x, air));
}

#endif
