// sim/control.h: controllers in a run: control/controller.h wired to sensors, drivers and robots.
#ifndef IB_SIM_CONTROL_H
#define IB_SIM_CONTROL_H

#include "sim/model.h"

// The ports of a robot with this controller: its commands come behind the robot's own inputs, what
// it sets is open to nobody else, and neither are other ways to drive (ib_InputDef.set).
// IB_BAD_INPUT: it sets or reads something that the robot does not have.
ib_Status ib_control_extend(const ib_Controller *controller, ib_Arena *arena, ib_RobotPorts *ports,
                            ib_Error *error);

// For sim/: the controllers of a model, and where their signals, states and readings are.
ib_Status ib__control_create(ib_Model *model, ib_Arena *arena, ib_Error *error);
void ib__control_lay_out(ib_Model *model);
ib_Status ib__control_connect(ib_Model *model, ib_Arena *arena, ib_Error *error);

#endif
