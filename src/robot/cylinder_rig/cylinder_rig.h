// robot/cylinder_rig/cylinder_rig.h: a pneumatic cylinder on a test rig: supply, proportional
// valve, two chambers, friction, a mass on the rod. The derivation is
// in docs/robot/cylinder_rig.md.
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

#include "plant/air/cylinder.h"
#include "plant/air/piston.h"
#include "plant/air/supply_line.h"
#include "robot/equipment.h"
#include "robot/kind.h"

typedef struct ib_CylinderRigConfig {
    ib_PistonConfig piston;
    double orientation; ///< of the rod above the horizontal [rad]; -pi/2: it points down
    double gravity;     ///< [m/s^2]; +infinity: the field's
    int equations;      ///< 1: published
    ib_CylinderConfig cylinder;
    ib_SupplyConfig supply;

    double position, velocity;    ///< at the start; +infinity: extended
    double pressure[IB_SIDES];    ///< +infinity: the supply's
    double temperature[IB_SIDES]; ///< +infinity: that of the air around
} ib_CylinderRigConfig;

// As a robot bolted to the floor, and as a part that stands on any other.
typedef struct ib_RigRobotConfig {
    ib_EquipmentConfig equipment; ///< mechanisms beside it
    ib_CylinderRigConfig rig;
} ib_RigRobotConfig;

typedef struct ib_RigPartConfig {
    ib_GearmotorConfig gear; ///< as every mechanism begins (plant/actuator/actuator.h);
    ib_ActuatorConfig act;   ///< of both it uses `place` alone, the end of its cap
    ib_CylinderRigConfig rig;
} ib_RigPartConfig;

// Its signals, in this order (cylinder_rig_kind.c). The first two are its first states; energies
// and masses since the start are sums.
enum {
    IB_RIG_POSITION,
    IB_RIG_VELOCITY,
    IB_RIG_ACCELERATION,
    IB_RIG_FORCE,
    IB_RIG_FRICTION,
    IB_RIG_STOP,
    IB_RIG_ROD_LOAD,
    IB_RIG_CAP_PRESSURE, ///< of each side: pressure, temperature, mass
    IB_RIG_ROD_PRESSURE = IB_RIG_CAP_PRESSURE + 3,
    IB_RIG_VOLTAGE = IB_RIG_ROD_PRESSURE + 3,
    IB_RIG_SPOOL,
    IB_RIG_AREA, ///< of port 1 and 2
    IB_RIG_FLOW = IB_RIG_AREA + 2,
    IB_RIG_SUPPLY = IB_RIG_FLOW + 2,
    IB_RIG_USED,
    IB_RIG_VENTED,
    IB_RIG_AIR_ERROR,
    IB_RIG_E_SUPPLY,
    IB_RIG_E_LOAD,
    IB_RIG_E_HEAT,
    IB_RIG_E_START,
    IB_RIG_E_AIR,
    IB_RIG_E_KINETIC,
    IB_RIG_E_POTENTIAL,
    IB_RIG_E_EXHAUST,
    IB_RIG_E_LEAK,
    IB_RIG_E_FRICTION,
    IB_RIG_E_STOP,
    IB_RIG_E_ERROR,
    IB_RIG_CAP_WORK, ///< of each side: work, error of its audit
    IB_RIG_CAP_ERROR,
    IB_RIG_ROD_WORK,
    IB_RIG_ROD_ERROR,
    IB_RIG_SIGNALS,
};

// States from IB_RIG_POSITION on; those behind IB_RIG_FIRST stand where the model says.
enum {
    IB_RIG_AIR = 2,
    IB_RIG_FIRST = IB_RIG_AIR + IB_CYLINDER_STATES, ///< spool, its rate, bristles, line; then:
};
// Counted from ib_CylinderRigModel.mode.
enum {
    IB_RIG_MODE, ///< IB_PISTON_LOW …
    IB_RIG_SIDE, ///< of its centre, on which the spool is: a mode, 1 or -1; 0: not begun
    IB_RIG_MODES,
    IB_RIG_OWN = IB_RIG_FIRST + 4 + IB_RIG_MODES, ///< most states without sums
};

// Inputs of one that is alone.
enum {
    IB_RIG_VALVE = IB_ENVIRONMENT_COUNT, ///< u [V]
    IB_RIG_LOAD,                         ///< force on the rod, towards extension [N]
    IB_RIG_GAIN,                         ///< factor on the supply's pressure
    IB_RIG_INPUTS,
};

typedef struct ib_CylinderRigModel {
    ib_CylinderModel cylinder;
    ib_PistonModel piston;
    ib_SupplyModel supply;
    double down;    ///< sine of how far the rod points down
    double gravity; ///< +infinity: the field's
    bool line;
    double begin[IB_RIG_OWN];   ///< its states at the start
    double place[3], ahead;     ///< of the cap's end on a body [m]; cosine of `orientation`
    const ib_PlanarModel *body; ///< that moves and carries it; NULL: none

    int spool, bristle, line_mass, mode; ///< counted from its first state; -1: not there
    int own_states, state_count;         ///< without sums; with them
    // Places of its parts in the robot's arrays; alone from 0 on.
    int state;               ///< the first
    int at[IB_RIG_SIGNALS];  ///< of a sum its place among the states, else the signal
    int gained;              ///< two sums: energy gained by the air of cap and rod side [J]
    int valve, load, factor; ///< inputs
    int guard;               ///< IB_RIG_GUARDS
} ib_CylinderRigModel;

// All at one instant.
typedef struct ib_CylinderRigNow {
    ib_CylinderOpening open;
    ib_CylinderNow air;
    ib_PistonNow piston;
    double v;                   ///< of the piston; 0 while it stands [m/s]
    double spool, supply;       ///< [V], [Pa]
    double force, weight, load; ///< of the air, and other forces on the piston, outwards [N]
    double regulated;           ///< through the regulator into the line [kg/s]
} ib_CylinderRigNow;

ib_Status ib_cylinder_rig_check(const ib_CylinderRigConfig *config, ib_Error *error);
// Uses the places of a rig alone.
void ib_cylinder_rig_init(const ib_CylinderRigConfig *config, ib_CylinderRigModel *rig);

// Everything below is of a whole robot: its states, inputs, rates, guards.
void ib_cylinder_rig_reset(const ib_CylinderRigModel *rig, double *x);
ib_CylinderRigNow ib_cylinder_rig_now(const ib_CylinderRigModel *rig, const double *x,
                                      const double *input);
void ib_cylinder_rig_rate(const ib_CylinderRigModel *rig, const double *x, const double *input,
                          double *dx);

// df/dx of its states, `J` full of zeros; false: unknown for these laws.
bool ib_cylinder_rig_jacobian(const void *rig, const double *x, const double *input, double *J,
                              int stride);

// Margins, positive as long as the mode stays: of the stops, of sticking, of the spool's side.
enum { IB_RIG_GUARD_SPOOL = IB_PISTON_MARGINS, IB_RIG_GUARDS };
void ib_cylinder_rig_guard(const ib_CylinderRigModel *rig, const double *x, const double *input,
                           double *guards);
bool ib_cylinder_rig_settle(const ib_CylinderRigModel *rig, const double *input, double *x);

// The energy of all that moves, hangs and is pressed together [J]; `own`: its states.
double ib_cylinder_rig_stored(const ib_CylinderRigModel *rig, const double *own, double gravity);

// True if a step of a fixed-step solver from one state to the other is acceptable.
bool ib_cylinder_rig_accept_step(const void *rig, const double *before, const double *after,
                                 const double *error);

// Longest steps for RK4 and for the stiff solver [s].
double ib_cylinder_rig_resolution(const ib_CylinderRigModel *rig);
double ib_cylinder_rig_resolution_stiff(const ib_CylinderRigModel *rig);
// Longest step of RK4 from this state on, if shorter [s].
double ib_cylinder_rig_longest(const void *rig, const double *x);

// Its geometry (cylinder_rig_geometry.c), "" alone or after its name on the frame `mount`; NULL
// without memory.
const ib_Geometry *ib__cylinder_rig_geometry(const ib_CylinderRigConfig *config, ib_Arena *arena);

// Names of its signals, for code about rigs only.
#define IB_NAME_CYLINDER(what) "cylinder." what
#define IB_NAME_CAP(what)      "cap." what
#define IB_NAME_ROD(what)      "rod." what

extern const ib_RobotKind ib_cylinder_rig_kind;
extern const ib_MechanismKind ib_cylinder_mechanism;

#endif
