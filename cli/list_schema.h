// cli/list_schema.h: the rows of a schema, and columns of names, for `ironbird list`.
#ifndef IB_CLI_LIST_SCHEMA_H
#define IB_CLI_LIST_SCHEMA_H

#include "base/schema.h"

// The rows of a schema, one after the other.
void list_schema(const ib_Schema *schema);

// The larger of `width` and the letters of `name`, for a column of names.
int list_wider(int width, const char *name);

#endif
