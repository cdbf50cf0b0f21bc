// The server as a whole, over real sockets: what a browser, a slow client and a hostile one see.
#include "rig.h"

#include "view/page.h"

static char text[4 << 20]; // the page and more
static unsigned char bytes[1 << 20];

// -------------------------------------------------------------------------------------------- HTTP

// Goal: the page is served as it was built, with its headers. Method: GET and HEAD, compared byte
// for byte with what is compiled in.
static void page_is_served_whole(void **state)
{
    Rig *rig = *state;
    assert_int_equal(rig_request(rig, rig_get(rig, "GET / HTTP/1.1"), text, sizeof text), 200);
    static const char *const headers[] = {"Cache-Control: no-store",
                                          "X-Content-Type-Options: nosniff",
                                          "X-Frame-Options: DENY",
                                          "Referrer-Policy: no-referrer",
                                          "Content-Type: text/html; charset=utf-8",
                                          "Connection: close"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        assert_non_null(strstr(text, headers[i]));
    const char *body = strstr(text, "\r\n\r\n") + 4;
    assert_int_equal(strlen(body), ib_view_page_size);
    assert_memory_equal(body, ib_view_page, ib_view_page_size);

    assert_int_equal(rig_request(rig, rig_get(rig, "HEAD / HTTP/1.1"), text, sizeof text), 200);
    assert_string_equal(strstr(text, "\r\n\r\n"), "\r\n\r\n");
    assert_int_equal(rig_request(rig, rig_get(rig, "GET /?token=abc HTTP/1.1"), text, sizeof text),
                     200);
}

// Goal: nothing but the page is there. Method: other paths, methods and forms, each with its code.
static void everything_else_is_refused(void **state)
{
    Rig *rig = *state;
    static const struct {
        const char *line;
        int code;
    } cases[] = {
        {"GET /index.html HTTP/1.1", 404},
        {"GET /../etc/passwd HTTP/1.1", 404},
        {"GET /%2e%2e/ HTTP/1.1", 404},
        {"GET //etc/passwd HTTP/1.1", 404},
        {"GET /. HTTP/1.1", 404},
        {"GET /?a=b HTTP/1.1", 404},
        {"GET /socket HTTP/1.1", 404},
        {"GET http://127.0.0.1/ HTTP/1.1", 404},
        {"POST / HTTP/1.1", 405},
        {"PUT / HTTP/1.1", 405},
        {"DELETE / HTTP/1.1", 405},
        {"OPTIONS / HTTP/1.1", 405},
        {"TRACE / HTTP/1.1", 405},
        {"CONNECT 127.0.0.1:22 HTTP/1.1", 405},
        {"BREW / HTTP/1.1", 405},
        {"GET / HTTP/2.0", 400},
        {"GET /", 400},
        {"GET  / HTTP/1.1", 400},
        {"PRI * HTTP/2.0", 400},
        {"get / HTTP/1.1", 405},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int code = rig_request(rig, rig_get(rig, cases[i].line), text, sizeof text);
        if (code != cases[i].code) print_error("%s: %d\n", cases[i].line, code);
        assert_int_equal(code, cases[i].code);
    }
    // A client that speaks TLS hears so at once and does not wait.
    assert_int_equal(rig_request(rig, "\x16\x03\x01\x02", text, sizeof text), 400);
}

// Goal: strangers are refused by HTTP and WebSocket alike. Method: wrong Hosts and Origins.
static void strangers_are_refused_on_both_ways(void **state)
{
    Rig *rig = *state;
    static const char *const wrong[] = {
        "Host: evil.example:%d\r\n",
        "Host: 127.0.0.1\r\n",
        "Host: 0.0.0.0:%d\r\n",
        "X: y\r\n",
        "Host: 127.0.0.1:%d\r\nHost: 127.0.0.1\r\n",
        "Host: 127.0.0.1:%d\r\nOrigin: null\r\n",
        "Host: 127.0.0.1:%d\r\nOrigin: http://evil.example\r\n",
        "Host: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1\r\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char headers[512], request[1024];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(headers, 256, wrong[i], rig->port);
#pragma GCC diagnostic pop
        snprintf(request, sizeof request, "GET / HTTP/1.1\r\n%s\r\n", headers);
        assert_int_equal(rig_request(rig, request, text, sizeof text), 403);
        strcat(headers, "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: ironbird.v1\r\n");
        int fd = rig_connect(rig);
        assert_int_equal(rig_handshake(fd, "/socket", headers), 403);
        close(fd);
    }
}

// Goal: a handshake that lacks something is refused. Method: leave out each part in turn.
static void handshake_needs_all_its_parts(void **state)
{
    Rig *rig = *state;
    static const struct {
        const char *target, *version, *protocol;
        int code;
    } cases[] = {{"/socket", "13", "ironbird.v1", 101},
                 {"/socket", "13", "other, ironbird.v1", 101},
                 {"/socket", "13", "ironbird.v2", 403},
                 {"/socket", "13", "Ironbird.v1", 403},
                 {"/socket", "13", "", 403},
                 {"/socket", "13", "door", 403},
                 {"/socket", "8", "ironbird.v1", 426},
                 {"/", "13", "ironbird.v1", 404},
                 {"/socket/", "13", "ironbird.v1", 404}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char headers[512];
        snprintf(headers, sizeof headers,
                 "Host: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n"
                 "Sec-WebSocket-Version: %s\r\nSec-WebSocket-Protocol: %s\r\n",
                 rig->port, rig->port, cases[i].version, cases[i].protocol);
        int fd = rig_connect(rig);
        assert_int_equal(rig_handshake(fd, cases[i].target, headers), cases[i].code);
        close(fd);
    }
}

// Goal: a head beyond 8 KiB is refused, one just below is read. Method: a long header.
static void long_heads_are_refused(void **state)
{
    Rig *rig = *state;
    static char request[20000];
    for (int filler = 7900; filler <= 16000; filler += 8100) {
        int size = snprintf(request, sizeof request,
                            "GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX: ", rig->port);
        memset(request + size, 'a', (size_t)filler);
        strcpy(request + size + filler, "\r\n\r\n");
        assert_int_equal(rig_request(rig, request, text, sizeof text), filler < 8000 ? 200 : 431);
    }
}

// --------------------------------------------------------------------------------------- WebSocket

// Goal: hello, then frames of what is watched, in the order asked for. Method: publish known rows,
// decode the bytes by hand.
static void watched_signals_arrive_as_frames(void **state)
{
    Rig *rig = *state;
    int fd = rig_connect(rig);
    assert_int_equal(rig_open(rig, fd), 101);
    size_t size;
    assert_int_equal(rig_hear(fd, (unsigned char *)text, sizeof text, &size, rig_patience), 0x81);
    assert_string_equal(text, "{\"you\":1,\"type\":\"hello\",\"version\":1}");

    rig_say(fd, "{\"type\":\"watch\",\"id\":513,\"signals\":[3,0],\"rate\":60}");
    rig_row(rig, 6, 7, false);
    assert_true(rig_hear_binary(fd, 1, bytes, sizeof bytes, &size, rig_patience));
    assert_int_equal(size, 16 + 2 * 12);
    assert_int_equal(bytes[1], 1); // the first row of a run: time has jumped
    assert_int_equal(bytes[2] | bytes[3] << 8, 513);
    assert_int_equal(bytes[4], 7);
    double time;
    float values[2];
    memcpy(&time, bytes + 8, 8);
    memcpy(values, bytes + 16, 8);
    assert_close(time, 0.1, 0);
    assert_close(values[0], (double)(float)6.3, 0);
    assert_close(values[1], 6, 0);

    rig_row(rig, 7, 7, false);
    assert_true(rig_hear_binary(fd, 1, bytes, sizeof bytes, &size, rig_patience));
    assert_int_equal(bytes[1], 0);

    // A new list gets the newest row at once, though no new one comes.
    rig_say(fd, "{\"type\":\"watch\",\"id\":2,\"signals\":[1]}");
    assert_true(rig_hear_binary(fd, 1, bytes, sizeof bytes, &size, rig_patience));
    assert_int_equal(bytes[2], 2);
    assert_int_equal(size, 16 + 12);
    close(fd);
}

// Frames of both clients in a second of rows; true: as many as each has asked for. More than it
// has asked for the slow one never gets.
static bool rates_are_right(Rig *rig, int fd, int slow)
{
    size_t size;
    int rows = rig->rows, fast_frames = 0, slow_frames = 0;
    double begin = rig_now();
    for (double end = begin + 1; rig_now() < end;)
        fast_frames += rig_hear_binary(fd, 1, bytes, sizeof bytes, &size, end - rig_now());
    while (rig_hear_binary(slow, 1, bytes, sizeof bytes, &size, 0.02)) slow_frames++;
    rows = rig->rows - rows;
    print_message("%d and %d frames of %d rows\n", fast_frames, slow_frames, rows);
    assert_true(slow_frames <= 5 * (rig_now() - begin) + 3);
    return fast_frames >= rows * 8 / 10 && slow_frames >= 3;
}

// Goal: every row at 60 Hz reaches a client that wants 60, and 5 a second one that wants 5. Method:
// rows for a second. Of the rows made at least 80 % must have come (the last ones may be under
// way); the slow one starts with a credit of up to 2. A machine that gives its cores to somebody
// else in that second has ten of them.
static void frames_come_at_the_asked_rate(void **state)
{
    Rig *rig = *state;
    int fd = rig_connect(rig), slow = rig_connect(rig);
    assert_int_equal(rig_open(rig, fd), 101);
    assert_int_equal(rig_open(rig, slow), 101);
    rig_say(fd, "{\"type\":\"watch\",\"id\":1,\"signals\":[0],\"rate\":60}");
    rig_say(slow, "{\"type\":\"watch\",\"id\":1,\"signals\":[0],\"rate\":5}");
    rig_feeding(rig, true);
    bool right = false;
    for (int i = 0; i < 10 && !right; i++) right = rates_are_right(rig, fd, slow);
    assert_true(right);
    close(fd);
    close(slow);
}

// Goal: each message becomes its command, and a client that goes lets go. Method: say them, look at
// the runner's end of the feed.
static void messages_become_commands(void **state)
{
    Rig *rig = *state;
    static const struct {
        const char *message;
        ib_CommandType type;
        double value;
    } cases[] = {
        {"{\"type\":\"pause\"}", IB_COMMAND_PAUSE, 0},
        {"{\"type\":\"play\"}", IB_COMMAND_PLAY, 0},
        {"{\"type\":\"step\",\"count\":3}", IB_COMMAND_STEP, 3},
        {"{\"type\":\"speed\",\"value\":0.1}", IB_COMMAND_SPEED, 0.1},
        {"{\"type\":\"reset\"}", IB_COMMAND_RESET, 0},
        {"{\"type\":\"take\",\"robot\":1}", IB_COMMAND_TAKE, 0},
        {"{\"type\":\"drive\",\"robot\":0,\"values\":[[2,6.5]]}", IB_COMMAND_DRIVE, 6.5},
        {"{\"type\":\"drive\",\"robot\":0,\"values\":[]}", IB_COMMAND_ALIVE, 0},
        {"{\"type\":\"release\",\"robot\":0}", IB_COMMAND_RELEASE, 0},
        {"{\"type\":\"parameter\",\"index\":2,\"value\":54.5}", IB_COMMAND_PARAMETER, 54.5}};
    int fd = rig_connect(rig);
    assert_int_equal(rig_open(rig, fd), 101);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig_say(fd, cases[i].message);
        ib_FeedCommand command = rig_command(rig);
        assert_int_equal(command.type, cases[i].type);
        assert_int_equal(command.client, 1);
        assert_close(command.value, cases[i].value, 0);
        if (command.type == IB_COMMAND_PARAMETER) assert_ptr_equal(command.data, rig);
        if (command.type == IB_COMMAND_DRIVE) assert_int_equal(command.index, 2);
    }
    close(fd);
    ib_FeedCommand command = rig_command(rig);
    assert_int_equal(command.type, IB_COMMAND_RELEASE);
    assert_int_equal(command.robot, -1);
}

// Goal: what may not be done is refused with a sentence, and does nothing. Method: an input that is
// not the viewer's, a seat that is taken, a bad value, a bad message.
static void refusals_say_why(void **state)
{
    Rig *rig = *state;
    int driver = rig_connect(rig);
    assert_int_equal(rig_open(rig, driver), 101);
    ib_FeedStatus status = {.drivers = {1}};
    ib_feed_set_status(rig->source.feed, &status);
    static const struct {
        const char *message, *reason;
    } cases[] = {
        {"{\"type\":\"drive\",\"robot\":0,\"values\":[[1,1],[5,1]]}", "not for the viewer"},
        {"{\"type\":\"drive\",\"robot\":0,\"values\":[[1,1]]}", "take it first"},
        {"{\"type\":\"parameter\",\"index\":0,\"value\":-1}", "somebody else drives"},
        {"{\"type\":\"seek\",\"time\":1}", "only a recording"},
        {"nonsense", "not JSON"},
    };
    int fd = rig_connect(rig);
    assert_int_equal(rig_open(rig, fd), 101);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig_say(fd, cases[i].message);
        assert_true(rig_hear_text(fd, "\"refused\"", text, sizeof text, rig_patience));
        assert_non_null(strstr(text, cases[i].reason));
    }
    ib_FeedCommand command;
    assert_false(ib_feed_next_command(rig->source.feed, &command));

    rig_say(driver, "{\"type\":\"parameter\",\"index\":0,\"value\":-1}");
    assert_true(rig_hear_text(driver, "\"refused\"", text, sizeof text, rig_patience));
    assert_non_null(strstr(text, "the mass must be positive"));

    // Twenty of a wrong form in a row are enough.
    for (int i = 0; i < 20; i++) rig_say(fd, "{}");
    assert_int_equal(rig_dismissed(fd, rig_patience), 1008);
    close(fd);
    close(driver);
}

// Goal: events, changes and status reach a client, also one that comes later. Method: two clients.
static void late_clients_hear_what_has_happened(void **state)
{
    Rig *rig = *state;
    for (int i = 0; i < 2; i++) {
        ib_FeedEvent event = {.time = 1 + i,
                              .run = 1,
                              .kind = i ? IB_EVENT_CHANGE : IB_MODE_BREAKER,
                              .level = IB_MODE_WARNING,
                              .parameter = i ? 1 : -1,
                              .value = 54.25,
                              .text = "left \"main\" tripped \xc3"};
        ib_feed_event(rig->source.feed, &event);
    }
    ib_FeedStatus status = {.state = IB_FEED_PAUSED, .run = 3, .drivers = {0, 5}};
    ib_feed_set_status(rig->source.feed, &status);
    for (int i = 0; i < 2; i++) {
        int fd = rig_connect(rig);
        assert_int_equal(rig_open(rig, fd), 101);
        assert_true(rig_hear_text(fd, "\"log\"", text, sizeof text, rig_patience));
        assert_non_null(strstr(text, "left \\\"main\\\" tripped ?\""));
        assert_non_null(strstr(text, "\"kind\":\"breaker\""));
        assert_true(rig_hear_text(fd, "\"parameter\"", text, sizeof text, rig_patience));
        assert_string_equal(text, "{\"type\":\"parameter\",\"index\":1,\"value\":54.25}");
        // The server looks at the status now and then: what it knew before may come first.
        assert_true(rig_hear_text(fd, "\"state\":\"paused\"", text, sizeof text, rig_patience));
        assert_non_null(strstr(text, "\"type\":\"status\""));
        assert_non_null(strstr(text, "\"drivers\":[0,5]"));
        close(fd);
    }
}

// Waits until the server has row `n`.
static void await_row(int fd, int n)
{
    double time = -1;
    size_t size;
    rig_say(fd, "{\"type\":\"watch\",\"id\":1,\"signals\":[0],\"rate\":60}");
    while (time != n / 60.0) {
        assert_true(rig_hear_binary(fd, 1, bytes, sizeof bytes, &size, rig_patience));
        memcpy(&time, bytes + 8, sizeof time);
    }
}

// Goal: a history holds what was published. Method: 30 rows, one signal of them, decoded by hand.
static void history_gives_back_the_rows(void **state)
{
    Rig *rig = *state;
    for (int n = 0; n < 30; n++) rig_row(rig, n, 4, false);
    int fd = rig_connect(rig);
    assert_int_equal(rig_open(rig, fd), 101);
    await_row(fd, 29);
    rig_say(fd, "{\"type\":\"history\",\"id\":9,\"signals\":[5,2],\"from\":0.1,\"to\":0.2,"
                "\"rows\":100}");
    size_t size;
    for (int k = 0; k < 2; k++) {
        assert_true(rig_hear_binary(fd, 2, bytes, sizeof bytes, &size, rig_patience));
        assert_int_equal(bytes[1], k); // the last one says so
        assert_int_equal(bytes[2], 9);
        assert_int_equal(bytes[4], 4);
        assert_int_equal(bytes[8], k ? 2 : 5);
        assert_int_equal(bytes[12], 7); // n = 6 .. 12
        assert_int_equal(size, 16 + 7 * 20);
        double times[7];
        float values[7];
        memcpy(times, bytes + 16, sizeof times);
        memcpy(values, bytes + 16 + sizeof times, sizeof values);
        for (int i = 0; i < 7; i++) {
            assert_close(times[i], (6 + i) / 60.0, 0);
            assert_close(values[i], (double)(float)(6 + i + (k ? 2 : 5) / 10.0), 0);
        }
    }
    close(fd);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(page_is_served_whole, rig_setup, rig_teardown),
        cmocka_unit_test_setup_teardown(everything_else_is_refused, rig_setup, rig_teardown),
        cmocka_unit_test_setup_teardown(strangers_are_refused_on_both_ways, rig_setup,
                                        rig_teardown),
        cmocka_unit_test_setup_teardown(handshake_needs_all_its_parts, rig_setup, rig_teardown),
        cmocka_unit_test_setup_teardown(long_heads_are_refused, rig_setup, rig_teardown),
        cmocka_unit_test_setup_teardown(watched_signals_arrive_as_frames, rig_setup, rig_teardown),
        cmocka_unit_test_setup_teardown(frames_come_at_the_asked_rate, rig_setup, rig_teardown),
        cmocka_unit_test_setup_teardown(messages_become_commands, rig_setup, rig_teardown),
        cmocka_unit_test_setup_teardown(refusals_say_why, rig_setup, rig_teardown),
        cmocka_unit_test_setup_teardown(late_clients_hear_what_has_happened, rig_setup,
                                        rig_teardown),
        cmocka_unit_test_setup_teardown(history_gives_back_the_rows, rig_setup, rig_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
