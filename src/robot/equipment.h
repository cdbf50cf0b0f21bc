// robot/equipment.h: the equipment of any base: mechanisms, and the supply that feeds them.
//
// The config of a base that can carry them begins with an ib_EquipmentConfig, and its rows with
// IB_OUTFIT_ROWS; robot/mechanisms.h does the rest.
#ifndef IB_ROBOT_EQUIPMENT_H
#define IB_ROBOT_EQUIPMENT_H

#include "plant/actuator/actuator.h"
#include "plant/air/air.h"
#include "plant/electric/power.h"

typedef struct ib_EquipmentConfig {
    ib_PowerConfig power;
    ib_AirConfig air;
    ib_MechanismSet mechanisms;
    // The load on the base, set by the robot, not by the file.
    double carried;         ///< mass of the mechanisms [kg], >= 0; adds to mass and weight
    double carried_inertia; ///< about the base's origin, as they stand at the start [kg m^2], >= 0
    bool tilts; ///< the floor does, some time; set by the scenario before it reads the rest
} ib_EquipmentConfig;

// Checks the mechanisms and adds up their masses and inertias for the base. The error begins with
// the key at fault, "mechanisms.lift.travel: …".
ib_Status ib_equipment_carry(ib_EquipmentConfig *equipment, ib_Error *error);

// The key of this config that disables `key` on a base that can do without equipment, or NULL: as
// in ib_Schema. There is no supply without a load on it. ib_equipment_feeds: true for a key of the
// supply, battery to brownout.
bool ib_equipment_feeds(const char *key);
const char *ib_equipment_idle(const void *equipment, const char *key);
// The same of battery and air alone.
const char *ib_equipment_supply_idle(const ib_EquipmentConfig *equipment, const char *key);

// Doubt number `index` about the equipment, "mechanisms.lift: …"; false: no more.
bool ib_equipment_doubt(const ib_EquipmentConfig *equipment, int index, char *text, size_t size);

extern const ib_NamedDef ib_equipment_mechanisms;

// Finds a kind among all mechanisms for robots, and the desk's; NULL: none has this name.
const ib_MechanismKind *ib_equipment_kind_find(const char *name);

// Rows for a config struct that begins with an ib_EquipmentConfig called `equipment`.
#define IB_OUTFIT_ROWS(config)                                                                     \
    IB_POWER_ROWS(config, equipment.power), IB_AIR_ROWS(config, equipment.air),                    \
        IB_ROW("mechanisms", IB_PARAM_NAMED, "1", NULL, 0, IB_MECHANISMS_MAX,                      \
               &ib_equipment_mechanisms, config, equipment.mechanisms.count,                       \
               "mechanisms that stand on the robot, by name, each with its `kind`")

#endif
