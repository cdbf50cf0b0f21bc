// robot/cylinder_rig/cylinder_rig.h: a pneumatic cylinder on a test rig: supply, proportional
// valve, two chambers, friction, a mass on the rod. The derivation is in docs/cylinder_rig.md.
//
//   m x" = P_c A_c - P_r A_r - P_atm A_shaft + m g sin(downwards) + load - F   [thesis 4.1.11]
//
//   symbol   meaning                                               unit
//   x, v     extension of the rod, 0 .. stroke; its speed          m, m/s
//   u, s     voltage of the valve; its spool, from the centre      V
//   z        deflection of the seals' bristles (LuGre)             m
//   m, F     mass that moves; friction                             kg, N
#ifndef IB_ROBOT_CYLINDER_RIG_H
#define IB_ROBOT_CYLINDER_RIG_H

#include "plant/friction.h"
#include "plant/ram.h"
#include "plant/supply_line.h"
#include "robot/kind.h"

enum { IB_STOPS_RIGID, IB_STOPS_COMPLIANT };

typedef struct ib_CylinderRigConfig {
    double mass;        ///< that moves: piston, rod and what is attached [kg], > 0
    double orientation; ///< of the rod above the horizontal [rad]; -pi/2: it points down
    double gravity;     ///< [m/s^2]; +infinity: the field's
    bool locked;        ///< the rod is held where it starts
    int equations;      ///< 1: published
    int stops;          ///< IB_STOPS_RIGID …
    double restitution; ///< of rigid stops, 0 .. 1
    double stop_stiffness, stop_damping; ///< of compliant ones: k [N/m], a [s/m]
    double side_load;                    ///< across the rod [N], >= 0
    ib_RamConfig ram;
    ib_SupplyConfig supply;
    ib_FrictionConfig friction;

    double position, velocity;               ///< at the start; +infinity: extended
    double cap_pressure, rod_pressure;       ///< +infinity: the supply's
    double cap_temperature, rod_temperature; ///< +infinity: that of the air around
} ib_CylinderRigConfig;

// How the piston is: a mode.
enum {
    IB_RIG_LOW = -2,  ///< at the retracted stop
    IB_RIG_BACK = -1, ///< slides towards it: friction that sticks knows a direction
    IB_RIG_STUCK = 0,
    IB_RIG_FORTH = 1, ///< slides towards the extended stop; other laws: moves either way
    IB_RIG_HIGH = 2,
};

// States; those behind IB_RIG_AIR's four that a model may have stand where it says.
enum {
    IB_RIG_POSITION,
    IB_RIG_VELOCITY,
    IB_RIG_AIR,
    IB_RIG_FIRST = IB_RIG_AIR + IB_RAM_STATES, ///< spool, its rate, bristles, line; then:
};
// Counted from ib_CylinderRigModel.mode: the modes, then sums.
enum {
    IB_RIG_MODE,
    IB_RIG_SIDE,       ///< of its centre, on which the spool is: a mode, 1 or -1; 0: not begun
    IB_RIG_USED,       ///< air taken from the supply so far [kg]
    IB_RIG_VENTED,     ///< let out so far, leaks included [kg]
    IB_RIG_E_SUPPLY,   ///< enthalpy taken from the supply so far [J], …
    IB_RIG_E_EXHAUST,  ///< let out,
    IB_RIG_E_LEAK,     ///< leaked,
    IB_RIG_E_FRICTION, ///< lost to friction,
    IB_RIG_E_STOP,     ///< in the stops,
    IB_RIG_E_LOAD,     ///< given by the load's force
    IB_RIG_CAP_IN,     ///< enthalpy that came into the cap chamber so far [J],
    IB_RIG_CAP_HEAT,   ///< heat from its walls,
    IB_RIG_CAP_WORK,   ///< work that its air did on the piston
    IB_RIG_ROD_IN,
    IB_RIG_ROD_HEAT,
    IB_RIG_ROD_WORK,
    IB_RIG_START,     ///< what there was at the start; do not change: energy of all,
    IB_RIG_START_CAP, ///< of the air in the chambers [J],
    IB_RIG_START_ROD,
    IB_RIG_START_MASS, ///< their air [kg],
    IB_RIG_START_X,    ///< the rod's position [m]
    IB_RIG_SUMS,
};

enum {
    IB_RIG_VALVE = IB_ENVIRONMENT_COUNT, ///< u [V]
    IB_RIG_LOAD,                         ///< force on the rod, towards extension [N]
    IB_RIG_GAIN,                         ///< factor on the supply's pressure
    IB_RIG_INPUTS,
};

typedef struct ib_CylinderRigModel {
    ib_RamModel ram;
    ib_SupplyModel supply;
    ib_FrictionModel friction;
    double mass, per_mass, down; ///< down: sine of how far the rod points down
    double gravity;              ///< +infinity: the field's
    double low, high;            ///< where the piston is stopped rigidly [m]
    bool locked, compliant, sticks, bristles, line;
    double restitution, stiffness, damping, side_load;
    int spool, bristle, line_mass, mode, state_count; ///< places; -1: not there
} ib_CylinderRigModel;

// All at one instant.
typedef struct ib_CylinderRigNow {
    ib_RamOpening open;
    ib_RamNow air;
    double spool, supply;      ///< [V], [Pa]
    double force, friction;    ///< of the air and of the seals on the piston [N]
    double weight, load, stop; ///< other forces [N], towards extension
    double acceleration;
    double bristle_rate;
    double regulated; ///< through the regulator into the line [kg/s]
} ib_CylinderRigNow;

ib_Status ib_cylinder_rig_check(const ib_CylinderRigConfig *config, ib_Error *error);
// What is strange about it (ib_RobotKind.doubt).
bool ib_cylinder_rig_doubt(const ib_CylinderRigConfig *config, int index, char *text, size_t size);
void ib_cylinder_rig_init(const ib_CylinderRigConfig *config, ib_CylinderRigModel *rig);
void ib_cylinder_rig_reset(const ib_CylinderRigConfig *config, const ib_CylinderRigModel *rig,
                           double *state);
ib_CylinderRigNow ib_cylinder_rig_now(const ib_CylinderRigModel *rig, const double *state,
                                      const double *input);
void ib_cylinder_rig_rate(const ib_CylinderRigModel *rig, const double *state, const double *input,
                          double *rate);

// df/dx of all states, `J` full of zeros; false: with these laws it is not known.
bool ib_cylinder_rig_jacobian(const ib_CylinderRigModel *rig, const double *state,
                              const double *input, double *J, int stride);

// Margins, positive as long as the mode stays: of the stops, of sticking, of the spool's side.
enum { IB_RIG_GUARD_STOP, IB_RIG_GUARD_STICK, IB_RIG_GUARD_SPOOL, IB_RIG_GUARDS };
void ib_cylinder_rig_guard(const ib_CylinderRigModel *rig, const double *state, const double *input,
                           double *guards);
bool ib_cylinder_rig_settle(const ib_CylinderRigModel *rig, const double *input, double *state);

// The energy of all that moves, hangs and is pressed together [J].
double ib_cylinder_rig_stored(const ib_CylinderRigModel *rig, const double *state, double gravity);
double ib_cylinder_rig_gravity(const ib_CylinderRigModel *rig, const double *input);

// May one step of a fixed-step solver lead from one state to the other?
bool ib_cylinder_rig_sound(const ib_CylinderRigModel *rig, const double *before,
                           const double *after, const double *error);

// Longest steps for RK4 and for the stiff solver [s].
double ib_cylinder_rig_resolution(const ib_CylinderRigModel *rig);
double ib_cylinder_rig_resolution_stiff(const ib_CylinderRigModel *rig);
// Of RK4 from this state on, where that is shorter [s].
double ib_cylinder_rig_longest(const ib_CylinderRigModel *rig, const double *state);

// How it looks (cylinder_rig_look.c). NULL without memory.
const ib_Geometry *ib__cylinder_rig_look(const ib_CylinderRigConfig *config, ib_Arena *arena);

// Names of its signals, for those who speak of a rig and no other robot.
#define IB_NAME_CYLINDER(what) "cylinder." what
#define IB_NAME_CAP(what)      "cap." what
#define IB_NAME_ROD(what)      "rod." what

extern const ib_RobotKind ib_cylinder_rig_kind;

#endif
