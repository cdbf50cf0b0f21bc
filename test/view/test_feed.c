// The feed between two threads: nothing is lost but what is counted, nothing is torn, in order.
#include "cmocka_all.h"

#include "view/feed.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNALS = 5, ITEMS = 400000 };

static ib_Feed *feed;
static _Atomic bool done;

static int setup(void **state)
{
    (void)state;
    done = false;
    return ib_feed_create(SIGNALS, &feed, NULL) != IB_OK;
}

static int teardown(void **state)
{
    (void)state;
    ib_feed_destroy(feed);
    return 0;
}

// Every part of what is sent says its number, so that a torn one shows.
static void *run(void *unused)
{
    (void)unused;
    for (int n = 1; n <= ITEMS; n++) {
        ib_FeedRow *row = ib_feed_claim(feed);
        if (row) {
            row->time = n;
            row->run = (uint32_t)n;
            for (int i = 0; i < SIGNALS; i++) row->values[i] = n;
            ib_feed_publish(feed);
        }
        if (n % 4 == 0) {
            ib_FeedEvent event = {.time = n, .run = (uint32_t)n, .value = n, .parameter = n};
            ib_feed_event(feed, &event);
        }
        ib_FeedStatus status = {.run = (uint32_t)n, .time = n, .steps = n, .late_max = n};
        for (int i = 0; i < IB_FEED_ROBOTS; i++) status.drivers[i] = n;
        ib_feed_set_status(feed, &status);
        if (n % 64 == 0) sched_yield();
    }
    done = true;
    return NULL;
}

static bool take_row(double *last)
{
    const ib_FeedRow *row = ib_feed_row(feed);
    if (!row) return false;
    assert_true(row->time > *last);
    assert_true(row->run == (uint32_t)row->time);
    for (int i = 0; i < SIGNALS; i++) assert_true(row->values[i] == row->time);
    *last = row->time;
    ib_feed_release(feed);
    return true;
}

static bool take_event(double *last)
{
    ib_FeedEvent event;
    if (!ib_feed_next_event(feed, &event)) return false;
    assert_true(event.time > *last && event.value == event.time);
    assert_true(event.run == (uint32_t)event.time && event.parameter == (int)event.time);
    *last = event.time;
    return true;
}

static void look_at_status(int64_t *last, ib_FeedStatus *status)
{
    ib_feed_status(feed, status);
    assert_true(status->steps >= *last);
    assert_true(status->run == (uint32_t)status->steps && status->time == (double)status->steps);
    assert_true(status->late_max == (double)status->steps);
    for (int i = 0; i < IB_FEED_ROBOTS; i++) assert_true(status->drivers[i] == status->steps);
    *last = status->steps;
}

// Goal: rows, events and statuses, 900 000 in all, cross whole and in order; what is missing was
// counted. Method: a thread that publishes as fast as it can, one that takes.
static void runner_to_server_loses_only_what_it_counts(void **state)
{
    (void)state;
    pthread_t runner;
    assert_int_equal(pthread_create(&runner, NULL, run, NULL), 0);
    int64_t rows = 0, events = 0, seen = 0;
    double last_row = 0, last_event = 0;
    ib_FeedStatus status;
    for (bool more = true; more;) {
        more = !done;
        for (bool any = true; any;) {
            bool row = take_row(&last_row), event = take_event(&last_event);
            rows += row;
            events += event;
            any = row || event;
        }
        look_at_status(&seen, &status);
    }
    pthread_join(runner, NULL);
    print_message("%lld rows, %lld events; dropped %lld, %lld\n", (long long)rows,
                  (long long)events, (long long)status.dropped_rows,
                  (long long)status.dropped_events);
    look_at_status(&seen, &status);
    assert_int_equal(seen, ITEMS);
    assert_int_equal(rows + status.dropped_rows, ITEMS);
    assert_int_equal(events + status.dropped_events, ITEMS / 4);
    assert_true(rows > IB_FEED_ROWS);
}

static void *command(void *unused)
{
    (void)unused;
    for (int n = 1; n <= ITEMS;) {
        ib_FeedCommand item = {.client = n, .robot = n, .index = n, .value = n, .data = &feed};
        if (ib_feed_command(feed, &item))
            n++;
        else
            sched_yield();
    }
    return NULL;
}

// Goal: commands that were taken arrive, all of them, in order.
// Method: 400 000, tried again when refused.
static void server_to_runner_loses_nothing(void **state)
{
    (void)state;
    pthread_t server;
    assert_int_equal(pthread_create(&server, NULL, command, NULL), 0);
    for (int n = 1; n <= ITEMS;) {
        ib_FeedCommand item;
        if (!ib_feed_next_command(feed, &item)) {
            sched_yield();
            continue;
        }
        assert_true(item.client == n && item.robot == n && item.index == n && item.value == n);
        assert_true(item.data == (void *)&feed);
        n++;
    }
    pthread_join(server, NULL);
}

// Goal: each queue holds what its header says and no more. Method: fill them in one thread.
static void queues_hold_what_they_promise(void **state)
{
    (void)state;
    ib_FeedCommand item = {0};
    ib_FeedEvent event = {0};
    ib_FeedStatus status;
    assert_int_equal(ib_feed_signals(feed), SIGNALS);
    assert_int_equal(ib_feed_room(feed), IB_FEED_COMMANDS);
    for (int i = 0; i < IB_FEED_COMMANDS; i++) assert_true(ib_feed_command(feed, &item));
    assert_int_equal(ib_feed_room(feed), 0);
    assert_false(ib_feed_command(feed, &item));
    for (int i = 0; i < IB_FEED_ROWS + 3; i++)
        if (ib_feed_claim(feed)) ib_feed_publish(feed);
    for (int i = 0; i < IB_FEED_EVENTS + 2; i++) ib_feed_event(feed, &event);
    ib_feed_status(feed, &status);
    assert_int_equal(status.dropped_rows, 3);
    assert_int_equal(status.dropped_events, 2);
    assert_true(ib_feed_next_command(feed, &item));
    assert_int_equal(ib_feed_room(feed), 1);

    ib_Feed *none;
    ib_Error error = {0};
    assert_int_equal(ib_feed_create(-1, &none, &error), IB_BAD_INPUT);
    assert_null(none);
}

// Goal: the newest value of a parameter is there even where its events were dropped. Method: more
// changes than the ring holds, nothing taken meanwhile; parameters that are none do no harm.
static void values_outlive_dropped_events(void **state)
{
    (void)state;
    assert_int_equal(ib_feed_keep(feed, 2, NULL), IB_OK);
    double value = -1;
    assert_int_equal(ib_feed_parameter(feed, 1, &value), 0);
    for (int n = 1; n <= IB_FEED_EVENTS + 50; n++) {
        ib_FeedEvent event = {.kind = IB_EVENT_CHANGE, .parameter = 1, .value = n};
        ib_feed_event(feed, &event);
    }
    static const int none[] = {-1, 2, 1000};
    for (int i = 0; i < 3; i++) {
        ib_FeedEvent event = {.kind = IB_EVENT_CHANGE, .parameter = none[i], .value = 7};
        ib_feed_event(feed, &event);
        assert_int_equal(ib_feed_parameter(feed, none[i], &value), 0);
    }
    assert_int_equal(ib_feed_changes(feed), IB_FEED_EVENTS + 50);
    assert_int_equal(ib_feed_parameter(feed, 1, &value), IB_FEED_EVENTS + 50);
    assert_close(value, IB_FEED_EVENTS + 50, 0);
    assert_int_equal(ib_feed_parameter(feed, 0, &value), 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(runner_to_server_loses_only_what_it_counts, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(server_to_runner_loses_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(queues_hold_what_they_promise, setup, teardown),
        cmocka_unit_test_setup_teardown(values_outlive_dropped_events, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
