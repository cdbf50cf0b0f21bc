// sim/geometry.h: the geometry of a model: the field and all robots in one table. Frames
// ("red.body") and signals ("red.pose.x") have their whole names: docs/robot/geometry.md
#ifndef IB_SIM_GEOMETRY_H
#define IB_SIM_GEOMETRY_H

#include "base/geometry.h"
#include "sim/model.h"

#define IB_FIELD_HEIGHT 0.5 ///< of walls and obstacles in pictures; physics knows none [m]

// The field, then the robots in their order. Pushes of disturbances are arrows, too, and so are the
// forces of its contacts, and its last hit. Robots that stand still for ever (benches) stand in a
// row. Names are made in `arena`. NULL without memory.
const ib_Geometry *ib_model_geometry(const ib_Model *model, ib_Arena *arena);

// One robot, called `name` ("" for none). One that declares no geometry of its own is drawn as its
// outline with a front mark; a force of its ports is an arrow unless its geometry has one for it.
// NULL without memory.
const ib_Geometry *ib_robot_geometry(const ib_RobotPorts *ports, const char *name, ib_Arena *arena);

#endif
