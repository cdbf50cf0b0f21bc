// Tests of file/node.h: looking up, changing and merging trees.
#include "file/file_rig.h"
#include "file/yaml.h"

#include <string.h>

static ib_Node *parse(Rig *rig, const char *text)
{
    ib_Node *node = ib_yaml_read("t.yaml", text, strlen(text), &rig->arena, &rig->diagnostics);
    assert_non_null(node);
    return node;
}

static bool set(Rig *rig, ib_Node *root, const char *path, const char *yaml)
{
    ib_Node *value = ib_yaml_read("--set", yaml, strlen(yaml), &rig->arena, &rig->diagnostics);
    assert_non_null(value);
    return ib_node_set(root, path, value, &rig->arena, &rig->diagnostics);
}

static const char *text_at(const ib_Node *root, const char *path)
{
    const ib_Node *node = ib_node_find(root, path);
    assert_non_null(node);
    return node->text;
}

// Goal: a dotted path finds maps' entries and lists' items. Method: paths right and wrong.
static void find_walks_maps_and_lists(void **state)
{
    ib_Node *root = parse(*state, "a: {b: [x, [y, z]], c: 1}\nd: 2\n");
    assert_string_equal(text_at(root, "d"), "2");
    assert_string_equal(text_at(root, "a.b.0"), "x");
    assert_string_equal(text_at(root, "a.b.1.1"), "z");
    assert_ptr_equal(ib_node_find(root, ""), root);
    static const char *const wrong[] = {"b",       "a.b.2", "a.b.-1",         "a.b.x", "d.e",
                                        "a.",      ".a",    "a..b",           "a.bb",  "a.c.0",
                                        "a.b.0x0", "a.b.",  "a.b.99999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_null(ib_node_find(root, wrong[i]));
}

// Goal: path is the inverse of find. Method: every node of a tree finds itself.
static void path_leads_back_to_its_node(void **state)
{
    ib_Node *root = parse(*state, "a: {b: [x, [y, z]], c: 1}\n");
    static const char *const paths[] = {"a", "a.b", "a.b.0", "a.b.1.0", "a.c"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char path[IB_NODE_PATH];
        ib_node_path(ib_node_find(root, paths[i]), path);
        assert_string_equal(path, paths[i]);
    }
}

// Goal: a path is cut, never overrun. Method: 60 levels of long keys.
static void a_long_path_is_cut(void **state)
{
    char text[6000] = "", path[IB_NODE_PATH];
    for (int i = 0; i < 60; i++) strcat(text, "{a_rather_long_key_of_more_than_forty_characters: ");
    strcat(text, "1");
    for (int i = 0; i < 60; i++) strcat(text, "}");
    const ib_Node *node = parse(*state, text);
    while (node->first) node = node->first;
    ib_node_path(node, path);
    assert_true(strlen(path) < IB_NODE_PATH);
    assert_true(strlen(path) > IB_NODE_PATH / 2);
}

// Goal: set replaces, creates maps on the way and appends to lists. Method: read back.
static void set_replaces_creates_and_appends(void **state)
{
    ib_Node *root = parse(*state, "a: {b: 1, c: 2, d: 3}\nl: [x]\nn:\n");
    assert_true(set(*state, root, "a.b", "10"));
    assert_true(set(*state, root, "a.c", "20"));
    assert_true(set(*state, root, "a.d", "30"));
    assert_true(set(*state, root, "new.map.key", "{v: 5}"));
    assert_true(set(*state, root, "l.0", "y"));
    assert_true(set(*state, root, "l.1", "z"));
    assert_true(set(*state, root, "n.m", "7"));
    assert_string_equal(text_at(root, "a.b"), "10");
    assert_string_equal(text_at(root, "a.c"), "20");
    assert_string_equal(text_at(root, "a.d"), "30");
    assert_string_equal(text_at(root, "new.map.key.v"), "5");
    assert_string_equal(text_at(root, "l.0"), "y");
    assert_string_equal(text_at(root, "l.1"), "z");
    assert_string_equal(text_at(root, "n.m"), "7");
    assert_int_equal(ib_node_get(root, "a")->count, 3);
    assert_int_equal(ib_node_get(root, "l")->count, 2);
    assert_string_equal(ib_node_get(root, "a")->last->text, "30");
}

// Goal: a 0 where nothing is begins a list. Method: absent, blank, nested, and a map that is there.
static void set_begins_a_list_with_its_item_0(void **state)
{
    ib_Node *root = parse(*state, "blank:\nmap: {}\n");
    assert_true(set(*state, root, "expect.0", "x"));
    assert_true(set(*state, root, "expect.1", "y"));
    assert_true(set(*state, root, "blank.0", "x"));
    assert_true(set(*state, root, "deep.0.0.key", "x"));
    assert_true(set(*state, root, "map.0", "x"));
    assert_int_equal(ib_node_get(root, "expect")->type, IB_NODE_LIST);
    assert_int_equal(ib_node_get(root, "expect")->count, 2);
    assert_int_equal(ib_node_get(root, "blank")->type, IB_NODE_LIST);
    assert_int_equal(ib_node_find(root, "deep.0")->type, IB_NODE_LIST);
    assert_int_equal(ib_node_find(root, "deep.0.0")->type, IB_NODE_MAP);
    assert_int_equal(ib_node_get(root, "map")->type, IB_NODE_MAP);
}

// Goal: a path that leads nowhere is refused at the place of the value. Method: one of each.
static void set_refuses_paths_that_lead_nowhere(void **state)
{
    Rig *rig = *state;
    ib_Node *root = parse(rig, "a: {b: 1}\nl: [x]\n");
    static const char *const wrong[] = {"", "a.", ".a", "a..b", "a.b.c", "l.2", "l.x", "l.0.x"};
    int count = sizeof wrong / sizeof wrong[0];
    for (int i = 0; i < count; i++) {
        assert_false(set(rig, root, wrong[i], "1"));
        assert_int_equal(rig->diagnostics.count, i + 1);
        assert_string_equal(rig->diagnostics.items[i].file, "--set");
        assert_int_equal(rig->diagnostics.items[i].line, 1);
    }
}

// Goal: what lies above wins, maps blend, random values do not. Method: two small trees.
static void merge_lays_one_map_upon_another(void **state)
{
    ib_Node *base = parse(*state, "a: 1\nb: {x: 1, y: 2}\nr: {uniform: [1, 2]}\nc: 3\n");
    ib_Node *over = parse(*state, "c: 4\nb: {y: 5, z: 6}\nr: {normal: [0, 1]}\nd: 7\n");
    ib_node_merge(base, over);
    assert_string_equal(text_at(base, "a"), "1");
    assert_string_equal(text_at(base, "b.x"), "1");
    assert_string_equal(text_at(base, "b.y"), "5");
    assert_string_equal(text_at(base, "b.z"), "6");
    assert_string_equal(text_at(base, "c"), "4");
    assert_string_equal(text_at(base, "d"), "7");
    assert_int_equal(ib_node_get(base, "r")->count, 1);
    assert_non_null(ib_node_find(base, "r.normal"));
    assert_int_equal(base->count, 5);
}

// Goal: mistakes come out in reading order, files in order of appearance, each once.
// Method: add out of order.
static void diagnostics_sort_by_place(void **state)
{
    Rig *rig = *state;
    ib_Diagnostics *d = &rig->diagnostics;
    char text[100];
    ib_diagnostics_add(d, (ib_Place){"z.yaml", 3, 5}, "four");
    ib_diagnostics_add(d, (ib_Place){"a.yaml", 1, 1}, "five");
    ib_diagnostics_add(d, (ib_Place){"z.yaml", 3, 1}, "two %d", 2);
    ib_diagnostics_add(d, (ib_Place){"z.yaml", 3, 1}, "three");
    ib_diagnostics_add(d, (ib_Place){"z.yaml", 1, 9}, "one");
    ib_diagnostics_add(d, (ib_Place){"z.yaml", 1, 9}, "one");
    ib_diagnostics_sort(d);
    assert_int_equal(d->count, 5);
    static const char *const expected[] = {"z.yaml:1:9: one", "z.yaml:3:1: two 2",
                                           "z.yaml:3:1: three", "z.yaml:3:5: four",
                                           "a.yaml:1:1: five"};
    for (int i = 0; i < d->count; i++) {
        ib_diagnostic_format(&d->items[i], text, sizeof text);
        assert_string_equal(text, expected[i]);
    }
}

// Goal: a mistake is one line of valid text. Method: quote control characters and half a letter.
static void diagnostics_are_one_line_of_text(void **state)
{
    Rig *rig = *state;
    ib_diagnostics_add(&rig->diagnostics, (ib_Place){"a", 0, 0}, "x\ny\x1b%.1s%s", "\xc3\xa9",
                       "\xc3\xa9");
    assert_string_equal(rig->diagnostics.items[0].text, "x y??\xc3\xa9");
    assert_int_equal(rig->diagnostics.items[0].line, 1);
    assert_int_equal(rig->diagnostics.items[0].column, 1);
}

// Goal: a full list counts what it drops. Method: twice as many as fit.
static void diagnostics_count_what_does_not_fit(void **state)
{
    Rig *rig = *state;
    ib_Diagnostics *d = &rig->diagnostics;
    for (int i = 0; i < 2 * IB_MAX_DIAGNOSTICS; i++)
        ib_diagnostics_add(d, (ib_Place){"a", i + 1, 1}, "wrong");
    assert_int_equal(d->count, IB_MAX_DIAGNOSTICS);
    assert_int_equal(d->dropped, IB_MAX_DIAGNOSTICS);
    assert_int_equal(ib_diagnostics_total(d), 2 * IB_MAX_DIAGNOSTICS);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        CASE(find_walks_maps_and_lists),
        CASE(path_leads_back_to_its_node),
        CASE(a_long_path_is_cut),
        CASE(set_replaces_creates_and_appends),
        CASE(set_begins_a_list_with_its_item_0),
        CASE(set_refuses_paths_that_lead_nowhere),
        CASE(merge_lays_one_map_upon_another),
        CASE(diagnostics_sort_by_place),
        CASE(diagnostics_are_one_line_of_text),
        CASE(diagnostics_count_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
