// claims/robosim/tank_values.c: every value that the claims of RoboSim refer to, and the solutions
// from outside of the program.
#include "base/extreme.h"
#include "claims/robosim/tank.h"
#include "claims/robosim/tank_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 16 };

// The largest difference from a table, relative for values above 1.
static ib_Status table(ib_ClaimValue *found, int index, ib_Error *error)
{
    const ib__ReferenceTable *reference = &ib__reference_tables[index];
    double values[IB__REFERENCE_TIMES * MOST_COLUMNS], worst = 0;
    char right[24];
    int columns = 0;
    ib__TankChanges changes = ib__tank_claims_as(IB__CORRECTED);
    snprintf(right, sizeof right, "%g V", reference->right);
    ib__tank_claims_change(&changes, "inputs.right", right);
    if (reference->inductive) ib__tank_claims_change(&changes, "robot.drive.current", "implicit");
    if (reference->slips) ib__tank_claims_change(&changes, "robot.wheels.model", "friction_circle");
    ib__ClaimRun run = {.signals = reference->signals,
                        .times = ib__reference_times,
                        .time_count = IB__REFERENCE_TIMES,
                        .values = values};
    ib_Status status = ib__tank_claims_run(&changes, &run, error);
    while (reference->signals[columns]) columns++;
    for (int i = 0; i < IB__REFERENCE_TIMES * columns; i++) {
        double per_unit = strcmp(reference->signals[i % columns], IB_NAME_BATTERY_USED) ? 1 : 3600;
        double wanted = reference->values[i], gap = fabs(values[i] / per_unit - wanted);
        worst = ib_max(worst, gap / ib_max(1, fabs(wanted)));
    }
    found[IB__TABLE_ERROR + index].form[IB__CORRECTED] = worst;
    return status;
}

// Solutions from outside of the program, to stand beside its own.
static void references(ib_ClaimValue *found)
{
    const struct {
        int row;
        double value;
    } values[] = {
        {IB__TERMINAL, 4.0373859548},
        {IB__STALL_FORCE, 1365.5952756},
        {IB__SAG_FORCE, 895.07857389},
        {IB__SAG_CURRENT, 86.012655518},
        {IB__SAG_DRAW, 344.55062207},
        {IB__SAG_VOLTAGE, 7.8653925352},
        {IB__POWER_RATIO, 1},
        {IB__SPIN_RATE, 13.457953183},
        {IB__ARC_RATE, -3.091928195},
        {IB__ARC_RADIUS, 0.8150925180},
        {IB__TURN_DRAW, 218.93544964},
        {IB__TURN_VOLTAGE, 9.3727746044},
        {IB__ARC_ENERGY, 4911.7},
        {IB__FILL, 36.919900088},
        {IB__RECOVERY, 8.8170788847},
        {IB__COMPRESSION, 38.32},
        {IB__SLIP_REST, 0},
        {IB__SLIP_BACK, 0.5},
        {IB__SUM_SPEED, 1},
        {IB__SUM_PLACE, 0.5},
        {IB__TURN_ERROR, 0},
        {IB__ARC_ERROR, 0},
        {IB__FIRST_MOLES, 0.047543532292},
        {IB__PLATE, 4.392},
        {IB__ARC_TURN, -1.0119485697},
    };
    for (int i = 0; i < IB_CLAIM_COUNT(values); i++)
        found[values[i].row].form[IB__REFERENCE] = values[i].value;
}

ib_Status ib__tank_claims_compute(ib_Findings *findings, ib_Error *error)
{
    ib_ClaimValue *found = findings->values;
    ib_Status status = ib__tank_claims_drive(found, error);
    if (status == IB_OK) status = ib__tank_claims_supply(found, error);
    if (status == IB_OK) status = ib__tank_claims_steps(found, error);
    if (status == IB_OK) status = ib__tank_claims_primer(found, error);
    if (status == IB_OK) status = ib__tank_claims_electrics(found, error);
    if (status == IB_OK) status = ib__tank_claims_body(found, error);
    for (int i = 0; i < IB__REFERENCE_TABLES && status == IB_OK; i++)
        status = table(found, i, error);
    references(found);
    return status;
}
