// scenario/schemas.h: the keys of a scenario outside the robot, for `ironbird list` and the docs.
//
// Keys that are no single value (a path, a list of signals, a point) are described
// in docs/scenario/scenario.md only.
#ifndef IB_SCENARIO_SCHEMAS_H
#define IB_SCENARIO_SCHEMAS_H

#include "base/schema.h"

extern const ib_Schema ib_run_schema;         ///< run:
extern const ib_Schema ib_record_schema;      ///< record:
extern const ib_Schema ib_field_schema;       ///< field:
extern const ib_Schema ib_wall_schema;        ///< field.walls: a rectangle
extern const ib_Schema ib_element_schema;     ///< each of field.elements
extern const ib_Schema ib_zone_schema;        ///< each of field.zones:
extern const ib_Schema ib_start_schema;       ///< each of field.starts:
extern const ib_Schema ib_inputs_schema;      ///< inputs: beside the robot's own
extern const ib_Schema ib_repeat_schema;      ///< a part of a timeline that repeats
extern const ib_Schema ib_wave_schema;        ///< one of them as a wave, beside mean and amplitude
extern const ib_Schema ib_carried_schema;     ///< carried: of a body
extern const ib_Schema ib_control_schema;     ///< control: with a path
extern const ib_Schema ib_disturbance_schema; ///< each of disturbances:
extern const ib_Schema ib_sensor_schema;      ///< each of robot.sensors:

// A key of a step that is no single value.
typedef struct ib_RoutineKey {
    const char *key, *expected, *sentence;
} ib_RoutineKey;

// One word of the language of routines: a step, and its reader.
typedef struct ib__Routine ib__Routine;
typedef struct ib__StepNode ib__StepNode;
typedef struct ib_RoutineWord {
    const char *name;        ///< "drive"
    const char *sentence;    ///< its effect, and its end
    const char *examples[3]; ///< as in a file; NULL: no more
    const char *value;       ///< form without a map: "a time"; NULL: a map
    const ib_Schema *schema; ///< its keys; NULL: none
    ib_RoutineKey keys[6];   ///< the others; a key of NULL ends them
    void (*read)(ib__Routine *routine, const ib__StepNode *at);
} ib_RoutineWord;

extern const ib_RoutineWord ib_routine_words[]; ///< a name of NULL ends them

#endif
