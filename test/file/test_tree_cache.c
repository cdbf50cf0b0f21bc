// Claims about src/file/tree_cache.c: what was parsed is there for all, and nobody's changes are.
#include "cmocka_all.h"
#include "file/tree_cache.h"
#include "file/yaml.h"

#include <stdio.h>
#include <string.h>

static const char text[] = "robot: {mass: 2 kg, wheels: [1 m, {x: 3 m}]}\n'run': \"2 s\"\n";

static ib_Node *parse(ib_Arena *arena, ib_Diagnostics *diagnostics)
{
    ib_Node *root = ib_yaml_read("a.yaml", text, strlen(text), arena, diagnostics);
    assert_non_null(root);
    return root;
}

// Are they the same, places included, and none of their nodes shared?
static void compare(const ib_Node *a, const ib_Node *b)
{
    assert_ptr_not_equal(a, b);
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->key == NULL, b->key == NULL);
    if (a->key) assert_string_equal(a->key, b->key);
    assert_string_equal(a->text, b->text);
    assert_int_equal(a->quoted, b->quoted);
    assert_int_equal(a->index, b->index);
    assert_int_equal(a->count, b->count);
    assert_string_equal(a->place.file, b->place.file);
    assert_int_equal(a->place.line, b->place.line);
    assert_int_equal(a->place.column, b->place.column);
    assert_int_equal(a->key_place.line, b->key_place.line);
    assert_int_equal(a->key_place.column, b->key_place.column);
    const ib_Node *x = a->first, *y = b->first;
    for (; x && y; x = x->next, y = y->next) {
        assert_ptr_equal(y->parent, b);
        if (!y->next) assert_ptr_equal(y, b->last);
        compare(x, y);
    }
    assert_true(!x && !y);
}

// Goal: what is taken is what was put, however the first one and an earlier copy have been changed,
// and after they are gone. Method: one tree, changed and freed between.
static void a_tree_is_taken_as_it_was_put(void **state)
{
    (void)state;
    ib_Arena arenas[3] = {{0}};
    ib_Diagnostics diagnostics = {.arena = &arenas[0]};
    ib_TreeCache *cache = ib_tree_cache_create();
    assert_null(ib_tree_cache_take(cache, "a.yaml", "", &arenas[0]));
    ib_Node *root = parse(&arenas[0], &diagnostics);
    ib_tree_cache_put(cache, "a.yaml", "", root);
    ib_node_remove(root, root->first);
    ib_arena_reset(&arenas[0]);
    ib_Node *one = ib_tree_cache_take(cache, "a.yaml", "", &arenas[1]);
    assert_non_null(one);
    ib_node_remove(one, one->first);
    ib_arena_reset(&arenas[1]);
    ib_Node *two = ib_tree_cache_take(cache, "a.yaml", "", &arenas[1]);
    assert_non_null(two);
    compare(parse(&arenas[2], &diagnostics), two);
    for (int i = 0; i < 3; i++) ib_arena_reset(&arenas[i]);
    ib_tree_cache_destroy(cache);
}

// Goal: a text that is empty is as much the cache's own as any other. Method: the first tree's
// empty text gets a letter after it was put.
static void empty_texts_are_copied_too(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    char written[2] = "";
    ib_TreeCache *cache = ib_tree_cache_create();
    ib_Node *root = ib_node_create(&arena, IB_NODE_SCALAR, "", (ib_Place){.file = "a.yaml"});
    assert_non_null(root);
    root->text = written;
    ib_tree_cache_put(cache, "a.yaml", "", root);
    written[0] = 'x';
    ib_Node *taken = ib_tree_cache_take(cache, "a.yaml", "", &arena);
    assert_non_null(taken);
    assert_ptr_not_equal(taken->text, written);
    ib_arena_reset(&arena);
    ib_tree_cache_destroy(cache);
}

// Goal: trees are told apart by both words, and where two are put under one, the first stays.
// Method: names that read alike when they are written one behind the other.
static void both_words_count(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_TreeCache *cache = ib_tree_cache_create();
    static const char *const names[][2] = {{"ab", "c"}, {"a", "bc"}, {"abc", ""}, {"", "abc"}};
    for (int i = 0; i < 4; i++) {
        char number[8];
        snprintf(number, sizeof number, "%d", i);
        ib_Node *node = ib_node_create(&arena, IB_NODE_SCALAR, number, (ib_Place){"x", 1, 1});
        ib_tree_cache_put(cache, names[i][0], names[i][1], node);
        node->text = "other";
        ib_tree_cache_put(cache, names[i][0], names[i][1], node);
    }
    for (int i = 0; i < 4; i++) {
        const ib_Node *node = ib_tree_cache_take(cache, names[i][0], names[i][1], &arena);
        assert_non_null(node);
        assert_int_equal(node->text[0], '0' + i);
    }
    assert_null(ib_tree_cache_take(cache, "ab", "", &arena));
    ib_arena_reset(&arena);
    ib_tree_cache_destroy(cache);
}

// Goal: a cache that is full, or none, is no trouble. Method: 5000 trees, of which 4096 find room.
static void a_full_cache_keeps_what_it_has(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_TreeCache *cache = ib_tree_cache_create();
    ib_Node *node = ib_node_create(&arena, IB_NODE_SCALAR, "1", (ib_Place){"x", 1, 1});
    int kept = 0;
    for (int i = 0; i < 5000; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        ib_tree_cache_put(cache, name, "", node);
        kept += ib_tree_cache_take(cache, name, "", &arena) != NULL;
    }
    assert_int_equal(kept, 4096);
    ib_tree_cache_put(NULL, "a", "", node);
    assert_null(ib_tree_cache_take(NULL, "a", "", &arena));
    ib_arena_reset(&arena);
    ib_tree_cache_destroy(cache);
    ib_tree_cache_destroy(NULL);
}

// Goal: a number is remembered for the text, the unit and the kind of value that it was read as,
// and by all copies. Method: each of these changed alone.
static void a_number_is_that_of_its_text_and_unit(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_TreeCache *cache = ib_tree_cache_create();
    ib_Node *node = ib_node_create(&arena, IB_NODE_SCALAR, "2 m", (ib_Place){"x", 1, 1});
    double value = 0;
    ib_tree_cache_keep_number(cache, node, "m", false, 2);
    assert_false(ib_tree_cache_number(node, "m", false, &value)); // it is on no cache
    ib_tree_cache_put(cache, "a", "", node);
    ib_Node *one = ib_tree_cache_take(cache, "a", "", &arena);
    ib_Node *two = ib_tree_cache_take(cache, "a", "", &arena);
    assert_false(ib_tree_cache_number(one, "m", false, &value));
    ib_tree_cache_keep_number(cache, one, "m", false, 2);
    ib_tree_cache_keep_number(cache, one, "m/s", false, 3);
    assert_true(ib_tree_cache_number(two, "m", false, &value) && value == 2);
    assert_false(ib_tree_cache_number(two, "m", true, &value));
    assert_false(ib_tree_cache_number(two, "m/s", false, &value));
    assert_false(ib_tree_cache_number(two, "", false, &value));
    two->text = "3 m";
    assert_false(ib_tree_cache_number(two, "m", false, &value));
    ib_arena_reset(&arena);
    ib_tree_cache_destroy(cache);
}

// One field of every size that a default has, and what has none.
typedef struct Sample {
    double number, limit, pair[2], span[2], needed;
    int count, choice, preset, open, names;
    bool flag;
    ib_Table table;
} Sample;

#define SAMPLE(key, type, fallback, detail)                                                        \
    {                                                                                              \
#key, type, "m", fallback, -9, 9, detail, offsetof(Sample, key), false, ""                 \
    }
static const char *const words[] = {"a", "b", NULL};
static const ib_PresetDef sample_preset = {.off = true};
static const ib_TableDef sample_table = {2, {"m", "s", NULL}, 2};
static const ib_Param sample_rows[] = {
    SAMPLE(number, IB_PARAM_NUMBER, "2 cm", NULL),
    SAMPLE(limit, IB_PARAM_LIMIT, "off", NULL),
    SAMPLE(pair, IB_PARAM_PAIR, "1 m, 2 m", NULL),
    SAMPLE(span, IB_PARAM_SPAN, "off", NULL),
    SAMPLE(needed, IB_PARAM_NUMBER, NULL, NULL),
    SAMPLE(count, IB_PARAM_COUNT, "3", NULL),
    SAMPLE(choice, IB_PARAM_CHOICE, "b", words),
    SAMPLE(preset, IB_PARAM_PRESET, "off", &sample_preset),
    SAMPLE(open, IB_PARAM_PRESET, NULL, &sample_preset),
    SAMPLE(names, IB_PARAM_NAMED, NULL, NULL),
    SAMPLE(flag, IB_PARAM_FLAG, "true", NULL),
    SAMPLE(table, IB_PARAM_TABLE, "0 m 1 s, 1 m 2 s", &sample_table),
};

// Goal: defaults from the cache are those of the table, and no other byte changes; a table that was
// made while reading is never kept. Method: three structs full of ones, filled by the table and by
// a cache, twice; a row in memory that changes.
static void defaults_are_those_of_the_table(void **state)
{
    (void)state;
    const ib_Schema schema = IB_SCHEMA(sample_rows);
    ib_TreeCache *cache = ib_tree_cache_create();
    Sample samples[3];
    ib_Error error;
    memset(samples, 0xff, sizeof samples);
    assert_int_equal(ib_schema_default(&schema, &samples[0], &error), IB_OK);
    for (int i = 1; i < 3; i++) {
        assert_int_equal(ib_tree_cache_default(cache, &schema, &samples[i], &error), IB_OK);
        assert_memory_equal(&samples[i], &samples[0], sizeof samples[0]);
    }
    ib_Param row = sample_rows[0];
    const ib_Schema made = {.params = &row, .count = 1, .made = true};
    assert_int_equal(ib_tree_cache_default(cache, &made, &samples[0], &error), IB_OK);
    row.fallback = "5 m";
    assert_int_equal(ib_tree_cache_default(cache, &made, &samples[0], &error), IB_OK);
    assert_true(samples[0].number == 5);
    ib_tree_cache_destroy(cache);
}

// Goal: a key is found where it is, whichever table it was found in before. Method: one node in two
// tables that have it in other rows, and one that has it not.
static void a_key_is_found_in_any_table(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_TreeCache *cache = ib_tree_cache_create();
    const ib_Schema whole = IB_SCHEMA(sample_rows);
    const ib_Schema rest = {.params = sample_rows + 4, .count = 4}, head = {sample_rows, 4};
    ib_Node *node = ib_node_create(&arena, IB_NODE_SCALAR, "3", (ib_Place){"x", 1, 1});
    ib_tree_cache_put(cache, "a", "", node);
    node = ib_tree_cache_take(cache, "a", "", &arena);
    for (int i = 0; i < 2; i++) {
        assert_ptr_equal(ib_tree_cache_find(node, &whole, "count"), &sample_rows[5]);
        assert_ptr_equal(ib_tree_cache_find(node, &rest, "count"), &sample_rows[5]);
        assert_null(ib_tree_cache_find(node, &head, "count"));
        assert_ptr_equal(ib_tree_cache_find(node, &whole, "flag"), &sample_rows[10]);
    }
    ib_arena_reset(&arena);
    ib_tree_cache_destroy(cache);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_is_taken_as_it_was_put),
        cmocka_unit_test(empty_texts_are_copied_too),
        cmocka_unit_test(both_words_count),
        cmocka_unit_test(a_full_cache_keeps_what_it_has),
        cmocka_unit_test(a_number_is_that_of_its_text_and_unit),
        cmocka_unit_test(defaults_are_those_of_the_table),
        cmocka_unit_test(a_key_is_found_in_any_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
