// claims/robosim/tank_drive.c: values for the claims about drive, kinematics and sums.
#include "claims/robosim/tank.h"
#include "claims/robosim/tank_run.h"

#include <math.h>

// ------------------------------------------------------------------------------------------- drive

// After 10 s (37 time constants): the terminal speed.
static ib_Status straight(ib_ClaimValue *found, int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_VELOCITY_FORWARD, NULL};
    ib__TankChanges changes = ib__tank_claims_as(form);
    ib__tank_claims_change(&changes, "run.duration", "10 s");
    return ib__tank_claims_sample(&changes, 10, signals, &found[IB__TERMINAL].form[form], error);
}

// The force is mass times acceleration at the first instant.
static ib_Status stall(ib_ClaimValue *found, int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_DRIVE("left", "current"), IB_NAME_BATTERY_CURRENT,
                                          IB_NAME_BATTERY_VOLTAGE, NULL};
    double dx[IB_TANK_BODY], values[3];
    ib__TankChanges sag = ib__tank_claims_as(form), stiff = sag;
    ib__tank_claims_change(&stiff, "robot.battery.resistance", "0 ohm");
    ib_Status status = ib__tank_claims_rates(&sag, dx, error);
    found[IB__SAG_FORCE].form[form] = 60 * dx[IB_TANK_U];
    if (status == IB_OK) status = ib__tank_claims_rates(&stiff, dx, error);
    found[IB__STALL_FORCE].form[form] = 60 * dx[IB_TANK_U];
    if (status == IB_OK) status = ib__tank_claims_sample(&sag, 0, signals, values, error);
    found[IB__SAG_CURRENT].form[form] = values[0];
    found[IB__SAG_DRAW].form[form] = values[1];
    found[IB__SAG_VOLTAGE].form[form] = values[2];
    if (form == IB__CORRECTED || status != IB_OK) return status;
    ib__tank_claims_change(&stiff, "robot.drive.reduction", "0.0933706816059757"); // 1/10.71
    status = ib__tank_claims_rates(&stiff, dx, error);
    found[IB__STALL_REDUCTION].form[IB__PUBLISHED] = 60 * dx[IB_TANK_U];
    found[IB__STALL_SHARE].form[IB__PUBLISHED] =
        found[IB__STALL_FORCE].form[IB__PUBLISHED] / found[IB__STALL_FORCE].form[IB__CORRECTED];
    return status;
}

// At 1 m/s: power into the robot, M u u', over that of the four motors, 4 T w.
static ib_Status power(ib_ClaimValue *found, int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_DRIVE("left", "torque"),
                                          IB_NAME_DRIVE("left", "speed"), NULL};
    double dx[IB_TANK_BODY], values[2];
    ib__TankChanges changes = ib__tank_claims_as(form);
    ib__tank_claims_change(&changes, "start.velocity.x", "1 m/s");
    ib_Status status = ib__tank_claims_rates(&changes, dx, error);
    if (status == IB_OK) status = ib__tank_claims_sample(&changes, 0, signals, values, error);
    found[IB__POWER_RATIO].form[form] = 60 * dx[IB_TANK_U] / (4 * values[0] * values[1]);
    return status;
}

// Turning on the spot with full voltage, one side against the other.
static ib_Status turn(ib_ClaimValue *found, int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_YAW_RATE, IB_NAME_BATTERY_CURRENT,
                                          IB_NAME_BATTERY_VOLTAGE, IB_NAME_ENERGY("error"), NULL};
    const double times[] = {0.1, 1, 10};
    double values[3][4];
    ib__TankChanges changes = ib__tank_claims_as(form);
    ib__tank_claims_change(&changes, "inputs.right", "-12 V");
    ib__tank_claims_change(&changes, "run.duration", "10 s");
    ib__ClaimRun run = {.signals = signals, .times = times, .time_count = 3, .values = values[0]};
    ib_Status status = ib__tank_claims_run(&changes, &run, error);
    found[IB__TURN_DRAW].form[form] = values[0][1];
    found[IB__TURN_VOLTAGE].form[form] = values[0][2];
    found[IB__TURN_ERROR].form[form] = values[1][3];
    found[IB__SPIN_RATE].form[form] = -values[2][0];
    return status;
}

// (9a) of the turn in place has 0.5 A, hence 11.994 V independent of the motors. Their energy
// follows from an ideal source with the same voltage.
static ib_Status turn_free(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_ENERGY("battery"), NULL};
    ib__TankChanges changes = ib__tank_claims_as(IB__CORRECTED);
    ib__tank_claims_change(&changes, "inputs.right", "-12 V");
    ib__tank_claims_change(&changes, "robot.battery.open_circuit", "11.994 V");
    ib__tank_claims_change(&changes, "robot.battery.resistance", "0 ohm");
    ib__tank_claims_change(&changes, "robot.background_current", "0 A");
    return ib__tank_claims_sample(&changes, 1, signals, &found[IB__TURN_FREE].form[IB__PUBLISHED],
                                  error);
}

// As published, the side friction of (10.3) drives the robot sideways once its heading has passed
// 90 degrees: the run ends early. Its rate jumps there; fixed steps do not locate the jump.
static ib_Status arc(ib_ClaimValue *found, int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_YAW_RATE,
                                          IB_NAME_VELOCITY_FORWARD,
                                          IB_NAME_VELOCITY_LEFT,
                                          IB_NAME_ENERGY("battery"),
                                          IB_NAME_ENERGY("resistance"),
                                          IB_NAME_ENERGY("error"),
                                          NULL};
    const double times[] = {1, 5};
    double v[2][6];
    ib__TankChanges changes = ib__tank_claims_as(form);
    ib__tank_claims_change(&changes, "inputs.right", "6 V");
    if (form == IB__PUBLISHED)
        ib__tank_claims_change(&changes, "run", "{duration: 5 s, step: 1 ms, solver: rk4}");
    ib__ClaimRun run = {.signals = signals, .times = times, .time_count = 2, .values = v[0]};
    ib_Status status = ib__tank_claims_run(&changes, &run, error);
    const double *end = v[1];
    found[IB__ARC_END].form[form] = run.end;
    found[IB__ARC_RATE].form[form] = v[0][0];
    found[IB__ARC_ERROR].form[form] = v[0][5];
    found[IB__ARC_RADIUS].form[form] = sqrt(end[1] * end[1] + end[2] * end[2]) / fabs(end[0]);
    found[IB__ARC_ENERGY].form[form] = end[3] - end[4];
    return status;
}

// ----------------------------------------------------------------------------- kinematics and sums

// The side slip by (10.3), from the side force -K V_perp.
static ib_Status slip(ib_ClaimValue *found, int form, ib_Error *error)
{
    double dx[IB_TANK_BODY];
    ib__TankChanges changes = ib__tank_claims_as(form);
    ib__tank_claims_change(&changes, "robot.drive.motors_per_side", "1");
    ib__tank_claims_change(&changes, "start.velocity", "{x: -1 m/s, y: 0.5 m/s}");
    ib_Status status = ib__tank_claims_rates(&changes, dx, error);
    found[IB__SLIP_BACK].form[form] = -60 * dx[IB_TANK_N] / 200;
    return status;
}

// (1.3b): n + 1 samples for n intervals, twice. The program: a box under a constant force.
static ib_Status sums(ib_ClaimValue *found, ib_Error *error)
{
    static const char text[] =
        "robot: {kind: box, mass: 5 kg, mu: 0}\n"
        "disturbances: [{at: 0 s, for: 2 s, force: 5 N, direction: 0 deg}]\nrun: {duration: 1 s}";
    static const char *const signals[] = {IB_NAME_VELOCITY_X, IB_NAME_POSE_X, NULL};
    double time = 1, values[2], v = 0, x = 0;
    ib__ClaimRun run = {.scenario = text, .signals = signals, .times = &time, .time_count = 1};
    run.values = values;
    ib_Status status = ib__claim_run(&run, error);
    for (int n = 0; n <= 20; n++) {
        v += 0.05;
        x += v * 0.05;
    }
    found[IB__SUM_SPEED].form[IB__CORRECTED] = values[0];
    found[IB__SUM_PLACE].form[IB__CORRECTED] = values[1];
    found[IB__SUM_SPEED].form[IB__PUBLISHED] = v;
    found[IB__SUM_PLACE].form[IB__PUBLISHED] = x;
    return status;
}

ib_Status ib__tank_claims_drive(ib_ClaimValue *found, ib_Error *error)
{
    static ib_Status (*const both[])(ib_ClaimValue *, int, ib_Error *) = {straight, stall, power,
                                                                          turn,     arc,   slip};
    ib_Status status = IB_OK;
    for (int i = 0; i < IB_CLAIM_COUNT(both); i++)
        for (int form = IB__CORRECTED; form <= IB__PUBLISHED && status == IB_OK; form++)
            status = both[i](found, form, error);
    if (status == IB_OK) status = turn_free(found, error);
    if (status == IB_OK) status = sums(found, error);
    found[IB__SLIP_REST].form[IB__CORRECTED] = 0;
    found[IB__SLIP_REST].form[IB__PUBLISHED] = NAN; // atan2(0/0)
    return status;
}
