// robot/drive.h: the keys of the drive of any base with motors and tyres. Each macro is a group of
// rows in a kind's table.
#ifndef IB_ROBOT_DRIVE_H
#define IB_ROBOT_DRIVE_H

#include "base/schema.h"
#include "plant/electric/motor.h"
#include "plant/electric/thermal.h"

#define IB__DRIVE(key, type, unit, fallback, min, max, config, field, live, sentence)              \
    IB_PARAM_ROW(key, type, unit, fallback, min, max, NULL, config, field, live, sentence)

// Rows for a config with `motor`, `motor_given` and `motor_inertia`, whose windings stay as
// they are.
#define IB_DRIVE_COLD_MOTOR_ROWS(config)                                                           \
    IB_MOTOR_ROWS("drive.motor", config),                                                          \
        IB__DRIVE("drive.motor.rotor_inertia", IB_PARAM_NUMBER, "kg*m^2", "0 kg*m^2", 0, 1e3,      \
                  config, motor_inertia, false,                                                    \
                  "rotor inertia of the data sheet; only drive.rotor_inertia counts")

// The same with `thermal`.
#define IB_DRIVE_MOTOR_ROWS(config)                                                                \
    IB_DRIVE_COLD_MOTOR_ROWS(config), IB_THERMAL_ROWS("drive.thermal", config, thermal)

// Rows for a config with `current_limit` and `supply_limit`.
#define IB_DRIVE_LIMIT_ROWS(config)                                                                \
    IB__DRIVE("drive.current_limit", IB_PARAM_LIMIT, "A", "off", 1e-3, 1e6, config, current_limit, \
              false, "largest current in a motor's winding (stator); off: no limit"),              \
        IB__DRIVE("drive.supply_limit", IB_PARAM_LIMIT, "A", "off", 1e-3, 1e6, config,             \
                  supply_limit, false,                                                             \
                  "largest current that a motor draws from the battery; off: no limit")

// Rows for a config that has the fields of an ib_TyreConfig in `tyre`.
#define IB_DRIVE_GRIP_ROWS(config, tyre)                                                           \
    IB__DRIVE("wheels.mu", IB_PARAM_NUMBER, "1", "1", 0, 10, config, tyre.mu, true,                \
              "friction coefficient of a sliding wheel"),                                          \
        IB__DRIVE("wheels.mu_static", IB_PARAM_NUMBER, "1", "0", 0, 10, config, tyre.mu_static,    \
                  true, "model bristle: friction coefficient of a wheel that holds; 0: 1.2 mu"),   \
        IB__DRIVE("wheels.slip_speed", IB_PARAM_NUMBER, "m/s", "0.1 m/s", 1e-4, 10, config,        \
                  tyre.slip_speed, false, "slip speed around which friction builds up")

// The same; `height` is the field with that of the centre of mass.
#define IB_DRIVE_LOAD_ROWS(config, tyre, height)                                                   \
    IB__DRIVE("wheels.rolling_resistance", IB_PARAM_NUMBER, "1", "0", 0, 1, config,                \
              tyre.rolling_resistance, true, "drag of a rolling wheel as a share of its load"),    \
        IB__DRIVE("wheels.com_height", IB_PARAM_NUMBER, "m", "0 m", 0, 10, config, height, false,  \
                  "height of the centre of mass; 0: no weight transfer")

#define IB_DRIVE_BRISTLE_ROWS(config, tyre)                                                        \
    IB__DRIVE("wheels.bristle_deflection", IB_PARAM_NUMBER, "m", "0.06 mm", 1e-6, 0.1, config,     \
              tyre.bristle_deflection, false,                                                      \
              "model bristle: how far a contact patch yields before it slides"),                   \
        IB__DRIVE("wheels.bristle_relax", IB_PARAM_NUMBER, "m/s", "0.08 m/s", 1e-4, 10, config,    \
                  tyre.bristle_relax, false,                                                       \
                  "model bristle: slip speed at which half of the force is plain sliding")

#endif
