// test/cmocka_all.h: cmocka with the headers that it needs before it, the way of a file's tests to
// the runner of its folder, and a comparison of doubles.
#ifndef IB_TEST_CMOCKA_ALL_H
#define IB_TEST_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

// A file of tests ends in `int IB_TEST_GROUP(void)`, which hands its table to
// cmocka_run_group_tests. Its name comes from the file's (CMakeLists.txt), and instead of cmocka
// the folder's runner takes the table: it may list it, or leave some out.
#ifdef IB_TEST_GROUP
int IB_TEST_GROUP(void);
#endif
int ib_runner_take(const struct CMUnitTest *tests, size_t count, CMFixtureFunction set_up,
                   CMFixtureFunction tear_down);
#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, set_up, tear_down)                                           \
    ib_runner_take(tests, sizeof(tests) / sizeof((tests)[0]), set_up, tear_down)

// How often a test does the same with other numbers. Sanitized code is up to twenty times as slow,
// and it is asked about memory and undefined results: a sample of the rounds passes the same lines.
#ifdef IB_SANITIZED
#define IB_ROUNDS(all, sanitized) (sanitized)
#else
#define IB_ROUNDS(all, sanitized) (all)
#endif

// A row of a table that sanitized runs leave out: the test holds results against results, and
// others pass the same lines under the sanitizer.
extern char ib_plain_mark;
#define ib_plain_test(f)                                                                           \
    {                                                                                              \
#f, f, NULL, NULL, &ib_plain_mark                                                          \
    }

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
