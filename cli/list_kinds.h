// cli/list_kinds.h: kinds of controllers and sensors, and steps of routines, for `ironbird list`.
#ifndef IB_CLI_LIST_KINDS_H
#define IB_CLI_LIST_KINDS_H

#include "cli.h"

int list_controllers(void);
int list_controller(const Options *options, const char *name);
int list_routine(void);
int list_sensors(void);
int list_sensor(const Options *options, const char *name);

#endif
