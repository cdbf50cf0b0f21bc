// claims/robosim/tank_primer.c: values for the claims of RoboSim's primer: sections 1.3, 2 and 3.
#include "base/extreme.h"
#include "claims/robosim/tank.h"
#include "claims/robosim/tank_run.h"

#include "base/maths.h"

#include <math.h>

static const double half_turn = 3.141592653589793;

// ------------------------------------------------------------------------------------------- atan2

// The table of section 2 as printed, in radians; X and Y are not both zero.
static double printed_atan2(double X, double Y)
{
    if (X > 0) return ib_atan2(Y / X, 1);
    if (X < 0 && Y >= 0) return half_turn + ib_atan2(Y / X, 1);
    if (X < 0) return -half_turn + ib_atan2(Y / X, 1);
    return Y > 0 ? half_turn / 2 : -half_turn / 2;
}

// All eight rows and sides of the table, and points between them.
static void directions(ib_ClaimValue *found)
{
    static const double places[][2] = {{1, 0},  {2, 1},  {1, 1},  {1, 2},   {0, 1},   {-1, 2},
                                       {-1, 1}, {-2, 1}, {-1, 0}, {-2, -1}, {-1, -1}, {-1, -2},
                                       {0, -1}, {1, -2}, {1, -1}, {2, -1}};
    double worst = 0, least[2] = {INFINITY, INFINITY};
    for (int i = 0; i < IB_CLAIM_COUNT(places); i++) {
        double x = places[i][0], y = places[i][1];
        double right = ib_atan2(y, x), printed = printed_atan2(x, y);
        worst = ib_max(worst, fabs(printed - right));
        least[IB__CORRECTED] = ib_min(least[IB__CORRECTED], right);
        least[IB__PUBLISHED] = ib_min(least[IB__PUBLISHED], printed);
    }
    found[IB__ATAN_TABLE].form[IB__CORRECTED] = worst;
    for (int form = IB__CORRECTED; form <= IB__PUBLISHED; form++)
        found[IB__ATAN_LEAST].form[form] = least[form];
    // The direction of (1, 0): with y first as in every language, and called as printed.
    found[IB__ATAN_ORDER].form[IB__CORRECTED] = ib_atan2(0, 1);
    found[IB__ATAN_ORDER].form[IB__PUBLISHED] = ib_atan2(1, 0);
    found[IB__ATAN_HALF].form[IB__CORRECTED] = ib_atan2(0, -1);
    found[IB__ATAN_HALF].form[IB__PUBLISHED] = 180;
}

// ---------------------------------------------------------------------------------------- friction

// A box of 5 kg with mu = 0.5 on the floor: pushed with 0.9 mu F_N, and sliding at 3 m/s.
static ib_Status box(const char *start, const char *push, double *speed, double time,
                     ib_Error *error)
{
    static const char text[] =
        "robot: {kind: box, mass: 5 kg, mu: 0.5, slip_speed: 0.1 mm/s}\n"
        "run: {duration: 1 s, step: 1 ms, solver: rosenbrock, tolerance: 1e-9}\n";
    static const char *const signals[] = {IB_NAME_VELOCITY_X, NULL};
    const ib_Override overrides[] = {{"start.velocity.x", start}, {"disturbances", push}};
    ib__ClaimRun run = {.scenario = text,
                        .overrides = overrides,
                        .override_count = push ? 2 : 1,
                        .signals = signals,
                        .times = &time,
                        .time_count = 1,
                        .values = speed};
    return ib__claim_run(&run, error);
}

static ib_Status friction(ib_ClaimValue *found, ib_Error *error)
{
    const double t = 0.5, limit = 0.5 * 9.80665;
    double held, sliding;
    ib_Status status = box("0 m/s", "[{at: 0 s, for: 2 s, force: 22.0649625 N, direction: 0 deg}]",
                           &held, 1, error);
    if (status == IB_OK) status = box("3 m/s", NULL, &sliding, t, error);
    if (status != IB_OK) return status;
    found[IB__STICK].form[IB__CORRECTED] = held;
    found[IB__SLIDE].form[IB__CORRECTED] = (3 - sliding) / t / limit;
    return IB_OK;
}

// ---------------------------------------------------------------------------------------- rotation

// The couple of the motors of a turn in place, and the yaw acceleration that it makes.
static ib_Status couple(const char *payload, double *torque, double *alpha, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_DRIVE("left", "torque"),
                                          IB_NAME_DRIVE("right", "torque"), NULL};
    double dx[IB_TANK_BODY], values[2];
    ib__TankChanges changes = ib__tank_claims_as(IB__CORRECTED);
    ib__tank_claims_change(&changes, "inputs.right", "-12 V");
    if (payload) ib__tank_claims_change(&changes, "robot.payload", payload);
    ib_Status status = ib__tank_claims_rates(&changes, dx, error);
    if (status == IB_OK) status = ib__tank_claims_sample(&changes, 0, signals, values, error);
    // Two motors a side, reduction 10.71, wheels of 0.1524 m, half track 0.3 m.
    *torque = 2 * 10.71 * (values[1] - values[0]) / (0.1524 / 2) * 0.3;
    *alpha = dx[IB_TANK_W];
    return status;
}

// (3.3.2): T = I alpha, with I = 60 kg/12 (0.72^2 + 0.6^2) m^2; and an arm that goes out a foot.
static ib_Status rotation(ib_ClaimValue *found, ib_Error *error)
{
    const double inertia = 60.0 / 12 * (0.72 * 0.72 + 0.6 * 0.6);
    double torque, alpha, in = NAN, out = NAN;
    ib_Status status = couple(NULL, &torque, &alpha, error);
    found[IB__ROTATION].form[IB__CORRECTED] = torque / (inertia * alpha);
    if (status == IB_OK) status = couple("{mass: 5 kg, x: 0 m}", &torque, &in, error);
    if (status == IB_OK) status = couple("{mass: 5 kg, x: 1 ft}", &torque, &out, error);
    found[IB__EXTENDED].form[IB__CORRECTED] = in / out;
    return status;
}

// ------------------------------------------------------------------------------------- sample time

// (1.3a), (3.1): a backward difference of the distance approaches the speed as the sample
// time falls.
static ib_Status difference(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_POSE_X, IB_NAME_VELOCITY_FORWARD, NULL};
    const double times[] = {0.45, 0.495, 0.5};
    double v[3][2];
    ib__TankChanges changes = ib__tank_claims_as(IB__CORRECTED);
    ib__ClaimRun run = {.signals = signals, .times = times, .time_count = 3, .values = v[0]};
    ib_Status status = ib__tank_claims_run(&changes, &run, error);
    double coarse = (v[2][0] - v[0][0]) / 0.05 - v[2][1];
    double fine = (v[2][0] - v[1][0]) / 0.005 - v[2][1];
    found[IB__DIFFERENCE].form[IB__CORRECTED] = fine / coarse;
    return status;
}

// (1.3): a step of 50 ms is "a very close approximation". The distance in the first half second.
static ib_Status sample_time(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_POSE_X, NULL};
    double exact;
    ib__TankChanges changes = ib__tank_claims_as(IB__CORRECTED);
    ib__Literal coarse = {.corrected = true, .implicit = true, .Ts = 0.05, .L = 59e-6};
    coarse.duration = 0.5;
    ib__literal_run(&coarse);
    ib_Status status = ib__tank_claims_sample(&changes, 0.5, signals, &exact, error);
    found[IB__STEP_SHARE].form[IB__CORRECTED] = coarse.x / exact;
    return status;
}

ib_Status ib__tank_claims_primer(ib_ClaimValue *found, ib_Error *error)
{
    directions(found);
    ib_Status status = friction(found, error);
    if (status == IB_OK) status = rotation(found, error);
    if (status == IB_OK) status = difference(found, error);
    if (status == IB_OK) status = sample_time(found, error);
    return status;
}
