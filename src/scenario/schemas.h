// scenario/schemas.h: the keys of a scenario outside the robot, for `ironbird list` and the docs.
//
// Keys that are no single value (a path, a list of signals, a point) are described
// in docs/scenario.md only.
#ifndef IB_SCENARIO_SCHEMAS_H
#define IB_SCENARIO_SCHEMAS_H

#include "base/schema.h"

extern const ib_Schema ib_run_schema;         ///< run:
extern const ib_Schema ib_record_schema;      ///< record:
extern const ib_Schema ib_field_schema;       ///< field:
extern const ib_Schema ib_zone_schema;        ///< each of field.zones:
extern const ib_Schema ib_start_schema;       ///< each of field.starts:
extern const ib_Schema ib_inputs_schema;      ///< inputs: beside the robot's own
extern const ib_Schema ib_control_schema;     ///< control: with a path
extern const ib_Schema ib_disturbance_schema; ///< each of disturbances:
extern const ib_Schema ib_sensor_schema;      ///< each of robot.sensors:

#endif
