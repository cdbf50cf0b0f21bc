// claims/robosim/tank_body.c: values for the claims about side force, inertia and collisions.
#include "claims/robosim/tank.h"
#include "claims/robosim/tank_run.h"

#include "base/maths.h"

#include <math.h>

// The laws of (10.3c) and of (3.2.5), all else corrected.
static const char *const wheels[] = {
    [IB__CORRECTED] = "friction_circle", [IB__PUBLISHED] = "viscous"};

// ---------------------------------------------------------------------------------------- sideways

static ib_Status side_force(const char *path, const char *law, const char *speed, double *force,
                            ib_Error *error)
{
    double dx[IB_TANK_BODY];
    ib__TankChanges changes = ib__tank_claims_as(IB__CORRECTED);
    ib__tank_claims_change(&changes, path, law);
    ib__tank_claims_change(&changes, "inputs", "{left: 0 V, right: 0 V}");
    ib__tank_claims_change(&changes, "start.velocity.y", speed);
    ib_Status status = ib__tank_claims_rates(&changes, dx, error);
    *force = -60 * dx[IB_TANK_N];
    return status;
}

static ib_Status sideways(ib_ClaimValue *found, int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_POSE_HEADING, NULL};
    double slow, fast;
    ib_Status status = side_force("robot.wheels.model", wheels[form], "1 m/s", &slow, error);
    if (status == IB_OK)
        status = side_force("robot.wheels.model", wheels[form], "2 m/s", &fast, error);
    if (status != IB_OK) return status;
    found[IB__SIDE_RATIO].form[form] = fast / slow;
    ib__TankChanges changes = ib__tank_claims_as(IB__CORRECTED);
    ib__tank_claims_change(&changes, "robot.wheels.model", wheels[form]);
    ib__tank_claims_change(&changes, "inputs.right", "6 V");
    return ib__tank_claims_sample(&changes, 5, signals, &found[IB__ARC_TURN].form[form], error);
}

// (10.3): the side force of the wheels of the data file.
static ib_Status omni(ib_ClaimValue *found, ib_Error *error)
{
    double traction = NAN, little = NAN;
    ib_Status status = side_force("robot.wheels", "traction", "1 m/s", &traction, error);
    if (status == IB_OK) status = side_force("robot.wheels", "omni", "1 m/s", &little, error);
    found[IB__OMNI].form[IB__CORRECTED] = little / traction;
    return status;
}

// ------------------------------------------------------------------------------------ acceleration

// (10.4a-d) as printed, with the corrected (10.1), (10.2) and (10.3) put in, beside the program's
// rates at a state in which everything moves.
static ib_Status acceleration(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_DRIVE("left", "torque"),
                                          IB_NAME_DRIVE("right", "torque"), NULL};
    const double M = 60, W = 0.3, L = 0.8, N = 2, G = 10.71, D = 0.1524, K = 200;
    const double th = 0.7, Vx = 1.5, Vy = -0.4, w = 0.8;
    double dx[IB_TANK_BODY], T[2], s, c;
    ib__TankChanges changes = ib__tank_claims_as(IB__CORRECTED);
    ib__tank_claims_change(&changes, "inputs.right", "6 V");
    ib__tank_claims_change(&changes, "start.heading", "0.7 rad");
    ib__tank_claims_change(&changes, "start.velocity",
                           "{x: 1.5 m/s, y: -0.4 m/s, heading: 0.8 rad/s}");
    ib_Status status = ib__tank_claims_rates(&changes, dx, error);
    if (status == IB_OK) status = ib__tank_claims_sample(&changes, 0, signals, T, error);
    ib_sincos(th, &s, &c);
    double across = -Vx * s + Vy * c, side = -across * K;
    double force = (T[0] + T[1]) * N * 2 * G / D, torque = (T[1] - T[0]) * N * W * 2 * G / D;
    double inertia = M / 12 * (0.9 * L * (0.9 * L) + 2 * W * (2 * W));
    found[IB__BODY_AX].form[IB__PUBLISHED] = (force * c + side * -s) / M;
    found[IB__BODY_AY].form[IB__PUBLISHED] = (force * s + side * c) / M;
    found[IB__BODY_ALPHA].form[IB__PUBLISHED] = torque / inertia;
    found[IB__PLATE].form[IB__PUBLISHED] = inertia;
    // The program's velocities turn with the robot: field = R (u' - w n, n' + w u).
    double u = Vx * c + Vy * s, ahead = dx[IB_TANK_U] - w * across, left = dx[IB_TANK_N] + w * u;
    found[IB__BODY_AX].form[IB__CORRECTED] = ahead * c - left * s;
    found[IB__BODY_AY].form[IB__CORRECTED] = ahead * s + left * c;
    found[IB__BODY_ALPHA].form[IB__CORRECTED] = dx[IB_TANK_W];
    found[IB__PLATE].form[IB__CORRECTED] = torque / dx[IB_TANK_W];
    return status;
}

// The rotors, left out in 10.4, turn 10.71 times faster than the wheels.
static ib_Status rotors(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_ENERGY("kinetic"), IB_NAME_ENERGY("rotors"),
                                          NULL};
    double energy[2];
    ib__TankChanges changes = ib__tank_claims_as(IB__CORRECTED);
    ib__tank_claims_change(&changes, "robot.wheels.model", "friction_circle");
    ib_Status status = ib__tank_claims_sample(&changes, 5, signals, energy, error);
    found[IB__ROTORS].form[IB__CORRECTED] = (energy[0] + energy[1]) / energy[0];
    return status;
}

// Figure 12 writes MotorWidth for the half width: a robot of 0.76 m as drawn.
static ib_Status drawn(ib_ClaimValue *found, int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_YAW_RATE, NULL};
    double rate;
    ib__TankChanges changes = ib__tank_claims_as(IB__CORRECTED);
    ib__tank_claims_change(&changes, "robot.half_track", form ? "0.38 m" : "0.3 m");
    ib__tank_claims_change(&changes, "inputs.right", "-12 V");
    ib__tank_claims_change(&changes, "run.duration", "10 s");
    ib_Status status = ib__tank_claims_sample(&changes, 10, signals, &rate, error);
    found[IB__DRAWN].form[form] = -rate;
    return status;
}

// --------------------------------------------------------------------------------------- collision

// A robot meets a wall at 2 m/s, on ice and with its wheels free: `values` are velocity, yaw rate
// and kinetic energy afterwards.
static ib_Status collide(int form, const char *heading, double values[3], ib_Error *error)
{
    static const char text[] =
        "robots:\n"
        "  hitter: {kind: tank, mass: 60 kg, drive: {neutral: coast},\n"
        "    wheels: {model: friction_circle, mu: 0, side_friction: 0 N*s/m},\n"
        "    bumper: {restitution: 0.5, friction: 0},\n"
        "    start: {velocity: {x: 2 m/s}}, inputs: {left: 0 V, right: 0 V}}\n"
        "  wall: {kind: box, mass: 10000 kg, length: 1 m, width: 6 m, mu: 0,\n"
        "    bumper: {restitution: 1, friction: 0}, start: {x: 1.2 m}}\n"
        "run: {duration: 1 s, step: 1 ms}\n";
    static const char *const names[] = {"corrected", "published"};
    static const char *const signals[] = {"hitter." IB_NAME_VELOCITY_X, "hitter." IB_NAME_YAW_RATE,
                                          "hitter." IB_NAME_ENERGY("kinetic"), NULL};
    const double end = 1;
    const ib_Override overrides[] = {{"robots.hitter.equations", names[form]},
                                     {"robots.hitter.start.heading", heading}};
    ib__ClaimRun run = {.scenario = text,
                        .overrides = overrides,
                        .override_count = 2,
                        .signals = signals,
                        .times = &end,
                        .time_count = 1,
                        .values = values};
    return ib__claim_run(&run, error);
}

static ib_Status collisions(ib_ClaimValue *found, int form, ib_Error *error)
{
    double flat[3], corner[3];
    ib_Status status = collide(form, "0 deg", flat, error);
    if (status == IB_OK) status = collide(form, "20 deg", corner, error);
    if (status != IB_OK) return status;
    found[IB__CORNER].form[form] = corner[1];
    if (form == IB__PUBLISHED) return IB_OK; // its motors brake, which hides the effect of the wall
    found[IB__HEAD_ON].form[form] = flat[0] / 2;
    found[IB__ABSORBED].form[form] = corner[2] / (60 * 2.0 * 2.0 / 2);
    return IB_OK;
}

ib_Status ib__tank_claims_body(ib_ClaimValue *found, ib_Error *error)
{
    static ib_Status (*const both[])(ib_ClaimValue *, int, ib_Error *) = {sideways, drawn,
                                                                          collisions};
    ib_Status status = IB_OK;
    for (int i = 0; i < IB_CLAIM_COUNT(both); i++)
        for (int form = IB__CORRECTED; form <= IB__PUBLISHED && status == IB_OK; form++)
            status = both[i](found, form, error);
    if (status == IB_OK) status = omni(found, error);
    if (status == IB_OK) status = acceleration(found, error);
    if (status == IB_OK) status = rotors(found, error);
    return status;
}
