// record/csv_cell.h: the value of a CSV's cell. Internal to src/record.
#ifndef IB_RECORD_CSV_CELL_H
#define IB_RECORD_CSV_CELL_H

#include "base/clock.h"

#include <stdbool.h>
#include <stddef.h>

enum { IB__CELL_MAX = 400 }; ///< characters of a number

typedef enum ib__CellSays {
    IB__CELL_EMPTY, ///< nothing, or null
    IB__CELL_NUMBER,
    IB__CELL_HOLE, ///< not finite: a sample without a number
    IB__CELL_NONSENSE,
} ib__CellSays;

ib__CellSays ib__cell_value(const char *text, size_t length, double *value);

// True if the text is a number, by its characters alone. False: perhaps.
bool ib__cell_is_number(const char *text, size_t length);

// Seconds, exact to the nanosecond. False: not a time.
bool ib__cell_time(const char *text, size_t length, ib_Time *time);

#endif
