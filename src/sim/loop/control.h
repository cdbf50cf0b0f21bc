// sim/loop/control.h: controllers in a run: control/controller.h wired to sensors, drivers
// and robots.
#ifndef IB_SIM_LOOP_CONTROL_H
#define IB_SIM_LOOP_CONTROL_H

#include "sim/model.h"

// The ports of a robot with one more loop: its commands come behind the inputs that are there, what
// it sets is open to nobody else, and neither are other ways to do the same (ib_InputDef.set).
// IB_BAD_INPUT: it sets something that the robot does not have or that another loop sets.
ib_Status ib_control_extend(const ib_Controller *controller, ib_Arena *arena, ib_RobotPorts *ports,
                            ib_Error *error);

// Where a loop of this name stands on a robot with these ports (as its kind made them, or extended
// by other loops) and sensors. Named like a part, it acts on that.
ib_Status ib_control_site(const char *loop, const ib_RobotPorts *ports,
                          const ib_SensorConfig *sensors, int sensor_count, ib_Arena *arena,
                          ib_ControlSite *site, ib_Error *error);

// Does what a continuous loop reads follow at once what another one, or itself, sets on this robot?
// Then they would be one equation, which nobody solves: IB_BAD_INPUT, beginning with the key
// `period`. Tried on the robot as it starts; `gravity` [m/s^2].
ib_Status ib_control_try(const ib_Controller *reads, const ib_Controller *sets,
                         const ib_Robot *robot, const void *config, double gravity,
                         ib_Error *error);

// Is this one of the input's names?
bool ib_input_is(const ib_InputDef *input, const char *name);

// For sim/: the controllers of a model, and where their signals, states and readings are.
ib_Status ib__control_create(ib_Model *model, ib_Arena *arena, ib_Error *error);
void ib__control_lay_out(ib_Model *model);
ib_Status ib__control_connect(ib_Model *model, ib_Arena *arena, ib_Error *error);

#endif
