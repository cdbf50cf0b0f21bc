// What the server keeps: rows for charts, a client's texts, its rate.
#include "cmocka_all.h"

#include "view/client.h"
#include "view/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 20000 };

static double times[ROWS];
static float values[ROWS], low[ROWS], high[ROWS];
static const ib_Samples samples = {times, values, low, high};

static void add(ib_Memory *memory, double time, uint32_t run, double first, double second)
{
    static _Alignas(64) unsigned char room[sizeof(ib_FeedRow) + 2 * sizeof(double)];
    ib_FeedRow *row = (ib_FeedRow *)room;
    *row = (ib_FeedRow){.time = time, .run = run};
    double pair[2] = {first, second};
    memcpy(row->values, pair, sizeof pair);
    ib_memory_add(memory, row);
}

// Goal: the last 7200 rows of the run are kept. Method: add 9000, read them all, reset.
static void memory_keeps_the_newest_rows_of_a_run(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_Memory memory;
    assert_true(ib_memory_init(&memory, 2, &arena));
    for (int n = 0; n < 9000; n++) {
        add(&memory, n, 1, 1e9, 1e9);
        add(&memory, n, 1, n, -n);          // takes its place
        add(&memory, n - 0.5, 1, 1e9, 1e9); // not later: left out
    }
    int count = ib_memory_read(&memory, 1, -1, 1e9, ROWS, samples);
    assert_int_equal(count, IB_MEMORY_ROWS);
    for (int i = 0; i < count; i++) {
        assert_close(times[i], 9000 - IB_MEMORY_ROWS + i, 0);
        assert_close(values[i], -times[i], 0);
    }
    assert_int_equal(ib_memory_read(&memory, 0, 8000, 8002, ROWS, samples), 3);
    assert_int_equal(ib_memory_read(&memory, 0, 8000.5, 8000.6, ROWS, samples), 0);
    assert_int_equal(ib_memory_read(&memory, 0, 9, 8, ROWS, samples), 0);

    add(&memory, 0, 2, 5, 6);
    assert_int_equal(ib_memory_read(&memory, 0, -1, 1e9, ROWS, samples), 1);
    ib_arena_reset(&arena);
}

// Goal: thinning never exceeds the number asked for and keeps both ends, a lone peak, a lone dip
// and a gap, in order of time. Method: every number of rows, one spike at a time.
static void thinning_keeps_extremes(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_Memory memory;
    assert_true(ib_memory_init(&memory, 2, &arena));
    for (int n = 0; n < 5000; n++)
        add(&memory, n, 1, n == 1234 ? 9 : n == 3210 ? -9 : n == 4000 ? NAN : n % 7 * 0.1, 0);
    for (int rows = 2; rows <= 6000; rows = rows * 5 / 4 + 1) {
        int count = ib_memory_read(&memory, 0, 0, 1e9, rows, samples);
        assert_in_range(count, 2, rows);
        assert_close(times[0], 0, 0);
        assert_close(times[count - 1], 4999, 0);
        int peak = 0, dip = 0, gap = 0;
        for (int i = 0; i < count; i++) {
            if (i) assert_true(times[i] > times[i - 1]);
            peak += high[i] == 9;
            dip += low[i] == -9;
            gap += isnan(values[i]) != 0;
            assert_true(isnan(values[i]) || (low[i] <= values[i] && values[i] <= high[i]));
        }
        // A peak at the end of a bin is the start of the next one as well.
        assert_true(peak > 0 && peak < 3 && dip > 0 && dip < 3 && gap == (rows > 2));
    }
    ib_arena_reset(&arena);
}

// Goal: bounds that a row brings along stay with it, and whoever skipped rows gets those of all of
// them. Method: a signal that is 0 in every row and n between rows n - 1 and n.
static void bounds_between_rows_are_kept(void **state)
{
    (void)state;
    static _Alignas(64) unsigned char room[sizeof(ib_FeedRow) + 3 * sizeof(double)];
    ib_FeedRow *row = (ib_FeedRow *)room;
    ib_Arena arena = {0};
    ib_Memory memory;
    assert_true(ib_memory_init(&memory, 1, &arena));
    for (int n = 1; n <= 100; n++) {
        *row = (ib_FeedRow){.time = n, .run = 1, .ranged = true};
        double triple[3] = {0, -0.5, n};
        memcpy(row->values, triple, sizeof triple);
        ib_memory_add(&memory, row);
    }
    assert_int_equal(ib_memory_read(&memory, 0, 0, 1e9, 11, samples), 6);
    assert_close(times[5], 100, 0);
    for (int i = 1; i < 6; i++) {
        assert_close(values[i], 0, 0);
        assert_close(low[i], -0.5, 0);
        assert_close(high[i], times[i], 0);
    }
    assert_close(ib_memory_newest(&memory, 0, 1).high, 100, 0);
    row->time = 101;
    row->ranged = false; // nothing is known of the time between
    ib_memory_add(&memory, row);
    assert_close(ib_memory_newest(&memory, 0, 1).high, 0, 0);
    assert_close(ib_memory_newest(&memory, 0, 2).high, 100, 0);
    assert_close(ib_memory_newest(&memory, 0, 1000).low, -0.5, 0);
    ib_arena_reset(&arena);
}

// Goal: texts come out as they went in, and no more than the queue's room waits. Method: a model
// with numbers, filled and emptied unevenly.
static void texts_wait_in_order_and_within_limits(void **state)
{
    (void)state;
    ib_Client *client = calloc(1, sizeof *client);
    ib_client_open(client, 1, NULL, 0);
    static char text[1000];
    int in = 0, out = 0;
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 300; i++) {
            size_t size = (size_t)snprintf(text, sizeof text, "%d", in);
            memset(text + size, 'x', sizeof text - size);
            if (!ib_client_tell(client, text, 10 + (size_t)(in % 900))) break;
            in++;
        }
        assert_true(client->text_end - client->text_first <= IB_CLIENT_TEXT);
        for (int i = 0; i < 37 * (round % 9) && ib_client_text(client).size; i++) {
            ib_Span span = ib_client_text(client);
            assert_int_equal(atoi(span.text), out);
            assert_int_equal(span.size, 10 + out % 900);
            ib_client_told(client);
            out++;
        }
    }
    assert_true(out > 1000 && in > out);
    while (ib_client_text(client).size) ib_client_told(client), out++;
    assert_int_equal(in, out);
    assert_false(ib_client_tell(client, text, IB_CLIENT_TEXT));
    free(client);
}

// Goal: a client gets the rate it wants, whatever the rows' rate. Method: rows at 60 and 1000 Hz
// for 100 s, rates of 1 to 60; within one frame for the start and 1 % (rows at 60 Hz do not fall
// on the grid).
static void frames_keep_the_rate(void **state)
{
    (void)state;
    ib_Client *client = calloc(1, sizeof *client);
    static ib_ViewMessage message;
    for (int rate = 1; rate <= 60; rate += rate < 5 ? 1 : 11)
        for (int source = 60; source <= 1000; source += 940) {
            ib_client_open(client, 1, NULL, 0);
            message.rate = rate;
            ib_client_watch(client, &message, 0);
            int frames = 0;
            for (int n = 1; n <= 100 * source; n++)
                if (ib_client_due(client, (uint64_t)n, (double)n / source)) {
                    ib_client_shown(client, (uint64_t)n);
                    frames++;
                }
            assert_close(frames, 100 * rate, 2 + rate);
        }
    free(client);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_keeps_the_newest_rows_of_a_run),
        cmocka_unit_test(thinning_keeps_extremes),
        cmocka_unit_test(bounds_between_rows_are_kept),
        cmocka_unit_test(texts_wait_in_order_and_within_limits),
        cmocka_unit_test(frames_keep_the_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
