// cli/session_rows.h: which signals are printed after a run, and how: four digits, people's units.
#ifndef IB_CLI_SESSION_ROWS_H
#define IB_CLI_SESSION_ROWS_H

#include "paint.h"
#include "session.h"

// Marks the signals to print: the headlines, or those that --all and --signals ask for. A pattern
// that matches nothing is refused, with the nearest name.
ib_Status rows_choose(const SessionRequest *request, const ib_SignalTable *table, ib_Arena *arena,
                      bool **rows, ib_Error *error);

// Final, smallest and largest value with their times; then a block for each time of --at.
void rows_print(const ib_Session *session, const bool *rows, Paint paint, FILE *file);

#endif
