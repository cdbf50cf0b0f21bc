#include "claims/robosim/tank_run.h"

const char ib__tank_claims_scenario[] =
    "robot: {kind: tank, mass: 60 kg, length: 0.8 m, half_track: 0.3 m,\n"
    "  drive: {motor: cim-robosim, motors_per_side: 2, reduction: 10.71, wheel_diameter: 0.1524 "
    "m,\n"
    "    inductance: 59 uH, loss: none, rotor_inertia: 7.75e-5 kg*m^2},\n"
    "  wheels: {model: viscous, side_friction: 200 N*s/m, mu: 1, slip_speed: 0.1 m/s,\n"
    "    contact_half_length: 0.3 m, inertia_per_side: 0.003 kg*m^2},\n"
    "  battery: {open_circuit: 12 V, resistance: 12 mohm, constant_voltage: true},\n"
    "  background_current: 0.5 A}\n"
    "inputs: {left: 12 V, right: 12 V}\n"
    "run: {duration: 5 s, step: 10 ms, solver: dopri5, tolerance: 1e-12}\n";

static const char *const equations[] = {"corrected", "published"};

void ib__tank_claims_change(ib__TankChanges *changes, const char *path, const char *yaml)
{
    IB_ASSERT(changes->count < IB__TANK_CHANGES);
    changes->items[changes->count++] = (ib_Override){path, yaml};
}

ib__TankChanges ib__tank_claims_as(int form)
{
    ib__TankChanges changes = {.count = 0};
    ib__tank_claims_change(&changes, "robot.equations", equations[form]);
    return changes;
}

ib_Status ib__tank_claims_run(const ib__TankChanges *changes, ib__ClaimRun *run, ib_Error *error)
{
    run->scenario = ib__tank_claims_scenario;
    run->overrides = changes->items, run->override_count = changes->count;
    return ib__claim_run(run, error);
}

ib_Status ib__tank_claims_sample(const ib__TankChanges *changes, double time,
                                 const char *const *signals, double *values, ib_Error *error)
{
    ib__ClaimRun run = {.signals = signals, .times = &time, .time_count = 1, .values = values};
    return ib__tank_claims_run(changes, &run, error);
}

ib_Status ib__tank_claims_rates(const ib__TankChanges *changes, double dx[IB_TANK_BODY],
                                ib_Error *error)
{
    return ib__claim_rates(ib__tank_claims_scenario, changes->items, changes->count, dx,
                           IB_TANK_BODY, error);
}
