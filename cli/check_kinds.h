// cli/check_kinds.h: the kinds of files that `ironbird check` knows.
#ifndef IB_CLI_CHECK_KINDS_H
#define IB_CLI_CHECK_KINDS_H

#include "scenario/scenario.h"

// Reads a file of any kind and prints that it is right, with its kind, to stdout; or its mistakes,
// with the assumed kind, to stderr. True: the file is right.
bool check_file(const char *file, const ib_ScenarioOptions *options);

#endif
