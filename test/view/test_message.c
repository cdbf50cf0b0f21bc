// Incoming messages: each is read as it is meant or refused as a whole.
#include "cmocka_all.h"

#include "view/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ib_MessageLimits live = {.signals = 10, .robots = 2, .parameters = 3, .duration = 60};
static const ib_MessageLimits replay = {.signals = 10, .replay = true, .duration = 60};
static const ib_MessageLimits design = {.design = true, .knobs = 18, .gears = 2};
static ib_ViewMessage message;
static ib_Error error;

static const ib_MessageLimits *limits_for(const char *text)
{
    if (strstr(text, "\"try\"")) return &design;
    return strstr(text, "\"seek\"") ? &replay : &live;
}

static ib_Status read_text(const char *text)
{
    error = (ib_Error){0};
    return ib_message_read(text, strlen(text), limits_for(text), &message, &error);
}

static const char *const proper[] = {
    "{\"type\":\"watch\",\"id\":1,\"signals\":[0,9,2],\"rate\":30}",
    "{\"type\":\"watch\",\"id\":65535,\"signals\":[]}",
    "{\"type\":\"history\",\"id\":7,\"signals\":[3],\"from\":-1.5,\"to\":1e9,\"rows\":20000}",
    "{\"type\":\"history\",\"id\":7,\"signals\":[3,3],\"from\":0,\"to\":1}",
    "{\"type\":\"pause\"}",
    "{\"type\":\"play\"}",
    "{\"type\":\"step\"}",
    "{\"type\":\"step\",\"count\":100000}",
    "{\"type\":\"speed\",\"value\":0}",
    "{\"type\":\"speed\",\"value\":0.1}",
    "{\"type\":\"speed\",\"value\":1000}",
    "{\"type\":\"reset\"}",
    "{\"type\":\"seek\",\"time\":3.5}",
    "{\"type\":\"drive\",\"robot\":1,\"values\":[[7,6.5],[8,-12]]}",
    "{\"type\":\"drive\",\"robot\":0,\"values\":[]}",
    "{\"type\":\"take\",\"robot\":0}",
    "{\"type\":\"release\",\"robot\":1}",
    "{\"type\":\"parameter\",\"index\":2,\"value\":54.3}",
    "{\"type\":\"try\",\"id\":9,\"gear\":1,\"values\":[[17,0.5],[0,-2e-3]]}",
    "{\"type\":\"try\",\"id\":9,\"values\":[]}",
};

enum { PROPER = sizeof proper / sizeof *proper };

// Goal: every message is read with all its values. Method: one of each by hand.
static void proper_messages_are_read(void **state)
{
    (void)state;
    for (int i = 0; i < PROPER; i++) {
        if (read_text(proper[i])) print_error("%s: %s\n", proper[i], error.text);
        assert_int_equal(error.status, IB_OK);
    }
    read_text(proper[0]);
    assert_int_equal(message.type, IB_MESSAGE_WATCH);
    assert_int_equal(message.id, 1);
    assert_int_equal(message.count, 3);
    assert_int_equal(message.signals[1], 9);
    assert_close(message.rate, 30, 0);
    read_text(proper[1]);
    assert_int_equal(message.count, 0);
    assert_close(message.rate, 60, 0);
    read_text(proper[2]);
    assert_int_equal(message.type, IB_MESSAGE_HISTORY);
    assert_close(message.from, -1.5, 0);
    assert_close(message.to, 1e9, 0);
    assert_int_equal(message.rows, 20000);
    read_text(proper[3]);
    assert_int_equal(message.rows, 2000);
    read_text(proper[6]);
    assert_close(message.value, 1, 0);
    read_text(proper[13]);
    assert_int_equal(message.type, IB_MESSAGE_DRIVE);
    assert_int_equal(message.robot, 1);
    assert_int_equal(message.count, 2);
    assert_int_equal(message.inputs[1], 8);
    assert_close(message.values[0], 6.5, 0);
    assert_close(message.values[1], -12, 0);
    read_text(proper[17]);
    assert_int_equal(message.index, 2);
    assert_close(message.value, 54.3, 0);
    read_text(proper[18]);
    assert_int_equal(message.type, IB_MESSAGE_TRY);
    assert_int_equal(message.id, 9);
    assert_int_equal(message.gear, 1);
    assert_int_equal(message.count, 2);
    assert_int_equal(message.signals[0], 17);
    assert_close(message.tries[1], -2e-3, 0);
    read_text(proper[19]);
    assert_int_equal(message.gear, 0);
    // Beyond the end is the end.
    read_text("{\"type\":\"seek\",\"time\":1e9}");
    assert_close(message.value, 60, 0);
}

static const char *const wrong[] = {
    "",
    " ",
    "null",
    "[]",
    "1",
    "\"pause\"",
    "{}",
    "{\"type\":1}",
    "{\"type\":null}",
    "{\"type\":\"\"}",
    "{\"type\":\"Pause\"}",
    "{\"type\":\"quit\"}",
    "{\"TYPE\":\"pause\"}",
    "{\"type\":\"pause\"}x",
    "{\"type\":\"pause\"}{}",
    "{\"type\":\"pause\",}",
    "{\"type\":\"pause\",\"type\":\"play\"}",
    "{\"type\":\"pause\",\"now\":true}",
    "{\"type\":\"pause\\u0000\"}",
    "{'type':'pause'}",
    "{\"type\":\"pause\" /* */}",
    "{\"type\":\"watch\"}",
    "{\"type\":\"watch\",\"id\":1}",
    "{\"type\":\"watch\",\"signals\":[1]}",
    "{\"type\":\"watch\",\"id\":-1,\"signals\":[]}",
    "{\"type\":\"watch\",\"id\":65536,\"signals\":[]}",
    "{\"type\":\"watch\",\"id\":1.0,\"signals\":[]}",
    "{\"type\":\"watch\",\"id\":\"1\",\"signals\":[]}",
    "{\"type\":\"watch\",\"id\":true,\"signals\":[]}",
    "{\"type\":\"watch\",\"id\":1,\"signals\":[10]}",
    "{\"type\":\"watch\",\"id\":1,\"signals\":[-1]}",
    "{\"type\":\"watch\",\"id\":1,\"signals\":[1.0]}",
    "{\"type\":\"watch\",\"id\":1,\"signals\":[4294967296]}",
    "{\"type\":\"watch\",\"id\":1,\"signals\":[\"pose.x\"]}",
    "{\"type\":\"watch\",\"id\":1,\"signals\":[[1]]}",
    "{\"type\":\"watch\",\"id\":1,\"signals\":{\"0\":1}}",
    "{\"type\":\"watch\",\"id\":1,\"signals\":1}",
    "{\"type\":\"watch\",\"id\":1,\"signals\":[1],\"rate\":0}",
    "{\"type\":\"watch\",\"id\":1,\"signals\":[1],\"rate\":61}",
    "{\"type\":\"watch\",\"id\":1,\"signals\":[1],\"rate\":null}",
    "{\"type\":\"history\",\"id\":1,\"signals\":[1]}",
    "{\"type\":\"history\",\"id\":1,\"signals\":[1],\"from\":0}",
    "{\"type\":\"history\",\"id\":1,\"signals\":[1],\"from\":0,\"to\":\"1\"}",
    "{\"type\":\"history\",\"id\":1,\"signals\":[1],\"from\":0,\"to\":1e999}",
    "{\"type\":\"history\",\"id\":1,\"signals\":[1],\"from\":NaN,\"to\":1}",
    "{\"type\":\"history\",\"id\":1,\"signals\":[1],\"from\":0,\"to\":1,\"rows\":1}",
    "{\"type\":\"history\",\"id\":1,\"signals\":[1],\"from\":0,\"to\":1,\"rows\":20001}",
    "{\"type\":\"step\",\"count\":0}",
    "{\"type\":\"step\",\"count\":-1}",
    "{\"type\":\"step\",\"count\":100001}",
    "{\"type\":\"step\",\"count\":1e3}",
    "{\"type\":\"step\",\"count\":99999999999999999999}",
    "{\"type\":\"speed\"}",
    "{\"type\":\"speed\",\"value\":-1}",
    "{\"type\":\"speed\",\"value\":0.09}",
    "{\"type\":\"speed\",\"value\":1001}",
    "{\"type\":\"speed\",\"value\":\"max\"}",
    "{\"type\":\"speed\",\"value\":Infinity}",
    "{\"type\":\"seek\"}",
    "{\"type\":\"seek\",\"time\":-0.1}",
    "{\"type\":\"seek\",\"time\":null}",
    "{\"type\":\"drive\"}",
    "{\"type\":\"drive\",\"robot\":0}",
    "{\"type\":\"drive\",\"values\":[]}",
    "{\"type\":\"drive\",\"robot\":2,\"values\":[]}",
    "{\"type\":\"drive\",\"robot\":-1,\"values\":[]}",
    "{\"type\":\"drive\",\"robot\":0,\"values\":[1,2]}",
    "{\"type\":\"drive\",\"robot\":0,\"values\":[[1]]}",
    "{\"type\":\"drive\",\"robot\":0,\"values\":[[1,2,3]]}",
    "{\"type\":\"drive\",\"robot\":0,\"values\":[[\"1\",2]]}",
    "{\"type\":\"drive\",\"robot\":0,\"values\":[[1,\"2\"]]}",
    "{\"type\":\"drive\",\"robot\":0,\"values\":[[1,null]]}",
    "{\"type\":\"drive\",\"robot\":0,\"values\":[[-1,0]]}",
    "{\"type\":\"drive\",\"robot\":0,\"values\":[[1.5,0]]}",
    "{\"type\":\"drive\",\"robot\":0,\"values\":[[1,1e999]]}",
    "{\"type\":\"drive\",\"robot\":0,\"values\":[{\"0\":1}]}",
    "{\"type\":\"drive\",\"robot\":0,\"values\":{}}",
    "{\"type\":\"take\"}",
    "{\"type\":\"take\",\"robot\":\"red\"}",
    "{\"type\":\"release\",\"robot\":-1}",
    "{\"type\":\"parameter\",\"index\":3,\"value\":1}",
    "{\"type\":\"parameter\",\"index\":0}",
    "{\"type\":\"parameter\",\"value\":1}",
    "{\"type\":\"parameter\",\"index\":0,\"value\":true}",
    "{\"type\":\"try\"}",
    "{\"type\":\"try\",\"id\":1}",
    "{\"type\":\"try\",\"values\":[]}",
    "{\"type\":\"try\",\"id\":1,\"gear\":2,\"values\":[]}",
    "{\"type\":\"try\",\"id\":1,\"gear\":\"low\",\"values\":[]}",
    "{\"type\":\"try\",\"id\":1,\"values\":[[18,1]]}",
    "{\"type\":\"try\",\"id\":1,\"values\":[[-1,1]]}",
    "{\"type\":\"try\",\"id\":1,\"values\":[[4294967296,1]]}",
    "{\"type\":\"try\",\"id\":1,\"values\":[[1.0,1]]}",
    "{\"type\":\"try\",\"id\":1,\"values\":[[1,1],[1,2]]}",
    "{\"type\":\"try\",\"id\":1,\"values\":[[1,1e999]]}",
    "{\"type\":\"try\",\"id\":1,\"values\":[[1,\"1\"]]}",
    "{\"type\":\"try\",\"id\":1,\"values\":[[1]]}",
    "{\"type\":\"try\",\"id\":1,\"values\":[1]}",
    "{\"type\":\"try\",\"id\":1,\"values\":[],\"set\":\"plant.robot=/etc/passwd\"}",
    "\xff\xfe",
    "{\"type\":\"\xc3\"}",
};

// Goal: every wrong form is refused with a sentence. Method: a list of them.
static void wrong_messages_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ib_Status status = read_text(wrong[i]);
        if (!status) print_error("taken: %s\n", wrong[i]);
        assert_int_equal(status, IB_BAD_INPUT);
        assert_true(error.text[0]);
    }
    // What a live run may, a recording may not, and the other way round.
    for (int i = 12; i <= 17; i++)
        assert_int_equal(ib_message_read(proper[i], strlen(proper[i]), i == 12 ? &live : &replay,
                                         &message, &error),
                         IB_BAD_INPUT);
    // Nothing runs in a design, and nothing but a design is tried.
    for (int i = 4; i < PROPER; i++)
        assert_int_equal(ib_message_read(proper[i], strlen(proper[i]), i < 18 ? &design : &live,
                                         &message, &error),
                         IB_BAD_INPUT);
}

// Goal: lists and messages have their limits.
// Method: one item more than allowed; 64 KiB and a byte.
static void sizes_are_limited(void **state)
{
    (void)state;
    static char text[IB_MESSAGE_SIZE + 2];
    for (int more = 0; more <= 1; more++) {
        size_t used = (size_t)sprintf(text, "{\"type\":\"watch\",\"id\":1,\"signals\":[1");
        for (int i = 1; i < IB_WATCH_SIGNALS + more; i++)
            used += (size_t)sprintf(text + used, ",2");
        strcpy(text + used, "]}");
        assert_int_equal(read_text(text), more ? IB_BAD_INPUT : IB_OK);

        used = (size_t)sprintf(text, "{\"type\":\"drive\",\"robot\":0,\"values\":[[1,1]");
        for (int i = 1; i < IB_DRIVE_VALUES + more; i++)
            used += (size_t)sprintf(text + used, ",[2,2]");
        strcpy(text + used, "]}");
        assert_int_equal(read_text(text), more ? IB_BAD_INPUT : IB_OK);

        memset(text, ' ', sizeof text);
        memcpy(text, "{\"type\":\"play\"}", 15);
        size_t size = IB_MESSAGE_SIZE + (size_t)more;
        assert_int_equal(ib_message_read(text, size, &live, &message, &error),
                         more ? IB_BAD_INPUT : IB_OK);
    }
    // Brackets as deep as a message can hold them.
    memset(text, '[', sizeof text);
    assert_int_equal(ib_message_read(text, IB_MESSAGE_SIZE, &live, &message, &error), IB_BAD_INPUT);
}

static void check_limits(const ib_MessageLimits *limits)
{
    bool listed = message.type == IB_MESSAGE_WATCH || message.type == IB_MESSAGE_HISTORY;
    bool driven = message.type == IB_MESSAGE_DRIVE;
    assert_true(message.count >= 0 && isfinite(message.value) && isfinite(message.from));
    for (int i = 0; listed && i < message.count; i++)
        assert_true(message.signals[i] >= 0 && message.signals[i] < limits->signals);
    for (int i = 0; driven && i < message.count; i++)
        assert_true(message.inputs[i] >= 0 && isfinite(message.values[i]));
    for (int i = 0; message.type == IB_MESSAGE_TRY && i < message.count; i++)
        assert_true(message.signals[i] >= 0 && message.signals[i] < limits->knobs &&
                    isfinite(message.tries[i]));
    assert_true(message.robot >= 0 && message.robot <= limits->robots);
    assert_true(message.index >= 0 && message.index <= limits->parameters);
    if (message.type == IB_MESSAGE_SPEED) assert_true(message.value >= 0 && message.value <= 1000);
}

// Goal: a message cut off anywhere is refused; one with a flipped bit is refused or still within
// the limits. Method: every length and every bit of each proper message, in memory of just that
// size, so that a sanitizer sees the first byte beyond.
static void damage_is_refused_or_harmless(void **state)
{
    (void)state;
    for (int i = 0; i < PROPER; i++) {
        size_t size = strlen(proper[i]);
        const ib_MessageLimits *limits = limits_for(proper[i]);
        for (size_t cut = 0; cut < size; cut++) {
            char *part = malloc(cut + 1);
            memcpy(part, proper[i], cut);
            char *exact = realloc(part, cut ? cut : 1);
            assert_int_equal(ib_message_read(exact, cut, limits, &message, &error), IB_BAD_INPUT);
            free(exact);
        }
        char *flipped = malloc(size);
        for (size_t bit = 0; bit < 8 * size; bit++) {
            memcpy(flipped, proper[i], size);
            flipped[bit / 8] = (char)(flipped[bit / 8] ^ 1 << bit % 8);
            error = (ib_Error){0};
            if (ib_message_read(flipped, size, limits, &message, &error) == IB_OK)
                check_limits(limits);
            else
                assert_true(error.text[0]);
        }
        free(flipped);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proper_messages_are_read),
        cmocka_unit_test(wrong_messages_are_refused),
        cmocka_unit_test(sizes_are_limited),
        cmocka_unit_test(damage_is_refused_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
