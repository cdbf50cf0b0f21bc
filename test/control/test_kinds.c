// The tables of all kinds of controllers: what a reader counts on.
#include "cmocka_all.h"
#include "control/controller.h"

#include <stdio.h>
#include <string.h>

// Goal: every kind's defaults can be read, whatever it measures and sets, and it says what it is.
// Method: each table with several pairs of units.
static void each_kind_has_defaults_that_can_be_read(void **unused)
{
    (void)unused;
    static const char *const pairs[][2] = {{"rad", "V"}, {"m/s", "1"}, {"1", "N*m"}, {"Pa", "A"}};
    for (int i = 0; ib_controller_kinds[i]; i++) {
        const ib_ControllerKind *kind = ib_controller_kinds[i];
        assert_true(kind->name && kind->sentence && kind->docs && kind->init && kind->step);
        assert_ptr_equal(ib_controller_kind_find(kind->name), kind);
        for (int k = 0; k < 4; k++) {
            ib_Arena arena = {0};
            ib_Error error;
            ib_Schema params;
            void *config = ib_arena_alloc(&arena, kind->config_size);
            assert_true(ib_controller_params(kind, pairs[k][0], pairs[k][1], &arena, &params));
            if (ib_schema_default(&params, config, &error) != IB_OK)
                fail_msg("%s: %s", kind->name, error.text);
            ib_arena_reset(&arena);
        }
    }
    assert_null(ib_controller_kind_find("wish"));
}

// Goal: the page that a kind names is there. Method: open it.
static void each_kind_has_its_page(void **unused)
{
    (void)unused;
    for (int i = 0; ib_controller_kinds[i]; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", IB_SOURCE_DIR, ib_controller_kinds[i]->docs);
        FILE *page = fopen(path, "r");
        if (!page) fail_msg("%s is missing", ib_controller_kinds[i]->docs);
        fclose(page);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_has_defaults_that_can_be_read),
        cmocka_unit_test(each_kind_has_its_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
