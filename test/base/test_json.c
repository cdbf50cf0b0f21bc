// Claims about src/base/json.c.
#include "base/json.h"

#include "cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Goal: JSON is valid UTF-8 whatever a text is. Method: quotes, control characters, half a
// character, a byte that is none, letters of two to four bytes; written by hand as RFC 8259 says.
static void any_text_is_valid_json(void **state)
{
    (void)state;
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"\x1b[31m\n\x7f", "\"\\u001b[31m\\u000a\\u007f\""},
        {"a\xff"
         "b",
         "\"a\\ufffdb\""},
        {"x\xc3", "\"x\\ufffd\""},
        {"\xe2\x84", "\"\\ufffd\\ufffd\""},
        {"\xc3\xa9\xe2\x84\xa6\xf0\x9f\xa4\x96", "\"\xc3\xa9\xe2\x84\xa6\xf0\x9f\xa4\x96\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_Arena arena = {0};
        ib_JsonMemory memory;
        assert_true(ib_json_memory_open(&memory));
        ib_json_text(&memory.json, NULL, cases[i].text);
        char *json = ib_json_memory_close(&memory, &arena);
        assert_non_null(json);
        assert_string_equal(json, cases[i].json);
        ib_arena_reset(&arena);
    }
}

// Goal: numbers have 17 digits as %.17g means them, and what is no number is null. Method: values
// whose digits are known: whole ones, both zeros, the double nearest to 0.1, the smallest and the
// largest (IEEE 754), not finite ones.
static void numbers_are_json(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *json;
    } cases[] = {
        {0.0, "{\"x\":0}"},
        {-0.0, "{\"x\":-0}"},
        {-12.0, "{\"x\":-12}"},
        {0.1, "{\"x\":0.10000000000000001}"},
        {0x1p-1074, "{\"x\":4.9406564584124654e-324}"},
        {-0x1.fffffffffffffp+1023, "{\"x\":-1.7976931348623157e+308}"},
        {NAN, "{\"x\":null}"},
        {INFINITY, "{\"x\":null}"},
        {-INFINITY, "{\"x\":null}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_Arena arena = {0};
        ib_JsonMemory memory;
        assert_true(ib_json_memory_open(&memory));
        ib_json_open(&memory.json, NULL, '{');
        ib_json_number(&memory.json, "x", cases[i].value);
        ib_json_close(&memory.json, '}');
        char *json = ib_json_memory_close(&memory, &arena);
        assert_non_null(json);
        assert_string_equal(json, cases[i].json);
        ib_arena_reset(&arena);
    }
}

// Goal: a key and a text may be of any length. Method: each of 0 to 600 letters with a quote in the
// middle, around every size of what is written at once; counted letter by letter.
static void long_texts_come_whole(void **state)
{
    (void)state;
    for (int length = 0; length <= 600; length++) {
        char text[640], expected[4096];
        memset(text, 'a', (size_t)length);
        text[length / 2] = '"';
        text[length > 0 ? length : 1] = '\0';
        int left = length / 2, right = length > 0 ? length - left - 1 : 0;
        char a[640] = "", b[640] = "";
        memset(a, 'a', (size_t)left);
        memset(b, 'a', (size_t)right);
        snprintf(expected, sizeof expected, "{\"%s\\\"%s\":\"%s\\\"%s\",\"%s\\\"%s\":-7}", a, b, a,
                 b, a, b);
        ib_Arena arena = {0};
        ib_JsonMemory memory;
        assert_true(ib_json_memory_open(&memory));
        ib_json_open(&memory.json, NULL, '{');
        ib_json_text(&memory.json, text, text);
        ib_json_integer(&memory.json, text, -7);
        ib_json_close(&memory.json, '}');
        char *json = ib_json_memory_close(&memory, &arena);
        assert_non_null(json);
        assert_string_equal(json, expected);
        ib_arena_reset(&arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_text_is_valid_json),
        cmocka_unit_test(numbers_are_json),
        cmocka_unit_test(long_texts_come_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
