// Tests of file/json_tree.h: what JSON says, its places, its refusals and limits.
#include "file/file_rig.h"
#include "file/json_tree.h"

#include <stdlib.h>
#include <string.h>

// The exact bytes on the heap, so that reading beyond their end is seen.
static ib_Node *parse_n(Rig *rig, const char *text, size_t length)
{
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    rig->diagnostics.count = 0;
    ib_Node *node = ib_json_tree_read("t.json", copy, length, &rig->arena, &rig->diagnostics);
    free(copy);
    return node;
}

static ib_Node *parse(Rig *rig, const char *text)
{
    ib_Node *root = parse_n(rig, text, strlen(text));
    if (!root) fail_msg("refused: %s", rig->diagnostics.items[0].text);
    return root;
}

static void assert_refused_n(Rig *rig, const char *text, size_t length, int line, int column,
                             const char *words)
{
    assert_null(parse_n(rig, text, length));
    assert_int_equal(rig->diagnostics.count, 1);
    const ib_Diagnostic *item = &rig->diagnostics.items[0];
    if (item->line != line || item->column != column || !strstr(item->text, words))
        fail_msg("%d:%d: %s; expected %d:%d: %s", item->line, item->column, item->text, line,
                 column, words);
}

static void assert_refused(Rig *rig, const char *text, int line, int column, const char *words)
{
    assert_refused_n(rig, text, strlen(text), line, column, words);
}

// Goal: every sort of value arrives, with its place. Method: counted by hand, behind a letter of
// two bytes, which is one column.
static void values_arrive_with_their_places(void **state)
{
    ib_Node *root = parse(*state, "{\"ä\": [1E-5, -0.5, true],\r\n \"b\" : {\"c\":null} }\n");
    const ib_Node *list = ib_node_get(root, "ä"), *b = ib_node_get(root, "b");
    assert_int_equal(list->count, 3);
    assert_string_equal(list->first->text, "1E-5");
    assert_true(ib_json_is_number(list->first) && !ib_json_is_flag(list->first));
    assert_true(ib_json_is_number(list->first->next) && ib_json_is_flag(list->last));
    assert_int_equal(list->place.column, 7);
    assert_int_equal(list->key_place.column, 2);
    assert_int_equal(b->key_place.line, 2);
    assert_int_equal(b->key_place.column, 2);
    assert_int_equal(b->place.column, 8);
    assert_true(ib_json_is_null(ib_node_get(b, "c")));
}

// Goal: a text is what its escapes mean, and a text that looks like a number is none. Method: each
// escape once, a surrogate pair among them.
static void texts_say_what_their_escapes_mean(void **state)
{
    ib_Node *root = parse(*state, "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e4\\u20AC\", "
                                  "\"\\ud83d\\ude00\", \"1\", \"null\", \"\"]");
    assert_string_equal(ib_node_at(root, 0)->text, "\"\\/\b\f\n\r\t");
    assert_string_equal(ib_node_at(root, 1)->text, "Aä€");
    assert_string_equal(ib_node_at(root, 2)->text, "\xf0\x9f\x98\x80");
    assert_true(ib_node_at(root, 3)->quoted && !ib_json_is_number(ib_node_at(root, 3)));
    assert_false(ib_json_is_null(ib_node_at(root, 4)));
    assert_string_equal(ib_node_at(root, 5)->text, "");
}

// Goal: what is no JSON is refused where it stands. Method: one text for each rule.
static void what_is_no_json_is_refused_at_its_place(void **state)
{
    Rig *rig = *state;
    assert_refused(rig, "", 1, 1, "expected a value, got the end of the file");
    assert_refused(rig, "{\"a\": 1,}", 1, 9, "expected a key in quotes, got '}'");
    assert_refused(rig, "[1,\n ]", 2, 2, "expected a value, got ']'");
    assert_refused(rig, "{\"a\" 1}", 1, 6, "expected ':' behind the key 'a', got '1'");
    assert_refused(rig, "[1 2]", 1, 4, "expected ',' or ']' in the list that begins at 1:1");
    assert_refused(rig, "{\"a\": {\n", 2, 1, "expected a key in quotes, got the end of the file");
    assert_refused(rig, "{a: 1}", 1, 2, "expected a key in quotes, got 'a'");
    assert_refused(rig, "[1] x", 1, 5, "expected the end of the file, got 'x'");
    assert_refused(rig, "[NaN]", 1, 2, "NaN: expected a finite number");
    assert_refused(rig, "[01]", 1, 4, "begins with 0");
    assert_refused(rig, "[+1]", 1, 2, "expected a value");
    assert_refused(rig, "[1.]", 1, 4, "behind the point");
    assert_refused(rig, "[1e]", 1, 4, "of the exponent");
    assert_refused(rig, "[-]", 1, 3, "expected a digit");
    assert_refused(rig, "[1] // no", 1, 5, "expected the end of the file");
    assert_refused(rig, "{\"a\": 1,\n \"a\": 2}", 2, 2, "duplicate key 'a'");
    assert_refused(rig, "[\"a\nb\"]", 1, 4, "ends with a quote");
    assert_refused(rig, "[\"ab", 1, 5, "ends with a quote, got the end of the file");
    assert_refused(rig, "[\"\\x\"]", 1, 4, "behind a backslash, got 'x'");
    assert_refused(rig, "[\"\\u12g4\"]", 1, 7, "four hexadecimal digits");
    assert_refused(rig, "[\"\\ud83d!\"]", 1, 9, "four hexadecimal digits");
    assert_refused(rig, "[\"\\u0000\"]", 1, 9, "four hexadecimal digits");
    assert_refused(rig, "[\"\xff\"]", 1, 3, "not UTF-8");
    assert_refused_n(rig, "[\0]", 3, 1, 2, "expected a value");
}

// Goal: every limit holds. Method: one more than each of them, and as many as are allowed.
static void limits_hold(void **state)
{
    Rig *rig = *state;
    char *text = malloc(IB_JSON_MAX_SIZE + 1);
    assert_non_null(text);
    memset(text, ' ', IB_JSON_MAX_SIZE + 1);
    assert_refused_n(rig, text, IB_JSON_MAX_SIZE + 1, 1, 1, "expected at most 16 MiB");
    memset(text, '[', IB_JSON_MAX_DEPTH + 1);
    assert_refused_n(rig, text, IB_JSON_MAX_DEPTH + 1, 1, IB_JSON_MAX_DEPTH + 1, "inside each");
    memset(text + IB_JSON_MAX_DEPTH, ']', IB_JSON_MAX_DEPTH);
    assert_non_null(parse_n(rig, text, 2 * IB_JSON_MAX_DEPTH));

    text[0] = '[';
    for (size_t i = 0; i < IB_JSON_MAX_NODES; i++) memcpy(text + 1 + 2 * i, "1,", 2);
    assert_refused_n(rig, text, 1 + 2 * IB_JSON_MAX_NODES, 1, 2 * IB_JSON_MAX_NODES, "values");
    text[2 * IB_JSON_MAX_NODES - 2] = ']'; // the list itself counts too
    assert_non_null(parse_n(rig, text, 2 * IB_JSON_MAX_NODES - 1));
    memset(text, '1', 401);
    assert_refused_n(rig, text, 401, 1, 402, "400 characters");
    memset(text, 'a', IB_JSON_MAX_SCALAR + 3);
    text[0] = text[IB_JSON_MAX_SCALAR + 2] = '"';
    assert_refused_n(rig, text, IB_JSON_MAX_SCALAR + 3, 1, 2, "a text of more than");
    free(text);
}

// Goal: a text that is cut anywhere is refused, never read beyond its end. Method: every prefix,
// under a sanitizer.
static void every_cut_is_refused(void **state)
{
    static const char text[] = "{\"a\": [1.5e3, \"\\u00e4\\n\", {\"b\": false}], \"c\": null}";
    for (size_t length = 0; length < sizeof text - 1; length++)
        assert_null(parse_n(*state, text, length));
    assert_non_null(parse_n(*state, text, sizeof text - 1));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        CASE(values_arrive_with_their_places),
        CASE(texts_say_what_their_escapes_mean),
        CASE(what_is_no_json_is_refused_at_its_place),
        CASE(limits_hold),
        CASE(every_cut_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
