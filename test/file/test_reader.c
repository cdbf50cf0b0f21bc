// Tests of file/reader.h: a file as a whole, its values and its keys, whatever it is about.
#include "file/file_rig.h"

#include <math.h>
#include <string.h>

static ib_Node *read(Rig *rig, const char *text)
{
    ib_Node *root = ib_read_tree(&rig->reader, text, strlen(text));
    assert_non_null(root);
    return root;
}

// The last mistake, as a person reads it.
static const char *said(Rig *rig)
{
    static char text[400];
    assert_true(rig->diagnostics.count > 0);
    ib_diagnostic_format(&rig->diagnostics.items[rig->diagnostics.count - 1], text, sizeof text);
    return text;
}

// Goal: the title is one line, or else the file's name. Method: a block of text, and no title.
static void a_title_is_one_line_or_the_name_of_the_file(void **state)
{
    Rig *rig = *state;
    const ib_Node *root = read(rig, "title: |\n  two\n  lines\n");
    assert_string_equal(ib_read_title(&rig->reader, root), "two lines");
    assert_string_equal(ib_read_title(&rig->reader, read(rig, "box: 1\n")), "t.yaml");
    assert_int_equal(rig->diagnostics.count, 0);
}

// Goal: only format 1 is taken. Method: 1, none and 2.
static void a_format_of_the_future_is_refused(void **state)
{
    Rig *rig = *state;
    ib_read_format(&rig->reader, read(rig, "format: 1\n"));
    ib_read_format(&rig->reader, read(rig, "title: x\n"));
    assert_int_equal(rig->diagnostics.count, 0);
    ib_read_format(&rig->reader, read(rig, "format: 2\n"));
    assert_string_equal(said(rig), "shelf/t.yaml:1:9: format: expected 1, the only format so far, "
                                   "got '2'");
}

// Goal: overrides act in their order, and a mistake of one is placed in it.
// Method: the same path twice; an empty value.
static void overrides_act_in_their_order(void **state)
{
    Rig *rig = *state;
    ib_Node *root = read(rig, "box: {mass: 1 kg}\n");
    const ib_Override overrides[] = {{"box.mass", "2 kg"}, {"box.mass", "3 kg"}, {"box.size", " "}};
    ib_apply_overrides(&rig->reader, root, overrides, 3);
    assert_string_equal(ib_node_find(root, "box.mass")->text, "3 kg");
    assert_null(ib_node_find(root, "box.size"));
    assert_int_equal(rig->diagnostics.count, 1);
    assert_int_equal(strncmp(said(rig), "--set box.size:1:1: box.size: empty value", 41), 0);
}

// Goal: a name is seen from the file in which it is written, one of the command line from the file
// that is read. Method: both, and an absolute one.
static void a_name_is_seen_from_its_file(void **state)
{
    Rig *rig = *state;
    ib_Node *root = read(rig, "box: other.yaml\nfar: /far/away.yaml\n");
    assert_string_equal(ib_resolve(&rig->reader, ib_node_get(root, "box")), "shelf/other.yaml");
    assert_string_equal(ib_resolve(&rig->reader, ib_node_get(root, "far")), "/far/away.yaml");
    ib_apply_overrides(&rig->reader, root, &(ib_Override){"box", "mine.yaml"}, 1);
    assert_string_equal(ib_resolve(&rig->reader, ib_node_get(root, "box")), "shelf/mine.yaml");
}

// Goal: a file that is read twice is listed once. Method: ten names, each twice.
static void a_file_is_listed_once(void **state)
{
    Rig *rig = *state;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 10; i++) assert_true(ib_add_file(&rig->reader, names[i]));
    assert_int_equal(rig->reader.file_count, 10);
    for (int i = 0; i < 10; i++) assert_string_equal(rig->reader.files[i], names[i]);
    assert_null(rig->reader.files[10]);
}

// Goal: an unknown key is told with the nearest one, or where it belongs.
// Method: a misspelt key, one of the top level within a map, and one like no other.
static void unknown_keys_say_what_was_meant(void **state)
{
    Rig *rig = *state;
    static const char *const top_keys[] = {"format", "title", "box", NULL};
    rig->reader.top_keys = top_keys;
    static const char *const known[] = {"mass", "width", NULL};
    const ib_Node *root = read(rig, "box: {mas: 1, title: x, zzzzzz: 1}\n");
    ib_check_keys(&rig->reader, ib_node_get(root, "box"), known);
    assert_int_equal(rig->diagnostics.count, 3);
    const ib_Diagnostic *items = rig->diagnostics.items;
    assert_string_equal(items[0].text,
                        "box.mas: unknown key; did you mean 'mass'? Known here: mass, "
                        "width");
    assert_string_equal(items[1].text, "box.title: unknown key: 'title' belongs to the top level; "
                                       "known here: mass, width");
    assert_string_equal(items[2].text, "box.zzzzzz: unknown key; known here: mass, width");
    assert_int_equal(items[0].column, 7);
}

// Goal: a number needs the unit that is asked for; a random one is always the same for a seed.
// Method: a right one, a bare one, one of another dimension; a uniform one twice.
static void a_number_has_its_unit(void **state)
{
    Rig *rig = *state;
    const ib_Node *root = read(rig, "a: 2 lb\nb: 2\nc: 2 m\nd: {uniform: [1 kg, 3 kg]}\n");
    double value, again;
    assert_true(ib_read_number(&rig->reader, ib_node_get(root, "a"), "kg", false, &value));
    assert_true(fabs(value - 0.90718474) < 1e-15); // 2 x 0.45359237 kg, exact by definition
    assert_false(ib_read_number(&rig->reader, ib_node_get(root, "b"), "kg", false, &value));
    assert_false(ib_read_number(&rig->reader, ib_node_get(root, "c"), "kg", false, &value));
    assert_int_equal(rig->diagnostics.count, 2);
    assert_true(ib_read_number(&rig->reader, ib_node_get(root, "d"), "kg", false, &value));
    assert_true(ib_read_number(&rig->reader, ib_node_get(root, "d"), "kg", false, &again));
    assert_true(value >= 1 && value <= 3 && value == again);
}

// Goal: what was refused once is not complained of again. Method: a node marked so.
static void what_was_refused_is_no_news(void **state)
{
    Rig *rig = *state;
    ib_Node *box = ib_node_get(read(rig, "box: [1]\n"), "box");
    assert_false(ib_check_map(&rig->reader, box, "a map"));
    assert_int_equal(rig->diagnostics.count, 1);
    box->refused = true;
    ib_wrong_value(&rig->reader, box, "wrong");
    ib_wrong_gap(&rig->reader, box, "missing");
    assert_int_equal(rig->diagnostics.count, 1);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_title_is_one_line_or_the_name_of_the_file),
        CASE(a_format_of_the_future_is_refused),
        CASE(overrides_act_in_their_order),
        CASE(a_name_is_seen_from_its_file),
        CASE(a_file_is_listed_once),
        CASE(unknown_keys_say_what_was_meant),
        CASE(a_number_has_its_unit),
        CASE(what_was_refused_is_no_news),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
