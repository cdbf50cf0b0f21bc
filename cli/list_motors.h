// cli/list_motors.h: the second table of `ironbird list motors`.
#ifndef IB_CLI_LIST_MOTORS_H
#define IB_CLI_LIST_MOTORS_H

#include "file/node.h"

// Resistance and constants of every entry of data/motors.yaml: those of its data sheet, and those
// that a robot takes. Names fill `name_width` columns.
void list_motor_constants(const ib_Node *root, int name_width);

#endif
