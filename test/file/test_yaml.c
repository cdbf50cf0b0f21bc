// Tests of file/yaml.h: places, limits and refusals.
#include "file/file_rig.h"
#include "file/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The exact bytes on the heap, so that reading beyond their end is seen.
static ib_Node *parse_n(Rig *rig, const char *text, size_t length)
{
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    ib_Node *node = ib_yaml_read("t.yaml", copy, length, &rig->arena, &rig->diagnostics);
    free(copy);
    return node;
}

static ib_Node *parse(Rig *rig, const char *text)
{
    return parse_n(rig, text, strlen(text));
}

static void assert_place(ib_Place place, int line, int column)
{
    assert_string_equal(place.file, "t.yaml");
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
}

static void assert_refused_n(Rig *rig, const char *text, size_t length, int line, int column,
                             const char *words)
{
    rig->diagnostics.count = 0;
    assert_null(parse_n(rig, text, length));
    assert_mistake(&rig->diagnostics, line, column, words);
}

static void assert_refused(Rig *rig, const char *text, int line, int column, const char *words)
{
    assert_refused_n(rig, text, strlen(text), line, column, words);
}

// The mistake is named, and the rest of the text is there to be judged.
static ib_Node *assert_taken_out(Rig *rig, const char *text, int line, int column,
                                 const char *words)
{
    rig->diagnostics.count = 0;
    ib_Node *root = parse(rig, text);
    assert_non_null(root);
    assert_mistake(&rig->diagnostics, line, column, words);
    return root;
}

// ----------------------------------------------------------------------------------------- reading

// Goal: keys, values, maps and lists know where they begin. Method: counted by hand.
static void every_node_knows_its_place(void **state)
{
    ib_Node *root =
        parse(*state, "a: {b: 1, \"c d\": [x, 'y']}\nmap:\n  key: \"two words\"\nnone:\n");
    assert_non_null(root);
    assert_place(root->place, 1, 1);
    ib_Node *a = ib_node_get(root, "a"), *list = ib_node_get(a, "c d");
    assert_place(a->key_place, 1, 1);
    assert_place(a->place, 1, 4);
    assert_place(ib_node_get(a, "b")->place, 1, 8);
    assert_place(list->key_place, 1, 11);
    assert_place(list->place, 1, 18);
    assert_place(ib_node_at(list, 1)->place, 1, 22);
    assert_true(ib_node_at(list, 1)->quoted);
    assert_false(ib_node_at(list, 0)->quoted);
    assert_place(ib_node_get(root, "map")->place, 3, 3);
    assert_place(ib_node_find(root, "map.key")->place, 3, 8);
    assert_place(ib_node_get(root, "none")->place, 4, 1);
    assert_string_equal(ib_node_get(root, "none")->text, "");
}

// Goal: columns count characters, lines end with any line end. Method: umlauts, CR LF, a mark.
static void places_count_characters_and_any_line_end(void **state)
{
    ib_Node *root =
        parse(*state, "\xef\xbb\xbf\xc3\xa9: \xc3\xbc\r\nb: {\xc3\xa9\xc3\xa9: 1, x: 2}\r\n");
    assert_non_null(root);
    assert_place(root->first->place, 1, 4);
    assert_place(ib_node_find(root, "b.x")->key_place, 2, 12);
}

// Goal: all ways to write text arrive as text. Method: plain, quoted, block, folded, escapes.
static void scalars_of_every_style_are_text(void **state)
{
    ib_Node *root =
        parse(*state, "a: 2.7 kg   # comment\nb: 'it''s'\nc: \"x\\ty\"\nd: |\n  1\n  2\n"
                      "e: >\n  1\n  2\nf: ~\n? g\n: h\n");
    assert_non_null(root);
    static const char *const expected[] = {"2.7 kg", "it's", "x\ty", "1\n2\n", "1 2\n", "~", "h"};
    for (int i = 0; i < root->count; i++)
        assert_string_equal(ib_node_at(root, i)->text, expected[i]);
    assert_int_equal(root->count, 7);
}

// Goal: single quotes are read as YAML says, also where the library is wrong: it makes three of two
// quoted quotes, and loses memory (found by fuzzing). Method: texts folded and unfolded by hand.
static void single_quotes_are_read_as_yaml_says(void **state)
{
    static const char *const cases[][2] = {
        {"''", ""},
        {"''''", "'"},
        {"''''''", "''"},
        {"'b''''c'", "b''c"},
        {"'a '' b'", "a ' b"},
        {"'one\n  two'", "one two"},
        {"'one  \r\n\r\n\r\n  two '", "one\n\ntwo "},
        {"'\n  two'", " two"},
        {"' \xc3\xa9  x'", " \xc3\xa9  x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[60];
        snprintf(text, sizeof text, "\xc3\xa9: %s\n", cases[i][0]);
        ib_Node *root = parse(*state, text);
        assert_non_null(root);
        assert_string_equal(root->first->text, cases[i][1]);
    }
}

// Goal: many quoted quotes cost no memory. Method: 40 are 19 in two; the leak checker watches.
static void many_quoted_quotes_are_read(void **state)
{
    char text[50] = "a: ", expected[20] = "";
    memset(text + 3, '\'', 40);
    memset(expected, '\'', 19);
    ib_Node *root = parse(*state, text);
    assert_non_null(root);
    assert_string_equal(root->first->text, expected);
}

// Goal: markers of one document are fine. Method: with start, end and directive.
static void one_document_may_be_marked(void **state)
{
    assert_non_null(parse(*state, "---\na: 1\n"));
    assert_non_null(parse(*state, "%YAML 1.2\n---\na: 1\n...\n"));
}

// ---------------------------------------------------------------------------------------- refusals

// Goal: what hides or repeats things is refused at its place. Method: one of each.
static void anchors_aliases_tags_and_merge_keys_are_refused(void **state)
{
    Rig *f = *state;
    assert_taken_out(f, "a: &x 1\n", 1, 4, "anchor");
    assert_taken_out(f, "a: 1\nb: *x\n", 2, 4, "alias");
    assert_taken_out(f, "a: !!str 1\n", 1, 4, "tag");
    assert_taken_out(f, "a: !own {b: 1}\n", 1, 4, "tag");
    assert_taken_out(f, "a: &m {b: 1}\nc:\n  <<: *m\n", 3, 3, "merge key");
    assert_taken_out(f, "a: [&q 1]\n", 1, 5, "anchor");
}

// Goal: a refusal leaves a tree that can be judged. Method: what is left, by hand.
static void what_is_refused_is_taken_out_of_the_tree(void **state)
{
    ib_Node *root =
        assert_taken_out(*state, "a: &x !t 1\nb: *x\nc: {<<: *x, d: 2}\n*x : 3\n", 2, 4, "alias");
    assert_int_equal(root->count, 3);
    assert_string_equal(ib_node_get(root, "a")->text, "1");
    assert_false(ib_node_get(root, "a")->refused);
    assert_true(ib_node_get(root, "b")->refused);
    assert_string_equal(ib_node_get(root, "b")->text, "");
    assert_place(ib_node_get(root, "b")->place, 2, 4);
    assert_true(ib_node_get(root, "c")->refused);
    assert_int_equal(ib_node_get(root, "c")->count, 1);
    assert_string_equal(ib_node_find(root, "c.d")->text, "2");
    assert_true(root->refused);
}

// Goal: a second document is named at its real place, and the first is kept. Method: with a mark,
// behind an end mark, as a scalar, as a list.
static void a_second_document_is_refused_where_it_begins(void **state)
{
    Rig *f = *state;
    static const struct {
        const char *text;
        int line, column;
    } cases[] = {{"a: 1\n---\nb: 2\n", 2, 1},         {"a: 1\n--- \n", 2, 1},
                 {"a: 1\n...\nb: 2\n", 3, 1},         {"a: 1\n...\n\n# x\n  b: 2\n", 5, 3},
                 {"a: 1\n...\n\n  \"text\"\n", 4, 3}, {"a: 1\n...\n# x\n [1, 2]\n", 4, 2},
                 {"a: 1\n...\n---\nb: 2\n", 3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_Node *root =
            assert_taken_out(f, cases[i].text, cases[i].line, cases[i].column, "second document");
        assert_int_equal(f->diagnostics.count, 1);
        assert_int_equal(root->count, 1);
        assert_string_equal(ib_node_get(root, "a")->text, "1");
    }
}

// Goal: all of them in one pass. Method: three in a file.
static void several_refusals_are_found_in_one_pass(void **state)
{
    Rig *f = *state;
    assert_non_null(parse(f, "a: &x 1\nb: *x\na: !t 2\n"));
    assert_int_equal(f->diagnostics.count, 4);
    assert_mistake(&f->diagnostics, 1, 4, "anchor");
    assert_mistake(&f->diagnostics, 2, 4, "alias");
    assert_mistake(&f->diagnostics, 3, 1, "duplicate key 'a'");
    assert_mistake(&f->diagnostics, 3, 4, "tag");
}

// Goal: a repeated key is named where it is repeated, in any map, and the first one counts.
// Method: top, nested, flow.
static void duplicate_keys_are_refused(void **state)
{
    Rig *f = *state;
    ib_Node *root = assert_taken_out(f, "a: 1\nb: 2\na: 3\n", 3, 1, "already given at line 1");
    assert_string_equal(ib_node_get(root, "a")->text, "1");
    assert_int_equal(root->count, 2);
    root = assert_taken_out(f, "m: {x: 1, y: 2, x: 3}\n", 1, 17, "duplicate key 'x'");
    assert_string_equal(ib_node_find(root, "m.x")->text, "1");
    root = assert_taken_out(f, "m: 1\n\"m\": {deep: {er: 1}}\n", 2, 1, "duplicate key 'm'");
    assert_int_equal(root->count, 1);
}

// Goal: keys are names. Method: list, map, alias, empty.
static void keys_that_are_no_names_are_refused(void **state)
{
    Rig *f = *state;
    assert_refused(f, "a: 1\n[b, c]: 2\n", 2, 1, "as a key");
    assert_refused(f, "? {b: c}\n: 2\n", 1, 3, "as a key");
    assert_taken_out(f, ": 2\n", 1, 1, "empty key");
    assert_taken_out(f, "\"\": 2\n", 1, 1, "empty key");
}

// Goal: bytes that are no text are refused before any parser sees them. Method: one of each.
static void bytes_that_are_no_text_are_refused(void **state)
{
    Rig *f = *state;
    assert_refused_n(f, "a: 1\nb: \0 2\n", 12, 2, 4, "0x00");
    assert_refused(f, "a: \xff\n", 1, 4, "not UTF-8");
    assert_refused(f, "a: 1\nbc: \xc3(\n", 2, 5, "not UTF-8");
    assert_refused(f, "a: \xc0\xaf\n", 1, 4, "not UTF-8");
    assert_refused(f, "a: \xed\xa0\x80\n", 1, 4, "not UTF-8");
    assert_refused(f, "a: \xf5\x80\x80\x80\n", 1, 4, "not UTF-8");
    assert_refused(f, "a: \xe2\x82", 1, 4, "not UTF-8");
    assert_refused(f, "a: \x1b[31m\n", 1, 4, "control character 0x1b");
    assert_refused(f, "a:\n\tb: 1\n", 2, 1, "tab");
    assert_refused(f, "a:\n  b: 1\n \tc: 2\n", 3, 2, "tab");
    ib_Node *root = assert_taken_out(f, "a: \"x\\0y\"\nb: 1\n", 1, 4, "NUL");
    assert_true(ib_node_get(root, "a")->refused);
}

// Goal: a syntax error is located, and never printed. Method: unclosed and misplaced things.
static void syntax_errors_are_located(void **state)
{
    Rig *f = *state;
    assert_refused(f, "a: \"x\n", 1, 5, "not YAML");
    assert_refused(f, "a: b: c\n", 1, 5, "not YAML");
    assert_refused(f, "a: @x\n", 1, 4, "not YAML");
    assert_refused(f, "a: {b: 1\n", 2, 1, "begins at 1:4");
    assert_refused(f, "{a: 1} x\n", 1, 8, "not YAML");
    assert_refused(f, "a: 1\n- b\n", 2, 1, "not YAML");
}

// Goal: no document is a mistake. Method: nothing, spaces, a comment.
static void an_empty_file_is_refused(void **state)
{
    Rig *f = *state;
    assert_refused(f, "", 1, 1, "empty");
    assert_refused(f, "\xef\xbb\xbf", 1, 1, "empty");
    assert_refused(f, "  \n\n", 1, 1, "empty");
    assert_refused(f, "# nothing here\n", 1, 1, "empty");
}

// ------------------------------------------------------------------------------------------ limits

static char *repeat(const char *text, size_t count, const char *tail)
{
    size_t length = strlen(text);
    char *all = malloc(length * count + strlen(tail) + 1);
    assert_non_null(all);
    for (size_t i = 0; i < count; i++) memcpy(all + i * length, text, length);
    strcpy(all + length * count, tail);
    return all;
}

static void assert_bomb(Rig *f, char *text, const char *words)
{
    f->diagnostics.count = 0;
    assert_null(parse(f, text));
    assert_int_equal(f->diagnostics.count, 1);
    if (!strstr(f->diagnostics.items[0].text, words))
        fail_msg("'%s' lacks '%s'", f->diagnostics.items[0].text, words);
    free(text);
}

// Goal: bombs stop at the limit they pass. Method: a file beyond each limit.
static void bombs_stop_at_the_limit(void **state)
{
    Rig *f = *state;
    assert_bomb(f, repeat("[", 1000000, ""), "64 maps and lists");
    assert_bomb(f, repeat("{a: ", 200000, ""), "64 maps and lists");
    assert_bomb(f, repeat("- ", 400000, "x"), "64 maps and lists");
    assert_bomb(f, repeat("? ", 400000, "x"), "as a key");
    assert_bomb(f, repeat("- x\n", 200000, ""), "100000");
    assert_bomb(f, repeat("x", 70000, ""), "64 KiB");
    assert_bomb(f, repeat("x", 70000, ": 1"), "64 KiB");
    assert_bomb(f, repeat("#", (1 << 20) + 1, ""), "1 MiB");
    assert_bomb(f, repeat("%", 1000000, ""), "more than 256 characters");

    char *keys = malloc(20 * 2000), *at = keys;
    assert_non_null(keys);
    for (int i = 0; i < 2000; i++) at += sprintf(at, "k%d: 1\n", i);
    assert_bomb(f, keys, "1000 keys");
}

// Goal: no run of blanks costs its square. Method: a megabyte of each kind of blank where
// the library looks ahead (in a flow map, in block, folded, plain and quoted texts), and elsewhere;
// each is refused where the run begins. The square would be 30 minutes.
static void runs_of_blanks_are_refused(void **state)
{
    Rig *f = *state;
    static const char *const before[] = {"a: {b:", "a: |\nx", "a: >\nx", "a: x", "a: \"x",
                                         "a: 'x",  "a",       "a: [x",   "#"};
    static const char *const blanks[] = {" ", "\n", "\r", "\r\n", "\n  ", " \t", "  \n"};
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        int line = strchr(before[i], '\n') ? 2 : 1;
        int column = line == 2 ? 2 : (int)strlen(before[i]) + 1;
        for (size_t k = 0; k < sizeof blanks / sizeof blanks[0]; k++) {
            char *run = repeat(blanks[k], 1000000 / strlen(blanks[k]), "1}");
            char *text = malloc(strlen(before[i]) + strlen(run) + 1);
            assert_non_null(text);
            sprintf(text, "%s%s", before[i], run);
            assert_refused(f, text, line, column, "more than 256 blanks");
            free(text);
            free(run);
        }
    }
    // Tabs alone indent nothing, wherever the line ends.
    char *tabs = repeat("\t", 1000000, "\na: 1");
    assert_refused(f, tabs, 1, 1, "more than 256 blanks");
    free(tabs);
}

// What it takes this process to read the text: the least of three times [s].
static double seconds_to_read(Rig *f, const char *text)
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        f->diagnostics.count = 0;
        ib_arena_reset(&f->arena);
        clock_t start = clock();
        parse(f, text);
        least = fmin(least, (double)(clock() - start) / CLOCKS_PER_SEC);
    }
    return least;
}

// Goal: tabs are looked at once, also where they end no line. Method: a megabyte of them beside as
// long a comment, in processor time; once takes less, and a look from each of the first 256 took
// 14 times as long. Twice is the bound, since the clock may be coarse.
static void tabs_cost_no_more_than_letters(void **state)
{
    Rig *f = *state;
    char *tabs = repeat("\t", 1000000, "\na: 1"), *comment = repeat("#", 1000000, "\na: 1");
    double of_tabs = seconds_to_read(f, tabs), of_comment = seconds_to_read(f, comment);
    if (of_tabs > 2 * of_comment) fail_msg("tabs took %g s, letters %g s", of_tabs, of_comment);
    free(tabs);
    free(comment);
}

// Goal: the limits themselves are allowed. Method: depth 64, 64 KiB, 1000 keys, 1 MiB, 256 blanks
// in a row again and again: what a file of them costs is far from its square.
static void the_limits_themselves_are_allowed(void **state)
{
    Rig *f = *state;
    char *deep =
        repeat("[", 64, "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
    assert_non_null(parse(f, deep));
    free(deep);
    char *wide = repeat("x", 1 << 16, "");
    assert_non_null(parse(f, wide));
    free(wide);
    char *large = repeat("#", (1 << 20) - 5, "\na: 1");
    assert_non_null(parse(f, large));
    free(large);

    char *keys = malloc(20 * 1000), *at = keys;
    assert_non_null(keys);
    for (int i = 0; i < 1000; i++) at += sprintf(at, "k%d: 1\n", i);
    assert_non_null(parse(f, keys));
    free(keys);

    char blanks[258] = "#"; // a comment, and 256 line ends
    memset(blanks + 1, '\n', 256);
    char *spaced = repeat(blanks, (1 << 20) / 257 - 1, "a: 1");
    assert_non_null(parse(f, spaced));
    free(spaced);
}

// Goal: a cut or flipped file is read or refused, never worse, and no tree is missing without a
// word. Method: every prefix, every bit.
static void truncation_and_bit_flips_are_harmless(void **state)
{
    Rig *f = *state;
    static const char text[] =
        "title: \"a \\u00e9\"\nrobot: {kind: roomba, mass: [1, 2]}\nrun:\n  - |\n   x\n  - 'y'\n";
    char copy[sizeof text];
    for (size_t length = 0; length < sizeof text; length++) {
        ib_arena_reset(&f->arena);
        f->diagnostics.count = 0;
        ib_Node *node = parse_n(f, text, length);
        assert_true(node || f->diagnostics.count > 0);
    }
    for (size_t bit = 0; bit < 8 * (sizeof text - 1); bit++) {
        ib_arena_reset(&f->arena);
        f->diagnostics.count = 0;
        memcpy(copy, text, sizeof text);
        copy[bit / 8] = (char)(copy[bit / 8] ^ (1 << bit % 8));
        ib_Node *node = parse_n(f, copy, sizeof text - 1);
        assert_true(node || f->diagnostics.count > 0);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        CASE(every_node_knows_its_place),
        CASE(places_count_characters_and_any_line_end),
        CASE(scalars_of_every_style_are_text),
        CASE(single_quotes_are_read_as_yaml_says),
        CASE(many_quoted_quotes_are_read),
        CASE(one_document_may_be_marked),
        CASE(anchors_aliases_tags_and_merge_keys_are_refused),
        CASE(what_is_refused_is_taken_out_of_the_tree),
        CASE(a_second_document_is_refused_where_it_begins),
        CASE(several_refusals_are_found_in_one_pass),
        CASE(duplicate_keys_are_refused),
        CASE(keys_that_are_no_names_are_refused),
        CASE(bytes_that_are_no_text_are_refused),
        CASE(syntax_errors_are_located),
        CASE(an_empty_file_is_refused),
        CASE(bombs_stop_at_the_limit),
        CASE(runs_of_blanks_are_refused),
        CASE(tabs_cost_no_more_than_letters),
        CASE(the_limits_themselves_are_allowed),
        CASE(truncation_and_bit_flips_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
