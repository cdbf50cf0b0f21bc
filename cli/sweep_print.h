// cli/sweep_print.h: the results of a sweep, for people and for programs.
#ifndef IB_CLI_SWEEP_PRINT_H
#define IB_CLI_SWEEP_PRINT_H

#include "study/sweep.h"

#include <stdio.h>

// Statistics and expectations as a table; everything as JSON.
void sweep_print(const ib_Sweep *sweep, FILE *file);
void sweep_print_json(const ib_Sweep *sweep, FILE *file);

// Why runs failed, the first ten, to stderr.
void sweep_print_errors(const ib_Sweep *sweep);

// What runs have to be warned of, to stderr: the first ten that differ, each with the runs that
// have it.
void sweep_print_warnings(const ib_Sweep *sweep);

// A row a run.
ib_Status sweep_write_csv(const ib_Sweep *sweep, const char *path, ib_Error *error);

#endif
