// sim/loop/control.h: controllers in a run: control/controller.h wired to sensors, drivers
// and robots.
#ifndef IB_SIM_LOOP_CONTROL_H
#define IB_SIM_LOOP_CONTROL_H

#include "sim/model.h"

// The ports of a robot with one more loop: its commands come after the existing inputs, its outputs
// are closed to all others, and so are equivalent inputs (ib_InputDef.set). IB_BAD_INPUT: it sets
// an input that the robot lacks or that another loop sets.
ib_Status ib_control_extend(const ib_Controller *controller, ib_Arena *arena, ib_RobotPorts *ports,
                            ib_Error *error);

// The site of a loop of this name on a robot with these ports (as its kind made them, or extended
// by other loops) and sensors. Named like a part, it acts on that.
ib_Status ib_control_site(const char *loop, const ib_RobotPorts *ports,
                          const ib_SensorConfig *sensors, int sensor_count, ib_Arena *arena,
                          ib_ControlSite *site, ib_Error *error);

// Refuses direct feedthrough from the output of a continuous loop on this robot to the measurement
// of another one, or itself: an algebraic loop, which is not solved. IB_BAD_INPUT, beginning with
// the key `period`. Tried on the robot at its start; `gravity` [m/s^2].
ib_Status ib_control_try(const ib_Controller *reads, const ib_Controller *sets,
                         const ib_Robot *robot, const void *config, double gravity,
                         ib_Error *error);

// True if this is one of the input's names.
bool ib_input_is(const ib_InputDef *input, const char *name);

// The loops of a model, made by sim/model.c in three steps: controllers and their signals; places
// of their commands and states; and, when all signals are known, their measurements.
ib_Status ib__control_create(ib_Model *model, ib_Arena *arena, ib_Error *error);
void ib__control_lay_out(ib_Model *model);
ib_Status ib__control_connect(ib_Model *model, ib_Arena *arena, ib_Error *error);

#endif
