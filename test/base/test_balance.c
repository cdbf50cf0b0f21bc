#include "cmocka_all.h"

#include "base/balance.h"

#define ROW(name, role_)                                                                           \
    {                                                                                              \
        name, "J", "", 0,                                                                          \
        {                                                                                          \
            .role = role_                                                                          \
        }                                                                                          \
    }

// A robot with an energy book, a lift with one of its own, and a book of heat.
static const ib_SignalDef rows[] = {
    ROW("pose.x", IB_ROLE_POSE_X),
    ROW("energy.battery", IB_ROLE_SUPPLIED),
    ROW("energy.kinetic", IB_ROLE_STORED),
    ROW("energy.error", IB_ROLE_BALANCE),
    ROW("energy.push", IB_ROLE_GIVEN),
    ROW("energy.mechanisms", IB_ROLE_LOST),
    ROW("energy.seen", IB_ROLE_NONE),
    ROW("heat.copper", IB_ROLE_GIVEN),
    ROW("heat.error", IB_ROLE_BALANCE),
    ROW("lift.energy.electric", IB_ROLE_GIVEN),
    ROW("lift.energy.potential", IB_ROLE_STORED),
    ROW("lift.energy.error", IB_ROLE_BALANCE),
};
enum { ROWS = sizeof rows / sizeof rows[0] };

// Goal: a book is balanced by the roles of its own entries, and a robot's counts what its parts are
// off by. Method: sums by hand, of powers of two: each number tells who is in it.
static void a_book_is_balanced_by_its_roles(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_Balances balances;
    double y[ROWS];
    for (int i = 0; i < ROWS; i++) y[i] = 1 << i;
    assert_true(ib_balances_init(rows, ROWS, &arena, &balances));
    assert_int_equal(balances.count, 3);
    ib_balances_output(&balances, y);
    assert_true(y[11] == 512 - 1024);
    assert_true(y[8] == 128);
    assert_true(y[3] == 2 + 16 - (4 + 32) + y[11]);
    for (int i = 0; i < ROWS; i++)
        assert_true(rows[i].means.role == IB_ROLE_BALANCE || y[i] == 1 << i);
    ib_arena_reset(&arena);
}

// Goal: a robot without books has no balance. Method: one row.
static void without_a_book_there_is_no_balance(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_Balances balances;
    double y[1] = {7};
    assert_true(ib_balances_init(rows, 1, &arena, &balances));
    assert_int_equal(balances.count, 0);
    ib_balances_output(&balances, y);
    assert_true(y[0] == 7);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_book_is_balanced_by_its_roles),
        cmocka_unit_test(without_a_book_there_is_no_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
