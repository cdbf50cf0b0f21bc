// plant/hook.h: a hook by which a robot hangs on a bracket, and the height that it gives the robot.
// The derivation is in docs/plant/hook.md.
//
// A part of a mechanism that goes up and down (plant/actuator/actuator.h). All that touches yields
// a little, so that forces follow from where everything is, and only whether the hook is over the
// bar is a mode.
//
//   symbol   meaning                                                                unit
//   h        height of the robot over where it stands                               m
//   z        height of the hook over the floor:  z = h + height + position          m
//   q        way of the hook from the bracket, along the floor, field frame         m
//   M, m     mass of the robot, and of what the lift moves of it                    kg
//   e        how far something yields; k, b its stiffness and loss                  m, N/m, s/m
//
// One law for bracket, floor and walls: F = k e max(0, 1 + b e'), e > 0. It begins and ends at zero
// and never pulls; k e^2/2 is stored, and (F - k e) e' >= 0 is lost.
//
//   bracket   e = z_bar - z + q^2/(2 L)      pulls up with T, and back with T q/L: a pendulum
//   floor     e = sag - h                    so that h = 0 where it stands
//   walls     1/e^2 = sum 1/a^2              a: how deep it is behind each of their faces
//
// Limits: hanging at rest T = M g, e = sag; small swings have the period 2 pi sqrt(L/g); near one
// face of a wall, e is the depth behind it.
#ifndef IB_PLANT_HOOK_H
#define IB_PLANT_HOOK_H

#include "base/schema.h"

#include <stdbool.h>

typedef struct ib_HookConfig {
    int on;                          ///< 0: there is none
    double bracket[3];               ///< where the bar is, field frame, its height last [m]
    double height;                   ///< of the hook over the floor, robot standing, lift at 0 [m]
    double reach;                    ///< it catches within so much of the bar [m], > 0
    double sag, damping;             ///< of bracket and walls under the robot's weight [m], [1]
    double length, sway;             ///< of the pendulum [m], damping of its swings [1]
    double floor_sag, floor_damping; ///< of the floor under its wheels [m], [1]
    double slot, outer, lip;         ///< walls: slot < q < outer, z > lip [m]; outer = 0: none
    bool hanging;                    ///< at the start
} ib_HookConfig;

// The lifted body: its mass, and the places of its motion among the states.
typedef struct ib_HookCarrier {
    double mass;               ///< M, with all that stands on it [kg]
    int x, y, heading;         ///< states
    int velocity[2], yaw_rate; ///< states
    bool own_axes;             ///< velocities forward and to the left, not the field's
} ib_HookCarrier;

typedef struct ib_HookModel {
    bool on;
    ib_HookConfig config;
    ib_HookCarrier carrier;
    double moved;               ///< m [kg]
    double place[2];            ///< of the hook on the robot, forward and left [m]
    double release;             ///< where it lets go [m]
    double k, loss;             ///< of bracket and walls [N/m], [s/m]
    double per_length;          ///< 1/L [1/m]
    double sway;                ///< sideways damping for each newton of tension [s/m]
    double floor_k, floor_loss; ///< [N/m], [s/m]
} ib_HookModel;

// Its states.
enum {
    IB_HOOK_HEIGHT,   ///< h [m]
    IB_HOOK_CLIMB,    ///< h' [m/s]
    IB_HOOK_ENGAGED,  ///< 1: the hook is over the bar
    IB_HOOK_STRIKING, ///< 1: its plates are in a wall
    IB_HOOK_STRUCK,   ///< number of strikes on one
    IB_HOOK_LOST,     ///< energy lost where things yield [J]
    IB_HOOK_STATES,
};

// All motions at one instant.
typedef struct ib_HookMotion {
    double h, climb;         ///< [m], [m/s]
    double position, speed;  ///< of the lift [m], [m/s]
    double x, y, heading;    ///< of the robot [m], [rad]
    double vx, vy, yaw_rate; ///< field frame [m/s], [rad/s]
} ib_HookMotion;

// All forces at that instant.
typedef struct ib_HookNow {
    double qx, qy, distance, z; ///< q, |q| and z [m]
    double yields;         ///< e of the bracket; negative: how far the hook is above the bar [m]
    double wall;           ///< distance of its plates from the walls, negative inside [m]
    double tension;        ///< T [N]
    double floor;          ///< load on the floor [N]
    double strike;         ///< of the walls [N]
    double up;             ///< on the hook, upwards [N]
    double fx, fy, torque; ///< on the robot: field frame at the hook [N], and a torque [N m]
    double given;          ///< power that these three give to the robot [W]
    double lost;           ///< power lost where things yield [W]
    double stored;         ///< in compliant contacts [J]
} ib_HookNow;

// Checks beyond ranges; the error begins with the key at fault, "hook.walls.slot: …".
ib_Status ib_hook_check(const ib_HookConfig *config, ib_Error *error);
// `moved`: m; the carrier is set later.
void ib_hook_init(const ib_HookConfig *config, double moved, const double place[2],
                  ib_HookModel *model);
// Sets the lifted body: stiffnesses follow from its mass.
void ib_hook_carry(const ib_HookCarrier *carrier, ib_HookModel *model);

// The motion: x the robot's states, own those of the hook.
ib_HookMotion ib_hook_motion(const ib_HookModel *model, const double *x, const double *own,
                             double position, double speed);
void ib_hook_evaluate(const ib_HookModel *model, const ib_HookMotion *motion, bool engaged,
                      ib_HookNow *now);

// State of rest at the start: standing, or hanging by the bar. `own`: its states.
void ib_hook_reset(const ib_HookModel *model, bool hanging, const double *x, double position,
                   double *own);

// Longest step for a fixed-step solver [s]. `inertia`: mass moved by the lift, with rotors [kg].
double ib_hook_resolution(const ib_HookModel *model, double inertia);

// Margins, positive as long as the mode stays: hook over the bar or not; hook in a wall or not.
double ib_hook_catch_margin(const ib_HookModel *model, const double *own, const ib_HookNow *now);
double ib_hook_strike_margin(const double *own, const ib_HookNow *now);
// Brings both in line; true when something changed.
bool ib_hook_settle(const ib_HookModel *model, const ib_HookNow *now, double *own);

// -------------------------------------------------------------------------------------- parameters

extern const ib_PresetDef ib_hook_presets;

enum { IB_HOOK_ROW_COUNT = 15 };

#define IB__HOOK(key, unit, fallback, min, max, config, field, sentence)                           \
    IB_PARAM_ROW("hook." key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, config,             \
                 act.hook.field, false, sentence)

// Rows for a config struct that begins as an ib_MechanismConfig.
#define IB_HOOK_ROWS(config)                                                                       \
    IB_PARAM_ROW("hook", IB_PARAM_PRESET, "1", "off", 0, 0, &ib_hook_presets, config, act.hook.on, \
                 false,                                                                            \
                 "a hook on the carriage by which the robot hangs on a bracket: off or a map"),    \
        IB__HOOK("bracket.x", "m", "0 m", -1e6, 1e6, config, bracket[0],                           \
                 "where the bracket's bar is, field x"),                                           \
        IB__HOOK("bracket.y", "m", "0 m", -1e6, 1e6, config, bracket[1],                           \
                 "where the bracket's bar is, field y"),                                           \
        IB__HOOK("bracket.z", "m", "22 in", 0, 1e3, config, bracket[2],                            \
                 "height of the bracket's bar over the floor"),                                    \
        IB__HOOK("height", "m", "17 in", 0, 1e3, config, height,                                   \
                 "height of the hook over the floor while the robot stands and it is at 0"),       \
        IB__HOOK("reach", "m", "3 cm", 1e-3, 10, config, reach,                                    \
                 "the hook catches within so much of the bar, along the floor"),                   \
        IB__HOOK("sag", "m", "5 mm", 1e-3, 0.1, config, sag,                                       \
                 "how far hook and bracket yield under the robot's weight; walls are as stiff"),   \
        IB__HOOK("damping", "1", "0.7", 0, 2, config, damping,                                     \
                 "damping ratio of bracket and walls, about the robot at rest"),                   \
        IB__HOOK("length", "m", "35 cm", 1e-2, 100, config, length,                                \
                 "length of the pendulum that the hanging robot is"),                              \
        IB__HOOK("sway", "1", "0.3", 0, 10, config, sway, "damping ratio of its small swings"),    \
        IB__HOOK("floor_sag", "m", "5 mm", 1e-3, 0.1, config, floor_sag,                           \
                 "how far wheels and floor yield under the robot's weight"),                       \
        IB__HOOK("floor_damping", "1", "0.7", 0, 2, config, floor_damping,                         \
                 "damping ratio of the robot on the floor"),                                       \
        IB__HOOK("walls.slot", "m", "6 cm", 1e-3, 1e3, config, slot,                               \
                 "walls around the bracket: how far from the bar they begin"),                     \
        IB__HOOK("walls.outer", "m", "0 m", 0, 1e3, config, outer,                                 \
                 "walls around the bracket: how far from the bar they end; 0: there are none"),    \
        IB__HOOK("walls.lip", "m", "20 in", 0, 1e3, config, lip,                                   \
                 "walls around the bracket: height of their lower edge over the floor")

#endif
