// Claims about src/file/tree_shelf.c: what was parsed is there for all, and nobody's changes are.
#include "cmocka_all.h"
#include "file/tree_shelf.h"
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
    ib_TreeShelf *shelf = ib_tree_shelf_create();
    assert_null(ib_tree_shelf_take(shelf, "a.yaml", "", &arenas[0]));
    ib_Node *root = parse(&arenas[0], &diagnostics);
    ib_tree_shelf_put(shelf, "a.yaml", "", root);
    ib_node_remove(root, root->first);
    ib_arena_reset(&arenas[0]);
    ib_Node *one = ib_tree_shelf_take(shelf, "a.yaml", "", &arenas[1]);
    assert_non_null(one);
    ib_node_remove(one, one->first);
    ib_arena_reset(&arenas[1]);
    ib_Node *two = ib_tree_shelf_take(shelf, "a.yaml", "", &arenas[1]);
    assert_non_null(two);
    compare(parse(&arenas[2], &diagnostics), two);
    for (int i = 0; i < 3; i++) ib_arena_reset(&arenas[i]);
    ib_tree_shelf_destroy(shelf);
}

// Goal: a text that is empty is as much the shelf's own as any other. Method: the first tree's
// empty text gets a letter after it was put.
static void empty_texts_are_copied_too(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    char written[2] = "";
    ib_TreeShelf *shelf = ib_tree_shelf_create();
    ib_Node *root = ib_node_create(&arena, IB_NODE_SCALAR, "", (ib_Place){.file = "a.yaml"});
    assert_non_null(root);
    root->text = written;
    ib_tree_shelf_put(shelf, "a.yaml", "", root);
    written[0] = 'x';
    ib_Node *taken = ib_tree_shelf_take(shelf, "a.yaml", "", &arena);
    assert_non_null(taken);
    assert_ptr_not_equal(taken->text, written);
    ib_arena_reset(&arena);
    ib_tree_shelf_destroy(shelf);
}

// Goal: trees are told apart by both words, and where two are put under one, the first stays.
// Method: names that read alike when they are written one behind the other.
static void both_words_count(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_TreeShelf *shelf = ib_tree_shelf_create();
    static const char *const names[][2] = {{"ab", "c"}, {"a", "bc"}, {"abc", ""}, {"", "abc"}};
    for (int i = 0; i < 4; i++) {
        char number[8];
        snprintf(number, sizeof number, "%d", i);
        ib_Node *node = ib_node_create(&arena, IB_NODE_SCALAR, number, (ib_Place){"x", 1, 1});
        ib_tree_shelf_put(shelf, names[i][0], names[i][1], node);
        node->text = "other";
        ib_tree_shelf_put(shelf, names[i][0], names[i][1], node);
    }
    for (int i = 0; i < 4; i++) {
        const ib_Node *node = ib_tree_shelf_take(shelf, names[i][0], names[i][1], &arena);
        assert_non_null(node);
        assert_int_equal(node->text[0], '0' + i);
    }
    assert_null(ib_tree_shelf_take(shelf, "ab", "", &arena));
    ib_arena_reset(&arena);
    ib_tree_shelf_destroy(shelf);
}

// Goal: a shelf that is full, or none, is no trouble. Method: 5000 trees, of which 4096 find room.
static void a_full_shelf_keeps_what_it_has(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_TreeShelf *shelf = ib_tree_shelf_create();
    ib_Node *node = ib_node_create(&arena, IB_NODE_SCALAR, "1", (ib_Place){"x", 1, 1});
    int kept = 0;
    for (int i = 0; i < 5000; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        ib_tree_shelf_put(shelf, name, "", node);
        kept += ib_tree_shelf_take(shelf, name, "", &arena) != NULL;
    }
    assert_int_equal(kept, 4096);
    ib_tree_shelf_put(NULL, "a", "", node);
    assert_null(ib_tree_shelf_take(NULL, "a", "", &arena));
    ib_arena_reset(&arena);
    ib_tree_shelf_destroy(shelf);
    ib_tree_shelf_destroy(NULL);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_is_taken_as_it_was_put),
        cmocka_unit_test(empty_texts_are_copied_too),
        cmocka_unit_test(both_words_count),
        cmocka_unit_test(a_full_shelf_keeps_what_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
