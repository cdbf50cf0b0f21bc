// base/table.h: a curve given by points, as a data sheet prints it.
// docs/scenario/units.md says how files write one.
//
// A row is x and up to two values; x grows from row to row. Beyond its ends a table keeps its end
// values unless a function says otherwise.
#ifndef IB_BASE_TABLE_H
#define IB_BASE_TABLE_H

#include "base/formula.h"

enum { IB_TABLE_ROWS = 32, IB_TABLE_VALUES = 2 };

typedef struct ib_Table {
    int count;                                ///< rows, 0 .. IB_TABLE_ROWS; 0: not given
    double x[IB_TABLE_ROWS];                  ///< in SI, strictly increasing
    double y[IB_TABLE_VALUES][IB_TABLE_ROWS]; ///< each column in a unit of its own, SI
} ib_Table;

// The row below x: the last one with table->x[row] <= x, kept within 0 .. count - 2. count >= 2.
// The search runs from the top: frequent lookups (a battery that is nearly full) end soon.
IB_FORMULA int ib_table_row(const ib_Table *table, double x)
{
    int row = table->count - 2;
    while (row > 0 && !(table->x[row] <= x)) row--;
    return row;
}

// y = y0 + (y1 - y0) (x - x0)/(x1 - x0) between two rows; the end values beyond. count >= 1.
IB_FORMULA double ib_table_linear(const ib_Table *table, int column, double x)
{
    const double *y = table->y[column];
    int last = table->count - 1;
    if (!(x > table->x[0])) return y[0];
    if (x >= table->x[last]) return y[last];
    int i = ib_table_row(table, x);
    return y[i] + (y[i + 1] - y[i]) * ((x - table->x[i]) / (table->x[i + 1] - table->x[i]));
}

#endif
