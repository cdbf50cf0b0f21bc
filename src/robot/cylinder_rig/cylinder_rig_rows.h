// robot/cylinder_rig/cylinder_rig_rows.h: what may be written about the rig in a file.
#ifndef IB_ROBOT_CYLINDER_RIG_ROWS_H
#define IB_ROBOT_CYLINDER_RIG_ROWS_H

#include "robot/cylinder_rig/cylinder_rig_inside.h"

// Rows for a config struct with an ib_CylinderRigConfig in `rig`.

#define PARAM(key, type, unit, fallback, min, max, detail, config, field, live, sentence)          \
    IB_PARAM_ROW(key, type, unit, fallback, min, max, detail, config, rig.field, live, sentence)
#define NUMBER(key, unit, fallback, min, max, config, field, sentence)                             \
    PARAM(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, config, field, false, sentence)
#define CHOICE(key, fallback, words, config, field, sentence)                                      \
    PARAM(key, IB_PARAM_CHOICE, "1", fallback, 0, 0, words, config, field, false, sentence)
#define LIMIT(key, unit, word, min, max, config, field, sentence)                                  \
    PARAM(key, IB_PARAM_LIMIT, unit, word, min, max, word, config, field, false, sentence)

extern const char *const ib__rig_equations[], *const ib__rig_stops[];

#define RIG_ROWS(config)                                                                           \
    PARAM("mass", IB_PARAM_NUMBER, "kg", "0.2 kg", 1e-3, 1e4, NULL, config, piston.mass, true,     \
          "mass that moves: rod and what is attached"),                                            \
        NUMBER("orientation", "rad", "-90 deg", -10, 10, config, orientation,                      \
               "angle of the rod above the horizontal; -90 deg: it points down"),                  \
        LIMIT("gravity", "m/s^2", "field", 0, 1e3, config, gravity,                                \
              "acceleration of gravity; field: its own"),                                          \
        PARAM("locked", IB_PARAM_FLAG, "1", "false", 0, 0, NULL, config, piston.locked, false,     \
              "the rod is held where it starts"),                                                  \
        CHOICE("equations", "corrected", ib__rig_equations, config, equations,                     \
               "published: the energy factor and the critical ratio as the thesis prints them"),   \
        CHOICE("stops.law", "rigid", ib__rig_stops, config, piston.stops,                          \
               "the ends of the stroke: rigid, or springs"),                                       \
        NUMBER("stops.restitution", "1", "0", 0, 0.95, config, piston.restitution,                 \
               "part of its speed with which the piston leaves a rigid stop"),                     \
        NUMBER("stops.stiffness", "N/m", "1e6 N/m", 1, 1e12, config, piston.stop_stiffness,        \
               "stiffness of a compliant stop"),                                                   \
        NUMBER("stops.damping", "s/m", "2 s/m", 0, 1e6, config, piston.stop_damping,               \
               "damping of a compliant stop: its force grows by this part for a speed into it"),   \
        NUMBER("side_load", "N", "0 N", 0, 1e6, config, piston.side_load,                          \
               "force across the rod, which friction.side_coefficient turns into friction"),       \
        IB_SUPPLY_ROWS(config, rig.supply), IB_CYLINDER_ROWS(config, rig.cylinder),                \
        IB_FRICTION_ROWS(config, rig.piston.friction)

#define START_ROWS(config)                                                                         \
    LIMIT("position", "m", "extended", 0, 10, config, position, "how far the rod is out"),         \
        NUMBER("velocity", "m/s", "0 m/s", -100, 100, config, velocity,                            \
               "speed of the rod, outwards"),                                                      \
        NUMBER("cap.pressure", "Pa", "96526.64 Pa", 1, 1e8, config, pressure[IB_SIDE_CAP],         \
               "pressure on the cap side, absolute"),                                              \
        LIMIT("rod.pressure", "Pa", "supply", 1, 1e8, config, pressure[IB_SIDE_ROD],               \
              "pressure on the rod side, absolute; supply: its pressure"),                         \
        LIMIT("cap.temperature", "K", "surroundings", 50, 1000, config, temperature[IB_SIDE_CAP],  \
              "temperature of the air on the cap side"),                                           \
        LIMIT("rod.temperature", "K", "surroundings", 50, 1000, config, temperature[IB_SIDE_ROD],  \
              "temperature of the air on the rod side")

#endif
