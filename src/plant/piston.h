// plant/piston.h: a pneumatic cylinder that moves a mechanism in place of its motors.
// Its air comes from the robot's tanks. The derivation is in docs/plant/piston.md.
//
// The cylinder's air and valve are those of plant/air_cylinder.h; what it moves is the mechanism.
// Symbols: s where the piston stands, r = ds/dphi its way for a radian of the mechanism's shaft,
// F force of the air and the seals, towards extension.
//
//   T = F r,   power F s' = T w        so that neither makes nor loses any
#ifndef IB_PLANT_PISTON_H
#define IB_PLANT_PISTON_H

#include "base/schema.h"
#include "plant/air.h"

typedef struct ib_PistonConfig {
    int on;                        ///< 0: the mechanism has motors
    ib_AirCylinderConfig cylinder; ///< its load and force are not used
} ib_PistonConfig;

// What the robot's air offers at one instant.
typedef struct ib_AirSupply {
    double working; ///< pressure behind the regulator, absolute [Pa]; 0: there is no air
    bool returns;   ///< air that a load pushes back reaches the tanks
    bool on;        ///< solenoids follow their commands
} ib_AirSupply;

ib_AirSupply ib_air_supply(const ib_AirModel *air, const double *state, bool on);

// What a cylinder takes from the tanks and gives to the open air [mol/s].
typedef struct ib_AirDraw {
    double taken, vented;
} ib_AirDraw;

// Its states: amounts in the two chambers [mol].
enum { IB_PISTON_CAP, IB_PISTON_ROD, IB_PISTON_STATES };

// Retracted side under working pressure, the other open to the air.
void ib_piston_reset(const ib_AirCylinderModel *cylinder, double working, double at, double *state);

typedef struct ib_PistonNow {
    double force;    ///< of the air on the piston [N]
    double drag;     ///< of the seals, against the motion [N]
    double cap, rod; ///< pressures, absolute [Pa]
} ib_PistonNow;

ib_PistonNow ib_piston_now(const ib_AirCylinderModel *cylinder, double at, double speed,
                           const double *state);

// Rates of the chambers; `extend`: as commanded. Returns what passes the valve.
ib_AirDraw ib_piston_rate(const ib_AirCylinderModel *cylinder, double at, const double *state,
                          const ib_AirSupply *supply, bool extend, double *rate);

// -------------------------------------------------------------------------------------- parameters

extern const ib_PresetDef ib_piston_presets;

#define IB__PISTON(key, unit, fallback, min, max, config, field, sentence)                         \
    IB_PARAM_ROW("cylinder." key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, config,         \
                 act.piston.cylinder.field, false, sentence)

#define IB__PISTON_VALVE(config, key, unit, fallback, min, max, detail, field, sentence)           \
    IB_PARAM_ROW("cylinder." key, IB_PARAM_NUMBER, unit, fallback, min, max, detail, config,       \
                 act.piston.cylinder.field, false, sentence)

enum { IB_PISTON_ROW_COUNT = 7 + IB_VALVE_ROW_COUNT };

// For a config struct that begins as an ib_MechanismConfig.
#define IB_PISTON_ROWS(config)                                                                     \
    IB_PARAM_ROW("cylinder", IB_PARAM_PRESET, "1", "off", 0, 0, &ib_piston_presets, config,        \
                 act.piston.on, false,                                                             \
                 "a cylinder that moves it by the robot's air, in place of motors: off or a map"), \
        IB__PISTON("bore", "m", "0.75 in", 1e-3, 1, config, bore, "diameter of the piston"),       \
        IB__PISTON("rod", "m", "0.25 in", 0, 1, config, rod, "diameter of the rod"),               \
        IB__PISTON("stroke", "m", "6 in", 1e-3, 10, config, stroke,                                \
                   "distance that the rod moves from end to end"),                                 \
        IB__PISTON("viscous", "N*s/m", "0 N*s/m", 0, 1e6, config, viscous,                         \
                   "viscous friction of the seals: force over speed"),                             \
        IB__PISTON("friction", "N", "0 N", 0, 1e6, config, friction, "dry friction of the seals"), \
        IB__PISTON("dead_volume", "m^3", "5 mL", 1e-9, 1, config, dead_volume,                     \
                   "volume left in each chamber at its end of the stroke, with its tube"),         \
        IB_VALVE_ROWS(IB__PISTON_VALVE, config)

#endif
