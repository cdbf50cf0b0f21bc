// Smallest, largest and last values, as a plain scan finds them (src/sim/watch/summary.c).
#include "cmocka_all.h"

#include "sim/watch/summary.h"
#include "spread.h"

#include <math.h>

// Five fours and all that may be left of a sixth; so many tables of each length.
enum { MOST = 23, ROWS = 60, TABLES = 40 };

// What a signal may do: wander, grow (as sums do), rest, fall, be no number at first, now and then,
// or never. In half of the tables all are numbers.
static double value_of(int table, int signal, int row)
{
    uint64_t stream = (uint64_t)(MOST * table + signal);
    double chance = chance_uniform(7, stream, (uint64_t)row);
    switch ((int)(chance_uniform(8, stream, 0) * (table % 2 ? 8 : 5))) {
    case 0:
        return chance - 0.5;
    case 1:
    case 2:
        return row / 2;
    case 3:
        return row % 2 ? -0.0 : 0.0;
    case 4:
        return chance < 0.1 ? -0.5 * row : chance > 0.9 ? INFINITY : 1;
    case 5:
        return row < 5 ? (double)NAN : chance;
    case 6:
        return chance < 0.3 ? (double)NAN : (double)(row % 9);
    }
    return (double)NAN;
}

// `only`: the one whose range is kept; -1: those of all are.
static void compare(const ib_Summary *summary, int table, int only)
{
    for (int i = 0; i < summary->count; i++) {
        int least = -1, most = -1, gap = -1;
        for (int row = 0; row < ROWS; row++) {
            double y = value_of(table, i, row);
            if (!isnan(y) && (least < 0 || y < value_of(table, i, least))) least = row;
            if (!isnan(y) && (most < 0 || y > value_of(table, i, most))) most = row;
            if (isnan(y) && gap < 0) gap = row;
        }
        double last = value_of(table, i, ROWS - 1);
        assert_memory_equal(&summary->final[i], &last, sizeof last);
        assert_true(summary->nan_time[i] == (gap < 0 ? IB_TIME_NEVER : 10 * gap));
        if (only >= 0 && i != only) continue;
        assert_int_equal(isnan(summary->min[i]), least < 0);
        assert_int_equal(isnan(summary->max[i]), least < 0);
        if (least < 0) continue;
        assert_true(summary->min[i] == value_of(table, i, least));
        assert_true(summary->max[i] == value_of(table, i, most));
        assert_true(summary->min_time[i] == 10 * least);
        assert_true(summary->max_time[i] == 10 * most);
    }
}

// Goal: ranges, the times at which they were first reached, and last values are right for every
// signal wherever it stands in the table, also where the range of one alone is wanted. Method:
// tables of 1 to MOST signals, beside a scan of one signal after the other.
static void ranges_are_those_of_a_plain_scan(void **state)
{
    (void)state;
    for (int table = 0; table < MOST * TABLES; table++) {
        ib_Arena arena = {0};
        ib_Summary *summary;
        ib_SignalTable signals = {.count = 1 + table / TABLES};
        assert_int_equal(ib_summary_create(&signals, &arena, &summary, NULL), IB_OK);
        int only = table % 4 < 2 ? -1 : table % signals.count;
        bool rows[MOST] = {false};
        if (only >= 0) rows[only] = true;
        if (only >= 0) ib_summary_restrict(summary, &(ib_Model){0}, rows);
        ib_Probe probe = ib_summary_probe(summary);
        for (int row = 0; row < ROWS; row++) {
            double values[MOST];
            for (int i = 0; i < signals.count; i++) values[i] = value_of(table, i, row);
            assert_true(probe.sample(probe.self, 10 * row, values) == IB_TIME_NEVER);
        }
        compare(summary, table, only);
        ib_arena_reset(&arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranges_are_those_of_a_plain_scan)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
