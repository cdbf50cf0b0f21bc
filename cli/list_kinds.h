// cli/list_kinds.h: kinds of controllers and sensors, and steps of routines, for `ironbird list`.
#ifndef IB_CLI_LIST_KINDS_H
#define IB_CLI_LIST_KINDS_H

#include "cli.h"

#include "base/schema.h"

// The rows of a schema, one after the other. In cli/cmd_list.c.
void list_schema(const ib_Schema *schema);

// The larger of `width` and the letters of `name`, for a column of names. In cli/cmd_list.c.
int list_wider(int width, const char *name);

int list_controllers(void);
int list_controller(const Options *options, const char *name);
int list_routine(void);
int list_sensors(void);
int list_sensor(const Options *options, const char *name);

#endif
