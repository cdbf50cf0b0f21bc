// robot/planar.h: a body on the floor, once for all robots that have one. This file has its start,
// its signals, its motion and its response to a push.
//
// A robot's own part is its physics, a list of parts. It puts an ib_PlanarConfig into its config,
// and ib_build_body (robot/parts.h) declares pose and velocity; the rest is in the functions below.
// Velocities are kept along the field's axes or along its own, as the robot likes; those along the
// field's axes are never turned.
//
//   symbol       meaning                                          unit
//   x, y, th     origin and heading, field frame                  m, m, rad
//   vx, vy       velocity of the origin along the field's axes    m/s
//   u, n         the same along its own: forward, to the left     m/s
//   w            yaw rate                                         rad/s
//   c, s         cosine and sine of the heading
//
//   vx = u c - n s,   vy = u s + n c;      u = vx c + vy s,   n = vy c - vx s
#ifndef IB_ROBOT_PLANAR_H
#define IB_ROBOT_PLANAR_H

#include "base/formula.h"
#include "base/maths.h"
#include "plant/declare.h"
#include "robot/kind.h"

#include <stddef.h>

typedef struct ib_PlanarConfig {
    double x, y, heading;                            ///< at the start [m, m, rad]
    double velocity_x, velocity_y, velocity_heading; ///< at the start [m/s, m/s, rad/s]
} ib_PlanarConfig;

// Properties of a robot's bumpers (or sides) in a hit.
// Derivation: docs/world/world.md, "Restitution"
typedef struct ib_BumperConfig {
    int given;          ///< always 1
    double restitution; ///< in slow hits, 0 .. 1
    double yield_speed; ///< beyond which it falls [m/s], > 0, may be infinite
    double friction;    ///< >= 0
} ib_BumperConfig;

extern const ib_PresetDef ib_bumper_presets; ///< the entries of data/bumpers.yaml

// The entry `foam`, for robots that are made without a file. A test holds the two equal.
extern const ib_BumperConfig ib_bumper_foam;

// Its mass, and the places of its state. Made by ib_planar_declare.
struct ib_PlanarModel {
    double per_mass, per_inertia; ///< of a free body [1/kg, 1/(kg m^2)]
    int x, y, heading;            ///< states
    int velocity[2], yaw_rate;    ///< states: vx and vy, or u and n; w
    bool own_axes;                ///< u and n, not vx and vy
    int contact_energy;           ///< the state that sums the energy taken by contacts [J];
                                  ///< -1: none
    int push_energy;              ///< the state that sums the work of pushes [J]; -1: none
    bool varies; ///< the response to a push depends on more states than the heading
};

// Place and motion of the body: its origin, in the field frame.
typedef struct ib_Motion {
    double x, y, heading; ///< [m, m, rad]
    double vx, vy, w;     ///< [m/s, m/s, rad/s]
    double ax, ay, alpha; ///< [m/s^2, m/s^2, rad/s^2]; from a rate, 0 without one
} ib_Motion;

// ------------------------------------------------------------------------------------------ tables

#define IB__PLANAR_START_ROW(at, key, unit, most, field, sentence)                                 \
    {                                                                                              \
        key, IB_PARAM_NUMBER, unit, "0 " unit, -(most), most, NULL,                                \
            (at) + offsetof(ib_PlanarConfig, field), false, sentence                               \
    }

// The rows of bumpers (or sides), for a config struct that holds them in `bumper`. The default is
// foam; a given restitution is valid at every speed, unless a yield_speed is given beside it.
#define IB_BUMPER_ROWS(config, what, live)                                                         \
    IB_PARAM_ROW("bumper", IB_PARAM_PRESET, "1", "foam", 0, 0, &ib_bumper_presets, config,         \
                 bumper.given, false,                                                              \
                 "what " what " give back: an entry of data/bumpers.yaml, or a map"),              \
        IB_PARAM_ROW("bumper.restitution", IB_PARAM_NUMBER, "1", "0.3", 0, 1, NULL, config,        \
                     bumper.restitution, live,                                                     \
                     "restitution of " what                                                        \
                     " in slow hits; of two that meet the smaller one counts"),                    \
        IB_PARAM_ROW(                                                                              \
            "bumper.yield_speed", IB_PARAM_LIMIT, "m/s", "off", 1e-3, 1e3, NULL, config,           \
            bumper.yield_speed, false,                                                             \
            "speed of a hit beyond which restitution falls, as speed^-1/4; off: it never "         \
            "does"),                                                                               \
        IB_PARAM_ROW("bumper.friction", IB_PARAM_NUMBER, "1", "0.5", 0, 10, NULL, config,          \
                     bumper.friction, false,                                                       \
                     "friction coefficient of " what                                               \
                     "; two that meet: the square root of the product")

// Rows of ib_RobotKind.start; `at`: offset of the ib_PlanarConfig in the robot's config.
#define IB_PLANAR_START_ROWS(at)                                                                   \
    IB__PLANAR_START_ROW(at, "x", "m", 1e6, x, "position of the middle, field x"),                 \
        IB__PLANAR_START_ROW(at, "y", "m", 1e6, y, "position of the middle, field y"),             \
        IB__PLANAR_START_ROW(at, "heading", "rad", 1e4, heading,                                   \
                             "direction of the front, counter-clockwise from field x"),            \
        IB__PLANAR_START_ROW(at, "velocity.x", "m/s", 1e3, velocity_x,                             \
                             "velocity of the middle, field x"),                                   \
        IB__PLANAR_START_ROW(at, "velocity.y", "m/s", 1e3, velocity_y,                             \
                             "velocity of the middle, field y"),                                   \
        IB__PLANAR_START_ROW(at, "velocity.heading", "rad/s", 1e3, velocity_heading,               \
                             "yaw rate, counter-clockwise is positive")

// Signals of every planar robot, at the front of its own.
enum {
    IB_PLANAR_SIGNAL_X,
    IB_PLANAR_SIGNAL_Y,
    IB_PLANAR_SIGNAL_HEADING,
    IB_PLANAR_SIGNAL_VX,
    IB_PLANAR_SIGNAL_VY,
    IB_PLANAR_SIGNAL_W,
    IB_PLANAR_SIGNAL_FORWARD,
    IB_PLANAR_SIGNAL_LEFT,
    IB_PLANAR_SIGNALS,
};

#define IB_NAME_POSE_X           "pose.x"
#define IB_NAME_POSE_Y           "pose.y"
#define IB_NAME_POSE_HEADING     "pose.heading"
#define IB_NAME_VELOCITY_X       "velocity.x"
#define IB_NAME_VELOCITY_Y       "velocity.y"
#define IB_NAME_YAW_RATE         "velocity.heading"
#define IB_NAME_VELOCITY_FORWARD "velocity.forward"
#define IB_NAME_VELOCITY_LEFT    "velocity.left"

#define IB_PLANAR_SIGNAL_ROWS                                                                      \
    [IB_PLANAR_SIGNAL_X] = {IB_NAME_POSE_X, "m", "position of the middle, field x", 1e7,           \
                            IB_MEANS(.role = IB_ROLE_POSE_X, .headline = 2)},                      \
    [IB_PLANAR_SIGNAL_Y] = {IB_NAME_POSE_Y, "m", "position of the middle, field y", 1e7,           \
                            IB_MEANS(.role = IB_ROLE_POSE_Y, .headline = 2)},                      \
    [IB_PLANAR_SIGNAL_HEADING] =                                                                   \
        {IB_NAME_POSE_HEADING, "rad",                                                              \
         "direction of the front, counter-clockwise from field x, continuous", 1e7,                \
         IB_MEANS(.role = IB_ROLE_POSE_HEADING, .headline = 2, .shown = "deg")},                   \
    [IB_PLANAR_SIGNAL_VX] = {IB_NAME_VELOCITY_X, "m/s", "velocity of the middle, field x", 1e3,    \
                             IB_MEANS(.role = IB_ROLE_VELOCITY_X)},                                \
    [IB_PLANAR_SIGNAL_VY] = {IB_NAME_VELOCITY_Y, "m/s", "velocity of the middle, field y", 1e3,    \
                             IB_MEANS(.role = IB_ROLE_VELOCITY_Y)},                                \
    [IB_PLANAR_SIGNAL_W] = {IB_NAME_YAW_RATE, "rad/s", "yaw rate, counter-clockwise is positive",  \
                            1e4, IB_MEANS(.role = IB_ROLE_YAW_RATE, .shown = "deg/s")},            \
    [IB_PLANAR_SIGNAL_FORWARD] = {IB_NAME_VELOCITY_FORWARD, "m/s", "velocity along the heading",   \
                                  1e3, IB_MEANS(.headline = 1)},                                   \
    [IB_PLANAR_SIGNAL_LEFT] = {IB_NAME_VELOCITY_LEFT, "m/s",                                       \
                               "velocity across the heading, to the left", 1e3}

extern const ib_SignalDef ib_planar_signals[IB_PLANAR_SIGNALS];

// ---------------------------------------------------------------------------- for the robot itself

// Declares its states and signals: pose, yaw rate, velocity along its own axes or the field's. Mass
// [kg] and inertia about the origin [kg m^2], > 0, with its load.
void ib_planar_declare(ib_PlanarModel *planar, bool own_axes, double mass, double inertia,
                       ib_Declarations *d);

// Writes pose and velocity at the start into the state.
void ib_planar_reset(const ib_PlanarModel *planar, const ib_PlanarConfig *config, double *state);

// Writes the IB_PLANAR_SIGNALS; c, s: cosine and sine of the heading.
IB_FORMULA void ib_planar_output(const ib_PlanarModel *planar, const double *state, double c,
                                 double s, double *signals)
{
    double a = state[planar->velocity[0]], b = state[planar->velocity[1]];
    double vx = a, vy = b, u = a, n = b;
    if (planar->own_axes) {
        vx = u * c - n * s;
        vy = u * s + n * c;
    } else {
        u = vx * c + vy * s;
        n = vy * c - vx * s;
    }
    signals[IB_PLANAR_SIGNAL_X] = state[planar->x];
    signals[IB_PLANAR_SIGNAL_Y] = state[planar->y];
    signals[IB_PLANAR_SIGNAL_HEADING] = state[planar->heading];
    signals[IB_PLANAR_SIGNAL_VX] = vx;
    signals[IB_PLANAR_SIGNAL_VY] = vy;
    signals[IB_PLANAR_SIGNAL_W] = state[planar->yaw_rate];
    signals[IB_PLANAR_SIGNAL_FORWARD] = u;
    signals[IB_PLANAR_SIGNAL_LEFT] = n;
}

// -------------------------------------------------------------------- for those who push and touch

// Its place and motion; with `rate` (may be NULL) also its acceleration.
void ib_planar_motion(const ib_PlanarModel *planar, const double *state, const double *rate,
                      ib_Motion *motion);

// Its response to a push, given as the sums of plant/environment.h: adds to `change`, an array like
// the state, the effect of an impulse [N s] on the state, which is also that of a force [N] on its
// rate; `change` is `state` itself for an impulse, another array for a force. kind, model: its own,
// for ib_RobotKind.answer.
void ib_planar_respond(const ib_PlanarModel *planar, const ib_RobotKind *kind, const void *model,
                       const double *state, const double *push, double *change);

// The same as a matrix: the change of (vx, vy, w) by an impulse (x, y, turn) at the origin, field
// frame. Rows x, y, turn; symmetric; singular if wheels let a robot move in one direction only.
void ib_planar_inverse_mass(const ib_PlanarModel *planar, const ib_RobotKind *kind,
                            const void *model, const double *state, double matrix[9]);

#endif
