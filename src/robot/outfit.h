// robot/outfit.h: what may stand on any base: mechanisms, and the supply that feeds them.
//
// The config of a base that can carry them begins with an ib_OutfitConfig, and its rows with
// IB_OUTFIT_ROWS; robot/assembly.h does the rest.
#ifndef IB_ROBOT_OUTFIT_H
#define IB_ROBOT_OUTFIT_H

#include "plant/actuator.h"
#include "plant/air.h"
#include "plant/power.h"

typedef struct ib_OutfitConfig {
    ib_PowerConfig power;
    ib_AirConfig air;
    ib_MechanismSet mechanisms;
    double carried; ///< mass of the mechanisms [kg], >= 0; set by the robot, not by the file. A
                    ///< point in the base's origin: adds to mass and weight, not to inertia
} ib_OutfitConfig;

extern const ib_NamedDef ib_outfit_mechanisms;

// For a config struct that begins with an ib_OutfitConfig called `outfit`.
#define IB_OUTFIT_ROWS(config)                                                                     \
    IB_POWER_ROWS(config, outfit.power), IB_AIR_ROWS(config, outfit.air),                          \
        IB_PARAM_ROW("mechanisms", IB_PARAM_NAMED, "1", NULL, 0, IB_MECHANISMS_MAX,                \
                     &ib_outfit_mechanisms, config, outfit.mechanisms.count, false,                \
                     "what stands on it, by name, each with its `kind`")

#endif
