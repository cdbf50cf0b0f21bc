// plant/actuator/actuator.h: a mechanism on a robot: motors on the bus, losses, stops, brake.
// The derivation is in docs/plant/actuator.md.
//
// A part of any robot. Its motors are a row (plant/electric/motor_row.h), whose torques on the
// shafts become rates (ib_actuator_rate). The mechanics are those of plant/mechanism/mechanism.h,
// so the desk and the simulation have the same.
//
// Symbols: T torques on the shafts behind the gears; v speed of a joint, a its acceleration, M
// mobility, F forces on joints.
//
//   x' = rate(x, T) + M F                F: dry friction, brake, stops
#ifndef IB_PLANT_ACTUATOR_H
#define IB_PLANT_ACTUATOR_H

#include "base/signal.h"
#include "plant/air/air.h"
#include "plant/electric/gearmotor.h"
#include "plant/electric/motor_row.h"
#include "plant/electric/power.h"
#include "plant/electric/thermal.h"
#include "plant/hook.h"
#include "plant/mechanism/mechanism.h"
#include "plant/part.h"
#include "plant/wheel/weight.h"

// ----------------------------------------------------------------------------------------- configs

enum { IB_WINDING_QUASI_STATIC, IB_WINDING_IMPLICIT };
enum { IB_ACTUATOR_BRAKES, IB_ACTUATOR_COASTS };

// Friction and stops of a joint. Units of force and travel are the joint's: N and m, or N m
// and rad.
typedef struct ib_JointConfig {
    double travel[2];    ///< from stop to stop; infinite: none
    double limit_switch; ///< its switch closes so near to a stop; infinite: none
    double dry_friction; ///< >= 0
    double brake;        ///< the most that its brake holds, >= 0; 0: there is none
} ib_JointConfig;

// Limits of the motors of a shaft.
typedef struct ib_ShaftConfig {
    double current_limit, supply_limit; ///< of one motor [A], +infinity: off
} ib_ShaftConfig;

// Parameters of a mechanism on a robot, beyond those of the desk. All joints and shafts share those
// of the first, unless the kind has a second gear.
typedef struct ib_ActuatorConfig {
    ib_JointConfig joint[IB_MECHANISM_JOINTS];
    ib_ShaftConfig shaft[IB_MECHANISM_DRIVES];
    int current;                   ///< IB_WINDING_QUASI_STATIC …
    double inductance;             ///< of one winding [H], > 0
    int neutral;                   ///< IB_ACTUATOR_BRAKES …
    ib_ThermalConfig thermal;      ///< of each motor
    double place[3];               ///< its place: forward, left, up [m]
    int piston;                    ///< 1: a cylinder in place of motors,
    ib_AirCylinderConfig cylinder; ///< whose load and force are not used
    ib_HookConfig hook;            ///< on its moving part, for the robot to hang by
    bool reaction;                 ///< a base that moves feels it, and it the base
    double position[IB_MECHANISM_JOINTS], velocity[IB_MECHANISM_JOINTS]; ///< at the start
} ib_ActuatorConfig;

// The config of every kind that can stand on a robot begins so.
typedef struct ib_MechanismConfig {
    ib_GearmotorConfig gear;
    ib_ActuatorConfig act;
} ib_MechanismConfig;

// One of the mechanisms of a robot.
typedef struct ib_MechanismSpec {
    char name[IB_NAME_LENGTH + 1]; ///< as in `mechanisms: {lift: …}`
    const ib_MechanismKind *kind;
    bool own_gravity;                   ///< the file gives `gravity`; else the field's counts
    char motor_key[IB_NAME_LENGTH + 1]; ///< the last key in the file that belongs to a motor; ""
    ib_MechanismMemory config;
} ib_MechanismSpec;

enum { IB_MECHANISMS_MAX = 12 }; ///< of one robot

typedef struct ib_MechanismSet {
    int count;
    ib_MechanismSpec items[IB_MECHANISMS_MAX];
} ib_MechanismSet;

// Checks beyond ranges. The error begins with the key at fault.
ib_Status ib_mechanism_spec_check(const ib_MechanismSpec *spec, ib_Error *error);

// Starts a joint at `wanted`, or at the nearer stop where that lies outside of the travel.
void ib_mechanism_spec_start(ib_MechanismSpec *spec, int joint, double wanted);

// ------------------------------------------------------------------------------------------- model

// Modes of a joint that has stops, a brake or dry friction.
enum {
    IB_JOINT_FREE,    ///< moves, and nothing rubs
    IB_JOINT_LOW,     ///< stands at its low stop
    IB_JOINT_HIGH,    ///< stands at its high stop
    IB_JOINT_HELD,    ///< is held by friction or brake
    IB_JOINT_FORWARD, ///< slides against friction or brake
    IB_JOINT_BACKWARD,
};

// Energies so far [J]; the first, stored less initial energy, is the sum of all others.
enum {
    IB_ACTUATOR_ELECTRIC,   ///< taken from the bus, or given by the air of its cylinder,
    IB_ACTUATOR_COPPER,     ///< lost in the windings,
    IB_ACTUATOR_CONVERSION, ///< between electrical and mechanical power: Ke is not Kt,
    IB_ACTUATOR_LOSS,       ///< to the motors' loss torque,
    IB_ACTUATOR_GEAR,       ///< in the gear,
    IB_ACTUATOR_FRICTION,   ///< in bearings, guides and the brake,
    IB_ACTUATOR_STOP,       ///< at the stops
    IB_ACTUATOR_GIVEN,      ///< to balls, and to pushing bodies
    IB_ACTUATOR_BOOKS,
};

typedef struct ib_Actuator {
    const char *name;
    ib_Mechanism mechanism;
    bool own_gravity;
    ib_ActuatorConfig config;
    ib_MotorShaft drive[IB_MECHANISM_DRIVES];
    double share[IB_MECHANISM_DRIVES]; ///< duty for a volt of the command [1/V]
    ib_MotorRow motors;                ///< one bridge a shaft, or none where a cylinder moves it
    int joint_count;
    int drive_count;                       ///< shafts
    ib_MechanismMemory memory;             ///< the kind's config, for its cylinder
    ib_AirCylinderModel cylinder;          ///< where the config has one
    double travel[IB_MECHANISM_JOINTS][2]; ///< widened by the slack that locates a stop
    bool stands[IB_MECHANISM_JOINTS];      ///< may stand still: at a stop, or held
    bool stops;                            ///< one of them may
    ib_HookModel hook;                     ///< where the config has one
    double begun[2]; ///< with a hook: height [m] and energy of compliant contacts [J] at the start

    // Places of its parts in the robot's arrays; those of optional states -1: not there.
    int state;                         ///< the plant's own
    int position[IB_MECHANISM_JOINTS]; ///< of each joint
    int speed[IB_MECHANISM_JOINTS];    ///< of each joint
    int mode[IB_MECHANISM_JOINTS];     ///< of each joint; -1: always free
    int chambers;                      ///< of the cylinder
    int jolted;                        ///< 1: a ball has passed and the input is still on
    int count;                         ///< of balls that have passed
    int books;                         ///< IB_ACTUATOR_BOOKS of them
    int held;                          ///< load of its hand [kg]
    int hooked;                        ///< IB_HOOK_STATES of its hook
    int command;                       ///< its inputs: one of each drive, or of the valve,
    int brake[IB_MECHANISM_JOINTS];    ///< whether its brake is on, -1: it has none,
    int jolt;                          ///< whether a ball passes, -1: none can
    int load;                          ///< wanted load of its hand [kg], -1: no hand
    int push;                          ///< forces on its joints from outside,
    int guard;                         ///< one of each joint with modes
    int hook_guard;                    ///< of its hook, two: it catches, it strikes
    // First signals that are no states: switches of joints, of shafts, signals of its kind, the
    // whole with its book, the hook.
    int switch_signal[IB_MECHANISM_JOINTS], drive_signal[IB_MECHANISM_DRIVES];
    int kind_signal, whole_signal, hook_signal;
} ib_Actuator;

// Derives everything but the places. The spec has been checked. `air`: the robot's, NULL: none.
void ib_actuator_init(const ib_MechanismSpec *spec, const ib_AirModel *air, ib_Actuator *actuator);

// Declares its states, inputs, guards and bridges; then its signals.
void ib_actuator_declare(ib_Actuator *actuator, ib_Declarations *d);
void ib_actuator_declare_signals(ib_Actuator *actuator, ib_Declarations *d);

// Sets the body lifted by its hook, if it has one.
void ib_actuator_carry(ib_Actuator *actuator, const ib_HookCarrier *carrier);
// Initial values of a robot with a hook. IB_BAD_INPUT: it cannot hang there; the error begins
// with "start.hanging".
ib_Status ib_actuator_begin(ib_Actuator *actuator, const double *x, ib_Error *error);

// `working`: pressure that its cylinder is under at the start [Pa].
void ib_actuator_reset(const ib_Actuator *actuator, double working, double *x);

// Longest step for a fixed-step solver [s]; 0: any. `resistance`: of the battery.
double ib_actuator_resolution(const ib_Actuator *actuator, double resistance);

// ---------------------------------------------------------------------------------------- dynamics
//
// The wires are the robot's, solved: its motors' torques are on them (ib__motor_row_push).

// Before the bus: speeds and commands of its motors, and its bridges.
void ib_actuator_offer(const ib_Actuator *actuator, ib_Wires *wires);

// Rates of all its states; adds its cylinder's use of air to the wires.
void ib_actuator_rate(const ib_Actuator *actuator, const ib_MotorRowNotes *motors, ib_Wires *wires,
                      double *dx);

void ib_actuator_guards(const ib_Actuator *actuator, const ib_Wires *wires, double *guards);

// Brings modes and load in line with state and input; true if something changed. `loaded`: the
// base, with `reaction`, once the hand holds its wanted load.
bool ib_actuator_settle(const ib_Actuator *actuator, const ib_Mount *loaded, const ib_Wires *wires,
                        double *x);

// Its momentum along the floor, forward, as seen from the base, where its joints have the speeds v
// [N s]; and how that grows now [N].
double ib_actuator_momentum(const ib_Actuator *actuator, const double *x, const double *v);
double ib_actuator_recoil(const ib_Actuator *actuator, const ib_Wires *wires);
// With `reaction`, for a change `jump` of the speed of the base alone, in a hit: adds to the speeds
// of its joints, and returns its impulse on the base. Linear in `jump`, so that an acceleration
// gives rates and a force. Joints at rest stay at rest.
double ib_actuator_shake(const ib_Actuator *actuator, const double *x, const ib_Mount *base,
                         double jump, double change[IB_MECHANISM_JOINTS]);

// The force of its hook at this instant; call only with a hook.
void ib_actuator_hook(const ib_Actuator *actuator, const double *x, ib_HookNow *now);

// Adds the moments of its mass.
void ib_actuator_cargo(const ib_Actuator *actuator, const double *x, ib_Cargo *cargo);

// Air in the chambers of its cylinder [mol].
double ib_actuator_air(const ib_Actuator *actuator, const double *x);

// ------------------------------------------------------------------------------------------- ports

// Prefix of the signals of a shaft's motors.
const char *ib_actuator_drive_name(const ib_Actuator *actuator, int shaft, ib_Declarations *d);

// Signals of each shaft's motors, and first of the whole.
enum { IB_ACTUATOR_VOLTAGE, IB_ACTUATOR_CURRENT, IB_ACTUATOR_TORQUE };
enum { IB_ACTUATOR_SUPPLY };

void ib_actuator_output(const ib_Actuator *actuator, const ib_Wires *wires, double *signals);

// -------------------------------------------------------------------------------------- parameters

// The key of a mechanism's config that keeps `key` from doing anything, or NULL: as in ib_Schema.
const char *ib_actuator_idle(const void *config, const char *key);

extern const char *const ib_actuator_windings[], *const ib_actuator_neutrals[];

#define IB__ACT_LIMIT(key, config, field, sentence)                                                \
    IB_ROW(key, IB_PARAM_LIMIT, "A", "off", 1e-3, 1e6, NULL, config, field, sentence)

// 0; a config struct that does not begin as an ib_MechanismConfig does not compile.
#define IB__ACT_BEGINS(config)                                                                     \
    (0 * sizeof(struct {                                                                           \
         _Static_assert(offsetof(config, gear) == 0, "a mechanism's config begins with `gear`");   \
         _Static_assert(offsetof(config, act) == offsetof(ib_MechanismConfig, act),                \
                        "`act` stands behind `gear` in a mechanism's config");                     \
         char room;                                                                                \
     }))

enum { ///< of the macros below
    IB_HOLD_ROW_COUNT = 2,
    IB_LIMIT_ROW_COUNT = 2,
    IB_STOP_ROW_COUNT = 2,
    IB_WINDING_ROW_COUNT = 2,
    IB_REST_ROW_COUNT = 4 + IB_THERMAL_ROW_COUNT,
    IB_ACTUATOR_ROW_COUNT =
        IB_HOLD_ROW_COUNT + IB_WINDING_ROW_COUNT + IB_LIMIT_ROW_COUNT + IB_REST_ROW_COUNT,
    IB_TRAVEL_ROW_COUNT = IB_ACTUATOR_ROW_COUNT + IB_STOP_ROW_COUNT,
};

// The rows of a mechanism on a robot, after those of the desk, for a config struct that begins as
// an ib_MechanismConfig; `force` is "N" or "N*m", `unit` "m" or "rad". `part` is the prefix of keys
// of a joint or a shaft of its own ("joint2."), else "". Friction of a joint:
#define IB_HOLD_ROWS(part, config, number, force)                                                  \
    IB_NUMBER_OF(part "dry_friction", force, "0 " force, IB__ACT_BEGINS(config), 1e6, config,      \
                 act.joint[number].dry_friction,                                                   \
                 "dry friction of its joint, whatever the speed; it can hold it"),                 \
        IB_NUMBER_OF(part "brake", force, "0 " force, 0, 1e9, config, act.joint[number].brake,     \
                     "largest load that its brake holds, by the input `brake`; 0: there is "       \
                     "none")
// its stops:
#define IB_STOP_ROWS(part, config, number, unit)                                                   \
    IB_ROW(part "travel", IB_PARAM_SPAN, unit, "off", -1e6, 1e6, NULL, config,                     \
           act.joint[number].travel,                                                               \
           "[low, high]: positions of its stops, which take all speed; off: no stops"),            \
        IB_ROW(part "limit_switches", IB_PARAM_LIMIT, unit, "off", 1e-9, 1e3, NULL, config,        \
               act.joint[number].limit_switch,                                                     \
               "how near to a stop its limit switch closes; off: it has none")
// limits of the motors of a shaft:
#define IB_LIMIT_ROWS(part, config, number)                                                        \
    IB__ACT_LIMIT(part "current_limit", config, act.shaft[number].current_limit,                   \
                  "largest current in a motor's winding (stator); off: no limit"),                 \
        IB__ACT_LIMIT(part "supply_limit", config, act.shaft[number].supply_limit,                 \
                      "largest current that a motor draws from the battery; off: no limit")
// rows for all motors of a mechanism, and its place:
#define IB_WINDING_ROWS(config)                                                                    \
    IB_CHOICE_OF("current", "quasi_static", ib_actuator_windings, config, act.current,             \
                 "law of the motors' current: without inductance, or with it"),                    \
        IB_NUMBER_OF("inductance", "H", "59 uH", 1e-9, 10, config, act.inductance,                 \
                     "inductance of one winding; only where `current` is implicit")
#define IB_REST_ROWS(config)                                                                       \
    IB_CHOICE_OF("neutral", "brake", ib_actuator_neutrals, config, act.neutral,                    \
                 "what a motor does at command 0"),                                                \
        IB_THERMAL_ROWS("thermal", config, act.thermal), IB_PLACE_ROWS(config)
#define IB_PLACE_ROWS(config)                                                                      \
    IB_NUMBER_OF("place.x", "m", "0 m", -100, 100, config, act.place[0],                           \
                 "where it is mounted, forward of the robot's middle"),                            \
        IB_NUMBER_OF("place.y", "m", "0 m", -100, 100, config, act.place[1],                       \
                     "where it is mounted, to the left of the robot's middle"),                    \
        IB_NUMBER_OF("place.z", "m", "0 m", -100, 100, config, act.place[2],                       \
                     "where it is mounted, above the floor")

// All of them, where joints and shafts share theirs; and for one that moves between stops.
#define IB_ACTUATOR_ROWS(config, force)                                                            \
    IB_HOLD_ROWS("", config, 0, force), IB_WINDING_ROWS(config), IB_LIMIT_ROWS("", config, 0),     \
        IB_REST_ROWS(config)
#define IB_TRAVEL_ROWS(config, unit, force)                                                        \
    IB_STOP_ROWS("", config, 0, unit), IB_ACTUATOR_ROWS(config, force)

// Keys of a start: of the only joint, and of one of several.
#define IB_START_POSITION(key, unit, config, joint)                                                \
    IB_NUMBER_OF(key, unit, "0 " unit, -1e6, 1e6, config, act.position[joint],                     \
                 "position at the start; not given: as its other end, or 0, or the nearer stop")
#define IB_START_VELOCITY(key, unit, config, joint)                                                \
    IB_NUMBER_OF(key, unit, "0 " unit, -1e6, 1e6, config, act.velocity[joint], "speed at the start")
#define IB_START_HANGING(config)                                                                   \
    IB_ROW("hanging", IB_PARAM_FLAG, "1", "false", 0, 0, NULL, config, act.hook.hanging,           \
           "true: the robot hangs by its hook at the start, at rest")

extern const ib_PresetDef ib_piston_presets;

#define IB__PISTON(config, key, unit, fallback, min, max, detail, field, sentence)                 \
    IB_PARAM_ROW("cylinder." key, IB_PARAM_NUMBER, unit, fallback, min, max, detail, config,       \
                 act.cylinder.field, false, sentence)
#define IB_PISTON_ROWS(config)                                                                     \
    IB_PARAM_ROW("cylinder", IB_PARAM_PRESET, "1", "off", 0, 0, &ib_piston_presets, config,        \
                 act.piston, false,                                                                \
                 "a cylinder that moves it by the robot's air, in place of motors: off or a map"), \
        IB_AIR_CYLINDER_SIZE_ROWS(IB__PISTON, config),                                             \
        IB_AIR_CYLINDER_SEAL_ROWS(IB__PISTON, config)
enum { IB_PISTON_ROW_COUNT = 1 + IB_AIR_CYLINDER_ROW_COUNT };

#endif
