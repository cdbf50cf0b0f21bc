// record/csv.h: recordings as a table of text (RFC 4180). Format: docs/scenario/record.md
#ifndef IB_RECORD_CSV_H
#define IB_RECORD_CSV_H

#include "base/clock.h"
#include "base/signal.h"
#include "record/bytes.h"
#include "record/log.h"

enum { IB_CSV_NUMBER = 32 }; ///< bytes of a number or a time, with its NUL

// The shortest of 15, 16 or 17 digits that reads back as the same double; "" when not finite.
// Returns its length.
int ib_csv_number(double value, char text[IB_CSV_NUMBER]);

// Seconds, exact to the nanosecond: "0.01". Returns its length.
int ib_csv_time(ib_Time time, char text[IB_CSV_NUMBER]);

// The name of the first column, as AdvantageScope requires; it holds seconds.
#define IB_CSV_TIME "Timestamp"

// Characters that spreadsheets take for the begin of a formula: a name that begins with one has an
// apostrophe in front of it in the first row, which reading removes.
#define IB_CSV_FORMULA "=+-@\t\r\n"
bool ib_csv_needs_guard(const char *name);

// First row: `Timestamp,pose.x [m],…`
void ib_csv_put_header(const ib_SignalDef *columns, int count, ib_Bytes *bytes);

// One row. `present` marks the values present (NULL: all); the other cells stay empty.
void ib_csv_put_row(ib_Time time, const double *values, const bool *present, int count,
                    ib_Bytes *bytes);

// Reading: record/log_source.h. A last row of Ironbird's own without its line end was cut by a kill
// and is left out; a foreign one counts if it is complete.

#endif
