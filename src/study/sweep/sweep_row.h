// study/sweep/sweep_row.h: the result of a run as bytes, from a worker to its receiver, and in the
// journal. All numbers are little endian:
//
//   bytes of the error with its NUL     4   0: none
//   bytes of the warnings with theirs   4   0: none
//   seed, hash                          8 each
//   status                              1
//   passed, of each expectation         1 each, 0 or 1
//   values, of each column              8 each
//   error, warnings
#ifndef IB_STUDY_SWEEP_SWEEP_ROW_H
#define IB_STUDY_SWEEP_SWEEP_ROW_H

#include "record/bytes.h"
#include "study/sweep/sweep.h"

enum { IB_SWEEP_MAX_TEXT = 1 << 18 }; ///< bytes of a run's error, and of its warnings

// The number of values in each row.
typedef struct ib_SweepShape {
    int columns, expectations;
} ib_SweepShape;

ib_SweepShape ib_sweep_shape(const ib_Sweep *sweep);

// Bytes of a row without error and warnings.
size_t ib_sweep_row_size(ib_SweepShape shape);

void ib_sweep_row_put(ib_SweepShape shape, const ib_SweepResult *result, ib_Bytes *bytes);

// Reads the row at `data`, which has `size` bytes, into `result`: values into its arrays, texts in
// place. Returns the bytes of the row; 0: invalid.
size_t ib_sweep_row_get(ib_SweepShape shape, const unsigned char *data, size_t size,
                        ib_SweepResult *result);

#endif
