// test/runner.h: the groups of tests of one folder, as CMake lists them from its files test_*.c.
#ifndef IB_TEST_RUNNER_H
#define IB_TEST_RUNNER_H

typedef struct ib_TestGroup {
    const char *noun; ///< "battery" of test_battery.c, "tank/energy" of tank/test_energy.c; NULL
                      ///< behind the last
    // Hands its tests to ib_runner_take (test/cmocka_all.h); how many of them failed.
    int (*run)(void);
} ib_TestGroup;

extern const ib_TestGroup ib_test_groups[];

#endif
