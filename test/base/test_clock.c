// Integer time, and the fingerprint of a state.
#include "base/clock.h"
#include "base/hash.h"

#include "cmocka_all.h"

#include <math.h>

// Goal: decimal seconds land on their nanosecond.
// Method: texts' values by hand, both signs, halves.
static void seconds_land_on_their_nanosecond(void **state)
{
    (void)state;
    assert_true(ib_time_from_seconds(0) == 0);
    assert_true(ib_time_from_seconds(0.001) == 1000000);
    assert_true(ib_time_from_seconds(10.6665) == 10666500000);
    assert_true(ib_time_from_seconds(-2.4) == -2400000000);
    assert_true(ib_time_from_seconds(1e7) == 10000000 * IB_SECOND);
    assert_true(ib_time_from_seconds(0.4e-9) == 0 && ib_time_from_seconds(0.6e-9) == 1);
    assert_true(ib_time_from_seconds(-0.6e-9) == -1);
    assert_true(ib_time_from_seconds(9e9) == 9000000000 * IB_SECOND);
}

// Goal: time survives seconds and back. Method: every power of two and its neighbours; exact to
// 2^50 ns (13 days), where two roundings of 2^-53 stay below half a nanosecond, and to 4 ns (two
// ulp) at the longest run of 1e7 s.
static void time_survives_seconds_and_back(void **state)
{
    (void)state;
    for (int bit = 0; bit <= 50; bit++) {
        for (ib_Time off = -1; off <= 1; off++) {
            ib_Time time = ((ib_Time)1 << bit) + off;
            assert_true(ib_time_from_seconds(ib_time_to_seconds(time)) == time);
            assert_true(ib_time_from_seconds(ib_time_to_seconds(-time)) == -time);
        }
    }
    ib_Time longest = 10000000 * IB_SECOND - 1;
    ib_Time back = ib_time_from_seconds(ib_time_to_seconds(longest));
    assert_true(back - longest <= 4 && longest - back <= 4);
}

// Goal: grids never drift. Method: a million steps of 1 ms and of 5 ms meet where they should.
static void grids_never_drift(void **state)
{
    (void)state;
    ib_Time time = 0;
    for (int i = 0; i < 1000000; i++) time = ib_time_next(time, 1000000);
    assert_true(time == 1000 * IB_SECOND);
    assert_true(ib_time_next(0, 5) == 5 && ib_time_next(4, 5) == 5 && ib_time_next(5, 5) == 10);
    assert_true(ib_time_min(3, IB_TIME_NEVER) == 3 && ib_time_min(IB_TIME_NEVER, 3) == 3);
    assert_true(ib_time_min(-3, 3) == -3);
}

// Goal: the hash is the documented one on every machine. Method: from hash 0 and word 1 it is the
// constant folded once, worked out by hand: 7f4a7c15 ^ 9e3779b9 = e17d05ac.
static void hash_of_one_is_the_folded_constant(void **state)
{
    (void)state;
    assert_true(ib_hash_word(0, 1) == 0x9e3779b9e17d05ac);
    assert_true(ib_hash_word(0, 0) == 0);
    double one = 1.0; // 3ff0000000000000
    assert_true(ib_hash_doubles(IB_HASH_START, &one, 1) ==
                ib_hash_word(IB_HASH_START, 0x3ff0000000000000));
    assert_true(ib_hash_text(5, "ab") == ib_hash_word(ib_hash_word(5, 'a'), 'b'));
    assert_true(ib_hash_doubles(5, NULL, 0) == 5 && ib_hash_text(5, "") == 5);
}

// Goal: every bit and the order count. Method: flip each bit of each of three words; swap two; the
// sign of zero.
static void every_bit_and_the_order_count(void **state)
{
    (void)state;
    double x[3] = {1.5, -2.25, 1e-3};
    uint64_t whole = ib_hash_doubles(IB_HASH_START, x, 3);
    for (int word = 0; word < 3; word++) {
        for (int bit = 0; bit < 64; bit++) {
            uint64_t words[3];
            memcpy(words, x, sizeof x);
            words[word] ^= UINT64_C(1) << bit;
            double y[3];
            memcpy(y, words, sizeof y);
            assert_true(ib_hash_doubles(IB_HASH_START, y, 3) != whole);
        }
    }
    double swapped[3] = {-2.25, 1.5, 1e-3}, zeros[2] = {0.0, -0.0};
    assert_true(ib_hash_doubles(IB_HASH_START, swapped, 3) != whole);
    assert_true(ib_hash_doubles(IB_HASH_START, &zeros[0], 1) !=
                ib_hash_doubles(IB_HASH_START, &zeros[1], 1));
    assert_true(ib_hash_text(IB_HASH_START, "ab") != ib_hash_text(IB_HASH_START, "ba"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seconds_land_on_their_nanosecond),
        cmocka_unit_test(time_survives_seconds_and_back),
        cmocka_unit_test(grids_never_drift),
        cmocka_unit_test(hash_of_one_is_the_folded_constant),
        cmocka_unit_test(every_bit_and_the_order_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
