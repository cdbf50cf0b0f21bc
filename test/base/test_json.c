// Claims about src/base/json.c.
#include "base/json.h"

#include "cmocka_all.h"

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

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_text_is_valid_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
