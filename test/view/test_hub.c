// The hub without sockets: what is kept, what is refused, what always gets through.
#include "cmocka_all.h"

#include "view/hub.h"

#include <stdio.h>
#include <string.h>

static ib_Hub hub;
static int prepared;

static ib_Status prepare(void *self, int parameter, double value, void **data, ib_Error *error)
{
    (void)parameter, (void)value, (void)error;
    *data = self;
    prepared++;
    return IB_OK;
}

static bool may_drive(void *self, int robot, int index)
{
    (void)self;
    return robot != 1 && index < 8;
}

static bool drivable(void *self, int robot)
{
    (void)self;
    return robot != 1;
}

static ib_ViewSource source = {.hello = "{\"type\":\"hello\"}",
                               .signal_count = 2,
                               .robot_count = 3,
                               .parameter_count = 2,
                               .prepare = prepare,
                               .may_drive = may_drive,
                               .drivable = drivable};

static int setup(void **state)
{
    (void)state;
    prepared = 0;
    if (ib_feed_create(2, &source.feed, NULL) || ib_feed_keep(source.feed, 2, NULL)) return 1;
    return ib_hub_init(&hub, &source, NULL) != IB_OK;
}

static int teardown(void **state)
{
    (void)state;
    ib_hub_reset(&hub);
    ib_feed_destroy(source.feed);
    return 0;
}

static bool hear(ib_Client *client, const char *text)
{
    return ib_hub_hear(&hub, client, text, strlen(text), 1);
}

// The next message, closed by a NUL; NULL: none.
static const char *next(ib_Client *client)
{
    static char text[1 << 17];
    size_t size;
    if (ib_hub_next(&hub, client, 1, &size) == IB_HUB_NOTHING) return NULL;
    memcpy(text, hub.out, size);
    text[size] = '\0';
    return text;
}

static int count(const char *text, const char *part)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, part)); at++) found++;
    return found;
}

// Goal: a client who comes late gets the last 200 events, each once, in order. Method: 500 of them.
static void late_client_gets_the_last_200_events(void **state)
{
    (void)state;
    for (int n = 0; n < 500; n++) {
        ib_FeedEvent event = {.time = n, .kind = IB_EVENT_NOTE, .parameter = -1};
        snprintf(event.text, sizeof event.text, "event %d.", n);
        ib_feed_event(source.feed, &event);
        ib_hub_update(&hub, 1);
    }
    ib_Client *client = ib_hub_open(&hub, NULL, 1);
    assert_non_null(strstr(next(client), "hello"));
    int events = 0;
    for (const char *text; (text = next(client));) {
        for (int n = count(text, "\"kind\":\"note\""); n > 0; n--) {
            char part[32];
            snprintf(part, sizeof part, "event %d.", 300 + events++);
            assert_non_null(strstr(text, part));
        }
    }
    assert_int_equal(events, 200);
    assert_false(ib_hub_pending(&hub, client, 1));
}

// Goal: a client can tell news from what happened before it came. Method: three events, a client,
// two more; the first message holds the three and says so, the second the two.
static void what_was_before_a_client_is_told_as_past(void **state)
{
    (void)state;
    ib_FeedEvent event = {.kind = IB_EVENT_NOTE, .parameter = -1, .text = "before"};
    for (int n = 0; n < 3; n++) ib_feed_event(source.feed, &event);
    ib_hub_update(&hub, 1);
    ib_Client *client = ib_hub_open(&hub, NULL, 1);
    snprintf(event.text, sizeof event.text, "after");
    for (int n = 0; n < 2; n++) ib_feed_event(source.feed, &event);
    ib_hub_update(&hub, 2);
    assert_non_null(strstr(next(client), "hello"));
    const char *text = next(client);
    assert_non_null(strstr(text, "\"past\":true"));
    assert_int_equal(count(text, "\"before\""), 3);
    assert_int_equal(count(text, "\"after\""), 0);
    text = next(client);
    assert_non_null(strstr(text, "\"past\":false"));
    assert_int_equal(count(text, "\"after\""), 2);
}

// Goal: a change of a mode says which one it is and how often that was, and nothing else does.
// Method: one of each.
static void changes_of_modes_are_counted(void **state)
{
    (void)state;
    ib_FeedEvent mode = {.kind = IB_MODE_BROWNOUT, .text = "off", .signal = 7, .times = 58};
    ib_FeedEvent note = {.kind = IB_EVENT_NOTE, .parameter = -1, .text = "note"};
    ib_feed_event(source.feed, &mode);
    ib_feed_event(source.feed, &note);
    ib_hub_update(&hub, 1);
    ib_Client *client = ib_hub_open(&hub, NULL, 1);
    assert_non_null(strstr(next(client), "hello"));
    const char *text = next(client);
    assert_non_null(strstr(text, "\"text\":\"off\",\"signal\":7,\"times\":58}"));
    assert_int_equal(count(text, "\"times\""), 1);
    assert_int_equal(count(text, "\"signal\""), 1);
}

// Goal: the worst texts fit. Method: 200 events full of characters that JSON writes with six.
static void texts_of_escapes_fit(void **state)
{
    (void)state;
    ib_FeedEvent event = {.time = 1e-300 / 3,
                          .run = UINT32_MAX,
                          .kind = IB_EVENT_EXPECTATION,
                          .signal = INT32_MAX,
                          .times = INT32_MAX};
    memset(event.text, 1, sizeof event.text - 1);
    for (int n = 0; n < 200; n++) ib_feed_event(source.feed, &event);
    ib_hub_update(&hub, 1);
    ib_Client *client = ib_hub_open(&hub, NULL, 1);
    int escapes = 0;
    for (const char *text; (text = next(client));) escapes += count(text, "\\u0001");
    assert_int_equal(escapes, 200 * (IB_FEED_TEXT - 1));
}

// Goal: the runner knows whether anybody watches: until the last of several has gone.
static void the_runner_knows_that_nobody_watches(void **state)
{
    (void)state;
    assert_false(ib_feed_watched(source.feed));
    ib_Client *first = ib_hub_open(&hub, NULL, 1), *second = ib_hub_open(&hub, NULL, 1);
    assert_true(ib_feed_watched(source.feed));
    ib_hub_close(&hub, first);
    assert_true(ib_feed_watched(source.feed));
    ib_hub_close(&hub, second);
    assert_false(ib_feed_watched(source.feed));
}

// Goal: a runner that takes nothing cannot make commands pile up; nothing is prepared in vain, and
// every client that goes still lets go. Method: no commands are taken; 64 clients.
static void commands_are_refused_when_the_runner_is_stuck(void **state)
{
    (void)state;
    ib_Client *clients[IB_HUB_CLIENTS];
    for (int i = 0; i < IB_HUB_CLIENTS; i++)
        assert_non_null(clients[i] = ib_hub_open(&hub, NULL, 1));
    assert_null(ib_hub_open(&hub, NULL, 1));
    for (int i = 0; i < 1000; i++) {
        assert_true(hear(clients[0], "{\"type\":\"drive\",\"robot\":0,\"values\":[[1,2],[3,4]]}"));
        assert_true(hear(clients[1], "{\"type\":\"parameter\",\"index\":1,\"value\":3}"));
        while (next(clients[0]) && next(clients[1])) continue;
    }
    assert_in_range(prepared, 1, IB_FEED_COMMANDS);
    for (int i = 0; i < IB_HUB_CLIENTS; i++) ib_hub_close(&hub, clients[i]);

    int released = 0, parameters = 0, drives = 0;
    ib_FeedCommand command;
    while (ib_feed_next_command(source.feed, &command)) {
        released += command.type == IB_COMMAND_RELEASE && command.robot == -1;
        parameters += command.type == IB_COMMAND_PARAMETER;
        drives += command.type == IB_COMMAND_DRIVE;
    }
    assert_int_equal(released, IB_HUB_CLIENTS);
    assert_int_equal(parameters, prepared);
    assert_int_equal(drives % 2, 0); // both values or none
}

// Goal: a client that asks and never reads is ended, not served without end. Method: refusals until
// the queue is full; requests for histories beyond those that may wait.
static void queues_of_a_client_end(void **state)
{
    (void)state;
    ib_Client *client = ib_hub_open(&hub, NULL, 1);
    int asked = 0;
    while (asked < 100000 && hear(client, "{\"type\":\"history\",\"id\":1,\"signals\":[0],"
                                          "\"from\":0,\"to\":1}"))
        asked++;
    assert_in_range(asked, IB_CLIENT_HISTORIES + 100, 10000);
    assert_int_equal(client->history_count, IB_CLIENT_HISTORIES);
    assert_true(client->text_end <= IB_CLIENT_TEXT);

    client = ib_hub_open(&hub, NULL, 1);
    for (int i = 1; i < IB_HUB_REFUSALS; i++) assert_true(hear(client, "{}"));
    assert_true(hear(client, "{\"type\":\"play\"}")); // a good one, and the count starts anew
    for (int i = 1; i < IB_HUB_REFUSALS; i++) assert_true(hear(client, "{}"));
    assert_false(hear(client, "{}"));
}

// Goal: the status is told when it changes, five times a second at most. Method: 10 s of a status
// that always changes, then of one that never does.
static void status_is_told_when_it_changes(void **state)
{
    (void)state;
    for (int n = 0; n < 1200; n++) {
        ib_FeedStatus status = {.run = 1, .time = n};
        ib_feed_set_status(source.feed, &status);
        ib_hub_update(&hub, n / 120.0);
    }
    assert_in_range(hub.status_count, 45, 51);
    uint64_t before = hub.status_count;
    for (int n = 1200; n < 2400; n++) ib_hub_update(&hub, n / 120.0);
    assert_in_range(hub.status_count - before, 0, 1);
}

// ----------------------------------------------------------------------------------------- sliders

// Goal: a parameter's value reaches the client though the event of its change was lost. Method: the
// ring is full of other events when it comes.
static void changes_are_told_though_events_are_dropped(void **state)
{
    (void)state;
    ib_FeedEvent note = {.kind = IB_EVENT_NOTE, .parameter = -1, .text = "noise"};
    ib_FeedEvent change = {.kind = IB_EVENT_CHANGE, .parameter = 1, .value = 54.25, .text = "lost"};
    for (int i = 0; i < IB_FEED_EVENTS; i++) ib_feed_event(source.feed, &note);
    ib_feed_event(source.feed, &change);
    ib_hub_update(&hub, 1);
    ib_Client *client = ib_hub_open(&hub, NULL, 1);
    int found = 0, lost = 0;
    for (const char *text; (text = next(client));) {
        found += !strcmp(text, "{\"type\":\"parameter\",\"index\":1,\"value\":54.25}");
        lost += count(text, "\"lost\"");
    }
    assert_int_equal(lost, 0);
    assert_int_equal(found, 1);

    // And once only, until it changes again.
    ib_hub_update(&hub, 2);
    assert_int_equal(hub.change_count, 1);
    change.value = 3;
    ib_feed_event(source.feed, &change);
    ib_hub_update(&hub, 3);
    assert_int_equal(hub.change_count, 2);
    assert_close(hub.parameters[1], 3, 0);
}

// ------------------------------------------------------------------------------------------- seats

static const char drive_0[] = "{\"type\":\"drive\",\"robot\":0,\"values\":[[1,2]]}";
static const char take_0[] = "{\"type\":\"take\",\"robot\":0}";
static const char release_0[] = "{\"type\":\"release\",\"robot\":0}";

// Takes the commands of this kind that have reached the runner.
static int commands(ib_CommandType type)
{
    int found = 0;
    ib_FeedCommand command;
    while (ib_feed_next_command(source.feed, &command)) found += command.type == type;
    return found;
}

// Two clients; the runner's status, which never changes here, says that the first one drives.
static void two_clients(ib_Client *clients[2])
{
    for (int i = 0; i < 2; i++) {
        assert_non_null(clients[i] = ib_hub_open(&hub, NULL, 1));
        assert_non_null(strstr(next(clients[i]), "hello"));
    }
    ib_FeedStatus status = {.run = 1, .drivers = {clients[0]->number}};
    ib_feed_set_status(source.feed, &status);
}

// Goal: who takes a seat may drive at once, before the runner has said so, and the one before may
// not; afterwards the status counts again. Method: messages in a row on a status that is old.
static void who_takes_a_seat_drives_at_once(void **state)
{
    (void)state;
    ib_Client *clients[2];
    two_clients(clients);
    hear(clients[1], drive_0);
    assert_non_null(strstr(next(clients[1]), "take it first"));
    hear(clients[1], take_0);
    hear(clients[1], drive_0);
    assert_null(next(clients[1]));
    assert_int_equal(commands(IB_COMMAND_DRIVE), 1);
    hear(clients[0], drive_0);
    assert_non_null(strstr(next(clients[0]), "take it first"));

    hear(clients[0], release_0); // not its own any more
    hear(clients[1], drive_0);
    assert_int_equal(commands(IB_COMMAND_DRIVE), 1);
    hear(clients[1], release_0);
    hear(clients[0], drive_0);
    assert_int_equal(commands(IB_COMMAND_DRIVE), 1);
    hear(clients[1], take_0);
    ib_hub_close(&hub, clients[1]);
    hear(clients[0], drive_0);
    assert_int_equal(commands(IB_COMMAND_DRIVE), 1);
    assert_null(next(clients[0]));
}

static const char *const directions[] = {"{\"type\":\"pause\"}",
                                         "{\"type\":\"play\"}",
                                         "{\"type\":\"step\",\"count\":1}",
                                         "{\"type\":\"speed\",\"value\":2}",
                                         "{\"type\":\"reset\"}",
                                         "{\"type\":\"parameter\",\"index\":1,\"value\":3}"};
enum { DIRECTIONS = sizeof directions / sizeof *directions };

// How many of them reach the runner when this client says them, long after any reset.
static int obeyed(ib_Client *client, double now)
{
    int found = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        assert_true(ib_hub_hear(&hub, client, directions[i], strlen(directions[i]), now));
        const char *refusal = next(client);
        if (refusal) assert_non_null(strstr(refusal, "somebody else drives: take the controls"));
        ib_FeedCommand command;
        bool passed = ib_feed_next_command(source.feed, &command);
        assert_true(passed == !refusal);
        found += passed;
    }
    return found;
}

// Goal: while somebody drives, those who do not cannot turn the run back, stop it, or change it;
// when nobody does, all can. Method: each message that changes the run as a whole, from the driver,
// from a client that only looks on, from one that drives another robot, and with no driver.
static void who_drives_directs_the_run(void **state)
{
    (void)state;
    ib_Client *clients[2];
    two_clients(clients);
    assert_int_equal(obeyed(clients[1], 10), 0);
    assert_int_equal(prepared, 0);
    assert_int_equal(obeyed(clients[0], 20), DIRECTIONS);
    hear(clients[1], "{\"type\":\"take\",\"robot\":2}");
    assert_int_equal(commands(IB_COMMAND_TAKE), 1);
    assert_int_equal(obeyed(clients[1], 30), DIRECTIONS);
    hear(clients[1], "{\"type\":\"release\",\"robot\":2}");
    assert_int_equal(commands(IB_COMMAND_RELEASE), 1);
    assert_int_equal(obeyed(clients[1], 40), 0);
    ib_FeedStatus nobody = {.run = 1};
    ib_feed_set_status(source.feed, &nobody);
    assert_int_equal(obeyed(clients[1], 50), DIRECTIONS);
}

// Goal: however fast resets are asked for, two a second are made, or a recording would be left by
// each. Method: two clients that ask every 10 ms for 5 s: one at 0 s, 0.5 s … 4.5 s.
static void resets_have_a_rate(void **state)
{
    (void)state;
    ib_Client *clients[2];
    two_clients(clients);
    ib_FeedStatus nobody = {.run = 1};
    ib_feed_set_status(source.feed, &nobody);
    int made = 0;
    for (int n = 0; n < 500; n++)
        for (int i = 0; i < 2; i++) {
            static const char reset[] = "{\"type\":\"reset\"}";
            assert_true(ib_hub_hear(&hub, clients[i], reset, strlen(reset), n / 100.0));
            while (next(clients[i])) continue;
            made += commands(IB_COMMAND_RESET);
        }
    assert_int_equal(made, 10);
}

// Goal: nobody sits down where there is nothing to drive. Method: a robot without open inputs.
static void a_robot_without_inputs_has_no_seat(void **state)
{
    (void)state;
    ib_Client *client = ib_hub_open(&hub, NULL, 1);
    assert_non_null(strstr(next(client), "hello"));
    static const char *const messages[] = {"{\"type\":\"take\",\"robot\":1}",
                                           "{\"type\":\"drive\",\"robot\":1,\"values\":[]}"};
    for (int i = 0; i < 2; i++) {
        assert_true(hear(client, messages[i]));
        assert_non_null(strstr(next(client), "this robot takes no input from the viewer"));
    }
    ib_FeedCommand command;
    assert_false(ib_feed_next_command(source.feed, &command));
}

// Goal: the seat of a client that has gone comes free though the queue was full when it went.
// Method: fill the queue, close the client, empty the queue; the next look at the status lets go.
static void a_lost_release_is_made_good(void **state)
{
    (void)state;
    ib_Client *clients[2];
    two_clients(clients);
    int number = clients[0]->number;
    ib_FeedCommand filler = {.type = IB_COMMAND_PAUSE, .client = 1}, command;
    while (ib_feed_command(source.feed, &filler)) continue;
    ib_hub_close(&hub, clients[0]);
    ib_hub_update(&hub, 2);
    assert_int_equal(commands(IB_COMMAND_RELEASE), 0);
    ib_hub_update(&hub, 3);
    assert_true(ib_feed_next_command(source.feed, &command));
    assert_int_equal(command.type, IB_COMMAND_RELEASE);
    assert_int_equal(command.client, number);
    assert_int_equal(command.robot, 0);

    ib_FeedStatus status = {.run = 1, .drivers = {clients[1]->number}}; // somebody who is there
    ib_feed_set_status(source.feed, &status);
    ib_hub_update(&hub, 4);
    assert_int_equal(commands(IB_COMMAND_RELEASE), 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(late_client_gets_the_last_200_events, setup, teardown),
        cmocka_unit_test_setup_teardown(what_was_before_a_client_is_told_as_past, setup, teardown),
        cmocka_unit_test_setup_teardown(changes_of_modes_are_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(texts_of_escapes_fit, setup, teardown),
        cmocka_unit_test_setup_teardown(the_runner_knows_that_nobody_watches, setup, teardown),
        cmocka_unit_test_setup_teardown(commands_are_refused_when_the_runner_is_stuck, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(queues_of_a_client_end, setup, teardown),
        cmocka_unit_test_setup_teardown(status_is_told_when_it_changes, setup, teardown),
        cmocka_unit_test_setup_teardown(changes_are_told_though_events_are_dropped, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(who_takes_a_seat_drives_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(who_drives_directs_the_run, setup, teardown),
        cmocka_unit_test_setup_teardown(resets_have_a_rate, setup, teardown),
        cmocka_unit_test_setup_teardown(a_robot_without_inputs_has_no_seat, setup, teardown),
        cmocka_unit_test_setup_teardown(a_lost_release_is_made_good, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
