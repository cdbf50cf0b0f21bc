// plant/air/bank.h: a bank of cylinders whose pistons are moved from outside: one supply, many
// proportional valves, many cylinders. The derivation is in docs/plant/bank.md.
//
// A rigid body engine gives the motion of the pistons and needs the forces on them. Both take
// turns, a step of the engine each:
//
//   1. the bank gives the forces F_i at the step's start, from its air, x_i and v_i;
//   2. the engine makes its step, and gives the new places of the pistons;
//   3. the bank makes its own, with every piston going evenly from x0 to x1.
//
// The second half is stiff and is made by a stiff method, with a known number of evaluations of the
// rates. Nothing is hidden: all that a bank remembers is its flat state.
#ifndef IB_PLANT_AIR_BANK_H
#define IB_PLANT_AIR_BANK_H

#include "plant/air/cylinder_lead.h"
#include "plant/air/friction.h"
#include "plant/air/supply_chain.h"

enum { IB_BANK_CYLINDERS = 24 };

typedef struct ib_BankCylinder {
    ib_CylinderConfig cylinder;
    ib_FrictionConfig friction;
} ib_BankCylinder;

typedef struct ib_BankConfig {
    int count;                                    ///< of cylinders, 1 .. IB_BANK_CYLINDERS
    ib_BankCylinder cylinders[IB_BANK_CYLINDERS]; ///< all with one gas, temperature and atmosphere
    ib_ChainConfig supply;
    bool friction_outside; ///< the engine has the seals' friction (ib_bank_joint)
} ib_BankConfig;

// Places in the state; the optional ones are -1 where a cylinder has none.
typedef struct ib_BankPlace {
    int air;     ///< four, as in plant/air/cylinder.h
    int spool;   ///< of a valve with dynamics: one or two
    int bristle; ///< of LuGre's friction
} ib_BankPlace;

typedef struct ib_BankModel {
    int count;
    ib_CylinderModel cylinder[IB_BANK_CYLINDERS];
    ib_FrictionModel friction[IB_BANK_CYLINDERS];
    ib_BankPlace place[IB_BANK_CYLINDERS];
    ib_ChainModel chain;
    bool friction_outside;
    int supply, books, state_count; ///< places; books: IB_CYLINDER_SUMS of all so far
} ib_BankModel;

enum {
    IB_BANK_MAX_STATES =
        IB_BANK_CYLINDERS * (IB_CYLINDER_STATES + 2 + 1) + IB_CHAIN_STATES + IB_CYLINDER_SUMS
};

ib_Status ib_bank_check(const ib_BankConfig *config, ib_Error *error);
void ib_bank_init(const ib_BankConfig *config, ib_BankModel *bank);

// All chambers at the atmosphere, pistons at x, spools where these voltages hold them.
void ib_bank_reset(const ib_BankModel *bank, const double *x, const double *volts, double *state);

// Fills the chambers of one cylinder, at the temperature around.
void ib_bank_fill(const ib_BankModel *bank, int i, double x, double cap, double rod, double *state);

// ------------------------------------------------------------------------------------- both halves

// One cylinder at an instant.
typedef struct ib_BankNow {
    double pressure[IB_SIDES]; ///< [Pa]
    double force;              ///< of the air, outwards [N]
    double friction;           ///< of the seals, against positive motion; 0 if external [N]
} ib_BankNow;

ib_BankNow ib_bank_evaluate(const ib_BankModel *bank, const double *state, int i, double x,
                            double v);

// Commands of a step.
typedef struct ib_BankDrive {
    const double *volts;   ///< held
    const double *x0, *x1; ///< where the pistons are at its start and its end [m]
    double h;              ///< its length [s], > 0
    int parts;             ///< steps of the method, >= 1
    double supply; ///< of air from elsewhere, over the step [Pa], absolute; 0: the bank's own
    double source; ///< before the regulator of a line that is fed from elsewhere [Pa], absolute
} ib_BankDrive;

// All air over the step. `next` may be `state`. A piston beyond half of a dead length is taken as
// being there.
void ib_bank_drive(const ib_BankModel *bank, const double *state, const ib_BankDrive *drive,
                   double *next);

// Friction of a joint that represents the seals', with `lever` [m/rad] = dx/dq:
//   damping C_V lever^2 [N m s/rad],   loss F_C |lever| [N m]
typedef struct ib_JointFriction {
    double damping, loss;
} ib_JointFriction;

ib_JointFriction ib_bank_joint(const ib_BankModel *bank, int i, double lever);

#endif
