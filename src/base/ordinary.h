// base/ordinary.h: one quick look at many numbers, before a slow one finds the odd one among them.
#ifndef IB_BASE_ORDINARY_H
#define IB_BASE_ORDINARY_H

#include <stdbool.h>

// True if every number is zero, or between IB_FLUSH_LIMIT and `most` in size, `most` >=
// IB_FLUSH_LIMIT: nothing to flush (base/flush_to_zero.h), no NaN and no infinity. It takes 7
// instructions a number, the two looks at each by itself 17.
bool ib_are_ordinary(const double *values, int count, double most);

#endif
