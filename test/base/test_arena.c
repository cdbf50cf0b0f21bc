// The arena: alignment, zeros, no overlap, limits.
#include "base/arena.h"

#include "cmocka_all.h"

#include <string.h>

// Goal: pieces are zeroed, aligned and apart. Method: odd sizes across many blocks, each filled
// with its own byte as soon as it is checked, all read again at the end.
static void pieces_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    enum { PIECES = 2000 };
    static unsigned char *pieces[PIECES];
    ib_Arena arena = {0};
    for (size_t i = 0; i < PIECES; i++) {
        size_t size = 1 + i * 7 % 1000;
        pieces[i] = ib_arena_alloc(&arena, size);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % (size >= 64 ? 64 : 16), 0);
        for (size_t k = 0; k < size; k++) assert_int_equal(pieces[i][k], 0);
        memset(pieces[i], (int)(i % 255) + 1, size);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t k = 0; k < 1 + i * 7 % 1000; k++) assert_int_equal(pieces[i][k], i % 255 + 1);
    ib_arena_reset(&arena);
}

// Goal: a piece larger than a block works, and small ones go on after it.
// Method: 1 MB, both ends written.
static void large_pieces_have_a_block_of_their_own(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    size_t size = 1 << 20;
    assert_non_null(ib_arena_alloc(&arena, 10));
    char *large = ib_arena_alloc(&arena, size);
    assert_non_null(large);
    large[0] = large[size - 1] = 1;
    char *small = ib_arena_alloc(&arena, 10);
    assert_non_null(small);
    assert_true(small + 10 <= large || small >= large + size);
    ib_arena_reset(&arena);
}

// Goal: the limit is kept to the byte and absurd sizes are refused. Method: fill up, ask for more.
static void limit_is_kept(void **state)
{
    (void)state;
    ib_Arena arena = {.limit = 100};
    assert_non_null(ib_arena_alloc(&arena, 60));
    assert_null(ib_arena_alloc(&arena, 41));
    assert_non_null(ib_arena_alloc(&arena, 40));
    assert_null(ib_arena_alloc(&arena, 1));
    assert_int_equal(arena.used, 100);
    ib_arena_reset(&arena);
    assert_int_equal(arena.used, 0);
    assert_non_null(ib_arena_alloc(&arena, 100)); // empty and usable again
    ib_arena_reset(&arena);
    ib_arena_reset(&arena); // twice does no harm

    ib_Arena endless = {0};
    assert_null(ib_arena_alloc(&endless, SIZE_MAX));
    assert_null(ib_arena_array(&endless, SIZE_MAX / 4, 8)); // the product wraps round
    assert_non_null(ib_arena_array(&endless, 0, 8));
    ib_arena_reset(&endless);
}

// Goal: texts are copied whole or in part and formatted at any length. Method: compare.
static void texts_are_copied(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    char source[] = "tank drive";
    char *whole = ib_arena_text(&arena, source), *part = ib_arena_text_n(&arena, source, 4);
    char *empty = ib_arena_text(&arena, "");
    source[0] = 'X';
    assert_string_equal(whole, "tank drive");
    assert_string_equal(part, "tank");
    assert_string_equal(empty, "");
    assert_string_equal(ib_arena_format(&arena, "%s.%d", "leg", 3), "leg.3");
    assert_int_equal(strlen(ib_arena_format(&arena, "%5000d", 1)), 5000);
    ib_arena_reset(&arena);

    ib_Arena full = {.limit = 4};
    assert_null(ib_arena_text(&full, "four"));
    assert_null(ib_arena_format(&full, "%d", 1234));
    assert_string_equal(ib_arena_text(&full, "abc"), "abc");
    ib_arena_reset(&full);
}

static void note(void *what)
{
    static int order;
    *(int *)what = ++order;
}

// Goal: duties are done once, the last one first, before the memory is gone; and at once where
// there is no memory to remember them. Method: three that note their turn.
static void duties_are_done_at_the_end(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    int turns[3] = {0}, full = 0;
    for (int i = 0; i < 3; i++) assert_true(ib_arena_at_end(&arena, note, &turns[i]));
    assert_int_equal(turns[0] + turns[1] + turns[2], 0);
    ib_arena_reset(&arena);
    assert_int_equal(turns[2], 1);
    assert_int_equal(turns[0], 3);
    ib_arena_reset(&arena);
    assert_int_equal(turns[0], 3);
    ib_Arena small = {.limit = 8};
    assert_false(ib_arena_at_end(&small, note, &full));
    assert_int_equal(full, 4);
    ib_arena_reset(&small);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(large_pieces_have_a_block_of_their_own),
        cmocka_unit_test(limit_is_kept),
        cmocka_unit_test(texts_are_copied),
        cmocka_unit_test(duties_are_done_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
