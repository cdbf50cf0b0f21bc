// Quoting what a person wrote.
#include "base/quote.h"

#include "base/status.h"

#include "cmocka_all.h"

#include <string.h>

// Goal: plain texts stay as they are. Method: ASCII and UTF-8 of two, three and four bytes.
static void plain_texts_stay_as_they_are(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "2.7 kg", "5 \xc2\xb5m", "5 \xe2\x84\xa6",
                                        "\xf0\x9f\xa4\x96"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_string_equal(ib_quote(texts[i]).text, texts[i]);
    assert_string_equal(ib_quote_n("kilogram", 4).text, "kilo");
}

// Goal: what would break a line or an encoding becomes a question mark. Method: control characters;
// a lone, a cut, an overlong, a surrogate and a too large sequence.
static void broken_bytes_become_question_marks(void **state)
{
    (void)state;
    assert_string_equal(ib_quote("a\nb\tc\x7f").text, "a?b?c?");
    assert_string_equal(ib_quote("\x80z").text, "?z");
    assert_string_equal(ib_quote("\xc2").text, "?");
    assert_string_equal(ib_quote("\xc0\xaf").text, "??");
    assert_string_equal(ib_quote("\xe0\x80\xaf").text, "???");
    assert_string_equal(ib_quote("\xed\xa0\x80").text, "???");
    assert_string_equal(ib_quote("\xf4\x90\x80\x80").text, "????");
    assert_string_equal(ib_quote_n("\xc2\xb5", 1).text, "?");
}

// Goal: what changes how other letters are seen becomes question marks, in a quote and in a
// message; what only spells a word stays. Method: one of each kind, by the bytes of its code point.
static void letters_that_hide_others_become_question_marks(void **state)
{
    (void)state;
    static const char *const wild[] = {
        "\xc2\x9b",         /* U+009B, the one-byte ESC [ */
        "\xd8\x9c",         /* U+061C, Arabic letter mark */
        "\xe2\x80\x8b",     /* U+200B, zero width space */
        "\xe2\x80\x8f",     /* U+200F, right-to-left mark */
        "\xe2\x80\xa8",     /* U+2028, line separator */
        "\xe2\x80\xae",     /* U+202E, right-to-left override */
        "\xe2\x81\xa6",     /* U+2066, left-to-right isolate */
        "\xef\xbb\xbf",     /* U+FEFF, byte order mark */
        "\xf3\xa0\x81\x81", /* U+E0041, a letter that is not seen */
    };
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++) {
        ib_Quote quote = ib_quote(wild[i]);
        assert_string_equal(quote.text, "?");
        ib_Error error;
        ib_error_set(&error, IB_FAILED, "a%sb", wild[i]);
        assert_int_equal(strspn(error.text + 1, "?"), strlen(wild[i]));
        assert_int_equal(strlen(error.text), strlen(wild[i]) + 2);
    }
    // Joiners of Persian and of emoji, a hyphen, a narrow space: neighbours of the above.
    static const char *const plain[] = {"\xe2\x80\x8c", "\xe2\x80\x8d", "\xe2\x80\x90",
                                        "\xe2\x80\xaf", "\xc2\xa0",     "\xf3\xa0\x84\x80"};
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        assert_string_equal(ib_quote(plain[i]).text, plain[i]);
}

// Goal: long texts are cut between characters.
// Method: four-byte characters at every offset around the cut.
static void long_texts_are_cut_between_characters(void **state)
{
    (void)state;
    for (int lead = 0; lead < 8; lead++) {
        char text[200] = "";
        memset(text, 'x', (size_t)lead);
        for (int i = 0; i < 30; i++) strcat(text, "\xf0\x9f\xa4\x96");
        ib_Quote quote = ib_quote(text);
        size_t length = strlen(quote.text);
        assert_true(length <= IB_QUOTE_LENGTH + 3 && length >= IB_QUOTE_LENGTH);
        assert_string_equal(quote.text + length - 3, "...");
        assert_memory_equal(quote.text, text, length - 3);
        assert_int_equal((length - 3 - (size_t)lead) % 4, 0);
    }
    char fits[IB_QUOTE_LENGTH + 1];
    memset(fits, 'y', sizeof fits);
    fits[IB_QUOTE_LENGTH] = '\0';
    assert_string_equal(ib_quote(fits).text, fits);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_texts_stay_as_they_are),
        cmocka_unit_test(broken_bytes_become_question_marks),
        cmocka_unit_test(letters_that_hide_others_become_question_marks),
        cmocka_unit_test(long_texts_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
