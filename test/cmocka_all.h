// test/cmocka_all.h: cmocka with the headers that it needs before it, and a comparison of doubles.
#ifndef IB_TEST_CMOCKA_ALL_H
#define IB_TEST_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

// cmocka 1.1.5 compares floats only. Says the difference, which is what one wants to know.
#define assert_close(got, expected, tolerance)                                                     \
    do {                                                                                           \
        double got_ = (got), expected_ = (expected), tolerance_ = (tolerance);                     \
        if (!(fabs(got_ - expected_) <= tolerance_)) {                                             \
            print_error("%s = %.17g, expected %.17g: off by %.3g, allowed %.3g\n", #got, got_,     \
                        expected_, got_ - expected_, tolerance_);                                  \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

#endif
