// claims/robosim/tank_run.h: runs of RoboSim's robot with changes, for the claims about it.
#ifndef IB_CLAIMS_ROBOSIM_TANK_RUN_H
#define IB_CLAIMS_ROBOSIM_TANK_RUN_H

#include "claims/claim_run.h"
#include "robot/tank/tank.h"

// The robot of reference B7, with what B8 adds; both sides at 12 V.
extern const char ib__tank_claims_scenario[];

// Changes to the scenario, one after the other.
enum { IB__TANK_CHANGES = 8 };
typedef struct ib__TankChanges {
    ib_Override items[IB__TANK_CHANGES];
    int count;
} ib__TankChanges;

void ib__tank_claims_change(ib__TankChanges *changes, const char *path, const char *yaml);

// The change to one form of the equations.
ib__TankChanges ib__tank_claims_as(int form);

// Runs the robot with these changes; `run` has the wanted signals.
ib_Status ib__tank_claims_run(const ib__TankChanges *changes, ib__ClaimRun *run, ib_Error *error);

// The values of `signals` at one time.
ib_Status ib__tank_claims_sample(const ib__TankChanges *changes, double time,
                                 const char *const *signals, double *values, ib_Error *error);

// The rates of the states at the start.
ib_Status ib__tank_claims_rates(const ib__TankChanges *changes, double dx[IB_TANK_BODY],
                                ib_Error *error);

#endif
