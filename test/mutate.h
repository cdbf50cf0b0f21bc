// test/mutate.h: a file as a clumsy hand, a bad disk or an adversary leaves it. The same seed makes
// the same file on every machine.
#ifndef IB_TEST_MUTATE_H
#define IB_TEST_MUTATE_H

#include <stddef.h>
#include <stdint.h>

enum { IB_MUTATED_MOST = 1 << 20 }; ///< bytes of a file, before and after

// Changes `length` bytes of `text`, which has room for IB_MUTATED_MOST: one to four of flipped
// bits, a cut, chunks that are doubled or gone, other numbers, long runs of blanks, swapped lines.
// Returns the new length.
size_t ib_mutate(uint64_t seed, char *text, size_t length);

#endif
